/* Friction of ball, cylindrical and planar joints by the loads that they carry: against closed
 * forms, equations of a body that turns about a point that know nothing of taut, and the same law
 * in a contact. */
#include "solve_text.h"

#include <math.h>

static const char *const FORMULATION[] = {"natural", "reference", "relative"};
enum { FORMULATIONS = 3 };

static solution *run(const char *text, int formulation, double tol, const double *at, int ats) {
    taut_run_options o = at_tolerance(tol);
    o.formulation = FORMULATION[formulation];
    o.at = at;
    o.ats = ats;
    return solve_text(text, &o);
}

static const taut_notes *notes_of(const solution *s) { return taut_result_notes(s->result); }

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    if (column < 0) fail_msg("no column %s", name);
    return taut_result_value(s->result, row, column);
}

static double length(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

/* ---- a body that turns about a point, by Euler's equations ---- */

typedef struct vector {
    double x[3];
} vector;

static vector cross(vector a, vector b) {
    return (vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static vector sum(vector a, double f, vector b) {
    for (int i = 0; i < 3; i++) a.x[i] += f * b.x[i];
    return a;
}

static double inner(vector a, vector b) {
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

/* Mass 2, mass centre (0.3, 0, 0.1), inertia about that 0.1, 0.3, 0.35 along the axes. */
static const vector CENTRE = {{0.3, 0.0, 0.1}};
static const double MASS = 2.0, INERTIA[3] = {0.1, 0.3, 0.35}, GRAVITY = 9.81;
static const double RUB = 0.2 * 0.1; /* coefficient times radius */

/* Angular velocity and the vertical, in the body's axes. */
typedef struct turning {
    vector omega, up;
} turning;

/* J a about the fixed point: J_c a + m c x (a x c). */
static vector inertia(vector a) {
    const vector far = cross(CENTRE, cross(a, CENTRE));
    vector out;
    for (int i = 0; i < 3; i++) out.x[i] = INERTIA[i] * a.x[i] + MASS * far.x[i];
    return out;
}

/* Solves J a = b; the products of inertia are between x and z alone. */
static vector accelerate(vector b) {
    const double xx = inertia((vector){{1, 0, 0}}).x[0], xz = inertia((vector){{1, 0, 0}}).x[2];
    const double zz = inertia((vector){{0, 0, 1}}).x[2], yy = inertia((vector){{0, 1, 0}}).x[1];
    const double det = xx * zz - xz * xz;
    return (vector){
        {(zz * b.x[0] - xz * b.x[2]) / det, b.x[1] / yy, (xx * b.x[2] - xz * b.x[0]) / det}};
}

/* The rate of omega: friction needs the load, and that the rate itself. */
static vector spin_up(const turning *p, double *load) {
    const vector w = p->omega, weight = sum((vector){{0}}, -MASS * GRAVITY, p->up);
    const vector known = sum(cross(CENTRE, weight), -1.0, cross(w, inertia(w)));
    const double speed = sqrt(inner(w, w));
    vector rate = {{0}};
    for (int i = 0; i < 60; i++) {
        const vector a = sum(cross(rate, CENTRE), 1.0, cross(w, cross(w, CENTRE)));
        const vector force = sum(sum((vector){{0}}, MASS, a), -1.0, weight);
        *load = sqrt(inner(force, force));
        rate = accelerate(sum(known, -RUB * *load / speed, w));
    }
    return rate;
}

static turning rate_of(const turning *p) {
    double load;
    turning r = {.omega = spin_up(p, &load), .up = cross(p->up, p->omega)};
    return r;
}

static turning add(const turning *p, double h, const turning *r) {
    turning q = *p;
    q.omega = sum(q.omega, h, r->omega);
    q.up = sum(q.up, h, r->up);
    return q;
}

/* By the classical method of order 4, in steps so short that its error is below 1e-12. */
static turning integrate(turning p, double t) {
    const int steps = 8000;
    const double h = t / steps;
    for (int i = 0; i < steps; i++) {
        const turning a = rate_of(&p);
        turning q = add(&p, 0.5 * h, &a);
        const turning b = rate_of(&q);
        q = add(&p, 0.5 * h, &b);
        const turning c = rate_of(&q);
        q = add(&p, h, &c);
        const turning d = rate_of(&q);
        p = add(&p, h / 6.0, &a);
        p = add(&p, h / 3.0, &b);
        p = add(&p, h / 3.0, &c);
        p = add(&p, h / 6.0, &d);
    }
    return p;
}

static const char TOP[] =
    "Dimension: 3\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0, 0]}\n"
    "  Rigids:\n"
    "    top: {Elements: [P, u, v, w], Geom: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
    "      Dyna: [[0.3, 0, 0.1], 2, [0.1, 0.3, 0.35]]}\n"
    "  Joints: {ball: {Type: spherical, Points: [O, P]}}\n"
    "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
    "Friction: {f: {Joint: ball, Coefficient: 0.2, Radius: 0.1}}\n"
    "Outputs: {p: \"dot(v', w)\", q: \"dot(w', u)\", r: \"dot(u', v)\"}\n"
    "ProblemData: {tend: 30, positions: {u: [1, 0, 0], v: [0, 1, 0], w: [0, 0, 1]},\n"
    "  velocities: {u: [0, 1, -0.5], v: [-1, 0, 0.3], w: [0.5, -0.3, 0]}}\n";

/* A heavy body on a ball that rubs, whose load depends on its acceleration: angular velocity,
 * vertical and load in the body's axes. */
static void test_heavy_top(void **state) {
    (void)state;
    static const double at[] = {0.0, 0.7, 1.6};
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(TOP, f, 1e-13, at, 3);
        for (int row = 1; row < 3; row++) {
            const turning start = {.omega = {{0.3, 0.5, 1.0}}, .up = {{0.0, 0.0, 1.0}}};
            const turning p = integrate(start, at[row]);
            double load;
            spin_up(&p, &load);
            assert_near(value(s, row, "p"), p.omega.x[0], 0.0, 1e-10);
            assert_near(value(s, row, "q"), p.omega.x[1], 0.0, 1e-10);
            assert_near(value(s, row, "r"), p.omega.x[2], 0.0, 1e-10);
            assert_near(value(s, row, "uz"), p.up.x[0], 0.0, 1e-10);
            assert_near(value(s, row, "f.N"), load, 1e-10 * load, 0.0);
            assert_near(length(value(s, row, "f.T1"), value(s, row, "f.T2"), value(s, row, "f.T3")),
                        0.2 * load, 1e-10 * load, 0.0);
        }
        const double kept = value(s, 0, "energy") - value(s, 0, "work");
        assert_near(value(s, 2, "energy") - value(s, 2, "work"), kept, 0.0, 1e-11);
        solution_free(s);
    }
}

/* ---- closed forms ---- */

/* A sphere on a ball joint in its centre: its weight alone presses, the axis stays, and it stops
 * after J w/(mu r m g), by every solver that finds contacts. */
static void test_spin_stops(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0]}\n"
        "  Rigids: {top: {Elements: [P, u, v], Geom: [[1, 0, 0], [0, 1, 0]],\n"
        "    Dyna: [[0, 0, 0], 2, [0.3, 0.3, 0.3]]}}\n"
        "  Joints: {ball: {Type: spherical, Points: [O, P]}}\n"
        "AppliedForces: {Gravity: [0, 0, -10]}\n"
        "Friction: {f: {Joint: ball, Coefficient: 0.2, Radius: 0.1}}\n"
        "ProblemData: {tend: 100, positions: {u: [1, 0, 0], v: [0, 1, 0]},\n"
        "  velocities: {u: [0, 1, -0.5], v: [-1, 0, 0.3]}}\n";
    const double w = length(0.3, 0.5, 1.0), t = 0.3 * w / 0.4, angle = 0.5 * w * t;
    const double x = 0.3 / w, along = x * x + (1.0 - x * x) * cos(angle);
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, 1e-12, (const double[]){t + 0.1, 100.0}, 2);
        assert_int_equal(notes_of(s)->events, 1);
        assert_string_equal(notes_of(s)->event[0].kind, "stick");
        assert_near(notes_of(s)->event[0].t, t, 0.0, 1e-12);
        for (int row = 0; row < 2; row++) {
            assert_near(value(s, row, "ux"), along, 0.0, 1e-12);
            assert_near(value(s, row, "f.mode"), 1.0, 0.0, 0.0);
            assert_near(value(s, row, "f.N"), 20.0, 1e-12, 0.0);
            assert_near(value(s, row, "work"), -0.15 * w * w, 0.0, 1e-11);
        }
        assert_near(value(s, 1, "ux"), value(s, 0, "ux"), 1e-15, 0.0); /* no creep */
        solution_free(s);
    }
    taut_run_options o = at_tolerance(1e-10);
    o.solver = "ho";
    solution *s = solve_text(text, &o);
    assert_near(notes_of(s)->event[0].t, t, 0.0, 1e-6);
    assert_near(value(s, taut_result_rows(s->result) - 1, "ux"), along, 0.0, 1e-9);
    solution_free(s);
}

