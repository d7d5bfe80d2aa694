/* A loop over the values of one parameter, in one simulation: what it takes beside the steps alone.
 *
 * usage: bench_loop MODEL PARAMETER VALUE TEND TOL RUNS
 *
 * The parameter takes RUNS values from VALUE to 1.1 VALUE. Prints the number of runs, the steps,
 * the time of all, the time of the integrations alone, how often equations were formed, and the
 * largest difference of an end from that of a fresh simulation (five of the runs).
 *
 * To an integration belong its steps and the first expansion of the stepper, which a simulation
 * computes when it is started: it is measured by letting the stepper begin again from the same
 * state, after every tenth run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "task/simulation.h"

enum { CHECKS = 5, EVERY = 10 };

static taut_errors errors;

static void start(taut_simulation *s, const char *name, double value) {
    measure_check(taut_simulation_set_parameter(s, name, value, &errors), &errors);
    measure_check(taut_simulation_start(s, &errors), &errors);
}

/* Seconds of the first expansion alone. */
static double expand(taut_simulation *s) {
    measure_check(taut_simulation_start(s, &errors), &errors);
    const double begin = measure_seconds();
    measure_check(taut_equip_begin(s, s->state, &errors), &errors);
    return measure_seconds() - begin;
}

/* The largest difference of the two rows at the end, beside the size of the numbers. */
static double compare(taut_simulation *a, taut_simulation *b, double tend) {
    double worst = 0.0;
    for (int c = 0; c < taut_simulation_columns(a); c++) {
        const double x = taut_simulation_get(a, c, tend), y = taut_simulation_get(b, c, tend);
        if (isfinite(x) && isfinite(y)) worst = fmax(worst, fabs(x - y) / fmax(1.0, fabs(x)));
    }
    return worst;
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fprintf(stderr, "usage: bench_loop MODEL PARAMETER VALUE TEND TOL RUNS\n");
        return 2;
    }
    const double value = measure_number(argv[3]), tend = measure_number(argv[4]);
    const int runs = (int)measure_number(argv[6]), stride = runs / CHECKS + 1;
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = measure_number(argv[5]);
    options.has_tend = true;
    options.tend = tend;
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    measure_check(taut_model_read(argv[1], NULL, 0, &model, &errors), &errors);
    measure_check(taut_simulation_create(model, &options, &s, &errors), &errors);
    double all = 0.0, alone = 0.0, first = 0.0, worst = 0.0;
    long steps = 0, firsts = 0;
    for (int i = 0; i < runs; i++) {
        if (i % EVERY == 1) { /* the run before is over, and of its end nobody wants to know more */
            first += expand(s);
            firsts++;
        }
        const double x = value * (1.0 + 0.1 * i / runs), begin = measure_seconds();
        start(s, argv[2], x);
        const double started = measure_seconds();
        measure_check(taut_simulation_run_to(s, tend, &errors), &errors);
        const double end = measure_seconds();
        all += end - begin;
        alone += end - started;
        steps += taut_simulation_stats(s)->steps;
        if (i % stride != 0) continue;
        taut_simulation *fresh = NULL;
        measure_check(taut_simulation_create(model, &options, &fresh, &errors), &errors);
        start(fresh, argv[2], x);
        measure_check(taut_simulation_run_to(fresh, tend, &errors), &errors);
        worst = fmax(worst, compare(s, fresh, tend));
        taut_simulation_free(&fresh);
    }
    if (firsts > 0) alone += first * runs / (double)firsts;
    printf("%d,%ld,%.4g,%.4g,%ld,%.2g\n", runs, steps, all, alone,
           taut_simulation_stats(s)->compilations, worst);
    taut_simulation_free(&s);
    taut_model_free(&model);
    return 0;
}
