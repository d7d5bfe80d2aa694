/* Inverse dynamics against formulas of its own: the flat output of a crane, recursive Newton-Euler,
 * the balance of a platform, least norms.
 *
 * How it could be wrong unnoticed: forces of another motion (closed forms), a norm that is not
 * least or has other weights (against the pseudoinverse), an unstable rest of the motion that a
 * short run does not show (eigenvalues), power with the wrong sign (against the work that the run
 * itself counts). */
#include "solve_text.h"

#include <math.h>
#include <string.h>

static solution *invert(taut_model *m, const char *formulation, const double *at, int ats,
                        taut_inverse_notes *notes) {
    solution *s = calloc(1, sizeof *s);
    taut_run_options run = at_tolerance(1e-13);
    run.formulation = formulation;
    run.at = at;
    run.ats = ats;
    s->status = taut_inverse(m, &run, notes, &s->result, &s->errors);
    return must_succeed(s);
}

static const char *const FORMULATION[] = {"natural", "reference", "relative", "minimal"};

/* x = A y, n by n, by elimination with pivots; b becomes x. */
static void solve(int n, double a[6][6], double *b) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int j = 0; j < n; j++) {
            const double swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = k + 1; i < n; i++) {
            const double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* ---- the crane ---- */

static const char CRANE[] =
    "Dimension: 2\nPhysicalParams: {M: 100, m: 20, T: 4}\nInputs: {u: 0, w: 0}\n"
    "PartData:\n  Fixed: {O: [0, 0], i: [1, 0]}\n  Collinears: {OiS: s}\n"
    "  Particles: {S: M, L: m}\n"
    "AppliedForces:\n  Gravity:\n  Forces:\n    s: u\n"
    "    rope: {On: L, Against: S, Value: w}\n"
    "Define: {p: \"70*(t/T)^9 - 315*(t/T)^8 + 540*(t/T)^7 - 420*(t/T)^6 + 126*(t/T)^5\"}\n"
    "Inverse:\n  Actuators: [u, w]\n  Motion: {L: [3*p, -4 + p]}\n"
    "ProblemData: {tend: 4, positions: {S: [0, 0], L: [0, -4]}}\n";

/* The k-th derivative of p. */
static double path(double t, int k) {
    static const double C[10] = {0, 0, 0, 0, 0, 126, -420, 540, -315, 70};
    double sum = 0.0;
    for (int i = 9; i >= k; i--) {
        double factor = C[i];
        for (int m = 0; m < k; m++) factor *= (double)(i - m) / 4.0;
        sum += factor * pow(t / 4.0, i - k);
    }
    return sum;
}

/* The rope points along the acceleration of the load less gravity: s = X - Y X''/(Y'' + g), and the
 * trolley needs u = M s'' + m X''. */
static void test_a_crane_against_its_flat_output(void **state) {
    (void)state;
    taut_inverse_notes notes;
    const double at[] = {0.0, 0.7, 1.0, 2.3, 3.1, 4.0};
    taut_model *m = read_text(CRANE);
    for (int f = 0; f < 4; f++) {
        solution *s = invert(m, FORMULATION[f], at, 6, &notes);
        assert_int_equal(notes.index, 5);
        assert_int_equal(notes.internal, 0);
        assert_int_equal(notes.actuators, 2);
        for (int i = 0; i < 6; i++) {
            double x[5], y[5], a[3], b[3], q[3];
            for (int k = 0; k < 5; k++) {
                x[k] = 3.0 * path(at[i], k);
                y[k] = path(at[i], k);
            }
            y[0] -= 4.0;
            for (int k = 0; k < 3; k++) {
                a[k] = x[k + 2];
                b[k] = y[k + 2];
            }
            b[0] += 9.81;
            q[0] = a[0] / b[0];
            q[1] = (a[1] - q[0] * b[1]) / b[0];
            q[2] = (a[2] - 2.0 * q[1] * b[1] - q[0] * b[2]) / b[0];
            const double s0 = x[0] - y[0] * q[0];
            const double s2 = x[2] - (y[2] * q[0] + 2.0 * y[1] * q[1] + y[0] * q[2]);
            assert_near(value_of(s, i, "s"), s0, 1e-13, 0.0);
            assert_near(value_of(s, i, "u"), 100.0 * s2 + 20.0 * a[0], 2e-10, 0.0);
            assert_near(value_of(s, i, "w"), -20.0 * hypot(a[0], b[0]), 1e-11, 0.0);
        }
        /* power is the rate of work, which the run counts by itself */
        assert_near(value_of(s, 2, "power_u") + value_of(s, 2, "power_w"),
                    20.0 * (9.81 * path(1.0, 1) + 9.0 * path(1.0, 1) * path(1.0, 2) +
                            path(1.0, 1) * path(1.0, 2)) +
                        100.0 * value_of(s, 2, "s'") * (value_of(s, 2, "u") - 60.0 * path(1.0, 2)) /
                            100.0,
                    1e-9, 0.0);
        solution_free(s);
    }
    taut_model_free(&m);
}

/* ---- an arm with six revolute joints ---- */

/* Joint i + 1 in the frame of link i: axis, place; mass centre, mass and inertia of link i + 1. */
static const int AXIS[6] = {2, 1, 1, 0, 1, 0};
static const double PLACE[6][3] = {{0, 0, 0.3},   {0.1, 0.05, 0.2}, {0, 0.02, 0.6},
                                   {0.3, 0, 0.1}, {0.25, 0.01, 0},  {0.1, 0, 0.02}};
static const double CENTRE[6][3] = {{0.02, 0.01, 0.1}, {0.01, 0.03, 0.3}, {0.15, 0, 0.05},
                                    {0.1, 0.01, 0},    {0.05, 0, 0.01},   {0.04, 0.01, 0.02}};
static const double MASS[6] = {12, 9, 6, 3, 2, 1};
static const double INERTIA[6][3] = {{0.3, 0.25, 0.2},   {0.5, 0.45, 0.1},
                                     {0.08, 0.2, 0.22},  {0.01, 0.03, 0.035},
                                     {0.01, 0.02, 0.02}, {0.003, 0.004, 0.005}};
static const double AMPLITUDE[6] = {0.8, 0.5, 0.7, 1.1, 0.6, 1.3};
static const double RATE[6] = {1.0, 1.3, 0.8, 1.7, 2.0, 1.1};

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* v in the frame that is turned by angle about a coordinate axis (sign 1), or back (-1). */
static void turn(const double v[3], int axis, double angle, double sign, double out[3]) {
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double c = cos(angle), s = sign * sin(angle);
    const double x = v[j], y = v[k], z = v[axis];
    out[axis] = z;
    out[j] = c * x + s * y;
    out[k] = -s * x + c * y;
}

/* a + alpha x r + omega x (omega x r) */
static void carry(const double a[3], const double alpha[3], const double omega[3],
                  const double r[3], double out[3]) {
    double x[3], y[3], z[3];
    cross(alpha, r, x);
    cross(omega, r, y);
    cross(omega, y, z);
    for (int i = 0; i < 3; i++) out[i] = a[i] + x[i] + z[i];
}

static void newton_euler(const double *q, const double *dq, const double *ddq, double *torque) {
    double w[7][3] = {{0}}, al[7][3] = {{0}}, a[7][3] = {{0, 0, 9.81}}, f[7][3], n[7][3];
    for (int i = 0; i < 6; i++) {
        double base[3], spin[3] = {0}, twist[3], wb[3], ab[3];
        carry(a[i], al[i], w[i], PLACE[i], base);
        turn(base, AXIS[i], q[i], 1.0, a[i + 1]);
        turn(w[i], AXIS[i], q[i], 1.0, wb);
        turn(al[i], AXIS[i], q[i], 1.0, ab);
        spin[AXIS[i]] = dq[i];
        cross(wb, spin, twist);
        for (int k = 0; k < 3; k++) {
            w[i + 1][k] = wb[k] + spin[k];
            al[i + 1][k] = ab[k] + twist[k] + (k == AXIS[i] ? ddq[i] : 0.0);
        }
        double centre[3], iw[3], gyro[3], arm[3];
        carry(a[i + 1], al[i + 1], w[i + 1], CENTRE[i], centre);
        for (int k = 0; k < 3; k++) {
            f[i + 1][k] = MASS[i] * centre[k];
            iw[k] = INERTIA[i][k] * w[i + 1][k];
        }
        cross(w[i + 1], iw, gyro);
        cross(CENTRE[i], f[i + 1], arm);
        for (int k = 0; k < 3; k++) n[i + 1][k] = INERTIA[i][k] * al[i + 1][k] + gyro[k] + arm[k];
    }
    for (int i = 5; i >= 0; i--) {
        torque[i] = n[i + 1][AXIS[i]];
        if (i == 0) break;
        double fb[3], nb[3], arm[3]; /* on the link before, in its frame */
        turn(f[i + 1], AXIS[i], q[i], -1.0, fb);
        turn(n[i + 1], AXIS[i], q[i], -1.0, nb);
        cross(PLACE[i], fb, arm);
        for (int k = 0; k < 3; k++) {
            f[i][k] += fb[k];
            n[i][k] += nb[k] + arm[k];
        }
    }
}

static const char *unit(int axis) {
    return axis == 0 ? "[1, 0, 0]" : axis == 1 ? "[0, 1, 0]" : "[0, 0, 1]";
}

/* Joints with drivers; actuators: torques that do the drivers' work. */
static char *write_arm(bool actuators) {
    static char text[8000];
    size_t n = 0;
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "Dimension: 3\nInputs: {T1: 0, T2: 0, T3: 0, T4: 0, T5: 0, T6: 0}\n"
                          "PartData:\n  Fixed: {Q0: [0, 0, 0.3], b0: %s, m0: %s}\n  Rigids:\n",
                          unit(AXIS[0]), unit((AXIS[0] + 1) % 3));
    for (int i = 0; i < 6; i++) {
        const double *p = i < 5 ? PLACE[i + 1] : (const double[3]){0.1, 0, 0};
        const int next = i < 5 ? AXIS[i + 1] : 0;
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "    L%d: {Elements: [P%d, a%d, n%d, Q%d, b%d, m%d], Geom: [%s, %s, [%g, %g, %g], %s, "
            "%s], Dyna: [[%g, %g, %g], %g, [%g, %g, %g]]}\n",
            i + 1, i + 1, i + 1, i + 1, i + 1, i + 1, i + 1, unit(AXIS[i]), unit((AXIS[i] + 1) % 3),
            p[0], p[1], p[2], unit(next), unit((next + 1) % 3), CENTRE[i][0], CENTRE[i][1],
            CENTRE[i][2], MASS[i], INERTIA[i][0], INERTIA[i][1], INERTIA[i][2]);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "  Joints:\n");
    for (int i = 1; i <= 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "    J%d: {Type: revolute, Points: [Q%d, P%d], Axes: [b%d, a%d], "
                              "Normals: [m%d, n%d], Angle: q%d}\n",
                              i, i - 1, i, i - 1, i, i - 1, i, i);
    n += (size_t)snprintf(text + n, sizeof text - n, "AppliedForces:\n  Gravity:\n  Torques: {");
    for (int i = 1; i <= 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%sq%d: T%d", i > 1 ? ", " : "", i, i);
    n += (size_t)snprintf(text + n, sizeof text - n, "}\nDrivers:\n");
    for (int i = 0; i < 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  q%d: %g*sin(%g*t)\n", i + 1,
                              AMPLITUDE[i], RATE[i]);
    if (actuators)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "Inverse: {Actuators: [T1, T2, T3, T4, T5, T6]}\n");
    snprintf(text + n, sizeof text - n, "ProblemData: {tend: 2}\n");
    return text;
}

