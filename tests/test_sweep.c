/* The command sweep: the same bytes from any number of threads and after a kill, tables in every
 * format, failed runs, parts for job arrays, and calls that make no sense. */
#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "taut/taut.h"

static const char MASS[] = "PhysicalParams: {F: 1, m: 2, k: 0}\n"
                           "Inputs: {push: 0}\n"
                           "DAE: {Variables: [x], Equations: [m*x'' - F - push + k*x]}\n"
                           "ProblemData: {t0: 0, tend: 2, positions: {x: 0}, velocities: {x: 0},\n"
                           "  fixedpositions: {x}, fixedvelocities: {x}}\n";

/* Runs; the exit status must be this one. Returns what it said, all of it, to be freed. */
static char *call(int code, const char *const *words) {
    program_result r;
    program_run(&r, words, 0.0);
    char *said = malloc(strlen(r.out) + strlen(r.err) + 1);
    assert_non_null(said);
    strcpy(said, r.out);
    strcat(said, r.err);
    if (r.code != code) fail_msg("exit %d: %s", r.code, said);
    program_release(&r);
    return said;
}
#define CALL(code, ...) call((code), (const char *const[]){__VA_ARGS__, NULL})
#define SWEEP(...) free(CALL(0, "sweep", "m.yaml", __VA_ARGS__))

static void same_files(const char *a, const char *b) {
    char *one = program_read(a), *two = program_read(b);
    assert_non_null(one);
    assert_non_null(two);
    assert_string_equal(one, two);
    free(one);
    free(two);
}

/* Where the first run has no start, names are checked in another one: loads of joints are found,
 * and columns and events that there are not are refused before anything runs. */
static void test_a_first_run_that_fails_hides_nothing(void **state) {
    (void)state;
    program_write("m.yaml",
                  "PhysicalParams: {l: 1}\n"
                  "Dimension: 2\n"
                  "PartData:\n"
                  "  Fixed: {O: [0, 0], Q: [1.2, 0]}\n"
                  "  Rigids:\n"
                  "    OA: {Geom: [[0.8]], Dyna: [[0.4], 1, 0.05]}\n"
                  "    AB: {Geom: [[l]], Dyna: [[l/2], 1, 0.1]}\n"
                  "    QB: {Geom: [[0.5]], Dyna: [[0.2], 1, 0.1]}\n"
                  "AppliedForces: {Gravity: }\n"
                  "ProblemData: {tend: 0.1, positions: {A: [0.4, 0.69], B: [1.2, 0.5]}}\n",
                  -1);
    free(CALL(0, "sweep", "m.yaml", "--vary", "l=3.2,1", "--report", "max(ground-OA.Fx)"));
    char *table = program_read("m-sweep.csv");
    assert_non_null(strstr(table, "\n0,3.2000000000000002,,"));
    free(table);
    free(CALL(0, "sweep", "m.yaml", "--vary", "l=0,1", "--report", "max(ground-OA.Fx)"));
    table = program_read("m-sweep.csv");
    assert_non_null(strstr(table, "\n0,0,,line 7: the point B of 'AB' coincides"));
    assert_non_null(strstr(table, ",ok\n"));
    free(table);
    char *said = CALL(2, "sweep", "m.yaml", "--vary", "l=3.2,1", "--report", "max(Cx)");
    assert_non_null(strstr(said, "there is no column 'Cx'"));
    free(said);
    said = CALL(2, "sweep", "m.yaml", "--vary", "l=3.2,4", "--report", "first(hit)");
    assert_non_null(strstr(said, "no event or contact 'hit'"));
    free(said);
    program_remove("m.yaml");
    program_remove("m-sweep.csv");
}

