/* Messages for engineers, word by word: warnings of what is hardly meant, units that could be
 * names, dead points, directions without a value. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "solve/trouble.h"
#include "taut/taut.h"

/* The first fault of a text that cannot be read. */
static void refuses(const char *text, const char *words) {
    taut_model *model = NULL;
    taut_errors errors = {0};
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, &errors), TAUT_ERR_INPUT);
    assert_null(model);
    assert_string_equal(errors.item[0].message, words);
}

/* All warnings of a text that can be read. */
static void warns(const char *text, int count, const char *const *words) {
    taut_model *model = NULL;
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, NULL), TAUT_OK);
    const taut_errors *list = taut_model_warnings(model);
    assert_int_equal(list->count, count);
    for (int i = 0; i < count; i++) assert_string_equal(list->item[i].message, words[i]);
    taut_model_free(&model);
}

/* The first fault of a run, and how it ends. */
static void stops(const char *text, const char *formulation, const char *solver, taut_status wanted,
                  const char *words) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    taut_run_options options = taut_run_options_default();
    options.solver = solver;
    options.formulation = formulation;
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, NULL), TAUT_OK);
    assert_int_equal(taut_simulate(model, &options, &result, &errors), wanted);
    if (strncmp(errors.item[0].message, words, strlen(words)) != 0)
        assert_string_equal(errors.item[0].message, words);
    taut_result_free(&result);
    taut_model_free(&model);
}

/* ---- units ---- */

#define OSCILLATOR(formula)                                                                        \
    "PhysicalParams: {m: 3, g: 9.81, k: 5}\n"                                                      \
    "Lagrangian:\n"                                                                                \
    "  Coordinates: [x]\n"                                                                         \
    "  L: \"" formula "\"\n"                                                                       \
    "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}\n"

static void test_a_unit_that_is_a_parameter_has_two_readings(void **state) {
    (void)state;
    static const char *const none[1] = {0};
    refuses(OSCILLATOR("0.5 m * x'^2 - m*g*x - k/2*x^2"),
            "'0.5 m' can be read in two ways, since m is a unit and the parameter on line 1: write "
            "0.5*m for the product with the parameter, or give the parameter another name for the "
            "unit");
    refuses(OSCILLATOR("0.5 m*x'^2 - m*g*x - k/2*x^2"),
            "'0.5 m' can be read in two ways, since m is a unit and the parameter on line 1: write "
            "0.5*m for the product with the parameter, or give the parameter another name for the "
            "unit");
    warns(OSCILLATOR("0.5*m*x'^2 - m*g*x - k/2*x^2"), 0, none);
    warns(OSCILLATOR("m*x'^2/2 - m*g*x - k*x*0.5 s*m/2"), 0, none); /* a compound is a unit */
    warns(OSCILLATOR("m*x'^2/2 - m*g*x - k*x^2/2 + 2 m/s*x"), 0, none);
    refuses(OSCILLATOR("0.5 m^2 * x'^2 - m*g*x - k/2*x^2"), /* ... unless all of it is no unit */
            "'0.5 m^2' can be read in two ways, since m is a unit and the parameter on line 1: "
            "write 0.5*m^2 for the product with the parameter, or give the parameter another name "
            "for the unit");
}

static void test_a_unit_that_is_a_variable_has_two_readings(void **state) {
    (void)state;
    static const char *const none[1] = {0};
    refuses("Lagrangian:\n  Coordinates: [m]\n  L: \"m'^2/2 - 2 m\"\n"
            "ProblemData: {tend: 1, positions: {m: 1}}\n",
            "'2 m' can be read in two ways, since m is a unit and the variable on line 2: write "
            "2*m for the product with the variable, or give the variable another name for the "
            "unit");
    refuses("Define: {N: 3}\nLagrangian:\n  Coordinates: [x]\n  L: \"0.5 N*x'^2\"\n"
            "ProblemData: {tend: 1, positions: {x: 1}}\n",
            "'0.5 N' can be read in two ways, since N is a unit and the name on line 1: write "
            "0.5*N for the product with the name, or give the name another name for the unit");
#define SLIDER(force)                                                                              \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], u: [1, 0]}\n  Collinears: {OuN: s}\n"           \
    "  Particles: {N: 2}\nAppliedForces: {Forces: {s: " force "}}\n"                               \
    "ProblemData: {tend: 2 s, positions: {s: 1 m}}\n" /* numbers: no variable can be meant */
    refuses(SLIDER("-10 s"),
            "'10 s' can be read in two ways, since s is a unit and the name on line 4: write 10*s "
            "for the product with the name, or give the name another name for the unit");
    warns(SLIDER("-10 N"), 0, none); /* a point is no number */
}

