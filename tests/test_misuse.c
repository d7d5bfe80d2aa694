/* Wrong calls of every public function: NULL where an object is needed, numbers outside their
 * ranges, options that nobody has filled, strings that are gone. Nothing crashes; what has a status
 * is TAUT_ERR_CALL with a sentence, what has none returns something empty. test_installed checks
 * that no function of the headers is missing here. */
#include "check.h"

#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "taut/taut.h"

static const char MODEL[] = "DAE: {Variables: [x], Equations: [x' + x]}\n"
                            "ProblemData: {t0: 0, tend: 1, positions: {x: 1}}\n";

static taut_errors errors;
static char *text;

/* The call is wrong and says why. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        memset(&errors, 0, sizeof errors);                                                         \
        assert_int_equal((call), TAUT_ERR_CALL);                                                   \
        assert_int_equal(errors.count, 1);                                                         \
        assert_true(strlen(errors.item[0].message) > 10);                                          \
    } while (0)
/* The same of a call without a list of errors. */
#define QUIETLY_REFUSED(call) assert_int_equal((call), TAUT_ERR_CALL)
#define SAYS(words) assert_non_null(strstr(errors.item[0].message, (words)))

static taut_model *read_model(void) {
    taut_model *model = NULL;
    assert_int_equal(taut_model_parse("m.yaml", MODEL, -1, &model, NULL), TAUT_OK);
    return model;
}

static taut_result *simulate(const taut_model *model) {
    taut_result *result = NULL;
    assert_int_equal(taut_simulate(model, NULL, &result, NULL), TAUT_OK);
    return result;
}

