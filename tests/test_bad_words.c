/* Wrong files of people who write units, shapes and the like, and files with several faults: every
 * message, word by word. All faults of a file are told in one pass, and nothing that follows from
 * them. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

typedef struct bad {
    const char *what;
    const char *text;        /* of m.yaml */
    const char *message[12]; /* all of them, in the order of the file: "line:column: text" */
} bad;

static void check_refused(const bad *b) {
    program_result r;
    char line[1400];
    program_write("m.yaml", b->text, -1);
    program_call(&r, "run m.yaml");
    if (r.code != 2) fail_msg("%s: ends with %d\n%s%s", b->what, r.code, r.out, r.err);
    const char *p = r.err;
    for (int i = 0; i < 12 && b->message[i]; i++) {
        const size_t n = strcspn(b->message[i], " ");
        snprintf(line, sizeof line, "m.yaml:%.*s error:%s\n", (int)n, b->message[i],
                 b->message[i] + n);
        if (strncmp(p, line, strlen(line)) != 0)
            fail_msg("%s: expected\n%sinstead of\n%s", b->what, line, p);
        p = strstr(p + 1, "\nm.yaml:");
        p = p ? p + 1 : "";
    }
    if (p[0]) fail_msg("%s: one more message:\n%s", b->what, p);
    assert_string_equal(r.out, "");
    program_release(&r);
}

static void check_all(const bad *list, size_t count) {
    for (size_t i = 0; i < count; i++) check_refused(&list[i]);
}
#define CHECK_ALL(list) check_all(list, sizeof(list) / sizeof(list)[0])

static void test_units_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"a mass in millimetres",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 20 mm, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:37: a mass (kg) is expected here, but this is a length (m)"}},
        {"a length in kilograms",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[3 kg]], Dyna: [[0.5], 1, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:18: a length (m) is expected here, but this is a mass (kg)"}},
        {"a parameter of the wrong unit",
         "PhysicalParams: {m: 2 kg}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[m]], Dyna: [[0.5], m, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:18: a length (m) is expected here, but this is a mass (kg)"}},
        {"an inertia without its square",
         "PhysicalParams: {m: 2 kg, l: 1000 mm}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[l]], Dyna: [[l/2], m, m*l/12]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:40: a moment of inertia (kg*m^2) is expected here, but this is something in m*kg"}},
        {"a plain number among units",
         "PhysicalParams: {l: 300 mm + 5}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[l]], Dyna: [[l/2], 1, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"1:28: a sum of a length (m) and a number without a unit: give the number its unit, "
          "too"}},
        {"a sine of a length",
         "PhysicalParams: {l: 300 mm, h: l*sin(l)}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[l, h]], Dyna: [[l/2], 1, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"1:34: sin needs a number without a unit or an angle, but this is a length (m)"}},
        {"an unknown unit",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[3 meter]], Dyna: [[0.5], 1, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:20: 'meter' is not a unit (or an operator is missing: 3*meter)"}},
        {"a unit without its space",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[300mm]], Dyna: [[0.5], 1, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:21: a unit follows its number after one space: 300 mm"}},
        {"a unit after two spaces",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[300  mm]], Dyna: [[0.5], 1, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:23: a unit follows its number after one space: 300 mm"}},
        {"a stiffness in newtons",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Particles: {A: 1}\n"
         "  Springs: {OA: [300 N, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:18: a stiffness (N/m) is expected here, but this is a force (N)"}},
        {"a damping constant in N/m",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Particles: {A: 1}\n"
         "  Dampers: {OA: 3 N/m}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:17: a damping constant (N*s/m) is expected here, but this is a stiffness (N/m)"}},
        {"gravity as a force",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "AppliedForces: {Gravity: 9.81 N}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:26: an acceleration (m/s^2) is expected here, but this is a force (N)"}},
        {"a force in kilograms",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "AppliedForces: {Forces: {A: [3 kg, 0]}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:30: a force (N) is expected here, but this is a mass (kg)"}},
        {"a torque in newtons",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "AppliedForces: {Torques: {OA: 3 N}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:31: a torque or energy (N*m) is expected here, but this is a force (N)"}},
        {"an angle in millimetres",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "Angles: {phi: OA}\n"
         "ProblemData: {tend: 1, positions: {phi: 3 mm}}\n",
         {"7:41: an angle (rad) is expected here, but this is a length (m)"}},
        {"a velocity in metres",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}, velocities: {A: [0, 3 m]}}\n",
         {"6:68: a velocity (m/s) is expected here, but this is a length (m)"}},
        {"a time in metres",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "ProblemData: {tend: 3 m, positions: {A: [1, 0]}}\n",
         {"6:21: a time (s) is expected here, but this is a length (m)"}},
        {"a driver in metres for an angle",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "Angles: {phi: OA}\n"
         "Drivers: {phi: 2 m}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"7:16: an angle (rad) is expected here, but this is a length (m)"}},
        {"a vector of two units",
         "Define: {v: [1 m, 2 kg]}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"1:19: the components of a vector have one unit, but the ones before are a length (m) "
          "and this is a mass (kg)"}},
        {"a parameter of another unit in a sum",
         "PhysicalParams: {l: 3 kg}\n"
         "DAE: {Variables: [x], Equations: [\"x' + x/l + 1 s\"]}\n"
         "Define: {y: l + 1 m}\n",
         {"3:15: a sum of a mass (kg) and a length (m)"}},
    };
    CHECK_ALL(list);
}

