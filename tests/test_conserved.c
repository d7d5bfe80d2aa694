/* What stays constant at tol 1e-13, to 1e-12: energy where nothing drives or damps, energy minus
 * work where something does, momenta about axes without a torque; and the constraints hold. */
#include "digits.h"

static const double TOL = 1e-13, SMALL = 1e-12;

/* ---- energy and constraints ---- */

typedef struct example {
    const char *name;
    double length; /* of the shortest rod */
} example;

static const example FREE[] = {
    {"bricard", 1.0},
    {"four-bar-1", 1.0},
    {"four-bar-2", 1.0},
    {"four-bar-40", 1.0},
    {"free-top", 1.0},
    {"heavy-top", 1.0},
    {"mechanism0", 2.0},
    {"pendulum", 1.0},
    {"pendulum-chain-2", 1.0},
    {"pendulum-chain-5", 1.0},
    {"pendulum-chain-10", 1.0},
    {"robot", 0.25},
    {"rscr", 0.6},
    {"slider-crank", 0.4},
    {"spatial-slider-crank", 0.08},
    {"spherical-pendulum", 0.08},
    {"spin-top", 1.0},
};

static const example FORCED[] = {
    {"andrews", 0.007},
    {"copy-machine", 1.0},
    {"five-link", 0.22},
    {"flyball-governor", 0.05},
    {"flyball-governor-stretched", 0.05},
    {"mcpherson", 0.1},
    {"mechanism0-torque", 2.0},
};

enum {
    FREES = sizeof FREE / sizeof *FREE,
    FORCEDS = sizeof FORCED / sizeof *FORCED,
    OTHERS = 1 /* pendulum-paper, a DAE, has no energy */
};

/* A constraint may be a difference of squares of lengths. */
static void require_residual(const solution *s, const example *e) {
    const double small = SMALL * fmin(1.0, e->length * e->length);
    const double residual = stats_of(s)->constraint_residual;
    if (!(residual < small)) {
        print_error("%s: residual %g, below %g wanted\n", e->name, residual, small);
        fail();
    }
}

/* Largest |energy - energy at the start| in the rows, over the largest kinetic energy. */
static double drift_of_column(const solution *s) {
    double largest = 0.0;
    for (long i = 0; i < rows_of(s); i++)
        largest = fmax(largest, fabs(value_of(s, i, "energy") - value_of(s, 0, "energy")));
    return largest / scale_of(s, "kinetic");
}

static void test_energy_stays_where_nothing_drives_or_damps(void **state) {
    (void)state;
    assert_int_equal(FREES + FORCEDS + OTHERS, MECHANISMS);
    const taut_run_options options = at_tolerance(TOL);
    for (int i = 0; i < FREES; i++) {
        solution *s = solve_example(FREE[i].name, &options);
        const double drift = stats_of(s)->energy_drift, column = drift_of_column(s);
        print_message("%s: energy %.1e (rows %.1e), residual %.1e\n", FREE[i].name, drift, column,
                      stats_of(s)->constraint_residual);
        assert_true(drift >= 0.0 && drift < SMALL);
        assert_true(column < SMALL);
        require_residual(s, &FREE[i]);
        solution_free(s);
    }
}

static void test_constraints_hold_and_no_drift_is_told_where_something_acts(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(TOL);
    for (int i = 0; i < FORCEDS; i++) {
        solution *s = solve_example(FORCED[i].name, &options);
        assert_true(isnan(stats_of(s)->energy_drift));
        require_residual(s, &FORCED[i]);
        solution_free(s);
    }
}

/* ---- quantities of a row ---- */

typedef struct vec {
    double x, y, z;
} vec;

static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double get(const solution *s, long row, const char *name, const char *part) {
    char column[16];
    snprintf(column, sizeof column, "%s%s", name, part);
    return value_of(s, row, column);
}

/* A point or vector, and its velocity. */
static vec at(const solution *s, long row, const char *name) {
    return (vec){get(s, row, name, "x"), get(s, row, name, "y"), get(s, row, name, "z")};
}
static vec rate(const solution *s, long row, const char *name) {
    return (vec){get(s, row, name, "x'"), get(s, row, name, "y'"), get(s, row, name, "z'")};
}
static vec at_plane(const solution *s, long row, const char *name) {
    return (vec){get(s, row, name, "x"), get(s, row, name, "y"), 0.0};
}
static vec rate_plane(const solution *s, long row, const char *name) {
    return (vec){get(s, row, name, "x'"), get(s, row, name, "y'"), 0.0};
}

