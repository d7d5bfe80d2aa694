/* How long Taylor arithmetic takes a coefficient and elementary operation, without the linear
 * algebra around it: all stages of a series at the initial point, over and over.
 *
 * usage: bench_kernels ORDER MODEL
 *
 * Prints operations, coefficients and nanoseconds. It looks inside the library: no public call
 * computes coefficients and nothing else. */
#include <math.h>
#include <stdio.h>

#include "measure.h"
#include "task/simulation.h"

enum { ROUNDS = 9 };
static const double ROUND_S = 0.02;

/* A series of its own, with all coefficients at the initial point of the simulation. */
static taut_status expand(taut_simulation *simulation, int order, taut_series **series) {
    const taut_system *system = &simulation->prepared->problem->system;
    const taut_structure *structure = &simulation->prepared->structure;
    const taut_series *from = taut_observer_series(simulation->observer);
    TAUT_TRY(taut_series_create(system, structure, order - 1, NULL, 0, series));
    taut_series_start(*series, simulation->t0, 0.05);
    taut_series_take(*series, from);
    TAUT_TRY(taut_series_settle(*series, false, NULL, NULL));
    taut_series_extend(*series, 1, order - 1);
    return TAUT_OK;
}

/* Seconds that all stages take once; the best of several rounds. */
static double time_stages(taut_jet *jet) {
    double best = (double)INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = measure_seconds();
        double spent = 0.0;
        long sweeps = 0;
        for (; spent < ROUND_S; spent = measure_seconds() - begin, sweeps++)
            for (int s = jet->tape->first_stage; s <= jet->last_stage; s++) {
                (s > 0 ? taut_jet_open : taut_jet_stage)(jet, s);
                taut_jet_finish(jet, s);
            }
        best = fmin(best, spent / (double)sweeps);
    }
    return best;
}

int main(int argc, char **argv) {
    static taut_errors errors;
    taut_model *model;
    taut_simulation *simulation;
    taut_series *series;
    if (argc != 3) {
        fprintf(stderr, "usage: bench_kernels ORDER MODEL\n");
        return 2;
    }
    const int order = (int)measure_number(argv[1]);
    measure_check(taut_model_read(argv[2], NULL, 0, &model, &errors), &errors);
    measure_check(taut_simulation_create(model, NULL, &simulation, &errors), &errors);
    measure_check(taut_simulation_start(simulation, &errors), &errors);
    measure_check(expand(simulation, order, &series), &errors);
    const double seconds = time_stages(series->jet);
    const int operations = taut_tape_operations(series->tape), coefficients = order + 1;
    printf("%d,%d,%.3g\n", operations, coefficients,
           1e9 * seconds / ((double)operations * (double)coefficients));
    taut_series_free(&series);
    taut_simulation_free(&simulation);
    taut_model_free(&model);
    return 0;
}
