/* Wrong mechanisms: each is told by file, line, column and name, with what to do about it and exit
 * status 2; nothing is written. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

/* Shorthands: parts of files. A pendulum in the plane has the lines 1 to 5, a top as well. */
#define PLANE "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
#define ROD "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 0.1]}\n"
#define PENDULUM PLANE ROD
#define START "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n"
#define SPACE "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0], z: [0, 0, 1]}\n  Rigids:\n"
#define SOLID "    OAu: {Geom: [[1], [0, 1]], Dyna: [[1/2], 1, [1, 1, 1]]}\n"
#define TOP SPACE SOLID
#define START3 "ProblemData: {tend: 1, positions: {A: [1, 0, 0], u: [0, 1, 0]}}\n"

typedef struct bad {
    const char *what;
    const char *text;    /* of m.yaml */
    const char *where;   /* line:column */
    const char *part[3]; /* what the message contains */
} bad;

/* The message of err that is at `where`; NULL: there is none. */
static const char *find_message(const char *err, const char *where) {
    char start[60];
    snprintf(start, sizeof start, "m.yaml:%s: error: ", where);
    for (const char *p = strstr(err, start); p; p = strstr(p + 1, start))
        if (p == err || p[-1] == '\n') return p;
    return NULL;
}

static void check_refused(const bad *b) {
    program_result r;
    char files[200], line[1200];
    program_write("m.yaml", b->text, -1);
    program_call(&r, "run m.yaml");
    if (r.code != 2) fail_msg("%s: ends with %d\n%s%s", b->what, r.code, r.out, r.err);
    const char *message = find_message(r.err, b->where);
    if (!message) {
        fail_msg("%s: no message at %s in\n%s", b->what, b->where, r.err);
        return;
    }
    snprintf(line, sizeof line, "%.*s", (int)strcspn(message, "\n"), message);
    for (int i = 0; i < 3 && b->part[i]; i++)
        if (!strstr(line, b->part[i])) fail_msg("%s: no '%s' in\n%s", b->what, b->part[i], line);
    assert_string_equal(r.out, "");
    if (program_list(files, sizeof files) != 1) fail_msg("%s: it wrote %s", b->what, files);
    program_release(&r);
}

static void check_all(const bad *list, size_t count) {
    for (size_t i = 0; i < count; i++) check_refused(&list[i]);
}
#define CHECK_ALL(list) check_all(list, sizeof(list) / sizeof(list)[0])

static void test_bodies_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"name that spells no elements",
         PLANE "    rod-1: {Geom: [[1]]}\n" START,
         "5:5",
         {"'rod-1' does not spell its elements", "Elements: [...]"}},
        {"word taken for elements",
         PLANE "    crank: {Geom: [[1]]}\n" START,
         "5:19",
         {"'crank' has 5 elements", "4 entries", "list them: Elements: [...]"}},
        {"an element twice",
         PLANE "    OAA: {Geom: [[1], [2]]}\n" START,
         "5:5",
         {"'OAA' contains A twice"}},
        {"a vector first",
         PLANE "    uA: {Geom: [[1]]}\n" START,
         "5:5",
         {"'uA' must begin with a point"}},
        {"one element",
         PLANE "    A: {Dyna: [[0], 1, 1]}\n" START,
         "5:5",
         {"'A' has one element", "Particles"}},
        {"no elements, but places for some",
         PLANE "    rod: {Elements: [], Geom: [[1], [2]]}\n" START,
         "5:31",
         {"'rod' has 2 elements", "0 entries", "not 2"}},
        {"an inertia about a point that makes it negative",
         PLANE
         "    OA: {Geom: [[1]], Dyna: {Mass: 2, Centre: [1], Inertia: 1.9, About: O}}\n" START,
         "5:61",
         {"inertia of 'OA' would be negative, -0.1"}},
        {"an inertia about a point of nothing",
         PLANE "    OA: {Geom: [[1]], Dyna: {Mass: 2, Inertia: 1.9, About: [Q]}}\n" START,
         "5:61",
         {"Q"}},
        {"an inertia without a mass",
         PLANE "    OA: {Geom: [[1]], Dyna: {Inertia: 1}}\n" START,
         "5:23",
         {"Mass"}},
        {"axes of one number",
         PLANE "    OA: {Geom: [[1]], Dyna: {Mass: 1, Inertia: 1, Axes: [[1], [0, 1]]}}\n" START,
         "5:57",
         {"'OA' is one number", "'Axes'"}},
        {"a key of the inertia",
         PLANE "    OA: {Geom: [[1]], Dyna: {Mass: 1, Inertia: 1, Abot: O}}\n" START,
         "5:51",
         {"unknown key 'Abot'", "'About'"}},
        {"a rotor on nothing",
         PENDULUM "  Armature: {fi: 1}\nAngles: {phi: OA}\n" START,
         "6:14",
         {"'fi' has no rotor", "angle or a distance"}},
        {"a rotor on a point",
         PENDULUM "  Armature: {Ax: 1}\nAngles: {phi: OA}\n" START,
         "6:14",
         {"'Ax' has no rotor"}},
        {"a rotor of negative inertia",
         PENDULUM "  Armature: {phi: -1}\nAngles: {phi: OA}\n" START,
         "6:19",
         {"inertia of 'phi' is negative"}},
        {"a rotor that is a list",
         PENDULUM "  Armature: {phi: [1, 2]}\nAngles: {phi: OA}\n" START,
         "6:19",
         {"armature of 'phi' is one number"}},
        {"a chain in the plane",
         PENDULUM "  Chains: {hip: {Points: [O, A]}}\n" START,
         "6:12",
         {"chains are for mechanisms in space"}},
        {"axes at no right angle",
         SPACE "    OAu: {Geom: [[1], [0, 1]], Dyna: {Mass: 1, Inertia: [1, 1, 1], Axes: [[1], [1, "
               "1]]}}\n" START3,
         "5:74",
         {"'Axes' of 'OAu' are not at a right angle, but at 45 degrees"}},
        {"a chain without steps",
         TOP "  Chains: {hip: {Points: [O, O_b], Axes: [z, x_b], Normals: [x, y_b]}}\n" START3,
         "6:30",
         {"'Points' of the chain 'hip'"}},
        {"a chain of one body",
         TOP "  Chains: {hip: {Points: [A, A], Axes: [u, u], Normals: [u, u], Steps: {p: {Turn: "
             "[1]}}}}\n" START3,
         "6:12",
         {"the chain 'hip' needs Normals that are across its Axes"}},
        {"a step that turns and slides",
         SPACE "    b: {Elements: []}\n" SOLID
               "  Chains: {hip: {Points: [A, O_b], Axes: [u, x_b], Normals: [v, y_b], Steps: {p: "
               "{Turn: [1], Slide: [1]}}}}\n" START3,
         "7:62",
         {"'Normals' of the chain 'hip' lists vectors"}},
        {"the name of an element of its own is taken",
         PLANE
         "    O_rod: {Elements: [O_rod, x_rod], Geom: [[1]]}\n    rod: {Elements: []}\n" START,
         "6:5",
         {"'rod' needs an element of its own", "O_rod is taken"}},
        {"Geom too long",
         PLANE "    OA: {Geom: [[1, 0], [0, 1]]}\n" START,
         "5:16",
         {"'OA' has 2 elements, so 'Geom' must have 1 entry", "not 2"}},
        {"Geom without inner brackets",
         PLANE "    OA: {Geom: [1, 0]}\n" START,
         "5:16",
         {"write [[1, ...]]"}},
        {"Geom missing",
         PLANE "    OAB: {Dyna: [[0], 1, 1]}\n" START,
         "5:5",
         {"'OAB' has 3 elements, so 'Geom' must have 2 entries", "not 0"}},
        {"Geom of plain numbers",
         PLANE "    OA: {Geom: [1]}\n" START,
         "5:17",
         {"coordinates are a list: write [1]"}},
        {"Geom that is no list",
         PLANE "    OA: {Geom: 1}\n" START,
         "5:16",
         {"'Geom' (a list of coordinates) must be a list"}},
        {"Geom that changes in time",
         PLANE "    OA: {Geom: [[1 + t]]}\n" START,
         "5:17",
         {"local coordinates are numbers"}},
        {"too many coordinates",
         PLANE "    OA: {Geom: [[1, 0, 0]]}\n" START,
         "5:17",
         {"3 coordinates in a model of dimension 2"}},
        {"vector of length 0",
         PLANE "    OAu: {Geom: [[1], [0, 0]]}\n" START,
         "5:23",
         {"the vector u of 'OAu' has length 0"}},
        {"point at the origin",
         PLANE "    OAB: {Geom: [[1], [0]]}\n" START,
         "5:23",
         {"the point B of 'OAB' coincides with its first point"}},
        {"frame on a line",
         SPACE "    OAB: {Geom: [[1], [2]]}\n" START3,
         "5:5",
         {"O, A and B of 'OAB' lie on one line", "span a plane", "'Points'"}},
        {"frame of a point and a vector on a line",
         SPACE "    OAu: {Geom: [[1], [-2]]}\n" START3,
         "5:5",
         {"O, A and u of 'OAu' lie on one line"}},
        {"body that is a number", PLANE "    OA: 3\n" START, "5:9", {"must be a map"}},
        {"bad element name",
         PLANE "    rod: {Elements: [O, A-1], Geom: [[1]]}\n" START,
         "5:25",
         {"'A-1' cannot be a name"}},
        {"massless and loose",
         PLANE "    OA: {Geom: [[1]]}\n" START,
         "5:5",
         {"'OA' has no mass and hangs on one element only", "'Dyna'"}},
    };
    CHECK_ALL(list);
}

