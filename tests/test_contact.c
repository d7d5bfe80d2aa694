/* Contacts, limits and friction against closed forms; wrong files word by word. */
#include "solve_text.h"

#include <math.h>

#include "program.h"

static solution *run(const char *text, const char *solver, double tol, const double *at, int ats) {
    taut_run_options o = at_tolerance(tol);
    o.solver = solver;
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

static void check_event(const solution *s, int i, double t, const char *name, const char *kind,
                        double digits) {
    const taut_notes *n = notes_of(s);
    assert_true(i < n->events);
    assert_string_equal(n->event[i].name, name);
    assert_string_equal(n->event[i].kind, kind);
    assert_near(n->event[i].t, t, 0.0, digits);
}

/* ---- bounces ---- */

#define BALL                                                                                       \
    "Lagrangian: {Coordinates: [y], L: y'^2/2 - 9.81*y}\n"                                         \
    "Contacts: {floor: {Gap: y, Restitution: 0.8}}\n"                                              \
    "ProblemData: {tend: 6, positions: {y: 1}}\n"

/* Bounces get shorter without end; at the limit time the ball rests. */
static void test_ball(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho", "auto"};
    for (int k = 0; k < 3; k++) {
        solution *s = run(BALL, solver[k], 1e-10, (const double[]){1.0, 4.5, 6.0}, 3);
        const taut_notes *n = notes_of(s);
        check_event(s, 0, 0.451523640985731, "floor", "impact", 1e-13);
        check_event(s, n->events - 1, 4.063712768871579, "floor", "accumulation", 1e-12);
        assert_near(n->event[0].impulse, 1.8 * sqrt(2.0 * 9.81), 1e-12, 0.0);
        assert_near(n->event[5].impulse, 1.8 * sqrt(2.0 * 9.81) * pow(0.8, 5), 1e-12, 0.0);
        assert_near(value(s, 0, "y"), 0.46800445252603634, 1e-13, 0.0);
        for (int row = 1; row < 3; row++) {
            assert_true(value(s, row, "y") == 0.0 && value(s, row, "y'") == 0.0);
            assert_near(value(s, row, "floor.N"), 9.81, 1e-14, 0.0);
            assert_near(value(s, row, "floor.mode"), 1.0, 0.0, 0.0);
        }
        assert_near(value(s, 0, "floor.mode"), 0.0, 0.0, 0.0);
        assert_near(value(s, 0, "floor.N"), 0.0, 1e-30, 0.0);
        solution_free(s);
    }
}

/* What impacts take is in the work: energy - work stays, through a hundred of them. */
static void test_balance(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData: {Particles: {A: 2}}\n"
                               "AppliedForces: {Gravity: [0, -9.81]}\n"
                               "Contacts:\n"
                               "  floor: {Gap: Ay, Restitution: 0.99}\n"
                               "  wall: {Gap: 1 - Ax, Restitution: 0.98}\n"
                               "Limits: {Ax: {Lower: 0, Restitution: 0.98}}\n"
                               "ProblemData: {tend: 40, positions: {A: [0.3, 1]}, "
                               "velocities: {A: [3, 0]}}\n";
    taut_run_options o = at_tolerance(1e-12);
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(text, &o);
    assert_true(notes_of(s)->events >= 100);
    for (long i = 0; i < taut_result_rows(s->result); i++)
        assert_near(value(s, i, "energy") - value(s, i, "work"), 2.0 * 9.81 + 9.0, 0.0, 1e-12);
    const long last = taut_result_rows(s->result) - 1;
    assert_true(value(s, last, "work") < -10.0);
    solution_free(s);
}

/* A ball on a plate that is driven: the driver does work in impacts as well, which lift or stop the
 * ball, and which the law of impact does not bring. */
static void test_driven_plate(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], v: [0, 1]}\n"
        "  Rigids: {plate: {Elements: [P, w, q], Geom: [[1, 0], [0, 1]], Dyna: [[0, 0], 1, 1]}}\n"
        "  Particles: {B: 0.5}\n"
        "  Joints: {lift: {Type: prismatic, Points: [O, P], Axes: [v, q], Distance: h}}\n"
        "Drivers: {h: 0.1*sin(10*t)}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {top: {Point: B, On: {Line: [P, w]}, Restitution: 0.5, Friction: 0.3}}\n"
        "ProblemData: {tend: 1, positions: {P: [0, 0], w: [1, 0], q: [0, 1], B: [0.2, 0.3]}}\n";
    static const char *const formulation[] = {"natural", "reference", "relative"};
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        o.every = TAUT_EVERY_STEP;
        solution *s = solve_text(text, &o);
        assert_true(notes_of(s)->events > 20);
        for (int i = 0; i < notes_of(s)->remarks; i++)
            assert_null(strstr(notes_of(s)->remark[i], "brings the energy"));
        /* the first blow: 0.5 (1 + e) times the rate at which ball and plate meet */
        const double t = notes_of(s)->event[0].t, v = -9.81 * t - cos(10.0 * t);
        assert_near(0.3 - 0.5 * 9.81 * t * t, 0.1 * sin(10.0 * t), 1e-13, 0.0);
        assert_near(notes_of(s)->event[0].impulse, -0.75 * v, 1e-12, 0.0);
        for (long i = 0; i < taut_result_rows(s->result); i++)
            assert_near(value(s, i, "energy") - value(s, i, "work"), 0.5 * 9.81 * 0.3 + 0.5 * 1.0,
                        1e-12, 0.0);
        solution_free(s);
    }
}

/* Between two walls the times of impacts and the speeds are a geometric sequence. */
static void test_two_stops(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData: {Fixed: {O: [0, 0], u: [1, 0]}, Particles: {A: 2},\n"
                               "  Collinears: {OuA: s}}\n"
                               "Limits: {s: {Lower: -1, Upper: 1, Restitution: 0.5}}\n"
                               "ProblemData: {tend: 14, positions: {s: 0}, velocities: {s: 1}}\n";
    solution *s = run(text, "taylor", 1e-12, NULL, 0);
    const double t[] = {1.0, 5.0, 13.0};
    assert_int_equal(notes_of(s)->events, 3);
    for (int i = 0; i < 3; i++) {
        check_event(s, i, t[i], "s", "impact", 1e-13);
        assert_near(notes_of(s)->event[i].impulse, 3.0 * pow(0.5, i), 1e-12, 0.0);
    }
    solution_free(s);
}

/* ---- several at once ---- */

#define CRADLE(c)                                                                                  \
    "Lagrangian: {Coordinates: [a, b, c], L: (a'^2 + b'^2 + c'^2)/2}\n"                            \
    "Contacts: {ab: {Gap: b - a - 1, Restitution: 1}, bc: {Gap: c - b - 1, Restitution: 1}}\n"     \
    "ProblemData: {tend: 3, positions: {a: -1, b: 1, c: " c "}, velocities: {a: 1}}\n"

static void test_cradle(void **state) {
    (void)state;
    const double end[] = {3.0};
    solution *s = run(CRADLE("2"), "taylor", 1e-12, end, 1);
    assert_near(value(s, 0, "a'"), -1.0 / 3.0, 1e-14, 0.0);
    assert_near(value(s, 0, "b'"), 2.0 / 3.0, 1e-14, 0.0);
    assert_near(value(s, 0, "c'"), 2.0 / 3.0, 1e-14, 0.0);
    assert_int_equal(notes_of(s)->events, 2);
    check_event(s, 1, 1.0, "bc", "impact", 1e-14);
    solution_free(s);
    s = run(CRADLE("2.000001"), "taylor", 1e-12, end, 1);
    assert_near(value(s, 0, "a'"), 0.0, 1e-14, 0.0);
    assert_near(value(s, 0, "b'"), 0.0, 1e-14, 0.0);
    assert_near(value(s, 0, "c'"), 1.0, 1e-14, 0.0);
    solution_free(s);
}

/* Two stops at once in a loop with a constraint too many: the motion is that of one crank, and
 * which stop carries how much is not determined. */
static void test_redundant_loop(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PhysicalParams: {x: 0.5*cos(60 deg), y: 0.5*sin(60 deg)}\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], P: [1, 0], Q: [2, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.5]], Dyna: [[0.25, 0], 1, 0.02]}\n"
        "    PB: {Geom: [[0.5]], Dyna: [[0.25, 0], 1, 0.02]}\n"
        "    QC: {Geom: [[0.5]], Dyna: [[0.25, 0], 1, 0.02]}\n"
        "    ABC: {Geom: [[1], [2]], Dyna: [[1, 0], 3, 0.5]}\n"
        "Angles: {a: OA, b: PB, c: QC}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Limits:\n"
        "  a: {Lower: 20 deg, Restitution: 0.5}\n"
        "  c: {Lower: 20 deg, Restitution: 0.5}\n"
        "ProblemData: {tend: 2, positions: {A: [x, y], B: [x + 1, y], C: [x + 2, y]}}\n";
    taut_run_options o = at_tolerance(1e-12);
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(text, &o);
    const long last = taut_result_rows(s->result) - 1;
    const double deg = acos(-1.0) / 180.0, I = 3.0 * (0.02 + 0.0625) + 0.75;
    /* energy: I w^2/2 = m g (heights), with 1.5 m of three cranks and the coupler's 3 m at the end
     */
    const double weight = 9.81 * (3.0 * 0.25 + 3.0 * 0.5);
    const double w = sqrt(2.0 * weight * (sin(60.0 * deg) - sin(20.0 * deg)) / I);
    const taut_notes *n = notes_of(s);
    assert_near(n->event[0].impulse, 1.5 * I * w, 1e-10, 0.0);
    assert_near(n->event[1].impulse, 0.75 * I * w, 1e-10, 0.0);
    for (int i = 1; i < n->events; i++) assert_true(n->event[i].t >= n->event[i - 1].t);
    for (long i = 0; i <= last; i++)
        assert_near(value(s, i, "energy") - value(s, i, "work"), weight * sin(60.0 * deg), 1e-12,
                    1e-12);
    assert_near(value(s, last, "a"), 20.0 * deg, 1e-13, 0.0);
    assert_near(value(s, last, "c"), 20.0 * deg, 1e-13, 0.0);
    assert_near(value(s, last, "a.lower.N") + value(s, last, "c.lower.N"), weight * cos(20.0 * deg),
                1e-11, 0.0);
    solution_free(s);
}

