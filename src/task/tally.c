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

double taut_study_correlation(const taut_study *s, int a, int b) {
    const taut_spread x = taut_study_spread(s, a), y = taut_study_spread(s, b);
    double sum = 0.0;
    if (x.count < 2 || !(x.sd > 0.0) || !(y.sd > 0.0)) return (double)NAN;
    for (long i = 0; i < s->runs; i++)
        if (counts(s, i)) {
            const double product = (taut_study_value(s, i, a) - x.mean) / x.sd *
                                   ((taut_study_value(s, i, b) - y.mean) / y.sd);
            if (isfinite(product)) sum += product;
        }
    return fmax(-1.0, fmin(1.0, sum / (double)(x.count - 1)));
}
