/* The staged solution at a point: known Taylor coefficients, and J against differences. */
#include "solve_text.h"

#include "form/assemble.h"
#include "solve/series.h"

enum { LAST = 30 };

typedef struct expansion {
    taut_model *model;
    taut_problem *problem;
    taut_arena arena;
    taut_structure structure;
    taut_series *series;
} expansion;

static expansion *expand(const char *text) {
    expansion *e = calloc(1, sizeof *e);
    assert_non_null(e);
    e->model = read_text(text);
    assert_int_equal(taut_problem_create(e->model, &e->problem, NULL), TAUT_OK);
    const taut_system *system = &e->problem->system;
    assert_int_equal(taut_structure_create(system, &e->arena, &e->structure, NULL), TAUT_OK);
    assert_int_equal(taut_series_create(system, &e->structure, LAST, NULL, 0, &e->series), TAUT_OK);
    return e;
}

static void release(expansion *e) {
    taut_series_free(&e->series);
    taut_arena_release(&e->arena);
    taut_problem_free(&e->problem);
    taut_model_free(&e->model);
    free(e);
}

/* All stages from the values x_0 .. of the first variable, at time t with scale h. */
static void solve_at(expansion *e, double t, double h, const double *x, int given) {
    taut_series_start(e->series, t, h);
    for (int j = 0; j < e->structure.n; j++)
        for (int k = 0; k <= e->structure.offsets.d[j]; k++)
            taut_series_set(e->series, j, k, j == 0 && k < given ? x[k] : 0.0);
    assert_int_equal(taut_series_settle(e->series, false, NULL, NULL), TAUT_OK);
    taut_series_extend(e->series, 1, LAST);
}

/* Coefficient k, not the derivative. */
static double coefficient(const expansion *e, int j, int k) {
    return taut_series_get(e->series, j, k) / tgamma(k + 1.0);
}

static void test_coefficients_of_known_solutions(void **state) {
    (void)state;
    expansion *e = expand("DAE: {Variables: [x], Equations: [x' - x]}\n");
    solve_at(e, 0.0, 0.3, (double[]){1.0}, 1);
    for (int k = 0; k <= LAST; k++)
        assert_near(coefficient(e, 0, k), 1.0 / tgamma(k + 1.0), 0.0, 1e-14);
    release(e);

    e = expand("DAE: {Variables: [x], Equations: [x' - x^2]}\n"); /* 1/(1-t) */
    solve_at(e, 0.0, 2.0, (double[]){1.0}, 1);
    for (int k = 0; k <= LAST; k++) assert_near(coefficient(e, 0, k), 1.0, 0.0, 1e-13);
    release(e);

    e = expand("DAE: {Variables: [x], Equations: [\"x'' + 4*x\"]}\n"); /* sin(2t) */
    solve_at(e, 0.0, 1.0, (double[]){0.0, 2.0}, 2);
    for (int k = 0; k <= LAST; k++) {
        const double exact = k % 2 ? pow(-1.0, k / 2) * pow(2.0, k) / tgamma(k + 1.0) : 0.0;
        assert_near(coefficient(e, 0, k), exact, 0.0, 1e-13);
    }
    release(e);
}

/* y = x' of x = exp(2t) - sin(t): index 2, everything comes by differentiation. */
static void test_coefficients_of_a_differentiated_input(void **state) {
    (void)state;
    expansion *e = expand("DAE: {Variables: [x, y], Equations: [x - exp(2*t) + sin(t), y - x']}\n");
    assert_int_equal(e->structure.offsets.index, 2);
    solve_at(e, 0.0, 0.5, (double[]){1.0}, 1);
    for (int k = 0; k <= LAST; k++) {
        const double sine = k % 2 ? pow(-1.0, k / 2) : 0.0;
        assert_near(taut_series_get(e->series, 0, k), pow(2.0, k) - sine, 0.0, 1e-13);
        if (k < LAST)
            assert_near(taut_series_get(e->series, 1, k), taut_series_get(e->series, 0, k + 1),
                        1e-12, 1e-13);
    }
    release(e);
}

