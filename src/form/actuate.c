/* Actuators as unknowns: their power, and where there are more of them than motions, the equations
 * that make them least (docs/math/inverse.md). */
#include "form/formulation.h"

/* The rates on which a unit of each actuator works, -sum_j q_j' dR_j/du, are adjoints of one sweep;
 * R_j are the rows. */
taut_status taut_problem_add_powers(taut_problem *p, taut_sweep *sweep, int first_extra) {
    const taut_model *m = p->model;
    if (m->actuators == 0) return TAUT_OK;
    taut_sweep_begin(sweep, TAUT_SWEEP_PLAIN, NULL);
    for (int j = 0; j < p->coordinates; j++)
        taut_sweep_seed(sweep, p->system.equation[j].node, -1.0,
                        taut_dot(p->graph, p->variable[j].node, 1));
    TAUT_TRY(taut_sweep_run(sweep));
    for (int i = 0; i < m->actuators; i++) {
        const taut_model_variable *u =
            &p->variable[first_extra + m->first_actuator - m->first_extra + i];
        const char *name = taut_problem_name(p, "power_%s", u->name);
        if (!name) return TAUT_ERR_MEMORY;
        const taut_node rate = taut_sweep_find(sweep, u->node);
        p->column[p->columns++] =
            (taut_column){name, taut_mul(p->graph, u->node, rate), false, TAUT_COLUMN_FORCE};
    }
    return TAUT_OK;
}

/* ---- least norm ---- */

int taut_mechanics_surplus(const taut_mechanics *n) {
    return n->model->actuators > n->model->motions ? n->model->actuators - n->model->motions : 0;
}

static taut_status add_unknowns(taut_mechanics *n, const char *what, int count, int *first) {
    *first = n->problem->variables;
    for (int i = 0; i < count; i++) {
        const char *name = taut_problem_name(n->problem, "%s %d of least norm", what, i + 1);
        taut_node node;
        if (!name) return TAUT_ERR_MEMORY;
        TAUT_TRY(taut_problem_add_variable(n->problem, name, TAUT_GROUP_FORCE,
                                           n->model->problem_place, &node));
    }
    return TAUT_OK;
}

taut_status taut_mechanics_least_unknowns(taut_mechanics *n, int coordinates) {
    if (taut_mechanics_surplus(n) == 0) return TAUT_OK;
    TAUT_TRY(add_unknowns(n, "velocity", coordinates, &n->least_velocity));
    TAUT_TRY(add_unknowns(n, "multiplier", (int)n->constraints, &n->least_multiplier));
    return add_unknowns(n, "motion", n->model->motions, &n->least_motion);
}

/* sum of multiplier times variation of constraints and motions, into row. */
static taut_status vary_conditions(taut_mechanics *n, taut_sweep *sweep, int coordinates,
                                   taut_node *row) {
    taut_graph *g = n->graph;
    const int motions = n->model->motions;
    const taut_model_formula *motion = n->equations.item + n->equations.count - motions;
    const size_t most = n->constraints + (size_t)motions;
    taut_seed *position = TAUT_NEW_ARRAY(n->arena, most, taut_seed),
              *velocity = TAUT_NEW_ARRAY(n->arena, most, taut_seed);
    size_t positions = 0, velocities = 0;
    if (!position || !velocity) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < n->constraints; i++) {
        const taut_constraint *c = &n->constraint[i];
        const taut_node sigma = n->problem->variable[n->least_multiplier + (int)i].node;
        if (c->rate != TAUT_NO_NODE)
            velocity[velocities++] = (taut_seed){.node = c->rate, .adjoint = sigma};
        else if (c->velocity)
            velocity[velocities++] =
                (taut_seed){.node = c->node, .adjoint = taut_scale(g, -1.0, sigma)};
        else
            position[positions++] =
                (taut_seed){.node = c->node, .adjoint = taut_scale(g, -1.0, sigma)};
    }
    for (int k = 0; k < motions; k++) {
        const taut_node nu = taut_scale(g, -1.0, n->problem->variable[n->least_motion + k].node);
        position[positions++] = (taut_seed){.node = motion[k].node, .adjoint = nu};
    }
    return taut_mechanics_vary(n, sweep, coordinates, position, positions, velocity, velocities,
                               row);
}

/* Adds an equation of what an EVERY sweep has found for x^(order), and another term. */
static taut_status add_stationary(taut_mechanics *n, const taut_sweep *sweep, taut_node x,
                                  int order, taut_node other, int *at) {
    taut_graph *g = n->graph;
    const taut_node found = taut_sweep_find_order(sweep, x, order);
    const char *name = taut_problem_name(n->problem, "least norm by %s",
                                         n->problem->variable[taut_node_get(g, x)->index].name);
    if (!name) return TAUT_ERR_MEMORY;
    n->problem->system.equation[(*at)++] = (taut_equation){
        .node = taut_add(g, found, other), .name = name, .place = n->model->problem_place};
    return TAUT_OK;
}

/* 1/2 sum w u^2 is least among all accelerations, multipliers and actuators with the rows R = 0,
 * the constraints and the motion: the derivatives of 1/2 sum w u^2 + mu R + sigma g'' + nu c'' by
 * all of these are 0. */
taut_status taut_mechanics_least_equations(taut_mechanics *n, taut_sweep *sweep,
                                           const taut_node *row, int coordinates, int *at) {
    taut_graph *g = n->graph;
    taut_problem *p = n->problem;
    const taut_model *m = n->model;
    const int motions = m->motions, first = n->first_extra + m->first_actuator - m->first_extra;
    if (taut_mechanics_surplus(n) == 0) return TAUT_OK;
    taut_node *side = TAUT_NEW_ARRAY(n->arena, coordinates, taut_node);
    if (!side) return TAUT_ERR_MEMORY;
    TAUT_TRY(vary_conditions(n, sweep, coordinates, side));
    taut_sweep_begin(sweep, TAUT_SWEEP_EVERY, NULL);
    for (int j = 0; j < coordinates; j++)
        taut_sweep_seed(sweep, row[j], 1.0, p->variable[n->least_velocity + j].node);
    for (int k = 0; k < motions; k++) /* of forces of drivers */
        taut_sweep_seed(sweep, n->equations.item[n->equations.count - motions + k].node, 1.0,
                        p->variable[n->least_motion + k].node);
    TAUT_TRY(taut_sweep_run(sweep));
    for (int j = 0; j < coordinates; j++)
        TAUT_TRY(add_stationary(n, sweep, p->variable[j].node, 2, side[j], at));
    for (size_t i = 0; i < n->constraints; i++)
        TAUT_TRY(add_stationary(n, sweep, n->constraint[i].lambda, 0, taut_number(g, 0.0), at));
    for (int i = 0; i < m->actuators; i++) {
        const taut_node u = p->variable[first + i].node;
        TAUT_TRY(add_stationary(n, sweep, u, 0, taut_scale(g, m->weight[i], u), at));
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}
