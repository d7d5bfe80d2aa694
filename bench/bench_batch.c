/* A loop of runs with another mass each, and the same as a study of given points: processor time of
 * both, for bench/python.py. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "taut/taut.h"

static const double TEND = 1.0;

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double loop(const taut_model *model, const taut_run_options *options, const double *value,
                   int runs) {
    const double begin = cpu();
    double sum = 0.0;
    taut_simulation *s;
    if (taut_simulation_create(model, options, &s, NULL) != TAUT_OK) exit(1);
    for (int i = 0; i < runs; i++) {
        taut_simulation_set_parameter(s, "m2", value[i], NULL);
        if (taut_simulation_start(s, NULL) != TAUT_OK) exit(1);
        taut_simulation_run_to(s, TEND, NULL);
        sum += taut_simulation_now(s, "s");
    }
    taut_simulation_free(&s);
    return sum != 0.0 ? cpu() - begin : 0.0;
}

static double batch(const taut_model *model, const taut_run_options *options, const double *value,
                    int runs) {
    const double begin = cpu();
    const taut_vary vary = {"m2", NULL};
    const taut_report report = {NULL, "end(s)"};
    taut_study_options o = taut_study_options_default();
    taut_study *study;
    o.run = *options;
    o.vary = &vary, o.varies = 1;
    o.report = &report, o.reports = 1;
    o.point = value, o.points = runs;
    o.threads = 1;
    if (taut_study_create(model, &o, &study, NULL) != TAUT_OK) exit(1);
    taut_study_run(study, NULL);
    taut_study_free(&study);
    return cpu() - begin;
}

int main(int argc, char **argv) {
    taut_model *model;
    const int runs = argc > 2 ? atoi(argv[2]) : 10000;
    taut_run_options options = taut_run_options_default();
    double *value = malloc((size_t)runs * sizeof *value);
    if (argc < 2 || !value || taut_model_read(argv[1], NULL, 0, &model, NULL) != TAUT_OK) return 2;
    for (int i = 0; i < runs; i++) value[i] = 1.0 + 1e-4 * i;
    options.has_tend = true;
    options.tend = TEND;
    const double one = loop(model, &options, value, runs);
    printf("%.9g %.9g\n", one, batch(model, &options, value, runs));
    free(value);
    taut_model_free(&model);
    return 0;
}