/* x = F t^2 / (2 m): the table is known to the last character. */
static void test_a_pushed_mass_gives_the_known_table(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    SWEEP("--vary", "F=1..2:2", "--vary", " push = 0, 1 ", "--report", "end(x)", "--report",
          "v = at(1,x') ", "--report", " at(1,x)");
    char *table = program_read("m-sweep.csv");
    assert_string_equal(table, "run,F,push,end(x),v,\"at(1,x)\",status\n"
                               "0,1,0,1,0.5,0.25,ok\n"
                               "1,1,1,2,1,0.5,ok\n"
                               "2,2,0,2,1,0.5,ok\n"
                               "3,2,1,3,1.5,0.75,ok\n");
    free(table);
    char list[200];
    assert_int_equal(program_list(list, sizeof list), 2); /* no journal stays behind */
    char *said = CALL(0, "sweep", "m.yaml", "--vary", "x=0,1", "--report", "end(x)", "-o", "-");
    assert_non_null(strstr(said, "run,x,end(x),status\n0,0,1,ok\n1,1,2,ok\n"));
    assert_non_null(strstr(said, "2 runs, 0 failed"));
    free(said);
}

#define STUDY                                                                                      \
    "--vary", "F=uniform(1,2)", "--vary", "k=normal(30,3)", "--vary", "x=0,0.1", "--report",       \
        "max(x)", "--report", "rms(x')", "--samples", "150", "--seed", "42"

static void test_tables_do_not_depend_on_threads(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    static const char *const DESIGN[] = {"random", "latin", "sobol"};
    for (int i = 0; i < 3; i++) {
        SWEEP(STUDY, "--design", DESIGN[i], "-j", "1", "-o", "1.csv");
        SWEEP(STUDY, "--design", DESIGN[i], "-j", "2", "-o", "2.csv");
        SWEEP(STUDY, "--design", DESIGN[i], "-o", "all.csv");
        same_files("1.csv", "2.csv");
        same_files("1.csv", "all.csv");
    }
    /* another seed gives another table */
    SWEEP(STUDY, "--seed", "43", "-o", "2.csv");
    char *one = program_read("1.csv"), *two = program_read("2.csv");
    assert_string_not_equal(one, two);
    free(one);
    free(two);
}

/* Starts the program and kills it when its journal has grown to `size` bytes. */
static void kill_at(long size, const char *const *words) {
    const char *argument[40] = {TAUT_PROGRAM};
    for (int i = 0; words[i]; i++) argument[i + 1] = words[i];
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        dup2(null, 2);
        execv(TAUT_PROGRAM, (char *const *)argument);
        _exit(99);
    }
    for (int i = 0; i < 20000 && waitpid(child, NULL, WNOHANG) == 0; i++) {
        FILE *f = fopen("r.csv.journal", "r");
        long have = 0;
        if (f) {
            fseek(f, 0, SEEK_END);
            have = ftell(f);
            fclose(f);
        }
        if (have >= size) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            return;
        }
        nanosleep(&(struct timespec){0, 500000}, NULL);
    }
}

#define LONG_STUDY STUDY, "--tend", "100"

static void test_a_killed_study_goes_on(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    SWEEP(LONG_STUDY, "-j", "1", "-o", "whole.csv");
    kill_at(2000,
            (const char *const[]){"sweep", "m.yaml", LONG_STUDY, "-j", "2", "-o", "r.csv", NULL});
    char *journal = program_read("r.csv.journal");
    assert_non_null(journal);
    assert_false(program_exists("r.csv")); /* it was in the middle */
    /* torn and changed lines are done again */
    char *at = journal;
    for (int i = 0; i < 5; i++) at = strchr(at, '\n') + 1;
    at[30] = at[30] == '1' ? '2' : '1';
    program_write("r.csv.journal", journal, (long)strlen(journal) - 7);
    free(journal);
    SWEEP(LONG_STUDY, "-j", "1", "-o", "r.csv", "--resume");
    same_files("whole.csv", "r.csv");
    assert_false(program_exists("r.csv.journal"));
    /* what belongs to another study is refused, not mixed in */
    program_write("r.csv.journal", "taut sweep journal 1 0123456789abcdef\n", -1);
    char *said = CALL(2, "sweep", "m.yaml", LONG_STUDY, "-o", "r.csv", "--resume");
    assert_non_null(strstr(said, "another study"));
    free(said);
    SWEEP(LONG_STUDY, "-o", "r.csv");
    same_files("whole.csv", "r.csv");
}

