/* The command line and what it writes, as DESIGN 5 fixes them. The program runs as a user runs it,
 * in an empty folder; numbers are compared with closed forms. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "program.h"
#include "taut/taut.h"

/* x = cos w t */
static const char OSCILLATOR[] = "Title: oscillator\n"
                                 "PhysicalParams: {w: 1, a: 1}\n"
                                 "DAE: {Variables: [x], Equations: [x'' + w^2*x]}\n"
                                 "ProblemData: {tend: 2, positions: {x: a}, velocities: {x: 0}}\n";

static const char PENDULUM[] = "PhysicalParams: {G: 9.81, L: 10}\n"
                               "Lagrangian:\n"
                               "  Coordinates: [u, v]\n"
                               "  L: 1/2*(u'^2 + v'^2) + G*v\n"
                               "  Constraints: [u^2 + v^2 - L^2]\n"
                               "  Outputs: {speed2: u'^2 + v'^2}\n"
                               "ProblemData: {t0: 0, tend: 3, positions: {u: 10, v: 0}}\n";

static const char PENDULUM_DAE[] =
    "PhysicalParams: {G: 9.81, L: 10}\n"
    "DAE:\n"
    "  Variables: [u, v, lam]\n"
    "  Equations: [u'' + lam*u, v'' + lam*v - G, u^2 + v^2 - L^2]\n"
    "ProblemData: {tend: 1, positions: {u: 10, v: 0}, velocities: {u: 0, v: 0}}\n";

/* Runs a command on `text` as m.yaml; it must end with 0 and say nothing on stderr. */
static void run_well(program_result *r, const char *text, const char *command) {
    program_write("m.yaml", text, -1);
    program_call(r, command);
    if (r->code != 0 || r->err[0]) fail_msg("taut %s ends with %d:\n%s", command, r->code, r->err);
}

/* The same; the table is that of the file `name`. */
static void run_table(program_table *table, const char *text, const char *command,
                      const char *name) {
    program_result r;
    run_well(&r, text, command);
    char *csv = program_read(name);
    assert_non_null(csv);
    program_table_read(table, csv);
    free(csv);
    program_release(&r);
}

/* The first line of what `command` writes to stdout. */
static void assert_header(const char *text, const char *command, const char *expected) {
    program_result r;
    program_write("m.yaml", text, -1);
    program_call(&r, command);
    assert_int_equal(r.code, 0);
    r.out[strcspn(r.out, "\n")] = '\0';
    assert_string_equal(r.out, expected);
    program_release(&r);
}

/* ---- a small check of JSON ---- */

typedef struct json {
    const char *p;
    char keys[1000]; /* of the outermost object, each followed by a blank */
    int depth;
} json;

static void json_space(json *j) { j->p += strspn(j->p, " \t\r\n"); }

static bool json_string(json *j, bool keep) {
    if (*j->p++ != '"') return false;
    for (; *j->p != '"'; j->p++) {
        if ((unsigned char)*j->p < 0x20) return false;
        if (*j->p == '\\' && *++j->p == '\0') return false;
        if (keep && strlen(j->keys) + 2 < sizeof j->keys) strncat(j->keys, j->p, 1);
    }
    if (keep) strncat(j->keys, " ", sizeof j->keys - strlen(j->keys) - 1);
    j->p++;
    return true;
}

static bool json_value(json *j);

/* Members of an object or elements of a list, up to the closing bracket. */
static bool json_items(json *j, char close) {
    j->p++;
    json_space(j);
    if (*j->p == close) return j->p++, true;
    for (j->depth++;; j->p++) {
        json_space(j);
        if (close == '}') {
            if (!json_string(j, j->depth == 1)) return false;
            json_space(j);
            if (*j->p++ != ':') return false;
        }
        if (!json_value(j)) return false;
        json_space(j);
        if (*j->p != ',') break;
    }
    j->depth--;
    return *j->p++ == close;
}

static bool json_value(json *j) {
    static const char *const word[] = {"true", "false", "null"};
    json_space(j);
    if (*j->p == '{') return json_items(j, '}');
    if (*j->p == '[') return json_items(j, ']');
    if (*j->p == '"') return json_string(j, false);
    for (int i = 0; i < 3; i++)
        if (strncmp(j->p, word[i], strlen(word[i])) == 0) return j->p += strlen(word[i]), true;
    const char *digits = j->p + (*j->p == '-');
    if (*digits < '0' || *digits > '9') return false; /* strtod takes inf, nan and hex as well */
    j->p = digits + strspn(digits, "0123456789.eE+-");
    return true;
}

/* Fails unless text is one JSON object with exactly these keys, in this order. */
static void assert_json(const char *text, const char *keys) {
    json j = {.p = text};
    if (!json_value(&j)) fail_msg("no JSON at: %.40s", j.p);
    json_space(&j);
    assert_string_equal(j.p, "");
    assert_string_equal(j.keys, keys);
}

/* The text after "key": in a flat JSON object. */
static const char *json_find(const char *text, const char *key) {
    char wanted[60];
    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *at = strstr(text, wanted);
    if (!at) fail_msg("no key %s", key);
    at += strlen(wanted);
    return at + strspn(at, " ");
}

static void assert_json_starts(const char *text, const char *key, const char *expected) {
    const char *value = json_find(text, key);
    if (strncmp(value, expected, strlen(expected)) != 0)
        fail_msg("%s is %.60s, not %s", key, value, expected);
}

/* ---- columns ---- */

static void test_columns_of_a_dae_are_t_and_variables_with_a_prime(void **state) {
    (void)state;
    assert_header(PENDULUM_DAE, "run m.yaml -o - --at 0", "t,u,u',v,v',lam,lam'");
}

static void test_columns_of_a_lagrangian_end_with_outputs_and_energy(void **state) {
    (void)state;
    assert_header(PENDULUM, "run m.yaml -o - --at 0",
                  "t,u,u',v,v',lambda1,lambda1',speed2,speed2',energy");
}

