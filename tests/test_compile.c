/* Steps by compiled C (--compile): the motion of those that are not, what is kept, what is not
 * trusted, what is refused. */
#include "check.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/compiler.h"
#include "core/sparse.h"
#include "program.h"
#include "taut/taut.h"

#define EXAMPLES TAUT_SOURCE_DIR "/examples/"

static int enter(void **state) {
    const int status = program_enter(state);
    char here[1000], cache[1010];
    if (status != 0 || !getcwd(here, sizeof here)) return 1;
    snprintf(cache, sizeof cache, "%s/cache", here);
    return setenv("XDG_CACHE_HOME", cache, 1);
}

enum { MOST = 400 };

/* Simulates a file to tend, and writes the last row; returns the steps. */
static long run_by(const char *path, const char *formulation, double tend, bool compile,
                   const char *parameter, double value, double *row, int *columns) {
    static taut_errors errors;
    taut_model *model;
    taut_simulation *s;
    taut_run_options options = taut_run_options_default();
    options.has_tend = true;
    options.tend = tend;
    options.compile = compile;
    options.formulation = formulation;
    errors.count = 0;
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    if (taut_simulation_create(model, &options, &s, &errors) != TAUT_OK)
        fail_msg("%s: %s", path, errors.item[0].message);
    if (parameter)
        assert_int_equal(taut_simulation_set_parameter(s, parameter, value, &errors), TAUT_OK);
    const taut_status started = taut_simulation_start(s, &errors);
    if (started != TAUT_OK) fail_msg("%s: %s", path, errors.item[0].message);
    const taut_status status = taut_simulation_run_to(s, tend, &errors);
    if (status != TAUT_OK && status != TAUT_AT_END)
        fail_msg("%s: %s", path, errors.item[0].message);
    *columns = taut_simulation_columns(s);
    assert_true(*columns <= MOST);
    assert_int_equal(taut_simulation_row(s, tend, row, &errors), TAUT_OK);
    const long steps = taut_simulation_stats(s)->steps;
    taut_simulation_free(&s);
    taut_model_free(&model);
    return steps;
}

static long run(const char *path, double tend, bool compile, const char *parameter, double value,
                double *row, int *columns) {
    return run_by(path, NULL, tend, compile, parameter, value, row, columns);
}

/* The largest difference of two runs, beside the size of the numbers. */
static double compare_by(const char *path, const char *formulation, double tend,
                         const char *parameter, double value) {
    double plain[MOST], compiled[MOST], worst = 0.0, size = 1.0;
    int columns;
    const long steps = run_by(path, formulation, tend, false, parameter, value, plain, &columns);
    const long others = run_by(path, formulation, tend, true, parameter, value, compiled, &columns);
    if (labs(steps - others) > steps / 50 + 2)
        fail_msg("%s: %ld steps, compiled %ld", path, steps, others);
    for (int c = 0; c < columns; c++) {
        if (!isfinite(plain[c])) continue;
        size = fmax(size, fabs(plain[c]));
        worst = fmax(worst, fabs(plain[c] - compiled[c]));
        if (!isfinite(compiled[c])) fail_msg("%s: column %d is not finite", path, c);
    }
    return worst / size;
}

static double compare(const char *path, double tend, const char *parameter, double value) {
    return compare_by(path, NULL, tend, parameter, value);
}

