/* Orders from both ends of long and thin graphs, and solutions of systems that are ordered so. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/ends.h"
#include "core/sparse.h"

enum { N = 400, MOST = 4 * N };

typedef struct pattern {
    int n, start[N + 1], row[MOST];
    double value[MOST];
} pattern;

/* Symmetric: entries (i, j) for which the function says yes, and the diagonal. */
static void fill(pattern *p, int n, bool is_there(int, int)) {
    p->n = n;
    p->start[0] = 0;
    for (int j = 0, count = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (i == j || is_there(i, j)) {
                p->row[count] = i;
                p->value[count++] = i == j ? 4.0 + 0.01 * j : -1.0 - 0.001 * (i + j);
            }
        p->start[j + 1] = count;
    }
}

static bool is_link(int i, int j) { return i - j == 1 || j - i == 1; }
static bool is_spoke(int i, int j) { return i == 0 || j == 0; }
static bool is_link_of_two(int i, int j) { return is_link(i, j) && i + j != N - 1; }

/* A symmetric pattern is its own by rows. */
static bool order(const pattern *p, int *o) {
    const taut_pattern_graph graph = {p->n, p->start, p->row, p->start, p->row};
    bool better;
    for (int k = 0; k < p->n; k++) o[k] = k;
    assert_int_equal(taut_order_from_ends(&graph, o, &better), TAUT_OK);
    return better;
}

static void test_chain_is_taken_from_both_ends(void **state) {
    (void)state;
    static pattern p;
    int o[N], seen[N] = {0};
    fill(&p, N, is_link);
    assert_true(order(&p, o));
    for (int k = 0; k < N; k++) seen[o[k]]++;
    for (int k = 0; k < N; k++) assert_int_equal(seen[k], 1);
    for (int k = 0; k + 1 < N - 1; k += 2) assert_true(abs(o[k] - o[k + 1]) > N - 3 - k);
    assert_true(abs(o[N - 1] - N / 2) <= 1);
}

static void test_other_graphs_keep_their_order(void **state) {
    (void)state;
    static pattern p;
    int o[N];
    fill(&p, N, is_spoke); /* a star: what is in the middle would come first */
    assert_false(order(&p, o));
    for (int k = 0; k < N; k++) assert_int_equal(o[k], k);
    fill(&p, N, is_link_of_two);
    assert_false(order(&p, o));
    fill(&p, 1, is_link);
    assert_false(order(&p, o));
    p.n = 0;
    assert_false(order(&p, o));
}

/* A chain of M masses, numbered first, and of links between them, which have no diagonal. */
enum { M = N / 2, LINKS = M - 1 };

static void add(pattern *p, int row, double value) {
    const int at = p->start[p->n]++;
    p->row[at] = row;
    p->value[at] = value;
}

static void fill_links(pattern *p) {
    p->n = p->start[0] = 0;
    for (int j = 0; j < M + LINKS; j++) {
        p->start[++p->n] = p->start[j];
        const int link = M + j;
        if (j < M) add(p, j, 1.0 + 0.01 * j);
        if (j < M && j > 0) add(p, link - 1, 1.0 + 0.001 * j);
        if (j < LINKS) add(p, link, -1.0);
        if (j >= M) add(p, j - M, -1.0);
        if (j >= M) add(p, j - M + 1, 1.0 + 0.001 * (j - M + 1));
    }
}

static void test_links_come_when_both_masses_are_done(void **state) {
    (void)state;
    static pattern p;
    int o[N], place[N] = {0};
    fill_links(&p);
    assert_true(order(&p, o));
    for (int k = 0; k < p.n; k++) place[o[k]] = k;
    for (int i = 0; i < LINKS; i++) {
        assert_true(place[M + i] > place[i]);
        assert_true(place[M + i] > place[i + 1]);
    }
    assert_true(abs(o[p.n - 1] - M - LINKS / 2) <= 1); /* the link in the middle is the last */
}

static void assert_solves(const pattern *p, double tol) {
    double x[N], b[N] = {0}, c[N] = {0};
    taut_lu *lu;
    for (int j = 0; j < p->n; j++) x[j] = sin(3.0 * j) + 1e-3;
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            b[p->row[k]] += p->value[k] * x[j];
            c[j] += p->value[k] * x[p->row[k]];
        }
    assert_int_equal(taut_lu_create(p->n, p->start, p->row, &lu), TAUT_OK);
    assert_int_equal(taut_lu_factor(lu, p->value), TAUT_OK);
    taut_lu_solve(lu, b);
    taut_lu_solve_transposed(lu, c);
    for (int j = 0; j < p->n; j++) {
        assert_near(b[j], x[j], tol, 0);
        assert_near(c[j], x[j], tol, 0);
    }
    taut_lu_free(&lu);
}

static void test_solution_satisfies_the_system(void **state) {
    (void)state;
    static pattern p;
    fill(&p, N, is_link);
    assert_solves(&p, 1e-14);
    fill_links(&p);
    assert_solves(&p, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_is_taken_from_both_ends),
        cmocka_unit_test(test_other_graphs_keep_their_order),
        cmocka_unit_test(test_links_come_when_both_masses_are_done),
        cmocka_unit_test(test_solution_satisfies_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