static void test_derivatives_choose_the_primes(void **state) {
    (void)state;
    assert_header(PENDULUM, "run m.yaml -o - --at 0 --derivatives 0",
                  "t,u,v,lambda1,speed2,energy");
    assert_header(PENDULUM, "run m.yaml -o - --at 0 --derivatives 2",
                  "t,u,u',u'',v,v',v'',lambda1,lambda1',lambda1'',speed2,speed2',speed2'',energy");
}

static void test_columns_take_the_names_of_constraints_and_vectors(void **state) {
    (void)state;
    assert_header("Lagrangian:\n"
                  "  Coordinates: {p: 2}\n"
                  "  L: 1/2*dot(p', p') - 9.81*p.y\n"
                  "  Constraints: {rod: \"dot(p, p) - 1\"}\n"
                  "Outputs: {twice: 2*p}\n"
                  "ProblemData: {tend: 1, positions: {p: [1, 0]}}\n",
                  "run m.yaml -o - --at 0 --derivatives 0", "t,px,py,rod,twicex,twicey,energy");
}

static void test_derivative_columns_are_derivatives(void **state) {
    (void)state;
    program_table a;
    run_table(&a, OSCILLATOR, "run m.yaml --derivatives 3 --at 0,0.5,2 --tol 1e-13", "m.csv");
    assert_int_equal(a.rows, 3);
    for (long i = 0; i < a.rows; i++) {
        const double t = program_table_get(&a, i, "t");
        assert_near(program_table_get(&a, i, "x"), cos(t), 1e-12, 0);
        assert_near(program_table_get(&a, i, "x'"), -sin(t), 1e-12, 0);
        assert_near(program_table_get(&a, i, "x''"), -cos(t), 1e-12, 0);
        assert_near(program_table_get(&a, i, "x'''"), sin(t), 1e-12, 0);
    }
    program_table_free(&a);
}

static void test_outputs_and_energy_have_their_values(void **state) {
    (void)state;
    program_table a;
    run_table(&a, PENDULUM, "run m.yaml --tol 1e-13", "m.csv");
    assert_int_equal(a.rows, 1001);
    for (long i = 0; i < a.rows; i += 100) {
        const double u = program_table_get(&a, i, "u"), du = program_table_get(&a, i, "u'");
        const double v = program_table_get(&a, i, "v"), dv = program_table_get(&a, i, "v'");
        assert_near(u * u + v * v, 100, 1e-10, 0);
        assert_near(program_table_get(&a, i, "speed2"), du * du + dv * dv, 1e-10, 0);
        assert_near(program_table_get(&a, i, "speed2'"), 2 * 9.81 * dv, 1e-9, 0); /* power */
        assert_near(program_table_get(&a, i, "energy"), 0, 1e-10, 0);
    }
    program_table_free(&a);
}

/* ---- rows ---- */

static void test_default_is_1001_equidistant_rows(void **state) {
    (void)state;
    program_table a;
    run_table(&a, OSCILLATOR, "run m.yaml", "m.csv");
    assert_int_equal(a.rows, 1001);
    for (long i = 0; i < a.rows; i++) {
        assert_near(program_table_get(&a, i, "t"), 0.002 * (double)i, 1e-15, 0);
        assert_near(program_table_get(&a, i, "x"), cos(0.002 * (double)i), 1e-8, 0);
    }
    program_table_free(&a);
}

static void test_at_gives_these_rows_and_no_others(void **state) {
    (void)state;
    program_result r;
    run_well(&r, OSCILLATOR, "run m.yaml --at 0,0.125,1.5,2 --digits 3");
    char *csv = program_read("m.csv");
    assert_string_equal(csv,
                        "t,x,x'\n0,1,0\n0.125,0.992,-0.125\n1.5,0.0707,-0.997\n2,-0.416,-0.909\n");
    free(csv);
    program_release(&r);
}

static void test_at_reads_times_from_a_file(void **state) {
    (void)state;
    static const struct {
        const char *times, *command, *fault;
    } wrong[] = {
        {"0\n1\nx2\n", "run m.yaml --at @times.txt", "--at @times.txt: line 3: 'x2' is no time"},
        {"0 1 inf", "run m.yaml --at @times.txt", "line 1: 'inf' is no time"},
        {"# none\n", "run m.yaml --at @times.txt", "there are no times in it"},
        {"0 \033[2J", "run m.yaml --at @times.txt", "line 1: '?[2J' is no time"},
        {"0", "run m.yaml --at @others.txt", "the file cannot be read: No such file"},
        {"0 1", "run m.yaml --at @times.csv -o times.csv",
         "-o times.csv: this would overwrite the times of --at"},
        {"0", "run m.yaml --at 1,,2", "times separated by commas are expected, or @FILE"},
    };
    program_result r;
    program_write("times.txt", "# of a measurement\n0, 0.125;1.5\t # and\r\n2", -1);
    run_well(&r, OSCILLATOR, "run m.yaml --at @times.txt --digits 3");
    char *csv = program_read("m.csv");
    assert_string_equal(csv,
                        "t,x,x'\n0,1,0\n0.125,0.992,-0.125\n1.5,0.0707,-0.997\n2,-0.416,-0.909\n");
    free(csv);
    program_release(&r);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        program_write("times.txt", wrong[i].times, -1);
        program_write("times.csv", wrong[i].times, -1);
        program_call(&r, wrong[i].command);
        assert_int_equal(r.code, 2);
        if (!strstr(r.err, wrong[i].fault)) fail_msg("%s: %s", wrong[i].command, r.err);
        program_release(&r);
    }
}

static void test_every_gives_rows_this_far_apart(void **state) {
    (void)state;
    program_table a;
    run_table(&a, OSCILLATOR, "run m.yaml --every 0.25", "m.csv");
    assert_int_equal(a.rows, 9);
    for (long i = 0; i < a.rows; i++)
        assert_near(program_table_get(&a, i, "t"), 0.25 * (double)i, 0, 0);
    program_table_free(&a);
    run_table(&a, OSCILLATOR, "run m.yaml --every 0.3", "m.csv");
    assert_int_equal(a.rows, 7); /* 0 to 1.8 */
    assert_near(program_table_get(&a, -1, "t"), 1.8, 1e-14, 0);
    program_table_free(&a);
    run_table(&a, OSCILLATOR, "run m.yaml --every 0.1", "m.csv");
    assert_int_equal(a.rows, 21); /* the last one in spite of rounding */
    assert_near(program_table_get(&a, -1, "t"), 2, 1e-14, 0);
    program_table_free(&a);
}

