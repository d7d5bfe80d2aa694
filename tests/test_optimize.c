/* taut optimize: designs with a known optimum, gradients against differences of runs, several
 * starts, both methods, files that run, and studies that make no sense. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "taut/taut.h"

static taut_errors errors;

static taut_model *read_example(const char *name) {
    char path[400];
    taut_model *model = NULL;
    snprintf(path, sizeof path, "%s/examples/studies/%s.yaml", TAUT_SOURCE_DIR, name);
    memset(&errors, 0, sizeof errors);
    if (taut_model_read(path, NULL, 0, &model, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return model;
}

static taut_optimum *find(const taut_model *model, const taut_optimize_options *o) {
    taut_optimum *optimum = NULL;
    memset(&errors, 0, sizeof errors);
    if (taut_optimize(model, o, &optimum, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return optimum;
}

/* The linkage from whose curve the ten points are, from three starts. */
static void test_coupler_passes_through_ten_points(void **state) {
    (void)state;
    static const double KNOWN[] = {1.0, 2.5, 3.0, 1.2, 1.0};
    taut_model *model = read_example("coupler");
    taut_optimum *o = find(model, NULL);
    assert_true(taut_optimum_is_exact(o));
    assert_int_equal(taut_optimum_starts(o), 3);
    for (int i = 0; i < 3; i++) assert_true(taut_optimum_get_start(o, i)->objective < 1e-9);
    for (int k = 0; k < 5; k++) assert_near(taut_optimum_value(o, k), KNOWN[k], 2e-5, 0.0);
    taut_optimum_free(&o);
    taut_model_free(&model);
}

/* First harmonics along and across: least squares of (mp + mr - mc) and (2 mr/3 - mc). */
static void test_engine_has_the_counterweight_of_the_closed_form(void **state) {
    (void)state;
    taut_model *model = read_example("engine");
    taut_optimum *o = find(model, NULL);
    const double mp = 0.5, mr = 0.4;
    for (int i = 0; i < 3; i++)
        assert_near(taut_optimum_get_start(o, i)->value[0], 0.5 * (mp + mr + 2.0 * mr / 3.0), 1e-6,
                    0.0);
    taut_optimum_free(&o);
    taut_model_free(&model);
}

static void test_strut_is_as_stiff_as_its_mount_allows(void **state) {
    (void)state;
    static const char *const METHOD[] = {"gradient", "search"};
    taut_model *model = read_example("strut");
    for (int k = 0; k < 2; k++) {
        taut_optimize_options options = taut_optimize_options_default();
        options.method = METHOD[k];
        taut_optimum *o = find(model, &options);
        for (int i = 0; i < 3; i++) {
            assert_near(taut_optimum_get_start(o, i)->value[0], 200.0, 1e-3, 0.0);
            assert_near(taut_optimum_get_start(o, i)->objective, 0.3, 1e-6, 0.0);
            assert_true(taut_optimum_get_start(o, i)->excess < 1e-6);
        }
        assert_near(taut_optimum_excess(o, 0), 0.0, 1e-3, 0.0);
        assert_string_equal(taut_optimum_limit(o, 0), "mount");
        taut_optimum_free(&o);
    }
    taut_model_free(&model);
}

/* ---- gradients ---- */

static const char SWING[] =
    "PhysicalParams: {l: 1.3, m: 2, c: 0.3, g: 9.81, F: 4}\n"
    "Lagrangian: {Coordinates: [a, x], L: m*(x' + l*a')^2/2 + x'^2/2 + m*g*l*cos(a) - 20*x^2,\n"
    "  Dissipation: c*a'^2/2, Forces: {x: F*sin(3*t)}}\n"
    "ProblemData: {t0: 0, tend: 2, positions: {a: 0.7, x: 0.1}, velocities: {a: 0, x: 0},\n"
    "  fixedpositions: {a, x}, fixedvelocities: {a, x}}\n";

/* The objective at values, by a model that has them as numbers. */
static double value_at(const taut_model *model, const taut_optimize_options *like,
                       const double *value) {
    taut_bounded fixed[4];
    taut_optimize_options o = *like;
    for (int k = 0; k < like->variables; k++) {
        fixed[k] = like->variable[k];
        fixed[k].low = value[k];
        fixed[k].high = value[k] + 1e-9 * fabs(value[k]);
    }
    o.variable = fixed;
    o.method = "search";
    o.most = 1;
    taut_optimum *optimum = find(model, &o);
    taut_result *record = NULL;
    assert_int_equal(taut_optimum_record(optimum, &record), TAUT_OK);
    double found = (double)NAN;
    for (int c = 0; c < taut_result_columns(record); c++)
        if (strcmp(taut_result_name(record, c), "objective") == 0)
            found = taut_result_value(record, 0, c);
    taut_result_free(&record);
    taut_optimum_free(&optimum);
    return found;
}