static taut_simulation *start(const taut_model *model) {
    taut_simulation *s = NULL;
    assert_int_equal(taut_simulation_create(model, NULL, &s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    return s;
}

static void test_status_and_names(void **state) {
    (void)state;
    char small[4] = "xyz";
    assert_non_null(taut_status_text((taut_status)99));
    assert_int_equal(taut_error_format(NULL, small, 4), 0);
    assert_string_equal(small, "");
    const taut_error error = {.message = "wrong"};
    assert_true(taut_error_format(&error, NULL, 0) > 5);
    assert_true(taut_error_format(&error, NULL, -3) > 5);
    assert_int_equal(taut_text_show(NULL, small, 4), 0);
    assert_int_equal(taut_text_show("\033[1m", small, 4), 5);
    assert_string_equal(small, "\\e[");
    assert_int_equal(taut_text_show("\033", NULL, 0), 2);
    assert_int_equal(taut_text_show("\033", NULL, -1), 2);
    assert_null(taut_phase_name((taut_phase)-1));
    assert_null(taut_phase_name((taut_phase)99));
    assert_null(taut_formulation_name(-1));
    assert_null(taut_formulation_name(1000));
    assert_null(taut_solver_name(-1));
    assert_null(taut_solver_name(1000));
    assert_true(isnan(taut_digits((double)NAN)));
    assert_string_equal(taut_version(), TAUT_VERSION);
    snprintf(small, sizeof small, "%d.", TAUT_VERSION_MAJOR);
    assert_int_equal(strncmp(taut_version(), small, strlen(small)), 0);
}

static void test_models(void **state) {
    (void)state;
    taut_model *model = (taut_model *)1;
    const taut_override half = {"k", NULL};
    REFUSED(taut_model_read(NULL, NULL, 0, &model, &errors));
    assert_null(model);
    REFUSED(taut_model_read("m.yaml", NULL, 0, NULL, &errors));
    REFUSED(taut_model_read("m.yaml", NULL, 3, &model, &errors));
    REFUSED(taut_model_read("m.yaml", &half, 1, &model, &errors));
    REFUSED(taut_model_read("m.yaml", &half, -1, &model, &errors));
    REFUSED(taut_model_parse(NULL, MODEL, -1, &model, &errors));
    REFUSED(taut_model_parse("m.yaml", NULL, -1, &model, &errors));
    REFUSED(taut_model_parse("m.yaml", MODEL, -1, NULL, &errors));
    REFUSED(taut_model_parse_with(NULL, MODEL, -1, NULL, &model, &errors));
    REFUSED(taut_model_parse_with("m.yaml", NULL, -1, NULL, &model, &errors));
    REFUSED(taut_model_parse_with("m.yaml", MODEL, -1, NULL, NULL, &errors));
    REFUSED(taut_model_parse_with("m.yaml", MODEL, -1, &(taut_read_options){0}, &model, &errors));
    char *imported = NULL;
    REFUSED(taut_import(NULL, &imported, NULL, &errors));
    REFUSED(taut_import("m.urdf", NULL, NULL, &errors));
    double value = 0.0;
    assert_null(taut_model_parameter(NULL, 0, &value));
    assert_true(isnan(value));
    const taut_read_options bare = {.confine = true};
    REFUSED(taut_model_read_with("m.yaml", &bare, &model, &errors));
    SAYS("taut_read_options_default");
    REFUSED(taut_model_read_with(NULL, NULL, &model, &errors));
    REFUSED(taut_model_read_with("m.yaml", NULL, NULL, &errors));
    const taut_reading reading = {.inputs = 2};
    REFUSED(taut_model_read_driven("m.yaml", &reading, &model, &errors));
    REFUSED(taut_model_read_driven(NULL, NULL, &model, &errors));
    REFUSED(taut_model_read_driven("m.yaml", NULL, NULL, &errors));
    assert_null(taut_model_file(NULL, 0));
    taut_model_free(NULL);
    taut_model_free(&model);
    assert_int_equal(taut_model_warnings(NULL)->count, 0);
    REFUSED(taut_model_check(NULL, &errors));
    assert_string_equal(taut_model_title(NULL), "");
    assert_string_equal(taut_model_kind_name(NULL), "");
    text = (char *)1;
    REFUSED(taut_freedom_text(NULL, &(taut_run_stats){0}, &text, &errors));
    assert_null(text);
    REFUSED(taut_freedom_text(NULL, NULL, NULL, &errors));
    text = (char *)1;
    REFUSED(taut_explain(NULL, &text, &errors));
    assert_null(text);
    REFUSED(taut_explain(NULL, NULL, &errors));
    QUIETLY_REFUSED(taut_schema(NULL));
    taut_text_free(NULL);
    text = (char *)1;
    REFUSED(taut_analyze(NULL, false, &text, &errors));
    assert_null(text);
    REFUSED(taut_analyze_as(NULL, "natural", false, &text, &errors));
    REFUSED(taut_analyze_for(NULL, NULL, false, &text, &errors));
    REFUSED(taut_analyze_build(NULL, NULL, false, &text, &errors));
    model = read_model();
    REFUSED(taut_analyze(model, false, NULL, &errors));
    REFUSED(taut_analyze_as(model, NULL, true, NULL, &errors));
    REFUSED(taut_analyze_for(model, NULL, true, NULL, &errors));
    const taut_run_options zero = {0};
    REFUSED(taut_analyze_for(model, &zero, true, &text, &errors));
    REFUSED(taut_analyze_build(model, NULL, false, NULL, &errors));
    REFUSED(taut_analyze_build(model, &zero, false, &text, &errors));
    assert_int_equal(taut_analyze_for(model, NULL, true, &text, NULL), TAUT_OK);
    taut_text_free(&text);
    taut_model_free(&model);
}

/* A model that failed to read is NULL, and everything that takes one says so. */
static void test_a_model_that_failed_to_read(void **state) {
    (void)state;
    taut_model *model = (taut_model *)1;
    taut_result *result = (taut_result *)1;
    taut_simulation *s = (taut_simulation *)1;
    taut_comparison *c = (taut_comparison *)1;
    assert_int_equal(taut_model_parse("m.yaml", "Nonsense: 1\n", -1, &model, NULL), TAUT_ERR_INPUT);
    assert_null(model);
    REFUSED(taut_simulate(model, NULL, &result, &errors));
    assert_null(result);
    REFUSED(taut_simulation_create(model, NULL, &s, &errors));
    assert_null(s);
    REFUSED(taut_compare(model, NULL, &c, &errors));
    assert_null(c);
    QUIETLY_REFUSED(taut_attempt(model, NULL, &result));
    REFUSED(taut_certify(model, NULL, NULL, &errors));
}

static void test_options_that_nobody_has_filled(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_result *result = NULL;
    taut_simulation *s = NULL;
    taut_comparison *c = NULL;
    const taut_run_options bare = {.rtol = 1e-9, .atol = 1e-9};
    REFUSED(taut_simulate(model, &bare, &result, &errors));
    SAYS("taut_run_options_default");
    REFUSED(taut_simulation_create(model, &bare, &s, &errors));
    QUIETLY_REFUSED(taut_attempt(model, &bare, &result));
    result = simulate(model);
    REFUSED(taut_certify(model, &bare, result, &errors));
    const taut_compare_options none = {.limit = 1.0};
    REFUSED(taut_compare(model, &none, &c, &errors));
    SAYS("taut_compare_options_default");
    taut_compare_options half = taut_compare_options_default();
    half.run = bare;
    REFUSED(taut_compare(model, &half, &c, &errors));
    SAYS("taut_run_options_default");
    const char *const column[] = {"x"};
    const taut_plot_options plain = {.column = column, .columns = 1};
    REFUSED(taut_plot_check(result, &plain, &errors));
    SAYS("taut_plot_options_default");
    REFUSED(taut_plot_draw(model, result, &plain, &text, &errors));
    REFUSED(taut_plot_write(model, result, &plain, "p.svg", &errors));
    taut_result_free(&result);
    taut_model_free(&model);
}

static void test_options_outside_their_ranges(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_result *result = NULL;
    const taut_run_options good = taut_run_options_default();
#define WRONG(field, value)                                                                        \
    do {                                                                                           \
        taut_run_options o = good;                                                                 \
        o.field = (value);                                                                         \
        REFUSED(taut_simulate(model, &o, &result, &errors));                                       \
        assert_null(result);                                                                       \
    } while (0)
    WRONG(rtol, (double)NAN);
    WRONG(rtol, -1.0);
    WRONG(atol, (double)INFINITY);
    WRONG(order, -1);
    WRONG(order, 1000);
    WRONG(step, (double)NAN);
    WRONG(step, -1.0);
    WRONG(solver, NULL);
    WRONG(solver, "");
    WRONG(formulation, "");
    WRONG(base, "natural");
    WRONG(subspace, "");
    WRONG(cut, "");
    WRONG(multipliers, "");
    WRONG(stabilize, "");
    WRONG(alpha, (double)NAN);
    WRONG(starts, -1);
    WRONG(derivatives, -1);
    WRONG(derivatives, 1000);
    WRONG(every, (double)NAN);
    WRONG(every, -3.0);
    WRONG(ats, 3);
    WRONG(ats, -3);
#undef WRONG
    taut_run_options o = good;
    o.has_tend = true;
    o.tend = (double)NAN;
    REFUSED(taut_simulate(model, &o, &result, &errors));
    REFUSED(taut_simulate(model, NULL, NULL, &errors));
    taut_model_free(&model);
}

static void test_results(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_result *result = simulate(model);
    taut_result_free(NULL);
    assert_int_equal(taut_result_columns(NULL), 0);
    assert_int_equal(taut_result_rows(NULL), 0);
    assert_null(taut_result_name(NULL, 0));
    assert_null(taut_result_name(result, 100000));
    assert_null(taut_result_name(result, -1));
    assert_true(isnan(taut_result_value(NULL, 0, 0)));
    assert_true(isnan(taut_result_value(result, -1, 0)));
    assert_true(isnan(taut_result_value(result, 1001, 0)));
    assert_true(isnan(taut_result_value(result, 0, 100000)));
    assert_int_equal(taut_result_find(NULL, "x"), -1);
    assert_int_equal(taut_result_find(result, NULL), -1);
    assert_int_equal(taut_result_find(result, "y"), -1);
    assert_int_equal(taut_result_find(result, "x"), 1);
    assert_null(taut_result_table(NULL).value);
    assert_null(taut_result_stats(NULL));
    assert_null(taut_result_notes(NULL));
    assert_string_equal(taut_result_moves(NULL), "");
    assert_string_equal(taut_result_assemblies(NULL), "");
    assert_string_equal(taut_result_redundant(NULL), "");
    assert_string_equal(taut_result_switches(NULL), "");
    assert_null(taut_result_certificate(NULL));
    REFUSED(taut_certify(model, NULL, NULL, &errors));
    REFUSED(taut_result_write(NULL, "o.csv", 9, &errors));
    REFUSED(taut_result_write(result, NULL, 9, &errors));
    REFUSED(taut_result_write(result, "o.csv", 0, &errors));
    REFUSED(taut_result_write(result, "", 9, &errors));
    taut_result *read;
    REFUSED(taut_result_read(NULL, &read, &errors));
    REFUSED(taut_result_read("o.csv", NULL, &errors));
    const char *const names[] = {"t", "x"}, *const nameless[] = {"t", NULL};
    const double numbers[] = {0.0, 1.0};
    REFUSED(taut_result_make(NULL, 2, numbers, 1, &read, &errors));
    REFUSED(taut_result_make(nameless, 2, numbers, 1, &read, &errors));
    REFUSED(taut_result_make(names, 0, numbers, 1, &read, &errors));
    REFUSED(taut_result_make(names, 2, NULL, 1, &read, &errors));
    REFUSED(taut_result_make(names, 2, numbers, -1, &read, &errors));
    REFUSED(taut_result_make(names, 2, numbers, 1, NULL, &errors));
    taut_write_options write = taut_write_options_default();
    REFUSED(taut_result_write_with(NULL, "o.csv", &write, &errors));
    REFUSED(taut_result_write_with(result, NULL, &write, &errors));
    REFUSED(taut_result_write_with(result, "o.csv", NULL, &errors));
    write.cookie = 0;
    REFUSED(taut_result_write_with(result, "o.csv", &write, &errors));
    REFUSED(taut_result_write_events(NULL, "o.csv", 17, &errors));
    REFUSED(taut_result_write_events(result, NULL, 17, &errors));
    REFUSED(taut_result_write_events(result, "o.csv", 0, &errors));
    REFUSED(taut_result_write_events(result, "o.mat", 17, &errors));
    REFUSED(taut_result_write_stats(NULL, "o.json", &errors));
    REFUSED(taut_result_write_stats(result, NULL, &errors));
    REFUSED(taut_output_check(NULL, &errors));
    REFUSED(taut_output_write(NULL, "x", 1, &errors));
    REFUSED(taut_output_write("o.bin", NULL, 1, &errors));
    taut_output_abandon(); /* nothing is being written */
    REFUSED(taut_result_write_check(NULL, &errors));
    taut_result_free(&result);
    taut_result_free(&result);
    taut_model_free(&model);
}

/* A certificate needs the run that it is about. */
static void test_a_result_of_another_model(void **state) {
    (void)state;
    taut_model *model = read_model(), *other = NULL;
    taut_result *result = simulate(model);
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/slider-crank.yaml", NULL, 0, &other, NULL),
        TAUT_OK);
    REFUSED(taut_certify(other, NULL, result, &errors));
    taut_page page = {.file = "m.yaml", .model = model, .result = result};
    REFUSED(taut_page_write(&page, "p.html", &errors)); /* an ordinary result */
    SAYS("TAUT_FOR_SCREEN");
    taut_result_free(&result);
    taut_run_options o = taut_run_options_default();
    o.every = TAUT_FOR_SCREEN;
    assert_int_equal(taut_simulate(other, &o, &result, NULL), TAUT_OK);
    page.result = result;
    REFUSED(taut_page_write(&page, "p.html", &errors));
    page.model = NULL;
    REFUSED(taut_page_write(&page, "p.html", &errors));
    page = (taut_page){.model = other, .result = result};
    REFUSED(taut_page_write(&page, "p.html", &errors)); /* no file */
    page.file = "m.yaml";
    REFUSED(taut_page_write(&page, NULL, &errors));
    REFUSED(taut_page_write(NULL, "p.html", &errors));
    page.live = true; /* with an engine it is written, without one it says what to do */
    assert_int_equal(taut_page_write(&page, "p.html", NULL), taut_page_check_live(NULL));
    page.live = false;
    assert_int_equal(taut_page_write(&page, "p.html", NULL), TAUT_OK);
    QUIETLY_REFUSED(taut_attempt(model, NULL, NULL));
    taut_result_free(&result);
    taut_model_free(&other);
    taut_model_free(&model);
}

static void test_plots(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_result *result = simulate(model);
    taut_plot_options o = taut_plot_options_default();
    const char *const bad[] = {"x", NULL};
    o.columns = 1;
    REFUSED(taut_plot_check(result, &o, &errors)); /* no list */
    o.column = bad;
    REFUSED(taut_plot_check(NULL, &o, &errors));
    REFUSED(taut_plot_check(result, NULL, &errors));
    o.columns = -1;
    REFUSED(taut_plot_check(result, &o, &errors));
    o.columns = 2;
    REFUSED(taut_plot_check(result, &o, &errors)); /* a name that is NULL */
    o.columns = 1;
    REFUSED(taut_plot_draw(model, NULL, &o, &text, &errors));
    REFUSED(taut_plot_draw(model, result, NULL, &text, &errors));
    REFUSED(taut_plot_draw(model, result, &o, NULL, &errors));
    REFUSED(taut_plot_write(model, result, &o, NULL, &errors));
    REFUSED(taut_plot_write(model, NULL, &o, "p.svg", &errors));
    assert_int_equal(taut_plot_draw(NULL, result, &o, &text, NULL), TAUT_OK); /* allowed */
    taut_text_free(&text);
    taut_result_free(&result);
    taut_model_free(&model);
}

static void test_simulations(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_simulation *s = NULL;
    double row[8], value = 0.0;
    taut_program *program = NULL;
    REFUSED(taut_program_create(NULL, NULL, &program, &errors));
    REFUSED(taut_program_create(model, NULL, NULL, &errors));
    REFUSED(taut_simulation_create_from(NULL, &s, &errors));
    assert_int_equal(taut_program_create(model, NULL, &program, NULL), TAUT_OK);
    REFUSED(taut_simulation_create_from(program, NULL, &errors));
    assert_int_equal(taut_simulation_create_from(program, &s, NULL), TAUT_OK);
    REFUSED(taut_simulation_step(s, &errors)); /* not started */
    REFUSED(taut_simulation_run_to(s, 0.1, &errors));
    assert_true(isnan(taut_simulation_now(s, "x")));
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_step(s, NULL), TAUT_OK);
    taut_simulation_free(&s);
    taut_program_free(&program);
    taut_program_free(NULL);
    REFUSED(taut_simulation_create(model, NULL, NULL, &errors));
    taut_simulation_free(NULL);
    REFUSED(taut_simulation_set_parameter(NULL, "k", 1.0, &errors));
    REFUSED(taut_simulation_set_initial(NULL, "x", 1.0, &errors));
    REFUSED(taut_simulation_fix_initial(NULL, "x", 1.0, &errors));
    REFUSED(taut_simulation_start(NULL, &errors));
    REFUSED(taut_simulation_step(NULL, &errors));
    REFUSED(taut_simulation_run_to(NULL, 1.0, &errors));
    REFUSED(taut_simulation_row(NULL, 0.0, row, &errors));
    REFUSED(taut_simulation_read(NULL, "x", 0.0, &value, &errors));
    REFUSED(taut_simulation_differentiate(NULL, "x", 0.0, &value, &errors));
    assert_int_equal(taut_simulation_sensitivities(NULL), 0);
    assert_true(isnan(taut_simulation_time(NULL)));
    assert_true(isnan(taut_simulation_begin(NULL)));
    assert_true(isnan(taut_simulation_reached(NULL)));
    assert_true(isnan(taut_simulation_value(NULL, "x", 0.0)));
    assert_true(isnan(taut_simulation_now(NULL, "x")));
    assert_true(isnan(taut_simulation_get(NULL, 0, 0.0)));
    assert_int_equal(taut_simulation_find(NULL, "x"), -1);
    assert_int_equal(taut_simulation_columns(NULL), 0);
    assert_null(taut_simulation_name(NULL, 0));
    assert_null(taut_simulation_stats(NULL));
    assert_null(taut_simulation_notes(NULL));
    assert_string_equal(taut_simulation_moves(NULL), "");
    assert_string_equal(taut_simulation_assemblies(NULL), "");
    assert_string_equal(taut_simulation_redundant(NULL), "");
    assert_string_equal(taut_simulation_switches(NULL), "");
    assert_int_equal(taut_simulation_create(model, NULL, &s, NULL), TAUT_OK);
    REFUSED(taut_simulation_step(s, &errors)); /* not started */
    assert_true(isnan(taut_simulation_now(s, "x")));
    assert_int_equal(taut_simulation_columns(s), 0);
    taut_simulation_free(&s);
    s = start(model);
    REFUSED(taut_simulation_set_parameter(s, NULL, 1.0, &errors));
    REFUSED(taut_simulation_set_parameter(s, "none", 1.0, &errors));
    REFUSED(taut_simulation_set_initial(s, NULL, 1.0, &errors));
    REFUSED(taut_simulation_set_initial(s, "x", (double)NAN, &errors));
    REFUSED(taut_simulation_fix_initial(s, NULL, 1.0, &errors));
    REFUSED(taut_simulation_row(s, 0.0, NULL, &errors));
    REFUSED(taut_simulation_row(s, 99.0, row, &errors));
    REFUSED(taut_simulation_run_to(s, (double)NAN, &errors));
    REFUSED(taut_simulation_read(s, NULL, 0.0, &value, &errors));
    REFUSED(taut_simulation_differentiate(s, "x", 0.0, &value, &errors)); /* none was asked for */
    REFUSED(taut_simulation_differentiate(s, NULL, 0.0, &value, &errors));
    REFUSED(taut_simulation_differentiate(s, "x", 0.0, NULL, &errors));
    assert_int_equal(taut_simulation_sensitivities(s), 0);
    REFUSED(taut_simulation_read(s, "x", 0.0, NULL, &errors));
    REFUSED(taut_simulation_read(s, "x", 99.0, &value, &errors));
    assert_true(isnan(value));
    assert_int_equal(taut_simulation_find(s, NULL), -1);
    assert_null(taut_simulation_name(s, 100000));
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_states(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_simulation *s = NULL;
    taut_state *a = NULL, *b = (taut_state *)1;
    REFUSED(taut_simulation_set_input(NULL, "u", 1.0, &errors));
    REFUSED(taut_simulation_get_state(NULL, &a, &errors));
    REFUSED(taut_simulation_set_state(NULL, NULL, &errors));
    assert_int_equal(taut_simulation_create(model, NULL, &s, NULL), TAUT_OK);
    REFUSED(taut_simulation_get_state(s, &a, &errors)); /* not started */
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    REFUSED(taut_simulation_set_input(s, NULL, 1.0, &errors));
    REFUSED(taut_simulation_set_input(s, "u", 1.0, &errors)); /* there is none */
    REFUSED(taut_simulation_get_state(s, NULL, &errors));
    REFUSED(taut_simulation_set_state(s, NULL, &errors));
    assert_int_equal(taut_simulation_get_state(s, &a, NULL), TAUT_OK);
    QUIETLY_REFUSED(taut_state_copy(NULL, &b));
    assert_null(b);
    QUIETLY_REFUSED(taut_state_copy(a, NULL));
    assert_true(isnan(taut_state_time(NULL)));
    assert_true(isnan(taut_state_value(NULL, "x")));
    assert_true(isnan(taut_state_value(a, NULL)));
    assert_true(isnan(taut_state_value(a, "y")));
    assert_true(taut_state_signature(NULL) != taut_state_signature(a));
    REFUSED(taut_state_save(NULL, "s.state", &errors));
    REFUSED(taut_state_save(a, NULL, &errors));
    REFUSED(taut_state_load(NULL, &b, &errors));
    REFUSED(taut_state_load("s.state", NULL, &errors));
    taut_state_free(NULL);
    taut_state_free(&a);
    taut_state_free(&a);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* An unknown column is told: at once, or by the next call that has a status. */
static void test_an_unknown_column(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_simulation *s = start(model);
    double value;
    REFUSED(taut_simulation_read(s, "xx", 0.0, &value, &errors));
    SAYS("did you mean 'x'");
    assert_int_equal(taut_simulation_read(s, "x", 0.0, &value, NULL), TAUT_OK);
    assert_near(value, 1.0, 0, 0);
    assert_int_equal(taut_simulation_step(s, NULL), TAUT_OK);

    assert_true(isnan(taut_simulation_now(s, "yx")));
    const double t = taut_simulation_time(s);
    REFUSED(taut_simulation_step(s, &errors));
    SAYS("there is no column 'yx'");
    assert_near(taut_simulation_time(s), t, 0, 0);                   /* no step was taken */
    assert_int_equal(taut_simulation_run_to(s, 1.0, NULL), TAUT_OK); /* told once */
    assert_near(taut_simulation_now(s, "x"), exp(-1.0), 1e-9, 0);

    assert_true(isnan(taut_simulation_get(s, 77, 1.0)));
    REFUSED(taut_simulation_run_to(s, 1.0, &errors));
    SAYS("77");
    assert_true(isnan(taut_simulation_value(s, "x", -5.0)));
    REFUSED(taut_simulation_run_to(s, 1.0, &errors));
    SAYS("outside the last step");
    assert_true(isnan(taut_simulation_value(s, NULL, 1.0)));
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK); /* begins anew */
    assert_int_equal(taut_simulation_step(s, NULL), TAUT_OK);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* Options are the caller's: they may change, or go, when the call is over. */
static void test_strings_that_are_gone(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    taut_comparison *c = NULL;
    char *solver = strdup("adams"), *formulation = strdup("relative"), *cut = NULL;
    taut_run_options o = taut_run_options_default();
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/slider-crank.yaml", NULL, 0, &model, NULL),
        TAUT_OK);
    o.solver = solver;
    o.formulation = formulation;
    o.cut = cut;
    assert_int_equal(taut_simulation_create(model, &o, &s, NULL), TAUT_OK);
    const char *const one[] = {solver}, *const as[] = {formulation};
    const double tol[] = {1e-6};
    taut_compare_options compare = taut_compare_options_default();
    compare.run.has_tend = true;
    compare.run.tend = 0.1;
    compare.solver = one;
    compare.formulation = as;
    compare.tol = tol;
    compare.solvers = compare.formulations = compare.tols = 1;
    assert_int_equal(taut_compare(model, &compare, &c, NULL), TAUT_OK);
    memset(solver, '#', strlen(solver));
    memset(formulation, '#', strlen(formulation));
    free(solver);
    free(formulation);
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_step(s, NULL), TAUT_OK);
    assert_string_equal(taut_simulation_stats(s)->solver, "adams");
    assert_string_equal(taut_simulation_stats(s)->formulation, "relative");
    assert_string_equal(c->pair[0].solver, "adams");
    assert_int_equal(taut_comparison_text(c, false, &text), TAUT_OK);
    assert_non_null(strstr(text, "adams"));
    taut_text_free(&text);
    taut_comparison_free(&c);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_exports(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_export_options o = {0};
    REFUSED(taut_export_c(model, &o, "folder", "stem", NULL, &errors));
    SAYS("taut_export_options_default()");
    o = taut_export_options_default();
    REFUSED(taut_export_c(NULL, &o, "folder", "stem", NULL, &errors));
    REFUSED(taut_export_c(model, &o, NULL, "stem", NULL, &errors));
    REFUSED(taut_export_c(model, &o, "folder", NULL, NULL, &errors));
    REFUSED(taut_export_c(model, &o, "folder", "../stem", NULL, &errors));
    REFUSED(taut_export_c(model, &o, "folder", "main", NULL, &errors));
    o.run.step = -1.0;
    REFUSED(taut_export_c(model, &o, "folder", "stem", NULL, &errors));
    o = taut_export_options_default();
    o.run.order = 61;
    REFUSED(taut_export_c(model, &o, "folder", "stem", NULL, &errors));
    o = taut_export_options_default();
    o.run.reactions = true;
    REFUSED(taut_export_c(model, &o, "folder", "stem", NULL, &errors));
    o = taut_export_options_default();
    REFUSED(taut_export_fmu(NULL, &o, "m.fmu", "taut-fmu.so", NULL, &errors));
    REFUSED(taut_export_fmu(model, &o, NULL, "taut-fmu.so", NULL, &errors));
    REFUSED(taut_export_fmu(model, &o, "m.fmu", NULL, NULL, &errors));
    o.fmi = 4;
    REFUSED(taut_export_fmu(model, &o, "m.fmu", "taut-fmu.so", NULL, &errors));
    o.cookie = 0;
    REFUSED(taut_export_fmu(model, &o, "m.fmu", "taut-fmu.so", NULL, &errors));
    taut_model_free(&model);
}

static void test_linearisations(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_linear *l = NULL;
    taut_state *rest = NULL;
    taut_linear_options o = {0};
    const taut_run_options zero = {0};
    REFUSED(taut_linearize(NULL, NULL, NULL, &l, &errors));
    REFUSED(taut_linearize(model, NULL, NULL, NULL, &errors));
    REFUSED(taut_linearize(model, NULL, &o, &l, &errors));
    SAYS("taut_linear_options_default()");
    REFUSED(taut_linearize(model, &zero, NULL, &l, &errors));
    assert_null(l);
    REFUSED(taut_equilibrium(NULL, NULL, &rest, &errors));
    REFUSED(taut_equilibrium(model, NULL, NULL, &errors));
    REFUSED(taut_equilibrium(model, &zero, &rest, &errors));
    assert_null(rest);
    taut_equilibria *all = NULL;
    taut_result *table = NULL;
    REFUSED(taut_equilibria_find(NULL, NULL, 0, &all, &errors));
    REFUSED(taut_equilibria_find(model, NULL, 0, NULL, &errors));
    REFUSED(taut_equilibria_find(model, NULL, -1, &all, &errors));
    REFUSED(taut_equilibria_find(model, &zero, 0, &all, &errors));
    assert_null(all);
    assert_int_equal(taut_equilibria_count(NULL), 0);
    assert_null(taut_equilibria_state(NULL, 0));
    assert_null(taut_equilibria_model(NULL, 0));
    assert_null(taut_equilibria_free_name(NULL, 0));
    assert_true(isnan(taut_equilibria_free_value(NULL, 0, 0)));
    REFUSED(taut_equilibria_table(NULL, NULL, &table, &errors));
    taut_equilibria_free(NULL);
    taut_equilibria_free(&all);
    taut_result *forces = NULL;
    REFUSED(taut_inverse(NULL, NULL, NULL, &forces, &errors));
    REFUSED(taut_inverse(model, NULL, NULL, NULL, &errors));
    REFUSED(taut_inverse(model, NULL, NULL, &forces, &errors));
    SAYS("nothing prescribes a motion");
    assert_null(forces);
    taut_kinematics *k = NULL;
    taut_kinematics_options places = {0};
    REFUSED(taut_kinematics_find(NULL, &places, &k, &errors));
    REFUSED(taut_kinematics_find(model, NULL, &k, &errors));
    REFUSED(taut_kinematics_find(model, &places, NULL, &errors));
    REFUSED(taut_kinematics_find(model, &places, &k, &errors));
    SAYS("taut_kinematics_options_default()");
    places = taut_kinematics_options_default();
    REFUSED(taut_kinematics_find(model, &places, &k, &errors));
    places.reaches = 1;
    places.reach = &(const char *){NULL};
    REFUSED(taut_kinematics_find(model, &places, &k, &errors));
    places.derivatives = 3;
    REFUSED(taut_kinematics_find(model, &places, &k, &errors));
    assert_null(k);
    assert_null(taut_kinematics_result(NULL));
    assert_int_equal(taut_kinematics_branches(NULL), 0);
    assert_null(taut_kinematics_turn_back(NULL, 0));
    assert_null(taut_kinematics_range(NULL, 0));
    assert_null(taut_kinematics_reach(NULL, 0));
    QUIETLY_REFUSED(taut_kinematics_text(NULL, &text));
    taut_kinematics_free(NULL);
    taut_kinematics_free(&k);
    taut_result *course = NULL;
    REFUSED(taut_linear_course(NULL, &course, &errors));
    assert_null(course);
    QUIETLY_REFUSED(taut_linear_course(NULL, NULL, NULL));
    assert_int_equal(taut_linear_points(NULL), 0);
    assert_null(taut_linear_at(NULL, 0));
    taut_linear_free(NULL);
    taut_linear_free(&l);
    QUIETLY_REFUSED(taut_linear_text(NULL, false, &text));
    QUIETLY_REFUSED(taut_linear_modes(NULL, &text));
    REFUSED(taut_linear_write(NULL, "l.json", &errors));
    REFUSED(taut_linear_write_check(NULL, &errors));
    REFUSED(taut_linear_write_check("l.txt", &errors));
    assert_int_equal(taut_linearize(model, NULL, NULL, &l, &errors), TAUT_OK);
    assert_null(taut_linear_at(l, -1));
    assert_null(taut_linear_at(l, 1));
    QUIETLY_REFUSED(taut_linear_text(l, true, NULL));
    QUIETLY_REFUSED(taut_linear_modes(l, NULL));
    REFUSED(taut_linear_write(l, NULL, &errors));
    taut_floquet *period = NULL;
    REFUSED(taut_floquet_find(NULL, NULL, NULL, 1.0, &period, &errors));
    REFUSED(taut_floquet_find(model, NULL, NULL, 1.0, NULL, &errors));
    REFUSED(taut_floquet_find(model, NULL, NULL, 0.0, &period, &errors));
    REFUSED(taut_floquet_find(model, &zero, NULL, 1.0, &period, &errors));
    assert_null(period);
    assert_null(taut_floquet_get(NULL));
    taut_floquet_free(NULL);
    taut_floquet_free(&period);
    taut_response_options response = {"u", "x", NULL, 0};
    taut_result *bode = NULL;
    double found[8][2];
    int zeros = 0;
    REFUSED(taut_linear_response(NULL, 0, &response, &bode, &errors));
    REFUSED(taut_linear_response(l, 0, NULL, &bode, &errors));
    REFUSED(taut_linear_response(l, 0, &response, NULL, &errors));
    REFUSED(taut_linear_response(l, 1, &response, &bode, &errors));
    REFUSED(taut_linear_response(l, 0, &response, &bode, &errors));
    SAYS("no input 'u'");
    REFUSED(taut_linear_zeros(NULL, 0, &response, found, &zeros, &errors));
    REFUSED(taut_linear_zeros(l, 0, &response, found, NULL, &errors));
    REFUSED(taut_linear_zeros(l, 0, &response, NULL, &zeros, &errors));
    assert_null(bode);
    taut_linear_free(&l);
    taut_model_free(&model);
}

static void test_comparisons(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_comparison *c = NULL;
    const char *const gap[] = {NULL};
    taut_compare_options o = taut_compare_options_default();
    REFUSED(taut_compare(model, NULL, NULL, &errors));
    taut_comparison_free(NULL);
    QUIETLY_REFUSED(taut_comparison_text(NULL, false, &text));
    QUIETLY_REFUSED(taut_comparison_text(NULL, true, NULL));
    REFUSED(taut_comparison_write(NULL, "m.yaml", "c.html", &errors));
    o.tols = 2;
    REFUSED(taut_compare(model, &o, &c, &errors));
    o.tols = -1;
    REFUSED(taut_compare(model, &o, &c, &errors));
    o.tols = 0;
    o.solvers = 1;
    REFUSED(taut_compare(model, &o, &c, &errors));
    o.solver = gap;
    REFUSED(taut_compare(model, &o, &c, &errors));
    const char *const adams[] = {"adams"};
    o.solver = adams;
    o.limit = (double)NAN;
    REFUSED(taut_compare(model, &o, &c, &errors));
    o.limit = 5.0;
    assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_OK);
    QUIETLY_REFUSED(taut_comparison_text(c, true, NULL));
    REFUSED(taut_comparison_write(c, "m.yaml", NULL, &errors));
    REFUSED(taut_comparison_write(c, "m.yaml", "c.txt", &errors));
    assert_int_equal(taut_comparison_write(c, NULL, "c.html", NULL), TAUT_OK);
    taut_comparison_free(&c);
    taut_model_free(&model);
}

