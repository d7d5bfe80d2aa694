/* What sticks because joints and drivers hold it still has no friction, as long as that lasts. When
 * drivers move it from rest, with no acceleration at first, no event tells: it is looked for. */
#include <math.h>

#include "task/happen_parts.h"

static const double MOVED = 1e-7; /* of the largest coordinate: rounding is far below */

taut_status taut_contacts_check_held(taut_simulation *s, taut_errors *errors) {
    const taut_contacts *c = s->contacts;
    const taut_happen *h = s->happen;
    const taut_problem *p = s->prepared->problem;
    const double *number = taut_numbers_in_use(s);
    bool settled = false;
    for (int i = 0; c && number && i < c->count; i++) {
        const taut_model_contact *x = &p->model->contact[i];
        if (c->course[i].mode <= TAUT_TOUCH_HELD || x->rates || x->breaks) continue;
        if (p->contact[i].normal) continue; /* contacts hold each other, for a while */
        if (!settled) {
            taut_happen_take_values(s, s->stepper->t);
            TAUT_TRY(taut_happen_settle(s, false, errors));
        }
        settled = true;
        double size = 0.0, off = 0.0;
        for (int j = 0; j < p->coordinates; j++)
            size = fmax(size, fabs(*taut_state_at(h->state, j, 0)));
        for (int k = 0; k < p->contact[i].ways; k++) {
            const taut_contact_part part = (taut_contact_part)(TAUT_CONTACT_ALONG + k);
            off =
                fmax(off, fabs(taut_contact_value(s, h->series, i, part, 0) - number[x->held[k]]));
        }
        if (off > MOVED * size)
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, x->place,
                                "up to t = %.10g what held '%s' still has moved it away: friction "
                                "cannot tell when that began; let it set off with an acceleration",
                                s->stepper->t, x->element);
    }
    return TAUT_OK;
}
