/* The data of the page of a run: everything that docs/scene.md lists. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "out/json.h"
#include "out/modes_data.h"
#include "out/page_data.h"
#include "out/scene.h"
#include "out/with_data.h"
#include "core/utf8.h"

enum { LONGEST_MODEL = 1000000, PANEL_CURVES = 4, MOST_EVENTS = 400 };

/* ,"key":"text", or null */
static void put_text(taut_string *out, const char *key, const char *text) {
    taut_string_add(out, ",\n\"%s\":", key);
    if (text)
        taut_json_text(out, text);
    else
        taut_string_add(out, "null");
}

static void put_number(taut_string *out, const char *key, double value, int digits) {
    taut_string_add(out, ",\"%s\":", key);
    taut_json_number(out, value, digits);
}

/* ---- what was read ---- */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What stands in a file that is no model, as far as it is text. A pipe has been read already. */
static void read_text(const char *path, taut_string *text) {
    struct stat info;
    char line[1024];
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return;
    FILE *file = fopen(path, "r");
    while (file && text->length <= LONGEST_MODEL && fgets(line, sizeof line, file))
        for (const char *p = line; *p;) {
            const char *begin = p;
            const bool good = taut_utf8_next(&p) != TAUT_UTF8_NONE;
            taut_string_add(text, "%.*s", good ? (int)(p - begin) : 1, good ? begin : "?");
        }
    if (file) fclose(file);
}

static void put_model(taut_string *out, const taut_page *page) {
    taut_string raw = {0};
    const char *title = page->model ? taut_model_title(page->model) : "";
    if (!page->model) read_text(page->file, &raw);
    const char *text = page->model ? page->model->doc->text : raw.text ? raw.text : "";
    put_text(out, "title", title[0] ? title : base_name(page->file));
    put_text(out, "file", base_name(page->file));
    put_text(out, "model", strlen(text) <= LONGEST_MODEL ? text : "(too long to be shown)");
    if (raw.failed) out->failed = true;
    taut_string_release(&raw);
}

static void put_message(taut_string *out, const taut_page *page) {
    taut_string text = {0};
    char one[2400];
    taut_string_add(out, ",\n\"message\":");
    if (page->status == TAUT_OK) {
        taut_string_add(out, "null");
        return;
    }
    for (int i = 0; page->errors && i < page->errors->count; i++) {
        taut_error_format(&page->errors->item[i], one, sizeof one);
        taut_string_add(&text, "%s", one);
    }
    if (!text.text) taut_string_add(&text, "%s", taut_status_text(page->status));
    const bool stopped = page->status > TAUT_OK || page->status == TAUT_ERR_NUMERICS;
    taut_string_add(out, "{\"level\":\"%s\",\"text\":", stopped ? "warning" : "error");
    taut_json_text(out, text.text ? text.text : "");
    taut_string_add(out, "}");
    if (text.failed) out->failed = true;
    taut_string_release(&text);
}

/* ---- curves ---- */

/* How far a column goes; -1 if it has no finite value. */
static double range_of(const taut_columns *c, int column) {
    double lo = (double)INFINITY, hi = -(double)INFINITY;
    for (long r = 0; r < c->rows; r++) {
        const double value = taut_columns_value(c, column, r);
        if (!isfinite(value)) continue;
        lo = fmin(lo, value);
        hi = fmax(hi, value);
    }
    return hi >= lo ? hi - lo : -1.0;
}

static void put_panel(taut_string *out, const int *column, int count, bool *first) {
    if (count == 0) return;
    taut_string_add(out, "%s[", *first ? "" : ",");
    for (int i = 0; i < count; i++) taut_string_add(out, "%s%d", i ? "," : "", column[i]);
    taut_string_add(out, "]");
    *first = false;
}

/* Columns of a kind without primes, at most PANEL_CURVES. */
static int find_kind(const taut_columns *c, const char *kind, int *column) {
    int count = 0;
    for (int k = 0; k < c->columns && count < PANEL_CURVES; k++)
        if (strcmp(c->column[k].kind, kind) == 0 && !strchr(c->column[k].name, '\''))
            column[count++] = k;
    return count;
}

/* The point that moves furthest: its element, -1 if there is none. */
static int busiest_point(const taut_columns *c) {
    const taut_mechanism *m = c->model ? c->model->mechanism : NULL;
    double most = 0.0;
    int best = -1;
    for (int e = 0; m && e < m->elements; e++) {
        if (m->element[e].is_vector || c->of[e][0] < 0) continue;
        double sum = 0.0;
        for (int i = 0; i < m->dimension; i++) sum += fmax(range_of(c, c->of[e][i]), 0.0);
        if (sum > most) {
            most = sum;
            best = e;
        }
    }
    return best;
}

