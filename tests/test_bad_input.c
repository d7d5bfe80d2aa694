/* Wrong input and wrong calls: each is told by file, line, column and name, with exit status 2 and
 * nothing written; or, where the fault arises in the run, 1 and what was computed so far. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

/* Shorthands for files: the problem of one variable that starts at 1. */
#define ONE "ProblemData: {tend: 1, positions: {x: 1}}\n"
#define DAE_X(equation) "DAE: {Variables: [x], Equations: [" equation "]}\n"
#define DECAY "PhysicalParams: {k: 1}\nDAE: {Variables: [x], Equations: [x' + k*x]}\n" ONE
#define CIRCLE                                                                                     \
    "Lagrangian:\n"                                                                                \
    "  Coordinates: [x, y]\n"                                                                      \
    "  L: 1/2*(x'^2 + y'^2)\n"                                                                     \
    "  Constraints: [x^2 + y^2 - 1]\n"

typedef struct bad {
    const char *what;
    const char *text;    /* of m.yaml */
    const char *command; /* NULL: run m.yaml */
    const char *where;   /* line:column in m.yaml; NULL: a fault of the call */
    const char *part[3]; /* what the message contains */
} bad;

/* ---- checking a message ---- */

static int count_text(const char *text, const char *part) {
    int count = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part)) count++;
    return count;
}

/* The message that starts a line of err with `start`; NULL: there is none. */
static const char *find_message(const char *err, const char *start) {
    for (const char *p = strstr(err, start); p; p = strstr(p + 1, start))
        if (p == err || p[-1] == '\n') return p;
    return NULL;
}

/* The caret stands below the column that the message names, if the source line is short. */
static void check_caret(const char *message, int column) {
    const char *source = strchr(message, '\n') + 1;
    if (strncmp(source, "  ", 2) != 0) return; /* a fault without a line to show */
    const char *mark = strchr(source, '\n') + 1;
    if (mark - source > 150) return;
    const size_t blanks = strspn(mark, " ");
    assert_int_equal(mark[blanks], '^');
    assert_int_equal(blanks, column + 1);
}

/* Fails unless err has a message at `where` that contains the parts. */
static void check_message(const char *what, const char *err, const char *where, const char *word,
                          const char *const part[3]) {
    char start[100], line[1200];
    if (where)
        snprintf(start, sizeof start, "m.yaml:%s: %s: ", where, word);
    else
        snprintf(start, sizeof start, "taut: %s: ", word);
    const char *message = find_message(err, start);
    if (!message) fail_msg("%s: no message that starts with '%s' in\n%s", what, start, err);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(message, "\n"), message);
    for (int i = 0; i < 3 && part[i]; i++)
        if (!strstr(line, part[i])) fail_msg("%s: no '%s' in\n%s", what, part[i], line);
    if (where) check_caret(message, atoi(strchr(where, ':') + 1));
}

/* Runs a case that must end with 2 and leave the folder as it was. */
static void check_refused(const bad *b) {
    const char *command = b->command ? b->command : "run m.yaml";
    program_result r;
    char before[300], after[300];
    program_write("m.yaml", b->text ? b->text : DECAY, -1);
    program_list(before, sizeof before);
    program_call(&r, command);
    program_list(after, sizeof after);
    if (r.code != 2)
        fail_msg("%s: taut %s ends with %d\n%s%s", b->what, command, r.code, r.out, r.err);
    check_message(b->what, r.err, b->where, "error", b->part);
    if (r.out[0]) fail_msg("%s: something on stdout:\n%s", b->what, r.out);
    if (strcmp(before, after) != 0) fail_msg("%s: it wrote a file: %s", b->what, after);
    program_release(&r);
}

static void check_all(const bad *list, size_t count) {
    for (size_t i = 0; i < count; i++) check_refused(&list[i]);
}
#define CHECK_ALL(list) check_all(list, sizeof(list) / sizeof(list)[0])

/* ---- YAML ---- */

static void test_malformed_yaml_is_told_at_its_place(void **state) {
    (void)state;
    static const bad list[] = {
        {"tab as indentation", "Title: a\n\tDAE: {Variables: [x]}\n", NULL, "2:1", {"tab"}},
        {"list without end",
         "DAE:\n  Variables: [x\n  Equations: [x']\n",
         NULL,
         "3:12",
         {"line 2"}},
        {"wrong indentation",
         "DAE:\n  Variables: [x]\n Equations: [x']\n",
         NULL,
         "3:2",
         {"indentation"}},
        {"open quote",
         "Title: a\nDAE: {Variables: [x], Equations: [\"x']}\n",
         NULL,
         "2:35",
         {"quote"}},
        {"colon in a text",
         "Title: pendulum: first\n" DAE_X("x' + x") ONE,
         NULL,
         "1:16",
         {"quote"}},
        {"unknown alias", "DAE: *nope\n", NULL, "1:6", {"nope"}},
        {"key given twice", DAE_X("x'") DAE_X("x'"), NULL, "2:1", {"'DAE'", "twice", "line 1"}},
        {"two documents", DAE_X("x'") "---\n" DAE_X("x'"), NULL, "2:1", {"second document"}},
        {"a list", "- a\n- b\n", NULL, "1:1", {"a map"}},
        {"a word", "hello\n", NULL, "1:1", {"a map"}},
        {"empty file", "", NULL, "1:1", {"empty"}},
        {"only comments", "# nothing\n# at all\n", NULL, "1:1", {"empty"}},
        {"not UTF-8", "Title: f\xfcr\n" DAE_X("x'"), NULL, "1:9", {"UTF-8", "0xFC"}},
    };
    CHECK_ALL(list);
}

static void test_files_that_are_no_text_are_refused(void **state) {
    (void)state;
    static const char *const nothing[3] = {"not a text file"};
    program_result r;
    char junk[4000];
    unsigned seed = 7;
    for (size_t i = 0; i < sizeof junk; i++) {
        seed = seed * 1664525u + 1013904223u;
        junk[i] = (char)(seed >> 24);
    }
    program_write("m.yaml", junk, sizeof junk);
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 2);
    assert_int_equal(strncmp(r.err, "m.yaml:", 7), 0);
    assert_non_null(strstr(r.err, "not a text file"));
    program_release(&r);
    program_write("m.yaml", "DAE: {Variables: [x], Equ\0ations: [x']}\n", 40);
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 2);
    check_message("NUL", r.err, "1:26", "error", nothing);
    program_release(&r);
    assert_false(program_exists("m.csv"));
}

