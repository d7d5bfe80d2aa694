/* Tests of expr/ops: values against the C library, derivatives against differences, and Taylor
 * coefficients of every operator to order 30 against closed forms in long double. */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "expr/jet.h"
#include "expr/ops.h"

enum { ORDER = 30 };
typedef long double real;

/* ---- a graph with variables x0, x1, whose series the tests set ---- */

typedef struct lab {
    taut_graph *g;
    taut_arena arena;
    taut_node t, x, y;
} lab;

static int setup(void **state) {
    static lab l;
    memset(&l, 0, sizeof l);
    if (taut_graph_create(&l.g) != TAUT_OK) return -1;
    l.t = taut_time(l.g);
    l.x = taut_variable(l.g, 0);
    l.y = taut_variable(l.g, 1);
    *state = &l;
    return 0;
}

static int teardown(void **state) {
    lab *l = *state;
    taut_graph_free(&l->g);
    taut_arena_release(&l->arena);
    return 0;
}

static taut_node num(const lab *l, double value) { return taut_number(l->g, value); }
static taut_node fn(const lab *l, taut_op op, taut_node a) { return taut_apply(l->g, op, a); }

/* The series of v to order ORDER where x = x0 + x1 s, y = y0 + y1 s, t = t0 + s. */
typedef struct line {
    double x0, x1, y0, y1, t0;
} line;

static void series_of(lab *l, taut_node v, line at, double *coef) {
    taut_tape *tape;
    taut_jet *jet;
    const taut_node root[] = {v, l->x, l->y, l->t};
    assert_false(taut_graph_failed(l->g));
    assert_int_equal(taut_tape_create(l->g, (int[]){0, 0}, root, 4, &l->arena, &tape), TAUT_OK);
    assert_int_equal(taut_jet_create(tape, ORDER, &l->arena, &jet), TAUT_OK);
    taut_jet_start(jet, at.t0, 1.0);
    const int x = taut_tape_slot(tape, l->x), y = taut_tape_slot(tape, l->y);
    *taut_jet_at(jet, x, 0) = at.x0, *taut_jet_at(jet, x, 1) = at.x1;
    *taut_jet_at(jet, y, 0) = at.y0, *taut_jet_at(jet, y, 1) = at.y1;
    for (int s = tape->first_stage; s <= ORDER; s++) taut_jet_stage(jet, s);
    for (int k = 0; k <= ORDER; k++) coef[k] = *taut_jet_at(jet, taut_tape_slot(tape, v), k);
}

/* The value of v at x, y, t = 0. */
static double value_of(lab *l, taut_node v, double x, double y) {
    double coef[ORDER + 1];
    series_of(l, v, (line){.x0 = x, .y0 = y}, coef);
    return coef[0];
}

/* ---- long double series, by closed forms and by multiplication ---- */

static void multiply(const real *a, const real *b, real *v) {
    for (int k = 0; k <= ORDER; k++) {
        v[k] = 0;
        for (int l = 0; l <= k; l++) v[k] += a[l] * b[k - l];
    }
}

static void divide(const real *a, const real *b, real *v) {
    for (int k = 0; k <= ORDER; k++) {
        v[k] = a[k];
        for (int l = 1; l <= k; l++) v[k] -= b[l] * v[k - l];
        v[k] /= b[0];
    }
}

static real over_factorial(real value, int k) {
    for (int i = 2; i <= k; i++) value /= (real)i;
    return value;
}

static const real QUARTER = 1.57079632679489661923132169163975144L; /* pi/2 */

