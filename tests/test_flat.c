/* Four-bars lie flat twice in a turn: all rods on one line, the constraints dependent, a second
 * branch of motion one step away. From 200 slightly different starting speeds no run may leave the
 * parallelogram branch, and none may crawl. The one-angle equation says where it should be. */
#include "four_bars.h"

enum { SPEEDS = 200, ROWS = 101 };

/* Half of them spread over 10 %, half of them close together. */
static double speed_of(int i) {
    return i < SPEEDS / 2 ? 0.95 + 0.1 * i / (SPEEDS / 2)
                          : 1.0 + 1e-9 * pow(10.0, (i % 100) / 16.0);
}

static taut_run_options options_at(double tol) {
    taut_run_options options = at_tolerance(tol);
    options.has_tend = true;
    options.tend = 10.0;
    options.every = 10.0 / (ROWS - 1);
    return options;
}

static int ascending(const void *a, const void *b) {
    const long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* All speeds: every point stays within `distance` of the branch, every run succeeds and needs fewer
 * than twice the median of steps. */
static void must_stay(int n, double tol, double distance) {
    char name[32], changed[4096];
    long steps[SPEEDS], sorted[SPEEDS];
    double largest = 0.0;
    int left = 0;
    snprintf(name, sizeof name, "examples/four-bar-%d.yaml", n);
    char *text = text_of_file(name);
    const taut_run_options options = options_at(tol), tight = options_at(1e-14);
    for (int i = 0; i < SPEEDS; i++) {
        with_speed(text, speed_of(i), changed);
        solution *a = solve_text(changed, &options);
        solution *b = solve_one_angle(n, speed_of(i), &tight);
        const double off = largest_distance(a, b, n);
        if (!(off < distance)) {
            print_error("%s, speed %.17g, tol %g: off by %g\n", name, speed_of(i), tol, off);
            left++;
        }
        largest = fmax(largest, off);
        steps[i] = sorted[i] = stats_of(a)->steps + stats_of(a)->rejected;
        solution_free(a);
        solution_free(b);
    }
    free(text);
    qsort(sorted, SPEEDS, sizeof *sorted, ascending);
    print_message("%s at %.0e: off by %.1e at most, %ld to %ld steps, median %ld\n", name, tol,
                  largest, sorted[0], sorted[SPEEDS - 1], sorted[SPEEDS / 2]);
    assert_int_equal(left, 0);
    for (int i = 0; i < SPEEDS; i++) assert_true(steps[i] < 2 * sorted[SPEEDS / 2]);
}

static void test_one_four_bar_stays_on_its_branch(void **state) {
    (void)state;
    must_stay(1, 1e-10, 1e-8);
    must_stay(1, 1e-13, 1e-10);
}

static void test_two_four_bars_stay_on_their_branch(void **state) {
    (void)state;
    must_stay(2, 1e-10, 1e-8);
    must_stay(2, 1e-13, 1e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_four_bar_stays_on_its_branch),
        cmocka_unit_test(test_two_four_bars_stay_on_their_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
