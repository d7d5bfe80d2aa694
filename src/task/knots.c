/* Knots of the motion. A step is halved until cubics follow it; of ends of short steps only those
 * are kept that a cubic from the last knot to the newest end would miss. */
#include "task/knots.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "task/result.h"
#include "task/simulation.h"

enum {
    DEPTH = 24,  /* halvings of a step */
    WAITING = 16 /* ends of steps in one cubic */
};
static const double CLOSE = 1e-4; /* of the least distance in a body: cubic and motion, ... */
static const double WAY = 1e-3;   /* ... and of the way of a column that hardly moves, ... */
static const double LEAST = 1e-3; /* ... though not beyond this share of CLOSE */
static const double REST = 1e-12; /* of a rate, times the step, beside what is allowed: the same */

static double *row_of(const taut_knots *k, int i) { return k->row + (size_t)i * (size_t)k->width; }

/* ---- how close ---- */

typedef struct places {
    const taut_mechanism *mechanism;
    const double *fixed, *row;
    int (*of)[3];
} places;

static double component(const places *p, int e, int i) {
    return p->of[e][i] >= 0 ? p->row[p->of[e][i]] : p->fixed[3 * e + i];
}

static double distance(const places *p, int a, int b) {
    double sum = 0.0;
    for (int i = 0; i < p->mechanism->dimension; i++)
        sum += pow(component(p, a, i) - component(p, b, i), 2.0);
    return sqrt(sum);
}

/* The least distance of each point from others of its bodies. */
static void measure(const places *p, double *least) {
    const taut_mechanism *m = p->mechanism;
    for (int e = 0; e < m->elements; e++) least[e] = HUGE_VAL;
    for (int b = 0; b < m->bodies; b++) {
        const taut_body *body = &m->body[b];
        for (int i = 0; i < body->elements; i++)
            for (int k = 0; k < i; k++) {
                const int x = body->element[i], y = body->element[k];
                if (m->element[x].is_vector || m->element[y].is_vector) continue;
                const double d = distance(p, x, y);
                if (!(d > 0.0)) continue;
                least[x] = fmin(least[x], d);
                least[y] = fmin(least[y], d);
            }
    }
}

/* What each column is measured by: of points that are alone the least of all bodies. */
static taut_status find_sizes(taut_knots *k, const places *p) {
    const taut_mechanism *m = p->mechanism;
    double *least = TAUT_NEW_ARRAY(&k->arena, m->elements + 1, double);
    double *by_column = TAUT_NEW_ARRAY(&k->arena, k->width, double), smallest = HUGE_VAL;
    if (!least || !by_column) return TAUT_ERR_MEMORY;
    measure(p, least);
    for (int e = 0; e < m->elements; e++) smallest = fmin(smallest, least[e]);
    for (int e = 0; e < m->elements; e++)
        for (int i = 0; i < m->dimension; i++) {
            const double size = m->element[e].is_vector ? 1.0
                                : isfinite(least[e])    ? least[e]
                                                        : smallest;
            double *x = p->of[e][i] >= 0 ? &by_column[p->of[e][i]] : NULL;
            if (x) *x = *x > 0.0 ? fmin(*x, size) : size;
        }
    for (int c = 0; c < k->columns; c++) k->size[c] = by_column[k->column[c]];
    return TAUT_OK;
}

/* How close cubics have to be, after the motion has come to a row: bodies are to keep their shapes,
 * and small motions theirs, as far as floats tell them. */
static void allow(taut_knots *k, const double *row) {
    double spread = 0.0;
    for (int c = 0; c < k->columns; c++) {
        k->low[c] = fmin(k->low[c], row[k->column[c]]);
        k->high[c] = fmax(k->high[c], row[k->column[c]]);
        spread = fmax(spread, k->high[c] - k->low[c]);
    }
    for (int c = 0; c < k->columns; c++) {
        const double close = CLOSE * (isfinite(k->size[c]) ? k->size[c] : spread);
        const double floats = (double)FLT_EPSILON * fmax(fabs(k->low[c]), fabs(k->high[c]));
        const double way = fmax(WAY * (k->high[c] - k->low[c]), LEAST * close);
        k->allowed[c] = fmax(fmin(close, way), floats);
    }
}

