/* How long a step and a Taylor coefficient take: the pendulum to t = 100 at tol 1e-12, best of
 * many. */
#include <stdio.h>
#include <stdlib.h>

#include "taut/taut.h"

enum { REPEATS = 15 };

static int fail(taut_status status, const taut_errors *errors) {
    char text[2400] = "";
    if (errors->count > 0) taut_error_format(&errors->item[0], text, sizeof text);
    fprintf(stderr, "%s%s\n", text, taut_status_text(status));
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    static taut_errors errors;
    const char *path = argc > 1 ? argv[1] : "examples/pendulum-paper.yaml";
    taut_run_stats best = {0};
    for (int i = 0; i < REPEATS; i++) {
        taut_model *model;
        taut_result *result;
        taut_run_options options = taut_run_options_default();
        options.rtol = options.atol = 1e-12;
        options.has_tend = true;
        options.tend = 100.0;
        options.at = &options.tend;
        options.ats = 1;
        taut_status status = taut_model_read(path, NULL, 0, &model, &errors);
        if (status != TAUT_OK) return fail(status, &errors);
        status = taut_simulate(model, &options, &result, &errors);
        if (status != TAUT_OK) return fail(status, &errors);
        const taut_run_stats *s = taut_result_stats(result);
        if (i == 0 || s->wall_s < best.wall_s) best = *s;
        taut_result_free(&result);
        taut_model_free(&model);
    }
    const double step = best.wall_s / (double)best.steps;
    const double coefficients = (double)best.operations * (double)(best.order + 1);
    printf("%s to t = 100, tol 1e-12, best of %d\n", path, REPEATS);
    printf("  %.3f ms: %ld steps of order %d, %.2f us a step\n", 1e3 * best.wall_s, best.steps,
           best.order, 1e6 * step);
    printf(
        "  %d operations on the tape, %.2f ns a coefficient and operation (everything included)\n",
        best.operations, 1e9 * step / coefficients);
    printf("  set-up %.3f ms\n", 1e3 * best.setup_s);
    return EXIT_SUCCESS;
}
