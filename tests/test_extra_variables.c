/* Variables, equations and constraints by formulas in mechanism files: a motor circuit,
 * controllers, gears, prescribed motion; against closed forms. */
#include "solve_text.h"

static solution *run_text(const char *text, double tol) {
    const taut_run_options options = at_tolerance(tol);
    return solve_text(text, &options);
}

static void check_refused(const char *text, int line, int column, const char *message) {
    const taut_run_options options = at_tolerance(1e-9);
    solution *s = try_text(text, &options);
    assert_int_equal(s->status, TAUT_ERR_INPUT);
    assert_true(s->errors.count >= 1);
    assert_string_equal(s->errors.item[0].message, message);
    assert_int_equal(s->errors.item[0].line, line);
    assert_int_equal(s->errors.item[0].column, column);
    solution_free(s);
}

/* A rod on a pivot, without gravity: its moment of inertia about O is 1/2. */
#define ROD                                                                                        \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0]}\n"                                                                       \
    "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[1/2, 0], 1, 1/4]}}\n"                                 \
    "Angles: {phi: OA}\n"

/* ---- unknowns with equations ---- */

/* L i' + R i = u - k w, J w' = k i - b w: two real eigenvalues. */
static void test_dc_motor_matches_its_closed_form(void **state) {
    (void)state;
    static const double at[] = {0, 0.01, 0.1, 0.5, 1, 3};
    const double L = 0.05, R = 0.8, k = 0.6, u = 12, b = 0.02, J = 1.5 * 0.25 / 3.0;
    taut_run_options options = at_tolerance(1e-13);
    options.at = at;
    options.ats = 6;
    solution *s = solve_file("examples/dc-motor.yaml", &options);
    /* i'' - T i' + D i = D i_end, from i = 0, i' = u/L; likewise w from w = w' = 0 */
    const double T = -R / L - b / J, D = (R * b + k * k) / (L * J), root = sqrt(T * T - 4.0 * D);
    const double s1 = (T + root) / 2.0, s2 = (T - root) / 2.0;
    const double i_end = u * b / (R * b + k * k), w_end = u * k / (R * b + k * k);
    for (int n = 0; n < 6; n++) {
        const double t = at[n], e1 = exp(s1 * t), e2 = exp(s2 * t);
        const double c1 = (u / L + s2 * i_end) / (s1 - s2), c2 = -i_end - c1;
        const double d1 = s2 * w_end / (s1 - s2), d2 = -w_end - d1;
        assert_near(value_of(s, n, "i"), i_end + c1 * e1 + c2 * e2, 1e-11, 0.0);
        assert_near(value_of(s, n, "i'"), c1 * s1 * e1 + c2 * s2 * e2, 1e-9, 0.0);
        assert_near(value_of(s, n, "phi'"), w_end + d1 * e1 + d2 * e2, 1e-11, 0.0);
        assert_near(value_of(s, n, "phi"), w_end * t + d1 / s1 * (e1 - 1.0) + d2 / s2 * (e2 - 1.0),
                    1e-10, 0.0);
        assert_near(value_of(s, n, "energy"), value_of(s, n, "work"), 1e-11, 0.0);
    }
    assert_int_equal(stats_of(s)->index, 3);
    assert_int_equal(stats_of(s)->mobility, 1);
    solution_free(s);
}

/* The torque that makes the rod follow a path is an unknown, the path its equation. */
static void test_torque_for_a_path_is_found(void **state) {
    (void)state;
    solution *s = run_text(ROD "AppliedForces: {Torques: {OA: u}}\n"
                               "Variables: [u]\n"
                               "Equations: {path: phi - sin(2*t)/2}\n"
                               "ProblemData: {tend: 3, positions: {A: [1, 0]}}\n",
                           1e-13);
    for (long i = 0; i < rows_of(s); i += 100) {
        const double t = value_of(s, i, "t");
        assert_near(value_of(s, i, "phi"), sin(2.0 * t) / 2.0, 1e-12, 0.0);
        assert_near(value_of(s, i, "u"), -sin(2.0 * t), 1e-11, 0.0);
    }
    solution_free(s);
}

