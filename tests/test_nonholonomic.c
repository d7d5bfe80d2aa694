/* Velocity constraints: sleigh, rolling disk, wheel and constant speed against reduced equations
 * and closed forms; structure, energy, work, and what is refused. */
#include "solve_text.h"

#include "ode.h"

/* ---- help ---- */

static solution *run_file(const char *name, double tol, const double *at, int ats) {
    taut_run_options options = at_tolerance(tol);
    options.at = at;
    options.ats = ats;
    return solve_file(name, &options);
}

static solution *run_text(const char *text, double tol) {
    const taut_run_options options = at_tolerance(tol);
    return solve_text(text, &options);
}

static void check_structure(const solution *s, int index, int dof, int mobility) {
    assert_int_equal(stats_of(s)->index, index);
    assert_int_equal(stats_of(s)->dof, dof);
    assert_int_equal(stats_of(s)->mobility, mobility);
}

/* The first message of a model that is refused. */
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

/* ---- Chaplygin sleigh ---- */

static const double SLEIGH_AT[] = {0, 1, 2, 5, 10};
static const long double M = 2, I = 0.3L, A = 0.25L, U0 = -0.5L, W0 = 2;

/* x, y, theta, speed u along the skate, omega: u' = a omega^2, (I + m a^2) omega' = -m a u omega.
 */
static void sleigh(long double t, const long double *x, long double *rate) {
    (void)t;
    rate[0] = x[3] * cosl(x[2]);
    rate[1] = x[3] * sinl(x[2]);
    rate[2] = x[4];
    rate[3] = A * x[4] * x[4];
    rate[4] = -M * A * x[3] * x[4] / (I + M * A * A);
}

static void test_sleigh_matches_its_closed_form(void **state) {
    (void)state;
    solution *s = run_file("examples/chaplygin-sleigh.yaml", 1e-13, SLEIGH_AT, 5);
    const double k = (double)sqrtl((I + M * A * A) / M);
    const double U = (double)sqrtl(U0 * U0 + (I + M * A * A) / M * W0 * W0);
    const double rate = (double)A * U / (k * k), tau0 = atanh((double)U0 / U);
    for (int i = 0; i < 5; i++) {
        const double tau = tau0 + rate * SLEIGH_AT[i], u = U * tanh(tau), w = U / k / cosh(tau);
        const double turn = k / (double)A * (atan(sinh(tau)) - atan(sinh(tau0)));
        assert_near(value_of(s, i, "speed"), u, 1e-12, 0.0);
        assert_near(value_of(s, i, "theta'"), w, 1e-12, 0.0);
        assert_near(value_of(s, i, "theta"), turn, 1e-12, 0.0);
        /* the multiplier is the sideways force: mass times what accelerates its centre */
        const double force = 2.0 * (u * w - 0.25 * 2.0 * 0.25 * u * w / 0.425);
        assert_near(value_of(s, i, "skate"), force, 1e-11, 0.0);
    }
    check_structure(s, 2, 5, 2);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    assert_true(stats_of(s)->constraint_residual < 1e-14);
    solution_free(s);
}

static void test_sleigh_matches_its_reduced_equations_as_lagrangian_and_mechanism(void **state) {
    (void)state;
    solution *s = run_file("examples/chaplygin-sleigh.yaml", 1e-13, SLEIGH_AT, 5);
    solution *b = run_file("examples/chaplygin-sleigh-mechanism.yaml", 1e-13, SLEIGH_AT, 5);
    long double x[5] = {0, 0, 0, U0, W0};
    for (int i = 1; i < 5; i++) {
        ode_run(sleigh, 5, x, (long double)SLEIGH_AT[i - 1], (long double)SLEIGH_AT[i], 20000);
        const char *const name[2][3] = {{"x", "y", "theta"}, {"Kx", "Ky", "theta"}};
        for (int k = 0; k < 3; k++) {
            assert_near(value_of(s, i, name[0][k]), (double)x[k], 1e-11, 0.0);
            assert_near(value_of(b, i, name[1][k]), (double)x[k], 1e-11, 0.0);
        }
        assert_near(value_of(b, i, "speed"), (double)x[3], 1e-11, 0.0);
        assert_near(value_of(b, i, "sideways"), value_of(s, i, "skate"), 1e-11, 0.0);
    }
    /* the tracked angle adds its start */
    check_structure(b, 3, 6, 2);
    assert_true(stats_of(b)->energy_drift < 1e-12);
    solution_free(s);
    solution_free(b);
}

/* ---- rolling disk ---- */

static const double DISK_AT[] = {0, 0.5, 1, 2, 5};
enum { X, Y, PSI, THETA, PHI, LEAN, SPIN, TURN, DISK_STATES };

/* Newton and Euler about the contact, in axes that turn with psi and theta: lean = theta', turn =
 * psi' cos(theta), spin = phi' + psi' sin(theta). A = m R^2/4, B = m R^2/2. */
