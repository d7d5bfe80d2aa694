/* Other forms of a linearisation: in all positions and velocities of the equations, and as the
 * equations themselves (docs/math/linearisation.md, section 8). */
#include <string.h>

#include "core/dense.h"
#include "core/text.h"
#include "task/linear.h"

/* c = a b by rows: (m x k) (k x n). */
static void multiply(int m, int k, int n, const double *a, const double *b, double *c) {
    memset(c, 0, (size_t)m * (size_t)n * sizeof *c);
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

/* c -= a b. */
static void subtract(int m, int k, int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++) c[i * n + j] -= a[i * k + l] * b[l * n + j];
}

/* ---- redundant: x = R x_min + Ru u, x_min = T (x - Ru u) with T R = 1 ---- */

/* T = (R^T R)^-1 R^T, n x N by rows. */
static taut_status invert(int N, int n, const double *R, taut_arena *arena, double **T) {
    double *square = TAUT_NEW_ARRAY(arena, n * n + 1, double);
    double *columns = TAUT_NEW_ARRAY(arena, n * N + 1, double);
    int *pivot = TAUT_NEW_ARRAY(arena, n + 1, int);
    *T = TAUT_NEW_ARRAY(arena, n * N + 1, double);
    if (!square || !columns || !pivot || !*T) return TAUT_ERR_MEMORY;
    for (int i = 0; i < N; i++)
        for (int a = 0; a < n; a++) {
            columns[i * n + a] = R[i * n + a]; /* column i of R^T */
            for (int b = 0; b < n; b++) square[b * n + a] += R[i * n + a] * R[i * n + b];
        }
    if (n > 0) TAUT_TRY(taut_dense_solve(n, N, square, columns, pivot));
    for (int i = 0; i < N; i++)
        for (int a = 0; a < n; a++) (*T)[a * N + i] = columns[i * n + a];
    return TAUT_OK;
}

taut_status taut_linear_redundant(const taut_linear_point *p, const char *const *state, int N,
                                  const double *R, const double *Ru, taut_arena *arena,
                                  const taut_linear_form **form) {
    const int n = p->states, m = p->inputs, o = p->outputs;
    double *T, *AT = TAUT_NEW_ARRAY(arena, n * N + 1, double);
    double *A = TAUT_NEW_ARRAY(arena, N * N + 1, double),
           *B = TAUT_NEW_ARRAY(arena, N * m + 1, double);
    double *C = TAUT_NEW_ARRAY(arena, o * N + 1, double),
           *D = TAUT_NEW_ARRAY(arena, o * m + 1, double);
    taut_linear_form *f = TAUT_NEW(arena, taut_linear_form);
    if (!AT || !A || !B || !C || !D || !f) return TAUT_ERR_MEMORY;
    TAUT_TRY(invert(N, n, R, arena, &T));
    multiply(n, n, N, p->A, T, AT);
    multiply(N, n, N, R, AT, A);
    multiply(N, n, m, R, p->B, B);
    subtract(N, N, m, A, Ru, B);
    multiply(o, n, N, p->C, T, C);
    memcpy(D, p->D, (size_t)o * (size_t)m * sizeof *D);
    subtract(o, N, m, C, Ru, D);
    *f = (taut_linear_form){.states = N, .state = state, .A = A, .B = B, .C = C, .D = D};
    *form = f;
    return TAUT_OK;
}

/* ---- descriptor: x_j^(k), k <= d_j ---- */

/* Which of all derivatives are variables, and their names. */
typedef struct layout {
    int *number; /* [place[n]] -1: none */
    const char **name;
    int count;
} layout;

static taut_status lay_out(const taut_variational *v, const taut_series *s, taut_arena *arena,
                           layout *x) {
    const int *place = taut_variational_place(v), *d = s->structure->offsets.d, n = s->system->n;
    char name[300];
    x->number = TAUT_NEW_ARRAY(arena, place[n] + 1, int);
    x->name = TAUT_NEW_ARRAY(arena, place[n] + 1, const char *);
    if (!x->number || !x->name) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < place[j + 1] - place[j]; k++) {
            x->number[place[j] + k] = k <= d[j] ? x->count : -1;
            if (k > d[j]) continue;
            taut_derivative_name(s->system, j, k, name, sizeof name);
            x->name[x->count] = taut_arena_copy(arena, name, strlen(name));
            if (!x->name[x->count++]) return TAUT_ERR_MEMORY;
        }
    return TAUT_OK;
}