/* The sums run in another order: what differs is rounding, and what a motion makes of it. */
static void test_motion_is_the_same(void **state) {
    (void)state;
    static const struct {
        const char *file;
        double tend, within;
    } model[] = {{"andrews.yaml", 0.02, 1e-10},
                 {"bricard.yaml", 2, 1e-10},
                 {"pendulum.yaml", 20, 1e-10},
                 {"slider-crank.yaml", 3, 1e-10},
                 {"heavy-top.yaml", 1, 1e-10},
                 {"four-bar-2.yaml", 3, 1e-9},
                 {"quarter-car.yaml", 2, 1e-10},
                 {"free-top.yaml", 2, 1e-10},
                 {"circuit-index2.yaml", 0.01, 1e-9},
                 {"van-der-pol.yaml", 3, 1e-9},
                 {"dc-motor.yaml", 0.1, 1e-10},
                 {"rolling-disk.yaml", 1, 1e-10},
                 {"cardan-shaft.yaml", 1, 1e-10},
                 {"pendulum-hamiltonian.yaml", 5, 1e-10},
                 {"lorenz.yaml", 3, 1e-9},
                 {"brake.yaml", 0.5, 1e-9}};
    for (size_t i = 0; i < sizeof model / sizeof model[0]; i++) {
        char path[1000];
        snprintf(path, sizeof path, EXAMPLES "%s", model[i].file);
        const double off = compare(path, model[i].tend, NULL, 0.0);
        if (!(off <= model[i].within)) fail_msg("%s is off by %g", model[i].file, off);
    }
}

/* Other equations, with events in which they change. */
static void test_motion_in_other_coordinates(void **state) {
    (void)state;
    static const struct {
        const char *file, *formulation;
        double tend;
    } model[] = {{"contact/trebuchet.yaml", "relative", 3}, /* gcc 12 took a wrong number */
                 {"contact/woodpecker.yaml", NULL, 1},
                 {"slider-crank.yaml", "relative", 3},
                 {"andrews.yaml", "relative", 0.01},
                 {"slider-crank.yaml", "reference", 3}};
    for (size_t i = 0; i < sizeof model / sizeof model[0]; i++) {
        char path[1000];
        snprintf(path, sizeof path, EXAMPLES "%s", model[i].file);
        const double off = compare_by(path, model[i].formulation, model[i].tend, NULL, 0.0);
        if (!(off <= 1e-9)) fail_msg("%s is off by %g", model[i].file, off);
    }
}

/* y'' = -w^2 y + cos(t) z with z' = z u, u = sqrt(1 + t)/y2...: every kind of operation, with time,
 * against its closed form. */
static void test_formulas_of_time_are_right(void **state) {
    (void)state;
    double row[MOST];
    int columns;
    program_write("t.yaml",
                  "PhysicalParams: {w: 2}\n"
                  "DAE:\n"
                  "  Variables: [x, y, z, v]\n"
                  "  Equations: [x' - cos(w*t)*w, y' - y/(1 + t), z' - z*x*0 - exp(-t), "
                  "v - sqrt(4 + x^2)*atan(t)]\n"
                  "ProblemData: {tend: 3, positions: {x: 0, y: 1, z: -1}}\n",
                  -1);
    run("t.yaml", 3.0, true, NULL, 0.0, row, &columns);
    assert_near(row[1], sin(6.0), 0.0, 1e-8);
    /* columns: t, x, x', y, y', z, z', v, v' */
    assert_near(row[3], 4.0, 0.0, 1e-8);
    assert_near(row[5], -exp(-3.0), 0.0, 1e-8);
    assert_near(row[7], sqrt(4.0 + sin(6.0) * sin(6.0)) * atan(3.0), 0.0, 1e-8);
}

/* PATH as it is, to be freed. */
static char *path_now(void) {
    const char *path = getenv("PATH");
    return strdup(path ? path : "");
}

static int files_in_cache(void) {
    FILE *list = popen("ls cache/taut | wc -l", "r");
    int count = -1;
    if (!list || fscanf(list, "%d", &count) != 1) count = -1;
    if (list) pclose(list);
    return count;
}

/* The name of the one library in the cache. */
static void find_library(char *path, size_t size) {
    FILE *list = popen("ls cache/taut/*.so", "r");
    assert_non_null(list);
    assert_non_null(fgets(path, (int)size, list));
    path[strcspn(path, "\n")] = '\0';
    pclose(list);
}

static void must_run(const char *command) {
    program_result r;
    program_call(&r, command);
    if (r.code != 0) fail_msg("taut %s ends with %d\n%s%s", command, r.code, r.out, r.err);
    program_release(&r);
}