/* All calls that add something, with this builder and NULL for everything else. */
static void add_nothing(taut_builder *b) {
    taut_builder_number(b, NULL, (double)NAN);
    taut_builder_parameter(b, NULL, NULL);
    taut_builder_input(b, NULL, NULL);
    taut_builder_discrete(b, NULL, NULL);
    taut_builder_actuator(b, NULL, NULL);
    taut_builder_motion(b, NULL, NULL);
    taut_builder_trim_free(b, NULL);
    taut_builder_trim_want(b, NULL, NULL);
    taut_builder_trim_steady(b, NULL, NULL);
    taut_builder_study(b, NULL, NULL);
    taut_builder_study_variable(b, NULL, NULL);
    taut_builder_study_limit(b, NULL, NULL);
    taut_builder_study_weight(b, NULL, NULL);
    taut_builder_study_bias(b, NULL);
    taut_builder_study_state(b, NULL);
    taut_builder_experiment(b, NULL, NULL, NULL);
    taut_builder_define(b, NULL, NULL);
    taut_builder_output(b, NULL, NULL);
    taut_builder_span(b, (double)NAN, (double)INFINITY);
    taut_builder_max_step(b, (double)NAN);
    taut_builder_position(b, NULL, NULL);
    taut_builder_velocity(b, NULL, NULL);
    taut_builder_value(b, NULL, NULL);
    taut_builder_fix_position(b, NULL);
    taut_builder_fix_velocity(b, NULL);
    taut_builder_variable(b, NULL, -1);
    taut_builder_equation(b, NULL, NULL);
    taut_builder_stiff(b, NULL, NULL);
    taut_builder_coordinate(b, NULL, 1000);
    taut_builder_lagrangian(b, NULL);
    taut_builder_dissipation(b, NULL);
    taut_builder_constraint(b, NULL, NULL);
    taut_builder_velocity_constraint(b, NULL, NULL);
    taut_builder_force(b, NULL, NULL);
    taut_builder_momentum(b, NULL, 0);
    taut_builder_initial_momentum(b, NULL, NULL);
    taut_builder_hamiltonian(b, NULL);
    taut_builder_dimension(b, -7);
    taut_builder_fixed(b, NULL, NULL);
    taut_builder_point(b, NULL, NULL);
    taut_builder_particle(b, NULL, NULL);
    taut_builder_weightless_particle(b, NULL, NULL);
    taut_builder_collinear(b, NULL, NULL);
    taut_builder_gravity(b, NULL);
    taut_builder_torque(b, NULL, NULL);
    taut_builder_force_between(b, NULL, NULL, NULL, NULL);
    taut_builder_torque_between(b, NULL, NULL, NULL, NULL);
    taut_builder_drag(b, NULL, NULL);
    taut_builder_angle(b, NULL, NULL, "u");
    taut_builder_driver(b, NULL, NULL);
    taut_builder_impact(b, NULL);
}

