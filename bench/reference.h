/* True values of some columns at some times, and how far a result is from them. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include <stdbool.h>

#include "taut/taut.h"

enum { REFERENCE_COLUMNS = 16, REFERENCE_TIMES = 32 };

typedef struct reference {
    char name[REFERENCE_COLUMNS][16];
    double added[REFERENCE_COLUMNS]; /* to the column, before it is compared */
    int columns;
    double time[REFERENCE_TIMES], value[REFERENCE_TIMES][REFERENCE_COLUMNS];
    int times;
} reference;

/* Reads lines "t value value ...", with a value for each of the columns ("A0x,A2x-2": a number may
 * be added). False, and a message on the standard error stream, if that is not what is there. */
bool reference_read(reference *r, const char *path, const char *columns);
/* Rows at the times of the reference only, the last of which is the end of the run. */
void reference_ask(const reference *r, taut_run_options *options);
/* The largest absolute error over all columns and rows; NaN if a column is missing. */
double reference_error(const reference *r, const taut_result *result);

#endif