/* A driver may follow an unknown: z' = 1 - z, phi = z; its torque is z''/2. */
static void test_driver_follows_an_unknown(void **state) {
    (void)state;
    solution *s = run_text(ROD "Drivers: {phi: z}\n"
                               "Variables: {z}\n"
                               "Equations: [z' + z - 1]\n"
                               "ProblemData: {tend: 2, positions: {A: [1, 0], z: 0}}\n",
                           1e-13);
    for (long i = 0; i < rows_of(s); i += 100) {
        const double e = exp(-value_of(s, i, "t"));
        assert_near(value_of(s, i, "phi"), 1.0 - e, 1e-12, 0.0);
        assert_near(value_of(s, i, "force_phi"), -e / 2.0, 1e-11, 0.0);
        assert_near(value_of(s, i, "energy") - value_of(s, i, "work"), 0.25, 1e-12, 0.0);
    }
    solution_free(s);
}

/* A vector of unknowns, a definition, a second derivative, and the force of a driver in an
 * equation. */
static void test_equations_may_use_everything(void **state) {
    (void)state;
    solution *s = run_text(ROD "Drivers: {phi: t^2}\n"
                               "Define: {twice: 2*z}\n"
                               "Variables: {z: 2, heat: 1}\n"
                               "Equations: {swing: z'' + 4*z, loss: heat' - force_phi*phi'}\n"
                               "Outputs: {w: twice.x}\n"
                               "ProblemData:\n"
                               "  tend: 1\n"
                               "  positions: {A: [1, 0], z: [1, 0], heat: 0}\n"
                               "  velocities: {z: [0, 2]}\n",
                           1e-13);
    assert_near(last_of(s, "w"), 2.0 * cos(2.0), 1e-12, 0.0);
    assert_near(last_of(s, "zy"), sin(2.0), 1e-12, 0.0);
    assert_near(last_of(s, "heat"), 1.0, 1e-12, 0.0);
    assert_near(last_of(s, "work"), 1.0, 1e-12, 0.0);
    solution_free(s);
}

/* ---- constraints ---- */

/* Gears: phi + 2 psi = 0. A torque of 3 on the first shaft moves 1/2 + 1/2 (1/2)^2. */
static void test_angles_in_a_constraint_are_gears(void **state) {
    (void)state;
    solution *s = run_text("Dimension: 2\n"
                           "PartData:\n"
                           "  Fixed: {O: [0, 0], Q: [3, 0]}\n"
                           "  Rigids:\n"
                           "    OA: {Geom: [[1, 0]], Dyna: [[1/2, 0], 1, 1/4]}\n"
                           "    QB: {Geom: [[1, 0]], Dyna: [[1/2, 0], 1, 1/4]}\n"
                           "AppliedForces: {Torques: {OA: 3}}\n"
                           "Angles: {phi: OA, psi: QB}\n"
                           "Constraints: {gear: phi + 2*psi}\n"
                           "Outputs: {tooth: gear}\n"
                           "ProblemData: {tend: 2, positions: {A: [1, 0], B: [4, 0]}}\n",
                           1e-13);
    const double a = 3.0 / 0.625;
    assert_near(last_of(s, "phi"), 2.0 * a, 1e-11, 0.0);
    assert_near(last_of(s, "psi"), -a, 1e-11, 0.0);
    assert_near(last_of(s, "tooth"), 3.0 - a / 2.0, 1e-11, 0.0);
    assert_near(last_of(s, "energy"), last_of(s, "work"), 1e-11, 0.0);
    assert_int_equal(stats_of(s)->mobility, 1);
    solution_free(s);
}