/* ---- keeping ---- */

static taut_status keep(taut_knots *k, const double *row) {
    const size_t values = 2 * (size_t)k->columns, at = (size_t)k->knots;
    for (int c = 0; c < k->columns && isnan(k->until); c++) /* floats must be fine enough */
        if (fabs(row[k->column[c]]) * (double)FLT_EPSILON > CLOSE * k->size[c]) k->until = row[0];
    if ((at + 1) * taut_knot_bytes(k->columns) > k->most && isnan(k->until))
        k->until = at > 0 ? k->time[at - 1] : row[0];
    if (!isnan(k->until)) return TAUT_OK;
    if (taut_grow((void **)&k->time, &k->time_room, at + 1, sizeof *k->time) ||
        taut_grow((void **)&k->value, &k->value_room, (at + 1) * values, sizeof *k->value))
        return TAUT_ERR_MEMORY;
    k->time[at] = row[0];
    if (at > 0) k->longest = fmax(k->longest, fabs(row[0] - k->time[at - 1]));
    for (int c = 0; c < k->columns; c++) {
        k->value[at * values + 2 * (size_t)c] = (float)row[k->column[c]];
        k->value[at * values + 2 * (size_t)c + 1] = (float)row[k->column[c] + 1];
    }
    k->knots++;
    memmove(row_of(k, 0), row, (size_t)k->width * sizeof *row);
    return TAUT_OK;
}

/* Is a row on the cubics between two others? */
static bool is_between(const taut_knots *k, const double *a, const double *row, const double *b) {
    const double h = b[0] - a[0], s = h != 0.0 ? (row[0] - a[0]) / h : 0.0, r = 1.0 - s;
    for (int c = 0; c < k->columns; c++) {
        const int i = k->column[c];
        const double x = r * r * (1.0 + 2.0 * s) * a[i] + s * s * (1.0 + 2.0 * r) * b[i] +
                         h * r * s * (r * a[i + 1] - s * b[i + 1]);
        if (!(fabs(x - row[i]) <= k->allowed[c])) return false;
    }
    return true;
}

/* The next end of a piece that a cubic follows. */
static taut_status add(taut_knots *k, const double *row) {
    bool all = k->waiting < WAITING;
    for (int i = 1; i <= k->waiting && all; i++)
        all = is_between(k, row_of(k, 0), row_of(k, i), row);
    if (!all) {
        TAUT_TRY(keep(k, row_of(k, k->waiting)));
        k->waiting = 0;
    }
    memmove(row_of(k, ++k->waiting), row, (size_t)k->width * sizeof *row);
    return TAUT_OK;
}

/* ---- a step ---- */

/* Adds the end b of a piece from a on, and what is needed before it. */
static taut_status divide(taut_knots *k, taut_simulation *s, const double *a, const double *b,
                          int depth) {
    double *middle = row_of(k, 1 + WAITING + 2 * depth), *quarter = middle + k->width;
    int missing;
    const double h = b[0] - a[0];
    bool good = depth + 1 >= DEPTH || h == 0.0;
    if (!good) {
        TAUT_TRY(taut_simulation_fill(s, a[0] + 0.5 * h, middle, &missing));
        good = is_between(k, a, middle, b);
        for (int i = 1; i <= 3 && good; i += 2) {
            TAUT_TRY(taut_simulation_fill(s, a[0] + 0.25 * i * h, quarter, &missing));
            good = is_between(k, a, quarter, b);
        }
    }
    if (good) return add(k, b);
    TAUT_TRY(divide(k, s, a, middle, depth + 1));
    return divide(k, s, middle, b, depth + 1);
}

