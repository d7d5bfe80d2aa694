/* The examples that show joints by name, against closed forms and an independent Lagrangian. */
#include "digits.h"

static solution *solve(const char *name) {
    const taut_run_options options = at_tolerance(1e-13);
    return solve_example(name, &options);
}

/* The follower is at R + h sin^2(phi), and the shaft's power is what its energy gains. */
static void test_cam_lifts_by_its_curve(void **state) {
    (void)state;
    solution *s = solve("cam");
    const double R = 0.04, h = 0.012, m = 0.3, k = 800.0, w = 20.0;
    for (long i = 0; i < rows_of(s); i++) {
        const double p = w * value_of(s, i, "t");
        const double lift = R + h * pow(sin(p), 2.0), rate = h * sin(2.0 * p) * w;
        const double force = m * 2.0 * h * cos(2.0 * p) * w * w + m * 9.81 - k * (0.03 - lift);
        assert_near(value_of(s, i, "phi"), p, 1e-12, 0.0);
        assert_near(value_of(s, i, "lift"), lift, 1e-12, 0.0);
        assert_near(value_of(s, i, "lift'"), rate, 1e-11, 0.0);
        assert_near(value_of(s, i, "force_phi"), force * rate / w, 1e-10, 0.0);
    }
    solution_free(s);
}

/* Feed and angle are one coordinate, on a spring. */
static void test_screw_press_is_an_oscillator(void **state) {
    (void)state;
    solution *s = solve("screw-press");
    const double turn = 2.0 * M_PI / 0.12, M = 40.0 * turn * turn + 550.0, k = 6e7;
    const double w = sqrt(k / M), sag = -550.0 * 9.81 / k;
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        const double q = sag * (1.0 - cos(w * t)) - 0.36 / w * sin(w * t);
        assert_near(value_of(s, i, "feed"), q, 1e-12, 0.0);
        assert_near(value_of(s, i, "phi"), turn * q, 1e-10, 0.0);
        assert_near(value_of(s, i, "Tz"), 0.3 + q, 1e-12, 0.0);
    }
    assert_int_equal(stats_of(s)->mobility, 1);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    solution_free(s);
}

/* Willis: the sun turns 1 + zr/zs times as fast as the arm, the planet 1 - zr/zp times. */
static void test_epicyclic_train_obeys_willis(void **state) {
    (void)state;
    solution *s = solve("epicyclic");
    const double sun = 1.0 + 52.0 / 20.0, planet = 1.0 - 52.0 / 16.0, a = 0.036, load = 0.8;
    const double J =
        5e-4 + 0.8 * a * a / 4.0 + 0.3 * a * a + 5e-5 * planet * planet + 1e-4 * sun * sun;
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), end = 0.3 * sun / load;
        const double w = end * (1.0 - exp(-load * t / J)), p = end * t - w * J / load;
        assert_near(value_of(s, i, "phi"), p, 1e-10, 0.0);
        assert_near(value_of(s, i, "phi'"), w, 1e-10, 0.0);
        assert_near(value_of(s, i, "psi"), sun * p, 1e-10, 0.0);
        assert_near(value_of(s, i, "planet_seen"), (planet - 1.0) * p, 1e-10, 0.0);
    }
    solution_free(s);
}

static void test_cardan_shaft_undoes_what_the_first_cross_does(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve("cardan-shaft"), *m = solve_second("cardan-shaft", &options);
    assert_int_equal(rows_of(s), rows_of(m));
    double slowest = 1.0, fastest = 1.0;
    for (long i = 0; i < rows_of(s); i++) {
        const double ratio = value_of(s, i, "mid'") / value_of(s, i, "in'");
        slowest = fmin(slowest, ratio);
        fastest = fmax(fastest, ratio);
        assert_near(value_of(s, i, "in"), value_of(m, i, "p"), 1e-10, 0.0);
        assert_near(value_of(s, i, "in'"), value_of(m, i, "p'"), 1e-10, 0.0);
        assert_near(value_of(s, i, "mid'"), value_of(m, i, "rate"), 1e-10, 0.0);
        assert_near(value_of(s, i, "out"), value_of(s, i, "in"), 1e-11, 0.0);
    }
    assert_near(slowest, cos(0.4), 1e-3, 0.0);
    assert_near(fastest, 1.0 / cos(0.4), 1e-3, 0.0);
    solution_free(s);
    solution_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cam_lifts_by_its_curve),
        cmocka_unit_test(test_screw_press_is_an_oscillator),
        cmocka_unit_test(test_epicyclic_train_obeys_willis),
        cmocka_unit_test(test_cardan_shaft_undoes_what_the_first_cross_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
