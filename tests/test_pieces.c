/* Tests of core/pieces: functions through samples against closed forms, their joints, and how far a
 * fit is from what it fits. */
#include "check.h"

#include <math.h>

#include "core/pieces.h"

enum { MOST = 1200 };

typedef double function(double x);

static double cubic(double x) { return 2.0 - x + 0.5 * x * x - 0.25 * x * x * x; }
static double wave(double x) { return sin(x) + 0.2 * cos(3.0 * x); }
static double circle(double x) { return sin(2.0 * acos(-1.0) * x); }

/* Pieces through so many samples of f on [a, b]; every second interval is longer by `uneven`. */
typedef struct made {
    taut_arena arena;
    double x[MOST], y[MOST];
    taut_pieces p;
} made;

static made *make(function *f, double a, double b, int count, double uneven, taut_between between,
                  double tolerance, bool periodic) {
    made *m = taut_new(sizeof *m);
    for (int i = 0; i < count; i++) {
        const double shift = i % 2 && i < count - 1 ? uneven : 0.0;
        m->x[i] = a + (b - a) * (i + shift) / (count - 1);
        m->y[i] = f(m->x[i]);
    }
    if (periodic) m->y[count - 1] = m->y[0];
    const taut_samples s = {m->x, m->y, count, periodic};
    assert_int_equal(taut_pieces_create(&s, between, tolerance, &m->arena, &m->p), TAUT_OK);
    return m;
}

static void drop(made *m) {
    taut_arena_release(&m->arena);
    taut_release((void **)&m);
}

static double at(const taut_pieces *p, int order, double x) {
    return taut_pieces_value(p, taut_pieces_find(p, x), order, x);
}

/* How far pieces are from the wave between 0 and `end`, also between samples. */
static double distance(const taut_pieces *p, double end) {
    double worst = 0.0;
    for (int i = 0; i <= 3413; i++) {
        const double x = end * i / 3413;
        worst = fmax(worst, fabs(at(p, 0, x) - wave(x)));
    }
    return worst;
}

/* The largest jump of a derivative at a joint. */
static double largest_jump(const taut_pieces *p, int order) {
    double most = 0.0;
    for (int k = 1; k < p->count; k++)
        most = fmax(most, fabs(taut_pieces_value(p, k, order, p->knot[k]) -
                               taut_pieces_value(p, k - 1, order, p->knot[k])));
    return most;
}

static void test_samples_are_met(void **state) {
    (void)state;
    for (int between = 0; between < 3; between++) {
        made *m = make(wave, -1.0, 4.0, 23, 0.3, (taut_between)between, 0.0, false);
        assert_int_equal(m->p.count,
                         between == TAUT_BETWEEN_SPLINE ? 20 : 22); /* no jumps next to its ends */
        for (int i = 0; i < 23; i++) assert_near(at(&m->p, 0, m->x[i]), m->y[i], 1e-14, 0.0);
        for (int order = 0; order <= between; order++)
            assert_near(largest_jump(&m->p, order), 0.0, 1e-12, 0.0);
        assert_true(largest_jump(&m->p, between + 1) > 1e-4); /* that it is not smoother */
        drop(m);
    }
}

/* A spline without jumps next to its ends reproduces every cubic; and there is one piece then. */
static void test_splines_reproduce_cubics(void **state) {
    (void)state;
    for (int count = 4; count < 12; count++) {
        made *m = make(cubic, -1.0, 2.0, count, 0.4, TAUT_BETWEEN_SPLINE, 0.0, false);
        for (int i = 0; i <= 60; i++)
            assert_near(at(&m->p, 0, 0.05 * i - 1.0), cubic(0.05 * i - 1.0), 1e-13, 0.0);
        drop(m);
    }
    made *m = make(cubic, -1.0, 2.0, 4, 0.0, TAUT_BETWEEN_SPLINE, 0.0, false);
    assert_int_equal(m->p.count, 1);
    drop(m);
}

static double line(double x) { return 3.0 - 2.0 * x; }

static void test_knots_without_corner_are_none(void **state) {
    (void)state;
    made *m = make(line, 0.0, 1.0, 11, 0.0, TAUT_BETWEEN_LINEAR, 0.0, false);
    assert_int_equal(m->p.count, 1);
    assert_near(at(&m->p, 0, 0.77), line(0.77), 3e-14, 0.0);
    drop(m);
}

static void test_splines_converge(void **state) {
    (void)state;
    double before = 0.0;
    for (int count = 21; count <= 81; count = 2 * count - 1) {
        made *m = make(wave, 0.0, 3.0, count, 0.0, TAUT_BETWEEN_SPLINE, 0.0, false);
        const double worst = distance(&m->p, 3.0);
        if (before > 0.0) assert_true(worst < before / 11.0); /* of order 4 */
        before = worst;
        drop(m);
    }
}

