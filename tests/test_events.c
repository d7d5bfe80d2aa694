/* Events: bouncing balls, switches and stops against closed forms; wrong files word by word. */
#include "solve_text.h"

#include <math.h>

#include "program.h"

static const char BALL[] =
    "PhysicalParams: {g: 9.81, e: 0.8, h: 1, v: 0}\n"
    "Discrete: {count: 0}\n"
    "Lagrangian: {Coordinates: [y], L: y'^2/2 - g*y}\n"
    "Events:\n"
    "  bounce: {When: y, Direction: down, Do: {\"y'\": -e*y', count: count + 1}}\n"
    "  done: {When: count >= 60, Stop: true}\n"
    "ProblemData: {tend: 5, positions: {y: h}, velocities: {y: v}}\n";

/* Time of bounce number k = 0, 1, ... */
static double bounce(int k) {
    const long double first = sqrtl(2.0L / 9.81L);
    long double t = first, flight = 2.0L * first * 0.8L;
    for (int i = 0; i < k; i++, flight *= 0.8L) t += flight;
    return (double)t;
}

static solution *run(const char *text, const char *solver, const double *at, int ats, double tend) {
    taut_run_options o = at_tolerance(1e-10);
    o.solver = solver;
    o.at = at;
    o.ats = ats;
    o.has_tend = tend != 0.0;
    o.tend = tend;
    return solve_text(text, &o);
}

static const taut_notes *notes_of(const solution *s) { return taut_result_notes(s->result); }

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    assert_true(column >= 0);
    return taut_result_value(s->result, row, column);
}

/* ---- the ball ---- */

static void test_sixty_bounces(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho"};
    for (int k = 0; k < 2; k++) {
        solution *s = run(BALL, solver[k], (const double[]){1.0, 4.9}, 2, 0.0);
        const taut_notes *n = notes_of(s);
        assert_int_equal(n->events, 61);
        for (int i = 0; i < 60; i++) {
            assert_string_equal(n->event[i].name, "bounce");
            assert_string_equal(n->event[i].kind, "event");
            assert_near(n->event[i].t, bounce(i), 0.0, 1e-13);
        }
        assert_string_equal(n->event[60].name, "done");
        assert_true(n->event[60].t == n->event[59].t);
        assert_near(value(s, 0, "y"), 0.46800445252603634, 0.0, 1e-13);
        assert_int_equal(taut_result_rows(s->result), 1); /* none behind the stop */
        assert_true(taut_result_stats(s->result)->reached == n->event[60].t);
        assert_true(taut_result_stats(s->result)->energy_drift < 1e-13);
        solution_free(s);
    }
}

/* The others see values at a few times only; their accuracy is that of their tolerance. */
static void test_other_solvers_agree(void **state) {
    (void)state;
    static const char *const solver[] = {"bdf", "adams", "erk", "ida"};
    for (int k = 0; k < 4; k++) {
        solution *s = run(BALL, solver[k], (const double[]){1.0, 3.0}, 2, 3.5);
        assert_near(value(s, 0, "y"), 0.468004452526037, 3e-8, 0.0);
        assert_near(value(s, 1, "count"), 6.0, 0.0, 0.0);
        assert_int_equal(notes_of(s)->events, 9);
        assert_true(taut_result_stats(s->result)->steps > 20);
        solution_free(s);
    }
}

/* An end or a row on a bounce: the value behind it, and the bounce is there once. */
static void test_rows_on_events(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++) {
        const double t = bounce(k);
        const double v = -sqrt(2.0 * 9.81) * pow(0.8, k);
        solution *s = run(BALL, "taylor", NULL, 0, bounce(4));
        const double exact = notes_of(s)->event[k].t; /* as the run has it */
        assert_int_equal(notes_of(s)->events, 5);
        assert_near(exact, t, 0.0, 1e-14);
        solution_free(s);
        s = run(BALL, "taylor", &exact, 1, exact);
        assert_int_equal(notes_of(s)->events, k + 1);
        assert_int_equal(taut_result_rows(s->result), 1);
        assert_near(value(s, 0, "y'"), -0.8 * v, 0.0, 1e-12);
        assert_near(value(s, 0, "count"), k + 1, 0.0, 0.0);
        solution_free(s);
        s = run(BALL, "taylor", (const double[]){exact - 1e-9, exact, exact + 1e-9}, 3, 4.0);
        assert_near(value(s, 0, "y'"), v, 2e-8, 0.0);
        assert_near(value(s, 1, "y'"), -0.8 * v, 0.0, 1e-12);
        assert_near(value(s, 2, "y'"), -0.8 * v, 2e-8, 0.0);
        solution_free(s);
    }
}

static void test_rows_at_steps(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-10);
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(BALL, &o);
    int pairs = 0;
    for (long i = 1; i < taut_result_rows(s->result); i++) {
        if (value(s, i, "t") != value(s, i - 1, "t")) continue;
        assert_near(value(s, i, "y'"), -0.8 * value(s, i - 1, "y'"), 0.0, 1e-14);
        assert_near(value(s, i, "count"), value(s, i - 1, "count") + 1.0, 0.0, 0.0);
        pairs++;
    }
    assert_int_equal(pairs, 60);
    solution_free(s);
}

/* Thrown up from the ground: the start is no bounce. */
static void test_start_on_the_ground(void **state) {
    (void)state;
    static const char text[] =
        "Discrete: {n: 0}\n"
        "Lagrangian: {Coordinates: [y], L: y'^2/2 - 9.81*y}\n"
        "Events: {bounce: {When: y, Direction: down, Do: {\"y'\": -0.5*y', n: n + 1}}}\n"
        "ProblemData: {tend: 1.2, positions: {y: 0}, velocities: {y: 4.905}}\n";
    solution *s = run(text, "taylor", NULL, 0, 0.0);
    assert_int_equal(notes_of(s)->events, 1);
    assert_near(notes_of(s)->event[0].t, 1.0, 1e-14, 0.0);
    solution_free(s);
}

