/* Circles on curves: against lines and circles that are known as such, closed forms on a parabola,
 * and a search of the whole rim. */
#include "solve_text.h"

#include <math.h>

#include "model/model.h"

static solution *run(const char *text, const char *formulation, const char *solver,
                     const double *at, int ats) {
    taut_run_options o = at_tolerance(1e-12);
    o.formulation = formulation;
    o.solver = solver;
    o.at = at;
    o.ats = ats;
    return solve_text(text, &o);
}

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    if (column < 0) fail_msg("no column %s", name);
    return taut_result_value(s->result, row, column);
}

/* The same columns in both, row by row, and the same events, but for bounces that are too low to be
 * seen: how many of them there are is a matter of rounding. */
static void compare(const solution *a, const solution *b, const char *const *name, int names,
                    double digits) {
    const taut_notes *x = taut_result_notes(a->result), *y = taut_result_notes(b->result);
    for (long i = 0; i < taut_result_rows(a->result); i++)
        for (int k = 0; k < names; k++)
            assert_near(value(a, i, name[k]), value(b, i, name[k]), digits, digits);
    for (int i = 0, k = 0; i < x->events; i++, k++) {
        const bool low = x->event[i].impulse < 3e-5 && strcmp(x->event[i].kind, "impact") == 0;
        if (low) break;
        assert_true(k < y->events);
        assert_string_equal(x->event[i].kind, y->event[k].kind);
        assert_near(x->event[i].t, y->event[k].t, 1e-9, 0.0);
        assert_near(x->event[i].impulse, y->event[k].impulse, 1e-9, 0.0);
    }
    const taut_happened *p = &x->event[x->events - 1], *q = &y->event[y->events - 1];
    assert_string_equal(p->kind, q->kind);
    assert_near(p->t, q->t, 1e-8, 0.0);
}

/* A line and the inside of a circle, told as curves: a wheel bounces, slides and rolls on them as
 * on what they are, in every formulation and by both solvers. */
static void test_known_shapes(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [0.8, -0.6]}\n"
        "  Rigids: {CP: {Geom: [[0.1]], Dyna: [[0, 0], 0.5, 0.002]}}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {w: {Circle: [C, 0.1], On: {%s}, Restitution: 0.3, Friction: 0.2}}\n"
        "ProblemData: {tend: 1.2, positions: {C: [-0.3, 0.5], P: [-0.2, 0.5]},\n"
        "  velocities: {C: [0.4, -1], P: [0.4, -3]}}\n";
    static const char *const shape[][2] = {
        {"Line: [O, u]", "Curve: 3*(y + 0.75*x)"},
        {"Circle: [O, 0.8], Inside: true", "Curve: 0.64 - x^2 - y^2"}};
    static const char *const how[][2] = {
        {"natural", "taylor"}, {"reference", "taylor"}, {"relative", "taylor"}, {"natural", "ho"}};
    static const char *const name[] = {"Cx", "Cy", "Cx'", "Px", "Py", "Py'", "w.N", "w.T"};
    static const double at[] = {0.1, 0.35, 0.8, 1.2};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) {
            char a[900], b[900];
            snprintf(a, sizeof a, text, shape[i][0]);
            snprintf(b, sizeof b, text, shape[i][1]);
            solution *x = run(a, how[k][0], how[k][1], at, 4),
                     *y = run(b, how[k][0], how[k][1], at, 4);
            compare(x, y, name, 8, 1e-9);
            assert_near(value(y, 3, "energy") - value(y, 3, "work"),
                        value(y, 0, "energy") - value(y, 0, "work"), 1e-11, 0.0);
            solution_free(x);
            solution_free(y);
        }
}

/* A disc without friction on a parabola: its centre runs on the parallel curve. From the foot (a,
 * a^2/2) it comes to the bottom with v^2 = 2 g times its fall, and the curvature there is 1/(1 -
 * r). */
