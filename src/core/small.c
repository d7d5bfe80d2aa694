/* Lanes are columns in an elimination, and rows of the triangles' inverses. */
#include "core/small.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/bits.h"
#include "core/lanes.h"

enum { MOST_PARTS = 6 };

#define WIDTH 2
#define FOR_WIDTH(name) name##_by_two
#define FOR_PROCESSORS
#include "core/small_loops.h"

#if TAUT_WIDER
#define WIDTH 4
#define FOR_WIDTH(name) name##_by_four
#define FOR_PROCESSORS TAUT_FOR_FOUR
#include "core/small_loops.h"

#define WIDTH 8
#define FOR_WIDTH(name) name##_by_eight
#define FOR_PROCESSORS TAUT_FOR_EIGHT
#include "core/small_loops.h"
#endif

static int parts_of(int n) { return (n + TAUT_SMALL_LANES - 1) / TAUT_SMALL_LANES; }

bool taut_small_fits(int n) { return parts_of(n) <= MOST_PARTS; }

static taut_status by_columns(const taut_triangle *t, int n, taut_arena *arena, taut_sparsity *c) {
    const int entries = t->start[n];
    c->start = TAUT_NEW_ARRAY(arena, n + 2, int);
    c->row = TAUT_NEW_ARRAY(arena, entries, int);
    c->number = TAUT_NEW_ARRAY(arena, entries, int);
    if (!c->start || !c->row || !c->number) return TAUT_ERR_MEMORY;
    int *next = c->start + 1; /* becomes the start when all are in */
    for (int k = 0; k < entries; k++)
        if (t->column[k] + 1 < n) next[t->column[k] + 1]++;
    for (int j = 0; j < n; j++) next[j + 1] += next[j];
    for (int i = 0; i < n; i++)
        for (int k = t->start[i]; k < t->start[i + 1]; k++) {
            const int at = next[t->column[k]]++;
            c->row[at] = i;
            c->number[at] = k;
        }
    return TAUT_OK;
}

taut_status taut_small_create(const taut_factors *f, taut_rows_by_pivots entries, taut_arena *arena,
                              taut_small *m) {
    const int n = f->n, parts = parts_of(n);
    *m = (taut_small){.n = n, .parts = parts, .entries = entries};
    m->rows = TAUT_NEW_ARRAY(arena, n * parts * TAUT_SMALL_LANES, double);
    m->largest = TAUT_NEW_ARRAY(arena, n, double);
    if (!m->rows || !m->largest) return TAUT_ERR_MEMORY;
    return by_columns(&f->lower, n, arena, &m->below);
}

taut_status taut_small_reserve(const taut_factors *f, taut_arena *arena, taut_small *m) {
    const int n = m->n, length = m->parts * TAUT_SMALL_LANES;
    if (m->ready) return TAUT_OK;
    m->lower = TAUT_NEW_ARRAY(arena, n * length, double);
    m->upper = TAUT_NEW_ARRAY(arena, n * length, double);
    m->pivot = TAUT_NEW_ARRAY(arena, length, double);
    m->x = TAUT_NEW_ARRAY(arena, length, double);
    m->y = TAUT_NEW_ARRAY(arena, length, double);
    if (!m->lower || !m->upper || !m->pivot || !m->x || !m->y) return TAUT_ERR_MEMORY;
    for (int k = n; k < length; k++) m->pivot[k] = 1.0;
    TAUT_TRY(by_columns(&f->upper, n, arena, &m->above));
    m->ready = true;
    return TAUT_OK;
}

bool taut_small_eliminate(const taut_small *m, taut_factors *f, const double *value,
                          double singular, taut_elimination *found) {
    return TAUT_BY_WIDTH(eliminate)(m, f, value, singular, found);
}

void taut_small_invert(const taut_small *m, const taut_factors *f) { TAUT_BY_WIDTH(invert)(m, f); }

void taut_small_solve(const taut_small *m, const taut_factors *f, double *b) {
    TAUT_BY_WIDTH(multiply)(m, f, b);
}

void taut_small_solve_transposed(const taut_small *m, const taut_factors *f, double *b) {
    const size_t length = (size_t)m->parts * TAUT_SMALL_LANES;
    memset(m->x, 0, length * sizeof *b);
    memcpy(m->x, b, (size_t)m->n * sizeof *b);
    TAUT_BY_WIDTH(multiply_transposed)(m, f, b);
}
