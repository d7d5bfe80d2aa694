/* Friction in space against closed forms and an integrator of its own: stops that turn, setting off
 * from rest, impacts, several feet of one body. */
#include "solve_text.h"

#include <math.h>

static solution *run(const char *text, const char *formulation, double tol, const double *at,
                     int ats) {
    taut_run_options o = at_tolerance(tol);
    o.formulation = formulation;
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

/* ---- stops ---- */

/* Thrown across an incline of 20 degrees with mu = k tan: the speed is v0 tan(phi/2)^k/sin phi, phi
 * the angle to the line of fall, so time and way to the stop are integrals of powers. */
static void test_turning_stop(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {al: 20 deg}\n"
        "Dimension: 3\n"
        "PartData: {Fixed: {O: [0, 0, 0], n: [sin(al), 0, cos(al)]}, Particles: {P: 2}}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "Contacts: {f: {Point: P, On: {Plane: [O, n]}, Friction: 1.5*tan(al)}}\n"
        "ProblemData: {tend: 1000, positions: {P: [0, 0, 0]}, velocities: {P: [0, 2, 0]}}\n";
    static const char *const formulation[] = {"natural", "relative"};
    const double k = 1.5, a = 9.81 * sin(20.0 * M_PI / 180.0);
    const double t = 2.0 / a * k / (k * k - 1.0);
    const double across = 2.0 / a * (1.0 / (2.0 * k - 1.0) + 1.0 / (2.0 * k + 1.0));
    const double down = 1.0 / a * (1.0 / (2.0 * k - 2.0) - 1.0 / (2.0 * k + 2.0));
    for (int f = 0; f < 2; f++) {
        solution *s = run(text, formulation[f], 1e-12, (const double[]){t + 0.1, 1000.0}, 2);
        assert_int_equal(notes_of(s)->events, 1);
        assert_string_equal(notes_of(s)->event[0].kind, "stick");
        assert_near(notes_of(s)->event[0].t, t, 0.0, 1e-12);
        for (int row = 0; row < 2; row++) {
            assert_near(value(s, row, "Py"), across, 0.0, 1e-12);
            assert_near(value(s, row, "Px"), down * cos(20.0 * M_PI / 180.0), 0.0, 1e-12);
            assert_near(value(s, row, "f.mode"), 1.0, 0.0, 0.0);
            assert_near(hypot(value(s, row, "f.T1"), value(s, row, "f.T2")), 2.0 * a, 1e-12, 0.0);
            assert_near(value(s, row, "energy") - value(s, row, "work"), 4.0, 0.0, 1e-12);
        }
        assert_near(value(s, 1, "Py"), value(s, 0, "Py"), 1e-16, 0.0); /* no creep */
        solution_free(s);
    }
}

/* The same by ho, whose matrix is singular at the stop: the time to 1e-7, the place to its square.
 */
static void test_turning_stop_by_ho(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {al: 20 deg}\n"
        "Dimension: 3\n"
        "PartData: {Fixed: {O: [0, 0, 0], n: [sin(al), 0, cos(al)]}, Particles: {P: 2}}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "Contacts: {f: {Point: P, On: {Plane: [O, n]}, Friction: 1.5*tan(al)}}\n"
        "ProblemData: {tend: 5, positions: {P: [0, 0, 0]}, velocities: {P: [0, 2, 0]}}\n";
    const double a = 9.81 * sin(20.0 * M_PI / 180.0), t = 2.0 / a * 1.2;
    taut_run_options o = at_tolerance(1e-11);
    o.solver = "ho";
    solution *s = solve_text(text, &o);
    assert_int_equal(notes_of(s)->events, 1);
    /* what is left of the speed over the least deceleration */
    assert_near(notes_of(s)->event[0].t, t, 2e-7 / (0.5 * a), 0.0);
    assert_near(last_of(s, "Py"), 2.0 / a * 0.75, 1e-10, 0.0);
    assert_near(last_of(s, "f.mode"), 1.0, 0.0, 0.0);
    solution_free(s);
}

/* With mu = tan a body that was thrown across ends with half its speed, down the incline. */
static void test_half_speed(void **state) {
    (void)state;
    static const char text[] = "PhysicalParams: {g: 9.81}\n"
                               "Lagrangian: {Coordinates: [x, y, z], "
                               "L: (x'^2 + y'^2 + z'^2)/2 - g*(0.6*x + 0.8*z)}\n"
                               "Contacts: {f: {Gap: z, Along: [x, y], Friction: 0.75}}\n"
                               "ProblemData: {tend: 40, positions: {x: 0, y: 0, z: 0}, "
                               "velocities: {x: 0, y: 2, z: 0}}\n";
    solution *s = run(text, NULL, 1e-12, (const double[]){0.1, 40.0}, 2);
    for (int row = 0; row < 2; row++) /* v - x' is a constant: here along -x */
        assert_near(hypot(value(s, row, "x'"), value(s, row, "y'")) - value(s, row, "x'"), 2.0,
                    1e-11, 0.0);
    assert_near(value(s, 1, "x'"), -1.0, 1e-11, 0.0);
    assert_near(value(s, 0, "f.N"), 9.81 * 0.8, 1e-12, 0.0);
    assert_near(hypot(value(s, 0, "f.T1"), value(s, 0, "f.T2")), 9.81 * 0.6, 1e-12, 0.0);
    assert_near(value(s, 1, "f.mode"), 2.0, 0.0, 0.0);
    solution_free(s);
}

/* ---- setting off ---- */

typedef struct point {
    double q[4]; /* x, y, x', y' */
} point;

static point rate_of(double t, const point *p) {
    const double v = hypot(p->q[2], p->q[3]);
    return (point){{p->q[2], p->q[3], 2.0 * t - 0.2 * 9.81 * p->q[2] / v,
                    0.9 * t * t - 0.2 * 9.81 * p->q[3] / v}};
}

static point add(const point *p, double h, const point *r) {
    point sum;
    for (int i = 0; i < 4; i++) sum.q[i] = p->q[i] + h * r->q[i];
    return sum;
}

/* From a short while after it sets off to t = 3, by the classical method of order 4. */
static point integrate(double t, point p) {
    while (t < 3.0) {
        double h = fmin(0.02 * hypot(p.q[2], p.q[3]), 2e-4);
        if (t + h > 3.0) h = 3.0 - t;
        const point k1 = rate_of(t, &p), p2 = add(&p, 0.5 * h, &k1);
        const point k2 = rate_of(t + 0.5 * h, &p2), p3 = add(&p, 0.5 * h, &k2);
        const point k3 = rate_of(t + 0.5 * h, &p3), p4 = add(&p, h, &k3);
        const point k4 = rate_of(t + h, &p4);
        for (int i = 0; i < 4; i++)
            p.q[i] += h / 6.0 * (k1.q[i] + 2.0 * k2.q[i] + 2.0 * k3.q[i] + k4.q[i]);
        t += h;
    }
    return p;
}

/* A force (2 t, 0.9 t^2) sets a body in motion, with a jump of the acceleration (mu_s > mu) and
 * without: there velocity and acceleration begin at zero, and the direction is that of friction. */
static void test_setting_off(void **state) {
    (void)state;
    static const double stick[2] = {0.2, 0.3}, start[2] = {0.908102977000412, 1.276074955567203};
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "Dimension: 3\n"
                 "PartData: {Fixed: {O: [0, 0, 0], n: [0, 0, 1]}, Particles: {P: 1}}\n"
                 "AppliedForces: {Gravity: [0, 0, -9.81], Forces: {P: [2*t, 0.9*t^2, 0]}}\n"
                 "Contacts: {f: {Point: P, On: {Plane: [O, n]}, Friction: 0.2, Static: %g}}\n"
                 "ProblemData: {tend: 3, positions: {P: [0, 0, 0]}}\n",
                 stick[k]);
        solution *s = run(text, NULL, 1e-11, (const double[]){0.5, 3.0}, 2);
        assert_int_equal(notes_of(s)->events, 1);
        assert_string_equal(notes_of(s)->event[0].kind, "slip");
        const double t = notes_of(s)->event[0].t;
        assert_near(t, start[k], 0.0, 1e-13);
        assert_near(value(s, 0, "f.mode"), 1.0, 0.0, 0.0);
        const double force = hypot(2.0 * t, 0.9 * t * t), u = 2.0 * t / force,
                     v = 0.9 * t * t / force, e = 1e-4;
        /* friction at the start, and what the force is more by then */
        const double grows = 2.0 * u + 1.8 * t * v, jump = force - 0.2 * 9.81;
        const double speed = jump * e + 0.5 * grows * e * e;
        const double way = 0.5 * jump * e * e + grows * e * e * e / 6.0;
        const point p = integrate(t + e, (point){{way * u, way * v, speed * u, speed * v}});
        assert_near(value(s, 1, "Px"), p.q[0], k == 0 ? 2e-9 : 3e-8, 0.0);
        assert_near(value(s, 1, "Py"), p.q[1], k == 0 ? 2e-9 : 3e-8, 0.0);
        assert_near(value(s, 1, "Px'"), p.q[2], k == 0 ? 2e-9 : 3e-8, 0.0);
        assert_near(value(s, 1, "Py'"), p.q[3], k == 0 ? 2e-9 : 3e-8, 0.0);
        assert_near(value(s, 1, "energy") - value(s, 1, "work"), 0.0, 1e-10, 0.0);
        solution_free(s);
    }
}

