/* Every kind of joint: two bodies lose as many degrees of freedom as the table says, without
 * redundant equations; a body on a joint moves as an independent Lagrangian says
 * (tests/models/joints/<kind>.yaml and <kind>-minimal.yaml); and a loop that contains it runs
 * (<kind>-loop.yaml). Kinds that can also arise from sharing have further tests in test_joints.c.
 */
#include "agree.h"

#include "model/model.h"

/* ---- degrees of freedom ---- */

/* How a joint of each kind is written between the two bodies below. ORDER: as in joint.def */
static const struct {
    taut_joint_kind kind;
    const char *planar, *spatial; /* NULL: has no meaning */
} WRITTEN[] = {
#define POINTS ", Points: [A, B]"
#define AXES ", Axes: [u, v]"
#define NORMALS ", Normals: [m, n]"
    {TAUT_JOINT_REVOLUTE, POINTS, POINTS AXES},
    {TAUT_JOINT_PRISMATIC, POINTS AXES, POINTS AXES NORMALS},
    {TAUT_JOINT_SPHERICAL, POINTS, POINTS},
    {TAUT_JOINT_UNIVERSAL, NULL, POINTS ", Axes: [u, n]"},
    {TAUT_JOINT_CYLINDRICAL, NULL, POINTS AXES},
    {TAUT_JOINT_PLANAR, NULL, POINTS AXES},
    {TAUT_JOINT_SCREW, NULL, POINTS AXES ", Pitch: 0.3"},
    {TAUT_JOINT_CONSTANT_VELOCITY, NULL, POINTS AXES NORMALS},
    {TAUT_JOINT_LINE, POINTS ", Axes: [u]", POINTS ", Axes: [u]"},
    {TAUT_JOINT_PLANE, NULL, POINTS ", Axes: [u]"},
    {TAUT_JOINT_CURVE, POINTS ", Curve: [s, s^2], Parameter: s",
     POINTS ", Curve: [s, s^2, s^3], Parameter: s"},
    {TAUT_JOINT_PARALLEL, AXES, AXES},
    {TAUT_JOINT_DISTANCE, POINTS ", Length: 1", POINTS ", Length: 1"},
    {TAUT_JOINT_WELD, POINTS AXES, POINTS AXES NORMALS},
    {TAUT_JOINT_GEAR, ", Coordinates: [p, q], Ratio: 2", ", Coordinates: [p, q], Ratio: 2"},
    {TAUT_JOINT_RACK, ", Coordinates: [p, Bx], Radius: 2", ", Coordinates: [p, Bx], Radius: 2"},
};

