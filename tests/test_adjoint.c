/* Gradients of results: by adjoints against variations, closed forms, and across events. */
#include "solve_text.h"

#include <math.h>

#include "task/tryout.h"

enum { MOST = 40 };

typedef struct gradient {
    double value[MOST], by[MOST * MOST];
} gradient;

static taut_status find(const taut_model *model, taut_gradient_options *o, const char *method,
                        gradient *g, taut_errors *errors) {
    o->method = method;
    return taut_gradient_find(model, o, g->value, g->by, errors);
}

static void must_find(const taut_model *model, taut_gradient_options *o, const char *method,
                      gradient *g) {
    taut_errors errors = {0};
    const taut_status status = find(model, o, method, g, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
}

static int count(const char *const *list) {
    int n = 0;
    while (list[n]) n++;
    assert_true(n <= MOST);
    return n;
}

static taut_gradient_options ask(const char *const *result, const char *const *name) {
    taut_gradient_options o = taut_gradient_options_default();
    o.run.rtol = o.run.atol = 1e-13;
    o.result = result, o.results = count(result);
    o.name = name, o.names = count(name);
    return o;
}

/* To 10 digits of the largest derivative of a result by names, each beside its own size. */
static void check_both_ways_in(const char *formulation, const taut_model *model, double tend,
                               bool reactions, const char *const *result, const char *const *name) {
    static gradient along, back;
    taut_gradient_options o = ask(result, name);
    o.run.formulation = formulation;
    o.run.has_tend = true;
    o.run.tend = tend;
    o.run.reactions = reactions;
    must_find(model, &o, "forward", &along);
    must_find(model, &o, "adjoint", &back);
    for (int i = 0; i < o.results; i++) {
        double largest = 0.0;
        assert_true(along.value[i] == back.value[i]);
        for (int k = 0; k < o.names; k++) largest = fmax(largest, fabs(along.by[i * o.names + k]));
        assert_true(largest > 0.0);
        for (int k = 0; k < o.names; k++) {
            const double a = along.by[i * o.names + k], b = back.by[i * o.names + k];
            if (!(fabs(a - b) <= 1e-10 * fmax(fabs(a), 1e-2 * largest)))
                fail_msg("%s by %s: %.15g by variations, %.15g by adjoints", result[i], name[k], a,
                         b);
        }
    }
}

static void check_both_ways(const taut_model *model, double tend, bool reactions,
                            const char *const *result, const char *const *name) {
    check_both_ways_in(NULL, model, tend, reactions, result, name);
}

static void check_file(const char *file, double tend, bool reactions, const char *const *result,
                       const char *const *name) {
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/examples/%s", TAUT_SOURCE_DIR, file);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    check_both_ways(model, tend, reactions, result, name);
    taut_model_free(&model);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_adjoints_are_the_transpose_of_variations(void **state) {
    (void)state;
    check_file(
        "andrews.yaml", 0.03, false,
        LIST("end(beta)", "max(Ex)", "mean(beta)", "rms(Ey)", "at(0.02, beta')", "range(Ex')"),
        LIST("d", "da", "e", "ea", "zf", "fa", "rr", "ra", "ss", "sa", "sb", "sc", "sd", "zt", "ta",
             "tb", "u", "ua", "ub", "c0", "l0", "mom", "beta"));
    check_file("slider-crank.yaml", 1.0, true,
               LIST("end(s)", "min(s')", "max(ground-OA.Fx)", "rms(Ax'')"),
               LIST("l1", "m1", "l2", "m2", "s'", "Ax"));
    check_file("bricard.yaml", 0.7, false, LIST("end(P1x)", "rms(P3x')", "end(P2z)"),
               LIST("L", "m", "h"));
    check_file("heavy-top.yaml", 0.5, false, LIST("end(Cx)", "min(Cz)"),
               LIST("l", "I1", "spin", "theta0"));
}

static void test_adjoints_in_other_coordinates(void **state) {
    (void)state;
    static const char *const FORMULATION[] = {"relative", "reference"};
    char path[512];
    for (int f = 0; f < 2; f++) {
        taut_model *model = NULL;
        taut_errors errors = {0};
        snprintf(path, sizeof path, "%s/examples/slider-crank.yaml", TAUT_SOURCE_DIR);
        assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
        check_both_ways_in(FORMULATION[f], model, 1.0, true,
                           LIST("end(s)", "max(ground-OA.Fx)", "rms(Ax'')"),
                           LIST("l1", "m1", "l2", "s'"));
        taut_model_free(&model);
        snprintf(path, sizeof path, "%s/examples/contact/rocking-block.yaml", TAUT_SOURCE_DIR);
        assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
        check_both_ways_in(FORMULATION[f], model, 0.9, false, LIST("end(phi)", "mean(By)"),
                           LIST("h", "b"));
        taut_model_free(&model);
    }
}

/* Index 5: constraints on constraints, so that projections go through several orders. */
static void test_equations_of_high_index(void **state) {
    (void)state;
    taut_model *model = read_text(
        "PhysicalParams: {G: 1, L: 1, c: 0.1}\n"
        "DAE:\n"
        "  Variables: [x, y, lam, u, v, kap]\n"
        "  Equations: [x'' + x*lam, y'' + y*lam - G, x^2 + y^2 - L^2, u'' + u*kap, v'' + v*kap - "
        "G, u^2 + v^2 - (L + c*lam)^2]\n"
        "ProblemData: {tend: 1, positions: {x: 1, y: 0, u: 0.1, v: 1}, velocities: {x: 0, y: 1, "
        "u: 1, v: 0}}\n");
    check_both_ways(model, 1.0, false, LIST("end(u)", "max(kap)", "mean(lam)"),
                    LIST("G", "L", "c", "y'", "u"));
    taut_model_free(&model);
}

/* x = x0 cos(w t) + v/w sin(w t): mean and end by w, x0 and v. Time runs backwards as well. */
static void test_oscillator(void **state) {
    (void)state;
    static gradient g;
    taut_model *model =
        read_text("PhysicalParams: {w: 1.7, a: 0.6, v: 0.4}\n"
                  "Lagrangian: {Coordinates: [x], L: x'^2/2 - w^2*x^2/2}\n"
                  "ProblemData: {t0: 0, tend: 2, positions: {x: a}, velocities: {x: v}}\n");
    for (int backwards = 0; backwards < 2; backwards++) {
        const double w = 1.7, a = 0.6, v = 0.4, t = backwards ? -2.0 : 2.0;
        const double c = cos(w * t), s = sin(w * t);
        taut_gradient_options o = ask(LIST("end(x)", "mean(x)"), LIST("w", "a", "v"));
        o.run.has_tend = true;
        o.run.tend = t;
        must_find(model, &o, "adjoint", &g);
        assert_near(g.by[0], -a * t * s - v / (w * w) * s + v / w * t * c, 0.0, 1e-12);
        assert_near(g.by[1], c, 0.0, 1e-12);
        assert_near(g.by[2], s / w, 0.0, 1e-12);
        assert_near(g.by[4], s / (w * t), 0.0, 1e-12);
        assert_near(g.by[5], (1.0 - c) / (w * w * t), 0.0, 1e-12);
    }
    taut_model_free(&model);
}

/* ---- events ---- */

#define BALL                                                                                       \
    "PhysicalParams: {g: 9.81, e: 0.8, h: 1}\n"                                                    \
    "DAE: {Variables: [y], Equations: [y'' + g]}\n"                                                \
    "Events: {bounce: {When: y, Direction: down, Do: {\"y'\": -e*y'}}}\n"                          \
    "ProblemData: {tend: 1, positions: {y: h}, velocities: {y: 0}}\n"

/* The largest speeds are those at the impact, which comes at another time with another h; an
 * integral of what jumps depends on when it jumps. */
static void check_ball(const char *method) {
    static gradient g;
    const double G = 9.81, E = 0.8, v = sqrt(2.0 * G);
    taut_model *model = read_text(BALL);
    taut_gradient_options o =
        ask(LIST("min(y')", "max(y')", "mean(y')", "rms(y')", "first(bounce)", "end(y)"),
            LIST("g", "e", "h"));
    must_find(model, &o, method, &g);
    assert_near(g.by[0], -1.0 / v, 0.0, 1e-11);
    assert_near(g.by[1], 0.0, 1e-11, 0.0);
    assert_near(g.by[2], -G / v, 0.0, 1e-11);
    assert_near(g.by[3], E / v, 0.0, 1e-11);
    assert_near(g.by[4], v, 0.0, 1e-11);
    assert_near(g.by[5], E * G / v, 0.0, 1e-11);
    for (int k = 0; k < 3; k++) /* the mean of the speed is y(1) - h */
        assert_near(g.by[6 + k], g.by[15 + k] - (k == 2 ? 1.0 : 0.0), 1e-11, 1e-11);
    assert_near(g.by[16], 2.429446918070020, 0.0, 1e-12);
    /* the integral of y'^2: (v^3 + ((e v)^3 - (e v - g (1 - T))^3)) / (3 g), T = v/g */
    const double T = v / G, u = E * v - G * (1.0 - T), rms = g.value[3];
    assert_near(rms * rms, (v * v * v + E * E * E * v * v * v - u * u * u) / (3.0 * G), 0.0, 1e-11);
    assert_near(2.0 * rms * g.by[10], (3.0 * E * E * v * v * v - 3.0 * u * u * v) / (3.0 * G), 0.0,
                1e-10);
    const double v_h = G / v, u_h = E * v_h + v_h; /* du/dh, with dT/dh = v_h/g */
    assert_near(2.0 * rms * g.by[11],
                (3.0 * v * v * v_h + 3.0 * E * E * E * v * v * v_h - 3.0 * u * u * u_h) / (3.0 * G),
                0.0, 1e-10);
    assert_near(g.by[14], 1.0 / v, 0.0, 1e-11);
    assert_near(g.by[12], -0.5 * T / G, 0.0, 1e-11);
    taut_model_free(&model);
}

static void test_results_across_events(void **state) {
    (void)state;
    check_ball("forward");
    check_ball("adjoint");
    check_ball(NULL);
}

/* A throw that ends where it lands: x = v^2 sin(2a)/g. */
static void check_throw(const char *method) {
    static gradient g;
    const double v = 10.0, a = 0.7, G = 9.81, T = 2.0 * v * sin(a) / G;
    taut_model *model = read_text("PhysicalParams: {v: 10, a: 0.7, g: 9.81}\n"
                                  "Lagrangian: {Coordinates: [x, y], L: (x'^2 + y'^2)/2 - g*y}\n"
                                  "Events: {land: {When: y, Direction: down, Stop: true}}\n"
                                  "ProblemData: {tend: 5, positions: {x: 0, y: 0}, velocities: {x: "
                                  "v*cos(a), y: v*sin(a)}}\n");
    taut_gradient_options o =
        ask(LIST("end(x)", "mean(y)", "rms(y')", "max(x)", "end(t)"), LIST("v", "a", "g"));
    must_find(model, &o, method, &g);
    assert_near(g.value[0], v * v * sin(2.0 * a) / G, 0.0, 1e-12);
    for (int i = 0; i < 4; i += 3) {
        assert_near(g.by[3 * i], 2.0 * v * sin(2.0 * a) / G, 0.0, 1e-10);
        assert_near(g.by[3 * i + 1], 2.0 * v * v * cos(2.0 * a) / G, 0.0, 1e-10);
        assert_near(g.by[3 * i + 2], -v * v * sin(2.0 * a) / (G * G), 0.0, 1e-10);
    }
    /* mean height: v^2 sin^2(a)/(3 g); rms of y': v sin(a)/sqrt(3) */
    assert_near(g.by[3], 2.0 * v * sin(a) * sin(a) / (3.0 * G), 0.0, 1e-10);
    assert_near(g.by[4], v * v * sin(2.0 * a) / (3.0 * G), 0.0, 1e-10);
    assert_near(g.by[5], -v * v * sin(a) * sin(a) / (3.0 * G * G), 0.0, 1e-10);
    assert_near(g.by[6], sin(a) / sqrt(3.0), 0.0, 1e-10);
    assert_near(g.by[8], 0.0, 1e-10, 0.0);
    assert_near(g.by[12], T / v, 0.0, 1e-10);
    taut_model_free(&model);
}

static void test_an_event_that_ends_the_run(void **state) {
    (void)state;
    check_throw("forward");
    check_throw("adjoint");
    check_throw(NULL);
}

/* Equations change (contacts close, stick and slide), velocities jump, and numbers are assigned. */
static void test_events_transposed(void **state) {
    (void)state;
    taut_model *model = read_text(BALL);
    check_both_ways(model, 3.5, false, /* seven bounces */
                    LIST("end(y)", "mean(y)", "max(y')", "first(bounce)", "at(2, y')"),
                    LIST("g", "e", "h"));
    taut_model_free(&model);
    check_file("contact/woodpecker.yaml", 0.3, false,
               LIST("end(y)", "end(S)", "range(S)", "max(S')", "mean(y)", "rms(M')", "at(0.2, S)"),
               LIST("rO", "rM", "hM", "lM", "lG", "hS", "lS", "mM", "mS", "JM", "JS", "c", "g",
                    "mu", "S"));
    check_file("contact/rocking-block.yaml", 0.6, false, LIST("end(phi)", "max(Ay)", "mean(phi)"),
               LIST("b", "h", "m", "tilt"));
    check_file("contact/incline.yaml", 1.5, true, LIST("end(s)", "mean(s)", "max(s)"),
               LIST("mu", "v0"));
    check_file("contact/pendulum-stop.yaml", 2.0, false, LIST("end(phi)", "end(psi')"),
               LIST("L", "m", "phi"));
    check_file("contact/belt.yaml", 12.0, false, LIST("end(Ax)", "rms(Ax)"),
               LIST("v", "k", "Fs", "Fk"));
}

/* n counts crossings and drives the motion, r follows from it: numbers vary at events, and one of
 * them is the reciprocal of where it was set. Closed form: x' = 1 until x = a, then x' = r = b/n
 * with n = 1 + c x. At T: a + (T - a) b/(1 + c a). */
static void test_numbers_that_events_assign(void **state) {
    (void)state;
    static gradient g;
    taut_model *model = read_text("PhysicalParams: {a: 0.4, b: 1.5, c: 0.7, r: b/n}\n"
                                  "Discrete: {n: b}\n"
                                  "DAE: {Variables: [x], Equations: [x' - r]}\n"
                                  "Events: {set: {When: x - a, Direction: up, Do: {n: 1 + c*x}}}\n"
                                  "ProblemData: {tend: 1, positions: {x: 0}}\n");
    const double a = 0.4, b = 1.5, c = 0.7, left = 1.0 - a, n = 1.0 + c * a;
    for (int back = 0; back < 2; back++) {
        taut_gradient_options o = ask(LIST("end(x)", "first(set)"), LIST("a", "b", "c"));
        must_find(model, &o, back ? "adjoint" : "forward", &g);
        assert_near(g.value[0], a + left * b / n, 0.0, 1e-12);
        assert_near(g.by[0], 1.0 - b / n - left * b * c / (n * n), 0.0, 1e-11);
        assert_near(g.by[1], left / n, 0.0, 1e-11);
        assert_near(g.by[2], -left * b * a / (n * n), 0.0, 1e-11);
        assert_near(g.by[3], 1.0, 0.0, 1e-11);
        assert_near(g.by[4], 0.0, 1e-11, 0.0);
        /* r itself follows n, but not in its own direction: told, and done by variations */
        taut_errors errors = {0};
        o = ask(LIST("end(x)"), LIST("r"));
        const taut_status status = find(model, &o, back ? "adjoint" : "forward", &g, &errors);
        assert_int_equal(status, back ? TAUT_ERR_NUMERICS : TAUT_OK);
        if (back) assert_non_null(strstr(errors.item[0].message, "follows from numbers"));
    }
    taut_model_free(&model);
}

/* x = sin(w t) until w t = f = 0.3 pi n: results change with the end of the run, which is a
 * formula. A time that the caller gives does not move. */
static void test_the_end_is_a_formula(void **state) {
    (void)state;
    static gradient g;
    taut_model *model =
        read_text("PhysicalParams: {w: 1.3, n: 1, span: 0.3*pi/w}\n"
                  "DAE: {Variables: [x], Equations: [x'' + w^2*x]}\n"
                  "ProblemData: {tend: n*span, positions: {x: 0}, velocities: {x: w}}\n");
    const double w = 1.3, df = 0.3 * acos(-1.0), f = df, m = (1.0 - cos(f)) / f;
    const double r = sqrt(0.5 - sin(2.0 * f) / (4.0 * f));
    const struct {
        const char *result;
        double value, by_w, by_n;
    } KNOWN[] = {
        {"end(x)", sin(f), 0.0, cos(f) * df},
        {"end(x')", w * cos(f), cos(f), -w * sin(f) * df},
        {"max(x)", sin(f), 0.0, cos(f) * df},
        {"min(x')", w * cos(f), cos(f), -w * sin(f) * df},
        {"range(x)", sin(f), 0.0, cos(f) * df},
        {"range(x')", w * (1.0 - cos(f)), 1.0 - cos(f), w * sin(f) * df},
        {"min(x)", 0.0, 0.0, 0.0},
        {"mean(x)", m, 0.0, (sin(f) - m) / f * df},
        {"rms(x)", r, 0.0, (sin(f) * sin(f) - r * r) / (2.0 * f * r) * df},
        {"at(0.2,x)", sin(0.2 * w), 0.2 * cos(0.2 * w), 0.0},
    };
    for (int back = 0; back < 2; back++)
        for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
            taut_gradient_options o = ask(LIST(KNOWN[i].result), LIST("w", "n"));
            must_find(model, &o, back ? "adjoint" : "forward", &g);
            assert_near(g.value[0], KNOWN[i].value, 1e-12, 0.0);
            assert_near(g.by[0], KNOWN[i].by_w, 1e-10, 0.0);
            assert_near(g.by[1], KNOWN[i].by_n, 1e-10, 0.0);
            o.run.has_tend = true, o.run.tend = f / w;
            must_find(model, &o, back ? "adjoint" : "forward", &g);
            assert_near(g.by[1], 0.0, 1e-12, 0.0);
        }
    taut_model_free(&model);
}

/* One simulation, many points, with other events: equations of one run do not spoil the next, to
 * the last bit. */
static void test_gradients_in_a_row(void **state) {
    (void)state;
    enum { NAMES = 4, POINTS = 3 };
    static const char *const NAME[NAMES] = {"rO", "c", "g", "mu"};
    static const double POINT[POINTS][NAMES] = {
        {0.0025, 0.0056, 9.81, 0.3}, {0.0025, 0.007, 9.0, 0.4}, {0.0025, 0.0056, 9.81, 0.3}};
    char path[512];
    taut_model *model = NULL;
    taut_errors errors = {0};
    taut_arena arena = {0};
    taut_figure figure;
    taut_tryout *tryout;
    double value[POINTS], slope[POINTS][NAMES];
    const taut_report report = {NULL, "end(y)"};
    taut_run_options run = at_tolerance(1e-12);
    snprintf(path, sizeof path, "%s/examples/contact/woodpecker.yaml", TAUT_SOURCE_DIR);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_figure_read(&report, &arena, &figure, &errors), TAUT_OK);
    run.solver = "taylor";
    run.sensitivity = "rO,c,g,mu";
    run.has_tend = true;
    run.tend = 0.2;
    const taut_tryout_order order = {.model = model,
                                     .run = &run,
                                     .name = NAME,
                                     .initial = (bool[NAMES]){false},
                                     .names = NAMES,
                                     .figure = &figure,
                                     .figures = 1,
                                     .back = true};
    assert_int_equal(taut_tryout_create(&order, &tryout, &errors), TAUT_OK);
    for (int i = 0; i < POINTS; i++) {
        const taut_status status =
            taut_tryout_slopes(tryout, POINT[i], &value[i], slope[i], &errors);
        if (status != TAUT_OK) show_errors(&errors);
        assert_int_equal(status, TAUT_OK);
    }
    assert_true(value[0] == value[2] && value[0] != value[1]);
    for (int k = 0; k < NAMES; k++) assert_true(slope[0][k] == slope[2][k]);
    taut_tryout_free(&tryout);
    taut_arena_release(&arena);
    taut_model_free(&model);
}