static void test_a_unit_needs_a_number(void **state) {
    (void)state;
    refuses("DAE:\n  Variables: [x]\n  Equations: [\"x' - sin((10 + 20) deg)\"]\n"
            "ProblemData: {tend: 1, positions: {x: 0}}\n",
            "a unit needs a number right before it: write *1 deg");
    refuses("DAE:\n  Variables: [x]\n  Equations: [\"x' - x deg\"]\n"
            "ProblemData: {tend: 1, positions: {x: 0}}\n",
            "a unit needs a number right before it: write *1 deg");
}

static void test_names_with_an_index_are_to_be_quoted(void **state) {
    (void)state;
    refuses("Dimension: 2\nPartData:\n  Rigids:\n"
            "    Repeat: {i: 1..2, \"b{i}\": {Elements: [P{i}, Q{i}], Geom: [[1]]}}\n",
            "a name with an index in braces must be quoted: \"P{i}\"");
}

/* ---- what is hardly meant ---- */

#define PLANE(bodies, forces, positions)                                                           \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0]}\n"                                                                       \
    "  Rigids:\n"                                                                                  \
    "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n" bodies "Angles: {phi: OA}\n" forces          \
    "ProblemData: {tend: 2, positions: {" positions "}}\n"

static void test_what_is_hardly_meant_is_warned_of(void **state) {
    (void)state;
    static const char *const turns[] = {
        "phi is an angle of 45 rad, more than a turn: if degrees are meant, write 45 deg; if not, "
        "45 rad says so",
        "phi is an angle of 90 rad, more than a turn: if degrees are meant, write 90 deg; if not, "
        "90 rad says so"};
    static const char *const up[] = {"gravity acts upwards, along +y: a number counts downwards, a "
                                     "vector is as it stands"};
    static const char *const loose[] = {"'BC' is attached to nothing: no joint, spring or common "
                                        "element connects it with the rest"};
    static const char *const large[] = {
        "the inertia of 'AB', 100, is that of its mass at a distance of 10, but it is only 1 "
        "large: check the units, or whether the inertia is about the centroid"};
    warns(PLANE("  TorsionSprings: {phi: [5, 45]}\n", "", "phi: 90"), 2, turns);
    warns(PLANE("", "AppliedForces: {Gravity: -9.81}\n", "phi: 1"), 1, up);
    warns(PLANE("", "AppliedForces: {Gravity: [0, 9.81]}\n", "phi: 1"), 1, up);
    warns(PLANE("    BC: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n", "",
                "phi: 1, B: [2, 0], C: [3, 0]"),
          1, loose);
    warns(PLANE("    BC: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n",
                "Friction: {f: {On: phi, Force: 1}}\n", "phi: 1, B: [2, 0], C: [3, 0]"),
          1, loose);
    warns(PLANE("    AB: {Geom: [[1]], Dyna: [[0.5], 1, 100]}\n", "", "phi: 1, B: [2, 0]"), 1,
          large);
    static const char *const driver[] = {
        "the driver of phi begins at 90 rad, more than a turn: if degrees are meant, write 90 deg; "
        "if not, 90 rad says so"};
    warns(PLANE("", "Drivers: {phi: 90 + 2*t}\n", "A: [1, 0]"), 1, driver);
    warns(PLANE("", "Drivers: {phi: 90 rad + 2*t}\n", "A: [1, 0]"), 0, driver);
    warns(PLANE("", "Drivers: {phi: 6*t + 90 deg}\n", "A: [1, 0]"), 0, driver);
}

static void test_what_may_well_be_meant_is_not_warned_of(void **state) {
    (void)state;
    static const char *const none[1] = {0};
    warns(PLANE("  TorsionSprings: {phi: [5, 45 rad]}\n", "AppliedForces: {Gravity: 9.81}\n",
                "phi: 2*pi*3"),
          0, none);
    warns(PLANE("    BC: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n  Springs: {AB: [10, 1]}\n", "",
                "phi: 400 deg, B: [2, 0], C: [3, 0]"),
          0, none);
    warns("Dimension: 2\nPartData:\n  Rigids:\n    BC: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
          "ProblemData: {tend: 1, positions: {B: [0, 0], C: [1, 0]}}\n",
          0, none); /* a body that flies */
    warns(PLANE("    BC: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n  Bushings: {b: {Points: [A, B], "
                "k: 10}}\n",
                "", "phi: 1, B: [2, 0], C: [3, 0]"),
          0, none);
    warns(PLANE("    BC: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n", "Contacts: {floor: {Gap: By}}\n",
                "phi: 1, B: [2, 0], C: [3, 0]"),
          0, none);
    warns(PLANE("    BC: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n", "Limits: {AB: {Upper: 2}}\n",
                "phi: 1, B: [2, 0], C: [3, 0]"),
          0, none);
}