static void disk(long double t, const long double *x, long double *rate) {
    (void)t;
    const long double R = 0.1L, g = 9.81L, A_ = R * R / 4, B_ = R * R / 2;
    const long double ct = cosl(x[THETA]), st = sinl(x[THETA]), tt = st / ct;
    const long double cp = cosl(x[PSI]), sp = sinl(x[PSI]);
    const long double w = x[LEAN], s = x[SPIN], r = x[TURN];
    rate[X] = R * (s * cp + w * sp * ct);
    rate[Y] = R * (s * sp - w * cp * ct);
    rate[PSI] = r / ct;
    rate[THETA] = w;
    rate[PHI] = s - r * tt;
    rate[LEAN] = (-A_ * r * r * tt + (B_ + R * R) * r * s + g * R * st) / (A_ + R * R);
    rate[SPIN] = -R * R * r * w / (B_ + R * R);
    rate[TURN] = r * w * tt - B_ / A_ * w * s;
}

static void test_disk_matches_its_reduced_equations(void **state) {
    (void)state;
    solution *s = run_file("examples/rolling-disk.yaml", 1e-13, DISK_AT, 5);
    solution *b = run_file("examples/rolling-disk-mechanism.yaml", 1e-13, DISK_AT, 5);
    const char *const name[] = {"x", "y", "psi", "theta", "phi"};
    long double x[DISK_STATES] = {0, 0, 0, 0.3L, 0, 0.2L, 12 + 3 * sinl(0.3L), 3 * cosl(0.3L)};
    for (int i = 1; i < 5; i++) {
        const double span = DISK_AT[i] - DISK_AT[i - 1];
        ode_run(disk, DISK_STATES, x, (long double)DISK_AT[i - 1], (long double)DISK_AT[i],
                lround(span / 2e-5));
        for (int k = 0; k < 5; k++)
            assert_near(value_of(s, i, name[k]), (double)x[k], 1e-10, 1e-11);
        assert_near(value_of(s, i, "theta'"), (double)x[LEAN], 1e-10, 1e-11);
        assert_near(value_of(b, i, "Cx"), (double)x[X], 1e-10, 0.0);
        assert_near(value_of(b, i, "Cy"), (double)x[Y], 1e-10, 0.0);
        assert_near(value_of(b, i, "Cz"), 0.1 * (double)cosl(x[THETA]), 1e-10, 0.0);
    }
    check_structure(s, 2, 8, 3);
    check_structure(b, 3, 8, 3);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    assert_true(stats_of(b)->energy_drift < 1e-12);
    solution_free(s);
    solution_free(b);
}

/* ---- wheel ---- */

static void test_wheel_matches_a_lagrangian_without_slip(void **state) {
    (void)state;
    static const double at[] = {0, 0.5, 1, 2};
    static const char twin[] = "PhysicalParams: {m: 3, R: 0.3, M: 5, l: 0.4}\n"
                               "Lagrangian:\n"
                               "  Coordinates: [x, beta]\n"
                               "  Define: {qx: x + l*cos(beta), qy: R + l*sin(beta)}\n"
                               "  L: 3/4*m*x'^2 + M/2*(qx'^2 + qy'^2) - 9.81*M*qy\n"
                               "ProblemData: {tend: 5, positions: {x: 0, beta: 0}}\n";
    taut_run_options options = at_tolerance(1e-13);
    options.at = at;
    options.ats = 4;
    solution *a = solve_file("examples/wheel.yaml", &options), *b = solve_text(twin, &options);
    for (int i = 0; i < 4; i++) {
        assert_near(value_of(a, i, "Cx"), value_of(b, i, "x"), 1e-11, 0.0);
        assert_near(value_of(a, i, "phi"), -value_of(b, i, "x") / 0.3, 1e-11, 0.0);
        assert_near(value_of(a, i, "beta"), value_of(b, i, "beta"), 1e-11, 0.0);
    }
    check_structure(a, 3, 7, 2);
    assert_true(stats_of(a)->energy_drift < 1e-12);
    solution_free(a);
    solution_free(b);
}

/* ---- nonlinear, rheonomic, homogeneous ---- */

