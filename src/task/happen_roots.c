/* Events in a step that has polynomials: every root of every function. */
#include <math.h>

#include "task/happen_parts.h"
#include "task/sensitivity.h"

static const double FORCES = 1e-11; /* what is left of them when they cancel */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

/* Does a root of event i count? Backward in time up is down. */
bool taut_happen_counts(const taut_simulation *s, int i, int way) {
    const taut_model *m = model_of(s);
    const taut_event_course *x = &s->happen->course[i];
    if (way == 0 || x->spent) return false;
    if (taut_happen_is_edge(m, i)) return way < 0;
    if (i >= taut_contacts_first_guard(m)) return way < 0;
    if (i >= m->events) /* a boundary; those of an integer count in one direction */
        return m->kink[i - m->events].branch == TAUT_KINK_SIDE ||
               (m->kink[i - m->events].branch == TAUT_KINK_FLOOR ? way < 0 : way > 0);
    const taut_model_event *e = &m->event[i];
    if (e->condition != TAUT_WHEN_ZERO) return way > 0;
    return e->way == 0 || e->way == (s->tend < s->t0 ? -way : way);
}

/* Is all of the course what rounding leaves of places, and of forces that cancel? */
static bool is_faint(const taut_simulation *s, taut_event_course *x, const taut_course *g) {
    const double span = s->happen->watched->end - s->happen->watched->begin;
    const double square = span * span;
    double size = 0.0;
    for (int k = x->zeros; k <= g->order; k++) size += fabs(g->c[k]);
    const double drift = fmax(x->drift, FORCES * x->bend);
    if (g->order >= 2 && square > 0.0) x->bend = fmax(x->bend, fabs(2.0 * g->c[2]) / square);
    return x->zero && size <= x->floor + 0.5 * drift * square;
}

/* A part that no polynomial resolves: its ends tell, and the place where the sign changes. */
static void find_change(taut_happen *h, int i) {
    taut_root_finder *f = &h->finder;
    double theta;
    const int side = h->course[i].side, behind = taut_watched_change(h->watched, i, side, &theta);
    f->roots = 0;
    f->side = behind != 0 ? behind : side;
    if (side == 0 || f->side == side) return;
    f->root[f->roots++] = (taut_zero){theta, behind};
}

static void find_roots(taut_simulation *s, int i) {
    taut_happen *h = s->happen;
    taut_event_course *x = &h->course[i];
    const taut_course *g = &h->watched->course[i];
    double size = 0.0;
    if (h->watched->unresolved && !h->watched->idle[i]) {
        x->faint = false;
        find_change(h, i);
        return;
    }
    for (int k = 0; k <= g->order; k++) size += fabs(g->c[k]);
    x->noise = TAUT_HAPPEN_NOISE * size;
    x->faint = isfinite(size) && is_faint(s, x, g);
    if (x->faint || !isfinite(size)) { /* signs of rounding tell nothing */
        h->finder.roots = 0;
        h->finder.side = x->side;
        return;
    }
    if (x->fresh && fabs(g->c[0]) <= fmax(x->noise, x->floor)) x->zero = true;
    int zeros = x->zero ? taut_root_zeros(g->c, g->order, 0.0) : 0;
    if (x->zero && zeros < x->zeros) zeros = x->zeros;
    double power = 1.0; /* what comes behind would hide what is here */
    for (int k = 0; k <= g->order; k++, power *= h->good) h->part[k] = g->c[k] * power;
    const taut_root_query query = {.c = h->part,
                                   .order = g->order,
                                   .zeros = zeros,
                                   .side = x->side,
                                   .rho = s->method->stiff ? 0.0 : fabs(h->part[g->order])};
    taut_roots_find(&h->finder, &query);
    if (h->finder.roots > 0 && i < model_of(s)->events &&
        size <= taut_watched_rounding(h->watched, i)) { /* zero all along, but for rounding */
        x->faint = x->zero; /* ... and known to be: it still is; otherwise what comes tells */
        h->finder.roots = 0;
        h->finder.side = x->side;
    }
    for (int k = 0; k < h->finder.roots; k++) h->finder.root[k].theta *= h->good;
}

/* At the end of the run a root that times cannot tell from it, just behind, is there: no further
 * step would find it. */
static void look_at_end(taut_simulation *s, int i) {
    taut_event_course *x = &s->happen->course[i];
    const taut_course *g = &s->happen->watched->course[i];
    const double value = taut_course_value(g, 0, 1.0), slope = taut_course_value(g, 1, 1.0);
    const taut_watched *w = s->happen->watched;
    const double span = fabs(w->end - w->begin);
    const double near = 16.0 * DBL_EPSILON * fmax(fabs(w->end), span) / span;
    if (w->end != s->tend || x->theta <= 1.0 || !(value * slope < 0.0)) return;
    if (fabs(value) > near * fabs(slope) || fabs(slope) <= x->noise) return;
    if (x->roots > 0 && s->happen->finder.root[x->roots - 1].theta >= 1.0 - near) return;
    if (!taut_happen_counts(s, i, slope > 0.0 ? 1 : -1)) return;
    x->theta = 1.0;
    x->way = slope > 0.0 ? 1 : -1;
}

/* The boundary of a piece that is zero where the step begins and negative behind: the argument
 * leaves at once. What comes before the first root, or the end, tells. */