static void test_missing_files_and_folders_are_told(void **state) {
    (void)state;
    program_result r;
    program_call(&r, "run nofile.yaml");
    assert_int_equal(r.code, 2);
    assert_non_null(find_message(r.err, "nofile.yaml:1:1: error: "));
    assert_non_null(strstr(r.err, "No such file"));
    program_release(&r);
    assert_int_equal(mkdir("folder", 0777), 0);
    program_call(&r, "check folder");
    assert_int_equal(r.code, 2);
    assert_non_null(find_message(r.err, "folder:1:1: error: "));
    assert_non_null(strstr(r.err, "folder, not a file"));
    program_release(&r);
}

/* ---- depth ---- */

/* head, `count` times `open`, middle, `count` times `close`, tail; in m.yaml. */
static void write_nested(const char *head, const char *open, const char *middle, const char *close,
                         const char *tail, int count) {
    FILE *file = fopen("m.yaml", "w");
    assert_non_null(file);
    fputs(head, file);
    for (int i = 0; i < count; i++) fputs(open, file);
    fputs(middle, file);
    for (int i = 0; i < count; i++) fputs(close, file);
    fputs(tail, file);
    fclose(file);
}

static void check_deep(const char *part) {
    program_result r;
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 2);
    assert_int_equal(strncmp(r.err, "m.yaml:", 7), 0);
    if (!strstr(r.err, part)) fail_msg("no '%s' in %.300s", part, r.err);
    assert_true(strlen(r.err) < 3000);
    assert_false(program_exists("m.csv"));
    program_release(&r);
}

static void test_huge_nesting_is_an_error_and_no_crash(void **state) {
    (void)state;
    static const char head[] = "DAE:\n  Variables: [x]\n  Equations:\n  - x' + ";
    static const char tail[] = "\n" ONE;
    write_nested(head, "(", "x", ")", tail, 1000000);
    check_deep("nested too deeply");
    write_nested(head, "sin(", "x", ")", tail, 100000);
    check_deep("nested too deeply");
    write_nested(head, "x^", "x", "", tail, 100000);
    check_deep("nested too deeply");
    write_nested(head, "(", "", "", tail, 1000000);
    check_deep("nested too deeply");
    write_nested(head, "", "x", "'", tail, 100000);
    check_deep("derivatives go up to 50");
    write_nested("DAE: ", "[", "", "]", "\n", 200000);
    check_deep("nested more than");
    write_nested("DAE: ", "{a: ", "", "", "\n", 100000);
    check_deep("nested more than");
    write_nested("", "- ", "a", "", "\n", 100000);
    check_deep("nested more than");
}

static void test_aliases_cannot_blow_up(void **state) {
    (void)state;
    char text[2000] = "a: &a [x, x, x, x, x, x, x, x, x]\n";
    size_t used = strlen(text);
    for (int c = 'b'; c <= 'j'; c++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%c: &%c [", c, c);
        for (int i = 0; i < 9; i++)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s*%c", i ? ", " : "", c - 1);
        used += (size_t)snprintf(text + used, sizeof text - used, "]\n");
    }
    program_write("m.yaml", text, -1);
    check_deep("aliases");
}

/* ---- keys and sections ---- */

static void test_keys_and_sections_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"unknown key at the top",
         "Titel: a\n" DAE_X("x' + x") ONE,
         NULL,
         "1:1",
         {"unknown key 'Titel'", "did you mean 'Title'?"}},
        {"unknown key of a section",
         "DAE: {Variabels: [x], Equations: [x' + x]}\n" ONE,
         NULL,
         "1:7",
         {"'Variabels'", "did you mean 'Variables'?"}},
        {"unknown key of ProblemData",
         DAE_X("x' + x") "ProblemData: {tend: 1, position: {x: 1}}\n",
         NULL,
         "2:24",
         {"'position'", "'positions'"}},
        {"unknown key like no other",
         "Wombat: 1\n" DAE_X("x' + x") ONE,
         NULL,
         "1:1",
         {"unknown key 'Wombat'"}},
        {"a key of ProblemData at the top",
         "tend: 1\n" DAE_X("x' + x"),
         NULL,
         "1:1",
         {"'tend'", "under 'ProblemData'"}},
        {"a key of the top in a section",
         "DAE: {Variables: [x], Equations: [x'], Outputs2: 1, Title: a}\n" ONE,
         NULL,
         "1:53",
         {"'Title'", "at the top level"}},
        {"a key of AppliedForces among the parts",
         "Dimension: 2\nPartData: {Gravity: 9.81}\n" ONE,
         NULL,
         "2:12",
         {"'Gravity'", "under 'AppliedForces'"}},
        {"a key of the top that is for mechanisms",
         "DAE: {Variables: [x], Equations: [x'], Drivers: 1}\n" ONE,
         NULL,
         "1:40",
         {"unknown key 'Drivers'"}},
        {"derivatives of other programs",
         DAE_X("dx/dt + x") ONE,
         NULL,
         "1:35",
         {"the time derivative of 'x' is written x'"}},
        {"derivatives by dots",
         DAE_X("x_dot + x") ONE,
         NULL,
         "1:35",
         {"the time derivative of 'x' is written x'"}},
        {"no model", "Title: a\n" ONE, NULL, "1:1", {"'DAE'", "'Lagrangian'"}},
        {"two models", DAE_X("x' + x") CIRCLE ONE, NULL, "3:3", {"one model"}},
        {"empty section", "DAE:\n" ONE, NULL, "1:5", {"'DAE'", "empty"}},
        {"a list as section", "DAE: [x]\n" ONE, NULL, "1:6", {"'DAE'", "a map"}},
        {"a word as list",
         "DAE: {Variables: x, Equations: [x']}\n" ONE,
         NULL,
         "1:18",
         {"'Variables'", "a list"}},
        {"a list as values",
         DAE_X("x' + x") "ProblemData: {tend: 1, positions: [1]}\n",
         NULL,
         "2:35",
         {"initial values", "a map"}},
        {"no Variables",
         "Title: a\nDAE:\n  Equations: [x' + x]\n" ONE,
         NULL,
         "2:1",
         {"'Variables' is missing"}},
        {"no Equations",
         "Title: a\nDAE:\n  Variables: [x]\n" ONE,
         NULL,
         "2:1",
         {"'Equations' is missing"}},
        {"no L",
         "Title: a\nLagrangian:\n  Coordinates: [x]\n" ONE,
         NULL,
         "2:1",
         {"'L' is missing"}},
        {"no Coordinates",
         "Title: a\nLagrangian:\n  L: 1/2*x'^2\n" ONE,
         NULL,
         "2:1",
         {"'Coordinates' is missing"}},
        {"no Equations for Variables",
         "Lagrangian:\n  Coordinates: [x]\n  Variables: [f]\n  L: 1/2*x'^2\n" ONE,
         NULL,
         "1:1",
         {"'Equations' is missing", "'Variables'"}},
        {"empty Variables",
         "DAE: {Variables: [], Equations: []}\nProblemData: {tend: 1}\n",
         NULL,
         "1:18",
         {"'Variables' is empty"}},
        {"empty Coordinates",
         "Lagrangian: {Coordinates: [], L: 1}\nProblemData: {tend: 1}\n",
         NULL,
         "1:27",
         {"'Coordinates' is empty"}},
        {"no tend",
         "Title: a\n" DAE_X("x' + x") "ProblemData:\n  positions: {x: 1}\n",
         NULL,
         "3:1",
         {"'tend' is missing", "--tend"}},
        {"no ProblemData", "Title: a\n" DAE_X("x' + x"), NULL, "1:1", {"'tend' is missing"}},
    };
    CHECK_ALL(list);
}

