/* A, B, C, D and values at a point, from variations in its directions. */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "task/linear_parts.h"

static const double ROUNDING = 1000.0 * 2.2e-16; /* of the terms of an entry */

/* The variation of a pick in all directions, and the sizes of its terms. */
static void vary(const taut_linear_spot *s, const taut_pick *pick, int above, double *value,
                 double *terms) {
    const taut_named *q = &s->catalogue.item[pick->item];
    if (!q->reacts) {
        taut_variational_all(s->v, q->slot, pick->level + above, value, terms);
        return;
    }
    const size_t columns = (size_t)s->reactions.reactions->columns;
    for (int k = 0; k < taut_variational_directions(s->v); k++) {
        value[k] = s->reactions.vary[(size_t)k * columns + (size_t)q->reaction];
        terms[k] = fabs(value[k]);
    }
}

/* The number of the state that is this derivative of a pick; -1: it is none. */
static int state_of(const taut_linear_spot *s, const taut_pick *pick, int above) {
    for (int k = 0; k < s->states.count; k++)
        if (s->states.item[k].item == pick->item && s->states.item[k].level == pick->level + above)
            return k;
    return -1;
}

/* Adds part * row to a sum, and its size to that of the terms. */
static void add_row(int count, double part, double size, const double *row, double *sum,
                    double *terms) {
    for (int k = 0; k < count; k++) {
        sum[k] += part * row[k];
        terms[k] += size * fabs(row[k]);
    }
}

/* Room for a row: in all directions, then by states and inputs. */
typedef struct row {
    double *value, *size; /* [directions] */
    double *sum, *terms;  /* [states + inputs] */
} row;

static taut_status row_create(const taut_linear_job *j, const taut_linear_spot *s,
                              taut_arena *arena, row *r) {
    const int all = taut_variational_directions(s->v), width = s->states.count + j->in.count;
    r->value = TAUT_NEW_ARRAY(arena, 2 * (all + width) + 1, double);
    if (!r->value) return TAUT_ERR_MEMORY;
    r->size = r->value + all;
    r->sum = r->size + all;
    r->terms = r->sum + width;
    return TAUT_OK;
}

/* A row of picks by states and inputs: what varies in directions, times directions by states. What
 * is no more than the rounding of its terms is 0: chains of free motions would turn it into
 * eigenvalues that are not there. */
static void fill_row(const taut_linear_job *j, const taut_linear_spot *s, const taut_pick *pick,
                     int above, const double *inverse, row *r) {
    const int n = s->states.count, m = j->in.count, width = n + m;
    vary(s, pick, above, r->value, r->size);
    memset(r->sum, 0, (size_t)n * sizeof *r->sum);
    memset(r->terms, 0, (size_t)n * sizeof *r->terms);
    memcpy(r->sum + n, r->value, (size_t)m * sizeof *r->sum);
    memcpy(r->terms + n, r->size, (size_t)m * sizeof *r->terms);
    for (int a = 0; a < n; a++)
        if (r->value[m + a] != 0.0 || r->size[m + a] != 0.0)
            add_row(width, r->value[m + a], r->size[m + a], inverse + (size_t)a * (size_t)width,
                    r->sum, r->terms);
    for (int k = 0; k < width; k++)
        if (fabs(r->sum[k]) <= ROUNDING * r->terms[k]) r->sum[k] = 0.0;
}

/* Rows of all picks; those that are states themselves need no computation. */
static taut_status fill_rows(const taut_linear_job *j, const taut_linear_spot *s,
                             const taut_picks *picks, int above, taut_arena *work,
                             const double *inverse, double *by_states, double *by_inputs) {
    const int n = s->states.count, m = j->in.count;
    row r;
    TAUT_TRY(row_create(j, s, work, &r));
    for (int i = 0; i < picks->count; i++) {
        const int own = state_of(s, &picks->item[i], above);
        if (own >= 0) {
            by_states[i * n + own] = 1.0;
            continue;
        }
        fill_row(j, s, &picks->item[i], above, inverse, &r);
        memcpy(by_states + (size_t)i * (size_t)n, r.sum, (size_t)n * sizeof *r.sum);
        memcpy(by_inputs + (size_t)i * (size_t)m, r.sum + n, (size_t)m * sizeof *r.sum);
    }
    return TAUT_OK;
}