static void test_shapes_and_numbers_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"a shape of no kind",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:23: the key 'Type' is missing: rod, box, cylinder, sphere or mesh"}},
        {"an unknown shape",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: bx, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:37: there is no shape 'bx'; did you mean 'box'?"}},
        {"a shape without mass",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: rod}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:30: the shape of 'OA' needs 'Mass' or 'Density'"}},
        {"a shape with mass twice",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: rod, Mass: 1, Density: 7850}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:30: the shape of 'OA' has 'Mass' and 'Density': give one of them"}},
        {"a shape and Dyna",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1], Shape: {Type: rod, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:51: 'OA' has 'Dyna' and 'Shape': its mass is given twice (a shape without Mass and "
          "Density only says what it looks like)"}},
        {"a rod with a radius",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: rod, Radius: 1, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:42: a rod takes no 'Radius'"}},
        {"a rod without its section",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: rod, Density: 7850}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:23: the key 'Area' is missing: with a density, a rod needs its cross-section"}},
        {"a box without edges",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: box, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:30: a box needs its edges, Size: [a, b], or [a, b, thickness]"}},
        {"a box without thickness",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: box, Size: [1, 2], Density: 7850}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:30: with a density, a box needs its thickness: Size: [a, b, thickness]"}},
        {"a flat box",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: box, Size: [1, 0], Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:52: an edge of the box 'OA' is 0"}},
        {"a sphere of no size",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: sphere, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:23: the key 'Radius' is missing: how large is the sphere?"}},
        {"a sphere of radius 0",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: sphere, Radius: 0, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:53: the radius of 'OA' is 0"}},
        {"a negative density",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: sphere, Radius: 1 cm, Density: -7850}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:68: the density of 'OA' is negative: -7850"}},
        {"a density in kilograms",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: sphere, Radius: 1 cm, Density: 3 kg}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:68: a density (kg/m^3) is expected here, but this is a mass (kg)"}},
        {"a cylinder without length",
         "Dimension: 3\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0, 0]}\n"
         "  Rigids:\n"
         "    OAu: {Geom: [[1], [0, 1]], Shape: {Type: cylinder, Radius: 1, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:32: the key 'Length' is missing: how long is the cylinder?"}},
        {"a cylinder without direction",
         "Dimension: 3\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0, 0]}\n"
         "  Rigids:\n"
         "    OAu: {Geom: [[1], [0, 1]], Shape: {Type: cylinder, Radius: 1, Length: 1, Axis: [0, "
         "0], Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:84: the axis of the cylinder has length 0"}},
        {"a ball of two points in space",
         "Dimension: 3\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: sphere, Radius: 1, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:30: 'OA' has two elements: in 3D that is a thin rod, not a sphere; add a third "
          "element"}},
        {"the centre of a rod",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: rod, Mass: 1, Centre: [1]}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:59: the centre of a rod is in the middle between its points"}},
        {"moments that no body has",
         "Dimension: 3\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0, 0]}\n"
         "  Rigids:\n"
         "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0.5], 1, [1, 1, 3]]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:49: no body has the principal moments of inertia of 'OAu', 1, 1 and 3: the largest "
          "must not be above the sum of the other two, 2"}},
        {"a matrix that no body has",
         "Dimension: 3\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0, 0]}\n"
         "  Rigids:\n"
         "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0.5], 1, [[2, 1.9, 0], [1.9, 2, 0], [0, 0, 1]]]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:49: no body has the principal moments of inertia of 'OAu', 0.1, 1 and 3.9: the "
          "largest must not be above the sum of the other two, 1.1"}},
        {"a negative mass",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], -3 kg, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:37: the mass of 'OA' is negative: -3"}},
        {"a rod of length 0",
         "PhysicalParams: {l: 0}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[l]], Dyna: [[0.5], 1, 1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:17: the point A of 'OA' coincides with its first point: its coordinates are all 0"}},
        {"an input that varies",
         "Inputs: {F: 3*t}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"1:10: the parameter 'F' must be a number: a formula of other parameters, without t and "
          "without variables"}},
        {"an input twice",
         "PhysicalParams: {F: 2}\n"
         "Inputs: {F: 3}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"2:10: the name 'F' is taken already, on line 1"}},
    };
    CHECK_ALL(list);
}

