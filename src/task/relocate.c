/* Which piece of each table holds: chosen where a run begins, and anew where an argument leaves its
 * piece (docs/math/tables.md). */
#include <float.h>
#include <math.h>

#include "core/number.h"
#include "task/happen.h"
#include "task/resolve.h"

enum { MOST_FLIPS = 50 }; /* changes at one instant */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

static const taut_sampled *table_of(const taut_model *m, int lookup) {
    return &m->table[m->lookup[lookup].table].table;
}

/* Function number of the lower boundary of a piece; the upper one follows. */
static int edge_of(const taut_model *m, int lookup, int axis) {
    return m->events + m->kinks + m->lookup[lookup].start + 2 * axis;
}

/* ---- where an argument is ---- */

/* Its value: from the boundary that is closer, and its rate, as far as it is known. */
static double argument_of(const taut_simulation *s, int lookup, int axis, double *rate) {
    const taut_model *m = model_of(s);
    const taut_series *series = s->happen->series;
    const int edge = edge_of(m, lookup, axis);
    const double *head = s->numbers.now + m->lookup[lookup].first + TAUT_PIECE_HEAD * axis;
    const double below = taut_series_output(series, edge, 0),
                 above = taut_series_output(series, edge + 1, 0);
    *rate =
        taut_series_output_stage(series, edge, 1) <= 0 ? taut_series_output(series, edge, 1) : 0.0;
    return fabs(head[0]) <= fabs(head[1]) ? below + head[0] : head[1] - above;
}

/* The ends of a table are as exact as an argument can be found. */
static const double SLACK = 1e-9;

/* Is it for friction in a direction in which nothing slides? Then its value is not used, and its
 * argument, a speed below zero, may be outside. */
static bool is_idle(const taut_simulation *s, int lookup) {
    const taut_model *m = model_of(s);
    const taut_model_sliding *x = &m->lookup[lookup].sliding;
    const taut_sampled *t = table_of(m, lookup);
    if (x->way == 0) return false;
    if (x->way == 2)
        return !s->contacts || !taut_mode_sets_off(s->contacts->course[x->contact].mode);
    const double speed =
        x->way * taut_contact_value(s, s->happen->series, x->contact, TAUT_CONTACT_ALONG, 1);
    return speed <= SLACK * (t->knot[0][t->count[0]] - t->knot[0][0]);
}

/* The piece at x, which moves by `way`; false: outside of the table. */
static bool find_piece(const taut_sampled *t, int axis, double x, int way, long *index) {
    const double first = t->knot[axis][0], last = t->knot[axis][t->count[axis]];
    const double slack = SLACK * (last - first);
    *index = taut_sampled_locate(t, axis, x, way);
    if (taut_sampled_is_outside(t, axis, *index) && x >= first - slack && x <= last + slack)
        *index = *index < 0 ? 0 : t->count[axis] - 1;
    return !taut_sampled_is_outside(t, axis, *index);
}

static taut_status refuse_outside(const taut_simulation *s, int lookup, int axis, double x,
                                  taut_errors *errors) {
    const taut_model *m = model_of(s);
    const taut_sampled *t = table_of(m, lookup);
    char text[200], value[60] = "leaves";
    const bool start = !s->happen->pending;
    if (start) taut_format(value, sizeof value, "is %.10g, outside of", x);
    return taut_fail_at(
        errors, start ? TAUT_ERR_INPUT : TAUT_ERR_NUMERICS, m->lookup[lookup].place,
        "at t = %.10g %s %s the table '%s', which goes from %.10g to %.10g: give it more samples, "
        "or say what holds Outside of it (hold, extend, periodic)",
        s->happen->state->t,
        taut_infix_print(m->graph, m->lookup[lookup].argument[axis],
                         &(taut_names){m->variable_name, m->parameter_name}, text, sizeof text),
        value, t->name, t->knot[axis][0], t->knot[axis][t->count[axis]]);
}

/* ---- changes ---- */

