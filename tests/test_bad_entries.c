/* Entries of another kind than their section takes, and others that few would write: each is told
 * with its line, its column and its whole message. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "taut/taut.h"

#define PLANE "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
#define PENDULUM PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 0.1]}\n"
#define START "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n"
#define SPACE "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0], z: [0, 0, 1]}\n  Rigids:\n"
#define ROD SPACE "    OAz: {Geom: [[1], [0, 0, 1]], Dyna: {Mass: 1, Inertia: [1, 1, 1]}}\n"
#define START3 "ProblemData: {tend: 1, positions: {A: [1, 0, 0]}}\n"
#define OSCILLATOR                                                                                 \
    "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"                                      \
    "ProblemData: {tend: 1, positions: {x: 1, v: 0}}\n"
#define FREE                                                                                       \
    "Lagrangian: {Coordinates: [x], L: x'^2/2}\nProblemData: {tend: 1, positions: {x: 0}}\n"

typedef struct wrong {
    const char *text, *said; /* line:column: message of the first fault; NULL: none */
} wrong;

static void check_told(const wrong *w) {
    static taut_errors errors;
    taut_model *model = NULL;
    char said[1100] = "nothing";
    memset(&errors, 0, sizeof errors);
    program_write("m.yaml", w->text, -1);
    taut_status status = taut_model_read("m.yaml", NULL, 0, &model, &errors);
    if (status == TAUT_OK) status = taut_model_check(model, &errors);
    taut_model_free(&model);
    if (errors.count > 0)
        snprintf(said, sizeof said, "%d:%d: %s", errors.item[0].line, errors.item[0].column,
                 errors.item[0].message);
    if (w->said ? status != TAUT_ERR_INPUT || strcmp(said, w->said) != 0 : status != TAUT_OK)
        fail_msg("status %d, '%s', not '%s', for\n%s", status, said, w->said ? w->said : "nothing",
                 w->text);
}
#define CHECK_ALL(list)                                                                            \
    for (size_t i = 0; i < sizeof(list) / sizeof(list)[0]; i++) check_told(&(list)[i])

