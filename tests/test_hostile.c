/* Files that are meant to hurt: each is read and checked, or refused with a message, in a process
 * with 1 GB of address space and a watchdog. The aim is 2 s; the watchdog and the limit on the time
 * of a check are generous, for slow and busy machines. */
#define _DEFAULT_SOURCE /* wait4 */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text.h"
#include "program.h"
#include "taut/taut.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNLIMITED 1 /* the sanitizers reserve terabytes of addresses */
enum { WATCHDOG = 120, MOST_SECONDS = 120 };
#else
#define UNLIMITED 0
enum { WATCHDOG = 20, MOST_SECONDS = 4 };
#endif

enum { MANY = 100000 };

/* ---- a child that checks, analyzes or runs a file ---- */

static rlim_t most_memory = 1ul << 30;

typedef enum deed { CHECK, ANALYZE, RUN } deed;

static taut_status do_it(deed what, taut_errors *errors) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    char *text = NULL;
    const taut_run_options options = taut_run_options_default();
    taut_status status = taut_model_read("model.yaml", NULL, 0, &model, errors);
    if (status == TAUT_OK) status = taut_model_check(model, errors);
    if (status == TAUT_OK && what == ANALYZE) status = taut_analyze(model, true, &text, errors);
    if (status == TAUT_OK && what == RUN) status = taut_simulate(model, &options, &result, errors);
    taut_result_free(&result);
    taut_text_free(&text);
    taut_model_free(&model);
    return status;
}

/* Does it in a child; what it said comes back in `said` (size bytes). */
static taut_status try_it(deed what, char *said, size_t size) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static taut_errors errors;
        const struct rlimit most = {most_memory, most_memory}, none = {0, 0};
        const struct rlimit seconds = {WATCHDOG, WATCHDOG + 1}; /* of its own, on a busy machine */
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_CPU, &seconds);
        if (!UNLIMITED) setrlimit(RLIMIT_AS, &most);
        const taut_status status = do_it(what, &errors);
        const char *message = errors.count ? errors.item[0].message : taut_status_text(status);
        if (write(ends[1], message, strlen(message)) < 0) _exit(99);
        _exit(-status); /* errors are small negative numbers */
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t got = 1; got > 0 && used<size - 1; used += got> 0 ? (size_t)got : 0)
        got = read(ends[0], said + used, size - 1 - used);
    said[used] = '\0';
    close(ends[0]);
    int status = 0;
    struct rusage use;
    assert_int_equal(wait4(child, &status, 0, &use), child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        fail_msg("it takes longer than %d s", WATCHDOG);
    if (WIFSIGNALED(status)) fail_msg("signal %d ended it", WTERMSIG(status));
    const double took = (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec;
    print_message("    %5.2f s, %4ld MB, %s\n", took, use.ru_maxrss / 1024, said);
    if (what == CHECK && took > MOST_SECONDS) fail_msg("the check takes %.1f s", took);
    return (taut_status)-WEXITSTATUS(status);
}

/* The file, then what it must lead to: TAUT_OK, or TAUT_ERR_INPUT with a part of the message. */
static void expect(taut_string *file, deed what, taut_status wanted, const char *message) {
    char said[2000];
    assert_false(file->failed);
    program_write("model.yaml", file->text, (long)file->length);
    taut_string_release(file);
    const taut_status status = try_it(what, said, sizeof said);
    assert_int_equal(status, wanted);
    if (message && !strstr(said, message)) fail_msg("'%s' does not say '%s'", said, message);
}

/* ---- pieces of files ---- */

#define ADD(...) taut_string_add(&file, __VA_ARGS__)

static void repeat(taut_string *file, const char *piece, int times) {
    for (int i = 0; i < times; i++) taut_string_add(file, "%s", piece);
}

/* x' - FORMULA = 0, and its end. */
static const char BEFORE[] = "DAE:\n  Variables: [x]\n  Equations:\n  - \"x' - ";
static const char AFTER[] = "\"\nProblemData: {t0: 0, tend: 0.001, positions: {x: 0.5}}\n";

static void expect_formula(taut_string *formula, deed what, taut_status wanted,
                           const char *message) {
    taut_string file = {0};
    assert_false(formula->failed);
    ADD("%s%s%s", BEFORE, formula->text, AFTER);
    taut_string_release(formula);
    expect(&file, what, wanted, message);
}

static const char CRANK[] = "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n";

/* ---- YAML ---- */

static void test_alias_bomb_is_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
        ADD("a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++) ADD("%s*a%d", k ? ", " : "", i - 1);
        ADD("]\n");
    }
    expect(&file, CHECK, TAUT_ERR_INPUT, "aliases expand");
}

