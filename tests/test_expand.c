/* Writing less: repeated parts and included files say what the long file would, to the byte. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "program.h"
#include "taut/taut.h"

/* The results of a file, to be freed. */
static char *results_of(const char *command) {
    program_result r;
    program_call(&r, command);
    if (r.code != 0) fail_msg("taut %s: %s", command, r.err);
    char *out = r.out;
    r.out = NULL;
    program_release(&r);
    return out;
}

static void must_agree(const char *first, const char *second) {
    char *a = results_of(first), *b = results_of(second);
    if (strlen(a) < 1000 || strcmp(a, b) != 0) fail_msg("taut %s, taut %s differ", first, second);
    free(a);
    free(b);
}

/* ---- Repeat ---- */

/* The generators print the long file. */
static void test_repetition_gives_the_bytes_of_the_long_file(void **state) {
    (void)state;
    static const struct {
        const char *script, *file;
        int n;
    } list[] = {{"four-bar", "four-bar-40", 40},
                {"pendulum-chain", "pendulum-chain-5", 5},
                {"pendulum-chain", "pendulum-chain-10", 10}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char command[400], first[300];
        snprintf(command, sizeof command, "sh %s/examples/%s %d 1 > long.yaml", TAUT_SOURCE_DIR,
                 list[i].script, list[i].n);
        assert_int_equal(system(command), 0);
        snprintf(first, sizeof first, "run %s/examples/%s.yaml --quiet -o -", TAUT_SOURCE_DIR,
                 list[i].file);
        must_agree(first, "run long.yaml --quiet -o -");
    }
    must_agree("run long.yaml --quiet -o -",
               "run " TAUT_SOURCE_DIR "/examples/pendulum-chain-5.yaml --set n=10 --quiet -o -");
}

static void test_forty_loops_are_a_short_file(void **state) {
    (void)state;
    char *text = program_read(TAUT_SOURCE_DIR "/examples/four-bar-40.yaml");
    int lines = 0;
    for (const char *p = text; *p; p++) lines += *p == '\n';
    assert_true(lines <= 25);
    free(text);
}

#define GRID                                                                                       \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Particles:\n"                                \
    "    Repeat: {i: 1..2, Repeat: {j: i..2, \"P{10*i+j}\": i + j/10}}\n"                          \
    "  Springs:\n    Repeat: {i: 1..2, Repeat: {j: i..2, \"OP{10*i+j}\": [10, i]}}\n"              \
    "Repeat: {i: 1..2, ProblemData: {positions: {Repeat: {j: i..2, \"P{10*i+j}\": [i, j]}}}}\n"    \
    "ProblemData: {tend: 1}\n"
#define GRID_LONG                                                                                  \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Particles: {P11: 1.1, P12: 1.2, P22: 2.2}\n" \
    "  Springs: {OP11: [10, 1], OP12: [10, 1], OP22: [10, 2]}\n"                                   \
    "ProblemData: {tend: 1, positions: {P11: [1, 1], P12: [1, 2], P22: [2, 2]}}\n"

/* Repetitions in repetitions, whose range may depend on the outer index; whole sections. */
static void test_repetitions_nest(void **state) {
    (void)state;
    program_write("grid.yaml", GRID, -1);
    program_write("long.yaml", GRID_LONG, -1);
    must_agree("run grid.yaml --quiet -o -", "run long.yaml --quiet -o -");
}

/* ---- Include ---- */

#define LEG                                                                                        \
    "PhysicalParams: {l: 1, m: 2}\nDimension: 2\nPartData:\n  Rigids:\n"                           \
    "    HK: {Geom: [[l]], Dyna: [[l/2], m, m*l^2/12]}\n"                                          \
    "    shin: {Elements: [K, F], Geom: [[l]], Dyna: [[l/2], m, m*l^2/12]}\n"                      \
    "  Springs: {HF: [c, l]}\n  Points: {M: (H + F)/2, e: \"[K.y - H.y, H.x - K.x]\"}\n"           \
    "Angles: {knee: [HK, shin], tilt: HK}\nDefine: {reach: norm(F - H)}\n"                         \
    "ProblemData: {positions: {K: [0, -1], F: [0.5, -2]}}\n"
