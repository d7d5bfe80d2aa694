/* Frequency response and zeros against rational functions written out, and logarithmic axes.
 *
 * How it could be wrong unnoticed: hertz for radians (closed form at known frequencies), a phase
 * that jumps, zeros at infinity taken for finite ones (their number is the relative degree), a plot
 * whose labels are logarithms. */
#include "solve_text.h"

#include <complex.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

static const char CAR[] =
    "Dimension: 2\nInputs: {road: 0}\nPhysicalParams: {M: 300, m: 40, k: 2e4, c: 1500, K: 2e5}\n"
    "PartData:\n  Fixed: {O: [0, 0], y: [0, 1], G: [0, road]}\n  Collinears: {OyW: w, OyB: z}\n"
    "  Particles: {W: m, B: M}\n  Springs: {GW: [K, 0.3]}\n  SpringDampers: {WB: [k, 0.5, c]}\n"
    "Outputs: {load: K*(0.3 + road - w)}\n"
    "ProblemData: {tend: 5, positions: {w: 0.3, z: 0.8}}\n";

/* z/road of the quarter car. */
static double complex body(double complex s) {
    const double complex q = 2e4 + 1500 * s;
    return 2e5 * q / ((300 * s * s + q) * (40 * s * s + q + 2e5) - q * q);
}

