/* Force elements: torsion springs, rotational dampers, bushings, drag, forces and torques between
 * bodies, and formulas over coordinates of joints, each as an independent Lagrangian
 * (tests/models/forces/<name>.yaml and <name>-minimal.yaml) or a closed form says. What energy
 * loses or gains is the work. */
#include "agree.h"

enum { COLUMNS = 8 };
typedef struct pair {
    const char *name;
    const char *column[COLUMNS];
} pair;

static pair pairs[] = {
    {"torsion", {"Bx", "By", "Cx", "Cy", "p", "coil"}},
    {"torsion-space", {"Bx", "By", "Bz", "q"}},
    {"bushing", {"Ax", "Ay", "Qx", "Qy", "Cx", "Cy"}},
    {"bushing-space", {"Cx", "Cy", "Cz", "ux", "uy", "uz", "vx", "vz"}},
    {"drag", {"Ax", "Ay", "Bx", "By"}},
    {"dissipation", {"phi", "psi", "Bx", "By"}},
    {"loads", {"s", "p", "r", "Bx", "By", "Dx", "Dy"}},
    {"formulas", {"s", "p", "r", "Bx", "By", "Dx", "Dy"}},
};

static solution *solve_model(const char *name, const char *more) {
    const taut_run_options options = at_tolerance(1e-13);
    char path[100];
    snprintf(path, sizeof path, "tests/models/forces/%s%s.yaml", name, more);
    return solve_file(path, &options);
}

static bool has_column(const solution *s, const char *name) {
    for (int c = 0; c < taut_result_columns(s->result); c++)
        if (strcmp(taut_result_name(s->result, c), name) == 0) return true;
    return false;
}

static void check_work(const solution *s) {
    if (!has_column(s, "work")) {
        assert_true(stats_of(s)->energy_drift < 1e-12);
        return;
    }
    const double start = value_of(s, 0, "energy");
    const double scale = fmax(scale_of(s, "energy"), scale_of(s, "work"));
    assert_true(scale_of(s, "work") > 1e-3);
    for (long i = 0; i < rows_of(s); i++)
        assert_near(value_of(s, i, "energy") - value_of(s, i, "work"), start, 1e-10 * scale, 0.0);
}

static void test_moves_as_a_lagrangian_says(void **state) {
    const pair *p = *state;
    const char *column[2 * COLUMNS + 1] = {NULL};
    char primed[COLUMNS][20];
    for (int i = 0, n = 0; i < COLUMNS && p->column[i]; i++) {
        snprintf(primed[i], sizeof primed[i], "%s'", p->column[i]);
        column[n++] = p->column[i];
        column[n++] = primed[i];
    }
    solution *a = solve_model(p->name, ""), *b = solve_model(p->name, "-minimal");
    must_agree(a, b, column, 10.0);
    check_work(a);
    solution_free(a);
    solution_free(b);
}

/* ---- closed forms ---- */

/* Two balls of inertia J and K, turned against each other by a damper: the difference of their
 * spins fades with c (1/J + 1/K), about any axis. */
static void test_damper_between_spinning_balls(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text(
        "Dimension: 3\n"
        "PartData:\n"
        "  Rigids:\n"
        "    one: {Elements: [A, u, v], Geom: [[1], [0, 1]], Dyna: [[0], 1, [0.5, 0.5, 0.5]]}\n"
        "    two: {Elements: [B, a, b], Geom: [[1], [0, 1]], Dyna: [[0], 1, [0.2, 0.2, 0.2]]}\n"
        "  RotationalDampers: {oil: {Bodies: [one, two], c: 0.3}}\n"
        "Outputs: {W: \"cross(u, u') + dot(cross(u, v), "
        "v')*u\",\n"
        "          V: \"cross(a, a') + dot(cross(a, b), b')*a\"}\n"
        "ProblemData:\n"
        "  tend: 3\n"
        "  positions: {A: [0, 0, 0], u: [1, 0, 0], v: [0, 1, 0], B: [3, 0, 0], a: [1, 0, 0],\n"
        "              b: [0, 1, 0]}\n" /* 1, 2, 3 about x, y, z */
        "  velocities: {u: [0, 3, -2], v: [-3, 0, 1]}\n",
        &options);
    const double J = 0.5, K = 0.2, rate = 0.3 * (1.0 / J + 1.0 / K);
    static const char *const one[] = {"Wx", "Wy", "Wz"}, *const two[] = {"Vx", "Vy", "Vz"};
    for (long i = 0; i < rows_of(s); i++)
        for (int k = 0; k < 3; k++) {
            const double spin = (k + 1) * J / (J + K);
            const double fade = (k + 1) * exp(-rate * value_of(s, i, "t"));
            assert_near(value_of(s, i, one[k]), spin + fade * K / (J + K), 1e-10, 0.0);
            assert_near(value_of(s, i, two[k]), spin - fade * J / (J + K), 1e-10, 0.0);
        }
    check_work(s);
    solution_free(s);
}

