/* Steps: symmetric starts, rest, units, zero coordinates, fixed steps and orders, true ends. */
#include "solve_text.h"

#include "bench_system.h"

static solution *run_at(const char *text, double tol) {
    const taut_run_options options = at_tolerance(tol);
    return solve_text(text, &options);
}

/* ---- nothing moves, or nearly ---- */

static void test_equilibrium_takes_one_step_and_stays(void **state) {
    (void)state;
    solution *s = run_at("Lagrangian:\n"
                         "  Coordinates: [u, v]\n"
                         "  L: 1/2*(u'^2 + v'^2) + 9.81*v\n"
                         "  Constraints: [u^2 + v^2 - 100]\n"
                         "ProblemData: {tend: 1000, positions: {u: 0, v: 10}}\n",
                         1e-12);
    for (long i = 0; i < rows_of(s); i++) {
        assert_true(value_of(s, i, "u") == 0.0 && value_of(s, i, "v") == 10.0);
        assert_true(value_of(s, i, "u'") == 0.0 && value_of(s, i, "v'") == 0.0);
    }
    assert_int_equal(stats_of(s)->steps, 1);
    assert_true(stats_of(s)->reached == 1000.0);
    solution_free(s);
}

/* Pendulums and a mass on a spring that hang still, of which rounding leaves velocities of 1e-16,
 * in all coordinates. */
static void test_rounding_in_an_equilibrium_does_not_stop(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "reference", "relative"};
    static const char *const text[] = {
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 10, positions: {A: [0, -1]}}\n",
        "Dimension: 2\n"
        "PhysicalParams: {l: 0.7}\n"
        "PartData:\n"
        "  Fixed: {O: [0.1, 0.3]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[l, 0]], Dyna: [[l/3, 0], 2, 1/6]}\n"
        "    AB: {Geom: [[l/3, 0]], Dyna: [[l/7, 0], 1.1, 1/60]}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 10, positions: {A: [0.1, 0.3 - l], B: [0.1, 0.3 - 4*l/3]}}\n",
        "Dimension: 2\n"
        "PartData: {Fixed: {O: [0, 0]}, Particles: {A: 1}, Springs: {OA: [98.1, 1]}}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 10, positions: {A: [0, -1.1]}}\n"};
    static const double x[] = {0.0, 0.1, 0.0}, y[] = {-1.0, -0.4, -1.1};
    for (int i = 0; i < 3; i++)
        for (int f = 0; f < 3; f++) {
            taut_run_options options = at_tolerance(1e-9);
            options.formulation = formulation[f];
            solution *s = must_succeed(solve_text(text[i], &options));
            assert_true(stats_of(s)->steps < 500 && stats_of(s)->rejected < 500);
            assert_near(last_of(s, "Ax"), x[i], 1e-12, 0.0);
            assert_near(last_of(s, "Ay"), y[i], 1e-12, 0.0);
            assert_near(last_of(s, "Ay'"), 0.0, 1e-12, 0.0);
            solution_free(s);
        }
}

/* All coefficients above the second vanish: there is nothing to choose a step by. */
static void test_polynomial_solution_reaches_the_end_at_once(void **state) {
    (void)state;
    bench *b = bench_open();
    taut_graph *G = b->graph;
    taut_node x = bench_variable(b, "x"), y = bench_variable(b, "y"), z = bench_variable(b, "z");
    bench_equation(b, taut_dot(G, x, 2));
    bench_equation(b, taut_add(G, taut_dot(G, y, 2), taut_number(G, 9.81)));
    bench_equation(b, taut_sub(G, taut_dot(G, z, 1), taut_time(G)));
    const double start[] = {0.0, 3.0, 0.0, 1.0 / 3.0, 1.0};
    const taut_stepping tight = {.rtol = 1e-12, .atol = 1e-12};
    assert_int_equal(bench_start(b, "taylor", tight, start, 0.0, 7.0), TAUT_OK);
    bench_run(b);
    assert_near(bench_value(b, 0, 0), 21.0, 0.0, 0.0);
    assert_near(bench_value(b, 0, 1), 3.0, 0.0, 0.0);
    assert_near(bench_value(b, 1, 0), 7.0 / 3.0 - 9.81 / 2.0 * 49.0, 0.0, 1e-15);
    assert_near(bench_value(b, 2, 0), 25.5, 0.0, 1e-15);
    assert_int_equal(taut_stepper_statistics(b->stepper).steps, 1);
    bench_close(b);
}

