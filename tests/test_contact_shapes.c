/* Friction of shapes that roll, contacts on curves, compliant contacts with friction: closed forms.
 */
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

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    if (column < 0) fail_msg("no column %s", name);
    return taut_result_value(s->result, row, column);
}

/* A billiard ball with spin slides on a parabola until it rolls: v = v0 - 2/7 of the first sliding
 * velocity, after 2/7 of that over mu g. */
static void test_billiard_ball(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "reference", "relative"};
    static const char *const cloth[] = {
        "Sphere: [C, R], On: {Plane: [[0, 0, 0], [0, 0, 1]]}",
        "Gap: Cz - R, Sliding: [\"Cx' - R*(uz*ux' + wz*wx' + n.z*n.x')\", "
        "\"Cy' - R*(uz*uy' + wz*wy' + n.z*n.y')\"]"};
    for (int k = 0; k < 4; k++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "PhysicalParams: {m: 0.2, R: 0.03, J: 2/5*m*R^2}\n"
            "Dimension: 3\n"
            "PartData:\n"
            "  Rigids: {Cuw: {Geom: [[1, 0, 0], [0, 0, 1]], Dyna: [[0, 0, 0], m, [J, J, J]]}}\n"
            "AppliedForces: {Gravity: 9.81}\n"
            "Define: {n: \"cross(w, u)\"}\n"
            "Contacts: {cloth: {%s, Friction: 0.2}}\n"
            "ProblemData:\n"
            "  tend: 1.5\n"
            "  positions: {C: [0, 0, R], u: [1, 0, 0], w: [0, 0, 1]}\n"
            "  velocities: {C: [1, 0, 0], u: [0, 0, 0], w: [0, -30, 0]}\n",
            cloth[k == 3 ? 1 : 0]);
        solution *s = run(text, formulation[k % 3], (const double[]){0.1, 1.5}, 2);
        const double slip = hypot(1.0, 0.9), t = 2.0 / 7.0 * slip / (0.2 * 9.81);
        assert_int_equal(notes_of(s)->events, 1);
        assert_string_equal(notes_of(s)->event[0].kind, "stick");
        assert_near(notes_of(s)->event[0].t, t, 0.0, 1e-11);
        assert_near(value(s, 0, "Cx'"), 1.0 - 0.2 * 9.81 * 0.1 / slip, 1e-12, 0.0);
        assert_near(value(s, 0, "Cy'"), -0.9 * 0.2 * 9.81 * 0.1 / slip, 1e-12, 0.0);
        assert_near(value(s, 1, "Cx'"), 5.0 / 7.0, 1e-11, 0.0);
        assert_near(value(s, 1, "Cy'"), -0.9 * 2.0 / 7.0, 1e-11, 0.0);
        const double lost = 0.2 * slip * slip / 7.0; /* m slip^2/7 */
        assert_near(value(s, 1, "work"), -lost, 1e-12, 0.0);
        assert_near(hypot(value(s, 0, "cloth.T1"), value(s, 0, "cloth.T2")), 0.2 * 0.2 * 9.81,
                    1e-12, 0.0);
        solution_free(s);
    }
}

/* A marble that rolls in a bowl, in the plane and in space: 7/10 v^2 = g h at the bottom, and the
 * bowl carries m (g + v^2/(R - r)); on a hill it rolls off where gravity no longer holds it. */