static void test_an_arm_against_newton_euler(void **state) {
    (void)state;
    const double at[] = {0.0, 0.4, 1.1, 2.0};
    for (int way = 0; way < 2; way++) {
        taut_model *m = read_text(write_arm(way == 1));
        for (int f = 0; f < 3; f++) {
            solution *s = invert(m, FORMULATION[f], at, 4, NULL);
            for (int i = 0; i < 4; i++) {
                double q[6], dq[6], ddq[6], torque[6], largest = 0.0;
                for (int k = 0; k < 6; k++) {
                    const double w = RATE[k], a = AMPLITUDE[k];
                    q[k] = a * sin(w * at[i]);
                    dq[k] = a * w * cos(w * at[i]);
                    ddq[k] = -a * w * w * sin(w * at[i]);
                }
                newton_euler(q, dq, ddq, torque);
                for (int k = 0; k < 6; k++) largest = fmax(largest, fabs(torque[k]));
                for (int k = 0; k < 6; k++) {
                    char name[20];
                    snprintf(name, sizeof name, way ? "T%d" : "force_q%d", k + 1);
                    assert_near(value_of(s, i, name), torque[k], 1e-11 * largest, 0.0);
                    snprintf(name, sizeof name, way ? "power_T%d" : "power_q%d", k + 1);
                    assert_near(value_of(s, i, name), torque[k] * dq[k], 1e-10 * largest, 0.0);
                    snprintf(name, sizeof name, "force_q%d", k + 1);
                    if (way) assert_near(value_of(s, i, name), 0.0, 1e-10 * largest, 0.0);
                }
            }
            solution_free(s);
        }
        taut_model_free(&m);
    }
}

