/* FMUs for model exchange: CVODE of the host integrates minimal coordinates and agrees with taut,
 * also past events and changes of the coordinates; states go back bit for bit; directional
 * derivatives are exact. And what version 3 adds to co-simulation. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fmu_host/exchange.h"
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
/* the same with a controller, which is what a time event is for */
static const char PID[] =
    "PhysicalParams: {m: 2, L: 0.5, G: 9.81}\n"
    "Inputs: {tau: 0}\n"
    "Lagrangian:\n"
    "  Coordinates: [x, y]\n"
    "  L: m/2*(x'^2 + y'^2) - m*G*y\n"
    "  Constraints: {rod: x^2 + y^2 - L^2}\n"
    "  Forces: {x: -tau*y/L^2, y: tau*x/L^2}\n"
    "Controllers:\n"
    "  pid: {Every: 10 ms, States: {z: 0}, Next: {z: z - 0.01*y}, Out: {tau: -20*y + 5*z - 2*y'}}\n"
    "ProblemData: {tend: 1, positions: {x: L, y: 0}, velocities: {x: 0, y: 0.5}}\n";
static const char BALL[] =
    "Discrete: {count: 0}\n"
    "DAE: {Variables: [y], Equations: [y'' + 10]}\n"
    "Events: {bounce: {When: y, Direction: down, Do: {y': -0.8*y', count: count + 1}},\n"
    "  last: {When: count >= 5, Stop: true}}\n"
    "ProblemData: {tend: 3, positions: {y: 1}, velocities: {y: 0}}\n";

static host_fmu *open_fmu(const char *file, int version) {
    char command[700];
    program_result r;
    host_fmu *f = calloc(1, sizeof *f);
    snprintf(command, sizeof command, "export %s --fmu model.fmu --fmi %d --tol 1e-11", file,
             version);
    program_call(&r, command);
    if (r.code != 0) fail_msg("%s", r.err);
    program_release(&r);
    if (!host_open(f, "model.fmu", "model")) fail_msg("%s: %s", file, f->fault);
    return f;
}

static void close_fmu(host_fmu *f) {
    host_close(f);
    free(f);
    assert_int_equal(system("rm -rf model model.fmu"), 0);
}

static void begin(host_instance *x, const host_fmu *f) {
    memset(x, 0, sizeof *x);
    if (!host_instantiate_as(x, f, NULL, true)) fail_msg("%s", x->log);
    assert_int_equal(host_enter(x, f->description.start, false, 0.0), 0);
    assert_int_equal(host_exit(x), 0);
}

static double get(host_instance *x, const char *name) {
    double value = (double)NAN;
    if (host_get(x, name, &value) != 0) fail_msg("%s: %s", name, x->log);
    return value;
}

/* ---- agreement ---- */

/* The largest difference of an output from taut at 1e-13. */
static double compare(host_instance *x, const char *file) {
    static taut_errors errors;
    taut_model *model;
    taut_result *truth;
    taut_run_options o = taut_run_options_default();
    double worst = 0.0;
    const double end = get(x, "time");
    o.rtol = o.atol = 1e-13;
    o.has_tend = true;
    o.tend = end;
    o.at = &end;
    o.ats = 1;
    assert_int_equal(taut_model_read(file, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &o, &truth, &errors), TAUT_OK);
    for (int c = 1; c < taut_result_columns(truth); c++) {
        const double want = taut_result_value(truth, 0, c),
                     have = get(x, taut_result_name(truth, c));
        const double gap = fabs(have - want) / fmax(1.0, fabs(want));
        if (!(gap <= worst)) worst = gap;
    }
    taut_result_free(&truth);
    taut_model_free(&model);
    return worst;
}

