/* MJCF files: broken and hostile ones with their messages, what is left out, classes, includes. How
 * imported models move is compared with MuJoCo in test_mujoco.c. */
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
    write_text("import-test.xml", text);
    memset(&errors, 0, sizeof errors);
    const taut_status status = taut_import("import-test.xml", out, left_out, &errors);
    unlink("import-test.xml");
    return status;
}

/* The message, and the line to which it points. */
static void refuse(const char *text, const char *words, int line) {
    char *out = NULL;
    const taut_status status = import(text, &out, NULL);
    if (status != TAUT_ERR_INPUT || errors.count < 1)
        fail_msg("not refused (%d): %s", status, text);
    assert_null(out);
    if (!strstr(errors.item[0].message, words))
        fail_msg("'%s' is not in: %s", words, errors.item[0].message);
    if (errors.item[0].line != line)
        fail_msg("line %d, not %d: %s", errors.item[0].line, line, errors.item[0].message);
}

#define WORLD(inside) "<mujoco>\n<worldbody>\n" inside "</worldbody>\n</mujoco>\n"
#define BODY(inside) WORLD("<body name='b'>\n" inside "</body>\n")
#define BALL "<geom size='1'/>\n"
#define GOOD "<body name='g'><joint name='j'/><geom size='1'/></body>\n"
#define TWO                                                                                        \
    "<body name='a'><joint name='p'/><geom size='1'/><site name='s'/></body>\n"                    \
    "<body name='c' pos='2 0 0'><joint name='q' type='ball'/><geom size='1'/></body>\n"
#define BESIDE(more) "<mujoco>\n<worldbody>\n" TWO "</worldbody>\n" more "\n</mujoco>\n"

static void test_wrong_bodies_are_refused(void **state) {
    (void)state;
    refuse("<mujoco/>", "nothing moves", 1);
    refuse(WORLD(BALL), "nothing moves", 1);
    refuse(BODY("<joint/>\n"), "the body 'b' moves, but has no mass", 3);
    refuse(BODY("<freejoint/>\n"), "has no mass", 3);
    refuse(WORLD(GOOD GOOD), "the body 'g' is there already", 4);
    refuse(BODY("<joint/>\n<geom type='mesh' mesh='m'/>\n"), "comes from a mesh", 5);
    refuse(BODY("<joint type='hing'/>\n" BALL), "did you mean 'hinge'?", 4);
    refuse(BODY("<joint axis='0 0 0'/>\n" BALL), "no direction", 4);
    refuse(BODY("<joint axis='0 1'/>\n" BALL), "3 numbers are expected", 4);
    refuse(BODY("<joint pos='0 1 x'/>\n" BALL), "no list of finite numbers", 4);
    refuse(BODY("<joint damping='-1'/>\n" BALL), "not negative", 4);
    refuse(BODY("<joint armature='-1'/>\n" BALL), "not negative", 4);
    refuse(BODY("<joint stiffness='1e999'/>\n" BALL), "no list of finite numbers", 4);
    refuse(BODY("<joint range='2 1'/>\n" BALL), "ends before it begins", 4);
    refuse(BODY("<joint limited='true'/>\n" BALL), "has no range", 4);
    refuse(BODY("<joint limited='yes' range='0 1'/>\n" BALL), "cannot be 'yes'", 4);
    refuse(BODY("<freejoint/><joint/>\n" BALL), "is free, and has other joints", 3);
    refuse(BODY("<joint type='slide'/><joint type='free'/>\n" BALL), "is free, and has", 3);
}

static void test_wrong_places_are_refused(void **state) {
    (void)state;
    refuse(WORLD("<body quat='0 0 0 0'/>\n"), "quat of <body> has no direction", 3);
    refuse(WORLD("<body quat='1 0 0'/>\n"), "4 numbers are expected", 3);
    refuse(WORLD("<body axisangle='0 0 0 1'/>\n"), "axisangle of <body> has no direction", 3);
    refuse(WORLD("<body xyaxes='1 0 0 2 0 0'/>\n"), "xyaxes of <body> has no direction", 3);
    refuse(WORLD("<body zaxis='0 0 0'/>\n"), "zaxis of <body> has no direction", 3);
    refuse(WORLD("<body quat='1 0 0 0' euler='1 0 0'/>\n"), "has quat and euler", 3);
    refuse("<mujoco>\n<compiler angle='grad'/></mujoco>", "cannot be 'grad'", 2);
    refuse("<mujoco>\n<compiler eulerseq='xyw'/></mujoco>", "three of x, y, z", 2);
    refuse("<mujoco>\n<compiler coordinate='global'/></mujoco>", "local coordinates", 2);
    refuse("<mujoco>\n<option gravity='1'/></mujoco>", "3 numbers are expected", 2);
}

