/* What a caller allows: progress is asked while a start is looked for, and an answer is obeyed at
 * once; tables and matrices that are too large are refused before they are begun. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "core/bounds.h"
#include "core/clock.h"
#include "core/text.h"
#include "taut/taut.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double AT_ONCE = 5.0;
#else
static const double AT_ONCE = 0.5; /* seconds of the program; a busy machine stretches them */
#endif

/* ---- bounds themselves ---- */

static int count_calls(void *user) { return ++*(int *)user > 2; }

static void wait_for(double seconds) {
    for (const double end = taut_seconds() + seconds; taut_seconds() < end;) continue;
}

static void test_stop_is_kept_and_asked_rarely(void **state) {
    (void)state;
    int calls = 0, others = 0;
    taut_bounds bounds = {.stop = count_calls, .user = &calls};
    taut_bounds inner = {.stop = count_calls, .user = &others};
    assert_int_equal(taut_bounds_ask(), TAUT_OK); /* nobody to ask */
    taut_bounds_begin(&bounds);
    for (int i = 0; i < 1000; i++) assert_int_equal(taut_bounds_ask(), TAUT_OK);
    assert_true(calls <= 2);
    for (int i = 0; i < 3; i++) {
        wait_for(0.03);
        taut_bounds_ask();
    }
    assert_int_equal(taut_bounds_ask(), TAUT_INTERRUPTED);
    assert_int_equal(calls, 3);
    taut_bounds_begin(&inner); /* its own caller counts */
    assert_int_equal(taut_bounds_ask(), TAUT_OK);
    taut_bounds_end(&inner);
    assert_int_equal(taut_bounds_ask(), TAUT_INTERRUPTED);
    taut_bounds_end(&bounds);
    assert_int_equal(taut_bounds_ask(), TAUT_OK);
}

static void test_sizes_are_told(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_bounds bounds = {.memory = 8e3};
    assert_int_equal(taut_bounds_check("it", 1e4, 1e4, &errors), TAUT_OK);
    taut_bounds_begin(&bounds);
    assert_int_equal(taut_bounds_check("it", 100, 10, &errors), TAUT_OK);
    assert_int_equal(taut_bounds_check("it", 100, 11, &errors), TAUT_ERR_INPUT);
    taut_bounds_end(&bounds);
    assert_non_null(strstr(errors.item[0].message, "it would have 100 rows and 11 columns"));
    assert_int_equal(taut_bounds_check("it", 1e5, 1e4, &errors), TAUT_ERR_INPUT);
}

/* ---- runs ---- */

/* Stops after a while, and notes when it has said so. */
typedef struct caller {
    double begun, patience, said;
    double fraction; /* at the last call */
    bool always;     /* says so again and again */
} caller;

static int be_patient(void *user, double fraction) {
    caller *c = user;
    c->fraction = fraction;
    if (taut_seconds() - c->begun < c->patience || (c->said > 0.0 && !c->always)) return 0;
    if (c->said == 0.0) c->said = taut_seconds();
    return 1;
}

/* The run must be stopped by the caller, before its first step, and end soon. */
static void expect_stop(const char *text, int starts, bool always) {
    taut_model *model;
    taut_result *result;
    static taut_errors errors;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, &errors), TAUT_OK);
    caller c = {.begun = taut_seconds(), .patience = 0.1, .always = always};
    taut_run_options o = taut_run_options_default();
    o.starts = starts;
    o.progress = be_patient;
    o.user = &c;
    const taut_status status = taut_simulate(model, &o, &result, &errors);
    const double after = taut_seconds() - c.said;
    print_message("    %.3f s, %s\n", after, errors.count ? errors.item[0].message : "");
    assert_int_equal(status, TAUT_INTERRUPTED);
    assert_string_equal(errors.item[0].message, "interrupted before the first step");
    assert_true(c.fraction == 0.0);
    if (after > AT_ONCE) fail_msg("it goes on for %.2f s", after);
    taut_result_free(&result);
    taut_model_free(&model);
}

/* A four-bar whose assemblies are looked for from very many starts. */
static void test_starts_can_be_stopped(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], Q: [1, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.4]], Dyna: [[0.2], 1, 0.1]}\n"
        "    AB: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
        "    QB: {Geom: [[0.7]], Dyna: [[0.3], 1, 0.1]}\n"
        "ProblemData: {tend: 1, positions: {A: [0.1, 0.4], B: [1.2, 0.6]}}\n";
    expect_stop(text, 10000, true);
    expect_stop(text, 10000, false); /* once is enough */
}