static void test_gradients_are_those_of_differences(void **state) {
    (void)state;
    static const char *const GOAL[] = {"max(a')",
                                       "min(a) + 3*end(x)",
                                       "range(x')",
                                       "mean(a) * l",
                                       "rms(x)",
                                       "at(1.234, a)^2 - exp(end(x'))",
                                       "max(rms(x), mean(a))",
                                       "sqrt(rms(a'))/m"};
    static const taut_bounded VARIABLE[] = {{"l", 1.0, 2.0, false},
                                            {"m", 1.0, 4.0, true},
                                            {"c", 0.1, 1.0, false},
                                            {"a", 0.2, 1.0, false}};
    static const double AT[] = {1.3, 2.0, 0.3, 0.7};
    taut_model *model = NULL;
    memset(&errors, 0, sizeof errors);
    if (taut_model_parse("m.yaml", SWING, -1, &model, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    for (size_t g = 0; g < sizeof GOAL / sizeof GOAL[0]; g++) {
        taut_optimize_options o = taut_optimize_options_default();
        double exact[4];
        o.variable = VARIABLE, o.variables = 4;
        o.minimize = GOAL[g];
        o.run.rtol = o.run.atol = 1e-13;
        o.most = 1;
        taut_optimum *optimum = find(model, &o);
        assert_true(taut_optimum_is_exact(optimum));
        assert_int_equal(taut_optimum_gradient(optimum, -1, AT, exact, &errors), TAUT_OK);
        taut_optimum_free(&optimum);
        for (int k = 0; k < 4; k++) {
            const double h = 1e-3 * AT[k];
            double f[4], x[4];
            for (int j = 0; j < 4; j++) {
                static const double STEP[] = {-2.0, -1.0, 1.0, 2.0};
                memcpy(x, AT, sizeof x);
                x[k] += STEP[j] * h;
                f[j] = value_at(model, &o, x);
            }
            const double by = (f[0] - 8.0 * f[1] + 8.0 * f[2] - f[3]) / (12.0 * h);
            assert_near(exact[k], by, 2e-7, 1e-6);
        }
    }
    taut_model_free(&model);
}

/* Twelve variables and one result: by adjoints, which have to be the variations' gradient. */
static void test_many_variables_have_the_same_gradient(void **state) {
    (void)state;
    enum { N = 12 };
    static const char *const NAME[N] = {"d",  "da", "e",  "ea", "rr", "ra",
                                        "ss", "sa", "sb", "ta", "c0", "mom"};
    static const char *const RESULT[] = {"end(beta)"};
    static const double OWN[N] = {0.028, 0.0115,  0.02,    0.01421, 0.007, 0.00092,
                                  0.035, 0.01874, 0.01043, 0.02308, 4530., 0.033};
    taut_bounded variable[N];
    taut_model *model = NULL;
    double value, along[N], found[N];
    for (int k = 0; k < N; k++)
        variable[k] = (taut_bounded){NAME[k], 0.99 * OWN[k], 1.01 * OWN[k], false};
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/andrews.yaml", NULL, 0, &model, &errors),
        TAUT_OK);
    taut_optimize_options o = taut_optimize_options_default();
    o.variable = variable, o.variables = N;
    o.minimize = RESULT[0];
    o.run.rtol = o.run.atol = 1e-12;
    o.run.has_tend = true;
    o.run.tend = 0.01;
    o.most = 1;
    taut_optimum *optimum = find(model, &o);
    assert_true(taut_optimum_is_exact(optimum));
    assert_int_equal(taut_optimum_gradient(optimum, -1, OWN, found, &errors), TAUT_OK);
    taut_gradient_options g = taut_gradient_options_default();
    g.run = o.run;
    g.name = NAME, g.names = N;
    g.result = RESULT, g.results = 1;
    g.method = "forward";
    assert_int_equal(taut_gradient_find(model, &g, &value, along, &errors), TAUT_OK);
    for (int k = 0; k < N; k++) assert_near(found[k], along[k], 1e-9, 1e-9);
    taut_optimum_free(&optimum);
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

#define THROW_WITH(study)                                                                          \
    "PhysicalParams: {v: 10, a: 45 deg, g: 10}   # a throw\n"                                      \
    "Lagrangian: {Coordinates: [x, y], L: (x'^2 + y'^2)/2 - g*y}\n"                                \
    "Events: {land: {When: y, Direction: down, Once: true}}\n"                                     \
    "ProblemData: {t0: 0, tend: 1, positions: {x: 0, y: 1}, velocities: {x: v*cos(a), y: "         \
    "v*sin(a)},\n"                                                                                 \
    "  fixedpositions: {x, y}, fixedvelocities: {x, y}}\n" study

/* The file with the best values, comments and all, runs and has them. */
static void test_the_optimum_is_a_file_that_runs(void **state) {
    (void)state;
    program_write(
        "m.yaml",
        THROW_WITH("Study: {Variables: {a: [10 deg, 85 deg], y: [0, 4]},\n"
                   "  Maximize: end(x), SubjectTo: {height: max(y) = 3.5, foot: end(y) >= 0}}\n"),
        -1);
    char *said = CALL(0, "optimize", "m.yaml");
    assert_non_null(strstr(said, "--set a="));
    assert_null(strstr(said, "--set y=")); /* there is no such option for initial values */
    assert_non_null(strstr(said, "m-optimum.yaml has these values"));
    free(said);
    char *text = program_read("m-optimum.yaml");
    assert_non_null(strstr(text, "# a throw"));
    free(text);
    free(CALL(0, "run", "m-optimum.yaml", "-o", "best.csv", "--at", "1"));
    char *csv = program_read("best.csv");
    program_table table, way;
    program_table_read(&table, csv);
    free(csv);
    /* as flat as it may be: 1.5 s of flight from y0 are too long; height 3.5 fixes sin(a) and y0 */
    csv = program_read("m-optimize.csv");
    program_table_read(&way, csv);
    free(csv);
    assert_near(program_table_get(&table, -1, "x"), 10.0 * cos(program_table_get(&way, -1, "a")),
                1e-5, 0.0);
    program_table_free(&table);
    program_table_free(&way);
}

static void test_numbers_of_events_are_searched_without_derivatives(void **state) {
    (void)state;
    program_write("m.yaml",
                  THROW_WITH("Study: {Variables: {a: [10 deg, 85 deg]},\n"
                             "  Maximize: end(x) + 100*count(land)}\n"),
                  -1);
    char *said = CALL(0, "optimize", "m.yaml");
    assert_non_null(strstr(said, "without derivatives"));
    free(said);
    said = CALL(2, "optimize", "m.yaml", "--method", "gradient");
    assert_non_null(strstr(said, "has no derivative"));
    free(said);
}

/* At a kink of the objective gradients lead nowhere: there are no more runs than are allowed, and
 * no point has two of them in a row. */
static void test_runs_are_not_wasted(void **state) {
    (void)state;
    static const taut_bounded VARIABLE = {"m", 0.5, 4.0, false};
    static const int MOST[] = {25, 0};
    taut_model *model = NULL;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(
        taut_model_parse("m.yaml",
                         "PhysicalParams: {m: 2}\n"
                         "DAE: {Variables: [x], Equations: [m*x'' - 1 + x]}\n"
                         "ProblemData: {tend: 2, positions: {x: 0}, velocities: {x: 0}}\n",
                         -1, &model, &errors),
        TAUT_OK);
    for (int k = 0; k < 2; k++) {
        taut_optimize_options options = taut_optimize_options_default();
        options.variable = &VARIABLE, options.variables = 1;
        options.minimize = "abs(end(x) - 0.6)";
        options.most = MOST[k];
        taut_optimum *o = find(model, &options);
        taut_result *record = NULL;
        assert_true(taut_optimum_is_exact(o));
        assert_int_equal(taut_optimum_record(o, &record), TAUT_OK);
        const int m = taut_result_find(record, "m");
        const long rows = taut_result_rows(record);
        assert_true(m >= 0 && rows > 10 && rows <= (MOST[k] > 0 ? MOST[k] : 1001));
        int again = 0; /* rounding may part points whose values are the same */
        for (long i = 1; i < rows && i < 20; i++)
            again += taut_result_value(record, i, m) == taut_result_value(record, i - 1, m);
        assert_true(again <= 2);
        assert_true(taut_optimum_objective(o) < 1e-3);
        taut_result_free(&record);
        taut_optimum_free(&o);
    }
    taut_model_free(&model);
}

static void test_studies_without_sense_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *study, *says;
        int code;
    } WRONG[] = {
        {"", "the model's section Study has Variables", 2},
        {"Study: {Variables: {a: [0, 1]}}", "nothing is to become small or large", 2},
        {"Study: {Variables: {a: [1, 0]}, Minimize: end(x)}", "the lower bound stands first", 2},
        {"Study: {Variables: {a: [0, 1, log]}, Minimize: end(x)}", "both bounds are above 0", 2},
        {"Study: {Variables: {a: 3}, Minimize: end(x)}", "[low, high, log]", 2},
        {"Study: {Variables: {b: [0, 1]}, Minimize: end(x)}", "no variable 'b'", 2},
        {"Study: {Variables: {a: [0, 1]}, Minimize: end(z)}", "there is no column 'z'", 2},
        {"Study: {Variables: {a: [0, 1]}, Minimize: 3*a}", "no result of a run is in it", 2},
        {"Study: {Variables: {a: [0, 1]}, Minimize: end(x) + q}", "'q' has no value here", 2},
        {"Study: {Variables: {a: [0, 1]}, Minimize: end(x), Maximize: end(y)}", "one of the two",
         2},
        {"Study: {Variables: {a: [0, 1]}, Minimize: end(x), SubjectTo: {c: end(y)}}",
         "with <=, >= or =", 2},
        {"Study: {Variables: {a: [0, 1]}, Minimise: end(x)}", "Minimize", 2},
        {"Study: {Variables: {a: [0, 1]}, Minimize: end(x), Method: best}", "auto, gradient", 2},
        {"Study: {Variables: {a: [0, 1]}, Minimize: end(x), Starts: 0}", "a whole number from 1",
         2},
        {"Study: {Variables: {a: [0, 1]}, Minimize: end(x), SubjectTo: {c: end(y) >= 100}}",
         "for which all of SubjectTo hold", 1},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s\n", THROW_WITH(""), WRONG[i].study);
        program_write("m.yaml", text, -1);
        char *said = CALL(WRONG[i].code, "optimize", "m.yaml");
        if (!strstr(said, WRONG[i].says)) fail_msg("'%s' is not in: %s", WRONG[i].says, said);
        if (strstr(said, "is a function")) fail_msg("log is a word here: %s", said);
        free(said);
    }
}

