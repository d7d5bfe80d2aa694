/* From a mechanism to equations of motion, by one Euler sweep and one velocity sweep
 * (docs/math/natural.md). */
#include <string.h>

#include "form/buildup.h"
#include "form/formulation.h"
#include "form/vary.h"

/* Takes out the constraints whose numbers as equations are in drop (ascending or not). */
static taut_status drop_constraints(taut_mechanics *n, int first, const int *drop, int drops) {
    taut_problem *p = n->problem;
    size_t kept = 0;
    p->dropped = TAUT_NEW_ARRAY(n->arena, drops, taut_dropped);
    n->left_out = TAUT_NEW_ARRAY(n->arena, drops, taut_constraint);
    if (!p->dropped || !n->left_out) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < n->constraints; i++) {
        bool out = false;
        for (int k = 0; k < drops; k++) out = out || drop[k] == first + (int)i;
        if (out && n->constraint[i].driver)
            TAUT_MECHANICS_NOTE(n, taut_fail_at(n->errors, TAUT_ERR_INPUT, n->constraint[i].place,
                                                "the %s prescribes what joints and other drivers "
                                                "determine already: remove one of them",
                                                n->constraint[i].name));
        if (out) n->left_out[n->left_out_count++] = n->constraint[i];
        if (out)
            p->dropped[p->drops++] = (taut_dropped){n->constraint[i].name, n->constraint[i].place};
        else
            n->constraint[kept++] = n->constraint[i];
    }
    n->constraints = kept;
    return TAUT_OK;
}

/* Every constraint gets a multiplier, a driver and a constraint with a name under their own. */
static taut_status add_multipliers(taut_mechanics *n) {
    int plain = 0, velocity = 0;
    for (size_t i = 0; i < n->constraints; i++) {
        taut_constraint *c = &n->constraint[i];
        const char *name =
            c->driver       ? taut_problem_name(n->problem, "force_%s", c->name + strlen("driver "))
            : c->multiplier ? c->multiplier
            : c->velocity   ? taut_problem_name(n->problem, "mu%d", ++velocity)
                            : taut_problem_name(n->problem, "lambda%d", ++plain);
        if (!name) return TAUT_ERR_MEMORY;
        TAUT_TRY(
            taut_problem_add_variable(n->problem, name, TAUT_GROUP_FORCE, c->place, &c->lambda));
        if (c->leaf >= 0) n->kin->meaning[c->leaf] = c->lambda;
    }
    return taut_mechanics_bearings(n);
}

/* ---- equations ---- */

/* What acts on a tracked angle acts on what the angle follows. After a sweep: takes the adjoints of
 * the angles; *any: there are some. */
static void take_from_angles(const taut_mechanics *n, const taut_sweep *sweep, taut_node *acting,
                             bool *any) {
    *any = false;
    for (int i = 0; i < n->mechanism->angles; i++) {
        acting[i] = taut_sweep_find(sweep, n->angle[i].variable);
        if (!taut_node_is_number(n->graph, acting[i], 0.0)) *any = true;
    }
}

static void pass_from_angles(const taut_mechanics *n, taut_sweep *sweep, const taut_node *acting) {
    for (int i = 0; i < n->mechanism->angles; i++)
        taut_sweep_seed(sweep, n->angle[i].rate, 1.0, acting[i]);
}