static void test_wrong_masses_are_refused(void **state) {
    (void)state;
    refuse(BODY("<joint/>\n<geom/>\n"), "size of a sphere: 1 positive number", 5);
    refuse(BODY("<joint/>\n<geom type='box' size='1 1'/>\n"), "size of a box: 3", 5);
    refuse(BODY("<joint/>\n<geom type='capsule' size='1'/>\n"), "or one with fromto", 5);
    refuse(BODY("<joint/>\n<geom type='disc' size='1'/>\n"), "cannot be 'disc'", 5);
    refuse(BODY("<joint/>\n<geom size='-1'/>\n"), "positive", 5);
    refuse(BODY("<joint/>\n<geom size='1' mass='-1'/>\n"), "not negative", 5);
    refuse(BODY("<joint/>\n<geom size='1' fromto='0 0 0 1 0 0'/>\n"), "takes no fromto", 5);
    refuse(BODY("<joint/>\n<geom type='capsule' size='1' fromto='1 0 0 1 0 0'/>\n"), "coincide", 5);
    refuse(BODY("<joint/>\n<inertial pos='0 0 0'/>\n"), "needs the attribute mass", 5);
    refuse(BODY("<joint/>\n<inertial mass='-1'/>\n"), "the mass is negative", 5);
    refuse(BODY("<joint/>\n<inertial mass='1' diaginertia='1 1 3'/>\n"), "nothing can have", 5);
    refuse(BODY("<joint/>\n<inertial mass='1' fullinertia='1 1 1 5 0 0'/>\n"), "nothing can", 5);
    refuse(BODY("<joint/>\n<inertial mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>\n"),
           "one of them is enough", 5);
    write_text("import-open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    refuse(
        "<mujoco><asset><mesh name='m' file='import-open.obj'/></asset><worldbody>\n<body><joint/>"
        "\n<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
        "a mesh that is not closed", 3);
    unlink("import-open.obj");
    refuse(BODY("<joint/>\n<geom type='mesh' mesh='m'/>\n"), "which has no file", 5);
    refuse(BODY("<joint/>\n<geom type='sdf'/>\n"), "of type sdf", 5);
    refuse("<mujoco>\n<compiler inertiafromgeom='false'/>\n<worldbody>\n" GOOD
           "</worldbody></mujoco>",
           "has no mass", 4);
}

static void test_wrong_ties_are_refused(void **state) {
    (void)state;
    refuse(BESIDE("<equality><connect body1='x' anchor='0 0 0'/></equality>"), "no body 'x'", 6);
    refuse(BESIDE("<equality><connect body1='a'/></equality>"), "needs the attribute anchor", 6);
    refuse(BESIDE("<equality><connect body1='a' body2='a' anchor='0 0 0'/></equality>"),
           "belong to one body", 6);
    refuse(BESIDE("<equality><weld body2='a'/></equality>"), "needs the attribute body1", 6);
    refuse(BESIDE("<equality><weld body1='a' relpose='1'/></equality>"), "7 numbers", 6);
    refuse(BESIDE("<equality><joint joint1='x'/></equality>"), "there is no joint 'x'", 6);
    refuse(BESIDE("<equality><joint joint1='q'/></equality>"), "neither hinge nor slide", 6);
    refuse(BESIDE("<equality><joint joint1='p' joint2='p'/></equality>"), "tied to itself", 6);
    refuse(BESIDE("<tendon><spatial stiffness='1'><site site='s'/>\n<site site='z'/></spatial>"
                  "</tendon>"),
           "there is no site 'z'", 7);
    refuse(BESIDE("<tendon><fixed stiffness='1'>\n<joint joint='x' coef='1'/></fixed></tendon>"),
           "there is no joint 'x'", 7);
    refuse(BESIDE("<tendon><fixed stiffness='1'>\n<joint joint='q' coef='1'/></fixed></tendon>"),
           "neither hinge nor slide", 7);
    refuse("<mujoco>\n<option><flag gravity='off'/></option></mujoco>", "cannot be 'off'", 2);
    refuse(BESIDE("<tendon><spatial stiffness='-1'><site site='s'/><site site='s'/></spatial>"
                  "</tendon>"),
           "not negative", 6);
}

