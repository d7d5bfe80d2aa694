/* Frequency response: a table or a drawing of it, and zeros in words. */
#include "cli/bode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/draw.h"
#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

static bool ends_in(const char *path, const char *end) {
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

/* Zeros, and where the response is largest. */
static taut_status tell(FILE *out, const arguments *a, const taut_linear *l, const taut_result *r,
                        taut_errors *errors) {
    const taut_linear_point *p = taut_linear_at(l, 0);
    double(*zero)[2] = calloc((size_t)p->states + 1, sizeof *zero);
    int count = 0;
    if (!zero) return TAUT_ERR_MEMORY;
    const taut_status status = taut_linear_zeros(l, 0, &a->response, zero, &count, errors);
    if (status == TAUT_OK) {
        long best = 0;
        for (long i = 1; i < taut_result_rows(r); i++)
            if (taut_result_value(r, i, 2) > taut_result_value(r, best, 2)) best = i;
        fprintf(out, "response of %s to %s\n", shown(a->response.output), shown(a->response.input));
        fprintf(out, "  largest magnitude %.6g (%.4g dB) near %.6g Hz\n",
                taut_result_value(r, best, 2), taut_result_value(r, best, 3),
                taut_result_value(r, best, 0));
        fprintf(out, "  zeros: %s", count == 0 ? "none" : "");
        for (int i = 0; i < count; i++)
            fprintf(out, zero[i][1] != 0.0 ? "%s%.8g%+.8gi" : "%s%.8g", i ? ", " : "", zero[i][0],
                    zero[i][1]);
        fprintf(out, "\n");
        if (!p->steady) fprintf(out, "  the point is not steady: this holds for a moment only\n");
        if (p->side[0]) fprintf(out, "  the point lies on a kink: this holds for %s\n", p->side);
    }
    free(zero);
    return status;
}

static taut_status draw_response(const arguments *a, const taut_model *model, const taut_result *r,
                                 const char *output, taut_errors *errors) {
    static const char *const BODE[] = {"dB", "phase"}, *const NYQUIST[] = {"im"};
    taut_plot_options o = drawing_options(a, model);
    o.column = a->nyquist ? NYQUIST : BODE;
    o.columns = a->nyquist ? 1 : 2;
    o.against = a->nyquist ? "re" : "f";
    o.equal = a->nyquist;
    o.log_x = !a->nyquist;
    o.panels = !a->nyquist;
    return taut_plot_write(NULL, r, &o, output, errors);
}

int bode(arguments *a, taut_model *model, taut_errors *errors) {
    char path[1024];
    taut_linear *l = NULL;
    taut_result *r = NULL;
    if (!a->response.input || !a->response.output) {
        fprintf(stderr, "taut: error: from what to what? --in INPUT --out OUTPUT\n");
        return EXIT_WRONG;
    }
    default_output(a->file, "-bode.svg", path, sizeof path);
    const char *output = a->ascii ? "-" : a->output ? a->output : path;
    const bool drawn = a->ascii || ends_in(output, ".svg");
    taut_status status =
        drawn ? taut_output_check(output, errors) : taut_result_write_check(output, errors);
    if (status != TAUT_OK) return show_errors(status, errors);
    if (check_clashes(a, model, output) != EXIT_DONE) return EXIT_WRONG;
    a->linear.inputs = a->response.input;
    a->linear.outputs = a->response.output;
    progress_of_whole();
    progress_begin(&a->run, a->quiet);
    status = taut_linearize(model, &a->run, &a->linear, &l, errors);
    if (status == TAUT_OK) status = taut_linear_response(l, 0, &a->response, &r, errors);
    progress_end();
    writing_begin();
    if (status == TAUT_OK && drawn) status = draw_response(a, model, r, output, errors);
    if (status == TAUT_OK && !drawn)
        status = taut_result_write(r, output, a->digits > 0 ? a->digits : 17, errors);
    if (status == TAUT_OK && !a->quiet)
        status = tell(is_stdout(output) && !a->ascii ? stderr : stdout, a, l, r, errors);
    taut_result_free(&r);
    taut_linear_free(&l);
    return show_errors(status, errors);
}
