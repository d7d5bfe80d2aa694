/* A simulation step by step: the equations of a model with what the caller has set, the initial
 * point, steps, values inside the last one. taut_simulate is built on it. */
#include "task/simulation.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/number.h"
#include "form/formulation.h"
#include "task/account.h"
#include "task/adapt.h"
#include "task/doctor.h"
#include "task/handover.h"
#include "task/options.h"
#include "task/stabilize.h"

enum { MOST_CONDITIONS = 2000 }; /* with reactions */
static const double NEARLY_SINGULAR = 1e-11;
/* A choice of constraints is given up when the condition has fallen to this part of its best and
 * costs digits: when rounding, divided by it, comes this close to the tolerance. */
static const double FADED = 0.05, FELT = 3e-4;
static const double ROUNDING = 16.0 * DBL_EPSILON; /* a nudge that constraints do not notice */
enum { SETTLINGS = 4 };                            /* Newton steps back to them from a larger one */
static const double ENDLESS = 1e6;                 /* how long a run without an end may last */

taut_run_options taut_run_options_default(void) {
    return (taut_run_options){
        .cookie = TAUT_RUN_COOKIE, .rtol = 1e-9, .atol = 1e-9, .solver = "auto", .derivatives = 1};
}

/* ---- creating ---- */

static void forget_run(taut_simulation *s) {
    taut_stepper_free(&s->stepper);
    taut_observer_free(&s->observer);
    taut_stepper_free(&s->spare.stepper);
    taut_observer_free(&s->spare.observer);
    taut_string_release(&s->switched);
    taut_string_release(&s->moves);
    taut_string_release(&s->assembled);
    taut_string_release(&s->redundant);
    taut_string_release(&s->not_unique);
    taut_notebook_release(&s->notebook);
    s->misuse[0] = '\0';
    taut_trace_release(&s->trace);
    taut_arena_release(&s->arena);
    s->name = NULL;
    s->row = NULL;
    s->columns = 0;
    s->done = (taut_stepper_stats){0};
    s->spare = (taut_spare){0};
    s->changes = 0;
    s->waited = 0;
    s->stint = (taut_stint){0};
    s->good_rcond = 0.0;
    s->stopped = TAUT_OK;
    s->first_energy = (double)NAN;
    s->largest_drift = s->largest_kinetic = 0.0;
    s->stats = (taut_run_stats){.setup_s = s->stats.setup_s, .energy_drift = (double)NAN};
    s->doubts = (taut_doubts){0};
}

static void forget_equations(taut_simulation *s) {
    taut_prepared_release(&s->assembly);
    taut_prepared_release(&s->plain);
    taut_prepared_release(&s->lifted);
    s->assembly = s->plain = s->lifted = (taut_prepared){0};
    taut_model_free(&s->variant);
}

/* A mechanism that is refused for its equations or its start: the doctor may know why. */
static taut_status advised(const taut_model *model, taut_status status, taut_errors *errors) {
    if (status != TAUT_ERR_INPUT) return status;
    return taut_doctor_advise(model, errors) == TAUT_ERR_MEMORY ? TAUT_ERR_MEMORY : status;
}

static taut_forming forming_of(const taut_simulation *s) {
    return (taut_forming){.formulation = s->formulation,
                          .reactions = s->options.reactions,
                          .body_axes = s->options.body_axes,
                          .lift = s->method->stiff,
                          .cut = s->options.cut,
                          .recursion = s->method->ordinary};
}

static bool is_natural(const taut_simulation *s) {
    return taut_formulation_is_natural(s->formulation);
}

/* The equations, with what the caller has set, and their structure. Other formulations than natural
 * wait for the start, which is found in natural coordinates. */
