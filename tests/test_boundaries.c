/* Motions that begin, rest or meet on boundaries: of kinks in formulas, of laws of contact, of
 * gaps. The branch and the mode follow from the first derivative that is not zero, whatever its
 * order, and not from rounding. */
#include "solve_text.h"

#include <math.h>

static const char *const formulation[] = {"natural", "reference", "relative"};

static solution *run(const char *text, const char *solver, double tol, double t) {
    taut_run_options o = at_tolerance(tol);
    o.solver = solver;
    o.at = &t;
    o.ats = 1;
    return solve_text(text, &o);
}

static void check_energy(const solution *s) {
    const double first = value_of(s, 0, "energy") - value_of(s, 0, "work");
    for (long i = 0; i < rows_of(s); i++)
        assert_near(value_of(s, i, "energy") - value_of(s, i, "work"), first, 1e-9, 0.0);
}

/* ---- starts ---- */

static const char *const SOLVER[] = {"taylor", "ho", "erk", "adams", "bdf"};
enum { SOLVERS = sizeof SOLVER / sizeof *SOLVER };

/* From rest on the boundary: the side to which the motion goes is told by the acceleration, or by a
 * higher derivative. */
static void test_starts_on_a_kink(void **state) {
    (void)state;
    static const char rises[] = "DAE: {Variables: [x], Equations: [\"x'' - 1 - max(x, 0)\"]}\n"
                                "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}\n";
    static const char falls[] =
        "DAE: {Variables: [x], Equations: [\"x'' + 1 - if(x < 0, -100*x, 0)\"]}\n"
        "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}\n";
    static const char late[] =
        "DAE: {Variables: [x], Equations: [\"x''' - 1 - 6*max(x, 0)\"]}\n"
        "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}, values: {x'': 0}}\n";
    double sum = 0.0, term = 1.0 / 6.0; /* of x''' = 1 + 6 x, by powers of t^3 */
    for (int k = 1; k < 12; k++) {
        sum += term;
        term *= 6.0 / ((3.0 * k + 1) * (3.0 * k + 2) * (3.0 * k + 3));
    }
    for (int k = 0; k < SOLVERS; k++) {
        const double close = k < 2 ? 1e-12 : 1e-8;
        solution *s = run(rises, SOLVER[k], 1e-12, 1.0);
        assert_near(last_of(s, "x"), cosh(1.0) - 1.0, close, 0.0);
        solution_free(s);
        s = run(falls, SOLVER[k], 1e-12, 1.0);
        assert_near(last_of(s, "x"), (cos(10.0) - 1.0) / 100.0, close, 0.0);
        solution_free(s);
        s = run(late, SOLVER[k], 1e-12, 1.0);
        assert_near(last_of(s, "x"), sum, close, 0.0);
        solution_free(s);
    }
}

/* The force follows from an input that rises: its third derivative is the first that is not zero,
 * of which the state knows nothing. */
static void test_leaves_a_kink_late(void **state) {
    (void)state;
    static const char text[] = "DAE: {Variables: [x], Equations: [\"x'' - t - max(x, 0)\"]}\n"
                               "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}\n";
    for (int k = 0; k < SOLVERS; k++) {
        solution *s = run(text, SOLVER[k], 1e-12, 1.0);
        assert_near(last_of(s, "x"), sinh(1.0) - 1.0, k < 2 ? 1e-12 : 1e-8, 0.0);
        solution_free(s);
    }
}

/* Both branches lead back: that is told, and no branch is followed beyond its boundary. */
static void test_no_branch_suits(void **state) {
    (void)state;
    static const char text[] = "DAE: {Variables: [x], Equations: [\"x'' + 5*sign(x)\"]}\n"
                               "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}\n";
    const taut_run_options o = at_tolerance(1e-9);
    solution *s = try_text(text, &o);
    assert_true(s->status < TAUT_OK);
    assert_non_null(strstr(s->errors.item[0].message, "no choice of the branches"));
    solution_free(s);
}