static void sine(real c, real *v) {
    for (int k = 0; k <= ORDER; k++) v[k] = over_factorial(sinl(c + (real)k * QUARTER), k);
}
static void cosine(real c, real *v) {
    for (int k = 0; k <= ORDER; k++) v[k] = over_factorial(cosl(c + (real)k * QUARTER), k);
}
static void hyperbolic_sine(real c, real *v) {
    for (int k = 0; k <= ORDER; k++) v[k] = over_factorial(k % 2 ? coshl(c) : sinhl(c), k);
}
static void hyperbolic_cosine(real c, real *v) {
    for (int k = 0; k <= ORDER; k++) v[k] = over_factorial(k % 2 ? sinhl(c) : coshl(c), k);
}
static void exponential(real c, real *v) {
    for (int k = 0; k <= ORDER; k++) v[k] = over_factorial(expl(c), k);
}
static void logarithm(real c, real *v) {
    v[0] = logl(c);
    real power = 1;
    for (int k = 1; k <= ORDER; k++) {
        power /= c;
        v[k] = (k % 2 ? power : -power) / (real)k;
    }
}
/* (c + t)^r: c^(r-k) r (r-1) ... (r-k+1) / k! */
static void binomial(real c, real r, real *v) {
    v[0] = powl(c, r);
    for (int k = 1; k <= ORDER; k++) v[k] = v[k - 1] * (r - (real)k + 1) / ((real)k * c);
}
static void tangent(real c, real *v) {
    real s[ORDER + 1], k[ORDER + 1];
    sine(c, s);
    cosine(c, k);
    divide(s, k, v);
}
static void hyperbolic_tangent(real c, real *v) {
    real s[ORDER + 1], k[ORDER + 1];
    hyperbolic_sine(c, s);
    hyperbolic_cosine(c, k);
    divide(s, k, v);
}
/* atan' = Im 1/(x - i): v_k = (-1)^(k-1) sin(k phi) / (k rho^k), c + i = rho e^(i phi) */
static void arctangent(real c, real *v) {
    const real rho = hypotl(c, 1), phi = atan2l(1, c);
    v[0] = atanl(c);
    for (int k = 1; k <= ORDER; k++)
        v[k] = (k % 2 ? 1 : -1) * sinl((real)k * phi) / ((real)k * powl(rho, (real)k));
}
/* (1 - x^2) y'' = x y' at x = c + t: a recurrence over three coefficients. */
static void arcsine(real c, real *v) {
    v[0] = asinl(c);
    v[1] = 1 / sqrtl(1 - c * c);
    for (int k = 0; k + 2 <= ORDER; k++) {
        const real n = (real)k;
        v[k + 2] = (c * (n + 1) * (2 * n + 1) * v[k + 1] + n * n * v[k]) /
                   ((1 - c * c) * (n + 2) * (n + 1));
    }
}
static void arccosine(real c, real *v) {
    arcsine(c, v);
    for (int k = 0; k <= ORDER; k++) v[k] = -v[k];
    v[0] = acosl(c);
}

/* Compares with a closed form; small coefficients are measured by their neighbours, because a sine
 * that happens to be near a zero has no relative accuracy. */
static void check_series(const double *actual, const real *expected, double rel) {
    for (int k = 0; k <= ORDER; k++) {
        real size = fabsl(expected[k]);
        if (k > 0 && fabsl(expected[k - 1]) / 4 > size) size = fabsl(expected[k - 1]) / 4;
        assert_near(actual[k], (double)expected[k], rel * (double)size, 0);
    }
}

/* ---- functions ---- */

typedef struct function {
    taut_op op;
    double (*value)(double);
    void (*series)(real c, real *v);
    double at[4];
} function;

static const function FUNCTION[] = {
    {TAUT_OP_EXP, exp, exponential, {0, 1.3, -2, 0.1}},
    {TAUT_OP_LOG, log, logarithm, {1, 0.3, 2.5, 7}},
    {TAUT_OP_SIN, sin, sine, {0, 1.3, -2, 0.7}},
    {TAUT_OP_COS, cos, cosine, {0, 1.3, -2, 0.7}},
    {TAUT_OP_TAN, tan, tangent, {0, 1.2, -0.6, 0.3}},
    {TAUT_OP_ASIN, asin, arcsine, {0, 0.5, -0.8, 0.1}},
    {TAUT_OP_ACOS, acos, arccosine, {0, 0.5, -0.8, 0.1}},
    {TAUT_OP_ATAN, atan, arctangent, {0, 1, -3, 0.4}},
    {TAUT_OP_SINH, sinh, hyperbolic_sine, {0, 1.3, -2, 0.7}},
    {TAUT_OP_COSH, cosh, hyperbolic_cosine, {0, 1.3, -2, 0.7}},
    {TAUT_OP_TANH, tanh, hyperbolic_tangent, {0, 1.2, -0.6, 0.3}},
};
enum { FUNCTIONS = sizeof FUNCTION / sizeof FUNCTION[0] };

