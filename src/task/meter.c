/* Two ways to see a column over a step. Where the solver has Taylor coefficients, the column's own
 * follow from them (solve/watched), and it is a polynomial. Otherwise (ordinary integrators, forces
 * in joints, a step past a singular position) rows are taken at Chebyshev's points, as many as
 * resolve what a step of that method can be.
 *
 * At the end of a Taylor step accelerations and multipliers have lost digits (task/observe). Where
 * an extremum of such a column is depends little on that, and what it is is taken from a row. */
#include "task/meter.h"

#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "solve/watched.h"
#include "task/extremum.h"
#include "task/simulation.h"

enum { FEW = 17, MANY = 33, MOST_ORDER = 64 };
static const double CLOSE = 1e-6; /* a lead below this is settled by rows */

typedef struct gauge {
    int column;      /* of a row */
    bool exact;      /* a polynomial of the step has all digits of a row */
    bool sampled;    /* only rows know it */
    int node, order; /* otherwise: number among the watched nodes, and derivative */
    double high, low;
    double high_at, low_at; /* when */
    double sum, rest;       /* integral of the value or of its square, compensated */
    double value;           /* at the beginning, at T, at the end */
    double size;            /* largest value seen */
} gauge;

struct taut_meter {
    taut_arena arena;
    const taut_figure *figure; /* [count] */
    int count;
    gauge *gauge; /* [count] */
    double t0, sign;

    /* the equations that are watched, and whose they are */
    taut_watched *watched; /* NULL: none */
    const taut_problem *problem;
    long compilation;
    taut_node *node; /* [count] */
    int nodes;
    bool blind; /* these nodes cannot be had with the numbers of this run */

    double
        *edge; /* [parts + 1] of the last step: where columns are resolved by one polynomial each */
    int parts;
    size_t edge_room;

    double *course;  /* [2 * ...] coefficients of one column */
    double *row;     /* [room] */
    double found_at; /* its time, where several results want the same one */
    double *sample;  /* [MANY][room] */
    size_t row_room, sample_room;
    double point[2][MANY], weight[2][MANY]; /* Chebyshev's points on [0, 1], few and many, and
                                               weights of the integral */
};

/* ---- quadrature ---- */

/* Clenshaw and Curtis: the integral of the interpolating polynomial. */
static void fill_points(int n, double *point, double *weight) {
    for (int i = 0; i <= n; i++) {
        const double angle = M_PI * (double)i / (double)n;
        double sum = 0.0;
        for (int k = 1; 2 * k <= n; k++)
            sum += (2 * k == n ? 1.0 : 2.0) * cos(2.0 * (double)k * angle) /
                   (4.0 * (double)k * (double)k - 1.0);
        point[i] = 0.5 * (1.0 - cos(angle));
        weight[i] = (i == 0 || i == n ? 0.5 : 1.0) * (1.0 - sum) / (double)n;
    }
    point[0] = 0.0;
    point[n] = 1.0;
}

/* The polynomial through samples at Chebyshev's points, by the barycentric formula. */
static double interpolate(const double *point, const double *f, int n, double x) {
    double above = 0.0, below = 0.0;
    for (int i = 0; i <= n; i++) {
        if (x == point[i]) return f[i];
        const double w = (i % 2 ? -1.0 : 1.0) * (i == 0 || i == n ? 0.5 : 1.0) / (x - point[i]);
        above += w * f[i];
        below += w;
    }
    return above / below;
}

/* Adds to an integral (Neumaier). */
static void add(gauge *g, double term) {
    const double sum = g->sum + term;
    g->rest += fabs(g->sum) >= fabs(term) ? (g->sum - sum) + term : (term - sum) + g->sum;
    g->sum = sum;
}

/* ---- creation ---- */

