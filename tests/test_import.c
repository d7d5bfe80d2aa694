/* Importers: broken and hostile files with their messages, and what is left out. How imported
 * models move is compared with equations of motion written down anew in
 * python/tests/test_import.py. */
#include "check.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "taut/taut.h"

static taut_errors errors;

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static taut_status import(const char *text, char **out, char **left_out) {
    write_text("import-test.urdf", text);
    memset(&errors, 0, sizeof errors);
    const taut_status status = taut_import("import-test.urdf", out, left_out, &errors);
    unlink("import-test.urdf");
    return status;
}

/* The message, and the place where it points. */
static void refuse(const char *text, const char *words, int line, int column) {
    char *out = NULL;
    const taut_status status = import(text, &out, NULL);
    if (status != TAUT_ERR_INPUT || errors.count < 1)
        fail_msg("not refused (%d): %s", status, text);
    assert_null(out);
    if (!strstr(errors.item[0].message, words))
        fail_msg("'%s' is not in: %s", words, errors.item[0].message);
    assert_int_equal(errors.item[0].line, line);
    assert_int_equal(errors.item[0].column, column);
    assert_string_equal(errors.item[0].path, "import-test.urdf");
}

#define ROBOT(inside) "<robot name='r'>\n" inside "</robot>\n"
#define MASS                                                                                       \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"        \
    "</inertial>"
#define TWO "<link name='a'/>\n<link name='b'>" MASS "</link>\n"
#define JOINT(more)                                                                                \
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>" more "</joint>\n"

static void test_broken_xml_has_a_place(void **state) {
    (void)state;
    refuse("", "no element found", 1, 1);
    refuse("<robot>\n<link>\n</robot>", "mismatched tag", 3, 3);
    refuse("<robot><link name='a' name='b'/></robot>", "duplicate attribute", 1, 23);
    refuse("<robot>\n  <link name=a/></robot>", "not well-formed", 2, 14);
    refuse("<robot/><robot/>", "junk after document element", 1, 9);
    refuse("<robot>&nothing;</robot>", "undefined entity", 1, 8);
    refuse("\xff\xfe<robot/>", "no XML", 1, 5);
    refuse("{robot: 1}", "not well-formed", 1, 1);
}

static void test_other_files_are_named(void **state) {
    (void)state;
    refuse("<sdf/>", "SDF is not read", 1, 1);
    refuse("<html/>", "neither <robot> (URDF) nor <mujoco> (MJCF)", 1, 1);
    char *out = NULL;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_import("nowhere.urdf", &out, NULL, &errors), TAUT_ERR_IO);
    assert_non_null(strstr(errors.item[0].message, "No such file"));
    assert_int_equal(taut_import("/", &out, NULL, &errors), TAUT_ERR_IO);
}

static void test_wrong_robots_are_refused(void **state) {
    (void)state;
    refuse(ROBOT(""), "at least one <link>", 1, 1);
    refuse(ROBOT("<link/>\n"), "<link> needs the attribute name", 2, 1);
    refuse(ROBOT("<link name=''/>\n"), "<link> needs the attribute name", 2, 1);
    refuse(ROBOT("<link name='a'/>\n<link name='a'/>\n"), "there already, on line 2", 3, 1);
    refuse(ROBOT(TWO), "a joint is missing", 3, 1);
    refuse(ROBOT(TWO "<joint type='fixed'/>\n"), "<joint> needs the attribute name", 4, 1);
    refuse(ROBOT(TWO "<joint name='j' type='fixed'/>\n"), "needs <parent", 4, 1);
    refuse(ROBOT(TWO "<joint name='j' type='fixed'><parent link='a'/></joint>\n"), "<child", 4, 1);
    refuse(ROBOT(TWO "<joint name='j'><parent link='a'/>\n<child link='c'/></joint>\n"),
           "there is no link 'c'", 5, 1);
    refuse(ROBOT(TWO "<joint name='j'><parent/>\n<child link='b'/></joint>\n"),
           "<parent> needs the attribute link", 4, 17);
    refuse(ROBOT("<link name='elbow'/>\n<link name='b'/>\n<joint name='j'>\n<parent link='elbov'/>"
                 "<child link='b'/></joint>\n"),
           "did you mean 'elbow'?", 5, 1);
    refuse(ROBOT(TWO "<joint name='j'><parent link='a'/><child link='b'/></joint>\n"),
           "<joint> needs the attribute type", 4, 1);
    refuse(
        ROBOT(TWO "<joint name='j' type='revolut'><parent link='a'/><child link='b'/></joint>\n"),
        "did you mean 'revolute'?", 4, 1);
    refuse(ROBOT(TWO JOINT("") JOINT("")), "has a parent already, by the joint on line 4", 5, 51);
    refuse(ROBOT("<link name='a'/>\n<link name='b'/>\n<link name='c'/>\n" JOINT(
               "") "<joint name='k' type='fixed'><parent link='c'/><child link='a'/></joint>\n"
                   "<joint name='l' type='fixed'><parent link='b'/><child link='c'/></joint>\n"),
           "round in a circle", 2, 1);
    refuse(ROBOT("<link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/><child "
                 "link='a'/></joint>\n"),
           "round in a circle", 2, 1);
    refuse(ROBOT("<link name='a'/>\n<link name='b'/>\n" JOINT("")), "nothing with mass moves", 1,
           1);
}