static void test_kinds_of_entries(void **state) {
    (void)state;
    static const wrong list[] = {
        {PENDULUM "  Armature: 3\n" START,
         "6:13: 'Armature' (coordinate: inertia) must be a map, {name: value, ...}"},
        {PENDULUM "  Bushings: {b: 3}\n" START,
         "6:17: a bushing {Points, k, c, kt, ct} must be a map, {name: value, ...}"},
        {PENDULUM "  TorsionSprings: {s: {Angle: [a], k: 1}}\n" START,
         "6:31: the name of an angle must be a single value"},
        {PENDULUM "  Collinears: {OuB: [1]}\n" START,
         "6:21: the name of the distance must be a single value"},
        {PENDULUM "  Joints: {j: {Type: revolute, Points: [O, A], Angle: [[a]]}}\n" START,
         "6:56: the name of a coordinate must be a single value"},
        {PENDULUM "  Joints: {j: {Type: revolute, Points: A}}\n" START,
         "6:40: the elements of a joint must be a list, [a, b, ...]"},
        {PENDULUM "  Joints: {j: {Type: point-on-curve, Points: [O, A], Curve: [s, s], "
                  "Parameter: [s]}}\n" START,
         "6:80: 'Parameter' (a name) must be a single value"},
        {PENDULUM "Drivers: 3\n" START,
         "6:10: 'Drivers' (what: function of t) must be a map, {name: value, ...}"},
        {PENDULUM "Angles: {phi: [OA, [O, A]]}\n" START,
         "6:20: an angle is of one direction, or [from, to]: the names of bodies, vectors or pairs "
         "of points"},
        {PENDULUM "Breaks: {b: {Joint: [a], When: t > 1}}\n" START,
         "6:21: 'Joint' or 'Driver' (a name) must be a single value"},
        {PENDULUM "Friction: {f: {Joint: [a], Radius: 0.1, Coefficient: 0.2}}\n" START,
         "6:23: 'Joint' (its name) must be a single value"},
        {PENDULUM "Angles: {phi: OA}\nLocks: {l: {On: phi, When: [1]}}\n" START,
         "7:28: 'When' (a comparison) must be a single value"},
        {PENDULUM "AppliedForces: {Forces: {f: {On: [A], Value: [1, 0]}}}\n" START,
         "6:34: the name of a point must be a single value"},
        {"Dimension: 3\nPartData:\n  Fixed: {P: [0, 0, 0]}\n"
         "  Rigids: {tool: {Elements: [], Dyna: {Mass: 2, Inertia: [1, 1, 1]}}}\n"
         "  Chains: {wrist: 3}\nProblemData: {tend: 1}\n",
         "5:19: a chain {Points, Axes, Normals, Steps} must be a map, {name: value, ...}"},
        {FREE "Impact: [newton]\n", "3:9: 'Impact' (newton or poisson) must be a single value"},
        {FREE "Impact: poisson\n", NULL},
        {"Lagrangian: {Coordinates: [x], L: x'^2/2, Forces: 3}\nProblemData: {tend: 1, positions: "
         "{x: 0}}\n",
         "1:51: 'Forces' (coordinate: force) must be a map, {name: value, ...}"},
        {"Hamiltonian: {Coordinates: [x], Momenta: p, H: p^2/2}\nProblemData: {tend: 1, positions: "
         "{x: 0}}\n",
         "1:42: 'Momenta' must be a list, [a, b, ...]"},
        {"Hamiltonian: {Coordinates: [x], Momenta: [[p]], H: x^2/2}\nProblemData: {tend: 1, "
         "positions: {x: 0}}\n",
         "1:43: a name in this list must be a single value"},
        {OSCILLATOR "Events: {e: {When: [1], Do: {v: 0}}}\n",
         "3:20: 'When' (a formula, or a comparison) must be a single value"},
        {OSCILLATOR "Outputs: {a: [1]}\n",
         "3:14: a vector has 2 or 3 components, not 1 (a formula that contains a comma must be "
         "quoted)"},
    };
    CHECK_ALL(list);
}