taut_status taut_mechanics_vary(taut_mechanics *n, taut_sweep *sweep, int coordinates,
                                const taut_seed *position, size_t positions,
                                const taut_seed *velocity, size_t velocities, taut_node *row) {
    taut_graph *g = n->graph;
    taut_node *acting = TAUT_NEW_ARRAY(n->arena, n->mechanism->angles, taut_node);
    bool any;
    if (!acting) return TAUT_ERR_MEMORY;
    taut_sweep_begin(sweep, TAUT_SWEEP_EULER, NULL);
    for (size_t i = 0; i < positions; i++)
        taut_sweep_seed(sweep, position[i].node, 1.0, position[i].adjoint);
    TAUT_TRY(taut_sweep_run(sweep));
    for (int j = 0; j < coordinates; j++)
        row[j] = taut_scale(g, -1.0, taut_sweep_find(sweep, n->problem->variable[j].node));
    take_from_angles(n, sweep, acting, &any);
    taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
    if (any) pass_from_angles(n, sweep, acting);
    for (size_t i = 0; i < velocities; i++)
        taut_sweep_seed(sweep, velocity[i].node, 1.0, velocity[i].adjoint);
    TAUT_TRY(taut_vary_add(g, sweep, 0, coordinates, -1.0, row));
    take_from_angles(n, sweep, acting, &any);
    for (int round = 0; any && round <= n->mechanism->angles; round++) { /* angles of angles */
        taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
        pass_from_angles(n, sweep, acting);
        TAUT_TRY(taut_vary_add(g, sweep, 0, coordinates, -1.0, row));
        take_from_angles(n, sweep, acting, &any);
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* What varies: the Lagrangian, forces, and the multipliers of constraints. */
static taut_status find_rows(taut_mechanics *n, taut_sweep *sweep, int coordinates, taut_node L,
                             taut_node *row) {
    taut_graph *g = n->graph;
    const size_t contacts = (size_t)n->model->contacts;
    const size_t most = 1 + n->forces + n->torques + n->constraints + TAUT_TOUCH_ROWS * contacts;
    taut_seed *position = TAUT_NEW_ARRAY(n->arena, most, taut_seed),
              *velocity = TAUT_NEW_ARRAY(n->arena, most, taut_seed);
    size_t positions = 0, velocities = 0;
    if (!position || !velocity) return TAUT_ERR_MEMORY;
    position[positions++] = (taut_seed){.node = L, .adjoint = taut_number(g, 1.0)};
    for (size_t i = 0; i < n->forces; i++) position[positions++] = n->force[i];
    for (size_t i = 0; i < contacts; i++) {
        const taut_formed_contact *c = &n->problem->contact[i];
        for (int k = 0; k < TAUT_TOUCH_ROWS; k++)
            if (taut_contact_has_row(c, k) && !(c->rates && k > 0))
                position[positions++] = (taut_seed){.node = c->part[k], .adjoint = c->force[k]};
            else if (taut_contact_has_row(c, k))
                velocity[velocities++] = (taut_seed){.node = c->part[k], .adjoint = c->force[k]};
    }
    for (size_t i = 0; i < n->torques; i++) velocity[velocities++] = n->torque[i];
    for (size_t i = 0; i < n->constraints; i++) {
        const taut_constraint *c = &n->constraint[i];
        const taut_node less = taut_scale(g, -1.0, c->lambda);
        if (c->rate != TAUT_NO_NODE)
            velocity[velocities++] = (taut_seed){.node = c->rate, .adjoint = c->lambda};
        else if (c->velocity)
            velocity[velocities++] = (taut_seed){.node = c->node, .adjoint = less};
        else
            position[positions++] = (taut_seed){.node = c->node, .adjoint = less};
    }
    return taut_mechanics_vary(n, sweep, coordinates, position, positions, velocity, velocities,
                               row);
}

/* Equations that decay instead of being kept (docs/math/reference.md, section 4): of velocities,
 * also those by which angles follow the motion, and of positions. */
static taut_node decaying_rate(taut_mechanics *n, taut_node f, const taut_forming *forming) {
    if (!forming->differentiated) return f;
    return taut_decaying(n->graph, f, 1, forming->alpha, forming->beta);
}

static taut_node decaying(taut_mechanics *n, taut_node f, const taut_forming *forming) {
    if (!forming->differentiated) return f;
    return taut_decaying(n->graph, f, 2, forming->alpha, forming->beta);
}

static taut_status fill_constraints(taut_mechanics *n, const taut_forming *forming, int at) {
    taut_problem *p = n->problem;
    p->first_constraint = p->first_velocity = at;
    p->own = TAUT_NEW_ARRAY(n->arena, n->constraints, bool);
    p->driven = TAUT_NEW_ARRAY(n->arena, n->constraints, bool);
    if (!p->own || !p->driven) return TAUT_ERR_MEMORY;
    if (forming->differentiated) {
        p->constraint = TAUT_NEW_ARRAY(n->arena, p->system.n, taut_node);
        if (!p->constraint) return TAUT_ERR_MEMORY;
        for (int i = 0; i < p->system.n; i++) p->constraint[i] = TAUT_NO_NODE;
    }
    for (size_t i = 0; i < n->constraints; i++) {
        const taut_constraint *c = &n->constraint[i];
        const taut_node node =
            c->velocity ? decaying_rate(n, c->node, forming) : decaying(n, c->node, forming);
        if (p->constraint) p->constraint[at] = c->node;
        p->own[i] = c->own;
        p->driven[i] = c->driver;
        p->first_velocity += c->velocity ? 0 : 1;
        p->system.equation[at++] =
            (taut_equation){.node = node, .name = c->name, .place = c->place, .vector = c->vector};
    }
    return TAUT_OK;
}

/* What the solvers know of sizes, whatever the units are. */
static void tell_sizes(taut_mechanics *n) {
    static const taut_sizing SIZING[TAUT_GROUPS] = {[TAUT_GROUP_LENGTH] = TAUT_SIZE_GROUP,
                                                    [TAUT_GROUP_DIRECTION] = TAUT_SIZE_ONE,
                                                    [TAUT_GROUP_ANGLE] = TAUT_SIZE_ONE,
                                                    [TAUT_GROUP_FORCE] = TAUT_SIZE_BALANCE,
                                                    [TAUT_GROUP_ENERGY] = TAUT_SIZE_WORK};
    taut_system *s = &n->problem->system;
    for (int j = 0; j < s->n; j++)
        if (s->unknown[j].group < TAUT_GROUPS) s->unknown[j].sizing = SIZING[s->unknown[j].group];
}

static taut_status fill_equations(taut_mechanics *n, taut_sweep *sweep, const taut_node *row,
                                  int coordinates, const taut_forming *forming) {
    taut_problem *p = n->problem;
    taut_system *s = &p->system;
    int at = 0;
    tell_sizes(n);
    for (int j = 0; j < coordinates; j++) {
        const char *name = taut_arena_concat(&p->arena, "motion of ", p->variable[j].name, "");
        if (!name) return TAUT_ERR_MEMORY;
        s->unknown[j].rest_default = true;
        if (!taut_formulation_is_natural(n->kin->formulation)) s->unknown[j].mechanical = true;
        s->equation[at++] =
            (taut_equation){.node = row[j], .name = name, .place = n->problem->variable[j].place};
    }
    for (int i = 0; i < n->mechanism->angles; i++) {
        const taut_tracked *x = &n->angle[i];
        const char *name = taut_problem_name(p, "angle %s", n->mechanism->angle[i].name);
        if (!name) return TAUT_ERR_MEMORY;
        s->unknown[coordinates + i].rest_default = true;
        const taut_node follow = taut_sub(n->graph, taut_dot(n->graph, x->variable, 1), x->rate);
        s->equation[at++] = (taut_equation){.node = decaying_rate(n, follow, forming),
                                            .name = name,
                                            .place = n->mechanism->angle[i].place};
    }
    for (int i = 0; i < n->phases; i++) {
        const taut_model_variable *v = &n->problem->variable[n->first_phase + i];
        s->equation[at++] =
            (taut_equation){.node = decaying_rate(n, taut_dot(n->graph, v->node, 1), forming),
                            .name = v->name,
                            .place = v->place};
        s->unknown[n->first_phase + i].rest_default = true;
    }
    for (size_t i = 0; i < n->lifts; i++) {
        const taut_lift *x = &n->lift[i];
        s->unknown[taut_node_get(n->graph, x->variable)->index].auxiliary = true;
        s->equation[at++] = (taut_equation){
            .node = taut_sub(n->graph, x->variable, x->value), .name = x->name, .place = x->place};
    }
    TAUT_TRY(taut_problem_add_equations(p, &n->equations, "equation", &at));
    TAUT_TRY(taut_mechanics_least_equations(n, sweep, row, coordinates, &at));
    TAUT_TRY(taut_contacts_add_equations(p, forming->mode, &at));
    if (n->work != TAUT_NO_NODE) {
        const int j = p->work = taut_node_get(n->graph, n->work)->index;
        taut_node power;
        TAUT_TRY(taut_mechanics_power(n, &power));
        TAUT_TRY(taut_mechanics_formula_power(n, sweep, &power));
        TAUT_TRY(taut_contacts_power(p, sweep, n->tracked, false, &power));
        TAUT_TRY(taut_mechanics_follow_angles(n, &power));
        TAUT_TRY(taut_contacts_power(p, sweep, n->tracked, true, &power));
        /* What ground does to points and vectors that it moves has no multiplier where they are
         * assigned; but all that is done becomes energy. */
        if (n->moving) power = taut_dot(n->graph, p->energy, 1);
        s->unknown[j].passive = true;
        n->power = power;
        s->given[s->givens++] = (taut_given){.variable = j, .fixed = true, .number = -1};
        s->equation[at++] =
            (taut_equation){.node = taut_sub(n->graph, taut_dot(n->graph, n->work, 1), power),
                            .name = "work",
                            .place = s->place};
    }
    return fill_constraints(n, forming, at);
}

/* Constraints of joints that are disassembled at the start, and those of drivers. */
static taut_status mark_constraints(taut_mechanics *n) {
    bool *late = NULL, *driver = TAUT_NEW_ARRAY(n->arena, n->problem->system.n, bool);
    if (!driver) return TAUT_ERR_MEMORY;
    n->problem->system.driver = driver;
    n->problem->system.first_constraint = n->problem->first_constraint;
    for (size_t i = 0; i < n->constraints; i++) {
        driver[n->problem->first_constraint + (int)i] = n->constraint[i].driver;
        if (!n->constraint[i].late) continue;
        if (!late) late = TAUT_NEW_ARRAY(n->arena, n->problem->system.n, bool);
        if (!late) return TAUT_ERR_MEMORY;
        late[n->problem->first_constraint + (int)i] = true;
    }
    n->problem->system.late = late;
    return TAUT_OK;
}

/* ---- the problem ---- */

/* Nothing may depend on time if energy is to stay. */
static bool uses_time(taut_mechanics *n) {
    for (int e = 0; e < n->mechanism->elements; e++) {
        if (!n->mechanism->element[e].fixed && !n->mechanism->element[e].formula) continue;
        for (int i = 0; i < n->mechanism->dimension; i++) {
            const taut_node_data *d = taut_node_get(n->graph, n->kin->value[e].c[i]);
            if (!d->steady && n->mechanism->element[e].fixed) return true;
        }
    }
    return false;
}

/* Loads are read after the unknowns are known, but already tell that energy will not stay. */
static bool will_be_open(const taut_mechanics *n) {
    if (n->kin->whole && n->mechanism->splits > 0) return false; /* a start needs no work */
    return n->open || n->mechanism->loads > 0 || n->model->contacts > 0;
}

/* So many equations more than further unknowns: those of actuators of least norm. */
static int least_equations(const taut_mechanics *n, int coordinates) {
    return taut_mechanics_surplus(n) > 0
               ? coordinates + (int)n->constraints + n->model->actuators - taut_mechanics_surplus(n)
               : 0;
}

/* Unknowns, constraints and forces of all parts, in the order in which the unknowns are numbered:
 * coordinates, of which there are *coordinates, angles, others, multipliers. */
static taut_status gather(taut_mechanics *n, const taut_forming *forming, int *coordinates) {
    taut_problem *p = n->problem;
    p->placing = n->problem->variables;
    TAUT_TRY(taut_mechanics_pairs(n));
    if (n->faulty) return TAUT_ERR_INPUT; /* names would be unknown */
    *coordinates = n->problem->variables;
    TAUT_TRY(taut_mechanics_angles(n));
    n->tracked = n->problem->variables;
    TAUT_TRY(taut_mechanics_ties(n));
    TAUT_TRY(taut_mechanics_rigidity(n));
    TAUT_TRY(taut_mechanics_energies(n));
    TAUT_TRY(taut_mechanics_formulas(n));
    TAUT_TRY(taut_mechanics_drivers(n));
    TAUT_TRY(taut_mechanics_velocities(n)); /* those of velocities come last */
    TAUT_TRY(taut_mechanics_velocity_drivers(n));
    n->moving = uses_time(n);
    if (n->moving || n->model->contacts > 0) n->open = true;
    p->force_group = TAUT_GROUP_FORCE;
    TAUT_TRY(taut_contacts_add_unknowns(p));
    TAUT_MECHANICS_NOTE(n, taut_mechanics_loose(n));
    const int others = n->mechanism->angles + (int)n->lifts + n->phases + n->model->extras +
                       p->forces + (will_be_open(n) ? 1 : 0) + least_equations(n, *coordinates);
    if (will_be_open(n))
        TAUT_TRY(taut_problem_add_variable(p, "work", TAUT_GROUP_ENERGY, n->model->problem_place,
                                           &n->work));
    TAUT_TRY(drop_constraints(n, *coordinates + others, forming->drop, forming->drops));
    TAUT_TRY(add_multipliers(n));
    TAUT_TRY(taut_mechanics_least_unknowns(n, *coordinates));
    TAUT_TRY(taut_mechanics_loads(n));
    TAUT_TRY(taut_mechanics_bind(n));
    if (!n->faulty) TAUT_TRY(taut_mechanics_check_links(n));
    if (n->faulty) return TAUT_ERR_INPUT;
    if (*coordinates == 0)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, n->model->problem_place,
                            "nothing in this mechanism can move");
    return TAUT_OK;
}

/* The energies, and the system: its equations and how it begins. */
static taut_status equate(taut_mechanics *n, taut_sweep *sweep, const taut_forming *forming,
                          int coordinates) {
    taut_problem *p = n->problem;
    taut_graph *g = n->graph;
    p->kinetic = taut_terms_total(g, &n->kinetic);
    const taut_node weight =
        taut_terms_total(g, &n->weight); /* springs act as forces and are not varied */
    p->potential = taut_add(g, weight, taut_terms_total(g, &n->elastic));
    p->energy = taut_add(g, p->kinetic, p->potential);
    taut_node *row = TAUT_NEW_ARRAY(n->arena, coordinates, taut_node);
    if (!row || p->energy == TAUT_NO_NODE) return TAUT_ERR_MEMORY;
    TAUT_TRY(find_rows(n, sweep, coordinates, taut_sub(g, p->kinetic, weight), row));
    TAUT_TRY(taut_problem_fill_system(p));
    TAUT_TRY(forming->start ? taut_mechanics_start(n, forming->start)
                            : taut_mechanics_conditions(n));
    TAUT_TRY(fill_equations(n, sweep, row, coordinates, forming));
    return mark_constraints(n);
}

/* What others ask of the problem: its angles, its mobility. */
static taut_status describe(taut_mechanics *n, const taut_forming *forming, int coordinates) {
    taut_problem *p = n->problem;
    p->coordinates = coordinates;
    p->angles = n->mechanism->angles;
    p->angle = taut_arena_array(n->arena, (size_t)p->angles + 1, sizeof *p->angle);
    if (!p->angle) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->angles; i++) {
        p->angle[i][0] = n->angle[i].sine;
        p->angle[i][1] = n->angle[i].cosine;
    }
    if (n->model->trim) {
        p->angle_off = TAUT_NEW_ARRAY(n->arena, p->angles + 1, taut_node);
        if (!p->angle_off) return TAUT_ERR_MEMORY;
        for (int i = 0; i < p->angles; i++) p->angle_off[i] = taut_problem_angle_off(p, i);
    }
    p->lifts = (int)n->lifts;
    if (n->lifts > 0) p->first_lift = taut_node_get(n->graph, n->lift[0].variable)->index;
    p->mobility = coordinates - (int)n->constraints - taut_mechanics_engaged(n, forming->mode);
    p->conservative = !n->open;
    return TAUT_OK;
}