static void test_every_step_gives_the_steps_of_the_solver(void **state) {
    (void)state;
    program_table a;
    run_table(&a, OSCILLATOR, "run m.yaml --tend 50 --every step --stats s.json", "m.csv");
    char *stats = program_read("s.json");
    assert_int_equal(a.rows, 1 + atol(json_find(stats, "steps")));
    assert_true(a.rows > 5);
    assert_near(program_table_get(&a, 0, "t"), 0, 0, 0);
    assert_near(program_table_get(&a, -1, "t"), 50, 0, 0);
    for (long i = 1; i < a.rows; i++)
        assert_true(program_table_get(&a, i, "t") > program_table_get(&a, i - 1, "t"));
    free(stats);
    program_table_free(&a);
}

static void test_seventeen_digits_tell_the_number_exactly(void **state) {
    (void)state;
    program_result r;
    run_well(&r, OSCILLATOR, "run m.yaml --at 0.1");
    char *csv = program_read("m.csv"), text[40];
    const char *row = strchr(csv, '\n') + 1;
    assert_int_equal(strncmp(row, "0.10000000000000001,0.99500416527", 33), 0);
    snprintf(text, sizeof text, "%.17g", strtod(row + 20, NULL));
    assert_int_equal(strncmp(row + 20, text, strlen(text)), 0);
    free(csv);
    program_release(&r);
}

/* ---- where things go ---- */

static void test_output_dash_is_csv_alone_and_summary_on_stderr(void **state) {
    (void)state;
    program_result r;
    char files[200];
    program_write("m.yaml", OSCILLATOR, -1);
    program_call(&r, "run m.yaml -o - --at 0 --digits 3");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.out, "t,x,x'\n0,1,0\n");
    assert_non_null(strstr(r.err, "oscillator\n"));
    assert_non_null(strstr(r.err, "structural index 0"));
    assert_int_equal(program_list(files, sizeof files), 1);
    program_release(&r);
    run_well(&r, OSCILLATOR, "run m.yaml -o - --at 0 --digits 3 --quiet");
    assert_string_equal(r.out, "t,x,x'\n0,1,0\n");
    program_release(&r);
}

/* Tracked angles and work begin somewhere, but what is driven cannot choose how it moves. */
static void test_summary_begins_in_words_of_mechanics(void **state) {
    (void)state;
    program_result r;
    run_well(&r,
             "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
             "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
             "    AB: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
             "Angles: {q1: OA, q2: [OA, AB]}\nDrivers: {q1: t, q2: 2*t}\n"
             "ProblemData: {tend: 1, positions: {A: [1, 0], B: [2, 0]}}\n",
             "run m.yaml");
    assert_non_null(strstr(r.out,
                           "m.yaml\n"
                           "  mechanism with 2 degrees of freedom, driven by q1 and q2: "
                           "2 bodies, 2 joints\n"
                           "  11 unknowns, structural index 3, 3 independent initial values\n"));
    program_release(&r);
    run_well(&r,
             "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], u: [1, 0]}\n  Particles: {S: 1}\n"
             "  Collinears: {OuS: s}\n  Rigids: {SA: {Geom: [[0, -1]], Dyna: [[0, -1], 1, 0]}}\n"
             "Drivers: {s: 0.1*sin(t)}\nAppliedForces: {Gravity: }\n"
             "ProblemData: {tend: 1, positions: {s: 0, A: [0, -1]}}\n",
             "run m.yaml");
    assert_non_null(strstr(r.out, "  mechanism with 2 degrees of freedom, 1 of them driven by s: "
                                  "1 body, 1 particle, 1 joint\n"));
    program_release(&r);
    run_well(
        &r,
        "DAE: {Variables: [x], Equations: [x' + x]}\nProblemData: {tend: 1, positions: {x: 1}}\n",
        "run m.yaml");
    assert_non_null(strstr(r.out, "m.yaml\n  DAE with 1 independent initial value\n"
                                  "  1 unknown, structural index 0\n"));
    program_release(&r);
}

static void test_summary_tells_what_was_solved_and_how_well(void **state) {
    (void)state;
    static const char *const part[] = {"Lagrangian with 1 degree of freedom\n",
                                       "3 unknowns, structural index 3, ",
                                       "2 independent initial values",
                                       "t = 0 to 3",
                                       "order",
                                       "steps",
                                       "constraint residual",
                                       "energy drift",
                                       "1001 rows of 10 columns in m.csv"};
    program_result r;
    run_well(&r, PENDULUM, "run m.yaml");
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        if (!strstr(r.out, part[i])) fail_msg("no '%s' in:\n%s", part[i], r.out);
    program_release(&r);
}

static void test_summary_tells_which_initial_values_changed(void **state) {
    (void)state;
    program_result r;
    run_well(&r,
             "Lagrangian: {Coordinates: [u, v], L: 1/2*(u'^2 + v'^2), Constraints: [u^2 + v^2 - "
             "1]}\n"
             "ProblemData: {tend: 1, positions: {u: 2, v: 0}, velocities: {v: 1}}\n",
             "run m.yaml");
    assert_non_null(strstr(r.out, "u: 2 -> 1\n"));
    program_release(&r);
}

static void test_quiet_says_nothing(void **state) {
    (void)state;
    static const char *const command[] = {"run m.yaml --quiet", "analyze m.yaml --quiet",
                                          "check --quiet m.yaml"};
    for (int i = 0; i < 3; i++) {
        program_result r;
        run_well(&r, OSCILLATOR, command[i]);
        assert_string_equal(r.out, "");
        program_release(&r);
    }
    assert_true(program_exists("m.csv"));
}

static void test_profile_tells_where_the_time_went(void **state) {
    (void)state;
    program_result r;
    run_well(&r, OSCILLATOR, "run m.yaml --profile");
    assert_non_null(strstr(r.out, "  profile:\n"));
    assert_non_null(strstr(r.out, "Taylor coefficients"));
    assert_non_null(strstr(r.out, "writing files"));
    program_release(&r);
}

