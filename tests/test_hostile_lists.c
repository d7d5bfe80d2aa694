/* Hostile files: sections that list very many things. See hostile.h. */
#include "hostile.h"

static const char CRANK[] = "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n";

/* ---- sections that list very many things ---- */

static const char OSCILLATOR[] = "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                                 "ProblemData: {tend: 1, positions: {x: 1, v: 0}}\n";

static void test_many_controllers_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("%sInputs: {u: 0}\nControllers: {Repeat: {i: 1..20000, \"c{i}\": {Every: 0.01, States: "
        "{\"s{i}\": 0}, Next: {\"s{i}\": x}, Out: {u: x}}}}\n",
        OSCILLATOR);
    expect(&file, CHECK, TAUT_ERR_INPUT,
           "has two writers: the controller 'c2' and the controller 'c1'");
    ADD("PhysicalParams: {Repeat: {i: 1..50000, \"p{i}\": 1}}\n%sEvents: {Repeat: {i: 1..50000, "
        "\"e{i}\": {When: x - i, Do: {\"p{i}\": 2}}}}\n",
        OSCILLATOR);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_actuators_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
        "Inputs: {Repeat: {i: 1..50000, \"u{i}\": 0}}\n"
        "Inverse: {Actuators: [u1");
    for (int i = 2; i <= 50000; i++) ADD(", u%d", i);
    ADD("], Motion: {x: sin(t)}, Weights: {Repeat: {i: 1..50000, \"u{i}\": 2}}}\n"
        "ProblemData: {tend: 1, positions: {x: 0}}\n");
    program_write("model.yaml", file.text, (long)file.length);
    expect(&file, CHECK, TAUT_OK, NULL);
    program_result r; /* as unknowns */
    program_call(&r, "inverse model.yaml");
    assert_int_equal(r.code, 2);
    if (!strstr(r.err, "50000 actuators for 1 motions")) fail_msg("%s", r.err);
    program_release(&r);
}

