/* The record of a run: steps as Taylor coefficients, and what columns depend on. */
#include <math.h>
#include <string.h>

#include "task/adjoint_parts.h"

static const size_t MOST_BYTES = (size_t)1 << 30; /* of a record, unless the options say more */

void taut_adjoint_record(taut_simulation *s) { s->recorded = true; }

/* ---- sets of equations ---- */

static void forget_forms(taut_adjoint *a) {
    for (taut_adjoint_form *f = a->form; f; f = f->next) {
        taut_reverse_free(&f->back);
        taut_forward_free(&f->motion);
        taut_series_free(&f->series);
        taut_state_free(&f->layout);
    }
    a->form = NULL;
    taut_arena_release(&a->arena);
}

void taut_adjoint_free(taut_adjoint **adjoint) {
    taut_adjoint *a = *adjoint;
    if (!a) return;
    forget_forms(a);
    taut_release((void **)&a->leg);
    taut_release((void **)&a->event);
    taut_release((void **)&a->step);
    taut_release((void **)&a->c);
    taut_arena_release(&a->run);
    taut_release((void **)adjoint);
}

static taut_adjoint_form *find_form(const taut_adjoint *a, unsigned long serial) {
    taut_adjoint_form *f = a->form;
    while (f && f->serial != serial) f = f->next;
    return f;
}

void taut_adjoint_put_away(taut_sensitivity *x) {
    taut_adjoint_form *f = x->adjoint ? find_form(x->adjoint, x->serial) : NULL;
    if (!f || f->motion || !x->motion) return;
    f->motion = x->motion, f->back = x->back, f->series = x->series;
    x->motion = NULL, x->back = NULL, x->series = NULL;
}

void taut_adjoint_take_out(taut_sensitivity *x, unsigned long serial) {
    taut_adjoint_form *f = x->adjoint ? find_form(x->adjoint, serial) : NULL;
    if (!f || !f->motion) return;
    x->motion = f->motion, x->back = f->back, x->series = f->series;
    f->motion = NULL, f->back = NULL, f->series = NULL;
}

static taut_status make_form(taut_simulation *s, taut_adjoint_form **form) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const taut_system *system = &s->prepared->problem->system;
    const int n = system->n, *d = s->prepared->structure.offsets.d;
    taut_adjoint_form *f = TAUT_NEW(&a->arena, taut_adjoint_form);
    if (!f || !(f->place = TAUT_NEW_ARRAY(&a->arena, n + 1, int))) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_state_create(system, &s->prepared->structure, &f->layout));
    f->serial = s->prepared->problem->serial;
    f->prepared = s->prepared;
    f->stages = taut_forward_stage(x->motion);
    for (int j = 0; j < n; j++) f->place[j + 1] = f->place[j] + d[j] + f->stages + 1;
    f->n = n;
    f->values = f->layout->first[n];
    f->next = a->form;
    *form = a->form = f;
    return TAUT_OK;
}

taut_status taut_adjoint_begin_leg(taut_simulation *s) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    taut_adjoint_form *f = find_form(a, s->prepared->problem->serial);
    if (!f) TAUT_TRY(make_form(s, &f));
    if (taut_grow((void **)&a->leg, &a->leg_room, (size_t)a->legs + 1, sizeof *a->leg))
        return TAUT_ERR_MEMORY;
    double *number = TAUT_NEW_ARRAY(&a->run, x->numbers + 1, double);
    if (!number) return TAUT_ERR_MEMORY;
    const double *now = s->numbers.now;
    if (now) memcpy(number, now, (size_t)x->numbers * sizeof *number);
    a->leg[a->legs++] = (taut_adjoint_leg){f, now ? number : NULL, a->steps};
    return TAUT_OK;
}

void taut_adjoint_start_again(taut_sensitivity *x) {
    taut_adjoint_restore(x);
    if (!x->adjoint || x->adjoint->legs < 2) return;
    taut_adjoint_put_away(x);
    x->serial = 0;
}

taut_status taut_adjoint_equip(taut_simulation *s) {
    taut_adjoint *a = s->sensitivity->adjoint;
    if (!a || a->legs != 1 || a->steps > 0 || a->own) return TAUT_OK;
    if (taut_adjoint_now(a)->form->serial == s->prepared->problem->serial) return TAUT_OK;
    a->legs = 0;
    return taut_adjoint_begin_leg(s);
}

taut_status taut_adjoint_begin(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    if (!x->adjoint) {
        if (!(x->adjoint = taut_new(sizeof *x->adjoint))) return TAUT_ERR_MEMORY;
        *x->adjoint = (taut_adjoint){0};
    }
    taut_adjoint *a = x->adjoint;
    if (x->back) taut_reverse_forget(x->back);
    if (x->back_row) taut_reverse_forget(x->back_row);
    if (s->contacts || (a->form && !find_form(a, s->prepared->problem->serial)))
        forget_forms(a); /* sets of equations may be formed anew */
    taut_arena_release(&a->run);
    a->steps = 0, a->legs = a->events = 0;
    a->filled = a->bytes = 0;
    return taut_adjoint_begin_leg(s);
}

/* ---- steps ---- */

