/* What touches at an event, in numbers: rates, how they respond to impulses, what rounding hides.
 * All of it from the equations with every contact open, whose matrix has the directions of the
 * forces in the columns of their unknowns. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "task/resolve.h"

static const double ROUNDING = 4096.0 * DBL_EPSILON; /* of sums of products, and of projections */
static const double PLACES = 16.0 * DBL_EPSILON;     /* of gaps */
static const double TIMES = 64.0 * DBL_EPSILON;      /* how well times of events are known */
static const double NO_MASS = 1e-14;      /* beside others: rounding of one that vanishes */
static const double HELD = 1e-12;         /* what is left of a response if others hold all of it */
static const double ACCELERATION = 1e-11; /* what is left when accelerations cancel */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

double taut_contact_value(const taut_simulation *s, const taut_series *series, int i,
                          taut_contact_part part, int order) {
    const taut_model *m = model_of(s);
    const int first = taut_happen_functions(m) + m->actions;
    const bool rate = part >= TAUT_CONTACT_ALONG && part <= TAUT_CONTACT_ALONG_3;
    if (rate && s->prepared->problem->contact[i].rates && --order < 0) return 0.0;
    return taut_series_output(series, first + TAUT_CONTACT_PARTS * i + (int)part, order);
}

/* ---- directions ---- */

/* The gradient of a gap from the column of its force: a motion's row has -N d gap/dq. */
static void read_gradient(const taut_touching *t, int unknown, double *gradient) {
    const taut_series *x = t->series;
    memset(gradient, 0, (size_t)t->coordinates * sizeof *gradient);
    for (int e = x->start[unknown]; e < x->start[unknown + 1]; e++) {
        const int row = x->row[e] - t->motions;
        if (row >= 0 && row < t->coordinates) gradient[row] = -x->J[e];
    }
}

/* What belongs to coordinate j itself in the matrix of masses; 0: nothing does. */
static double own_mass(const taut_touching *t, int j) {
    const taut_series *x = t->series;
    for (int e = x->start[j]; e < x->start[j + 1]; e++)
        if (x->row[e] == t->motions + j) return fabs(x->J[e]);
    return 0.0;
}

bool taut_touching_is_held(const taut_touching *t, int row) {
    const double *gradient = t->gradient + (size_t)row * (size_t)t->coordinates;
    double alone = 0.0, most = 0.0;
    for (int j = 0; j < t->coordinates; j++) most = fmax(most, own_mass(t, j));
    for (int j = 0; j < t->coordinates; j++) {
        const double mass = own_mass(t, j);
        if (mass > NO_MASS * most) alone += gradient[j] * gradient[j] / mass;
    }
    return fabs(t->W[row * (TAUT_TOUCH_ROWS * t->count + 1)]) <= HELD * alone;
}

/* What rounding leaves of responses to gaps that joints and drivers hold is none: impulses would be
 * found that are as large as it is small. */
static void clear_held(const taut_problem *p, taut_touching *t) {
    const int size = TAUT_TOUCH_ROWS * t->count;
    for (int a = 0; a < size; a += TAUT_TOUCH_ROWS) {
        const taut_formed_contact *x = &p->contact[t->which[a / TAUT_TOUCH_ROWS]];
        if (!x->normal || !taut_touching_is_held(t, a)) continue;
        for (int b = 0; b < size; b++) t->W[a * size + b] = t->W[b * size + a] = 0.0;
    }
}

static void find_responses(const taut_problem *p, taut_touching *t) {
    const size_t n = (size_t)t->n, coordinates = (size_t)t->coordinates;
    const int size = TAUT_TOUCH_ROWS * t->count;
    for (int a = 0; a < size; a++) {
        double *row = t->gradient + (size_t)a * coordinates, *y = t->response + (size_t)a * n;
        const int unknown = p->contact[t->which[a / TAUT_TOUCH_ROWS]].row[a % TAUT_TOUCH_ROWS];
        if (unknown < 0) continue;
        read_gradient(t, unknown, row);
        memset(y, 0, n * sizeof *y);
        memcpy(y + t->motions, row, coordinates * sizeof *y);
        taut_lu_solve(t->series->lu, y);
    }
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++) {
            double sum = 0.0;
            for (size_t j = 0; j < coordinates; j++)
                sum += t->gradient[(size_t)a * coordinates + j] * t->response[(size_t)b * n + j];
            t->W[a * size + b] = sum;
        }
    clear_held(p, t);
}

