/* Runs with contacts, locks and breaks go on from states that are saved behind each of their steps,
 * so also at the very instants of events, at rest, and while something is loose: the end is that of
 * the whole run. */
#include "solve_text.h"

#include <math.h>

static void must(taut_status status, const taut_errors *errors) {
    if (status != TAUT_OK) show_errors(errors);
    assert_int_equal(status, TAUT_OK);
}

static taut_simulation *create(const taut_model *model, const char *formulation) {
    taut_run_options o = at_tolerance(1e-11);
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    o.formulation = formulation;
    must(taut_simulation_create(model, &o, &s, &errors), &errors);
    return s;
}

static double *end_of(taut_simulation *s) {
    taut_errors errors = {0};
    taut_status status;
    while ((status = taut_simulation_step(s, &errors)) == TAUT_OK) continue;
    if (status != TAUT_AT_END) show_errors(&errors);
    assert_int_equal(status, TAUT_AT_END);
    double *row = calloc((size_t)taut_simulation_columns(s), sizeof *row);
    assert_non_null(row);
    must(taut_simulation_row(s, taut_simulation_reached(s), row, &errors), &errors);
    return row;
}

static taut_state *through_file(const taut_state *state) {
    char path[] = "/tmp/taut-state-XXXXXX";
    taut_errors errors = {0};
    taut_state *loaded = NULL;
    write_temporary("", path);
    must(taut_state_save(state, path, &errors), &errors);
    must(taut_state_load(path, &loaded, &errors), &errors);
    unlink(path);
    return loaded;
}

/* Is it a place or a mode? Forces at rest may be one choice of many, and work begins with the run.
 */
static bool is_compared(const char *name) {
    const char *dot = strchr(name, '.');
    return dot ? strcmp(dot, ".mode") == 0 || strcmp(dot, ".gap") == 0
               : strcmp(name, "work") != 0 && strcmp(name, "energy") != 0;
}

/* Does a fresh simulation come to the same end from this state? */
static void go_on(const taut_model *model, const char *formulation, const taut_state *state,
                  const double *end) {
    taut_errors errors = {0};
    taut_state *loaded = through_file(state);
    taut_simulation *s = create(model, formulation);
    must(taut_simulation_set_state(s, loaded, &errors), &errors);
    double *row = end_of(s);
    for (int c = 0; c < taut_simulation_columns(s); c++) {
        const char *name = taut_simulation_name(s, c);
        if (!is_compared(name)) continue;
        if (!(fabs(row[c] - end[c]) <= 1e-7 * (1.0 + fabs(end[c]))))
            fail_msg("%s from t = %.17g: %.12g, not %.12g", name, taut_state_time(state), row[c],
                     end[c]);
    }
    free(row);
    taut_simulation_free(&s);
    taut_state_free(&loaded);
}

static void check_states(const char *text) {
    static const char *const formulation[] = {"natural", "reference", "relative"};
    taut_model *model = read_text(text);
    for (int f = 0; f < 3; f++) {
        taut_errors errors = {0};
        taut_simulation *s = create(model, formulation[f]);
        must(taut_simulation_start(s, &errors), &errors);
        double *end = end_of(s);
        taut_simulation_free(&s);
        s = create(model, formulation[f]);
        must(taut_simulation_start(s, &errors), &errors);
        while (taut_simulation_step(s, &errors) == TAUT_OK) {
            taut_state *state = NULL;
            must(taut_simulation_get_state(s, &state, &errors), &errors);
            go_on(model, formulation[f], state, end);
            taut_state_free(&state);
        }
        taut_simulation_free(&s);
        free(end);
    }
    taut_model_free(&model);
}

#define ROD                                                                                        \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0]}\n"                                                                       \
    "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5, 0], 2, 1/6]}}\n"                                    \
    "Angles: {a: OA}\n"                                                                            \
    "AppliedForces: {Gravity: [0, -9.81]}\n"

/* A pin lets go at a time: at that instant the condition has only become true. */
static void test_loose_by_time(void **state) {
    (void)state;
    check_states(ROD "Contacts: {f: {Gap: Ay + 0.8, Along: Ax, Friction: 0.5}}\n"
                     "Breaks: {b: {Joint: ground-OA, When: t > 0.3}}\n"
                     "ProblemData: {tend: 0.8, positions: {a: -0.2}, velocities: {a: -1}}\n");
}

