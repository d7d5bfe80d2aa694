/* Linearisations at points of a run (docs/math/linearisation.md): the call, its times, and the
 * simulation that goes from one to the next. */
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "task/allowance.h"
#include "task/linear_parts.h"
#include "task/options.h"

enum {
    COOKIE = 0x7a0720,
    MOST_POINTS = 100000 /* of one call */
};

taut_linear_options taut_linear_options_default(void) {
    return (taut_linear_options){.cookie = COOKIE};
}

static taut_status check_times(const taut_linear_job *j) {
    const taut_simulation *s = j->simulation;
    const double sign = s->tend < s->t0 ? -1.0 : 1.0;
    for (int i = 0; i < j->run->ats; i++) {
        const double t = j->run->at[i];
        if (!(sign * (t - s->t0) >= 0.0) || !(sign * (s->tend - t) >= 0.0))
            return taut_fail(j->errors, TAUT_ERR_CALL,
                             "options.at = %.17g is outside the time span from %.17g to %.17g", t,
                             s->t0, s->tend);
        if (i > 0 && !(sign * (t - j->run->at[i - 1]) > 0.0))
            return taut_fail(j->errors, TAUT_ERR_CALL,
                             "the times of options.at must be in ascending order: %.17g follows "
                             "%.17g",
                             t, j->run->at[i - 1]);
    }
    return TAUT_OK;
}

/* Times of options.every: equidistant, both ends included if they fit; 0: it is not asked for. */
static int regular_times(const taut_linear_job *j) {
    const double span = fabs(j->simulation->tend - j->simulation->t0);
    if (j->run->ats > 0 || !(j->run->every > 0.0)) return 0;
    const double count = floor(span / j->run->every * (1.0 + 1e-12)) + 1.0;
    return count <= MOST_POINTS ? (int)count : -1;
}

static double time_of(const taut_linear_job *j, int i) {
    const taut_simulation *s = j->simulation;
    if (j->run->ats > 0) return j->run->at[i];
    const double t = s->t0 + (s->tend < s->t0 ? -1.0 : 1.0) * (double)i * j->run->every;
    return s->tend < s->t0 ? fmax(t, s->tend) : fmin(t, s->tend);
}

static taut_status do_points(taut_linear_job *j) {
    taut_simulation *s = j->simulation;
    const int regular = regular_times(j), given = regular ? regular : j->run->ats;
    const int points = given > 0 ? given : 1;
    if (regular < 0)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.every = %g: that are more than %d linearisations", j->run->every,
                         (int)MOST_POINTS);
    j->linear->point = TAUT_NEW_ARRAY(&j->linear->arena, points, taut_linear_point);
    if (!j->linear->point) return TAUT_ERR_MEMORY;
    const double n = s->prepared->problem->system.n;
    TAUT_TRY(taut_bounds_check("the matrices of all points", points * n, n, j->errors));
    for (int i = 0; i < points; i++) {
        TAUT_TRY(taut_bounds_ask());
        const double t = given > 0 ? time_of(j, i) : taut_simulation_time(s);
        if (given > 0) TAUT_TRY(taut_simulation_run_to(s, t, j->errors));
        TAUT_TRY(taut_linear_do_point(j, t, &j->linear->point[i]));
        j->linear->points++;
    }
    return TAUT_OK;
}

static taut_status perform(taut_linear_job *j, const taut_model *model) {
    const char **driver;
    int drivers;
    TAUT_TRY(taut_linear_drivers(model, j->options->inputs, &j->linear->arena, &driver, &drivers));
    const taut_variation variation = {.initial = model->initial,
                                      .initials = model->initials,
                                      .keep_inputs = true,
                                      .driver_input = driver,
                                      .driver_inputs = drivers};
    TAUT_TRY(taut_model_vary(model, &variation, &j->model, j->errors));
    TAUT_TRY(taut_linear_inputs_list(j->model, j->options->inputs, &j->linear->arena, &j->in,
                                     j->errors));
    taut_run_options own = *j->run;
    own.reactions = j->options->outputs && strchr(j->options->outputs, '.') &&
                    j->model->kind == TAUT_MODEL_MECHANISM; /* names of reactions have a point */
    TAUT_TRY(taut_simulation_make(j->model, &own, false, &j->simulation, j->errors));
    if (j->simulation->plan.stabilizing != TAUT_BY_PROJECTION)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "constraints that decay are not those of the mechanism: linearise with "
                         "options.stabilize = \"projection\"");
    if (j->run->from)
        TAUT_TRY(taut_simulation_set_state(j->simulation, j->run->from, j->errors));
    else
        TAUT_TRY(taut_simulation_start(j->simulation, j->errors));
    TAUT_TRY(check_times(j));
    return do_points(j);
}

taut_status taut_linearize(const taut_model *model, const taut_run_options *options,
                           const taut_linear_options *linear, taut_linear **result,
                           taut_errors *errors) {
    const taut_run_options usual = taut_run_options_default();
    const taut_linear_options plain = taut_linear_options_default();
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    TAUT_NEED(model, "model", errors);
    if (options) TAUT_TRY(taut_options_check_cookie(options, errors));
    if (linear && linear->cookie != COOKIE)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the options have not been filled: begin with "
                         "taut_linear_options_default()");
    taut_linear_job j = {.options = linear ? linear : &plain,
                         .run = options ? options : &usual,
                         .errors = errors,
                         .linear = taut_new(sizeof(taut_linear))};
    if (!j.linear) return TAUT_ERR_MEMORY;
    taut_allowance allowance;
    taut_allowance_begin(&allowance, j.run);
    const taut_status status = taut_allowance_end(&allowance, perform(&j, model), errors);
    taut_linear_release_spot(&j);
    taut_simulation_free(&j.simulation);
    taut_model_free(&j.model);
    if (status == TAUT_OK)
        *result = j.linear;
    else
        taut_linear_free(&j.linear);
    return status;
}

void taut_linear_free(taut_linear **linear) {
    if (!linear || !*linear) return;
    taut_arena_release(&(*linear)->arena);
    taut_release((void **)linear);
}

int taut_linear_points(const taut_linear *l) { return l ? l->points : 0; }

const taut_linear_point *taut_linear_at(const taut_linear *l, int k) {
    return l && k >= 0 && k < l->points ? &l->point[k] : NULL;
}