static void test_parabola(void **state) {
    (void)state;
    static const char text[] = "PhysicalParams: {r: 0.3, a: 0.8, l: sqrt(1 + a^2)}\n"
                               "Dimension: 2\n"
                               "PartData: {Particles: {C: 2}}\n"
                               "AppliedForces: {Gravity: [0, -9.81]}\n"
                               "Contacts: {dish: {Circle: [C, r], On: {Curve: y - 0.5*x^2}}}\n"
                               "Events: {bottom: {When: Cx, Direction: down, Stop: true}}\n"
                               "ProblemData: {tend: 3, positions: {C: [a - r*a/l, a^2/2 + r/l]}}\n";
    taut_run_options o = at_tolerance(1e-12);
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(text, &o);
    const long last = taut_result_rows(s->result) - 1;
    const double l = sqrt(1.64), v2 = 2.0 * 9.81 * (0.32 + 0.3 / l - 0.3);
    assert_near(value(s, last, "Cx'"), -sqrt(v2), 0.0, 1e-11);
    assert_near(value(s, last, "Cy"), 0.3, 1e-13, 0.0);
    assert_near(value(s, last, "dish.N"), 2.0 * (9.81 + v2 / 0.7), 0.0, 1e-10);
    assert_near(value(s, last, "dish.angle"), -0.5 * M_PI, 1e-11, 0.0);
    solution_free(s);
}

/* ---- a rough ground: the nearest place is now here, now there ---- */

#define R 0.3
/* Of the place at this angle. */
static double height(double x, double y, double angle) {
    return y + R * sin(angle) - 0.3 * cos(5.0 * (x + R * cos(angle)));
}

/* The least one along the rim: a fine scan, then golden sections. */
static double least_height(double x, double y) {
    enum { PLACES = 3600 };
    int best = 0;
    for (int k = 1; k < PLACES; k++)
        if (height(x, y, 2.0 * M_PI * k / PLACES) < height(x, y, 2.0 * M_PI * best / PLACES))
            best = k;
    double a = 2.0 * M_PI * (best - 1) / PLACES, b = 2.0 * M_PI * (best + 1) / PLACES;
    for (int k = 0; k < 100; k++) {
        const double p = a + 0.382 * (b - a), q = a + 0.618 * (b - a);
        if (height(x, y, p) < height(x, y, q))
            b = q;
        else
            a = p;
    }
    return height(x, y, 0.5 * (a + b));
}

#define GROUND                                                                                     \
    "Dimension: 2\n"                                                                               \
    "PartData: {Particles: {C: 1}}\n"                                                              \
    "AppliedForces: {Gravity: [0, -9.81]}\n"                                                       \
    "Contacts: {ball: {Circle: [C, 0.3], On: {Curve: y - 0.3*cos(5*x)}, Restitution: 0.9}}\n"      \
    "ProblemData: {tend: %g, positions: {C: [%g, 1.5]}, velocities: {C: [%g, 0]}}\n"

/* The first impact of a ball that flies above waves is where its own parabola has it, whatever
 * places have been nearest before. */
static void test_other_places(void **state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        char text[700];
        const double x0 = -0.9 + 0.17 * i, v = 2.2 - 0.35 * i;
        double a = 0.0, b = 0.0;
        while (least_height(x0 + v * b, 1.5 - 4.905 * b * b) > 0.0) b += 0.002;
        for (int k = 0; k < 60; k++) {
            const double m = 0.5 * (a + b);
            *(least_height(x0 + v * m, 1.5 - 4.905 * m * m) > 0.0 ? &a : &b) = m;
        }
        snprintf(text, sizeof text, GROUND, b + 0.001, x0, v);
        solution *s = run(text, "natural", "taylor", &b, 1);
        const taut_notes *n = taut_result_notes(s->result);
        assert_int_equal(n->events, 1);
        assert_near(n->event[0].t, b, 1e-8, 0.0);
        solution_free(s);
    }
}

