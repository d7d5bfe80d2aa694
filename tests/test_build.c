/* The builder has what the file format has: every key of schema.def, and shapes, inputs, stiff
 * forces, momenta, whole dampers and weightless particles do what they do in a file. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/schema.h"
#include "taut/build.h"

static const double PI = 3.14159265358979323846;
static taut_errors errors;

static taut_builder *builder(void) {
    taut_builder *b;
    errors.count = errors.dropped = 0;
    assert_int_equal(taut_builder_create("built", &b), TAUT_OK);
    return b;
}

static taut_model *finish(taut_builder **b) {
    taut_model *model;
    if (taut_builder_finish(*b, &model, &errors) != TAUT_OK)
        fail_msg("%s\n%s", taut_builder_text(*b), errors.item[0].message);
    taut_builder_free(b);
    return model;
}

/* The value of a column at time t; set: a parameter that gets a value before, NULL: none. */
static double value_at(const taut_model *model, const char *name, double t, const char *set,
                       double value) {
    taut_simulation *s;
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = 1e-12;
    assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_OK);
    if (set) assert_int_equal(taut_simulation_set_parameter(s, set, value, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_run_to(s, t, &errors), TAUT_OK);
    const double found = taut_simulation_now(s, name);
    taut_simulation_free(&s);
    return found;
}

/* ---- every key ---- */

static const taut_shape_spec EVERY_SHAPE = {"box", "1", "2", "[0]", "[1, 1, 1]",
                                            "1",   "1", "x", "1"};
static const taut_body_spec EVERY_BODY = {"A, B",       "[1]", "[0]",          "1", "1", 1,
                                          &EVERY_SHAPE, "A",   "[[1], [0, 1]]"};
static const taut_link_spec EVERY_LINK = {"A, B", "1", "1", "1", "1", 1};
static const taut_torsion_spec EVERY_TORSION = {"phi", "A, B", "1", "1", "1"};
static const taut_bushing_spec EVERY_BUSHING = {"A, B", "a, b", "1", "1", "1", "1"};

static void add_joints(taut_builder *b) {
    static const char *const type[] = {"distance", "screw", "gear", "rack"};
    for (int i = 0; i < 4; i++)
        taut_builder_joint(b, type[i],
                           &(taut_joint_spec){type[i], "A, B", "u, v", "a, b", "x, y", "phi", "s",
                                              "phi, psi", "1", "0", "[z, z]", "z", 1});
}

static const taut_step_spec EVERY_STEP[] = {{"psi", "[0, 0, 1]", NULL, NULL},
                                            {"r", NULL, "[1]", "[0]"}};
static const taut_chain_spec EVERY_CHAIN = {"A, B", "u, v", "m, n", EVERY_STEP, 2};

static void add_parts(taut_builder *b) {
    taut_builder_dimension(b, 2);
    taut_builder_fixed(b, "O", "[0, 0]");
    taut_builder_body(b, "AB", &EVERY_BODY);
    taut_builder_link(b, "AB", &(taut_link_spec){.stiffness = "1"});
    taut_builder_link(b, "BC", &(taut_link_spec){.damping = "1"});
    taut_builder_link(b, "CD", &EVERY_LINK);
    taut_builder_particle(b, "P", "1");
    taut_builder_collinear(b, "AvB", "s");
    add_joints(b);
    taut_builder_chain(b, "hip", &EVERY_CHAIN);
    taut_builder_torsion(b, "coil", &EVERY_TORSION);
    taut_builder_torsion(b, "oil", &(taut_torsion_spec){.angle = "phi", .damping = "1"});
    taut_builder_bushing(b, "mount", &EVERY_BUSHING);
    taut_builder_armature(b, "phi", "1");
    taut_builder_point(b, "M", "A");
    taut_builder_angle(b, "phi", "AB", NULL);
    taut_builder_driver(b, "phi", "t");
}

static void add_loads(taut_builder *b) {
    taut_builder_gravity(b, NULL);
    taut_builder_force(b, "A", "[1, 0]");
    taut_builder_torque(b, "AB", "1");
    taut_builder_drag(b, "A", "1");
    taut_builder_dissipation(b, "Ax'^2");
}

static const taut_override ACTION = {"c", "c + 1"};
static const taut_controller_spec EVERY_CONTROLLER = {.every = "1",
                                                      .offset = "0",
                                                      .state = &(taut_override){"z", "0"},
                                                      .states = 1,
                                                      .next = &(taut_override){"z", "z + 1"},
                                                      .nexts = 1,
                                                      .out = &(taut_override){"u", "z"},
                                                      .outs = 1};
