/* Eigenvalues on the standard output, matrices in a file; states of rest. */
#include "cli/linearizing.h"

#include <stdio.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

int linearize(arguments *a, taut_model *model, taut_errors *errors) {
    taut_linear *linear;
    char *text = NULL;
    taut_status status = a->output ? taut_linear_write_check(a->output, errors) : TAUT_OK;
    if (status != TAUT_OK) return show_errors(status, errors);
    progress_begin(&a->run, a->quiet);
    status = taut_linearize(model, &a->run, &a->linear, &linear, errors);
    progress_end();
    if (status == TAUT_OK && a->output) status = taut_linear_write(linear, a->output, errors);
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

int find_rest(arguments *a, taut_model *model, taut_errors *errors) {
    taut_state *rest;
    const taut_status status = taut_equilibrium(model, &a->run, &rest, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    a->from = rest;
    a->run.from = rest;
    return EXIT_DONE;
}

/* Positions, and what else is not a rate. */
static void show_values(FILE *out, const taut_result *result) {
    for (int c = 1; c < taut_result_columns(result); c++) {
        const char *name = taut_result_name(result, c);
        if (!strchr(name, '\''))
            fprintf(out, "  %-12s %.10g\n", shown(name), taut_result_value(result, 0, c));
    }
}

/* What eigenvalues say: growth of small deviations. */
static void show_stability(FILE *out, taut_model *model, const arguments *a) {
    static taut_errors ignored;
    taut_linear *linear;
    taut_linear_options none = taut_linear_options_default();
    none.inputs = none.outputs = "";
    if (taut_linearize(model, &a->run, &none, &linear, &ignored) != TAUT_OK) {
        fprintf(out, "stability: not known, the linearisation failed\n");
        return;
    }
    const taut_linear_point *p = taut_linear_at(linear, 0);
    double largest = p->states > 0 ? p->eigenvalue[p->states - 1][0] : -1.0;
    int growing = 0, undamped = 0;
    for (int k = 0; k < p->states; k++) {
        growing += p->eigenvalue[k][0] > 0.0;
        undamped += p->eigenvalue[k][0] == 0.0 && p->eigenvalue[k][1] != 0.0;
    }
    if (growing > 0)
        fprintf(out, "unstable: small deviations grow as exp(%.6g t)\n", largest);
    else if (p->zero_modes > 0)
        fprintf(out, "neutral: %d zero eigenvalues, nothing grows exponentially\n", p->zero_modes);
    else if (undamped > 0)
        fprintf(out, "stable to first order: %d undamped oscillations\n", undamped / 2);
    else
        fprintf(out, "stable: small deviations decay\n");
    taut_linear_free(&linear);
}

int equilibrium(arguments *a, taut_model *model, taut_errors *errors) {
    taut_result *result;
    taut_status status = a->output ? taut_result_write_check(a->output, errors) : TAUT_OK;
    if (status != TAUT_OK) return show_errors(status, errors);
    const int code = find_rest(a, model, errors);
    if (code != EXIT_DONE) return code;
    a->run.has_tend = true;
    a->run.tend = taut_state_time(a->from);
    status = taut_simulate(model, &a->run, &result, errors);
    if (status == TAUT_OK && a->output)
        status = taut_result_write(result, a->output, a->digits > 0 ? a->digits : 17, errors);
    if (status == TAUT_OK && !a->quiet) {
        FILE *out = is_stdout(a->output) ? stderr : stdout;
        fprintf(out, "equilibrium at t = %.10g\n", a->run.tend);
        show_values(out, result);
        show_stability(out, model, a);
    }
    taut_result_free(&result);
    return show_errors(status, errors);
}
