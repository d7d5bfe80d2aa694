/* What events cost: a cycle of the woodpecker toy (nine events), the first time and once its modes
 * are compiled, beside a time-stepping solution (Moreau's midpoint rule, steps of 2e-5 s, impulses
 * by projected Gauss-Seidel iteration), and a thousand bounces of a ball.
 *
 * usage: bench_contacts WOODPECKER BALL
 *
 * Prints milliseconds: first cycle, later cycles, time-stepping; the errors of the drop of a cycle
 * (m) by both; milliseconds and number of the bounces. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"

enum { ROUNDS = 9, CYCLES = 20 };
static const double PERIOD = 0.14597606514375, DROP = 0.01944537928472;

static double smaller(double a, double b) { return a < b ? a : b; }

/* ---- by events ---- */

typedef struct cycles {
    double first, later; /* seconds */
    double error;        /* of the first drop */
} cycles;

static cycles run_woodpecker(const taut_model *model) {
    static taut_errors errors;
    taut_run_options options = taut_run_options_default();
    taut_simulation *s;
    cycles c;
    options.solver = "taylor";
    options.has_tend = true;
    options.tend = (CYCLES + 2) * PERIOD;
    measure_check(taut_simulation_create(model, &options, &s, &errors), &errors);
    const double begin = measure_seconds();
    measure_check(taut_simulation_start(s, &errors), &errors);
    measure_check(taut_simulation_run_to(s, PERIOD, &errors), &errors);
    c.first = measure_seconds() - begin;
    c.error = fabs(taut_simulation_now(s, "y") + DROP);
    const double middle = measure_seconds();
    measure_check(taut_simulation_run_to(s, (1 + CYCLES) * PERIOD, &errors), &errors);
    c.later = (measure_seconds() - middle) / CYCLES;
    taut_simulation_free(&s);
    return c;
}

static double run_ball(const taut_model *model, int *bounces) {
    static taut_errors errors;
    taut_run_options options = taut_run_options_default();
    taut_simulation *s;
    taut_status status;
    options.solver = "taylor";
    measure_check(taut_simulation_create(model, &options, &s, &errors), &errors);
    measure_check(taut_simulation_start(s, &errors), &errors);
    const double begin = measure_seconds();
    while ((status = taut_simulation_step(s, &errors)) == TAUT_OK) continue;
    const double seconds = measure_seconds() - begin;
    measure_check(status == TAUT_AT_END ? TAUT_OK : status, &errors);
    *bounces = taut_simulation_notes(s)->events;
    taut_simulation_free(&s);
    return seconds;
}

/* ---- by steps of one length ---- */

static const double rO = 0.0025, rM = 0.0031, hM = 0.0058, lM = 0.01, lG = 0.015, hS = 0.02,
                    lS = 0.0201, mM = 0.0003, mS = 0.0045, JM = 5e-9, JS = 7e-7, c = 0.0056,
                    g = 9.81, mu = 0.3;

static void invert(double M[3][3], double inverse[3][3]) {
    const double det = M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) -
                       M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
                       M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, d = (i + 1) % 3, e = (i + 2) % 3;
            inverse[i][j] = (M[a][d] * M[b][e] - M[a][e] * M[b][d]) / det;
        }
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Directions of gaps and of what slides: beak, 2, 3. */
static const double NORMAL[3][3] = {{0, 0, -hS}, {0, hM, 0}, {0, -hM, 0}};
static const double ALONG[3][3] = {{1, lM, lG - lS}, {1, rM, 0}, {1, rM, 0}};
static const double BACK[3] = {0.5, 0.0, 0.0};

/* Impulses over a step at the contacts of a set: velocities v become admissible. */
static void push(double inverse[3][3], const bool *closed, const double *before, double *v) {
    double P[3] = {0}, Q[3] = {0};
    for (int round = 0; round < 60; round++)
        for (int k = 0; k < 3; k++) {
            double n[3], t[3];
            if (!closed[k]) continue;
            for (int i = 0; i < 3; i++) {
                n[i] = dot(inverse[i], NORMAL[k]);
                t[i] = dot(inverse[i], ALONG[k]);
            }
            const double rate = dot(NORMAL[k], v) + BACK[k] * smaller(before[k], 0.0);
            const double p = fmax(P[k] - rate / dot(NORMAL[k], n), 0.0);
            for (int i = 0; i < 3; i++) v[i] += (p - P[k]) * n[i];
            P[k] = p;
            const double free = Q[k] - dot(ALONG[k], v) / dot(ALONG[k], t);
            const double q = fmax(-mu * p, smaller(mu * p, free));
            for (int i = 0; i < 3; i++) v[i] += (q - Q[k]) * t[i];
            Q[k] = q;
        }
}

static double step_woodpecker(double *error) {
    const double h = 2e-5, begin = measure_seconds();
    double M[3][3] = {{mS + mM, mS * lM, mS * lG},
                      {mS * lM, JM + mS * lM * lM, mS * lM * lG},
                      {mS * lG, mS * lM * lG, JS + mS * lG * lG}};
    double inverse[3][3], q[3] = {0.0, -(rM - rO) / hM, -0.52947196711085}, v[3] = {0};
    invert(M, inverse);
    const long steps = lround(PERIOD / h);
    for (long s = 0; s < steps; s++) {
        double before[3];
        bool closed[3];
        for (int i = 0; i < 3; i++) q[i] += 0.5 * h * v[i];
        const double turn = c * (q[1] - q[2]);
        const double force[3] = {-(mS + mM) * g, -mS * lM * g - turn, -mS * lG * g + turn};
        const double gap[3] = {lM + lG - lS - rO - hS * q[2], rM - rO + hM * q[1],
                               rM - rO - hM * q[1]};
        for (int k = 0; k < 3; k++) {
            closed[k] = gap[k] <= 0.0;
            before[k] = dot(NORMAL[k], v);
        }
        for (int i = 0; i < 3; i++) v[i] += h * dot(inverse[i], force);
        push(inverse, closed, before, v);
        for (int i = 0; i < 3; i++) q[i] += 0.5 * h * v[i];
    }
    *error = fabs(q[0] + DROP);
    return measure_seconds() - begin;
}

int main(int count, char **argument) {
    static taut_errors errors;
    taut_model *bird, *ball;
    cycles best = {(double)INFINITY, (double)INFINITY, 0.0};
    double stepped = (double)INFINITY, error = 0.0, bounced = (double)INFINITY;
    int bounces = 0;
    if (count != 3) return fputs("usage: bench_contacts WOODPECKER BALL\n", stderr), 2;
    measure_check(taut_model_read(argument[1], NULL, 0, &bird, &errors), &errors);
    measure_check(taut_model_read(argument[2], NULL, 0, &ball, &errors), &errors);
    for (int i = 0; i < ROUNDS; i++) {
        const cycles x = run_woodpecker(bird);
        best.first = smaller(best.first, x.first);
        best.later = smaller(best.later, x.later);
        best.error = x.error;
        stepped = smaller(stepped, step_woodpecker(&error));
        bounced = smaller(bounced, run_ball(ball, &bounces));
    }
    printf("%.4g,%.4g,%.4g,%.2g,%.2g,%.4g,%d\n", 1e3 * best.first, 1e3 * best.later, 1e3 * stepped,
           best.error, error, 1e3 * bounced, bounces);
    taut_model_free(&bird);
    taut_model_free(&ball);
    return 0;
}
