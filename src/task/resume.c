/* Getting a state and setting one: which equations and which method it belongs to, whether it fits,
 * and what the run remembers beside its stepper. */
#include "task/resume.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "form/formulation.h"
#include "task/adapt.h"
#include "task/resolve.h"

static const char LEFT_OUT[] = "left out: ";
/* A state that constraints would change by more, beside its size, is of another model. */
static const double ANOTHER = 1e-6, ANOTHER_PER_TOL = 1e3;

/* The coordinates, as a word; "": equations were given. */
static const char *coordinates_of(const taut_simulation *s) {
    if (s->plan.minimal) return TAUT_MINIMAL;
    return s->plan.formulation ? s->plan.formulation->name : "";
}

/* ---- getting ---- */

/* Which constraints are left out, as modes. */
static taut_status note_left_out(const taut_prepared *p, taut_state *state) {
    if (!p->full) return TAUT_OK;
    state->mode = TAUT_NEW_ARRAY(&state->arena, p->redundancy.drops, taut_state_number);
    if (!state->mode) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->redundancy.drops; i++) {
        char text[300];
        const int equation = p->redundancy.dropped[i];
        snprintf(text, sizeof text, "%s%s", LEFT_OUT, p->full->system.equation[equation].name);
        const char *name = taut_arena_copy(&state->arena, text, strlen(text));
        if (!name) return TAUT_ERR_MEMORY;
        state->mode[state->modes++] = (taut_state_number){name, equation};
    }
    return TAUT_OK;
}

/* Numbers that are remembered beside those of the stepper and of the alarm. */
enum { OWN = 8 };

static void remember(const taut_simulation *s, taut_memory *memory) {
    double alarm[TAUT_ALARM_NUMBERS];
    const double number[OWN] = {s->adapts,
                                s->changes,
                                (double)s->waited,
                                s->stint.t,
                                s->stint.h,
                                (double)s->stint.steps,
                                (double)s->stint.pause,
                                s->good_rcond};
    taut_memory_put_all(memory, number, OWN);
    taut_alarm_remember(&s->alarm, alarm);
    taut_memory_put_all(memory, alarm, TAUT_ALARM_NUMBERS);
}

/* A copy of the name with a number, in the state. */
static taut_status note_number(taut_state *state, const char *name, double value) {
    name = taut_arena_copy(&state->arena, name, strlen(name));
    if (!name) return TAUT_ERR_MEMORY;
    state->discrete[state->discretes++] = (taut_state_number){name, value};
    return TAUT_OK;
}

/* Numbers that events and controllers assign, events that happen once and have happened, how many
 * samples controllers have taken, and where what may let go holds. */
static taut_status note_discretes(const taut_simulation *s, taut_state *state) {
    const taut_model *m = s->prepared->problem->model;
    if (!s->happen) return TAUT_OK;
    const int most = m->actions + m->events + m->controllers + m->contacts;
    state->discrete = TAUT_NEW_ARRAY(&state->arena, most, taut_state_number);
    if (!state->discrete) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->actions; i++) {
        const char *name = m->action[i].name;
        bool known = m->action[i].parameter < 0;
        for (int k = 0; k < state->discretes; k++)
            known = known || strcmp(state->discrete[k].name, name) == 0;
        if (!known) TAUT_TRY(note_number(state, name, s->numbers.now[m->action[i].parameter]));
    }
    for (int i = 0; i < m->events; i++)
        if (s->happen->course[i].spent) TAUT_TRY(note_number(state, m->event[i].name, 1.0));
    for (int i = 0; i < m->controllers; i++)
        TAUT_TRY(note_number(state, m->controller[i].name, s->happen->samples[i]));
    for (int i = 0; s->contacts && i < m->contacts; i++)
        if (m->contact[i].breaks)
            TAUT_TRY(taut_loose_note(s, i, &state->arena, &state->discrete[state->discretes++]));
    return TAUT_OK;
}

