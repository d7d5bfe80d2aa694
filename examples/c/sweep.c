/* The same oscillator with several dampings, all at once: one model, one simulation and one thread
 * for each value.
 *
 *     cc sweep.c $(pkg-config --cflags --libs taut) -lpthread -o sweep && ./sweep */
#include <pthread.h>
#include <stdio.h>
#include <taut/taut.h>

enum { RUNS = 8 };

static const char MODEL[] = "Title: damped oscillator\n"
                            "PhysicalParams: {m: 1, k: 4, c: 0}\n"
                            "Lagrangian:\n"
                            "  Coordinates: [x]\n"
                            "  L: 1/2*m*x'^2 - 1/2*k*x^2\n"
                            "  Dissipation: 1/2*c*x'^2\n"
                            "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n";

typedef struct job {
    const taut_model *model; /* shared by all */
    double damping;
    double x; /* at the end */
    long steps;
    taut_status status;
    taut_errors errors;
} job;

static void *run(void *argument) {
    job *j = argument;
    taut_simulation *s;
    j->status = taut_simulation_create(j->model, NULL, &s, &j->errors);
    if (j->status != TAUT_OK) return NULL;
    j->status = taut_simulation_set_parameter(s, "c", j->damping, &j->errors);
    if (j->status == TAUT_OK) j->status = taut_simulation_start(s, &j->errors);
    if (j->status == TAUT_OK) j->status = taut_simulation_run_to(s, 10, &j->errors);
    if (j->status == TAUT_OK) {
        j->x = taut_simulation_now(s, "x");
        j->steps = taut_simulation_stats(s)->steps;
    }
    taut_simulation_free(&s);
    return NULL;
}

int main(void) {
    static taut_errors errors;
    static job jobs[RUNS];
    pthread_t thread[RUNS];
    taut_model *model;
    if (taut_model_parse("oscillator", MODEL, -1, &model, &errors) != TAUT_OK) {
        fprintf(stderr, "%s\n", errors.item[0].message);
        return 1;
    }
    for (int i = 0; i < RUNS; i++) {
        jobs[i] = (job){.model = model, .damping = 0.1 * i};
        if (pthread_create(&thread[i], NULL, run, &jobs[i]) != 0) return 1;
    }
    for (int i = 0; i < RUNS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < RUNS; i++) {
        if (jobs[i].status != TAUT_OK) {
            fprintf(stderr, "c = %g: %s\n", jobs[i].damping, jobs[i].errors.item[0].message);
            return 1;
        }
        printf("c = %.1f  x(10) = %15.12f  (%ld steps)\n", jobs[i].damping, jobs[i].x,
               jobs[i].steps);
    }
    taut_model_free(&model);
    return 0;
}
