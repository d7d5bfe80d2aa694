/* Interval arithmetic on the programs of expr/sample. Every result is widened by a few units in the
 * last place, which covers the rounding of the operation and that of the C library. */
#include "expr/interval.h"

#include <float.h>
#include <math.h>

#include "expr/ops.h"

static const taut_interval WHOLE = {-(double)INFINITY, (double)INFINITY};

static taut_interval widened(double low, double high) {
    if (!(low <= high)) return WHOLE; /* not a number, or an empty one */
    const double slack = 8.0 * DBL_EPSILON;
    return (taut_interval){low - slack * fabs(low) - DBL_MIN, high + slack * fabs(high) + DBL_MIN};
}

static taut_interval product(taut_interval a, taut_interval b) {
    const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    double low = p[0], high = p[0];
    for (int i = 0; i < 4; i++) {
        if (isnan(p[i])) return WHOLE;
        low = fmin(low, p[i]);
        high = fmax(high, p[i]);
    }
    return widened(low, high);
}

static taut_interval square(taut_interval a) {
    const double x = a.low * a.low, y = a.high * a.high;
    return widened(a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(x, y), fmax(x, y));
}

static taut_interval quotient(taut_interval a, taut_interval b) {
    if (b.low <= 0.0 && b.high >= 0.0) return WHOLE;
    return product(a, widened(1.0 / b.high, 1.0 / b.low));
}

/* sin(x) has its extrema at pi/2 + k pi. */
static taut_interval sine(taut_interval a) {
    if (!(a.high - a.low < M_PI) || fabs(a.low) > 1e8) return (taut_interval){-1.0, 1.0};
    double low = fmin(sin(a.low), sin(a.high)), high = fmax(sin(a.low), sin(a.high));
    const double slack = 1e-6; /* near an extremum is as good as there */
    const double first = ceil((a.low - slack) / M_PI - 0.5);
    if ((first + 0.5) * M_PI <= a.high + slack) {
        if (fmod(fabs(first), 2.0) < 0.5)
            high = 1.0;
        else
            low = -1.0;
    }
    return widened(low, high);
}

/* Functions that grow or fall everywhere. */
static taut_interval monotone(taut_op op, taut_interval a) {
    const double x = taut_op_value(op, a.low, 0.0), y = taut_op_value(op, a.high, 0.0);
    return isnan(x) || isnan(y) ? WHOLE : widened(fmin(x, y), fmax(x, y));
}

static taut_interval function(taut_op op, taut_interval a) {
    switch (op) {
    case TAUT_OP_EXP:
    case TAUT_OP_LOG:
    case TAUT_OP_SQRT:
    case TAUT_OP_ATAN:
    case TAUT_OP_ASIN:
    case TAUT_OP_ACOS:
    case TAUT_OP_SINH:
    case TAUT_OP_TANH: return monotone(op, a);
    case TAUT_OP_SIN: return sine(a);
    case TAUT_OP_COS: return sine((taut_interval){a.low + M_PI_2, a.high + M_PI_2});
    case TAUT_OP_COSH: {
        const double x = cosh(a.low), y = cosh(a.high);
        return widened(a.low <= 0.0 && a.high >= 0.0 ? 1.0 : fmin(x, y), fmax(x, y));
    }
    default: return WHOLE;
    }
}

static taut_interval sum(const taut_tape *t, int slot, const taut_interval *work) {
    const taut_instr *x = &t->instr[slot];
    taut_interval s = {t->constant[slot], t->constant[slot]};
    if (x->count == 1 && t->term[x->first].other >= 0) { /* the product as it is */
        const taut_tape_term *term = &t->term[x->first];
        return term->slot == term->other ? square(work[term->slot])
                                         : product(work[term->slot], work[term->other]);
    }
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_interval a = work[t->term[k].slot];
        const double p = t->term[k].coef * a.low, q = t->term[k].coef * a.high;
        if (isnan(p) || isnan(q)) return WHOLE;
        s = widened(s.low + fmin(p, q), s.high + fmax(p, q));
    }
    return s;
}

static taut_interval range(const taut_tape *t, int slot, taut_interval times,
                           const taut_interval *work) {
    const taut_instr *x = &t->instr[slot];
    const taut_interval a = x->a >= 0 ? work[x->a] : WHOLE, b = x->b >= 0 ? work[x->b] : WHOLE;
    switch (x->kernel) {
    case TAUT_KERNEL_STEADY: return (taut_interval){t->constant[slot], t->constant[slot]};
    case TAUT_KERNEL_TIME: return times;
    case TAUT_KERNEL_SUM: return sum(t, slot, work);
    case TAUT_KERNEL_DIVIDE: return quotient(a, b);
    default: break;
    }
    if (x->op == TAUT_OP_POW) {
        if (!(a.low > 0.0) || b.low != b.high) return WHOLE;
        return widened(fmin(pow(a.low, b.low), pow(a.high, b.low)),
                       fmax(pow(a.low, b.low), pow(a.high, b.low)));
    }
    return function((taut_op)x->op, a);
}

taut_interval taut_sample_range(const taut_sample *s, int i, taut_interval times,
                                taut_interval *work) {
    const taut_tape *t = &s->plain.tape;
    const taut_tape_term *target = &s->plain.target[i];
    if (!taut_sample_is_timed(s, i)) return WHOLE;
    for (int k = 0; k <= target->slot; k++)
        if (!t->instr[k].active) work[k] = range(t, k, times, work);
    const taut_interval r = work[target->slot];
    return target->coef == 1.0 ? r : product((taut_interval){target->coef, target->coef}, r);
}