#define BODY                                                                                       \
    "Title: walker\nInclude:\n  - {File: parts/leg.yaml, Prefix: left_}\n"                         \
    "  - {File: parts/leg.yaml, Prefix: right_}\nDimension: 2\n"                                   \
    "PhysicalParams: {c: 5, right_l: 0.9}\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"           \
    "    hip: {Elements: [O, left_H, right_H], Geom: [[0.2, -0.1], [-0.2, -0.1]], Dyna: [[0, "     \
    "0.1], 3, 0.2]}\nAppliedForces: {Gravity: 9.81, Torques: {left_HK: 1}}\n"                      \
    "Outputs: {both: left_reach + right_reach}\n"                                                  \
    "ProblemData: {tend: 1, positions: {left_H: [0.2, -0.1], right_H: [-0.2, -0.1], right_F: "     \
    "[-0.5, -1.5]}}\n"
/* Two legs from one file: each has its own points, and the walker may change a parameter. */
static void test_included_files_bring_their_names(void **state) {
    (void)state;
    program_result r;
    program_table t;
    assert_int_equal(system("mkdir parts"), 0);
    program_write("parts/leg.yaml", LEG, -1);
    program_write("walker.yaml", BODY, -1);
    program_call(&r, "run walker.yaml --quiet -o - --tol 1e-12");
    if (r.code != 0) fail_msg("%s", r.err);
    program_table_read(&t, r.out);
    /* a rigid thigh of each length; the parameter that the walker changed */
    for (long row = 0; row < t.rows; row += 100) {
        const double lx =
            program_table_get(&t, row, "left_Kx") - program_table_get(&t, row, "left_Hx");
        const double ly =
            program_table_get(&t, row, "left_Ky") - program_table_get(&t, row, "left_Hy");
        const double rx =
            program_table_get(&t, row, "right_Kx") - program_table_get(&t, row, "right_Hx");
        const double ry =
            program_table_get(&t, row, "right_Ky") - program_table_get(&t, row, "right_Hy");
        assert_near(hypot(lx, ly), 1.0, 1e-10, 0.0);
        assert_near(hypot(rx, ry), 0.9, 1e-10, 0.0);
        assert_near(program_table_get(&t, row, "left_tilt"), atan2(ly, lx), 1e-10, 0.0);
        assert_near(program_table_get(&t, row, "left_ex"), ly, 1e-9, 0.0);
    }
    assert_near(program_table_get(&t, 0, "right_Mx"),
                (program_table_get(&t, 0, "right_Hx") + program_table_get(&t, 0, "right_Fx")) / 2.0,
                1e-12, 0.0);
    program_table_free(&t);
    program_release(&r);
}

/* Without a prefix an included file is as if it stood there. */
static void test_included_parts_give_the_bytes_of_one_file(void **state) {
    (void)state;
    program_write("params.yaml", "PhysicalParams: {m: 3, l: 2}\n", -1);
    program_write("rods.yaml",
                  "Include: params.yaml\nDimension: 2\nPartData:\n  Rigids:\n"
                  "    OA: {Geom: [[l]], Dyna: [[l/2], m, m*l^2/12]}\n",
                  -1);
    program_write("m.yaml",
                  "Include: [rods.yaml]\nPhysicalParams: {m: 4}\nDimension: 2\nPartData:\n"
                  "  Fixed: {O: [0, 0]}\n  Rigids: {AB: {Geom: [[l]], Dyna: [[l/2], m, m]}}\n"
                  "AppliedForces: {Gravity: }\n"
                  "ProblemData: {tend: 1, positions: {A: [l, 0], B: [2*l, 0]}}\n",
                  -1);
    program_write("one.yaml",
                  "PhysicalParams: {m: 4, l: 2}\nDimension: 2\nPartData:\n  Rigids:\n"
                  "    OA: {Geom: [[l]], Dyna: [[l/2], m, m*l^2/12]}\n"
                  "    AB: {Geom: [[l]], Dyna: [[l/2], m, m]}\n"
                  "  Fixed: {O: [0, 0]}\nAppliedForces: {Gravity: }\n"
                  "ProblemData: {tend: 1, positions: {A: [l, 0], B: [2*l, 0]}}\n",
                  -1);
    must_agree("run m.yaml --quiet -o -", "run one.yaml --quiet -o -");
    must_agree("run m.yaml --quiet -o - --set l=3", "run one.yaml --quiet -o - --set l=3");
}

/* ---- faults ---- */

#define PLANE "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Particles:\n"

