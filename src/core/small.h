/* Small dense matrices, vectorised (SIMD): LU elimination with given pivots, explicit inverses of
 * the triangular factors, products with them.
 *
 * Triangular solves (forward and back substitution) are bound by latency; products with the
 * inverses of L and U are not, so they are faster where many right-hand sides come one after the
 * other. The explicit inverse of the whole matrix would be less stable: residuals larger by its
 * condition number, and small components of the solution inaccurate. Results are bitwise the same
 * on every processor. */
#ifndef TAUT_CORE_SMALL_H
#define TAUT_CORE_SMALL_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

/* A triangular factor by rows, without its diagonal; columns ascend. */
typedef struct taut_triangle {
    int *start; /* [n+1] */
    int *column;
    double *value;
} taut_triangle;

/* Pivot i is in row pivot_row[i] and column pivot_column[i] of the matrix. With its rows
 * multiplied by scale[i] and in the order of the pivots it is lower * pivot * upper. */
typedef struct taut_factors {
    int n;
    int *pivot_row, *pivot_column;
    taut_triangle lower, upper; /* with ones on their diagonals ... */
    double *pivot;              /* [n] ... and this between them */
    double *scale;              /* [n] powers of 2, so that scaling costs no bit */
} taut_factors;

/* The entries of a matrix: of row pivot_row[i] those from start[i] on, in column pivot_column[j]
 * with j = column[k], with the value value[number[k]]. */
typedef struct taut_rows_by_pivots {
    int *start; /* [n+1] */
    int *column, *number;
} taut_rows_by_pivots;

/* A triangle by columns: the k-th entry of a column is in row[k] and number[k] of the triangle. */
typedef struct taut_sparsity {
    int *start; /* [n+1] */
    int *row, *number;
} taut_sparsity;

typedef struct taut_small {
    int n, parts; /* rows are so many times TAUT_SMALL_LANES long */
    taut_rows_by_pivots entries;
    taut_sparsity below, above; /* the two triangles; above: for inverses only */
    double *rows;               /* [n] work space of an elimination, ... */
    double *largest;            /* [n] ... and the largest entry of each row, scaled */
    bool ready;                 /* there is memory for the rest: */
    double *lower, *upper;      /* [n] inverses of the triangles, by columns, ... */
    double *pivot;              /* [1] ... and what stands between them */
    double *x, *y;              /* [1] work space of a product */
} taut_small;

/* What an elimination finds out. */
typedef struct taut_elimination {
    double smallest, greatest; /* pivots, in units of the largest entries of their rows */
    double multiplier;         /* the largest entry of the lower factor */
    bool deficient;            /* there was a pivot until only the last one was left */
} taut_elimination;

enum { TAUT_SMALL_LANES = 8 };

/* Is a matrix of this size small? */
bool taut_small_fits(int n);
/* For factors of which the patterns are known. `entries` is kept. */
taut_status taut_small_create(const taut_factors *factors, taut_rows_by_pivots entries,
                              taut_arena *arena, taut_small *m);
/* The factors of a matrix with these values. False if a pivot is less than `singular` times the
 * greatest one; if that is the last one, *found is there nevertheless. */
bool taut_small_eliminate(const taut_small *small, taut_factors *factors, const double *value,
                          double singular, taut_elimination *found);
/* Memory for inverses, unless it is there already. */
taut_status taut_small_reserve(const taut_factors *factors, taut_arena *arena, taut_small *m);
/* Inverts the factors. */
void taut_small_invert(const taut_small *m, const taut_factors *factors);
/* b [n] becomes the solution of the system, or of the transposed one, with factors inverted. */
void taut_small_solve(const taut_small *m, const taut_factors *factors, double *b);
void taut_small_solve_transposed(const taut_small *m, const taut_factors *factors, double *b);

#endif