/* No row has any place below the curve, through many bounces. */
static void test_nothing_is_missed(void **state) {
    (void)state;
    char text[700];
    taut_run_options o = at_tolerance(1e-12);
    snprintf(text, sizeof text, GROUND, 2.0, 0.3, 1.2);
    o.every = 0.005;
    solution *s = solve_text(text, &o);
    const double first = value(s, 0, "energy") - value(s, 0, "work");
    for (long i = 0; i < taut_result_rows(s->result); i++) {
        assert_true(least_height(value(s, i, "Cx"), value(s, i, "Cy")) > -1e-9);
        assert_near(value(s, i, "energy") - value(s, i, "work"), first, 1e-10, 0.0);
    }
    assert_true(taut_result_notes(s->result)->events > 3);
    solution_free(s);
}

/* A ball that is too large for the bottom of a parabola touches in two places, which is told. */
static void test_second_place(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData: {Particles: {C: 1}}\n"
                               "AppliedForces: {Gravity: [0, -9.81]}\n"
                               "Contacts: {ball: {Circle: [C, 0.8], On: {Curve: y - x^2}}}\n"
                               "ProblemData: {tend: 2, positions: {C: [-0.4, 2.2]}}\n";
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    const taut_run_options o = at_tolerance(1e-10);
    assert_int_equal(taut_model_parse("ball", text, -1, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_ERR_NUMERICS);
    assert_non_null(strstr(errors.item[0].message, "the circle of 'ball' touches its curve in a "
                                                   "second place"));
    assert_int_equal(errors.item[0].line, 4);
    taut_result_free(&result);
    taut_model_free(&model);
}

/* What reading the file finds for the start, and what the run makes of it: lines all around, and a
 * slanted one by the coordinates of a fixed point. */
static void test_places_at_the_start(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData: {Fixed: {O: [0.3, 0]}, Particles: {A: 1, B: 2}}\n"
                               "Contacts:\n"
                               "  right: {Circle: [A, 0.1], On: {Curve: 3 - x}}\n"
                               "  left: {Circle: [A, 0.1], On: {Curve: x + 3}}\n"
                               "  above: {Circle: [A, 0.1], On: {Curve: 5 - y}}\n"
                               "  below: {Circle: [B, 0.2], On: {Curve: y + 5}}\n"
                               "  slanted: {Circle: [B, 0.2], On: {Curve: 20 - 3*x - 4*y + O.x}}\n"
                               "ProblemData: {tend: 0.1, positions: {A: [0.5, 1], B: [1, 2]}}\n";
    static const struct {
        const char *name;
        double x, y; /* the direction to the place */
        double gap;
    } list[] = {{"right", 1, 0, 2.4},
                {"left", -1, 0, 3.4},
                {"above", 0, 1, 3.9},
                {"below", 0, -1, 6.8},
                {"slanted", 0.6, 0.8, (20.3 - 3.0 - 8.0) / 5.0 - 0.2}};
    static const double at[] = {0.0};
    taut_model *model = NULL;
    assert_int_equal(taut_model_parse("places", text, -1, &model, NULL), TAUT_OK);
    solution *s = run(text, "natural", "taylor", at, 1);
    assert_int_equal(model->contacts, 5);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char name[40];
        assert_near(cos(model->contact[i].outset), list[i].x, 1e-12, 0.0);
        assert_near(sin(model->contact[i].outset), list[i].y, 1e-12, 0.0);
        snprintf(name, sizeof name, "%s.angle", list[i].name);
        assert_near(cos(value(s, 0, name)), list[i].x, 1e-12, 0.0);
        assert_near(sin(value(s, 0, name)), list[i].y, 1e-12, 0.0);
        snprintf(name, sizeof name, "%s.gap", list[i].name);
        assert_near(value(s, 0, name), list[i].gap, 1e-12, 0.0);
    }
    solution_free(s);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_shapes), cmocka_unit_test(test_parabola),
        cmocka_unit_test(test_other_places), cmocka_unit_test(test_nothing_is_missed),
        cmocka_unit_test(test_second_place), cmocka_unit_test(test_places_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
