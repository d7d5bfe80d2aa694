/* What a step and the set-up of one model take: time, and memory.
 *
 * usage: bench_growth TOL TEND MODEL
 *
 * Prints unknowns, operations, steps, the time of a step and of the set-up (the best of several
 * runs), and the memory of the process at its peak. */
#include <math.h>
#include <stdio.h>

#include "measure.h"

enum { FEWEST_RUNS = 3, MOST_RUNS = 50 };
static const double ENOUGH_S = 1.0; /* set-up included */

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: bench_growth TOL TEND MODEL\n");
        return 2;
    }
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = measure_number(argv[1]);
    options.has_tend = true;
    options.tend = measure_number(argv[2]);
    taut_run_stats stats = {0};
    double step = (double)INFINITY, setup = (double)INFINITY;
    for (int i = 0; i < FEWEST_RUNS || (i < MOST_RUNS && measure_seconds() < ENOUGH_S); i++) {
        const measured_steps run = measure_steps(argv[3], &options);
        stats = run.stats;
        step = fmin(step, run.seconds / (double)stats.steps);
        setup = fmin(setup, run.setup);
    }
    printf("%d,%d,%ld,%.4g,%.4g,%ld\n", stats.unknowns, stats.operations, stats.steps, step, setup,
           measure_peak_memory());
    return 0;
}
