/* What a run works with: equations with what the caller has set, observers and steppers for them.
 */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "form/formulation.h"
#include "task/doctor.h"
#include "task/handover.h"
#include "task/resolve.h"
#include "task/sensitivity.h"

static const double CAREFUL = 0.4; /* of the tolerance */

static const double ENDLESS = 1e6; /* how long a run without an end may last */

/* ---- what is forgotten ---- */

void taut_equip_reset(taut_simulation *s) {
    taut_string_release(&s->switched);
    taut_string_release(&s->not_unique);
    taut_trace_release(&s->trace);
    s->misuse[0] = '\0';
    s->done = (taut_stepper_stats){0};
    s->changes = 0;
    s->waited = 0;
    s->stint = (taut_stint){0};
    s->good_rcond = 0.0;
    s->stopped = TAUT_OK;
    s->largest_drift = s->largest_kinetic = 0.0;
    s->row_time = (double)NAN;
    s->begun = 0;
    s->stats = (taut_run_stats){.setup_s = s->stats.setup_s,
                                .energy_drift = (double)NAN,
                                .compilations = s->stats.compilations};
}

void taut_equip_forget_run(taut_simulation *s) {
    taut_equip_reset(s);
    taut_happen_free(s);
    taut_contacts_forget_run(s);
    taut_stepper_free(&s->stepper);
    taut_observer_free(&s->observer);
    taut_state_free(&s->state);
    taut_stepper_free(&s->spare.stepper);
    taut_observer_free(&s->spare.observer);
    taut_state_free(&s->spare.state);
    taut_string_release(&s->moves);
    taut_string_release(&s->assembled);
    taut_string_release(&s->redundant);
    taut_notebook_release(&s->notebook);
    taut_arena_release(&s->arena);
    s->name = NULL;
    s->row = NULL;
    s->columns = 0;
    s->spare = (taut_spare){0};
    s->doubts = (taut_doubts){0};
}

void taut_equip_forget(taut_simulation *s) {
    taut_sensitivity_free(s);
    taut_refresh_forget(s);
    taut_contacts_free(s);
    taut_prepared_release(&s->assembly);
    taut_prepared_release(&s->plain);
    taut_prepared_release(&s->lifted);
    s->assembly = s->plain = s->lifted = (taut_prepared){0};
    s->lent = NULL;
    taut_model_free(&s->variant);
}

/* ---- equations ---- */

/* A mechanism that is refused for its equations or its start: the doctor may know why. */
taut_status taut_equip_advise(const taut_model *model, taut_status status, taut_errors *errors) {
    if (status != TAUT_ERR_INPUT) return status;
    return taut_doctor_advise(model, errors) == TAUT_ERR_MEMORY ? TAUT_ERR_MEMORY : status;
}

/* Recursions have masses and forces as numbers, which events and controllers may change. */
static bool can_recur(const taut_simulation *s) {
    if (s->model->kinks > 0) return false;
    for (int i = 0; i < s->model->actions; i++)
        if (s->model->action[i].parameter >= 0) return false;
    return s->method->ordinary;
}

static taut_forming forming_of(const taut_simulation *s) {
    return (taut_forming){.formulation = s->plan.formulation,
                          .reactions = s->options.reactions,
                          .body_axes = s->options.body_axes,
                          .lift = s->method->stiff,
                          .cut = s->options.cut,
                          .wide = !s->method->stiff,
                          .recursion = can_recur(s),
                          .follow = s->follows};
}

bool taut_equip_is_natural(const taut_simulation *s) {
    const taut_mechanism *m = s->model->mechanism;
    return taut_formulation_is_natural(s->plan.formulation) && !(m && m->splits > 0);
}

/* Is there a parameter or input in a list with commas? It may be 0, and has to stay a symbol;
 * initial values are none. */
static bool names_parameter(const taut_model *m, const char *list) {
    for (const char *at = list; at && *at;) {
        const size_t n = strcspn(at, ",");
        for (int i = 0; i < m->parameters; i++)
            if (m->parameter_name[i] && strlen(m->parameter_name[i]) == n &&
                strncmp(m->parameter_name[i], at, n) == 0)
                return true;
        at += n + (at[n] == ',');
    }
    return false;
}

