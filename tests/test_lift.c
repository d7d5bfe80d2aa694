/* Tests of form/lift: terms of a Lagrangian whose forces become unknowns for the stiff method, and
 * forces that the file marks as such. */
#include "digits.h"

static taut_run_options ho_at(double tol) {
    taut_run_options options = at_tolerance(tol);
    options.solver = "ho";
    return options;
}

/* Nobody has marked the spring and the damper of this Lagrangian; it does as well as the mechanism.
 */
static void test_governor_as_a_lagrangian(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay", "Bx", "By", "Bz", "theta", "theta'"};
    const double tend = 10.0;
    taut_run_options options = ho_at(1e-10), tight = ho_at(1e-12);
    options.at = tight.at = &tend;
    options.ats = tight.ats = 1;
    long first = 0;
    for (double factor = 1.0; factor < 2e4; factor *= 10.0) {
        solution *a =
            solve_stiffened("tests/models/flyball-governor-minimal.yaml", factor, &options);
        solution *b = solve_stiffened("examples/flyball-governor.yaml", factor, &tight);
        agreement worst = {17.0, tend, ""};
        for (size_t i = 0; i < sizeof column / sizeof column[0]; i++)
            agreement_add(&worst,
                          digits_of(last_of(a, column[i]), last_of(b, column[i]),
                                    column[i][0] == 'A' ? 0.05 : 1.0),
                          tend, column[i]);
        print_message("stiffness times %g: %ld steps, %.2f digits (%s)\n", factor,
                      stats_of(a)->steps, worst.digits, worst.column);
        if (factor == 1.0) first = stats_of(a)->steps;
        assert_near((double)stats_of(a)->steps, (double)first, 0.0, 0.2);
        assert_int_equal(stats_of(a)->unknowns, 5); /* three coordinates, two forces */
        require_digits(worst, 8.0, "stiffened Lagrangian");
        solution_free(a);
        solution_free(b);
    }
}

/* All kinds of terms: sums of squares, powers, a constant factor before a sum, parts that stay;
 * constraints and an unknown of its own beside them. */
static void test_lifted_terms_change_nothing(void **state) {
    (void)state;
    static const char *const text =
        "PhysicalParams: {k: 30, c: 0.4, m: 2, g: 9.81}\n"
        "Lagrangian:\n"
        "  Coordinates: {q: 2, x: 1, y: 1, w: 1}\n"
        "  Variables: [i]\n"
        "  Define: {gap: \"y - x\", stretch: \"norm(q) - 1\"}\n"
        "  L: >-\n"
        "    m/2*(dot(q', q') + x'^2) + (1 + x^2)*y'^2/2 + w'^2/2 - m*g*q.y\n"
        "    - k/2*(dot(q, q) + stretch^2) - k*(x^2 + 2*(x^3/10 + gap^4) - cos(y))/3\n"
        "    - (2 + sin(x))^2.5 - (1.5 + cos(t))*w^2 - exp(w/5)\n"
        "  Constraints: {tie: \"q.x - x\"}\n"
        "  Dissipation: \"c/2*(stretch'^2 + x'^2) + c*gap'^4 + x'*y'/10\"\n"
        "  Forces: {x: i, y: \"-w\", w: \"-c*w'\"}\n"
        "  Equations: [\"i' + i + x'\"]\n"
        "ProblemData:\n"
        "  tend: 3\n"
        "  positions: {q: [0.8, -0.9], x: 0.8, y: 0.5, w: 0.3, i: 0.1}\n"
        "  velocities: {q: [0.2, 0], x: 0.2, y: 0, w: 0}\n";
    static const char *const column[] = {"qx", "qy'", "x", "y", "y'", "w", "i", "tie", "energy"};
    const taut_run_options options = ho_at(1e-10);
    taut_run_options explicit = at_tolerance(1e-12);
    explicit.solver = "taylor";
    solution *a = solve_text(text, &options), *b = solve_text(text, &explicit);
    assert_int_equal(taut_result_columns(a->result), taut_result_columns(b->result));
    /* qx^2, qy^2, stretch^2, x^2, x^3, gap^4, ()^2.5; stretch'^2, x'^2, gap'^4. The forces on y and
     * w share a coordinate, that on x has an unknown already, and w^2 has a factor that moves. */
    assert_int_equal(stats_of(a)->unknowns, stats_of(b)->unknowns + 10);
    for (size_t c = 0; c < sizeof column / sizeof column[0]; c++)
        for (long row = 0; row < rows_of(a); row += 50)
            assert_near(value_of(a, row, column[c]), value_of(b, row, column[c]), 1e-8, 1e-8);
    solution_free(a);
    solution_free(b);
}

/* Two masses with a stiff link: as forces, and as a marked force of a DAE. */
static const char *const AS_FORCES = "Lagrangian:\n"
                                     "  Coordinates: [x, y]\n"
                                     "  L: x'^2/2 + y'^2/2 - cos(y) - 3*x\n"
                                     "  Forces: {x: -1e11*(x - y) - 1e8*(x' - y'), "
                                     "y: 1e11*(x - y) + 1e8*(x' - y')}\n";
static const char *const MARKED = "DAE:\n"
                                  "  Variables: [x, y]\n"
                                  "  Stiff: {F: 1e11*(x - y) + 1e8*(x' - y')}\n"
                                  "  Equations: [\"x'' + 3 + F\", \"y'' - sin(y) - F\"]\n";
