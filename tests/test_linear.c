/* Linearisations against closed forms, against differences of order 8 of the accelerations that
 * other starts have, and formulation against formulation.
 *
 * How they could be wrong unnoticed: without the geometric stiffness (the pendulum in natural
 * coordinates consists of it), with constraints left to drift (too many eigenvalues), with an input
 * that is 0 and therefore gone, with states that are not what their names say (differences by name
 * find it), with zeros that are rounding (the coasting wheel has a chain of four). */
#include "solve_text.h"

#include <complex.h>
#include <float.h>
#include <math.h>

#include "program.h"

/* The imaginary unit, as a double. */
#define J ((double complex)I)

static taut_linear *linearize(taut_model *model, const char *formulation, const char *states) {
    taut_linear *l = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    taut_linear_options o = taut_linear_options_default();
    run.formulation = formulation;
    o.states = states;
    const taut_status status = taut_linearize(model, &run, &o, &l, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    return l;
}

/* Eigenvalues as expected, each once, in any order. */
static void check_eigenvalues(const taut_linear_point *p, const double complex *expected, int n,
                              double rel) {
    bool used[32] = {false};
    assert_int_equal(p->states, n);
    for (int k = 0; k < n; k++) {
        int best = -1;
        double least = HUGE_VAL;
        for (int i = 0; i < n; i++) {
            const double d = hypot(p->eigenvalue[i][0] - creal(expected[k]),
                                   p->eigenvalue[i][1] - cimag(expected[k]));
            if (!used[i] && d < least) {
                least = d;
                best = i;
            }
        }
        if (!(least <= rel * fmax(cabs(expected[k]), 1e-3))) {
            print_error("no eigenvalue near %.17g %+.17g i (off by %.3g)\n", creal(expected[k]),
                        cimag(expected[k]), least);
            fail();
        }
        used[best] = true;
    }
    for (int k = 1; k < n; k++) /* ascending */
        assert_true(p->eigenvalue[k - 1][0] < p->eigenvalue[k][0] ||
                    (p->eigenvalue[k - 1][0] == p->eigenvalue[k][0] &&
                     p->eigenvalue[k - 1][1] <= p->eigenvalue[k][1]));
}

/* A x = lambda x, x of length 1. */
static void check_modes(const taut_linear_point *p) {
    const int n = p->states;
    double scale = 0.0;
    for (int i = 0; i < n * n; i++) scale = fmax(scale, fabs(p->A[i]));
    for (int k = 0; k < n; k++) {
        const double complex lambda = p->eigenvalue[k][0] + J * p->eigenvalue[k][1];
        double length = 0.0;
        for (int i = 0; i < n; i++) {
            double complex sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += p->A[i * n + j] * (p->mode[k * n + j][0] + J * p->mode[k * n + j][1]);
            const double complex x = p->mode[k * n + i][0] + J * p->mode[k * n + i][1];
            assert_true(cabs(sum - lambda * x) <= 1e-7 * (scale + cabs(lambda)));
            length += creal(x * conj(x));
        }
        assert_near(length, 1.0, 1e-12, 0.0);
    }
}

static const char *const FORMULATION[] = {"natural", "reference", "relative", "minimal"};
enum { FORMULATIONS = 4 };

/* ---- closed forms ---- */

#define PENDULUM(x, y)                                                                             \
    "PhysicalParams: {L: 0.7}\nDimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"                    \
    "  Rigids: {OA: {Geom: [[L]]}}\n  Particles: {A: 1}\nAppliedForces: {Gravity: 9.81}\n"         \
    "ProblemData: {tend: 1, positions: {A: [" x ", " y "]}}\n"

static void test_pendulum(void **state) {
    (void)state;
    const double omega = sqrt(9.81 / 0.7);
    taut_model *down = read_text(PENDULUM("0", "-L")), *up = read_text(PENDULUM("0", "L"));
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_linear *l = linearize(down, FORMULATION[f], NULL);
        const taut_linear_point *p = taut_linear_at(l, 0);
        check_eigenvalues(p, (double complex[]){-J * omega, J * omega}, 2, 1e-13);
        check_modes(p);
        assert_true(p->steady);
        assert_int_equal(p->zero_modes, 0);
        assert_string_equal(p->state[0], "Ax");
        assert_string_equal(p->state[1], "Ax'");
        assert_true(p->eigenvalue[0][0] == 0.0);
        taut_linear_free(&l);
        l = linearize(up, FORMULATION[f], NULL);
        check_eigenvalues(taut_linear_at(l, 0), (double complex[]){-omega, omega}, 2, 1e-13);
        taut_linear_free(&l);
    }
    taut_model_free(&down);
    taut_model_free(&up);
}

static void test_two_hanging_rods(void **state) {
    (void)state;
    /* uniform rods of length l: omega^2 = 3 g/l (1 +- 2/sqrt(7)) */
    const double l = 0.8, g = 9.81;
    const double a = sqrt(3 * g / l * (1 - 2 / sqrt(7))), b = sqrt(3 * g / l * (1 + 2 / sqrt(7)));
    taut_model *m =
        read_text("PhysicalParams: {l: 0.8, m: 2}\nDimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
                  "  Rigids:\n    OA: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
                  "    AB: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
                  "AppliedForces: {Gravity: 9.81}\nAngles: {alpha: OA, beta: AB}\n"
                  "ProblemData: {tend: 1, positions: {A: [0, -l], B: [0, -2*l]}}\n");
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_linear *x = linearize(m, FORMULATION[f], NULL);
        const taut_linear_point *p = taut_linear_at(x, 0);
        check_eigenvalues(p, (double complex[]){-J * b, -J * a, J * a, J * b}, 4, 1e-12);
        assert_string_equal(p->state[0], "alpha");
        assert_string_equal(p->state[1], "beta");
        assert_string_equal(p->state[2], "alpha'");
        assert_true(p->steady);
        taut_linear_free(&x);
    }
    taut_model_free(&m);
}

