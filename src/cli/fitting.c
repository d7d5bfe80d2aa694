/* taut fit: the estimates with their confidence, a page, and the file with what was found. */
#include "cli/fitting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

enum { ALL_DIGITS = 17, NAME_ROOM = 20 };

static void show_estimates(FILE *out, const arguments *a, const taut_estimates *e, double wall) {
    const taut_estimates_stats *s = taut_estimates_get_stats(e);
    fprintf(out, "%s: %d value%s from %d measured number%s, %ld runs, derivatives %s, %.3g s%s\n",
            shown(a->file), s->unknowns, s->unknowns == 1 ? "" : "s", s->residuals,
            s->residuals == 1 ? "" : "s", s->runs, s->exact ? "by sensitivities" : "by differences",
            wall, s->converged ? "" : " (not converged)");
    fprintf(out, "  residuals: rms %.4g of their standard deviations", s->rms);
    if (s->gap > 0.0) fprintf(out, "; largest jump between parts %.2g", s->gap);
    fprintf(out, "\n  %-*s %16s %12s   %s\n", (int)NAME_ROOM, "", "value", "sd", "95 %");
    for (int k = 0; k < taut_estimates_count(e); k++) {
        const taut_estimated *x = taut_estimates_get(e, k);
        if (!x->identified)
            fprintf(out, "  %-*s %16.9g   the data do not determine it\n", (int)NAME_ROOM,
                    shown(x->name), x->value);
        else
            fprintf(out, "  %-*s %16.9g %12.3g   %.6g .. %.6g%s\n", (int)NAME_ROOM, shown(x->name),
                    x->value, x->sd, x->low, x->high, x->at_bound ? "  at its bound" : "");
    }
    const char *lines = taut_estimates_unidentified(e);
    if (lines[0]) fprintf(out, "  not identifiable, only a combination of these counts:\n");
    for (const char *p = lines; *p;) {
        const size_t n = strcspn(p, "\n");
        fprintf(out, "    %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
}

static bool has_ending(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* A page, or the table of measured and computed values. */
static taut_status write_output(const arguments *a, const taut_estimates *e, const char *output,
                                taut_errors *errors) {
    taut_result *table = NULL;
    if (has_ending(output, ".html")) return taut_estimates_page(e, output, errors);
    taut_status status = taut_estimates_table(e, &table);
    if (status == TAUT_OK)
        status = taut_result_write(table, output, a->digits > 0 ? a->digits : ALL_DIGITS, errors);
    taut_result_free(&table);
    return status;
}

/* The model with what was found. */
static bool write_model(const taut_estimates *e, const char *path, taut_errors *errors) {
    char *text = NULL;
    if (taut_estimates_text(e, &text, errors) != TAUT_OK) return false;
    const taut_status status = taut_output_write(path, text, (long)strlen(text), errors);
    taut_text_free(&text);
    return status == TAUT_OK;
}

static int deliver(const arguments *a, const taut_estimates *e, const char *output, double wall,
                   taut_errors *errors) {
    char path[1024];
    FILE *out = is_stdout(output) ? stderr : stdout;
    const taut_status status = write_output(a, e, output, errors);
    if (status != TAUT_OK) {
        show_errors(status, errors);
        return EXIT_STOPPED;
    }
    if (!a->quiet) show_estimates(out, a, e, wall);
    default_output(a->file, "-fitted.yaml", path, sizeof path);
    memset(errors, 0, sizeof *errors);
    const bool written = write_model(e, path, errors);
    if (!a->quiet && !is_stdout(output)) fprintf(out, "  in %s\n", shown(output));
    if (!a->quiet && written) fprintf(out, "  %s has these values\n", shown(path));
    if (!written && errors->count > 0) {
        errors->item[0].status = TAUT_OK; /* a warning */
        show_errors(TAUT_OK, errors);
    }
    return EXIT_DONE;
}

int fit(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024], fitted[1024];
    taut_estimates *estimates = NULL;
    taut_estimate_options o = taut_estimate_options_default();
    default_output(a->file, "-fit.html", path, sizeof path);
    const char *output = a->output ? a->output : path;
    taut_status status = has_ending(output, ".html") ? taut_output_check(output, errors)
                                                     : taut_result_write_check(output, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (check_clashes(a, model, output) != EXIT_DONE) return EXIT_WRONG;
    default_output(a->file, "-fitted.yaml", fitted, sizeof fitted);
    if (check_clash(a, model, "the fitted model", fitted) != EXIT_DONE) return EXIT_WRONG;
    o.starts = a->run.starts; /* here places to search from, not assemblies */
    a->run.starts = 0;
    o.run = a->run;
    o.seed = a->seed;
    o.data = a->datas > 0 ? a->data : NULL;
    o.datas = a->datas;
    progress_of_many();
    progress_begin(&o.run, a->quiet);
    const double begin = seconds();
    status = taut_estimate(model, &o, &estimates, errors);
    progress_end();
    if (status != TAUT_OK) return show_errors(status, errors);
    memset(errors, 0, sizeof *errors);
    const int end = deliver(a, estimates, output, seconds() - begin, errors);
    taut_estimates_free(&estimates);
    return end;
}
