/* Tables in formulas, against closed forms and against a computation that knows their knots. */
#include "solve_text.h"

#include <math.h>

#include "program.h"

static solution *run(const char *text, const char *solver, const double *at, int ats) {
    taut_run_options o = at_tolerance(1e-11);
    o.solver = solver;
    o.at = at;
    o.ats = ats;
    return solve_text(text, &o);
}

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    assert_true(column >= 0);
    return taut_result_value(s->result, row, column);
}

/* ---- functions of time ---- */

static void test_knots_in_time_are_exact(void **state) {
    (void)state;
    static const char text[] = "Tables: {f: {Points: [[0, 0], [1, 2], [2, 1], [3, 5]]}}\n"
                               "DAE: {Variables: [x, v], Equations: [x' - v, v' - f(t)]}\n"
                               "ProblemData: {tend: 3, values: {x: 0, v: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){0, 1, 2, 2.5, 3}, 5);
    assert_near(value(s, 1, "x"), 1.0 / 3.0, 0.0, 1e-15);
    assert_near(value(s, 2, "x"), 13.0 / 6.0, 0.0, 1e-15);
    assert_near(value(s, 2, "v"), 2.5, 0.0, 1e-15);
    assert_near(value(s, 3, "v"), 3.5, 0.0, 1e-15);
    assert_near(value(s, 4, "x"), 35.0 / 6.0, 0.0, 1e-15);
    assert_near(value(s, 4, "v'"), 5.0, 0.0, 1e-15); /* the end of the table is the run's */
    assert_int_equal(taut_result_stats(s->result)->steps, 3);
    solution_free(s);
}

/* The same backward: a knot belongs to the piece that lies ahead. */
static void test_time_may_run_backward(void **state) {
    (void)state;
    static const char text[] = "Tables: {f: {Points: [[0, 0], [1, 2], [2, 1], [3, 5]]}}\n"
                               "DAE: {Variables: [x], Equations: [x' - f(t)]}\n"
                               "ProblemData: {t0: 2, tend: 0, values: {x: 2.5}}\n";
    solution *s = run(text, "taylor", (const double[]){2, 1, 0}, 3);
    assert_near(value(s, 1, "x"), 1.0, 0.0, 1e-15);
    assert_near(value(s, 2, "x"), 0.0, 1e-15, 0.0);
    solution_free(s);
}

/* x' = f(t) beyond the ends of f, which goes from 1 at t = 1 to 3 at t = 2. */
static void test_outside_of_a_table(void **state) {
    (void)state;
    static const struct {
        const char *outside;
        double before, after; /* integrals over [0, 1] and [2, 3.5] */
    } want[] = {{"hold", 1.0, 4.5}, {"extend", 0.0, 4.5 + 2.25}};
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "Tables: {f: {Points: [[1, 1], [2, 3]], Outside: %s}}\n"
                 "DAE: {Variables: [x], Equations: [x' - f(t)]}\n"
                 "ProblemData: {tend: 3.5, values: {x: 0}}\n",
                 want[i].outside);
        solution *s = run(text, "taylor", (const double[]){1, 2, 3.5}, 3);
        assert_near(value(s, 0, "x"), want[i].before, 1e-15, 0.0);
        assert_near(value(s, 1, "x"), want[i].before + 2.0, 1e-15, 0.0);
        assert_near(value(s, 2, "x"), want[i].before + 2.0 + want[i].after, 4e-15, 0.0);
        solution_free(s);
    }
}

/* Of a spline the tangent goes on, not the cubic. */
static void test_splines_extend_straight(void **state) {
    (void)state;
    static const char text[] =
        "Tables: {f: {Points: [[0, 0], [1, 1], [2, 8], [3, 27]], Between: spline, Outside: "
        "extend}}\n"
        "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
        "ProblemData: {t0: -1, tend: 5, values: {x: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){-1, 1.5, 5}, 3);
    assert_near(value(s, 0, "x"), 0.0, 1e-14, 0.0); /* the slope of t^3 at 0 is 0 */
    assert_near(value(s, 1, "x"), 3.375, 1e-13, 0.0);
    assert_near(value(s, 2, "x"), 27.0 + 27.0 * 2.0, 1e-12, 0.0);
    solution_free(s);
}