/* Positions along a coordinate, further assemblies and targets: nothing is kept. */
static void test_kinematics_can_be_stopped(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], Q: [1, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.4, 0]]}\n"
        "    AB: {Geom: [[1, 0]]}\n"
        "    QB: {Geom: [[0.7, 0]]}\n"
        "Angles: {phi: OA}\n"
        "ProblemData: {tend: 1, positions: {A: [0.1, 0.4], B: [1.2, 0.6]}}\n";
    static const char *const far[] = {"B=9,9"};
    const struct {
        const char *drive;
        int starts;
    } way[] = {{"phi=0..3600000deg:1000001", 0}, {"phi=0..360deg:1001", 100000}, {NULL, 100000}};
    static taut_errors errors;
    taut_model *model;
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, &errors), TAUT_OK);
    for (int i = 0; i < 3; i++) {
        taut_kinematics *k = NULL;
        caller c = {.begun = taut_seconds(), .patience = 0.1, .fraction = 1.0};
        taut_kinematics_options o = taut_kinematics_options_default();
        o.drive = way[i].drive;
        o.reach = far;
        o.reaches = o.drive ? 0 : 1;
        o.starts = way[i].starts;
        o.progress = be_patient;
        o.user = &c;
        errors.count = 0;
        assert_int_equal(taut_kinematics_find(model, &o, &k, &errors), TAUT_INTERRUPTED);
        const double after = taut_seconds() - c.said;
        print_message("    %.3f s\n", after);
        assert_null(k);
        assert_string_equal(errors.item[0].message, "interrupted");
        assert_true(c.fraction == 0.0);
        if (after > AT_ONCE) fail_msg("it goes on for %.2f s", after);
    }
    taut_model_free(&model);
}

/* Constraints that contradict each other: by all methods, IPOPT among them. */
static void test_assembly_can_be_stopped(void **state) {
    (void)state;
    taut_string text = {0};
    taut_string_add(&text, "Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0], Z: [60, 0]}\n  Rigids:\n"
                           "    Repeat: {i: 1..60, \"P{i-1}P{i}\": {Geom: [[1]], Dyna: [[0.5], 1, "
                           "0.1]}}\n  Joints: {end: {Type: revolute, Points: [P60, Z]}}\n"
                           "ProblemData: {tend: 1, positions: {Repeat: {i: 1..60, \"P{i}\": "
                           "[0.3*i*i, i]}}}\n");
    expect_stop(text.text, 10000, true);
    taut_string_release(&text);
}

/* ---- analyses ---- */

typedef taut_status deed(const taut_model *model, const taut_run_options *o, taut_errors *errors);

static taut_status analyze(const taut_model *model, const taut_run_options *o,
                           taut_errors *errors) {
    char *text;
    const taut_status status = taut_analyze_for(model, o, true, &text, errors);
    if (status != TAUT_OK && status != TAUT_ERR_INPUT) assert_null(text);
    taut_text_free(&text);
    return status;
}

static taut_status linearize(const taut_model *model, const taut_run_options *o,
                             taut_errors *errors) {
    taut_linear *linear;
    const taut_status status = taut_linearize(model, o, NULL, &linear, errors);
    taut_linear_free(&linear);
    return status;
}

static taut_status come_to_rest(const taut_model *model, const taut_run_options *o,
                                taut_errors *errors) {
    taut_state *at_rest;
    const taut_status status = taut_equilibrium(model, o, &at_rest, errors);
    taut_state_free(&at_rest);
    return status;
}

static taut_status find_floquet(const taut_model *model, const taut_run_options *o,
                                taut_errors *errors) {
    taut_floquet *floquet;
    const taut_status status = taut_floquet_find(model, o, NULL, 1.0, &floquet, errors);
    taut_floquet_free(&floquet);
    return status;
}

static taut_status linearize_late(const taut_model *model, const taut_run_options *options,
                                  taut_errors *errors) {
    const double end = 1e7;
    taut_run_options o = *options;
    o.starts = 0;
    o.at = &end;
    o.ats = 1;
    return linearize(model, &o, errors);
}

