/* Conditions with and, or, not; floor and mod; comparisons as numbers: against closed forms, in
 * every formulation and by every solver. */
#include "solve_text.h"

#include <math.h>

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    assert_true(column >= 0);
    return taut_result_value(s->result, row, column);
}

static solution *run(const char *text, const char *solver, const double *at, int ats) {
    taut_run_options o = at_tolerance(1e-12);
    o.solver = solver;
    o.at = at;
    o.ats = ats;
    return solve_text(text, &o);
}

static const char *const ALL[] = {"taylor", "ho", "bdf", "adams", "erk", "ida"};
enum { SOLVERS = sizeof ALL / sizeof ALL[0] };

/* ---- When ---- */

/* x = sin(t): conditions become true where one of their parts does, and the others hold. */
static void test_joined_conditions(void **state) {
    (void)state;
    static const struct {
        const char *when;
        int count;
        double first, next;
    } list[] = {
        {"x > 0.5 and x' > 0", 2, 0.5235987755982989, 6.806784082777885},
        {"x > 0.5 and x' < 0", 2, 1.5707963267948966, 7.853981633974483},
        {"x < -0.5 or t > 1", 1, 1.0, 0.0},
        {"not x > 0.5", 2, 2.617993877991494, 8.901179185171081},
        {"not (x > 0.5 or x < -0.5)", 3, 2.617993877991494, 5.759586531581287},
        {"(x > 0.5 or x < -0.5) and not x' < 0", 3, 0.5235987755982989, 4.71238898038469},
        {"((x > 0.5)) and (t + 1)*(t - 3) > 0", 1, 6.806784082777885, 0.0},
        {"if(x > 0, 1, -1) > 0 and t > 1", 2, 1.0, 6.283185307179586},
        {"x > 0.5 and x > 0.2 and x > 0.4", 2, 0.5235987755982989, 6.806784082777885},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (int k = 0; k < SOLVERS; k++) {
            char text[400];
            snprintf(text, sizeof text,
                     "DAE: {Variables: [x], Equations: [\"x'' + x\"]}\n"
                     "Events: {e: {When: \"%s\"}}\n"
                     "ProblemData: {tend: 10, values: {x: 0, x': 1}}\n",
                     list[i].when);
            solution *s = run(text, ALL[k], NULL, 0);
            const taut_notes *n = taut_result_notes(s->result);
            const double tol = k < 2 ? 1e-11 : 1e-7;
            if (n->events != list[i].count)
                fail_msg("%s by %s: %d events instead of %d", list[i].when, ALL[k], n->events,
                         list[i].count);
            assert_near(n->event[0].t, list[i].first, tol, 0.0);
            if (n->events > 1) assert_near(n->event[1].t, list[i].next, tol, 0.0);
            solution_free(s);
        }
}

/* A bounce with both conditions, as many write it: what it does turns its own boundary. */
static void test_bounce_by_conditions(void **state) {
    (void)state;
    static const char text[] =
        "Discrete: {n: 0}\n"
        "Lagrangian: {Coordinates: [y], L: y'^2/2 - 9.81*y}\n"
        "Events: {bounce: {When: \"y < 0 and y' < 0\", Do: {\"y'\": -0.8*y', n: n + 1}}}\n"
        "ProblemData: {tend: 3, positions: {y: 1}}\n";
    solution *s = run(text, "taylor", (const double[]){1.0, 3.0}, 2);
    assert_int_equal(taut_result_notes(s->result)->events, 6);
    assert_near(value(s, 0, "y"), 0.468004452526037, 0.0, 1e-12);
    assert_near(value(s, 1, "n"), 6.0, 0.0, 0.0);
    solution_free(s);
}

/* Conditions on Discrete variables alone follow them at once. */
static void test_conditions_on_numbers(void **state) {
    (void)state;
    static const char text[] =
        "Discrete: {n: 0, k: 0}\n"
        "DAE: {Variables: [x], Equations: [x' - 1]}\n"
        "Events:\n"
        "  tick: {When: \"mod(x, 1) - 0.5\", Direction: up, Do: {n: n + 1}}\n"
        "  some: {When: n >= 3 and n <= 4, Do: {k: k + 1}}\n"
        "  end: {When: not n < 7 or k > 5, Stop: true}\n"
        "ProblemData: {tend: 20, values: {x: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){2.4, 2.6, 6.4}, 3);
    assert_near(taut_result_stats(s->result)->reached, 6.5, 1e-12, 0.0);
    assert_near(value(s, 0, "k"), 0.0, 0.0, 0.0);
    assert_near(value(s, 1, "k"), 1.0, 0.0, 0.0);
    assert_near(value(s, 2, "k"), 1.0, 0.0, 0.0);
    solution_free(s);
}

/* ---- floor and mod ---- */

/* z' = floor(x) with x = 3 sin(t): exact areas of a staircase, up and down. */
static double staircase(double end) {
    double area = 0.0;
    const int parts = 2000000;
    for (int i = 0; i < parts; i++) area += floor(3.0 * sin((i + 0.5) * end / parts));
    return area * end / parts;
}

static void test_floor(void **state) {
    (void)state;
    static const char text[] = "DAE: {Variables: [x, z], Equations: [\"x'' + x\", z' - floor(x)]}\n"
                               "Outputs: {f: floor(x), g: \"mod(x, 0.5)\"}\n"
                               "ProblemData: {tend: 7, values: {x: 0, x': 3, z: 0}}\n";
    for (int k = 0; k < SOLVERS; k++) {
        solution *s = run(text, ALL[k], (const double[]){0.0, 1.0, 3.0, 4.0, 7.0}, 5);
        for (long i = 0; i < 5; i++) {
            const double x = 3.0 * sin(value(s, i, "t"));
            if (i > 0) assert_near(value(s, i, "f"), floor(x), 0.0, 0.0);
            assert_near(value(s, i, "g"), x - 0.5 * floor(x / 0.5), 1e-7, 0.0);
        }
        /* where 3 sin t is an integer, to all digits */
        const double a = asin(1.0 / 3.0), b = asin(2.0 / 3.0), pi = acos(-1.0);
        const double up = (b - a) + 2.0 * (pi - 2.0 * b) + (b - a);
        assert_near(value(s, 2, "z"), up, k < 2 ? 1e-11 : 1e-7, 0.0);
        assert_near(value(s, 4, "z"), staircase(7.0), 1e-5, 0.0);
        solution_free(s);
    }
}

/* A saw tooth of time: an integer number of periods, each with the area 1/2; 1000 of them. */
static void test_saw_tooth(void **state) {
    (void)state;
    static const char text[] = "DAE: {Variables: [z], Equations: [\"z' - mod(t, 0.1)/0.1\"]}\n"
                               "ProblemData: {tend: 100, values: {z: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){0.05, 10.0, 100.0}, 3);
    assert_near(value(s, 0, "z"), 0.0125, 1e-15, 0.0);
    assert_near(value(s, 1, "z"), 5.0, 1e-12, 0.0);
    assert_near(value(s, 2, "z"), 50.0, 1e-11, 0.0);
    assert_true(taut_result_stats(s->result)->steps < 1010);
    solution_free(s);
}

/* From the inside of a step, from an integer in both directions, and behind jumps of many. */
static void test_floor_starts_and_jumps(void **state) {
    (void)state;
    static const char text[] =
        "Discrete: {n: 0}\n"
        "DAE: {Variables: [x, y], Equations: [x' + 1, y' - 1]}\n"
        "Events: {jump: {When: t - 0.5, Do: {n: 37.5}}, back: {When: t - 0.75, Do: {n: -4}}}\n"
        "Outputs: {down: floor(x), up: floor(y), many: floor(n), more: floor(y + n)}\n"
        "ProblemData: {tend: 1, values: {x: 2, y: 2}}\n";
    solution *s = run(text, "taylor", (const double[]){0.0, 0.25, 0.6, 0.8}, 4);
    assert_near(value(s, 1, "down"), 1.0, 0.0, 0.0);
    assert_near(value(s, 1, "up"), 2.0, 0.0, 0.0);
    assert_near(value(s, 1, "many"), 0.0, 0.0, 0.0);
    assert_near(value(s, 2, "many"), 37.0, 0.0, 0.0);
    assert_near(value(s, 2, "more"), 40.0, 0.0, 0.0);
    assert_near(value(s, 3, "many"), -4.0, 0.0, 0.0);
    assert_near(value(s, 3, "more"), -2.0, 0.0, 0.0);
    solution_free(s);
}

/* ---- comparisons as numbers ---- */

static void test_conditions_are_numbers(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {a: 2, small: (a < 3), large: 5*(a >= 3)}\n"
        "DAE: {Variables: [x], Equations: [\"x' - 2*(t > 1)*(t <= 3) - small\"]}\n"
        "Outputs: {late: t > 1 and t < 3, both: (t < 1) + 2*(not t < 1), l: large}\n"
        "ProblemData: {tend: 5, values: {x: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){0.5, 2.0, 5.0}, 3);
    assert_near(value(s, 0, "x"), 0.5, 1e-14, 0.0);
    assert_near(value(s, 1, "x"), 4.0, 1e-14, 0.0);
    assert_near(value(s, 2, "x"), 9.0, 1e-14, 0.0);
    assert_near(value(s, 0, "late"), 0.0, 0.0, 0.0);
    assert_near(value(s, 1, "late"), 1.0, 0.0, 0.0);
    assert_near(value(s, 2, "late"), 0.0, 0.0, 0.0);
    assert_near(value(s, 0, "both"), 1.0, 0.0, 0.0);
    assert_near(value(s, 1, "both"), 2.0, 0.0, 0.0);
    assert_near(value(s, 1, "l"), 0.0, 0.0, 0.0);
    solution_free(s);
}

/* ---- formulations ---- */

/* A pendulum that is braked while it is fast, and hit by a switched torque. */
static void test_every_formulation(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "Inputs: {u: 0}\n"
        "Discrete: {n: 0}\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 2, 0.2]}}\n"
        "Angles: {phi: OA}\n"
        "AppliedForces:\n"
        "  Gravity:\n"
        "  Torques: {phi: \"u - if(abs(phi') > 1 and phi < -2, 2*phi', 0)\"}\n"
        "Events:\n"
        "  low: {When: phi + 1.2, Do: {u: 3 - u, n: n + 1}}\n"
        "ProblemData: {tend: 3, positions: {A: [1, 0]}}\n";
    static const char *const way[][2] = {
        {"reference", "taylor"}, {"relative", "taylor"}, {"relative", "erk"},  {"relative", "bdf"},
        {"natural", "bdf"},      {"reference", "ida"},   {"natural", "adams"}, {"relative", "ho"}};
    taut_run_options o = at_tolerance(1e-11);
    o.at = (const double[]){1.0, 3.0};
    o.ats = 2;
    solution *one = solve_text(text, &o);
    const taut_notes *first = taut_result_notes(one->result);
    assert_int_equal(first->events, 4);
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        o.formulation = way[i][0];
        o.solver = way[i][1];
        solution *s = solve_text(text, &o);
        const taut_notes *n = taut_result_notes(s->result);
        assert_int_equal(n->events, first->events);
        for (int k = 0; k < n->events; k++) {
            assert_string_equal(n->event[k].name, first->event[k].name);
            assert_near(n->event[k].t, first->event[k].t, 1e-6, 0.0);
        }
        assert_near(value(s, 1, "phi"), value(one, 1, "phi"), 1e-6, 0.0);
        assert_near(value(s, 1, "n"), value(one, 1, "n"), 0.0, 0.0);
        solution_free(s);
    }
    solution_free(one);
    o.formulation = "minimal";
    o.solver = "erk";
    one = try_text(text, &o);
    assert_int_equal(one->status, TAUT_ERR_INPUT);
    assert_non_null(strstr(one->errors.item[0].message, "cannot be located in minimal"));
    solution_free(one);
}