/* A saw tooth with period 2 and mean 0.5, from before its samples on; and a spline that turns. */
static void test_periods_go_on(void **state) {
    (void)state;
    static const char text[] = "Tables:\n"
                               "  f: {Points: [[0, 0], [0.5, 1], [2, 0]], Outside: periodic}\n"
                               "DAE: {Variables: [x], Equations: [x' - f(t)]}\n"
                               "ProblemData: {t0: -4, tend: 200, values: {x: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){-4, 0, 0.5, 100, 200}, 5);
    assert_near(value(s, 1, "x"), 2.0, 1e-14, 0.0);
    assert_near(value(s, 2, "x"), 2.25, 1e-14, 0.0);
    assert_near(value(s, 3, "x"), 52.0, 1e-12, 0.0);
    assert_near(value(s, 4, "x"), 102.0, 1e-12, 0.0);
    solution_free(s);
}

/* ---- functions of positions ---- */

/* A spring with another stiffness on each side: half periods pi/sqrt(k). */
static const char BILINEAR[] = "Tables: {f: {Points: [[-2, -6], [0, 0], [2, 4]]}}\n"
                               "Lagrangian: {Coordinates: [x], L: x'^2/2, Forces: {x: -f(x)}}\n"
                               "ProblemData: {tend: 20, positions: {x: 0}, velocities: {x: 1}}\n";

static double bilinear(double t) {
    const double pi = acos(-1.0), up = pi / sqrt(2.0), down = pi / sqrt(3.0);
    t = fmod(t, up + down);
    return t < up ? sin(sqrt(2.0) * t) / sqrt(2.0) : -sin(sqrt(3.0) * (t - up)) / sqrt(3.0);
}

static void test_springs_of_two_stiffnesses(void **state) {
    (void)state;
    static const struct {
        const char *solver;
        double tolerance;
    } by[] = {{"taylor", 1e-12}, {"ho", 2e-10},   {"erk", 1e-8},
              {"bdf", 1e-6},     {"adams", 1e-6}, {"ida", 1e-6}};
    for (int i = 0; i < 6; i++) {
        solution *s = run(BILINEAR, by[i].solver, (const double[]){1, 7.3, 20}, 3);
        assert_near(value(s, 0, "x"), bilinear(1), by[i].tolerance, 0.0);
        assert_near(value(s, 1, "x"), bilinear(7.3), by[i].tolerance, 0.0);
        assert_near(value(s, 2, "x"), bilinear(20), by[i].tolerance, 0.0);
        solution_free(s);
    }
}

/* A turning point on a knot, a start at rest on a knot, and arguments that stay on one. */
static void test_knots_that_are_not_crossed(void **state) {
    (void)state;
    static const char turn[] = "Tables: {f: {Points: [[0, 0], [1, 1], [3, 7]]}}\n"
                               "DAE: {Variables: [x, y], Equations: [x - t*(2 - t), y' - f(x)]}\n"
                               "ProblemData: {tend: 2, values: {x: 0, y: 0}}\n";
    solution *s = run(turn, "taylor", (const double[]){2}, 1);
    assert_near(value(s, 0, "y"), 4.0 / 3.0, 1e-14, 0.0);
    solution_free(s);
    /* x begins at rest on the knot 1 and goes down: f is x there, although f' is 3 above */
    static const char rest[] = "Tables: {f: {Points: [[-9, -9], [1, 1], [3, 7]]}}\n"
                               "Lagrangian: {Coordinates: [x], L: x'^2/2, Forces: {x: -f(x)}}\n"
                               "ProblemData: {tend: 3, positions: {x: 1}, velocities: {x: 0}}\n";
    s = run(rest, "taylor", (const double[]){1, 3}, 2);
    assert_near(value(s, 0, "x"), cos(1.0), 1e-13, 0.0);
    assert_near(value(s, 1, "x"), cos(3.0), 1e-13, 0.0);
    solution_free(s);
    static const char still[] = "Tables: {f: {Points: [[-1, 1], [0, 0], [1, 1]]}}\n"
                                "Lagrangian: {Coordinates: [x, y], L: x'^2/2 + y'^2/2, Forces: "
                                "{x: -x, y: 2 - f(x)}}\n"
                                "ProblemData: {tend: 3, positions: {x: 0, y: 0}}\n";
    s = run(still, "taylor", (const double[]){3}, 1);
    assert_near(value(s, 0, "x"), 0.0, 0.0, 0.0);
    assert_near(value(s, 0, "y"), 9.0, 1e-13, 0.0);
    solution_free(s);
}