static void test_functions_are_all_tested_here(void **state) {
    (void)state;
    assert_int_equal(FUNCTIONS, TAUT_OP_COUNT - TAUT_OP_EXP);
    for (int i = 0; i < FUNCTIONS; i++) assert_int_equal(FUNCTION[i].op, TAUT_OP_EXP + i);
}

static void test_find_knows_every_function_by_name(void **state) {
    (void)state;
    for (int op = 0; op < TAUT_OP_COUNT; op++) {
        const char *name = taut_op_name((taut_op)op);
        const bool known = taut_op_is_function((taut_op)op);
        assert_int_equal(known, op >= TAUT_OP_EXP);
        assert_int_equal(taut_op_find(name, strlen(name)), known ? op : -1);
    }
    assert_int_equal(taut_op_find("sin", 3), TAUT_OP_SIN);
    assert_int_equal(taut_op_find("sinh", 3), TAUT_OP_SIN);
    assert_int_equal(taut_op_find("sinh", 4), TAUT_OP_SINH);
    assert_int_equal(taut_op_find("si", 2), -1);
    assert_int_equal(taut_op_find("", 0), -1);
}

static void test_values_are_those_of_the_library(void **state) {
    lab *l = *state;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int k = 0; k < 4; k++) {
            const double a = FUNCTION[i].at[k], expected = FUNCTION[i].value(a);
            assert_near(taut_op_value(FUNCTION[i].op, a, 0), expected, 0, 0);
            assert_near(value_of(l, fn(l, FUNCTION[i].op, l->x), a, 0), expected, 0, 0);
            /* a constant argument folds to the same number */
            assert_true(taut_node_is_number(l->g, fn(l, FUNCTION[i].op, num(l, a)), expected));
        }
    assert_near(taut_op_value(TAUT_OP_MUL, 3, 4), 12, 0, 0);
    assert_near(taut_op_value(TAUT_OP_SQR, -3, 0), 9, 0, 0);
    assert_near(taut_op_value(TAUT_OP_DIV, 3, 4), 0.75, 0, 0);
    assert_near(taut_op_value(TAUT_OP_SQRT, 9, 0), 3, 0, 0);
    assert_near(taut_op_value(TAUT_OP_POW, 2, 0.3), pow(2, 0.3), 0, 0);
    assert_near(taut_op_value(TAUT_OP_ATAN2, -1, -2), atan2(-1, -2), 0, 0);
}

static void test_functions_have_their_closed_form_series(void **state) {
    lab *l = *state;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int k = 0; k < 4; k++) {
            const double c = FUNCTION[i].at[k];
            double actual[ORDER + 1];
            real expected[ORDER + 1];
            FUNCTION[i].series((real)c, expected);
            /* along a variable, and along t */
            series_of(l, fn(l, FUNCTION[i].op, l->x), (line){.x0 = c, .x1 = 1}, actual);
            check_series(actual, expected, 1e-13);
            series_of(l, fn(l, FUNCTION[i].op, l->t), (line){.t0 = c}, actual);
            check_series(actual, expected, 1e-13);
            /* along -2 x + c: coefficients times (-2)^k */
            for (int m = 0; m <= ORDER; m++) expected[m] *= powl(-2, (real)m);
            taut_node a = taut_add(l->g, num(l, c), taut_scale(l->g, -2, l->x));
            series_of(l, fn(l, FUNCTION[i].op, a), (line){.x1 = 1}, actual);
            check_series(actual, expected, 1e-13);
        }
}

/* ---- products, quotients, roots, powers ---- */