/* Directions by states and inputs: W a = states - what inputs do to them directly. By rows: n + m
 * entries for each direction. */
static taut_status invert(const taut_linear_job *j, const taut_linear_spot *s, taut_arena *arena,
                          double **inverse) {
    const int n = s->states.count, m = j->in.count;
    double *w = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)n, double);
    double *x = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)(n + m) + 1, double);
    int *pivot = TAUT_NEW_ARRAY(arena, n, int);
    row r;
    TAUT_TRY(row_create(j, s, arena, &r));
    *inverse = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)(n + m) + 1, double);
    if (!w || !x || !pivot || !*inverse) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        vary(s, &s->states.item[i], 0, r.value, r.size);
        for (int a = 0; a < n; a++) w[a * n + i] = r.value[m + a];
        x[i * n + i] = 1.0;
        for (int u = 0; u < m; u++) x[(n + u) * n + i] = -r.value[u];
    }
    if (n > 0) TAUT_TRY(taut_dense_solve(n, n + m, w, x, pivot));
    for (int k = 0; k < n + m; k++)
        for (int a = 0; a < n; a++) (*inverse)[a * (n + m) + k] = x[k * n + a];
    return TAUT_OK;
}

/* Rows of further picks, if there are any, by states and by inputs (NULL: not wanted). */
static taut_status fill_further(const taut_linear_job *j, const taut_linear_spot *s,
                                const taut_picks *picks, taut_arena *work, const double *inverse,
                                double **by_states, double **by_inputs) {
    const size_t count = (size_t)picks->count;
    taut_arena *arena = &j->linear->arena;
    if (count == 0) return TAUT_OK;
    double *u = TAUT_NEW_ARRAY(arena, count * (size_t)j->in.count + 1, double);
    *by_states = TAUT_NEW_ARRAY(arena, count * (size_t)s->states.count + 1, double);
    if (by_inputs) *by_inputs = u;
    if (!*by_states || !u) return TAUT_ERR_MEMORY;
    return fill_rows(j, s, picks, 0, work, inverse, *by_states, u);
}

taut_status taut_linear_fill_matrices(const taut_linear_job *j, taut_linear_spot *s) {
    taut_arena work = {0};
    double *inverse;
    const size_t n = (size_t)s->states.count, m = (size_t)j->in.count, o = (size_t)s->outputs.count;
    taut_arena *arena = &j->linear->arena;
    s->A = TAUT_NEW_ARRAY(arena, n * n + 1, double);
    s->B = TAUT_NEW_ARRAY(arena, n * m + 1, double);
    s->C = TAUT_NEW_ARRAY(arena, o * n + 1, double);
    s->D = TAUT_NEW_ARRAY(arena, o * m + 1, double);
    taut_status status = s->A && s->B && s->C && s->D ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = invert(j, s, &work, &inverse);
    if (status == TAUT_OK) {
        status = fill_rows(j, s, &s->states, 1, &work, inverse, s->A, s->B);
    }
    if (status == TAUT_OK) {
        status = fill_rows(j, s, &s->outputs, 0, &work, inverse, s->C, s->D);
    }
    if (status == TAUT_OK) status = fill_further(j, s, &s->shapes, &work, inverse, &s->S, NULL);
    if (status == TAUT_OK) status = fill_further(j, s, &s->unknowns, &work, inverse, &s->R, &s->Ru);
    taut_arena_release(&work);
    return status;
}

taut_status taut_linear_fill_values(const taut_linear_job *j, const taut_linear_spot *s,
                                    const taut_picks *picks, int above, double **value) {
    *value = TAUT_NEW_ARRAY(&j->linear->arena, picks->count + 1, double);
    if (!*value) return TAUT_ERR_MEMORY;
    for (int i = 0; i < picks->count; i++) {
        const taut_named *q = &s->catalogue.item[picks->item[i].item];
        (*value)[i] = q->reacts
                          ? s->reactions.value[q->reaction]
                          : taut_variational_value(s->v, q->slot, picks->item[i].level + above);
    }
    return TAUT_OK;
}
