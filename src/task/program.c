/* A program is a simulation that has been started and is never run. Others borrow its equations and
 * share its plans; what changes is their own. */
#include "taut/program.h"

#include <string.h>

#include "model/parameters.h"
#include "solve/taylor.h"
#include "task/options.h"
#include "task/simulation.h"

struct taut_program {
    taut_simulation *first;
};

taut_status taut_program_create(const taut_model *model, const taut_run_options *options,
                                taut_program **program, taut_errors *errors) {
    TAUT_NEED(program, "program", errors);
    *program = NULL;
    taut_program *p = taut_new(sizeof *p);
    if (!p) return TAUT_ERR_MEMORY;
    *p = (taut_program){0};
    taut_status status = taut_simulation_make(model, options, true, &p->first, errors);
    if (status == TAUT_OK) status = taut_simulation_start(p->first, errors);
    if (status == TAUT_OK) status = taut_refresh_plan(p->first);
    if (status == TAUT_OK)
        *program = p;
    else
        taut_program_free(&p);
    return status;
}

void taut_program_free(taut_program **program) {
    if (!program || !*program) return;
    taut_simulation_free(&(*program)->first);
    taut_release((void **)program);
}

/* Can others use its equations as they are? */
static bool is_shared(const taut_simulation *s) {
    if (s->sensitivity) return false; /* which adds to them */
    return s->numbers.first && s->method == &taut_taylor && s->stepper->method == &taut_taylor;
}

const taut_stepper *taut_program_stepper(const taut_program *program) {
    return program && is_shared(program->first) ? program->first->stepper : NULL;
}

taut_observer *taut_program_observer(const taut_program *program) {
    return program->first->observer;
}

/* What the notes and lists of a start say. */
static taut_status copy_account(const taut_simulation *like, taut_simulation *s) {
    const taut_string *from[] = {&like->moves, &like->assembled, &like->redundant};
    taut_string *to[] = {&s->moves, &s->assembled, &s->redundant};
    for (int i = 0; i < 3; i++) {
        if (from[i]->text) taut_string_add(to[i], "%s", from[i]->text);
        if (to[i]->failed) return TAUT_ERR_MEMORY;
    }
    return taut_notebook_copy(&like->notebook, &s->notebook);
}

static taut_status borrow(const taut_simulation *like, taut_simulation *s) {
    s->lent = like;
    s->prepared = like->prepared;
    s->t0 = s->time = like->t0;
    s->tend = like->tend;
    s->used = true;
    s->stats.compilations = like->stats.compilations;
    TAUT_TRY(taut_observer_create_like(like->observer, &s->observer));
    TAUT_TRY(taut_observer_watch(s->observer, &s->arena, &s->doubts));
    TAUT_TRY(taut_equip_stepper(s));
    taut_state_take(s->state, like->numbers.first);
    TAUT_TRY(taut_start_name_columns(s));
    TAUT_TRY(copy_account(like, s));
    s->waits = true; /* it has columns, but no run */
    return taut_refresh_borrow(s, like);
}

taut_status taut_simulation_create_from(const taut_program *program, taut_simulation **simulation,
                                        taut_errors *errors) {
    TAUT_NEED(simulation, "simulation", errors);
    *simulation = NULL;
    TAUT_NEED(program, "program", errors);
    const taut_simulation *like = program->first;
    if (!is_shared(like))
        return taut_simulation_make(like->model, &like->options, true, simulation, errors);
    taut_simulation *s = taut_new(sizeof *s);
    if (!s) return TAUT_ERR_MEMORY;
    *s = (taut_simulation){.model = like->model, .options = like->options, .follows = true};
    taut_equip_forget_run(s);
    taut_status status = taut_plan_make(like->model, &like->options, &s->plan, errors);
    s->method = s->plan.method;
    if (status == TAUT_OK)
        status = taut_options_copy(&like->options, &s->settings.names, &s->options);
    if (status == TAUT_OK) status = borrow(like, s);
    if (status == TAUT_OK)
        *simulation = s;
    else
        taut_simulation_free(&s);
    return status;
}

taut_status taut_program_leave(taut_simulation *s) {
    if (!s->lent) return TAUT_OK;
    TAUT_TRY(taut_prepare_again(s->prepared, false, &s->plain));
    s->prepared = &s->plain;
    s->lent = NULL;
    return TAUT_OK;
}
