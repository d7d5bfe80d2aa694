/* From a Lagrangian to equations of motion: one Euler sweep of L - sum lambda_i C_i, one velocity
 * sweep of the dissipation (docs/math/differentiation.md).
 *
 *   d/dt dL/dq' - dL/dq + sum lambda_i dC_i/dq + dR/dq' - Q = 0,   C_i = 0 */
#include "expr/diff.h"
#include "expr/pattern.h"
#include "form/assemble.h"

/* Adds coef * sweep(function) of every coordinate to row[]. */
static taut_status add_swept(taut_graph *g, taut_sweep *sweep, int coordinates, double coef,
                             taut_node *row) {
    TAUT_TRY(taut_sweep_run(sweep));
    for (int j = 0; j < coordinates; j++) {
        const taut_node adjoint = taut_sweep_find(sweep, taut_variable(g, j));
        row[j] = taut_sum(g, 0.0, 2, (double[]){1.0, coef}, (taut_node[]){row[j], adjoint});
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* sum of q_j' df/dq_j' */
static taut_status velocity_product(taut_graph *g, taut_sweep *sweep, int coordinates, taut_node f,
                                    taut_node *result) {
    taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
    taut_sweep_seed(sweep, f, 1.0, taut_number(g, 1.0));
    TAUT_TRY(taut_sweep_run(sweep));
    *result = taut_number(g, 0.0);
    for (size_t i = 0; i < taut_sweep_reached(sweep); i++) {
        const taut_node q = taut_sweep_variable(sweep, i);
        if (taut_node_get(g, q)->index >= coordinates) continue;
        const taut_node term = taut_mul(g, taut_dot(g, q, 1), taut_sweep_adjoint(sweep, i));
        *result = taut_add(g, *result, term);
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Energy E = q' dL/dq' - L, and its quadratic part T2 = (q' d(q' dL/dq')/dq' - q' dL/dq')/2. */
static taut_status find_energy(taut_problem *p, taut_sweep *sweep) {
    const taut_model *m = p->model;
    taut_graph *g = m->graph;
    taut_node once, twice;
    TAUT_TRY(velocity_product(g, sweep, m->coordinates, m->L, &once));
    TAUT_TRY(velocity_product(g, sweep, m->coordinates, once, &twice));
    p->energy = taut_sub(g, once, m->L);
    p->kinetic = taut_scale(g, 0.5, taut_sub(g, twice, once));
    return TAUT_OK;
}

/* Does a formula contain t or an unknown that is not a coordinate? Then energy may come and go. */
static taut_status is_open(const taut_problem *p, taut_node f, bool *open) {
    const taut_graph *g = p->model->graph;
    taut_pattern *pattern;
    const taut_pattern_entry *entry;
    size_t count;
    TAUT_TRY(taut_pattern_create(g, &pattern));
    taut_status status = taut_pattern_row(pattern, f, &entry, &count);
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        if (entry[i].variable >= p->model->coordinates) *open = true;
    if (status == TAUT_OK && taut_pattern_has_time(pattern)) *open = true;
    taut_pattern_free(&pattern);
    return status;
}

static taut_status find_conservative(taut_problem *p) {
    const taut_model *m = p->model;
    bool open = m->dissipation != TAUT_NO_NODE || m->forces.count > 0;
    TAUT_TRY(is_open(p, m->L, &open));
    for (int i = 0; i < m->constraints.count && !open; i++)
        TAUT_TRY(is_open(p, m->constraints.item[i].node, &open));
    p->conservative = !open;
    return TAUT_OK;
}

static taut_status find_rows(taut_problem *p, taut_sweep *sweep, taut_node *row,
                             taut_errors *errors) {
    const taut_model *m = p->model;
    taut_graph *g = m->graph;
    const int first_multiplier = m->variables - m->constraints.count;
    for (int j = 0; j < m->coordinates; j++) row[j] = taut_number(g, 0.0);
    taut_sweep_begin(sweep, TAUT_SWEEP_EULER, NULL);
    taut_sweep_seed(sweep, m->L, 1.0, taut_number(g, 1.0));
    for (int i = 0; i < m->constraints.count; i++)
        taut_sweep_seed(sweep, m->constraints.item[i].node, -1.0,
                        m->variable[first_multiplier + i].node);
    TAUT_TRY(add_swept(g, sweep, m->coordinates, -1.0, row));
    if (m->dissipation != TAUT_NO_NODE) {
        taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
        taut_sweep_seed(sweep, m->dissipation, 1.0, taut_number(g, 1.0));
        TAUT_TRY(add_swept(g, sweep, m->coordinates, 1.0, row));
    }
    for (int i = 0; i < m->forces.count; i++) {
        taut_node *r = &row[m->force_on[i]];
        *r = taut_sub(g, *r, m->forces.item[i].node);
    }
    for (int j = 0; j < m->coordinates; j++)
        if (taut_node_is_number(g, row[j], 0.0))
            return taut_fail_at(errors, TAUT_ERR_INPUT, m->variable[j].place,
                                "the Lagrangian does not determine '%s': its equation of motion is "
                                "0 = 0",
                                m->variable[j].name);
    return TAUT_OK;
}

static taut_status form(taut_problem *p, taut_sweep *sweep, taut_errors *errors) {
    const taut_model *m = p->model;
    taut_node *row = TAUT_NEW_ARRAY(&p->arena, m->coordinates, taut_node);
    if (!row) return TAUT_ERR_MEMORY;
    TAUT_TRY(find_rows(p, sweep, row, errors));
    int n = 0;
    for (int j = 0; j < m->coordinates; j++) {
        const char *name = taut_problem_name(p, "motion of %s", m->variable[j].name);
        if (!name) return TAUT_ERR_MEMORY;
        p->system.unknown[j].rest_default = true;
        p->system.equation[n++] = (taut_equation){row[j], name, m->variable[j].place};
    }
    for (int i = 0; i < m->equations.count; i++) {
        const taut_model_formula *f = &m->equations.item[i];
        const char *name = f->name ? taut_problem_name(p, "equation %s", f->name)
                                   : taut_problem_name(p, "equation %d", i + 1);
        if (!name) return TAUT_ERR_MEMORY;
        p->system.equation[n++] = (taut_equation){f->node, name, f->place};
    }
    p->first_constraint = n;
    for (int i = 0; i < m->constraints.count; i++) {
        const taut_model_formula *c = &m->constraints.item[i];
        const char *name = c->name ? taut_problem_name(p, "constraint %s", c->name)
                                   : taut_problem_name(p, "constraint %d", i + 1);
        if (!name) return TAUT_ERR_MEMORY;
        p->system.equation[n++] = (taut_equation){c->node, name, c->place};
    }
    p->coordinates = m->coordinates;
    p->mobility = m->coordinates - m->constraints.count;
    TAUT_TRY(find_energy(p, sweep));
    return find_conservative(p);
}

taut_status taut_form_lagrangian(taut_problem *p, taut_errors *errors) {
    taut_sweep *sweep;
    TAUT_TRY(taut_sweep_create(p->model->graph, &sweep));
    taut_status status = form(p, sweep, errors);
    taut_sweep_free(&sweep);
    return status;
}
