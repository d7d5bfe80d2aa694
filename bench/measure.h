/* What the benchmarks share: options of a run, and what to say when one fails. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "taut/taut.h"

/* A number from the command line; the program ends if it is none. */
double measure_number(const char *text);
/* Prints the first error and ends the program, unless status is TAUT_OK. */
void measure_check(taut_status status, const taut_errors *errors);
/* Reads and simulates a model from scratch, with rows at the given times (times) only. */
taut_result *measure_run(const char *path, const taut_run_options *options);
/* The most memory that this process has had so far, in kilobytes; 0: not known here. */
long measure_peak_memory(void);

#endif
