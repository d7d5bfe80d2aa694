/* Looking for events in a step: the first one, of the roots of the step's own polynomials, or by
 * values at times where a method has none; the step is cut there. */
#include <math.h>

#include "core/bounds.h"
#include "task/happen_parts.h"
#include "task/rims.h"

static const double MISTAKEN = 1e-5; /* values at roots that are larger, beside their course */
static const double SHORTEST = 0.05; /* part of a step that is left of it then, at least */
/* Corrections of a time, as parts of the step: below which they are right; above which they are not
 * made, if the function is linear in the state, or if it is not. */
static const double LARGE = 1e-9, NEAR = 1e-6, FAR = 1e-2;
enum { CORRECTIONS = 8 };
static const double LOST = 1e3; /* the last coefficient of a course in tolerances: it is no good */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

taut_status taut_happen_note(taut_simulation *s, int event, double t, const char *kind) {
    const char *name = model_of(s)->event[event].name;
    return taut_notebook_event(&s->notebook, t, name, kind);
}

/* The state at a time inside the step, on its constraints. */
static taut_status place(taut_simulation *s, double t, taut_errors *errors) {
    taut_happen *h = s->happen;
    h->time = t;
    taut_happen_take_values(s, t);
    return taut_happen_settle(s, t != s->stepper->begin, errors);
}

/* The same; where a slip in space has exactly no rate, its direction has no value: just before. */
static taut_status place_beside(taut_simulation *s, int first, double t, taut_errors *errors) {
    const double back = 512.0 * DBL_EPSILON * fabs(t);
    const bool rests = first >= 0 && taut_contacts_has_rested(s, first);
    if (!rests || t - back <= s->stepper->begin) return place(s, t, errors);
    const taut_status status = place(s, t, NULL);
    return status == TAUT_ERR_NUMERICS ? place(s, t - back, errors) : status;
}

/* Projection has moved the state a little, and with it the root; and the course is known up to a
 * part of its largest value. Newton's method with the course's slope; where that leads far,
 * secants. */
static taut_status correct(taut_simulation *s, int i, double theta, taut_errors *errors) {
    taut_happen *h = s->happen;
    const double span = h->watched->end - h->watched->begin;
    const bool linear = h->watched->kind[i] == TAUT_WATCHED_LINEAR;
    const double farthest = (linear ? NEAR : FAR) * fabs(span);
    double slope = taut_course_value(&h->watched->course[i], 1, theta) / span;
    double g = taut_series_output(h->series, i, 0), dt = (double)INFINITY;
    for (int round = 0; round < CORRECTIONS && fabs(dt) > LARGE * fabs(span); round++) {
        const double before = h->time, t = before - g / slope, was = g;
        dt = t - before;
        if (!(fabs(dt) > 2.0 * DBL_EPSILON * fabs(t)) || !(fabs(dt) < farthest)) return TAUT_OK;
        if ((t - s->stepper->begin) * span < 0.0 || (t - s->stepper->t) * span > 0.0)
            return TAUT_OK;
        TAUT_TRY(place(s, t, errors));
        g = taut_series_output(h->series, i, 0);
        if (g != was) slope = (g - was) / dt;
    }
    return TAUT_OK;
}

/* Is the guard far from zero where its polynomial has a root? Then the polynomial was no good. */
static bool is_mistaken(const taut_simulation *s, int i) {
    const taut_course *g = &s->happen->watched->course[i];
    double size = 0.0;
    if (i < taut_contacts_first_guard(model_of(s))) return false;
    for (int k = 0; k <= g->order; k++) size = fmax(size, fabs(g->c[k]));
    return fabs(taut_series_output(s->happen->series, i, 0)) > MISTAKEN * size;
}

/* Is a guard that was positive negative where the step is cut, although no root of it was found? */
static bool is_passed(const taut_simulation *s, int i) {
    const taut_event_course *x = &s->happen->course[i];
    if (i < taut_contacts_first_guard(model_of(s)) || s->happen->steady[i] || x->silent)
        return false;
    const bool positive = x->side > 0 && !x->zero && !x->fresh;
    return positive && x->theta > 1.0 &&
           x->before < -MISTAKEN * fabs(s->happen->watched->course[i].c[0]);
}

/* first: the function with the first root; -1: none, but the step is cut there, or there is a
 * sample at its end. */
static taut_status cut_step(taut_simulation *s, bool series, int first, double theta,
                            taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    const bool whole = taut_happen_functions(m) == 0; /* nothing is watched: no parts */
    const double begin = whole ? s->stepper->begin : h->watched->begin;
    const double end = whole ? s->stepper->t : h->watched->end;
    const double reach = fmax(fabs(begin), fabs(end));
    const bool bound = end == s->tend || (m->controllers > 0 && end == taut_sampling_next(s));
    double t = begin + theta * (end - begin);
    /* times cannot tell it from where the run or the step must end, so no step would fit between */
    const double near = bound ? 16.0 * DBL_EPSILON * reach : -1.0;
    if (theta == 1.0 || fabs(end - t) <= near) t = end;
    TAUT_TRY(place_beside(s, first, t, errors));
    if (first >= 0 && !taut_contacts_has_rested(s, first) && is_mistaken(s, first)) first = -1;
    if (series && first >= 0 && t != end) TAUT_TRY(correct(s, first, theta, errors));
    if (h->time != end && fabs(end - h->time) <= near) TAUT_TRY(place(s, end, errors));
    taut_sampling_mark(s, h->time);
    /* what is closer together than times can tell is one event */
    const double span = fabs(end - begin), cut = theta + 4.0 * DBL_EPSILON * reach / span;
    for (int i = 0; i < taut_happen_functions(m); i++) {
        taut_event_course *x = &h->course[i];
        x->before = taut_series_output(h->series, i, 0);
        x->fires = (first >= 0 && x->theta <= cut) || is_passed(s, i);
        if (x->fires) x->truth = true;
        x->rest = x->fires ? fabs(x->before) : 0.0;
        if (series && x->roots > 0)
            TAUT_TRY(taut_happen_pass_roots(s, i, cut, errors));
        else if (fabs(x->before) > x->noise)
            x->side = taut_happen_sign(x->before);
        /* times cannot tell the event from where the step began: what is zero there still is */
        const bool stays = i < taut_contacts_first_guard(m) && x->zero && !x->fires;
        x->zero = x->faint || (stays && cut < 8.0 * DBL_EPSILON * reach / span);
        if (x->faint) x->zeros = 1;
        x->fresh = x->faint = false;
    }
    double kinetic;
    taut_observer_energy(s->observer, s->stepper, h->time, &h->energy, &kinetic);
    h->pending = true;
    return TAUT_OK;
}

