/* Two ways to see a column over a step. Where the solver has Taylor coefficients, the column's own
 * follow from them (solve/watched), and it is a polynomial. Otherwise (ordinary integrators, forces
 * in joints, a step past a singular position) rows are taken at Chebyshev's points, as many as
 * resolve what a step of that method can be.
 *
 * At the end of a Taylor step accelerations and multipliers have lost digits (task/observe). Where
 * an extremum of such a column is depends little on that, and what it is is taken from a row. */
#include "task/meter_parts.h"

#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "task/chebyshev.h"
#include "task/extremum.h"

enum { MOST_ORDER = 64 };

/* ---- creation ---- */

taut_status taut_meter_create(const taut_figure *figure, int count, taut_meter **meter) {
    taut_meter *m = *meter = taut_new(sizeof *m);
    if (!m) return TAUT_ERR_MEMORY;
    *m = (taut_meter){.figure = figure, .count = count};
    m->gauge = TAUT_NEW_ARRAY(&m->arena, count, taut_gauge);
    m->node = TAUT_NEW_ARRAY(&m->arena, count, taut_node);
    m->course = TAUT_NEW_ARRAY(&m->arena, TAUT_EXTREMUM_MOST + 1, double);
    taut_chebyshev_points(TAUT_METER_FEW - 1, m->point[0], m->weight[0]);
    taut_chebyshev_points(TAUT_METER_MANY - 1, m->point[1], m->weight[1]);
    if (m->gauge && m->node && m->course) return TAUT_OK;
    taut_meter_free(meter);
    return TAUT_ERR_MEMORY;
}

void taut_meter_free(taut_meter **meter) {
    if (!*meter) return;
    taut_watched_free(&(*meter)->watched);
    taut_release((void **)&(*meter)->edge);
    taut_release((void **)&(*meter)->row);
    taut_release((void **)&(*meter)->sample);
    taut_arena_release(&(*meter)->arena);
    taut_release((void **)meter);
}

/* ---- what is watched ---- */

bool taut_meter_is_watched(const taut_figure *o) { return o->kind < TAUT_FIGURE_END; }

bool taut_meter_is_extremum(const taut_figure *o) { return o->kind <= TAUT_FIGURE_RANGE; }

/* Where each column comes from in the equations of now. */
static void find_sources(taut_meter *m, const taut_simulation *s) {
    m->nodes = 0;
    for (int i = 0; i < m->count; i++) {
        taut_gauge *g = &m->gauge[i];
        taut_column_source source;
        if (!taut_figure_is_of_run(&m->figure[i])) continue;
        g->sampled = !taut_observer_source(s->observer, g->column, &source);
        if (g->sampled || !taut_meter_is_watched(&m->figure[i])) continue;
        g->order = source.order;
        g->exact = source.of_state;
        for (g->node = 0; g->node < m->nodes && m->node[g->node] != source.node;) g->node++;
        if (g->node == m->nodes) m->node[m->nodes++] = source.node;
    }
}

/* Which derivatives of the watched nodes are columns; what is not linear in the state has all
 * digits in rows only. */
static void attend_nodes(const taut_meter *m) {
    for (int i = 0; i < m->count; i++) {
        taut_gauge *g = &m->gauge[i];
        if (!taut_figure_is_of_run(&m->figure[i]) || g->sampled ||
            !taut_meter_is_watched(&m->figure[i]))
            continue;
        int *most = &m->watched->derivative[g->node];
        if (g->order > *most) *most = g->order;
        if (m->watched->kind[g->node] != TAUT_WATCHED_LINEAR) g->exact = false;
    }
}

