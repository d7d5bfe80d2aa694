/* The limits on nesting hold in a thread with a small stack: what is allowed is read and solved,
 * what is not is refused, and nothing overflows. */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "program.h"
#include "taut/taut.h"

#ifdef __SANITIZE_ADDRESS__
enum { STACK = 1 << 20, DEEPEST = 499 }; /* its frames are several times as large */
#else
enum { STACK = 256 << 10, DEEPEST = 499 };
#endif

typedef struct job {
    const char *text;
    taut_status read, run;
    char message[1024];
} job;

static void note(job *j, const taut_errors *errors) {
    if (errors->count) snprintf(j->message, sizeof j->message, "%s", errors->item[0].message);
}

/* Everything that a caller would do. */
static void *use(void *user) {
    job *j = user;
    taut_errors *errors = calloc(1, sizeof *errors);
    taut_model *model = NULL;
    taut_result *result = NULL;
    char *text = NULL;
    j->read = taut_model_parse("m.yaml", j->text, -1, &model, errors);
    if (j->read == TAUT_OK) j->read = taut_model_check(model, errors);
    if (j->read == TAUT_OK) {
        taut_run_options o = taut_run_options_default();
        o.every = TAUT_FOR_SCREEN;
        j->run = taut_simulate(model, &o, &result, errors);
        taut_analyze(model, false, &text, NULL);
        if (result) {
            const taut_page page = {.file = "m.yaml", .model = model, .result = result};
            assert_int_equal(taut_page_write(&page, "p.html", NULL), TAUT_OK);
            assert_int_equal(taut_result_write(result, "r.json", 12, NULL), TAUT_OK);
            assert_int_equal(taut_result_write(result, "r.mat", 12, NULL), TAUT_OK);
        }
    }
    note(j, errors);
    taut_text_free(&text);
    taut_result_free(&result);
    taut_model_free(&model);
    free(errors);
    return NULL;
}

static void in_a_small_thread(job *j) {
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, use, j), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
}

/* Takes over the file. */
static void must_work(taut_string *file) {
    job j = {.text = file->text};
    assert_false(file->failed);
    in_a_small_thread(&j);
    if (j.read != TAUT_OK || j.run != TAUT_OK) print_error("%s\n", j.message);
    assert_int_equal(j.read, TAUT_OK);
    assert_int_equal(j.run, TAUT_OK);
    taut_string_release(file);
}

static void must_refuse(taut_string *file, const char *message) {
    job j = {.text = file->text};
    assert_false(file->failed);
    in_a_small_thread(&j);
    assert_int_equal(j.read, TAUT_ERR_INPUT);
    if (!strstr(j.message, message)) fail_msg("'%s' does not say '%s'", j.message, message);
    taut_string_release(file);
}

static void repeat(taut_string *s, const char *piece, int times) {
    for (int i = 0; i < times; i++) taut_string_add(s, "%s", piece);
}

/* x' - FORMULA = 0 */
static taut_string equation(const char *open, const char *inside, const char *close, int times) {
    taut_string s = {0};
    taut_string_add(&s, "DAE:\n  Variables: [x]\n  Equations:\n  - \"x' - ");
    repeat(&s, open, times);
    taut_string_add(&s, "%s", inside);
    repeat(&s, close, times);
    taut_string_add(&s, "\"\nProblemData: {t0: 0, tend: 0.01, positions: {x: 0.5}}\n");
    return s;
}

static void test_nested_formulas(void **state) {
    (void)state;
    static const struct {
        const char *open, *inside, *close;
    } kind[] = {{"(", "x", ")"},
                {"(1 + ", "x", ")"},
                {"sin(", "x", ")"},
                {"-(2*", "x", "/3)"},
                {"1^", "x", ""},
                {"atan2(1, ", "x", ")"},
                {"dot([1, 0], [1, ", "x", "])"}};
    for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
        const int levels = i == 6 ? DEEPEST / 2 : DEEPEST; /* two a time */
        taut_string good = equation(kind[i].open, kind[i].inside, kind[i].close, levels);
        must_work(&good);
        taut_string bad = equation(kind[i].open, kind[i].inside, kind[i].close, 100000);
        must_refuse(&bad, "nested too deeply");
    }
}

/* d0 through d1 through d2 ...; each of them nested a little. */
static taut_string definitions(int count, const char *open, const char *close) {
    taut_string s = {0};
    taut_string_add(&s, "Define:\n");
    for (int i = 0; i < count; i++)
        taut_string_add(&s, "  d%d: \"%sd%d*1%s\"\n", i, open, i + 1, close);
    taut_string_add(&s, "  d%d: x\n", count);
    taut_string_add(&s, "DAE: {Variables: [x], Equations: [\"x' - d0\"]}\n"
                        "ProblemData: {t0: 0, tend: 0.01, positions: {x: 0.5}}\n");
    return s;
}

static void test_names_through_each_other(void **state) {
    (void)state;
    taut_string good = definitions(198, "", "");
    must_work(&good);
    good = definitions(198, "(", ")");
    must_work(&good);
    taut_string bad = definitions(5000, "", "");
    must_refuse(&bad, "too many other names");
    bad = definitions(190, "(((", ")))");
    must_refuse(&bad, "nested too deeply");
}

/* P1 = P2 + ..., listed before what they depend on. */
static taut_string points(int count) {
    taut_string s = {0};
    taut_string_add(&s, "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
                        "  Rigids:\n    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                        "  Points:\n");
    for (int i = 1; i < count; i++) taut_string_add(&s, "    P%d: P%d + [0.5, 0]\n", i, i + 1);
    taut_string_add(&s, "    P%d: A + [1, 0]\n", count);
    taut_string_add(&s, "ProblemData: {t0: 0, tend: 0.01, positions: {A: [1, 0]}}\n");
    return s;
}

static void test_points_through_each_other(void **state) {
    (void)state;
    taut_string good = points(398);
    must_work(&good);
    taut_string bad = points(5000);
    must_refuse(&bad, "");
}

static void test_nested_lists(void **state) {
    (void)state;
    taut_string bad = {0};
    taut_string_add(&bad, "DAE: ");
    repeat(&bad, "[", 198);
    repeat(&bad, "]", 198);
    must_refuse(&bad, "");
    taut_string_add(&bad, "DAE: ");
    repeat(&bad, "{a: ", 100000);
    must_refuse(&bad, "nested more than");
    taut_string_add(&bad, "Repeat: ");
    repeat(&bad, "[{for: i, from: 1, to: 1, do: {Repeat: ", 90);
    repeat(&bad, "}}]", 90);
    must_refuse(&bad, "");
}

/* A large mechanism, so that sparse factors, rank and assembly are used as well. */
static void test_a_large_mechanism(void **state) {
    (void)state;
    taut_string s = {0};
    taut_string_add(&s, "Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 0; i < 150; i++)
        taut_string_add(&s,
                        "    b%d: {Elements: [P%d, P%d], Geom: [[1, 0]], "
                        "Dyna: [[0.5, 0], 1, 0.1]}\n",
                        i, i, i + 1);
    taut_string_add(&s, "ProblemData:\n  t0: 0\n  tend: 0.01\n  positions:\n");
    for (int i = 1; i <= 150; i++) taut_string_add(&s, "    P%d: [%d.1, 0.1]\n", i, i);
    must_work(&s);
}

int main(int count, char **word) {
    if (count > 1) cmocka_set_test_filter(word[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_formulas),
        cmocka_unit_test(test_names_through_each_other),
        cmocka_unit_test(test_points_through_each_other),
        cmocka_unit_test(test_nested_lists),
        cmocka_unit_test(test_a_large_mechanism),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
