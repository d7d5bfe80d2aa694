/* Tests of task/adapt: auto takes the stiff method where it pays, goes back, and loses nothing. */
#include "digits.h"

static agreement digits_of_run(const solution *s, const solution *truth,
                               const char *const *column) {
    agreement worst = {17.0, 0.0, ""};
    assert_int_equal(rows_of(s), rows_of(truth));
    for (; *column; column++) {
        const double scale = scale_of(truth, *column);
        for (long row = 0; row < rows_of(s); row++)
            agreement_add(
                &worst, digits_of(value_of(s, row, *column), value_of(truth, row, *column), scale),
                value_of(s, row, "t"), *column);
    }
    return worst;
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *p = text; (p = strstr(p, part)); p++) count++;
    return count;
}

/* The brake is stiff from t = 1.6 to t = 4.6 or so. */
static void test_changes_both_ways(void **state) {
    (void)state;
    static const char *const column[] = {"a", "b", "a'", "b'", NULL};
    const taut_run_options options = at_tolerance(1e-9);
    taut_run_options exact = at_tolerance(1e-13);
    exact.solver = "taylor";
    solution *truth = solve_example("brake", &exact), *s = solve_example("brake", &options);
    const char *switches = taut_result_switches(s->result);
    print_message("%s", switches);
    assert_int_equal(count_of(switches, ": stiff"), 1);
    assert_int_equal(count_of(switches, ": no longer stiff"), 1);
    assert_string_equal(stats_of(s)->solver, "taylor+ho");
    assert_true(stats_of(s)->steps < 200);
    assert_true(stats_of(truth)->steps > 10000);
    assert_string_equal(taut_result_switches(truth->result), "");
    assert_string_equal(stats_of(truth)->solver, "taylor");
    require_digits(digits_of_run(s, truth, column), 9.0, "brake");
    solution_free(s);
    solution_free(truth);
}

/* Rows on both sides of a change are as good as any. */
static void test_governor_loses_nothing(void **state) {
    (void)state;
    static const double bar[][2] = {{1e-6, 5.0}, {1e-8, 7.0}, {1e-10, 9.0}, {1e-12, 11.0}};
    const mechanism *m = mechanism_of("flyball-governor");
    for (int i = 0; i < 4; i++) {
        taut_run_options options = at_tolerance(bar[i][0]);
        agreement worst = {17.0, 0.0, ""};
        options.at = m->time;
        options.ats = m->states;
        solution *s = solve_example("flyball-governor", &options);
        for (int row = 0; row < m->states; row++)
            for (int c = 0; c < m->columns; c++)
                agreement_add(&worst,
                              digits_of(value_of(s, row, m->column[c]),
                                        m->value[row * m->columns + c], given_scale(m, c)),
                              m->time[row], m->column[c]);
        print_message("auto at %.0e: %.2f digits, %ld steps; %s", bar[i][0], worst.digits,
                      stats_of(s)->steps, taut_result_switches(s->result));
        require_digits(worst, bar[i][1], "flyball-governor by auto");
        assert_int_equal(count_of(taut_result_switches(s->result), "\n"), 1);
        assert_true(stats_of(s)->steps < 200);
        assert_int_equal(stats_of(s)->unknowns, 11); /* of the model, forces not counted */
        solution_free(s);
    }
}

/* Fast transients, violent motion, exact solutions: nothing that Taylor series are good at. */
static void test_what_is_not_stiff_stays(void **state) {
    (void)state;
    static const char *const name[] = {"pendulum",    "andrews",   "slider-crank", "mcpherson",
                                       "van-der-pol", "heavy-top", "epicyclic",    "copy-machine"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        const taut_run_options options = at_tolerance(1e-9);
        solution *s = solve_example(name[i], &options);
        assert_string_equal(taut_result_switches(s->result), "");
        assert_string_equal(stats_of(s)->solver, "taylor");
        solution_free(s);
    }
}

