/* How much of a study is integration: runs of a sweep beside the same integrations alone, in one
 * thread, in one process and in turns, so that the ratio does not depend on the machine's load.
 *
 * usage: bench_sweep TOL TEND RUNS MODEL NAME=VALUES RESULT
 *
 * NAME has a distribution, and runs go one by one. Prints runs a second of the sweep, of steps
 * alone (starts included, no results), and the ratio. */
#include <stdio.h>
#include <string.h>

#include "measure.h"

enum { ROUNDS = 15 };

typedef struct job {
    taut_model *model;
    taut_study_options options;
} job;

/* Processor time of a study in one thread. */
static double time_study(const job *j, taut_study **study) {
    static taut_errors errors;
    measure_check(taut_study_create(j->model, &j->options, study, &errors), &errors);
    const double begin = measure_seconds();
    measure_check(taut_study_run(*study, &errors), &errors);
    return measure_seconds() - begin;
}

/* The same runs without results. */
static double time_steps(const job *j, const taut_study *study) {
    static taut_errors errors;
    taut_simulation *s;
    taut_status status;
    taut_run_options options = j->options.run;
    options.derivatives = 0;
    measure_check(taut_simulation_create(j->model, &options, &s, &errors), &errors);
    const double begin = measure_seconds();
    for (long run = 0; run < taut_study_runs(study); run++) {
        const double value = taut_study_value(study, run, 1);
        measure_check(taut_simulation_set_parameter(s, j->options.vary->name, value, &errors),
                      &errors);
        measure_check(taut_simulation_start(s, &errors), &errors);
        while ((status = taut_simulation_step(s, &errors)) == TAUT_OK) continue;
        measure_check(status == TAUT_AT_END ? TAUT_OK : status, &errors);
    }
    const double seconds = measure_seconds() - begin;
    taut_simulation_free(&s);
    return seconds;
}

int main(int argc, char **argv) {
    static taut_errors errors;
    job j = {.options = taut_study_options_default()};
    char *equals = argc == 7 ? strchr(argv[5], '=') : NULL;
    if (!equals) {
        fprintf(stderr, "usage: bench_sweep TOL TEND RUNS MODEL NAME=VALUES RESULT\n");
        return 2;
    }
    *equals = '\0';
    const taut_vary vary = {argv[5], equals + 1};
    const taut_report report = {NULL, argv[6]};
    j.options.run.rtol = j.options.run.atol = measure_number(argv[1]);
    j.options.run.has_tend = true;
    j.options.run.tend = measure_number(argv[2]);
    j.options.samples = (long)measure_number(argv[3]);
    j.options.vary = &vary, j.options.varies = 1;
    j.options.report = &report, j.options.reports = 1;
    j.options.threads = 1;
    j.options.one_by_one = true;
    measure_check(taut_model_read(argv[4], NULL, 0, &j.model, &errors), &errors);
    double study_s = 1e300, steps_s = 1e300; /* the least of all rounds: others were disturbed */
    for (int i = 0; i < ROUNDS; i++) {
        taut_study *study;
        const double a = time_study(&j, &study), b = time_steps(&j, study);
        if (a < study_s) study_s = a;
        if (b < steps_s) steps_s = b;
        taut_study_free(&study);
    }
    const double runs = (double)j.options.samples;
    printf("%.5g,%.5g,%.3f\n", runs / study_s, runs / steps_s, steps_s / study_s);
    taut_model_free(&j.model);
    return 0;
}