static void test_wrong_numbers_are_refused(void **state) {
    (void)state;
    refuse(ROBOT(TWO JOINT("\n<origin xyz='1 2'/>")), "3 numbers are expected", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<origin xyz='1 2 3 4'/>")), "3 numbers are expected", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<origin rpy='1 2 x'/>")), "no list of finite numbers", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<origin rpy='1 2 3,'/>")), "no list of finite numbers", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<origin xyz='nan 0 0'/>")), "no list of finite numbers", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<origin xyz='1e400 0 0'/>")), "no list of finite numbers", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<axis xyz='0 0 0'/>")), "no direction", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<limit lower='1' upper='-1'/>")), "above the upper one", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<dynamics damping='-1'/>")), "not negative", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<dynamics friction='-1'/>")), "not negative", 5, 1);
    refuse(ROBOT("<link name='a'/>\n<link name='b'>\n<inertial/></link>\n" JOINT("")), "<mass", 4,
           1);
    refuse(
        ROBOT("<link name='a'/>\n<link name='b'><inertial>\n<mass/></inertial></link>\n" JOINT("")),
        "needs the attribute value", 4, 1);
    refuse(ROBOT("<link name='a'/>\n<link name='b'><inertial>\n<mass "
                 "value='-2'/></inertial></link>\n" JOINT("")),
           "negative", 4, 1);
    refuse(ROBOT("<link name='a'/>\n<link name='b'><inertial><mass value='2'/>\n"
                 "<inertia ixx='1' iyy='1' izz='3'/></inertial></link>\n" JOINT("")),
           "nothing can have this inertia", 4, 1);
    refuse(ROBOT("<link name='a'/>\n<link name='b'><inertial><mass value='2'/>\n"
                 "<inertia ixx='1' iyy='1' izz='1' ixy='5'/></inertial></link>\n" JOINT("")),
           "nothing can have this inertia", 4, 1);
}

static void test_wrong_ties_and_loops_are_refused(void **state) {
    (void)state;
    refuse(ROBOT(TWO JOINT("\n<mimic/>")), "needs the attribute joint", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<mimic joint='x'/>")), "cannot mimic 'x'", 5, 1);
    refuse(ROBOT(TWO JOINT("\n<mimic joint='j'/>")), "cannot mimic 'j'", 5, 1);
    refuse(
        ROBOT(TWO JOINT("") "<link name='c'>" MASS "</link>\n"
                            "<joint name='k' type='revolute'><parent link='b'/><child link='c'/>\n"
                            "<mimic joint='j' multiplier='0'/></joint>\n"),
        "the multiplier is 0", 7, 1);
    refuse(ROBOT(TWO JOINT("") "<link name='closing_x_1'/>\n<joint name='k' type='fixed'>"
                               "<parent link='b'/><child link='closing_x_1'/></joint>\n"),
           "closes a loop with 'closing_x_2'", 5, 1);
    write_text("import-test.loops.xml", "<loops>\n<loop name='l' link1='a' link2='q'/></loops>");
    write_text("import-test.urdf", ROBOT(TWO JOINT("")));
    char *out = NULL;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_import("import-test.urdf", &out, NULL, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "there is no link 'q'"));
    assert_string_equal(errors.item[0].path, "import-test.loops.xml");
    assert_int_equal(errors.item[0].line, 2);
    unlink("import-test.loops.xml");
    unlink("import-test.urdf");
}