/* Van der Pol's oscillator with mu = 1000: two phases of creeping, a jump between them. */
static void test_jumps_between_stiff_phases(void **state) {
    (void)state;
    static const char *const text = "DAE:\n"
                                    "  Variables: [x]\n"
                                    "  Equations: [\"x'' - 1000*(1 - x^2)*x' + x\"]\n"
                                    "ProblemData: {tend: 1500, positions: {x: 2}, "
                                    "velocities: {x: 0}}\n";
    const taut_run_options options = at_tolerance(1e-9);
    taut_run_options tight = at_tolerance(1e-12);
    tight.solver = "ho";
    solution *s = solve_text(text, &options), *truth = solve_text(text, &tight);
    print_message("%s", taut_result_switches(s->result));
    assert_true(count_of(taut_result_switches(s->result), ": stiff") >= 1);
    assert_near(last_of(s, "x"), last_of(truth, "x"), 0.0, 1e-7);
    assert_near(last_of(s, "x'"), last_of(truth, "x'"), 0.0, 1e-6);
    solution_free(s);
    solution_free(truth);
}

/* A mass on a stiff spring at mechanisms with redundant constraints: a parallelogram with a link
 * too many, and Bricard's ring, where other constraints have to be left out on the way. */
static void test_redundant_constraints(void **state) {
    (void)state;
    static const char *const parallelogram =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], M: [1, 0], W: [2, 0]}\n"
        "  Rigids:\n"
        "    one: {Elements: [O, A], Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
        "    two: {Elements: [M, B], Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
        "    three: {Elements: [W, C], Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
        "    bar: {Elements: [A, B, C], Geom: [[1, 0], [2, 0]], Dyna: [[1, 0], 2, 0.5]}\n"
        "  Particles: {Q: 1}\n"
        "  SpringDampers: {AQ: [1e5, 0.5, 1e4]}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData:\n"
        "  tend: 5\n"
        "  positions: {A: [0.6, -0.8], B: [1.6, -0.8], C: [2.6, -0.8], Q: [0.6, -1.3001]}\n";
    static const char *const ring =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {P0: [0, 0, 0], P5: [0, 0, 1], w0: [0, 1, 0], w5: [1, 0, 0]}\n"
        "  Rigids:\n"
        "    P0P1w0w1: {Geom: [[1], [0, 1], [0, 0, 1]], Dyna: [[0.5], 1, [0.01, 0.1, 0.1]]}\n"
        "    P1P2w1w2: {Geom: [[1], [0, 1], [0, 0, -1]], Dyna: [[0.5], 1, [0.01, 0.1, 0.1]]}\n"
        "    P2P3w2w3: {Geom: [[1], [0, 1], [0, 0, 1]], Dyna: [[0.5], 1, [0.01, 0.1, 0.1]]}\n"
        "    P3P4w3w4: {Geom: [[1], [0, 1], [0, 0, -1]], Dyna: [[0.5], 1, [0.01, 0.1, 0.1]]}\n"
        "    P4P5w4w5: {Geom: [[1], [0, 1], [0, 0, 1]], Dyna: [[0.5], 1, [0.01, 0.1, 0.1]]}\n"
        "  Particles: {Q: 0.1}\n"
        "  SpringDampers: {P2Q: [1e4, 0.3, 1e3]}\n"
        "AppliedForces: {Gravity: [0, -9.81, 0]}\n"
        "ProblemData:\n"
        "  tend: 3\n"
        "  positions: {P1: [1, 0, 0], P2: [1, -1, 0], P3: [1, -1, 1], P4: [0, -1, 1], "
        "Q: [1, -1.3001, 0]}\n";
    static const char *const column[][5] = {{"Ax", "Cy'", "Qx", "Qy'", NULL},
                                            {"P1x", "P3z'", "Qx", "Qy'", NULL}};
    const char *const text[] = {parallelogram, ring};
    for (int i = 0; i < 2; i++) {
        const taut_run_options options = at_tolerance(1e-9);
        taut_run_options exact = at_tolerance(1e-11);
        exact.solver = "taylor";
        solution *truth = solve_text(text[i], &exact), *s = solve_text(text[i], &options);
        const agreement found = digits_of_run(s, truth, column[i]);
        print_message("%ld steps instead of %ld, %.2f digits (%s); %s", stats_of(s)->steps,
                      stats_of(truth)->steps, found.digits, found.column,
                      taut_result_switches(s->result));
        assert_string_equal(stats_of(s)->solver, "taylor+ho");
        assert_true(strlen(taut_result_redundant(s->result)) > 0);
        assert_true(10 * stats_of(s)->steps < stats_of(truth)->steps);
        require_digits(found, 8.0, i == 0 ? "parallelogram" : "ring");
        solution_free(s);
        solution_free(truth);
    }
}

