/* Wrong parts of mechanisms, tables, events and controls, read from memory or a file: each is told
 * at its line and by name. What is right next to them is read. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "program.h"
#include "taut/taut.h"

#define PLANE "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
#define PENDULUM PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 0.1]}\n"
#define START "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n"
#define SPACE "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0], z: [0, 0, 1]}\n  Rigids:\n"
#define START3 "ProblemData: {tend: 1, positions: {A: [1, 0, 0], u: [0, 1, 0]}}\n"
#define TOOL                                                                                       \
    "Dimension: 3\nPartData:\n  Fixed: {P: [0, 0, 0], u: [1, 0, 0], v: [0, 1, 0]}\n"               \
    "  Rigids:\n    tool: {Elements: [], Dyna: {Mass: 2, Inertia: [0.1, 0.1, 0.1]}}\n"
#define WRIST "Points: [P, O_tool], Axes: [u, x_tool], Normals: [v, y_tool]"
#define TOOL_START "ProblemData: {tend: 1, positions: {a: 0}}\n"
#define OSCILLATOR                                                                                 \
    "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"                                      \
    "ProblemData: {tend: 1, positions: {x: 1, v: 0}}\n"
#define FREE                                                                                       \
    "Lagrangian: {Coordinates: [x], L: x'^2/2}\nProblemData: {tend: 1, positions: {x: 0}}\n"

typedef struct bad {
    const char *text;
    int line;            /* of the message */
    const char *message; /* a part of it; NULL: it is read */
} bad;

static void check_read(const bad *b) {
    static taut_errors errors;
    taut_model *model = NULL;
    memset(&errors, 0, sizeof errors);
    program_write("m.yaml", b->text, -1);
    taut_status status = taut_model_read("m.yaml", NULL, 0, &model, &errors);
    if (status == TAUT_OK) status = taut_model_check(model, &errors);
    taut_model_free(&model);
    if (!b->message) {
        if (status != TAUT_OK)
            fail_msg("refused: %s\n%s", errors.count ? errors.item[0].message : "?", b->text);
        return;
    }
    if (status != TAUT_ERR_INPUT)
        fail_msg("status %d, not '%s', for\n%s", status, b->message, b->text);
    for (int i = 0; i < errors.count; i++)
        if (strstr(errors.item[i].message, b->message) && errors.item[i].line == b->line) return;
    fail_msg("'%s' is not said in line %d, but '%s' in line %d, of\n%s", b->message, b->line,
             errors.item[0].message, errors.item[0].line, b->text);
}
#define CHECK_ALL(list)                                                                            \
    for (size_t i = 0; i < sizeof(list) / sizeof(list)[0]; i++) check_read(&(list)[i])

static void test_inertias(void **state) {
    (void)state;
#define SOLID(dyna) SPACE "    OAu: {Geom: [[1], [0, 1]], Dyna: {" dyna "}}\n" START3
    static const bad list[] = {
        {SOLID("Mass: 1, Inertia: [1, 1, 1]"), 0, NULL},
        {SOLID("Mass: 1, Inertia: [1, 1, 1], Axes: [[1, 0, 0], [0, 1, 0]], About: A"), 0, NULL},
        {SOLID("Mass: 1, Inertia: [1, 1, 1], Axes: [[1, 0, 0]]"), 5,
         "'Axes' of 'OAu' are two directions"},
        {SOLID("Mass: 1, Inertia: [1, 1, 1], Axes: [[0, 0, 0], [0, 1, 0]]"), 5,
         "an axis of the inertia of 'OAu' has length 0"},
        {SOLID("Mass: 1, Inertia: [1, 1, 1], About: z"), 5, "'z' is no point of 'OAu'"},
        {SOLID("Mass: 1"), 5, "'Inertia' is missing"},
        {SOLID("Inertia: 1"), 5, "'Mass' is missing"},
        {SOLID("Mass: 1, Inertia: [1, 1, 9]"), 5, "inertia"},
        {SPACE
         "    OA: {Geom: [[1]], Dyna: {Mass: 1, Centre: [0.5, 0.1, 0], Inertia: 0.1}}\n" START3,
         5, "its centroid is off the rod's line by 0.1; add a third element"},
        {SPACE "    OA: {Geom: [[1]],\n     Dyna: {Mass: 1,\n     Inertia: [1, 2, 3]}}\n" START3, 7,
         "'OA' has two elements: in 3D that is a thin rod, whose inertia is one number"},
    };
    CHECK_ALL(list);
}

