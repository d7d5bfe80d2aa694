/* The same as test_allocation, for analyses, studies, exports, plots, imports, and models
 * with contacts. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "allocation_sweep.h"
#include "program.h"
#include "taut/import.h"
#include "taut/taut.h"

enum { SAMPLE = 120 };

static const char PENDULUM[] =
    "PhysicalParams: {L: 1, g: 9.81, c: 0.2}\n"
    "Inputs: {M: 0}\n"
    "Outputs: {y: a}\n"
    "Lagrangian: {Coordinates: [a], L: \"L^2*a'^2/2 + g*L*cos(a)\", Forces: {a: \"M - c*a'\"}}\n"
    "ProblemData: {tend: 0.1, positions: {a: 0.3}, velocities: {a: 0},\n"
    "              fixedpositions: [a], fixedvelocities: [a]}\n";
static const char CRANK[] = "Dimension: 2\n"
                            "PartData:\n"
                            "  Fixed: {O: [0, 0]}\n"
                            "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5, 0], 1, 0.1]}}\n"
                            "AppliedForces: {Gravity: }\n"
                            "Angles: {phi: OA}\n"
                            "Drivers: {phi: 0.3 + t}\n"
                            "ProblemData: {tend: 0.1, positions: {phi: 0.3}}\n";

static void sweep_text(allocation_task *use, const char *text) {
    allocation_sweep_text(use, text, SAMPLE);
}

static taut_run_options short_run(void) {
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = 1e-5;
    return options;
}

/* ---- contacts and what changes in a run ---- */

static taut_status use_run(const taut_model *model) {
    taut_result *result = NULL;
    const taut_run_options options = short_run();
    taut_status status = taut_simulate(model, &options, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 9, &allocation_errors);
    taut_result_free(&result);
    return status;
}

static void test_contacts_survive(void **state) {
    (void)state;
    sweep_text(use_run, "Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0], u: [1, 0]}\n"
                        "  Particles: {C: 1, D: 2}\n"
                        "AppliedForces: {Gravity: }\n"
                        "Contacts:\n"
                        "  floor: {Point: C, On: {Line: [O, u]}, Restitution: 0.5, Friction: 0.2}\n"
                        "  hill: {Point: D, On: {Curve: y - 0.1*x^2}, Friction: 0.1}\n"
                        "ProblemData: {tend: 0.3, positions: {C: [0, 0.3], D: [1, 0.2]},\n"
                        "              velocities: {C: [0.3, 0], D: [0.1, 0]}}\n");
}

/* A circle on a curve, whose place at the start is searched. */
static void test_rims_survive(void **state) {
    (void)state;
    sweep_text(use_run, "Dimension: 2\n"
                        "PartData: {Fixed: {O: [0.1, 0]}, Particles: {C: 1}}\n"
                        "AppliedForces: {Gravity: }\n"
                        "Contacts: {hill: {Circle: [C, 0.1], On: {Curve: y - 0.1*x^2 - O.y}}}\n"
                        "ProblemData: {tend: 0.1, positions: {C: [0, 0.3]}}\n");
}

