/* Joints that let go although others hold the same: what is left carries on, whichever it is, in
 * loops, in space, and where what was chosen to have no force becomes a poor choice. Against
 * mechanisms that never had the joint, and balances. */
#include "solve_text.h"

#include <math.h>

static const char *const FORMULATION[] = {"natural", "reference", "relative"};
enum { FORMULATIONS = 3 };

static solution *run(const char *text, int formulation, const double *at, int ats) {
    taut_run_options o = at_tolerance(1e-13);
    o.formulation = FORMULATION[formulation];
    o.at = at;
    o.ats = ats;
    return solve_text(text, &o);
}

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    if (column < 0) fail_msg("no column %s", name);
    return taut_result_value(s->result, row, column);
}

static void check_event(const solution *s, int i, double t, const char *name, const char *kind) {
    const taut_notes *n = taut_result_notes(s->result);
    assert_true(i < n->events);
    assert_string_equal(n->event[i].name, name);
    assert_string_equal(n->event[i].kind, kind);
    assert_near(n->event[i].t, t, 1e-12, 0.0);
}

static bool remarks(const solution *s, const char *words) {
    const taut_notes *n = taut_result_notes(s->result);
    for (int i = 0; i < n->remarks; i++)
        if (strstr(n->remark[i], words)) return true;
    return false;
}

#define BEAM                                                                                       \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0], B: [1, 0]}\n"                                                            \
    "  Rigids: {rod: {Elements: [P, Q], Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}}\n"              \
    "  Joints:\n"                                                                                  \
    "    left: {Type: revolute, Points: [O, P]}\n"                                                 \
    "    right: {Type: revolute, Points: [B, Q]}\n"                                                \
    "Angles: {phi: rod}\n"                                                                         \
    "AppliedForces: {Gravity: [0, -9.81]}\n"

/* A beam on two pins, four conditions for three freedoms, falls as a rod does when one lets go, and
 * flies when both have: whichever it is, and whether it could let go itself. */
static void test_beam_on_two_pins(void **state) {
    (void)state;
    static const double fall[] = {0.25}, at[] = {1.0, 1.25, 1.5};
    static const char *const BREAKS[] = {
        "Breaks: {hook: {Joint: right, When: t > 1}}\n",
        "Breaks: {hook: {Joint: right, When: t > 1}, other: {Joint: left, When: t > 1.25}}\n",
        "Breaks: {hook: {Joint: left, When: t > 1}, other: {Joint: right, When: t > 1.25}}\n"};
    solution *rod = run("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0]}\n"
                        "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}}\n"
                        "Angles: {phi: OA}\n"
                        "AppliedForces: {Gravity: [0, -9.81]}\n"
                        "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
                        0, fall, 1);
    const double phi = value(rod, 0, "phi"), rate = value(rod, 0, "phi'");
    assert_near(rate * rate, 3.0 * 9.81 * sin(-phi), 1e-11, 0.0);
    for (int b = 0; b < 3; b++)
        for (int f = 0; f < FORMULATIONS; f++) {
            char text[1000];
            snprintf(text, sizeof text,
                     BEAM "%sProblemData: {tend: 1.5, positions: {P: [0, 0], Q: [1, 0]}}\n",
                     BREAKS[b]);
            solution *s = run(text, f, at, 3);
            const double sign = b == 2 ? -1.0 : 1.0;
            assert_near(value(s, 0, "phi"), 0.0, 1e-14, 0.0);
            assert_near(value(s, 1, "phi"), sign * phi, 1e-11, 0.0);
            assert_near(value(s, 1, "phi'"), sign * rate, 1e-11, 0.0);
            check_event(s, 0, 1.0, "hook", "break");
            assert_true(remarks(s, "not how they share the load"));
            assert_near(value(s, 2, "energy") - value(s, 2, "work"), 0.0, 1e-11, 0.0);
            if (b > 0) { /* it flies */
                check_event(s, 1, 1.25, "other", "break");
                assert_near(value(s, 2, "phi"), sign * (phi + 0.25 * rate), 1e-11, 0.0);
            }
            solution_free(s);
        }
    solution_free(rod);
}

/* Three pins on a line: after the first one has let go two are still one condition too many; the
 * last one but one is caught again in the fall, which stops the rod, and carries it alone. */
