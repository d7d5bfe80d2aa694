/* Derivatives by time in co-simulation: inputs that are polynomials during a step (FMI 2.0), and
 * those of outputs (both versions). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fmu_host/host.h"
#include "program.h"

#include "taut/taut.h"

static const char MOTOR[] =
    "PhysicalParams: {m: 2, L: 0.5, G: 9.81}\n"
    "Inputs: {tau: 0.5}\n"
    "Lagrangian:\n"
    "  Coordinates: [x, y]\n"
    "  L: m/2*(x'^2 + y'^2) - m*G*y\n"
    "  Constraints: {rod: x^2 + y^2 - L^2}\n"
    "  Forces: {x: -tau*y/L^2, y: tau*x/L^2}\n"
    "Outputs: {power: \"tau*(x*y' - y*x')/L^2\"}\n"
    "ProblemData: {tend: 1, positions: {x: L, y: 0}, velocities: {x: 0, y: 0}}\n";

static host_fmu *open_motor(int version) {
    char command[200];
    program_result r;
    host_fmu *f = calloc(1, sizeof *f);
    program_write("motor.yaml", MOTOR, -1);
    snprintf(command, sizeof command, "export motor.yaml --fmu m.fmu --tol 1e-12 --fmi %d",
             version);
    program_call(&r, command);
    if (r.code != 0) fail_msg("%s", r.err);
    program_release(&r);
    if (!host_open(f, "m.fmu", "m")) fail_msg("%s", f->fault);
    return f;
}

static void close_motor(host_fmu *f) {
    host_close(f);
    free(f);
    assert_int_equal(system("rm -rf m m.fmu"), 0);
}

static void begin(host_instance *x, const host_fmu *f) {
    if (!host_instantiate(x, f, NULL)) fail_msg("%s", x->log);
    assert_int_equal(host_enter(x, 0.0, false, 0.0), 0);
    assert_int_equal(host_exit(x), 0);
}

static double get(host_instance *x, const char *name) {
    double value = (double)NAN;
    if (host_get(x, name, &value) != 0) fail_msg("%s: %s", name, x->log);
    return value;
}

/* A row of a run whose torque is a formula, with derivatives up to the fourth. */
static void run_at(double t, const char *formula, const char *const *name, int count,
                   double *value) {
    static taut_errors errors;
    taut_read_options reading = taut_read_options_default();
    const taut_override input = {"tau", formula};
    taut_run_options o = taut_run_options_default();
    taut_model *model;
    taut_result *truth;
    reading.input = &input;
    reading.inputs = 1;
    o.rtol = o.atol = 1e-13;
    o.has_tend = true;
    o.tend = t;
    o.at = &t;
    o.ats = 1;
    o.derivatives = 4;
    assert_int_equal(taut_model_read_with("motor.yaml", &reading, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &o, &truth, &errors), TAUT_OK);
    for (int i = 0; i < count; i++)
        value[i] = taut_result_value(truth, 0, taut_result_find(truth, name[i]));
    taut_result_free(&truth);
    taut_model_free(&model);
}

/* ---- inputs ---- */

#define CUBIC "0.5 - 3*t + 8*t^2 + 5*t^3"

/* From t to t + h with the cubic's value and its first derivatives at t. */
static void step_along(host_instance *x, double t, double h, int derivatives) {
    const double u[] = {0.5 - 3 * t + 8 * t * t + 5 * t * t * t, -3 + 16 * t + 15 * t * t,
                        16 + 30 * t, 30};
    bool terminate;
    /* in any order */
    if (derivatives > 1) assert_int_equal(host_set_rate(x, "tau", 2, u[2]), 0);
    assert_int_equal(host_set(x, "tau", u[0]), 0);
    if (derivatives > 0) assert_int_equal(host_set_rate(x, "tau", 1, u[1]), 0);
    if (derivatives > 2) assert_int_equal(host_set_rate(x, "tau", 3, u[3]), 0);
    if (host_step(x, t, h, &terminate) != 0) fail_msg("%s", x->log);
}

/* A cubic torque is exact with three derivatives, whatever the step; with fewer it is not. */
static void test_inputs_follow_their_derivatives(void **state) {
    (void)state;
    static const char *const name[] = {"x", "y", "y'"};
    double truth[3];
    host_fmu *f = open_motor(2);
    char *xml = program_read("m/modelDescription.xml");
    assert_non_null(strstr(xml, "canInterpolateInputs=\"true\""));
    free(xml);
    run_at(1.0, CUBIC, name, 3, truth);
    for (int derivatives = 0; derivatives <= 3; derivatives++) {
        host_instance x;
        double gap = 0.0;
        begin(&x, f);
        for (int i = 0; i < 10; i++) step_along(&x, 0.1 * i, 0.1, derivatives);
        for (int i = 0; i < 3; i++) gap = fmax(gap, fabs(get(&x, name[i]) - truth[i]));
        if (derivatives == 3 ? !(gap < 1e-9) : !(gap > 1e-5))
            fail_msg("%d derivatives: off by %.3g", derivatives, gap);
        host_free(&x);
    }
    close_motor(f);
}