/* ---- formulas ---- */

static void test_formulas_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"unknown name",
         "PhysicalParams: {length: 1}\n" DAE_X("x' + lenght") ONE,
         NULL,
         "2:40",
         {"unknown name 'lenght'", "did you mean 'length'?"}},
        {"unknown name like no other",
         DAE_X("x' + wombat") ONE,
         NULL,
         "1:40",
         {"unknown name 'wombat'"}},
        {"unknown function", DAE_X("x' + sinn(x)") ONE, NULL, "1:40", {"'sinn'", "not a function"}},
        {"a function without argument", DAE_X("x' + sin") ONE, NULL, "1:40", {"sin(...)"}},
        {"too many arguments",
         DAE_X("\"x' + sin(x, 2)\"") ONE,
         NULL,
         "1:41",
         {"sin takes 1 argument, not 2"}},
        {"product without *", DAE_X("x' + 3x") ONE, NULL, "1:41", {"write * between", "3*x"}},
        {"call of a variable", DAE_X("x' + x(3)") ONE, NULL, "1:40", {"'x'", "x*(...)"}},
        {"equals sign", DAE_X("x' = -x") ONE, NULL, "1:38", {"'='", "equals zero"}},
        {"open parenthesis", DAE_X("x' + (x + 3") ONE, NULL, "1:46", {"not closed"}},
        {"closed parenthesis", DAE_X("x' + x)") ONE, NULL, "1:41", {"')'", "never opened"}},
        {"half a product", DAE_X("x' + x*") ONE, NULL, "1:42", {"the end of the formula"}},
        {"two decimal points", DAE_X("x' + 1.2.3") ONE, NULL, "1:43", {"two decimal points"}},
        {"too large a number", DAE_X("x' + 1e999") ONE, NULL, "1:40", {"1e999", "too large"}},
        {"a letter of another script", DAE_X("x' + \xc3\xa9") ONE, NULL, "1:40", {"character"}},
        {"primes in single quotes",
         DAE_X("'x'' + x'") ONE,
         NULL,
         "1:35",
         {"single quotes", "double quotes"}},
        {"torn at a comma", DAE_X("x' + pow(x, 2)") ONE, NULL, "1:45", {"pow(", "quote it"}},
        {"no formula", DAE_X("x' + x") "Outputs: {speed: }\n" ONE, NULL, "2:18", {"missing"}},
        {"a map as formula", DAE_X("{a: 1}") ONE, NULL, "1:35", {"a formula is expected"}},
        {"floor", DAE_X("'x'' + floor([1, 2])'") ONE, NULL, "1:35", {"single quotes"}},
        {"floor of a vector",
         DAE_X("floor(v)") "Define: {v: [t, t]}\n" ONE,
         NULL,
         "1:35",
         {"floor needs a number"}},
        {"a kink in a parameter",
         "PhysicalParams: {k: abs(c)}\nDiscrete: {c: 1}\n" DAE_X("x' + k*x") ONE,
         NULL,
         "1:21",
         {"abs has a kink"}},
        {"division by zero",
         "PhysicalParams: {c: 0}\n" DAE_X("x' + x/c") ONE,
         NULL,
         "2:41",
         {"division by zero"}},
        {"logarithm of -1",
         DAE_X("x' + x*log(-1)") ONE,
         NULL,
         "1:35",
         {"constant part", "not a finite number"}},
        {"root of a negative parameter",
         "PhysicalParams: {m: -4}\n" DAE_X("x' + sqrt(m)*x") ONE,
         NULL,
         "2:35",
         {"constant part", "not a finite number"}},
    };
    CHECK_ALL(list);
}

