/* No feature of the equations is stepped over: random pulses, edges, windows and barriers, in time
 * and in positions, in forces, drivers, equations and potentials, against Runge-Kutta steps that
 * know where the feature is (docs/math/features.md).
 *
 * TAUT_FEATURES=N draws N features for every solver instead of the numbers below. */
#include "solve_text.h"

typedef enum family { FORCE, ROD, EQUATION, BARRIER, SWING, DRIVER, FAMILIES } family;
typedef enum shape { GAUSS, EDGE, WINDOW, LOGISTIC, SECH, RATIONAL, POWER, SHAPES } shape;

typedef struct feature {
    family family;
    shape shape;
    double T, place, width, height; /* width: of the pulse or window, or of the edge */
    double part;                    /* width beside the span */
} feature;

/* ---- random numbers, the same on every machine ---- */

static uint64_t seed = 0x9E3779B97F4A7C15u;

static double draw(double low, double high) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

/* ---- shapes: value, first and second derivative by u ---- */

enum { SHARP = 10 }; /* the edges of a window, beside its width */

static void tanh_of(double u, double s[3]) {
    s[0] = tanh(u);
    s[1] = 1.0 - s[0] * s[0];
    s[2] = -2.0 * s[0] * s[1];
}

static void shape_of(shape kind, double u, double s[3]) {
    double a[3], b[3], d;
    switch (kind) {
    case GAUSS:
        s[0] = exp(-u * u);
        s[1] = -2.0 * u * s[0];
        s[2] = (4.0 * u * u - 2.0) * s[0];
        break;
    case EDGE:
        tanh_of(u, a);
        for (int k = 0; k < 3; k++) s[k] = 0.5 * ((k == 0) + a[k]);
        break;
    case WINDOW:
        tanh_of(SHARP * (u + 0.5), a);
        tanh_of(SHARP * (u - 0.5), b);
        for (int k = 0; k < 3; k++) s[k] = 0.5 * pow(SHARP, k) * (a[k] - b[k]);
        break;
    case LOGISTIC:
        s[0] = 1.0 / (1.0 + exp(-u));
        s[1] = s[0] * (1.0 - s[0]);
        s[2] = s[1] * (1.0 - 2.0 * s[0]);
        break;
    case SECH:
        tanh_of(u, a);
        s[0] = a[1];
        s[1] = a[2];
        s[2] = -2.0 * (a[1] * a[1] + a[0] * a[2]);
        break;
    case RATIONAL:
        d = 1.0 / (1.0 + u * u * u * u);
        s[0] = d;
        s[1] = -4.0 * u * u * u * d * d;
        s[2] = -12.0 * u * u * d * d + 32.0 * pow(u, 6) * d * d * d;
        break;
    default: /* POWER: cos(u)^80, which is flat like u^80 far from its peak */
        a[0] = cos(u);
        b[0] = sin(u);
        s[0] = pow(a[0], 80);
        s[1] = -80.0 * pow(a[0], 79) * b[0];
        s[2] = 80.0 * 79.0 * pow(a[0], 78) * b[0] * b[0] - 80.0 * s[0];
    }
}

/* The formula of u that a file has. */
static const char *formula_of(shape kind, const char *u, char *text, size_t size) {
    static const char *const form[SHAPES] = {
        "exp(-(%s)^2)",       "(1 + tanh(%s))/2", "(tanh(10*(%s + 0.5)) - tanh(10*(%s - 0.5)))/2",
        "1/(1 + exp(-(%s)))", "1/cosh(%s)^2",     "1/(1 + (%s)^4)",
        "cos(%s)^80",
    };
    snprintf(text, size, form[kind], u, u);
    return text;
}

/* ---- features ---- */

static bool in_positions(const feature *f) { return f->family == BARRIER || f->family == SWING; }