/* The same back, before the start; events and controllers follow there. */
static taut_status take_discretes(taut_simulation *s, const taut_state *state) {
    const taut_model *m = s->prepared->problem->model;
    for (int i = 0; i < m->actions; i++)
        for (int k = 0; k < state->discretes; k++)
            if (m->action[i].parameter >= 0 &&
                strcmp(state->discrete[k].name, m->action[i].name) == 0)
                TAUT_TRY(
                    taut_refresh_assign(s, &m->action[i].parameter, &state->discrete[k].value, 1));
    return TAUT_OK;
}

static taut_status fill(taut_simulation *s, taut_state *state) {
    TAUT_TRY(taut_stepper_get(s->stepper, state));
    const char *word = coordinates_of(s);
    state->formulation = taut_arena_copy(&state->arena, word, strlen(word));
    if (!state->formulation) return TAUT_ERR_MEMORY;
    TAUT_TRY(note_left_out(s->prepared, state));
    TAUT_TRY(note_discretes(s, state));
    remember(s, &state->run);
    return state->run.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_resume_get(taut_simulation *s, taut_state **state) {
    if (taut_happen_is_pending(s)) TAUT_TRY(taut_happen_fire(s, NULL)); /* behind it */
    TAUT_TRY(taut_state_create(&s->prepared->problem->system, &s->prepared->structure, state));
    const taut_status status = fill(s, *state);
    if (status != TAUT_OK) taut_state_free(state);
    return status;
}

taut_status taut_simulation_get_state(taut_simulation *s, taut_state **state, taut_errors *errors) {
    TAUT_NEED(state, "state", errors);
    *state = NULL;
    TAUT_NEED(s, "simulation", errors);
    if (!s->name || !s->stepper || s->waits)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the simulation has not started: call taut_simulation_start");
    return taut_resume_get(s, state);
}

/* ---- does it fit? ---- */

/* Variables of positive order are what a motion carries on; the others are found at every point. */
static int find_carried(const taut_state *s, const char *name) {
    for (int j = 0; j < s->n; j++)
        if (taut_state_order(s, j) > 0 && strcmp(s->name[j], name) == 0) return j;
    return -1;
}

static taut_status other_model(const char *which, const char *name, taut_errors *errors) {
    return taut_fail(errors, TAUT_ERR_CALL, "the state is of another model: %s '%s'", which, name);
}

/* Orders are checked when the equations are those of the state. */
static taut_status check_orders(const taut_simulation *s, const taut_state *state,
                                taut_errors *errors) {
    /* a contact that holds an angle raises its order */
    const bool modes = taut_contacts_are_there(s->prepared->problem->model);
    for (int j = 0; j < s->state->n; j++) {
        const int other = find_carried(state, s->state->name[j]);
        if (taut_state_order(s->state, j) == 0 || other < 0) continue;
        const int more = taut_state_order(state, other) - taut_state_order(s->state, j);
        if (modes ? more < 0 : more != 0)
            return other_model("it has another order of", s->state->name[j], errors);
    }
    return TAUT_OK;
}

static taut_status check_variables(const taut_simulation *s, const taut_state *state,
                                   taut_errors *errors) {
    for (int j = 0; j < s->state->n; j++)
        if (taut_state_order(s->state, j) > 0 && find_carried(state, s->state->name[j]) < 0)
            return other_model("it has no value of", s->state->name[j], errors);
    for (int j = 0; j < state->n; j++)
        if (taut_state_order(state, j) > 0 && find_carried(s->state, state->name[j]) < 0)
            return other_model("this one has no variable", state->name[j], errors);
    return TAUT_OK;
}

static taut_status check_fit(const taut_simulation *s, const taut_state *state,
                             taut_errors *errors) {
    const char *word = coordinates_of(s);
    if (!*word != !*state->formulation)
        return taut_fail(errors, TAUT_ERR_CALL, "the state is of another model: %s",
                         *word ? "it is of no mechanism" : "it is of a mechanism");
    if (strcmp(state->formulation, word) != 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the state is of the formulation '%s', and this run is of '%s': choose "
                         "that one (options.formulation)",
                         state->formulation, word);
    TAUT_TRY(check_variables(s, state, errors));
    if ((s->tend - state->t) * (s->tend - s->prepared->problem->model->t0) < 0.0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the state is at t = %.17g, beyond the end of the run, %.17g: give a "
                         "later end (options.tend)",
                         state->t, s->tend);
    return TAUT_OK;
}

/* The largest correction towards the constraints, beside the largest value of its kind. */
typedef struct misfit {
    const taut_series *series;
    const taut_state *state;
    double span; /* of the run */
    double largest;
} misfit;

static double largest_of_kind(const misfit *m, int variable, int order) {
    const taut_unknown *unknown = m->series->system->unknown;
    double largest = 0.0;
    for (int j = 0; j < m->state->n; j++)
        if (unknown[j].group == unknown[variable].group && order < taut_state_order(m->state, j))
            largest = fmax(largest, fabs(*taut_state_at(m->state, j, order)));
    return largest;
}

/* At rest rates are rounding: what they are beside is a rate by which positions change in the run.
 */
static double size_of_kind(const misfit *m, int variable, int order) {
    const double size = largest_of_kind(m, variable, order);
    if (order == 0 || !(m->span > 0.0)) return size;
    return fmax(size, largest_of_kind(m, variable, 0) / pow(m->span, order));
}

static void take_correction(void *user, int stage) {
    misfit *m = user;
    const int *d = m->series->structure->offsets.d;
    for (int j = 0; j < m->state->n && stage < 0; j++) {
        const double y = fabs(m->series->y[j]);
        if (d[j] + stage < 0 || y == 0.0) continue;
        const double size = size_of_kind(m, j, d[j] + stage);
        m->largest = fmax(m->largest, size > 0.0 ? y / size : y);
    }
}

/* Same names do not make the same model: lengths may have changed. */
static taut_status check_constraints(taut_simulation *s, const taut_state *state,
                                     taut_errors *errors) {
    taut_series *series = taut_observer_series(s->observer);
    misfit m = {series, state, fabs(s->tend - s->prepared->problem->model->t0), 0.0};
    const double tol = fmax(s->options.rtol, s->options.atol);
    taut_state_write(state, series);
    const taut_status status = taut_series_settle(series, true, take_correction, &m);
    if (status == TAUT_ERR_MEMORY) return status;
    if (m.largest <= fmax(ANOTHER, ANOTHER_PER_TOL * tol)) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "the state does not satisfy the constraints of this model, by %.2g of its "
                     "size: it is of another model, or parameters have changed",
                     m.largest);
}