/* A mass between spring, damper and an input that is 0; a parameter is a formula of it. */
static void test_an_input_that_is_zero(void **state) {
    (void)state;
    const double m = 2, k = 50, c = 1.5;
    taut_model *model = read_text(
        "Inputs: {u: 0}\nPhysicalParams: {m: 2, k: 50, c: 1.5, F: 3*u}\nDAE:\n  Variables: [x]\n"
        "  Equations: [m*x'' + c*x' + k*x - F]\n"
        "Outputs: {acceleration: x'', both: x + 2*u}\n"
        "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}\n");
    taut_linear *l = linearize(model, NULL, NULL);
    const taut_linear_point *p = taut_linear_at(l, 0);
    assert_int_equal(p->inputs, 1);
    assert_int_equal(p->outputs, 2);
    const double complex root = csqrt(c * c / (4 * m * m) - k / m);
    check_eigenvalues(p, (double complex[]){-c / (2 * m) - root, -c / (2 * m) + root}, 2, 1e-13);
    check_modes(p);
    assert_near(p->B[0], 0.0, 0.0, 0.0);
    assert_near(p->B[1], 3 / m, 0.0, 1e-15);
    assert_near(p->C[0], -k / m, 0.0, 1e-15);
    assert_near(p->C[1], -c / m, 0.0, 1e-15);
    assert_near(p->D[0], 3 / m, 0.0, 1e-15);
    assert_near(p->C[2], 1.0, 0.0, 0.0);
    assert_near(p->D[1], 2.0, 0.0, 0.0);
    assert_true(p->steady);
    taut_linear_free(&l);
    taut_model_free(&model);
}

/* Quarter car: two masses, two springs, a damper; the road is an input of a moving support. */
static void test_quarter_car(void **state) {
    (void)state;
    const double M = 300, m = 40, k = 2e4, c = 1500, K = 2e5;
    taut_model *model =
        read_text("Inputs: {road: 0}\nPhysicalParams: {M: 300, m: 40, k: 2e4, c: 1500, K: 2e5}\n"
                  "Lagrangian:\n  Coordinates: [z, w]\n"
                  "  L: M*z'^2/2 + m*w'^2/2 - k*(z - w)^2/2 - K*(w - road)^2/2\n"
                  "  Dissipation: c*(z' - w')^2/2\n"
                  "Outputs: {load: K*(road - w)}\n"
                  "ProblemData: {tend: 1, positions: {z: 0, w: 0}, velocities: {z: 0, w: 0}}\n");
    taut_linear *l = linearize(model, NULL, NULL);
    const taut_linear_point *p = taut_linear_at(l, 0);
    const double A[4][4] = {{0, 0, 1, 0},
                            {0, 0, 0, 1},
                            {-k / M, k / M, -c / M, c / M},
                            {k / m, -(k + K) / m, c / m, -c / m}};
    assert_int_equal(p->states, 4);
    for (int i = 0; i < 16; i++) assert_near(p->A[i], A[i / 4][i % 4], 1e-12, 1e-14);
    const double B[4] = {0, 0, 0, K / m}, C[4] = {0, -K, 0, 0};
    for (int i = 0; i < 4; i++) assert_near(p->B[i], B[i], 1e-12, 1e-14);
    for (int i = 0; i < 4; i++) assert_near(p->C[i], C[i], 1e-12, 1e-14);
    assert_near(p->D[0], K, 0.0, 1e-15);
    check_modes(p);
    taut_linear_free(&l);
    taut_model_free(&model);
}

/* A disk that rolls upright and straight: lambda^2 = (A m g R - B (B + m R^2) spin^2) / (A (A + m
 * R^2)) for lean and heading; all else coasts. */
static void test_rolling_disk(void **state) {
    (void)state;
    const double m = 0.2, R = 0.1, g = 9.81, A = m * R * R / 4, B = m * R * R / 2, spin = 12;
    static const char disk[] =
        "Dimension: 3\nPhysicalParams: {m: 0.2, R: 0.1, A: m*R^2/4, B: m*R^2/2, spin: 12}\n"
        "PartData:\n  Rigids:\n"
        "    Cuw: {Geom: [[1, 0, 0], [0, 0, 1]], Dyna: [[0, 0, 0], m, [A, B, A]]}\n"
        "AppliedForces: {Gravity: 9.81}\n"
        "Define:\n  n: \"cross(w, u)\"\n  up: ([0, 0, 1] - n.z*n)/sqrt(1 - n.z^2)\n"
        "  slip: \"C' - R*(dot(up, u)*u' + dot(up, w)*w')\"\n"
        "Constraints: {touch: Cz - R*sqrt(1 - n.z^2)}\n"
        "VelocityConstraints: {slip_x: slip.x, slip_y: slip.y}\n"
        "Outputs: {lean: n.z, heading: \"atan2(n.x, n.y)\", turn: \"atan2(u.z, w.z)\"}\n"
        "ProblemData:\n  tend: 5\n  positions: {C: [0, 0, R], u: [1, 0, 0], w: [0, 0, 1]}\n"
        "  velocities: {C: [R*spin, 0, 0], u: [0, 0, -spin], w: [spin, 0, 0]}\n";
    const double complex lambda =
        csqrt((A * m * g * R - B * (B + m * R * R) * spin * spin) / (A * (A + m * R * R)));
    taut_model *model = read_text(disk);
    for (int f = 0; f < 3; f++) {
        taut_linear *l =
            linearize(model, FORMULATION[f], "lean,heading,turn,Cx,Cy,lean',heading',turn'");
        const taut_linear_point *p = taut_linear_at(l, 0);
        check_eigenvalues(p, (double complex[]){-lambda, lambda, 0, 0, 0, 0, 0, 0}, 8, 1e-12);
        assert_int_equal(p->zero_modes, 6);
        assert_true(p->steady);
        taut_linear_free(&l);
    }
    taut_model_free(&model);
}

/* A sleeping top: a lambda^2 +- i c n lambda - m g h = 0 for the axis as a complex number. */
static void test_sleeping_top(void **state) {
    (void)state;
    const double m = 1.5, h = 0.2, a = 0.08, c = 0.01, n = 60, g = 9.81;
    taut_model *model = read_text(
        "Dimension: 3\nPhysicalParams: {m: 1.5, h: 0.2, a: 0.08, c: 0.01, n: 60}\n"
        "PartData:\n  Fixed: {O: [0, 0, 0]}\n  Rigids:\n"
        "    Oue: {Geom: [[1, 0, 0], [0, 0, 1]], Dyna: [[0, 0, h], m, [a - m*h^2, a - m*h^2, c]]}\n"
        "AppliedForces: {Gravity: 9.81}\nOutputs: {turn: \"atan2(u.y, u.x)\"}\n"
        "ProblemData: {tend: 1, positions: {u: [1, 0, 0], e: [0, 0, 1]}, velocities: {u: [0, n, "
        "0], "
        "e: [0, 0, 0]}}\n");
    const double complex root = csqrt(-c * c * n * n + 4 * a * m * g * h);
    const double complex x = (J * c * n + root) / (2 * a), y = (J * c * n - root) / (2 * a);
    for (int f = 0; f < 3; f++) {
        taut_linear *l = linearize(model, FORMULATION[f], "ex,ey,turn,ex',ey',turn'");
        const taut_linear_point *p = taut_linear_at(l, 0);
        check_eigenvalues(p, (double complex[]){x, y, conj(x), conj(y), 0, 0}, 6, 1e-12);
        assert_int_equal(p->zero_modes, 2);
        assert_true(p->steady);
        taut_linear_free(&l);
    }
    taut_model_free(&model);
}

