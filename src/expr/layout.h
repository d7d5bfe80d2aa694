/* Which operations of a tape run side by side, and where their coefficients lie
 * (docs/math/taylor.md, section 6). Private to the room.
 *
 * All numbers lie in coef[] of the jet, and a *place* is where in it. Every slot has three: its
 * series (jet->place), its newest order, and its base, the part of the newest order that is known
 * before the stage. */
#ifndef TAUT_EXPR_LAYOUT_H
#define TAUT_EXPR_LAYOUT_H

#include "expr/jet.h"

/* One term of each lane of a group of rows: what every stage reads. */
typedef struct taut_lane_term {
    double coef[TAUT_LANES] __attribute__((aligned(64))); /* from order 1 on */
    int source[TAUT_LANES];                               /* places */
    int p;                                                /* the p-th derivative is meant */
    bool whole;  /* the sources lie side by side, from source[0] on */
    bool steady; /* sums only: the factors are numbers */
} taut_lane_term;

/* Where its factors come from. */
typedef struct taut_lane_factor {
    double number[TAUT_LANES] /* at order 0: the factor in a sum; 0 for other operations */
        __attribute__((aligned(64)));
    double scale[TAUT_LANES]; /* coef is scale times what lies at ... */
    int partial[TAUT_LANES];  /* ... this place: order 0 of another operand, or 1 */
} taut_lane_factor;

/* Up to TAUT_LANES operations of one offset. From order 1 on the newest order of each is a sum,
 * multiples of newest orders and its base, which may have to be divided. */
typedef struct taut_rows {
    int column, columns;  /* first term and number of terms: newest orders */
    int base[TAUT_LANES]; /* places */
    int result;           /* place of the newest orders */
    int series;           /* place of the series */
    int offset;
    bool whole; /* the bases lie side by side */
    bool divided;
    bool active;   /* one of them changes when the stage is finished */
    bool plain;    /* sums and products only, ... */
    bool products; /* ... at least one product */
    bool olds;     /* there are old terms */
    uint8_t count; /* lanes in use */
} taut_rows;

/* What the rows of a group are divided by. */
typedef struct taut_divisors {
    double value[TAUT_LANES] __attribute__((aligned(64)));
    double scale[TAUT_LANES]; /* value is this times what lies at ... */
    int place[TAUT_LANES];    /* ... this place */
} taut_divisors;

/* What order 0 needs, and what is known before a stage. */
typedef struct taut_row_details {
    double constant[TAUT_LANES] __attribute__((aligned(64))); /* of sums, at order 0 */
    taut_divisors *divisors;                                  /* NULL: there are none */
    int old, olds; /* first term and number of terms: orders that were found at earlier stages */
    int argument[2][TAUT_LANES]; /* at order 0: places of the arguments, ... */
    bool whole[2];               /* ... which lie side by side, ... */
    uint8_t op[TAUT_LANES];      /* ... of this operation */
} taut_row_details;

/* Groups of rows in the order in which they run. */
typedef struct taut_program {
    taut_rows *rows;
    taut_row_details *details; /* [groups] */
    taut_lane_term *term;
    taut_lane_factor *factor; /* [terms] */
    int *with_old;            /* [with_olds] groups that have old terms */
    int groups, terms, with_olds;
} taut_program;

/* What a convolution sums over, a and b being its operands. */
typedef enum taut_sum_kind {
    TAUT_SUM_INNER,  /* a_l b_(k-l), l = 1 .. k-1 */
    TAUT_SUM_TO_END, /* the same, l = 1 .. k: order k of a is known before the stage */
    TAUT_SUM_SQUARE, /* a_l a_(k-l), l = 1 .. k-1 */
    TAUT_SUM_MEAN    /* l a_l b_(k-l) / k, l = 1 .. k-1; l a_l is what is stored */
} taut_sum_kind;

/* Up to TAUT_LANES convolutions of one kind, which go into bases. */
typedef struct taut_convolution {
    taut_sum_kind kind;
    int count;
    int offset;
    int a, b;               /* places of the operands' series, side by side */
    int target[TAUT_LANES]; /* places of the bases */
    bool whole;             /* all lanes are in use, and the bases lie side by side */
    bool minus;             /* the sum is subtracted ... */
    bool add;               /* ... or added, to what is there already */
} taut_convolution;

/* Operands of convolutions that do not lie side by side are copied together. */
typedef struct taut_copy {
    int source[TAUT_LANES]; /* places of newest orders ... */
    int series[TAUT_LANES]; /* ... and of the series */
    int block;              /* where it goes */
    int offset;
    int count;     /* lanes in use */
    bool weighted; /* l times order l is stored */
} taut_copy;

/* Variables, constants and time. */
typedef struct taut_leaves {
    int result, series; /* places of newest orders and of the series */
    int offset;
    bool variable;
} taut_leaves;

/* A residual before the stage is solved. */
typedef struct taut_residual {
    int source; /* place */
    int series;
    int offset;
} taut_residual;

struct taut_layout {
    taut_leaves *leaves;
    taut_program all;     /* everything; what is read after its stage comes first: */
    int kept;             /* so many groups */
    taut_program opening; /* for residuals, while the newest orders of the variables are 0 */
    taut_convolution *convolution;
    taut_copy *copy;
    taut_residual *residual;
    int leaf_groups, convolutions, copies, residuals;
    int last_start; /* the last stage at which an order 0 appears; at least 0 */
    size_t coefs;   /* how many numbers there are */
};

/* Fills in coef, place and layout of a jet. */
taut_status taut_layout_create(taut_jet *jet, taut_arena *arena);

#endif
