/* Sampled controllers: against independent discrete-time computations, at exact times, with states
 * that can be saved; wrong files word by word. */
#include "solve_text.h"

#include <math.h>

#include "program.h"

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    assert_true(column >= 0);
    return taut_result_value(s->result, row, column);
}

static solution *run(const char *text, const char *solver, const double *at, int ats) {
    taut_run_options o = at_tolerance(1e-11);
    o.solver = solver;
    o.at = at;
    o.ats = ats;
    return solve_text(text, &o);
}

/* ---- a PID controller ---- */

static const char PID[] = "PhysicalParams: {kp: 30, ki: 20, kd: 8, ref: 0.5, T: 1 ms}\n"
                          "Inputs: {u: 0}\n"
                          "Lagrangian:\n"
                          "  Coordinates: [phi]\n"
                          "  L: phi'^2/2 + 9.81*cos(phi)\n"
                          "  Forces: {phi: u - 0.1*phi' + sin(t)}\n"
                          "Controllers:\n"
                          "  pid:\n"
                          "    Every: T\n"
                          "    States: {z: 0, old: 0, n: 0}\n"
                          "    Next: {z: z + (ref - phi)*T, old: phi, n: n + 1}\n"
                          "    Out: {u: kp*(ref - phi) + ki*z - kd*(phi - old)/T}\n"
                          "Outputs: {samples: n, sum: z}\n"
                          "ProblemData: {tend: 100, positions: {phi: 0}}\n";

typedef struct plant {
    double phi, rate, u, z, old;
} plant;

static double acceleration(const plant *p, double t, double phi, double rate) {
    return -9.81 * sin(phi) + p->u - 0.1 * rate + sin(t);
}

/* One step of the classical Runge-Kutta method with the input held. */
static void advance(plant *p, double t, double h) {
    const double x = p->phi, v = p->rate;
    const double a1 = acceleration(p, t, x, v);
    const double v2 = v + 0.5 * h * a1, a2 = acceleration(p, t + 0.5 * h, x + 0.5 * h * v, v2);
    const double v3 = v + 0.5 * h * a2, a3 = acceleration(p, t + 0.5 * h, x + 0.5 * h * v2, v3);
    const double v4 = v + h * a3, a4 = acceleration(p, t + h, x + h * v3, v4);
    p->phi = x + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    p->rate = v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
}

/* The same loop as a sampled system: sample, hold, integrate over a millisecond. */
static plant simulate_pid(long samples) {
    plant p = {0};
    for (long k = 0;; k++) {
        const double error = 0.5 - p.phi;
        p.u = 30.0 * error + 20.0 * p.z - 8.0 * (p.phi - p.old) / 1e-3;
        p.z += error * 1e-3;
        p.old = p.phi;
        if (k == samples - 1) return p;
        for (int i = 0; i < 4; i++) advance(&p, (double)k / 1000.0 + i * 2.5e-4, 2.5e-4);
    }
}

static void test_pid_on_a_pendulum(void **state) {
    (void)state;
    static const double at[] = {0.0, 0.001, 1.0, 100.0};
    static const long samples[] = {1, 2, 1001, 100001};
    solution *s = run(PID, "taylor", at, 4);
    for (int i = 0; i < 4; i++) {
        const plant p = simulate_pid(samples[i]);
        assert_near(value(s, i, "samples"), (double)samples[i], 0.0, 0.0);
        assert_near(value(s, i, "phi"), p.phi, 1e-10, 1e-9);
        assert_near(value(s, i, "u"), p.u, 1e-9, 1e-9);
        assert_near(value(s, i, "sum"), p.z, 1e-10, 1e-9);
    }
    assert_true(taut_result_stats(s->result)->reached == 100.0);
    assert_int_equal(taut_result_stats(s->result)->steps, 100000);
    assert_int_equal(taut_result_notes(s->result)->events, 0); /* samples are not listed */
    solution_free(s);
}

/* x' = u, u = -x(t_k): x is multiplied by 1 - T from sample to sample, whatever the method. */
static void test_every_solver(void **state) {
    (void)state;
    static const char text[] = "Inputs: {u: 7}\n"
                               "DAE: {Variables: [x], Equations: [x' - u]}\n"
                               "Controllers: {c: {Every: 0.25, Out: {u: -x}}}\n"
                               "ProblemData: {tend: 10, values: {x: 1}}\n";
    static const char *const solver[] = {"taylor", "ho", "bdf", "adams", "erk", "ida"};
    for (size_t i = 0; i < sizeof solver / sizeof solver[0]; i++) {
        solution *s = run(text, solver[i], (const double[]){0.0, 0.1, 1.0, 10.0}, 4);
        const double tol = i < 2 ? 1e-14 : 1e-8;
        assert_near(value(s, 0, "u"), -1.0, 0.0, 0.0); /* a sample at t0 is part of the start */
        assert_near(value(s, 1, "x"), 0.9, tol, 0.0);
        assert_near(value(s, 2, "x"), pow(0.75, 4), tol, 0.0);
        assert_near(value(s, 2, "u"), -pow(0.75, 4), tol, 0.0);
        assert_near(value(s, 3, "x"), pow(0.75, 40), tol, 0.0);
        solution_free(s);
    }
}

