/* Equations that are given as such, by minimal coordinates and by constraints that decay: against
 * Taylor series on the equations themselves, which keep the constraints (docs/math/minimal.md). */
#include "agree.h"

#include "form/assemble.h"

static const char RHEONOMIC[] = "PhysicalParams: {G: 9.81, L: 1}\n"
                                "Lagrangian:\n"
                                "  Coordinates: [x, y]\n"
                                "  L: 1/2*(x'^2 + y'^2) - G*y\n"
                                "  Constraints:\n"
                                "    - (x - 0.3*sin(2*t))^2 + y^2 - (L + 0.1*cos(3*t))^2\n"
                                "ProblemData:\n"
                                "  tend: 3\n"
                                "  positions: {x: 1, y: -0.5}\n"
                                "  velocities: {x: 0.5, y: 0}\n";
static const char INDEX3[] = "Lagrangian:\n"
                             "  Coordinates: [x1, y1, x2, y2]\n"
                             "  L: 1/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2) - 9.81*(y1 + y2)\n"
                             "  Constraints: [x1^2 + y1^2 - 1, (x2 - x1)^2 + (y2 - y1)^2 - 1]\n"
                             "ProblemData: {tend: 3, positions: {x1: 1, y1: 0, x2: 2, y2: 0}}\n";
/* c = 3, 2, 1, 0, 0: x is prescribed, so are its derivatives; w is free. */
static const char INDEX4[] = "DAE:\n"
                             "  Variables: [x, v, a, u, w]\n"
                             "  Equations: [x - sin(t), x' - v, v' - a, a' - u, w' + w - u]\n"
                             "ProblemData: {tend: 3, positions: {w: 1}}\n";

/* Every column of two runs, in digits of its scale or of 1. */
static void must_be_equal(const solution *a, const solution *b, double digits) {
    assert_int_equal(taut_result_columns(a->result), taut_result_columns(b->result));
    for (int c = 1; c < taut_result_columns(a->result); c++) {
        const char *const column[] = {taut_result_name(a->result, c), NULL};
        must_agree(b, a, column, digits);
    }
}

static solution *solve(const char *model, const taut_run_options *options) {
    const bool file = strncmp(model, "examples/", 9) == 0;
    return file ? solve_file(model, options) : solve_text(model, options);
}

/* ---- minimal coordinates ---- */

static void must_agree_with_series(const char *model, int index, long dof) {
    taut_run_options options = at_tolerance(1e-14);
    options.every = 0.1;
    solution *want = solve(model, &options);
    options.formulation = "minimal";
    solution *got = solve(model, &options);
    must_be_equal(want, got, 9.0);
    assert_string_equal(stats_of(got)->formulation, "minimal");
    assert_string_equal(stats_of(got)->solver, "erk");
    assert_int_equal(stats_of(got)->index, index);
    assert_int_equal(stats_of(got)->dof, dof);
    assert_true(stats_of(got)->constraint_residual < 1e-13);
    solution_free(want);
    solution_free(got);
}

static void test_minimal_agrees_with_series(void **state) {
    (void)state;
    must_agree_with_series(RHEONOMIC, 3, 2);
    must_agree_with_series(INDEX3, 3, 4);
    must_agree_with_series(INDEX4, 4, 1);
    must_agree_with_series("examples/chaplygin-sleigh.yaml", 2, 5); /* nonholonomic */
    must_agree_with_series("examples/pendulum-hamiltonian.yaml", 3, 2);
    must_agree_with_series("examples/circuit-index2.yaml", 2, 1);
    must_agree_with_series("examples/equations/pendulum.yaml", 3, 2);
    must_agree_with_series("examples/equations/spherical-pendulum.yaml", 3, 4);
    must_agree_with_series("examples/equations/spin-top.yaml", 3, 10);
}

