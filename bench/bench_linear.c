/* Linearisations along a run: what one more point takes, with its matrices, eigenvalues and the
 * look at whether it is steady.
 *
 * usage: bench_linear MODEL TEND POINTS [NAME=VALUE]
 *
 * Prints the number of states, the time of the first two points with forming the equations, and the
 * time of each further one (steps of the run are among it): of several tries the best, since the
 * difference of two single ones may be anything. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { TRIES = 5 };

static taut_errors errors;

/* Seconds for `points` linearisations from tend / points to tend. */
static double linearize(const taut_model *model, double tend, int points, int *states) {
    taut_linear *l = NULL;
    taut_run_options options = taut_run_options_default();
    double *at = malloc((size_t)points * sizeof *at);
    if (!at) exit(1);
    for (int i = 0; i < points; i++) at[i] = tend * (i + 1) / points;
    options.at = at;
    options.ats = points;
    const double begin = measure_seconds();
    measure_check(taut_linearize(model, &options, NULL, &l, &errors), &errors);
    const double time = measure_seconds() - begin;
    *states = taut_linear_at(l, 0)->states;
    taut_linear_free(&l);
    free(at);
    return time;
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: bench_linear MODEL TEND POINTS [NAME=VALUE]\n");
        return 2;
    }
    const double tend = measure_number(argv[2]);
    const int points = (int)measure_number(argv[3]);
    char *equals = argc == 5 ? strchr(argv[4], '=') : NULL;
    taut_override set = {0};
    taut_model *model = NULL;
    int states = 0;
    if (equals) {
        *equals = '\0';
        set = (taut_override){argv[4], equals + 1};
    }
    measure_check(taut_model_read(argv[1], &set, equals ? 1 : 0, &model, &errors), &errors);
    double first = HUGE_VAL, all = HUGE_VAL;
    for (int i = 0; i < TRIES; i++) {
        first = fmin(first, linearize(model, tend, 2, &states));
        all = fmin(all, linearize(model, tend, points + 2, &states));
    }
    printf("%d,%.6g,%.6g\n", states, first, (all - first) / points);
    taut_model_free(&model);
    return 0;
}