/* ---- loads ---- */

/* A multiplier (-1: it is 0 whatever comes), and its responses to the forces, times a factor. */
static void add_load(const taut_touching *t, int unknown, double factor, double *load,
                     double *row) {
    if (unknown < 0) return;
    *load += factor * taut_series_get(t->series, unknown, 0);
    for (int a = 0; a < TAUT_TOUCH_ROWS * t->count; a++)
        row[a] += factor * t->response[(size_t)a * (size_t)t->n + (size_t)unknown];
}

/* How the loads of joints that rub depend on the forces, and what they are without any. */
static void find_loads(const taut_problem *p, taut_touching *t) {
    const int size = TAUT_TOUCH_ROWS * t->count;
    for (int k = 0; k < t->count; k++) {
        const taut_formed_contact *x = &p->contact[t->which[k]];
        taut_touch *y = &t->touch[k];
        y->loads = x->loads;
        for (int i = 0; i < x->loads; i++) {
            double *row = t->by + (3 * (size_t)k + (size_t)i) * (size_t)size;
            y->by[i] = row;
            y->load[i] = 0.0;
            for (int a = 0; a < size; a++) row[a] = 0.0;
            add_load(t, x->load[i], x->load_scale, &y->load[i], row);
            if (x->lever != 0.0)
                add_load(t, x->moment[i], x->lever * x->load_scale, &y->load[i], row);
        }
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
    for (int j = 0; j < t->coordinates && t->motions > 0; j++) /* momenta are this already */
        sum += taut_series_get(x, j, order) * taut_series_get(x, t->motions + j, order - 1);
    for (int j = 0; j < t->coordinates && t->motions == 0; j++)
        for (int e = x->start[j]; e < x->start[j + 1]; e++)
            if (x->row[e] < t->coordinates && x->structure->offsets.d[j] >= order)
                sum +=
                    x->J[e] * taut_series_get(x, j, order) * taut_series_get(x, x->row[e], order);
    return sqrt(fabs(sum));
}

/* Has its sliding just been found to end? At a dead point no force moves what slides, so that
 * nothing else tells how well its rate is known. */
static bool has_stopped(const taut_simulation *s, int i) {
    const int mode = s->contacts->course[i].mode;
    const taut_event_course *guard =
        &s->happen->course[taut_contacts_first_guard(model_of(s)) + TAUT_GUARDS * i];
    return (mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN) && guard[1].fires;
}

/* How far the acceleration of a gap is off because the time at which its force vanished is: nothing
 * else tells where all forces vanish there. */
static double missed_acceleration(const taut_simulation *s, int i, double response) {
    const taut_happen *h = s->happen;
    const int mode = s->contacts->course[i].mode;
    const int guard = taut_contacts_first_guard(model_of(s)) + TAUT_GUARDS * i;
    const taut_event_course *x = &h->course[guard];
    if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE || !x->fires || !(x->theta <= 1.0))
        return 0.0;
    const double span = fabs(h->watched->end - h->watched->begin);
    const double late = TIMES * fabs(h->time) + ROUNDING * span;
    const double slope = taut_course_value(&h->watched->course[guard], 1, x->theta);
    return span > 0.0 ? fabs(slope) / span * late * response : 0.0;
}

static void find_size_of_forces(taut_touching *t) {
    t->force = 0.0;
    for (int j = t->coordinates; j < t->n; j++)
        if (t->series->structure->offsets.d[j] == 0)
            t->force = fmax(t->force, fabs(taut_series_get(t->series, j, 0)));
}

