/* Tests of solve/hermite: orders, stability, stiff mechanisms to many digits, and a stiffness that
 * costs nothing. */
#include "digits.h"
#include "bench_system.h"

static taut_run_options ho_at(double tol) {
    taut_run_options options = at_tolerance(tol);
    options.solver = "ho";
    return options;
}

/* ---- order ---- */

/* An index-3 pendulum, and a nonlinear equation of second order. */
static const char *const PENDULUM = "PhysicalParams: {G: 9.81, L: 10}\n"
                                    "DAE:\n"
                                    "  Variables: [u, v, lam]\n"
                                    "  Equations: [\"u'' + lam*u\", \"v'' + lam*v - G\", "
                                    "\"u^2 + v^2 - L^2\"]\n"
                                    "ProblemData: {tend: 4, positions: {u: 6, v: 8}, "
                                    "velocities: {u: 0, v: 0}}\n";
static const char *const VAN_DER_POL = "DAE:\n"
                                       "  Variables: [u]\n"
                                       "  Equations: [\"u'' - 2*(1 - u^2)*u' + u\"]\n"
                                       "ProblemData: {tend: 9, positions: {u: 1.5}, "
                                       "velocities: {u: 0.3}}\n";

static double error_with(const char *text, double step, int order, double truth) {
    taut_run_options options = ho_at(1e-13);
    options.step = step;
    options.order = order;
    solution *s = solve_text(text, &options);
    assert_int_equal(stats_of(s)->order, order);
    const double error = fabs(last_of(s, "u") - truth);
    solution_free(s);
    return error;
}

/* Halves the step and sees the error fall by 2^order, nearly. */
static void must_have_order(const char *text, double step, int order) {
    const taut_run_options exact = at_tolerance(1e-14);
    solution *s = solve_text(text, &exact);
    const double truth = last_of(s, "u");
    solution_free(s);
    const double coarse = error_with(text, step, order, truth);
    const double fine = error_with(text, step / 2, order, truth);
    const double seen = log2(coarse / fine);
    print_message("order %d: seen %.2f (errors %.2g, %.2g)\n", order, seen, coarse, fine);
    assert_true(fine > 1e-13); /* not yet rounding */
    assert_near(seen, order, 0.6, 0.0);
}

static void test_orders_are_seen(void **state) {
    (void)state;
    must_have_order(PENDULUM, 0.5, 5);
    must_have_order(PENDULUM, 0.5, 7);
    must_have_order(PENDULUM, 0.4, 9);
    must_have_order(VAN_DER_POL, 0.1, 5);
    must_have_order(VAN_DER_POL, 0.1, 7);
}

/* Steps through a file and counts the steps of each order. */
static void count_orders(const char *name, const taut_run_options *options, int count[20]) {
    char path[512];
    taut_errors errors = {0};
    taut_model *model = NULL;
    taut_simulation *simulation = NULL;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, options, &simulation, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(simulation, &errors), TAUT_OK);
    memset(count, 0, 20 * sizeof *count);
    const taut_run_stats *stats = taut_simulation_stats(simulation);
    while (taut_simulation_reached(simulation) < stats->tend) {
        assert_int_equal(taut_simulation_step(simulation, &errors), TAUT_OK);
        stats = taut_simulation_stats(simulation);
        assert_in_range(stats->order, 5, 17);
        count[stats->order]++;
    }
    print_message("%s at %.0e:", name, options->rtol);
    for (int order = 0; order < 20; order++)
        if (count[order] > 0) print_message(" order %d: %d", order, count[order]);
    print_message("\n");
    taut_simulation_free(&simulation);
    taut_model_free(&model);
}

/* The pair follows the motion, up to that of the tolerance; with --order it stays. */
static void test_order_follows_the_motion(void **state) {
    (void)state;
    int count[20];
    taut_run_options options = ho_at(1e-10);
    options.atol = 1e-22;
    count_orders("stiff/robertson", &options, count);
    assert_true(count[17] == 0 && count[15] > 0);
    assert_true(count[5] + count[7] + count[9] + count[11] + count[13] > 0);
    options = ho_at(9e-13);
    count_orders("stiff/van-der-pol-1e6", &options, count);
    assert_true(count[17] > 30 && count[15] > 30);
    options.order = 11;
    count_orders("stiff/van-der-pol-1e6", &options, count);
    for (int order = 0; order < 20; order++) assert_true((count[order] > 0) == (order == 11));
}

