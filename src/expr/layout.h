/* Which operations of a tape run side by side, and where their coefficients lie
 * (docs/math/taylor.md, section 6). Private to the room.
 *
 * All numbers lie in coef[] of the jet, and a *place* is where in it. What moves on by an order
 * from stage to stage has a *pace* of TAUT_LANES, and its place is that of stage 0; what is used
 * again at every stage has a pace of 0. */
#ifndef TAUT_EXPR_LAYOUT_H
#define TAUT_EXPR_LAYOUT_H

#include "expr/jet.h"

/* One term of each lane of a group of rows. */
typedef struct taut_lane_term {
    double coef[TAUT_LANES] __attribute__((aligned(64)));
    int source[TAUT_LANES]; /* places */
    int pace;
    int p;       /* the p-th derivative is meant */
    bool whole;  /* the sources lie side by side, from source[0] on */
    bool steady; /* the factors are numbers */
} taut_lane_term;

/* Where factors that are no numbers come from. */
typedef struct taut_lane_factor {
    double scale[TAUT_LANES] __attribute__((aligned(64))); /* coef is scale times ... */
    int partial[TAUT_LANES]; /* ... what lies here: order 0 of another operand, or 1 */
} taut_lane_factor;

/* What the rows of a group are divided by. */
typedef struct taut_divisors {
    double value[TAUT_LANES] __attribute__((aligned(64)));
    double scale[TAUT_LANES]; /* value is this times what lies at ... */
    int place[TAUT_LANES];    /* ... this place */
} taut_divisors;

/* Up to TAUT_LANES operations of one offset. From order 1 on the newest order of each is a sum, its
 * base and multiples of other newest orders, which may have to be divided. */
typedef struct taut_rows {
    taut_divisors *divisors; /* NULL: not divided */
    int column, columns;     /* first term and number of terms */
    int base[TAUT_LANES];    /* places; their pace is 0 */
    int result, pace;        /* place of the newest orders */
    int offset;
    uint8_t count; /* lanes in use */
    bool based;    /* there are bases */
    bool whole;    /* the bases lie side by side */
    bool active;   /* one of them changes when the stage is finished */
} taut_rows;

/* One term of each lane at order 0: coef a, coef a', ..., coef a b. */
typedef struct taut_value_term {
    double coef[TAUT_LANES] __attribute__((aligned(64)));
    int a[TAUT_LANES], b[TAUT_LANES]; /* places */
    int p;                            /* a is order p */
    bool product;                     /* in some lane; in the others b is the place of a 1 */
    bool whole;                       /* all a lie side by side */
} taut_value_term;

/* Order 0 of a group of rows. */
typedef struct taut_layout_start {
    double constant[TAUT_LANES] __attribute__((aligned(64)));
    int column, columns;         /* first value term and number of them ... */
    int argument[2][TAUT_LANES]; /* ... or the places of the arguments ... */
    uint8_t op[TAUT_LANES];      /* ... of this operation */
    bool sum;                    /* the former */
} taut_layout_start;

/* Groups of rows in the order in which they run. */
typedef struct taut_row_program {
    taut_rows *rows;
    taut_lane_term *term;
    taut_lane_factor *factor; /* [terms] */
    int groups, terms;
} taut_row_program;

/* What a convolution sums over, a and b being its operands. */
typedef enum taut_sum_kind {
    TAUT_SUM_INNER,  /* a_l b_(k-l), l = 1 .. k-1 */
    TAUT_SUM_TO_END, /* the same, l = 1 .. k: order k of a is known before the stage */
    TAUT_SUM_ALL,    /* l = 0 .. k: order k of b is known as well */
    TAUT_SUM_SQUARE, /* a_l a_(k-l), l = 1 .. k-1 */
    TAUT_SUM_MEAN    /* l a_l b_(k-l) / k, l = 1 .. k-1; l a_l is what is stored */
} taut_sum_kind;

/* Up to TAUT_LANES convolutions of one kind. */
typedef struct taut_convolution {
    double coef[TAUT_LANES] __attribute__((aligned(64))); /* by which they are multiplied */
    double ahead[TAUT_LANES]; /* what is known of the sums of the next stage */
    taut_sum_kind kind;
    int count;
    int offset;
    int a, b;   /* places of the operands' order 0, side by side */
    int result; /* place; its pace is 0 */
} taut_convolution;

/* Operands of convolutions that do not lie side by side are copied together. */
typedef struct taut_copy {
    int source[TAUT_LANES]; /* places; they move */
    int block;              /* where order 0 goes */
    int offset;
    int count;     /* lanes in use */
    bool weighted; /* l times order l is stored */
} taut_copy;

/* Where numbers that depend on parameters stand, by the array they are in. */
typedef enum taut_number_array {
    TAUT_IN_BASES,
    TAUT_IN_ALL,
    TAUT_IN_OPENING,
    TAUT_IN_BASES_FACTOR, /* ORDER: as the three above */
    TAUT_IN_ALL_FACTOR,
    TAUT_IN_OPENING_FACTOR,
    TAUT_IN_VALUE,
    TAUT_IN_START,
    TAUT_IN_CONVOLUTION,
    TAUT_IN_LEAF,
    TAUT_NUMBER_ARRAYS
} taut_number_array;

/* One of them. */
typedef struct taut_number_place {
    int origin;      /* of the number, see expr/numbers.h */
    uint32_t offset; /* bytes from the beginning of the array */
    uint8_t array;   /* taut_number_array */
    bool twice;      /* twice the number stands there */
} taut_number_place;

struct taut_layout {
    taut_row_program bases;   /* sums of convolutions and of what was found at earlier stages */
    taut_row_program all;     /* everything; what is read after its stage comes first: */
    int kept;                 /* so many groups */
    taut_row_program opening; /* for residuals, while the newest orders of the variables are 0 */
    taut_layout_start *start; /* [all.groups] */
    taut_value_term *value;
    taut_convolution *convolution;
    taut_copy *copy;
    int time,
        time_now;    /* place of the newest order of t, while a stage is open and in its series, */
    int time_offset; /* ... which has this offset, ... */
    bool timed;      /* ... if t is on the tape */
    int convolutions, copies;
    int last_start; /* the last stage at which an order 0 appears; at least 0 */
    int zero, one;  /* places of zeros, as many as the longest series has, and of the number 1 */
    size_t coefs;   /* how many numbers there are */
    taut_number_place *number; /* [numbers] in the arena */
    int numbers, number_room, values;
};

/* Fills in coef, place and layout of a jet. */
taut_status taut_layout_create(taut_jet *jet, taut_arena *arena);
/* Memory for the numbers of a jet, [coefs]: 0, but for the 1. NULL: there is none. */
double *taut_layout_coefs(const taut_layout *layout, taut_arena *arena);
/* What of the layout changes while it is used, for a second jet: `to` begins as a shallow copy of a
 * layout and gets arrays of its own. */
taut_status taut_layout_copy(taut_layout *l, taut_arena *arena);
/* Writes the numbers that depend on parameters, by origin, to their places. */
void taut_layout_set_numbers(taut_layout *layout, double *leaf, const double *value);
/* Notes that a number of this origin stands at a place; nothing to do if it has none. */
taut_status taut_layout_note(taut_layout *layout, int origin, taut_number_array array,
                             size_t offset, bool twice, taut_arena *arena);
/* A place for so many orders of TAUT_LANES slots. -1: too many numbers. */
int taut_layout_block(taut_layout *layout, int orders);
/* Do these places lie side by side, as far as lanes are in use? */
bool taut_layout_is_whole(const int *place, int count);

#endif
