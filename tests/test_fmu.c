/* FMUs in a host: archives and descriptions keep the rules, broken ones are refused; co-simulation
 * in both versions agrees with taut; states go back bit for bit; instances in threads; wrong calls.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fmu_host/host.h"
#include "program.h"

#include "taut/taut.h"

static const char MOTOR[] =
    "Title: a pendulum with a motor\n"
    "PhysicalParams: {m: 2, L: 0.5, G: 9.81, W: m*G}\n"
    "Inputs: {tau: 0}\n"
    "Lagrangian:\n"
    "  Coordinates: [x, y]\n"
    "  L: m/2*(x'^2 + y'^2) - W*y\n"
    "  Constraints: {rod: x^2 + y^2 - L^2}\n"
    "  Forces: {x: -tau*y/L^2, y: tau*x/L^2}\n"
    "ProblemData: {tend: 1, positions: {x: L, y: 0}, velocities: {x: 0, y: 0}}\n";
static const char BALL[] = "DAE: {Variables: [y], Equations: [y'' + 10]}\n"
                           "Events: {bounce: {When: y, Direction: down, Do: {y': -0.8*y'}}}\n"
                           "ProblemData: {tend: 2, positions: {y: 1}, velocities: {y: 0}}\n";

static host_fmu *open_fmu_with(const char *file, int version, const char *options) {
    char command[700];
    program_result r;
    host_fmu *f = calloc(1, sizeof *f);
    snprintf(command, sizeof command, "export %s --fmu model.fmu --fmi %d%s", file, version,
             options);
    program_call(&r, command);
    if (r.code != 0) fail_msg("%s", r.err);
    program_release(&r);
    if (!host_open(f, "model.fmu", "model")) fail_msg("%s: %s", file, f->fault);
    return f;
}

static host_fmu *open_fmu(const char *file, int version) {
    return open_fmu_with(file, version, " --tol 1e-11");
}

static void close_fmu(host_fmu *f) {
    host_close(f);
    free(f);
    assert_int_equal(system("rm -rf model model.fmu"), 0);
}

static void begin(host_instance *x, const host_fmu *f) {
    if (!host_instantiate(x, f, NULL)) fail_msg("%s", x->log);
    assert_int_equal(host_enter(x, f->description.start, false, 0.0), 0);
    assert_int_equal(host_exit(x), 0);
}

static double get(host_instance *x, const char *name) {
    double value = (double)NAN;
    if (host_get(x, name, &value) != 0) fail_msg("%s: %s", name, x->log);
    return value;
}

/* ---- agreement ---- */

/* Steps of h up to tend; then all outputs against taut at 1e-13. */
static void check_run(const char *file, int version, double h, double tend, double tol) {
    static taut_errors errors;
    host_fmu *f = open_fmu(file, version);
    host_instance x;
    taut_model *model;
    taut_result *truth;
    taut_run_options o = taut_run_options_default();
    begin(&x, f);
    const long n = lround((tend - f->description.start) / h);
    for (long i = 0; i < n; i++) {
        bool terminate;
        if (host_step(&x, f->description.start + h * (double)i, h, &terminate) != 0)
            fail_msg("%s", x.log);
        assert_false(terminate);
    }
    const double end = get(&x, "time");
    assert_near(end, tend, 1e-12, 1e-12);
    o.rtol = o.atol = 1e-13;
    o.has_tend = true;
    o.tend = end;
    o.at = &end;
    o.ats = 1;
    assert_int_equal(taut_model_read(file, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &o, &truth, &errors), TAUT_OK);
    for (int c = 1; c < taut_result_columns(truth); c++) {
        const double want = taut_result_value(truth, 0, c),
                     have = get(&x, taut_result_name(truth, c));
        if (!(fabs(have - want) <= tol * fmax(1.0, fabs(want))))
            fail_msg("%s FMI %d %s: %.17g, not %.17g", file, version, taut_result_name(truth, c),
                     have, want);
    }
    assert_int_equal(host_terminate(&x), 0);
    host_free(&x);
    taut_result_free(&truth);
    taut_model_free(&model);
    close_fmu(f);
}