/* ---- a platform on six legs ---- */

static const double LEG[6][2][3] = {/* of the base, of the platform */
                                    {{1.0, 0.1, 0}, {0.4, 0.35, 0}},
                                    {{-0.4, 0.9, 0}, {0.1, 0.5, 0}},
                                    {{-0.6, 0.8, 0}, {-0.5, -0.1, 0}},
                                    {{-0.6, -0.8, 0}, {-0.45, -0.3, 0}},
                                    {{-0.4, -0.9, 0}, {0.1, -0.5, 0}},
                                    {{1.0, -0.1, 0}, {0.4, -0.3, 0}}};

static const char *write_platform(void) {
    static char text[4000];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text,
                          "Dimension: 3\nInputs: {f1: 0, f2: 0, f3: 0, f4: 0, f5: 0, f6: 0}\n"
                          "PartData:\n  Fixed: {");
    for (int i = 0; i < 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%sB%d: [%g, %g, 0]", i ? ", " : "", i + 1,
                              LEG[i][0][0], LEG[i][0][1]);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "}\n  Rigids: {platform: {Elements: [C, u, v, P1, P2, P3, P4, P5, P6], "
                          "Geom: [[1, 0, 0], [0, 1, 0]");
    for (int i = 0; i < 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, ", [%g, %g, 0]", LEG[i][1][0],
                              LEG[i][1][1]);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "], Dyna: [[0, 0, 0], 50, [3, 4, 6]]}}\nAppliedForces:\n  Gravity:\n"
                          "  Forces:\n");
    for (int i = 1; i <= 6; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "    leg%d: {On: P%d, Against: B%d, Value: f%d}\n", i, i, i, i);
    snprintf(text + n, sizeof text - n,
             "Outputs: {tilt: vz}\n"
             "Inverse:\n  Actuators: [f1, f2, f3, f4, f5, f6]\n"
             "  Motion: {C: [0.1*sin(t), 0.1*cos(2*t), 0.8 + 0.05*sin(3*t)], uy: sin(0.3*sin(t)), "
             "uz: 0, tilt: sin(0.2*cos(t))}\n"
             "ProblemData: {tend: 2, positions: {C: [0, 0.1, 0.8], u: [1, 0, 0], v: [0, 1, 0]}}\n");
    return text;
}

