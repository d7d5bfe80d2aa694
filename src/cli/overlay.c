/* Several results in one diagram: files that are there, or runs with other values of a parameter.
 */
#include "cli/overlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

bool is_table(const char *word) {
    const char *dot = strrchr(word, '.');
    return dot && strcmp(dot, ".csv") == 0;
}

static int too_many(const char *option, const char *what) {
    return refuse(option, what, "at most 32 results fit into one diagram");
}

static void add(overlay *o, taut_result *result, const char *label) {
    o->result[o->count] = result;
    snprintf(o->label[o->count], sizeof o->label[0], "%s", label);
    o->labels[o->count] = o->label[o->count];
    o->count++;
}

/* A table, labelled by its name without folder and ending. */
static int add_file(overlay *o, const char *path, taut_errors *errors) {
    taut_result *result;
    char stem[80];
    if (o->count == MOST_RESULTS) return too_many("plot", path);
    const taut_status status = taut_result_read(path, &result, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    default_output(path, "", stem, sizeof stem);
    add(o, result, stem);
    return EXIT_DONE;
}

int overlay_files(overlay *o, arguments *a, taut_errors *errors) {
    int code = is_table(a->file) ? add_file(o, a->file, errors) : EXIT_DONE, kept = 0;
    for (int i = 0; i < a->columns && code == EXIT_DONE; i++) {
        if (is_table(a->column[i]))
            code = add_file(o, a->column[i], errors);
        else
            a->column[kept++] = a->column[i];
    }
    a->columns = kept;
    return code;
}

/* A..B:N */
static bool read_range(const char *text, double *from, double *to, int *count) {
    char first[64], *end;
    const char *dots = strstr(text, "..");
    if (!dots || dots == text || (size_t)(dots - text) >= sizeof first) return false;
    snprintf(first, sizeof first, "%.*s", (int)(dots - text),
             text); /* strtod would take the first dot */
    *from = strtod(first, &end);
    if (*end != '\0') return false;
    const char *second = dots + 2;
    *to = strtod(second, &end);
    if (end == second || *end != ':') return false;
    *count = (int)strtol(end + 1, &end, 10);
    return *end == '\0' && *count >= 2;
}

/* The model with one more value set, run. */
static int add_run(overlay *o, arguments *a, const char *name, const char *value,
                   taut_errors *errors) {
    taut_model *model;
    taut_result *result = NULL;
    char label[80];
    if (o->count == MOST_RESULTS) return too_many("--vary", name);
    if (a->overrides == MOST_OVERRIDES) return refuse("--vary", name, "too many values are set");
    a->override[a->overrides++] = (taut_override){name, value};
    taut_status status = read_model(a, &model, errors);
    if (status == TAUT_OK) {
        progress_begin(&a->run, a->quiet);
        status = taut_simulate(model, &a->run, &result, errors);
        progress_end();
        taut_model_free(&model);
    }
    a->overrides--;
    const int code = show_errors(status, errors);
    memset(errors, 0, sizeof *errors);
    if (!result) return code;
    snprintf(label, sizeof label, "%.40s = %.30s", name, value);
    add(o, result, label);
    return code;
}

int overlay_runs(overlay *o, arguments *a, taut_errors *errors) {
    const taut_vary *vary = &a->vary[0];
    double from, to;
    int count, code = EXIT_DONE;
    char value[80];
    if (a->varies > 1)
        return refuse("--vary", a->vary[1].name, "one diagram shows what one of them changes");
    if (read_range(vary->values, &from, &to, &count)) {
        if (count > MOST_RESULTS) return too_many("--vary", vary->values);
        for (int i = 0; i < count && code == EXIT_DONE; i++) {
            snprintf(value, sizeof value, "%.12g", from + (to - from) * i / (count - 1));
            code = add_run(o, a, vary->name, value, errors);
        }
        return code;
    }
    for (const char *at = vary->values; code == EXIT_DONE;) {
        const size_t n = strcspn(at, ",");
        if (n == 0 || n >= sizeof value)
            return refuse("--vary", vary->values,
                          "values are expected, as in k=10,20,30 or k=1..2:5");
        snprintf(value, sizeof value, "%.*s", (int)n, at);
        code = add_run(o, a, vary->name, value, errors);
        if (!at[n]) break;
        at += n + 1;
    }
    return code;
}

void overlay_use(overlay *o, taut_plot_options *options) {
    if (o->count < 2) return;
    options->more = (const taut_result *const *)o->result + 1;
    options->label = o->labels;
    options->mores = o->count - 1;
}

void overlay_release(overlay *o) {
    for (int i = 0; i < o->count; i++) taut_result_free(&o->result[i]);
}