static feature draw_feature(double least, double most) {
    feature f = {.family = (family)draw(0, FAMILIES), .shape = (shape)draw(0, SHAPES)};
    f.part = exp(draw(log(least), log(most)));
    f.T = f.family == ROD || f.family == DRIVER ? draw(1.0, 4.0) : exp(draw(0.0, log(100.0)));
    if (f.family == SWING) f.T = draw(1.0, 3.0);
    const double span = f.family == BARRIER ? 1.0 : f.family == SWING ? 2.0 : f.T;
    f.width = f.part * span;
    f.place = f.family == SWING ? draw(-0.8, 0.8) : span * draw(0.05, 0.95);
    const double size = draw(0.3, 3.0);
    switch (f.family) {
    case FORCE: f.height = size / f.width / f.T; break;
    case ROD: f.height = size / f.width; break;
    case EQUATION: f.height = size / f.width; break;
    case BARRIER: f.height = (size < 1.5 ? draw(0.1, 0.4) : draw(0.6, 2.0)) / (f.T * f.T); break;
    case SWING: f.height = size / f.width; break;
    default: f.height = draw(0.2, 0.6); break;
    }
    /* cosines to the 80th have a peak at every multiple of pi: one of them in the span, and of the
     * width that is asked for (they are 1/9 wide) */
    if (f.shape == POWER && 9.0 * f.width < span / 2.2) f.shape = GAUSS;
    if (f.shape == POWER) f.width *= 9.0;
    /* exp(800) has no value, and taut says so */
    if ((f.shape == LOGISTIC || f.shape == SECH) && 2.0 * span > 300.0 * f.width) f.shape = EDGE;
    /* an arm that is driven begins at rest */
    double s[3];
    shape_of(f.shape, -f.place / f.width, s);
    if (f.family == DRIVER && (f.part < 1e-3 || fabs(s[0]) + fabs(s[1]) > 1e-12)) {
        f.family = ROD;
        f.height = size / f.width;
    }
    return f;
}

static void write_model(const feature *f, char *text, size_t size) {
    char u[120], s[300];
    const char *x = f->family == BARRIER ? "x" : f->family == SWING ? "th" : "t";
    snprintf(u, sizeof u, "(%s - (%.17g))/%.17g", x, f->place, f->width);
    formula_of(f->shape, u, s, sizeof s);
    switch (f->family) {
    case FORCE:
        snprintf(text, size,
                 "Lagrangian:\n  Coordinates: [x]\n  L: x'^2/2\n  Forces: {x: \"%.17g*%s\"}\n"
                 "ProblemData: {tend: %.17g, positions: {x: 0}}\n",
                 f->height, s, f->T);
        break;
    case EQUATION:
        snprintf(text, size,
                 "DAE:\n  Variables: [x]\n  Equations: [\"x' + x/%.17g - %.17g*%s\"]\n"
                 "ProblemData: {tend: %.17g, positions: {x: 0.1}}\n",
                 f->T, f->height, s, f->T);
        break;
    case BARRIER:
        snprintf(text, size,
                 "Lagrangian:\n  Coordinates: [x]\n  L: \"x'^2/2 - %.17g*%s\"\n"
                 "ProblemData: {tend: %.17g, positions: {x: 0}, velocities: {x: %.17g}}\n",
                 f->height, s, f->T, 1.0 / f->T);
        break;
    case SWING:
        snprintf(text, size,
                 "DAE:\n  Variables: [th]\n  Equations: [\"th'' + 9.81*sin(th) - %.17g*%s\"]\n"
                 "ProblemData: {tend: %.17g, positions: {th: 1}, velocities: {th: 0}}\n",
                 f->height, s, f->T);
        break;
    case ROD:
        snprintf(text, size,
                 "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
                 "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\nAppliedForces:\n  Gravity:\n"
                 "  Forces: {A: [\"%.17g*%s\", 0]}\n"
                 "ProblemData: {tend: %.17g, positions: {A: [0.8, -0.6]}}\n",
                 f->height, s, f->T);
        break;
    default:
        snprintf(text, size,
                 "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
                 "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                 "    AB: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                 "AppliedForces: {Gravity: }\nAngles: {phi: OA, psi: AB}\n"
                 "Drivers: {phi: \"%.17g*%s\"}\n"
                 "ProblemData: {tend: %.17g, positions: {phi: %.17g, psi: -1.2, A: [1, 0.01], "
                 "B: [1.36, -0.93]}, fixedpositions: [psi]}\n",
                 f->height, s, f->T, 0.0);
    }
}