static void test_a_forgotten_ending_is_told(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", OSCILLATOR, -1);
    program_call(&r, "run m");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "m:1:1: error: cannot open it: "));
    assert_non_null(strstr(r.err, "; did you mean m.yaml?"));
    program_release(&r);
    program_call(&r, "run m.yml");
    assert_non_null(strstr(r.err, "; did you mean m.yaml?"));
    program_release(&r);
    program_call(&r, "run n");
    assert_null(strstr(r.err, "did you mean"));
    program_release(&r);
}

static void test_results_go_to_the_current_folder(void **state) {
    (void)state;
    program_result r;
    assert_int_equal(mkdir("deep.er", 0777), 0);
    program_write("deep.er/two.dots.yaml", OSCILLATOR, -1);
    program_call(&r, "run deep.er/two.dots.yaml");
    assert_int_equal(r.code, 0);
    assert_true(program_exists("two.dots.csv"));
    program_release(&r);
    program_write("deep.er/bare", OSCILLATOR, -1);
    program_call(&r, "run deep.er/bare");
    assert_int_equal(r.code, 0);
    assert_true(program_exists("bare.csv"));
    program_release(&r);
    program_call(&r, "run deep.er/bare -o deep.er/named.csv");
    assert_int_equal(r.code, 0);
    assert_true(program_exists("deep.er/named.csv"));
    program_release(&r);
}

static void test_old_results_stay_until_new_ones_are_whole(void **state) {
    (void)state;
    program_result r;
    char files[200];
    program_write("m.csv", "old\n", -1);
    program_write("s.json", "old\n", -1);
    program_write("m.yaml", "DAE: {Variables: [x], Equations: [x' + y]}\n", -1);
    program_call(&r, "run m.yaml --stats s.json");
    assert_int_equal(r.code, 2);
    program_release(&r);
    program_write("m.yaml", OSCILLATOR, -1);
    program_call(&r, "run m.yaml --stats s.json --at 5"); /* outside the span */
    assert_int_equal(r.code, 2);
    program_release(&r);
    char *csv = program_read("m.csv"), *stats = program_read("s.json");
    assert_string_equal(csv, "old\n");
    assert_string_equal(stats, "old\n");
    free(csv);
    free(stats);

    run_well(&r, OSCILLATOR, "run m.yaml --stats s.json --at 0 --digits 3");
    csv = program_read("m.csv");
    assert_string_equal(csv, "t,x,x'\n0,1,0\n");
    assert_int_equal(program_list(files, sizeof files), 3); /* and no temporary file */
    free(csv);
    program_release(&r);
}

static void test_model_is_never_overwritten(void **state) {
    (void)state;
    static const char *const command[] = {"run m.csv", "run m.csv -o ./m.csv",
                                          "run m.csv -o a.csv --stats m.csv",
                                          "run m.csv -o a.csv --stats a.csv"};
    program_write("m.csv", OSCILLATOR, -1);
    for (int i = 0; i < 4; i++) {
        program_result r;
        program_call(&r, command[i]);
        assert_int_equal(r.code, 2);
        char *text = program_read("m.csv");
        assert_string_equal(text, OSCILLATOR);
        free(text);
        program_release(&r);
    }
    assert_false(program_exists("a.csv"));
}

static void test_full_disk_is_told(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", OSCILLATOR, -1);
    program_call(&r, "run m.yaml -o /dev/full");
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "taut: error: /dev/full cannot be written"));
    program_release(&r);
}

static void test_same_file_gives_the_same_bytes(void **state) {
    (void)state;
    program_result r;
    run_well(&r, PENDULUM, "run m.yaml -o a.csv --derivatives 2");
    program_release(&r);
    run_well(&r, PENDULUM, "run m.yaml -o b.csv --derivatives 2");
    program_release(&r);
    char *a = program_read("a.csv"), *b = program_read("b.csv");
    assert_string_equal(a, b);
    free(a);
    free(b);
    program_result first, second;
    run_well(&first, PENDULUM, "analyze m.yaml --json");
    run_well(&second, PENDULUM, "analyze m.yaml --json");
    assert_string_equal(first.out, second.out);
    program_release(&first);
    program_release(&second);
}

/* ---- statistics and analysis ---- */

static const char STATS_KEYS[] =
    "steps rejected order wall_s setup_s constraint_residual energy_drift "
    "index dof mobility unknowns solver formulation ";

static void test_stats_have_exactly_the_keys_of_the_contract(void **state) {
    (void)state;
    program_result r;
    run_well(&r, PENDULUM, "run m.yaml --stats s.json --tol 1e-12");
    char *stats = program_read("s.json");
    assert_json(stats, STATS_KEYS);
    assert_json_starts(stats, "index", "3,");
    assert_json_starts(stats, "dof", "2,");
    assert_json_starts(stats, "mobility", "1,");
    assert_json_starts(stats, "unknowns", "3,");
    assert_json_starts(stats, "solver", "\"taylor\"");
    assert_json_starts(stats, "formulation", "null");
    assert_true(strtod(json_find(stats, "constraint_residual"), NULL) < 1e-10);
    assert_true(strtod(json_find(stats, "energy_drift"), NULL) < 1e-10);
    assert_true(strtod(json_find(stats, "wall_s"), NULL) >= 0.0);
    free(stats);
    program_release(&r);
    run_well(&r, OSCILLATOR, "run m.yaml --stats s.json");
    stats = program_read("s.json");
    assert_json(stats, STATS_KEYS);
    assert_json_starts(stats, "energy_drift", "null"); /* a DAE does not say what energy is */
    free(stats);
    program_release(&r);
}

static void test_energy_drift_is_null_where_something_dissipates(void **state) {
    (void)state;
    program_result r;
    run_well(&r,
             "Lagrangian: {Coordinates: [x], L: 1/2*x'^2 - 1/2*x^2, Dissipation: 1/10*x'^2}\n"
             "ProblemData: {tend: 1, positions: {x: 1}}\n",
             "run m.yaml --stats s.json");
    char *stats = program_read("s.json");
    assert_json_starts(stats, "energy_drift", "null");
    free(stats);
    program_release(&r);
}