static const char PLANAR[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Rigids:\n"
    "    one: {Elements: [A, u], Geom: [[0.6, 0.8]], Dyna: [[0.3, 0.1], 2, 0.4]}\n"
    "    two: {Elements: [B, v], Geom: [[0.8, 0.6]], Dyna: [[0.1, 0.2], 3, 0.5]}\n"
    "  Joints: {j: {Type: %s%s}}\n"
    "Angles: {p: one, q: two}\n"
    "ProblemData: {tend: 0.1, positions: {A: [0, 0], u: [1, 0], B: [0.9, 0.2], v: [1, 0.1]%s}}\n";
static const char SPATIAL[] =
    "Dimension: 3\n"
    "PartData:\n"
    "  Fixed: {x: [1, 0, 0], z: [0, 0, 1]}\n"
    "  Rigids:\n"
    "    one: {Elements: [A, u, m], Geom: [[0, 0, 1], [1]], Dyna: [[0.3, 0.1, 0.2], 2, [3, 4, "
    "5]]}\n"
    "    two: {Elements: [B, v, n], Geom: [[0, 0, 1], [1]], Dyna: [[0.1, 0.2, 0.1], 3, [5, 4, "
    "3]]}\n"
    "  Joints: {j: {Type: %s%s}}\n"
    "Angles: {p: {From: x, To: m, Axis: z}, q: {From: x, To: n, Axis: z}}\n"
    "ProblemData:\n"
    "  tend: 0.1\n"
    "  positions: {A: [0, 0, 0], u: [0, 0, 1], m: [1, 0, 0], B: [0.9, 0.2, 0.3],\n"
    "              v: [0.1, 0, 1], n: [1, 0.2, -0.1]%s}\n";

/* The number after "key": in an analysis. */
static int number_in(const char *json, const char *key) {
    char start[40];
    snprintf(start, sizeof start, "\"%s\": ", key);
    const char *at = strstr(json, start);
    assert_non_null(at);
    return atoi(at + strlen(start));
}

static void check_removed(taut_joint_kind kind, int dimension, const char *how) {
    char text[1500], *json = NULL;
    taut_errors errors = {0};
    snprintf(text, sizeof text, dimension == 2 ? PLANAR : SPATIAL, taut_joint_kind_name(kind), how,
             kind == TAUT_JOINT_CURVE ? ", s: 0.5" : "");
    taut_model *model = read_text(text);
    const taut_status status = taut_analyze(model, true, &json, &errors);
    show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    const int free = dimension == 2 ? 6 : 12, removed = free - number_in(json, "mobility");
    if (removed != taut_joint_removes(kind, dimension))
        fail_msg("a %s joint removes %d in %dD, not %d", taut_joint_kind_name(kind), removed,
                 dimension, taut_joint_removes(kind, dimension));
    if (!strstr(json, "\"redundant\": []"))
        fail_msg("a %s joint is redundant:\n%s", taut_joint_kind_name(kind), json);
    taut_text_free(&json);
    taut_model_free(&model);
    const taut_run_options options = at_tolerance(1e-10);
    solution_free(solve_text(text, &options));
}

static void test_each_kind_removes_what_the_table_says(void **state) {
    (void)state;
    static const int removes[][2] = {/* written down once more, from textbooks */
                                     {2, 5},  {2, 5},  {2, 3}, {-1, 4}, {-1, 4}, {-1, 3},
                                     {-1, 5}, {-1, 4}, {1, 2}, {-1, 1}, {1, 2},  {1, 2},
                                     {1, 1},  {3, 6},  {1, 1}, {1, 1}};
    assert_int_equal(sizeof WRITTEN / sizeof WRITTEN[0], TAUT_JOINT_KINDS);
    assert_int_equal(sizeof removes / sizeof removes[0], TAUT_JOINT_KINDS);
    for (int i = 0; i < TAUT_JOINT_KINDS; i++) {
        assert_int_equal(WRITTEN[i].kind, i);
        for (int dimension = 2; dimension <= 3; dimension++) {
            const char *how = dimension == 2 ? WRITTEN[i].planar : WRITTEN[i].spatial;
            assert_int_equal(taut_joint_removes(WRITTEN[i].kind, dimension),
                             removes[i][dimension - 2]);
            if (how) check_removed(WRITTEN[i].kind, dimension, how);
        }
    }
}

/* ---- one body, against a Lagrangian ---- */

enum { COLUMNS = 8 };
typedef struct pair {
    const char *kind;
    int mobility;
    const char *column[COLUMNS];
} pair;

static pair pairs[] = {
    {"weld", 1, {"Ax", "Az", "Cx", "Cz"}},
    {"parallel", 4, {"Ax", "Ay", "Az", "Bx", "By", "Bz"}},
    {"planar", 3, {"Bx", "By", "Bz", "q", "r", "s"}},
    {"screw", 1, {"Bx", "By", "Bz", "q", "s"}},
    {"distance", 2, {"Ax", "Ay", "Bx", "By"}},
    {"point-on-plane", 4, {"Ax", "Ay", "Az", "Bx", "By", "Bz"}},
    {"gear", 1, {"Bx", "By", "Dx", "Dy", "phi", "psi"}},
    {"rack", 1, {"Ax", "Ay", "Bx", "By", "phi", "s"}},
    {"point-on-curve", 2, {"Fx", "Fy", "phi", "s"}},
    {"constant-velocity", 2, {"Bx", "By", "Bz", "ux", "vx"}},
};

static solution *solve_model(const char *kind, const char *more) {
    const taut_run_options options = at_tolerance(1e-13);
    char path[100];
    snprintf(path, sizeof path, "tests/models/joints/%s%s.yaml", kind, more);
    return solve_file(path, &options);
}

static void test_body_on_a_joint_moves_as_a_lagrangian_says(void **state) {
    const pair *p = *state;
    const char *column[2 * COLUMNS + 2] = {"energy"}; /* ... which a load may change */
    char primed[COLUMNS][20];
    for (int i = 0, n = 1; i < COLUMNS && p->column[i]; i++) {
        snprintf(primed[i], sizeof primed[i], "%s'", p->column[i]);
        column[n++] = p->column[i];
        column[n++] = primed[i];
    }
    solution *a = solve_model(p->kind, ""), *b = solve_model(p->kind, "-minimal");
    assert_int_equal(stats_of(a)->mobility, p->mobility);
    assert_true(stats_of(a)->constraint_residual < 1e-12);
    must_agree(a, b, isnan(stats_of(a)->energy_drift) ? column + 1 : column, 10.0);
    solution_free(a);
    solution_free(b);
}

/* A bead on a helix of radius R that rises by b a radian: s'' = -g b/(R^2 + b^2). */
static void test_bead_on_a_helix(void **state) {
    (void)state;
    solution *s = solve_model("helix", "");
    const double R = 0.5, b = 0.2, a = -9.81 * b / (R * R + b * b);
    assert_int_equal(stats_of(s)->mobility, 1);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), way = 1.0 + a * t * t / 2.0;
        assert_near(value_of(s, i, "s"), way, 1e-10, 0.0);
        assert_near(value_of(s, i, "Fx"), R * cos(way), 1e-10, 0.0);
        assert_near(value_of(s, i, "Fz"), 1.0 + b * way, 1e-10, 0.0);
    }
    solution_free(s);
}