/* The benchmark bicycle at speed v: castering, capsize and weave, found with 50 digits elsewhere
 * from the published parameters; six zeros for where it is, how its wheels are turned, and its
 * speed. */
typedef struct ride {
    const char *v;
    double complex eigenvalue[4];
} ride;

static taut_linear *ride_at(const char *speed, const char *formulation) {
    taut_model *model = NULL;
    taut_errors errors = {0};
    const taut_override v = {"v", speed};
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/bicycle.yaml", &v, 1, &model, &errors), TAUT_OK);
    taut_linear *l =
        linearize(model, formulation, "lean,steer,heading,rear,front,Rx,Ry,lean',steer',rear'");
    taut_model_free(&model);
    return l;
}

static void check_ride(const ride *r, const char *formulation) {
    double complex all[10] = {0};
    taut_linear *l = ride_at(r->v, formulation);
    const taut_linear_point *p = taut_linear_at(l, 0);
    for (int k = 0; k < 4; k++) all[k] = r->eigenvalue[k];
    assert_int_equal(p->zero_modes, 6);
    assert_true(p->steady);
    check_eigenvalues(p, all, 10, 1e-11);
    taut_linear_free(&l);
}

static void test_bicycle(void **state) {
    (void)state;
    static const ride RIDE[] = {
        {"0", {-5.5309437176539, -3.1316432479066, 3.1316432479066, 5.5309437176539}},
        {"1",
         {-7.1100801463744, -3.1342312506658, 3.5269617099007 + 0.8077402751993 * J,
          3.5269617099007 - 0.8077402751993 * J}},
        {"2",
         {-8.6738798483174, -3.0715864564151, 2.6823451751275 + 1.6806629659068 * J,
          2.6823451751275 - 1.6806629659068 * J}},
        {"3",
         {-10.3510146724592, -2.6336613725367, 1.7067560566397 + 2.3158244738432 * J,
          1.7067560566397 - 2.3158244738432 * J}},
        {"4",
         {-12.1586142657644, -1.4294442736133, 0.4132533152112 + 3.0791081860321 * J,
          0.4132533152112 - 3.0791081860321 * J}},
        {"5",
         {-14.0783896927982, -0.3228664290041, -0.7753418821958 + 4.4648677137882 * J,
          -0.7753418821958 - 4.4648677137882 * J}},
        {"6",
         {-16.0853712309803, -0.0040669007697, -1.5264448658414 + 5.8767306059871 * J,
          -1.5264448658414 - 5.8767306059871 * J}},
        {"8",
         {-20.2794089439457, 0.1432787976571, -2.6934868358109 + 8.4603797139693 * J,
          -2.6934868358109 - 8.4603797139693 * J}},
        {"10",
         {-24.624596350174, 0.1610533865317, -3.7201684043729 + 10.9068113947629 * J,
          -3.7201684043729 - 10.9068113947629 * J}}};
    for (size_t i = 0; i < sizeof RIDE / sizeof RIDE[0]; i++)
        for (int f = 0; f < 3; f++) check_ride(&RIDE[i], FORMULATION[f]);
}

/* Without a list the turning of the wheels are states: nothing else keeps A constant. */
static void test_bicycle_chooses_what_does_not_turn(void **state) {
    (void)state;
    const double complex weave = -0.7753418821958 + 4.4648677137882 * J;
    taut_model *model = NULL;
    taut_errors errors = {0};
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/bicycle.yaml", NULL, 0, &model, &errors),
        TAUT_OK);
    for (int f = 0; f < 3; f++) {
        taut_linear *l = linearize(model, FORMULATION[f], NULL);
        const taut_linear_point *p = taut_linear_at(l, 0);
        int turns = 0;
        for (int i = 0; i < p->states; i++) turns += strstr(p->state[i], ".turn") != NULL;
        assert_int_equal(turns, 2);
        assert_true(p->steady);
        assert_int_equal(p->zero_modes, 6);
        check_eigenvalues(p,
                          (double complex[]){-14.0783896927982, -0.3228664290041, weave,
                                             conj(weave), 0, 0, 0, 0, 0, 0},
                          10, 1e-11);
        taut_linear_free(&l);
    }
    taut_model_free(&model);
}

/* Beside the chain of zeros of a bicycle that may stand anywhere; the real part that decides: of
 * the pair (weave), or of the real eigenvalue nearest to 0. */
static double real_part(double speed, bool weave, const char *formulation) {
    char text[40];
    snprintf(text, sizeof text, "%.17g", speed);
    taut_linear *l = ride_at(text, formulation);
    const taut_linear_point *p = taut_linear_at(l, 0);
    double found = !weave && p->zero_modes == 7 ? 0.0 : HUGE_VAL; /* at the speed itself */
    for (int k = 0; k < p->states; k++) {
        const double re = p->eigenvalue[k][0], im = p->eigenvalue[k][1];
        if (weave ? im > 0.0 : im == 0.0 && re != 0.0 && fabs(re) < fabs(found)) found = re;
    }
    taut_linear_free(&l);
    return found;
}

/* By secants. */
static double speed_where_zero(double a, double b, bool weave, const char *formulation) {
    double at_a = real_part(a, weave, formulation);
    for (int i = 0; i < 12 && fabs(b - a) > 1e-13; i++) {
        const double at_b = real_part(b, weave, formulation);
        const double next = at_b == at_a ? b : b - at_b * (b - a) / (at_b - at_a);
        a = b;
        at_a = at_b;
        b = next;
    }
    return b;
}

static void test_weave_and_capsize_speeds(void **state) {
    (void)state;
    for (int f = 0; f < 3; f++) {
        assert_near(speed_where_zero(4.2, 4.4, true, FORMULATION[f]), 4.292382536341104, 0.0,
                    1e-11);
        assert_near(speed_where_zero(5.9, 6.1, false, FORMULATION[f]), 6.024262015388359, 0.0,
                    1e-11);
    }
}