/* Another event between two roots of a function that was zero where its step began. */
static void test_events_in_turn(void **state) {
    (void)state;
    static const char text[] = "Discrete: {n: 0, m: 0}\n"
                               "Lagrangian: {Coordinates: [y], L: y'^2/2 - 9.81*y}\n"
                               "Events:\n"
                               "  bounce: {When: y, Do: {\"y'\": -0.8*y', n: n + 1}}\n"
                               "  apex: {When: y', Direction: down, Do: {m: m + 1}}\n"
                               "  half: {When: y - 0.05}\n"
                               "ProblemData: {tend: 3.5, positions: {y: 1}}\n";
    static const char *const solver[] = {"taylor", "ho", "erk", "bdf"};
    for (int k = 0; k < 4; k++) {
        solution *s = run(text, solver[k], (const double[]){3.4}, 1, 0.0);
        const taut_notes *n = notes_of(s);
        int bounces = 0, apexes = 0;
        for (int i = 0; i < n->events; i++) {
            if (strcmp(n->event[i].name, "bounce") == 0)
                assert_near(n->event[i].t, bounce(bounces++), k < 2 ? 0.0 : 1e-7, 1e-13);
            if (strcmp(n->event[i].name, "apex") == 0) apexes++;
        }
        assert_int_equal(bounces, 9);
        assert_int_equal(apexes, 8);
        solution_free(s);
    }
}

static void test_two_at_once(void **state) {
    (void)state;
    static const char text[] =
        "Discrete: {n: 0, m: 0}\n"
        "Lagrangian: {Coordinates: [y, z], L: (y'^2 + z'^2)/2 - 9.81*(y + z)}\n"
        "Events:\n"
        "  a: {When: y, Direction: down, Do: {\"y'\": -0.8*y', n: n + 1}}\n"
        "  b: {When: z, Direction: down, Do: {\"z'\": -0.8*z', m: m + 1}}\n"
        "ProblemData: {tend: 3, positions: {y: 1, z: 1}}\n";
    solution *s = run(text, "taylor", (const double[]){1.0, 3.0}, 2, 0.0);
    const taut_notes *n = notes_of(s);
    assert_int_equal(n->events, 12);
    for (int i = 0; i < 12; i += 2) assert_true(n->event[i].t == n->event[i + 1].t);
    assert_near(value(s, 0, "y"), 0.46800445252603634, 0.0, 1e-13);
    assert_near(value(s, 0, "z"), 0.46800445252603634, 0.0, 1e-13);
    assert_near(value(s, 1, "n") + value(s, 1, "m"), 12.0, 0.0, 0.0);
    solution_free(s);
}

/* ---- switches ---- */

/* T' = 2 on - T between 0.8 and 1.2: every stretch takes log 1.5. */
static void test_thermostat(void **state) {
    (void)state;
    static const char text[] = "Discrete: {on: 1}\n"
                               "DAE: {Variables: [T], Equations: [\"T' + T - 2*on\"]}\n"
                               "Events:\n"
                               "  hot: {When: T >= 1.2, Do: {on: 0}}\n"
                               "  cold: {When: T <= 0.8, Do: {on: 1}}\n"
                               "ProblemData: {tend: 10, values: {T: 0}}\n";
    taut_run_options o = at_tolerance(1e-13);
    o.at = (const double[]){3.0, 10.0};
    o.ats = 2;
    solution *s = solve_text(text, &o);
    const taut_notes *n = notes_of(s);
    assert_int_equal(n->events, 23);
    for (int i = 0; i < n->events; i++) {
        assert_string_equal(n->event[i].name, i % 2 ? "cold" : "hot");
        assert_near(n->event[i].t, log(2.5) + i * log(1.5), 0.0, 1e-12);
    }
    const double left = 10.0 - log(2.5) - 22.0 * log(1.5);
    assert_near(value(s, 1, "T"), 1.2 * exp(-left), 0.0, 1e-12);
    assert_near(value(s, 1, "on"), 0.0, 0.0, 0.0);
    assert_true(taut_result_stats(s->result)->steps < 24 * 3);
    solution_free(s);
}

/* Touching is told and does nothing; Once and Record do what they say. */
static void test_touch_once_record(void **state) {
    (void)state;
    static const char text[] = "Discrete: {n: 0, k: 0}\n"
                               "DAE: {Variables: [x], Equations: [\"x' - cos(t)\"]}\n"
                               "Events:\n"
                               "  top: {When: x - 1, Do: {n: n + 1}}\n"
                               "  first: {When: x - 0.5, Once: true, Do: {k: k + 1}}\n"
                               "  silent: {When: x + 0.5, Record: false, Do: {k: k + 10}}\n"
                               "ProblemData: {tend: 12, values: {x: 0}}\n";
    taut_run_options o = at_tolerance(1e-13);
    o.at = (const double[]){12.0};
    o.ats = 1;
    solution *s = solve_text(text, &o);
    const taut_notes *n = notes_of(s);
    assert_int_equal(n->events, 3);
    assert_string_equal(n->event[0].name, "first");
    assert_near(n->event[0].t, asin(0.5), 1e-12, 0.0);
    for (int i = 1; i < 3; i++) {
        assert_string_equal(n->event[i].kind, "touch");
        assert_near(n->event[i].t, acos(0.0) * (4 * i - 3), 1e-5, 0.0);
    }
    assert_near(value(s, 0, "n"), 0.0, 0.0, 0.0);
    assert_near(value(s, 0, "k"), 31.0, 0.0, 0.0);
    solution_free(s);
}

/* ---- kinks ---- */

