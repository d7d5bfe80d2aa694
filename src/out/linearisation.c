/* A linearisation in words, and as JSON, CSV and MAT. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "out/file.h"
#include "out/json.h"
#include "out/table.h"

enum { DIGITS = 17 };

/* ---- words ---- */

/* The state that moves most in a mode; rates are divided by that of the mode. */
static int leader_of(const taut_linear_point *p, int k) {
    int best = 0;
    double most = -1.0;
    const double rate = hypot(p->eigenvalue[k][0], p->eigenvalue[k][1]);
    for (int i = 0; i < p->states; i++) {
        const double *x = p->mode[k * p->states + i];
        double size = hypot(x[0], x[1]);
        for (const char *prime = strchr(p->state[i], '\''); prime && *prime; prime++)
            size /= fmax(rate, 1e-300);
        if (size > most * (1.0 + 1e-9)) {
            most = size;
            best = i;
        }
    }
    return best;
}

static void text_eigenvalue(taut_string *out, const taut_linear_point *p, int k) {
    const double re = p->eigenvalue[k][0], im = p->eigenvalue[k][1], size = hypot(re, im);
    taut_string_add(out, "  %22.15g %22.15g  ", re, im);
    if (size == 0.0)
        taut_string_add(out, "%12s %10s %12s", "-", "-", "-");
    else {
        if (im != 0.0)
            taut_string_add(out, "%12.6g %10.4g ", size / (2.0 * M_PI),
                            re == 0.0 ? 0.0 : -re / size);
        else
            taut_string_add(out, "%12s %10s ", "-", "-");
        if (re != 0.0)
            taut_string_add(out, "%12.6g", -1.0 / re);
        else
            taut_string_add(out, "%12s", "-");
    }
    taut_string_add(out, "  %9.3g  %s\n", p->condition[k], p->state[leader_of(p, k)]);
}

static void text_names(taut_string *out, const char *what, const char *const *name, int count) {
    taut_string_add(out, "%-9s", what);
    for (int i = 0; i < count; i++) taut_string_add(out, "%s%s", i ? ", " : "", name[i]);
    taut_string_add(out, "%s\n", count ? "" : "none");
}

static void text_point(taut_string *out, const taut_linear_point *p) {
    taut_string_add(out, "linearised at t = %.10g\n", p->t);
    text_names(out, "states", p->state, p->states);
    taut_string_add(out, "         condition of the choice %.3g\n", p->state_condition);
    text_names(out, "inputs", p->input, p->inputs);
    text_names(out, "outputs", p->output, p->outputs);
    if (p->contacts[0]) taut_string_add(out, "contacts %s\n", p->contacts);
    if (p->side[0])
        taut_string_add(out,
                        "side     %s: the point lies on a kink, and beyond it the matrices are "
                        "others\n",
                        p->side);
    taut_string_add(out, "eigenvalues\n  %22s %22s  %12s %10s %12s  %9s  %s\n", "real part",
                    "imaginary part", "frequency", "damping", "time const.", "condition",
                    "most in");
    for (int k = 0; k < p->states; k++) text_eigenvalue(out, p, k);
    if (p->zero_modes > 0)
        taut_string_add(out, "%d of them %s 0, by the rank of A\n", p->zero_modes,
                        p->zero_modes == 1 ? "is" : "are");
    if (!p->steady)
        taut_string_add(out, "the point is not steady: A changes along the motion, and its "
                             "eigenvalues do not tell how small deviations grow\n");
}

/* ---- JSON ---- */

static void json_names(taut_string *out, const char *key, const char *const *name, int count) {
    taut_string_add(out, "  \"%s\": [", key);
    for (int i = 0; i < count; i++) {
        if (i) taut_string_add(out, ", ");
        taut_json_text(out, name[i]);
    }
    taut_string_add(out, "],\n");
}

static void json_row(taut_string *out, const double *value, int count) {
    taut_string_add(out, "[");
    for (int i = 0; i < count; i++) {
        if (i) taut_string_add(out, ", ");
        taut_json_number(out, value[i], DIGITS);
    }
    taut_string_add(out, "]");
}

static void json_values(taut_string *out, const char *key, const double *value, int count) {
    taut_string_add(out, "  \"%s\": ", key);
    json_row(out, value, count);
    taut_string_add(out, ",\n");
}

static void json_matrix(taut_string *out, const char *key, const double *value, int rows,
                        int columns) {
    taut_string_add(out, "  \"%s\": [", key);
    for (int i = 0; i < rows; i++) {
        if (i) taut_string_add(out, ", ");
        json_row(out, value + (size_t)i * (size_t)columns, columns);
    }
    taut_string_add(out, "],\n");
}

