/* States in tangent coordinates; the point behind them; when the coordinates change.
 *
 * y holds, level by level from the highest one down, the coordinates q of the bound variables and
 * then the loose variables themselves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/minimal_parts.h"

enum { MOST_PASSES = 10, MOST_PIECES = 8 };
/* Methods that remember keep a chart until it is stretched by this: 1/cos of the angle between its
 * directions and the motion's. */
static const double WORN = 2.0;
/* Where it is stretched by this, no step may use it. */
static const double TORN = 4.0;
/* In a step past a singular position errors may be as large as noise is there. */
static const double NOISE = 1e-11;
/* A correction beyond this, beside the scale, might lead anywhere. */
static const double BOLD = 0.1;
/* Newton's method has converged when the next correction would be this small beside the scale. */
static const double EXACT = 1e-16;

/* ---- the point behind a state ---- */

/* Puts values of all x_j^(k), k <= d_j, into the series. */
static void put(taut_minimal_flow *m, double t, const double *x) {
    taut_series_start(m->flow.series, t, 1.0);
    for (int j = 0; j < m->flow.system->n; j++)
        for (int k = 0; k <= m->flow.structure->offsets.d[j]; k++)
            taut_series_set(m->flow.series, j, k, x[m->trail.value[j] + k]);
}

static void predict(taut_minimal_flow *m, double t) {
    taut_trail_predict(&m->trail, t, m->x);
    put(m, t, m->x);
}

static int order_of(const taut_minimal_flow *m, int j, int level) {
    return m->flow.structure->offsets.d[j] - level;
}

static double get(const taut_minimal_flow *m, int j, int level) {
    return taut_series_get(m->flow.series, j, order_of(m, j, level));
}

static void set(taut_minimal_flow *m, int j, int level, double value) {
    taut_series_set(m->flow.series, j, order_of(m, j, level), value);
}

/* q [size] = origin + T^T x at the series' point. */
static void coordinates(const taut_minimal_flow *m, const taut_tangent *p, double *q) {
    memcpy(q, p->origin, (size_t)p->size * sizeof *q);
    for (int b = 0; b < p->bound; b++) {
        const double x = get(m, p->column[b], p->level);
        for (int k = 0; k < p->size; k++) q[k] += p->T[b * p->size + k] * x;
    }
}

static double relative(const taut_minimal_flow *m, int j, int level, double correction) {
    const double scale = taut_weights_scale(&m->weights, m->first[j] + order_of(m, j, level));
    return fabs(correction) / (scale > 0.0 ? scale : 1.0);
}

/* One correction towards the constraints, and then along them towards the coordinates y. Returns
 * its largest part beside the scales. */
static double correct(taut_minimal_flow *m, const taut_tangent *p, const double *y) {
    taut_series *s = m->flow.series;
    double largest = 0.0;
    taut_series_solve(s, -p->level);
    coordinates(m, p, m->z);
    for (int b = 0; b < p->bound; b++) {
        const int j = p->column[b];
        double along = 0.0;
        for (int k = 0; k < p->size; k++) along += p->N[b * p->size + k] * (y[k] - m->z[k]);
        set(m, j, p->level, get(m, j, p->level) + along);
        largest = fmax(largest, relative(m, j, p->level, s->y[j] + along));
    }
    for (int i = 0; i < p->loose; i++) set(m, p->loose_column[i], p->level, y[p->size + i]);
    return s->finite ? largest : (double)NAN;
}

/* J at the series' point, its factors, and the tangent space there. */
static taut_status find_tangent(taut_minimal_flow *m, taut_tangent *p) {
    taut_series *s = m->flow.series;
    taut_series_look(s, s->jacobian_stage > -p->level ? s->jacobian_stage : -p->level);
    TAUT_TRY(taut_series_factor(s));
    return taut_tangent_find(p, s);
}

/* The values of a level from its coordinates y, beginning with a prediction. J is not renewed on
 * the way: the error shrinks by a constant factor, small where the prediction is good. */
