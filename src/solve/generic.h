/* The rank of a matrix of which only the places of its entries are known: that of arbitrary numbers
 * there, found by a largest matching, so that no rounding has a say. */
#ifndef TAUT_SOLVE_GENERIC_H
#define TAUT_SOLVE_GENERIC_H

#include <stdbool.h>

#include "core/status.h"

/* Entries (row[e], column[e]), e < entries, of an m x n matrix; those with a negative column are
 * not there. loose (n): columns that take part in a dependency of columns. */
taut_status taut_generic_columns(int m, int n, int entries, const int *row, const int *column,
                                 bool *loose, int *rank);

#endif