/* Only orders 2, 6, 10, ... of the angle are not zero at the start. */
static void test_symmetric_start_needs_no_more_steps_than_the_way_back(void **state) {
    (void)state;
    const char *const text = "Lagrangian:\n"
                             "  Coordinates: [a]\n"
                             "  L: 1/2*a'^2 + sin(a)\n"
                             "ProblemData: {tend: %.17g, positions: {a: %s}, velocities: {a: 0}}\n";
    char model[300];
    /* over one period 4 K(1/2) it is back where it was, at rest */
    const double period = 7.4162987092054876737;
    snprintf(model, sizeof model, text, period, "0");
    solution *s = run_at(model, 1e-13);
    assert_near(last_of(s, "a"), 0.0, 1e-13, 0.0);
    assert_near(last_of(s, "a'"), 0.0, 1e-13, 0.0);
    assert_int_equal(stats_of(s)->rejected, 0);
    assert_true(stats_of(s)->steps < 40);
    const long symmetric = stats_of(s)->steps;
    solution_free(s);
    snprintf(model, sizeof model, text, period, "0.001");
    s = run_at(model, 1e-13);
    assert_true(labs(stats_of(s)->steps - symmetric) <= 3);
    solution_free(s);
}

/* ---- units ---- */

/* The steps are the same in seconds, milliseconds, years; the values scale. */
static void test_unit_of_time_does_not_matter(void **state) {
    (void)state;
    static const double unit[] = {1.0, 1e-3, 1e3, 3.15e7, 1e-9};
    double x = 0.0, v = 0.0;
    long steps = 0;
    for (int i = 0; i < 5; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "PhysicalParams: {S: %g}\n"
                 "DAE: {Variables: [x], Equations: [\"x''*S^2 - (1 - x^2)*x'*S + x\"]}\n"
                 "ProblemData: {tend: 15*S, positions: {x: 2}, velocities: {x: 0}}\n",
                 unit[i]);
        solution *s = run_at(text, 1e-12);
        if (i == 0) {
            steps = stats_of(s)->steps;
            x = last_of(s, "x");
            v = last_of(s, "x'");
        }
        assert_int_equal(stats_of(s)->steps, steps);
        assert_near(last_of(s, "x"), x, 0.0, 1e-13);
        assert_near(last_of(s, "x'") * unit[i], v, 0.0, 1e-13);
        solution_free(s);
    }
}

/* Not to the last bit: pivots of J may change. */
static void test_unit_of_length_does_not_matter(void **state) {
    (void)state;
    static const double unit[] = {1.0, 1024.0, 0x1p-20, 1e-3, 1e6};
    double u = 0.0, v = 0.0, lam = 0.0;
    long steps = 0;
    for (int i = 0; i < 5; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "PhysicalParams: {S: %.17g, G: 9.8125*S, L: 10*S}\n"
                 "DAE:\n"
                 "  Variables: [u, v, lam]\n"
                 "  Equations: [\"u'' + lam*u\", \"v'' + lam*v - G\", u^2 + v^2 - L^2]\n"
                 "ProblemData: {tend: 10, positions: {u: L, v: 0}, velocities: {u: 0, v: 0}}\n",
                 unit[i]);
        solution *s = run_at(text, 1e-12);
        if (i == 0) {
            steps = stats_of(s)->steps;
            u = last_of(s, "u");
            v = last_of(s, "v'");
            lam = last_of(s, "lam");
        }
        assert_int_equal(stats_of(s)->steps, steps);
        assert_near(last_of(s, "u") / unit[i], u, 0.0, 1e-14);
        assert_near(last_of(s, "v'") / unit[i], v, 0.0, 1e-14);
        assert_near(last_of(s, "lam"), lam, 0.0, 1e-14);
        solution_free(s);
    }
}

/* ---- coordinates that are zero ---- */

