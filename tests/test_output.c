/* Results as CSV, MAT and JSON: what is written can be read again, number by number. MAT is read by
 * matio, JSON by the small parser below. */
#include "check.h"

#include <matio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "out/table.h"
#include "program.h"
#include "task/result.h"

static const char PENDULUM[] = "PhysicalParams: {G: 9.81, L: 10}\n"
                               "Lagrangian:\n"
                               "  Coordinates: [u, v]\n"
                               "  L: 1/2*(u'^2 + v'^2) + G*v\n"
                               "  Constraints: [u^2 + v^2 - L^2]\n"
                               "ProblemData: {t0: 0, tend: 3, positions: {u: 10, v: 0}}\n";

/* Simulates PENDULUM with so many derivatives. */
static taut_result *simulate(int derivatives) {
    taut_model *model = NULL;
    taut_result *result = NULL;
    taut_run_options options = taut_run_options_default();
    options.derivatives = derivatives;
    program_write("m.yaml", PENDULUM, -1);
    assert_int_equal(taut_model_read("m.yaml", NULL, 0, &model, NULL), TAUT_OK);
    assert_int_equal(taut_simulate(model, &options, &result, NULL), TAUT_OK);
    taut_model_free(&model);
    return result;
}

/* A table with these names, NULL last, and rows of numbers that no format likes. */
static taut_result *make_result(const char *const *name, long rows) {
    static const double odd[] = {
        0.1,    -0.0,      (double)NAN, (double)INFINITY, -(double)INFINITY,
        5e-324, 1.0 / 3.0, 1.7e308,     -1e-300,          123456789012345678.0};
    int columns = 0;
    taut_result *r;
    while (name[columns]) columns++;
    assert_int_equal(taut_result_create(columns, &r), TAUT_OK);
    for (int c = 0; c < columns; c++)
        r->name[c] = taut_arena_copy(&r->arena, name[c], strlen(name[c]));
    for (long i = 0; i < rows; i++) {
        double *row = taut_result_add_row(r);
        for (int c = 0; c < columns; c++) row[c] = odd[(i + c) % 10];
    }
    r->stats = (taut_run_stats){.steps = 7,
                                .order = 18,
                                .energy_drift = (double)NAN,
                                .constraint_residual = 1e-15,
                                .mobility = -1,
                                .solver = "taylor"};
    return r;
}

/* The same bits; any NaN is as good as another. */
static void assert_same(double actual, double expected) {
    if (isnan(actual) && isnan(expected)) return;
    assert_memory_equal(&actual, &expected, sizeof actual);
}

/* ---- MAT ---- */

static void assert_column(mat_t *file, const char *name, const taut_result *r, int c) {
    matvar_t *v = Mat_VarRead(file, name);
    if (!v) fail_msg("no variable %s", name);
    assert_int_equal(v->class_type, MAT_C_DOUBLE);
    assert_int_equal(v->rank, 2);
    assert_int_equal(v->dims[0], taut_result_rows(r));
    assert_int_equal(v->dims[1], 1);
    for (long i = 0; i < taut_result_rows(r); i++)
        assert_same(((const double *)v->data)[i], taut_result_value(r, i, c));
    Mat_VarFree(v);
}

static void assert_text(matvar_t *structure, const char *key, const char *expected) {
    matvar_t *v = Mat_VarGetStructFieldByName(structure, key, 0);
    if (!v) fail_msg("no field %s", key);
    assert_int_equal(v->class_type, MAT_C_CHAR);
    assert_int_equal(v->nbytes, strlen(expected));
    assert_memory_equal(v->data, expected, strlen(expected));
}

static double number_in(matvar_t *structure, const char *key) {
    matvar_t *v = Mat_VarGetStructFieldByName(structure, key, 0);
    if (!v) fail_msg("no field %s", key);
    assert_int_equal(v->class_type, MAT_C_DOUBLE);
    return *(const double *)v->data;
}