static void test_chains(void **state) {
    (void)state;
#define CHAIN(steps) TOOL "  Chains: {wrist: {" WRIST steps "}}\n" TOOL_START
    static const bad list[] = {
        {CHAIN(", Steps: {a: {Turn: [0, 0, 1]}}"), 0, NULL},
        {CHAIN(""), 6, "Steps: {phi: {Turn: [0, 0, 1]}"},
        {CHAIN(", Steps: {}"), 6, "Steps: {phi: {Turn: [0, 0, 1]}"},
        {CHAIN(", Steps: {a: 1}"), 6, "a step {Turn} or {Slide}"},
        {CHAIN(", Steps: {a: {Turn: [1], Slide: [1]}}"), 6,
         "the step 'a' of the chain 'wrist' needs either Turn"},
        {CHAIN(", Steps: {a: {}}"), 6, "the step 'a' of the chain 'wrist' needs either Turn"},
        {CHAIN(", Steps: {a: {Turn: [0, 0, 0]}}"), 6, "the axis of the step 'a' has length 0"},
        {TOOL "  Chains: {wrist: {Points: [O_tool, O_tool], Axes: [x_tool, x_tool], Normals: "
              "[y_tool, y_tool], Steps: {a: {Turn: [1]}}}}\n" TOOL_START,
         6, "two different bodies"},
        {TOOL "    b: {Elements: [], Dyna: {Mass: 1, Inertia: [1, 1, 1]}}\n"
              "  Chains: {wrist: {Points: [P, O_tool], Axes: [u, x_tool], Normals: [v, y_b], "
              "Steps: {a: {Turn: [1]}}}}\n" TOOL_START,
         7, "no body has the point O_tool and the vectors x_tool and y_b"},
    };
    CHECK_ALL(list);
}

static void test_surfaces(void **state) {
    (void)state;
    program_write("open.stl",
                  "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                  "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
                  -1);
#define BODY(more) PLANE "    OA: {Geom: [[1]], " more "}\n" START
#define OPEN "Mesh: {File: open.stl}, "
    static const bad list[] = {
        {BODY(OPEN "Dyna: [[1/2], 1, 0.1]"), 0, NULL},
        {BODY(OPEN "Dyna: [[1/2], 1, 0.1], Shape: {Type: mesh}"), 0, NULL},
        {BODY("Mesh: 3, Dyna: [[1/2], 1, 0.1]"), 5, "'Mesh' {File, Scale}"},
        {BODY("Mesh: {Scale: 3}, Dyna: [[1/2], 1, 0.1]"), 5, "'File' is missing"},
        {BODY("Mesh: {File: .}, Dyna: [[1/2], 1, 0.1]"), 5, "cannot read the mesh '.'"},
        {BODY("Mesh: {File: none.stl}, Dyna: [[1/2], 1, 0.1]"), 5, "none.stl"},
        {BODY(OPEN "Shape: {Type: mesh, Mass: 1}"), 5, "mesh"},
        {BODY(OPEN "Shape: {Type: mesh, Mass: 1, Density: 1}"), 5,
         "has 'Mass' and 'Density': give one of them"},
        {BODY(OPEN "Shape: {Type: mesh, Mass: 1, Centre: [0]}"), 5,
         "the centre of a mesh follows from it"},
        {BODY("Shape: {Type: mesh, Mass: 1}"), 5, "Mesh"},
    };
    CHECK_ALL(list);
}

