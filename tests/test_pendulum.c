/* The simple pendulum as a DAE and as a Lagrangian: structure, reference values, energy. */
#include "solve_text.h"

#include "reference/pendula.h"

static const char DAE[] = "examples/pendulum-paper.yaml";
static const char LAGRANGIAN[] = "tests/models/pendulum-lagrangian.yaml";
static const double TIMES[] = {1, 5, 10};
static const char *const STATE[] = {"u", "v", "u'", "v'"};
enum { STATES = 4, LAM = 4 };

static solution *run(const char *name, double tol) {
    taut_run_options options = at_tolerance(tol);
    options.at = TIMES;
    options.ats = 3;
    return solve_file(name, &options);
}

static char *analysis_of(const char *name) {
    char path[512], *text = NULL;
    taut_model *model = NULL;
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
    assert_int_equal(taut_analyze(model, true, &text, NULL), TAUT_OK);
    taut_model_free(&model);
    return text;
}

/* Whether text contains what, blanks aside. */
static bool contains(const char *text, const char *what) {
    char *bare = malloc(strlen(text) + 1);
    assert_non_null(bare);
    size_t n = 0;
    for (const char *c = text; *c; c++)
        if (*c != ' ' && *c != '\n') bare[n++] = *c;
    bare[n] = '\0';
    const bool found = strstr(bare, what) != NULL;
    free(bare);
    return found;
}

static void test_structure_is_of_index_3_in_both_forms(void **state) {
    (void)state;
    const char *const file[] = {DAE, LAGRANGIAN};
    for (int i = 0; i < 2; i++) {
        char *text = analysis_of(file[i]);
        assert_true(contains(text, "\"index\":3,"));
        assert_true(contains(text, "\"c\":[0,0,2]"));
        assert_true(contains(text, "\"d\":[2,2,0]"));
        assert_true(contains(text, "\"dof\":2,"));
        assert_true(contains(text, "\"mobility\":1,"));
        taut_text_free(&text);
    }
}

/* Row r of the reference for TIMES[i]. */
static const double *reference(int i) { return pendula_state[(int)TIMES[i] - 1]; }

static void test_values_match_reference_to_12_digits(void **state) {
    (void)state;
    const char *const file[] = {DAE, LAGRANGIAN};
    for (int f = 0; f < 2; f++) {
        solution *s = run(file[f], 1e-13);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < STATES; k++)
                assert_near(value_of(s, i, STATE[k]), reference(i)[k], 1e-12, 1e-13);
            const double lam = f == 0 ? value_of(s, i, "lam") : 2.0 * value_of(s, i, "lambda1");
            assert_near(lam, reference(i)[LAM], 1e-12, 0.0);
        }
        assert_true(stats_of(s)->constraint_residual < 1e-12);
        assert_int_equal(stats_of(s)->rejected, 0);
        solution_free(s);
    }
}

static void test_dae_and_lagrangian_agree_to_13_digits(void **state) {
    (void)state;
    solution *a = run(DAE, 1e-13), *b = run(LAGRANGIAN, 1e-13);
    for (int k = 0; k < STATES; k++)
        for (int i = 0; i < 3; i++)
            assert_near(value_of(a, i, STATE[k]), value_of(b, i, STATE[k]),
                        1e-13 * scale_of(a, STATE[k]), 0.0);
    for (int i = 0; i < 3; i++)
        assert_near(value_of(b, i, "lambda1"), value_of(a, i, "lam") / 2.0,
                    1e-13 * scale_of(a, "lam"), 0.0);
    solution_free(a);
    solution_free(b);
}

static void test_energy_stays_over_1000_seconds(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-14);
    options.has_tend = true;
    options.tend = 1000.0;
    solution *s = solve_file(LAGRANGIAN, &options);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    assert_true(stats_of(s)->energy_drift >= 0.0);
    assert_true(stats_of(s)->constraint_residual < 1e-12);
    assert_true(stats_of(s)->steps < 4000);
    solution_free(s);
}

/* Accelerations and multipliers are as good inside a step as at its ends. */
static void test_second_derivatives_satisfy_equations_in_every_row(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-9);
    options.derivatives = 2;
    solution *s = solve_file(DAE, &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double u = value_of(s, i, "u"), v = value_of(s, i, "v");
        const double lam = value_of(s, i, "lam");
        assert_near(value_of(s, i, "u''"), -lam * u, 1e-13, 0.0);
        assert_near(value_of(s, i, "v''"), 9.81 - lam * v, 1e-13, 0.0);
        assert_near(u * u + v * v, 100.0, 1e-12, 0.0);
        assert_near(u * value_of(s, i, "u'") + v * value_of(s, i, "v'"), 0.0, 1e-12, 0.0);
    }
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure_is_of_index_3_in_both_forms),
        cmocka_unit_test(test_values_match_reference_to_12_digits),
        cmocka_unit_test(test_dae_and_lagrangian_agree_to_13_digits),
        cmocka_unit_test(test_energy_stays_over_1000_seconds),
        cmocka_unit_test(test_second_derivatives_satisfy_equations_in_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