static void test_bowl(void **state) {
    (void)state;
    static const char plane[] =
        "PhysicalParams: {m: 0.5, r: 0.1, R: 0.6, a: 0.9}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {CP: {Geom: [[r]], Dyna: [[0, 0], m, 2/5*m*r^2]}}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {bowl: {Circle: [C, r], On: {Circle: [O, R], Inside: true}, Friction: 0.9}}\n"
        "Events: {bottom: {When: Cx, Direction: up, Stop: true}}\n"
        "ProblemData: {tend: 2, positions: {C: [-(R - r)*sin(a), -(R - r)*cos(a)], "
        "P: [-(R - r)*sin(a) + r, -(R - r)*cos(a)]}}\n";
    static const char space[] =
        "PhysicalParams: {m: 0.5, r: 0.1, R: 0.6, a: 0.9, J: 2/5*m*r^2}\n"
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0]}\n"
        "  Rigids: {Cuw: {Geom: [[1, 0, 0], [0, 0, 1]], Dyna: [[0, 0, 0], m, [J, J, J]]}}\n"
        "AppliedForces: {Gravity: 9.81}\n"
        "Contacts: {bowl: {Sphere: [C, r], On: {Sphere: [O, R], Inside: true}, Friction: 0.9}}\n"
        "Events: {bottom: {When: Cx, Direction: up, Stop: true}}\n"
        "ProblemData: {tend: 2, positions: {C: [-(R - r)*sin(a), 0, -(R - r)*cos(a)], "
        "u: [1, 0, 0], w: [0, 0, 1]}}\n";
    const double v = sqrt(10.0 / 7.0 * 9.81 * 0.5 * (1.0 - cos(0.9)));
    for (int k = 0; k < 2; k++) {
        taut_run_options o = at_tolerance(1e-12);
        o.every = TAUT_EVERY_STEP;
        solution *s = solve_text(k == 0 ? plane : space, &o);
        const long last = taut_result_rows(s->result) - 1;
        assert_near(value(s, last, "Cx"), 0.0, 1e-12, 0.0);
        assert_near(value(s, last, "Cx'"), v, 0.0, 1e-11);
        assert_near(value(s, last, "bowl.N"), 0.5 * (9.81 + v * v / 0.5), 0.0, 1e-11);
        assert_near(value(s, last, "bowl.mode"), 1.0, 0.0, 0.0);
        assert_near(value(s, last, "work"), 0.0, 1e-12, 0.0);
        solution_free(s);
    }
}

/* Two discs that turn are pressed together by their weight: friction brings their rims to one
 * speed, J w + r P for both. */
static void test_discs(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {J: 0.02, r: 0.2}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], q: [0, 1]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[r]], Dyna: [[0, 0], 1, J]}\n"
        "    CB: {Geom: [[r]], Dyna: [[0, 0], 2, 3*J]}\n"
        "Constraints: {guide: Cx}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {rim: {Circle: [C, r], On: {Circle: [O, r, OA]}, Friction: 0.25}}\n"
        "Angles: {a: OA, b: CB}\n"
        "ProblemData: {tend: 2, positions: {C: [0, 2*r], a: 0, b: 0}, "
        "velocities: {a: 12, b: 0}}\n";
    solution *s = run(text, NULL, (const double[]){2.0}, 1);
    /* r (12 + 0) is to vanish: both torques slow the sum of the speeds down */
    const double force = 0.25 * 2.0 * 9.81, t = 12.0 / (force * 0.2 / 0.02 * (1.0 + 1.0 / 3.0));
    assert_int_equal(notes_of(s)->events, 1);
    assert_near(notes_of(s)->event[0].t, t, 0.0, 1e-11);
    assert_near(value(s, 0, "a'"), 12.0 - force * 0.2 / 0.02 * t, 1e-10, 0.0);
    assert_near(value(s, 0, "a'") + value(s, 0, "b'"), 0.0, 1e-11, 0.0);
    solution_free(s);
}

/* A bead on a parabola; on a slope that is written as a curve it slides as on a line, and stands.
 */
