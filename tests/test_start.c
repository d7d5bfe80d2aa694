/* Where runs start: listed and fixed angles are honoured, or their change is told, over whole
 * turns; unlisted points begin where joints and drivers place them. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "taut/taut.h"

enum { ANGLES = 13 };

static taut_status start(const char *text, taut_simulation **s, taut_model **model,
                         taut_errors *errors) {
    *s = NULL;
    *model = NULL;
    memset(errors, 0, sizeof *errors);
    assert_int_equal(taut_model_parse("m.yaml", text, -1, model, errors), TAUT_OK);
    assert_int_equal(taut_simulation_create(*model, NULL, s, errors), TAUT_OK);
    return taut_simulation_start(*s, errors);
}

static void finish(taut_simulation **s, taut_model **model) {
    taut_simulation_free(s);
    taut_model_free(model);
}

static double first(taut_simulation *s, const char *name) {
    return taut_simulation_value(s, name, 0.0);
}

/* A run that starts from a text, and where; frees it. */
static void start_well(const char *text, int count, const char *const *name, double *value) {
    taut_simulation *s;
    taut_model *model;
    taut_errors errors;
    assert_int_equal(start(text, &s, &model, &errors), TAUT_OK);
    for (int i = 0; i < count; i++) value[i] = first(s, name[i]);
    finish(&s, &model);
}

/* What a start that is refused says first. */
static void refused(const char *text, const char *words) {
    taut_simulation *s;
    taut_model *model;
    taut_errors errors;
    assert_int_equal(start(text, &s, &model, &errors), TAUT_ERR_INPUT);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.item[0].message, words);
    finish(&s, &model);
}

/* ---- scans ---- */

static double angle_at(int i) { return -4.0 + 8.0 * i / (ANGLES - 1); }

/* Does the value stay, or is its move told? */
static bool honoured(taut_simulation *s, const char *name, double wanted, bool *told) {
    const taut_notes *notes = taut_simulation_notes(s);
    const double value = first(s, name);
    *told = false;
    for (int i = 0; i < notes->moves; i++)
        if (strcmp(notes->move[i].name, name) == 0) {
            assert_near(notes->move[i].from, wanted, 1e-15, 0);
            assert_near(notes->move[i].to, value, 1e-9, 0);
            *told = true;
        }
    return fabs(value - wanted) < 1e-8;
}

static const char PENDULA[] = "Dimension: 2\n"
                              "PartData:\n"
                              "  Fixed: {O: [0, 0]}\n"
                              "  Rigids:\n"
                              "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                              "    AB: {Geom: [[0.7]], Dyna: [[0.35], 1, 0.04]}\n"
                              "Angles: {phi: OA, psi: AB}\n"
                              "AppliedForces: {Gravity: }\n"
                              "ProblemData: {tend: 1, positions: {phi: %.17g, psi: %.17g%s}%s}\n";

/* An open chain can have any two angles: they are kept, whatever else is listed. */
static void scan_pendula(const char *points, const char *fixed) {
    for (int i = 0; i < ANGLES; i++)
        for (int k = 0; k < ANGLES; k++) {
            char text[1000];
            double at[6];
            const double phi = angle_at(i), psi = angle_at(k);
            snprintf(text, sizeof text, PENDULA, phi, psi, points, fixed);
            start_well(text, 6, (const char *const[]){"phi", "psi", "Ax", "Ay", "Bx", "By"}, at);
            assert_near(at[0], phi, 1e-12, 0);
            assert_near(at[1], psi, 1e-12, 0);
            assert_near(at[2], cos(phi), 1e-12, 0);
            assert_near(at[3], sin(phi), 1e-12, 0);
            assert_near(at[4], cos(phi) + 0.7 * cos(psi), 1e-12, 0);
            assert_near(at[5], sin(phi) + 0.7 * sin(psi), 1e-12, 0);
        }
}

static void test_listed_angles_of_two_pendula_are_kept(void **state) {
    (void)state;
    scan_pendula("", "");
}

static void test_fixed_angles_of_two_pendula_are_kept(void **state) {
    (void)state;
    scan_pendula("", ", fixedpositions: [phi, psi]");
}

