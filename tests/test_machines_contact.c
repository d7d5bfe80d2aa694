/* Examples with stops, friction, locks, joints that let go and a road by a table, against closed
 * forms and an integration of our own. */
#include "digits.h"

static solution *solve_at(const char *name, const double *at, int ats, double tend) {
    char path[128];
    taut_run_options options = at_tolerance(1e-12);
    options.at = at;
    options.ats = ats;
    options.has_tend = tend > 0.0;
    options.tend = tend;
    snprintf(path, sizeof path, "examples/%s.yaml", name);
    return solve_file(path, &options);
}

/* The k-th event of an element of this kind. */
static double event_time(const solution *s, const char *name, const char *kind, int k) {
    const taut_notes *notes = taut_result_notes(s->result);
    for (int i = 0; i < notes->events; i++) {
        const taut_happened *e = &notes->event[i];
        if (strcmp(e->name, name) == 0 && strcmp(e->kind, kind) == 0 && k-- == 0) return e->t;
    }
    print_error("there is no event %s of kind %s\n", name, kind);
    fail();
    return 0.0;
}

/* Up the slope and down again, or held. */
static void test_block_on_a_slope(void **state) {
    (void)state;
    const double a = 25.0 * M_PI / 180.0, g = 9.81, v = 4.0;
    for (int k = 0; k < 2; k++) {
        const double mu = k == 0 ? 0.3 : 0.6;
        const taut_override set = {"mu", k == 0 ? "0.3" : "0.6"};
        const taut_run_options options = at_tolerance(1e-12);
        solution *s = solve_with("examples/contact/incline.yaml", &set, 1, &options);
        const double up = g * (sin(a) + mu * cos(a)), down = g * (sin(a) - mu * cos(a)),
                     stop = v / up;
        assert_near(event_time(s, "rub", k == 0 ? "slip" : "stick", 0), stop, 1e-12, 0.0);
        for (long row = 0; row < rows_of(s); row++) {
            const double t = value_of(s, row, "t"), back = k == 0 ? fmax(t - stop, 0.0) : 0.0;
            const double way = v * fmin(t, stop) - up * pow(fmin(t, stop), 2.0) / 2.0;
            assert_near(value_of(s, row, "s"), way - down * back * back / 2.0, 1e-11, 0.0);
        }
        solution_free(s);
    }
}

/* At its stop the first rod turns back with 0.4 of its speed; the second one feels no torque. */
static void test_pendulum_at_its_stop(void **state) {
    (void)state;
    solution *first = solve_at("contact/pendulum-stop", NULL, 0, 0.0);
    const double hit = event_time(first, "phi", "impact", 0), before = hit - 1e-9;
    const double at[] = {before, hit};
    solution *s = solve_at("contact/pendulum-stop", at, 2, 0.0);
    const double psi = value_of(s, 1, "psi"), m = 1.0, L = 0.5;
    const double M22 = m * L * L / 3.0, M21 = M22 + m * L * L / 2.0 * cos(psi);
    const double jump[] = {value_of(s, 1, "phi'") - value_of(s, 0, "phi'"),
                           value_of(s, 1, "psi'") - value_of(s, 0, "psi'")};
    assert_near(value_of(s, 1, "phi"), -100.0 * M_PI / 180.0, 1e-12, 0.0);
    assert_near(value_of(s, 1, "phi'"), -0.4 * value_of(s, 0, "phi'"), 1e-6, 0.0);
    assert_near(M21 * jump[0] + M22 * jump[1], 0.0, 1e-7, 0.0);
    assert_true(fabs(jump[0]) > 1.0);
    solution_free(first);
    solution_free(s);
}

/* In a slot the wheel points to the pin; four passages turn it once, clockwise. */
static void test_geneva_wheel_follows_its_pin(void **state) {
    (void)state;
    solution *s = solve_at("contact/geneva", NULL, 0, 0.0);
    const double turn = M_PI / 2.0, begin = -130.0 * M_PI / 180.0, c = sqrt(2.0);
    int inside = 0;
    for (long row = 0; row < rows_of(s); row++) {
        const double a = begin + 2.0 * value_of(s, row, "t");
        const double x = cos(a) - c, y = sin(a);
        const double passed =
            floor((a + M_PI) / (2.0 * M_PI)); /* the pin is nearest at 0, 2 pi ... */
        const double near = remainder(a, 2.0 * M_PI);
        double want = 0.75 * M_PI - turn * (passed + (near > M_PI / 4.0));
        if (fabs(near) < M_PI / 4.0) {
            inside++;
            want = 0.75 * M_PI - turn * passed - (M_PI / 4.0 + atan2(y, -x));
        }
        assert_near(value_of(s, row, "b"), want, 1e-9, 0.0);
    }
    assert_true(inside > 200);
    solution_free(s);
}

