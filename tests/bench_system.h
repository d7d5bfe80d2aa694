/* A test bench for integrators: systems built from nodes of a graph, without model files.
 *
 *     bench *b = bench_open();
 *     taut_node x = bench_variable(b, "x");
 *     bench_equation(b, taut_add(b->graph, taut_dot(b->graph, x, 2), x));    x'' + x = 0
 *     bench_start(b, "taylor", (taut_stepping){.rtol = 1e-12, .atol = 1e-12},
 *                 (const double[]){1.0, 0.0}, 0.0, 10.0);                    x, x' at t = 0
 *     bench_run(b);
 *     ... bench_value(b, x's number, 0) ...
 *     bench_close(b);
 *
 * Initial values are those that are needed, variable by variable, in ascending orders of their
 * derivatives, and must be consistent. */
#ifndef TAUT_TESTS_BENCH_SYSTEM_H
#define TAUT_TESTS_BENCH_SYSTEM_H

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "solve/stepper.h"
#include "taut/state.h"

enum { BENCH_MOST = 8 };

typedef struct bench {
    taut_graph *graph;
    taut_system system;
    taut_equation equation[BENCH_MOST];
    taut_unknown unknown[BENCH_MOST];
    const char *name[BENCH_MOST];
    int variables;
    taut_arena arena;
    taut_structure structure;
    taut_stepper *stepper;
    taut_state *state;
    double tend;
    taut_errors errors;
} bench;

static inline bench *bench_open(void) {
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    assert_int_equal(taut_graph_create(&b->graph), TAUT_OK);
    b->system = (taut_system){.graph = b->graph, .equation = b->equation, .unknown = b->unknown};
    b->system.names.variable = b->name;
    return b;
}

static inline void bench_close(bench *b) {
    taut_stepper_free(&b->stepper);
    taut_state_free(&b->state);
    taut_arena_release(&b->arena);
    taut_graph_free(&b->graph);
    free(b);
}

static inline taut_node bench_variable(bench *b, const char *name) {
    assert_true(b->variables < BENCH_MOST);
    const int j = b->variables++;
    b->name[j] = name;
    b->unknown[j] = (taut_unknown){.name = name, .group = j};
    b->system.groups = j + 1;
    return taut_variable(b->graph, j);
}

static inline void bench_equation(bench *b, taut_node zero) {
    assert_true(b->system.n < BENCH_MOST);
    b->equation[b->system.n++] = (taut_equation){.node = zero, .name = "equation"};
}

/* Analyses the system and starts a stepper on it; x holds the values that are needed. */
static inline taut_status bench_start(bench *b, const char *method, taut_stepping stepping,
                                      const double *x, double t, double tend) {
    assert_int_equal(b->variables, b->system.n);
    taut_stepper_free(&b->stepper);
    taut_state_free(&b->state);
    taut_arena_release(&b->arena);
    assert_int_equal(taut_structure_create(&b->system, &b->arena, &b->structure, &b->errors),
                     TAUT_OK);
    assert_int_equal(taut_state_create(&b->system, &b->structure, &b->state), TAUT_OK);
    b->state->t = t;
    for (int j = 0, i = 0; j < b->system.n; j++)
        for (int k = 0; k < taut_needed(&b->structure, j); k++)
            *taut_state_at(b->state, j, k) = x[i++];
    b->tend = tend;
    assert_int_equal(taut_stepper_create(taut_method_find(method), &b->system, &b->structure,
                                         &stepping, &b->stepper),
                     TAUT_OK);
    return taut_stepper_start(b->stepper, b->state, tend, &b->errors);
}

static inline void bench_step(bench *b) {
    const taut_status status = taut_stepper_step(b->stepper, &b->errors);
    if (status != TAUT_OK && b->errors.count > 0) print_error("%s\n", b->errors.item[0].message);
    assert_int_equal(status, TAUT_OK);
}

static inline void bench_run(bench *b) {
    while (b->stepper->t != b->tend) bench_step(b);
}

/* x_j^(k), k < d_j, at the reached point. */
static inline double bench_value(const bench *b, int j, int k) {
    return taut_stepper_state(b->stepper, j, k);
}

/* ---- systems ---- */

/* x'' + x = 0 */
static inline bench *bench_oscillator(void) {
    bench *b = bench_open();
    taut_node x = bench_variable(b, "x");
    bench_equation(b, taut_add(b->graph, taut_dot(b->graph, x, 2), x));
    return b;
}

/* A pendulum of length 1 in Cartesian coordinates, index 3: x'' + lambda x = 0,
 * y'' + lambda y + g = 0, x^2 + y^2 = 1. */
static inline bench *bench_pendulum(double g) {
    bench *b = bench_open();
    taut_graph *G = b->graph;
    taut_node x = bench_variable(b, "x"), y = bench_variable(b, "y"),
              lambda = bench_variable(b, "lambda");
    bench_equation(b, taut_add(G, taut_dot(G, x, 2), taut_mul(G, lambda, x)));
    bench_equation(
        b, taut_add(G, taut_add(G, taut_dot(G, y, 2), taut_mul(G, lambda, y)), taut_number(G, g)));
    bench_equation(
        b, taut_sub(G, taut_add(G, taut_square(G, x), taut_square(G, y)), taut_number(G, 1.0)));
    b->unknown[1].group = 0;
    return b;
}

/* y' = -rate (y - cos t) - sin t, whose smooth solution is cos t whatever the rate. */
static inline bench *bench_stiff(double rate) {
    bench *b = bench_open();
    taut_graph *G = b->graph;
    taut_node y = bench_variable(b, "y"), t = taut_time(G);
    taut_node gap = taut_sub(G, y, taut_apply(G, TAUT_OP_COS, t));
    bench_equation(b, taut_add(G, taut_add(G, taut_dot(G, y, 1), taut_scale(G, rate, gap)),
                               taut_apply(G, TAUT_OP_SIN, t)));
    return b;
}

#endif
