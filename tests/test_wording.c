/* What is said and drawn of findings that are made by hand here, whatever few models lead to them:
 * the doctor's report, tables and pages of comparisons, diagrams inside pages, tables with numbers
 * that are none. To the letter. */
#include "page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out/chart.h"
#include "out/comparison.h"
#include "out/diagnosis.h"
#include "out/modes_data.h"
#include "program.h"
#include "taut/taut.h"

static bool has(const char *text, const char *words) { return strstr(text, words) != NULL; }

static void must_have(const taut_string *out, const char *words) {
    assert_false(out->failed);
    if (!has(out->text, words)) fail_msg("no '%s' in\n%s", words, out->text);
}

static void must_be(taut_string *out, const char *words) {
    assert_false(out->failed);
    assert_string_equal(out->text, words);
    out->length = 0;
}

/* ---- the doctor ---- */

enum { MANY = 26, LISTED = 24 };

static void test_the_doctor_says_what_it_found(void **state) {
    (void)state;
    static const struct {
        taut_verdict verdict;
        int mobility, joints;
        const char *words;
    } want[] = {
        {TAUT_VERDICT_HEALTHY, 0, 6,
         "doctor: healthy: its drivers determine the motion, nothing is held twice\n"
         "  by counting: 0 (2 bodies with 6 degrees of freedom; joints take 6)\n"
         "  by rank: 0\n"},
        {TAUT_VERDICT_HEALTHY, 2, 4,
         "doctor: healthy: mobility 2, nothing is held twice\n"
         "  by counting: 2 (2 bodies with 6 degrees of freedom; joints take 4)\n"
         "  by rank: 2, at the start 0\n"},
        {TAUT_VERDICT_RIGID, 0, 6,
         "doctor: rigid: nothing can move\n"
         "  by counting: 0 (2 bodies with 6 degrees of freedom; joints take 6)\n"
         "  by rank: 0\n"},
        {TAUT_VERDICT_UNPLACED, 0, 4,
         "doctor: no initial position was found in which the parts fit together\n"
         "  by counting: 2 (2 bodies with 6 degrees of freedom; joints take 4)\n"},
        {TAUT_VERDICT_UNEXAMINED, 0, 4,
         "doctor: too large or too irregular to examine\n"
         "  by counting: 2 (2 bodies with 6 degrees of freedom; joints take 4)\n"},
    };
    taut_string out = {0};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const taut_diagnosis d = {.verdict = want[i].verdict,
                                  .dimension = 2,
                                  .bodies = 2,
                                  .freedom = 6,
                                  .joints = want[i].joints,
                                  .mobility = want[i].mobility};
        taut_string all = {0};
        taut_string_add(&all, "%s  loops: 0\n", want[i].words);
        taut_diagnosis_text(&out, &d);
        must_be(&out, all.text);
        taut_string_release(&all);
    }
    taut_string_release(&out);
}