/* struck: velocities have jumped since the rates were found that it replaces. */
static void find_rates(const taut_simulation *s, taut_touching *t, bool struck) {
    const double time = fabs(s->happen->state->t);
    const double velocity = length_of(t, 1), acceleration = length_of(t, 2);
    find_size_of_forces(t);
    for (int a = 0; a < TAUT_TOUCH_ROWS * t->count; a++) {
        const int k = a % TAUT_TOUCH_ROWS, i = t->which[a / TAUT_TOUCH_ROWS];
        const taut_contact_part part = (taut_contact_part)(TAUT_CONTACT_GAP + k);
        taut_touch *touch = &t->touch[a / TAUT_TOUCH_ROWS];
        if (s->prepared->problem->contact[i].row[k] < 0) continue;
        const double bend = taut_contact_value(s, t->series, i, part, 2), before = t->rate[a];
        t->rate[a] = taut_contact_value(s, t->series, i, part, 1);
        const double reach = sqrt(fabs(t->W[a * (TAUT_TOUCH_ROWS * t->count + 1)]));
        t->noise[a] = ROUNDING * (size_of(s, t, a, 1) + velocity * reach) +
                      TIMES * time * acceleration * reach;
        const double pull = acceleration * reach + t->force * reach * reach;
        if (k > 0) t->pull[a / TAUT_TOUCH_ROWS] = fmax(t->pull[a / TAUT_TOUCH_ROWS], pull);
        const bool same = !struck || fabs(t->rate[a] - before) <= t->noise[a];
        if (k == 1 && s->prepared->problem->contact[i].ways == 1 && same && has_stopped(s, i))
            t->noise[a] = fmax(t->noise[a], 2.0 * fabs(t->rate[a]));
        touch->free[k] = bend;
        touch->noise[k] = ACCELERATION * (size_of(s, t, a, 2) + acceleration * reach);
        if (k == 0) touch->noise[k] += missed_acceleration(s, i, reach * reach);
    }
}

double taut_touching_place(const taut_touching *t, int at) {
    const double *row = t->gradient + TAUT_TOUCH_ROWS * (size_t)at * (size_t)t->coordinates;
    double sum = 0.0, largest = 0.0;
    for (int j = 0; j < t->coordinates; j++) {
        sum += fabs(row[j]);
        largest = fmax(largest, fabs(taut_series_get(t->series, j, 0)));
    }
    return PLACES * sum * largest;
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
    if (p->model->contact[i].breaks)
        return taut_loose_engages(s, i) && !s->contacts->course[i].idle;
    if (!x->normal || s->contacts->course[i].mode != TAUT_TOUCH_OPEN || guard->fires) return true;
    const double gap = taut_contact_value(s, t->series, i, TAUT_CONTACT_GAP, 0);
    const double rate = taut_contact_value(s, t->series, i, TAUT_CONTACT_GAP, 1);
    double size = fabs(rate) * TIMES * fabs(s->happen->state->t), largest = 0.0;
    for (int j = 0; j < t->coordinates; j++)
        largest = fmax(largest, fabs(taut_series_get(t->series, j, 0)));
    for (int e = t->series->start[x->row[0]]; e < t->series->start[x->row[0] + 1]; e++) {
        const int row = t->series->row[e] - t->motions;
        if (row >= 0 && row < t->coordinates) size += PLACES * fabs(t->series->J[e]) * largest;
    }
    return gap <= size; /* a little below zero as well, by whatever rounding */
}

static taut_status make_room(taut_touching *t) {
    const size_t size = TAUT_TOUCH_ROWS * (size_t)t->count;
    t->gradient = TAUT_NEW_ARRAY(&t->arena, size * (size_t)t->coordinates, double);
    t->response = TAUT_NEW_ARRAY(&t->arena, size * (size_t)t->n, double);
    t->W = TAUT_NEW_ARRAY(&t->arena, size * size, double);
    t->rate = TAUT_NEW_ARRAY(&t->arena, size, double);
    t->noise = TAUT_NEW_ARRAY(&t->arena, size, double);
    t->touch = TAUT_NEW_ARRAY(&t->arena, t->count, taut_touch);
    t->by = TAUT_NEW_ARRAY(&t->arena, 3 * (size_t)t->count * size, double);
    t->answer = TAUT_NEW_ARRAY(&t->arena, size, double);
    t->sense = TAUT_NEW_ARRAY(&t->arena, t->count, double);
    t->pull = TAUT_NEW_ARRAY(&t->arena, t->count, double);
    if (!t->answer || !t->sense || !t->by || !t->pull) return TAUT_ERR_MEMORY;
    return t->gradient && t->response && t->W && t->rate && t->noise && t->touch ? TAUT_OK
                                                                                 : TAUT_ERR_MEMORY;
}

