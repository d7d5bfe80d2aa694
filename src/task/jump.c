/* Velocities that an event assigns. Positions stay; an impulse N^T mu brings the assigned ones to
 * their values, and constraints transmit what they must:
 *
 *   M (v+ - v-) + G^T Lambda = N^T mu,   G (v+ - v-) = 0,   N v+ = assigned,
 *
 * which is the least change of v in the metric M. The matrix on the left is that of stage 0, with
 * the factors at hand (docs/math/events.md, section 4). */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "task/instant.h"
#include "task/resolve.h"

static const double HELD = 1e-9; /* an assigned value that is farther off is not met */

typedef struct jump {
    taut_arena arena;
    int n, count;
    int *variable;    /* [count] assigned */
    double *response; /* [count * n] of all leading derivatives to unit impulses */
    double *matrix;   /* [count * count] */
    double *wanted;   /* [count] changes, then impulses */
} jump;

/* The direction of the impulse that goes with the velocity of variable v: a coordinate's own; for a
 * tracked angle its gradient, from the row of its equation. */
static void direct(const taut_series *series, const taut_problem *p, int v, double *row) {
    memset(row, 0, (size_t)p->system.n * sizeof *row);
    if (v < p->coordinates) {
        row[v] = 1.0;
        return;
    }
    double own = 1.0;
    for (int j = 0; j < p->system.n; j++)
        for (int e = series->start[j]; e < series->start[j + 1]; e++) {
            if (series->row[e] != v) continue;
            if (j == v) own = series->J[e];
            if (j < p->coordinates) row[j] = series->J[e];
        }
    for (int j = 0; j < p->coordinates; j++) row[j] /= -own;
}

/* Gaussian elimination with pivots; false if the matrix is singular. */
static bool solve_small(double *a, double *b, int n) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
        if (!(fabs(a[pivot * n + k]) > 0.0)) return false;
        for (int j = 0; j < n; j++) {
            const double x = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = x;
        }
        const double x = b[k];
        b[k] = b[pivot];
        b[pivot] = x;
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
    return true;
}

/* What unit impulses do to all velocities, and to the assigned ones. */
static void respond(const taut_series *series, const taut_problem *p, jump *x) {
    for (int a = 0; a < x->count; a++) {
        double *response = x->response + (size_t)a * (size_t)x->n;
        direct(series, p, x->variable[a], response);
        taut_lu_solve(series->lu, response);
    }
    for (int a = 0; a < x->count; a++)
        for (int b = 0; b < x->count; b++)
            x->matrix[a * x->count + b] =
                x->response[(size_t)b * (size_t)x->n + (size_t)x->variable[a]];
}

static void strike(taut_simulation *s, const jump *x) {
    const taut_problem *p = s->prepared->problem;
    for (int j = 0; j < p->coordinates + p->angles; j++)
        for (int a = 0; a < x->count; a++)
            *taut_state_at(s->happen->state, j, 1) +=
                x->wanted[a] * x->response[(size_t)a * (size_t)x->n + (size_t)j];
}

/* ---- contacts ---- */

/* The impulse that unknown force `row` transmits. */
static double transmitted(const jump *x, int row) {
    double sum = 0.0;
    for (int a = 0; a < x->count && row >= 0; a++)
        sum += x->wanted[a] * x->response[(size_t)a * (size_t)x->n + (size_t)row];
    return sum;
}

/* Would contact i have to pull, or to hold by more than its friction can? */
static bool is_asked_too_much(const taut_simulation *s, const jump *x, int i, double size) {
    const taut_formed_contact *c = &s->prepared->problem->contact[i];
    const int mode = s->contacts->course[i].mode;
    double normal = 0.0, along = 0.0;
    if (mode == TAUT_TOUCH_OPEN || c->firm || c->loads > 0) return false;
    if (c->normal) normal = transmitted(x, c->row[0]);
    for (int k = 1; k < TAUT_TOUCH_ROWS; k++) along = hypot(along, transmitted(x, c->row[k]));
    const double mu = taut_contact_value(s, s->happen->series, i, TAUT_CONTACT_SLIP_UP, 0);
    return normal < -HELD * size ||
           along > (c->normal ? mu * fmax(normal, 0.0) : 0.0) + HELD * size;
}