/* Lists are cut for people, and whole for programs. */
static void test_the_doctor_cuts_long_lists(void **state) {
    (void)state;
    taut_held held[MANY];
    taut_mobile mobile[MANY];
    taut_loop loop[MANY];
    const char *joint[] = {"pin", "the \"other\""};
    for (int i = 0; i < MANY; i++) {
        held[i] = (taut_held){"pin", 10 + i, {true, false, false, false, false, i == 0}};
        mobile[i] = (taut_mobile){"A", i == 0 ? 1 : i == 1 ? 2 : 3, {1e-9, 0.6, -0.8}};
        loop[i] = (taut_loop){joint, 2};
    }
    taut_conflict conflict[] = {{.name = "phi", .place = {.line = 7}},
                                {.name = "psi", .other = "a\\b", .place = {.line = 8}}};
    const taut_diagnosis d = {.verdict = TAUT_VERDICT_OVERCONSTRAINED,
                              .dimension = 3,
                              .bodies = 1,
                              .points = 1,
                              .freedom = 9,
                              .joints = 10,
                              .redundant = 1,
                              .drivers = 1,
                              .others = 2,
                              .mobility = 0,
                              .held = {held, MANY},
                              .mobile = mobile,
                              .mobiles = MANY,
                              .conflict = conflict,
                              .conflicts = 2,
                              .loop = loop,
                              .loops = MANY};
    taut_string out = {0};
    taut_diagnosis_text(&out, &d);
    must_have(&out, "doctor: overconstrained: 1 of the 13 conditions follows from the others, and "
                    "nothing can move\n"
                    "  by counting: -4 (1 body and 1 point with 9 degrees of freedom; joints take "
                    "10, formulas 2, drivers 1)\n"
                    "  by rank: 0; 1 condition follows from the others\n");
    must_have(&out, "    pin                      line 10: Fx Tz\n"
                    "    pin                      line 11: Fx\n");
    must_have(&out, "line 33: Fx\n    ... and 2 more\n  at the start\n"
                    "    A can move along (0, 0.6, -0.8)\n    A can move across (0, 0.6, -0.8)\n"
                    "    A can move in any direction\n");
    must_have(&out, "    ... and 2 more points\n  loops: 26\n    1: pin, the \"other\"\n");
    must_have(&out, "    24: pin, the \"other\"\n    ... and 2 more\n");
    assert_false(has(out.text, "    25: "));
    out.length = 0;
    taut_diagnosis_json(&out, &d);
    const char *text = out.text;
    json *data = json_value(&text);
    assert_string_equal(json_text(data, "verdict"), "overconstrained");
    assert_near(json_number(data, "counted"), -4.0, 0.0, 0.0);
    const json *helds = json_get(data, "held"), *conflicts = json_get(data, "conflicts");
    assert_int_equal(json_count(helds), MANY);
    assert_string_equal(json_at(json_get(json_at(helds, 0), "parts"), 1)->text, "Tz");
    assert_int_equal(json_count(json_get(json_at(helds, 1), "parts")), 1);
    assert_int_equal(json_count(json_get(data, "moves")), MANY);
    assert_int_equal(json_get(json_at(conflicts, 0), "with")->type, 'n');
    assert_string_equal(json_text(json_at(conflicts, 1), "with"), "a\\b");
    assert_int_equal(json_count(json_get(data, "loops")), MANY);
    assert_string_equal(json_at(json_at(json_get(data, "loops"), 25), 1)->text, "the \"other\"");
    json_free(data);
    taut_string_release(&out);
}

/* ---- comparisons ---- */

static void test_times_are_short(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *words;
    } want[] = {{3.21e-5, "32.1 us"}, {1.234e-3, "1.23 ms"}, {0.01234, "12.3 ms"},
                {0.1234, "123 ms"},   {1.234, "1.23 s"},     {12.34, "12.3 s"},
                {123.4, "123 s"}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char text[40];
        taut_duration(want[i].seconds, text, sizeof text);
        assert_string_equal(text, want[i].words);
    }
}

#define LONG                                                                                       \
    "the step has become smaller than anything that makes sense <here> & now, and nobody knows "   \
    "why it did so"

static const double TIMES[] = {0.0, 0.5, 1.0}, TOLS[] = {1e-6}, GROWN[] = {2e-6};
static const double SOME[] = {1e-12, 1e-9, 2e-9}, BROKEN[] = {1e-9, (double)NAN, 1e-8};

/* One tolerance: a run that is well, one that disagrees, one that fails. */
static taut_comparison make_comparison(taut_compared_run run[3], taut_compared_pair pair[3]) {
    static const char *const solver[] = {"taylor", "ida", "rk4"};
    const taut_run_stats stats = {.solver = "taylor",
                                  .method = "Taylor series",
                                  .wall_s = 1.5,
                                  .setup_s = 0.25,
                                  .steps = 12,
                                  .constraint_residual = 1e-15,
                                  .energy_drift = (double)NAN,
                                  .unknowns = 1,
                                  .dof = 2};
    for (int i = 0; i < 3; i++) {
        run[i] = (taut_compared_run){.tol = 1e-6,
                                     .reason = "",
                                     .stats = stats,
                                     .repetitions = 1,
                                     .error = 2e-9,
                                     .column = "x",
                                     .t = 1.0,
                                     .scd = (double)NAN,
                                     .estimate = 1e-9,
                                     .allowed = 1e-5,
                                     .difference = SOME,
                                     .own = i == 0 ? BROKEN : NULL};
        pair[i] = (taut_compared_pair){.solver = solver[i], .run = &run[i]};
    }
    run[1].disagrees = true;
    run[1].error = 0.25;
    run[2].status = TAUT_STEP_COLLAPSED;
    run[2].reason = LONG;
    return (taut_comparison){.title = "a \"<title>\"",
                             .kind = "DAE",
                             .tend = 1.0,
                             .times = 3,
                             .time = TIMES,
                             .tols = 1,
                             .tol = TOLS,
                             .sensitivity = GROWN,
                             .pairs = 3,
                             .pair = pair,
                             .limit = 30.0,
                             .reference = {.solver = "taylor"},
                             .reference_tol = 1e-12,
                             .reference_error = 1e-13,
                             .problem = stats,
                             .finished = 2,
                             .failed = 1,
                             .disagreements = 1};
}