/* Chetaev: the force is along the velocity. With s = s0 - g t/V: x' = V/cosh s, y' = V tanh s. */
static void test_constant_speed_matches_its_closed_form(void **state) {
    (void)state;
    static const char lagrangian[] =
        "Lagrangian:\n"
        "  Coordinates: [x, y]\n"
        "  L: 1/2*(x'^2 + y'^2) - 9.81*y\n"
        "  VelocityConstraints: {speed: x'^2 + y'^2 - 9}\n"
        "ProblemData: {tend: 1, positions: {x: 0, y: 0}, velocities: {x: 1.8, y: 2.4}}\n";
    static const char mechanism[] =
        "Dimension: 2\n"
        "PartData: {Particles: {P: 1}}\n"
        "AppliedForces: {Gravity: }\n"
        "VelocityConstraints: {speed: \"dot(P', P') - 9\"}\n"
        "Outputs: {mu: speed}\n"
        "ProblemData: {tend: 1, positions: {P: [0, 0]}, velocities: {P: [1.8, 2.4]}}\n";
    solution *a = run_text(lagrangian, 1e-13), *b = run_text(mechanism, 1e-13);
    const double V = 3.0, g = 9.81, s0 = atanh(0.8);
    for (long i = 0; i < rows_of(a); i += 100) {
        const double s = s0 - g * value_of(a, i, "t") / V;
        const double x = -V * V / g * (atan(sinh(s)) - atan(sinh(s0)));
        const double y = -V * V / g * (log(cosh(s)) - log(cosh(s0)));
        assert_near(value_of(a, i, "x"), x, 1e-12, 0.0);
        assert_near(value_of(a, i, "y"), y, 1e-12, 0.0);
        assert_near(value_of(a, i, "y'"), V * tanh(s), 1e-12, 0.0);
        assert_near(value_of(a, i, "speed"), -g * tanh(s) / (2.0 * V), 1e-11, 0.0);
        assert_near(value_of(b, i, "Px"), x, 1e-12, 0.0);
        assert_near(value_of(b, i, "Py"), y, 1e-12, 0.0);
        assert_near(value_of(b, i, "mu"), value_of(a, i, "speed"), 1e-11, 0.0);
        /* the constraint works: what it gives is accounted for */
        assert_near(value_of(b, i, "energy") - value_of(b, i, "work"), 4.5, 1e-12, 0.0);
    }
    check_structure(a, 2, 3, 1);
    assert_true(isnan(stats_of(a)->energy_drift));
    assert_true(isnan(stats_of(b)->energy_drift));
    solution_free(a);
    solution_free(b);
}

/* x' = 3 t^2 by a motor: its force on a mass of 2 is 12 t, its work 9 t^4. */
static void test_prescribed_velocity_does_work(void **state) {
    (void)state;
    solution *s = run_text("Dimension: 2\n"
                           "PartData: {Particles: {P: 2}}\n"
                           "VelocityConstraints: {motor: Px' - 3*t^2}\n"
                           "Outputs: {force: -motor}\n"
                           "ProblemData: {tend: 2, positions: {P: [1, 0]}}\n",
                           1e-13);
    assert_near(last_of(s, "Px"), 9.0, 1e-12, 0.0);
    assert_near(last_of(s, "force"), 24.0, 1e-12, 0.0);
    assert_near(last_of(s, "work"), 144.0, 1e-11, 0.0);
    solution_free(s);
}

/* A skate whose direction turns with the time: its force is across the velocity, so energy stays.
 */
static void test_homogeneous_constraint_with_time_keeps_energy(void **state) {
    (void)state;
    solution *s = run_text("Lagrangian:\n"
                           "  Coordinates: [x, y]\n"
                           "  L: 1/2*(x'^2 + y'^2)\n"
                           "  VelocityConstraints: [x'*sin(2*t) - y'*cos(2*t)]\n"
                           "ProblemData: {tend: 3, positions: {x: 0, y: 0}, velocities: {x: 4}}\n",
                           1e-13);
    for (long i = 0; i < rows_of(s); i += 100) {
        const double t = value_of(s, i, "t");
        assert_near(value_of(s, i, "x"), 2.0 * sin(2.0 * t), 1e-12, 0.0);
        assert_near(value_of(s, i, "y"), 2.0 - 2.0 * cos(2.0 * t), 1e-12, 0.0);
        assert_near(value_of(s, i, "mu1"), 8.0, 1e-11, 0.0);
    }
    assert_true(stats_of(s)->energy_drift < 1e-12);
    solution_free(s);
}

/* Constraints of both kinds: a bead that slides on a plane and cannot leave its contact lines. */
static void test_both_kinds_of_constraints_have_index_3(void **state) {
    (void)state;
    solution *s =
        run_text("Lagrangian:\n"
                 "  Coordinates: {r: 3}\n"
                 "  L: \"dot(r', r')/2 - 9.81*r.z\"\n"
                 "  Constraints: {plane: r.z - 0.3*r.x}\n"
                 "  VelocityConstraints: {contact: r.y' - r.z*r.x'}\n"
                 "ProblemData: {tend: 2, positions: {r: [1, 0, 0.3]}, velocities: {rx: 0.5}}\n",
                 1e-13);
    check_structure(s, 3, 3, 1);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    assert_true(stats_of(s)->constraint_residual < 1e-12);
    /* y = 0.15 x^2 + const follows from the two */
    assert_near(last_of(s, "ry"), 0.15 * (pow(last_of(s, "rx"), 2.0) - 1.0), 1e-12, 1e-12);
    solution_free(s);
}

