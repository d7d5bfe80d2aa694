/* Eigenvalues on the standard output, matrices in a file; states of rest. */
#include "cli/linearizing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/draw.h"
#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

/* Multipliers of a periodic motion. */
static int find_multipliers(arguments *a, const taut_model *model, taut_errors *errors) {
    taut_floquet *f = NULL;
    if (a->output) return refuse("-o", a->output, "multipliers go to the standard output only");
    const taut_status status = taut_floquet_find(model, &a->run, &a->linear, a->period, &f, errors);
    const taut_multipliers *m = taut_floquet_get(f);
    if (m && !a->quiet) {
        if (!m->periodic)
            printf("the motion does not come back after %.10g: %s is off by %.3g of its size; what "
                   "follows are no Floquet multipliers\n",
                   m->period, shown(m->worst), m->off);
        printf("multipliers over the period %.10g (error %.1g)\n", m->period, m->error);
        for (int k = 0; k < m->count; k++)
            printf("  %22.15g %+22.15g i   size %.12g\n", m->multiplier[k][0], m->multiplier[k][1],
                   hypot(m->multiplier[k][0], m->multiplier[k][1]));
    }
    const bool back = m && m->periodic;
    taut_floquet_free(&f);
    const int code = show_errors(status, errors);
    return code == EXIT_DONE && !back ? EXIT_STOPPED : code;
}

/* ---- the page of modes ---- */

static bool is_page(const arguments *a) {
    const char *dot = a->output ? strrchr(a->output, '.') : NULL;
    return a->command == COMMAND_MODES && dot && strcmp(dot, ".html") == 0;
}

/* The run up to the point, whose last row is the shape at rest, and the page with both. */
static taut_status write_page(arguments *a, const taut_model *model, const taut_linear *linear,
                              taut_errors *errors) {
    taut_result *result = NULL;
    taut_run_options run = a->run;
    run.every = TAUT_FOR_SCREEN;
    run.ats = 0;
    run.has_tend = true;
    run.tend = taut_linear_at(linear, 0)->t;
    taut_status status = taut_simulate(model, &run, &result, errors);
    const taut_page page = {.file = a->file,
                            .model = model,
                            .result = result,
                            .status = status,
                            .errors = errors,
                            .modes = linear};
    if (status == TAUT_OK) status = taut_page_write(&page, a->output, errors);
    taut_result_free(&result);
    return status;
}

/* ---- eigenvalues along a run ---- */

static bool ends_in(const char *path, const char *end) {
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

/* With --every a table or a drawing of the eigenvalues; JSON has the matrices. */
static bool is_course(const arguments *a) {
    return a->run.every > 0.0 && a->output && !ends_in(a->output, ".json");
}

/* Real parts, then imaginary ones. */
static taut_status draw_course(const arguments *a, const taut_model *model, const taut_result *r,
                               taut_errors *errors) {
    const int count = taut_result_columns(r) - 1;
    const char **column = malloc(((size_t)count + 1) * sizeof *column);
    taut_plot_options o = drawing_options(a, model);
    if (!column) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++)
        column[i] = taut_result_name(r, 1 + (i < count / 2 ? 2 * i : 2 * (i - count / 2) + 1));
    o.column = column;
    o.columns = count;
    const taut_status status = taut_plot_write(NULL, r, &o, a->output, errors);
    free(column);
    return status;
}

static taut_status write_course(const arguments *a, const taut_model *model,
                                const taut_linear *linear, taut_errors *errors) {
    taut_result *r = NULL;
    taut_status status = taut_linear_course(linear, &r, errors);
    if (status == TAUT_OK)
        status = ends_in(a->output, ".svg") ? draw_course(a, model, r, errors)
                                            : taut_result_write(r, a->output, 17, errors);
    taut_result_free(&r);
    return status;
}

static taut_status check_output(const arguments *a, taut_errors *errors) {
    if (!a->output) return TAUT_OK;
    if (is_page(a) || (is_course(a) && ends_in(a->output, ".svg")))
        return taut_output_check(a->output, errors);
    return is_course(a) ? taut_result_write_check(a->output, errors)
                        : taut_linear_write_check(a->output, errors);
}

/* What was asked for, in its form. */
static taut_status write_output(arguments *a, const taut_model *model, const taut_linear *linear,
                                taut_errors *errors) {
    if (!a->output) return TAUT_OK;
    if (is_page(a)) return write_page(a, model, linear, errors);
    if (is_course(a)) return write_course(a, model, linear, errors);
    return taut_linear_write(linear, a->output, errors);
}