/* x'' + x + sign(x') = 0: half circles about 1 and -1 until it sticks. */
static void test_coulomb(void **state) {
    (void)state;
    static const char text[] = "Discrete: {turns: 0}\n"
                               "DAE: {Variables: [x], Equations: [\"x'' + x + sign(x')\"]}\n"
                               "Events:\n"
                               "  turn: {When: x', Do: {turns: turns + 1}}\n"
                               "  rest: {When: turns >= 8, Stop: true}\n"
                               "ProblemData: {tend: 25, values: {x: 12, x': 6}}\n";
    taut_run_options o = at_tolerance(1e-13);
    o.every = TAUT_EVERY_STEP;
    solution *s = solve_text(text, &o);
    const long last = taut_result_rows(s->result) - 1;
    const taut_notes *n = notes_of(s);
    assert_int_equal(n->events, 9);
    assert_near(n->event[7].t, atan2(6.0, 13.0) + 7.0 * acos(-1.0), 0.0, 1e-12);
    assert_near(value(s, last, "x"), 15.0 - sqrt(205.0), 0.0, 1e-12);
    assert_true(taut_result_stats(s->result)->steps < 9 * 6);
    solution_free(s);
}

/* A spring of stiffness 4 to the right and 1 to the left, in several words. */
static void test_bilinear_spring(void **state) {
    (void)state;
    static const char *const force[] = {"if(x > 0, 4*x, x)",
                                        "x + 3*max(x, 0)",
                                        "2.5*x + 1.5*abs(x)",
                                        "x + 3*x*step(x)",
                                        "x - 3*min(-x, 0)",
                                        "x + 3*clamp(x, 0, 10)",
                                        "if(not x < 0 and t >= 0 or t < -1, 4*x, x)"};
    for (size_t i = 0; i < sizeof force / sizeof force[0]; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "DAE: {Variables: [x], Equations: [\"x'' + %s\"]}\n"
                 "ProblemData: {tend: 20, values: {x: 0, x': 1}}\n",
                 force[i]);
        taut_run_options o = at_tolerance(1e-13);
        solution *s = solve_text(text, &o);
        const double quarter = acos(0.0), period = 3.0 * quarter;
        for (long row = 0; row < taut_result_rows(s->result); row++) {
            const double t = fmod(value(s, row, "t"), period);
            const double x = t < quarter ? 0.5 * sin(2.0 * t) : -sin(t - quarter);
            assert_near(value(s, row, "x"), x, 1e-12, 0.0);
        }
        assert_int_equal(notes_of(s)->events, 0);
        assert_true(taut_result_stats(s->result)->steps < 60);
        solution_free(s);
    }
}

/* A rate with a kink in time turns by the exact angle; a kink by a Discrete variable follows it. */
static void test_kinks_of_time_and_numbers(void **state) {
    (void)state;
    static const char text[] = "Discrete: {on: 0}\n"
                               "DAE: {Variables: [phi, z], Equations: [\"phi' - if(t < 1, 10*t, "
                               "10)\", \"z' - if(on > 0, 2, "
                               "-1)\"]}\n"
                               "Events: {switch: {When: t - 2, Do: {on: 1}}}\n"
                               "ProblemData: {tend: 3, values: {phi: 0, z: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){0.5, 3.0}, 2, 0.0);
    assert_near(value(s, 0, "phi"), 1.25, 1e-14, 0.0);
    assert_near(value(s, 1, "phi"), 25.0, 1e-13, 0.0);
    assert_near(value(s, 1, "z"), 0.0, 1e-14, 0.0);
    solution_free(s);
}

/* ---- velocities under constraints ---- */

/* A pendulum against a wall below its pin: the constraint lets x' alone decide. */
static void test_pendulum_and_wall(void **state) {
    (void)state;
    static const char text[] = "Lagrangian:\n"
                               "  Coordinates: [x, y]\n"
                               "  L: (x'^2 + y'^2)/2 - 9.81*y\n"
                               "  Constraints: {c: x^2 + y^2 - 1}\n"
                               "Events: {wall: {When: x, Direction: down, Do: {\"x'\": -0.5*x'}}}\n"
                               "ProblemData: {tend: 4, positions: {x: 1, y: 0}}\n";
    solution *s = run(text, "taylor", (const double[]){0.5, 1.0, 4.0}, 3, 0.0);
    /* each hit leaves a quarter of the energy above the lowest point */
    assert_near(value(s, 0, "energy"), 0.0, 1e-9, 0.0);
    assert_near(value(s, 1, "energy"), -9.81 + 9.81 / 4.0, 1e-9, 0.0);
    assert_near(value(s, 2, "energy"), -9.81 + 9.81 / 256.0, 1e-9, 0.0);
    assert_true(taut_result_stats(s->result)->energy_drift < 1e-9);
    solution_free(s);
}

/* A rod hit at one end so that this end gets a velocity across: the impulse acts there, so the
 * velocity of its centre and its spin are those of a free rod, v/4 and 3v/2 (length 1). */
static void test_struck_rod(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural"};
    static const char text[] = "Dimension: 2\n"
                               "PartData: {Rigids: {AB: {Geom: [[1]], Dyna: [[0.5], 12, 1]}}}\n"
                               "Events: {blow: {When: t - 0.5, Do: {\"By'\": 4}}}\n"
                               "Outputs: {cy: (Ay + By)/2}\n"
                               "ProblemData: {tend: 1, positions: {A: [0, 0], B: [1, 0]}}\n";
    for (int k = 0; k < 1; k++) {
        taut_run_options o = at_tolerance(1e-11);
        o.formulation = formulation[k];
        o.at = (const double[]){0.4, 0.5, 1.0};
        o.ats = 3;
        solution *s = solve_text(text, &o);
        assert_near(value(s, 0, "By'"), 0.0, 1e-12, 0.0);
        assert_near(value(s, 1, "By'"), 4.0, 1e-11, 0.0);
        assert_near(value(s, 1, "Ay'"), -2.0, 1e-11, 0.0);
        assert_near(value(s, 2, "cy'"), 1.0, 1e-10, 0.0);
        solution_free(s);
    }
}

