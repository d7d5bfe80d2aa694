/* Which modes hold at the start: of contacts, friction, locks and what may let go, as a run finds
 * them. */
#include "task/analyze.h"
#include "task/resolve.h"
#include "taut/simulation.h"

/* A mode in words. */
static const char *words_of(const taut_model_contact *c, int mode) {
    const bool open = mode == TAUT_TOUCH_OPEN;
    if (c->breaks) return open ? "loose" : "engaged";
    if (c->gate != TAUT_NO_NODE)
        return open                      ? "free"
               : mode == TAUT_TOUCH_UP   ? "slips up"
               : mode == TAUT_TOUCH_DOWN ? "slips down"
                                         : "locked";
    if (open) return c->gap == TAUT_NO_NODE ? "without load" : "open";
    if (c->along[0] == TAUT_NO_NODE || mode == TAUT_TOUCH_IDLE) return "closed";
    const bool slides = mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN ||
                        mode == TAUT_TOUCH_START || mode == TAUT_TOUCH_LINE;
    if (!slides) return "sticks";
    if (c->along[1] != TAUT_NO_NODE) return "slides"; /* in space there is no up and down */
    return mode == TAUT_TOUCH_UP ? "slides up" : "slides down";
}

/* Where there is no start, or a run is not possible, others say why. */
taut_status taut_analysis_modes(const taut_model *model, const char *formulation,
                                taut_analysis *a) {
    taut_run_options o = taut_run_options_default();
    taut_simulation *s = NULL;
    o.formulation = formulation;
    o.has_tend = true;
    o.tend = model->t0 + 1.0;
    if (!taut_contacts_are_there(model)) return TAUT_OK;
    taut_status status = taut_simulation_create(model, &o, &s, NULL);
    if (status == TAUT_OK) status = taut_simulation_start(s, NULL);
    if (status == TAUT_OK && s->contacts) {
        a->mode = TAUT_NEW_ARRAY(&a->arena, model->contacts, const char *);
        if (!a->mode) status = TAUT_ERR_MEMORY;
        for (int i = 0; i < model->contacts && a->mode; i++)
            a->mode[i] = words_of(&model->contact[i], s->contacts->course[i].mode);
    }
    taut_simulation_free(&s);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}