/* A turntable takes a body along up to mu g = omega' r and omega^2 r, both directions at once. */
static void test_turntable(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {a: 0.5, r: 0.4, mu: 0.3}\n"
        "Lagrangian: {Coordinates: [x, y, z], L: (x'^2 + y'^2 + z'^2)/2 - 9.81*z}\n"
        "Contacts: {f: {Gap: z, Along: [x*cos(a*t^2/2) + y*sin(a*t^2/2), "
        "-x*sin(a*t^2/2) + y*cos(a*t^2/2)], Friction: mu}}\n"
        "ProblemData: {tend: 6, positions: {x: r, y: 0, z: 0}, velocities: {x: 0, y: 0, z: 0}}\n";
    /* (a^2 r)^2 t^4 + (a r)^2 = (mu g)^2, with omega = a t */
    const double t = pow((pow(0.3 * 9.81, 2) - pow(0.5 * 0.4, 2)) / pow(0.5 * 0.5 * 0.4, 2), 0.25);
    solution *s = run(text, NULL, 1e-12, (const double[]){t - 0.1}, 1);
    assert_near(notes_of(s)->event[0].t, t, 0.0, 1e-12);
    assert_string_equal(notes_of(s)->event[0].kind, "slip");
    const double angle = 0.25 * (t - 0.1) * (t - 0.1);
    assert_near(value(s, 0, "x"), 0.4 * cos(angle), 1e-12, 0.0);
    assert_near(value(s, 0, "y"), 0.4 * sin(angle), 1e-12, 0.0);
    solution_free(s);
}