/* ---- a road under a quarter car ---- */

enum { SAMPLES = 1000 };
static const double SPEED = 10.0, LENGTH = 100.0;

static double road(double x) {
    const double turn = 2.0 * acos(-1.0);
    return 0.02 * sin(turn * x / 8.0) + 0.008 * sin(turn * x / 2.7 + 1.0);
}

static double sample_x(int i) { return LENGTH * i / (SAMPLES - 1); }

static void write_road(void) {
    FILE *file = fopen("road.csv", "w");
    assert_non_null(file);
    fprintf(file, "# x in m, z in m\nx,z\n");
    for (int i = 0; i < SAMPLES; i++)
        fprintf(file, "%.17g,%.17g\n", sample_x(i), road(sample_x(i)));
    fclose(file);
}

/* The car with the road as a formula, or as a table. */
static solution *drive(const char *tables, const char *formula, const double *at, int ats) {
    char text[900];
    taut_run_options o = at_tolerance(1e-12);
    snprintf(text, sizeof text,
             "PhysicalParams: {v: 10, m1: 40, m2: 300, k1: 2e5, k2: 2e4, c: 1500}\n"
             "%s\n"
             "Define: {r: \"%s\"}\n"
             "Lagrangian:\n"
             "  Coordinates: [z1, z2]\n"
             "  L: m1/2*z1'^2 + m2/2*z2'^2 - k1/2*(z1 - r)^2 - k2/2*(z2 - z1)^2\n"
             "  Dissipation: c/2*(z2' - z1')^2\n"
             "ProblemData: {tend: 9.5, positions: {z1: 0, z2: 0}, velocities: {z1: 0, z2: 0}}\n",
             tables, formula);
    o.at = at;
    o.ats = ats;
    program_write("car.yaml", text, -1);
    solution *s = try_file("car.yaml", &o);
    if (s->status != TAUT_OK) show_errors(&s->errors);
    assert_int_equal(s->status, TAUT_OK);
    return s;
}

/* The same car on straight lines from sample to sample, by the series of a linear system, which is
 * exact from knot to knot. y: z1, z2, z1', z2'. */
static void drive_on_lines(double tend, double y[4]) {
    const double m1 = 40, m2 = 300, k1 = 2e5, k2 = 2e4, c = 1500;
    double t = 0.0;
    for (int i = 0; t < tend; i++) {
        const double x0 = sample_x(i), x1 = sample_x(i + 1);
        const double end = fmin(tend, x1 / SPEED), h = end - t;
        const double slope = (road(x1) - road(x0)) / (x1 - x0) * SPEED;
        double term[4], sum[4], r = road(x0) + slope * (t - x0 / SPEED), rate = slope;
        for (int k = 0; k < 4; k++) sum[k] = term[k] = y[k];
        for (int n = 1; n < 40; n++) {
            const double spring = k2 * (term[1] - term[0]) + c * (term[3] - term[2]);
            const double next[4] = {term[2], term[3], (spring - k1 * (term[0] - r)) / m1,
                                    -spring / m2};
            for (int k = 0; k < 4; k++) sum[k] += term[k] = next[k] * h / n;
            r = n == 1 ? rate * h : 0.0; /* the road's own terms */
        }
        for (int k = 0; k < 4; k++) y[k] = sum[k];
        t = end;
    }
}

static void test_a_measured_road(void **state) {
    (void)state;
    static const double at[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 9.5};
    write_road();
    solution *formula = drive("", "0.02*sin(2*pi*v*t/8) + 0.008*sin(2*pi*v*t/2.7 + 1)", at, 10),
             *fit = drive("Tables: {road: {File: road.csv, Columns: [x, z], Between: {fit: 1e-6}}}",
                          "road(v*t)", at, 10),
             *lines =
                 drive("Tables: {road: {File: road.csv, Columns: [x, z]}}", "road(v*t)", at, 10);
    const long steps = taut_result_stats(formula->result)->steps;
    assert_true(taut_result_stats(fit->result)->steps <= 5 * steps);
    assert_in_range(taut_result_stats(lines->result)->steps, 940, 1200);
    for (int i = 0; i < 10; i++) {
        static const char *const name[] = {"z1", "z2", "z1'", "z2'"};
        double y[4] = {0};
        drive_on_lines(at[i], y);
        for (int k = 0; k < 4; k++) {
            assert_near(value(fit, i, name[k]), value(formula, i, name[k]), 1e-5, 0.0);
            assert_near(value(lines, i, name[k]), y[k], 1e-12, 1e-10);
        }
    }
    solution_free(formula);
    solution_free(fit);
    solution_free(lines);
}