/* Entities need a document type, and that is refused before anything expands or is read. */
static void test_hostile_files_are_refused_at_once(void **state) {
    (void)state;
    refuse("<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>\n"
           "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]>\n<robot name='&c;'/>",
           "DOCTYPE", 1, 13);
    refuse("<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\n<robot>&x;</robot>", "DOCTYPE",
           1, 13);
    refuse("<!DOCTYPE robot SYSTEM 'http://localhost/robot.dtd'>\n<robot/>", "DOCTYPE", 1, 52);
    static char deep[40000];
    strcpy(deep, "<robot>");
    for (int i = 0; i < 5000; i++) strcat(deep, "<a>");
    refuse(deep, "more than 200 deep", 1, 608);
    /* a million links with a chain of names, and a name without end */
    static char many[600000];
    strcpy(many, "<robot>");
    char *p = many + strlen(many);
    for (int i = 0; i < 20000; i++) p += sprintf(p, "<link name='l%d'/>", i);
    strcpy(p, "</robot>");
    refuse(many, "more than 5000 links", 1, 1);
    memset(many, 0, sizeof many);
    strcpy(many, "<robot name='");
    memset(many + strlen(many), 'x', 500000);
    strcat(many, "'>" TWO JOINT("") "</robot>");
    char *out = NULL;
    assert_int_equal(import(many, &out, NULL), TAUT_OK);
    taut_text_free(&out);
}

/* A link that is fixed to a large one may have an inertia that it cannot have alone; arms of many
 * joints, as hands at arms at bodies have them, start. */
static void test_robots_as_they_are(void **state) {
    (void)state;
    static char arm[20000];
    char *p = arm + sprintf(arm, "<robot name='r'><link name='l0'/>");
    for (int i = 1; i <= 24; i++)
        p += sprintf(p,
                     "<link name='l%d'><inertial><origin xyz='.1 0 0'/><mass value='1'/><inertia "
                     "ixx='.1' iyy='.1' izz='.1'/></inertial></link><joint name='j%d' "
                     "type='continuous'><parent link='l%d'/><child link='l%d'/><axis xyz='%d .3 "
                     "%d'/><origin xyz='.2 .1 -.1' rpy='1 2 %d'/></joint>",
                     i, i, i - 1, i, i % 3 - 1, i % 2, i);
    sprintf(p, "<link name='plate'><inertial><mass value='.001'/><inertia ixx='.001' iyy='.001' "
               "izz='.01'/></inertial></link><joint name='f' type='fixed'><parent link='l3'/>"
               "<child link='plate'/></joint></robot>");
    write_text("import-test.urdf", arm);
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_run_options options = taut_run_options_default();
    const double at = 0.0;
    options.at = &at;
    options.ats = 1;
    options.derivatives = 2;
    double first[24];
    for (int k = 0; k < 2; k++) {
        memset(&errors, 0, sizeof errors);
        options.formulation = k ? "relative" : "natural";
        if (taut_model_read("import-test.urdf", NULL, 0, &model, &errors) != TAUT_OK ||
            taut_simulate(model, &options, &result, &errors) != TAUT_OK)
            fail_msg("%s", errors.item[0].message);
        for (int i = 0; i < 24; i++) {
            char name[20];
            snprintf(name, sizeof name, "j%d''", i + 1);
            const double x = taut_result_value(result, 0, taut_result_find(result, name));
            if (k) assert_near(x, first[i], 1e-9, 1e-9);
            first[i] = x;
        }
        taut_result_free(&result);
        taut_model_free(&model);
    }
    unlink("import-test.urdf");
}