static void test_mat_has_every_number_to_the_last_bit(void **state) {
    (void)state;
    taut_result *r = simulate(2);
    static const char *const name[] = {"t",    "u",       "u_d",       "u_dd",       "v",     "v_d",
                                       "v_dd", "lambda1", "lambda1_d", "lambda1_dd", "energy"};
    assert_int_equal(taut_result_columns(r), 11);
    assert_int_equal(taut_result_write(r, "r.mat", 17, NULL), TAUT_OK);
    mat_t *file = Mat_Open("r.mat", MAT_ACC_RDONLY);
    assert_non_null(file);
    assert_int_equal(Mat_GetVersion(file), MAT_FT_MAT5);
    for (int c = 0; c < 11; c++) assert_column(file, name[c], r, c);
    matvar_t *names = Mat_VarRead(file, "names"), *stats = Mat_VarRead(file, "stats");
    assert_non_null(names);
    assert_non_null(stats);
    assert_int_equal(Mat_VarGetNumberOfFields(names), 11);
    for (int c = 0; c < 11; c++) assert_text(names, name[c], taut_result_name(r, c));
    assert_near(number_in(stats, "steps"), (double)taut_result_stats(r)->steps, 0, 0);
    assert_near(number_in(stats, "index"), 3, 0, 0);
    assert_near(number_in(stats, "mobility"), 1, 0, 0);
    assert_text(stats, "solver", "taylor");
    Mat_VarFree(names);
    Mat_VarFree(stats);
    Mat_Close(file);
    taut_result_free(&r);
}

static void test_mat_keeps_numbers_that_are_none(void **state) {
    (void)state;
    static const char *const name[] = {"t", "x", NULL};
    for (long rows = 0; rows < 30; rows += 10) {
        taut_result *r = make_result(name, rows);
        assert_int_equal(taut_result_write(r, "r.mat", 3, NULL), TAUT_OK);
        mat_t *file = Mat_Open("r.mat", MAT_ACC_RDONLY);
        assert_non_null(file);
        assert_column(file, "t", r, 0);
        assert_column(file, "x", r, 1);
        matvar_t *stats = Mat_VarRead(file, "stats");
        assert_true(isnan(number_in(stats, "mobility")));
        Mat_VarFree(stats);
        Mat_Close(file);
        taut_result_free(&r);
    }
}

static void test_mat_names_are_valid_and_different(void **state) {
    (void)state;
    static const char LONG[] = "a123456789b123456789c123456789d123456789e123456789f123456789g123";
    static const char LONGER[] =
        "a123456789b123456789c123456789d123456789e123456789f123456789g1234";
    static const char *const name[] = {"t",        "x'",  "x_d", "x''''", "stats",
                                       "names",    "end", "2x",  "a.b",   "a b",
                                       "\xc3\xa4", "_q",  LONG,  LONGER,  NULL};
    static const char *const expected[] = {
        "t",
        "x_d",
        "x_d_2",
        "x_dddd",
        "stats_2",
        "names_2",
        "end_2",
        "x_2x",
        "a_b",
        "a_b_2",
        "x___",
        "x__q",
        "a123456789b123456789c123456789d123456789e123456789f123456789g12",
        "a123456789b123456789c123456789d123456789e123456789f123456789g_2"};
    char spelt[14][TAUT_MAT_NAME];
    taut_result *r = make_result(name, 3);
    assert_int_equal(taut_mat_names(r, spelt), TAUT_OK);
    for (int c = 0; c < 14; c++) assert_string_equal(spelt[c], expected[c]);
    assert_int_equal(taut_result_write(r, "r.mat", 17, NULL), TAUT_OK);
    mat_t *file = Mat_Open("r.mat", MAT_ACC_RDONLY);
    for (int c = 0; c < 14; c++) assert_column(file, expected[c], r, c);
    matvar_t *names = Mat_VarRead(file, "names");
    for (int c = 0; c < 14; c++) assert_text(names, expected[c], name[c]);
    Mat_VarFree(names);
    Mat_Close(file);
    taut_result_free(&r);
}

static void test_mat_of_the_same_result_has_the_same_bytes(void **state) {
    (void)state;
    static const char *const name[] = {"t", "x", NULL};
    struct stat a, b;
    taut_result *r = make_result(name, 100);
    assert_int_equal(taut_result_write(r, "a.mat", 17, NULL), TAUT_OK);
    assert_int_equal(taut_result_write(r, "b.mat", 17, NULL), TAUT_OK);
    assert_int_equal(stat("a.mat", &a), 0);
    assert_int_equal(stat("b.mat", &b), 0);
    assert_int_equal(a.st_size, b.st_size);
    char *one = program_read("a.mat"), *two = program_read("b.mat");
    assert_memory_equal(one, two, (size_t)a.st_size);
    free(one);
    free(two);
    taut_result_free(&r);
}

