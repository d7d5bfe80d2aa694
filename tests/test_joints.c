/* Joints: what sharing makes comes out with its kind, bodies and axes; named joints remove the
 * degrees of freedom of their kind, move as independent models say, and as the same joints by
 * sharing. */
#include "agree.h"

#include "model/model.h"

/* ---- joints that sharing makes ---- */

typedef struct expected {
    taut_joint_kind kind;
    const char *body[2];  /* NULL: the ground */
    const char *point[2]; /* NULL: none */
    const char *axis[2];
} expected;

static void check_name(const char *what, const char *actual, const char *wanted) {
    if (!actual || !wanted) {
        if (actual != wanted)
            fail_msg("%s is %s, not %s", what, actual ? actual : "none", wanted ? wanted : "none");
        return;
    }
    if (strcmp(actual, wanted) != 0) fail_msg("%s is %s, not %s", what, actual, wanted);
}

static const char *element_name(const taut_mechanism *m, int e) {
    return e < 0 ? NULL : m->element[e].name;
}

/* The model must have these joints, in this order. */
static void check_joints(const char *text, const expected *list, int count) {
    taut_model *model = read_text(text);
    const taut_mechanism *m = model->mechanism;
    if (m->joints != count)
        for (int i = 0; i < m->joints; i++)
            print_error("%s %s\n", taut_joint_kind_name(m->joint[i].kind), m->joint[i].name);
    assert_int_equal(m->joints, count);
    for (int i = 0; i < count; i++) {
        const taut_joint *j = &m->joint[i];
        check_name("the kind", taut_joint_kind_name(j->kind), taut_joint_kind_name(list[i].kind));
        for (int side = 0; side < 2; side++) {
            const int b = j->body[side];
            check_name("the body", b < 0 ? NULL : m->body[b].name, list[i].body[side]);
            check_name("the point", element_name(m, j->point[side]), list[i].point[side]);
            check_name("the axis", element_name(m, j->axis[side]), list[i].axis[side]);
        }
    }
    taut_model_free(&model);
}
#define CHECK_JOINTS(text, list) check_joints(text, list, (int)(sizeof(list) / sizeof(list)[0]))

static void test_shared_point_in_2d_is_a_revolute_joint(void **state) {
    (void)state;
    static const expected list[] = {
        {TAUT_JOINT_REVOLUTE, {"OA", NULL}, {"O", "O"}, {NULL}},
        {TAUT_JOINT_REVOLUTE, {"AB", "OA"}, {"A", "A"}, {NULL}},
        {TAUT_JOINT_REVOLUTE, {"AC", "OA"}, {"A", "A"}, {NULL}},
    };
    CHECK_JOINTS(
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[1]]}, AB: {Geom: [[1]]}, AC: {Geom: [[1]], Dyna: [[0], 1, 1]}}\n"
        "  Particles: {B: 1}\n",
        list);
}

static void test_shared_point_in_3d_is_a_spherical_joint(void **state) {
    (void)state;
    static const expected list[] = {
        {TAUT_JOINT_SPHERICAL, {"OA", NULL}, {"O", "O"}, {NULL}},
        {TAUT_JOINT_SPHERICAL, {"ABu", "OA"}, {"A", "A"}, {NULL}},
    };
    CHECK_JOINTS("Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0]}\n"
                 "  Rigids: {OA: {Geom: [[1]]}, ABu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, 1]}}\n",
                 list);
}

/* Also where all hinges share one fixed vector. */
static void test_shared_point_and_vector_are_a_revolute_joint(void **state) {
    (void)state;
    static const expected list[] = {
        {TAUT_JOINT_REVOLUTE, {"OAz", NULL}, {"O", "O"}, {"z", "z"}},
        {TAUT_JOINT_REVOLUTE, {"ABz", "OAz"}, {"A", "A"}, {"z", "z"}},
        {TAUT_JOINT_REVOLUTE, {"BCzu", "ABz"}, {"B", "B"}, {"z", "z"}},
        {TAUT_JOINT_REVOLUTE, {"CDu", "BCzu"}, {"C", "C"}, {"u", "u"}},
    };
    CHECK_JOINTS("Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0], z: [0, 0, 1]}\n"
                 "  Rigids:\n"
                 "    OAz: {Geom: [[1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    ABz: {Geom: [[1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    BCzu: {Geom: [[1], [0, 0, 1], [0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    CDu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, 1]}\n",
                 list);
}

static void test_two_shared_vectors_and_a_point_are_a_weld(void **state) {
    (void)state;
    static const expected list[] = {
        {TAUT_JOINT_SPHERICAL, {"OAuv", NULL}, {"O", "O"}, {NULL}},
        {TAUT_JOINT_WELD, {"ABuv", "OAuv"}, {"A", "A"}, {"u", "u"}},
    };
    CHECK_JOINTS("Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0]}\n"
                 "  Rigids:\n"
                 "    OAuv: {Geom: [[1], [0, 1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    ABuv: {Geom: [[1], [0, 1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n",
                 list);
}

