/* Hostile files: YAML and formulas. See hostile.h. */
#include "hostile.h"

/* x' - FORMULA = 0, and its end. */
static const char BEFORE[] = "DAE:\n  Variables: [x]\n  Equations:\n  - \"x' - ";
static const char AFTER[] = "\"\nProblemData: {t0: 0, tend: 0.001, positions: {x: 0.5}}\n";

static void expect_formula(taut_string *formula, deed what, taut_status wanted,
                           const char *message) {
    taut_string file = {0};
    assert_false(formula->failed);
    ADD("%s%s%s", BEFORE, formula->text, AFTER);
    taut_string_release(formula);
    expect(&file, what, wanted, message);
}

/* ---- YAML ---- */

static void test_alias_bomb_is_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
        ADD("a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++) ADD("%s*a%d", k ? ", " : "", i - 1);
        ADD("]\n");
    }
    expect(&file, CHECK, TAUT_ERR_INPUT, "aliases expand");
}

static void test_deep_nesting_is_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("DAE: ");
    repeat(&file, "[", MANY);
    expect(&file, CHECK, TAUT_ERR_INPUT, "nested more than");
    ADD("DAE: ");
    repeat(&file, "{a: ", MANY);
    expect(&file, CHECK, TAUT_ERR_INPUT, "nested more than");
    repeat(&file, "- ", MANY);
    expect(&file, CHECK, TAUT_ERR_INPUT, "nested more than");
}

static void test_long_lines_are_read(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("# ");
    repeat(&file, "long line ", 1000000);
    ADD("\n%sx%s", BEFORE, AFTER);
    expect(&file, RUN, TAUT_OK, NULL);
    ADD("Title: \"");
    repeat(&file, "\\x41", 1000000);
    ADD("\"\n%sx%s", BEFORE, AFTER);
    expect(&file, RUN, TAUT_OK, NULL);
    repeat(&file, "key", 1000000);
    ADD(": 1\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, NULL);
}

static void test_very_many_keys_are_refused(void **state) {
    (void)state;
    taut_string file = {0};
    for (int i = 0; i < 1000000; i++) ADD("Titke%d: 1\n", i);
    expect(&file, CHECK, TAUT_ERR_INPUT, "did you mean 'Title'?");
    repeat(&file, "Title: 1\n", 1000000);
    expect(&file, CHECK, TAUT_ERR_INPUT, "appears twice");
}

/* ---- formulas ---- */

static void test_huge_exponents_end(void **state) {
    (void)state;
    static const char *const formula[] = {"x^1000000000", "(x + 1)^-1000000000",
                                          "((x^1000000000)^1000000000)^1000000000", "x^1e300",
                                          "x^(1e9 + 0.5)"};
    for (size_t i = 0; i < sizeof formula / sizeof formula[0]; i++) {
        taut_string text = {0};
        taut_string_add(&text, "%s", formula[i]);
        expect_formula(&text, CHECK, TAUT_OK, NULL);
    }
    taut_string text = {0};
    taut_string_add(&text, "x^1000000000");
    expect_formula(&text, RUN, TAUT_OK, NULL);
}

static void test_primes_without_end_are_refused(void **state) {
    (void)state;
    taut_string text = {0};
    taut_string_add(&text, "x");
    repeat(&text, "'", MANY);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "primes: derivatives go up to");
    repeat(&text, "(", 40);
    taut_string_add(&text, "x*x");
    repeat(&text, ")'''''", 40);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "primes: derivatives go up to");
    repeat(&text, "(", 48);
    taut_string_add(&text, "x");
    repeat(&text, "*x)'", 48);
    expect_formula(&text, CHECK, TAUT_OK, NULL);
}

static void test_huge_numbers_are_refused(void **state) {
    (void)state;
    taut_string text = {0};
    repeat(&text, "9", 1000000);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "too many digits");
    taut_string_add(&text, "1e999999999999");
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "too large");
    taut_string_add(&text, "1e308*(1e308*x)");
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "not a finite number");
    taut_string_add(&text, "1e308*(1e308 + x)");
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "not a finite number");
}