/* ---- hostile files ---- */

static void test_hostile_files_are_refused(void **state) {
    (void)state;
    refuse("<!DOCTYPE m [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>\n<mujoco model='&b;'/>",
           "DOCTYPE", 1);
    refuse("<!DOCTYPE m [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\n<mujoco>&x;</mujoco>",
           "DOCTYPE", 1);
    refuse(WORLD("<include file='/etc/passwd'/>\n"), "outside the folder", 3);
    refuse(WORLD("<include file='../secret.xml'/>\n"), "outside the folder", 3);
    refuse(WORLD("<include file='a/../../secret.xml'/>\n"), "outside the folder", 3);
    refuse(WORLD("<include/>\n"), "needs the attribute file", 3);
    assert_int_equal(symlink("/etc", "import-link"), 0);
    refuse(WORLD("<include file='import-link/hostname'/>\n"), "outside the folder", 3);
    unlink("import-link");
    static char deep[40000];
    strcpy(deep, "<mujoco><worldbody>");
    for (int i = 0; i < 5000; i++) strcat(deep, "<body>");
    refuse(deep, "more than 200 deep", 1);
    static char many[900000];
    strcpy(many, "<mujoco><worldbody>");
    char *p = many + strlen(many);
    for (int i = 0; i < 6000; i++)
        p += sprintf(p, "<body name='l%d'><joint/><geom size='1'/></body>\n", i);
    strcpy(p, "</worldbody></mujoco>");
    refuse(many, "more than 5000 bodies", 5001);
}

/* A file that includes itself, and one that is not there. */
static void test_includes_end(void **state) {
    (void)state;
    char *out = NULL;
    write_text("import-self.xml", "<mujoco><include file='import-self.xml'/></mujoco>");
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_import("import-self.xml", &out, NULL, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "is included already"));
    write_text("import-self.xml", "<mujoco><include file='import-nowhere.xml'/></mujoco>");
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_import("import-self.xml", &out, NULL, &errors), TAUT_ERR_IO);
    unlink("import-self.xml");
}

/* ---- what becomes of it ---- */

static void must_say(const char *text, const char *words) {
    if (!strstr(text, words)) fail_msg("'%s' is not in:\n%s", words, text);
}

static void test_what_is_left_out_is_said(void **state) {
    (void)state;
    char *out = NULL, *left_out = NULL;
    const taut_status status =
        import("<mujoco>\n<option timestep='0.01'><flag contact='disable'/></option>\n"
               "<asset><mesh name='m' file='m.stl'/></asset>\n<worldbody><light/><camera/>\n"
               "<body><joint name='j' ref='1' margin='1' solreflimit='0.1 1'/>\n"
               "<geom size='1'/><geom type='mesh' mesh='m' mass='0' contype='0' conaffinity='0'/>"
               "<inertial mass='1' diaginertia='1 1 1'/></body>\n"
               "<body gravcomp='1'><joint name='q' type='ball' range='0 1' armature='1'/>\n"
               "<geom size='1'/></body></worldbody>\n<actuator><motor joint='j'/></actuator>\n"
               "<sensor/><keyframe/><contact/><tendon><fixed name='f' stiffness='1'/>\n"
               "<spatial name='w'/></tendon><equality><distance/><weld active='false'/></equality>"
               "</mujoco>",
               &out, &left_out);
    if (status != TAUT_OK) fail_msg("%s", errors.item[0].message);
    static const char *const said[] = {"attribute timestep of <option>",
                                       "attribute contact of <flag>",
                                       "<light> in the tree of bodies",
                                       "<camera> in the tree of bodies",
                                       "ref of joint j",
                                       "attribute margin of <joint>",
                                       "attribute solreflimit of <joint>",
                                       "mesh m.stl: the file is not there",
                                       "contacts between geoms",
                                       "attribute gravcomp of <body>",
                                       "range of joint q",
                                       "armature of joint q",
                                       "<actuator>",
                                       "<sensor>",
                                       "<keyframe>",
                                       "<contact>",
                                       "tendon f",
                                       "tendon w",
                                       "<distance> of <equality>",
                                       "<weld> of <equality> that is not active"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        must_say(left_out, said[i]);
        must_say(out, said[i]);
    }
    taut_text_free(&out);
    taut_text_free(&left_out);
}

