/* A hunt for missed events: random mechanisms with watched functions whose roots are known.
 * Products of (t - r) with a factor of the motion that is never zero: roots close together, at the
 * ends of steps, at the start, at the end, and roots that only touch. None may be missed, none
 * found twice. */
#include "solve_text.h"

#include <math.h>

#include "random_mechanism.h"

enum { MECHANISMS = 1000, MOST_ROOTS = 16 };

static random_mechanism now;

typedef struct expected {
    const char *name;
    double t;
    bool touches;
} expected;

typedef struct list {
    expected item[MOST_ROOTS];
    int count;
} list;

static void expect(list *l, const char *name, double t, bool touches) {
    assert_true(l->count < MOST_ROOTS);
    l->item[l->count++] = (expected){name, t, touches};
}

/* The end of the first step of the mechanism alone. */
static double first_step(double *last) {
    taut_run_options o = at_tolerance(1e-10);
    o.every = TAUT_EVERY_STEP;
    o.solver = "taylor";
    solution *s = solve_text(now.text, &o);
    const double t = taut_result_value(s->result, 1, 0);
    *last = taut_result_value(s->result, taut_result_rows(s->result) - 1, 1);
    solution_free(s);
    return t;
}

/* Adds events with their roots behind the first step's end. */
static void add_events(double e, list *l) {
    const double span = 0.5 - e;
    const double a = e + span * random_between(&now, 0.05, 0.9);
    const double b = e + span * random_between(&now, 0.05, 0.95);
    const double c[3] = {e + span * random_between(&now, 0.05, 0.3),
                         e + span * random_between(&now, 0.35, 0.6),
                         e + span * random_between(&now, 0.65, 0.95)};
    const char *factor =
        random_between(&now, 0.0, 1.0) < 0.5 ? "(2 + Q0x^2 + P0y^2)" : "(3 - cos(Q0x))";
    random_add(&now, "Events:\n");
    random_add(&now, "  pair: {When: '(t - %.17g)*(t - %.17g)*%s'}\n", a, a + 1e-6, factor);
    random_add(&now, "  border: {When: '(t - %.17g)*%s'}\n", e, factor);
    random_add(&now, "  bounds: {When: 't*(t - 0.5)*%s'}\n", factor);
    random_add(&now, "  touch: {When: '(t - %.17g)^2*%s'}\n", b, factor);
    random_add(&now, "  three: {When: '(t - %.17g)*(t - %.17g)*(t - %.17g)*%s'}\n", c[0], c[1],
               c[2], factor);
    random_add(&now, "  none: {When: '((t - %.17g)^2 + 1e-9)*%s'}\n", b, factor);
    expect(l, "border", e, false);
    expect(l, "pair", a, false);
    expect(l, "pair", a + 1e-6, false);
    expect(l, "bounds", 0.5, false);
    expect(l, "touch", b, true);
    for (int i = 0; i < 3; i++) expect(l, "three", c[i], false);
}

/* Every expected event is there, and nothing else. */
static void compare(const list *l, const taut_notes *n, int number) {
    bool used[4 * MOST_ROOTS] = {false};
    if (n->events != l->count)
        fail_msg("mechanism %d: %d events instead of %d", number, n->events, l->count);
    for (int i = 0; i < l->count; i++) {
        const expected *x = &l->item[i];
        const double tol = x->touches ? 1e-7 : 1e-9;
        int found = -1;
        for (int k = 0; k < n->events && found < 0; k++)
            if (!used[k] && strcmp(n->event[k].name, x->name) == 0 &&
                fabs(n->event[k].t - x->t) < tol &&
                (strcmp(n->event[k].kind, "touch") == 0) == x->touches)
                found = k;
        if (found < 0) fail_msg("mechanism %d: '%s' at %.17g is missed", number, x->name, x->t);
        used[found] = true;
    }
}

static void test_nothing_is_missed(void **state) {
    (void)state;
    const int step = getenv("TAUT_TRIALS") ? 1 : 9; /* all of them take a minute */
    for (int number = 0; number < MECHANISMS; number += step) {
        list l = {.count = 0};
        double end;
        random_make(&now, number, 1.0, 1.0);
        const double e = first_step(&end);
        if (e > 0.45) continue;
        add_events(e, &l);
        taut_run_options o = at_tolerance(1e-10);
        o.solver = number % 10 == 9 ? "ho" : "taylor";
        o.at = (const double[]){0.5};
        o.ats = 1;
        solution *s = solve_text(now.text, &o);
        compare(&l, taut_result_notes(s->result), number);
        assert_near(taut_result_value(s->result, 0, 1), end, 1e-6, 1e-6);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_missed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
