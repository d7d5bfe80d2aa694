/* What few models ask for, each against a closed form: components written with a dot, what brakes
 * against moving ground, a weld that breaks, tables and steps of numbers, names without entries. */
#include "solve_text.h"

#include "model/model.h"
#include "program.h"

static const double G = 9.81;

/* A.x is Ax: among initial values, in what an event assigns, and as a prescribed motion. */
static void test_components_with_a_dot(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text("Dimension: 2\n"
                             "PartData: {Particles: {A: 2}}\n"
                             "Events: {stop: {When: t >= 1, Do: {A.x': 0.5, A.y': \"A.y' + 3\"}}}\n"
                             "ProblemData:\n"
                             "  tend: 2\n"
                             "  positions: {A.x: 0.6, A.y: 0.8}\n"
                             "  velocities: {A.x: 2, A.y: -1}\n",
                             &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), late = fmax(0.0, t - 1.0), early = t - late;
        assert_near(value_of(s, i, "Ax"), 0.6 + 2.0 * early + 0.5 * late, 1e-12, 0.0);
        assert_near(value_of(s, i, "Ay"), 0.8 - early + 2.0 * late, 1e-12, 0.0);
    }
    solution_free(s);
}

/* The torque that turns a rod by p = 0.3 + t^2/2: J p'', about its end. */
static void test_a_motion_by_a_component(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_result *result = NULL;
    const taut_run_options options = at_tolerance(1e-12);
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids: {OA: {Geom: [[2]], Dyna: [[0.5], 3, 0.1]}}\n"
                               "Inputs: {u: 0}\n"
                               "AppliedForces: {Torques: {motor: {On: OA, Value: u}}}\n"
                               "Inverse: {Actuators: [u], Motion: {A.x: 2*cos(0.3 + t^2/2)}}\n"
                               "ProblemData: {tend: 1, positions: {A: [1.9, 0.6]}}\n";
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, NULL), TAUT_OK);
    assert_int_equal(taut_inverse(model, &options, NULL, &result, NULL), TAUT_OK);
    solution s = {.result = result};
    for (long i = 0; i < rows_of(&s); i++) {
        const double t = value_of(&s, i, "t");
        assert_near(value_of(&s, i, "Ay"), 2.0 * sin(0.3 + t * t / 2.0), 1e-10, 0.0);
        assert_near(value_of(&s, i, "u"), 0.1 + 3.0 * 0.25, 1e-8, 0.0);
    }
    taut_result_free(&result);
    taut_model_free(&model);
}

/* The ground feels its part of a dissipation, and brakes where it moves: v' = -k (v - cos t). */
static void test_dissipation_against_moving_ground(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    const double k = 0.6 / 2.0, gain = k / (1.0 + k * k);
    solution *s =
        solve_text("Dimension: 2\n"
                   "PartData: {Fixed: {O: [sin(t), 0]}, Particles: {A: 2}}\n"
                   "AppliedForces: {Dissipation: \"0.6/2*((Ax' - Ox')^2 + Ay'^2)\"}\n"
                   "ProblemData: {tend: 2, positions: {A: [2, 0]}, velocities: {A: [1, 1]}}\n",
                   &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        const double v = gain * (k * cos(t) + sin(t)) + (1.0 - gain * k) * exp(-k * t);
        assert_near(value_of(s, i, "Ax'"), v, 1e-12, 0.0);
        assert_near(value_of(s, i, "Ay'"), exp(-k * t), 1e-12, 0.0);
        assert_near(value_of(s, i, "energy") - value_of(s, i, "work"), 2.0, 1e-11, 0.0);
    }
    solution_free(s);
}

/* All six equations of a weld let go: its body, held off its centre, falls without turning. */
static void test_a_weld_breaks(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-12);
    solution *s = solve_text(
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}\n"
        "  Rigids:\n"
        "    box: {Elements: [P, a, b], Geom: [[0, 0, 1], [1, 0, 0]],\n"
        "          Dyna: {Mass: 2, Centre: [0.3, 0, 0], Inertia: [1, 2, 3]}}\n"
        "  Joints: {w: {Type: weld, Points: [O, P], Axes: [z, a], Normals: [x, b]}}\n"
        "Breaks: {let: {Joint: w, When: t > 0.5}}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "Outputs: {T: w.Ty, F: w.Fz}\n"
        "ProblemData: {tend: 1, positions: {P: [0, 0, 0], a: [0, 0, 1], b: [1, 0, 0]}}\n",
        &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), fallen = fmax(0.0, t - 0.5);
        const double held = t < 0.5 ? 2.0 * G : 0.0;
        assert_near(value_of(s, i, "Pz"), -0.5 * G * fallen * fallen, 1e-11, 0.0);
        assert_near(value_of(s, i, "Px"), 0.0, 1e-11, 0.0);
        assert_near(value_of(s, i, "bx"), 1.0, 1e-11, 0.0);
        assert_near(value_of(s, i, "az"), 1.0, 1e-11, 0.0);
        if (fabs(t - 0.5) < 1e-9) continue;
        assert_near(fabs(value_of(s, i, "F")), held, 1e-9, 0.0);
        assert_near(fabs(value_of(s, i, "T")), 0.3 * held, 1e-9, 0.0);
        assert_near(value_of(s, i, "let.mode"), t < 0.5 ? 1.0 : 0.0, 0.0, 0.0);
    }
    solution_free(s);
}