static void test_joints_and_what_breaks(void **state) {
    (void)state;
#define SHARED                                                                                     \
    PLANE "    OAe: {Geom: [[1], [0, 1]], Dyna: [[0.5], 1, 0.1]}\n"                                \
          "    eB: {Elements: [B, e], Geom: [[0, 1]], Dyna: [[0], 1, 0.1]}\n"
#define SHARED_START "ProblemData: {tend: 1, positions: {A: [1, 0], B: [0, 1]}}\n"
    static const wrong list[] = {
        {PENDULUM "Angles: {phi: OA}\nDrivers: {phi': 1}\n"
                  "Breaks: {b: {Driver: phi', When: t > 1}}\n" START,
         "8:22: a driver of a velocity cannot break: let it drive the position"},
        {PENDULUM "Friction: {f: {Joint: ground-OA, Radius: 0.1, Coefficient: 0.2}}\n"
                  "Breaks: {b: {Joint: ground-OA, When: t > 1}}\n" START,
         "7:21: this joint has friction by its load: it cannot break as well"},
        {PENDULUM "Friction: {f: {Joint: ground-OA@O, Radius: 0.1, Coefficient: 0.2}}\n" START,
         NULL},
        {PENDULUM "Friction: {f: {Joint: ground-OA@B, Radius: 0.1, Coefficient: 0.2}}\n" START,
         "6:23: there is no joint 'ground-OA@B': did you mean 'ground-OA'?; 'taut analyze' lists "
         "the joints"},
        {SHARED SHARED_START, NULL},
        {SHARED "Outputs: {a: OAe-eB.Tz}\n" SHARED_START,
         "6:5: the load of 'OAe-eB', a parallel joint by sharing, cannot be asked for: name it "
         "under 'Joints', with points of both bodies"},
        {SHARED "Breaks: {b: {Joint: OAe-eB, When: t > 0.5}}\n" SHARED_START,
         "6:5: the load of 'OAe-eB', a parallel joint by sharing, cannot be asked for: name it "
         "under 'Joints', with points of both bodies"},
        {ROD
         "  Joints: {j: {Type: screw, Points: [O, A], Axes: [z, z], Pitch: 1, Phase: 1}}\n" START3,
         "6:12: the screw joint 'j' needs Normals: [a, b] to have a Phase: the angle counts from "
         "the first to the second"},
        {PENDULUM "  Joints: {j: {Type: revolute, Bodies: [ground, OA], Points: [A, A]}}\n" START,
         "6:12: A does not belong to the ground, as 'j' says"},
        {PENDULUM "    BC: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                  "  Joints: {j: {Type: revolute, Bodies: [OA, BC], Points: [B, B]}}\n" START,
         "7:12: B does not belong to 'OA', as 'j' says"},
        {PENDULUM "AppliedForces: {Dissipation: \"ground-OA.Fx'^2\"}\n" START,
         "6:30: 'Dissipation' contains a rate of 'ground-OA.Fx', which is no point, angle or "
         "distance: use the rate of an angle instead"},
        {"Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Particles: {A: 1}\n"
         "  Springs: {Repeat: {i: 1..100001, 'S{i}': {Elements: [O, A], k: 1}}}\n" START,
         "5:36: the mechanism has more than 100000 springs and dampers (i = 100001)"},
        {PENDULUM "  Bushings: {b: {Points: [O, A]}}\n" START,
         "6:14: the key 'k' is missing: give a stiffness, k or kt, or a damping, c or ct"},
    };
    CHECK_ALL(list);
}

static void test_bodies(void **state) {
    (void)state;
#define BODY(more) PLANE "    OA: {Geom: [[1]], " more "}\n" START
    program_write("flat.stl", /* two sides of one triangle: closed, and nothing is inside */
                  "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                  "vertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\n"
                  "vertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid a\n",
                  -1);
    static const wrong list[] = {
        {BODY("Mesh: {File: flat.stl}, Dyna: [[1/2], 1, 0.1]"), NULL},
        {BODY("Mesh: {File: flat.stl, Axes: [[1, 0], [0, 1]]}, Dyna: [[1/2], 1, 0.1]"),
         "5:52: the mesh of 'OA' has no 'Axes' in the plane: its axes are the local ones; turn it "
         "in its file"},
        {BODY("Mesh: {File: flat.stl}, Shape: {Type: mesh, Mass: 1}"),
         "5:54: the mesh of 'OA' encloses no volume"},
        {"Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\nRepeat:\n  - i: 1..1\n"
         "    PartData: {Rigids: {OA: {Geom: [[1]], Mesh: {File: 'f{i}.stl'}}}}\n" START,
         "6:56: the mesh 'f1.stl' has not been read: its name must stand here as it is (i = 1)"},
        {SPACE "    Ozu: {Geom: [[0, 0, 1], [0, 1]], Shape: {Type: rod, Mass: 1}}\n" START3,
         "5:45: the rod 'Ozu' goes from its first point to its second: name a point second"},
        {PLANE "    OA: {Geom: [[1]], Shape: 3}\n" START,
         "5:30: 'Shape' {Type, Mass, ...} must be a map, {name: value, ...}"},
        {PLANE "    OA: {Geom: [[1]], Shape: {Type: rod, Mas: 1}}\n" START,
         "5:42: unknown key 'Mas'; did you mean 'Mass'?"},
    };
    CHECK_ALL(list);
}