static const taut_contact_spec EVERY_CONTACT = {
    "x", "A",   "A",   "[A, 1]", "[A, 1]", "[O, u]", "[O, n]", "[C, 1]", "[C, 1]", 1,
    "y", "0.5", "0.3", "0.4",    "1",      "1",      "depth",  "y",      "y"};
static const taut_limit_spec EVERY_LIMIT = {"0", "1", "0.5", "1", "1", "depth"};
static const taut_friction_spec EVERY_FRICTION = {"x", "1", "2", "pin", "0.1", "0.01", "0.2"};
static const taut_lock_spec EVERY_LOCK = {"x", "x > 0", "2"};
static const taut_break_spec EVERY_BREAK = {"pin", "phi", "t > 1", "t > 2"};
static const taut_event_spec EVERY_EVENT = {"x", "up", &ACTION, 1, 1, 1, 1};

static const double SAMPLE[] = {0.0, 1.0, 2.0, 3.0};
static const taut_table_spec EVERY_TABLE = {SAMPLE, 2, 2, "spline", 0.0, "hold"};

/* What all kinds have. */
static void add_common(taut_builder *b) {
    taut_builder_number(b, "n", 1.0);
    taut_builder_input(b, "f", "1");
    taut_builder_discrete(b, "c", "1");
    taut_builder_event(b, "e", &EVERY_EVENT);
    taut_builder_controller(b, "c", &EVERY_CONTROLLER);
    taut_builder_actuator(b, "u", "2");
    taut_builder_motion(b, "x", "1");
    taut_builder_trim_free(b, "u");
    taut_builder_trim_want(b, "x", "1");
    taut_builder_trim_steady(b, "x'", "1");
    taut_builder_study(b, "Minimize", "end(x)");
    taut_builder_study(b, "Maximize", "end(x)");
    taut_builder_study(b, "Starts", "2");
    taut_builder_study(b, "Method", "auto");
    taut_builder_study(b, "Loss", "huber");
    taut_builder_study(b, "Shooting", "3");
    taut_builder_study_variable(b, "u", "[1, 2, log]");
    taut_builder_study_limit(b, "low", "end(x) <= 1");
    taut_builder_study_weight(b, "x", "0.1");
    taut_builder_study_bias(b, "x");
    taut_builder_study_state(b, "x");
    taut_builder_experiment(b, "first", "d.csv", (const char *const[]){"u", "1", NULL});
    taut_builder_table(b, "table", &EVERY_TABLE);
    taut_builder_contact(b, "floor", &EVERY_CONTACT);
    taut_builder_limit(b, "x", &EVERY_LIMIT);
    taut_builder_friction(b, "rub", &EVERY_FRICTION);
    taut_builder_impact(b, "poisson");
    taut_builder_lock(b, "brake", &EVERY_LOCK);
    taut_builder_break(b, "hook", &EVERY_BREAK);
    taut_builder_define(b, "d", "1");
    taut_builder_output(b, "o", "1");
    taut_builder_variable(b, "x", 1);
    taut_builder_equation(b, NULL, "x");
    taut_builder_constraint(b, NULL, "1");
    taut_builder_velocity_constraint(b, NULL, "1");
    taut_builder_stiff(b, "s", "1");
    taut_builder_force(b, "x", "1");
    taut_builder_span(b, 0.0, 1.0);
    taut_builder_max_step(b, 0.1);
    taut_builder_position(b, "x", "1");
    taut_builder_velocity(b, "x", "1");
    taut_builder_initial_momentum(b, "p", "1");
    taut_builder_value(b, "x", "1");
    taut_builder_fix_position(b, "x");
    taut_builder_fix_velocity(b, "x");
}