/* Bounds around the file's own value: no run depends on them, and gradients are exact. */
static void test_bounds_may_be_formulas_of_the_variable(void **state) {
    (void)state;
    program_write("m.yaml",
                  "PhysicalParams: {k: 3}\n"
                  "DAE: {Variables: [x], Equations: [x' - (k - 2)^2]}\n"
                  "ProblemData: {tend: 1, positions: {x: 0}}\n"
                  "Study: {Variables: {k: [k/10, 10*k, log]}, Minimize: end(x)}\n",
                  -1);
    char *said = CALL(0, "optimize", "m.yaml");
    assert_non_null(strstr(said, "by gradients by sensitivities"));
    free(said);
}

/* A check tells the line of every name that is wrong, whatever else is in the file. */
static void test_names_of_studies_are_checked(void **state) {
    (void)state;
    static const struct {
        const char *study, *says;
    } WRONG[] = {
        {"Study: {Variables: {b: [0, 1]}, Minimize: end(x)}", "m.yaml:6:21"},
        {"Study: {Variables: {aa: [0, 1]}, Minimize: end(x)}", "did you mean 'a'?"},
        {"Study: {Variables: {x': [0, 1]}, Minimize: end(z)}", "m.yaml:6:44"},
        {"Study: {Variables: {a: [0, 1]}, Maximize: first(lnd)}", "no event or contact 'lnd'"},
        {"Study: {Variables: {a: [0, 1]}, Minimize: end(x), SubjectTo: {c: max(w) <= 1}}",
         "no column 'w'"},
        {"Study: {Variables: {a: [0, 1]}, Weights: {z: 1}}", "no column 'z'"},
        {"Study: {Variables: {a: [0, 1]}, Biases: [q]}", "no column 'q'"},
        {"Study: {Variables: {a: [0, 1]}, States: [r']}", "no column 'r''"},
        {"Study: {Variables: {a: [0, 1]}, Experiments: {e: {Data: e.csv, Set: {c: 1}}}}",
         "variable 'c'"},
        {"Study: {Variables: {a: [0, 1]}, Minimize: 3*a}", "no result of a run is in it"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s\n", THROW_WITH(""), WRONG[i].study);
        program_write("m.yaml", text, -1);
        char *said = CALL(2, "check", "m.yaml");
        if (!strstr(said, WRONG[i].says)) fail_msg("'%s' is not in: %s", WRONG[i].says, said);
        free(said);
    }
    char text[2000];
    snprintf(text, sizeof text, "%s%s\n", THROW_WITH(""),
             "Study: {Variables: {a: [0, 1], y: [0, 1], \"x'\": [0, 9]}, Minimize: max(y'') + "
             "first(land) + count(land), SubjectTo: {c: end(energy) <= 1}}");
    program_write("m.yaml", text, -1);
    free(CALL(0, "check", "m.yaml"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coupler_passes_through_ten_points),
        cmocka_unit_test(test_engine_has_the_counterweight_of_the_closed_form),
        cmocka_unit_test(test_strut_is_as_stiff_as_its_mount_allows),
        cmocka_unit_test(test_gradients_are_those_of_differences),
        cmocka_unit_test(test_many_variables_have_the_same_gradient),
        TEST(test_the_optimum_is_a_file_that_runs),
        TEST(test_numbers_of_events_are_searched_without_derivatives),
        cmocka_unit_test(test_runs_are_not_wasted),
        TEST(test_studies_without_sense_are_refused),
        TEST(test_bounds_may_be_formulas_of_the_variable),
        TEST(test_names_of_studies_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
