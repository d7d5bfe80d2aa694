/* Starting again with other numbers, in the equations that are there: steady coefficients are
 * refreshed, and a start is found again only if it depends on what has changed. Where a new number
 * contradicts what the equations were made for (a mass that was 0, a constraint that is redundant
 * by the geometry), they are formed anew, as if nothing had been there. */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "model/parameters.h"
#include "task/account.h"
#include "task/adapt.h"
#include "task/handover.h"
#include "task/happen.h"
#include "task/sensitivity.h"
#include "task/simulation.h"

static const taut_model *base_model(const taut_simulation *s) {
    return s->variant ? s->variant : s->model;
}

/* ---- the numbers ---- */

/* Which numbers the caller has set; false: one of them is not in these equations. */
static bool find_set(taut_simulation *s, bool *set, double *number) {
    const taut_model *m = base_model(s);
    const taut_settings *x = &s->settings;
    memset(set, 0, (size_t)taut_model_numbers(m) * sizeof *set);
    for (int i = 0; i < x->overrides; i++) {
        const int k = taut_model_find_parameter(m, x->override[i].name);
        if (k < 0) return false;
        set[k] = true;
        number[k] = x->number[i].value;
    }
    for (int i = 0; i < x->initials; i++) {
        const int k = taut_model_find_initial(m, x->initial[i].name);
        if (k < 0 || (x->initial[i].fixed && !m->value[k - m->parameters].fixed)) return false;
        set[k] = true;
        number[k] = x->initial[i].value;
    }
    return true;
}

/* Marks the numbers that a node contains, walking down from the marked nodes. */
static void mark_numbers(const taut_graph *g, bool *wanted, int count, bool *marked) {
    for (taut_node v = taut_graph_size(g) - 1; v > 0; v--) {
        const taut_node_data *d = taut_node_get(g, v);
        if (!wanted[v]) continue;
        if (d->op == TAUT_OP_PARAM && d->index < count) marked[d->index] = true;
        for (uint32_t i = 0; i < d->count; i++) wanted[taut_node_args(g, v)[i]] = true;
    }
}

/* Marks the numbers in constraints and conditions of these equations, and in what is given; all: as
 * far as the start is concerned, in every equation. */
static taut_status mark_dependence(taut_run_numbers *x, const taut_prepared *p, int count,
                                   bool all) {
    const taut_system *system = &p->problem->system;
    const taut_structure *structure = &p->structure;
    taut_arena arena = {0};
    bool *wanted = TAUT_NEW_ARRAY(&arena, taut_graph_size(system->graph), bool);
    if (!wanted) return TAUT_ERR_MEMORY;
    for (int i = 0; i < system->n; i++)
        if (structure->offsets.c[i] > 0) wanted[system->equation[i].node] = true;
    mark_numbers(system->graph, wanted, count, x->restricts);
    for (int i = 0; i < system->n; i++)
        if (structure->offsets.c[i] > 0 || !structure->quasilinear)
            wanted[system->equation[i].node] = true;
    mark_numbers(system->graph, wanted, count, x->constrains);
    for (int i = 0; i < system->conditions; i++) {
        wanted[system->condition[i].node] = true;
        if (system->condition[i].side != TAUT_NO_NODE) wanted[system->condition[i].side] = true;
    }
    for (int i = 0; i < system->hints; i++) wanted[system->hint[i].node] = true;
    for (int i = 0; i < system->n && all; i++) wanted[system->equation[i].node] = true;
    mark_numbers(system->graph, wanted, count, x->starts);
    for (int i = 0; i < system->givens; i++)
        if (system->given[i].number >= 0) x->starts[system->given[i].number] = true;
    taut_arena_release(&arena);
    return TAUT_OK;
}

/* The equations in which the start was found, if they are others than those in use; NULL. */
static const taut_prepared *assembly_of(const taut_simulation *s) {
    if (taut_equip_is_natural(s)) return NULL;
    return s->lent ? &s->lent->assembly : &s->assembly;
}

/* On which numbers does the start depend? On those in constraints and conditions, and on what is
 * given; where leading derivatives are found with the start, on all of them. */