static void test_points_on_lines_are_cylindrical_prismatic_or_plain(void **state) {
    (void)state;
    static const expected spatial[] = {
        {TAUT_JOINT_REVOLUTE, {"DC1wv", NULL}, {"D", "D"}, {"w", "w"}},
        {TAUT_JOINT_CYLINDRICAL, {"CBv", "DC1wv"}, {"C", "C1"}, {"v", "v"}},
        {TAUT_JOINT_LINE, {"CBv", NULL}, {"B", "D"}, {"w", "w"}},
    };
    static const expected planar[] = {
        {TAUT_JOINT_REVOLUTE, {"OAv", NULL}, {"O", "O"}, {NULL}},
        {TAUT_JOINT_PRISMATIC, {"BCv", "OAv"}, {"B", "A"}, {"v", "v"}},
        {TAUT_JOINT_LINE, {NULL, NULL}, {"P", "O"}, {"x", "x"}},
    };
    static const expected sliding[] = {
        {TAUT_JOINT_PRISMATIC, {"Cxy", NULL}, {"C", "O"}, {"x", "x"}},
    };
    CHECK_JOINTS("Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0], x: [1, 0, 0], y: [0, 1, 0]}\n"
                 "  Rigids: {Cxy: {Geom: [[1], [0, 1]], Dyna: [[0], 1, 1]}}\n"
                 "  Collinears: {OxC}\n",
                 sliding);
    CHECK_JOINTS("Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {D: [0, 0, 0], w: [1, 0, 0]}\n"
                 "  Rigids:\n"
                 "    CBv: {Geom: [[1], [0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    DC1wv: {Geom: [[1], [0, 1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n"
                 "  Collinears: {C1vC, DwB}\n",
                 spatial);
    CHECK_JOINTS("Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], x: [1, 0]}\n"
                 "  Rigids:\n"
                 "    OAv: {Geom: [[1], [0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    BCv: {Geom: [[1], [0, 1]], Dyna: [[0], 1, 1]}\n"
                 "  Particles: {P: 1}\n"
                 "  Collinears: [AvB, OxP]\n",
                 planar);
}

/* A direction in common without a point is a joint of its own, unless other joints keep it. */
static void test_shared_vector_alone_is_a_parallel_joint(void **state) {
    (void)state;
    static const expected list[] = {
        {TAUT_JOINT_REVOLUTE, {"OAz", NULL}, {"O", "O"}, {"z", "z"}},
        {TAUT_JOINT_SPHERICAL, {"AB", "OAz"}, {"A", "A"}, {NULL}},
        {TAUT_JOINT_SPHERICAL, {"BCz", "AB"}, {"B", "B"}, {NULL}},
        {TAUT_JOINT_PARALLEL, {"BCz", NULL}, {NULL}, {"z", "z"}},
    };
    CHECK_JOINTS("Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0], z: [0, 0, 1]}\n"
                 "  Rigids:\n"
                 "    OAz: {Geom: [[1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    AB: {Geom: [[1]], Dyna: [[1/2], 1, 1]}\n"
                 "    BCz: {Geom: [[1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n",
                 list);
}

/* A universal joint without points takes the place of the spherical joint that its bodies share. */
static void test_named_joints_find_their_bodies(void **state) {
    (void)state;
    static const expected list[] = {
        {TAUT_JOINT_UNIVERSAL, {"OAu", "ABv"}, {"A", "A"}, {"u", "v"}},
        {TAUT_JOINT_REVOLUTE, {"ABv", "CDw"}, {"B", "C"}, {"v", "w"}},
        {TAUT_JOINT_SPHERICAL, {NULL, "CDw"}, {"P", "D"}, {NULL}},
        {TAUT_JOINT_REVOLUTE, {"OAu", NULL}, {"O", "O"}, {"u", "u"}},
    };
    CHECK_JOINTS("Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0, 0], P: [3, 0, 0], u: [0, 1, 0]}\n"
                 "  Rigids:\n"
                 "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    ABv: {Geom: [[1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n"
                 "    CDw: {Geom: [[1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n"
                 "  Joints:\n"
                 "    cardan: {Type: universal, Axes: [u, v]}\n"
                 "    hinge: {Type: revolute, Points: [B, C], Axes: [v, w]}\n"
                 "    ball: {Type: spherical, Points: [P, D]}\n",
                 list);
}

/* ---- one body on a named joint, against a Lagrangian in other coordinates ---- */

/* Solves, checks the mobility, and compares to 10 digits. */
static void check_motion(const char *mechanism, int mobility, const char *lagrangian,
                         const char *const *column) {
    const taut_run_options options = at_tolerance(1e-13);
    solution *a = solve_text(mechanism, &options), *b = solve_text(lagrangian, &options);
    assert_int_equal(stats_of(a)->mobility, mobility);
    must_agree(a, b, column, 10.0);
    solution_free(a);
    solution_free(b);
}

#define PLANE_PARAMETERS "PhysicalParams: {m: 2, l: 0.7, J: 0.3, g: 9.81, a: 0.4}\n"
#define FALL "AppliedForces: {Gravity: g}\n"

