/* Tests of core/panels: the sums are those of plain loops in the same order, to the last bit. */
#include "check.h"

#include <math.h>

#include "core/panels.h"

enum { MOST = 23 };

typedef struct matrix {
    int n, entries, sum[MOST * MOST], term[MOST * MOST];
    taut_abreast value[MOST * MOST];
} matrix;

static matrix random_matrix(int n, unsigned parts) {
    matrix m = {.n = n};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const unsigned at = (unsigned)(i * n + k);
            if ((at * 2654435761u >> 7) % 8 >= parts) continue;
            m.sum[m.entries] = i;
            m.term[m.entries] = k;
            for (int l = 0; l < TAUT_ABREAST; l++)
                m.value[m.entries][l] = sin(1.7 * (double)at + 0.3 * (double)l);
            m.entries++;
        }
    return m;
}

/* One lane; part[]: sums that are added up by halves, as in core/small_loops.h. */
static double plain_sum(const matrix *m, const taut_abreast *x, int i, int lane, bool classes) {
    double part[8] = {0.0};
    for (int e = 0; e < m->entries; e++)
        if (m->sum[e] == i)
            part[classes ? m->term[e] % 8 : 0] += m->value[e][lane] * x[m->term[e]][lane];
    if (!classes) return part[0];
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
}

static void check_products(const matrix *m, bool classes) {
    taut_arena arena = {0};
    taut_panels p;
    taut_abreast *x = TAUT_NEW_ARRAY(&arena, MOST, taut_abreast);
    taut_abreast *to = TAUT_NEW_ARRAY(&arena, MOST, taut_abreast);
    assert_true(x && to && taut_panels_create(m->n, &arena, &p));
    for (int k = 0; k < m->n; k++)
        for (int l = 0; l < TAUT_ABREAST; l++) x[k][l] = cos(2.3 * (double)k - 0.7 * (double)l);
    for (int twice = 0; twice < 2; twice++) { /* plans may be made anew */
        taut_panels_plan(&p, m->n, m->entries, m->sum, m->term, classes);
        taut_panels_fill(&p, m->entries, m->value);
        if (classes)
            taut_panels_multiply_by_classes(&p, x, to);
        else
            taut_panels_multiply(&p, x, to);
        for (int i = 0; i < m->n; i++)
            for (int l = 0; l < TAUT_ABREAST; l++) {
                const double found = to[i][l], plain = plain_sum(m, x, i, l, classes);
                assert_memory_equal(&found, &plain, sizeof found);
            }
    }
    taut_arena_release(&arena);
}

static void test_products_have_the_bits_of_plain_sums(void **state) {
    (void)state;
    static const int SIZE[] = {1, 2, 3, 4, 5, 8, 9, 11, 16, MOST};
    for (size_t i = 0; i < sizeof SIZE / sizeof SIZE[0]; i++)
        for (unsigned parts = 0; parts <= 8; parts += 2) {
            const matrix m = random_matrix(SIZE[i], parts);
            check_products(&m, false);
            check_products(&m, true);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products_have_the_bits_of_plain_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
