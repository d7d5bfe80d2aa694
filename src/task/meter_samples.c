/* Columns of a step from rows at Chebyshev's points: where there are no polynomials (ordinary
 * integrators, forces in joints, a step past a singular position). As many rows as resolve what a
 * step of that method can be; where they do not resolve a column, its part of the step is halved.
 */
#include <math.h>

#include "core/bounds.h"
#include "task/chebyshev.h"
#include "task/meter_parts.h"

enum { DEPTH = 12 };
static const double COARSE = 1e3; /* tolerances by which samples may be off half as many */

void taut_meter_add(taut_gauge *g, double term) {
    const double sum = g->sum + term;
    g->rest += fabs(g->sum) >= fabs(term) ? (g->sum - sum) + term : (term - sum) + g->sum;
    g->sum = sum;
}

typedef struct taut_meter_span {
    double begin, end;
    bool polynomials; /* other columns have them there */
} taut_meter_span;

/* The top between the points beside sample i, by golden sections. */
static double find_top(const double *point, const double *f, int n, int i, double sign) {
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double a = point[i > 0 ? i - 1 : 0], b = point[i < n ? i + 1 : n];
    double x = b - golden * (b - a), y = a + golden * (b - a);
    double fx = sign * taut_chebyshev_interpolate(point, f, n, x),
           fy = sign * taut_chebyshev_interpolate(point, f, n, y);
    while (b - a > 1e-9) {
        if (fx < fy) {
            a = x;
            x = y;
            fx = fy;
            y = a + golden * (b - a);
            fy = sign * taut_chebyshev_interpolate(point, f, n, y);
        } else {
            b = y;
            y = x;
            fy = fx;
            x = b - golden * (b - a);
            fx = sign * taut_chebyshev_interpolate(point, f, n, x);
        }
    }
    return 0.5 * (a + b);
}

/* Every sample that is not below its neighbours may have a top beside it. */
static taut_status find_tops(taut_meter *m, taut_gauge *g, taut_simulation *s, taut_meter_span x,
                             const double *f, int n, double sign, taut_errors *errors) {
    const double *point = m->point[n == TAUT_METER_FEW - 1 ? 0 : 1];
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
        const double top = x.begin + find_top(point, f, n, i, sign) * (x.end - x.begin);
        TAUT_TRY(taut_meter_meet_at(m, g, s, top, errors));
    }
    return TAUT_OK;
}

static double time_of_sample(const taut_meter *m, taut_meter_span x, int n, int i) {
    return i == n ? x.end
                  : x.begin + m->point[n == TAUT_METER_FEW - 1 ? 0 : 1][i] * (x.end - x.begin);
}

static taut_status take_samples(taut_meter *m, taut_simulation *s, taut_meter_span x, int n,
                                taut_errors *errors) {
    const size_t columns = (size_t)s->columns;
    if (taut_grow((void **)&m->sample, &m->sample_room, TAUT_METER_MANY * columns,
                  sizeof *m->sample))
        return TAUT_ERR_MEMORY;
    for (int i = 0; i <= n; i++)
        TAUT_TRY(taut_simulation_row(s, time_of_sample(m, x, n, i), m->sample + (size_t)i * columns,
                                     errors));
    return TAUT_OK;
}

static double sample_of(const taut_meter *m, const taut_simulation *s, const taut_gauge *g, int i) {
    return m->sample[(size_t)i * (size_t)s->columns + (size_t)g->column];
}

