/* taut diff and taut compare --with: digits by column of two results, against numbers by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "program.h"
#include "taut/taut.h"

static taut_errors errors;

static taut_diff *compare(const char *a, const char *b) {
    taut_diff *d = NULL;
    memset(&errors, 0, sizeof errors);
    program_write("a.csv", a, -1);
    program_write("b.csv", b, -1);
    assert_int_equal(taut_diff_files("a.csv", "b.csv", &d, &errors), TAUT_OK);
    return d;
}

static const taut_diff_column *column(const taut_diff *d, const char *name) {
    for (int c = 0; c < taut_diff_columns(d); c++)
        if (strcmp(taut_diff_get(d, c)->name, name) == 0) return taut_diff_get(d, c);
    fail_msg("no column %s", name);
    return NULL;
}

static void test_digits_errors_and_scd(void **state) {
    (void)state;
    taut_diff *d = compare("t,x,y,x',energy\n0,3,4,0,1\n1,3.001,-4,2,1\n2,3,4.0002,1,1\n",
                           "t,y,x,x',energy\n0,4,3,0,1\n1,-4,3,2,1\n2,4,3,1.5,2\n");
    assert_int_equal(taut_diff_columns(d), 4);
    const taut_diff_column *x = column(d, "x"), *y = column(d, "y"), *v = column(d, "x'");
    assert_near(x->largest, 1e-3, 1e-12, 0);
    assert_near(x->t, 1, 0, 0);
    assert_near(x->scale, 3, 0, 0);
    assert_near(x->digits, log10(3e3), 1e-9, 0);
    assert_true(isinf(x->at_end) && x->at_end > 0);
    assert_near(y->at_end, -log10(0.0002 / 4), 1e-9, 0);
    assert_near(v->largest, 0.5, 0, 0);
    assert_near(v->digits, -log10(0.5 / 2), 1e-12, 0);
    assert_false(v->position || column(d, "energy")->position);
    assert_int_equal(taut_diff_rows(d), 3);
    assert_near(taut_diff_error(d, 0), 0, 0, 0);
    assert_near(taut_diff_error(d, 1), 1e-3 / 5, 1e-12, 0); /* |(3, 4)| = 5 */
    assert_near(taut_diff_error(d, 2), 2e-4 / 5, 1e-12, 0);
    assert_near(taut_diff_largest_error(d), 1e-3 / 5, 1e-12, 0);
    assert_near(taut_diff_scd(d), -log10(0.0002 / 4), 1e-9, 0);
    taut_diff_free(&d);
}

static void test_times_are_matched(void **state) {
    (void)state;
    /* rows that only one has are passed over; two rows at an event belong to each other */
    taut_diff *d = compare("t,x\n0,1\n0.5,9\n1,1\n1,5\n2,1\n", "t;x\n0;1\n1;1\n1;5\n1.5;7\n2;1\n");
    assert_int_equal(taut_diff_rows(d), 4);
    assert_near(taut_diff_largest_error(d), 0, 0, 0);
    taut_diff_free(&d);
    d = compare("t,x\n2,1\n1,2\n0,3\n", "t,x\n2,1\n0.5,2\n0,4\n"); /* backward */
    assert_int_equal(taut_diff_rows(d), 2);
    assert_near(column(d, "x")->largest, 1, 0, 0);
    taut_diff_free(&d);
    /* the last digit of a time is not known to others */
    d = compare("t,x\n0,1\n0.30000000000000004,2\n1,1\n", "t,x\n0,1\n0.3,2\n1,1\n");
    assert_int_equal(taut_diff_rows(d), 3);
    taut_diff_free(&d);
}

static void test_rounding_has_no_digits(void **state) {
    (void)state;
    taut_diff *d = compare("t,x,y\n0,1,1e-16\n1,1.001,-2e-16\n", "t,x,y\n0,1,0\n1,1,3e-16\n");
    assert_true(column(d, "y")->nothing);
    assert_false(column(d, "x")->nothing);
    assert_near(taut_diff_scd(d), 3, 1e-9, 0);
    taut_diff_free(&d);
    /* ... but what is small in one of them only is a difference */
    d = compare("t,x,y\n0,1,0.5\n", "t,x,y\n0,1,1e-16\n");
    assert_false(column(d, "y")->nothing);
    assert_true(taut_diff_scd(d) < 0.0);
    taut_diff_free(&d);
}

