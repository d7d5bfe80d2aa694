/* Results of runs beyond those of smooth columns: events, equilibria, eigenvalues, results across
 * events, trajectories, and HDF5; against closed forms. */
#define _DEFAULT_SOURCE /* wait4 */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"
#include "taut/taut.h"

static taut_errors errors;

static taut_model *parse(const char *text) {
    taut_model *model = NULL;
    memset(&errors, 0, sizeof errors);
    if (taut_model_parse("m.yaml", text, -1, &model, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return model;
}

/* A study of one name over values, with results; done. */
static taut_study *perform(const taut_model *model, taut_vary vary, const taut_report *report,
                           int reports, const char *trace, int rows, const char *solver) {
    taut_study *study = NULL;
    taut_study_options o = taut_study_options_default();
    o.vary = &vary, o.varies = 1;
    o.report = report, o.reports = reports;
    o.trace = trace, o.trace_rows = rows;
    o.threads = 1;
    if (solver) o.run.solver = solver;
    o.run.rtol = o.run.atol = 1e-12;
    memset(&errors, 0, sizeof errors);
    if (taut_study_create(model, &o, &study, &errors) != TAUT_OK ||
        taut_study_run(study, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return study;
}

static const char BALL[] =
    "PhysicalParams: {e: 0.5}\n"
    "DAE: {Variables: [y], Equations: [y'' + 10]}\n"
    "Events: {bounce: {When: y, Direction: down, Do: {\"y'\": -e*y'}}}\n"
    "ProblemData: {t0: 0, tend: 0.8, positions: {y: 1}, velocities: {y: 0},\n"
    "  fixedpositions: {y}, fixedvelocities: {y}}\n";

/* A bounce at t1 = sqrt(1/5): the part of a step behind it counts for nothing. */
static void test_results_across_an_event(void **state) {
    (void)state;
    static const taut_report REPORT[] = {
        {NULL, "min(y)"},  {NULL, "max(y')"},       {NULL, "mean(y')"},      {NULL, "mean(y)"},
        {NULL, "rms(y')"}, {NULL, "first(bounce)"}, {NULL, "count(bounce)"}, {NULL, "at(0.6,y)"}};
    static const char *const SOLVER[] = {"taylor", "erk"};
    taut_model *model = parse(BALL);
    for (int k = 0; k < 2; k++) {
        taut_study *s = perform(model, (taut_vary){"e", "0.5,0.8"}, REPORT, 8, NULL, 0, SOLVER[k]);
        const double near = k == 0 ? 1e-12 : 1e-9;
        for (int run = 0; run < 2; run++) {
            const double e = run == 0 ? 0.5 : 0.8, t1 = sqrt(0.2), v = 10.0 * t1 * e, T = 0.8 - t1;
            const double squares =
                100.0 * t1 * t1 * t1 / 3.0 + (v * v * v - pow(v - 10.0 * T, 3.0)) / 30.0;
            const double expected[] = {
                0.0,
                v,
                (v * T - 5.0 * T * T - 1.0) / 0.8,
                (t1 - 5.0 * pow(t1, 3.0) / 3.0 + v * T * T / 2.0 - 5.0 * pow(T, 3.0) / 3.0) / 0.8,
                sqrt(squares / 0.8),
                t1,
                1.0,
                v * (0.6 - t1) - 5.0 * pow(0.6 - t1, 2.0)};
            for (int i = 0; i < 8; i++)
                assert_near(taut_study_value(s, run, 2 + i), expected[i], near, near);
        }
        taut_study_free(&s);
    }
    taut_model_free(&model);
}

/* What does not happen has no time, and the run is ok all the same. */
static void test_an_event_that_does_not_happen(void **state) {
    (void)state;
    static const taut_report REPORT[] = {{NULL, "first(bounce)"}, {NULL, "count(bounce)"}};
    taut_model *model =
        parse("DAE: {Variables: [y], Equations: [y'' + 10]}\n"
              "Events: {bounce: {When: y, Direction: down}}\n"
              "ProblemData: {t0: 0, tend: 1, positions: {y: 1}, velocities: {y: 0},\n"
              "  fixedpositions: {y}, fixedvelocities: {y}}\n");
    taut_study *s = perform(model, (taut_vary){"y", "1.25,20,3.2"}, REPORT, 2, NULL, 0, NULL);
    assert_near(taut_study_value(s, 0, 2), 0.5, 1e-12, 0.0);
    assert_true(isnan(taut_study_value(s, 1, 2)));
    assert_near(taut_study_value(s, 1, 3), 0.0, 0.0, 0.0);
    assert_string_equal(taut_study_outcome(s, 1), "ok");
    const taut_spread x = taut_study_spread(s, 2);
    assert_int_equal(x.count, 2);
    assert_near(x.mean, 0.65, 1e-12, 0.0);
    taut_study_free(&s);
    taut_model_free(&model);
}

/* m x'' + c x' + k x = F: rest at F/k, eigenvalues -c/(2m) -+ i omega. */
static void test_equilibria_and_eigenvalues(void **state) {
    (void)state;
    static const taut_report REPORT[] = {{NULL, "rest(x)"},
                                         {NULL, "eigen(1,re)"},
                                         {NULL, "eigen(1,im)"},
                                         {NULL, "eigen(2,im)"},
                                         {NULL, "end(t)"}};
    taut_model *model =
        parse("PhysicalParams: {m: 2, c: 0.4, k: 8, F: 3}\n"
              "DAE: {Variables: [x], Equations: [m*x'' + c*x' + k*x - F]}\n"
              "ProblemData: {t0: 0, tend: 1, positions: {x: 0}, velocities: {x: 0},\n"
              "  fixedpositions: {x}, fixedvelocities: {x}}\n");
    taut_study *s = perform(model, (taut_vary){"k", "8,18"}, REPORT, 5, NULL, 0, NULL);
    for (int run = 0; run < 2; run++) {
        const double k = run == 0 ? 8.0 : 18.0, omega = sqrt(k / 2.0 - 0.01);
        const double expected[] = {3.0 / k, -0.1, -omega, omega, 1.0};
        for (int i = 0; i < 5; i++)
            assert_near(taut_study_value(s, run, 2 + i), expected[i], 1e-11, 0.0);
    }
    taut_study_free(&s);
    taut_model_free(&model);
}

static void test_trajectories_are_rows_of_runs(void **state) {
    (void)state;
    static const taut_report REPORT[] = {{NULL, "end(y)"}};
    taut_model *model = parse(BALL);
    taut_study *s = perform(model, (taut_vary){"e", "0.5,0.8"}, REPORT, 1, "y,y'", 5, NULL);
    assert_int_equal(taut_study_columns(s), 3);
    assert_int_equal(taut_study_trace_rows(s), 5);
    assert_int_equal(taut_study_trace_columns(s), 2);
    assert_string_equal(taut_study_trace_name(s, 1), "y'");
    for (int run = 0; run < 2; run++)
        for (int r = 0; r < 5; r++) {
            const double t = 0.2 * r, t1 = sqrt(0.2), v = 10.0 * t1 * (run == 0 ? 0.5 : 0.8);
            const bool before = t < t1;
            const double y = before ? 1.0 - 5.0 * t * t : v * (t - t1) - 5.0 * pow(t - t1, 2.0);
            assert_near(taut_study_trace_time(s, r), t, 1e-15, 0.0);
            assert_near(taut_study_trace_value(s, run, r, 0), y, 1e-12, 0.0);
            assert_near(taut_study_trace_value(s, run, r, 1),
                        before ? -10.0 * t : v - 10.0 * (t - t1), 1e-12, 0.0);
        }
    assert_true(isnan(taut_study_trace_value(s, 0, 5, 0)));
    taut_study_free(&s);
    taut_model_free(&model);
}

/* Read by two programs that are not ours, where they are there. */
static void test_hdf5_is_readable_by_others(void **state) {
    program_result r;
    (void)state;
    program_write("m.yaml", BALL, -1);
    static const char *const CALL[] = {"sweep",    "m.yaml", "--vary",   "e=0.5,0.1,0.8",
                                       "--report", "end(y)", "--report", "v=max(y')",
                                       "--trace",  "y,y'",   "--rows",   "3",
                                       "-o",       "t.h5",   NULL};
    program_run(&r, CALL, 0.0);
    if (r.code != 0) fail_msg("%s", r.err);
    program_release(&r);
    if (system("h5dump --version > /dev/null 2>&1") == 0)
        assert_int_equal(system("h5dump -d runs t.h5 | tr -d '\\n' | "
                                "grep -q '\"end(y)\".*\"v\".*\"ok\".*\"ok\".*\"ok\"'"),
                         0);
    else
        print_message("h5dump is not there\n");
    if (system("/usr/bin/python3 -c 'import h5py' 2> /dev/null") == 0)
        assert_int_equal(
            system("/usr/bin/python3 -c \"import h5py, math; f = h5py.File('t.h5', 'r'); "
                   "v = f['runs']['v']; assert abs(v[2] - 8*math.sqrt(0.2)) < 1e-12; "
                   "assert list(f['runs']['status']) == [b'ok']*3; "
                   "x = f['trajectories']; assert x.shape == (3, 3, 2); "
                   "assert abs(x[0, 1, 0] - 0.2) < 1e-12; "
                   "assert list(x.attrs['columns']) == [b'y', b'y\\x27']; "
                   "assert abs(f['t'][1] - 0.4) < 1e-15\""),
            0);
    else
        print_message("h5py is not there\n");
    assert_int_equal(system("cp t.h5 before.h5; sleep 1.1"), 0);
    program_run(&r, CALL, 0.0);
    program_release(&r);
    assert_int_equal(system("cmp t.h5 before.h5"), 0); /* no time of day is in it */
}

static void test_traces_are_csv_beside_the_table(void **state) {
    program_result r;
    (void)state;
    program_write("m.yaml", BALL, -1);
    static const char *const CALL[] = {"sweep",    "m.yaml", "--vary",  "e=0.5,0.8",
                                       "--report", "end(y)", "--trace", "y",
                                       "--rows",   "3",      NULL};
    program_run(&r, CALL, 0.0);
    if (r.code != 0) fail_msg("%s", r.err);
    program_release(&r);
    program_table table;
    char *csv = program_read("m-sweep-traces.csv");
    program_table_read(&table, csv);
    free(csv);
    assert_near(program_table_get(&table, 1, "t"), 0.4, 1e-15, 0.0);
    assert_near(program_table_get(&table, 1, "y"), 0.2, 1e-12, 0.0);
    assert_near(program_table_get(&table, 3, "run"), 1.0, 0.0, 0.0);
    program_table_free(&table);
}

static void test_nonsense_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *report, *trace, *says;
    } WRONG[] = {{"first(bouce)", NULL, "no event or contact 'bouce'"},
                 {"eigen(0,re)", NULL, "from 1"},
                 {"eigen(1)", NULL, "eigen(K,im)"},
                 {"eigen(3,re)", NULL, "there are 2 eigenvalues"},
                 {"rest(z)", NULL, "no column 'z'"},
                 {"first()", NULL, "which event?"},
                 {"end(x)", "x,,x'", "with commas between them"},
                 {"end(x)", "z", "there is no column 'z'"}};
    taut_model *model =
        parse("DAE: {Variables: [x], Equations: [x'' + x]}\n"
              "Events: {bounce: {When: x}}\n"
              "ProblemData: {t0: 0, tend: 1, positions: {x: 1}, velocities: {x: 0},\n"
              "  fixedpositions: {x}, fixedvelocities: {x}}\n");
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        const taut_vary vary = {"x", "1,2"};
        const taut_report report = {NULL, WRONG[i].report};
        taut_study *study = NULL;
        taut_study_options o = taut_study_options_default();
        o.vary = &vary, o.varies = 1, o.report = &report, o.reports = 1;
        o.trace = WRONG[i].trace;
        memset(&errors, 0, sizeof errors);
        assert_int_equal(taut_study_create(model, &o, &study, &errors), TAUT_ERR_CALL);
        if (!strstr(errors.item[0].message, WRONG[i].says))
            fail_msg("'%s' is not in: %s", WRONG[i].says, errors.item[0].message);
    }
    taut_model_free(&model);
}

/* ---- memory ---- */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* The most memory of a sweep of so many runs, in kB; its table is t.h5. */
static long memory_of(const char *samples) {
    struct rusage used;
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl(TAUT_PROGRAM, "taut", "sweep", "m.yaml", "--vary", "e=uniform(0.3,0.9)", "--samples",
              samples, "--report", "end(y)", "--report", "max(y)", "-o", "t.h5", "--quiet",
              (char *)NULL);
        _exit(99);
    }
    assert_int_equal(wait4(child, &status, 0, &used), child);
    assert_int_equal(status, 0);
    return used.ru_maxrss;
}

