/* Mechanisms with redundant constraints: what is left out, and what becomes of it on the way. */
#include "check.h"

#include <string.h>

#include "task/simulation.h"

static taut_errors errors;

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        const taut_status assert_ok_status = (call);                                               \
        if (assert_ok_status != TAUT_OK && errors.count > 0)                                       \
            print_error("%s\n", errors.item[errors.count - 1].message);                            \
        assert_int_equal(assert_ok_status, TAUT_OK);                                               \
    } while (0)

/* Bricard's mechanism with its last hinge at P5: it moves, against the count. */
#define BRICARD(P5)                                                                                \
    "Dimension: 3\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {P0: [0, 0, 0], P5: " P5 ", w0: [0, 1, 0], w5: [1, 0, 0]}\n"                         \
    "  Rigids:\n"                                                                                  \
    "    P0P1w0w1: {Geom: [[1], [0, 1], [0, 0, 1]],  Dyna: [[0.5], 1, [0.1, 1, 1]]}\n"             \
    "    P1P2w1w2: {Geom: [[1], [0, 1], [0, 0, -1]], Dyna: [[0.5], 1, [0.1, 1, 1]]}\n"             \
    "    P2P3w2w3: {Geom: [[1], [0, 1], [0, 0, 1]],  Dyna: [[0.5], 1, [0.1, 1, 1]]}\n"             \
    "    P3P4w3w4: {Geom: [[1], [0, 1], [0, 0, -1]], Dyna: [[0.5], 1, [0.1, 1, 1]]}\n"             \
    "    P4P5w4w5: {Geom: [[1], [0, 1], [0, 0, 1]],  Dyna: [[0.5], 1, [0.1, 1, 1]]}\n"             \
    "AppliedForces: {Gravity: [0, -9.81, 0]}\n"                                                    \
    "ProblemData: {tend: 1, positions: {P1: [1, 0, 0], P2: [1, -1, 0], P3: [1, -1, 1], "           \
    "P4: [0, -1, 1]}}\n"

static taut_model *parse(const char *text) {
    taut_model *model;
    assert_ok(taut_model_parse("redundant.yaml", text, -1, &model, &errors));
    return model;
}

/* Of constraints that stand for each other the last one is left out. It cannot move by counting, so
 * that is found out at once, without a search for the start. */
static void test_last_of_equal_constraints_is_left_out(void **state) {
    (void)state;
    taut_model *model = parse(BRICARD("[0, 0, 1]"));
    taut_prepared p;
    assert_ok(taut_prepare(model, &p, &errors));
    assert_true(p.reduced && p.full);
    assert_int_equal(p.redundancy.drops, 1);
    assert_int_equal(p.redundancy.rows, 12);
    assert_int_equal(p.redundancy.rank, 11);
    assert_int_equal(p.redundancy.dropped[0], p.full->system.n - 1);
    assert_int_equal(p.full->mobility, 0);
    assert_int_equal(taut_prepared_mobility(&p), 1);
    taut_prepared_release(&p);
    taut_model_free(&model);
}

/* Where there is no position nothing is left out: the search for the start is to say why. */
static void test_without_a_position_nothing_is_left_out(void **state) {
    (void)state;
    taut_model *model = parse(BRICARD("[0, 0, 9]"));
    taut_prepared p;
    assert_ok(taut_prepare(model, &p, &errors));
    assert_true(!p.reduced && !p.full);
    assert_int_equal(p.problem->mobility, 0);
    assert_int_equal(errors.count, 0);
    taut_prepared_release(&p);
    taut_model_free(&model);
}

/* How often other constraints were left out on the way. */
static int choices(const taut_simulation *s) {
    int count = 0;
    for (int i = 0; i < s->trace.marks; i++)
        count += s->trace.mark[i].kind == TAUT_MARK_CONSTRAINTS;
    return count;
}

/* The value of a column by its name in the only row. */
static double value_of(const taut_result *result, const char *name) {
    for (int c = 0; c < taut_result_columns(result); c++)
        if (strcmp(taut_result_name(result, c), name) == 0) return taut_result_value(result, 0, c);
    return (double)NAN;
}

/* Redundant constraints may be chosen anew along the way, as in the second file: the steps must
 * still be those of the table, and the motion that of the first. */
static void test_redundant_mechanism_steps_as_its_table(void **state) {
    (void)state;
    static const char *const FILE_OF[] = {TAUT_SOURCE_DIR "/examples/bricard.yaml",
                                          TAUT_SOURCE_DIR "/tests/models/bricard-reversed.yaml"};
    taut_result *result[2];
    const double at[] = {10.0};
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = 1e-12;
    options.at = at;
    options.ats = 1;
    for (int f = 0; f < 2; f++) {
        taut_model *model;
        taut_simulation *s;
        assert_ok(taut_model_read(FILE_OF[f], NULL, 0, &model, &errors));
        assert_ok(taut_simulate(model, &options, &result[f], &errors));
        assert_ok(taut_simulation_create(model, &options, &s, &errors));
        for (int round = 0; round < 2; round++) { /* starting over gives the same */
            assert_ok(taut_simulation_start(s, &errors));
            assert_true(taut_simulation_redundant(s)[0] != '\0');
            assert_string_equal(taut_simulation_redundant(s), taut_result_redundant(result[f]));
            assert_ok(taut_simulation_run_to(s, 10.0, &errors));
            for (int c = 0; c < taut_result_columns(result[f]); c++)
                assert_near(taut_simulation_get(s, c, 10.0), taut_result_value(result[f], 0, c),
                            0.0, 0.0);
            assert_int_equal(choices(s) > 0, f == 1);
        }
        taut_simulation_free(&s);
        taut_model_free(&model);
    }
    for (int c = 0; c < taut_result_columns(result[0]); c++)
        assert_near(taut_result_value(result[0], 0, c),
                    value_of(result[1], taut_result_name(result[0], c)), 1e-10, 0.0);
    taut_result_free(&result[0]);
    taut_result_free(&result[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_of_equal_constraints_is_left_out),
        cmocka_unit_test(test_without_a_position_nothing_is_left_out),
        cmocka_unit_test(test_redundant_mechanism_steps_as_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