static long run(const char *file, int version, double tend, bool exact, int states) {
    host_fmu *f = open_fmu(file, version);
    host_instance x;
    host_exchange e = {.exact = exact};
    begin(&x, f);
    assert_int_equal(f->description.states, states);
    if (!host_exchange_begin(&e, &x, 0.0, exact ? 1e-14 : 1e-12) || !host_exchange_run(&e, tend))
        fail_msg("%s at t = %g: %s", file, e.t, x.log);
    assert_near(e.t, tend, 1e-12, 0.0);
    const double gap = compare(&x, file);
    if (!(gap <= 1e-9)) fail_msg("%s: off by %.3g", file, gap);
    const long events = e.events;
    host_exchange_end(&e);
    assert_int_equal(host_terminate(&x), 0);
    host_free(&x);
    close_fmu(f);
    return events;
}

static void test_model_exchange_agrees_with_taut(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    program_write("pid.yaml", PID, -1);
    for (int version = 2; version <= 3; version++) {
        /* a crank that turns: coordinates wear out, which is an event */
        assert_true(
            run(TAUT_SOURCE_DIR "/examples/slider-crank.yaml", version, 1.0, version == 3, 2) > 0);
        assert_true(run("motor.yaml", version, 1.0, false, 2) > 0);
        assert_true(run("pid.yaml", version, 0.995, false, 2) >= 99); /* samples are events */
    }
    run(TAUT_SOURCE_DIR "/examples/flyball-governor.yaml", 3, 0.5, false, 8);
}

/* The host's integrator makes the error: it goes down with its tolerance, past changes of the
 * coordinates and with spins that amplify it (heavy top: 5e5 times the tolerance). */
static void test_errors_are_those_of_the_host(void **state) {
    (void)state;
    static const char file[] = TAUT_SOURCE_DIR "/examples/heavy-top.yaml";
    host_fmu *f = open_fmu(file, 3);
    double gap[2];
    for (int i = 0; i < 2; i++) {
        host_instance x;
        host_exchange e = {.exact = false};
        begin(&x, f);
        if (!host_exchange_begin(&e, &x, 0.0, i ? 3e-15 : 1e-11) || !host_exchange_run(&e, 0.5))
            fail_msg("%s", x.log);
        assert_true(e.events > 10);
        gap[i] = compare(&x, file);
        host_exchange_end(&e);
        host_free(&x);
    }
    if (!(gap[1] < 1e-9 && gap[1] < 1e-2 * gap[0])) fail_msg("%.3g, %.3g", gap[0], gap[1]);
    close_fmu(f);
}

/* The ball's bounces are known: t1 = sqrt(0.2), then 2 * 0.8^k * t1 from one to the next. */
static void test_bounces_are_events_of_the_host(void **state) {
    (void)state;
    program_write("ball.yaml", BALL, -1);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu("ball.yaml", version);
        host_instance x;
        host_exchange e = {.exact = false};
        begin(&x, f);
        if (!host_exchange_begin(&e, &x, 0.0, 1e-12) || !host_exchange_run(&e, 1.5))
            fail_msg("%s", x.log);
        const double t1 = sqrt(0.2), t2 = t1 + 1.6 * t1, v2 = 10.0 * t1 * 0.64, s = 1.5 - t2;
        assert_near(get(&x, "y"), v2 * s - 5.0 * s * s, 1e-9, 0.0);
        assert_near(get(&x, "count"), 2.0, 0.0, 0.0);
        assert_int_equal(e.events, 2);
        if (!host_exchange_run(&e, 3.0)) fail_msg("%s", x.log);
        assert_true(e.terminated); /* at the fifth one */
        assert_near(e.t, t1 * (1.0 + 2.0 * (0.8 + 0.64 + 0.512 + 0.4096)), 1e-9, 0.0);
        host_exchange_end(&e);
        host_free(&x);
        close_fmu(f);
    }
}

/* An input that follows a signal while the host integrates, and a parameter that is tuned. */
static double wave(double t) { return 2.0 * sin(9.0 * t); }

