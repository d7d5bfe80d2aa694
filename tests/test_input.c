/* Inputs that change in time: between steps, and as formulas of t. */
#include "solve_text.h"

#include <math.h>

/* A body of mass 1, pushed by u at its mass centre. */
static const char BODY[] = "Dimension: 2\n"
                           "Inputs: {u: 1}\n"
                           "PhysicalParams: {k: 2}\n"
                           "PartData:\n"
                           "  Rigids: {AB: {Geom: [[1, 0]], Dyna: [[0, 0], 1, 1]}}\n"
                           "AppliedForces: {Forces: {A: [u, 0]}}\n"
                           "ProblemData: {tend: 3, positions: {A: [0, 0], B: [1, 0]}}\n";

static const char PARTICLE[] = "Dimension: 2\n"
                               "Inputs: {u: 1}\n"
                               "PhysicalParams: {k: 2}\n"
                               "PartData: {Particles: {A: 1}}\n"
                               "AppliedForces: {Forces: {A: [u, 0]}}\n"
                               "ProblemData: {tend: 3, positions: {A: [0, 0]}}\n";

static taut_simulation *begin(taut_model *model, const char *solver, const char *formulation,
                              double tol) {
    taut_simulation *s;
    taut_errors errors = {0};
    taut_run_options o = at_tolerance(tol);
    o.solver = solver;
    o.formulation = formulation;
    taut_status status = taut_simulation_create(model, &o, &s, &errors);
    if (status == TAUT_OK) status = taut_simulation_start(s, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    return s;
}

static void must(taut_status status, const taut_errors *errors) {
    if (status != TAUT_OK) show_errors(errors);
    assert_int_equal(status, TAUT_OK);
}

/* u = 1 up to t = 1, then 5: x(1) = 1/2, x'(1) = 1, x(2) = 1/2 + 1 + 5/2 = 4, x'(2) = 6. */
static void test_step_of_an_input_acts_from_the_present_time_on(void **state) {
    (void)state;
    static const char *const solver[] = {"auto", "taylor", "ho", "erk", "adams", "auto"};
    static const char *const formulation[] = {NULL, NULL, NULL, NULL, NULL, "relative"};
    for (int i = 0; i < 6; i++) {
        taut_errors errors = {0};
        taut_model *model = read_text(PARTICLE);
        taut_simulation *s = begin(model, solver[i], formulation[i], 1e-13);
        must(taut_simulation_run_to(s, 1.0, &errors), &errors);
        must(taut_simulation_set_input(s, "u", 5.0, &errors), &errors);
        assert_true(taut_simulation_time(s) == 1.0 && taut_simulation_reached(s) == 1.0);
        assert_near(taut_simulation_now(s, "Ax"), 0.5, 1e-12, 0.0);
        must(taut_simulation_run_to(s, 2.0, &errors), &errors);
        assert_near(taut_simulation_now(s, "Ax"), 4.0, 0.0, 1e-12);
        assert_near(taut_simulation_now(s, "Ax'"), 6.0, 0.0, 1e-12);
        must(taut_simulation_set_input(s, "u", 0.0, &errors), &errors); /* zero folds */
        must(taut_simulation_run_to(s, 3.0, &errors), &errors);
        assert_near(taut_simulation_now(s, "Ax"), 10.0, 0.0, 1e-12);
        const taut_run_stats *stats = taut_simulation_stats(s);
        assert_true(stats->t0 == 0.0 && stats->reached == 3.0 && stats->steps >= 3);
        taut_simulation_free(&s);
        taut_model_free(&model);
    }
}

/* Before the start it is a parameter; afterwards a wrong name or number changes nothing. */
/* On and off every 0.1: from the first 0 on the equations have the input whatever it is. */
static void test_a_switch_compiles_once(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho", "adams", "taylor"};
    static const char *const formulation[] = {NULL, NULL, NULL, "reference"};
    for (int i = 0; i < 4; i++) {
        taut_errors errors = {0};
        taut_model *model = read_text(BODY);
        taut_simulation *s = begin(model, solver[i], formulation[i], 1e-12);
        double x = 0.0, v = 0.0;
        for (int k = 0; k < 20; k++) {
            const double u = k % 2 == 0 ? 2.0 : 0.0;
            must(taut_simulation_set_input(s, "u", u, &errors), &errors);
            must(taut_simulation_run_to(s, 0.1 * (k + 1), &errors), &errors);
            x += 0.1 * v + 0.5 * u * 0.01;
            v += 0.1 * u;
            assert_near(taut_simulation_now(s, "Ax"), x, 1e-9, 0.0);
        }
        assert_true(taut_simulation_stats(s)->compilations <= 2);
        taut_simulation_free(&s);
        taut_model_free(&model);
    }
}

/* A factor of the highest derivative that becomes 0 leaves an equation of order 1, for which the
 * state has too much. */
static void test_an_input_that_changes_the_structure(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_model *model = read_text("Inputs: {m: 1}\n"
                                  "DAE: {Variables: [x], Equations: [m*x'' + x' + x]}\n"
                                  "ProblemData: {tend: 3, values: {x: 1, x': 0}}\n");
    taut_simulation *s = begin(model, "taylor", NULL, 1e-12);
    must(taut_simulation_run_to(s, 1.0, &errors), &errors);
    assert_int_equal(taut_simulation_set_input(s, "m", 0.0, &errors), TAUT_ERR_CALL);
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(errors.item[0].message, "another order of 'x'"));
    must(taut_simulation_start(s, &errors), &errors); /* x' + x = 0 from the beginning */
    must(taut_simulation_run_to(s, 1.0, &errors), &errors);
    assert_near(taut_simulation_now(s, "x"), exp(-1.0), 1e-11, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_wrong_inputs_are_named(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_model *model = read_text(PARTICLE);
    taut_simulation *s;
    must(taut_simulation_create(model, NULL, &s, &errors), &errors);
    must(taut_simulation_set_input(s, "u", 2.0, &errors), &errors);
    must(taut_simulation_start(s, &errors), &errors);
    must(taut_simulation_run_to(s, 1.0, &errors), &errors);
    assert_near(taut_simulation_now(s, "Ax"), 1.0, 0.0, 1e-12);
    assert_int_equal(taut_simulation_set_input(s, "k", 1.0, &errors), TAUT_ERR_CALL);
    assert_non_null(strstr(errors.item[0].message, "no input 'k'"));
    assert_int_equal(taut_simulation_set_input(s, "u", (double)NAN, &errors), TAUT_ERR_CALL);
    must(taut_simulation_run_to(s, 2.0, &errors), &errors);
    assert_near(taut_simulation_now(s, "Ax"), 4.0, 0.0, 1e-12);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static taut_status read_with(const char *text, const char *name, const char *formula,
                             taut_model **model, taut_errors *errors) {
    const taut_override input = {name, formula};
    const taut_reading reading = {.input = &input, .inputs = 1};
    char path[] = "/tmp/taut-test-XXXXXX";
    write_temporary(text, path);
    const taut_status status = taut_model_read_driven(path, &reading, model, errors);
    unlink(path);
    return status;
}

/* x'' = 3 k t: x = k t^3/2, in every formulation. */
static void test_formula_of_time_is_compiled_in(void **state) {
    (void)state;
    static const char *const text[] = {PARTICLE, BODY, BODY, BODY};
    static const char *const formulation[] = {"natural", "natural", "reference", "relative"};
    for (int i = 0; i < 4; i++) {
        taut_errors errors = {0};
        taut_model *model;
        must(read_with(text[i], "u", "3*k*t", &model, &errors), &errors);
        taut_simulation *s = begin(model, "auto", formulation[i], 1e-12);
        must(taut_simulation_run_to(s, 2.0, &errors), &errors);
        assert_near(taut_simulation_now(s, "Ax"), 8.0, 0.0, 1e-11);
        assert_int_equal(taut_simulation_set_input(s, "u", 1.0, &errors), TAUT_ERR_CALL);
        taut_simulation_free(&s);
        taut_model_free(&model);
    }
}

static void test_wrong_formulas_are_named(void **state) {
    (void)state;
    static const struct {
        const char *name, *formula, *message;
    } wrong[] = {{"u", "2*Ax", "input u=2*Ax"},
                 {"k", "t", "this is a parameter"},
                 {"v", "t", "the model has no input 'v'"},
                 {"u", "3*", "input u=3*"}};
    for (int i = 0; i < 4; i++) {
        taut_errors errors = {0};
        taut_model *model;
        assert_int_equal(read_with(PARTICLE, wrong[i].name, wrong[i].formula, &model, &errors),
                         TAUT_ERR_INPUT);
        assert_null(model);
        if (!strstr(errors.item[0].message, wrong[i].message)) show_errors(&errors);
        assert_non_null(strstr(errors.item[0].message, wrong[i].message));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_of_an_input_acts_from_the_present_time_on),
        cmocka_unit_test(test_a_switch_compiles_once),
        cmocka_unit_test(test_an_input_that_changes_the_structure),
        cmocka_unit_test(test_wrong_inputs_are_named),
        cmocka_unit_test(test_formula_of_time_is_compiled_in),
        cmocka_unit_test(test_wrong_formulas_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