/* The frame at time t: columns, spin and its rate, in the world. */
static void tilted(double t, double frame[3][3], double w[3], double al[3]) {
    const double p = 0.3 * sin(t), dp = 0.3 * cos(t), ddp = -0.3 * sin(t);
    const double q = 0.2 * cos(t), dq = -0.2 * sin(t), ddq = -0.2 * cos(t);
    const double u[3] = {cos(p), sin(p), 0.0};
    const double v[3] = {-sin(p) * cos(q), cos(p) * cos(q), sin(q)};
    double n[3];
    cross(u, v, n);
    for (int i = 0; i < 3; i++) {
        frame[0][i] = u[i];
        frame[1][i] = v[i];
        frame[2][i] = n[i];
        w[i] = dq * u[i] + (i == 2 ? dp : 0.0);
        al[i] = ddq * u[i] + (i == 2 ? ddp : 0.0);
    }
    al[0] -= dq * dp * u[1]; /* z x u */
    al[1] += dq * dp * u[0];
}

static void test_six_legs_balance_a_platform(void **state) {
    (void)state;
    static const double I[3] = {3, 4, 6};
    const double at[] = {0.0, 0.5, 1.2, 2.0};
    taut_inverse_notes notes;
    taut_model *m = read_text(write_platform());
    for (int f = 0; f < 3; f++) {
        solution *s = invert(m, FORMULATION[f], at, 4, &notes);
        assert_int_equal(notes.motions, 6);
        assert_int_equal(notes.internal, 0);
        for (int i = 0; i < 4; i++) {
            const double t = at[i];
            const double c[3] = {0.1 * sin(t), 0.1 * cos(2 * t), 0.8 + 0.05 * sin(3 * t)};
            double frame[3][3], w[3], al[3], h[3] = {0}, rate[3], matrix[6][6];
            double b[6] = {-50 * 0.1 * sin(t),
                           -50 * 0.4 * cos(2 * t),
                           50 * (9.81 - 0.45 * sin(3 * t)),
                           0,
                           0,
                           0};
            tilted(t, frame, w, al);
            for (int a = 0; a < 3; a++) {
                double wa = 0.0, ala = 0.0;
                for (int k = 0; k < 3; k++) {
                    wa += frame[a][k] * w[k];
                    ala += frame[a][k] * al[k];
                }
                for (int k = 0; k < 3; k++) {
                    h[k] += I[a] * wa * frame[a][k];
                    b[3 + k] += I[a] * ala * frame[a][k];
                }
            }
            cross(w, h, rate);
            for (int k = 0; k < 3; k++) b[3 + k] += rate[k];
            for (int leg = 0; leg < 6; leg++) {
                double r[3], e[3], arm[3], length = 0.0;
                for (int k = 0; k < 3; k++) {
                    r[k] = LEG[leg][1][0] * frame[0][k] + LEG[leg][1][1] * frame[1][k];
                    e[k] = c[k] + r[k] - LEG[leg][0][k];
                    length += e[k] * e[k];
                }
                for (int k = 0; k < 3; k++) e[k] /= sqrt(length);
                cross(r, e, arm);
                for (int k = 0; k < 3; k++) {
                    matrix[k][leg] = e[k];
                    matrix[3 + k][leg] = arm[k];
                }
            }
            solve(6, matrix, b);
            for (int leg = 0; leg < 6; leg++) {
                char name[16];
                snprintf(name, sizeof name, "f%d", leg + 1);
                assert_near(value_of(s, i, name), b[leg], 1e-9, 0.0);
            }
        }
        solution_free(s);
    }
    taut_model_free(&m);
}

