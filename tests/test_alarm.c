/* Energy and constraints as alarms: a run that does not keep them fails, keeps its results and has
 * no certificate; regular runs of all kinds stay quiet. */
#include "solve_text.h"

#include "program.h"
#include "task/simulation.h"

/* An oscillator of 100 rad/s: a fixed step of 0.05 s is beyond the stability of Runge-Kutta. */
static const char STIFF[] = "Lagrangian: {Coordinates: [x], L: \"1/2*x'^2 - 1/2*1e4*x^2\"}\n"
                            "ProblemData: {tend: 1, positions: {x: 1}, velocities: {x: 0}}\n";

static const char PENDULUM[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}}\n"
                               "AppliedForces: {Gravity: }\n"
                               "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n";

/* A four-bar linkage through a flat position, in which a formulation may lose its branch: then
 * there are 18 kJ out of nothing. */
static const char FLAT[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], C: [1.4562571016296648, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[1]], Dyna: [[0.5], 0.5643216561082454, 0.5643216561082454/12]}\n"
    "    AB: {Geom: [[1.4562571016296648]], Dyna: [[1.4562571016296648/2], 0.6165466711689072, "
    "0.6165466711689072*1.4562571016296648^2/12]}\n"
    "    CB: {Geom: [[1]], Dyna: [[0.5], 2.1257863424355925, 2.1257863424355925/12]}\n"
    "AppliedForces: {Gravity: 9.81}\n"
    "Angles: {phi: OA, psi: CB}\n"
    "ProblemData:\n"
    "  tend: 4\n"
    "  positions: {A: [0.5061422305451145, -0.8624500231658736],\n"
    "              B: [1.9623993321747792, -0.8624500231658736]}\n"
    "  velocities: {A: [4.039411575133561, 2.370591605091344],\n"
    "               B: [4.039411575133561, 2.370591605091344]}\n";

/* ---- raised ---- */

static void test_energy_out_of_nothing_fails_the_run(void **state) {
    (void)state;
    taut_run_options o = taut_run_options_default();
    o.solver = "rk4";
    o.step = 0.05;
    taut_model *model = read_text(STIFF);
    taut_result *r = NULL;
    taut_errors errors = {0};
    assert_int_equal(taut_simulate(model, &o, &r, &errors), TAUT_ERR_NUMERICS);
    assert_non_null(r); /* kept */
    assert_int_equal(taut_result_rows(r), 1001);
    assert_non_null(taut_result_stats(r)->alarm);
    assert_non_null(strstr(taut_result_stats(r)->alarm, "energy is not kept"));
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(errors.item[0].message, "do not trust this run"));
    assert_non_null(strstr(errors.item[0].message, "at t = "));
    /* the certificate is void, and no further run is made for it */
    assert_int_equal(taut_certify(model, &o, r, NULL), TAUT_OK);
    const taut_certificate *c = taut_result_certificate(r);
    assert_true(isnan(c->error) && c->column == -1);
    assert_int_equal(strncmp(c->method, "void: energy", 12), 0);
    taut_result_free(&r);
    taut_model_free(&model);
}

/* Constraints that hardly anything keeps: 5 mm off at a tolerance of 1e-6. */
static void test_constraints_that_are_left_fail_the_run(void **state) {
    (void)state;
    taut_run_options o = at_tolerance(1e-6);
    o.formulation = "reference";
    o.solver = "ida";
    o.stabilize = "baumgarte";
    o.alpha = o.beta = 1e-6;
    solution *s = try_file(TAUT_SOURCE_DIR "/examples/slider-crank.yaml", &o);
    assert_int_equal(s->status, TAUT_ERR_NUMERICS);
    assert_non_null(s->result);
    assert_true(taut_result_stats(s->result)->constraint_residual > 1e-3);
    assert_non_null(strstr(taut_result_stats(s->result)->alarm, "constraints are not kept: point"));
    solution_free(s);
}

/* A change of what the energy was at the start by 1e-4 of it is seen in the next step, where the
 * tolerance is 1e-9; one of 1e-9 is not. */
static void test_a_small_jump_is_seen(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        taut_model *model = read_text(PENDULUM);
        taut_simulation *s = NULL;
        taut_errors errors = {0};
        assert_int_equal(taut_simulation_create(model, NULL, &s, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_run_to(s, 1.0, &errors), TAUT_OK);
        s->alarm.now += (i == 0 ? 1e-4 : 1e-9) * 9.81;
        taut_status status = TAUT_OK;
        while (status == TAUT_OK) status = taut_simulation_step(s, &errors);
        assert_int_equal(status, i == 0 ? TAUT_ERR_NUMERICS : TAUT_AT_END);
        assert_true((taut_simulation_stats(s)->alarm != NULL) == (i == 0));
        /* it is told once, and the simulation goes on */
        if (i == 0) assert_non_null(strstr(errors.item[0].message, "energy is not kept"));
        while (status == TAUT_ERR_NUMERICS || status == TAUT_OK) {
            status = taut_simulation_step(s, &errors);
            assert_true(status == TAUT_OK || status == TAUT_AT_END);
        }
        assert_int_equal(errors.count, i == 0 ? 1 : 0);
        taut_simulation_free(&s);
        taut_model_free(&model);
    }
}

/* Whatever becomes of the branch: the energy is right, or the run fails. */
static void test_no_energy_from_a_flat_position_in_silence(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "relative", "reference", "minimal"};
    const double at[] = {4.0};
    for (int f = 0; f < 4; f++) {
        taut_run_options o = taut_run_options_default();
        o.formulation = formulation[f];
        o.at = at;
        o.ats = 1;
        solution *s = try_text(FLAT, &o);
        if (s->status == TAUT_OK) {
            assert_near(last_of(s, "energy"), 0.00134857, 1e-6, 0.0);
        } else {
            assert_true(s->errors.count > 0);
        }
        solution_free(s);
    }
}

