/* Hamiltonians: structure, agreement with Lagrangian twins and closed forms, initial momenta and
 * velocities, and what is refused. */
#include "solve_text.h"

static const double TIMES[] = {0, 1, 5, 10, 20};

static taut_run_options at_times(double tol) {
    taut_run_options options = at_tolerance(tol);
    options.at = TIMES;
    options.ats = 5;
    options.has_tend = true;
    options.tend = 20;
    return options;
}

static char *analysis_of(const char *text) {
    char *json = NULL;
    taut_model *model = read_text(text);
    assert_int_equal(taut_analyze(model, true, &json, NULL), TAUT_OK);
    taut_model_free(&model);
    return json;
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

/* ---- constraints ---- */

#define PENDULUM                                                                                   \
    "Hamiltonian:\n"                                                                               \
    "  Coordinates: [u, v]\n"                                                                      \
    "  H: (p_u^2 + p_v^2)/2 - 9.81*v\n"                                                            \
    "  Constraints: [u^2 + v^2 - 100]\n"
#define FROM_REST "ProblemData: {tend: 20, positions: {u: 10, v: 0}}\n"

static void test_constrained_offsets_are_those_of_the_theory(void **state) {
    (void)state;
    char *text = analysis_of(PENDULUM FROM_REST);
    assert_non_null(strstr(text, "\"index\": 3"));
    assert_non_null(strstr(text, "\"dof\": 2"));
    assert_non_null(strstr(text, "\"mobility\": 1"));
    assert_non_null(strstr(text, "\"c\": [1, 1, 0, 0, 2]"));
    assert_non_null(strstr(text, "\"d\": [2, 2, 1, 1, 0]"));
    taut_text_free(&text);
}

static void test_pendulum_equals_its_lagrangian_twin_to_12_digits(void **state) {
    (void)state;
    const taut_run_options options = at_times(1e-14);
    static const char *const names[][2] = {{"u", "u"},  {"v", "v"},  {"u'", "u'"},
                                           {"p", "u'"}, {"q", "v'"}, {"lambda1", "lambda1"}};
    solution *h = solve_file("examples/pendulum-hamiltonian.yaml", &options);
    solution *l = solve_file("tests/models/pendulum-lagrangian.yaml", &options);
    for (int i = 0; i < 5; i++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            assert_near(value_of(h, i, names[k][0]), value_of(l, i, names[k][1]),
                        1e-12 * fmax(scale_of(l, names[k][1]), 1.0), 0.0);
    assert_true(stats_of(h)->energy_drift < 1e-12);
    assert_true(stats_of(h)->constraint_residual < 1e-12);
    solution_free(h);
    solution_free(l);
}

/* A vector coordinate, a constraint that moves, friction, a force and a further unknown. */
static void test_forces_and_variables_act_as_in_a_lagrangian(void **state) {
    (void)state;
    static const char h[] = "PhysicalParams: {m: 2, c: 0.1}\n"
                            "Hamiltonian:\n"
                            "  Coordinates: [r: 2, x]\n"
                            "  Momenta: [p, s]\n"
                            "  H: \"dot(p, p)/(2*m) + (s - p.x)^2 + 9.81*m*r.y + 3*x^2\"\n"
                            "  Constraints: {rod: \"dot(r, r) - 1 - t/10\"}\n"
                            "  Forces: {r: \"-c*r' + [z, 0]\", x: sin(t) - c*x'}\n"
                            "  Variables: [z]\n"
                            "  Equations: [z' + z - r.y]\n"
                            "ProblemData:\n"
                            "  positions: {r: [1, 0], x: 0.2, z: 1}\n"
                            "  velocities: {r: [0.05, 0], x: -0.05}\n";
    /* s = p.x + x'/2, p.x = m (rx' + x'): the inverse Legendre transformation */
    static const char l[] =
        "PhysicalParams: {m: 2, c: 0.1}\n"
        "Lagrangian:\n"
        "  Coordinates: [r: 2, x]\n"
        "  L: \"m/2*((r.x' + x')^2 + r.y'^2) + x'^2/4 - 9.81*m*r.y - 3*x^2\"\n"
        "  Constraints: {rod: \"dot(r, r) - 1 - t/10\"}\n"
        "  Forces: {r: \"-c*r' + [z, 0]\", x: sin(t) - c*x'}\n"
        "  Variables: [z]\n"
        "  Equations: [z' + z - r.y]\n"
        "ProblemData: {tend: 20, positions: {r: [1, 0], x: 0.2, z: 1}, velocities: {rx: 0.05, x: "
        "-0.05}}\n";
    const taut_run_options options = at_times(1e-14);
    solution *a = solve_text(h, &options), *b = solve_text(l, &options);
    const char *const name[] = {"rx", "ry", "x", "x'", "z", "rod"};
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 3; i++)
            assert_near(value_of(a, i, name[k]), value_of(b, i, name[k]), 1e-10, 0.0);
    assert_true(isnan(stats_of(a)->energy_drift));
    solution_free(a);
    solution_free(b);
}

/* ---- no constraints ---- */

/* Kepler with eccentricity 0.5: after a period everything is as at the start. */
static void test_kepler_returns_and_keeps_its_energy(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-14);
    options.has_tend = true;
    options.tend = 20.0 * acos(-1.0);
    solution *s = solve_text("Hamiltonian:\n"
                             "  Coordinates: [x, y]\n"
                             "  H: (p_x^2 + p_y^2)/2 - 1/sqrt(x^2 + y^2)\n"
                             "  Outputs: {momentum: x*p_y - y*p_x}\n"
                             "ProblemData: {positions: {x: 0.5, y: 0}, momenta: {p_y: sqrt(3)}}\n",
                             &options);
    assert_near(last_of(s, "x"), 0.5, 1e-12, 0.0);
    assert_near(last_of(s, "y"), 0.0, 2e-12, 0.0);
    assert_near(last_of(s, "p_x"), 0.0, 1e-11, 0.0);
    assert_near(last_of(s, "p_y"), sqrt(3.0), 1e-12, 0.0);
    assert_near(last_of(s, "energy"), -0.5, 1e-13, 0.0);
    assert_near(last_of(s, "momentum"), sqrt(0.75), 1e-13, 0.0);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    assert_int_equal(stats_of(s)->dof, 4);
    solution_free(s);
}