static void must_refuse(const char *command, const char *part) {
    program_result r;
    program_call(&r, command);
    if (r.code != 2) fail_msg("taut %s ends with %d\n%s%s", command, r.code, r.out, r.err);
    if (!strstr(r.err, part)) fail_msg("no '%s' in\n%s", part, r.err);
    assert_false(program_exists("decay.csv"));
    program_release(&r);
}

static void write_decay(void) {
    program_write("decay.yaml",
                  "PhysicalParams: {k: 1}\n"
                  "DAE: {Variables: [x], Equations: [x' + k*x]}\n"
                  "ProblemData: {tend: 1, positions: {x: 1}}\n",
                  -1);
}

/* Numbers that depend on parameters are read: other ones need no other code, as long as the same
 * pivots suit them. */
static void test_parameters_share_the_code(void **state) {
    (void)state;
    double row[MOST];
    int columns;
    write_decay();
    run("decay.yaml", 1.0, true, NULL, 0.0, row, &columns);
    assert_near(row[1], exp(-1.0), 0.0, 1e-8);
    assert_int_equal(files_in_cache(), 1);
    run("decay.yaml", 1.0, true, "k", 2.0, row, &columns);
    assert_near(row[1], exp(-2.0), 0.0, 1e-8);
    char path[1000];
    snprintf(path, sizeof path, EXAMPLES "slider-crank.yaml");
    assert_true(compare(path, 1.0, "m2", 3.0) < 1e-10);
    const int before = files_in_cache();
    assert_true(compare(path, 1.0, "m2", 2.5) < 1e-10);
    assert_int_equal(files_in_cache(), before);
    assert_true(compare(path, 1.0, "m2", 0.25) < 1e-10);
    assert_in_range(files_in_cache(), before, before + 1);
}

static void test_compiled_once(void **state) {
    (void)state;
    char path[1000];
    struct stat first, second, folder;
    write_decay();
    must_run("run decay.yaml --compile");
    find_library(path, sizeof path);
    assert_int_equal(stat("cache/taut", &folder), 0);
    assert_int_equal(folder.st_mode & 0777, 0700);
    assert_int_equal(stat(path, &first), 0);
    assert_int_equal(first.st_mode & 022, 0);
    /* without a compiler, what is there serves */
    char *was = path_now();
    setenv("PATH", "/nowhere", 1);
    must_run("run decay.yaml --compile");
    program_remove("decay.csv");
    assert_int_equal(stat(path, &second), 0);
    assert_true(first.st_ino == second.st_ino && first.st_mtime == second.st_mtime);
    assert_int_equal(unlink(path), 0);
    must_refuse("run decay.yaml --compile", "there is no compiler cc");
    setenv("PATH", was, 1);
    free(was);
    assert_int_equal(files_in_cache(), 0); /* nothing is left of the attempt */
}

static void append(const char *path, const char *bytes) {
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
}

/* A library that is cut, or has another byte, is compiled anew. */
static void test_damage_is_mended(void **state) {
    (void)state;
    char path[1000];
    struct stat whole, is;
    write_decay();
    must_run("run decay.yaml --compile");
    find_library(path, sizeof path);
    assert_int_equal(stat(path, &whole), 0);
    assert_int_equal(truncate(path, whole.st_size / 2), 0);
    must_run("run decay.yaml --compile");
    assert_int_equal(stat(path, &is), 0);
    assert_true(is.st_size == whole.st_size);
    append(path, "x");
    must_run("run decay.yaml --compile");
    assert_int_equal(stat(path, &is), 0);
    assert_true(is.st_size == whole.st_size);
    assert_int_equal(files_in_cache(), 1);
}

