/* Steps by compiled C beside the same by the interpreter: in one process and in turns, so that the
 * ratio does not depend on the machine's load.
 *
 * usage: bench_compile MODEL TEND TOL
 *
 * Prints the steps, microseconds a step of both (the best of all rounds), their ratio, and what the
 * first set-up took longer than the later ones, which find in the cache what it has compiled. */
#include <math.h>
#include <stdio.h>

#include "measure.h"

enum { ROUNDS = 9 };

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: bench_compile MODEL TEND TOL\n");
        return 2;
    }
    taut_run_options options = taut_run_options_default();
    options.has_tend = true;
    options.tend = measure_number(argv[2]);
    options.rtol = options.atol = measure_number(argv[3]);
    double best[2] = {(double)INFINITY, (double)INFINITY}, first = 0.0, later = (double)INFINITY;
    long steps = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int compiled = 0; compiled < 2; compiled++) {
            options.compile = compiled;
            const measured_steps run = measure_steps(argv[1], &options);
            best[compiled] = fmin(best[compiled], run.seconds);
            steps = run.stats.steps;
            if (compiled && round == 0)
                first = run.stats.setup_s; /* by the clock: cc is another
                                              process */
            if (compiled && round > 0) later = fmin(later, run.stats.setup_s);
        }
    printf("%ld,%.4g,%.4g,%.3g,%.2g\n", steps, 1e6 * best[0] / (double)steps,
           1e6 * best[1] / (double)steps, best[0] / best[1], first - later);
    return 0;
}