static void test_revolute_in_2d(void **state) {
    (void)state;
    static const char *const column[] = {"Bx", "By", "Bx'", "By'", "energy", NULL};
    check_motion(PLANE_PARAMETERS FALL "Dimension: 2\n"
                                       "PartData:\n"
                                       "  Fixed: {P: [1, 2]}\n"
                                       "  Rigids: {AB: {Geom: [[2*l]], Dyna: [[l, 0.1], m, J]}}\n"
                                       "  Joints: {pin: {Type: revolute, Points: [P, A]}}\n"
                                       "ProblemData: {tend: 3, positions: {A: [1, 2], B: [1 + 2*l, "
                                       "2]}, velocities: {B: [0, 1]}}\n",
                 1,
                 PLANE_PARAMETERS
                 "Lagrangian:\n"
                 "  Coordinates: [q]\n"
                 "  Define: {C: \"[1 + l*cos(q) - 0.1*sin(q), 2 + l*sin(q) + 0.1*cos(q)]\"}\n"
                 "  L: \"m/2*dot(C', C') + J/2*q'^2 - m*g*C.y\"\n"
                 "Outputs: {Bx: 1 + 2*l*cos(q), By: 2 + 2*l*sin(q)}\n"
                 "ProblemData: {tend: 3, positions: {q: 0}, velocities: {q: 1/(2*l)}}\n",
                 column);
}

static void test_prismatic_in_2d(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text(PLANE_PARAMETERS FALL
                             "Dimension: 2\n"
                             "PartData:\n"
                             "  Fixed: {P: [1, 2], v: [cos(a), sin(a)]}\n"
                             "  Rigids: {AuB: {Geom: [[1], [0.5, 1]], Dyna: [[0.2, 0.3], m, J]}}\n"
                             "  Joints: {slide: {Type: prismatic, Points: [P, A], Axes: [v, u]}}\n"
                             "ProblemData: {tend: 2, positions: {A: [1, 2], u: [1, 0.4]}, "
                             "velocities: {A: [3*cos(a), 3*sin(a)]}}\n",
                             &options);
    const double c = cos(0.4), d = sin(0.4);
    assert_int_equal(stats_of(s)->mobility, 1);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), way = 3.0 * t - 9.81 * d * t * t / 2.0;
        assert_near(value_of(s, i, "Ax"), 1.0 + way * c, 1e-11, 0.0);
        assert_near(value_of(s, i, "Ay"), 2.0 + way * d, 1e-11, 0.0);
        assert_near(value_of(s, i, "Bx"), 1.0 + way * c + 0.5 * c - d, 1e-11, 0.0);
        assert_near(value_of(s, i, "By"), 2.0 + way * d + 0.5 * d + c, 1e-11, 0.0);
    }
    solution_free(s);
}

static void test_point_on_line_in_2d(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay", "Bx", "By", "Ax'", "By'", "energy", NULL};
    check_motion(PLANE_PARAMETERS FALL
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {P: [1, 2], v: [cos(a), sin(a)]}\n"
                 "  Rigids: {AB: {Geom: [[2*l]], Dyna: [[l], m, J]}}\n"
                 "  Joints: {slot: {Type: point-on-line, Points: [P, A], Axes: [v]}}\n"
                 "ProblemData: {tend: 2, positions: {A: [1, 2], B: [1 + 2*l, 2]}}\n",
                 2,
                 PLANE_PARAMETERS "Lagrangian:\n"
                                  "  Coordinates: [s, q]\n"
                                  "  Define:\n"
                                  "    A: \"[1 + s*cos(a), 2 + s*sin(a)]\"\n"
                                  "    C: \"A + l*[cos(q), sin(q)]\"\n"
                                  "    B: \"A + 2*l*[cos(q), sin(q)]\"\n"
                                  "  L: \"m/2*dot(C', C') + J/2*q'^2 - m*g*C.y\"\n"
                                  "Outputs: {Ax: A.x, Ay: A.y, Bx: B.x, By: B.y}\n"
                                  "ProblemData: {tend: 2, positions: {s: 0, q: 0}}\n",
                 column);
}

/* A body in space: centroid (e, 0, -l) in axes that begin parallel to the world's. */
#define SPACE_PARAMETERS                                                                           \
    "PhysicalParams: {m: 2, l: 0.7, e: 0.2, g: 9.81, a: 0.4, Ja: 0.3, Jb: 0.5, Jc: 0.2}\n"
#define SPACE_BODY                                                                                 \
    "    AuvB: {Geom: [[1], [0, 1], [e, 0, -l]], Dyna: [[e, 0, -l], m, [Ja, Jb, Jc]]}\n"
static const char *const SPACE_COLUMNS[] = {"Bx", "By", "Bz", "Bx'", "By'", "Bz'", "energy", NULL};

/* A hinge along v, tilted by the angle a out of the horizontal. */
static void test_revolute_in_3d(void **state) {
    (void)state;
    check_motion(
        SPACE_PARAMETERS FALL
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {P: [1, 2, 3], w: [0, cos(a), sin(a)]}\n"
        "  Rigids:\n" SPACE_BODY
        "  Joints: {hinge: {Type: revolute, Points: [P, A], Axes: [w, v]}}\n"
        "ProblemData: {tend: 3, positions: {A: [1, 2, 3], u: [1, 0, 0], v: [0, cos(a), sin(a)]}}\n",
        1,
        SPACE_PARAMETERS "Lagrangian:\n"
                         "  Coordinates: [q]\n"
                         "  Define:\n" /* x and z of the body, turned about v by q */
                         "    x: \"[cos(q), sin(a)*sin(q), -cos(a)*sin(q)]\"\n"
                         "    z: \"[sin(q), -sin(a)*cos(q), cos(a)*cos(q)]\"\n"
                         "    B: \"[1, 2, 3] + e*x - l*z\"\n"
                         "  L: \"m/2*dot(B', B') + Jb/2*q'^2 - m*g*B.z\"\n"
                         "Outputs: {Bx: B.x, By: B.y, Bz: B.z}\n"
                         "ProblemData: {tend: 3, positions: {q: 0}}\n",
        SPACE_COLUMNS);
}