/* Another form as an object of its own: "redundant": {...}. */
static void json_form(taut_string *out, const char *key, const taut_linear_point *p,
                      const taut_linear_form *f) {
    if (!f) return;
    taut_string_add(out, ",\n  \"%s\": {\n", key);
    json_names(out, "states", f->state, f->states);
    if (f->E) json_matrix(out, "E", f->E, f->states, f->states);
    json_matrix(out, "A", f->A, f->states, f->states);
    json_matrix(out, "B", f->B, f->states, p->inputs);
    json_matrix(out, "C", f->C, p->outputs, f->states);
    taut_string_add(out, "  \"D\": [");
    for (int i = 0; i < p->outputs; i++) {
        if (i) taut_string_add(out, ", ");
        json_row(out, f->D + (size_t)i * (size_t)p->inputs, p->inputs);
    }
    taut_string_add(out, "]}");
}

static void json_point(taut_string *out, const taut_linear_point *p) {
    const int n = p->states;
    taut_string_add(out, "{\n  \"t\": ");
    taut_json_number(out, p->t, DIGITS);
    taut_string_add(out, ",\n");
    json_names(out, "states", p->state, n);
    json_names(out, "inputs", p->input, p->inputs);
    json_names(out, "outputs", p->output, p->outputs);
    json_values(out, "x0", p->x0, n);
    json_values(out, "u0", p->u0, p->inputs);
    json_values(out, "y0", p->y0, p->outputs);
    json_matrix(out, "A", p->A, n, n);
    json_matrix(out, "B", p->B, n, p->inputs);
    json_matrix(out, "C", p->C, p->outputs, n);
    json_matrix(out, "D", p->D, p->outputs, p->inputs);
    json_matrix(out, "eigenvalues", &p->eigenvalue[0][0], n, 2);
    taut_string_add(out, "  \"modes\": [");
    for (int k = 0; k < n; k++) {
        taut_string_add(out, "%s[", k ? ", " : "");
        for (int i = 0; i < n; i++) {
            if (i) taut_string_add(out, ", ");
            json_row(out, p->mode[k * n + i], 2);
        }
        taut_string_add(out, "]");
    }
    taut_string_add(out, "],\n");
    json_values(out, "eigenvalue_condition", p->condition, n);
    taut_string_add(out, "  \"zero_modes\": %d,\n  \"state_condition\": ", p->zero_modes);
    taut_json_number(out, p->state_condition, DIGITS);
    taut_string_add(out, ",\n  \"steady\": %s", p->steady ? "true" : "false");
    if (p->contacts[0]) {
        taut_string_add(out, ",\n  \"contacts\": ");
        taut_json_text(out, p->contacts);
    }
    if (p->side[0]) {
        taut_string_add(out, ",\n  \"side\": ");
        taut_json_text(out, p->side);
    }
    json_form(out, "redundant", p, p->redundant);
    json_form(out, "descriptor", p, p->descriptor);
    taut_string_add(out, "\n}");
}

taut_status taut_linear_text(const taut_linear *l, bool json, char **text) {
    taut_string out = {0};
    TAUT_NEED(text, "text", NULL);
    *text = NULL;
    TAUT_NEED(l, "linear", NULL);
    const int points = taut_linear_points(l);
    if (json && points > 1) taut_string_add(&out, "[");
    for (int k = 0; k < points; k++) {
        if (k) taut_string_add(&out, json ? ",\n" : "\n");
        if (json)
            json_point(&out, taut_linear_at(l, k));
        else
            text_point(&out, taut_linear_at(l, k));
    }
    if (json) taut_string_add(&out, "%s\n", points > 1 ? "]" : "");
    if (out.failed) {
        taut_string_release(&out);
        return TAUT_ERR_MEMORY;
    }
    *text = out.text;
    return TAUT_OK;
}

/* ---- CSV: one matrix below the other, with names ---- */

static void csv_header(taut_string *out, const char *matrix, const char *const *name, int count) {
    taut_string_add(out, "%s", matrix);
    for (int i = 0; i < count; i++) taut_string_add(out, ",%s", name[i]);
    taut_string_add(out, "\n");
}

static void csv_row(taut_string *out, const char *name, const double *value, int count) {
    taut_string_add(out, "%s", name);
    for (int i = 0; i < count; i++) taut_string_add(out, ",%.17g", value[i]);
    taut_string_add(out, "\n");
}