static void test_deep_nesting_is_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("DAE: ");
    repeat(&file, "[", MANY);
    expect(&file, CHECK, TAUT_ERR_INPUT, "nested more than");
    ADD("DAE: ");
    repeat(&file, "{a: ", MANY);
    expect(&file, CHECK, TAUT_ERR_INPUT, "nested more than");
    repeat(&file, "- ", MANY);
    expect(&file, CHECK, TAUT_ERR_INPUT, "nested more than");
}

static void test_long_lines_are_read(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("# ");
    repeat(&file, "long line ", 1000000);
    ADD("\n%sx%s", BEFORE, AFTER);
    expect(&file, RUN, TAUT_OK, NULL);
    ADD("Title: \"");
    repeat(&file, "\\x41", 1000000);
    ADD("\"\n%sx%s", BEFORE, AFTER);
    expect(&file, RUN, TAUT_OK, NULL);
    repeat(&file, "key", 1000000);
    ADD(": 1\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, NULL);
}

static void test_very_many_keys_are_refused(void **state) {
    (void)state;
    taut_string file = {0};
    for (int i = 0; i < 1000000; i++) ADD("Titke%d: 1\n", i);
    expect(&file, CHECK, TAUT_ERR_INPUT, "did you mean 'Title'?");
    repeat(&file, "Title: 1\n", 1000000);
    expect(&file, CHECK, TAUT_ERR_INPUT, "appears twice");
}

/* ---- formulas ---- */

static void test_huge_exponents_end(void **state) {
    (void)state;
    static const char *const formula[] = {"x^1000000000", "(x + 1)^-1000000000",
                                          "((x^1000000000)^1000000000)^1000000000", "x^1e300",
                                          "x^(1e9 + 0.5)"};
    for (size_t i = 0; i < sizeof formula / sizeof formula[0]; i++) {
        taut_string text = {0};
        taut_string_add(&text, "%s", formula[i]);
        expect_formula(&text, CHECK, TAUT_OK, NULL);
    }
    taut_string text = {0};
    taut_string_add(&text, "x^1000000000");
    expect_formula(&text, RUN, TAUT_OK, NULL);
}

static void test_primes_without_end_are_refused(void **state) {
    (void)state;
    taut_string text = {0};
    taut_string_add(&text, "x");
    repeat(&text, "'", MANY);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "primes: derivatives go up to");
    repeat(&text, "(", 40);
    taut_string_add(&text, "x*x");
    repeat(&text, ")'''''", 40);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "primes: derivatives go up to");
    repeat(&text, "(", 48);
    taut_string_add(&text, "x");
    repeat(&text, "*x)'", 48);
    expect_formula(&text, CHECK, TAUT_OK, NULL);
}

static void test_huge_numbers_are_refused(void **state) {
    (void)state;
    taut_string text = {0};
    repeat(&text, "9", 1000000);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "too many digits");
    taut_string_add(&text, "1e999999999999");
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "too large");
    taut_string_add(&text, "1e308*(1e308*x)");
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "not a finite number");
    taut_string_add(&text, "1e308*(1e308 + x)");
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "not a finite number");
}

static void test_long_formulas_are_read(void **state) {
    (void)state;
    taut_string text = {0};
    taut_string_add(&text, "sin(x)");
    for (int i = 2; i < 1000000; i++) taut_string_add(&text, "+sin(%d*x)", i);
    expect_formula(&text, CHECK, TAUT_OK, NULL);
    taut_string_add(&text, "x");
    repeat(&text, " + x", 2000000);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "terms");
    taut_string_add(&text, "x");
    for (int i = 1; i < MANY; i++) taut_string_add(&text, "*(x + %d)", i);
    expect_formula(&text, ANALYZE, TAUT_OK, NULL);
    taut_string_add(&text, "x");
    for (int i = 1; i < MANY; i++) taut_string_add(&text, "/(x + %d)", i);
    expect_formula(&text, ANALYZE, TAUT_OK, NULL);
    repeat(&text, "-", 1000000);
    taut_string_add(&text, "x");
    expect_formula(&text, CHECK, TAUT_OK, NULL);
    repeat(&text, "(", 1000000);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "nested too deeply");
    taut_string_add(&text, "x");
    repeat(&text, "^x", MANY);
    expect_formula(&text, CHECK, TAUT_ERR_INPUT, "nested too deeply");
}

