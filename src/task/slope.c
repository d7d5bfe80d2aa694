/* The largest value of a column changes as the column itself does where it is largest (the time of
 * the extremum changes as well, but there the column is stationary, or the end of the run); mean
 * and rms are integrals of derivatives, by Clenshaw and Curtis over each step. At events the time
 * does matter: for extrema there, for integrals of what jumps, and for the end of a run that an
 * event stops (docs/math/studies.md).
 *
 * By adjoints the same columns at the same times are noted instead, and swept back at the end. */
#include "task/slope.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "task/adjoint.h"
#include "task/chebyshev.h"
#include "task/happen.h"

enum { POINTS = 17 };             /* in a step, for integrals */
static const double SAME = 1e-12; /* values on both sides of an event that differ by less */

/* An extremum so far, the end, or a value: what it is, and whether it is at the end of a step where
 * an event waits, which it then moves with. */
typedef struct place {
    double t, value;
    double rate;  /* by time, there */
    bool waiting; /* for the event's shift */
    int moment;   /* by adjoints: its number; -1: none yet */
} place;

/* A column at a time, for adjoints. */
typedef struct moment {
    int figure;
    bool low;
    double t, weight;
    long step;
    size_t at, size; /* of what it depends on, in `by`; 0: it is no column */
    int event;       /* that it moves with; -1: none */
    double shift;    /* the weight of the event's time */
} moment;

struct taut_slope {
    taut_arena arena;
    const taut_figure *figure; /* [count] */
    const taut_meter *meter;   /* of the run */
    int count, names;
    bool back;
    double *high, *low;      /* [count * names] at the extrema, or the value or integral so far */
    place *high_at, *low_at; /* [count] where these are; high also for values at the end */
    double *before;          /* [count] the value before the event that waits */
    double *d;               /* [names] */
    double t0, begin;
    double event;                         /* the time of the last event */
    bool halted;                          /* it was the end */
    double *shift;                        /* [names] by which its time varies */
    double *ending;                       /* [names] by which the time of the end varies */
    double point[POINTS], weight[POINTS]; /* on [0, 1] */
    /* by adjoints: */
    moment *moment; /* [moments] heap */
    double *by;     /* [filled] likewise */
    int moments;
    size_t filled, moment_room, by_room;
};

bool taut_slope_knows(const taut_figure *figure) { return figure->kind <= TAUT_FIGURE_FIRST; }

taut_status taut_slope_create(const taut_figure *figure, int count, int names, bool back,
                              taut_slope **slope) {
    taut_slope *x = *slope = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    *x = (taut_slope){.figure = figure, .count = count, .names = names, .back = back};
    const size_t size = (size_t)count * (size_t)names + 1;
    x->high = TAUT_NEW_ARRAY(&x->arena, size, double);
    x->low = TAUT_NEW_ARRAY(&x->arena, size, double);
    x->high_at = TAUT_NEW_ARRAY(&x->arena, count + 1, place);
    x->low_at = TAUT_NEW_ARRAY(&x->arena, count + 1, place);
    x->before = TAUT_NEW_ARRAY(&x->arena, count + 1, double);
    x->d = TAUT_NEW_ARRAY(&x->arena, names + 1, double);
    x->shift = TAUT_NEW_ARRAY(&x->arena, names + 1, double);
    x->ending = TAUT_NEW_ARRAY(&x->arena, names + 1, double);
    taut_chebyshev_points(POINTS - 1, x->point, x->weight);
    if (x->high && x->low && x->high_at && x->low_at && x->before && x->d && x->shift && x->ending)
        return TAUT_OK;
    taut_slope_free(slope);
    return TAUT_ERR_MEMORY;
}

void taut_slope_free(taut_slope **slope) {
    if (!*slope) return;
    taut_release((void **)&(*slope)->moment);
    taut_release((void **)&(*slope)->by);
    taut_arena_release(&(*slope)->arena);
    taut_release((void **)slope);
}

static bool is_integral(const taut_figure *f) {
    return f->kind == TAUT_FIGURE_MEAN || f->kind == TAUT_FIGURE_RMS;
}

static double *at(const taut_slope *x, double *list, int figure) {
    return list + (size_t)figure * (size_t)x->names;
}

/* ---- a column at a time ---- */