static void test_listed_angles_win_over_rough_points(void **state) {
    (void)state;
    scan_pendula(", A: [0.9, 0.3], B: [1.2, -0.4]", "");
}

static const char LOOP[] = "Dimension: 2\n"
                           "PartData:\n"
                           "  Fixed: {O: [0, 0], C: [2, 0]}\n"
                           "  Rigids:\n"
                           "    OA: {Geom: [[0.6]], Dyna: [[0.3], 1, 0.1]}\n"
                           "    AB: {Geom: [[2]], Dyna: [[1], 2, 1]}\n"
                           "    CB: {Geom: [[1.2]], Dyna: [[0.6], 2, 0.7]}\n"
                           "Angles: {phi: OA, psi: CB}\n"
                           "ProblemData: {tend: 1, positions: {phi: %.17g, psi: %.17g}%s}\n";

/* A loop can have one of its angles. */
static void scan_loop(const char *fixed, int step, int *kept, int *told, int *refusals) {
    *kept = *told = *refusals = 0;
    for (int i = 0; i < ANGLES; i += step)
        for (int k = 0; k < ANGLES; k += step) {
            char text[1000];
            taut_simulation *s;
            taut_model *model;
            taut_errors errors;
            bool moved[2], well[2];
            const double wanted[2] = {angle_at(i), angle_at(k)};
            snprintf(text, sizeof text, LOOP, wanted[0], wanted[1], fixed);
            if (start(text, &s, &model, &errors) == TAUT_OK) {
                well[0] = honoured(s, "phi", wanted[0], &moved[0]);
                well[1] = honoured(s, "psi", wanted[1], &moved[1]);
                for (int a = 0; a < 2; a++) {
                    assert_true(well[a] || moved[a]);
                    *kept += well[a];
                    *told += moved[a];
                }
                if (fixed[0]) assert_true(well[0]);
                const double x[2] = {first(s, "Ax"), first(s, "Ay")};
                assert_near(x[0], 0.6 * cos(first(s, "phi")), 1e-10, 0);
                assert_near(x[1], 0.6 * sin(first(s, "phi")), 1e-10, 0);
            } else {
                assert_true(errors.count > 0);
                ++*refusals;
            }
            finish(&s, &model);
        }
}

static int loop_step(void) { return getenv("TAUT_TRIALS") ? 1 : 4; }

static void test_listed_angles_of_a_loop_are_kept_or_told(void **state) {
    (void)state;
    int kept, told, refusals;
    scan_loop("", loop_step(), &kept, &told, &refusals);
    assert_int_equal(refusals, 0);
    assert_true(told > 0);
}

static void test_a_fixed_angle_of_a_loop_is_kept_and_the_other_told(void **state) {
    (void)state;
    int kept, told, refusals;
    scan_loop(", fixedpositions: [phi]", loop_step(), &kept, &told, &refusals);
    assert_int_equal(refusals, 0); /* the crank can go round */
    assert_true(told > 0);
}

/* ---- beyond a half-turn ---- */

#define ROD                                                                                        \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0], Q: [3, 0]}\n"                                                            \
    "  Rigids:\n"                                                                                  \
    "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"

static void test_an_angle_beyond_pi_is_where_its_spring_rests(void **state) {
    (void)state;
    static const char *const how[] = {"", ", fixedpositions: [phi]"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        double at[2];
        snprintf(text, sizeof text,
                 ROD "  TorsionSprings: {phi: [5, 4]}\n"
                     "Angles: {phi: OA}\n"
                     "ProblemData: {tend: 2, positions: {phi: 4}%s}\n",
                 how[i]);
        start_well(text, 2, (const char *const[]){"phi", "energy"}, at);
        assert_near(at[0], 4.0, 1e-14, 0);
        assert_near(at[1], 0.0, 1e-14, 0);
    }
}

