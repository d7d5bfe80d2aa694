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
#include "task/study.h"
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

/* ---- writers alone: every one of their allocations (matio and HDF5 do not check theirs) ---- */

static struct {
    taut_model *model;
    taut_result *result;
    taut_linear *linear;
    taut_study *study;
} ready;

static void must(taut_status status) {
    if (status != TAUT_OK)
        fail_msg("%s", allocation_errors.count ? allocation_errors.item[0].message : "");
}

static void get_ready(const char *text) {
    allocation_errors.count = 0;

    static const taut_vary vary = {"k", "1..2:2"};
    static const taut_report report[] = {{"r", "end(Ax)"}};
    taut_run_options run = short_run();
    taut_linear_options shapes = taut_linear_options_default();
    taut_study_options options = taut_study_options_default();
    run.every = TAUT_FOR_SCREEN;
    shapes.shapes = true;
    options.run = short_run();
    options.vary = &vary;
    options.varies = 1;
    options.report = report;
    options.reports = 1;
    options.threads = 1;
    program_write("m.yaml", text, -1);
    must(taut_model_read("m.yaml", NULL, 0, &ready.model, &allocation_errors));
    must(taut_simulate(ready.model, &run, &ready.result, &allocation_errors));
    must(taut_linearize(ready.model, NULL, &shapes, &ready.linear, &allocation_errors));
    must(taut_study_create(ready.model, &options, &ready.study, &allocation_errors));
    must(taut_study_run(ready.study, &allocation_errors));
}

static void put_away(void) {
    taut_study_free(&ready.study);
    taut_linear_free(&ready.linear);
    taut_result_free(&ready.result);
    taut_model_free(&ready.model);
}

static taut_status use_texts(const char *path) {
    (void)path;
    char *text[3] = {NULL};
    double *times = NULL;
    int count;
    taut_plot_options plot = taut_plot_options_default();
    taut_state *loaded = NULL;
    static const char *const nobody[] = {"nobody"};
    plot.column = nobody;
    plot.columns = 1;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_schema(&text[0]);
    if (status == TAUT_OK)
        status = taut_freedom_text(ready.model, taut_result_stats(ready.result), &text[1],
                                   &allocation_errors);
    if (status == TAUT_OK) status = taut_linear_modes(ready.linear, &text[2]);
    if (status == TAUT_OK)
        status = taut_diff_times("other.csv", &times, &count, &allocation_errors);
    if (status == TAUT_OK) status = taut_state_load("a.state", &loaded, &allocation_errors);
    if (status == TAUT_OK) {
        status = taut_plot_check(ready.result, &plot, &allocation_errors);
        if (status == TAUT_ERR_CALL) status = TAUT_OK; /* there is none of this name */
    }
    for (int i = 0; i < 3; i++) taut_text_free(&text[i]);
    taut_diff_times_free(&times);
    taut_state_free(&loaded);
    return allocation_done(status);
}

static taut_status use_pages(const char *path) {
    (void)path;
    const taut_page run = {.file = "m.yaml", .model = ready.model, .result = ready.result};
    const taut_page modes = {
        .file = "m.yaml", .model = ready.model, .result = ready.result, .modes = ready.linear};
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_page_write(&run, "out.html", &allocation_errors);
    if (status == TAUT_OK) status = taut_page_write(&modes, "out.html", &allocation_errors);
    return allocation_done(status);
}

static taut_status use_tables(const char *path) {
    (void)path;
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = TAUT_OK;
    if (status == TAUT_OK) status = taut_linear_write(ready.linear, "out.json", &allocation_errors);
    if (status == TAUT_OK) status = taut_study_write(ready.study, "out.npy", 9, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_study_write(ready.study, "out.json", 9, &allocation_errors);
    if (status == TAUT_OK)
        status = taut_study_write_traces(ready.study, "traces.csv", 9, &allocation_errors);
    return allocation_done(status);
}

static taut_status use_journal(const char *path) {
    allocation_errors.count = allocation_errors.dropped = 0;
    taut_status status = taut_study_keep(ready.study, path, false, &allocation_errors);
    if (status == TAUT_OK) status = taut_study_keep(ready.study, path, true, &allocation_errors);
    if (ready.study->keeper) ready.study->keeper->free(ready.study->keeper);
    ready.study->keeper = NULL;
    return allocation_done(status);
}

static void test_writers_survive(void **state) {
    enum { ALL = 1000000 };
    (void)state;
    taut_simulation *s = NULL;
    taut_state *x = NULL;
    const taut_run_options run = short_run();
    program_write("other.csv", "t,Ax\n0,1\n0.1,1\n", -1);
    program_write("part.stl", SURFACE, -1);
    get_ready(ROD);
    assert_int_equal(taut_simulation_create(ready.model, &run, &s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_get_state(s, &x, NULL), TAUT_OK);
    assert_int_equal(taut_state_save(x, "a.state", NULL), TAUT_OK);
    taut_state_free(&x);
    taut_simulation_free(&s);
    allocation_sweep(use_texts, "texts", ALL);
    allocation_sweep(use_pages, "pages", ALL);
    allocation_sweep(use_tables, "tables", ALL);
    allocation_sweep(use_journal, "journal", ALL);
    put_away();
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
        TEST(test_compiled_steps_survive), TEST(test_writers_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
