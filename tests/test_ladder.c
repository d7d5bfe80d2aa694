/* A tighter tolerance gives a smaller error: 1e-6, 1e-8, 1e-10, 1e-12, on a grid of times, against
 * references that taut had no part in. Errors below 1e-13 of a column's scale count as 1e-13. */
#include "solve_text.h"

#include "reference/free_top.h"
#include "reference/pendula.h"

enum { GRID = 10, MOST_STATES = 12 };
static const double FLOOR = 1e-13;

typedef struct problem {
    const char *file;
    int states;
    const char *name[MOST_STATES];
    const double *time;
    const double *reference; /* [GRID][stride] */
    int stride;
} problem;

/* Largest error over the grid and all states, relative to the largest value of a column. */
static double largest_error(const problem *p, double tol) {
    taut_run_options options = at_tolerance(tol);
    options.at = p->time;
    options.ats = GRID;
    solution *s = solve_file(p->file, &options);
    double largest = FLOOR;
    for (int k = 0; k < p->states; k++) {
        double scale = 0.0, error = 0.0;
        for (int i = 0; i < GRID; i++) {
            const double exact = p->reference[i * p->stride + k];
            scale = fmax(scale, fabs(exact));
            error = fmax(error, fabs(value_of(s, i, p->name[k]) - exact));
        }
        largest = fmax(largest, error / scale);
    }
    solution_free(s);
    return largest;
}

static void check_ladder(const problem *p) {
    double error[4], tol = 1e-6;
    for (int i = 0; i < 4; i++, tol *= 1e-2) error[i] = largest_error(p, tol);
    print_message("    errors %.1e %.1e %.1e %.1e\n", error[0], error[1], error[2], error[3]);
    for (int i = 1; i < 4; i++) assert_true(error[i] <= error[i - 1] / 10.0 || error[i] <= FLOOR);
    assert_true(error[3] <= error[0] / 1e5 || error[3] <= FLOOR);
    assert_true(error[0] < 1e-5);
}

static void test_pendulum_error_falls_with_tolerance(void **state) {
    (void)state;
    const problem pendulum = {
        "examples/pendulum-paper.yaml", 4,
        {"u", "v", "u'", "v'"},         pendula_time,
        &pendula_state[0][0],           sizeof pendula_state[0] / sizeof(double)};
    check_ladder(&pendulum);
}

static void test_free_top_error_falls_with_tolerance(void **state) {
    (void)state;
    const problem top = {
        "tests/models/free-top-lagrangian.yaml",
        12,
        {"ux", "uy", "uz", "vx", "vy", "vz", "ux'", "uy'", "uz'", "vx'", "vy'", "vz'"},
        free_top_time,
        &free_top_state[0][0],
        sizeof free_top_state[0] / sizeof(double)};
    check_ladder(&top);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_error_falls_with_tolerance),
        cmocka_unit_test(test_free_top_error_falls_with_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