/* What only the structure of equations given as such can tell: whether anything is restricted. */
static taut_status settle_plan(taut_simulation *s, taut_errors *errors) {
    if (s->plan.formulation) return TAUT_OK;
    const bool free = taut_prepared_is_free(s->prepared);
    if (free && s->plan.stabilizing != TAUT_BY_PROJECTION)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "none of the equations restricts the state, so there is nothing that "
                         "could decay: leave out options.stabilize");
    if (free && s->options.projection != 0.0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.projection: none of the equations restricts the state, so there "
                         "is nothing to project: leave it out");
    TAUT_TRY(taut_plan_settle(&s->plan, &s->options, free, errors));
    s->method = s->plan.method;
    return TAUT_OK;
}

/* The equations, with what the caller has set, and their structure. Other formulations than natural
 * wait for the start, which is found in natural coordinates. */
static taut_status form_equations(taut_simulation *s, taut_errors *errors) {
    const taut_settings *set = &s->settings;
    const taut_variation variation = {.override = set->override,
                                      .overrides = set->overrides,
                                      .initial = set->initial,
                                      .initials = set->initials,
                                      .keep_inputs = s->keeps_inputs,
                                      .keep = s->options.sensitivity};
    const double begin = taut_seconds();
    taut_equip_forget_run(s);
    taut_equip_forget(s);
    s->stale = true;
    s->method = s->plan.method;
    s->prepared = !taut_equip_is_natural(s) ? &s->assembly
                  : s->method->stiff        ? &s->lifted
                                            : &s->plain;
    const taut_forming forming = taut_equip_is_natural(s)
                                     ? forming_of(s)
                                     : (taut_forming){.whole = true, .follow = s->follows};
    if (set->overrides + set->initials > 0 || names_parameter(s->model, s->options.sensitivity))
        TAUT_TRY(taut_model_vary(s->model, &variation, &s->variant, errors));
    const taut_model *model = s->variant ? s->variant : s->model;
    TAUT_TRY(
        taut_equip_advise(model, taut_prepare_by(model, forming, s->prepared, errors), errors));
    TAUT_TRY(settle_plan(s, errors));
    s->stale = s->used = false;
    s->stats.compilations++;
    const taut_model *bound = s->prepared->problem->model;
    const taut_run_options *o = &s->options;
    s->time = s->t0 = bound->t0;
    s->tend = o->has_tend ? o->tend : bound->has_tend ? bound->tend : s->t0 + ENDLESS;
    if (taut_equip_is_natural(s)) TAUT_TRY(taut_refresh_prepare(s));
    TAUT_TRY(taut_sensitivity_read(s, errors));
    s->stats.setup_s = s->model->read_s + taut_seconds() - begin;
    return TAUT_OK;
}

/* The same, with the profile begun anew. */
taut_status taut_equip_form(taut_simulation *s, taut_errors *errors) {
    s->watch_of_run = (taut_watch){.now = TAUT_PHASES};
    s->watch_of_run.seconds[TAUT_PHASE_READ] = s->model->read_s;
    s->watch = s->options.profile ? &s->watch_of_run : NULL;
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_FORM);
    const taut_status status = form_equations(s, errors);
    taut_count_for(s->watch, before);
    return status;
}

taut_status taut_equip_change(taut_simulation *s, taut_errors *errors) {
    taut_forming forming = forming_of(s);
    taut_start *from = TAUT_NEW(&s->arena, taut_start);
    if (!from) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_hand_over(s->prepared, taut_observer_series(s->observer), &s->arena, from));
    taut_observer_free(&s->observer);
    forming.start = from;
    s->prepared = s->method->stiff ? &s->lifted : &s->plain;
    TAUT_TRY(taut_prepare_by(s->variant ? s->variant : s->model, forming, s->prepared, errors));
    return taut_refresh_prepare(s);
}

/* ---- observers and steppers ---- */

double taut_simulation_max_step(const taut_simulation *s) {
    return s->options.max_step > 0.0 ? s->options.max_step : s->prepared->problem->model->max_step;
}

double taut_simulation_span(const taut_simulation *s) {
    const bool ends = s->options.has_tend || s->prepared->problem->model->has_tend;
    return ends ? fabs(s->tend - s->t0) : 0.0;
}

