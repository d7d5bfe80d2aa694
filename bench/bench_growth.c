/* What a step and the set-up of one model take: time, and memory.
 *
 * usage: bench_growth TOL TEND MODEL
 *
 * Prints unknowns, operations, steps, the time of a step and of the set-up (the best of three), and
 * the memory of the process at its peak. */
#include <math.h>
#include <stdio.h>

#include "measure.h"

enum { RUNS = 3 };

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: bench_growth TOL TEND MODEL\n");
        return 2;
    }
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = measure_number(argv[1]);
    options.has_tend = true;
    options.tend = measure_number(argv[2]);
    options.at = &options.tend;
    options.ats = 1;
    taut_run_stats stats = {0};
    double step = INFINITY, setup = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        taut_result *result = measure_run(argv[3], &options);
        stats = *taut_result_stats(result);
        step = fmin(step, stats.wall_s / (double)stats.steps);
        setup = fmin(setup, stats.setup_s);
        taut_result_free(&result);
    }
    printf("%d,%d,%ld,%.4g,%.4g,%ld\n", stats.unknowns, stats.operations, stats.steps, step, setup,
           measure_peak_memory());
    return 0;
}
