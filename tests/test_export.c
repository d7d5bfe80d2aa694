/* Exported C code: it compiles without a warning as C and as C++, runs, and agrees with taut; what
 * cannot be done is refused by name. The whole list of examples is in test_export_all.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "program.h"
#include "exported.h"

#include "export/pivots.h"

static void test_code_agrees_with_taut(void **state) {
    (void)state;
    check_export("examples/pendulum.yaml", "", 1e-9);
    check_export("examples/cam.yaml", "", 1e-9);              /* a driver, functions of t */
    check_export("examples/chaplygin-sleigh.yaml", "", 1e-9); /* a velocity constraint */
    check_export("examples/free-top.yaml", "", 1e-9);         /* no fixed pivots for all of it */
}

/* Rates of functions of t, which powers of drivers contain, are needed further ahead than any
 * unknown. */
static void test_rates_of_functions_of_time(void **state) {
    (void)state;
    check_export("examples/machines/double-wishbone.yaml", "", 1e-9);
    program_write("driven.yaml",
                  "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0.1*sin(3*t)]}\n"
                  "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\nAngles: {phi: OA}\n"
                  "Drivers: {phi: 0.3*exp(t) + 0.1*t^2}\nOutputs: {speed: phi'*cos(t)}\n"
                  "ProblemData: {tend: 2, positions: {phi: 0.3}}\n",
                  -1);
    check_export("./driven.yaml", "", 1e-9);
    check_export("./driven.yaml", "--formulation relative", 1e-9);
    check_export("./driven.yaml", "--derivatives 2", 1e-9);
}

static void test_formulations_and_given_steps(void **state) {
    (void)state;
    check_export("examples/slider-crank.yaml", "--formulation relative", 1e-9);
    check_export("examples/pendulum.yaml", "--step 1e-2 --tol 1e-7", 1e-7);
    check_export("examples/pendulum.yaml", "--order 8 --tol 1e-6", 1e-6);
    check_export("examples/pendulum.yaml", "--derivatives 2", 1e-9);
}

static void test_single_precision_is_good_for_four_digits(void **state) {
    (void)state;
    check_export("examples/pendulum.yaml", "--float", 1e-3);
}

/* ---- reactions ---- */

/* Multipliers, forces and torques in joints and rods, as `taut run --reactions` has them. */
static void test_reactions_agree_with_taut(void **state) {
    (void)state;
    check_export("examples/slider-crank.yaml", "--reactions --axes body", 1e-9);
    check_export("examples/pendulum.yaml", "--reactions --float", 1e-3);
    check_export("tests/models/joints/all-elements.yaml", "--reactions", 1e-9);
    check_export("tests/models/joints/along-thin-rod.yaml", "--reactions", 1e-9);
}

/* Four parallel hinges in space, and a load across their plane: more than rigid bodies determine.
 */
static const char HINGES[] = "Dimension: 3\n"
                             "PartData:\n"
                             "  Fixed: {O: [0, 0, 0], C: [3, 0, 0], n: [0, 0, 1]}\n"
                             "  Rigids:\n"
                             "    OAn: {Geom: [[1], [0, 0, 1]], Dyna: [[0.5], 1, 0.1]}\n"
                             "    ABn: {Geom: [[2.5], [0, 0, 1]], Dyna: [[1.25], 2, 1]}\n"
                             "    CBn: {Geom: [[2], [0, 0, 1]], Dyna: [[1], 2, 0.7]}\n"
                             "AppliedForces: {Gravity: [0, -9.81, -3]}\n"
                             "ProblemData:\n"
                             "  tend: 0.5\n"
                             "  positions: {A: [0, 1, 0], B: [2.4, 1.9, 0]}\n"
                             "  fixedpositions: {A}\n";

/* No index outside of its table, no overflow: by the sanitizer of the compiler. */
static void test_reactions_are_free_of_undefined_behaviour(void **state) {
    (void)state;
    static const char *const file[] = {"examples/slider-crank.yaml",
                                       "tests/models/joints/all-elements.yaml"};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        char command[600], stem[200];
        program_result r;
        snprintf(command, sizeof command, "export %s/%s --c code --reactions --tol 1e-4",
                 TAUT_SOURCE_DIR, file[i]);
        program_call(&r, command);
        if (r.code != 0) fail_msg("%s", r.err);
        program_release(&r);
        export_stem(file[i], stem, sizeof stem);
        export_shell(stem, "cc -std=c99 -fsanitize=undefined -fno-sanitize-recover=all -o code/run "
                           "code/@.c code/main.c -lm && code/run > code/run.csv && rm -r code");
    }
}