/* A pendulum on a ball stands where sin(angle) is below mu r/l, and sets off where it is above. */
static void test_ball_holds(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[1000];
        const double angle = asin(0.3 * 0.05 / 0.2) + (k == 0 ? -1e-6 : 1e-6);
        snprintf(text, sizeof text,
                 "Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0]}\n"
                 "  Rigids: {bob: {Elements: [P, u, v], Geom: [[1, 0, 0], [0, 1, 0]],\n"
                 "    Dyna: [[0.2, 0, 0], 2, [0.1, 0.2, 0.3]]}}\n"
                 "  Joints: {ball: {Type: spherical, Points: [O, P]}}\n"
                 "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
                 "Friction: {f: {Joint: ball, Coefficient: 0.3, Radius: 0.05}}\n"
                 "ProblemData: {tend: 1, positions: {u: [%.17g, %.17g, %.17g],\n"
                 "  v: [-0.8, 0.6, 0]}}\n",
                 0.6 * sin(angle), 0.8 * sin(angle), -cos(angle));
        for (int f = 0; f < FORMULATIONS; f++) {
            solution *s = run(text, f, 1e-11, (const double[]){0.0, 1.0}, 2);
            assert_near(value(s, 0, "f.mode"), k == 0 ? 1.0 : 2.0, 0.0, 0.0);
            if (k == 0)
                assert_near(value(s, 1, "uz"), value(s, 0, "uz"), 0.0, 1e-15);
            else
                assert_true(value(s, 1, "uz") < value(s, 0, "uz") - 1e-9);
            solution_free(s);
        }
    }
}