/* Makes h->piece of a lookup the numbers of its parameters. */
static taut_status assign(taut_simulation *s, int lookup, taut_errors *errors) {
    const taut_model *m = model_of(s);
    const taut_model_lookup *x = &m->lookup[lookup];
    const taut_sampled *t = table_of(m, lookup);
    const int count = taut_sampled_numbers(t);
    taut_arena arena = {0};
    double *value = TAUT_NEW_ARRAY(&arena, count, double);
    int *which = TAUT_NEW_ARRAY(&arena, count, int);
    taut_status status = value && which ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        taut_sampled_piece(t, s->happen->piece + TAUT_TABLE_AXES * lookup, value);
        for (int i = 0; i < count; i++) which[i] = x->first + i;
        const taut_happen_change change = {which, value, count, x->place};
        status = taut_happen_change_numbers(s, &change, errors);
    }
    taut_arena_release(&arena);
    if (status == TAUT_OK) s->happen->blamed = x;
    return status;
}

const taut_model_lookup *taut_happen_blamed(const taut_simulation *s) { return s->happen->blamed; }

/* Do the parameters of a lookup belong to these pieces? */
static bool is_there(const taut_simulation *s, int lookup, const long *index) {
    const taut_model *m = model_of(s);
    const taut_sampled *t = table_of(m, lookup);
    const double *now = s->numbers.now + m->lookup[lookup].first;
    for (int axis = 0; axis < t->axes; axis++) {
        double head[2];
        taut_sampled_ends(t, axis, index[axis], head);
        if (now[TAUT_PIECE_HEAD * axis] != head[0] || now[TAUT_PIECE_HEAD * axis + 1] != head[1])
            return false;
    }
    return true;
}

taut_status taut_happen_set_pieces(taut_simulation *s, bool *changed, taut_errors *errors) {
    const taut_model *m = model_of(s);
    *changed = false;
    s->happen->blamed = NULL;
    for (int i = 0; i < m->lookups; i++) {
        const taut_sampled *t = table_of(m, i);
        long index[TAUT_TABLE_AXES] = {0};
        for (int axis = 0; axis < t->axes; axis++) {
            double rate;
            const double x = argument_of(s, i, axis, &rate);
            const double way = s->tend < s->t0 ? -rate : rate;
            const int to = way > 0.0 ? 1 : way < 0.0 ? -1 : 0;
            if (!isfinite(x) || (!find_piece(t, axis, x, to, &index[axis]) && !is_idle(s, i)))
                return refuse_outside(s, i, axis, x, errors);
        }
        for (int axis = 0; axis < t->axes; axis++)
            s->happen->piece[TAUT_TABLE_AXES * i + axis] = index[axis];
        if (is_there(s, i, index)) continue;
        *changed = true;
        TAUT_TRY(assign(s, i, errors));
    }
    return TAUT_OK;
}

/* ---- crossings ---- */

/* The slope of a curve by its old numbers and its new ones: is there a corner? */
static bool has_corner(const taut_sampled *t, const double *old, const double *new, double x) {
    const double *a = old + TAUT_PIECE_HEAD, *b = new + TAUT_PIECE_HEAD;
    const double before = taut_powers_value(a, t->degree, 1, x - old[2]),
                 after = taut_powers_value(b, t->degree, 1, x - new[2]);
    return fabs(after - before) > 1e-9 * (fabs(before) + fabs(after));
}

/* A corner of what bodies move with is a blow. */
static taut_status check_blow(const taut_simulation *s, int lookup, taut_errors *errors) {
    const taut_model *m = model_of(s);
    const taut_sampled *t = table_of(m, lookup);
    taut_arena arena = {0};
    double rate;
    if (!m->lookup[lookup].inertial) return TAUT_OK;
    double *new = TAUT_NEW_ARRAY(&arena, taut_sampled_numbers(t), double);
    if (!new) return TAUT_ERR_MEMORY;
    taut_sampled_piece(t, s->happen->piece + TAUT_TABLE_AXES * lookup, new);
    const bool corner = t->axes > 1 ? t->degree == 1
                                    : has_corner(t, s->numbers.now + m->lookup[lookup].first, new,
                                                 argument_of(s, lookup, 0, &rate));
    taut_arena_release(&arena);
    if (!corner) return TAUT_OK;
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, m->lookup[lookup].place,
                        "at t = %.10g the table '%s' has a corner, and masses move with it: their "
                        "velocities would have to jump; Between: spline has none inside the table",
                        s->happen->time, t->name);
}

