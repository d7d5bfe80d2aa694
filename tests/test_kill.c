/* Results are never half-written: kill -9 at any moment and a full disk leave the old file or the
 * new one. */
#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

enum { KILLS = 60 };

static const char OLD[] = "the old file\n";
static const char MODEL[] = "DAE:\n"
                            "  Variables: [x, v]\n"
                            "  Equations: [x' - v, v' + x]\n"
                            "ProblemData: {t0: 0, tend: 10, positions: {x: 1, v: 0}}\n";
/* Long tables: most of the time goes into writing. */
static const struct {
    const char *file, *every;
    bool stats; /* ends with the statistics, in which the time is that the run took */
} FORMAT[] = {{"out.csv", "1e-3", false}, {"out.mat", "1e-4", true}, {"out.json", "1e-3", true}};
enum { FORMATS = sizeof FORMAT / sizeof FORMAT[0] };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Starts taut run, with files limited to so many bytes (0: not) and SIGXFSZ as given. */
static pid_t start(int format, rlim_t limit, bool ignore) {
    const pid_t child = fork();
    if (child != 0) return child;
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    const struct rlimit none = {0, 0}, most = {limit, limit};
    setrlimit(RLIMIT_CORE, &none);
    if (limit) setrlimit(RLIMIT_FSIZE, &most);
    if (ignore) signal(SIGXFSZ, SIG_IGN);
    execl(TAUT_PROGRAM, "taut", "run", "model.yaml", "--every", FORMAT[format].every, "-o",
          FORMAT[format].file, (char *)NULL);
    _exit(127);
}

static int finish(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* A file with its size: MAT has NUL bytes. */
typedef struct content {
    char *bytes;
    size_t size;
} content;

static content load(const char *path) {
    content c = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    c.size = (size_t)ftell(file);
    rewind(file);
    c.bytes = malloc(c.size + 1);
    assert_non_null(c.bytes);
    assert_int_equal(fread(c.bytes, 1, c.size, file), c.size);
    c.bytes[c.size] = '\0';
    fclose(file);
    return c;
}

static bool is_old(content c) { return c.size == strlen(OLD) && memcmp(c.bytes, OLD, c.size) == 0; }

/* The statistics differ from run to run; in JSON also in their length. */
static bool is_new(content c, content whole, bool stats) {
    const size_t table = whole.size - (stats ? 4000 : 0);
    const size_t differ = c.size > whole.size ? c.size - whole.size : whole.size - c.size;
    if (c.size < table || memcmp(c.bytes, whole.bytes, table) != 0) return false;
    if (!stats) return differ == 0;
    return c.bytes[0] == '{' ? strcmp(c.bytes + c.size - 2, "}\n") == 0 && differ < 200
                             : differ == 0;
}

static void test_kill_leaves_old_or_new_file(void **state) {
    (void)state;
    int old = 0, new = 0;
    content whole[FORMATS];
    double took[FORMATS];
    program_write("model.yaml", MODEL, -1);
    for (int f = 0; f < FORMATS; f++) {
        const double begin = now();
        assert_int_equal(finish(start(f, 0, false)), 0);
        took[f] = now() - begin;
        whole[f] = load(FORMAT[f].file);
        assert_true(whole[f].size > 100000);
    }
    unsigned long seed = 12345;
    for (int i = 0; i < KILLS; i++) {
        const int f = i % FORMATS;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double delay = took[f] * 1.1 * (double)(seed >> 33) / (double)(1u << 31);
        const struct timespec pause = {(time_t)delay, (long)(1e9 * (delay - floor(delay)))};
        program_write(FORMAT[f].file, OLD, -1);
        const pid_t child = start(f, 0, false);
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        finish(child);
        content c = load(FORMAT[f].file);
        if (!is_old(c) && !is_new(c, whole[f], FORMAT[f].stats))
            fail_msg("killed after %g s: %s has %zu bytes, half-written", delay, FORMAT[f].file,
                     c.size);
        old += is_old(c);
        new += !is_old(c);
        free(c.bytes);
    }
    print_message("%d kills: %d old files, %d new ones\n", KILLS, old, new);
    assert_true(old > 0);
    for (int f = 0; f < FORMATS; f++) free(whole[f].bytes);
}

/* RLIMIT_FSIZE plays the full disk: writing fails, or the signal SIGXFSZ ends the program. */
static void test_full_disk_keeps_old_file(void **state) {
    (void)state;
    char names[400];
    program_write("model.yaml", MODEL, -1);
    for (int f = 0; f < FORMATS; f++)
        for (int ignore = 0; ignore < 2; ignore++) {
            program_write(FORMAT[f].file, OLD, -1);
            const int status = finish(start(f, 50000, ignore != 0));
            if (ignore) {
                assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
                program_list(names, sizeof names);
                for (char *p = names; (p = strstr(p, FORMAT[f].file)); p++)
                    assert_int_equal(p[strlen(FORMAT[f].file)], ' '); /* no temporary file */
            } else {
                assert_int_not_equal(status, 0);
            }
            content c = load(FORMAT[f].file);
            assert_true(is_old(c));
            free(c.bytes);
            program_leave(NULL); /* what the signal left behind */
            program_enter(NULL);
            program_write("model.yaml", MODEL, -1);
        }
}

/* The journal of a study that does not fit: which file, and why; and no link is followed. */
static void test_journals_say_what_is_wrong(void **state) {
    (void)state;
    static const char *const said[] = {"s.csv.journal cannot be written: File too large",
                                       "s.csv.journal cannot be used: Too many levels"};
    program_write("model.yaml", MODEL, -1);
    program_write("theirs", OLD, -1);
    for (int i = 0; i < 2; i++) {
        if (i == 1) assert_int_equal(symlink("theirs", "s.csv.journal"), 0);
        const pid_t child = fork();
        if (child == 0) {
            const struct rlimit most = {2000, 2000};
            const int file = open("said", O_CREAT | O_TRUNC | O_WRONLY, 0600);
            dup2(file, 2);
            setrlimit(RLIMIT_FSIZE, &most);
            signal(SIGXFSZ, SIG_IGN);
            execl(TAUT_PROGRAM, "taut", "sweep", "model.yaml", "--tend", "0.1", "--vary",
                  "x=1..2:400", "--report", "end(x)", "-o", "s.csv", "--quiet", (char *)NULL);
            _exit(127);
        }
        const int status = finish(child);
        char *text = program_read("said");
        if (!strstr(text, said[i])) fail_msg("%s", text);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
        free(text);
        unlink("s.csv.journal");
    }
    content c = load("theirs");
    assert_true(is_old(c));
    free(c.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kill_leaves_old_or_new_file, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_full_disk_keeps_old_file, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_journals_say_what_is_wrong, program_enter,
                                        program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