static void test_analyze_json_is_one_object_with_the_keys_of_the_contract(void **state) {
    (void)state;
    static const char keys[] = "index dof mobility quasilinear variables equations sigma c d "
                               "blocks needed coordinates constraints redundant ";
    program_result r;
    run_well(&r, PENDULUM_DAE, "analyze m.yaml --json");
    assert_json(r.out, keys);
    assert_json_starts(r.out, "index", "3,");
    assert_json_starts(r.out, "dof", "2,");
    assert_json_starts(r.out, "mobility", "1,");
    assert_json_starts(r.out, "quasilinear", "true");
    assert_json_starts(r.out, "variables", "[\"u\", \"v\", \"lam\"]");
    assert_json_starts(r.out, "sigma",
                       "[[0, 0, 2], [0, 2, 0], [1, 1, 2], [1, 2, 0], [2, 0, 0], [2, 1, 0]]");
    assert_json_starts(r.out, "c", "[0, 0, 2]");
    assert_json_starts(r.out, "d", "[2, 2, 0]");
    assert_json_starts(r.out, "needed", "[\"u\", \"u'\", \"v\", \"v'\"]");
    assert_json_starts(r.out, "redundant", "[]");
    program_release(&r);
    run_well(&r, PENDULUM, "analyze --json m.yaml");
    assert_json(r.out, keys);
    assert_json_starts(r.out, "coordinates", "[\"u\", \"v\"]");
    assert_json_starts(r.out, "variables", "[\"u\", \"v\", \"lambda1\"]");
    assert_json_starts(r.out, "constraints", "[\"constraint 1\"]");
    program_release(&r);
}

static void test_analyze_prints_a_tableau_with_offsets(void **state) {
    (void)state;
    program_result r;
    run_well(&r, PENDULUM_DAE, "analyze m.yaml");
    assert_non_null(strstr(r.out, "DAE with 1 degree of freedom\n3 equations\n"));
    assert_non_null(strstr(r.out, "signature matrix"));
    assert_non_null(strstr(r.out, "needed initial values: 4, of which 2 can be chosen"));
    program_release(&r);
    assert_false(program_exists("m.csv"));
}

static void test_analyze_needs_neither_times_nor_initial_values(void **state) {
    (void)state;
    program_result r;
    run_well(&r, "DAE: {Variables: [x], Equations: [x' + x]}\n", "analyze m.yaml --json");
    program_release(&r);
}

static void test_check_validates_without_running(void **state) {
    (void)state;
    program_result r;
    char files[100];
    run_well(&r, PENDULUM, "check m.yaml");
    assert_string_equal(r.out, "m.yaml: Lagrangian, nothing wrong found\n");
    program_release(&r);
    run_well(&r, "DAE: {Variables: [x], Equations: [x' + x]}\n", "check m.yaml");
    assert_int_equal(program_list(files, sizeof files), 1);
    program_release(&r);
}

/* ---- help and the order of words ---- */

static void test_help_lists_commands_and_options(void **state) {
    (void)state;
    static const struct {
        const char *command;
        const char *part[20];
    } help[] = {
        {"--help", {"run", "analyze", "check", "--version", "Exit status"}},
        {"-h", {"run", "analyze", "check"}},
        {"run --help",
         {"--tol", "--rtol", "--atol", "--order", "--formulation", "--solver", "--step", "--tend",
          "--at", "--every", "--derivatives", "--digits", "--reactions", "-o", "--set", "--stats",
          "--profile", "--quiet"}},
        {"analyze --help", {"--json", "--set", "--formulation", "--base", "--cut"}},
        {"compare --help", {"--tols", "--limit", "--base"}},
        {"view --help", {"--open"}},
        {"plot --help", {"--ascii"}},
        {"check --help", {"--set", "--quiet"}},
        {"run nofile.yaml --help", {"usage: taut run FILE"}},
    };
    for (size_t i = 0; i < sizeof help / sizeof help[0]; i++) {
        program_result r;
        program_call(&r, help[i].command);
        assert_int_equal(r.code, 0);
        assert_string_equal(r.err, "");
        for (int k = 0; k < 20 && help[i].part[k]; k++)
            if (!strstr(r.out, help[i].part[k]))
                fail_msg("taut %s does not tell %s", help[i].command, help[i].part[k]);
        for (const char *line = r.out; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 80)
                fail_msg("taut %s is wider than a terminal: %.60s...", help[i].command, line);
        program_release(&r);
    }
}

static void test_version_is_that_of_the_library(void **state) {
    (void)state;
    program_result r;
    char expected[40];
    snprintf(expected, sizeof expected, "taut %s\n", taut_version());
    program_call(&r, "--version");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.out, expected);
    program_release(&r);
}

static void test_licences_of_all_parts_are_shown(void **state) {
    (void)state;
    static const char *const part[] = {
        "MIT License", "KLU",        "AMD",         "libyaml", "SUNDIALS",
        "LAPACKE",     "IPOPT",      "MUMPS",       "matio",   "HDF5",
        "OpenBLAS",    "three",      "uPlot",       "LGPL",    "CeCILL-C",
        "Eclipse",     "BSD-3",      "AS IS\" AND", "COLAMD",  "SuiteSparse_config",
        "NLopt",       "cminpack",   "Expat",       "Scotch",  "Open MPI",
        "wasi-libc",   "compiler-rt"};
    static const char *const command[] = {"--version --licences", "--licences", "run --licenses"};
    for (int i = 0; i < 3; i++) {
        program_result r;
        program_call(&r, command[i]);
        assert_int_equal(r.code, 0);
        assert_string_equal(r.err, "");
        if (!strstr(r.out, taut_version())) fail_msg("taut %s lacks the version", command[i]);
        for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
            if (!strstr(r.out, part[k])) fail_msg("taut %s lacks %s", command[i], part[k]);
        program_release(&r);
    }
}

static void test_page_that_does_not_fit_is_told(void **state) {
    (void)state;
    program_result r;
    if (!program_exists("/dev/full")) skip();
    program_write("m.yaml", OSCILLATOR, -1);
    program_call(&r, "view m.yaml --quiet -o /dev/full");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err,
                        "taut: error: /dev/full cannot be written: No space left on device\n");
    program_release(&r);
}

