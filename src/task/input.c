/* Inputs that change while a run is under way. A new value is held until the next change; where it
 * sets in, the motion has a kink, so the solver begins anew there: with equations that are formed
 * with the new value, from the state at that time. */
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "task/resume.h"

/* A formula of time leaves nothing to set, and neither does a controller. */
static taut_status check_free(const taut_model *model, const char *name, taut_errors *errors) {
    for (int i = 0; i < model->controllers; i++) {
        const taut_model_controller *c = &model->controller[i];
        for (int k = c->first; k < c->first + c->actions; k++)
            if (strcmp(model->action[k].name, name) == 0)
                return taut_fail(errors, TAUT_ERR_CALL,
                                 "the controller '%s' sets the input '%s': it cannot be set as "
                                 "well",
                                 c->name, name);
    }
    for (int i = 0; i < model->inputs; i++)
        if (strcmp(model->input[i].name, name) == 0)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "the input '%s' is the formula %s: it cannot be set as well", name,
                             model->input[i].formula);
    return TAUT_OK;
}

/* Is it one of the model's inputs? */
static taut_status check_input(const taut_model *model, const char *name, taut_errors *errors) {
    const taut_yaml *inputs = taut_yaml_get(model->root, "Inputs");
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; inputs && inputs->kind == TAUT_YAML_MAPPING && i < inputs->count; i++) {
        if (strcmp(inputs->keys[i]->text, name) == 0) return check_free(model, name, errors);
        taut_nearest_offer(&nearest, inputs->keys[i]->text);
    }
    return taut_fail(errors, TAUT_ERR_CALL, "the model has no input '%s'%s%s%s", name,
                     nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
}

/* The state at the present time, which may be inside the last step: its values satisfy the
 * constraints, and nothing is remembered. */
static taut_status state_now(taut_simulation *s, taut_state **state, taut_errors *errors) {
    TAUT_TRY(taut_simulation_get_state(s, state, errors));
    taut_state_forget(*state);
    if (s->time == s->stepper->t) return TAUT_OK;
    taut_series *series = taut_observer_series(s->observer);
    (*state)->t = s->time;
    for (int j = 0; j < (*state)->n; j++)
        for (int k = 0; k <= taut_state_order(*state, j); k++)
            *taut_state_at(*state, j, k) = taut_stepper_value(s->stepper, j, k, s->time);
    taut_state_write(*state, series);
    const bool inside = s->time != s->stepper->begin;
    if (taut_series_settle(series, inside, NULL, NULL) == TAUT_ERR_MEMORY) {
        taut_state_free(state);
        return TAUT_ERR_MEMORY;
    }
    taut_state_read(*state, series);
    return TAUT_OK;
}

/* What has happened so far stays on record. */
typedef struct record {
    double t0, wall_s, residual;
    taut_stepper_stats done;
    taut_trace trace;
    taut_string moves, assembled, switched;
    taut_notebook notebook;
} record;

static record put_aside(taut_simulation *s) {
    const taut_run_stats *now = taut_simulation_stats(s);
    const record r = {.t0 = s->t0,
                      .wall_s = now->wall_s,
                      .residual = now->constraint_residual,
                      .done = {.steps = now->steps,
                               .rejected = now->rejected,
                               .evaluations = now->evaluations,
                               .factorisations = now->factorisations},
                      .trace = s->trace,
                      .moves = s->moves,
                      .assembled = s->assembled,
                      .switched = s->switched,
                      .notebook = s->notebook};
    s->trace = (taut_trace){0};
    s->moves = s->assembled = s->switched = (taut_string){0};
    s->notebook = (taut_notebook){0};
    return r;
}

static void put_back(taut_simulation *s, const record *r) {
    taut_trace_release(&s->trace);
    taut_string_release(&s->moves);
    taut_string_release(&s->assembled);
    taut_string_release(&s->switched);
    s->t0 = r->t0;
    s->stats.wall_s += r->wall_s;
    s->stats.constraint_residual = fmax(s->stats.constraint_residual, r->residual);
    s->done.steps += r->done.steps;
    s->done.rejected += r->done.rejected;
    s->done.evaluations += r->done.evaluations;
    s->done.factorisations += r->done.factorisations;
    s->trace = r->trace;
    s->moves = r->moves;
    s->assembled = r->assembled;
    s->switched = r->switched;
    taut_notebook_release(&s->notebook);
    s->notebook = r->notebook;
}

/* Goes on from the state. Inputs that change are part of the equations from now on, also where they
 * are 0, so that these are not formed again at every 0; unless nothing can be solved with them, as
 * with a mass of 0. */
static taut_status go_on(taut_simulation *s, const taut_state *now, taut_errors *errors) {
    s->keeps_inputs = true;
    const taut_status status = taut_simulation_set_state(s, now, NULL);
    if (status == TAUT_OK || status == TAUT_ERR_MEMORY) return status;
    s->keeps_inputs = false;
    return taut_simulation_set_state(s, now, errors);
}

taut_status taut_simulation_alter(taut_simulation *s, const taut_parameter_change *change,
                                  int count, taut_errors *errors) {
    taut_state *now = NULL;
    if (s->name && !s->waits) TAUT_TRY(state_now(s, &now, errors));
    taut_status status = TAUT_OK;
    for (int i = 0; i < count && status == TAUT_OK; i++)
        status = taut_simulation_set_parameter(s, change[i].name, change[i].value, errors);
    if (!s->name || s->waits) return status;
    if (status == TAUT_OK) {
        const record so_far = put_aside(s);
        status = go_on(s, now, errors);
        put_back(s, &so_far);
    }
    taut_state_free(&now);
    return status;
}

taut_status taut_simulation_set_input(taut_simulation *s, const char *name, double value,
                                      taut_errors *errors) {
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(name, "name", errors);
    TAUT_TRY(check_input(s->model, name, errors));
    return taut_simulation_alter(s, &(taut_parameter_change){name, value}, 1, errors);
}