static void test_masses_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"negative mass",
         PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], -1, 0.1]}\n" START,
         "5:37",
         {"the mass of 'OA' is negative: -1"}},
        {"negative inertia",
         PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 0.1 - 1]}\n" START,
         "5:40",
         {"the moment of inertia of 'OA' is negative: -0.9"}},
        {"negative entry on the diagonal",
         SPACE "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [[1, 0, 0], [0, -1, 0], [0, 0, "
               "1]]]}\n" START3,
         "5:63",
         {"the moment of inertia of 'OAu' is negative: -1"}},
        {"mass of a particle",
         PENDULUM "  Particles: {A: -1}\n" START,
         "6:18",
         {"the mass of 'A' is negative"}},
        {"mass that changes in time",
         PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], t, 0.1]}\n" START,
         "5:37",
         {"the mass of 'OA' must be a number"}},
        {"Dyna of two",
         PLANE "    OA: {Geom: [[1]], Dyna: [1, 0.1]}\n" START,
         "5:29",
         {"'Dyna' of 'OA' has three entries, not 2: [centroid], mass, inertia"}},
        {"Dyna that is a number",
         PLANE "    OA: {Geom: [[1]], Dyna: 1}\n" START,
         "5:29",
         {"'Dyna' (centroid, mass, inertia) must be a list"}},
        {"centroid that is a number",
         PLANE "    OA: {Geom: [[1]], Dyna: [1/2, 1, 0.1]}\n" START,
         "5:30",
         {"coordinates are a list: write [1/2]"}},
        {"matrix that is not symmetric",
         SPACE "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [[1, 0.1, 0], [0.2, 1, 0], [0, 0, "
               "1]]]}\n" START3,
         "5:47",
         {"the inertia matrix of 'OAu' is not symmetric: row 1 has 0.1, row 2 has 0.2"}},
        {"matrix with a negative principal moment",
         SPACE "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [[1, 3, 0], [3, 1, 0], [0, 0, "
               "1]]]}\n" START3,
         "5:47",
         {"the inertia matrix of 'OAu' has a negative principal moment", "products of inertia"}},
        {"two moments",
         SPACE "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [1, 1]]}\n" START3,
         "5:47",
         {"a number (thin rod along local x), a list of three moments or a 3 x 3 matrix"}},
        {"numbers and rows mixed",
         SPACE "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [1, [0, 1, 0], 1]]}\n" START3,
         "5:51",
         {"the inertia of 'OAu' must be three numbers, or three rows of three"}},
        {"short rows",
         SPACE "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [[1, 0], [0, 1], [0, 0]]]}\n" START3,
         "5:48",
         {"the inertia of 'OAu' must be three numbers, or three rows of three"}},
        {"three moments in 2D",
         PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, [1, 1, 1]]}\n" START,
         "5:40",
         {"in 2D the inertia is one number"}},
        {"full inertia of a thin rod",
         SPACE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, [1, 1, 1]]}\n" START3,
         "5:40",
         {"'OA' has two elements", "thin rod", "add a third element"}},
        {"centroid beside a thin rod",
         SPACE "    OA: {Geom: [[1]], Dyna: [[1/2, 0.2], 1, 1]}\n" START3,
         "5:30",
         {"'OA' has two elements", "off the rod's line by 0.2"}},
    };
    CHECK_ALL(list);
}

