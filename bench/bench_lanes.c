/* Runs of a study side by side in the lanes of a thread, beside the same one by one: in one thread,
 * in one process and in turns, so that the ratio does not depend on the machine's load.
 *
 * usage: bench_lanes TOL TEND RUNS MODEL NAME=VALUES RESULT
 *
 * NAME has a distribution. Prints runs a second of both, and the ratio; fails if a single number
 * differs. */
#include <stdio.h>
#include <string.h>

#include "measure.h"

enum { ROUNDS = 7 };

/* Processor time of a study in one thread. */
static double time_study(const taut_model *model, taut_study_options *options, bool one_by_one,
                         taut_study **study) {
    static taut_errors errors;
    options->one_by_one = one_by_one;
    measure_check(taut_study_create(model, options, study, &errors), &errors);
    const double begin = measure_seconds();
    measure_check(taut_study_run(*study, &errors), &errors);
    return measure_seconds() - begin;
}

static bool differ(const taut_study *a, const taut_study *b) {
    const taut_table x = taut_study_table(a), y = taut_study_table(b);
    return memcmp(x.value, y.value, (size_t)x.rows * (size_t)x.columns * sizeof *x.value) != 0;
}

int main(int argc, char **argv) {
    static taut_errors errors;
    taut_study_options options = taut_study_options_default();
    taut_model *model;
    char *equals = argc == 7 ? strchr(argv[5], '=') : NULL;
    if (!equals) {
        fprintf(stderr, "usage: bench_lanes TOL TEND RUNS MODEL NAME=VALUES RESULT\n");
        return 2;
    }
    *equals = '\0';
    const taut_vary vary = {argv[5], equals + 1};
    const taut_report report = {NULL, argv[6]};
    options.run.rtol = options.run.atol = measure_number(argv[1]);
    options.run.has_tend = true;
    options.run.tend = measure_number(argv[2]);
    options.samples = (long)measure_number(argv[3]);
    options.vary = &vary, options.varies = 1;
    options.report = &report, options.reports = 1;
    options.threads = 1;
    measure_check(taut_model_read(argv[4], NULL, 0, &model, &errors), &errors);
    double alone = 1e300, abreast = 1e300; /* the least of all rounds: others were disturbed */
    bool wrong = false;
    for (int i = 0; i < ROUNDS; i++) {
        taut_study *one, *eight;
        const double a = time_study(model, &options, true, &one),
                     b = time_study(model, &options, false, &eight);
        if (a < alone) alone = a;
        if (b < abreast) abreast = b;
        wrong = wrong || differ(one, eight);
        taut_study_free(&one);
        taut_study_free(&eight);
    }
    const double runs = (double)options.samples;
    printf("%.5g,%.5g,%.3f\n", runs / alone, runs / abreast, alone / abreast);
    taut_model_free(&model);
    return wrong;
}