static double swing(double m, double t, double *v, double q, double end) {
    const double G = 9.81, L = 0.5;
    const int n = (int)ceil((end - t) / 1e-4);
    const double h = (end - t) / n;
    for (int i = 0; i < n; i++, t += h) {
#define RATE(s, a) ((wave(s) - m * G * L * cos(a)) / (m * L * L))
        const double a1 = RATE(t, q), v2 = *v + h / 2 * a1, a2 = RATE(t + h / 2, q + h / 2 * *v);
        const double v3 = *v + h / 2 * a2, a3 = RATE(t + h / 2, q + h / 2 * v2);
        const double v4 = *v + h * a3, a4 = RATE(t + h, q + h * v3);
        q += h / 6 * (*v + 2 * v2 + 2 * v3 + v4);
        *v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
#undef RATE
    }
    return q;
}

static void test_inputs_and_tuned_parameters_count(void **state) {
    (void)state;
    double v = 0.0, next;
    bool changed, terminate;
    program_write("motor.yaml", MOTOR, -1);
    const double half = swing(2.0, 0.0, &v, 0.0, 0.4), q = swing(3.0, 0.4, &v, half, 0.9);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu("motor.yaml", version);
        host_instance x;
        host_exchange e = {.input = "tau", .signal = wave};
        begin(&x, f);
        if (!host_exchange_begin(&e, &x, 0.0, 1e-12) || !host_exchange_run(&e, 0.4))
            fail_msg("%s", x.log);
        assert_near(get(&x, "y"), 0.5 * sin(half), 1e-9, 0.0);
        assert_int_equal(host_set(&x, "m", 3.0), 3); /* in event mode only */
        assert_int_equal(host_enter_events(&x), 0);
        assert_int_equal(host_set(&x, "L", 0.6), 3); /* in a constraint: fixed */
        assert_int_equal(host_set(&x, "m", 3.0), 0);
        assert_int_equal(host_update(&x, &changed, &terminate, &next), 0);
        assert_int_equal(host_enter_time(&x), 0);
        host_exchange second = {.input = "tau", .signal = wave};
        assert_int_equal(host_enter_events(&x), 0);
        if (!host_exchange_begin(&second, &x, 0.4, 1e-12) || !host_exchange_run(&second, 0.9))
            fail_msg("%s", x.log);
        assert_near(get(&x, "x"), 0.5 * cos(q), 1e-9, 0.0);
        assert_near(get(&x, "y"), 0.5 * sin(q), 1e-9, 0.0);
        host_exchange_end(&e);
        host_exchange_end(&second);
        host_free(&x);
        close_fmu(f);
    }
}

/* ---- directional derivatives ---- */

/* Of rates and outputs by states, an input and a parameter, against central differences. */
static void test_directional_derivatives_are_exact(void **state) {
    (void)state;
    enum { N = 2 };
    static const char *const of[] = {"der(state[1])", "der(state[2])", "x", "y'", "rod", "energy"};
    static const char *const by[] = {"state[1]", "state[2]", "tau", "m"};
    program_write("motor.yaml", MOTOR, -1);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu("motor.yaml", version);
        host_instance x;
        double y[N], value;
        begin(&x, f);
        host_exchange e = {.input = "tau", .signal = wave};
        if (!host_exchange_begin(&e, &x, 0.0, 1e-12) || !host_exchange_run(&e, 0.3))
            fail_msg("%s", x.log);
        assert_int_equal(host_enter_events(&x), 0);
        assert_int_equal(host_get_states(&x, y, N), 0);
        const double before[] = {y[0], y[1], get(&x, "tau"), get(&x, "m")};
        for (int i = 0; i < (int)(sizeof of / sizeof *of); i++)
            for (int k = 0; k < 4; k++) {
                double side[2], h = 1e-5;
                if (host_derive(&x, of[i], by[k], &value) != 0) fail_msg("%s", x.log);
                for (int s = 0; s < 2; s++) {
                    const double moved = before[k] + (s ? h : -h);
                    double z[N] = {y[0], y[1]};
                    if (k >= N) assert_int_equal(host_set(&x, by[k], moved), 0);
                    assert_int_equal(host_enter_time(&x), 0);
                    if (k < N) z[k] = moved;
                    assert_int_equal(host_set_states(&x, z, N), 0);
                    side[s] = get(&x, of[i]);
                    assert_int_equal(host_set_states(&x, y, N), 0);
                    assert_int_equal(host_enter_events(&x), 0);
                    if (k >= N) assert_int_equal(host_set(&x, by[k], before[k]), 0);
                }
                const double want = (side[1] - side[0]) / (2.0 * h);
                if (!(fabs(value - want) <= 2e-7 * fmax(1.0, fabs(want))))
                    fail_msg("d(%s)/d(%s): %.15g, not %.15g", of[i], by[k], value, want);
            }
        /* what is in no constraint has an exact answer: d(energy)/d(m) by hand */
        const double vx = get(&x, "x'"), vy = get(&x, "y'");
        assert_int_equal(host_derive(&x, "energy", "m", &value), 0);
        assert_near(value, 0.5 * (vx * vx + vy * vy) + 9.81 * get(&x, "y"), 1e-12, 1e-12);
        assert_int_equal(host_derive(&x, "energy", "L", &value), 3); /* fixed */
        assert_int_equal(host_derive(&x, "m", "tau", &value), 3);
        host_exchange_end(&e);
        host_free(&x);
        close_fmu(f);
    }
}

