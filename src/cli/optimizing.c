/* taut optimize: the search, the record of its way, and the file with the best values. */
#include "cli/optimizing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

enum { ALL_DIGITS = 17, NAME_ROOM = 24, MOST_SHOWN = 20 };
static const double CLOSE = 1e-6; /* limits that are exceeded by less hold */

static void show_starts(FILE *out, const taut_optimum *o) {
    const int starts = taut_optimum_starts(o);
    if (starts < 2) return;
    fprintf(out, "  start      objective       excess  evaluations\n");
    for (int i = 0; i < starts && i < MOST_SHOWN; i++) {
        const taut_optimum_start *s = taut_optimum_get_start(o, i);
        fprintf(out, "  %5d %14.8g %12.3g %12ld  %s%s\n", i, s->objective, fmax(0.0, s->excess),
                s->evaluations, shown(s->words), i == taut_optimum_best(o) ? "  <- best" : "");
    }
    if (starts > MOST_SHOWN) fprintf(out, "  ... %d more\n", starts - MOST_SHOWN);
}

static bool is_parameter(const taut_model *model, const char *name) {
    double ignored;
    for (int k = 0;; k++) {
        const char *own = taut_model_parameter(model, k, &ignored);
        if (!own) return false;
        if (strcmp(own, name) == 0) return true;
    }
}

/* Options that give the best values; initial values have none, they are in the new file. */
static void show_settings(FILE *out, const taut_optimum *o, const taut_model *model) {
    bool any = false;
    for (int k = 0; k < taut_optimum_variables(o); k++) {
        const char *name = taut_optimum_name(o, k);
        if (!is_parameter(model, name)) continue;
        fprintf(out, "%s --set %s=%.17g", any ? "" : " ", shown(name), taut_optimum_value(o, k));
        any = true;
    }
    if (any) fprintf(out, "\n");
}

static void show_optimum(FILE *out, const arguments *a, const taut_optimum *o,
                         const taut_model *model, double wall) {
    const taut_optimum_start *best = taut_optimum_get_start(o, taut_optimum_best(o));
    fprintf(out, "%s: by %s, %d start%s, %.3g s\n", shown(a->file), taut_optimum_method(o),
            taut_optimum_starts(o), taut_optimum_starts(o) == 1 ? "" : "s", wall);
    show_starts(out, o);
    if (!best) return;
    fprintf(out, "  %-*s %.10g (%s, %ld evaluations)\n", (int)NAME_ROOM, "objective",
            taut_optimum_objective(o), shown(best->words), best->evaluations);
    for (int i = 0; i < taut_optimum_limits(o); i++) {
        const double excess = taut_optimum_excess(o, i);
        fprintf(out, "  %-*s %s by %.4g\n", (int)NAME_ROOM, shown(taut_optimum_limit(o, i)),
                excess <= 0.0           ? "holds"
                : best->excess <= CLOSE ? "is at its limit, exceeded"
                                        : "is exceeded",
                fabs(excess));
    }
    for (int k = 0; k < taut_optimum_variables(o); k++)
        fprintf(out, "  %-*s %.10g\n", (int)NAME_ROOM, shown(taut_optimum_name(o, k)),
                taut_optimum_value(o, k));
    show_settings(out, o, model);
}

/* The model with the best values. */
static bool write_model(const taut_optimum *o, const char *path, taut_errors *errors) {
    char *text = NULL;
    if (taut_optimum_text(o, NULL, &text, errors) != TAUT_OK) return false;
    const taut_status status = taut_output_write(path, text, (long)strlen(text), errors);
    taut_text_free(&text);
    return status == TAUT_OK;
}

static int deliver(const arguments *a, const taut_model *model, const taut_optimum *o,
                   const char *output, double wall, taut_errors *errors) {
    taut_result *record = NULL;
    char path[1024];
    FILE *out = is_stdout(output) ? stderr : stdout;
    taut_status status = taut_optimum_record(o, &record);
    if (status == TAUT_OK)
        status = taut_result_write(record, output, a->digits > 0 ? a->digits : ALL_DIGITS, errors);
    taut_result_free(&record);
    if (status != TAUT_OK) {
        show_errors(status, errors);
        return EXIT_STOPPED;
    }
    if (!a->quiet) show_optimum(out, a, o, model, wall);
    default_output(a->file, "-optimum.yaml", path, sizeof path);
    const bool written = taut_optimum_best(o) >= 0 && write_model(o, path, errors);
    if (!a->quiet && !is_stdout(output)) fprintf(out, "  the way is in %s", shown(output));
    if (!a->quiet && written)
        fprintf(out, "%s %s has these values", is_stdout(output) ? " " : ";", shown(path));
    if (!a->quiet) fprintf(out, "\n");
    if (!written && taut_optimum_best(o) >= 0 && errors->count > 0) {
        errors->item[0].status = TAUT_OK; /* a warning */
        show_errors(TAUT_OK, errors);
    }
    return EXIT_DONE;
}

int optimize(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024], best[1024];
    taut_optimum *optimum = NULL;
    taut_optimize_options o = taut_optimize_options_default();
    default_output(a->file, "-optimize.csv", path, sizeof path);
    const char *output = a->output ? a->output : path;
    taut_status status = taut_result_write_check(output, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (check_clashes(a, model, output) != EXIT_DONE) return EXIT_WRONG;
    default_output(a->file, "-optimum.yaml", best, sizeof best);
    if (check_clash(a, model, "the best model", best) != EXIT_DONE) return EXIT_WRONG;
    o.starts = a->run.starts; /* here places to search from, not assemblies */
    a->run.starts = 0;
    o.run = a->run;
    o.seed = a->seed;
    o.method = a->method;
    progress_of_many();
    progress_begin(&o.run, a->quiet);
    const double begin = seconds();
    status = taut_optimize(model, &o, &optimum, errors);
    progress_end();
    if (!optimum) return show_errors(status, errors);
    int end = EXIT_DONE;
    if (status != TAUT_OK) end = show_errors(status, errors);
    memset(errors, 0, sizeof *errors);
    const int delivered = deliver(a, model, optimum, output, seconds() - begin, errors);
    taut_optimum_free(&optimum);
    return end != EXIT_DONE ? EXIT_STOPPED : delivered;
}