/* Up to where the polynomials of guards are good, as a part of the step: a gap that is a root or a
 * quotient may have a shorter series than the motion, which tells the steps nothing of it. */
static double trusted(const taut_simulation *s) {
    const taut_model *m = model_of(s);
    const double tol = fmax(s->options.rtol, s->options.atol);
    double least = 1.0;
    for (int i = taut_contacts_first_guard(m); i < taut_happen_functions(m); i++) {
        const taut_course *g = &s->happen->watched->course[i];
        const int n = g->order;
        double size = 0.0;
        if (n < 8 || s->method->stiff || s->happen->steady[i] || s->happen->course[i].silent)
            continue;
        for (int k = 0; k <= n / 2; k++) size = fmax(size, fabs(g->c[k]));
        double rest = 0.0;
        for (int k = n - 3; k <= n; k++) rest = fmax(rest, fabs(g->c[k]));
        if (rest > LOST * tol * size && size > 0.0)
            least = fmin(least, fmax(SHORTEST, pow(tol * size / rest, 1.0 / n)));
    }
    return least;
}

/* Looks at the present part of the step, whose courses are known (series), or at all of it; cuts
 * the step at the first event there (*cut). */
static taut_status look_at_part(taut_simulation *s, bool series, bool *cut, taut_errors *errors) {
    taut_happen *h = s->happen;
    const int events = taut_happen_functions(model_of(s));
    int first = 0;
    h->good = series ? trusted(s) : 1.0;
    *cut = true;
    if (series)
        taut_happen_look_at_courses(s);
    else if (events > 0)
        TAUT_TRY(taut_happen_look_at_times(s, errors));
    for (int i = 1; i < events; i++)
        if (h->course[i].theta < h->course[first].theta) first = i;
    const double theta = events > 0 ? h->course[first].theta : 2.0;
    const double good = h->good;
    const int rest = series ? taut_contacts_at_rest(s, fmin(theta, good)) : -1;
    double other;
    TAUT_TRY(taut_rims_look(s, fmin(theta, good), &other, errors));
    if (other < fmin(theta, good)) return cut_step(s, series, -1, other, errors);
    if (rest >= 0 && theta > good) {
        h->course[rest].theta = good;
        h->course[rest].way = -1;
        return cut_step(s, series, rest, good, errors);
    }
    if (good < 1.0 && theta > good) return cut_step(s, series, -1, good, errors);
    if (theta <= 1.0) return cut_step(s, series, first, theta, errors);
    *cut = false;
    return TAUT_OK;
}

/* Nothing has happened in this part. */
static taut_status leave_part(taut_simulation *s, bool series, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    TAUT_TRY(taut_contacts_check_pushing(s, errors)); /* behind an event equations are others */
    for (int i = 0; i < taut_happen_functions(m); i++) {
        taut_event_course *x = &h->course[i];
        if (series && x->roots > 0) TAUT_TRY(taut_happen_pass_roots(s, i, 1.0, errors));
        taut_happen_leave_behind(m, x, i);
    }
    return TAUT_OK;
}

taut_status taut_happen_look(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    bool cut;
    if (!h) return TAUT_OK;
    if (h->prepared != s->prepared) TAUT_TRY(taut_happen_equip(s));
    TAUT_TRY(taut_contacts_check_held(s, errors));
    const taut_model *m = model_of(s);
    const bool sampled = m->controllers > 0 && s->stepper->t == taut_sampling_next(s);
    if (h->excluder && !sampled && taut_happen_exclude_all(s)) return TAUT_OK;
    for (int i = 0; i < taut_happen_functions(m); i++) /* guards: see trusted */
        h->watched->idle[i] = i >= taut_contacts_first_guard(m) || h->steady[i] ||
                              h->course[i].silent || h->course[i].spent;
    const bool series = h->watched && taut_watched_follow(h->watched, s->stepper);
    if (h->watched && !series) taut_watched_divide(h->watched, s->stepper, TAUT_HAPPEN_SAMPLES);
    bool more = true;
    while (more) {
        TAUT_TRY(look_at_part(s, series, &cut, errors));
        if (cut) return TAUT_OK;
        if (sampled && (!h->watched || h->watched->end == s->stepper->t))
            return cut_step(s, series, -1, 1.0, errors);
        TAUT_TRY(leave_part(s, series, errors));
        TAUT_TRY(taut_bounds_ask());
        more =
            series ? taut_watched_go_on(h->watched) : h->watched && taut_watched_next(h->watched);
    }
    return TAUT_OK;
}
