/* What importers say of words of a file that they do not read, wherever they stand; default classes
 * of MJCF; what flags switch off; sites that are one place. How classes act on the motion is
 * compared with MuJoCo in test_mujoco.c. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "program.h"
#include "taut/taut.h"

static taut_errors errors;
static char *out, *left_out;

static taut_status import(const char *name, const char *text) {
    taut_text_free(&out);
    taut_text_free(&left_out);
    program_write(name, text, -1);
    memset(&errors, 0, sizeof errors);
    return taut_import(name, &out, &left_out, &errors);
}

static void take(const char *name, const char *text) {
    if (import(name, text) != TAUT_OK) fail_msg("%s", errors.item[0].message);
}

static void refuse(const char *name, const char *text, const char *words, int line) {
    assert_int_equal(import(name, text), TAUT_ERR_INPUT);
    if (!strstr(errors.item[0].message, words))
        fail_msg("'%s' is not in: %s", words, errors.item[0].message);
    assert_int_equal(errors.item[0].line, line);
}

static void must_say(const char *text, const char *words) {
    if (!strstr(text, words)) fail_msg("'%s' is not in:\n%s", words, text);
}

static void must_not_say(const char *text, const char *words) {
    if (strstr(text, words)) fail_msg("'%s' is in:\n%s", words, text);
}

#define BALL "<geom size='1' contype='0' conaffinity='0'/>\n"
#define MUJOCO(head, joint, tail)                                                                  \
    "<mujoco>\n" head "\n<worldbody><site name='o' pos='0 0 2'/>\n"                                \
    "<body name='a' pos='1 0 0'>" joint BALL "<site name='s' pos='0 0 1'/></body>\n"               \
    "<body name='b'><joint name='q'/>" BALL                                                        \
    "<site name='t' pos='0 1 0'/></body></worldbody>\n" tail "\n</mujoco>"
#define JOINT "<joint name='p'/>"

static void test_classes_are_there_once(void **state) {
    (void)state;
    refuse("m.xml",
           MUJOCO("<default><default class='soft'/></default>", "<joint class='sift'/>", ""),
           "there is no class 'sift'; did you mean 'soft'?", 4);
    refuse("m.xml", MUJOCO("", "<site/><body childclass='c'/>" JOINT, ""), "no class 'c'", 4);
    refuse("m.xml",
           MUJOCO("<default><default class='c'/>\n<default class='c'/></default>", JOINT, ""),
           "the class 'c' is there already, on line 2", 3);
    refuse("m.xml", MUJOCO("<default><default/></default>", JOINT, ""), "needs a name", 2);
    take("m.xml", MUJOCO("", "<joint name='p' class='main'/>", ""));
}

static void test_names_are_there_once(void **state) {
    (void)state;
    refuse("m.xml", MUJOCO("", "<joint name='q'/>", ""), "the joint 'q' is there already", 6);
    refuse("m.xml", MUJOCO("", JOINT "<site name='t'/>", ""), "the site 't' is there already", 7);
    refuse("m.xml", MUJOCO("", JOINT, "<equality><joint joint1='a_joint'/></equality>"),
           "there is no joint 'a_joint'", 8);
}

/* What stands in classes is read by many: it must not be lost there either. */
static void test_words_are_listed_wherever_they_stand(void **state) {
    (void)state;
    take("m.xml", MUJOCO("<default><joint springdamper='1 1' user='1'/><geom shellinertia='true'/>"
                         "<equality solref='1 1'/><default class='c'><tendon margin='1'/>"
                         "<motor gear='2'/></default></default>",
                         JOINT, ""));
    static const char *const said[] = {
        "attribute springdamper of <joint>", "attribute shellinertia of <geom>",
        "attribute solref of <equality>", "attribute margin of <tendon>"};
    for (int i = 0; i < 4; i++) must_say(left_out, said[i]);
    must_not_say(left_out, "gear");
    must_not_say(left_out, "user");
    take("m.xml",
         MUJOCO("", "<joint name='p'/><geom size='1' fluidshape='ellipsoid' friction='1'/>",
                "<equality><connect body1='a' anchor='0 0 0' solimp='1'/></equality>"
                "<tendon><fixed stiffness='1' solreflimit='1 1'>"
                "<joint joint='p' coef='1'/></fixed></tendon>"));
    must_say(left_out, "attribute fluidshape of <geom>");
    must_say(left_out, "attribute solimp of <connect>");
    must_say(left_out, "attribute solreflimit of <fixed>");
    must_not_say(left_out, "friction");
}

