/* Fixed steps in relative coordinates, a million of them: the constraints stay closed, no step
 * allocates anything, and the last steps take as much work as the first ones. How long they take is
 * shown, not tested: other programs run beside a test. */
#include "solve_text.h"

#include <time.h>

#include "failing_malloc.h"

enum { STEPS = 1000000, PARTS = 10 };

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const char *name, double step, double bound) {
    char path[512];
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    taut_run_options options = taut_run_options_default();
    double fastest = (double)INFINITY, slowest = 0.0;
    long done = 0, work = 0;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    options.formulation = "relative";
    options.solver = "rk4";
    options.step = step;
    options.has_tend = true;
    options.tend = step * STEPS * 1.01;
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_step(s, &errors), TAUT_OK);
    done = taut_simulation_stats(s)->evaluations;
    failing_malloc_begin(0);
    for (int part = 0; part < PARTS; part++) {
        const double begin = seconds();
        for (int i = 0; i < STEPS / PARTS; i++)
            assert_int_equal(taut_simulation_step(s, &errors), TAUT_OK);
        const double spent = (seconds() - begin) / (STEPS / PARTS);
        fastest = fmin(fastest, spent);
        slowest = fmax(slowest, spent);
        const long now = taut_simulation_stats(s)->evaluations;
        if (part == 0) work = now - done;
        assert_true(work > 0 && now - done == work);
        done = now;
    }
    const long allocations = failing_malloc_end();
    const taut_run_stats *stats = taut_simulation_stats(s);
    print_message("%s: residual %.1e, %.2f to %.2f us a step, %ld allocations\n", name,
                  stats->constraint_residual, 1e6 * fastest, 1e6 * slowest, allocations);
    assert_true(stats->constraint_residual < bound);
    assert_int_equal(allocations, 0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_andrews(void **state) {
    (void)state;
    run("andrews", 1e-5, 1e-11);
}

static void test_four_bar(void **state) {
    (void)state;
    run("four-bar-2", 1e-3, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_four_bar),
                                       cmocka_unit_test(test_andrews)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
