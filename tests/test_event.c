/* Roots of polynomials over [0, 1]: none is missed, none is found twice. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "solve/event.h"
#include "check.h"

enum { MOST = 24 };

typedef struct fixture {
    taut_arena arena;
    taut_root_finder finder;
    uint64_t seed;
} fixture;

static void begin(fixture *f) {
    *f = (fixture){.seed = 12345};
    assert_int_equal(taut_root_finder_create(MOST, &f->arena, &f->finder), TAUT_OK);
}

static void end(fixture *f) { taut_arena_release(&f->arena); }

/* Uniform in [0, 1). */
static double draw(fixture *f) {
    f->seed = f->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(f->seed >> 11) / 9007199254740992.0;
}

/* c *= x - r; returns the new order. */
static int times_root(double *c, int n, double r) {
    c[n + 1] = c[n];
    for (int k = n; k > 0; k--) c[k] = c[k - 1] - r * c[k];
    c[0] *= -r;
    return n + 1;
}

/* c *= (x - a)^2 + b^2. */
static int times_pair(double *c, int n, double a, double b) {
    const double q[3] = {a * a + b * b, -2.0 * a, 1.0};
    double out[MOST + 3] = {0};
    for (int k = 0; k <= n; k++)
        for (int i = 0; i < 3; i++) out[k + i] += q[i] * c[k];
    memcpy(c, out, (size_t)(n + 3) * sizeof *c);
    return n + 2;
}

static const taut_root_finder *find(fixture *f, const double *c, int n, int side) {
    taut_roots_find(&f->finder, &(taut_root_query){.c = c, .order = n, .side = side});
    return &f->finder;
}

/* Factors that have no root near [0, 1]. */
static int times_far(fixture *f, double *c, int n, int count) {
    for (int i = 0; i < count; i++) {
        const double x = draw(f);
        if (x < 0.3)
            n = times_root(c, n, 1.2 + 2.0 * draw(f));
        else if (x < 0.6)
            n = times_root(c, n, -0.2 - 2.0 * draw(f));
        else
            n = times_pair(c, n, 2.0 * draw(f) - 0.5, 0.3 + draw(f));
    }
    return n;
}

/* Is the value between two roots, x, within the rounding of the coefficients? */
static bool is_hidden(const double *c, int n, double x) {
    double value = 0.0, size = 0.0;
    for (int k = n; k >= 0; k--) value = value * x + c[k];
    for (int k = 0; k <= n; k++) size += fabs(c[k]);
    return fabs(value) < 1e-15 * size;
}

static void test_random_products(void **state) {
    fixture f;
    int hidden = 0;
    (void)state;
    begin(&f);
    for (int trial = 0; trial < 10000; trial++) {
        double c[MOST + 3] = {draw(&f) < 0.5 ? -1.0 : 1.0}, root[8];
        int n = 0, roots = 0;
        const int wanted = (int)(5.0 * draw(&f));
        const bool close = draw(&f) < 0.3;
        for (double x = 0.02 + 0.2 * draw(&f); roots < wanted && x < 0.98;
             x += 0.05 + 0.4 * draw(&f)) {
            root[roots++] = x;
            if (close && roots == 1) root[roots++] = x + 1e-6;
        }
        for (int i = 0; i < roots; i++) n = times_root(c, n, root[i]);
        n = times_far(&f, c, n, (int)(4.0 * draw(&f)));
        if (close && roots > 1 && is_hidden(c, n, root[0] + 5e-7)) {
            hidden++;
            continue;
        }
        const taut_root_finder *found = find(&f, c, n, 0);
        assert_int_equal(found->roots, roots);
        int way = c[0] < 0.0 ? 1 : -1;
        for (int i = 0; i < roots; i++, way = -way) {
            assert_int_equal(found->root[i].way, way);
            assert_near(found->root[i].theta, root[i], close && i < 2 ? 2e-8 : 1e-11, 0.0);
        }
        assert_false(found->undecided);
        assert_int_equal(found->side, -way);
    }
    assert_true(hidden < 500);
    end(&f);
}

static void test_touching_is_told(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    for (int trial = 0; trial < 10000; trial++) {
        double c[MOST + 3] = {draw(&f) < 0.5 ? -1.0 : 1.0};
        const double x = 0.05 + 0.4 * draw(&f), y = 0.55 + 0.4 * draw(&f);
        int n = times_pair(c, 0, x, 0.0); /* a double root */
        n = times_root(c, n, y);
        n = times_far(&f, c, n, (int)(3.0 * draw(&f)));
        const taut_root_finder *found = find(&f, c, n, 0);
        /* two roots closer than what rounding can tell, or one that only touches */
        assert_int_equal(found->roots, 2);
        assert_int_equal(found->root[0].way, 0);
        assert_near(found->root[0].theta, x, 1e-7, 0.0);
        assert_near(found->root[1].theta, y, 1e-11, 0.0);
    }
    end(&f);
}

