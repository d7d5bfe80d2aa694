/* Files that are written: whole whoever writes at the same time, in the place and with the mode of
 * those that they replace, never instead of a file that was read; the reason of a failure; signals.
 * Files that are read: those of the model's folder, if it is confined to it. */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/utf8.h"
#include "out/file.h"
#include "program.h"
#include "taut/taut.h"

static const char MODEL[] = "DAE: {Variables: [x], Equations: [x' + x]}\n"
                            "ProblemData: {t0: 0, tend: 1, positions: {x: 1}}\n";

static taut_model *model;
static taut_result *result;
static taut_errors errors;

static int enter(void **state) {
    const int status = program_enter(state);
    taut_run_options o = taut_run_options_default();
    o.every = TAUT_FOR_SCREEN;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_model_parse("m.yaml", MODEL, -1, &model, NULL), TAUT_OK);
    assert_int_equal(taut_simulate(model, &o, &result, NULL), TAUT_OK);
    return status;
}

static int leave(void **state) {
    taut_result_free(&result);
    taut_model_free(&model);
    return program_leave(state);
}

static void must_write(const char *path) {
    assert_int_equal(taut_result_write(result, path, 12, &errors), TAUT_OK);
}

static bool is_same(const char *a, const char *b) {
    char *first = program_read(a), *second = program_read(b);
    assert_non_null(first);
    assert_non_null(second);
    const bool same = strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}

/* ---- replacing ---- */

static mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void test_a_replaced_file_keeps_its_mode(void **state) {
    (void)state;
    static const char *const path[] = {"o.csv", "o.json", "o.mat"};
    for (int i = 0; i < 3; i++) {
        program_write(path[i], "old", -1);
        assert_int_equal(chmod(path[i], 0604), 0);
        must_write(path[i]);
        assert_int_equal(mode_of(path[i]), 0604);
    }
    const mode_t mask = umask(027);
    must_write("new.csv"); /* a new file has what the umask leaves */
    umask(mask);
    assert_int_equal(mode_of("new.csv"), 0640);
}

static void test_a_link_stays_a_link(void **state) {
    (void)state;
    struct stat info;
    must_write("o.csv");
    assert_int_equal(mkdir("far", 0777), 0);
    program_write("far/real.csv", "old", -1);
    assert_int_equal(symlink("far/real.csv", "one.csv"), 0);
    assert_int_equal(symlink("one.csv", "two.csv"), 0);     /* a link to a link */
    assert_int_equal(symlink("far/none.csv", "to.csv"), 0); /* nothing is there yet */
    must_write("two.csv");
    must_write("to.csv");
    assert_int_equal(lstat("two.csv", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat("one.csv", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_true(is_same("o.csv", "far/real.csv"));
    assert_true(is_same("o.csv", "far/none.csv"));
    assert_int_equal(symlink("round.csv", "round.csv"), 0);
    assert_int_equal(taut_result_write(result, "round.csv", 12, &errors), TAUT_ERR_IO);
}

/* Links under the names that a temporary file could have are not followed. */
static void test_planted_links_are_not_followed(void **state) {
    (void)state;
    char name[80];
    program_write("victim", "precious", -1);
    snprintf(name, sizeof name, "o.csv.%ld.tmp", (long)getpid());
    assert_int_equal(symlink("victim", name), 0);
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "o.csv.%ld-%d.tmp", (long)getpid(), i);
        assert_int_equal(symlink("victim", name), 0);
    }
    must_write("o.csv");
    char *text = program_read("victim");
    assert_string_equal(text, "precious");
    free(text);
    text = program_read("o.csv");
    assert_int_equal(strncmp(text, "t,x", 3), 0);
    free(text);
}

enum { WRITERS = 4, TIMES = 60 };

static void *write_often(void *user) {
    const int digits = 5 + (int)(size_t)user; /* files of different lengths */
    for (int i = 0; i < TIMES; i++)
        if (taut_result_write(result, "o.csv", digits, NULL) != TAUT_OK) return user;
    return NULL;
}

static void test_threads_that_write_one_file(void **state) {
    (void)state;
    pthread_t thread[WRITERS];
    char expected[WRITERS][24], names[400];
    for (int i = 0; i < WRITERS; i++) {
        snprintf(expected[i], sizeof expected[i], "e%d.csv", i);
        assert_int_equal(taut_result_write(result, expected[i], 5 + i, NULL), TAUT_OK);
    }
    for (size_t i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, write_often, (void *)i), 0);
    for (int i = 0; i < WRITERS; i++) {
        void *failed;
        pthread_join(thread[i], &failed);
        assert_null(failed);
    }
    bool known = false; /* one of them, from the beginning to the end */
    for (int i = 0; i < WRITERS; i++) known = known || is_same("o.csv", expected[i]);
    assert_true(known);
    program_list(names, sizeof names);
    assert_null(strstr(names, ".tmp"));
}