/* e^s sin s = Im e^((1+i) s): 2^(k/2) sin(k pi/4) / k! */
static void test_product_has_its_closed_form_series(void **state) {
    lab *l = *state;
    double actual[ORDER + 1];
    series_of(l, taut_mul(l->g, fn(l, TAUT_OP_EXP, l->x), fn(l, TAUT_OP_SIN, l->x)),
              (line){.x1 = 1}, actual);
    for (int k = 0; k <= ORDER; k++) {
        const real size = over_factorial(powl(2, (real)k / 2), k);
        /* the sum of products has terms up to 2^k / k! */
        const double terms = (double)over_factorial(powl(2, (real)k), k);
        assert_near(actual[k], (double)(size * sinl((real)k * QUARTER / 2)), 1e-15 * terms, 0);
    }
}

/* (e^s)^2 = e^(2s); sin^2 s = (1 - cos 2s)/2 */
static void test_square_has_its_closed_form_series(void **state) {
    lab *l = *state;
    double e[ORDER + 1], s[ORDER + 1];
    series_of(l, taut_square(l->g, fn(l, TAUT_OP_EXP, l->x)), (line){.x0 = 0.5, .x1 = 1}, e);
    series_of(l, taut_square(l->g, fn(l, TAUT_OP_SIN, l->x)), (line){.x0 = 0.5, .x1 = 1}, s);
    for (int k = 0; k <= ORDER; k++) {
        const real size = over_factorial(powl(2, (real)k), k);
        assert_near(e[k], (double)(size * expl(1)), 0, 1e-14);
        const real sine_square = -size * cosl(1 + (real)k * QUARTER) / 2 + (k == 0 ? 0.5L : 0);
        assert_near(s[k], (double)sine_square, 1e-14 * (double)size, 0);
    }
}

/* 1/(c + s), (a + b s)/(c + s), e^s / e^(-s) */
static void test_quotient_has_its_closed_form_series(void **state) {
    lab *l = *state;
    double actual[ORDER + 1];
    real expected[ORDER + 1];
    series_of(l, taut_div(l->g, num(l, 1), l->x), (line){.x0 = -0.7, .x1 = 1}, actual);
    expected[0] = 1 / (real)-0.7;
    for (int k = 1; k <= ORDER; k++) expected[k] = expected[k - 1] / (real)0.7;
    check_series(actual, expected, 1e-14);

    /* (2 + 3s)/(1.5 + s) = 3 - 2.5/(1.5 + s) */
    series_of(l, taut_div(l->g, l->y, l->x), (line){.x0 = 1.5, .x1 = 1, .y0 = 2, .y1 = 3}, actual);
    expected[0] = 3 - 2.5L / 1.5L;
    expected[1] = 2.5L / (1.5L * 1.5L);
    for (int k = 2; k <= ORDER; k++) expected[k] = -expected[k - 1] / 1.5L;
    check_series(actual, expected, 1e-14);

    taut_node minus = taut_scale(l->g, -1, l->x);
    series_of(l, taut_div(l->g, fn(l, TAUT_OP_EXP, l->x), fn(l, TAUT_OP_EXP, minus)),
              (line){.x1 = 1}, actual);
    for (int k = 0; k <= ORDER; k++) { /* rounding passes through e^s once more: 3^k / k! */
        expected[k] = over_factorial(powl(2, (real)k), k);
        assert_near(actual[k], (double)expected[k],
                    1e-14 * (double)over_factorial(powl(3, (real)k), k), 0);
    }
}

static void test_root_has_its_binomial_series(void **state) {
    lab *l = *state;
    static const double at[] = {1, 0.25, 3, 1e6};
    for (int i = 0; i < 4; i++) {
        double actual[ORDER + 1];
        real expected[ORDER + 1];
        series_of(l, taut_root(l->g, l->x), (line){.x0 = at[i], .x1 = 1}, actual);
        binomial((real)at[i], 0.5L, expected);
        check_series(actual, expected, 1e-13);
    }
}