static void test_drivers_say_how_many_turns(void **state) {
    (void)state;
    for (int k = -3; k <= 3; k++) {
        char text[600];
        double at[3];
        const double wanted = 4.0 + 2.5 * k;
        snprintf(text, sizeof text,
                 ROD "Angles: {phi: OA}\nDrivers: {phi: %.17g + t}\n"
                     "ProblemData: {tend: 2%s}\n",
                 wanted, k % 2 ? "" : ", positions: {A: [-0.65, -0.75]}");
        start_well(text, 3, (const char *const[]){"phi", "Ax", "Ay"}, at);
        assert_near(at[0], wanted, 1e-13, 0);
        assert_near(at[1], cos(wanted), 1e-13, 0);
        assert_near(at[2], sin(wanted), 1e-13, 0);
    }
}

static void test_gears_say_how_many_turns(void **state) {
    (void)state;
    static const char *const listed[] = {"phi: 2", "A: [-0.416, 0.909]",
                                         "A: [-0.416, 0.909], B: [2.35, 0.757]"};
    for (int i = 0; i < 3; i++) {
        char text[900];
        double at[4];
        snprintf(text, sizeof text,
                 ROD "    QB: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                     "  Joints:\n"
                     "    g: {Type: gear, Coordinates: [phi, psi], Ratio: -2, Phase: 0}\n"
                     "Angles: {phi: OA, psi: QB}\n"
                     "ProblemData: {tend: 2, positions: {%s}}\n",
                 listed[i]);
        start_well(text, 4, (const char *const[]){"phi", "psi", "Bx", "By"}, at);
        assert_near(at[0], 2.0, 2e-3, 0);
        assert_near(at[1], -2.0 * at[0], 1e-13, 0);
        assert_near(at[2], 3.0 + cos(at[1]), 1e-13, 0);
        assert_near(at[3], sin(at[1]), 1e-13, 0);
    }
}

/* ---- no guesses ---- */

static void multiply(double a[3][3], const double b[3][3]) {
    double c[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) c[i][j] += a[i][k] * b[k][j];
    memcpy(a, c, sizeof c);
}

static void go(double at[3], double a[3][3], double x, double z) {
    for (int i = 0; i < 3; i++) at[i] += a[i][0] * x + a[i][2] * z;
}

/* About the axis 0 (x), 1 (y) or 2 (z). */
static void turn(double a[3][3], int axis, double q) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double r[3][3] = {{0}};
    r[axis][axis] = 1.0;
    r[i][i] = r[j][j] = cos(q);
    r[j][i] = sin(q);
    r[i][j] = -sin(q);
    multiply(a, (const double(*)[3])r);
}