/* ---- more actuators than motions ---- */

static const char OVER[] =
    "Dimension: 2\nPhysicalParams: {m: 2, a: 1, b: 1.2, W: 3}\nInputs: {t1: 0, t2: 0, t3: 0}\n"
    "PartData:\n  Fixed: {O1: [0, 0], O2: [2, 0], O3: [1, 1.8]}\n  Rigids:\n"
    "    O1A1: {Geom: [[a, 0]]}\n    O2A2: {Geom: [[a, 0]]}\n    O3A3: {Geom: [[a, 0]]}\n"
    "    A1P: {Geom: [[b, 0]]}\n    A2P: {Geom: [[b, 0]]}\n    A3P: {Geom: [[b, 0]]}\n"
    "  Particles: {P: m}\n"
    "AppliedForces:\n  Gravity:\n  Torques: {O1A1: t1, O2A2: t2, O3A3: t3}\n"
    "Inverse:\n  Actuators: [t1, t2, t3]\n"
    "  Motion: {P: [1 + 0.2*cos(t), 0.7 + 0.15*sin(2*t)]}\n  Weights: {t2: W}\n"
    "ProblemData: {tend: 2, positions: {P: [1.2, 0.7], A1: [0.2, 1], A2: [2, 1], A3: [0.3, "
    "1.2]}}\n";