/* The strut's fast mode is hardly faster than the rest at this tolerance: steps of the stiff method
 * do not pay, so attempts become rare. */
static void test_methods_do_not_take_turns(void **state) {
    (void)state;
    static const char *const column[] = {"Ay", "Bx", "Ay'", NULL};
    taut_run_options options = at_tolerance(1e-5), exact = at_tolerance(1e-12);
    options.has_tend = exact.has_tend = true;
    options.tend = exact.tend = 10.0;
    exact.solver = "taylor";
    solution *truth = solve_example("mcpherson", &exact), *s = solve_example("mcpherson", &options);
    const int changes = count_of(taut_result_switches(s->result), ": stiff");
    print_message("%d times stiff in %ld steps\n", changes, stats_of(s)->steps);
    assert_in_range(changes, 1, 5);
    require_digits(digits_of_run(s, truth, column), 5.0, "mcpherson");
    solution_free(s);
    solution_free(truth);
}

/* Step by step, twice: the same numbers as in a table, whatever method a step is by. */
static void test_steps_as_its_table(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_model *model = NULL;
    taut_simulation *simulation = NULL;
    char path[512];
    const taut_run_options options = at_tolerance(1e-9);
    solution *s = solve_example("brake", &options);
    snprintf(path, sizeof path, "%s/examples/brake.yaml", TAUT_SOURCE_DIR);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &simulation, &errors), TAUT_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(taut_simulation_start(simulation, &errors), TAUT_OK);
        for (long row = 0; row < rows_of(s); row += 50) {
            const double t = value_of(s, row, "t");
            assert_int_equal(taut_simulation_run_to(simulation, t, &errors), TAUT_OK);
            assert_near(taut_simulation_now(simulation, "b'"), value_of(s, row, "b'"), 0.0, 0.0);
        }
        assert_string_equal(taut_simulation_switches(simulation), taut_result_switches(s->result));
    }
    taut_simulation_free(&simulation);
    taut_model_free(&model);
    solution_free(s);
}

/* Series by name stay; but somebody who waits for them learns why. Of what is not stiff nothing is
 * said. */
static void test_stiffness_is_told_where_series_stay(void **state) {
    (void)state;
    static const char *const rate[] = {"1e9", "1"};
    for (int i = 0; i < 2; i++) {
        char text[300];
        taut_errors errors = {0};
        taut_model *model = NULL;
        taut_simulation *simulation = NULL;
        taut_run_options options = at_tolerance(1e-9);
        options.solver = "taylor";
        snprintf(text, sizeof text,
                 "DAE: {Variables: [y], Equations: [\"y' + %s*(y - cos(t))\"]}\n"
                 "ProblemData: {tend: 1e7, positions: {y: 1}}\n",
                 rate[i]);
        assert_int_equal(taut_model_parse("stiff", text, -1, &model, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_create(model, &options, &simulation, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_start(simulation, &errors), TAUT_OK);
        for (int k = 0; k < 200; k++)
            assert_int_equal(taut_simulation_step(simulation, &errors), TAUT_OK);
        const taut_notes *notes = taut_simulation_notes(simulation);
        assert_int_equal(notes->remarks, i == 0);
        if (i == 0) assert_non_null(strstr(notes->remark[0], "use --solver auto or ho"));
        taut_simulation_free(&simulation);
        taut_model_free(&model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiffness_is_told_where_series_stay),
        cmocka_unit_test(test_changes_both_ways),
        cmocka_unit_test(test_governor_loses_nothing),
        cmocka_unit_test(test_what_is_not_stiff_stays),
        cmocka_unit_test(test_jumps_between_stiff_phases),
        cmocka_unit_test(test_redundant_constraints),
        cmocka_unit_test(test_methods_do_not_take_turns),
        cmocka_unit_test(test_steps_as_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