/* A ball on an arm of a free spindle at cos a = g / (w^2 L): w^2 sin^2 a, and what the spindle's
 * speed does while the momentum stays. With a driven spindle the first term is left. */
#define GOVERNOR(drive)                                                                            \
    "Dimension: 3\nPhysicalParams: {L: 0.3, w: 8, m: 1.4, a0: acos(9.81/(w^2*L))}\nPartData:\n"    \
    "  Fixed: {O: [0, 0, 0], k: [0, 0, 1], i: [1, 0, 0]}\n  Rigids:\n"                             \
    "    spindle: {Elements: [S, n, u], Geom: [[0, 0, 1], [1, 0, 0]],\n"                           \
    "              Dyna: [[0, 0, 0], 1, [0.1, 0.1, 0.1]]}\n"                                       \
    "    arm: {Elements: [P, v, d, B], Geom: [[1, 0, 0], [0, 0, 1], [0, 0, -L]]}\n"                \
    "  Particles: {B: m}\n  Joints:\n"                                                             \
    "    axle: {Type: revolute, Points: [O, S], Axes: [k, n], Normals: [i, u], Angle: psi}\n"      \
    "    pin: {Type: revolute, Points: [S, P], Axes: [u, v], Normals: [n, d], Angle: a}\n"         \
    "AppliedForces: {Gravity: 9.81}\n" drive                                                       \
    "ProblemData: {tend: 1, fixedpositions: {psi: 0, a: a0},\n"                                    \
    "              fixedvelocities: {psi: w, a: 0}}\n"

static void test_governor(void **state) {
    (void)state;
    const double w = 8, L = 0.3, m = 1.4, c = 9.81 / (w * w * L), s2 = 1 - c * c;
    const double momentum = 0.1 + m * L * L * s2; /* of inertia about the spindle */
    const double driven = w * sqrt(s2), free = w * sqrt(s2 + 4 * m * L * L * s2 * c * c / momentum);
    taut_model *loose = read_text(GOVERNOR("")),
               *held = read_text(GOVERNOR("Drivers: {psi: w*t}\n"));
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_linear *l = linearize(loose, FORMULATION[f], NULL);
        const taut_linear_point *p = taut_linear_at(l, 0);
        check_eigenvalues(p, (double complex[]){-J * free, J * free, 0, 0}, 4, 1e-12);
        assert_int_equal(p->zero_modes, 2);
        assert_true(p->steady);
        taut_linear_free(&l);
        l = linearize(held, FORMULATION[f], NULL);
        check_eigenvalues(taut_linear_at(l, 0), (double complex[]){-J * driven, J * driven}, 2,
                          1e-12);
        taut_linear_free(&l);
    }
    taut_model_free(&loose);
    taut_model_free(&held);
}

/* Two parallel links with a coupler, hanging: omega^2 = (m + M) g / (l (2/3 m + M)). */
static void test_hanging_parallelogram(void **state) {
    (void)state;
    const double m = 1.3, M = 2.5, l = 0.6, omega = sqrt((m + M) * 9.81 / (l * (2 * m / 3 + M)));
    taut_model *model =
        read_text("PhysicalParams: {l: 0.6, m: 1.3, M: 2.5, b: 0.9}\nDimension: 2\nPartData:\n"
                  "  Fixed: {O: [0, 0], Q: [b, 0]}\n  Rigids:\n"
                  "    OA: {Geom: [[l]], Dyna: [[l/2], m, m*l^2/12]}\n"
                  "    QB: {Geom: [[l]], Dyna: [[l/2], m, m*l^2/12]}\n"
                  "    AB: {Geom: [[b]], Dyna: [[b/2], M, M*b^2/12]}\n"
                  "AppliedForces: {Gravity: 9.81}\n"
                  "ProblemData: {tend: 1, positions: {A: [0, -l], B: [b, -l]}}\n");
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_linear *x = linearize(model, FORMULATION[f], NULL);
        check_eigenvalues(taut_linear_at(x, 0), (double complex[]){-J * omega, J * omega}, 2,
                          1e-12);
        assert_true(taut_linear_at(x, 0)->steady);
        taut_linear_free(&x);
    }
    taut_model_free(&model);
}

/* ---- differences ---- */