/* The scale serves the range of numbers only. */
static void test_coefficients_do_not_depend_on_the_scale(void **state) {
    (void)state;
    expansion *e = expand("DAE: {Variables: [x], Equations: [\"x'' + sin(x)*exp(-x/5)\"]}\n");
    double first[LAST + 1];
    solve_at(e, 0.0, 1.0, (double[]){1.2, 0.3}, 2);
    for (int k = 0; k <= LAST; k++) first[k] = taut_series_get(e->series, 0, k);
    for (double h = 1e-6; h < 1e4; h *= 10.0) {
        solve_at(e, 0.0, h, (double[]){1.2, 0.3}, 2);
        for (int k = 0; k <= LAST; k++)
            assert_near(taut_series_get(e->series, 0, k), first[k], 0.0, 1e-13);
        assert_true(taut_series_get(e->series, 0, 0) == 1.2); /* put in, and out again */
        assert_true(taut_series_get(e->series, 0, 1) == 0.3);
    }
    release(e);
}

/* Griewank: d f_i^(c_i) / d x_j^(d_j) = J_ij, here by differences. */
static void test_jacobian_matches_differences(void **state) {
    (void)state;
    static const char *const text[] = {
        "DAE: {Variables: [u, v, lam],\n"
        "      Equations: [\"u'' + lam*u\", \"v'' + lam*v - 9.81\", u^2 + v^2 - 100]}\n",
        "DAE:\n"
        "  Variables: [x, y, z]\n"
        "  Equations:\n"
        "    - x''*exp(y') + sqrt(z + 3)*atan2(x, y')\n"
        "    - (x*y)'*cos(z) + tanh(x')\n"
        "    - (z*x' + y)'/(1 + x^2) - log(2 + z^2)\n",
        "Lagrangian:\n"
        "  Coordinates: {u: 3, v: 3}\n"
        "  Define: {w: \"cross(u, v)\", a: \"dot(w, v')\", b: \"dot(u, w')\", c: \"dot(v, u')\"}\n"
        "  L: 1/2*(a^2 + 2*b^2 + 3*c^2)\n"
        "  Constraints: [\"dot(u, u) - 1\", \"dot(v, v) - 1\", \"dot(u, v)\"]\n",
    };
    for (size_t m = 0; m < sizeof text / sizeof text[0]; m++) {
        expansion *e = expand(text[m]);
        taut_series *s = e->series;
        const int *d = e->structure.offsets.d, n = e->structure.n;
        const double step = 1e-5;
        double plus[16], minus[16];
        assert_true(n <= 16);
        taut_series_start(s, 0.7, 1.0);
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= d[j]; k++)
                taut_series_set(s, j, k, 0.5 + 0.3 * sin(5.0 * j + 2.0 * k));
        taut_series_look(s, 0);
        taut_series_jacobian(s);
        for (int j = 0; j < n; j++) {
            const double x = taut_series_get(s, j, d[j]);
            taut_series_set(s, j, d[j], x + step);
            taut_series_look(s, 0);
            for (int i = 0; i < n; i++) plus[i] = taut_series_residual(s, i, 0);
            taut_series_set(s, j, d[j], x - step);
            taut_series_look(s, 0);
            for (int i = 0; i < n; i++) minus[i] = taut_series_residual(s, i, 0);
            taut_series_set(s, j, d[j], x);
            int at = s->start[j];
            for (int i = 0; i < n; i++) {
                const bool stored = at < s->start[j + 1] && s->row[at] == i;
                const double entry = stored ? s->J[at++] : 0.0;
                assert_near(entry, (plus[i] - minus[i]) / (2.0 * step), 1e-8, 1e-8);
            }
        }
        release(e);
    }
}

/* Outputs at a time of x = sin 2t: by their definitions, and on a tape of their own as on that of
 * the equations. */
enum { OUTPUTS = 5, ORDERS = 4 };

