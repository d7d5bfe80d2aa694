/* Ctrl-C at many moments of all commands that may take long: while a model is read, while equations
 * are formed and factored, in steps, between runs, while files are written, while programs of
 * others make a film or a picture. What is measured is printed: processor time, since machines are
 * busy; seconds of the clock are bounded for hangs only. */
#define _DEFAULT_SOURCE /* wait4 */
#include "check.h"

#include <fcntl.h>
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/text.h"
#include "program.h"

enum { FEW_RODS = 60, RODS = 150, MANY_RODS = 400 };
static const double MOST_SECONDS = 20.0; /* until the program has ended */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double MOST_WORK = 20.0;
#elif defined(NDEBUG)
static const double MOST_WORK = 0.5; /* seconds of processor time since the signal */
#else
static const double MOST_WORK = 2.5; /* of a build that is not optimised */
#endif

static void write_chain_with(int rods, const char *study) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "PhysicalParams: {g: 9.81}\nDimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n"
        "    Repeat: {i: 1..%d, \"P{i-1}P{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
        "AppliedForces: {Gravity: g}\n"
        "ProblemData: {tend: 2, positions: {Repeat: {i: 1..%d, \"P{i}\": [i, 0]}}}\n%s",
        rods, rods, study);
    program_write("chain.yaml", text, -1);
}

static void write_chain(int rods) { write_chain_with(rods, ""); }

/* ---- a process that is interrupted ---- */

typedef struct process {
    pid_t id;
    int out, err; /* ends of pipes to read from; out is not read */
} process;

static process start(const char *const *words) {
    int out[2], err[2];
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(err), 0);
    const pid_t id = fork();
    assert_true(id >= 0);
    if (id == 0) {
        if (dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0) _exit(126);
        close(out[0]);
        close(err[0]);
        execv(TAUT_PROGRAM, (char *const *)(uintptr_t)words);
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    return (process){id, out[0], err[0]};
}

static double work_of(pid_t id) {
    clockid_t clock;
    struct timespec had;
    if (clock_getcpuclockid(id, &clock) != 0 || clock_gettime(clock, &had) != 0) return 0.0;
    return (double)had.tv_sec + 1e-9 * (double)had.tv_nsec;
}

static void pause_a_moment(void) { nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); }

/* Until it has had so much processor time; false: it has ended before. */
static bool has_worked(const process *p, double seconds) {
    const double end = taut_seconds() + MOST_SECONDS;
    while (work_of(p->id) < seconds && taut_seconds() < end) {
        siginfo_t info = {0};
        waitid(P_PID, (id_t)p->id, &info, WEXITED | WNOHANG | WNOWAIT);
        if (info.si_pid == p->id) return false;
        pause_a_moment();
    }
    return true;
}