/* What lies on a compliant stop that it just touches sinks in: g/k (1 - exp ...). */
static void test_sinks_into_a_stop(void **state) {
    (void)state;
    static const char form[] = "Lagrangian: {Coordinates: [q], L: q'^2/2 - 9.81*q}\n"
                               "Limits: {q: {Lower: 0, Stiffness: 100, Damping: %d}}\n"
                               "ProblemData: {tend: 2, positions: {q: 0}}\n";
    for (int damping = 0; damping < 2; damping++)
        for (int k = 0; k < SOLVERS; k++) {
            char text[300];
            snprintf(text, sizeof text, form, damping);
            solution *s = run(text, SOLVER[k], 1e-12, 2.0);
            const double a = 0.5 * damping, w = sqrt(100.0 - a * a);
            const double q = 0.0981 * (exp(-2.0 * a) * (cos(2.0 * w) + a / w * sin(2.0 * w)) - 1.0);
            assert_near(last_of(s, "q"), q, k < 2 ? 1e-12 : 1e-8, 0.0);
            solution_free(s);
        }
}

/* ---- rest and flight ---- */

/* A rod whose pin lets go flies on with its angle at a stop, without force or speed: signs of
 * rounding open and close nothing. */
static void test_flies_along_a_stop(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[0.993178]], Dyna: [[0.496589, -0.0151], 0.846383, 0.069573]}}\n"
        "Angles: {a: OA}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {f: {Gap: Ay + 0.742052, Stiffness: 2422.30, Damping: 10.37, Along: Ax,\n"
        "  Friction: 0.2, Static: 0.3}}\n"
        "Limits: {a: {Lower: -0.7450, Upper: -0.0472, Restitution: 0}}\n"
        "Breaks: {b: {Joint: ground-OA, When: t > 0.0544}}\n"
        "ProblemData: {tend: 1, positions: {a: -0.392743}, velocities: {a: 1.9239}}\n";
    double end = 0.0;
    int events = 0;
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        solution *s = solve_text(text, &o);
        if (k == 0) end = last_of(s, "Ay");
        if (k == 0) events = taut_result_notes(s->result)->events;
        assert_int_equal(taut_result_notes(s->result)->events, events);
        assert_near(last_of(s, "Ay"), end, 1e-9, 0.0);
        assert_near(last_of(s, "a"), -0.0472, 1e-14, 0.0);
        check_energy(s);
        solution_free(s);
    }
}

/* A pendulum comes to rest on a compliant stop, beside a lock that holds nothing: accelerations are
 * rounding in the end. */
static void test_rests_on_a_stop(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[0.341008]], Dyna: [[0.170504, -0.0056], 1.274997, 0.012355]}}\n"
        "Angles: {a: OA}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Limits: {a: {Lower: 0.2430, Upper: 1.3375, Stiffness: 108, Damping: 4.41}}\n"
        "Locks: {k: {On: a, When: t > 0.1376 and t < 0.2353}}\n"
        "ProblemData: {tend: 4, positions: {a: 0.726574}, velocities: {a: -2.7119}}\n";
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        solution *s = solve_text(text, &o);
        const double a = last_of(s, "a");
        /* 108 (0.243 - a) = m g (x cos a - y sin a) */
        assert_near(108.0 * (0.243 - a), 1.274997 * 9.81 * (0.170504 * cos(a) + 0.0056 * sin(a)),
                    1e-12, 0.0);
        assert_near(last_of(s, "a'"), 0.0, 1e-14, 0.0);
        solution_free(s);
    }
}

/* ---- at one instant ---- */

/* A box on two hard corners, of which one stands on a mat as well; the mat carries nothing in the
 * end, and is hit at the same instants. */
static void test_mat_under_a_hard_corner(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [1, 0]}\n"
        "  Rigids: {box: {Elements: [A, B], Geom: [[0.2]], Dyna: [[0.1, 0.1], 2, 0.02]}}\n"
        "AppliedForces: {Gravity: }\n"
        "Contacts:\n"
        "  left: {Corner: A, On: {Line: [O, u]}, Restitution: 0.3, Friction: 0.3}\n"
        "  right: {Corner: B, On: {Line: [O, u]}, Restitution: 0.3, Friction: 0.3}\n"
        "  mat: {Point: B, On: {Line: [O, u]}, Law: 5e3*depth + 40*rate}\n"
        "ProblemData: {tend: 1.5, positions: {A: [0, 0.3], B: [0.2, 0.3]}}\n";
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        solution *s = solve_text(text, &o);
        assert_near(last_of(s, "left.N") + last_of(s, "right.N"), 19.62, 1e-11, 0.0);
        assert_near(last_of(s, "mat.N"), 0.0, 1e-11, 0.0);
        check_energy(s);
        solution_free(s);
    }
}