/* ---- times ---- */

/* Counters of several rates; multiples of 0.1 are not sums of it, and 3*0.1 > 0.3. */
static void test_times_are_exact(void **state) {
    (void)state;
    static const char text[] =
        "Inputs: {u: 0}\n"
        "DAE: {Variables: [x], Equations: [x' - u]}\n"
        "Controllers:\n"
        "  tenth: {Every: 0.1, States: {a: 0}, Next: {a: a + 1}, Out: {u: a}}\n"
        "  late: {Every: 100 ms, Offset: 50 ms, States: {b: 0}, Next: {b: b + 1}}\n"
        "  third: {Every: 1/3, States: {c: 0}, Next: {c: c + 1}}\n"
        "  odd: {Every: 0.07, Offset: 10 ms, States: {d: 0}, Next: {d: d + 1}}\n"
        "Outputs: {A: a, B: b, C: c, D: d}\n"
        "ProblemData: {tend: 70.3, values: {x: 0}}\n";
    for (int k = 0; k <= 703; k += 37) {
        const double t = (double)k / 10.0;
        taut_run_options o = at_tolerance(1e-9);
        o.has_tend = true;
        o.tend = t;
        o.at = &t;
        o.ats = 1;
        if (k % 2 == 0 && k > 0) o.tend = 70.3; /* as a row, and as the end */
        if (k > 200) k += 74;
        solution *s = solve_text(text, &o);
        const long tenths = lround(t * 10.0);
        assert_near(value(s, 0, "A"), (double)tenths + 1.0, 0.0, 0.0);
        assert_near(value(s, 0, "u"), (double)tenths, 0.0, 0.0);
        assert_near(value(s, 0, "B"), (double)tenths, 0.0, 0.0);
        assert_near(value(s, 0, "C"), (double)(tenths * 3 / 10) + 1.0, 0.0, 0.0);
        assert_near(value(s, 0, "D"), tenths > 0 ? (double)((tenths * 10 - 1) / 7) + 1.0 : 0.0, 0.0,
                    0.0);
        solution_free(s);
    }
}

/* Both controllers see the values before the instant at which they are sampled together. */
static void test_together_by_values_before(void **state) {
    (void)state;
    static const char text[] = "Inputs: {u: 1, v: 2}\n"
                               "DAE: {Variables: [x], Equations: [x' - u - v]}\n"
                               "Controllers:\n"
                               "  a: {Every: 1, Out: {u: v}}\n"
                               "  b: {Every: 1, Out: {v: u}}\n"
                               "ProblemData: {tend: 3, values: {x: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){0.0, 0.5, 1.0, 2.0}, 4);
    assert_near(value(s, 0, "u"), 2.0, 0.0, 0.0);
    assert_near(value(s, 0, "v"), 1.0, 0.0, 0.0);
    assert_near(value(s, 1, "u"), 2.0, 0.0, 0.0);
    assert_near(value(s, 2, "u"), 1.0, 0.0, 0.0);
    assert_near(value(s, 3, "u"), 2.0, 0.0, 0.0);
    solution_free(s);
}

/* An event at a sample: both by the values before it, once; and an event that a sample causes. */
static void test_events_at_samples(void **state) {
    (void)state;
    static const char text[] = "Inputs: {u: 1}\n"
                               "Discrete: {n: 0, k: 0}\n"
                               "DAE: {Variables: [x], Equations: [x' - 1]}\n"
                               "Controllers: {c: {Every: 0.5, Out: {u: n}}}\n"
                               "Events:\n"
                               "  pass: {When: x - 1, Do: {n: n + 1}}\n"
                               "  set: {When: u >= 1, Do: {k: k + 1}}\n"
                               "ProblemData: {tend: 3, values: {x: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){0.9, 1.0, 1.4, 1.5}, 4);
    const taut_notes *n = taut_result_notes(s->result);
    assert_int_equal(n->events, 2);
    assert_near(n->event[0].t, 1.0, 0.0, 0.0);
    assert_near(n->event[1].t, 1.5, 0.0, 0.0);
    assert_string_equal(n->event[1].name, "set");
    assert_near(value(s, 1, "n"), 1.0, 0.0, 0.0);
    assert_near(value(s, 2, "u"), 0.0, 0.0, 0.0);
    assert_near(value(s, 3, "u"), 1.0, 0.0, 0.0);
    assert_near(value(s, 3, "k"), 1.0, 0.0, 0.0);
    solution_free(s);
}