static bool leaves_at_once(const taut_simulation *s, int i) {
    const taut_happen *h = s->happen;
    if (!taut_happen_is_edge(model_of(s), i) || !h->course[i].zero) return false;
    if (h->finder.roots == 0) return h->finder.side < 0;
    return h->finder.root[0].way > 0;
}

/* A kink whose boundary is zero where the step begins, and which leaves it for the side of another
 * branch: from rest, say, by the force that acts. Returns the way that it takes, 0: a right one. */
static int leaves_wrongly(const taut_simulation *s, int i) {
    const taut_model *m = model_of(s);
    const taut_event_course *x = &s->happen->course[i];
    const taut_course *g = &s->happen->watched->course[i];
    if (i < m->events || i >= m->events + m->kinks || !x->zero || x->faint) return 0;
    int zeros = taut_root_zeros(g->c, g->order, 0.0);
    if (zeros < 1) zeros = 1;
    while (zeros <= g->order && g->c[zeros] == 0.0) zeros++;
    if (zeros > g->order) return 0;
    const int way = g->c[zeros] > 0.0 ? 1 : -1;
    return way != taut_kinks_side(s, i - m->events) && taut_happen_counts(s, i, way) ? way : 0;
}

/* A guard that is zero where the step begins and goes below zero from there: the mode is wrong. */
static bool is_left_at_once(const taut_simulation *s, int i) {
    const taut_event_course *x = &s->happen->course[i];
    const taut_course *g = &s->happen->watched->course[i];
    if (i < taut_contacts_first_guard(model_of(s)) || !x->zero || x->faint) return false;
    int zeros = taut_root_zeros(g->c, g->order, 0.0);
    if (zeros < x->zeros) zeros = x->zeros;
    return zeros <= g->order && g->c[zeros] < 0.0;
}

void taut_happen_look_at_courses(taut_simulation *s) {
    taut_happen *h = s->happen;
    for (int i = 0; i < taut_happen_functions(model_of(s)); i++) {
        taut_event_course *x = &h->course[i];
        x->theta = 2.0;
        x->roots = 0;
        if (x->silent || h->steady[i]) continue;
        find_roots(s, i);
        x->roots = h->finder.roots;
        x->next_side = h->finder.side;
        for (int k = h->finder.roots - 1; k >= 0; k--)
            if (taut_happen_counts(s, i, h->finder.root[k].way)) {
                x->theta = h->finder.root[k].theta;
                x->way = h->finder.root[k].way;
            }
        look_at_end(s, i);
        if (leaves_at_once(s, i) || is_left_at_once(s, i)) {
            x->theta = 0.0;
            x->way = -1;
        }
        const int wrong = leaves_wrongly(s, i);
        if (wrong != 0) {
            x->theta = 0.0;
            x->way = wrong;
        }
    }
}

/* After a step without an event. */
void taut_happen_leave_behind(const taut_model *m, taut_event_course *x, int i) {
    x->side = x->next_side;
    x->zero = x->faint;
    x->zeros = x->faint ? 1 : 0;
    x->fresh = x->faint = false;
    taut_happen_note_side(m, x, i, x->side);
}

/* Is no function zero in the step, by bounds alone? Then it is known where they are. */
bool taut_happen_exclude_all(taut_simulation *s) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    const int functions = taut_happen_functions(m);
    bool news = false;
    if (!taut_exclude_step(h->excluder, s->stepper)) return false;
    for (int i = 0; i < functions; i++) {
        taut_event_course *x = &h->course[i];
        const taut_ball g = taut_exclude_bounds(h->excluder, i);
        const int sign = g.value > 0.0 ? 1 : -1;
        if (h->steady[i]) continue;
        if (x->zero || !(fabs(g.value) > g.radius) || (x->side != 0 && x->side != sign))
            return false;
        x->noise = TAUT_HAPPEN_NOISE * (fabs(g.value) + g.radius);
        x->next_side = sign;
        news = news || x->side == 0 || x->fresh;
    }
    for (int i = 0; i < functions && news; i++)
        if (!h->steady[i]) taut_happen_leave_behind(m, &h->course[i], i);
    return true;
}

/* Crossings up to the cut move functions to their other side; what only touches is listed. */
taut_status taut_happen_pass_roots(taut_simulation *s, int i, double cut, taut_errors *errors) {
    taut_happen *h = s->happen;
    taut_event_course *x = &h->course[i];
    const taut_model *m = model_of(s);
    const double begin = h->watched->begin, end = h->watched->end;
    find_roots(s, i);
    /* it was zero where the step began, and another event ends the step before its next root, which
     * tells: it is still to be crossed. The value where the step began may be what rounding has
     * left of zero, with either sign. */
    if (cut < 1.0 && h->finder.roots > 0 && h->finder.root[0].theta > cut) {
        const int way = h->finder.root[0].way;
        x->side = way == 0 && fabs(x->before) > x->noise ? taut_happen_sign(x->before) : -way;
    }
    for (int k = 0; k < h->finder.roots && h->finder.root[k].theta <= cut; k++) {
        const taut_zero *root = &h->finder.root[k];
        if (root->way != 0) x->side = root->way;
        if (root->way != 0) x->truth = root->way > 0;
        if (root->way != 0) continue;
        const double t = begin + root->theta * (end - begin);
        if (i < m->events && m->event[i].record && !x->spent)
            TAUT_TRY(taut_happen_note(s, i, t, "touch"));
        TAUT_TRY(taut_sensitivity_touch(s, i, t, errors));
    }
    return TAUT_OK;
}