static void test_lists_of_parts(void **state) {
    (void)state;
    static const bad list[] = {
        {PENDULUM "  Joints: {j: {Type: revolute, Bodies: [OA, OA, OA], Points: [O, A]}}\n" START,
         6, "'Bodies' lists two bodies, or one, not 3"},
        {PENDULUM "  Joints: {j: {Type: revolute, Bodies: OA, Points: [O, A]}}\n" START, 6,
         "'Bodies'"},
        {PLANE "    rod: {Elements: O, Geom: [[1]]}\n" START, 5, "'Elements'"},
        {PLANE "    rod: {Elements: [O, [A]], Geom: [[1]]}\n" START, 5, "the name of an element"},
    };
    CHECK_ALL(list);
}

static void test_limits(void **state) {
    (void)state;
    static const bad list[] = {
        {PENDULUM
         "  Particles: {M: 1}\nLimits: {OM: {Upper: 2}}\nProblemData: {tend: 1, positions: "
         "{A: [1, 0], M: [0, 1]}}\n",
         0, NULL},
        {PENDULUM "Limits: {A.x: {Lower: -2}}\n" START, 0, NULL},
        {PENDULUM "Limits: {A: {Lower: 0}}\n" START, 6, "limits are of one coordinate that moves"},
        {PENDULUM "Limits: {Ox: {Lower: 0}}\n" START, 6, "a gap contains nothing that moves"},
        {PENDULUM "Limits: {Az: {Lower: 0}}\n" START, 6, "'Az'"},
    };
    CHECK_ALL(list);
}

#define GRID(a, b)                                                                                 \
    "[[0, 0, 1], [0, 1, 2], [0, 2, 1], [1, 0, 3], [1, 1, 5], [1, 2, 3], [2, 0, " a "], [2, 1, " b  \
    "], [2, 2, 1]]"
#define TABLE(text) OSCILLATOR "Tables: {f: {" text "}}\n"

static void test_tables(void **state) {
    (void)state;
    static const bad list[] = {
        {TABLE("File: [1]"), 3, "'File' is the name of a CSV file"},
        {TABLE("Points: [[0, 1], [1, 2]], Outside: periodic"), 3,
         "a periodic table ends with the value that it begins with"},
        {TABLE("Points: " GRID("1", "3") ", Outside: periodic"), 3,
         "a periodic table ends with the value that it begins with, but that was 2 and this is 3"},
        {TABLE("Points: " GRID("1", "2") ", Outside: periodic"), 0, NULL},
    };
    CHECK_ALL(list);
}

/* Bilinear in each cell, with the period 2 in both directions: the mean of four corners. */
static void test_periodic_maps_join(void **state) {
    (void)state;
    program_result r;
    program_table table;
    program_write(
        "m.yaml",
        TABLE("Points: " GRID(
            "1", "2") ", Between: linear, Outside: periodic") "Outputs: {a: \"f(x - 0.5, x - "
                                                              "0.5)\", b: \"f(x + 1.5, x - 2.5)\", "
                                                              "c: \"f(x - 4.5, x + 3.5)\", d: "
                                                              "\"f(x + 2.5, x - 3.5)\"}\n",
        -1);
    program_call(&r, "run m.yaml --at 0 -o - --quiet");
    if (r.code != 0) fail_msg("%s", r.err);
    program_table_read(&table, r.out);
    for (const char *name = "a\0b\0c\0"; *name; name += 2)
        assert_near(program_table_get(&table, 0, name), (1.0 + 2.0 + 3.0 + 5.0) / 4.0, 1e-14, 0.0);
    assert_near(program_table_get(&table, 0, "d"), (3.0 + 5.0 + 1.0 + 2.0) / 4.0, 1e-14, 0.0);
    program_table_free(&table);
    program_release(&r);
}