static void test_all_faults_are_told_in_one_pass(void **state) {
    (void)state;
    static const bad list[] = {
        {"a file full of units",
         "PhysicalParams: {m: 2 kg, l: 300 mm}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[m]], Dyna: [[l/2], l, m*l^2]}\n"
         "    AB: {Geom: [[l]], Dyna: [[l/2], m, m*l]}\n"
         "  Springs: {OB: [3 N, l]}\n"
         "AppliedForces: {Gravity: 9.81 m/s}\n"
         "ProblemData: {tend: 3 kg}\n",
         {"6:18: a length (m) is expected here, but this is a mass (kg)",
          "6:37: a mass (kg) is expected here, but this is a length (m)",
          "7:40: a moment of inertia (kg*m^2) is expected here, but this is something in m*kg",
          "8:18: a stiffness (N/m) is expected here, but this is a force (N)",
          "9:26: an acceleration (m/s^2) is expected here, but this is a velocity (m/s)",
          "10:21: a time (s) is expected here, but this is a mass (kg)"}},
        {"faults in five sections",
         "PhysicalParams: {m: 2*}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], -1, 0.1]}\n"
         "AppliedForces: {Gravty: 9.81}\n"
         "Outputs: {v: norm(Q')}\n"
         "ProblemData: {tnd: 1, positions: {A: [1, z]}}\n",
         {"1:23: a number, a name or a parenthesis is expected, not the end of the formula",
          "6:37: the mass of 'OA' is negative: -1",
          "7:17: unknown key 'Gravty'; did you mean 'Gravity'?", "8:19: unknown name 'Q'",
          "9:15: unknown key 'tnd'; did you mean 'tend'?", "9:42: unknown name 'z'"}},
        {"a body and what stands behind it",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], -2, 1]}\n"
         "Define: {e: 1/2*w^2}\n"
         "Outputs: {h: A.y +}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:37: the mass of 'OA' is negative: -2", "6:17: unknown name 'w'",
          "7:19: a number, a name or a parenthesis is expected, not the end of the formula"}},
        {"two bodies, two joints",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[0]]}\n"
         "    BC: {Geom: [[1]], Dyna: [[0.5], 1]}\n"
         "  Joints:\n"
         "    j: {Type: revolut, Points: [A, B]}\n"
         "    k: {Type: weld, Points: [A, B]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:17: the point A of 'OA' coincides with its first point: its coordinates are all 0",
          "6:29: 'Dyna' of 'BC' has three entries, not 2: [centroid], mass, inertia",
          "8:15: there is no joint of the type 'revolut'; did you mean 'revolute'?",
          "9:5: the weld joint 'k' needs Axes: [u, v], one of each body"}},
        {"springs and dampers",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Particles: {A: -1, B: 1}\n"
         "  Springs: {OA: [1], AB: [-3, 1]}\n"
         "  Dampers: {OB: {k: 3}}\n"
         "ProblemData: {tend: 1}\n",
         {"4:18: the mass of 'A' is negative: -1",
          "5:17: a spring is [stiffness, rest length] or [stiffness, rest length, mass], or {k, l, "
          "mass}",
          "5:27: the stiffness of 'AB' is negative: -3",
          "6:13: the key 'c' is missing: give the damping constant"}},
        {"names that do not exist",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "Define: {a: b + 1}\n"
         "Outputs: {c: d*2, e: sin(f)}\n"
         "Constraints: [g - 1]\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:13: unknown name 'b'", "7:14: unknown name 'd'", "7:26: unknown name 'f'",
          "8:15: unknown name 'g'"}},
        {"formulas with slips",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "Define: {a: (1 + 2, b: 3*}\n"
         "Outputs: {c: sin(Ax}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:19: a parenthesis is not closed (if a comma ended the formula here, quote it: "
          "\"...\")",
          "6:26: a number, a name or a parenthesis is expected, not the end of the formula",
          "7:20: sin( is not closed (if a comma ended the formula here, quote it: \"...\")"}},
        {"forces on nothing",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "AppliedForces: {Forces: {Q: [1, 0], O: [1, 0]}, Torques: {rod: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:26: 'Q' is not a point of the mechanism: a force acts at a point",
          "6:37: 'O' is fixed: a force there moves nothing",
          "6:59: there is no body 'rod' for a torque to act on; did you mean 'OA'?"}},
        {"drivers and angles",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "Angles: {phi: {Frm: [1, 0], To: A - O}, energy: OA}\n"
         "Drivers: {phi: 2*w*t}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:16: unknown key 'Frm'; did you mean 'From'?",
          "6:41: 'energy' is a column of the results already; choose another name",
          "7:18: unknown name 'w'"}},
        {"initial values",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "ProblemData: {t0: a, tend: 1 kg, positions: {A: [1, 0], Q: [1, 2]}, velocities: {A: [v0, "
         "0]}}\n",
         {"6:19: unknown name 'a'", "6:28: a time (s) is expected here, but this is a mass (kg)",
          "6:57: unknown name 'Q'", "6:86: unknown name 'v0'"}},
        {"a Lagrangian",
         "PhysicalParams: {m: 2, k: m*q}\n"
         "Lagrangian:\n"
         "  Coordinates: [u, v]\n"
         "  L: 1/2*m*u'^2 - w\n"
         "  Constraints: [u - v', v + z]\n"
         "  Forces: {x: 3}\n"
         "ProblemData: {tend: 1, positions: {u: 1, y: 2}}\n",
         {"1:29: unknown name 'q' (a parameter can use other parameters only; a formula of "
          "variables belongs under 'Define')",
          "4:19: unknown name 'w'",
          "5:17: a constraint contains t and coordinates, not their derivatives; a condition on "
          "velocities belongs under 'VelocityConstraints'",
          "5:29: unknown name 'z'", "6:12: 'x' is not a coordinate", "7:42: unknown name 'y'"}},
        {"a DAE",
         "DAE:\n"
         "  Variables: [x, y]\n"
         "  Equations: [x' + z, y' + 3x]\n"
         "  Outpts: {a: x}\n"
         "Define: {c: x*}\n"
         "ProblemData: {tend: 1, velocity: {x: 1}}\n",
         {"3:20: unknown name 'z'", "3:29: write * between a number and a name: 3*x...",
          "4:3: unknown key 'Outpts'; did you mean 'Outputs'?",
          "5:15: a number, a name or a parenthesis is expected, not the end of the formula",
          "6:24: unknown key 'velocity'; did you mean 'velocities'?"}},
        {"a Hamiltonian",
         "Hamiltonian:\n"
         "  Coordinates: [u]\n"
         "  Momenta: [p]\n"
         "  H: p^2/2 + w*u\n"
         "  Constraints: [p]\n"
         "  Friction: {u: 1}\n"
         "ProblemData: {momenta: {u: 1}, positions: {r: 2}}\n",
         {"4:14: unknown name 'w'",
          "5:17: a constraint of a Hamiltonian contains t and coordinates, not momenta",
          "6:3: unknown key 'Friction'",
          "7:25: 'u' is not a momentum: its value belongs under 'positions'",
          "7:44: unknown name 'r'"}},
        {"unknown keys everywhere",
         "Titel: x\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigid: {}\n"
         "  Rigids:\n"
         "    OA: {Geo: [[1]]}\n"
         "AppliedForce: {}\n"
         "ProblemData: {start: 1}\n",
         {"1:1: unknown key 'Titel'; did you mean 'Title'?",
          "5:3: unknown key 'Rigid'; did you mean 'Rigids'?",
          "7:10: unknown key 'Geo'; did you mean 'Geom'?",
          "8:1: unknown key 'AppliedForce'; did you mean 'AppliedForces'?",
          "9:15: unknown key 'start'"}},
        {"kinds of values",
         "PhysicalParams: [1]\n"
         "Dimension: 2\n"
         "PartData: {Fixed: {O: 3}, Rigids: [OA], Particles: {P: [1]}}\n"
         "Outputs: 3\n"
         "ProblemData: {tend: [1]}\n",
         {"1:17: 'PhysicalParams' must be a map, {name: value, ...}",
          "3:35: 'Rigids' (name: data) must be a map, {name: value, ...}",
          "3:56: a number is expected, not a list (a formula that contains a comma must be quoted)",
          "4:10: 'Outputs' must be a map, {name: value, ...}",
          "5:21: a number is expected, not a list (a formula that contains a comma must be "
          "quoted)"}},
        {"shapes",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Shape: {Type: rod}}\n"
         "    AB: {Geom: [[1]], Shape: {Type: ball, Mass: 1}}\n"
         "    BC: {Geom: [[1]], Shape: {Type: box, Size: [1], Mass: 1}}\n"
         "    CD: {Geom: [[1]], Shape: {Type: sphere, Radius: -1, Mass: 1}}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"5:30: the shape of 'OA' needs 'Mass' or 'Density'",
          "6:37: there is no shape 'ball'; there are rod, box, cylinder, sphere, mesh",
          "7:48: a box needs its edges, Size: [a, b], or [a, b, thickness]",
          "8:53: the radius of 'CD' is negative: -1"}},
        {"inertia in space",
         "Dimension: 3\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0, 0]}\n"
         "  Rigids:\n"
         "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0.5], 1, [1, 1, 5]]}\n"
         "    ABv: {Geom: [[1], [0, 1]], Dyna: [[0.5], -1, [1, 1, 1]]}\n"
         "    BCw: {Geom: [[1], [2]], Dyna: [[0.5], 1, [1, 1]]}\n"
         "ProblemData: {tend: 1}\n",
         {"5:49: no body has the principal moments of inertia of 'OAu', 1, 1 and 5: the largest "
          "must not be above the sum of the other two, 2",
          "6:46: the mass of 'ABv' is negative: -1",
          "7:5: B, C and w of 'BCw' lie on one line and cannot make its frame: put elements first "
          "that span a plane",
          "7:46: the inertia is a number (thin rod along local x), a list of three moments or a 3 "
          "x 3 matrix"}},
        {"parameters that need each other",
         "PhysicalParams: {a: b, b: c, c: a, d: 1/0, e: log(-1)}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"1:33: 'a' is defined through itself (line 1): the definitions are circular",
          "1:40: division by zero", "1:47: the value of this formula is not a finite number"}},
        {"names that are taken",
         "PhysicalParams: {A: 1, O: 2, sin: 3, 2x: 4}\n"
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"1:30: 'sin' has a meaning in formulas already; choose another name",
          "1:38: '2x' cannot be a name: use letters, digits and _, a letter first, fewer than 64 "
          "characters",
          "4:11: the name 'O' is taken already, on line 1",
          "6:5: 'OA' spells the element 'O', but this name is taken already, on line 1: rename one "
          "of them, or list the elements of 'OA': Elements: [...]"}},
        {"repeated faults",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Particles:\n"
         "    Repeat: {i: 1..40, \"P{i}\": 20 - i}\n"
         "  Springs:\n"
         "    Repeat: {i: 1..40, \"OP{i}\": [k, i]}\n"
         "ProblemData: {tend: 1}\n",
         {"5:32: the mass of 'P21' is negative: -1 (i = 21)", "7:34: unknown name 'k' (i = 1)"}},
        {"joints that lack something",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "  Joints:\n"
         "    a: {Points: [O, A]}\n"
         "    b: {Type: distance, Points: [O, A]}\n"
         "    c: {Type: gear, Ratio: 2}\n"
         "    d: {Type: revolute, Points: [O], Pitch: 3}\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"7:5: the key 'Type' is missing: which kind of joint is it?",
          "8:5: the distance joint 'b' needs Length: a number",
          "9:5: the gear joint 'c' needs Coordinates: [phi, psi], the angles of two wheels",
          "10:5: the revolute joint 'd' needs Points: [P, Q], one of each body"}},
        {"collinears, points and variables",
         "Dimension: 2\n"
         "PartData:\n"
         "  Fixed: {O: [0, 0]}\n"
         "  Rigids:\n"
         "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "  Collinears: {OA: s, OuB: 3}\n"
         "  Points: {M: (A + N)/2}\n"
         "Variables: x\n"
         "Equations: [x - 1]\n"
         "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
         {"6:16: 'OA' must be a point, a vector and a point, such as AvB: the point B is on the "
          "line through A along v",
          "7:20: unknown name 'N'", "8:12: 'Variables' must be a list, [a, b, ...]"}},
    };
    CHECK_ALL(list);
}

