/* Velocities that events assign while contacts are closed: a contact pushes and rubs as well as it
 * can, and neither pulls nor holds by friction that nothing presses. */
#include "solve_text.h"

#include <math.h>

static solution *run(const char *text, const char *formulation, const double *at, int ats) {
    taut_run_options o = at_tolerance(1e-12);
    o.formulation = formulation;
    o.at = at;
    o.ats = ats;
    return solve_text(text, &o);
}

static const taut_notes *notes_of(const solution *s) { return taut_result_notes(s->result); }

static void check_event(const solution *s, int i, double t, const char *name, const char *kind) {
    const taut_notes *n = notes_of(s);
    assert_true(i < n->events);
    assert_near(n->event[i].t, t, 1e-12, 0.0);
    assert_string_equal(n->event[i].name, name);
    assert_string_equal(n->event[i].kind, kind);
}

/* A ball that lies on the floor is thrown up, or down. */
static void test_ball_at_rest(void **state) {
    (void)state;
    static const char form[] = "Lagrangian: {Coordinates: [y], L: y'^2/2 - 9.81*y}\n"
                               "Contacts: {f: {Gap: y, Restitution: 0.5}}\n"
                               "Events: {hit: {When: t - 1, Do: {\"y'\": %d}}}\n"
                               "ProblemData: {tend: 1.05, positions: {y: 0}}\n";
    for (int way = -1; way <= 1; way += 2) {
        char text[300];
        snprintf(text, sizeof text, form, way);
        solution *s = run(text, NULL, (const double[]){0.5, 1.0, 1.05}, 3);
        const double v = way > 0 ? 1.0 : 0.5;
        check_event(s, 0, 1.0, "hit", "event");
        check_event(s, 1, 1.0, "f", way > 0 ? "open" : "impact");
        assert_near(value_of(s, 0, "y"), 0.0, 0.0, 0.0);
        assert_near(value_of(s, 1, "y'"), v, 1e-14, 0.0);
        assert_near(value_of(s, 2, "y"), 0.05 * v - 0.5 * 9.81 * 0.0025, 1e-14, 0.0);
        solution_free(s);
    }
}

/* A block that sticks is kicked, slides, and sticks again. */
static void test_block_that_sticks(void **state) {
    (void)state;
    static const char text[] = "Lagrangian: {Coordinates: [x, y], L: (x'^2 + y'^2)/2 - 10*y}\n"
                               "Contacts: {f: {Gap: y, Along: x, Friction: 0.2}}\n"
                               "Events: {hit: {When: t - 1, Do: {\"x'\": 2}}}\n"
                               "ProblemData: {tend: 3, positions: {x: 0, y: 0}}\n";
    solution *s = run(text, NULL, (const double[]){1.0, 1.5, 3.0}, 3);
    check_event(s, 1, 1.0, "f", "slip");
    check_event(s, 2, 2.0, "f", "stick");
    assert_near(value_of(s, 0, "x'"), 2.0, 0.0, 0.0);
    assert_near(value_of(s, 1, "x"), 0.75, 1e-13, 0.0);
    assert_near(value_of(s, 2, "x"), 1.0, 1e-13, 0.0);
    solution_free(s);
}

/* The same of dry friction with a level, whose force is no impulse. */
static void test_friction_with_a_level(void **state) {
    (void)state;
    static const char text[] = "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
                               "Friction: {f: {On: x, Force: 0.5}}\n"
                               "Events: {hit: {When: t - 1, Do: {\"x'\": -1}}}\n"
                               "ProblemData: {tend: 4, positions: {x: 0}}\n";
    solution *s = run(text, NULL, (const double[]){2.0, 4.0}, 2);
    check_event(s, 1, 1.0, "f", "slip");
    check_event(s, 2, 3.0, "f", "stick");
    assert_near(value_of(s, 0, "x"), -0.75, 1e-13, 0.0);
    assert_near(value_of(s, 1, "x"), -1.0, 1e-13, 0.0);
    solution_free(s);
}

/* A wheel at rest is pushed at its centre: nothing presses by an impulse, so it slides until it
 * rolls, with two thirds of the speed; energy counts the push as none of friction's work. */
static void test_wheel_begins_to_slide(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "reference", "relative"};
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [1, 0]}\n"
        "  Rigids: {wheel: {Elements: [C, P], Geom: [[0.3]], Dyna: [[0, 0], 2, 0.09]}}\n"
        "Angles: {phi: wheel}\n"
        "AppliedForces: {Gravity: [0, -10]}\n"
        "Contacts:\n"
        "  rim: {Circle: [C, 0.3], On: {Line: [O, u]}, Friction: 0.1, Restitution: 0.4}\n"
        "Events: {hit: {When: t - 1, Do: {\"Cx'\": 2}}}\n"
        "ProblemData: {tend: 3, positions: {C: [0, 0.3], phi: 0}, velocities: {C: [0, 0], P: [0, "
        "0]}}\n";
    for (int f = 0; f < 3; f++) {
        solution *s = run(text, formulation[f], (const double[]){1.0, 3.0}, 2);
        check_event(s, 1, 1.0, "rim", "slip");
        check_event(s, 2, 1.0 + 2.0 / 3.0, "rim", "stick");
        assert_near(value_of(s, 0, "phi'"), 0.0, 1e-13, 0.0);
        assert_near(value_of(s, 1, "Cx'"), 4.0 / 3.0, 1e-12, 0.0);
        assert_near(value_of(s, 1, "phi'"), -40.0 / 9.0, 1e-12, 0.0);
        assert_near(value_of(s, 1, "Cx"), 10.0 / 9.0 + 16.0 / 9.0, 1e-12, 0.0);
        solution_free(s);
    }
}

/* A plank that lies on both ends is turned: one end comes off, and the other one, which is turned
 * into the ground, is hit by it. */
static void test_plank_is_turned(void **state) {
    (void)state;
    static const char text[] = "Lagrangian: {Coordinates: [y, q], L: (y'^2 + q'^2/3)/2 - 10*y}\n"
                               "Contacts: {left: {Gap: y - sin(q)}, right: {Gap: y + sin(q)}}\n"
                               "Events: {hit: {When: t - 1, Do: {\"q'\": 1}}}\n"
                               "ProblemData: {tend: 1.01, positions: {y: 0, q: 0}}\n";
    solution *s = run(text, NULL, (const double[]){1.0}, 1);
    /* free: q' = 1, y' = 0; the left end then hits the ground: by the impulse 1/4, y' = 1/4 and
     * q' = 1 - 3/4 */
    assert_near(value_of(s, 0, "y'"), 0.25, 1e-14, 0.0);
    assert_near(value_of(s, 0, "q'"), 0.25, 1e-14, 0.0);
    assert_near(value_of(s, 0, "left.mode"), 1.0, 0.0, 0.0);
    assert_near(value_of(s, 0, "right.mode"), 0.0, 0.0, 0.0);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_at_rest), cmocka_unit_test(test_block_that_sticks),
        cmocka_unit_test(test_friction_with_a_level), cmocka_unit_test(test_wheel_begins_to_slide),
        cmocka_unit_test(test_plank_is_turned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