/* What others may have written is not loaded; a link is no file of ours. */
static void test_what_others_may_write_is_not_trusted(void **state) {
    (void)state;
    char path[1000];
    struct stat is;
    write_decay();
    must_run("run decay.yaml --compile");
    find_library(path, sizeof path);
    assert_int_equal(chmod(path, 0777), 0);
    must_run("run decay.yaml --compile");
    assert_int_equal(stat(path, &is), 0);
    assert_int_equal(is.st_mode & 022, 0);
    assert_int_equal(rename(path, "elsewhere.so"), 0);
    assert_int_equal(symlink("../../elsewhere.so", path), 0);
    must_run("run decay.yaml --compile");
    assert_int_equal(lstat(path, &is), 0);
    assert_true(S_ISREG(is.st_mode));
    program_remove("decay.csv");
    assert_int_equal(chmod("cache/taut", 0777), 0);
    must_refuse("run decay.yaml --compile", "others may write to it");
    assert_int_equal(chmod("cache/taut", 0700), 0);
    if (geteuid() == 0) { /* only root can give something away */
        assert_int_equal(chown("cache/taut", 12345, 12345), 0);
        must_refuse("run decay.yaml --compile", "belongs to another user");
        assert_int_equal(chown("cache/taut", 0, 0), 0);
        assert_int_equal(chown("cache", 12345, 12345), 0); /* he could rename ours */
        must_refuse("run decay.yaml --compile", "belongs to another user");
        assert_int_equal(chown("cache", 0, 0), 0);
        assert_int_equal(chown(path, 12345, 12345), 0);
        must_run("run decay.yaml --compile");
        assert_int_equal(stat(path, &is), 0);
        assert_int_equal(is.st_uid, 0);
    }
}

/* Both names are sums of texts: a library of another text that had the same one would not be taken.
 */
static void test_library_of_another_text_is_not_taken(void **state) {
    (void)state;
    char decay[1000];
    double row[MOST];
    int columns;
    write_decay();
    must_run("run decay.yaml --compile");
    find_library(decay, sizeof decay);
    assert_int_equal(rename(decay, "decay.so"), 0);
    program_write("other.yaml",
                  "PhysicalParams: {k: 1}\n"
                  "DAE: {Variables: [x], Equations: [x' + k*x^2]}\n"
                  "ProblemData: {tend: 1, positions: {x: 1}}\n",
                  -1);
    must_run("run other.yaml --compile");
    char other[1000];
    find_library(other, sizeof other);
    assert_int_equal(rename("decay.so", other), 0);
    run("other.yaml", 1.0, true, NULL, 0.0, row, &columns);
    assert_near(row[1], 0.5, 0.0, 1e-8);
}

/* Several processes at once: each has a whole library, and one is left. */
static void test_at_once(void **state) {
    (void)state;
    write_decay();
    char command[3000];
    snprintf(command, sizeof command,
             "for i in 1 2 3 4; do %s run decay.yaml --compile --quiet -o at-$i.csv || echo failed "
             ">> failures & done; wait; test ! -e failures && cmp at-1.csv at-2.csv && "
             "cmp at-1.csv at-3.csv && cmp at-1.csv at-4.csv",
             TAUT_PROGRAM);
    assert_int_equal(system(command), 0);
    assert_int_equal(files_in_cache(), 1);
}

/* Nobody waits for children there, and how the compiler ends is not known. */
static void test_where_children_are_ignored(void **state) {
    (void)state;
    write_decay();
    assert_int_equal(system("trap '' CHLD; exec " TAUT_PROGRAM " run decay.yaml --compile --quiet"),
                     0);
    assert_int_equal(files_in_cache(), 1);
}

static void test_without_a_home(void **state) {
    (void)state;
    write_decay();
    const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
    char was[1000], had[1020];
    snprintf(was, sizeof was, "%s", home ? home : "/");
    snprintf(had, sizeof had, "%s", cache);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    must_refuse("run decay.yaml --compile", "neither HOME nor XDG_CACHE_HOME");
    setenv("HOME", "not/absolute", 1);
    must_refuse("run decay.yaml --compile", "neither HOME nor XDG_CACHE_HOME");
    setenv("HOME", "/nowhere/at/all", 1);
    must_refuse("run decay.yaml --compile", "No such file or directory");
    setenv("XDG_CACHE_HOME", "relative", 1); /* as if it were not set */
    must_refuse("run decay.yaml --compile", "/nowhere/at/all/.cache");
    program_write("file", "", -1);
    char here[1000], path[1010];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "%s/file", here);
    setenv("XDG_CACHE_HOME", path, 1);
    must_refuse("run decay.yaml --compile", "Not a directory");
    setenv("HOME", was, 1);
    setenv("XDG_CACHE_HOME", had, 1);
}