/* Behind the step the input is where the polynomial has led it, and rests. */
static void test_inputs_rest_behind_a_step(void **state) {
    (void)state;
    static const char *const name[] = {"x", "y", "y'"};
    double truth[3];
    bool terminate;
    host_fmu *f = open_motor(2);
    host_instance x;
    begin(&x, f);
    step_along(&x, 0.0, 0.1, 3);
    const double end = 0.5 - 0.3 + 0.08 + 0.005;
    assert_near(get(&x, "tau"), end, 1e-15, 0.0);
    assert_int_equal(host_step(&x, 0.1, 0.2, &terminate), 0);
    assert_near(get(&x, "tau"), end, 1e-15, 0.0);
    run_at(0.3, "if(t < 0.1, " CUBIC ", 0.285)", name, 3, truth);
    for (int i = 0; i < 3; i++) assert_near(get(&x, name[i]), truth[i], 1e-9, 0.0);
    host_free(&x);
    close_motor(f);
}

/* A state has the derivatives that were set, and goes back bit for bit, also elsewhere. */
static void test_states_have_the_derivatives(void **state) {
    (void)state;
    bool terminate;
    double first = 0.0;
    size_t size = 0;
    void *kept = NULL, *copy = NULL;
    host_fmu *f = open_motor(2);
    host_instance x, other;
    begin(&x, f);
    begin(&other, f);
    step_along(&x, 0.0, 0.1, 3);
    assert_int_equal(host_set_rate(&x, "tau", 1, 4.0), 0);
    assert_int_equal(host_get_state(&x, &kept), 0);
    assert_int_equal(host_serialize(&x, kept, NULL, &size), 0);
    char *bytes = malloc(size);
    assert_int_equal(host_serialize(&x, kept, bytes, &size), 0);
    if (host_deserialize(&other, bytes, size, &copy) != 0) fail_msg("%s", other.log);
    for (int round = 0; round < 3; round++) {
        host_instance *y = round < 2 ? &x : &other;
        if (round > 0) assert_int_equal(host_set_state(y, round < 2 ? kept : copy), 0);
        if (host_step(y, 0.1, 0.1, &terminate) != 0) fail_msg("%s", y->log);
        step_along(y, 0.2, 0.1, 2);
        if (round == 0) first = get(y, "y'");
        assert_true(get(y, "y'") == first);
    }
    free(bytes);
    assert_int_equal(host_free_state(&x, &kept), 0);
    assert_int_equal(host_free_state(&other, &copy), 0);
    host_free(&x);
    host_free(&other);
    close_motor(f);
}

/* ---- outputs ---- */

static void test_outputs_have_derivatives(void **state) {
    (void)state;
    static const char *const name[] = {"x'", "x''", "x'''", "y''''"};
    double truth[4], value;
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_motor(version);
        host_instance x;
        bool terminate;
        begin(&x, f);
        for (int i = 0; i < 4; i++) /* 0.5 is the file's torque */
            if (host_step(&x, 0.1 * i, 0.1, &terminate) != 0) fail_msg("%s", x.log);
        run_at(get(&x, "time"), "0.5", name, 4, truth);
        for (int order = 1; order <= 3; order++) {
            if (host_get_rate(&x, "x", order, &value) != 0) fail_msg("%s", x.log);
            assert_near(value, truth[order - 1], 1e-8, 1e-8);
        }
        assert_int_equal(host_get_rate(&x, "y'", 3, &value), 0); /* of a column that is one */
        assert_near(value, truth[3], 1e-8, 1e-8);
        /* wrong ones */
        assert_int_equal(host_get_rate(&x, "x", 0, &value), 3);
        assert_int_equal(host_get_rate(&x, "x", 4, &value), 3);
        assert_int_equal(host_get_rate(&x, "tau", 1, &value), 3);
        if (version == 2) {
            assert_int_equal(host_set_rate(&x, "tau", 0, 1.0), 3);
            assert_int_equal(host_set_rate(&x, "tau", 4, 1.0), 3);
            assert_int_equal(host_set_rate(&x, "tau", 1, (double)NAN), 3);
            assert_int_equal(host_set_rate(&x, "m", 1, 1.0), 3);
            assert_non_null(strstr(x.log, "no input"));
        }
        host_free(&x);
        close_motor(f);
    }
}

int main(void) {
#define HERE(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        HERE(test_inputs_follow_their_derivatives),
        HERE(test_inputs_rest_behind_a_step),
        HERE(test_states_have_the_derivatives),
        HERE(test_outputs_have_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
