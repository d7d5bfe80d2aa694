/* Events in the record of adjoints: the linear map of each, from what varies before it to what does
 * behind it, column by column. Unit variations are carried across by the formulas of variations
 * (sensitivity_events.c and what it names), so both ways agree to the last digits; on the way back
 * the map is transposed. Events are few, and a column costs one stage. */
#include <string.h>

#include "task/adjoint_parts.h"
#include "task/happen.h"

/* ---- what varies ---- */

/* A name that follows from what events assign, while in its own direction it does not: each
 * direction would have a map of its own. */
static bool follows_events(const taut_sensitivity *x, taut_arena *work, bool *failed) {
    bool *moves = TAUT_NEW_ARRAY(work, x->numbers + 1, bool);
    *failed = !moves;
    if (!moves) return false;
    taut_sensitivity_find_moved(x, moves);
    for (int i = 0; i < x->directions; i++) {
        const int own = x->direction[i].number;
        if (moves[own] && !x->assigned[own]) return true;
    }
    return false;
}

static taut_status make_probe(taut_simulation *s, taut_arena *arena, taut_direction *d) {
    const taut_prepared *p = s->prepared;
    *d = (taut_direction){.name = "", .number = -1};
    d->numbers = TAUT_NEW_ARRAY(arena, s->sensitivity->numbers + 1, double);
    if (!d->numbers) return TAUT_ERR_MEMORY;
    return taut_state_create(&p->problem->system, &p->structure, &d->state);
}

/* Unit variations of everything, in place of the run's own directions. */
static taut_status make_probes(taut_simulation *s, taut_adjoint_event *e) {
    taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const taut_adjoint_form *f = taut_adjoint_now(a)->form;
    const taut_state *y = f->layout;
    const int most = f->values + x->numbers;
    taut_direction *probe = TAUT_NEW_ARRAY(&a->probes, most + 1, taut_direction);
    e->place = TAUT_NEW_ARRAY(&a->run, most + 1, int);
    if (!probe || !e->place) return TAUT_ERR_MEMORY;
    for (int j = 0; j < y->n; j++)
        for (int k = 0; k < taut_state_order(y, j); k++) e->place[e->probes++] = y->first[j] + k;
    for (int k = 0; k < x->numbers; k++)
        if (x->may_vary[k]) e->place[e->probes++] = f->values + k;
    a->own = x->direction, a->owns = x->directions;
    x->direction = probe, x->directions = 0;
    for (int i = 0; i < e->probes; i++) {
        x->directions++;
        TAUT_TRY(make_probe(s, &a->probes, &probe[i]));
        if (e->place[i] < f->values)
            probe[i].state->x[e->place[i]] = 1.0;
        else
            probe[i].numbers[e->place[i] - f->values] = 1.0;
    }
    return TAUT_OK;
}

void taut_adjoint_restore(taut_sensitivity *x) {
    taut_adjoint *a = x->adjoint;
    if (!a || !a->own) return;
    for (int i = 0; i < x->directions; i++) taut_state_free(&x->direction[i].state);
    x->direction = a->own, x->directions = a->owns;
    a->own = NULL;
    taut_arena_release(&a->probes);
}

/* ---- across ---- */

taut_status taut_adjoint_reach(taut_simulation *s, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    taut_arena work = {0};
    bool failed;
    const bool follows = follows_events(x, &work, &failed);
    taut_arena_release(&work);
    if (failed) return TAUT_ERR_MEMORY;
    if (follows)
        return taut_adjoint_refuse(
            s, "a name follows from numbers that events assign, and not in its own direction",
            errors);
    if (taut_grow((void **)&a->event, &a->event_room, (size_t)a->events + 1, sizeof *a->event))
        return TAUT_ERR_MEMORY;
    if (a->steps > taut_adjoint_now(a)->first) a->step[a->steps - 1].end = s->happen->time;
    taut_adjoint_event *e = &a->event[a->events];
    *e = (taut_adjoint_event){.step = a->steps, .first_note = s->notebook.notes.events};
    return make_probes(s, e);
}

/* When the probes are behind the event: the columns. */
static taut_status read_columns(taut_simulation *s, taut_adjoint_event *e, taut_errors *errors) {
    const taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    const int values = x->direction[0].state->first[x->direction[0].state->n];
    e->size = values + x->numbers;
    const size_t all = (size_t)e->probes * (size_t)e->size;
    TAUT_TRY(taut_adjoint_count(s, all * sizeof *e->column, errors));
    e->column = TAUT_NEW_ARRAY(&a->run, all + 1, double);
    e->shift = TAUT_NEW_ARRAY(&a->run, e->probes + 1, double);
    if (!e->column || !e->shift) return TAUT_ERR_MEMORY;
    for (int i = 0; i < e->probes; i++) {
        const taut_direction *d = &x->direction[i];
        double *column = e->column + (size_t)i * (size_t)e->size;
        for (int j = 0; j < d->state->n; j++)
            for (int k = 0; k < taut_state_order(d->state, j); k++)
                column[d->state->first[j] + k] = *taut_state_at(d->state, j, k);
        for (int k = 0; k < x->numbers; k++)
            if (x->may_vary[k]) column[values + k] = d->numbers[k];
        e->shift[i] = d->passed;
    }
    return TAUT_OK;
}

taut_status taut_adjoint_leave(taut_simulation *s, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    taut_adjoint *a = x->adjoint;
    taut_adjoint_event *e = &a->event[a->events];
    e->notes = s->notebook.notes.events - e->first_note;
    const taut_status status = e->probes > 0 ? read_columns(s, e, errors) : TAUT_OK;
    taut_adjoint_restore(x);
    TAUT_TRY(status);
    a->events++;
    return taut_adjoint_begin_leg(s);
}

int taut_adjoint_last_event(const taut_simulation *s) {
    return s->sensitivity->adjoint->events - 1;
}

int taut_adjoint_find_event(const taut_simulation *s, int note) {
    const taut_adjoint *a = s->sensitivity->adjoint;
    for (int i = 0; i < a->events; i++)
        if (note >= a->event[i].first_note && note < a->event[i].first_note + a->event[i].notes)
            return i;
    return -1;
}
