/* Where a run begins: the consistent point, in natural coordinates first, and the first stepper. */
#include <math.h>

#include "core/clock.h"
#include "task/account.h"
#include "task/allowance.h"
#include "task/options.h"
#include "task/resolve.h"
#include "task/sensitivity.h"
#include "task/stabilize.h"
#include "task/unclosed.h"

static const double NEARLY_SINGULAR = 1e-11;

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

/* The observer and the initial point. moves NULL: the start is known, only digits are missing. */
static taut_status find_start(taut_simulation *s, taut_moves *moves, taut_errors *errors) {
    const taut_run_options *o = &s->options;
    taut_observer_free(&s->observer);
    TAUT_TRY(taut_simulation_observe(s, s->prepared, &s->observer));
    const taut_order order = {.tol = fmax(o->rtol, o->atol),
                              .search = {TAUT_BY_ALL, moves ? o->starts : 0},
                              .assemblies = moves ? &s->assemblies : NULL,
                              .arena = &s->arena,
                              .number = taut_refresh_numbers(s)};
    return taut_consistent_find(taut_observer_series(s->observer), s->t0, &order, moves, errors);
}

taut_status taut_start_looks_redundant(taut_simulation *s, bool *redundant) {
    taut_series *series = taut_observer_series(s->observer);
    *redundant = false;
    if (s->prepared->problem->coordinates == 0) return TAUT_OK;
    taut_series_look(series, 0);
    const taut_status status = taut_series_factor(series);
    if (status == TAUT_ERR_MEMORY) return status;
    *redundant = status != TAUT_OK || taut_lu_rcond(series->lu) < NEARLY_SINGULAR;
    return TAUT_OK;
}

/* A stepper that starts from the point in the observer's series. */
static taut_status start_stepper(taut_simulation *s, taut_errors *errors) {
    TAUT_TRY(taut_equip_stepper(s));
    taut_series *series = taut_observer_series(s->observer);
    taut_state_read(s->state, series);
    if (s->alteration) TAUT_TRY(s->alteration->alter(s->alteration->user, s->state, series));
    taut_series_forget(series); /* rows do not depend on how the start was found */
    return taut_equip_begin(s, s->state, errors);
}

/* What stops a run before its first step is a fault of the initial values. */
static taut_status first_stepper(taut_simulation *s, taut_errors *errors) {
    const int before = errors ? errors->count : 0;
    taut_status status = start_stepper(s, errors);
    if (status <= TAUT_OK && status != TAUT_ERR_NUMERICS) return status;
    for (int i = before; errors && i < errors->count; i++) errors->item[i].status = TAUT_ERR_INPUT;
    return TAUT_ERR_INPUT;
}

taut_status taut_start_name_columns(taut_simulation *s) {
    const int own = taut_observer_columns(s->observer);
    s->columns = own + taut_sensitivity_columns(s);
    s->name = TAUT_NEW_ARRAY(&s->arena, s->columns, const char *);
    s->row = TAUT_NEW_ARRAY(&s->arena, s->columns, double);
    s->row_time = (double)NAN;
    if (!s->name || !s->row) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_observer_names(s->observer, &s->arena, s->name));
    return taut_sensitivity_names(s, &s->arena, s->name, own);
}

/* Where a wide J is singular: with the structure of J as it is, which may see more in it. */
static taut_status find_start_narrow(taut_simulation *s, taut_moves *moves, taut_errors *errors) {
    taut_observer_free(&s->observer);
    s->prepared->forming.wide = false;
    TAUT_TRY(taut_prepare_adopt(s->prepared, errors));
    return find_start(s, moves, errors);
}

/* The initial point, without constraints that others imply. */
static taut_status find_regular_start(taut_simulation *s, taut_moves *moves, taut_errors *errors) {
    bool redundant, fewer = false;
    TAUT_TRY(find_start(s, moves, errors));
    TAUT_TRY(taut_start_looks_redundant(s, &redundant));
    if (redundant && s->prepared->structure.wide) return find_start_narrow(s, moves, errors);
    if (redundant && taut_refresh_numbers(s) && !s->prepared->full) return TAUT_CONTRADICTED;
    if (redundant) TAUT_TRY(taut_prepare_reduce(s->prepared, &fewer, errors));
    return fewer ? find_start(s, moves, errors) : TAUT_OK;
}

/* Joints whose loads formulas contain. */
static void list_split(const taut_model *m, taut_string *names, taut_place *place) {
    for (int i = 0; i < m->mechanism->joints; i++) {
        const taut_joint *j = &m->mechanism->joint[i];
        if (!j->split || j->rubs || j->breaks) continue;
        if (!names->text) *place = j->place;
        taut_string_add(names, "%s'%s'", names->text ? ", " : "", j->name);
    }
}

