/* What derivatives cost: the steps of a model with parameters in lanes, and the gradient of one
 * result by adjoints, beside the same steps without, in one process and in turns.
 *
 * usage: bench_sensitivity MODEL TEND NAMES RESULT     names with commas
 *
 * Prints microseconds a step without, then the ratios of variations and of adjoints; the least of
 * several rounds each. */
#include <stdio.h>
#include <string.h>

#include "measure.h"

enum { ROUNDS = 9, MOST = 100 };

/* Processor time of the gradient by adjoints, from the text of the model to the end. */
static double time_adjoint(const char *path, const taut_run_options *run, const char *list,
                           const char *result) {
    static taut_errors errors;
    static char text[4000];
    const char *name[MOST];
    double value, derivative[MOST];
    taut_model *model;
    taut_gradient_options o = taut_gradient_options_default();
    snprintf(text, sizeof text, "%s", list);
    for (char *p = strtok(text, ","); p && o.names < MOST; p = strtok(NULL, ","))
        name[o.names++] = p;
    o.run = *run;
    o.run.sensitivity = NULL;
    o.name = name;
    o.result = &result, o.results = 1;
    o.method = "adjoint";
    const double begin = measure_seconds();
    measure_check(taut_model_read(path, NULL, 0, &model, &errors), &errors);
    measure_check(taut_gradient_find(model, &o, &value, derivative, &errors), &errors);
    const double seconds = measure_seconds() - begin;
    taut_model_free(&model);
    return seconds;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: bench_sensitivity MODEL TEND NAMES RESULT\n");
        return 2;
    }
    taut_run_options options = taut_run_options_default();
    double least[2] = {1e300, 1e300}, back[2] = {1e300, 1e300};
    long steps = 0;
    options.solver = "taylor";
    options.has_tend = true;
    for (int round = 0; round < ROUNDS; round++)
        for (int with = 0; with < 2; with++) {
            options.tend = measure_number(argv[2]);
            options.sensitivity = with ? argv[3] : NULL;
            const measured_steps m = measure_steps(argv[1], &options);
            if (m.seconds < least[with]) least[with] = m.seconds;
            steps = m.stats.steps;
            if (with == 0) options.tend *= 1e-6; /* forming equations and the start alone */
            const double seconds = time_adjoint(argv[1], &options, argv[3], argv[4]);
            if (seconds < back[with]) back[with] = seconds;
        }
    printf("%.4g,%.4g,%.4g\n", 1e6 * least[0] / (double)steps, least[1] / least[0],
           (back[1] - back[0]) / least[0]);
    return 0;
}