static taut_status build(taut_mechanics *n, taut_sweep *sweep, const taut_forming *forming) {
    int coordinates;
    TAUT_TRY(gather(n, forming, &coordinates));
    TAUT_TRY(equate(n, sweep, forming, coordinates));
    TAUT_TRY(describe(n, forming, coordinates));
    if (forming->builds) TAUT_TRY(taut_buildup_make(n));
    TAUT_TRY(taut_mechanics_columns(n, sweep));
    if (forming->recursion && !forming->differentiated)
        TAUT_TRY(taut_mechanics_law(n, sweep, coordinates));
    return forming->reactions ? taut_mechanics_reactions(n, sweep, forming->body_axes) : TAUT_OK;
}

/* What the file's formulas have become, as far as anybody has used them. */
static taut_status list_formulas(taut_mechanics *n) {
    const taut_model *m = n->model;
    taut_node *formula = TAUT_NEW_ARRAY(n->arena, m->formulas, taut_node);
    int count = 0;
    if (!formula) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->formulas; i++) {
        const taut_node node = taut_substitution_known(n->kin->substitution, m->formula[i]);
        if (node != TAUT_NO_NODE && !taut_node_get(n->graph, node)->steady) formula[count++] = node;
    }
    n->problem->system.formula = formula;
    n->problem->system.formulas = count;
    n->problem->system.sampled = n->problem->sampled;
    n->problem->system.sampleds = n->model->lookups;
    return TAUT_OK;
}

