/* One round: lanes without a run take one, everybody takes a step, results are noted. */
#include "task/convoy.h"

#include "solve/squad.h"
#include "task/simulation.h"

/* A place for a run. */
typedef struct berth {
    taut_tryout *tryout; /* NULL: not yet */
    taut_errors *errors;
    double *value, *result; /* [names], [figures] */
    long run;
    bool busy;
} berth;

struct taut_convoy {
    taut_arena arena;
    taut_tryout_order order;
    taut_squad *squad; /* NULL: one by one */
    berth berth[TAUT_ABREAST];
    int berths;
    bool narrow; /* lanes have not been worth while: from now on one run after the other */
};

/* After so many steps it shows whether most of them can be taken together. */
enum { ENOUGH_STEPS = 400 };

/* The energies that simulations look at after every step are found side by side as well. */
static taut_status watch_energies(taut_convoy *c) {
    taut_observer *like = taut_program_observer(c->order.program);
    int output[TAUT_ENERGY_OUTPUTS], energy, work;
    if (!taut_observer_keeps_energy(like, &energy, &work)) return TAUT_OK;
    const int outputs = taut_observer_energy_outputs(like, output);
    return taut_squad_watch(c->squad, taut_observer_series(like), output, outputs);
}

static taut_status build(taut_convoy *c, taut_errors *errors) {
    const taut_stepper *like = taut_program_stepper(c->order.program);
    c->berths = 1;
    if (like) TAUT_TRY(taut_squad_create(like, &c->squad));
    if (c->squad) {
        c->berths = TAUT_ABREAST;
        TAUT_TRY(watch_energies(c));
    }
    for (int i = 0; i < c->berths; i++) {
        berth *b = &c->berth[i];
        b->errors = taut_new(sizeof *b->errors);
        b->value = TAUT_NEW_ARRAY(&c->arena, c->order.names, double);
        b->result = TAUT_NEW_ARRAY(&c->arena, c->order.figures, double);
        if (!b->errors || !b->value || !b->result) return TAUT_ERR_MEMORY;
    }
    return taut_tryout_create(&c->order, &c->berth[0].tryout, errors);
}

taut_status taut_convoy_create(const taut_tryout_order *order, taut_convoy **convoy,
                               taut_errors *errors) {
    taut_convoy *c = *convoy = taut_new(sizeof *c);
    if (!c) return TAUT_ERR_MEMORY;
    c->order = *order;
    const taut_status status = build(c, errors);
    if (status != TAUT_OK) taut_convoy_free(convoy);
    return status;
}

void taut_convoy_free(taut_convoy **convoy) {
    taut_convoy *c = *convoy;
    if (!c) return;
    for (int i = 0; i < TAUT_ABREAST; i++) {
        taut_tryout_free(&c->berth[i].tryout);
        taut_release((void **)&c->berth[i].errors);
    }
    taut_squad_free(&c->squad);
    taut_arena_release(&c->arena);
    taut_release((void **)convoy);
}

taut_tryout *taut_convoy_first(taut_convoy *c) { return c->berth[0].tryout; }

void taut_convoy_count(const taut_convoy *c, long *together, long *alone) {
    *together = *alone = 0;
    if (c->squad) taut_squad_count(c->squad, together, alone);
}

/* ---- a run ---- */

/* Eight simulations in turn want more of the caches than one. */
static void judge(taut_convoy *c) {
    long together, alone;
    taut_convoy_count(c, &together, &alone);
    if (together + alone > ENOUGH_STEPS) c->narrow = together < alone;
}

/* A run has ended, well or not. */
static taut_status end_run(taut_convoy *c, berth *b, taut_status status,
                           const taut_convoy_work *work) {
    if (c->squad) taut_squad_leave(c->squad, (int)(b - c->berth));
    if (c->squad && !c->narrow) judge(c);
    if (status == TAUT_OK) status = taut_tryout_end(b->tryout, b->value, b->result, b->errors);
    if (status != TAUT_OK) taut_tryout_drop(b->tryout);
    b->busy = false;
    return work->done(work->user, b->run, status, b->result, b->errors);
}

