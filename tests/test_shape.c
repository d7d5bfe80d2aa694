/* Shapes give mass, centroid and inertia: against closed forms, and against the same body by Dyna.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "program.h"

static const double PI = 3.14159265358979323846;

typedef struct properties {
    double mass, centroid[3], J[3][3];
    bool thin;
} properties;

/* What the reader made of the first body. */
static properties read_body(int dimension, const char *body) {
    static taut_errors errors;
    taut_model *model;
    properties p = {0};
    char text[1000];
    snprintf(text, sizeof text,
             "PhysicalParams: {rho: 2700, r: 0.05}\nDimension: %d\nPartData: {Fixed: {O: [0, 0]},\n"
             "  Rigids: {%s}}\n",
             dimension, body);
    errors.count = errors.dropped = 0;
    if (taut_model_parse("text", text, -1, &model, &errors) != TAUT_OK)
        fail_msg("%s: %s", body, errors.item[0].message);
    const taut_body *b = &model->mechanism->body[0];
    p.mass = taut_node_get(model->graph, b->mass)->value;
    p.thin = b->thin;
    for (int i = 0; i < dimension; i++)
        p.centroid[i] = taut_node_get(model->graph, b->centroid.c[i])->value;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            p.J[i][k] = taut_node_get(model->graph, b->inertia[i][k])->value;
    taut_model_free(&model);
    return p;
}

static void test_rod_is_thin(void **state) {
    (void)state;
    properties p = read_body(2, "OA: {Geom: [[3, 4]], Shape: {Type: rod, Mass: 6 kg}}");
    assert_near(p.mass, 6.0, 0.0, 1e-14);
    assert_near(p.centroid[0], 1.5, 0.0, 1e-14);
    assert_near(p.centroid[1], 2.0, 0.0, 1e-14);
    assert_near(p.J[0][0], 6.0 * 25.0 / 12.0, 0.0, 1e-14);
    p = read_body(2, "OA: {Geom: [[2]], Shape: {Type: rod, Density: rho, Area: 100 mm^2}}");
    assert_near(p.mass, 2700.0 * 1e-4 * 2.0, 0.0, 1e-14);
    assert_near(p.J[0][0], p.mass * 4.0 / 12.0, 0.0, 1e-14);
    p = read_body(3, "OA: {Geom: [[2]], Shape: {Type: rod, Mass: 6}}");
    assert_true(p.thin);
    assert_near(p.J[0][0], 2.0, 0.0, 1e-14);
    /* with a frame: nothing about its own axis, d = (0.6, 0.8, 0) */
    p = read_body(3, "OAu: {Geom: [[3, 4], [0, 0, 1]], Shape: {Type: rod, Mass: 6}}");
    assert_false(p.thin);
    assert_near(p.J[0][0], 12.5 * (1.0 - 0.36), 0.0, 1e-14);
    assert_near(p.J[0][1], -12.5 * 0.48, 0.0, 1e-14);
    assert_near(p.J[1][1], 12.5 * (1.0 - 0.64), 0.0, 1e-14);
    assert_near(p.J[2][2], 12.5, 0.0, 1e-14);
    assert_near(p.J[0][2], 0.0, 1e-15, 0.0);
}

static void test_box_has_edges(void **state) {
    (void)state;
    properties p = read_body(2, "OA: {Geom: [[2]], Shape: {Type: box, Size: [2, 1], Mass: 12}}");
    assert_near(p.J[0][0], 5.0, 0.0, 1e-14);
    assert_near(p.centroid[0], 1.0, 0.0, 1e-14);
    p = read_body(2, "OA: {Geom: [[2]], Shape: {Type: box, Size: [2, 1, 20 mm], Density: rho}}");
    assert_near(p.mass, 2700.0 * 2.0 * 1.0 * 0.02, 0.0, 1e-14);
    p = read_body(3, "OAu: {Geom: [[2], [0, 1]], Shape: {Type: box, Size: [2, 3, 4], Mass: 12, "
                     "Centre: [1, 2, 3]}}");
    assert_near(p.J[0][0], 9.0 + 16.0, 0.0, 1e-14);
    assert_near(p.J[1][1], 4.0 + 16.0, 0.0, 1e-14);
    assert_near(p.J[2][2], 4.0 + 9.0, 0.0, 1e-14);
    assert_near(p.J[0][1], 0.0, 0.0, 1e-14);
    assert_near(p.centroid[2], 3.0, 0.0, 1e-14);
}

