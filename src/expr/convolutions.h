/* Which convolutions run side by side. Private to the room. */
#ifndef TAUT_EXPR_CONVOLUTIONS_H
#define TAUT_EXPR_CONVOLUTIONS_H

#include "expr/layout.h"

/* A convolution that some row needs. */
typedef struct taut_job {
    taut_sum_kind kind;
    int a, b;    /* slots of the operands */
    double coef; /* by which it is multiplied, ... */
    int origin;  /* ... and where that comes from */
    int p;       /* the p-th derivative of the product is meant: order k + p */
    int offset;  /* of the row, plus p */
    int result;  /* set: the place of the result */
} taut_job;

/* Groups the jobs: fills in convolution and copy of a jet's layout, and the results. */
taut_status taut_convolutions_create(taut_jet *jet, taut_job *job, size_t jobs, taut_arena *arena);

#endif