/* From now on this script is cc; returns the PATH before, for restore_path. */
static char *put_compiler(const char *script) {
    char here[1000], path[3000], *was = path_now();
    if (mkdir("bin", 0700) != 0) assert_true(program_exists("bin/cc"));
    program_write("bin/cc", script, -1);
    assert_int_equal(chmod("bin/cc", 0700), 0);
    assert_non_null(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "%s/bin:%s", here, was);
    setenv("PATH", path, 1);
    return was;
}

static void restore_path(char *was) {
    setenv("PATH", was, 1);
    free(was);
}

/* The largest difference of solutions from those of another matrix, of both kinds. */
static double compare_solutions(const taut_lu *a, const taut_lu *b) {
    double x[4][5], worst = 0.0;
    for (int i = 0; i < 5; i++) x[0][i] = x[1][i] = x[2][i] = x[3][i] = sin(1.0 + i);
    taut_lu_solve(a, x[0]);
    taut_lu_solve(b, x[1]);
    taut_lu_solve_transposed(a, x[2]);
    taut_lu_solve_transposed(b, x[3]);
    for (int i = 0; i < 5; i++)
        worst = fmax(worst, fmax(fabs(x[0][i] - x[1][i]), fabs(x[2][i] - x[3][i])));
    return worst;
}

/* Solutions by factors that are written out are those of others, also of matrices for which the
 * pivots do not do. */
static void test_factors_that_are_written_out(void **state) {
    (void)state;
    /* masses, and two conditions: by columns */
    static const int start[] = {0, 2, 5, 7, 9, 12}, row[] = {0, 3, 1, 3, 4, 2, 4, 0, 1, 1, 2, 4};
    double value[] = {2, 1, 3, -1, 0.5, 4, 1, 1, -1, 0.5, 1, 1e-3};
    static taut_errors errors;
    taut_lu *plain, *unrolled;
    taut_choice choice;
    taut_arena arena = {0};
    taut_string text = {0};
    taut_unrolled functions;
    const taut_wanted wanted[] = {{"eliminate", &functions.eliminate, false},
                                  {"solve", &functions.solve, false},
                                  {"solve_transposed", &functions.solve_transposed, false}};
    assert_int_equal(taut_lu_create(5, start, row, &plain), TAUT_OK);
    assert_int_equal(taut_lu_create(5, start, row, &unrolled), TAUT_OK);
    assert_int_equal(taut_lu_factor(plain, value), TAUT_OK);
    assert_int_equal(taut_lu_factor(unrolled, value), TAUT_OK);
    assert_true(taut_lu_choice(unrolled, &choice) && taut_unrolled_fits(choice.factors));
    assert_int_equal(taut_unrolled_reserve(choice.factors, &arena, &functions.numbers), TAUT_OK);
    taut_unrolled_write(&text, choice.factors, choice.entries);
    assert_int_equal(taut_compiler_load(text.text, wanted, 3, &errors), TAUT_OK);
    taut_lu_unroll(unrolled, &functions);
    for (int i = 0; i < 8; i++) {
        value[0] = 2.0 + i;
        value[5] = i == 6 ? 1e-9 : 1.0 / (1.0 + i);
        assert_int_equal(taut_lu_factor(plain, value), TAUT_OK);
        assert_int_equal(taut_lu_factor(unrolled, value), TAUT_OK);
        if (i < 6) assert_non_null(taut_lu_unrolled(unrolled));
        assert_true(compare_solutions(plain, unrolled) < 1e-13);
    }
    value[0] = value[7] = 0.0; /* a row of nothing */
    assert_int_equal(taut_lu_factor(unrolled, value), TAUT_SINGULAR);
    taut_string_release(&text);
    taut_arena_release(&arena);
    taut_lu_free(&plain);
    taut_lu_free(&unrolled);
}