/* Six driven joints place everything; compared with products of rotations. */
static void test_six_driven_joints_need_no_guess(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], z0: [0, 0, 1], x0: [1, 0, 0]}\n"
        "  Rigids:\n"
        "    b1: {Elements: [P1, z1, x1, Q1, w1, n1], Geom: [[0, 0, 1], [1], [0, 0, 0.4], [0, 1], "
        "[1]], Dyna: [[0, 0, 0.2], 5, [0.1, 0.1, 0.05]]}\n"
        "    b2: {Elements: [P2, z2, x2, Q2, w2, n2], Geom: [[0, 1], [1], [0.5], [0, 1], [1]], "
        "Dyna: [[0.25], 5, [0.05, 0.1, 0.1]]}\n"
        "    b3: {Elements: [P3, z3, x3, Q3, w3, n3], Geom: [[0, 1], [1], [0.1, 0, 0.1], [1], [0, "
        "0, 1]], Dyna: [[0.05], 5, [0.05, 0.1, 0.1]]}\n"
        "    b4: {Elements: [P4, z4, x4, Q4, w4, n4], Geom: [[1], [0, 0, 1], [0.4], [0, 1], [1]], "
        "Dyna: [[0.2], 3, [0.05, 0.1, 0.1]]}\n"
        "    b5: {Elements: [P5, z5, x5, Q5, w5, n5], Geom: [[0, 1], [1], [0.1], [1], [0, 0, 1]], "
        "Dyna: [[0.05], 2, [0.02, 0.02, 0.02]]}\n"
        "    b6: {Elements: [P6, z6, x6, E], Geom: [[1], [0, 0, 1], [0.1, 0, 0.2]], Dyna: [[0.05], "
        "1, [0.01, 0.01, 0.01]]}\n"
        "  Joints:\n"
        "    j1: {Type: revolute, Points: [O, P1], Axes: [z0, z1], Normals: [x0, x1], Angle: q1}\n"
        "    j2: {Type: revolute, Points: [Q1, P2], Axes: [w1, z2], Normals: [n1, x2], Angle: q2}\n"
        "    j3: {Type: revolute, Points: [Q2, P3], Axes: [w2, z3], Normals: [n2, x3], Angle: q3}\n"
        "    j4: {Type: revolute, Points: [Q3, P4], Axes: [w3, z4], Normals: [n3, x4], Angle: q4}\n"
        "    j5: {Type: revolute, Points: [Q4, P5], Axes: [w4, z5], Normals: [n4, x5], Angle: q5}\n"
        "    j6: {Type: revolute, Points: [Q5, P6], Axes: [w5, z6], Normals: [n5, x6], Angle: q6}\n"
        "Drivers: {q1: 4 + t, q2: -0.5 + t, q3: 1.2 - t, q4: 7 - 2*t, q5: 0.3, q6: -4 + t}\n"
        "ProblemData: {tend: 1}\n";
    static const double q[] = {4.0, -0.5, 1.2, 7.0, 0.3, -4.0};
    double a[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, E[3] = {0}, at[5];
    turn(a, 2, q[0]);
    go(E, a, 0.0, 0.4);
    turn(a, 1, q[1]);
    go(E, a, 0.5, 0.0);
    turn(a, 1, q[2]);
    go(E, a, 0.1, 0.1);
    turn(a, 0, q[3]);
    go(E, a, 0.4, 0.0);
    turn(a, 1, q[4]);
    go(E, a, 0.1, 0.0);
    turn(a, 0, q[5]);
    go(E, a, 0.1, 0.2);
    start_well(text, 5, (const char *const[]){"Ex", "Ey", "Ez", "q4", "q6"}, at);
    for (int i = 0; i < 3; i++) assert_near(at[i], E[i], 1e-13, 0);
    assert_near(at[3], 7.0, 1e-14, 0);
    assert_near(at[4], -4.0, 1e-14, 0);
}

/* Directions that are shared, angles from one to another about a third. */
static void test_driven_angles_about_shared_axes_need_no_guess(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}\n"
        "  Rigids:\n"
        "    b1: {Elements: [O, z, a, P, y], Geom: [[0, 0, 1], [1], [1], [0, 1]], Dyna: [[0.5], 1, "
        "[0.1, 0.1, 0.1]]}\n"
        "    b2: {Elements: [P, y, b, Q], Geom: [[0, 1], [1], [1]], Dyna: [[0.5], 1, [0.1, 0.1, "
        "0.1]]}\n"
        "Angles: {q1: {From: x, To: a, Axis: z}, q2: {From: a, To: Q - P, Axis: y}}\n"
        "Drivers: {q1: 4 + t, q2: -0.5 - t}\n"
        "ProblemData: {tend: 1}\n";
    double at[3];
    start_well(text, 3, (const char *const[]){"Qx", "Qy", "Qz"}, at);
    assert_near(at[0], cos(4.0) * (1.0 + cos(0.5)), 1e-13, 0);
    assert_near(at[1], sin(4.0) * (1.0 + cos(0.5)), 1e-13, 0);
    assert_near(at[2], sin(0.5), 1e-13, 0);
}

