/* Meshes: the two kinds of STL and OBJ are the same surface; volume integrals of a box are exact,
 * of a sphere those of its polyhedron, which goes to the sphere with the square of the edge; what
 * is wrong gets a message. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/mesh.h"
#include "core/text.h"
#include "program.h"
#include "taut/taut.h"

#define PI 3.14159265358979323846

static taut_errors errors;

static taut_mesh *parse(const char *name, const char *bytes, long length) {
    taut_mesh *mesh = NULL;
    errors.count = 0;
    assert_int_equal(taut_mesh_parse(name, bytes, length, &mesh, &errors), TAUT_OK);
    assert_non_null(mesh);
    return mesh;
}

/* Corners of a box with edges 2, 3, 4 about (1, 2, 3), and its faces, seen from outside. */
static const double BOX[8][3] = {{0, 0.5, 1}, {2, 0.5, 1}, {2, 3.5, 1}, {0, 3.5, 1},
                                 {0, 0.5, 5}, {2, 0.5, 5}, {2, 3.5, 5}, {0, 3.5, 5}};
static const int FACE[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static taut_string box_as_obj(void) {
    taut_string s = {0};
    taut_string_add(&s, "# a box\nvn 0 0 1\n");
    for (int i = 0; i < 8; i++)
        taut_string_add(&s, "v %g %g %g\r\n", BOX[i][0], BOX[i][1], BOX[i][2]);
    for (int i = 0; i < 6; i++)
        taut_string_add(&s, "f %d//1 %d//1 %d %d\n", FACE[i][0] + 1, FACE[i][1] + 1, FACE[i][2] - 8,
                        FACE[i][3] + 1);
    return s;
}

static taut_string box_as_text(void) {
    taut_string s = {0};
    taut_string_add(&s, "solid box\n");
    for (int i = 0; i < 12; i++) {
        taut_string_add(&s, "  facet normal 0 0 0\n    outer loop\n");
        for (int k = 0; k < 3; k++) {
            const int half = i % 2;
            const double *x = BOX[FACE[i / 2][k == 0 ? 0 : k + half]];
            taut_string_add(&s, "      vertex %.9e %.9e %.9e\n", x[0], x[1], x[2]);
        }
        taut_string_add(&s, "    endloop\n  endfacet\n");
    }
    taut_string_add(&s, "endsolid box\n");
    return s;
}

/* Binary, with a head that begins with "solid" as some programs write it. */
static char *box_as_binary(long *length) {
    char *bytes = calloc(1, 84 + 50 * 12 + 1);
    const unsigned count = 12;
    assert_non_null(bytes);
    memcpy(bytes, "solid", 5);
    memcpy(bytes + 80, &count, 4);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) {
                const float x = (float)BOX[FACE[i / 2][k == 0 ? 0 : k + i % 2]][c];
                memcpy(bytes + 84 + 50 * i + 12 + 12 * k + 4 * c, &x, 4);
            }
    *length = 84 + 50 * 12;
    return bytes;
}

static void check_box(const taut_mesh *m) {
    assert_int_equal(m->corners, 8);
    assert_int_equal(m->triangles, 12);
    assert_int_equal(taut_mesh_open_edges(m), 0);
    const taut_mesh_moments x = taut_mesh_integrate(m);
    assert_near(x.volume, 24.0, 0.0, 1e-14);
    for (int i = 0; i < 3; i++) {
        static const double moment[3] = {24.0 * (9 + 16) / 12, 24.0 * (4 + 16) / 12,
                                         24.0 * (4 + 9) / 12};
        assert_near(x.centroid[i], i + 1.0, 0.0, 1e-14);
        for (int k = 0; k < 3; k++)
            assert_near(x.inertia[i][k], i == k ? moment[i] : 0.0, 1e-13, 1e-14);
    }
}

static void test_every_kind_of_file_is_the_same_box(void **state) {
    (void)state;
    taut_string text = box_as_text(), obj = box_as_obj();
    long length;
    char *binary = box_as_binary(&length);
    taut_mesh *m[3] = {parse("a.stl", text.text, (long)text.length),
                       parse("b.OBJ", obj.text, (long)obj.length), parse("c.stl", binary, length)};
    for (int i = 0; i < 3; i++) {
        check_box(m[i]);
        taut_mesh_free(&m[i]);
    }
    free(binary);
    taut_string_release(&text);
    taut_string_release(&obj);
}

/* A box in other axes; each facet has corners of its own, moved by up to `off` in ways of their
 * own, which are then written with so many digits. */