/* Octave, where it is installed, reads the same numbers as stand in the CSV file. */
static void test_mat_is_read_by_octave(void **state) {
    (void)state;
    if (system("command -v octave-cli > /dev/null 2>&1") != 0) skip();
    taut_result *r = simulate(1);
    assert_int_equal(taut_result_write(r, "r.mat", 17, NULL), TAUT_OK);
    assert_int_equal(taut_result_write(r, "r.csv", 17, NULL), TAUT_OK);
    program_write("read.m",
                  "load r.mat\n"
                  "table = dlmread('r.csv', ',', 1, 0);\n"
                  "header = strsplit(strtrim(fgetl(fopen('r.csv'))), ',');\n"
                  "keys = fieldnames(names);\n"
                  "good = numel(keys) == columns(table);\n"
                  "for i = 1:numel(keys)\n"
                  "  good = good && strcmp(names.(keys{i}), header{i}) && ...\n"
                  "         isequal(eval(keys{i}), table(:, i));\n"
                  "end\n"
                  "exit(!(good && stats.index == 3 && strcmp(stats.solver, 'taylor')))\n",
                  -1);
    assert_int_equal(system("octave-cli --no-history --norc read.m > /dev/null 2>&1"), 0);
    taut_result_free(&r);
}

/* ---- JSON ---- */

static void expect(const char **p, const char *text) {
    *p += strspn(*p, " \n");
    if (strncmp(*p, text, strlen(text)) != 0) fail_msg("no %s at: %.40s", text, *p);
    *p += strlen(text);
}

/* A string; \" \\ \uXXXX below 128 are understood. */
static void read_string(const char **p, char *text) {
    expect(p, "\"");
    for (; **p != '"'; ++*p) {
        assert_true((unsigned char)**p >= 0x20);
        char c = **p;
        if (c == '\\' && (*p)[1] == 'u') {
            char digits[5] = {0};
            memcpy(digits, *p + 2, 4);
            c = (char)strtol(digits, NULL, 16);
            *p += 5;
        } else if (c == '\\') {
            c = *++*p;
        }
        *text++ = c;
    }
    *text = '\0';
    ++*p;
}

/* A number, or NaN for null. */
static double read_number(const char **p) {
    *p += strspn(*p, " \n");
    if (strncmp(*p, "null", 4) == 0) return *p += 4, (double)NAN;
    assert_non_null(strchr("-0123456789", **p));
    char *end;
    const double value = strtod(*p, &end);
    assert_int_equal((size_t)(end - *p), strspn(*p, "0123456789.eE+-"));
    *p = end;
    return value;
}

/* Reads {"columns":[...],"rows":[[...],...],"stats": and compares; the rest is returned. */
static const char *assert_table(const char *text, const taut_result *r) {
    const char *p = text;
    char name[200];
    expect(&p, "{\"columns\":[");
    for (int c = 0; c < taut_result_columns(r); c++) {
        if (c) expect(&p, ",");
        read_string(&p, name);
        assert_string_equal(name, taut_result_name(r, c));
    }
    expect(&p, "],");
    expect(&p, "\"rows\":[");
    for (long i = 0; i < taut_result_rows(r); i++) {
        if (i) expect(&p, ",");
        expect(&p, "[");
        for (int c = 0; c < taut_result_columns(r); c++) {
            const double value = taut_result_value(r, i, c);
            if (c) expect(&p, ",");
            assert_same(read_number(&p), isfinite(value) ? value : (double)NAN);
        }
        expect(&p, "]");
    }
    expect(&p, "],");
    expect(&p, "\"stats\":");
    return p;
}

static void test_json_has_every_number_to_the_last_bit(void **state) {
    (void)state;
    taut_result *r = simulate(1);
    assert_int_equal(taut_result_write(r, "r.json", 17, NULL), TAUT_OK);
    assert_int_equal(taut_result_write_stats(r, "s.json", NULL), TAUT_OK);
    char *text = program_read("r.json"), *stats = program_read("s.json");
    const char *rest = assert_table(text, r);
    const size_t n = strlen(stats) - 1; /* the statistics are those of --stats */
    assert_int_equal(strncmp(rest, stats, n), 0);
    assert_string_equal(rest + n, "}\n");
    free(text);
    free(stats);
    taut_result_free(&r);
}