static taut_status find_gradient(const taut_model *model, const taut_run_options *o,
                                 const char *method, taut_errors *errors) {
    static const char *const result = "end(x)", *const name = "a";
    double value, derivative;
    taut_gradient_options options = taut_gradient_options_default();
    options.run = *o;
    options.run.starts = 0;
    options.result = &result;
    options.name = &name;
    options.results = options.names = 1;
    options.method = method;
    return taut_gradient_find(model, &options, &value, &derivative, errors);
}

static taut_status go_forward(const taut_model *model, const taut_run_options *o,
                              taut_errors *errors) {
    return find_gradient(model, o, "forward", errors);
}

static taut_status go_back(const taut_model *model, const taut_run_options *o,
                           taut_errors *errors) {
    return find_gradient(model, o, "adjoint", errors);
}

/* Code is written for the values of a whole run. */
static taut_status write_code(const taut_model *model, const taut_run_options *o,
                              taut_errors *errors) {
    taut_export_options options = taut_export_options_default();
    options.run = *o;
    options.run.starts = 0;
    return taut_export_c(model, &options, "/nowhere", "code", NULL, errors);
}

static taut_status write_unit(const taut_model *model, const taut_run_options *o,
                              taut_errors *errors) {
    taut_export_options options = taut_export_options_default();
    options.run = *o;
    options.run.starts = 0;
    options.sources = true;
    return taut_export_fmu(model, &options, "/nowhere/unit.fmu", NULL, NULL, errors);
}

/* A simulation that its caller starts. */
static taut_status start(const taut_model *model, const taut_run_options *o, taut_errors *errors) {
    taut_simulation *simulation;
    taut_status status = taut_simulation_create(model, o, &simulation, errors);
    if (status == TAUT_OK) status = taut_simulation_start(simulation, errors);
    taut_simulation_free(&simulation);
    return status;
}

static void expect_analysis_stops(deed *what, const char *text) {
    taut_model *model;
    static taut_errors errors;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, &errors), TAUT_OK);
    caller c = {.begun = taut_seconds(), .patience = 0.05, .always = true};
    taut_run_options o = taut_run_options_default();
    o.starts = 10000;
    o.progress = be_patient;
    o.user = &c;
    const taut_status status = what(model, &o, &errors);
    const double after = taut_seconds() - c.said;
    print_message("    %.3f s, %s\n", after, errors.count ? errors.item[0].message : "");
    assert_int_equal(status, TAUT_INTERRUPTED);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.item[0].message, "interrupted");
    if (after > AT_ONCE) fail_msg("it goes on for %.2f s", after);
    taut_model_free(&model);
}

static void test_analyses_can_be_stopped(void **state) {
    (void)state;
    /* sixty rods whose ends are nowhere near each other at the start */
    static const char chain[] =
        "Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0], Z: [70, 0]}\n  Rigids:\n"
        "    Repeat: {i: 1..60, \"P{i-1}P{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
        "  Joints: {end: {Type: revolute, Points: [P60, Z]}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..60, \"P{i}\": [0.3*i*i, i]}}}\n";
    /* a rod on a plane that falls, for ever: no kinetic damping brings it to rest */
    static const char falling[] =
        "PhysicalParams: {m: 2, l: 0.7, a: 0.4, J: 0.3}\n"
        "Lagrangian:\n"
        "  Coordinates: [s, r, q, p]\n"
        "  Define:\n"
        "    d: \"[cos(q)*cos(p), cos(q)*sin(p), sin(q)]\"\n"
        "    A: \"[1 + r, 2 + s*cos(a), 3 - s*sin(a)]\"\n"
        "    C: A + l*d\n"
        "  L: \"m/2*dot(C', C') + J/2*dot(d', d') - m*9.81*C.z\"\n"
        "ProblemData: {tend: 0.5, positions: {s: 0, r: 0, q: 0, p: 0}, velocities: {p: 1}}\n";
    deed *const all[] = {analyze, linearize, come_to_rest, find_floquet, start};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) expect_analysis_stops(all[i], chain);
    expect_analysis_stops(come_to_rest, falling);
}