/* Half-periods of a slender block that rocks by little are a geometric sequence in the end: so the
 * sum of those to come follows from any two of them. */
static void check_rocking_ends(const solution *s) {
    const taut_notes *n = notes_of(s);
    double t[3] = {0.0};
    int impacts = 0;
    for (int i = 0; i < n->events && impacts < 80; i++) {
        if (strcmp(n->event[i].kind, "impact") != 0) continue;
        for (int k = 0; k < 2; k++) t[k] = t[k + 1];
        t[2] = n->event[i].t;
        impacts++;
    }
    const double last = t[2] - t[1], r = last / (t[1] - t[0]);
    const double end = t[2] + r * last / (1.0 - r);
    int ends = 0;
    for (int i = 0; i < n->events; i++) {
        if (strcmp(n->event[i].kind, "accumulation") != 0) continue;
        assert_near(n->event[i].t, end, 1e-9, 0.0);
        ends++;
    }
    assert_true(ends > 0);
    assert_string_equal(n->event[n->events - 1].kind, "accumulation");
    int remarks = 0;
    for (int i = 0; i < n->remarks; i++)
        remarks += strstr(n->remark[i], "infinitely many of them") != NULL;
    assert_int_equal(remarks, ends);
}

/* A block that rocks on its corners: each impact leaves 1 - 1.5 sin^2 alpha of the rate; in the end
 * it stands on both, where forces along the ground are not determined, and the motion is. */
static void test_rocking_block(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {b: 0.1, h: 0.4, m: 1, g: 9.81, q0: 0.1}\n"
        "Lagrangian: {Coordinates: [x, y, q],\n"
        "  L: m*(x'^2 + y'^2)/2 + m*(b^2 + h^2)/3*q'^2/2 - m*g*y}\n"
        "Contacts:\n"
        "  left:  {Gap: y - b*sin(q) - h*cos(q), Along: x - b*cos(q) + h*sin(q), Friction: 10}\n"
        "  right: {Gap: y + b*sin(q) - h*cos(q), Along: x + b*cos(q) + h*sin(q), Friction: 10}\n"
        "ProblemData: {tend: 6, positions: {q: q0, x: b*cos(q0) - h*sin(q0), "
        "y: b*sin(q0) + h*cos(q0)}}\n";
    taut_run_options o = at_tolerance(1e-11);
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(text, &o);
    int impacts = 0;
    for (long i = 1; i < taut_result_rows(s->result) && impacts < 10; i++) {
        if (value(s, i, "t") != value(s, i - 1, "t")) continue;
        const double ratio = value(s, i, "q'") / value(s, i - 1, "q'");
        assert_near(ratio, 1.0 - 1.5 * 0.01 / 0.17, 0.0, 1e-11);
        impacts++;
    }
    assert_int_equal(impacts, 10);
    const long last = taut_result_rows(s->result) - 1;
    assert_near(value(s, last, "q"), 0.0, 1e-14, 0.0);
    assert_near(value(s, last, "q'"), 0.0, 1e-14, 0.0);
    assert_near(value(s, last, "left.N") + value(s, last, "right.N"), 9.81, 1e-12, 0.0);
    assert_near(value(s, last, "left.mode") + value(s, last, "right.mode"), 2.0, 0.0, 0.0);
    check_rocking_ends(s);
    solution_free(s);
}

/* A rod on a pin that strikes a stop at the distance d: where d is 2 L/3, the pin feels nothing, so
 * a free rod with the same motion, hinged by nothing, moves on in the same way. */
static void test_struck_rod(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[1]], Dyna: [[0.5, 0], 3, 0.25]}}}\n"
        "Angles: {phi: OA}\n"
        "Contacts: {stop: {Gap: d*Ay, Restitution: 0.5}}\n"
        "PhysicalParams: {d: 2/3}\n"
        "ProblemData: {tend: 1, positions: {phi: 1}, velocities: {phi: -2}}\n";
    solution *s = run(text, "taylor", 1e-12, (const double[]){1.0}, 1);
    check_event(s, 0, 0.5, "stop", "impact", 1e-12);
    assert_near(value(s, 0, "phi'"), 1.0, 1e-12, 0.0);
    /* I about O is 1: the blow is 3/d */
    assert_near(notes_of(s)->event[0].impulse, 4.5, 1e-11, 0.0);
    solution_free(s);
}

/* ---- closing and opening ---- */

/* A mass on a spring rests on a floor that sinks under it: it follows until it would have to be
 * pulled, at the acceleration -g of a floor y = cos(w t). */
static void test_lift_off(void **state) {
    (void)state;
    static const char text[] = "PhysicalParams: {w: 4, g: 9.81}\n"
                               "Lagrangian: {Coordinates: [y], L: y'^2/2 - g*y}\n"
                               "Contacts: {table: {Gap: y + cos(w*t)}}\n"
                               "ProblemData: {tend: 1, positions: {y: -1}}\n";
    solution *s = run(text, "taylor", 1e-12, (const double[]){0.3, 0.7}, 2);
    /* y = -cos(w t), N = g + w^2 cos(w t) */
    const double t = acos(-9.81 / 16.0) / 4.0;
    check_event(s, 0, t, "table", "open", 1e-11);
    assert_near(value(s, 0, "y"), -cos(1.2), 0.0, 1e-12);
    assert_near(value(s, 0, "table.N"), 9.81 + 16.0 * cos(1.2), 0.0, 1e-12);
    const double y = -cos(4.0 * t), v = 4.0 * sin(4.0 * t), u = 0.7 - t;
    assert_near(value(s, 1, "y"), y + v * u - 0.5 * 9.81 * u * u, 0.0, 1e-11);
    assert_near(value(s, 1, "table.N"), 0.0, 0.0, 0.0);
    solution_free(s);
}