/* An arm without mass passes a force along its outer link: each torque is a force at P, and
 * t = W^-1 B^T (B W^-1 B^T)^-1 f. */
static void test_torques_of_least_norm(void **state) {
    (void)state;
    static const double O[3][2] = {{0, 0}, {2, 0}, {1, 1.8}}, WEIGHT[3] = {1, 3, 1};
    const double at[] = {0.0, 0.5, 1.3, 2.0};
    taut_inverse_notes notes;
    taut_model *m = read_text(OVER);
    for (int f = 0; f < 3; f++) {
        solution *s = invert(m, FORMULATION[f], at, 4, &notes);
        assert_int_equal(notes.actuators, 3);
        assert_int_equal(notes.motions, 2);
        for (int i = 0; i < 4; i++) {
            const double t = at[i];
            double force[2] = {2 * -0.2 * cos(t), 2 * (9.81 - 0.6 * sin(2 * t))};
            double b[3][2], matrix[6][6] = {{0}};
            const double P[2] = {value_of(s, i, "Px"), value_of(s, i, "Py")};
            assert_near(P[0], 1 + 0.2 * cos(t), 1e-13, 0.0);
            for (int k = 0; k < 3; k++) {
                char x[16], y[16];
                snprintf(x, sizeof x, "A%dx", k + 1);
                snprintf(y, sizeof y, "A%dy", k + 1);
                const double A[2] = {value_of(s, i, x), value_of(s, i, y)};
                const double e[2] = {P[0] - A[0], P[1] - A[1]};
                const double arm = (A[0] - O[k][0]) * e[1] - (A[1] - O[k][1]) * e[0];
                for (int c = 0; c < 2; c++) b[k][c] = e[c] / arm;
                for (int c = 0; c < 2; c++)
                    for (int d = 0; d < 2; d++) matrix[c][d] += b[k][c] * b[k][d] / WEIGHT[k];
            }
            solve(2, matrix, force);
            for (int k = 0; k < 3; k++) {
                char name[16];
                snprintf(name, sizeof name, "t%d", k + 1);
                const double torque = (b[k][0] * force[0] + b[k][1] * force[1]) / WEIGHT[k];
                assert_near(value_of(s, i, name), torque, 1e-11, 1e-11);
            }
        }
        solution_free(s);
    }
    taut_model_free(&m);
}

/* ---- what is not prescribed ---- */