static void check_outputs(const taut_series *own, const taut_series *apart, double t) {
    const double x = sin(2.0 * t), v = 2.0 * cos(2.0 * t), a = -4.0 * x;
    const double value[OUTPUTS] = {x * x, sin(x) * v, v * v / 2.0 + 2.0 * x * x, a, t * x};
    const double rate[OUTPUTS] = {2.0 * x * v, cos(x) * v * v + sin(x) * a, 0.0, -4.0 * v,
                                  x + t * v};
    for (int i = 0; i < OUTPUTS; i++) {
        assert_near(taut_series_output(apart, i, 0), value[i], 1e-14, 1e-14);
        assert_near(taut_series_output(apart, i, 1), rate[i], 1e-13, 1e-14);
        for (int k = 0; k < ORDERS; k++) {
            assert_int_equal(taut_series_output_stage(apart, i, k),
                             taut_series_output_stage(own, i, k));
            assert_near(taut_series_output(apart, i, k), taut_series_output(own, i, k), 1e-12,
                        1e-13);
        }
    }
}

static void test_outputs_apart_follow_every_point(void **state) {
    (void)state;
    expansion *e = expand("DAE: {Variables: [x], Equations: [\"x'' + 4*x\"]}\n");
    taut_graph *g = e->problem->graph;
    const taut_node x = taut_variable(g, 0), v = taut_dot(g, x, 1);
    const taut_node output[OUTPUTS] = {
        taut_square(g, x), taut_mul(g, taut_apply(g, TAUT_OP_SIN, x), v),
        taut_add(g, taut_scale(g, 0.5, taut_square(g, v)), taut_scale(g, 2.0, taut_square(g, x))),
        taut_dot(g, x, 2), taut_mul(g, taut_time(g), x)};
    taut_series_plan *plan;
    taut_series *series[3]; /* outputs on its tape; apart; none, with the plan of the second */
    const taut_system *system = &e->problem->system;
    assert_int_equal(taut_series_plan_create(system, &e->structure, LAST, NULL, 0, &plan), TAUT_OK);
    assert_int_equal(taut_series_create(system, &e->structure, LAST, output, OUTPUTS, &series[0]),
                     TAUT_OK);
    assert_int_equal(taut_series_create_view(plan, ORDERS, output, OUTPUTS, &series[1]), TAUT_OK);
    taut_series_plan_free(&plan); /* the view keeps it */
    assert_int_equal(taut_series_create_beside(series[1]->plan, &series[2]), TAUT_OK);
    for (double t = 0.0; t < 2.0; t += 0.3) {
        for (int i = 0; i < 3; i++) {
            taut_series *s = series[i];
            taut_series_start(s, t, 0.5);
            taut_series_set(s, 0, 0, sin(2.0 * t));
            taut_series_set(s, 0, 1, 2.0 * cos(2.0 * t));
            taut_series_set(s, 0, 2, 0.0);
            assert_int_equal(taut_series_settle(s, false, NULL, NULL), TAUT_OK);
            taut_series_extend(s, 1, i == 2 ? LAST : ORDERS);
        }
        check_outputs(series[0], series[1], t);
        for (int k = 0; k <= ORDERS; k++)
            assert_near(taut_series_get(series[2], 0, k), taut_series_get(series[1], 0, k), 0, 0);
    }
    taut_series_set(series[1], 0, 0, 0.25); /* what is looked at counts, before and after */
    const double before = taut_series_output(series[1], 0, 0);
    taut_series_look(series[1], -1);
    assert_near(taut_series_output(series[1], 0, 0), 0.0625, 0, 0);
    assert_true(before != 0.0625);
    taut_series_free(&series[1]); /* the other one lives on with the plan */
    taut_series_look(series[2], 0);
    taut_series_free(&series[2]);
    taut_series_free(&series[0]);
    release(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coefficients_of_known_solutions),
        cmocka_unit_test(test_coefficients_of_a_differentiated_input),
        cmocka_unit_test(test_coefficients_do_not_depend_on_the_scale),
        cmocka_unit_test(test_jacobian_matches_differences),
        cmocka_unit_test(test_outputs_apart_follow_every_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