static taut_status form_equations(taut_simulation *s, taut_errors *errors) {
    const taut_variation variation = {s->override, s->overrides, s->initial, s->initials};
    const double begin = taut_seconds();
    forget_run(s);
    forget_equations(s);
    s->stale = true;
    s->method = taut_states_method(&s->options);
    s->prepared = !is_natural(s) ? &s->assembly : s->method->stiff ? &s->lifted : &s->plain;
    const taut_forming forming = is_natural(s) ? forming_of(s) : (taut_forming){0};
    if (s->overrides + s->initials > 0)
        TAUT_TRY(taut_model_vary(s->model, &variation, &s->variant, errors));
    const taut_model *model = s->variant ? s->variant : s->model;
    TAUT_TRY(advised(model, taut_prepare_so(model, forming, s->prepared, errors), errors));
    s->stale = s->used = false;
    const taut_model *bound = s->prepared->problem->model;
    const taut_run_options *o = &s->options;
    s->time = s->t0 = bound->t0;
    s->tend = o->has_tend ? o->tend : bound->has_tend ? bound->tend : s->t0 + ENDLESS;
    s->stats.setup_s = s->model->read_s + taut_seconds() - begin;
    return TAUT_OK;
}

/* The same, with the profile begun anew. */
static taut_status form(taut_simulation *s, taut_errors *errors) {
    s->watch_of_run = (taut_watch){.now = TAUT_PHASES};
    s->watch_of_run.seconds[TAUT_PHASE_READ] = s->model->read_s;
    s->watch = s->options.profile ? &s->watch_of_run : NULL;
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_FORM);
    const taut_status status = form_equations(s, errors);
    taut_count_for(s->watch, before);
    return status;
}

taut_status taut_simulation_create(const taut_model *model, const taut_run_options *options,
                                   taut_simulation **simulation, taut_errors *errors) {
    const taut_run_options standard = taut_run_options_default();
    TAUT_NEED(simulation, "simulation", errors);
    *simulation = NULL;
    TAUT_NEED(model, "model", errors);
    if (!options) options = &standard;
    const taut_formulation *formulation;
    TAUT_TRY(taut_options_check(model, options, errors));
    taut_stabilizing stabilizing;
    TAUT_TRY(taut_formulation_for(model, taut_states_base(options), &formulation, errors));
    TAUT_TRY(taut_stabilizing_choose(options, formulation, &stabilizing, errors));
    taut_simulation *s = taut_new(sizeof *s);
    if (!s) return TAUT_ERR_MEMORY;
    *s = (taut_simulation){.model = model,
                           .options = *options,
                           .formulation = formulation,
                           .stabilizing = stabilizing,
                           .method = taut_states_method(options)};
    taut_status status = taut_options_copy(options, &s->names, &s->options);
    if (status == TAUT_OK) status = taut_states_choose(options, &s->states, errors);
    if (status == TAUT_OK) status = form(s, errors);
    if (status == TAUT_OK)
        *simulation = s;
    else
        taut_simulation_free(&s);
    return status;
}

void taut_simulation_free(taut_simulation **simulation) {
    if (!simulation || !*simulation) return;
    taut_simulation *s = *simulation;
    forget_run(s);
    forget_equations(s);
    taut_release((void **)&s->override);
    taut_release((void **)&s->initial);
    taut_arena_release(&s->names);
    taut_release((void **)simulation);
}

/* ---- setting ---- */

/* Are these the same but for one point, as in A.x and Ax? */
static bool is_name(const char *column, const char *name) {
    bool skipped = false;
    if (strcmp(column, name) == 0) return true; /* joint.Fx has its point */
    for (; *column && *name; column++, name++) {
        if (*name == '.' && !skipped) {
            skipped = true;
            name++;
        }
        if (*column != *name) return false;
    }
    return *column == *name;
}

static taut_status check_number(const char *name, double value, taut_errors *errors) {
    if (isfinite(value)) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL, "the value of %s is not a finite number", name);
}

