/* What the benchmarks share: running a model's steps, clocks, and what to say when one fails. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "taut/taut.h"

/* A number from the command line; the program ends if it is none. */
double measure_number(const char *text);
/* Prints the first error and ends the program, unless status is TAUT_OK. */
void measure_check(taut_status status, const taut_errors *errors);
/* Seconds of processor time that this process has had: on an idle machine those of the wall clock,
 * on a busy one still the same. */
double measure_seconds(void);
/* The most memory that this process has had so far, in kilobytes; 0: not known here. */
long measure_peak_memory(void);

/* All steps of a run, from scratch. */
typedef struct measured_steps {
    taut_run_stats stats;
    double seconds, setup; /* of processor time: the steps alone, and what comes before them */
} measured_steps;
measured_steps measure_steps(const char *path, const taut_run_options *options);

#endif