int linearize(arguments *a, taut_model *model, taut_errors *errors) {
    taut_linear *linear;
    char *text = NULL;
    if (a->period > 0.0) return find_multipliers(a, model, errors);
    if (is_page(a) && a->run.ats > 1)
        return refuse("-o", a->output, "a page shows the modes of one time; several go into .json");
    taut_status status = check_output(a, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (a->output && check_clashes(a, model, a->output) != EXIT_DONE) return EXIT_WRONG;
    a->linear.shapes = a->command == COMMAND_MODES;
    progress_of_whole();
    progress_begin(&a->run, a->quiet);
    status = taut_linearize(model, &a->run, &a->linear, &linear, errors);
    progress_end();
    writing_begin();
    if (status == TAUT_OK) status = write_output(a, model, linear, errors);
    if (status == TAUT_OK && (a->json || !a->quiet)) {
        FILE *out = is_stdout(a->output) ? stderr : stdout;
        status = a->command == COMMAND_MODES ? taut_linear_modes(linear, &text)
                                             : taut_linear_text(linear, a->json, &text);
        if (text) fputs(text, out);
        taut_text_free(&text);
    }
    taut_linear_free(&linear);
    return show_errors(status, errors);
}

/* ---- equilibria ---- */

int find_rest(arguments *a, taut_model **model, taut_errors *errors) {
    const taut_status status = taut_equilibria_find(*model, &a->run, 0, &a->rest, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    a->run.from = taut_equilibria_state(a->rest, 0);
    *model = (taut_model *)taut_equilibria_model(a->rest, 0); /* as it is, but not freed */
    return EXIT_DONE;
}

/* Positions, and what else is not a rate. */
static void show_values(FILE *out, const taut_result *result, long row) {
    for (int c = 1; c < taut_result_columns(result); c++) {
        const char *name = taut_result_name(result, c);
        if (!strchr(name, '\''))
            fprintf(out, "  %-12s %.10g\n", shown(name), taut_result_value(result, row, c));
    }
}

/* What eigenvalues say: growth of small deviations. */
static void show_stability(FILE *out, const arguments *a, const taut_equilibria *e, int k) {
    static taut_errors ignored;
    taut_linear *linear;
    taut_run_options run = a->run;
    taut_linear_options none = taut_linear_options_default();
    none.inputs = none.outputs = "";
    run.from = taut_equilibria_state(e, k);
    if (taut_linearize(taut_equilibria_model(e, k), &run, &none, &linear, &ignored) != TAUT_OK) {
        fprintf(out, "stability: not known, the linearisation failed\n");
        return;
    }
    const taut_linear_point *p = taut_linear_at(linear, 0);
    double largest = p->states > 0 ? p->eigenvalue[p->states - 1][0] : -1.0;
    int growing = 0, undamped = 0;
    for (int i = 0; i < p->states; i++) {
        growing += p->eigenvalue[i][0] > 0.0;
        undamped += p->eigenvalue[i][0] == 0.0 && p->eigenvalue[i][1] != 0.0;
    }
    if (p->states == 0)
        fprintf(out, "held: nothing can move\n");
    else if (growing > 0)
        fprintf(out, "unstable: small deviations grow as exp(%.6g t)\n", largest);
    else if (p->zero_modes > 0)
        fprintf(out, "neutral: %d zero eigenvalue%s, nothing grows exponentially\n", p->zero_modes,
                p->zero_modes == 1 ? "" : "s");
    else if (undamped > 0)
        fprintf(out, "stable to first order: %d undamped oscillations\n", undamped / 2);
    else
        fprintf(out, "stable: small deviations decay\n");
    taut_linear_free(&linear);
}

int equilibrium(arguments *a, taut_model *model, taut_errors *errors) {
    taut_result *result = NULL;
    taut_equilibria *e = NULL;
    const int starts = a->run.starts;
    taut_status status = a->output ? taut_result_write_check(a->output, errors) : TAUT_OK;
    if (status == TAUT_OK && a->output && check_clashes(a, model, a->output) != EXIT_DONE)
        return EXIT_WRONG;
    a->run.starts = 0; /* of assemblies */
    if (status == TAUT_OK) status = taut_equilibria_find(model, &a->run, starts, &e, errors);
    if (status == TAUT_OK) status = taut_equilibria_table(e, &a->run, &result, errors);
    writing_begin();
    if (status == TAUT_OK && a->output)
        status = taut_result_write(result, a->output, a->digits > 0 ? a->digits : 17, errors);
    const int count = taut_equilibria_count(e);
    for (int k = 0; k < count && status == TAUT_OK && !a->quiet; k++) {
        FILE *out = is_stdout(a->output) ? stderr : stdout;
        if (count > 1)
            fprintf(out, "%sequilibrium %d of %d\n", k ? "\n" : "", k + 1, count);
        else
            fprintf(out, "equilibrium at t = %.10g\n",
                    taut_state_time(taut_equilibria_state(e, k)));
        show_values(out, result, k);
        show_stability(out, a, e, k);
    }
    taut_result_free(&result);
    taut_equilibria_free(&e);
    return show_errors(status, errors);
}