static void test_faults_of_repetitions_are_told_once(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } list[] = {
        {PLANE "    Repeat: {\"P{i}\": 1}\n",
         "m.yaml:5:22: error: 'Repeat' begins with its index and the range of it: i: 1..40\n"},
        {PLANE "    Repeat: 3\n",
         "m.yaml:5:13: error: 'Repeat' is {i: 1..40, ...}: an index with its range, and what is "
         "repeated\n"},
        {PLANE "    Repeat: {i: 1..1000000000, \"P{i}\": 1}\n",
         "m.yaml:5:17: error: 1000000000 repetitions are more than 1000000\n"},
        {PLANE "    Repeat: {i: 1..99999, Repeat: {j: 1..99999, Repeat: {k: 1..99999}}}\n",
         "error: repetitions make the model larger than "},
        {PLANE "    Repeat: {i: 5..1, \"P{i}\": 1}\n",
         "m.yaml:5:17: error: the range goes from 5 down to 1: an index counts upwards\n"},
        {PLANE "    Repeat: {i: 1..n, \"P{i}\": 1}\n",
         "m.yaml:5:17: error: in '1..n': unknown name 'n'\n"},
        {"PhysicalParams: {n: 3.5}\n" PLANE "    Repeat: {i: 1..n, \"P{i}\": 1}\n",
         "m.yaml:6:17: error: 'n' must be a whole number, not 3.5\n"},
        {"PhysicalParams: {n: k, k: n}\n" PLANE "    Repeat: {i: 1..n, \"P{i}\": 1}\n",
         "m.yaml:6:17: error: in '1..n': the parameter 'n' cannot be used here"},
        {PLANE "    Repeat: {i: 1..3, P: 1}\n",
         "m.yaml:5:23: error: 'P' is there already; does its name need an index, such as {i}? (i = "
         "2)\n"},
        {PLANE "    Repeat: {i: 0..3, \"P{i-1}\": 1}\n",
         "m.yaml:5:23: error: 'P{i-1}': the index would be -1; in a name it must not be negative "
         "(i "
         "= 0)\n"},
        {PLANE "    Repeat: {i: 1..3, \"P{i/2}\": 1}\n",
         "m.yaml:5:23: error: 'i/2' must be a whole number, not 0.5 (i = 1)\n"},
        {PLANE "    Repeat: {i: 1..3, \"P{i\": 1}\n",
         "m.yaml:5:23: error: 'P{i': a } is missing; an index in a name is written {i} (i = 1)\n"},
        {PLANE "    Repeat: {i: 1..3, \"P{k}\": 1}\n",
         "m.yaml:5:23: error: in 'P{k}': unknown name 'k' (i = 1)\n"},
        {PLANE "    Repeat: {i: 1..3, \"P{i}\": 2 - i}\n",
         "m.yaml:5:31: error: the mass of 'P3' is negative: -1 (i = 3)\n"},
        {PLANE "    Repeat: {i: 1..3, Repeat: {i: 1..3, \"P{i}\": 1}}\n",
         "m.yaml:5:32: error: the repetition around this one has the index 'i', too (i = 1)\n"},
        {"PhysicalParams: {i: 3}\n" PLANE "    Repeat: {i: 1..3, \"P{i}\": 1}\n",
         "m.yaml:6:14: error: 'i' is a parameter: choose another name for the index\n"},
        {PLANE "    Repeat: {sin: 1..3, \"P{sin}\": 1}\n",
         "m.yaml:5:14: error: 'sin' cannot be an index: use a name such as i\n"},
        {"Repeat: {i: 1..2, Dimension: 2}\nPartData: {}\n",
         "m.yaml:1:19: error: 'Dimension' cannot be repeated (i = 2)\n"},
        {PLANE "    Repeat: {i: 1..3, P{i}: 1}\n",
         "m.yaml:5:24: error: a name with an index in braces must be quoted: \"P{i}\""},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        program_write("m.yaml", list[i].text, -1);
        program_call(&r, "check m.yaml");
        if (r.code != 2 || !strstr(r.err, list[i].message))
            fail_msg("no '%s' in\n%s", list[i].message, r.err);
        const char *first = strstr(r.err, "error: ");
        if (first && strstr(first + 1, "error: ")) fail_msg("more than one message:\n%s", r.err);
        program_release(&r);
    }
}

