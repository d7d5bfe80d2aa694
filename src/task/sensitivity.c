/* Variations of a run beside it: engines for its equations, steps, rows. */
#include "task/adjoint.h"
#include "task/instant.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LEAST_PART = 1e-6; /* of a step: pieces that are shorter lead nowhere */

/* ---- engines ---- */

static void forget_engines(taut_sensitivity *x) {
    taut_adjoint_put_away(x);
    taut_reverse_free(&x->back);
    taut_reverse_free(&x->back_row);
    taut_forward_free(&x->motion);
    taut_forward_free(&x->row);
    taut_forward_free(&x->start);
    taut_series_free(&x->series);
    taut_balance_free(&x->balance);
    x->reactions = NULL;
    taut_arena_release(&x->made);
    x->serial = 0;
}

void taut_sensitivity_free(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    if (!x) return;
    taut_adjoint_restore(x);
    forget_engines(x);
    taut_instants_free(&x->instant);
    taut_adjoint_free(&x->adjoint);
    for (int i = 0; i < x->directions; i++) taut_state_free(&x->direction[i].state);
    for (size_t i = 0; i < x->path_room; i++) taut_release((void **)&x->path[i].c);
    taut_release((void **)&x->path);
    taut_release((void **)&x->link);
    taut_arena_release(&x->arena);
    taut_release((void **)&s->sensitivity);
}

/* The columns as functions: derivatives of one node, which follow each other from order 0 on, are
 * one function. Behind them the vectors of reactions. */
static taut_status list_functions(taut_simulation *s, taut_forward_order *order) {
    taut_sensitivity *x = s->sensitivity;
    const int columns = taut_observer_columns(s->observer);
    const taut_reactions *r = x->reactions;
    const int most = columns + (r ? 3 * r->vectors : 0);
    taut_node *node = TAUT_NEW_ARRAY(&x->made, most, taut_node);
    int *levels = TAUT_NEW_ARRAY(&x->made, most, int);
    x->column = TAUT_NEW_ARRAY(&x->made, columns, int);
    x->function = TAUT_NEW_ARRAY(&x->made, columns, int);
    x->level = TAUT_NEW_ARRAY(&x->made, columns, int);
    x->functions = TAUT_NEW_ARRAY(&x->made, (size_t)most * (size_t)x->directions, double);
    x->variation = TAUT_NEW_ARRAY(&x->made, (size_t)columns * (size_t)x->directions, double);
    x->lane = TAUT_NEW_ARRAY(&x->made, x->directions, double);
    if (!node || !levels || !x->column || !x->function || !x->level || !x->functions ||
        !x->variation || !x->lane)
        return TAUT_ERR_MEMORY;
    x->columns = columns - 1;
    for (int c = 1; c < columns; c++) {
        taut_column_source source;
        x->column[c - 1] = c;
        if (!taut_observer_source(s->observer, c, &source)) continue;
        const bool same = order->functions > 0 && node[order->functions - 1] == source.node &&
                          source.order == levels[order->functions - 1] + 1;
        if (!same) node[order->functions++] = source.node;
        levels[order->functions - 1] = source.order;
        x->function[c - 1] = order->functions - 1;
        x->level[c - 1] = source.order;
    }
    for (int i = 0; r && i < 3 * r->vectors; i++)
        node[order->functions++] = r->vector[i / 3][i % 3];
    order->function = node;
    order->levels = levels;
    return TAUT_OK;
}

static taut_status make_engines(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    const taut_prepared *p = s->prepared;
    const int directions = s->recorded ? 1 : x->directions; /* adjoints have lanes of their own */
    const taut_forward_order along = {.directions = directions,
                                      .numbers = x->numbers,
                                      .may_vary = x->may_vary,
                                      .stages = taut_stepper_statistics(s->stepper).order - 1};
    taut_forward_order rows = {
        .directions = directions, .numbers = x->numbers, .may_vary = x->may_vary, .stages = -1};
    forget_engines(x);
    if (s->options.reactions && p->problem->reactions)
        TAUT_TRY(taut_sensitivity_equip_reactions(s));
    TAUT_TRY(list_functions(s, &rows));
    taut_adjoint_take_out(x, p->problem->serial);
    if (!x->motion)
        TAUT_TRY(taut_forward_create(&p->problem->system, &p->structure, &along, &x->motion));
    TAUT_TRY(taut_forward_create(&p->problem->system, &p->structure, &rows, &x->row));
    x->serial = p->problem->serial;
    return TAUT_OK;
}

/* The states of all directions, in the variables of the equations in use. */
static taut_status move_states(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    for (int i = 0; i < x->directions; i++) {
        taut_state *old = x->direction[i].state, *fresh;
        TAUT_TRY(taut_state_create(&s->prepared->problem->system, &s->prepared->structure, &fresh));
        if (old) taut_state_take(fresh, old);
        taut_state_free(&old);
        x->direction[i].state = fresh;
    }
    return TAUT_OK;
}

