/* Ranges and ticks at steps of 1, 2 or 5 times a power of ten. */
#include "out/ticks.h"

#include <math.h>
#include <stdio.h>

#include "core/number.h"

static const double LEAST_SPAN = 1e-5; /* relative to the largest value */
static const double LARGEST = 1e300, SMALLEST = 1e-280;
static const double SLACK = 1e-9; /* of a step: rounding must not lose the ticks at the ends */

/* value * 10^power, with one rounding where power is small enough: 3 * 10^-1 is 0.3. */
static double shift(double value, int power) {
    if (power < -300) return value / pow(10.0, 300) / pow(10.0, -power - 300);
    return power < 0 ? value / pow(10.0, -power) : value * pow(10.0, power);
}

static void widen(double *lo, double *hi) {
    *lo = fmax(fmin(*lo, LARGEST), -LARGEST);
    *hi = fmin(fmax(*hi, *lo), LARGEST);
    const double size = fmax(fabs(*lo), fabs(*hi));
    const double least = size < SMALLEST ? 2.0 : LEAST_SPAN * size;
    if (*hi - *lo >= least) return;
    const double middle = *lo + (*hi - *lo) / 2.0;
    *lo = middle - least / 2.0;
    *hi = middle + least / 2.0;
}

/* Labels that are too long as they are get a common power of ten. */
static void choose_labels(taut_axis *a) {
    const double size = fmax(fabs(taut_axis_tick(a, 0)), fabs(taut_axis_tick(a, a->count - 1)));
    const int top = (int)floor(log10(size) + SLACK); /* of two ticks, one is not 0 */
    if (top >= 5 || top < -2) a->exponent = top;
    a->decimals = a->power < a->exponent ? a->exponent - a->power : 0;
}

/* Takes the step number k of 1, 2, 5, 10, ... times 10^start. */
static void take_step(taut_axis *a, int start, int k) {
    static const int unit[] = {1, 2, 5};
    a->unit = unit[k % 3];
    a->power = start + k / 3;
    const double step = shift(a->unit, a->power);
    a->first = ceil(a->lo / step - SLACK);
    a->count = (int)(floor(a->hi / step + SLACK) - a->first) + 1;
}

taut_axis taut_axis_make(double lo, double hi, int most) {
    taut_axis a = {0};
    widen(&lo, &hi);
    a.lo = lo;
    a.hi = hi;
    if (most < 2) most = 2;
    const int start = (int)floor(log10((hi - lo) / most)) - 1;
    int k = 0;
    do take_step(&a, start, k++);
    while (a.count > most);
    if (a.count < 2 && k > 1)
        take_step(&a, start, k - 2); /* a scale cannot be read from one tick */
    choose_labels(&a);
    return a;
}

taut_axis taut_axis_make_log(double lo, double hi, int most) {
    taut_axis a = taut_axis_make(lo, hi, most);
    if (shift(a.unit, a.power) < 1.0 && floor(a.hi + SLACK) > ceil(a.lo - SLACK))
        take_step(&a, 0, 0);
    a.exponent = 0;
    a.log = true;
    return a;
}

double taut_axis_tick(const taut_axis *a, int i) {
    return shift((a->first + i) * a->unit, a->power);
}

void taut_axis_label(const taut_axis *a, int i, char *text, size_t size) {
    if (a->log) {
        taut_format(text, size, "%.3g", pow(10.0, taut_axis_tick(a, i)));
        return;
    }
    /* from the whole number: no rounding can creep in; and no -0 */
    const double value = (a->first + i) * a->unit;
    taut_format(text, size, "%.*f", a->decimals,
                value == 0.0 ? 0.0 : shift(value, a->power - a->exponent));
}

double taut_axis_place(const taut_axis *a, double value) {
    return fmin(fmax((value - a->lo) / (a->hi - a->lo), 0.0), 1.0);
}
