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
#include "task/happen.h"

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

static bool strike(taut_simulation *s, jump *x) {
    const taut_problem *p = s->prepared->problem;
    taut_happen *h = s->happen;
    for (int a = 0; a < x->count; a++) {
        double *response = x->response + (size_t)a * (size_t)x->n;
        direct(h->series, p, x->variable[a], response);
        taut_lu_solve(h->series->lu, response);
    }
    for (int a = 0; a < x->count; a++)
        for (int b = 0; b < x->count; b++)
            x->matrix[a * x->count + b] =
                x->response[(size_t)b * (size_t)x->n + (size_t)x->variable[a]];
    if (!solve_small(x->matrix, x->wanted, x->count)) return false;
    for (int j = 0; j < p->coordinates + p->angles; j++)
        for (int a = 0; a < x->count; a++)
            *taut_state_at(h->state, j, 1) +=
                x->wanted[a] * x->response[(size_t)a * (size_t)x->n + (size_t)j];
    return true;
}

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

static taut_status prepare(taut_simulation *s, int count, jump *x) {
    x->n = s->prepared->problem->system.n;
    x->variable = TAUT_NEW_ARRAY(&x->arena, count, int);
    x->response = TAUT_NEW_ARRAY(&x->arena, (size_t)count * (size_t)x->n, double);
    x->matrix = TAUT_NEW_ARRAY(&x->arena, count * count, double);
    x->wanted = TAUT_NEW_ARRAY(&x->arena, count, double);
    return x->variable && x->response && x->matrix && x->wanted ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status assign(taut_simulation *s, const int *which, const double *value, int count,
                          jump *x, taut_errors *errors) {
    const taut_problem *p = s->prepared->problem;
    taut_state *state = s->happen->state;
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
    if (x->count > 0 && !strike(s, x))
        return taut_fail_at(errors, TAUT_ERR_NUMERICS, p->model->action[which[0]].place,
                            "the velocities that are assigned at t = %.10g are not independent of "
                            "each other, or constraints hold one of them",
                            state->t);
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