/* Compliant: y'' = -g - k y - c y' below 0, from the crossing on; it never pulls. */
static void test_compliant(void **state) {
    (void)state;
    static const char text[] = "Lagrangian: {Coordinates: [y], L: y'^2/2}\n"
                               "Contacts: {pad: {Gap: y, Stiffness: 100, Damping: 4}}\n"
                               "ProblemData: {tend: 1, positions: {y: 0.1}, velocities: {y: -1}}\n";
    static const char law[] = "Lagrangian: {Coordinates: [y], L: y'^2/2}\n"
                              "Contacts: {pad: {Gap: y, Law: 100*depth + 4*rate}}\n"
                              "ProblemData: {tend: 1, positions: {y: 0.1}, velocities: {y: -1}}\n";
    const double at[] = {0.05, 0.2, 0.8};
    const double w = sqrt(96.0), t = 0.1;
    /* it leaves where k y + c y' = 0: tan(w t) = ... , found by Newton's method */
    double leave = 0.25;
    for (int i = 0; i < 60; i++) {
        const double e = exp(-2.0 * leave), sn = sin(w * leave), cs = cos(w * leave);
        const double y = -e * sn / w, v = e * (2.0 * sn / w - cs), a = -100.0 * y - 4.0 * v;
        leave -= (100.0 * y + 4.0 * v) / (100.0 * v + 4.0 * a);
    }
    const double e = exp(-2.0 * leave);
    const double y = -e * sin(w * leave) / w;
    const double v = e * (2.0 * sin(w * leave) / w - cos(w * leave));
    for (int k = 0; k < 2; k++) {
        solution *s = run(k ? law : text, "taylor", 1e-12, at, 3);
        assert_near(value(s, 0, "y"), 0.05, 0.0, 1e-12);
        assert_near(value(s, 0, "pad.mode"), 0.0, 0.0, 0.0);
        assert_near(value(s, 1, "y"), -exp(-0.2) * sin(w * 0.1) / w, 0.0, 1e-11);
        assert_near(value(s, 1, "pad.mode"), 1.0, 0.0, 0.0);
        assert_true(value(s, 1, "pad.N") > 0.0);
        assert_near(value(s, 2, "y'"), v, 0.0, 1e-11);
        assert_near(value(s, 2, "y"), y + v * (0.8 - t - leave), 0.0, 1e-11);
        solution_free(s);
    }
}

/* ---- friction ---- */

static void test_coulomb(void **state) {
    (void)state;
    static const char text[] = "Lagrangian: {Coordinates: [x], L: x'^2/2 - x^2/2}\n"
                               "Friction: {slide: {On: x, Force: 1}}\n"
                               "ProblemData: {tend: 30, positions: {x: 12}, velocities: {x: 6}}\n";
    static const char *const solver[] = {"taylor", "ho"};
    for (int k = 0; k < 2; k++) {
        solution *s = run(text, solver[k], 1e-12, (const double[]){25.0, 30.0}, 2);
        assert_int_equal(notes_of(s)->events, 8);
        for (int i = 0; i < 8; i++)
            check_event(s, i, atan(6.0 / 13.0) + i * acos(-1.0), "slide", i < 7 ? "slip" : "stick",
                        1e-12);
        for (int row = 0; row < 2; row++)
            assert_near(value(s, row, "x"), 15.0 - sqrt(205.0), 1e-11, 0.0);
        assert_true(value(s, 0, "x") == value(s, 1, "x"));
        assert_near(value(s, 0, "slide.T"), 15.0 - sqrt(205.0), 1e-11, 0.0);
        solution_free(s);
    }
}

static void test_belt(void **state) {
    (void)state;
    static const char two[] = "Lagrangian: {Coordinates: [x], L: x'^2/2 - x^2/2}\n"
                              "Friction: {belt: {On: x - 0.2*t, Force: 0.5, Static: 1}}\n"
                              "ProblemData: {tend: 40, positions: {x: 0}, velocities: {x: 0.2}}\n";
    solution *s = run(two, "taylor", 1e-12, NULL, 0);
    const double slip = 3.902605407814522; /* pi + 2 atan(0.4) */
    assert_near(slip, acos(-1.0) + 2.0 * atan(0.4), 1e-12, 0.0);
    for (int i = 0; i < 8; i++)
        check_event(s, i, 5.0 + (i / 2) * (5.0 + slip) + (i % 2) * slip, "belt",
                    i % 2 ? "stick" : "slip", 1e-12);
    solution_free(s);
    static const char law[] = "Lagrangian: {Coordinates: [x], L: x'^2/2 - x^2/2}\n"
                              "Friction: {belt: {On: x - 0.2*t, Force: 1/(1 + 3*speed)}}\n"
                              "ProblemData: {tend: 40, positions: {x: 0}, velocities: {x: 0.2}}\n";
    const double stop = 9.29599952548;
    s = run(law, "taylor", 1e-13, &stop, 1);
    check_event(s, 0, 5.0, "belt", "slip", 1e-12);
    check_event(s, 1, 5.0 + 4.29599952548, "belt", "stick", 1e-11);
    check_event(s, 2, 5.0 + 12.001031294831, "belt", "slip", 1e-11);
    check_event(s, 4, 5.0 + 2.0 * 12.001031294831, "belt", "slip", 1e-11);
    assert_near(value(s, 0, "x"), -0.54100635387, 0.0, 1e-10);
    solution_free(s);
}

/* Below the angle of friction a block stands, to the last bit but one; above it slides. */
static void test_incline(void **state) {
    (void)state;
#define INCLINE(mu)                                                                                \
    "Dimension: 2\n"                                                                               \
    "PhysicalParams: {a: 0.4}\n"                                                                   \
    "PartData: {Particles: {A: 2}}\n"                                                              \
    "AppliedForces: {Gravity: [0, -9.81]}\n"                                                       \
    "Contacts: {plane: {Gap: cos(a)*Ay + sin(a)*Ax, Along: cos(a)*Ax - sin(a)*Ay, "                \
    "Friction: " mu "}}\n"                                                                         \
    "ProblemData: {tend: 1000, positions: {A: [0.3, -tan(a)*0.3]}}\n"
    solution *s = run(INCLINE("0.43"), "taylor", 1e-9, (const double[]){1.0, 1000.0}, 2);
    assert_int_equal(notes_of(s)->events, 0);
    for (int row = 0; row < 2; row++) {
        assert_near(value(s, row, "Ax"), 0.3, 1.2e-16, 0.0);
        assert_near(value(s, row, "Ay"), -tan(0.4) * 0.3, 6e-17, 0.0);
        assert_near(value(s, row, "plane.N"), 2.0 * 9.81 * cos(0.4), 1e-13, 0.0);
        assert_near(value(s, row, "plane.T"), -2.0 * 9.81 * sin(0.4), 1e-13, 0.0);
        assert_near(value(s, row, "plane.mode"), 1.0, 0.0, 0.0);
    }
    solution_free(s);
    s = run(INCLINE("0.42"), "taylor", 1e-12, (const double[]){10.0}, 1);
    const double a = 9.81 * (sin(0.4) - 0.42 * cos(0.4));
    assert_near(value(s, 0, "Ax"), 0.3 + 50.0 * a * cos(0.4), 0.0, 1e-12);
    assert_near(value(s, 0, "energy") - value(s, 0, "work"), -2.0 * 9.81 * tan(0.4) * 0.3, 1e-10,
                0.0);
    assert_near(value(s, 0, "work"), -2.0 * 9.81 * cos(0.4) * 0.42 * 50.0 * a, 0.0, 1e-11);
    assert_near(value(s, 0, "plane.mode"), 2.0, 0.0, 0.0);
    solution_free(s);
}

