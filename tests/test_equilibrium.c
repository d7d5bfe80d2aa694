/* States of rest against closed forms and against long damped runs.
 *
 * How they could be wrong unnoticed: a state that only slows down (accelerations are looked at), an
 * equilibrium of another problem (forces of springs at their wrong length: closed form), a state
 * that a run does not start from (it must stay there). */
#include "solve_text.h"

#include <math.h>

static taut_state *rest_of(taut_model *model, const char *formulation) {
    taut_state *state = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    run.formulation = formulation;
    const taut_status status = taut_equilibrium(model, &run, &state, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    return state;
}

/* A run from the equilibrium that was found: rows at its beginning and its end. */
static solution *run_from(taut_model *model, const char *formulation, double tend) {
    taut_state *state = rest_of(model, formulation);
    solution *s = calloc(1, sizeof *s);
    taut_run_options run = at_tolerance(1e-12);
    run.formulation = formulation;
    run.from = state;
    run.has_tend = true;
    run.tend = tend;
    run.derivatives = 2;
    s->status = taut_simulate(model, &run, &s->result, &s->errors);
    taut_state_free(&state);
    return must_succeed(s);
}

/* Released from the horizontal, where Gauss-Newton sees no way down. */
static void test_a_pendulum_hangs(void **state) {
    (void)state;
    static const char *const FORMULATION[] = {"natural", "reference", "relative", "minimal"};
    taut_model *m = read_text(
        "PhysicalParams: {L: 0.7}\nDimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[L]]}}\n  Particles: {A: 1}\nAppliedForces: {Gravity: 9.81}\n"
        "ProblemData: {tend: 1, positions: {A: [L, 0]}, velocities: {A: [0, 1]}}\n");
    for (int f = 0; f < 4; f++) {
        solution *s = run_from(m, FORMULATION[f], 1.0);
        for (long row = 0; row < rows_of(s); row += rows_of(s) - 1) {
            assert_near(value_of(s, row, "Ax"), 0.0, 1e-12, 0.0);
            assert_near(value_of(s, row, "Ay"), -0.7, 1e-14, 0.0);
            assert_near(value_of(s, row, "Ax''"), 0.0, 1e-11, 0.0);
        }
        solution_free(s);
    }
    taut_model_free(&m);
}

/* A mass on a spring that hardens: k x + q x^3 = m g. */
static void test_a_spring_that_hardens(void **state) {
    (void)state;
    taut_model *m = read_text(
        "PhysicalParams: {m: 2, k: 30, q: 400, g: 9.81}\nLagrangian:\n  Coordinates: [x]\n"
        "  L: m*x'^2/2 - k*x^2/2 - q*x^4/4 + m*g*x\n"
        "ProblemData: {tend: 1, positions: {x: 3}, velocities: {x: -5}}\n");
    taut_state *rest = rest_of(m, NULL);
    const double x = taut_state_value(rest, "x");
    assert_near(30 * x + 400 * x * x * x, 2 * 9.81, 1e-12, 0.0);
    assert_near(taut_state_value(rest, "x'"), 0.0, 0.0, 0.0);
    taut_state_free(&rest);
    taut_model_free(&m);
}

/* A hanging double rod with a spring to the side, against a long damped run. */
static void test_a_damped_run_ends_there(void **state) {
    (void)state;
    taut_model *m =
        read_text("PhysicalParams: {l: 0.8, m: 2}\nDimension: 2\nPartData:\n"
                  "  Fixed: {O: [0, 0], W: [1.5, -0.4]}\n"
                  "  Rigids:\n    OA: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
                  "    AB: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
                  "  SpringDampers: {BW: [40, 0.3, 12]}\n"
                  "AppliedForces: {Gravity: 9.81, Torques: {OA: -2*alpha', AB: -2*beta'}}\n"
                  "Angles: {alpha: OA, beta: AB}\n"
                  "ProblemData: {tend: 40, positions: {A: [0.1, -0.79], B: [0.2, -1.58]}}\n");
    solution *rest = run_from(m, NULL, 1.0);
    taut_run_options run = at_tolerance(1e-13);
    taut_errors errors = {0};
    taut_result *result;
    assert_int_equal(taut_simulate(m, &run, &result, &errors), TAUT_OK);
    for (int c = 1; c < taut_result_columns(result); c++) {
        const char *name = taut_result_name(result, c);
        if (strcmp(name, "Ax") && strcmp(name, "Ay") && strcmp(name, "Bx") && strcmp(name, "By"))
            continue;
        const double end = taut_result_value(result, taut_result_rows(result) - 1, c);
        assert_near(value_of(rest, 0, name), end, 1e-9, 0.0);
    }
    assert_near(value_of(rest, 0, "Bx''"), 0.0, 1e-10, 0.0);
    assert_near(value_of(rest, 0, "By''"), 0.0, 1e-10, 0.0);
    taut_result_free(&result);
    solution_free(rest);
    taut_model_free(&m);
}

static void test_what_falls_has_none(void **state) {
    (void)state;
    taut_model *m = read_text("Dimension: 2\nPartData: {Particles: {A: 1}}\n"
                              "AppliedForces: {Gravity: 9.81}\n"
                              "ProblemData: {tend: 1, positions: {A: [0, 0]}}\n");
    taut_errors errors = {0};
    taut_state *rest;
    assert_int_equal(taut_equilibrium(m, NULL, &rest, &errors), TAUT_ERR_NUMERICS);
    assert_null(rest);
    assert_non_null(strstr(errors.item[0].message, "no equilibrium was found: Ay'' = -9.81"));
    taut_model_free(&m);
}

/* ---- Trim ---- */

static taut_equilibria *find_all(taut_model *m, const char *formulation, int starts) {
    taut_equilibria *e = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    run.formulation = formulation;
    const taut_status status = taut_equilibria_find(m, &run, starts, &e, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    return e;
}

/* The largest real part of the eigenvalues at the k-th equilibrium. */
static double growth_of(const taut_equilibria *e, int k, const char *formulation) {
    taut_linear *l = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    taut_linear_options none = taut_linear_options_default();
    none.inputs = none.outputs = "";
    run.formulation = formulation;
    run.from = taut_equilibria_state(e, k);
    const taut_status status =
        taut_linearize(taut_equilibria_model(e, k), &run, &none, &l, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    const taut_linear_point *p = taut_linear_at(l, 0);
    const double growth = p->eigenvalue[p->states - 1][0];
    assert_true(p->steady);
    taut_linear_free(&l);
    return growth;
}

static const char *const EVERY_FORMULATION[] = {"natural", "reference", "relative", "minimal"};

/* Virtual work: f ds = W dh, with h = l sin phi and s = l cos phi. */
static void test_a_lift_held_by_a_cylinder(void **state) {
    (void)state;
    taut_model *m = read_text(
        "Dimension: 2\nPhysicalParams: {l: 2, m: 10, W: 500, push: 1}\nInputs: {f: 100}\n"
        "PartData:\n  Fixed: {O: [0, 0], i: [1, 0]}\n  Rigids:\n"
        "    OMC: {Geom: [[l/2, 0], [l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
        "    BMD: {Geom: [[l/2, 0], [l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
        "  Collinears: {OiB: s}\n  Particles: {D: W/9.81}\n"
        "AppliedForces: {Gravity: 9.81, Forces: {s: -push*f}}\nAngles: {phi: OMC}\n"
        "Trim: {Free: [f], Want: {Dy: 1.2}}\n"
        "ProblemData: {tend: 1, positions: {C: [1.8, 0.8], M: [0.9, 0.4], B: [1.8, 0], D: [0, "
        "0.8]}}\n");
    const double expected = (500.0 * 1.6 + 2.0 * 10.0 * 9.81 * 0.8) / 1.2;
    for (int f = 0; f < 4; f++) {
        taut_equilibria *e = find_all(m, EVERY_FORMULATION[f], 0);
        taut_result *table = NULL;
        taut_run_options run = at_tolerance(1e-12);
        run.formulation = EVERY_FORMULATION[f];
        assert_int_equal(taut_equilibria_count(e), 1);
        assert_string_equal(taut_equilibria_free_name(e, 0), "f");
        assert_null(taut_equilibria_free_name(e, 1));
        assert_near(taut_equilibria_free_value(e, 0, 0), expected, 0.0, 1e-12);
        assert_int_equal(taut_equilibria_table(e, &run, &table, NULL), TAUT_OK);
        assert_near(taut_result_value(table, 0, taut_result_find(table, "Dy")), 1.2, 1e-13, 0.0);
        assert_near(taut_result_value(table, 0, taut_result_find(table, "phi")), asin(0.6), 1e-13,
                    0.0); /* tracked angles follow the search */
        assert_near(taut_result_value(table, 0, taut_result_find(table, "f")), expected, 0.0,
                    1e-12);
        taut_result_free(&table);
        assert_true(growth_of(e, 0, EVERY_FORMULATION[f]) >
                    1.0); /* a dead load on a constant force */
        taut_equilibria_free(&e);
    }
    taut_model_free(&m);
}

/* A ball on an arm of a spindle: cos a = g / (w^2 L); its small motions: a'' = -w^2 sin^2 a. */
static void test_a_governor_at_speed(void **state) {
    (void)state;
    taut_model *m = read_text(
        "Dimension: 3\nPhysicalParams: {L: 0.3, w: 8}\nPartData:\n"
        "  Fixed: {O: [0, 0, 0], k: [0, 0, 1], i: [1, 0, 0]}\n  Rigids:\n"
        "    spindle: {Elements: [S, n, u], Geom: [[0, 0, 1], [1, 0, 0]], Dyna: [[0, 0, 0], 1, "
        "[0.1, 0.1, 0.1]]}\n"
        "    arm: {Elements: [P, v, d, B], Geom: [[1, 0, 0], [0, 0, 1], [0, 0, -L]]}\n"
        "  Particles: {B: 1}\n"
        "  Joints:\n"
        "    axle: {Type: revolute, Points: [O, S], Axes: [k, n], Normals: [i, u], Angle: psi}\n"
        "    pin: {Type: revolute, Points: [S, P], Axes: [u, v], Normals: [n, d], Angle: a}\n"
        "AppliedForces: {Gravity: 9.81}\n"
        "Trim: {Steady: {psi': w}}\n"
        "ProblemData: {tend: 1, positions: {psi: 0, a: 0.8}, velocities: {psi: 7}}\n");
    const double c = 9.81 / (64.0 * 0.3);
    for (int f = 0; f < 3; f++) {
        taut_equilibria *e = find_all(m, EVERY_FORMULATION[f], 0);
        taut_result *table = NULL;
        taut_run_options run = at_tolerance(1e-12);
        run.formulation = EVERY_FORMULATION[f];
        run.derivatives = 2;
        assert_int_equal(taut_equilibria_table(e, &run, &table, NULL), TAUT_OK);
        assert_near(taut_result_value(table, 0, taut_result_find(table, "Bz")), -0.3 * c, 1e-12,
                    0.0);
        assert_near(taut_result_value(table, 0, taut_result_find(table, "psi'")), 8.0, 1e-12, 0.0);
        assert_near(taut_result_value(table, 0, taut_result_find(table, "a'")), 0.0, 1e-11, 0.0);
        assert_near(taut_result_value(table, 0, taut_result_find(table, "a''")), 0.0, 1e-10, 0.0);
        taut_result_free(&table);
        taut_equilibria_free(&e);
    }
    taut_model_free(&m);
}

/* A slider that a spring pushes over the centre, with weight and damping: k (l - l0) y/l = -m g. */
static void test_an_over_centre_clamp(void **state) {
    (void)state;
    taut_model *m =
        read_text("Dimension: 2\nPhysicalParams: {k: 2000, l0: 0.5}\nPartData:\n"
                  "  Fixed: {O: [0, 0], j: [0, 1], Q: [0.4, 0]}\n  Collinears: {OjP: y}\n"
                  "  Particles: {P: 2}\n  Springs: {PQ: [k, l0]}\n"
                  "AppliedForces: {Gravity: 9.81, Drag: {P: 5}}\n"
                  "ProblemData: {tend: 1, positions: {P: [0, 0.2]}}\n");
    taut_equilibria *e = find_all(m, NULL, 30);
    taut_result *table = NULL;
    int stable = 0, unstable = 0;
    assert_int_equal(taut_equilibria_count(e), 3);
    assert_int_equal(taut_equilibria_table(e, NULL, &table, NULL), TAUT_OK);
    assert_int_equal(taut_result_rows(table), 3);
    for (int k = 0; k < 3; k++) {
        const double y = taut_result_value(table, k, taut_result_find(table, "y"));
        const double l = hypot(0.4, y);
        assert_near(2000.0 * (l - 0.5) * y / l, -2.0 * 9.81, 1e-9, 0.0);
        if (growth_of(e, k, NULL) > 0.0) {
            unstable++;
            assert_true(fabs(y) < 0.1);
        } else {
            stable++;
            assert_true(fabs(y) > 0.2);
        }
    }
    assert_int_equal(stable, 2);
    assert_int_equal(unstable, 1);
    taut_result_free(&table);
    taut_equilibria_free(&e);
    taut_model_free(&m);
}

/* From the horizontal, where the torque is stationary, with something free: no motion shows the
 * way, the optimiser does. */
static void test_a_trim_without_a_slope(void **state) {
    (void)state;
    taut_model *m =
        read_text("PhysicalParams: {g: 9.81, l: 0.8, a: 0}\nLagrangian:\n  Coordinates: [phi]\n"
                  "  L: l^2*phi'^2/2 - g*l*sin(phi)\n"
                  "Outputs: {off: a - sin(phi)}\nTrim: {Free: [a], Want: {off: 0}}\n"
                  "ProblemData: {tend: 1, positions: {phi: 0}}\n");
    taut_equilibria *e = find_all(m, NULL, 0);
    const double phi = taut_state_value(taut_equilibria_state(e, 0), "phi");
    assert_near(cos(phi), 0.0, 1e-14, 0.0);
    assert_near(taut_equilibria_free_value(e, 0, 0), sin(phi), 1e-13, 0.0);
    taut_equilibria_free(&e);
    taut_model_free(&m);
}

/* ---- where equations hold up to a boundary ---- */

/* A weight on a bush given by a table, with a stop behind 0.2: both are in the balance, or one. */
static void test_a_table_and_a_stop(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {m: %s, K: 5000, stop: 0.2, x0: %s}\n"
        "Tables: {bush: {Points: [[-1, -2000], [0, 0], [0.1, 30], [0.3, 45], [1, 500]], Outside: "
        "extend}}\n"
        "Lagrangian:\n  Coordinates: [x]\n  L: m/2*x'^2 + m*9.81*x\n"
        "  Forces: {x: \"-bush(x) - K*max(x - stop, 0) - 3*x'\"}\n"
        "ProblemData: {tend: 1, positions: {x: x0}}\n";
    static const char *const START[] = {"0", "-0.5", "0.25", "0.9"};
    for (int i = 0; i < 4; i++) {
        char own[1000];
        snprintf(own, sizeof own, text, "10", START[i]);
        taut_model *m = read_text(own);
        taut_state *rest = rest_of(m, NULL);
        assert_near(taut_state_value(rest, "x"), (98.1 - 22.5 + 1000) / 5075, 1e-13, 0.0);
        taut_state_free(&rest);
        taut_model_free(&m);
        snprintf(own, sizeof own, text, "2", START[i]);
        m = read_text(own);
        rest = rest_of(m, NULL);
        assert_near(taut_state_value(rest, "x"), 19.62 / 300, 1e-13, 0.0);
        taut_state_free(&rest);
        taut_model_free(&m);
    }
}

/* What falls comes to rest on the floor; a rod on its stop; each formulation that knows contacts.
 */
static void test_contacts_that_close(void **state) {
    (void)state;
    taut_model *m = read_text("Dimension: 2\nPartData: {Particles: {A: 2}}\n"
                              "AppliedForces: {Gravity: 9.81}\n"
                              "Contacts: {floor: {Gap: Ay, Restitution: 0.5}}\n"
                              "ProblemData: {tend: 3, positions: {A: [0, 0.5]}}\n");
    solution *s = run_from(m, NULL, 1.0);
    assert_near(value_of(s, 0, "Ay"), 0.0, 1e-14, 0.0);
    assert_near(value_of(s, 0, "floor.N"), 19.62, 0.0, 1e-13);
    assert_near(last_of(s, "Ay"), 0.0, 1e-14, 0.0);
    solution_free(s);
    taut_model_free(&m);
    m = read_text("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
                  "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 3, 0.25]}}\n"
                  "AppliedForces: {Gravity: 9.81}\nAngles: {phi: OA}\n"
                  "Limits: {phi: {Lower: -30 deg}}\n"
                  "ProblemData: {tend: 3, positions: {phi: 0.3}}\n");
    for (int f = 0; f < 3; f++) {
        taut_equilibria *e = find_all(m, EVERY_FORMULATION[f], 10);
        taut_result *table = NULL;
        taut_run_options run = at_tolerance(1e-12);
        run.formulation = EVERY_FORMULATION[f];
        assert_int_equal(taut_equilibria_count(e), 2);
        assert_int_equal(taut_equilibria_table(e, &run, &table, NULL), TAUT_OK);
        const int phi = taut_result_find(table, "phi"), N = taut_result_find(table, "phi.lower.N");
        assert_near(taut_result_value(table, 0, phi), M_PI / 2, 1e-12, 0.0);
        assert_near(taut_result_value(table, 0, N), 0.0, 0.0, 0.0);
        assert_near(taut_result_value(table, 1, phi), -M_PI / 6, 1e-12, 0.0);
        assert_near(taut_result_value(table, 1, N), 3 * 9.81 * 0.5 * cos(M_PI / 6), 0.0, 1e-12);
        assert_true(growth_of(e, 0, EVERY_FORMULATION[f]) > 1.0);
        taut_result_free(&table);
        taut_equilibria_free(&e);
    }
    taut_model_free(&m);
}

/* Two rods as one while the hinge sticks: tan of the angle from below is u / (2 m g L), and the
 * small motion is that of one rod of twice the length. */
static void test_a_hinge_that_sticks(void **state) {
    (void)state;
    const double L = 0.7, m = 2, g = 9.81, u = 1;
    taut_model *model = read_text(
        "Dimension: 2\nPhysicalParams: {L: 0.7, m: 2, f: 0.5, u: 1}\nPartData:\n"
        "  Fixed: {O: [0, 0]}\n  Rigids:\n    OA: {Geom: [[L]], Dyna: [[L/2], m, m*L^2/12]}\n"
        "    AB: {Geom: [[L]], Dyna: [[L/2], m, m*L^2/12]}\n"
        "AppliedForces: {Gravity: 9.81, Torques: {OA: u}}\nAngles: {phi: OA, psi: [OA, AB]}\n"
        "Friction: {hinge: {On: psi, Force: f}}\n"
        "ProblemData: {tend: 1, positions: {phi: -pi/2, psi: 0}}\n");
    const double below = asin(u / (2 * m * g * L)),
                 omega = sqrt(2 * m * g * L * cos(below) / (2 * m * 4 * L * L / 3));
    for (int f = 0; f < 3; f++) {
        taut_equilibria *e = find_all(model, EVERY_FORMULATION[f], 0);
        taut_linear *l = NULL;
        taut_errors errors = {0};
        taut_run_options run = at_tolerance(1e-12);
        run.formulation = EVERY_FORMULATION[f];
        run.from = taut_equilibria_state(e, 0);
        assert_near(taut_state_value(run.from, "phi"), below - M_PI / 2, 1e-12, 0.0);
        assert_int_equal(taut_linearize(model, &run, NULL, &l, &errors), TAUT_OK);
        const taut_linear_point *p = taut_linear_at(l, 0);
        assert_string_equal(p->contacts, "hinge sticks");
        assert_int_equal(p->states, 2);
        assert_near(p->eigenvalue[1][1], omega, 0.0, 1e-12);
        assert_true(p->steady);
        taut_linear_free(&l);
        taut_equilibria_free(&e);
    }
    taut_model_free(&model);
}

/* 40 equal rods between two points of one height: the slopes are an arithmetic progression. */
static void test_a_chain_of_forty_rods(void **state) {
    (void)state;
    static char text[8000];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text,
                          "Dimension: 2\nPartData:\n  Fixed: {A0: [0, 0], A40: [3, 0]}\n"
                          "  Rigids:\n");
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "    A%dA%d: {Geom: [[0.1, 0]], Dyna: [[0.05, 0], 0.2, 0.2/1200]}\n",
                              i, i + 1);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "AppliedForces: {Gravity: 9.81}\nProblemData:\n  tend: 1\n"
                          "  positions: {");
    for (int i = 1; i < 40; i++) /* a poor guess: a triangle */
        n += (size_t)snprintf(text + n, sizeof text - n, "%sA%d: [%g, %g]", i > 1 ? ", " : "", i,
                              0.075 * i, -0.066 * (i < 20 ? i : 40 - i));
    snprintf(text + n, sizeof text - n, "}\n");
    taut_model *m = read_text(text);
    solution *s = run_from(m, NULL, 0.0);
    double slope[40], before = 0.0, y = 0.0, x = 0.0;
    for (int i = 0; i < 40; i++) {
        char name[2][16];
        double next[2] = {3.0, 0.0};
        snprintf(name[0], sizeof name[0], "A%dx", i + 1);
        snprintf(name[1], sizeof name[1], "A%dy", i + 1);
        for (int k = 0; k < 2 && i < 39; k++) next[k] = value_of(s, 0, name[k]);
        slope[i] = (next[1] - y) / (next[0] - x);
        x = next[0];
        y = next[1];
    }
    before = slope[1] - slope[0];
    assert_true(before > 0.01);
    for (int i = 2; i < 40; i++) assert_near(slope[i] - slope[i - 1], before, 1e-9, 0.0);
    assert_near(slope[19], -slope[20], 1e-9, 0.0);
    solution_free(s);
    taut_model_free(&m);
}

