/* Floquet multipliers of a periodic motion: the matrix that takes small deviations over one period,
 * from A(t) of linearisations along the run, by collocation of order 12 with Gauss' points; twice
 * the number of intervals tells the error (docs/math/linearisation.md). */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "task/allowance.h"
#include "task/linear.h"

enum { STAGES = 6, FIRST = 4, LAST = 64 };
static const double ENOUGH = 1e-11; /* of the largest multiplier */
static const double BACK = 1e-6;    /* of the sizes of states */
static const double TURN = 2.0 * 3.14159265358979323846;

struct taut_floquet {
    taut_arena arena;
    taut_multipliers m;
};

/* ---- collocation ---- */

/* Gauss' points on [0, 1]: zeros of Legendre's polynomial by Newton's method. */
static void gauss_points(double *c) {
    for (int i = 0; i < STAGES; i++) {
        double x = cos(TURN / 2.0 * (STAGES - i - 0.25) / (STAGES + 0.5));
        for (int round = 0; round < 50; round++) {
            double p = 1.0, q = 0.0;
            for (int k = 1; k <= STAGES; k++) {
                const double next = ((2.0 * k - 1.0) * x * p - (k - 1.0) * q) / k;
                q = p;
                p = next;
            }
            const double step = p * (x * x - 1.0) / (STAGES * (x * p - q));
            x -= step;
            if (fabs(step) < 1e-16) break;
        }
        c[i] = 0.5 * (1.0 + x);
    }
}

/* Integrals of Lagrange's polynomials: a[i][j] from 0 to c_i, b[j] from 0 to 1. */
static void weights(const double *c, double a[STAGES][STAGES], double *b) {
    for (int j = 0; j < STAGES; j++) {
        double p[STAGES + 1] = {1.0}, factor = 1.0;
        int degree = 0;
        for (int k = 0; k < STAGES; k++) {
            if (k == j) continue;
            factor *= c[j] - c[k];
            for (int i = ++degree; i >= 0; i--) p[i] = (i > 0 ? p[i - 1] : 0.0) - c[k] * p[i];
        }
        for (int i = 0; i <= STAGES; i++) {
            const double x = i < STAGES ? c[i] : 1.0;
            double sum = 0.0;
            for (int k = degree; k >= 0; k--) sum = sum * x + p[k] / (k + 1.0);
            if (i < STAGES)
                a[i][j] = sum * x / factor;
            else
                b[j] = sum / factor;
        }
    }
}

/* phi (n x n, by columns) over an interval of length h, with A at its points: K_i = A_i (phi + h
 * sum a_ij K_j), phi += h sum b_i K_i. */
static taut_status advance(const taut_linear *l, int first, int n, double h, double *work,
                           int *pivot, double *phi) {
    double c[STAGES], a[STAGES][STAGES], b[STAGES];
    const int m = STAGES * n;
    double *matrix = work, *side = work + (size_t)m * (size_t)m;
    gauss_points(c);
    weights(c, a, b);
    memset(matrix, 0, (size_t)m * (size_t)m * sizeof *matrix);
    memset(side, 0, (size_t)m * (size_t)n * sizeof *side);
    for (int i = 0; i < STAGES; i++) {
        const double *A = taut_linear_at(l, first + i)->A;
        for (int r = 0; r < n; r++) {
            matrix[(i * n + r) * m + i * n + r] = 1.0;
            for (int k = 0; k < n; k++) {
                for (int j = 0; j < STAGES; j++)
                    matrix[(j * n + k) * m + i * n + r] -= h * a[i][j] * A[r * n + k];
                for (int q = 0; q < n; q++)
                    side[q * m + i * n + r] += A[r * n + k] * phi[q * n + k];
            }
        }
    }
    TAUT_TRY(taut_dense_solve(m, n, matrix, side, pivot));
    for (int q = 0; q < n; q++)
        for (int r = 0; r < n; r++)
            for (int i = 0; i < STAGES; i++) phi[q * n + r] += h * b[i] * side[q * m + i * n + r];
    return TAUT_OK;
}

/* ---- a period ---- */

static taut_status over_period(const taut_linear *l, int intervals, double period, double *phi) {
    taut_arena arena = {0};
    const int n = taut_linear_at(l, 0)->states, m = STAGES * n;
    double *work = TAUT_NEW_ARRAY(&arena, (size_t)m * (size_t)(m + n) + 1, double);
    int *pivot = TAUT_NEW_ARRAY(&arena, m + 1, int);
    taut_status status = work && pivot ? TAUT_OK : TAUT_ERR_MEMORY;
    memset(phi, 0, (size_t)n * (size_t)n * sizeof *phi);
    for (int i = 0; i < n; i++) phi[i * n + i] = 1.0;
    for (int k = 0; k < intervals && status == TAUT_OK; k++)
        status = advance(l, 1 + k * STAGES, n, period / intervals, work, pivot, phi);
    taut_arena_release(&arena);
    return status;
}

/* Linearisations at the start, at all points of the intervals, and at the end. */
static taut_status linearize(const taut_model *model, const taut_run_options *options,
                             const taut_linear_options *linear, double period, int intervals,
                             taut_linear **l, taut_errors *errors) {
    taut_arena arena = {0};
    const int points = intervals * STAGES + 2;
    double c[STAGES], *at = TAUT_NEW_ARRAY(&arena, points, double);
    taut_run_options run = options ? *options : taut_run_options_default();
    taut_linear_options states = linear ? *linear : taut_linear_options_default();
    const double t0 = run.from ? taut_state_time(run.from) : model->t0;
    if (!at) return TAUT_ERR_MEMORY;
    gauss_points(c);
    at[0] = t0;
    for (int k = 0; k < intervals; k++)
        for (int i = 0; i < STAGES; i++)
            at[1 + k * STAGES + i] = t0 + period * (k + c[i]) / intervals;
    at[points - 1] = t0 + period;
    states.inputs = states.outputs = "";
    run.has_tend = true;
    run.tend = t0 + period;
    run.at = at;
    run.ats = points;
    const taut_status status = taut_linearize(model, &run, &states, l, errors);
    taut_arena_release(&arena);
    return status;
}