static taut_status settle_level(taut_minimal_flow *m, taut_tangent *p, const double *y) {
    double before = 1.0;
    for (int i = 0; i < p->loose; i++) set(m, p->loose_column[i], p->level, y[p->size + i]);
    if (p->bound == 0) return TAUT_OK;
    TAUT_TRY(find_tangent(m, p));
    if (taut_tangent_stretch(p) > TORN) return TAUT_ERR_NUMERICS;
    m->flow.series->finite = true;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        const double now = correct(m, p, y);
        if (!(now < BOLD)) return TAUT_ERR_NUMERICS;
        if (now * fmin(1.0, now / before) < EXACT) return TAUT_OK;
        if (pass > 0 && now > 0.5 * before) /* rounding, or nothing to be gained */
            return now < 1e-11 ? TAUT_OK : TAUT_ERR_NUMERICS;
        before = now;
    }
    return TAUT_ERR_NUMERICS;
}

static taut_status settle_levels(taut_minimal_flow *m, const double *y) {
    for (int level = m->levels; level > 0; level--)
        TAUT_TRY(settle_level(m, &m->tangent[level - 1], y + m->state[level - 1]));
    return TAUT_OK;
}

static bool is_numerical(taut_status status) {
    return status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS;
}

/* Where a prediction leads astray: from the last accepted point to (t, y) in small moves, each of
 * which begins where the one before ended. */
static taut_status walk(taut_minimal_flow *m, double t, const double *y, int pieces) {
    const double begin = m->trail.last.t;
    taut_trail_predict(&m->trail, begin, m->x);
    for (int i = 1; i <= pieces; i++) {
        const double s = (double)i / pieces;
        for (int k = 0; k < m->flow.states; k++)
            m->target[k] = m->here[k] + s * (y[k] - m->here[k]);
        put(m, begin + s * (t - begin), m->x);
        TAUT_TRY(settle_levels(m, i < pieces ? m->target : y));
        for (int j = 0; j < m->flow.system->n; j++)
            for (int k = 0; k < m->flow.structure->offsets.d[j]; k++)
                m->x[m->trail.value[j] + k] = taut_series_get(m->flow.series, j, k);
    }
    return TAUT_OK;
}

/* Puts the series at the point behind (t, y), and stage 0 there. Close to a singular position the
 * prediction is better than what the equations can tell. */
static taut_status expand(taut_minimal_flow *m, double t, const double *y) {
    const size_t size = (size_t)m->flow.states * sizeof *y;
    if (t == m->held_t && memcmp(y, m->held, size) == 0) return TAUT_OK;
    m->held_t = (double)NAN;
    predict(m, t);
    if (taut_crossing_is_near(&m->crossing, t)) {
        taut_series_look(m->flow.series, 0);
        return TAUT_OK;
    }
    taut_status status = settle_levels(m, y);
    for (int pieces = 2; pieces <= MOST_PIECES && is_numerical(status); pieces *= 2)
        status = walk(m, t, y, pieces);
    TAUT_TRY(status);
    TAUT_TRY(taut_series_settle(m->flow.series, false, NULL, NULL));
    m->held_t = t;
    memcpy(m->held, y, size);
    return TAUT_OK;
}

/* ---- rates ---- */

/* The coordinates of a level are T^T x, so their rates are T^T x' */
static taut_status rates(taut_flow *flow, double t, const double *y, double *rate) {
    taut_minimal_flow *m = (taut_minimal_flow *)flow;
    TAUT_TRY(expand(m, t, y));
    for (int level = 1; level <= m->levels; level++) {
        const taut_tangent *p = &m->tangent[level - 1];
        double *own = rate + m->state[level - 1];
        memset(own, 0, (size_t)p->size * sizeof *own);
        for (int b = 0; b < p->bound; b++) {
            const double x = get(m, p->column[b], level - 1);
            for (int k = 0; k < p->size; k++) own[k] += p->T[b * p->size + k] * x;
        }
        for (int i = 0; i < p->loose; i++) own[p->size + i] = get(m, p->loose_column[i], level - 1);
    }
    return TAUT_OK;
}