static const double WEIGHT[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

/* Rates of the states of a start at which state k is changed by dx, or the input by du. */
static void rates_of(taut_simulation *s, const taut_linear_point *p, int k, double dx,
                     double *rate) {
    taut_errors errors = {0};
    for (int i = 0; i < p->states; i++)
        assert_int_equal(
            taut_simulation_fix_initial(s, p->state[i], p->x0[i] + (i == k ? dx : 0.0), &errors),
            TAUT_OK);
    const taut_status status = taut_simulation_start(s, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    for (int i = 0; i < p->states; i++) {
        char name[100];
        snprintf(name, sizeof name, "%s'", p->state[i]);
        rate[i] = taut_simulation_now(s, name);
    }
}

static void check_differences(const char *name, const char *states) {
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    taut_linear *l = linearize(model, NULL, states);
    const taut_linear_point *p = taut_linear_at(l, 0);
    const int n = p->states;
    taut_simulation *s;
    taut_run_options run = at_tolerance(1e-12);
    double up[16], down[16], column[16];
    run.derivatives = 2;
    assert_int_equal(taut_simulation_create(model, &run, &s, &errors), TAUT_OK);
    for (int k = 0; k < n; k++) {
        const double h = 1e-3 * fmax(0.1, fabs(p->x0[k]));
        double largest = 0.0;
        memset(column, 0, sizeof column);
        for (int m = 1; m <= 4; m++) {
            rates_of(s, p, k, m * h, up);
            rates_of(s, p, k, -m * h, down);
            for (int i = 0; i < n; i++) column[i] += WEIGHT[m - 1] * (up[i] - down[i]) / h;
        }
        for (int i = 0; i < n; i++) largest = fmax(largest, fmax(1.0, fabs(p->A[i * n + k])));
        for (int i = 0; i < n; i++) {
            if (fabs(column[i] - p->A[i * n + k]) > 1e-7 * largest)
                print_error("%s: d(%s')/d(%s)\n", name, p->state[i], p->state[k]);
            assert_near(p->A[i * n + k], column[i], 1e-7 * largest, 0.0);
        }
    }
    taut_simulation_free(&s);
    taut_linear_free(&l);
    taut_model_free(&model);
}

static void test_differences(void **state) {
    (void)state;
    check_differences("pendulum-paper", NULL);
    check_differences("pendulum-hamiltonian", "v,v'");
    check_differences("lorenz", NULL);
    check_differences("chaplygin-sleigh", NULL);
    check_differences("rolling-disk", "x,y,psi,theta,phi,psi',theta',phi'");
    check_differences("dc-motor", NULL);
    check_differences("andrews", NULL);
    check_differences("rscr", NULL);
    check_differences("spatial-slider-crank", NULL);
}

/* The screw holds its phase: the tool moves with phi although no equation contains where it began.
 */
static void test_screw(void **state) {
    (void)state;
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    const double lead = 0.12 / (2 * M_PI), stiffness = 6e7 * lead * lead;
    snprintf(path, sizeof path, "%s/examples/screw-press.yaml", TAUT_SOURCE_DIR);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    taut_linear *l = linearize(model, NULL, NULL);
    const taut_linear_point *p = taut_linear_at(l, 0);
    assert_int_equal(p->states, 2);
    assert_near(p->A[2], -stiffness / (40 + (300 + 250) * lead * lead), 0.0, 1e-12);
    taut_linear_free(&l);
    taut_model_free(&model);
}

/* ---- formulations ---- */

static void check_formulations(const char *name) {
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    taut_linear *first = linearize(model, "natural", NULL);
    const taut_linear_point *p = taut_linear_at(first, 0);
    char states[1000] = "";
    double largest = 1.0;
    for (int i = 0; i < p->states; i++) {
        strcat(states, i ? "," : "");
        strcat(states, p->state[i]);
    }
    for (int i = 0; i < p->states * p->states; i++) largest = fmax(largest, fabs(p->A[i]));
    for (int f = 1; f < FORMULATIONS; f++) {
        taut_linear *other = linearize(model, FORMULATION[f], states);
        const taut_linear_point *q = taut_linear_at(other, 0);
        assert_int_equal(q->states, p->states);
        assert_int_equal(q->zero_modes, p->zero_modes);
        for (int i = 0; i < p->states * p->states; i++)
            assert_near(q->A[i], p->A[i], 1e-10 * largest, 1e-10);
        for (int i = 0; i < p->outputs * p->states; i++)
            assert_near(q->C[i], p->C[i], 1e-10 * largest, 1e-10);
        taut_linear_free(&other);
    }
    taut_linear_free(&first);
    taut_model_free(&model);
}

static void test_formulations(void **state) {
    (void)state;
    static const char *const EXAMPLE[] = {
        "andrews",     "slider-crank", "dc-motor",   "rscr",        "cardan-shaft",
        "screw-press", "five-link",    "mcpherson",  "heavy-top",   "rolling-disk-mechanism",
        "wheel",       "epicyclic",    "mechanism0", "copy-machine"};
    for (size_t i = 0; i < sizeof EXAMPLE / sizeof EXAMPLE[0]; i++) check_formulations(EXAMPLE[i]);
}

/* ---- kinks ---- */

/* x'' = -d(x') on a knot with slopes 1 and 3, or with a kink; a spline and x |x| have none. */
static void check_side(const char *force, const char *side, double slope) {
    char text[400];
    snprintf(text, sizeof text,
             "Tables:\n"
             "  corner: {Points: [[-1, -1], [0, 0], [1, 3]], Outside: extend}\n"
             "  smooth: {Points: [[-2, 1], [-1, 2], [0, 4], [1, 1], [2, 3]], Between: spline}\n"
             "Lagrangian: {Coordinates: [x], L: x'^2/2 - x^2/2, Forces: {x: \"%s\"}}\n"
             "ProblemData: {tend: 1, positions: {x: 0}}\n",
             force);
    taut_model *m = read_text(text);
    taut_linear *l = linearize(m, NULL, NULL);
    const taut_linear_point *p = taut_linear_at(l, 0);
    char *words = NULL;
    assert_string_equal(p->side, side);
    if (!isnan(slope)) assert_near(p->A[3], slope, 1e-13, 0.0);
    assert_int_equal(taut_linear_text(l, true, &words), TAUT_OK);
    assert_int_equal(strstr(words, "\"side\"") != NULL, side[0] != '\0');
    taut_text_free(&words);
    taut_linear_free(&l);
    taut_model_free(&m);
}

static void test_one_side_is_said(void **state) {
    (void)state;
    check_side("-corner(x')", "corner for x' from 0 to 1", -3.0);
    check_side("-2*max(x', 0)", "x' < 0", 0.0);
    check_side("-smooth(x')", "", (double)NAN);
    check_side("-x'*abs(x')", "", 0.0);
    check_side("-corner(x' + 0.5)", "", -3.0);
}

/* ---- other forms ---- */

enum { LARGE = 80 };

/* Elimination with pivots; b becomes the solution. */
static void solve_complex(int n, double complex (*a)[LARGE], double complex *b) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (cabs(a[i][k]) > cabs(a[best][k])) best = i;
        assert_true(cabs(a[best][k]) > 0.0);
        for (int j = 0; j < n; j++) {
            const double complex x = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = x;
        }
        const double complex y = b[k];
        b[k] = b[best];
        b[best] = y;
        for (int i = k + 1; i < n; i++) {
            const double complex f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/* C (s E - A)^-1 B + D from input u to output o. */
static double complex transfer(const taut_linear_form *f, int inputs, int u, int o,
                               double complex s) {
    static double complex a[LARGE][LARGE], x[LARGE];
    const int n = f->states;
    assert_true(n <= LARGE);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = s * (f->E ? f->E[i * n + j] : i == j ? 1.0 : 0.0) - f->A[i * n + j];
        x[i] = f->B[i * inputs + u];
    }
    solve_complex(n, a, x);
    double complex sum = f->D[o * inputs + u];
    for (int j = 0; j < n; j++) sum += f->C[o * n + j] * x[j];
    return sum;
}

/* The three forms have the same transfer functions: what is redundant is never excited. That holds
 * where nothing changes: the equations themselves are frozen. */
static void check_forms(const char *text, const char *formulation, const char *outputs, bool rest) {
    taut_model *m = read_text(text);
    taut_linear *l = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    taut_linear_options o = taut_linear_options_default();
    run.formulation = formulation;
    o.outputs = outputs;
    o.redundant = o.descriptor = true;
    taut_state *from = NULL;
    if (rest) assert_int_equal(taut_equilibrium(m, &run, &from, &errors), TAUT_OK);
    run.from = from;
    const taut_status status = taut_linearize(m, &run, &o, &l, &errors);
    taut_state_free(&from);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    const taut_linear_point *p = taut_linear_at(l, 0);
    const taut_linear_form own = {p->states, p->state, NULL, p->A, p->B, p->C, p->D};
    assert_true(p->redundant->states > p->states && p->descriptor->states > p->redundant->states);
    assert_null(p->redundant->E);
    for (int u = 0; u < p->inputs; u++)
        for (int k = 0; k < p->outputs; k++)
            for (int i = 0; i < 3; i++) {
                const double complex s = (double complex[]){0.7, 2.0 * J, -1.5 + 4.0 * J}[i];
                const double complex g = transfer(&own, p->inputs, u, k, s);
                const double complex r = transfer(p->redundant, p->inputs, u, k, s),
                                     d = transfer(p->descriptor, p->inputs, u, k, s);
                if (!(cabs(r - g) <= 1e-11 * (cabs(g) + 1e-3)) ||
                    !(cabs(d - g) <= 1e-10 * (cabs(g) + 1e-3)))
                    print_error("%s: %g%+gi %g%+gi %g%+gi\n", p->output[k], creal(g), cimag(g),
                                creal(r), cimag(r), creal(d), cimag(d));
                assert_true(cabs(r - g) <= 1e-11 * (cabs(g) + 1e-3));
                assert_true(cabs(d - g) <= 1e-10 * (cabs(g) + 1e-3));
            }
    taut_linear_free(&l);
    taut_model_free(&m);
}

static void test_redundant_and_descriptor(void **state) {
    (void)state;
    static const char crank[] =
        "Dimension: 2\nInputs: {u: 0.3, f: 2}\nPhysicalParams: {l1: 0.3, l2: 0.7}\nPartData:\n"
        "  Fixed: {O: [0, 0], i: [1, 0]}\n  Rigids:\n"
        "    OA: {Geom: [[l1]], Dyna: [[l1/2], 1.2, 0.01]}\n"
        "    AB: {Geom: [[l2]], Dyna: [[l2/2], 2, 0.08]}\n"
        "  Collinears: {OiB: s}\n  Particles: {B: 1.5}\n"
        "AppliedForces: {Gravity: 9.81, Torques: {OA: u}, Forces: {B: [f, 0], A: [0, -3*Ay']}}\n"
        "ProblemData: {tend: 1, positions: {A: [0.2, 0.22], B: [0.9, 0]},\n"
        "              velocities: {A: [0, 0]}}\n";
    static const char sleigh[] =
        "Inputs: {f: 0, g: 0}\nLagrangian:\n  Coordinates: [x, y, th]\n"
        "  L: (x'^2 + y'^2)/2 + 0.4*th'^2/2\n"
        "  VelocityConstraints: [\"y'*cos(th) - x'*sin(th) - 0.3*th'\"]\n"
        "  Forces: {x: f, y: g, th: -0.2*th'}\n"
        "ProblemData: {tend: 1, positions: {x: 0, y: 0, th: 0.3},\n"
        "              velocities: {x: 2*cos(0.3), y: 2*sin(0.3), th: 0}}\n";
    for (int f = 0; f < 3; f++) check_forms(crank, FORMULATION[f], "Ax,Ay',s',Bx", true);
    check_forms(sleigh, NULL, "x,y',th", false);
}

/* Eigenvalues against time: each column is one course, also where real parts change places. */
static void test_course(void **state) {
    (void)state;
    /* x'' = -x (2 + cos(t)), z' = -(3 sin t) z: the real one passes through the pair's real part */
    taut_model *m =
        read_text("DAE:\n  Variables: [x, z]\n"
                  "  Equations: [\"x'' + x*(2 + cos(t))\", \"z' + 3*sin(t)*z\"]\n"
                  "ProblemData: {tend: 6, positions: {x: 0, z: 0}, velocities: {x: 0}}\n");
    taut_linear *l = NULL;
    taut_result *r = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    run.every = 0.05;
    assert_int_equal(taut_linearize(m, &run, NULL, &l, &errors), TAUT_OK);
    assert_int_equal(taut_linear_points(l), 121);
    assert_int_equal(taut_linear_course(l, &r, &errors), TAUT_OK);
    assert_int_equal(taut_result_columns(r), 7);
    int real = -1;
    for (int c = 0; c < 3; c++)
        if (taut_result_value(r, 0, 2 + 2 * c) == 0.0) real = c;
    assert_true(real >= 0);
    for (long i = 0; i < taut_result_rows(r); i++) {
        const double t = taut_result_value(r, i, 0);
        assert_near(t, 0.05 * (double)i, 1e-12, 0.0);
        assert_near(taut_result_value(r, i, 1 + 2 * real), -3 * sin(t), 1e-12, 0.0);
        for (int c = 0; c < 3; c++) {
            if (c == real) continue;
            const double sign = taut_result_value(r, 0, 2 + 2 * c) > 0.0 ? 1.0 : -1.0;
            assert_near(taut_result_value(r, i, 2 + 2 * c), sign * sqrt(2 + cos(t)), 1e-12, 0.0);
        }
    }
    taut_result_free(&r);
    taut_linear_free(&l);
    taut_model_free(&m);
}

/* ---- bodies and joints in modes ---- */

static int find_name(const char *const *name, int count, const char *wanted) {
    for (int i = 0; i < count; i++)
        if (strcmp(name[i], wanted) == 0) return i;
    fail();
    return -1;
}

/* Two uniform rods with angles 1 and r = 3 (2/3 - 1/k) in a mode, k = w^2 l/(3 g): energies of each
 * from its centre and its own turning, the joint between them turns by r - 1. */
static void test_energy_by_body(void **state) {
    (void)state;
    taut_model *m =
        read_text("PhysicalParams: {l: 0.8, m: 2}\nDimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
                  "  Rigids:\n    OA: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
                  "    AB: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
                  "AppliedForces: {Gravity: 9.81}\n"
                  "ProblemData: {tend: 1, positions: {A: [0, -l], B: [0, -2*l]}}\n");
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_linear *l = NULL;
        taut_errors errors = {0};
        taut_run_options run = at_tolerance(1e-12);
        taut_linear_options o = taut_linear_options_default();
        run.formulation = FORMULATION[f];
        o.shapes = true;
        assert_int_equal(taut_linearize(m, &run, &o, &l, &errors), TAUT_OK);
        const taut_linear_point *p = taut_linear_at(l, 0);
        assert_int_equal(p->bodies, 2);
        assert_int_equal(p->joints, 2);
        const int oa = find_name(p->body, 2, "OA"), ab = find_name(p->body, 2, "AB");
        const int hinge = find_name(p->joint, 2, "ground-OA"),
                  knee = find_name(p->joint, 2, "OA-AB"), ax = find_name(p->shape, p->shapes, "Ax"),
                  bx = find_name(p->shape, p->shapes, "Bx");
        for (int k = 0; k < p->states; k++) {
            /* (4/3 - 3 g/(l w^2)) + r/2 = 0, from the first rod */
            const double w = p->eigenvalue[k][1];
            const double r = 2 * (3 * 9.81 / (0.8 * w * w) / 2 - 4.0 / 3);
            const double first = 1.0 / 3, second = (1 + r / 2) * (1 + r / 2) + r * r / 12;
            assert_near(p->energy[k * 2 + oa], first / (first + second), 1e-12, 0.0);
            assert_near(p->energy[k * 2 + ab], second / (first + second), 1e-12, 0.0);
            const double play = fabs(r - 1), most = fmax(1.0, play);
            assert_near(p->play[k * 2 + hinge], 1 / most, 1e-12, 0.0);
            assert_near(p->play[k * 2 + knee], play / most, 1e-12, 0.0);
            const double(*s)[2] = p->shape_in + k * p->shapes;
            const double complex ratio = (s[bx][0] + J * s[bx][1]) / (s[ax][0] + J * s[ax][1]);
            assert_near(creal(ratio), 1 + r, 1e-11, 0.0);
            assert_near(cimag(ratio), 0.0, 1e-11, 0.0);
        }
        taut_linear_free(&l);
    }
    taut_model_free(&m);
}

/* A top that precesses: a body in space with inertia about all axes; and beside it a particle. */
static void test_energy_in_space(void **state) {
    (void)state;
    taut_model *m = read_text(
        "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0], k: [0, 0, 1], i: [1, 0, 0]}\n  Rigids:\n"
        "    disk: {Elements: [S, n, u, Q], Geom: [[0, 0, 1], [1, 0, 0], [0.3, 0.4, 0]],\n"
        "           Dyna: [[0.1, 0, 0.2], 2, [0.5, 0.6, 0.7]]}\n"
        "  Particles: {Q: 4}\n  Joints:\n"
        "    axle: {Type: revolute, Points: [O, S], Axes: [k, n], Normals: [i, u], Angle: psi}\n"
        "  TorsionSprings: {psi: [3, 0]}\n"
        "ProblemData: {tend: 1, positions: {psi: 0.4}}\n");
    const double body = 0.7 + 2 * 0.1 * 0.1, particle = 4 * 0.25;
    for (int f = 0; f < 3; f++) {
        taut_linear *l = NULL;
        taut_errors errors = {0};
        taut_run_options run = at_tolerance(1e-12);
        taut_linear_options o = taut_linear_options_default();
        run.formulation = FORMULATION[f];
        o.shapes = true;
        const taut_status status = taut_linearize(m, &run, &o, &l, &errors);
        if (status != TAUT_OK) show_errors(&errors);
        assert_int_equal(status, TAUT_OK);
        const taut_linear_point *p = taut_linear_at(l, 0);
        assert_near(p->eigenvalue[1][1], sqrt(3 / (body + particle)), 0.0, 1e-12);
        assert_int_equal(p->bodies, 2);
        assert_string_equal(p->body[1], "Q");
        assert_near(p->energy[0], body / (body + particle), 1e-12, 0.0);
        assert_near(p->energy[1], particle / (body + particle), 1e-12, 0.0);
        taut_linear_free(&l);
    }
    taut_model_free(&m);
}

/* ---- times, steadiness, refusals ---- */

static void test_times(void **state) {
    (void)state;
    taut_model *model = read_text(PENDULUM("L*sin(0.5)", "-L*cos(0.5)"));
    const double at[] = {0, 0.25, 1};
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    taut_linear *l;
    run.at = at;
    run.ats = 3;
    assert_int_equal(taut_linearize(model, &run, NULL, &l, &errors), TAUT_OK);
    assert_int_equal(taut_linear_points(l), 3);
    assert_null(taut_linear_at(l, 3));
    for (int k = 0; k < 3; k++) {
        const taut_linear_point *p = taut_linear_at(l, k);
        assert_near(p->t, at[k], 0.0, 0.0);
        assert_string_equal(p->state[0], taut_linear_at(l, 0)->state[0]);
        assert_false(p->steady);
    }
    taut_linear_free(&l);
    taut_model_free(&model);
}

static void refused(const char *text, const taut_linear_options *o, const char *says) {
    taut_model *model = read_text(text);
    taut_errors errors = {0};
    taut_linear *l;
    assert_int_equal(taut_linearize(model, NULL, o, &l, &errors), TAUT_ERR_CALL);
    assert_null(l);
    if (!strstr(errors.item[0].message, says)) print_error("%s\n", errors.item[0].message);
    assert_non_null(strstr(errors.item[0].message, says));
    taut_model_free(&model);
}

static void test_refusals(void **state) {
    (void)state;
    static const char text[] = PENDULUM("0", "-L");
    taut_linear_options o = taut_linear_options_default();
    o.states = "Ay,Ay'";
    refused(text, &o, "depend on each other");
    o.states = "Ax,Ax',Ay'";
    refused(text, &o, "some follow from others; leave out 1");
    o.states = "Ax'";
    refused(text, &o, "2 independent states are needed at t = 0, and these are 1");
    o.states = "Bx";
    refused(text, &o, "options.states: there is no column 'Bx'; did you mean 'Ax'?");
    o.states = NULL;
    o.outputs = "Axy";
    refused(text, &o, "options.outputs: there is no column 'Axy'");
    o.outputs = NULL;
    o.inputs = "L";
    refused(text, &o, "options.inputs: the model has no input 'L'");
    o.inputs = NULL;
    o.cookie = 0;
    refused(text, &o, "taut_linear_options_default()");
}

/* ---- the program ---- */

static void check_call(const char *command, int code, const char *out, const char *err) {
    program_result r;
    program_call(&r, command);
    if (r.code != code || (out && !strstr(r.out, out)) || (err && !strstr(r.err, err)))
        print_error("%s: %d\n%s\n%s\n", command, r.code, r.out, r.err);
    assert_int_equal(r.code, code);
    assert_true(!out || strstr(r.out, out));
    assert_true(!err || strstr(r.err, err));
    program_release(&r);
}

static void test_program(void **state) {
    (void)state;
    static const char *const KEYS[] = {"t",          "states",
                                       "inputs",     "outputs",
                                       "x0",         "u0",
                                       "y0",         "A",
                                       "B",          "C",
                                       "D",          "eigenvalues",
                                       "modes",      "eigenvalue_condition",
                                       "zero_modes", "state_condition",
                                       "steady"};
    program_write("p.yaml", PENDULUM("0.5*L", "-L"), -1);
    check_call("linearize p.yaml --equilibrium -o p.json", 0, "states   Ax, Ax'", NULL);
    char *json = program_read("p.json");
    const char *at = json;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) { /* in this order */
        char key[60];
        snprintf(key, sizeof key, "\"%s\":", KEYS[i]);
        at = strstr(at, key);
        assert_non_null(at);
    }
    assert_non_null(strstr(json, "\"steady\": true"));
    free(json);
    check_call("linearize p.yaml --json", 0, "\"steady\": false", NULL);
    check_call("linearize p.yaml --at 0,0.5 --json --quiet", 0, "[{", NULL);
    check_call("linearize p.yaml -o p.mat", 0, "eigenvalues", NULL);
    assert_true(program_exists("p.mat"));
    check_call("linearize p.yaml --at 0,0.5 -o q.mat", 2, NULL, "a MAT file takes one time");
    check_call("linearize p.yaml -o -", 0, "A,Ax,Ax'", "eigenvalues");
    check_call("linearize p.yaml --states Ax,Ay", 2, NULL, "--states: ");
    check_call("linearize p.yaml --at 3", 2, NULL, "--at");
    check_call("linearize p.yaml --form descriptor -o d.csv", 0, NULL, NULL);
    char *forms = program_read("d.csv");
    assert_non_null(strstr(forms, "descriptor E,Ax,Ax',Ax'',Ay"));
    free(forms);
    check_call("linearize p.yaml --form descriptor,redundant -o d.mat", 0, NULL, NULL);
    check_call("linearize p.yaml --form minimal", 2, NULL, "redundant or descriptor is expected");
    check_call("linearize p.yaml --every 0.25 -o c.csv", 0, NULL, NULL);
    forms = program_read("c.csv");
    assert_non_null(strstr(forms, "t,eigen1.re,eigen1.im,eigen2.re,eigen2.im\n0,"));
    free(forms);
    check_call("linearize p.yaml --every 0.1 -o c.svg", 0, NULL, NULL);
    assert_true(program_exists("c.svg"));
    check_call("linearize p.yaml --every 1e-9", 2, NULL, "more than 100000 linearisations");
    check_call("linearize p.yaml -o p.txt", 2, NULL, ".json, .csv or .mat");
    program_write(
        "kink.yaml",
        "Lagrangian: {Coordinates: [x], L: x'^2/2 - x^2/2, Forces: {x: \"-2*max(x', 0)\"}}\n"
        "ProblemData: {tend: 1, positions: {x: 0}}\n",
        -1);
    check_call("linearize kink.yaml -o kink.csv", 0, "side     x' < 0", NULL);
    forms = program_read("kink.csv");
    assert_non_null(strstr(forms, "\nside,\"x' < 0\"\n"));
    assert_null(strstr(forms, "steady"));
    free(forms);
    check_call("linearize kink.yaml -o kink.mat", 0, NULL, NULL);
    check_call("linearize p.yaml -o p.csv", 0, NULL, NULL);
    forms = program_read("p.csv");
    assert_non_null(strstr(forms, "\nsteady,0\n"));
    free(forms);
    check_call("modes p.yaml --equilibrium", 0, "0.5958", NULL);
    check_call("modes p.yaml --equilibrium -o p.html", 0, "energy in A 100 %", NULL);
    char *page = program_read("p.html");
    assert_non_null(strstr(page, "\"modes\":{\"t\":0,\"steady\":true,\"zero\":0"));
    free(page);
    check_call("modes p.yaml --at 0,0.5 -o q.html", 2, NULL, "one time; several go into .json");
    check_call("linearize p.yaml -o p.html", 2, NULL, ".json, .csv or .mat");
    check_call("linearize p.yaml --outputs ground-OA.Fx -o p.json", 0, "ground-OA.Fx", NULL);
    check_call("linearize p.yaml --outputs ground-OA.Fx'", 2, NULL, "without primes");
    check_call("equilibrium p.yaml -o e.csv", 0, "stable to first order: 1 undamped", NULL);
    char *csv = program_read("e.csv");
    program_table table;
    program_table_read(&table, csv);
    assert_int_equal(table.rows, 1);
    assert_near(program_table_get(&table, 0, "Ay"), -0.7, 1e-12, 0.0);
    assert_near(program_table_get(&table, 0, "Ax'"), 0.0, 0.0, 0.0);
    program_table_free(&table);
    free(csv);
    check_call("run p.yaml --from-equilibrium --quiet -o r.csv", 0, NULL, NULL);
    csv = program_read("r.csv");
    program_table_read(&table, csv);
    assert_near(program_table_get(&table, -1, "Ay"), -0.7, 1e-12, 0.0);
    program_table_free(&table);
    free(csv);
    program_write("f.yaml",
                  "Dimension: 2\nPartData: {Particles: {A: 1}}\nAppliedForces: {Gravity: }\n"
                  "ProblemData: {tend: 1, positions: {A: [0, 0]}}\n",
                  -1);
    check_call("equilibrium f.yaml", 1, NULL, "no equilibrium was found: Ay'' = -9.8");
    check_call("run f.yaml --from-equilibrium", 1, NULL, "no equilibrium");
    check_call("view f.yaml --from-equilibrium", 2, NULL, "is an option of taut run");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_two_hanging_rods),
        cmocka_unit_test(test_an_input_that_is_zero),
        cmocka_unit_test(test_quarter_car),
        cmocka_unit_test(test_rolling_disk),
        cmocka_unit_test(test_sleeping_top),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_screw),
        cmocka_unit_test(test_bicycle),
        cmocka_unit_test(test_bicycle_chooses_what_does_not_turn),
        cmocka_unit_test(test_weave_and_capsize_speeds),
        cmocka_unit_test(test_governor),
        cmocka_unit_test(test_hanging_parallelogram),
        cmocka_unit_test(test_formulations),
        cmocka_unit_test(test_one_side_is_said),
        cmocka_unit_test(test_redundant_and_descriptor),
        cmocka_unit_test(test_course),
        cmocka_unit_test(test_energy_by_body),
        cmocka_unit_test(test_energy_in_space),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_program),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
