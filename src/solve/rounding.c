/* One pass over the tape with absolute values instead of signs. */
#include "solve/rounding.h"

#include <float.h>
#include <math.h>

/* A sum of two or three operations may be off by so many units in the last place of its terms. */
static const double UNITS = 8.0;

static double size_of_sum(const taut_series *s, const taut_instr *x, double constant,
                          const double *size) {
    double sum = fabs(constant);
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *term = &s->tape->term[k];
        if (term->p > 0) continue; /* a derivative: its size is among those of the result */
        sum += fabs(term->coef) * size[term->slot] * (term->other >= 0 ? size[term->other] : 1.0);
    }
    return sum;
}

void taut_rounding_find_sizes(const taut_series *s, double *length, double *size) {
    for (int i = 0; i < s->tape->size; i++) {
        const taut_instr *x = &s->tape->instr[i];
        length[i] = fabs(*taut_jet_at(s->jet, i, 0));
        if (x->kernel == TAUT_KERNEL_SUM)
            length[i] = fmax(length[i], size_of_sum(s, x, s->tape->constant[i], length));
    }
    for (int i = 0; i < s->system->n; i++) size[i] = length[s->equation[i]];
}

void taut_rounding_find(const taut_series *s, double *size, double *rounding) {
    taut_rounding_find_sizes(s, size, rounding);
    for (int i = 0; i < s->system->n; i++) rounding[i] *= UNITS * DBL_EPSILON;
}