static void test_json_escapes_names_and_writes_null(void **state) {
    (void)state;
    static const char *const name[] = {"t", "a\"b\\c", "\x01\n", "\xc3\xa4'", NULL};
    taut_result *r = make_result(name, 20);
    assert_int_equal(taut_result_write(r, "r.json", 17, NULL), TAUT_OK);
    char *text = program_read("r.json");
    const char *rest = assert_table(text, r);
    assert_non_null(strstr(rest, "\"energy_drift\":null"));
    assert_non_null(strstr(rest, "\"mobility\":null"));
    assert_non_null(strstr(rest, "\"formulation\":null}}\n"));
    free(text);
    taut_result_free(&r);
    r = make_result(name, 0);
    assert_int_equal(taut_result_write(r, "r.json", 17, NULL), TAUT_OK);
    text = program_read("r.json");
    assert_table(text, r);
    free(text);
    taut_result_free(&r);
}

static void test_json_has_as_many_digits_as_asked_for(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", PENDULUM, -1);
    program_call(&r, "run m.yaml -o r.json --at 0,1 --digits 3 --derivatives 0 --quiet");
    assert_int_equal(r.code, 0);
    char *text = program_read("r.json");
    static const char expected[] = "{\"columns\":[\"t\",\"u\",\"v\",\"lambda1\",\"energy\"],"
                                   "\n\"rows\":[\n[0,10,0,0,0],\n[1,8.84,4.68,0.688,";
    if (strncmp(text, expected, strlen(expected)) != 0) fail_msg("%.120s", text);
    free(text);
    program_release(&r);
}

/* ---- files ---- */

static void test_program_writes_by_extension(void **state) {
    (void)state;
    program_result r;
    char files[200];
    program_write("m.yaml", PENDULUM, -1);
    program_call(&r, "run m.yaml -o r.mat --derivatives 0");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "1001 rows of 5 columns in r.mat"));
    program_release(&r);
    program_call(&r, "run m.yaml -o r.csv");
    assert_int_equal(r.code, 0);
    program_release(&r);
    mat_t *file = Mat_Open("r.mat", MAT_ACC_RDONLY);
    char *csv = program_read("r.csv");
    program_table table;
    program_table_read(&table, csv);
    matvar_t *u = Mat_VarRead(file, "u");
    assert_non_null(u);
    for (long i = 0; i < table.rows; i++)
        assert_same(((const double *)u->data)[i], program_table_get(&table, i, "u"));
    Mat_VarFree(u);
    Mat_Close(file);
    program_table_free(&table);
    free(csv);
    assert_int_equal(program_list(files, sizeof files), 3);
}

static void test_unknown_extension_is_refused(void **state) {
    (void)state;
    static const char *const command[] = {"run m.yaml -o r.txt", "run m.yaml -o r.csv.gz",
                                          "run m.yaml -o none/r.mat", "run m.yaml -o m.yaml"};
    char files[200];
    program_write("m.yaml", PENDULUM, -1);
    for (int i = 0; i < 4; i++) {
        program_result r;
        program_call(&r, command[i]);
        assert_int_equal(r.code, 2);
        if (i < 2) assert_non_null(strstr(r.err, "ends in .csv, .mat or .json"));
        program_release(&r);
    }
    assert_int_equal(program_list(files, sizeof files), 1);
    assert_int_equal(mkfifo("pipe.mat", 0600), 0);
    program_result r;
    program_call(&r, "run m.yaml -o pipe.mat");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "not a device or a pipe"));
    program_release(&r);
}

static void test_failed_run_keeps_its_part_in_every_format(void **state) {
    (void)state;
    static const char *const command[] = {"run m.yaml -o r.mat", "run m.yaml -o r.json"};
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [x' - x^2]}\n"
                  "ProblemData: {tend: 2, positions: {x: 1}}\n",
                  -1);
    for (int i = 0; i < 2; i++) {
        program_result r;
        program_call(&r, command[i]);
        assert_int_equal(r.code, 1);
        program_release(&r);
    }
    mat_t *file = Mat_Open("r.mat", MAT_ACC_RDONLY);
    matvar_t *x = Mat_VarRead(file, "x");
    assert_non_null(x);
    assert_true(x->dims[0] > 400 && x->dims[0] < 600);
    Mat_VarFree(x);
    Mat_Close(file);
    assert_true(program_exists("r.json"));
}