taut_status taut_meter_create(const taut_figure *figure, int count, taut_meter **meter) {
    taut_meter *m = *meter = taut_new(sizeof *m);
    if (!m) return TAUT_ERR_MEMORY;
    *m = (taut_meter){.figure = figure, .count = count};
    m->gauge = TAUT_NEW_ARRAY(&m->arena, count, gauge);
    m->node = TAUT_NEW_ARRAY(&m->arena, count, taut_node);
    m->course = TAUT_NEW_ARRAY(&m->arena, TAUT_EXTREMUM_MOST + 1, double);
    fill_points(FEW - 1, m->point[0], m->weight[0]);
    fill_points(MANY - 1, m->point[1], m->weight[1]);
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

static bool is_watched(const taut_figure *o) { return o->kind < TAUT_FIGURE_END; }

static bool is_extremum(const taut_figure *o) { return o->kind <= TAUT_FIGURE_RANGE; }

/* Where each column comes from in the equations of now. */
static void find_sources(taut_meter *m, const taut_simulation *s) {
    m->nodes = 0;
    for (int i = 0; i < m->count; i++) {
        gauge *g = &m->gauge[i];
        taut_column_source source;
        if (!taut_figure_is_of_run(&m->figure[i])) continue;
        g->sampled = !taut_observer_source(s->observer, g->column, &source);
        if (g->sampled || !is_watched(&m->figure[i])) continue;
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
        gauge *g = &m->gauge[i];
        if (!taut_figure_is_of_run(&m->figure[i]) || g->sampled || !is_watched(&m->figure[i]))
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
    if (!problem || s->method->ordinary) return TAUT_OK;
    find_sources(m, s);
    if (m->nodes > 0)
        TAUT_TRY(taut_watched_create(&problem->system, &s->prepared->structure,
                                     &(taut_watching){.node = m->node,
                                                      .count = m->nodes,
                                                      .order = MOST_ORDER,
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

/* A value that was met: extrema are at least so much. */
static void meet(gauge *g, double value, double t) {
    if (!(value <= g->high)) g->high_at = t;
    if (!(value >= g->low)) g->low_at = t;
    g->high = fmax(g->high, value);
    g->low = fmin(g->low, value);
    g->size = fmax(g->size, fabs(value));
    if (isnan(value)) g->high = g->low = (double)NAN; /* a gap is not to be passed over */
}

/* The value at a time inside the step counts, as a row has it. */
static taut_status meet_at(taut_meter *m, gauge *g, taut_simulation *s, double t,
                           taut_errors *errors) {
    TAUT_TRY(find_row(m, s, t, errors));
    meet(g, m->row[g->column], t);
    return TAUT_OK;
}

static double time_at(const taut_simulation *s, double theta) {
    const double begin = s->stepper->begin, end = taut_simulation_reached(s);
    return theta == 1.0 ? end : begin + theta * (end - begin);
}

/* ---- polynomials ---- */

/* Where the present part of a step ends for us: a step that contains an event ends there. */
static double end_of_part(const taut_meter *m, const taut_simulation *s) {
    const double reached = taut_simulation_reached(s);
    return m->sign * (reached - m->watched->end) < 0.0 ? reached : m->watched->end;
}

static double time_in_part(const taut_meter *m, const taut_simulation *s, double theta) {
    const double begin = m->watched->begin, end = end_of_part(m, s);
    return theta == 1.0 ? end : begin + theta * (end - begin);
}

/* Coefficients of the column in theta, over the part of the step that counts; returns their degree.
 */
static int find_course(taut_meter *m, const gauge *g, const taut_simulation *s) {
    const taut_course *course = &m->watched->course[g->node];
    const double h = m->watched->end - m->watched->begin;
    const double part = (end_of_part(m, s) - m->watched->begin) / h;
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

static taut_status find_peak(taut_meter *m, gauge *g, taut_simulation *s, int degree, double sign,
                             taut_errors *errors) {
    const double best = sign > 0.0 ? g->high : -g->low;
    const double slack = g->exact ? 0.0 : CLOSE * g->size;
    double theta;
    const double found = taut_extremum(m->course, degree, sign, best - slack, &theta);
    if (!(found > best - slack)) return TAUT_OK;
    if (!g->exact) return meet_at(m, g, s, time_in_part(m, s, theta), errors);
    meet(g, sign * found, time_in_part(m, s, theta));
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
    const double h = end_of_part(m, s) - m->watched->begin;
    gauge *g = &m->gauge[i];
    const int degree = find_course(m, g, s);
    const double *c = m->course;
    double integral = 0.0;
    if (!isfinite(c[0])) meet(g, (double)NAN, m->watched->begin);
    if (kind == TAUT_FIGURE_MEAN)
        for (int k = degree; k >= 0; k--) integral += c[k] / (double)(k + 1);
    if (kind == TAUT_FIGURE_RMS) integral = integrate_square(c, degree);
    if (!is_extremum(&m->figure[i])) add(g, h * integral);
    if (kind == TAUT_FIGURE_MAX || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(find_peak(m, g, s, degree, 1.0, errors));
    if (kind == TAUT_FIGURE_MIN || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(find_peak(m, g, s, degree, -1.0, errors));
    return TAUT_OK;
}

/* The last step has one part more, which ends here. */
static taut_status add_part(taut_meter *m, double end) {
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
        TAUT_TRY(add_part(m, end_of_part(m, s)));
        for (int i = 0; i < m->count; i++)
            if (is_watched(&m->figure[i]) && !m->gauge[i].sampled)
                TAUT_TRY(measure_course(m, i, s, errors));
        TAUT_TRY(taut_bounds_ask());
        more = taut_watched_go_on(m->watched);
    }
    return TAUT_OK;
}

/* ---- samples ---- */

/* The top between the points beside sample i, by golden sections. */
static double find_top(const double *point, const double *f, int n, int i, double sign) {
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double a = point[i > 0 ? i - 1 : 0], b = point[i < n ? i + 1 : n];
    double x = b - golden * (b - a), y = a + golden * (b - a);
    double fx = sign * interpolate(point, f, n, x), fy = sign * interpolate(point, f, n, y);
    while (b - a > 1e-9) {
        if (fx < fy) {
            a = x;
            x = y;
            fx = fy;
            y = a + golden * (b - a);
            fy = sign * interpolate(point, f, n, y);
        } else {
            b = y;
            y = x;
            fy = fx;
            x = b - golden * (b - a);
            fx = sign * interpolate(point, f, n, x);
        }
    }
    return 0.5 * (a + b);
}

/* Every sample that is not below its neighbours may have a top beside it. */
static taut_status find_tops(taut_meter *m, gauge *g, taut_simulation *s, const double *f, int n,
                             double sign, taut_errors *errors) {
    const double *point = m->point[n == FEW - 1 ? 0 : 1];
    double low = sign * f[0], high = low;
    for (int i = 0; i <= n; i++) {
        low = fmin(low, sign * f[i]);
        high = fmax(high, sign * f[i]);
    }
    for (int i = 0; i <= n; i++) {
        const double best = sign > 0.0 ? g->high : -g->low;
        if (sign * f[i] < best - 0.1 * (high - low) || high == low) continue;
        if ((i > 0 && sign * f[i - 1] > sign * f[i]) || (i < n && sign * f[i + 1] > sign * f[i]))
            continue;
        TAUT_TRY(meet_at(m, g, s, time_at(s, find_top(point, f, n, i, sign)), errors));
    }
    return TAUT_OK;
}

static taut_status take_samples(taut_meter *m, taut_simulation *s, int n, taut_errors *errors) {
    const size_t columns = (size_t)s->columns;
    if (taut_grow((void **)&m->sample, &m->sample_room, MANY * columns, sizeof *m->sample))
        return TAUT_ERR_MEMORY;
    for (int i = 0; i <= n; i++)
        TAUT_TRY(taut_simulation_row(s, time_at(s, m->point[n == FEW - 1 ? 0 : 1][i]),
                                     m->sample + (size_t)i * columns, errors));
    return TAUT_OK;
}

static taut_status measure_samples(taut_meter *m, int which, taut_simulation *s, int n,
                                   taut_errors *errors) {
    const taut_figure_kind kind = m->figure[which].kind;
    const double h = taut_simulation_reached(s) - s->stepper->begin;
    gauge *g = &m->gauge[which];
    double f[MANY], integral = 0.0;
    for (int i = 0; i <= n; i++) {
        f[i] = m->sample[(size_t)i * (size_t)s->columns + (size_t)g->column];
        integral +=
            m->weight[n == FEW - 1 ? 0 : 1][i] * (kind == TAUT_FIGURE_RMS ? f[i] * f[i] : f[i]);
        if (is_extremum(&m->figure[which]))
            meet(g, f[i], time_at(s, m->point[n == FEW - 1 ? 0 : 1][i]));
    }
    if (!is_extremum(&m->figure[which])) add(g, h * integral);
    if (kind == TAUT_FIGURE_MAX || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(find_tops(m, g, s, f, n, 1.0, errors));
    if (kind == TAUT_FIGURE_MIN || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(find_tops(m, g, s, f, n, -1.0, errors));
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
        gauge *g = &m->gauge[i];
        if (!taut_figure_is_of_run(&m->figure[i])) continue;
        const double value = m->row[g->column];
        if (is_extremum(&m->figure[i])) meet(g, value, t);
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
        m->gauge[i] = (gauge){.column = taut_simulation_find(s, o->column),
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

taut_status taut_meter_step(taut_meter *m, taut_simulation *s, taut_errors *errors) {
    const double begin = s->stepper->begin, end = taut_simulation_reached(s);
    bool polynomials = false, sampled = false;
    m->found_at = (double)NAN;
    TAUT_TRY(attend(m, s));
    m->parts = 0;
    TAUT_TRY(add_part(m, end));
    m->edge[0] = begin;
    if (m->watched && !m->blind) polynomials = taut_watched_follow(m->watched, s->stepper);
    const int n = (s->method->ordinary ? FEW : MANY) - 1;
    for (int i = 0; i < m->count; i++) {
        const taut_figure *o = &m->figure[i];
        gauge *g = &m->gauge[i];
        if (o->kind == TAUT_FIGURE_AT && o->time != m->t0 && is_inside(m, o->time, begin, end)) {
            if (!(m->found_at == o->time)) TAUT_TRY(find_row(m, s, o->time, errors));
            m->found_at = o->time;
            g->value = m->row[g->column];
            continue;
        }
        if (!is_watched(o) || end == begin || (polynomials && !g->sampled))
            continue;              /* across an event: the next step begins there */
        m->found_at = (double)NAN; /* rows that are looked at below are others */
        if (!sampled) TAUT_TRY(take_samples(m, s, n, errors));
        sampled = true;
        TAUT_TRY(measure_samples(m, i, s, n, errors));
    }
    return polynomials && end != begin ? measure_courses(m, s, errors) : TAUT_OK;
}

taut_status taut_meter_end(taut_meter *m, taut_simulation *s, double *value, taut_errors *errors) {
    const double tend = taut_simulation_reached(s), span = tend - m->t0;
    TAUT_TRY(look_at_end(m, s, tend, errors));
    for (int i = 0; i < m->count; i++) {
        const gauge *g = &m->gauge[i];
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
