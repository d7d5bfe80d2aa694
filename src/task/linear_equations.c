/* Variational equations for a linearisation: functions for what is asked for by name, and the
 * directions in which they vary at a point. */
#include <limits.h>
#include <string.h>

#include "core/text.h"
#include "task/linear_parts.h"

static const char *default_outputs(const taut_linear_job *j, taut_arena *arena) {
    taut_string list = {0};
    const taut_model *m = j->model;
    if (j->options->outputs) return j->options->outputs;
    for (int i = 0; i < m->outputs.count; i++)
        taut_string_add(&list, "%s%s", i ? "," : "", m->outputs.item[i].name);
    const char *copy =
        list.failed ? NULL : taut_arena_copy(arena, list.text ? list.text : "", list.length);
    taut_string_release(&list);
    return copy;
}

/* Picks for everything that is asked for by name. */
static taut_status pick_all(const taut_linear_job *j, taut_linear_spot *s) {
    const taut_prepared *p = j->simulation->prepared;
    const char *outputs = default_outputs(j, &s->arena);
    const char *states = j->states ? j->states : j->options->states;
    taut_catalogue *c = &s->catalogue;
    if (!outputs) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_catalogue_create(p->problem, &p->structure, &s->arena, c));
    if (!j->options->states || strstr(j->options->states, ".turn"))
        TAUT_TRY(taut_catalogue_add_turns(c, p->problem, &p->structure));
    TAUT_TRY(taut_catalogue_read(c, outputs, "outputs", 0, false, &s->outputs, j->errors));
    if (j->options->shapes && j->model->kind == TAUT_MODEL_MECHANISM)
        TAUT_TRY(taut_catalogue_elements(c, &s->shapes));
    if (j->options->redundant)
        TAUT_TRY(taut_catalogue_unknowns(c, &p->problem->system, &s->unknowns));
    if (states)
        TAUT_TRY(taut_catalogue_read(c, states, "states", 1, true, &s->states, j->errors));
    else
        TAUT_TRY(taut_catalogue_candidates(c, &s->states));
    s->candidates = s->states;
    for (int i = 0; i < c->count; i++) /* values of drivers that are inputs */
        for (int u = 0; u < j->in.count; u++)
            if (j->in.order[u] == 0 && strcmp(c->item[i].name, j->in.name[u]) == 0 &&
                c->item[i].level < 2)
                c->item[i].level = 2;
    return TAUT_OK;
}

/* Functions for all picks, for what reactions are made of, and for boundaries of kinks. */
static taut_status add_functions(taut_linear_spot *s, const taut_problem *problem,
                                 taut_variational_order *order) {
    const bool reacts = taut_picks_react(&s->catalogue, &s->outputs);
    const int boundaries = taut_linear_boundaries(problem->model);
    const int most =
        s->catalogue.count + (reacts ? 3 * problem->reactions->vectors : 0) + boundaries;
    taut_node *function = TAUT_NEW_ARRAY(&s->arena, most, taut_node);
    int *level = TAUT_NEW_ARRAY(&s->arena, most, int), functions = 0;
    int *offset = TAUT_NEW_ARRAY(&s->arena, most, int);
    if (!function || !level || !offset) return TAUT_ERR_MEMORY;
    for (int i = 0; i < most; i++) offset[i] = INT_MIN;
    for (int i = 0; i < s->catalogue.count; i++) {
        taut_named *q = &s->catalogue.item[i];
        if (q->level < 0 || q->reacts) continue;
        function[functions] = q->node;
        level[functions] = q->level > 1 ? q->level : 1;
        if (q->turns) offset[functions] = q->offset;
        q->slot = functions++;
    }
    if (reacts)
        TAUT_TRY(taut_linear_reactions_create(problem->reactions, &s->arena, function, level,
                                              &functions, &s->reactions));
    s->boundaries = functions;
    for (int i = 0; i < boundaries; i++) function[functions++] = taut_linear_boundary(problem, i);
    order->function = function;
    order->levels = level;
    order->offset = offset;
    order->functions = functions;
    return TAUT_OK;
}

taut_status taut_linear_set_up(taut_linear_job *j, taut_linear_spot *s) {
    const taut_prepared *p = j->simulation->prepared;
    taut_variational_order order = {
        .inputs = j->in.count, .parameters = j->model->parameters, .stages = TAUT_LINEAR_STAGES};
    taut_tie *tie;
    TAUT_TRY(pick_all(j, s));
    TAUT_TRY(add_functions(s, p->problem, &order));
    TAUT_TRY(taut_linear_ties(p->problem, &s->arena, &tie, &order.ties));
    TAUT_TRY(taut_linear_weigh(j->model, p->problem->graph, j->in.parameter, j->in.count, &s->arena,
                               &s->weight));
    order.tie = tie;
    order.weight = s->weight;
    return taut_variational_create(&p->problem->system, &p->structure, &order, &s->v);
}

taut_status taut_linear_find_directions(const taut_linear_job *j, taut_linear_spot *s,
                                        bool project) {
    taut_series *series = taut_variational_series(s->v);
    TAUT_TRY(taut_series_settle(series, project, NULL, NULL));
    taut_series_extend(series, 1, TAUT_LINEAR_STAGES);
    TAUT_TRY(taut_variational_find(s->v));
    if (!s->reactions.balance) return TAUT_OK;
    return taut_linear_reactions_find(&s->reactions, s->v, &s->catalogue, &s->outputs, &s->arena,
                                      j->errors);
}

taut_status taut_linear_go_to(const taut_linear_job *j, taut_linear_spot *s, double t,
                              const double *number) {
    taut_linear_inputs_weigh(&j->in, j->model->parameters, t, s->weight);
    taut_series *series = taut_variational_series(s->v);
    const taut_stepper *stepper = j->simulation->stepper;
    const int *d = series->structure->offsets.d;
    const double h = stepper->t - stepper->begin;
    if (number) TAUT_TRY(taut_series_set_numbers(series, number)); /* events have changed some */
    taut_series_start(series, t, h != 0.0 ? h : 1.0);
    for (int i = 0; i < series->system->n; i++)
        for (int k = 0; k <= d[i]; k++)
            taut_series_set(series, i, k, taut_stepper_value(stepper, i, k, t));
    return taut_linear_find_directions(j, s, t != stepper->begin);
}