static void test_columns_of_words_are_left_out(void **state) {
    (void)state;
    char *text = NULL;
    taut_diff *d = compare("t,x,kind,u\n0,1,a,1\n", "t,x,kind,w\n0,1,b,1\n");
    assert_int_equal(taut_diff_columns(d), 1);
    assert_int_equal(taut_diff_text(d, false, &text, NULL), TAUT_OK);
    assert_non_null(strstr(text, "not compared of a.csv: kind, u\n"));
    assert_non_null(strstr(text, "not compared of b.csv: kind, w\n"));
    assert_non_null(strstr(text, "no position differs"));
    taut_text_free(&text);
    taut_diff_free(&d);
}

static void test_faults_are_told(void **state) {
    (void)state;
    static const struct {
        const char *a, *b, *words;
    } wrong[] = {
        {"t,x\n0,1\n", "t,x\n1,1\n", "a.csv and b.csv have no time in common"},
        {"t,x\n0,1\n", "t,y\n0,1\n", "no column of numbers in common"},
        {"t,x\n0,1\n2,1\n1,1\n3,1\n", "t,x\n0,1\n", "row 3 has 1 after 2"},
        {"t,x\n0,1\n", "t,x\n0\n", "b.csv:2"},
        {"t,x\nq,1\n", "t,x\n0,1\n", "a.csv:2:1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        program_result r;
        program_write("a.csv", wrong[i].a, -1);
        program_write("b.csv", wrong[i].b, -1);
        program_call(&r, "diff a.csv b.csv");
        assert_int_equal(r.code, 2);
        if (!strstr(r.err, wrong[i].words)) fail_msg("%s: %s", wrong[i].words, r.err);
        program_release(&r);
    }
}

static void test_program(void **state) {
    (void)state;
    static const char MODEL[] = "DAE: {Variables: [x], Equations: [\"x'' + x\"]}\n"
                                "ProblemData: {tend: 1, positions: {x: 1}, velocities: {x: 0}}\n";
    program_result r;
    program_write("m.yaml", MODEL, -1);
    program_write("ref.csv", "t,x\n0,1\n0.5,0.87758256189037272\n1,0.54030230586813972\n", -1);
    program_call(&r, "compare m.yaml --with ref.csv --tol 1e-13 --json");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "\"times\": 3"));
    const char *error = strstr(r.out, "\"largest_error\": ");
    assert_non_null(error);
    assert_true(strtod(error + strlen("\"largest_error\": "), NULL) < 1e-13);
    program_release(&r);
    program_call(&r, "diff ref.csv ref.csv -o e.csv");
    assert_int_equal(r.code, 0);
    program_release(&r);
    char *csv = program_read("e.csv");
    assert_string_equal(csv, "t,E\n0,0\n0.5,0\n1,0\n");
    free(csv);
    static const struct {
        const char *call, *words;
    } wrong[] = {{"diff ref.csv", "two CSV files are compared"},
                 {"diff ref.csv none.csv", "none.csv"},
                 {"diff ref.csv ref.csv -o ref.csv", "this would overwrite what is compared"},
                 {"diff ref.csv ref.csv -o e.mat", "is written as CSV"},
                 {"diff ref.csv ref.csv ref.csv", "one file at a time"},
                 {"run m.yaml --with ref.csv", "--with"},
                 {"compare m.yaml --with m.yaml", "m.yaml"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        program_call(&r, wrong[i].call);
        assert_int_equal(r.code, 2);
        if (!strstr(r.err, wrong[i].words)) fail_msg("%s: %s", wrong[i].call, r.err);
        program_release(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_digits_errors_and_scd, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_times_are_matched, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_rounding_has_no_digits, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_columns_of_words_are_left_out, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_faults_are_told, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_program, program_enter, program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