/* ---- redundancy ---- */

static void test_redundant_velocity_constraint_is_left_out(void **state) {
    (void)state;
    static const double at[] = {0, 1, 2};
    taut_run_options options = at_tolerance(1e-13);
    options.at = at;
    options.ats = 3;
    static const char text[] =
        "Dimension: 2\n"
        "PhysicalParams: {m: 3, R: 0.3, M: 5, l: 0.4}\n"
        "PartData:\n"
        "  Rigids:\n"
        "    CP: {Geom: [[R, 0]], Dyna: [[0, 0], m, m*R^2/2]}\n"
        "    CQ: {Geom: [[l, 0]], Dyna: [[l, 0], M, 0]}\n"
        "AppliedForces: {Gravity: }\n"
        "Angles: {phi: CP, beta: CQ}\n"
        "Constraints: [Cy - R]\n"
        "VelocityConstraints: [Cx' + R*phi', 2*Cy', 3*Cx' + 3*R*phi' - Cy']\n"
        "ProblemData: {tend: 2, positions: {C: [0, R], P: [R, R], Q: [l, R]}}\n";
    solution *s = solve_text(text, &options), *w = solve_file("examples/wheel.yaml", &options);
    check_structure(s, 3, 7, 2);
    for (int i = 0; i < 3; i++) assert_near(value_of(s, i, "Cx"), value_of(w, i, "Cx"), 1e-10, 0.0);
    assert_non_null(strstr(taut_result_redundant(s->result), "velocity constraint"));
    solution_free(s);
    solution_free(w);
}

/* ---- wrong input ---- */

#define PLANE                                                                                      \
    "Lagrangian:\n"                                                                                \
    "  Coordinates: [x, y]\n"                                                                      \
    "  L: 1/2*(x'^2 + y'^2)\n"
#define START "ProblemData: {tend: 1, positions: {x: 0, y: 0}}\n"
#define PARTICLE "Dimension: 2\nPartData: {Particles: {P: 1}}\n"
#define AT_REST "ProblemData: {tend: 1, positions: {P: [0, 0]}}\n"

static void test_wrong_constraints_are_refused(void **state) {
    (void)state;
    check_refused(PLANE "  VelocityConstraints: [x + y]\n" START, 4, 25,
                  "this contains no velocity, no first derivative of a coordinate: write it under "
                  "'Constraints'");
    check_refused(PLANE "  VelocityConstraints: [x' + y'']\n" START, 4, 25,
                  "a velocity constraint contains first derivatives, but not second ones");
    check_refused(PLANE "  Constraints: [x' + y]\n" START, 4, 17,
                  "a constraint contains t and coordinates, not their derivatives; a condition on "
                  "velocities belongs under 'VelocityConstraints'");
    check_refused(PLANE "VelocityConstraints: [x' + y']\n" START, 4, 1,
                  "'VelocityConstraints' at top level belongs to mechanisms; make it a key of "
                  "'Lagrangian'");
    check_refused(PARTICLE "VelocityConstraints: [Px + Py]\n" AT_REST, 3, 23,
                  "this contains no velocity, no first derivative of a coordinate: write it under "
                  "'Constraints'");
    check_refused(PARTICLE "Constraints: {go: Px' - 1}\n" AT_REST, 3, 19,
                  "a constraint contains t and coordinates, not their derivatives; a condition on "
                  "velocities belongs under 'VelocityConstraints'");
    check_refused(PARTICLE "Constraints: [1 - 1]\n" AT_REST, 3, 15,
                  "the constraint 1 contains nothing that moves");
    check_refused(PARTICLE "VelocityConstraints: {a: Px', b: Px'}\n" AT_REST, 3, 34,
                  "the velocity constraint b holds already: another one says the same");
    check_refused(PARTICLE "VelocityConstraints: {P: Px'}\n" AT_REST, 3, 26,
                  "the name 'P' is taken already, on line 2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleigh_matches_its_closed_form),
        cmocka_unit_test(test_sleigh_matches_its_reduced_equations_as_lagrangian_and_mechanism),
        cmocka_unit_test(test_disk_matches_its_reduced_equations),
        cmocka_unit_test(test_wheel_matches_a_lagrangian_without_slip),
        cmocka_unit_test(test_constant_speed_matches_its_closed_form),
        cmocka_unit_test(test_prescribed_velocity_does_work),
        cmocka_unit_test(test_homogeneous_constraint_with_time_keeps_energy),
        cmocka_unit_test(test_both_kinds_of_constraints_have_index_3),
        cmocka_unit_test(test_redundant_velocity_constraint_is_left_out),
        cmocka_unit_test(test_wrong_constraints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