taut_status taut_simulation_set_parameter(taut_simulation *s, const char *name, double value,
                                          taut_errors *errors) {
    char text[40];
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(name, "name", errors);
    TAUT_TRY(taut_model_check_parameter(s->model, name, errors));
    TAUT_TRY(check_number(name, value, errors));
    taut_format(text, sizeof text, "%.17g", value);
    const char *formula = taut_arena_copy(&s->names, text, strlen(text));
    if (!formula) return TAUT_ERR_MEMORY;
    s->stale = true;
    for (int i = 0; i < s->overrides; i++)
        if (strcmp(s->override[i].name, name) == 0) {
            s->override[i].formula = formula;
            return TAUT_OK;
        }
    const char *own = taut_arena_copy(&s->names, name, strlen(name));
    if (!own || taut_grow((void **)&s->override, &s->override_room, (size_t)s->overrides + 1,
                          sizeof *s->override))
        return TAUT_ERR_MEMORY;
    s->override[s->overrides++] = (taut_override){own, formula};
    return TAUT_OK;
}

/* Is there something of this name, primes aside, that has an initial value? A mechanism gives its
 * points values only while its equations are formed; what it knows is then among the columns. */
static taut_status check_initial(taut_simulation *s, const char *name, taut_errors *errors) {
    const taut_problem *p = s->prepared->problem;
    if (!p) return TAUT_OK; /* the next start will tell */
    if (!p->model->mechanism) return taut_model_check_initial(p->bound, name, errors);
    char text[2 * TAUT_NAME_MAX];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(name, "'"), name);
    taut_nearest nearest = {.wanted = text};
    for (int c = 0; c < p->columns; c++) {
        if (is_name(p->column[c].name, text)) return TAUT_OK;
        taut_nearest_offer(&nearest, p->column[c].name);
    }
    return taut_fail(errors, TAUT_ERR_CALL,
                     "initial value of %s: the model has no variable '%s'%s%s%s", name, text,
                     nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
}

static taut_status set_initial(taut_simulation *s, const char *name, double value, bool fixed,
                               taut_errors *errors) {
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(name, "name", errors);
    TAUT_TRY(check_number(name, value, errors));
    TAUT_TRY(check_initial(s, name, errors));
    s->stale = true;
    for (int i = 0; i < s->initials; i++)
        if (strcmp(s->initial[i].name, name) == 0) {
            s->initial[i].value = value;
            s->initial[i].fixed = fixed;
            return TAUT_OK;
        }
    const char *own = taut_arena_copy(&s->names, name, strlen(name));
    if (!own || taut_grow((void **)&s->initial, &s->initial_room, (size_t)s->initials + 1,
                          sizeof *s->initial))
        return TAUT_ERR_MEMORY;
    s->initial[s->initials++] = (taut_initial){own, value, fixed};
    return TAUT_OK;
}

taut_status taut_simulation_set_initial(taut_simulation *s, const char *name, double value,
                                        taut_errors *errors) {
    return set_initial(s, name, value, false, errors);
}

taut_status taut_simulation_fix_initial(taut_simulation *s, const char *name, double value,
                                        taut_errors *errors) {
    return set_initial(s, name, value, true, errors);
}

/* ---- starting ---- */

/* Reactions take dense factors of all conditions together. */
static taut_status check_size(const taut_problem *p, taut_errors *errors) {
    const int size = p->reactions ? taut_reactions_size(p->reactions) : 0;
    if (size <= MOST_CONDITIONS) return TAUT_OK;
    return taut_fail_at(
        errors, TAUT_ERR_INPUT, p->system.place,
        "options.reactions is for mechanisms whose joints impose up to %d conditions; "
        "this one has %d",
        (int)MOST_CONDITIONS, size);
}

/* Only equations of positions give a choice of assemblies. */
static taut_status check_starts(const taut_simulation *s, taut_errors *errors) {
    const taut_structure *structure = &s->prepared->structure;
    if (s->options.starts == 0 || s->prepared->problem->system.conditions > 0) return TAUT_OK;
    for (int i = 0; i < structure->n; i++)
        if (structure->offsets.c[i] == structure->largest_d) return TAUT_OK;
    return taut_fail(
        errors, TAUT_ERR_CALL,
        "options.starts looks for other assemblies, but there is nothing to assemble: the "
        "initial values can be chosen freely; leave it out");
}

