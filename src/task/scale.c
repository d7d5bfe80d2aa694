/* Scales of columns. */
#include "task/scale.h"

#include <math.h>

static const double TINY = 1e-12;

/* The largest value by kind and order of differentiation. */
typedef struct sorts {
    double most[TAUT_COLUMN_REACTION + 1][TAUT_PRIMES_MAX + 1];
} sorts;

static double largest(const taut_result *r, int column) {
    double most = 0.0;
    for (long i = 0; i < r->rows; i++) {
        const double value = fabs(r->value[i * r->columns + column]);
        if (isfinite(value)) most = fmax(most, value);
    }
    return most;
}

/* Coordinates and energies share a scale with all others; other columns stand alone. */
bool taut_scale_is_shared(taut_column_kind kind) {
    return kind == TAUT_COLUMN_POINT || kind == TAUT_COLUMN_VECTOR || kind == TAUT_COLUMN_ENERGY;
}

double taut_scale_own(const taut_result *r, const taut_result *more, int column) {
    return fmax(largest(r, column), more ? largest(more, column) : 0.0);
}

static sorts find_sorts(const taut_result *r, const taut_result *more, double *scale) {
    sorts s = {{{0}}};
    s.most[TAUT_COLUMN_ENERGY][0] = r->largest_kinetic;
    for (int c = 1; c < r->columns; c++) {
        double *most = &s.most[r->role[c].kind][r->role[c].order];
        scale[c] = taut_scale_own(r, more, c);
        *most = fmax(*most, scale[c]);
    }
    return s;
}

void taut_scales_find(const taut_result *r, const taut_result *more, double *scale, bool *tiny) {
    const sorts s = find_sorts(r, more, scale);
    for (int c = 1; c < r->columns; c++) {
        const double most = s.most[r->role[c].kind][r->role[c].order];
        if (taut_scale_is_shared(r->role[c].kind)) scale[c] = most;
        tiny[c] = scale[c] < TINY * most;
    }
}

/* A derivative is at least as large as what it differentiates, once in the span: what is tiny
 * beside that is rounding, even if all of its sort is. */
static void raise_derivatives(const taut_result *r, sorts *s) {
    const double *value = r->value;
    const double span =
        r->rows > 1 ? fabs(value[(r->rows - 1) * r->columns] - value[0]) : (double)INFINITY;
    for (int kind = 0; kind <= TAUT_COLUMN_REACTION; kind++)
        for (int k = 1; k <= TAUT_PRIMES_MAX && s->most[kind][k - 1] > 0.0; k++)
            s->most[kind][k] = fmax(s->most[kind][k], s->most[kind][k - 1] / span);
}

void taut_scales_find_safe(const taut_result *r, double *scale) {
    sorts s = find_sorts(r, NULL, scale);
    const sorts found = s;
    raise_derivatives(r, &s);
    for (int c = 1; c < r->columns; c++) {
        const taut_column_role role = r->role[c];
        if (taut_scale_is_shared(role.kind)) scale[c] = found.most[role.kind][role.order];
        if (scale[c] < TINY * s.most[role.kind][role.order])
            scale[c] = s.most[role.kind][role.order];
    }
}