/* A parallelogram with a hard foot and two soft ones at one height, which arrive together and are
 * thrown back together: the run comes to its end. */
static void test_feet_that_arrive_together(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], P: [1, 0], Q: [2, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.5]], Dyna: [[0.1536, 0], 0.8726, 0.0428]}\n"
        "    PB: {Geom: [[0.5]], Dyna: [[0.1753, 0], 1.0746, 0.0405]}\n"
        "    QC: {Geom: [[0.5]], Dyna: [[0.2616, 0], 1.9076, 0.0347]}\n"
        "    ABC: {Geom: [[1], [2]], Dyna: [[1, 0], 3, 0.5]}\n"
        "Angles: {a: OA, b: PB, c: QC}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts:\n"
        "  fA: {Gap: Ay - 0.213246, Restitution: 0.7, Along: Ax, Friction: 0.2, Static: 0.3}\n"
        "  fB: {Gap: By - 0.213246, Stiffness: 3725.06, Damping: 13.55}\n"
        "  fC: {Gap: Cy - 0.213246, Stiffness: 3010.78, Damping: 8.5, Along: Cx, Friction: 0.2}\n"
        "Friction: {j: {On: c, Force: 2.711}}\n"
        "ProblemData: {tend: 1, velocities: {a: 0.6793}, positions: {\n"
        "  A: [0.375887940086435, 0.329709351547051], B: [1.375887940086435, 0.329709351547051],\n"
        "  C: [2.375887940086435, 0.329709351547051]}}\n";
    for (int k = 0; k < 3; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = formulation[k];
        solution *s = solve_text(text, &o);
        assert_near(last_of(s, "Ay"), 0.213246, 1e-14, 0.0);
        assert_true(stats_of(s)->steps < 400);
        check_energy(s);
        solution_free(s);
    }
}

/* Overconstrained loops with feet start wherever they stand: how many unknowns there are besides
 * has no say in which constraint follows from the others. */
static void test_loops_with_feet_start(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        char text[1200];
        const double a = 0.3 + 0.0225 * i, x = 0.5 * cos(a), y = 0.5 * sin(a);
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], P: [1, 0], Q: [2, 0]}\n"
                 "  Rigids:\n"
                 "    OA: {Geom: [[0.5]], Dyna: [[0.25, 0], 1, 0.03]}\n"
                 "    PB: {Geom: [[0.5]], Dyna: [[0.2, 0], 1.2, 0.04]}\n"
                 "    QC: {Geom: [[0.5]], Dyna: [[0.3, 0], 0.8, 0.02]}\n"
                 "    ABC: {Geom: [[1], [2]], Dyna: [[1, 0], 3, 0.5]}\n"
                 "Angles: {a: OA, b: PB, c: QC}\n"
                 "AppliedForces: {Gravity: [0, -9.81]}\n"
                 "Contacts: {fA: {Gap: Ay + 0.6}, fC: {Gap: Cy + 0.6}}\n"
                 "ProblemData: {tend: 0.01, positions: {A: [%.17g, %.17g], B: [%.17g, %.17g],\n"
                 "  C: [%.17g, %.17g]}}\n",
                 x, y, x + 1.0, y, x + 2.0, y);
        const taut_run_options o = at_tolerance(1e-10);
        solution_free(solve_text(text, &o));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_on_a_kink),
        cmocka_unit_test(test_leaves_a_kink_late),
        cmocka_unit_test(test_no_branch_suits),
        cmocka_unit_test(test_sinks_into_a_stop),
        cmocka_unit_test(test_flies_along_a_stop),
        cmocka_unit_test(test_rests_on_a_stop),
        cmocka_unit_test(test_mat_under_a_hard_corner),
        cmocka_unit_test(test_feet_that_arrive_together),
        cmocka_unit_test(test_loops_with_feet_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
