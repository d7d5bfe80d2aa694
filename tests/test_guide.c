/* Friction of guides that a moment presses, by the loads of their two ends: closed forms in the
 * plane and in space, a slider on two points, and wrong files. */
#include "solve_text.h"

#include <math.h>

#include "program.h"

static const char *const FORMULATION[] = {"natural", "reference", "relative"};

static solution *run(const char *text, int formulation, const double *at, int ats) {
    taut_run_options o = at_tolerance(1e-12);
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

#define LOADS                                                                                      \
    "AppliedForces: {Gravity: [0, -9.81], Forces: {K: [8*sin(2*t), 0]}}\n"                         \
    "ProblemData: {tend: 2, positions: {Q: [0.2, 0], u: [1, 0]}}\n"
static const char GUIDE[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], x: [1, 0]}\n"
    "  Rigids: {slide: {Elements: [Q, u, K], Geom: [[1, 0], [0, 0.6]], Dyna: [[0, 0], 2, 0.1]}}\n"
    "  Joints: {way: {Type: prismatic, Points: [O, Q], Axes: [x, u], Distance: s}}\n"
    "Friction: {f: {Joint: way, Coefficient: 0.2, Static: 0.25, Length: 400 mm}}\n" LOADS;
/* The same by two points that slide on the line. */
static const char POINTS[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], x: [1, 0]}\n"
    "  Rigids: {slide: {Elements: [Q, u, K, A, B],\n"
    "    Geom: [[1, 0], [0, 0.6], [0.2, 0], [-0.2, 0]], Dyna: [[0, 0], 2, 0.1]}}\n"
    "  Joints:\n"
    "    a: {Type: point-on-line, Points: [O, A], Axes: [x], Distance: s}\n"
    "    b: {Type: point-on-line, Points: [O, B], Axes: [x], Distance: z}\n"
    "Friction:\n"
    "  front: {Joint: a, Coefficient: 0.2, Static: 0.25}\n"
    "  back: {Joint: b, Coefficient: 0.2, Static: 0.25}\n" LOADS;

/* A force above a slider tilts it: N = mg/2 +- M/L. It sets off where the force is mu_s mg, as long
 * as both ends are pressed down; from M = mg L/2 on the friction is 2 mu M/L. */
static void test_tilted_slider(void **state) {
    (void)state;
    const double mg = 2.0 * 9.81, off = 0.5 * asin(0.25 * mg / 8.0);
    const double lifts = 0.5 * asin(mg * 0.4 / (2.0 * 0.6 * 8.0)), end = 0.7;
    const double first =
        0.5 * (4.0 * (cos(2.0 * off) - cos(2.0 * lifts)) - 0.2 * mg * (lifts - off));
    const double speed =
        first + 0.5 * 4.0 * (cos(2.0 * lifts) - cos(2.0 * end)) * (1.0 - 0.2 * 3.0);
    for (int k = 0; k < 6; k++) {
        const bool points = k >= 3;
        solution *s = run(points ? POINTS : GUIDE, k % 3, (const double[]){0.2, 0.4, end, 2.0}, 4);
        const taut_notes *n = taut_result_notes(s->result);
        const double M[2] = {0.6 * 8.0 * sin(0.4), 0.6 * 8.0 * sin(0.8)};
        for (int row = 0; row < 2; row++) {
            const double front = value(s, row, points ? "front.N" : "f.front.N");
            const double back = value(s, row, points ? "back.N" : "f.back.N");
            assert_near(front, 0.5 * mg + M[row] / 0.4, 1e-9, 0.0);
            assert_near(back, 0.5 * mg - M[row] / 0.4, 1e-9, 0.0);
        }
        assert_string_equal(n->event[0].kind, "slip");
        assert_near(n->event[0].t, off, 2e-9, 0.0);
        assert_near(value(s, 2, "Qx'"), speed, 3e-9, 0.0);
        assert_near(value(s, 3, "energy") - value(s, 3, "work"), value(s, 0, "energy"), 1e-10, 0.0);
        if (!points) assert_string_equal(n->event[1].kind, "open"); /* one row for both ends */
        solution_free(s);
    }
}