/* The middle comes first, and makes the frame; the ends are listed. */
static void test_points_between_listed_ends_need_no_guess(void **state) {
    (void)state;
    static const char *const model[] = {
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Elements: [O, M, A], Geom: [[0.5], [1]], Dyna: [[0.5], 1, 0.1]}\n"
        "    AB: {Elements: [A, N, B], Geom: [[1, 0.1], [2]], Dyna: [[1], 2, 1]}\n"
        "ProblemData: {tend: 1, positions: {A: [0.6, 0.8], B: [0.6, 2.8]}}\n",
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Elements: [O, M, u, A], Geom: [[0.5], [0, 0, 1], [1]], Dyna: [[0.5], 1, [0.1, "
        "0.1, 0.1]]}\n"
        "    AB: {Elements: [A, N, v, B], Geom: [[1, 0.1], [0, 0, 1], [2]], Dyna: [[1], 2, [1, 1, "
        "1]]}\n"
        "ProblemData: {tend: 1, positions: {A: [0.6, 0.8, 0], B: [0.6, 2.8, 0], u: [0, 0, 1], v: "
        "[0, 0, 1]}}\n"};
    for (int i = 0; i < 2; i++) {
        double at[6];
        start_well(model[i], 6, (const char *const[]){"Mx", "My", "Nx", "Ny", "Bx", "By"}, at);
        const double wanted[] = {0.3, 0.4, 0.5, 1.8, 0.6, 2.8};
        for (int k = 0; k < 6; k++) assert_near(at[k], wanted[k], 1e-12, 0);
    }
}

/* ---- what moved ---- */

static void test_moves_of_angles_distances_and_derived_points_are_told(void **state) {
    (void)state;
    taut_simulation *s;
    taut_model *model;
    taut_errors errors;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [1, 0]}\n"
        "  Rigids:\n"
        "    OA: {Elements: [O, A, M], Geom: [[1], [0.5]], Dyna: [[0.5], 1, 1/12]}\n"
        "    AB: {Geom: [[2]], Dyna: [[1], 1, 1/3]}\n"
        "  Collinears: {OuB: s}\n"
        "Angles: {phi: OA, psi: AB}\n"
        "ProblemData: {tend: 1, positions: {phi: 1, psi: -0.5, s: 2.3, M: [0.3, 0.4]}, "
        "fixedpositions: [phi]}\n";
    assert_int_equal(start(text, &s, &model, &errors), TAUT_OK);
    const double psi = -asin(sin(1.0) / 2.0), slider = cos(1.0) + 2.0 * cos(psi);
    const struct {
        const char *name;
        double from, to;
    } wanted[] = {{"s", 2.3, slider},
                  {"psi", -0.5, psi},
                  {"Mx", 0.3, 0.5 * cos(1.0)},
                  {"My", 0.4, 0.5 * sin(1.0)}};
    const taut_notes *notes = taut_simulation_notes(s);
    assert_int_equal(notes->moves, 4);
    for (int i = 0; i < 4; i++) {
        int k = 0;
        while (k < 4 && strcmp(notes->move[k].name, wanted[i].name) != 0) k++;
        assert_true(k < 4);
        assert_near(notes->move[k].from, wanted[i].from, 1e-15, 0);
        assert_near(notes->move[k].to, wanted[i].to, 1e-9, 0);
    }
    finish(&s, &model);
}

static void test_loops_that_cannot_close_are_told_with_their_lengths(void **state) {
    (void)state;
    refused("Dimension: 2\n"
            "PartData:\n"
            "  Fixed: {O: [0, 0], C: [10, 0]}\n"
            "  Rigids:\n"
            "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
            "    AB: {Geom: [[2.5]], Dyna: [[1.25], 2, 1]}\n"
            "    CB: {Geom: [[2]], Dyna: [[1], 2, 0.7]}\n"
            "ProblemData: {tend: 5, positions: {A: [0.5, 1], B: [2.5, 2]}}\n",
            "no position closes this loop: the ground holds O and C 10 apart, but between them "
            "there are only CB (2) + AB (2.5) + OA (1) = 5.5");
    refused("Dimension: 2\n"
            "PartData:\n"
            "  Fixed: {O: [0, 0], C: [1, 0]}\n"
            "  Rigids:\n"
            "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
            "    PQ: {Geom: [[5]], Dyna: [[1.25], 2, 1]}\n"
            "    CB: {Geom: [[2]], Dyna: [[1], 2, 0.7]}\n"
            "  Joints:\n"
            "    a: {Type: revolute, Points: [A, P]}\n"
            "    b: {Type: revolute, Points: [Q, B]}\n"
            "ProblemData: {tend: 5, positions: {A: [0.5, 1], P: [0.5, 1], B: [2.5, 2], Q: [2, "
            "2]}}\n",
            "no position closes this loop: PQ holds P and Q 5 apart, but between them there are "
            "only CB (2) + the ground (1) + OA (1) = 4");
    refused("Dimension: 2\nPartData:\n"
            "  Fixed: {O: [0, 3], P: [0, 0], u: [1, 0]}\n  Rigids:\n"
            "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
            "    AB: {Geom: [[1.5]], Dyna: [[0.5], 1, 0.1]}\n"
            "  Collinears: {PuB: s}\n"
            "ProblemData: {tend: 3, positions: {A: [0.5, 2], B: [1, 0]}}\n",
            "no position closes this loop: O is 3 away from the line on which B stays, but between "
            "them there are only AB (1.5) + OA (1) = 2.5");
    refused("Dimension: 2\nPartData:\n"
            "  Fixed: {O: [0, -3], P: [0, 0], u: [1, 0]}\n  Rigids:\n"
            "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
            "    block: {Elements: [A, v], Geom: [[1, 0]], Dyna: [[0, 0], 1, 0.1]}\n"
            "  Joints: {rail: {Type: prismatic, Points: [P, A], Axes: [u, v]}}\n"
            "ProblemData: {tend: 3, positions: {A: [0.5, 0], v: [1, 0]}}\n",
            "no position closes this loop: O is 3 away from the line on which A stays, but between "
            "them there are only OA (1) = 1");
}

