/* Constraints that decay: their equation, Andrews' mechanism with and without them, what is refused
 * (docs/math/reference.md, section 4). */
#include "digits.h"

#include "task/simulation.h"

static taut_run_options by_ida(double tol, const char *stabilize) {
    taut_run_options options = at_tolerance(tol);
    options.formulation = "reference";
    options.solver = "ida";
    options.stabilize = stabilize;
    return options;
}

/* ---- the equation itself ---- */

/* u is the direction of the body, so A - l u is where the body has the fixed point O. */
static const char BODY[] = "Title: a body about O\n"
                           "PhysicalParams: {l: 2}\n"
                           "Dimension: 2\n"
                           "PartData:\n"
                           "  Fixed: {O: [0, 0]}\n"
                           "  Rigids: {OAu: {Geom: [[l], [1]], Dyna: [[l/3, 0.2], 3, 0.7]}}\n"
                           "AppliedForces: {Gravity: }\n"
                           "Outputs: {gx: Ax - l*ux, gy: Ay - l*uy}\n"
                           "ProblemData:\n"
                           "  tend: 2\n"
                           "  positions: {A: [2, 0], u: [1, 0]}\n"
                           "  velocities: {A: [0, 1]}\n";

/* A start beside the constraints: the gap follows g'' + 2 alpha g' + beta^2 g = 0, exactly, where
 * primes count in the direction of the run: forward (1) or backward (-1) in time. */
static void must_decay(double alpha, double beta, double direction) {
    static const char *const GAP[] = {"gx", "gy"};
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    taut_run_options options = at_tolerance(1e-13);
    options.formulation = "reference";
    options.stabilize = "baumgarte";
    options.alpha = alpha;
    options.beta = beta;
    options.has_tend = true;
    options.tend = 2.0 * direction;
    assert_int_equal(taut_model_parse("body", BODY, -1, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_OK);
    const double part = 1e-2;
    const taut_alteration nudge = taut_nudging(&part);
    s->alteration = &nudge;
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    double g[2], rate[2];
    for (int k = 0; k < 2; k++) {
        char prime[8];
        snprintf(prime, sizeof prime, "%s'", GAP[k]);
        g[k] = taut_simulation_now(s, GAP[k]);
        rate[k] = direction * taut_simulation_now(s, prime);
    }
    assert_true(fabs(g[0]) + fabs(g[1]) > 1e-3);
    const double root = sqrt(alpha * alpha - beta * beta), a = -alpha + root, b = -alpha - root;
    for (int i = 1; i <= 8; i++) {
        const double t = 0.25 * i;
        assert_int_equal(taut_simulation_run_to(s, direction * t, &errors), TAUT_OK);
        for (int k = 0; k < 2; k++) {
            const double want =
                ((rate[k] - b * g[k]) * exp(a * t) + (a * g[k] - rate[k]) * exp(b * t)) / (a - b);
            assert_true(fabs(taut_simulation_now(s, GAP[k]) - want) < 1e-13);
        }
    }
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static void test_decay(void **state) {
    (void)state;
    must_decay(3.0, 2.0, 1.0);
    must_decay(1.0, 0.3, 1.0);
    must_decay(3.0, 2.0, -1.0);
}

/* From a start on the constraints nothing is to be seen of them. */
static void test_taylor_series_agree(void **state) {
    (void)state;
    static const char *const NAME[] = {"slider-crank", "rscr", "cam", "wheel", "epicyclic"};
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++) {
        taut_run_options options = at_tolerance(1e-13);
        options.solver = "taylor";
        options.formulation = "reference";
        options.has_tend = true;
        options.tend = 0.2;
        solution *a = solve_example(NAME[i], &options);
        options.stabilize = "baumgarte";
        options.alpha = 10.0;
        solution *b = solve_example(NAME[i], &options);
        for (int c = 1; c < taut_result_columns(a->result); c++) {
            const double scale = fmax(1.0, scale_of(a, taut_result_name(a->result, c)));
            for (long row = 0; row < rows_of(a); row++)
                assert_true(fabs(taut_result_value(a->result, row, c) -
                                 taut_result_value(b->result, row, c)) < 1e-10 * scale);
        }
        assert_int_equal(stats_of(a)->index, 3);
        assert_int_equal(stats_of(b)->index, 1);
        assert_string_equal(stats_of(a)->stabilize, "projection");
        assert_string_equal(stats_of(b)->stabilize, "baumgarte");
        assert_true(stats_of(b)->alpha == 10.0 && stats_of(b)->beta == 10.0);
        solution_free(a);
        solution_free(b);
    }
}

/* Accelerations that are zero but for rounding do not take the rates away: the constraints are kept
 * and the motion is that of the other formulations. */
static void test_rates_do_not_vanish(void **state) {
    (void)state;
    static const char *const NAME[] = {"natural", "reference", "relative"};
    taut_run_options options = at_tolerance(1e-9);
    solution *want = solve_example("four-bar-1", &options);
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++) {
        options.formulation = NAME[i];
        options.stabilize = "baumgarte";
        solution *s = solve_example("four-bar-1", &options);
        /* 10 s, crank at 1 rad/s: a time scale of 1 s */
        assert_near(stats_of(s)->alpha, pow(1e-9, -1.0 / 6.0), 0.0, 1e-6);
        assert_true(stats_of(s)->constraint_residual < 1e-11);
        assert_true(stats_of(s)->energy_drift < 1e-9);
        for (long row = 0; row < rows_of(s); row++)
            assert_near(value_of(s, row, "A0x"), value_of(want, row, "A0x"), 1e-8, 0.0);
        solution_free(s);
    }
    solution_free(want);
}

/* ---- Andrews ---- */