/* A first choice of curves: angles or what else is a scalar, the busiest point and its velocity,
 * energies. */
static void put_panels(taut_string *out, const taut_columns *c) {
    const taut_mechanism *m = c->model ? c->model->mechanism : NULL;
    int list[PANEL_CURVES] = {0}, count;
    bool first = true;
    taut_string_add(out, ",\n\"first_panels\":[");
    if (c->rows > 1) {
        const int e = busiest_point(c), dimension = m ? m->dimension : 0;
        if (e >= 0) put_panel(out, c->of[e], dimension, &first);
        for (int i = 0; e >= 0 && i < dimension; i++) list[i] = c->of[e][i] + 1;
        if (e >= 0 && strcmp(c->column[list[0]].kind, "velocity") == 0)
            put_panel(out, list, dimension, &first);
        count = find_kind(c, "angle", list);
        if (count == 0) count = find_kind(c, "scalar", list);
        put_panel(out, list, count, &first);
        count = 0;
        if (c->kinetic >= 0) list[count++] = c->kinetic;
        if (c->potential >= 0) list[count++] = c->potential;
        if (c->energy >= 0) list[count++] = c->energy;
        put_panel(out, list, count, &first);
    }
    taut_string_add(out, "]");
}

static void put_ledger(taut_string *out, const taut_columns *c) {
    taut_string_add(out,
                    ",\n\"ledger\":{\"kinetic\":%d,\"potential\":%d,\"work\":%d,\"total\":%d,"
                    "\"drift\":%d}",
                    c->kinetic, c->potential, c->work, c->total, c->drift);
}

/* ---- steps ---- */

static void put_steps(taut_string *out, const taut_trace *trace) {
    const int count = trace ? trace->steps : 0;
    taut_string_add(out, ",\n\"steps\":{\"t\":[");
    for (int i = 0; i < count; i++) taut_string_add(out, "%s%.10g", i ? "," : "", trace->step[i].t);
    taut_string_add(out, "],\n\"h\":[");
    for (int i = 0; i < count; i++) taut_string_add(out, "%s%.6g", i ? "," : "", trace->step[i].h);
    taut_string_add(out, "],\n\"order\":[");
    for (int i = 0; i < count; i++)
        taut_string_add(out, "%s%d", i ? "," : "", trace->step[i].order);
    taut_string_add(out, "],\n\"residual\":[");
    for (int i = 0; i < count; i++) {
        taut_string_add(out, i ? "," : "");
        taut_json_number(out, trace->step[i].residual, 3);
    }
    taut_string_add(out, "]}");
}

static void put_mark(taut_string *out, bool first, const char *kind, double t, const char *text) {
    taut_string_add(out, "%s{\"kind\":\"%s\"", first ? "" : ",", kind);
    put_number(out, "t", t, 17);
    put_text(out, "text", text);
    taut_string_add(out, "}");
}

/* Is it before the other one, along the run? */
static bool is_before(const taut_run_stats *s, double t, double other) {
    return s->tend < s->t0 ? t > other : t < other;
}

/* What the steps met and what happened, in the order of time; of what happened no more than there
 * is room for. */
static void put_marks(taut_string *out, const taut_result *r) {
    static const char *const kind[] = {[TAUT_MARK_SINGULAR] = "singular",
                                       [TAUT_MARK_SWITCH] = "switch",
                                       [TAUT_MARK_CONSTRAINTS] = "constraints"};
    const taut_notes *n = r ? taut_result_notes(r) : NULL;
    const int events = n ? n->events : 0, shown = events < MOST_EVENTS ? events : MOST_EVENTS;
    const int marks = r ? r->trace.marks : 0;
    char text[120];
    taut_string_add(out, ",\n\"marks\":[");
    for (int i = 0, k = 0; i + k < marks + shown;) {
        const taut_mark *m = i < marks ? &r->trace.mark[i] : NULL;
        const taut_happened *e = k < shown ? &n->event[k] : NULL;
        const bool first = i + k == 0;
        if (m && (!e || !is_before(&r->stats, e->t, m->t))) {
            put_mark(out, first, kind[m->kind], m->t, m->text);
            i++;
            continue;
        }
        snprintf(text, sizeof text, "%s %.80s", e->kind, e->name);
        put_mark(out, first, "event", e->t, text);
        k++;
    }
    taut_string_add(out, "],\n\"more_events\":%d", events - shown);
}