/* ---- states, and step by step ---- */

static void test_states_go_on(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-10);
    taut_state *last = NULL;
    o.has_tend = true;
    o.tend = 1.0;
    o.last = &last;
    solution *s = solve_text(BALL, &o);
    solution_free(s);
    o.last = NULL;
    o.from = last;
    o.tend = 5.0;
    s = solve_text(BALL, &o);
    assert_int_equal(notes_of(s)->events, 60); /* 59 bounces and the stop */
    assert_near(notes_of(s)->event[58].t, bounce(59), 0.0, 1e-12);
    assert_near(value(s, 0, "count"), 1.0, 0.0, 0.0);
    solution_free(s);
    taut_state_free(&last);
}

static void test_step_by_step(void **state) {
    (void)state;
    taut_model *model = read_text(BALL);
    taut_run_options o = at_tolerance(1e-10);
    taut_simulation *s;
    taut_errors errors = {0};
    assert_int_equal(taut_simulation_create(model, &o, &s, &errors), TAUT_OK);
    for (int again = 0; again < 2; again++) { /* a start forgets what has happened */
        assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
        assert_near(taut_simulation_value(s, "count", 0.0), 0.0, 0.0, 0.0);
        assert_int_equal(taut_simulation_run_to(s, 2.0, &errors), TAUT_OK);
        assert_near(taut_simulation_value(s, "count", 2.0), 3.0, 0.0, 0.0);
        taut_status status = TAUT_OK;
        while (status == TAUT_OK) status = taut_simulation_step(s, &errors);
        assert_int_equal(status, TAUT_AT_END);
        assert_near(taut_simulation_reached(s), bounce(59), 0.0, 1e-13);
    }
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* Watching without an event changes no bit. */
static void test_watching_changes_nothing(void **state) {
    (void)state;
    static const char plain[] = "DAE: {Variables: [x], Equations: [\"x'' + sin(x)\"]}\n"
                                "ProblemData: {tend: 20, values: {x: 1, x': 0}}\n";
    static const char watched[] = "DAE: {Variables: [x], Equations: [\"x'' + sin(x)\"]}\n"
                                  "Events: {far: {When: x^2 - 4}, later: {When: t - 100}}\n"
                                  "ProblemData: {tend: 20, values: {x: 1, x': 0}}\n";
    solution *a = run(plain, "taylor", NULL, 0, 0.0), *b = run(watched, "taylor", NULL, 0, 0.0);
    assert_int_equal(notes_of(b)->events, 0);
    for (long i = 0; i < taut_result_rows(a->result); i++)
        assert_true(value(a, i, "x") == value(b, i, "x"));
    assert_true(taut_result_stats(a->result)->steps == taut_result_stats(b->result)->steps);
    solution_free(a);
    solution_free(b);
}

static void test_backward(void **state) {
    (void)state;
    static const char text[] = "DAE: {Variables: [x], Equations: [\"x'' + x\"]}\n"
                               "Events: {up: {When: x, Direction: up}}\n"
                               "ProblemData: {t0: 10, tend: 0, values: {x: 1, x': 0}}\n";
    solution *s = run(text, "taylor", NULL, 0, 0.0);
    const taut_notes *n = notes_of(s);
    /* x = cos(10 - t) has the slope sin(10 - t): upwards where that is 1 */
    assert_int_equal(n->events, 2);
    assert_near(n->event[0].t, 10.0 - acos(0.0), 1e-9, 0.0);
    assert_near(n->event[1].t, 10.0 - 5.0 * acos(0.0), 1e-9, 0.0);
    solution_free(s);
}

/* ---- files ---- */

#define HEAD "Discrete: {n: 0}\nLagrangian: {Coordinates: [y], L: y'^2/2 - y}\n"
#define TAIL "\nProblemData: {tend: 2, positions: {y: 1}}\n"

typedef struct bad {
    const char *events;
    const char *message;
} bad;

static void test_wrong_files(void **state) {
    (void)state;
    static const bad list[] = {
        {"Events: [1]",
         "3:9: error: 'Events' (name: {When, Do, ...}) must be a map, {name: value, ...}"},
        {"Events: {a: 1}", "3:13: error: the event 'a' ({When: ..., Do: ...}) must be a map"},
        {"Events: {a: {Do: {n: 1}}}",
         "3:10: error: the key 'When' is missing: a formula whose zero counts"},
        {"Events: {a: {Wen: y}}", "3:14: error: unknown key 'Wen'; did you mean 'When'?"},
        {"Events: {a: {When: y + q}}", "3:24: error: unknown name 'q'"},
        {"Events: {a: {When: y > q}}", "3:24: error: unknown name 'q'"},
        {"Events: {a: {When: y >}}", "3:20: error: one side of the comparison is missing"},
        {"Events: {a: {When: y == 1}}", "3:20: error: '=' and '!=' are no conditions of an event"},
        {"Events: {a: {When: 0 < y < 1}}", "3:20: error: a comparison has two sides: join"},
        {"Events: {a: {When: y > 1 and n}}", "3:31: error: a condition is a comparison, a < b"},
        {"Events: {a: {When: y and n}}", "3:22: error: a condition is a comparison, a < b"},
        {"Events: {a: {When: y > 1 or}}", "3:28: error: a number, a name or a parenthesis"},
        {"Events: {a: {When: not (y > 1}}", "3:30: error: a parenthesis is not closed"},
        {"Events: {a: {When: y > 1 and y << 2}}", "3:32: error: comparisons are <, <=, > and >="},
        {"Events: {a: {When: y > 1 and 0 < y < 2}}",
         "3:36: error: a comparison has two sides: join two of them by 'and'"},
        {"Events: {a: {When: 1 > 0 and 2 > 1}}",
         "3:20: error: this condition is made of parameters alone"},
        {"Events: {a: {When: y > 1 or y < 0, Direction: up}}",
         "3:47: error: a comparison has no 'Direction'"},
        {"Events: {a: {When: n - 3}}", "3:20: error: this formula does not change in time"},
        {"Events: {a: {When: y, Direction: left}}", "3:34: error: 'Direction' is up, down or both"},
        {"Events: {a: {When: y > 1, Direction: up}}",
         "3:38: error: a comparison has no 'Direction'"},
        {"Events: {a: {When: y, Stop: 1}}",
         "3:29: error: 'Stop' is true (the run ends there) or false"},
        {"Events: {a: {When: y, Do: {y: 1}}}",
         "3:28: error: 'y' is a position: positions do not jump"},
        {"Events: {a: {When: y, Do: {\"y''\": 1}}}",
         "3:28: error: accelerations follow from forces"},
        {"Events: {a: {When: y, Do: {\"n'\": 1}}}",
         "3:28: error: a number that changes at events only"},
        {"Events: {a: {When: y, Do: {m: 1}}}", "3:28: error: unknown name 'm'"},
        {"Events: {a: {When: y, Do: n}}", "3:27: error: 'Do' (name: formula) must be a map"},
        {"Events: {y: {When: y}}", "3:10: error: "},
        {"Events: {a: {When: y, Do: {t: 1}}}", "3:28: error: "},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        char text[1000], line[300];
        snprintf(text, sizeof text, HEAD "%s" TAIL, list[i].events);
        program_write("m.yaml", text, -1);
        program_call(&r, "run m.yaml");
        snprintf(line, sizeof line, "m.yaml:%s", list[i].message);
        if (r.code != 2 || !strstr(r.err, line))
            fail_msg("%s: expected\n%s\ninstead of (%d)\n%s", list[i].events, line, r.code, r.err);
        program_release(&r);
    }
}

static void test_faults_of_a_run(void **state) {
    (void)state;
    static const bad list[] = {
        {"Events: {a: {When: y < 0.5, Do: {n: n + 1}}, b: {When: n >= 1, Do: {n: 0}}, "
         "c: {When: n <= 0, Do: {n: 1}}}",
         "events follow each other without end"},
        {"Events: {a: {When: y - 0.5, Do: {n: 1}}, b: {When: 2*y - 1, Do: {n: 2}}}",
         "two events at t = 1 assign 'n', one 1 and the other 2"},
        {"Events: {a: {When: y - 0.5, Do: {n: 1/(y - y - n)}}}", "is not a finite number"},
        {"PhysicalParams: {k: floor(n)}", "m.yaml:3:21: error: floor has jumps"},
        {"Define: {k: \"mod(y, 0)\"}", "m.yaml:3:14: error: mod by 0"},
        {"Define: {k: \"floor(1 m)\"}", "m.yaml:3:14: error: floor needs a number without a unit"},
        {"Define: {k: \"mod(y, 1, 2)\"}", "m.yaml:3:14: error: mod takes 2 arguments, not 3"},
        {"Define: {k: \"if((y < 1, 2, 3)\"}", "a parenthesis is not closed"},
        {"Define: {k: \"if(1 m < 2 s, 2, 3)\"}", "error: this compares"},
        {"Define: {k: y < 1 < 2}", "m.yaml:3:19: error: a comparison has two sides"},
        {"Define: {k: \"clamp(y, 0)\"}", "m.yaml:3:14: error: clamp takes 3 arguments, not 2"},
        {"Define: {k: \"if(y, 1, 2)\"}", "error: a condition is a comparison"},
        {"Define: {k: \"if(y < 1, 2)\"}", "error: if takes a condition and two values"},
        {"PhysicalParams: {k: abs(n)}", "m.yaml:3:21: error: abs has a kink"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        char text[1000];
        snprintf(text, sizeof text, HEAD "%s" TAIL, list[i].events);
        program_write("m.yaml", text, -1);
        program_call(&r, "run m.yaml");
        if (r.code == 0 || !strstr(r.err, list[i].message))
            fail_msg("%s: expected\n%s\ninstead of (%d)\n%s", list[i].events, list[i].message,
                     r.code, r.err);
        program_release(&r);
    }
    program_result r;
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [\"x'' + x + sign(x')\"]}\n"
                  "ProblemData: {tend: 25, values: {x: 12, x': 6}}\n",
                  -1);
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "m.yaml:1:35: "));
    assert_non_null(strstr(r.err, "at t = 22.42355635 the motion slides along a kink"));
    program_release(&r);
    program_write("m.yaml", BALL, -1);
    program_call(&r, "run m.yaml --tend -1");
    assert_int_equal(r.code, 2);
    assert_non_null(
        strstr(r.err, "m.yaml:5:43: error: backward in time an event cannot assign 'y''"));
    program_release(&r);
}