static void test_surfaces_of_contacts(void **state) {
    (void)state;
#define BALL                                                                                       \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], u: [1, 0]}\n  Particles: {B: 1}\n"              \
    "ProblemData: {tend: 1, positions: {B: [0, 1]}}\n"
    static const wrong list[] = {
        {BALL "Contacts: {c: {Point: B, On: {Line: [O, u]}}}\n", NULL},
        {BALL "Contacts: {c: {Point: B, On: {Line: [O, u], Circle: [O, 1]}}}\n",
         "6:30: 'On' is one of Line, Plane, Circle, Sphere and Curve"},
        {BALL "Contacts: {c: {Point: B, On: {}}}\n",
         "6:30: 'On' is one of Line, Plane, Circle, Sphere and Curve"},
        {"Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0], z: [0, 0, 1]}\n  Particles: {B: 1}\n"
         "ProblemData: {tend: 1, positions: {B: [0, 0, 1]}}\n"
         "Contacts: {c: {Point: B, On: {Line: [O, z]}}}\n",
         "6:37: in space contacts are on a Plane or a Sphere"},
        {FREE "Contacts: {c: {Point: x, On: {Line: [x, x]}}}\n",
         "3:23: shapes are for mechanisms: give 'Gap', a formula"},
        {SPACE "    CA: {Geom: [[1]], Dyna: [[0], 1, 0.1]}\n"
               "Contacts: {c: {Sphere: [C, 1], On: {Plane: [O, z]}, Friction: 0.2}}\n"
               "ProblemData: {tend: 1, positions: {C: [0, 0, 1], A: [1, 0, 1]}}\n",
         "6:24: how this turns is not known, because its body has too few points and vectors: give "
         "it two vectors, or give 'Along' or 'Sliding'"},
        {SPACE "    CAB: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [1, 1, 1]]}\n"
               "Contacts: {c: {Sphere: [C, 1], On: {Plane: [O, z]}, Friction: 0.2}}\n"
               "ProblemData: {tend: 1, positions: {C: [0, 0, 1], A: [1, 0, 1], B: [0, 1, 1]}}\n",
         NULL},
        {BALL "Repeat:\n  - i: 1..5002\n"
              "    Contacts: {'c{i}': {Point: B, On: {Circle: [O, 1]}, Friction: 0.1}}\n",
         "8:32: more than 5000 contacts slide on circles, spheres, curves or what moves (i = "
         "5001)"},
        {FREE "Contacts: {c: {Point: x}}\n",
         "3:23: shapes are for mechanisms: give 'Gap', a formula"},
    };
    CHECK_ALL(list);
}

static void test_tables_and_names(void **state) {
    (void)state;
    static const wrong list[] = {
        {OSCILLATOR "Tables: {f: {Points: [[0, 1], [\"f(1)\", 2]]}}\nOutputs: {a: f(x)}\n",
         "3:33: the table 'f' is defined through itself"},
        {OSCILLATOR "Tables: {f: {Points: [[0, 0, 1], [0, 1, 2], [1, 0, 3], [1, 1, 5]]}}\n"
                    "Outputs: {a: \"f(0.5, 1.5)*x\"}\n",
         "4:15: the table 'f' goes from 0 to 1 in its second argument, and this is 1.5: say what "
         "holds Outside of it (hold, extend, periodic)"},
        {OSCILLATOR "Tables: {f: {Points: [[0, 0, 1], [0, 1, 2], [1, 0, 3], [1, 1, 5]]}}\n"
                    "Outputs: {a: \"f(-0.5, 0.5)*x\"}\n",
         "4:15: the table 'f' goes from 0 to 1 in its first argument, and this is -0.5: say what "
         "holds Outside of it (hold, extend, periodic)"},
        {OSCILLATOR "Repeat:\n  - i: 1..1\n    Tables: {f: {File: 'f{i}.csv'}}\n",
         "5:24: the table 'f1.csv' has not been read: its name must stand here as it is (i = 1)"},
        {PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 0.1]}\n"
               "  Repeat: {i: \"1..[1, 2]\", Particles: {A: 1}}\n" START,
         "6:15: in '1..[1, 2]': an index is a number"},
        /* beside what is written with escapes, the text has no place of its own */
        {OSCILLATOR "Events: {e: {When: \"x >= y\", Do: {v: 0}}}\n", "3:26: unknown name 'y'"},
        {OSCILLATOR "Events: {e: {When: \"x >= \\x79\", Do: {v: 0}}}\n", "3:21: unknown name 'y'"},
    };
    CHECK_ALL(list);
}