/* A body that is thrown onto the ground with e = 0: friction stops it or not within the impact. */
static void test_impact_with_friction(void **state) {
    (void)state;
    static const char text[] = "PhysicalParams: {v: 1, mu: 0.3, e: 0.5}\n"
                               "Lagrangian: {Coordinates: [x, y], L: (x'^2 + y'^2)/2}\n"
                               "Contacts: {floor: {Gap: y, Along: x, Friction: mu, "
                               "Restitution: e}}\n"
                               "ProblemData: {tend: 1.5, positions: {x: 0, y: 1}, "
                               "velocities: {x: v, y: -1}}\n";
    const double end[] = {1.5};
    solution *s = run(text, "taylor", 1e-12, end, 1); /* impulses 1.5 and 0.45 */
    assert_near(value(s, 0, "x'"), 0.55, 1e-13, 0.0);
    assert_near(value(s, 0, "y'"), 0.5, 1e-13, 0.0);
    solution_free(s);
    char other[600];
    snprintf(other, sizeof other, "%s", text);
    memcpy(strstr(other, "v: 1,"), "v: .4", 5);
    memcpy(strstr(other, " mu: 0.3"), ",mu: 0.3", 8);
    s = run(other, "taylor", 1e-12, end, 1);
    assert_near(value(s, 0, "x'"), 0.0, 1e-13, 0.0);
    solution_free(s);
    snprintf(other, sizeof other, "%s", text); /* Static has no part in impacts */
    memcpy(strstr(other, "v: 1,"), "v: .7", 5);
    memcpy(strstr(other, " mu: 0.3"), ",mu: 0.3", 8);
    memcpy(strstr(other, "Restitution: e}}"), "Static: 0.9}}   ", 16);
    s = run(other, "taylor", 1e-12, end, 1);
    assert_near(value(s, 0, "x'"), 0.4, 1e-13, 0.0);
    solution_free(s);
}

/* A rod of length 2 that falls on its end: W from its masses, both phases of the impact by hand. */
static void test_poisson(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {mu: 0.5, th: 60 deg}\n"
        "Lagrangian: {Coordinates: [x, y, a], L: (x'^2 + y'^2)/2 + a'^2/6}\n"
        "Contacts: {tip: {Gap: y - sin(a), Along: x - cos(a), Restitution: 0.5, Friction: mu}}\n"
        "Impact: poisson\n"
        "ProblemData: {tend: 0.1, positions: {x: 0, y: sin(th) + 0.01, a: th}, "
        "velocities: {x: -0.2, y: -1, a: 0}}\n";
    const double s60 = sqrt(0.75), NN = 1.75, TT = 3.25, NT = -3.0 * 0.5 * s60;
    const double det = NN * TT - NT * NT, N = (TT * 1.0 - NT * 0.2) / det;
    const double T = (NN * 0.2 - NT * 1.0) / det; /* it sticks in both phases */
    const double back = 0.5 * N, pull = -NT * back / TT;
    assert_true(T < 0.5 * N && pull < 0.5 * back);
    solution *s = run(text, "taylor", 1e-12, (const double[]){0.1}, 1);
    assert_string_equal(notes_of(s)->impact, "poisson");
    assert_near(notes_of(s)->event[0].impulse, N + back, 1e-13, 0.0);
    assert_near(value(s, 0, "x'"), -0.2 + T + pull, 1e-13, 0.0);
    assert_near(value(s, 0, "y'"), -1.0 + N + back, 1e-13, 0.0);
    assert_near(value(s, 0, "a'"), 3.0 * (-0.5 * (N + back) + s60 * (T + pull)), 1e-13, 0.0);
    solution_free(s);
    /* three balls that touch: compression gives them one velocity, expansion the same again */
    s = run(
        "Impact: poisson\n"
        "Lagrangian: {Coordinates: [a, b, c], L: (a'^2 + b'^2 + c'^2)/2}\n"
        "Contacts: {ab: {Gap: b - a - 1, Restitution: 1}, bc: {Gap: c - b - 1, Restitution: 1}}\n"
        "ProblemData: {tend: 1, positions: {a: -0.5, b: 1, c: 2}, velocities: {a: 1}}\n",
        "taylor", 1e-12, (const double[]){1.0}, 1);
    assert_near(value(s, 0, "a'"), -1.0 / 3.0, 1e-14, 0.0);
    assert_near(value(s, 0, "c'"), 2.0 / 3.0, 1e-14, 0.0);
    solution_free(s);
}

/* The same rod as a Lagrangian and as a Hamiltonian, with friction and impacts. */
static void test_hamiltonian(void **state) {
    (void)state;
#define ROD(kind)                                                                                  \
    kind "Contacts: {tip: {Gap: y - sin(a), Along: x - cos(a), Restitution: 0.5, Friction: 0.3}, " \
         "end: {Gap: y + sin(a), Along: x + cos(a), Restitution: 0.2, Friction: 0.3}}\n"           \
         "ProblemData: {tend: 3, positions: {x: 0, y: 1.2, a: 1}, velocities: {x: 1, y: 0, a: "    \
         "0}}\n"
    solution *s = run(ROD("Lagrangian: {Coordinates: [x, y, a], "
                          "L: (x'^2 + y'^2)/2 + a'^2/6 - 9.81*y}\n"),
                      "taylor", 1e-12, (const double[]){1.0, 3.0}, 2);
    solution *h = run(ROD("Hamiltonian: {Coordinates: [x, y, a], Momenta: [px, py, pa], "
                          "H: (px^2 + py^2)/2 + 3*pa^2/2 + 9.81*y}\n"),
                      "taylor", 1e-12, (const double[]){1.0, 3.0}, 2);
    static const char *const name[] = {"x", "y", "a"};
    assert_true(notes_of(s)->events >= 10);
    assert_int_equal(notes_of(s)->events, notes_of(h)->events);
    for (int i = 0; i < notes_of(s)->events; i++) {
        const taut_happened *a = &notes_of(s)->event[i], *b = &notes_of(h)->event[i];
        assert_string_equal(a->kind, b->kind);
        assert_string_equal(a->name, b->name);
        assert_near(a->t, b->t, 1e-10, 0.0);
        assert_near(a->impulse, b->impulse, 1e-9, 0.0);
    }
    for (int row = 0; row < 2; row++)
        for (int k = 0; k < 3; k++)
            assert_near(value(s, row, name[k]), value(h, row, name[k]), 1e-9, 0.0);
    solution_free(s);
    solution_free(h);
}

/* With friction Newton's law may bring energy, which is told; Poisson's never does. */
static void test_gain(void **state) {
    (void)state;
    int told = 0;
    for (int k = 0; k < 200; k++) {
        const double angle = 0.3 + 1.2 * fmod(0.618033988749895 * k, 1.0);
        const double slide = 2.0 - 4.0 * fmod(0.754877666246693 * k, 1.0);
        const double turn = 3.0 - 6.0 * fmod(0.569840290998053 * k, 1.0);
        for (int law = 0; law < 2; law++) {
            char text[500];
            snprintf(text, sizeof text,
                     "Impact: %s\n"
                     "Lagrangian: {Coordinates: [x, y, a], L: (x'^2 + y'^2)/2 + a'^2/6}\n"
                     "Contacts: {tip: {Gap: y - sin(a), Along: x - cos(a), Restitution: 0.9, "
                     "Friction: 0.6}}\n"
                     "ProblemData: {tend: 0.001, positions: {x: 0, y: sin(%.6f), a: %.6f}, "
                     "velocities: {x: %.6f, y: -4, a: %.6f}}\n",
                     law == 0 ? "newton" : "poisson", angle, angle, slide, turn);
            solution *s = run(text, "taylor", 1e-12, (const double[]){0.001}, 1);
            const double before = 8.0 + 0.5 * slide * slide + turn * turn / 6.0;
            const double gain = value(s, 0, "energy") / before - 1.0;
            const bool remark = notes_of(s)->remarks > 0;
            if (remark) assert_non_null(strstr(notes_of(s)->remark[0], "brings the energy"));
            if (law == 1) assert_true(gain < 1e-6 && !remark);
            if (law == 0) assert_true(gain > 1e-5 ? remark : gain < -1e-5 ? !remark : true);
            told += remark;
            solution_free(s);
        }
    }
    assert_true(told > 2);
}

/* ---- shapes ---- */

/* A wheel that is set down with the speed 3 slides until v - mu g t = 2 mu g t, then rolls, many
 * turns. */
