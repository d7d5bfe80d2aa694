/* What touches at an event, in numbers: rates, how they respond to impulses, what rounding hides.
 * All of it from the equations with every contact open, whose matrix has the directions of the
 * forces in the columns of their unknowns. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "task/resolve.h"

static const double ROUNDING = 4096.0 * DBL_EPSILON; /* of sums of products, and of projections */
static const double TIMES = 64.0 * DBL_EPSILON;      /* how well times of events are known */
static const double ACCELERATION = 1e-11;            /* what is left when accelerations cancel */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

double taut_contact_value(const taut_simulation *s, const taut_series *series, int i,
                          taut_contact_part part, int order) {
    const taut_model *m = model_of(s);
    const int first = taut_happen_functions(m) + m->actions;
    return taut_series_output(series, first + TAUT_CONTACT_PARTS * i + (int)part, order);
}

/* ---- directions ---- */

/* The gradient of a gap from the column of its force: a motion's row has -N d gap/dq. */
static void read_gradient(const taut_series *series, int unknown, int coordinates, double *row) {
    memset(row, 0, (size_t)coordinates * sizeof *row);
    if (unknown < 0) return;
    for (int e = series->start[unknown]; e < series->start[unknown + 1]; e++)
        if (series->row[e] < coordinates) row[series->row[e]] = -series->J[e];
}

static void find_responses(const taut_problem *p, taut_touching *t) {
    const size_t n = (size_t)t->n, coordinates = (size_t)t->coordinates;
    const int size = 2 * t->count;
    for (int a = 0; a < size; a++) {
        double *row = t->gradient + (size_t)a * coordinates, *y = t->response + (size_t)a * n;
        read_gradient(t->series, p->contact[t->which[a / 2]].row[a % 2], t->coordinates, row);
        memset(y, 0, n * sizeof *y);
        memcpy(y, row, coordinates * sizeof *y);
        taut_lu_solve(t->series->lu, y);
    }
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++) {
            double sum = 0.0;
            for (size_t j = 0; j < coordinates; j++)
                sum += t->gradient[(size_t)a * coordinates + j] * t->response[(size_t)b * n + j];
            t->W[a * size + b] = sum;
        }
}

/* ---- rates ---- */

static double size_of(const taut_simulation *s, const taut_touching *t, int a, int order) {
    const double *row = t->gradient + (size_t)a * (size_t)t->coordinates;
    double sum = 0.0;
    for (int j = 0; j < t->coordinates; j++)
        if (order <= taut_state_order(s->happen->state, j))
            sum += fabs(row[j] * taut_series_get(t->series, j, order));
    return sum;
}

/* The length of velocities or accelerations in the kinetic metric, whose matrix is that of the
 * motions' rows: what cancels in one direction is rounded by the size of all. */
static double length_of(const taut_touching *t, int order) {
    const taut_series *x = t->series;
    double sum = 0.0;
    for (int j = 0; j < t->coordinates; j++)
        for (int e = x->start[j]; e < x->start[j + 1]; e++)
            if (x->row[e] < t->coordinates && x->structure->offsets.d[j] >= order)
                sum +=
                    x->J[e] * taut_series_get(x, j, order) * taut_series_get(x, x->row[e], order);
    return sqrt(fabs(sum));
}

static void find_rates(const taut_simulation *s, taut_touching *t) {
    const double time = fabs(s->happen->state->t);
    const double velocity = length_of(t, 1), acceleration = length_of(t, 2);
    for (int a = 0; a < 2 * t->count; a++) {
        const taut_contact_part part = a % 2 ? TAUT_CONTACT_ALONG : TAUT_CONTACT_GAP;
        const int i = t->which[a / 2];
        const double bend = taut_contact_value(s, t->series, i, part, 2);
        t->rate[a] = taut_contact_value(s, t->series, i, part, 1);
        const double reach = sqrt(fabs(t->W[a * (2 * t->count + 1)]));
        t->noise[a] = ROUNDING * (size_of(s, t, a, 1) + velocity * reach) +
                      TIMES * time * acceleration * reach;
        t->touch[a / 2].free[a % 2] = bend;
        t->touch[a / 2].noise[a % 2] = ACCELERATION * (size_of(s, t, a, 2) + acceleration * reach);
    }
}

/* ---- the whole ---- */

