/* What stands between a person and a result: files to begin with, help by topic, completion, and
 * columns chosen by name, with units and a comment. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "taut/taut.h"

static const char ROD[] = "Title: rod on a pin\n"
                          "Dimension: 2\n"
                          "PartData:\n"
                          "  Fixed: {O: [0, 0]}\n"
                          "  Rigids:\n"
                          "    OA: {Geom: [[1]], Dyna: [[0.5], 2, 1/6]}\n"
                          "AppliedForces: {Gravity: }\n"
                          "Angles: {phi: OA}\n"
                          "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n";

static void must_say(const char *command, int code, const char *out, const char *err) {
    program_result r;
    program_call(&r, command);
    if (r.code != code) fail_msg("taut %s ends with %d\n%s%s", command, r.code, r.out, r.err);
    if (out && !strstr(r.out, out)) fail_msg("taut %s: no '%s' in\n%s", command, out, r.out);
    if (err && !strstr(r.err, err)) fail_msg("taut %s: no '%s' in\n%s", command, err, r.err);
    program_release(&r);
}

/* ---- every number in words ---- */

static void test_explain_tells_unit_and_meaning(void **state) {
    (void)state;
    program_result r;
    program_write(
        "m.yaml",
        "PhysicalParams: {l: 250 mm, f: 2}\n"
        "Define: {A0: [l, 0, 10 mm]}\n"
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], z: [0, 0, 2]}\n"
        "  Rigids:\n"
        "    arm: {Elements: [O, z, A], Geom: [[0, 0, 1], A0], Dyna: [A0/2, 300 g, [1e-3, 2e-3, "
        "2e-3]]}\n"
        "  SpringDampers: {AO: [2 N/mm, l, 3]}\n"
        "AppliedForces: {Gravity: , Forces: {A: [1, 0, 2 N]}, Drag: {A: [0.1, 0.2, 1 cm/s]}}\n"
        "Angles: {phi: {From: [1, 0, 0], To: A - O, Axis: z}}\n"
        "Limits: {phi: {Upper: 90 deg, Stiffness: 40}}\n"
        "ProblemData: {tend: 1 min, positions: {A: A0, z: [0, 0, 1]}, velocities: {phi: 30 rpm}}\n",
        -1);
    program_call(&r, "check m.yaml --explain");
    assert_int_equal(r.code, 0);
    assert_string_equal(
        r.out,
        "m.yaml: mechanism, nothing wrong found\n"
        "  line  numbers without a unit are in SI units: m, kg, s, rad, N\n"
        "     1  l              0.25 m                        parameter\n"
        "     1  f              2                             parameter\n"
        "     2  A0             [0.25, 0, 0.01] m             named formula\n"
        "     3  Dimension      3                             2 or 3; a mechanism needs it.\n"
        "     5  O              [0, 0, 0] m                   point of the ground\n"
        "     5  z              [0, 0, 2]                     direction, made a unit vector\n"
        "     7  arm Geom z     [0, 0, 1]                     direction in the axes of the body, "
        "made a unit "
        "vector\n"
        "     7  arm Geom A     [0.25, 0, 0.01] m             local coordinates: from the first "
        "point, in the "
        "axes of the body\n"
        "     7  arm centroid   [0.125, 0, 0.005] m           centre of mass: local coordinates, "
        "from the first "
        "point in the axes of the body\n"
        "     7  arm mass       0.3 kg                        mass of the body\n"
        "     7  arm inertia    [0.001, 0.002, 0.002] kg*m^2  moment of inertia about the centre "
        "of mass, in "
        "local axes\n"
        "     8  AO             2000 N/m                      stiffness of the spring\n"
        "     8  AO             0.25 m                        its length at rest\n"
        "     8  AO             3 N*s/m                       damping constant\n"
        "     9  Gravity        9.81 m/s^2                    acceleration of all masses; a "
        "number is downwards: "
        "-y in the plane, -z in space\n"
        "     9  A              [1, 0, 2] N                   force at the point, in world axes, "
        "or along the "
        "distance\n"
        "     9  A              0.1 N*s/m                     c of the resistance -c v\n"
        "     9  A              0.2 N*s^2/m^2                 c2 of the resistance -c2 v^2\n"
        "     9  A              0.01 m/s                      below this speed the resistance is "
        "linear\n"
        "    10  phi From       [1, 0, 0]                     The direction at which the angle is "
        "0.\n"
        "    10  phi To         A - O                         The direction whose angle it is.\n"
        "    10  phi Axis       [0, 0, 1]                     3D: the axis about which it "
        "counts.\n"
        "    11  phi Upper      1.5708 rad                    The largest value.\n"
        "    11  phi Stiffness  40 N*m/rad                    Compliant: force over depth.\n"
        "    12  tend           60 s                          End of the time span.\n"
        "    12  A              [0.25, 0, 0.01] m             initial value, a guess\n"
        "    12  z              [0, 0, 1]                     initial direction, a guess\n"
        "    12  phi            3.14159 rad/s                 initial rate, a guess\n");
    program_release(&r);
    must_say("run m.yaml --explain", 2, NULL, "--explain");
}