static void test_wheel(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [1, 0]}\n"
        "  Rigids: {wheel: {Elements: [C, P], Geom: [[0.3]], Dyna: [[0, 0], 2, 0.09]}}\n"
        "Angles: {phi: wheel}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {rim: {Circle: [C, 0.3], On: {Line: [O, u]}, Friction: 0.5}}\n"
        "ProblemData: {tend: 20, positions: {C: [0, 0.3], phi: 0}, "
        "velocities: {C: [3, 0], P: [3, 0]}}\n";
    static const char *const formulation[] = {"natural", "reference", "relative"};
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        o.at = (const double[]){20.0};
        o.ats = 1;
        solution *s = solve_text(text, &o);
        const double t = 3.0 / (1.5 * 9.81);
        assert_int_equal(notes_of(s)->events, 1);
        check_event(s, 0, t, "rim", "stick", 1e-12);
        assert_near(value(s, 0, "Cx'"), 2.0, 1e-11, 0.0);
        assert_near(value(s, 0, "phi'"), -2.0 / 0.3, 1e-11, 0.0);
        assert_near(value(s, 0, "Cx"), 3.0 * t - 0.25 * 9.81 * t * t + 2.0 * (20.0 - t), 1e-9, 0.0);
        assert_near(value(s, 0, "energy") - value(s, 0, "work"), 9.0 + 2.0 * 9.81 * 0.3, 1e-10,
                    0.0);
        solution_free(s);
    }
}

/* A ball on a floor and a point in a bowl: the same gaps by formula and by shape. */
static void test_shapes(void **state) {
    (void)state;
    static const struct {
        const char *shape, *formula;
        int dimension;
    } list[] = {
        {"Sphere: [A, 0.1], On: {Plane: [O, n]}", "Gap: Az - 0.1", 3},
        {"Sphere: [A, 0.1], On: {Sphere: [O, 0.4]}", "Gap: sqrt(Ax^2 + Ay^2 + Az^2) - 0.5", 3},
        {"Point: A, On: {Plane: [O, [1, 0, 1]]}", "Gap: (Ax + Az)/sqrt(2)", 3},
        {"Circle: [A, 0.1], On: {Line: [O, u]}", "Gap: Ay - 0.1", 2},
        {"Corner: A, On: {Line: [O, u]}", "Gap: Ay", 2},
        {"Point: A, On: {Circle: [O, 1.1], Inside: true}", "Gap: 1.1 - sqrt(Ax^2 + Ay^2)", 2},
        {"Circle: [A, 0.05], On: {Circle: [O, 1.2], Inside: true}", "Gap: 1.15 - sqrt(Ax^2 + Ay^2)",
         2},
        {"Circle: [A, 0.1], On: {Circle: [O, 0.5]}", "Gap: sqrt(Ax^2 + Ay^2) - 0.6", 2},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        solution *s[2];
        for (int k = 0; k < 2; k++) {
            char text[900];
            snprintf(text, sizeof text,
                     "Dimension: %d\n"
                     "PartData: {Fixed: {O: [0, 0], u: [1, 0], n: [0, 0, 1]}, Particles: {A: 2}}\n"
                     "AppliedForces: {Gravity: [0, %s]}\n"
                     "Contacts: {c: {%s, Restitution: 0.7}}\n"
                     "ProblemData: {tend: 1.2, positions: {A: [0.05, %s]}, "
                     "velocities: {A: [0.1, %s]}}\n",
                     list[i].dimension, list[i].dimension == 3 ? "0, -9.81" : "-9.81",
                     k ? list[i].formula : list[i].shape, list[i].dimension == 3 ? "0.02, 1" : "1",
                     list[i].dimension == 3 ? "0, 0" : "0");
            if (list[i].dimension == 2)
                memcpy(strstr(text, ", n: [0, 0, 1]"), "              ", 14);
            s[k] = run(text, "taylor", 1e-12, (const double[]){1.2}, 1);
        }
        assert_true(notes_of(s[0])->events > 0);
        assert_int_equal(notes_of(s[0])->events, notes_of(s[1])->events);
        for (int k = 0; k < notes_of(s[0])->events && k < 4; k++)
            assert_near(notes_of(s[0])->event[k].t, notes_of(s[1])->event[k].t, 1e-12, 0.0);
        assert_near(value(s[0], 0, "c.gap"), value(s[1], 0, "c.gap"), 1e-9, 0.0);
        solution_free(s[0]);
        solution_free(s[1]);
    }
}

/* ---- locks ---- */

#define CLUTCH(capacity)                                                                           \
    "PhysicalParams: {J1: 2, J2: 3}\n"                                                             \
    "Discrete: {on: 0}\n"                                                                          \
    "Lagrangian: {Coordinates: [a, b], L: J1*a'^2/2 + J2*b'^2/2}\n"                                \
    "Events: {press: {When: t >= 1, Do: {on: 1}}, lift: {When: t >= 3, Do: {on: 0}}}\n"            \
    "Locks: {clutch: {On: a - b, When: on > 0.5" capacity "}}\n"                                   \
    "ProblemData: {tend: 4, positions: {a: 0, b: 0}, velocities: {a: 10, b: 1}}\n"

/* A clutch slips at its capacity until the speeds meet; without one it locks by an impulse. */
static void test_clutch(void **state) {
    (void)state;
    const double at[] = {1.2, 2.0, 4.0};
    solution *s = run(CLUTCH(", Capacity: 20"), "taylor", 1e-12, at, 3);
    assert_int_equal(notes_of(s)->events, 5);
    check_event(s, 1, 1.0, "clutch", "slip", 1e-13);
    check_event(s, 2, 1.0 + 9.0 / (20.0 / 2.0 + 20.0 / 3.0), "clutch", "lock", 1e-13);
    check_event(s, 4, 3.0, "clutch", "unlock", 1e-13);
    assert_near(value(s, 0, "clutch.T"), -20.0, 1e-12, 0.0);
    assert_near(value(s, 0, "a'"), 8.0, 1e-12, 0.0);
    for (int row = 1; row < 3; row++) {
        assert_near(value(s, row, "a'"), 23.0 / 5.0, 1e-12, 0.0);
        assert_near(value(s, row, "b'"), 23.0 / 5.0, 1e-12, 0.0);
        assert_near(value(s, row, "clutch.mode"), row == 1 ? 1.0 : 0.0, 0.0, 0.0);
    }
    solution_free(s);
    s = run(CLUTCH(""), "taylor", 1e-12, at, 3);
    check_event(s, 1, 1.0, "clutch", "lock", 1e-13);
    assert_near(notes_of(s)->event[1].impulse, -10.8, 1e-12, 0.0); /* 9 J1 J2/(J1 + J2) */
    assert_near(value(s, 0, "a'"), 23.0 / 5.0, 1e-12, 0.0);
    assert_near(value(s, 0, "a") - value(s, 1, "a"), value(s, 0, "b") - value(s, 1, "b"), 1e-12,
                0.0);
    solution_free(s);
}

/* A brake lets go where the load is larger than its capacity. */
static void test_brake(void **state) {
    (void)state;
    static const char text[] = "Lagrangian: {Coordinates: [a], L: a'^2/2, Forces: {a: t}}\n"
                               "Locks: {brake: {On: a, Capacity: 5}}\n"
                               "ProblemData: {tend: 7, positions: {a: 0}}\n";
    solution *s = run(text, "taylor", 1e-12, (const double[]){4.0, 7.0}, 2);
    check_event(s, 0, 5.0, "brake", "unlock", 1e-13);
    assert_near(value(s, 0, "brake.T"), -4.0, 1e-12, 0.0);
    assert_true(value(s, 0, "a") == 0.0);
    assert_near(value(s, 1, "a"), 8.0 / 6.0, 1e-12, 0.0);
    solution_free(s);
}

/* ---- jams ---- */