/* Takes the next run that can be started; *more is false if there are none left. */
static taut_status take_run(taut_convoy *c, berth *b, const taut_convoy_work *work, bool *more) {
    while (!b->busy && (*more = work->next(work->user, &b->run, b->value))) {
        b->errors->count = b->errors->dropped = 0;
        if (!b->tryout) TAUT_TRY(taut_tryout_create(&c->order, &b->tryout, b->errors));
        const taut_status status = taut_tryout_begin(b->tryout, b->value, b->errors);
        taut_simulation *simulation = taut_tryout_simulation(b->tryout);
        b->busy = status == TAUT_OK && simulation;
        if (b->busy) simulation->untimed = true;
        if (!b->busy) TAUT_TRY(end_run(c, b, status, work));
    }
    return TAUT_OK;
}

/* ---- a round ---- */

/* A step of all steppers that are there. */
static void step_all(taut_convoy *c, taut_stepper *const *stepper, taut_status *status) {
    taut_errors *errors[TAUT_ABREAST];
    if (!c->squad) {
        if (stepper[0]) status[0] = taut_stepper_step(stepper[0], c->berth[0].errors);
        return;
    }
    for (int i = 0; i < TAUT_ABREAST; i++) {
        errors[i] = c->berth[i].errors;
        if (stepper[i]) {
            const taut_simulation *s = taut_tryout_simulation(c->berth[i].tryout);
            taut_squad_set_watcher(c->squad, i, taut_observer_series(s->observer));
        }
    }
    taut_squad_step(c->squad, stepper, errors, status);
}

/* All that follows the step of a stepper. */
static taut_status end_step(taut_convoy *c, int i, taut_status stepped) {
    taut_simulation *s = taut_tryout_simulation(c->berth[i].tryout);
    double value[TAUT_ENERGY_OUTPUTS];
    if (c->squad && taut_squad_outputs(c->squad, i, value))
        taut_observer_expect(s->observer, s->stepper->t, value);
    return taut_simulation_end_step(s, stepped, c->berth[i].errors);
}

static taut_status step_round(taut_convoy *c, const taut_convoy_work *work) {
    taut_stepper *stepper[TAUT_ABREAST] = {0};
    taut_status status[TAUT_ABREAST] = {0};
    for (int i = 0; i < c->berths; i++) {
        berth *b = &c->berth[i];
        if (b->busy)
            status[i] = taut_simulation_begin_step(taut_tryout_simulation(b->tryout), &stepper[i],
                                                   b->errors);
    }
    step_all(c, stepper, status);
    for (int i = 0; i < c->berths; i++) {
        berth *b = &c->berth[i];
        if (!b->busy) continue;
        if (stepper[i]) status[i] = end_step(c, i, status[i]);
        if (status[i] == TAUT_OK) status[i] = taut_tryout_follow(b->tryout, b->errors);
        if (status[i] == TAUT_OK) continue;
        TAUT_TRY(end_run(c, b, status[i] == TAUT_AT_END ? TAUT_OK : status[i], work));
    }
    return TAUT_OK;
}

taut_status taut_convoy_run(taut_convoy *c, const taut_convoy_work *work) {
    bool more = true;
    for (;;) {
        bool busy = false;
        for (int i = 0; i < c->berths; i++) {
            if (more && (i == 0 || !c->narrow)) TAUT_TRY(take_run(c, &c->berth[i], work, &more));
            busy = busy || c->berth[i].busy;
        }
        if (!busy) return TAUT_OK;
        const taut_status status = step_round(c, work);
        if (work->stop && atomic_load_explicit(work->stop, memory_order_relaxed) &&
            status == TAUT_OK)
            return TAUT_INTERRUPTED;
        TAUT_TRY(status);
    }
}