/* A row before and a row after each sample. */
static void test_rows_at_steps(void **state) {
    (void)state;
    static const char text[] = "Inputs: {u: 0}\n"
                               "DAE: {Variables: [x], Equations: [x' - u]}\n"
                               "Controllers: {c: {Every: 1, Offset: 0.5, Out: {u: u + 1}}}\n"
                               "ProblemData: {tend: 3, values: {x: 0}}\n";
    taut_run_options o = at_tolerance(1e-10);
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(text, &o);
    int pairs = 0;
    for (long i = 1; i < taut_result_rows(s->result); i++) {
        if (value(s, i, "t") != value(s, i - 1, "t")) continue;
        assert_near(value(s, i, "t"), 0.5 + pairs, 0.0, 0.0);
        assert_near(value(s, i - 1, "u"), pairs, 0.0, 0.0);
        assert_near(value(s, i, "u"), ++pairs, 0.0, 0.0);
    }
    assert_int_equal(pairs, 3);
    solution_free(s);
}

/* ---- states ---- */

/* A run in two parts has the numbers of one, also where it is cut at a sample. */
static void test_states_go_on(void **state) {
    (void)state;
    static const double cut[] = {0.0, 0.3, 0.33337, 0.5};
    const double at = 1.0;
    taut_run_options o = at_tolerance(1e-10);
    o.has_tend = true;
    o.tend = 1.0;
    o.at = &at;
    o.ats = 1;
    solution *whole = solve_text(PID, &o);
    for (int i = 0; i < 4; i++) {
        taut_state *last = NULL;
        taut_run_options first = at_tolerance(1e-10);
        first.has_tend = true;
        first.tend = cut[i];
        first.last = &last;
        solution *s = solve_text(PID, &first);
        solution_free(s);
        o.from = last;
        s = solve_text(PID, &o);
        assert_near(value(s, 0, "samples"), 1001.0, 0.0, 0.0);
        assert_near(value(s, 0, "phi"), value(whole, 0, "phi"), 0.0, 1e-12);
        assert_near(value(s, 0, "u"), value(whole, 0, "u"), 0.0, 1e-10);
        solution_free(s);
        taut_state_free(&last);
    }
    solution_free(whole);
}