/* A rod that slides on its lower end: where tan^2 - 3 mu tan + 4 < 0 it jams. */
static void test_painleve(void **state) {
    (void)state;
    const double mu = 1.4, root = sqrt(9.0 * mu * mu - 16.0);
    const double border[] = {atan(0.5 * (3.0 * mu - root)), atan(0.5 * (3.0 * mu + root))};
    for (int k = 0; k < 2; k++)
        for (int side = -1; side <= 1; side += 2) {
            program_result r;
            char text[800];
            const double q = border[k] + side * 1e-6;
            snprintf(text, sizeof text,
                     "PhysicalParams: {q0: %.17g}\n"
                     "Lagrangian: {Coordinates: [x, y, q], L: (x'^2 + y'^2)/2 + q'^2/24 - 9.81*y}\n"
                     "Contacts: {tip: {Gap: y - sin(q)/2, Along: x - cos(q)/2, Friction: 1.4}}\n"
                     "ProblemData: {tend: 1e-9, positions: {q: q0, x: cos(q0)/2, y: sin(q0)/2}, "
                     "velocities: {x: -1, y: 0, q: 0}}\n",
                     q);
            program_write("m.yaml", text, -1);
            program_call(&r, "run m.yaml");
            const bool jams = (k == 0) == (side > 0);
            assert_int_equal(r.code, jams ? 1 : 0);
            if (jams)
                assert_non_null(strstr(r.err, "m.yaml:3:12: error: at t = 0 no motion is possible "
                                              "(contact 'tip'): friction jams it"));
            program_release(&r);
        }
}

/* ---- formulations ---- */

/* A slider with clearance, hit at two corners at a time. */
static const char BY_FORMULAS[] =
    "Dimension: 2\n"
    "PhysicalParams: {l1: 0.153, l2: 0.306, a: 0.05, b: 0.025, c: 0.001, e: 0.4, mu: 0.01}\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[l1]], Dyna: [[l1/2, 0], 0.038, 7.4e-5]}\n"
    "    AB: {Geom: [[l2]], Dyna: [[l2/2, 0], 0.038, 5.9e-4]}\n"
    "    BC: {Geom: [[a]], Dyna: [[0, 0], 0.076, 2.7e-6]}\n"
    "Angles: {phi: OA, psi: AB, chi: BC}\n"
    "AppliedForces: {Gravity: [0, -9.81]}\n"
    "Define: {ux: (Cx - Bx)/a, uy: (Cy - By)/a}\n"
    "Contacts:\n"
    "  c1: {Gap: By - a*uy - b*ux + b + c, Along: Bx - a*ux + b*uy, Restitution: e, "
    "Friction: mu}\n"
    "  c2: {Gap: By + a*uy - b*ux + b + c, Along: Bx + a*ux + b*uy, Restitution: e, "
    "Friction: mu}\n"
    "  c3: {Gap: b + c - (By - a*uy + b*ux), Along: Bx - a*ux - b*uy, Restitution: e, "
    "Friction: mu}\n"
    "  c4: {Gap: b + c - (By + a*uy + b*ux), Along: Bx + a*ux - b*uy, Restitution: e, "
    "Friction: mu}\n"
    "ProblemData: {tend: 0.2, positions: {phi: 0, psi: 0, chi: 0}, "
    "velocities: {phi: 150, psi: -75, chi: 0}}\n";

/* The same by shapes: corners of the slider, whose coordinates are rounded in other ways, so that
 * two corners that arrive together are told apart only by rounding, which must not count. */
static const char BY_SHAPES[] =
    "Dimension: 2\n"
    "PhysicalParams: {l1: 0.153, l2: 0.306, a: 0.05, b: 0.025, c: 0.001, e: 0.4, mu: 0.01}\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], L: [0, -(b + c)], U: [0, b + c], u: [1, 0], w: [-1, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[l1]], Dyna: [[l1/2, 0], 0.038, 7.4e-5]}\n"
    "    AB: {Geom: [[l2]], Dyna: [[l2/2, 0], 0.038, 5.9e-4]}\n"
    "    slider: {Elements: [B, P, Q, R, S], Geom: [[-a, -b], [a, -b], [-a, b], [a, b]],\n"
    "      Dyna: [[0, 0], 0.076, 2.7e-6]}\n"
    "Angles: {phi: OA, psi: AB, chi: slider}\n"
    "AppliedForces: {Gravity: [0, -9.81]}\n"
    "Contacts:\n"
    "  c1: {Corner: P, On: {Line: [L, u]}, Restitution: e, Friction: mu}\n"
    "  c2: {Corner: Q, On: {Line: [L, u]}, Restitution: e, Friction: mu}\n"
    "  c3: {Corner: R, On: {Line: [U, w]}, Restitution: e, Friction: mu}\n"
    "  c4: {Corner: S, On: {Line: [U, w]}, Restitution: e, Friction: mu}\n"
    "ProblemData: {tend: 0.01, positions: {A: [l1, 0], B: [l1 + l2, 0],\n"
    "  P: [l1 + l2 - a, -b], Q: [l1 + l2 + a, -b], R: [l1 + l2 - a, b], S: [l1 + l2 + a, b]},\n"
    "  velocities: {phi: 150, psi: -75, chi: 0}}\n";

/* The same events in all coordinates. */
static void check_clearance(const char *text, double at, double later) {
    static const char *const formulation[] = {"natural", "reference", "relative"};
    solution *s[3];
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        o.at = (const double[]){at, later};
        o.ats = 2;
        s[k] = solve_text(text, &o);
    }
    for (int k = 1; k < 3; k++) {
        for (int i = 0; i < 20; i++) {
            const taut_happened *a = &notes_of(s[0])->event[i], *b = &notes_of(s[k])->event[i];
            assert_string_equal(a->name, b->name);
            assert_string_equal(a->kind, "impact");
            assert_string_equal(b->kind, "impact");
            assert_near(a->t, b->t, 1e-10, 0.0);
            assert_near(a->impulse, b->impulse, 1e-8 * notes_of(s[0])->event[0].impulse, 0.0);
        }
        for (int row = 0; row < 2; row++)
            assert_near(value(s[0], row, "phi"), value(s[k], row, "phi"), 1e-8, 0.0);
    }
    for (int k = 0; k < 3; k++)
        assert_near(value(s[k], 1, "energy") - value(s[k], 1, "work"),
                    value(s[k], 0, "energy") - value(s[k], 0, "work"), 1e-10, 0.0);
    for (int k = 0; k < 3; k++) solution_free(s[k]);
}

/* Bounces in a clearance of a thousandth, which rounding of places hides sooner than the tolerance
 * does: their end follows from flights that are known well, and there are as many of them in all
 * coordinates. How well is a matter of rounding, so that neighbouring tolerances are looked at. */
static void test_low_bounces(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "reference", "relative"};
    enum { RUNS = 6 };
    int events[RUNS];
    for (int k = 0; k < 3; k++) {
        double sum = 0.0;
        for (int i = 0; i < RUNS; i++) {
            taut_run_options o = at_tolerance(1e-12 * (1.0 + 0.2 * i));
            o.formulation = formulation[k];
            o.has_tend = true;
            o.tend = 0.01;
            solution *s = solve_text(BY_FORMULAS, &o);
            const taut_notes *n = notes_of(s);
            if (k == 0) events[i] = n->events;
            assert_int_equal(n->events, events[i]);
            /* from flights of 1e-5 to 1e-7, whose ratio comes near 0.4 by a factor of 0.4 each time
             */
            const taut_happened *last = &n->event[n->events - 1];
            assert_string_equal(last->kind, "accumulation");
            assert_near(last->t, 0.0091456321815, 1e-10, 0.0);
            sum += fabs(last->t - 0.0091456321815);
            solution_free(s);
        }
        assert_true(sum / RUNS < 6e-11);
    }
}

static void test_clearance(void **state) {
    (void)state;
    check_clearance(BY_FORMULAS, 0.009, 0.02);
    check_clearance(BY_SHAPES, 0.005, 0.0088);
}

/* ---- the woodpecker ---- */

