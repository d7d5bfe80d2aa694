/* Studies: values and designs, extrema of polynomials, results against closed forms by every kind
 * of solver, and tables that do not depend on the number of threads. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "core/philox.h"
#include "task/axis.h"
#include "task/design.h"
#include "task/extremum.h"
#include "taut/taut.h"

static taut_errors errors;

static taut_model *parse(const char *text) {
    taut_model *model = NULL;
    memset(&errors, 0, sizeof errors);
    if (taut_model_parse("m.yaml", text, -1, &model, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return model;
}

/* ---- random numbers ---- */

/* The known answers of the authors' library (Random123, kat_vectors). */
static void test_philox_gives_the_known_answers(void **state) {
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } KNOWN[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                 {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                  {0xffffffff, 0xffffffff},
                  {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                  {0xa4093822, 0x299f31d0},
                  {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        uint32_t out[4];
        taut_philox(KNOWN[i].key, KNOWN[i].counter, out);
        assert_memory_equal(out, KNOWN[i].out, sizeof out);
    }
    assert_true(taut_random_unit(0) > 0.0 && taut_random_unit(UINT64_MAX) < 1.0);
}

/* ---- values ---- */

static taut_study_axis read_axis(const char *text, taut_arena *arena) {
    taut_study_axis axis;
    memset(&errors, 0, sizeof errors);
    if (taut_axis_read("p", text, arena, &axis, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return axis;
}

static void test_values_are_read(void **state) {
    (void)state;
    taut_arena arena = {0};
    taut_study_axis a = read_axis("-1..2:7", &arena);
    assert_int_equal(a.count, 7);
    for (int i = 0; i < 7; i++) assert_true(a.value[i] == -1.0 + 0.5 * i);
    a = read_axis("1...5:3", &arena); /* 1.. and .5 */
    assert_true(a.value[0] == 1.0 && a.value[1] == 0.75 && a.value[2] == 0.5);
    a = read_axis("20 mm, 3cm,0.1", &arena);
    assert_true(a.count == 3 && a.value[0] == 0.02 && a.value[1] == 0.03 && a.value[2] == 0.1);
    a = read_axis("1mm..3 mm:3", &arena);
    assert_near(a.value[1], 0.002, 0.0, 1e-15);
    a = read_axis("10 mm +- 0.1 mm", &arena);
    assert_near(a.p[0], 0.0099, 0.0, 1e-15);
    assert_near(a.p[1], 0.0101, 0.0, 1e-15);
    a = read_axis("triangular(-1, 0, 3)", &arena);
    assert_true(a.kind == TAUT_AXIS_TRIANGULAR && a.p[0] == -1.0 && a.p[1] == 0.0 && a.p[2] == 3.0);
    taut_arena_release(&arena);
}

static void test_nonsense_is_refused(void **state) {
    (void)state;
    static const char *const BAD[] = {"",
                                      "x",
                                      "1,",
                                      "1,,2",
                                      "1..2",
                                      "1..2:1",
                                      "1..1:5",
                                      "1..2:2.5",
                                      "1..1e4:5:log",
                                      "..2:3",
                                      "uniform(1,1)",
                                      "uniform(1)",
                                      "uniform(1,2",
                                      "normal(0,0)",
                                      "norml(0,1)",
                                      "1+-0",
                                      "1+-",
                                      "triangular(0,2,1)",
                                      "1 furlong",
                                      "nan",
                                      "inf",
                                      "1..inf:3",
                                      "1e999"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        taut_arena arena = {0};
        taut_study_axis axis;
        memset(&errors, 0, sizeof errors);
        if (taut_axis_read("p", BAD[i], &arena, &axis, &errors) != TAUT_ERR_CALL)
            fail_msg("accepted: %s", BAD[i]);
        assert_int_equal(errors.count, 1);
        assert_non_null(strstr(errors.item[0].message, "vary p="));
        taut_arena_release(&arena);
    }
}

/* Quantiles against the distribution functions. */
static void test_quantiles_invert_the_distributions(void **state) {
    (void)state;
    static const double U[] = {0x1p-54, 1e-9, 0.01, 0.3, 0.5, 0.7, 0.99, 1.0 - 0x1p-53};
    taut_arena arena = {0};
    const taut_study_axis log = read_axis("lognormal(1,0.5)", &arena);
    const taut_study_axis three = read_axis("triangular(1,2,5)", &arena);
    for (int i = 0; i < 8; i++) {
        const double x = taut_normal_quantile(U[i]);
        assert_near(0.5 * erfc(-x / sqrt(2.0)), U[i], 0.0, 1e-13);
        assert_near(taut_axis_quantile(&log, U[i]), exp(1.0 + 0.5 * x), 0.0, 1e-15);
        const double y = taut_axis_quantile(&three, U[i]);
        assert_near(y < 2.0 ? (y - 1.0) * (y - 1.0) / 4.0 : 1.0 - (5.0 - y) * (5.0 - y) / 12.0,
                    U[i], 1e-15, 1e-7);
    }
    assert_near(taut_normal_quantile(0.975), 1.959963984540054, 1e-15, 0.0);
    assert_true(taut_normal_quantile(0.5) == 0.0 || fabs(taut_normal_quantile(0.5)) < 1e-16);
    taut_arena_release(&arena);
}

/* ---- designs ---- */

static taut_design make_design(taut_design_kind kind, long samples, uint64_t seed, int names,
                               taut_arena *arena) {
    static const char *const NAME[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    taut_design d = {.kind = kind, .samples = samples, .seed = seed, .names = names};
    assert_int_equal(taut_design_prepare(&d, NAME, arena), TAUT_OK);
    return d;
}

/* One sample in each of the N intervals of each coordinate, in another order for each. */
static void test_latin_hypercube_has_one_sample_a_stratum(void **state) {
    (void)state;
    enum { N = 97 };
    taut_arena arena = {0};
    const taut_design d = make_design(TAUT_DESIGN_LATIN, N, 5, 3, &arena);
    int order[3][N];
    for (int k = 0; k < 3; k++) {
        int seen[N] = {0};
        for (int i = 0; i < N; i++) {
            const double u = taut_design_at(&d, i, k);
            assert_true(u > 0.0 && u < 1.0);
            seen[order[k][i] = (int)(u * N)]++;
        }
        for (int i = 0; i < N; i++) assert_int_equal(seen[i], 1);
    }
    assert_true(memcmp(order[0], order[1], sizeof order[0]) != 0);
    assert_true(memcmp(order[1], order[2], sizeof order[1]) != 0);
    taut_arena_release(&arena);
}

/* How many of the first 2^m points are in each box of 2^a x 2^b equal ones. */
static void check_boxes(const taut_design *d, int m, int a, int j, int k) {
    int seen[1 << 10] = {0};
    const int b = m - a;
    for (long i = 0; i < 1l << m; i++) {
        const int x = (int)(taut_design_at(d, i, j) * (1 << a));
        const int y = (int)(taut_design_at(d, i, k) * (1 << b));
        seen[x << b | y]++;
    }
    for (int i = 0; i < 1 << m; i++) assert_int_equal(seen[i], 1);
}

static void test_sobol_points_are_evenly_spread(void **state) {
    (void)state;
    taut_arena arena = {0};
    for (uint64_t seed = 0; seed < 3; seed++) {
        const taut_design d = make_design(TAUT_DESIGN_SOBOL, 1024, seed, 10, &arena);
        /* each coordinate alone: one point in each interval */
        for (int k = 0; k < 10; k++)
            for (int m = 1; m <= 10; m++) check_boxes(&d, m, 0, k, k);
        /* the first two: a (0, m, 2)-net */
        for (int m = 1; m <= 10; m++)
            for (int a = 0; a <= m; a++) check_boxes(&d, m, a, 0, 1);
        /* property A: halves of all ten coordinates together */
        int seen[1 << 10] = {0};
        for (long i = 0; i < 1 << 10; i++) {
            int box = 0;
            for (int k = 0; k < 10; k++) box = 2 * box + (taut_design_at(&d, i, k) >= 0.5);
            seen[box]++;
        }
        for (int i = 0; i < 1 << 10; i++) assert_int_equal(seen[i], 1);
    }
    uint32_t direction[TAUT_SOBOL_MOST][TAUT_SOBOL_BITS];
    taut_sobol_directions(direction, TAUT_SOBOL_MOST);
    for (int j = 0; j < TAUT_SOBOL_MOST; j++) /* triangular with ones: each coordinate is a net */
        for (int k = 0; k < TAUT_SOBOL_BITS; k++) {
            assert_true(direction[j][k] >> (31 - k) & 1);
            assert_true(k == 31 || direction[j][k] << (k + 1) == 0);
        }
    taut_arena_release(&arena);
}

/* Names that have nothing to do with each other must not look so, also where there are many: no
 * pair of 40 is correlated (0.75 where direction numbers are taken as they come; all of them,
 * squared, less than those of random points by far). */
static void test_sobol_pairs_are_not_correlated(void **state) {
    (void)state;
    enum { NAMES = 40 };
    taut_arena arena = {0};
    char text[NAMES][3];
    const char *name[NAMES];
    for (int k = 0; k < NAMES; k++) {
        text[k][0] = (char)('a' + k / 10), text[k][1] = (char)('0' + k % 10), text[k][2] = '\0';
        name[k] = text[k];
    }
    for (long n = 256; n <= 4096; n *= 4) {
        taut_design d = {.kind = TAUT_DESIGN_SOBOL, .samples = n, .seed = 7, .names = NAMES};
        assert_int_equal(taut_design_prepare(&d, name, &arena), TAUT_OK);
        double worst = 0.0, squares = 0.0;
        static double off[NAMES][4096];
        for (int k = 0; k < NAMES; k++)
            for (long i = 0; i < n; i++) off[k][i] = taut_design_at(&d, i, k) - 0.5;
        for (int j = 1; j < NAMES; j++)
            for (int k = 0; k < j; k++) {
                double sum = 0.0;
                for (long i = 0; i < n; i++) sum += off[j][i] * off[k][i];
                const double r = 12.0 * sum / (double)n;
                worst = fmax(worst, fabs(r));
                squares += r * r / (0.5 * NAMES * (NAMES - 1));
            }
        assert_true(worst < 0.25);
        assert_true(sqrt(squares) < 0.5 / sqrt((double)n));
    }
    taut_arena_release(&arena);
}

/* Independent uniform numbers: moments, and no correlation of names, seeds and neighbours. */
static void test_random_points_are_independent(void **state) {
    (void)state;
    enum { N = 20000 };
    taut_arena arena = {0};
    const taut_design d = make_design(TAUT_DESIGN_RANDOM, N, 1, 2, &arena);
    const taut_design e = make_design(TAUT_DESIGN_RANDOM, N, 2, 2, &arena);
    double mean = 0.0, square = 0.0, names = 0.0, seeds = 0.0, next = 0.0;
    for (long i = 0; i < N; i++) {
        const double u = taut_design_at(&d, i, 0) - 0.5;
        mean += u / N;
        square += u * u / N;
        names += 12.0 * u * (taut_design_at(&d, i, 1) - 0.5) / N;
        seeds += 12.0 * u * (taut_design_at(&e, i, 0) - 0.5) / N;
        next += 12.0 * u * (taut_design_at(&d, i + 1, 0) - 0.5) / N;
    }
    const double allowed = 4.0 / sqrt((double)N); /* four standard deviations */
    assert_near(mean, 0.0, allowed / sqrt(12.0), 0.0);
    assert_near(square, 1.0 / 12.0, allowed / 12.0, 0.0);
    assert_near(names, 0.0, allowed, 0.0);
    assert_near(seeds, 0.0, allowed, 0.0);
    assert_near(next, 0.0, allowed, 0.0);
    taut_arena_release(&arena);
}

/* ---- polynomials ---- */

static void test_extrema_of_polynomials(void **state) {
    (void)state;
    double theta;
    const double parabola[] = {1.0, 4.0, -4.0}; /* 2 - (2 theta - 1)^2 */
    assert_near(taut_extremum(parabola, 2, 1.0, -(double)INFINITY, &theta), 2.0, 1e-15, 0.0);
    assert_near(theta, 0.5, 1e-8, 0.0);
    assert_near(taut_extremum(parabola, 2, -1.0, -(double)INFINITY, &theta), -1.0, 1e-15, 0.0);
    const double line[] = {3.0, -2.0, 0.0, 0.0};
    assert_true(taut_extremum(line, 3, 1.0, -(double)INFINITY, &theta) == 3.0 && theta == 0.0);
    assert_true(taut_extremum(line, 3, -1.0, -(double)INFINITY, &theta) == -1.0 && theta == 1.0);
    const double number[] = {7.0};
    assert_true(taut_extremum(number, 0, 1.0, -(double)INFINITY, &theta) == 7.0);
    /* a double root of p', (theta - 1/2)^3 */
    const double flat[] = {-0.125, 0.75, -1.5, 1.0};
    assert_near(taut_extremum(flat, 3, 1.0, -(double)INFINITY, &theta), 0.125, 1e-15, 0.0);
    /* T_9 on [0, 1]: all extrema are 1 and -1; with a slope the last inner one leads */
    double before[12] = {1.0}, now[12] = {-1.0, 2.0};
    for (int n = 1; n < 9; n++) {
        double next[12] = {0.0};
        for (int k = 0; k <= n; k++) {
            next[k] -= 2.0 * now[k] + before[k];
            next[k + 1] += 4.0 * now[k];
        }
        memcpy(before, now, sizeof now);
        memcpy(now, next, sizeof now);
    }
    now[1] -= 0.5;
    double best = -(double)INFINITY;
    for (int i = 0; i <= 1000000; i++) {
        double p = 0.0;
        for (int k = 9; k >= 0; k--) p = p * (i * 1e-6) + now[k];
        best = fmax(best, p);
    }
    assert_near(taut_extremum(now, 9, 1.0, -(double)INFINITY, &theta), best, 1e-9, 0.0);
    assert_true(taut_extremum(now, 9, 1.0, -(double)INFINITY, &theta) >= best - 1e-11);
}

/* ---- runs ---- */

static taut_study *study_of(const taut_model *model, const taut_study_options *options) {
    taut_study *study;
    memset(&errors, 0, sizeof errors);
    if (taut_study_create(model, options, &study, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    assert_int_equal(taut_study_run(study, &errors), TAUT_OK);
    assert_int_equal(taut_study_done(study), taut_study_runs(study));
    return study;
}

static double value_of(const taut_study *s, long run, const char *name) {
    for (int c = 0; c < taut_study_columns(s); c++)
        if (strcmp(taut_study_name(s, c), name) == 0) return taut_study_value(s, run, c);
    fail_msg("no column %s", name);
    return 0.0;
}

/* A mass thrown upwards: everything is known. x = v t - g t^2/2, from 0 to tend = 1. */
static void test_a_thrown_mass_is_exact_by_every_solver(void **state) {
    (void)state;
    static const char *const SOLVER[] = {"taylor", "ho", "auto", "erk", "bdf", "adams"};
    static const taut_vary VARY[] = {{"g", "8,10"}, {"x'", "2..7:3"}};
    static const taut_report REPORT[] = {
        {NULL, "max(x)"},      {NULL, "min(x)"},  {NULL, "range(x)"},
        {NULL, "mean(x)"},     {NULL, "rms(x)"},  {NULL, "end(x')"},
        {"mid", "at(0.5, x)"}, {NULL, "at(0,x)"}, {NULL, "max(x'')"}};
    taut_model *model = parse("PhysicalParams: {g: 9}\n"
                              "DAE: {Variables: [x], Equations: [x'' + g]}\n"
                              "ProblemData: {t0: 0, tend: 1, positions: {x: 0},\n"
                              "  velocities: {x: 1}, fixedpositions: {x}, fixedvelocities: {x}}\n");
    for (int i = 0; i < 6; i++) {
        taut_study_options o = taut_study_options_default();
        const double tol = i < 3 ? 1e-13 : 1e-7;
        o.run.solver = SOLVER[i];
        o.run.rtol = o.run.atol = i < 3 ? 1e-9 : 1e-10;
        o.vary = VARY, o.varies = 2;
        o.report = REPORT, o.reports = 9;
        taut_study *s = study_of(model, &o);
        assert_int_equal(taut_study_runs(s), 6);
        for (long run = 0; run < 6; run++) {
            const double g = run < 3 ? 8.0 : 10.0, v = 2.0 + 2.5 * (double)(run % 3);
            const double end = v - 0.5 * g, top = v < g ? 0.5 * v * v / g : end;
            const double square = v * v / 3.0 - v * g / 4.0 + g * g / 20.0;
            assert_string_equal(taut_study_outcome(s, run), "ok");
            assert_true(value_of(s, run, "g") == g && value_of(s, run, "x'") == v);
            assert_near(value_of(s, run, "max(x)"), top, tol, 0.0);
            assert_near(value_of(s, run, "min(x)"), fmin(0.0, end), tol, 0.0);
            assert_near(value_of(s, run, "range(x)"), top - fmin(0.0, end), tol, 0.0);
            assert_near(value_of(s, run, "mean(x)"), 0.5 * v - g / 6.0, tol, 0.0);
            assert_near(value_of(s, run, "rms(x)"), sqrt(square), tol, 0.0);
            assert_near(value_of(s, run, "end(x')"), v - g, tol, 0.0);
            assert_near(value_of(s, run, "mid"), 0.5 * v - 0.125 * g, tol, 0.0);
            assert_near(value_of(s, run, "at(0,x)"), 0.0, tol, 0.0);
            assert_near(value_of(s, run, "max(x'')"), -g, tol, 0.0);
        }
        taut_study_free(&s);
    }
    taut_model_free(&model);
}

/* The integral of cos^8 from 0 to t. */
static double eighth_power(double t) {
    return (35.0 * t + 28.0 * sin(2.0 * t) + 7.0 * sin(4.0 * t) + 4.0 / 3.0 * sin(6.0 * t) +
            0.125 * sin(8.0 * t)) /
           128.0;
}

/* Columns that vary faster than the motion: x = cos t takes steps of 4, and its powers and 1/(1.01
 * + x) have shorter series. */
static void test_columns_with_shorter_series_than_the_motion(void **state) {
    (void)state;
    static const char *const SOLVER[] = {"taylor", "ho"};
    static const taut_vary VARY[] = {{"k", "1,4"}};
    static const taut_report REPORT[] = {{NULL, "max(x)"},  {NULL, "max(p)"}, {NULL, "mean(p)"},
                                         {NULL, "max(q)"},  {NULL, "min(q)"}, {NULL, "mean(q)"},
                                         {NULL, "max(r')"}, {NULL, "rms(x)"}, {NULL, "rms(x')"}};
    taut_model *model = parse("PhysicalParams: {k: 1}\n"
                              "Lagrangian: {Coordinates: [x], L: x'^2/2 - k*x^2/2}\n"
                              "Outputs: {p: x^8, q: 1/(1.01 + x), r: log(1.01 + x)}\n"
                              "ProblemData: {tend: 20, positions: {x: 1}}\n");
    for (int i = 0; i < 2; i++) {
        taut_study_options o = taut_study_options_default();
        o.run.solver = SOLVER[i];
        o.vary = VARY, o.varies = 1;
        o.report = REPORT, o.reports = 9;
        taut_study *s = study_of(model, &o);
        for (long run = 0; run < 2; run++) {
            const double w = run == 0 ? 1.0 : 2.0, T = 20.0 * w, root = sqrt(1.01 * 1.01 - 1.0);
            /* over T, whole turns and the rest: 2/root atan(root tan(T/2)/(1.01 + 1)) */
            const double turns = floor(T / (2.0 * M_PI) + 0.5);
            const double angle = atan(root * tan(0.5 * T) / 2.01) + turns * M_PI;
            assert_string_equal(taut_study_outcome(s, run), "ok");
            assert_near(value_of(s, run, "max(x)"), 1.0, 1e-8, 0.0);
            assert_near(value_of(s, run, "max(p)"), 1.0, 1e-7, 0.0);
            assert_near(value_of(s, run, "mean(p)"), eighth_power(T) / T, 1e-8, 0.0);
            assert_near(value_of(s, run, "max(q)"), 100.0, 0.0, 1e-6);
            assert_near(value_of(s, run, "min(q)"), 1.0 / 2.01, 1e-8, 0.0);
            assert_near(value_of(s, run, "mean(q)"), 2.0 / root * angle / T, 0.0, 1e-6);
            assert_near(value_of(s, run, "max(r')"), w / root, 0.0, 1e-6); /* where x = -1/1.01 */
            assert_near(value_of(s, run, "rms(x)"), sqrt(0.5 + sin(2.0 * T) / (4.0 * T)), 1e-8,
                        0.0);
            assert_near(value_of(s, run, "rms(x')"), w * sqrt(0.5 - sin(2.0 * T) / (4.0 * T)), 1e-7,
                        0.0);
        }
        taut_study_free(&s);
    }
    taut_model_free(&model);
}

/* Narrow columns of a free flight, x = t, by every solver: a quotient, a pulse 1/300 of the run
 * wide, a wave, a distance. */
static void test_narrow_columns_by_every_solver(void **state) {
    (void)state;
    static const char *const SOLVER[] = {"taylor", "ho", "erk", "bdf", "adams", "ida"};
    static const taut_vary VARY[] = {{"v", "1"}};
    static const taut_report REPORT[] = {{NULL, "max(o)"},  {NULL, "mean(o)"}, {NULL, "max(p)"},
                                         {NULL, "mean(p)"}, {NULL, "max(q)"},  {NULL, "min(d)"}};
    const double expected[] = {
        1.0, 0.02 * (atan(6.7 / 0.2) + atan(3.3 / 0.2)), 1.0, 0.002 * sqrt(M_PI), 1.0, 0.1};
    taut_model *model = parse("PhysicalParams: {v: 1}\n"
                              "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
                              "Outputs:\n"
                              "  o: 1/(1 + ((x - 3.3)/0.2)^2)\n"
                              "  p: exp(-((x - 7.7)/0.02)^2)\n"
                              "  q: sin(20*x)\n"
                              "  d: sqrt((x - 5)^2 + 0.01)\n"
                              "ProblemData: {tend: 10, positions: {x: 0}, velocities: {x: v}}\n");
    for (int i = 0; i < 6; i++) {
        taut_study_options o = taut_study_options_default();
        o.run.solver = SOLVER[i];
        o.vary = VARY, o.varies = 1;
        o.report = REPORT, o.reports = 6;
        taut_study *s = study_of(model, &o);
        assert_string_equal(taut_study_outcome(s, 0), "ok");
        for (int k = 0; k < 6; k++) {
            const double found = value_of(s, 0, REPORT[k].result);
            if (!(fabs(found - expected[k]) <= 1e-8))
                fail_msg("%s by %s: %.12g", REPORT[k].result, SOLVER[i], found);
        }
        taut_study_free(&s);
    }
    taut_model_free(&model);
}

/* Means and extrema over one step of 10 s, and their derivatives by the velocity: x = v t. */
static void test_gradients_of_columns_with_shorter_series(void **state) {
    (void)state;
    static const char *const METHOD[] = {"forward", "adjoint"};
    static const char *const RESULT[] = {"mean(o)", "rms(o)", "max(o)", "min(d)", "mean(d)"};
    const char *name = "v";
    const double w = 0.2, v = 1.1, a = (10.0 * v - 3.3) / w, b = 3.3 / w;
    taut_model *model = parse("PhysicalParams: {v: 1.1}\n"
                              "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
                              "Outputs: {o: 1/(1 + ((x - 3.3)/0.2)^2), d: sqrt((x - 5)^2 + 0.01)}\n"
                              "ProblemData: {tend: 10, positions: {x: 0}, velocities: {x: v}}\n");
    /* I = w/v (atan a + atan b), and of o^2 w/v (F(a) + F(b)), F = (u/(1 + u^2) + atan u)/2 */
    const double I = w / v * (atan(a) + atan(b)), dI = -I / v + 10.0 / v / (1.0 + a * a);
    const double F = 0.5 * (a / (1.0 + a * a) + atan(a) + b / (1.0 + b * b) + atan(b)) * w / v;
    const double dF = -F / v + 10.0 / v / ((1.0 + a * a) * (1.0 + a * a));
    /* of d: (G(10 v - 5) + G(5))/v, G = (u sqrt(u^2 + c) + c asinh(u/sqrt c))/2, c = 0.01 */
    const double u = 10.0 * v - 5.0, c = 0.01, far = sqrt(u * u + c);
    const double G = 0.5 * (u * far + c * asinh(u / 0.1) + 5.0 * sqrt(25.0 + c) + c * asinh(50.0));
    const double expected[] = {I / 10.0, sqrt(F / 10.0), 1.0, 0.1, G / (10.0 * v)};
    const double slope[] = {dI / 10.0, dF / 20.0 / sqrt(F / 10.0), 0.0, 0.0,
                            (-G / v + 10.0 * far) / (10.0 * v)};
    for (int i = 0; i < 2; i++) {
        taut_gradient_options g = taut_gradient_options_default();
        double value[5], derivative[5];
        g.result = RESULT, g.results = 5;
        g.name = &name, g.names = 1;
        g.method = METHOD[i];
        memset(&errors, 0, sizeof errors);
        if (taut_gradient_find(model, &g, value, derivative, &errors) != TAUT_OK)
            fail_msg("%s", errors.item[0].message);
        for (int k = 0; k < 5; k++) {
            assert_near(value[k], expected[k], 1e-8, 1e-8);
            assert_near(derivative[k], slope[k], 1e-7, 1e-7);
        }
    }
    taut_model_free(&model);
}

static const char PENDULUM[] = "PhysicalParams: {L: 1, m: 1}\n"
                               "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids: {OA: {Geom: [[L]]}}\n"
                               "  Particles: {A: m}\n"
                               "AppliedForces: {Gravity: }\n"
                               "ProblemData:\n"
                               "  tend: 2\n"
                               "  positions: {A: [L, 0]}\n"
                               "  fixedpositions: {A}\n"
                               "  velocities: {A: [0, 0]}\n";

/* Released from the horizontal: at the bottom v^2 = 2 g L, the rod carries 3 m g, and neither
 * depends on where steps end. The constant of gravity is that of the model. */
static void test_a_pendulum_has_its_extrema_inside_steps(void **state) {
    (void)state;
    static const taut_vary VARY[] = {{"L", "0.5,1,2"}};
    static const taut_report REPORT[] = {{NULL, "min(Ay)"},
                                         {NULL, "max(Ax')"},
                                         {NULL, "min(Ax')"},
                                         {NULL, "max(Ay'')"},
                                         {NULL, "range(Ax)"}};
    taut_model *model = parse(PENDULUM);
    taut_study_options o = taut_study_options_default();
    o.vary = VARY, o.varies = 1;
    o.report = REPORT, o.reports = 5;
    taut_study *s = study_of(model, &o);
    for (long run = 0; run < 3; run++) {
        const double L = value_of(s, run, "L"), g = 0.5 * value_of(s, run, "max(Ay'')");
        const double v = sqrt(2.0 * 9.81 * L);
        assert_near(g, 9.81, 1e-7, 0.0); /* at the bottom v^2/L = 2 g */
        assert_near(value_of(s, run, "min(Ay)"), -L, 1e-9, 0.0);
        assert_near(value_of(s, run, "min(Ax')"), -v, 1e-8, 0.0);
        if (L < 1.5) assert_near(value_of(s, run, "max(Ax')"), v, 1e-8, 0.0);
    }
    taut_study_free(&s);
    taut_model_free(&model);
}

/* Forces in joints are known by rows only; asking for one is enough to have them. */
static void test_peak_reactions(void **state) {
    (void)state;
    static const taut_vary VARY[] = {{"m", "1,2,4"}};
    static const taut_report REPORT[] = {{"peak", "max(ground-OA.Fy)"},
                                         {"low", "min(ground-OA.Fy)"}};
    taut_model *model = parse(PENDULUM);
    taut_study_options o = taut_study_options_default();
    o.vary = VARY, o.varies = 1;
    o.report = REPORT, o.reports = 2;
    taut_study *s = study_of(model, &o);
    for (long run = 0; run < 3; run++) {
        const double weight = 9.81 * value_of(s, run, "m");
        const double peak = value_of(s, run, "peak"), low = value_of(s, run, "low");
        assert_string_equal(taut_study_outcome(s, run), "ok");
        assert_near(fmax(fabs(peak), fabs(low)), 3.0 * weight, 1e-7, 0.0);
    }
    taut_study_free(&s);
    taut_model_free(&model);
}

/* ---- threads ---- */

static taut_study *many(const taut_model *model, int threads) {
    static const taut_vary VARY[] = {{"L", "uniform(0.5,2)"}, {"m", "0,1,2"}, {"Ax'", "0+-0.1"}};
    static const taut_report REPORT[] = {{NULL, "max(Ay)"}, {NULL, "rms(Ax')"}, {NULL, "end(Ay)"}};
    taut_study_options o = taut_study_options_default();
    o.vary = VARY, o.varies = 3;
    o.report = REPORT, o.reports = 3;
    o.samples = 30;
    o.seed = 7;
    o.design = "latin";
    o.threads = threads;
    o.run.has_tend = true;
    o.run.tend = 1.0;
    return study_of(model, &o);
}

/* To the last bit, though a mass of 0 (which fails, or asks for other equations) comes to one
 * thread after other masses and to another one before them. */
static void test_tables_do_not_depend_on_threads(void **state) {
    (void)state;
    taut_model *model = parse(PENDULUM);
    taut_study *one = many(model, 1);
    assert_int_equal(taut_study_runs(one), 90);
    for (int threads = 2; threads <= 5; threads++) {
        taut_study *s = many(model, threads);
        for (long run = 0; run < 90; run++) {
            assert_string_equal(taut_study_outcome(s, run), taut_study_outcome(one, run));
            for (int c = 0; c < taut_study_columns(s); c++) {
                const double a = taut_study_value(s, run, c), b = taut_study_value(one, run, c);
                assert_memory_equal(&a, &b, sizeof a);
            }
        }
        taut_study_free(&s);
    }
    taut_study_free(&one);
    taut_model_free(&model);
}

/* A run of a study is what a run by itself is. */
static void test_runs_are_those_of_fresh_simulations(void **state) {
    (void)state;
    taut_model *model = parse(PENDULUM);
    taut_study *study = many(model, 2);
    for (long run = 0; run < 90; run += 7) {
        taut_simulation *s;
        taut_run_options o = taut_run_options_default();
        o.has_tend = true;
        o.tend = 1.0;
        o.derivatives = 1;
        assert_int_equal(taut_simulation_create(model, &o, &s, NULL), TAUT_OK);
        taut_simulation_set_parameter(s, "L", taut_study_value(study, run, 1), NULL);
        taut_simulation_set_parameter(s, "m", taut_study_value(study, run, 2), NULL);
        taut_simulation_set_initial(s, "Ax'", taut_study_value(study, run, 3), NULL);
        const bool ok = taut_simulation_start(s, NULL) == TAUT_OK &&
                        taut_simulation_run_to(s, 1.0, NULL) == TAUT_OK;
        assert_int_equal(ok, strcmp(taut_study_outcome(study, run), "ok") == 0);
        if (ok) assert_true(taut_simulation_now(s, "Ay") == value_of(study, run, "end(Ay)"));
        taut_simulation_free(&s);
    }
    taut_study_free(&study);
    taut_model_free(&model);
}

/* Correlations with an event that does not happen in every run: x = v t passes 1 at 1/v, for v = 1,
 * 1.2 .. 2 before the end. */
static void test_correlations_over_the_runs_that_have_both(void **state) {
    (void)state;
    taut_model *model = parse("PhysicalParams: {v: 2}\n"
                              "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
                              "Events: {there: {When: x - 1}}\n"
                              "ProblemData: {tend: 1.01, positions: {x: 0}, velocities: {x: v}}\n");
    const taut_vary vary[] = {{"v", "0.2..2:10"}};
    const taut_report report[] = {{NULL, "first(there)"}};
    taut_study_options o = taut_study_options_default();
    taut_study *s = NULL;
    o.vary = vary, o.varies = 1;
    o.report = report, o.reports = 1;
    assert_int_equal(taut_study_create(model, &o, &s, NULL), TAUT_OK);
    assert_int_equal(taut_study_run(s, NULL), TAUT_OK);
    double v = 0.0, t = 0.0, vv = 0.0, tt = 0.0, vt = 0.0;
    for (int k = 5; k <= 10; k++) {
        const double a = 0.2 * k, b = 1.0 / a;
        v += a / 6.0, t += b / 6.0, vv += a * a / 6.0, tt += b * b / 6.0, vt += a * b / 6.0;
    }
    const double r = (vt - v * t) / sqrt((vv - v * v) * (tt - t * t));
    assert_int_equal(taut_study_spread(s, 2).count, 6);
    assert_near(taut_study_correlation(s, 1, 2), r, 1e-9, 0.0); /* -0.98 */
    assert_near(taut_study_correlation(s, 2, 1), r, 1e-9, 0.0);
    taut_study_free(&s);
    taut_model_free(&model);
}

/* Sums of columns, done in another way. */
static void test_statistics(void **state) {
    (void)state;
    taut_model *model = parse(PENDULUM);
    taut_study *s = many(model, 2);
    const taut_spread x = taut_study_spread(s, 6), y = taut_study_spread(s, 1);
    double mean = 0.0, cross = 0.0, square = 0.0, other = 0.0;
    long count = 0;
    for (long i = 0; i < 90; i++)
        if (strcmp(taut_study_outcome(s, i), "ok") == 0) {
            mean += taut_study_value(s, i, 6);
            count++;
        }
    mean /= (double)count;
    for (long i = 0; i < 90; i++)
        if (strcmp(taut_study_outcome(s, i), "ok") == 0) {
            const double a = taut_study_value(s, i, 6) - mean;
            const double b = taut_study_value(s, i, 1) - y.mean;
            square += a * a;
            other += b * b;
            cross += a * b;
        }
    assert_int_equal(x.count, count);
    assert_int_equal(count, 90 - taut_study_failed(s));
    assert_near(x.mean, mean, 1e-14, 0.0);
    assert_near(x.sd, sqrt(square / (double)(count - 1)), 1e-14, 0.0);
    assert_near(taut_study_correlation(s, 1, 6), cross / sqrt(square * other), 1e-13, 0.0);
    assert_near(taut_study_correlation(s, 6, 6), 1.0, 1e-13, 0.0);
    assert_true(x.min <= mean && mean <= x.max);
    taut_study_free(&s);
    taut_model_free(&model);
}

/* x' = a*b from 0 to 2: each run has a pair of its own. */
static void test_points_are_runs_one_by_one(void **state) {
    (void)state;
    taut_model *model = parse("PhysicalParams: {a: 1, b: 1}\n"
                              "DAE: {Variables: [x], Equations: [x' - a*b]}\n"
                              "ProblemData: {t0: 0, tend: 2, positions: {x: 0}}\n");
    const taut_vary vary[] = {{"a", NULL}, {"b", NULL}};
    const taut_report report = {NULL, "end(x)"};
    const double point[] = {1.0, 2.0, 3.0, 4.0, -1.0, 5.0, 7.0, -0.5};
    taut_study_options o = taut_study_options_default();
    o.vary = vary, o.varies = 2, o.report = &report, o.reports = 1;
    o.point = point, o.points = 4, o.trace = "x", o.trace_rows = 3;
    taut_study *s = NULL;
    assert_int_equal(taut_study_create(model, &o, &s, &errors), TAUT_OK);
    const taut_table before = taut_study_table(s);
    assert_true(isnan(before.value[0])); /* not done */
    assert_int_equal(taut_study_run(s, &errors), TAUT_OK);
    const taut_table t = taut_study_table(s);
    assert_int_equal(t.rows, 4);
    assert_int_equal(t.columns, 1 + 3);
    for (int i = 0; i < 4; i++) {
        const double a = point[2 * i], b = point[2 * i + 1];
        assert_true(taut_study_value(s, i, 1) == a && taut_study_value(s, i, 2) == b);
        for (int k = 0; k < 3; k++)
            assert_near(t.value[i * t.row_stride + 1 + k], taut_study_trace_value(s, i, k, 0), 0.0,
                        0.0);
        assert_near(t.value[i * t.row_stride], 2.0 * a * b, 1e-12, 0.0);
        assert_near(t.value[i * t.row_stride + 2], a * b, 1e-12, 0.0);
    }
    taut_study_free(&s);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_are_runs_one_by_one),
        cmocka_unit_test(test_philox_gives_the_known_answers),
        cmocka_unit_test(test_values_are_read),
        cmocka_unit_test(test_nonsense_is_refused),
        cmocka_unit_test(test_quantiles_invert_the_distributions),
        cmocka_unit_test(test_latin_hypercube_has_one_sample_a_stratum),
        cmocka_unit_test(test_sobol_points_are_evenly_spread),
        cmocka_unit_test(test_sobol_pairs_are_not_correlated),
        cmocka_unit_test(test_random_points_are_independent),
        cmocka_unit_test(test_extrema_of_polynomials),
        cmocka_unit_test(test_a_thrown_mass_is_exact_by_every_solver),
        cmocka_unit_test(test_columns_with_shorter_series_than_the_motion),
        cmocka_unit_test(test_narrow_columns_by_every_solver),
        cmocka_unit_test(test_gradients_of_columns_with_shorter_series),
        cmocka_unit_test(test_a_pendulum_has_its_extrema_inside_steps),
        cmocka_unit_test(test_peak_reactions),
        cmocka_unit_test(test_tables_do_not_depend_on_threads),
        cmocka_unit_test(test_runs_are_those_of_fresh_simulations),
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_correlations_over_the_runs_that_have_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
