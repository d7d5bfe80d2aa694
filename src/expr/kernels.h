/* The inner loops of Taylor arithmetic, for the processor at hand. Private to the room. */
#ifndef TAUT_EXPR_KERNELS_H
#define TAUT_EXPR_KERNELS_H

#include "expr/jet.h"

/* coef * series[k] */
typedef struct taut_plain_term {
    const double *series;
    double coef;
} taut_plain_term;

/* coef * factor[k] * series[k]: a time derivative; series begins at the order that is meant. */
typedef struct taut_shifted_term {
    const double *series, *factor;
    double coef;
} taut_shifted_term;

/* One LINEAR instruction: constant + sum of terms. */
typedef struct taut_sum_group {
    double *result;
    const taut_plain_term *plain;
    const taut_shifted_term *shifted;
    double constant;
    int plains, shifteds;
    int offset;
    bool active;
} taut_sum_group;

/* Up to TAUT_LANES convolutions (or shifts) of one kind. */
struct taut_group {
    taut_kernel kernel;
    int count;   /* lanes in use */
    int offset;  /* of all of them */
    bool active; /* one of them is */
    bool kept;   /* one of them is */
    int p;       /* SHIFT */
    int operands, pairs, length;
    double *result[TAUT_LANES];            /* series */
    const double *argument[2][TAUT_LANES]; /* series of the arguments */
    const double **source; /* [operands * TAUT_LANES] series that are summed over ... */
    double *packed; /* [operands * length * TAUT_LANES] ... copied so that lanes lie side by side */
    uint8_t op[TAUT_LANES];                                /* for order 0 */
    double inner[TAUT_LANES] __attribute__((aligned(64))); /* sum over l = 1..k-1, newest order */
};

/* What is done at one level of a stage: sums first, then groups. */
typedef struct taut_level {
    int sums_end, groups_end; /* in the schedule's lists */
} taut_level;

typedef struct taut_schedule {
    taut_sum_group *sum;
    taut_group **group;
    taut_level *level; /* [levels] */
    int levels;
} taut_schedule;

/* All groups at stage s; those that a finished stage changes; and a fresh copy of all operands. */
void taut_kernels_stage(taut_jet *jet, int s);
void taut_kernels_finish(taut_jet *jet, int s);
void taut_kernels_repack(taut_jet *jet, int s);

#endif
