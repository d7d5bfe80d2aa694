/* A model over a ladder of tolerances: how far off, how long.
 *
 * usage: bench_ladder SECONDS SOLVER MODEL REFERENCE COLUMNS TOL...
 *
 * REFERENCE has lines "t value value ...", with a value for each of the COLUMNS ("A0x,A2x-2": a
 * number is added to the column). The error is the largest absolute difference over all of them.
 * Each tolerance is run from scratch five times, and on until SECONDS are over; the fastest run
 * counts. A line of CSV a tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { MOST_COLUMNS = 16, MOST_TIMES = 32, FEWEST_RUNS = 5, MOST_RUNS = 200 };

typedef struct reference {
    char *name[MOST_COLUMNS];
    double added[MOST_COLUMNS];
    int columns;
    double time[MOST_TIMES], value[MOST_TIMES][MOST_COLUMNS];
    int times;
} reference;

/* "A0x,A2x-2" */
static void read_columns(char *text, reference *r) {
    for (char *word = strtok(text, ","); word && r->columns < MOST_COLUMNS;
         word = strtok(NULL, ",")) {
        char *sign = strpbrk(word, "+-");
        r->added[r->columns] = sign ? measure_number(sign) : 0.0;
        if (sign) *sign = '\0';
        r->name[r->columns++] = word;
    }
}

static void read_values(const char *path, reference *r) {
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(2);
    }
    while (r->times < MOST_TIMES && fscanf(file, "%lf", &r->time[r->times]) == 1) {
        for (int k = 0; k < r->columns; k++)
            if (fscanf(file, "%lf", &r->value[r->times][k]) != 1) {
                fprintf(stderr, "%s: a line does not have %d values\n", path, r->columns);
                exit(2);
            }
        r->times++;
    }
    fclose(file);
}

static int find_column(const taut_result *result, const char *name) {
    for (int j = 0; j < taut_result_columns(result); j++)
        if (strcmp(taut_result_name(result, j), name) == 0) return j;
    fprintf(stderr, "there is no column %s\n", name);
    exit(2);
}

static double largest_error(const taut_result *result, const reference *r) {
    double largest = 0.0;
    for (int k = 0; k < r->columns; k++) {
        const int column = find_column(result, r->name[k]);
        for (int i = 0; i < r->times; i++) {
            const double value = taut_result_value(result, i, column) + r->added[k];
            largest = fmax(largest, fabs(value - r->value[i][k]));
        }
    }
    return largest;
}

static void measure_tolerance(const char *path, double seconds, taut_run_options options,
                              const reference *r) {
    taut_run_stats best = {0};
    double spent = 0.0, setup = INFINITY, error = NAN;
    for (int i = 0; i < FEWEST_RUNS || (i < MOST_RUNS && spent < seconds); i++) {
        taut_result *result = measure_run(path, &options);
        const taut_run_stats *s = taut_result_stats(result);
        if (i == 0 || s->wall_s < best.wall_s) best = *s;
        setup = fmin(setup, s->setup_s);
        spent += s->wall_s;
        error = largest_error(result, r);
        taut_result_free(&result);
    }
    printf("%g,%.3g,%.4g,%ld,%ld,%d,%d,%.4g\n", options.rtol, error, best.wall_s, best.steps,
           best.rejected, best.order, best.operations, setup);
    fflush(stdout);
}

int main(int argc, char **argv) {
    static reference r;
    if (argc < 7) {
        fprintf(stderr, "usage: bench_ladder SECONDS SOLVER MODEL REFERENCE COLUMNS TOL...\n");
        return 2;
    }
    read_columns(argv[5], &r);
    read_values(argv[4], &r);
    taut_run_options options = taut_run_options_default();
    options.solver = argv[2];
    options.has_tend = true;
    options.tend = r.time[r.times - 1];
    options.at = r.time;
    options.ats = r.times;
    for (int i = 6; i < argc; i++) {
        options.rtol = options.atol = measure_number(argv[i]);
        measure_tolerance(argv[3], measure_number(argv[1]), options, &r);
    }
    return 0;
}