/* ---- trouble ---- */

static void test_the_first_reason_is_told(void **state) {
    (void)state;
    const taut_page page = {.file = "m.yaml", .model = model, .result = result};
    if (access("/dev/full", W_OK) != 0) skip();
    assert_int_equal(symlink("/dev/full", "o.json"), 0);
    assert_int_equal(taut_result_write(result, "/dev/full", 12, &errors), TAUT_ERR_IO);
    assert_int_equal(taut_result_write(result, "o.json", 12, &errors), TAUT_ERR_IO);
    assert_int_equal(taut_result_write_stats(result, "/dev/full", &errors), TAUT_ERR_IO);
    assert_int_equal(taut_page_write(&page, "/dev/full", &errors), TAUT_ERR_IO);
    assert_int_equal(errors.count, 4);
    for (int i = 0; i < 4; i++)
        assert_non_null(strstr(errors.item[i].message, "No space left on device"));
}

/* Names as long as file systems allow; the temporary name is no longer than that. */
static void test_longest_names(void **state) {
    (void)state;
    char name[270], names[800];
    for (int length = 200; length <= 255; length += length < 250 ? 10 : 5) {
        for (int wide = 0; wide < 2; wide++) {
            for (int i = 0; i < length; i++)
                name[i] = i < length / 2 * 2 - 10 && wide ? "\xc3\xa4"[i % 2] : 'a';
            snprintf(name + length - 4, 5, ".csv");
            must_write(name);
            assert_true(program_exists(name));
            program_remove(name);
        }
    }
    assert_int_equal(program_list(names, sizeof names), 0);
    memset(name, 'a', 256);
    snprintf(name + 256 - 4, 5, ".csv");
    assert_int_equal(taut_result_write(result, name, 12, &errors), TAUT_ERR_IO);
    assert_non_null(strstr(errors.item[0].message, "File name too long"));
}

/* The folder is gone, or the name is a folder by the time that the file is whole. */
static void test_places_that_change_meanwhile(void **state) {
    (void)state;
    taut_file file;
    char names[200];
    assert_int_equal(taut_output_write("none/o.csv", "x", 1, &errors), TAUT_ERR_IO);
    assert_string_equal(errors.item[0].message,
                        "none/o.csv cannot be written: No such file or directory");
    assert_int_equal(taut_file_open(&file, "o.csv", &errors), TAUT_OK);
    assert_int_equal(taut_file_put(&file, "text", 4), TAUT_OK);
    assert_int_equal(mkdir("o.csv", 0777), 0);
    assert_int_equal(taut_file_close(&file, &errors), TAUT_ERR_IO);
    assert_string_equal(errors.item[1].message, "o.csv cannot be written: Is a directory");
    assert_int_equal(program_list(names, sizeof names), 1);
    assert_string_equal(names, "o.csv ");
}

/* ---- what must not be replaced ---- */