static void test_options_stand_before_or_after_the_file(void **state) {
    (void)state;
    static const char *const command[] = {
        "run m.yaml -o - --quiet --at 1 --tol 1e-10", "run -o - --quiet --at 1 --tol 1e-10 m.yaml",
        "run --at 1 m.yaml --tol 1e-10 --quiet -o -", "--quiet --tol 1e-10 run -o - --at 1 m.yaml",
        "run --at=1 --tol=1e-10 --quiet -o - -- m.yaml"};
    program_result first, r;
    run_well(&first, OSCILLATOR, command[0]);
    for (int i = 1; i < 5; i++) {
        run_well(&r, OSCILLATOR, command[i]);
        assert_string_equal(r.out, first.out);
        program_release(&r);
    }
    program_release(&first);
}

static void test_set_replaces_parameters(void **state) {
    (void)state;
    program_table a;
    run_table(&a, OSCILLATOR, "run m.yaml --tol 1e-12 --set w=3 --set w=2*pi --set a=w/pi",
              "m.csv");
    for (long i = 0; i < a.rows; i += 100)
        assert_near(program_table_get(&a, i, "x"),
                    2.0 * cos(2.0 * M_PI * program_table_get(&a, i, "t")), 1e-9, 0);
    program_table_free(&a);
}

static void test_rtol_order_and_step_are_heard(void **state) {
    (void)state;
    program_table a;
    run_table(&a, OSCILLATOR,
              "run m.yaml --rtol 1e-12 --atol 1e-12 --order 12 --step 0.25 --every step "
              "--solver taylor --stats s.json",
              "m.csv");
    char *stats = program_read("s.json");
    assert_int_equal(a.rows, 9);
    assert_near(program_table_get(&a, 4, "x"), cos(1), 1e-11, 0);
    assert_json_starts(stats, "steps", "8,");
    assert_json_starts(stats, "order", "12,");
    free(stats);
    program_table_free(&a);
}

/* ---- time ---- */

static void test_tend_replaces_that_of_the_file(void **state) {
    (void)state;
    program_table a;
    run_table(&a, OSCILLATOR, "run m.yaml --tend 5", "m.csv");
    assert_near(program_table_get(&a, -1, "t"), 5, 0, 0);
    assert_near(program_table_get(&a, -1, "x"), cos(5), 1e-8, 0);
    program_table_free(&a);
    run_table(&a, "DAE: {Variables: [x], Equations: [x' + x]}\nProblemData: {positions: {x: 1}}\n",
              "run m.yaml --tend 1", "m.csv");
    assert_near(program_table_get(&a, -1, "x"), exp(-1), 1e-9, 0);
    program_table_free(&a);
}

static void test_solutions_without_higher_derivatives_reach_the_end(void **state) {
    (void)state;
    program_table a;
    run_table(
        &a,
        "DAE: {Variables: [x], Equations: [x' - 1]}\nProblemData: {tend: 3, positions: {x: 1}}\n",
        "run m.yaml", "m.csv");
    assert_near(program_table_get(&a, -1, "t"), 3, 0, 0);
    assert_near(program_table_get(&a, -1, "x"), 4, 1e-14, 0);
    program_table_free(&a);
    run_table(&a,
              "DAE: {Variables: [x, y], Equations: [x - sin(t), y - 2]}\nProblemData: {tend: 3}\n",
              "run m.yaml", "m.csv");
    assert_near(program_table_get(&a, -1, "x"), sin(3), 1e-14, 0);
    assert_near(program_table_get(&a, -1, "x'"), cos(3), 1e-14, 0);
    assert_near(program_table_get(&a, -1, "y"), 2, 0, 0);
    program_table_free(&a);
}

static void test_run_of_no_length_is_the_initial_point(void **state) {
    (void)state;
    program_table a;
    run_table(&a, OSCILLATOR, "run m.yaml --tend 0 --derivatives 2", "m.csv");
    assert_int_equal(a.rows, 1);
    assert_near(program_table_get(&a, 0, "x''"), -1, 1e-14, 0);
    program_table_free(&a);
}

static void test_backward_run_has_the_closed_form(void **state) {
    (void)state;
    program_table a;
    run_table(&a,
              "DAE: {Variables: [x], Equations: [x'' + x]}\n"
              "ProblemData: {t0: 2, tend: -1, positions: {x: cos(2)}, velocities: {x: -sin(2)}}\n",
              "run m.yaml --tol 1e-13", "m.csv");
    assert_int_equal(a.rows, 1001);
    assert_near(program_table_get(&a, 0, "t"), 2, 0, 0);
    assert_near(program_table_get(&a, -1, "t"), -1, 0, 0);
    for (long i = 0; i < a.rows; i += 50)
        assert_near(program_table_get(&a, i, "x"), cos(program_table_get(&a, i, "t")), 1e-12, 0);
    program_table_free(&a);
}

static void test_backward_run_returns_to_the_start(void **state) {
    (void)state;
    program_table a;
    char back[1000];
    run_table(&a, PENDULUM, "run m.yaml --tol 1e-14", "m.csv");
    snprintf(back, sizeof back,
             "Lagrangian: {Coordinates: [u, v], L: 1/2*(u'^2 + v'^2) + 9.81*v, Constraints: [u^2 + "
             "v^2 - 100]}\n"
             "ProblemData:\n"
             "  t0: 3\n"
             "  tend: 0\n"
             "  positions: {u: %.17g, v: %.17g}\n"
             "  velocities: {u: %.17g, v: %.17g}\n",
             program_table_get(&a, -1, "u"), program_table_get(&a, -1, "v"),
             program_table_get(&a, -1, "u'"), program_table_get(&a, -1, "v'"));
    program_table_free(&a);
    run_table(&a, back, "run m.yaml --tol 1e-14 --at 3,1,0", "m.csv");
    assert_int_equal(a.rows, 3);
    assert_near(program_table_get(&a, -1, "u"), 10, 1e-11, 0);
    assert_near(program_table_get(&a, -1, "v"), 0, 1e-11, 0);
    assert_near(program_table_get(&a, -1, "u'"), 0, 1e-11, 0);
    program_table_free(&a);
}