static taut_status settle(taut_simulation *s, taut_touching *t, bool project, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    taut_happen *h = s->happen;
    taut_state *state = h->state;
    if (c->now != c->base) {
        const double *number = taut_contacts_numbers(s);
        if (number) TAUT_TRY(taut_series_set_numbers(t->series, number));
        state = c->base->place;
        taut_state_take(state, h->state);
    }
    taut_state_write(state, t->series);
    const taut_status status = taut_series_settle(t->series, project, NULL, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK)
        return taut_fail(errors, TAUT_ERR_NUMERICS,
                         "at t = %.10g the equations with open contacts have no solution",
                         state->t);
    taut_series_extend(t->series, 1, TAUT_CONTACT_STAGE);
    if (project) {
        taut_state_read(state, t->series);
        if (state != h->state) taut_state_take(h->state, state);
    }
    return TAUT_OK;
}

/* Is the gap zero, as far as rounding can tell? One that has just been passed is, and one that is
 * closed. */
static bool is_touching(const taut_simulation *s, const taut_touching *t, int i) {
    const taut_problem *p = s->prepared->problem;
    const taut_formed_contact *x = &p->contact[i];
    const taut_event_course *guard =
        &s->happen->course[taut_contacts_first_guard(model_of(s)) + TAUT_GUARDS * i];
    if (!x->rigid) return false;
    if (!x->normal || s->contacts->course[i].mode != TAUT_TOUCH_OPEN || guard->fires) return true;
    const double gap = taut_contact_value(s, t->series, i, TAUT_CONTACT_GAP, 0);
    const double rate = taut_contact_value(s, t->series, i, TAUT_CONTACT_GAP, 1);
    double size = fabs(rate) * TIMES * fabs(s->happen->state->t);
    for (int e = t->series->start[x->row[0]]; e < t->series->start[x->row[0] + 1]; e++)
        if (t->series->row[e] < t->coordinates)
            size +=
                ROUNDING * fabs(t->series->J[e] * taut_series_get(t->series, t->series->row[e], 0));
    return fabs(gap) <= size;
}

static taut_status make_room(taut_touching *t) {
    const size_t size = 2 * (size_t)t->count;
    t->gradient = TAUT_NEW_ARRAY(&t->arena, size * (size_t)t->coordinates, double);
    t->response = TAUT_NEW_ARRAY(&t->arena, size * (size_t)t->n, double);
    t->W = TAUT_NEW_ARRAY(&t->arena, size * size, double);
    t->rate = TAUT_NEW_ARRAY(&t->arena, size, double);
    t->noise = TAUT_NEW_ARRAY(&t->arena, size, double);
    t->touch = TAUT_NEW_ARRAY(&t->arena, t->count, taut_touch);
    return t->gradient && t->response && t->W && t->rate && t->noise && t->touch ? TAUT_OK
                                                                                 : TAUT_ERR_MEMORY;
}

taut_status taut_touching_find(taut_simulation *s, taut_touching *t, taut_errors *errors) {
    const taut_problem *p = s->prepared->problem;
    taut_contacts *c = s->contacts;
    t->series = c->now == c->base ? s->happen->series : c->base->series;
    t->n = c->base->prepared->problem->system.n;
    t->coordinates = p->coordinates;
    TAUT_TRY(settle(s, t, false, errors));
    t->which = TAUT_NEW_ARRAY(&t->arena, c->count, int);
    if (!t->which) return TAUT_ERR_MEMORY;
    for (int i = 0; i < c->count; i++)
        if (is_touching(s, t, i)) t->which[t->count++] = i;
    if (t->count > TAUT_TOUCH_MOST)
        return taut_fail_at(errors, TAUT_ERR_NUMERICS, p->model->contact[t->which[0]].place,
                            "at t = %.10g %d contacts are closed at once: at most %d are possible",
                            s->happen->state->t, t->count, TAUT_TOUCH_MOST);
    TAUT_TRY(make_room(t));
    find_responses(p, t);
    find_rates(s, t);
    return TAUT_OK;
}

taut_status taut_touching_again(taut_simulation *s, taut_touching *t, taut_errors *errors) {
    TAUT_TRY(settle(s, t, true, errors));
    find_rates(s, t);
    return TAUT_OK;
}

/* ---- states near this one ---- */

taut_status taut_touching_copy(const taut_simulation *s, const taut_touching *t,
                               taut_touching *copy) {
    *copy = (taut_touching){
        .n = t->n, .coordinates = t->coordinates, .count = t->count, .which = t->which};
    if (s->contacts->now != s->contacts->base)
        TAUT_TRY(taut_series_create_from(t->series->plan, &copy->own));
    return make_room(copy);
}

void taut_touching_release(taut_touching *copy) {
    taut_series_free(&copy->own);
    taut_arena_release(&copy->arena);
}

taut_status taut_touching_vary(taut_simulation *s, taut_touching *t) {
    t->series = t->own ? t->own : s->happen->series;
    TAUT_TRY(settle(s, t, false, NULL));
    find_responses(s->prepared->problem, t);
    find_rates(s, t);
    return TAUT_OK;
}