/* Towards a jump all steps must become shorter: that is foreseen, not found out by rejections. */
static void test_jumps_are_foreseen(void **state) {
    (void)state;
    for (double tol = 1e-6; tol > 1e-13; tol *= 1e-2) {
        const taut_run_options options = ho_at(tol);
        solution *s = solve_file("examples/stiff/van-der-pol-1e6.yaml", &options);
        print_message("jumps at %.0e: %ld steps, %ld rejected\n", tol, stats_of(s)->steps,
                      stats_of(s)->rejected);
        assert_true(stats_of(s)->steps < 400);
        assert_true(5 * stats_of(s)->rejected < stats_of(s)->steps);
        solution_free(s);
    }
}

/* ---- stability ---- */

/* y' = -lambda y and z' = -lambda z, or with lambda turning the two into each other. */
static bench *fast_modes(double lambda, bool turning) {
    bench *b = bench_open();
    taut_graph *G = b->graph;
    taut_node y = bench_variable(b, "y"), z = bench_variable(b, "z");
    const taut_node by_y = turning ? taut_scale(G, -lambda, z) : taut_scale(G, lambda, y);
    const taut_node by_z = turning ? taut_scale(G, lambda, y) : taut_scale(G, lambda, z);
    bench_equation(b, taut_add(G, taut_dot(G, y, 1), by_y));
    bench_equation(b, taut_add(G, taut_dot(G, z, 1), by_z));
    return b;
}

/* Huge lambda and steps of 0.1: the solution must fall at once, for all pairs. */
static void test_fast_modes_are_damped(void **state) {
    (void)state;
    for (int turning = 0; turning < 2; turning++)
        for (int order = 5; order <= 9; order += 2) {
            bench *b = fast_modes(1e8, turning != 0);
            const taut_stepping fixed = {.rtol = 1e-6, .atol = 1e-6, .order = order, .step = 0.1};
            const double x[] = {1.0, turning ? 0.0 : 1.0};
            double before = 1.0;
            assert_int_equal(bench_start(b, "ho", fixed, x, 0.0, 1.0), TAUT_OK);
            for (int i = 0; i < 10; i++) {
                bench_step(b);
                const double now = hypot(bench_value(b, 0, 0), bench_value(b, 1, 0));
                assert_true(now <= fmax(1e-4 * before, 1e-20));
                before = now;
            }
            assert_true(b->stepper->t == 1.0);
            bench_close(b);
        }
}

/* A slow motion with a fast mode beside it that is not excited: few steps, full accuracy. */
static void test_slow_motion_beside_fast_modes(void **state) {
    (void)state;
    static const char *const text =
        "DAE:\n"
        "  Variables: [y, u, v]\n"
        "  Equations: [\"y' + 1e8*(y - cos(t)) + sin(t)\", \"u' - 1e8*(v - sin(t)) - cos(t)\", "
        "\"v' + 1e8*(u - sin(t)) - cos(t)\"]\n"
        "ProblemData: {tend: 10, positions: {y: 1, u: 0, v: 0}}\n";
    const taut_run_options options = ho_at(1e-9);
    solution *s = solve_text(text, &options);
    print_message("slow beside fast: %ld steps\n", stats_of(s)->steps);
    assert_true(stats_of(s)->steps < 80);
    for (long row = 0; row < rows_of(s); row += 20) {
        const double t = value_of(s, row, "t");
        assert_near(value_of(s, row, "y"), cos(t), 1e-8, 0.0);
        assert_near(value_of(s, row, "u"), sin(t), 1e-8, 0.0);
        assert_near(value_of(s, row, "v"), sin(t), 1e-8, 0.0);
    }
    solution_free(s);
}

/* x'' + w^2 (x - sin t) = 0 is x = w^2/(w^2 - 1) sin t + a cos(w t): a spring without damping. What
 * is above the tolerance is resolved, with the steps that this takes; what is below is damped. */
static void test_stiff_oscillation_is_resolved_or_damped(void **state) {
    (void)state;
    static const double w[] = {1e3, 1e3, 1e6}, a[] = {1e-2, 0.0, 0.0};
    long steps[3];
    for (int i = 0; i < 3; i++) {
        char text[400];
        const double slow = w[i] * w[i] / (w[i] * w[i] - 1.0);
        snprintf(text, sizeof text,
                 "DAE: {Variables: [x], Equations: [\"x'' + %.17g^2*(x - sin(t))\"]}\n"
                 "ProblemData: {tend: 1, positions: {x: %.17g}, velocities: {x: %.17g}}\n",
                 w[i], a[i], slow);
        const taut_run_options options = ho_at(1e-8);
        solution *s = solve_text(text, &options);
        steps[i] = stats_of(s)->steps;
        for (long row = 0; row < rows_of(s); row += 10) {
            const double t = value_of(s, row, "t");
            assert_near(value_of(s, row, "x"), slow * sin(t) + a[i] * cos(w[i] * t), 1e-6, 0.0);
        }
        solution_free(s);
    }
    print_message("oscillation: %ld steps resolved, %ld and %ld damped\n", steps[0], steps[1],
                  steps[2]);
    assert_true(steps[0] > 300);
    assert_true(steps[1] < 50 && steps[2] < 50);
}