static void test_one_number_is_the_inertia_of_a_rod(void **state) {
    (void)state;
    static const char *const none[1] = {0};
#define SPACE(elements, geom, dyna, positions)                                                     \
    "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0]}\n  Rigids:\n"                                \
    "    body: {Elements: " elements ", Geom: " geom ", Dyna: " dyna "}\n"                         \
    "ProblemData: {tend: 2, positions: {" positions "}}\n"
    refuses(SPACE("[O, A, B]", "[[1], [0, 1]]", "[[0.5], 1, 1/12]", "A: [1, 0, 0], B: [0, 1, 0]"),
            "one number is the inertia of a thin rod along local x, but 'body' is no rod: B is off "
            "that line; give three moments or a 3 x 3 matrix");
    refuses(
        SPACE("[O, A, u]", "[[1], [0, 1]]", "[[0.5, 0.1], 1, 1/12]", "A: [1, 0, 0], u: [0, 1, 0]"),
        "one number is the inertia of a thin rod along local x, but 'body' is no rod: its "
        "centroid is off that line; give three moments or a 3 x 3 matrix");
    warns(SPACE("[O, A, u]", "[[1], [0, 1]]", "[[0.5], 1, 1/12]", "A: [1, 0, 0], u: [0, 1, 0]"), 0,
          none);
}

static void test_what_is_used_is_not_called_unused(void **state) {
    (void)state;
    static const char *const none[1] = {0};
    warns("Dimension: 2\nPhysicalParams:\n  L: 1\n  Repeat: {i: 1..2, \"b{i}\": 0.1*i}\n"
          "PartData:\n  Fixed:\n    Repeat: {i: 1..2, \"B{i}\": \"[cos(b{i}), sin(b{i})]\"}\n"
          "  Springs: {B1P: [10, 0.2], B2P: [10, 0.2]}\n  Particles: {P: L}\n"
          "ProblemData: {tend: 1, positions: {P: [0, 0]}}\n",
          0, none);
    warns("Dimension: 2\nPhysicalParams: {d: 2}\nPartData: {Particles: {P: 1}}\n"
          "AppliedForces: {Forces: {P: [0, 1 N*d]}}\n"
          "ProblemData: {tend: 1, positions: {P: [0, 1]}}\n",
          0, none);
}

/* ---- runs ---- */

static void test_dead_points_are_named(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0], C: [3, 0]}\n"
                               "  Rigids:\n"
                               "    OA: {Geom: [[1.5]], Dyna: [[0.5], 1, 0.1]}\n"
                               "    AB: {Geom: [[1.2]], Dyna: [[0.6], 2, 1]}\n"
                               "    CB: {Geom: [[1.5]], Dyna: [[1], 2, 0.7]}\n"
                               "Angles: {phi: OA}\n"
                               "Drivers: {phi: t}\n"
                               "ProblemData: {tend: 5, positions: {A: [1.5, 0], B: [2.3, 0.8]}}\n";
    /* |A - C| = 2.7 at cos t = (2.25 + 9 - 7.29)/9: t = 1.11519... */
    static const char *const solver[] = {"taylor", "ho", "bdf", "adams", "erk", "ida"};
    static const char *const formulation[] = {"natural", "relative", "reference"};
    static const char words[] = "dead point at t = 1.115197";
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            stops(text, formulation[k], solver[i], TAUT_STEP_COLLAPSED, words);
    static const char *const ordinary[] = {"bdf", "adams", "erk", "auto"};
    for (int i = 0; i < 4; i++) stops(text, "minimal", ordinary[i], TAUT_STEP_COLLAPSED, words);
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, NULL), TAUT_OK);
    assert_int_equal(taut_simulate(model, NULL, &result, &errors), TAUT_STEP_COLLAPSED);
    assert_string_equal(strchr(errors.item[0].message, ':'),
                        ": the driver phi asks for a position that cannot be reached; stretched or "
                        "folded there: distance O-A of OA, distance A-B of AB, distance C-B of CB");
    taut_result_free(&result);
    taut_model_free(&model);
}

