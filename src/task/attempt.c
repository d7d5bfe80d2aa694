/* The end of a start that failed. */
#include <math.h>

#include "taut/page.h"
#include "task/result.h"
#include "task/simulation.h"

static taut_status observe(taut_simulation *s, taut_result **result) {
    TAUT_TRY(taut_result_create(taut_observer_columns(s->observer), result));
    TAUT_TRY(taut_result_label(*result, s->observer));
    taut_result *r = *result;
    double *row = taut_result_add_row(r);
    if (!row) return TAUT_ERR_MEMORY;
    taut_observer_look(s->observer, s->t0, row);
    r->attempt = true;
    r->stats = *taut_simulation_stats(s);
    return taut_describe(s->prepared->problem, &r->arena, &r->description);
}

taut_status taut_attempt(const taut_model *model, const taut_run_options *options,
                         taut_result **result) {
    taut_simulation *s;
    TAUT_NEED(result, "result", NULL);
    *result = NULL;
    TAUT_TRY(taut_simulation_create(model, options, &s, NULL));
    taut_status status = taut_simulation_start(s, NULL);
    if (status == TAUT_ERR_INPUT && s->observer) {
        status = observe(s, result);
        if (status != TAUT_OK) taut_result_free(result);
    }
    taut_simulation_free(&s);
    return status;
}
