/* The machines among the examples, against closed forms: circles that meet, trigonometry, products
 * of rotations, virtual work, sums of modes, a Lagrangian of our own. And each of them in every
 * formulation. */
#include "examples.h"

#include <complex.h>

#include "space.h"

static solution *solve(const char *name) {
    char path[128];
    const taut_run_options options = at_tolerance(1e-12);
    snprintf(path, sizeof path, "examples/%s.yaml", name);
    return solve_file(path, &options);
}

/* ---- the plane, as complex numbers ---- */

static const double complex i1 = CMPLX(0.0, 1.0);

/* Where circles about p and q of radii a and b meet: on the left of the way from p to q, or (side
 * -1) on its right. */
static double complex meet(double complex p, double a, double complex q, double b, double side) {
    const double d = cabs(q - p), x = (a * a - b * b + d * d) / (2.0 * d);
    return p + (q - p) / d * (x + side * i1 * sqrt(a * a - x * x));
}

static void assert_point(const solution *s, long row, const char *name, double complex want) {
    char x[16], y[16];
    snprintf(x, sizeof x, "%sx", name);
    snprintf(y, sizeof y, "%sy", name);
    assert_near(value_of(s, row, x), creal(want), 1e-11, 0.0);
    assert_near(value_of(s, row, y), cimag(want), 1e-11, 0.0);
}

static void test_jansen_leg(void **state) {
    (void)state;
    solution *s = solve("machines/jansen-leg");
    const double b = 0.415, c = 0.393, d = 0.401, e = 0.558, f = 0.394, g = 0.367, h = 0.657;
    const double i = 0.49, j = 0.5, k = 0.619, m = 0.15;
    const double complex Y = -0.38 - 0.078 * i1;
    const double v1 = (b * b + d * d - e * e) / (2 * b), f1 = (g * g + i * i - h * h) / (2 * g);
    double lowest = 0.0, highest = -1.0;
    for (long row = 0; row < rows_of(s); row++) {
        const double complex X = m * cexp(-2.0 * M_PI * i1 * value_of(s, row, "t"));
        const double complex W = meet(X, j, Y, b, -1.0), U = meet(X, k, Y, c, 1.0);
        const double complex V = Y + (W - Y) / b * (v1 + i1 * sqrt(d * d - v1 * v1));
        const double complex T = meet(V, f, U, g, -1.0);
        const double complex S = U + (T - U) / g * (f1 + i1 * sqrt(i * i - f1 * f1));
        assert_point(s, row, "V", V);
        assert_point(s, row, "T", T);
        assert_point(s, row, "S", S);
        lowest = fmin(lowest, cimag(S));
        highest = fmax(highest, cimag(S));
    }
    assert_true(highest - lowest > 0.15 && highest - lowest < 0.3); /* it lifts its foot */
    solution_free(s);
}

static void test_six_bar(void **state) {
    (void)state;
    solution *s = solve("machines/six-bar");
    for (long row = 0; row < rows_of(s); row++) {
        const double complex A = cexp(2.0 * i1 * value_of(s, row, "t"));
        const double complex B = meet(A, 3.0, 3.5, 3.2, 1.0);
        const double complex C = A + (B - A) / 3.0 * (1.8 + 2.2 * i1), R = 5.5 + 3.5 * i1;
        const double complex D = meet(C, 4.0, R, 3.5, 1.0);
        assert_point(s, row, "B", B);
        assert_point(s, row, "D", D);
        assert_near(cos(value_of(s, row, "rocker") - carg(D - R)), 1.0, 1e-13, 0.0);
    }
    solution_free(s);
}

static void test_excavator(void **state) {
    (void)state;
    solution *s = solve("machines/excavator");
    const double complex P0 = 0.6 - 0.5 * i1, K0 = 2.4 + 1.4 * i1, J0 = 2.2 + 2.2 * i1,
                         S0 = 5 + 1.5 * i1;
    const double complex L0 = 4.6 + 2.2 * i1, M0 = 5.4 + 1.6 * i1, N0 = 5.8 - 0.85 * i1;
    const double complex T0 = 6 - 1.3 * i1, H0 = 6.3 - 0.5 * i1, G0 = 6.55 - 1.1 * i1,
                         E0 = 5.2 - 2.4 * i1;
    for (long row = 0; row < rows_of(s); row++) {
        const double t = value_of(s, row, "t");
        const double complex K = meet(0.0, cabs(K0), P0, cabs(K0 - P0) + 0.15 * sin(t), 1.0);
        const double complex boom = K / K0, S = boom * S0, J = boom * J0;
        const double complex L =
            meet(S, cabs(L0 - S0), J, cabs(L0 - J0) + 0.2 * (1 - cos(t)), -1.0);
        const double complex stick = (L - S) / (L0 - S0), T = S + stick * (T0 - S0);
        const double complex M = S + stick * (M0 - S0), N = S + stick * (N0 - S0);
        const double complex H = meet(N, cabs(H0 - N0), M, cabs(H0 - M0) + 0.08 * sin(2 * t), -1.0);
        const double complex G = meet(T, cabs(G0 - T0), H, cabs(G0 - H0), -1.0);
        assert_point(s, row, "K", K);
        assert_point(s, row, "T", T);
        assert_point(s, row, "H", H);
        assert_point(s, row, "E", T + (G - T) / (G0 - T0) * (E0 - T0));
    }
    solution_free(s);
}