/* Is the state at the end that at the start, up to turns? The one that is farthest off. */
static double come_back(const taut_linear *l, const char **worst) {
    const taut_linear_point *a = taut_linear_at(l, 0),
                            *b = taut_linear_at(l, taut_linear_points(l) - 1);
    double most = 0.0;
    for (int i = 0; i < a->states; i++) {
        double size = 1e-3;
        for (int k = 0; k < taut_linear_points(l); k++)
            size = fmax(size, fabs(taut_linear_at(l, k)->x0[i]));
        const double off = b->x0[i] - a->x0[i];
        const double part = fmin(fabs(off), fabs(remainder(off, TURN))) / size;
        if (part <= most) continue;
        most = part;
        *worst = a->state[i];
    }
    return most;
}

static double change_of(const double *a, const double *b, size_t count) {
    double change = 0.0, size = 0.0;
    for (size_t i = 0; i < count; i++) {
        change = fmax(change, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return size > 0.0 ? change / size : 0.0;
}

/* Multipliers of phi, largest first. */
static taut_status find_multipliers(taut_floquet *f, int n, double *phi) {
    double(*value)[2] = taut_arena_array(&f->arena, (size_t)n + 1, sizeof *value);
    double(*vector)[2] = taut_arena_array(&f->arena, (size_t)n * (size_t)n + 1, sizeof *vector);
    double *condition = TAUT_NEW_ARRAY(&f->arena, n + 1, double);
    if (!value || !vector || !condition) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_eigen(n, phi, value, vector, NULL, condition));
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0; k--) {
            const double a = hypot(value[k - 1][0], value[k - 1][1]),
                         b = hypot(value[k][0], value[k][1]);
            if (a > b || (a == b && value[k - 1][1] >= value[k][1])) break;
            double swap[2];
            memcpy(swap, value[k], sizeof swap);
            memcpy(value[k], value[k - 1], sizeof swap);
            memcpy(value[k - 1], swap, sizeof swap);
        }
    f->m.multiplier = (const double(*)[2])value;
    f->m.count = n;
    return TAUT_OK;
}

static taut_status perform(taut_floquet *f, const taut_model *model,
                           const taut_run_options *options, const taut_linear_options *linear,
                           double period, taut_errors *errors) {
    double *phi = NULL, *before = NULL;
    for (int intervals = FIRST; intervals <= LAST; intervals *= 2) {
        taut_linear *l = NULL;
        TAUT_TRY(linearize(model, options, linear, period, intervals, &l, errors));
        const int n = taut_linear_at(l, 0)->states;
        const size_t square = (size_t)n * (size_t)n;
        if (!phi) {
            phi = TAUT_NEW_ARRAY(&f->arena, square + 1, double);
            before = TAUT_NEW_ARRAY(&f->arena, square + 1, double);
        }
        taut_status status = phi && before ? TAUT_OK : TAUT_ERR_MEMORY;
        if (status == TAUT_OK) memcpy(before, phi, square * sizeof *phi);
        if (status == TAUT_OK) status = over_period(l, intervals, period, phi);
        if (status == TAUT_OK) {
            const char *worst = "";
            f->m.error = change_of(before, phi, square);
            f->m.off = come_back(l, &worst);
            f->m.worst = taut_arena_copy(&f->arena, worst, strlen(worst));
            f->m.periodic = f->m.off <= BACK;
            if (!f->m.worst) status = TAUT_ERR_MEMORY;
        }
        taut_linear_free(&l);
        TAUT_TRY(status);
        if (f->m.error <= ENOUGH && intervals > FIRST) return find_multipliers(f, n, phi);
        if (2 * intervals > LAST) return find_multipliers(f, n, phi);
    }
    return TAUT_OK;
}

taut_status taut_floquet_find(const taut_model *model, const taut_run_options *options,
                              const taut_linear_options *linear, double period,
                              taut_floquet **floquet, taut_errors *errors) {
    TAUT_NEED(floquet, "floquet", errors);
    *floquet = NULL;
    TAUT_NEED(model, "model", errors);
    if (!(period > 0.0) || !isfinite(period))
        return taut_fail(errors, TAUT_ERR_CALL, "period = %g: a number above 0 is expected",
                         period);
    taut_floquet *f = taut_new(sizeof *f);
    if (!f) return TAUT_ERR_MEMORY;
    f->m.period = period;
    taut_allowance allowance;
    taut_allowance_begin(&allowance, options);
    const taut_status status =
        taut_allowance_end(&allowance, perform(f, model, options, linear, period, errors), errors);
    if (status == TAUT_OK)
        *floquet = f;
    else
        taut_floquet_free(&f);
    return status;
}

const taut_multipliers *taut_floquet_get(const taut_floquet *f) { return f ? &f->m : NULL; }

void taut_floquet_free(taut_floquet **floquet) {
    if (!floquet || !*floquet) return;
    taut_arena_release(&(*floquet)->arena);
    taut_release((void **)floquet);
}