static void test_henon_heiles_keeps_its_energy(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-14);
    solution *s =
        solve_text("Hamiltonian:\n"
                   "  Coordinates: [x, y]\n"
                   "  Momenta: [p, q]\n"
                   "  H: (p^2 + q^2 + x^2 + y^2)/2 + x^2*y - y^3/3\n"
                   "ProblemData: {tend: 300, positions: {x: 0, y: 0.1}, momenta: {p: 0.45,"
                   " q: 0.05}}\n",
                   &options);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    assert_near(scale_of(s, "energy"), 0.1025 + 0.005 - 0.001 / 3.0, 1e-13, 0.0);
    solution_free(s);
}

/* H = (p - A)^2/2 with terms linear in p: a charge in a magnetic field goes round in a circle. */
static void test_terms_linear_in_momenta_are_no_kinetic_energy(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-13);
    solution *s =
        solve_text("Hamiltonian:\n"
                   "  Coordinates: [x, y]\n"
                   "  H: ((p_x + y)^2 + (p_y - x)^2)/2\n"
                   "ProblemData: {tend: 3, positions: {x: 1, y: 0}, velocities: {y: -2}}\n",
                   &options);
    for (long i = 0; i < rows_of(s); i += 100) {
        assert_near(value_of(s, i, "x"), cos(2.0 * value_of(s, i, "t")), 1e-12, 0.0);
        assert_near(value_of(s, i, "y"), -sin(2.0 * value_of(s, i, "t")), 1e-12, 0.0);
    }
    assert_near(value_of(s, 0, "p_y"), -1.0, 1e-14, 0.0);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    solution_free(s);
}

/* ---- initial values ---- */

static void test_velocities_determine_momenta(void **state) {
    (void)state;
    static const char pendulum[] =
        "Hamiltonian:\n"
        "  Coordinates: {q: 2}\n"
        "  H: \"dot(p_q, p_q)/6 + 29.43*q.y\"\n"
        "  Constraints: [q.x^2 + q.y^2 - 25]\n"
        "ProblemData: {tend: 1, positions: {q: [3, -4]}, velocities: {q: [4, 3]}}\n";
    taut_run_options options = at_tolerance(1e-12);
    solution *s = solve_text(pendulum, &options);
    assert_near(value_of(s, 0, "qx'"), 4.0, 1e-14, 0.0);
    assert_near(value_of(s, 0, "p_qx"), 12.0, 1e-14, 0.0);
    assert_near(value_of(s, 0, "p_qy"), 9.0, 1e-14, 0.0);
    solution_free(s);
}