static void test_verdicts_of_comparisons(void **state) {
    (void)state;
    taut_compared_run run[3];
    taut_compared_pair pair[3];
    taut_comparison c = make_comparison(run, pair);
    taut_string out = {0};
    taut_comparison_verdict(&c, &out);
    must_be(&out, "DISAGREEMENT: 1 of 2 runs differs from the reference by more than tolerances "
                  "explain; 1 run failed");
    run[0].error = 0.5;
    c.disagreements = c.failed = 2;
    taut_comparison_verdict(&c, &out);
    must_be(&out, "DISAGREEMENT: 2 of 2 runs differ from the reference by more than tolerances "
                  "explain; 1 more has not one right digit; 2 runs failed");
    c.against = "implicit methods";
    c.failed = 0;
    taut_comparison_verdict(&c, &out);
    must_be(&out, "DISAGREEMENT of kinds: the reference, taylor, has found one motion, all runs of "
                  "implicit methods another, and who is right is not known; 2 of 2 runs differ by "
                  "more than tolerances explain; 1 more has not one right digit");
    c.against = NULL;
    run[1].disagrees = false;
    c.disagreements = 0;
    taut_comparison_verdict(&c, &out);
    must_be(&out, "all 2 runs that finished agree within what their tolerances allow; 2 of them "
                  "have not one right digit");
    c.finished = 1;
    run[0].error = run[1].error = 0.0;
    taut_comparison_verdict(&c, &out);
    must_be(&out, "the one run that finished agrees within what its tolerance allows");
    c.finished = 0;
    taut_comparison_verdict(&c, &out);
    must_be(&out, "no run has finished");
    taut_witness_words(&c, &out);
    must_be(&out, "no other pair could check it");
    c.witness = (taut_compared_pair){.formulation = "minimal", .solver = "ida"};
    c.witness_tol = 1e-8;
    c.witness_difference = 2.5e-3;
    taut_witness_words(&c, &out);
    must_be(&out, "NOT CONFIRMED: the nearest other pair, minimal:ida at tol 1e-8, differs by "
                  "2.5e-3");
    c.confirmed = true;
    c.witness_difference = 1e-9;
    taut_witness_words(&c, &out);
    must_be(&out, "confirmed to 9.0 digits by minimal:ida at tol 1e-8");
    taut_string_release(&out);
}

static void test_tables_of_comparisons(void **state) {
    (void)state;
    taut_compared_run run[3];
    taut_compared_pair pair[3];
    const taut_comparison c = make_comparison(run, pair);
    char *text = NULL;
    assert_int_equal(taut_comparison_text(&c, false, &text), TAUT_OK);
    const char *const want[] = {
        "a \"<title>\": 3 pairs at 1 tolerance, t = 0 to 1\n"
        "  reference solution: taylor at tol 1e-12, estimated error 1.0e-13\n"
        "  no other pair could check it\n",
        ("\n  taylor              8.7     -   1.0e-9  1.0e-15        -      12     0        0"
         "        0    1.50 s\n"),
        "\n! ida                 0.6     -",
        "\n  rk4              failed: the step has become smaller than anything that makes sense "
        "<here> & n...\n"};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (!has(text, want[i])) fail_msg("no '%s' in\n%s", want[i], text);
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1) assert_true(strcspn(p, "\n") <= 100);
    taut_text_free(&text);
    assert_null(text);
    assert_int_equal(taut_comparison_text(&c, true, &text), TAUT_OK);
    const char *at = text;
    json *data = json_value(&at);
    assert_true(*at == '\n' && at[1] == '\0');
    const json *runs = json_get(json_at(json_get(data, "pairs"), 0), "runs");
    const json *own = json_get(json_at(runs, 0), "own");
    assert_int_equal(json_count(own), 3);
    assert_int_equal(json_at(own, 1)->type, 'n');
    runs = json_get(json_at(json_get(data, "pairs"), 2), "runs");
    assert_string_equal(json_text(json_at(runs, 0), "reason"), LONG);
    assert_int_equal(json_get(json_at(runs, 0), "own")->type, 'n');
    assert_int_equal(json_get(json_get(data, "witness"), "solver")->type, 'n');
    json_free(data);
    taut_text_free(&text);
}

