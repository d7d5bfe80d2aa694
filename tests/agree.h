/* Two models of one motion must agree, column by column, over the whole run. */
#ifndef TAUT_TESTS_AGREE_H
#define TAUT_TESTS_AGREE_H

#include "solve_text.h"

/* Fails unless the columns (NULL ends the list) of two solutions agree to `digits` digits of the
 * column's scale, or of 1 if that is larger. */
static inline void must_agree(const solution *a, const solution *b, const char *const *column,
                              double digits) {
    assert_int_equal(rows_of(a), rows_of(b));
    for (; *column; column++) {
        const int ca = column_of(a, *column), cb = column_of(b, *column);
        const double limit = pow(10.0, -digits) * fmax(1.0, scale_of(b, *column));
        for (long i = 0; i < rows_of(a); i++) {
            const double x = taut_result_value(a->result, i, ca);
            const double y = taut_result_value(b->result, i, cb);
            if (!(fabs(x - y) <= limit))
                fail_msg("%s at t = %g: %.17g and %.17g differ by %.3g", *column,
                         taut_result_value(a->result, i, 0), x, y, x - y);
        }
    }
}

/* The same for the texts of two models, at a tolerance of 1e-13. */
static inline void texts_must_agree(const char *one, const char *other, const char *const *column,
                                    double digits) {
    const taut_run_options options = at_tolerance(1e-13);
    solution *a = solve_text(one, &options), *b = solve_text(other, &options);
    must_agree(a, b, column, digits);
    solution_free(a);
    solution_free(b);
}

#endif