/* Least forces where rigid bodies do not determine them, and a word about it. */
static void test_reactions_that_are_not_determined(void **state) {
    (void)state;
    program_result r;
    program_write("hinges.yaml", HINGES, -1);
    check_export("./hinges.yaml", "--reactions", 1e-9);
    program_call(&r, "export hinges.yaml --c . --reactions --tol 1e-4");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "reactions are not determined by rigid bodies"));
    program_release(&r);
    program_call(&r,
                 "export " TAUT_SOURCE_DIR "/examples/pendulum.yaml --c . --reactions --tol 1e-4");
    assert_int_equal(r.code, 0);
    assert_null(strstr(r.out, "not determined"));
    program_release(&r);
}

/* ---- parameters, inputs, states: a program of its own ---- */

static const char MODEL[] =
    "Title: a pendulum with a motor\n"
    "PhysicalParams: {m: 2, L: 0.5, G: 9.81, W: m*G}\n"
    "Inputs: {tau: 0}\n"
    "Lagrangian:\n"
    "  Coordinates: [x, y]\n"
    "  L: m/2*(x'^2 + y'^2) - W*y\n"
    "  Constraints: {rod: x^2 + y^2 - L^2}\n"
    "  Forces: {x: -tau*y/L^2, y: tau*x/L^2}\n"
    "ProblemData: {tend: 1, positions: {x: L, y: 0}, velocities: {x: 0, y: 0}}\n";

static const char DRIVER[] =
    "#include <stdio.h>\n#include <string.h>\n#include \"motor.h\"\n"
    "int main(void) {\n"
    "    static motor_system s, twin;\n"
    "    motor_parameters p;\n    motor_inputs u;\n    motor_state kept;\n"
    "    double y[MOTOR_OUTPUTS];\n    unsigned status;\n    int i;\n"
    "    motor_default_parameters(&p);\n    motor_default_inputs(&u);\n"
    "    p.m = 3.0;\n    p.G = 1.5;\n"
    "    status = motor_init(&s, &p);\n"
    "    for (i = 0; i < 100; i++) {\n"
    "        u.tau = (i < 50) ? 0.5 : -0.25;\n"
    "        if (i == 60) kept = s.state;\n"
    "        status |= motor_step(&s, &u, 0.01);\n"
    "    }\n"
    "    (void)motor_outputs(&s, &u, y);\n"
    "    printf(\"t,x,y\\n%.17g,%.17g,%.17g\\n\", s.state.t, s.state.x[0], s.state.x[2]);\n"
    "    if (status != MOTOR_OK) return 1;\n"
    "    /* back to a state in another system: the same bits */\n"
    "    (void)motor_init(&twin, &p);\n    twin.state = kept;\n"
    "    for (i = 60; i < 100; i++) (void)motor_step(&twin, &u, 0.01);\n"
    "    if (memcmp(&twin.state, &s.state, sizeof kept) != 0) return 2;\n"
    "    /* other lengths: another start */\n"
    "    p.L = 0.7;\n"
    "    if (motor_init(&s, &p) != MOTOR_OK) return 3;\n"
    "    if (motor_residual(&s) > 1e-14) return 4;\n"
    "    /* a length that was not 0 and is now: no equations for that */\n"
    "    p.L = 0.0;\n"
    "    if ((motor_init(&s, &p) & MOTOR_WRONG_NUMBER) == 0U) return 5;\n"
    "    /* steps that are far too long are noticed */\n"
    "    p.L = 0.5;\n    p.G = 1000.0;\n"
    "    (void)motor_init(&s, &p);\n"
    "    status = 0U;\n"
    "    for (i = 0; i < 20; i++) status |= motor_step(&s, &u, 0.1);\n"
    "    if (status == 0U) return 6;\n"
    "    return 0;\n}\n";