/* The gradient of a row, times sign, as a row of a matrix; false: it contains more. */
static bool put_row(const taut_variational *v, const layout *x, int all, int row, int level,
                    double sign, double *gradient, double *to) {
    bool fits = true;
    memset(gradient, 0, (size_t)all * sizeof *gradient);
    taut_variational_gradient(v, row, level, gradient);
    for (int i = 0; i < all; i++) {
        if (x->number[i] >= 0)
            to[x->number[i]] = sign * gradient[i];
        else if (gradient[i] != 0.0)
            fits = false;
    }
    return fits;
}

/* x_j^(k)' = x_j^(k + 1), then the equations. */
static void fill_equations(const taut_variational *v, const taut_series *s, const layout *x,
                           int inputs, double *gradient, taut_linear_form *f) {
    const int *place = taut_variational_place(v), *d = s->structure->offsets.d, n = s->system->n;
    double *E = (double *)f->E, *A = (double *)f->A, *B = (double *)f->B;
    int row = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < d[j]; k++, row++) {
            E[row * x->count + x->number[place[j] + k]] = 1.0;
            A[row * x->count + x->number[place[j] + k + 1]] = 1.0;
        }
    for (int i = 0; i < n; i++, row++) {
        put_row(v, x, place[n], i, 0, 1.0, gradient, A + row * x->count);
        for (int u = 0; u < inputs; u++)
            B[row * inputs + u] = taut_variational_by_input(v, i, 0, u);
    }
}

static taut_status fill_outputs(const taut_variational *v, const taut_series *s, const layout *x,
                                const taut_catalogue *c, const taut_picks *outputs, int inputs,
                                double *gradient, taut_linear_form *f, taut_errors *errors) {
    const int n = s->system->n, all = taut_variational_place(v)[n];
    for (int i = 0; i < outputs->count; i++) {
        const taut_named *q = &c->item[outputs->item[i].item];
        const int row = n + q->slot, level = outputs->item[i].level;
        if (q->reacts ||
            !put_row(v, x, all, row, level, 1.0, gradient, (double *)f->C + i * x->count))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "options.outputs: '%s' is no function of the variables of the "
                             "equations: the descriptor form cannot have it",
                             outputs->item[i].name);
        for (int u = 0; u < inputs; u++)
            ((double *)f->D)[i * inputs + u] = taut_variational_by_input(v, row, level, u);
    }
    return TAUT_OK;
}

taut_status taut_linear_descriptor(const taut_variational *v, const taut_series *s,
                                   const taut_catalogue *catalogue, const taut_picks *outputs,
                                   int inputs, taut_arena *arena, const taut_linear_form **form,
                                   taut_errors *errors) {
    layout x = {0};
    TAUT_TRY(lay_out(v, s, arena, &x));
    const size_t N = (size_t)x.count, m = (size_t)inputs, o = (size_t)outputs->count;
    double *gradient = TAUT_NEW_ARRAY(arena, taut_variational_place(v)[s->system->n] + 1, double);
    taut_linear_form *f = TAUT_NEW(arena, taut_linear_form);
    if (!gradient || !f) return TAUT_ERR_MEMORY;
    *f = (taut_linear_form){.states = x.count,
                            .state = x.name,
                            .E = TAUT_NEW_ARRAY(arena, N * N + 1, double),
                            .A = TAUT_NEW_ARRAY(arena, N * N + 1, double),
                            .B = TAUT_NEW_ARRAY(arena, N * m + 1, double),
                            .C = TAUT_NEW_ARRAY(arena, o * N + 1, double),
                            .D = TAUT_NEW_ARRAY(arena, o * m + 1, double)};
    if (!f->E || !f->A || !f->B || !f->C || !f->D) return TAUT_ERR_MEMORY;
    fill_equations(v, s, &x, inputs, gradient, f);
    TAUT_TRY(fill_outputs(v, s, &x, catalogue, outputs, inputs, gradient, f, errors));
    *form = f;
    return TAUT_OK;
}