static void test_co_simulation_agrees_with_taut(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    program_write("ball.yaml", BALL, -1);
    program_write("table.yaml",
                  "Tables: {f: {Points: [[0, 0], [1, 2], [2, 1], [3, 5]]}}\n"
                  "DAE: {Variables: [y], Equations: [\"y'' + f(t)\"]}\n"
                  "ProblemData: {tend: 3, positions: {y: 1}, velocities: {y: 0}}\n",
                  -1);
    check_run("table.yaml", 3, 1e-1, 2.5, 1e-9);
    for (int version = 2; version <= 3; version++)
        for (int fine = 0; fine < 2; fine++) {
            const double h = fine ? 1e-3 : 1e-2;
            check_run(TAUT_SOURCE_DIR "/examples/slider-crank.yaml", version, h, 1.0, 1e-9);
            check_run("motor.yaml", version, h, 1.0, 1e-9);
            check_run("ball.yaml", version, h, 2.0, 1e-9);
        }
    check_run(TAUT_SOURCE_DIR "/examples/flyball-governor.yaml", 3, 1e-2, 0.5, 1e-9);
    check_run(TAUT_SOURCE_DIR "/examples/flyball-governor.yaml", 2, 1e-3, 0.5, 1e-9);
}

/* The angle of MOTOR at t = 0.5, with a torque of 0.5 and then of -0.25, by Runge-Kutta. */
static double angle_at_half(double m) {
    const double G = 9.81, L = 0.5, h = 1e-4;
    double q = 0.0, v = 0.0;
    for (int i = 0; i < 5000; i++) {
        const double tau = i < 2500 ? 0.5 : -0.25;
#define RATE(a) ((tau - m * G * L * cos(a)) / (m * L * L))
        const double a1 = RATE(q), v2 = v + h / 2 * a1, a2 = RATE(q + h / 2 * v);
        const double v3 = v + h / 2 * a2, a3 = RATE(q + h / 2 * v2);
        const double v4 = v + h * a3, a4 = RATE(q + h * v3);
        q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
#undef RATE
    }
    return q;
}

/* Inputs that change at communication points, and a parameter, against Runge-Kutta. */
static void test_inputs_and_parameters_count(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    const double m = 3.0, L = 0.5, q = angle_at_half(m);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu("motor.yaml", version);
        host_instance x;
        bool terminate;
        assert_true(host_instantiate(&x, f, NULL));
        assert_int_equal(host_set(&x, "m", m), 0);
        assert_int_equal(host_enter(&x, 0.0, true, 1.0), 0);
        assert_int_equal(host_set(&x, "tau", 0.5), 0);
        assert_int_equal(host_exit(&x), 0);
        for (int i = 0; i < 50; i++) {
            if (i == 25) assert_int_equal(host_set(&x, "tau", -0.25), 0);
            if (host_step(&x, 0.01 * i, 0.01, &terminate) != 0) fail_msg("%s", x.log);
        }
        assert_near(get(&x, "x"), L * cos(q), 1e-9, 0.0);
        assert_near(get(&x, "y"), L * sin(q), 1e-9, 0.0);
        host_free(&x);
        close_fmu(f);
    }
}

/* ---- states ---- */