static void test_cylindrical(void **state) {
    (void)state;
    check_motion(SPACE_PARAMETERS FALL
                 "Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {P: [1, 2, 3], w: [0, cos(a), sin(a)]}\n"
                 "  Rigids:\n" SPACE_BODY
                 "  Joints: {sleeve: {Type: cylindrical, Points: [P, A], Axes: [w, v]}}\n"
                 "ProblemData:\n"
                 "  tend: 2\n"
                 "  positions: {A: [1, 2, 3], u: [1, 0, 0], v: [0, cos(a), sin(a)]}\n"
                 "  velocities: {A: [0, 4*cos(a), 4*sin(a)]}\n",
                 2,
                 SPACE_PARAMETERS
                 "Lagrangian:\n"
                 "  Coordinates: [q, s]\n"
                 "  Define:\n"
                 "    x: \"[cos(q), sin(a)*sin(q), -cos(a)*sin(q)]\"\n"
                 "    z: \"[sin(q), -sin(a)*cos(q), cos(a)*cos(q)]\"\n"
                 "    B: \"[1, 2 + s*cos(a), 3 + s*sin(a)] + e*x - l*z\"\n"
                 "  L: \"m/2*dot(B', B') + Jb/2*q'^2 - m*g*B.z\"\n"
                 "Outputs: {Bx: B.x, By: B.y, Bz: B.z}\n"
                 "ProblemData: {tend: 2, positions: {q: 0, s: 0}, velocities: {s: 4}}\n",
                 SPACE_COLUMNS);
}

static void test_prismatic_in_3d(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text(
        SPACE_PARAMETERS FALL
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {P: [1, 2, 3], w: [0, cos(a), sin(a)], x: [1, 0, 0]}\n"
        "  Rigids:\n" SPACE_BODY
        "  Joints: {slide: {Type: prismatic, Points: [P, A], Axes: [w, v], Normals: [x, u]}}\n"
        "ProblemData:\n"
        "  tend: 2\n"
        "  positions: {A: [1, 2, 3], u: [0.9, 0.1, 0], v: [0, 0.9, 0.4]}\n"
        "  velocities: {A: [0, 3*cos(a), 3*sin(a)]}\n",
        &options);
    const double c = cos(0.4), d = sin(0.4);
    assert_int_equal(stats_of(s)->mobility, 1);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), way = 3.0 * t - 9.81 * d * t * t / 2.0;
        assert_near(value_of(s, i, "Bx"), 1.2, 1e-11, 0.0);
        assert_near(value_of(s, i, "By"), 2.0 + way * c + 0.7 * d, 1e-11, 0.0);
        assert_near(value_of(s, i, "Bz"), 3.0 + way * d - 0.7 * c, 1e-11, 0.0);
    }
    solution_free(s);
}

/* Turned by q about the world's x, then by r about the body's y. */
static void test_universal(void **state) {
    (void)state;
    check_motion(
        SPACE_PARAMETERS FALL
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {P: [1, 2, 3], x: [1, 0, 0]}\n"
        "  Rigids:\n" SPACE_BODY
        "  Joints: {cardan: {Type: universal, Points: [P, A], Axes: [x, v]}}\n"
        "ProblemData:\n"
        "  tend: 2\n"
        "  positions: {A: [1, 2, 3], u: [1, 0, 0], v: [0, 1, 0]}\n"
        "  velocities: {u: [0, 0, -2], v: [0, 0, 1]}\n",
        2,
        SPACE_PARAMETERS
        "Lagrangian:\n"
        "  Coordinates: [q, r]\n"
        "  Define:\n"
        "    C: \"[e*cos(r) - l*sin(r), 0, -e*sin(r) - l*cos(r)]\"\n"
        "    B: \"[1 + C.x, 2 - C.z*sin(q), 3 + C.z*cos(q)]\"\n"
        "  L: \"m/2*dot(B', B') + (Ja*(q'*cos(r))^2 + Jb*r'^2 + Jc*(q'*sin(r))^2)/2 - m*g*B.z\"\n"
        "Outputs: {Bx: B.x, By: B.y, Bz: B.z}\n"
        "ProblemData: {tend: 2, positions: {q: 0, r: 0}, velocities: {q: 1, r: 2}}\n",
        SPACE_COLUMNS);
}

