/* Joints and drivers that let go in a run, and are engaged again: which equations hold, and what
 * the list of events says of it (docs/math/loads.md, section 3). */
#include <math.h>

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
    for (int i = 0; i < m->contacts; i++) {
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

taut_status taut_loose_follow(taut_simulation *s, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    const taut_model *m = model_of(s);
    taut_mode_set *before = c->now;
    bool other = false;
    for (int i = 0; i < c->count; i++) {
        c->mode[i] = taut_contact_first_mode(&m->contact[i]);
        if (!m->contact[i].breaks) continue;
        if (!is_engaged(s, i) || c->course[i].mode == TAUT_TOUCH_OPEN) c->mode[i] = TAUT_TOUCH_OPEN;
        other = other || c->mode[i] != c->base->mode[i];
    }
    if (!other) return TAUT_OK;
    const taut_status status = taut_contacts_use(s, c->mode, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK) return refuse(s, c->mode, errors);
    c->base = c->now;
    if (c->now != before) taut_state_take(s->happen->state, before->place);
    return TAUT_OK;
}

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

taut_status taut_loose_list(taut_simulation *s, int i, bool engaged) {
    if (model_of(s)->contact[i].part > 0) return TAUT_OK;
    TAUT_TRY(taut_contacts_list(s, i, engaged ? "lock" : "break", 0.0));
    return engaged ? tell_place(s, i) : TAUT_OK;
}