static void test_vectors_are_checked(void **state) {
    (void)state;
#define VECTOR(formula, value)                                                                     \
    "DAE:\n  Variables: {u: 2}\n  Equations: [\"" formula                                          \
    "\"]\nProblemData: {tend: 1, positions: {u: " value "}}\n"
    static const bad list[] = {
        {"sum of vectors of different sizes",
         VECTOR("u' + [1, 2, 3]", "[1, 2]"),
         NULL,
         "3:19",
         {"another size"}},
        {"sum of vector and number",
         VECTOR("u' + 1", "[1, 2]"),
         NULL,
         "3:19",
         {"a vector and a number"}},
        {"product of two vectors",
         VECTOR("u' + u*u", "[1, 2]"),
         NULL,
         "3:22",
         {"product of two vectors", "dot(a, b)"}},
        {"function of a vector",
         VECTOR("u' + sin(u)*u", "[1, 2]"),
         NULL,
         "3:21",
         {"sin needs a number", "2 components"}},
        {"no such component", VECTOR("u' + u.z*u", "[1, 2]"), NULL, "3:22", {"no such component"}},
        {"too many values",
         VECTOR("u' + u", "[1, 2, 3]"),
         NULL,
         "4:39",
         {"a vector with 2 components is expected"}},
        {"a number for a vector", VECTOR("u' + u", "3"), NULL, "4:39", {"not a number"}},
        {"four components",
         "DAE: {Variables: {u: 4}, Equations: [u']}\n" ONE,
         NULL,
         "1:22",
         {"'u'", "1, 2 or 3 components"}},
        {"a vector for a number",
         DAE_X("x' + x") "ProblemData: {tend: 1, positions: {x: [1, 2]}}\n",
         NULL,
         "2:39",
         {"a number is expected"}},
        {"one value too many",
         VECTOR("u' + u", "[1, 2], ux: 3"),
         NULL,
         "4:51",
         {"ux", "given twice"}},
    };
#undef VECTOR
    CHECK_ALL(list);
}

/* ---- names ---- */

static void test_names_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"clash",
         "PhysicalParams: {x: 1}\n" DAE_X("x' + x") ONE,
         NULL,
         "2:19",
         {"'x' is taken", "line 1"}},
        {"clash of a component",
         "DAE: {Variables: {ux: 1, u: 2}, Equations: [ux', u']}\n" ONE,
         NULL,
         "1:26",
         {"'ux' is taken"}},
        {"clash with the column of energy",
         "Lagrangian: {Coordinates: [x], L: 1/2*x'^2}\nOutputs: {energy: x}\n" ONE,
         NULL,
         "2:11",
         {"'energy' is a column"}},
        {"clash of columns",
         "DAE: {Variables: [x, ax], Equations: [x', ax']}\nOutputs: {a: [x, 2*x]}\n" ONE,
         NULL,
         "2:11",
         {"'ax' is taken"}},
        {"a function as name",
         "DAE: {Variables: [sin], Equations: [sin']}\n" ONE,
         NULL,
         "1:19",
         {"'sin' has a meaning"}},
        {"the time as name",
         "DAE: {Variables: [t], Equations: [t']}\n" ONE,
         NULL,
         "1:19",
         {"'t' has a meaning"}},
        {"a digit first",
         "DAE: {Variables: [2x], Equations: [x']}\n" ONE,
         NULL,
         "1:19",
         {"'2x' cannot be a name"}},
        {"a decimal comma",
         "PhysicalParams: {g: 9,81}\n" DAE_X("x' + g*x") ONE,
         NULL,
         "1:23",
         {"'81' cannot be a name", "decimal point"}},
        {"a blank inside",
         "DAE: {Variables: [x y], Equations: [x']}\n" ONE,
         NULL,
         "1:19",
         {"'x y' cannot be a name"}},
        {"circular parameters",
         "PhysicalParams:\n  a: b\n  b: c + 1\n  c: 2*a\n" DAE_X("x' + a*x") ONE,
         NULL,
         "4:8",
         {"'a'", "itself", "circular"}},
        {"circular definitions",
         "Define: {a: b + x, b: 2*a}\n" DAE_X("x' + a") ONE,
         NULL,
         "1:25",
         {"'a'", "circular"}},
        {"parameter through itself",
         "PhysicalParams: {a: a + 1}\n" DAE_X("x' + a") ONE,
         NULL,
         "1:21",
         {"'a'", "circular"}},
        {"parameter of a variable",
         "PhysicalParams: {a: 2*x}\n" DAE_X("x' + a") ONE,
         NULL,
         "1:23",
         {"unknown name 'x'", "'Define'"}},
        {"parameter of time",
         "PhysicalParams: {a: 2*t}\n" DAE_X("x' + a") ONE,
         NULL,
         "1:18",
         {"'a' must be a number"}},
    };
    CHECK_ALL(list);
}

static void test_circular_names_are_told_once(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", "PhysicalParams: {a: b, b: c, c: a, d: a}\n" DAE_X("x' + a + d") ONE,
                  -1);
    program_call(&r, "check m.yaml");
    assert_int_equal(r.code, 2);
    assert_int_equal(count_text(r.err, "error:"), 1);
    program_release(&r);
}

/* ---- Lagrangians ---- */

static void test_lagrangians_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"prime in a constraint",
         "Lagrangian:\n  Coordinates: [x]\n  L: 1/2*x'^2\n  Constraints: [x' - 1]\n" ONE,
         NULL,
         "4:17",
         {"constraint", "derivatives"}},
        {"second derivative in L",
         "Lagrangian:\n  Coordinates: [x]\n  L: 1/2*x'^2 + x''\n" ONE,
         NULL,
         "3:6",
         {"'L'", "second"}},
        {"force on no coordinate",
         "Lagrangian:\n  Coordinates: [angle]\n  L: 1/2*angle'^2\n  Forces: {angel: 1}\n" ONE,
         NULL,
         "4:12",
         {"'angel' is not a coordinate", "'angle'"}},
        {"force on a parameter",
         "PhysicalParams: {G: 1}\nLagrangian:\n  Coordinates: [x]\n  L: 1/2*x'^2\n  Forces: {G: "
         "1}\n" ONE,
         NULL,
         "5:12",
         {"'G' is not a coordinate"}},
        {"a coordinate without motion",
         "Lagrangian:\n  Coordinates: [x, y]\n  L: 1/2*x'^2\n" ONE,
         NULL,
         "2:20",
         {"'y'", "0 = 0"}},
        {"a vector as L",
         "Lagrangian:\n  Coordinates: {u: 2}\n  L: u\n" ONE,
         NULL,
         "3:6",
         {"a number is expected"}},
        {"constraint without coordinates",
         "Lagrangian:\n  Coordinates: [x]\n  L: 1/2*x'^2\n  Constraints: [t - 1]\n" ONE,
         NULL,
         "4:17",
         {"constraint 1", "no variable"}},
    };
    CHECK_ALL(list);
}