taut_status taut_sensitivity_equip(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    if (x->serial != s->prepared->problem->serial) {
        TAUT_TRY(make_engines(s));
        TAUT_TRY(move_states(s));
    }
    const double *number = taut_refresh_numbers(s);
    if (number) TAUT_TRY(taut_forward_set_numbers(x->motion, number));
    if (number) TAUT_TRY(taut_forward_set_numbers(x->row, number));
    if (number && x->series) TAUT_TRY(taut_series_set_numbers(x->series, number));
    for (int i = 0; i < x->directions && !s->recorded; i++)
        for (int k = 0; k < x->numbers; k++) {
            if (!x->may_vary[k]) continue;
            taut_forward_set_number(x->motion, k, i, x->direction[i].numbers[k]);
            taut_forward_set_number(x->row, k, i, x->direction[i].numbers[k]);
        }
    return s->recorded ? taut_adjoint_equip(s) : TAUT_OK;
}

/* ---- steps ---- */

/* The piece of the last step with a time in it. */
static const taut_forward_path *path_at(const taut_sensitivity *x, double t) {
    for (int i = x->paths - 1; i > 0; i--)
        if (fabs(t - x->path[0].t) >= fabs(x->path[i].t - x->path[0].t)) return &x->path[i];
    return &x->path[0];
}

void taut_sensitivity_bring(taut_simulation *s, double t) {
    taut_sensitivity *x = s->sensitivity;
    if (t == x->t || x->paths == 0) return;
    const taut_forward_path *path = path_at(x, t);
    const int *d = s->prepared->structure.offsets.d;
    for (int j = 0; j < s->prepared->problem->system.n; j++)
        for (int k = 0; k < d[j]; k++) {
            taut_forward_follow(x->motion, path, j, k, t, x->lane);
            for (int i = 0; i < x->directions; i++)
                *taut_state_at(x->direction[i].state, j, k) = x->lane[i];
        }
    x->t = t;
}

/* Puts the states into an engine. */
static void put_states(const taut_simulation *s, taut_forward *engine) {
    const taut_sensitivity *x = s->sensitivity;
    const int *d = s->prepared->structure.offsets.d;
    for (int i = 0; i < x->directions; i++)
        for (int j = 0; j < s->prepared->problem->system.n; j++)
            for (int k = 0; k < d[j]; k++)
                taut_forward_set(engine, j, k, i, *taut_state_at(x->direction[i].state, j, k));
}

taut_status taut_sensitivity_make_series(taut_sensitivity *x, const taut_prepared *equations,
                                         const double *number) {
    if (x->series) return TAUT_OK;
    TAUT_TRY(taut_series_create(&equations->problem->system, &equations->structure,
                                taut_forward_stage(x->motion), NULL, 0, &x->series));
    return number ? taut_series_set_numbers(x->series, number) : TAUT_OK;
}

taut_status taut_sensitivity_move(taut_simulation *s, double t, double length, bool project,
                                  taut_value_at *value, const void *user) {
    taut_sensitivity *x = s->sensitivity;
    TAUT_TRY(taut_sensitivity_make_series(x, s->prepared, taut_refresh_numbers(s)));
    taut_series_start(x->series, t, length);
    for (int j = 0; j < x->series->system->n; j++)
        for (int k = 0; k <= x->series->structure->offsets.d[j]; k++)
            taut_series_set(x->series, j, k, value(user, j, k, t));
    TAUT_TRY(taut_series_settle(x->series, project, NULL, NULL));
    taut_series_extend(x->series, 1, taut_forward_stage(x->motion));
    return taut_forward_take(x->motion, x->series);
}

static double value_of(const void *user, int j, int k, double t) {
    return taut_stepper_value(user, j, k, t);
}

/* Moves to a time inside the stepper's last step at which it has no expansion. */
static taut_status move_to(taut_simulation *s, double t) {
    const taut_stepper *stepper = s->stepper;
    return taut_sensitivity_move(s, t, stepper->t - stepper->begin, t != stepper->begin, value_of,
                                 stepper);
}

static taut_status next_path(taut_sensitivity *x) {
    const size_t before = x->path_room;
    if (taut_grow((void **)&x->path, &x->path_room, (size_t)x->paths + 1, sizeof *x->path))
        return TAUT_ERR_MEMORY;
    for (size_t i = before; i < x->path_room; i++) x->path[i] = (taut_forward_path){0};
    return taut_forward_keep(x->motion, &x->path[x->paths++]);
}

static taut_status stuck(const taut_simulation *s, double t, taut_errors *errors) {
    return taut_fail_at(errors, TAUT_STEP_COLLAPSED, s->prepared->problem->system.place,
                        "sensitivities cannot be carried past t = %.10g: their series are good for "
                        "no part of a step "
                        "there; a singular position, where constraints are dependent for an "
                        "instant, is too near, or "
                        "the motion is too stiff",
                        t);
}