/* A compiler that makes something else of some text. */
static char *put_false_compiler(const char *edit) {
    char script[600];
    snprintf(script, sizeof script,
             "#!/bin/sh\nfor last; do :; done\nsed -i '%s' \"$last\"\n"
             "PATH=${PATH#*:} exec cc \"$@\"\n",
             edit);
    return put_compiler(script);
}

/* The last row of a table; returns how many numbers it has. */
static int read_last_row(const char *path, double *row) {
    char line[20 * MOST];
    int count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *at = line;
        for (count = 0; count < MOST && *at && *at != '\n'; count++) {
            row[count] = strtod(at, &at);
            at += strcspn(at, ",\n");
            at += *at == ',';
        }
    }
    fclose(file);
    return count;
}

static const char NOT_WHAT_THEY_SAY[] = "does not compute what the equations say";

static bool tells_of_wrong_code(const program_result *r) {
    return strstr(r->err, NOT_WHAT_THEY_SAY) || strstr(r->out, NOT_WHAT_THEY_SAY);
}

/* What is wrong in any part of compiled code is found before a step depends on it. In a process of
 * its own each: libraries stay, and all of these have one name. */
static void test_wrong_code_is_found(void **state) {
    (void)state;
    static const char *const edit[] = {
        "s/b\\[0\\] = -(/b[0] = (/",                    /* the sign of a residual */
        "s/ - (f->lower\\[1\\]/ + (f->lower[1]/",       /* of an entry in solutions */
        "s/^    w\\([0-9]*\\) -= /    w\\1 += /",       /* of an elimination */
        "s/l <= k - 2/l < k - 2/",                      /* a term of a sum */
        "s/^    w[0-9]*_[248] = /&0.5 * /",             /* what a stage hands on */
        "s/^    J\\[1\\] = /    J[1] = 1.001 * /",      /* an entry of J */
        "s/const double n\\([0-9]*\\) = /&1e-3 + /",    /* all rows */
        "s/^ *x\\[0\\] = /&0.0 * __builtin_inf() * /",  /* nothing is a number */
        "s/^    R\\[[0-9]* + s\\] = /&1e-9 + /",        /* coefficients as rows */
        "s/^    tail\\[0\\] = /&1e-9 + /",              /* the end of a polynomial */
        "/void correct_2/,/^}/s/b\\[3\\] = -/b[3] = /", /* a correction of positions, ... */
        "/void correct_1/,/^}/s/b\\[3\\] = -/b[3] = /", /* ... of velocities */
        "/void see_1/,/^}/s/const double n[0-9]* = /&1e-3 + /"}; /* the energy */
    double right[MOST], found[MOST];
    int columns;
    run(EXAMPLES "slider-crank.yaml", 1.0, false, NULL, 0.0, right, &columns);
    for (size_t i = 0; i < sizeof edit / sizeof edit[0]; i++) {
        program_result r;
        char *was = put_false_compiler(edit[i]);
        program_call(&r, "run " EXAMPLES "slider-crank.yaml --tend 1 --compile -o found.csv");
        restore_path(was);
        if (r.code != 0) fail_msg("%s: %s%s", edit[i], r.out, r.err);
        if (!tells_of_wrong_code(&r)) fail_msg("%s was not found", edit[i]);
        assert_int_equal(read_last_row("found.csv", found), columns);
        for (int c = 0; c < columns; c++) assert_near(found[c], right[c], 1e-9, 1e-9);
        program_release(&r);
        assert_int_equal(system("rm -rf cache/taut"), 0);
    }
}

/* What is wrong later on only is found as well, and told by the program. */
static void test_code_that_becomes_wrong_is_told(void **state) {
    (void)state;
    program_result r;
    char *was = put_false_compiler("s/b\\[0\\] = -(/b[0] = (n->t > 1.0 ? 1e-9 : 0.0) - (/");
    program_call(&r, "run " EXAMPLES "pendulum.yaml --tend 100 --compile");
    restore_path(was);
    assert_int_equal(r.code, 0);
    if (!tells_of_wrong_code(&r)) fail_msg("%s%s", r.out, r.err);
    program_release(&r);
}