static void test_three_pins(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], B: [0.5, 0], D: [1, 0]}\n"
        "  Rigids: {rod: {Elements: [P, Q, R], Geom: [[0.5, 0], [1, 0]], Dyna: [[0.5, 0], 2, "
        "1/6]}}\n"
        "  Joints:\n"
        "    one: {Type: revolute, Points: [O, P]}\n"
        "    two: {Type: revolute, Points: [B, Q]}\n"
        "    three: {Type: revolute, Points: [D, R]}\n"
        "Angles: {phi: rod}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Breaks:\n"
        "  a: {Joint: two, When: t > 0.5}\n"
        "  b: {Joint: three, When: t > 1, Until: t > 1.2}\n"
        "  c: {Joint: one, When: t > 1.8}\n"
        "ProblemData: {tend: 2, positions: {P: [0, 0], Q: [0.5, 0]}}\n";
    static const double at[] = {0.9, 1.2, 1.5, 1.8, 2.0};
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, at, 5);
        check_event(s, 0, 0.5, "a", "break");
        check_event(s, 1, 1.0, "b", "break");
        check_event(s, 2, 1.2, "b", "lock");
        check_event(s, 3, 1.8, "c", "break");
        const double phi = value(s, 1, "phi"), fall = 2.0 * 9.81 * 0.5 * sin(-phi);
        assert_near(value(s, 0, "phi"), 0.0, 1e-14, 0.0);
        for (int row = 2; row < 4; row++) {
            assert_near(value(s, row, "phi"), phi, 1e-13, 0.0);
            assert_near(value(s, row, "phi'"), 0.0, 1e-13, 0.0);
        }
        /* what was lost is what it had fallen */
        assert_near(value(s, 3, "work"), -fall, 1e-11, 0.0);
        assert_near(value(s, 4, "work"), -fall, 1e-11, 0.0);
        const double rate = value(s, 4, "phi'"), angle = value(s, 4, "phi");
        const double x = value(s, 4, "Rx"), y = value(s, 4, "Ry");
        assert_near(x, cos(phi), 1e-12, 0.0);
        assert_near(y, sin(phi), 1e-12, 0.0);
        /* it turns about its other end */
        assert_near(rate * rate / 3.0, 9.81 * (sin(angle) - sin(phi)), 1e-11, 0.0);
        assert_true(rate > 1.0);
        solution_free(s);
    }
}

#define CRANKS                                                                                     \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0], P: [2, 0], Q: [1, 0]}\n"                                                 \
    "  Rigids:\n"                                                                                  \
    "    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}\n"                                         \
    "    PB: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}\n"                                         \
    "    QC: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}\n"                                         \
    "    bar: {Elements: [A, B, C], Geom: [[2, 0], [1, 0]], Dyna: [[1, 0], 3, 1]}\n"               \
    "Angles: {phi: OA, psi: QC}\n"                                                                 \
    "AppliedForces: {Gravity: [0, -9.81]}\n"                                                       \
    "ProblemData: {tend: 3, positions: {A: [0.6, -0.8], B: [2.6, -0.8], C: [1.6, -0.8]}}\n"

/* Three parallel cranks and a bar, of which two would do: the one that lets go and what is left
 * swing by themselves, each with the energy that it has. Shared joints and loops. */
static void test_loop_that_loses_a_crank(void **state) {
    (void)state;
    static const double at[] = {0.4, 3.0};
    double first[2] = {0.0};
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(CRANKS "Breaks: {hook: {Joint: QC-bar, When: t > 0.4}}\n", f, at, 2);
        const double w = value(s, 0, "phi'"), sine = sin(value(s, 0, "phi"));
        check_event(s, 0, 0.4, "hook", "break");
        /* together: (3 I + M) w^2/2 = (3 m/2 + M) g (-0.8 - sin phi) */
        assert_near(2.5 * w * w, 6.0 * 9.81 * (-0.8 - sine), 1e-11, 0.0);
        const double u = value(s, 1, "phi'"), v = value(s, 1, "psi'");
        assert_near(0.5 * (13.0 / 3.0) * (u * u - w * w),
                    5.0 * 9.81 * (sine - sin(value(s, 1, "phi"))), 1e-10, 0.0);
        assert_near(0.5 * (2.0 / 3.0) * (v * v - w * w), 9.81 * (sine - sin(value(s, 1, "psi"))),
                    1e-10, 0.0);
        assert_true(fabs(value(s, 1, "phi") - value(s, 1, "psi")) > 0.1);
        const double end[] = {value(s, 1, "phi"), value(s, 1, "psi")};
        for (int k = 0; k < 2; k++) {
            if (f > 0) assert_near(end[k], first[k], 1e-10, 0.0);
            first[k] = end[k];
        }
        solution_free(s);
    }
}

