/* Relative coordinates: how many there are, every kind of joint in the tree and in loops, where
 * loops are cut, how ordinary integrators do with the recursion, and what is refused.
 * test_formulations has all examples, test_recursive the rates by themselves. */
#include "examples.h"

/* ---- counting ---- */

/* As many as the joints of the tree have, Euler parameters and directions of rods with one
 * constraint each; a cut joint demands what it takes away. */
static void test_counts(void **state) {
    (void)state;
    must_count("relative", "pendulum-chain-10", 10, 0);
    must_count("relative", "andrews", 7, 6);
    must_count("relative", "four-bar-40", 81, 80);
    must_count("relative", "slider-crank", 2,
               1); /* B slides, AB and OA turn: the pin at A or at O is cut */
    must_count("relative", "bricard", 5,
               4); /* five equations for a loop, of which one is redundant */
    must_count("relative", "heavy-top", 4, 1);
    must_count("relative", "spatial-slider-crank", 4, 3);
}

/* ---- agreement ---- */

/* The largest difference of any column beside its scale (at least 1). */
static double difference(const solution *a, const solution *b) {
    double worst = 0.0;
    assert_int_equal(rows_of(a), rows_of(b));
    assert_int_equal(taut_result_columns(a->result), taut_result_columns(b->result));
    for (int c = 1; c < taut_result_columns(a->result); c++) {
        double scale = 1.0, gap = 0.0;
        assert_string_equal(taut_result_name(a->result, c), taut_result_name(b->result, c));
        for (long i = 0; i < rows_of(a); i++) {
            const double x = taut_result_value(a->result, i, c),
                         y = taut_result_value(b->result, i, c);
            scale = fmax(scale, fabs(x));
            gap = fmax(gap, isnan(y) ? 1e300 : fabs(x - y));
        }
        worst = fmax(worst, gap / scale);
    }
    return worst;
}

static double difference_of(const char *path, const char *solver, double tol, const char *cut) {
    taut_run_options options = at_tolerance(1e-12);
    options.solver = "taylor";
    solution *a = solve_file(path, &options);
    options.rtol = options.atol = tol;
    options.formulation = "relative";
    options.solver = solver;
    options.cut = cut;
    solution *b = solve_file(path, &options);
    const double worst = difference(a, b);
    print_message("%s, %s: %.1e\n", path, solver, worst);
    solution_free(a);
    solution_free(b);
    return worst;
}

/* Every model of a folder that is a mechanism. */
static void compare_folder(const char *folder, int least) {
    static char name[MOST_EXAMPLES][64];
    const int count = list_mechanisms(folder, name);
    assert_true(count >= least);
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%.63s.yaml", folder, name[i]);
        assert_true(difference_of(path, "taylor", 1e-12, NULL) < 1e-11);
        assert_true(difference_of(path, "erk", 1e-10, NULL) < 5e-7);
    }
}

static void test_joints(void **state) {
    (void)state;
    compare_folder("tests/models/joints", 28);
}

static void test_forces(void **state) {
    (void)state;
    compare_folder("tests/models/forces", 7);
}

/* Drivers of joints of the tree, by guided hinges, and of what is none; particles, ground that
 * moves, thin rods, rods without mass. */
static void test_special(void **state) {
    (void)state;
    compare_folder("tests/models/relative", 7);
}

static void test_solvers(void **state) {
    (void)state;
    static const char *const solver[] = {"erk", "adams", "bdf", "ida", "ho"};
    for (size_t i = 0; i < sizeof solver / sizeof *solver; i++) {
        assert_true(difference_of("examples/bricard.yaml", solver[i], 1e-10, NULL) < 1e-5);
        assert_true(difference_of("examples/spin-top.yaml", solver[i], 1e-10, NULL) < 1e-5);
        assert_true(difference_of("examples/andrews.yaml", solver[i], 1e-10, NULL) < 1e-5);
    }
    /* past its flat position: t = 1.2, and on */
    assert_true(difference_of("examples/four-bar-1.yaml", "erk", 1e-10, NULL) < 1e-5);
}

/* Coarse steps, but no open loops: by projection, and with fixed steps by stabilisation. */
static void test_residuals(void **state) {
    (void)state;
    static const char *const name[] = {"five-link", "spin-top", "andrews", "cardan-shaft"};
    static const char *const solver[] = {"erk", "bdf", "rk4"};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            taut_run_options options = at_tolerance(1e-5);
            options.formulation = "relative";
            options.solver = solver[k];
            if (k == 2) options.step = i == 2 ? 1e-5 : 1e-3;
            solution *s = solve_example(name[i], &options);
            print_message("%s, %s: residual %.1e\n", name[i], solver[k],
                          taut_result_stats(s->result)->constraint_residual);
            assert_true(taut_result_stats(s->result)->constraint_residual < 1e-11);
            solution_free(s);
        }
}

/* Parallel axes may point in opposite ways: as they do at the start. */
static void test_opposite_axes(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [0.6, 0.8]}\n"
        "  Rigids:\n"
        "    block: {Elements: [A, v, B], Geom: [[1], [0.2, 0.3]], Dyna: [[0.1, 0.1], 2, 0.1]}\n"
        "    rod: {Elements: [B, C], Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
        "  Joints: {guide: {Type: prismatic, Points: [O, A], Axes: [u, v], Distance: s}}\n"
        "Angles: {phi: block, psi: rod}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 1, positions: {A: [0, 0], v: [-0.6, -0.8], C: [1, 0]}}\n";
    taut_run_options options = at_tolerance(1e-12);
    solution *a = must_succeed(try_text(text, &options));
    options.formulation = "relative";
    solution *b = must_succeed(try_text(text, &options));
    assert_true(difference(a, b) < 1e-11);
    assert_int_equal(taut_result_stats(b->result)->unknowns, 4); /* slide, turn, two angles */
    solution_free(a);
    solution_free(b);
}