/* Notes it for adjoints, in place of an earlier one (which >= 0) or behind all. */
static taut_status note(taut_slope *x, int which, const moment *m, taut_simulation *s,
                        taut_errors *errors) {
    double ignored;
    const char *name = x->figure[m->figure].column;
    if (which < 0) which = x->moments;
    const size_t size = taut_adjoint_size(s);
    if (taut_grow((void **)&x->moment, &x->moment_room, (size_t)x->moments + 1, sizeof *m) ||
        taut_grow((void **)&x->by, &x->by_room, x->filled + size, sizeof *x->by))
        return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_simulation_read(s, name, m->t, &ignored, errors)); /* fills a row */
    moment *own = &x->moment[which];
    const bool fits = which < x->moments && own->size == size; /* other equations, other sizes */
    const size_t at = fits ? own->at : x->filled;
    *own = *m;
    own->event = -1;
    if (which == x->moments) x->moments++;
    const int column = taut_simulation_find(s, name);
    if (column == 0) return TAUT_OK; /* t */
    own->at = at;
    own->size = size;
    if (!fits) x->filled += size;
    memset(x->by + at, 0, size * sizeof *x->by);
    return taut_adjoint_look(s, column, x->by + at, &own->step, errors);
}

/* Adds the variation of the last event's time to what a result depends on: of an integral (place
 * NULL), or at a place. */
static taut_status add_shift(taut_slope *x, int i, bool high, const place *p, double weight,
                             const taut_simulation *s) {
    double *d = at(x, high ? x->high : x->low, i);
    for (int k = 0; k < x->names && !x->back; k++) d[k] += weight * x->shift[k];
    if (!x->back) return TAUT_OK;
    int which = p ? p->moment : -1;
    if (which < 0) {
        if (taut_grow((void **)&x->moment, &x->moment_room, (size_t)x->moments + 1,
                      sizeof *x->moment))
            return TAUT_ERR_MEMORY;
        which = x->moments++;
        x->moment[which] = (moment){.figure = i, .low = !high, .step = -1};
    }
    moment *m = &x->moment[which];
    m->event = taut_adjoint_last_event(s);
    m->shift += weight;
    return TAUT_OK;
}

/* The derivative at an extremum or at a given time, instead of an earlier one. */
static taut_status put(taut_slope *x, int i, bool high, double t, taut_simulation *s,
                       taut_errors *errors) {
    place *p = high ? &x->high_at[i] : &x->low_at[i];
    p->t = t;
    p->waiting = false;
    if (!x->back)
        return taut_simulation_differentiate(s, x->figure[i].column, t,
                                             at(x, high ? x->high : x->low, i), errors);
    const moment m = {.figure = i, .low = !high, .t = t, .weight = 1.0};
    const int which = p->moment;
    if (which < 0) p->moment = x->moments;
    return note(x, which, &m, s, errors);
}

/* The derivative by time of a column at one end of the last step, from rows at Chebyshev's points
 * of its part there (barycentric interpolation). */
static taut_status find_rate(const taut_slope *x, int i, double t, taut_simulation *s, double *rate,
                             taut_errors *errors) {
    int parts;
    const double *edge = taut_meter_parts(x->meter, &parts);
    const bool first = t == edge[0];
    const double begin = first ? edge[0] : edge[parts - 1];
    const double h = (first ? edge[1] : edge[parts]) - begin;
    const int n = POINTS - 1, own = first ? 0 : n;
    const char *name = x->figure[i].column;
    double here, sum = 0.0;
    TAUT_TRY(taut_simulation_read(s, name, t, &here, errors));
    for (int p = 0; p <= n; p++) {
        double f;
        if (p == own) continue;
        const double at = p == n ? begin + h : begin + h * x->point[p];
        TAUT_TRY(taut_simulation_read(s, name, at, &f, errors));
        const double weight = ((p + own) % 2 == 0 ? 1.0 : -1.0) * (p == 0 || p == n ? 1.0 : 2.0);
        sum += weight * (f - here) / (h * (x->point[own] - x->point[p]));
    }
    *rate = sum;
    return TAUT_OK;
}

/* Is the extremum at an event? Then it moves with it. */
static taut_status attend_event(taut_slope *x, int i, bool high, taut_simulation *s,
                                taut_errors *errors) {
    place *p = high ? &x->high_at[i] : &x->low_at[i];
    double rate;
    if (taut_happen_is_pending(s) && p->t == taut_simulation_reached(s)) {
        p->waiting = true;
        return find_rate(x, i, p->t, s, &p->rate, errors);
    }
    if (!(p->t == x->event)) return TAUT_OK;
    rate = p->rate; /* at its end, as before it, unless it has jumped */
    if (!x->halted) TAUT_TRY(find_rate(x, i, p->t, s, &rate, errors));
    return add_shift(x, i, high, p, rate, s);
}