/* Wherever a journal is torn, the study goes on to the same bytes, the first line included. */
static void test_a_journal_may_be_torn_anywhere(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    SWEEP("--vary", "m=0,1,2", "--report", "end(x)", "-o", "whole.csv");
    SWEEP("--vary", "m=0,1,2", "--report", "end(x)", "-o", "r.csv", "--shard", "1/1");
    char *journal = program_read("r.csv.journal.1-1");
    assert_non_null(journal);
    program_remove("r.csv.journal.1-1");
    for (size_t length = 0; length <= strlen(journal); length++) {
        program_write("r.csv.journal", journal, (long)length);
        program_remove("r.csv");
        SWEEP("--vary", "m=0,1,2", "--report", "end(x)", "-o", "r.csv", "--resume");
        same_files("whole.csv", "r.csv");
        /* what it has begun anew can be read again */
        assert_false(program_exists("r.csv.journal"));
    }
    free(journal);
}

/* Tables and surfaces that the model reads belong to the study: runs with others are not mixed in.
 */
static void test_other_data_are_another_study(void **state) {
    (void)state;
    program_write("m.yaml",
                  "PhysicalParams: {m: 1}\n"
                  "Tables: {f: {File: f.csv}}\n"
                  "Lagrangian: {Coordinates: [x], L: m*x'^2/2, Forces: {x: f(t)}}\n"
                  "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}\n",
                  -1);
    program_write("f.csv", "t,f\n0,2\n1,2\n", -1);
    SWEEP("--vary", "m=1,2", "--report", "end(x)", "-o", "r.csv", "--shard", "1/2");
    assert_int_equal(rename("r.csv.journal.1-2", "r.csv.journal"), 0);
    SWEEP("--vary", "m=1,2", "--report", "end(x)", "-o", "a.csv");
    program_write("f.csv", "t,f\n0,4\n1,4\n", -1);
    char *said = CALL(2, "sweep", "m.yaml", "--vary", "m=1,2", "--report", "end(x)", "-o", "r.csv",
                      "--resume");
    assert_non_null(strstr(said, "another study"));
    free(said);
    program_write("f.csv", "t,f\n0,2\n1,2\n", -1);
    SWEEP("--vary", "m=1,2", "--report", "end(x)", "-o", "r.csv", "--resume");
    same_files("a.csv", "r.csv");
    char *table = program_read("r.csv");
    assert_string_equal(table, "run,m,end(x),status\n0,1,1,ok\n1,2,0.5,ok\n");
    free(table);
}