static void test_files_that_were_read_are_not_replaced(void **state) {
    (void)state;
    static const char *const call[] = {"run m.yaml -o sub/leg.csv",
                                       "run m.yaml --stats sub/leg.csv",
                                       "run m.yaml -o alias.csv",
                                       "run m.yaml --confine -o sub/leg.csv",
                                       "view m.yaml -o leg.html",
                                       "plot m.yaml x -o leg.svg",
                                       "compare m.yaml -o leg.html",
                                       "view m.yaml --stats leg.svg",
                                       "plot m.yaml x --stats sub/deep.csv",
                                       "run m.yaml -o ./sub/../sub/deep.csv"};
    assert_int_equal(mkdir("sub", 0777), 0);
    program_write("m.yaml",
                  "Include: [sub/leg.csv, leg.html, leg.svg]\n"
                  "DAE: {Variables: [x], Equations: [x' + k*x]}\n"
                  "ProblemData: {t0: 0, tend: 1, positions: {x: 1}}\n",
                  -1);
    program_write("sub/leg.csv", "Include: deep.csv\nPhysicalParams: {k: 2}\n", -1);
    program_write("sub/deep.csv", "PhysicalParams: {a: 2}\n", -1);
    program_write("leg.html", "PhysicalParams: {b: 2}\n", -1);
    program_write("leg.svg", "PhysicalParams: {c: 2}\n", -1);
    assert_int_equal(symlink("sub/leg.csv", "alias.csv"), 0);
    for (size_t i = 0; i < sizeof call / sizeof call[0]; i++) {
        program_result r;
        program_call(&r, call[i]);
        if (r.code != 2 || !strstr(r.err, "would overwrite a file that the model includes"))
            fail_msg("taut %s: %d, %s", call[i], r.code, r.err);
        program_release(&r);
    }
    taut_model *m = NULL;
    assert_int_equal(taut_model_read("m.yaml", NULL, 0, &m, NULL), TAUT_OK);
    static const char *const file[] = {"m.yaml", "sub/leg.csv", "sub/deep.csv", "leg.html",
                                       "leg.svg"};
    for (int k = 0; k < 5; k++) assert_string_equal(taut_model_file(m, k), file[k]);
    assert_null(taut_model_file(m, 5));
    assert_null(taut_model_file(m, -1));
    assert_null(taut_model_file(model, 0)); /* from memory */
    taut_model_free(&m);
}

/* ---- signals ---- */

/* Waits until a process has had this much processor time, however busy the machine is. */
static void wait_for_work(pid_t child, long milliseconds) {
    const struct timespec pause = {0, 10000000};
    clockid_t clock;
    struct timespec had = {0};
    assert_int_equal(clock_getcpuclockid(child, &clock), 0);
    for (int i = 0; i < 3000; i++) {
        nanosleep(&pause, NULL);
        if (clock_gettime(clock, &had) != 0) return; /* it has ended */
        if (had.tv_sec * 1000 + had.tv_nsec / 1000000 >= milliseconds) return;
    }
}

/* Does it look after a signal already? Reading a long file by a slow build takes a while. */
static bool catches(pid_t child, int number) {
    char path[40], line[200];
    unsigned long long caught = ~0ULL;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)child);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "SigCgt:", 7) == 0) caught = strtoull(line + 7, NULL, 16);
    if (file) fclose(file);
    return caught >> (number - 1) & 1;
}

/* A run of 10 s at least; the signal comes when it has worked for 0.3 s. Returns the exit status;
 * *answer: how many seconds it took to end. */