/* Two sliders that share a direction and a line with the ground, with friction by their loads: each
 * brakes by its coefficient times g. */
static void test_friction_of_shared_lines(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    for (int both = 0; both < 2; both++) {
        char text[900];
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], P: [0, 5], u: [1, 0]}\n"
                 "  Rigids:\n"
                 "    Su: {Geom: [[1, 0]], Dyna: [[0], 2, 0.1]}\n"
                 "    Tu: {Geom: [[1, 0]], Dyna: [[0], 3, 0.1]}\n"
                 "  Collinears: {OuS: s, PuT: r}\n"
                 "AppliedForces: {Gravity: 9.81}\n"
                 "Friction:\n"
                 "  g: {Joint: ground-Tu, Coefficient: 0.1}\n"
                 "%s"
                 "ProblemData:\n"
                 "  tend: 0.5\n"
                 "  positions: {S: [0, 0], T: [1, 5]}\n"
                 "  velocities: {Sx: 3, Tx: 2}\n",
                 both ? "  f: {Joint: ground-Su, Coefficient: 0.2}\n" : "");
        solution *s = solve_text(text, &options);
        for (long i = 0; i < rows_of(s); i++) {
            const double t = value_of(s, i, "t"), mu = both ? 0.2 : 0.0;
            assert_near(value_of(s, i, "s"), 3.0 * t - mu * G * t * t / 2.0, 1e-11, 0.0);
            assert_near(value_of(s, i, "Tx"), 1.0 + 2.0 * t - 0.1 * G * t * t / 2.0, 1e-11, 0.0);
            assert_near(value_of(s, i, "r"), value_of(s, i, "Tx"), 1e-11, 0.0);
            assert_near(value_of(s, i, "g.N"), 3.0 * G, 1e-10, 0.0);
            if (both) assert_near(value_of(s, i, "f.N"), 2.0 * G, 1e-10, 0.0);
        }
        solution_free(s);
    }
}

/* A wheel that is set down: it slips until v0/(3 mu g), then rolls at 2 v0/3. Beside the angle that
 * tells how it rolls, there is one against another body. */
static void test_a_wheel_with_two_angles(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-12);
    const double caught = 3.0 / (3.0 * 0.1 * G);
    solution *s = solve_text(
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [1, 0], Q: [0, 9]}\n"
        "  Rigids:\n"
        "    wheel: {Elements: [C, e], Geom: [[1, 0]], Dyna: [[0], 2, 0.25]}\n"
        "    QB: {Geom: [[1]], Dyna: [[0], 1, 1]}\n"
        "AppliedForces: {Gravity: 9.81}\n"
        "Angles: {q: [wheel, QB], p: wheel}\n"
        "Contacts: {c: {Circle: [C, 0.5], On: {Line: [O, u]}, Friction: 0.1}}\n"
        "ProblemData: {tend: 3, positions: {C: [0, 0.5], p: 0, B: [1, 9]}, velocities: {Cx: 3, p: "
        "0}}\n",
        &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), slips = fmin(t, caught), spin = 0.1 * G / 0.25;
        assert_near(value_of(s, i, "Cx'"), 3.0 - 0.1 * G * slips, 1e-9, 0.0);
        assert_near(value_of(s, i, "p'"), -spin * slips, 1e-9, 0.0);
        assert_near(value_of(s, i, "q'"), spin * slips, 1e-9, 0.0);
    }
    assert_near(last_of(s, "Cx'"), 2.0, 1e-9, 0.0);
    assert_near(last_of(s, "p'"), -2.0 / 0.5, 1e-9, 0.0);
    solution_free(s);
}