#define WOODPECKER                                                                                 \
    "PhysicalParams: {rO: 0.0025, rM: 0.0031, hM: 0.0058, lM: 0.01, lG: 0.015, hS: 0.02,\n"        \
    "  lS: 0.0201, mM: 0.0003, mS: 0.0045, JM: 5e-9, JS: 7e-7, c: 0.0056, g: 9.81}\n"              \
    "Lagrangian:\n"                                                                                \
    "  Coordinates: [y, M, S]\n"                                                                   \
    "  L: (mS+mM)*y'^2/2 + mS*lM*y'*M' + mS*lG*y'*S' + (JM+mS*lM^2)*M'^2/2 + mS*lM*lG*M'*S' + "    \
    "(JS+mS*lG^2)*S'^2/2 - c*(M-S)^2/2 - g*((mS+mM)*y + mS*lM*M + mS*lG*S)\n"                      \
    "Contacts:\n"                                                                                  \
    "  beak: {Gap: lM + lG - lS - rO - hS*S, Along: y + lM*M + (lG - lS)*S, Restitution: 0.5, "    \
    "Friction: 0.3}\n"                                                                             \
    "  two: {Gap: rM - rO + hM*M, Along: y + rM*M, Friction: 0.3}\n"                               \
    "  three: {Gap: rM - rO - hM*M, Along: y + rM*M, Friction: 0.3}\n"                             \
    "ProblemData: {tend: 0.3, positions: {y: 0, M: -(rM - rO)/hM, S: -0.52947196711085}}\n"

static void test_woodpecker(void **state) {
    (void)state;
    static const struct {
        double t;
        const char *name, *kind;
    } event[] = {{0.028410160578, "two", "slip"},     {0.034230917813, "two", "open"},
                 {0.045119985859, "three", "impact"}, {0.048221339518, "beak", "impact"},
                 {0.048800861056, "three", "impact"}, {0.05065555185, "three", "open"},
                 {0.085943962538, "two", "impact"},   {0.08867269657, "two", "impact"},
                 {0.134792818722, "two", "stick"}};
    const double period = 0.14597606514375;
    solution *s = run(WOODPECKER, "taylor", 1e-12, (const double[]){period, 2.0 * period}, 2);
    assert_int_equal(notes_of(s)->events, 18);
    for (int k = 0; k < 18; k++) {
        assert_near(notes_of(s)->event[k].t, event[k % 9].t + (k / 9) * period,
                    k < 9 ? 1e-12 : 1e-10, 0.0);
        assert_string_equal(notes_of(s)->event[k].name, event[k % 9].name);
        assert_string_equal(notes_of(s)->event[k].kind, event[k % 9].kind);
    }
    for (int row = 0; row < 2; row++) {
        assert_near(value(s, row, "y"), -0.01944537928472 * (row + 1), 1e-12, 0.0);
        assert_near(value(s, row, "S"), -0.52947196711085, 1e-10, 0.0);
    }
    solution_free(s);
}

/* ---- wrong files ---- */

typedef struct bad {
    const char *text, *message;
    int code;
} bad;

static void test_wrong_files(void **state) {
    (void)state;
    static const bad list[] = {
        {"Contacts: {a: {Restitution: 1}}", "4:12: error: the key 'Gap'", 2},
        {"Contacts: {a: {Gap: y, Restitution: 1.5}}",
         "4:37: error: 'Restitution' of 'a' must be a number from 0 to 1", 2},
        {"Contacts: {a: {Gap: y, Restitution: y}}", "4:37: error: 'Restitution' of 'a' must be", 2},
        {"Contacts: {a: {Gap: y + y'}}", "4:21: error: a gap is a formula of positions", 2},
        {"Contacts: {a: {Gap: k}}", "4:21: error: a gap contains nothing that moves", 2},
        {"Contacts: {a: {Gap: y - 2}}", "4:21: error: the gap of 'a' is negative at the start: -1",
         2},
        {"Contacts: {a: {Gap: y, Friction: 0.3}}", "4:34: error: 'Friction' needs 'Along'", 2},
        {"Contacts: {a: {Gap: y, Along: [x, y, x], Friction: 0.3}}",
         "4:31: error: 'Along' is a formula, in space a list of two: [x, y]", 2},
        {"Impact: hertz", "4:9: error: 'Impact' is newton or poisson, not 'hertz'", 2},
        {"Contacts: {a: {Gap: y, Static: 0.3}}", "4:32: error: 'Static' goes with 'Friction'", 2},
        {"Contacts: {a: {Gap: y, Along: x, Friction: -1}}",
         "4:44: error: friction is never negative", 2},
        {"Contacts: {a: {Gap: y, Stifness: 3}}", "4:24: error: unknown key 'Stifness'", 2},
        {"Contacts: {a: {Gap: y, Law: depth, Damping: 3}}", "4:29: error: 'Law' says all", 2},
        {"Contacts: {a: {Gap: y, Stiffness: 3, Restitution: 1}}",
         "4:51: error: a compliant contact has no 'Restitution'", 2},
        {"Contacts: {y: {Gap: y}}", "4:12: error: ", 2},
        {"Contacts: {a: {Gap: depth}}", "4:21: error: unknown name 'depth'", 2},
        {"Limits: {z: {Lower: 0}}", "4:10: error: 'z' cannot be limited", 2},
        {"Limits: {y: {Restitution: 0}}", "4:10: error: a limit needs 'Lower' or 'Upper'", 2},
        {"Friction: {f: {On: x}}", "4:12: error: the key 'Force'", 2},
        {"Friction: {f: {Joint: x, Coefficient: 1}}",
         "4:23: error: joints are parts of mechanisms: give a level", 2},
        {"Locks: {f: {When: x > 0}}", "4:9: error: the key 'On'", 2},
        {"Locks: {f: {On: x, When: x + 1}}", "4:26: error: a condition is a comparison", 2},
        {"Breaks: {f: {Joint: x}}", "4:1: error: 'Breaks' is for mechanisms", 2},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        char text[1000], line[300];
        snprintf(text, sizeof text,
                 "PhysicalParams: {k: 1}\n"
                 "Lagrangian: {Coordinates: [x, y], L: (x'^2 + y'^2)/2 - y*k}\n"
                 "ProblemData: {tend: 2, positions: {x: 0, y: 1}}\n%s\n",
                 list[i].text);
        program_write("m.yaml", text, -1);
        program_call(&r, "run m.yaml");
        snprintf(line, sizeof line, "m.yaml:%s", list[i].message);
        if (r.code != list[i].code || !strstr(r.err, line))
            fail_msg("%s: expected\n%s\ninstead of (%d)\n%s", list[i].text, line, r.code, r.err);
        program_release(&r);
    }
}

static void test_wrong_shapes(void **state) {
    (void)state;
    static const bad list[] = {
        {"Point: A", "4:15: error: a contact is a 'Gap', or one of Point, Corner", 2},
        {"Point: A, Gap: Ax, On: {Line: [O, u]}", "4:23: error: a contact is a 'Gap' or a shape",
         2},
        {"Point: A, On: {Plane: [O, u]}", "4:38: error: in the plane contacts are on a Line", 2},
        {"Point: A, On: {Lin: [O, u]}", "4:31: error: unknown key 'Lin'", 2},
        {"Point: A, On: {Curve: [O, u]}", "4:39: error: a number is expected", 2},
        {"Point: A, On: {Curve: 3}", "4:38: error: a 'Curve' is a formula of x and y", 2},
        {"Circle: [O, 1], On: {Curve: y}", "4:24: error: on a 'Curve' there are points that move",
         2},
        {"Point: A, On: {Curve: y, Line: [O, u]}",
         "4:30: error: 'On' is one of Line, Plane, Circle, Sphere and Curve", 2},
        {"Gap: Ay, Along: Ax, Sliding: Ax', Friction: 1",
         "4:45: error: 'Sliding' is the rate of 'Along': give one of them", 2},
        {"Gap: Ay, Sliding: Ax'', Friction: 1",
         "4:34: error: the sliding velocity of a contact is a formula of velocities", 2},
        {"Circle: [A, -1], On: {Line: [O, u]}", "4:28: error: a radius is a positive number", 2},
        {"Circle: A, On: {Line: [O, u]}", "4:24: error: a circle or sphere is [centre, radius]", 2},
        {"Point: A, On: {Line: O}", "4:37: error: a line or plane is [point, vector]", 2},
        {"Circle: [A, 1], On: {Line: [O, u]}, Friction: 1",
         "4:24: error: how this turns is not known, because its point does not belong to one body",
         2},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        char text[1000], line[300];
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData: {Fixed: {O: [0, 0], u: [1, 0]}, Particles: {A: 2}}\n"
                 "ProblemData: {tend: 2, positions: {A: [0, 3]}}\n"
                 "Contacts: {a: {%s}}\n",
                 list[i].text);
        program_write("m.yaml", text, -1);
        program_call(&r, "run m.yaml");
        snprintf(line, sizeof line, "m.yaml:%s", list[i].message);
        if (r.code != list[i].code || !strstr(r.err, line))
            fail_msg("%s: expected\n%s\ninstead of (%d)\n%s", list[i].text, line, r.code, r.err);
        program_release(&r);
    }
}

