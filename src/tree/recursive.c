/* Forward dynamics of a tree with loops: from states to limbs, forces, the articulated-body
 * recursion, loop closure, and back to accelerations. */
#include "tree/recursive.h"

#include <math.h>
#include <string.h>

#include "expr/values.h"
#include "tree/closure.h"
#include "solve/ode.h"
#include "solve/projecting.h"

/* Corrections of positions, at most; they end when one is this part of the error that is allowed,
 * because the next one would be its square. */
static const int PROJECTIONS = 5;
static const double ENOUGH = 1e-3;

/* A condition on one hinge alone, such as a driver's: it says how the hinge moves. */
typedef struct guide {
    int condition, hinge;
} guide;

typedef struct recursive {
    taut_ode ode;                 /* comes first: a flow */
    const taut_flow_kind *of_ode; /* what it can do by itself, ... */
    taut_flow_kind kind;          /* ... and what is different here */
    const taut_law *law;
    taut_recursion *tree;
    taut_hinges hinges;
    taut_closure loops;   /* all conditions, ... */
    taut_closure closing; /* ... and those that are not guides */
    guide *guide;         /* [guides] */
    int guides;
    int coordinates;   /* unknowns 0 .. coordinates - 1 are those of hinges */
    bool accelerated;  /* some tracked angle is of second order */
    taut_values angle; /* rates of tracked angles */
    taut_values load;  /* forces, entries, what stays 0; velocities of conditions */
    taut_values power;
    double *spin;         /* [angles] rates of tracked angles, as values */
    double *speed, *idle; /* [coordinates] velocities put aside; [angles] rates at rest */
    double *target;       /* [forces + entries + conditions] */
    double *force, *free; /* [rates] on hinges; accelerations of these */
    double *allowed;      /* [states] errors */
    double *square;       /* [rates] */
} recursive;

static double *of(const recursive *r, int variable) { return taut_hinges_of(&r->hinges, variable); }

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

static const double *entries(const recursive *r) { return r->target + r->law->forces; }

/* velocity' of a condition with the second derivatives that are there. */
static double open_rate(const recursive *r, int condition) {
    const taut_law_condition *c = &r->law->condition[condition];
    double sum = taut_values_rate(&r->load, condition);
    for (int k = c->first; k < c->first + c->count; k++)
        sum += entries(r)[k] * of(r, r->law->entry[k].variable)[2];
    return sum;
}

/* The accelerations that keep loops closed. */
static taut_status close_loops(recursive *r) {
    taut_closure *l = &r->closing;
    taut_hinges_leave(&r->hinges, r->free);
    for (int i = 0; i < l->conditions; i++) l->lambda[i] = open_rate(r, l->which[i]);
    taut_closure_build(l, &r->hinges, entries(r));
    return taut_closure_close(l, r->free);
}

/* Accelerations of guided hinges, as their conditions say. */
static taut_status find_guided(recursive *r) {
    for (int i = 0; i < r->guides; i++) {
        const int condition = r->guide[i].condition;
        const double slope = entries(r)[r->law->condition[condition].first];
        if (fabs(slope) < 1e-12) return TAUT_SINGULAR;
        r->free[taut_hinge_rate(&r->hinges, r->guide[i].hinge)] =
            -taut_values_rate(&r->load, condition) / slope;
    }
    return TAUT_OK;
}