/* ---- loops ---- */

typedef struct loop {
    const char *kind;
    int mobility;
    const char *moves; /* this must come some way */
} loop;

static loop loops[] = {
    {"revolute", 1, "swing"},
    {"prismatic", 1, "way"},
    {"spherical", 1, "Fx"},
    {"universal", 1, "two"},
    {"cylindrical", 1, "way"},
    {"planar", 3, "Sx"},
    {"screw", 1, "Kz"},
    {"constant-velocity", 1, "two"},
    {"point-on-line", 1, "Sx"},
    {"point-on-plane", 1, "Sz"},
    {"point-on-curve", 1, "lift"},
    {"parallel", 1, "Dx"},
    {"weld", 1, "Cx"},
    {"gear", 1, "Bx"},
    {"rack", 1, "s"},
};

static void test_loop_runs(void **state) {
    const loop *l = *state;
    solution *s = solve_model(l->kind, "-loop");
    const taut_run_stats *stats = stats_of(s);
    double least = value_of(s, 0, l->moves), most = least;
    for (long i = 0; i < rows_of(s); i++) {
        least = fmin(least, value_of(s, i, l->moves));
        most = fmax(most, value_of(s, i, l->moves));
    }
    assert_int_equal(stats->mobility, l->mobility);
    assert_true(most - least > 0.01);
    assert_true(stats->constraint_residual < 1e-12);
    if (!isnan(stats->energy_drift)) assert_true(stats->energy_drift < 1e-12);
    solution_free(s);
}

/* Both shafts turn by the same angle: (J + K) q'' = 0.7 - 0.2 q'. */
static void test_constant_velocity_shafts_turn_equally(void **state) {
    (void)state;
    solution *s = solve_model("constant-velocity", "-loop");
    const double k = 0.2 / 0.8, end = 0.7 / 0.2;
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), fade = 1.0 - exp(-k * t);
        const double q = end * t - (end - 2.0) * fade / k;
        assert_near(value_of(s, i, "one"), q, 1e-10, 0.0);
        assert_near(value_of(s, i, "two"), q, 1e-10, 0.0);
        assert_near(value_of(s, i, "two'"), 2.0 + (end - 2.0) * fade, 1e-10, 0.0);
    }
    solution_free(s);
}

/* Hooke: tan(two) = cos(b) tan(one) if the first fork begins across the plane of the shafts;
 * kinetic energy stays. */
