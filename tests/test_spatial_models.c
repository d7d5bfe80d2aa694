/* Two models of one spatial mechanism agree: examples/<name>.yaml in natural coordinates, and a
 * Lagrangian in angles, written by hand (tests/models/<name>-minimal.yaml). */
#include "digits.h"

enum { ROWS = 201, NAMES = 6 };
static const double TOL = 1e-13;
static const double SECOND_TOL = 1e-14; /* an angle that counts up is allowed more than its sine */

typedef struct pair {
    const char *name;
    double tend;
    double early, digits; /* up to tend/2, and up to tend */
    const char *vectors[NAMES], *scalars[NAMES];
} pair;

static pair pairs[] = {
    {"bricard", 10, 10, 10, {"P1", "P2", "P3", "P4"}, {NULL}},
    {"five-link", 1, 10, 10, {"B", "BT", "W"}, {"camber"}},
    {"free-top", 10, 10, 10, {"u", "v"}, {NULL}},
    {"heavy-top", 10, 10, 10, {"a", "b", "C"}, {NULL}},
    {"robot", 1, 10, 7, {"u3", "C", "u4", "F", "u5", "G"}, {NULL}},
    {"rscr", 5, 10, 10, {"C1", "B", "C"}, {"mu", "crank"}},
    {"spatial-slider-crank", 5, 10, 10, {"B", "C", "M"}, {"theta"}},
    {"spherical-pendulum", 5, 10, 10, {"A"}, {NULL}},
    {"spin-top", 5, 10, 10, {"C", "T", "u"}, {NULL}},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

/* Options with ROWS times from 0 to tend. */
static taut_run_options rows_until(double tend, double tol, double *time) {
    taut_run_options options = at_tolerance(tol);
    for (int i = 0; i < ROWS; i++) time[i] = tend * i / (ROWS - 1);
    options.at = time;
    options.ats = ROWS;
    return options;
}

/* A column, and its derivative. */
static void compare(const pair *p, const solution *a, const solution *b, const char *vector,
                    const char *component) {
    static const char *const prime[] = {"", "'"};
    for (int k = 0; k < 2; k++) {
        char column[80];
        snprintf(column, sizeof column, "%s%s%s", vector, component, prime[k]);
        const double largest = scale_of(b, column), scale = largest > TOL ? largest : 1.0;
        agreement half[2] = {{17.0, 0.0, column}, {17.0, 0.0, column}};
        for (long i = 0; i < ROWS; i++)
            agreement_add(&half[2 * i >= ROWS],
                          digits_of(value_of(a, i, column), value_of(b, i, column), scale),
                          value_of(a, i, "t"), column);
        require_digits(half[0], p->early, p->name);
        require_digits(half[1], p->digits, p->name);
    }
}

static void test_both_models_agree(void **state) {
    static const char *const component[] = {"x", "y", "z"};
    const pair *p = *state;
    double time[ROWS];
    taut_run_options options = rows_until(p->tend, TOL, time);
    solution *a = solve_example(p->name, &options);
    options = rows_until(p->tend, SECOND_TOL, time);
    solution *b = solve_second(p->name, &options);
    assert_int_equal(rows_of(a), ROWS);
    assert_int_equal(rows_of(b), ROWS);
    for (int k = 0; k < NAMES && p->vectors[k]; k++)
        for (int i = 0; i < 3; i++) compare(p, a, b, p->vectors[k], component[i]);
    for (int k = 0; k < NAMES && p->scalars[k]; k++) compare(p, a, b, p->scalars[k], "");
    solution_free(a);
    solution_free(b);
}

/* The one-angle model assumes how the hinges depend on each other: its open chain must end at P5
 * with the hinge direction w5. */
static void test_bricard_chain_closes(void **state) {
    (void)state;
    static const char *const column[] = {"gapx", "gapy", "gapz", "tiltx", "tilty", "tiltz"};
    double time[ROWS];
    const taut_run_options options = rows_until(10.0, TOL, time);
    solution *s = solve_second("bricard", &options);
    for (int k = 0; k < 6; k++) assert_near(scale_of(s, column[k]), 0.0, 1e-14, 0.0);
    solution_free(s);
}

int main(void) {
    struct CMUnitTest tests[PAIRS + 1] = {cmocka_unit_test(test_bricard_chain_closes)};
    for (int i = 0; i < PAIRS; i++)
        tests[i + 1] =
            (struct CMUnitTest){pairs[i].name, test_both_models_agree, NULL, NULL, &pairs[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
