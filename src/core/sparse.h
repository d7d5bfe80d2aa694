/* Sparse linear systems with one pattern and many values: analyse once, factor often, solve often.
 */
#ifndef TAUT_CORE_SPARSE_H
#define TAUT_CORE_SPARSE_H

#include "core/small.h"
#include "core/status.h"
#include "core/unrolled.h"

typedef struct taut_lu taut_lu;

/* Pivots this much smaller than the largest one count as zero. */
#define TAUT_SINGULAR_PIVOT 1e-15

/* Analyses the n x n pattern in compressed columns: start (n+1), row (start[n]), rows sorted.
 * Copies what it needs. A pattern without a transversal is left to taut_lu_factor to find. */
taut_status taut_lu_create(int n, const int *start, const int *row, taut_lu **result);
/* The same for patterns that are far from symmetric: in blocks where it can be, columns ordered for
 * any choice of rows (COLAMD), and partial pivoting. Singularity is judged column by column,
 * whatever their scales; but pivots are chosen with row scaling only, so that badly scaled columns
 * may cost digits. */
taut_status taut_lu_create_lopsided(int n, const int *start, const int *row, taut_lu **result);
/* Another matrix of the same pattern and kind, for rough results: it keeps its pivots as long as
 * they leave a few digits. It borrows from `like`, which must outlive it. */
taut_status taut_lu_create_rough(const taut_lu *like, taut_lu **result);
/* Another matrix of the same pattern and kind, as if it had been created from the pattern anew. It
 * borrows from `like`, which must outlive it, and may be made while others use theirs. */
taut_status taut_lu_create_like(const taut_lu *like, taut_lu **result);
void taut_lu_free(taut_lu **lu);
/* Factors the matrix with these values (in the order of row[]). TAUT_SINGULAR if it is singular to
 * working precision: taut_lu_solve must then not be called. */
taut_status taut_lu_factor(taut_lu *lu, const double *value);
/* After a factor, if more than a few solves follow: inverts the factors of a small matrix, and
 * solves are products with these. They lose about as many digits as those by factors do. */
taut_status taut_lu_invert(taut_lu *lu);
/* What taut_small_solve works with (core/small.h), for whoever writes it out. NULL as long as there
 * are none. upper, row: for n > 1 only. */
typedef struct taut_inverses {
    const double *lower, *upper, *pivot, *scale;
    const int *row; /* [n] which row of the matrix each pivot is in */
} taut_inverses;
void taut_lu_inverses(const taut_lu *lu, taut_inverses *inverses);
/* The solution for n = 1, by these: as products do it. */
static inline double taut_lu_divide(const taut_inverses *inverses, double right) {
    return 0.0 + (0.0 + right * *inverses->scale) / *inverses->pivot;
}
/* Replaces b (n) by the solution. */
void taut_lu_solve(const taut_lu *lu, double *b);
/* b -= A x for the matrix A with these values. */
void taut_lu_take_product(const taut_lu *lu, const double *value, const double *x, double *b);
/* Solves for eight right-hand sides side by side, b[8 i + k] (8 n), with room for as many in
 * work; by the factors, even if they are inverted. */
enum { TAUT_LU_LANES = 8 };
void taut_lu_solve_eight(const taut_lu *lu, double *b, double *work);
/* Replaces b (n) by the solution of the transposed system. */
void taut_lu_solve_transposed(const taut_lu *lu, double *b);
/* A cheap estimate of the reciprocal condition number of the row-scaled matrix, after a factor. */
double taut_lu_rcond(const taut_lu *lu);
/* Pivots are kept as long as they suit, so results depend in their last bits on the matrix for
 * which they were chosen: its values (start[n]), NULL if there are none; and a factor with pivots
 * that are chosen anew, for whoever wants the same bits elsewhere. */
const double *taut_lu_pivoted(const taut_lu *lu);
taut_status taut_lu_repivot(taut_lu *lu, const double *value);
/* The choice of pivots of a small matrix, for whoever factors several with it (core/matrices). */
typedef struct taut_choice {
    const taut_factors *factors;
    const taut_rows_by_pivots *entries;
    double rcond; /* when it was made */
    long number;  /* how often pivots were chosen before */
    bool rough;   /* of a matrix for rough results */
} taut_choice;
/* False: there is none. */
bool taut_lu_choice(const taut_lu *lu, taut_choice *choice);
/* Does a matrix with this estimate of its condition and this largest multiplier keep its pivots? */
bool taut_lu_keeps(const taut_choice *choice, double rcond, double multiplier);
/* From the next factor on by these functions (core/unrolled.h), which must outlive the matrix,
 * wherever their pivots suit as well as those that are kept have to. The last digits are others
 * then, and there are no inverses and no eight right-hand sides. NULL: no longer; a factor must
 * follow. */
void taut_lu_unroll(taut_lu *lu, taut_unrolled *unrolled);
/* What these have made of the last factor; NULL: it was made without them. */
const taut_unrolled_numbers *taut_lu_unrolled(const taut_lu *lu);
/* The next factor chooses pivots anew, as if it were the first one. */
void taut_lu_forget(taut_lu *lu);

#endif