/* What a stepper is to know; s->recursion is filled in already. */
static taut_stepping stepping_of(const taut_simulation *s) {
    const taut_run_options *o = &s->options;
    const taut_law *law = s->prepared->problem->law;
    const bool lent = s->lent && s->prepared == s->lent->prepared;
    /* where constraints decay, errors of positions come back in velocities, times the rate of decay
     */
    const double careful = s->alpha > 0.0 ? CAREFUL : 1.0;
    return (taut_stepping){.rtol = careful * o->rtol,
                           .atol = careful * o->atol,
                           .order = taut_plan_order(&s->plan, o),
                           .step = o->step,
                           .max_step = taut_simulation_max_step(s),
                           .span = taut_simulation_span(s),
                           .energy = &s->alarm.kinetic,
                           .per_unit = o->per_unit,
                           .projection = o->projection,
                           .reduced = s->prepared->full != NULL,
                           .watch = s->watch,
                           .like = lent ? s->lent->stepper : NULL,
                           .view = s->observer && !lent ? taut_observer_plan(s->observer) : NULL,
                           .alone = o->subspace_columns, /* series have none */
                           .exact = s->prepared->exact ? &s->prepared->exact->system : NULL,
                           .exact_structure = &s->prepared->exact_structure,
                           .maker =
                               law && !s->plan.minimal ? &s->recursion : taut_plan_maker(&s->plan)};
}

taut_status taut_simulation_observe(taut_simulation *s, taut_prepared *p,
                                    taut_observer **observer) {
    TAUT_TRY(taut_structure_differentiate(&p->problem->system, &p->arena, &p->structure));
    const taut_stepping stepping = stepping_of(s);
    /* equations that only find the start are stepped by nobody */
    const bool steps = p == s->prepared && p != &s->assembly && !s->lent && s->method->last_stage;
    const taut_observing wish = {.derivatives = s->options.derivatives,
                                 .reactions = s->options.reactions,
                                 .last_stage = steps ? s->method->last_stage(&stepping) : 0};
    TAUT_TRY(taut_observer_create(p->problem, &p->structure, &wish, observer));
    const double *number = taut_refresh_numbers(s);
    if (number) TAUT_TRY(taut_series_set_numbers(taut_observer_series(*observer), number));
    return taut_observer_watch(*observer, &s->arena, &s->doubts);
}

taut_status taut_equip_stepper(taut_simulation *s) {
    const taut_law *law = s->prepared->problem->law;
    s->recursive = (taut_recursive_options){.law = law, .careful = s->plan.careful};
    s->recursion = (taut_flow_maker){taut_recursive_create, &s->recursive};
    const taut_stepping stepping = stepping_of(s);
    taut_state_free(&s->state);
    TAUT_TRY(taut_state_create(&s->prepared->problem->system, &s->prepared->structure, &s->state));
    TAUT_TRY(taut_stepper_create(s->method, &s->prepared->problem->system, &s->prepared->structure,
                                 &stepping, &s->stepper));
    const double *number = taut_refresh_numbers(s);
    return number ? taut_stepper_set_numbers(s->stepper, number) : TAUT_OK;
}

taut_status taut_equip_begin(taut_simulation *s, const taut_state *state, taut_errors *errors) {
    TAUT_TRY(taut_stepper_start(s->stepper, state, s->tend, errors));
    taut_series *seen =
        s->prepared->problem->conservative ? taut_observer_series(s->observer) : NULL;
    if (s->options.compile) TAUT_TRY(taut_stepper_compile(s->stepper, seen, errors));
    return s->options.subspace_columns
               ? taut_observer_show(s->observer, taut_stepper_flow(s->stepper))
               : TAUT_OK;
}

/* Puts aside what the stepper has done, before it goes. */
static void keep_work(taut_simulation *s) {
    const taut_stepper_stats t = taut_stepper_statistics(s->stepper);
    s->done.steps += t.steps;
    s->done.rejected += t.rejected;
    s->done.evaluations += t.evaluations;
    s->done.factorisations += t.factorisations;
    if (t.miscompiled) s->done.miscompiled = t.miscompiled;
}

taut_status taut_equip_adopt(taut_simulation *s, taut_errors *errors) {
    keep_work(s);
    taut_stepper_free(&s->stepper);
    taut_observer_free(&s->observer);
    if (s->happen) s->happen->prepared = NULL; /* what looks for events is to be made anew */
    TAUT_TRY(taut_prepare_adopt(s->prepared, errors));
    TAUT_TRY(taut_simulation_observe(s, s->prepared, &s->observer));
    return taut_equip_stepper(s);
}