/* In co-simulation: what an input does to outputs where the motion is. */
static void test_co_simulation_has_derivatives_by_inputs(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu("motor.yaml", version);
        host_instance x;
        bool terminate;
        double value;
        assert_true(host_instantiate(&x, f, NULL));
        assert_int_equal(host_enter(&x, 0.0, false, 0.0), 0);
        assert_int_equal(host_exit(&x), 0);
        for (int i = 0; i < 10; i++) assert_int_equal(host_step(&x, 0.03 * i, 0.03, &terminate), 0);
        if (host_derive(&x, "x", "tau", &value) != 0) fail_msg("%s", x.log);
        assert_near(value, 0.0, 1e-14, 0.0); /* a position does not jump */
        /* L = T - V + rod (x^2 + y^2 - L^2): the motor acts across the rod */
        if (host_derive(&x, "rod", "tau", &value) != 0) fail_msg("%s", x.log);
        assert_near(value, 0.0, 1e-12, 0.0);
        if (host_derive(&x, "rod", "m", &value) != 0) fail_msg("%s", x.log);
        assert_near(value, get(&x, "rod") / 2.0, 1e-11, 1e-11); /* proportional to the mass */
        assert_int_equal(host_derive(&x, "x", "state[1]", &value), 3);
        /* states of model exchange can be read */
        assert_near(hypot(get(&x, "der(state[1])"), 0.0), fabs(get(&x, "der(state[1])")), 0.0, 0.0);
        host_free(&x);
        close_fmu(f);
    }
}

/* ---- states ---- */