/* What pulls the foot of a lift with n crosses: virtual work of weights and inertias. */
static double lift_pull(int n, int sides, double L, double leg, double inertia, double angle,
                        double rate, double acceleration) {
    const double platform = 200.0, g = 9.81, s = sin(angle), c = cos(angle);
    double M = platform * pow(2.0 * n * L * c, 2.0),
           slope = -platform * pow(2.0 * n * L, 2.0) * 2.0 * s * c;
    double weight = platform * 2.0 * n;
    for (int i = 1; i <= n; i++) { /* two legs a cross and side, at half its height */
        const double k = 2.0 * i - 1.0;
        M += 2.0 * sides * (leg * L * L * (s * s + k * k * c * c) + inertia);
        slope += 2.0 * sides * leg * L * L * 2.0 * s * c * (1.0 - k * k);
        weight += 2.0 * sides * leg * k;
    }
    return (M * acceleration + slope * rate * rate / 2.0 + weight * g * L * c) / (-2.0 * L * s);
}

static void must_lift(const char *name, int n, int sides, double inertia) {
    solution *s = solve(name);
    const double L = 0.5, w0 = cos(M_PI / 12.0);
    for (long row = 0; row < rows_of(s); row++) {
        const double t = value_of(s, row, "t");
        const double foot = w0 - 0.1 * (1.0 - cos(t)), v = -0.1 * sin(t), a = -0.1 * cos(t);
        const double angle = acos(foot / (2.0 * L)), rate = -v / (2.0 * L * sin(angle));
        const double turn = -(a / (2.0 * L) + cos(angle) * rate * rate) / sin(angle);
        assert_near(value_of(s, row, "phi"), angle, 1e-12, 0.0);
        assert_near(value_of(s, row, "height"), 2.0 * n * L * sin(angle), 1e-12, 0.0);
        assert_near(value_of(s, row, "force_s"),
                    lift_pull(n, sides, L, 8.0, inertia, angle, rate, turn), 0.0, 1e-9);
    }
    solution_free(s);
}

static void test_scissor_lift(void **state) {
    (void)state;
    must_lift("machines/scissor-lift", 3, 1, 8.0 * 0.25 / 3.0);
}

static void test_scissor_lift_in_space(void **state) {
    (void)state;
    must_lift("machines/scissor-lift-space", 2, 2, 0.7);
}

/* ---- in space ---- */

/* The platform goes where the lengths were made for, and its legs carry what it needs. */
static void test_stewart_platform(void **state) {
    (void)state;
    solution *s = solve("machines/stewart-platform");
    const double m = 80.0, g = 9.81;
    for (long row = 0; row < rows_of(s); row++) {
        const double t = value_of(s, row, "t"), nod = 0.2 * sin(t);
        const vec3 want = {0.15 * sin(3.0 * t), 0.0, 1.0 + 0.1 * sin(2.0 * t)};
        vec3 sum = {0, 0, 0};
        assert_vector(s, row, "O", want, 1e-12);
        assert_vector(s, row, "x", (vec3){cos(nod), 0.0, -sin(nod)}, 1e-12);
        for (int leg = 1; leg <= 6; leg++) {
            const double a = 2.0 * M_PI * ((leg - 1) / 2) / 3.0 + (leg % 2 ? -0.14 : 0.14);
            char name[24];
            snprintf(name, sizeof name, "P%d", leg & 7);
            const vec3 along =
                subtract(vector_of(s, row, name), (vec3){1.2 * cos(a), 1.2 * sin(a), 0});
            snprintf(name, sizeof name, "force_B%dP%d", leg & 7, leg & 7);
            sum = add_scaled(sum, value_of(s, row, name) / norm(along), along);
        }
        assert_near(sum.x, m * -0.15 * 9.0 * sin(3.0 * t), 1e-7, 0.0);
        assert_near(sum.y, 0.0, 1e-7, 0.0);
        assert_near(sum.z, m * (g - 0.4 * sin(2.0 * t)), 1e-7, 0.0);
    }
    solution_free(s);
}

/* From the angle of the lower arm: the upper one meets a sphere, the tie rod's end three of them.
 */