static void test_flags_switch_off(void **state) {
    (void)state;
#define MUCH                                                                                       \
    "<joint name='p' range='-10 10' frictionloss='3' damping='1' stiffness='2' armature='5'/>"
#define MORE                                                                                       \
    "<equality><joint joint1='p' joint2='q'/></equality>"                                          \
    "<tendon><fixed stiffness='7'><joint joint='q' coef='1'/></fixed></tendon>"
    static const char *const section[] = {"Limits:",         "Friction:", "RotationalDampers:",
                                          "TorsionSprings:", "Torques:",  "Constraints:"};
    take("m.xml", MUJOCO("", MUCH, MORE));
    for (int i = 0; i < 6; i++) must_say(out, section[i]);
    take("m.xml", MUJOCO("<option><flag limit='disable' frictionloss='disable' passive='disable' "
                         "equality='disable' gravity='disable'/></option>\n"
                         "<option gravity='1 2 3'/>",
                         MUCH, MORE));
    for (int i = 0; i < 6; i++) must_not_say(out, section[i]);
    must_say(out, "Armature:");
    must_say(out, "Gravity: [0, 0, 0]");
    take("m.xml", MUJOCO("<option><flag limit='enable' override='enable'/></option>", MUCH, MORE));
    for (int i = 0; i < 6; i++) must_say(out, section[i]);
    must_say(left_out, "attribute override of <flag>");
}