static void test_states_go_back_bit_for_bit(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu("motor.yaml", version);
        host_instance x, other;
        void *kept = NULL, *copy = NULL;
        bool terminate;
        double first[2];
        size_t size = 0;
        begin(&x, f);
        begin(&other, f);
        for (int i = 0; i < 20; i++) {
            if (i == 10) {
                assert_int_equal(host_set(&x, "tau", 0.7), 0);
                assert_int_equal(host_get_state(&x, &kept), 0);
            }
            if (i == 15) assert_int_equal(host_set(&x, "tau", -0.7), 0);
            assert_int_equal(host_step(&x, 0.02 * i, 0.02, &terminate), 0);
        }
        first[0] = get(&x, "x");
        first[1] = get(&x, "y'");
        assert_int_equal(host_serialize(&x, kept, NULL, &size), 0);
        char *bytes = malloc(size);
        assert_int_equal(host_serialize(&x, kept, bytes, &size), 0);
        if (host_deserialize(&other, bytes, size, &copy) != 0) fail_msg("%s", other.log);
        for (int round = 0; round < 2; round++) { /* the same instance, then another one */
            host_instance *y = round ? &other : &x;
            if (host_set_state(y, round ? copy : kept) != 0) fail_msg("%s", y->log);
            for (int i = 10; i < 20; i++) {
                if (i == 15) assert_int_equal(host_set(y, "tau", -0.7), 0);
                if (host_step(y, 0.02 * i, 0.02, &terminate) != 0) fail_msg("%s", y->log);
            }
            assert_true(get(y, "x") == first[0] && get(y, "y'") == first[1]);
        }
        bytes[size / 2] = '#';
        void *bad = NULL;
        assert_int_equal(host_deserialize(&other, bytes, size, &bad), 3);
        assert_null(bad);
        free(bytes);
        assert_int_equal(host_free_state(&x, &kept), 0);
        assert_int_equal(host_free_state(&other, &copy), 0);
        assert_null(kept);
        host_free(&x);
        host_free(&other);
        close_fmu(f);
    }
}

/* ---- source code ---- */

/* Compiled by the host: agrees with taut, follows inputs, goes back bit for bit, refuses what the
 * binary refuses. */
static void test_source_code_is_an_fmu_as_well(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu_with("motor.yaml", version, " --tol 1e-10 --sources --step 0.01");
        host_instance x, other;
        void *kept = NULL, *copy = NULL;
        bool terminate;
        double first, value;
        size_t size = 0;
        assert_false(f->description.exchange);
        assert_false(host_instantiate(&x, f, "taut-0"));
        assert_true(host_instantiate(&x, f, NULL));
        assert_true(host_instantiate(&other, f, NULL));
        assert_int_equal(host_step(&x, 0.0, 0.1, &terminate), 3); /* before the start */
        assert_int_equal(host_set(&x, "m", 3.0), 0);
        assert_int_equal(host_enter(&x, 0.0, true, 1.0), 0);
        assert_int_equal(host_set(&x, "tau", 0.5), 0);
        assert_int_equal(host_exit(&x), 0);
        assert_int_equal(host_set(&x, "m", 2.0), 3); /* fixed */
        assert_int_equal(host_set(&x, "x", 2.0), 3);
        assert_int_equal(host_get(&x, "nothing", &value), 3);
        for (int i = 0; i < 50; i++) { /* steps that are no multiples of its own */
            if (i == 25) assert_int_equal(host_set(&x, "tau", -0.25), 0);
            if (i == 30) assert_int_equal(host_get_state(&x, &kept), 0);
            if (host_step(&x, 0.01 * i, 0.01, &terminate) != 0) fail_msg("%s", x.log);
        }
        const double q = angle_at_half(3.0);
        assert_near(get(&x, "x"), 0.5 * cos(q), 1e-9, 0.0);
        assert_near(get(&x, "y"), 0.5 * sin(q), 1e-9, 0.0);
        first = get(&x, "y'");
        assert_int_equal(host_serialize(&x, kept, NULL, &size), 0);
        char *bytes = malloc(size);
        assert_int_equal(host_serialize(&x, kept, bytes, &size), 0);
        assert_int_equal(host_deserialize(&other, bytes, size - 1, &copy), 3);
        assert_int_equal(host_deserialize(&other, bytes, size, &copy), 0);
        assert_int_equal(host_set_state(&other, copy), 0);
        for (int i = 30; i < 50; i++)
            if (host_step(&other, 0.01 * i, 0.01, &terminate) != 0) fail_msg("%s", other.log);
        assert_true(get(&other, "y'") == first);
        assert_int_equal(host_step(&x, 0.5, 0.6, &terminate), 3); /* beyond the stop time */
        assert_int_equal(host_step(&x, 0.5, 0.033, &terminate), 0);
        free(bytes);
        assert_int_equal(host_free_state(&x, &kept), 0);
        assert_int_equal(host_free_state(&other, &copy), 0);
        host_free(&x);
        host_free(&other);
        close_fmu(f);
    }
    program_result r;
    program_write("ball.yaml", BALL, -1);
    program_call(&r, "export ball.yaml --fmu model.fmu --sources");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "events ('bounce')"));
    program_release(&r);
}

