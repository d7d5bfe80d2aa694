/* Two models of one mechanism agree: examples/<name>.yaml in natural coordinates, and a Lagrangian
 * in angles or other minimal coordinates, written by hand (tests/models/<name>-minimal.yaml). */
#include "digits.h"

/* All columns of the example in all rows, against a second model with columns of the same names. */
static agreement compare(const solution *a, const solution *b, const mechanism *m) {
    agreement worst = {17.0, 0.0, ""};
    assert_int_equal(rows_of(a), rows_of(b));
    for (int c = 0; c < m->columns; c++) {
        const int in_a = column_of(a, m->column[c]), in_b = column_of(b, m->column[c]);
        const double scale = scale_of(b, m->column[c]);
        for (long i = 0; i < rows_of(a); i++)
            agreement_add(&worst,
                          digits_of(taut_result_value(a->result, i, in_a),
                                    taut_result_value(b->result, i, in_b), scale),
                          taut_result_value(a->result, i, 0), m->column[c]);
    }
    return worst;
}

/* Runs both up to `tend` (0: the example's own end) and requires so many digits in 1001 rows. */
static void must_agree(const char *name, double tend, double digits) {
    const mechanism *m = mechanism_of(name);
    taut_run_options options = at_tolerance(1e-13);
    options.has_tend = true;
    options.tend = tend > 0.0 ? tend : m->tend;
    solution *a = solve_example(name, &options), *b = solve_second(name, &options);
    const agreement found = compare(a, b, m);
    print_message("%s: %.2f digits (%s, t = %g)\n", name, found.digits, found.column, found.t);
    require_digits(found, digits, name);
    solution_free(a);
    solution_free(b);
}

static void test_copy_machine(void **state) {
    (void)state;
    must_agree("copy-machine", 0.0, 10.0);
}

static void test_mcpherson(void **state) {
    (void)state;
    must_agree("mcpherson", 0.0, 10.0);
}

static void test_mechanism0_torque(void **state) {
    (void)state;
    must_agree("mechanism0-torque", 0.0, 10.0);
}

static void test_slider_crank(void **state) {
    (void)state;
    must_agree("slider-crank", 0.0, 10.0);
}

static void test_pendulum_chains(void **state) {
    (void)state;
    must_agree("pendulum-chain-2", 0.0, 10.0);
    must_agree("pendulum-chain-5", 0.0, 10.0);
    must_agree("pendulum-chain-10", 0.0, 10.0);
}

static void test_flyball_governor(void **state) {
    (void)state;
    must_agree("flyball-governor", 0.0, 10.0);
}

static void test_flyball_governor_stretched(void **state) {
    (void)state;
    must_agree("flyball-governor-stretched", 0.0, 9.0);
}

/* Both start from angles to two digits, beta aside. */
static void test_andrews(void **state) {
    (void)state;
    must_agree("andrews", 0.0, 11.0);
    must_agree("andrews", 0.3, 9.0);
}

/* ---- Andrews: the solution does not depend on the guesses ---- */

/* The text with what follows `key` on its line replaced; the old text is freed. */
static char *with_value(char *text, const char *key, const char *value) {
    char *at = strstr(text, key);
    assert_non_null(at);
    at += strlen(key);
    const char *rest = strchr(at, '\n');
    assert_non_null(rest);
    char *changed = calloc(1, strlen(text) + strlen(value) + 1);
    assert_non_null(changed);
    memcpy(changed, text, (size_t)(at - text));
    strcat(strcat(changed, value), rest);
    free(text);
    return changed;
}

static void test_andrews_from_other_guesses_of_two_digits(void **state) {
    (void)state;
    static const char *const KEY[] = {
        "\n    gamma: ", "\n    Phi: ", "\n    delta: ", "\n    Omega: ", "\n    epsilon: "};
    static const char *const GUESS[][5] = {{"0.46", "0.22", "0.49", "-0.22", "1.2"},
                                           {"0.45", "0.23", "0.48", "-0.23", "1.3"}};
    static const char *const FILES[] = {"examples/andrews.yaml",
                                        "tests/models/andrews-minimal.yaml"};
    const mechanism *m = mechanism_of("andrews");
    taut_run_options options = at_tolerance(1e-13);
    options.at = m->time;
    options.ats = m->states;
    for (int k = 0; k < 4; k++) {
        char *text = text_of_file(FILES[k / 2]);
        for (int i = 0; i < 5; i++) text = with_value(text, KEY[i], GUESS[k % 2][i]);
        solution *s = solve_text(text, &options);
        agreement worst = {17.0, 0.0, ""};
        for (int row = 0; row < m->states; row++)
            for (int c = 0; c < m->columns; c++)
                agreement_add(&worst,
                              digits_of(value_of(s, row, m->column[c]),
                                        m->value[row * m->columns + c], given_scale(m, c)),
                              m->time[row], m->column[c]);
        require_digits(worst, 11.0, FILES[k / 2]);
        solution_free(s);
        free(text);
    }
}

/* ---- four-bars: one angle for any N ---- */

/* Ai is A0 + [i, 0]. */
static agreement compare_four_bars(const solution *a, const solution *b, int n) {
    static const char *const PART[] = {"x", "y", "x'", "y'"};
    static char name[16];
    agreement worst = {17.0, 0.0, ""};
    for (int p = 0; p < 4; p++) {
        char first[8];
        snprintf(first, sizeof first, "A0%s", PART[p]);
        const int in_b = column_of(b, first);
        for (int i = 0; i <= n; i++) {
            char column[16];
            snprintf(column, sizeof column, "A%d%s", i, PART[p]);
            const int in_a = column_of(a, column);
            const double offset = p == 0 ? i : 0.0, scale = scale_of(a, column);
            for (long row = 0; row < rows_of(a); row++) {
                const double before = worst.digits;
                agreement_add(&worst,
                              digits_of(taut_result_value(a->result, row, in_a),
                                        taut_result_value(b->result, row, in_b) + offset, scale),
                              taut_result_value(a->result, row, 0), name);
                if (worst.digits < before) snprintf(name, sizeof name, "%s", column);
            }
        }
    }
    return worst;
}

static void test_four_bars_have_one_angle(void **state) {
    (void)state;
    static const int N[] = {1, 2, 40};
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "four-bar-%d", N[i]);
        taut_run_options options = at_tolerance(1e-13);
        options.has_tend = true;
        options.tend = mechanism_of(name)->tend;
        solution *a = solve_example(name, &options), *b = solve_one_angle(N[i], 1.0, &options);
        const agreement found = compare_four_bars(a, b, N[i]);
        print_message("%s: %.2f digits (%s, t = %g)\n", name, found.digits, found.column, found.t);
        require_digits(found, 10.0, name);
        solution_free(a);
        solution_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_machine),
        cmocka_unit_test(test_mcpherson),
        cmocka_unit_test(test_mechanism0_torque),
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_pendulum_chains),
        cmocka_unit_test(test_flyball_governor),
        cmocka_unit_test(test_flyball_governor_stretched),
        cmocka_unit_test(test_andrews),
        cmocka_unit_test(test_andrews_from_other_guesses_of_two_digits),
        cmocka_unit_test(test_four_bars_have_one_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
