/* What sensitivities cost: the steps of a model with so many parameters in lanes, beside the same
 * steps without, in one process and in turns.
 *
 * usage: bench_sensitivity MODEL TEND NAMES     names with commas
 *
 * Prints microseconds a step without, then the ratio; the least of several rounds each. */
#include <stdio.h>

#include "measure.h"

enum { ROUNDS = 9 };

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: bench_sensitivity MODEL TEND NAMES\n");
        return 2;
    }
    taut_run_options options = taut_run_options_default();
    double least[2] = {1e300, 1e300};
    long steps = 0;
    options.solver = "taylor";
    options.has_tend = true;
    options.tend = measure_number(argv[2]);
    for (int round = 0; round < ROUNDS; round++)
        for (int with = 0; with < 2; with++) {
            options.sensitivity = with ? argv[3] : NULL;
            const measured_steps m = measure_steps(argv[1], &options);
            if (m.seconds < least[with]) least[with] = m.seconds;
            steps = m.stats.steps;
        }
    printf("%.4g,%.4g\n", 1e6 * least[0] / (double)steps, least[1] / least[0]);
    return 0;
}