/* All calls that have to do with a section, whether or not they make a model together. */
static void fill(taut_builder *b, taut_section section) {
    switch (section) {
    case TAUT_SECTION_TOP: /* and the kinds, one after the other */
    case TAUT_SECTION_LAGRANGIAN:
        taut_builder_coordinate(b, "q", 1);
        taut_builder_lagrangian(b, "1");
        taut_builder_dissipation(b, "1");
        add_common(b);
        break;
    case TAUT_SECTION_HAMILTONIAN:
        taut_builder_coordinate(b, "q", 1);
        taut_builder_momentum(b, "p", 1);
        taut_builder_hamiltonian(b, "1");
        add_common(b);
        break;
    case TAUT_SECTION_DAE:
    case TAUT_SECTION_EVENT:
    case TAUT_SECTION_CONTROLLER:
    case TAUT_SECTION_INVERSE:
    case TAUT_SECTION_TRIM:
    case TAUT_SECTION_STUDY:
    case TAUT_SECTION_EXPERIMENT:
    case TAUT_SECTION_TABLE:
    case TAUT_SECTION_CONTACT:
    case TAUT_SECTION_SURFACE:
    case TAUT_SECTION_LIMIT:
    case TAUT_SECTION_FRICTION:
    case TAUT_SECTION_LOCK:
    case TAUT_SECTION_BREAK:
    case TAUT_SECTION_PROBLEM: add_common(b); break;
    case TAUT_SECTION_PARTS: add_parts(b); break;
    case TAUT_SECTION_BODY:
    case TAUT_SECTION_DYNAMICS:
    case TAUT_SECTION_SHAPE: taut_builder_body(b, "AB", &EVERY_BODY); break;
    case TAUT_SECTION_LINK: taut_builder_link(b, "AB", &EVERY_LINK); break;
    case TAUT_SECTION_LINE: taut_builder_collinear(b, "A, v, B", "s"); break;
    case TAUT_SECTION_JOINT: add_joints(b); break;
    case TAUT_SECTION_CHAIN:
    case TAUT_SECTION_STEP: taut_builder_chain(b, "hip", &EVERY_CHAIN); break;
    case TAUT_SECTION_PARTICLE: taut_builder_weightless_particle(b, "A", "1"); break;
    case TAUT_SECTION_TORSION: taut_builder_torsion(b, "coil", &EVERY_TORSION); break;
    case TAUT_SECTION_BUSHING: taut_builder_bushing(b, "mount", &EVERY_BUSHING); break;
    case TAUT_SECTION_LOAD: taut_builder_force_between(b, "rope", "A", "B", "1"); break;
    case TAUT_SECTION_FORCES: add_loads(b); break;
    case TAUT_SECTION_ANGLE: taut_builder_angle(b, "phi", "[u, v]", "w"); break;
    default: break;
    }
}

static bool has_key(const char *text, const char *key) {
    const size_t n = strlen(key);
    for (const char *p = strstr(text, key); p; p = strstr(p + 1, key))
        if (p[n] == ':' && (p == text || strchr("\n {", p[-1]))) return true;
    return false;
}

/* Where a key is, if not in its own section: the top level has those of all kinds. */
static bool is_found(taut_section section, const char *key) {
    static const taut_section others[] = {TAUT_SECTION_DAE, TAUT_SECTION_HAMILTONIAN,
                                          TAUT_SECTION_PARTS, TAUT_SECTION_FORCES};
    bool found = false;
    const int count = section == TAUT_SECTION_TOP ? (int)(sizeof others / sizeof *others) : 0;
    for (int i = -1; i < count && !found; i++) {
        taut_builder *b = builder();
        fill(b, i < 0 ? section : others[i]);
        found = has_key(taut_builder_text(b), key);
        taut_builder_free(&b);
    }
    return found;
}

static void test_every_key_of_a_file_can_be_built(void **state) {
    (void)state;
    static const struct {
        taut_section section;
        const char *key;
    } row[] = {
#define TAUT_KEY(section, key, type, below, quantity, doc) {TAUT_SECTION_##section, #key},
#include "model/schema.def"
#undef TAUT_KEY
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        /* a model in memory is in no folder that files could be included or read from */
        if (row[i].section == TAUT_SECTION_INCLUDE || strcmp(row[i].key, "Include") == 0) continue;
        if (row[i].section == TAUT_SECTION_MESH || strcmp(row[i].key, "Mesh") == 0) continue;
        if (row[i].section == TAUT_SECTION_TABLE &&
            (strcmp(row[i].key, "File") == 0 || strcmp(row[i].key, "Columns") == 0))
            continue;
        if (!is_found(row[i].section, row[i].key))
            fail_msg("the builder has no call for '%s' of section %d", row[i].key,
                     (int)row[i].section);
    }
}

/* ---- what they do ---- */

static const taut_body *body_of(const taut_model *model) { return &model->mechanism->body[0]; }

static double number(const taut_model *model, taut_node node) {
    return taut_node_get(model->graph, node)->value;
}

static taut_model *body_with(int dimension, const taut_shape_spec *shape) {
    taut_builder *b = builder();
    taut_builder_dimension(b, dimension);
    taut_builder_number(b, "rho", 2700.0);
    taut_builder_fixed(b, "O", dimension == 2 ? "[0, 0]" : "[0, 0, 0]");
    taut_builder_body(b, "OAu", &(taut_body_spec){.geometry = "[2], [0, 1]", .shape = shape});
    return finish(&b);
}