taut_status taut_simulation_observe(taut_simulation *s, taut_prepared *p,
                                    taut_observer **observer) {
    TAUT_TRY(taut_structure_differentiate(&p->problem->system, &p->arena, &p->structure));
    TAUT_TRY(taut_observer_create(p->problem, &p->structure, s->options.derivatives,
                                  s->options.reactions, observer));
    return taut_observer_watch(*observer, &s->arena, &s->doubts);
}

/* The observer and the initial point. moves NULL: the start is known, only digits are missing. */
static taut_status find_start(taut_simulation *s, taut_moves *moves, taut_errors *errors) {
    const taut_run_options *o = &s->options;
    taut_observer_free(&s->observer);
    TAUT_TRY(check_size(s->prepared->problem, errors));
    TAUT_TRY(taut_simulation_observe(s, s->prepared, &s->observer));
    const taut_order order = {.tol = fmax(o->rtol, o->atol),
                              .search = {TAUT_BY_ALL, moves ? o->starts : 0},
                              .assemblies = moves ? &s->assemblies : NULL,
                              .arena = &s->arena};
    return taut_consistent_find(taut_observer_series(s->observer), s->t0, &order, moves, errors);
}

/* Is J at the initial point so close to singular that constraints may be redundant? */
static bool looks_redundant(taut_simulation *s) {
    taut_series *series = taut_observer_series(s->observer);
    taut_series_look(series, 0);
    return taut_series_factor(series) != TAUT_OK || taut_lu_rcond(series->lu) < NEARLY_SINGULAR;
}

/* A stepper at time t, from the point in the observer's series. */
static taut_status create_stepper(taut_simulation *s, double t, taut_errors *errors) {
    const taut_run_options *o = &s->options;
    const taut_law *law = s->prepared->problem->law;
    s->recursive = (taut_recursive_options){
        .law = law, .careful = o->multipliers && strcmp(o->multipliers, "qr") == 0};
    s->recursion = (taut_flow_maker){taut_recursive_create, &s->recursive};
    const taut_stepping stepping = {
        .rtol = o->rtol,
        .atol = o->atol,
        .order = taut_states_order(o, taut_prepared_mobility(s->prepared)),
        .step = o->step,
        .reduced = s->prepared->full != NULL,
        .watch = s->watch,
        .maker = law && !s->states.minimal ? &s->recursion : taut_states_maker(&s->states)};
    TAUT_TRY(taut_stepper_create(s->method, &s->prepared->problem->system, &s->prepared->structure,
                                 &stepping, &s->stepper));
    TAUT_TRY(taut_stepper_start(s->stepper, taut_observer_series(s->observer), t, s->tend, errors));
    return o->subspace_columns ? taut_observer_show(s->observer, taut_stepper_flow(s->stepper))
                               : TAUT_OK;
}

/* Brings a state that was changed by more than rounding back to the constraints. Where that fails
 * the first step will say so. */
static taut_status settle(taut_series *series) {
    taut_status status = TAUT_OK;
    for (int i = 0; i < SETTLINGS && status == TAUT_OK; i++)
        status = taut_series_settle(series, true, NULL, NULL);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* Changes every number of the initial state by a part of the largest one of its group, up or down
 * as a hash decides. A zero is exact: only changes larger than rounding change it, too. */
static taut_status nudge(taut_simulation *s) {
    taut_series *series = taut_observer_series(s->observer);
    const taut_system *system = series->system;
    const int *d = s->prepared->structure.offsets.d, levels = s->prepared->structure.largest_d;
    double *size = TAUT_NEW_ARRAY(&s->arena, (system->groups + 1) * levels, double);
    double *level = TAUT_NEW_ARRAY(&s->arena, levels + 1, double); /* of all groups */
    unsigned hash = 2463534242u;
    if (!size || !level) return TAUT_ERR_MEMORY;
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < d[j]; k++) {
            double *largest = &size[system->unknown[j].group * levels + k];
            *largest = fmax(*largest, fabs(taut_series_get(series, j, k)));
            level[k] = fmax(level[k], *largest);
        }
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < d[j]; k++) {
            hash ^= hash << 13;
            hash ^= hash >> 17;
            hash ^= hash << 5;
            const double own = size[system->unknown[j].group * levels + k];
            const double change = s->nudge * (own > 0.0                   ? own
                                              : fabs(s->nudge) > ROUNDING ? level[k]
                                                                          : 0.0);
            const double x = taut_series_get(series, j, k);
            taut_series_set(series, j, k, x + (hash & 64u ? change : -change));
        }
    return fabs(s->nudge) > ROUNDING ? settle(series) : TAUT_OK;
}