/* ---- mechanisms ---- */

/* The digits of an example's columns at its given states. */
static agreement digits_at_states(const char *name, double tol, solution **kept) {
    const mechanism *m = mechanism_of(name);
    taut_run_options options = ho_at(tol);
    options.at = m->time;
    options.ats = m->states;
    solution *s = solve_example(name, &options);
    agreement worst = {17.0, 0.0, ""};
    for (int row = 0; row < m->states; row++)
        for (int c = 0; c < m->columns; c++)
            agreement_add(&worst,
                          digits_of(value_of(s, row, m->column[c]), m->value[row * m->columns + c],
                                    given_scale(m, c)),
                          m->time[row], m->column[c]);
    print_message("%s at %.0e: %.2f digits (%s, t = %g), %ld steps, %ld rejected\n", name, tol,
                  worst.digits, worst.column, worst.t, stats_of(s)->steps, stats_of(s)->rejected);
    *kept = s;
    return worst;
}

static void test_flyball_governor_to_its_digits(void **state) {
    (void)state;
    static const double bar[][2] = {{1e-6, 5.0}, {1e-8, 7.0}, {1e-10, 9.0}, {1e-12, 11.0}};
    for (int i = 0; i < 4; i++) {
        solution *s;
        const agreement found = digits_at_states("flyball-governor", bar[i][0], &s);
        require_digits(found, bar[i][1], "flyball-governor");
        assert_true(stats_of(s)->steps < 200);
        assert_true(stats_of(s)->constraint_residual < 1e-14);
        solution_free(s);
    }
}

/* dL/d theta' of tests/models/flyball-governor-minimal.yaml, from the columns of a row. */
static double angular_momentum(const solution *s, long row) {
    const double r = 0.05, sine = 1.0 - value_of(s, row, "Bz"), cosine = sqrt(1.0 - sine * sine);
    const double rB = r + cosine, rM = r + cosine / 2, m = 0.3, mb = 5.0, Ia = 5e-6, Ic = 0.0250025;
    return (0.005005 + 2 * mb * rB * rB + 2 * m * rM * rM + 2 * Ia * sine * sine +
            2 * Ic * cosine * cosine) *
           value_of(s, row, "theta'");
}

static void test_angular_momentum_stays(void **state) {
    (void)state;
    for (double tol = 1e-6; tol > 1e-13; tol *= 1e-2) {
        const taut_run_options options = ho_at(tol);
        solution *s = solve_example("flyball-governor", &options);
        const double first = angular_momentum(s, 0);
        double worst = 0.0;
        for (long row = 1; row < rows_of(s); row += 10)
            worst = fmax(worst, fabs(angular_momentum(s, row) / first - 1.0));
        print_message("angular momentum at %.0e: %.2g\n", tol, worst);
        assert_true(worst <= 10.0 * tol);
        solution_free(s);
    }
}

/* All columns of an example in all rows of a run by `ho`, against another run. */
static agreement digits_against(const char *name, const solution *truth,
                                const taut_run_options *options, long *steps) {
    const mechanism *m = mechanism_of(name);
    solution *s = solve_example(name, options);
    agreement worst = {17.0, 0.0, ""};
    for (int c = 0; c < m->columns; c++) {
        const int mine = column_of(s, m->column[c]), other = column_of(truth, m->column[c]);
        const double scale = scale_of(truth, m->column[c]);
        for (long row = 0; row < rows_of(s); row++)
            agreement_add(&worst,
                          digits_of(taut_result_value(s->result, row, mine),
                                    taut_result_value(truth->result, row, other), scale),
                          taut_result_value(s->result, row, 0), m->column[c]);
    }
    print_message("%s at %.0e: %.2f digits (%s, t = %g), %ld steps, %ld rejected\n", name,
                  options->rtol, worst.digits, worst.column, worst.t, stats_of(s)->steps,
                  stats_of(s)->rejected);
    if (steps) *steps = stats_of(s)->steps;
    solution_free(s);
    return worst;
}

static void test_stretched_governor(void **state) {
    (void)state;
    static const double bar[][2] = {{1e-6, 5.0}, {1e-8, 7.0}, {1e-10, 9.0}};
    const taut_run_options exact = at_tolerance(1e-13);
    solution *truth = solve_second("flyball-governor-stretched", &exact);
    for (int i = 0; i < 3; i++) {
        const taut_run_options options = ho_at(bar[i][0]);
        long steps;
        require_digits(digits_against("flyball-governor-stretched", truth, &options, &steps),
                       bar[i][1], "flyball-governor-stretched");
        assert_true(steps < 300);
    }
    solution_free(truth);
}