static void test_sites_are_joined(void **state) {
    (void)state;
    taut_model *model = NULL;
    take("m.xml", MUJOCO("", JOINT,
                         "<equality><connect name='c' site1='s' site2='t'/>"
                         "<weld name='w' site1='t' site2='o'/></equality>"));
    must_say(out, "    c_loop: {Type: spherical, Points: [A_c, B_c]}\n");
    must_say(out, "    w_loop: {Type: weld, Points: [A_w, B_w], Axes: [p_w, q_w], "
                  "Normals: [r_w, s_w]}\n");
    must_say(out, "      Elements: [O_a, a_a, n_a, A_c]\n");
    must_say(out, "[0, 0, 1]]\n"); /* A_c */
    must_say(out, "    B_w: [0, 0, 2]\n");
    must_not_say(left_out, "sites");
    if (taut_model_parse("m.yaml", out, -1, &model, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    taut_model_free(&model);
    refuse("m.xml", MUJOCO("", JOINT, "<equality><weld site1='s' site2='x'/></equality>"),
           "there is no site 'x'", 8);
    refuse("m.xml", MUJOCO("", JOINT, "<equality><weld site1='s' site2='s'/></equality>"),
           "belong to one body", 8);
    take("m.xml", MUJOCO("", JOINT,
                         "<equality><connect name='c' body1='world' body2='a' "
                         "anchor='1 0 1'/></equality>"));
    must_say(out, "    A_c: [1, 0, 1]\n"); /* a place of the world, and the same of the body */
    must_say(out, "[0, 0, 1]]\n");
}

/* ---- URDF ---- */

#define ROBOT(inertia, more)                                                                       \
    "<robot name='r' version='1'>\n<link name='a'/>\n<link name='b'><inertial><mass value='1'/>"   \
    "<inertia ixx='1' iyy='1' izz='1' " inertia "/></inertial></link>\n"                           \
    "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>" more "</joint>\n"

static void test_words_of_urdf_are_listed(void **state) {
    (void)state;
    take("m.urdf", ROBOT("ixyy='0.1'", "<origin xyz='1 0 0' quat='1 0 0 0'/><dynamics damping='1' "
                                       "spring='3'/><limit effort='1' velocity='2' jerk='3'/>"
                                       "<axis xyz='1 0 0' frame='b'/><axis xyz='0 1 0'/>"
                                       "<mass/>") "</robot>");
    static const char *const said[] = {"attribute ixyy of <inertia> of link b\n",
                                       "attribute quat of <origin> of joint j\n",
                                       "attribute spring of <dynamics> of joint j\n",
                                       "attribute jerk of <limit> of joint j\n",
                                       "attribute frame of <axis> of joint j\n",
                                       "<axis> of joint j\n",
                                       "<mass> of joint j\n",
                                       "limits of effort and velocity of joints\n"};
    size_t length = 0;
    for (int i = 0; i < 8; i++) {
        must_say(left_out, said[i]);
        length += strlen(said[i]);
    }
    assert_int_equal(strlen(left_out), length); /* nothing else */
    /* an axis says nothing where nothing moves */
    take("m.urdf", ROBOT("", "") "<link name='c'/>\n<joint name='k' type='fixed'><parent link='b'/>"
                                 "<child link='c'/><axis xyz='1 0 0'/><dynamics damping='1'/>"
                                 "</joint></robot>");
    assert_string_equal(left_out, "");
    refuse("m.urdf",
           ROBOT("", "") "<link name='c'/>\n<joint name='j' type='fixed'>"
                         "<parent link='b'/><child link='c'/></joint></robot>",
           "the joint 'j' is there already, on line 4", 6);
}

#define JOINED(type, more)                                                                         \
    "<robot name='r'>\n<link name='a'><inertial><mass value='2'/></inertial></link>\n"             \
    "<link name='b'><inertial><mass value='1'/>"                                                   \
    "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"                                       \
    "<joint name='j' type='" type "'><parent link='a'/><child link='b'/>" more                     \
    "</joint>\n</robot>"
#define ALL "<limit lower='-1' upper='1'/><dynamics damping='2' friction='3'/>"
#define STILL                                                                                      \
    "mass of link a: the root is the ground; a floating joint that joins it to a link above it "   \
    "lets it move\n"

/* What a joint of its kind has no use for, and a root that may be meant to move. */
static void test_joints_of_urdf_say_what_they_leave(void **state) {
    (void)state;
    take("m.urdf", JOINED("revolute", ALL));
    assert_string_equal(left_out, STILL);
    must_say(out, "j: {Lower: -1, Upper: 1}");
    must_say(out, "RotationalDampers:\n    j: 2\n");
    take("m.urdf", JOINED("continuous", ALL));
    assert_string_equal(left_out, STILL "limits of joint j, which is continuous\n");
    must_say(out, "RotationalDampers:\n    j: 2\n");
    must_say(out, "On: j, Force: 3");
    take("m.urdf", JOINED("spherical", ALL));
    assert_string_equal(left_out, STILL "limits of joint j, which is spherical\n"
                                        "friction of joint j, which is spherical\n");
    must_say(out, "Bodies: [ground, b], c: 2");
    take("m.urdf", JOINED("floating", ALL));
    assert_string_equal(left_out, STILL "limits of joint j, which is floating\n"
                                        "friction of joint j, which is floating\n"
                                        "damping of joint j, which is floating\n");
    take("m.urdf", JOINED("planar", "<limit upper='1'/><dynamics damping='2'/>"));
    assert_string_equal(left_out, STILL "limits of joint j, which is planar\n"
                                        "damping of joint j, which is planar\n");
    take("m.urdf", JOINED("revolute", "<limit lower='0.5' upper='0.5'/>"));
    assert_string_equal(left_out, STILL
                        "limits of joint j: they are equal (a joint that is to stay is fixed)\n");
    take("m.urdf", JOINED("revolute", "<limit/>"));
    assert_string_equal(left_out, STILL);
}

#define ONE(name) "<link name='" name "'>" MASS_OF_ONE "</link>"
#define MASS_OF_ONE "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define MIMIC(child, of)                                                                           \
    "<joint name='j" child "' type='revolute'><parent link='w'/><child link='" child "'/>"         \
    "<mimic joint='j" of "' multiplier='2' offset='0.25'/></joint>"

/* Joints start where those that they mimic do, in any order of the file. */
static void test_mimics_of_mimics(void **state) {
    (void)state;
    take("m.urdf", "<robot name='r'><link name='w'/>" ONE("a") ONE("b") ONE("c") MIMIC("c", "b")
                       MIMIC("b", "a") "<joint name='ja' type='revolute'><parent link='w'/>"
                                       "<child link='a'/><limit lower='1' upper='3'/></joint>"
                                       "</robot>");
    must_say(out, "    ja: 2\n    jb: 4.25\n    jc: 8.75\n");
    refuse("m.urdf",
           "<robot name='r'>\n<link name='w'/>" ONE("a") ONE("b") MIMIC("a", "b")
               MIMIC("b", "a") "</robot>",
           "joints mimic each other in a circle, as 'ja' does", 1);
}

/* Endings in capitals are the same; other endings are told what they are. */
static void test_endings(void **state) {
    static const char *const name[] = {"m.URDF", "m.Xml", "m.xacro"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        taut_model *model = NULL;
        program_write(name[i], JOINED("revolute", ""), -1);
        memset(&errors, 0, sizeof errors);
        const taut_status status = taut_model_read(name[i], NULL, 0, &model, &errors);
        assert_int_equal(status, i < 2 ? TAUT_OK : TAUT_ERR_INPUT);
        taut_model_free(&model);
    }
    must_say(errors.item[0].message, "this is XML: robots are read from files that end in .urdf");
    assert_int_equal(errors.item[0].line, 1);
}

static void test_macros_are_to_be_expanded(void **state) {
    (void)state;
    refuse("m.urdf", "<robot>\n<xacro:include filename='a.xacro'/></robot>",
           "<xacro:include> is a macro of xacro: write the robot with `xacro FILE > robot.urdf`",
           2);
    refuse("m.urdf", "<robot><link name='a'>\n<xacro:box_inertia m='1'/></link></robot>",
           "<xacro:box_inertia> is a macro", 2);
    refuse("m.urdf",
           "<robot><link name='a'>\n<inertial><mass value='${m}'/></inertial></link></robot>",
           "this is no list of finite numbers; xacro replaces ${...} by them", 2);
}

/* ---- names ---- */

/* A robot with two links and two joints of these names runs as one with plain names. */
static double swing(const char *const name[4], const char *type) {
    char text[2000];
    taut_model *model = NULL;
    taut_result *result = NULL;
    snprintf(text, sizeof text,
             "<robot name='r'><link name='w'/><link name='%s'>" MASS_OF_ONE
             "</link><link name='%s'>" MASS_OF_ONE
             "</link><joint name='%s' type='revolute'><parent link='w'/><child link='%s'/>"
             "<limit lower='-1' upper='1'/><dynamics damping='1' friction='.1'/></joint>"
             "<joint name='%s' type='%s'><parent link='%s'/><child link='%s'/>"
             "<origin xyz='.3 .2 .1'/><axis xyz='0 1 2'/></joint></robot>",
             name[0], name[1], name[2], name[0], name[3], type, name[0], name[1]);
    take("m.urdf", text);
    if (taut_model_parse("m", out, -1, &model, &errors) != TAUT_OK ||
        taut_simulate(model, NULL, &result, &errors) != TAUT_OK)
        fail_msg("%s\n%s", errors.item[0].message, out);
    const taut_table table = taut_result_table(result);
    const int column = taut_result_find(result, "energy");
    assert_true(column > 0 && table.rows > 1);
    const double energy =
        table.value[(table.rows - 1) * table.row_stride + column * table.column_stride];
    taut_result_free(&result);
    taut_model_free(&model);
    return energy;
}

/* O_b, P_b and others come of a link b, b_joint of a joint b; components end in x, y, z. */
static void test_names_that_come_of_others(void **state) {
    static const char *const name[][4] = {
        {"b", "c", "q", "O_b"},   {"b", "c", "O_by", "q"},         {"b", "O_bx", "q", "p"},
        {"b", "c", "P_c", "P_b"}, {"b", "a_b", "q", "p"},          {"x_b", "q_z", "q_joint", "q"},
        {"b", "c", "q", "q_1"},   {"b", "c", "q_friction", "q"},   {"y_b", "b_joint", "x_b", "q-"},
        {"b", "c", "clamp", "q"}, {"b", "c", "pow", "b_joint"},    {"b", "c", "u_c", "v_c"},
        {"y", "n_y", "c", "b_z"}, {"b", "x_b", "x_b_joint", "xb"}, {"a_b", "b", "q", "n_b"}};
    static const char *const type[] = {"revolute", "prismatic", "planar", "floating"};
    (void)state;
    for (int t = 0; t < 4; t++) {
        const double energy =
            swing((const char *const[]){"one", "two", "first", "second"}, type[t]);
        for (size_t i = 0; i < sizeof name / sizeof *name; i++)
            assert_near(swing(name[i], type[t]), energy, 1e-7, 1e-7);
    }
}

static void test_loops_beside_are_strict(void **state) {
    (void)state;
#define LOOP(attribute) "<loops>\n<loop name='l' link1='a' link2='b' " attribute "/></loops>"
    program_write("m.loops.xml", LOOP("xyz='1 0 0'"), -1);
    refuse("m.urdf", ROBOT("", "") "</robot>", "no attribute 'xyz'; did you mean 'xyz1'?", 2);
    assert_string_equal(errors.item[0].path, "m.loops.xml");
    program_write("m.loops.xml", "<loops>\n<ring/></loops>", -1);
    refuse("m.urdf", ROBOT("", "") "</robot>", "not <ring>", 2);
    program_write("m.loops.xml", LOOP("xyz1='1 0 0'"), -1);
    take("m.urdf", ROBOT("", "") "</robot>");
    must_say(out, "    A_l: [1, 0, 0]\n");
    program_remove("m.loops.xml");
}

static int leave(void **state) {
    taut_text_free(&out);
    taut_text_free(&left_out);
    return program_leave(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_classes_are_there_once),
                                       cmocka_unit_test(test_names_are_there_once),
                                       cmocka_unit_test(test_words_are_listed_wherever_they_stand),
                                       cmocka_unit_test(test_flags_switch_off),
                                       cmocka_unit_test(test_sites_are_joined),
                                       cmocka_unit_test(test_words_of_urdf_are_listed),
                                       cmocka_unit_test(test_joints_of_urdf_say_what_they_leave),
                                       cmocka_unit_test(test_macros_are_to_be_expanded),
                                       cmocka_unit_test(test_mimics_of_mimics),
                                       cmocka_unit_test(test_endings),
                                       cmocka_unit_test(test_names_that_come_of_others),
                                       cmocka_unit_test(test_loops_beside_are_strict)};
    return cmocka_run_group_tests(tests, program_enter, leave);
}