/* ---- files to begin with ---- */

static void test_new_files_run_as_they_are(void **state) {
    (void)state;
    static const char *const kind[] = {"linkage", "space", "lagrangian", "dae"};
    char command[80];
    for (int k = 0; k < 4; k++) {
        program_result r;
        snprintf(command, sizeof command, "new %s", kind[k]);
        must_say(command, 0, ".yaml is there", NULL);
        must_say(command, 2, NULL, "it is there already");
        snprintf(command, sizeof command, "check %s.yaml", kind[k]);
        program_call(&r, command);
        assert_int_equal(r.code, 0);
        assert_string_equal(r.err, ""); /* no warnings either */
        program_release(&r);
        snprintf(command, sizeof command, "run %s.yaml --quiet", kind[k]);
        must_say(command, 0, NULL, NULL);
    }
}

static void test_new_does_not_replace_a_file(void **state) {
    (void)state;
    program_write("dae.yaml", "mine", -1);
    must_say("new dae", 2, NULL, "it is there already");
    char *kept = program_read("dae.yaml");
    assert_string_equal(kept, "mine");
    free(kept);
    must_say("new dae -o -", 0, "Equations:", NULL);
    must_say("new dae -o no/where.yaml", 2, NULL, "No such file");
    must_say("new mechanism", 2, NULL, "the kinds are linkage (");
    must_say("new", 2, NULL, "which kind?");
}

/* ---- help ---- */

static void test_help_knows_topics_and_commands(void **state) {
    (void)state;
    must_say("help", 0, "units", NULL);
    must_say("help units", 0, "20 mm", NULL);
    must_say("help exit", 0, "2  the input", NULL); /* the last section */
    must_say("help run", 0, "usage: taut run FILE", NULL);
    must_say("help unit", 2, NULL, "no help on 'unit'");
}

/* One section ends where the next begins. */
static void test_help_prints_one_section(void **state) {
    (void)state;
    program_result r;
    program_call(&r, "help units");
    assert_int_equal(strncmp(r.out, "Units\n", 6), 0);
    assert_null(strstr(r.out, "=="));
    assert_null(strstr(r.out, "Formulas"));
    program_release(&r);
}

static void test_help_of_run_begins_with_what_is_used_first(void **state) {
    (void)state;
    program_result r;
    program_call(&r, "run --help");
    const char *tend = strstr(r.out, "--tend"), *set = strstr(r.out, "--set"),
               *o = strstr(r.out, "-o FILE"), *at = strstr(r.out, "--at "),
               *rtol = strstr(r.out, "--rtol");
    assert_true(tend && tend < set && set < o && o < at && at < rtol);
    program_release(&r);
}

/* ---- completion ---- */

static void test_completion_has_every_command(void **state) {
    (void)state;
    static const char *const shell[] = {"bash", "zsh", "fish"};
    char command[80];
    for (int k = 0; k < 3; k++) {
        program_result r;
        snprintf(command, sizeof command, "--completion %s", shell[k]);
        program_call(&r, command);
        assert_int_equal(r.code, 0);
        assert_non_null(strstr(r.out, "kinematics"));
        assert_non_null(strstr(r.out, k == 2 ? "-l formulation" : "--formulation"));
        program_release(&r);
    }
    must_say("--completion csh", 2, NULL, "bash, zsh or fish is expected");
}

/* What bash offers for the beginning of a word. */
static void test_completion_of_bash_offers_options_of_the_command(void **state) {
    (void)state;
    program_result r;
    program_call(&r, "--completion bash");
    program_write("taut.bash", r.out, -1);
    program_release(&r);
    assert_int_equal(
        system("bash -c 'source ./taut.bash; COMP_WORDS=(taut view --no); COMP_CWORD=2; _taut; "
               "echo ${COMPREPLY[@]}; COMP_WORDS=(taut kine); COMP_CWORD=1; _taut; echo "
               "${COMPREPLY[@]}' "
               "> offered"),
        0);
    char *offered = program_read("offered");
    assert_string_equal(offered, "--no-certify\nkinematics\n");
    free(offered);
}

/* ---- columns ---- */