/* The way of inverse dynamics: the driven angle is free, its torque is to vanish. */
static void test_a_driven_joint_let_go(void **state) {
    (void)state;
    taut_model *m = read_text(
        "Dimension: 2\nPhysicalParams: {L: 0.7}\nPartData:\n  Fixed: {O: [0, 0], B: [0.5, 1]}\n"
        "  Rigids: {OA: {Geom: [[L]]}}\n  Particles: {A: 1}\n  Springs: {AB: [20, 0.4]}\n"
        "AppliedForces: {Gravity: 9.81}\nAngles: {phi: OA}\nDrivers: {phi: 0.6 + 0*t}\n"
        "Trim: {Free: [phi], Want: {force_phi: 0}}\n"
        "ProblemData: {tend: 1, positions: {A: [0.7, 0]}}\n");
    taut_equilibria *e = find_all(m, NULL, 0);
    taut_result *table = NULL;
    assert_int_equal(taut_equilibria_table(e, NULL, &table, NULL), TAUT_OK);
    const double phi = taut_equilibria_free_value(e, 0, 0);
    const double x = 0.7 * cos(phi), y = 0.7 * sin(phi), l = hypot(0.5 - x, 1.0 - y);
    const double pull = 20.0 * (l - 0.4) / l;
    assert_near(x * (pull * (1.0 - y) - 9.81) - y * pull * (0.5 - x), 0.0, 1e-12, 0.0);
    assert_near(taut_result_value(table, 0, taut_result_find(table, "phi")), phi, 1e-14, 0.0);
    assert_near(taut_result_value(table, 0, taut_result_find(table, "force_phi")), 0.0, 1e-11, 0.0);
    assert_true(fabs(phi - 0.6) > 0.01);
    taut_result_free(&table);
    taut_equilibria_free(&e);
    taut_model_free(&m);
}

