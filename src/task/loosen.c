/* Joints and drivers that let go in a run, and are engaged again: which equations hold, and what
 * the list of events says of it (docs/math/loads.md, section 3). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task/resolve.h"

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

static int gate_of(const taut_model *m, int i) {
    return taut_node_get(m->graph, m->contact[i].gate)->index;
}

/* Is it engaged, as the events have it? */
static bool is_engaged(const taut_simulation *s, int i) {
    return taut_contacts_numbers(s)[gate_of(model_of(s), i)] > 0.5;
}

taut_status taut_loose_begin(taut_simulation *s) {
    const taut_model *m = model_of(s);
    const bool resumed = s->contacts->resumed;
    s->contacts->resumed = false;
    for (int i = 0; i < m->contacts && !resumed; i++) {
        const taut_model_contact *c = &m->contact[i];
        if (!c->breaks || c->part > 0) continue;
        const double engaged = s->happen->course[c->letting].truth ? 0.0 : 1.0;
        const int gate = gate_of(m, i);
        TAUT_TRY(taut_contacts_assign(s, &gate, &engaged, 1));
        for (int k = 0; k < c->parts; k++) {
            const double zero = 0.0;
            TAUT_TRY(taut_contacts_assign(s, c[k].held, &zero, 1));
        }
    }
    return TAUT_OK;
}

bool taut_loose_engages(const taut_simulation *s, int i) {
    return is_engaged(s, i) && s->contacts->base->mode[i] == TAUT_TOUCH_OPEN;
}

/* The first element whose mode is another one, for a message. */
static taut_status refuse(const taut_simulation *s, const int *mode, taut_errors *errors) {
    const taut_model *m = model_of(s);
    int i = 0;
    while (i < m->contacts - 1 && s->contacts->base->mode[i] == mode[i]) i++;
    return taut_fail_at(
        errors, TAUT_ERR_NUMERICS, m->contact[i].place,
        "at t = %.10g '%s' lets go, and what is left does not determine the motion: "
        "a part without mass may be loose",
        s->happen->time, m->contact[i].element);
}

/* ---- what others hold as well ---- */

bool taut_loose_shares(const taut_simulation *s) {
    const taut_contacts *c = s->contacts;
    for (int i = 0; c && i < c->count; i++)
        if (c->base->mode[i] == TAUT_TOUCH_IDLE) return true;
    return false;
}

/* May joints that let go hold what others do? They do so at the start, or did when they were
 * engaged. */
static bool may_share(const taut_simulation *s) {
    const taut_model *m = model_of(s);
    const taut_contacts *c = s->contacts;
    bool may = c->home->prepared->idles > 0;
    for (int i = 0; i < c->count; i++)
        may = may || (m->contact[i].breaks && c->course[i].mode >= TAUT_TOUCH_IDLE);
    return may;
}

/* Positions and velocities, as far as a state has them. */
static taut_status read_motion(const taut_state *state, int count, taut_arena *arena,
                               taut_motion *motion) {
    double *x = TAUT_NEW_ARRAY(arena, 2 * (size_t)count, double);
    if (!x) return TAUT_ERR_MEMORY;
    for (int j = 0; j < count; j++)
        for (int k = 0; k < 2 && k <= taut_state_order(state, j); k++)
            x[k * count + j] = *taut_state_at(state, j, k);
    *motion = (taut_motion){state->t, x, x + count};
    return TAUT_OK;
}

/* Of what is closed in these modes, equations that others imply where the event is become idle; by
 * equations of its own, since others may use those of the simulation. */
static taut_status share(const taut_simulation *s, const bool *late, int *mode,
                         taut_errors *errors) {
    const taut_prepared *home = s->contacts->home->prepared;
    taut_forming forming = home->forming;
    taut_arena arena = {0};
    taut_problem *problem = NULL;
    taut_motion motion;
    int idles;
    forming.mode = NULL;
    taut_status status = taut_problem_create_by(home->model, &forming, &problem, errors);
    if (status == TAUT_OK)
        status = read_motion(s->happen->state, problem->first_constraint, &arena, &motion);
    const taut_sharing sharing = {&motion, taut_contacts_numbers(s), late, mode};
    if (status == TAUT_OK) status = taut_prepare_share(problem, &sharing, &arena, &idles, errors);
    taut_problem_free(&problem);
    taut_arena_release(&arena);
    return status;
}