static void test_cylinder_has_an_axis(void **state) {
    (void)state;
    properties p = read_body(2, "OA: {Geom: [[2]], Shape: {Type: cylinder, Radius: 0.5, Mass: 8}}");
    assert_near(p.J[0][0], 1.0, 0.0, 1e-14); /* a disc */
    p = read_body(2, "OA: {Geom: [[2]], Shape: {Type: cylinder, Radius: r, Length: 2, Axis: [1], "
                     "Density: rho}}");
    const double m = 2700.0 * PI * 0.0025 * 2.0;
    assert_near(p.mass, m, 0.0, 1e-14);
    assert_near(p.J[0][0], m * (3.0 * 0.0025 + 4.0) / 12.0, 0.0, 1e-14);
    p = read_body(3, "OAu: {Geom: [[2], [0, 1]], Shape: {Type: cylinder, Radius: r, Length: 2, "
                     "Density: rho}}");
    assert_near(p.J[0][0], m * 0.0025 / 2.0, 0.0, 1e-14);
    assert_near(p.J[1][1], m * (3.0 * 0.0025 + 4.0) / 12.0, 0.0, 1e-14);
    /* tilted: the moments about d and across it */
    p = read_body(3, "OAu: {Geom: [[2], [0, 1]], Shape: {Type: cylinder, Radius: 0.3, Length: 2, "
                     "Axis: [1, 2, 2], Mass: 9}}");
    const double d[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    double along = 0.0, trace = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) along += d[i] * p.J[i][k] * d[k];
    for (int i = 0; i < 3; i++) trace += p.J[i][i];
    assert_near(along, 9.0 * 0.09 / 2.0, 0.0, 1e-13);
    assert_near(trace, along + 2.0 * 9.0 * (3.0 * 0.09 + 4.0) / 12.0, 0.0, 1e-13);
    assert_near(p.J[0][1], p.J[1][0], 0.0, 1e-14);
}

static void test_sphere_is_round(void **state) {
    (void)state;
    properties p = read_body(2, "OA: {Geom: [[2]], Shape: {Type: sphere, Radius: 0.5, Mass: 10}}");
    assert_near(p.J[0][0], 1.0, 0.0, 1e-14);
    p = read_body(3, "Ouv: {Geom: [[1], [0, 1]], Shape: {Type: sphere, Radius: r, Density: rho}}");
    assert_near(p.mass, 2700.0 * 4.0 / 3.0 * PI * 1.25e-4, 0.0, 1e-14);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_near(p.J[i][k], i == k ? 0.4 * p.mass * 0.0025 : 0.0, 0.0, 1e-14);
    assert_near(p.centroid[0], 0.0, 0.0, 1e-14); /* the second element is a vector */
}

/* Beside Dyna a shape is only what is drawn. */
static void test_shape_beside_numbers_has_no_mass(void **state) {
    (void)state;
    const properties p = read_body(3, "Ouv: {Geom: [[1], [0, 1]], Dyna: [[0.1], 2, [3, 4, 5]], "
                                      "Shape: {Type: cylinder, Radius: 7, Length: 0.1}}");
    assert_near(p.mass, 2.0, 0.0, 0.0);
    assert_near(p.centroid[0], 0.1, 0.0, 0.0);
    for (int i = 0; i < 3; i++) assert_near(p.J[i][i], 3.0 + i, 0.0, 0.0);
}

/* A motion with shapes is that with the same numbers. */
static void test_motion_is_that_of_the_numbers(void **state) {
    (void)state;
    static const char form[] =
        "Dimension: 2\nPhysicalParams: {l: 2, m: 3}\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
        "    OA: {Geom: [[l]], %s}\n    AB: {Geom: [[l]], %s}\nAppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 1, positions: {A: [2, 0], B: [4, 0]}}\n";
    program_result a, b;
    char text[1000];
    snprintf(text, sizeof text, form, "Shape: {Type: rod, Mass: m}", "Shape: {Type: rod, Mass: m}");
    program_write("shape.yaml", text, -1);
    snprintf(text, sizeof text, form, "Dyna: [[l/2], m, m*l^2/12]", "Dyna: [[l/2], m, m*l^2/12]");
    program_write("dyna.yaml", text, -1);
    program_call(&a, "run shape.yaml --quiet -o - --at 1 --digits 12");
    program_call(&b, "run dyna.yaml --quiet -o - --at 1 --digits 12");
    if (a.code || b.code) fail_msg("%s%s", a.err, b.err);
    assert_true(strlen(a.out) > 100);
    assert_string_equal(a.out, b.out);
    program_release(&a);
    program_release(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rod_is_thin),
        cmocka_unit_test(test_box_has_edges),
        cmocka_unit_test(test_cylinder_has_an_axis),
        cmocka_unit_test(test_sphere_is_round),
        cmocka_unit_test(test_shape_beside_numbers_has_no_mass),
        cmocka_unit_test_setup_teardown(test_motion_is_that_of_the_numbers, program_enter,
                                        program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