/* ---- maps ---- */

static void test_maps_of_two_arguments(void **state) {
    (void)state;
    /* x*y is bilinear, so a coarse grid has it exactly; both arguments cross knots together */
    static const char product[] =
        "Tables:\n"
        "  f: {Points: [[0, 0, 0], [0, 1, 0], [0, 3, 0], [1, 0, 0], [1, 1, 1], [1, 3, 3],\n"
        "               [3, 0, 0], [3, 1, 3], [3, 3, 9]]}\n"
        "DAE: {Variables: [x], Equations: [\"x' - f(t, t)\"]}\n"
        "ProblemData: {tend: 3, values: {x: 0}}\n";
    solution *s = run(product, "taylor", (const double[]){0.5, 2, 3}, 3);
    assert_near(value(s, 0, "x"), 0.125 / 3.0, 1e-15, 0.0);
    assert_near(value(s, 1, "x"), 8.0 / 3.0, 1e-14, 0.0);
    assert_near(value(s, 2, "x"), 9.0, 1e-14, 0.0);
    solution_free(s);
}

/* A bicubic spline has every product of cubics, here on a grid of 5 x 4 in any order. */
static void test_splines_of_two_arguments(void **state) {
    (void)state;
    char text[4000];
    int used = snprintf(text, sizeof text, "Tables:\n  f:\n    Between: spline\n    Points:\n");
    for (int i = 19; i >= 0; i--) {
        const int row = i / 5;
        const double x = (i % 5) * 0.5 - 1.0, y = row;
        used += snprintf(text + used, sizeof text - (size_t)used, "      - [%.17g, %.17g, %.17g]\n",
                         x, y, (x * x * x - x + 2.0) * (1.0 + y - 0.5 * y * y * y));
    }
    snprintf(text + used, sizeof text - (size_t)used,
             "DAE: {Variables: [z], Equations: [\"z - f(sin(t), 1.5 + cos(2*t))\"]}\n"
             "ProblemData: {tend: 4, values: {z: 0}}\n");
    solution *s = run(text, "taylor", (const double[]){0, 0.7, 1.9, 3.1, 4}, 5);
    for (int i = 0; i < 5; i++) {
        const double t = taut_result_value(s->result, i, 0), x = sin(t), y = 1.5 + cos(2.0 * t);
        assert_near(value(s, i, "z"), (x * x * x - x + 2.0) * (1.0 + y - 0.5 * y * y * y), 1e-12,
                    0.0);
    }
    solution_free(s);
}

/* ---- numbers ---- */

/* Of a Discrete variable that jumps over pieces; of parameters, a number. */
static void test_arguments_that_jump(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {p: 2.5, k: f(p), a: g(1 mm)}\n"
        "Tables:\n"
        "  f: {Points: [[0, 0], [1, 10], [2, 0], [3, 40]]}\n"
        "  g: {Points: [[0 mm, 2], [2 mm, 4]]}\n"
        "Discrete: {d: 0.5}\n"
        "DAE: {Variables: [x, y, z], Equations: [x' - f(d), y - k, z - a]}\n"
        "Events: {now: {When: t - 1, Do: {d: 2.25}}, then: {When: t - 2, Do: {d: 0}}}\n"
        "ProblemData: {tend: 3, values: {x: 0, y: 0, z: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){1, 2, 3}, 3);
    assert_near(value(s, 0, "x"), 5.0, 1e-14, 0.0);
    assert_near(value(s, 1, "x"), 15.0, 1e-14, 0.0);
    assert_near(value(s, 2, "x"), 15.0, 1e-14, 0.0);
    assert_near(value(s, 0, "y"), 20.0, 1e-14, 0.0);
    assert_near(value(s, 0, "z"), 3.0, 1e-14, 0.0);
    solution_free(s);
}

/* Another value of a parameter in a table is another number, also in a run from the same program.
 */