static void describe_nothing(taut_builder *b) {
    taut_builder_body(b, "AB", NULL);
    taut_builder_event(b, "e", NULL);
    taut_builder_controller(b, "c", NULL);
    taut_builder_table(b, "f", NULL);
    taut_builder_contact(b, "c", NULL);
    taut_builder_limit(b, "x", NULL);
    taut_builder_friction(b, "f", NULL);
    taut_builder_lock(b, "l", NULL);
    taut_builder_break(b, "k", NULL);
    taut_builder_link(b, "AB", NULL);
    taut_builder_joint(b, "AB", NULL);
    taut_builder_torsion(b, "AB", NULL);
    taut_builder_bushing(b, "AB", NULL);
    taut_builder_chain(b, "AB", NULL);
}

static void test_studies(void **state) {
    (void)state;
    taut_model *model = read_model();
    taut_study *s = NULL;
    const taut_vary vary = {"x", "1,2"};
    const taut_report report = {NULL, "end(x)"};
    taut_study_options o = taut_study_options_default(), none = {.varies = 1};
    o.vary = &vary, o.report = &report;
    REFUSED(taut_study_create(model, &o, NULL, &errors));
    REFUSED(taut_study_create(NULL, &o, &s, &errors));
    REFUSED(taut_study_create(model, NULL, &s, &errors));
    REFUSED(taut_study_create(model, &none, &s, &errors));
    SAYS("taut_study_options_default");
    REFUSED(taut_study_create(model, &o, &s, &errors)); /* nothing is varied */
    o.varies = 1;
    REFUSED(taut_study_create(model, &o, &s, &errors)); /* nothing is reported */
    o.reports = 1;
    o.threads = -1;
    REFUSED(taut_study_create(model, &o, &s, &errors));
    o.threads = 0, o.shard = 2, o.shards = 1;
    REFUSED(taut_study_create(model, &o, &s, &errors));
    o.shard = o.shards = 0, o.samples = -1;
    REFUSED(taut_study_create(model, &o, &s, &errors));
    o.samples = 0;
    const taut_vary empty = {NULL, NULL};
    o.vary = &empty;
    REFUSED(taut_study_create(model, &o, &s, &errors));
    o.vary = &vary, o.points = 2; /* where are they? */
    REFUSED(taut_study_create(model, &o, &s, &errors));
    o.point = (const double[]){1.0, 2.0}; /* and a list as well */
    REFUSED(taut_study_create(model, &o, &s, &errors));
    o.point = NULL, o.points = 0;
    assert_null(s);
    assert_null(taut_study_table(NULL).value);
    REFUSED(taut_study_run(NULL, &errors));
    REFUSED(taut_study_keep(NULL, "j", false, &errors));
    REFUSED(taut_study_collect(NULL, "j", &errors));
    REFUSED(taut_study_write(NULL, "x.csv", 17, &errors));
    REFUSED(taut_study_write_check(NULL, &errors));
    REFUSED(taut_study_write_check("x.xls", &errors));
    assert_int_equal(taut_study_create(model, &o, &s, NULL), TAUT_OK);
    REFUSED(taut_study_keep(s, NULL, false, &errors));
    REFUSED(taut_study_collect(s, NULL, &errors));
    REFUSED(taut_study_write(s, NULL, 17, &errors));
    REFUSED(taut_study_write(s, "x.csv", 0, &errors));
    assert_int_equal(taut_study_runs(NULL) + taut_study_done(NULL) + taut_study_failed(NULL), 0);
    assert_int_equal(taut_study_columns(NULL), 0);
    assert_null(taut_study_name(NULL, 0));
    assert_null(taut_study_name(s, -1));
    assert_null(taut_study_name(s, 3));
    assert_null(taut_study_outcome(NULL, 0));
    assert_null(taut_study_outcome(s, 0)); /* not done */
    assert_null(taut_study_outcome(s, 2));
    assert_true(isnan(taut_study_value(NULL, 0, 0)) && isnan(taut_study_value(s, 0, 2)) &&
                isnan(taut_study_value(s, 2, 0)) && isnan(taut_study_value(s, 0, 9)));
    assert_true(isnan(taut_study_spread(NULL, 0).mean) && isnan(taut_study_spread(s, 7).mean));
    assert_true(isnan(taut_study_correlation(NULL, 0, 1)) &&
                isnan(taut_study_correlation(s, 0, 1)));
    REFUSED(taut_study_write_traces(NULL, "x.csv", 17, &errors));
    REFUSED(taut_study_write_traces(s, NULL, 17, &errors));
    REFUSED(taut_study_write_traces(s, "x.csv", 0, &errors));
    assert_int_equal(taut_study_trace_columns(NULL) + taut_study_trace_rows(NULL), 0);
    assert_null(taut_study_trace_name(NULL, 0));
    assert_null(taut_study_trace_name(s, 0));
    assert_true(isnan(taut_study_trace_time(NULL, 0)) && isnan(taut_study_trace_time(s, 0)));
    assert_true(isnan(taut_study_trace_value(NULL, 0, 0, 0)) &&
                isnan(taut_study_trace_value(s, 0, 0, 0)));
    taut_study_free(&s);
    taut_study_free(&s);
    taut_study_free(NULL);
    taut_model_free(&model);
}