static void test_sharing_is_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"two shared points in 2D",
         PENDULUM "    ABC: {Geom: [[1], [1, 1]], Dyna: [[0], 1, 1]}\n"
                  "    BCD: {Geom: [[1], [2]], Dyna: [[0], 1, 1]}\n" START,
         "7:5",
         {"'ABC' and 'BCD' share two points, B and C", "make them one body"}},
        {"two shared points in 3D",
         TOP "    ABC: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [1, 1, 1]]}\n"
             "    BDC: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [1, 1, 1]]}\n" START3,
         "7:5",
         {"'ABC' and 'BDC' share two points, B and C", "a vector along the hinge instead"}},
        {"two shared points, one of them fixed",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
         "    one: {Elements: [O, A], Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
         "    two: {Elements: [O, A], Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n" START,
         "6:5",
         {"'one' and 'two' share two points, O and A", "make them one body"}},
        {"two shared points among others",
         PLANE "    OAB: {Geom: [[1], [0, 1]], Dyna: [[0], 1, 1]}\n"
               "    AC: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "    BD: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "    ABE: {Geom: [[1], [2]], Dyna: [[0], 1, 1]}\n" START,
         "8:5",
         {"'OAB' and 'ABE' share two points, A and B"}},
        {"two fixed points in 3D",
         "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0], P: [1, 0, 0]}\n  Rigids:\n"
         "    OPA: {Geom: [[1], [0, 1]], Dyna: [[0], 1, [1, 1, 1]]}\n" START3,
         "5:5",
         {"'OPA' has two fixed points, O and P", "a vector of 'OPA' along the hinge"}},
        {"fixed points at another distance",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [3, 0]}\n  Rigids:\n"
         "    OP: {Geom: [[1]], Dyna: [[1/2], 1, 1]}\n" ROD START,
         "5:5",
         {"O and P of 'OP' are fixed at a distance of 3, but its 'Geom' says 1"}},
        {"loop that cannot close",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [3, 0]}\n  Rigids:\n" ROD
         "    AP: {Geom: [[1]], Dyna: [[1/2], 1, 0.1]}\n" START,
         "7:1",
         {"no position closes this loop", "O and P 3 apart", "AP (1) + OA (1) = 2"}},
        {"nothing moves",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [1, 0]}\n  Rigids:\n"
         "    OP: {Geom: [[1]], Dyna: [[1/2], 1, 1]}\n"
         "ProblemData: {tend: 1}\n",
         "6:1",
         {"nothing in this mechanism can move"}},
        {"no parts",
         "Dimension: 2\nPartData: {}\nProblemData: {tend: 1}\n",
         "3:1",
         {"nothing in this mechanism can move"}},
    };
    CHECK_ALL(list);
}

static void test_points_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"fixed point with too many coordinates",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0, 0]}\n  Rigids:\n" ROD START,
         "3:14",
         {"3 coordinates in a model of dimension 2"}},
        {"fixed vector of length 0",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], u: [0, 0]}\n  Rigids:\n" ROD START,
         "3:22",
         {"the vector u has length 0"}},
        {"fixed point without coordinates",
         "Dimension: 2\nPartData:\n  Fixed: {O}\n  Rigids:\n" ROD START,
         "3:12",
         {"a formula is missing here"}},
        {"fixed point that follows another",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [Ax, 0]}\n  Rigids:\n" ROD START,
         "3:26",
         {"A moves: what is fixed cannot depend on it", "under 'Points'"}},
        {"circular points",
         PENDULUM "  Points: {B: C, C: B}\n" START,
         "6:12",
         {"'B' is defined through itself", "circular"}},
        {"point of itself",
         PENDULUM "  Points: {B: 2*B}\n" START,
         "6:12",
         {"'B' is defined through itself"}},
        {"formula of an unknown point",
         PENDULUM "  Points: {B: A + Q}\n" START,
         "6:19",
         {"unknown name 'Q'"}},
        {"formula of a number",
         PENDULUM "  Points: {B: 3}\n" START,
         "6:15",
         {"a vector with 2 components is expected, not a number"}},
        {"formula of a fixed point",
         PENDULUM "  Points: {O: A}\n" START,
         "6:12",
         {"'O' is fixed already, on line 3"}},
        {"line of two points",
         PENDULUM "  Collinears: {OA}\n" START,
         "6:16",
         {"'OA' must be a point, a vector and a point, such as AvB"}},
        {"line of three points",
         PENDULUM "  Collinears: {OBA}\n" START,
         "6:16",
         {"'OBA' must be a point, a vector and a point"}},
        {"line along an unknown vector",
         PENDULUM "  Collinears: {OuB}\n" START,
         "6:16",
         {"the vector u belongs to no body and is not fixed", "'Fixed'"}},
        {"distance with an impossible name",
         TOP "  Collinears: {OzB: 1+2}\n" START3,
         "6:21",
         {"'1+2' cannot be a name"}},
        {"distance with the name of a point",
         TOP "  Collinears: {OzB: A}\n" START3,
         "6:21",
         {"the name 'A' is taken already, on line 5"}},
        {"distance with the name of a column",
         TOP "  Collinears: {OzB: energy}\n" START3,
         "6:21",
         {"'energy' is a column of the results already"}},
        {"particle at a vector",
         PENDULUM "  Particles: {u: 1}\n" START,
         "6:15",
         {"'u' is a vector", "a particle is at a point"}},
        {"particle at a body",
         PENDULUM "  Particles: {OA: 1}\n" START,
         "6:15",
         {"'OA' is a body: a particle is at a point"}},
    };
    CHECK_ALL(list);
}

static void test_links_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"spring to a vector",
         PENDULUM "  Springs: {Ou: [1, 1]}\n" START,
         "6:13",
         {"'Ou' must join two points, such as AB"}},
        {"spring of three points",
         PENDULUM "  Springs: {OAB: [1, 1]}\n" START,
         "6:13",
         {"'OAB' must join two points"}},
        {"spring of one number",
         PENDULUM "  Springs: {OA: 3}\n" START,
         "6:17",
         {"a spring is [stiffness, rest length] or [stiffness, rest length, mass]"}},
        {"spring of four numbers",
         PENDULUM "  Springs: {OA: [1, 2, 3, 4]}\n" START,
         "6:17",
         {"a spring is [stiffness, rest length] or [stiffness, rest length, mass]"}},
        {"negative stiffness",
         PENDULUM "  Springs: {OA: [-1, 0]}\n" START,
         "6:18",
         {"the stiffness of 'OA' is negative: -1"}},
        {"negative rest length",
         PENDULUM "  Springs: {OA: {k: 1, l: -2}}\n" START,
         "6:27",
         {"the rest length of 'OA' is negative: -2"}},
        {"spring map without stiffness",
         PENDULUM "  Springs: {OA: {l: 2}}\n" START,
         "6:13",
         {"the key 'k' is missing: give the stiffness"}},
        {"negative damping",
         PENDULUM "  Dampers: {OA: -1}\n" START,
         "6:17",
         {"the damping constant of 'OA' is negative: -1"}},
        {"damper of a list",
         PENDULUM "  Dampers: {OA: [1]}\n" START,
         "6:17",
         {"a damper is its damping constant, or {c}"}},
        {"damper map without constant",
         PENDULUM "  Dampers: {OA: {Full: true}}\n" START,
         "6:13",
         {"the key 'c' is missing: give the damping constant"}},
        {"damper that is neither full nor not",
         PENDULUM "  Dampers: {OA: {c: 1, Full: yes}}\n" START,
         "6:30",
         {"'Full' is true", "or false"}},
        {"spring-damper of two numbers",
         PENDULUM "  SpringDampers: {OA: [1, 2]}\n" START,
         "6:23",
         {"a spring-damper is [stiffness, rest length, damping constant]"}},
        {"spring to nothing",
         PENDULUM "  Springs: {AC: [10, 1]}\n" START,
         "6:13",
         {"the point C belongs to no body, is not fixed and has no mass"}},
        {"spring without length at the start",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [1, 0]}\n  Rigids:\n" ROD
         "  Springs: {AP: [10, 1/2]}\n" START,
         "6:13",
         {"the ends A and P of 'AP' coincide at the start", "the rest length 0"}},
        {"damper without length at the start",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [1, 0]}\n  Rigids:\n" ROD
         "  Dampers: {AP: 10}\n" START,
         "6:13",
         {"the ends A and P of 'AP' coincide at the start", "Full: true"}},
    };
    CHECK_ALL(list);
}