/* A torque that grows, and turns: where the bound is reached the acceleration vanishes, and
 * friction turns from there on. The same law moves a block on a plane, by two directions and no
 * joint. */
static void test_setting_off(void **state) {
    (void)state;
    static const char ball[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0]}\n"
        "  Rigids: {top: {Elements: [P, u, v, w], Geom: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
        "    Dyna: [[0, 0, 0], 2, [0.4, 0.4, 0.4]]}}\n"
        "  Joints: {ball: {Type: spherical, Points: [O, P]}}\n"
        "AppliedForces: {Gravity: [0, 0, -10], Torques: {top: [0.1, 0, 0.3*t]}}\n"
        "Friction: {f: {Joint: ball, Coefficient: 0.2, Radius: 0.1}}\n"
        "ProblemData: {tend: 3, positions: {u: [1, 0, 0], v: [0, 1, 0], w: [0, 0, 1]}}\n";
    static const char block[] =
        "Dimension: 3\n"
        "PartData: {Fixed: {O: [0, 0, 0], n: [0, 1, 0]}, Particles: {P: 0.4}}\n"
        "AppliedForces: {Gravity: [0, -10, 0], Forces: {P: [0.1, 0, 0.3*t]}}\n"
        "Contacts: {f: {Point: P, On: {Plane: [O, n]}, Friction: 0.1}}\n"
        "ProblemData: {tend: 3, positions: {P: [0, 0, 0]}}\n";
    const double begins = sqrt(0.4 * 0.4 - 0.1 * 0.1) / 0.3;
    const double at[] = {begins + 0.1, 2.0, 3.0};
    solution *b = run(block, 0, 1e-12, at, 3);
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(ball, f, 1e-12, at, 3);
        assert_string_equal(notes_of(s)->event[0].kind, "slip");
        assert_near(notes_of(s)->event[0].t, begins, 0.0, 1e-11);
        for (int row = 0; row < 3; row++) { /* omega = sum of e x e'/2 */
            double omega[3] = {0.0};
            for (int e = 0; e < 3; e++)
                for (int i = 0; i < 3; i++) {
                    char name[2][4];
                    for (int k = 1; k < 3; k++)
                        snprintf(name[k - 1], sizeof name[0], "%c%c", "uvw"[e], "xyz"[(i + k) % 3]);
                    char rate[2][10];
                    for (int k = 0; k < 2; k++) snprintf(rate[k], sizeof rate[0], "%s'", name[k]);
                    omega[i] += 0.5 * (value(s, row, name[0]) * value(s, row, rate[1]) -
                                       value(s, row, name[1]) * value(s, row, rate[0]));
                }
            assert_near(omega[0], value(b, row, "Px'"), 0.0, 1e-9);
            assert_near(omega[1], 0.0, 1e-12, 0.0);
            assert_near(omega[2], value(b, row, "Pz'"), 0.0, 1e-9);
        }
        solution_free(s);
    }
    solution_free(b);
}

