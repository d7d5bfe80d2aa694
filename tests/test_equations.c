/* Equations outside mechanics, and Lagrangians with all their sections, against closed forms or
 * references of 25 digits (reference/make.py). */
#include "solve_text.h"

#include "reference/equations.h"

static solution *run_to(const char *text, double tol, double tend) {
    taut_run_options options = at_tolerance(tol);
    options.has_tend = true;
    options.tend = tend;
    return solve_text(text, &options);
}

/* ---- known equations ---- */

/* Rows of reference (3 x count) against the columns `name`, relative to each value. */
static void check_file(const char *file, double tol, const double *time, const char *const *name,
                       int count, const double *reference, double rel) {
    static const char *const solver[] = {"taylor", "auto"};
    taut_run_options options = at_tolerance(tol);
    options.at = time;
    options.ats = 3;
    for (int j = 0; j < 2; j++) {
        options.solver = solver[j];
        solution *s = solve_file(file, &options);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < count; k++)
                assert_near(value_of(s, i, name[k]), reference[i * count + k], 0.0, rel);
        if (j == 0) assert_int_equal(stats_of(s)->rejected, 0);
        solution_free(s);
    }
}

static void test_robertson_to_12_digits(void **state) {
    (void)state;
    static const char *const name[] = {"y1", "y2", "y3"};
    check_file("examples/robertson.yaml", 1e-12, robertson_time, name, 3, &robertson_state[0][0],
               1e-12);
    /* fast modes are damped: even a loose tolerance gives a lot */
    check_file("examples/robertson.yaml", 1e-9, robertson_time, name, 3, &robertson_state[0][0],
               1e-10);
}

static void test_van_der_pol_to_11_digits(void **state) {
    (void)state;
    static const char *const name[] = {"x", "x'"};
    check_file("examples/van-der-pol.yaml", 1e-12, van_der_pol_time, name, 2,
               &van_der_pol_state[0][0], 1e-11);
    check_file("examples/van-der-pol.yaml", 1e-14, van_der_pol_time, name, 2,
               &van_der_pol_state[0][0], 2e-13);
}

/* Errors grow a millionfold on the way. */
static void test_lorenz_to_9_digits(void **state) {
    (void)state;
    static const char *const name[] = {"x", "y", "z"};
    check_file("examples/lorenz.yaml", 1e-12, lorenz_time, name, 3, &lorenz_state[0][0], 1e-9);
    check_file("examples/lorenz.yaml", 1e-9, lorenz_time, name, 3, &lorenz_state[0][0], 1e-6);
}

static void test_circuit_of_index_2_matches_closed_form(void **state) {
    (void)state;
    const double A = 2.0, w = 3.0, R = 4.0, C1 = 0.25, C2 = 0.5, T = R * C2;
    const taut_run_options options = at_tolerance(1e-12);
    solution *s = solve_file("examples/circuit-index2.yaml", &options);
    assert_int_equal(stats_of(s)->index, 2);
    assert_int_equal(stats_of(s)->dof, 1);
    for (long n = 0; n < rows_of(s); n++) {
        const double t = value_of(s, n, "t"), k = A / (1.0 + w * T * w * T);
        const double e1 = A * sin(w * t);
        const double e2 = k * (sin(w * t) - w * T * cos(w * t)) + (1.0 + k * w * T) * exp(-t / T);
        const double i = -C1 * A * w * cos(w * t) - (e1 - e2) / R;
        assert_near(value_of(s, n, "e1"), e1, 1e-14, 0.0);
        assert_near(value_of(s, n, "e2"), e2, 1e-13, 0.0);
        assert_near(value_of(s, n, "i"), i, 1e-13, 0.0);
        assert_near(value_of(s, n, "i'"),
                    C1 * A * w * w * sin(w * t) - (A * w * cos(w * t) - (e1 - e2) / T) / R, 1e-12,
                    0.0);
        assert_near(value_of(s, n, "power"), -e1 * i, 1e-13, 0.0);
    }
    solution_free(s);
}