/* ---- redundant loops ---- */

/* Three parallel cranks under a beam, one more than it needs, with guesses of two digits: they
 * move by no more than the guesses are off, in any unit of length. */
static void test_rough_guesses_of_a_redundant_loop_move_a_little(void **state) {
    static const double unit[] = {1e-3, 1.0, 1e3};
    (void)state;
    for (int i = 0; i < 3 * ANGLES; i++) {
        const double L = unit[i / ANGLES], a = 0.4 + 2.3 * (i % ANGLES) / ANGLES;
        const double x = 0.01 * round(100.0 * cos(a)) * L, y = 0.01 * round(100.0 * sin(a)) * L;
        char text[1200];
        taut_simulation *s;
        taut_model *model;
        taut_errors errors;
        snprintf(
            text, sizeof text,
            "Dimension: 2\nPhysicalParams: {L: %.17g}\nPartData:\n"
            "  Fixed: {O: [0, 0], P: [1.23*L, 0], Q: [2.71*L, 0]}\n  Rigids:\n"
            "    OA: {Geom: [[L]], Dyna: [[L/2], 1, L^2/12]}\n"
            "    PB: {Geom: [[L]], Dyna: [[L/2], 1, L^2/12]}\n"
            "    QC: {Geom: [[L]], Dyna: [[L/2], 1, L^2/12]}\n"
            "    beam: {Elements: [A, B, C], Geom: [[1.23*L], [2.71*L]], "
            "Dyna: [[L], 2, L^2]}\n"
            "ProblemData: {tend: 1, positions: {A: [%.17g, %.17g], B: [1.23*L + %.17g, %.17g], "
            "C: [2.7*L + %.17g, %.17g]}}\n",
            L, x, y, x, y, x, y);
        const taut_status status = start(text, &s, &model, &errors);
        for (int k = 0; k < errors.count; k++) print_message("%s\n", errors.item[k].message);
        assert_int_equal(status, TAUT_OK);
        assert_near(first(s, "Ax"), L * cos(a), 0.02 * L, 0);
        assert_near(first(s, "Ay"), L * sin(a), 0.02 * L, 0);
        assert_int_equal(taut_simulation_notes(s)->left_out, 1);
        finish(&s, &model);
    }
}

/* A counterweight of which two points are listed to a tenth of a millimetre, on a beam: neither is
 * kept at the expense of the beam's end, which would move by 12 mm. */