static void test_parameters_may_be_set(void **state) {
    (void)state;
    taut_model *model = read_text("PhysicalParams: {p: 1, k: f(p)}\n"
                                  "Tables: {f: {Points: [[0, 0], [1, 10], [2, 0]]}}\n"
                                  "DAE: {Variables: [x], Equations: [x' - k]}\n"
                                  "ProblemData: {tend: 1, values: {x: 0}}\n");
    taut_run_options o = at_tolerance(1e-10);
    taut_simulation *s = NULL;
    assert_int_equal(taut_simulation_create(model, &o, &s, NULL), TAUT_OK);
    for (int i = 0; i < 4; i++) {
        const double p = 0.5 * i, want = p <= 1.0 ? 10.0 * p : 20.0 - 10.0 * p;
        assert_int_equal(taut_simulation_set_parameter(s, "p", p, NULL), TAUT_OK);
        assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
        assert_int_equal(taut_simulation_run_to(s, 1.0, NULL), TAUT_OK);
        assert_near(taut_simulation_value(s, "x", 1.0), want, 1e-13, 0.0);
    }
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- constraints ---- */

static const char BEAD[] = "Tables: {h: {Points: [%s], Between: spline}}\n"
                           "Dimension: 2\n"
                           "PartData: {Fixed: {O: [0, 0]}, Particles: {A: 2}}\n"
                           "Constraints: {n: Ay - %s}\n"
                           "AppliedForces: {Gravity: }\n"
                           "ProblemData: {tend: 4, positions: {A: [-1.3, %.17g]}}\n";

/* A bead slides in a bowl that is a spline through samples of a parabola: the same as on it. The
 * pieces are kept apart by a kink of the samples far away. */
static void test_a_bead_on_a_table(void **state) {
    (void)state;
    static const double at[] = {0.5, 1, 2, 3, 4};
    char points[400] = "", text[1200];
    for (int i = -8; i <= 8; i++) {
        const size_t used = strlen(points);
        snprintf(points + used, sizeof points - used, "%s[%g, %.17g]", i == -8 ? "" : ", ",
                 0.25 * i, 0.0625 * i * i);
    }
    snprintf(text, sizeof text, BEAD, points, "Ax^2", 1.69);
    solution *formula = run(text, "taylor", at, 5);
    snprintf(text, sizeof text, BEAD, points, "h(Ax)", 1.69);
    solution *table = run(text, "taylor", at, 5);
    for (int i = 0; i < 5; i++) {
        assert_near(value(table, i, "Ax"), value(formula, i, "Ax"), 1e-9, 0.0);
        assert_near(value(table, i, "Ay'"), value(formula, i, "Ay'"), 1e-9, 0.0);
    }
    assert_true(taut_result_stats(table->result)->energy_drift < 1e-11);
    solution_free(formula);
    solution_free(table);
}

/* A wave of cubics: real jumps of the third derivative at every knot; the energy stays. */
static void test_energy_stays_on_a_wavy_road(void **state) {
    (void)state;
    char text[1200];
    snprintf(text, sizeof text, BEAD,
             "[-2, 2], [-1.5, 1], [-1, 0.3], [-0.5, 0.4], [0, 0], [0.5, 0.2], [1, 0.1], [1.5, 1], "
             "[2, 3]",
             "h(Ax)", 0.6);
    taut_run_options o = at_tolerance(1e-11);
    solution *s = solve_text(text, &o);
    assert_true(taut_result_stats(s->result)->energy_drift < 1e-11);
    assert_true(taut_result_stats(s->result)->constraint_residual < 1e-13);
    solution_free(s);
}

/* A run that is interrupted goes on: in the piece where it was, not in that of the start. */
static void test_runs_go_on_from_states(void **state) {
    (void)state;
    char text[1200];
    snprintf(text, sizeof text, BEAD,
             "[-2, 2], [-1.5, 1], [-1, 0.3], [-0.5, 0.4], [0, 0], [0.5, 0.2], [1, 0.1], [1.5, 1], "
             "[2, 3]",
             "h(Ax)", 0.6);
    taut_model *model = read_text(text);
    taut_run_options o = at_tolerance(1e-11);
    taut_simulation *a = NULL, *b = NULL;
    taut_state *half = NULL;
    taut_errors errors = {0};
    assert_int_equal(taut_simulation_create(model, &o, &a, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &o, &b, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_start(a, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_run_to(a, 1.7, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_get_state(a, &half, NULL), TAUT_OK);
    if (taut_simulation_set_state(b, half, &errors) != TAUT_OK) show_errors(&errors);
    assert_int_equal(errors.count, 0);
    assert_int_equal(taut_simulation_run_to(a, 4.0, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_run_to(b, 4.0, NULL), TAUT_OK);
    assert_near(taut_simulation_value(b, "Ax", 4.0), taut_simulation_value(a, "Ax", 4.0), 1e-8,
                0.0);
    taut_state_free(&half);
    taut_simulation_free(&a);
    taut_simulation_free(&b);
    taut_model_free(&model);
}

/* Simulations that share a program, one after the other, are what each is alone. */
static void test_programs_have_tables(void **state) {
    (void)state;
    char text[1200];
    snprintf(text, sizeof text, BEAD, "[-2, 2], [-1, 0.3], [0, 0], [1, 0.1], [2, 3]", "h(Ax)", 0.7);
    taut_model *model = read_text(text);
    taut_run_options o = at_tolerance(1e-10);
    taut_program *program = NULL;
    taut_simulation *shared = NULL, *own = NULL;
    assert_int_equal(taut_program_create(model, &o, &program, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_create_from(program, &shared, NULL), TAUT_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(taut_simulation_create(model, &o, &own, NULL), TAUT_OK);
        taut_simulation *s[] = {shared, own};
        double x[2];
        for (int k = 0; k < 2; k++) {
            assert_int_equal(taut_simulation_set_initial(s[k], "A.x", -1.3 + 0.2 * i, NULL),
                             TAUT_OK);
            assert_int_equal(taut_simulation_start(s[k], NULL), TAUT_OK);
            assert_int_equal(taut_simulation_run_to(s[k], 3.0, NULL), TAUT_OK);
            x[k] = taut_simulation_value(s[k], "Ax", 3.0);
        }
        assert_near(x[0], x[1], 1e-9, 0.0);
        taut_simulation_free(&own);
    }
    taut_simulation_free(&shared);
    taut_program_free(&program);
    taut_model_free(&model);
}

/* ---- drivers ---- */

static const char CRANK[] = "PhysicalParams: {l: 1, m: 2}\n"
                            "%s\n"
                            "Dimension: 2\n"
                            "PartData:\n"
                            "  Fixed: {O: [0, 0]}\n"
                            "  Rigids: {OA: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}}\n"
                            "Angles: {phi: OA}\n"
                            "Drivers: {\"%s\": \"%s\"}\n"
                            "ProblemData: {tend: 3, positions: {phi: 0.3}}\n";

static solution *crank(const char *tables, const char *what, const char *function,
                       const char *solver) {
    char text[900];
    static const double at[] = {0, 0.5, 1, 2, 3};
    snprintf(text, sizeof text, CRANK, tables, what, function);
    return run(text, solver, at, 5);
}

/* The angle turns by the exact integral; the torque is J times the acceleration, J = m l^2/3. */
static void check_crank(const solution *s, double tolerance) {
    static const double angle[] = {0, 1.25, 5, 15, 25}, rate[] = {0, 5, 10, 10, 10};
    for (int i = 0; i < 5; i++) {
        assert_near(value(s, i, "phi"), 0.3 + angle[i], tolerance, tolerance);
        assert_near(value(s, i, "phi'"), rate[i], 100.0 * tolerance, tolerance);
        assert_near(value(s, i, "Ax"), cos(0.3 + angle[i]), 30.0 * tolerance, 0.0);
        assert_near(value(s, i, "work"), rate[i] * rate[i] / 3.0, 1e4 * tolerance, 0.0);
    }
    assert_near(value(s, 1, "force_phi"), 20.0 / 3.0, 1e4 * tolerance, 0.0);
    assert_near(value(s, 3, "force_phi"), 0.0, 1e4 * tolerance, 0.0);
}

static void test_drivers_of_velocity(void **state) {
    (void)state;
    static const struct {
        const char *solver;
        double tolerance;
    } by[] = {{"taylor", 2e-15}, {"ho", 1e-12}, {"erk", 1e-8}, {"bdf", 1e-7}, {"ida", 1e-7}};
    for (int i = 0; i < 5; i++) {
        solution *s = crank("", "phi'", "if(t < 1, 10*t, 10)", by[i].solver);
        check_crank(s, by[i].tolerance);
        solution_free(s);
        s = crank("", "phi'", "if(t >= 1, 10, 10*t)", by[i].solver); /* the other way round */
        check_crank(s, by[i].tolerance);
        solution_free(s);
        s = crank("Tables: {w: {Points: [[0, 0], [1, 10], [9, 10]]}}", "phi'", "w(t)",
                  by[i].solver);
        check_crank(s, by[i].tolerance);
        solution_free(s);
    }
}

/* In all formulations, where the function is smooth; also of points and distances. */
static void test_drivers_of_velocity_in_every_formulation(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "reference", "relative", "minimal"};
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], C: [2.5, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 0.2]}\n"
        "    AB: {Geom: [[1.5, 0]], Dyna: [[0.7, 0], 1, 0.2]}\n"
        "Angles: {phi: OA}\n"
        "Drivers: {phi': 0.3 + 0.4*t, CB': 0.05*cos(t)}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 1, positions: {phi: 0.5, A: [0.8, 0.4], B: [2, -0.5]}}\n";
    double start = 0.0;
    for (int i = 0; i < 4; i++) {
        static const double at[] = {0, 1};
        taut_run_options o = at_tolerance(1e-11);
        o.formulation = formulation[i];
        if (i == 3) o.solver = "erk";
        o.at = at;
        o.ats = 2;
        solution *s = solve_text(text, &o);
        const double tolerance = i == 3 ? 1e-7 : 1e-10;
        assert_near(value(s, 1, "phi") - value(s, 0, "phi"), 0.5, tolerance, 0.0);
        double d[2];
        for (int k = 0; k < 2; k++) d[k] = hypot(value(s, k, "Bx") - 2.5, value(s, k, "By"));
        assert_near(d[1] - d[0], 0.05 * sin(1.0), tolerance, 0.0);
        if (i == 0) start = value(s, 1, "force_phi");
        assert_near(value(s, 1, "force_phi"), start, 1e3 * tolerance, 0.0);
        solution_free(s);
    }
}

/* The law of a cam by samples; velocity and torque follow. */
static void test_drivers_by_tables(void **state) {
    (void)state;
    static const char samples[] =
        "Tables: {a: {Points: [[0, 0.3], [1, 0.4], [2, 1.1], [3, 3], [4, 6.7]], Between: spline}}";
    solution *s = crank(samples, "phi", "a(t)", "taylor");
    /* 0.3 + 0.1 t^3 has these values */
    assert_near(value(s, 2, "phi'"), 0.3, 1e-12, 0.0);
    assert_near(value(s, 3, "phi'"), 1.2, 1e-12, 0.0);
    assert_near(value(s, 3, "force_phi"), 2.0 / 3.0 * 1.2, 1e-11, 0.0);
    solution_free(s);
}

/* ---- files ---- */

static void test_files_are_relative_to_their_own(void **state) {
    (void)state;
    program_result r;
    program_call(&r, "run nothing.yaml"); /* the folder is there */
    program_release(&r);
    assert_int_equal(system("mkdir -p part"), 0);
    program_write("part/f.csv", "a,b,c\n0,0,7\n1,2,7\n", -1);
    program_write("part/p.yaml",
                  "Tables: {f: {File: f.csv, Columns: [a, b]}}\n"
                  "Define: {twice: 2*f(t)}\n",
                  -1);
    program_write("m.yaml",
                  "Include: {File: part/p.yaml, Prefix: p_}\n"
                  "DAE: {Variables: [x], Equations: [x - p_twice - p_f(t)]}\n"
                  "ProblemData: {tend: 1, values: {x: 0}}\n",
                  -1);
    program_call(&r, "run m.yaml --at 0.5 -o out.csv");
    if (r.code != 0) fail_msg("%s", r.err);
    program_release(&r);
    char *text = program_read("out.csv");
    assert_non_null(strstr(text, "\n0.5,3"));
    free(text);
    /* what was read is not overwritten, and --confine keeps to the folder */
    program_call(&r, "run m.yaml -o part/f.csv");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "part/f.csv"));
    program_release(&r);
    text = program_read("part/f.csv");
    assert_string_equal(text, "a,b,c\n0,0,7\n1,2,7\n");
    free(text);
    program_write("f.csv", "a,b\n0,0\n1,2\n", -1);
    program_write("part/q.yaml",
                  "Tables: {f: {File: ../f.csv}}\n"
                  "DAE: {Variables: [x], Equations: [x - f(t)]}\n"
                  "ProblemData: {tend: 1, values: {x: 0}}\n",
                  -1);
    program_call(&r, "run part/q.yaml -o out.csv");
    assert_int_equal(r.code, 0);
    program_release(&r);
    program_call(&r, "run part/q.yaml -o out.csv --confine");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "cannot read the table 'part/../f.csv'"));
    program_release(&r);
    assert_int_equal(system("rm -r part"), 0);
}