/* Forces and accelerations: ordinary methods solve the equations where they look. */
static void test_highest_derivatives(void **state) {
    (void)state;
    static const char text[] = "Lagrangian:\n"
                               "  Coordinates: [x, y]\n"
                               "  L: (x'^2 + y'^2)/2 - 9.81*y\n"
                               "  Constraints: {rope: x^2 + y^2 - 1}\n"
                               "Events: {pull: {When: rope > 10}, sink: {When: y'' + 2}}\n"
                               "ProblemData: {tend: 4, positions: {x: 1, y: 0}}\n";
    solution *one = run(text, "taylor", NULL, 0);
    const taut_notes *first = taut_result_notes(one->result);
    assert_true(first->events >= 6);
    for (int k = 1; k < SOLVERS; k++) {
        solution *s = run(text, ALL[k], NULL, 0);
        const taut_notes *n = taut_result_notes(s->result);
        assert_int_equal(n->events, first->events);
        for (int i = 0; i < n->events; i++) {
            assert_string_equal(n->event[i].name, first->event[i].name);
            assert_near(n->event[i].t, first->event[i].t, 1e-7, 0.0);
        }
        solution_free(s);
    }
    solution_free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joined_conditions),
                                       cmocka_unit_test(test_bounce_by_conditions),
                                       cmocka_unit_test(test_conditions_on_numbers),
                                       cmocka_unit_test(test_floor),
                                       cmocka_unit_test(test_saw_tooth),
                                       cmocka_unit_test(test_floor_starts_and_jumps),
                                       cmocka_unit_test(test_conditions_are_numbers),
                                       cmocka_unit_test(test_every_formulation),
                                       cmocka_unit_test(test_highest_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
