/* Where a function of t changes more than it seems to, by interval arithmetic and bisection: a
 * pulse is found however short it is beside the step (docs/math/features.md, section 3). */
#ifndef TAUT_SOLVE_SCAN_H
#define TAUT_SOLVE_SCAN_H

#include "expr/interval.h"

typedef struct taut_scan {
    const taut_sample *sample;
    taut_interval *work; /* [size of the sample's program] */
    double from, to;     /* times, in the order of the motion */
    int node;            /* which target */
    double value;        /* what it looks like ... */
    double limit;        /* ... up to this */
} taut_scan;

/* False: it is proven to be constant up to the limit, or nothing else could be found. Otherwise a
 * time at which it is most off, and the first one at which it is half as much. */
bool taut_scan_find(const taut_scan *scan, double *most, double *first);

#endif