static void test_built_shapes_give_mass_properties(void **state) {
    (void)state;
    taut_model *model =
        body_with(2, &(taut_shape_spec){.type = "rod", .density = "rho", .area = "100 mm^2"});
    const double mass = 2700.0 * 2.0 * 1e-4;
    assert_near(number(model, body_of(model)->mass), mass, 0.0, 1e-14);
    assert_near(number(model, body_of(model)->centroid.c[0]), 1.0, 0.0, 1e-14);
    assert_near(number(model, body_of(model)->inertia[0][0]), mass * 4.0 / 12.0, 0.0, 1e-14);
    taut_model_free(&model);
    model =
        body_with(3, &(taut_shape_spec){
                         .type = "box", .mass = "12", .size = "[2, 3, 4]", .centre = "[1, 2, 3]"});
    assert_near(number(model, body_of(model)->inertia[0][0]), 25.0, 0.0, 1e-14);
    assert_near(number(model, body_of(model)->inertia[2][2]), 13.0, 0.0, 1e-14);
    assert_near(number(model, body_of(model)->centroid.c[2]), 3.0, 0.0, 1e-14);
    taut_model_free(&model);
    model = body_with(3, &(taut_shape_spec){.type = "cylinder",
                                            .density = "rho",
                                            .radius = "0.1",
                                            .length = "0.5",
                                            .axis = "[0, 0, 1]"});
    const double cylinder = 2700.0 * PI * 0.01 * 0.5;
    assert_near(number(model, body_of(model)->mass), cylinder, 0.0, 1e-14);
    assert_near(number(model, body_of(model)->inertia[2][2]), cylinder * 0.005, 0.0, 1e-13);
    taut_model_free(&model);
    model = body_with(3, &(taut_shape_spec){.type = "sphere", .mass = "5", .radius = "0.2"});
    assert_near(number(model, body_of(model)->inertia[1][1]), 0.08, 0.0, 1e-14);
    taut_model_free(&model);
}

/* A rod from rest, level, about its end: the tip begins to fall at 3/2 g. */
static void test_built_rod_falls(void **state) {
    (void)state;
    taut_builder *b = builder();
    taut_builder_dimension(b, 2);
    taut_builder_fixed(b, "O", "[0, 0]");
    taut_builder_body(b, "OA",
                      &(taut_body_spec){.geometry = "[2]",
                                        .shape = &(taut_shape_spec){.type = "rod", .mass = "7"}});
    taut_builder_gravity(b, NULL);
    taut_builder_position(b, "A", "[2, 0]");
    taut_builder_span(b, 0.0, 1.0);
    taut_model *model = finish(&b);
    const double t = 1e-3, fallen = 0.5 * 1.5 * 9.81 * t * t;
    assert_near(value_at(model, "Ay", t, NULL, 0.0), -fallen, 0.0, 1e-6);
    taut_model_free(&model);
}

static void test_built_shape_and_mass_contradict_each_other(void **state) {
    (void)state;
    static const taut_shape_spec rod = {.type = "rod", .mass = "1"};
    taut_model *model;
    taut_builder *b = builder();
    taut_builder_dimension(b, 2);
    taut_builder_fixed(b, "O", "[0, 0]");
    taut_builder_body(b, "OA", &(taut_body_spec){.geometry = "[2]", .mass = "1", .shape = &rod});
    assert_int_equal(taut_builder_finish(b, &model, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "Shape"));
    taut_builder_free(&b);
}

static void test_built_input_is_a_number_from_outside(void **state) {
    (void)state;
    taut_builder *b = builder();
    taut_builder_input(b, "speed", "3");
    taut_builder_variable(b, "x", 1);
    taut_builder_equation(b, NULL, "x' - speed");
    taut_builder_position(b, "x", "1");
    taut_builder_span(b, 0.0, 2.0);
    taut_model *model = finish(&b);
    assert_near(value_at(model, "x", 2.0, NULL, 0.0), 7.0, 0.0, 1e-12);
    assert_near(value_at(model, "x", 2.0, "speed", 5.0), 11.0, 0.0, 1e-12);
    taut_model_free(&model);
}