static void test_joints_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"joint to nothing",
         PENDULUM "  Joints: {pin: {Type: revolute, Points: [A, B]}}\n" START,
         "6:46",
         {"'B' belongs to no body and is not fixed: the joint would connect to nothing"}},
        {"unknown type",
         PENDULUM "  Joints: {pin: {Type: revolut, Points: [O, A]}}\n" START,
         "6:24",
         {"no joint of the type 'revolut'", "did you mean 'revolute'?"}},
        {"type without resemblance",
         PENDULUM "  Joints: {pin: {Type: ball, Points: [O, A]}}\n" START,
         "6:24",
         {"no joint of the type 'ball'",
          "revolute, prismatic, spherical, universal, cylindrical, planar, screw"}},
        {"no type",
         PENDULUM "  Joints: {pin: {Points: [O, A]}}\n" START,
         "6:12",
         {"the key 'Type' is missing"}},
        {"universal in 2D",
         PENDULUM "  Joints: {pin: {Type: universal, Points: [O, A]}}\n" START,
         "6:24",
         {"a universal joint has no meaning in 2D"}},
        {"revolute without axes",
         TOP "  Joints: {pin: {Type: revolute, Points: [O, A]}}\n" START3,
         "6:12",
         {"the revolute joint 'pin' needs Axes: [u, v], one of each body"}},
        {"line without its direction",
         PENDULUM "  Joints: {slot: {Type: point-on-line, Points: [O, A]}}\n" START,
         "6:12",
         {"the point-on-line joint 'slot' needs Axes: [u]"}},
        {"spherical without points",
         TOP "  Joints: {ball: {Type: spherical}}\n" START3,
         "6:12",
         {"the spherical joint 'ball' needs Points: [P, Q], one of each body"}},
        {"spherical with axes",
         TOP "  Joints: {ball: {Type: spherical, Points: [O, A], Axes: [z, u]}}\n" START3,
         "6:12",
         {"the spherical joint 'ball' needs no axes"}},
        {"prismatic in 3D without normals",
         TOP "  Joints: {slide: {Type: prismatic, Points: [O, A], Axes: [z, u]}}\n" START3,
         "6:12",
         {"the prismatic joint 'slide' needs Normals: [a, b]", "stay parallel"}},
        {"normals without need",
         TOP "  Joints: {pin: {Type: revolute, Points: [O, A], Axes: [z, u], Normals: [z, "
             "u]}}\n" START3,
         "6:12",
         {"the revolute joint 'pin' takes no Normals"}},
        {"vector among the points",
         TOP "  Joints: {ball: {Type: spherical, Points: [O, u]}}\n" START3,
         "6:48",
         {"'u' is a vector, but 'Points' lists points"}},
        {"point among the axes",
         TOP "  Joints: {cross: {Type: universal, Axes: [A, z]}}\n" START3,
         "6:44",
         {"'A' is a point, but 'Axes' lists vectors"}},
        {"three points",
         PENDULUM "  Joints: {pin: {Type: revolute, Points: [O, A, A]}}\n" START,
         "6:42",
         {"'Points' lists one element of each of the two bodies"}},
        {"one point",
         PENDULUM "  Joints: {pin: {Type: revolute, Points: [A]}}\n" START,
         "6:12",
         {"the revolute joint 'pin' needs Points: [P, Q]"}},
        {"body to itself",
         PLANE "    OAB: {Geom: [[1], [2]], Dyna: [[0], 1, 1]}\n"
               "  Joints: {pin: {Type: revolute, Points: [A, B]}}\n" START,
         "6:12",
         {"the joint 'pin' connects 'OAB' to itself"}},
        {"ground to itself",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [0, 0]}\n  Rigids:\n" ROD
         "  Joints: {pin: {Type: revolute, Points: [O, P]}}\n" START,
         "6:12",
         {"the joint 'pin' connects the ground to itself"}},
        {"normal along its axis",
         TOP "  Joints: {pin: {Type: revolute, Points: [O, A], Axes: [z, u], Normals: [z, u], "
             "Angle: p}}\n" START3,
         "6:12",
         {"the normal z of the joint 'pin' is along the axis z", "name a vector across it"}},
        {"normal of another body",
         "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}\n"
         "  Rigids:\n" SOLID
         "  Joints: {pin: {Type: cylindrical, Points: [O, A], Axes: [z, u], Normals: [x, x], "
         "Angle: p}}\n" START3,
         "6:12",
         {"the normal x and the axis u of the joint 'pin' must be vectors of the same body"}},
        {"angle without normals",
         TOP "  Joints: {pin: {Type: revolute, Points: [O, A], Axes: [z, u], Angle: p}}\n" START3,
         "6:12",
         {"the revolute joint 'pin' needs Normals: [a, b]",
          "the angle counts from the first to the second"}},
        {"shafts with a slanted normal",
         "Dimension: 3\nPartData:\n"
         "  Fixed: {O: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 1]}\n  Rigids:\n"
         "    BCuv: {Geom: [[1], [0, 1], [0, 0, 1]], Dyna: [[0], 1, 1]}\n"
         "  Joints: {bend: {Type: constant-velocity, Points: [O, B], Axes: [z, v], Normals: [x, "
         "u]}}\n"
         "ProblemData: {tend: 1}\n",
         "6:12",
         {"the normal x of the joint 'bend' must be at a right angle to the axis z", "45 degrees"}},
        {"angle of a joint that does not turn",
         PENDULUM "  Joints: {slot: {Type: distance, Points: [O, A], Length: 1, Angle: p}}\n" START,
         "6:69",
         {"the distance joint 'slot' takes no 'Angle'"}},
        {"two names for one angle",
         PLANE "    BC: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "  Joints: {pin: {Type: revolute, Points: [O, B], Angle: [p, q]}}\n" START,
         "6:57",
         {"the revolute joint 'pin' takes 1 name under 'Angle', not 2"}},
        {"distance without length",
         PENDULUM "  Joints: {rod: {Type: distance, Points: [O, A]}}\n" START,
         "6:12",
         {"the distance joint 'rod' needs Length: a number"}},
        {"distance of length 0",
         PENDULUM "  Joints: {rod: {Type: distance, Points: [O, A], Length: 0}}\n" START,
         "6:58",
         {"the Length of 'rod' is 0: use a spherical joint"}},
        {"negative length",
         PENDULUM "  Joints: {rod: {Type: distance, Points: [O, A], Length: -2}}\n" START,
         "6:58",
         {"the length of 'rod' is negative: -2"}},
        {"screw without pitch",
         TOP "  Joints: {nut: {Type: screw, Points: [O, A], Axes: [z, u]}}\n" START3,
         "6:12",
         {"the screw joint 'nut' needs Pitch: a number"}},
        {"screw without advance",
         TOP "  Joints: {nut: {Type: screw, Points: [O, A], Axes: [z, u], Pitch: 0}}\n" START3,
         "6:68",
         {"the Pitch of 'nut' is 0: use a revolute joint"}},
        {"pitch of a hinge",
         PENDULUM "  Joints: {pin: {Type: revolute, Points: [O, A], Pitch: 2}}\n" START,
         "6:57",
         {"the revolute joint 'pin' takes no 'Pitch'"}},
        {"gear of one angle",
         PENDULUM "  Joints: {mesh: {Type: gear, Coordinates: [p], Ratio: 2}}\n" START,
         "6:12",
         {"the gear joint 'mesh' needs Coordinates: [phi, psi]"}},
        {"gear of nothing",
         PENDULUM "  Joints: {mesh: {Type: gear, Coordinates: [phi, psy], Ratio: 2}}\n"
                  "Angles: {phi: OA, psi: OA}\n" START,
         "6:12",
         {"'psy' is no coordinate that the gear joint 'mesh' could tie", "did you mean 'psi'?"}},
        {"gear with a point",
         PENDULUM "  Joints: {mesh: {Type: gear, Coordinates: [phi, A], Ratio: 2}}\n"
                  "Angles: {phi: OA}\n" START,
         "6:12",
         {"'A' is no coordinate that the gear joint 'mesh' could tie"}},
        {"gear of an angle and itself",
         PENDULUM "  Joints: {mesh: {Type: gear, Coordinates: [phi, phi], Ratio: 2}}\n"
                  "Angles: {phi: OA}\n" START,
         "6:12",
         {"the gear joint 'mesh' ties phi to itself: name two coordinates"}},
        {"rack that is fixed",
         PENDULUM "  Joints: {mesh: {Type: rack, Coordinates: [phi, Ox], Radius: 2}}\n"
                  "Angles: {phi: OA}\n" START,
         "6:12",
         {"'Ox' is fixed: the joint 'mesh' cannot tie it"}},
        {"universal joint of bodies apart",
         TOP "    BCvw: {Geom: [[1], [0, 1], [0, 0, 1]], Dyna: [[0], 1, [1, 1, 1]]}\n"
             "  Joints: {cross: {Type: universal, Axes: [u, v]}}\n" START3,
         "7:12",
         {"the universal joint 'cross' needs Points: [P, Q]",
          "or bodies that share a point and nothing else"}},
        {"rack without radius",
         PENDULUM "  Joints: {mesh: {Type: rack, Coordinates: [phi, Ax]}}\n"
                  "Angles: {phi: OA}\n" START,
         "6:12",
         {"the rack joint 'mesh' needs Radius: a number"}},
        {"phase of a pin",
         PENDULUM "  Joints: {pin: {Type: revolute, Points: [O, A], Phase: 2}}\n" START,
         "6:57",
         {"the revolute joint 'pin' takes no 'Phase'"}},
        {"curve without parameter",
         PENDULUM "  Joints: {cam: {Type: point-on-curve, Points: [O, A], Curve: [s, s]}}\n" START,
         "6:12",
         {"the point-on-curve joint 'cam' needs Curve: [x, y], formulas of its Parameter"}},
        {"curve that moves by itself",
         PLANE "    BC: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "  Joints: {cam: {Type: point-on-curve, Points: [O, B], Curve: [s, t], Parameter: "
               "s}}\n"
               "ProblemData: {tend: 1, positions: {B: [0, 0], C: [1, 0], s: 0}}\n",
         "6:63",
         {"the curve of 'cam' may contain its parameter s and numbers, nothing else"}},
        {"curve on a rod without a frame",
         SPACE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 1]}\n"
               "  Particles: {B: 1}\n"
               "  Joints: {cam: {Type: point-on-curve, Points: [A, B], Curve: [s, s], Parameter: "
               "s}}\n"
               "ProblemData: {tend: 1, positions: {A: [1, 0, 0], s: 0}}\n",
         "7:12",
         {"'OA' is a thin rod without a frame", "for a curve to belong to"}},
        {"coordinate with a name that is taken",
         PLANE "    BC: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "  Joints: {pin: {Type: revolute, Points: [O, B], Angle: energy}}\n" START,
         "6:57",
         {"'energy' is a column of the results already"}},
        {"planar joint in a plane",
         PENDULUM "  Joints: {slab: {Type: planar, Points: [O, A]}}\n" START,
         "6:25",
         {"a planar joint has no meaning in 2D"}},
        {"plane without its direction",
         TOP "  Joints: {floor: {Type: point-on-plane, Points: [O, A]}}\n" START3,
         "6:12",
         {"the point-on-plane joint 'floor' needs Axes: [u], the direction across the plane"}},
        {"fixed value elsewhere than the joint",
         PLANE "    BC: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "  Joints: {pin: {Type: revolute, Points: [O, B]}}\n"
               "ProblemData: {tend: 1, positions: {B: [0.1, 0], C: [1, 0]}, fixedpositions: [B]}\n",
         "7:39",
         {"Bx is fixed at 0 and cannot start at 0.1"}},
        {"joint that is neither disassembled nor not",
         PENDULUM
         "  Joints: {pin: {Type: distance, Points: [O, A], Length: 1, Disassembled: 2}}\n" START,
         "6:75",
         {"'Disassembled' is true or false"}},
        {"joint of an unknown body",
         PENDULUM "  Joints: {pin: {Type: distance, Bodies: [OB], Points: [O, A], Length: "
                  "1}}\n" START,
         "6:43",
         {"there is no body 'OB' to connect", "did you mean 'OA'?"}},
        {"joint of a body that has not the point",
         PENDULUM "  Joints: {pin: {Type: distance, Bodies: [OA, ground], Points: [O, A], Length: "
                  "1}}\n" START,
         "6:12",
         {"A does not belong to the ground, as 'pin' says"}},
        {"joint that is a word",
         PENDULUM "  Joints: {pin: revolute}\n" START,
         "6:17",
         {"a joint {Type, Points, Axes} must be a map"}},
    };
    CHECK_ALL(list);
}