/* A door on two hinges, of which all ten conditions but five are too many: it does not feel that
 * one lets go, is engaged again, and carries it alone afterwards. */
static void test_door_on_two_hinges(void **state) {
    (void)state;
    static const char form[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], U: [0, 0, 1], z: [0, 0, 1]}\n"
        "  Rigids:\n"
        "    door: {Elements: [P, w, u, Q], Geom: [[0, 0, 1], [1, 0, 0], [0, 0, 1]],\n"
        "      Dyna: [[0.5, 0, 0.5], 2, [1, 1, 1]]}\n"
        "  Joints:\n"
        "    low: {Type: revolute, Points: [O, P], Axes: [z, w]}\n"
        "%s"
        "AppliedForces: {Gravity: [0, -9.81, 0]}\n"
        "ProblemData: {tend: 2, positions: {P: [0, 0, 0], w: [0, 0, 1], u: [1, 0, 0]}}\n"
        "%s";
    static const double at[] = {0.4, 0.9, 1.4, 2.0};
    char text[1500];
    snprintf(text, sizeof text, form, "", "");
    solution *one = run(text, 0, at, 4);
    snprintf(text, sizeof text, form, "    high: {Type: revolute, Points: [U, Q], Axes: [z, w]}\n",
             "Breaks: {hook: {Joint: high, When: t > 0.5, Until: t > 1},\n"
             "  lower: {Joint: low, When: t > 1.5}}\n");
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, at, 4);
        check_event(s, 0, 0.5, "hook", "break");
        check_event(s, 1, 1.0, "hook", "lock");
        check_event(s, 2, 1.5, "lower", "break");
        assert_near(taut_result_notes(s->result)->event[1].impulse, 0.0, 1e-12, 0.0);
        for (int row = 0; row < 4; row++) {
            static const char *const NAME[] = {"ux", "uy", "uz", "Qz", "energy"};
            for (int k = 0; k < 5; k++)
                assert_near(value(s, row, NAME[k]), value(one, row, NAME[k]), 1e-11, 0.0);
        }
        assert_near(value(s, 3, "hook.mode"), 1.0, 0.0, 0.0);
        assert_near(value(s, 3, "lower.mode"), 0.0, 0.0, 0.0);
        solution_free(s);
    }
    solution_free(one);
}

/* A plate on two pins of a rotor: of four conditions one is idle, and which one that can be changes
 * with every quarter of a turn. Angular momentum and energy stay, and the rate until it is loose.
 */
static void test_choice_turns_with_the_rotor(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    rotor: {Elements: [O, A, B], Geom: [[1, 0], [1.5, 0]], Dyna: [[0.5, 0], 2, 1/6]}\n"
        "    plate: {Elements: [C, D, G], Geom: [[0.5, 0], [0.25, 0.3]],\n"
        "      Dyna: [[0.25, 0.3], 1, 0.1]}\n"
        "  Joints:\n"
        "    first: {Type: revolute, Points: [A, C]}\n"
        "    second: {Type: revolute, Points: [B, D]}\n"
        "Angles: {phi: rotor, psi: plate}\n"
        "Breaks: {one: {Joint: first, When: t > 8}, two: {Joint: second, When: t > 5}}\n"
        "ProblemData: {tend: 9, positions: {A: [1, 0], C: [1, 0], D: [1.5, 0]},\n"
        "  velocities: {A: [0, 2]}}\n";
    static const double at[] = {1.0, 3.3, 5.0, 6.0, 9.0};
    const double L = 2.0 * (2.0 / 3.0 + 1.25 * 1.25 + 0.09 + 0.1), E = L;
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, at, 5);
        check_event(s, 0, 5.0, "two", "break");
        check_event(s, 1, 8.0, "one", "break");
        for (int row = 0; row < 5; row++) {
            const double momentum = 2.0 / 3.0 * value(s, row, "phi'") +
                                    0.1 * value(s, row, "psi'") +
                                    value(s, row, "Gx") * value(s, row, "Gy'") -
                                    value(s, row, "Gy") * value(s, row, "Gx'");
            if (row < 3) assert_near(value(s, row, "phi"), 2.0 * at[row], 1e-11, 0.0);
            assert_near(value(s, row, "psi") - value(s, row, "phi"), 0.0, row < 3 ? 1e-11 : 100.0,
                        0.0);
            assert_near(momentum, L, 1e-10, 0.0);
            assert_near(value(s, row, "energy"), E, 1e-10, 0.0);
        }
        assert_true(fabs(value(s, 3, "psi") - value(s, 3, "phi")) > 0.1);
        solution_free(s);
    }
}

