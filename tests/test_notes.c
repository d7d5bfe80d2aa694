/* What a run has decided, as data: the same as the words, entry by entry. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "taut/taut.h"

static taut_result *simulate(const char *example, const taut_run_options *options) {
    char path[512];
    taut_model *model = NULL;
    taut_result *result = NULL;
    snprintf(path, sizeof path, "%s/%s.yaml", TAUT_SOURCE_DIR, example);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
    assert_int_equal(taut_simulate(model, options, &result, NULL), TAUT_OK);
    taut_model_free(&model);
    return result;
}

static int count_lines(const char *text) {
    int count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

static void test_moves_as_data(void **state) {
    (void)state;
    static const char text[] = "Lagrangian:\n"
                               "  Coordinates: [u, v]\n"
                               "  L: 1/2*(u'^2 + v'^2) + 9.81*v\n"
                               "  Constraints: [u^2 + v^2 - 4]\n"
                               "ProblemData:\n"
                               "  t0: 0\n"
                               "  tend: 1\n"
                               "  positions: {u: 1.8, v: 0}\n"
                               "  fixedpositions: [v]\n";
    taut_model *model = NULL;
    taut_result *result = NULL;
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, NULL), TAUT_OK);
    assert_int_equal(taut_simulate(model, NULL, &result, NULL), TAUT_OK);
    const taut_notes *notes = taut_result_notes(result);
    assert_int_equal(notes->moves, 1);
    assert_string_equal(notes->move[0].name, "u");
    assert_near(notes->move[0].from, 1.8, 0, 0);
    assert_near(notes->move[0].to, 2.0, 1e-12, 0);
    assert_int_equal(notes->fits + notes->left_out + notes->switches, 0);
    assert_null(notes->change);
    taut_result_free(&result);
    taut_model_free(&model);
}

static void test_redundant_constraints_as_data(void **state) {
    (void)state;
    taut_run_options o = taut_run_options_default();
    o.has_tend = true;
    o.tend = 0.1;
    taut_result *result = simulate("examples/bricard", &o);
    const taut_notes *notes = taut_result_notes(result);
    char line[200] = "";
    assert_true(notes->left_out > 0);
    assert_int_equal(notes->left_out, count_lines(taut_result_redundant(result)));
    snprintf(line, sizeof line, "%s (line %d)\n", notes->constraint[0].name,
             notes->constraint[0].line);
    assert_non_null(strstr(taut_result_redundant(result), line));
    assert_true(notes->constraint[0].line > 0);
    taut_result_free(&result);
}

static void test_assemblies_as_data(void **state) {
    (void)state;
    taut_run_options o = taut_run_options_default();
    o.starts = 20;
    o.has_tend = true;
    o.tend = 0.01;
    taut_result *result = simulate("examples/slider-crank", &o);
    const taut_notes *notes = taut_result_notes(result);
    assert_true(notes->fits >= 2);
    assert_true(notes->fit[0].taken);
    assert_false(notes->fit[1].taken);
    assert_true(notes->fit[0].distance <= notes->fit[1].distance);
    assert_true(notes->fit[1].values > 0);
    assert_true(strlen(notes->fit[1].value[0].name) > 0);
    assert_true(isfinite(notes->fit[1].value[0].value));
    taut_result_free(&result);
}

/* A stiff spring decays while something slow goes on. */
static void test_changes_of_method_as_data(void **state) {
    (void)state;
    static const char text[] = "DAE:\n"
                               "  Variables: [x]\n"
                               "  Equations: [\"x' + 1e5*(x - cos(t))\"]\n"
                               "ProblemData: {t0: 0, tend: 20, positions: {x: 1}}\n";
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_run_options o = taut_run_options_default();
    o.rtol = o.atol = 1e-6;
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, NULL), TAUT_OK);
    assert_int_equal(taut_simulate(model, &o, &result, NULL), TAUT_OK);
    const taut_notes *notes = taut_result_notes(result);
    assert_true(notes->switches > 0);
    assert_int_equal(notes->switches, count_lines(taut_result_switches(result)));
    assert_string_equal(notes->change[0].solver, "ho");
    assert_string_equal(notes->change[0].why, "stiff");
    assert_true(notes->change[0].t > 0.0 && notes->change[0].t < 20.0);
    taut_result_free(&result);

    taut_simulation *s = NULL; /* the same step by step */
    assert_int_equal(taut_simulation_create(model, &o, &s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_notes(s)->switches, 0);
    assert_int_equal(taut_simulation_run_to(s, 20.0, NULL), TAUT_OK);
    assert_true(taut_simulation_notes(s)->switches > 0);
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_notes(s)->switches, 0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_the_table_at_once(void **state) {
    (void)state;
    taut_run_options o = taut_run_options_default();
    taut_result *result = simulate("examples/slider-crank", &o);
    const taut_table t = taut_result_table(result);
    assert_int_equal(t.rows, taut_result_rows(result));
    assert_int_equal(t.columns, taut_result_columns(result));
    for (long i = 0; i < t.rows; i++)
        for (int c = 0; c < t.columns; c++)
            assert_near(t.value[i * t.row_stride + c * t.column_stride],
                        taut_result_value(result, i, c), 0, 0);
    for (int c = 0; c < t.columns; c++)
        assert_int_equal(taut_result_find(result, taut_result_name(result, c)), c);
    assert_int_equal(taut_result_find(result, "A.x"), taut_result_find(result, "Ax"));
    taut_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_as_data),
        cmocka_unit_test(test_redundant_constraints_as_data),
        cmocka_unit_test(test_assemblies_as_data),
        cmocka_unit_test(test_changes_of_method_as_data),
        cmocka_unit_test(test_the_table_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