static void test_double_wishbone(void **state) {
    (void)state;
    solution *s = solve("machines/double-wishbone");
    const vec3 A0 = {0.12, 0.35, -0.13}, B0 = {-0.18, 0.34, -0.12}, C0 = {0.01, 0.72, -0.15};
    const vec3 D0 = {0.09, 0.42, 0.13}, E0 = {-0.12, 0.43, 0.14}, F0 = {-0.01, 0.68, 0.14};
    const vec3 G0 = {-0.13, 0.36, -0.06}, H0 = {-0.12, 0.7, -0.08}, W0 = {0, 0.76, 0};
    for (long row = 0; row < rows_of(s); row += 10) {
        const double t = value_of(s, row, "t"), angle = value_of(s, row, "travel");
        const vec3 C = add_scaled(A0, 1, rotated(subtract(B0, A0), angle, subtract(C0, A0)));
        const vec3 F = on_circle_and_sphere(D0, subtract(E0, D0), F0, C, norm(subtract(F0, C0)));
        const vec3 H = near_three(H0, (const vec3[]){G0, C, F},
                                  (const double[]){norm(subtract(H0, G0)), norm(subtract(H0, C0)),
                                                   norm(subtract(H0, F0))});
        const vec3 W = carried(W0, (const vec3[]){C0, F0, H0}, (const vec3[]){C, F, H});
        assert_vector(s, row, "C", C, 1e-12);
        assert_vector(s, row, "F", F, 1e-11);
        assert_vector(s, row, "H", H, 1e-11);
        assert_vector(s, row, "W", W, 1e-11);
        assert_near(W.z, 0.03 * sin(2.0 * M_PI * 1.5 * t), 1e-11, 0.0);
    }
    assert_true(scale_of(s, "camber") > 0.3 && scale_of(s, "toe") > 0.05);
    solution_free(s);
}

/* Angles of the rings and of the rotor as coordinates. */
static const char gimbals[] = "PhysicalParams: {a: 0.12, w: 0.2}\n"
                              "Lagrangian:\n"
                              "  Coordinates: [psi, theta, chi]\n"
                              "  Define: {u: psi'*sin(theta), v: psi'*cos(theta)}\n"
                              "  L: >-\n"
                              "    0.5e-3*psi'^2 + 1/2*(1e-3*theta'^2 + 0.8e-3*u^2 + 0.6e-3*v^2)\n"
                              "    + 1/2*(6e-4*(theta'^2 + v^2) + 1e-3*(u + chi')^2)\n"
                              "    + w*a^2/2*(theta'^2 + v^2) - w*9.81*a*sin(theta)\n"
                              "ProblemData: {tend: 1, positions: {psi: 0, theta: 0.1, chi: 0}, "
                              "velocities: {psi: 0, theta: 0, chi: 200}}\n";

static void test_gyroscope(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-12);
    static const char *const angle[] = {"psi", "theta", "chi"};
    solution *s = solve("machines/gyroscope"), *own = solve_text(gimbals, &options);
    assert_int_equal(rows_of(s), rows_of(own));
    for (long row = 0; row < rows_of(s); row++)
        for (int k = 0; k < 3; k++)
            assert_near(value_of(s, row, angle[k]), value_of(own, row, angle[k]), 1e-9, 0.0);
    /* slow precession: weight times arm over the angular momentum of the rotor */
    assert_near(last_of(s, "psi"), 0.2 * 9.81 * 0.12 / (1e-3 * 200.0), 0.03, 0.0);
    solution_free(s);
    solution_free(own);
}

static void test_arm_with_six_joints(void **state) {
    (void)state;
    solution *s = solve("machines/arm-6r");
    for (long row = 0; row < rows_of(s); row++) {
        const double t = value_of(s, row, "t");
        const double q[] = {0.8 * sin(t), -0.9 + 0.4 * sin(2 * t), 0.9 - 0.5 * sin(1.5 * t),
                            1.2 * sin(t), 0.5 + 0.3 * cos(2 * t),  3 * t};
        const vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
        /* from the flange back to the base */
        vec3 T = rotated(y, q[4], (vec3){0.15, 0, 0}), tip = rotated(y, q[4], rotated(x, q[5], y));
        T = add_scaled((vec3){0.65, 0, 0}, 1, rotated(x, q[3], T));
        T = add_scaled((vec3){0.7, 0, 0}, 1, rotated(y, q[2], T));
        T = add_scaled((vec3){0.2, 0, 0.6}, 1, rotated(y, q[1], T));
        tip = rotated(z, q[0], rotated(y, q[1] + q[2], rotated(x, q[3], tip)));
        assert_vector(s, row, "T", rotated(z, q[0], T), 1e-12);
        assert_vector(s, row, "y6", tip, 1e-12);
        assert_near(value_of(s, row, "energy") - value_of(s, 0, "energy"), value_of(s, row, "work"),
                    1e-7, 0.0);
    }
    solution_free(s);
}