/* The variations over the last step, in pieces that are as long as their polynomials allow. */
taut_status taut_sensitivity_step(taut_simulation *s, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    if (!x) return TAUT_OK;
    if (s->recorded) return taut_adjoint_step(s, errors);
    const taut_stepper *stepper = s->stepper;
    const taut_expansion e = taut_stepper_expansion(stepper, false);
    const double tol = fmax(fmax(s->options.rtol, s->options.atol), DBL_EPSILON);
    taut_sensitivity_bring(s, stepper->begin);
    if (x->serial != s->prepared->problem->serial) TAUT_TRY(taut_sensitivity_equip(s));
    x->paths = 0;
    x->t = stepper->begin;
    while (x->t != stepper->t) {
        taut_status status =
            e.c && e.t == x->t ? taut_forward_expand(x->motion, &e) : move_to(s, x->t);
        if (status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS) return stuck(s, x->t, errors);
        TAUT_TRY(status);
        put_states(s, x->motion);
        taut_forward_solve(x->motion, true);
        TAUT_TRY(next_path(x));
        const double h = x->path[x->paths - 1].h, left = (stepper->t - x->t) / h;
        const double reach = taut_forward_reach(x->motion, tol, fabs(left));
        if (!(reach * h >= LEAST_PART * fabs(stepper->t - stepper->begin)))
            return stuck(s, x->t, errors);
        taut_sensitivity_bring(s,
                               reach >= fabs(left) ? stepper->t : x->t + copysign(reach * h, left));
    }
    return TAUT_OK;
}

/* ---- rows ---- */

int taut_sensitivity_columns(const taut_simulation *s) {
    const taut_sensitivity *x = s->sensitivity;
    return x && !s->recorded ? x->directions * x->columns : 0;
}

taut_status taut_sensitivity_names(const taut_simulation *s, taut_arena *arena, const char **name,
                                   int first) {
    const taut_sensitivity *x = s->sensitivity;
    char text[3 * TAUT_NAME_MAX + 2 * TAUT_PRIMES_MAX];
    for (int i = 0; x && !s->recorded && i < x->directions; i++)
        for (int c = 0; c < x->columns; c++) {
            snprintf(text, sizeof text, "d(%s)/d(%s)", name[x->column[c]], x->direction[i].name);
            name[first] = taut_arena_copy(arena, text, strlen(text));
            if (!name[first++]) return TAUT_ERR_MEMORY;
        }
    return TAUT_OK;
}

/* Variations of all columns at a time where the observer has just filled a row; false: nothing can
 * be told there. */
static taut_status look(taut_simulation *s, double t, bool *known) {
    taut_sensitivity *x = s->sensitivity;
    const int *d = s->prepared->structure.offsets.d;
    const taut_status status = taut_forward_take(x->row, taut_observer_series(s->observer));
    *known = status == TAUT_OK;
    if (status == TAUT_ERR_MEMORY) return status;
    if (t == x->t || x->paths == 0) {
        put_states(s, x->row);
    } else {
        const taut_forward_path *path = path_at(x, t);
        for (int j = 0; j < s->prepared->problem->system.n; j++)
            for (int k = 0; k < d[j]; k++) {
                taut_forward_follow(x->motion, path, j, k, t, x->lane);
                for (int i = 0; i < x->directions; i++)
                    taut_forward_set(x->row, j, k, i, x->lane[i]);
            }
    }
    if (!*known) return TAUT_OK;
    taut_forward_solve(x->row, true);
    taut_forward_functions(x->row, x->functions);
    const int plain = x->columns - (x->reactions ? x->reactions->columns : 0);
    const size_t size = (size_t)plain * (size_t)x->directions;
    memcpy(x->variation, x->functions, size * sizeof *x->variation);
    if (!x->reactions) return TAUT_OK;
    return taut_sensitivity_reactions(s, x->functions + size, x->directions, x->variation + size);
}

taut_status taut_sensitivity_row(taut_simulation *s, double t, double *row, int first,
                                 int *missing) {
    const taut_sensitivity *x = s->sensitivity;
    bool known;
    if (!x || s->recorded) return TAUT_OK;
    TAUT_TRY(look(s, t, &known));
    for (int i = 0; i < x->directions; i++)
        for (int c = 0; c < x->columns; c++, first++) {
            if (!known) x->variation[c * x->directions + i] = (double)NAN;
            row[first] = x->variation[c * x->directions + i];
            if (!isfinite(row[first]) && *missing < 0) *missing = first;
        }
    return TAUT_OK;
}

void taut_sensitivity_of(const taut_simulation *s, int column, double *derivative) {
    const taut_sensitivity *x = s->sensitivity;
    for (int i = 0; i < x->directions; i++) derivative[i] = column == 0 ? 0.0 : (double)NAN;
    for (int c = 0; c < x->columns; c++)
        for (int i = 0; i < x->directions && x->column[c] == column; i++)
            derivative[i] = x->variation[c * x->directions + i];
}