taut_status taut_adjoint_refuse(const taut_simulation *s, const char *why, taut_errors *errors) {
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, s->prepared->problem->system.place,
                        "adjoints cannot be carried back from t = %.10g: %s", s->stepper->t, why);
}

taut_status taut_adjoint_count(taut_simulation *s, size_t bytes, taut_errors *errors) {
    taut_adjoint *a = s->sensitivity->adjoint;
    a->bytes += bytes;
    if (a->bytes > MOST_BYTES && (double)a->bytes > s->options.memory)
        return taut_adjoint_refuse(s, "there are too many steps", errors);
    return TAUT_OK;
}

static double value_of(const void *user, int j, int k, double t) {
    return taut_stepper_value(user, j, k, t);
}

taut_status taut_adjoint_step(taut_simulation *s, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const taut_stepper *stepper = s->stepper;
    const taut_adjoint_form *f = taut_adjoint_now(a)->form;
    const size_t size = (size_t)f->place[f->n];
    taut_expansion e = taut_stepper_expansion(stepper, false);
    if (f->serial != s->prepared->problem->serial)
        return taut_adjoint_refuse(s, "other constraints were left out there", errors);
    TAUT_TRY(taut_adjoint_count(s, size * sizeof *a->c, errors));
    if (taut_grow((void **)&a->step, &a->step_room, (size_t)a->steps + 1, sizeof *a->step) ||
        taut_grow((void **)&a->c, &a->c_room, a->filled + size, sizeof *a->c))
        return TAUT_ERR_MEMORY;
    double *c = a->c + a->filled;
    const bool known = e.c && e.t == stepper->begin;
    if (!known) { /* past a singular position, say */
        const taut_status status = taut_sensitivity_move(
            s, stepper->begin, stepper->t - stepper->begin, false, value_of, stepper);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK) return taut_adjoint_refuse(s, "a singular position is near", errors);
        e.t = x->series->jet->t;
        e.h = x->series->jet->h;
    }
    for (int j = 0; j < f->n; j++)
        for (int k = 0; k < f->place[j + 1] - f->place[j]; k++)
            c[f->place[j] + k] =
                known ? e.c[j][k] : *taut_jet_at(x->series->jet, x->series->variable[j], k);
    a->step[a->steps++] = (taut_adjoint_record_step){e.t, e.h, stepper->t, a->filled};
    a->filled += size;
    return TAUT_OK;
}

/* ---- columns ---- */

/* A reaction depends on vectors, and these on the state. */
static taut_status look_at_reaction(taut_simulation *s, int reaction, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    const int vectors = 3 * x->reactions->vectors, columns = x->reactions->columns;
    const int first = x->function[x->columns - columns - 1] + 1; /* functions are vectors */
    taut_arena work = {0};
    double *unit = TAUT_NEW_ARRAY(&work, (size_t)vectors * (size_t)vectors, double);
    double *by = TAUT_NEW_ARRAY(&work, (size_t)columns * (size_t)vectors, double);
    taut_status status = unit && by ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < vectors && unit; i++) unit[i * vectors + i] = 1.0;
    if (status == TAUT_OK) status = taut_sensitivity_reactions(s, unit, vectors, by);
    for (int i = 0; i < vectors && status == TAUT_OK; i++) {
        const double weight = by[reaction * vectors + i];
        if (!isfinite(weight))
            status = taut_adjoint_refuse(s, "rigid bodies do not determine the reaction", errors);
        if (weight != 0.0 && status == TAUT_OK)
            taut_reverse_add_function(x->back_row, first + i, 0, 0, weight);
    }
    taut_arena_release(&work);
    return status;
}

taut_status taut_adjoint_look(taut_simulation *s, int column, double *by, long *step,
                              taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    const taut_adjoint *a = x->adjoint;
    const taut_adjoint_form *f = taut_adjoint_now(a)->form;
    const taut_state *y = f->layout;
    const int plain = x->columns - (x->reactions ? x->reactions->columns : 0);
    *step = a->steps == taut_adjoint_now(a)->first && a->legs > 1 ? a->steps : a->steps - 1;
    if (!x->back_row) TAUT_TRY(taut_reverse_create(x->row, &x->back_row));
    taut_status status = taut_forward_take(x->row, taut_observer_series(s->observer));
    if (status == TAUT_OK) status = taut_reverse_begin(x->back_row);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK) return taut_adjoint_refuse(s, "a singular position is near", errors);
    if (column <= plain || !x->reactions)
        taut_reverse_add_function(x->back_row, x->function[column - 1], x->level[column - 1], 0,
                                  1.0);
    else
        TAUT_TRY(look_at_reaction(s, column - 1 - plain, errors));
    taut_reverse_solve(x->back_row);
    for (int j = 0; j < y->n; j++)
        for (int k = 0; k < taut_state_order(y, j); k++)
            by[y->first[j] + k] = taut_reverse_get(x->back_row, j, k, 0);
    for (int k = 0; k < x->numbers; k++)
        by[f->values + k] = x->may_vary[k] ? taut_reverse_number(x->back_row, k, 0) : 0.0;
    return TAUT_OK;
}

size_t taut_adjoint_size(const taut_simulation *s) {
    const taut_sensitivity *x = s->sensitivity;
    return (size_t)taut_adjoint_now(x->adjoint)->form->values + (size_t)x->numbers;
}
