/* A model over a ladder of tolerances: how far off, how long.
 *
 * usage: bench_ladder SECONDS SOLVER MODEL REFERENCE COLUMNS TOL...
 *
 * REFERENCE and COLUMNS say what is true (reference.h). Each tolerance is run from scratch five
 * times, and on until SECONDS are over; the fastest run counts. A line of CSV a tolerance:
 * tolerance, error, seconds, steps, rejected steps, order, operations, seconds of the set-up. */
#include <math.h>
#include <stdio.h>

#include "measure.h"
#include "reference.h"

enum { FEWEST_RUNS = 5, MOST_RUNS = 200 };

static void measure_tolerance(const char *path, double seconds, const taut_run_options *options,
                              const reference *r) {
    taut_run_stats best = {0};
    double spent = 0.0, setup = INFINITY, error = (double)NAN;
    for (int i = 0; i < FEWEST_RUNS || (i < MOST_RUNS && spent < seconds); i++) {
        taut_result *result = measure_run(path, options);
        const taut_run_stats *s = taut_result_stats(result);
        if (i == 0 || s->wall_s < best.wall_s) best = *s;
        setup = fmin(setup, s->setup_s);
        spent += s->wall_s;
        error = reference_error(r, result);
        taut_result_free(&result);
    }
    printf("%g,%.3g,%.4g,%ld,%ld,%d,%d,%.4g\n", options->rtol, error, best.wall_s, best.steps,
           best.rejected, best.order, best.operations, setup);
    fflush(stdout);
}

int main(int argc, char **argv) {
    static reference r;
    if (argc < 7) {
        fprintf(stderr, "usage: bench_ladder SECONDS SOLVER MODEL REFERENCE COLUMNS TOL...\n");
        return 2;
    }
    if (!reference_read(&r, argv[4], argv[5])) return 2;
    taut_run_options options = taut_run_options_default();
    options.solver = argv[2];
    reference_ask(&r, &options);
    for (int i = 6; i < argc; i++) {
        options.rtol = options.atol = measure_number(argv[i]);
        measure_tolerance(argv[3], measure_number(argv[1]), &options, &r);
    }
    return 0;
}