static void test_a_small_mend_moves_bodies_a_little(void **state) {
    static const char *const name[] = {"Tx", "Ty", "Wx", "Wy", "Xx", "Xy", "Bx", "By"};
    (void)state;
    for (int i = 0; i < 3 * ANGLES; i++) {
        const double a = angle_at(i % ANGLES), b = 0.37 + 1.7 * i, e = i % 2 ? 1.5e-4 : -1.5e-4;
        const double H[2] = {-cos(a), -sin(a)};
        const double exact[8] = {4.0 * cos(a),
                                 4.0 * sin(a),
                                 H[0] + 0.8 * cos(b),
                                 H[1] + 0.8 * sin(b),
                                 H[0] + 0.5 * cos(b) - 0.3 * sin(b),
                                 H[1] + 0.5 * sin(b) + 0.3 * cos(b),
                                 4.0 * cos(a) + 2.0,
                                 4.0 * sin(a)};
        char text[1200];
        double found[8];
        snprintf(text, sizeof text,
                 "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
                 "    beam: {Elements: [O, T, H], Geom: [[4], [-1]], Dyna: [[1], 40, 10]}\n"
                 "    weight: {Elements: [H, W, X], Geom: [[0.8], [0.5, 0.3]], "
                 "Dyna: [[0.8], 400, 10]}\n"
                 "    TB: {Geom: [[2]], Dyna: [[1], 4, 1]}\n"
                 "ProblemData: {tend: 1, positions: {T: [%.17g, %.17g], W: [%.17g, %.17g], "
                 "X: [%.17g, %.17g], B: [%.17g, %.17g]}}\n",
                 exact[0] + e, exact[1], exact[2], exact[3] - e, exact[4] - e, exact[5] + e,
                 exact[6], exact[7]);
        start_well(text, 8, name, found);
        for (int k = 0; k < 8; k++) assert_near(found[k], exact[k], 2e-3, 0);
    }
}

/* A four-bar linkage in space whose last hinge is tilted by 1e-12: what is too much is left out, in
 * relative coordinates the component of the loop that is next to nothing. */
static void test_a_loop_that_is_tilted_a_little_moves_in_every_formulation(void **state) {
    static const char *const formulation[] = {"natural", "reference", "relative", "minimal"};
    double reached = 0.0;
    (void)state;
    for (int i = 0; i < 4; i++) {
        taut_run_options options = taut_run_options_default();
        taut_result *result = NULL;
        taut_model *model = NULL;
        taut_errors errors = {0};
        options.formulation = formulation[i];
        options.every = 1.0;
        assert_int_equal(
            taut_model_parse(
                "m.yaml",
                "PhysicalParams: {eps: 1e-12}\nDimension: 3\nPartData:\n"
                "  Fixed: {O: [0, 0, 0], C: [3, 0, 0], n: [0, 0, 1], m: [sin(eps), 0, cos(eps)]}\n"
                "  Rigids:\n    OAn: {Geom: [[1], [0, 0, 1]], Dyna: [[0.5], 1, 0.1]}\n"
                "    ABn: {Geom: [[2.5], [0, 0, 1]], Dyna: [[1.25], 2, 1]}\n"
                "    CDm: {Geom: [[2], [0, 0, 1]], Dyna: [[1], 2, 0.7]}\n"
                "  Joints: {j: {Type: revolute, Points: [B, D], Axes: [n, m], Bodies: [ABn, "
                "CDm]}}\n"
                "AppliedForces: {Gravity: [0, -9.81, 0]}\n"
                "ProblemData: {tend: 2, positions: {A: [0.6, 0.8, 0], B: [2.7, 2, 0], "
                "D: [2.6, 2, 0]}, fixedpositions: {A}}\n",
                -1, &model, &errors),
            TAUT_OK);
        const taut_status status = taut_simulate(model, &options, &result, &errors);
        for (int k = 0; k < errors.count; k++) print_message("%s\n", errors.item[k].message);
        assert_int_equal(status, TAUT_OK);
        const taut_notes *notes = taut_result_notes(result);
        assert_true(notes->left_out > 0);
        assert_int_equal(notes->moves, 4); /* of both points of the joint, by their names */
        for (int k = 0; k < 4; k++) assert_int_equal(notes->move[k].name[0], "BBDD"[k]);
        const double last =
            taut_result_value(result, taut_result_rows(result) - 1, taut_result_find(result, "Ax"));
        if (i == 0) reached = last;
        assert_near(last, reached, i == 3 ? 1e-7 : 1e-9, 0);
        taut_result_free(&result);
        taut_model_free(&model);
    }
}

/* An arm of many joints in space, whose angles are all that is listed: it is where these say, in
 * all coordinates, however many links there are. */