/* ---- wrong calls ---- */

static void test_wrong_calls_are_refused(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu("motor.yaml", version);
        host_instance x;
        bool terminate;
        double value;
        assert_false(host_instantiate(&x, f, "taut-0"));
        assert_non_null(strstr(x.log, "token"));
        assert_true(host_instantiate(&x, f, NULL));
        assert_int_equal(host_step(&x, 0.0, 0.1, &terminate), 3); /* before the start */
        assert_non_null(strstr(x.log, "not allowed in this state"));
        assert_int_equal(host_exit(&x), 3);
        assert_int_equal(host_enter(&x, 0.5, false, 0.0), 3); /* not at t0 */
        assert_int_equal(host_enter(&x, 0.0, true, 1.0), 0);
        assert_int_equal(host_set(&x, "L", (double)NAN), 3);
        assert_int_equal(host_set(&x, "x", 0.1), 3); /* an output */
        assert_int_equal(host_get(&x, "nothing", &value), 3);
        assert_int_equal(host_exit(&x), 0);
        assert_int_equal(host_set(&x, "L", 0.6), 3); /* fixed */
        assert_int_equal(host_step(&x, 0.3, 0.1, &terminate), 3);
        assert_int_equal(host_step(&x, 0.0, -0.1, &terminate), 3);
        assert_int_equal(host_step(&x, 0.0, 1.5, &terminate), 3); /* beyond the stop time */
        assert_int_equal(host_step(&x, 0.0, 0.1, &terminate), 0); /* and it still works */
        assert_int_equal(host_terminate(&x), 0);
        assert_int_equal(host_step(&x, 0.1, 0.1, &terminate), 3);
        assert_int_equal(host_reset(&x), 0);
        assert_int_equal(host_enter(&x, 0.0, false, 0.0), 0);
        assert_int_equal(host_exit(&x), 0);
        assert_int_equal(host_step(&x, 0.0, 0.1, &terminate), 0);
        host_free(&x);
        close_fmu(f);
    }
}

/* ---- threads ---- */

enum { THREADS = 8 };
typedef struct thread_job {
    const host_fmu *fmu;
    double x;
} thread_job;

static void *run_thread(void *user) {
    thread_job *job = user;
    host_instance *x = calloc(1, sizeof *x);
    bool terminate;
    job->x = (double)NAN;
    if (host_instantiate(x, job->fmu, NULL) && host_enter(x, 0.0, false, 0.0) == 0 &&
        host_exit(x) == 0) {
        int status = 0;
        for (int i = 0; i < 50 && status == 0; i++)
            status = host_step(x, 0.02 * i, 0.02, &terminate);
        if (status == 0) host_get(x, "Ax", &job->x);
    }
    host_free(x);
    free(x);
    return NULL;
}