/* Certificates and comparisons see the motion, not on which side of an event a row is. */
static void test_accuracy_across_events(void **state) {
    (void)state;
    taut_model *model = read_text(BALL);
    taut_run_options o = at_tolerance(1e-10);
    static taut_errors errors;
    const double at[] = {0.1, bounce(0), 1.0, bounce(3), bounce(7), 3.9};
    for (int k = 0; k < 3; k++) { /* rows at times, on bounces, at steps (before and after) */
        taut_result *result;
        o.every = k == 2 ? TAUT_EVERY_STEP : 0.0;
        o.at = k == 1 ? at : NULL;
        o.ats = k == 1 ? 6 : 0;
        assert_int_equal(taut_simulate(model, &o, &result, &errors), TAUT_OK);
        assert_int_equal(taut_certify(model, &o, result, &errors), TAUT_OK);
        const taut_certificate *c = taut_result_certificate(result);
        if (!(c->error < 1e-9)) fail_msg("rows %d: error %g at t = %.17g", k, c->error, c->t);
        taut_result_free(&result);
    }
    taut_model_free(&model);
}

static void test_program(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", BALL, -1);
    program_call(&r, "run m.yaml --events e.csv --digits 6");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "  event bounce: 60 times, first at t = 0.451523641\n"));
    assert_non_null(strstr(r.out, "  event done: 1 time, first at t = 4.063705849\n"));
    program_release(&r);
    char *text = program_read("e.csv");
    assert_non_null(text);
    assert_int_equal(strncmp(text, "t,event,kind,impulse\n0.451524,bounce,event,0\n", 44), 0);
    free(text);
    program_call(&r, "run m.yaml --events e.json");
    assert_int_equal(r.code, 0);
    program_release(&r);
    assert_true(program_exists("e.json"));
    program_call(&r, "run m.yaml --events e.mat");
    assert_int_equal(r.code, 2);
    program_release(&r);
    program_call(&r, "run m.yaml -o e.csv --events e.csv");
    assert_int_equal(r.code, 2);
    program_release(&r);
}