static void test_long_formulas_are_read(void **state) {
    (void)state;
    taut_string text = {0};
    taut_string_add(&text, "sin(x)");
    for (int i = 2; i < 1000000; i++) taut_string_add(&text, "+sin(%d*x)", i);
    expect_formula(&text, CHECK, TAUT_OK, NULL);
    taut_string_add(&text, "x");
    repeat(&text, " + x", 2000000);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "terms");
    taut_string_add(&text, "x");
    for (int i = 1; i < MANY; i++) taut_string_add(&text, "*(x + %d)", i);
    expect_formula(&text, ANALYZE, TAUT_OK, NULL);
    taut_string_add(&text, "x");
    for (int i = 1; i < MANY; i++) taut_string_add(&text, "/(x + %d)", i);
    expect_formula(&text, ANALYZE, TAUT_OK, NULL);
    repeat(&text, "-", 1000000);
    taut_string_add(&text, "x");
    expect_formula(&text, CHECK, TAUT_OK, NULL);
    repeat(&text, "(", 1000000);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "nested too deeply");
    taut_string_add(&text, "x");
    repeat(&text, "^x", MANY);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "nested too deeply");
}

/* ---- names that use names ---- */

static void end_definitions(taut_string *file, const char *use) {
    taut_string_add(file, "  Equations: [\"x' - %s\"]\n", use);
    taut_string_add(file, "ProblemData: {t0: 0, tend: 0.001, positions: {x: 0.5}}\n");
}

static void test_chain_of_definitions_ends(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("DAE:\n  Variables: [x]\n  Define:\n");
    for (int i = 0; i < MANY; i++) ADD("    d%d: d%d + sin(x)\n", i, i + 1);
    ADD("    d%d: x\n", MANY);
    end_definitions(&file, "d0");
    expect(&file, CHECK, TAUT_ERR_INPUT, "too many other names");
    ADD("PhysicalParams:\n  q0: 1\n");
    for (int i = 1; i <= MANY; i++) ADD("  q%d: q%d + 1\n", i, i - 1);
    ADD("DAE:\n  Variables: [x]\n");
    end_definitions(&file, "q100000");
    expect(&file, CHECK, TAUT_OK, NULL);
    /* parentheses in definitions in parentheses: the stack holds so many */
    ADD("DAE:\n  Variables: [x]\n  Define:\n");
    for (int i = 0; i < 199; i++) {
        ADD("    d%d: ", i);
        repeat(&file, "(", 400);
        ADD("d%d", i + 1);
        repeat(&file, ")", 400);
        ADD("\n");
    }
    ADD("    d199: x\n");
    end_definitions(&file, "d0");
    expect(&file, CHECK, TAUT_ERR_INPUT, "nested too deeply");
}

/* 2^180 ways lead from the last sum to the first one. */
static void test_nested_sums_are_differentiated_once(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("PhysicalParams: {p: 2.5}\nDAE:\n  Variables: [x]\n  Define:\n    d0: x\n");
    for (int i = 1; i <= 180; i++) {
        ADD("    d%d: d%d + p*d%d", i, i - 1, i - 1);
        for (int k = 0; k < 9; k++) ADD(" + sin(%d*x)", 9 * i + k);
        ADD("\n");
    }
    end_definitions(&file, "1e-90*d180'");
    expect(&file, ANALYZE, TAUT_OK, NULL);
}

static void test_unknown_names_do_not_add_up(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("PhysicalParams:\n");
    for (int i = 0; i < 9990; i++) ADD("  qqqqqqq%d: 1\n", i);
    ADD("DAE:\n  Variables: [x]\n  Equations:\n");
    for (int i = 0; i < MANY; i++) ADD("  - x - qqqqqqr%d\n", i);
    expect(&file, CHECK, TAUT_ERR_INPUT, "did you mean");
}

static void test_very_many_values_are_read(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("DAE:\n  Variables:\n");
    for (int i = 0; i < MANY; i++) ADD("  - x%d\n", i);
    ADD("  Equations:\n");
    for (int i = 0; i < MANY; i++) ADD("  - x%d' - 1\n", i);
    ADD("ProblemData:\n  t0: 0\n  tend: 1\n  positions:\n");
    for (int i = 0; i < MANY; i++) ADD("    x%d: 1\n", i);
    ADD("  fixedpositions:\n");
    for (int i = 0; i < MANY; i++) ADD("  - x%d\n", i);
    expect(&file, CHECK, TAUT_OK, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        HOSTILE(test_alias_bomb_is_refused),
        HOSTILE(test_deep_nesting_is_refused),
        HOSTILE(test_long_lines_are_read),
        HOSTILE(test_very_many_keys_are_refused),
        HOSTILE(test_huge_exponents_end),
        HOSTILE(test_primes_without_end_are_refused),
        HOSTILE(test_huge_numbers_are_refused),
        HOSTILE(test_long_formulas_are_read),
        HOSTILE(test_chain_of_definitions_ends),
        HOSTILE(test_nested_sums_are_differentiated_once),
        HOSTILE(test_unknown_names_do_not_add_up),
        HOSTILE(test_very_many_values_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