/* What stops a run before its first step is a fault of the initial values. */
static taut_status first_stepper(taut_simulation *s, taut_errors *errors) {
    const int before = errors ? errors->count : 0;
    taut_status status = create_stepper(s, s->t0, errors);
    if (status <= TAUT_OK && status != TAUT_ERR_NUMERICS) return status;
    for (int i = before; errors && i < errors->count; i++) errors->item[i].status = TAUT_ERR_INPUT;
    return TAUT_ERR_INPUT;
}

static taut_status name_columns(taut_simulation *s) {
    s->columns = taut_observer_columns(s->observer);
    s->name = TAUT_NEW_ARRAY(&s->arena, s->columns, const char *);
    s->row = TAUT_NEW_ARRAY(&s->arena, s->columns, double);
    s->row_time = (double)NAN;
    if (!s->name || !s->row) return TAUT_ERR_MEMORY;
    return taut_observer_names(s->observer, &s->arena, s->name);
}

static void supervise(taut_simulation *s) {
    double energy, kinetic;
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_STEPS);
    double residual = taut_stepper_residual(s->stepper);
    if (s->prepared->problem->constraint) /* they restrict nothing, so the stepper sees none */
        residual = taut_observer_residual(s->observer, s->stepper, s->stepper->t);
    s->stats.constraint_residual = fmax(s->stats.constraint_residual, residual);
    if (s->prepared->problem->conservative) {
        taut_observer_energy(s->observer, s->stepper, s->stepper->t, &energy, &kinetic);
        if (isnan(s->first_energy)) s->first_energy = energy;
        s->largest_drift = fmax(s->largest_drift, fabs(energy - s->first_energy));
        s->largest_kinetic = fmax(s->largest_kinetic, fabs(kinetic));
    }
    taut_count_for(s->watch, before);
}

/* The initial point, without constraints that others imply. */
static taut_status find_regular_start(taut_simulation *s, taut_moves *moves, taut_errors *errors) {
    bool fewer = false;
    TAUT_TRY(find_start(s, moves, errors));
    if (s->prepared->problem->coordinates > 0 && looks_redundant(s))
        TAUT_TRY(taut_prepare_reduce(s->prepared, &fewer, errors));
    return fewer ? find_start(s, moves, errors) : TAUT_OK;
}

/* From natural coordinates, in which the start was found, to those that were asked for. */
static taut_status change_formulation(taut_simulation *s, taut_errors *errors) {
    taut_forming forming = forming_of(s);
    taut_start *from = TAUT_NEW(&s->arena, taut_start);
    if (!from) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_hand_over(s->prepared, taut_observer_series(s->observer), &s->arena, from));
    taut_observer_free(&s->observer);
    forming.start = from;
    s->prepared = s->method->stiff ? &s->lifted : &s->plain;
    TAUT_TRY(taut_prepare_so(s->variant ? s->variant : s->model, forming, s->prepared, errors));
    return find_regular_start(s, NULL, errors);
}

static taut_status start(taut_simulation *s, taut_errors *errors) {
    taut_moves moves;
    TAUT_TRY(taut_options_check_span(&s->options, s->t0, s->tend, errors));
    TAUT_TRY(check_starts(s, errors));
    TAUT_TRY(find_regular_start(s, &moves, errors));
    TAUT_TRY(taut_account_assemblies(s));
    TAUT_TRY(taut_account_moves(s, &moves));
    if (!is_natural(s)) TAUT_TRY(change_formulation(s, errors));
    TAUT_TRY(taut_stabilize(s, errors));
    if (s->nudge != 0.0) TAUT_TRY(nudge(s));
    TAUT_TRY(first_stepper(s, errors));
    TAUT_TRY(name_columns(s));
    return taut_account_dropped(s);
}

