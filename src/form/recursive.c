/* From states to limbs and back; forces and loops in between. */
#include "form/recursive.h"

#include <math.h>
#include <string.h>

#include "expr/values.h"
#include "form/multiplier.h"
#include "form/spatial.h"
#include "solve/ode.h"

typedef struct recursive {
    taut_ode ode;                 /* comes first: a flow */
    const taut_flow_kind *of_ode; /* what it can do by itself, ... */
    taut_flow_kind kind;          /* ... and what is different here */
    const taut_law *law;
    taut_recursion *tree;
    int rates;         /* of the hinges */
    int coordinates;   /* unknowns 0 .. coordinates - 1 are those of hinges */
    bool accelerated;  /* some tracked angle is of second order */
    taut_values angle; /* rates of tracked angles */
    taut_values load;  /* forces and entries of conditions; velocities of these */
    taut_values power;
    double *spin;         /* [angles] rates of tracked angles, as values */
    double *target;       /* [forces + entries + conditions] the last ones: what stays 0 */
    double *x;            /* [n * 3] value, first and second derivative of every unknown */
    double *q, *v, *a;    /* of the hinges */
    double *force, *free; /* [rates] */
    double *row, *column; /* [conditions * rates] G, and M^-1 G^T */
    double *lambda;       /* [conditions] */
    taut_multiplier multiplier;
} recursive;

/* ---- states and hinges ---- */

static double *of(const recursive *r, int variable) { return r->x + 3 * (size_t)variable; }

static bool is_ball(const recursive *r, const taut_law_hinge *h) {
    return r->law->limb[h->limb].hinge == TAUT_HINGE_BALL;
}

/* A quaternion that turns the x axis to a direction. */
static void turn_to(taut_v3 u, double e[4]) {
    const bool near = u.x >= 0.0;
    e[0] = near ? 1.0 + u.x : u.y;
    e[1] = near ? 0.0 : u.z;
    e[2] = near ? -u.z : 0.0;
    e[3] = near ? u.y : 1.0 - u.x;
}

static taut_m3 axes_of(const double e[4]) {
    const double s = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    const double w = e[0], x = e[1], y = e[2], z = e[3];
    return (taut_m3){{{1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                      {s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)},
                      {s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)}}};
}

/* Component `order` of three unknowns. */
static taut_v3 vector_of(const recursive *r, int variable, int order) {
    return (taut_v3){of(r, variable)[order], of(r, variable + 1)[order],
                     of(r, variable + 2)[order]};
}