/* Waits for the end; the exit status, and how much processor time there was since `before`. */
static int end_of(const process *p, double before, double *since) {
    const double late = taut_seconds() + MOST_SECONDS;
    struct rusage used;
    int status = 0;
    while (wait4(p->id, &status, WNOHANG, &used) == 0) {
        if (taut_seconds() > late) {
            kill(p->id, SIGKILL);
            waitpid(p->id, &status, 0);
            fail_msg("it has not ended %g s after the signal", MOST_SECONDS);
        }
        pause_a_moment();
    }
    *since = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
             1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) - before;
    close(p->out);
    close(p->err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- moments ---- */

/* Interrupts a command after these parts of a second of work. */
static void interrupt(const char *name, const char *const *words) {
    static const double moment[] = {0.01, 0.05, 0.12, 0.25, 0.4, 0.8};
    double longest = 0.0, at = 0.0, since;
    int count = 0;
    for (size_t i = 0; i < sizeof moment / sizeof moment[0]; i++) {
        char list[400];
        process p = start(words);
        const bool busy = has_worked(&p, moment[i]);
        const double before = work_of(p.id);
        if (busy) kill(p.id, SIGINT);
        const int code = end_of(&p, before, &since);
        program_list(list, sizeof list);
        assert_null(strstr(list, ".tmp"));
        /* 130: before the program has begun to look after signals */
        if (code != 0 && code != 1 && code != 128 + SIGINT)
            fail_msg("%s, at %.3f s: exit %d", name, moment[i], code);
        if (!busy) break;
        count++;
        if (since > longest) {
            longest = since;
            at = moment[i];
        }
    }
    print_message("    %s: %d moments, at most %.3f s of work (signal after %.3f s)\n", name, count,
                  longest, at);
    assert_true(count > 0); /* a fast machine is done before the later ones */
    assert_true(longest < MOST_WORK);
}
#define INTERRUPT(name, ...) interrupt(name, (const char *const[]){"taut", __VA_ARGS__, NULL})

static void test_run_can_be_interrupted(void **state) {
    (void)state;
    write_chain(RODS);
    INTERRUPT("run", "run", "chain.yaml", "--tend", "20", "--quiet", "-o", "o.csv");
    INTERRUPT("run, bdf", "run", "chain.yaml", "--solver", "bdf", "--quiet", "-o", "o.csv");
    INTERRUPT("run, ho", "run", "chain.yaml", "--tend", "20", "--solver", "ho", "--quiet", "-o",
              "o.mat");
    INTERRUPT("run, relative", "run", "chain.yaml", "--tend", "20", "--formulation", "relative",
              "--quiet", "-o", "o.json");
}

/* Has the program the engine of live pages? */
static bool has_live_pages(void) {
    program_result r;
    program_call(&r, "view chain.yaml --live --tend 0.01 --quiet -o l.html");
    const bool has = r.code == 0;
    program_release(&r);
    return has;
}

static void test_view_can_be_interrupted(void **state) {
    (void)state;
    write_chain(RODS);
    INTERRUPT("view", "view", "chain.yaml", "--tend", "20", "--quiet", "-o", "o.html");
    INTERRUPT("view --with", "view", "chain.yaml", "--with", "chain.yaml", "--quiet", "-o",
              "o.html");
    if (has_live_pages())
        INTERRUPT("view --live", "view", "chain.yaml", "--live", "--tend", "20", "--quiet", "-o",
                  "l.html");
}

/* What needs one point only, or no forces; and code. */
static void test_analyses_can_be_interrupted(void **state) {
    (void)state;
    write_chain(RODS);
    INTERRUPT("analyze", "analyze", "chain.yaml", "--json");
    INTERRUPT("linearize", "linearize", "chain.yaml", "--quiet");
    INTERRUPT("equilibrium", "equilibrium", "chain.yaml", "--quiet");
    INTERRUPT("export --c", "export", "chain.yaml", "--c", "code", "--quiet");
    INTERRUPT("plot", "plot", "chain.yaml", "P9x", "--tend", "20", "--quiet", "-o", "p.svg");
    INTERRUPT("plot --vary", "plot", "chain.yaml", "P9x", "--vary", "g=1..9:9", "--tend", "20",
              "--quiet", "-o", "p.svg");
    write_chain_with(RODS, "Inputs: {u: 0}\nOutputs: {y: P9x + u}\n");
    INTERRUPT("bode", "bode", "chain.yaml", "--in", "u", "--out", "y", "--quiet", "-o", "b.csv");
    write_chain_with(RODS, "Angles: {phi: P0P1}\nDrivers: {phi: 0.1*t}\n");
    INTERRUPT("inverse", "inverse", "chain.yaml", "--tend", "20", "--quiet", "-o", "i.csv");
    program_write("crank.yaml",
                  "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], Q: [1, 0]}\n  Rigids:\n"
                  "    OA: {Geom: [[0.4, 0]]}\n    AB: {Geom: [[1, 0]]}\n    QB: {Geom: [[0.7, "
                  "0]]}\nAngles: {phi: OA}\n"
                  "ProblemData: {tend: 1, positions: {A: [0.1, 0.4], B: [1.2, 0.6]}}\n",
                  -1);
    INTERRUPT("kinematics", "kinematics", "crank.yaml", "--drive", "phi=0..36000deg:1000001",
              "--starts", "9999", "--quiet", "-o", "k.csv");
    INTERRUPT("kinematics --reach", "kinematics", "crank.yaml", "--reach", "B=9,9", "--starts",
              "9999", "--quiet", "-o", "k.csv");
}

static void test_compare_can_be_interrupted(void **state) {
    (void)state;
    write_chain(RODS);
    INTERRUPT("compare", "compare", "chain.yaml", "--quiet", "-o", "c.html");
}

static void test_sweep_can_be_interrupted(void **state) {
    (void)state;
    write_chain(RODS);
    INTERRUPT("sweep", "sweep", "chain.yaml", "--vary", "g=1..10:400", "--report", "end(P3x)",
              "--quiet", "-o", "s.csv");
}

static void test_optimize_can_be_interrupted(void **state) {
    (void)state;
    write_chain_with(FEW_RODS, "Study: {Variables: {g: [1, 20]}, Starts: 3, Minimize: end(P9x)}\n");
    INTERRUPT("optimize", "optimize", "chain.yaml", "--quiet", "-o", "o.csv");
    INTERRUPT("optimize, search", "optimize", "chain.yaml", "--method", "search", "--quiet", "-o",
              "o.csv");
}

static void test_fit_can_be_interrupted(void **state) {
    (void)state;
    taut_string data = {0};
    taut_string_add(&data, "t,P3x\n");
    for (int i = 1; i < 2000; i++) taut_string_add(&data, "%g,%g\n", 1e-3 * i, 3.0 - 1e-5 * i);
    program_write("d.csv", data.text, -1);
    taut_string_release(&data);
    write_chain_with(FEW_RODS, "Study: {Variables: {g: [1, 20]}, Starts: 3, Experiments: {e: "
                               "{Data: d.csv}}, Weights: {P3x: 1}}\n");
    INTERRUPT("fit", "fit", "chain.yaml", "--quiet", "-o", "f.html");
}

/* Inside a run as well: one of them takes minutes, with derivatives and without. */
static void test_searches_can_be_interrupted(void **state) {
    (void)state;
    program_write("mass.yaml",
                  "PhysicalParams: {k: 2}\n"
                  "DAE: {Variables: [x], Equations: [x'' + k*x]}\n"
                  "ProblemData: {tend: 1e9, positions: {x: 1}, velocities: {x: 0}}\n"
                  "Study: {Variables: {k: [1, 5]}, Minimize: max(x)}\n",
                  -1);
    program_write("parts.yaml",
                  "PhysicalParams: {k: 2}\n"
                  "DAE: {Variables: [x], Equations: [x'' + k*x]}\n"
                  "ProblemData: {tend: 1e9, positions: {x: 1}, velocities: {x: 0}}\n"
                  "Study: {Variables: {k: [1, 5]}, Shooting: 2}\n",
                  -1);
    program_write("data.csv", "t,x\n0.5,0.1\n1e9,0.2\n", -1);
    INTERRUPT("optimize", "optimize", "mass.yaml", "--quiet");
    INTERRUPT("optimize by search", "optimize", "mass.yaml", "--method", "search", "--quiet");
    INTERRUPT("fit", "fit", "mass.yaml", "--data", "data.csv", "--quiet");
    INTERRUPT("fit by shooting", "fit", "parts.yaml", "--data", "data.csv", "--quiet");
}

/* Eigenvalues of 800 states: LAPACK asks nobody whether to go on, for seconds. Nothing of them
 * would be kept, so the program need not wait for it. */
static void test_modes_can_be_interrupted(void **state) {
    (void)state;
    static const char *const words[] = {"taut", "modes", "chain.yaml", "--quiet", NULL};
    double since = 0.0;
    write_chain(MANY_RODS);
    const process p = start(words);
    assert_true(has_worked(&p, 0.25));
    kill(p.id, SIGINT);
    assert_int_equal(end_of(&p, work_of(p.id), &since), 1);
    print_message("    %.3f s of work\n", since);
    assert_true(since < (MOST_WORK > 2.5 ? 0.2 * MOST_WORK : 0.5));
}

/* ---- the answer ---- */

/* Reads what it says until these words are there; false: after so many seconds they are not. */
static bool says(const process *p, const char *words, double seconds) {
    char text[2000] = "";
    size_t length = 0;
    const double late = taut_seconds() + seconds;
    while (!strstr(text, words)) {
        struct pollfd one = {.fd = p->err, .events = POLLIN};
        const double left = late - taut_seconds();
        if (left <= 0.0 || poll(&one, 1, (int)(1e3 * left) + 1) <= 0) return false;
        const ssize_t n = read(p->err, text + length, sizeof text - 1 - length);
        if (n <= 0) return false;
        length += (size_t)n;
        text[length] = '\0';
    }
    return true;
}

/* Nobody takes the table: the writing of what there is cannot end. It is said what happens, and a
 * second Ctrl-C ends it. */
static void test_a_long_end_is_answered(void **state) {
    (void)state;
    static const char *const words[] = {"taut", "run",         "long.yaml", "--quiet",
                                        "-o",   "/dev/stdout", NULL};
    double since;
    program_write("long.yaml",
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                  "Outputs: {Repeat: {i: 1..60, \"y{i}\": x + i}}\n"
                  "ProblemData: {t0: 0, tend: 1e6, positions: {x: 1, v: 0}}\n",
                  -1);
    const process p = start(words);
    assert_true(has_worked(&p, 0.3));
    kill(p.id, SIGINT);
    const double begin = taut_seconds();
    assert_true(says(&p, "what has been computed is being kept; once more ends the program at once",
                     MOST_SECONDS));
    print_message("    answered after %.3f s\n", taut_seconds() - begin);
    kill(p.id, SIGINT);
    assert_true(says(&p, "interrupted while files were written", MOST_SECONDS));
    assert_int_equal(end_of(&p, work_of(p.id), &since), 1);
}

/* The signals that end a program, before there is anything to keep: by the same exit status. */
static void test_all_signals_are_told(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static const char *const words[] = {"taut", "export", "chain.yaml", "--c", "code", NULL};
    write_chain(RODS);
    for (int i = 0; i < 3; i++) {
        double since;
        const process p = start(words);
        assert_true(has_worked(&p, 0.1));
        const double before = work_of(p.id);
        kill(p.id, signals[i]);
        assert_true(says(&p, "taut: stopped: interrupted", MOST_SECONDS));
        assert_int_equal(end_of(&p, before, &since), 1);
        assert_true(since < MOST_WORK);
    }
}

/* ---- programs of others ---- */

static const char SWING[] =
    "Dimension: 2\nPhysicalParams: {g: 9.81}\nPartData:\n  Fixed: {O: [0, 0]}\n"
    "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\nAppliedForces: {Gravity: g}\n"
    "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n";

static int count_entries(const char *folder) {
    DIR *dir = opendir(folder);
    int count = -2; /* . and .. */
    assert_non_null(dir);
    while (readdir(dir)) count++;
    closedir(dir);
    return count;
}

static void pause_for(double seconds) {
    const double end = taut_seconds() + seconds;
    while (taut_seconds() < end) pause_a_moment();
}

/* Until there is something in a folder, or a file. */
static void wait_until(bool (*is)(const char *), const char *path) {
    const double late = taut_seconds() + MOST_SECONDS;
    while (!is(path)) {
        assert_true(taut_seconds() < late);
        pause_a_moment();
    }
}
static bool has_entries(const char *folder) { return count_entries(folder) > 0; }

/* A program in the folder `bin`, which is first in PATH; temporary files go into `tmp`. */
static void write_program(const char *name, const char *text) {
    char path[100];
    snprintf(path, sizeof path, "bin/%s", name);
    program_write(path, text, -1);
    assert_int_equal(chmod(path, 0755), 0);
}

static void enter_folders(void) {
    char folder[200], text[4000];
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(mkdir("bin", 0755) | mkdir("tmp", 0755), 0);
    snprintf(text, sizeof text, "%s/bin:%s", folder, getenv("PATH"));
    setenv("PATH", text, 1);
    snprintf(text, sizeof text, "%s/tmp", folder);
    setenv("TMPDIR", text, 1);
    program_write("swing.yaml", SWING, -1);
}

/* Interrupts a command whose helper has written `pid`; nobody and nothing may be left. */
static void interrupt_helped(const char *const *words, int number, const char *message) {
    double since;
    const process p = start(words);
    wait_until(program_exists, "pid");
    const double late = taut_seconds() + MOST_SECONDS;
    const double before = work_of(p.id);
    kill(p.id, number);
    assert_true(says(&p, message, MOST_SECONDS));
    kill(p.id, number); /* impatience changes nothing */
    assert_int_equal(end_of(&p, before, &since), 1);
    assert_true(since < MOST_WORK);
    assert_int_equal(count_entries("tmp"), 0);
    char *id = program_read("pid");
    const pid_t helper = (pid_t)strtol(id, NULL, 10);
    assert_true(helper > 1);
    while (kill(-helper, 0) == 0) { /* nor whoever it has started, once that is counted out */
        assert_true(taut_seconds() < late);
        pause_a_moment();
    }
    free(id);
    program_remove("pid");
}

#define BROWSER                                                                                    \
    "#!/bin/sh\nfor word; do case $word in --user-data-dir=*) folder=${word#*=};; esac; done\n"    \
    "mkdir \"$folder/a\" && echo b > \"$folder/a/b\" && echo c > \"$TMPDIR/c\"\n"                  \
    "echo $$ > mine && mv mine pid\n"

static void test_films_can_be_interrupted(void **state) {
    (void)state;
    static const char *const words[] = {"taut",    "view",    "swing.yaml", "-o", "p.html",
                                        "--quiet", "--video", "film.webm",  NULL};
    static const char message[] = "taut: stopped: interrupted while the film was made";
    char path[300];
    const char *before = getenv("CHROMIUM");
    enter_folders();
    assert_non_null(getcwd(path, 200));
    strcat(path, "/bin/browser");
    setenv("CHROMIUM", path, 1);
    write_program("browser", BROWSER "exec sleep 60\n");
    interrupt_helped(words, SIGINT, message);
    interrupt_helped(words, SIGTERM, message);
    interrupt_helped(words, SIGHUP, message);
    /* one that does not want to end, with a child of its own */
    write_program("browser", BROWSER "trap '' TERM\nsleep 60 &\nwhile :; do sleep 1; done\n");
    interrupt_helped(words, SIGINT, message);
    assert_true(program_exists("p.html"));
    assert_false(program_exists("film.webm"));
    before ? setenv("CHROMIUM", before, 1) : unsetenv("CHROMIUM");
}

/* A real one, while it starts and while it draws. */
static void test_films_by_chromium_can_be_interrupted(void **state) {
    (void)state;
    static const char *const words[] = {"taut",    "view",    "swing.yaml", "-o", "p.html",
                                        "--quiet", "--video", "film.webm",  NULL};
    static const double moment[] = {0.02, 0.5, 2.5};
    if (system("command -v chromium > /dev/null") != 0 && !getenv("CHROMIUM")) {
        print_message("    there is no Chromium\n");
        skip();
    }
    enter_folders();
    for (int i = 0; i < 3; i++) {
        double since;
        const process p = start(words);
        wait_until(has_entries, "tmp");
        pause_for(moment[i]);
        const double begin = taut_seconds();
        kill(p.id, SIGINT);
        assert_true(says(&p, "taut: stopped: interrupted while the film was made", MOST_SECONDS));
        print_message("    answered after %.3f s\n", taut_seconds() - begin);
        assert_int_equal(end_of(&p, 0.0, &since), 1);
        assert_int_equal(count_entries("tmp"), 0);
        assert_false(program_exists("film.webm"));
    }
}

/* A converter that has written half of the picture. */
static void test_pictures_can_be_interrupted(void **state) {
    (void)state;
    static const char *const words[] = {"taut", "plot",  "swing.yaml", "Ax",
                                        "-o",   "p.png", "--quiet",    NULL};
    enter_folders();
    write_program("rsvg-convert", "#!/bin/sh\necho half > \"$4\"\necho $$ > mine && mv mine "
                                  "pid\nexec sleep 60\n");
    program_write("p.png", "the old one", -1);
    interrupt_helped(words, SIGINT, "taut: stopped: interrupted while the picture was made");
    interrupt_helped(words, SIGTERM, "taut: stopped: interrupted while the picture was made");
    char *text = program_read("p.png");
    assert_string_equal(text, "the old one");
    free(text);
    write_program("rsvg-convert", "#!/bin/sh\necho whole > \"$4\"\n");
    program_result r;
    program_run(&r, words + 1, 0.0);
    assert_int_equal(r.code, 0);
    program_release(&r);
    text = program_read("p.png");
    assert_string_equal(text, "whole\n");
    free(text);
    write_program("rsvg-convert", "#!/bin/sh\nexit 0\n"); /* nothing comes of it */
    program_run(&r, words + 1, 0.0);
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "the converter could not make it"));
    program_release(&r);
    assert_int_equal(count_entries("tmp"), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_run_can_be_interrupted),
        TEST(test_view_can_be_interrupted),
        TEST(test_analyses_can_be_interrupted),
        TEST(test_compare_can_be_interrupted),
        TEST(test_sweep_can_be_interrupted),
        TEST(test_optimize_can_be_interrupted),
        TEST(test_fit_can_be_interrupted),
        TEST(test_searches_can_be_interrupted),
        TEST(test_modes_can_be_interrupted),
        TEST(test_a_long_end_is_answered),
        TEST(test_all_signals_are_told),
        TEST(test_films_can_be_interrupted),
        TEST(test_films_by_chromium_can_be_interrupted),
        TEST(test_pictures_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