static void test_states_go_back_bit_for_bit(void **state) {
    (void)state;
    program_write("ball.yaml", BALL, -1);
    static const char *const file[] = {TAUT_SOURCE_DIR "/examples/slider-crank.yaml", "ball.yaml"};
    static const char *const seen[] = {"Ax", "y"};
    for (int i = 0; i < 2; i++) {
        host_fmu *f = open_fmu(file[i], 2 + i);
        host_instance x, other;
        host_exchange e = {.exact = false};
        void *kept = NULL, *copy = NULL;
        double last[3];
        size_t size = 0;
        begin(&x, f);
        begin(&other, f);
        if (!host_exchange_begin(&e, &x, 0.0, 1e-10) || !host_exchange_run(&e, 0.6))
            fail_msg("%s", x.log);
        assert_int_equal(host_enter_events(&x), 0);
        if (host_get_state(&x, &kept) != 0) fail_msg("%s", x.log);
        assert_int_equal(host_serialize(&x, kept, NULL, &size), 0);
        char *bytes = malloc(size);
        assert_int_equal(host_serialize(&x, kept, bytes, &size), 0);
        if (host_deserialize(&other, bytes, size, &copy) != 0) fail_msg("%s", other.log);
        for (int round = 0; round < 3; round++) { /* on; back; in another instance */
            host_instance *y = round == 2 ? &other : &x;
            host_exchange again = {.exact = false};
            if (round > 0 && host_set_state(y, round == 2 ? copy : kept) != 0)
                fail_msg("%s", y->log);
            if (!host_exchange_begin(&again, y, 0.6, 1e-10) || !host_exchange_run(&again, 1.0))
                fail_msg("%s", y->log);
            last[round] = get(y, seen[i]);
            host_exchange_end(&again);
        }
        if (last[1] != last[0] || last[2] != last[0])
            fail_msg("%s: %.17g, %.17g back, %.17g elsewhere", file[i], last[0], last[1], last[2]);
        free(bytes);
        assert_int_equal(host_free_state(&x, &kept), 0);
        assert_int_equal(host_free_state(&other, &copy), 0);
        host_exchange_end(&e);
        host_free(&x);
        host_free(&other);
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
    host_exchange e = {.exact = true};
    job->x = (double)NAN;
    if (host_instantiate_as(x, job->fmu, NULL, true) && host_enter(x, 0.0, false, 0.0) == 0 &&
        host_exit(x) == 0 && host_exchange_begin(&e, x, 0.0, 1e-8) && host_exchange_run(&e, 0.5))
        host_get(x, "Ax", &job->x);
    host_exchange_end(&e);
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

/* ---- wrong calls ---- */

static void test_wrong_calls_are_refused(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    for (int version = 2; version <= 3; version++) {
        host_fmu *f = open_fmu("motor.yaml", version);
        host_instance x, steps;
        double y[2], next;
        bool terminate, changed;
        begin(&x, f);
        assert_int_equal(host_step(&x, 0.0, 0.1, &terminate), 3); /* that is co-simulation */
        assert_int_equal(host_enter_time(&x), 0);
        assert_int_equal(host_get_states(&x, y, 1), 3);
        assert_int_equal(host_set_states(&x, y, 3), 3);
        assert_int_equal(host_set_time(&x, (double)NAN), 3);
        assert_int_equal(host_update(&x, &changed, &terminate, &next), 3); /* not in event mode */
        assert_int_equal(host_get_states(&x, y, 2), 0);
        y[0] = 1e3; /* nowhere near the rod: the host is to go less far */
        assert_int_equal(host_set_states(&x, y, 2), 0);
        assert_int_equal(host_get_rates(&x, y, 2), 2);
        host_free(&x);
        assert_true(host_instantiate(&steps, f, NULL));
        assert_int_equal(host_enter(&steps, 0.0, false, 0.0), 0);
        assert_int_equal(host_get_states(&steps, y, 2), 3); /* that is model exchange */
        assert_int_equal(host_get_rates(&steps, y, 2), 3);
        assert_int_equal(host_exit(&steps), 0);
        assert_int_equal(host_enter_time(&steps), 3);
        host_free(&steps);
        close_fmu(f);
    }
}

static void test_contacts_have_no_fixed_number_of_states(void **state) {
    (void)state;
    program_result r;
    program_write("contact.yaml",
                  "Lagrangian: {Coordinates: [y], L: \"y'^2/2 - 10*y\"}\n"
                  "Contacts: {ground: {Gap: y, Restitution: 0.5}}\n"
                  "ProblemData: {tend: 1, positions: {y: 1}, velocities: {y: 0}}\n",
                  -1);
    program_call(&r, "export " TAUT_SOURCE_DIR "/examples/algebraic.yaml --fmu model.fmu");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "no model exchange: no initial value is free"));
    program_release(&r);
    program_call(&r, "export contact.yaml --fmu model.fmu");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "no model exchange: contacts"));
    program_release(&r);
    host_fmu *f = calloc(1, sizeof *f);
    host_instance x = {0};
    if (!host_open(f, "model.fmu", "model")) fail_msg("%s", f->fault);
    assert_false(f->description.exchange);
    assert_false(host_instantiate_as(&x, f, NULL, true));
    assert_non_null(strstr(x.log, "contacts"));
    close_fmu(f);
}