/* x' = -K (x - cos t) with K = 1e4, on its smooth solution (K^2 cos t + K sin t)/(K^2 + 1). */
static void test_built_stiff_force_is_an_unknown(void **state) {
    (void)state;
    const double K = 1e4, t = 1.5;
    taut_builder *b = builder();
    taut_builder_number(b, "K", K);
    taut_builder_variable(b, "x", 1);
    taut_builder_equation(b, NULL, "x' + f");
    taut_builder_stiff(b, "f", "K*(x - cos(t))");
    taut_builder_position(b, "x", "K^2/(K^2 + 1)");
    taut_builder_span(b, 0.0, 2.0);
    taut_model *model = finish(&b);
    const double x = (K * K * cos(t) + K * sin(t)) / (K * K + 1.0);
    assert_near(value_at(model, "x", t, NULL, 0.0), x, 1e-10, 0.0);
    assert_near(value_at(model, "f", t, NULL, 0.0), K * (x - cos(t)), 1e-7, 0.0);
    taut_model_free(&model);
}

static void test_built_momentum_starts_a_motion(void **state) {
    (void)state;
    taut_builder *b = builder();
    taut_builder_coordinate(b, "x", 1);
    taut_builder_hamiltonian(b, "p_x^2/2 + 2*x^2");
    taut_builder_position(b, "x", "0");
    taut_builder_initial_momentum(b, "p_x", "6");
    taut_builder_span(b, 0.0, 2.0);
    taut_model *model = finish(&b);
    assert_near(value_at(model, "x", 2.0, NULL, 0.0), 3.0 * sin(4.0), 1e-10, 0.0);
    taut_model_free(&model);
}

/* A weightless particle in a full damper, moving across its line: v' = -c v/m. The other falls. */
static void test_built_full_damper_and_weightless_particle(void **state) {
    (void)state;
    taut_builder *b = builder();
    taut_builder_dimension(b, 2);
    taut_builder_fixed(b, "O", "[0, 0]");
    taut_builder_weightless_particle(b, "P", "2");
    taut_builder_particle(b, "Q", "2");
    taut_builder_link(b, "OP", &(taut_link_spec){.damping = "4", .full = 1});
    taut_builder_gravity(b, "10");
    taut_builder_position(b, "P", "[1, 0]");
    taut_builder_position(b, "Q", "[0, 0]");
    taut_builder_velocity(b, "P", "[0, 3]");
    taut_builder_span(b, 0.0, 1.0);
    taut_model *model = finish(&b);
    assert_near(value_at(model, "Py", 1.0, NULL, 0.0), 1.5 * (1.0 - exp(-2.0)), 0.0, 1e-10);
    assert_near(value_at(model, "Px", 1.0, NULL, 0.0), 1.0, 0.0, 1e-12);
    assert_near(value_at(model, "Qy", 1.0, NULL, 0.0), -5.0, 0.0, 1e-12);
    taut_model_free(&model);
}

/* x' = f(t) + g(t, t), f a line that is held and g a plane; and the same by a fit. */
static void test_built_tables(void **state) {
    (void)state;
    const double line[] = {0.0, 1.0, 0.5, 2.0}, plane[] = {0, 0, 1, 0, 9, 10, 9, 0, 1, 9, 9, 10};
    for (int fit = 0; fit < 2; fit++) {
        taut_builder *b = builder();
        taut_builder_table(b, "f",
                           &(taut_table_spec){.sample = line,
                                              .samples = 2,
                                              .width = 2,
                                              .fit = fit ? 1e-6 : 0.0,
                                              .outside = "hold"});
        taut_builder_table(
            b, "g",
            &(taut_table_spec){.sample = plane, .samples = 4, .width = 3, .between = "linear"});
        taut_builder_variable(b, "x", 1);
        taut_builder_equation(b, NULL, "x' - f(t) - g(t, t)");
        taut_builder_value(b, "x", "0");
        taut_builder_span(b, 0.0, 2.0);
        taut_model *model = finish(&b);
        assert_near(value_at(model, "x", 2.0, NULL, 0.0), 0.75 + 3.0 + 2.0 + 2.0, 1e-12, 0.0);
        taut_model_free(&model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_key_of_a_file_can_be_built),
        cmocka_unit_test(test_built_shapes_give_mass_properties),
        cmocka_unit_test(test_built_rod_falls),
        cmocka_unit_test(test_built_shape_and_mass_contradict_each_other),
        cmocka_unit_test(test_built_input_is_a_number_from_outside),
        cmocka_unit_test(test_built_stiff_force_is_an_unknown),
        cmocka_unit_test(test_built_momentum_starts_a_motion),
        cmocka_unit_test(test_built_full_damper_and_weightless_particle),
        cmocka_unit_test(test_built_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
