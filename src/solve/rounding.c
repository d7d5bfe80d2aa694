/* One pass over the tape with absolute values instead of signs; or with the errors that rounding
 * makes, carried from arguments to results. */
#include "solve/rounding.h"

#include <float.h>
#include <math.h>

/* A sum of two or three operations may be off by so many units in the last place of its terms. */
static const double UNITS = 8.0;

/* A number of the tape as it is now: those that follow from parameters are the jet's. */
static double number_now(const taut_series *s, double made_with, int origin) {
    return origin ? s->jet->number[origin] : made_with;
}

static double size_of_sum(const taut_series *s, int i, const double *size) {
    const taut_instr *x = &s->tape->instr[i];
    double sum = fabs(number_now(s, s->tape->constant[i], s->tape->origin[i]));
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *term = &s->tape->term[k];
        if (term->p > 0) continue; /* a derivative: its size is among those of the result */
        sum += fabs(number_now(s, term->coef, term->origin)) * size[term->slot] *
               (term->other >= 0 ? size[term->other] : 1.0);
    }
    return sum;
}

void taut_rounding_find_sizes(const taut_series *s, double *length, double *size) {
    for (int i = 0; i < s->tape->size; i++) {
        length[i] = fabs(*taut_jet_at(s->jet, i, 0));
        if (s->tape->instr[i].kernel == TAUT_KERNEL_SUM)
            length[i] = fmax(length[i], size_of_sum(s, i, length));
    }
    for (int i = 0; i < s->system->n; i++) size[i] = length[s->equation[i]];
}

/* ---- errors, in units of the last place of 1 ---- */

static double value_of(const taut_series *s, int slot) {
    return fabs(*taut_jet_at(s->jet, slot, 0));
}

static double error_of_sum(const taut_series *s, int i, const double *error) {
    const taut_instr *x = &s->tape->instr[i];
    double sum = fabs(number_now(s, s->tape->constant[i], s->tape->origin[i]));
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *term = &s->tape->term[k];
        const double coef = fabs(number_now(s, term->coef, term->origin));
        if (term->p > 0) continue; /* a derivative: its size is among those of the result */
        if (term->other < 0)
            sum += coef * error[term->slot];
        else
            sum += coef * (error[term->slot] * value_of(s, term->other) +
                           value_of(s, term->slot) * error[term->other]);
    }
    return sum;
}

/* What a result makes of the errors of its arguments. */
static double carried(const taut_series *s, int i, const double *error) {
    const taut_instr *x = &s->tape->instr[i];
    const double value = value_of(s, i);
    double sum = 0.0;
    switch ((taut_kernel)x->kernel) {
    case TAUT_KERNEL_SUM: return error_of_sum(s, i, error);
    case TAUT_KERNEL_DIVIDE: return (error[x->a] + value * error[x->b]) / value_of(s, x->b);
    case TAUT_KERNEL_ROOT: return 0.5 * error[x->a] / value;
    case TAUT_KERNEL_CHAIN:
        for (int k = x->first; k < x->first + x->count; k++)
            sum += value_of(s, s->tape->term[k].other) * error[s->tape->term[k].slot];
        return sum;
    default: return 0.0;
    }
}

static void carry(const taut_series *s, double *error) {
    for (int i = 0; i < s->tape->size; i++) {
        const double own = value_of(s, i), more = carried(s, i, error);
        error[i] = isfinite(more) && more > own ? more : own;
    }
}

void taut_rounding_find(const taut_series *s, double *error, double *rounding) {
    carry(s, error);
    for (int i = 0; i < s->system->n; i++)
        rounding[i] = UNITS * DBL_EPSILON * error[s->equation[i]];
}

void taut_rounding_of_outputs(const taut_series *s, int first, int count, double *error,
                              double *rounding) {
    carry(s, error);
    for (int i = 0; i < count; i++) rounding[i] = UNITS * DBL_EPSILON * error[s->output[first + i]];
}