/* ---- setting ---- */

static bool is_same_layout(const taut_state *a, const taut_state *b) {
    if (a->n != b->n) return false;
    for (int j = 0; j < a->n; j++)
        if (a->first[j + 1] != b->first[j + 1] || strcmp(a->name[j], b->name[j]) != 0) return false;
    return true;
}

/* The i-th constraint that the state leaves out, as a number of an equation; -1: not one of these.
 */
static int left_out(const taut_prepared *p, const taut_state *state, int i) {
    const size_t length = strlen(LEFT_OUT);
    const taut_system *all = &p->full->system;
    const double number = state->mode[i].value;
    if (strncmp(state->mode[i].name, LEFT_OUT, length) != 0) return -1;
    if (!(number >= p->full->first_constraint) || !(number < all->n)) return -1;
    return strcmp(all->equation[(int)number].name, state->mode[i].name + length) == 0 ? (int)number
                                                                                      : -1;
}

/* Leaves out what the state leaves out, if that is known here. */
static taut_status adopt_choice(taut_simulation *s, const taut_state *state, taut_errors *errors) {
    taut_prepared *p = s->prepared;
    bool other = false;
    if (!p->full || state->modes != p->redundancy.drops) return TAUT_OK;
    for (int i = 0; i < state->modes; i++) {
        const int equation = left_out(p, state, i);
        if (equation < 0 || (i > 0 && equation <= left_out(p, state, i - 1))) return TAUT_OK;
        other = other || equation != p->redundancy.dropped[i];
    }
    if (!other) return TAUT_OK;
    int *dropped = TAUT_NEW_ARRAY(&p->arena, state->modes, int);
    if (!dropped) return TAUT_ERR_MEMORY;
    for (int i = 0; i < state->modes; i++) dropped[i] = left_out(p, state, i);
    p->redundancy.dropped = dropped;
    return taut_equip_adopt(s, errors);
}

