/* The inner loops of Taylor arithmetic, for the processor at hand. Private to the room. */
#ifndef TAUT_EXPR_KERNELS_H
#define TAUT_EXPR_KERNELS_H

#include "expr/jet.h"

/* One term of a sum: coef * factor[k] * series[k]; both start at the derivative that is meant. */
typedef struct taut_group_term {
    const double *series;
    const double *factor;
    double coef;
    int p; /* 0: factor is 1 */
} taut_group_term;

struct taut_group {
    taut_kernel kernel;
    int count;         /* lanes in use */
    int offset;        /* of all of them */
    bool active, kept; /* one of them is */
    int slot[TAUT_LANES];
    double *result[TAUT_LANES];            /* series */
    const double *argument[2][TAUT_LANES]; /* series of the arguments, for order 0 and shifts */
    uint8_t op[TAUT_LANES];                /* for order 0 */
    int p;                                 /* SHIFT */
    /* LINEAR */
    int terms;
    double constant;
    taut_group_term *term;
    /* convolutions: operands, copied order by order so that lanes lie side by side */
    int operands, pairs, length;
    const double **source; /* [operands * TAUT_LANES] series */
    double *packed;        /* [operands * length * TAUT_LANES] */
    double inner[TAUT_LANES]
        __attribute__((aligned(64))); /* sum over l = 1..k-1 of the newest order */
};

/* The largest number of derivatives in a term or a shift. */
int taut_kernels_most_derivatives(const taut_jet *jet);
/* All groups at stage s; those that a finished stage changes; and a fresh copy of all operands. */
void taut_kernels_stage(taut_jet *jet, int s);
void taut_kernels_finish(taut_jet *jet, int s);
void taut_kernels_repack(taut_jet *jet, int s);

#endif
