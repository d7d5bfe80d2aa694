/* The same as test_allocation, for comparisons with files, pages with surfaces and other runs,
 * studies in lanes, programs that simulations share, states, and compiled steps. (IPOPT throws
 * where memory ends: solve/nlp tries first whether there is enough.) */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "allocation_sweep.h"
#include "core/text.h"
#include "out/page_data.h"
#include "program.h"
#include "taut/program.h"
#include "taut/state.h"
#include "taut/taut.h"

enum { SAMPLE = 120 };

static const char PENDULUM[] =
    "PhysicalParams: {L: 1, g: 9.81, c: 0.2}\n"
    "Outputs: {y: a}\n"
    "Lagrangian: {Coordinates: [a], L: \"L^2*a'^2/2 + g*L*cos(a)\", Forces: {a: \"-c*a'\"}}\n"
    "ProblemData: {tend: 0.1, positions: {a: 0.3}, velocities: {a: 0},\n"
    "              fixedpositions: [a], fixedvelocities: [a]}\n";
static const char ROD[] =
    "PhysicalParams: {l: 1 m, k: 200 N/m}\n"
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], Q: [2, 0]}\n"
    "  Rigids: {OA: {Geom: [[l]], Dyna: [[0.5, 0], 1, 0.1], Mesh: {File: part.stl}}}\n"
    "  Springs: {QA: [k, 1]}\n"
    "ProblemData: {tend: 0.1, positions: {A: [1, 0]}}\n";
static const char SURFACE[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
                              "vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

static void sweep_text(allocation_task *use, const char *text) {
    allocation_sweep_text(use, text, SAMPLE);
}

static taut_run_options short_run(void) {
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = 1e-5;
    return options;
}

/* ---- compare --with ---- */

static taut_status use_difference(const taut_model *model) {
    taut_run_options run = short_run();
    taut_result *result = NULL;
    taut_diff *diff = NULL;
    double *times = NULL;
    char *text = NULL;
    taut_status status = taut_diff_times("other.csv", &times, &run.ats, &allocation_errors);
    run.at = times;
    if (status == TAUT_OK) status = taut_simulate(model, &run, &result, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_diff_result(result, "other.csv", &diff, &allocation_errors);
    if (status == TAUT_OK) status = taut_diff_text(diff, false, &text, &allocation_errors);
    if (status == TAUT_OK) status = taut_diff_write(diff, "diff.csv", &allocation_errors);
    taut_text_free(&text);
    taut_diff_free(&diff);
    taut_result_free(&result);
    taut_diff_times_free(&times);
    return allocation_done(status);
}

static void test_differences_survive(void **state) {
    (void)state;
    program_write("other.csv", "t,a\n0,0.3\n0.05,0.2964\n0.1,0.286\n", -1);
    sweep_text(use_difference, PENDULUM);
}

/* ---- pages ---- */

static taut_status use_page(const taut_model *model) {
    taut_run_options run = short_run();
    taut_result *result = NULL, *other = NULL;
    taut_string text = {0};
    run.every = TAUT_FOR_SCREEN;
    taut_status status = taut_simulate(model, &run, &result, &allocation_errors);
    if (status == TAUT_OK) status = taut_result_read("other.csv", &other, &allocation_errors);
    taut_page page = {.file = "model.yaml",
                      .model = model,
                      .result = result,
                      .errors = &allocation_errors,
                      .with = other,
                      .with_name = "other.csv"};
    if (status == TAUT_OK) status = taut_page_write(&page, "out.html", &allocation_errors);
    page.live = true;
    taut_settings_write(&page, &text);
    if (status == TAUT_OK && text.failed) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK && !strstr(text.text, "\"name\":\"k\",\"value\":200"))
        status = TAUT_ERR_IO;
    taut_string_release(&text);
    taut_result_free(&other);
    taut_result_free(&result);
    return allocation_done(status);
}

static void test_pages_survive(void **state) {
    (void)state;
    program_write("other.csv", "t,Ax,Ay\n0,1,0\n0.1,1,0.1\n", -1);
    program_write("part.stl", SURFACE, -1);
    sweep_text(use_page, ROD);
}

/* ---- studies in lanes, and their pages ---- */

static taut_status use_study(const taut_model *model) {
    static const taut_vary vary = {"L", "1..2:9"};
    static const taut_report report[] = {{NULL, "max(a)"}};
    taut_study *study = NULL;
    taut_study_options options = taut_study_options_default();
    options.run = short_run();
    options.vary = &vary;
    options.varies = 1;
    options.report = report;
    options.reports = 1;
    options.threads = 1;
    options.trace = "a";
    options.trace_rows = 3;
    taut_status status = taut_study_create(model, &options, &study, &allocation_errors);
    if (status == TAUT_OK) status = taut_study_run(study, &allocation_errors);
    if (status == TAUT_OK && taut_study_failed(study) > 0) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = taut_study_write(study, "out.html", 9, &allocation_errors);
    if (status == TAUT_OK) status = taut_study_write(study, "out.csv", 9, &allocation_errors);
    taut_study_free(&study);
    return status;
}

static void test_lanes_survive(void **state) {
    (void)state;
    sweep_text(use_study, PENDULUM);
}

/* ---- programs and states ---- */

static taut_status use_program(const taut_model *model) {
    const taut_run_options run = short_run();
    taut_program *program = NULL;
    taut_simulation *first = NULL, *second = NULL;
    taut_state *saved = NULL, *loaded = NULL;
    taut_status status = taut_program_create(model, &run, &program, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_simulation_create_from(program, &first, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulation_start(first, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulation_run_to(first, 0.05, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulation_get_state(first, &saved, &allocation_errors);
    if (status == TAUT_OK) status = taut_state_save(saved, "state.json", &allocation_errors);
    if (status == TAUT_OK) status = taut_state_load("state.json", &loaded, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_simulation_create_from(program, &second, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulation_set_state(second, loaded, &allocation_errors);
    if (status == TAUT_OK) status = taut_simulation_run_to(second, 0.1, &allocation_errors);
    taut_state_free(&saved);
    taut_state_free(&loaded);
    taut_simulation_free(&first);
    taut_simulation_free(&second);
    taut_program_free(&program);
    return allocation_done(status);
}

static void test_programs_and_states_survive(void **state) {
    (void)state;
    sweep_text(use_program, PENDULUM);
}

/* ---- compiled steps ---- */

static taut_status use_compiled(const taut_model *model) {
    taut_run_options run = short_run();
    taut_result *result = NULL;
    run.compile = true;
    taut_status status = taut_simulate(model, &run, &result, &allocation_errors);
    taut_result_free(&result);
    return allocation_done(status);
}

static void test_compiled_steps_survive(void **state) {
    (void)state;
    char here[1000];
    assert_non_null(getcwd(here, sizeof here));
    setenv("XDG_CACHE_HOME", here, 1);
    allocation_sweep_text(use_compiled, PENDULUM, 10 * SAMPLE); /* every one */
    unsetenv("XDG_CACHE_HOME");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_differences_survive),    TEST(test_pages_survive),
        TEST(test_lanes_survive),          TEST(test_programs_and_states_survive),
        TEST(test_compiled_steps_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