/* Every kind of exponent: POW, products, roots, quotients; negative bases where they may be. */
static void test_powers_have_their_binomial_series(void **state) {
    lab *l = *state;
    static const double exponent[] = {0.3, -0.3, M_PI, -7.77, 1.0 / 3, 1,    2,   3,   4,    5,
                                      7,   13,   28,   -1,    -2,      -3,   -8,  0.5, -0.5, 1.5,
                                      2.5, -2.5, 6.5,  30,    31,      -5.5, 0.9, 17,  0.01, 0};
    for (size_t i = 0; i < sizeof exponent / sizeof exponent[0]; i++) {
        const double r = exponent[i];
        const bool whole = r == floor(r);
        const double rel = 3e-13;
        for (int k = 0; k < (whole ? 3 : 2); k++) {
            const double c = (double[]){0.8, 2.5, -1.7}[k];
            double actual[ORDER + 1];
            real expected[ORDER + 1];
            binomial((real)c, (real)r, expected);
            series_of(l, taut_power(l->g, l->x, num(l, r)), (line){.x0 = c, .x1 = 1}, actual);
            check_series(actual, expected, rel);
            /* the same exponent as a parameter */
            series_of(l, taut_power(l->g, l->x, taut_parameter(l->g, (int)i, r)),
                      (line){.x0 = c, .x1 = 1}, actual);
            check_series(actual, expected, rel);
        }
    }
}

/* Whole powers must not divide by their base: s^3 at s = 0 is 0, 0, 0, 1, 0, ... */
static void test_whole_powers_hold_at_zero(void **state) {
    lab *l = *state;
    for (int n = 1; n <= ORDER; n++) {
        double actual[ORDER + 1];
        series_of(l, taut_power(l->g, l->x, num(l, n)), (line){.x1 = 1}, actual);
        for (int k = 0; k <= ORDER; k++) assert_near(actual[k], k == n ? 1 : 0, 0, 0);
    }
}

/* y^x along y = c fixed, x = s: e^(s log c); and x^x = e^(x log x) by its logarithm. */
static void test_variable_exponents_go_through_exp_and_log(void **state) {
    lab *l = *state;
    double actual[ORDER + 1];
    real expected[ORDER + 1];
    series_of(l, taut_power(l->g, num(l, 2.5), l->x), (line){.x1 = 1}, actual);
    for (int k = 0; k <= ORDER; k++) expected[k] = over_factorial(powl(logl(2.5L), (real)k), k);
    check_series(actual, expected, 1e-13);
    series_of(l, taut_power(l->g, l->y, l->x), (line){.x0 = 2, .x1 = 1, .y0 = 2.5}, actual);
    for (int k = 0; k <= ORDER; k++) expected[k] *= 6.25L;
    check_series(actual, expected, 1e-13);

    series_of(l, fn(l, TAUT_OP_LOG, taut_power(l->g, l->x, l->x)), (line){.x0 = 1.5, .x1 = 1},
              actual);
    real x[ORDER + 1] = {1.5L, 1}, log_x[ORDER + 1];
    logarithm(1.5L, log_x);
    multiply(x, log_x, expected);
    check_series(actual, expected, 1e-12);
}

/* The angle of z = z0 + z1 s is Im log z: v_k = (-1)^(k-1)/k Im (z1/z0)^k; in all quadrants. */
static void test_atan2_has_its_closed_form_series(void **state) {
    lab *l = *state;
    static const double quadrant[][2] = {{1, 0.5},  {-0.4, 1}, {-1, -0.6},
                                         {0.3, -1}, {0, 1},    {2, 0}};
    for (int i = 0; i < 6; i++) {
        const double x0 = quadrant[i][0], y0 = quadrant[i][1], x1 = 0.6, y1 = -0.8;
        double actual[ORDER + 1];
        series_of(l, taut_atan2(l->g, l->y, l->x), (line){x0, x1, y0, y1, 0}, actual);
        const real size = hypotl((real)x1, (real)y1) / hypotl((real)x0, (real)y0);
        const real phi = atan2l((real)y1, (real)x1) - atan2l((real)y0, (real)x0);
        assert_near(actual[0], atan2(y0, x0), 0, 1e-15);
        for (int k = 1; k <= ORDER; k++) {
            const real envelope = powl(size, (real)k) / (real)k;
            const real expected = (k % 2 ? 1 : -1) * envelope * sinl((real)k * phi);
            assert_near(actual[k], (double)expected, 1e-13 * (double)envelope, 0);
        }
        /* one argument constant */
        series_of(l, taut_atan2(l->g, num(l, 0.5), l->x), (line){.x0 = 1, .x1 = 1}, actual);
        const real angle = -atan2l(0.5L, 1), reach = 1 / hypotl(1, 0.5L);
        for (int k = 1; k <= ORDER; k++) {
            const real envelope = powl(reach, (real)k) / (real)k;
            const real expected = (k % 2 ? 1 : -1) * envelope * sinl((real)k * angle);
            assert_near(actual[k], (double)expected, 1e-13 * (double)envelope, 0);
        }
    }
}