/* ---- structure ---- */

/* The raw transistor amplifier has such pairs of rows: C (U1' - U2') + ... twice. */
static void test_structure_is_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"more variables",
         "DAE: {Variables: [x, y], Equations: [x' + x]}\n" ONE,
         NULL,
         "1:37",
         {"2 variables but 1 equation"}},
        {"more equations",
         "DAE: {Variables: [x], Equations: [x' + x, x'']}\n" ONE,
         NULL,
         "1:34",
         {"1 variable but 2 equations"}},
        {"over-determined",
         "DAE:\n  Variables: [x, y, z]\n  Equations: [x' + x, x + t, y' + z]\n" ONE,
         NULL,
         "3:15",
         {"over-determined", "equation 1, equation 2", "(x)"}},
        {"under-determined",
         "DAE:\n  Variables: [x, y, z]\n  Equations: [x' + x, x + t, y' + z]\n" ONE,
         "analyze m.yaml",
         "2:18",
         {"under-determined", "(y, z)", "equation 3"}},
        {"equation without variables",
         "DAE: {Variables: [x, y], Equations: [x' + x, sin(t) - 1]}\n" ONE,
         NULL,
         "1:46",
         {"equation 2", "no variable"}},
        {"variable in no equation",
         "DAE: {Variables: [x, y], Equations: [x' + x, x]}\n" ONE,
         NULL,
         "1:22",
         {"y occurs in no equation"}},
        {"structural analysis fails",
         "DAE: {Variables: [x, y], Equations: [x' + y' + x, x' + y' + 2*y]}\n"
         "ProblemData: {tend: 1, positions: {x: 1, y: 1}}\n",
         NULL,
         "1:38",
         {"structural analysis fails", "equation 1, equation 2"}},
        {"paired rows of an amplifier",
         "DAE:\n"
         "  Variables: [U1, U2, U3]\n"
         "  Equations:\n"
         "  - U1' - U2' + U1 - sin(t)\n"
         "  - -U1' + U2' + U2\n"
         "  - U3' + U3 - U2\n"
         "ProblemData: {tend: 1, positions: {U1: 0, U2: 0, U3: 0}}\n",
         NULL,
         "4:5",
         {"structural analysis fails", "equation 1, equation 2"}},
        {"the same constraint twice",
         "Lagrangian:\n  Coordinates: [x, y]\n  L: 1/2*(x'^2 + y'^2)\n  Constraints: [x^2 + y^2 - "
         "1, 2*x^2 + 2*y^2 - 2]\nProblemData: {tend: 1, positions: {x: 1, y: 0}}\n",
         NULL,
         "4:17",
         {"constraint 1, constraint 2", "dependency"}},
    };
    CHECK_ALL(list);
}

/* ---- initial values ---- */

static void test_initial_values_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"no position",
         DAE_X("x'' + x") "ProblemData: {tend: 1, velocities: {x: 1}}\n",
         NULL,
         "2:1",
         {"no initial value for x:", "'positions'"}},
        {"no velocity of a DAE",
         DAE_X("x'' + x") ONE,
         NULL,
         "2:1",
         {"no initial value for x':", "'velocities'"}},
        {"no second derivative",
         DAE_X("x''' + x") "ProblemData: {tend: 1, positions: {x: 1}, velocities: {x: 1}}\n",
         NULL,
         "2:1",
         {"no initial value for x''", "'values'"}},
        {"no position of a Lagrangian",
         "Lagrangian:\n  Coordinates: [x, y]\n  L: 1/2*(x'^2 + y'^2)\n" ONE,
         NULL,
         "4:1",
         {"no initial value for y"}},
        {"no choice on a line",
         "Lagrangian:\n  Coordinates: [x, y]\n  L: 1/2*(x'^2 + y'^2)\n  Constraints: [x + y - 1]\n"
         "ProblemData: {tend: 1}\n",
         NULL,
         "5:1",
         {"list 1 of x, y", "'positions'"}},
        {"value of an unknown name",
         DAE_X("x' + x") "ProblemData: {tend: 1, positions: {x: 1, y: 2}}\n",
         NULL,
         "2:42",
         {"unknown name 'y'"}},
        {"value of a parameter",
         "PhysicalParams: {k: 1}\n" DAE_X(
             "x' + x") "ProblemData: {tend: 1, positions: {x: 1, k: 2}}\n",
         NULL,
         "3:42",
         {"'k' is not a variable"}},
        {"value given twice",
         DAE_X("x' + x") "ProblemData: {tend: 1, positions: {x: 1}, values: {x: 3}}\n",
         NULL,
         "2:55",
         {"x", "given twice", "line 2"}},
        {"prime in positions",
         DAE_X("x' + x") "ProblemData: {tend: 1, positions: {x': 1}}\n",
         NULL,
         "2:36",
         {"'velocities'"}},
        {"value that moves",
         DAE_X("x' + x") "ProblemData: {tend: 1, positions: {x: x}}\n",
         NULL,
         "2:39",
         {"a number"}},
        {"tend that moves",
         DAE_X("x' + x") "ProblemData: {tend: t, positions: {x: 1}}\n",
         NULL,
         "2:21",
         {"a number is expected"}},
        {"tend that is no number",
         DAE_X("x' + x") "ProblemData: {tend: 1e999}\n",
         NULL,
         "2:21",
         {"too large"}},
        {"no number at all",
         DAE_X("x' + x") "ProblemData: {tend: 1, positions: {x: }}\n",
         NULL,
         "2:39",
         {"missing"}},
        {"fixed without a value",
         CIRCLE "ProblemData: {tend: 1, positions: {x: 1}, fixedpositions: [y]}\n",
         NULL,
         "5:60",
         {"y is to be kept fixed", "'positions'"}},
        {"fixed values off the constraint",
         CIRCLE "ProblemData: {tend: 1, positions: {x: 1, y: 1}, fixedpositions: [x, y]}\n",
         NULL,
         "4:17",
         {"constraint 1", "off by 1"}},
        {"fixed velocity off the constraint",
         CIRCLE "ProblemData: {tend: 1, positions: {x: 1, y: 0}, velocities: {x: 1}, "
                "fixedvelocities: [x]}\n",
         NULL,
         "4:17",
         {"first derivative of constraint 1", "off by 2"}},
        {"two constraints that exclude each other",
         "Lagrangian:\n  Coordinates: [x, y]\n  L: 1/2*(x'^2 + y'^2)\n  Constraints: [x^2 + y^2 - "
         "1, x^2 + y^2 - 4]\nProblemData: {tend: 1, positions: {x: 1, y: 0}}\n",
         NULL,
         "4:32",
         {"constraint 2", "off by"}},
        {"no real solution", DAE_X("x^2 + 1") ONE, NULL, "1:35", {"equation 1", "off by"}},
        {"logarithm of a negative value",
         DAE_X("x' + log(x)") "ProblemData: {tend: 1, positions: {x: -1}}\n",
         NULL,
         "1:35",
         {"equation 1 has no value at the initial point", "log(x)"}},
        {"root of a negative value",
         DAE_X("x' + sqrt(x)") "ProblemData: {tend: 1, positions: {x: -1}}\n",
         NULL,
         "1:35",
         {"equation 1 has no value at the initial point", "sqrt(x)"}},
        {"division by a value of 0",
         DAE_X("x' + 1/x") "ProblemData: {tend: 1, positions: {x: 0}}\n",
         NULL,
         "1:35",
         {"equation 1 has no value at the initial point", "1/x"}},
        {"singular at the start",
         "DAE: {Variables: [x, y], Equations: [x' + x, (x - 1)*y' - 1]}\n"
         "ProblemData: {tend: 1, positions: {x: 1, y: 1}}\n",
         NULL,
         "1:46",
         {"singular at the start", "equation 2"}},
    };
    CHECK_ALL(list);
}