static void inside(taut_flow *flow, double t, double *x) {
    taut_trail_look(&((taut_minimal_flow *)flow)->trail, t, x);
}

/* The error that x_j may have at a level. Less than the noise of a step past a singular position is
 * not possible: steps would become shorter and evaluate ever closer to it. Passive variables count
 * as well: steps as long as these leave nothing of them otherwise. */
static double allowed_error(const taut_minimal_flow *m, int j, int level) {
    const int i = m->first[j] + order_of(m, j, level);
    const double scale = taut_weights_scale(&m->weights, i);
    const double error = m->weights.rtol * fabs(m->reached[i]) + m->weights.atol * scale;
    return taut_crossing_is_due(&m->crossing) ? fmax(error, NOISE * scale) : error;
}

/* What an error of a coordinate does to the values decides how large it may be. */
static void weights(const taut_flow *flow, const double *y, double *allowed) {
    const taut_minimal_flow *m = (const taut_minimal_flow *)flow;
    (void)y;
    for (int level = 1; level <= m->levels; level++) {
        const taut_tangent *p = &m->tangent[level - 1];
        double *own = allowed + m->state[level - 1];
        memset(own, 0, (size_t)p->size * sizeof *own);
        for (int b = 0; b < p->bound; b++) {
            const double error = allowed_error(m, p->column[b], level);
            for (int k = 0; k < p->size; k++) {
                const double x = p->N[b * p->size + k] / error;
                own[k] += x * x;
            }
        }
        for (int k = 0; k < p->size; k++) own[k] = 1.0 / sqrt(own[k]);
        for (int i = 0; i < p->loose; i++)
            own[p->size + i] = allowed_error(m, p->loose_column[i], level);
    }
}

/* ---- accepted points ---- */

/* Keeps the series' point. */
static void keep(taut_minimal_flow *m) {
    for (int i = 0; i < m->weights.states; i++)
        m->reached[i] = taut_series_get(m->flow.series, m->weights.state[i].variable,
                                        m->weights.state[i].order);
}

/* For taut_crossing_watch: what J needs at a distance from the last accepted point, along its
 * polynomial. */
static void place(void *user, double s) {
    taut_minimal_flow *m = user;
    predict(m, m->trail.last.t + s);
    taut_series_look(m->flow.series, m->flow.series->jacobian_stage);
}

static void watch(taut_minimal_flow *m, double t) {
    if (taut_crossing_watch(&m->crossing, t, place, m)) m->held_t = (double)NAN;
    m->flow.singular = m->crossing.singular;
}

static bool is_worn(const taut_minimal_flow *m) {
    for (int i = 0; i < m->levels; i++)
        if (taut_tangent_stretch(&m->tangent[i]) > WORN) return true;
    return false;
}

static taut_status reach(taut_flow *flow, double t, const double *y) {
    taut_minimal_flow *m = (taut_minimal_flow *)flow;
    TAUT_TRY(expand(m, t, y));
    flow->worn = is_worn(m);
    if (taut_crossing_is_near(&m->crossing, t)) return TAUT_OK; /* predictions go on from before */
    keep(m);
    taut_trail_add(&m->trail, flow->series, t);
    memcpy(m->here, y, (size_t)flow->states * sizeof *y);
    taut_weights_reach(&m->weights, m->reached);
    watch(m, t);
    return TAUT_OK;
}

/* The coordinates of the series' point. */
static void take(taut_minimal_flow *m, double t, double *y) {
    for (int level = 1; level <= m->levels; level++) {
        const taut_tangent *p = &m->tangent[level - 1];
        double *own = y + m->state[level - 1];
        coordinates(m, p, own);
        for (int i = 0; i < p->loose; i++) own[p->size + i] = get(m, p->loose_column[i], level);
    }
    m->held_t = t;
    memcpy(m->held, y, (size_t)m->flow.states * sizeof *y);
    memcpy(m->here, y, (size_t)m->flow.states * sizeof *y);
}

