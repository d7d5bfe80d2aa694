/* What a mechanism file adds by formulas: further unknowns, constraints of positions, constraints
 * of velocities (docs/math/differentiation.md, section 6). */
#include "expr/substitute.h"
#include "form/mechanics.h"
#include "form/vary.h"

/* The leaf of the multiplier of a constraint with a name; -1: there is none. */
static int leaf_of(const taut_model *m, int number, bool velocity) {
    for (int i = 0; i < m->leaves; i++)
        if (m->leaf[i].kind == TAUT_LEAF_CONSTRAINT && m->leaf[i].index == number &&
            m->leaf[i].part == (velocity ? 1 : 0))
            return i;
    return -1;
}

/* Adds a constraint of the file; one that holds already is refused. */
static taut_status add(taut_mechanics *n, const taut_model_formula *given, int number,
                       bool velocity) {
    taut_model_formula own = *given;
    const taut_model_formula *f = &own;
    const char *kind = velocity ? "velocity constraint" : "constraint";
    const char *name = f->name ? taut_problem_name(n->problem, "%s %s", kind, f->name)
                               : taut_problem_name(n->problem, "%s %d", kind, number + 1);
    const size_t before = n->constraints;
    bool idle = true, open = false;
    if (!name) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_kin_import(n->kin, given->node, given->place, &own.node));
    if (taut_node_get(n->graph, f->node)->steady)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, f->place,
                            "the %s contains nothing that moves", name);
    TAUT_TRY(taut_mechanics_constrain(n, f->node, name, f->place));
    if (n->constraints == before)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, f->place,
                            "the %s holds already: another one says the same", name);
    const int known = n->tracked;
    if (velocity)
        TAUT_TRY(taut_vary_is_homogeneous(n->graph, f->node, known, &idle));
    else
        TAUT_TRY(taut_vary_is_open(n->graph, f->node, known, &open));
    taut_constraint *c = &n->constraint[before];
    c->formula = true;
    c->given = given->node;
    c->velocity = velocity;
    c->working = open || !idle;
    c->multiplier = f->name;
    c->leaf = f->name ? leaf_of(n->model, number, velocity) : -1;
    n->open = n->open || c->working;
    return TAUT_OK;
}

taut_status taut_mechanics_formulas(taut_mechanics *n) {
    const taut_model *m = n->model;
    n->first_extra = n->problem->variables;
    for (int i = 0; i < m->leaves; i++) { /* the file's Variables are leaves in their order */
        if (m->leaf[i].kind != TAUT_LEAF_VARIABLE) continue;
        const taut_model_variable *v = &m->variable[m->leaf[i].index];
        if (TAUT_GROUPS + v->group >= n->problem->groups)
            n->problem->groups = TAUT_GROUPS + v->group + 1;
        TAUT_TRY(taut_problem_add_variable(n->problem, v->name, TAUT_GROUPS + v->group, v->place,
                                           &n->kin->meaning[i]));
    }
    if (n->faulty) return TAUT_OK;
    for (int i = 0; i < m->constraints.count; i++)
        TAUT_MECHANICS_NOTE(n, add(n, &m->constraints.item[i], i, false));
    return TAUT_OK;
}

taut_status taut_mechanics_velocities(taut_mechanics *n) {
    const taut_model *m = n->model;
    if (n->faulty) return TAUT_OK;
    for (int i = 0; i < m->velocity_constraints.count; i++)
        TAUT_MECHANICS_NOTE(n, add(n, &m->velocity_constraints.item[i], i, true));
    return TAUT_OK;
}

static taut_node as_it_is(void *user, int leaf) { return taut_leaf(user, leaf); }

/* What is written with the rate of a tracked angle, an unknown's highest derivative, takes the rate
 * that the angle follows: a torque times it would make the equations nonlinear in the former. */
taut_status taut_mechanics_follow_angles(const taut_mechanics *n, taut_node *power) {
    taut_substitution *s;
    bool finite;
    if (n->mechanism->angles == 0) return TAUT_OK;
    TAUT_TRY(taut_substitution_create(n->graph, as_it_is, n->graph, &s));
    taut_status status = TAUT_OK;
    for (int i = 0; i < n->mechanism->angles && status == TAUT_OK; i++) {
        const taut_node rate = taut_dot(n->graph, n->angle[i].variable, 1);
        status = rate ? taut_substitution_note(s, rate, n->angle[i].rate) : TAUT_ERR_MEMORY;
    }
    taut_node follows;
    if (status == TAUT_OK) status = taut_substitute(s, *power, &follows, &finite);
    if (status == TAUT_OK) *power = follows;
    taut_substitution_free(&s);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* The force -lambda dC/dq has the power -lambda sum (dC/dq_j) q_j', and dC/dq = dC'/dq'. */
taut_status taut_mechanics_formula_power(taut_mechanics *n, taut_sweep *sweep, taut_node *power) {
    taut_graph *g = n->graph;
    for (size_t i = 0; i < n->constraints; i++) {
        const taut_constraint *c = &n->constraint[i];
        const taut_node rate = c->velocity ? c->node : taut_dot(g, c->node, 1);
        taut_node product;
        if (!c->working) continue;
        TAUT_TRY(taut_vary_velocity_product(g, sweep, n->tracked, rate, &product));
        *power = taut_sub(g, *power, taut_mul(g, c->lambda, product));
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}