static void test_planar_motion_in_space_costs_nothing(void **state) {
    (void)state;
    solution *plane = run_at("Lagrangian:\n"
                             "  Coordinates: [x, z]\n"
                             "  L: 1/2*(x'^2 + z'^2) - 9.81*z\n"
                             "  Constraints: [x^2 + z^2 - 1]\n"
                             "ProblemData: {tend: 10, positions: {x: 1, z: 0}}\n",
                             1e-12);
    static const char *const y[] = {"0", "1e-17", "-1e-300"};
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "Lagrangian:\n"
                 "  Coordinates: [x, y, z]\n"
                 "  L: 1/2*(x'^2 + y'^2 + z'^2) - 9.81*z\n"
                 "  Constraints: [x^2 + y^2 + z^2 - 1]\n"
                 "ProblemData: {tend: 10, positions: {x: 1, y: %s, z: 0}}\n",
                 y[i]);
        solution *space = run_at(text, 1e-12);
        assert_true(labs(stats_of(space)->steps - stats_of(plane)->steps) <= 2);
        assert_int_equal(stats_of(space)->rejected, 0);
        for (long row = 0; row < rows_of(space); row++)
            assert_near(value_of(space, row, "y"), 0.0, i == 0 ? 0.0 : 1e-16, 0.0);
        assert_near(last_of(space, "x"), last_of(plane, "x"), 1e-13, 0.0);
        solution_free(space);
    }
    solution_free(plane);
}

/* A fast oscillator at rest beside a slow motion must not set the step. */
static void test_fast_part_at_rest_does_not_shorten_steps(void **state) {
    (void)state;
    solution *s = run_at("DAE: {Variables: [x, y], Equations: [\"x'' + 1e8*x\", \"y' + y\"]}\n"
                         "ProblemData: {tend: 1, positions: {x: 0, y: 1}, velocities: {x: 0}}\n",
                         1e-12);
    assert_near(last_of(s, "y"), exp(-1.0), 0.0, 1e-13);
    assert_true(stats_of(s)->steps <= 3);
    solution_free(s);
}

/* ---- options ---- */

static const char CIRCLE[] = "DAE: {Variables: [x], Equations: [\"x'' + x\"]}\n"
                             "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n";

static void test_fixed_step_has_the_order_asked_for(void **state) {
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        taut_run_options options = at_tolerance(1e-9);
        options.order = 6;
        options.step = i == 0 ? 0.5 : 0.25;
        solution *s = solve_text(CIRCLE, &options);
        assert_int_equal(stats_of(s)->steps, i == 0 ? 20 : 40);
        assert_int_equal(stats_of(s)->order, 6);
        error[i] = hypot(last_of(s, "x") - cos(10.0), last_of(s, "x'") + sin(10.0));
        solution_free(s);
    }
    const double order = log2(error[0] / error[1]);
    assert_true(order > 5.7 && order < 7.3);
}

static void test_every_order_gives_the_same_solution(void **state) {
    (void)state;
    for (int order = 4; order <= 60; order++) {
        taut_run_options options = at_tolerance(1e-9);
        options.order = order;
        solution *s = solve_text(CIRCLE, &options);
        assert_int_equal(stats_of(s)->order, order);
        assert_near(last_of(s, "x"), cos(10.0), 1e-8, 0.0);
        assert_true(stats_of(s)->steps < 100000);
        solution_free(s);
    }
}

/* A pendulum that starts level and at rest has only the powers 2, 6, 10, ... of t: at low orders
 * nothing, or nothing but rounding, is left to choose the first step by. */
static void test_gaps_of_the_series_do_not_deceive(void **state) {
    (void)state;
    static const char *const start[] = {"0", "1e-29"};
    for (int order = 4; order <= 12; order++)
        for (int i = 0; i < 2; i++) {
            char text[200];
            taut_run_options options = at_tolerance(1e-8);
            options.order = order;
            snprintf(text, sizeof text,
                     "Lagrangian: {Coordinates: [a], L: \"a'^2/2 - 9.81*sin(a)\"}\n"
                     "ProblemData: {tend: 2, positions: {a: %s}}\n",
                     start[i]);
            solution *s = must_succeed(solve_text(text, &options));
            assert_true(stats_of(s)->energy_drift < 1e-7);
            solution_free(s);
        }
}