/* ---- refusals ---- */

static void check_refused(const taut_model *model, taut_gradient_options *o, const char *method,
                          const char *words) {
    static gradient g;
    taut_errors errors = {0};
    assert_int_not_equal(find(model, o, method, &g, &errors), TAUT_OK);
    assert_true(errors.count > 0);
    if (!strstr(errors.item[0].message, words)) fail_msg("%s", errors.item[0].message);
}

static void test_refusals(void **state) {
    (void)state;
    taut_model *model = read_text(BALL);
    taut_gradient_options o = ask(LIST("end(y)"), LIST("g"));
    check_refused(model, &o, "backward", "there are forward and adjoint");
    o.result = LIST("count(bounce)");
    check_refused(model, &o, NULL, "has no derivative");
    o.result = LIST("end(z)");
    check_refused(model, &o, NULL, "no column 'z'");
    o.result = LIST("end(y)");
    o.name = LIST("q");
    check_refused(model, &o, NULL, "'q' is neither a parameter");
    o.names = 0;
    check_refused(model, &o, NULL, "give both lists");
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjoints_are_the_transpose_of_variations),
        cmocka_unit_test(test_adjoints_in_other_coordinates),
        cmocka_unit_test(test_equations_of_high_index),
        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_results_across_events),
        cmocka_unit_test(test_an_event_that_ends_the_run),
        cmocka_unit_test(test_events_transposed),
        cmocka_unit_test(test_numbers_that_events_assign),
        cmocka_unit_test(test_the_end_is_a_formula),
        cmocka_unit_test(test_gradients_in_a_row),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
