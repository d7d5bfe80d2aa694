/* Statistics of a study's columns, over the runs that are ok, in their order. */
#include <math.h>

#include "task/study.h"

static bool counts(const taut_study *s, long run) { return s->finished[run] && !s->reason[run]; }

taut_spread taut_study_spread(const taut_study *s, int column) {
    taut_spread x = {0, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double squares = 0.0, mean = 0.0;
    if (!s || column < 0 || column >= taut_study_columns(s)) return x;
    for (long i = 0; i < s->runs; i++) {
        if (!counts(s, i)) continue;
        const double value = taut_study_value(s, i, column), off = value - mean;
        if (!isfinite(value)) continue;  /* an event that did not happen */
        mean += off / (double)++x.count; /* Welford */
        squares += off * (value - mean);
        x.min = fmin(x.min, value);
        x.max = fmax(x.max, value);
    }
    if (x.count > 0) x.mean = mean;
    if (x.count > 1) x.sd = sqrt(squares / (double)(x.count - 1));
    return x;
}

/* Over the runs in which both columns have a value: where an event did not happen, the other column
 * does not count either. */
double taut_study_correlation(const taut_study *s, int a, int b) {
    double n = 0.0, mean_a = 0.0, mean_b = 0.0, aa = 0.0, ab = 0.0, bb = 0.0;
    if (!s || a < 0 || b < 0 || a >= taut_study_columns(s) || b >= taut_study_columns(s))
        return (double)NAN;
    for (long i = 0; i < s->runs; i++) {
        if (!counts(s, i)) continue;
        const double x = taut_study_value(s, i, a), y = taut_study_value(s, i, b);
        if (!isfinite(x) || !isfinite(y)) continue;
        const double off_a = x - mean_a, off_b = y - mean_b;
        n += 1.0;
        mean_a += off_a / n;
        mean_b += off_b / n;
        aa += off_a * (x - mean_a);
        ab += off_a * (y - mean_b);
        bb += off_b * (y - mean_b);
    }
    if (n < 2.0 || !(aa > 0.0) || !(bb > 0.0)) return (double)NAN;
    return fmax(-1.0, fmin(1.0, ab / (sqrt(aa) * sqrt(bb))));
}