/* Classes: the body's childclass, a class of its own, the outer class behind an inner one. */
static void test_classes_and_words(void **state) {
    (void)state;
    char *out = NULL;
    const taut_status status =
        import("<mujoco>\n<default><joint damping='1' frictionloss='7'/><geom density='10'/>\n"
               "<default class='a'><joint damping='2'/><default class='b'><joint stiffness='5' "
               "springref='90' range='-90 45'/></default></default></default>\n"
               "<worldbody><body name='one' childclass='a'><joint name='p'/><geom size='1'/>\n"
               "<body name='two'><joint name='q' class='b' axis='1 0 0'/><geom size='1' mass='3'/>"
               "</body></body>\n<body name='three'><joint name='r'/><geom size='1'/></body>\n"
               "</worldbody></mujoco>",
               &out, NULL);
    if (status != TAUT_OK) fail_msg("%s", errors.item[0].message);
    must_say(out, "    p: 2\n    q: 2\n    r: 1\n");
    must_say(out, "    q: [5, 1.5707963267948966]\n");
    must_say(out, "  q: {Lower: -1.5707963267948966, Upper: 0.7853981633974483}\n");
    must_say(out, "  q_friction: {On: q, Force: 7}\n");
    must_say(out, "        - 41.8879020478639"); /* 10 * 4/3 pi */
    taut_text_free(&out);
}

static void test_the_total_mass_is_set(void **state) {
    (void)state;
    char *out = NULL;
    const taut_status status = import(
        "<mujoco>\n<compiler settotalmass='14'/><worldbody><body name='a'><joint/>"
        "<inertial mass='3' diaginertia='1 2 2' pos='0 0 0'/><body name='b'><joint/>"
        "<inertial mass='4' diaginertia='3 3 3' pos='0 0 0'/></body></body></worldbody></mujoco>",
        &out, NULL);
    if (status != TAUT_OK) fail_msg("%s", errors.item[0].message);
    must_say(out, "        - 6\n        - [2, 4, 4]\n");
    must_say(out, "        - 8\n        - [6, 6, 6]\n");
    taut_text_free(&out);
}

static void test_bounds_flags_and_groups(void **state) {
    (void)state;
    char *out = NULL;
    const taut_status status = import(
        "<mujoco><option><flag gravity='disable'/></option>\n"
        "<compiler boundmass='2' balanceinertia='true' inertiagrouprange='1 2'/>"
        "<worldbody><body name='a'><joint/>"
        "<inertial mass='1' diaginertia='1 1 4' pos='0 0 0'/></body><body name='b'><joint/>"
        "<geom size='1' mass='5' group='1'/><geom size='2' mass='50'/></body></worldbody></mujoco>",
        &out, NULL);
    if (status != TAUT_OK) fail_msg("%s", errors.item[0].message);
    must_say(out, "  Gravity: [0, 0, 0]\n");
    must_say(out, "        - 2\n        - [2, 2, 2]\n");
    must_say(out, "        - 5\n        - [2, 2, 2]\n");
    taut_text_free(&out);
    /* inertiafromgeom: a body without geoms keeps its <inertial> */
    assert_int_equal(
        import(
            "<mujoco><compiler inertiafromgeom='true'/><worldbody><body name='a'><joint/>"
            "<inertial mass='3' diaginertia='1 1 1' pos='0 0 0'/></body><body name='b'><joint/>"
            "<inertial mass='4' diaginertia='1 1 1' pos='0 0 0'/><geom size='1' mass='5'/></body>"
            "</worldbody></mujoco>",
            &out, NULL),
        TAUT_OK);
    must_say(out, "        - 3\n        - [1, 1, 1]\n");
    must_say(out, "        - 5\n        - [2, 2, 2]\n");
    taut_text_free(&out);
}

/* What <default> says of tendons and equalities is for all kinds of them, what it says of joints
 * not for those that a tendon names. */