static taut_status follow(taut_slope *x, int i, bool high, const taut_meter *meter,
                          taut_simulation *s, taut_errors *errors) {
    place *p = high ? &x->high_at[i] : &x->low_at[i];
    const double t = taut_meter_extremum_time(meter, i, high);
    const double value = taut_meter_extremum(meter, i, high);
    if (t == p->t && value == p->value) return TAUT_OK;
    if (t != p->t || fabs(value - p->value) > SAME * fabs(value)) p->rate = (double)NAN;
    p->value = value;
    TAUT_TRY(put(x, i, high, t, s, errors));
    return attend_event(x, i, high, s, errors);
}

static taut_status look(taut_slope *x, int i, const taut_meter *meter, taut_simulation *s,
                        taut_errors *errors) {
    const taut_figure_kind kind = x->figure[i].kind;
    if (kind == TAUT_FIGURE_MAX || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(follow(x, i, true, meter, s, errors));
    if (kind == TAUT_FIGURE_MIN || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(follow(x, i, false, meter, s, errors));
    return TAUT_OK;
}

taut_status taut_slope_begin(taut_slope *x, const taut_meter *meter, taut_simulation *s,
                             taut_errors *errors) {
    x->meter = meter;
    x->t0 = x->begin = taut_simulation_time(s);
    x->event = (double)NAN;
    x->halted = false;
    x->moments = 0;
    x->filled = 0;
    TAUT_TRY(taut_sensitivity_end(s, x->ending));
    memset(x->high, 0, (size_t)x->count * (size_t)x->names * sizeof *x->high);
    memset(x->low, 0, (size_t)x->count * (size_t)x->names * sizeof *x->low);
    for (int i = 0; i < x->count; i++) {
        const taut_figure *f = &x->figure[i];
        x->high_at[i] = x->low_at[i] = (place){.t = (double)NAN, .moment = -1};
        TAUT_TRY(look(x, i, meter, s, errors));
        if (f->kind == TAUT_FIGURE_AT && f->time == x->t0)
            TAUT_TRY(put(x, i, true, f->time, s, errors));
    }
    return TAUT_OK;
}

/* Adds the integral of the derivative, or of value times derivative, over the step. */
static taut_status integrate_part(taut_slope *x, int i, double begin, double end,
                                  taut_simulation *s, taut_errors *errors) {
    const taut_figure *f = &x->figure[i];
    const double h = end - begin;
    double *sum = at(x, x->high, i), value = 1.0;
    for (int p = 0; p < POINTS; p++) {
        const double t = p == POINTS - 1 ? end : begin + h * x->point[p];
        if (f->kind == TAUT_FIGURE_RMS)
            TAUT_TRY(taut_simulation_read(s, f->column, t, &value, errors));
        const double weight = h * x->weight[p] * value;
        if (x->back) {
            const moment m = {.figure = i, .t = t, .weight = weight};
            TAUT_TRY(note(x, -1, &m, s, errors));
            continue;
        }
        TAUT_TRY(taut_simulation_differentiate(s, f->column, t, x->d, errors));
        for (int k = 0; k < x->names; k++) sum[k] += weight * x->d[k];
    }
    return TAUT_OK;
}

static taut_status integrate(taut_slope *x, int i, taut_simulation *s, taut_errors *errors) {
    int parts;
    const double *edge = taut_meter_parts(x->meter, &parts);
    for (int k = 0; k < parts; k++) TAUT_TRY(integrate_part(x, i, edge[k], edge[k + 1], s, errors));
    return TAUT_OK;
}

/* ---- events ---- */

/* At the end of a step where an event waits. */
static taut_status reach_event(taut_slope *x, taut_simulation *s, taut_errors *errors) {
    const double t = taut_simulation_reached(s);
    for (int i = 0; i < x->count; i++) {
        const taut_figure *f = &x->figure[i];
        if (!is_integral(f) && f->kind != TAUT_FIGURE_END) continue;
        TAUT_TRY(taut_simulation_read(s, f->column, t, &x->before[i], errors));
        if (f->kind == TAUT_FIGURE_END)
            TAUT_TRY(find_rate(x, i, t, s, &x->high_at[i].rate, errors));
    }
    return TAUT_OK;
}

/* On its other side: integrals of what jumps, and extrema that were there. */
static taut_status pass_event(taut_slope *x, taut_simulation *s, taut_errors *errors) {
    const double t = taut_simulation_reached(s);
    x->event = t;
    x->halted = s->happen && s->happen->halted;
    if (!x->back) taut_sensitivity_shifts(s, x->shift);
    for (int i = 0; i < x->count; i++) {
        const taut_figure *f = &x->figure[i];
        double after = 0.0, before = x->before[i];
        for (int side = 0; side < 2; side++) {
            place *p = side == 0 ? &x->high_at[i] : &x->low_at[i];
            if (p->waiting) TAUT_TRY(add_shift(x, i, side == 0, p, p->rate, s));
            p->waiting = false;
        }
        if (!is_integral(f)) continue;
        if (!x->halted) TAUT_TRY(taut_simulation_read(s, f->column, t, &after, errors));
        if (f->kind == TAUT_FIGURE_RMS) {
            before *= 0.5 * before;
            after *= 0.5 * after;
        }
        TAUT_TRY(add_shift(x, i, true, NULL, before - after, s));
    }
    return TAUT_OK;
}

taut_status taut_slope_step(taut_slope *x, const taut_meter *meter, taut_simulation *s,
                            taut_errors *errors) {
    const double end = taut_simulation_reached(s), sign = end < x->begin ? -1.0 : 1.0;
    if (end == x->begin) return pass_event(x, s, errors);
    for (int i = 0; i < x->count; i++) {
        const taut_figure *f = &x->figure[i];
        TAUT_TRY(look(x, i, meter, s, errors));
        if (is_integral(f)) TAUT_TRY(integrate(x, i, s, errors));
        if (f->kind == TAUT_FIGURE_AT && sign * (f->time - x->begin) > 0.0 &&
            sign * (end - f->time) >= 0.0)
            TAUT_TRY(put(x, i, true, f->time, s, errors));
    }
    x->begin = end;
    return taut_happen_is_pending(s) ? reach_event(x, s, errors) : TAUT_OK;
}

/* ---- the end ---- */

/* What the derivative of a result is, of those at its extrema or of its integral. */
static double factor_of(const taut_slope *x, int i, bool low, const double *value) {
    const double span = x->begin - x->t0;
    switch (x->figure[i].kind) {
    case TAUT_FIGURE_MIN: return low ? 1.0 : 0.0;
    case TAUT_FIGURE_RANGE: return low ? -1.0 : 1.0;
    case TAUT_FIGURE_MEAN: return low ? 0.0 : 1.0 / span;
    case TAUT_FIGURE_RMS: return low || !(value[i] > 0.0) ? 0.0 : 1.0 / (span * value[i]);
    default: return low ? 0.0 : 1.0;
    }
}

/* A run that an event has stopped ends at another time with other values. */
static taut_status move_end(taut_slope *x, int i, double value, taut_simulation *s,
                            taut_errors *errors) {
    const taut_figure *f = &x->figure[i];
    double rate = 0.0, after;
    if (f->kind == TAUT_FIGURE_END) {
        TAUT_TRY(taut_simulation_read(s, f->column, x->begin, &after, errors));
        rate = x->high_at[i].rate;
        if (fabs(after - x->before[i]) > SAME * fabs(after)) rate = (double)NAN; /* it has jumped */
    }
    if (f->kind == TAUT_FIGURE_MEAN) rate = -value;
    if (f->kind == TAUT_FIGURE_RMS) rate = -0.5 * value * value;
    return add_shift(x, i, true, f->kind == TAUT_FIGURE_END ? &x->high_at[i] : NULL, rate, s);
}

/* The first event of this name, in the list of events; -1: there is none. */
static int find_first(const taut_slope *x, int i, taut_simulation *s) {
    const taut_notes *notes = taut_simulation_notes(s);
    for (int e = 0; e < notes->events; e++)
        if (strcmp(notes->event[e].name, x->figure[i].column) == 0) return e;
    return -1;
}

/* Its time. */
static void read_first(const taut_slope *x, int i, taut_simulation *s, double *out) {
    const int e = find_first(x, i, s);
    const double *derivative = e < 0 ? NULL : taut_simulation_notes(s)->event[e].derivative;
    for (int k = 0; k < x->names; k++) out[k] = derivative ? derivative[k] : (double)NAN;
}

/* By how much a result changes with the time of the end: the value there comes in or goes on. */
static taut_status rate_of_end(const taut_slope *x, int i, double value, taut_simulation *s,
                               double *rate, taut_errors *errors) {
    const taut_figure *f = &x->figure[i];
    const double end = taut_simulation_reached(s), span = end - x->t0;
    double here = 0.0, slope = 0.0;
    *rate = 0.0;
    if (f->kind == TAUT_FIGURE_AT || f->kind == TAUT_FIGURE_FIRST || span == 0.0) return TAUT_OK;
    const bool high = x->high_at[i].t == end && f->kind != TAUT_FIGURE_MIN;
    const bool low = x->low_at[i].t == end && f->kind != TAUT_FIGURE_MAX;
    if (is_integral(f)) {
        TAUT_TRY(taut_simulation_read(s, f->column, end, &here, errors));
        if (f->kind == TAUT_FIGURE_MEAN) *rate = (here - value) / span;
        if (f->kind == TAUT_FIGURE_RMS && value > 0.0)
            *rate = 0.5 * (here * here - value * value) / (span * value);
        return TAUT_OK;
    }
    if (f->kind != TAUT_FIGURE_END && !high && !low) return TAUT_OK;
    TAUT_TRY(find_rate(x, i, end, s, &slope, errors));
    *rate = low && f->kind == TAUT_FIGURE_RANGE ? -slope : slope;
    return TAUT_OK;
}

/* Where tend is a formula of what is varied. */
static taut_status follow_end(const taut_slope *x, taut_simulation *s, const double *value,
                              double *derivative, taut_errors *errors) {
    bool moves = false;
    for (int k = 0; k < x->names; k++) moves = moves || x->ending[k] != 0.0;
    for (int i = 0; i < x->count && moves && !x->halted; i++) {
        double rate;
        TAUT_TRY(rate_of_end(x, i, value[i], s, &rate, errors));
        for (int k = 0; k < x->names; k++) at(x, derivative, i)[k] += rate * x->ending[k];
    }
    return TAUT_OK;
}

static taut_status sweep_back(taut_slope *x, taut_simulation *s, const double *value,
                              double *derivative, taut_errors *errors) {
    taut_arena arena = {0};
    int seeds = 0;
    taut_adjoint_seed *seed = TAUT_NEW_ARRAY(&arena, x->moments + x->count + 1, taut_adjoint_seed);
    for (int i = 0; i < x->moments && seed; i++) {
        const moment *m = &x->moment[i];
        const double factor = factor_of(x, m->figure, m->low, value);
        seed[seeds++] = (taut_adjoint_seed){.number = m->figure,
                                            .step = m->step,
                                            .t = m->t,
                                            .weight = m->weight * factor,
                                            .by = m->size > 0 ? x->by + m->at : NULL,
                                            .event = m->event,
                                            .shift = m->shift * factor};
    }
    for (int i = 0; i < x->count && seed; i++) {
        if (x->figure[i].kind != TAUT_FIGURE_FIRST) continue;
        const int note = find_first(x, i, s),
                  event = note < 0 ? -1 : taut_adjoint_find_event(s, note);
        if (event >= 0)
            seed[seeds++] =
                (taut_adjoint_seed){.number = i, .step = -1, .event = event, .shift = 1.0};
    }
    const taut_status status =
        seed ? taut_adjoint_sweep(s, seed, seeds, x->count, derivative, errors) : TAUT_ERR_MEMORY;
    for (int i = 0; i < x->count && status == TAUT_OK; i++)
        for (int k = 0; k < x->names; k++)
            if (x->figure[i].kind == TAUT_FIGURE_FIRST && find_first(x, i, s) < 0)
                at(x, derivative, i)[k] = (double)NAN;
    taut_arena_release(&arena);
    return status;
}

taut_status taut_slope_end(taut_slope *x, const taut_meter *meter, taut_simulation *s,
                           const double *value, double *derivative, taut_errors *errors) {
    for (int i = 0; i < x->count; i++) {
        const taut_figure_kind kind = x->figure[i].kind;
        TAUT_TRY(look(x, i, meter, s, errors));
        if (kind == TAUT_FIGURE_END)
            TAUT_TRY(put(x, i, true, taut_simulation_reached(s), s, errors));
        if (x->halted && (kind == TAUT_FIGURE_END || is_integral(&x->figure[i])))
            TAUT_TRY(move_end(x, i, value[i], s, errors));
    }
    if (x->back) {
        TAUT_TRY(sweep_back(x, s, value, derivative, errors));
        return follow_end(x, s, value, derivative, errors);
    }
    for (int i = 0; i < x->count; i++) {
        double *out = at(x, derivative, i);
        const double *high = at(x, x->high, i), *low = at(x, x->low, i);
        for (int k = 0; k < x->names; k++)
            out[k] =
                factor_of(x, i, false, value) * high[k] + factor_of(x, i, true, value) * low[k];
        if (x->figure[i].kind == TAUT_FIGURE_FIRST) read_first(x, i, s, out);
    }
    return follow_end(x, s, value, derivative, errors);
}