/* Do the rates jump where the step begins? */
static bool jumps(const taut_knots *k, const double *a, const double *b, double h) {
    for (int c = 0; c < k->columns; c++) {
        const int i = k->column[c];
        if (fabs(a[i] - b[i]) > k->allowed[c] * REST + 8.0 * DBL_EPSILON * fabs(a[i]) ||
            fabs(a[i + 1] - b[i + 1]) * fabs(h) > 1e-3 * k->allowed[c])
            return true;
    }
    return false;
}

taut_status taut_knots_step(taut_knots *k, taut_simulation *s) {
    if (k->columns == 0 || !isnan(k->until)) return TAUT_OK;
    double *begin = row_of(k, 1 + WAITING + 2 * DEPTH), *end = begin + k->width;
    const double from = s->stepper->begin, to = taut_simulation_reached(s);
    int missing;
    TAUT_TRY(taut_simulation_fill(s, from, begin, &missing));
    TAUT_TRY(taut_simulation_fill(s, to, end, &missing));
    allow(k, begin);
    allow(k, end);
    if (s->happen && jumps(k, row_of(k, k->waiting), begin, to - from)) {
        if (k->waiting > 0) TAUT_TRY(keep(k, row_of(k, k->waiting)));
        TAUT_TRY(keep(k, begin));
        k->waiting = 0;
    }
    return divide(k, s, begin, end, 0);
}

taut_status taut_knots_finish(taut_knots *k) {
    if (k->columns == 0 || k->waiting == 0) return TAUT_OK;
    const taut_status status = keep(k, row_of(k, k->waiting));
    k->waiting = 0;
    return status;
}

/* ---- begin and end ---- */

taut_status taut_knots_begin(taut_knots *k, taut_simulation *s, const taut_result *result,
                             size_t most) {
    const taut_mechanism *m = s->prepared->problem->model->mechanism;
    int missing;
    *k = (taut_knots){.until = (double)NAN, .width = s->columns, .most = most};
    if (!m) return TAUT_OK;
    k->column = TAUT_NEW_ARRAY(&k->arena, s->columns, int);
    k->allowed = TAUT_NEW_ARRAY(&k->arena, s->columns, double);
    k->row =
        TAUT_NEW_ARRAY(&k->arena, (size_t)(3 + WAITING + 2 * DEPTH) * (size_t)s->columns, double);
    places p = {.mechanism = m,
                .fixed = result->description.fixed,
                .row = k->row,
                .of = taut_arena_array(&k->arena, (size_t)m->elements + 1, sizeof *p.of)};
    k->size = TAUT_NEW_ARRAY(&k->arena, s->columns, double);
    k->low = TAUT_NEW_ARRAY(&k->arena, s->columns, double);
    k->high = TAUT_NEW_ARRAY(&k->arena, s->columns, double);
    if (!k->column || !k->allowed || !k->size || !k->low || !k->high || !k->row || !p.of)
        return TAUT_ERR_MEMORY;
    for (int c = 0; c + 1 < s->columns; c++) {
        const taut_column_role *x = &result->role[c];
        const bool moves = x->kind == TAUT_COLUMN_POINT || x->kind == TAUT_COLUMN_VECTOR;
        if (moves && x->order == 0 && x[1].kind == x->kind && x[1].order == 1)
            k->column[k->columns++] = c;
    }
    if (k->columns == 0) return TAUT_OK;
    taut_describe_columns(m, p.fixed, result->name, s->columns, p.of);
    TAUT_TRY(taut_simulation_fill(s, taut_simulation_reached(s), k->row, &missing));
    TAUT_TRY(find_sizes(k, &p));
    for (int c = 0; c < k->columns; c++) k->low[c] = k->high[c] = k->row[k->column[c]];
    allow(k, k->row);
    return keep(k, k->row);
}

void taut_knots_release(taut_knots *k) {
    taut_release((void **)&k->time);
    taut_release((void **)&k->value);
    taut_arena_release(&k->arena);
    *k = (taut_knots){0};
}
