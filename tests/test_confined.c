/* Files that commands read beside the model: none of them is replaced by what is written; those
 * that a model names are of its own folder if it is confined to it, and nothing of others is shown.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "taut/taut.h"

#define SPRING                                                                                     \
    "PhysicalParams: {k: 3}\n"                                                                     \
    "DAE: {Variables: [x, v], Equations: [x' - v, v' + k*x]}\n"                                    \
    "ProblemData: {t0: 0, tend: 1, positions: {x: 1, v: 0}}\n"
#define STUDY(data) "Study: {Variables: {k: [1, 20]}, Experiments: {first: {Data: " data "}}}\n"
static const char DATA[] = "t,x\n0,1\n0.5,0.65\n1,-0.16\n";

/* ---- what must not be replaced ---- */

static void write_files(void) {
    program_write(
        "m.yaml",
        "Tables: {f: {File: tab.csv}}\nOutputs: {y: f(t)}\nInclude: m-fitted.yaml\n" SPRING STUDY(
            "dat.csv"),
        -1);
    program_write("plain.yaml", SPRING STUDY("dat.csv"), -1);
    program_write("m-fitted.yaml", "PhysicalParams: {a: 1}\n", -1);
    program_write("Makefile", "PhysicalParams: {a: 1}\n", -1);
    program_write("made.yaml", "Include: Makefile\n" SPRING, -1);
    program_write("tab.csv", "t,y\n0,0\n1,1\n2,3\n3,4\n", -1);
    program_write("dat.csv", DATA, -1);
    program_write("s-sweep.csv.journal", "PhysicalParams: {a: 1}\n", -1);
    program_write("s.yaml", "Include: s-sweep.csv.journal\n" SPRING, -1);
}

/* What is read stays as it is, and the message says whose it is. */
static void test_nothing_that_is_read_is_replaced(void **state) {
    (void)state;
    static const struct {
        const char *call, *file, *message;
    } list[] = {
        {"run m.yaml -o dat.csv", "dat.csv", "model includes"},
        {"run m.yaml --stats dat.csv", "dat.csv", "model includes"},
        {"run m.yaml --events dat.csv", "dat.csv", "model includes"},
        {"run m.yaml --save-state dat.csv", "dat.csv", "model includes"},
        {"fit plain.yaml -o dat.csv", "dat.csv", "model includes"},
        {"fit plain.yaml --data tab.csv -o tab.csv", "tab.csv", "file with the data"},
        {"fit m.yaml", "m-fitted.yaml", "model includes"},
        {"sweep m.yaml --vary k=1,2 --report end(x) -o dat.csv", "dat.csv", "model includes"},
        {"sweep s.yaml --vary k=1,2 --report end(x)", "s-sweep.csv.journal", "model includes"},
        {"linearize m.yaml -o tab.csv", "tab.csv", "model includes"},
        {"modes m.yaml -o ./tab.csv", "tab.csv", "model includes"},
        {"equilibrium m.yaml -o tab.csv", "tab.csv", "model includes"},
        {"compare plain.yaml --with dat.csv -o dat.csv", "dat.csv", "what is compared"},
        {"compare made.yaml --with dat.csv -o dat.csv", "dat.csv", "what is compared"},
        {"compare m.yaml --with dat.csv -o tab.csv", "tab.csv", "model includes"},
        {"run plain.yaml --load-state a.state --tend 2 --save-state a.state", "a.state",
         "goes on from"},
        {"export made.yaml --c .", "Makefile", "model includes"},
    };
    program_result r;
    write_files();
    program_call(&r, "run plain.yaml --save-state a.state --quiet");
    assert_int_equal(r.code, 0);
    program_release(&r);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char *before = program_read(list[i].file);
        program_call(&r, list[i].call);
        char *after = program_read(list[i].file);
        if (r.code != 2 || !strstr(r.err, list[i].message))
            fail_msg("taut %s: %d, %s", list[i].call, r.code, r.err);
        assert_non_null(before);
        assert_string_equal(after, before);
        free(before);
        free(after);
        program_release(&r);
    }
}

/* Files of measurements are among those that a model names, behind those that were read. */
static void test_measurements_are_listed(void **state) {
    (void)state;
    taut_model *model = NULL;
    write_files();
    assert_int_equal(taut_model_read("m.yaml", NULL, 0, &model, NULL), TAUT_OK);
    assert_string_equal(taut_model_file(model, 0), "m.yaml");
    assert_string_equal(taut_model_file(model, 1), "tab.csv");
    assert_string_equal(taut_model_file(model, 2), "m-fitted.yaml");
    assert_string_equal(taut_model_file(model, 3), "dat.csv");
    assert_null(taut_model_file(model, 4));
    assert_null(taut_model_file(model, -1));
    taut_model_free(&model);
}

/* ---- what may be read ---- */

/* taut fit home/m.yaml, whose data are there. */
static void fit(program_result *r, const char *data, const char *option) {
    char text[500], call[100];
    snprintf(text, sizeof text,
             SPRING "Study: {Variables: {k: [1, 20]}, Experiments: {first: {Data: '%s'}}}\n", data);
    program_write("home/m.yaml", text, -1);
    snprintf(call, sizeof call, "fit home/m.yaml %s-o f.html --quiet", option);
    program_call(r, call);
}