/* A root where one step ends and the next begins is found once, wherever rounding puts it. */
static void test_ends_of_steps(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    for (int trial = 0; trial < 10000; trial++) {
        double c[MOST + 3] = {1.0}, next[MOST + 3] = {1.0};
        const double off = trial % 3 == 0 ? 0.0 : (draw(&f) - 0.5) * pow(10.0, -17.0 * draw(&f));
        const double other = -1.0 - draw(&f);
        if (fabs(off) > 0.4) continue;
        const int n = times_root(c, times_root(c, 0, 1.0 + off), other);
        times_root(next, times_root(next, 0, off), other - 1.0); /* the same, from 1 on */
        const taut_root_finder *found = find(&f, c, n, 0);
        int count = found->roots;
        const int side = found->side;
        const bool event = count > 0 && found->root[count - 1].theta > 1.0 - 1e-15;
        if (event) { /* whoever restarts there knows that it is zero */
            next[0] = 0.0;
            taut_roots_find(&f.finder, &(taut_root_query){.c = next, .order = n, .zeros = 1});
        } else {
            found = find(&f, next, n, side);
        }
        count += f.finder.roots;
        assert_int_equal(count, 1);
        assert_int_equal(f.finder.side, 1);
    }
    end(&f);
}

/* After an event the next root is found however soon it comes. */
static void test_deflation(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    for (int i = 1; i < 15; i++) { /* a ball that leaves the ground ever more slowly */
        const double v = pow(10.0, -i), c[3] = {1e-18, v, -1.0};
        assert_int_equal(taut_root_zeros(c, 2, 0.0), 1);
        taut_roots_find(&f.finder, &(taut_root_query){.c = c, .order = 2, .zeros = 1});
        assert_int_equal(f.finder.roots, 1);
        assert_int_equal(f.finder.root[0].way, -1);
        assert_near(f.finder.root[0].theta, v, 1e-15 * v, 0.0);
    }
    const double rest[4] = {1e-18, -1e-18, -0.5, 1.0}; /* it leaves zero by its acceleration */
    assert_int_equal(taut_root_zeros(rest, 3, 0.0), 2);
    taut_roots_find(&f.finder, &(taut_root_query){.c = rest, .order = 3, .zeros = 2});
    assert_int_equal(f.finder.roots, 1);
    assert_near(f.finder.root[0].theta, 0.5, 1e-15, 0.0);
    const double nothing[4] = {0.0};
    assert_int_equal(taut_root_zeros(nothing, 3, 1e-15), 4);
    end(&f);
}

/* Touching at the end of a step is told by the next one. */
static void test_touch_at_end(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    const double c[3] = {1.0, -2.0, 1.0}, next[3] = {0.0, 0.0, 1.0}, through[4] = {0, 0, 0, -1.0};
    const taut_root_finder *found = find(&f, c, 2, 1);
    assert_int_equal(found->roots, 0);
    assert_true(found->undecided);
    assert_int_equal(found->side, 1);
    found = find(&f, next, 2, 1);
    assert_int_equal(found->roots, 1);
    assert_int_equal(found->root[0].way, 0);
    assert_near(found->root[0].theta, 0.0, 1e-7, 0.0);
    found = find(&f, through, 3, 1); /* it goes through after all */
    assert_int_equal(found->roots, 1);
    assert_int_equal(found->root[0].way, -1);
    end(&f);
}

/* What the polynomial leaves out makes an extremum near zero one that touches. */
static void test_remainder(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    const double c[3] = {0.25 + 1e-9, -1.0, 1.0};
    taut_roots_find(&f.finder, &(taut_root_query){.c = c, .order = 2});
    assert_int_equal(f.finder.roots, 0);
    taut_roots_find(&f.finder, &(taut_root_query){.c = c, .order = 2, .rho = 1e-8});
    assert_int_equal(f.finder.roots, 1);
    assert_int_equal(f.finder.root[0].way, 0);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_products), cmocka_unit_test(test_touching_is_told),
        cmocka_unit_test(test_ends_of_steps),   cmocka_unit_test(test_deflation),
        cmocka_unit_test(test_touch_at_end),    cmocka_unit_test(test_remainder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