static taut_string loose_box(double off, int digits) {
    const double c = cos(0.3), d = sin(0.3);
    taut_string s = {0};
    taut_string_add(&s, "solid box\n");
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++) {
            const double *x = BOX[FACE[i / 2][k == 0 ? 0 : k + i % 2]];
            const double move = off * sin(7.0 * i + 3.0 * k);
            taut_string_add(&s, "vertex %.*g %.*g %.*g\n", digits, c * x[0] - d * x[1] + move,
                            digits, d * x[0] + c * x[1] - move, digits, x[2] + 0.5 * move);
        }
    taut_string_add(&s, "endsolid box\n");
    return s;
}

/* The same corner may be written as 0 here and as -7e-14 there; gaps that can be seen stay. */
static void test_corners_that_rounding_parts_are_one(void **state) {
    (void)state;
    static const struct {
        double off;
        int digits;
        bool closed;
    } way[] = {
        {0.0, 17, true}, {1e-13, 17, true}, {4e-7, 17, true}, {1e-8, 6, true}, {1e-4, 17, false}};
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        taut_string text = loose_box(way[i].off, way[i].digits);
        taut_mesh *m = parse("a.stl", text.text, (long)text.length);
        assert_true(way[i].closed == (taut_mesh_open_edges(m) == 0));
        if (way[i].closed) {
            assert_int_equal(m->corners, 8);
            assert_near(taut_mesh_integrate(m).volume, 24.0, 0.0, 1e-5);
        }
        taut_mesh_free(&m);
        taut_string_release(&text);
    }
}

/* A thin plate on a large one: details of a millionth of the size are no rounding. */
static void test_details_stay(void **state) {
    (void)state;
    taut_string s = {0};
    for (int i = 0; i < 8; i++)
        taut_string_add(&s, "v %.17g %.17g %.17g\n", 1e3 * (i == 1 || i == 2 || i == 5 || i == 6),
                        1e3 * (i % 4 > 1), 1e-3 * (i > 3));
    for (int i = 0; i < 6; i++)
        taut_string_add(&s, "f %d %d %d %d\n", FACE[i][0] + 1, FACE[i][1] + 1, FACE[i][2] + 1,
                        FACE[i][3] + 1);
    taut_mesh *m = parse("a.obj", s.text, (long)s.length);
    assert_int_equal(m->corners, 8);
    assert_int_equal(taut_mesh_open_edges(m), 0);
    assert_near(taut_mesh_integrate(m).volume, 1e3, 0.0, 1e-10);
    taut_mesh_free(&m);
    taut_string_release(&s);
}

/* Latitudes and longitudes; n corners around. */
static taut_string sphere_as_obj(int n, double r) {
    taut_string s = {0};
    taut_string_add(&s, "v 0 0 %.17g\n", r);
    for (int i = 1; i < n; i++)
        for (int k = 0; k < 2 * n; k++)
            taut_string_add(&s, "v %.17g %.17g %.17g\n", r * sin(PI * i / n) * cos(PI * k / n),
                            r * sin(PI * i / n) * sin(PI * k / n), r * cos(PI * i / n));
    taut_string_add(&s, "v 0 0 %.17g\n", -r);
    const int w = 2 * n, last = 2 + (n - 1) * w;
    for (int k = 0; k < w; k++) {
        taut_string_add(&s, "f 1 %d %d\n", 2 + k, 2 + (k + 1) % w);
        for (int i = 1; i < n - 1; i++) {
            const int a = 2 + (i - 1) * w;
            taut_string_add(&s, "f %d %d %d %d\n", a + k, a + w + k, a + w + (k + 1) % w,
                            a + (k + 1) % w);
        }
        taut_string_add(&s, "f %d %d %d\n", last, 2 + (n - 2) * w + (k + 1) % w,
                        2 + (n - 2) * w + k);
    }
    return s;
}

static void test_sphere_is_approached_with_the_square_of_the_edge(void **state) {
    (void)state;
    const double r = 0.3, volume = 4.0 / 3.0 * PI * r * r * r, moment = 0.4 * volume * r * r;
    double before[2] = {0};
    for (int n = 16; n <= 64; n *= 2) {
        taut_string text = sphere_as_obj(n, r);
        taut_mesh *m = parse("s.obj", text.text, (long)text.length);
        assert_int_equal(taut_mesh_open_edges(m), 0);
        const taut_mesh_moments x = taut_mesh_integrate(m);
        const double off[2] = {1.0 - x.volume / volume, 1.0 - x.inertia[1][1] / moment};
        for (int i = 0; i < 3; i++) assert_near(x.centroid[i], 0.0, 1e-15, 0.0);
        for (int i = 0; i < 2 && n > 16; i++) assert_near(before[i] / off[i], 4.0, 0.1, 0.0);
        memcpy(before, off, sizeof off);
        taut_mesh_free(&m);
        taut_string_release(&text);
    }
    assert_true(before[0] > 0.0 && before[0] < 2e-3);
}