static void test_mixtures_in_choices(void **state) {
    (void)state;
#define OF(formula)                                                                                \
    "PhysicalParams: {l: 2 m, w: 3 s}\n" OSCILLATOR "Outputs: {a: \"" formula "\"}\n"
    static const wrong list[] = {
        {OF("if(x > 0, l, 3*l)*x"), NULL},
        {OF("mod(l, 0.5 m)*x + max(l, 3 m)"), NULL},
        {OF("if(x > 0, l, w)*x"), "4:15: if of a length (m) and a time (s)"},
        {OF("if(x > 0, l, l*w)*x"), "4:15: if of a length (m) and something in m*s"},
        {OF("if(x > 0, 2, 3"),
         "4:29: if( is not closed (if a comma ended the formula here, quote it: \"...\")"},
        {OF("if(x > 0, [1, 2], 3)"), "4:15: if needs a number, but this is a vector with 2 "
                                     "components"},
        {OF("if(l > w, x, v)"), "4:20: this compares a length (m) and a time (s)"},
        {OF("mod(l, w)*x"), "4:15: mod of a length (m) and a time (s)"},
        {OF("mod(x, 0)"), "4:15: mod by 0"},
        {OF("max(l, w)*x"), "4:15: this compares a length (m) and a time (s)"},
        {OF("clamp(l, 1 m, w)*x"), "4:15: this compares a length (m) and a time (s)"},
    };
    CHECK_ALL(list);
}

static void test_initial_values(void **state) {
    (void)state;
#define FIFTY "''''''''''''''''''''''''''''''''''''''''''''''''''"
    static const wrong list[] = {
        {"DAE: {Variables: [x], Equations: [x' - 1]}\n"
         "ProblemData: {tend: 1, maxstep: 0, positions: {x: 1}}\n",
         "2:33: maxstep is the longest step that a solver may take: a time above 0"},
        {"DAE: {Variables: [x], Equations: [x' - 1]}\n"
         "ProblemData: {tend: 1, positions: {x: 1}, values: {x" FIFTY "': 1}}\n",
         "2:52: derivatives go up to 50"},
        {PENDULUM "Angles: {phi: OA}\n"
                  "ProblemData: {tend: 1, positions: {A: [0.6, 0.8]}, fixedvelocities: [phi]}\n",
         "7:70: phi is to be kept fixed, but it has no value: give one under 'velocities'"},
        {PENDULUM "ProblemData: {tend: 1, positions: {A: [0.6, 0.8]}, fixedpositions: [O]}\n",
         NULL},
    };
    CHECK_ALL(list);
}