/* A reason that is cut is not cut inside a letter. */
static void test_reasons_are_cut_between_letters(void **state) {
    (void)state;
    taut_compared_run run[3];
    taut_compared_pair pair[3];
    const taut_comparison c = make_comparison(run, pair);
    char reason[120] = "", *text = NULL;
    for (int shift = 0; shift < 3; shift++) {
        for (int i = 0; i < 40 + shift; i++) reason[i] = 'a';
        for (int i = 40 + shift; i < 100; i++) /* euros */
            reason[i] = "\xe2\x82\xac"[(i - 40 - shift) % 3];
        reason[100] = '\0';
        run[2].reason = reason;
        assert_int_equal(taut_comparison_text(&c, false, &text), TAUT_OK);
        const char *failed = strstr(text, "failed: a");
        assert_non_null(failed);
        const size_t length = strcspn(failed, ".");
        assert_int_equal((length - strlen("failed: ") - 40 - (size_t)shift) % 3, 0);
        assert_true(length >= 75 && length <= 77);
        taut_text_free(&text);
    }
}

static void test_pages_of_comparisons(void **state) {
    (void)state;
    taut_compared_run run[3];
    taut_compared_pair pair[3];
    const taut_comparison c = make_comparison(run, pair);
    taut_errors errors = {0};
    assert_int_equal(taut_comparison_write(&c, "/home/me/m.yaml", "page.html", &errors), TAUT_OK);
    char *page = program_read("page.html");
    assert_non_null(page);
    static const char failure[] = "failed: the step has become smaller than anything that makes "
                                  "sense &lt;here&gt; &amp; now, and nobody knows why it did "
                                  "so</td></tr>";
    const char *const want[] = {"a &quot;&lt;title&gt;&quot;", failure, "<td>-</td>",
                                "rk4 at tol 1e-6, as far as it came",
                                "ida at tol 1e-6: error 2.5e-1, 1.50 s"};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (!has(page, want[i])) fail_msg("no '%s' in\n%s", want[i], page);
    assert_false(has(page, "/home/me"));
    assert_false(has(page, "<here>"));
    free(page);
    assert_int_equal(taut_comparison_write(&c, "m.yaml", "page.csv", &errors), TAUT_ERR_CALL);
    assert_string_equal(errors.item[0].message,
                        "a comparison is written as .html or .json, not as page.csv");
    if (access("/dev/full", W_OK) != 0) return;
    assert_int_equal(symlink("/dev/full", "full.json"), 0);
    assert_int_equal(taut_comparison_write(&c, "m.yaml", "full.json", &errors), TAUT_ERR_IO);
    assert_string_equal(errors.item[1].message,
                        "full.json cannot be written: No space left on device");
}

/* Each reason once, after the pairs that it is for, in lines of at most 100. */
static void test_pairs_that_are_left_out(void **state) {
    (void)state;
    enum { PAIRS = 16 };
    taut_compared_run run[3];
    taut_compared_pair pair[3], all[PAIRS];
    taut_comparison c = make_comparison(run, pair);
    memcpy(all, pair, sizeof pair);
    for (int i = 3; i < PAIRS; i++)
        all[i] = (taut_compared_pair){.formulation = "chain",
                                      .solver = "ida",
                                      .skipped = i == 5 ? "it is too short" : "it has loops"};
    c.pair = all;
    c.pairs = PAIRS;
    c.skipped = PAIRS - 3;
    char *text = NULL;
    assert_int_equal(taut_comparison_text(&c, false, &text), TAUT_OK);
    const char *list = strstr(text, "\n  left out:\n  chain:ida, chain:ida, ");
    if (!list) fail_msg("%s", text);
    if (!strstr(list, "\n                   it has loops\n")) fail_msg("%s", list);
    if (!strstr(list, "\n  chain:ida        it is too short\n")) fail_msg("%s", list);
    assert_null(strstr(strstr(list, "it has loops") + 1, "it has loops"));
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1) assert_true(strcspn(p, "\n") <= 100);
    taut_text_free(&text);
}

/* ---- modes of a page ---- */