/* A sleeve on a horizontal rod that slides and turns, its inertia that of its mass at the radius:
 * both rates fall in the same proportion, and it stops after |rate|/(mu g). */
static void test_sleeve(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], n: [1, 0, 0]}\n"
        "  Rigids: {sleeve: {Elements: [P, u, v], Geom: [[1, 0, 0], [0, 1, 0]],\n"
        "    Dyna: [[0, 0, 0], 2, [0.02, 0.1, 0.1]]}}\n"
        "  Joints: {tube: {Type: cylindrical, Points: [O, P], Axes: [n, u], Distance: s}}\n"
        "AppliedForces: {Gravity: [0, 0, -10]}\n"
        "Friction: {f: {Joint: tube, Coefficient: 0.25, Radius: 0.1}}\n"
        "ProblemData: {tend: 5, positions: {s: 0, v: [0, 1, 0]},\n"
        "  velocities: {s: 3, v: [0, 0, 40]}}\n";
    const double t = 5.0 / 2.5;
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, 1e-12, (const double[]){1.0, 5.0}, 2);
        assert_string_equal(notes_of(s)->event[0].kind, "stick");
        assert_near(notes_of(s)->event[0].t, t, 0.0, 1e-11);
        assert_near(value(s, 0, "s'"), 3.0 * 0.5, 0.0, 1e-11);
        assert_near(value(s, 0, "f.N"), 20.0, 1e-10, 0.0);
        assert_near(value(s, 1, "s"), 0.5 * 3.0 * t, 0.0, 1e-11);
        assert_near(value(s, 1, "vy"), cos(0.5 * 40.0 * t), 0.0, 1e-9);
        solution_free(s);
    }
}

/* A plate on a plane, with and without friction against turning; its inertia that of its mass at
 * the radius. */
static void test_plate(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0], n: [0, 0, 1], a: [1, 0, 0]}\n"
                 "  Rigids: {plate: {Elements: [P, u, v], Geom: [[0, 0, 1], [1, 0, 0]],\n"
                 "    Dyna: [[0, 0, 0], 2, [0.1, 0.1, 0.08]]}}\n"
                 "  Joints: {table: {Type: planar, Points: [O, P], Axes: [n, u]}}\n"
                 "AppliedForces: {Gravity: [0, 0, -10]}\n"
                 "Friction: {f: {Joint: table, Coefficient: 0.3%s}}\n"
                 "ProblemData: {tend: 9, positions: {P: [0, 0, 0], v: [1, 0, 0]},\n"
                 "  velocities: {P: [1, 2, 0], v: [0, 10, 0]}}\n",
                 k == 0 ? "" : ", Radius: 0.2");
        const double speed = k == 0 ? sqrt(5.0) : 3.0, t = speed / 3.0;
        for (int f = 0; f < FORMULATIONS; f++) {
            solution *s = run(text, f, 1e-12, (const double[]){9.0}, 1);
            assert_string_equal(notes_of(s)->event[0].kind, "stick");
            assert_near(notes_of(s)->event[0].t, t, 0.0, 1e-11);
            assert_near(value(s, 0, "Px"), 0.5 * t, 0.0, 1e-11);
            assert_near(value(s, 0, "Py"), t, 0.0, 1e-11);
            assert_near(value(s, 0, "vx"), cos(k == 0 ? 90.0 : 5.0 * t), 0.0, 1e-9);
            solution_free(s);
        }
    }
}

/* A pendulum on a ball that rubs is stopped by a wall at the distance d: with the impulse L there,
 * P of the joint and T of its friction, J (w+ - w-) = -d L - r T, m c (w+ - w-) = P - L,
 * T = mu |P| while it goes on turning, w+ = -e w-. */