static taut_status find_dependence(taut_simulation *s) {
    taut_run_numbers *x = &s->numbers;
    const int count = taut_model_numbers(base_model(s));
    const taut_prepared *assembly = assembly_of(s);
    TAUT_TRY(mark_dependence(x, s->prepared, count, false));
    if (!assembly) return TAUT_OK;
    return mark_dependence(x, assembly, count, taut_hand_over_needs_forces(assembly));
}

/* Stabilised equations have their rates in numbers. */
static bool can_follow(const taut_simulation *s) {
    return s->follows && s->plan.stabilizing == TAUT_BY_PROJECTION && s->options.starts == 0;
}

/* Lists, and the numbers that the model was read with. */
static taut_status make_lists(taut_simulation *s) {
    taut_run_numbers *x = &s->numbers;
    const taut_model *m = base_model(s);
    const size_t count = (size_t)taut_model_numbers(m);
    x->now = TAUT_NEW_ARRAY(&x->arena, count, double);
    x->next = TAUT_NEW_ARRAY(&x->arena, count, double);
    x->work = TAUT_NEW_ARRAY(&x->arena, taut_model_number_work(m), double);
    x->set = TAUT_NEW_ARRAY(&x->arena, count, bool);
    x->starts = TAUT_NEW_ARRAY(&x->arena, count, bool);
    x->constrains = TAUT_NEW_ARRAY(&x->arena, count, bool);
    x->restricts = TAUT_NEW_ARRAY(&x->arena, count, bool);
    if (!x->now || !x->next || !x->work || !x->set || !x->starts || !x->constrains || !x->restricts)
        return TAUT_ERR_MEMORY;
    taut_model_fill_numbers(m, x->set, x->now, x->work);
    return TAUT_OK;
}

taut_status taut_refresh_prepare(taut_simulation *s) {
    taut_refresh_forget(s);
    if (!can_follow(s)) return TAUT_OK;
    TAUT_TRY(make_lists(s));
    return find_dependence(s);
}

/* Does a run change numbers by itself? */
static bool changes_numbers(const taut_model *m) {
    bool any = m->kinks > 0;
    for (int i = 0; i < m->actions; i++) any = any || m->action[i].parameter >= 0;
    return any;
}

taut_status taut_refresh_change(taut_simulation *s) {
    if (can_follow(s) || !s->follows || !changes_numbers(base_model(s))) return TAUT_OK;
    taut_refresh_forget(s);
    TAUT_TRY(make_lists(s));
    s->numbers.within = true;
    return find_dependence(s);
}

taut_status taut_refresh_borrow(taut_simulation *s, const taut_simulation *like) {
    taut_run_numbers *x = &s->numbers;
    const size_t count = (size_t)taut_model_numbers(s->model);
    TAUT_TRY(make_lists(s));
    memcpy(x->starts, like->numbers.starts, count * sizeof *x->starts);
    memcpy(x->constrains, like->numbers.constrains, count * sizeof *x->constrains);
    memcpy(x->restricts, like->numbers.restricts, count * sizeof *x->restricts);
    x->prepared = like->numbers.prepared;
    x->drops = like->numbers.drops;
    return taut_state_copy(like->numbers.first, &x->first);
}

taut_status taut_refresh_note(taut_simulation *s) {
    taut_run_numbers *x = &s->numbers;
    if (!x->now || x->within || s->alteration) return TAUT_OK;
    taut_state_free(&x->first);
    TAUT_TRY(taut_state_copy(s->state, &x->first));
    x->prepared = s->prepared;
    x->drops = s->prepared->redundancy.dropped;
    return TAUT_OK;
}

void taut_refresh_forget(taut_simulation *s) {
    taut_state_free(&s->numbers.first);
    taut_consistent_plan_free(&s->numbers.conditions);
    taut_arena_release(&s->numbers.search);
    taut_arena_release(&s->numbers.arena);
    s->numbers = (taut_run_numbers){0};
}

const double *taut_refresh_numbers(const taut_simulation *s) {
    return s->numbers.changed ? s->numbers.now : NULL;
}

/* ---- the start ---- */