static void test_events_and_controls(void **state) {
    (void)state;
    static const bad list[] = {
        {"DAE: {Variables: [x], Equations: [x' - 1], Define: {y: 2*x}}\n"
         "Events: {e: {When: x - 1, Do: {y: 1}}}\nProblemData: {tend: 1, positions: {x: 0}}\n",
         2, "'Do' assigns Discrete variables"},
        {"PhysicalParams: {p: 1}\n" OSCILLATOR "Trim: {Free: p}\n", 4, "'Free'"},
        {FREE "Inputs: {u: 0}\nInverse: {Actuators: u, Motion: {x: t}}\n", 4, "'Actuators'"},
        {FREE "Inputs: {u: 0}\nInverse: {Actuators: [w], Motion: {x: t}}\n", 4, "w"},
    };
    CHECK_ALL(list);
}

static void test_weights_are_of_actuators(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  FREE "Inputs: {u: 0}\n"
                       "Inverse: {Actuators: [u], Motion: {x: t}, Weights: {w: 1}}\n",
                  -1);
    program_call(&r, "inverse m.yaml -o -");
    assert_int_equal(r.code, 2);
    if (!strstr(r.err, "m.yaml:4:53: error: 'w' is none of the 'Actuators'")) fail_msg("%s", r.err);
    program_release(&r);
}

/* `check --explain` says what each number is taken for. */
static void test_entries_are_explained(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
    } list[] = {
        {"DAE: {Variables: [x], Equations: [\"x' - u - d\"]}\nInputs: {u: 2}\nDiscrete: {d: 3}\n"
         "ProblemData: {tend: 1, positions: {x: 0}}\n",
         "input from outside, its default"},
        {"DAE: {Variables: [x], Equations: [\"x' - u - d\"]}\nInputs: {u: 2}\nDiscrete: {d: 3}\n"
         "ProblemData: {tend: 1, positions: {x: 0}}\n",
         "changes at events only, its first value"},
        {PENDULUM "  Armature: {phi: 0.01}\nAngles: {phi: OA}\n" START, "rotor inertia"},
        {PENDULUM "Angles: {phi: OA}\nOutputs: {y: 2*Ax}\n" START,
         "     7  y            2*Ax        further column of the results\n"},
        {PENDULUM
         "Angles: {phi: OA}\nLimits: {phi: {Lower: -1, Stiffness: 100, Damping: 2}}\n" START,
         "     7  phi Damping    2 N*m*s/rad  Compliant: force over the rate of the depth.\n"},
        {PENDULUM "Contacts: {c: {Gap: Ax + 3, Friction: 0.5, Sliding: Ay'}}\n" START,
         "     6  c Friction   0.5         Coefficient of friction; may contain `speed`, how fast "
         "it "
         "slides.\n"},
        {PENDULUM "Contacts: {c: {Gap: Ax + 3, Stiffness: 100, Damping: 2}}\n" START,
         "     6  c Damping    2 N*s/m     Compliant: force over the rate of the depth.\n"},
        {SPACE "    OAz: {Geom: [[1], [0, 0, 1]], Dyna: [[0.5, 0, 0], 1, [[1, 0, 0], [0, 2, 0], "
               "[0, 0, 2]]]}\nProblemData: {tend: 1, positions: {A: [1, 0, 0]}}\n",
         "     5  OAz inertia   [[1, 0, 0], [0, 2, 0], [0, 0, 2]] kg*m^2  moment of inertia"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        program_result r;
        program_write("m.yaml", list[i].text, -1);
        program_call(&r, "check m.yaml --explain");
        if (r.code != 0 || !strstr(r.out, list[i].said))
            fail_msg("%d: no '%s' in\n%s%s", r.code, list[i].said, r.out, r.err);
        program_release(&r);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_inertias),
        TEST(test_chains),
        TEST(test_surfaces),
        TEST(test_lists_of_parts),
        TEST(test_limits),
        TEST(test_tables),
        TEST(test_periodic_maps_join),
        TEST(test_weights_are_of_actuators),
        TEST(test_events_and_controls),
        TEST(test_entries_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
