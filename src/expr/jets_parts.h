/* The program of jets side by side: the rows, convolutions and copies of a layout (expr/layout.h),
 * one by one instead of in groups. Private to expr/jets*. A place counts numbers of all lanes. */
#ifndef TAUT_EXPR_JETS_PARTS_H
#define TAUT_EXPR_JETS_PARTS_H

#include "expr/jets.h"
#include "expr/layout.h"

/* One term of a row; its factors are number i of coef[], its own number in the program. Terms and
 * rows, which are many and short, tell where doubles are instead of counting numbers. */
typedef struct taut_jets_term {
    int source, pace; /* pace 1: at stage s it is s numbers behind the source; 0: always there */
    int shift;        /* where the shifts of the derivative that is meant begin */
    int partial;      /* a place: the factor is its scale times that; -1: it is a number */
} taut_jets_term;

/* From order 1 on. */
typedef struct taut_jets_row {
    int first, count;
    int base;         /* -1: none */
    int divisor;      /* its number; -1: not divided */
    int result, pace; /* as in a term */
    int offset;
    bool shifted; /* it has derivatives among its terms */
    bool padded;  /* its group has longer rows: it adds zeros as well */
    bool active;  /* as in its group */
} taut_jets_row;

/* Order 0 of a row. */
typedef struct taut_jets_zeroth {
    int first, count; /* value terms, if it is a sum ... */
    int op, a, b;     /* ... or the operation and the places of its arguments */
    bool sum, padded;
} taut_jets_zeroth;

typedef struct taut_jets_value {
    int a, b; /* places; b -1: no product */
    int p;
} taut_jets_value;

typedef struct taut_jets_rows {
    taut_jets_row *row;
    taut_jets_term *term;
    double *coef, *scale; /* [terms] */
    int rows, terms;
} taut_jets_rows;

typedef struct taut_jets_divisor {
    int place;
    double scale;
} taut_jets_divisor;

typedef struct taut_jets_convolution {
    taut_sum_kind kind;
    int offset, a, b, result;
} taut_jets_convolution;

/* k times order k of a series. */
typedef struct taut_jets_copy {
    int source, block; /* order 0 */
    int offset;
} taut_jets_copy;

typedef enum taut_jets_part {
    TAUT_JETS_BASES,
    TAUT_JETS_ALL,
    TAUT_JETS_OPENING,
    TAUT_JETS_PARTS
} taut_jets_part;

typedef struct taut_jets_program {
    taut_jets_rows part[TAUT_JETS_PARTS];
    int kept; /* rows of TAUT_JETS_ALL */
    taut_jets_zeroth *start;
    taut_jets_value *value;
    double *constant, *value_coef; /* [rows], [values] */
    int values;
    taut_jets_divisor *divisor;
    double *divisor_value; /* [divisors] */
    int divisors;
    taut_jets_convolution *convolution;
    double *factor, *next; /* [convolutions] what they are multiplied by, known of the next stage */
    int convolutions;
    taut_jets_copy *copy;
    int copies;
    int time, time_now; /* places: while a stage is open; order 0 */
    /* where the numbers of a jet are in its layout, for taut_jets_take_numbers: */
    int *term_at[TAUT_JETS_PARTS], *start_at, *value_at,
        *convolution_at; /* column * TAUT_LANES + lane */
    int *map;            /* [coefs of the layout] places of the layout */
} taut_jets_program;

/* The loops, for two, four and eight lanes at a time. */
typedef struct taut_jets_loops {
    void (*stage)(taut_jets *jets, int s);
    void (*open)(taut_jets *jets, int s);
    void (*finish)(taut_jets *jets, int s);
    void (*shifts)(taut_jets *jets);
} taut_jets_loops;
const taut_jets_loops *taut_jets_loops_here(void);

#endif