static void test_gradients_refuse_nonsense(void **state) {
    (void)state;
    static const char *const name[] = {"G", NULL}, *const result[] = {"end(x)"};
    taut_model *model = NULL;
    assert_int_equal(taut_model_parse("m.yaml", MODEL, -1, &model, NULL), TAUT_OK);
    double value[2], derivative[4];
    taut_gradient_options options = taut_gradient_options_default(), none = {.names = 1};
    REFUSED(taut_gradient_find(NULL, &options, value, derivative, &errors));
    REFUSED(taut_gradient_find(model, NULL, value, derivative, &errors));
    REFUSED(taut_gradient_find(model, &options, NULL, derivative, &errors));
    REFUSED(taut_gradient_find(model, &options, value, NULL, &errors));
    REFUSED(taut_gradient_find(model, &none, value, derivative, &errors));
    SAYS("taut_gradient_options_default");
    REFUSED(taut_gradient_find(model, &options, value, derivative, &errors)); /* of nothing */
    options.name = name, options.names = 2;
    options.result = result, options.results = 1;
    REFUSED(taut_gradient_find(model, &options, value, derivative, &errors));
    SAYS("NULL");
    taut_model_free(&model);
}

static void test_optimisation_refuses_nonsense(void **state) {
    (void)state;
    static const taut_bounded turned[] = {{"G", 2.0, 1.0, false}};
    taut_model *model = NULL;
    assert_int_equal(taut_model_parse("m.yaml", MODEL, -1, &model, NULL), TAUT_OK);
    taut_optimum *o = NULL;
    taut_result *record = NULL;
    double derivative[1];
    taut_optimize_options options = taut_optimize_options_default(), none = {.starts = 1};
    REFUSED(taut_optimize(model, &options, NULL, &errors));
    REFUSED(taut_optimize(NULL, &options, &o, &errors));
    REFUSED(taut_optimize(model, &none, &o, &errors));
    SAYS("taut_optimize_options_default");
    REFUSED(taut_optimize(model, NULL, &o, &errors)); /* the model has no Study */
    options.variable = turned, options.variables = 1;
    REFUSED(taut_optimize(model, &options, &o, &errors));
    assert_null(o);
    QUIETLY_REFUSED(taut_optimum_record(NULL, &record));
    QUIETLY_REFUSED(taut_optimum_record(NULL, NULL));
    REFUSED(taut_optimum_gradient(NULL, -1, NULL, derivative, &errors));
    REFUSED(taut_optimum_text(NULL, NULL, &text, &errors));
    REFUSED(taut_optimum_text(NULL, NULL, NULL, &errors));
    assert_int_equal(
        taut_optimum_variables(NULL) + taut_optimum_limits(NULL) + taut_optimum_starts(NULL), 0);
    assert_int_equal(taut_optimum_best(NULL), -1);
    assert_null(taut_optimum_name(NULL, 0));
    assert_null(taut_optimum_limit(NULL, 0));
    assert_null(taut_optimum_method(NULL));
    assert_null(taut_optimum_get_start(NULL, 0));
    assert_false(taut_optimum_is_exact(NULL));
    assert_true(isnan(taut_optimum_value(NULL, 0)) && isnan(taut_optimum_objective(NULL)) &&
                isnan(taut_optimum_excess(NULL, 0)));
    taut_optimum_free(&o);
    taut_optimum_free(NULL);
    taut_model_free(&model);
}

