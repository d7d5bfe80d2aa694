/* The optimiser behind a plain interface: known minima, failure, silence, threads. */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "solve/nlp.h"

/* The nearest point of the ellipse (x/2)^2 + y^2 = 1 + shift to (px, py). */
typedef struct ellipse {
    taut_nlp nlp;
    double px, py, shift, x[2];
    double gradient[2], g[1], jacobian[2], hessian[2];
    int calls;
} ellipse;

static bool go(void *user, const double *x) {
    ellipse *e = user;
    e->calls++;
    e->x[0] = x[0];
    e->x[1] = x[1];
    e->nlp.f = 0.5 * (pow(x[0] - e->px, 2.0) + pow(x[1] - e->py, 2.0));
    e->gradient[0] = x[0] - e->px;
    e->gradient[1] = x[1] - e->py;
    e->g[0] = x[0] * x[0] / 4.0 + x[1] * x[1] - 1.0 - e->shift;
    e->jacobian[0] = x[0] / 2.0;
    e->jacobian[1] = 2.0 * x[1];
    return true;
}

static bool bend(void *user, double factor, const double *lambda) {
    ellipse *e = user;
    e->hessian[0] = factor + lambda[0] / 2.0;
    e->hessian[1] = factor + lambda[0] * 2.0;
    return true;
}

static void set_up(ellipse *e, double px, double py, double shift) {
    static const int row[] = {0, 0}, column[] = {0, 1}, diagonal[] = {0, 1};
    *e = (ellipse){.px = px, .py = py, .shift = shift};
    e->nlp = (taut_nlp){.n = 2,
                        .m = 1,
                        .jacobian_entries = 2,
                        .hessian_entries = 2,
                        .jacobian_row = row,
                        .jacobian_column = column,
                        .hessian_row = diagonal,
                        .hessian_column = diagonal,
                        .go = go,
                        .bend = bend,
                        .user = e,
                        .gradient = e->gradient,
                        .g = e->g,
                        .jacobian = e->jacobian,
                        .hessian = e->hessian,
                        .most_iterations = 100,
                        .most_seconds = 10.0};
}

/* At the nearest point the way to it stands on the tangent. */
static void check_nearest(const ellipse *e, const double *x) {
    assert_near(x[0] * x[0] / 4.0 + x[1] * x[1], 1.0, 1e-9, 0.0);
    assert_near((x[0] - e->px) * 2.0 * x[1] - (x[1] - e->py) * x[0] / 2.0, 0.0, 1e-8, 0.0);
}

static void test_nearest_point_of_an_ellipse(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        ellipse e;
        const double angle = 0.3 + 0.31 * i;
        double x[] = {3.0 * cos(angle), 3.0 * sin(angle)};
        set_up(&e, x[0], x[1], 0.0);
        assert_int_equal(taut_nlp_solve(&e.nlp, x, NULL), TAUT_OK);
        check_nearest(&e, x);
        assert_true(x[0] * e.px + x[1] * e.py > 0.0);
    }
}

static void test_equations_without_a_solution_are_refused(void **state) {
    (void)state;
    ellipse e;
    double x[] = {1.0, 1.0};
    set_up(&e, 1.0, 1.0, -2.0); /* ... = -1 */
    assert_int_equal(taut_nlp_solve(&e.nlp, x, NULL), TAUT_ERR_NUMERICS);
}

static bool nowhere(void *user, const double *x) {
    (void)user, (void)x;
    return false;
}

static void test_functions_without_a_value_are_refused(void **state) {
    (void)state;
    ellipse e;
    double x[] = {1.0, 1.0};
    set_up(&e, 1.0, 1.0, 0.0);
    e.nlp.go = nowhere;
    assert_int_equal(taut_nlp_solve(&e.nlp, x, NULL), TAUT_ERR_NUMERICS);
}

static void test_iterations_are_bounded(void **state) {
    (void)state;
    ellipse e;
    double x[] = {50.0, -70.0};
    set_up(&e, 50.0, -70.0, 0.0);
    e.nlp.most_iterations = 2;
    assert_int_equal(taut_nlp_solve(&e.nlp, x, NULL), TAUT_ERR_NUMERICS);
    assert_true(e.calls < 100);
}

/* Neither a word on the standard output nor a look at ipopt.opt. */
static void test_nothing_is_printed_and_no_options_are_read(void **state) {
    (void)state;
    char folder[] = "/tmp/taut-nlp-XXXXXX", old[1024];
    assert_non_null(getcwd(old, sizeof old));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *options = fopen("ipopt.opt", "w");
    assert_non_null(options);
    fputs("max_iter 0\nprint_level 5\n", options);
    fclose(options);
    fflush(stdout);
    const int out = dup(STDOUT_FILENO);
    assert_non_null(freopen("said", "w", stdout));
    ellipse e;
    double x[] = {3.0, 1.0};
    set_up(&e, 3.0, 1.0, 0.0);
    const taut_status status = taut_nlp_solve(&e.nlp, x, NULL);
    fflush(stdout);
    const long said = ftell(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    assert_int_equal(unlink("said") | unlink("ipopt.opt"), 0);
    assert_int_equal(chdir(old), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(said, 0);
    assert_int_equal(status, TAUT_OK);
    check_nearest(&e, x);
}

static void *search(void *user) {
    double *x = user;
    for (int i = 0; i < 10; i++) {
        ellipse e;
        set_up(&e, 3.0, 1.0, 0.0);
        x[0] = 3.0;
        x[1] = 1.0;
        if (taut_nlp_solve(&e.nlp, x, NULL) != TAUT_OK) x[0] = (double)NAN;
    }
    return NULL;
}

static void test_threads_find_the_same_bits(void **state) {
    (void)state;
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    double x[THREADS][2];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, search, x[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_true(x[i][0] == x[0][0] && x[i][1] == x[0][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_point_of_an_ellipse),
        cmocka_unit_test(test_equations_without_a_solution_are_refused),
        cmocka_unit_test(test_functions_without_a_value_are_refused),
        cmocka_unit_test(test_iterations_are_bounded),
        cmocka_unit_test(test_nothing_is_printed_and_no_options_are_read),
        cmocka_unit_test(test_threads_find_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