/* ---- the truth ---- */

/* y' of y = (x, x') */
static void rates(const feature *f, double t, const double *y, double *rate) {
    double s[3];
    shape_of(f->shape, ((in_positions(f) ? y[0] : t) - f->place) / f->width, s);
    const double F = f->height * s[0];
    rate[0] = y[1];
    switch (f->family) {
    case FORCE: rate[1] = F; break;
    case EQUATION:
        rate[0] = F - y[0] / f->T;
        rate[1] = 0.0;
        break;
    case BARRIER: rate[1] = -f->height * s[1] / f->width; break;
    case SWING: rate[1] = -9.81 * sin(y[0]) + F; break;
    case ROD: rate[1] = 3.0 * (-0.5 * 9.81 * cos(y[0]) - F * sin(y[0])); break;
    default: {
        const double p = F, v = f->height * s[1] / f->width,
                     a = f->height * s[2] / (f->width * f->width);
        const double ax = -sin(p) * a - cos(p) * v * v, ay = cos(p) * a - sin(p) * v * v;
        rate[1] = 1.5 * (sin(y[0]) * ax - cos(y[0]) * (ay + 9.81));
    }
    }
}

/* A step that sees the feature: short inside it, and not past its beginning from outside. */
static double fine_step(const feature *f, double t, const double *y) {
    const double detail = f->width / (f->shape == WINDOW ? SHARP : f->shape == POWER ? 9.0 : 1.0);
    const double reach = f->shape == RATIONAL ? 40.0 * f->width : f->width + 20.0 * detail;
    const double speed = in_positions(f) ? fmax(fabs(y[1]), 0.05 / f->T) : 1.0;
    const double x = in_positions(f) ? y[0] : t, away = fabs(x - f->place) - reach;
    return fmin(f->T / 4000.0, fmax(detail / 25.0, 0.3 * away) / speed);
}

static void follow(const feature *f, double t, double to, double *y) {
    double k[4][2], z[2];
    while (t < to) {
        const double left = to - t, step = fine_step(f, t, y), h = step < left ? step : left;
        for (int stage = 0; stage < 4; stage++) {
            const double c = stage == 0 ? 0.0 : stage == 3 ? 1.0 : 0.5;
            for (int i = 0; i < 2; i++) z[i] = y[i] + (stage ? c * h * k[stage - 1][i] : 0.0);
            rates(f, t + c * h, z, k[stage]);
        }
        for (int i = 0; i < 2; i++)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        t = step < left ? t + h : to;
    }
}

/* x at the time of the feature (half of the span for those in positions) and at the end. */
static void find_truth(const feature *f, double *x) {
    double y[2] = {0.0, 0.0};
    const double middle = in_positions(f) ? 0.5 * f->T : f->place;
    if (f->family == EQUATION) y[0] = 0.1;
    if (f->family == BARRIER) y[1] = 1.0 / f->T;
    if (f->family == SWING) y[0] = 1.0;
    if (f->family == ROD) y[0] = atan2(-0.6, 0.8);
    if (f->family == DRIVER) y[0] = -1.2;
    follow(f, 0.0, middle, y);
    x[0] = y[0];
    follow(f, middle, f->T, y);
    x[1] = y[0];
}

/* ---- taut ---- */