static void test_fitting_refuses_nonsense(void **state) {
    (void)state;
    static const taut_bounded variable[] = {{"G", 1.0, 20.0, false}};
    static const taut_measurement empty = {.name = "empty"};
    taut_model *model = NULL;
    assert_int_equal(taut_model_parse("m.yaml", MODEL, -1, &model, NULL), TAUT_OK);
    taut_estimates *e = NULL;
    taut_result *table = NULL;
    taut_estimate_options options = taut_estimate_options_default(), none = {.starts = 1};
    REFUSED(taut_estimate(model, &options, NULL, &errors));
    REFUSED(taut_estimate(NULL, &options, &e, &errors));
    REFUSED(taut_estimate(model, &none, &e, &errors));
    SAYS("taut_estimate_options_default");
    REFUSED(taut_estimate(model, NULL, &e, &errors));
    options.variable = variable, options.variables = 1;
    REFUSED(taut_estimate(model, &options, &e, &errors)); /* nothing was measured */
    options.measurement = &empty, options.measurements = 1;
    REFUSED(taut_estimate(model, &options, &e, &errors));
    assert_null(e);
    QUIETLY_REFUSED(taut_estimates_table(NULL, &table));
    QUIETLY_REFUSED(taut_estimates_table(NULL, NULL));
    REFUSED(taut_estimates_text(NULL, &text, &errors));
    REFUSED(taut_estimates_text(NULL, NULL, &errors));
    REFUSED(taut_estimates_page(NULL, "x.html", &errors));
    assert_int_equal(taut_estimates_count(NULL), 0);
    assert_null(taut_estimates_get(NULL, 0));
    assert_null(taut_estimates_get_stats(NULL));
    assert_string_equal(taut_estimates_unidentified(NULL), "");
    assert_true(isnan(taut_estimates_correlation(NULL, 0, 0)));
    taut_estimates_free(&e);
    taut_estimates_free(NULL);
    taut_model_free(&model);
}