/* Let go at 45 degrees; from there on a parabola. */
static void test_stone_of_the_trebuchet(void **state) {
    (void)state;
    solution *first = solve_at("contact/trebuchet", NULL, 0, 0.0);
    const double off = event_time(first, "release", "break", 0), at[] = {off, off + 1.0, off + 3.5};
    solution *s = solve_at("contact/trebuchet", at, 3, 0.0);
    const double vx = value_of(s, 0, "Tx'"), vy = value_of(s, 0, "Ty'");
    assert_near(vx, vy, 1e-8, 0.0);
    assert_true(vx > 20.0);
    for (int row = 1; row < 3; row++) {
        const double t = at[row] - off;
        assert_near(value_of(s, row, "Tx"), value_of(s, 0, "Tx") + vx * t, 1e-9, 0.0);
        assert_near(value_of(s, row, "Ty"), value_of(s, 0, "Ty") + vy * t - 9.81 * t * t / 2.0,
                    1e-9, 0.0);
    }
    /* while the sling holds, energy stays */
    for (long row = 0; row < rows_of(first) && value_of(first, row, "t") < off; row++)
        if (value_of(first, row, "t") > 0.42) {
            assert_near(value_of(first, row, "energy"),
                        value_of(first, rows_of(first) - 1, "energy"), 1e-6, 0.0);
        }
    solution_free(first);
    solution_free(s);
}

/* ---- a quarter of a car, by Runge and Kutta in small steps on the road as the file has it ---- */

typedef struct road {
    double z[2000];
    int samples;
} road;

static double height_of(const road *r, double x) {
    const int i = (int)(x / 0.1) < r->samples - 2 ? (int)(x / 0.1) : r->samples - 2;
    return r->z[i] + (r->z[i + 1] - r->z[i]) * (x / 0.1 - i);
}

static double damper_force(double v) {
    static const double at[] = {-1, -0.2, 0, 0.2, 1}, force[] = {-2200, -700, 0, 300, 900};
    int i = 0;
    while (i < 3 && v > at[i + 1]) i++;
    return force[i] + (force[i + 1] - force[i]) * (v - at[i]) / (at[i + 1] - at[i]);
}

static void find_rates(const road *r, double t, const double y[4], double rate[4]) {
    const double spring = 22e3 * (y[0] - y[1]), damper = damper_force(y[2] - y[3]);
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = -(spring + damper) / 320.0;
    rate[3] = (spring + damper - 190e3 * (y[1] - height_of(r, 12.0 * t))) / 38.0;
}

static void runge_kutta(const road *r, double t, double h, double y[4]) {
    static const double weight[] = {1, 2, 2, 1}, ahead[] = {0, 0.5, 0.5, 1};
    double sum[4] = {0}, k[4] = {0};
    for (int stage = 0; stage < 4; stage++) {
        double at[4];
        for (int i = 0; i < 4; i++) at[i] = y[i] + ahead[stage] * h * k[i];
        find_rates(r, t + ahead[stage] * h, at, k);
        for (int i = 0; i < 4; i++) sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < 4; i++) y[i] += h / 6.0 * sum[i];
}

static void test_car_on_a_measured_road(void **state) {
    (void)state;
    enum { PER_SECOND = 12000 }; /* each sample of the road at the end of a step */
    solution *s = solve_at("quarter-car", NULL, 0, 4.0);
    road r = {.samples = 0};
    char *text = text_of_file("examples/road.csv");
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (line[0] != '#' && line[0] != 'x') r.z[r.samples++] = atof(strchr(line, ',') + 1);
    double y[4] = {0}, worst = 0.0, largest = 0.0;
    long row = 1;
    for (int k = 0; k < 4 * PER_SECOND; k++) {
        runge_kutta(&r, (double)k / PER_SECOND, 1.0 / PER_SECOND, y);
        if ((k + 1) % (4 * PER_SECOND / 1000) != 0) continue;
        worst = fmax(worst, fabs(value_of(s, row, "b") - y[0]));
        worst = fmax(worst, fabs(value_of(s, row++, "w") - y[1]));
        largest = fmax(largest, fabs(y[0]));
    }
    print_message("road: off by %.2g of %.2g m\n", worst, largest);
    assert_true(worst < 1e-4 && largest > 5e-3); /* the fit may be off by 0.02 mm */
    free(text);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_a_slope),
        cmocka_unit_test(test_pendulum_at_its_stop),
        cmocka_unit_test(test_geneva_wheel_follows_its_pin),
        cmocka_unit_test(test_stone_of_the_trebuchet),
        cmocka_unit_test(test_car_on_a_measured_road),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