/* A run leaves nothing but its row: three numbers of eight bytes and what tells that it is done. */
static void test_a_hundred_thousand_runs_leave_their_rows_only(void **state) {
    (void)state;
    program_write("m.yaml", BALL, -1);
    const long few = memory_of("1000"), many = memory_of("100000");
    print_message("    1,000 runs: %ld kB, 100,000 runs: %ld kB\n", few, many);
    assert_true(many - few < 10000); /* kB: 100 bytes a run */
    if (system("/usr/bin/python3 -c 'import h5py' 2> /dev/null") == 0)
        assert_int_equal(system("/usr/bin/python3 -c \"import h5py; r = h5py.File('t.h5', 'r')"
                                "['runs']; assert len(r) == 100000; assert (r['run'] == "
                                "range(100000)).all(); assert (r['status'] == b'ok').all()\""),
                         0);
}
#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_across_an_event),
        cmocka_unit_test(test_an_event_that_does_not_happen),
        cmocka_unit_test(test_equilibria_and_eigenvalues),
        cmocka_unit_test(test_trajectories_are_rows_of_runs),
        cmocka_unit_test(test_nonsense_is_refused),
        TEST(test_hdf5_is_readable_by_others),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        TEST(test_a_hundred_thousand_runs_leave_their_rows_only),
#endif
        TEST(test_traces_are_csv_beside_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
