/* What variations along a motion consist of: derivatives of equations and functions, their Taylor
 * coefficients at a point, and the products of these that the rows of a stage are made of. */
#ifndef TAUT_SOLVE_FORWARD_PARTS_H
#define TAUT_SOLVE_FORWARD_PARTS_H

#include "solve/forward.h"

/* dg/dx_j^(order), or dg/dp, everything else held. */
typedef struct taut_forward_entry {
    int variable; /* -1: by a parameter ... */
    int order;    /* ... of this index */
    int output;   /* of the tape */
} taut_forward_entry;

/* A product of a row: of coefficients and of variations, or of coefficients and a number. */
typedef struct taut_forward_term {
    int coef; /* where they begin */
    int at;   /* likewise */
    int orders;
} taut_forward_term;

/* Products with what moves, with what is steady, and with numbers that vary. */
typedef struct taut_forward_row {
    const taut_forward_term *moving, *steady, *end;
    const taut_forward_term *number, *number_end;
} taut_forward_row;

/* Where the numbers of one block of directions are. */
typedef struct taut_forward_bench {
    const double *coef, *x, *number;
} taut_forward_bench;

struct taut_forward {
    taut_arena arena;
    const taut_system *system;
    const taut_structure *structure;
    taut_forward_order order;
    taut_tape *tape;
    taut_jet *jet;
    int *variable; /* [n] slots of the variables; -1: not needed */
    int *slot;     /* [outputs] */
    taut_lu *lu;   /* of J ... */
    int *lu_entry; /* [its entries] ... whose values are coefficients of order 0: here */
    double *J;     /* likewise: these */
    int lu_entries;
    int stage; /* the last one */
    taut_forward_entry
        *entry; /* of row g: first[g] .. first[g + 1] - 1; equations are the first rows */
    int *first; /* [n + functions + 1] */
    size_t entries, entry_room;
    taut_node *node; /* [outputs] of the tape: derivatives */
    size_t node_room;
    int outputs;
    int *need;    /* [outputs] the highest order that rows read; 0: it is steady as well */
    int *start;   /* [outputs] its coefficients are coef[start ..] */
    double *coef; /* scaled, at the point */
    int orders;   /* of derivatives in entries */
    int *highest; /* [n] ... of each variable: the highest one */
    int *place;   /* [n + 1] coefficient k of x_j is number place[j] + k */
    double *x;    /* [orders][place[n]][TAUT_FORWARD_LANES] scaled coefficients of the variations of
                     x_j^(r), of    one block of directions */
    double *all;  /* [blocks][place[n]][TAUT_FORWARD_LANES] those of x_j, of all of them */
    double *number;        /* [blocks][numbers][TAUT_FORWARD_LANES] */
    bool *varies;          /* [numbers] in some direction */
    bool arranged;         /* the rows know of these */
    taut_forward_row *row; /* [n + functions] */
    taut_forward_term *term, *number_term;
    int blocks;
    double *factor; /* [largest d + 1] of a stage: from coefficients to derivatives */
    double *side;   /* [n][TAUT_FORWARD_LANES] right-hand sides, then solutions, of a stage */
    double *next;   /* [n][TAUT_FORWARD_LANES] what is known of those of the next one */
    double *work;   /* likewise */
};

/* Which derivatives there are, where they lie, and the pattern of J (solve/forward_plan.c). */
taut_status taut_forward_plan(taut_forward *variations);

#endif
