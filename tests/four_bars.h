/* Four-bars from other starting speeds, and how far they are from where one angle has them. */
#ifndef TAUT_TESTS_FOUR_BARS_H
#define TAUT_TESTS_FOUR_BARS_H

#include "digits.h"

/* The example with every "[1, 0]", the velocity of each point, replaced. */
static inline void with_speed(const char *text, double speed, char *changed) {
    static const char OLD[] = "[1, 0]";
    int count = 0;
    *changed = '\0';
    assert_true(strlen(text) < 3000);
    for (const char *at; (at = strstr(text, OLD)); text = at + strlen(OLD), count++) {
        strncat(changed, text, (size_t)(at - text));
        sprintf(changed + strlen(changed), "[%.17g, 0]", speed);
    }
    strcat(changed, text);
    assert_true(count >= 2);
}

/* Largest distance of a point from where the angle puts it, rods being 1 long. */
static inline double largest_distance(const solution *a, const solution *b, int n) {
    double largest = 0.0;
    assert_int_equal(rows_of(a), rows_of(b));
    const int x0 = column_of(b, "A0x"), y0 = column_of(b, "A0y");
    for (int i = 0; i <= n; i++) {
        char x[24], y[24];
        snprintf(x, sizeof x, "A%dx", i);
        snprintf(y, sizeof y, "A%dy", i);
        const int ax = column_of(a, x), ay = column_of(a, y);
        for (long row = 0; row < rows_of(a); row++)
            largest = fmax(largest, hypot(taut_result_value(a->result, row, ax) - i -
                                              taut_result_value(b->result, row, x0),
                                          taut_result_value(a->result, row, ay) -
                                              taut_result_value(b->result, row, y0)));
    }
    return largest;
}

#endif
