/* Looks through sums and constant factors for powers, and makes their forces unknowns. What the
 * file writes as k (|d| - l)^2 / 2 is such a term, and so are x^2 and y^2 of k (x^2 + y^2). */
#include "form/lift.h"

enum { DEEPEST = 8 };        /* sums in products in sums ...; what is further down stays as it is */
enum { MOST_LOOKS = 20000 }; /* the same sum may be found on many ways; then the rest stays */

taut_status taut_lifting_create(taut_problem *p, taut_lifting *l) {
    *l = (taut_lifting){.problem = p};
    return taut_pattern_create(p->graph, &l->pattern);
}

void taut_lifting_release(taut_lifting *l) {
    taut_pattern_free(&l->pattern);
    taut_release((void **)&l->force);
    taut_release((void **)&l->rest);
}

/* A new unknown for this force. */
static taut_status add(taut_lifting *l, taut_lifted_force force, const char *what) {
    taut_problem *p = l->problem;
    force.name = taut_problem_name(p, "%s %d", what, (int)l->forces + 1);
    if (!force.name || taut_grow((void **)&l->force, &l->room, l->forces + 1, sizeof *l->force) ||
        taut_problem_add_variable(p, force.name, p->groups++, p->model->problem_place,
                                  &force.variable))
        return TAUT_ERR_MEMORY;
    l->force[l->forces++] = force;
    return TAUT_OK;
}

/* ---- powers ---- */

/* The node as a power of *base: what exponent? */
static double power_of(taut_graph *g, taut_node v, taut_node *base, int depth) {
    const taut_node_data *d = taut_node_get(g, v);
    const taut_node *a = taut_node_args(g, v);
    taut_node other;
    *base = v;
    if (depth == DEEPEST) return 1.0;
    switch (d->op) {
    case TAUT_OP_SQR: return 2.0 * power_of(g, a[0], base, depth + 1);
    case TAUT_OP_SQRT: return 0.5 * power_of(g, a[0], base, depth + 1);
    case TAUT_OP_POW: return taut_assume_value(g, a[1]) * power_of(g, a[0], base, depth + 1);
    case TAUT_OP_MUL: {
        const double one = power_of(g, a[0], base, depth + 1);
        const double two = power_of(g, a[1], &other, depth + 1);
        if (other == *base) return one + two;
        *base = v;
        return 1.0;
    }
    default: return 1.0;
    }
}

/* What an expression contains. */
typedef struct contents {
    bool coordinates, rates; /* of these */
} contents;

static taut_status look_into(taut_lifting *l, taut_node v, contents *c) {
    const taut_pattern_entry *entry;
    size_t count;
    TAUT_TRY(taut_pattern_row(l->pattern, v, &entry, &count));
    *c = (contents){0};
    for (size_t i = 0; i < count; i++) {
        const bool coordinate = entry[i].variable < l->problem->model->coordinates;
        c->coordinates = c->coordinates || coordinate;
        c->rates = c->rates || (coordinate && entry[i].order > 0);
    }
    return TAUT_OK;
}

/* ---- terms ---- */

static taut_status keep(taut_lifting *l, taut_node term) {
    if (taut_grow((void **)&l->rest, &l->rest_room, l->rests + 1, sizeof *l->rest))
        return TAUT_ERR_MEMORY;
    l->rest[l->rests++] = term;
    return TAUT_OK;
}

/* factor * v, a term without sums: its force becomes an unknown if it is a power. */
static taut_status split_term(taut_lifting *l, taut_node v, taut_node factor, bool damping) {
    taut_graph *g = l->problem->graph;
    taut_node base;
    contents c = {0};
    const double n = power_of(g, v, &base, 0);
    if (n > 1.0) TAUT_TRY(look_into(l, base, &c));
    if (!c.coordinates || c.rates != damping) return keep(l, taut_mul(g, factor, v));
    const taut_node slope = taut_scale(g, n, taut_power(g, base, taut_number(g, n - 1.0)));
    return add(
        l,
        (taut_lifted_force){.inner = base, .damping = damping, .value = taut_mul(g, factor, slope)},
        damping ? "damping" : "elastic force");
}

static taut_status split(taut_lifting *l, taut_node v, taut_node factor, bool damping, int depth);

static taut_status split_sum(taut_lifting *l, taut_node v, taut_node factor, bool damping,
                             int depth) {
    taut_graph *g = l->problem->graph;
    const size_t forces = l->forces, rests = l->rests;
    for (uint32_t i = 0; i < taut_node_get(g, v)->count; i++) {
        const taut_node share = taut_scale(g, taut_node_coefs(g, v)[i], factor);
        TAUT_TRY(split(l, taut_node_args(g, v)[i], share, damping, depth + 1));
    }
    if (l->forces > forces) return TAUT_OK;
    l->rests = rests; /* nothing found: it stays in one piece */
    return keep(l, taut_mul(g, factor, v));
}