/* Do contacts transmit what they can? */
static bool is_possible(const taut_simulation *s, const jump *x) {
    double size = 0.0;
    if (s->contacts && s->contacts->now == s->contacts->base) return true;
    for (int a = 0; a < x->count; a++) size = fmax(size, fabs(x->wanted[a]));
    for (int i = 0; s->contacts && i < s->contacts->count; i++)
        if (is_asked_too_much(s, x, i, size)) return false;
    return true;
}

/* Velocities and impulses as if no contact touched: what follows from that is for the contacts,
 * which are found anew behind the event. */
static taut_status let_go(taut_simulation *s, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    taut_mode_set *before = c->now;
    TAUT_TRY(taut_contacts_use(s, c->base->mode, errors));
    taut_state_take(s->happen->state, before->place);
    return taut_happen_settle(s, false, errors);
}

/* ---- the jump ---- */

/* Is a value met after projection? */
static taut_status check_held(taut_simulation *s, const int *which, const double *value, int count,
                              taut_errors *errors) {
    const taut_problem *p = s->prepared->problem;
    const taut_model *m = p->model;
    const taut_state *state = s->happen->state;
    TAUT_TRY(taut_happen_settle(s, true, errors));
    for (int i = 0; i < count; i++) {
        const taut_model_action *a = &m->action[which[i]];
        const int v = taut_node_get(p->graph, p->target[which[i]])->index;
        double scale = fabs(value[i]);
        for (int j = 0; j < state->n; j++)
            if (taut_state_order(state, j) >= a->order && a->order > 0)
                scale = fmax(scale, fabs(*taut_state_at(state, j, a->order)));
        if (!(fabs(*taut_state_at(state, v, a->order) - value[i]) <= HELD * scale))
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, a->place,
                                "'%s' cannot become %.10g at t = %.10g: constraints do not allow "
                                "it",
                                a->name, value[i], state->t);
    }
    return TAUT_OK;
}

/* Can these equations assign it? */
static taut_status check_target(const taut_simulation *s, int action, taut_errors *errors) {
    const taut_problem *p = s->prepared->problem;
    const taut_model_action *a = &p->model->action[action];
    const taut_node_data *d = taut_node_get(p->graph, p->target[action]);
    const bool variable = d->op == TAUT_OP_VAR;
    if (!variable)
        return taut_fail_at(errors, TAUT_ERR_INPUT, a->place,
                            "the velocity '%s' follows from others in this formulation: assign "
                            "that of a coordinate or of an angle",
                            a->name);
    if (a->order < s->prepared->structure.offsets.d[d->index] ||
        (p->coordinates > 0 && d->index >= p->coordinates + p->angles))
        return TAUT_OK;
    return taut_fail_at(errors, TAUT_ERR_INPUT, a->place,
                        "'%s' follows from the equations at every time: an event cannot assign it",
                        a->name);
}

static bool is_velocity(const taut_problem *p, int variable, int order) {
    return order == 1 && variable < p->coordinates + p->angles &&
           p->model->kind != TAUT_MODEL_HAMILTONIAN;
}