/* Coordinates of positions begin at 0 when there is a new basis; how far they had come is kept in
 * `path`, as the new basis sees it. */
static void end_coordinates(const taut_minimal_flow *m, taut_tangent *p, const double *q) {
    for (int k = 0; k < p->size; k++) p->path[k] += q[k];
    if (m->options.fresh) taut_tangent_turn(p, m->carried, m->basis, p->path);
}

static void begin_coordinates(taut_minimal_flow *m) {
    for (int level = 2; level <= m->levels; level++) {
        taut_tangent *p = &m->tangent[level - 1];
        memset(p->origin, 0, (size_t)p->size * sizeof *p->origin);
        coordinates(m, p, m->z);
        for (int k = 0; k < p->size; k++) p->origin[k] = -m->z[k];
    }
}

static taut_status renew(taut_flow *flow, double t, double *y, bool remembers, bool *changed) {
    taut_minimal_flow *m = (taut_minimal_flow *)flow;
    *changed = false;
    if (t == m->chosen || taut_crossing_is_near(&m->crossing, t)) return TAUT_OK;
    TAUT_TRY(expand(m, t, y));
    if (remembers && !is_worn(m)) return TAUT_OK;
    for (int i = m->levels - 1; i >= 0; i--) {
        taut_tangent *p = &m->tangent[i];
        if (p->size == 0 || p->shared) continue;
        *changed = true;
        TAUT_TRY(taut_tangent_find(p, flow->series));
        taut_tangent_carry(p, m->carried);
        if (m->options.fresh)
            TAUT_TRY(taut_tangent_basis(p, flow->series, m->options.subspace, m->basis));
        end_coordinates(m, p, y + m->state[i]);
        taut_tangent_adopt(p, m->options.fresh ? m->basis : m->carried);
    }
    if (!*changed) return TAUT_OK;
    m->chosen = t;
    flow->worn = false;
    begin_coordinates(m);
    take(m, t, y);
    return TAUT_OK;
}

/* ---- for whoever integrates them elsewhere ---- */

int taut_minimal_terms(const taut_flow *flow, int state, taut_minimal_term *term) {
    const taut_minimal_flow *m = (const taut_minimal_flow *)flow;
    int level = m->levels;
    while (level > 1 && state >= m->state[level - 2]) level--;
    const taut_tangent *p = &m->tangent[level - 1];
    const int k = state - m->state[level - 1];
    if (k >= p->size) {
        const int j = p->loose_column[k - p->size];
        term[0] = (taut_minimal_term){j, order_of(m, j, level), 1.0};
        return 1;
    }
    for (int b = 0; b < p->bound; b++)
        term[b] = (taut_minimal_term){p->column[b], order_of(m, p->column[b], level),
                                      p->T[b * p->size + k]};
    return p->bound;
}

/* ---- columns ---- */

/* Names of the coordinates of positions and of velocities, and of the entries of the basis of
 * positions, column by column. */
static bool column(const taut_flow *flow, int i, char *name, size_t size) {
    const taut_minimal_flow *m = (const taut_minimal_flow *)flow;
    if (m->levels < 2) return false;
    const taut_tangent *p = &m->tangent[1], *v = &m->tangent[0];
    const int rows = p->bound + p->loose;
    if (i < p->size) return snprintf(name, size, "q%d", i + 1) > 0;
    i -= p->size;
    if (i < v->size) return snprintf(name, size, "q%d'", i + 1) > 0;
    i -= v->size;
    if (i >= rows * p->size) return false;
    snprintf(name, size, "Q2_%s_%d", flow->system->unknown[m->variable[i % rows]].name,
             i / rows + 1);
    return true;
}

/* The basis at the series' point, carried there from T or found anew, into m->basis. */
static taut_status find_basis(taut_minimal_flow *m, taut_tangent *p) {
    taut_series *s = m->flow.series;
    TAUT_TRY(find_tangent(m, p));
    taut_tangent_carry(p, m->carried);
    if (m->options.fresh) return taut_tangent_basis(p, s, m->options.subspace, m->basis);
    memcpy(m->basis, m->carried, (size_t)(p->bound * p->size) * sizeof *m->basis);
    return TAUT_OK;
}