/* CSV has words for what is no number, and as many digits as asked for. */
static void test_csv_has_words_for_what_is_no_number(void **state) {
    (void)state;
    static const char *const name[] = {"t", "a,\"b\"", NULL};
    taut_result *r = make_result(name, 6);
    assert_int_equal(taut_result_write(r, "r.csv", 3, NULL), TAUT_OK);
    char *text = program_read("r.csv");
    assert_string_equal(text,
                        "t,\"a,\"\"b\"\"\"\n0.1,-0\n-0,nan\nnan,inf\ninf,-inf\n-inf,4.94e-324\n"
                        "4.94e-324,0.333\n");
    free(text);
    taut_result_free(&r);
    taut_result *back = NULL;
    assert_int_equal(taut_result_read("r.csv", &back, NULL), TAUT_OK);
    assert_string_equal(taut_result_name(back, 1), name[1]);
    taut_result_free(&back);
    r = make_result(name, 0);
    assert_int_equal(taut_result_write(r, "r.csv", 3, NULL), TAUT_OK);
    text = program_read("r.csv");
    assert_string_equal(text, "t,\"a,\"\"b\"\"\"\n");
    free(text);
    taut_result_free(&r);
}

/* Each line of a comment is one, also an empty one. */
static void test_csv_has_comments(void **state) {
    (void)state;
    static const char *const name[] = {"t", "x", NULL};
    taut_result *r = make_result(name, 1);
    taut_write_options o = taut_write_options_default();
    o.digits = 3;
    o.comment = "one\n\n\"two\", three\n";
    assert_int_equal(taut_result_write_with(r, "r.csv", &o, NULL), TAUT_OK);
    char *text = program_read("r.csv");
    assert_string_equal(text, "# one\n# \n# \"two\", three\nt,x\n0.1,-0\n");
    free(text);
    o.comment = "";
    assert_int_equal(taut_result_write_with(r, "r.csv", &o, NULL), TAUT_OK);
    text = program_read("r.csv");
    assert_string_equal(text, "t,x\n0.1,-0\n");
    free(text);
    taut_result_free(&r);
}

/* An event whose derivative was not found has empty fields. */
static void test_events_without_derivatives_have_gaps(void **state) {
    (void)state;
    static const char *const name[] = {"t", "x", NULL}, *const by[] = {"m", "k"};
    static const double derivative[] = {0.5, -0.25};
    static const taut_happened event[] = {{0.125, "hit", "impact", 2.5, derivative},
                                          {0.25, "foot", "stick", 0.0, NULL}};
    taut_result *r = make_result(name, 1);
    const taut_notes notes = r->notebook.notes;
    r->notebook.notes.events = 2;
    r->notebook.notes.event = event;
    r->notebook.notes.sensitivities = 2;
    r->notebook.notes.sensitivity = by;
    assert_int_equal(taut_result_write_events(r, "e.csv", 17, NULL), TAUT_OK);
    assert_int_equal(taut_result_write_events(r, "e.json", 17, NULL), TAUT_OK);
    r->notebook.notes = notes;
    char *text = program_read("e.csv");
    assert_string_equal(text, "t,event,kind,impulse,d(t)/d(m),d(t)/d(k)\n"
                              "0.125,hit,impact,2.5,0.5,-0.25\n0.25,foot,stick,0,,\n");
    free(text);
    text = program_read("e.json");
    assert_string_equal(
        text, "[\n  {\"t\": 0.125, \"event\": \"hit\", \"kind\": \"impact\", \"impulse\": 2.5, "
              "\"d(t)/d(m)\": 0.5, \"d(t)/d(k)\": -0.25},\n"
              "  {\"t\": 0.25, \"event\": \"foot\", \"kind\": \"stick\", \"impulse\": 0}\n]\n");
    free(text);
    taut_result_free(&r);
}