static void test_andrews(void **state) {
    (void)state;
    const mechanism *m = mechanism_of("andrews");
    taut_run_options options = by_ida(1e-11, NULL);
    agreement worst = {17.0, 0.0, ""};
    options.at = m->time;
    options.ats = m->states;
    options.has_tend = true;
    options.tend = 0.03;
    while (options.ats > 0 && m->time[options.ats - 1] > 0.03) options.ats--;
    assert_true(options.ats > 0);
    solution *s = solve_example("andrews", &options);
    for (int row = 0; row < options.ats; row++)
        for (int c = 0; c < m->columns; c++)
            agreement_add(&worst,
                          digits_of(value_of(s, row, m->column[c]), m->value[row * m->columns + c],
                                    given_scale(m, c)),
                          m->time[row], m->column[c]);
    print_message("andrews, reference, baumgarte, ida: %.2f digits (%s, t = %g), residual %.2g\n",
                  worst.digits, worst.column, worst.t, stats_of(s)->constraint_residual);
    require_digits(worst, 5.0, "andrews");
    assert_string_equal(stats_of(s)->stabilize, "baumgarte");
    assert_true(stats_of(s)->alpha > 1e3);
    assert_true(stats_of(s)->constraint_residual < 1e-9);
    solution_free(s);
}

/* Largest of the gaps of tests/models/andrews-gaps.yaml before and after half of the run. */
static void find_gaps(const char *stabilize, double gap[2], double *residual) {
    static const char *const NAME[] = {"EB", "GA", "HA"};
    taut_run_options options = by_ida(1e-7, stabilize);
    options.has_tend = true;
    options.tend = 0.3;
    solution *s = solve_file("tests/models/andrews-gaps.yaml", &options);
    gap[0] = gap[1] = 0.0;
    for (long row = 0; row < rows_of(s); row++)
        for (int k = 0; k < 3; k++) {
            double *largest = &gap[2 * row > rows_of(s)];
            *largest = fmax(*largest, fabs(value_of(s, (int)row, NAME[k])));
        }
    *residual = stats_of(s)->constraint_residual;
    solution_free(s);
}

static void test_drift(void **state) {
    (void)state;
    double kept[2], lost[2], residual[2];
    find_gaps("baumgarte", kept, &residual[0]);
    find_gaps("none", lost, &residual[1]);
    print_message("gaps: %.1e, %.1e by Baumgarte; %.1e, %.1e without\n", kept[0], kept[1], lost[0],
                  lost[1]);
    assert_true(kept[0] < 1e-7 && kept[1] < 1e-7);
    assert_true(kept[1] < 10.0 * kept[0]); /* bounded: the motion becomes faster */
    assert_true(lost[1] > 10.0 * lost[0]); /* growing */
    assert_true(lost[1] > 1000.0 * kept[1]);
    assert_true(residual[0] < 2e-7 && residual[1] > 1e-5);
}

/* Drivers, constraints of velocities, redundant constraints, coordinates without mass. */
static void test_others_by_ida(void **state) {
    (void)state;
    static const char *const NAME[] = {"cam", "wheel", "bricard", "screw-press",
                                       "flyball-governor-stretched"};
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++) {
        taut_run_options options = at_tolerance(1e-10);
        options.has_tend = true;
        options.tend = 3.0;
        solution *a = solve_example(NAME[i], &options);
        options.formulation = "reference";
        options.solver = "ida";
        options.rtol = options.atol = 1e-9;
        solution *b = solve_example(NAME[i], &options);
        agreement worst = {17.0, 0.0, ""};
        for (int c = 1; c < taut_result_columns(a->result); c++) {
            const char *name = taut_result_name(a->result, c);
            const double size = size_of_order(a, primes_of(name));
            const double scale = fmax(0.01 * size, scale_of(a, name));
            for (long row = 0; row < rows_of(a); row++)
                agreement_add(&worst,
                              digits_of(taut_result_value(b->result, row, c),
                                        taut_result_value(a->result, row, c), scale),
                              taut_result_value(a->result, row, 0), name);
        }
        print_message("%s: %.2f digits (%s)\n", NAME[i], worst.digits, worst.column);
        require_digits(worst, 4.0, NAME[i]);
        assert_string_equal(stats_of(b)->stabilize, "baumgarte");
        assert_int_equal(stats_of(b)->index, 1);
        solution_free(a);
        solution_free(b);
    }
}

/* ---- what is refused ---- */

static void must_refuse(const char *path, taut_run_options options, const char *word) {
    char full[512];
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    snprintf(full, sizeof full, "%s/%s", TAUT_SOURCE_DIR, path);
    assert_int_equal(taut_model_read(full, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_ERR_CALL);
    assert_true(errors.count == 1);
    assert_non_null(strstr(errors.item[0].message, word));
    taut_model_free(&model);
}

static void test_refusals(void **state) {
    (void)state;
    taut_run_options options = taut_run_options_default();
    options.alpha = 10.0;
    must_refuse("examples/andrews.yaml", options, "options.stabilize = \"baumgarte\"");
    options.stabilize = "none";
    must_refuse("examples/andrews.yaml", options, "kept by nothing");
    options.stabilize = "baumgarten";
    must_refuse("examples/andrews.yaml", options, "projection, baumgarte and none");
    options.stabilize = "baumgarte";
    must_refuse("examples/lorenz.yaml", options, "restricts the state");
    options.alpha = -1.0;
    must_refuse("examples/andrews.yaml", options, "above 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decay),
        cmocka_unit_test(test_taylor_series_agree),
        cmocka_unit_test(test_rates_do_not_vanish),
        cmocka_unit_test(test_andrews),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_others_by_ida),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
