/* Tests of the sparse factors of a stiff step: this program contains a solve/lifted.c that uses
 * them for systems of all sizes, the program taut has dense ones for small systems. */
#include "digits.h"
#include "program.h"

static taut_run_options with(const char *solver, double tol, double tend) {
    taut_run_options options = at_tolerance(tol);
    options.solver = solver;
    options.has_tend = true;
    options.tend = tend;
    return options;
}

static solution *solve_sized(const char *file, const char *name, int n,
                             const taut_run_options *options) {
    char text[16];
    const taut_override override = {name, text};
    snprintf(text, sizeof text, "%d", n);
    return solve_with(file, &override, 1, options);
}

/* Coordinates and velocities: all columns that both have, but time and sums over the system. */
static agreement digits_between(const solution *s, const solution *truth) {
    agreement worst = {17.0, 0.0, ""};
    assert_int_equal(rows_of(s), rows_of(truth));
    for (int c = 1; c < taut_result_columns(s->result); c++) {
        const char *name = taut_result_name(s->result, c);
        if (name[0] >= 'a' && name[0] <= 'z') continue; /* energy, kinetic, work */
        const int other = column_of(truth, name);
        const double scale = scale_of(truth, name);
        for (long row = 0; row < rows_of(s); row++)
            agreement_add(&worst,
                          digits_of(taut_result_value(s->result, row, c),
                                    taut_result_value(truth->result, row, other), scale),
                          taut_result_value(s->result, row, 0), name);
    }
    return worst;
}

/* ---- sparse and dense ---- */

/* The governor, and ten pendulums in a row, with stiffer and stiffer spring-dampers: the same steps
 * but for a few that rounding decides, and the same digits. */
static void must_equal_dense(const char *file, double k, double c, const char *const *column,
                             double tol, double tend) {
    taut_run_options options = with("ho", tol, tend);
    options.at = &tend;
    options.ats = 1;
    for (double factor = 1.0; factor < 2e4; factor *= 10.0) {
        char command[1024], k_text[32], c_text[32];
        const taut_override override[] = {{"k", k_text}, {"c", c_text}};
        program_result dense;
        program_table table;
        agreement worst = {17.0, tend, ""};
        snprintf(k_text, sizeof k_text, "%.17g", k * factor);
        snprintf(c_text, sizeof c_text, "%.17g", c * factor);
        snprintf(command, sizeof command,
                 "run %s/%s --solver ho --tol %g --tend %g --at %g --set k=%s --set c=%s -o -",
                 TAUT_SOURCE_DIR, file, tol, tend, tend, k_text, c_text);
        program_call(&dense, command);
        assert_int_equal(dense.code, 0);
        program_table_read(&table, dense.out);
        const char *steps = strstr(dense.err, " of order ");
        long dense_steps = 0;
        int order;
        assert_non_null(steps);
        assert_int_equal(sscanf(steps, " of order %d: %ld steps", &order, &dense_steps), 2);
        solution *s = solve_with(file, override, 2, &options);
        for (int i = 0; column[i]; i++)
            agreement_add(
                &worst,
                digits_of(last_of(s, column[i]), program_table_get(&table, -1, column[i]), 1.0),
                tend, column[i]);
        print_message("%s, stiffness times %g: %ld steps, dense %ld; %.2f digits alike (%s)\n",
                      file, factor, stats_of(s)->steps, dense_steps, worst.digits, worst.column);
        assert_near((double)stats_of(s)->steps, (double)dense_steps, 0.0, 0.1);
        require_digits(worst, -log10(tol) - 0.5, file);
        solution_free(s);
        program_table_free(&table);
        program_release(&dense);
    }
}

static void test_sparse_steps_equal_dense_ones(void **state) {
    (void)state;
    static const char *const governor[] = {"Ax", "Ay", "Bx", "By", "Bz", "theta", "theta'", NULL};
    static const char *const row[] = {"P1x", "P1y", "P5x", "P5x'", "P10y", "P10y'", NULL};
    must_equal_dense("examples/flyball-governor.yaml", 8e5, 4e4, governor, 1e-10, 10.0);
    must_equal_dense("tests/models/stiff/pendulum-row.yaml", 1e6, 1e4, row, 1e-8, 1.0);
}

/* ---- large systems ---- */

static void must_agree(const char *file, const char *name, int n, double tend, double lost) {
    const taut_run_options exact = with("taylor", 1e-13, tend);
    solution *truth = solve_sized(file, name, n, &exact);
    for (double tol = 1e-6; tol > 1e-11; tol *= 1e-2) {
        const taut_run_options options = with("ho", tol, tend);
        solution *s = solve_sized(file, name, n, &options);
        const agreement worst = digits_between(s, truth);
        print_message("%s, %s = %d, at %.0e: %.2f digits (%s, t = %g), %ld steps\n", file, name, n,
                      tol, worst.digits, worst.column, worst.t, stats_of(s)->steps);
        require_digits(worst, -log10(tol) - lost, file);
        solution_free(s);
    }
    solution_free(truth);
}

static void test_large_mechanisms_to_their_digits(void **state) {
    (void)state;
    must_agree("examples/four-bar-40.yaml", "N", 40, 2.0, 0.5);
    must_agree("examples/pendulum-chain-10.yaml", "n", 50, 1.0, 0.5);
    must_agree("tests/models/stiff/pendulum-row.yaml", "n", 10, 0.5, 0.5);
}

/* 200 pendulums need hardly more steps than 10, and they keep their digits. */
static void test_large_stiff_mechanism(void **state) {
    (void)state;
    static const char *const file = "tests/models/stiff/pendulum-row.yaml";
    const taut_run_options options = with("ho", 1e-8, 1.0), finer = with("ho", 1e-10, 1.0);
    const taut_run_options other = with("ida", 1e-9, 1.0);
    long few = 0;
    for (int n = 10; n <= 200; n *= n == 10 ? 5 : 4) {
        solution *s = solve_sized(file, "n", n, &options);
        print_message("row of %d: %ld steps, %ld rejected\n", n, stats_of(s)->steps,
                      stats_of(s)->rejected);
        if (n == 10) few = stats_of(s)->steps;
        assert_true(stats_of(s)->steps < 2 * few);
        assert_true(stats_of(s)->constraint_residual < 1e-13);
        if (n == 50) {
            solution *truth = solve_sized(file, "n", n, &finer);
            solution *peer = solve_sized(file, "n", n, &other);
            require_digits(digits_between(s, truth), 8.0, file);
            require_digits(digits_between(peer, truth), 4.5, "row by ida");
            solution_free(truth);
            solution_free(peer);
        }
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse_steps_equal_dense_ones),
        cmocka_unit_test(test_large_mechanisms_to_their_digits),
        cmocka_unit_test(test_large_stiff_mechanism),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
