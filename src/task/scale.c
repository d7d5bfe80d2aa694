/* Scales of columns. */
#include "task/scale.h"

#include <math.h>

static const double TINY = 1e-12;

/* The largest value by kind and order of differentiation. */
typedef struct sorts {
    double most[TAUT_COLUMN_REACTION + 1][TAUT_PRIMES_MAX + 1];
} sorts;

/* Row by row, as they are stored. */
static void add_sizes(const taut_result *r, double *size) {
    for (long i = 0; i < r->rows; i++) {
        const double *row = r->value + i * r->columns;
        for (int c = 0; c < r->columns; c++) {
            const double value = fabs(row[c]);
            if (isfinite(value) && value > size[c]) size[c] = value;
        }
    }
}

/* Coordinates and energies share a scale with all others; other columns stand alone. */
bool taut_scale_is_shared(taut_column_kind kind) {
    return kind == TAUT_COLUMN_POINT || kind == TAUT_COLUMN_VECTOR || kind == TAUT_COLUMN_ENERGY;
}

void taut_sizes_find(const taut_result *r, const taut_result *more, double *size) {
    for (int c = 0; c < r->columns; c++) size[c] = 0.0;
    add_sizes(r, size);
    if (more) add_sizes(more, size);
}

static sorts find_sorts(const taut_result *r, const taut_result *more, double *scale) {
    sorts s = {{{0}}};
    s.most[TAUT_COLUMN_ENERGY][0] = r->largest_kinetic;
    taut_sizes_find(r, more, scale);
    for (int c = 1; c < r->columns; c++) {
        double *most = &s.most[r->role[c].kind][r->role[c].order];
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