static void test_many_floors_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("%sOutputs: {Repeat: {i: 1..50000, \"y{i}\": floor(x*i)}}\n", OSCILLATOR);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_drivers_and_free_values_are_refused(void **state) {
    (void)state;
    static const char rod[] =
        "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids: {OA: {Geom: "
        "[[1]], Dyna: [[0.5], 1, 0.1]}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n";
    taut_string file = {0};
    ADD("%sDrivers: {Repeat: {i: 1..50000, \"d{i}\": t}}\n", rod);
    expect(&file, CHECK, TAUT_ERR_INPUT, "'d1' cannot be driven");
    ADD("PhysicalParams: {Repeat: {i: 1..50000, \"p{i}\": 1}}\n%sTrim: {Free: [p1", rod);
    for (int i = 2; i <= 50000; i++) ADD(", p%d", i);
    ADD("]}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "50000 values are to be found: there may be 1000 at most");
}

/* Contacts, limits, friction and locks, good ones and bad ones. */
static void test_many_contacts_are_checked(void **state) {
    (void)state;
    static const char plane[] = "Lagrangian: {Coordinates: [x, y], L: x'^2/2 + y'^2/2}\n"
                                "ProblemData: {tend: 1, positions: {x: 1, y: 1}}\n";
    taut_string file = {0};
    ADD("%sLocks: {Repeat: {i: 1..50000, \"l{i}\": {On: x + i*y, When: t > i, Capacity: 5}}}\n",
        plane);
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("%sLocks: {Repeat: {i: 1..50000, \"l{i}\": {On: \"x{i}\"}}}\n", plane);
    expect(&file, CHECK, TAUT_ERR_INPUT, "unknown name 'x1'; did you mean 'x'?");
    ADD("%sContacts: {Repeat: {i: 1..50000, \"c{i}\": {Gap: y + i, Along: x, Friction: 0.2}}}\n",
        plane);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* What is found from shapes takes hundreds of formulas each. */
static void test_many_shapes_are_refused(void **state) {
    (void)state;
    static const char *const contact[] = {
        "Circle: [A, 0.1], On: {Circle: [[9, i], 0.1]}, Friction: 0.2",
        "Point: A, On: {Curve: y - i*x^2}, Friction: 0.2"};
    taut_string file = {0};
    for (int i = 0; i < 2; i++) {
        ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%sContacts: {Repeat: {i: "
            "1..50000, \"c{i}\": {%s}}}\nProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
            CRANK, contact[i]);
        expect(&file, CHECK, TAUT_ERR_INPUT, "more than 5000 contacts slide");
    }
    ADD("Dimension: 3\nPartData:\n  Particles: {A: 1}\nContacts: {Repeat: {i: 1..50000, \"c{i}\": "
        "{Point: A, On: {Sphere: [[0, 0, -i], 0.5]}, Friction: 0.2}}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0, 2]}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "more than 5000 contacts slide");
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%sContacts: {Repeat: {i: "
        "1..5000, "
        "\"c{i}\": {Circle: [A, 0.1], On: {Circle: [[9, i], 0.1]}, Friction: 0.2}}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%sContacts: {Repeat: {i: "
        "1..50000, "
        "\"c{i}\": {Point: A, On: {Curve: y - i*x^2}}}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Circles on curves, whose places at the start are found from the file; long curves as well. */
static void test_many_rims_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%sContacts: {Repeat: {i: "
        "1..50000, \"c{i}\": {Circle: [A, 0.1], On: {Curve: \"y + {i+3}\"}}}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%sContacts: {Repeat: {i: "
        "1..100, \"c{i}\": {Circle: [A, 0.1], On: {Curve: \"y + {i+3}",
        CRANK);
    for (int i = 1; i < 1000; i++) ADD(" - sin(%d*x)", i);
    ADD("\"}}}}\nProblemData: {tend: 1, positions: {A: [1, 0]}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Rods that hang on each other by joints with names and angles, and something for each joint. */
static void expect_joints(int joints, const char *section, const char *entry, taut_status wanted,
                          const char *message) {
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {B0: [0, 0]}\n  Rigids:\n    Repeat: {i: 1..%d, "
        "\"A{i}B{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n  Joints: {Repeat: {i: 1..%d, "
        "\"j{i}\": {Type: revolute, Points: [\"B{i-1}\", \"A{i}\"], Angle: \"phi{i}\"}}}\n"
        "%s: {Repeat: {i: 1..%d, %s}}\nProblemData: {tend: 1, positions: {Repeat: {i: 1..%d, "
        "\"B{i}\": [i, 0]}}}\n",
        joints, joints, section, joints, entry, joints);
    expect(&file, CHECK, wanted, message);
}

static void test_loads_of_many_joints_are_checked(void **state) {
    (void)state;
    expect_joints(16000, "Friction", "\"f{i}\": {Joint: \"j{i}\", Coefficient: 0.1, Radius: 0.01}",
                  TAUT_OK, NULL);
    expect_joints(16000, "Outputs", "\"o{i}\": \"j{i}.Fx\"", TAUT_OK, NULL);
    expect_joints(8000, "Breaks", "\"b{i}\": {Joint: \"j{i}\", When: load > i}", TAUT_ERR_INPUT,
                  "unknown name 'load'");
    expect_joints(16000, "Breaks", "\"b{i}\": {Joint: \"k{i}\", When: t > i}", TAUT_ERR_INPUT,
                  "there is no joint 'k1': did you mean 'j1'?");
}

static void test_many_tables_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("%sTables: {f: {Points: [[0, 0], [1, 1], [2, 3]]}}\n"
        "Outputs: {Repeat: {i: 1..100000, \"o{i}\": f(x*i)}}\n",
        OSCILLATOR);
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("%sTables: {Repeat: {i: 1..20000, \"f{i}\": {Points: [[0, 0], [1, i], [2, 3], [3, 4]], "
        "Between: spline}}}\nOutputs: {Repeat: {i: 1..20000, \"o{i}\": \"f{i}(x)\"}}\n",
        OSCILLATOR);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* A chain of rods whose angles are driven, and more for each driver. */
static void expect_drivers(int bodies, const char *more) {
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n    Repeat: {i: 1..%d, "
        "\"P{i-1}P{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
        "Angles: {Repeat: {i: 1..%d, \"a{i}\": \"P{i-1}P{i}\"}}\n"
        "Drivers: {Repeat: {i: 1..%d, \"a{i}\": i*t}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..%d, \"P{i}\": [i, 0]}}}\n%s",
        bodies, bodies, bodies, bodies, more);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_drivers_are_checked(void **state) {
    (void)state;
    expect_drivers(20000, "");
}

static void test_many_names_of_a_study_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("PhysicalParams: {Repeat: {i: 1..80000, \"p{i}\": 1}}\n%sStudy: {Minimize: end(x), "
        "Variables: {p1: [0, 1]",
        OSCILLATOR);
    for (int i = 2; i <= 80000; i++) ADD(", p%d: [0, 1]", i);
    ADD("}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("PhysicalParams: {p: 1}\nOutputs: {Repeat: {i: 1..20000, \"o{i}\": i*x}}\n%sStudy: "
        "{Variables: {p: [0, 1]}, Experiments: {e: {Data: d.csv}}, Weights: {x: 1",
        OSCILLATOR);
    for (int i = 1; i <= 20000; i++) ADD(", o%d: 1", i);
    for (int i = 1; i <= 20000; i++) ADD(", q%d: 1", i);
    ADD("}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "there is no column 'q1'");
}

/* Words before an index: each may be the beginning of any parameter. */
static void test_many_words_before_an_index_are_looked_up(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("PhysicalParams: {q1: 1, Repeat: {i: 1..80000, \"p{i}\": 1}}\n%s"
        "Outputs: {Repeat: {i: 1..1",
        OSCILLATOR);
    for (int i = 0; i < 30000; i++) ADD(", \"o%d_{i}\": \"q{i} + %d\"", i, i);
    ADD("}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Four times as much takes four times as long, on whatever machine: 16 times would be a step that
 * looks at all for each. */
static void test_checks_grow_with_the_file(void **state) {
    (void)state;
    double took[2];
    for (int i = 0; i < 2; i++) {
        char more[200];
        const int bodies = i == 0 ? 4000 : 16000;
        snprintf(more, sizeof more,
                 "Breaks: {Repeat: {i: 1..%d, \"b{i}\": {Driver: \"a{i}\", When: t > i}}}\n",
                 bodies);
        expect_drivers(bodies, more);
        took[i] = last_took;
    }
    assert_true(took[1] < 8.0 * took[0] + 0.2);
    for (int i = 0; i < 2; i++) {
        expect_joints(i == 0 ? 4000 : 16000, "Breaks",
                      "\"b{i}\": {Joint: \"j{i}\", When: \"j{i}.Fx > i\"}", TAUT_OK, NULL);
        took[i] = last_took;
    }
    assert_true(took[1] < 8.0 * took[0] + 0.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        HOSTILE(test_many_controllers_are_checked),
        HOSTILE(test_many_actuators_are_checked),
        HOSTILE(test_many_floors_are_checked),
        HOSTILE(test_many_drivers_and_free_values_are_refused),
        HOSTILE(test_many_contacts_are_checked),
        HOSTILE(test_many_shapes_are_refused),
        HOSTILE(test_many_rims_are_checked),
        HOSTILE(test_loads_of_many_joints_are_checked),
        HOSTILE(test_many_tables_are_checked),
        HOSTILE(test_many_drivers_are_checked),
        HOSTILE(test_many_names_of_a_study_are_checked),
        HOSTILE(test_many_words_before_an_index_are_looked_up),
        HOSTILE(test_checks_grow_with_the_file),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