static void test_pchip_keeps_the_shape(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 0, 0.1, 5, 5.1, 5.1, 4};
    const taut_samples s = {x, y, 7, false};
    taut_arena arena = {0};
    taut_pieces p;
    assert_int_equal(taut_pieces_create(&s, TAUT_BETWEEN_PCHIP, 0.0, &arena, &p), TAUT_OK);
    for (int i = 0; i < 600; i++) {
        const double u = 0.01 * i, v = at(&p, 0, u);
        assert_true(v >= -1e-14 && v <= 5.1 + 1e-14);
        if (u < 4.0) assert_true(at(&p, 1, u) >= -1e-13);
    }
    /* an inner slope: the harmonic mean of the secants 0.1 and 4.9, weighted */
    assert_near(at(&p, 1, 2.0), 6.0 / (3.0 / 0.1 + 3.0 / 4.9), 1e-14, 0.0);
    taut_arena_release(&arena);
}

static void test_periods_join(void **state) {
    (void)state;
    static const taut_between kind[] = {TAUT_BETWEEN_PCHIP, TAUT_BETWEEN_SPLINE, TAUT_BETWEEN_FIT};
    for (int count = 3; count <= 40; count++)
        for (int k = 0; k < 3; k++) {
            made *m = make(circle, 0.0, 1.0, count, 0.2, kind[k], 1e-5, true);
            const taut_pieces *p = &m->p;
            for (int order = 0; order <= (k == 0 ? 1 : 2); order++) {
                const double first = taut_pieces_value(p, 0, order, 0.0),
                             last = taut_pieces_value(p, p->count - 1, order, 1.0);
                assert_near(first, last, 1e-9, 1e-9);
            }
            if (count > 30 && k > 0) assert_near(at(p, 0, 0.01), circle(0.01), 1e-4, 0.0);
            drop(m);
        }
    made *two = make(circle, 0.0, 1.0, 2, 0.0, TAUT_BETWEEN_SPLINE, 0.0, true);
    assert_near(at(&two->p, 0, 0.5), 0.0, 1e-14, 0.0);
    drop(two);
}

/* A fit is as close as it says, also between samples, has few pieces and two derivatives. */
static void test_fits_are_close_and_few(void **state) {
    (void)state;
    static const struct {
        double tolerance;
        int most;
    } want[] = {{1e-3, 18}, {1e-6, 45}, {1e-8, 90}};
    for (int i = 0; i < 3; i++) {
        made *m = make(wave, 0.0, 40.0, 1000, 0.0, TAUT_BETWEEN_FIT, want[i].tolerance, false);
        const double worst = distance(&m->p, 40.0);
        assert_true(worst <= want[i].tolerance);
        if (m->p.count > want[i].most) fail_msg("%d pieces at %g", m->p.count, want[i].tolerance);
        for (int order = 0; order < 3; order++)
            assert_near(largest_jump(&m->p, order), 0.0, 1e-10, 0.0);
        drop(m);
    }
}

/* Samples that are rounded to a twentieth of the tolerance do not make a piece of each interval. */
static double rounded(double x) { return nearbyint(2e5 * wave(x)) / 2e5; }

static void test_fits_smooth_noise(void **state) {
    (void)state;
    made *m = make(rounded, 0.0, 40.0, 1000, 0.0, TAUT_BETWEEN_FIT, 1e-4, false);
    const double worst = distance(&m->p, 40.0);
    assert_true(worst <= 1e-4);
    if (m->p.count > 60) fail_msg("%d pieces", m->p.count);
    drop(m);
}

/* Whatever is fitted, it is met: a staircase, a spike, uneven samples. */
static double spike(double x) { return fabs(x - 0.5) < 0.004 ? 1.0 : 0.0; }
static double stairs(double x) { return floor(5.0 * x); }

static void test_fits_of_rough_samples_meet_them(void **state) {
    (void)state;
    function *const rough[] = {spike, stairs, wave};
    for (int i = 0; i < 3; i++) {
        made *m = make(rough[i], 0.0, 1.0, 251, i == 2 ? 0.95 : 0.0, TAUT_BETWEEN_FIT, 1e-4, false);
        for (int k = 0; k < 251; k++) assert_near(at(&m->p, 0, m->x[k]), m->y[k], 1e-4, 0.0);
        drop(m);
    }
    for (int count = 2; count < 12; count++) {
        made *m = make(wave, 0.0, 2.0, count, 0.0, TAUT_BETWEEN_FIT, 1e-3, false);
        for (int k = 0; k < count; k++) assert_near(at(&m->p, 0, m->x[k]), m->y[k], 1e-3, 0.0);
        drop(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_are_met),
        cmocka_unit_test(test_splines_reproduce_cubics),
        cmocka_unit_test(test_knots_without_corner_are_none),
        cmocka_unit_test(test_splines_converge),
        cmocka_unit_test(test_pchip_keeps_the_shape),
        cmocka_unit_test(test_periods_join),
        cmocka_unit_test(test_fits_are_close_and_few),
        cmocka_unit_test(test_fits_smooth_noise),
        cmocka_unit_test(test_fits_of_rough_samples_meet_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