/* x = cos(t) comes from just above 1; floor(x), floor(2 x), ... fall at 1 all at once, as far as
 * times can tell, and later ones of many together. More than 200 of them: beyond that their values
 * at the start are not guessed. */
static void test_floors_that_fall_together(void **state) {
    (void)state;
    enum { FLOORS = 230 };
    static const char text[] = "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                               "ProblemData: {tend: 0.5, positions: {x: 1.0001, v: 0}}\n"
                               "Outputs: {Repeat: {i: 1..230, \"y{i}\": floor(x*i), \"z{i}\": "
                               "abs(i*x - 0.9*i)}}\n";
    taut_run_options o = at_tolerance(1e-9);
    o.every = 0.1;
    solution *s = solve_text(text, &o);
    for (long row = 0; row < rows_of(s); row++) {
        const double x = 1.0001 * cos(0.1 * (double)row);
        for (int i = 1; i <= FLOORS; i++) {
            char name[16];
            snprintf(name, sizeof name, "y%d", i);
            assert_true(taut_result_value(s->result, row, column_of(s, name)) == floor(x * i));
            snprintf(name, sizeof name, "z%d", i);
            assert_near(taut_result_value(s->result, row, column_of(s, name)), i * fabs(x - 0.9),
                        1e-6, 0.0);
        }
    }
    solution_free(s);
}

/* ---- functions that vary faster than the motion ---- */

/* In free flight a step may go to the end of the run: x = v t - 5 v. */
static void write_flight(char *text, size_t size, const char *when, double v) {
    snprintf(text, size,
             "Discrete: {n: 0}\n"
             "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
             "Events: {here: {When: \"%s\", Do: {n: n + 1}}}\n"
             "ProblemData: {tend: 10, positions: {x: %g}, velocities: {x: %g}}\n",
             when, -5.0 * v, v);
}

/* Each root of the function, and no other one, in both directions of the motion. */
static void test_functions_with_shorter_series_than_the_motion(void **state) {
    (void)state;
    static const struct {
        const char *when;
        double first;
        int roots;
    } CASE[] = {
        {"sqrt(x^2 + 0.09) - 0.5", -0.4, 2},      /* a distance that is passed */
        {"1/(x^2 + 0.09) - 4", -0.4, 2},          /* its inverse square */
        {"sqrt(x^2 + 0.09) < 0.5", -0.4, 1},      /* a comparison */
        {"sin(20*x)", 0.0, 63},                   /* k pi/20 */
        {"exp(-x^2) - 0.5", 0.0, 2},              /* pulses, 1.7 and ... */
        {"exp(-(x/3e-3)^2) - 0.5", 0.0, 2},       /* ... 0.005 wide */
        {"exp(-((t - 7)/1e-6)^2) - 0.5", 2.0, 2}, /* 1e-6 wide, of t alone */
        {"x^8 - 2.56e-6", -0.2, 2},               /* (x/0.2)^8 - 1 */
        {"atan(1e4*(x - 1))", 1.0, 1},            /* a steep edge */
        {"0.5*(1 + tanh(1e3*(x - 1))) - 0.25", 1.0, 1},
        {"x^8 - 1e-12", -0.0316227766016838, 2}, /* nearly zero for a long time */
    };
    static const char *const solver[] = {"taylor", "ho"};
    for (size_t i = 0; i < sizeof CASE / sizeof CASE[0]; i++)
        for (int k = 0; k < 4; k++) {
            char text[500];
            const double v = k < 2 ? 1.0 : 2.0;
            write_flight(text, sizeof text, CASE[i].when, v);
            solution *s = run(text, solver[k % 2], (const double[]){10.0}, 1, 0.0);
            const int roots =
                i == 3 ? (int)(2.0 * floor(5.0 * v * 20.0 / M_PI)) + 1 : CASE[i].roots;
            if (notes_of(s)->events != roots || value(s, 0, "n") != roots)
                fail_msg("%s by %s: %d events", CASE[i].when, solver[k % 2], notes_of(s)->events);
            for (int e = 0; e < roots; e++) {
                const double t = notes_of(s)->event[e].t, x = v * (t - 5.0);
                double expected = CASE[i].first;
                const double half = sqrt(log(2.0)), sign = e == 0 ? -1.0 : 1.0;
                if (i < 3 || i == 7 || i == 10) expected = e == 0 ? CASE[i].first : -CASE[i].first;
                if (i == 3) expected = M_PI / 20.0 * (e - roots / 2);
                if (i == 4) expected = sign * half;
                if (i == 5) expected = sign * 3e-3 * half;
                if (i == 6) expected = v * (2.0 + sign * 1e-6 * half);
                if (i == 9) expected = 1.0 - 1e-3 * atanh(0.5);
                assert_near(x, expected, 2e-12, 1e-13);
            }
            assert_near(value(s, 0, "x"), 5.0 * v, 1e-12, 0.0);
            solution_free(s);
        }
}

