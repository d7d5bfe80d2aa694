/* The elimination of a small sparse matrix with given pivots, and solutions by its factors, as
 * straight lines of C: what is 0 costs nothing, and what stands where is in the code.
 *
 * The text depends on the pattern and on the pivots, not on values. */
#ifndef TAUT_CORE_UNROLLED_H
#define TAUT_CORE_UNROLLED_H

#include "core/small.h"
#include "core/text.h"

/* What the functions work with. In C it stands in the text as well, word by word. */
#define TAUT_UNROLLED_NUMBERS                                                                      \
    double *lower, *upper, *per, *scale;   /* of taut_factors; per: one over the pivots */         \
    double smallest, greatest, multiplier; /* what an elimination finds out (core/small.h) */
typedef struct taut_unrolled_numbers {
    TAUT_UNROLLED_NUMBERS
} taut_unrolled_numbers;

/* What is compiled of the text. */
typedef struct taut_unrolled {
    taut_unrolled_numbers numbers;
    void (*eliminate)(taut_unrolled_numbers *, const double *value);
    void (*solve)(const taut_unrolled_numbers *, double *b);
    void (*solve_transposed)(const taut_unrolled_numbers *, double *b);
} taut_unrolled;

/* Is that worth it? So many operations should stay in the cache for instructions. */
bool taut_unrolled_fits(const taut_factors *factors);
/* Memory for the numbers. */
taut_status taut_unrolled_reserve(const taut_factors *factors, taut_arena *arena,
                                  taut_unrolled_numbers *x);
/* Functions `eliminate`, `solve` and `solve_transposed`, for these pivots and patterns. */
void taut_unrolled_write(taut_string *text, const taut_factors *factors,
                         const taut_rows_by_pivots *entries);
/* Statements within a function, for numbers *f: x[j] = the solution for b[i] F[unit[i]], where
 * F[0] is 1. unit NULL: for b[i]. */
void taut_unrolled_write_solution(taut_string *text, const taut_factors *factors, const int *unit);

#endif