/* ---- names that use names ---- */

static void end_definitions(taut_string *file, const char *use) {
    taut_string_add(file, "  Equations: [\"x' - %s\"]\n", use);
    taut_string_add(file, "ProblemData: {t0: 0, tend: 0.001, positions: {x: 0.5}}\n");
}

static void test_chain_of_definitions_ends(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("DAE:\n  Variables: [x]\n  Define:\n");
    for (int i = 0; i < MANY; i++) ADD("    d%d: d%d + sin(x)\n", i, i + 1);
    ADD("    d%d: x\n", MANY);
    end_definitions(&file, "d0");
    expect(&file, CHECK, TAUT_ERR_INPUT, "too many other names");
    ADD("PhysicalParams:\n  q0: 1\n");
    for (int i = 1; i <= MANY; i++) ADD("  q%d: q%d + 1\n", i, i - 1);
    ADD("DAE:\n  Variables: [x]\n");
    end_definitions(&file, "q100000");
    expect(&file, CHECK, TAUT_OK, NULL);
    /* parentheses in definitions in parentheses: the stack holds so many */
    ADD("DAE:\n  Variables: [x]\n  Define:\n");
    for (int i = 0; i < 199; i++) {
        ADD("    d%d: ", i);
        repeat(&file, "(", 400);
        ADD("d%d", i + 1);
        repeat(&file, ")", 400);
        ADD("\n");
    }
    ADD("    d199: x\n");
    end_definitions(&file, "d0");
    expect(&file, CHECK, TAUT_ERR_INPUT, "nested too deeply");
}

/* 2^180 ways lead from the last sum to the first one. */
static void test_nested_sums_are_differentiated_once(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("PhysicalParams: {p: 2.5}\nDAE:\n  Variables: [x]\n  Define:\n    d0: x\n");
    for (int i = 1; i <= 180; i++) {
        ADD("    d%d: d%d + p*d%d", i, i - 1, i - 1);
        for (int k = 0; k < 9; k++) ADD(" + sin(%d*x)", 9 * i + k);
        ADD("\n");
    }
    end_definitions(&file, "1e-90*d180'");
    expect(&file, ANALYZE, TAUT_OK, NULL);
}

static void test_unknown_names_do_not_add_up(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("PhysicalParams:\n");
    for (int i = 0; i < 9990; i++) ADD("  qqqqqqq%d: 1\n", i);
    ADD("DAE:\n  Variables: [x]\n  Equations:\n");
    for (int i = 0; i < MANY; i++) ADD("  - x - qqqqqqr%d\n", i);
    expect(&file, CHECK, TAUT_ERR_INPUT, "did you mean");
}