/* ---- what version 3 adds to co-simulation ---- */

static void test_steps_return_early_at_events(void **state) {
    (void)state;
    program_write("ball.yaml", BALL, -1);
    host_fmu *f = open_fmu("ball.yaml", 3);
    const double t1 = sqrt(0.2);
    bool terminate, changed;
    double next;
    for (int mode = 0; mode < 2; mode++) {
        host_instance x = {.event_mode = mode == 1, .early_return = true};
        assert_true(host_instantiate_as(&x, f, NULL, false));
        assert_int_equal(host_enter(&x, 0.0, false, 0.0), 0);
        assert_int_equal(host_exit(&x), 0);
        if (mode == 1) {
            assert_int_equal(host_step(&x, 0.0, 1.0, &terminate), 3); /* in event mode */
            assert_int_equal(host_update(&x, &changed, &terminate, &next), 0);
            assert_int_equal(host_enter_steps(&x), 0);
        }
        if (host_step(&x, 0.0, 1.0, &terminate) != 0) fail_msg("%s", x.log);
        assert_true(x.early && x.event == (mode == 1));
        assert_near(x.reached, t1, 1e-12, 0.0);
        if (mode == 1) {
            assert_near(get(&x, "y'"), -10.0 * t1, 1e-9, 0.0); /* before it */
            assert_int_equal(host_enter_events(&x), 0);
            assert_int_equal(host_update(&x, &changed, &terminate, &next), 0);
            assert_int_equal(host_enter_steps(&x), 0);
        }
        assert_near(get(&x, "y'"), 8.0 * t1, 1e-9, 0.0);
        if (host_step(&x, x.reached, 1.0 - x.reached, &terminate) != 0) fail_msg("%s", x.log);
        assert_false(x.early);
        const double s = 1.0 - t1;
        assert_near(get(&x, "y"), 8.0 * t1 * s - 5.0 * s * s, 1e-9, 0.0);
        host_free(&x);
    }
    close_fmu(f);
}

static void test_the_host_looks_into_steps(void **state) {
    (void)state;
    program_write("motor.yaml", MOTOR, -1);
    host_fmu *f = open_fmu("motor.yaml", 3);
    host_instance x = {.early_return = true, .looks = true, .stop_at = 0.5, .watched = "y"};
    bool terminate;
    assert_true(host_instantiate_as(&x, f, NULL, false));
    assert_int_equal(host_enter(&x, 0.0, false, 0.0), 0);
    assert_int_equal(host_exit(&x), 0);
    if (host_step(&x, 0.0, 1.0, &terminate) != 0) fail_msg("%s", x.log);
    assert_true(x.early && x.reached >= 0.5 && x.reached < 1.0 && x.updates > 1);
    assert_true(x.seen == get(&x, "y"));
    host_free(&x);
    close_fmu(f);
}

int main(void) {
#define HERE(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        HERE(test_model_exchange_agrees_with_taut),
        HERE(test_errors_are_those_of_the_host),
        HERE(test_bounces_are_events_of_the_host),
        HERE(test_inputs_and_tuned_parameters_count),
        HERE(test_directional_derivatives_are_exact),
        HERE(test_co_simulation_has_derivatives_by_inputs),
        HERE(test_states_go_back_bit_for_bit),
        HERE(test_eight_instances_in_eight_threads),
        HERE(test_wrong_calls_are_refused),
        HERE(test_contacts_have_no_fixed_number_of_states),
        HERE(test_steps_return_early_at_events),
        HERE(test_the_host_looks_into_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