/* Gravity acts on what does not say otherwise. */
static void test_gravity_can_be_off(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text(
        "Dimension: 2\n"
        "PartData:\n"
        "  Rigids:\n"
        "    AB: {Geom: [[1]], Dyna: [[0.5], 2, 0.1], Gravity: false}\n"
        "    CD: {Geom: [[1]], Dyna: [[0.5], 2, 0.1], Gravity: true}\n"
        "  Particles: {P: {mass: 2, Gravity: false}, Q: {mass: 3}}\n"
        "AppliedForces: {Gravity: 10}\n"
        "ProblemData:\n"
        "  tend: 1\n"
        "  positions: {A: [0, 0], B: [1, 0], C: [0, 0], D: [1, 0], P: [0, 1], Q: [1, 1]}\n"
        "  velocities: {P: [1, 2]}\n",
        &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        assert_near(value_of(s, i, "By"), 0.0, 1e-13, 0.0);
        assert_near(value_of(s, i, "Dy"), -5.0 * t * t, 1e-12, 0.0);
        assert_near(value_of(s, i, "Py"), 1.0 + 2.0 * t, 1e-12, 0.0);
        assert_near(value_of(s, i, "Qy"), 1.0 - 5.0 * t * t, 1e-12, 0.0);
    }
    assert_true(stats_of(s)->energy_drift < 1e-13);
    solution_free(s);
}

/* Linear drag: an exponential; square drag: v = v0/(1 + c v0 t/m). */
static void test_drag_slows_down(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text("Dimension: 2\n"
                             "PartData: {Particles: {P: 2, Q: 3}}\n"
                             "AppliedForces: {Drag: {P: 0.7, Q: [0, 1.2, 0]}}\n"
                             "ProblemData:\n"
                             "  tend: 4\n"
                             "  positions: {P: [0, 0], Q: [0, 0]}\n"
                             "  velocities: {P: [3, 4], Q: [3, 4]}\n",
                             &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        const double linear = 2.0 / 0.7 * (1.0 - exp(-0.7 * t / 2.0));
        const double square = 3.0 / 1.2 * log1p(1.2 * 5.0 * t / 3.0) / 5.0;
        assert_near(value_of(s, i, "Px"), 3.0 * linear, 1e-10, 0.0);
        assert_near(value_of(s, i, "Py"), 4.0 * linear, 1e-10, 0.0);
        assert_near(value_of(s, i, "Qx"), 3.0 * square, 1e-10, 0.0);
        assert_near(value_of(s, i, "Qy"), 4.0 * square, 1e-10, 0.0);
    }
    check_work(s);
    solution_free(s);
}