/* factor * v, factor constant in time. */
static taut_status split(taut_lifting *l, taut_node v, taut_node factor, bool damping, int depth) {
    taut_graph *g = l->problem->graph;
    if (v == TAUT_NO_NODE || factor == TAUT_NO_NODE) return TAUT_ERR_MEMORY;
    const taut_node_data d = *taut_node_get(g, v);
    if (d.steady) return TAUT_OK; /* no force comes of it */
    const bool further = depth < DEEPEST && ++l->looks < MOST_LOOKS;
    if (d.op == TAUT_OP_SUM && further) return split_sum(l, v, factor, damping, depth);
    if (d.op == TAUT_OP_MUL && further) {
        const taut_node a = taut_node_args(g, v)[0], b = taut_node_args(g, v)[1];
        if (taut_node_get(g, a)->steady)
            return split(l, b, taut_mul(g, factor, a), damping, depth + 1);
        if (taut_node_get(g, b)->steady)
            return split(l, a, taut_mul(g, factor, b), damping, depth + 1);
    }
    return split_term(l, v, factor, damping);
}

taut_status taut_lifting_split(taut_lifting *l, bool damping, taut_node *f) {
    taut_graph *g = l->problem->graph;
    l->rests = 0;
    TAUT_TRY(split(l, *f, taut_number(g, 1.0), damping, 0));
    double *one = TAUT_NEW_ARRAY(&l->problem->arena, l->rests + 1, double);
    if (!one) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < l->rests; i++) one[i] = 1.0;
    *f = taut_sum(g, 0.0, l->rests, one, l->rest);
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- forces as given ---- */

/* Notes in has (coordinates) what a force depends on; *others: on further unknowns, too. */
static taut_status note_coordinates(taut_lifting *l, taut_node force, bool *has, bool *others) {
    const taut_pattern_entry *entry;
    size_t count;
    TAUT_TRY(taut_pattern_row(l->pattern, force, &entry, &count));
    *others = false;
    for (size_t i = 0; i < count; i++)
        if (entry[i].variable < l->problem->model->coordinates)
            has[entry[i].variable] = true;
        else
            *others = true;
    return TAUT_OK;
}

/* The unknown that stands for this force, or minus that; TAUT_NO_NODE: none yet. */
static taut_node known_force(const taut_lifting *l, taut_node force) {
    taut_graph *g = l->problem->graph;
    const taut_node minus = taut_scale(g, -1.0, force);
    for (size_t i = 0; i < l->forces; i++) {
        const taut_lifted_force *x = &l->force[i];
        if (x->inner != TAUT_NO_NODE) continue;
        if (x->value == force) return x->variable;
        if (x->value == minus) return taut_scale(g, -1.0, x->variable);
    }
    return TAUT_NO_NODE;
}

taut_status taut_lifting_forces(taut_lifting *l, taut_node *force, int count) {
    taut_graph *g = l->problem->graph;
    const int n = l->problem->model->coordinates;
    bool *has = TAUT_NEW_ARRAY(&l->problem->arena, count * n + 1, bool);
    bool *stays = TAUT_NEW_ARRAY(&l->problem->arena, count + 1, bool);
    if (!has || !stays) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) TAUT_TRY(note_coordinates(l, force[i], has + i * n, &stays[i]));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            bool shared = false;
            for (int j = 0; j < n; j++) shared = shared || (has[i * n + j] && has[k * n + j]);
            if (shared && force[k] != force[i] && force[k] != taut_scale(g, -1.0, force[i]))
                stays[i] = stays[k] = true;
        }
    for (int i = 0; i < count; i++) {
        bool moves = false;
        for (int j = 0; j < n; j++) moves = moves || has[i * n + j];
        if (stays[i] || !moves) continue;
        taut_node known = known_force(l, force[i]);
        if (known == TAUT_NO_NODE) {
            TAUT_TRY(add(l, (taut_lifted_force){.value = force[i]}, "force"));
            known = l->force[l->forces - 1].variable;
        }
        force[i] = known;
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- the problem ---- */

void taut_lifting_finish(taut_lifting *l) {
    l->problem->lifts = (int)l->forces;
    l->problem->first_lift = l->problem->variables - (int)l->forces;
}

void taut_lifting_add_equations(const taut_lifting *l, int *n) {
    taut_system *s = &l->problem->system;
    taut_graph *g = l->problem->graph;
    for (size_t i = 0; i < l->forces; i++) {
        const taut_lifted_force *x = &l->force[i];
        s->unknown[taut_node_get(g, x->variable)->index].auxiliary = true;
        s->equation[(*n)++] = (taut_equation){.node = taut_sub(g, x->variable, x->value),
                                              .name = x->name,
                                              .place = l->problem->model->problem_place};
    }
}