/* ---- compositions ---- */

/* Inner functions with full series: f^-1(f(u)) = u. */
static void test_inverse_functions_cancel(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    const taut_node s = fn(l, TAUT_OP_SIN, l->x);            /* the inner series */
    const taut_node small = taut_scale(g, 0.6, s);           /* within (-1, 1) */
    const taut_node large = taut_add(g, num(l, 1.5), small); /* positive */
    const struct {
        taut_node v, u;
    } pair[] = {
        {fn(l, TAUT_OP_LOG, fn(l, TAUT_OP_EXP, s)), s},
        {fn(l, TAUT_OP_EXP, fn(l, TAUT_OP_LOG, large)), large},
        {fn(l, TAUT_OP_SIN, fn(l, TAUT_OP_ASIN, small)), small},
        {fn(l, TAUT_OP_ASIN, fn(l, TAUT_OP_SIN, small)), small},
        {fn(l, TAUT_OP_COS, fn(l, TAUT_OP_ACOS, small)), small},
        {fn(l, TAUT_OP_TAN, fn(l, TAUT_OP_ATAN, s)), s},
        {fn(l, TAUT_OP_ATAN, fn(l, TAUT_OP_TAN, small)), small},
        {taut_power(g, taut_power(g, large, num(l, 0.3)), num(l, 1 / 0.3)), large},
        {taut_mul(g, taut_root(g, large), taut_power(g, large, num(l, 0.5))), large},
        {taut_mul(g, fn(l, TAUT_OP_EXP, s), fn(l, TAUT_OP_EXP, taut_scale(g, -1, s))), num(l, 1)},
        {taut_add(g, taut_square(g, fn(l, TAUT_OP_SIN, s)), taut_square(g, fn(l, TAUT_OP_COS, s))),
         num(l, 1)},
        {taut_sub(g, taut_square(g, fn(l, TAUT_OP_COSH, s)),
                  taut_square(g, fn(l, TAUT_OP_SINH, s))),
         num(l, 1)},
        {taut_div(g, fn(l, TAUT_OP_SINH, s), fn(l, TAUT_OP_COSH, s)), fn(l, TAUT_OP_TANH, s)},
        {taut_atan2(g, fn(l, TAUT_OP_SIN, s), fn(l, TAUT_OP_COS, s)), s},
        {taut_atan2(g, small, taut_root(g, taut_sub(g, num(l, 1), taut_square(g, small)))),
         fn(l, TAUT_OP_ASIN, small)},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        double v[ORDER + 1], u[ORDER + 1];
        series_of(l, pair[i].v, (line){.x0 = 0.4, .x1 = 0.5}, v);
        series_of(l, pair[i].u, (line){.x0 = 0.4, .x1 = 0.5}, u);
        double size = 1;
        for (int k = 0; k <= ORDER; k++, size *= 0.6) assert_near(v[k], u[k], 1e-13 * size, 0);
    }
}