typedef double (*quantity)(const solution *s, long row);

/* Requires that f has in every row the value of the first one, relative to `size`, or to |f|. */
static void must_stay(const solution *s, quantity f, double size, const char *what) {
    const double first = f(s, 0);
    double largest = 0.0, scale = size > 0.0 ? size : fabs(first);
    for (long i = 0; i < rows_of(s); i++) largest = fmax(largest, fabs(f(s, i) - first));
    print_message("%s: %.1e\n", what, largest / scale);
    assert_true(largest < SMALL * scale);
}

/* ---- momenta ---- */

/* Angular velocity of the frame (a, b, c = a x b) along a, b, c. */
static vec spin_of(vec a, vec b, vec a1, vec b1) {
    const vec c = cross(a, b);
    return (vec){dot(b1, c), -dot(a1, c), dot(a1, b)};
}

/* World components of the angular momentum of a body with moments I along a, b, a x b. */
static vec momentum(vec a, vec b, vec omega, vec I) {
    const vec c = cross(a, b);
    const double ha = I.x * omega.x, hb = I.y * omega.y, hc = I.z * omega.z;
    return (vec){ha * a.x + hb * b.x + hc * c.x, ha * a.y + hb * b.y + hc * c.y,
                 ha * a.z + hb * b.z + hc * c.z};
}

static vec free_top_momentum(const solution *s, long row) {
    const vec u = at(s, row, "u"), v = at(s, row, "v");
    const vec omega = spin_of(u, v, rate(s, row, "u"), rate(s, row, "v"));
    return momentum(u, v, omega, (vec){1.0, 2.0, 3.0});
}
static double free_top_x(const solution *s, long row) { return free_top_momentum(s, row).x; }
static double free_top_y(const solution *s, long row) { return free_top_momentum(s, row).y; }
static double free_top_z(const solution *s, long row) { return free_top_momentum(s, row).z; }

static void test_free_top_keeps_its_angular_momentum(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(TOL);
    solution *s = solve_example("free-top", &options);
    const double size = sqrt(0.1 * 0.1 + 4.0 * 4.0 + 0.3 * 0.3);
    assert_near(free_top_x(s, 0), 0.1, 1e-14, 0.0);
    assert_near(free_top_y(s, 0), 4.0, 1e-14, 0.0);
    assert_near(free_top_z(s, 0), 0.3, 1e-14, 0.0);
    must_stay(s, free_top_x, size, "free-top, x");
    must_stay(s, free_top_y, size, "free-top, y");
    must_stay(s, free_top_z, size, "free-top, z");
    solution_free(s);
}

static double spherical_z(const solution *s, long row) {
    return cross(at(s, row, "A"), rate(s, row, "A")).z;
}

static void test_spherical_pendulum_keeps_its_momentum_about_z(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(TOL);
    solution *s = solve_example("spherical-pendulum", &options);
    must_stay(s, spherical_z, 0.0, "spherical-pendulum, about z");
    solution_free(s);
}

static vec heavy_spin(const solution *s, long row) {
    return spin_of(at(s, row, "a"), at(s, row, "b"), rate(s, row, "a"), rate(s, row, "b"));
}
static double heavy_axis(const solution *s, long row) { return heavy_spin(s, row).x; }
static double heavy_z(const solution *s, long row) {
    return momentum(at(s, row, "a"), at(s, row, "b"), heavy_spin(s, row), (vec){0.04, 0.12, 0.12})
        .z;
}

static void test_heavy_top_keeps_its_momenta_about_z_and_its_axis(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(TOL);
    solution *s = solve_example("heavy-top", &options);
    assert_near(heavy_axis(s, 0), 40.0, 1e-12, 0.0);
    must_stay(s, heavy_axis, 0.0, "heavy-top, spin");
    must_stay(s, heavy_z, 0.0, "heavy-top, about z");
    solution_free(s);
}

