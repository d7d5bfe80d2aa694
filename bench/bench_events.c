/* What watching costs: the steps of a mechanism with 100 watched functions that are never zero,
 * beside the same steps without, in one process and in turns. And what a sample of a controller
 * costs.
 *
 * usage: bench_events MODEL TEND POINT...     two points or more, of which the functions are made
 *        bench_events MODEL                   a model with a controller: seconds a step
 *
 * Prints microseconds a step without, then the extra cost for functions that are linear in the
 * unknowns and for squared distances, each as a part of a step; ends with 1 if a bit of the result
 * differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { FUNCTIONS = 100, ROUNDS = 9, MOST_TEXT = 200000 };

static char text[MOST_TEXT];

static size_t read_model(const char *path) {
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    return n;
}

/* Adds the events to the text behind `n` bytes. */
static void add_events(size_t n, bool squares, char **point, int points) {
    n += (size_t)snprintf(text + n, sizeof text - n, "\nEvents:\n");
    for (int i = 0; i < FUNCTIONS; i++) {
        const char *a = point[i % points], *b = point[(i + 1 + i / points % (points - 1)) % points];
        const double c = 0.01 * i;
        if (squares)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "  w%d: {When: (%sx - %sx)^2 + (%sy - %sy - %g)^2 + 1e4}\n", i, a,
                                  b, a, b, c);
        else
            n += (size_t)snprintf(text + n, sizeof text - n, "  w%d: {When: %sx + %g*%sy - 1e4}\n",
                                  i, a, c, b);
    }
}

/* One run: seconds of its steps; the last values of all columns go to row. */
static double run(const taut_model *model, double tend, double *row, long *steps) {
    static taut_errors errors;
    taut_run_options options = taut_run_options_default();
    taut_simulation *s;
    taut_status status;
    options.solver = "taylor";
    options.has_tend = tend > 0.0;
    options.tend = tend;
    measure_check(taut_simulation_create(model, &options, &s, &errors), &errors);
    measure_check(taut_simulation_start(s, &errors), &errors);
    const double begin = measure_seconds();
    while ((status = taut_simulation_step(s, &errors)) == TAUT_OK) continue;
    const double seconds = measure_seconds() - begin;
    measure_check(status == TAUT_AT_END ? TAUT_OK : status, &errors);
    *steps = taut_simulation_stats(s)->steps;
    measure_check(taut_simulation_row(s, taut_simulation_reached(s), row, &errors), &errors);
    taut_simulation_free(&s);
    return seconds;
}

static double least(double a, double b) { return a < b ? a : b; }

int main(int argc, char **argv) {
    static taut_errors errors;
    static double row[3][2000];
    double best[3] = {1e9, 1e9, 1e9};
    taut_model *model[3] = {NULL, NULL, NULL};
    const int kinds = argc > 4 ? 3 : 1;
    const double tend = argc > 4 ? measure_number(argv[2]) : 0.0;
    long steps = 1;
    if (argc != 2 && argc < 5) {
        fprintf(stderr, "usage: bench_events MODEL [TEND POINT POINT...]\n");
        return 2;
    }
    const size_t n = read_model(argv[1]);
    for (int k = 0; k < kinds; k++) {
        text[n] = '\0';
        if (k > 0) add_events(n, k == 2, argv + 3, argc - 3);
        measure_check(taut_model_parse(argv[1], text, (long)strlen(text), &model[k], &errors),
                      &errors);
    }
    for (int i = 0; i < (kinds == 1 ? 3 : ROUNDS); i++)
        for (int k = 0; k < kinds; k++)
            best[k] = least(best[k], run(model[k], tend, row[k], &steps));
    printf("%.4g", 1e6 * best[0] / (double)steps);
    if (kinds == 3) printf(",%.3f,%.3f", best[1] / best[0] - 1.0, best[2] / best[0] - 1.0);
    printf("\n");
    for (int k = 0; k < kinds; k++) taut_model_free(&model[k]);
    for (int k = 1; k < kinds; k++)
        if (memcmp(row[0], row[k], sizeof row[0]) != 0) {
            fprintf(stderr, "%s: watching changes the result\n", argv[1]);
            return 1;
        }
    return 0;
}
