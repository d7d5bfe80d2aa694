/* Dense linear algebra of small and middle-sized problems: least squares and rank. */
#ifndef TAUT_CORE_DENSE_H
#define TAUT_CORE_DENSE_H

#include <stdbool.h>

#include "core/status.h"

/* To be called before other libraries use BLAS (IPOPT does): sets OpenBLAS to one thread, or says
 * that there is no memory for it. The functions here do so themselves. */
taut_status taut_blas_prepare(void);

/* The solution of least norm of A x = b (least squares if there is none). A (m x n, by columns) and
 * b (max(m, n) long; first m given) are overwritten, x is in b. rank is what a column-pivoted QR
 * finds with the relative threshold rcond. */
taut_status taut_least_norm(int m, int n, double *a, double *b, double rcond, int *rank);

/* The same; fewer is the rank that it would find with the threshold `stricter`, or -1 if only
 * another factorisation would tell. */
taut_status taut_least_norm_ranks(int m, int n, double *a, double *b, double rcond, int *rank,
                                  double stricter, int *fewer);

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

/* Solves A X = B, A n x n and B n x sides, both by columns; X is in B, A is overwritten, pivot is
 * work space (n). TAUT_SINGULAR if A is. */
taut_status taut_dense_solve(int n, int sides, double *a, double *b, int *pivot);

/* How to find the null space of a matrix: from the QR factorisation of its transpose, from the
 * singular vectors of that, or from the eigenvectors of A^T A. */
typedef enum taut_null_method { TAUT_NULL_QR, TAUT_NULL_SVD, TAUT_NULL_EIG } taut_null_method;
/* An orthonormal basis of the null space of A (m x n, of rank m < n), of which the transpose is
 * given by columns, and overwritten: `basis` (n x (n - m), by rows). */
taut_status taut_null_basis(taut_null_method method, int m, int n, double *a, double *basis);

/* Scales a square matrix (by columns) so that its rows and columns are of similar size; its
 * eigenvalues stay, and its right eigenvectors times scale (n, powers of 2) are those of A. */
taut_status taut_scale_evenly(int n, double *a, double *scale);
/* Eigenvalues of A (n x n, by columns, overwritten) as real and imaginary parts, in no particular
 * order, right eigenvectors of length 1 (vector[k * n + i] is component i of the k-th), left ones
 * (NULL: not wanted), and condition numbers: how far an eigenvalue moves at most by a small change
 * of A. */
taut_status taut_eigen(int n, double *a, double (*value)[2], double (*vector)[2],
                       double (*left_vector)[2], double *condition);
/* Singular values of A (m x n, by columns, overwritten), largest first. */
taut_status taut_singular_values(int m, int n, double *a, double *sigma);

#endif