static void test_cardan_shaft_follows_hooke(void **state) {
    (void)state;
    solution *s = solve_model("universal", "-loop");
    const double c = cos(0.6);
    for (long i = 0; i < rows_of(s); i++) {
        const double p = value_of(s, i, "one"), q = value_of(s, i, "two");
        const double rate = c / (1.0 - pow(sin(0.6) * sin(p), 2.0)); /* dq/dp */
        assert_near(sin(q) * cos(p), c * sin(p) * cos(q), 1e-10, 0.0);
        assert_near(value_of(s, i, "two'"), rate * value_of(s, i, "one'"), 1e-10, 0.0);
        assert_near(0.15 * pow(value_of(s, i, "one'"), 2.0) +
                        0.25 * pow(value_of(s, i, "two'"), 2.0),
                    0.6 + 0.25 * pow(2.0 * c, 2.0), 1e-10, 0.0);
    }
    solution_free(s);
}

/* ---- coordinates ---- */

#define SPINDLE(joint, more)                                                                       \
    "Dimension: 3\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {P: [1, 2, 3], z: [0, 0, 1], x: [1, 0, 0]}\n"                                        \
    "  Rigids:\n"                                                                                  \
    "    Avu: {Geom: [[0, 0, 1], [1]], Dyna: [[0], 2, [0.3, 0.4, 0.5]]}\n"                         \
    "  Joints: {j: {Points: [P, A], Axes: [z, v], Normals: [x, u], " joint "}}\n"                  \
    "AppliedForces: {Gravity: 10}\n" more
#define ROUGHLY "A: [1.1, 2, 3.2], v: [0.1, 0, 1], u: [0.8, 0.3, 0]"

/* A displacement of a joint is an initial value like any other. */
static void test_initial_displacements_of_joints(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text(
        SPINDLE("Type: cylindrical, Angle: q, Distance: s",
                "ProblemData: {tend: 1, positions: {" ROUGHLY ", q: 0.7, s: 0.4},"
                " fixedpositions: [q, s], velocities: {q: 3, s: -2}, fixedvelocities: [q, s]}\n"),
        &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), way = 0.4 - 2.0 * t - 5.0 * t * t;
        assert_near(value_of(s, i, "q"), 0.7 + 3.0 * t, 1e-11, 0.0);
        assert_near(value_of(s, i, "s"), way, 1e-11, 0.0);
        assert_near(value_of(s, i, "Az"), 3.0 + way, 1e-11, 0.0);
        assert_near(value_of(s, i, "ux"), cos(0.7 + 3.0 * t), 1e-11, 0.0);
        assert_near(value_of(s, i, "uy"), sin(0.7 + 3.0 * t), 1e-11, 0.0);
    }
    solution_free(s);
}

/* A driver of a joint's coordinate gives the torque of its motor and the force of its cylinder. */
static void test_joints_are_driven(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text(SPINDLE("Type: cylindrical, Angle: q, Distance: s",
                                     "Drivers: {q: 0.3 + t^3, s: 0.2*sin(4*t)}\n"
                                     "Define: {power: force_q*q' + force_s*s'}\n"
                                     "Outputs: {both: power}\n"
                                     "ProblemData: {tend: 2, positions: {" ROUGHLY "}}\n"),
                             &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        const double torque = 0.5 * 6.0 * t, force = 2.0 * (10.0 - 3.2 * sin(4.0 * t));
        assert_near(value_of(s, i, "q"), 0.3 + t * t * t, 1e-11, 0.0);
        assert_near(value_of(s, i, "force_q"), torque, 1e-10, 0.0);
        assert_near(value_of(s, i, "force_s"), force, 1e-10, 0.0);
        assert_near(value_of(s, i, "both"), torque * 3.0 * t * t + force * 0.8 * cos(4.0 * t), 1e-9,
                    0.0);
    }
    solution_free(s);
}