/* ---- impacts ---- */

/* Thrown obliquely: friction stops it, or takes mu (1 + e) v of its speed without a turn. */
static void test_impact(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "Dimension: 3\n"
                 "PartData: {Fixed: {O: [0, 0, 0], n: [0, 0, 1]}, Particles: {P: 2}}\n"
                 "AppliedForces: {}\n"
                 "Contacts: {f: {Point: P, On: {Plane: [O, n]}, Friction: %g, Static: 0.9,\n"
                 "  Restitution: 0.5}}\n%sProblemData: {tend: 2, positions: {P: [0, 0, 1]}, "
                 "velocities: {P: [0.6, 0.8, -1]}}\n",
                 k == 0 ? 0.2 : 0.9, k == 0 ? "Impact: poisson\n" : "");
        solution *s = run(text, NULL, 1e-12, (const double[]){2.0}, 1);
        const double left = k == 0 ? 1.0 - 0.2 * 1.5 : 0.0;
        assert_near(value(s, 0, "Px'"), 0.6 * left, 1e-14, 0.0);
        assert_near(value(s, 0, "Py'"), 0.8 * left, 1e-14, 0.0);
        assert_near(value(s, 0, "Pz'"), 0.5, 1e-14, 0.0);
        assert_near(notes_of(s)->event[0].impulse, 3.0, 1e-13, 0.0);
        assert_string_equal(notes_of(s)->impact, k == 0 ? "poisson" : "newton");
        solution_free(s);
    }
}

/* ---- several feet ---- */