static void test_faults_of_includes_have_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } list[] = {
        {"Include: none.yaml\n",
         "m.yaml:1:10: error: cannot include 'none.yaml': No such file or directory\n"},
        {"Include: .\n", "m.yaml:1:10: error: cannot include '.': it is not a file\n"},
        {"Include: m.yaml\n", "m.yaml:1:10: error: 'm.yaml' includes itself\n"},
        {"Include: round.yaml\n",
         "round.yaml:1:10: error: 'm.yaml' includes itself, through other files\n"},
        {"Include: list.yaml\n",
         "list.yaml:1:1: error: an included file must be a map, {name: value, ...}\n"},
        {"Include: secret.txt\n",
         "secret.txt:1:1: error: this is no part of a model: none of its keys "
         "is one of model files\n"},
        {"Include: broken.yaml\n", "broken.yaml:2:1: error: expected a key or a value here\n"},
        {"Include: {Prefix: a_}\n",
         "m.yaml:1:10: error: the key 'File' is missing: which file is to be included?\n"},
        {"Include: {File: good.yaml, Prefix: left}\n",
         "m.yaml:1:36: error: a prefix is a short name that ends with _, such as left_: it goes "
         "before every name of the included file\n"},
        {"Include: {File: good.yaml, Prefx: left_}\n",
         "m.yaml:1:28: error: unknown key 'Prefx'; an included file is {File: ..., Prefix: ...}\n"},
        {"Include: [[good.yaml]]\n",
         "m.yaml:1:11: error: 'Include' names files: leg.yaml, or {File: leg.yaml, Prefix: "
         "left_}\n"},
        {"Include: heavy.yaml\nDimension: 2\nPartData: {Fixed: {O: [0, 0]}}\n",
         "heavy.yaml:1:27: error: the mass of 'A' is negative: -3\n"},
        {"Include: good.yaml\nDimension: 2\nPartData: {Particles: {A: 1}}\n",
         "m.yaml:3:24: error: 'A' is in this file and in good.yaml, line 1\n"},
        {"Include: [{File: good.yaml, Prefix: b_}]\nDimension: 2\nPhysicalParams: {b_A: 1}\n",
         "is taken already, in m.yaml on line 3"},
    };
    program_write("round.yaml", "Include: m.yaml\n", -1);
    program_write("secret.txt", "user: s3cret\npassword: t0p\n", -1);
    program_write("list.yaml", "[1, 2]\n", -1);
    program_write("broken.yaml", "PartData: [\n", -1);
    program_write("good.yaml", "PartData: {Particles: {A: 2}}\n", -1);
    program_write("heavy.yaml", "PartData: {Particles: {A: -3}}\n", -1);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        program_write("m.yaml", list[i].text, -1);
        program_call(&r, "check m.yaml");
        if (r.code != 2 || !strstr(r.err, list[i].message))
            fail_msg("no '%s' in\n%s", list[i].message, r.err);
        program_release(&r);
    }
}