/* ---- loops ---- */

static void test_cut(void **state) {
    (void)state;
    assert_true(difference_of("examples/four-bar-40.yaml", "taylor", 1e-12, "ground-O3A3") < 1e-8);
    assert_true(difference_of("examples/bricard.yaml", "taylor", 1e-12, "P0P1w0w1-P1P2w1w2") <
                1e-11);
}

/* The first message must contain a text. */
static void must_refuse(solution *s, taut_status status, const char *text) {
    bool found = false;
    assert_int_equal(s->status, status);
    for (int i = 0; i < s->errors.count; i++)
        found = found || strstr(s->errors.item[i].message, text);
    if (!found) show_errors(&s->errors);
    assert_true(found);
    solution_free(s);
}

static solution *try_relative(const char *file, taut_run_options options) {
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, file);
    return try_file(path, &options);
}

static void test_refused_options(void **state) {
    (void)state;
    taut_run_options options = taut_run_options_default();
    options.cut = "ground-O0A0";
    must_refuse(try_relative("four-bar-2", options), TAUT_ERR_CALL,
                "options.formulation = \"relative\"");
    options.formulation = "relative";
    options.cut = "ground-O1A1,ground-O0A9";
    must_refuse(try_relative("four-bar-2", options), TAUT_ERR_CALL, "'ground-O0A9'");
    options.cut = NULL;
    options.multipliers = "lu";
    must_refuse(try_relative("four-bar-2", options), TAUT_ERR_CALL, "'lu'");
    options.multipliers = "qr"; /* Taylor series have no use for it */
    must_refuse(try_relative("four-bar-2", options), TAUT_ERR_CALL, "bdf, adams, erk and rk4");
}

/* A loop with one degree of freedom and two drivers that contradict each other. */
static void test_driven_twice(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0], C: [3, 0]}\n"
                               "  Rigids:\n"
                               "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "    AB: {Geom: [[3]], Dyna: [[1.5], 1, 0.8]}\n"
                               "    CB: {Geom: [[2]], Dyna: [[1], 1, 0.3]}\n"
                               "Angles: {phi: OA, psi: CB}\n"
                               "Drivers: {phi: pi/2 + t, psi: 2 + t}\n"
                               "ProblemData: {tend: 1, positions: {A: [0, 1], B: [3, 2]}}\n";
    taut_run_options options = taut_run_options_default();
    options.formulation = "relative";
    must_refuse(try_text(text, &options), TAUT_ERR_INPUT,
                "the driver psi (line 9) prescribes what");
}

static void test_starts_flat(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0], C: [1, 0]}\n"
                               "  Rigids:\n"
                               "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "    AB: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "    CB: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "ProblemData:\n"
                               "  tend: 1\n"
                               "  positions: {A: [1, 0], B: [2, 0]}\n"
                               "  velocities: {A: [0, -1], B: [0, -1]}\n";
    static const char *const solver[] = {"taylor", "erk"};
    for (int i = 0; i < 2; i++) {
        taut_run_options options = taut_run_options_default();
        options.formulation = "relative";
        options.solver = solver[i];
        must_refuse(try_text(text, &options), TAUT_ERR_INPUT, "singular position");
    }
}

/* The force of a formula acts on the body that carries the point: Q with weight x and PQ turn. */
static void test_reactions(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids:\n"
                               "    OP: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "    PQ: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "Constraints: [Qx - 1.5]\n"
                               "AppliedForces: {Gravity: }\n"
                               "ProblemData: {tend: 0.2, positions: {P: [1, 0], Q: [1.5, -0.8]}}\n";
    taut_run_options options = taut_run_options_default();
    options.formulation = "relative";
    options.reactions = true;
    options.derivatives = 2;
    solution *s = must_succeed(try_text(text, &options));
    for (long i = 0; i < rows_of(s); i += 100) { /* on PQ: the pin at P, and lambda at Q */
        const double ax = 0.5 * (value_of(s, i, "Px''") + value_of(s, i, "Qx''"));
        assert_near(value_of(s, i, "OP-PQ.Fx") - value_of(s, i, "lambda1"), ax, 1e-9, 0.0);
    }
    solution_free(s);
}

/* A driver holds a tracked angle, and the hinge has to stay with it; psi by natural coordinates. */
static void test_tracked_angles_stay_with_their_hinges(void **state) {
    (void)state;
    static const char *const solver[] = {"bdf", "adams", "erk", "ida"};
    for (int i = 0; i < 4; i++) {
        taut_run_options options = at_tolerance(1e-9);
        options.formulation = "relative";
        options.solver = solver[i];
        solution *s = solve_text("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
                                 "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                                 "    AB: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                                 "AppliedForces: {Gravity: }\nAngles: {phi: OA, psi: AB}\n"
                                 "Drivers: {phi: \"0.1*tanh(1000*(t - 2))\"}\n"
                                 "ProblemData: {tend: 4, positions: {phi: -0.1, psi: -1.2, A: "
                                 "[0.8, -0.5], B: [1.2, -1.4]}, fixedpositions: [psi]}\n",
                                 &options);
        assert_near(atan2(last_of(s, "Ay"), last_of(s, "Ax")), 0.1, 1e-8, 0.0);
        assert_near(last_of(s, "psi"), -2.2891971, 2e-5, 0.0);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_special),
        cmocka_unit_test(test_opposite_axes),
        cmocka_unit_test(test_residuals),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_driven_twice),
        cmocka_unit_test(test_starts_flat),
        cmocka_unit_test(test_reactions),
        cmocka_unit_test(test_tracked_angles_stay_with_their_hinges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
