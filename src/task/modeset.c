/* Equations by sets of modes: formed when a set is first met, kept, and exchanged at events. */
#include <string.h>

#include "task/resolve.h"

/* ---- what is kept of a set that is not in use ---- */

static void count_work(taut_simulation *s, long sign) {
    const taut_stepper_stats t = taut_stepper_statistics(s->stepper);
    s->done.steps += sign * t.steps;
    s->done.rejected += sign * t.rejected;
    s->done.evaluations += sign * t.evaluations;
    s->done.factorisations += sign * t.factorisations;
}

static void park(taut_simulation *s, taut_mode_set *x) {
    taut_happen *h = s->happen;
    if (s->stepper) count_work(s, 1);
    x->parked = (taut_spare){.prepared = s->prepared,
                             .observer = s->observer,
                             .method = s->method,
                             .stepper = s->stepper,
                             .state = s->state,
                             .good_rcond = s->good_rcond};
    s->observer = NULL;
    s->stepper = NULL;
    s->state = NULL;
    if (!h) return;
    x->watched = h->watched;
    x->series = h->series;
    x->place = h->state;
    h->watched = NULL;
    h->series = NULL;
    h->state = NULL;
}

static void drop_parked(taut_mode_set *x) {
    taut_stepper_free(&x->parked.stepper);
    taut_observer_free(&x->parked.observer);
    taut_state_free(&x->parked.state);
    taut_watched_free(&x->watched);
    taut_series_free(&x->series);
    taut_state_free(&x->place);
    x->parked = (taut_spare){0};
}

const double *taut_contacts_numbers(const taut_simulation *s) {
    return s->contacts->number ? s->contacts->number : taut_refresh_numbers(s);
}

/* Hands them to everything that works with the equations in use. */
static taut_status spread(taut_simulation *s, const double *number) {
    taut_happen *h = s->happen;
    if (!number) return TAUT_OK;
    TAUT_TRY(taut_series_set_numbers(taut_observer_series(s->observer), number));
    TAUT_TRY(taut_stepper_set_numbers(s->stepper, number));
    if (!h || !h->series) return TAUT_OK;
    TAUT_TRY(taut_watched_set_numbers(h->watched, number));
    return taut_series_set_numbers(h->series, number);
}

taut_status taut_contacts_assign(taut_simulation *s, const int *which, const double *value,
                                 int count) {
    if (s->contacts->number)
        for (int i = 0; i < count; i++) s->contacts->number[which[i]] = value[i];
    else
        TAUT_TRY(taut_refresh_assign(s, which, value, count));
    return spread(s, taut_contacts_numbers(s));
}

/* Observer, stepper and what looks for events, for the equations in use. */
static taut_status make(taut_simulation *s) {
    TAUT_TRY(taut_simulation_observe(s, s->prepared, &s->observer));
    TAUT_TRY(taut_equip_stepper(s));
    s->good_rcond = 0.0;
    if (s->happen) TAUT_TRY(taut_happen_equip(s));
    return spread(s, s->contacts->number);
}

static taut_status restore(taut_simulation *s, taut_mode_set *x) {
    taut_happen *h = s->happen;
    s->prepared = x->prepared;
    if (!x->parked.stepper) return make(s);
    s->observer = x->parked.observer;
    s->stepper = x->parked.stepper;
    s->state = x->parked.state;
    s->good_rcond = x->parked.good_rcond;
    x->parked = (taut_spare){0};
    count_work(s, -1);
    if (h) {
        h->watched = x->watched;
        h->series = x->series;
        h->state = x->place;
        h->prepared = s->prepared;
        x->watched = NULL;
        x->series = NULL;
        x->place = NULL;
        if (h->series) taut_series_forget(h->series); /* bits do not depend on earlier runs */
        if (!h->series) TAUT_TRY(taut_happen_equip(s));
        taut_happen_find_steady(s);
    }
    return spread(s, taut_contacts_numbers(s));
}

/* ---- sets ---- */

static taut_mode_set *find(const taut_contacts *c, const int *mode) {
    const size_t size = (size_t)c->count * sizeof *mode;
    for (taut_mode_set *x = c->first; x; x = x->next)
        if (memcmp(x->mode, mode, size) == 0) return x;
    return NULL;
}

static taut_status create(taut_simulation *s, const int *mode, taut_mode_set **set) {
    taut_contacts *c = s->contacts;
    taut_mode_set *x = *set = TAUT_NEW(&c->arena, taut_mode_set);
    if (!x) return TAUT_ERR_MEMORY;
    x->mode = TAUT_NEW_ARRAY(&c->arena, c->count, int);
    if (!x->mode) return TAUT_ERR_MEMORY;
    memcpy(x->mode, mode, (size_t)c->count * sizeof *mode);
    taut_prepared like = *c->home->prepared;
    like.forming.mode = x->mode;
    x->prepared = &x->own;
    x->next = c->first; /* released with the others, whatever comes */
    c->first = x;
    const taut_status status = taut_prepare_again(&like, like.forming.lift, &x->own);
    if (status == TAUT_OK) s->stats.compilations++;
    return status;
}

taut_status taut_contacts_use(taut_simulation *s, const int *mode, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    taut_mode_set *x = find(c, mode);
    if (x == c->now) return TAUT_OK;
    if (!x) {
        const taut_status status = create(s, mode, &x);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK)
            return taut_fail(errors, TAUT_ERR_NUMERICS,
                             "at t = %.10g contacts close that leave the equations without a "
                             "solution",
                             s->happen ? s->happen->time : s->time);
    }
    park(s, c->now);
    c->now = x;
    return restore(s, x);
}

taut_status taut_contacts_use_base(taut_simulation *s) {
    taut_contacts *c = s->contacts;
    if (c) c->resumed = false;
    if (!c || c->now == c->home) return TAUT_OK;
    park(s, c->now);
    c->now = c->base = c->home;
    return restore(s, c->home);
}

void taut_contacts_forget_run(taut_simulation *s) {
    taut_contacts *c = s->contacts;
    if (!c) return;
    for (taut_mode_set *x = c->first; x; x = x->next) drop_parked(x);
    if (c->now != c->home) s->prepared = c->home->prepared;
    c->now = c->base = c->home;
}

void taut_contacts_free(taut_simulation *s) {
    taut_contacts *c = s->contacts;
    if (!c) return;
    for (taut_mode_set *x = c->first; x; x = x->next) {
        drop_parked(x);
        if (x->prepared == &x->own) taut_prepared_release(&x->own);
    }
    taut_arena_release(&c->arena);
    taut_release((void **)&s->contacts);
}
