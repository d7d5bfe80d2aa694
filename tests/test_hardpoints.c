/* Hardpoints: vectors under Define, in Fixed, Geom, Dyna, initial values and formulas, in the plane
 * and in space, with units, from files and from code; and what is said where they do not fit. */
#include "solve_text.h"

#include "program.h"

/* The same four-bar, by names and by numbers. */
static const char by_name[] = "PhysicalParams: {lift: 0.2}\n"
                              "Define:\n"
                              "  O0: [0, 100 mm]\n"
                              "  A0: O0 + [0.5 m, 0 m]\n"
                              "  B0: [1.2 m, (0.8 + lift)*1 m]\n"
                              "  Q0: [1.4 m, O0y]\n"
                              "  half: (B0 - A0)/2\n"
                              "Dimension: 2\n"
                              "PartData:\n"
                              "  Fixed: {O: O0, Q: Q0}\n"
                              "  Rigids:\n"
                              "    OA: {Geom: [A0 - O0], Dyna: [(A0 - O0)/2, 1, 0.1]}\n"
                              "    AB: {Geom: [B0 - A0], Dyna: [half, 2, 0.2*B0x/1 m*1 kg*m^2]}\n"
                              "    QB: {Geom: [B0 - Q0], Dyna: [[half.x, half.y], 1, 0.1]}\n"
                              "AppliedForces: {Gravity: , Forces: {B: \"A0x*[1, 2]*1 N/m\"}}\n"
                              "Outputs: {moved: \"dot(B - B0, B - B0)\"}\n"
                              "ProblemData: {tend: 1, positions: {A: A0, B: B0}}\n";

static const char by_number[] = "Dimension: 2\n"
                                "PartData:\n"
                                "  Fixed: {O: [0, 0.1], Q: [1.4, 0.1]}\n"
                                "  Rigids:\n"
                                "    OA: {Geom: [[0.5, 0]], Dyna: [[0.25, 0], 1, 0.1]}\n"
                                "    AB: {Geom: [[0.7, 0.9]], Dyna: [[0.35, 0.45], 2, 0.24]}\n"
                                "    QB: {Geom: [[-0.2, 0.9]], Dyna: [[0.35, 0.45], 1, 0.1]}\n"
                                "AppliedForces: {Gravity: , Forces: {B: [0.5, 1]}}\n"
                                "Outputs: {moved: \"dot(B - [1.2, 1], B - [1.2, 1])\"}\n"
                                "ProblemData: {tend: 1, positions: {A: [0.5, 0.1], B: [1.2, 1]}}\n";

static void assert_same(const solution *a, const solution *b) {
    assert_int_equal(taut_result_columns(a->result), taut_result_columns(b->result));
    assert_int_equal(rows_of(a), rows_of(b));
    for (int c = 0; c < taut_result_columns(a->result); c++)
        for (long i = 0; i < rows_of(a); i += 50)
            assert_near(taut_result_value(a->result, i, c), taut_result_value(b->result, i, c),
                        1e-9, 1e-9);
}

static void test_names_are_as_good_as_numbers(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-12);
    solution *name = solve_text(by_name, &options), *number = solve_text(by_number, &options);
    assert_same(name, number);
    assert_true(last_of(name, "moved") > 0.01);
    solution_free(name);
    solution_free(number);
}

/* Another value of a parameter moves the hardpoint everywhere: in Geom, inertia and start. */
static void test_parameters_move_hardpoints(void **state) {
    (void)state;
    char path[] = "/tmp/taut-test-XXXXXX";
    const taut_override set = {"lift", "0.3"};
    const taut_run_options options = at_tolerance(1e-12);
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    write_temporary(by_name, path);
    assert_int_equal(taut_model_read(path, &set, 1, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &options, &result, &errors), TAUT_OK);
    const solution s = {.result = result};
    assert_near(value_of(&s, 0, "By"), 1.1, 1e-15, 0.0);
    assert_near(value_of(&s, 0, "moved"), 0.0, 1e-15, 0.0); /* nothing had to change */
    assert_near(taut_result_stats(result)->constraint_residual, 0.0, 1e-14, 0.0);
    taut_result_free(&result);
    taut_model_free(&model);
    unlink(path);
}

static void test_hardpoints_in_code(void **state) {
    (void)state;
    taut_builder *b = NULL;
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    const taut_run_options options = at_tolerance(1e-12);
    assert_int_equal(taut_builder_create("wishbone", &b), TAUT_OK);
    taut_builder_dimension(b, 3);
    taut_builder_define(b, "A0", "[0, 300 mm, 0]");
    taut_builder_define(b, "C0", "[50 mm, 700 mm, 0]");
    taut_builder_fixed(b, "A", "A0");
    taut_builder_fixed(b, "a", "[1, 0, 0]");
    taut_builder_body(b, "arm",
                      &(taut_body_spec){.elements = "A, C, a",
                                        .geometry = "C0 - A0, [1, 0, 0]",
                                        .centroid = "(C0 - A0)/2",
                                        .mass = "2",
                                        .inertia = "[0.1, 0.01, 0.1]"});
    taut_builder_gravity(b, NULL);
    taut_builder_position(b, "C", "C0");
    taut_builder_span(b, 0.0, 1.0);
    assert_int_equal(taut_builder_finish(b, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &options, &result, &errors), TAUT_OK);
    const solution s = {.result = result};
    /* a compound pendulum about x, from the horizontal: m g z of the centroid becomes motion */
    const double J = 0.1 + 2.0 * 0.2 * 0.2, fall = value_of(&s, 1000, "Cz") / 2.0;
    const double rate = hypot(value_of(&s, 1000, "Cy'"), value_of(&s, 1000, "Cz'")) / 0.4;
    assert_near(J * rate * rate / 2.0, -2.0 * 9.81 * fall, 1e-9, 0.0);
    assert_near(value_of(&s, 1000, "Cx"), 0.05, 1e-14, 0.0);
    taut_result_free(&result);
    taut_model_free(&model);
    taut_builder_free(&b);
}

