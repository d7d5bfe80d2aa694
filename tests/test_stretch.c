/* Loops over series that lie side by side, against plain ones. */
#include "check.h"

#include <math.h>

#include "solve/stretch.h"

enum { N = 21, ORDERS = 3, LANES = 8, MOST = 2 * N * LANES * ORDERS };

typedef struct lot {
    double number[MOST], *at[N];
    int offset[N];
    taut_arena arena;
    taut_stretches stretches;
} lot;

static const double factor[] = {3.0, 0.7};

/* Blocks of eight, the offsets change in the second one; or each by itself. */
static void fill(lot *l, bool apart) {
    for (int i = 0; i < MOST; i++) l->number[i] = sin(i + 1.0);
    for (int i = 0; i < N; i++) {
        const int block = apart ? i : i / LANES, lane = apart ? 0 : i % LANES;
        l->at[i] = l->number + block * LANES * ORDERS + lane;
        l->offset[i] = i > 12;
    }
    l->arena = (taut_arena){0};
    assert_int_equal(taut_stretches_create(N, l->at, l->offset, &l->arena, &l->stretches), TAUT_OK);
}

static void check_loops(bool apart, int count) {
    static lot l;
    double y[N] = {0.0}, before[N] = {0.0};
    fill(&l, apart);
    assert_int_equal(l.stretches.count, count);
    assert_true(l.stretches.together == !apart);
    taut_stretches_take(&l.stretches, factor, y);
    for (int i = 0; i < N; i++) assert_near(y[i], -*l.at[i] * factor[l.offset[i]], 1e-15, 0);
    assert_true(taut_stretches_put(&l.stretches, LANES, factor, y));
    for (int i = 0; i < N; i++) assert_near(l.at[i][LANES], y[i] / factor[l.offset[i]], 1e-15, 0);
    for (int i = 0; i < N; i++) before[i] = *l.at[i];
    assert_true(taut_stretches_add(&l.stretches, 0, factor, y));
    for (int i = 0; i < N; i++)
        assert_near(*l.at[i], before[i] + y[i] / factor[l.offset[i]], 1e-15, 1e-15);
    taut_arena_release(&l.arena);
}

static void test_loops_are_those_of_single_series(void **state) {
    (void)state;
    check_loops(false, 4);
    check_loops(true, N);
}

static void test_what_has_no_factor_is_cleared(void **state) {
    (void)state;
    static lot l;
    const double none[] = {0.0, 2.0};
    double y[N];
    fill(&l, false);
    for (int i = 0; i < N; i++) y[i] = i + 1.0;
    const double before = *l.at[0];
    assert_true(taut_stretches_add(&l.stretches, 0, none, y));
    assert_true(*l.at[0] == before);
    for (int i = 0; i < N; i++) assert_true(y[i] == (l.offset[i] ? i + 1.0 : 0.0));
    taut_arena_release(&l.arena);
}

static void test_what_is_not_finite_is_told(void **state) {
    (void)state;
    static lot l;
    for (int apart = 0; apart < 2; apart++)
        for (int i = 0; i < N; i++) {
            double y[N] = {0.0};
            fill(&l, apart);
            y[i] = i % 2 ? (double)NAN : (double)INFINITY;
            assert_false(taut_stretches_put(&l.stretches, 0, factor, y));
            assert_false(taut_stretches_add(&l.stretches, LANES, factor, y));
            taut_arena_release(&l.arena);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops_are_those_of_single_series),
        cmocka_unit_test(test_what_has_no_factor_is_cleared),
        cmocka_unit_test(test_what_is_not_finite_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