/* A box of edges 2, 3 and 4 by its surface, in a file, and its mass; the same by numbers. */
static void test_a_mesh_with_a_mass(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    static const char begin[] = "Dimension: 2\n"
                                "PartData:\n"
                                "  Fixed: {O: [0, 0]}\n"
                                "  Rigids:\n"
                                "    OA: {Geom: [[1]], ",
                      end[] = "}\n"
                              "AppliedForces: {Gravity: 9.81}\n"
                              "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n";
    char mesh[600], numbers[600];
    program_write("box.obj",
                  "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nv 0 0 4\nv 2 0 4\nv 2 3 4\nv 0 3 4\n"
                  "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
                  -1);
    snprintf(mesh, sizeof mesh, "%sMesh: {File: box.obj}, Shape: {Type: mesh, Mass: 12}%s", begin,
             end);
    snprintf(numbers, sizeof numbers, "%sDyna: [[1, 1.5], 12, 12*(2^2 + 3^2)/12]%s", begin, end);
    program_write("mesh.yaml", mesh, -1);
    program_write("numbers.yaml", numbers, -1);
    solution *a = must_succeed(try_file("mesh.yaml", &options));
    solution *b = must_succeed(try_file("numbers.yaml", &options));
    assert_int_equal(rows_of(a), rows_of(b));
    for (long i = 0; i < rows_of(a); i++) {
        assert_near(value_of(a, i, "Ax"), value_of(b, i, "Ax"), 1e-11, 0.0);
        assert_near(value_of(a, i, "kinetic"), value_of(b, i, "kinetic"), 1e-10, 0.0);
        assert_near(value_of(a, i, "energy"), 12.0 * G * 1.5, 1e-10, 0.0);
    }
    assert_true(scale_of(a, "kinetic") > 10.0);
    solution_free(a);
    solution_free(b);
}

/* A study that names its method: the least of (a t - 0.7)^2 at t = 1. */
static void test_a_study_names_its_method(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml",
                  "PhysicalParams: {a: 0.3}\n"
                  "DAE: {Variables: [x], Equations: [x' - a]}\n"
                  "Outputs: {y: (x - 0.7)^2}\n"
                  "ProblemData: {tend: 1, positions: {x: 0}}\n"
                  "Study: {Variables: {a: [0, 2]}, Minimize: end(y), Method: search}\n",
                  -1);
    program_call(&r, "optimize m.yaml");
    if (r.code != 0 || !strstr(r.out, "by a search without derivatives")) fail_msg("%s", r.out);
    const char *found = strstr(r.out, "--set a=");
    assert_non_null(found);
    assert_near(strtod(found + strlen("--set a="), NULL), 0.7, 1e-4, 0.0);
    program_release(&r);
}

/* Steps and tables of parameters are numbers: a map of four corners is x + y + 2 x y in its cell,
 * goes straight on beyond it, or stays. The first gravity is a list in one formula. */
static void test_numbers_before_the_run(void **state) {
    (void)state;
    static const struct {
        const char *outside;
        double b, c;
    } way[] = {{"extend", 2.0 + 3.0 + 2.0 * 6.0, 0.5 + 4.0 + 2.0 * 2.0},
               {"hold", 1.0 + 2.0 + 2.0 * 2.0, 0.5 + 2.0 + 2.0 * 1.0}};
    const taut_run_options options = at_tolerance(1e-13);
    for (int k = 0; k < 2; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 "PhysicalParams: {p: 2.5}\n"
                 "Dimension: 2\n"
                 "PartData: {Particles: {A: floor(p)}}\n"
                 "Tables: {m: {Points: [[0, 0, 0], [0, 2, 2], [1, 0, 1], [1, 2, 7]],\n"
                 "             Between: linear, Outside: %s},\n"
                 "         f: {Points: [[0, 1], [1, 2], [3, -4]]}}\n"
                 "AppliedForces: {Gravity: \"[p/5, -p]\", Forces: {A: [1, 0]}}\n"
                 "Outputs: {n: floor(p), a: \"m(0.5, 1)\", b: \"m(2, 3)\", c: \"m(0.5, 4)\",\n"
                 "          d: f(3), e: f(0)}\n"
                 "ProblemData: {tend: 1, positions: {A: [0, 0]}}\n",
                 way[k].outside);
        solution *s = solve_text(text, &options);
        for (long i = 0; i < rows_of(s); i++) {
            const double t = value_of(s, i, "t");
            assert_near(value_of(s, i, "Ax"), (0.5 + 1.0 / 2.0) * t * t / 2.0, 1e-13, 0.0);
            assert_near(value_of(s, i, "Ay"), -2.5 * t * t / 2.0, 1e-13, 0.0);
            assert_near(value_of(s, i, "n"), 2.0, 0.0, 0.0);
            assert_near(value_of(s, i, "a"), 0.5 + 1.0 + 2.0 * 0.5, 1e-15, 0.0);
            assert_near(value_of(s, i, "d"), -4.0, 1e-15, 0.0);
            assert_near(value_of(s, i, "e"), 1.0, 1e-15, 0.0);
            assert_near(value_of(s, i, "b"), way[k].b, 1e-14, 0.0);
            assert_near(value_of(s, i, "c"), way[k].c, 1e-14, 0.0);
        }
        solution_free(s);
    }
}