/* A law with a branch point 1e-7 beside the surface: its boundary has a much shorter series than
 * the flight. By erk and bdf, which know no series: q(1) = -0.03324048641, q(2) = -0.0162017517. */
static void test_a_law_with_a_branch_point_beside_the_surface(void **state) {
    (void)state;
    const char *text =
        "Lagrangian: {Coordinates: [q], L: q'^2/2 - 9.81*q}\n"
        "Contacts: {a: {Gap: q, Law: \"1e4*depth*(depth^2 + 1e-14)^0.25*(1 + 0.3*rate)\"}}\n"
        "ProblemData: {tend: 2, positions: {q: 1}}\n";
    static const char *const solver[] = {"taylor", "ho", "erk"};
    for (int k = 0; k < 3; k++) {
        solution *s = run(text, solver[k], 1e-11, (const double[]){1.0, 2.0}, 2);
        assert_near(value(s, 0, "q"), -0.0332404864, 3e-10, 0.0);
        assert_near(value(s, 1, "q"), -0.0162017517, 1e-9, 0.0);
        solution_free(s);
    }
}

static void test_wrong_runs(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", BALL, -1);
    program_call(&r, "run m.yaml --tend -1");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(
        r.err,
        "m.yaml:2:12: error: backward in time contacts, friction and locks are not possible"));
    program_release(&r);
    program_write(
        "m.yaml",
        "Lagrangian: {Coordinates: [q], L: q'^2/2 - 9.81*q}\n"
        "Contacts: {a: {Gap: q, Law: \"1e4*depth*(depth^2 + 1e-30)^0.25*(1 + 0.3*rate)\"}}\n"
        "ProblemData: {tend: 2, positions: {q: 1}}\n",
        -1);
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "are passed again and again"));
    program_release(&r);
    program_write("m.yaml", BALL, -1);
    program_call(&r, "run m.yaml --solver bdf");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(
        r.err,
        "found by the solvers taylor and ho, not by bdf, whose steps do not know the forces"));
    program_release(&r);
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [\"x'' + 1\"]}\n"
                  "Contacts: {a: {Gap: x}}\n"
                  "ProblemData: {tend: 1, values: {x: 1}}\n",
                  -1);
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(
        r.err, "m.yaml:2:1: error: 'Contacts' is for mechanisms, Lagrangians and Hamiltonians"));
    program_release(&r);
}

/* Formulas of friction that become negative in the run would push: of a level, of a coefficient by
 * the speed, of a capacity. */
static void test_negative_friction(void **state) {
    (void)state;
    static const char *const text[] = {
        "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
        "Friction: {f: {On: x, Force: 1 - t}}\n"
        "ProblemData: {tend: 2, positions: {x: 0}, velocities: {x: 5}}\n",
        "Lagrangian: {Coordinates: [x, y], L: x'^2/2 + y'^2/2 - 10*y}\n"
        "Contacts: {f: {Gap: y, Along: x, Friction: 0.5 - 0.2*speed}}\n"
        "ProblemData: {tend: 2, positions: {x: 0, y: 0}, velocities: {x: 5}}\n",
        "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
        "Locks: {f: {On: x, Capacity: 1 - t}}\n"
        "ProblemData: {tend: 2, positions: {x: 0}, velocities: {x: 5}}\n"};
    for (int k = 0; k < 3; k++) {
        program_result r;
        program_write("m.yaml", text[k], -1);
        program_call(&r, "run m.yaml");
        assert_int_equal(r.code, 1);
        assert_non_null(strstr(r.err, "m.yaml:2:"));
        assert_non_null(strstr(r.err, "the friction of 'f' has become negative"));
        program_release(&r);
    }
}

/* Friction and locks on what a driver moves: it rubs while that moves, also where it turns back;
 * while it stands, it does not, and
 * where it sets off without an acceleration nothing says when: an error. */
static void test_driven_friction(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[1]], Dyna: [[0, 0], 1, 2]}}}\n"
        "Angles: {phi: OA}\n"
        "Drivers: {phi: %s}\n"
        "%s\n"
        "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n";
    static const char *const held[] = {"Friction: {a: {On: phi, Force: 3}}",
                                       "Locks: {a: {On: phi, When: t > 1.5}}"};
    char model[500];
    snprintf(model, sizeof model, text, "0.5*sin(t)", held[0]);
    solution *s = run(model, "taylor", 1e-12, (const double[]){1.0, 2.0}, 2);
    assert_near(value(s, 0, "force_phi"), 3.0 - 2.0 * 0.5 * sin(1.0), 1e-11, 0.0);
    assert_near(value(s, 1, "force_phi"), -3.0 - 2.0 * 0.5 * sin(2.0), 1e-11, 0.0);
    check_event(s, 0, 0.5 * M_PI, "a", "slip", 1e-12);
    solution_free(s);
    for (int k = 0; k < 2; k++) { /* it stands, for ever; rounding may not make it rub */
        snprintf(model, sizeof model, text, "0.3", held[0]);
        if (k == 1) memcpy(strstr(model, "[[0, 0], 1"), "[[.5,0], 1", 10);
        s = run(model, "taylor", 1e-12, (const double[]){2.0}, 1);
        assert_near(value(s, 0, "a.T"), 0.0, 1e-15, 0.0);
        assert_near(value(s, 0, "a.mode"), 1.0, 0.0, 0.0);
        solution_free(s);
    }
    for (int k = 0; k < 2; k++) {
        program_result r;
        snprintf(model, sizeof model, text, k == 0 ? "0.3*t^4" : "0.3", held[k]);
        program_write("m.yaml", model, -1);
        program_call(&r, "run m.yaml");
        assert_int_equal(r.code, 1);
        assert_non_null(strstr(r.err, "m.yaml:5:"));
        assert_non_null(strstr(r.err, k == 0 ? "what held 'a' still has moved it away"
                                             : "joints and drivers hold still what 'a' holds"));
        program_release(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_driven_plate),
        cmocka_unit_test(test_two_stops),
        cmocka_unit_test(test_cradle),
        cmocka_unit_test(test_redundant_loop),
        cmocka_unit_test(test_rocking_block),
        cmocka_unit_test(test_struck_rod),
        cmocka_unit_test(test_lift_off),
        cmocka_unit_test(test_compliant),
        cmocka_unit_test(test_coulomb),
        cmocka_unit_test(test_belt),
        cmocka_unit_test(test_incline),
        cmocka_unit_test(test_impact_with_friction),
        cmocka_unit_test(test_poisson),
        cmocka_unit_test(test_hamiltonian),
        cmocka_unit_test(test_gain),
        cmocka_unit_test(test_wheel),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_clutch),
        cmocka_unit_test(test_brake),
        cmocka_unit_test(test_painleve),
        cmocka_unit_test(test_clearance),
        cmocka_unit_test(test_woodpecker),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_wrong_shapes),
        cmocka_unit_test(test_a_law_with_a_branch_point_beside_the_surface),
        cmocka_unit_test(test_wrong_runs),
        cmocka_unit_test(test_driven_friction),
        cmocka_unit_test(test_negative_friction),
        cmocka_unit_test(test_low_bounces),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