static void test_very_many_values_are_read(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("DAE:\n  Variables:\n");
    for (int i = 0; i < MANY; i++) ADD("  - x%d\n", i);
    ADD("  Equations:\n");
    for (int i = 0; i < MANY; i++) ADD("  - x%d' - 1\n", i);
    ADD("ProblemData:\n  t0: 0\n  tend: 1\n  positions:\n");
    for (int i = 0; i < MANY; i++) ADD("    x%d: 1\n", i);
    ADD("  fixedpositions:\n");
    for (int i = 0; i < MANY; i++) ADD("  - x%d\n", i);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* ---- mechanisms ---- */

static void test_million_bodies_are_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 0; i < 1000000; i++)
        ADD("    P%dP%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i, i + 1);
    ADD("ProblemData: {t0: 0, tend: 1}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "the file has more than");
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 0; i < MANY; i++)
        ADD("    P%dP%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i, i + 1);
    expect(&file, CHECK, TAUT_ERR_INPUT, "bodies");
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Particles:\n");
    for (int i = 1; i < 2 * MANY; i++) ADD("    P%d: 1\n", i);
    expect(&file, CHECK, TAUT_ERR_INPUT, "points and vectors");
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Springs:\n");
    for (int i = 1; i < 2 * MANY; i++) ADD("    P%dP%d: [1, 1]\n", i % 1000, 1000 + i / 1000);
    expect(&file, CHECK, TAUT_ERR_INPUT, "springs and dampers");
}

static void test_thousands_of_bodies_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    const int bodies = 10000;
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 0; i < bodies; i++)
        ADD("    P%dP%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i, i + 1);
    ADD("ProblemData:\n  t0: 0\n  tend: 1\n  positions:\n");
    for (int i = 1; i <= bodies; i++) ADD("    P%d: [%d, 0]\n", i, i);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_bodies_at_one_point_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    const int bodies = 10000;
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s", CRANK);
    for (int i = 0; i < bodies; i++) ADD("    AP%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i);
    ADD("ProblemData:\n  t0: 0\n  tend: 1\n  positions:\n    A: [1, 0]\n");
    for (int i = 0; i < bodies; i++) ADD("    P%d: [2, 0]\n", i);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Every point follows the next one; and every body hangs on the next one. */
static void test_chain_of_elements_backwards_ends(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s  Points:\n", CRANK);
    for (int i = 0; i < MANY / 2; i++) ADD("    P%d: P%d + [1, 0]\n", i, i + 1);
    ADD("    P%d: A\nProblemData: {t0: 0, tend: 0.001, positions: {A: [1, 0]}}\n", MANY / 2);
    expect(&file, CHECK, TAUT_ERR_INPUT, "depend on each other");
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 19000; i >= 0; i--)
        ADD("    P%dQ%dP%d: {Geom: [[1], [1, 1]], Dyna: [[0.5], 1, 0.1]}\n", i, i, i + 1);
    ADD("ProblemData: {t0: 0, tend: 1}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "depend on each other");
}

static void test_chain_of_points_forwards_is_read(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s  Points:\n    P0: A\n",
        CRANK);
    for (int i = 1; i < MANY / 2; i++) ADD("    P%d: P%d + [1, 0]\n", i, i - 1);
    ADD("ProblemData: {t0: 0, tend: 0.001, positions: {A: [1, 0]}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_very_many_vectors_are_read(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Rigids:\n%s  Fixed:\n    O: [0, 0]\n", CRANK);
    for (int i = 0; i < 50000; i++) ADD("    v%d: [1, %d]\n", i, i);
    ADD("  Points:\n");
    for (int i = 50000; i < 60000; i++) ADD("    v%d: [Ax + %d, Ay]\n", i, i);
    ADD("ProblemData: {t0: 0, tend: 0.001, positions: {A: [1, 0]}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_very_many_faulty_parts_are_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Springs:\n");
    for (int i = 0; i < MANY; i++) ADD("    OP%d: {}\n", i);
    expect(&file, CHECK, TAUT_ERR_INPUT, "is missing");
}

/* Files of a hundred bytes that say very much. */
static void test_repetitions_are_checked_in_time(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Repeat: {i: 1..100000, \"q{i}\": 1}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "unknown key 'q1'");
    ADD("DAE: {Variables: [x], Equations: [x']}\n"
        "ProblemData: {Repeat: {i: 1..100000, \"q{i}\": 1}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "unknown key 'q1'");
    static const char *const kind[] = {"VelocityConstraints: {Repeat: {i: 1..90000, \"c{i}\": "
                                       "\"u{i}'\"}}",
                                       "Constraints: {Repeat: {i: 1..90000, \"c{i}\": "
                                       "\"u{i} - 1\"}}"};
    for (int i = 0; i < 2; i++) {
        ADD("Lagrangian:\n  Coordinates: {Repeat: {i: 1..90000, \"u{i}\": 1}}\n  L: u1'^2\n  %s\n"
            "ProblemData: {tend: 1}\n",
            kind[i]);
        expect(&file, CHECK, TAUT_OK, NULL);
    }
}

/* Every section that can be long, each entry of which was compared with all others once. */
static void test_long_sections_are_checked_in_time(void **state) {
    (void)state;
    taut_string file = {0};
    static const char dae[] = "DAE: {Variables: [x], Equations: [\"x' - 1\"], Outputs: {%s}}\n%s"
                              "ProblemData: {tend: 1, positions: {x: 0}}\n";
    ADD(dae, "Repeat: {i: 1..100000, \"o{i}\": sin(i*x)}", "");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD(dae, "y: x", "Discrete: {Repeat: {i: 1..100000, \"d{i}\": i}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD(dae, "y: x", "Events: {Repeat: {i: 1..100000, \"e{i}\": {When: x - i, Stop: true}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s"
        "  Points: {Repeat: {i: 1..90000, \"Q{i}\": A + i*A}}\nAngles: {Repeat: {i: 1..40000, "
        "\"a{i}\": OA}}\nProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Chains of bodies whose joints and angles have names. */
static void test_named_joints_are_checked_in_time(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n"
        "    Repeat: {i: 1..20000, \"P{i-1}P{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
        "Angles: {Repeat: {i: 1..20000, \"a{i}\": \"P{i-1}P{i}\"}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..20000, \"P{i}\": [i, 0]}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {B0: [0, 0]}\n  Rigids:\n"
        "    Repeat: {i: 1..16000, \"A{i}B{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n  Joints:\n"
        "    Repeat: {i: 1..16000, \"j{i}\": {Type: revolute, Points: [\"B{i-1}\", \"A{i}\"], "
        "Angle: \"phi{i}\"}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..16000, \"B{i}\": [i, 0]}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Repetitions of nothing, and of what repeats itself. */
static void test_repetitions_in_repetitions_end(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Repeat: {i: 1..100000, Repeat: {k: 1..100000, Repeat: {l: 1..0, \"q{i}_{k}\": 1}}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "repetition");
    ADD("Repeat: {i: 1..100000, Repeat: {k: 1..100000, Repeat: {l: 1..100000}}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "repetition");
    ADD("Repeat: {i: 1..100000, \"q{i}\": \"");
    repeat(&file, "a", 50000);
    ADD("{i}\"}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "repetition");
}

/* Where LAPACK is needed: OpenBLAS would ask for its buffer without end. */
static void test_little_memory_is_told(void **state) {
    (void)state;
    static const int megabytes[] = {60, 100, 160, 200};
    if (UNLIMITED) return;
    for (int i = 0; i < 4; i++) {
        taut_string file = {0};
        ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s    OB: {Geom: [[1]], "
            "Dyna: "
            "[[0.5], 1, 0.1]}\n  Joints: {Repeat: {i: 1..80, \"j{i}\": {Type: gear, Coordinates: "
            "[a, b], Ratio: i}}}\nAngles: {a: OA, b: OB}\nProblemData: {tend: 1, positions: "
            "{A: [1, 0], B: [2, 0]}}\n",
            CRANK);
        most_memory = (rlim_t)megabytes[i] << 20;
        expect(&file, RUN, TAUT_ERR_MEMORY, NULL);
    }
    most_memory = 1ul << 30;
}

/* Steps that would never come to the end. */
static void test_endless_runs_are_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("DAE: {Variables: [x], Equations: [\"x' - 1\"]}\n"
        "ProblemData: {tend: 1, maxstep: 1e-300, positions: {x: 0}}\n");
    expect(&file, RUN, TAUT_ERR_CALL, "more than 1e+10 steps");
    ADD("DAE: {Variables: [x], Equations: [\"x' - 1\"]}\n"
        "ProblemData: {tend: 1e300, positions: {x: 0}}\n");
    expect(&file, RUN, TAUT_ERR_CALL, "times are between");
}

/* ---- sections that list very many things ---- */

static const char OSCILLATOR[] = "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                                 "ProblemData: {tend: 1, positions: {x: 1, v: 0}}\n";

static void test_many_controllers_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("%sInputs: {u: 0}\nControllers: {Repeat: {i: 1..20000, \"c{i}\": {Every: 0.01, States: "
        "{\"s{i}\": 0}, Next: {\"s{i}\": x}, Out: {u: x}}}}\n",
        OSCILLATOR);
    expect(&file, CHECK, TAUT_ERR_INPUT,
           "has two writers: the controller 'c2' and the controller 'c1'");
    ADD("PhysicalParams: {Repeat: {i: 1..50000, \"p{i}\": 1}}\n%sEvents: {Repeat: {i: 1..50000, "
        "\"e{i}\": {When: x - i, Do: {\"p{i}\": 2}}}}\n",
        OSCILLATOR);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_floors_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("%sOutputs: {Repeat: {i: 1..50000, \"y{i}\": floor(x*i)}}\n", OSCILLATOR);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_drivers_and_free_values_are_refused(void **state) {
    (void)state;
    static const char rod[] =
        "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids: {OA: {Geom: "
        "[[1]], Dyna: [[0.5], 1, 0.1]}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n";
    taut_string file = {0};
    ADD("%sDrivers: {Repeat: {i: 1..50000, \"d{i}\": t}}\n", rod);
    expect(&file, CHECK, TAUT_ERR_INPUT, "'d1' cannot be driven");
    ADD("PhysicalParams: {Repeat: {i: 1..50000, \"p{i}\": 1}}\n%sTrim: {Free: [p1", rod);
    for (int i = 2; i <= 50000; i++) ADD(", p%d", i);
    ADD("]}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "50000 values are to be found: there may be 1000 at most");
}

/* Contacts, limits, friction and locks, good ones and bad ones. */
static void test_many_contacts_are_checked(void **state) {
    (void)state;
    static const char plane[] = "Lagrangian: {Coordinates: [x, y], L: x'^2/2 + y'^2/2}\n"
                                "ProblemData: {tend: 1, positions: {x: 1, y: 1}}\n";
    taut_string file = {0};
    ADD("%sLocks: {Repeat: {i: 1..50000, \"l{i}\": {On: x + i*y, When: t > i, Capacity: 5}}}\n",
        plane);
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("%sLocks: {Repeat: {i: 1..50000, \"l{i}\": {On: \"x{i}\"}}}\n", plane);
    expect(&file, CHECK, TAUT_ERR_INPUT, "unknown name 'x1'; did you mean 'x'?");
    ADD("%sContacts: {Repeat: {i: 1..50000, \"c{i}\": {Gap: y + i, Along: x, Friction: 0.2}}}\n",
        plane);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* What is found from shapes takes hundreds of formulas each. */
static void test_many_shapes_are_refused(void **state) {
    (void)state;
    static const char *const contact[] = {
        "Circle: [A, 0.1], On: {Circle: [[9, i], 0.1]}, Friction: 0.2",
        "Point: A, On: {Curve: y - i*x^2}, Friction: 0.2"};
    taut_string file = {0};
    for (int i = 0; i < 2; i++) {
        ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%sContacts: {Repeat: {i: "
            "1..50000, \"c{i}\": {%s}}}\nProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
            CRANK, contact[i]);
        expect(&file, CHECK, TAUT_ERR_INPUT, "more than 5000 contacts slide");
    }
    ADD("Dimension: 3\nPartData:\n  Particles: {A: 1}\nContacts: {Repeat: {i: 1..50000, \"c{i}\": "
        "{Point: A, On: {Sphere: [[0, 0, -i], 0.5]}, Friction: 0.2}}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0, 2]}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "more than 5000 contacts slide");
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%sContacts: {Repeat: {i: "
        "1..5000, "
        "\"c{i}\": {Circle: [A, 0.1], On: {Circle: [[9, i], 0.1]}, Friction: 0.2}}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%sContacts: {Repeat: {i: "
        "1..50000, "
        "\"c{i}\": {Point: A, On: {Curve: y - i*x^2}}}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Rods that hang on each other by joints with names and angles, and something for each joint. */
static void expect_joints(int joints, const char *section, const char *entry, taut_status wanted,
                          const char *message) {
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {B0: [0, 0]}\n  Rigids:\n    Repeat: {i: 1..%d, "
        "\"A{i}B{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n  Joints: {Repeat: {i: 1..%d, "
        "\"j{i}\": {Type: revolute, Points: [\"B{i-1}\", \"A{i}\"], Angle: \"phi{i}\"}}}\n"
        "%s: {Repeat: {i: 1..%d, %s}}\nProblemData: {tend: 1, positions: {Repeat: {i: 1..%d, "
        "\"B{i}\": [i, 0]}}}\n",
        joints, joints, section, joints, entry, joints);
    expect(&file, CHECK, wanted, message);
}

static void test_loads_of_many_joints_are_checked(void **state) {
    (void)state;
    expect_joints(16000, "Breaks", "\"b{i}\": {Joint: \"j{i}\", When: \"j{i}.Fx > i\"}", TAUT_OK,
                  NULL);
    expect_joints(16000, "Friction", "\"f{i}\": {Joint: \"j{i}\", Coefficient: 0.1, Radius: 0.01}",
                  TAUT_OK, NULL);
    expect_joints(16000, "Outputs", "\"o{i}\": \"j{i}.Fx\"", TAUT_OK, NULL);
    expect_joints(8000, "Breaks", "\"b{i}\": {Joint: \"j{i}\", When: load > i}", TAUT_ERR_INPUT,
                  "unknown name 'load'");
    expect_joints(16000, "Breaks", "\"b{i}\": {Joint: \"k{i}\", When: t > i}", TAUT_ERR_INPUT,
                  "there is no joint 'k1': did you mean 'j1'?");
}

/* Bodies that share a point: each gets one of its own, with its initial values. */
static void test_shared_joints_that_break_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids: {Repeat: {i: 1..16000, \"b{i}\": "
        "{Elements: [O, \"E{i}\"], Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}}\n"
        "Breaks: {Repeat: {i: 1..16000, \"k{i}\": {Joint: \"ground-b{i}\", When: t > i}}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..16000, \"E{i}\": [1, 0]}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_tables_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("%sTables: {f: {Points: [[0, 0], [1, 1], [2, 3]]}}\n"
        "Outputs: {Repeat: {i: 1..100000, \"o{i}\": f(x*i)}}\n",
        OSCILLATOR);
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("%sTables: {Repeat: {i: 1..20000, \"f{i}\": {Points: [[0, 0], [1, i], [2, 3], [3, 4]], "
        "Between: spline}}}\nOutputs: {Repeat: {i: 1..20000, \"o{i}\": \"f{i}(x)\"}}\n",
        OSCILLATOR);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_springs_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Particles: {Repeat: {i: 1..20000, "
        "\"P{i}\": 1}}\n  Springs: {Repeat: {i: 2..20000, \"s{i}\": {Elements: [\"P{i-1}\", "
        "\"P{i}\"], k: 1, l: 1}}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..20000, \"P{i}\": [i, 0]}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s  TorsionSprings: {Repeat: "
        "{i: 1..40000, \"s{i}\": {Angle: \"a{i}\", k: 1}}}\nAngles: {Repeat: {i: 1..40000, "
        "\"a{i}\": OA}}\nProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_drivers_are_checked(void **state) {
    (void)state;
    static const char *const more[] = {
        "", "Breaks: {Repeat: {i: 1..16000, \"b{i}\": {Driver: \"a{i}\", When: t > i}}}\n"};
    taut_string file = {0};
    for (int i = 0; i < 2; i++) {
        const int bodies = i == 0 ? 20000 : 16000;
        ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n    Repeat: {i: 1..%d, "
            "\"P{i-1}P{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
            "Angles: {Repeat: {i: 1..%d, \"a{i}\": \"P{i-1}P{i}\"}}\n"
            "Drivers: {Repeat: {i: 1..%d, \"a{i}\": i*t}}\n"
            "ProblemData: {tend: 1, positions: {Repeat: {i: 1..%d, \"P{i}\": [i, 0]}}}\n%s",
            bodies, bodies, bodies, bodies, more[i]);
        expect(&file, CHECK, TAUT_OK, NULL);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_alias_bomb_is_refused),
        TEST(test_repetitions_are_checked_in_time),
        TEST(test_long_sections_are_checked_in_time),
        TEST(test_named_joints_are_checked_in_time),
        TEST(test_repetitions_in_repetitions_end),
        TEST(test_little_memory_is_told),
        TEST(test_endless_runs_are_refused),
        TEST(test_deep_nesting_is_refused),
        TEST(test_long_lines_are_read),
        TEST(test_very_many_keys_are_refused),
        TEST(test_huge_exponents_end),
        TEST(test_primes_without_end_are_refused),
        TEST(test_huge_numbers_are_refused),
        TEST(test_long_formulas_are_read),
        TEST(test_chain_of_definitions_ends),
        TEST(test_nested_sums_are_differentiated_once),
        TEST(test_unknown_names_do_not_add_up),
        TEST(test_very_many_values_are_read),
        TEST(test_million_bodies_are_refused),
        TEST(test_thousands_of_bodies_are_checked),
        TEST(test_bodies_at_one_point_are_checked),
        TEST(test_chain_of_elements_backwards_ends),
        TEST(test_chain_of_points_forwards_is_read),
        TEST(test_very_many_vectors_are_read),
        TEST(test_very_many_faulty_parts_are_refused),
        TEST(test_many_controllers_are_checked),
        TEST(test_many_floors_are_checked),
        TEST(test_many_drivers_and_free_values_are_refused),
        TEST(test_many_contacts_are_checked),
        TEST(test_many_shapes_are_refused),
        TEST(test_loads_of_many_joints_are_checked),
        TEST(test_shared_joints_that_break_are_checked),
        TEST(test_many_tables_are_checked),
        TEST(test_many_springs_are_checked),
        TEST(test_many_drivers_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
