/* Which columns of a sparse matrix are independent, and which rows go with them: Gaussian
 * elimination with partial pivoting, column by column (Gilbert and Peierls), that leaves out
 * columns of which nothing is left. For matrices that are too large for pivoted QR (core/dense.h).
 */
#ifndef TAUT_CORE_INDEPENDENT_H
#define TAUT_CORE_INDEPENDENT_H

#include "core/status.h"

/* An m x n matrix in compressed columns: start (n+1), row and value (start[n]). */
typedef struct taut_sparse_columns {
    int m, n;
    const int *start, *row;
    const double *value;
} taut_sparse_columns;

/* pivot_row[j] (n) is the row that column j was eliminated with; -1: of the column not more than
 * limit times its largest entry is left beside those before it. *rank counts the others. */
taut_status taut_independent_columns(const taut_sparse_columns *a, double limit, int *pivot_row,
                                     int *rank);

#endif