/* ---- linearisations ---- */

/* By the piece that holds at the time: a spring of stiffness 2 above zero, 3 below. The same for a
 * kink. */
static void test_linearisations_are_of_the_piece(void **state) {
    (void)state;
    static const char *const force[] = {"f(x)", "if(x > 0, 2*x, 3*x)"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        program_result r;
        snprintf(text, sizeof text,
                 "Tables: {f: {Points: [[-5, -15], [0, 0], [5, 10]]}}\n"
                 "Lagrangian: {Coordinates: [x], L: x'^2/2, Forces: {x: \"-(%s) - 3\"}}\n"
                 "ProblemData: {tend: 3, positions: {x: 1}}\n",
                 force[i]);
        program_write("l.yaml", text, -1);
        program_call(&r, "linearize l.yaml --at 0,2");
        assert_int_equal(r.code, 0);
        const char *first = strstr(r.out, " 1.414213562373"),
                   *then = strstr(r.out, " 1.732050807568");
        assert_true(first && then && first < then);
        program_release(&r);
    }
}

/* ---- the guide ---- */

/* The next block of a text that begins with a fence of this kind, terminated in place; *text moves
 * behind it. NULL: there is none. */
static char *next_block(char **text, const char *fence) {
    char *begin = *text ? strstr(*text, fence) : NULL;
    if (!begin) return NULL;
    begin += strlen(fence);
    char *end = strstr(begin, "\n```");
    assert_non_null(end);
    end[1] = '\0';
    *text = end + 5;
    return begin;
}