/* The hundred slowest of many modes, slowest first; what has no column is -1. */
static void test_pages_list_the_slowest_modes(void **state) {
    (void)state;
    enum { STATES = 130, LIST = 100 };
    static double eigenvalue[STATES][2], mode[STATES * STATES][2], condition[STATES];
    static double shape_in[STATES * 2][2];
    static char name[STATES][20];
    static const char *of[STATES], *const shape[] = {"Ax", "nobody"};
    for (int i = 0; i < STATES; i++) {
        eigenvalue[i][0] = -1.0 - (i * 37) % STATES; /* in disorder */
        mode[i * STATES + i][0] = 1.0;
        condition[i] = 1.0;
        snprintf(name[i], sizeof name[i], "x%d", i);
        of[i] = name[i];
    }
    const taut_linear_point p = {.states = STATES,
                                 .state = of,
                                 .eigenvalue = (const double(*)[2])eigenvalue,
                                 .mode = (const double(*)[2])mode,
                                 .condition = condition,
                                 .contacts = "",
                                 .side = "",
                                 .shapes = 2,
                                 .shape = shape,
                                 .shape_in = (const double(*)[2])shape_in};
    taut_page_column column[] = {{.name = "Ax", .kind = "hidden"},
                                 {.name = "Ax", .kind = "position"}};
    const taut_columns columns = {.column = column, .columns = 2};
    taut_string out = {0};
    taut_string_add(&out, "{\"first\":0");
    taut_modes_data_write(&p, &columns, &out);
    taut_string_add(&out, "}");
    assert_false(out.failed);
    const char *text = out.text;
    json *data = json_value(&text);
    const json *modes = json_get(data, "modes"), *list = json_get(modes, "list");
    assert_int_equal(json_count(list), LIST);
    for (int i = 0; i < LIST; i++) {
        assert_near(json_number(json_at(list, i), "re"), -1.0 - i, 0.0, 0.0);
        const json *states = json_get(json_at(list, i), "states");
        assert_int_equal(json_count(states), 1);
        int number = -1;
        assert_int_equal(sscanf(json_at(json_at(states, 0), 0)->text, "x%d", &number), 1);
        assert_int_equal(number * 37 % STATES, i);
    }
    assert_near(json_at(json_get(modes, "columns"), 0)->number, 1.0, 0.0, 0.0);
    assert_near(json_at(json_get(modes, "columns"), 1)->number, -1.0, 0.0, 0.0);
    json_free(data);
    taut_string_release(&out);
}

/* ---- diagrams inside pages ---- */

/* Labels far from 1 have exponents, but 0 has none; the curve has a gap where there is no number.
 */
static void test_charts_have_exponents_and_gaps(void **state) {
    (void)state;
    static const double x[] = {0.0, 1e7, 2e7, 3e7, 4e7};
    static const double y[] = {0.0, 1.0, (double)NAN, (double)INFINITY, 1.0};
    taut_string out = {0};
    const taut_chart chart = {&out, {0.0, 4e7, false, "x"}, {0.0, 1.0, false, "y"}};
    taut_chart_begin(&chart, "a < b");
    taut_chart_curve(&chart, "s1 f2", "\"one\"", x, y, 5);
    taut_chart_end(&chart);
    must_have(&out, "aria-label=\"a &lt; b\"");
    must_have(&out, ">4.0e7</text>");
    must_have(&out, ">0.0</text>");
    assert_false(has(out.text, ">0.0e7<"));
    must_have(&out, "<g class=\"curve s1 f2\"><title>&quot;one&quot;</title><path d=\"M");
    const char *path = strstr(out.text, "<title>&quot;one&quot;</title><path d=\"");
    int moves = 0, lines = 0;
    for (path = strchr(path, 'M'); *path != '"'; path++) {
        moves += *path == 'M';
        lines += *path == 'l';
    }
    assert_int_equal(moves, 2); /* the last point stands alone */
    assert_int_equal(lines, 1);
    taut_string_release(&out);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_the_doctor_says_what_it_found),
        TEST(test_the_doctor_cuts_long_lists),
        TEST(test_times_are_short),
        TEST(test_verdicts_of_comparisons),
        TEST(test_tables_of_comparisons),
        TEST(test_reasons_are_cut_between_letters),
        TEST(test_pages_of_comparisons),
        TEST(test_pairs_that_are_left_out),
        TEST(test_pages_list_the_slowest_modes),
        TEST(test_charts_have_exponents_and_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
