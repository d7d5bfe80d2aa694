/* The library as a C program uses it: models from text and built in code, simulations step by step.
 */
#include "check.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "taut/taut.h"

static taut_errors errors;

static int forget_errors(void **state) {
    (void)state;
    memset(&errors, 0, sizeof errors);
    return 0;
}

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        taut_status assert_ok_status = (call);                                                     \
        if (assert_ok_status != TAUT_OK && errors.count > 0)                                       \
            print_error("%s\n", errors.item[errors.count - 1].message);                            \
        assert_int_equal(assert_ok_status, TAUT_OK);                                               \
    } while (0)

/* The last message contains these words. */
static void assert_message(const char *words) {
    assert_true(errors.count > 0);
    const char *message = errors.item[errors.count - 1].message;
    if (!strstr(message, words)) print_error("'%s' is not in '%s'\n", words, message);
    assert_non_null(strstr(message, words));
}

static const char OSCILLATOR[] = "Title: oscillator\n"
                                 "PhysicalParams: {m: 1, k: 4, w: sqrt(k/m)}\n"
                                 "DAE:\n"
                                 "  Variables: [x]\n"
                                 "  Equations: [m*x'' + k*x]\n"
                                 "Outputs: {phase: w*t}\n"
                                 "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n";

static taut_model *parse(const char *text) {
    taut_model *model;
    assert_ok(taut_model_parse("test", text, -1, &model, &errors));
    return model;
}

static taut_simulation *create(const taut_model *model) {
    taut_simulation *s;
    assert_ok(taut_simulation_create(model, NULL, &s, &errors));
    return s;
}

/* ---- models from a text ---- */

static void test_parse_knows_title_and_kind(void **state) {
    (void)state;
    taut_model *model = parse(OSCILLATOR);
    assert_string_equal(taut_model_title(model), "oscillator");
    assert_string_equal(taut_model_kind_name(model), "DAE");
    taut_model_free(&model);
    assert_null(model);
}

static void test_parse_takes_only_length_bytes(void **state) {
    (void)state;
    char text[sizeof OSCILLATOR + 20];
    taut_model *model;
    snprintf(text, sizeof text, "%s]]]", OSCILLATOR);
    assert_ok(taut_model_parse("test", text, (long)strlen(OSCILLATOR), &model, &errors));
    taut_model_free(&model);
}

static void test_parse_names_place_of_fault(void **state) {
    (void)state;
    taut_model *model;
    const char text[] = "DAE:\n  Variables: [x]\n  Equations: [x'' + y]\n";
    assert_int_equal(taut_model_parse("memory", text, -1, &model, &errors), TAUT_ERR_INPUT);
    assert_null(model);
    assert_string_equal(errors.item[0].path, "memory");
    assert_int_equal(errors.item[0].line, 3);
    assert_message("unknown name 'y'");
}

/* ---- steps and values ---- */

static void test_steps_reach_the_end_along_the_solution(void **state) {
    (void)state;
    taut_model *model = parse(OSCILLATOR);
    taut_simulation *s = create(model);
    taut_status status;
    assert_ok(taut_simulation_start(s, &errors));
    assert_near(taut_simulation_now(s, "x"), 1.0, 0.0, 0.0);
    while ((status = taut_simulation_step(s, &errors)) == TAUT_OK) {
        const double t = taut_simulation_time(s), before = taut_simulation_begin(s);
        assert_true(before < t);
        for (int i = 0; i <= 4; i++) {
            const double at = before + 0.25 * i * (t - before);
            assert_near(taut_simulation_value(s, "x", at), cos(2.0 * at), 1e-8, 0.0);
            assert_near(taut_simulation_value(s, "x'", at), -2.0 * sin(2.0 * at), 2e-8, 0.0);
            assert_near(taut_simulation_value(s, "phase", at), 2.0 * at, 0.0, 1e-14);
        }
    }
    assert_int_equal(status, TAUT_AT_END);
    assert_near(taut_simulation_time(s), 10.0, 0.0, 0.0);
    assert_int_equal(taut_simulation_step(s, &errors), TAUT_AT_END);
    assert_int_equal(errors.count, 0);
    taut_simulation_free(&s);
    assert_null(s);
    taut_model_free(&model);
}

static void test_run_to_does_not_change_the_steps(void **state) {
    (void)state;
    taut_model *model = parse(OSCILLATOR);
    taut_simulation *one = create(model), *two = create(model);
    assert_ok(taut_simulation_start(one, &errors));
    assert_ok(taut_simulation_start(two, &errors));
    assert_ok(taut_simulation_run_to(one, 7.5, &errors));
    for (int i = 0; i <= 75; i++) assert_ok(taut_simulation_run_to(two, 0.1 * i, &errors));
    assert_ok(taut_simulation_run_to(two, 7.5, &errors));
    assert_int_equal(taut_simulation_stats(one)->steps, taut_simulation_stats(two)->steps);
    assert_near(taut_simulation_now(one, "x"), taut_simulation_now(two, "x"), 0.0, 0.0);
    assert_near(taut_simulation_now(one, "x"), cos(15.0), 1e-8, 0.0);
    taut_simulation_free(&one);
    taut_simulation_free(&two);
    taut_model_free(&model);
}