static void test_defaults_of_tendons_and_equalities(void **state) {
    (void)state;
    char *out = NULL;
    const taut_status status =
        import("<mujoco>\n<default><tendon stiffness='3'/><equality active='false'/>"
               "<joint damping='1'/></default>\n<worldbody><site name='o' pos='0 0 2'/>"
               "<body name='a'><joint name='p'/><geom size='1'/><site name='s'/></body></worldbody>"
               "<tendon><spatial name='rope'><site site='o'/><site site='s'/></spatial>"
               "<fixed name='f'><joint joint='p' coef='-2'/></fixed></tendon>"
               "<equality><connect body1='a' anchor='0 0 1'/></equality></mujoco>",
               &out, NULL);
    if (status != TAUT_OK) fail_msg("%s", errors.item[0].message);
    must_say(out, "    rope: {Elements: [S_rope, O_a], k: 3, l: 2, c: 0}\n");
    must_say(out, "  Torques:\n    p: \"2*(3*(-2*p - (0)))\"\n");
    assert_null(strstr(out, "spherical"));
    taut_text_free(&out);
}

/* Surfaces: the first of a body that is shown, from the folder of meshes, along the geom's axes. */
static void test_meshes_are_surfaces(void **state) {
    (void)state;
    char *out = NULL, *left_out = NULL;
    mkdir("import-meshes", 0700);
    write_text("import-meshes/tip.stl",
               "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
               "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n");
    const taut_status status = import(
        "<mujoco>\n<compiler meshdir='import-meshes'/><default><mesh scale='2 2 2'/></default>"
        "<asset><mesh file='tip.stl'/><mesh name='wide' file='tip.stl' scale='1 2 1'/>"
        "<mesh name='lost' file='lost.obj'/><mesh name='old' file='tip.msh'/></asset>\n"
        "<worldbody><geom type='mesh' mesh='tip'/><body name='b'><joint name='j'/>"
        "<inertial mass='1' diaginertia='1 1 1' pos='0 0 0'/>\n"
        "<geom type='mesh' mesh='lost' group='3'/><geom type='mesh' mesh='wide'/>"
        "<geom type='mesh' mesh='old'/><geom type='mesh' mesh='none'/>"
        "<body pos='1 2 3' euler='0 0 90'><inertial mass='1' diaginertia='1 1 1' pos='0 0 "
        "0'/><geom type='mesh' mesh='tip' pos='1 0 0'/></body>"
        "<geom type='mesh' mesh='tip'/></body></worldbody></mujoco>",
        &out, &left_out);
    if (status != TAUT_OK) fail_msg("%s", errors.item[0].message);
    must_say(out,
             "      Mesh: {File: \"import-meshes/tip.stl\", Scale: 2, Origin: [1, 3, 3], Axes: [[");
    static const char *const said[] = {
        "mesh import-meshes/tip.stl: the ground has no surface here",
        "mesh import-meshes/tip.stl: it is scaled differently along its axes, or mirrored",
        "mesh import-meshes/tip.msh: only .stl and .obj are read",
        "mesh none: it has no file",
        "mesh lost: its group, 3, is not shown",
        "mesh import-meshes/tip.stl: a body has one surface here"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) must_say(left_out, said[i]);
    taut_text_free(&out);
    taut_text_free(&left_out);
    unlink("import-meshes/tip.stl");
    rmdir("import-meshes");
}

/* Straight from the program, without a file between. */
static void test_the_program_runs_it(void **state) {
    (void)state;
    program_result r;
    program_run(&r,
                (const char *[]){"run", TAUT_SOURCE_DIR "/tests/models/import/loop.xml", "--at",
                                 "1", "-o", "-", "--columns", "drive", "--digits", "6", NULL},
                0.0);
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "t,drive\n1,"));
    program_release(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_bodies_are_refused),
        cmocka_unit_test(test_wrong_places_are_refused),
        cmocka_unit_test(test_wrong_masses_are_refused),
        cmocka_unit_test(test_wrong_ties_are_refused),
        cmocka_unit_test(test_hostile_files_are_refused),
        cmocka_unit_test(test_includes_end),
        cmocka_unit_test(test_what_is_left_out_is_said),
        cmocka_unit_test(test_classes_and_words),
        cmocka_unit_test(test_the_total_mass_is_set),
        cmocka_unit_test(test_bounds_flags_and_groups),
        cmocka_unit_test(test_defaults_of_tendons_and_equalities),
        cmocka_unit_test(test_meshes_are_surfaces),
        cmocka_unit_test(test_the_program_runs_it),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