static taut_status measure_samples(taut_meter *m, int which, taut_simulation *s, taut_meter_span x,
                                   int n, taut_errors *errors) {
    const taut_figure_kind kind = m->figure[which].kind;
    taut_gauge *g = &m->gauge[which];
    double f[TAUT_METER_MANY], integral = 0.0;
    for (int i = 0; i <= n; i++) {
        f[i] = sample_of(m, s, g, i);
        integral += m->weight[n == TAUT_METER_FEW - 1 ? 0 : 1][i] *
                    (kind == TAUT_FIGURE_RMS ? f[i] * f[i] : f[i]);
        if (taut_meter_is_extremum(&m->figure[which]))
            taut_meter_meet(g, f[i], time_of_sample(m, x, n, i));
    }
    if (!taut_meter_is_extremum(&m->figure[which])) taut_meter_add(g, (x.end - x.begin) * integral);
    if (kind == TAUT_FIGURE_MAX || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(find_tops(m, g, s, x, f, n, 1.0, errors));
    if (kind == TAUT_FIGURE_MIN || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(find_tops(m, g, s, x, f, n, -1.0, errors));
    return TAUT_OK;
}

/* Is a column what every second sample says it is, at the others? Every second one of Chebyshev's
 * points is one of half as many. */
static bool is_resolved(const taut_meter *m, const taut_simulation *s, const taut_gauge *g, int n) {
    const double *point = m->point[n == TAUT_METER_FEW - 1 ? 0 : 1];
    double place[TAUT_METER_MANY], f[TAUT_METER_MANY], low = (double)INFINITY,
                                                       high = -(double)INFINITY, size = 0.0;
    for (int i = 0; i <= n; i++) {
        const double value = sample_of(m, s, g, i);
        low = fmin(low, value);
        high = fmax(high, value);
        size = fmax(size, fabs(value));
        if (i % 2 != 0) continue;
        place[i / 2] = point[i];
        f[i / 2] = value;
    }
    const double tol = fmax(s->options.rtol, s->options.atol);
    const double limit = fmax(TAUT_METER_CLOSE * (high - low), COARSE * tol * fmax(size, g->size));
    for (int i = 1; i <= n; i += 2)
        if (fabs(taut_chebyshev_interpolate(place, f, n / 2, point[i]) - sample_of(m, s, g, i)) >
            limit)
            return false;
    return true;
}

bool taut_meter_is_sampled(const taut_meter *m, int i, bool polynomials) {
    return taut_meter_is_watched(&m->figure[i]) && (m->gauge[i].sampled || !polynomials);
}

/* All columns that have no polynomials, over a part of the step: halved as long as samples do not
 * resolve them. */
static taut_status measure_part(taut_meter *m, taut_simulation *s, taut_meter_span x, int depth,
                                taut_errors *errors) {
    const int n = (s->method->ordinary ? TAUT_METER_FEW : TAUT_METER_MANY) - 1;
    bool resolved = true;
    TAUT_TRY(take_samples(m, s, x, n, errors));
    for (int i = 0; i < m->count; i++)
        if (taut_meter_is_sampled(m, i, x.polynomials))
            resolved = resolved && is_resolved(m, s, &m->gauge[i], n);
    const double middle = 0.5 * (x.begin + x.end);
    if (!resolved && depth < DEPTH && middle != x.begin && middle != x.end) {
        TAUT_TRY(taut_bounds_ask());
        TAUT_TRY(measure_part(m, s, (taut_meter_span){x.begin, middle, x.polynomials}, depth + 1,
                              errors));
        return measure_part(m, s, (taut_meter_span){middle, x.end, x.polynomials}, depth + 1,
                            errors);
    }
    for (int i = 0; i < m->count; i++)
        if (taut_meter_is_sampled(m, i, x.polynomials))
            TAUT_TRY(measure_samples(m, i, s, x, n, errors));
    return x.polynomials ? TAUT_OK : taut_meter_add_part(m, x.end);
}

taut_status taut_meter_by_samples(taut_meter *m, taut_simulation *s, bool polynomials,
                                  taut_errors *errors) {
    const double end = taut_simulation_reached(s);
    if (!m->watched || polynomials)
        return measure_part(m, s, (taut_meter_span){s->stepper->begin, end, polynomials}, 0,
                            errors);
    taut_watched_divide(m->watched, s->stepper, TAUT_METER_FEW - 1);
    do {
        const taut_meter_span x = {m->watched->begin, taut_meter_end_of_part(m, s), false};
        if (!(m->sign * (end - x.begin) > 0.0)) break;
        TAUT_TRY(measure_part(m, s, x, 0, errors));
    } while (taut_watched_next(m->watched));
    return TAUT_OK;
}