static taut_status prepare(const taut_simulation *s, int count, jump *x) {
    x->n = s->prepared->problem->system.n;
    x->variable = TAUT_NEW_ARRAY(&x->arena, count, int);
    x->response = TAUT_NEW_ARRAY(&x->arena, (size_t)count * (size_t)x->n, double);
    x->matrix = TAUT_NEW_ARRAY(&x->arena, count * count, double);
    x->wanted = TAUT_NEW_ARRAY(&x->arena, count, double);
    return x->variable && x->response && x->matrix && x->wanted ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Assigns what is no velocity, and finds the impulses that the others take. *found: there are some
 * that constraints and contacts can transmit. */
static taut_status find_impulses(taut_simulation *s, const int *which, const double *value,
                                 int count, jump *x, bool *found, taut_errors *errors) {
    const taut_problem *p = s->prepared->problem;
    taut_state *state = s->happen->state;
    x->count = 0;
    TAUT_TRY(prepare(s, count, x));
    for (int i = 0; i < count; i++) {
        TAUT_TRY(check_target(s, which[i], errors));
        const int v = taut_node_get(p->graph, p->target[which[i]])->index;
        const int order = p->model->action[which[i]].order;
        if (is_velocity(p, v, order)) {
            x->variable[x->count] = v;
            x->wanted[x->count++] = value[i] - *taut_state_at(state, v, 1);
        } else {
            *taut_state_at(state, v, order) = value[i];
        }
    }
    if (x->count > 0) respond(s->happen->series, p, x);
    *found = solve_small(x->matrix, x->wanted, x->count) && is_possible(s, x);
    return TAUT_OK;
}

static taut_status assign(taut_simulation *s, const int *which, const double *value, int count,
                          jump *x, taut_errors *errors) {
    bool found;
    const taut_model_action *first = &s->prepared->problem->model->action[which[0]];
    TAUT_TRY(find_impulses(s, which, value, count, x, &found, errors));
    if (!found && s->contacts && s->contacts->now != s->contacts->base) {
        if (s->sensitivity)
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, first->place,
                                "at t = %.10g contacts cannot hold what '%s' assigns: how that "
                                "varies is not known",
                                s->happen->time, first->name);
        TAUT_TRY(let_go(s, errors));
        TAUT_TRY(find_impulses(s, which, value, count, x, &found, errors));
    }
    const taut_problem *p = s->prepared->problem;
    taut_state *state = s->happen->state;
    if (!found)
        return taut_fail_at(errors, TAUT_ERR_NUMERICS, first->place,
                            "the velocities that are assigned at t = %.10g are not independent of "
                            "each other, or constraints hold one of them",
                            state->t);
    strike(s, x);
    for (int i = 0; i < count; i++) { /* met to the last digit */
        const int v = taut_node_get(p->graph, p->target[which[i]])->index;
        *taut_state_at(state, v, p->model->action[which[i]].order) = value[i];
    }
    return check_held(s, which, value, count, errors);
}

taut_status taut_happen_jump(taut_simulation *s, const int *which, const double *value, int count,
                             taut_errors *errors) {
    jump x = {0};
    const taut_status status = assign(s, which, value, count, &x, errors);
    taut_arena_release(&x.arena);
    return status;
}

/* ---- variations ---- */

/* The jump of the run, and how it varies. */
typedef struct jump_tangent {
    const taut_simulation *s;
    const taut_instant *at;
    const int *which; /* [count] actions */
    int count;
    jump x;
    double *mu, *y;        /* [x.count], [n] impulses, and the jump itself */
    double *square, *side; /* [x.count * x.count], [n] work space */
} jump_tangent;

static int variable_of(const jump_tangent *y, int i) {
    const taut_problem *p = y->s->prepared->problem;
    return taut_node_get(p->graph, p->target[y->which[i]])->index;
}

static int order_of(const jump_tangent *y, int i) {
    return y->s->prepared->problem->model->action[y->which[i]].order;
}

/* Adds mu times the variation of the impulse's direction to y->side. */
static void vary_direct(const jump_tangent *y, int v, int direction, double mu) {
    const taut_series *x = y->at->series;
    const taut_problem *p = y->s->prepared->problem;
    double own = 1.0, change = 0.0;
    if (v < p->coordinates) return;
    for (int e = x->start[v]; e < x->start[v + 1]; e++) {
        if (x->row[e] != v) continue;
        own = x->J[e];
        change = taut_instant_entry(y->at, e, direction);
    }
    for (int j = 0; j < p->coordinates; j++)
        for (int e = x->start[j]; e < x->start[j + 1]; e++)
            if (x->row[e] == v)
                y->side[j] -=
                    mu * (taut_instant_entry(y->at, e, direction) - x->J[e] * change / own) / own;
}