static void test_columns_are_chosen_in_the_order_asked_for(void **state) {
    (void)state;
    program_write("rod.yaml", ROD, -1);
    program_result r;
    program_call(&r, "run rod.yaml --columns phi*,Ay,A.x --at 0,1 --digits 5 -o - --quiet");
    assert_int_equal(strncmp(r.out, "t,phi,phi',Ay,Ax\n0,0,0,0,1\n", 27), 0);
    program_release(&r);
    program_call(
        &r, "run rod.yaml --columns t,kinetic,phi,phi --at 0 -o - --quiet"); /* each one once */
    assert_string_equal(r.out, "t,kinetic,phi\n0,0,0\n");
    program_release(&r);
}

static void test_columns_have_the_numbers_of_the_whole_table(void **state) {
    (void)state;
    program_write("rod.yaml", ROD, -1);
    program_result r;
    program_table all, some;
    program_call(&r, "run rod.yaml --at 0,0.5,1 -o - --quiet");
    program_table_read(&all, r.out);
    program_release(&r);
    program_call(&r, "run rod.yaml --at 0,0.5,1 -o - --quiet --certify --columns energy,A*'");
    program_table_read(&some, r.out);
    assert_int_equal(some.columns, 4);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < some.columns; c++)
            assert_near(program_table_get(&some, i, some.name[c]),
                        program_table_get(&all, i, some.name[c]), 0, 0);
    program_release(&r);
    program_table_free(&all);
    program_table_free(&some);
}

static void test_columns_that_are_not_there_are_refused(void **state) {
    (void)state;
    char list[200];
    program_write("rod.yaml", ROD, -1);
    must_say("run rod.yaml --columns Aq,phi", 2, "",
             "--columns: there is no column 'Aq'; did you mean 'A");
    must_say("run rod.yaml --columns z*", 2, "", "--columns: no column fits 'z*'");
    must_say("run rod.yaml --columns phi,,Ax", 2, "", "a name is missing between two commas");
    assert_int_equal(program_list(list, sizeof list), 1);
}

static void test_units_and_comment(void **state) {
    (void)state;
    program_write("rod.yaml", ROD, -1);
    program_result r;
    program_call(&r, "run rod.yaml --columns Ax',phi'',energy --derivatives 2 --units --header "
                     "--at 0 -o - --quiet "
                     "--digits 3");
    assert_int_equal(strncmp(r.out, "# taut ", 7), 0);
    assert_non_null(strstr(r.out, ": rod on a pin\n# taut run rod.yaml --columns "));
    assert_non_null(strstr(r.out, "\nt [s],Ax' [m/s],phi'' [rad/s^2],energy [J]\n0,0,-14.7,0\n"));
    program_release(&r);
    must_say("run rod.yaml --columns Ax --units-row --at 0 -o - --quiet", 0, "t,Ax\ns,m\n0,1\n",
             NULL);
    must_say("run rod.yaml --columns Ax --units --at 0 -o a.json --quiet", 0, NULL, NULL);
    char *json = program_read("a.json");
    assert_non_null(
        strstr(json, "\"columns\":[\"t\",\"Ax\"],\n\"units\":[\"s\",\"m\"],\n\"rows\":[\n[0,1]]"));
    free(json);
    must_say("run rod.yaml --units -o a.mat", 2, NULL, "have no room for units");
    must_say("run rod.yaml --units-row -o a.json", 2, NULL, "--units adds a list");
    must_say("run rod.yaml --header -o a.json", 2, NULL, "only CSV files have comments");
    must_say("run rod.yaml --units --units-row", 2, NULL, "leave out one of the two");
}

/* A file with a comment is read again. */
static void test_comment_is_passed_over_when_read(void **state) {
    (void)state;
    program_write("rod.yaml", ROD, -1);
    must_say("run rod.yaml --header --at 0,1 -o a.csv --quiet", 0, NULL, NULL);
    must_say("run rod.yaml --at 0,1 -o b.csv --quiet", 0, NULL, NULL);
    must_say("diff a.csv b.csv", 0, "no position differs", NULL);
}

/* ---- plots ---- */

static int count(const char *text, const char *part) {
    int n = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part)) n++;
    return n;
}

/* The polyline of the k-th curve of a drawing, as text. */
static void curve_of(const char *svg, int k, char *to, size_t size) {
    const char *p = svg;
    for (int i = 0; i <= k; i++) {
        p = strstr(p + 1, "<g class=\"curve\"");
        assert_non_null(p);
    }
    p = strstr(p, "points=\"");
    assert_non_null(p);
    snprintf(to, size, "%.*s", (int)strcspn(p + 8, "\""), p + 8);
}