static void test_large_meshes_are_reduced(void **state) {
    (void)state;
    taut_string text = sphere_as_obj(100, 1.0);
    taut_mesh *m = parse("s.obj", text.text, (long)text.length), *small;
    assert_true(m->triangles > 30000);
    assert_int_equal(taut_mesh_reduce(m, 5000, &small), TAUT_OK);
    assert_true(small->triangles <= 5000 && small->triangles > 1000);
    for (long c = 0; c < small->corners; c++)
        assert_near(hypot(hypot(small->corner[c][0], small->corner[c][1]), small->corner[c][2]),
                    1.0, 1e-14, 0.0);
    taut_mesh_free(&small);
    taut_mesh_free(&m);
    taut_string_release(&text);
}

static void test_wrong_meshes_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *message;
        int line, column;
    } wrong[] = {
        {"a.ply", "", "ends with .stl or .obj", 0, 0},
        {"a.stl", "", "there are no triangles in it", 0, 0},
        {"a.stl", "solid\nvertex 1 2\n", "a vertex has three coordinates", 2, 1},
        {"a.stl", "solid\n  vertex 1 2 x\n", "a vertex has three coordinates", 2, 3},
        {"a.stl", "solid\nvertex 1 2 nan\n", "no number", 2, 1},
        {"a.stl", "solid\nvertex 1 2 1e40\n", "no number", 2, 1},
        {"a.obj", "v 0 0 0\nf 1 2 3\n", "names the corner 2, but 1 are there so far", 2, 5},
        {"a.obj", "v 0 0 0\nf 0 0 0\n", "names the corner 0", 2, 3},
        {"a.obj", "v 0 0 0\nf 1/1 -5 1\n", "names the corner -5", 2, 7},
        {"a.obj", "v 0 0 0\nf 99999999999999999999 1 1\n", "names the corner", 2, 3},
        {"a.obj", "v 0 0 0\nf 1 1\n", "at least three corners", 2, 5},
        {"a.obj", "v 0 0 0\nf a b c\n", "numbers of corners", 2, 3},
        {"a.obj", "\n\tv 0 0\n", "a corner has three coordinates", 2, 2},
        {"a.obj", "v 0 0 0\nv 1 0 0\nf 1 1 2\n", "there are no triangles in it", 0, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        taut_mesh *mesh;
        errors.count = 0;
        assert_int_not_equal(taut_mesh_parse(wrong[i].name, wrong[i].text,
                                             (long)strlen(wrong[i].text), &mesh, &errors),
                             TAUT_OK);
        assert_null(mesh);
        if (!strstr(errors.item[0].message, wrong[i].message))
            fail_msg("%s: %s", wrong[i].text, errors.item[0].message);
        assert_int_equal(errors.item[0].line, wrong[i].line);
        assert_int_equal(errors.item[0].column, wrong[i].column);
    }
    /* more triangles than bytes */
    char head[134 + 1] = "solid";
    taut_mesh *mesh;
    memset(head + 80, 0xff, 4);
    errors.count = 0;
    assert_int_equal(taut_mesh_parse("a.stl", head, 134, &mesh, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "does not fit its number of triangles"));
}

/* ---- in models ---- */

static void write_file(const char *path, const taut_string *text) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text->text, 1, text->length, f), text->length);
    fclose(f);
}

static taut_status read_model(const char *body, bool confine, taut_model **model) {
    taut_string text = {0};
    taut_string_add(
        &text,
        "Dimension: 3\nPhysicalParams: {rho: 7850}\nPartData:\n  Fixed: {O: [0, 0, 0]}\n"
        "  Rigids:\n    link: {Elements: [O, u, v], Geom: [[1], [0, 1]], %s}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "ProblemData: {tend: 0.5, positions: {u: [1, 0, 0], v: [0, 1, 0]}}\n",
        body);
    write_file("mesh_model/m.yaml", &text);
    taut_string_release(&text);
    taut_read_options options = taut_read_options_default();
    options.confine = confine;
    errors.count = 0;
    return taut_model_read_with("mesh_model/m.yaml", &options, model, &errors);
}