static taut_status row(taut_flow *flow, double t, double *row) {
    taut_minimal_flow *m = (taut_minimal_flow *)flow;
    if (m->levels < 2) return TAUT_OK;
    taut_tangent *p = &m->tangent[1], *v = &m->tangent[0];
    m->held_t = (double)NAN;
    taut_trail_look(&m->trail, t, m->x);
    put(m, t, m->x);
    TAUT_TRY(find_basis(m, p));
    coordinates(m, p, row);
    for (int k = 0; k < p->size; k++) row[k] += p->path[k];
    if (m->options.fresh) taut_tangent_turn(p, m->carried, m->basis, row);
    row += p->size;
    double *Q2 = row + v->size;
    for (int i = 0, b = 0; i < p->bound + p->loose; i++) {
        const bool bound = b < p->bound && p->column[b] == m->variable[i];
        for (int k = 0; k < p->size; k++)
            Q2[k * (p->bound + p->loose) + i] = bound ? m->basis[b * p->size + k] : 0.0;
        b += bound;
    }
    if (!v->shared) TAUT_TRY(find_basis(m, v));
    for (int k = 0; k < v->size; k++) {
        row[k] = 0.0;
        for (int b = 0; b < v->bound; b++)
            row[k] += m->basis[b * v->size + k] * get(m, v->column[b], 1);
    }
    return TAUT_OK;
}

/* ---- the flow ---- */

static taut_status start(taut_flow *flow, const taut_state *from, double *y, double *rate) {
    taut_minimal_flow *m = (taut_minimal_flow *)flow;
    const double t = from->t;
    const int *d = flow->structure->offsets.d;
    taut_series *s = flow->series;
    taut_series_start(s, t, 1.0);
    for (int j = 0; j < flow->system->n; j++)
        for (int k = 0; k <= d[j]; k++)
            taut_series_set(s, j, k,
                            k < taut_needed(flow->structure, j) ? *taut_state_at(from, j, k) : 0.0);
    TAUT_TRY(taut_series_settle(s, false, NULL, NULL));
    for (int i = m->levels - 1; i >= 0; i--) {
        taut_tangent *p = &m->tangent[i];
        memset(p->origin, 0, (size_t)p->size * sizeof *p->origin);
        memset(p->path, 0, (size_t)p->size * sizeof *p->path);
        if (p->size == 0 || p->shared) continue;
        TAUT_TRY(taut_tangent_basis(p, s, m->options.subspace, m->basis));
        taut_tangent_adopt(p, m->basis);
    }
    m->chosen = t;
    flow->worn = false;
    take(m, t, y);
    for (int i = 1; i < m->levels; i++)
        for (int k = 0; k < m->tangent[i].size; k++) m->tangent[i].path[k] = y[m->state[i] + k];
    begin_coordinates(m);
    take(m, t, y);
    keep(m);
    for (int i = 0; i < m->weights.states; i++)
        m->work[i] =
            taut_series_get(s, m->weights.state[i].variable, m->weights.state[i].order + 1);
    if (from->continued)
        taut_weights_reach(&m->weights, m->reached);
    else
        taut_weights_start(&m->weights, m->reached, m->work);
    taut_trail_begin(&m->trail, s, t);
    taut_crossing_begin(&m->crossing, t);
    watch(m, t);
    return rates(flow, t, y, rate);
}

static void release(taut_flow *flow) {
    taut_crossing_release(&((taut_minimal_flow *)flow)->crossing);
    taut_series_free(&flow->series);
}

static taut_status set_numbers(taut_flow *flow, const double *parameter) {
    taut_minimal_flow *m = (taut_minimal_flow *)flow;
    m->held_t = (double)NAN;
    TAUT_TRY(taut_series_set_numbers(flow->series, parameter));
    return taut_pole_set_numbers(&m->crossing.pole, parameter);
}