static void test_angles_place_a_long_arm_in_space(void **state) {
    (void)state;
    enum { LINKS = 24, ROOM = 24000 };
    static const char *const AXIS[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
    char *text = malloc(ROOM);
    size_t used = 0;
    assert_non_null(text);
#define WRITE(...) used += (size_t)snprintf(text + used, ROOM - used, __VA_ARGS__)
    WRITE("Dimension: 3\nPartData:\n  Fixed: {P0: [0, 0, 0], u0: [0, 0, 1], v0: [1, 0, 0]}\n  "
          "Rigids:\n");
    for (int i = 1; i <= LINKS; i++) { /* axis i of a link about the next one's axis i + 1 */
        const double turn = 0.7 * i;
        WRITE("    b%d: {Elements: [O%d, a%d, n%d, P%d, u%d, v%d], Geom: [%s, %s, [0.1, 0, 0.2], "
              "[%.17g, %.17g, 0], [0, 0, 1]], Dyna: [[0.05, 0, 0.1], 1, [0.02, 0.02, 0.01]]}\n",
              i, i, i, i, i, i, i, AXIS[i % 3], AXIS[(i + 1) % 3], cos(turn), sin(turn));
    }
    WRITE("  Joints:\n");
    for (int i = 1; i <= LINKS; i++)
        WRITE(
            "    j%d: {Type: revolute, Points: [P%d, O%d], Axes: [u%d, a%d], Normals: [v%d, n%d], "
            "Angle: q%d}\n",
            i, i - 1, i, i - 1, i, i - 1, i, i);
    WRITE("  RotationalDampers: {");
    for (int i = 1; i <= LINKS; i++) WRITE("%sq%d: 0.1", i > 1 ? ", " : "", i);
    WRITE("}\nAppliedForces: {Gravity: [0, 0, -9.81]}\nProblemData:\n  tend: 0.1\n  positions: {");
    for (int i = 1; i <= LINKS; i++) WRITE("%sq%d: %g", i > 1 ? ", " : "", i, 0.05 * i);
    WRITE("}\n");
#undef WRITE
    assert_true(used < ROOM);
    static const char *const NAME[] = {"P24x", "P24y", "P24z", "q1", "q12", "q24"};
    double value[2][6];
    for (int k = 0; k < 2; k++) {
        taut_simulation *s;
        taut_model *model;
        taut_errors errors = {0};
        taut_run_options options = taut_run_options_default();
        if (k == 1) options.formulation = "relative";
        assert_int_equal(taut_model_parse("arm.yaml", text, -1, &model, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
        for (int i = 0; i < 6; i++) value[k][i] = first(s, NAME[i]);
        finish(&s, &model);
    }
    for (int i = 0; i < 6; i++) assert_near(value[0][i], value[1][i], 1e-12, 0.0);
    assert_near(value[0][3], 0.05, 1e-14, 0.0);
    assert_near(value[0][4], 0.6, 1e-14, 0.0);
    assert_near(value[0][5], 1.2, 1e-14, 0.0);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listed_angles_of_two_pendula_are_kept),
        cmocka_unit_test(test_fixed_angles_of_two_pendula_are_kept),
        cmocka_unit_test(test_listed_angles_win_over_rough_points),
        cmocka_unit_test(test_listed_angles_of_a_loop_are_kept_or_told),
        cmocka_unit_test(test_a_fixed_angle_of_a_loop_is_kept_and_the_other_told),
        cmocka_unit_test(test_an_angle_beyond_pi_is_where_its_spring_rests),
        cmocka_unit_test(test_drivers_say_how_many_turns),
        cmocka_unit_test(test_gears_say_how_many_turns),
        cmocka_unit_test(test_six_driven_joints_need_no_guess),
        cmocka_unit_test(test_driven_angles_about_shared_axes_need_no_guess),
        cmocka_unit_test(test_points_between_listed_ends_need_no_guess),
        cmocka_unit_test(test_moves_of_angles_distances_and_derived_points_are_told),
        cmocka_unit_test(test_loops_that_cannot_close_are_told_with_their_lengths),
        cmocka_unit_test(test_rough_guesses_of_a_redundant_loop_move_a_little),
        cmocka_unit_test(test_a_small_mend_moves_bodies_a_little),
        cmocka_unit_test(test_angles_place_a_long_arm_in_space),
        cmocka_unit_test(test_a_loop_that_is_tilted_a_little_moves_in_every_formulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