static void test_compiler_that_fails_is_told(void **state) {
    (void)state;
    write_decay();
    char *was = put_compiler("#!/bin/sh\necho 'cc: out of order' >&2\nexit 3\n");
    must_refuse("run decay.yaml --compile", "cc: out of order");
    restore_path(was);
    assert_int_equal(files_in_cache(), 0);
}

/* Somebody presses Ctrl-C when the compiler has begun. */
typedef struct hurry {
    double said;
} hurry;

static int stop_when_begun(void *user, double fraction) {
    hurry *h = user;
    (void)fraction;
    if (!program_exists("begun")) return 0;
    if (h->said == 0.0) h->said = taut_seconds();
    return 1;
}

/* A compiler that takes long does not hold us, nor one that will not end; nothing is left of it. */
static void test_compiler_can_be_interrupted(void **state) {
    (void)state;
    static const char *const script[] = {
        "#!/bin/sh\necho $$ > begun\nsleep 60\n",
        "#!/bin/sh\ntrap '' TERM INT\necho $$ > begun\nwhile :; do sleep 1; done\n"};
    static taut_errors errors;
    taut_model *model;
    taut_result *result;
    write_decay();
    assert_int_equal(taut_model_read("decay.yaml", NULL, 0, &model, &errors), TAUT_OK);
    for (int i = 0; i < 2; i++) {
        hurry h = {0};
        int id = 0;
        taut_run_options options = taut_run_options_default();
        options.compile = true;
        options.progress = stop_when_begun;
        options.user = &h;
        errors.count = 0;
        char *was = put_compiler(script[i]);
        assert_int_equal(taut_simulate(model, &options, &result, &errors), TAUT_INTERRUPTED);
        const double after = taut_seconds() - h.said;
        restore_path(was);
        print_message("    %.3f s, %s\n", after, errors.item[0].message);
        assert_true(after < 10.0); /* of the clock, of a busy machine; the compiler takes more */
        assert_string_equal(errors.item[0].message, "interrupted before the first step");
        taut_result_free(&result);
        assert_int_equal(files_in_cache(), 0);
        FILE *file = fopen("begun", "r");
        assert_non_null(file);
        if (fscanf(file, "%d", &id) != 1) id = 0;
        fclose(file);
        assert_true(id > 0 && kill(id, 0) != 0 && errno == ESRCH);
        program_remove("begun");
    }
    taut_model_free(&model);
}

/* Is this process there, and not only a result that whoever inherits it has not looked at yet? */
static bool is_alive(int id) {
    char path[40], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", id);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 'Z';
    if (file) fclose(file);
    return state != 'Z' && state != 'X';
}

/* The program ends at once while nothing is computed yet: with its compiler, and without a trace.
 */