/* Two bodies in space that push and turn each other: their common motion does not change. */
static void test_pairs_in_space_are_equal_and_opposite(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text(
        "Dimension: 3\n"
        "PartData:\n"
        "  Rigids:\n"
        "    one: {Elements: [A, u, v], Geom: [[1], [0, 1]], Dyna: [[0], 2, [0.5, 0.5, 0.5]]}\n"
        "    two: {Elements: [B, a, b], Geom: [[1], [0, 1]], Dyna: [[0], 3, [0.2, 0.2, 0.2]]}\n"
        "AppliedForces:\n"
        "  Forces: {spring: {On: B, Against: A, Value: 4 - t}}\n"
        "  Torques: {motor: {On: two, Against: one, Value: [0, 0, 1 + t]}}\n"
        "Angles:\n"
        "  p: {From: [1, 0, 0], To: u, Axis: [0, 0, 1]}\n"
        "  q: {From: [1, 0, 0], To: a, Axis: [0, 0, 1]}\n"
        "ProblemData:\n"
        "  tend: 2\n"
        "  positions: {A: [0, 0, 0], u: [1, 0, 0], v: [0, 1, 0], B: [0, 3, 4], a: [1, 0, 0],\n"
        "              b: [0, 1, 0]}\n",
        &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), way = 2.0 * t * t - t * t * t / 6.0;
        const double turn = t * t / 2.0 + t * t * t / 6.0;
        assert_near(value_of(s, i, "Ay"), -0.6 * way / 2.0, 1e-11, 0.0);
        assert_near(value_of(s, i, "Az"), -0.8 * way / 2.0, 1e-11, 0.0);
        assert_near(value_of(s, i, "By"), 3.0 + 0.6 * way / 3.0, 1e-11, 0.0);
        assert_near(value_of(s, i, "p"), -turn / 0.5, 1e-11, 0.0);
        assert_near(value_of(s, i, "q"), turn / 0.2, 1e-11, 0.0);
    }
    check_work(s);
    solution_free(s);
}

/* Bushings without a stiffness along their axes: one slows what slides, one turns back, with the
 * energy kt sin(p)^2/2, and one slows what turns. */
static void test_bushings_with_one_constant(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text("Dimension: 2\n"
                             "PartData:\n"
                             "  Fixed: {O: [0, 0]}\n"
                             "  Rigids:\n"
                             "    slide: {Elements: [A, a], Geom: [[1]], Dyna: [[0], 2, 0.5]}\n"
                             "    swing: {Elements: [B, b], Geom: [[1]], Dyna: [[0], 3, 0.4]}\n"
                             "    spin: {Elements: [C, c], Geom: [[1]], Dyna: [[0], 5, 0.3]}\n"
                             "  Bushings:\n"
                             "    slow: {Points: [O, A], c: [0.7, 1.1]}\n"
                             "    back: {Points: [O, B], kt: 2.5}\n"
                             "    calm: {Points: [O, C], ct: 0.6}\n"
                             "AppliedForces: {Gravity: 0}\n"
                             "Angles: {o: a, p: b, q: c}\n"
                             "ProblemData:\n"
                             "  tend: 2\n"
                             "  positions: {A: [1, 2], B: [0, 0], C: [3, 1], o: 0, p: 1, q: 0}\n"
                             "  velocities: {A: [3, 4], B: [1, 0], C: [0, 1], q: 7}\n",
                             &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), spin = value_of(s, i, "p'");
        const double sine = sin(value_of(s, i, "p")), start = sin(1.0);
        assert_near(value_of(s, i, "Ax'"), 3.0 * exp(-0.7 * t / 2.0), 1e-11, 0.0);
        assert_near(value_of(s, i, "Ay'"), 4.0 * exp(-1.1 * t / 2.0), 1e-11, 0.0);
        assert_near(value_of(s, i, "o"), 0.0, 1e-12, 0.0);
        assert_near(0.4 * spin * spin, 2.5 * (start * start - sine * sine), 1e-11, 0.0);
        assert_near(value_of(s, i, "Bx"), t, 1e-11, 0.0);
        assert_near(value_of(s, i, "q'"), 7.0 * exp(-0.6 * t / 0.3), 1e-11, 0.0);
        assert_near(value_of(s, i, "Cy"), 1.0 + t, 1e-11, 0.0);
    }
    assert_true(scale_of(s, "p'") > 1.0);
    check_work(s);
    solution_free(s);
}

int main(void) {
    enum { PAIRS = sizeof pairs / sizeof pairs[0], OTHERS = 5 };
    struct CMUnitTest tests[OTHERS + PAIRS] = {
        cmocka_unit_test(test_damper_between_spinning_balls),
        cmocka_unit_test(test_gravity_can_be_off),
        cmocka_unit_test(test_drag_slows_down),
        cmocka_unit_test(test_pairs_in_space_are_equal_and_opposite),
        cmocka_unit_test(test_bushings_with_one_constant),
    };
    for (int i = 0; i < PAIRS; i++)
        tests[OTHERS + i] = (struct CMUnitTest){.name = pairs[i].name,
                                                .test_func = test_moves_as_a_lagrangian_says,
                                                .initial_state = &pairs[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