static void forget(taut_flow *flow) {
    taut_pole_restart(&((taut_minimal_flow *)flow)->crossing.pole);
}

static const taut_flow_kind KIND = {.release = release,
                                    .start = start,
                                    .rates = rates,
                                    .weights = weights,
                                    .reach = reach,
                                    .inside = inside,
                                    .renew = renew,
                                    .column = column,
                                    .row = row,
                                    .set_numbers = set_numbers,
                                    .forget = forget};

static taut_status create_tangents(taut_minimal_flow *m, taut_arena *arena) {
    m->levels = m->flow.structure->largest_d;
    m->tangent = TAUT_NEW_ARRAY(arena, m->levels, taut_tangent);
    m->state = TAUT_NEW_ARRAY(arena, m->levels, int);
    if (!m->tangent || !m->state) return TAUT_ERR_MEMORY;
    for (int i = m->levels - 1; i >= 0; i--) {
        const taut_tangent *above = i + 1 < m->levels ? &m->tangent[i + 1] : NULL;
        TAUT_TRY(taut_tangent_create(m->flow.structure, m->flow.series, i + 1, above, arena,
                                     &m->tangent[i]));
        m->state[i] = m->flow.states;
        m->flow.states += m->tangent[i].size + m->tangent[i].loose;
    }
    return TAUT_OK;
}

taut_status taut_minimal_create(const void *options, const taut_system *system,
                                const taut_structure *structure, const taut_stepping *stepping,
                                taut_arena *arena, taut_flow **flow) {
    taut_minimal_flow *m = TAUT_NEW(arena, taut_minimal_flow);
    if (!m) return TAUT_ERR_MEMORY;
    *m = (taut_minimal_flow){.flow = {.kind = &KIND, .system = system, .structure = structure},
                             .options = *(const taut_minimal_options *)options,
                             .held_t = (double)NAN};
    *flow = &m->flow;
    TAUT_TRY(taut_weights_create(system, structure, stepping, false, arena, &m->weights));
    TAUT_TRY(taut_trail_create(structure, arena, &m->trail));
    m->flow.value = m->trail.value;
    m->flow.values = m->trail.values;
    TAUT_TRY(taut_series_create(system, structure, TAUT_TRAIL_STAGES, NULL, 0, &m->flow.series));
    TAUT_TRY(create_tangents(m, arena));
    TAUT_TRY(taut_crossing_create(m->flow.series, arena, &m->crossing));
    int entries = 0;
    for (int i = 0; i < m->levels; i++) {
        const int own = m->tangent[i].bound * m->tangent[i].size;
        if (own > entries) entries = own;
    }
    m->first = TAUT_NEW_ARRAY(arena, structure->n, int);
    m->x = TAUT_NEW_ARRAY(arena, m->flow.values, double);
    m->reached = TAUT_NEW_ARRAY(arena, m->weights.states, double);
    m->work = TAUT_NEW_ARRAY(arena, m->weights.states, double);
    m->z = TAUT_NEW_ARRAY(arena, m->flow.states, double);
    m->held = TAUT_NEW_ARRAY(arena, m->flow.states, double);
    m->here = TAUT_NEW_ARRAY(arena, m->flow.states, double);
    m->carried = TAUT_NEW_ARRAY(arena, entries, double);
    m->basis = TAUT_NEW_ARRAY(arena, entries, double);
    m->variable = TAUT_NEW_ARRAY(arena, structure->n, int);
    m->target = TAUT_NEW_ARRAY(arena, m->flow.states, double);
    if (!m->carried || !m->basis || !m->variable) return TAUT_ERR_MEMORY;
    for (int j = 0, i = 0; j < structure->n; j++)
        if (structure->offsets.d[j] >= 2) m->variable[i++] = j;
    if (!m->first || !m->x || !m->reached || !m->work || !m->z || !m->held || !m->here ||
        !m->target)
        return TAUT_ERR_MEMORY;
    for (int i = m->weights.states - 1; i >= 0; i--) m->first[m->weights.state[i].variable] = i;
    return TAUT_OK;
}
