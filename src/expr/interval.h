/* Ranges of functions of t over an interval: natural extensions, rounded outwards. */
#ifndef TAUT_EXPR_INTERVAL_H
#define TAUT_EXPR_INTERVAL_H

#include "expr/sample.h"

typedef struct taut_interval {
    double low, high;
} taut_interval;

/* The range of target number i of a program, which depends on t alone, over times; work [size of
 * the program]. It is never too small, and infinite where nothing better is known. */
taut_interval taut_sample_range(const taut_sample *sample, int i, taut_interval times,
                                taut_interval *work);

#endif