taut_status taut_touching_find(taut_simulation *s, taut_touching *t, taut_errors *errors) {
    const taut_problem *p = s->prepared->problem;
    taut_contacts *c = s->contacts;
    t->series = c->now == c->base ? s->happen->series : c->base->series;
    t->n = c->base->prepared->problem->system.n;
    t->coordinates = p->coordinates;
    t->motions = p->model->kind == TAUT_MODEL_HAMILTONIAN ? p->coordinates : 0;
    TAUT_TRY(settle(s, t, false, errors));
    t->which = TAUT_NEW_ARRAY(&t->arena, c->count, int);
    if (!t->which) return TAUT_ERR_MEMORY;
    for (int i = 0; i < c->count; i++)
        if (is_touching(s, t, i)) t->which[t->count++] = i;
    if (t->count > TAUT_TOUCH_MOST) return taut_touching_too_many(s, t, t->count, errors);
    TAUT_TRY(make_room(t));
    find_responses(p, t);
    find_rates(s, t, false);
    find_loads(c->base->prepared->problem, t);
    return TAUT_OK;
}

void taut_touching_pick(const taut_touching *t, const int *at, int count, taut_touch *touch,
                        double *W, double *by) {
    enum { ROWS = TAUT_TOUCH_ROWS };
    const int size = ROWS * count;
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++)
            W[a * size + b] = t->W[(ROWS * at[a / ROWS] + a % ROWS) * ROWS * t->count +
                                   ROWS * at[b / ROWS] + b % ROWS];
    for (int k = 0; k < count; k++)
        for (int i = 0; i < touch[k].loads; i++) {
            double *row = by + (3 * k + i) * size;
            const double *all = t->touch[at[k]].by[i];
            for (int b = 0; b < size; b++) row[b] = all[ROWS * at[b / ROWS] + b % ROWS];
            touch[k].by[i] = row;
        }
}

taut_status taut_touching_driven(const taut_simulation *s, const taut_touching *t, int at,
                                 taut_errors *errors) {
    const taut_model_contact *c = &model_of(s)->contact[t->which[at]];
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, c->place,
                        "at t = %.10g '%s' is reached by what joints and drivers move on, and no "
                        "force can stop that: let a driver go (Breaks), or make the contact "
                        "compliant (Stiffness)",
                        s->happen->time, c->element);
}

taut_status taut_touching_again(taut_simulation *s, taut_touching *t, taut_errors *errors) {
    TAUT_TRY(settle(s, t, true, errors));
    find_rates(s, t, true);
    find_loads(s->contacts->base->prepared->problem, t);
    return TAUT_OK;
}

taut_status taut_touching_respond(const taut_simulation *s, taut_touching *t, double *change) {
    const size_t count = TAUT_TOUCH_ROWS * (size_t)t->count, all = count * count;
    double *before = TAUT_NEW_ARRAY(&t->arena, all, double), size = 0.0;
    if (!before) return TAUT_ERR_MEMORY;
    memcpy(before, t->W, all * sizeof *before);
    find_responses(s->prepared->problem, t);
    *change = 0.0;
    for (size_t i = 0; i < all; i++) {
        size = fmax(size, fabs(before[i]));
        *change = fmax(*change, fabs(t->W[i] - before[i]));
    }
    if (size > 0.0) *change /= size;
    return TAUT_OK;
}

taut_status taut_touching_too_many(const taut_simulation *s, const taut_touching *t, int count,
                                   taut_errors *errors) {
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, model_of(s)->contact[t->which[0]].place,
                        "at t = %.10g %d contacts are closed at once: at most %d are possible, and "
                        "%d with friction in space or by loads, or with 'Impact: poisson'",
                        s->happen->state->t, count, TAUT_TOUCH_MOST, TAUT_TOUCH_ENUMERATED);
}

taut_status taut_touching_tell_sought(taut_simulation *s, int count,
                                      const taut_touch_answers *answers) {
    if (!answers->sought || s->contacts->sought) return TAUT_OK;
    s->contacts->sought = true;
    return taut_notebook_remark(&s->notebook,
                                "at t = %.6g %d contacts are solved at once, by pivoting from "
                                "several sides: another solution is not excluded",
                                s->happen->time, count);
}