/* The list holds 24; the rest is counted. */
static void test_what_does_not_fit_is_counted(void **state) {
    (void)state;
    program_result r;
    char text[1000] = "DAE:\n  Variables: [x]\n  Equations: [x'";
    int shown = 0;
    for (int i = 0; i < 30; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ", a%d", i);
    }
    strcat(text, "]\n");
    program_write("m.yaml", text, -1);
    program_call(&r, "check m.yaml");
    assert_int_equal(r.code, 2);
    for (const char *p = r.err; (p = strstr(p, "error: unknown name 'a")); p++) shown++;
    assert_int_equal(shown, 24);
    assert_non_null(strstr(r.err, "\ntaut: and 6 more errors\n"));
    program_release(&r);
}

/* A parameter that nothing uses is no error. */
static void test_unused_parameters_are_warnings(void **state) {
    (void)state;
    static const char text[] = "PhysicalParams: {a: 1, b: 2*a, n: 2, c: 3}\nInputs: {u: 1, v: 2}\n"
                               "DAE:\n  Variables: [x]\n  Equations: [\"x' + c*x - u\"]\n"
                               "Outputs:\n  Repeat: {i: 1..n, \"y{i}\": x^i}\n"
                               "ProblemData: {tend: 1, positions: {x: 1}}\n";
    program_result r;
    program_write("m.yaml", text, -1);
    program_call(&r, "check m.yaml");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.err, "m.yaml:1:24: warning: the parameter 'b' is not used\n"
                               "  PhysicalParams: {a: 1, b: 2*a, n: 2, c: 3}\n"
                               "                         ^\n"
                               "m.yaml:2:16: warning: the input 'v' is not used\n"
                               "  Inputs: {u: 1, v: 2}\n"
                               "                 ^\n");
    program_release(&r);
    program_call(&r, "check m.yaml --quiet");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.err, "");
    program_release(&r);
    program_call(&r, "check m.yaml --set c=b+v");
    assert_string_equal(r.err, "");
    program_release(&r);
}