#define STOOL(angle)                                                                               \
    "PhysicalParams: {al: " angle ", mu: 0.3}\n"                                                   \
    "Dimension: 3\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0, 0], n: [sin(al), 0, cos(al)]}\n"                                          \
    "  Rigids: {stool: {Elements: [A, B, C, v], Geom: [[0.4], [0.1, 0.3], [0, 0, 1]], "            \
    "Dyna: [[0.2, 0.1, 0.2], 3, [0.1, 0.1, 0.1]]}}\n"                                              \
    "AppliedForces: {Gravity: [0, 0, -9.81]}\n"                                                    \
    "Contacts:\n"                                                                                  \
    "  a: {Corner: A, On: {Plane: [O, n]}, Friction: mu}\n"                                        \
    "  b: {Corner: B, On: {Plane: [O, n]}, Friction: mu}\n"                                        \
    "  c: {Corner: C, On: {Plane: [O, n]}, Friction: mu}\n"                                        \
    "ProblemData: {tend: 1000, positions: {A: [0, 0, 0], "                                         \
    "B: [0.4*cos(al), 0, -0.4*sin(al)], C: [0.1*cos(al), 0.3, -0.1*sin(al)], "                     \
    "v: [sin(al), 0, cos(al)]}}\n"

/* Three feet that stick are nine conditions for six freedoms: the stool stands as long as its feet
 * can share the load, up to the angle of friction itself, and slides beyond. */
static void test_stool(void **state) {
    (void)state;
    const double below = 0.2914, above = 0.2915; /* atan(0.3) = 0.291457 */
    solution *s = run(STOOL("0.2914"), NULL, 1e-10, (const double[]){3.0, 1000.0}, 2);
    assert_int_equal(notes_of(s)->events, 0);
    assert_true(notes_of(s)->remarks > 0 && strstr(notes_of(s)->remark[0], "share the forces"));
    for (int row = 0; row < 2; row++) {
        static const char foot[] = "abc";
        double load = 0.0, pull = 0.0;
        assert_near(value(s, row, "Bx"), 0.4 * cos(below), 2e-16, 0.0);
        for (int i = 0; i < 3; i++) {
            char name[3][8];
            for (int k = 0; k < 3; k++)
                snprintf(name[k], sizeof name[k], "%c.%s", foot[i],
                         k == 0   ? "N"
                         : k == 1 ? "T1"
                                  : "T2");
            const double N = value(s, row, name[0]), T1 = value(s, row, name[1]),
                         T2 = value(s, row, name[2]);
            assert_true(hypot(T1, T2) <= 0.3 * N);
            load += N;
            pull += T1;
        }
        assert_near(load, 3.0 * 9.81 * cos(below), 1e-12, 0.0);
        assert_near(pull, -3.0 * 9.81 * sin(below), 1e-12, 0.0);
    }
    solution_free(s);
    s = run(STOOL("0.2915"), NULL, 1e-12, (const double[]){0.0, 3.0}, 2);
    const double a = 9.81 * (sin(above) - 0.3 * cos(above));
    assert_near(value(s, 1, "Ax"), 4.5 * a * cos(above), 1e-12, 0.0);
    assert_near(value(s, 1, "Ay"), 0.0, 1e-12, 0.0);
    assert_near(value(s, 1, "energy") - value(s, 1, "work"), value(s, 0, "energy"), 1e-12, 0.0);
    assert_near(value(s, 1, "work"), -0.3 * 3.0 * 9.81 * cos(above) * 4.5 * a, 1e-12, 0.0);
    solution_free(s);
}

/* The same in the plane: a block whose corners carry very different loads. */
static void test_block(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {al: 0.2914}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [cos(al), -sin(al)]}\n"
        "  Rigids: {block: {Elements: [A, B], Geom: [[0.4]], Dyna: [[0.05, 0.05], 3, 0.1]}}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts:\n"
        "  a: {Corner: A, On: {Line: [O, u]}, Friction: 0.3}\n"
        "  b: {Corner: B, On: {Line: [O, u]}, Friction: 0.3}\n"
        "ProblemData: {tend: 1000, positions: {A: [0, 0], B: [0.4*cos(al), -0.4*sin(al)]}}\n";
    static const char *const formulation[] = {"natural", "reference", "relative"};
    for (int k = 0; k < 3; k++) {
        solution *s = run(text, formulation[k], 1e-10, (const double[]){1000.0}, 1);
        assert_int_equal(notes_of(s)->events, 0);
        assert_near(value(s, 0, "Bx"), 0.4 * cos(0.2914), 2e-16, 0.0);
        assert_near(value(s, 0, "a.T") / value(s, 0, "a.N"), -tan(0.2914), 1e-11, 0.0);
        assert_near(value(s, 0, "b.T") / value(s, 0, "b.N"), -tan(0.2914), 1e-11, 0.0);
        solution_free(s);
    }
}