static double angle_by_runge_kutta(void) { /* phi'' = (tau - m G L cos phi)/(m L^2) */
    const double m = 3.0, G = 1.5, L = 0.5, h = 1e-4;
    double q = 0.0, v = 0.0;
    for (int i = 0; i < 10000; i++) {
        const double tau = i < 5000 ? 0.5 : -0.25;
#define RATE(x) ((tau - m * G * L * cos(x)) / (m * L * L))
        const double a1 = RATE(q), a2 = RATE(q + h / 2 * v), v2 = v + h / 2 * a1;
        const double a3 = RATE(q + h / 2 * v2), v3 = v + h / 2 * a2;
        const double v4 = v + h * a3, a4 = RATE(q + h * v3);
        q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
#undef RATE
    }
    return q;
}

static void test_parameters_inputs_and_states(void **state) {
    (void)state;
    program_result r;
    program_write("motor.yaml", MODEL, -1);
    program_call(&r, "export motor.yaml --c . --order 14 --step 0.01");
    assert_string_equal(r.err, "");
    assert_int_equal(r.code, 0);
    program_release(&r);
    program_write("driver.c", DRIVER, -1);
    assert_int_equal(system("cc -std=c99 -Wall -Wextra -Wconversion -Werror -O1 -o driver driver.c "
                            "motor.c -lm && ./driver > driver.csv"),
                     0);
    char *text = program_read("driver.csv");
    program_table table;
    program_table_read(&table, text);
    const double phi = angle_by_runge_kutta();
    assert_near(program_table_get(&table, 0, "x"), 0.5 * cos(phi), 1e-11, 0.0);
    assert_near(program_table_get(&table, 0, "y"), 0.5 * sin(phi), 1e-11, 0.0);
    program_table_free(&table);
    free(text);
}

/* ---- controllers ---- */

#define CONTROLLED(controllers)                                                                    \
    "PhysicalParams: {m: 2, L: 0.5, G: 9.81}\n"                                                    \
    "Inputs: {tau: 0, ref: 0.1}\n"                                                                 \
    "Lagrangian:\n"                                                                                \
    "  Coordinates: [x, y]\n"                                                                      \
    "  L: m/2*(x'^2 + y'^2) - m*G*y\n"                                                             \
    "  Constraints: {rod: x^2 + y^2 - L^2}\n"                                                      \
    "  Forces: {x: -tau*y/L^2, y: tau*x/L^2}\n"                                                    \
    "Controllers:\n" controllers                                                                   \
    "ProblemData: {tend: 0.9, positions: {x: L, y: 0}, velocities: {x: 0, y: 0.5}}\n"

static void test_controllers_take_their_samples(void **state) {
    (void)state;
    program_write(
        "pid.yaml",
        CONTROLLED("  pid: {Every: 10 ms, States: {z: 0}, Next: {z: z + 0.01*(ref - y)},\n"
                   "        Out: {tau: 20*(ref - y) + 5*z - 2*y'}}\n"),
        -1);
    check_export("./pid.yaml", "", 1e-9);
    /* an output alone; two periods, and one begins late */
    program_write("two.yaml",
                  CONTROLLED("  fast: {Every: 10 ms, Out: {tau: 20*(slow - y) - 2*y'}}\n"
                             "  late: {Every: 15 ms, Offset: 5 ms, States: {slow: 0},\n"
                             "         Next: {slow: slow + 0.1*(ref - y)}}\n"),
                  -1);
    check_export("./two.yaml", "", 1e-9);
}

/* Steps of another length would move the samples: the status says so. */
static void test_controllers_want_their_step(void **state) {
    (void)state;
    program_result r;
    program_write("pid.yaml", CONTROLLED("  pid: {Every: 10 ms, Out: {tau: -2*y'}}\n"), -1);
    program_call(&r, "export pid.yaml --c .");
    assert_int_equal(r.code, 0);
    program_release(&r);
    program_write("driver.c",
                  "#include \"pid.h\"\n"
                  "int main(void) {\n"
                  "    static pid_system s;\n    pid_parameters p;\n    pid_inputs u;\n"
                  "    pid_default_parameters(&p);\n    pid_default_inputs(&u);\n"
                  "    if (pid_init(&s, &p) != PID_OK) return 1;\n"
                  "    if (pid_step(&s, &u, PID_STEP) != PID_OK) return 2;\n"
                  "    return (pid_step(&s, &u, 0.9 * PID_STEP) & PID_WRONG_STEP) ? 0 : 3;\n}\n",
                  -1);
    assert_int_equal(system("cc -std=c99 -O1 -o driver driver.c pid.c -lm && ./driver"), 0);
}