/* So many nodes at least come of a mechanism. */
static size_t few_nodes(const taut_mechanism *m) {
    const size_t bodies = (size_t)m->bodies, particles = (size_t)m->particles;
    return (m->dimension == 2 ? 96 : 512) * bodies + 40 * particles;
}

taut_status taut_form_mechanism(taut_problem *p, const taut_forming *forming, taut_errors *errors) {
    taut_mechanics n = {.problem = p,
                        .model = p->model,
                        .mechanism = p->model->mechanism,
                        .graph = p->graph,
                        .errors = errors,
                        .arena = &p->arena};
    taut_sweep *sweep = NULL;
    p->groups = TAUT_GROUPS;
    taut_graph_reserve(p->graph, few_nodes(n.mechanism));
    taut_status status = taut_kin_create(p, forming, &n.kin, errors);
    if (status == TAUT_OK) status = taut_sweep_create(n.graph, &sweep);
    if (status == TAUT_OK) status = build(&n, sweep, forming);
    if (status == TAUT_OK) status = list_formulas(&n);
    taut_sweep_free(&sweep);
    taut_pattern_free(&n.pattern);
    taut_kin_free(&n.kin);
    taut_release((void **)&n.kinetic.node);
    taut_release((void **)&n.weight.node);
    taut_release((void **)&n.elastic.node);
    taut_release((void **)&n.force);
    taut_release((void **)&n.lift);
    taut_release((void **)&n.torque);
    taut_release((void **)&n.action);
    taut_release((void **)&n.constraint);
    taut_release((void **)&n.used);
    return status;
}