/* The motion of a body of a mesh is that of the same box by its numbers. */
static void test_mass_of_a_mesh_is_that_of_its_box(void **state) {
    (void)state;
    taut_string obj = box_as_obj();
    double found[2] = {0};
    mkdir("mesh_model", 0777);
    write_file("mesh_model/box.obj", &obj);
    static const char *const body[] = {
        "Mesh: {File: box.obj, Scale: 0.1, Origin: [0.1]}, Shape: {Type: mesh, Density: rho}",
        "Shape: {Type: box, Size: [0.2, 0.3, 0.4], Centre: [0.2, 0.2, 0.3], Density: rho}"};
    for (int i = 0; i < 2; i++) {
        taut_model *model;
        taut_simulation *s;
        assert_int_equal(read_model(body[i], true, &model), TAUT_OK);
        assert_int_equal(taut_simulation_create(model, NULL, &s, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_run_to(s, 0.5, &errors), TAUT_OK);
        found[i] = taut_simulation_now(s, "uz");
        taut_simulation_free(&s);
        taut_model_free(&model);
    }
    assert_true(fabs(found[1]) > 0.01);
    assert_near(found[0], found[1], 1e-9, 0.0);
    taut_string_release(&obj);
}

static void test_meshes_in_models_are_checked(void **state) {
    (void)state;
    taut_string obj = box_as_obj(), open = {0};
    taut_string_add(&open, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    mkdir("mesh_model", 0777);
    write_file("mesh_model/box.obj", &obj);
    write_file("mesh_model/open.obj", &open);
    write_file("outside.obj", &obj);
    static const struct {
        const char *body, *message;
    } wrong[] = {
        {"Mesh: {File: no.obj}", "cannot read the mesh 'mesh_model/no.obj'"},
        {"Mesh: {File: ../outside.obj}", "options.confine allows the model's own folder only"},
        {"Mesh: {File: m.yaml}", "ends with .stl or .obj"},
        {"Mesh: {Scale: 2}", "File"},
        {"Mesh: {File: box.obj, Scale: 0}", "the scale of the mesh of 'link' is 0"},
        {"Mesh: {File: box.obj, Size: 1}", "Size"},
        {"Shape: {Type: mesh, Density: 1}", "no mesh to take its mass from"},
        {"Mesh: {File: box.obj}, Shape: {Type: mesh}", "needs 'Mass' or 'Density'"},
        {"Mesh: {File: open.obj}, Shape: {Type: mesh, Mass: 1}", "3 of its edges"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        taut_model *model = NULL;
        assert_int_not_equal(read_model(wrong[i].body, true, &model), TAUT_OK);
        bool said = false;
        for (int k = 0; k < errors.count; k++)
            said = said || strstr(errors.item[k].message, wrong[i].message);
        if (!said) fail_msg("%s: %s", wrong[i].body, errors.item[0].message);
        taut_model_free(&model);
    }
    taut_string_release(&obj);
    taut_string_release(&open);
}

/* What would be too much is refused while it is read, and what is no file is told. */
static void test_too_large_meshes_are_refused(void **state) {
    (void)state;
    enum { MOST = 2000000 };
    taut_mesh *mesh = NULL;
    taut_string obj = {0};
    /* one face with so many corners: a fan of triangles */
    taut_string_add(&obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2");
    for (int i = 0; i <= MOST; i++) taut_string_add(&obj, i % 2 ? " 3" : " 4");
    taut_string_add(&obj, "\n");
    assert_false(obj.failed);
    errors.count = 0;
    assert_int_equal(taut_mesh_parse("a.obj", obj.text, (long)obj.length, &mesh, &errors),
                     TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "a mesh has at most 2000000 triangles"));
    assert_null(mesh);
    taut_string_release(&obj);
    errors.count = 0;
    assert_int_equal(taut_mesh_read("no/such.stl", &mesh, &errors), TAUT_ERR_IO);
    assert_string_equal(errors.item[0].message, "cannot open it: No such file or directory");
    errors.count = 0;
    assert_int_equal(taut_mesh_read(".", &mesh, &errors), TAUT_ERR_IO);
    assert_string_equal(errors.item[0].message, "cannot read it: Is a directory");
    assert_null(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_large_meshes_are_refused),
        cmocka_unit_test(test_every_kind_of_file_is_the_same_box),
        cmocka_unit_test(test_corners_that_rounding_parts_are_one),
        cmocka_unit_test(test_details_stay),
        cmocka_unit_test(test_sphere_is_approached_with_the_square_of_the_edge),
        cmocka_unit_test(test_large_meshes_are_reduced),
        cmocka_unit_test(test_wrong_meshes_are_refused),
        cmocka_unit_test(test_mass_of_a_mesh_is_that_of_its_box),
        cmocka_unit_test(test_meshes_in_models_are_checked),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
