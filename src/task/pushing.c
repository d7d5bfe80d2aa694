/* Friction whose formula has become negative would push what slides: looked for behind each step.
 */
#include <math.h>

#include "task/happen_parts.h"

static const double LEAST = 1e-9; /* beside the forces at work, or 1 of coefficients: no rounding */

/* The formula that gives the friction of contact i in its mode; -1: it does not slide, or friction
 * cannot change its sign. */
static int part_of(const taut_problem *p, const taut_contact_course *course, int i) {
    const taut_formed_contact *x = &p->contact[i];
    const int mode = course->mode;
    if (!x->rough || !x->rigid || mode == TAUT_TOUCH_OPEN || taut_mode_is_stuck(mode)) return -1;
    const taut_contact_part part =
        mode == TAUT_TOUCH_DOWN ? TAUT_CONTACT_SLIP_DOWN : TAUT_CONTACT_SLIP_UP;
    return taut_node_get(p->graph, x->part[part])->steady ? -1 : (int)part;
}

static double size_of_forces(const taut_series *x) {
    double size = 0.0;
    for (int j = 0; j < x->system->n; j++)
        if (x->structure->offsets.d[j] == 0) size = fmax(size, fabs(taut_series_get(x, j, 0)));
    return size;
}

taut_status taut_contacts_check_pushing(taut_simulation *s, taut_errors *errors) {
    const taut_contacts *c = s->contacts;
    const taut_happen *h = s->happen;
    const taut_problem *p = s->prepared->problem;
    bool settled = false;
    for (int i = 0; c && i < c->count; i++) {
        const taut_model_contact *x = &p->model->contact[i];
        const int part = part_of(p, &c->course[i], i);
        if (part < 0) continue;
        if (!settled) {
            taut_happen_take_values(s, s->stepper->t);
            TAUT_TRY(taut_happen_settle(s, false, errors));
        }
        settled = true;
        const double value = taut_contact_value(s, h->series, i, (taut_contact_part)part, 0);
        const bool ratio = p->contact[i].normal || p->contact[i].loads > 0;
        if (value < -LEAST * (ratio ? 1.0 : size_of_forces(h->series)))
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, x->place,
                                "up to t = %.10g the friction of '%s' has become negative (%.4g), "
                                "so it would push: give a formula that is never below 0",
                                s->stepper->t, x->element, value);
    }
    return TAUT_OK;
}