static void test_loads_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"torque on an unknown body",
         PENDULUM "AppliedForces: {Torques: {OB: 1}}\n" START,
         "6:27",
         {"there is no body 'OB' for a torque to act on", "did you mean 'OA'?"}},
        {"torque on a thin rod",
         SPACE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 1]}\n"
               "AppliedForces: {Torques: {OA: [0, 0, 1]}}\n"
               "ProblemData: {tend: 1, positions: {A: [1, 0, 0]}}\n",
         "6:27",
         {"'OA' is a thin rod without a frame", "a third element"}},
        {"torque in 3D that is a number",
         TOP "AppliedForces: {Torques: {OAu: 1}}\n" START3,
         "6:32",
         {"a vector with 3 components is expected, not a number"}},
        {"torque in 2D that is a vector",
         PENDULUM "AppliedForces: {Torques: {OA: [1, 0]}}\n" START,
         "6:31",
         {"a number is expected, but this is a vector"}},
        {"force at a vector",
         TOP "AppliedForces: {Forces: {u: [1]}}\n" START3,
         "6:26",
         {"'u' is not a point of the mechanism: a force acts at a point"}},
        {"force at an unknown point",
         PENDULUM "AppliedForces: {Forces: {B: [1]}}\n" START,
         "6:26",
         {"'B' is not a point of the mechanism"}},
        {"force at a fixed point",
         PENDULUM "AppliedForces: {Forces: {O: [1]}}\n" START,
         "6:26",
         {"'O' is fixed: a force there moves nothing"}},
        {"dissipation of a position",
         PENDULUM "AppliedForces: {Dissipation: Ax^2}\n" START,
         "6:30",
         {"'Dissipation' contains no rate, so nothing is slowed down: write it by rates, such as "
          "c/2*phi'^2"}},
        {"dissipation of an acceleration",
         PENDULUM "AppliedForces: {Dissipation: \"Ax''^2\"}\n" START,
         "6:30",
         {"'Dissipation' contains a second derivative: it is a function of positions and their "
          "first derivatives"}},
        {"dissipation of a vector",
         TOP "AppliedForces: {Dissipation: \"ux'^2\"}\n" START3,
         "6:30",
         {"'Dissipation' contains a rate of 'u', which is no point, angle or distance: use the "
          "rate of an angle instead"}},
        {"dissipation that is a vector",
         PENDULUM "AppliedForces: {Dissipation: \"A'\"}\n" START,
         "6:30",
         {"a number is expected"}},
        {"force that is a number",
         PENDULUM "AppliedForces: {Forces: {A: 1}}\n" START,
         "6:29",
         {"a vector with 2 components is expected, not a number"}},
        {"force of an unknown name",
         PENDULUM "AppliedForces: {Forces: {A: [kk, 0]}}\n" START,
         "6:30",
         {"unknown name 'kk'"}},
        {"gravity that changes",
         PENDULUM "AppliedForces: {Gravity: 9.81*t}\n" START,
         "6:26",
         {"gravity is a number (downwards) or a vector of 2 numbers, constant in time"}},
        {"gravity of another dimension",
         PENDULUM "AppliedForces: {Gravity: [0, 0, -9.81]}\n" START,
         "6:26",
         {"3 coordinates in a model of dimension 2"}},
    };
    CHECK_ALL(list);
}

