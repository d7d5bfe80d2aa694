/* Balances, inside: one linear system of all of them. Private to balance.c (values) and
 * balance_rate.c (how they vary). */
#ifndef TAUT_TASK_BALANCE_PARTS_H
#define TAUT_TASK_BALANCE_PARTS_H

#include "core/sparse.h"
#include "task/balance.h"

/* Independent rows and columns: a square part of the system. */
typedef struct taut_balance_part {
    int size;          /* at most the smaller number of rows and unknowns */
    int *order;        /* [the larger number of both] work space */
    int *row, *column; /* [size] rows ascending */
    int *place;        /* [rows] number among row; -1: not chosen */
    bool *taken;       /* [unknowns] is it among column? */
    int *start, *at;   /* [size + 1], [entries] pattern, by columns */
    double *value;     /* [entries] */
    double *b;         /* [size] */
    double usual;      /* residual of QR where it was chosen, relative to the largest force */
    double faded;      /* where rcond is less, it is chosen again */
    taut_lu *lu;       /* NULL: nothing is chosen */
} taut_balance_part;

struct taut_balance {
    const taut_reactions *r;
    taut_balance_part chosen;
    int rows, unknowns;
    int *first_row;         /* [carriers] */
    int *first_unknown;     /* [transfers] */
    double (*vector)[3];    /* [vectors] */
    double (*direction)[3]; /* [unknowns] of d */
    int *start, *at;        /* [unknowns + 1], [entries] what transfers can touch, by columns */
    double *value;          /* [entries] the matrix A */
    double *column;         /* [rows] one of its columns, or 0 */
    bool large;             /* too large for factors of dense matrices */
    double *work;           /* [rows * unknowns] A as a dense matrix, by columns; not if large */
    double *b, *rhs;        /* [rows] */
    double *x;              /* [unknowns] */
    double *null;           /* [unknowns * (unknowns - rank)] by columns, on the heap */
    size_t null_room;
    double *share;           /* [unknowns] of a column of the results, 0 but for those listed: */
    int *shared, shares;     /* [unknowns] */
    bool *is_shared;         /* [unknowns] */
    int *first_end, *end_of; /* [carriers + 1], [ends] transfer ends by carrier ... */
    int *transfer_of;        /* [ends] ... and the transfers that they belong to */
    bool *unique;            /* [columns] */
    int rank;
    bool by_choice; /* the last values are those of the chosen part */
    double residual, scale;
};

/* Adds a force and a moment as rows of a carrier to column a. */
void taut_balance_add_rows(const taut_balance *balance, int carrier, const double *force,
                           const double *moment, double *a);
/* Solves for a right-hand side of all rows (overwritten), as the last values were found: with the
 * least forces. TAUT_ERR_NUMERICS if a value is not finite. */
taut_status taut_balance_resolve(taut_balance *balance, double *side, double *x);
/* y [rows] with A^T y = x, the last values. TAUT_ERR_NUMERICS. */
taut_status taut_balance_resolve_transposed(taut_balance *balance, double *y);

#endif
