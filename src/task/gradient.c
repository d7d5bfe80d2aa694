/* The gradient of a run's results at the model's own values. */
#include <string.h>

#include "model/model.h"
#include "task/allowance.h"
#include "task/gradients.h"
#include "task/options.h"
#include "task/slope.h"

enum { COOKIE = 0x62ad };

taut_gradient_options taut_gradient_options_default(void) {
    return (taut_gradient_options){.cookie = COOKIE, .run = taut_run_options_default()};
}

static taut_status check_options(const taut_gradient_options *o, taut_errors *errors) {
    if (o->cookie != COOKIE)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "the options have not been filled: begin with taut_gradient_options_default()");
    TAUT_TRY(taut_options_check_cookie(&o->run, errors));
    if (o->results < 1 || !o->result || o->names < 1 || !o->name)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options: a gradient is of results, by names: give both lists");
    for (int i = 0; i < o->results; i++)
        if (!o->result[i])
            return taut_fail(errors, TAUT_ERR_CALL, "options.result: one of them is NULL");
    for (int i = 0; i < o->names; i++)
        if (!o->name[i])
            return taut_fail(errors, TAUT_ERR_CALL, "options.name: one of them is NULL");
    if (o->method && strcmp(o->method, "forward") != 0 && strcmp(o->method, "adjoint") != 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.method = \"%s\": there are forward and adjoint", o->method);
    return TAUT_OK;
}

static taut_status read_figures(const taut_gradient_options *o, taut_arena *arena,
                                taut_figure *figure, taut_errors *errors) {
    for (int i = 0; i < o->results; i++) {
        const taut_report report = {NULL, o->result[i]};
        TAUT_TRY(taut_figure_read(&report, arena, &figure[i], errors));
        if (!taut_slope_knows(&figure[i]))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "options.result: %s has no derivative that a run could carry",
                             figure[i].name);
    }
    return TAUT_OK;
}

/* By one of the two ways. */
static taut_status find(const taut_tryout_order *order, double *value, double *derivative,
                        taut_errors *errors) {
    taut_tryout *tryout = NULL;
    TAUT_TRY(taut_tryout_create(order, &tryout, errors));
    taut_status status = taut_tryout_start(tryout, NULL, errors);
    if (status == TAUT_OK) status = taut_tryout_check(tryout, NULL, errors);
    if (status == TAUT_OK) status = taut_tryout_slopes(tryout, NULL, value, derivative, errors);
    taut_tryout_free(&tryout);
    return status;
}

static taut_status work(const taut_model *model, const taut_gradient_options *o, taut_arena *arena,
                        double *value, double *derivative, taut_errors *errors) {
    taut_run_options run = o->run;
    taut_figure *figure = TAUT_NEW_ARRAY(arena, o->results, taut_figure);
    if (!figure || !(run.sensitivity = taut_arena_join(arena, o->name, o->names)))
        return TAUT_ERR_MEMORY;
    if (strcmp(run.solver, "auto") == 0) run.solver = "taylor";
    TAUT_TRY(read_figures(o, arena, figure, errors));
    taut_figures_ask(figure, o->results, &run);
    taut_tryout_order order = {.model = model,
                               .run = &run,
                               .name = o->name,
                               .names = o->names,
                               .figure = figure,
                               .figures = o->results};
    order.back = o->method ? strcmp(o->method, "adjoint") == 0
                           : taut_gradients_prefer_adjoints(o->results, o->names);
    if (o->method || !order.back) return find(&order, value, derivative, errors);
    const taut_status status = find(&order, value, derivative, NULL);
    if (status == TAUT_OK || status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED) return status;
    order.back = false; /* a singular position, or a fault, for which it has the words */
    return find(&order, value, derivative, errors);
}

taut_status taut_gradient_find(const taut_model *model, const taut_gradient_options *options,
                               double *value, double *derivative, taut_errors *errors) {
    taut_arena arena = {0};
    TAUT_NEED(model, "model", errors);
    TAUT_NEED(options, "options", errors);
    TAUT_NEED(value, "value", errors);
    TAUT_NEED(derivative, "derivative", errors);
    TAUT_TRY(check_options(options, errors));
    taut_allowance allowance;
    taut_allowance_begin(&allowance, &options->run);
    const taut_status status = taut_allowance_end(
        &allowance, work(model, options, &arena, value, derivative, errors), errors);
    taut_arena_release(&arena);
    return status;
}