static void test_steps_give_the_rows_of_the_table(void **state) {
    (void)state;
    taut_model *model;
    taut_result *result;
    taut_run_options options = taut_run_options_default();
    options.has_tend = true;
    options.tend = 1.0;
    options.derivatives = 2;
    options.every = 0.125;
    assert_ok(
        taut_model_read(TAUT_SOURCE_DIR "/examples/mechanism0.yaml", NULL, 0, &model, &errors));
    assert_ok(taut_simulate(model, &options, &result, &errors));
    taut_simulation *s;
    assert_ok(taut_simulation_create(model, &options, &s, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    const int columns = taut_result_columns(result);
    double row[100];
    assert_int_equal(taut_simulation_columns(s), columns);
    assert_true(columns <= 100);
    for (long i = 0; i < taut_result_rows(result); i++) {
        const double t = taut_result_value(result, i, 0);
        assert_ok(taut_simulation_run_to(s, t, &errors));
        assert_ok(taut_simulation_row(s, t, row, &errors));
        for (int c = 0; c < columns; c++) {
            assert_near(row[c], taut_result_value(result, i, c), 0.0, 0.0); /* to the last bit */
            assert_string_equal(taut_simulation_name(s, c), taut_result_name(result, c));
        }
    }
    assert_int_equal(taut_simulation_stats(s)->steps, taut_result_stats(result)->steps);
    taut_simulation_free(&s);
    taut_result_free(&result);
    taut_model_free(&model);
}

/* Options that are not given are the default ones. */
static void test_runs_need_no_options(void **state) {
    (void)state;
    taut_model *model = parse(OSCILLATOR);
    taut_result *plain, *usual;
    const taut_run_options options = taut_run_options_default();
    assert_ok(taut_simulate(model, NULL, &plain, &errors));
    assert_ok(taut_simulate(model, &options, &usual, &errors));
    assert_int_equal(taut_result_rows(plain), 1001);
    assert_int_equal(taut_result_rows(usual), 1001);
    for (int c = 0; c < taut_result_columns(usual); c++)
        assert_near(taut_result_value(plain, 700, c), taut_result_value(usual, 700, c), 0.0, 0.0);
    assert_ok(taut_certify(model, NULL, plain, &errors));
    assert_true(taut_result_certificate(plain)->error < 1e-8);
    taut_result_free(&plain);
    taut_result_free(&usual);
    taut_model_free(&model);
}

static void test_backward_run_goes_back(void **state) {
    (void)state;
    taut_model *model = parse(OSCILLATOR);
    taut_run_options options = taut_run_options_default();
    taut_simulation *s;
    options.has_tend = true;
    options.tend = -3.0;
    assert_ok(taut_simulation_create(model, &options, &s, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, -2.5, &errors));
    assert_near(taut_simulation_now(s, "x'"), 2.0 * sin(5.0), 1e-8, 0.0);
    assert_int_equal(taut_simulation_run_to(s, -3.5, &errors), TAUT_ERR_CALL);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_model_without_end_runs_on(void **state) {
    (void)state;
    taut_model *model = parse("DAE: {Variables: [x], Equations: [x' + x]}\n"
                              "ProblemData: {positions: {x: 1}}\n");
    taut_simulation *s = create(model);
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, 3.0, &errors));
    assert_near(taut_simulation_now(s, "x"), exp(-3.0), 0.0, 1e-7);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- what is set ---- */

static void test_parameter_changes_what_depends_on_it(void **state) {
    (void)state;
    taut_model *model = parse(OSCILLATOR);
    taut_simulation *s = create(model);
    assert_ok(taut_simulation_set_parameter(s, "k", 9.0, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, 1.0, &errors));
    assert_near(taut_simulation_now(s, "x"), cos(3.0), 1e-8, 0.0);
    assert_near(taut_simulation_now(s, "phase"), 3.0, 0.0, 1e-14);
    /* counts from the next start on, and zero folds into other equations */
    assert_ok(taut_simulation_set_parameter(s, "k", 0.0, &errors));
    assert_ok(taut_simulation_run_to(s, 2.0, &errors));
    assert_near(taut_simulation_now(s, "x"), cos(6.0), 1e-8, 0.0);
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, 2.0, &errors));
    assert_near(taut_simulation_now(s, "x"), 1.0, 1e-14, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_initial_values_replace_those_of_the_model(void **state) {
    (void)state;
    taut_model *model = parse(OSCILLATOR);
    taut_simulation *s = create(model);
    assert_ok(taut_simulation_set_initial(s, "x", 0.0, &errors));
    assert_ok(taut_simulation_set_initial(s, "x'", 6.0, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, 1.0, &errors));
    assert_near(taut_simulation_now(s, "x"), 3.0 * sin(2.0), 1e-8, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static const char PENDULUM[] = "PhysicalParams: {G: 9.81, L: 5}\n"
                               "Lagrangian:\n"
                               "  Coordinates: [u, v]\n"
                               "  L: 1/2*(u'^2 + v'^2) + G*v\n"
                               "  Constraints: [u^2 + v^2 - L^2]\n"
                               "ProblemData: {tend: 1, positions: {u: 5, v: 0}}\n";

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The phases do not overlap and leave nothing out that setup_s and wall_s contain. */
static void test_profile_adds_up(void **state) {
    (void)state;
    const char *solver[] = {"taylor", "ho", "bdf", "adams", "erk", "rk4", "ida"};
    for (size_t i = 0; i < sizeof solver / sizeof solver[0]; i++) {
        const double begin = now();
        taut_model *model = parse(PENDULUM);
        taut_result *result;
        taut_run_options options = taut_run_options_default();
        options.profile = true;
        options.solver = solver[i];
        options.step = strcmp(solver[i], "rk4") == 0 ? 0.01 : 0.0;
        options.has_tend = true;
        options.tend = 1.0;
        assert_ok(taut_simulate(model, &options, &result, &errors));
        const double elapsed = now() - begin;
        const taut_run_stats *s = taut_result_stats(result);
        double sum = 0.0;
        for (int k = 0; k < TAUT_PHASES; k++) {
            assert_non_null(taut_phase_name((taut_phase)k));
            assert_true(s->phase_s[k] >= 0.0);
            sum += s->phase_s[k];
        }
        assert_true(sum >= (s->setup_s + s->wall_s) * (1.0 - 1e-9));
        assert_true(sum <= elapsed * (1.0 + 1e-9));
        assert_true(s->phase_s[TAUT_PHASE_KERNELS] > 0.0);
        assert_true(s->phase_s[TAUT_PHASE_FACTORS] > 0.0);
        assert_true(s->phase_s[TAUT_PHASE_SOLVES] > 0.0);
        assert_true(s->phase_s[TAUT_PHASE_ROWS] > 0.0);
        taut_result_free(&result);
        taut_model_free(&model);
    }
    assert_null(taut_phase_name(TAUT_PHASES));
}

static void test_no_profile_unless_asked_for(void **state) {
    (void)state;
    taut_model *model = parse(PENDULUM);
    taut_result *result;
    const taut_run_options options = taut_run_options_default();
    assert_ok(taut_simulate(model, &options, &result, &errors));
    for (int k = 0; k < TAUT_PHASES; k++)
        assert_near(taut_result_stats(result)->phase_s[k], 0.0, 0.0, 0.0);
    taut_result_free(&result);
    taut_model_free(&model);
}

static void test_fixed_initial_value_stays_and_others_give_way(void **state) {
    (void)state;
    taut_model *model = parse(PENDULUM);
    taut_simulation *s = create(model);
    assert_ok(taut_simulation_fix_initial(s, "u", 3.0, &errors));
    assert_ok(taut_simulation_set_initial(s, "v", 3.9, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    assert_near(taut_simulation_now(s, "u"), 3.0, 0.0, 0.0);
    assert_near(taut_simulation_now(s, "v"), 4.0, 0.0, 1e-14);
    assert_non_null(strstr(taut_simulation_moves(s), "v: 3.9 -> 4"));
    /* u = 6 is longer than the pendulum */
    assert_ok(taut_simulation_fix_initial(s, "u", 6.0, &errors));
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_ERR_INPUT);
    assert_int_equal(taut_simulation_step(s, &errors), TAUT_ERR_CALL);
    assert_ok(taut_simulation_fix_initial(s, "u", -3.0, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    assert_near(taut_simulation_now(s, "u"), -3.0, 0.0, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_initial_values_of_a_mechanism_go_by_component_and_angle(void **state) {
    (void)state;
    taut_model *model;
    assert_ok(
        taut_model_read(TAUT_SOURCE_DIR "/examples/mechanism0.yaml", NULL, 0, &model, &errors));
    taut_simulation *s = create(model);
    assert_ok(taut_simulation_set_initial(s, "A.x'", 0.25, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    assert_near(taut_simulation_now(s, "Ax'"), 0.25, 1e-14, 0.0);
    assert_near(taut_simulation_now(s, "A.x'"), 0.25, 1e-14, 0.0);
    assert_near(taut_simulation_now(s, "thetaOA'"), 0.125, 1e-13, 0.0); /* the bar is 2 long */
    assert_int_equal(taut_simulation_set_initial(s, "thetaOB", 1.0, &errors), TAUT_ERR_CALL);
    assert_message("did you mean 'thetaOA'?");
    assert_int_equal(taut_simulation_set_initial(s, "A", 1.0, &errors), TAUT_ERR_CALL);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_stats_know_the_structure_before_the_start(void **state) {
    (void)state;
    taut_model *model = parse(PENDULUM);
    taut_simulation *s = create(model);
    const taut_run_stats *stats = taut_simulation_stats(s);
    assert_int_equal(stats->index, 3);
    assert_int_equal(stats->dof, 2);
    assert_int_equal(stats->mobility, 1);
    assert_int_equal(stats->unknowns, 3);
    assert_int_equal(stats->steps, 0);
    assert_near(stats->tend, 1.0, 0.0, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- wrong calls ---- */

static void test_wrong_calls_are_named(void **state) {
    (void)state;
    taut_model *model = parse(OSCILLATOR);
    taut_simulation *s = create(model);
    double row[8];
    assert_int_equal(taut_simulation_step(s, &errors), TAUT_ERR_CALL);
    assert_message("has not started");
    assert_int_equal(taut_simulation_run_to(s, 1.0, &errors), TAUT_ERR_CALL);
    assert_true(isnan(taut_simulation_now(s, "x")));
    assert_int_equal(taut_simulation_set_parameter(s, "kk", 1.0, &errors), TAUT_ERR_CALL);
    assert_message("no parameter 'kk'; did you mean 'k'?");
    assert_int_equal(taut_simulation_set_parameter(s, "k", (double)NAN, &errors), TAUT_ERR_CALL);
    assert_message("not a finite number");
    assert_int_equal(taut_simulation_set_initial(s, "y", 1.0, &errors), TAUT_ERR_CALL);
    assert_message("no variable 'y'");
    assert_int_equal(taut_simulation_set_initial(s, "w", 1.0, &errors), TAUT_ERR_CALL);
    assert_message("not a variable");
    assert_ok(taut_simulation_start(s, &errors)); /* what failed has left no trace */
    assert_ok(taut_simulation_run_to(s, 5.0, &errors));
    assert_int_equal(taut_simulation_run_to(s, 0.0, &errors), TAUT_ERR_CALL);
    assert_message("does not go back");
    assert_int_equal(taut_simulation_run_to(s, 11.0, &errors), TAUT_ERR_CALL);
    assert_message("beyond the end");
    assert_int_equal(taut_simulation_run_to(s, (double)NAN, &errors), TAUT_ERR_CALL);
    assert_int_equal(taut_simulation_row(s, 0.0, row, &errors), TAUT_ERR_CALL);
    assert_message("outside the last step");
    assert_true(isnan(taut_simulation_value(s, "x", 0.0)));
    assert_true(isnan(taut_simulation_now(s, "x''"))); /* derivatives is 1 */
    assert_int_equal(taut_simulation_find(s, "nothing"), -1);
    assert_true(isnan(taut_simulation_get(s, -1, 5.0)));
    assert_null(taut_simulation_name(s, 99));
    assert_near(taut_simulation_now(s, "x"), cos(10.0), 1e-8, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_vector_needs_its_components(void **state) {
    (void)state;
    taut_model *model = parse("DAE: {Variables: {r: 2}, Equations: [\"r' - [r.y, -r.x]\"]}\n"
                              "ProblemData: {tend: 1, positions: {r: [1, 0]}}\n");
    taut_simulation *s = create(model);
    assert_int_equal(taut_simulation_set_initial(s, "r", 1.0, &errors), TAUT_ERR_CALL);
    assert_message("give its components, rx");
    assert_ok(taut_simulation_set_initial(s, "ry", 1.0, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, 1.0, &errors));
    assert_near(taut_simulation_now(s, "r.x"), cos(1.0) + sin(1.0), 1e-8, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_stopped_simulation_keeps_what_is_good(void **state) {
    (void)state;
    taut_model *model = parse("DAE: {Variables: [x], Equations: [x' - x^2]}\n" /* 1/(1 - t) */
                              "ProblemData: {tend: 2, positions: {x: 1}}\n");
    taut_simulation *s = create(model);
    assert_ok(taut_simulation_start(s, &errors));
    const taut_status status = taut_simulation_run_to(s, 2.0, &errors);
    assert_true(status != TAUT_OK && status != TAUT_AT_END);
    const double t = taut_simulation_time(s);
    assert_near(t, 1.0, 1e-9, 0.0);
    assert_true(taut_simulation_now(s, "x") > 1e6);
    assert_int_equal(taut_simulation_step(s, &errors), status);
    assert_message("start it again");
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, 0.5, &errors));
    assert_near(taut_simulation_now(s, "x"), 2.0, 0.0, 1e-8);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- built in code ---- */

static taut_builder *builder(const char *title) {
    taut_builder *b;
    assert_int_equal(taut_builder_create(title, &b), TAUT_OK);
    return b;
}

static taut_model *finish(taut_builder **b) {
    taut_model *model;
    taut_status status = taut_builder_finish(*b, &model, &errors);
    if (status != TAUT_OK) print_error("%s\n", taut_builder_text(*b));
    assert_ok(status);
    taut_builder_free(b);
    return model;
}

/* The value of a column at time t, by default options. */
static double value_at(const taut_model *model, const char *name, double t) {
    taut_simulation *s = create(model);
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, t, &errors));
    const double value = taut_simulation_now(s, name);
    taut_simulation_free(&s);
    return value;
}

static void test_built_dae_is_solved(void **state) {
    (void)state;
    taut_builder *b = builder("decay");
    taut_builder_number(b, "a", 0.1);
    taut_builder_parameter(b, "rate", "2*a + 0.3");
    taut_builder_variable(b, "x", 1);
    taut_builder_variable(b, "r", 2);
    taut_builder_equation(b, NULL, "x' + rate*x");
    taut_builder_equation(b, NULL, "r' - [r.y, -r.x]");
    taut_builder_define(b, "size", "sqrt(r.x^2 + r.y^2)");
    taut_builder_output(b, "twice", "2*size");
    taut_builder_position(b, "x", "1");
    taut_builder_position(b, "r", "[12*atan2(1, 1)/pi, 4]");
    taut_builder_span(b, 0, 5);
    taut_model *model = finish(&b);
    assert_string_equal(taut_model_kind_name(model), "DAE");
    assert_near(value_at(model, "x", 2.0), exp(-1.0), 0.0, 1e-8);
    assert_near(value_at(model, "twice", 2.0), 10.0, 0.0, 1e-8);
    taut_model_free(&model);
}

static void test_built_lagrangian_equals_its_file(void **state) {
    (void)state;
    taut_builder *b = builder("pendulum");
    taut_builder_number(b, "G", 9.81);
    taut_builder_number(b, "L", 5);
    taut_builder_coordinate(b, "u", 1);
    taut_builder_coordinate(b, "v", 1);
    taut_builder_lagrangian(b, "1/2*(u'^2 + v'^2) + G*v");
    taut_builder_constraint(b, NULL, "u^2 + v^2 - L^2");
    taut_builder_position(b, "u", "L");
    taut_builder_position(b, "v", "0");
    taut_builder_span(b, 0, 1);
    taut_model *built = finish(&b), *read = parse(PENDULUM);
    assert_string_equal(taut_model_kind_name(built), "Lagrangian");
    assert_near(value_at(built, "u", 1.0), value_at(read, "u", 1.0), 0.0, 0.0);
    assert_near(value_at(built, "lambda1", 1.0), value_at(read, "lambda1", 1.0), 0.0, 0.0);
    taut_model_free(&built);
    taut_model_free(&read);
}

static void test_built_dissipation_and_force_act(void **state) {
    (void)state;
    taut_builder *b = builder("forced");
    taut_builder_coordinate(b, "x", 1);
    taut_builder_lagrangian(b, "1/2*x'^2");
    taut_builder_dissipation(b, "1/2*x'^2");
    taut_builder_force(b, "x", "3"); /* x'' + x' = 3 */
    taut_builder_position(b, "x", "0");
    taut_builder_span(b, 0, 2);
    taut_model *model = finish(&b);
    assert_near(value_at(model, "x'", 2.0), 3.0 * (1.0 - exp(-2.0)), 0.0, 1e-8);
    taut_model_free(&model);
}

static void test_built_hamiltonian_oscillates(void **state) {
    (void)state;
    taut_builder *b = builder("oscillator");
    taut_builder_coordinate(b, "x", 1);
    taut_builder_momentum(b, "p", 1);
    taut_builder_hamiltonian(b, "p^2/2 + 2*x^2");
    taut_builder_position(b, "x", "0");
    taut_builder_value(b, "p", "6");
    taut_builder_span(b, 0, 2);
    taut_model *model = finish(&b);
    assert_string_equal(taut_model_kind_name(model), "Hamiltonian");
    assert_near(value_at(model, "x", 2.0), 3.0 * sin(4.0), 1e-8, 0.0);
    taut_model_free(&model);
}

/* A knife edge on an incline: z is the heading, which turns evenly (z' = 1), and there is no
 * velocity across it. Downhill is x: along the edge v' = cos(t), v = sin(t), x' = v cos(t). */
static void test_built_velocity_constraint_holds(void **state) {
    (void)state;
    taut_builder *b = builder("knife edge");
    taut_builder_coordinate(b, "x", 1);
    taut_builder_coordinate(b, "y", 1);
    taut_builder_coordinate(b, "z", 1);
    taut_builder_lagrangian(b, "1/2*(x'^2 + y'^2 + z'^2) + x");
    taut_builder_velocity_constraint(b, "edge", "sin(z)*x' - cos(z)*y'");
    taut_builder_position(b, "x", "0");
    taut_builder_position(b, "y", "0");
    taut_builder_position(b, "z", "0");
    taut_builder_velocity(b, "z", "1");
    taut_builder_span(b, 0, 3);
    taut_model *model = finish(&b);
    assert_near(value_at(model, "x", 2.0), 0.5 * sin(2.0) * sin(2.0), 1e-8, 0.0);
    taut_model_free(&model);
}

/* examples/slider-crank.yaml in code: the reference is an integration of the crank angle alone. */
static void test_built_mechanism_moves(void **state) {
    (void)state;
    taut_builder *b = builder("slider-crank: \"built\"");
    taut_builder_number(b, "l1", 0.4);
    taut_builder_number(b, "l2", 1);
    taut_builder_number(b, "m", 1);
    taut_builder_dimension(b, 2);
    taut_builder_fixed(b, "O", "[0, 0]");
    taut_builder_fixed(b, "u", "[1, 0]");
    taut_builder_body(
        b, "OA",
        &(taut_body_spec){
            .geometry = "[l1]", .centroid = "[l1/2]", .mass = "m", .inertia = "m*l1^2/12"});
    taut_builder_body(b, "rod",
                      &(taut_body_spec){.elements = "A, B",
                                        .geometry = "[l2, 0]",
                                        .centroid = "[l2/2, 0]",
                                        .mass = "m",
                                        .inertia = "m*l2^2/12"});
    taut_builder_collinear(b, "OuB", "s");
    taut_builder_gravity(b, NULL);
    taut_builder_position(b, "A", "[l1*cos(pi/4), l1*sin(pi/4)]");
    taut_builder_position(b, "s", "1.2");
    taut_builder_fix_position(b, "Ax");
    taut_builder_velocity(b, "A", "[-3, 3]");
    taut_builder_velocity(b, "s", "-4");
    taut_builder_fix_velocity(b, "s");
    taut_builder_span(b, 0, 10);
    taut_model *model = finish(&b);
    assert_string_equal(taut_model_kind_name(model), "mechanism");
    assert_string_equal(taut_model_title(model), "slider-crank: \"built\"");
    assert_near(value_at(model, "Ax", 2.5), -0.016453376902110, 1e-7, 0.0);
    assert_near(value_at(model, "s", 2.5), 0.900209436574843, 1e-7, 0.0);
    taut_model_free(&model);
}

/* A particle on a spring and a damper, with a force: m y'' + c y' + k (y - l) = f. */
static void test_built_links_and_particles_act(void **state) {
    (void)state;
    taut_builder *b = builder("hanging");
    taut_builder_dimension(b, 3);
    taut_builder_fixed(b, "O", "[0, 0, 0]");
    taut_builder_particle(b, "P", "2");
    taut_builder_link(b, "OP", &(taut_link_spec){.stiffness = "50", .length = "1"});
    taut_builder_link(b, "dash", &(taut_link_spec){.points = "O, P", .damping = "4"});
    taut_builder_force(b, "P", "[30, 0, 0]");
    taut_builder_position(b, "P", "[1, 0, 0]");
    taut_builder_span(b, 0, 2);
    taut_model *model = finish(&b);
    /* x = 1 + y: 2 y'' + 4 y' + 50 y = 30 */
    const double t = 1.5, w = sqrt(24.0);
    const double y = 0.6 * (1.0 - exp(-t) * (cos(w * t) + sin(w * t) / w));
    assert_near(value_at(model, "Px", t), 1.0 + y, 0.0, 1e-8);
    taut_model_free(&model);
}

/* A bar on a driven revolute joint; its angle is prescribed, and tracked about the axis. */
static void test_built_joint_driver_and_angle_work(void **state) {
    (void)state;
    taut_builder *b = builder("crank");
    taut_builder_dimension(b, 2);
    taut_builder_fixed(b, "O", "[0, 0]");
    taut_builder_body(b, "bar",
                      &(taut_body_spec){.elements = "Q, A",
                                        .geometry = "[2, 0]",
                                        .centroid = "[1, 0]",
                                        .mass = "1",
                                        .inertia = "1/3"});
    taut_builder_joint(b, "pin", &(taut_joint_spec){.type = "revolute", .points = "O, Q"});
    taut_builder_angle(b, "phi", "bar", NULL);
    taut_builder_driver(b, "phi", "0.5 + 3*t");
    taut_builder_point(b, "M", "(Q + A)/2");
    taut_builder_position(b, "Q", "[0, 0]");
    taut_builder_position(b, "A", "[2*cos(0.5), 2*sin(0.5)]");
    taut_builder_velocity(b, "A", "[-6*sin(0.5), 6*cos(0.5)]");
    taut_builder_span(b, 0, 2);
    taut_model *model = finish(&b);
    assert_near(value_at(model, "phi", 2.0), 6.5, 0.0, 1e-9);
    assert_near(value_at(model, "Mx", 2.0), cos(6.5), 1e-9, 0.0);
    taut_model_free(&model);
}

/* All that joints and force elements take passes through the builder: the same rows as the file. */
static void test_built_joints_and_force_elements_are_those_of_a_file(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_builder *b = builder("elements");
    taut_builder_dimension(b, 2);
    taut_builder_fixed(b, "O", "[0, 0]");
    taut_builder_fixed(b, "P", "[3, 0]");
    taut_builder_fixed(b, "x", "[1, 0]");
    static const taut_body_spec body[] = {{"A, B", "[1]", "[0.1]", "1", "0.5", 0, NULL, NULL, NULL},
                                          {"C, D", "[0.5]", "[0]", "1", "0.2", 0, NULL, NULL, NULL},
                                          {"R, w", "[1]", "[0]", "2", "0.3", 1, NULL, NULL, NULL}};
    taut_builder_body(b, "wheel", &body[0]);
    taut_builder_body(b, "pinion", &body[1]);
    taut_builder_body(b, "rack", &body[2]);
    taut_builder_particle(b, "F", "1");
    static const taut_joint_spec joint[] = {
        {.type = "revolute", .points = "O, A", .angle = "phi"},
        {.type = "revolute", .points = "P, C", .angle = "psi", .disassembled = 1},
        {.type = "prismatic",
         .bodies = "ground, rack",
         .points = "O, R",
         .axes = "x, w",
         .distance = "s"},
        {.type = "gear", .coordinates = "phi, psi", .number = "-2"},
        {.type = "rack", .coordinates = "psi, s", .number = "0.3", .phase = "0.2"},
        {.type = "point-on-curve",
         .bodies = "wheel",
         .points = "A, F",
         .curve = "[2 + z, z^2]",
         .parameter = "z"}};
    static const char *const name[] = {"left", "right", "rail", "mesh", "teeth", "cam"};
    for (int i = 0; i < 6; i++) taut_builder_joint(b, name[i], &joint[i]);
    taut_builder_torsion(
        b, "spring",
        &(taut_torsion_spec){.angle = "phi", .stiffness = "3", .rest = "0.1", .damping = "0.01"});
    taut_builder_torsion(b, "coil",
                         &(taut_torsion_spec){.bodies = "wheel, rack", .stiffness = "0.2"});
    taut_builder_torsion(b, "oil",
                         &(taut_torsion_spec){.bodies = "wheel, ground", .damping = "0.1"});
    taut_builder_bushing(b, "mount",
                         &(taut_bushing_spec){.points = "O, F",
                                              .bodies = "ground",
                                              .stiffness = "2",
                                              .damping = "[0.1, 0.1]",
                                              .torsion = "0.1",
                                              .twist_damping = "0.01"});
    taut_builder_gravity(b, NULL);
    taut_builder_force(b, "s", "1");
    taut_builder_force_between(b, "rope", "F", "R", "-1");
    taut_builder_torque(b, "psi", "0.1");
    taut_builder_torque_between(b, "motor", "wheel", "pinion", "0.2");
    taut_builder_drag(b, "F", "[0.1, 0.1, 1]");
    static const char *const start[][2] = {
        {"A", "[0, 0]"},   {"B", "[1, 0]"}, {"C", "[3.02, 0]"}, {"D", "[3.52, 0]"},
        {"R", "[0.2, 0]"}, {"w", "[1, 0]"}, {"F", "[2, 0]"},    {"z", "0"}};
    for (int i = 0; i < 8; i++) taut_builder_position(b, start[i][0], start[i][1]);
    taut_builder_span(b, 0, 0.1);
    taut_model *built = finish(&b);
    const taut_status status = taut_model_read(
        TAUT_SOURCE_DIR "/tests/models/joints/all-elements.yaml", NULL, 0, &model, &errors);
    assert_int_equal(status, TAUT_OK);
    assert_near(value_at(built, "phi", 0.1), value_at(model, "phi", 0.1), 1e-15, 0.0);
    assert_near(value_at(built, "z", 0.1), value_at(model, "z", 0.1), 1e-15, 0.0);
    taut_model_free(&built);
    taut_model_free(&model);
}

static void test_builder_faults_show_the_line(void **state) {
    (void)state;
    taut_model *model;
    taut_builder *b = builder("broken");
    taut_builder_coordinate(b, "u", 1);
    taut_builder_lagrangian(b, "1/2*w'^2");
    taut_builder_position(b, "u", NULL);
    assert_int_equal(taut_builder_finish(b, &model, &errors), TAUT_ERR_INPUT);
    assert_null(model);
    assert_string_equal(errors.item[0].path, "broken");
    assert_non_null(strstr(errors.item[0].message, "unknown name 'w'"));
    assert_string_equal(errors.item[0].source, "  L: 1/2*w'^2");
    assert_non_null(strstr(errors.item[1].message, "a formula is missing"));
    taut_builder_free(&b);
    assert_null(b);
    taut_builder_free(&b);
}

static void test_builder_refuses_names_for_some_only(void **state) {
    (void)state;
    taut_model *model;
    taut_builder *b = builder("mixed");
    taut_builder_variable(b, "x", 2);
    taut_builder_equation(b, NULL, "x.x' + 1");
    taut_builder_equation(b, "second", "x.y' + 1");
    assert_int_equal(taut_builder_finish(b, &model, &errors), TAUT_ERR_CALL);
    assert_message("name all of them, or none");
    taut_builder_free(&b);
}

static void test_builder_text_survives_any_text(void **state) {
    (void)state;
    taut_model *model;
    taut_builder *b = builder("null: [#] \"\\ \n\t\x7f \xc3\xa4");
    taut_builder_variable(b, "x", 1);
    taut_builder_equation(b, NULL, "x' + 1: {\"'}, [");
    assert_int_equal(taut_builder_finish(b, &model, &errors), TAUT_ERR_INPUT);
    assert_int_equal(errors.count, 1); /* the formula is at fault, not the file */
    assert_int_equal(errors.item[0].line, 6);
    taut_builder_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_parse_knows_title_and_kind, forget_errors),
        cmocka_unit_test_setup(test_parse_takes_only_length_bytes, forget_errors),
        cmocka_unit_test_setup(test_parse_names_place_of_fault, forget_errors),
        cmocka_unit_test_setup(test_steps_reach_the_end_along_the_solution, forget_errors),
        cmocka_unit_test_setup(test_run_to_does_not_change_the_steps, forget_errors),
        cmocka_unit_test_setup(test_steps_give_the_rows_of_the_table, forget_errors),
        cmocka_unit_test_setup(test_runs_need_no_options, forget_errors),
        cmocka_unit_test_setup(test_backward_run_goes_back, forget_errors),
        cmocka_unit_test_setup(test_model_without_end_runs_on, forget_errors),
        cmocka_unit_test_setup(test_parameter_changes_what_depends_on_it, forget_errors),
        cmocka_unit_test_setup(test_initial_values_replace_those_of_the_model, forget_errors),
        cmocka_unit_test_setup(test_fixed_initial_value_stays_and_others_give_way, forget_errors),
        cmocka_unit_test_setup(test_initial_values_of_a_mechanism_go_by_component_and_angle,
                               forget_errors),
        cmocka_unit_test_setup(test_stats_know_the_structure_before_the_start, forget_errors),
        cmocka_unit_test_setup(test_wrong_calls_are_named, forget_errors),
        cmocka_unit_test_setup(test_vector_needs_its_components, forget_errors),
        cmocka_unit_test_setup(test_stopped_simulation_keeps_what_is_good, forget_errors),
        cmocka_unit_test_setup(test_built_dae_is_solved, forget_errors),
        cmocka_unit_test_setup(test_built_lagrangian_equals_its_file, forget_errors),
        cmocka_unit_test_setup(test_built_dissipation_and_force_act, forget_errors),
        cmocka_unit_test_setup(test_built_hamiltonian_oscillates, forget_errors),
        cmocka_unit_test_setup(test_built_velocity_constraint_holds, forget_errors),
        cmocka_unit_test_setup(test_built_mechanism_moves, forget_errors),
        cmocka_unit_test_setup(test_built_links_and_particles_act, forget_errors),
        cmocka_unit_test_setup(test_built_joint_driver_and_angle_work, forget_errors),
        cmocka_unit_test_setup(test_built_joints_and_force_elements_are_those_of_a_file,
                               forget_errors),
        cmocka_unit_test_setup(test_profile_adds_up, forget_errors),
        cmocka_unit_test_setup(test_no_profile_unless_asked_for, forget_errors),
        cmocka_unit_test_setup(test_builder_faults_show_the_line, forget_errors),
        cmocka_unit_test_setup(test_builder_refuses_names_for_some_only, forget_errors),
        cmocka_unit_test_setup(test_builder_text_survives_any_text, forget_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