static void test_force_elements_are_checked(void **state) {
    (void)state;
#define TWO                                                                                        \
    "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 0.1]}\n    BC: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
#define START2 "ProblemData: {tend: 1, positions: {A: [1, 0], B: [0, 0], C: [1, 0]}}\n"
    static const bad list[] = {
        {"torsion spring on no angle",
         PENDULUM "  TorsionSprings: {phy: [1, 0]}\nAngles: {phi: OA}\n" START,
         "6:20",
         {"there is no angle 'phy'", "did you mean 'phi'?"}},
        {"torsion spring of one number",
         PENDULUM "  TorsionSprings: {phi: [1]}\nAngles: {phi: OA}\n" START,
         "6:25",
         {"a torsion spring is [stiffness, rest angle]"}},
        {"torsion spring without stiffness",
         PENDULUM "  TorsionSprings: {coil: {Angle: phi, rest: 1}}\nAngles: {phi: OA}\n" START,
         "6:20",
         {"the key 'k' is missing", "give the stiffness"}},
        {"torsion spring of angle and bodies",
         PLANE TWO "  TorsionSprings: {coil: {Angle: phi, Bodies: [OA, BC], k: 1}}\n"
                   "Angles: {phi: OA}\n" START2,
         "7:20",
         {"'coil' needs either Angle: phi or Bodies: [a, b]"}},
        {"torsion spring of a body and itself",
         PLANE TWO "  TorsionSprings: {coil: {Bodies: [OA, OA], k: 1}}\n" START2,
         "7:20",
         {"'coil' acts between two bodies: name two different ones"}},
        {"torsion spring between bodies in space",
         TOP "  TorsionSprings: {coil: {Bodies: [OAu, ground], k: 1}}\n" START3,
         "6:20",
         {"in 3D the torsion spring 'coil' acts about an angle", "give Angle instead of Bodies"}},
        {"rotational damper of a list",
         PENDULUM "  RotationalDampers: {phi: [1, 2]}\nAngles: {phi: OA}\n" START,
         "6:28",
         {"a rotational damper is its damping constant"}},
        {"rotational damper with a stiffness",
         PENDULUM "  RotationalDampers: {oil: {Angle: phi, c: 1, k: 2}}\nAngles: {phi: OA}\n" START,
         "6:23",
         {"'oil' is a damper", "'TorsionSprings'"}},
        {"negative rotational damper",
         PENDULUM "  RotationalDampers: {phi: -1}\nAngles: {phi: OA}\n" START,
         "6:28",
         {"the damping constant of 'phi' is negative: -1"}},
        {"rotational damper on a thin rod",
         SPACE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 1]}\n"
               "  RotationalDampers: {oil: {Bodies: [OA, ground], c: 1}}\n"
               "ProblemData: {tend: 1, positions: {A: [1, 0, 0]}}\n",
         "6:23",
         {"'OA' is a thin rod without a frame", "for a damper to act on"}},
        {"bushing without points",
         PLANE TWO "  Bushings: {mount: {k: 1}}\n" START2,
         "7:14",
         {"the bushing 'mount' needs Points: [P, Q], a point of each body"}},
        {"bushing with too many numbers",
         PLANE TWO "  Bushings: {mount: {Points: [A, B], k: [1, 2, 3]}}\n" START2,
         "7:41",
         {"'k' of 'mount' is one number, or a list of 2, one for each axis"}},
        {"bushing on one body",
         PLANE TWO "  Bushings: {mount: {Points: [B, C], k: 1}}\n" START2,
         "7:14",
         {"the bushing 'mount' connects 'BC' to itself"}},
        {"drag on nothing",
         PENDULUM "AppliedForces: {Drag: {X: 1}}\n" START,
         "6:24",
         {"'X' is not a point of the mechanism"}},
        {"drag of two numbers",
         PENDULUM "AppliedForces: {Drag: {A: [1, 2]}}\n" START,
         "6:27",
         {"drag is c, or [c, c2, v0]", "below which it is linear"}},
        {"force without value",
         PENDULUM "AppliedForces: {Forces: {f: {On: A}}}\n" START,
         "6:26",
         {"the key 'Value' is missing"}},
        {"force without a point",
         PENDULUM "AppliedForces: {Forces: {f: {Value: [1, 0]}}}\n" START,
         "6:26",
         {"the key 'On' is missing", "name a point"}},
        {"force on a point against itself",
         PENDULUM "AppliedForces: {Forces: {f: {On: A, Against: A, Value: 1}}}\n" START,
         "6:26",
         {"'f' acts on A against itself"}},
        {"torque between unknown bodies",
         PLANE TWO "AppliedForces: {Torques: {m: {On: OA, Against: BD, Value: 1}}}\n" START2,
         "7:48",
         {"there is no body 'BD' for a torque to act on", "did you mean 'BC'?"}},
        {"torque on the ground",
         PENDULUM "AppliedForces: {Torques: {m: {On: ground, Against: OA, Value: 1}}}\n" START,
         "6:27",
         {"a torque on the ground moves nothing"}},
        {"gravity that is a number",
         PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], 1, 0.1], Gravity: 3}\n" START,
         "5:55",
         {"'Gravity' is true or false"}},
        {"particle without mass",
         PLANE "  Particles: {A: {Gravity: false}}\n" START,
         "5:15",
         {"'A' needs a mass"}},
    };
    CHECK_ALL(list);
}