/* ---- Ctrl-C ---- */

static void test_interrupt_keeps_what_was_computed(void **state) {
    (void)state;
    static const char *const argument[] = {"run", "m.yaml", "--tend", "2e7", "--every", "1", NULL};
    program_result r = {0};
    char files[200];
    program_write("m.yaml", OSCILLATOR, -1);
    double delay = 0.25; /* on a busy machine the program may need longer to get ready */
    do {
        program_release(&r);
        program_run(&r, argument, delay);
        delay *= 3.0;
    } while (r.code == 128 + 2 && delay < 10.0);
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "interrupted at t = "));
    char *csv = program_read("m.csv");
    assert_non_null(csv);
    program_table a;
    program_table_read(&a, csv);
    assert_true(a.rows > 10);
    for (long i = 0; i < a.rows && i < 1000; i += 10) {
        assert_near(program_table_get(&a, i, "t"), (double)i, 0, 0);
        assert_near(program_table_get(&a, i, "x"), cos((double)i), 1e-5, 0);
    }
    const char *reached = strstr(r.err, "interrupted at t = ") + strlen("interrupted at t = ");
    assert_near(program_table_get(&a, -1, "t"), floor(strtod(reached, NULL)), 0, 0);
    assert_int_equal(program_list(files, sizeof files), 2);
    program_table_free(&a);
    free(csv);
    program_release(&r);
}

/* ---- pages and certificates ---- */

static void test_view_writes_a_page_beside_the_results(void **state) {
    (void)state;
    program_result r;
    char names[200];
    run_well(&r, OSCILLATOR, "view m.yaml");
    assert_non_null(strstr(r.out, "  estimated error "));
    assert_non_null(strstr(r.out, "  page in m.html"));
    program_release(&r);
    assert_int_equal(program_list(names, sizeof names), 2); /* the model and the page */
    run_well(&r, OSCILLATOR, "view m.yaml --no-certify --quiet -o -");
    assert_int_equal(strncmp(r.out, "<!", 2), 0);
    assert_non_null(strstr(r.out, "\"certificate\":null"));
    program_release(&r);
}

/* The desktop's own program gets the page; without one it is said what to do, and the page is there
 * all the same. */
static void test_view_hands_its_page_to_the_desktop(void **state) {
    (void)state;
    program_result r;
    char *path = strdup(getenv("PATH"));
    assert_non_null(path);
    program_write("xdg-open", "#!/bin/sh\necho \"$1\" > opened\n", -1);
    assert_int_equal(chmod("xdg-open", 0755), 0);
    assert_int_equal(setenv("PATH", ".:/bin:/usr/bin", 1), 0);
    run_well(&r, OSCILLATOR, "view m.yaml --no-certify --open");
    program_release(&r);
    char *opened = program_read("opened");
    assert_non_null(opened);
    assert_string_equal(opened, "m.html\n");
    free(opened);
    program_remove("xdg-open");
    program_remove("m.html");
    assert_int_equal(setenv("PATH", ".", 1), 0);
    program_call(&r, "view m.yaml --no-certify --open");
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err, "taut: error: no browser could be started; open m.html yourself\n");
    assert_true(program_exists("m.html"));
    program_release(&r);
    free(path);
}

/* What does not work is on the page, with the reason; so is a run that was not finished. */
static void test_view_shows_what_went_wrong(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", "DAE: {Variables: [x], Equations: [\"x' - y\"]}\n", -1);
    program_call(&r, "view m.yaml --stats s.json");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "unknown name 'y'"));
    assert_non_null(strstr(r.err, "  page in m.html"));
    program_release(&r);
    char *page = program_read("m.html");
    assert_non_null(strstr(page, "unknown name 'y'"));
    free(page);
    assert_false(program_exists("s.json"));
    program_write("m.yaml",
                  "DAE: {Variables: [x], Equations: [\"x' - 1/(1 - t)\"]}\n"
                  "ProblemData: {tend: 2, positions: {x: 0}}\n",
                  -1);
    program_call(&r, "view m.yaml --stats s.json");
    assert_int_equal(r.code, 1);
    assert_true(program_exists("s.json"));
    program_release(&r);
}

static void test_view_refuses_what_it_cannot_do(void **state) {
    (void)state;
    static const char *const command[] = {"view m.yaml -o m.csv", "view m.yaml -o m.yaml",
                                          "view m.yaml --at 1", "view m.yaml -o no/where.html",
                                          "view m.yaml -o - --open"};
    program_write("m.yaml", OSCILLATOR, -1);
    for (int i = 0; i < 5; i++) {
        program_result r;
        char names[200];
        program_call(&r, command[i]);
        assert_int_equal(r.code, 2);
        assert_int_equal(strncmp(r.err, "taut: error: ", 13), 0);
        program_release(&r);
        assert_int_equal(program_list(names, sizeof names), 1); /* nothing is written */
    }
}

/* The solution is a cosine: the estimate is what --at shows to be wrong. */
static void test_certify_tells_the_error(void **state) {
    (void)state;
    program_result r;
    double error = 0.0;
    run_well(&r, OSCILLATOR, "run m.yaml --tol 1e-6 --order 12 --certify --stats s.json");
    assert_non_null(strstr(r.out, "by a second run at tolerance 1e-08"));
    program_release(&r);
    char *stats = program_read("s.json"), *csv = program_read("m.csv");
    const char *at = strstr(stats, "\"certificate\":{\"error\":");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"certificate\":{\"error\":%lf", &error), 1);
    program_table table;
    double worst = 0.0;
    program_table_read(&table, csv);
    for (long i = 0; i < table.rows; i++) {
        const double t = table.value[i * 3];
        worst = fmax(worst, fabs(table.value[i * 3 + 1] - cos(t)));
        worst = fmax(worst, fabs(table.value[i * 3 + 2] + sin(t)));
    }
    assert_near(error, worst, 0.0, 0.05);
    program_table_free(&table);
    free(stats);
    free(csv);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

/* A beam on two pins: nobody knows how hard they pull at it. One line a joint in the summary, every
 * column in the statistics. */