/* A direction of length 0, because one of its points has no value: that one is named. */
static void test_directions_that_lack_a_value_are_named(void **state) {
    (void)state;
#define DIRECTIONS(driver, positions)                                                              \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Particles: {B: 1, C: 2}\n"                   \
    "Angles: {phi: {From: B - O, To: C - B}}\n" driver                                             \
    "ProblemData: {tend: 1, positions: {Bx: 1, By: 0, Cx: 1" positions "}}\n"
    static const char words[] =
        "angle phi cannot be told at the initial point: one of its directions has no length there, "
        "since Cy has no value; list it under 'positions'";
    stops(DIRECTIONS("Drivers: {phi: 0.3 + t}\n", ""), "natural", "taylor", TAUT_ERR_INPUT, words);
    stops(DIRECTIONS("", ", phi: 0.4"), "natural", "taylor", TAUT_ERR_INPUT, words);
}

/* A thin rod with a direction across it, which nothing keeps from spinning. */
static void test_directions_without_inertia_are_named(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0]}\n  Rigids:\n"
        "    body: {Elements: [O, A, u], Geom: [[1], [0, 1]], Dyna: [[0.5], 1, 1/12]}\n"
        "ProblemData: {tend: 2, positions: {A: [1, 0, 0], u: [0, 1, 0]}}\n";
    static const char *const formulation[] = {"natural", "relative", "reference"};
    for (int i = 0; i < 3; i++)
        stops(text, formulation[i], "taylor", TAUT_ERR_INPUT,
              "accelerations do not follow: ux, uy, uz can turn without any inertia; give the body "
              "three moments of inertia (one number is that of a thin rod, which has none about "
              "its own line)");
}

/* ---- steps that collapse ---- */

static taut_stepper_stats no_steps(const taut_stepper *stepper) {
    (void)stepper;
    return (taut_stepper_stats){.steps = 3};
}

/* With the state to blame, by name, or without a word of one. */
/* x = 1 / (1 - t): where steps end is luck, but x is there what the step says. */
static void test_a_collapse_names_its_state_or_none(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    taut_run_options options = taut_run_options_default();
    options.solver = "taylor";
    assert_int_equal(taut_model_parse("m.yaml",
                                      "DAE:\n  Variables: [x]\n  Equations: [\"x' - x^2\"]\n"
                                      "ProblemData: {tend: 2, positions: {x: 1}}\n",
                                      -1, &model, NULL),
                     TAUT_OK);
    assert_int_equal(taut_simulate(model, &options, &result, &errors), TAUT_STEP_COLLAPSED);
    double step = 0.0, x = 0.0;
    assert_int_equal(sscanf(errors.item[0].message,
                            "the step size collapsed to %lf at t = 1: the solution seems to have a "
                            "singularity just beyond (x = %lf there)",
                            &step, &x),
                     2);
    assert_true(step > 1e-16 && step < 1e-14);
    assert_true(x > 1e13 && x < 1e16);
    taut_result_free(&result);
    taut_model_free(&model);
    errors = (taut_errors){0};
    const taut_method method = {.name = "none", .statistics = no_steps};
    const taut_stepper stepper = {.method = &method, .t = 2.0};
    const taut_system system = {0};
    taut_collapse_explain(&system, &stepper, 1e-15, NULL, 0.0, &errors);
    assert_string_equal(errors.item[0].message,
                        "the step size collapsed to 1e-15 at t = 2: the solution seems to have a "
                        "singularity just beyond");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_unit_that_is_a_parameter_has_two_readings),
        cmocka_unit_test(test_a_unit_that_is_a_variable_has_two_readings),
        cmocka_unit_test(test_a_unit_needs_a_number),
        cmocka_unit_test(test_names_with_an_index_are_to_be_quoted),
        cmocka_unit_test(test_what_is_hardly_meant_is_warned_of),
        cmocka_unit_test(test_what_may_well_be_meant_is_not_warned_of),
        cmocka_unit_test(test_one_number_is_the_inertia_of_a_rod),
        cmocka_unit_test(test_what_is_used_is_not_called_unused),
        cmocka_unit_test(test_dead_points_are_named),
        cmocka_unit_test(test_directions_that_lack_a_value_are_named),
        cmocka_unit_test(test_directions_without_inertia_are_named),
        cmocka_unit_test(test_a_collapse_names_its_state_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