static void test_builders(void **state) {
    (void)state;
    taut_builder *b = NULL;
    taut_model *model = (taut_model *)1;
    QUIETLY_REFUSED(taut_builder_create("title", NULL));
    add_nothing(NULL);
    describe_nothing(NULL);
    taut_builder_free(NULL);
    assert_null(taut_builder_text(NULL));
    REFUSED(taut_builder_finish(NULL, &model, &errors));
    assert_null(model);
    assert_int_equal(taut_builder_create(NULL, &b), TAUT_OK);
    REFUSED(taut_builder_finish(b, NULL, &errors));
    add_nothing(b);
    assert_non_null(taut_builder_text(b));
    assert_int_equal(taut_builder_finish(b, &model, NULL), TAUT_ERR_INPUT);
    describe_nothing(b);
    REFUSED(taut_builder_finish(b, &model, &errors));
    SAYS("taut_builder_body");
    assert_null(model);
    taut_builder_free(&b);
    taut_builder_free(&b);
}

/* Descriptions in which everything is missing are complained about, not read. */
static void test_empty_descriptions(void **state) {
    (void)state;
    taut_builder *b = NULL;
    taut_model *model = NULL;
    assert_int_equal(taut_builder_create("empty", &b), TAUT_OK);
    const taut_shape_spec shape = {0};
    taut_builder_body(b, NULL, &(taut_body_spec){.shape = &shape});
    taut_builder_event(b, NULL, &(taut_event_spec){.assigns = 1});
    taut_builder_controller(b, NULL, &(taut_controller_spec){.states = 1, .outs = 2});
    taut_builder_table(b, NULL, &(taut_table_spec){.samples = 3, .width = -1});
    taut_builder_contact(b, NULL, &(taut_contact_spec){0});
    taut_builder_limit(b, NULL, &(taut_limit_spec){0});
    taut_builder_friction(b, NULL, &(taut_friction_spec){0});
    taut_builder_lock(b, NULL, &(taut_lock_spec){0});
    taut_builder_break(b, NULL, &(taut_break_spec){0});
    taut_builder_link(b, NULL, &(taut_link_spec){0});
    taut_builder_joint(b, NULL, &(taut_joint_spec){0});
    taut_builder_torsion(b, NULL, &(taut_torsion_spec){0});
    taut_builder_bushing(b, NULL, &(taut_bushing_spec){0});
    taut_builder_armature(b, NULL, NULL);
    taut_builder_chain(b, NULL, &(taut_chain_spec){.steps = 2});
    taut_builder_chain(b, NULL, &(taut_chain_spec){.step = &(taut_step_spec){0}, .steps = 1});
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_builder_finish(b, &model, &errors), TAUT_ERR_INPUT);
    assert_true(errors.count > 0);
    taut_builder_free(&b);
}