/* Euler's angles: about z by p, about the new x by q, about the new z by r. */
static void test_spherical(void **state) {
    (void)state;
    check_motion(
        SPACE_PARAMETERS FALL
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {P: [1, 2, 3]}\n"
        "  Rigids:\n" SPACE_BODY "  Joints: {ball: {Type: spherical, Points: [P, A]}}\n"
        "ProblemData:\n"
        "  tend: 1.5\n"
        "  positions: {A: [1, 2, 3], u: [1, 0, 0], v: [0, cos(1), sin(1)]}\n"
        "  fixedpositions: {A, u, v}\n" /* p' about z, q' about x, r' about (0, -sin 1, cos 1) */
        "  velocities:\n"
        "    u: [0, 2 + 3*cos(1), 3*sin(1)]\n"
        "    v: [-2*cos(1) - 3, -sin(1), cos(1)]\n",
        3,
        SPACE_PARAMETERS
        "Lagrangian:\n"
        "  Coordinates: [p, q, r]\n"
        "  Define:\n"
        "    X: \"[cos(p)*cos(r) - sin(p)*cos(q)*sin(r), sin(p)*cos(r) + cos(p)*cos(q)*sin(r),"
        " sin(q)*sin(r)]\"\n"
        "    Z: \"[sin(p)*sin(q), -cos(p)*sin(q), cos(q)]\"\n"
        "    B: \"[1, 2, 3] + e*X - l*Z\"\n"
        "    w: \"[p'*sin(q)*sin(r) + q'*cos(r), p'*sin(q)*cos(r) - q'*sin(r), p'*cos(q) + r']\"\n"
        "  L: \"m/2*dot(B', B') + (Ja*w.x^2 + Jb*w.y^2 + Jc*w.z^2)/2 - m*g*B.z\"\n"
        "Outputs: {Bx: B.x, By: B.y, Bz: B.z}\n"
        "ProblemData: {tend: 1.5, positions: {p: 0, q: 1, r: 0}, velocities: {p: 2, q: 1, r: 3}}\n",
        SPACE_COLUMNS);
}

/* A thin rod with one end on a line. */
static void test_point_on_line_in_3d(void **state) {
    (void)state;
    check_motion(SPACE_PARAMETERS FALL
                 "Dimension: 3\n"
                 "PartData:\n"
                 "  Fixed: {P: [1, 2, 3], w: [0, cos(a), sin(a)]}\n"
                 "  Rigids: {AB: {Geom: [[0, 0, 2*l]], Dyna: [[0, 0, l], m, Ja]}}\n"
                 "  Joints: {wire: {Type: point-on-line, Points: [P, A], Axes: [w]}}\n"
                 "ProblemData:\n"
                 "  tend: 1.5\n"
                 "  positions: {A: [1, 2, 3], B: [1 + 2*l, 2, 3]}\n"
                 "  fixedpositions: {A, B}\n"
                 "  velocities: {B: [0, 2*l, 0]}\n",
                 3,
                 SPACE_PARAMETERS
                 "Lagrangian:\n"
                 "  Coordinates: [s, q, r]\n"
                 "  Define:\n"
                 "    d: \"[cos(q)*cos(r), cos(q)*sin(r), sin(q)]\"\n"
                 "    A: \"[1, 2 + s*cos(a), 3 + s*sin(a)]\"\n"
                 "    C: A + l*d\n"
                 "    B: A + 2*l*d\n"
                 "  L: \"m/2*dot(C', C') + Ja/2*dot(d', d') - m*g*C.z\"\n"
                 "Outputs: {Bx: B.x, By: B.y, Bz: B.z}\n"
                 "ProblemData: {tend: 1.5, positions: {s: 0, q: 0, r: 0}, velocities: {r: 1}}\n",
                 SPACE_COLUMNS);
}

/* ---- two bodies: by sharing and by name ---- */

static void test_shared_and_named_pins_agree(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay", "Bx", "By", "Ax'", "By'", "energy", NULL};
#define DOUBLE_PENDULUM(second, joint, start)                                                      \
    PLANE_PARAMETERS FALL "Dimension: 2\n"                                                         \
                          "PartData:\n"                                                            \
                          "  Fixed: {O: [0, 0]}\n"                                                 \
                          "  Rigids:\n"                                                            \
                          "    OA: {Geom: [[l]], Dyna: [[l/2], m, J]}\n"                           \
                          "    " second ": {Geom: [[l]], Dyna: [[l/3, 0.1], m, J]}\n" joint        \
                          "ProblemData: {tend: 2, positions: {A: [l, 0], B: [2*l, 0]" start "}}\n"
    texts_must_agree(
        DOUBLE_PENDULUM("AB", "", ""),
        DOUBLE_PENDULUM("CB", "  Joints: {pin: {Type: revolute, Points: [A, C]}}\n", ", C: [l, 0]"),
        column, 11.0);
}

static void test_shared_and_named_ball_joints_agree(void **state) {
    (void)state;
    static const char *const column[] = {"Bx", "By", "Bz", "ux", "vy", "Bx'", "energy", NULL};
/* The first turns with 1/l about z, the second with the same and -2/l about y. */
#define TWO_BODIES(second, joints, positions, velocities)                                          \
    SPACE_PARAMETERS FALL                                                                          \
        "Dimension: 3\n"                                                                           \
        "PartData:\n"                                                                              \
        "  Fixed: {O: [0, 0, 0]}\n"                                                                \
        "  Rigids:\n"                                                                              \
        "    OAu: {Geom: [[l], [0, 1, 0]], Dyna: [[l/2, 0.1], m, [Ja, Jb, Jc]]}\n" second          \
        ", Dyna: [[l/3, 0.1, 0.05], m, [Jb, Ja, Jc]]}\n" joints "ProblemData:\n"                   \
        "  tend: 1\n"                                                                              \
        "  positions: {A: [l, 0, 0], u: [0, 1, 0]" positions "}\n"                                 \
        "  velocities: {A: [0, 1, 0], u: [-1/l, 0, 0]" velocities "}\n"
#define AT_A ", B: [2*l, 0, 0]"
#define FROM_A ", B: [0, 2, 2]"
#define BESIDE_A ", C: [l, 0.1, 0], B: [2*l, 0.1, 0]"
#define FROM_BESIDE ", C: [-0.1/l, 1, 0], B: [-0.1/l, 2, 2]"
#define V_ALONG ", v: [0, 1, 0]"
#define V_TURNS ", v: [-1/l, 0, 0]"
    texts_must_agree(
        TWO_BODIES("    ABv: {Geom: [[l], [0, 1, 0]]", "", AT_A V_ALONG, FROM_A V_TURNS),
        TWO_BODIES("    CBv: {Geom: [[l], [0, 1, 0]]",
                   "  Joints: {ball: {Type: spherical, Points: [A, C]}}\n",
                   AT_A V_ALONG ", C: [l, 0, 0]", FROM_A V_TURNS ", C: [0, 1, 0]"),
        column, 11.0);
}