/* ---- refusals ---- */

static void check_refusal(const char *command, const char *words) {
    program_result r;
    program_call(&r, command);
    assert_int_equal(r.code, 2);
    if (!strstr(r.err, words)) fail_msg("'%s' does not say '%s'", r.err, words);
    assert_false(program_exists("refused"));
    program_release(&r);
}

static void test_what_cannot_be_done_is_refused_by_name(void **state) {
    (void)state;
    check_refusal("export " TAUT_SOURCE_DIR "/examples/four-bar-1.yaml --c refused",
                  "singular position at t = 0.708");
    check_refusal("export " TAUT_SOURCE_DIR "/examples/algebraic.yaml --c refused",
                  "'x' enters the equations nonlinearly");
    program_write("ball.yaml",
                  "DAE: {Variables: [y], Equations: [y'' + 10]}\n"
                  "Events: {bounce: {When: y, Direction: down, Do: {y': -0.8*y'}}}\n"
                  "ProblemData: {tend: 1, positions: {y: 1}, velocities: {y: 0}}\n",
                  -1);
    check_refusal("export ball.yaml --c refused", "events ('bounce')");
    program_write("table.yaml",
                  "Tables: {f: {Points: [[0, 0], [1, 2], [2, 1], [3, 5]]}}\n"
                  "DAE: {Variables: [y], Equations: [\"y'' + f(t)\"]}\n"
                  "ProblemData: {tend: 1, positions: {y: 1}, velocities: {y: 0}}\n",
                  -1);
    check_refusal("export table.yaml --c refused", "looks into a table");
    check_refusal("export " TAUT_SOURCE_DIR "/examples/pendulum.yaml", "--c DIR");
    program_write("odd.yaml",
                  CONTROLLED("  a: {Every: 0.01, Out: {tau: -y}}\n"
                             "  b: {Every: 0.0031415926535, Out: {ref: y}}\n"),
                  -1);
    check_refusal("export odd.yaml --c refused", "nothing in common");
    program_write("pid.yaml", CONTROLLED("  pid: {Every: 10 ms, Out: {tau: -2*y'}}\n"), -1);
    check_refusal("export pid.yaml --c refused --step 3e-3", "no multiples of it");
    program_write("stop.yaml", CONTROLLED("  pid: {Every: 10 ms, Out: {tau: abs(y)}}\n"), -1);
    check_refusal("export stop.yaml --c refused", "has a kink");
    check_refusal("export " TAUT_SOURCE_DIR "/examples/pendulum.yaml --c refused --step 0.5",
                  "more than the tolerance");
    check_refusal("export " TAUT_SOURCE_DIR "/examples/pendulum.yaml --c refused --parameters Q",
                  "no parameter 'Q'");
}

/* ---- pivots ---- */

static void test_pivots_that_turn_are_left_to_reflections(void **state) {
    (void)state;
    enum { COUNT = 40 };
    static const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double value[4 * COUNT];
    for (int k = 0; k < COUNT; k++) { /* a rotation by every angle: each entry passes 0 */
        const double a = 0.1 + 6.0 * k / COUNT;
        const double m[] = {cos(a), sin(a), -sin(a), cos(a)};
        memcpy(value + 4 * k, m, sizeof m);
    }
    const taut_pivot_matrices turning = {2, start, row, value, COUNT},
                              fixed = {2, start, row, value, 1};
    taut_arena arena = {0};
    taut_pivots pivots;
    assert_int_equal(taut_pivots_choose(&turning, &arena, &pivots), TAUT_OK);
    assert_int_equal(pivots.first_core, 0);
    assert_near(pivots.closest, 1.0, 1e-12, 0.0);
    assert_int_equal(taut_pivots_choose(&fixed, &arena, &pivots), TAUT_OK);
    assert_int_equal(pivots.first_core, 2);
    taut_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_code_agrees_with_taut, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_rates_of_functions_of_time, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_formulations_and_given_steps, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_single_precision_is_good_for_four_digits,
                                        program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_reactions_agree_with_taut, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_reactions_are_free_of_undefined_behaviour,
                                        program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_reactions_that_are_not_determined, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_parameters_inputs_and_states, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_controllers_take_their_samples, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_controllers_want_their_step, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_done_is_refused_by_name, program_enter,
                                        program_leave),
        cmocka_unit_test(test_pivots_that_turn_are_left_to_reflections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