/* ---- report ---- */

static void put_names(taut_string *out, const char *key, const char *const *name, int count) {
    taut_string_add(out, ",\n\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        taut_string_add(out, i ? "," : "");
        taut_json_text(out, name[i]);
    }
    taut_string_add(out, "]");
}

/* Lines of a text as a list. */
static void put_lines(taut_string *out, const char *key, const char *text) {
    bool first = true;
    char line[400];
    taut_string_add(out, ",\n\"%s\":[", key);
    while (*text) {
        const size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        taut_string_add(out, first ? "" : ",");
        taut_json_text(out, line);
        first = false;
        text += n + (text[n] == '\n');
    }
    taut_string_add(out, "]");
}

static void put_report(taut_string *out, const taut_page *page) {
    const taut_result *r = page->result;
    if (!r || !page->model) {
        taut_string_add(out, ",\n\"report\":null");
        return;
    }
    const taut_run_stats *s = &r->stats;
    taut_string_add(out, ",\n\"report\":{\"kind\":\"%s\"", taut_model_kind_name(page->model));
    put_names(out, "coordinates", r->description.coordinate, r->description.coordinates);
    put_names(out, "constraints", r->description.constraint, r->description.constraints);
    taut_string_add(out, ",\n\"unknowns\":%d,\"index\":%d,\"dof\":%ld", s->unknowns, s->index,
                    s->dof);
    put_number(out, "mobility", s->mobility >= 0 ? s->mobility : (double)NAN, 10);
    put_text(out, "solver", s->solver);
    put_text(out, "formulation", s->formulation);
    put_number(out, "rtol", s->rtol, 6);
    put_number(out, "atol", s->atol, 6);
    taut_string_add(out, ",\"order\":%d,\"steps\":%ld,\"rejected\":%ld", s->order, s->steps,
                    s->rejected);
    put_number(out, "t0", s->t0, 17);
    put_number(out, "tend", s->tend, 17);
    put_number(out, "reached", s->reached, 17);
    put_number(out, "setup_s", s->setup_s, 4);
    put_number(out, "wall_s", s->wall_s, 4);
    put_number(out, "residual", s->constraint_residual, 4);
    put_number(out, "energy_drift", s->energy_drift, 4);
    put_lines(out, "redundant", taut_result_redundant(r));
    put_lines(out, "moves", taut_result_moves(r));
    taut_string_add(out, "}");
}

/* ---- the page ---- */

static void put_data(taut_string *out, const taut_page *page, const taut_columns *columns,
                     const taut_scene *scene) {
    const taut_trace *trace = page->result ? &page->result->trace : NULL;
    taut_string_add(out, "{\"format\":1,\"version\":\"%s\"", taut_version());
    put_model(out, page);
    put_message(out, page);
    taut_scene_write(scene, out);
    taut_columns_write(columns, out);
    if (page->result && !page->modes &&
        taut_motion_write(&page->result->knots, columns->arena, out) != TAUT_OK)
        out->failed = true;
    put_panels(out, columns);
    put_ledger(out, columns);
    put_steps(out, trace);
    put_marks(out, page->result);
    put_report(out, page);
    taut_string_add(out, ",\n\"certificate\":");
    if (page->result && taut_result_certificate(page->result))
        taut_json_certificate(out, page->result, true);
    else
        taut_string_add(out, "null");
    taut_with_data_write(page->with, page->with_name ? base_name(page->with_name) : NULL, columns,
                         out);
    taut_modes_data_write(taut_linear_at(page->modes, 0), columns, out);
    taut_settings_write(page, out);
    taut_string_add(out, "}");
}

taut_status taut_page_data(const taut_page *page, taut_string *out) {
    taut_arena arena = {0};
    taut_columns columns;
    taut_scene scene = {0};
    taut_status status = taut_columns_create(&columns, page->model, page->result, &arena);
    if (status == TAUT_OK)
        status = taut_scene_create(&scene, &columns, page->result && page->result->attempt);
    if (status == TAUT_OK) put_data(out, page, &columns, &scene);
    if (out->failed) status = TAUT_ERR_MEMORY;
    taut_scene_release(&scene);
    taut_columns_release(&columns);
    taut_arena_release(&arena);
    return status;
}