static void test_blow(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], n: [-1, 0, 0], W: [0, 0, 0]}\n"
        "  Rigids: {bob: {Elements: [P, u, v, A], Geom: [[0, 0, -1], [0, 1, 0], [0, 0, -1]],\n"
        "    Dyna: [[0, 0, -0.4], 2, [0.2, 0.2, 0.1]]}}\n"
        "  Joints: {ball: {Type: spherical, Points: [O, P]}}\n"
        "Friction: {f: {Joint: ball, Coefficient: 0.5, Radius: 0.1}}\n"
        "Contacts: {wall: {Point: A, On: {Plane: [W, n]}, Restitution: 0.6}}\n"
        "ProblemData: {tend: 0.2, positions: {u: [-0.28, 0, -0.96], v: [0, 1, 0]},\n"
        "  velocities: {u: [4.8, 0, -1.4]}}\n";
    const double J = 0.2 + 2.0 * 0.16, e = 0.6;
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = FORMULATION[f];
        o.reactions = true;
        solution *s = solve_text(text, &o);
        const taut_happened *hit = NULL, *joint = NULL;
        for (int i = 0; i < notes_of(s)->events; i++) {
            if (strcmp(notes_of(s)->event[i].name, "wall") == 0) hit = &notes_of(s)->event[i];
            if (strcmp(notes_of(s)->event[i].name, "ball") == 0) joint = &notes_of(s)->event[i];
        }
        assert_non_null(hit);
        assert_non_null(joint);
        const double at = hit->t;
        solution *before = run(text, f, 1e-12, (const double[]){at * (1.0 - 1e-9)}, 1);
        const double w = length(value(before, 0, "ux'"), 0.0, value(before, 0, "uz'"));
        const double change = -(1.0 + e) * w; /* of the angular velocity */
        /* it turns back behind the blow, so friction works against that: T = -mu |P| */
        double L = -J * change;
        for (int i = 0; i < 100; i++) {
            const double P = 0.8 * change / 2.0 * 2.0 + L;
            L = -J * change + 0.1 * 0.5 * fabs(P);
        }
        assert_near(hit->impulse, L, 0.0, 1e-7);
        assert_near(joint->impulse, fabs(0.8 * change + L), 0.0, 1e-7);
        solution_free(before);
        solution_free(s);
    }
}

/* ---- what is refused ---- */

static void test_refusals(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"Joint: ball, Coefficient: 1",
         "'Radius' is missing: where a pin or a thread rubs, from its axis, or a ball"},
        {"Joint: thin, Coefficient: 1, Radius: 1",
         "how 'thin' turns is not known, because the body 'rod' has too few points and vectors"},
        {"Joint: cardan, Coefficient: 1, Radius: 1", "not for 'cardan', a universal joint"},
    };
    for (int i = 0; i < 3; i++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0], n: [1, 0, 0], E: [5, 0, 0]}\n"
                 "  Rigids:\n"
                 "    top: {Elements: [P, u, v], Geom: [[1, 0, 0], [0, 1, 0]],\n"
                 "      Dyna: [[0, 0, 0], 2, [0.3, 0.3, 0.3]]}\n"
                 "    rod: {Elements: [Q, R], Geom: [[1, 0, 0]], Dyna: [[0.5, 0, 0], 1, 1]}\n"
                 "    fork: {Elements: [S, a, b], Geom: [[1, 0, 0], [0, 1, 0]],\n"
                 "      Dyna: [[0, 0, 0], 2, [0.3, 0.3, 0.3]]}\n"
                 "  Joints:\n"
                 "    ball: {Type: spherical, Points: [O, P]}\n"
                 "    thin: {Type: spherical, Points: [P, Q]}\n"
                 "    cardan: {Type: universal, Points: [E, S], Axes: [n, b]}\n"
                 "Friction: {f: {%s}}\n"
                 "ProblemData: {tend: 1, positions: {u: [1, 0, 0], v: [0, 1, 0], R: [1, 0, 0],\n"
                 "  a: [0, 0, 1], b: [0, 1, 0]}}\n",
                 wrong[i][0]);
        taut_run_options o = taut_run_options_default();
        solution *s = try_text(text, &o);
        if (s->status == TAUT_OK || !strstr(s->errors.item[0].message, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0],
                     s->errors.count ? s->errors.item[0].message : "it runs");
        assert_int_equal(s->errors.item[0].line, 14);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heavy_top),  cmocka_unit_test(test_spin_stops),
        cmocka_unit_test(test_ball_holds), cmocka_unit_test(test_setting_off),
        cmocka_unit_test(test_sleeve),     cmocka_unit_test(test_plate),
        cmocka_unit_test(test_blow),       cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
