/* How long one evaluation of accelerations takes by recursion: chains of pendulums, each a mass at
 * the end of a rod of length 1, in the plane, at angles and rates that are not special; or a model
 * at its start, with its loops.
 *
 * usage: bench_recursion BODIES ...
 *        bench_recursion MODEL.yaml
 *
 * Prints bodies, seconds an evaluation, and the first and last acceleration, a line each; for a
 * model coordinates, conditions and seconds. Looks inside the library, as bench_kernels does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/recursive.h"
#include "measure.h"
#include "task/simulation.h"

enum { ROUNDS = 15 };
static const double ROUND_S = 0.02;

static void *room(size_t bytes) {
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "bench_recursion: no memory\n");
        exit(1);
    }
    return p;
}

/* Seconds of one evaluation: the best of several rounds. */
static double time_chain(int bodies, double *first, double *last) {
    static const double gravity[3] = {0.0, -9.81, 0.0};
    taut_limb *limb = room((size_t)bodies * sizeof *limb);
    double *q = room((size_t)bodies * sizeof *q), *v = room((size_t)bodies * sizeof *v),
           *a = room((size_t)bodies * sizeof *a), best = (double)INFINITY;
    taut_recursion *recursion;
    for (int i = 0; i < bodies; i++) {
        limb[i] = (taut_limb){.parent = i - 1,
                              .hinge = TAUT_HINGE_TURN,
                              .place = {i == 0 ? 0.0 : 1.0},
                              .axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                              .mass = 1.0,
                              .centroid = {1.0}};
        q[i] = 0.1 * sin(i + 1.0);
        v[i] = 0.1 * cos(i + 1.0);
    }
    measure_check(taut_recursion_create(2, limb, bodies, gravity, &recursion), &(taut_errors){0});
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = measure_seconds();
        double spent = 0.0;
        long times = 0;
        while (spent < ROUND_S) {
            for (int k = 0; k < 1 + 2000 / bodies; k++, times++)
                taut_recursion_accelerate(recursion, q, v, NULL, a);
            spent = measure_seconds() - begin;
        }
        best = fmin(best, spent / (double)times);
    }
    *first = a[0];
    *last = a[bodies - 1];
    taut_recursion_free(&recursion);
    free(limb);
    free(q);
    free(v);
    free(a);
    return best;
}

/* Rates of a model in relative coordinates, at its start. */
static void time_model(const char *path) {
    static taut_errors errors;
    taut_model *model;
    taut_simulation *simulation;
    taut_arena arena = {0};
    taut_flow *flow;
    taut_run_options options = taut_run_options_default();
    const taut_stepping stepping = {.rtol = 1e-9, .atol = 1e-9};
    double best = (double)INFINITY;
    options.formulation = "relative";
    options.solver = "erk";
    measure_check(taut_model_read(path, NULL, 0, &model, &errors), &errors);
    measure_check(taut_simulation_create(model, &options, &simulation, &errors), &errors);
    measure_check(taut_simulation_start(simulation, &errors), &errors);
    const taut_problem *problem = simulation->prepared->problem;
    const taut_recursive_options recursive = {.law = problem->law};
    if (!problem->law) {
        fprintf(stderr, "bench_recursion: %s has masses that belong to no limb\n", path);
        exit(1);
    }
    measure_check(taut_recursive_create(&recursive, &problem->system,
                                        &simulation->prepared->structure, &stepping, &arena, &flow),
                  &errors);
    double *y = room((size_t)flow->states * sizeof *y),
           *rate = room((size_t)flow->states * sizeof *rate);
    taut_stepper_point(simulation->stepper, simulation->state);
    measure_check(flow->kind->start(flow, simulation->state, y, rate), &errors);
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = measure_seconds();
        double spent = 0.0;
        long times = 0;
        for (; spent < ROUND_S; spent = measure_seconds() - begin, times++)
            measure_check(flow->kind->rates(flow, simulation->t0, y, rate), &errors);
        best = fmin(best, spent / (double)times);
    }
    printf("%d,%d,%.4g\n", problem->coordinates, problem->law->conditions, best);
    flow->kind->release(flow);
    taut_arena_release(&arena);
    taut_simulation_free(&simulation);
    taut_model_free(&model);
    free(y);
    free(rate);
}

int main(int argc, char **argv) {
    if (argc == 2 && strstr(argv[1], ".yaml")) {
        time_model(argv[1]);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        double first, last;
        const int bodies = (int)measure_number(argv[i]);
        const double seconds = time_chain(bodies, &first, &last);
        printf("%d,%.4g,%.12g,%.12g\n", bodies, seconds, first, last);
    }
    return 0;
}