static int run_with_signal(int number, bool ignored, const char *tend, const char *output,
                           double *answer) {
    const pid_t child = fork();
    if (child == 0) {
        if (ignored) signal(number, SIG_IGN);
        execl(TAUT_PROGRAM, "taut", "run", "long.yaml", "--quiet", "--tend", tend, "-o", output,
              (char *)NULL);
        _exit(127);
    }
    struct timespec begin, end;
    int status = 0;
    wait_for_work(child, 300);
    for (int i = 0; i < 500 && !ignored && !catches(child, number); i++)
        nanosleep(&(const struct timespec){0, 20000000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    kill(child, number);
    assert_int_equal(waitpid(child, &status, 0), child);
    clock_gettime(CLOCK_MONOTONIC, &end);
    *answer = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void test_signals_end_a_run_in_order(void **state) {
    (void)state;
    static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    double answer;
    program_write("long.yaml",
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                  "ProblemData: {t0: 0, tend: 1, positions: {x: 1, v: 0}}\n",
                  -1);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(run_with_signal(number[i], false, "1e7", "o.csv", &answer), 1);
        char *text = program_read("o.csv"); /* what was computed is written */
        assert_non_null(text);
        assert_true(strchr(text, '\n')[1] != '\0');
        free(text);
        program_remove("o.csv");
    }
}

/* Forming the equations of 40,000 angles takes long, and nobody asks for signals there. */
/* A signal that comes while results are written: what was there stays, and nothing is left over. */
static void test_a_signal_ends_the_writing_at_once(void **state) {
    (void)state;
    static const char *const output[] = {"o.csv", "o.json", "o.mat"};
    char text[400];
    program_write("long.yaml",
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                  "Outputs: {Repeat: {i: 1..60, \"y{i}\": x + i}}\n"
                  "ProblemData: {t0: 0, tend: 1, positions: {x: 1, v: 0}}\n",
                  -1);
    for (int i = 0; i < 3; i++) {
        struct timespec begin, end, pause = {0, 1000000};
        int status = 0;
        program_write(output[i], "before", -1);
        const pid_t child = fork();
        if (child == 0) {
            execl(TAUT_PROGRAM, "taut", "run", "long.yaml", "--quiet", "--every", "2e-5", "-o",
                  output[i], (char *)NULL);
            _exit(127);
        }
        /* the temporary file is there */
        while (!(program_list(text, sizeof text) && strstr(text, ".tmp")) &&
               waitpid(child, &status, WNOHANG) == 0)
            nanosleep(&pause, NULL);
        clock_gettime(CLOCK_MONOTONIC, &begin);
        kill(child, SIGINT);
        waitpid(child, &status, 0);
        clock_gettime(CLOCK_MONOTONIC, &end);
        const double answer =
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        print_message("    %s: %.3f s\n", output[i], answer);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        assert_true(answer < 0.5);
        program_list(text, sizeof text);
        assert_null(strstr(text, ".tmp"));
        char *kept = program_read(output[i]);
        assert_string_equal(kept, "before");
        free(kept);
        program_remove(output[i]);
    }
}

static void test_a_signal_ends_the_setup_at_once(void **state) {
    (void)state;
    program_write("long.yaml",
                  "Dimension: 2\n"
                  "PartData:\n"
                  "  Fixed: {O: [0, 0]}\n"
                  "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
                  "Angles: {Repeat: {i: 1..40000, \"a{i}\": OA}}\n"
                  "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
                  -1);
    double answer;
    assert_int_equal(run_with_signal(SIGTERM, false, "1", "o.csv", &answer), 1);
    assert_true(answer < 3.0);
    assert_false(program_exists("o.csv"));
}

/* A limit on the size of files is no reason to leave half a one. */
static void test_a_file_that_may_not_grow_is_told(void **state) {
    (void)state;
    program_write("long.yaml",
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                  "ProblemData: {t0: 0, tend: 1, positions: {x: 1, v: 0}}\n",
                  -1);
    program_write("o.csv", "before", -1);
    FILE *shell = popen("ulimit -f 4; " TAUT_PROGRAM " run long.yaml --quiet -o o.csv 2>&1", "r");
    char text[400] = "";
    assert_non_null(shell);
    assert_non_null(fgets(text, sizeof text, shell));
    for (char rest[400]; fgets(rest, sizeof rest, shell);) continue; /* of a build that measures */
    const int status = pclose(shell);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    assert_string_equal(text, "taut: error: o.csv cannot be written: File too large\n");
    program_list(text, sizeof text);
    assert_null(strstr(text, ".tmp"));
    char *kept = program_read("o.csv");
    assert_string_equal(kept, "before");
    free(kept);
}

static void test_an_ignored_signal_stays_ignored(void **state) {
    (void)state;
    program_write("long.yaml",
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                  "ProblemData: {t0: 0, tend: 1, positions: {x: 1, v: 0}}\n",
                  -1);
    double answer;
    assert_int_equal(run_with_signal(SIGINT, true, "5e5", "o.csv", &answer), 0);
    assert_int_equal(run_with_signal(SIGHUP, true, "5e5", "o.csv", &answer), 0);
}

/* ---- reading ---- */

static void test_confined_models(void **state) {
    (void)state;
    static const struct {
        const char *include;
        bool inside;
    } list[] = {{"in.yaml", true},         {"sub/in.yaml", true},    {"../out.yaml", false},
                {"link.yaml", false},      {"sub/../in.yaml", true}, {"sub/up.yaml", false},
                {"linked/out.yaml", false}};
    char absolute[1100], here[1024], text[1400];
    assert_non_null(realpath(".", here));
    assert_int_equal(mkdir("home", 0777), 0);
    assert_int_equal(mkdir("home/sub", 0777), 0);
    assert_int_equal(mkdir("homely", 0777), 0); /* the same beginning */
    program_write("out.yaml", "PhysicalParams: {k: 2}\n", -1);
    program_write("homely/out.yaml", "PhysicalParams: {k: 2}\n", -1);
    program_write("home/in.yaml", "PhysicalParams: {k: 2}\n", -1);
    program_write("home/sub/in.yaml", "PhysicalParams: {k: 2}\n", -1);
    program_write("home/sub/up.yaml", "Include: ../../out.yaml\n", -1);
    assert_int_equal(symlink("../out.yaml", "home/link.yaml"), 0);
    assert_int_equal(symlink("../homely", "home/linked"), 0);
    snprintf(absolute, sizeof absolute, "%s/homely/out.yaml", here);
    for (size_t i = 0; i <= sizeof list / sizeof list[0]; i++) {
        const bool last = i == sizeof list / sizeof list[0];
        taut_read_options o = taut_read_options_default();
        taut_model *m = NULL;
        snprintf(text, sizeof text,
                 "Include: %s\nDAE: {Variables: [x], Equations: [x' + k*x]}\n"
                 "ProblemData: {t0: 0, tend: 1, positions: {x: 1}}\n",
                 last ? absolute : list[i].include);
        program_write("home/m.yaml", text, -1);
        assert_int_equal(taut_model_read_with("home/m.yaml", &o, &m, NULL), TAUT_OK);
        taut_model_free(&m);
        o.confine = true;
        memset(&errors, 0, sizeof errors);
        const taut_status status = taut_model_read_with("home/m.yaml", &o, &m, &errors);
        assert_int_equal(status, !last && list[i].inside ? TAUT_OK : TAUT_ERR_INPUT);
        if (status != TAUT_OK) assert_non_null(strstr(errors.item[0].message, "options.confine"));
        taut_model_free(&m);
    }
    program_result r;
    program_call(&r, "check home/m.yaml --confine");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "--confine allows the model's own folder only"));
    program_release(&r);
}

