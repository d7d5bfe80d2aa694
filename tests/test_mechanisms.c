/* Every mechanism of examples/ against the states that came with the problems: all columns at t = 0
 * and at each given time. */
#include "digits.h"

enum { MOST_TIMES = 8 };

/* The columns of state s against row s of a solution that has one row a state. */
static agreement compare_state(const solution *s, const mechanism *m, int state) {
    agreement worst = {17.0, 0.0, ""};
    for (int c = 0; c < m->columns; c++) {
        const double got = value_of(s, state, m->column[c]);
        const double want = m->value[state * m->columns + c];
        agreement_add(&worst, digits_of(got, want, given_scale(m, c)), m->time[state],
                      m->column[c]);
    }
    return worst;
}

static solution *run_to_states(const mechanism *m) {
    taut_run_options options = at_tolerance(1e-13);
    assert_true(m->states <= MOST_TIMES);
    options.at = m->time;
    options.ats = m->states;
    return solve_example(m->name, &options);
}

static void test_initial_states_are_the_given_ones(void **state) {
    (void)state;
    for (int i = 0; i < MECHANISMS; i++) {
        solution *s = run_to_states(&mechanisms[i]);
        require_digits(compare_state(s, &mechanisms[i], 0), 12.0, mechanisms[i].name);
        solution_free(s);
    }
}

/* Four-bars pass positions where the constraints are dependent. */
static double wanted_digits(const char *name) {
    return strncmp(name, "four-bar", 8) == 0 ? 10.0 : 11.0;
}

static void test_later_states_have_11_digits(void **state) {
    (void)state;
    int compared = 0;
    for (int i = 0; i < MECHANISMS; i++) {
        const mechanism *m = &mechanisms[i];
        solution *s = run_to_states(m);
        for (int k = 1; k < m->states; k++, compared++)
            require_digits(compare_state(s, m, k), wanted_digits(m->name), m->name);
        solution_free(s);
    }
    assert_true(compared >= 20);
}

static void test_files_run_to_the_given_end(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-6);
    for (int i = 0; i < MECHANISMS; i++) {
        solution *s = solve_example(mechanisms[i].name, &options);
        assert_near(stats_of(s)->tend, mechanisms[i].tend, 0.0, 1e-15);
        assert_near(stats_of(s)->reached, mechanisms[i].tend, 0.0, 1e-15);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initial_states_are_the_given_ones),
        cmocka_unit_test(test_later_states_have_11_digits),
        cmocka_unit_test(test_files_run_to_the_given_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