static void test_algebraic_system_matches_closed_form(void **state) {
    (void)state;
    for (double tol = 1e-9; tol > 1e-13; tol *= 1e-3) {
        const taut_run_options options = at_tolerance(tol);
        solution *s = solve_file("examples/algebraic.yaml", &options);
        assert_int_equal(stats_of(s)->index, 1);
        assert_int_equal(stats_of(s)->dof, 0);
        for (long n = 0; n < rows_of(s); n++) {
            const double t = value_of(s, n, "t");
            const double x = sqrt(2.0 + cos(t)), y = exp(sin(t) / 3.0);
            assert_near(value_of(s, n, "x"), x, 1e-13, 0.0);
            assert_near(value_of(s, n, "y"), y, 1e-13, 0.0);
            assert_near(value_of(s, n, "z"), x - y, 1e-13, 0.0);
            assert_near(value_of(s, n, "x'"), -sin(t) / (2.0 * x), 1e-12, 0.0);
            assert_near(value_of(s, n, "y'"), y * cos(t) / 3.0, 1e-12, 0.0);
        }
        assert_true(stats_of(s)->constraint_residual < 1e-13);
        solution_free(s);
    }
}

/* ---- forms of equations ---- */

/* The derivative enters squared; its guess chooses the branch. */
static void test_implicit_equation_follows_the_guessed_branch(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        char text[300];
        snprintf(text, sizeof text,
                 "DAE: {Variables: [x], Equations: [\"x'^2 + x^2 - 1\"]}\n"
                 "ProblemData: {tend: 1.5, positions: {x: 0}, values: {x': %g}}\n",
                 0.8 * sign);
        taut_run_options options = at_tolerance(1e-12);
        solution *s = solve_text(text, &options);
        for (long i = 0; i < rows_of(s); i++) {
            const double t = value_of(s, i, "t");
            assert_near(value_of(s, i, "x"), sign * sin(t), 1e-12, 0.0);
            assert_near(value_of(s, i, "x'"), sign * cos(t), 1e-12, 0.0);
        }
        solution_free(s);
    }
}

static void test_time_enters_and_is_differentiated(void **state) {
    (void)state;
    solution *s = run_to("DAE:\n"
                         "  Variables: [x, y]\n"
                         "  Equations: [\"x' - sin(t)\", \"y - (t^2*sin(3*t))'\"]\n"
                         "ProblemData: {positions: {x: -1}}\n",
                         1e-12, 5.0);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        assert_near(value_of(s, i, "x"), -cos(t), 1e-13, 0.0);
        assert_near(value_of(s, i, "y"), 2.0 * t * sin(3.0 * t) + 3.0 * t * t * cos(3.0 * t), 1e-12,
                    1e-13);
    }
    solution_free(s);
}

static void test_third_derivative_is_one_equation(void **state) {
    (void)state;
    solution *s =
        run_to("DAE: {Variables: [x], Equations: [\"x''' + 8*x\"]}\n"
               "ProblemData: {positions: {x: 1}, velocities: {x: -2}, values: {x'': 4}}\n",
               1e-13, 2.0);
    assert_int_equal(stats_of(s)->dof, 3);
    /* exp(-2t); the other modes grow like exp(t) */
    assert_near(last_of(s, "x"), exp(-4.0), 1e-13, 0.0);
    solution_free(s);
}

static void test_backward_run_returns_to_the_start(void **state) {
    (void)state;
    solution *s = run_to("DAE: {Variables: [x], Equations: [\"x'' + x + t\"]}\n"
                         "ProblemData: {t0: 5, positions: {x: sin(5) - 5}, "
                         "velocities: {x: cos(5) - 1}}\n",
                         1e-13, -5.0);
    assert_true(value_of(s, 1, "t") < value_of(s, 0, "t"));
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        assert_near(value_of(s, i, "x"), sin(t) - t, 1e-13, 0.0);
        assert_near(value_of(s, i, "x'"), cos(t) - 1.0, 1e-13, 0.0);
    }
    solution_free(s);
}