/* A body in space that rests on its guide, with its weight and a force across off the middle: each
 * end bears a vector. */
static void test_ends_in_space(void **state) {
    (void)state;
    static const char *const joint[][2] = {{"prismatic", ", Normals: [z, w], Distance: s"},
                                           {"cylindrical", ", Distance: s"}};
    for (int k = 0; k < 6; k++) {
        char text[900];
        snprintf(
            text, sizeof text,
            "Dimension: 3\n"
            "PartData:\n"
            "  Fixed: {O: [0, 0, 0], x: [1, 0, 0], z: [0, 0, 1]}\n"
            "  Rigids: {sleeve: {Elements: [Q, u, w, K], Geom: [[1, 0, 0], [0, 0, 1], [0.3, 0, "
            "0]],\n"
            "    Dyna: [[0.1, 0, 0], 2, [0.01, 0.02, 0.02]]}}\n"
            "  Joints: {way: {Type: %s, Points: [O, Q], Axes: [x, u]%s}}\n"
            "AppliedForces: {Gravity: [0, 0, -9.81], Forces: {K: [-1, 5, 0]}}\n"
            "Friction: {f: {Joint: way, Coefficient: 0.3, Length: 0.5%s}}\n"
            "ProblemData: {tend: 1, positions: {Q: [0.2, 0, 0], u: [1, 0, 0], w: [0, 0, 1]}}\n",
            joint[k / 3][0], joint[k / 3][1], k < 3 ? "" : ", Radius: 0.02");
        solution *s = run(text, k % 3, (const double[]){1.0}, 1);
        const double mg = 2.0 * 9.81;
        assert_near(value(s, 0, "f.front.N"),
                    hypot(mg * (0.5 + 0.1 / 0.5), 5.0 * (0.5 + 0.3 / 0.5)), 1e-10, 0.0);
        assert_near(value(s, 0, "f.back.N"), hypot(mg * (0.5 - 0.1 / 0.5), 5.0 * (0.5 - 0.3 / 0.5)),
                    1e-10, 0.0);
        assert_near(value(s, 0, "Qx"), 0.2, 1e-15, 0.0);
        solution_free(s);
    }
}

static void test_wrong_files(void **state) {
    (void)state;
    static const char *const wrong[][3] = {
        {"prismatic, Points: [O, Q], Axes: [x, u]", "Length: 0", "'Length' is a length above 0"},
        {"point-on-line, Points: [O, Q], Axes: [x]", "Length: 1",
         "a point on a line carries no moment: it has no 'Length'"},
        {"revolute, Points: [O, Q]", "Radius: 0.1, Length: 1",
         "'Length' is for prismatic and cylindrical joints"}};
    for (int k = 0; k < 3; k++) {
        program_result r;
        char text[700];
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], x: [1, 0]}\n"
                 "  Rigids: {slide: {Elements: [Q, u], Geom: [[1, 0]], Dyna: [[0, 0], 2, 0.1]}}\n"
                 "  Joints: {way: {Type: %s}}\n"
                 "Friction: {f: {Joint: way, Coefficient: 0.2, %s}}\n"
                 "ProblemData: {tend: 2, positions: {Q: [0, 0], u: [1, 0]}}\n",
                 wrong[k][0], wrong[k][1]);
        program_write("m.yaml", text, -1);
        program_call(&r, "run m.yaml");
        assert_int_equal(r.code, 2);
        assert_non_null(strstr(r.err, wrong[k][2]));
        assert_non_null(strstr(r.err, "m.yaml:6:"));
        program_release(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tilted_slider),
        cmocka_unit_test(test_ends_in_space),
        cmocka_unit_test(test_wrong_files),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