/* A cube as STL with an edge of this length. */
static void write_cube(double edge) {
    static const int FACE[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                    {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                    {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    static const int AT[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    char text[8000] = "solid cube\n";
    for (int f = 0; f < 12; f++) {
        strcat(text, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const int *at = AT[FACE[f][k]];
            snprintf(text + strlen(text), sizeof text - strlen(text), "vertex %g %g %g\n",
                     edge * at[0], edge * at[1], edge * at[2]);
        }
        strcat(text, "endloop\nendfacet\n");
    }
    strcat(text, "endsolid\n");
    program_write("cube.stl", text, -1);
}

static void test_another_surface_is_another_study(void **state) {
    (void)state;
    program_write("m.yaml",
                  "PhysicalParams: {k: 1}\n"
                  "Dimension: 3\n"
                  "PartData:\n"
                  "  Fixed: {O: [0, 0, 0]}\n"
                  "  Rigids:\n"
                  "    box: {Elements: [A], Mesh: {File: cube.stl}, Shape: {Type: mesh, Density: "
                  "1}}\n"
                  "AppliedForces: {Forces: {A: [k, 0, 0]}}\n"
                  "ProblemData: {tend: 1, positions: {A: [0, 0, 0]}}\n",
                  -1);
    write_cube(1.0);
    SWEEP("--vary", "k=1,2", "--report", "end(Ax)", "-o", "r.csv", "--shard", "1/2");
    assert_int_equal(rename("r.csv.journal.1-2", "r.csv.journal"), 0);
    write_cube(2.0);
    char *said = CALL(2, "sweep", "m.yaml", "--vary", "k=1,2", "--report", "end(Ax)", "-o", "r.csv",
                      "--resume");
    assert_non_null(strstr(said, "another study"));
    free(said);
}

/* Where the end of a run depends on what is varied, the course of a shorter one ends earlier; its
 * results are there. */
static void test_runs_may_end_before_their_courses(void **state) {
    (void)state;
    program_write("m.yaml",
                  "PhysicalParams: {T: 1}\n"
                  "DAE: {Variables: [x], Equations: [x'' - 2]}\n"
                  "ProblemData: {tend: T, positions: {x: 0}, velocities: {x: 0}}\n",
                  -1);
    SWEEP("--vary", "T=1,0.6,2", "--report", "end(x)", "--trace", "x", "--rows", "3", "--digits",
          "6", "-o", "r.csv");
    char *table = program_read("r.csv"), *course = program_read("r-traces.csv");
    assert_string_equal(table, "run,T,end(x),status\n0,1,1,ok\n1,0.6,0.36,ok\n2,2,4,ok\n");
    assert_string_equal(course, "run,t,x\n0,0,0\n0,0.5,0.25\n0,1,1\n1,0,0\n1,0.5,0.25\n"
                                "2,0,0\n2,0.5,0.25\n2,1,1\n");
    free(table);
    free(course);
}

/* As a job array would do it; the last part to finish writes the table. */
static void test_parts_make_the_same_table(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    SWEEP(STUDY, "-o", "whole.csv");
    char *said = CALL(0, "sweep", "m.yaml", STUDY, "-o", "p.csv", "--shard", "2/3");
    assert_non_null(strstr(said, "100 of 300 runs are there"));
    free(said);
    SWEEP(STUDY, "-o", "p.csv", "--shard", "1/3", "-j", "1");
    assert_false(program_exists("p.csv"));
    SWEEP(STUDY, "-o", "p.csv", "--shard", "3/3");
    same_files("whole.csv", "p.csv");
    program_remove("p.csv");
    program_remove("p.csv.journal.3-3"); /* lost: somebody goes on without parts */
    SWEEP(STUDY, "-o", "p.csv", "--resume");
    same_files("whole.csv", "p.csv");
}

static void test_failed_runs_keep_their_rows(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    SWEEP("--vary", "m=1,0,2", "--report", "end(x)", "-j", "1", "-o", "f.csv");
    SWEEP("--vary", "m=1,0,2", "--report", "end(x)", "-j", "2", "-o", "g.csv");
    same_files("f.csv", "g.csv");
    char *table = program_read("f.csv");
    assert_non_null(strstr(table, "\n0,1,2,ok\n"));
    assert_non_null(strstr(table, "\n1,0,,"));
    assert_null(strstr(table, "\n1,0,,ok"));
    assert_non_null(strstr(table, "\n2,2,1,ok\n"));
    free(table);
    char *said = CALL(1, "sweep", "m.yaml", "--vary", "m=0,0", "--report", "end(x)");
    assert_non_null(strstr(said, "all runs have failed"));
    free(said);
}

static void test_other_formats_have_the_same_numbers(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    SWEEP("--vary", "F=1,2", "--report", "v=end(x')", "-o", "t.json");
    char *text = program_read("t.json");
    assert_string_equal(text, "{\"columns\":[\"run\",\"F\",\"v\",\"status\"],\n"
                              "\"rows\":[\n[0,1,1,\"ok\"],\n[1,2,2,\"ok\"]]}\n");
    free(text);
    SWEEP("--vary", "F=1,2", "--report", "end(x')", "-o", "t.npy");
    FILE *f = fopen("t.npy", "rb");
    char head[129] = "";
    double row[9];
    assert_non_null(f);
    assert_int_equal(fread(head, 1, 128, f), 128);
    assert_memory_equal(head, "\x93NUMPY\x01\x00", 8);
    const int length = (unsigned char)head[8] + 256 * (unsigned char)head[9];
    assert_int_equal((length + 10) % 64, 0);
    fseek(f, 10 + length, SEEK_SET);
    assert_int_equal(fread(row, sizeof row[0], 9, f), 8);
    fclose(f);
    static const double expected[] = {0, 1, 1, 0, 1, 2, 2, 0};
    for (int i = 0; i < 8; i++) assert_near(row[i], expected[i], 1e-12, 0.0);
    SWEEP("--vary", "F=1,2", "--report", "end(x')", "-o", "t.mat");
    assert_true(program_exists("t.mat"));
}

/* Names with quotes and with letters of other alphabets are literals of Python, in ASCII. */
static void test_names_of_numpy_are_literals(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    SWEEP("--vary", "F=1", "--report",
          "gr\xc3\xb6\xc3\x9f"
          "e=end(x)",
          "--report", "end(x')", "-o", "t.npy");
    char *text = program_read("t.npy");
    assert_memory_equal(
        text + 10,
        "{'descr':[('run','<f8'),('F','<f8'),('gr\\u00f6\\u00dfe','<f8'),"
        "('end(x\\')','<f8'),('status','<f8'),],'fortran_order':False,'shape':(1,)}",
        135);
    free(text);
}

static taut_study *make_study(const taut_model *model, const taut_report *report, int reports) {
    static const taut_vary vary = {"F", "1,2"};
    taut_study *study = NULL;
    taut_study_options o = taut_study_options_default();
    taut_errors errors = {0};
    o.vary = &vary;
    o.varies = 1;
    o.report = report;
    o.reports = reports;
    o.threads = 1;
    if (taut_study_create(model, &o, &study, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return study;
}

static taut_model *make_model(void) {
    taut_model *model = NULL;
    assert_int_equal(taut_model_parse("m.yaml", MASS, -1, &model, NULL), TAUT_OK);
    return model;
}

/* The header of .npy has a length of 16 bits; other tables have no such limit. */
static void test_too_many_columns_for_numpy(void **state) {
    enum { MANY = 2000, NAME = 40 };
    (void)state;
    taut_model *model = make_model();
    taut_report *report = calloc(MANY, sizeof *report);
    char(*name)[NAME] = calloc(MANY, NAME);
    taut_errors errors = {0};
    for (int i = 0; i < MANY; i++) {
        snprintf(name[i], NAME, "a_name_that_takes_room_%d", i);
        report[i] = (taut_report){name[i], "end(x)"};
    }
    taut_study *study = make_study(model, report, MANY);
    assert_int_equal(taut_study_run(study, &errors), TAUT_OK);
    program_write("t.npy", "before", -1);
    assert_int_equal(taut_study_write(study, "t.npy", 17, &errors), TAUT_ERR_CALL);
    assert_string_equal(errors.item[0].message, "these are too many columns for .npy");
    char *kept = program_read("t.npy");
    assert_string_equal(kept, "before");
    free(kept);
    assert_int_equal(taut_study_write(study, "t.csv", 17, &errors), TAUT_OK);
    char list[200];
    assert_int_equal(program_list(list, sizeof list), 2); /* nothing is left over */
    taut_study_free(&study);
    taut_model_free(&model);
    free(report);
    free(name);
}

/* A journal that cannot be written, or that is no file, is refused with the reason. */
static void test_journals_that_cannot_be_used(void **state) {
    (void)state;
    static const taut_report report[] = {{NULL, "end(x)"}};
    taut_model *model = make_model();
    taut_study *study = make_study(model, report, 1);
    char longest[1200];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("elsewhere", "link"), 0);
    const struct {
        const char *path;
        bool resume;
        const char *says;
    } bad[] = {
        {longest, false, "the name of the journal is too long"},
        {"folder", false, "the journal folder cannot be used: Is a directory"},
        {"folder", true, "the journal folder cannot be used: Invalid argument"},
        {"link", false, "the journal link cannot be used: Too many levels of symbolic links"},
        {"link", true, "the journal link cannot be used: Too many levels of symbolic links"},
        {"none/j", false, "the journal none/j cannot be used: No such file or directory"},
        {"none/j", true, "the journal none/j cannot be used: No such file or directory"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        taut_errors errors = {0};
        assert_int_equal(taut_study_keep(study, bad[i].path, bad[i].resume, &errors), TAUT_ERR_IO);
        assert_string_equal(errors.item[0].message, bad[i].says);
    }
    assert_false(program_exists("elsewhere"));
    taut_study_free(&study);
    taut_model_free(&model);
}

/* No room for the journal: the study says so, and what it was. */
static void test_a_journal_without_room_is_told(void **state) {
    (void)state;
    static const taut_report report[] = {{NULL, "end(x)"}};
    taut_model *model = make_model();
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int bytes = 10; bytes < 80; bytes += 50) { /* in the first line; in that of a run */
        taut_study *study = make_study(model, report, 1);
        taut_errors errors = {0};
        small = old;
        small.rlim_cur = (rlim_t)bytes;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        taut_status status = taut_study_keep(study, "j", false, &errors);
        assert_int_equal(status, bytes < 38 ? TAUT_ERR_IO : TAUT_OK);
        if (status == TAUT_OK) status = taut_study_run(study, &errors);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(status, TAUT_ERR_IO);
        if (errors.count != 1 || !strstr(errors.item[0].message, "File too large"))
            fail_msg("%d: %s", errors.count, errors.count ? errors.item[0].message : "");
        taut_study_free(&study);
    }
    signal(SIGXFSZ, SIG_DFL);
    taut_model_free(&model);
}

/* Tables of every format onto a full disk: the old file stays, and the message has the reason. */
static void test_tables_without_room_are_told(void **state) {
    (void)state;
    static const taut_report report[] = {{NULL, "end(x)"}};
    static const char *const path[] = {"t.csv", "t.json", "t.npy", "t.mat", "t.h5", "t.html"};
    taut_model *model = make_model();
    taut_study *study = make_study(model, report, 1);
    taut_errors errors = {0};
    struct rlimit old, small;
    char list[200];
    assert_int_equal(taut_study_run(study, &errors), TAUT_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 6; i++) {
        memset(&errors, 0, sizeof errors);
        program_write(path[i], "before", -1);
        small = old;
        small.rlim_cur = 20;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        const taut_status status = taut_study_write(study, path[i], 17, &errors);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(status, TAUT_ERR_IO);
        assert_int_equal(errors.count, 1);
        char begin[80];
        snprintf(begin, sizeof begin, "%s cannot be written", path[i]);
        assert_memory_equal(errors.item[0].message, begin, strlen(begin));
        char *kept = program_read(path[i]);
        assert_string_equal(kept, "before");
        free(kept);
    }
    assert_int_equal(program_list(list, sizeof list), 6);
    signal(SIGXFSZ, SIG_DFL);
    taut_study_free(&study);
    taut_model_free(&model);
}

/* The name that is wrong is said, also beside one that asks for reactions. */
static void test_the_wrong_name_is_told(void **state) {
    (void)state;
    program_write("m.yaml",
                  "PhysicalParams: {l: 1}\n"
                  "Dimension: 2\n"
                  "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[l]], Dyna: [[l/2], 1, "
                  "0.1]}}}\n"
                  "AppliedForces: {Gravity: }\n"
                  "ProblemData: {tend: 1, positions: {A: [l, 0]}}\n",
                  -1);
    char *said = CALL(2, "sweep", "m.yaml", "--vary", "l=1,2", "--report", "max(ground-OA.Fx)",
                      "--report", "max(Aq)");
    if (!strstr(said, "there is no column 'Aq'")) fail_msg("%s", said);
    free(said);
}

static void test_wrong_calls_are_refused_before_the_runs(void **state) {
    (void)state;
    program_write("m.yaml", MASS, -1);
    static const struct {
        const char *word[10], *says;
    } WRONG[] = {
        {{"--report", "end(x)"}, "--vary: nothing is varied"},
        {{"--vary", "F=1,2"}, "--report: no result is asked for"},
        {{"--vary", "F", "--report", "end(x)"}, "write NAME=VALUES"},
        {{"--vary", "G=1,2", "--report", "end(x)"}, "no variable 'G'"},
        {{"--vary", "F=1,2", "--vary", "F=1,2", "--report", "end(x)"}, "it is varied twice"},
        {{"--vary", "F=1..2", "--report", "end(x)"}, "how many values?"},
        {{"--vary", "F=uniform(0,1)", "--report", "end(x)"}, "say how many samples by --samples"},
        {{"--vary", "F=1,2", "--report", "end(x)", "--samples", "3"}, "is for distributions"},
        {{"--vary", "F=1,2", "--report", "end(x)", "--seed", "3"}, "no random numbers"},
        {{"--vary", "F=norml(0,1)", "--report", "end(x)"}, "did you mean 'normal'?"},
        {{"--vary", "F=0+-1", "--report", "end(x)", "--samples", "3", "--design", "cube"},
         "--design cube: there are random, latin and sobol"},
        {{"--vary", "F=1,2", "--report", "end(y)"}, "there is no column 'y'"},
        {{"--vary", "F=1,2", "--report", "end(2*x + 1)"},
         "there is no column '2*x + 1'; a formula becomes one by a name under 'Outputs'"},
        {{"--vary", "F=1,2", "--report", "mx(x)"}, "did you mean 'max'?"},
        {{"--vary", "F=1,2", "--report", "x"}, "as in max(Ax)"},
        {{"--vary", "F=1,2", "--report", "at(x)"}, "write at(T,COLUMN)"},
        {{"--vary", "F=1,2", "--report", "at(3,x)"}, "outside of the run"},
        {{"--vary", "F=1,2", "--report", "F=end(x)"}, "a column of this name already"},
        {{"--vary", "F=1,2", "--report", "end(x)", "--report", "end(x)"}, "of this name already"},
        {{"--vary", "F=1,2", "--report", "end(x)", "--shard", "3/2"}, "as in 1/4"},
        {{"--vary", "F=1,2", "--report", "end(x)", "-j", "0"}, "a whole number from 1"},
        {{"--vary", "F=1,2", "--report", "end(x)", "-o", "m.yaml"}, "m.yaml"},
        {{"--vary", "F=1,2", "--report", "end(x)", "-o", "t.xls"},
         ".csv, .mat, .h5, .json, .npy or .html"},
        {{"--vary", "F=1..2:100000", "--vary", "m=1..2:100000", "--report", "end(x)"},
         "at most 1e+08"},
        {{"--vary", "push=1,2", "--input", "push=t", "--report", "end(x)"}, "the formula t"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        const char *word[14] = {"sweep", "m.yaml"};
        for (int k = 0; k < 10 && WRONG[i].word[k]; k++) word[k + 2] = WRONG[i].word[k];
        char *said = call(2, word);
        if (!strstr(said, WRONG[i].says)) fail_msg("'%s' is not in: %s", WRONG[i].says, said);
        free(said);
    }
    char list[200];
    assert_int_equal(program_list(list, sizeof list), 1); /* and nothing was written */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_first_run_that_fails_hides_nothing),
        TEST(test_a_pushed_mass_gives_the_known_table),
        TEST(test_tables_do_not_depend_on_threads),
        TEST(test_a_killed_study_goes_on),
        TEST(test_a_journal_may_be_torn_anywhere),
        TEST(test_other_data_are_another_study),
        TEST(test_another_surface_is_another_study),
        TEST(test_runs_may_end_before_their_courses),
        TEST(test_parts_make_the_same_table),
        TEST(test_failed_runs_keep_their_rows),
        TEST(test_other_formats_have_the_same_numbers),
        TEST(test_names_of_numpy_are_literals),
        TEST(test_too_many_columns_for_numpy),
        TEST(test_journals_that_cannot_be_used),
        TEST(test_a_journal_without_room_is_told),
        TEST(test_tables_without_room_are_told),
        TEST(test_the_wrong_name_is_told),
        TEST(test_wrong_calls_are_refused_before_the_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
