/* From a Hamiltonian to equations of motion, by one sweep of H + sum lambda_i C_i
 * (docs/math/differentiation.md).
 *
 *   q' - dH/dp = 0,   p' + dH/dq + sum lambda_i dC_i/dq - Q = 0,   C_i = 0 */
#include "form/assemble.h"
#include "form/contact.h"
#include "form/vary.h"

/* sum of p_j df/dp_j */
static taut_status momentum_product(const taut_problem *problem, taut_sweep *sweep, taut_node f,
                                    taut_node *result) {
    const taut_model *m = problem->model;
    taut_graph *g = problem->graph;
    TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_PLAIN, f));
    *result = taut_number(g, 0.0);
    for (int j = 0; j < m->momenta; j++) {
        const taut_node p = problem->variable[m->coordinates + j].node;
        *result = taut_add(g, *result, taut_mul(g, p, taut_sweep_find(sweep, p)));
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Energy H, and its part that is quadratic in the momenta. */
static taut_status find_energy(taut_problem *p, taut_sweep *sweep) {
    const taut_model *m = p->model;
    taut_node once, twice;
    TAUT_TRY(momentum_product(p, sweep, m->H, &once));
    TAUT_TRY(momentum_product(p, sweep, once, &twice));
    p->energy = m->H;
    p->kinetic = taut_scale(p->graph, 0.5, taut_sub(p->graph, twice, once));
    const int known = m->coordinates + m->momenta;
    bool open = m->forces.count > 0;
    TAUT_TRY(taut_vary_is_open(p->graph, m->H, known, &open));
    for (int i = 0; i < m->constraints.count && !open; i++)
        TAUT_TRY(taut_vary_is_open(p->graph, m->constraints.item[i].node, known, &open));
    if (!open) TAUT_TRY(taut_contacts_are_open(p, m->coordinates, &open));
    p->conservative = !open;
    return TAUT_OK;
}

/* Formulas of the model are nodes of the problem as they are. */
static taut_status import_same(void *user, taut_node formula, taut_place place, taut_node *node) {
    (void)user, (void)place;
    *node = formula;
    return TAUT_OK;
}

/* Seeds what contacts do: along formulas of positions, or of velocities. */
static void seed_contacts(const taut_problem *p, taut_sweep *sweep, bool velocities) {
    for (int i = 0; i < p->model->contacts; i++) {
        const taut_formed_contact *c = &p->contact[i];
        for (int k = 0; k < TAUT_TOUCH_ROWS; k++)
            if (taut_contact_has_row(c, k) && (c->rates && k > 0) == velocities)
                taut_sweep_seed(sweep, c->part[k], -1.0, c->force[k]);
    }
}

/* row[] of coordinates, then of momenta. */
static taut_status find_rows(const taut_problem *p, taut_sweep *sweep, taut_node *row) {
    const taut_model *m = p->model;
    taut_graph *g = p->graph;
    const int nq = m->coordinates;
    for (int j = 0; j < 2 * nq; j++) row[j] = taut_dot(g, p->variable[j].node, 1);
    taut_sweep_begin(sweep, TAUT_SWEEP_PLAIN, NULL);
    taut_sweep_seed(sweep, m->H, 1.0, taut_number(g, 1.0));
    for (int i = 0; i < m->constraints.count; i++)
        taut_sweep_seed(sweep, m->constraints.item[i].node, 1.0,
                        p->variable[m->first_multiplier + i].node);
    seed_contacts(p, sweep, false);
    TAUT_TRY(taut_vary_add(g, sweep, nq, nq, -1.0, row));
    TAUT_TRY(taut_vary_add(g, sweep, 0, nq, 1.0, row + nq));
    taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
    seed_contacts(p, sweep, true);
    TAUT_TRY(taut_vary_add(g, sweep, 0, nq, 1.0, row + nq));
    for (int i = 0; i < m->forces.count; i++) {
        taut_node *r = &row[nq + m->force_on[i]];
        *r = taut_sub(g, *r, m->forces.item[i].node);
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* A momentum that the file says nothing of is 0, unless there is a velocity: it is a condition on
 * the momenta, dH/dp = v; rate[j] is that derivative. */
static taut_status fill_conditions(taut_problem *p, const taut_node *rate) {
    const taut_model *m = p->model;
    taut_system *s = &p->system;
    for (int j = 0; j < m->coordinates; j++) s->unknown[m->coordinates + j].zero_default = true;
    s->condition = TAUT_NEW_ARRAY(&p->arena, m->values, taut_condition);
    if (!s->condition) return TAUT_ERR_MEMORY;
    s->givens = 0;
    for (int i = 0; i < m->values; i++) {
        const taut_model_value *v = &m->value[i];
        if (v->variable >= m->coordinates || v->order != 1) {
            s->given[s->givens++] = taut_problem_given(p, v, i);
            continue;
        }
        s->unknown[m->coordinates + v->variable].zero_default = false;
        s->condition[s->conditions++] = (taut_condition){
            .node = taut_sub(p->graph, rate[v->variable], taut_problem_initial(p, i)),
            .fixed = v->fixed,
            .name = v->name,
            .place = v->place,
            .listed = true,
            .part = "",
            .order = v->order,
            .value = v->value,
            .number = m->parameters + i};
    }
    return taut_graph_failed(p->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status form(taut_problem *p, taut_sweep *sweep, const int *mode, taut_errors *errors) {
    const taut_model *m = p->model;
    taut_node *row = TAUT_NEW_ARRAY(&p->arena, 2 * m->coordinates, taut_node);
    int n = 0;
    if (!row) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_contacts_import(p, import_same, NULL, m->coordinates, errors));
    TAUT_TRY(taut_problem_fill_system(p));
    TAUT_TRY(find_rows(p, sweep, row));
    for (; n < 2 * m->coordinates; n++) {
        const char *name = taut_problem_name(p, n < m->coordinates ? "rate of %s" : "motion of %s",
                                             p->variable[n].name);
        if (!name) return TAUT_ERR_MEMORY;
        p->system.equation[n] =
            (taut_equation){.node = row[n], .name = name, .place = p->variable[n].place};
    }
    TAUT_TRY(taut_problem_add_equations(p, &m->equations, "equation", &n));
    TAUT_TRY(taut_contacts_add_equations(p, mode, &n));
    p->first_constraint = n;
    TAUT_TRY(taut_problem_add_equations(p, &m->constraints, "constraint", &n));
    p->first_velocity = n;
    p->coordinates = m->coordinates;
    p->mobility = m->coordinates - m->constraints.count;
    for (int j = 0; j < m->coordinates; j++)
        row[j] = taut_sub(p->graph, taut_dot(p->graph, p->variable[j].node, 1), row[j]);
    TAUT_TRY(fill_conditions(p, row));
    if (m->contacts > 0) TAUT_TRY(taut_contacts_note_masses(p, sweep, row, m->coordinates, 0));
    return find_energy(p, sweep);
}

taut_status taut_form_hamiltonian(taut_problem *p, const taut_forming *forming,
                                  taut_errors *errors) {
    taut_sweep *sweep;
    TAUT_TRY(taut_sweep_create(p->graph, &sweep));
    taut_status status = form(p, sweep, forming->mode, errors);
    taut_sweep_free(&sweep);
    return status;
}
