/* How equations come about: the tables of Pryce and Nedialkov (2020) and of Derakhshan (2022). */
#include "solve_text.h"

/* The JSON of taut analyze --build, to be given back. */
static char *table_of(const char *file, const char *formulation, bool json) {
    char path[512], *text = NULL;
    taut_model *model = NULL;
    taut_errors errors = {0};
    taut_run_options options = taut_run_options_default();
    options.formulation = formulation;
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, file);
    taut_status status = taut_model_read(path, NULL, 0, &model, &errors);
    if (status == TAUT_OK) status = taut_analyze_build(model, &options, json, &text, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    taut_model_free(&model);
    return text;
}

static void must_contain(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("no '%s' in\n%s", part, text);
}

/* Coordinates and equations of whole tables; the mobility is the difference. */
static void test_totals(void **state) {
    (void)state;
    static const struct {
        const char *file, *formulation;
        int coordinates, equations;
    } TABLE[] = {
        {"examples/papers/rscr.yaml", NULL, 7, 6},         /* Tables 1 and 4 */
        {"examples/rscr.yaml", NULL, 7, 6},                /* ... in any order */
        {"examples/robot.yaml", NULL, 18, 12},             /* Tables 3 and 4, (b) */
        {"examples/papers/robot-open.yaml", NULL, 21, 15}, /* Table 4, (a), has 22 and 16 */
        {"examples/four-bar-2.yaml", NULL, 6, 5},          /* thesis, Table 5.1 */
        {"examples/slider-crank.yaml", NULL, 3, 2},        /* 5.4 */
        {"examples/copy-machine.yaml", NULL, 3, 1},        /* 5.9 */
        {"examples/mcpherson.yaml", NULL, 5, 3},           /* 5.14 has the plate as well: 6, 4 */
        {"examples/bricard.yaml", NULL, 12, 11},           /* 6.19 */
        {"examples/flyball-governor.yaml", NULL, 6, 3},    /* 6.23 */
        {"examples/five-link.yaml", NULL, 12, 10},         /* 6.28 */
        {"examples/slider-crank.yaml", "reference", 6, 5},
        {"examples/slider-crank.yaml", "relative", 2, 1},
    };
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        char want[100];
        const int q = TABLE[i].coordinates, c = TABLE[i].equations;
        char *text = table_of(TABLE[i].file, TABLE[i].formulation, true);
        snprintf(want, sizeof want, "\"coordinates\": %d, \"equations\": %d, \"size\": %d}", q, c,
                 q + c);
        must_contain(text, want);
        snprintf(want, sizeof want, "\"freedom\": %d}],", q - c); /* of the last part */
        must_contain(text, want);
        taut_text_free(&text);
    }
}

/* Table 1, row by row. */
static void test_rscr(void **state) {
    (void)state;
    char *text = table_of("examples/papers/rscr.yaml", NULL, true);
    const char *const ROW[] = {
        "{\"part\": \"DC1wv\", \"brings\": [\"C1\"], \"unknowns\": 3, \"assigns\": [\"v\"], "
        "\"equates\": [\"distance D-C1\", \"angle C1,w\"]",
        "\"freedom\": 1},\n  {\"part\": \"CBv\", \"brings\": [\"mu\", \"B\"], \"unknowns\": 4, "
        "\"assigns\": [\"C = C1 + mu v\"], \"equates\": [\"distance C-B\", \"angle B,v\"]",
        "\"freedom\": 3},\n  {\"part\": \"ABu\", \"brings\": [], \"unknowns\": 0, \"assigns\": [], "
        "\"equates\": [\"distance A-B\", \"angle B,u\"]",
        "\"cos(d)*C1x + sin(d)*C1y\"" /* 0 = C1 . w, as a formula */
    };
    for (size_t i = 0; i < sizeof ROW / sizeof *ROW; i++) must_contain(text, ROW[i]);
    taut_text_free(&text);
}

/* The same for people; an equation that others imply is in brackets, and what is needed is before.
 */
static void test_text(void **state) {
    (void)state;
    char *text = table_of("examples/papers/robot-open.yaml", NULL, false);
    must_contain(text,
                 "part    brings in  assigns   equates                    degrees of freedom\n");
    must_contain(text, "part5              E         distance C-D               - 1 = 2\n");
    must_contain(text, "                             (angle D,u3)\n");
    must_contain(text, "21 coordinates - 15 equations = 6, a DAE of size 36\n");
    must_contain(text, "left out: 1 that the others imply");
    taut_text_free(&text);
    text = table_of("examples/flyball-governor.yaml", NULL, false);
    const char *line = strstr(text, "\nH       a          H = O + a x"),
               *shaft = strstr(text, "\nshaft");
    assert_true(line && shaft && line < shaft);
    taut_text_free(&text);
}

/* Every example that is a mechanism: the unknowns that parts bring in are the coordinates. */
static void test_nothing_is_left_over(void **state) {
    (void)state;
    static const char *const NAME[] = {"andrews", "cam",         "epicyclic",
                                       "wheel",   "screw-press", "cardan-shaft",
                                       "bicycle", "heavy-top",   "dc-motor"};
    static const char *const FORMULATION[] = {"natural", "reference", "relative"};
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++)
        for (size_t f = 0; f < 3; f++) {
            char file[100], path[512], want[100], *text = NULL;
            taut_model *model = NULL;
            taut_errors errors = {0};
            snprintf(file, sizeof file, "examples/%s.yaml", NAME[i]);
            snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, file);
            assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
            assert_int_equal(taut_analyze_as(model, FORMULATION[f], true, &text, &errors), TAUT_OK);
            const char *mobility = strstr(text, "\"mobility\": ");
            assert_non_null(mobility);
            snprintf(want, sizeof want, "\"freedom\": %d}],",
                     (int)strtol(mobility + strlen("\"mobility\": "), NULL, 10));
            taut_text_free(&text);
            taut_model_free(&model);
            text = table_of(file, FORMULATION[f], true);
            must_contain(text, want);
            taut_text_free(&text);
        }
}

static void test_refusals(void **state) {
    (void)state;
    char *text = NULL;
    taut_model *model = read_text("DAE: {Variables: [x], Equations: [x' + x]}\n"
                                  "ProblemData: {tend: 1, positions: {x: 1}}\n");
    taut_errors errors = {0};
    assert_int_equal(taut_analyze_build(model, NULL, false, &text, &errors), TAUT_ERR_CALL);
    assert_non_null(strstr(errors.item[0].message, "is for mechanisms"));
    assert_null(text);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_totals),   cmocka_unit_test(test_rscr),
        cmocka_unit_test(test_text),     cmocka_unit_test(test_nothing_is_left_over),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