static void test_angles_and_drivers_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"angle of what is fixed",
         "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], P: [1, 0]}\n  Rigids:\n" ROD
         "Angles: {theta: OP}\n" START,
         "6:10",
         {"the angle 'theta' cannot change: everything in it is fixed"}},
        {"angle of a point",
         PENDULUM "Angles: {theta: A}\n" START,
         "6:17",
         {"'A' has no direction: name a body, a vector, or two points such as AB"}},
        {"angle between three",
         PENDULUM "Angles: {theta: [OA, OA, OA]}\n" START,
         "6:17",
         {"an angle is of one direction, or [from, to]"}},
        {"angle in 3D without directions",
         TOP "Angles: {theta: OAu}\n" START3,
         "6:10",
         {"in 3D the angle 'theta' must be {From: ..., To: ..., Axis: ...}"}},
        {"angle in 3D without axis",
         TOP "Angles: {theta: {From: [1], To: u}}\n" START3,
         "6:10",
         {"the key 'Axis' of the angle 'theta' is missing"}},
        {"axis of length 0",
         TOP "Angles: {theta: {From: [1], To: u, Axis: [0, 0, 0]}}\n" START3,
         "6:10",
         {"the axis of the angle 'theta' has length 0"}},
        {"axis in 2D",
         PENDULUM "Angles: {theta: {From: [1], To: A, Axis: [0, 1]}}\n" START,
         "6:10",
         {"the angle 'theta' has no Axis in 2D"}},
        {"driver of a fixed point",
         PENDULUM "Drivers: {Ox: sin(t)}\n" START,
         "6:11",
         {"'Ox' is fixed: it cannot be driven"}},
        {"driver of a point",
         PENDULUM "Drivers: {A: t}\n" START,
         "6:11",
         {"drive the components of A one by one: Ax: ..., Ay: ..."}},
        {"unknown driver",
         PENDULUM "Angles: {theta: OA}\nDrivers: {theta1: t}\n" START,
         "7:11",
         {"'theta1' cannot be driven: it is no angle, coordinate or pair of points",
          "did you mean 'theta'?"}},
        {"driver that depends on the motion",
         PENDULUM "Angles: {theta: OA}\nDrivers: {theta: 2*Ax}\n" START,
         "7:18",
         {"a driver prescribes a function of t: 'theta' cannot depend on how the mechanism moves"}},
        {"one angle driven twice",
         PENDULUM "Angles: {theta: OA, phi: OA}\nDrivers: {theta: t, phi: 2*t}\n" START,
         "7:21",
         {"'phi' is driven twice: it is the same as 'theta', on line 7"}},
        {"one distance driven twice",
         PLANE "    AB: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "Drivers: {OA: 1 + t, AO: 1 + t}\n"
               "ProblemData: {tend: 1, positions: {A: [1, 0], B: [2, 0]}}\n",
         "6:22",
         {"'AO' is driven twice: it is the same as 'OA'"}},
        {"driver of a rigid distance",
         PENDULUM "Drivers: {OA: 1 + t}\n" START,
         "6:11",
         {"'OA' cannot be driven: both points belong to the rigid body 'OA'"}},
        {"two drivers for one degree of freedom",
         PENDULUM "Angles: {theta: OA}\nDrivers: {theta: t, Ax: cos(2*t)}\n" START,
         "7:21",
         {"the driver Ax prescribes what joints and other drivers determine already"}},
        {"driver and start that contradict",
         PENDULUM "Angles: {theta: OA}\nDrivers: {theta: 1 + t}\nProblemData: {tend: 1, positions: "
                  "{A: [1, 0]}, fixedpositions: {A}}\n",
         "7:11",
         {"driver theta", "stays off by"}},
    };
    CHECK_ALL(list);
}

static void test_names_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"component and parameter",
         "PhysicalParams: {Ax: 1}\n" PENDULUM START,
         "6:5",
         {"a component of A has the name 'Ax', which is taken already, on line 1"}},
        {"letter of a body and parameter",
         "PhysicalParams: {m: 1}\n" PLANE "    OAm: {Geom: [[1], [1]], Dyna: [[0], m, 1]}\n" START,
         "6:5",
         {"'OAm' spells the element 'm'", "taken already, on line 1", "Elements: [...]"}},
        {"letter of a body and the time",
         PLANE "    OAt: {Geom: [[1], [1]], Dyna: [[0], 1, 1]}\n" START,
         "5:5",
         {"'OAt' spells the element 't'", "a meaning in formulas"}},
        {"body and parameter",
         "PhysicalParams: {rod: 1}\n" PLANE
         "    rod: {Elements: [O, A], Geom: [[1]], Dyna: [[0], 1, 1]}\n" START,
         "6:5",
         {"the name 'rod' is taken already, on line 1"}},
        {"body and point",
         PLANE "    A: {Elements: [O, A], Geom: [[1]], Dyna: [[0], 1, 1]}\n" START,
         "5:5",
         {"the name 'A' is taken already, on line 5"}},
        {"body and angle",
         PLANE "    rod: {Elements: [O, A], Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "Angles: {rod: OA}\n" START,
         "6:10",
         {"the name 'rod' is taken already, on line 5"}},
        {"angle and component",
         PENDULUM "Angles: {Ax: OA}\n" START,
         "6:10",
         {"the name 'Ax' is taken already, on line 5"}},
        {"angle and column",
         PENDULUM "Angles: {kinetic: OA}\n" START,
         "6:10",
         {"'kinetic' is a column of the results already"}},
        {"output and column",
         PENDULUM "Outputs: {work: Ax}\n" START,
         "6:11",
         {"'work' is a column of the results already"}},
        {"output of an unknown point",
         PENDULUM "Outputs: {height: By}\n" START,
         "6:19",
         {"unknown name 'By'"}},
        {"body in a formula",
         PLANE "    rod: {Elements: [O, A], Geom: [[1]], Dyna: [[0], 1, 1]}\n"
               "Outputs: {twice: 2*rod}\n" START,
         "6:20",
         {"'rod' is a body: it has no value"}},
    };
    CHECK_ALL(list);
}