/* Newton and Euler in the axes of the rotor; a product of inertia of the wrong sign would show. */
static void test_rotor_shakes_its_bearings(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-12);
    options.reactions = 1;
    solution *s = solve_file("examples/machines/rotor.yaml", &options);
    const double m = 12.0, w = 100.0, L = 0.4, g = 9.81;
    const vec3 d = {0.18, 0.4e-3, -0.2e-3};
    const double Iyx = 0.0015 - m * d.x * d.y, Izx = -0.0008 - m * d.x * d.z; /* about A */
    for (long row = 0; row < rows_of(s); row++) {
        const double p = w * value_of(s, row, "t");
        const vec3 weight = {0, -m * g * sin(p), -m * g * cos(p)}; /* in the axes of the rotor */
        const vec3 moment = cross(d, weight), axis = {1, 0, 0};
        const vec3 right = {0, (w * w * Iyx - moment.z) / L, (w * w * Izx + moment.y) / L};
        const vec3 all = {0, -m * w * w * d.y - weight.y, -m * w * w * d.z - weight.z};
        const vec3 B = rotated(axis, p, right), A = rotated(axis, p, subtract(all, right));
        /* columns are what the first body feels: the ground */
        assert_near(value_of(s, row, "right.Fy"), -B.y, 1e-7, 0.0);
        assert_near(value_of(s, row, "right.Fz"), -B.z, 1e-7, 0.0);
        assert_near(value_of(s, row, "left.Fy"), -A.y, 1e-7, 0.0);
        assert_near(value_of(s, row, "left.Fz"), -A.z, 1e-7, 0.0);
        assert_near(value_of(s, row, "force_phi"), -moment.x, 1e-7, 0.0);
    }
    solution_free(s);
}

/* The modes of a chain whose last mass is half of the others. */
static void test_vibrating_rod(void **state) {
    (void)state;
    enum { n = 20 };
    solution *s = solve("machines/vibrating-rod");
    const double k = 210e9 * 1e-4 * n / 2.0, m = 7850.0 * 1e-4 * 2.0 / n, pull = 1e4;
    for (long row = 0; row < rows_of(s); row += 7) {
        const double t = value_of(s, row, "t");
        double end = 0.0;
        for (int mode = 1; mode <= n; mode++) {
            const double angle = (2 * mode - 1) * M_PI / (2.0 * n),
                         w = 2.0 * sqrt(k / m) * sin(angle / 2.0);
            double start = 0.0, mass = 0.0;
            for (int i = 1; i <= n; i++) {
                const double weight = i == n ? 0.5 : 1.0, shape = sin(i * angle);
                start += weight * shape * i * pull / k;
                mass += weight * shape * shape;
            }
            end += start / mass * sin(n * angle) * cos(w * t);
        }
        assert_near(value_of(s, row, "s20") - 2.0, end, 1e-12, 0.0); /* of 1 mm */
    }
    solution_free(s);
}

/* ---- all of them ---- */

static void test_formulations_agree(void **state) {
    (void)state;
    static const char *const formulation[] = {"reference", "relative", "minimal"};
    char name[MOST_EXAMPLES][64], path[160];
    const int count = list_mechanisms("examples/machines", name);
    assert_true(count >= 11);
    for (int i = 0; i < count; i++) {
        taut_run_options options = at_tolerance(1e-11);
        options.every = 0.05;
        options.has_tend = 1;
        options.tend = strcmp(name[i], "vibrating-rod") == 0 ? 1e-3 : 0.1;
        if (options.tend < 0.05) options.every = options.tend;
        snprintf(path, sizeof path, "examples/machines/%.63s.yaml", name[i]);
        solution *natural = solve_file(path, &options);
        for (int k = 0; k < 3; k++) {
            options.formulation = formulation[k];
            solution *other = solve_file(path, &options);
            const agreement worst = compare(natural, other);
            if (worst.digits < 7.0)
                print_error("%s, %s: %.1f digits of %s at %g\n", name[i], formulation[k],
                            worst.digits, worst.column, worst.t);
            assert_true(worst.digits >= 7.0);
            solution_free(other);
        }
        solution_free(natural);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jansen_leg),
        cmocka_unit_test(test_six_bar),
        cmocka_unit_test(test_excavator),
        cmocka_unit_test(test_scissor_lift),
        cmocka_unit_test(test_scissor_lift_in_space),
        cmocka_unit_test(test_stewart_platform),
        cmocka_unit_test(test_double_wishbone),
        cmocka_unit_test(test_gyroscope),
        cmocka_unit_test(test_arm_with_six_joints),
        cmocka_unit_test(test_rotor_shakes_its_bearings),
        cmocka_unit_test(test_vibrating_rod),
        cmocka_unit_test(test_formulations_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