/* C = s - f(t) is a driver with the opposite sign, and does the same work. */
static void test_constraint_with_time_is_a_driver(void **state) {
    (void)state;
    static const char rod[] = ROD "AppliedForces: {Gravity: }\n"
                                  "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n";
    char a[1000], b[1000];
    snprintf(a, sizeof a, "%s%s", rod, "Constraints: {lift: Ay - sin(t)/2}\nOutputs: {f: -lift}\n");
    snprintf(b, sizeof b, "%s%s", rod, "Drivers: {Ay: sin(t)/2}\n");
    solution *s = run_text(a, 1e-13), *d = run_text(b, 1e-13);
    for (long i = 0; i < rows_of(s); i += 100) {
        assert_near(value_of(s, i, "Ax"), value_of(d, i, "Ax"), 1e-12, 0.0);
        assert_near(value_of(s, i, "f"), value_of(d, i, "force_Ay"), 1e-10, 0.0);
        assert_near(value_of(s, i, "work"), value_of(d, i, "work"), 1e-11, 0.0);
        assert_near(value_of(s, i, "energy") - value_of(s, i, "work"), value_of(s, 0, "energy"),
                    1e-11, 0.0);
    }
    solution_free(s);
    solution_free(d);
}

/* A bead on a parabola by a formula, against the Lagrangian in x. */
static void test_bead_on_a_curve_matches_its_reduced_equation(void **state) {
    (void)state;
    solution *a = run_text("Dimension: 2\n"
                           "PartData: {Particles: {P: 2}}\n"
                           "AppliedForces: {Gravity: }\n"
                           "Constraints: {curve: Py - Px^2}\n"
                           "ProblemData: {tend: 3, positions: {P: [1, 1]}}\n",
                           1e-13);
    solution *b = run_text("Lagrangian:\n"
                           "  Coordinates: [x]\n"
                           "  Define: {y: x^2}\n"
                           "  L: x'^2 + y'^2 - 2*9.81*y\n"
                           "ProblemData: {tend: 3, positions: {x: 1}}\n",
                           1e-13);
    for (long i = 0; i < rows_of(a); i += 100)
        assert_near(value_of(a, i, "Px"), value_of(b, i, "x"), 1e-11, 0.0);
    assert_true(stats_of(a)->energy_drift < 1e-12);
    solution_free(a);
    solution_free(b);
}

/* ---- redundancy with unknowns in between ---- */

static void test_redundant_constraint_is_left_out_beside_unknowns(void **state) {
    (void)state;
    solution *s = run_text(ROD "AppliedForces: {Torques: {OA: k*z - u}}\n"
                               "PhysicalParams: {k: 2}\n"
                               "Constraints: {again: 3*(Ax^2 + Ay^2 - 1) + z - z}\n"
                               "Variables: [z, u]\n"
                               "Equations: [z'' + 9*z, u - phi'/10 + z'' - z'']\n"
                               "ProblemData: {tend: 1, positions: {A: [1, 0], z: 1}, velocities: "
                               "{z: 0}}\n",
                           1e-13);
    assert_int_equal(stats_of(s)->mobility, 1);
    assert_int_equal(stats_of(s)->index, 3);
    /* J w' + w/10 = 2 cos(3t) */
    const double J = 0.5, c = 0.1, w = 3.0, D = c * c + J * J * w * w;
    const double expected = 2.0 * (c * cos(w) + J * w * sin(w)) / D - 2.0 * c / D * exp(-c / J);
    assert_near(last_of(s, "phi'"), expected, 1e-12, 0.0);
    assert_true(strlen(taut_result_redundant(s->result)) > 0);
    solution_free(s);
}

/* Bricard's mechanism changes its choice of constraints on the way; an unknown of third order,
 * which only watches, must not notice. */