taut_status taut_simulation_start(taut_simulation *s, taut_errors *errors) {
    TAUT_NEED(s, "simulation", errors);
    /* a run may have changed the choice of constraints: start over from the same equations */
    if (s->stale || s->used) TAUT_TRY(form(s, errors));
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_START);
    const double begin = taut_seconds();
    forget_run(s);
    s->used = true;
    s->adapts = strcmp(s->options.solver, "auto") == 0 && s->options.step == 0.0 &&
                s->options.order == 0 && !s->states.minimal;
    const taut_model *model = s->variant ? s->variant : s->model;
    taut_status status = advised(model, start(s, errors), errors);
    if (status != TAUT_OK) { /* the observer stays: its series shows how far the search came */
        taut_stepper_free(&s->stepper);
        s->name = NULL;
        s->columns = 0;
        taut_count_for(s->watch, before);
        return status;
    }
    s->time = s->t0;
    s->stats.setup_s += taut_seconds() - begin;
    taut_count_for(s->watch, before);
    supervise(s);
    return TAUT_OK;
}

/* ---- stepping ---- */

/* Puts aside what the stepper has done, before it goes. */
static void keep_work(taut_simulation *s) {
    const taut_stepper_stats t = taut_stepper_statistics(s->stepper);
    s->done.steps += t.steps;
    s->done.rejected += t.rejected;
    s->done.evaluations += t.evaluations;
    s->done.factorisations += t.factorisations;
}

/* Goes on at time t with the constraints that were chosen anew, from the state x [levels][count].
 */
static taut_status change_constraints(taut_simulation *s, double t, int levels, int count,
                                      const double *x, taut_errors *errors) {
    keep_work(s);
    taut_stepper_free(&s->stepper);
    taut_observer_free(&s->observer);
    TAUT_TRY(taut_prepare_adopt(s->prepared, errors));
    TAUT_TRY(taut_simulation_observe(s, s->prepared, &s->observer));
    taut_series *from = taut_observer_series(s->observer);
    taut_series_start(from, t, 1.0);
    for (int j = 0; j < count; j++)
        for (int k = 0; k < levels && k < taut_needed(&s->prepared->structure, j); k++)
            taut_series_set(from, j, k, x[k * count + j]);
    /* what was left out holds but for rounding, which a first step would take for its own error */
    if (taut_series_settle(from, true, NULL, NULL) == TAUT_ERR_MEMORY) return TAUT_ERR_MEMORY;
    TAUT_TRY(create_stepper(s, t, errors));
    s->good_rcond = taut_stepper_rcond(s->stepper);
    s->waited = 0;
    return taut_trace_mark(&s->trace, t, TAUT_MARK_CONSTRAINTS,
                           "other redundant constraints are left out from here on");
}

/* Redundant constraints: the set that was left out may become a poor choice as the mechanism moves.
 * Chooses again and goes on from the present state with the new set; *changed tells if it did. */
static taut_status choose_constraints(taut_simulation *s, bool *changed, taut_errors *errors) {
    const int count = s->prepared->problem->first_constraint;
    const int levels = s->prepared->structure.largest_d + 1;
    const double t = s->stepper->t;
    taut_arena arena = {0};
    double *x = TAUT_NEW_ARRAY(&arena, levels * count, double); /* [levels][count] */
    taut_status status = x ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int k = 0; k < levels && status == TAUT_OK; k++)
        for (int j = 0; j < count; j++) x[k * count + j] = taut_stepper_state(s->stepper, j, k);
    const taut_motion motion = {t, x, x ? x + count : NULL};
    if (status == TAUT_OK) status = taut_prepare_choose(s->prepared, &motion, changed);
    if (status == TAUT_OK && *changed) status = change_constraints(s, t, levels, count, x, errors);
    taut_arena_release(&arena);
    return status;
}

