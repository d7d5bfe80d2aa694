/* What every test includes first: cmocka with the headers it wants, and one way to compare numbers.
 */
#ifndef TAUT_TESTS_CHECK_H
#define TAUT_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* Fails unless |actual - expected| <= abs + rel |expected|; a NaN on either side fails, equal
 * infinities pass. */
#define assert_near(actual, expected, abs, rel)                                                    \
    check_near((actual), (expected), (abs), (rel), #actual, __FILE__, __LINE__)

static inline void check_near(double actual, double expected, double abs, double rel,
                              const char *what, const char *file, int line) {
    if (actual == expected || fabs(actual - expected) <= abs + rel * fabs(expected)) return;
    print_error("%s is %.17g, expected %.17g (difference %.3g)\n", what, actual, expected,
                actual - expected);
    _fail(file, line);
}

#endif