/* The section says what the program does: files as they stand there, commands as they are printed.
 */
static void test_the_guide_is_right(void **state) {
    (void)state;
    static const char *const name[] = {"bump.yaml", "run-up.yaml"};
    char *guide = program_read(TAUT_SOURCE_DIR "/docs/guide.md");
    assert_non_null(guide);
    char *at = strstr(guide, "\n## Tables\n");
    assert_non_null(at);
    program_write("bump.csv", next_block(&at, "```\n"), -1);
    for (int i = 0; i < 2; i++) {
        program_write(name[i], next_block(&at, "```yaml\n"), -1);
        char *command = next_block(&at, "```\n$ taut "), *output = strchr(command, '\n');
        *output++ = '\0';
        assert_non_null(strstr(command, name[i]));
        program_result r;
        program_call(&r, command);
        assert_int_equal(r.code, 0);
        assert_string_equal(r.out, output);
        program_release(&r);
    }
    free(guide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knots_in_time_are_exact),
        cmocka_unit_test(test_time_may_run_backward),
        cmocka_unit_test(test_outside_of_a_table),
        cmocka_unit_test(test_splines_extend_straight),
        cmocka_unit_test(test_periods_go_on),
        cmocka_unit_test(test_springs_of_two_stiffnesses),
        cmocka_unit_test(test_knots_that_are_not_crossed),
        cmocka_unit_test(test_a_measured_road),
        cmocka_unit_test(test_maps_of_two_arguments),
        cmocka_unit_test(test_splines_of_two_arguments),
        cmocka_unit_test(test_arguments_that_jump),
        cmocka_unit_test(test_parameters_may_be_set),
        cmocka_unit_test(test_a_bead_on_a_table),
        cmocka_unit_test(test_energy_stays_on_a_wavy_road),
        cmocka_unit_test(test_runs_go_on_from_states),
        cmocka_unit_test(test_programs_have_tables),
        cmocka_unit_test(test_drivers_of_velocity),
        cmocka_unit_test(test_drivers_of_velocity_in_every_formulation),
        cmocka_unit_test(test_drivers_by_tables),
        cmocka_unit_test(test_files_are_relative_to_their_own),
        cmocka_unit_test(test_linearisations_are_of_the_piece),
        cmocka_unit_test(test_the_guide_is_right),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