/* Names with an index in braces, and a parameter behind a number with a unit, are uses. */
static void test_used_parameters_are_no_warnings(void **state) {
    (void)state;
    static const char *const text[] = {
        "Dimension: 2\n"
        "PhysicalParams:\n  L: 1\n  Repeat: {i: 1..2, \"b{i}\": 0.1*i}\n"
        "PartData:\n"
        "  Fixed:\n    Repeat: {i: 1..2, \"B{i}\": \"[cos(b{i}), sin(b{i})]\"}\n"
        "  Springs: {B1P: [10, 0.2], B2P: [10, 0.2]}\n  Particles: {P: L}\n"
        "ProblemData: {tend: 1, positions: {P: [0, 0]}}\n",
        "Dimension: 2\nPhysicalParams: {d: 2}\nPartData: {Particles: {P: 1}}\n"
        "AppliedForces: {Forces: {P: [0, 1 N*d]}}\n"
        "ProblemData: {tend: 1, positions: {P: [0, 1]}}\n"};
    for (int i = 0; i < 2; i++) {
        program_result r;
        program_write("m.yaml", text[i], -1);
        program_call(&r, "check m.yaml");
        assert_int_equal(r.code, 0);
        assert_string_equal(r.err, "");
        program_release(&r);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_units_are_checked),
        IN_FOLDER(test_shapes_and_numbers_are_checked),
        IN_FOLDER(test_all_faults_are_told_in_one_pass),
        IN_FOLDER(test_what_does_not_fit_is_counted),
        IN_FOLDER(test_unused_parameters_are_warnings),
        IN_FOLDER(test_used_parameters_are_no_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