static void test_initial_values_of_mechanisms_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"position missing",
         PENDULUM "ProblemData: {tend: 1}\n",
         "6:1",
         {"initial values are missing", "1 of Ax, Ay under 'positions'"}},
        {"position of one of two missing",
         PENDULUM "    AB: {Geom: [[1]], Dyna: [[0], 1, 1]}\n" START,
         "7:1",
         {"initial values are missing", "1 of Bx, By under 'positions'"}},
        {"fixed point elsewhere",
         PENDULUM "ProblemData: {tend: 1, positions: {A: [1, 0], O: [0, 1]}}\n",
         "6:50",
         {"Oy is fixed at 0 and cannot start at 1"}},
        {"fixed point that moves",
         PENDULUM "ProblemData: {tend: 1, positions: {A: [1, 0]}, velocities: {O: [2, 0]}}\n",
         "6:64",
         {"Ox is fixed and cannot have the velocity 2"}},
        {"position of a body",
         PENDULUM "ProblemData: {tend: 1, positions: {OA: [1, 0]}}\n",
         "6:36",
         {"'OA' is a body: give the values of its points and vectors"}},
        {"unknown point",
         PENDULUM "ProblemData: {tend: 1, positions: {B: [1, 0]}}\n",
         "6:36",
         {"unknown name 'B'"}},
        {"position of another dimension",
         PENDULUM "ProblemData: {tend: 1, positions: {A: [1, 0, 0]}}\n",
         "6:39",
         {"a vector with 2 components is expected"}},
        {"fixed position off the circle",
         PENDULUM "ProblemData: {tend: 1, positions: {A: [1, 0.5]}, fixedpositions: {A}}\n",
         "5:5",
         {"distance O-A of OA", "stays off by 0.125", "fix fewer"}},
        {"fixed angle against fixed point",
         PENDULUM "Angles: {theta: OA}\nProblemData: {tend: 1, positions: {A: [1, 0], theta: 1}, "
                  "fixedpositions: {A, theta}}\n",
         "7:54",
         {"the fixed value of theta", "fix fewer"}},
        {"fixed velocity along the rod",
         PENDULUM "ProblemData: {tend: 1, positions: {A: [1, 0]}, velocities: {A: [1, 0]}, "
                  "fixedvelocities: {A}}\n",
         "5:5",
         {"the first derivative of distance O-A of OA", "stays off by 1"}},
    };
    CHECK_ALL(list);
}

static void test_sections_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"no dimension",
         "PartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n" ROD START,
         "1:1",
         {"the key 'Dimension' is missing: 2 for a planar mechanism"}},
        {"dimension 4",
         "Dimension: 4\nPartData: {Fixed: {O: [0, 0]}}\n" START,
         "1:12",
         {"'Dimension' is 2 for a planar mechanism or 3 for a spatial one, not 4"}},
        {"two models",
         PENDULUM START "DAE: {Variables: [x], Equations: [x']}\n",
         "7:6",
         {"a file has one model"}},
        {"empty PartData",
         "Dimension: 2\nPartData:\n" START,
         "2:10",
         {"'PartData' must be a map", "it is empty"}},
        {"bodies in a list",
         "Dimension: 2\nPartData: {Rigids: [OA]}\n" START,
         "2:20",
         {"'Rigids' (name: data) must be a map"}},
        {"unknown key of the file",
         PENDULUM START "Angels: {theta: OA}\n",
         "7:1",
         {"unknown key 'Angels'; did you mean 'Angles'?"}},
        {"unknown key of PartData",
         PENDULUM "  Spring: {OA: [1, 1]}\n" START,
         "6:3",
         {"unknown key 'Spring'; did you mean 'Springs'?"}},
        {"unknown key of a body",
         PLANE "    OA: {Geom: [[1]], Dyn: [[0], 1, 1]}\n" START,
         "5:23",
         {"unknown key 'Dyn'; did you mean 'Dyna'?"}},
        {"unknown key of a spring",
         PENDULUM "  Springs: {OA: {k: 1, Mass: 2}}\n" START,
         "6:24",
         {"unknown key 'Mass'; did you mean 'mass'?"}},
        {"unknown key of a line",
         TOP "  Collinears: {OzB: {Nmae: s}}\n" START3,
         "6:22",
         {"unknown key 'Nmae'; did you mean 'Name'?"}},
        {"unknown key of a joint",
         PENDULUM "  Joints: {pin: {Type: revolute, Point: [O, A]}}\n" START,
         "6:34",
         {"unknown key 'Point'; did you mean 'Points'?"}},
        {"unknown key of the forces",
         PENDULUM "AppliedForces: {Gravty: 1}\n" START,
         "6:17",
         {"unknown key 'Gravty'; did you mean 'Gravity'?"}},
        {"unknown key of an angle",
         PENDULUM "Angles: {theta: {From: [1], Too: A}}\n" START,
         "6:29",
         {"unknown key 'Too'; did you mean 'To'?"}},
        {"unknown key of ProblemData",
         PENDULUM "ProblemData: {tend: 1, position: {A: [1, 0]}}\n",
         "6:24",
         {"unknown key 'position'; did you mean 'positions'?"}},
    };
    CHECK_ALL(list);
}

/* What one fault breaks is not reported again. */
static void test_fault_of_a_name_is_told_once(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "PhysicalParams: {Ax: 1}\n" PENDULUM "    AB: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
                  "  Springs: {OA: [1, 1]}\n"
                  "  Particles: {A: 1}\n"
                  "AppliedForces: {Torques: {OA: 1}}\n" START,
                  -1);
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 2);
    const char *first = strstr(r.err, "error:");
    assert_non_null(first);
    assert_null(strstr(first + 1, "error:"));
    program_release(&r);
}

/* Faults of different parts are all told. */
static void test_all_faults_of_a_mechanism_are_told(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  PLANE "    OA: {Geom: [[1]], Dyna: [[1/2], -1, 0.1]}\n"
                        "    AB: {Geom: [[0]]}\n"
                        "  Springs: {AB: [-1, 0]}\n"
                        "  Joints: {pin: {Type: revolut}}\n" START,
                  -1);
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 2);
    assert_non_null(find_message(r.err, "5:37"));
    assert_non_null(find_message(r.err, "6:17"));
    assert_non_null(find_message(r.err, "7:18"));
    assert_non_null(find_message(r.err, "8:24"));
    program_release(&r);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_bodies_are_checked),
        IN_FOLDER(test_masses_are_checked),
        IN_FOLDER(test_sharing_is_checked),
        IN_FOLDER(test_points_are_checked),
        IN_FOLDER(test_links_are_checked),
        IN_FOLDER(test_joints_are_checked),
        IN_FOLDER(test_loads_are_checked),
        IN_FOLDER(test_force_elements_are_checked),
        IN_FOLDER(test_angles_and_drivers_are_checked),
        IN_FOLDER(test_names_are_checked),
        IN_FOLDER(test_initial_values_of_mechanisms_are_checked),
        IN_FOLDER(test_sections_are_checked),
        IN_FOLDER(test_fault_of_a_name_is_told_once),
        IN_FOLDER(test_all_faults_of_a_mechanism_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