static void test_shared_and_named_hinges_agree(void **state) {
    (void)state;
    static const char *const column[] = {"Bx", "By", "Bz", "ux", "uy", "Bx'", "energy", NULL};
    texts_must_agree(
        TWO_BODIES("    ABu: {Geom: [[l], [0, 1, 0]]", "", AT_A, FROM_A),
        TWO_BODIES("    CBv: {Geom: [[l], [0, 1, 0]]",
                   "  Joints: {hinge: {Type: revolute, Points: [A, C], Axes: [u, v]}}\n",
                   AT_A V_ALONG ", C: [l, 0, 0]", FROM_A V_TURNS ", C: [0, 1, 0]"),
        column, 11.0);
}

static void test_universal_with_and_without_shared_point_agree(void **state) {
    (void)state;
    static const char *const column[] = {"Bx", "By", "Bz", "ux", "vz", "Bx'", "energy", NULL};
    texts_must_agree(
        TWO_BODIES("    ABv: {Geom: [[l], [0, 0, 1]]",
                   "  Joints: {cardan: {Type: universal, Axes: [u, v]}}\n", AT_A ", v: [0, 0, 1]",
                   FROM_A ", v: [-2/l, 0, 0]"),
        TWO_BODIES("    CBv: {Geom: [[l], [0, 0, 1]]",
                   "  Joints: {cardan: {Type: universal, Points: [A, C], Axes: [u, v]}}\n",
                   AT_A ", v: [0, 0, 1], C: [l, 0, 0]", FROM_A ", v: [-2/l, 0, 0], C: [0, 1, 0]"),
        column, 11.0);
}

/* C slides along u of the first body; by a scalar, or by equations. */
static void test_shared_and_named_sleeves_agree(void **state) {
    (void)state;
    static const char *const column[] = {"Bx", "By", "Bz", "ux", "uy", "Cx", "Bx'", "energy", NULL};
    texts_must_agree(
        TWO_BODIES("    CBu: {Geom: [[l], [0, 1, 0]]", "  Collinears: {AuC}\n", BESIDE_A,
                   FROM_BESIDE),
        TWO_BODIES("    CBv: {Geom: [[l], [0, 1, 0]]",
                   "  Joints: {sleeve: {Type: cylindrical, Points: [A, C], Axes: [u, v]}}\n",
                   BESIDE_A V_ALONG, FROM_BESIDE V_TURNS),
        column, 11.0);
}

static void test_shared_and_named_points_on_lines_agree(void **state) {
    (void)state;
    static const char *const column[] = {"Bx", "By", "Bz", "ux", "vy", "Cx", "Bx'", "energy", NULL};
    static const char *const planar[] = {"Ax", "Ay", "Bx", "By", "Cx", "By'", "energy", NULL};
    texts_must_agree(
        TWO_BODIES("    CBv: {Geom: [[l], [0, 1, 0]]", "  Collinears: {AuC}\n", BESIDE_A V_ALONG,
                   FROM_BESIDE V_TURNS),
        TWO_BODIES("    CBv: {Geom: [[l], [0, 1, 0]]",
                   "  Joints: {wire: {Type: point-on-line, Points: [A, C], Axes: [u]}}\n",
                   BESIDE_A V_ALONG, FROM_BESIDE V_TURNS),
        column, 11.0);
#define ON_A_BAR(second, joint, start)                                                             \
    PLANE_PARAMETERS FALL                                                                          \
        "Dimension: 2\n"                                                                           \
        "PartData:\n"                                                                              \
        "  Fixed: {O: [0, 0]}\n"                                                                   \
        "  Rigids:\n"                                                                              \
        "    OAu: {Geom: [[l], [1]], Dyna: [[l/2], m, J]}\n"                                       \
        "    " second ", Dyna: [[l/3, 0.1], m, J]}\n" joint                                        \
        "ProblemData: {tend: 0.4, positions: {A: [l, 0], B: [2.1*l, 0], C: [1.1*l, 0]" start       \
        "}}\n"
    texts_must_agree(
        ON_A_BAR("CB: {Geom: [[l]]", "  Collinears: {AuC}\n", ""),
        ON_A_BAR("CB: {Geom: [[l]]",
                 "  Joints: {slot: {Type: point-on-line, Points: [A, C], Axes: [u]}}\n", ""),
        planar, 11.0);
    texts_must_agree(
        ON_A_BAR("CBu: {Geom: [[l], [1]]", "  Collinears: {AuC}\n", ""),
        ON_A_BAR("CBv: {Geom: [[l], [1]]",
                 "  Joints: {slide: {Type: prismatic, Points: [A, C], Axes: [u, v]}}\n",
                 ", v: [1, 0]"),
        planar, 11.0);
}