/* The corner of a free body with three different moments of inertia strikes a plane and slips on:
 * the impulse is that of its mass centre, and obeys the law whatever the program thinks of it. */
static void test_corner(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], n: [0, 0, 1]}\n"
        "  Rigids: {box: {Elements: [C, A, u], Geom: [[0.3, 0.2, -0.25], [1, 0, 0]],\n"
        "    Dyna: [[0, 0, 0], 2, [0.02, 0.11, 0.1]]}}\n"
        "Contacts: {f: {Point: A, On: {Plane: [O, n]}, Restitution: 0.5, Friction: 0.15}}\n"
        "ProblemData: {tend: 1, positions: {C: [0, 0, 0.5], A: [0.3, 0.2, 0.25], u: [1, 0, 0]},\n"
        "  velocities: {C: [0.7, 0.4, -1], A: [0.7, 0.4, -1], u: [0, 0, 0]}}\n";
    static const char *const formulation[] = {"natural", "reference", "relative"};
    for (int f = 0; f < 3; f++) {
        solution *s = run(text, formulation[f], 1e-12, (const double[]){0.1, 0.25}, 2);
        const double p[3] = {2.0 * (value(s, 1, "Cx'") - 0.7), 2.0 * (value(s, 1, "Cy'") - 0.4),
                             2.0 * (value(s, 1, "Cz'") + 1.0)};
        const double slip[2] = {value(s, 1, "Ax'"), value(s, 1, "Ay'")};
        const double speed = hypot(slip[0], slip[1]);
        assert_near(notes_of(s)->event[0].t, 0.25, 0.0, 1e-13);
        assert_near(notes_of(s)->event[0].impulse, p[2], 0.0, 1e-12);
        assert_near(value(s, 1, "Az'"), 0.5, 0.0, 1e-12);
        assert_near(hypot(p[0], p[1]), 0.15 * p[2], 0.0, 1e-11);
        assert_true(speed > 0.1);
        for (int k = 0; k < 2; k++) /* against what is left of the sliding */
            assert_near(p[k], -0.15 * p[2] * slip[k] / speed, 1e-11, 0.0);
        assert_true(fabs(slip[0] * 0.4 - slip[1] * 0.7) > 0.01); /* which has turned */
        solution_free(s);
    }
}

/* ---- laws of the speed, jams ---- */

/* A Stribeck law, mu = m0/(1 + v/v0) with v0 = 1/2: v + v^2 falls at the rate m0 g, in any
 * direction.
 */
static void test_stribeck(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\n"
        "PartData: {Fixed: {O: [0, 0, 0], n: [0, 0, 1]}, Particles: {P: 2}}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "Contacts: {f: {Point: P, On: {Plane: [O, n]}, Friction: 0.3/(1 + speed/0.5)}}\n"
        "ProblemData: {tend: 12, positions: {P: [0, 0, 0]}, velocities: {P: [3, 4, 0]}}\n";
    const double rate = 0.3 * 9.81, way = (12.5 + 250.0 / 3.0) / rate;
    for (int f = 0; f < 2; f++) {
        solution *s = run(text, f ? "relative" : "natural", 1e-12, (const double[]){5.0, 12.0}, 2);
        const double v = hypot(value(s, 0, "Px'"), value(s, 0, "Py'"));
        assert_near(v + v * v, 30.0 - 5.0 * rate, 1e-11, 0.0);
        assert_int_equal(notes_of(s)->events, 1);
        assert_near(notes_of(s)->event[0].t, 30.0 / rate, 0.0, 1e-11);
        assert_near(value(s, 1, "Px"), 0.6 * way, 0.0, 1e-11);
        assert_near(value(s, 1, "Py"), 0.8 * way, 0.0, 1e-11);
        solution_free(s);
    }
}

/* The same across an incline, where it turns: v' = -mu(v) g cos - along, w' = g sin - mu g cos
 * w/|v|, by Runge's method of order four with steps of its own. */