/* Without anything that keeps them, constraints drift. */
static void test_drifted_constraints_are_told(void **state) {
    (void)state;
    program_result r;
    program_call(&r, "run " TAUT_SOURCE_DIR "/examples/andrews.yaml --formulation reference "
                     "--stabilize none --solver ida --tol 1e-7 --tend 0.3 -o a.csv");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "  warning: constraints are off by "));
    assert_non_null(strstr(r.out, "use --solver taylor, ho or bdf"));
    program_release(&r);
    program_call(&r,
                 "run " TAUT_SOURCE_DIR "/examples/andrews.yaml --tol 1e-7 --tend 0.3 -o b.csv");
    assert_int_equal(r.code, 0);
    assert_null(strstr(r.out, "warning"));
    program_release(&r);
}

static void test_uncertain_reactions_are_named(void **state) {
    static const char beam[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {P: [0, 0], Q: [3, 0]}\n"
                               "  Rigids: {AB: {Geom: [[3]], Dyna: [[1], 6, 2]}}\n"
                               "  Particles: {C: 1}\n"
                               "  Joints:\n"
                               "    left: {Type: revolute, Points: [A, P]}\n"
                               "    right: {Type: revolute, Points: [B, Q]}\n"
                               "AppliedForces: {Gravity: 10}\n"
                               "ProblemData: {tend: 1,\n"
                               "              positions: {A: [0, 0], B: [3, 0], C: [0, 0]}}\n";
    (void)state;
    program_result r;
    run_well(&r, beam, "run m.yaml --reactions --stats s.json");
    assert_non_null(strstr(r.out, "  reactions that rigid bodies do not determine (those of least "
                                  "size are shown):\n    left: Fx\n    right: Fx\n    AB: N\n"));
    program_release(&r);
    char *stats = program_read("s.json");
    assert_non_null(stats);
    assert_non_null(strstr(stats, "\"not_unique\":[\"left.Fx\",\"right.Fx\",\"AB.N\"]"));
    assert_non_null(strstr(stats, "\"reaction_residual\":"));
    free(stats);
    run_well(&r, beam, "run m.yaml --axes world -o - --at 0 --digits 5 --quiet");
    assert_non_null(strstr(r.out, "left.Fx,left.Fy,right.Fx,right.Fy,AB.N\n"));
    program_release(&r);
    program_call(&r, "plot m.yaml --reactions left.Fy -o p.svg");
    assert_int_equal(r.code, 0);
    assert_true(program_exists("p.svg"));
    program_release(&r);
    program_call(&r, "run m.yaml --axes sideways");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "--axes"));
    assert_non_null(strstr(r.err, "world or body is expected"));
    program_release(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_columns_of_a_dae_are_t_and_variables_with_a_prime),
        IN_FOLDER(test_columns_of_a_lagrangian_end_with_outputs_and_energy),
        IN_FOLDER(test_derivatives_choose_the_primes),
        IN_FOLDER(test_columns_take_the_names_of_constraints_and_vectors),
        IN_FOLDER(test_derivative_columns_are_derivatives),
        IN_FOLDER(test_outputs_and_energy_have_their_values),
        IN_FOLDER(test_default_is_1001_equidistant_rows),
        IN_FOLDER(test_at_gives_these_rows_and_no_others),
        IN_FOLDER(test_at_reads_times_from_a_file),
        IN_FOLDER(test_every_gives_rows_this_far_apart),
        IN_FOLDER(test_every_step_gives_the_steps_of_the_solver),
        IN_FOLDER(test_seventeen_digits_tell_the_number_exactly),
        IN_FOLDER(test_output_dash_is_csv_alone_and_summary_on_stderr),
        IN_FOLDER(test_summary_begins_in_words_of_mechanics),
        IN_FOLDER(test_summary_tells_what_was_solved_and_how_well),
        IN_FOLDER(test_summary_tells_which_initial_values_changed),
        IN_FOLDER(test_quiet_says_nothing),
        IN_FOLDER(test_profile_tells_where_the_time_went),
        IN_FOLDER(test_a_forgotten_ending_is_told),
        IN_FOLDER(test_results_go_to_the_current_folder),
        IN_FOLDER(test_old_results_stay_until_new_ones_are_whole),
        IN_FOLDER(test_model_is_never_overwritten),
        IN_FOLDER(test_full_disk_is_told),
        IN_FOLDER(test_same_file_gives_the_same_bytes),
        IN_FOLDER(test_stats_have_exactly_the_keys_of_the_contract),
        IN_FOLDER(test_energy_drift_is_null_where_something_dissipates),
        IN_FOLDER(test_analyze_json_is_one_object_with_the_keys_of_the_contract),
        IN_FOLDER(test_analyze_prints_a_tableau_with_offsets),
        IN_FOLDER(test_analyze_needs_neither_times_nor_initial_values),
        IN_FOLDER(test_check_validates_without_running),
        IN_FOLDER(test_help_lists_commands_and_options),
        IN_FOLDER(test_version_is_that_of_the_library),
        IN_FOLDER(test_licences_of_all_parts_are_shown),
        IN_FOLDER(test_page_that_does_not_fit_is_told),
        IN_FOLDER(test_options_stand_before_or_after_the_file),
        IN_FOLDER(test_set_replaces_parameters),
        IN_FOLDER(test_rtol_order_and_step_are_heard),
        IN_FOLDER(test_tend_replaces_that_of_the_file),
        IN_FOLDER(test_solutions_without_higher_derivatives_reach_the_end),
        IN_FOLDER(test_run_of_no_length_is_the_initial_point),
        IN_FOLDER(test_backward_run_has_the_closed_form),
        IN_FOLDER(test_backward_run_returns_to_the_start),
        IN_FOLDER(test_interrupt_keeps_what_was_computed),
        IN_FOLDER(test_view_writes_a_page_beside_the_results),
        IN_FOLDER(test_view_hands_its_page_to_the_desktop),
        IN_FOLDER(test_view_shows_what_went_wrong),
        IN_FOLDER(test_view_refuses_what_it_cannot_do),
        IN_FOLDER(test_certify_tells_the_error),
        IN_FOLDER(test_drifted_constraints_are_told),
        IN_FOLDER(test_uncertain_reactions_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