static const char *const MARKED_FORCES = "Lagrangian:\n"
                                         "  Coordinates: [x, y]\n"
                                         "  Stiff: {F: [1e11*(x - y) + 1e8*(x' - y'), -sin(y)]}\n"
                                         "  L: x'^2/2 + y'^2/2 - 3*x\n"
                                         "  Forces: {x: -F.x, y: F.x - F.y}\n";

static void test_force_and_reaction(void **state) {
    (void)state;
    const char *const text[] = {AS_FORCES, MARKED, MARKED_FORCES};
    static const int unknowns[] = {3, 3, 4};
    const taut_run_options options = ho_at(1e-10);
    double x = 0.0;
    for (int i = 0; i < 3; i++) {
        char whole[800];
        snprintf(whole, sizeof whole,
                 "%sProblemData: {tend: 10, positions: {x: 1, y: 1}, velocities: {x: 0, y: 0}}\n",
                 text[i]);
        solution *s = solve_text(whole, &options);
        print_message("two masses: %ld steps, x = %.12g\n", stats_of(s)->steps, last_of(s, "x"));
        assert_int_equal(stats_of(s)->unknowns, unknowns[i]);
        assert_true(stats_of(s)->steps < 100);
        if (i == 0) x = last_of(s, "x");
        assert_near(last_of(s, "x"), x, 0.0, 1e-8);
        if (i == 1) { /* the masses move together, F accelerates the second one */
            const double y = last_of(s, "y");
            assert_near(last_of(s, "F"), -1.5 - sin(y) / 2.0, 1e-6, 0.0);
        }
        solution_free(s);
    }
}

/* Components of one force: neither tells it alone. */
static void test_components_of_a_force_stay(void **state) {
    (void)state;
    static const char *const text = "Lagrangian:\n"
                                    "  Coordinates: [x, y]\n"
                                    "  Define: {pull: 100*(x + y^2 - 1)}\n"
                                    "  L: x'^2/2 + y'^2/2\n"
                                    "  Forces: {x: -pull, y: -2*y*pull}\n"
                                    "ProblemData: {tend: 1, positions: {x: 1, y: 0.1}}\n";
    const taut_run_options options = ho_at(1e-9);
    solution *s = solve_text(text, &options);
    assert_int_equal(stats_of(s)->unknowns, 2);
    solution_free(s);
}

/* The state is carried over to the lifted equations and back. */
static void test_auto_switches_to_lifted_equations(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-9), tight = ho_at(1e-12);
    solution *a = solve_file("tests/models/flyball-governor-minimal.yaml", &options);
    solution *b = solve_file("tests/models/flyball-governor-minimal.yaml", &tight);
    assert_non_null(strstr(taut_result_switches(a->result), ": stiff"));
    assert_int_equal(stats_of(a)->unknowns, 3);
    assert_true(stats_of(a)->steps < 200);
    assert_near(last_of(a, "theta"), last_of(b, "theta"), 0.0, 1e-8);
    assert_near(last_of(a, "Ez'"), last_of(b, "Ez'"), 1e-8, 1e-8);
    solution_free(a);
    solution_free(b);
}

static void must_fail(const char *text, const char *message, int line) {
    const taut_run_options options = at_tolerance(1e-9);
    solution *s = try_text(text, &options);
    assert_int_equal(s->status, TAUT_ERR_INPUT);
    if (!strstr(s->errors.item[0].message, message)) show_errors(&s->errors);
    assert_non_null(strstr(s->errors.item[0].message, message));
    assert_int_equal(s->errors.item[0].line, line);
    solution_free(s);
}

static void test_faults(void **state) {
    (void)state;
    must_fail("Lagrangian:\n"
              "  Coordinates: [x]\n"
              "  Stiff: {V: 100*x^2}\n"
              "  L: x'^2/2 - V\n"
              "ProblemData: {tend: 1, positions: {x: 1}}\n",
              "what stands under 'Stiff' is an unknown", 4);
    must_fail("DAE:\n"
              "  Variables: [x]\n"
              "  Stiff: {F: [1, 2, 3, 4]}\n"
              "  Equations: [x' + x]\n"
              "ProblemData: {tend: 1, positions: {x: 1}}\n",
              "can have 1, 2 or 3 components", 3);
    must_fail("DAE:\n"
              "  Variables: [x]\n"
              "  Stiff: {x: 3}\n"
              "  Equations: [x' + x]\n"
              "ProblemData: {tend: 1, positions: {x: 1}}\n",
              "'x'", 3);
    must_fail("DAE:\n"
              "  Variables: [x]\n"
              "  Stiff: {F: 3*z}\n"
              "  Equations: [x' + F]\n"
              "ProblemData: {tend: 1, positions: {x: 1}}\n",
              "'z'", 3);
    must_fail("DAE:\n"
              "  Variables: [x]\n"
              "  Stiff: {F: 3*x}\n"
              "  Equations: [x' + F, F - 3]\n"
              "ProblemData: {tend: 1, positions: {x: 1}}\n",
              "1 variable but 2 equations", 4);
    must_fail("DAE:\n"
              "  Variables: [x]\n"
              "  Stiff: [F]\n"
              "  Equations: [x' + x]\n"
              "ProblemData: {tend: 1, positions: {x: 1}}\n",
              "'Stiff'", 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_governor_as_a_lagrangian),
        cmocka_unit_test(test_lifted_terms_change_nothing),
        cmocka_unit_test(test_force_and_reaction),
        cmocka_unit_test(test_components_of_a_force_stay),
        cmocka_unit_test(test_auto_switches_to_lifted_equations),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