static taut_linear *linearize(taut_model *m, const char *outputs) {
    taut_linear *l = NULL;
    taut_errors errors = {0};
    taut_linear_options o = taut_linear_options_default();
    o.outputs = outputs;
    const taut_status status = taut_linearize(m, NULL, &o, &l, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    return l;
}

static void test_response_of_a_quarter_car(void **state) {
    (void)state;
    taut_model *m = read_text(CAR);
    taut_linear *l = linearize(m, "z,z'',load");
    taut_result *r = NULL;
    taut_errors errors = {0};
    taut_response_options o = {"road", "z", "0.1Hz..100Hz", 61};
    assert_int_equal(taut_linear_response(l, 0, &o, &r, &errors), TAUT_OK);
    assert_int_equal(taut_result_rows(r), 61);
    double before = 0.0;
    for (long i = 0; i < 61; i++) {
        const double f = taut_result_value(r, i, taut_result_find(r, "f"));
        const double complex g = body(CMPLX(0.0, 2.0 * PI * f));
        const double phase = taut_result_value(r, i, taut_result_find(r, "phase"));
        assert_near(f, 0.1 * pow(1000.0, (double)i / 60.0), 0.0, 1e-13);
        assert_near(taut_result_value(r, i, taut_result_find(r, "re")), creal(g), 0.0, 1e-11);
        assert_near(taut_result_value(r, i, taut_result_find(r, "im")), cimag(g), 1e-13, 1e-11);
        assert_near(taut_result_value(r, i, taut_result_find(r, "magnitude")), cabs(g), 0.0, 1e-11);
        assert_near(taut_result_value(r, i, taut_result_find(r, "dB")), 20 * log10(cabs(g)), 1e-9,
                    0.0);
        assert_near(remainder(phase - carg(g) * 180.0 / PI, 360.0), 0.0, 1e-9, 0.0);
        assert_true(fabs(phase - before) < 60.0);
        before = phase;
    }
    assert_true(before < -180.0); /* it goes on to -270 degrees */
    taut_result_free(&r);
    o.range = "1rad/s..2rad/s";
    o.points = 2;
    assert_int_equal(taut_linear_response(l, 0, &o, &r, &errors), TAUT_OK);
    assert_near(taut_result_value(r, 0, taut_result_find(r, "omega")), 1.0, 1e-15, 0.0);
    taut_result_free(&r);
    o.range = "2..1";
    assert_int_equal(taut_linear_response(l, 0, &o, &r, &errors), TAUT_ERR_CALL);
    taut_linear_free(&l);
    taut_model_free(&m);
}

/* z: one zero, -k/c; its acceleration: two more at 0; the tyre's load: M m s^4 + ... */
static void test_zeros(void **state) {
    (void)state;
    taut_model *m = read_text(CAR);
    taut_linear *l = linearize(m, "z,z'',load");
    taut_errors errors = {0};
    double zero[4][2];
    int count;
    taut_response_options o = {"road", "z", NULL, 0};
    assert_int_equal(taut_linear_zeros(l, 0, &o, zero, &count, &errors), TAUT_OK);
    assert_int_equal(count, 1);
    assert_near(zero[0][0], -2e4 / 1500.0, 0.0, 1e-10);
    o.output = "z''";
    assert_int_equal(taut_linear_zeros(l, 0, &o, zero, &count, &errors), TAUT_OK);
    assert_int_equal(count, 3);
    int at_zero = 0;
    for (int i = 0; i < 3; i++) at_zero += zero[i][0] == 0.0 && zero[i][1] == 0.0;
    assert_int_equal(at_zero, 2);
    o.output = "load"; /* s^2 ((M + m)(c s + k) + M m s^2) */
    assert_int_equal(taut_linear_zeros(l, 0, &o, zero, &count, &errors), TAUT_OK);
    assert_int_equal(count, 4);
    for (int i = 0; i < 4; i++) {
        const double complex s = CMPLX(zero[i][0], zero[i][1]);
        const double size = 340 * (1500 * cabs(s) + 2e4) + 12000 * cabs(s * s);
        assert_true(cabs(s * s * (340 * (1500 * s + 2e4) + 12000 * s * s)) <=
                    1e-11 * cabs(s * s) * size);
    }
    taut_linear_free(&l);
    taut_model_free(&m);
}

static void test_logarithmic_axes(void **state) {
    (void)state;
    taut_model *m = read_text(CAR);
    taut_linear *l = linearize(m, "z");
    taut_result *r = NULL;
    taut_errors errors = {0};
    char *text = NULL;
    const taut_response_options o = {"road", "z", "0.1Hz..100Hz", 0};
    assert_int_equal(taut_linear_response(l, 0, &o, &r, &errors), TAUT_OK);
    taut_plot_options plot = taut_plot_options_default();
    plot.column = (const char *const[]){"magnitude"};
    plot.columns = 1;
    plot.against = "f";
    plot.log_x = plot.log_y = true;
    assert_int_equal(taut_plot_draw(NULL, r, &plot, &text, &errors), TAUT_OK);
    assert_non_null(strstr(text, ">0.1<")); /* ticks are the numbers themselves */
    assert_non_null(strstr(text, ">100<"));
    assert_non_null(strstr(text, ">0.001<"));
    assert_null(strstr(text, ">-3<"));
    taut_text_free(&text);
    plot.text = true;
    assert_int_equal(taut_plot_draw(NULL, r, &plot, &text, &errors), TAUT_OK);
    assert_non_null(strstr(text, "0.001"));
    taut_text_free(&text);
    plot.equal = true;
    assert_int_equal(taut_plot_draw(NULL, r, &plot, &text, &errors), TAUT_ERR_CALL);
    taut_result_free(&r);
    taut_linear_free(&l);
    taut_model_free(&m);
}

/* ---- periodic motions ---- */

/* Mathieu's equation, by another integrator with 25 digits. */
static void test_multipliers_of_mathieus_equation(void **state) {
    (void)state;
    taut_floquet *f = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-13);
    taut_model *m = read_text("PhysicalParams: {d: 1.3, e: 0.4}\nLagrangian:\n  Coordinates: [x]\n"
                              "  L: 1/2*x'^2 - 1/2*(d + e*cos(t))*x^2\n"
                              "ProblemData: {tend: 7, positions: {x: 0}, velocities: {x: 0}}\n");
    assert_int_equal(taut_floquet_find(m, &run, NULL, 2.0 * PI, &f, &errors), TAUT_OK);
    const taut_multipliers *p = taut_floquet_get(f);
    assert_int_equal(p->count, 2);
    assert_true(p->periodic);
    assert_true(p->error < 1e-11);
    for (int k = 0; k < 2; k++) {
        assert_near(p->multiplier[k][0], 0.6795699853747973793, 1e-11, 0.0);
        assert_near(fabs(p->multiplier[k][1]), 0.7336106835220556382, 1e-11, 0.0);
    }
    taut_floquet_free(&f);
    taut_model_free(&m);
}

/* A pendulum that swings to 90 degrees comes back after 2 pi / (w agm(1, cos 45 deg)); deviations
 * keep their area, and one along the motion stays. */
