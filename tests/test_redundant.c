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

/* Bricard's mechanism with these bodies and its last hinge at P5: it moves, against the count. */
#define BRICARD_OF(BODIES, P5)                                                                     \
    "Dimension: 3\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {P0: [0, 0, 0], P5: " P5 ", w0: [0, 1, 0], w5: [1, 0, 0]}\n"                         \
    "  Rigids:\n" BODIES "AppliedForces: {Gravity: [0, -9.81, 0]}\n"                               \
    "ProblemData: {tend: 1, positions: {P1: [1, 0, 0], P2: [1, -1, 0], P3: [1, -1, 1], "           \
    "P4: [0, -1, 1]}}\n"
#define ROD(NAME, TURN)                                                                            \
    "    " NAME ": {Geom: [[1], [0, 1], [0, 0, " TURN "]], Dyna: [[0.5], 1, [0.1, 1, 1]]}\n"
#define BRICARD(P5)                                                                                \
    BRICARD_OF(ROD("P0P1w0w1", "1") ROD("P1P2w1w2", "-1") ROD("P2P3w2w3", "1")                     \
                   ROD("P3P4w3w4", "-1") ROD("P4P5w4w5", "1"),                                     \
               P5)
#define REVERSED                                                                                   \
    BRICARD_OF(ROD("P4P5w4w5", "1") ROD("P3P4w3w4", "-1") ROD("P2P3w2w3", "1")                     \
                   ROD("P1P2w1w2", "-1") ROD("P0P1w0w1", "1"),                                     \
               "[0, 0, 1]")

static taut_model *parse(const char *text) {
    taut_model *model;
    assert_ok(taut_model_parse("redundant.yaml", text, -1, &model, &errors));
    return model;
}

/* It cannot move by counting, so that one is left out at once, without a search for the start. */
static void test_immobile_mechanism_is_reduced_at_once(void **state) {
    (void)state;
    taut_model *model = parse(BRICARD("[0, 0, 1]"));
    taut_prepared p;
    assert_ok(taut_prepare(model, &p, &errors));
    assert_true(p.reduced && p.full);
    assert_int_equal(p.redundancy.drops, 1);
    assert_int_equal(p.redundancy.rows, 12);
    assert_int_equal(p.redundancy.rank, 11);
    assert_in_range(p.redundancy.dropped[0], p.full->first_constraint, p.full->system.n - 1);
    assert_int_equal(p.full->mobility, 0);
    assert_int_equal(taut_prepared_mobility(&p), 1);
    taut_prepared_release(&p);
    taut_model_free(&model);
}

/* Of the combination of gradients that vanishes, computed apart, the largest part (0.408 of 1) is
 * the angle of P4 and w3: it is left out, in whatever order the bodies are listed. */
static void test_largest_part_is_left_out(void **state) {
    (void)state;
    static const char *const text[] = {BRICARD("[0, 0, 1]"), REVERSED};
    for (int i = 0; i < 2; i++) {
        taut_model *model = parse(text[i]);
        taut_prepared p;
        assert_ok(taut_prepare(model, &p, &errors));
        assert_int_equal(p.problem->drops, 1);
        assert_string_equal(p.problem->dropped[0].name, "angle P4,w3 of P3P4w3w4");
        taut_prepared_release(&p);
        taut_model_free(&model);
    }
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

/* Bricard's mechanism to its end, as a table of one row and step by step. */
typedef struct bricard {
    taut_model *model;
    taut_result *result;
    taut_simulation *s;
} bricard;

static const double BRICARD_END = 10.0;

static bricard bricard_create(void) {
    bricard b = {0};
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = 1e-12;
    options.at = &BRICARD_END;
    options.ats = 1;
    assert_ok(
        taut_model_read(TAUT_SOURCE_DIR "/examples/bricard.yaml", NULL, 0, &b.model, &errors));
    assert_ok(taut_simulate(b.model, &options, &b.result, &errors));
    assert_ok(taut_simulation_create(b.model, &options, &b.s, &errors));
    return b;
}

static void bricard_check_end(const bricard *b, double abs) {
    assert_ok(taut_simulation_run_to(b->s, BRICARD_END, &errors));
    for (int c = 0; c < taut_result_columns(b->result); c++)
        assert_near(taut_simulation_get(b->s, c, BRICARD_END), taut_result_value(b->result, 0, c),
                    abs, 0.0);
}

static void bricard_free(bricard *b) {
    taut_simulation_free(&b->s);
    taut_result_free(&b->result);
    taut_model_free(&b->model);
}

static void test_redundant_mechanism_steps_as_its_table(void **state) {
    (void)state;
    bricard b = bricard_create();
    for (int round = 0; round < 2; round++) { /* starting over gives the same */
        assert_ok(taut_simulation_start(b.s, &errors));
        assert_true(taut_simulation_redundant(b.s)[0] != '\0');
        assert_string_equal(taut_simulation_redundant(b.s), taut_result_redundant(b.result));
        bricard_check_end(&b, 0.0);
        assert_int_equal(choices(b.s), 0); /* the first choice is good for all positions */
    }
    bricard_free(&b);
}

/* As if another constraint had been left out, and J had become much worse since. */
static void test_constraints_are_chosen_again_on_the_way(void **state) {
    (void)state;
    bricard b = bricard_create();
    assert_ok(taut_simulation_start(b.s, &errors));
    assert_ok(taut_simulation_run_to(b.s, 3.0, &errors));
    assert_int_equal(b.s->prepared->redundancy.drops, 1);
    b.s->prepared->redundancy.dropped[0]--;
    b.s->good_rcond = 1e6;
    bricard_check_end(&b, 1e-10);
    assert_int_equal(choices(b.s), 1);
    bricard_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_immobile_mechanism_is_reduced_at_once),
        cmocka_unit_test(test_largest_part_is_left_out),
        cmocka_unit_test(test_without_a_position_nothing_is_left_out),
        cmocka_unit_test(test_redundant_mechanism_steps_as_its_table),
        cmocka_unit_test(test_constraints_are_chosen_again_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