/* Solvers without polynomials look at values, as often as for features: what is wider than 1/1000
 * of the run is seen. */
static void test_such_functions_by_other_solvers(void **state) {
    (void)state;
    static const struct {
        const char *when;
        double first;
        int roots;
    } CASE[] = {{"sqrt(x^2 + 0.09) - 0.5", -0.4, 2},
                {"sin(20*x)", -31.0 * M_PI / 20.0, 63},
                {"exp(-(x/0.02)^2) - 0.5", -0.0166510922231540, 2},
                {"x^8 - 2.56e-6", -0.2, 2}};
    static const char *const solver[] = {"erk", "bdf", "adams", "ida"};
    for (size_t i = 0; i < sizeof CASE / sizeof CASE[0]; i++)
        for (int k = 0; k < 4; k++) {
            char text[500];
            write_flight(text, sizeof text, CASE[i].when, 1.0);
            solution *s = run(text, solver[k], (const double[]){10.0}, 1, 0.0);
            if (notes_of(s)->events != CASE[i].roots)
                fail_msg("%s by %s: %d events", CASE[i].when, solver[k], notes_of(s)->events);
            assert_near(notes_of(s)->event[0].t - 5.0, CASE[i].first, 1e-8, 0.0);
            solution_free(s);
        }
}

/* What no polynomial resolves is halved down to the last digit: an edge that is steeper than a step
 * can be divided, and a pole, where the sign changes as well; both between ordinary roots. */
static void test_edges_and_poles_inside_a_step(void **state) {
    (void)state;
    static const struct {
        const char *when;
        double at[3]; /* x */
        int roots;
    } CASE[] = {{"tanh(1e12*(x - 3))", {3.0}, 1},
                {"(x - 1)/(x - 2)*(x - 3)", {1.0, 2.0, 3.0}, 3},
                {"tan(x) - 1", {M_PI / 4.0, M_PI / 2.0, 5.0 * M_PI / 4.0}, 3}};
    static const char *const solver[] = {"taylor", "ho"};
    for (size_t i = 0; i < sizeof CASE / sizeof CASE[0]; i++)
        for (int k = 0; k < 2; k++) {
            char text[300];
            snprintf(text, sizeof text,
                     "Lagrangian: {Coordinates: [x], L: x'^2/2}\n"
                     "Events: {here: {When: \"%s\"}}\n"
                     "ProblemData: {tend: 4.5, positions: {x: 0}, velocities: {x: 1}}\n",
                     CASE[i].when);
            solution *s = run(text, solver[k], NULL, 0, 0.0);
            assert_int_equal(notes_of(s)->events, CASE[i].roots);
            for (int e = 0; e < CASE[i].roots; e++) {
                assert_string_equal(notes_of(s)->event[e].kind, "event");
                assert_near(notes_of(s)->event[e].t, CASE[i].at[e], 0.0, 2e-14);
            }
            solution_free(s);
        }
}

/* What is zero all along, but for rounding, does not happen: the plane in which a pendulum swings,
 * and the constraint that it keeps. A function that is small by its factor is no rounding. */
static void test_rounding_is_no_event(void **state) {
    (void)state;
    solution *s = run("Dimension: 3\n"
                      "PartData:\n"
                      "  Fixed: {O: [0, 0, 0]}\n"
                      "  Rigids: {OA: {Geom: [[1]]}}\n"
                      "  Particles: {A: 1}\n"
                      "AppliedForces: {Gravity: }\n"
                      "Events:\n"
                      "  plane: {When: 3*Ax - 4*Ay}\n"
                      "  product: {When: (3*Ax - 4*Ay)*Ax}\n"
                      "  length: {When: Ax^2 + Ay^2 + Az^2 - 1}\n"
                      "  down: {When: 1e-30*Ax}\n"
                      "ProblemData: {tend: 20, positions: {A: [0.48, 0.36, -0.8]}}\n",
                      "taylor", NULL, 0, 0.0);
    const taut_notes *n = notes_of(s);
    for (int e = 0; e < n->events; e++) assert_string_equal(n->event[e].name, "down");
    /* sin(a0/2) = sqrt(0.1), a period is 4 K(0.1)/sqrt(g): it hangs down twice in each */
    const double period = 4.0 * 1.6124413487202194 / sqrt(9.81);
    assert_int_equal(n->events, (int)floor(20.0 / (0.5 * period) + 0.5));
    for (int e = 0; e < n->events; e++)
        assert_near(n->event[e].t, (0.25 + 0.5 * e) * period, 1e-8, 0.0);
    solution_free(s);
}

/* How large rounding is follows the parameters of the run, not those of the file: x = cos t passes
 * p y = 0.3 p six times in 20 s, and seven times for p = 2. */
static void test_rounding_follows_the_parameters(void **state) {
    (void)state;
    static const taut_vary VARY[] = {{"p", "1,2"}};
    static const taut_report REPORT[] = {{NULL, "count(here)"}, {NULL, "first(here)"}};
    taut_errors errors = {0};
    taut_study_options o = taut_study_options_default();
    taut_model *model;
    taut_study *study;
    assert_int_equal(
        taut_model_parse("m.yaml",
                         "PhysicalParams: {p: 1e20}\n"
                         "Lagrangian: {Coordinates: [x, y], L: x'^2/2 + y'^2/2 - x^2/2}\n"
                         "Events: {here: {When: x - p*y}}\n"
                         "ProblemData: {tend: 20, positions: {x: 1, y: 0.3}}\n",
                         -1, &model, &errors),
        TAUT_OK);
    o.vary = VARY, o.varies = 1;
    o.report = REPORT, o.reports = 2;
    assert_int_equal(taut_study_create(model, &o, &study, &errors), TAUT_OK);
    assert_int_equal(taut_study_run(study, &errors), TAUT_OK);
    for (int run = 0; run < 2; run++) {
        assert_near(taut_study_value(study, run, 2), 6.0 + run, 0.0, 0.0);
        assert_near(taut_study_value(study, run, 3), acos(0.3 * (run + 1)), 1e-10, 0.0);
    }
    taut_study_free(&study);
    taut_model_free(&model);
}

