/* What a tolerance is worth: correct digits of the positions at the end of the run, not below the
 * figures of the thesis at the same tolerance. The end states come from the given states, or from
 * a second model in other coordinates, or (five-link) from a much tighter run. */
#include "digits.h"

enum { TOLERANCES = 4 };
static const double TIGHT = 1e-14;

typedef struct bar {
    double tol, digits;
} bar;

/* At the end: the given state, or the last row of a much tighter run of another model. */
typedef struct truth {
    const mechanism *m;
    solution *other; /* NULL: the last given state */
} truth;

static double true_value(const truth *x, int c) {
    if (x->other) return last_of(x->other, x->m->column[c]);
    return x->m->value[(x->m->states - 1) * x->m->columns + c];
}

static double true_scale(const truth *x, int c) {
    return x->other ? scale_of(x->other, x->m->column[c]) : given_scale(x->m, c);
}

static agreement digits_at_end(const truth *x, double tol) {
    const taut_run_options options = at_tolerance(tol);
    solution *s = solve_example(x->m->name, &options);
    agreement worst = {17.0, stats_of(s)->reached, ""};
    for (int c = 0; c < x->m->columns; c++)
        if (!strchr(x->m->column[c], '\''))
            agreement_add(
                &worst, digits_of(last_of(s, x->m->column[c]), true_value(x, c), true_scale(x, c)),
                stats_of(s)->reached, x->m->column[c]);
    solution_free(s);
    return worst;
}

/* Shows all figures, then fails if one is too low. */
static void must_reach(const truth *x, const bar *bars) {
    agreement found[TOLERANCES];
    for (int i = 0; i < TOLERANCES; i++) {
        found[i] = digits_at_end(x, bars[i].tol);
        print_message("%s at %.0e: %.1f digits (%s), %.1f wanted\n", x->m->name, bars[i].tol,
                      found[i].digits, found[i].column, bars[i].digits);
    }
    for (int i = 0; i < TOLERANCES; i++) require_digits(found[i], bars[i].digits, x->m->name);
}

static void must_reach_given(const char *name, const bar *bars) {
    const truth x = {mechanism_of(name), NULL};
    assert_true(x.m->states > 1 && x.m->time[x.m->states - 1] == x.m->tend);
    must_reach(&x, bars);
}

static void must_reach_second(const char *name, const bar *bars) {
    const taut_run_options options = at_tolerance(TIGHT);
    const truth x = {mechanism_of(name), solve_second(name, &options)};
    must_reach(&x, bars);
    solution_free(x.other);
}

static void test_slider_crank(void **state) {
    (void)state;
    static const bar BARS[] = {{1e-6, 2.6}, {1e-8, 5.2}, {1e-10, 6.8}, {1e-12, 9.0}};
    must_reach_given("slider-crank", BARS);
}

static void test_copy_machine(void **state) {
    (void)state;
    static const bar BARS[] = {{1e-6, 7.4}, {1e-8, 8.6}, {1e-10, 11.2}, {1e-12, 12.5}};
    must_reach_second("copy-machine", BARS);
}

static void test_mcpherson(void **state) {
    (void)state;
    static const bar BARS[] = {{1e-6, 6.0}, {1e-8, 8.0}, {1e-10, 10.0}, {1e-12, 12.0}};
    must_reach_second("mcpherson", BARS);
}

static void test_bricard(void **state) {
    (void)state;
    static const bar BARS[] = {{1e-6, 7.0}, {1e-8, 9.5}, {1e-10, 12.0}, {1e-12, 12.5}};
    must_reach_given("bricard", BARS);
}

static void test_five_link(void **state) {
    (void)state;
    static const bar BARS[] = {{1e-6, 1.6}, {1e-8, 3.6}, {1e-10, 5.7}, {1e-12, 8.0}};
    taut_run_options options = at_tolerance(TIGHT);
    options.order = 30;
    const truth x = {mechanism_of("five-link"), solve_example("five-link", &options)};
    must_reach(&x, BARS);
    solution_free(x.other);
}

static void test_two_four_bars(void **state) {
    (void)state;
    static const bar BARS[] = {{1e-4, 2.7}, {1e-6, 5.0}, {1e-8, 6.5}, {1e-10, 7.9}};
    must_reach_given("four-bar-2", BARS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_crank), cmocka_unit_test(test_copy_machine),
        cmocka_unit_test(test_mcpherson),    cmocka_unit_test(test_bricard),
        cmocka_unit_test(test_five_link),    cmocka_unit_test(test_two_four_bars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