/* A section without entries is filled by what is repeated. */
static void test_repeated_into_an_empty_section(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text("DAE: {Variables: [x], Equations: [x' - 1]}\n"
                             "Outputs:\n"
                             "Repeat:\n"
                             "  - i: 1..2\n"
                             "    Outputs: {'a{i}': i*x}\n"
                             "  - i: 5..5\n"
                             "    Outputs: {'a{i}': i*x}\n"
                             "ProblemData: {tend: 1, positions: {x: 2}}\n",
                             &options);
    const long last = rows_of(s) - 1;
    assert_near(value_of(s, last, "a1"), 3.0, 1e-13, 0.0);
    assert_near(value_of(s, last, "a2"), 6.0, 1e-13, 0.0);
    assert_near(value_of(s, last, "a5"), 15.0, 1e-13, 0.0);
    solution_free(s);
}

/* Two bodies on the same two points of the ground: each is told, and not that they share two. */
static void test_two_bodies_on_two_fixed_points(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_errors errors = {0};
    static const char text[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {P: [0, 0, 0], Q: [0, 2, 0]}\n"
        "  Rigids:\n"
        "    PQA: {Geom: [[0, 2, 0], [1, 1, 0]], Dyna: {Mass: 2, Inertia: [1, 2, 3]}}\n"
        "    PQB: {Geom: [[0, 2, 0], [2, 1, 0]], Dyna: {Mass: 1, Inertia: [1, 2, 3]}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 1, 0], B: [0, 1, -2]}}\n";
    taut_status status = taut_model_parse("m.yaml", text, -1, &model, &errors);
    if (status == TAUT_OK) status = taut_model_check(model, &errors);
    taut_model_free(&model);
    assert_int_equal(status, TAUT_ERR_INPUT);
    assert_int_equal(errors.count, 2);
    assert_int_equal(errors.item[0].line, 5);
    assert_int_equal(errors.item[1].line, 6);
    assert_string_equal(errors.item[0].message, "'PQA' has two fixed points, P and Q: fix one of "
                                                "them, and a vector of 'PQA' along the hinge");
    assert_string_equal(errors.item[1].message, "'PQB' has two fixed points, P and Q: fix one of "
                                                "them, and a vector of 'PQB' along the hinge");
}

/* A model from memory is in no folder. */
static void test_models_from_memory_read_no_meshes(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_errors errors = {0};
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids: {OA: {Geom: [[1]], Mesh: {File: a.stl}}}\n"
                               "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n";
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, &errors), TAUT_ERR_INPUT);
    assert_null(model);
    assert_int_equal(errors.item[0].line, 4);
    assert_int_equal(errors.item[0].column, 43);
    assert_string_equal(errors.item[0].message,
                        "a model from memory cannot read meshes: it is in no folder that their "
                        "paths could start from; read it from a file");
}

/* Derivatives of initial values have an end. */
static void test_initial_values_of_high_derivatives(void **state) {
    (void)state;
    static const char text[] = "DAE: {Variables: [x], Equations: [x' - 1]}\n"
                               "ProblemData: {tend: 1, positions: {x: 2}}\n";
    taut_model *model = NULL;
    taut_errors errors = {0};
    char name[60] = "x";
    memset(name + 1, '\'', 51);
    assert_int_equal(taut_model_parse("m.yaml", text, -1, &model, NULL), TAUT_OK);
    assert_int_equal(taut_model_check_initial(model, "x'", &errors), TAUT_OK);
    assert_int_equal(taut_model_check_initial(model, name, &errors), TAUT_ERR_CALL);
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(errors.item[0].message, ": derivatives go up to 50"));
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components_with_a_dot),
        cmocka_unit_test(test_a_motion_by_a_component),
        cmocka_unit_test(test_dissipation_against_moving_ground),
        cmocka_unit_test(test_a_weld_breaks),
        cmocka_unit_test(test_friction_of_shared_lines),
        cmocka_unit_test(test_a_wheel_with_two_angles),
        cmocka_unit_test_setup_teardown(test_a_mesh_with_a_mass, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_a_study_names_its_method, program_enter,
                                        program_leave),
        cmocka_unit_test(test_numbers_before_the_run),
        cmocka_unit_test(test_repeated_into_an_empty_section),
        cmocka_unit_test(test_two_bodies_on_two_fixed_points),
        cmocka_unit_test(test_models_from_memory_read_no_meshes),
        cmocka_unit_test(test_initial_values_of_high_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