/* The axis from the tip T to C is a unit vector. */
static vec spin_top_spin(const solution *s, long row) {
    return spin_of(minus(at(s, row, "C"), at(s, row, "T")), at(s, row, "u"),
                   minus(rate(s, row, "C"), rate(s, row, "T")), rate(s, row, "u"));
}
static double spin_top_axis(const solution *s, long row) { return spin_top_spin(s, row).x; }
static double spin_top_z(const solution *s, long row) {
    const vec k = minus(at(s, row, "C"), at(s, row, "T"));
    const vec turn = momentum(k, at(s, row, "u"), spin_top_spin(s, row), (vec){30.0, 90.0, 90.0});
    return 30.0 * cross(at(s, row, "C"), rate(s, row, "C")).z + turn.z;
}

static void test_spin_top_keeps_its_momenta_about_z_and_its_axis(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(TOL);
    solution *s = solve_example("spin-top", &options);
    assert_near(spin_top_axis(s, 0), 0.3, 1e-14, 0.0);
    must_stay(s, spin_top_axis, 0.0, "spin-top, spin");
    must_stay(s, spin_top_z, 0.0, "spin-top, about z");
    solution_free(s);
}

/* The spring-dampers act in the plane of the shaft and the rods. J turns with the shaft. */
static double governor_momentum(const solution *s, long row, double J) {
    const double r = 0.05, m = 0.3, Ia = m * 2e-4 / 12.0, Ic = m * 1.0001 / 12.0;
    const double out = hypot(value_of(s, row, "Bx"), value_of(s, row, "By"));
    const double c = out - r, d = 1.0 - value_of(s, row, "Bz"), mid = r + c / 2.0;
    const double turn = 2.0 * (5.0 * out * out + m * mid * mid + Ia * d * d + Ic * c * c) + J;
    return turn * value_of(s, row, "theta'");
}
static double governor_z(const solution *s, long row) {
    return governor_momentum(s, row, 0.005005);
}
static double stretched_z(const solution *s, long row) { return governor_momentum(s, row, 5e-6); }

static void test_governors_keep_their_momentum_about_the_shaft(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(TOL);
    solution *s = solve_example("flyball-governor", &options);
    must_stay(s, governor_z, 0.0, "flyball-governor, about z");
    solution_free(s);
    s = solve_example("flyball-governor-stretched", &options);
    must_stay(s, stretched_z, 0.0, "flyball-governor-stretched, about z");
    solution_free(s);
}

/* ---- energy minus work ---- */

static double torque_balance(const solution *s, long row) {
    return value_of(s, row, "energy") - 1.0 * value_of(s, row, "thetaOA");
}
static double motor_balance(const solution *s, long row) {
    return value_of(s, row, "energy") - 0.033 * value_of(s, row, "beta");
}

static void test_energy_is_the_work_of_constant_torques(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(TOL);
    solution *s = solve_example("mechanism0-torque", &options);
    must_stay(s, torque_balance, scale_of(s, "kinetic"), "mechanism0-torque, E - W");
    solution_free(s);
    s = solve_example("andrews", &options);
    must_stay(s, motor_balance, scale_of(s, "kinetic"), "andrews, E - W");
    solution_free(s);
}

enum { NODES = 12, MOST_INTERVALS = 400 };