/* Multipliers: of loops as they were found, of guides from the force that their hinges take. */
static void find_multipliers(recursive *r) {
    const taut_law *law = r->law;
    const taut_closure *l = &r->closing;
    if (r->guides > 0 && l->conditions > 0) {
        taut_closure_push(l, &r->hinges, r->force);
        taut_recursion_accelerate(r->tree, r->hinges.q, r->hinges.v, r->force, r->free);
    }
    for (int i = 0; i < r->guides; i++) {
        const taut_law_condition *c = &law->condition[r->guide[i].condition];
        const double applied = r->force[taut_hinge_rate(&r->hinges, r->guide[i].hinge)];
        const double taken =
            taut_recursion_guided_force(r->tree, law->hinge[r->guide[i].hinge].limb);
        of(r, c->lambda)[0] = (applied - taken) / entries(r)[c->first];
    }
    for (int i = 0; i < l->conditions; i++)
        of(r, law->condition[l->which[i]].lambda)[0] = l->lambda[i];
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
    taut_hinges_enter(&r->hinges);
    if (law->forces > 0 || law->conditions > 0) find_load(r, t);
    for (int i = 0; i < law->forces; i++) of(r, law->force[i].variable)[2] = r->target[i];
    for (int i = 0; i < law->hinges; i++) taut_hinges_pull(&r->hinges, i, r->force);
    TAUT_TRY(find_guided(r));
    taut_recursion_set_guiding(r->tree, true);
    if (!taut_recursion_accelerate(r->tree, r->hinges.q, r->hinges.v, r->force, r->free))
        return TAUT_SINGULAR;
    if (r->closing.conditions > 0) TAUT_TRY(close_loops(r));
    find_multipliers(r);
    taut_hinges_leave(&r->hinges, r->free);
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

/* ---- staying on the constraints ---- */

static void clear(double *x, int count) { memset(x, 0, (size_t)count * sizeof *x); }

/* Tracked angles move with the hinges by what a correction of positions turns them: their rates are
 * linear in the velocities, and the correction takes the place of these for a moment. A driver
 * holds a tracked angle, so it would never be satisfied by hinges that move alone. */
static void turn_angles(recursive *r, double t) {
    if (r->law->angles == 0) return;
    for (int j = 0; j < r->coordinates; j++) {
        r->speed[j] = of(r, j)[1];
        of(r, j)[1] = 0.0;
    }
    find_angles(r, t);
    memcpy(r->idle, r->spin, (size_t)r->law->angles * sizeof *r->spin);
    taut_hinges_move(&r->hinges, 1, r->free);
    find_angles(r, t);
    for (int i = 0; i < r->law->angles; i++)
        of(r, r->law->angle[i].variable)[0] += r->spin[i] - r->idle[i];
    for (int j = 0; j < r->coordinates; j++) of(r, j)[1] = r->speed[j];
}

/* One correction of values (order 0) or of first derivatives (1), by the factors of the loops. */
static taut_status correct(recursive *r, double t, int order) {
    const double *open = entries(r) + r->law->entries;
    clear(r->free, r->loops.rates);
    for (int i = 0; i < r->law->conditions; i++)
        r->loops.lambda[i] = order == 0 ? open[i] : taut_values_value(&r->load, i);
    TAUT_TRY(taut_closure_close(&r->loops, r->free));
    if (order == 0) turn_angles(r, t);
    taut_hinges_move(&r->hinges, order, r->free);
    return TAUT_OK;
}

static void tell_change(const recursive *r, int variable, const double *y, double *correction) {
    for (int k = 0; k < r->ode.flow.structure->offsets.d[variable]; k++) {
        const int state = r->ode.first[variable] + k;
        correction[state] = of(r, variable)[k] - y[state];
    }
}

/* What was done to the states. */
static void tell_correction(recursive *r, double t, const double *y, double *correction) {
    find_angles(r, t); /* with the velocities as they are now */
    clear(correction, r->ode.flow.states);
    for (int j = 0; j < r->coordinates; j++) tell_change(r, j, y, correction);
    for (int i = 0; i < r->law->angles; i++)
        tell_change(r, r->law->angle[i].variable, y, correction);
}

/* Squares of the errors that the integrator allows, by rates of hinges; a turn of a ball by 1
 * changes its Euler parameters by 1/2. */
static void find_squares(recursive *r, int order) {
    for (int i = 0; i < r->law->hinges; i++) {
        const int unknowns = taut_hinge_unknowns(r->law, i), first = r->law->hinge[i].variable;
        double sum = 0.0;
        for (int k = 0; k < unknowns; k++) {
            const double error = r->allowed[r->ode.first[first + k] + order];
            sum += error * error;
        }
        sum *= unknowns == 4 ? 1.0 : 1.0 / unknowns;
        for (int k = 0; k < taut_hinge_rates(r->law, i); k++)
            r->square[taut_hinge_rate(&r->hinges, i) + k] = sum;
    }
}

/* The size of the last correction beside the errors that are allowed. */
static double corrected(const recursive *r) {
    double largest = 0.0;
    for (int i = 0; i < r->loops.rates; i++)
        if (r->square[i] > 0.0) largest = fmax(largest, fabs(r->free[i]) / sqrt(r->square[i]));
    return largest;
}

/* The nearest point in the metric of the integrator's own error weights: positions until a
 * correction is so small that the next one is not worth it, then velocities. */
static taut_status project(taut_flow *flow, double t, const double *y, double *correction) {
    recursive *r = (recursive *)flow;
    const double tol = fmax(r->ode.weights.rtol, r->ode.weights.atol);
    flow->kind->weights(flow, y, r->allowed);
    take_states(r, y);
    taut_hinges_normalise(&r->hinges); /* before conditions are looked at, which notice it */
    for (int order = 0; order < 2; order++) {
        taut_projecting more = taut_projecting_begin(r->ode.projection, ENOUGH * tol, PROJECTIONS);
        bool again = true;
        find_squares(r, order);
        while (again) {
            const double before = more.before;
            find_angles(r, t);
            taut_hinges_enter(&r->hinges);
            find_load(r, t);
            taut_closure_build_weighted(&r->loops, &r->hinges, entries(r), r->square);
            TAUT_TRY(correct(r, t, order));
            taut_hinges_normalise(&r->hinges);
            const double now = tol * corrected(r); /* allowed errors are so much of the scales */
            if (!isfinite(now)) return TAUT_ERR_NUMERICS;
            again = order == 0 && !(now > before) && taut_projecting_goes_on(&more, now);
        }
    }
    tell_correction(r, t, y, correction);
    return TAUT_OK;
}

/* For fixed steps, instead of an iteration: the correction of Ascher, Chin, Petzold and Reich in
 * the metric of the kinetic energy, twice with the same factors, so that every step takes the same
 * work (docs/math/relative.md). */
static taut_status stabilise(taut_flow *flow, double t, const double *y, double *correction) {
    recursive *r = (recursive *)flow;
    take_states(r, y);
    taut_hinges_normalise(&r->hinges);
    find_angles(r, t);
    taut_hinges_enter(&r->hinges);
    taut_recursion_set_guiding(r->tree, false);
    if (!taut_recursion_accelerate(r->tree, r->hinges.q, r->hinges.v, NULL, r->free))
        return TAUT_SINGULAR;
    for (int round = 0; round < 2 && r->law->conditions > 0; round++) {
        find_load(r, t);
        if (round == 0) taut_closure_build(&r->loops, &r->hinges, entries(r));
        for (int order = 0; order < 2; order++) TAUT_TRY(correct(r, t, order));
        taut_hinges_normalise(&r->hinges);
    }
    tell_correction(r, t, y, correction);
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

/* Forces and conditions follow. What the tree is made of (masses, axes, lengths) are numbers that
 * the graph has noted, so the series refuses others. */
static taut_status set_numbers(taut_flow *flow, const double *parameter) {
    recursive *r = (recursive *)flow;
    const taut_law *law = r->law;
    TAUT_TRY(r->of_ode->set_numbers(flow, parameter));
    if (law->angles > 0) TAUT_TRY(taut_values_set_numbers(&r->angle, parameter));
    if (law->forces > 0 || law->conditions > 0)
        TAUT_TRY(taut_values_set_numbers(&r->load, parameter));
    return law->power.variable >= 0 ? taut_values_set_numbers(&r->power, parameter) : TAUT_OK;
}

bool taut_flow_is_recursive(const taut_flow *flow) { return flow->kind->rates == rates; }

/* ---- creation ---- */

/* Are all unknowns of the orders that the law supposes? */
static bool fits(recursive *r) {
    const taut_law *law = r->law;
    const int *d = r->ode.flow.structure->offsets.d;
    for (int i = 0; i < law->hinges; i++)
        for (int k = 0; k < taut_hinge_unknowns(law, i); k++)
            if (d[law->hinge[i].variable + k] != 2) return false;
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
        TAUT_TRY(taut_values_create(graph, d, n,
                                    (taut_values_wanted){node, (size_t)law->angles, node,
                                                         r->accelerated ? (size_t)law->angles : 0},
                                    arena, &r->angle));
    for (int i = 0; i < law->forces; i++) node[i] = law->force[i].node;
    for (size_t i = 0; i < law->entries; i++) node[(size_t)law->forces + i] = law->entry[i].node;
    for (int i = 0; i < law->conditions; i++) {
        const taut_node position = law->condition[i].position;
        node[entries + (size_t)i] = position == TAUT_NO_NODE ? taut_number(graph, 0.0) : position;
        moving[i] = law->condition[i].velocity;
    }
    if (law->forces > 0 || law->conditions > 0)
        TAUT_TRY(taut_values_create(
            graph, d, n, (taut_values_wanted){node, targets, moving, (size_t)law->conditions},
            arena, &r->load));
    if (law->power.variable >= 0)
        TAUT_TRY(taut_values_create(graph, d, n, (taut_values_wanted){&law->power.node, 1, NULL, 0},
                                    arena, &r->power));
    return TAUT_OK;
}

static taut_status create_arrays(recursive *r, taut_arena *arena) {
    const taut_law *law = r->law;
    const size_t targets = (size_t)law->forces + law->entries + (size_t)law->conditions;
    const int rates_of_hinges = taut_recursion_rates(r->tree);
    r->hinges =
        (taut_hinges){.law = law,
                      .tree = r->tree,
                      .x = TAUT_NEW_ARRAY(arena, 3 * r->ode.flow.system->n, double),
                      .q = TAUT_NEW_ARRAY(arena, taut_recursion_coordinates(r->tree), double),
                      .v = TAUT_NEW_ARRAY(arena, rates_of_hinges, double)};
    r->spin = TAUT_NEW_ARRAY(arena, law->angles, double);
    r->idle = TAUT_NEW_ARRAY(arena, law->angles, double);
    r->target = TAUT_NEW_ARRAY(arena, targets, double);
    r->force = TAUT_NEW_ARRAY(arena, rates_of_hinges, double);
    r->free = TAUT_NEW_ARRAY(arena, rates_of_hinges, double);
    r->allowed = TAUT_NEW_ARRAY(arena, r->ode.flow.states, double);
    r->square = TAUT_NEW_ARRAY(arena, rates_of_hinges, double);
    for (int i = 0; i < law->hinges; i++) r->coordinates += taut_hinge_unknowns(law, i);
    r->speed = TAUT_NEW_ARRAY(arena, r->coordinates, double);
    return r->hinges.x && r->hinges.q && r->hinges.v && r->spin && r->idle && r->target &&
                   r->force && r->free && r->allowed && r->square && r->speed
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

/* Conditions that guide a hinge; others that say the same of it stay what they are. */
static taut_status create_loops(recursive *r, bool careful, taut_arena *arena) {
    const taut_law *law = r->law;
    int *all = TAUT_NEW_ARRAY(arena, law->conditions, int),
        *closing = TAUT_NEW_ARRAY(arena, law->conditions, int), count = 0;
    bool *taken = TAUT_NEW_ARRAY(arena, law->hinges, bool);
    r->guide = TAUT_NEW_ARRAY(arena, law->conditions, guide);
    if (!all || !closing || !taken || !r->guide) return TAUT_ERR_MEMORY;
    for (int i = 0; i < law->conditions; i++) {
        const taut_law_condition *c = &law->condition[i];
        int hinge = -1;
        for (int h = 0; h < law->hinges && c->count == 1; h++)
            if (law->hinge[h].variable == law->entry[c->first].variable &&
                taut_hinge_unknowns(law, h) == 1 && !taken[h])
                hinge = h;
        all[i] = i;
        if (hinge < 0) {
            closing[count++] = i;
            continue;
        }
        taken[hinge] = true;
        taut_recursion_guide(r->tree, law->hinge[hinge].limb);
        r->guide[r->guides++] = (guide){i, hinge};
    }
    TAUT_TRY(
        taut_closure_create(&r->hinges, r->tree, all, law->conditions, careful, arena, &r->loops));
    r->closing = r->loops;
    if (r->guides == 0) return TAUT_OK;
    return taut_closure_create(&r->hinges, r->tree, closing, count, careful, arena, &r->closing);
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
    r->kind.set_numbers = set_numbers;
    r->ode.flow.kind = &r->kind;
    if (stepping->step > 0.0 && stepping->projection == 0.0)
        r->kind.project = stabilise;
    else if (r->law->conditions > 0 && !stepping->reduced)
        r->kind.project = project;
    TAUT_TRY(create_arrays(r, arena));
    TAUT_TRY(create_loops(r, options->careful, arena));
    return create_programs(r, arena);
}
