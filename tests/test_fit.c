/* taut fit: values from data with noise within their confidence, repeated; what cannot be
 * identified; chaotic records by shooting; biases, several experiments, outliers; wrong calls. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/philox.h"
#include "program.h"
#include "task/axis.h"
#include "taut/taut.h"

static taut_errors errors;

/* A double pendulum of point masses with friction in its joints. */
static const char DOUBLE[] =
    "PhysicalParams: {m1: 1, m2: 0.7, l1: 1, l2: 0.8, g: 9.81, c: 0.05}\n"
    "Lagrangian:\n"
    "  Coordinates: [a, b]\n"
    "  L: (m1+m2)/2*l1^2*a'^2 + m2/2*l2^2*b'^2 + m2*l1*l2*a'*b'*cos(a-b) + (m1+m2)*g*l1*cos(a) + "
    "m2*g*l2*cos(b)\n"
    "  Dissipation: c/2*(a'^2 + (b'-a')^2)\n"
    "ProblemData: {t0: 0, tend: 3, positions: {a: 0.6, b: -0.2}, velocities: {a: 0, b: 0},\n"
    "  fixedpositions: {a, b}, fixedvelocities: {a, b}}\n";

static taut_model *parse(const char *text) {
    taut_model *model = NULL;
    memset(&errors, 0, sizeof errors);
    if (taut_model_parse("m.yaml", text, -1, &model, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return model;
}

/* A run as an experiment: rows at equal distances, noise by seed. */
typedef struct record {
    taut_measurement m;
    double t[400], value[1600], clean[1600];
    const char *column[4];
} record;

static void fill_record(record *r, const taut_model *model, double tend, int rows,
                        const char *columns) {
    static char names[4][40];
    taut_run_options o = taut_run_options_default();
    taut_result *result = NULL;
    r->m = (taut_measurement){.t = r->t, .rows = rows, .column = r->column, .value = r->value};
    for (const char *p = columns; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
        snprintf(names[r->m.columns], sizeof names[0], "%.*s", (int)strcspn(p, ","), p);
        r->column[r->m.columns] = names[r->m.columns];
        r->m.columns++;
    }
    for (int i = 0; i < rows; i++) r->t[i] = tend * (double)(i + 1) / (double)rows;
    o.has_tend = true, o.tend = tend;
    o.at = r->t, o.ats = rows;
    o.rtol = o.atol = 1e-12;
    if (taut_simulate(model, &o, &result, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < r->m.columns; c++)
            for (int k = 0; k < taut_result_columns(result); k++)
                if (strcmp(taut_result_name(result, k), r->column[c]) == 0)
                    r->clean[i * r->m.columns + c] = taut_result_value(result, i, k);
    taut_result_free(&result);
}

static void add_noise(record *r, double sd, unsigned seed) {
    for (int i = 0; i < r->m.rows * r->m.columns; i++)
        r->value[i] =
            r->clean[i] +
            sd * taut_normal_quantile(taut_random_unit(taut_random_bits(seed, (uint64_t)i, 77)));
}

static taut_estimates *estimate(const taut_model *model, const taut_estimate_options *o) {
    taut_estimates *e = NULL;
    memset(&errors, 0, sizeof errors);
    if (taut_estimate(model, o, &e, &errors) != TAUT_OK) fail_msg("%s", errors.item[0].message);
    return e;
}

static const taut_bounded VARIABLE[] = {{"m2", 0.3, 2.0, false},
                                        {"l1", 0.6, 1.6, false},
                                        {"l2", 0.5, 1.4, false},
                                        {"c", 0.005, 0.5, true}};
static const double TRUE_VALUE[] = {0.7, 1.0, 0.8, 0.05};

/* How many of all repetitions have all values within three standard deviations. */
static int count_good(const char *start, record *r, const taut_bounded *variable,
                      const double *known, int variables, double sd, int repetitions) {
    int good = 0;
    taut_model *model = parse(start);
    for (int i = 0; i < repetitions; i++) {
        taut_estimate_options o = taut_estimate_options_default();
        const double weight[] = {sd, sd, sd, sd};
        bool all = true;
        add_noise(r, sd, (unsigned)i + 1);
        o.variable = variable, o.variables = variables;
        o.measurement = &r->m, o.measurements = 1;
        o.weighted = r->column, o.weight = weight, o.weights = r->m.columns;
        taut_estimates *e = estimate(model, &o);
        assert_int_equal(taut_estimates_count(e), variables);
        for (int k = 0; k < variables; k++) {
            const taut_estimated *x = taut_estimates_get(e, k);
            assert_true(x->identified && x->sd > 0.0 && isfinite(x->sd));
            all = all && fabs(x->value - known[k]) <= 3.0 * x->sd;
        }
        assert_true(taut_estimates_get_stats(e)->rms > 0.7 &&
                    taut_estimates_get_stats(e)->rms < 1.3);
        good += all;
        taut_estimates_free(&e);
    }
    taut_model_free(&model);
    return good;
}

/* Starts away from the truth: other numbers in the file. */
static const char *started(const char *text, const char *from, const char *to) {
    static char other[4000];
    static char kept[4000];
    snprintf(kept, sizeof kept, "%s", text);
    const char *at = strstr(kept, from);
    assert_non_null(at);
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - kept), kept, to, at + strlen(from));
    return other;
}

static int repetitions_of(int few) { return getenv("TAUT_TRIALS") ? 100 : few; }

static void test_double_pendulum_within_its_confidence(void **state) {
    static record r;
    (void)state;
    taut_model *model = parse(DOUBLE);
    memset(&r, 0, sizeof r);
    fill_record(&r, model, 3.0, 60, "a,b");
    taut_model_free(&model);
    const int all = repetitions_of(6);
    const int good = count_good(started(DOUBLE, "m2: 0.7, l1: 1, l2: 0.8, g: 9.81, c: 0.05",
                                        "m2: 0.9, l1: 1.1, l2: 0.7, g: 9.81, c: 0.02"),
                                &r, VARIABLE, TRUE_VALUE, 4, 0.01, all);
    print_message("%d of %d repetitions within three standard deviations\n", good, all);
    assert_true(good * 100 >= 95 * all);
}

/* Writes `to` for `from`, which is there once. */
static void replace(char *text, size_t size, const char *from, const char *to) {
    static char kept[20000];
    char *at = strstr(text, from);
    assert_non_null(at);
    snprintf(kept, sizeof kept, "%s", at + strlen(from));
    snprintf(at, size - (size_t)(at - text), "%s%s", to, kept);
}

/* Andrews' squeezer: a mass, a length and a damping that is added to the motor, from four angles.
 */
static void test_andrews_within_its_confidence(void **state) {
    static record r;
    static char text[20000];
    static const taut_bounded WANTED[] = {
        {"m5", 0.03, 0.12, false}, {"d", 0.0275, 0.0285, false}, {"damp", 1e-6, 1e-4, true}};
    static const double KNOWN[] = {0.0705, 0.028, 1e-5};
    char path[400];
    (void)state;
    snprintf(path, sizeof path, "%s/examples/andrews.yaml", TAUT_SOURCE_DIR);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    replace(text, sizeof text, "0.07050,", "m5,");
    replace(text, sizeof text, "{d: 0.028,", "{m5: 0.0705, damp: 1e-5, d: 0.028,");
    replace(text, sizeof text, "{K1: mom}", "{K1: mom - damp*beta'}");
    taut_model *model = parse(text);
    memset(&r, 0, sizeof r);
    fill_record(&r, model, 0.02, 40, "beta,gamma,delta,epsilon");
    taut_model_free(&model);
    replace(text, sizeof text, "{m5: 0.0705, damp: 1e-5, d: 0.028,",
            "{m5: 0.08, damp: 2e-5, d: 0.0281,");
    const int all = repetitions_of(3);
    const int good = count_good(text, &r, WANTED, KNOWN, 3, 1e-3, all);
    print_message("%d of %d repetitions within three standard deviations\n", good, all);
    assert_true(good * 100 >= 95 * all);
}

/* All masses and the damping by a common factor: the same motion. */
static void test_what_cannot_be_identified_is_named(void **state) {
    static record r;
    static const taut_bounded WANTED[] = {{"m1", 0.5, 2.0, false},
                                          {"m2", 0.3, 2.0, false},
                                          {"l1", 0.6, 1.6, false},
                                          {"c", 0.005, 0.5, true}};
    (void)state;
    taut_model *model = parse(DOUBLE);
    taut_estimate_options o = taut_estimate_options_default();
    memset(&r, 0, sizeof r);
    fill_record(&r, model, 3.0, 60, "a,b");
    add_noise(&r, 0.01, 1);
    o.variable = WANTED, o.variables = 4;
    o.measurement = &r.m, o.measurements = 1;
    taut_estimates *e = estimate(model, &o);
    assert_string_equal(taut_estimates_unidentified(e), "m1, m2, c\n");
    assert_false(taut_estimates_get(e, 0)->identified);
    assert_true(isinf(taut_estimates_get(e, 1)->sd));
    assert_true(taut_estimates_get(e, 2)->identified);
    assert_near(taut_estimates_get(e, 2)->value, 1.0, 0.02, 0.0);
    assert_true(isnan(taut_estimates_correlation(e, 0, 1)));
    /* what does count: ratios */
    assert_near(taut_estimates_get(e, 1)->value / taut_estimates_get(e, 0)->value, 0.7, 0.02, 0.0);
    taut_estimates_free(&e);
    /* a small one belongs to it however its range is given */
    static const taut_bounded PLAIN[] = {
        {"m1", 0.5, 2.0, false}, {"m2", 0.3, 2.0, false}, {"c", 0.005, 0.5, false}};
    o.variable = PLAIN, o.variables = 3;
    e = estimate(model, &o);
    assert_string_equal(taut_estimates_unidentified(e), "m1, m2, c\n");
    taut_estimates_free(&e);
    taut_model_free(&model);
}

/* A parameter that no measured column feels at all. */
static void test_a_parameter_without_influence_is_named(void **state) {
    static record r;
    static const taut_bounded WANTED[] = {{"k", 1.0, 20.0, false}, {"q", 0.0, 2.0, false}};
    static const char TEXT[] = "PhysicalParams: {k: 9, q: 1}\n"
                               "DAE: {Variables: [x, y], Equations: [x'' + k*x, y'' + q*y]}\n"
                               "ProblemData: {t0: 0, tend: 3, positions: {x: 1, y: 1}, velocities: "
                               "{x: 0, y: 0},\n"
                               "  fixedpositions: {x, y}, fixedvelocities: {x, y}}\n";
    (void)state;
    taut_model *model = parse(TEXT);
    taut_estimate_options o = taut_estimate_options_default();
    memset(&r, 0, sizeof r);
    fill_record(&r, model, 3.0, 60, "x");
    add_noise(&r, 0.01, 1);
    o.variable = WANTED, o.variables = 2;
    o.measurement = &r.m, o.measurements = 1;
    taut_estimates *e = estimate(model, &o);
    assert_string_equal(taut_estimates_unidentified(e), "q\n");
    assert_near(taut_estimates_get(e, 0)->value, 9.0, 0.05, 0.0);
    taut_estimates_free(&e);
    taut_model_free(&model);
}

/* The same pendulum thrown high, for 6 s: a change of the start grows by a factor of thousands. */
static void test_a_chaotic_record_needs_shooting(void **state) {
    static record r;
    static const char *const STATE[] = {"a", "b"};
    static const char *const COLUMN[] = {"a", "b"};
    static const double SD[] = {0.01, 0.01};
    (void)state;
    const char *wild =
        started(started(DOUBLE, "a: 0.6, b: -0.2}", "a: 2.2, b: 2.8}"), "c: 0.05", "c: 0.001");
    static char truth[4000], away[4000];
    snprintf(truth, sizeof truth, "%s", wild);
    snprintf(away, sizeof away, "%s",
             started(truth, "m2: 0.7, l1: 1, l2: 0.8", "m2: 0.9, l1: 1.1, l2: 0.7"));
    taut_model *model = parse(truth);
    memset(&r, 0, sizeof r);
    fill_record(&r, model, 8.0, 320, "a,b");
    add_noise(&r, 0.01, 1);
    taut_model_free(&model);
    model = parse(away);
    taut_estimate_options o = taut_estimate_options_default();
    o.variable = VARIABLE, o.variables = 3;
    o.measurement = &r.m, o.measurements = 1;
    o.weighted = COLUMN, o.weight = SD, o.weights = 2;
    o.most = 60;
    taut_estimates *e = NULL;
    memset(&errors, 0, sizeof errors);
    const taut_status single = taut_estimate(model, &o, &e, &errors);
    assert_true(single != TAUT_OK || taut_estimates_get_stats(e)->rms > 10.0);
    taut_estimates_free(&e);
    o.most = 0;
    o.shooting = 16;
    o.state = STATE, o.states = 2;
    e = estimate(model, &o);
    assert_near(taut_estimates_get_stats(e)->rms, 1.0, 0.1, 0.0);
    assert_true(taut_estimates_get_stats(e)->gap < 1e-4);
    for (int k = 0; k < 3; k++) {
        const taut_estimated *x = taut_estimates_get(e, k);
        assert_true(fabs(x->value - TRUE_VALUE[k]) < 4.0 * x->sd && x->sd < 0.01);
    }
    taut_estimates_free(&e);
    taut_model_free(&model);
}

/* x = x0 cos(w t) + bias, twice, with starts of their own; every tenth number is far off. */
static void test_biases_experiments_and_outliers(void **state) {
    static record one, two;
    static const taut_bounded WANTED[] = {{"k", 1.0, 20.0, false}, {"x", -3.0, 3.0, false}};
    static const char *const COLUMN[] = {"x"};
    static const double SD[] = {0.01};
    static const char *const LOSS[] = {"squares", "huber", "cauchy"};
    static const char TEXT[] =
        "PhysicalParams: {k: 9}\nDAE: {Variables: [x], Equations: [x'' + k*x]}\n"
        "ProblemData: {t0: 0, tend: 3, positions: {x: 1}, velocities: {x: 0},\n"
        "  fixedpositions: {x}, fixedvelocities: {x}}\n";
    (void)state;
    taut_model *model = parse(TEXT);
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    fill_record(&one, model, 3.0, 60, "x");
    fill_record(&two, model, 2.0, 50, "x");
    add_noise(&one, 0.01, 1);
    add_noise(&two, 0.01, 2);
    for (int i = 0; i < 60; i++) one.value[i] += 0.25 + (i % 10 == 7 ? 1.5 : 0.0);
    for (int i = 0; i < 50; i++) two.value[i] += 0.25 - 1.5 * two.clean[i]; /* x0 = -0.5 */
    const taut_measurement both[] = {one.m, two.m};
    for (int k = 0; k < 3; k++) {
        taut_estimate_options o = taut_estimate_options_default();
        o.variable = WANTED, o.variables = 2;
        o.measurement = both, o.measurements = 2;
        o.weighted = COLUMN, o.weight = SD, o.weights = 1;
        o.bias = COLUMN, o.biases = 1;
        o.loss = LOSS[k];
        taut_estimates *e = estimate(model, &o);
        assert_int_equal(taut_estimates_count(e), 4);
        assert_string_equal(taut_estimates_get(e, 1)->name, "x[1]");
        assert_string_equal(taut_estimates_get(e, 3)->name, "bias(x)");
        const double off = fabs(taut_estimates_get(e, 3)->value - 0.25);
        if (k == 0)
            assert_true(off > 0.03); /* outliers draw plain squares away */
        else {
            assert_true(off < 0.01);
            assert_near(taut_estimates_get(e, 0)->value, 9.0, 0.05, 0.0);
            assert_near(taut_estimates_get(e, 1)->value, 1.0, 0.02, 0.0);
            assert_near(taut_estimates_get(e, 2)->value, -0.5, 0.02, 0.0);
        }
        taut_estimates_free(&e);
    }
    taut_model_free(&model);
}

/* ---- the program ---- */

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

#define SPRING                                                                                     \
    "PhysicalParams: {k: 4}\nDAE: {Variables: [x], Equations: [x'' + k*x]}\n"                      \
    "ProblemData: {t0: 0, tend: 1, positions: {x: 1}, velocities: {x: 0},\n"                       \
    "  fixedpositions: {x}, fixedvelocities: {x}}\n"
#define DATA "t,x\n0.1,0.9553\n0.2,0.8253\n0.3,0.6216\n0.4,0.3624\n0.5,0.0707\n" /* cos(3 t) */

static void test_files_by_the_program(void **state) {
    (void)state;
    program_write("m.yaml",
                  SPRING "Study: {Variables: {k: [1, 20]}, Experiments: {first: {Data: d.csv}}}\n",
                  -1);
    program_write("d.csv", DATA, -1);
    char *said = CALL(0, "fit", "m.yaml", "-o", "t.csv");
    assert_non_null(strstr(said, "1 value from 5 measured numbers"));
    free(said);
    free(CALL(0, "fit", "m.yaml", "--data", "d.csv"));
    char *page = program_read("m-fit.html");
    assert_non_null(strstr(page, "\"kind\":\"fit\""));
    free(page);
    char *text = program_read("m-fitted.yaml");
    double k = 0.0;
    assert_int_equal(sscanf(text, "PhysicalParams: {k: %lf}", &k), 1);
    assert_near(k, 9.0, 1e-2, 0.0);
    free(text);
    char *csv = program_read("t.csv");
    program_table table;
    program_table_read(&table, csv);
    assert_near(program_table_get(&table, 2, "x run"), cos(0.9), 1e-3, 0.0);
    program_table_free(&table);
    free(csv);
}

/* The page says what the data do not tell, a combination a line. */
static void test_pages_name_what_is_not_identified(void **state) {
    (void)state;
    program_write(
        "m.yaml",
        "PhysicalParams: {k: 4, q: 1}\n"
        "DAE: {Variables: [x, y], Equations: [x'' + k*x, y'' + q*y]}\n"
        "ProblemData: {t0: 0, tend: 1, positions: {x: 1, y: 1}, velocities: {x: 0, y: 0},\n"
        "  fixedpositions: {x, y}, fixedvelocities: {x, y}}\n"
        "Study: {Variables: {k: [1, 20], q: [0, 2]}}\n",
        -1);
    program_write("d.csv", DATA, -1);
    free(CALL(0, "fit", "m.yaml", "--data", "d.csv", "-o", "f.html"));
    char *page = program_read("f.html");
    assert_non_null(page);
    assert_non_null(strstr(page, "\"unidentified\":[\"q\"]"));
    free(page);
}

/* Columns of one file at times of their own: what was not measured counts nowhere. */
static void test_empty_cells_were_not_measured(void **state) {
    (void)state;
    program_write("m.yaml", SPRING "Study: {Variables: {k: [1, 20]}}\n", -1);
    program_write("d.csv",
                  "t,x,x'\n0.1,0.955336489125606,\n0.2,,-1.6939274201851063\n"
                  "0.3,0.6216099682706644,\n0.4,,\n0.5,,-2.9924849598121632\n",
                  -1); /* cos(3 t), -3 sin(3 t) */
    char *said = CALL(0, "fit", "m.yaml", "--data", "d.csv", "-o", "t.csv");
    assert_non_null(strstr(said, "1 value from 4 measured numbers"));
    free(said);
    free(CALL(0, "fit", "m.yaml", "--data", "d.csv"));
    char *text = program_read("m-fitted.yaml");
    double k = 0.0;
    assert_int_equal(sscanf(text, "PhysicalParams: {k: %lf}", &k), 1);
    assert_near(k, 9.0, 1e-8, 0.0);
    free(text);
    char *csv = program_read("t.csv");
    assert_non_null(strstr(csv, ",nan,")); /* as in all results */
    free(csv);
    program_write("d.csv", "t,x\n0.1,0.95\n,0.8\n", -1);
    said = CALL(2, "fit", "m.yaml", "--data", "d.csv");
    assert_non_null(strstr(said, "d.csv:3:1: error: a number of the column 't' is missing here"));
    free(said);
}

static void test_fits_without_sense_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *study, *data, *says;
    } WRONG[] = {
        {"", DATA, "the model's section Study has Variables"},
        {"Study: {Variables: {k: [1, 20]}}", NULL, "nothing was measured"},
        {"Study: {Variables: {k: [1, 20]}}", "x,y\n1,2\n", "a column t"},
        {"Study: {Variables: {k: [1, 20]}}", "t,z\n0.5,2\n0.6,1\n", "there is no column 'z'"},
        {"Study: {Variables: {k: [1, 20]}}", "t,x\n0.5,2\n0.4,1\n", "times ascend"},
        {"Study: {Variables: {k: [1, 20]}}", "t,x\n-1,2\n0.4,1\n", "the run begins at t0"},
        {"Study: {Variables: {k: [1, 20]}}", "t\n0.5\n", "no measured column"},
        {"Study: {Variables: {k: [1, 20], x: [0, 2]}}", "t,x\n0.5,2\n", "that is too little"},
        {"Study: {Variables: {k: [1, 20]}, Biases: [y]}", DATA, "no experiment has this column"},
        {"Study: {Variables: {k: [1, 20]}, Weights: {x: 0}}", DATA, "above 0 is expected"},
        {"Study: {Variables: {k: [1, 20]}, Loss: square}", DATA, "squares, huber and cauchy"},
        {"Study: {Variables: {k: [1, 20]}, Experiments: {a: {Set: {k: 1}}}}", NULL, "Data"},
        {"Study: {Variables: {k: [1, 20]}, Experiments: {a: {Data: d.csv, Set: {k: 1}}}}", "",
         "is one of the Variables"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s\n", SPRING, WRONG[i].study);
        program_write("m.yaml", text, -1);
        program_write("d.csv", WRONG[i].data && WRONG[i].data[0] ? WRONG[i].data : DATA, -1);
        char *said = WRONG[i].data && WRONG[i].data[0] ? CALL(2, "fit", "m.yaml", "--data", "d.csv")
                                                       : CALL(2, "fit", "m.yaml");
        if (!strstr(said, WRONG[i].says)) fail_msg("'%s' is not in: %s", WRONG[i].says, said);
        free(said);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_pendulum_within_its_confidence),
        cmocka_unit_test(test_andrews_within_its_confidence),
        cmocka_unit_test(test_what_cannot_be_identified_is_named),
        cmocka_unit_test(test_a_parameter_without_influence_is_named),
        cmocka_unit_test(test_a_chaotic_record_needs_shooting),
        cmocka_unit_test(test_biases_experiments_and_outliers),
        TEST(test_files_by_the_program),
        TEST(test_pages_name_what_is_not_identified),
        TEST(test_empty_cells_were_not_measured),
        TEST(test_fits_without_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