/* A pendulum with such a plate comes to rest where the first choice is singular: the plate is held
 * with what gravity needs, and swings when one pin lets go. */
static void test_rest_where_the_first_choice_fails(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    rotor: {Elements: [O, A, B], Geom: [[1, 0], [1.5, 0]], Dyna: [[0.5, 0], 2, 1/6]}\n"
        "    plate: {Elements: [C, D, G], Geom: [[0.5, 0], [0.25, 0]],\n"
        "      Dyna: [[0.25, 0], 1, 0.1]}\n"
        "  Joints:\n"
        "    first: {Type: revolute, Points: [A, C]}\n"
        "    second: {Type: revolute, Points: [B, D]}\n"
        "Angles: {phi: rotor, psi: plate}\n"
        "AppliedForces: {Gravity: [0, -10], Torques: {phi: -20*phi'}}\n"
        "Breaks: {two: {Joint: second, When: t > 60}}\n"
        "ProblemData: {tend: 61, positions: {A: [1, 0], C: [1, 0], D: [1.5, 0]}}\n";
    static const double at[] = {1.0, 59.0, 61.0};
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, at, 3);
        check_event(s, 0, 60.0, "two", "break");
        for (int row = 0; row < 3; row++)
            assert_near(value(s, row, "psi") - value(s, row, "phi"), 0.0, 1e-10, 0.0);
        assert_near(value(s, 1, "phi"), -acos(0.0), 1e-9, 0.0);
        assert_near(value(s, 1, "two.N"), 0.0, 200.0, 0.0);
        assert_near(value(s, 2, "energy") - value(s, 2, "work"), 0.0, 1e-10, 0.0);
        solution_free(s);
    }
}

static void expect_refusal(const char *text, const taut_run_options *o, const char *words) {
    solution *s = try_text(text, o);
    bool told = false;
    assert_int_not_equal(s->status, TAUT_OK);
    for (int i = 0; i < s->errors.count; i++)
        told = told || strstr(s->errors.item[i].message, words);
    if (!told) show_errors(&s->errors);
    assert_true(told);
    solution_free(s);
}

/* Loads that rigid bodies do not determine stay refused where somebody asks for them, by name; so
 * does a driver of what joints hold. */
static void test_what_stays_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {{BEAM "Breaks: {hook: {Joint: right, When: right.Fx > 3}}\n"
                       "ProblemData: {tend: 1, positions: {P: [0, 0], Q: [1, 0]}}\n",
                  "do not determine the load of 'right'"},
                 {CRANKS "Friction: {f: {Joint: QC-bar, Coefficient: 0.1, Radius: 0.1}}\n",
                  "do not determine the load of 'QC-bar'"},
                 {BEAM "Drivers: {phi: 0.1*t}\n"
                       "Breaks: {hook: {Joint: right, When: t > 3}}\n"
                       "ProblemData: {tend: 1, positions: {P: [0, 0], Q: [1, 0]}}\n",
                  "prescribes what joints and other drivers determine already"},
                 {BEAM
                  "Drivers: {phi: 0.1*t}\n"
                  "Breaks: {hook: {Driver: phi, When: t > 3}, r: {Joint: right, When: t > 1}}\n"
                  "ProblemData: {tend: 1, positions: {P: [0, 0], Q: [1, 0]}}\n",
                  "the driver 'hook' prescribes what joints"}};
    for (int i = 0; i < 4; i++)
        for (int f = 0; f < FORMULATIONS; f++) {
            taut_run_options o = at_tolerance(1e-12);
            o.formulation = FORMULATION[f];
            expect_refusal(CASES[i].text, &o, CASES[i].message);
        }
    /* what is vertical is determined, and may tear it */
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(BEAM "Breaks: {hook: {Joint: right, When: t*right.Fy < -9.81}}\n"
                               "ProblemData: {tend: 2, positions: {P: [0, 0], Q: [1, 0]}}\n",
                          f, NULL, 0);
        check_event(s, 0, 1.0, "hook", "break");
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beam_on_two_pins),
        cmocka_unit_test(test_three_pins),
        cmocka_unit_test(test_loop_that_loses_a_crank),
        cmocka_unit_test(test_door_on_two_hinges),
        cmocka_unit_test(test_choice_turns_with_the_rotor),
        cmocka_unit_test(test_rest_where_the_first_choice_fails),
        cmocka_unit_test(test_what_stays_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