/* An inverted pendulum on a cart whose place is prescribed falls as if its pivot were fixed. */
static void test_internal_motion_that_grows(void **state) {
    (void)state;
    taut_inverse_notes notes;
    const double at[] = {0.0, 0.5};
    taut_model *m =
        read_text("PhysicalParams: {g: 9.81, l: 0.5, M: 3, m: 1, s: 1}\nInputs: {u: 0}\n"
                  "Lagrangian:\n  Coordinates: [x, a]\n"
                  "  L: 1/2*(M + m)*x'^2 + m*l*s*cos(a)*x'*a' + 1/2*m*l^2*a'^2 - m*g*l*s*cos(a)\n"
                  "  Forces: {x: u}\n"
                  "Inverse: {Actuators: [u], Motion: {x: 0.1*t^2}}\n"
                  "ProblemData: {tend: 0.5, positions: {x: 0, a: 0}, velocities: {x: 0, a: 0}}\n");
    solution *s = invert(m, NULL, at, 2, &notes);
    assert_int_equal(notes.internal, 2);
    assert_int_equal(notes.growing, 1);
    assert_near(notes.growth, sqrt(9.81 / 0.5), 1e-9, 0.0);
    /* u = (M + m) x'' + m l (a'' - ...) at a = 0: a'' = -x''/l */
    assert_near(value_of(s, 0, "u"), 4 * 0.2 - 0.2, 1e-13, 0.0);
    assert_near(value_of(s, 1, "power_u"), value_of(s, 1, "u") * 0.1, 1e-12, 0.0);
    solution_free(s);
    taut_model_free(&m);
}

/* ---- what is wrong ---- */

static void check_refused(const char *text, const char *message) {
    taut_errors errors = {0};
    taut_model *m = NULL;
    taut_result *r = NULL;
    taut_status status = taut_model_parse("text", text, -1, &m, &errors);
    if (status == TAUT_OK) status = taut_inverse(m, NULL, NULL, &r, &errors);
    assert_true(status < 0);
    assert_null(r);
    assert_true(errors.count > 0);
    if (!strstr(errors.item[0].message, message)) {
        print_error("%s\n", errors.item[0].message);
        fail();
    }
    taut_model_free(&m);
}

static void test_what_cannot_be_inverted(void **state) {
    (void)state;
#define CART(inverse)                                                                              \
    "Inputs: {u: 0, v: 0}\nLagrangian: {Coordinates: [x, y], L: x'^2 + y'^2, Forces: {x: u, y: "   \
    "v}}\n" inverse "\nProblemData: {tend: 1, positions: {x: 0, y: 0}}\n"
    check_refused(CART(""), "nothing prescribes a motion");
    check_refused(CART("Inverse: {Actuators: [u]}"), "nothing prescribes a motion");
    check_refused(CART("Inverse: {Actuators: [w], Motion: {x: t}}"), "is one of 'Inputs'");
    check_refused(CART("Inverse: {Actuators: [u], Motion: {z: t}}"), "unknown name 'z'");
    check_refused(CART("Inverse: {Actuators: [u], Motion: {x: t, y: t}}"), "each motion needs one");
    check_refused(CART("Inverse: {Actuators: [u, v], Motion: {x: t}}"), "must be as many motions");
    check_refused(CART("Inverse: {Motion: {x: t}}"), "Actuators");
    check_refused(CART("Inverse: {Actuators: [u], Motion: {x: t}, Weights: {u: 0}}"), "above 0");
    check_refused(CART("Inverse: {Actuators: [u], Move: {x: t}}"), "unknown key 'Move'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_crane_against_its_flat_output),
        cmocka_unit_test(test_an_arm_against_newton_euler),
        cmocka_unit_test(test_six_legs_balance_a_platform),
        cmocka_unit_test(test_torques_of_least_norm),
        cmocka_unit_test(test_internal_motion_that_grows),
        cmocka_unit_test(test_what_cannot_be_inverted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
