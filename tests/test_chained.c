/* Chained pendula, index 2P + 1: each one swings on a length that the force of the one before
 * changes. The reference integrates their angles one after the other (reference/make.py). */
#include "solve_text.h"

#include "reference/pendula.h"

enum { MOST = 7, PER_PENDULUM = 5 };

/* The model of P pendula into text. */
static void write_model(int P, char *text, size_t size) {
    size_t n = 0;
#define ADD(...) n += (size_t)snprintf(text + n, size - n, __VA_ARGS__)
    ADD("PhysicalParams: {G: 9.81, L: 10, C: 0.1}\nDAE:\n  Variables: [");
    for (int k = 1; k <= P; k++) ADD("%sx%d, y%d, lam%d", k > 1 ? ", " : "", k, k, k);
    ADD("]\n  Equations:\n");
    for (int k = 1; k <= P; k++) {
        ADD("    - x%d'' + lam%d*x%d\n    - y%d'' + lam%d*y%d - G\n", k, k, k, k, k, k);
        if (k == 1)
            ADD("    - x1^2 + y1^2 - L^2\n");
        else
            ADD("    - x%d^2 + y%d^2 - (L + C*lam%d)^2\n", k, k, k - 1);
    }
    ADD("ProblemData:\n  tend: 10\n  positions: {");
    for (int k = 1; k <= P; k++) ADD("%sx%d: 10, y%d: 0", k > 1 ? ", " : "", k, k);
    ADD("}\n  velocities: {");
    for (int k = 1; k <= P; k++) ADD("%sx%d: 0, y%d: 0", k > 1 ? ", " : "", k, k);
    ADD("}\n");
#undef ADD
    assert_true(n < size);
}

static solution *run(int P, double tol) {
    static const double times[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    char text[8192];
    taut_run_options options = at_tolerance(tol);
    options.at = times;
    options.ats = 11;
    write_model(P, text, sizeof text);
    return solve_text(text, &options);
}

static double value(const solution *s, long row, const char *format, int k) {
    char name[16];
    snprintf(name, sizeof name, format, k);
    return value_of(s, row, name);
}

static void test_index_is_2P_plus_1_and_run_matches_reference(void **state) {
    (void)state;
    static const char *const column[PER_PENDULUM] = {"x%d", "y%d", "x%d'", "y%d'", "lam%d"};
    static const int count[] = {1, 2, 3, 5, 7};
    for (int c = 0; c < 5; c++) {
        solution *s = run(count[c], 1e-12);
        assert_int_equal(stats_of(s)->index, 2 * count[c] + 1);
        assert_int_equal(stats_of(s)->dof, 2 * count[c]);
        for (int i = 0; i < 10; i++)
            for (int k = 0; k < count[c]; k++)
                for (int q = 0; q < PER_PENDULUM; q++)
                    assert_near(value(s, i + 1, column[q], k + 1),
                                pendula_state[i][PER_PENDULUM * k + q], 1e-11, 1e-12);
        if (count[c] <= 3) assert_true(stats_of(s)->constraint_residual < 1e-12);
        solution_free(s);
    }
}

static void test_consistent_point_of_third_pendulum_is_found(void **state) {
    (void)state;
    for (int P = 1; P <= MOST; P++) {
        solution *s = run(P, 1e-12);
        assert_near(value(s, 0, "x%d", 1), 10.0, 0.0, 0.0);
        assert_near(value(s, 0, "y%d", P), 0.0, 1e-14, 0.0);
        if (P >= 2) assert_near(value(s, 0, "x%d", 2), 10.0, 1e-14, 0.0);
        /* r3 = L + C lam2, lam2 = -r2''/r2 = -C lam1''/L, lam1'' = 3 (G/L)^2 */
        if (P >= 3)
            assert_near(value(s, 0, "x%d", 3), 10.0 - 0.1 * 0.1 * 3.0 * 0.981 * 0.981 / 10.0, 1e-14,
                        0.0);
        const bool told = strstr(taut_result_moves(s->result), "x3: 10 -> 9.9971") != NULL;
        assert_int_equal(told, P >= 3);
        assert_null(strstr(taut_result_moves(s->result), "x2"));
        solution_free(s);
    }
}

static void test_seven_agree_with_a_tighter_run_to_8_digits(void **state) {
    (void)state;
    solution *a = run(7, 1e-12), *b = run(7, 1e-14);
    for (int column = 1; column < taut_result_columns(a->result); column++) {
        const double scale = scale_of(b, taut_result_name(b->result, column));
        for (long i = 0; i < rows_of(a); i++)
            assert_near(taut_result_value(a->result, i, column),
                        taut_result_value(b->result, i, column), 1e-8 * scale, 0.0);
    }
    solution_free(a);
    solution_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_is_2P_plus_1_and_run_matches_reference),
        cmocka_unit_test(test_consistent_point_of_third_pendulum_is_found),
        cmocka_unit_test(test_seven_agree_with_a_tighter_run_to_8_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