static void test_plots_of_tables_have_the_curves_of_the_run(void **state) {
    (void)state;
    static char of_run[20000], of_table[20000];
    program_write("rod.yaml", ROD, -1);
    must_say("run rod.yaml --quiet --units -o run.csv", 0, NULL, NULL);
    must_say("plot rod.yaml phi Ax -o run.svg --quiet", 0, NULL, NULL);
    must_say("plot run.csv phi Ax -o table.svg --quiet", 0, NULL, NULL);
    char *run = program_read("run.svg"), *table = program_read("table.svg");
    /* a table knows no units, so that both curves are in one panel: phi alone is compared by its
     * range */
    assert_int_equal(count(table, "<g class=\"curve\""), 2);
    curve_of(run, 0, of_run, sizeof of_run);
    curve_of(table, 0, of_table, sizeof of_table);
    assert_int_equal(count(of_run, " "), count(of_table, " "));
    free(run);
    free(table);
    must_say("plot run.csv Aq", 2, NULL, "there is no column 'Aq'; did you mean A");
    must_say("plot no.csv Ax", 2, NULL, "cannot open it");
    must_say("plot run.csv Ax --vary g=1,2", 2, NULL, "a table has no parameters");
}

static void test_plots_overlay_tables_and_values(void **state) {
    (void)state;
    program_write("spring.yaml",
                  "PhysicalParams: {k: 1}\nDAE: {Variables: [x], Equations: [\"x'' + k*x\"]}\n"
                  "ProblemData: {tend: 5, positions: {x: 1}, velocities: {x: 0}}\n",
                  -1);
    must_say("run spring.yaml --quiet -o one.csv", 0, NULL, NULL);
    must_say("run spring.yaml --set k=4 --quiet -o four.csv", 0, NULL, NULL);
    must_say("plot one.csv four.csv x -o both.svg", 0, "x over t in both.svg", NULL);
    must_say("plot spring.yaml x --vary k=1,4 -o vary.svg --quiet", 0, NULL, NULL);
    must_say("plot spring.yaml x --vary k=1..4:2 -o range.svg --quiet", 0, NULL, NULL);
    char *both = program_read("both.svg"), *vary = program_read("vary.svg"),
         *range = program_read("range.svg");
    assert_non_null(strstr(both, "x, one"));
    assert_non_null(strstr(both, "x, four"));
    assert_non_null(strstr(vary, "x, k = 4"));
    static char a[20000], b[20000];
    for (int k = 0; k < 2; k++) { /* the same curves, whichever way */
        curve_of(both, k, a, sizeof a);
        curve_of(vary, k, b, sizeof b);
        assert_string_equal(a, b);
    }
    assert_string_equal(vary, range);
    curve_of(vary, 0, a, sizeof a);
    assert_string_not_equal(a, b);
    free(both);
    free(vary);
    free(range);
    must_say("plot spring.yaml x --vary k=1,,2", 2, NULL, "values are expected");
    must_say("plot spring.yaml x --vary q=1,2", 2, NULL, "q");
    must_say("plot spring.yaml x --vary k=1,2 --vary k=3", 2, NULL, "one diagram shows");
    must_say("plot spring.yaml x --vary k=1..2:40", 2, NULL, "at most 32");
}

static void test_plots_have_titles_and_minus_signs(void **state) {
    (void)state;
    program_write("rod.yaml", ROD, -1);
    must_say("plot rod.yaml Ay -o a.svg --quiet", 0, NULL, NULL);
    char *svg = program_read("a.svg");
    assert_int_equal(count(svg, "class=\"y-label\""), 1);
    assert_true(count(svg, ">&#x2212;") > 1);
    assert_null(strstr(svg, ">-"));
    free(svg);
    must_say("plot rod.yaml Ay -o a.jpg", 2, NULL, "give a name that ends in .svg");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_explain_tells_unit_and_meaning),
        TEST(test_new_files_run_as_they_are),
        TEST(test_new_does_not_replace_a_file),
        TEST(test_help_knows_topics_and_commands),
        TEST(test_help_prints_one_section),
        TEST(test_help_of_run_begins_with_what_is_used_first),
        TEST(test_completion_has_every_command),
        TEST(test_completion_of_bash_offers_options_of_the_command),
        TEST(test_columns_are_chosen_in_the_order_asked_for),
        TEST(test_columns_have_the_numbers_of_the_whole_table),
        TEST(test_columns_that_are_not_there_are_refused),
        TEST(test_units_and_comment),
        TEST(test_comment_is_passed_over_when_read),
        TEST(test_plots_of_tables_have_the_curves_of_the_run),
        TEST(test_plots_overlay_tables_and_values),
        TEST(test_plots_have_titles_and_minus_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