/* Choosing again takes as long as dozens of steps, so it must be worth it. */
static bool has_faded(const taut_simulation *s) {
    const double rcond = taut_stepper_rcond(s->stepper);
    const double tol = fmax(s->options.rtol, s->options.atol);
    return rcond < FADED * s->good_rcond && DBL_EPSILON > FELT * tol * rcond;
}

/* If constraints were left out and the choice has faded, chooses again. */
static taut_status renew_constraints(taut_simulation *s, taut_errors *errors) {
    bool changed = false;
    if (!s->prepared->full) return TAUT_OK;
    if (has_faded(s)) {
        TAUT_TRY(choose_constraints(s, &changed, errors));
        if (!changed) s->good_rcond = taut_stepper_rcond(s->stepper);
    }
    s->good_rcond = fmax(s->good_rcond, taut_stepper_rcond(s->stepper));
    return TAUT_OK;
}

static taut_status step(taut_simulation *s, taut_errors *errors) {
    TAUT_TRY(taut_adapt(s));
    TAUT_TRY(renew_constraints(s, errors));
    if (s->adapts && s->method->stiff) {
        taut_status status = taut_stepper_step(s->stepper, NULL);
        if (status == TAUT_OK || status == TAUT_ERR_MEMORY || !taut_adapt_give_up(s)) return status;
    }
    return taut_stepper_step(s->stepper, errors);
}

static taut_status check_started(const taut_simulation *s, taut_errors *errors) {
    if (!s) return taut_fail(errors, TAUT_ERR_CALL, "the simulation is NULL");
    if (s->name) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "the simulation has not started: call taut_simulation_start");
}

/* What a call without a status had to say. */
static taut_status report_misuse(taut_simulation *s, taut_errors *errors) {
    if (!s->misuse[0]) return TAUT_OK;
    taut_fail(errors, TAUT_ERR_CALL, "%s", s->misuse);
    s->misuse[0] = '\0';
    return TAUT_ERR_CALL;
}

taut_status taut_simulation_step(taut_simulation *s, taut_errors *errors) {
    TAUT_TRY(check_started(s, errors));
    TAUT_TRY(report_misuse(s, errors));
    if (s->stopped != TAUT_OK)
        return taut_fail(errors, s->stopped,
                         "the simulation has stopped at t = %.10g and cannot go on; start it again",
                         s->stats.reached);
    if (s->stepper->t == s->tend) return TAUT_AT_END;
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_STEPS);
    const double begin = taut_seconds();
    s->stats.reached = s->stepper->t;
    s->row_time = (double)NAN;
    s->stopped = step(s, errors);
    s->stats.wall_s += taut_seconds() - begin;
    taut_count_for(s->watch, before);
    if (s->stepper) s->stats.reached = s->stepper->t;
    s->time = s->stats.reached;
    if (s->stopped != TAUT_OK) return s->stopped;
    supervise(s);
    if (isfinite(s->stepper->singular))
        return taut_trace_mark(&s->trace, s->stepper->singular, TAUT_MARK_SINGULAR,
                               "singular position: constraints are dependent for an instant");
    return TAUT_OK;
}

taut_status taut_simulation_run_to(taut_simulation *s, double t, taut_errors *errors) {
    TAUT_TRY(check_started(s, errors));
    TAUT_TRY(report_misuse(s, errors));
    const double sign = s->tend < s->t0 ? -1.0 : 1.0;
    if (!(sign * (t - s->tend) <= 0.0))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "t = %.17g is beyond the end of the run, %.17g: set tend in the options",
                         t, s->tend);
    if (sign * (t - taut_simulation_begin(s)) < 0.0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "t = %.17g is before the last step, which began at %.17g: a simulation "
                         "does not go back; start it again",
                         t, taut_simulation_begin(s));
    while (sign * (t - taut_simulation_reached(s)) > 0.0) TAUT_TRY(taut_simulation_step(s, errors));
    s->time = t;
    return TAUT_OK;
}