static void test_what_is_left_out_is_said(void **state) {
    (void)state;
    char *out = NULL, *left_out = NULL;
    taut_model *model;
    const char *path = TAUT_SOURCE_DIR "/tests/models/import/arm.urdf";
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_import(path, &out, &left_out, &errors), TAUT_OK);
    static const char *const said[] = {"limits of effort and velocity of joints", "<transmission>",
                                       "<visual> of link base_link", "link tool_tip with joint tip",
                                       "limits of joint right, which mimics another"};
    for (int i = 0; i < 5; i++) {
        assert_non_null(strstr(left_out, said[i]));
        assert_non_null(strstr(out, said[i]));
    }
    taut_text_free(&out);
    taut_text_free(&left_out);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_model_warnings(model)->count, 5);
    assert_string_equal(taut_model_warnings(model)->item[0].path, path);
    taut_model_free(&model);
}

/* Names that YAML, formulas or components would take for something else. */
static void test_any_names_are_accepted(void **state) {
    (void)state;
    char *out = NULL;
    taut_model *model;
    assert_int_equal(
        import("<robot name='a \"b\\ &#10;c: {'>\n<link name='ground'/>"
               "<link name='t'>" MASS "</link><link name='1 #x: [é]'>" MASS "</link>"
               "<link name='arm'>" MASS "</link><link name='armx'>" MASS "</link>"
               "<joint name='sin' type='revolute'><parent link='ground'/><child link='t'/></joint>"
               "<joint name='energy' type='prismatic'><parent link='t'/><child link='1 #x: [é]'/>"
               "</joint><joint name='null' type='continuous'><parent link='1 #x: [é]'/>"
               "<child link='arm'/></joint><joint name='arm' type='revolute'><parent link='arm'/>"
               "<child link='armx'/><origin xyz='1 0 0'/></joint></robot>",
               &out, NULL),
        TAUT_OK);
    memset(&errors, 0, sizeof errors);
    if (taut_model_parse("m", out, -1, &model, &errors) != TAUT_OK ||
        taut_model_check(model, &errors))
        fail_msg("%s\n%s", errors.item[0].message, out);
    taut_result *result = NULL;
    if (taut_simulate(model, NULL, &result, &errors) != TAUT_OK)
        fail_msg("%s\n%s", errors.item[0].message, out);
    assert_true(taut_result_find(result, "arm_2") >= 0 || taut_result_find(result, "arm") >= 0);
    taut_result_free(&result);
    taut_model_free(&model);
    taut_text_free(&out);
}