static void test_differences(void **state) {
    (void)state;
    taut_diff *d = NULL;
    double *times = NULL;
    int count;
    REFUSED(taut_diff_files(NULL, "b.csv", &d, &errors));
    REFUSED(taut_diff_files("a.csv", NULL, &d, &errors));
    REFUSED(taut_diff_files("a.csv", "b.csv", NULL, &errors));
    REFUSED(taut_diff_result(NULL, "b.csv", &d, &errors));
    REFUSED(taut_diff_result(NULL, NULL, NULL, &errors));
    REFUSED(taut_diff_times(NULL, &times, &count, &errors));
    REFUSED(taut_diff_times("a.csv", NULL, &count, &errors));
    REFUSED(taut_diff_times("a.csv", &times, NULL, &errors));
    REFUSED(taut_diff_text(NULL, false, &text, &errors));
    REFUSED(taut_diff_text(d, false, NULL, &errors));
    REFUSED(taut_diff_write(NULL, "e.csv", &errors));
    assert_int_equal(taut_diff_columns(NULL), 0);
    assert_null(taut_diff_get(NULL, 0));
    assert_int_equal(taut_diff_rows(NULL), 0);
    assert_true(isnan(taut_diff_time(NULL, 0)) && isnan(taut_diff_error(NULL, 0)));
    assert_true(isnan(taut_diff_largest_error(NULL)) && isnan(taut_diff_scd(NULL)));
    taut_diff_times_free(NULL);
    taut_diff_times_free(&times);
    taut_diff_free(NULL);
    taut_diff_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_status_and_names),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_a_model_that_failed_to_read),
        cmocka_unit_test(test_options_that_nobody_has_filled),
        cmocka_unit_test(test_options_outside_their_ranges),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_a_result_of_another_model),
        cmocka_unit_test(test_plots),
        cmocka_unit_test(test_simulations),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_an_unknown_column),
        cmocka_unit_test(test_strings_that_are_gone),
        cmocka_unit_test(test_exports),
        cmocka_unit_test(test_linearisations),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_studies),
        cmocka_unit_test(test_gradients_refuse_nonsense),
        cmocka_unit_test(test_optimisation_refuses_nonsense),
        cmocka_unit_test(test_fitting_refuses_nonsense),
        cmocka_unit_test(test_builders),
        cmocka_unit_test(test_empty_descriptions),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
