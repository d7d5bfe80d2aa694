/* A model over a ladder of tolerances: how far off, how long.
 *
 * usage: bench_ladder RUNS SECONDS SOLVER MODEL REFERENCE COLUMNS TOL...
 *
 * REFERENCE and COLUMNS say what is true (reference.h). Each tolerance is run from scratch RUNS
 * times, and on until SECONDS are over; the fastest run counts. A line of CSV a tolerance:
 * tolerance, error, seconds of the steps (processor time, wall clock), steps, rejected steps,
 * order, operations, seconds of the set-up. */
#include <math.h>
#include <stdio.h>

#include "measure.h"
#include "reference.h"

enum { MOST_RUNS = 200 };

/* How often a run is repeated. */
typedef struct patience {
    int runs;
    double seconds;
} patience;

static double find_error(const char *path, const taut_run_options *options, const reference *r) {
    static taut_errors errors;
    taut_model *model;
    taut_result *result;
    measure_check(taut_model_read(path, NULL, 0, &model, &errors), &errors);
    measure_check(taut_simulate(model, options, &result, &errors), &errors);
    const double error = reference_error(r, result);
    taut_result_free(&result);
    taut_model_free(&model);
    return error;
}

static void measure_tolerance(const char *path, patience p, const taut_run_options *options,
                              const reference *r) {
    taut_run_stats stats = {0};
    double spent = 0.0, best = (double)INFINITY, wall = (double)INFINITY, setup = (double)INFINITY;
    const double error = find_error(path, options, r);
    for (int i = 0; i < p.runs || (i < MOST_RUNS && spent < p.seconds); i++) {
        const measured_steps run = measure_steps(path, options);
        stats = run.stats;
        best = fmin(best, run.seconds);
        wall = fmin(wall, stats.wall_s);
        setup = fmin(setup, run.setup);
        spent += run.seconds;
    }
    printf("%g,%.3g,%.4g,%.4g,%ld,%ld,%d,%d,%.4g\n", options->rtol, error, best, wall, stats.steps,
           stats.rejected, stats.order, stats.operations, setup);
    fflush(stdout);
}

int main(int argc, char **argv) {
    static reference r;
    if (argc < 8) {
        fprintf(stderr, "usage: bench_ladder RUNS SECONDS SOLVER MODEL REFERENCE COLUMNS TOL...\n");
        return 2;
    }
    if (!reference_read(&r, argv[5], argv[6])) return 2;
    const patience p = {(int)measure_number(argv[1]), measure_number(argv[2])};
    taut_run_options options = taut_run_options_default();
    options.solver = argv[3];
    reference_ask(&r, &options);
    for (int i = 7; i < argc; i++) {
        options.rtol = options.atol = measure_number(argv[i]);
        measure_tolerance(argv[4], p, &options, &r);
    }
    return 0;
}