/* The equations of the paper are those that taut makes of the mechanism. */
static void test_equations_of_the_paper(void **state) {
    (void)state;
    static const char *const NAME[][2] = {{"x", "Cx"}, {"y", "Cy"}, {"z", "Cz"}, {"x'", "Cx'"}};
    taut_run_options options = at_tolerance(1e-13);
    options.formulation = "minimal";
    solution *top = solve_file("examples/equations/spin-top.yaml", &options);
    options.formulation = "natural";
    solution *body = solve_file("examples/spin-top.yaml", &options);
    for (size_t k = 0; k < 4; k++)
        for (long row = 0; row < rows_of(top); row++)
            assert_near(value_of(top, row, NAME[k][0]), value_of(body, row, NAME[k][1]), 1e-10,
                        0.0);
    solution_free(top);
    solution_free(body);
}

/* Largest change of a column from one row to the next. */
static double largest_change(const solution *s, const char *name) {
    double largest = 0.0;
    for (long row = 1; row < rows_of(s); row++)
        largest = fmax(largest, fabs(value_of(s, row, name) - value_of(s, row - 1, name)));
    return largest;
}

static solution *solve_with_columns(const char *file, bool fresh) {
    taut_run_options options = at_tolerance(1e-10);
    options.formulation = "minimal";
    options.subspace_columns = true;
    options.no_continuation = fresh;
    options.every = 0.001;
    return solve_file(file, &options);
}

/* q' is continuous with continuation: rows of 1 ms differ by no more than the acceleration makes
 * of it. Without, it jumps by about its size (figures 9 and 14 of the paper). */
static void must_jump_without_continuation(const char *file, int coordinates, double acceleration) {
    solution *on = solve_with_columns(file, false), *off = solve_with_columns(file, true);
    double smooth = 0.0, jump = 0.0, scale = 0.0;
    for (int k = 1; k <= coordinates; k++) {
        char name[8];
        snprintf(name, sizeof name, "q%d'", k);
        smooth = fmax(smooth, largest_change(on, name));
        jump = fmax(jump, largest_change(off, name));
        scale = fmax(scale, scale_of(on, name));
    }
    print_message("%s: q' changes by %.4f, without continuation by %.3f\n", file, smooth, jump);
    assert_true(smooth < 0.001 * acceleration);
    assert_true(jump > 0.5 * scale);
    const char *const same[] = {"x", "y", "z", "x'", "y'", "z'", NULL};
    must_agree(on, off, same, 7.0);
    solution_free(on);
    solution_free(off);
}

static void test_continuation(void **state) {
    (void)state;
    must_jump_without_continuation("examples/equations/spherical-pendulum.yaml", 2, 30.0);
    must_jump_without_continuation("examples/equations/spin-top.yaml", 5, 60.0);
}

/* At the start the directions are those of the paper: y and z. */
static void test_first_directions(void **state) {
    (void)state;
    solution *s = solve_with_columns("examples/equations/spherical-pendulum.yaml", false);
    assert_near(value_of(s, 0, "Q2_y_1"), 1.0, 1e-15, 0.0);
    assert_near(value_of(s, 0, "Q2_z_2"), 1.0, 1e-15, 0.0);
    assert_near(value_of(s, 0, "q1'"), 0.7895, 1e-15, 0.0);
    assert_near(value_of(s, 0, "q2'"), 0.0, 1e-15, 0.0);
    solution_free(s);
}

/* Where nothing is restricted the variables are minimal coordinates themselves: the same run, by
 * any solver. */
static void test_free_equations_are_minimal(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-12);
    solution *want = solve_file("examples/lorenz.yaml", &options);
    options.formulation = "minimal";
    solution *got = solve_file("examples/lorenz.yaml", &options);
    assert_string_equal(stats_of(got)->solver, stats_of(want)->solver);
    for (int c = 0; c < taut_result_columns(want->result); c++)
        for (long row = 0; row < rows_of(want); row++)
            assert_true(taut_result_value(want->result, row, c) ==
                        taut_result_value(got->result, row, c));
    solution_free(got);
    options.solver = "erk";
    options.has_tend = true;
    options.tend = 1.0;
    got = solve_file("examples/lorenz.yaml", &options);
    assert_string_equal(stats_of(got)->formulation, "minimal");
    solution_free(got);
    solution_free(want);
}