/* Directions in common without a point; A moves, so that the first body must carry u along. */
static void test_shared_and_named_parallel_axes_agree(void **state) {
    (void)state;
    static const char *const column[] = {"Bx", "By", "Bz", "Dx", "Dz", "ux", "Bx'", "energy", NULL};
#define PARALLEL(second, joint, start)                                                             \
    SPACE_PARAMETERS FALL                                                                          \
        "Dimension: 3\n"                                                                           \
        "PartData:\n"                                                                              \
        "  Fixed: {O: [0, 0, 0]}\n"                                                                \
        "  Rigids:\n"                                                                              \
        "    OAu: {Geom: [[l], [0, 1, 0]], Dyna: [[l/2, 0.1], m, [Ja, Jb, Jc]]}\n"                 \
        "    AB: {Geom: [[l]], Dyna: [[l/2], m, Ja]}\n"                                            \
        "    " second ": {Geom: [[l], [0, 1, 0]], Dyna: [[l/2], m, [Jb, Ja, Jc]]}\n" joint         \
        "ProblemData:\n"                                                                           \
        "  tend: 1\n"                                                                              \
        "  positions: {A: [l, 0, 0], u: [0, 1, 0], B: [2*l, 0, 0], D: [3*l, 0, 0]" start "}\n"
    texts_must_agree(
        PARALLEL("BDu", "", ""),
        PARALLEL("BDv", "  Joints: {level: {Type: parallel, Axes: [u, v]}}\n", ", v: [0, 1, 0]"),
        column, 11.0);
}

static void test_shared_and_named_welds_agree(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay", "Bx", "By", "Bz", "Bx'", "energy", NULL};
#define WELDED(second, joint, start)                                                               \
    SPACE_PARAMETERS FALL                                                                          \
        "Dimension: 3\n"                                                                           \
        "PartData:\n"                                                                              \
        "  Fixed: {O: [0, 0, 0]}\n"                                                                \
        "  Rigids:\n"                                                                              \
        "    OAun: {Geom: [[l], [0, 1, 0], [0, 0, 1]], Dyna: [[l/2], m, [Ja, Jb, Jc]]}\n"          \
        "    " second                                                                              \
        ": {Geom: [[0, l, 0], [0, 0, 1], [0, 1, 0]], Dyna: [[0, l/2], m, [Ja, Jb, Jc]]}\n" joint   \
        "ProblemData:\n"                                                                           \
        "  tend: 1\n"                                                                              \
        "  positions: {A: [l, 0, 0], u: [0, 1, 0], B: [l, l, 0]" start "}\n"
    texts_must_agree(WELDED("ABnu", "", ""),
                     WELDED("CBpv",
                            "  Joints: {seam: {Type: weld, Points: [A, C], Axes: [u, v],"
                            " Normals: [n, p]}}\n",
                            ", C: [l, 0, 0], v: [0, 1, 0], p: [0, 0, 1]"),
                     column, 11.0);
}

/* ---- loops ---- */

/* The slider as a body on a prismatic joint, and as a mass at a point on a line. */
static void test_slider_crank_with_a_prismatic_joint(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay", "Bx", "By", "Ax'", "Bx'", "energy", NULL};
#define SLIDER_CRANK(parts, start)                                                                 \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0], x: [1, 0]}\n"                                                            \
    "  Rigids:\n"                                                                                  \
    "    OA: {Geom: [[0.4]], Dyna: [[0.2], 1, 0.02]}\n"                                            \
    "    AB: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n" parts "AppliedForces: {Gravity: }\n"          \
    "ProblemData:\n"                                                                               \
    "  tend: 2\n"                                                                                  \
    "  positions: {A: [0.24, 0.32], B: [1.2, 0]" start "}\n"                                       \
    "  fixedpositions: {Ax}\n"                                                                     \
    "  velocities: {A: [-3, 2.25], B: [-4, 0]}\n"                                                  \
    "  fixedvelocities: {Ax}\n"
    texts_must_agree(
        SLIDER_CRANK("  Collinears: {OxB}\n  Particles: {B: 3}\n", ""),
        SLIDER_CRANK("    Bu: {Geom: [[1]], Dyna: [[0.1], 3, 0.7]}\n"
                     "  Joints: {slide: {Type: prismatic, Points: [O, B], Axes: [x, u]}}\n",
                     ", u: [1, 0]"),
        column, 10.5);
}

/* A four-bar that is closed by a named pin. */
static void test_four_bar_with_a_named_pin(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay", "Bx", "By", "Ax'", "By'", "energy", NULL};
#define FOUR_BAR(second, joint, start)                                                             \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0], P: [2, 0]}\n"                                                            \
    "  Rigids:\n"                                                                                  \
    "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"                                               \
    "    AB: {Geom: [[2]], Dyna: [[1], 1, 0.3]}\n"                                                 \
    "    " second ": {Geom: [[1.5]], Dyna: [[0.7], 1, 0.2]}\n" joint                               \
    "AppliedForces: {Gravity: }\n"                                                                 \
    "ProblemData:\n"                                                                               \
    "  tend: 2\n"                                                                                  \
    "  positions: {A: [0, 1], B: [1.9, 1.5]" start "}\n"                                           \
    "  fixedpositions: {A}\n"                                                                      \
    "  velocities: {A: [0.5, 0]}\n"                                                                \
    "  fixedvelocities: {Ax}\n"
    texts_must_agree(
        FOUR_BAR("PB", "", ""),
        FOUR_BAR("PC", "  Joints: {pin: {Type: revolute, Points: [B, C]}}\n", ", C: [1.9, 1.5]"),
        column, 11.0);
}