/* The angles of a universal joint are those of its two turns, one after the other. */
static void test_universal_joint_has_two_angles(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text(
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {P: [0, 0, 0], x: [1, 0, 0], y: [0, 1, 0]}\n"
        "  Rigids:\n" /* turned about x by p, then about its own y by q */
        "    Auv: {Geom: [[1], [0, 1]], Dyna: [[0, 0, -0.3], 2, [0.3, 0.4, 0.5]]}\n"
        "  Joints:\n"
        "    j: {Type: universal, Points: [P, A], Axes: [x, v], Normals: [y, u], Angle: [p, q]}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 1, positions: {u: [1, 0, 0], v: [0, 1, 0], p: 0.4, q: 0.3},"
        " fixedpositions: [p, q]}\n",
        &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double p = value_of(s, i, "p"), q = value_of(s, i, "q");
        assert_near(value_of(s, i, "vy"), cos(p), 1e-11, 0.0);
        assert_near(value_of(s, i, "vz"), sin(p), 1e-11, 0.0);
        assert_near(value_of(s, i, "ux"), cos(q), 1e-11, 0.0);
        assert_near(value_of(s, i, "uz"), -sin(q) * cos(p), 1e-11, 0.0);
    }
    assert_near(value_of(s, 0, "p"), 0.4, 1e-14, 0.0);
    assert_near(value_of(s, 0, "q"), 0.3, 1e-14, 0.0);
    solution_free(s);
}

/* ---- drawn in pieces ---- */

static void check_same(const char *apart, const char *whole, const char *const *column) {
    const taut_run_options options = at_tolerance(1e-13);
    solution *a = solve_model(apart, ""), *b = solve_text(whole, &options);
    must_agree(a, b, column, 10.0);
    solution_free(a);
    solution_free(b);
}

/* Bodies that begin far apart come together as if they had been drawn so. */
static void test_disassembled_joints_are_closed(void **state) {
    (void)state;
    static const char *const planar[] = {"Ax", "Ay", "Cx", "Cy", "Ax'", "Cy'", "energy", NULL};
    static const char *const spatial[] = {"Ax", "Az", "Cx", "Cy", "Az'", "Cy'", "energy", NULL};
    check_same(
        "disassembled",
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], P: [2, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
        "    AC: {Geom: [[2]], Dyna: [[1], 1, 0.3]}\n"
        "    PC: {Geom: [[1.5]], Dyna: [[0.7], 1, 0.2]}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 2, positions: {A: [0, 1], C: [1.9, 1.5]}, fixedpositions: [A]}\n",
        planar);
    check_same("disassembled-space",
               "Dimension: 3\n"
               "PartData:\n"
               "  Fixed: {O: [0, 0, 0], y: [0, 1, 0], P: [3, 0, 0], z: [0, 0, 1]}\n"
               "  Rigids:\n"
               "    OAy: {Geom: [[0, 0, 1], [0, 1]], Dyna: [[0, 0, 0.5], 1, 0.1]}\n"
               "    AC: {Geom: [[2.5]], Dyna: [[1.25], 1, 0.5]}\n"
               "    PCz: {Geom: [[0, 1.2], [0, 0, 1]], Dyna: [[0, 0.6], 1, 0.1]}\n"
               "AppliedForces: {Gravity: }\n"
               "ProblemData:\n"
               "  tend: 2\n"
               "  positions: {A: [0, 0, 1], C: [2.1, 0.8, 0]}\n"
               "  fixedpositions: [A]\n"
               "  velocities: {A: [0.1, 0, 0]}\n"
               "  fixedvelocities: [Ax]\n",
               spatial);
}

int main(void) {
    enum {
        PAIRS = sizeof pairs / sizeof pairs[0],
        LOOPS = sizeof loops / sizeof loops[0],
        OTHERS = 5
    };
    struct CMUnitTest tests[OTHERS + PAIRS + LOOPS] = {
        cmocka_unit_test(test_each_kind_removes_what_the_table_says),
        cmocka_unit_test(test_bead_on_a_helix),
        cmocka_unit_test(test_constant_velocity_shafts_turn_equally),
        cmocka_unit_test(test_cardan_shaft_follows_hooke),
        cmocka_unit_test(test_initial_displacements_of_joints),
        cmocka_unit_test(test_joints_are_driven),
        cmocka_unit_test(test_universal_joint_has_two_angles),
        cmocka_unit_test(test_disassembled_joints_are_closed),
    };
    for (int i = 0; i < PAIRS; i++)
        tests[OTHERS + i] =
            (struct CMUnitTest){.name = pairs[i].kind,
                                .test_func = test_body_on_a_joint_moves_as_a_lagrangian_says,
                                .initial_state = &pairs[i]};
    for (int i = 0; i < LOOPS; i++)
        tests[OTHERS + PAIRS + i] = (struct CMUnitTest){
            .name = loops[i].kind, .test_func = test_loop_runs, .initial_state = &loops[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
