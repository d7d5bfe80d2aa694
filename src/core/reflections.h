/* Householder QR, with and without column pivoting, and LU of small dense matrices, without a
 * library. Factors are stored in the layout of LAPACK (geqrf, geqp3), so that either can be used
 * afterwards. Entries and their squares must be finite. */
#ifndef TAUT_CORE_REFLECTIONS_H
#define TAUT_CORE_REFLECTIONS_H

#include <stdbool.h>

/* A = Q R by Householder reflections. A (m x n, by columns) becomes R above and the reflections
 * below the diagonal; tau (min(m, n)) are their factors. */
void taut_qr(int m, int n, double *a, double *tau);
/* The same with column pivoting (rank-revealing QR): the longest remaining column is next. order
 * (n) is the permutation: which column of A stands where. */
void taut_pivoted_qr(int m, int n, double *a, double *tau, int *order);
/* C (m x columns, by columns) becomes Q C or, transposed, Q^T C; Q has `count` reflections in a (m
 * rows) and tau. */
void taut_times_q(int m, int count, const double *a, const double *tau, bool transposed,
                  int columns, double *c);

/* Solves A X = B, A n x n and B n x sides, both by columns; X is in B, A is overwritten. False if A
 * is singular. */
bool taut_eliminate(int n, int sides, double *a, double *b);

#endif