static void slide(const double *v, double *a) {
    const double al = 20.0 * M_PI / 180.0, speed = hypot(v[0], v[1]);
    const double mu = 0.6 / (1.0 + speed), drag = mu * 9.81 * cos(al) / speed;
    a[0] = 9.81 * sin(al) - drag * v[0];
    a[1] = -drag * v[1];
}

static void test_stribeck_on_incline(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {al: 20 deg}\n"
        "Dimension: 3\n"
        "PartData: {Fixed: {O: [0, 0, 0], n: [sin(al), 0, cos(al)]}, Particles: {P: 2}}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "Contacts: {f: {Point: P, On: {Plane: [O, n]}, Friction: 0.6/(1 + speed)}}\n"
        "ProblemData: {tend: 0.5, positions: {P: [0, 0, 0]}, velocities: {P: [0, 2, 0]}}\n";
    enum { STEPS = 20000 };
    const double h = 0.5 / STEPS;
    double v[2] = {0.0, 2.0};
    for (int i = 0; i < STEPS; i++) {
        double k[4][2], u[2];
        for (int stage = 0; stage < 4; stage++) {
            const double part = stage == 0 ? 0.0 : stage < 3 ? 0.5 * h : h;
            for (int d = 0; d < 2; d++) u[d] = v[d] + (stage ? part * k[stage - 1][d] : 0.0);
            slide(u, k[stage]);
        }
        for (int d = 0; d < 2; d++)
            v[d] += h / 6.0 * (k[0][d] + 2.0 * k[1][d] + 2.0 * k[2][d] + k[3][d]);
    }
    solution *s = run(text, "natural", 1e-13, NULL, 0);
    assert_near(last_of(s, "Py'"), v[1], 1e-11, 0.0);
    assert_near(last_of(s, "Px'"), v[0] * cos(20.0 * M_PI / 180.0), 1e-11, 0.0);
    assert_near(last_of(s, "energy") - last_of(s, "work"), 4.0, 1e-11, 0.0);
    solution_free(s);
}

/* Painleve's rod, in any vertical plane: the same borders as in the plane. Where it slides forces
 * are of the order 1e7, so a short time is enough. */
static void test_painleve(void **state) {
    (void)state;
    const double mu = 1.4, root = sqrt(9.0 * mu * mu - 16.0);
    const double border[] = {atan(0.5 * (3.0 * mu - root)), atan(0.5 * (3.0 * mu + root))};
    for (int k = 0; k < 8; k++) {
        const double q = border[k & 1] + (k & 2 ? 1e-6 : -1e-6), turn = k & 4 ? 0.7 : -2.1;
        const double x = cos(turn), y = sin(turn);
        char text[900];
        snprintf(text, sizeof text,
                 "Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0], n: [0, 0, 1]}\n"
                 "  Rigids: {rod: {Elements: [A, B], Geom: [[1, 0, 0]],\n"
                 "    Dyna: [[0.5, 0, 0], 1, 1/12]}}\n"
                 "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
                 "Contacts: {tip: {Point: A, On: {Plane: [O, n]}, Friction: 1.4}}\n"
                 "ProblemData: {tend: 1e-12,\n"
                 "  positions: {A: [0, 0, 0], B: [%.17g, %.17g, %.17g]},\n"
                 "  velocities: {A: [%.17g, %.17g, 0], B: [%.17g, %.17g, 0]}}\n",
                 cos(q) * x, cos(q) * y, sin(q), -x, -y, -x, -y);
        taut_run_options o = at_tolerance(1e-10);
        solution *s = try_text(text, &o);
        const bool jams = ((k & 1) == 0) == ((k & 2) != 0);
        assert_int_equal(s->status, jams ? TAUT_ERR_NUMERICS : TAUT_OK);
        if (jams)
            assert_non_null(strstr(s->errors.item[0].message,
                                   "no motion is possible (contact 'tip'): friction jams it"));
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turning_stop),
                                       cmocka_unit_test(test_turning_stop_by_ho),
                                       cmocka_unit_test(test_half_speed),
                                       cmocka_unit_test(test_setting_off),
                                       cmocka_unit_test(test_turntable),
                                       cmocka_unit_test(test_impact),
                                       cmocka_unit_test(test_corner),
                                       cmocka_unit_test(test_stool),
                                       cmocka_unit_test(test_block),
                                       cmocka_unit_test(test_stribeck),
                                       cmocka_unit_test(test_stribeck_on_incline),
                                       cmocka_unit_test(test_painleve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