static void test_multipliers_of_a_pendulum(void **state) {
    (void)state;
    taut_floquet *f = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-13);
    taut_model *m = read_text(
        "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids: {OA: {Geom: [[1, 0]]}}\n"
        "  Particles: {A: 1}\nAppliedForces: {Gravity: 9.81}\nAngles: {phi: OA}\n"
        "ProblemData: {tend: 10, positions: {A: [1, 0]}}\n");
    double a = 1.0, b = sqrt(0.5);
    for (int i = 0; i < 8; i++) {
        const double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
    }
    const double period = 2.0 * PI / (sqrt(9.81) * a);
    assert_int_equal(taut_floquet_find(m, &run, NULL, period, &f, &errors), TAUT_OK);
    const taut_multipliers *p = taut_floquet_get(f);
    assert_int_equal(p->count, 2);
    assert_true(p->periodic);
    const double complex x = CMPLX(p->multiplier[0][0], p->multiplier[0][1]),
                         y = CMPLX(p->multiplier[1][0], p->multiplier[1][1]);
    assert_near(cabs(x * y - 1.0), 0.0, 1e-9, 0.0);
    assert_near(cabs(x + y - 2.0), 0.0, 1e-9, 0.0);
    taut_floquet_free(&f);
    assert_int_equal(taut_floquet_find(m, &run, NULL, 0.9 * period, &f, &errors), TAUT_OK);
    assert_false(taut_floquet_get(f)->periodic);
    assert_true(taut_floquet_get(f)->off > 0.01);
    taut_floquet_free(&f);
    taut_model_free(&m);
}

/* ---- drivers as inputs ---- */

/* A pendulum on a driven pivot: l phi'' = -g cos phi + s'' sin phi. */
static void test_a_driver_is_three_inputs(void **state) {
    (void)state;
    static const char *const FORMULATION[] = {"natural", "reference", "relative"};
    const double at[] = {0.0, 0.4};
    taut_errors errors = {0};
    taut_linear_options o = taut_linear_options_default();
    taut_model *m = read_text(
        "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], i: [1, 0]}\n  Collinears: {OiP: s}\n"
        "  Rigids: {PA: {Geom: [[0.5, 0]]}}\n  Particles: {A: 2}\n"
        "AppliedForces: {Gravity: 9.81}\nAngles: {phi: PA}\nDrivers: {s: 0.1*sin(3*t)}\n"
        "ProblemData: {tend: 1, positions: {P: [0, 0], A: [0.1, -0.49]}}\n");
    o.states = "phi";
    o.inputs = "s";
    o.outputs = "phi,Ax";
    for (int f = 0; f < 3; f++) {
        taut_linear *l = NULL;
        taut_run_options run = at_tolerance(1e-13);
        run.formulation = FORMULATION[f];
        run.at = at;
        run.ats = 2;
        assert_int_equal(taut_linearize(m, &run, &o, &l, &errors), TAUT_OK);
        for (int k = 0; k < 2; k++) {
            const taut_linear_point *p = taut_linear_at(l, k);
            const double t = at[k], phi = p->y0[0], acceleration = -0.9 * sin(3.0 * t);
            assert_int_equal(p->inputs, 3);
            assert_string_equal(p->input[0], "s");
            assert_string_equal(p->input[2], "s''");
            assert_near(p->u0[0], 0.1 * sin(3.0 * t), 1e-13, 0.0);
            assert_near(p->u0[1], 0.3 * cos(3.0 * t), 1e-12, 0.0);
            assert_near(p->u0[2], acceleration, 1e-12, 0.0);
            assert_near(p->A[2], 2.0 * (9.81 * sin(phi) + acceleration * cos(phi)), 1e-10, 0.0);
            for (int i = 0; i < 5; i++) assert_near(p->B[i], 0.0, 1e-12, 0.0);
            assert_near(p->B[5], 2.0 * sin(phi), 1e-11, 0.0);
            assert_near(p->D[3], 1.0, 1e-13, 0.0); /* Ax by s */
            assert_near(p->C[2], -0.5 * sin(phi), 1e-12, 0.0);
        }
        taut_linear_free(&l);
    }
    taut_model_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_response_of_a_quarter_car),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_logarithmic_axes),
        cmocka_unit_test(test_multipliers_of_mathieus_equation),
        cmocka_unit_test(test_multipliers_of_a_pendulum),
        cmocka_unit_test(test_a_driver_is_three_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
