/* Kinematics against geometry of its own: intersections of circles, the equation of Watt's curve,
 * closed forms of four-bars and arms.
 *
 * How it could be wrong unnoticed: positions of another assembly (every branch is compared with its
 * own intersections), a step across a dead point onto the other branch (the way back is looked at),
 * derivatives by time instead of the coordinate (differences of order 8), turns that are lost. */
#include "solve_text.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static taut_kinematics *drive(taut_model *m, const char *what, int starts, taut_status expected) {
    taut_kinematics *k = NULL;
    taut_errors errors = {0};
    taut_kinematics_options o = taut_kinematics_options_default();
    o.drive = what;
    o.starts = starts;
    o.derivatives = 2;
    const taut_status status = taut_kinematics_find(m, &o, &k, &errors);
    if (status != expected) show_errors(&errors);
    assert_int_equal(status, expected);
    return k;
}

static double at(const taut_kinematics *k, long row, const char *name) {
    const int c = taut_result_find(taut_kinematics_result(k), name);
    if (c < 0) print_error("no column %s\n", name);
    assert_true(c >= 0);
    return taut_result_value(taut_kinematics_result(k), row, c);
}

/* ---- Jansen's leg ---- */

/* The point at distance r of a and s of b, to the left of the way from a to b. */
static void meet(const double a[2], double r, const double b[2], double s, double out[2]) {
    const double x = b[0] - a[0], y = b[1] - a[1], d = hypot(x, y);
    const double along = (d * d + r * r - s * s) / (2.0 * d), up = sqrt(r * r - along * along);
    out[0] = a[0] + (along * x - up * y) / d;
    out[1] = a[1] + (along * y + up * x) / d;
}

/* Jansen's eleven numbers; O the crank, B the fixed joint. */
static const char JANSEN[] =
    "Dimension: 2\n"
    "PhysicalParams: {a: 38, b: 41.5, c: 39.3, d: 40.1, e: 55.8, f: 39.4, g: 36.7, h: 65.7, i: 49, "
    "j: 50, k: 61.9, l: 7.8, m: 15}\n"
    "PartData:\n  Fixed: {O: [0, 0], B: [-a, -l]}\n  Rigids:\n"
    "    OA: {Geom: [[m, 0]]}\n    AC: {Geom: [[j, 0]]}\n    AE: {Geom: [[k, 0]]}\n"
    "    BCD: {Geom: [[b, 0], [(b^2 + d^2 - e^2)/(2*b), sqrt(d^2 - ((b^2 + d^2 - "
    "e^2)/(2*b))^2)]]}\n"
    "    BE: {Geom: [[c, 0]]}\n    DF: {Geom: [[f, 0]]}\n"
    "    EFG: {Geom: [[g, 0], [(g^2 + i^2 - h^2)/(2*g), sqrt(i^2 - ((g^2 + i^2 - "
    "h^2)/(2*g))^2)]]}\n"
    "Angles: {phi: OA}\n"
    "ProblemData: {tend: 1, positions: {A: [15, 0], C: [-20, 30], D: [-75, 10], E: [-30, -45], F: "
    "[-65, -35], G: [-50, -85]}}\n";