static void test_the_program_imports_and_runs(void **state) {
    (void)state;
    const char *path = TAUT_SOURCE_DIR "/tests/models/import/arm.urdf";
    taut_model *direct, *written;
    taut_result *a = NULL, *b = NULL;
    unlink("import-arm.yaml");
    program_result r;
    program_run(&r, (const char *[]){"import", path, NULL}, 0.0); /* printed: nothing else */
    assert_int_equal(r.code, 0);
    assert_int_equal(strncmp(r.out, "# From ", strlen("# From ")), 0);
    assert_null(strstr(r.out, "  left out, because"));
    assert_non_null(strstr(r.err, "left out, because it has no counterpart"));
    assert_int_equal(taut_model_parse("printed", r.out, -1, &written, &errors), TAUT_OK);
    taut_model_free(&written);
    program_release(&r);
    program_run(&r, (const char *[]){"import", path, "-o", "import-arm.yaml", NULL}, 0.0);
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "left out, because it has no counterpart"));
    program_release(&r);
    program_run(&r, (const char *[]){"import", path, "-o", "import-arm.yaml", NULL}, 0.0);
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "it is there already"));
    program_release(&r);
    assert_int_equal(taut_model_read(path, NULL, 0, &direct, &errors), TAUT_OK);
    assert_int_equal(taut_model_read("import-arm.yaml", NULL, 0, &written, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(direct, NULL, &a, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(written, NULL, &b, &errors), TAUT_OK);
    assert_int_equal(taut_result_rows(a), taut_result_rows(b));
    assert_memory_equal(taut_result_table(a).value, taut_result_table(b).value,
                        (size_t)taut_result_rows(a) * (size_t)taut_result_columns(a) * 8);
    taut_result_free(&a);
    taut_result_free(&b);
    taut_model_free(&direct);
    taut_model_free(&written);
    unlink("import-arm.yaml");
}

/* ---- surfaces ---- */

static double turned(const double v[3], int i) { /* about z by 90 degrees */
    return i == 0 ? -v[1] : i == 1 ? v[0] : v[2];
}

/* A tetrahedron in millimetres as OBJ; turn: its corners are turned instead of its axes. */
static void write_tetrahedron(const char *path, bool turn) {
    static const double V[4][3] = {{0, 0, 0}, {200, 0, 0}, {0, 100, 0}, {10, 0, 50}};
    char text[400];
    int n = 0;
    for (int k = 0; k < 4; k++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "v");
        for (int i = 0; i < 3; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, " %g",
                          turn ? turned(V[k], i) : V[k][i]);
        n += snprintf(text + n, sizeof text - (size_t)n, "\n");
    }
    snprintf(text + n, sizeof text - (size_t)n, "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_text(path, text);
}

#define MESH(visual) ROBOT("<link name='a'/>\n<link name='b'>" MASS visual "</link>\n" JOINT(""))
#define VISUAL(origin, mesh)                                                                       \
    "<visual><origin " origin "/><geometry>\n<mesh " mesh "/></geometry></visual>"

static void test_meshes_are_surfaces(void **state) {
    (void)state;
    char *out = NULL, *left_out = NULL, folder[400];
    taut_model *model;
    write_tetrahedron("import-test.OBJ", false);
    assert_int_equal(
        import(MESH(VISUAL("xyz='1 2 3' rpy='0 0 1.5'",
                           "filename='package://any/import-test.OBJ' scale='.001 .001 .001'")
                        VISUAL("", "filename='import-test.OBJ'") VISUAL("", "filename='a.dae'")
                            VISUAL("", "filename='/etc/a.stl'")
                                VISUAL("", "filename='b.stl'") "<visual><geometry><box size='1 1 "
                                                               "1'/></geometry></visual>"),
               &out, &left_out),
        TAUT_OK);
    assert_non_null(strstr(out,
                           "      Mesh: {File: \"import-test.OBJ\", Scale: 0.001, Origin: [1, 2, "
                           "3], Axes: [[0.0707372016677029, 0.9974949866040544, 0], [-0.9974"));
    static const char *const said[] = {"mesh import-test.OBJ: a body has one surface here",
                                       "mesh a.dae: only .stl and .obj",
                                       "mesh /etc/a.stl: its path has to be one from this file",
                                       "mesh b.stl: the file is not there", "<visual> of link b"};
    for (int i = 0; i < 5; i++)
        if (!strstr(left_out, said[i])) fail_msg("%s is not in %s", said[i], left_out);
    taut_text_free(&out);
    taut_text_free(&left_out);
    refuse(MESH(VISUAL("", "")), "<mesh> needs the attribute filename", 4, 1);
    refuse(MESH(VISUAL("", "filename='b.stl' scale='1 2'")), "3 numbers are expected", 4, 1);
    /* read as it is, also confined to its folder; from a package around the folder */
    taut_read_options options = taut_read_options_default();
    options.confine = true;
    assert_non_null(getcwd(folder, sizeof folder));
    static char text[2000];
    snprintf(text, sizeof text,
             MESH("<visual><geometry><mesh filename='package://%s/import-test.OBJ'/>"
                  "</geometry></visual>"),
             strrchr(folder, '/') + 1);
    assert_true(mkdir("import-urdf", 0700) == 0);
    write_text("import-urdf/r.urdf", text);
    assert_int_equal(taut_import("import-urdf/r.urdf", &out, NULL, &errors), TAUT_OK);
    assert_non_null(strstr(out, "Mesh: {File: \"../import-test.OBJ\""));
    taut_text_free(&out);
    assert_int_equal(taut_model_read("import-urdf/r.urdf", NULL, 0, &model, &errors), TAUT_OK);
    taut_model_free(&model);
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_model_read_with("import-urdf/r.urdf", &options, &model, &errors),
                     TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "the model's own folder only"));
    rename("import-urdf/r.urdf", "import-test.urdf");
    rmdir("import-urdf");
    assert_int_equal(taut_model_read_with("import-test.urdf", &options, &model, &errors), TAUT_OK);
    taut_model_free(&model);
    /* the program names it from where the model file goes */
    program_result r;
    unlink("import-out/b.yaml");
    mkdir("import-out", 0700);
    program_run(&r, (const char *[]){"import", "import-test.urdf", "-o", "import-out/b.yaml", NULL},
                0.0);
    assert_int_equal(r.code, 0);
    program_release(&r);
    assert_int_equal(taut_model_read("import-out/b.yaml", NULL, 0, &model, &errors), TAUT_OK);
    taut_model_free(&model);
    unlink("import-out/b.yaml");
    rmdir("import-out");
    unlink("import-test.urdf");
    unlink("import-test.OBJ");
}