/* The RSCR mechanism with every joint by name, and by sharing (examples/rscr.yaml). */
static void test_rscr_with_named_joints(void **state) {
    (void)state;
    static const char *const column[] = {"Bx",  "By",  "Bz",  "Cx",     "Cy",     "Cz", "vx",
                                         "Bx'", "Cy'", "vz'", "crank'", "energy", NULL};
    taut_run_options options = at_tolerance(1e-13);
    options.has_tend = true;
    options.tend = 2.0;
    solution *a = solve_file("examples/rscr.yaml", &options);
    solution *b = solve_text(
        "PhysicalParams:\n"
        "  {L0: 2, L1: 0.6, L2: 1.5, L3: 1.5, m1: 1, m2: 1, m3: 1,\n"
        "   a: pi/6, b: 25*pi/180, c: 40*pi/180, d: pi/3}\n"
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed:\n"
        "    D: [0, 0, 0]\n"
        "    A: [-L0, 0, 0]\n"
        "    w: [cos(d), sin(d), 0]\n"
        "    u: [cos(a)*sin(b), sin(a)*sin(b), cos(b)]\n"
        "    e: [cos(b), 0, -cos(a)*sin(b)]\n"
        "  Rigids:\n"
        "    crankshaft: {Elements: [A1, B, u1], Geom: [[L1], [0, 1]], Dyna: [[L1/2], m1, "
        "m1*L1**2/12]}\n"
        "    CB1v1:\n"
        "      Geom: [[L2], [0, 1]]\n"
        "      Dyna: [[0.7, 0.1, -0.05], m2,\n"
        "             [[0.05, 0.01, -0.005], [0.01, 0.2, 0.008], [-0.005, 0.008, 0.22]]]\n"
        "    D1C1w1v: {Geom: [[L3], [0, 1], [0, cos(c), sin(c)]], Dyna: [[L3/2], m3, "
        "m3*L3**2/12]}\n"
        "  Joints:\n"
        "    motor: {Type: revolute, Points: [A, A1], Axes: [u, u1]}\n"
        "    ball: {Type: spherical, Points: [B, B1]}\n"
        "    sleeve: {Type: cylindrical, Points: [C1, C], Axes: [v, v1]}\n"
        "    hinge: {Type: revolute, Points: [D, D1], Axes: [w, w1]}\n"
        "Angles:\n"
        "  crank: {From: e, To: B - A, Axis: u}\n"
        "ProblemData:\n"
        "  tend: 5\n"
        "  positions: {crank: 0, A1: [-L0, 0, 0], B: [-1.44, 0, -0.22], B1: [-1.44, 0, -0.22],\n"
        "              D1: [0, 0, 0], C1: [-0.9, 0.5, 1.1], C: [-0.85, 0.5, 1.0], u1: [0.37, 0.21, "
        "0.9],\n"
        "              w1: [0.5, 0.87, 0], v: [0.37, 0.8, -0.5], v1: [0.37, 0.8, -0.5]}\n"
        "  fixedpositions: {crank}\n"
        "  velocities: {crank: 3}\n"
        "  fixedvelocities: {crank}\n",
        &options);
    must_agree(a, b, column, 11.0);
    solution_free(a);
    solution_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_point_in_2d_is_a_revolute_joint),
        cmocka_unit_test(test_shared_point_in_3d_is_a_spherical_joint),
        cmocka_unit_test(test_shared_point_and_vector_are_a_revolute_joint),
        cmocka_unit_test(test_two_shared_vectors_and_a_point_are_a_weld),
        cmocka_unit_test(test_points_on_lines_are_cylindrical_prismatic_or_plain),
        cmocka_unit_test(test_shared_vector_alone_is_a_parallel_joint),
        cmocka_unit_test(test_named_joints_find_their_bodies),
        cmocka_unit_test(test_revolute_in_2d),
        cmocka_unit_test(test_prismatic_in_2d),
        cmocka_unit_test(test_point_on_line_in_2d),
        cmocka_unit_test(test_revolute_in_3d),
        cmocka_unit_test(test_cylindrical),
        cmocka_unit_test(test_prismatic_in_3d),
        cmocka_unit_test(test_universal),
        cmocka_unit_test(test_spherical),
        cmocka_unit_test(test_point_on_line_in_3d),
        cmocka_unit_test(test_shared_and_named_pins_agree),
        cmocka_unit_test(test_shared_and_named_ball_joints_agree),
        cmocka_unit_test(test_shared_and_named_hinges_agree),
        cmocka_unit_test(test_universal_with_and_without_shared_point_agree),
        cmocka_unit_test(test_shared_and_named_sleeves_agree),
        cmocka_unit_test(test_shared_and_named_points_on_lines_agree),
        cmocka_unit_test(test_shared_and_named_parallel_axes_agree),
        cmocka_unit_test(test_shared_and_named_welds_agree),
        cmocka_unit_test(test_slider_crank_with_a_prismatic_joint),
        cmocka_unit_test(test_four_bar_with_a_named_pin),
        cmocka_unit_test(test_rscr_with_named_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