/* The numbers of this run, for the watched nodes. */
static taut_status take_numbers(taut_meter *m, const taut_simulation *s) {
    const double *number = taut_refresh_numbers(s);
    m->blind = false;
    if (m->watched) attend_nodes(m);
    if (!m->watched || !number) return TAUT_OK;
    const taut_status status = taut_watched_set_numbers(m->watched, number);
    m->blind = status != TAUT_OK;
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* Watches the equations that the simulation has now. Those of a mechanism with redundant
 * constraints may change at any step, so they are not watched. */
static taut_status attend(taut_meter *m, taut_simulation *s) {
    const taut_problem *problem = s->prepared->full ? NULL : s->prepared->problem;
    if (m->problem == problem && m->compilation == s->stats.compilations) return TAUT_OK;
    taut_watched_free(&m->watched);
    m->problem = problem;
    m->compilation = s->stats.compilations;
    if (!problem) return TAUT_OK;
    find_sources(m, s);
    if (m->nodes > 0)
        TAUT_TRY(taut_watched_create(&problem->system, &s->prepared->structure,
                                     &(taut_watching){.node = m->node,
                                                      .count = m->nodes,
                                                      .order = s->method->ordinary ? 1 : MOST_ORDER,
                                                      .tol = fmax(s->options.rtol, s->options.atol),
                                                      .span = fabs(s->tend - m->t0)},
                                     &m->watched));
    return take_numbers(m, s);
}

/* ---- rows ---- */

static taut_status find_row(taut_meter *m, taut_simulation *s, double t, taut_errors *errors) {
    if (taut_grow((void **)&m->row, &m->row_room, (size_t)s->columns, sizeof *m->row))
        return TAUT_ERR_MEMORY;
    return taut_simulation_row(s, t, m->row, errors);
}

void taut_meter_meet(taut_gauge *g, double value, double t) {
    if (!(value <= g->high)) g->high_at = t;
    if (!(value >= g->low)) g->low_at = t;
    g->high = fmax(g->high, value);
    g->low = fmin(g->low, value);
    g->size = fmax(g->size, fabs(value));
    if (isnan(value)) g->high = g->low = (double)NAN; /* a gap is not to be passed over */
}

taut_status taut_meter_meet_at(taut_meter *m, taut_gauge *g, taut_simulation *s, double t,
                               taut_errors *errors) {
    TAUT_TRY(find_row(m, s, t, errors));
    taut_meter_meet(g, m->row[g->column], t);
    return TAUT_OK;
}

/* ---- polynomials ---- */

double taut_meter_end_of_part(const taut_meter *m, const taut_simulation *s) {
    const double reached = taut_simulation_reached(s);
    return m->sign * (reached - m->watched->end) < 0.0 ? reached : m->watched->end;
}

static double time_in_part(const taut_meter *m, const taut_simulation *s, double theta) {
    const double begin = m->watched->begin, end = taut_meter_end_of_part(m, s);
    return theta == 1.0 ? end : begin + theta * (end - begin);
}

/* Coefficients of the column in theta, over the part of the step that counts; returns their degree.
 */
static int find_course(taut_meter *m, const taut_gauge *g, const taut_simulation *s) {
    const taut_course *course = &m->watched->course[g->node];
    const double h = m->watched->end - m->watched->begin;
    const double part = (taut_meter_end_of_part(m, s) - m->watched->begin) / h;
    double power = 1.0, scale = 1.0;
    for (int k = 0; k < g->order; k++) power *= h;
    int degree = course->order - g->order;
    if (degree > TAUT_EXTREMUM_MOST) degree = TAUT_EXTREMUM_MOST;
    for (int i = 0; i <= degree; i++) {
        double factor = 1.0;
        for (int k = 0; k < g->order; k++) factor *= (double)(i + g->order - k);
        m->course[i] = scale * factor * course->c[i + g->order] / power;
        if (part != 1.0) scale *= part;
    }
    if (degree < 0) m->course[0] = 0.0;
    return degree < 0 ? 0 : degree;
}

static taut_status find_peak(taut_meter *m, taut_gauge *g, taut_simulation *s, int degree,
                             double sign, taut_errors *errors) {
    const double best = sign > 0.0 ? g->high : -g->low;
    const double slack = g->exact ? 0.0 : TAUT_METER_CLOSE * g->size;
    double theta;
    const double found = taut_extremum(m->course, degree, sign, best - slack, &theta);
    if (!(found > best - slack)) return TAUT_OK;
    if (!g->exact) return taut_meter_meet_at(m, g, s, time_in_part(m, s, theta), errors);
    taut_meter_meet(g, sign * found, time_in_part(m, s, theta));
    return TAUT_OK;
}

/* The integral of p^2 from 0 to 1. */
static double integrate_square(const double *c, int degree) {
    double integral = 0.0;
    for (int sum = 2 * degree; sum >= 0; sum--) { /* coefficients of theta^sum, each pair once */
        double product = sum % 2 == 0 ? 0.5 * c[sum / 2] * c[sum / 2] : 0.0;
        for (int k = sum > degree ? sum - degree : 0; 2 * k < sum; k++)
            product += c[k] * c[sum - k];
        integral += 2.0 * product / (double)(sum + 1);
    }
    return integral;
}

static taut_status measure_course(taut_meter *m, int i, taut_simulation *s, taut_errors *errors) {
    const taut_figure_kind kind = m->figure[i].kind;
    const double h = taut_meter_end_of_part(m, s) - m->watched->begin;
    taut_gauge *g = &m->gauge[i];
    const int degree = find_course(m, g, s);
    const double *c = m->course;
    double integral = 0.0;
    if (!isfinite(c[0])) taut_meter_meet(g, (double)NAN, m->watched->begin);
    if (kind == TAUT_FIGURE_MEAN)
        for (int k = degree; k >= 0; k--) integral += c[k] / (double)(k + 1);
    if (kind == TAUT_FIGURE_RMS) integral = integrate_square(c, degree);
    if (!taut_meter_is_extremum(&m->figure[i])) taut_meter_add(g, h * integral);
    if (kind == TAUT_FIGURE_MAX || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(find_peak(m, g, s, degree, 1.0, errors));
    if (kind == TAUT_FIGURE_MIN || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(find_peak(m, g, s, degree, -1.0, errors));
    return TAUT_OK;
}

taut_status taut_meter_add_part(taut_meter *m, double end) {
    if (taut_grow((void **)&m->edge, &m->edge_room, (size_t)m->parts + 2, sizeof *m->edge))
        return TAUT_ERR_MEMORY;
    m->edge[++m->parts] = end;
    return TAUT_OK;
}

/* All columns that have polynomials, part by part. */
static taut_status measure_courses(taut_meter *m, taut_simulation *s, taut_errors *errors) {
    const double end = taut_simulation_reached(s);
    bool more = true;
    m->parts = 0;
    while (more && m->sign * (end - m->watched->begin) > 0.0) {
        TAUT_TRY(taut_meter_add_part(m, taut_meter_end_of_part(m, s)));
        for (int i = 0; i < m->count; i++)
            if (taut_meter_is_watched(&m->figure[i]) && !m->gauge[i].sampled)
                TAUT_TRY(measure_course(m, i, s, errors));
        TAUT_TRY(taut_bounds_ask());
        more = taut_watched_go_on(m->watched);
    }
    return TAUT_OK;
}

/* ---- a run ---- */

static bool is_inside(const taut_meter *m, double t, double from, double to) {
    return m->sign * (t - from) >= 0.0 && m->sign * (to - t) >= 0.0;
}

/* Extrema count what rows say at both ends of the run. */
static taut_status look_at_end(taut_meter *m, taut_simulation *s, double t, taut_errors *errors) {
    TAUT_TRY(find_row(m, s, t, errors));
    for (int i = 0; i < m->count; i++) {
        taut_gauge *g = &m->gauge[i];
        if (!taut_figure_is_of_run(&m->figure[i])) continue;
        const double value = m->row[g->column];
        if (taut_meter_is_extremum(&m->figure[i])) taut_meter_meet(g, value, t);
        if (m->figure[i].kind != TAUT_FIGURE_AT || m->figure[i].time == t) g->value = value;
    }
    return TAUT_OK;
}

taut_status taut_meter_begin(taut_meter *m, taut_simulation *s, taut_errors *errors) {
    m->t0 = taut_simulation_time(s);
    m->sign = s->tend < m->t0 ? -1.0 : 1.0;
    for (int i = 0; i < m->count; i++) {
        const taut_figure *o = &m->figure[i];
        double ignored;
        if (!taut_figure_is_of_run(o)) continue;
        m->gauge[i] = (taut_gauge){.column = taut_simulation_find(s, o->column),
                                   .high = -(double)INFINITY,
                                   .low = (double)INFINITY,
                                   .value = (double)NAN};
        if (m->gauge[i].column < 0) /* it has the words */
            return taut_simulation_read(s, o->column, m->t0, &ignored, errors);
        if (o->kind == TAUT_FIGURE_AT && !o->may_lack && !is_inside(m, o->time, m->t0, s->tend))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "report %s: t = %.10g is outside of the run, which goes from %.10g to "
                             "%.10g",
                             o->name, o->time, m->t0, s->tend);
    }
    TAUT_TRY(attend(m, s));
    if (m->watched) find_sources(m, s);
    TAUT_TRY(take_numbers(m, s));
    return look_at_end(m, s, m->t0, errors);
}

/* Values at given times inside the step. */
static taut_status look_at_times(taut_meter *m, taut_simulation *s, taut_errors *errors) {
    const double begin = s->stepper->begin, end = taut_simulation_reached(s);
    m->found_at = (double)NAN;
    for (int i = 0; i < m->count; i++) {
        const taut_figure *o = &m->figure[i];
        if (o->kind != TAUT_FIGURE_AT || o->time == m->t0 || !is_inside(m, o->time, begin, end))
            continue;
        if (!(m->found_at == o->time)) TAUT_TRY(find_row(m, s, o->time, errors));
        m->found_at = o->time;
        m->gauge[i].value = m->row[m->gauge[i].column];
    }
    return TAUT_OK;
}

taut_status taut_meter_step(taut_meter *m, taut_simulation *s, taut_errors *errors) {
    const double begin = s->stepper->begin, end = taut_simulation_reached(s);
    bool sampled = false;
    TAUT_TRY(attend(m, s));
    m->parts = 0;
    TAUT_TRY(taut_meter_add_part(m, end));
    m->edge[0] = begin;
    TAUT_TRY(look_at_times(m, s, errors));
    if (end == begin) return TAUT_OK; /* across an event: the next step begins there */
    const bool polynomials = m->watched && !m->blind && taut_watched_follow(m->watched, s->stepper);
    for (int i = 0; i < m->count; i++)
        sampled = sampled || taut_meter_is_sampled(m, i, polynomials);
    if (!polynomials) m->parts = 0;
    if (sampled) TAUT_TRY(taut_meter_by_samples(m, s, polynomials, errors));
    if (m->parts == 0) TAUT_TRY(taut_meter_add_part(m, end));
    return polynomials ? measure_courses(m, s, errors) : TAUT_OK;
}

taut_status taut_meter_end(taut_meter *m, taut_simulation *s, double *value, taut_errors *errors) {
    const double tend = taut_simulation_reached(s), span = tend - m->t0;
    TAUT_TRY(look_at_end(m, s, tend, errors));
    for (int i = 0; i < m->count; i++) {
        const taut_gauge *g = &m->gauge[i];
        const double mean = (g->sum + g->rest) / span;
        switch (m->figure[i].kind) {
        case TAUT_FIGURE_MAX: value[i] = g->high; break;
        case TAUT_FIGURE_MIN: value[i] = g->low; break;
        case TAUT_FIGURE_RANGE: value[i] = g->high - g->low; break;
        case TAUT_FIGURE_MEAN: value[i] = span == 0.0 ? g->value : mean; break;
        case TAUT_FIGURE_RMS:
            value[i] = span == 0.0 ? fabs(g->value) : sqrt(fmax(0.0, mean));
            break;
        case TAUT_FIGURE_END:
        case TAUT_FIGURE_AT: value[i] = g->value; break;
        default: continue; /* task/tryout has it */
        }
        if (!isfinite(value[i]) && !m->figure[i].may_lack)
            return taut_fail(errors, TAUT_ERR_NUMERICS, "%s has no value", m->figure[i].name);
    }
    return TAUT_OK;
}

const double *taut_meter_parts(const taut_meter *m, int *parts) {
    *parts = m->parts;
    return m->edge;
}

double taut_meter_extremum_time(const taut_meter *m, int figure, bool high) {
    return high ? m->gauge[figure].high_at : m->gauge[figure].low_at;
}

double taut_meter_extremum(const taut_meter *m, int figure, bool high) {
    return high ? m->gauge[figure].high : m->gauge[figure].low;
}
