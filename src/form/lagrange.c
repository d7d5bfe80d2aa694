/* From a Lagrangian to equations of motion: one Euler sweep of L - sum lambda_i C_i, one velocity
 * sweep of the dissipation and of the velocity constraints (docs/math/differentiation.md).
 *
 *   d/dt dL/dq' - dL/dq + sum lambda_i dC_i/dq + sum mu_i dPhi_i/dq' + dR/dq' - Q = 0,
 *   C_i = 0,   Phi_i = 0
 *
 * Lifted, a term V(g(q)) of the potential contributes F dg/dq with an unknown F = dV/dg; likewise
 * dissipation and forces. */
#include "form/contact.h"
#include "form/lift.h"
#include "form/vary.h"

/* Energy E = q' dL/dq' - L, and its quadratic part T2 = (q' d(q' dL/dq')/dq' - q' dL/dq')/2. */
static taut_status find_energy(taut_problem *p, taut_sweep *sweep) {
    const taut_model *m = p->model;
    taut_graph *g = p->graph;
    taut_node once, twice;
    TAUT_TRY(taut_vary_velocity_product(g, sweep, m->coordinates, m->L, &once));
    TAUT_TRY(taut_vary_velocity_product(g, sweep, m->coordinates, once, &twice));
    p->energy = taut_sub(g, once, m->L);
    p->kinetic = taut_scale(g, 0.5, taut_sub(g, twice, once));
    return TAUT_OK;
}

/* Energy may come and go where something drives or dissipates; a velocity constraint does no work
 * if it is homogeneous in the velocities. */
static taut_status find_conservative(taut_problem *p) {
    const taut_model *m = p->model;
    bool open = m->dissipation != TAUT_NO_NODE || m->forces.count > 0;
    TAUT_TRY(taut_vary_is_open(p->graph, m->L, m->coordinates, &open));
    for (int i = 0; i < m->constraints.count && !open; i++)
        TAUT_TRY(taut_vary_is_open(p->graph, m->constraints.item[i].node, m->coordinates, &open));
    for (int i = 0; i < m->velocity_constraints.count && !open; i++) {
        bool idle;
        TAUT_TRY(taut_vary_is_homogeneous(p->graph, m->velocity_constraints.item[i].node,
                                          m->coordinates, &idle));
        open = !idle;
    }
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

/* What is varied: all of it, or what is left beside the forces that are unknowns. */
typedef struct parts {
    taut_node L, dissipation; /* TAUT_NO_NODE: none */
    taut_node *force;         /* [forces.count] */
    taut_lifting lifting;
} parts;

static taut_status find_parts(taut_problem *p, parts *x) {
    const taut_model *m = p->model;
    x->L = m->L;
    x->dissipation = m->dissipation;
    x->force = TAUT_NEW_ARRAY(&p->arena, m->forces.count, taut_node);
    if (!x->force) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->forces.count; i++) x->force[i] = m->forces.item[i].node;
    if (!p->lifted) return TAUT_OK;
    TAUT_TRY(taut_lifting_split(&x->lifting, false, &x->L));
    if (x->dissipation != TAUT_NO_NODE)
        TAUT_TRY(taut_lifting_split(&x->lifting, true, &x->dissipation));
    TAUT_TRY(taut_lifting_forces(&x->lifting, x->force, m->forces.count));
    taut_lifting_finish(&x->lifting);
    return TAUT_OK;
}

/* Seeds the forces that are unknowns, where they act. */
static void seed_lifted(taut_sweep *sweep, const taut_lifting *l, bool damping) {
    for (size_t i = 0; i < l->forces; i++) {
        const taut_lifted_force *f = &l->force[i];
        if (f->inner != TAUT_NO_NODE && f->damping == damping)
            taut_sweep_seed(sweep, f->inner, 1.0, f->variable);
    }
}