/* What is included by mistake, or by somebody who wants to see it, is not shown. */
static void test_lines_of_other_files_are_not_shown(void **state) {
    (void)state;
    static const char *const secret[] = {"root:x:0:secret\nuser: [\n", "password: secret\n",
                                         "- secret\n", "PhysicalParams: {k: secret}\n"};
    program_write("m.yaml", "Include: secrets.txt\nDAE: {Variables: [x], Equations: [x']}\n", -1);
    for (size_t i = 0; i < sizeof secret / sizeof secret[0]; i++) {
        program_result r;
        program_write("secrets.txt", secret[i], -1);
        program_call(&r, "check m.yaml");
        assert_int_equal(r.code, 2);
        if (i < 3) assert_null(strstr(r.err, "secret\n"));
        assert_null(strstr(r.err, "\n  password"));
        assert_null(strstr(r.err, "\n  Physical"));
        program_release(&r);
    }
}

/* ---- names that do harm ---- */

/* No control characters but ends of lines, and nothing that is not UTF-8. */
static void assert_harmless(const char *what, const char *text) {
    for (const char *p = text; *p;) {
        const char *at = p;
        const unsigned c = taut_utf8_next(&p);
        if (c == '\n' || (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c != TAUT_UTF8_NONE)) continue;
        fail_msg("%s has \\x%02x after '%.40s'", what, (unsigned)(unsigned char)*at,
                 at - text > 40 ? at - 40 : text);
    }
}