static void test_steps_as_rows_end_exactly_at_tend(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-12);
    options.every = TAUT_EVERY_STEP;
    solution *s = solve_text(CIRCLE, &options);
    assert_int_equal(rows_of(s), stats_of(s)->steps + 1);
    assert_true(value_of(s, 0, "t") == 0.0 && last_of(s, "t") == 10.0);
    for (long i = 0; i < rows_of(s); i++)
        assert_near(value_of(s, i, "x"), cos(value_of(s, i, "t")), 1e-12, 0.0);
    solution_free(s);
}

/* Dense output is as good as the steps, and does not depend on which rows are asked for. */
static void test_rows_do_not_change_the_solution(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-12);
    options.every = 0.01;
    solution *fine = solve_text(CIRCLE, &options);
    options.every = 0.5;
    solution *coarse = solve_text(CIRCLE, &options);
    assert_int_equal(stats_of(fine)->steps, stats_of(coarse)->steps);
    for (long i = 0; i < rows_of(fine); i++)
        assert_near(value_of(fine, i, "x"), cos(value_of(fine, i, "t")), 1e-12, 0.0);
    assert_near(last_of(fine, "x"), last_of(coarse, "x"), 0.0, 0.0);
    solution_free(fine);
    solution_free(coarse);
}

/* ---- where a solution ends ---- */

static void test_blow_up_stops_just_before_the_pole(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-12);
    solution *s = try_text("DAE: {Variables: [x], Equations: [x' - x^2]}\n"
                           "ProblemData: {tend: 2, positions: {x: 1}}\n",
                           &options);
    assert_true(s->status > 0 || s->status == TAUT_ERR_NUMERICS);
    assert_non_null(s->result);
    assert_true(s->errors.count > 0);
    assert_near(stats_of(s)->reached, 1.0, 1e-9, 0.0);
    assert_true(stats_of(s)->steps < 1000);
    for (long i = 0; i < rows_of(s); i++)
        assert_near(value_of(s, i, "x") * (1.0 - value_of(s, i, "t")), 1.0, 1e-9, 0.0);
    solution_free(s);
}

static void test_root_of_a_negative_number_stops(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-12);
    solution *s = try_text("DAE: {Variables: [x, y], Equations: [x' + 1, y - sqrt(x)]}\n"
                           "ProblemData: {tend: 3, positions: {x: 1}}\n",
                           &options);
    assert_true(s->status > 0 || s->status == TAUT_ERR_NUMERICS);
    assert_non_null(s->result);
    assert_near(stats_of(s)->reached, 1.0, 1e-6, 0.0);
    assert_true(stats_of(s)->steps < 1000);
    for (long i = 0; i < rows_of(s); i++)
        assert_near(value_of(s, i, "y"), sqrt(1.0 - value_of(s, i, "t")), 1e-9, 0.0);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equilibrium_takes_one_step_and_stays),
        cmocka_unit_test(test_rounding_in_an_equilibrium_does_not_stop),
        cmocka_unit_test(test_polynomial_solution_reaches_the_end_at_once),
        cmocka_unit_test(test_symmetric_start_needs_no_more_steps_than_the_way_back),
        cmocka_unit_test(test_unit_of_time_does_not_matter),
        cmocka_unit_test(test_unit_of_length_does_not_matter),
        cmocka_unit_test(test_planar_motion_in_space_costs_nothing),
        cmocka_unit_test(test_fast_part_at_rest_does_not_shorten_steps),
        cmocka_unit_test(test_fixed_step_has_the_order_asked_for),
        cmocka_unit_test(test_every_order_gives_the_same_solution),
        cmocka_unit_test(test_gaps_of_the_series_do_not_deceive),
        cmocka_unit_test(test_steps_as_rows_end_exactly_at_tend),
        cmocka_unit_test(test_rows_do_not_change_the_solution),
        cmocka_unit_test(test_blow_up_stops_just_before_the_pole),
        cmocka_unit_test(test_root_of_a_negative_number_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