/* By its own load, which is gone once it is loose. */
static void test_loose_by_load(void **state) {
    (void)state;
    check_states(ROD
                 "Breaks: {b: {Joint: ground-OA, When: ground-OA.Fx^2 + ground-OA.Fy^2 > 900}}\n"
                 "ProblemData: {tend: 1, positions: {a: 0}}\n");
}

/* A driver lets go, and is engaged again where it stands by then. */
static void test_driver_engaged_elsewhere(void **state) {
    (void)state;
    check_states("Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0]}\n"
                 "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.1, 0], 2, 0.5]}}\n"
                 "Angles: {phi: OA}\n"
                 "Drivers: {phi: 2*t}\n"
                 "AppliedForces: {Gravity: [0, -9.81]}\n"
                 "Breaks: {motor: {Driver: phi, When: t > 0.5, Until: t > 0.9}}\n"
                 "ProblemData: {tend: 1.3, positions: {A: [1, 0]}}\n");
}

/* A block that slides, bounces, locks and comes to rest, where all rates are rounding. */
static void test_comes_to_rest(void **state) {
    (void)state;
    check_states("Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], u: [1, 0]}\n"
                 "  Rigids: {box: {Elements: [A, B], Geom: [[0.2]], Dyna: [[0.1, 0.1], 2, 0.02]}}\n"
                 "AppliedForces: {Gravity: [0, -9.81]}\n"
                 "Contacts:\n"
                 "  left: {Corner: A, On: {Line: [O, u]}, Restitution: 0, Friction: 0.3}\n"
                 "  right: {Corner: B, On: {Line: [O, u]}, Restitution: 0, Friction: 0.3}\n"
                 "ProblemData: {tend: 1, positions: {A: [0, 0.1], B: [0.2, 0.1]},\n"
                 "  velocities: {A: [0.5, 0], B: [0.5, 0]}}\n");
}

/* Three cranks whose friction holds them in the end, on loops that leave rates of rounding. */
static void test_sticks_in_loops(void **state) {
    (void)state;
    check_states(
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], P: [1, 0], Q: [2, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[0.5]], Dyna: [[0.25, 0], 1, 0.03]}\n"
        "    PB: {Geom: [[0.5]], Dyna: [[0.2, 0], 1.2, 0.04]}\n"
        "    QC: {Geom: [[0.5]], Dyna: [[0.3, 0], 0.8, 0.02]}\n"
        "    ABC: {Geom: [[1], [2]], Dyna: [[1, 0], 3, 0.5]}\n"
        "Angles: {a: OA, b: PB, c: QC}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Contacts: {fB: {Gap: By - 0.22, Along: Bx, Friction: 0.2}}\n"
        "Friction: {j: {On: c, Force: 0.117, Static: 3.5}}\n"
        "ProblemData: {tend: 1, positions: {\n"
        "  A: [0.375887940086435, 0.329709351547051], B: [1.375887940086435, 0.329709351547051],\n"
        "  C: [2.375887940086435, 0.329709351547051]}}\n");
}

/* A clutch that slips, holds, and is let go. */
static void test_clutch(void **state) {
    (void)state;
    check_states("Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], P: [3, 0]}\n"
                 "  Rigids:\n"
                 "    OA: {Geom: [[1]], Dyna: [[0, 0], 1, 0.5]}\n"
                 "    PB: {Geom: [[1]], Dyna: [[0, 0], 1, 0.25]}\n"
                 "Angles: {a: OA, b: PB}\n"
                 "Limits: {b: {Upper: 3, Restitution: 0.5}}\n"
                 "Locks: {clutch: {On: a - b, When: t > 0.2 and t < 0.9, Capacity: 2}}\n"
                 "ProblemData: {tend: 1.5, positions: {a: 0, b: 0}, velocities: {a: 4}}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loose_by_time),
                                       cmocka_unit_test(test_loose_by_load),
                                       cmocka_unit_test(test_driver_engaged_elsewhere),
                                       cmocka_unit_test(test_comes_to_rest),
                                       cmocka_unit_test(test_sticks_in_loops),
                                       cmocka_unit_test(test_clutch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