/* Positions were found, but not the forces: loads that formulas contain may define themselves. */
static taut_status blame_loads(const taut_simulation *s, taut_status status, taut_errors *errors) {
    const taut_model *m = s->model;
    taut_string names = {0};
    taut_place place = {0};
    if (status != TAUT_ERR_INPUT && status != TAUT_ERR_NUMERICS && status != TAUT_SINGULAR)
        return status;
    if (!m->mechanism || m->mechanism->splits == 0 || s->prepared == &s->assembly) return status;
    list_split(m, &names, &place);
    if (names.text)
        taut_fail_at(
            errors, TAUT_ERR_INPUT, place,
            "formulas contain the load of %s: if a force depends on a load that it changes "
            "itself, check that this is no circle in which nothing determines the load",
            names.text);
    taut_string_release(&names);
    return status;
}

static taut_status start(taut_simulation *s, taut_errors *errors) {
    taut_moves moves;
    taut_run_options o = s->options;
    o.max_step = taut_simulation_max_step(s); /* that of the file as well */
    TAUT_TRY(taut_options_check_span(&o, s->t0, s->tend, errors));
    TAUT_TRY(check_starts(s, errors));
    TAUT_TRY(find_regular_start(s, &moves, errors));
    TAUT_TRY(taut_account_assemblies(s));
    TAUT_TRY(taut_account_moves(s, &moves));
    const bool redundant = s->prepared->problem->drops > 0 || s->prepared->idles > 0;
    if (s->model->mechanism && s->model->mechanism->splits > 0 && redundant)
        TAUT_TRY(taut_check_determined(s->variant ? s->variant : s->model, errors));
    if (!taut_equip_is_natural(s)) {
        TAUT_TRY(taut_equip_change(s, errors));
        TAUT_TRY(find_regular_start(s, NULL, errors));
    }
    TAUT_TRY(taut_stabilize(s, errors));
    TAUT_TRY(taut_refresh_change(s));
    TAUT_TRY(first_stepper(s, errors));
    TAUT_TRY(taut_sensitivity_start(s, errors));
    TAUT_TRY(taut_start_name_columns(s));
    TAUT_TRY(taut_account_dropped(s));
    return taut_refresh_note(s);
}

/* A mechanism that cannot start: a loop that cannot close explains all other faults, those from
 * `before` on. */
static taut_status advise(const taut_model *model, taut_status status, int before,
                          taut_errors *errors) {
    taut_string words = {0};
    taut_place place;
    bool unclosed = false;
    if (status == TAUT_ERR_INPUT && errors) {
        const taut_status looked = taut_unclosed_find(model, &unclosed, &words, &place);
        if (unclosed && looked == TAUT_OK) {
            errors->count = before;
            taut_fail_at(errors, TAUT_ERR_INPUT, place, "%s", words.text);
        }
        if (looked != TAUT_OK) status = looked; /* memory, or interrupted */
    }
    taut_string_release(&words);
    return unclosed ? status : taut_equip_advise(model, status, errors);
}

/* The caller may stop the search, unless a run that this is part of asks him already. */
static taut_status start_within_bounds(taut_simulation *s, taut_errors *errors) {
    taut_allowance allowance;
    if (taut_bounds_are_set() || !s->options.progress) return start(s, errors);
    taut_allowance_begin(&allowance, &s->options);
    return taut_allowance_end(&allowance, start(s, errors), errors);
}

taut_status taut_simulation_start(taut_simulation *s, taut_errors *errors) {
    TAUT_NEED(s, "simulation", errors);
    TAUT_TRY(taut_contacts_use_base(s));
    s->waits = false;
    if (s->stale || s->used) {
        taut_status status = taut_refresh(s);
        if (status != TAUT_CONTRADICTED) return status;
        status = taut_refresh_first(s);
        if (status == TAUT_CONTRADICTED) status = taut_equip_form(s, errors);
        TAUT_TRY(status);
    }
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_START);
    const double begin = taut_seconds();
    const int faults = errors ? errors->count : 0;
    taut_equip_forget_run(s);
    s->used = true;
    s->adapts = s->plan.adapts;
    s->stint.told = false;
    taut_status status = start_within_bounds(s, errors);
    if (status == TAUT_CONTRADICTED) { /* the numbers of now ask for other equations */
        TAUT_TRY(taut_equip_form(s, errors));
        s->used = true;
        status = start_within_bounds(s, errors);
    }
    status = blame_loads(s, status, errors);
    status = advise(s->variant ? s->variant : s->model, status, faults, errors);
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
    taut_alarm_start(s);
    TAUT_TRY(taut_happen_begin(s, NULL, errors));
    if (s->sensitivity) TAUT_TRY(taut_sensitivity_equip(s));
    return taut_simulation_supervise(s);
}
