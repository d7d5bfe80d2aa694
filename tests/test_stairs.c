/* Tests of core/stairs: solutions that are known, pivots that have to be looked for, and matrices
 * that are none. */
#include "check.h"

#include <string.h>

#include "core/stairs.h"

enum { BLOCK = 5, BLOCKS = 4, SPARE = 3, N = BLOCK * BLOCKS + SPARE };

static double draw(uint64_t *seed) { /* in (-1, 1) */
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed / 9.3e18;
}

/* Steps of BLOCK columns; the last SPARE columns are full. Every fourth row ends early. */
static void make_shape(int *reach, int *first, int *end) {
    for (int c = 0; c < N; c++) reach[c] = c < BLOCK * BLOCKS ? (c / BLOCK + 1) * BLOCK + SPARE : N;
    for (int i = 0; i < N; i++) {
        first[i] = 0;
        while (reach[first[i]] <= i) first[i]++;
        end[i] = i % 4 == 1 && i + BLOCK < N ? i + BLOCK : N;
    }
}

static void fill(taut_stairs *s, uint64_t *seed, double copy[N][N]) {
    taut_stairs_clear(s);
    memset(copy, 0, N * sizeof copy[0]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (j >= s->shape.first[i] && j < s->shape.end[i] && draw(seed) > -0.4) {
                /* a tiny diagonal, and rows of very different sizes */
                const double value = draw(seed) * (i == j ? 1e-12 : 1.0) * pow(10.0, i % 7);
                copy[i][j] = s->entry[i * s->stride + j] = value;
            }
}

static void test_solves_with_pivots(void **state) {
    (void)state;
    taut_arena arena = {0};
    taut_stairs s;
    int reach[N], first[N], end[N];
    uint64_t seed = 4;
    double a[N][N], x[N], b[N];
    make_shape(reach, first, end);
    const taut_stairs_shape shape = {reach, first, end};
    assert_int_equal(taut_stairs_create(N, shape, &arena, &s), TAUT_OK);
    for (int round = 0; round < 50; round++) {
        fill(&s, &seed, a);
        assert_int_equal(taut_stairs_factor(&s), TAUT_OK);
        for (int i = 0; i < N; i++) x[i] = draw(&seed);
        for (int i = 0; i < N; i++) {
            b[i] = 0.0;
            for (int j = 0; j < N; j++) b[i] += a[i][j] * x[j];
        }
        taut_stairs_solve(&s, b);
        for (int i = 0; i < N; i++) assert_near(b[i], x[i], 1e-8, 0.0);
    }
    taut_arena_release(&arena);
}

/* A smaller matrix in the same memory, in turns with the larger one. */
static void test_matrices_share_memory(void **state) {
    (void)state;
    taut_arena arena = {0};
    taut_stairs s, small;
    int reach[N], first[N], end[N];
    uint64_t seed = 9;
    double a[N][N];
    make_shape(reach, first, end);
    const taut_stairs_shape shape = {reach, first, end};
    const int two[] = {2, 2}, none[] = {0, 0};
    assert_int_equal(taut_stairs_create(N, shape, &arena, &s), TAUT_OK);
    taut_stairs_share(&s, 2, (taut_stairs_shape){two, none, two}, &small);
    for (int round = 0; round < 2; round++) {
        double b[N] = {0}, c[2] = {5.0, 6.0};
        fill(&s, &seed, a);
        assert_int_equal(taut_stairs_factor(&s), TAUT_OK);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) b[i] += a[i][j];
        taut_stairs_solve(&s, b);
        for (int i = 0; i < N; i++) assert_near(b[i], 1.0, 1e-8, 0.0);
        taut_stairs_clear(&small);
        small.entry[1] = 2.0;
        small.entry[small.stride] = 3.0;
        assert_int_equal(taut_stairs_factor(&small), TAUT_OK);
        taut_stairs_solve(&small, c);
        assert_near(c[0], 2.0, 1e-15, 0.0);
        assert_near(c[1], 2.5, 1e-15, 0.0);
    }
    taut_arena_release(&arena);
}

static void test_singular_and_endless_matrices_are_found(void **state) {
    (void)state;
    taut_arena arena = {0};
    taut_stairs s;
    const int reach[] = {3, 3, 3}, first[] = {0, 0, 0};
    const taut_stairs_shape shape = {reach, first, reach};
    assert_int_equal(taut_stairs_create(3, shape, &arena, &s), TAUT_OK);
    const double singular[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    taut_stairs_clear(&s);
    for (int i = 0; i < 3; i++) memcpy(s.entry + i * s.stride, singular[i], sizeof singular[i]);
    assert_int_equal(taut_stairs_factor(&s), TAUT_SINGULAR);
    taut_stairs_clear(&s); /* an empty row */
    s.entry[0] = s.entry[s.stride + 1] = 1.0;
    assert_int_equal(taut_stairs_factor(&s), TAUT_SINGULAR);
    for (int bad = 0; bad < 2; bad++) {
        taut_stairs_clear(&s);
        for (int i = 0; i < 3; i++) s.entry[i * s.stride + i] = 1.0;
        assert_int_equal(taut_stairs_factor(&s), TAUT_OK);
        taut_stairs_clear(&s);
        for (int i = 0; i < 3; i++) s.entry[i * s.stride + i] = 1.0;
        s.entry[s.stride] = bad ? (double)NAN : (double)INFINITY;
        assert_int_equal(taut_stairs_factor(&s), TAUT_SINGULAR);
    }
    taut_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves_with_pivots),
        cmocka_unit_test(test_matrices_share_memory),
        cmocka_unit_test(test_singular_and_endless_matrices_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