static void csv_matrix(taut_string *out, const char *matrix, const char *const *row, int rows,
                       const char *const *column, int columns, const double *value) {
    if (rows == 0 || columns == 0) return;
    csv_header(out, matrix, column, columns);
    for (int i = 0; i < rows; i++)
        csv_row(out, row[i], value + (size_t)i * (size_t)columns, columns);
}

static void csv_form(taut_string *out, const char *what, const taut_linear_point *p,
                     const taut_linear_form *f) {
    char name[40];
    if (!f) return;
    const struct {
        char name;
        const double *value;
    } part[] = {{'E', f->E}, {'A', f->A}, {'B', f->B}, {'C', f->C}, {'D', f->D}};
    for (int i = 0; i < 5; i++) {
        const bool by_outputs = i > 2, by_inputs = i == 2 || i == 4;
        if (!part[i].value) continue;
        snprintf(name, sizeof name, "%s %c", what, part[i].name);
        csv_matrix(out, name, by_outputs ? p->output : f->state,
                   by_outputs ? p->outputs : f->states, by_inputs ? p->input : f->state,
                   by_inputs ? p->inputs : f->states, part[i].value);
    }
}

static void csv_point(taut_string *out, const taut_linear_point *p) {
    static const char *const PARTS[] = {"real", "imaginary", "condition"};
    taut_string_add(out, "t,%.17g\n", p->t);
    csv_matrix(out, "A", p->state, p->states, p->state, p->states, p->A);
    csv_matrix(out, "B", p->state, p->states, p->input, p->inputs, p->B);
    csv_matrix(out, "C", p->output, p->outputs, p->state, p->states, p->C);
    csv_matrix(out, "D", p->output, p->outputs, p->input, p->inputs, p->D);
    csv_header(out, "eigenvalues", PARTS, 3);
    for (int k = 0; k < p->states; k++)
        taut_string_add(out, "%d,%.17g,%.17g,%.17g\n", k + 1, p->eigenvalue[k][0],
                        p->eigenvalue[k][1], p->condition[k]);
    csv_form(out, "redundant", p, p->redundant);
    csv_form(out, "descriptor", p, p->descriptor);
    if (!p->steady) taut_string_add(out, "steady,0\n");
    if (p->side[0]) taut_string_add(out, "side,\"%s\"\n", p->side);
}

/* ---- files ---- */

static bool ends_in(const char *path, const char *extension) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, extension) == 0;
}

taut_status taut_linear_write_check(const char *path, taut_errors *errors) {
    TAUT_NEED(path, "path", errors);
    TAUT_TRY(taut_output_check(path, errors));
    if (ends_in(path, ".mat")) {
        TAUT_TRY(taut_mat_load(errors));
        return taut_file_check_name(path, errors);
    }
    if (ends_in(path, ".json") || ends_in(path, ".csv") || !strchr(path, '.')) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "output %s: a linearisation is written as JSON, CSV or MAT; give a name that "
                     "ends in .json, .csv or .mat",
                     path);
}

static taut_status write_mat(const taut_linear *l, const char *path, taut_errors *errors) {
    taut_file file;
    if (taut_linear_points(l) > 1)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "output %s: a MAT file takes one time; several go into .json or .csv",
                         path);
    TAUT_TRY(taut_file_name(&file, path, errors));
    const taut_status status = taut_linear_mat(file.temporary, taut_linear_at(l, 0));
    if (status == TAUT_OK) return taut_file_close(&file, errors);
    taut_file_drop(&file);
    if (status != TAUT_ERR_IO) return status;
    return taut_fail(errors, status,
                     "%s cannot be written: the file is not whole; is there room on the disk?",
                     path);
}

taut_status taut_linear_write(const taut_linear *l, const char *path, taut_errors *errors) {
    TAUT_NEED(l, "linear", errors);
    TAUT_NEED(path, "path", errors);
    TAUT_TRY(taut_linear_write_check(path, errors));
    if (ends_in(path, ".mat")) return write_mat(l, path, errors);
    taut_string out = {0};
    char *json = NULL;
    taut_status status = TAUT_OK;
    if (ends_in(path, ".json"))
        status = taut_linear_text(l, true, &json);
    else
        for (int k = 0; k < taut_linear_points(l); k++) csv_point(&out, taut_linear_at(l, k));
    if (status == TAUT_OK && out.failed) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = taut_file_write(path, json ? json : out.text, errors);
    taut_text_free(&json);
    taut_string_release(&out);
    return status;
}