/* What a run has left behind in what stays. */
static void reset_run(taut_simulation *s) {
    taut_equip_reset(s);
    taut_notebook_forget_changes(&s->notebook);
    if (s->doubts.rows)
        memset(s->doubts.rows, 0, (size_t)s->doubts.columns * sizeof *s->doubts.rows);
    s->doubts.looks = 0;
    s->doubts.residual = s->doubts.force = 0.0;
    taut_stepper_forget(s->stepper);
    if (s->spare.stepper) taut_stepper_forget(s->spare.stepper);
}

taut_status taut_refresh_plan(taut_simulation *s) {
    taut_run_numbers *x = &s->numbers;
    if (x->conditions || assembly_of(s)) return TAUT_OK;
    return taut_consistent_plan_create(taut_observer_series(s->observer), &x->conditions);
}

static taut_status find_again(taut_simulation *s) {
    taut_run_numbers *x = &s->numbers;
    const taut_run_options *o = &s->options;
    taut_series *series = taut_observer_series(s->observer);
    taut_moves moves;
    bool redundant;
    if (assembly_of(s)) return TAUT_CONTRADICTED; /* found elsewhere, and formed into these */
    taut_arena_release(&x->search);
    if (!s->lent) TAUT_TRY(taut_refresh_plan(s));
    const taut_order order = {.tol = fmax(o->rtol, o->atol),
                              .search = {TAUT_BY_ALL, 0},
                              .assemblies = &s->assemblies,
                              .arena = &x->search,
                              .plan = s->lent ? s->lent->numbers.conditions : x->conditions,
                              .number = x->now,
                              .frozen = s->lent != NULL};
    TAUT_TRY(taut_consistent_find(series, s->t0, &order, &moves, NULL));
    TAUT_TRY(taut_start_looks_redundant(s, &redundant));
    if (redundant) return TAUT_CONTRADICTED;
    taut_string_release(&s->moves);
    taut_string_release(&s->assembled);
    taut_notebook_forget_start(&s->notebook);
    TAUT_TRY(taut_account_assemblies(s));
    TAUT_TRY(taut_account_moves(s, &moves));
    taut_state_read(x->first, series);
    return TAUT_OK;
}

taut_status taut_refresh_find(taut_simulation *s) {
    return s->numbers.first ? find_again(s) : TAUT_CONTRADICTED;
}

/* ---- the whole ---- */

/* Are the equations those that the last start was found with? */
static bool is_ready(taut_simulation *s) {
    const taut_run_numbers *x = &s->numbers;
    if (!x->first || !s->observer || !s->stepper || !s->name) return false;
    if (s->method != s->plan.method && taut_adapt_use(s, s->plan.method->stiff) != TAUT_OK)
        return false;
    return s->prepared == x->prepared && s->prepared->redundancy.dropped == x->drops &&
           s->method == s->plan.method;
}

/* Hands the numbers to everything that computes. */
static taut_status spread_numbers(taut_simulation *s) {
    const double *number = s->numbers.now;
    if (s->observer) TAUT_TRY(taut_series_set_numbers(taut_observer_series(s->observer), number));
    if (s->stepper) TAUT_TRY(taut_stepper_set_numbers(s->stepper, number));
    if (s->spare.observer)
        TAUT_TRY(taut_series_set_numbers(taut_observer_series(s->spare.observer), number));
    return s->spare.stepper ? taut_stepper_set_numbers(s->spare.stepper, number) : TAUT_OK;
}

/* Do the equations in which the start was found stand for the new numbers as well? */
static taut_status check_assembly(const taut_simulation *s) {
    const taut_prepared *p = assembly_of(s);
    if (!p) return TAUT_OK;
    taut_arena arena = {0};
    const taut_graph *graph = p->problem->system.graph;
    double *work = TAUT_NEW_ARRAY(&arena, taut_graph_size(graph), double);
    const bool hold = work && taut_graph_assumptions_hold(graph, s->numbers.next, work);
    const taut_status status = !work ? TAUT_ERR_MEMORY : hold ? TAUT_OK : TAUT_CONTRADICTED;
    taut_arena_release(&arena);
    return status;
}