static void test_names_cannot_steer_a_terminal(void **state) {
    (void)state;
    static const char *const call[] = {"run \033[31m\xff\x9b.yaml",
                                       "run \033[31m\xff\x9b.yaml -o \033.csv",
                                       "run \033[31m\xff\x9b.yaml -o \033/no.csv",
                                       "run \033[31m\xff\x9b.yaml --tend \033[2J",
                                       "run \033[31m\xff\x9b.yaml --set \033=1",
                                       "run \033[31m\xff\x9b.yaml --set k=\033",
                                       "run \033[31m\xff\x9b.yaml -o \033[31m\xff\x9b.yaml",
                                       "run \033[31m\xff\x9b.yaml --sol\033",
                                       "check \033[31m\xff\x9b.yaml",
                                       "analyze \033[31m\xff\x9b.yaml",
                                       "analyze \033[31m\xff\x9b.yaml --json",
                                       "compare \033[31m\xff\x9b.yaml --solver adams --tols 1e-6",
                                       "compare \033[31m\xff\x9b.yaml --json --solver adams",
                                       "compare \033[31m\xff\x9b.yaml --solver \033",
                                       "plot \033[31m\xff\x9b.yaml x --ascii",
                                       "plot \033[31m\xff\x9b.yaml \033",
                                       "plot \033[31m\xff\x9b.yaml x",
                                       "view \033[31m\xff\x9b.yaml",
                                       "run \033]0;gone.yaml",
                                       "\033[31m",
                                       "run a \033",
                                       "check \033bad.yaml"};
    static const char *const file[] = {"\033[31m\xff\x9b.html", "\033[31m\xff\x9b.svg",
                                       "\033[31m\xff\x9b-compare.html"};
    setenv("LC_ALL", "C", 1);
    program_write("\033[31m\xff\x9b.yaml",
                  "Title: \"\\e]0;owned\\a \\x9b31m \\n second\\t\"\n"
                  "PhysicalParams: {k: 1}\n"
                  "DAE: {Variables: [x], Equations: [x' + k*x]}\n"
                  "ProblemData: {t0: 0, tend: 1, positions: {x: 1}}\n",
                  -1);
    program_write("\033bad.yaml", "DAE: {Variables: [\"\\e[31m\"], Equations: [\"\\e\"]}\n", -1);
    for (size_t i = 0; i < sizeof call / sizeof call[0]; i++) {
        program_result r;
        program_call(&r, call[i]);
        assert_harmless(call[i] + 1, r.out);
        assert_harmless(call[i] + 1, r.err);
        program_release(&r);
    }
    unsetenv("LC_ALL");
    for (int i = 0; i < 3; i++) {
        char *text = program_read(file[i]);
        assert_non_null(text);
        for (const char *p = text; *p;) { /* a page, a plot: all of it is UTF-8 */
            const char *at = p;
            if (taut_utf8_next(&p) == TAUT_UTF8_NONE && strncmp(at, "\xef\xbf\xbd", 3) != 0)
                fail_msg("byte %ld of %s is not UTF-8", (long)(at - text), file[i] + 1);
        }
        assert_null(strchr(text, '\033'));
        free(text);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(int count, char **word) {
    if (count > 1) cmocka_set_test_filter(word[1]);
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_a_replaced_file_keeps_its_mode),
        IN_FOLDER(test_a_link_stays_a_link),
        IN_FOLDER(test_planted_links_are_not_followed),
        IN_FOLDER(test_threads_that_write_one_file),
        IN_FOLDER(test_the_first_reason_is_told),
        IN_FOLDER(test_longest_names),
        IN_FOLDER(test_places_that_change_meanwhile),
        IN_FOLDER(test_files_that_were_read_are_not_replaced),
        IN_FOLDER(test_signals_end_a_run_in_order),
        IN_FOLDER(test_a_signal_ends_the_setup_at_once),
        IN_FOLDER(test_a_signal_ends_the_writing_at_once),
        IN_FOLDER(test_a_file_that_may_not_grow_is_told),
        IN_FOLDER(test_an_ignored_signal_stays_ignored),
        IN_FOLDER(test_names_cannot_steer_a_terminal),
        IN_FOLDER(test_confined_models),
        IN_FOLDER(test_lines_of_other_files_are_not_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