/* Matrices of a linearisation onto a full disk, in every format. */
static void test_matrices_without_room_are_told(void **state) {
    (void)state;
    static const char *const path[] = {"l.csv", "l.json", "l.mat"};
    taut_model *model = NULL;
    taut_linear *linear = NULL;
    taut_errors errors = {0};
    struct rlimit old, small;
    char list[200];
    assert_int_equal(taut_model_parse("m.yaml",
                                      "DAE: {Variables: [x], Equations: [\"x'' + 4*x\"]}\n"
                                      "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: "
                                      "0}}\n",
                                      -1, &model, NULL),
                     TAUT_OK);
    assert_int_equal(taut_linearize(model, NULL, NULL, &linear, NULL), TAUT_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        char begin[80];
        memset(&errors, 0, sizeof errors);
        program_write(path[i], "before", -1);
        small = old;
        small.rlim_cur = 20;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        const taut_status status = taut_linear_write(linear, path[i], &errors);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(status, TAUT_ERR_IO);
        assert_int_equal(errors.count, 1);
        snprintf(begin, sizeof begin, "%s cannot be written: %s", path[i],
                 i < 2 ? "File too large" : "the file is not whole; is there room on the disk?");
        assert_string_equal(errors.item[0].message, begin);
        char *kept = program_read(path[i]);
        assert_string_equal(kept, "before");
        free(kept);
    }
    assert_int_equal(program_list(list, sizeof list), 3);
    taut_linear_free(&linear);
    taut_model_free(&model);
}

/* Tables of others: words and gaps are no numbers; a first row of units is passed over. */
static void test_tables_are_read_back(void **state) {
    (void)state;
    taut_result *r = NULL;
    program_write("a.csv", "t,x\ns,m\n0,1\n1,nan\n2,word\n3,\n", -1);
    assert_int_equal(taut_result_read("a.csv", &r, NULL), TAUT_OK);
    assert_int_equal(taut_result_rows(r), 4);
    assert_near(taut_result_value(r, 0, 1), 1.0, 0.0, 0.0);
    for (long i = 1; i < 4; i++) assert_true(isnan(taut_result_value(r, i, 1)));
    assert_near(taut_result_stats(r)->tend, 3.0, 0.0, 0.0);
    taut_result_free(&r);
    program_write("a.csv", "t,x\ns,m\n", -1); /* names and units alone */
    assert_int_equal(taut_result_read("a.csv", &r, NULL), TAUT_OK);
    assert_int_equal(taut_result_rows(r), 0);
    assert_int_equal(taut_result_columns(r), 2);
    taut_result_free(&r);
}

static void test_full_disk_leaves_the_old_file(void **state) {
    (void)state;
    static const char *const path[] = {"r.csv", "r.mat", "r.json", "s.json"};
    taut_result *r = simulate(1);
    struct rlimit old, small;
    char files[300];
    for (int i = 0; i < 4; i++) program_write(path[i], "old\n", -1);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (int bytes = 10; bytes <= 40000; bytes = bytes * 7 + 3) {
        taut_status status[4];
        small = old;
        small.rlim_cur = (rlim_t)bytes;
        signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        for (int i = 0; i < 3; i++) status[i] = taut_result_write(r, path[i], 17, NULL);
        status[3] = bytes < 100 ? taut_result_write_stats(r, path[3], NULL) : TAUT_ERR_IO;
        setrlimit(RLIMIT_FSIZE, &old);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(status[i], TAUT_ERR_IO);
            char *text = program_read(path[i]);
            assert_string_equal(text, "old\n");
            free(text);
        }
    }
    assert_int_equal(program_list(files, sizeof files), 5); /* and no temporary file */
    taut_result_free(&r);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_mat_has_every_number_to_the_last_bit),
        IN_FOLDER(test_mat_keeps_numbers_that_are_none),
        IN_FOLDER(test_mat_names_are_valid_and_different),
        IN_FOLDER(test_mat_of_the_same_result_has_the_same_bytes),
        IN_FOLDER(test_mat_is_read_by_octave),
        IN_FOLDER(test_json_has_every_number_to_the_last_bit),
        IN_FOLDER(test_json_escapes_names_and_writes_null),
        IN_FOLDER(test_json_has_as_many_digits_as_asked_for),
        IN_FOLDER(test_program_writes_by_extension),
        IN_FOLDER(test_unknown_extension_is_refused),
        IN_FOLDER(test_failed_run_keeps_its_part_in_every_format),
        IN_FOLDER(test_csv_has_words_for_what_is_no_number),
        IN_FOLDER(test_csv_has_comments),
        IN_FOLDER(test_events_without_derivatives_have_gaps),
        IN_FOLDER(test_matrices_without_room_are_told),
        IN_FOLDER(test_tables_are_read_back),
        IN_FOLDER(test_full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