static void read_solution(const feature *f, const solution *s, double *x) {
    for (int row = 0; row < 2; row++)
        x[row] = f->family == ROD      ? atan2(value_of(s, row, "Ay"), value_of(s, row, "Ax"))
                 : f->family == DRIVER ? value_of(s, row, "psi")
                 : f->family == SWING  ? value_of(s, row, "th")
                                       : value_of(s, row, "x");
}

/* How far off, in the rod's case of an angle without its turns. */
static double distance(const feature *f, const double *a, const double *b) {
    double largest = 0.0;
    for (int i = 0; i < 2; i++) {
        double d = fabs(a[i] - b[i]);
        if (f->family == ROD) d = fabs(remainder(d, 2.0 * M_PI));
        largest = fmax(largest, d);
    }
    return largest;
}

typedef struct tally {
    int drawn, missed, stopped;
    double worst; /* error beside what the feature does, of those that were not missed */
} tally;

static bool is_visible(const feature *f, const double *truth, double *effect) {
    feature none = *f;
    double x[2];
    none.height = 0.0;
    find_truth(&none, x);
    *effect = distance(f, truth, x);
    return isfinite(*effect) && *effect > 1e-3;
}

static void try_feature(const feature *f, taut_run_options options, tally *count) {
    char text[2000];
    double truth[2], x[2], effect;
    const double at[2] = {in_positions(f) ? 0.5 * f->T : f->place, f->T};
    find_truth(f, truth);
    if (!is_visible(f, truth, &effect)) return;
    write_model(f, text, sizeof text);
    options.at = at;
    options.ats = 2;
    count->drawn++;
    solution *s = try_text(text, &options);
    if (s->status != TAUT_OK) {
        count->stopped++;
        print_message("stopped: family %d, shape %d, part %.3g\n%s", f->family, f->shape, f->part,
                      text);
        show_errors(&s->errors);
    } else {
        read_solution(f, s, x);
        const double error = distance(f, x, truth) / effect;
        if (!(error < 0.01)) {
            count->missed++;
            print_message("missed: family %d, shape %d, part %.3g, error %.3g of %.3g\n%s",
                          f->family, f->shape, f->part, error, effect, text);
        } else {
            count->worst = fmax(count->worst, error);
        }
    }
    solution_free(s);
}

static int wanted(int usual) {
    const char *asked = getenv("TAUT_FEATURES");
    return asked ? atoi(asked) : usual;
}

static tally try_many(int number, double least, double most, const char *solver, bool careful) {
    tally count = {0};
    while (count.drawn < number) {
        feature f = draw_feature(least, most);
        taut_run_options options = taut_run_options_default();
        options.solver = solver;
        if (careful) options.max_step = in_positions(&f) ? f.T * f.part : f.part * f.T;
        try_feature(&f, options, &count);
    }
    print_message("%s, widths from %g%s: %d features, %d missed, %d stopped, worst error %.2g\n",
                  solver, least, careful ? ", with maxstep" : "", count.drawn, count.missed,
                  count.stopped, count.worst);
    return count;
}

/* ---- tests ---- */

static void test_no_feature_is_stepped_over(void **state) {
    (void)state;
    const tally count = try_many(wanted(500), 5e-4, 0.3, "auto", false);
    assert_true(count.missed <= 1 + count.drawn / 1000);
    assert_true(count.stopped <= count.drawn / 500);
}

static void test_no_feature_is_stepped_over_with_a_longest_step(void **state) {
    (void)state;
    const tally count = try_many(wanted(200), 1e-4, 0.3, "auto", true);
    assert_int_equal(count.missed, 0);
    assert_true(count.stopped <= count.drawn / 200);
}

/* Functions of t alone are found by intervals, however narrow. */
static void narrow_functions_of_time(const char *solver, int usual) {
    tally count = {0};
    const int number = wanted(usual);
    taut_run_options options = taut_run_options_default();
    options.solver = solver;
    while (count.drawn < number) {
        feature f = draw_feature(1e-7, 5e-4);
        if (in_positions(&f) || f.family == DRIVER || f.shape > WINDOW) continue;
        if (f.family == ROD && f.shape == EDGE) continue; /* a force that would stay, 1e7 N */
        try_feature(&f, options, &count);
    }
    print_message("%s, in time, widths from 1e-7: %d features, %d missed, %d stopped\n", solver,
                  count.drawn, count.missed, count.stopped);
    assert_int_equal(count.missed, 0);
    assert_int_equal(count.stopped, 0);
}

