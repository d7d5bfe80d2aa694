/* An axis: a range, and ticks at round numbers in it. */
#ifndef TAUT_OUT_TICKS_H
#define TAUT_OUT_TICKS_H

#include <stdbool.h>
#include <stddef.h>

/* Ticks stand at (first + i) * unit * 10^power, i = 0 .. count - 1, where unit is 1, 2 or 5. */
typedef struct taut_axis {
    double lo, hi; /* the range, lo < hi */
    double first;  /* a whole number */
    int unit, power, count;
    int exponent; /* labels are to be multiplied by 10^exponent */
    int decimals; /* of the labels */
    bool log;     /* all of it are decimal logarithms; labels are the numbers themselves */
} taut_axis;

/* Makes an axis from a range with lo <= hi. An empty or tiny range is widened, so that neighbouring
 * ticks differ in the first six digits. There are at most `most` ticks, but at least
 * two (a few more, where the next coarser step would leave one). */
taut_axis taut_axis_make(double lo, double hi, int most);
/* The same for a range of decimal logarithms: ticks at whole powers of ten, if there are two. */
taut_axis taut_axis_make_log(double lo, double hi, int most);
/* Value of tick i; and its label, to be multiplied by 10^exponent. */
double taut_axis_tick(const taut_axis *axis, int i);
void taut_axis_label(const taut_axis *axis, int i, char *text, size_t size);
/* Where a value lies: 0 at lo, 1 at hi; never outside. */
double taut_axis_place(const taut_axis *axis, double value);

#endif