/* ---- the call ---- */

static void test_options_are_checked(void **state) {
    (void)state;
    static const bad list[] = {
        {"at after the end", NULL, "run m.yaml --at 2", NULL, {"--at 2 is outside", "from 0 to 1"}},
        {"at before the start", NULL, "run m.yaml --at -0.5,1", NULL, {"--at -0.5 is outside"}},
        {"at not ascending", NULL, "run m.yaml --at 0.5,0.25", NULL, {"ascending", "0.25"}},
        {"at twice the same", NULL, "run m.yaml --at 0.5,0.5", NULL, {"ascending"}},
        {"at with a hole", NULL, "run m.yaml --at 0.2,,0.3", NULL, {"--at 0.2,,0.3", "commas"}},
        {"tolerance 0", NULL, "run m.yaml --tol 0", NULL, {"--tol 0", "above 0"}},
        {"negative tolerance", NULL, "run m.yaml --rtol -1e-9", NULL, {"--rtol", "above 0"}},
        {"tolerance in words", NULL, "run m.yaml --atol small", NULL, {"--atol small", "number"}},
        {"tolerance too large", NULL, "run m.yaml --tol 0.5", NULL, {"0.5", "at most 0.1"}},
        {"order too low", NULL, "run m.yaml --order 2", NULL, {"--order 2", "from 4 to 60"}},
        {"order with a fraction", NULL, "run m.yaml --order 20.5", NULL, {"whole number"}},
        {"every 0", NULL, "run m.yaml --every 0", NULL, {"--every 0", "step"}},
        {"every in words", NULL, "run m.yaml --every steps", NULL, {"--every steps", "step"}},
        {"too many rows", NULL, "run m.yaml --every 1e-20", NULL, {"--every 1e-20", "rows"}},
        {"unknown solver", NULL, "run m.yaml --solver magic", NULL, {"'magic'", "taylor"}},
        {"formulation of a DAE",
         NULL,
         "run m.yaml --formulation relative",
         NULL,
         {"formulation", "mechanisms", "DAE"}},
        {"analysis in a formulation",
         NULL,
         "analyze m.yaml --formulation natural",
         NULL,
         {"formulation", "mechanisms", "DAE"}},
        {"stabilising without constraints",
         NULL,
         "run m.yaml --stabilize baumgarte",
         NULL,
         {"none of the equations restricts the state", "leave out --stabilize"}},
        {"alpha 0", NULL, "run m.yaml --alpha 0", NULL, {"--alpha 0", "above 0"}},
        {"step 0", NULL, "run m.yaml --step 0", NULL, {"--step 0", "above 0"}},
        {"tend in words", NULL, "run m.yaml --tend never", NULL, {"--tend never", "number"}},
        {"infinite tend", NULL, "run m.yaml --tend inf", NULL, {"--tend inf", "number"}},
        {"derivatives below 0", NULL, "run m.yaml --derivatives -1", NULL, {"--derivatives -1"}},
        {"too many digits", NULL, "run m.yaml --digits 18", NULL, {"--digits 18", "1 to 17"}},
        {"no value", NULL, "run m.yaml --tol", NULL, {"--tol needs a value"}},
        {"a value too many", NULL, "run m.yaml --quiet=yes", NULL, {"takes no value"}},
        {"unknown option", NULL, "run m.yaml --wombat", NULL, {"--wombat", "taut run --help"}},
        {"misspelt option", NULL, "run m.yaml --digit 3", NULL, {"--digit", "mean --digits?"}},
        {"option of another command",
         NULL,
         "check m.yaml --tol 1e-9",
         NULL,
         {"--tol is an option of taut run"}},
        {"the same before the command",
         NULL,
         "--json run m.yaml",
         NULL,
         {"--json is an option of taut analyze"}},
        {"unknown parameter", NULL, "run m.yaml --set kk=3", NULL, {"'kk'", "did you mean 'k'?"}},
        {"override without value", NULL, "run m.yaml --set k", NULL, {"--set k", "NAME=VALUE"}},
        {"override by half a formula",
         NULL,
         "run m.yaml --set k=3*",
         NULL,
         {"--set k=3*: ", "the end of the formula"}},
        {"override by an unknown name",
         NULL,
         "run m.yaml --set k=z",
         NULL,
         {"--set k=z: ", "unknown name 'z'"}},
        {"override by itself", NULL, "run m.yaml --set k=k+1", NULL, {"--set k=k+1", "circular"}},
        {"override that moves", NULL, "run m.yaml --set k=t", NULL, {"--set k=t", "number"}},
        {"override by 1/0", NULL, "run m.yaml --set k=1/0", NULL, {"division by zero"}},
        {"two files", NULL, "run m.yaml n.yaml", NULL, {"one file", "'m.yaml'", "'n.yaml'"}},
        {"no file", NULL, "run", NULL, {"which file?", "taut run FILE"}},
        {"no command", NULL, "", NULL, {"say what to do", "taut --help"}},
        {"unknown command", NULL, "rum m.yaml", NULL, {"'rum'", "run", "analyze"}},
        {"exchanged letters", NULL, "rnu m.yaml", NULL, {"did you mean run?"}},
        {"no command", NULL, "m.yaml", NULL, {"taut run m.yaml"}},
        {"exchanged letters in an option", NULL, "run --hlep", NULL, {"did you mean --help?"}},
        {"more than an option", NULL, "run m.yaml --tolerance 1", NULL, {"did you mean --tol?"}},
        {"less than an option",
         NULL,
         "run m.yaml --deriv 1",
         NULL,
         {"did you mean --derivatives?"}},
        {"a parameter where there are none",
         DAE_X("x' + x") ONE,
         "run m.yaml --set q=1",
         NULL,
         {"'q'", "it has none"}},
        {"a parameter that is not there",
         "PhysicalParams: {k: 1, mass: 2}\n" DAE_X("mass*x' + k*x") ONE,
         "run m.yaml --set K=1",
         NULL,
         {"'K'", "it has k, mass"}},
        {"a solver's name", NULL, "run m.yaml --solver rk45", NULL, {"did you mean 'rk4'?"}},
    };
    CHECK_ALL(list);
}