static void check_trim(const char *trim, const char *message) {
    char text[600];
    taut_errors errors = {0};
    taut_model *m = NULL;
    taut_equilibria *e = NULL;
    snprintf(text, sizeof text,
             "PhysicalParams: {k: 10}\nInputs: {u: 0}\nLagrangian: {Coordinates: [x], L: x'^2 - "
             "k*x^2/2, Forces: {x: u/(1 + u^2)}}\n%s\nProblemData: {tend: 1, positions: {x: 1}}\n",
             trim);
    taut_status status = taut_model_parse("text", text, -1, &m, &errors);
    if (status == TAUT_OK) status = taut_equilibria_find(m, NULL, 0, &e, &errors);
    assert_true(status < 0);
    assert_null(e);
    if (!strstr(errors.item[0].message, message)) {
        print_error("%s\n", errors.item[0].message);
        fail();
    }
    taut_model_free(&m);
}

static void test_what_cannot_be_trimmed(void **state) {
    (void)state;
    check_trim("Trim: {Free: [v], Want: {x: 0.01}}", "'v' cannot be free");
    check_trim("Trim: {Free: [u], Want: {z: 0.01}}", "unknown name 'z'");
    check_trim("Trim: {Free: [u], Wants: {x: 0.01}}", "unknown key 'Wants'");
    check_trim("Trim: {Steady: {x: 1}}", "write x': ...");
    check_trim("Trim: {Free: [u], Want: {x: 3}}",
               "no equilibrium was found"); /* the force is too small */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pendulum_hangs),
        cmocka_unit_test(test_a_spring_that_hardens),
        cmocka_unit_test(test_a_damped_run_ends_there),
        cmocka_unit_test(test_what_falls_has_none),
        cmocka_unit_test(test_a_lift_held_by_a_cylinder),
        cmocka_unit_test(test_a_governor_at_speed),
        cmocka_unit_test(test_an_over_centre_clamp),
        cmocka_unit_test(test_a_trim_without_a_slope),
        cmocka_unit_test(test_a_table_and_a_stop),
        cmocka_unit_test(test_contacts_that_close),
        cmocka_unit_test(test_a_hinge_that_sticks),
        cmocka_unit_test(test_a_chain_of_forty_rods),
        cmocka_unit_test(test_a_driven_joint_let_go),
        cmocka_unit_test(test_what_cannot_be_trimmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