/* Axes of a mesh: what it encloses moves as the same surface with corners turned in the file. */
static void test_axes_turn_a_mesh(void **state) {
    (void)state;
    static const char FORM[] =
        "Dimension: 3\nPartData:\n  Fixed: {P: [0, 0, 0], u: [1, 0, 0], m: [0, 1, 0]}\n"
        "  Rigids:\n    b: {Elements: [], Mesh: {File: import-tetra.obj, Scale: 0.001, Origin: "
        "[0.1, "
        "0.2, 0]%s},\n      Shape: {Type: mesh, Density: 2700}}\n"
        "  Chains: {c: {Points: [P, O_b], Axes: [u, x_b], Normals: [m, y_b],\n"
        "    Steps: {p: {Turn: [1, 0, 0]}, q: {Turn: [0, 1, 0]}}}}\nAppliedForces: {Gravity: "
        "9.81}\n"
        "ProblemData: {tend: 0.5, positions: {p: 0.3, q: 0.2}, velocities: {p: 1, q: 2}}\n";
    static const char *const AXES[] = {", Axes: [[0, 1, 0], [-1, 0, 0]]", ""};
    taut_result *result[2] = {NULL, NULL};
    char text[1000];
    memset(&errors, 0, sizeof errors);
    for (int k = 0; k < 2; k++) {
        taut_model *model;
        snprintf(text, sizeof text, FORM, AXES[k]);
        write_tetrahedron("import-tetra.obj", k == 1);
        write_text("import-tetra.yaml", text);
        if (taut_model_read("import-tetra.yaml", NULL, 0, &model, &errors) != TAUT_OK ||
            taut_simulate(model, NULL, &result[k], &errors) != TAUT_OK)
            fail_msg("%s", errors.item[0].message);
        taut_model_free(&model);
    }
    const long last = taut_result_rows(result[0]) - 1;
    assert_int_equal(last, taut_result_rows(result[1]) - 1);
    for (long c = 0; c < taut_result_columns(result[0]); c++)
        assert_near(taut_result_value(result[0], last, (int)c),
                    taut_result_value(result[1], last, (int)c), 1e-12, 1e-12);
    for (int k = 0; k < 2; k++) taut_result_free(&result[k]);
    static const char *const wrong[][2] = {{", Axes: [[0, 1, 0]]", "two directions"},
                                           {", Axes: [[0, 0, 0], [1, 0, 0]]", "has length 0"},
                                           {", Axes: [[0, 1, 0], [1, 1, 0]]", "right angle"}};
    for (int k = 0; k < 3; k++) {
        taut_model *model;
        snprintf(text, sizeof text, FORM, wrong[k][0]);
        write_text("import-tetra.yaml", text);
        memset(&errors, 0, sizeof errors);
        assert_int_equal(taut_model_read("import-tetra.yaml", NULL, 0, &model, &errors),
                         TAUT_ERR_INPUT);
        assert_non_null(strstr(errors.item[0].message, wrong[k][1]));
    }
    unlink("import-tetra.yaml");
    unlink("import-tetra.obj");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_xml_has_a_place),
        cmocka_unit_test(test_other_files_are_named),
        cmocka_unit_test(test_wrong_robots_are_refused),
        cmocka_unit_test(test_wrong_numbers_are_refused),
        cmocka_unit_test(test_wrong_ties_and_loops_are_refused),
        cmocka_unit_test(test_hostile_files_are_refused_at_once),
        cmocka_unit_test(test_robots_as_they_are),
        cmocka_unit_test(test_what_is_left_out_is_said),
        cmocka_unit_test(test_meshes_are_surfaces),
        cmocka_unit_test(test_axes_turn_a_mesh),
        cmocka_unit_test(test_any_names_are_accepted),
        cmocka_unit_test(test_the_program_imports_and_runs),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
