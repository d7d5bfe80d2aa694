/* One file, several formulations: every example mechanism moves in the same way in all of them, to
 * 9 digits in every column. */
#include "examples.h"

#include "form/formulation.h"
#include "model/model.h"

static void must_agree(const char *folder, const char *name, const char *formulation,
                       const char *solver, bool reactions) {
    char path[160];
    taut_run_options options = at_tolerance(1e-13);
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    options.solver = "taylor";
    options.reactions = reactions;
    solution *a = solve_file(path, &options);
    options.formulation = formulation;
    options.solver = solver;
    solution *b = solve_file(path, &options);
    const agreement found = compare(a, b);
    print_message("%s, %s, %s: %.2f digits (%s, t = %g)\n", name, formulation, solver, found.digits,
                  found.column, found.t);
    require_digits(found, 9.0, name);
    assert_string_equal(taut_result_stats(b->result)->formulation, formulation);
    assert_true(taut_result_stats(b->result)->mobility == taut_result_stats(a->result)->mobility);
    assert_true(taut_result_stats(b->result)->dof == taut_result_stats(a->result)->dof);
    solution_free(a);
    solution_free(b);
}

/* What a formula constrains may act on one body or on the other where natural coordinates have one
 * unknown for a point of both. */
static bool has_clear_reactions(const char *name) { return strcmp(name, "formulas") != 0; }

static void agree_in(const char *folder, int least, const char *solver, bool reactions) {
    static char name[MOST_EXAMPLES][64];
    const int count = list_mechanisms(folder, name);
    assert_true(count >= least);
    for (int f = 0; taut_formulation_name(f); f++)
        for (int i = 0; i < count; i++)
            if (strcmp(taut_formulation_name(f), "natural") != 0 &&
                taut_formulation_find(taut_formulation_name(f))) /* minimal: test_minimal.c */
                must_agree(folder, name[i], taut_formulation_name(f), solver,
                           reactions && has_clear_reactions(name[i]));
}

static void test_taylor(void **state) {
    (void)state;
    agree_in("examples", 30, "taylor", false);
}

static void test_auto(void **state) {
    (void)state;
    agree_in("examples", 30, "auto", false);
}

/* Every kind of joint and force element, with the forces in all joints. */
static void test_joints_and_forces(void **state) {
    (void)state;
    agree_in("tests/models/joints", 25, "taylor", true);
    agree_in("tests/models/forces", 6, "taylor", true);
}

/* ---- step by step ---- */

/* Parameters and initial values that are set mean the same in every formulation, also when a
 * simulation starts again. */
static void test_simulation(void **state) {
    (void)state;
    static const char *const NAME[] = {"natural", "reference"};
    double found[2][2][3];
    for (int f = 0; f < 2; f++) {
        taut_model *model = NULL;
        taut_simulation *s = NULL;
        taut_errors errors = {0};
        taut_run_options options = at_tolerance(1e-12);
        options.formulation = NAME[f];
        assert_int_equal(taut_model_read(TAUT_SOURCE_DIR "/examples/spatial-slider-crank.yaml",
                                         NULL, 0, &model, &errors),
                         TAUT_OK);
        assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_OK);
        for (int run = 0; run < 2; run++) {
            assert_int_equal(taut_simulation_set_parameter(s, "m_rod", 0.5 + run, &errors),
                             TAUT_OK);
            assert_int_equal(taut_simulation_fix_initial(s, "theta'", 6.0 - run, &errors), TAUT_OK);
            assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
            assert_int_equal(taut_simulation_run_to(s, 1.0, &errors), TAUT_OK);
            found[f][run][0] = taut_simulation_now(s, "s");
            found[f][run][1] = taut_simulation_now(s, "theta");
            found[f][run][2] = taut_simulation_now(s, "B.z");
        }
        taut_simulation_free(&s);
        taut_model_free(&model);
    }
    for (int run = 0; run < 2; run++)
        for (int k = 0; k < 3; k++) assert_true(fabs(found[0][run][k] - found[1][run][k]) < 1e-10);
    assert_true(fabs(found[0][0][1] - found[0][1][1]) > 0.1);
}

/* ---- coordinates and constraints, as Zhou, Zanoni and Masarati (2023) count them ---- */

static void test_counts(void **state) {
    (void)state;
    must_count("reference", "spatial-slider-crank", 21, 20);
    must_count("reference", "spin-top", 7, 2);
    must_count("reference", "andrews", 21, 20);
}

/* The text of a model is read once, whatever is made of it afterwards. */
static void test_model_is_read_once(void **state) {
    (void)state;
    static const char *const NAME[] = {"slider-crank", "bricard", "rolling-disk-mechanism",
                                       "pendulum-hamiltonian"};
    for (int i = 0; i < 4; i++) {
        taut_model *model = NULL;
        taut_errors errors = {0};
        taut_comparison *comparison = NULL;
        char path[200], *text = NULL;
        const double tol = 1e-6;
        taut_compare_options options = taut_compare_options_default();
        snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, NAME[i]);
        assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
        for (int f = 0; model->mechanism && taut_formulation_name(f); f++) {
            taut_run_options run = at_tolerance(1e-8);
            taut_result *result = NULL;
            run.formulation = taut_formulation_name(f);
            run.has_tend = true;
            run.tend = 0.01;
            assert_int_equal(taut_simulate(model, &run, &result, &errors), TAUT_OK);
            assert_int_equal(taut_certify(model, &run, result, &errors), TAUT_OK);
            taut_result_free(&result);
            assert_int_equal(model->doc->reads, 1);
        }
        assert_int_equal(taut_analyze(model, false, &text, &errors), TAUT_OK);
        taut_text_free(&text);
        options.tol = &tol;
        options.tols = 1;
        options.run.has_tend = true;
        options.run.tend = 0.01;
        assert_int_equal(taut_compare(model, &options, &comparison, &errors), TAUT_OK);
        taut_comparison_free(&comparison);
        assert_int_equal(model->doc->reads, 1);
        taut_model_free(&model);
    }
}

static void test_unknown_formulation(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_errors errors = {0};
    taut_simulation *simulation = NULL;
    taut_run_options options = taut_run_options_default();
    char *text = NULL;
    options.formulation = "referense";
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/andrews.yaml", NULL, 0, &model, &errors),
        TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &simulation, &errors), TAUT_ERR_CALL);
    assert_non_null(strstr(errors.item[0].message, "did you mean 'reference'?"));
    assert_non_null(strstr(errors.item[0].message, "natural"));
    assert_int_equal(taut_analyze_as(model, "referense", false, &text, NULL), TAUT_ERR_CALL);
    assert_null(text);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taylor),
        cmocka_unit_test(test_auto),
        cmocka_unit_test(test_joints_and_forces),
        cmocka_unit_test(test_simulation),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_model_is_read_once),
        cmocka_unit_test(test_unknown_formulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
