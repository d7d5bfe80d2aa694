/* Conditions of the initial point, ready to be evaluated: their stages and derivatives, made once.
 */
#include "expr/diff.h"
#include "solve/consistent_parts.h"

static taut_status add_output(taut_consistent_plan *p, taut_node node, int *number) {
    if (taut_grow((void **)&p->output, &p->output_room, (size_t)p->outputs + 1, sizeof *p->output))
        return TAUT_ERR_MEMORY;
    p->output[p->outputs] = node;
    *number = p->outputs++;
    return TAUT_OK;
}

/* The derivatives of a node by the newest orders of the variables, behind those so far. */
static taut_status differentiate(taut_consistent_plan *p, const taut_system *system, taut_node node,
                                 const int *offset, taut_sweep *sweep) {
    taut_sweep_begin(sweep, TAUT_SWEEP_LEADING, offset);
    taut_sweep_seed(sweep, node, 1.0, taut_number(system->graph, 1.0));
    TAUT_TRY(taut_sweep_run(sweep));
    const size_t reached = taut_sweep_reached(sweep);
    if (taut_grow((void **)&p->gradient, &p->gradient_room, p->gradients + reached,
                  sizeof *p->gradient))
        return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < reached; k++) {
        taut_gradient *g = &p->gradient[p->gradients++];
        g->variable = taut_node_get(system->graph, taut_sweep_variable(sweep, k))->index;
        TAUT_TRY(add_output(p, taut_sweep_adjoint(sweep, k), &g->output));
    }
    return TAUT_OK;
}

/* The outputs of one condition: its value, its side, their derivatives. */
static taut_status prepare_condition(taut_consistent_plan *p, const taut_system *system, int i,
                                     const int *offset, taut_sweep *sweep) {
    const taut_condition *condition = &system->condition[i];
    taut_condition_row *c = &p->condition[i];
    c->stage = -offset[condition->node];
    c->side = -1;
    TAUT_TRY(add_output(p, condition->node, &c->residual));
    c->first = (int)p->gradients;
    TAUT_TRY(differentiate(p, system, condition->node, offset, sweep));
    c->last = c->side_first = c->side_last = (int)p->gradients;
    if (condition->side == TAUT_NO_NODE) return TAUT_OK;
    TAUT_TRY(add_output(p, condition->side, &c->side));
    TAUT_TRY(differentiate(p, system, condition->side, offset, sweep));
    c->side_last = (int)p->gradients;
    return TAUT_OK;
}

/* Finds the stage and the derivatives of every condition, and what the series has to evaluate for
 * them. */
static taut_status prepare_conditions(taut_consistent_plan *p, const taut_series *series) {
    const taut_system *system = series->system;
    const taut_structure *structure = series->structure;
    taut_series_plan *of = series->plan->of;
    taut_sweep *sweep;
    int *offset;
    p->condition = TAUT_NEW_ARRAY(&p->arena, system->conditions, taut_condition_row);
    if (!p->condition) return TAUT_ERR_MEMORY;
    if (system->conditions == 0 && system->hints == 0) return TAUT_OK;
    TAUT_TRY(taut_tape_offsets(system->graph, structure->offsets.d, &p->arena, &offset));
    TAUT_TRY(taut_sweep_create(system->graph, &sweep));
    taut_status status = TAUT_OK;
    for (int i = 0; i < system->conditions && status == TAUT_OK; i++)
        status = prepare_condition(p, system, i, offset, sweep);
    taut_sweep_free(&sweep);
    TAUT_TRY(status);
    p->first_hint = p->outputs;
    for (int i = 0, number; i < system->hints; i++)
        TAUT_TRY(add_output(p, system->hint[i].node, &number));
    return of ? taut_series_plan_view(of, 0, p->output, p->outputs, &p->series)
              : taut_series_plan_create_wide(system, structure, 0, p->output, p->outputs,
                                             &p->series);
}

taut_status taut_consistent_plan_create(const taut_series *series, taut_consistent_plan **plan) {
    size_t room = 0;
    *plan = NULL;
    if (taut_grow((void **)plan, &room, 1, sizeof **plan)) return TAUT_ERR_MEMORY;
    **plan = (taut_consistent_plan){0};
    const taut_status status = prepare_conditions(*plan, series);
    if (status != TAUT_OK) taut_consistent_plan_free(plan);
    return status;
}

void taut_consistent_plan_free(taut_consistent_plan **plan) {
    taut_consistent_plan *p = *plan;
    if (!p) return;
    taut_series_plan_free(&p->series);
    taut_release((void **)&p->gradient);
    taut_release((void **)&p->output);
    taut_arena_release(&p->arena);
    taut_release((void **)plan);
}