static void test_outputs_that_cannot_be_written_are_told(void **state) {
    (void)state;
    static const bad list[] = {
        {"no such folder",
         NULL,
         "run m.yaml -o nowhere/a.csv",
         NULL,
         {"nowhere/a.csv", "no folder nowhere/"}},
        {"a file as folder", NULL, "run m.yaml -o m.yaml/a.csv", NULL, {"m.yaml/a.csv"}},
        {"a folder as file", NULL, "run m.yaml -o folder.csv", NULL, {"folder.csv", "directory"}},
        {"this folder", NULL, "run m.yaml -o .", NULL, {"directory"}},
        {"another format", NULL, "run m.yaml -o a.txt", NULL, {"-o a.txt", ".csv"}},
        {"no folder for statistics", NULL, "run m.yaml --stats nowhere/s.json", NULL, {"nowhere/"}},
        {"a folder as statistics", NULL, "run m.yaml --stats folder.csv", NULL, {"folder.csv"}},
        {"both on stdout", NULL, "run m.yaml -o - --stats -", NULL, {"--stats -"}},
        {"the model as output", NULL, "run m.yaml --stats m.yaml", NULL, {"overwrite the model"}},
    };
    assert_int_equal(mkdir("folder.csv", 0777), 0);
    CHECK_ALL(list);
    if (geteuid() == 0) return; /* root may write everywhere */
    static const bad locked[] = {
        {"a locked folder", NULL, "run m.yaml -o locked/a.csv", NULL, {"locked/a.csv"}},
        {"a locked file", NULL, "run m.yaml -o locked.csv", NULL, {"locked.csv"}},
    };
    assert_int_equal(mkdir("locked", 0555), 0);
    program_write("locked.csv", "old\n", -1);
    assert_int_equal(chmod("locked.csv", 0444), 0);
    CHECK_ALL(locked);
}

/* ---- several faults ---- */

static void test_all_faults_of_a_file_are_told(void **state) {
    (void)state;
    static const char text[] = "Titel: several faults\n"
                               "PhysicalParams: {a: 1/0, b: foo}\n"
                               "DAE:\n"
                               "  Variables: [x, y]\n"
                               "  Equations: [x' + wombat, y' + 3x]\n"
                               "Outputs: {o: sin}\n"
                               "ProblemData: {tend: 1.2.3, positions: {x: 1, q: 2}, Foo: 3}\n";
    static const char *const start[] = {
        "m.yaml:1:1: ",  "m.yaml:2:22: ", "m.yaml:2:29: ", "m.yaml:5:20: ", "m.yaml:5:34: ",
        "m.yaml:6:14: ", "m.yaml:7:24: ", "m.yaml:7:46: ", "m.yaml:7:53: "};
    program_result r;
    program_write("m.yaml", text, -1);
    program_call(&r, "run m.yaml");
    assert_int_equal(r.code, 2);
    for (size_t i = 0; i < sizeof start / sizeof start[0]; i++)
        if (!find_message(r.err, start[i])) fail_msg("no message at %s in\n%s", start[i], r.err);
    assert_int_equal(count_text(r.err, ": error: "), 9);
    program_release(&r);
}

static void test_very_many_faults_are_counted(void **state) {
    (void)state;
    write_nested("DAE:\n  Variables: [x]\n  Equations:\n", "  - x' + wombat\n", "", "", "", 100);
    program_result r;
    program_call(&r, "check m.yaml");
    assert_int_equal(r.code, 2);
    assert_int_equal(count_text(r.err, "unknown name 'wombat'"), 24);
    assert_non_null(strstr(r.err, "and 76 more errors"));
    program_release(&r);
}

static void test_quiet_still_tells_errors(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", DAE_X("x' + wombat") ONE, -1);
    program_call(&r, "run --quiet m.yaml");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "m.yaml:1:40: error: unknown name 'wombat'"));
    program_release(&r);
}

static void test_check_finds_faults_of_the_file(void **state) {
    (void)state;
    static const bad list[] = {
        {"name", DAE_X("x' + wombat") ONE, "check m.yaml", "1:40", {"wombat"}},
        {"count",
         "DAE: {Variables: [x, y], Equations: [x' + x]}\n",
         "check m.yaml",
         "1:37",
         {"2 variables"}},
        {"value",
         DAE_X("x' + x") "ProblemData: {positions: {y: 1}}\n",
         "check m.yaml",
         "2:27",
         {"'y'"}},
    };
    CHECK_ALL(list);
}