static void test_joints_that_rub_and_break_survive(void **state) {
    (void)state;
    sweep_text(use_run, "Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0]}\n"
                        "  Rigids:\n"
                        "    OA: {Geom: [[1]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                        "    BC: {Geom: [[1]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                        "  Joints: {pin: {Type: revolute, Points: [A, B], Angle: psi}}\n"
                        "AppliedForces: {Gravity: }\n"
                        "Angles: {phi: OA}\n"
                        "Limits: {phi: {Lower: -2, Upper: 0.5, Restitution: 0.3}}\n"
                        "Friction: {bearing: {Joint: pin, Coefficient: 0.1, Radius: 0.05}}\n"
                        "Breaks: {sling: {Joint: ground-OA, When: t > 0.05}}\n"
                        "ProblemData: {tend: 0.1, positions: {A: [1, 0], C: [2, 0]}}\n");
}

static void test_locks_and_controllers_survive(void **state) {
    (void)state;
    sweep_text(use_run,
               "Tables: {f: {Points: [[0, 0], [1, 1], [2, 3]], Outside: extend}}\n"
               "Inputs: {M: 0}\n"
               "Discrete: {n: 0}\n"
               "Lagrangian:\n"
               "  Coordinates: [a, b]\n"
               "  L: a'^2/2 + b'^2/2 - a^2 - b^2\n"
               "  Forces: {a: M - f(t)}\n"
               "Locks: {clutch: {On: a - b, When: t > 0.05, Capacity: 5}}\n"
               "Friction: {drag: {On: b, Force: 0.1}}\n"
               "Events: {e: {When: a - 0.9, Do: {n: n + 1}}}\n"
               "Controllers: {pd: {Every: 0.02, States: {s: 0}, Next: {s: s + a}, Out: {M: -s}}}\n"
               "ProblemData: {tend: 0.1, positions: {a: 1, b: 0.9}}\n");
}

/* ---- analyses ---- */

static taut_status use_linear(const taut_model *model) {
    taut_linear *linear = NULL;
    taut_result *response = NULL, *course = NULL;
    taut_state *rest = NULL;
    char *text = NULL, *modes = NULL;
    const taut_response_options bode = {.input = "M", .output = "y", .points = 11};
    taut_run_options options = short_run();
    taut_status status = taut_equilibrium(model, &options, &rest, &allocation_errors);
    options.from = rest;
    if (status == TAUT_OK)
        status = taut_linearize(model, &options, NULL, &linear, &allocation_errors);
    if (status == TAUT_OK) status = taut_linear_text(linear, true, &text);
    if (status == TAUT_OK) status = taut_linear_modes(linear, &modes);
    if (status == TAUT_OK) status = taut_linear_course(linear, &course, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_linear_response(linear, 0, &bode, &response, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(response, "out.csv", 9, &allocation_errors);
    taut_text_free(&text);
    taut_text_free(&modes);
    taut_result_free(&response);
    taut_result_free(&course);
    taut_linear_free(&linear);
    taut_state_free(&rest);
    return status;
}

static void test_linearisation_survives(void **state) {
    (void)state;
    sweep_text(use_linear, PENDULUM);
}

static taut_status use_floquet(const taut_model *model) {
    taut_floquet *floquet = NULL;
    const taut_run_options options = short_run();
    taut_status status =
        taut_floquet_find(model, &options, NULL, 0.1, &floquet, &allocation_errors);
    taut_floquet_free(&floquet);
    return allocation_done(status);
}

static void test_periods_survive(void **state) {
    (void)state;
    sweep_text(use_floquet, PENDULUM);
}

static taut_status use_inverse(const taut_model *model) {
    taut_result *result = NULL;
    const taut_run_options options = short_run();
    taut_status status = taut_inverse(model, &options, NULL, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 9, &allocation_errors);
    taut_result_free(&result);
    return status;
}

static taut_status use_kinematics(const taut_model *model) {
    taut_kinematics *found = NULL;
    char *text = NULL;
    taut_kinematics_options options = taut_kinematics_options_default();
    options.drive = "phi=0.3..0.4:3";
    taut_status status = taut_kinematics_find(model, &options, &found, &allocation_errors);
    if (status == TAUT_OK) status = taut_kinematics_text(found, &text);
    if (status == TAUT_OK)
        status = taut_result_write(taut_kinematics_result(found), "out.csv", 9, &allocation_errors);
    taut_text_free(&text);
    taut_kinematics_free(&found);
    return status;
}

static void test_prescribed_motions_survive(void **state) {
    (void)state;
    sweep_text(use_inverse, CRANK);
    sweep_text(use_kinematics, CRANK);
}

static taut_status use_sensitivity(const taut_model *model) {
    taut_result *result = NULL;
    taut_run_options options = short_run();
    options.sensitivity = "L,c";
    taut_status status = taut_simulate(model, &options, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 9, &allocation_errors);
    taut_result_free(&result);
    return status;
}

static void test_sensitivities_survive(void **state) {
    (void)state;
    sweep_text(use_sensitivity, PENDULUM);
}

/* ---- studies ---- */

static taut_status use_study(const taut_model *model) {
    static const taut_vary vary = {"L", "1..2:2"};
    static const taut_report report[] = {{NULL, "max(a)"}, {NULL, "rms(a)"}};
    taut_study *study = NULL;
    taut_study_options options = taut_study_options_default();
    options.run = short_run();
    options.vary = &vary;
    options.varies = 1;
    options.report = report;
    options.reports = 2;
    options.threads = 1;
    options.trace = "a";
    options.trace_rows = 5;
    taut_status status = taut_study_create(model, &options, &study, &allocation_errors);
    if (status == TAUT_OK) status = taut_study_run(study, &allocation_errors);
    if (status == TAUT_OK && taut_study_failed(study) > 0) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = taut_study_write(study, "out.csv", 9, &allocation_errors);
    taut_study_free(&study);
    return status;
}

static taut_status use_optimum(const taut_model *model) {
    static const taut_bounded L = {"L", 0.5, 2.0, false};
    taut_optimum *optimum = NULL;
    char *text = NULL;
    taut_optimize_options options = taut_optimize_options_default();
    options.run = short_run();
    options.variable = &L;
    options.variables = 1;
    options.minimize = "(end(a) - 0.27)^2";
    options.method = "search";
    options.most = 5;
    taut_status status = taut_optimize(model, &options, &optimum, &allocation_errors);
    if (status == TAUT_OK) status = taut_optimum_text(optimum, NULL, &text, &allocation_errors);
    taut_text_free(&text);
    taut_optimum_free(&optimum);
    return allocation_done(status);
}

static taut_status use_fit(const taut_model *model) {
    static const double t[] = {0.02, 0.05, 0.1}, a[] = {0.2994, 0.2964, 0.286};
    static const char *const column[] = {"a"};
    static const taut_bounded L = {"L", 0.5, 2.0, false};
    static const taut_measurement measured = {
        .name = "m", .t = t, .rows = 3, .column = column, .columns = 1, .value = a};
    taut_estimates *estimates = NULL;
    taut_estimate_options options = taut_estimate_options_default();
    options.run = short_run();
    options.variable = &L;
    options.variables = 1;
    options.measurement = &measured;
    options.measurements = 1;
    options.most = 10;
    taut_status status = taut_estimate(model, &options, &estimates, &allocation_errors);
    taut_estimates_free(&estimates);
    return allocation_done(status);
}

/* Measurements that the model names, in a file of its folder. */
static taut_status use_own_data(const char *path) {
    taut_model *model = NULL;
    taut_estimates *estimates = NULL;
    taut_estimate_options options = taut_estimate_options_default();
    const taut_read_options reading = taut_read_options_default();
    allocation_errors.count = allocation_errors.dropped = 0;
    options.run = short_run();
    options.most = 10;
    taut_status status = taut_model_read_with(path, &reading, &model, &allocation_errors);
    if (status == TAUT_OK) status = taut_estimate(model, &options, &estimates, &allocation_errors);
    taut_estimates_free(&estimates);
    taut_model_free(&model);
    return allocation_done(status);
}

static void test_measurements_survive(void **state) {
    (void)state;
    program_write("data.csv", "t,x\n0.1,0.985\n0.2,0.941\n", -1);
    program_write("fit.yaml",
                  "PhysicalParams: {k: 3}\n"
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + k*x]}\n"
                  "Study: {Variables: {k: [1, 20]}, Experiments: {first: {Data: data.csv}}}\n"
                  "ProblemData: {t0: 0, tend: 0.2, positions: {x: 1, v: 0}}\n",
                  -1);
    allocation_sweep(use_own_data, "fit.yaml", SAMPLE);
}

static void test_studies_survive(void **state) {
    (void)state;
    sweep_text(use_study, PENDULUM);
    sweep_text(use_optimum, PENDULUM);
    sweep_text(use_fit, PENDULUM);
}

/* ---- exports, plots, differences ---- */

static taut_status use_export(const taut_model *model) {
    taut_export_options options = taut_export_options_default();
    options.run.rtol = 1e-4;
    taut_status status =
        taut_export_c(model, &options, "exported", "pendulum", NULL, &allocation_errors);
    options.sources = true;
    if (status == TAUT_OK)
        status = taut_export_fmu(model, &options, "out.fmu", NULL, NULL, &allocation_errors);
    return allocation_done(status);
}

static void test_exports_survive(void **state) {
    (void)state;
    sweep_text(use_export, PENDULUM);
}

static taut_status use_plot(const taut_model *model) {
    static const char *const column[] = {"a", "a'"};
    taut_result *result = NULL;
    taut_diff *diff = NULL;
    char *text = NULL, *words = NULL;
    const taut_run_options run = short_run();
    taut_plot_options options = taut_plot_options_default();
    options.column = column;
    options.columns = 2;
    taut_status status = taut_simulate(model, &run, &result, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_plot_write(model, result, &options, "out.svg", &allocation_errors);
    options.text = options.unicode = true;
    if (status == TAUT_OK)
        status = taut_plot_draw(model, result, &options, &text, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_write(result, "out.csv", 17, &allocation_errors);
    if (status == TAUT_OK) status = taut_diff_result(result, "out.csv", &diff, &allocation_errors);
    if (status == TAUT_OK) status = taut_diff_text(diff, true, &words, &allocation_errors);
    taut_text_free(&text);
    taut_text_free(&words);
    taut_diff_free(&diff);
    taut_result_free(&result);
    return status;
}

static void test_plots_survive(void **state) {
    (void)state;
    sweep_text(use_plot, PENDULUM);
}

/* ---- models of other programs ---- */

static taut_status use_import(const char *path) {
    char *text = NULL, *left_out = NULL;
    allocation_errors.count = allocation_errors.dropped = 0;
    const taut_status status = taut_import(path, &text, &left_out, &allocation_errors);
    taut_text_free(&text);
    taut_text_free(&left_out);
    return allocation_done(status);
}

static void test_imports_survive(void **state) {
    (void)state;
    allocation_sweep(use_import, TAUT_SOURCE_DIR "/tests/models/import/arm.urdf", SAMPLE);
    allocation_sweep(use_import, TAUT_SOURCE_DIR "/tests/models/import/tree.xml", SAMPLE);
}

int main(int count, char **word) {
    if (count > 1) cmocka_set_test_filter(word[1]);
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_contacts_survive),
        TEST(test_rims_survive),
        TEST(test_measurements_survive),
        TEST(test_joints_that_rub_and_break_survive),
        TEST(test_locks_and_controllers_survive),
        TEST(test_linearisation_survives),
        TEST(test_periods_survive),
        TEST(test_prescribed_motions_survive),
        TEST(test_sensitivities_survive),
        TEST(test_studies_survive),
        TEST(test_exports_survive),
        TEST(test_plots_survive),
        TEST(test_imports_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