/* Takes over the new numbers; *moved: the start depends on one that has changed. */
static taut_status take_numbers(taut_simulation *s, bool *moved) {
    taut_run_numbers *x = &s->numbers;
    const taut_model *m = base_model(s);
    const int count = taut_model_numbers(m);
    bool changed = false, constraints = false;
    if (!find_set(s, x->set, x->next)) return TAUT_CONTRADICTED;
    taut_model_fill_numbers(m, x->set, x->next, x->work);
    *moved = false;
    for (int k = 0; k < count; k++) {
        if (x->next[k] == x->now[k]) continue;
        changed = true;
        *moved = *moved || x->starts[k];
        constraints = constraints || x->constrains[k];
    }
    /* which constraints are redundant is a matter of geometry */
    const taut_prepared *assembly = assembly_of(s);
    if (constraints && (s->prepared->full || (assembly && assembly->full)))
        return TAUT_CONTRADICTED;
    if (!changed) return TAUT_OK;
    TAUT_TRY(check_assembly(s));
    memcpy(x->now, x->next, (size_t)count * sizeof *x->now);
    x->changed = true;
    return spread_numbers(s);
}

/* Of a kink or a table: whoever changes it looks after the constraints that contain it. */
static bool is_hidden(const taut_model *m, int parameter) { return !m->parameter_name[parameter]; }

taut_status taut_refresh_assign(taut_simulation *s, const int *which, const double *value,
                                int count) {
    taut_run_numbers *x = &s->numbers;
    const taut_model *m = base_model(s);
    const int numbers = taut_model_numbers(m);
    if (!x->now || !find_set(s, x->set, x->next)) return TAUT_CONTRADICTED;
    memcpy(x->next, x->now, (size_t)numbers * sizeof *x->now);
    for (int i = 0; i < m->discretes; i++)
        x->set[taut_node_get(m->graph, m->discrete[i].node)->index] = true;
    for (int i = 0; i < m->actions; i++)
        if (m->action[i].parameter >= 0) x->set[m->action[i].parameter] = true;
    for (int k = 0; k < m->parameters; k++)
        if (is_hidden(m, k)) x->set[k] = true;
    for (int i = 0; i < count; i++) x->next[which[i]] = value[i];
    taut_model_fill_numbers(m, x->set, x->next, x->work);
    for (int k = 0; k < m->parameters; k++)
        if (x->next[k] != x->now[k] && x->restricts[k] && !is_hidden(m, k))
            return TAUT_CONTRADICTED;
    memcpy(x->now, x->next, (size_t)numbers * sizeof *x->now);
    x->changed = true;
    return spread_numbers(s);
}

static taut_status refresh(taut_simulation *s) {
    bool moved;
    TAUT_TRY(take_numbers(s, &moved));
    reset_run(s);
    taut_series_forget(taut_observer_series(s->observer));
    if (moved) TAUT_TRY(find_again(s));
    taut_series_forget(taut_observer_series(s->observer));
    taut_state_forget(s->state);
    taut_state_take(s->state, s->numbers.first);
    s->state->t = s->t0;
    TAUT_TRY(taut_equip_begin(s, s->state, NULL));
    return taut_sensitivity_start(s, NULL);
}

taut_status taut_refresh_first(taut_simulation *s) {
    bool moved;
    if (!s->numbers.now || s->numbers.within || s->used) return TAUT_CONTRADICTED;
    TAUT_TRY(take_numbers(s, &moved));
    s->stale = false;
    return TAUT_OK;
}

taut_status taut_refresh(taut_simulation *s) {
    const double begin = taut_seconds();
    if (!is_ready(s)) return TAUT_CONTRADICTED;
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_START);
    const taut_status status = refresh(s);
    taut_count_for(s->watch, before);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK)
        return TAUT_CONTRADICTED; /* the long way says why, if it fails as well */
    s->stale = false;
    s->adapts = s->plan.adapts;
    s->stint.told = false;
    s->time = s->t0;
    s->stats.setup_s = taut_seconds() - begin;
    taut_alarm_start(s);
    const taut_status begun = taut_happen_begin(s, NULL, NULL);
    if (begun == TAUT_ERR_MEMORY) return begun;
    if (begun != TAUT_OK) return TAUT_CONTRADICTED;
    if (s->sensitivity) TAUT_TRY(taut_sensitivity_equip(s));
    return taut_simulation_supervise(s);
}