/* Files have limits: how deep they include others, how many, and how many tables there are. */
static void test_files_have_limits(void **state) {
    (void)state;
    char name[40], line[60], many[20000] = "Include: [", tables[40000] = "Tables: {";
    for (int i = 0; i < 201; i++) {
        snprintf(name, sizeof name, "f%d.yaml", i);
        snprintf(line, sizeof line, "Include: f%d.yaml\n", i + 1);
        program_write(name, i < 20 ? line : "Title: a\n", -1);
        snprintf(many + strlen(many), 40, "%sg%d.yaml", i ? ", " : "", i);
        snprintf(name, sizeof name, "g%d.yaml", i);
        program_write(name, "Outputs: {}\n", -1);
        snprintf(tables + strlen(tables), 60, "%st%d: {File: t%d.csv}", i ? ", " : "", i, i);
        snprintf(name, sizeof name, "t%d.csv", i);
        program_write(name, "x,y\n0,1\n1,2\n", -1);
    }
    snprintf(many + strlen(many), 4, "]\n");
    snprintf(tables + strlen(tables), 4, "}\n");
    const struct {
        const char *text, *message;
    } list[] = {
        {"Include: f0.yaml\n", "f14.yaml:1:10: error: files include files more than 16 deep\n"},
        {many, "m.yaml:1:2101: error: more than 200 files are included\n"},
        {tables, "error: more than 200 files are read\n"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        program_write("m.yaml", list[i].text, -1);
        program_call(&r, "check m.yaml");
        if (r.code != 2 || !strstr(r.err, list[i].message))
            fail_msg("no '%s' in\n%s", list[i].message, r.err);
        program_release(&r);
    }
}

/* Repetitions in repetitions: eight, and no more. */
static void test_repetitions_have_a_depth(void **state) {
    (void)state;
    for (int deep = 8; deep <= 9; deep++) {
        char text[600] = "DAE: {Variables: [x], Equations: [x' - 1]}\n"
                         "ProblemData: {tend: 1, positions: {x: 0}}\n";
        program_result r;
        for (int i = 0; i < deep; i++) snprintf(text + strlen(text), 30, "Repeat: {i%d: 1..1, ", i);
        snprintf(text + strlen(text), 40, "Outputs: {y: x}%.*s\n", deep, "}}}}}}}}}");
        program_write("m.yaml", text, -1);
        program_call(&r, "check m.yaml");
        assert_int_equal(r.code, deep > 8 ? 2 : 0);
        if (deep > 8 &&
            !strstr(r.err, "m.yaml:3:162: error: repetitions are nested more than 8 deep (i0 = 1, "
                           "i1 = 1, i2 = 1, i3 = 1, i4 = 1, i5 = 1, i6 = 1, i7 = 1)\n"))
            fail_msg("%s", r.err);
        program_release(&r);
    }
}

static void run_beside(const char *wanted, int code) {
    char said[2000] = "";
    FILE *shell = popen("bin/taut check m.yaml 2>&1", "r");
    assert_non_null(shell);
    said[fread(said, 1, sizeof said - 1, shell)] = '\0';
    const int status = pclose(shell);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code || !strstr(said, wanted))
        fail_msg("status %d, and no '%s' in\n%s", status, wanted, said);
}

/* Parts are looked for beside the program, wherever that is. */
static void test_parts_are_beside_the_program(void **state) {
    (void)state;
    program_write("m.yaml", "Include: no-such-knob\nDimension: 2\n", -1);
    assert_int_equal(system("mkdir -p bin share/taut/examples && cp '" TAUT_PROGRAM "' bin/taut"),
                     0);
    run_beside("m.yaml:1:10: error: ", 2); /* no parts at all, or those that are installed */
    run_beside("no-such-knob", 2);
    assert_int_equal(system("mkdir share/taut/examples/parts"), 0);
    program_write("share/taut/examples/parts/knob.yaml", "PartData: {Particles: {A: 2}}\n", -1);
    run_beside("m.yaml:1:10: error: there is no part 'no-such-knob' in /", 2);
    run_beside("/share/taut/examples/parts (a file of yours needs its ending: no-such-knob.yaml)\n",
               2);
    program_write("m.yaml", "Include: knop\nDimension: 2\n", -1);
    run_beside(
        "/share/taut/examples/parts; did you mean 'knob'? (a file of yours needs its ending: "
        "knop.yaml)\n",
        2);
    program_write("m.yaml",
                  "Include: knob\nDimension: 2\nProblemData: {tend: 1, positions: {A: [0, 0]}}\n",
                  -1);
    run_beside("m.yaml: mechanism, nothing wrong found\n", 0);
}

static void test_memory_has_no_folder(void **state) {
    (void)state;
    static taut_errors errors;
    taut_model *model;
    assert_int_equal(taut_model_parse("text", "Include: a.yaml\n", -1, &model, &errors),
                     TAUT_ERR_INPUT);
    assert_null(model);
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(errors.item[0].message, "a model from memory cannot include files"));
    assert_int_equal(errors.item[0].line, 1);
    assert_int_equal(errors.item[0].column, 10);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_repetition_gives_the_bytes_of_the_long_file),
        cmocka_unit_test(test_forty_loops_are_a_short_file),
        IN_FOLDER(test_repetitions_nest),
        IN_FOLDER(test_included_files_bring_their_names),
        IN_FOLDER(test_included_parts_give_the_bytes_of_one_file),
        IN_FOLDER(test_faults_of_repetitions_are_told_once),
        IN_FOLDER(test_faults_of_includes_have_their_place),
        IN_FOLDER(test_files_have_limits),
        IN_FOLDER(test_repetitions_have_a_depth),
        IN_FOLDER(test_parts_are_beside_the_program),
        cmocka_unit_test(test_memory_has_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