/* y = J^-1 sum of mu N, y_v = wanted: dy = J^-1 (sum of dmu N + mu dN - dJ y). */
static void vary_velocities(const jump_tangent *y, int direction) {
    const taut_problem *p = y->s->prepared->problem;
    const jump *x = &y->x;
    taut_state *state = y->s->sensitivity->direction[direction].state;
    memset(y->side, 0, (size_t)x->n * sizeof *y->side);
    for (int a = 0; a < x->count; a++) vary_direct(y, x->variable[a], direction, y->mu[a]);
    taut_instant_subtract(y->at, direction, y->y, y->side);
    taut_lu_solve(y->at->series->lu, y->side);
    memcpy(y->square, x->matrix, (size_t)(x->count * x->count) * sizeof *y->square);
    for (int a = 0; a < x->count; a++)
        x->wanted[a] -= *taut_state_at(state, x->variable[a], 1) + y->side[x->variable[a]];
    solve_small(y->square, x->wanted, x->count);
    for (int j = 0; j < p->coordinates + p->angles; j++) {
        *taut_state_at(state, j, 1) += y->side[j];
        for (int a = 0; a < x->count; a++)
            *taut_state_at(state, j, 1) +=
                x->wanted[a] * x->response[(size_t)a * (size_t)x->n + (size_t)j];
    }
}

/* In one direction: what is assigned varies as its value does, and other velocities with it. */
static void vary_one(const jump_tangent *y, int direction) {
    const taut_problem *p = y->s->prepared->problem;
    const int first = taut_happen_functions(p->model);
    taut_state *state = y->s->sensitivity->direction[direction].state;
    int velocities = 0;
    for (int i = 0; i < y->count; i++)
        if (is_velocity(p, variable_of(y, i), order_of(y, i)))
            y->x.wanted[velocities++] = taut_instant_of(y->at, first + y->which[i], 0, direction);
    if (velocities > 0) vary_velocities(y, direction);
    for (int i = 0; i < y->count; i++)
        *taut_state_at(state, variable_of(y, i), order_of(y, i)) =
            taut_instant_of(y->at, first + y->which[i], 0, direction);
}

/* The jump itself. *possible: there is one; if not, the run tells why. */
static taut_status find_jump(jump_tangent *y, const double *value, bool *possible) {
    const taut_problem *p = y->s->prepared->problem;
    jump *x = &y->x;
    TAUT_TRY(prepare(y->s, y->count, x));
    y->mu = TAUT_NEW_ARRAY(&x->arena, y->count, double);
    y->y = TAUT_NEW_ARRAY(&x->arena, x->n, double);
    y->side = TAUT_NEW_ARRAY(&x->arena, x->n, double);
    y->square = TAUT_NEW_ARRAY(&x->arena, (size_t)y->count * (size_t)y->count, double);
    if (!y->mu || !y->y || !y->side || !y->square) return TAUT_ERR_MEMORY;
    for (int i = 0; i < y->count; i++) {
        const int v = variable_of(y, i);
        if (!is_velocity(p, v, order_of(y, i))) continue;
        y->mu[x->count] = value[i] - *taut_state_at(y->s->happen->state, v, 1);
        x->variable[x->count++] = v;
    }
    respond(y->at->series, p, x);
    memcpy(y->square, x->matrix, (size_t)(x->count * x->count) * sizeof *y->square);
    *possible = solve_small(y->square, y->mu, x->count);
    for (int j = 0; j < x->n; j++)
        for (int a = 0; a < x->count; a++)
            y->y[j] += y->mu[a] * x->response[(size_t)a * (size_t)x->n + (size_t)j];
    return TAUT_OK;
}

taut_status taut_happen_vary_jump(taut_simulation *s, const taut_instant *at, const int *which,
                                  const double *value, int count) {
    jump_tangent y = {.s = s, .at = at, .which = which, .count = count};
    bool possible = true;
    for (int i = 0; i < count; i++)
        if (check_target(s, which[i], NULL) != TAUT_OK) return TAUT_OK;
    const taut_status status = find_jump(&y, value, &possible);
    for (int i = 0; i < s->sensitivity->directions && status == TAUT_OK && possible; i++)
        vary_one(&y, i);
    taut_arena_release(&y.x.arena);
    return status;
}