/* How such joints share their load is told once. */
static taut_status tell_shared(taut_simulation *s) {
    const taut_model *m = model_of(s);
    taut_contacts *c = s->contacts;
    for (int i = 0; i < c->count; i++) {
        const taut_model_contact *x = &m->contact[i];
        if (c->base->mode[i] != TAUT_TOUCH_IDLE) continue;
        taut_contact_course *first = &c->course[i - x->part];
        if (first->told) continue;
        first->told = true;
        TAUT_TRY(taut_notebook_remark(&s->notebook,
                                      "at t = %.6g other joints hold what '%s' holds as well: the "
                                      "motion is determined, but not how they share the load "
                                      "(%s.N is one of many possibilities)",
                                      s->happen->time, x->element, x->element));
    }
    return TAUT_OK;
}

taut_status taut_loose_follow(taut_simulation *s, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    const taut_model *m = model_of(s);
    taut_mode_set *before = c->now;
    bool other = false;
    for (int i = 0; i < c->count; i++) {
        c->mode[i] = taut_contact_first_mode(&m->contact[i]);
        if (!m->contact[i].breaks) continue;
        if (!is_engaged(s, i) || c->course[i].mode == TAUT_TOUCH_OPEN) c->mode[i] = TAUT_TOUCH_OPEN;
        other = other || (c->mode[i] == TAUT_TOUCH_OPEN) != (c->base->mode[i] == TAUT_TOUCH_OPEN);
    }
    if (!other) return tell_shared(s);
    if (may_share(s)) TAUT_TRY(share(s, NULL, c->mode, errors));
    const taut_status status = taut_contacts_use(s, c->mode, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK) return refuse(s, c->mode, errors);
    c->base = c->now;
    if (c->now != before) taut_state_take(s->happen->state, before->place);
    return tell_shared(s);
}

/* What is engaged at this instant and held by others already needs no impulse. */
static taut_status find_late(taut_simulation *s, bool *late, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    bool any = false;
    for (int i = 0; i < c->count; i++) {
        c->course[i].idle = false;
        c->mode[i] = c->base->mode[i];
        late[i] = model_of(s)->contact[i].breaks && taut_loose_engages(s, i);
        if (late[i]) c->mode[i] = TAUT_TOUCH_CLOSED;
        any = any || late[i];
    }
    if (!any || !may_share(s)) return TAUT_OK;
    TAUT_TRY(share(s, late, c->mode, errors));
    for (int i = 0; i < c->count; i++) c->course[i].idle = late[i] && c->mode[i] == TAUT_TOUCH_IDLE;
    return TAUT_OK;
}

taut_status taut_loose_engage(taut_simulation *s, taut_errors *errors) {
    taut_arena arena = {0};
    bool *late = TAUT_NEW_ARRAY(&arena, s->contacts->count, bool);
    const taut_status status = late ? find_late(s, late, errors) : TAUT_ERR_MEMORY;
    taut_arena_release(&arena);
    return status;
}

taut_status taut_loose_rest(taut_simulation *s, const taut_touching *t) {
    const taut_model *m = model_of(s);
    taut_contacts *c = s->contacts;
    for (int i = 0; i < c->count; i++) {
        if (!c->course[i].idle) continue;
        const double place = taut_contact_value(s, t->series, i, TAUT_CONTACT_ALONG, 0);
        c->mode[i] = TAUT_TOUCH_IDLE;
        c->course[i].idle = false;
        TAUT_TRY(taut_contacts_assign(s, m->contact[i].held, &place, 1));
    }
    return TAUT_OK;
}

/* Goes over to these modes of what may let go, mode[count], with the contacts as they are; c->mode
 * is work space. */
static taut_status exchange(taut_simulation *s, const int *mode, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    const taut_model *m = model_of(s);
    taut_mode_set *before = c->now;
    TAUT_TRY(taut_contacts_use(s, mode, errors));
    c->base = c->now;
    for (int i = 0; i < c->count; i++)
        c->mode[i] = m->contact[i].breaks ? mode[i] : before->mode[i];
    TAUT_TRY(taut_contacts_use(s, c->mode, errors));
    for (int i = 0; i < c->count; i++) c->course[i].mode = c->mode[i];
    taut_state_take(s->happen->state, before->place);
    TAUT_TRY(taut_happen_settle(s, true, errors));
    taut_state_forget(s->state);
    taut_state_take(s->state, s->happen->state);
    s->state->continued = true;
    const taut_status status = taut_equip_begin(s, s->state, errors);
    s->state->continued = false;
    return status;
}