static void test_eight_instances_in_eight_threads(void **state) {
    (void)state;
    host_fmu *f = open_fmu(TAUT_SOURCE_DIR "/examples/slider-crank.yaml", 3);
    pthread_t thread[THREADS];
    thread_job job[THREADS];
    for (int i = 0; i < THREADS; i++) {
        job[i].fmu = f;
        assert_int_equal(pthread_create(&thread[i], NULL, run_thread, &job[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    assert_true(isfinite(job[0].x));
    for (int i = 1; i < THREADS; i++) assert_true(job[i].x == job[0].x);
    close_fmu(f);
}

/* ---- descriptions ---- */

/* The text with the first `from` replaced by `to`. */
static char *replaced(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (!at) fail_msg("'%s' is not there", from);
    char *copy = malloc(strlen(text) + strlen(to) + 1);
    sprintf(copy, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return copy;
}

static void test_broken_descriptions_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *words;
    } broken[] = {
        {"<fmiModelDescription", "<fmiModelDescriptions", "well-formed"},
        {"</fmiModelDescription>", "", "without its end"},
        {"fmiVersion=\"3.0\"", "fmiVersion=\"1.0\"", "fmiVersion"},
        {"modelName=\"model\"", "modelName=\"\"", "modelName"},
        {"instantiationToken", "token", "token"},
        {"variableNamingConvention=\"flat\"", "variableNamingConvention=\"round\"",
         "Convention is round"},
        {"<CoSimulation", "<Simulation", "unknown element"},
        {"<ModelExchange", "<Exchange", "unknown element"},
        {" providesDirectionalDerivatives=\"true\"", " providesDirectionalDerivatives=\"1\"",
         "not true or false"},
        {"generationTool", "numberOfEventIndicators=\"0\" generationTool", "of version 2"},
        {"<Float64 name=\"der(state[1])\" valueReference=\"14\" causality=\"local\" "
         "variability=\"continuous\" initial=\"calculated\" derivative=\"12\"",
         "<Float64 name=\"der(state[1])\" valueReference=\"14\" causality=\"local\" "
         "variability=\"continuous\" initial=\"calculated\" derivative=\"14\"",
         "derivative of itself"},
        {"derivative=\"12\"", "derivative=\"99\"", "derivative of no variable"},
        {"derivative=\"13\"", "derivative=\"12\"", "two derivatives"},
        {"derivative=\"12\"", "derivative=\"1\"", "states are continuous"},
        {"derivative=\"13\"", "", "is no derivative"},
        {"<ContinuousStateDerivative valueReference=\"14\"/>", "", "is missing"},
        {"<ContinuousStateDerivative valueReference=\"14\"/>",
         "<ContinuousStateDerivative valueReference=\"5\"/>", "is no derivative"},
        {"<InitialUnknown valueReference=\"14\"/>", "", "is missing"},
        {"<InitialUnknown valueReference=\"14\"/>", "<Output valueReference=\"5\"/>",
         "is in the wrong place"},
        {"<InitialUnknown valueReference=\"14\"/>", "<Unknown valueReference=\"14\"/>",
         "unknown element Unknown"},
        {"modelIdentifier=\"model\"", "modelIdentifier=\"a b\"", "no name of C"},
        {"modelIdentifier=\"model\"", "identifier=\"model\"", "no name of C"},
        {"canGetAndSetFMUState=\"true\"", "canGetAndSetFMUState=\"yes\"", "not true or false"},
        {"canGetAndSetFMUState=\"true\"", "canGetAndSetFMUState=\"false\"",
         "serialized but not set"},
        {"startTime=\"0\"", "startTime=\"zero\"", "startTime is no number"},
        {"stopTime=\"1\"", "stopTime=\"-1\"", "not behind startTime"},
        {"tolerance=\"", "tolerance=\"-", "tolerance is not positive"},
        {"name=\"m\"", "name=\"L\"", "the name twice"},
        {"name=\"m\"", "title=\"m\"", "without a name"},
        {"valueReference=\"1\"", "valueReference=\"0\"", "the reference twice"},
        {"valueReference=\"1\"", "valueReference=\"one\"", "missing or no number"},
        {"causality=\"parameter\"", "causality=\"whim\"", "causality whim"},
        {"variability=\"fixed\"", "variability=\"rare\"", "variability rare"},
        {"variability=\"fixed\"", "variability=\"continuous\"", "fixed or tunable"},
        {"causality=\"output\" variability=\"continuous\"",
         "causality=\"output\" variability=\"fixed\"", "discrete or continuous"},
        {"causality=\"independent\" variability=\"continuous\"",
         "causality=\"independent\" variability=\"discrete\"",
         "independent variable is continuous"},
        {"causality=\"independent\"", "causality=\"local\"", "0 independent variables"},
        {"initial=\"calculated\"", "initial=\"maybe\"", "initial maybe"},
        {"causality=\"input\"", "initial=\"exact\" causality=\"input\"", "not allowed for input"},
        {" start=\"2\"", "", "start is missing"},
        {" start=\"2\"", " start=\"two\"", "start is no number"},
        {" initial=\"calculated\"", " initial=\"calculated\" start=\"1\"", "start is not allowed"},
        {"<Float64 name=\"x\"", "<Float64 unit=\"m\" name=\"x\"", "unit m is not defined"},
        {"<ModelStructure>", "<Structure>", "well-formed"},
        {"<Output valueReference=\"5\"/>", "", "is missing"},
        {"<Output valueReference=\"5\"/>", "<Output valueReference=\"99\"/>", "no such variable"},
        {"<Output valueReference=\"5\"/>", "<Output valueReference=\"1\"/>", "is no output"},
        {"<Output valueReference=\"5\"/>",
         "<Output valueReference=\"5\"/><Output valueReference=\"5\"/>", "twice"},
        {"<InitialUnknown valueReference=\"5\"/>", "", "is missing"},
        {"Float64 name=\"m\"", "Int8 name=\"m\"", "unknown type"},
        {"description=\"", "description=\"&", "entity"},
    };
    enum { COUNT = sizeof broken / sizeof *broken };
    assert_true((int)COUNT >= 30);
    program_write("motor.yaml", MOTOR, -1);
    host_description *d = calloc(1, sizeof *d);
    host_fmu *f = open_fmu("motor.yaml", 3);
    char *xml = program_read("model/modelDescription.xml");
    assert_true(host_describe(d, xml));
    host_description_release(d);
    for (int i = 0; i < COUNT; i++) {
        char *text = replaced(xml, broken[i].from, broken[i].to);
        if (host_describe(d, text)) fail_msg("variant %d (%s) passed", i, broken[i].to);
        if (!strstr(d->fault, broken[i].words))
            fail_msg("variant %d: '%s', not '%s'", i, d->fault, broken[i].words);
        host_description_release(d);
        free(text);
    }
    free(xml);
    close_fmu(f);
    free(d);
}

static void test_broken_archives_are_refused(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    host_fmu *f = open_fmu("motor.yaml", 2), *other = calloc(1, sizeof *other);
    assert_int_equal(system("head -c 10000 model.fmu > cut.fmu"), 0);
    assert_false(host_open(other, "cut.fmu", "cut"));
    assert_non_null(strstr(other->fault, "no archive"));
    assert_int_equal(system("sed 's/PhysicalParams/physicalParams/' model.fmu > changed.fmu"), 0);
    assert_false(host_open(other, "changed.fmu", "changed"));
    assert_non_null(strstr(other->fault, "checksum"));
    free(other);
    close_fmu(f);
}

static void test_what_is_no_fmu_is_refused(void **state) {
    (void)state;
    program_result r;
    program_write("motor.yaml", MOTOR, -1);
    program_call(&r, "export motor.yaml --fmu m.fmu --set m=3");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "values of the file"));
    program_release(&r);
    program_call(&r, "export motor.yaml --fmu m.fmu --step 0.1");
    assert_int_equal(r.code, 2);
    assert_false(program_exists("m.fmu"));
    program_release(&r);
}

int main(void) {
#define HERE(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        HERE(test_broken_descriptions_are_refused),  HERE(test_broken_archives_are_refused),
        HERE(test_co_simulation_agrees_with_taut),   HERE(test_inputs_and_parameters_count),
        HERE(test_states_go_back_bit_for_bit),       HERE(test_wrong_calls_are_refused),
        HERE(test_eight_instances_in_eight_threads), HERE(test_what_is_no_fmu_is_refused),
        HERE(test_source_code_is_an_fmu_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