/* e^(sin s): its coefficients are known as whole numbers over k!, OEIS A002017. */
static void test_exp_of_sine_has_its_known_coefficients(void **state) {
    lab *l = *state;
    static const double known[ORDER + 1] = {1,
                                            1,
                                            1,
                                            0,
                                            -3,
                                            -8,
                                            -3,
                                            56,
                                            217,
                                            64,
                                            -2951,
                                            -12672,
                                            5973,
                                            309376,
                                            1237173,
                                            -2917888,
                                            -52635599,
                                            -163782656,
                                            1126610929,
                                            12716052480.,
                                            20058390573.,
                                            -495644917760.,
                                            -3920482183827.,
                                            4004259037184.,
                                            256734635981833.,
                                            1359174582304768.,
                                            -8529964147714967.,
                                            -153146435763437568.,
                                            -383670903748980603.,
                                            9620207941273255936.,
                                            99786978811973617701.};
    double actual[ORDER + 1];
    series_of(l, fn(l, TAUT_OP_EXP, fn(l, TAUT_OP_SIN, l->x)), (line){.x1 = 1}, actual);
    double factorial = 1;
    for (int k = 0; k <= ORDER; k++) {
        if (k > 1) factorial *= k;
        assert_near(actual[k], known[k] / factorial, 1e-16, 1e-13);
    }
}

/* ---- derivatives ---- */

/* dv/d(argument) as a node, against a central difference of v by the argument. */
static void check_partials(lab *l, taut_node v, double x, double y) {
    const uint32_t count = taut_node_get(l->g, v)->count;
    for (uint32_t i = 0; i < count; i++) {
        const bool by_x = taut_node_args(l->g, v)[i] == l->x;
        if (!by_x && taut_node_args(l->g, v)[i] != l->y) continue;
        const double h = 1e-4;
        double f[4];
        for (int k = 0; k < 4; k++) { /* fourth order */
            const double step = (double[]){-2, -1, 1, 2}[k] * h;
            f[k] = value_of(l, v, x + (by_x ? step : 0), y + (by_x ? 0 : step));
        }
        const double expected = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
        taut_node partial = taut_op_partial(l->g, v, (int)i);
        assert_near(value_of(l, partial, x, y), expected, 1e-10, 1e-10);
    }
}

static void test_partials_are_those_of_differences(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int k = 0; k < 4; k++)
            check_partials(l, fn(l, FUNCTION[i].op, l->x), FUNCTION[i].at[k], 0);
    check_partials(l, taut_mul(g, l->x, l->y), 1.2, -0.7);
    check_partials(l, taut_div(g, l->x, l->y), 1.2, -0.7);
    check_partials(l, taut_div(g, num(l, 1), l->y), 1.2, -0.7);
    check_partials(l, taut_square(g, l->x), 1.2, 0);
    check_partials(l, taut_root(g, l->x), 1.2, 0);
    check_partials(l, taut_power(g, l->x, num(l, 0.3)), 1.2, 0);
    check_partials(l, taut_power(g, l->x, num(l, -2.3)), 0.7, 0);
    check_partials(l, taut_power(g, l->x, taut_parameter(g, 0, M_PI)), 1.2, 0);
    check_partials(l, taut_atan2(g, l->y, l->x), 0.4, 0.3);
    check_partials(l, taut_atan2(g, l->y, l->x), -0.4, -0.3);
    check_partials(l, taut_atan2(g, num(l, 2), l->x), -0.4, 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_functions_are_all_tested_here),
        TEST(test_find_knows_every_function_by_name),
        TEST(test_values_are_those_of_the_library),
        TEST(test_functions_have_their_closed_form_series),
        TEST(test_product_has_its_closed_form_series),
        TEST(test_square_has_its_closed_form_series),
        TEST(test_quotient_has_its_closed_form_series),
        TEST(test_root_has_its_binomial_series),
        TEST(test_powers_have_their_binomial_series),
        TEST(test_whole_powers_hold_at_zero),
        TEST(test_variable_exponents_go_through_exp_and_log),
        TEST(test_atan2_has_its_closed_form_series),
        TEST(test_inverse_functions_cancel),
        TEST(test_exp_of_sine_has_its_known_coefficients),
        TEST(test_partials_are_those_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