static void test_mcpherson_strut(void **state) {
    (void)state;
    static const double bar[][2] = {{1e-6, 6.0}, {1e-10, 10.0}};
    taut_run_options exact = at_tolerance(1e-13);
    exact.has_tend = true;
    exact.tend = 10.0;
    solution *truth = solve_second("mcpherson", &exact);
    for (int i = 0; i < 2; i++) {
        taut_run_options options = ho_at(bar[i][0]);
        options.has_tend = true;
        options.tend = 10.0;
        require_digits(digits_against("mcpherson", truth, &options, NULL), bar[i][1], "mcpherson");
    }
    solution_free(truth);
}

/* Elements of all kinds give the same motion, work and energy with their forces as unknowns. */
static void test_lifted_elements_change_nothing(void **state) {
    (void)state;
    static const char *const text =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], W: [3, 0]}\n"
        "  Rigids:\n"
        "    upper: {Elements: [O, A], Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
        "    lower: {Elements: [B, C], Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 0.2]}\n"
        "  SpringDampers: {CW: [50, 1, 3]}\n"
        "  Springs: {AW: [20, 0]}\n"
        "  Dampers: {OC: {c: 0.5, Full: true}}\n"
        "  TorsionSprings: {turn: [40, 0.2, 0.6]}\n"
        "  Bushings: {rubber: {Points: [A, B], Bodies: [upper, lower], k: 900, c: 4, kt: 30, ct: "
        "0.3}}\n"
        "AppliedForces: {Gravity: }\n"
        "Angles: {turn: OA}\n"
        "ProblemData:\n"
        "  tend: 2\n"
        "  positions: {A: [1, 0], B: [1.01, 0], C: [1.9, -0.4]}\n";
    static const char *const column[] = {"Ax", "Cx'", "Cy", "turn", "turn'", "energy", "work"};
    const taut_run_options options = ho_at(1e-10);
    taut_run_options explicit = at_tolerance(1e-12);
    explicit.solver = "taylor";
    solution *a = solve_text(text, &options), *b = solve_text(text, &explicit);
    assert_int_equal(taut_result_columns(a->result), taut_result_columns(b->result));
    assert_true(stats_of(a)->unknowns > stats_of(b)->unknowns + 6);
    for (size_t c = 0; c < sizeof column / sizeof column[0]; c++)
        for (long row = 0; row < rows_of(a); row += 50)
            assert_near(value_of(a, row, column[c]), value_of(b, row, column[c]), 1e-8, 1e-8);
    solution_free(a);
    solution_free(b);
}

/* ---- the ladder ---- */

/* The digits of the last row against a second model, at a tighter tolerance, by the same method:
 * the explicit one would need a million steps. At the first rung it stands against the given
 * states. */
static void test_stiffness_costs_nothing(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay", "Bx", "By", "Bz", "theta", "theta'"};
    const double tend = 10.0;
    taut_run_options options = ho_at(1e-10), tight = ho_at(1e-12);
    options.at = tight.at = &tend;
    options.ats = tight.ats = 1;
    long first = 0;
    for (double factor = 1.0; factor < 2e4; factor *= 10.0) {
        solution *a = solve_stiffened("examples/flyball-governor.yaml", factor, &options);
        solution *b = solve_stiffened("tests/models/flyball-governor-lifted.yaml", factor, &tight);
        agreement worst = {17.0, tend, ""};
        for (size_t c = 0; c < sizeof column / sizeof column[0]; c++)
            agreement_add(&worst,
                          digits_of(last_of(a, column[c]), last_of(b, column[c]),
                                    column[c][0] == 'A' ? 0.05 : 1.0),
                          tend, column[c]);
        print_message("stiffness times %g: %ld steps, %ld rejected, %.2f digits (%s)\n", factor,
                      stats_of(a)->steps, stats_of(a)->rejected, worst.digits, worst.column);
        if (factor == 1.0) first = stats_of(a)->steps;
        assert_near((double)stats_of(a)->steps, (double)first, 0.0, 0.2);
        require_digits(worst, 8.0, "stiffened governor");
        solution_free(a);
        solution_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_are_seen),
        cmocka_unit_test(test_order_follows_the_motion),
        cmocka_unit_test(test_jumps_are_foreseen),
        cmocka_unit_test(test_fast_modes_are_damped),
        cmocka_unit_test(test_slow_motion_beside_fast_modes),
        cmocka_unit_test(test_stiff_oscillation_is_resolved_or_damped),
        cmocka_unit_test(test_flyball_governor_to_its_digits),
        cmocka_unit_test(test_angular_momentum_stays),
        cmocka_unit_test(test_stretched_governor),
        cmocka_unit_test(test_mcpherson_strut),
        cmocka_unit_test(test_lifted_elements_change_nothing),
        cmocka_unit_test(test_stiffness_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