/* A million times its start, or hardly anything of it: both keep their digits. */
static void test_growth_and_decay_keep_relative_digits(void **state) {
    (void)state;
    solution *s = run_to("DAE: {Variables: [x], Equations: [\"x' + 2*t*x\"]}\n"
                         "ProblemData: {t0: -10, positions: {x: exp(-100)}}\n",
                         1e-12, 0.0);
    assert_near(last_of(s, "x"), 1.0, 0.0, 1e-13);
    solution_free(s);
    s = run_to("DAE: {Variables: [x], Equations: [\"x' - x\"]}\n"
               "ProblemData: {positions: {x: 1}}\n",
               1e-12, 700.0);
    assert_near(last_of(s, "x"), exp(700.0), 0.0, 1e-12);
    solution_free(s);
}

/* Ten orbits of eccentricity 0.99: the distance changes by 199, the speed as well. */
static void test_eccentric_orbit_closes(void **state) {
    (void)state;
    solution *s = run_to("PhysicalParams: {e: 0.99}\n"
                         "Lagrangian:\n"
                         "  Coordinates: {p: 2}\n"
                         "  L: 1/2*dot(p', p') + 1/norm(p)\n"
                         "ProblemData:\n"
                         "  tend: 20*pi\n"
                         "  positions: {p: [1 - e, 0]}\n"
                         "  velocities: {p: [0, sqrt((1 + e)/(1 - e))]}\n",
                         1e-14, 62.831853071795864769);
    assert_near(last_of(s, "px"), 0.01, 1e-11, 0.0);
    assert_near(last_of(s, "py"), 0.0, 1e-9, 0.0); /* at speed 14: 1e-10 s */
    assert_true(stats_of(s)->energy_drift < 1e-13);
    assert_true(stats_of(s)->steps < 1500);
    solution_free(s);
}

/* ---- sections of a Lagrangian ---- */

static void test_damped_oscillator_matches_closed_form(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-12);
    options.derivatives = 2;
    solution *s = solve_text("PhysicalParams: {m: 2, c: 0.8, k: 18}\n"
                             "Lagrangian:\n"
                             "  Coordinates: [x]\n"
                             "  L: m/2*x'^2 - k/2*x^2\n"
                             "  Dissipation: c/2*x'^2\n"
                             "  Outputs: {E: m/2*x'^2 + k/2*x^2}\n"
                             "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n",
                             &options);
    const double a = 0.2, w = sqrt(9.0 - a * a);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), e = exp(-a * t);
        const double v = -e * 9.0 / w * sin(w * t);
        assert_near(value_of(s, i, "x"), e * (cos(w * t) + a / w * sin(w * t)), 1e-13, 0.0);
        assert_near(value_of(s, i, "x'"), v, 1e-12, 0.0);
        assert_near(value_of(s, i, "E'"), -0.8 * v * v, 1e-12, 0.0);
        assert_near(value_of(s, i, "E''"), -1.6 * v * value_of(s, i, "x''"), 1e-11, 0.0);
    }
    assert_true(isnan(stats_of(s)->energy_drift));
    solution_free(s);
}

static void test_force_drives_oscillator_to_closed_form(void **state) {
    (void)state;
    solution *s = run_to("Lagrangian:\n"
                         "  Coordinates: {p: 2}\n"
                         "  L: 1/2*dot(p', p') - 1/2*dot(p, p)\n"
                         "  Forces: {p: [3*sin(2*t), -p'.y]}\n"
                         "ProblemData: {positions: {p: [0, 1]}, velocities: {p: [-2, 0]}}\n",
                         1e-12, 10.0);
    const double w = sqrt(0.75);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        assert_near(value_of(s, i, "px"), -sin(2.0 * t), 1e-12, 0.0);
        assert_near(value_of(s, i, "py"), exp(-t / 2.0) * (cos(w * t) + sin(w * t) / (2.0 * w)),
                    1e-12, 0.0);
    }
    solution_free(s);
}