static void test_curve(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData: {Particles: {A: 2}}\n"
                               "AppliedForces: {Gravity: [0, -9.81]}\n"
                               "Contacts: {hill: {Point: A, On: {Curve: %s}%s}}\n"
                               "Events: {bottom: {When: Ax, Direction: up, Stop: true}}\n"
                               "ProblemData: {tend: 20, positions: {A: [-1, %s]}}\n";
    char model[600];
    snprintf(model, sizeof model, text, "3*(y - 0.5*x^2)", "", "0.5");
    taut_run_options o = at_tolerance(1e-12);
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(model, &o);
    long last = taut_result_rows(s->result) - 1;
    assert_near(value(s, last, "Ax'"), sqrt(9.81), 0.0, 1e-11); /* v^2 = 2 g/2, curvature 1 */
    assert_near(value(s, last, "hill.N"), 2.0 * 2.0 * 9.81, 0.0, 1e-11);
    solution_free(s);
    snprintf(model, sizeof model, text, "y + 0.75*x", ", Friction: 0.5", "0.75");
    s = solve_text(model, &o);
    last = taut_result_rows(s->result) - 1;
    const double a = 9.81 * (0.6 - 0.5 * 0.8);
    assert_near(value(s, last, "t"), sqrt(2.0 * 1.25 / a), 0.0, 1e-11);
    assert_near(value(s, last, "work"), -0.5 * 2.0 * 9.81 * 0.8 * 1.25, 0.0, 1e-11);
    solution_free(s);
    snprintf(model, sizeof model, text, "y + 0.75*x", ", Friction: 0.8", "0.75");
    s = solve_text(model, &o);
    last = taut_result_rows(s->result) - 1;
    assert_near(value(s, last, "Ax"), -1.0, 1e-15, 0.0);
    assert_near(value(s, last, "hill.mode"), 1.0, 0.0, 0.0);
    solution_free(s);
}

/* A soft pad takes mu times the normal momentum as long as it slides: x' + mu (g t + y') stays. */
static void test_compliant_friction(void **state) {
    (void)state;
    static const char text[] =
        "Lagrangian: {Coordinates: [x, y], L: (x'^2 + y'^2)/2 - 9.81*y}\n"
        "Contacts: {pad: {Gap: y, Along: x, Stiffness: 1e4, Damping: 30, Friction: 0.3}}\n"
        "ProblemData: {tend: 3, positions: {x: 0, y: 0.1}, velocities: {x: 2}}\n";
    solution *s = run(text, NULL, (const double[]){0.1, 0.15, 0.3, 0.37, 0.5, 0.65, 3.0}, 7);
    for (int row = 0; row < 6; row++)
        assert_near(value(s, row, "x'") + 0.3 * (9.81 * value(s, row, "t") + value(s, row, "y'")),
                    2.0, 1e-10, 0.0);
    const taut_happened *end = &notes_of(s)->event[notes_of(s)->events - 1];
    assert_string_equal(end->kind, "stick");
    assert_true(value(s, 6, "x'") == 0.0);
    assert_near(value(s, 6, "pad.mode"), 1.0, 0.0, 0.0);
    assert_near(value(s, 6, "pad.N"), 9.81, 1e-9, 0.0);
    assert_near(value(s, 1, "pad.T"), -0.3 * value(s, 1, "pad.N"), 1e-12, 0.0);
    assert_near(value(s, 0, "pad.mode"), 0.0, 0.0, 0.0);
    assert_near(value(s, 1, "pad.mode"), 2.0, 0.0, 0.0);
    solution_free(s);
}

/* Two free discs that press into each other deeply and rub: no force comes from outside, so what
 * they have of momentum, and of it about any point, stays. */