/* ... and what was zero, but for rounding, until a force sets in, has its root later:
 * x = 1 - cos u - u^2/4 with u = t - 1. */
static void test_a_root_behind_rounding(void **state) {
    (void)state;
    double low = 1.0, high = 4.0;
    for (int k = 0; k < 60; k++) {
        const double u = 0.5 * (low + high);
        *(1.0 - cos(u) - 0.25 * u * u > 0.0 ? &low : &high) = u;
    }
    solution *s = run("Discrete: {n: 0}\n"
                      "Lagrangian:\n"
                      "  Coordinates: [x, y]\n"
                      "  L: (x'^2 + y'^2)/2 - y^2/2\n"
                      "  Forces: {x: \"if(t > 1, cos(t - 1) - 0.5, 0)\"}\n"
                      "Events: {root: {When: (x + 3*y) - 3*y, Do: {n: n + 1}}}\n"
                      "ProblemData: {tend: 4, positions: {x: 0, y: 1}, velocities: {x: 0, y: 0}}\n",
                      "taylor", NULL, 0, 0.0);
    assert_int_equal(notes_of(s)->events, 1);
    assert_near(notes_of(s)->event[0].t, 1.0 + low, 1e-10, 0.0);
    solution_free(s);
}

/* The boundary of a kink likewise: a field of force around x = 0, |x| < sqrt(0.24), that pulls with
 * 1: v^2 = 1 + 4 sqrt(0.24) behind it. */
static void test_a_kink_with_a_shorter_series_than_the_motion(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho"};
    const double r = sqrt(0.24), v = sqrt(1.0 + 4.0 * r), inside = v - 1.0;
    for (int k = 0; k < 2; k++) {
        solution *s = run("Lagrangian:\n"
                          "  Coordinates: [x]\n"
                          "  L: x'^2/2\n"
                          "  Forces: {x: \"if(sqrt(x^2 + 0.01) < 0.5, 1, 0)\"}\n"
                          "ProblemData: {tend: 10, positions: {x: -5}, velocities: {x: 1}}\n",
                          solver[k], (const double[]){5.0 - r, 10.0}, 2, 0.0);
        assert_near(value(s, 0, "x"), -r, 1e-12, 0.0);
        assert_near(value(s, 1, "x'"), v, 1e-12, 0.0);
        assert_near(value(s, 1, "x"), r + v * (10.0 - (5.0 - r) - inside), 1e-11, 0.0);
        solution_free(s);
    }
}

/* Somebody who watches does not change the motion, into however many parts he divides its steps. */
static void test_events_that_do_nothing_change_nothing(void **state) {
    (void)state;
    static const char PENDULUM[] =
        "PhysicalParams: {g: 9.81, c: %s}\n"
        "Lagrangian: {Coordinates: [a], L: a'^2/2 + g*cos(a)}\n"
        "Events: {never: {When: \"sin(50*a) - c + 1/(1.001 + cos(a))\"}}\n"
        "ProblemData: {tend: 3, positions: {a: 2}}\n";
    char text[400];
    const double at[] = {0.3, 1.1, 1.7, 2.3, 3.0};
    snprintf(text, sizeof text, PENDULUM, "1e9");
    solution *watched = run(text, "taylor", at, 5, 0.0);
    *strstr(text, "Events") = '#';
    solution *plain = run(text, "taylor", at, 5, 0.0);
    assert_int_equal(notes_of(watched)->events, 0);
    for (int row = 0; row < 5; row++) {
        assert_true(value(watched, row, "a") == value(plain, row, "a"));
        assert_true(value(watched, row, "a'") == value(plain, row, "a'"));
    }
    solution_free(watched);
    solution_free(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_with_shorter_series_than_the_motion),
        cmocka_unit_test(test_such_functions_by_other_solvers),
        cmocka_unit_test(test_edges_and_poles_inside_a_step),
        cmocka_unit_test(test_rounding_is_no_event),
        cmocka_unit_test(test_rounding_follows_the_parameters),
        cmocka_unit_test(test_a_root_behind_rounding),
        cmocka_unit_test(test_a_kink_with_a_shorter_series_than_the_motion),
        cmocka_unit_test(test_events_that_do_nothing_change_nothing),
        cmocka_unit_test(test_sixty_bounces),
        cmocka_unit_test(test_other_solvers_agree),
        cmocka_unit_test(test_rows_on_events),
        cmocka_unit_test(test_rows_at_steps),
        cmocka_unit_test(test_start_on_the_ground),
        cmocka_unit_test(test_events_in_turn),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_thermostat),
        cmocka_unit_test(test_touch_once_record),
        cmocka_unit_test(test_coulomb),
        cmocka_unit_test(test_bilinear_spring),
        cmocka_unit_test(test_kinks_of_time_and_numbers),
        cmocka_unit_test(test_pendulum_and_wall),
        cmocka_unit_test(test_struck_rod),
        cmocka_unit_test(test_states_go_on),
        cmocka_unit_test(test_step_by_step),
        cmocka_unit_test(test_watching_changes_nothing),
        cmocka_unit_test(test_backward),
        cmocka_unit_test(test_floors_that_fall_together),
        cmocka_unit_test(test_accuracy_across_events),
        cmocka_unit_test_setup_teardown(test_wrong_files, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_faults_of_a_run, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_program, program_enter, program_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