/* ---- faults that arise in the run ---- */

typedef struct stop {
    const char *what, *text;
    const char *where, *word;
    const char *part[3];
    double pole;               /* the run comes to this time, and not beyond */
    double (*exact)(double t); /* x, where it is finite */
} stop;

static double one_over(double t) { return 1.0 / (1.0 - t); }
static double decaying(double t) { return exp(-t); }
static double falling(double t) { return 1.0 - t; }
static double root_of(double t) { return sqrt(1.0 - t); }
static double logarithm(double t) { return 1.0 - log(1.0 - t); }

/* The rows that the run left: up to the pole, and right. */
static void check_rows(const stop *s, const char *stats) {
    char *csv = program_read("m.csv"), files[100];
    program_table table;
    if (!csv) fail_msg("%s: nothing was kept", s->what);
    program_table_read(&table, csv);
    const double last = program_table_get(&table, -1, "t");
    if (!(table.rows > 300 && last <= s->pole && last > s->pole - 0.01))
        fail_msg("%s: %ld rows up to %.17g", s->what, table.rows, last);
    for (long i = 0; i < table.rows; i++) {
        const double t = program_table_get(&table, i, "t");
        if (t < s->pole - 0.01)
            assert_near(program_table_get(&table, i, "x"), s->exact(t), 1e-6, 1e-6);
    }
    assert_non_null(strstr(stats, "\"steps\""));
    assert_int_equal(program_list(files, sizeof files), 3); /* no temporary file */
    program_table_free(&table);
    free(csv);
}

static void check_stopped(const stop *s) {
    program_result r;
    program_write("m.yaml", s->text, -1);
    program_call(&r, "run m.yaml --stats s.json");
    if (r.code != 1) fail_msg("%s: ends with %d\n%s", s->what, r.code, r.err);
    check_message(s->what, r.err, s->where, s->word, s->part);
    assert_non_null(strstr(r.out, "rows of")); /* the summary says what was kept */
    char *stats = program_read("s.json");
    assert_non_null(stats);
    check_rows(s, stats);
    free(stats);
    program_remove("m.csv");
    program_remove("s.json");
    program_release(&r);
}

static void test_run_that_cannot_go_on_keeps_its_rows(void **state) {
    (void)state;
    static const stop list[] = {
        {"blow-up",
         DAE_X("x' - x^2") "ProblemData: {tend: 2, positions: {x: 1}}\n",
         "2:1",
         "stopped",
         {"at t = 1", "singularity", "x ="},
         1.0,
         one_over},
        {"division by what becomes 0",
         DAE_X("x' + 1/(2*x)") "ProblemData: {tend: 2, positions: {x: 1}}\n",
         "2:1",
         "stopped",
         {"t = 1"},
         1.0,
         root_of},
        {"root of what becomes negative",
         "DAE: {Variables: [x, y], Equations: [x' + 1, y' - sqrt(x)]}\n"
         "ProblemData: {tend: 2, positions: {x: 1, y: 0}}\n",
         "2:1",
         "stopped",
         {"t = 1", "sqrt(x)"},
         1.0,
         falling},
        {"Jacobian that becomes singular",
         "DAE: {Variables: [x, y], Equations: [y' + 1, y*x' - 1]}\n"
         "ProblemData: {tend: 2, positions: {x: 1, y: 1}}\n",
         "2:1",
         "stopped",
         {"t = 1", "singularity"},
         1.0,
         logarithm},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) check_stopped(&list[i]);
}

static void test_output_that_loses_its_value_is_told_and_the_rest_kept(void **state) {
    (void)state;
    static const stop gap = {"output without value",
                             "DAE: {Variables: [x], Equations: [x' + x]}\n"
                             "Outputs: {depth: sqrt(x - 1/2)}\n"
                             "ProblemData: {tend: 2, positions: {x: 1}}\n",
                             "2:11",
                             "error",
                             {"depth has no finite value at t = 0.694", "654 of 1001 rows"},
                             2.0,
                             decaying};
    program_table table;
    program_result r;
    check_stopped(&gap);
    program_call(&r, "run m.yaml --every 0.5");
    assert_int_equal(r.code, 1);
    program_release(&r);
    char *csv = program_read("m.csv");
    program_table_read(&table, csv);
    assert_int_equal(table.rows, 5);
    assert_near(program_table_get(&table, 1, "depth"), sqrt(exp(-0.5) - 0.5), 1e-9, 0);
    assert_true(isnan(program_table_get(&table, 2, "depth")));
    for (long i = 0; i < 5; i++) /* the unknowns do not suffer */
        assert_near(program_table_get(&table, i, "x'"), -exp(-0.5 * (double)i), 1e-8, 0);
    program_table_free(&table);
    free(csv);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_malformed_yaml_is_told_at_its_place),
        IN_FOLDER(test_files_that_are_no_text_are_refused),
        IN_FOLDER(test_missing_files_and_folders_are_told),
        IN_FOLDER(test_huge_nesting_is_an_error_and_no_crash),
        IN_FOLDER(test_aliases_cannot_blow_up),
        IN_FOLDER(test_keys_and_sections_are_checked),
        IN_FOLDER(test_formulas_are_checked),
        IN_FOLDER(test_vectors_are_checked),
        IN_FOLDER(test_names_are_checked),
        IN_FOLDER(test_circular_names_are_told_once),
        IN_FOLDER(test_lagrangians_are_checked),
        IN_FOLDER(test_structure_is_checked),
        IN_FOLDER(test_initial_values_are_checked),
        IN_FOLDER(test_options_are_checked),
        IN_FOLDER(test_outputs_that_cannot_be_written_are_told),
        IN_FOLDER(test_all_faults_of_a_file_are_told),
        IN_FOLDER(test_very_many_faults_are_counted),
        IN_FOLDER(test_quiet_still_tells_errors),
        IN_FOLDER(test_check_finds_faults_of_the_file),
        IN_FOLDER(test_run_that_cannot_go_on_keeps_its_rows),
        IN_FOLDER(test_output_that_loses_its_value_is_told_and_the_rest_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