static void store(double *to, taut_v3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* omega = 2 (e0 e' - e0' e - e x e') along the limb's axes; of a rod u x u' along the world's. */
static taut_v3 spin_of(const recursive *r, const taut_law_hinge *h) {
    if (h->rod) return taut_v3_cross(vector_of(r, h->variable, 0), vector_of(r, h->variable, 1));
    const double *e0 = of(r, h->variable);
    const taut_v3 e = vector_of(r, h->variable + 1, 0), rate = vector_of(r, h->variable + 1, 1);
    const taut_v3 sum = taut_v3_more(taut_v3_scale(e0[0], rate), -e0[1], e);
    return taut_v3_scale(2.0, taut_v3_sub(sum, taut_v3_cross(e, rate)));
}

static void to_hinges(recursive *r) {
    for (int i = 0; i < r->law->hinges; i++) {
        const taut_law_hinge *h = &r->law->hinge[i];
        double *q = r->q + taut_recursion_coordinate_of(r->tree, h->limb),
               *v = r->v + taut_recursion_rate_of(r->tree, h->limb);
        if (!is_ball(r, h)) {
            *q = of(r, h->variable)[0];
            *v = of(r, h->variable)[1];
        } else if (h->rod) {
            turn_to(vector_of(r, h->variable, 0), q);
            const taut_m3 axes = axes_of(q);
            store(v, taut_m3_apply_t(&axes, spin_of(r, h)));
        } else {
            for (int k = 0; k < 4; k++) q[k] = of(r, h->variable + k)[0];
            store(v, spin_of(r, h));
        }
    }
}

/* Second derivatives of the unknowns, from accelerations of the hinges. */
static void from_hinges(recursive *r, const double *acceleration) {
    for (int i = 0; i < r->law->hinges; i++) {
        const taut_law_hinge *h = &r->law->hinge[i];
        const double *a = acceleration + taut_recursion_rate_of(r->tree, h->limb),
                     *q = r->q + taut_recursion_coordinate_of(r->tree, h->limb);
        const taut_v3 alpha = {a[0], is_ball(r, h) ? a[1] : 0.0, is_ball(r, h) ? a[2] : 0.0};
        double second[3];
        if (!is_ball(r, h)) {
            of(r, h->variable)[2] = a[0];
        } else if (h->rod) {
            const taut_m3 axes = axes_of(q);
            const taut_v3 u = vector_of(r, h->variable, 0), omega = spin_of(r, h);
            store(second, taut_v3_add(taut_v3_cross(taut_m3_apply(&axes, alpha), u),
                                      taut_v3_cross(omega, taut_v3_cross(omega, u))));
            for (int k = 0; k < 3; k++) of(r, h->variable + k)[2] = second[k];
        } else { /* e'' = (e (0, omega') + e' (0, omega)) / 2 */
            const double *e0 = of(r, h->variable);
            const taut_v3 e = vector_of(r, h->variable + 1, 0),
                          rate = vector_of(r, h->variable + 1, 1), omega = spin_of(r, h);
            taut_v3 sum = taut_v3_add(taut_v3_cross(e, alpha), taut_v3_cross(rate, omega));
            sum = taut_v3_more(taut_v3_more(sum, e0[0], alpha), e0[1], omega);
            store(second, taut_v3_scale(0.5, sum));
            for (int k = 0; k < 3; k++) of(r, h->variable + 1 + k)[2] = second[k];
            of(r, h->variable)[2] = -0.5 * (taut_v3_dot(e, alpha) + taut_v3_dot(rate, omega));
        }
    }
}

/* What acts on unknowns (their places in x, order 2, hold it) as it acts on the rates of hinges. */
static void pull_back(const recursive *r, double *force) {
    for (int i = 0; i < r->law->hinges; i++) {
        const taut_law_hinge *h = &r->law->hinge[i];
        double *f = force + taut_recursion_rate_of(r->tree, h->limb);
        if (!is_ball(r, h)) {
            f[0] = of(r, h->variable)[2];
        } else if (h->rod) {
            const double *q = r->q + taut_recursion_coordinate_of(r->tree, h->limb);
            const taut_m3 axes = axes_of(q);
            store(f, taut_m3_apply_t(&axes, taut_v3_cross(vector_of(r, h->variable, 0),
                                                          vector_of(r, h->variable, 2))));
        } else {
            const double *e0 = of(r, h->variable);
            const taut_v3 e = vector_of(r, h->variable + 1, 0),
                          Q = vector_of(r, h->variable + 1, 2);
            const taut_v3 sum = taut_v3_more(taut_v3_cross(Q, e), e0[0], Q);
            store(f, taut_v3_scale(0.5, taut_v3_more(sum, -e0[2], e)));
        }
    }
}

static void clear_seconds(recursive *r) {
    for (int i = 0; i < r->law->hinges; i++) {
        const taut_law_hinge *h = &r->law->hinge[i];
        const int count = !is_ball(r, h) ? 1 : h->rod ? 3 : 4;
        for (int k = 0; k < count; k++) of(r, h->variable + k)[2] = 0.0;
    }
}

/* ---- values of nodes ---- */

/* Hands values and derivatives up to `order` of all unknowns to a program. */
static void give(recursive *r, taut_values *values, int order) {
    for (int j = 0; j < r->ode.flow.system->n; j++) {
        const int top = r->ode.flow.structure->offsets.d[j] == 0 ? 0 : 2;
        for (int k = 0; k <= top; k++)
            taut_values_set(values, j, k, k <= order ? of(r, j)[k] : 0.0);
    }
}

static void find_angles(recursive *r, double t) {
    if (r->law->angles == 0) return;
    give(r, &r->angle, 1);
    taut_values_find(&r->angle, t, r->spin);
    for (int i = 0; i < r->law->angles; i++) of(r, r->law->angle[i].variable)[1] = r->spin[i];
}

/* Forces, entries, and what stays 0. */
static void find_load(recursive *r, double t) {
    give(r, &r->load, 1);
    taut_values_find(&r->load, t, r->target);
}

/* ---- loops ---- */

static double dot(const double *a, const double *b, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* Rows of G by hinges, M^-1 G^T by the recursion, and their product. */
static void build_matrix(recursive *r) {
    const taut_law *law = r->law;
    const size_t width = (size_t)r->rates;
    for (int i = 0; i < law->conditions; i++) {
        const taut_law_condition *c = &law->condition[i];
        double *row = r->row + (size_t)i * width, *column = r->column + (size_t)i * width;
        clear_seconds(r);
        for (int k = c->first; k < c->first + c->count; k++)
            of(r, law->entry[k].variable)[2] = r->target[law->forces + k];
        pull_back(r, row);
        taut_recursion_solve(r->tree, row, column);
        for (int j = 0; j <= i; j++)
            r->multiplier.matrix[(size_t)i * (size_t)law->conditions + (size_t)j] =
                dot(r->row + (size_t)j * width, column, r->rates);
    }
}

/* The accelerations that keep loops closed. */
static taut_status close_loops(recursive *r) {
    const taut_law *law = r->law;
    const size_t width = (size_t)r->rates;
    from_hinges(r, r->free);
    for (int i = 0; i < law->conditions; i++) { /* velocity' without multipliers */
        const taut_law_condition *c = &law->condition[i];
        double sum = taut_values_rate(&r->load, i);
        for (int k = c->first; k < c->first + c->count; k++)
            sum += r->target[law->forces + k] * of(r, law->entry[k].variable)[2];
        r->lambda[i] = sum;
    }
    build_matrix(r);
    taut_multiplier_factor(&r->multiplier);
    TAUT_TRY(taut_multiplier_solve(&r->multiplier, r->lambda));
    for (int i = 0; i < law->conditions; i++)
        for (size_t k = 0; k < width; k++)
            r->free[k] -= r->column[(size_t)i * width + k] * r->lambda[i];
    return TAUT_OK;
}

/* ---- the flow ---- */

static void take_states(recursive *r, const double *y) {
    const int *d = r->ode.flow.structure->offsets.d;
    for (int j = 0; j < r->ode.flow.system->n; j++)
        for (int k = 0; k < 3; k++) of(r, j)[k] = k < d[j] ? y[r->ode.first[j] + k] : 0.0;
}

/* Accelerations of tracked angles that are of second order, and the power. */
static void find_rest(recursive *r, double t) {
    const taut_law *law = r->law;
    if (r->accelerated) {
        give(r, &r->angle, 2);
        taut_values_find(&r->angle, t, r->spin);
        for (int i = 0; i < law->angles; i++)
            of(r, law->angle[i].variable)[2] = taut_values_rate(&r->angle, i);
    }
    if (law->power.variable < 0) return;
    give(r, &r->power, 2);
    taut_values_find(&r->power, t, &of(r, law->power.variable)[1]);
}

static taut_status rates(taut_flow *flow, double t, const double *y, double *rate) {
    recursive *r = (recursive *)flow;
    const taut_law *law = r->law;
    const int *d = flow->structure->offsets.d;
    take_states(r, y);
    find_angles(r, t);
    to_hinges(r);
    if (law->forces > 0 || law->conditions > 0) find_load(r, t);
    clear_seconds(r);
    for (int i = 0; i < law->forces; i++) of(r, law->force[i].variable)[2] = r->target[i];
    pull_back(r, r->force);
    if (!taut_recursion_accelerate(r->tree, r->q, r->v, r->force, r->free)) return TAUT_SINGULAR;
    if (law->conditions > 0) TAUT_TRY(close_loops(r));
    from_hinges(r, r->free);
    for (int i = 0; i < law->conditions; i++) of(r, law->condition[i].lambda)[0] = r->lambda[i];
    find_rest(r, t);
    for (int j = 0; j < flow->system->n; j++) {
        const int first = r->ode.first[j];
        const double highest = of(r, j)[d[j]];
        if (!isfinite(highest)) return TAUT_ERR_NUMERICS;
        r->ode.guess[j] = highest;
        for (int k = 0; k + 1 < d[j]; k++) rate[first + k] = y[first + k + 1];
        if (d[j] > 0) rate[first + d[j] - 1] = highest;
    }
    return TAUT_OK;
}

/* ---- stabilisation ---- */

/* Moves a hinge's unknowns (order 0) or their rates (order 1) by a step of the hinge's rates. */
static void move(recursive *r, int order, const double *step) {
    for (int i = 0; i < r->law->hinges; i++) {
        const taut_law_hinge *h = &r->law->hinge[i];
        const double *s = step + taut_recursion_rate_of(r->tree, h->limb);
        if (!is_ball(r, h)) {
            of(r, h->variable)[order] += s[0];
            continue;
        }
        const taut_v3 turn = {s[0], s[1], s[2]};
        const int first = h->rod ? h->variable : h->variable + 1;
        const taut_v3 e = vector_of(r, first, 0);
        double change[3];
        if (h->rod) {
            const taut_m3 axes = axes_of(r->q + taut_recursion_coordinate_of(r->tree, h->limb));
            store(change, taut_v3_cross(taut_m3_apply(&axes, turn), e));
        } else {
            const double e0 = of(r, h->variable)[0];
            store(change, taut_v3_scale(0.5, taut_v3_more(taut_v3_cross(e, turn), e0, turn)));
            of(r, h->variable)[order] -= 0.5 * taut_v3_dot(e, turn);
        }
        for (int k = 0; k < 3; k++) of(r, first + k)[order] += change[k];
    }
}

/* Lengths of what turns bodies are 1, and stay so. */
static void normalise(recursive *r) {
    for (int i = 0; i < r->law->hinges; i++) {
        const taut_law_hinge *h = &r->law->hinge[i];
        const int count = h->rod ? 3 : 4;
        double square = 0.0, along = 0.0;
        if (!is_ball(r, h)) continue;
        for (int k = 0; k < count; k++) square += pow(of(r, h->variable + k)[0], 2.0);
        for (int k = 0; k < count; k++) of(r, h->variable + k)[0] /= sqrt(square);
        for (int k = 0; k < count; k++)
            along += of(r, h->variable + k)[0] * of(r, h->variable + k)[1];
        for (int k = 0; k < count; k++)
            of(r, h->variable + k)[1] -= along * of(r, h->variable + k)[0];
    }
}

/* -M^-1 G^T Lambda^-1 times what is in lambda, as a step of the hinges' rates. */
static taut_status find_step(recursive *r) {
    const size_t width = (size_t)r->rates;
    TAUT_TRY(taut_multiplier_solve(&r->multiplier, r->lambda));
    memset(r->free, 0, width * sizeof *r->free);
    for (int i = 0; i < r->law->conditions; i++)
        for (size_t k = 0; k < width; k++)
            r->free[k] -= r->column[(size_t)i * width + k] * r->lambda[i];
    return TAUT_OK;
}

/* For fixed steps, instead of an iteration: the correction of Ascher, Chin, Petzold and Reich in
 * the metric of the kinetic energy, twice with the same factors, so that every step takes the same
 * work (docs/math/relative.md). */
static taut_status stabilise(taut_flow *flow, double t, const double *y, double *correction) {
    recursive *r = (recursive *)flow;
    const taut_law *law = r->law;
    const int *d = flow->structure->offsets.d;
    take_states(r, y);
    find_angles(r, t);
    to_hinges(r);
    if (!taut_recursion_accelerate(r->tree, r->q, r->v, NULL, r->free)) return TAUT_SINGULAR;
    for (int round = 0; round < 2 && law->conditions > 0; round++) {
        find_load(r, t);
        if (round == 0) {
            build_matrix(r);
            taut_multiplier_factor(&r->multiplier);
        }
        for (int i = 0; i < law->conditions; i++)
            r->lambda[i] = r->target[(size_t)law->forces + law->entries + (size_t)i];
        TAUT_TRY(find_step(r));
        move(r, 0, r->free);
        for (int i = 0; i < law->conditions; i++) r->lambda[i] = taut_values_value(&r->load, i);
        TAUT_TRY(find_step(r));
        move(r, 1, r->free);
    }
    normalise(r);
    for (int j = 0; j < flow->system->n; j++)
        for (int k = 0; k < d[j]; k++) {
            const int state = r->ode.first[j] + k;
            const bool hinged = j < r->coordinates;
            correction[state] = hinged ? of(r, j)[k] - y[state] : 0.0;
        }
    return TAUT_OK;
}

/* The flow's series shows where the constraints are; rates do not move it. */
static taut_status reach(taut_flow *flow, double t, const double *y) {
    recursive *r = (recursive *)flow;
    if (flow->restricted) {
        taut_series_start(flow->series, t, 1.0);
        for (int j = 0; j < flow->system->n; j++)
            for (int k = 0; k < flow->structure->offsets.d[j]; k++)
                taut_series_set(flow->series, j, k, y[r->ode.first[j] + k]);
        taut_series_look(flow->series, -1);
    }
    return r->of_ode->reach(flow, t, y);
}

static void release(taut_flow *flow) {
    recursive *r = (recursive *)flow;
    taut_recursion_free(&r->tree);
    taut_ode_release(&r->ode);
}

bool taut_flow_is_recursive(const taut_flow *flow) { return flow->kind->rates == rates; }

/* ---- creation ---- */

/* Are all unknowns of the orders that the law supposes? */
static bool fits(recursive *r) {
    const taut_law *law = r->law;
    const int *d = r->ode.flow.structure->offsets.d;
    for (int i = 0; i < law->hinges; i++) {
        const taut_law_hinge *h = &law->hinge[i];
        const int count = !is_ball(r, h) ? 1 : h->rod ? 3 : 4;
        for (int k = 0; k < count; k++)
            if (d[h->variable + k] != 2) return false;
    }
    for (int i = 0; i < law->angles; i++) {
        const int order = d[law->angle[i].variable];
        if (order < 1 || order > 2) return false;
        if (order == 2) r->accelerated = true;
    }
    for (int i = 0; i < law->conditions; i++)
        if (d[law->condition[i].lambda] != 0) return false;
    return law->power.variable < 0 || d[law->power.variable] == 1;
}

static taut_status create_programs(recursive *r, taut_arena *arena) {
    const taut_law *law = r->law;
    taut_graph *graph = r->ode.flow.system->graph;
    const int n = r->ode.flow.system->n;
    const size_t entries = (size_t)law->forces + law->entries,
                 targets = entries + (size_t)law->conditions;
    taut_node *node = TAUT_NEW_ARRAY(arena, targets + (size_t)law->angles + 1, taut_node),
              *moving = TAUT_NEW_ARRAY(arena, law->conditions + 1, taut_node);
    int *d = TAUT_NEW_ARRAY(arena, n, int);
    if (!node || !moving || !d) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) d[j] = r->ode.flow.structure->offsets.d[j] == 0 ? 0 : 2;
    for (int i = 0; i < law->angles; i++) node[i] = law->angle[i].node;
    if (law->angles > 0)
        TAUT_TRY(taut_values_create(graph, d, n, node, (size_t)law->angles, node,
                                    r->accelerated ? (size_t)law->angles : 0, arena, &r->angle));
    for (int i = 0; i < law->forces; i++) node[i] = law->force[i].node;
    for (size_t i = 0; i < law->entries; i++) node[(size_t)law->forces + i] = law->entry[i].node;
    for (int i = 0; i < law->conditions; i++) {
        const taut_node position = law->condition[i].position;
        node[entries + (size_t)i] = position == TAUT_NO_NODE ? taut_number(graph, 0.0) : position;
        moving[i] = law->condition[i].velocity;
    }
    if (law->forces > 0 || law->conditions > 0)
        TAUT_TRY(taut_values_create(graph, d, n, node, targets, moving, (size_t)law->conditions,
                                    arena, &r->load));
    if (law->power.variable >= 0)
        TAUT_TRY(taut_values_create(graph, d, n, &law->power.node, 1, NULL, 0, arena, &r->power));
    return TAUT_OK;
}

static taut_status create_arrays(recursive *r, bool careful, taut_arena *arena) {
    const taut_law *law = r->law;
    const size_t loops = (size_t)law->conditions * (size_t)r->rates;
    r->spin = TAUT_NEW_ARRAY(arena, law->angles, double);
    r->target =
        TAUT_NEW_ARRAY(arena, (size_t)law->forces + law->entries + (size_t)law->conditions, double);
    r->x = TAUT_NEW_ARRAY(arena, 3 * r->ode.flow.system->n, double);
    r->q = TAUT_NEW_ARRAY(arena, taut_recursion_coordinates(r->tree), double);
    r->v = TAUT_NEW_ARRAY(arena, r->rates, double);
    r->force = TAUT_NEW_ARRAY(arena, r->rates, double);
    r->free = TAUT_NEW_ARRAY(arena, r->rates, double);
    r->row = TAUT_NEW_ARRAY(arena, loops, double);
    r->column = TAUT_NEW_ARRAY(arena, loops, double);
    r->lambda = TAUT_NEW_ARRAY(arena, law->conditions, double);
    if (!r->spin || !r->target || !r->x || !r->q || !r->v || !r->force || !r->free || !r->row ||
        !r->column || !r->lambda)
        return TAUT_ERR_MEMORY;
    return taut_multiplier_create(law->conditions, careful, arena, &r->multiplier);
}

taut_status taut_recursive_create(const void *user, const taut_system *system,
                                  const taut_structure *structure, const taut_stepping *stepping,
                                  taut_arena *arena, taut_flow **flow) {
    const taut_recursive_options *options = user;
    recursive *r = TAUT_NEW(arena, recursive);
    if (!r) return TAUT_ERR_MEMORY;
    r->law = options->law;
    *flow = &r->ode.flow;
    TAUT_TRY(taut_ode_create(system, structure, stepping, arena, &r->ode));
    if (!fits(r)) return TAUT_OK;
    TAUT_TRY(taut_recursion_create(r->law->dimension, r->law->limb, r->law->limbs, r->law->gravity,
                                   &r->tree));
    r->of_ode = r->ode.flow.kind;
    r->kind = *r->of_ode;
    r->kind.rates = rates;
    r->kind.reach = reach;
    r->kind.release = release;
    r->ode.flow.kind = &r->kind;
    r->rates = taut_recursion_rates(r->tree);
    for (int i = 0; i < r->law->hinges; i++)
        r->coordinates += !is_ball(r, &r->law->hinge[i]) ? 1 : r->law->hinge[i].rod ? 3 : 4;
    if (stepping->step > 0.0) r->kind.project = stabilise;
    TAUT_TRY(create_arrays(r, options->careful, arena));
    return create_programs(r, arena);
}