static taut_status find_rows(taut_problem *p, const parts *x, taut_sweep *sweep, taut_node *row,
                             taut_errors *errors) {
    const taut_model *m = p->model;
    taut_graph *g = p->graph;
    const int lambda = m->first_multiplier, mu = lambda + m->constraints.count;
    for (int j = 0; j < m->coordinates; j++) row[j] = taut_number(g, 0.0);
    taut_sweep_begin(sweep, TAUT_SWEEP_EULER, NULL);
    taut_sweep_seed(sweep, x->L, 1.0, taut_number(g, 1.0));
    seed_lifted(sweep, &x->lifting, false);
    for (int i = 0; i < m->constraints.count; i++)
        taut_sweep_seed(sweep, m->constraints.item[i].node, -1.0, p->variable[lambda + i].node);
    for (int i = 0; i < m->contacts; i++) {
        const taut_formed_contact *c = &p->contact[i];
        for (int k = 0; k < TAUT_TOUCH_ROWS; k++)
            if (taut_contact_has_row(c, k) && !(c->rates && k > 0))
                taut_sweep_seed(sweep, c->part[k], 1.0, c->force[k]);
    }
    TAUT_TRY(taut_vary_add(g, sweep, 0, m->coordinates, -1.0, row));
    taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
    if (x->dissipation != TAUT_NO_NODE)
        taut_sweep_seed(sweep, x->dissipation, 1.0, taut_number(g, 1.0));
    seed_lifted(sweep, &x->lifting, true);
    for (int i = 0; i < m->velocity_constraints.count; i++)
        taut_sweep_seed(sweep, m->velocity_constraints.item[i].node, 1.0, p->variable[mu + i].node);
    for (int i = 0; i < m->contacts; i++)
        for (int k = 1; k < TAUT_TOUCH_ROWS; k++)
            if (p->contact[i].rates && taut_contact_has_row(&p->contact[i], k))
                taut_sweep_seed(sweep, p->contact[i].part[k], -1.0, p->contact[i].force[k]);
    TAUT_TRY(taut_vary_add(g, sweep, 0, m->coordinates, 1.0, row));
    for (int i = 0; i < m->forces.count; i++) {
        taut_node *r = &row[m->force_on[i]];
        *r = taut_sub(g, *r, x->force[i]);
    }
    for (int j = 0; j < m->coordinates; j++)
        if (taut_node_is_number(g, row[j], 0.0))
            return taut_fail_at(errors, TAUT_ERR_INPUT, p->variable[j].place,
                                "the Lagrangian does not determine '%s': its equation of motion is "
                                "0 = 0",
                                p->variable[j].name);
    return TAUT_OK;
}

/* Momenta are wanted where impacts change them and masses depend on velocities. */
static taut_status find_momenta(taut_problem *p, taut_sweep *sweep) {
    const taut_model *m = p->model;
    if (m->contacts == 0) return TAUT_OK;
    taut_node *momentum = TAUT_NEW_ARRAY(&p->arena, m->coordinates, taut_node);
    if (!momentum) return TAUT_ERR_MEMORY;
    for (int j = 0; j < m->coordinates; j++) momentum[j] = taut_number(p->graph, 0.0);
    taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
    taut_sweep_seed(sweep, m->L, 1.0, taut_number(p->graph, 1.0));
    TAUT_TRY(taut_vary_add(p->graph, sweep, 0, m->coordinates, 1.0, momentum));
    TAUT_TRY(taut_contacts_note_masses(p, sweep, momentum, 0, 1));
    if (p->curved) p->momentum = momentum;
    return TAUT_OK;
}

static taut_status form(taut_problem *p, parts *x, taut_sweep *sweep, const int *mode,
                        taut_errors *errors) {
    const taut_model *m = p->model;
    taut_node *row = TAUT_NEW_ARRAY(&p->arena, m->coordinates, taut_node);
    if (!row) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_contacts_import(p, import_same, NULL, m->coordinates, errors));
    TAUT_TRY(find_parts(p, x));
    TAUT_TRY(taut_problem_fill_system(p));
    TAUT_TRY(find_rows(p, x, sweep, row, errors));
    int n = 0;
    for (int j = 0; j < m->coordinates; j++) {
        const char *name = taut_problem_name(p, "motion of %s", p->variable[j].name);
        if (!name) return TAUT_ERR_MEMORY;
        p->system.unknown[j].rest_default = true;
        p->system.equation[n++] =
            (taut_equation){.node = row[j], .name = name, .place = p->variable[j].place};
    }
    TAUT_TRY(taut_problem_add_equations(p, &m->equations, "equation", &n));
    TAUT_TRY(taut_contacts_add_equations(p, mode, &n));
    taut_lifting_add_equations(&x->lifting, &n);
    p->first_constraint = n;
    TAUT_TRY(taut_problem_add_equations(p, &m->constraints, "constraint", &n));
    p->first_velocity = n;
    TAUT_TRY(taut_problem_add_equations(p, &m->velocity_constraints, "velocity constraint", &n));
    p->coordinates = m->coordinates;
    p->mobility = m->coordinates - (n - p->first_constraint);
    TAUT_TRY(find_energy(p, sweep));
    TAUT_TRY(find_momenta(p, sweep));
    return find_conservative(p);
}

taut_status taut_form_lagrangian(taut_problem *p, const taut_forming *forming,
                                 taut_errors *errors) {
    taut_sweep *sweep = NULL;
    parts x = {0};
    taut_status status = taut_lifting_create(p, &x.lifting);
    if (status == TAUT_OK) status = taut_sweep_create(p->graph, &sweep);
    if (status == TAUT_OK) status = form(p, &x, sweep, forming->mode, errors);
    taut_sweep_free(&sweep);
    taut_lifting_release(&x.lifting);
    return status;
}