taut_status taut_loose_renew(taut_simulation *s, bool *changed, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    const taut_model *m = model_of(s);
    taut_arena arena = {0};
    int *mode = TAUT_NEW_ARRAY(&arena, c->count, int);
    taut_status status = mode ? TAUT_OK : TAUT_ERR_MEMORY;
    *changed = false;
    taut_stepper_point(s->stepper, s->happen->state);
    for (int i = 0; i < c->count && mode; i++) {
        const bool idle = m->contact[i].breaks && c->base->mode[i] == TAUT_TOUCH_IDLE;
        mode[i] = idle ? TAUT_TOUCH_CLOSED : c->base->mode[i];
    }
    if (status == TAUT_OK) status = share(s, NULL, mode, errors);
    for (int i = 0; i < c->count && status == TAUT_OK; i++)
        *changed = *changed || mode[i] != c->base->mode[i];
    if (status == TAUT_OK && *changed) status = exchange(s, mode, errors);
    taut_arena_release(&arena);
    return status;
}

/* ---- states of runs that go on ---- */

static void name_place(const taut_model_contact *c, size_t size, char *name) {
    snprintf(name, size, "%s.place%d", c->element, c->part + 1);
}

taut_status taut_loose_note(const taut_simulation *s, int i, taut_arena *arena,
                            taut_state_number *place) {
    const taut_model_contact *c = &model_of(s)->contact[i];
    char name[TAUT_NAME_MAX + 20];
    name_place(c, sizeof name, name);
    place->name = taut_arena_copy(arena, name, strlen(name));
    place->value = taut_contacts_numbers(s)[c->held[0]];
    return place->name ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Where element i holds. */
static taut_status take_place(taut_simulation *s, int i, const taut_state *state) {
    const taut_model_contact *c = &model_of(s)->contact[i];
    char name[TAUT_NAME_MAX + 20];
    name_place(c, sizeof name, name);
    for (int k = 0; k < state->discretes; k++)
        if (strcmp(state->discrete[k].name, name) == 0)
            TAUT_TRY(taut_contacts_assign(s, &c->held[0], &state->discrete[k].value, 1));
    return TAUT_OK;
}

taut_status taut_loose_resume(taut_simulation *s, const taut_state *state, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_contacts *c = s->contacts;
    bool loose = false;
    for (int i = 0; c && i < c->count; i++) {
        if (!m->contact[i].breaks) continue;
        TAUT_TRY(take_place(s, i, state));
        c->resumed = true;
        c->course[i].mode = is_engaged(s, i) ? c->home->mode[i] : TAUT_TOUCH_OPEN;
        loose = loose || c->course[i].mode == TAUT_TOUCH_OPEN;
    }
    if (!loose) return TAUT_OK;
    taut_state_take(s->happen->state, state);
    s->happen->time = s->happen->state->t = state->t;
    return taut_loose_follow(s, errors);
}

/* ---- the list of events ---- */

double taut_loose_impulse(const taut_simulation *s, int i, const double *T) {
    const taut_model_contact *c = &model_of(s)->contact[i];
    double force = 0.0, torque = 0.0;
    bool forces = false;
    for (int k = 0; k < c->parts; k++) {
        if (c[k].torque)
            torque = hypot(torque, T[i + k]);
        else
            force = hypot(force, T[i + k]);
        forces = forces || !c[k].torque;
    }
    return forces ? force : torque;
}

/* What is engaged away from its place holds there. */
static taut_status tell_place(taut_simulation *s, int i) {
    const taut_model_contact *c = &model_of(s)->contact[i];
    const double *number = taut_contacts_numbers(s);
    const double tol = fmax(s->options.rtol, s->options.atol);
    double off = 0.0;
    for (int k = 0; k < c->parts; k++) off = fmax(off, fabs(number[c[k].held[0]]));
    if (!(off > 1e3 * tol)) return TAUT_OK;
    taut_string_add(&s->switched,
                    "t = %.6g: '%s' is engaged %.3g away from its place, and holds there\n",
                    s->happen->time, c->element, off);
    return s->switched.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_loose_list(taut_simulation *s, int i, int from, int to) {
    const bool engaged = to != TAUT_TOUCH_OPEN;
    if (model_of(s)->contact[i].part > 0 || engaged == (from != TAUT_TOUCH_OPEN)) return TAUT_OK;
    TAUT_TRY(taut_contacts_list(s, i, engaged ? "lock" : "break", 0.0));
    return engaged ? tell_place(s, i) : TAUT_OK;
}