static void test_soft_discs(void **state) {
    (void)state;
    static const char *const other[] = {"{Circle: [C, 0.3, b], On: {Circle: [A, 0.2, a]}",
                                        "{Circle: [A, 0.2, a], On: {Circle: [C, 0.3, b]}",
                                        "{Point: P, On: {Circle: [C, 0.3, b]}",
                                        ("{Circle: [A, 0.2, a], On: {Circle: [K, 0.9, b], "
                                         "Inside: true}")};
    for (int k = 0; k < 4; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Rigids:\n"
                 "    a: {Elements: [A, P], Geom: [[0.2]], Dyna: [[0, 0], 1, 0.02]}\n"
                 "    b: {Elements: [C, Q, K], Geom: [[0.3], [-0.6, 0]], Dyna: [[0, 0], 2, 0.1]}\n"
                 "Angles: {p: a, q: b}\n"
                 "AppliedForces: {}\n"
                 "Contacts: {rim: %s, Stiffness: 300, Damping: 2, Friction: 0.4}}\n"
                 "ProblemData: {tend: 1, positions: {A: [0, 0.05], C: [0.6, 0], p: 0, q: 0},\n"
                 "  velocities: {A: [%d, 0], C: [-1, 0.1], p: 9, q: -2}, fixedvelocities: {A, C, "
                 "p, q}}\n",
                 other[k], k < 3 ? 1 : -2);
        solution *s = run(text, NULL, (const double[]){0.0, 1.0}, 2);
        assert_true(notes_of(s)->events >= 2);
        double turn[2], lift[2];
        for (int row = 0; row < 2; row++) {
            lift[row] = value(s, row, "Ay'") + 2.0 * value(s, row, "Cy'");
            turn[row] = value(s, row, "Ax") * value(s, row, "Ay'") -
                        value(s, row, "Ay") * value(s, row, "Ax'") + 0.02 * value(s, row, "p'") +
                        2.0 * (value(s, row, "Cx") * value(s, row, "Cy'") -
                               value(s, row, "Cy") * value(s, row, "Cx'")) +
                        0.1 * value(s, row, "q'");
        }
        assert_true(fabs(value(s, 1, "p'") - value(s, 0, "p'")) > 0.1);
        assert_near(turn[1], turn[0], 1e-11, 0.0);
        assert_near(lift[1], lift[0], 1e-12, 0.0);
        solution_free(s);
    }
}

/* A wheel whose axle is in a frame as well, which drags on the ground behind it: the rim slides
 * until friction, which slows 3 kg and turns the wheel, has made it roll: v = 3 - F t/3, r w = F t.
 * Whose angle has a name does not matter, and a body that is not named is not guessed. */
static void test_axle_in_a_frame(void **state) {
    (void)state;
    static const char *const angles[] = {"", "Angles: {psi: frame}\n", "Angles: {phi: wheel}\n",
                                         "Angles: {phi: wheel, psi: frame}\n"};
    for (int k = 0; k < 8; k++) {
        char text[900];
        taut_model *model = NULL;
        taut_errors errors = {0};
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], u: [1, 0]}\n"
                 "  Rigids:\n"
                 "    wheel: {Elements: [C, P], Geom: [[0.3]], Dyna: [[0, 0], 2, 0.09]}\n"
                 "    frame: {Elements: [C, Q], Geom: [[0.5]], Dyna: [[0.25, 0], 1, 0.1]}\n"
                 "AppliedForces: {Gravity: [0, -9.81]}\n"
                 "Contacts:\n"
                 "  rim: {Circle: [C, 0.3%s], On: {Line: [O, u]}, Friction: 0.5}\n"
                 "  tail: {Point: Q, On: {Line: [O, u]}}\n"
                 "ProblemData: {tend: 1, positions: {C: [0, 0.3], P: [0.3, 0.3], Q: [-0.4, 0]}, "
                 "velocities: {C: [3, 0], P: [3, 0], Q: [3, 0]}}\n%s",
                 k < 4 ? ", wheel" : "", angles[k % 4]);
        if (k < 4) {
            solution *s = run(text, NULL, (const double[]){1.0}, 1);
            assert_near(value(s, 0, "Cx'"), 2.25, 1e-11, 0.0);
            solution_free(s);
            continue;
        }
        assert_int_not_equal(taut_model_parse("m", text, -1, &model, &errors), TAUT_OK);
        assert_non_null(strstr(errors.item[0].message, "name the body, [centre, radius, body]"));
        taut_model_free(&model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_billiard_ball),   cmocka_unit_test(test_bowl),
        cmocka_unit_test(test_discs),           cmocka_unit_test(test_curve),
        cmocka_unit_test(test_axle_in_a_frame), cmocka_unit_test(test_compliant_friction),
        cmocka_unit_test(test_soft_discs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