/* An argument that comes and goes at one instant. */
static taut_status check_flips(taut_simulation *s, int lookup, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    h->flips = h->flipped == h->time ? h->flips + 1 : 0;
    h->flipped = h->time;
    if (h->flips < MOST_FLIPS + 4 * m->lookups) return TAUT_OK;
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, m->lookup[lookup].place,
                        "at t = %.10g the motion slides along a knot of the table '%s': both "
                        "sides lead back to it",
                        h->time, table_of(m, lookup)->name);
}

/* The next piece of an argument whose boundary fires; *moved: it has another one. */
static taut_status cross_axis(taut_simulation *s, int lookup, int axis, bool *moved,
                              taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_happen *h = s->happen;
    const taut_sampled *t = table_of(m, lookup);
    taut_event_course *edge = &h->course[edge_of(m, lookup, axis)];
    long *piece = &h->piece[TAUT_TABLE_AXES * lookup + axis];
    long next = *piece;
    double rate;
    if (!edge[0].fires && !edge[1].fires) return TAUT_OK;
    const double x = argument_of(s, lookup, axis, &rate);
    const bool jumped = (edge[0].fires && edge[0].way == 0) || (edge[1].fires && edge[1].way == 0);
    if (jumped)
        find_piece(t, axis, x, 0, &next);
    else
        next += edge[1].fires ? 1 : -1;
    if (taut_sampled_is_outside(t, axis, next) && !is_idle(s, lookup)) {
        if (h->time != s->tend) return refuse_outside(s, lookup, axis, x, errors);
        for (int side = 0; side < 2; side++) { /* the run ends where the table ends */
            edge[side].fires = edge[side].zero = false;
            edge[side].side = 1; /* if it goes on, it leaves */
        }
        return TAUT_OK;
    }
    *moved = true;
    *piece = next;
    for (int side = 0; side < 2; side++) { /* the boundary that was passed is behind */
        edge[side].zero = !jumped && edge[1 - side].fires;
        edge[side].fired = true;
        edge[side].side = 1;
    }
    return check_flips(s, lookup, errors);
}

taut_status taut_happen_cross(taut_simulation *s, bool *changed, taut_errors *errors) {
    const taut_model *m = model_of(s);
    *changed = false;
    s->happen->blamed = NULL;
    for (int i = 0; i < m->lookups; i++) {
        bool moved = false;
        for (int axis = 0; axis < table_of(m, i)->axes; axis++)
            TAUT_TRY(cross_axis(s, i, axis, &moved, errors));
        if (!moved) continue;
        TAUT_TRY(check_blow(s, i, errors));
        TAUT_TRY(assign(s, i, errors));
        *changed = true;
    }
    return TAUT_OK;
}

bool taut_happen_judge_edges(taut_simulation *s) {
    const taut_model *m = model_of(s);
    taut_happen *h = s->happen;
    bool more = false;
    for (int i = m->events + m->kinks; i < taut_happen_first_guard(m); i++) {
        taut_event_course *x = &h->course[i];
        const double g = taut_series_output(h->series, i, 0);
        const bool jumped = fabs(g - x->before) > x->noise;
        x->fires = false;
        if (jumped && !x->fired) x->zero = false;
        if (jumped && !x->zero && g < -x->noise) { /* the argument has jumped out of its piece */
            x->fires = more = true;
            x->way = 0;
        } else if (jumped) {
            x->side = 1;
        }
        x->before = g;
    }
    return more;
}