/* A bead on a wire that turns at a given rate: r'' = w^2 r, the multiplier is the torque. */
static void test_rheonomic_constraint_gives_motion_and_torque(void **state) {
    (void)state;
    solution *s = run_to("PhysicalParams: {w: 0.5, m: 2}\n"
                         "Lagrangian:\n"
                         "  Coordinates: [r, a]\n"
                         "  L: m/2*(r'^2 + r^2*a'^2)\n"
                         "  Constraints: {turn: a - w*t}\n"
                         "ProblemData:\n"
                         "  positions: {r: 1, a: 0}\n"
                         "  velocities: {r: 0, a: 0}\n",
                         1e-12, 4.0);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), r = cosh(0.5 * t), v = 0.5 * sinh(0.5 * t);
        assert_near(value_of(s, i, "r"), r, 1e-12, 0.0);
        assert_near(value_of(s, i, "a'"), 0.5, 1e-14, 0.0);
        assert_near(value_of(s, i, "turn"), -2.0 * 2.0 * r * v * 0.5, 1e-11, 0.0);
    }
    assert_true(isnan(stats_of(s)->energy_drift));
    solution_free(s);
}

/* A variable that is not varied: the filtered position drives the force. */
static void test_extra_variables_join_the_equations_of_motion(void **state) {
    (void)state;
    solution *a = run_to("Lagrangian:\n"
                         "  Coordinates: [x]\n"
                         "  L: 1/2*x'^2 - 2*x^2\n"
                         "  Forces: {x: -y}\n"
                         "  Variables: [y]\n"
                         "  Equations: [y' + y - x]\n"
                         "  Outputs: {power: -y*x'}\n"
                         "ProblemData: {positions: {x: 1, y: 0.5}, velocities: {x: 0}}\n",
                         1e-12, 10.0);
    solution *b = run_to("DAE:\n"
                         "  Variables: [x, y]\n"
                         "  Equations: [\"x'' + 4*x + y\", y' + y - x]\n"
                         "ProblemData: {positions: {x: 1, y: 0.5}, velocities: {x: 0}}\n",
                         1e-14, 10.0);
    for (long i = 0; i < rows_of(a); i++) {
        assert_near(value_of(a, i, "x"), value_of(b, i, "x"), 1e-12, 0.0);
        assert_near(value_of(a, i, "y'"), value_of(b, i, "y'"), 1e-12, 0.0);
        assert_near(value_of(a, i, "power"), -value_of(b, i, "y") * value_of(b, i, "x'"), 1e-12,
                    0.0);
    }
    solution_free(a);
    solution_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_robertson_to_12_digits),
        cmocka_unit_test(test_van_der_pol_to_11_digits),
        cmocka_unit_test(test_lorenz_to_9_digits),
        cmocka_unit_test(test_circuit_of_index_2_matches_closed_form),
        cmocka_unit_test(test_algebraic_system_matches_closed_form),
        cmocka_unit_test(test_implicit_equation_follows_the_guessed_branch),
        cmocka_unit_test(test_time_enters_and_is_differentiated),
        cmocka_unit_test(test_third_derivative_is_one_equation),
        cmocka_unit_test(test_backward_run_returns_to_the_start),
        cmocka_unit_test(test_growth_and_decay_keep_relative_digits),
        cmocka_unit_test(test_eccentric_orbit_closes),
        cmocka_unit_test(test_damped_oscillator_matches_closed_form),
        cmocka_unit_test(test_force_drives_oscillator_to_closed_form),
        cmocka_unit_test(test_rheonomic_constraint_gives_motion_and_torque),
        cmocka_unit_test(test_extra_variables_join_the_equations_of_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