static void recall(taut_simulation *s, const taut_state *state) {
    taut_recall r = {.memory = &state->run};
    if (r.memory->count != OWN + TAUT_ALARM_NUMBERS) return;
    s->good_rcond = r.memory->number[7];
    if (!s->adapts) return;
    s->adapts = taut_recall_get(&r) != 0.0;
    s->changes = taut_recall_whole(&r, 0, 1000000000);
    s->waited = taut_recall_whole(&r, 0, 1000000000);
    s->stint.t = taut_recall_get(&r);
    s->stint.h = taut_recall_get(&r);
    s->stint.steps = taut_recall_whole(&r, 0, 1000000000);
    s->stint.pause = taut_recall_whole(&r, 0, 1000000000);
}

/* The accounts begin anew with the state. */
static void begin_accounts(taut_simulation *s, double t) {
    s->t0 = s->time = t;
    s->row_time = (double)NAN;
    s->stopped = TAUT_OK;
    taut_alarm_start(s);
    s->largest_drift = s->largest_kinetic = 0.0;
    s->stats.constraint_residual = 0.0;
    taut_string_release(&s->moves);
}

/* A changed copy of the state, without memory, in the simulation's own. */
static taut_status alter(taut_simulation *s, const taut_state *state, const taut_state **changed) {
    taut_state_forget(s->state);
    taut_state_take(s->state, state);
    *changed = s->state;
    return s->alteration->alter(s->alteration->user, s->state, taut_observer_series(s->observer));
}

static taut_status resume(taut_simulation *s, const taut_state *state, taut_errors *errors) {
    TAUT_TRY(taut_contacts_use_base(s));
    TAUT_TRY(check_fit(s, state, errors));
    if (s->adapts) TAUT_TRY(taut_adapt_use(s, strcmp(state->method, "ho") == 0));
    TAUT_TRY(adopt_choice(s, state, errors));
    const taut_state *given = state;
    TAUT_TRY(take_discretes(s, given));
    TAUT_TRY(taut_loose_resume(s, given, errors));
    TAUT_TRY(check_orders(s, given, errors));
    if (!is_same_layout(s->state, state) || taut_contacts_are_there(s->prepared->problem->model)) {
        /* values alone: memory is of its own equations, those of its modes */
        taut_state_forget(s->state);
        taut_state_take(s->state, state);
        state = s->state;
    }
    TAUT_TRY(taut_happen_suit(s, state, errors));
    TAUT_TRY(check_constraints(s, state, errors));
    const double t = state->t;
    if (s->alteration) TAUT_TRY(alter(s, state, &state));
    TAUT_TRY(taut_equip_begin(s, state, errors));
    recall(s, state);
    begin_accounts(s, t);
    if (state->run.count == OWN + TAUT_ALARM_NUMBERS)
        taut_alarm_recall(&s->alarm, state->run.number + OWN);
    TAUT_TRY(taut_happen_begin(s, given, errors));
    return taut_simulation_supervise(s);
}

taut_status taut_simulation_set_state(taut_simulation *s, const taut_state *state,
                                      taut_errors *errors) {
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(state, "state", errors);
    if (!s->name || s->stale || s->waits) TAUT_TRY(taut_simulation_start(s, errors));
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_START);
    const taut_status status = resume(s, state, errors);
    taut_count_for(s->watch, before);
    if (status != TAUT_OK) s->name = NULL; /* neither here nor there: to be started again */
    if (status != TAUT_OK) s->columns = 0;
    return status;
}