static void test_unlisted_momenta_are_zero(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-12);
    solution *s = solve_text(PENDULUM FROM_REST, &options);
    assert_near(value_of(s, 0, "p_u"), 0.0, 0.0, 0.0);
    assert_near(value_of(s, 0, "p_v"), 0.0, 0.0, 0.0);
    solution_free(s);
}

/* ---- wrong input ---- */

#define FREE "Hamiltonian:\n  Coordinates: [x, y]\n"
#define START "ProblemData: {tend: 1, positions: {x: 0, y: 0}}\n"

static void test_wrong_input_is_refused(void **state) {
    (void)state;
    check_refused(FREE "  H: p_x^2 + y'^2\n" START, 3, 6,
                  "'H' may contain coordinates and momenta, but not their derivatives: write a "
                  "velocity by momenta");
    check_refused(FREE "  H: p_x^2 + px^2\n" START, 3, 14, "unknown name 'px'; did you mean 'x'?");
    check_refused(
        FREE "  Momenta: [p]\n  H: p^2\n" START, 3, 12,
        "2 coordinates but 1 momentum: list one name for each coordinate, in their order, "
        "or leave 'Momenta' out");
    check_refused(FREE "  Momenta: [p, x]\n  H: p^2\n" START, 3, 16,
                  "the name 'x' is taken already, on line 2");
    check_refused(FREE "  H: p_x^2\n  Constraints: [x*p_y]\n" START, 4, 17,
                  "a constraint of a Hamiltonian contains t and coordinates, not momenta");
    check_refused(FREE "  H: p_x^2\n  Constraints: [x' - y]\n" START, 4, 17,
                  "a constraint contains t and coordinates, not their derivatives");
    check_refused(FREE "  H: p_x^2\n  Forces: {p_x: 1}\n" START, 4, 12,
                  "'p_x' is not a coordinate");
    check_refused(FREE "  H: p_x^2\n  Equations: [x' - y]\n" START, 4, 14,
                  "0 variables but 1 equation: there must be as many equations as variables");
    check_refused(FREE START, 1, 1, "the key 'H' is missing: give the Hamiltonian");
    check_refused(FREE "  H: p_x^2\n  L: 3\n" START, 4, 3, "unknown key 'L'");
    check_refused(FREE "  H: p_x^2\n"
                       "ProblemData: {tend: 1, positions: {x: 0, y: 0}, momenta: {x: 1}}\n",
                  4, 59, "'x' is not a momentum: its value belongs under 'positions'");
    check_refused(FREE "  H: p_x^2\n"
                       "ProblemData: {tend: 1, positions: {x: 0, y: 0}, momenta: {p_z: 1}}\n",
                  4, 59, "unknown name 'p_z'; did you mean 'p_x'?");
    check_refused("DAE: {Variables: [x], Equations: [x' + x]}\n"
                  "ProblemData: {tend: 1, positions: {x: 1}, momenta: {x: 1}}\n",
                  2, 43, "only a 'Hamiltonian' has momenta; give 'velocities'");
    check_refused(FREE "  H: p_x^2\nDAE: {Variables: [x], Equations: [x']}\n", 2, 3,
                  "a file has one model: either 'PartData' or 'Lagrangian' or 'Hamiltonian' or "
                  "'DAE'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constrained_offsets_are_those_of_the_theory),
        cmocka_unit_test(test_pendulum_equals_its_lagrangian_twin_to_12_digits),
        cmocka_unit_test(test_forces_and_variables_act_as_in_a_lagrangian),
        cmocka_unit_test(test_kepler_returns_and_keeps_its_energy),
        cmocka_unit_test(test_henon_heiles_keeps_its_energy),
        cmocka_unit_test(test_terms_linear_in_momenta_are_no_kinetic_energy),
        cmocka_unit_test(test_velocities_determine_momenta),
        cmocka_unit_test(test_unlisted_momenta_are_zero),
        cmocka_unit_test(test_wrong_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