static void test_unknown_survives_a_new_choice_of_constraints(void **state) {
    (void)state;
    static const char added[] = "  values: {z: 1, z': 0, z'': 0}\n"
                                "Variables: [z]\n"
                                "Equations: [z''' + z]\n";
    static const double at[] = {1, 5, 10};
    char text[8000];
    taut_run_options options = at_tolerance(1e-12);
    options.at = at;
    options.ats = 3;
    FILE *file = fopen(TAUT_SOURCE_DIR "/examples/bricard.yaml", "r");
    assert_non_null(file);
    const size_t n = fread(text, 1, sizeof text - sizeof added, file);
    fclose(file);
    memcpy(text + n, added, sizeof added);
    solution *a = solve_text(text, &options), *b = solve_file("examples/bricard.yaml", &options);
    for (int i = 0; i < 3; i++) {
        const double t = at[i];
        const double z = (exp(-t) + 2.0 * exp(t / 2.0) * cos(t * sqrt(0.75))) / 3.0;
        assert_near(value_of(a, i, "z"), z, 1e-11, 1e-11);
        assert_near(value_of(a, i, "P2z"), value_of(b, i, "P2z"), 1e-11, 0.0);
    }
    assert_string_equal(taut_result_redundant(a->result), taut_result_redundant(b->result));
    solution_free(a);
    solution_free(b);
}

/* ---- wrong input ---- */

#define START "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n"

static void test_wrong_input_is_refused(void **state) {
    (void)state;
    check_refused(ROD "Variables: [i]\n" START, 1, 1,
                  "the key 'Equations' is missing: give one for each of the 'Variables'");
    check_refused(ROD "Equations: [phi' - 1]\n" START, 6, 12,
                  "0 variables but 1 equation: there must be as many equations as variables");
    check_refused(ROD "Variables: [i, j]\nEquations: [i' + i]\n" START, 7, 12,
                  "2 variables but 1 equation: there must be as many equations as variables");
    check_refused(ROD "Variables: [A]\nEquations: [A]\n" START, 6, 13,
                  "the name 'A' is taken already, on line 4");
    check_refused(ROD "Variables: [energy]\nEquations: [energy]\n" START, 6, 13,
                  "'energy' is a column of the results already; choose another name");
    check_refused(ROD "Variables: [i]\nEquations: [i' + k]\n" START, 7, 18, "unknown name 'k'");
    check_refused(ROD "Variables: [i]\nEquations: [i' + i]\n" START, 8, 1,
                  "no initial value for i: add it under 'positions'");
    check_refused(
        ROD "Drivers: {i: t}\nVariables: [i]\nEquations: [i' + i]\n" START, 6, 11,
        "'i' is one of the 'Variables': its 'Equations' determine it, it cannot be driven");
    check_refused(ROD "Drivers: {phi: 2*Ax}\n" START, 6, 16,
                  "a driver prescribes a function of t: 'phi' cannot depend on how the mechanism "
                  "moves");
    check_refused("DAE: {Variables: [x], Equations: [x' + x]}\nVariables: [y]\n", 2, 1,
                  "'Variables' at top level belongs to mechanisms; make it a key of 'DAE'");
    check_refused("DAE: {Variables: [x], Equations: [x' + x]}\nDrivers: {x: t}\n", 2, 1,
                  "'Drivers' at top level belongs to mechanisms");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dc_motor_matches_its_closed_form),
        cmocka_unit_test(test_torque_for_a_path_is_found),
        cmocka_unit_test(test_driver_follows_an_unknown),
        cmocka_unit_test(test_equations_may_use_everything),
        cmocka_unit_test(test_angles_in_a_constraint_are_gears),
        cmocka_unit_test(test_constraint_with_time_is_a_driver),
        cmocka_unit_test(test_bead_on_a_curve_matches_its_reduced_equation),
        cmocka_unit_test(test_redundant_constraint_is_left_out_beside_unknowns),
        cmocka_unit_test(test_unknown_survives_a_new_choice_of_constraints),
        cmocka_unit_test(test_wrong_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