static void test_program_takes_the_compiler_along(void **state) {
    (void)state;
    int id = 0;
    write_decay();
    char *was = put_compiler("#!/bin/sh\necho $$ > begin\nmv begin begun\nexec sleep 60\n");
    FILE *shell = popen(TAUT_PROGRAM " run decay.yaml --compile --quiet 2> said &\n"
                                     "while ! test -e begun; do sleep 0.01; done\n"
                                     "kill -TERM $!; wait $!; echo $?",
                        "r");
    int code = -1;
    assert_non_null(shell);
    assert_int_equal(fscanf(shell, "%d", &code), 1);
    pclose(shell);
    restore_path(was);
    assert_int_equal(code, 1);
    assert_int_equal(files_in_cache(), 0);
    FILE *file = fopen("begun", "r");
    assert_non_null(file);
    if (fscanf(file, "%d", &id) != 1) id = 0;
    fclose(file);
    assert_true(id > 0);
    for (int i = 0; i < 500 && is_alive(id); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_false(is_alive(id));
}

/* Where there is no place of our own for what is compiled, that is told, with what to do. */
static void test_places_that_will_not_do(void **state) {
    (void)state;
    static char path[5000];
    char here[1000];
    write_decay();
    assert_non_null(getcwd(here, sizeof here));
    const char *was = getenv("HOME");
    char *home = was ? strdup(was) : NULL;
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    must_refuse("run decay.yaml --compile", "neither HOME nor XDG_CACHE_HOME is set");
    setenv("XDG_CACHE_HOME", "relative", 1); /* the specification: to be ignored */
    must_refuse("run decay.yaml --compile", "neither HOME nor XDG_CACHE_HOME is set");
    memset(path, '/', sizeof path - 1);
    setenv("XDG_CACHE_HOME", path, 1);
    must_refuse("run decay.yaml --compile", "its name is too long");
    snprintf(path, sizeof path, "%s/shared", here);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(chmod(path, 0777), 0);
    setenv("XDG_CACHE_HOME", path, 1);
    must_refuse("run decay.yaml --compile", "others may write to it");
    assert_false(program_exists("shared/taut"));
    assert_int_equal(chmod(path, 01777), 0); /* like /tmp: what is ours stays ours */
    must_run("run decay.yaml --compile");
    program_remove("decay.csv");
    snprintf(path, sizeof path, "%s/file", here);
    assert_int_equal(mkdir(path, 0700), 0);
    program_write("file/taut", "no folder", -1);
    setenv("XDG_CACHE_HOME", path, 1);
    must_refuse("run decay.yaml --compile", "this is no folder");
    snprintf(path, sizeof path, "%s/no/such", here);
    setenv("XDG_CACHE_HOME", path, 1);
    must_refuse("run decay.yaml --compile", "No such file or directory");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", here, 1); /* ~/.cache is made, for us alone */
    must_run("run decay.yaml --compile");
    struct stat is;
    assert_int_equal(stat(".cache/taut", &is), 0);
    assert_int_equal(is.st_mode & 0777, 0700);
    if (home) setenv("HOME", home, 1);
    free(home);
}

/* A host that does not want to hear of its children. */
static void test_host_may_ignore_its_children(void **state) {
    (void)state;
    double row[MOST];
    int columns;
    write_decay();
    signal(SIGCHLD, SIG_IGN);
    run("decay.yaml", 1.0, true, NULL, 0.0, row, &columns);
    signal(SIGCHLD, SIG_DFL);
    assert_near(row[1], exp(-1.0), 0.0, 1e-8);
    assert_int_equal(files_in_cache(), 1);
}

static void test_what_cannot_be_compiled_is_refused(void **state) {
    (void)state;
    write_decay();
    must_refuse("run decay.yaml --compile --solver bdf", "only steps of the solver taylor");
    must_refuse("run " EXAMPLES "four-bar-40.yaml --tend 0.1 --compile", "more than 48 unknowns");
}

/* Many runs have eight lanes, and no compiled code. */
static void test_studies_refuse(void **state) {
    (void)state;
    static taut_errors errors;
    taut_model *model;
    taut_study *study;
    taut_study_options options = taut_study_options_default();
    write_decay();
    assert_int_equal(taut_model_read("decay.yaml", NULL, 0, &model, &errors), TAUT_OK);
    options.run.compile = true;
    assert_int_equal(taut_study_create(model, &options, &study, &errors), TAUT_ERR_CALL);
    assert_non_null(strstr(errors.item[0].message, "compile"));
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_motion_is_the_same, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_motion_in_other_coordinates, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_formulas_of_time_are_right, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_parameters_share_the_code, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_compiled_once, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_damage_is_mended, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_what_others_may_write_is_not_trusted, enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_library_of_another_text_is_not_taken, enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_at_once, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_where_children_are_ignored, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_without_a_home, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_factors_that_are_written_out, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_wrong_code_is_found, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_code_that_becomes_wrong_is_told, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_compiler_that_fails_is_told, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_compiler_can_be_interrupted, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_program_takes_the_compiler_along, enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_places_that_will_not_do, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_host_may_ignore_its_children, enter, program_leave),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_compiled_is_refused, enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_studies_refuse, enter, program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
