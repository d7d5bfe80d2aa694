/* Singular values and right singular vectors of matrices with few columns. */
#ifndef TAUT_CORE_ROTATIONS_H
#define TAUT_CORE_ROTATIONS_H

/* A (m x n, by columns, m >= n) becomes U Sigma; sigma (n), largest first; v (n x n, by columns):
 * A = U Sigma V^T. One-sided rotations of Jacobi: small singular values keep their digits. */
void taut_rotate_columns(int m, int n, double *a, double *sigma, double *v);

#endif