static void test_motions_and_trims(void **state) {
    (void)state;
#define PUSHED "PhysicalParams: {p: 1}\n" FREE "Inputs: {u: 0}\nOutputs: {y: 2*p}\n"
    static const wrong list[] = {
        {PUSHED "Inverse: {Actuators: [u], Motion: {x: t}}\n", NULL},
        {PUSHED "Inverse: {Actuators: [u], Motion: {y: t}}\n",
         "6:36: 'y' does not move: its motion cannot be prescribed"},
        {PUSHED "Inverse: {Actuators: [u], Motion: {x: t}, Weights: {u: 0}}\n",
         "6:56: the weight of 'u' must be above 0"},
        {PUSHED "Inverse: {Motion: {x: t}}\n",
         "6:1: the key 'Actuators' is missing: list the Inputs that move it"},
        {PENDULUM "Inputs: {u: 0}\nInverse: {Actuators: [u], Motion: {Ox: t}}\n" START,
         "7:36: 'Ox' does not move: its motion cannot be prescribed"},
        {PENDULUM "Inputs: {u: 0}\nInverse: {Actuators: [u], Motion: {A.x: cos(t)}}\n" START, NULL},
        {PENDULUM "Inputs: {u: 0}\nInverse: {Actuators: [u], Motion: {A.z: cos(t)}}\n" START,
         "7:36: unknown name 'Az'; did you mean 'A'?: coordinates, angles, points, forces and "
         "outputs have values here"},
        {PUSHED "Trim: {Free: [p], Steady: {x: 0}}\n", "6:28: 'Steady' has rates: write x': ..."},
        {PUSHED "Trim: {Free: [p], Steady: {x'': 0}}\n", "6:28: 'Steady' has rates: write x': ..."},
        {PUSHED "Trim: {Free: [q]}\n",
         "6:15: 'q' cannot be free: it is none of 'Inputs', 'PhysicalParams' and 'Drivers'"},
    };
    CHECK_ALL(list);
}

/* A part of more elements than there may be. */
static void test_a_part_has_an_end(void **state) {
    (void)state;
    enum { MOST = 4096, ROOM = 8 * MOST };
    char *text = malloc(ROOM);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, ROOM, PLANE "    big: {Elements: [O");
    for (int i = 0; i < MOST; i++) used += (size_t)snprintf(text + used, ROOM - used, ", P%d", i);
    snprintf(text + used, ROOM - used, "]}\n" START);
    check_told(&(wrong){text, "5:21: a part has at most 4096 elements, not 4097"});
    free(text);
}

/* More free values than a dense system is solved for. */
static void test_a_trim_has_an_end(void **state) {
    (void)state;
    enum { MOST = 1000, ROOM = 20 * MOST };
    char *text = malloc(ROOM);
    assert_non_null(text);
    for (int more = 0; more < 2; more++) {
        size_t used = (size_t)snprintf(text, ROOM,
                                       FREE "PhysicalParams: {Repeat: {i: 1..1001, "
                                            "'p{i}': 1}}\nTrim: {Want: {x: 1}, Free: [p1");
        for (int i = 2; i <= MOST + more; i++)
            used += (size_t)snprintf(text + used, ROOM - used, ", p%d", i);
        snprintf(text + used, ROOM - used, "]}\n");
        check_told(&(wrong){
            text, more ? "4:28: 1001 values are to be found: there may be 1000 at most" : NULL});
    }
    free(text);
}

/* What opens and cannot be read. */
static void test_files_that_cannot_be_read(void **state) {
    (void)state;
    program_result r;
    program_call(&r, "check /proc/self/mem");
    assert_int_equal(r.code, 2);
    assert_string_equal(r.err, "/proc/self/mem:1:1: error: cannot read it: Input/output error\n");
    program_release(&r);
}

/* The command line: inputs are numbers. */
static void test_inputs_are_numbers(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [x' - 1]}\nInputs: {u: 0}\n"
                  "ProblemData: {tend: 1, positions: {x: 1}}\n",
                  -1);
    const char *const call[] = {"run", "m.yaml", "--input", "u=[1, t]", NULL};
    program_run(&r, call, 0.0);
    assert_int_equal(r.code, 2);
    if (!strstr(r.err, "taut: error: --input u: an input is a number, not a vector\n"))
        fail_msg("%s", r.err);
    program_release(&r);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_kinds_of_entries),
        TEST(test_joints_and_what_breaks),
        TEST(test_bodies),
        TEST(test_surfaces_of_contacts),
        TEST(test_tables_and_names),
        TEST(test_initial_values),
        TEST(test_mixtures_in_choices),
        TEST(test_motions_and_trims),
        TEST(test_a_part_has_an_end),
        TEST(test_a_trim_has_an_end),
        TEST(test_inputs_are_numbers),
        TEST(test_files_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