static void test_jansens_leg(void **state) {
    (void)state;
    const double B[2] = {-38, -7.8};
    taut_model *m = read_text(JANSEN);
    taut_kinematics *k = drive(m, "phi=0..360deg:1441", 0, TAUT_OK);
    assert_int_equal(taut_result_rows(taut_kinematics_result(k)), 1441);
    for (long i = 0; i <= 1440; i++) {
        const double phi = 2.0 * PI * (double)i / 1440.0;
        const double A[2] = {15.0 * cos(phi), 15.0 * sin(phi)};
        double C[2], D[2], E[2], F[2], G[2];
        meet(B, 41.5, A, 50.0, C);
        meet(A, 61.9, B, 39.3, E);
        meet(B, 40.1, C, 55.8, D);
        meet(E, 36.7, D, 39.4, F);
        meet(E, 49.0, F, 65.7, G);
        assert_near(at(k, i, "t"), phi, 1e-15, 1e-15);
        assert_near(at(k, i, "Cx"), C[0], 1e-11, 0.0);
        assert_near(at(k, i, "Cy"), C[1], 1e-11, 0.0);
        assert_near(at(k, i, "Dx"), D[0], 1e-11, 0.0);
        assert_near(at(k, i, "Ex"), E[0], 1e-11, 0.0);
        assert_near(at(k, i, "Fx"), F[0], 1e-11, 0.0);
        assert_near(at(k, i, "Gx"), G[0], 1e-11, 0.0);
        assert_near(at(k, i, "Gy"), G[1], 1e-11, 0.0);
    }
    /* derivatives by the crank's angle: differences of order 8 over the closed curve */
    static const double W[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    const double h = 2.0 * PI / 1440.0;
    for (long i = 0; i < 1440; i += 17) {
        double rate = 0.0, bend = 0.0;
        for (int n = 1; n <= 4; n++) {
            rate +=
                W[n - 1] * (at(k, (i + n) % 1440, "Gx") - at(k, (i + 1440 - n) % 1440, "Gx")) / h;
            bend +=
                W[n - 1] * (at(k, (i + n) % 1440, "Gx'") - at(k, (i + 1440 - n) % 1440, "Gx'")) / h;
        }
        assert_near(at(k, i, "Gx'"), rate, 2e-8, 0.0);
        assert_near(at(k, i, "Gx''"), bend, 1e-7, 0.0);
    }
    taut_kinematics_free(&k);
    taut_model_free(&m);
}

/* ---- Watt's curve ---- */

/* Two rods of length b about (-a, 0) and (a, 0), joined by one of length 2 c: its middle satisfies
 * r^2 = b^2 - (a sin q +- sqrt(c^2 - a^2 cos^2 q))^2, q from the line of centres. */
static void test_watts_curve(void **state) {
    (void)state;
    const double a = 1.0, b = 0.9, c = 0.6;
    taut_model *m =
        read_text("Dimension: 2\nPhysicalParams: {a: 1, b: 0.9, c: 0.6}\nPartData:\n"
                  "  Fixed: {P: [-a, 0], Q: [a, 0]}\n  Rigids:\n    PA: {Geom: [[b, 0]]}\n"
                  "    QB: {Geom: [[b, 0]]}\n    ABM: {Geom: [[2*c, 0], [c, 0]]}\nAngles: {phi: "
                  "PA, psi: QB}\n"
                  "ProblemData: {tend: 1, positions: {A: [-0.6, 0.8], B: [0.5, 0.7]}}\n");
    taut_kinematics *k = drive(m, "phi=1.2..0.1:200", 0, TAUT_OK);
    for (long i = 0; i < 200; i++) {
        const double x = at(k, i, "Mx"), y = at(k, i, "My"), r = hypot(x, y);
        const double s = sqrt(fmax(c * c - pow(a * x / r, 2.0), 0.0));
        const double one = b * b - pow(a * y / r + s, 2.0), other = b * b - pow(a * y / r - s, 2.0);
        assert_near(fmin(fabs(r * r - one), fabs(r * r - other)), 0.0, 1e-12, 0.0);
    }
    taut_kinematics_free(&k);
    taut_model_free(&m);
}

/* ---- a crank-rocker ---- */

#define FOURBAR(dyna)                                                                              \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], D: [4, 0]}\n  Rigids:\n"                        \
    "    OA: {Geom: [[1, 0]]" dyna "}\n    AB: {Geom: [[3.5, 0]]}\n    DB: {Geom: [[3, 0]]}\n"     \
    "Angles: {phi: OA, psi: DB}\n"                                                                 \
    "ProblemData: {tend: 1, positions: {A: [0, 1], B: [3, 2.8]}}\n"

static void test_both_branches(void **state) {
    (void)state;
    const double D[2] = {4, 0};
    taut_model *m = read_text(FOURBAR(""));
    taut_kinematics *k = drive(m, "phi=0..720deg:145", 20, TAUT_OK);
    bool seen[2] = {false, false};
    assert_int_equal(taut_kinematics_branches(k), 2);
    assert_int_equal(taut_result_rows(taut_kinematics_result(k)), 290);
    for (long i = 0; i < 290; i++) {
        const double phi = at(k, i, "t"), A[2] = {cos(phi), sin(phi)};
        const int branch = (int)at(k, i, "branch");
        double B[2];
        assert_near(phi, 4.0 * PI * (double)(i % 145) / 144.0, 1e-14, 1e-15);
        assert_near(at(k, i, "phi"), phi, 1e-13, 0.0);
        if (branch == 1)
            meet(A, 3.5, D, 3.0, B);
        else
            meet(D, 3.0, A, 3.5, B);
        assert_near(at(k, i, "Bx"), B[0], 1e-13, 0.0);
        assert_near(at(k, i, "By"), B[1], 1e-13, 0.0);
        seen[branch - 1] = true;
        /* transmission angle: cos = (3.5^2 + 3^2 - |AD|^2) / (2 3.5 3) */
        const double d2 = pow(A[0] - 4.0, 2.0) + A[1] * A[1];
        assert_near(cos(at(k, i, "transmission_B")), fabs((12.25 + 9.0 - d2) / 21.0), 1e-13, 0.0);
    }
    assert_true(seen[0] && seen[1]);
    taut_kinematics_free(&k);
    taut_model_free(&m);
}

/* Where crank and coupler are in line: |OB| = 3.5 + 1 and 3.5 - 1; psi by the law of cosines. */
static void test_dead_points_by_name(void **state) {
    (void)state;
    taut_model *m = read_text(FOURBAR(", Dyna: [[0.5, 0], 1, 0.1]"));
    taut_kinematics *k = drive(m, "phi=0..360deg:37", 0, TAUT_OK);
    const double stretched = PI - acos((16.0 + 9.0 - 4.5 * 4.5) / 24.0);
    const double folded = PI - acos((16.0 + 9.0 - 2.5 * 2.5) / 24.0);
    const taut_turn_back *t = taut_kinematics_turn_back(k, 0);
    assert_non_null(t);
    assert_string_equal(t->what, "psi");
    assert_false(t->dead);
    assert_string_equal(t->words, "OA and AB are in line (stretched)");
    assert_near(t->value, stretched, 1e-13, 0.0);
    assert_near(t->at, acos((16.0 + 20.25 - 9.0) / 36.0), 1e-9, 0.0);
    t = taut_kinematics_turn_back(k, 1);
    assert_string_equal(t->words, "OA and AB are in line (folded)");
    assert_near(t->value, folded, 1e-13, 0.0);
    assert_null(taut_kinematics_turn_back(k, 2));
    const taut_motion_range *r = taut_kinematics_range(k, 0);
    assert_string_equal(r->what, "psi");
    assert_near(r->low, stretched, 1e-13, 0.0);
    assert_near(r->high, folded, 1e-13, 0.0);
    taut_kinematics_free(&k);
    /* driven by the rocker it does not get past */
    k = drive(m, "psi=105deg..175deg:36", 0, TAUT_STEP_COLLAPSED);
    for (int i = 0; (t = taut_kinematics_turn_back(k, i)) && !t->dead; i++) {
    }
    assert_non_null(t);
    assert_string_equal(t->what, "psi");
    assert_near(t->at, folded, 1e-13, 0.0);
    assert_string_equal(t->words, "OA and AB are in line (folded)");
    assert_int_equal(taut_result_rows(taut_kinematics_result(k)), 19); /* 105, 107, ... 141 */
    taut_kinematics_free(&k);
    taut_model_free(&m);
}

/* ---- a gear, a slider ---- */

/* A driven angle that turns another one by a gear, and pushes a slider. */
static void test_gears_and_sliders(void **state) {
    (void)state;
    taut_model *m =
        read_text("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [3, 0], i: [1, 0]}\n  Rigids:\n"
                  "    OA: {Geom: [[1, 0]]}\n    AB: {Geom: [[2.5, 0]]}\n    PQ: {Geom: [[0.5, "
                  "0]], Dyna: [[0, 0], 1, 1]}\n"
                  "  Collinears: {OiB: s}\n"
                  "  Joints: {wheels: {Type: gear, Coordinates: [phi, psi], Ratio: -2}}\n"
                  "Angles: {phi: OA, psi: PQ}\n"
                  "ProblemData: {tend: 1, positions: {A: [0.6, 0.8], B: [3, 0], Q: [3, 0.5]}}\n");
    taut_kinematics *k = drive(m, "phi=0..720deg:97", 0, TAUT_OK);
    const double offset = at(k, 0, "psi");
    for (long i = 0; i < 97; i++) {
        const double phi = 4.0 * PI * (double)i / 96.0;
        assert_near(at(k, i, "psi"), offset - 2.0 * phi, 1e-12, 0.0);
        assert_near(at(k, i, "s"), cos(phi) + sqrt(6.25 - pow(sin(phi), 2.0)), 1e-13, 0.0);
        assert_near(at(k, i, "s'"), -sin(phi) * (1 + cos(phi) / sqrt(6.25 - pow(sin(phi), 2.0))),
                    1e-13, 0.0);
    }
    taut_kinematics_free(&k);
    /* the slider drives: dead where rod and crank are stretched */
    k = drive(m, "s=2.5..4:31", 0, TAUT_STEP_COLLAPSED);
    const taut_turn_back *t;
    for (int i = 0; (t = taut_kinematics_turn_back(k, i)) && !t->dead; i++) {
    }
    assert_non_null(t);
    assert_near(t->at, 3.5, 1e-13, 0.0);
    assert_string_equal(t->words, "OA and AB are in line (stretched)");
    taut_kinematics_free(&k);
    taut_model_free(&m);
}

/* ---- targets ---- */

static void test_an_arm_reaches_or_not(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_kinematics *k = NULL;
    taut_kinematics_options o = taut_kinematics_options_default();
    const char *target[] = {"B=1.2,0.5", "B=3,0", "phi=100deg"};
    taut_model *m = read_text(
        "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n    OA: {Geom: [[1.2, 0]]}\n"
        "    AB: {Geom: [[0.8, 0]], Dyna: [[0, 0], 1, 1]}\nAngles: {phi: OA, psi: AB}\n"
        "ProblemData: {tend: 1, positions: {A: [1.2, 0], B: [1.9, 0.4]}}\n");
    o.reach = target;
    o.reaches = 3;
    o.starts = 40;
    assert_int_equal(taut_kinematics_find(m, &o, &k, &errors), TAUT_OK);
    assert_int_equal(taut_kinematics_reach(k, 0)->positions, 2); /* elbow up, elbow down */
    for (long i = 0; i < 2; i++) {
        assert_near(at(k, i, "Bx"), 1.2, 1e-13, 0.0);
        assert_near(at(k, i, "By"), 0.5, 1e-13, 0.0);
        assert_near(at(k, i, "Ax"), 1.2 * cos(at(k, i, "phi")), 1e-13, 0.0);
        /* |OB| gives the elbow */
        assert_near(cos(at(k, i, "psi") - at(k, i, "phi")), (1.69 - 1.44 - 0.64) / 1.92, 1e-13,
                    0.0);
    }
    assert_int_equal(taut_kinematics_reach(k, 1)->positions, 0);
    assert_near(taut_kinematics_reach(k, 1)->distance, 1.0, 1e-9, 0.0);
    assert_true(taut_kinematics_reach(k, 2)->positions > 0);
    assert_null(taut_kinematics_reach(k, 3));
    taut_kinematics_free(&k);
    taut_model_free(&m);
}

/* ---- what is wrong ---- */

static void check_refused(taut_model *m, const char *what, const char *reach, const char *message) {
    taut_errors errors = {0};
    taut_kinematics *k = NULL;
    taut_kinematics_options o = taut_kinematics_options_default();
    o.drive = what;
    o.reach = &reach;
    o.reaches = reach ? 1 : 0;
    assert_true(taut_kinematics_find(m, &o, &k, &errors) < 0);
    assert_null(k);
    if (!strstr(errors.item[0].message, message)) {
        print_error("%s\n", errors.item[0].message);
        fail();
    }
}

/* Its height is the same everywhere, and still part of the target. */
static void test_a_slider_is_a_target(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_kinematics *k = NULL;
    taut_kinematics_options o = taut_kinematics_options_default();
    const char *target[] = {"B=1.2,0", "B=1.2,0.1"};
    taut_model *m = read_text(
        "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], u: [1, 0]}\n  Rigids:\n"
        "    OA: {Geom: [[0.4]]}\n    AB: {Geom: [[1]], Dyna: [[0.5], 1, 1]}\n"
        "  Collinears: {OuB: s}\nProblemData: {tend: 1, positions: {A: [0.3, 0.2], s: 1.2}}\n");
    o.reach = target;
    o.reaches = 2;
    o.starts = 10;
    assert_int_equal(taut_kinematics_find(m, &o, &k, &errors), TAUT_OK);
    assert_int_equal(taut_kinematics_reach(k, 0)->positions, 2); /* crank up, crank down */
    for (long i = 0; i < 2; i++) { /* the circles about O and B meet there */
        assert_near(at(k, i, "Ax"), (1.44 + 0.16 - 1.0) / 2.4, 1e-13, 0.0);
        assert_near(at(k, i, "s"), 1.2, 1e-13, 0.0);
    }
    assert_int_equal(taut_kinematics_reach(k, 1)->positions, 0);
    assert_near(taut_kinematics_reach(k, 1)->distance, 0.1, 1e-9, 0.0);
    taut_kinematics_free(&k);
    check_refused(m, "By=0..1:3", NULL, "'By' does not move");
    taut_model_free(&m);
}

static void test_what_has_no_kinematics(void **state) {
    (void)state;
    taut_model *m = read_text(FOURBAR(""));
    check_refused(m, "phi=0..1", NULL, "COORDINATE=FROM..TO:N");
    check_refused(m, "phi", NULL, "COORDINATE=FROM..TO:N");
    check_refused(m, "fi=0..1:3", NULL, "there is no column 'fi'");
    check_refused(m, "psi=0..1:3", NULL, "cannot be reached: dead point at psi");
    check_refused(m, NULL, "B=1,2,x", "write POINT=X,Y");
    check_refused(m, NULL, NULL, "options.drive or options.reach");
    taut_model_free(&m);
    m = read_text(
        "Lagrangian: {Coordinates: [x], L: x'^2}\nProblemData: {tend: 1, positions: {x: 0}}\n");
    check_refused(m, "x=0..1:3", NULL, "kinematics are those of mechanisms");
    taut_model_free(&m);
    m = read_text("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids: {OA: {Geom: [[1, 0]]}, "
                  "AB: {Geom: [[1, 0]], Dyna: [[0, 0], 1, 1]}}\nAngles: {phi: OA}\n"
                  "ProblemData: {tend: 1, positions: {A: [1, 0], B: [2, 0]}}\n");
    check_refused(m, "phi=0..1:3", NULL, "leaves 1 of 2 freedoms open");
    taut_model_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jansens_leg),          cmocka_unit_test(test_watts_curve),
        cmocka_unit_test(test_both_branches),        cmocka_unit_test(test_dead_points_by_name),
        cmocka_unit_test(test_gears_and_sliders),    cmocka_unit_test(test_an_arm_reaches_or_not),
        cmocka_unit_test(test_a_slider_is_a_target), cmocka_unit_test(test_what_has_no_kinematics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