/* Gauss-Legendre nodes in (-1, 1) and weights, by Newton's method. */
static void gauss(double *node, double *weight) {
    for (int i = 0; i < NODES; i++) {
        double x = -cos(M_PI * (i + 0.75) / (NODES + 0.5)), slope = 1.0;
        for (int k = 0; k < 20; k++) {
            double p = 1.0, before = 0.0;
            for (int n = 1; n <= NODES; n++) {
                const double next = ((2 * n - 1) * x * p - (n - 1) * before) / n;
                before = p;
                p = next;
            }
            slope = NODES * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        node[i] = x;
        weight[i] = 2.0 / ((1.0 - x * x) * slope * slope);
    }
}

/* E(end) - E(0) is the integral of `power` over intervals that grow from `first` to tend/200;
 * relative to the larger of the largest kinetic energy and the work done or lost. */
static void must_balance(const char *name, quantity power, double first) {
    static double times[MOST_INTERVALS * NODES + 2], factor[MOST_INTERVALS * NODES + 2];
    double node[NODES], weight[NODES];
    const double tend = mechanism_of(name)->tend;
    int rows = 1, intervals = 0;
    gauss(node, weight);
    for (double a = 0.0, b; a < tend; a = b, intervals++) {
        assert_true(intervals < MOST_INTERVALS);
        b = fmin(a + fmin(first + 0.3 * a, tend / 200.0), tend);
        if (tend - b < 1e-9 * tend) b = tend;
        for (int i = 0; i < NODES; i++, rows++) {
            times[rows] = (a + b) / 2.0 + (b - a) / 2.0 * node[i];
            factor[rows] = (b - a) / 2.0 * weight[i];
        }
    }
    times[0] = 0.0;
    times[rows++] = tend;
    taut_run_options options = at_tolerance(TOL);
    options.at = times;
    options.ats = rows;
    solution *s = solve_example(name, &options);
    double work = 0.0, total = 0.0;
    for (int i = 1; i < rows - 1; i++) {
        work += factor[i] * power(s, i);
        total += factor[i] * fabs(power(s, i));
    }
    const double gain = last_of(s, "energy") - value_of(s, 0, "energy");
    const double scale = fmax(scale_of(s, "kinetic"), total);
    print_message("%s, E - W: %.1e (energy %.6g, work %.6g)\n", name, fabs(gain - work) / scale,
                  gain, work);
    assert_true(fabs(gain - work) < SMALL * scale);
    solution_free(s);
}

static double copy_machine_power(const solution *s, long row) {
    const double v = value_of(s, row, "Cy'");
    return -50.0 * v * v;
}

/* d|b - a|/dt */
static double stretching(vec d, vec d1) { return dot(d, d1) / sqrt(dot(d, d)); }

static double governor_power(const solution *s, long row) {
    const double v = stretching(minus(at(s, row, "M1"), at(s, row, "F")),
                                minus(rate(s, row, "M1"), rate(s, row, "F")));
    return -2.0 * 4e4 * v * v;
}

/* A spring to a point G that moves as prescribed adds -f.G', the full damper takes c (U' - G').U'.
 */
static double mcpherson_power(const solution *s, long row) {
    const double w = 2.0 * M_PI / 0.2, t = value_of(s, row, "t");
    const vec g = {0.45, 4e-3 * sin(w * t), 0.0}, g1 = {0.0, 4e-3 * w * cos(w * t), 0.0};
    const vec u1 = rate_plane(s, row, "U"), d = minus(at_plane(s, row, "U"), g);
    const double strut = stretching(minus(at_plane(s, row, "Q"), at_plane(s, row, "P")),
                                    minus(rate_plane(s, row, "Q"), rate_plane(s, row, "P")));
    const double length = sqrt(dot(d, d));
    return -6e3 * strut * strut - 1e4 * dot(minus(u1, g1), u1) -
           4e5 * (length - 0.3) / length * dot(d, g1);
}

static double five_link_power(const solution *s, long row) {
    const double w = 2.0 * M_PI / 0.2, t = value_of(s, row, "t");
    const vec road = {0.0, 0.768, -0.30 + 0.03 * sin(w * t)},
              lift = {0.0, 0.0, 0.03 * w * cos(w * t)};
    const vec d = minus(at(s, row, "B"), road), top = {0.107, 0.56075, 0.763};
    const double strut = stretching(minus(at(s, row, "P6"), top), rate(s, row, "P6"));
    const double length = sqrt(dot(d, d));
    return -1400.0 * strut * strut - 2e6 * (length - 0.30) / length * dot(d, lift);
}

static void test_energy_is_the_work_of_dampers_and_roads(void **state) {
    (void)state;
    must_balance("copy-machine", copy_machine_power, 1e-3);
    must_balance("mcpherson", mcpherson_power, 1e-3);
    must_balance("five-link", five_link_power, 1e-3);
    must_balance("flyball-governor", governor_power, 2e-6);
    must_balance("flyball-governor-stretched", governor_power, 2e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_stays_where_nothing_drives_or_damps),
        cmocka_unit_test(test_constraints_hold_and_no_drift_is_told_where_something_acts),
        cmocka_unit_test(test_free_top_keeps_its_angular_momentum),
        cmocka_unit_test(test_spherical_pendulum_keeps_its_momentum_about_z),
        cmocka_unit_test(test_heavy_top_keeps_its_momenta_about_z_and_its_axis),
        cmocka_unit_test(test_spin_top_keeps_its_momenta_about_z_and_its_axis),
        cmocka_unit_test(test_governors_keep_their_momentum_about_the_shaft),
        cmocka_unit_test(test_energy_is_the_work_of_constant_torques),
        cmocka_unit_test(test_energy_is_the_work_of_dampers_and_roads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