static void test_measurements_of_confined_models(void **state) {
    (void)state;
    static const struct {
        const char *data;
        bool inside;
    } list[] = {{"in.csv", true},
                {"sub/in.csv", true},
                {"../out.csv", false},
                {"link.csv", false},
                {"sub/../in.csv", true},
                {"linked/out.csv", false},
                {"sub/../../out.csv", false}};
    assert_int_equal(mkdir("home", 0777), 0);
    assert_int_equal(mkdir("home/sub", 0777), 0);
    assert_int_equal(mkdir("homely", 0777), 0);
    program_write("out.csv", DATA, -1);
    program_write("homely/out.csv", DATA, -1);
    program_write("home/in.csv", DATA, -1);
    program_write("home/sub/in.csv", DATA, -1);
    assert_int_equal(symlink("../out.csv", "home/link.csv"), 0);
    assert_int_equal(symlink("../homely", "home/linked"), 0);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        program_result r;
        fit(&r, list[i].data, "");
        assert_int_equal(r.code, 0);
        program_release(&r);
        fit(&r, list[i].data, "--confine ");
        if (r.code != (list[i].inside ? 0 : 2)) fail_msg("%s: %d", list[i].data, r.code);
        if (!list[i].inside)
            assert_non_null(strstr(r.err, "--confine allows the model's own folder only"));
        program_release(&r);
    }
}

/* Nor is a pipe waited for, whose other end nobody has. */
static void test_measurements_are_files(void **state) {
    (void)state;
    program_result r;
    assert_int_equal(mkdir("home", 0777), 0);
    assert_int_equal(mkfifo("home/pipe", 0600), 0);
    fit(&r, "pipe", "");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "m.yaml:4:"));
    assert_non_null(strstr(r.err, "cannot read the data 'home/pipe': it is not a file"));
    program_release(&r);
    fit(&r, "gone.csv", "");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "cannot read the data 'home/gone.csv': No such file"));
    program_release(&r);
}

/* A text from memory is in no folder; calls of a builder name files themselves. */
static void test_measurements_of_models_from_memory(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_estimates *e = NULL;
    taut_errors errors = {0};
    program_write("dat.csv", DATA, -1);
    assert_int_equal(taut_model_parse("m", SPRING STUDY("dat.csv"), -1, &model, NULL), TAUT_OK);
    assert_int_equal(taut_estimate(model, NULL, &e, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "a model from memory cannot read data"));
    taut_estimate_options o = taut_estimate_options_default();
    o.data = (const char *const[]){"dat.csv"};
    o.datas = 1;
    assert_int_equal(taut_estimate(model, &o, &e, NULL), TAUT_OK);
    taut_estimates_free(&e);
    taut_model_free(&model);
}

/* ---- what is shown ---- */

/* Words of a file that is elsewhere are in no message; those of one's own tables are. */
static void test_nothing_of_other_files_is_shown(void **state) {
    (void)state;
    static const char *const text[] = {
        "root:x:secret\nsecret,b\n1,2\n", "t,secret\n0,1\n1,2,secret\n",
        "t,secret\n0,secret\n1,2\n",      "secret,secret\n1,2\n",
        "secret,y\n0,1\n1,2\n",           "t,y\n0,\"secret\n"};
    program_result r;
    assert_int_equal(mkdir("home", 0777), 0);
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        program_write("other.csv", text[i], -1);
        program_write("home/own.csv", text[i], -1);
        fit(&r, "../other.csv", "");
        assert_int_equal(r.code, 2);
        if (strstr(r.err, "secret")) fail_msg("%s", r.err);
        program_release(&r);
        for (int own = 0; own < 2; own++) {
            char model[400];
            snprintf(model, sizeof model,
                     "Tables: {f: {File: %s, Columns: [t, y]}}\n"
                     "DAE: {Variables: [x], Equations: [x' - f(t)]}\n"
                     "ProblemData: {t0: 0, tend: 1, positions: {x: 1}}\n",
                     own ? "own.csv" : "../other.csv");
            program_write("home/t.yaml", model, -1);
            program_call(&r, "check home/t.yaml");
            assert_int_equal(r.code, 2);
            if (!own && strstr(r.err, "secret")) fail_msg("%s", r.err);
            if (own) assert_non_null(strstr(r.err, "secret"));
            program_release(&r);
        }
    }
}

/* A file without end that is no state is given up at once. */
static void test_no_state_is_no_state(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", SPRING, -1);
    assert_int_equal(symlink("/dev/zero", "z.state"), 0);
    program_call(&r, "run m.yaml --load-state z.state");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "z.state cannot be used as a state: it is no state file"));
    program_release(&r);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_that_is_read_is_replaced),
        TEST(test_measurements_are_listed),
        TEST(test_measurements_of_confined_models),
        TEST(test_measurements_are_files),
        TEST(test_measurements_of_models_from_memory),
        TEST(test_nothing_of_other_files_is_shown),
        TEST(test_no_state_is_no_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