static void test_program_fails_with_results_and_without_certificate(void **state) {
    (void)state;
    program_result r;
    program_write("m.yaml", STIFF, -1);
    for (int quiet = 0; quiet < 2; quiet++) {
        program_call(&r,
                     quiet ? "run m.yaml --solver rk4 --step 0.05 --certify --stats s.json --quiet"
                           : "run m.yaml --solver rk4 --step 0.05 --certify --stats s.json");
        assert_int_equal(r.code, 1);
        assert_non_null(strstr(r.err, "error: energy is not kept: kinetic plus potential energy"));
        if (!quiet) {
            assert_non_null(strstr(r.out, "ALARM: energy is not kept"));
            assert_non_null(strstr(r.out, "no estimate of the error, void: "));
        }
        assert_true(program_exists("m.csv"));
        char *stats = program_read("s.json");
        assert_non_null(strstr(stats, "\"alarm\":\"energy is not kept"));
        assert_non_null(strstr(stats, "\"certificate\":{\"error\":null"));
        free(stats);
        program_remove("m.csv");
        program_remove("s.json");
        program_release(&r);
    }
}

/* ---- quiet ---- */

/* Methods of low order at loose tolerances, tight tolerances, starts from rest, drivers. */
static void test_regular_runs_are_quiet(void **state) {
    (void)state;
    static const char *const name[] = {"pendulum",  "slider-crank", "cam",    "chaplygin-sleigh",
                                       "epicyclic", "heavy-top",    "andrews"};
    static const char *const solver[] = {"taylor", "ho", "bdf", "adams", "erk", "ida"};
    static const double tol[] = {1e-4, 1e-8, 1e-12};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 6; k++)
            for (int t = 0; t < 3; t++) {
                char path[300];
                taut_run_options o = at_tolerance(tol[t]);
                o.solver = solver[k];
                snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name[i]);
                solution *s = try_file(path, &o);
                if (s->result && taut_result_stats(s->result)->alarm)
                    fail_msg("%s by %s at %g: %s", name[i], solver[k], tol[t],
                             taut_result_stats(s->result)->alarm);
                solution_free(s);
            }
}

/* Linkages that rest without gravity: energies are the rounding of nothing. */
static void test_rest_is_quiet(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0], C: [2, 0]}\n"
                               "  Rigids:\n"
                               "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "    AB: {Geom: [[2.2]], Dyna: [[1], 1, 0.1]}\n"
                               "    CB: {Geom: [[1.4]], Dyna: [[0.5], 1, 0.1]}\n"
                               "ProblemData: {tend: 3, positions: {A: [0.1, 1], B: [2.2, 1.35]}}\n";
    static const char *const solver[] = {"taylor", "ho", "bdf", "adams", "erk", "ida"};
    static const char *const formulation[] = {"natural", "relative", "reference"};
    for (int k = 0; k < 6; k++)
        for (int f = 0; f < 3; f++) {
            taut_run_options o = at_tolerance(k % 2 ? 1e-5 : 1e-12);
            o.solver = solver[k];
            o.formulation = formulation[f];
            solution *s = try_text(text, &o);
            if (s->result && taut_result_stats(s->result)->alarm)
                fail_msg("%s:%s: %s", formulation[f], solver[k],
                         taut_result_stats(s->result)->alarm);
            solution_free(s);
        }
}

/* The same in millimetres and grams, and in kilometres and tonnes. */
static void test_alarms_do_not_depend_on_units(void **state) {
    (void)state;
    static const double size[] = {1e-3, 1.0, 1e3};
    for (int i = 0; i < 3; i++) {
        char text[1400];
        const double L = size[i], m = L * L;
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], C: [%.17g, 0]}\n"
                 "  Rigids:\n"
                 "    OA: {Geom: [[%.17g]], Dyna: [[%.17g], %.17g, %.17g]}\n"
                 "    AB: {Geom: [[%.17g]], Dyna: [[%.17g], %.17g, %.17g]}\n"
                 "    CB: {Geom: [[%.17g]], Dyna: [[%.17g], %.17g, %.17g]}\n"
                 "AppliedForces: {Gravity: %.17g}\n"
                 "ProblemData: {tend: 3, positions: {A: [0, %.17g], B: [%.17g, %.17g]}}\n",
                 2.0 * L, L, 0.5 * L, m, m * L * L / 12.0, 2.2 * L, 1.1 * L, m,
                 m * L * L * 4.84 / 12.0, 1.4 * L, 0.7 * L, m, m * L * L * 1.96 / 12.0, 9.81 * L, L,
                 2.2 * L, 1.35 * L);
        static const char *const solver[] = {"taylor", "adams", "ida"};
        for (int k = 0; k < 3; k++) {
            taut_run_options o = at_tolerance(1e-8);
            o.solver = solver[k];
            solution *s = try_text(text, &o);
            assert_int_equal(s->status, TAUT_OK);
            solution_free(s);
        }
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, program_enter, program_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_out_of_nothing_fails_the_run),
        cmocka_unit_test(test_constraints_that_are_left_fail_the_run),
        cmocka_unit_test(test_a_small_jump_is_seen),
        cmocka_unit_test(test_no_energy_from_a_flat_position_in_silence),
        IN_FOLDER(test_program_fails_with_results_and_without_certificate),
        cmocka_unit_test(test_regular_runs_are_quiet),
        cmocka_unit_test(test_rest_is_quiet),
        cmocka_unit_test(test_alarms_do_not_depend_on_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
