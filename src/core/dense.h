/* Dense linear algebra of small and middle-sized problems: least squares and rank. */
#ifndef TAUT_CORE_DENSE_H
#define TAUT_CORE_DENSE_H

#include <stdbool.h>

#include "core/status.h"

/* To be called before anything that uses BLAS behind our back: OpenBLAS then works in one thread.
 * The functions here do so themselves. */
void taut_blas_prepare(void);

/* The solution of least norm of A x = b (least squares if there is none). A (m x n, by columns) and
 * b (max(m, n) long; first m given) are overwritten, x is in b. rank is what a column-pivoted QR
 * finds with the relative threshold rcond. */
taut_status taut_least_norm(int m, int n, double *a, double *b, double rcond, int *rank);

/* The same, and what is not unique about it: `null` (n x (n - rank), by columns, room for n x n)
 * are orthonormal vectors with A z = 0. A and b (m long) are overwritten; x is n long. */
taut_status taut_least_norm_null(int m, int n, double *a, double *b, double rcond, double *x,
                                 double *null, int *rank);

/* Which columns of A (m x n, by columns, overwritten) take part in a linear dependency: dependent
 * (n), and the rank, by a column-pivoted QR with the relative threshold rcond. */
taut_status taut_dependent_columns(int m, int n, double *a, double rcond, bool *dependent,
                                   int *rank);

/* Column-pivoted QR of A (m x n, by columns, overwritten): order (n), with the columns that span
 * the others first, and the rank. */
taut_status taut_pivoted_columns(int m, int n, double *a, double rcond, int *order, int *rank);

#endif