static void test_step_by_step(void **state) {
    (void)state;
    taut_model *model = read_text(PID);
    taut_run_options o = at_tolerance(1e-10);
    taut_simulation *s;
    taut_errors errors = {0};
    double first = 0.0;
    assert_int_equal(taut_simulation_create(model, &o, &s, &errors), TAUT_OK);
    for (int again = 0; again < 2; again++) { /* a start forgets samples and states */
        assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
        assert_near(taut_simulation_value(s, "u", 0.0), 15.0, 0.0, 0.0);
        assert_int_equal(taut_simulation_run_to(s, 0.5, &errors), TAUT_OK);
        assert_near(taut_simulation_value(s, "samples", 0.5), 501.0, 0.0, 0.0);
        const double phi = taut_simulation_value(s, "phi", 0.5);
        if (again) assert_true(phi == first);
        first = phi;
        assert_int_equal(taut_simulation_set_input(s, "u", 1.0, &errors), TAUT_ERR_CALL);
        assert_non_null(strstr(errors.item[0].message, "the controller 'pid' sets the input 'u'"));
        errors = (taut_errors){0};
    }
    assert_int_equal(taut_simulation_set_parameter(s, "T", 0.01, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_run_to(s, 0.5, &errors), TAUT_OK);
    assert_near(taut_simulation_value(s, "samples", 0.5), 51.0, 0.0, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- mechanisms ---- */

static const char ARM[] = "Dimension: 2\n"
                          "PhysicalParams: {kp: 30, ref: 0.5}\n"
                          "Inputs: {u: 0}\n"
                          "PartData:\n"
                          "  Fixed: {O: [0, 0]}\n"
                          "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 2, 0.2]}}\n"
                          "Angles: {phi: OA}\n"
                          "AppliedForces:\n"
                          "  Gravity:\n"
                          "  Torques: {phi: \"u - 2*phi' - max(phi, 0)\"}\n"
                          "Controllers: {p: {Every: 10 ms, Out: {u: kp*(ref - phi)}}}\n"
                          "ProblemData: {tend: 2, positions: {A: [1, 0]}, velocities: {phi: -1}}\n";

static void test_every_formulation(void **state) {
    (void)state;
    static const char *const way[][2] = {
        {"reference", "taylor"}, {"relative", "taylor"}, {"relative", "erk"}, {"minimal", "erk"},
        {"natural", "bdf"},      {"reference", "ida"},   {"relative", "ho"},  {"natural", "adams"}};
    taut_run_options o = at_tolerance(1e-10);
    o.at = (const double[]){0.5, 2.0};
    o.ats = 2;
    solution *one = solve_text(ARM, &o);
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        o.formulation = way[i][0];
        o.solver = way[i][1];
        solution *s = solve_text(ARM, &o);
        for (long row = 0; row < 2; row++) {
            assert_near(value(s, row, "phi"), value(one, row, "phi"), 1e-7, 0.0);
            assert_near(value(s, row, "u"), value(one, row, "u"), 1e-5, 0.0);
            assert_near(value(s, row, "energy") - value(s, row, "work"),
                        value(one, row, "energy") - value(one, row, "work"), 1e-6, 0.0);
        }
        solution_free(s);
    }
    assert_near(value(one, 0, "energy") - value(one, 0, "work"),
                value(one, 1, "energy") - value(one, 1, "work"), 1e-9, 0.0);
    solution_free(one);
}

/* ---- files ---- */

#define HEAD                                                                                       \
    "Inputs: {u: 0, v: 0}\nDiscrete: {n: 0}\nLagrangian: {Coordinates: [y], L: y'^2/2 - y, "       \
    "Forces: {y: u + v}}\n"
#define TAIL "\nProblemData: {tend: 2, positions: {y: 1}}\n"

typedef struct bad {
    const char *text, *message;
} bad;

static void test_wrong_files(void **state) {
    (void)state;
    static const bad list[] = {
        {"Controllers: [1]", "4:14: error: 'Controllers' (name: {Every, Out, ...}) must be a map"},
        {"Controllers: {c: 1}", "4:18: error: the controller 'c' ({Every: ..., Out: ...}) must be"},
        {"Controllers: {c: {Out: {u: 1}}}", "4:15: error: the key 'Every' is missing"},
        {"Controllers: {c: {Evry: 1}}", "4:19: error: unknown key 'Evry'; did you mean 'Every'?"},
        {"Controllers: {c: {Every: 0, Out: {u: 1}}}", "4:26: error: 'Every' is the period"},
        {"Controllers: {c: {Every: -1 s, Out: {u: 1}}}", "4:26: error: 'Every' is the period"},
        {"Controllers: {c: {Every: 1 m, Out: {u: 1}}}", "4:26: error: "},
        {"Controllers: {c: {Every: t, Out: {u: 1}}}", "4:26: error: a number is expected"},
        {"Controllers: {c: {Every: y, Out: {u: 1}}}", "4:26: error: a number is expected"},
        {"Controllers: {c: {Every: 1, Offset: -1, Out: {u: 1}}}",
         "4:37: error: 'Offset' is how long after t0 the first sample is"},
        {"Controllers: {c: {Every: 1}}", "4:15: error: the controller 'c' does nothing"},
        {"Controllers: {c: {Every: 1, Out: {w: 1}}}", "4:35: error: 'w' is not one of 'Inputs'"},
        {"Controllers: {c: {Every: 1, Out: {n: 1}}}", "4:35: error: 'n' is not one of 'Inputs'"},
        {"Controllers: {c: {Every: 1, Out: {\"u'\": 1}}}",
         "4:35: error: 'u'' is not one of 'Inputs'"},
        {"Controllers: {c: {Every: 1, Out: [u]}}", "4:34: error: 'Out' (input: formula) must be"},
        {"Controllers: {c: {Every: 1, Out: {u: q}}}", "4:38: error: unknown name 'q'"},
        {"Controllers: {c: {Every: 1, Out: {u: \"[1, 2]\"}}}", "4:38: error: a number is expected"},
        {"Controllers: {c: {Every: 1, States: {z: 0}, Next: {x: 1}}}",
         "4:52: error: 'x' is not one of the 'States' of the controller 'c'"},
        {"Controllers: {c: {Every: 1, States: [z], Next: {z: 1}}}",
         "4:37: error: 'States' must be a map"},
        {"Controllers: {c: {Every: 1, States: {z: y}, Next: {z: 1}}}",
         "4:41: error: unknown name 'y' (a parameter can use other parameters only"},
        {"Controllers: {c: {Every: 1, States: {y: 0}, Next: {y: 1}}}", "error: "},
        {"Controllers: {c: {Every: 1, States: {n: 0}, Next: {n: 1}}}", "4:38: error: "},
        {"Controllers: {y: {Every: 1, Out: {u: 1}}}", "4:15: error: "},
        {"Controllers: {c: {Every: 1, Out: {u: 1}}, d: {Every: 2, Out: {u: 2}}}",
         "4:63: error: the input 'u' has two writers: the controller 'd' and the controller 'c'"},
        {"Controllers: {c: {Every: 1, Out: {u: 1}}}\nEvents: {e: {When: y, Do: {u: 3}}}",
         "4:35: error: the input 'u' has two writers: the controller 'c' and the event 'e'"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        char text[1000], line[300];
        snprintf(text, sizeof text, HEAD "%s" TAIL, list[i].text);
        program_write("m.yaml", text, -1);
        program_call(&r, "run m.yaml");
        snprintf(line, sizeof line, "%s%s",
                 list[i].message[0] == 'e' ? "" : "m.yaml:", list[i].message);
        if (r.code != 2 || !strstr(r.err, line))
            fail_msg("%s: expected\n%s\ninstead of (%d)\n%s", list[i].text, line, r.code, r.err);
        program_release(&r);
    }
}

static void test_faults_of_a_run(void **state) {
    (void)state;
    static const struct {
        const char *text, *call, *message;
        int code;
    } list[] = {
        {"Controllers: {c: {Every: 1, Out: {u: 1}}}", "run m.yaml --tend -1",
         "m.yaml:4:15: error: backward in time the controller 'c' cannot be run", 2},
        {"Controllers: {c: {Every: 1e-20, Out: {u: 1}}}", "run m.yaml",
         "m.yaml:4:15: error: the period of the controller 'c', 1e-20, is too short", 2},
        {"Controllers: {c: {Every: 1, Out: {u: 1/(y - 1)}}}", "run m.yaml",
         "what the controller 'c' assigns to 'u' at t = 0 is not a finite number", -1},
        {"Controllers: {c: {Every: 1, Out: {u: 1}}}", "run m.yaml --input u=t",
         "the input 'u' has two writers: the controller 'c' and the formula that was given", 2},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        char text[1000];
        snprintf(text, sizeof text, HEAD "%s" TAIL, list[i].text);
        program_write("m.yaml", text, -1);
        program_call(&r, list[i].call);
        if (r.code == 0 || (list[i].code > 0 && r.code != list[i].code) ||
            !strstr(r.err, list[i].message))
            fail_msg("%s: expected\n%s\ninstead of (%d)\n%s", list[i].text, list[i].message, r.code,
                     r.err);
        program_release(&r);
    }
}

/* Names of an included file get its prefix, those of controllers as well. */
static void test_included(void **state) {
    (void)state;
    program_result r;
    program_write("servo.yaml",
                  "Inputs: {u: 0}\n"
                  "Controllers:\n"
                  "  c: {Every: 0.5, States: {k: 0}, Next: {k: k + 1}, Out: {u: 2*k}}\n",
                  -1);
    program_write("m.yaml",
                  "Include: {File: servo.yaml, Prefix: a_}\n"
                  "DAE: {Variables: [x], Equations: [x' - a_u]}\n"
                  "Outputs: {k: a_k}\n"
                  "ProblemData: {tend: 2, values: {x: 0}}\n",
                  -1);
    program_call(&r, "run m.yaml --at 2 -o r.csv");
    if (r.code != 0) print_error("%s\n", r.err);
    assert_int_equal(r.code, 0);
    program_release(&r);
    program_table table;
    char *csv = program_read("r.csv");
    assert_non_null(csv);
    program_table_read(&table, csv);
    free(csv);
    assert_near(program_table_get(&table, 0, "k"), 5.0, 0.0, 0.0);
    assert_near(program_table_get(&table, 0, "a_u"), 8.0, 0.0, 0.0);
    assert_near(program_table_get(&table, 0, "x"), 0.5 * (0 + 2 + 4 + 6), 1e-14, 0.0);
    program_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pid_on_a_pendulum),
        cmocka_unit_test(test_every_solver),
        cmocka_unit_test(test_times_are_exact),
        cmocka_unit_test(test_together_by_values_before),
        cmocka_unit_test(test_events_at_samples),
        cmocka_unit_test(test_rows_at_steps),
        cmocka_unit_test(test_states_go_on),
        cmocka_unit_test(test_step_by_step),
        cmocka_unit_test(test_every_formulation),
        cmocka_unit_test_setup_teardown(test_wrong_files, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_faults_of_a_run, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_included, program_enter, program_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