double taut_simulation_time(const taut_simulation *s) { return s ? s->time : (double)NAN; }
double taut_simulation_begin(const taut_simulation *s) {
    if (!s) return (double)NAN;
    return s->stepper ? s->stepper->begin : s->time;
}
double taut_simulation_reached(const taut_simulation *s) {
    if (!s) return (double)NAN;
    return s->stepper ? s->stepper->t : s->time;
}

/* ---- values ---- */

/* Fills the row, unless it is there already. */
static taut_status look_at(taut_simulation *s, double t, taut_errors *errors) {
    int missing;
    TAUT_TRY(check_started(s, errors));
    if (t == s->row_time) return TAUT_OK;
    const double begin = taut_simulation_begin(s), end = taut_simulation_reached(s);
    if (!s->stepper || !(t >= fmin(begin, end)) || !(t <= fmax(begin, end)))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "t = %.17g is outside the last step, which goes from %.17g to %.17g", t,
                         begin, end);
    s->row_time = (double)NAN;
    TAUT_TRY(taut_observer_row(s->observer, s->stepper, t, s->row, &missing));
    s->row_time = t;
    return TAUT_OK;
}

taut_status taut_simulation_row(taut_simulation *s, double t, double *row, taut_errors *errors) {
    TAUT_NEED(row, "row", errors);
    TAUT_TRY(look_at(s, t, errors));
    memcpy(row, s->row, (size_t)s->columns * sizeof *row);
    return TAUT_OK;
}

static taut_status unknown_column(const taut_simulation *s, const char *name, taut_errors *errors) {
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; i < s->columns; i++) taut_nearest_offer(&nearest, s->name[i]);
    return taut_fail(errors, TAUT_ERR_CALL, "there is no column '%.80s'%s%s%s", name,
                     nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
}

/* The value of a column by number, or by name if there is one. */
static taut_status read_column(taut_simulation *s, const char *name, int column, double t,
                               taut_errors *errors, double *value) {
    *value = (double)NAN;
    TAUT_TRY(check_started(s, errors));
    if (name) column = taut_simulation_find(s, name);
    if (name && column < 0) return unknown_column(s, name, errors);
    if (column < 0 || column >= s->columns)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "there is no column number %d: they go from 0 to %d", column,
                         s->columns - 1);
    TAUT_TRY(look_at(s, t, errors));
    *value = s->row[column];
    return TAUT_OK;
}

/* The same for calls that have no status: a fault is kept for the next one that has. */
static double value_or_nan(taut_simulation *s, const char *name, int column, double t) {
    double value;
    if (!s) return (double)NAN;
    if (read_column(s, name, column, t, NULL, &value) == TAUT_OK || s->misuse[0]) return value;
    taut_errors *errors = taut_new(sizeof *errors); /* large: not on the stack */
    if (errors && read_column(s, name, column, t, errors, &value) == TAUT_ERR_CALL &&
        errors->count > 0)
        snprintf(s->misuse, sizeof s->misuse, "%.290s", errors->item[0].message);
    taut_release((void **)&errors);
    return (double)NAN;
}

taut_status taut_simulation_read(taut_simulation *s, const char *name, double t, double *value,
                                 taut_errors *errors) {
    TAUT_NEED(value, "value", errors);
    *value = (double)NAN;
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(name, "name", errors);
    return read_column(s, name, -1, t, errors, value);
}

double taut_simulation_get(taut_simulation *s, int column, double t) {
    return value_or_nan(s, NULL, column, t);
}

double taut_simulation_value(taut_simulation *s, const char *name, double t) {
    return value_or_nan(s, name ? name : "", -1, t);
}

double taut_simulation_now(taut_simulation *s, const char *name) {
    return taut_simulation_value(s, name, taut_simulation_time(s));
}

int taut_simulation_find(const taut_simulation *s, const char *name) {
    for (int i = 0; s && name && i < s->columns; i++)
        if (is_name(s->name[i], name)) return i;
    return -1;
}

int taut_simulation_columns(const taut_simulation *s) { return s ? s->columns : 0; }
const char *taut_simulation_name(const taut_simulation *s, int column) {
    return s && column >= 0 && column < s->columns ? s->name[column] : NULL;
}