/* ---- constraints that decay ---- */

static void must_decay(const char *model, double tol, const char *solver, double digits) {
    taut_run_options options = at_tolerance(1e-13);
    options.every = 0.1;
    solution *want = solve(model, &options);
    options.rtol = options.atol = tol;
    options.solver = solver;
    options.stabilize = "baumgarte";
    options.alpha = 30.0;
    solution *got = solve(model, &options);
    must_be_equal(want, got, digits);
    assert_int_equal(stats_of(got)->index, 1);
    assert_int_equal(stats_of(got)->mobility, stats_of(want)->mobility);
    assert_true(stats_of(got)->alpha == 30.0 && stats_of(got)->beta == 30.0);
    solution_free(want);
    solution_free(got);
}

static void test_baumgarte_agrees_with_series(void **state) {
    (void)state;
    static const char *const MODEL[] = {RHEONOMIC,
                                        INDEX3,
                                        INDEX4,
                                        "examples/rolling-disk.yaml",
                                        "examples/pendulum-hamiltonian.yaml",
                                        "examples/circuit-index2.yaml",
                                        "examples/equations/spin-top.yaml"};
    for (size_t i = 0; i < sizeof MODEL / sizeof *MODEL; i++) {
        must_decay(MODEL[i], 1e-12, "taylor", 8.0);
        must_decay(MODEL[i], 1e-11, "adams", 5.0);
        must_decay(MODEL[i], 1e-10, "ho", 6.0);
    }
}

/* (D + a)^(k-2) (D^2 + 2 a D + b^2), for k = 1: D + a; multiplied out by hand. */
static void test_polynomials(void **state) {
    (void)state;
    const double a = 3.0, b = 2.0;
    const double want[][5] = {
        {1.0},
        {1.0, a},
        {1.0, 2 * a, b * b},
        {1.0, 3 * a, 2 * a * a + b * b, a * b * b},
        {1.0, 4 * a, 5 * a * a + b * b, 2 * a * (a * a + b * b), a * a * b * b}};
    taut_graph *g = NULL;
    assert_int_equal(taut_graph_create(&g), TAUT_OK);
    const taut_node x = taut_variable(g, 0);
    for (int k = 0; k <= 4; k++) {
        taut_node part[5];
        for (int i = 0; i <= k; i++) part[i] = taut_dot(g, x, k - i);
        const taut_node sum = k == 0 ? x : taut_sum(g, 0.0, (size_t)k + 1, want[k], part);
        assert_true(taut_decaying(g, x, k, a, b) == sum);
    }
    assert_true(taut_decaying(g, x, TAUT_DECAY_MAX + 1, a, b) == TAUT_NO_NODE);
    taut_graph_free(&g);
}

/* Errors that a loose method makes are gone after a while; without decay they stay. */
static double residual_of(const char *stabilize) {
    taut_run_options options = at_tolerance(1e-6);
    options.solver = "erk";
    options.stabilize = stabilize;
    options.has_tend = true;
    options.tend = 20.0;
    solution *s = solve_file("examples/equations/pendulum.yaml", &options);
    const double residual = stats_of(s)->constraint_residual;
    const double x = last_of(s, "x"), z = last_of(s, "z");
    /* what is told is what the constraint says, not the decaying equation */
    assert_true(residual >= fabs(x * x + z * z - 1.0) * 0.999);
    solution_free(s);
    return residual;
}

static void test_without_decay_they_drift(void **state) {
    (void)state;
    const double kept = residual_of("baumgarte"), lost = residual_of("none");
    print_message("x^2 + z^2 - l^2 after 20 s: %.2g by Baumgarte, %.2g without\n", kept, lost);
    assert_true(kept < 1e-6);
    assert_true(lost > 30.0 * kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimal_agrees_with_series),
        cmocka_unit_test(test_equations_of_the_paper),
        cmocka_unit_test(test_continuation),
        cmocka_unit_test(test_first_directions),
        cmocka_unit_test(test_free_equations_are_minimal),
        cmocka_unit_test(test_baumgarte_agrees_with_series),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_without_decay_they_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