/* Whoever needs a run first can be stopped while it goes on. */
static void test_runs_of_analyses_can_be_stopped(void **state) {
    (void)state;
    static const char endless[] =
        "PhysicalParams: {a: 1}\n"
        "DAE: {Variables: [x], Equations: [x'' + x^3 + a*x]}\n"
        "ProblemData: {tend: 1e7, positions: {x: 1}, velocities: {x: 0}}\n";
    deed *const all[] = {linearize_late, go_forward, go_back, write_code, write_unit};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) expect_analysis_stops(all[i], endless);
}

/* What they leave open, the bounds around them say. */
static void test_inner_bounds_take_over(void **state) {
    (void)state;
    int calls = 2;
    taut_errors errors = {0};
    taut_bounds outer = {.stop = count_calls, .user = &calls, .memory = 80.0}, inner = {0};
    assert_false(taut_bounds_are_set());
    taut_bounds_begin(&outer);
    taut_bounds_begin(&inner);
    assert_true(taut_bounds_are_set());
    assert_int_equal(taut_bounds_check("it", 11, 1, &errors), TAUT_ERR_INPUT);
    wait_for(0.03);
    assert_int_equal(taut_bounds_ask(), TAUT_INTERRUPTED);
    taut_bounds_end(&inner);
    taut_bounds_end(&outer);
}

/* Matrices of a linearisation at many points. */
static void test_linearisations_have_a_limit(void **state) {
    (void)state;
    taut_model *model;
    taut_linear *linear;
    static taut_errors errors;
    static double at[1000];
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_model_parse("m.yaml",
                                      "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                                      "ProblemData: {tend: 1, positions: {x: 1, v: 0}}\n",
                                      -1, &model, &errors),
                     TAUT_OK);
    for (int i = 0; i < 1000; i++) at[i] = 1e-3 * i;
    taut_run_options o = taut_run_options_default();
    o.at = at;
    o.ats = 1000;
    o.memory = 1000 * 2 * 2 * 8 - 1;
    assert_int_equal(taut_linearize(model, &o, NULL, &linear, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message,
                           "the matrices of all points would have 2000 rows and 2 columns"));
    o.memory += 1.0;
    errors.count = 0;
    assert_int_equal(taut_linearize(model, &o, NULL, &linear, &errors), TAUT_OK);
    assert_int_equal(taut_linear_points(linear), 1000);
    taut_linear_free(&linear);
    taut_model_free(&model);
}

/* Very many constraints beside few coordinates: what can be met, and their rank. */
static void test_rank_can_be_stopped(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
        "    OB: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
        "  Joints: {Repeat: {i: 1..1000, \"j{i}\": {Type: gear, Coordinates: [a, b], Ratio: "
        "i}}}\n"
        "Angles: {a: OA, b: OB}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0], B: [1, 0]}}\n";
    expect_stop(text, 0, true);
}

static void test_tables_have_a_limit(void **state) {
    (void)state;
    taut_model *model;
    taut_result *result;
    taut_errors errors = {0};
    assert_int_equal(taut_model_parse("m.yaml",
                                      "DAE: {Variables: [x], Equations: [\"x' - 1\"]}\n"
                                      "ProblemData: {tend: 1, positions: {x: 0}}\n",
                                      -1, &model, &errors),
                     TAUT_OK);
    taut_run_options o = taut_run_options_default();
    o.memory = 1001 * 3 * sizeof(double);
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_OK);
    taut_result_free(&result);
    o.memory -= 1.0;
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "the table would have 1001 rows and 3 columns"));
    assert_non_null(strstr(errors.item[0].message, "options.memory"));
    assert_null(result);
    o.memory = -1.0;
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_ERR_CALL);
    o.memory = 0.0;
    o.every = 2.1e-8; /* 48 million rows */
    o.derivatives = 12;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "GB"));
    assert_null(result);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop_is_kept_and_asked_rarely),
        cmocka_unit_test(test_sizes_are_told),
        cmocka_unit_test(test_starts_can_be_stopped),
        cmocka_unit_test(test_kinematics_can_be_stopped),
        cmocka_unit_test(test_assembly_can_be_stopped),
        cmocka_unit_test(test_rank_can_be_stopped),
        cmocka_unit_test(test_analyses_can_be_stopped),
        cmocka_unit_test(test_runs_of_analyses_can_be_stopped),
        cmocka_unit_test(test_inner_bounds_take_over),
        cmocka_unit_test(test_linearisations_have_a_limit),
        cmocka_unit_test(test_tables_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