/* ---- what is wrong, word by word ---- */

static void must_say(const char *parts, const char *positions, const char *message) {
    char text[1500];
    program_result r;
    snprintf(text, sizeof text,
             "Dimension: 3\n"
             "Define: {A0: [0, 100 mm, 0], B0: [300 mm, 0, 0], P2: [1, 2], K: [1 kg, 2 kg, 0], M0: "
             "[t, 0, 1]}\n"
             "PartData: {%s}\n"
             "ProblemData: {tend: 1, positions: {%s}}\n",
             parts, positions);
    program_write("m.yaml", text, -1);
    program_call(&r, "check m.yaml");
    if (r.code != 2 || !strstr(r.err, message))
        fail_msg("%s\n%s: instead of %s", text, r.err, message);
    program_release(&r);
}

#define BODY(geom) "Fixed: {A: A0}, Rigids: {AB: {Geom: " geom ", Dyna: [[0.1], 1, 0.1]}}"
#define FIXED(a) "Fixed: {A: " a "}, Rigids: {AB: {Geom: [B0 - A0], Dyna: [(B0 - A0)/3, 1, 0.1]}}"

static void test_messages(void **state) {
    (void)state;
    must_say(BODY("[P2]"), "B: B0",
             "3:49: error: a vector with 3 components is expected, not one with 2\n");
    must_say(BODY("[K - A0]"), "B: B0", "3:51: error: a sum of a mass (kg) and a length (m)\n");
    must_say(BODY("[K]"), "B: B0",
             "3:49: error: a length (m) is expected here, but this is a mass (kg)\n");
    must_say(BODY("[M0]"), "B: B0",
             "3:49: error: local coordinates are numbers: formulas of parameters\n");
    must_say(BODY("[B0 - A]"), "B: B0",
             "3:54: error: 'A' is a point of the mechanism: a formula of parameters is expected "
             "here; give a "
             "hardpoint that is used several times a name under 'Define'\n");
    must_say(BODY("[A0y]"), "B: B0", "3:49: error: coordinates are a list: write [A0y]\n");
    must_say(BODY("[[A0w]]"), "B: B0", "3:50: error: unknown name 'A0w'; did you mean 'A0'?\n");
    must_say(BODY("[[P2z]]"), "B: B0", "3:50: error: unknown name 'P2z'; did you mean 'P2'?\n");
    must_say(BODY("[B0 - B0]"), "B: B0",
             "3:49: error: the point B of 'AB' coincides with its first point: its coordinates are "
             "all 0\n");
    must_say(FIXED("P2"), "B: B0",
             "3:23: error: a vector with 3 components is expected, not one with 2\n");
    must_say(FIXED("A0y"), "B: B0",
             "3:23: error: a vector with 3 components is expected, not a number\n");
    must_say(FIXED("K"), "B: B0",
             "3:23: error: a length (m) is expected here, but this is a mass (kg)\n");
    must_say(FIXED("A0"), "B: P2",
             "4:39: error: a vector with 3 components is expected, not one with 2\n");
    must_say(FIXED("A0"), "B: K",
             "4:39: error: a length (m) is expected here, but this is a mass (kg)\n");
    must_say(FIXED("A0"), "Bx: A0",
             "4:40: error: a number is expected, but this is a vector with 3 components\n");
    must_say(FIXED("A0"), "B: M0",
             "4:39: error: an initial value is a number: a formula of parameters\n");
}

/* A component whose vector is defined through it is circular; a name of one's own wins. */
static void test_components(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "Define: {C0: \"C0x*[1, 2]\"}\n"
                  "DAE: {Variables: [u], Equations: [u' - C0y]}\n"
                  "ProblemData: {tend: 1, positions: {u: 0}}\n",
                  -1);
    program_call(&r, "check m.yaml");
    assert_int_equal(r.code, 2);
    assert_non_null(
        strstr(r.err, "'C0' is defined through itself (line 1): the definitions are circular"));
    assert_null(strstr(r.err, "unknown name"));
    program_release(&r);
    const taut_run_options options = at_tolerance(1e-12);
    solution *s = solve_text("PhysicalParams: {Cx: 5}\n"
                             "Define: {C: [1, 2, 3], w: [u, 2*u]}\n"
                             "DAE: {Variables: [u], Equations: [u' - Cy - 0*Cx]}\n"
                             "Outputs: {five: Cx, three: Cz, rate: wy'}\n"
                             "ProblemData: {tend: 1, positions: {u: 0}}\n",
                             &options);
    assert_near(last_of(s, "five"), 5.0, 0.0, 0.0);
    assert_near(last_of(s, "three"), 3.0, 0.0, 0.0);
    assert_near(last_of(s, "u"), 2.0, 1e-14, 0.0);
    assert_near(last_of(s, "rate"), 4.0, 1e-13, 0.0);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_as_good_as_numbers),
        cmocka_unit_test(test_parameters_move_hardpoints),
        cmocka_unit_test(test_hardpoints_in_code),
        cmocka_unit_test_setup_teardown(test_messages, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_components, program_enter, program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
