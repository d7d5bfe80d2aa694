/* Which operations of a tape run side by side, and where their coefficients lie. Private to the
 * room. */
#ifndef TAUT_EXPR_LAYOUT_H
#define TAUT_EXPR_LAYOUT_H

#include "expr/jet.h"

/* A column of a sum group: one term of each lane. */
typedef struct taut_lane_term {
    double coef[TAUT_LANES] __attribute__((aligned(64))); /* 0 where a lane has fewer terms */
    int source[TAUT_LANES];                               /* places of the series */
    bool whole; /* they are a block: source[0] is its place */
    int p;      /* the p-th derivative is meant */
} taut_lane_term;

/* Up to TAUT_LANES LINEAR instructions. */
typedef struct taut_sum_group {
    double constant[TAUT_LANES] __attribute__((aligned(64)));
    const taut_lane_term *term; /* [terms] */
    int terms;
    int result; /* place of the block of the results */
    int offset;
    int level;
    bool late;   /* one of them is active and kept */
    bool active; /* one of them is */
    bool urgent; /* they are */
} taut_sum_group;

/* Operands of a group that are no block are copied into one. */
typedef struct taut_copy {
    int source[TAUT_LANES]; /* places of the series */
    int block;
    int offset; /* at stage s order s + offset is copied (weights of a CHAIN are one behind) */
    int level;
    bool active; /* one of them changes when the stage is finished */
    bool urgent; /* a group that reads it is */
} taut_copy;

/* Up to TAUT_LANES convolutions of one kind. */
typedef struct taut_group {
    double inner[TAUT_LANES] __attribute__((aligned(64))); /* sum over l = 1..k-1, newest order */
    taut_kernel kernel;
    int count;      /* lanes in use */
    int result;     /* place of the block of the results */
    int operand[2]; /* places of the blocks of a and b */
    int pairs;      /* CHAIN: ... */
    int *pair;      /* [2 * pairs] places of the blocks of a_i and w_i */
    int *scaled;    /* [pairs] places of blocks with l (a_i)_l */
    int offset;
    int level;
    bool late;                   /* one of them is active and kept */
    bool active;                 /* one of them is */
    bool urgent;                 /* they are */
    int argument[2][TAUT_LANES]; /* ROOT, CHAIN: places of the arguments ... */
    uint8_t op[TAUT_LANES];      /* ... of this operation */
} taut_group;

struct taut_layout {
    taut_sum_group *sum;
    taut_copy *copy;
    taut_group *group;
    int sums, copies, groups;
    size_t coefs; /* how many there are in all blocks */
};

/* What is done at one level of a stage: copies first, then sums, then groups. */
typedef struct taut_level {
    int copies_end, sums_end, groups_end; /* in the schedule's lists */
} taut_level;

struct taut_schedule {
    const taut_copy **copy;
    const taut_sum_group **sum;
    taut_group **group;
    taut_level *level; /* [levels] */
    int levels;
};

/* Fills in coef, place, layout and the schedules of a jet. */
taut_status taut_layout_create(taut_jet *jet, taut_arena *arena);

#endif
