/* What the results of a mechanism show: places, angles, forces, energies. */
#include <string.h>

#include "form/formulation.h"

/* A distance or the like, if it has a name: its leaf; -1: it has none. */
static taut_status add_scalar_column(taut_mechanics *n, int leaf) {
    taut_node node;
    if (leaf < 0) return TAUT_OK;
    const char *name = n->model->leaf[leaf].name;
    TAUT_TRY(taut_kin_import(n->kin, taut_leaf(n->graph, leaf), n->model->problem_place, &node));
    n->problem->column[n->problem->columns++] = (taut_column){name, node, true, TAUT_COLUMN_SCALAR};
    return TAUT_OK;
}

/* What actuators and drivers do. */
static taut_status add_powers(taut_mechanics *n, taut_sweep *sweep) {
    taut_problem *p = n->problem;
    for (size_t i = 0; i < n->constraints; i++) {
        const taut_constraint *c = &n->constraint[i];
        if (!c->driver) continue;
        const char *name = taut_problem_name(p, "power_%s", c->name + strlen("driver "));
        if (!name) return TAUT_ERR_MEMORY;
        p->column[p->columns++] = (taut_column){
            name, taut_mul(n->graph, c->lambda, taut_dot(n->graph, c->wanted, c->velocity ? 0 : 1)),
            false, TAUT_COLUMN_FORCE};
    }
    return taut_problem_add_powers(p, sweep, n->first_extra);
}

taut_status taut_mechanics_columns(taut_mechanics *n, taut_sweep *sweep) {
    taut_problem *p = n->problem;
    const taut_mechanism *m = n->mechanism;
    const int most = m->elements * m->dimension + m->angles + m->collinears + 3 * m->joints +
                     2 * m->drivers + n->model->extras + n->model->actuators +
                     n->model->outputs.count + n->model->discretes + n->model->changings +
                     5 * n->model->contacts + (int)n->constraints + 4;
    p->column = TAUT_NEW_ARRAY(n->arena, most, taut_column);
    p->element = TAUT_NEW_ARRAY(n->arena, m->elements, taut_vec);
    if (!p->column || !p->element) return TAUT_ERR_MEMORY;
    memcpy(p->element, n->kin->value, (size_t)m->elements * sizeof *p->element);
    for (int e = 0; e < m->elements; e++)
        for (int i = 0; i < m->dimension && !m->element[e].copy; i++) {
            const taut_node node = n->kin->value[e].c[i];
            if (m->element[e].fixed && taut_node_get(n->graph, node)->steady) continue;
            const char *name =
                taut_arena_concat(&p->arena, m->element[e].name, (char[]){"xyz"[i], '\0'}, "");
            if (!name) return TAUT_ERR_MEMORY;
            p->column[p->columns++] = (taut_column){
                name, node, true, m->element[e].is_vector ? TAUT_COLUMN_VECTOR : TAUT_COLUMN_POINT};
        }
    for (int i = 0; i < m->angles; i++)
        p->column[p->columns++] =
            (taut_column){m->angle[i].name, n->angle[i].variable, true, TAUT_COLUMN_ANGLE};
    for (int i = 0; i < m->collinears; i++) TAUT_TRY(add_scalar_column(n, m->collinear[i].leaf));
    for (int i = 0; i < m->joints; i++)
        for (int k = 0; k < 3; k++) TAUT_TRY(add_scalar_column(n, m->joint[i].leaf[k]));
    for (int i = 0; i < n->model->extras; i++) {
        const taut_model_variable *v = &n->problem->variable[n->first_extra + i];
        p->column[p->columns++] = (taut_column){v->name, v->node, true, TAUT_COLUMN_SCALAR};
    }
    for (int i = 0; i < n->model->outputs.count; i++)
        p->column[p->columns++] = (taut_column){n->outputs.item[i].name, n->outputs.item[i].node,
                                                true, TAUT_COLUMN_OUTPUT};
    taut_problem_add_discretes(p);
    for (size_t i = 0; i < n->constraints; i++)
        if (n->constraint[i].driver)
            p->column[p->columns++] = (taut_column){
                n->problem->variable[taut_node_get(n->graph, n->constraint[i].lambda)->index].name,
                n->constraint[i].lambda, false, TAUT_COLUMN_FORCE};
    for (int i = 0; i < n->looses; i++) {
        const char *name = taut_problem_name(p, "force_%s", n->loose[i].name + strlen("driver "));
        if (!name) return TAUT_ERR_MEMORY;
        p->column[p->columns++] = (taut_column){name, n->loose[i].lambda, false, TAUT_COLUMN_FORCE};
    }
    if (n->model->inverse) TAUT_TRY(add_powers(n, sweep));
    p->column[p->columns++] = (taut_column){"energy", p->energy, false, TAUT_COLUMN_ENERGY};
    p->column[p->columns++] = (taut_column){"kinetic", p->kinetic, false, TAUT_COLUMN_ENERGY};
    p->column[p->columns++] = (taut_column){"potential", p->potential, false, TAUT_COLUMN_ENERGY};
    if (n->work != TAUT_NO_NODE)
        p->column[p->columns++] = (taut_column){"work", n->work, false, TAUT_COLUMN_ENERGY};
    for (size_t i = 0; i < n->constraints;
         i++) { /* multipliers; a driver's has its column already */
        const taut_node lambda = n->constraint[i].lambda;
        if (n->constraint[i].driver || n->left_out_count > 0) continue; /* not unique */
        const char *name = n->problem->variable[taut_node_get(n->graph, lambda)->index].name;
        p->column[p->columns++] = (taut_column){name, lambda, false, TAUT_COLUMN_REACTION};
        p->multipliers++;
    }
    return TAUT_OK;
}