static void test_no_narrow_function_of_time_is_stepped_over(void **state) {
    static const char *const other[] = {"ho", "erk", "adams", "bdf", "ida"};
    (void)state;
    narrow_functions_of_time("taylor", 100);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        narrow_functions_of_time(other[i], 30);
}

static void other_solver(const char *solver) {
    const tally count = try_many(wanted(60), 5e-4, 0.3, solver, false);
    assert_true(count.missed <= count.drawn / 50);
    assert_true(count.stopped <= count.drawn / 20);
}

static void test_no_feature_is_stepped_over_by_ho(void **state) {
    (void)state;
    other_solver("ho");
}
static void test_no_feature_is_stepped_over_by_bdf(void **state) {
    (void)state;
    other_solver("bdf");
}
static void test_no_feature_is_stepped_over_by_erk(void **state) {
    (void)state;
    other_solver("erk");
}
static void test_no_feature_is_stepped_over_by_ida(void **state) {
    (void)state;
    other_solver("ida");
}

static void test_no_feature_is_stepped_over_in_any_formulation(void **state) {
    (void)state;
    for (int k = 0; taut_formulation_name(k); k++) {
        tally count = {0};
        const int number = wanted(40);
        while (count.drawn < number) {
            feature f = draw_feature(1e-3, 0.3);
            taut_run_options options = taut_run_options_default();
            options.formulation = taut_formulation_name(k);
            if (f.family == ROD || f.family == DRIVER) try_feature(&f, options, &count);
        }
        print_message("%s: %d features, %d missed, %d stopped, worst error %.2g\n",
                      taut_formulation_name(k), count.drawn, count.missed, count.stopped,
                      count.worst);
        assert_true(count.missed <= count.drawn / 200);
        assert_true(count.stopped <= count.drawn / 20);
    }
}

/* x' = y, y' = a window of 5 from t = 3 to 4, from rest: both begin in steps of the last bit of 1,
 * and x has no term of its own that could be so rough. */
static void test_states_that_follow_others_begin_with_them(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho", "erk", "adams", "bdf", "ida"};
    for (int i = 0; i < 6; i++) {
        taut_run_options options = at_tolerance(1e-9);
        options.solver = solver[i];
        solution *s =
            must_succeed(try_text("DAE:\n"
                                  "  Variables: [x, y]\n"
                                  "  Equations:\n"
                                  "    - \"x' - y\"\n"
                                  "    - \"y' - 2.5*(tanh((t - 3)/0.02) - tanh((t - 4)/0.02))\"\n"
                                  "ProblemData: {tend: 9, positions: {x: 0, y: 0}}\n",
                                  &options));
        assert_near(last_of(s, "y"), 5.0, 1e-5, 0.0);
        assert_near(last_of(s, "x"), 5.0 * 5.5, 1e-4, 0.0);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_that_follow_others_begin_with_them),
        cmocka_unit_test(test_no_feature_is_stepped_over),
        cmocka_unit_test(test_no_feature_is_stepped_over_with_a_longest_step),
        cmocka_unit_test(test_no_narrow_function_of_time_is_stepped_over),
        cmocka_unit_test(test_no_feature_is_stepped_over_by_ho),
        cmocka_unit_test(test_no_feature_is_stepped_over_by_bdf),
        cmocka_unit_test(test_no_feature_is_stepped_over_by_erk),
        cmocka_unit_test(test_no_feature_is_stepped_over_by_ida),
        cmocka_unit_test(test_no_feature_is_stepped_over_in_any_formulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
