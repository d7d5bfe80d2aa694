/* New values of parameters: what is refreshed equals what is made anew, contradictions are found,
 * and one plan serves many series in many threads. */
#include "solve_text.h"

#include <pthread.h>

#include "expr/diff.h"
#include "expr/listing.h"
#include "expr/sample.h"
#include "expr/values.h"
#include "failing_malloc.h"
#include "form/assemble.h"
#include "solve/flow.h"
#include "solve/minimal.h"
#include "solve/partials.h"
#include "solve/series.h"
#include "solve/stepper.h"
#include "solve/watched.h"

enum { VARIABLES = 3, PARAMETERS = 5, ROOTS = 6, LAST = 9 };

static const int D[VARIABLES] = {2, 1, 0};

/* ---- random formulas ---- */

typedef struct lab {
    taut_graph *g;
    taut_arena arena;
    taut_node x[VARIABLES], p[PARAMETERS], root[ROOTS + VARIABLES];
    uint64_t random;
} lab;

static unsigned draw(lab *l, unsigned below) {
    l->random = l->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(l->random >> 33) % below;
}

/* A number that is made of parameters. */
static taut_node steady(lab *l) {
    taut_graph *g = l->g;
    const taut_node p = l->p[draw(l, PARAMETERS)], q = l->p[draw(l, PARAMETERS)];
    switch (draw(l, 8)) {
    case 0: return taut_mul(g, p, q);
    case 1: return taut_div(g, p, q);
    case 2: return taut_sum(g, 0.5, 2, (double[]){2.0, 3.0}, (taut_node[]){p, q});
    case 3: return taut_apply(g, TAUT_OP_SIN, p);
    case 4: return taut_root(g, taut_add(g, taut_square(g, p), taut_square(g, q)));
    case 5: return taut_power(g, taut_square(g, p), taut_number(g, 1.3));
    default: return p;
    }
}

static taut_node combine(lab *l, const taut_node *pool, unsigned count) {
    taut_graph *g = l->g;
    const taut_node a = pool[draw(l, count)], b = pool[draw(l, count)];
    const taut_node positive = taut_add(g, taut_number(g, 2.0), taut_square(g, b));
    switch (draw(l, 12)) {
    case 0: return taut_mul(g, a, b);
    case 1: return taut_div(g, a, positive);
    case 2: return taut_root(g, positive);
    case 3: return taut_apply(g, TAUT_OP_SIN, a);
    case 4: return taut_square(g, a);
    case 5: return taut_add(g, steady(l), taut_mul(g, steady(l), a));
    case 6: return taut_power(g, positive, taut_apply(g, TAUT_OP_COS, l->p[0]));
    case 7: return taut_sub(g, taut_mul(g, steady(l), a), taut_mul(g, steady(l), b));
    case 8: return taut_mul(g, steady(l), taut_add(g, taut_mul(g, steady(l), a), b));
    case 9: return taut_atan2(g, a, positive);
    case 10: return taut_scale(g, -2.0, taut_mul(g, steady(l), b));
    default: return taut_sum(g, 0.25, 2, (double[]){1.0, -1.5}, (taut_node[]){a, b});
    }
}

static void grow(lab *l, const double *parameter, unsigned seed) {
    memset(l, 0, sizeof *l);
    l->random = seed * 77777u + 5u;
    assert_int_equal(taut_graph_create(&l->g), TAUT_OK);
    taut_graph_follow(l->g);
    taut_node pool[64];
    unsigned count = 0;
    for (int j = 0; j < VARIABLES; j++) pool[count++] = l->x[j] = taut_variable(l->g, j);
    pool[count++] = taut_time(l->g);
    for (int i = 0; i < PARAMETERS; i++) l->p[i] = taut_parameter(l->g, i, parameter[i]);
    while (count < 24) {
        pool[count] = combine(l, pool, count);
        count++;
    }
    for (int i = 0; i < ROOTS; i++) {
        const taut_node v = pool[count - 1 - (unsigned)i];
        l->root[i] = i % 3 == 2 ? taut_dot(l->g, taut_mul(l->g, l->p[i % PARAMETERS], v), 1) : v;
    }
    memcpy(l->root + ROOTS, l->x, sizeof l->x);
    assert_false(taut_graph_failed(l->g));
}

static void release(lab *l) {
    taut_graph_free(&l->g);
    taut_arena_release(&l->arena);
}

static taut_jet *jet_of(lab *l) {
    taut_tape *tape;
    taut_jet *jet;
    assert_int_equal(taut_tape_create(l->g, D, l->root, ROOTS + VARIABLES, &l->arena, &tape),
                     TAUT_OK);
    assert_int_equal(taut_jet_create(tape, LAST, &l->arena, &jet), TAUT_OK);
    return jet;
}

static void set_newest(const lab *l, taut_jet *jet, int s) {
    for (int j = 0; j < VARIABLES; j++) {
        const int k = s + D[j];
        if (k >= 0)
            *taut_jet_at(jet, taut_tape_slot(jet->tape, l->x[j]), k) =
                (k == 0 ? 0.4 + 0.2 * j : sin(1.0 + 2.7 * j + 1.9 * k) * pow(0.4, k)) *
                pow(jet->h, k);
    }
}

/* All stages; what is open at each stage above 0 goes to opened[ROOTS * LAST]. */
static void run(const lab *l, taut_jet *jet, double *opened) {
    taut_jet_start(jet, 0.3, 0.5);
    for (int s = jet->tape->first_stage; s <= LAST; s++) {
        if (s <= 0) {
            set_newest(l, jet, s);
            taut_jet_stage(jet, s);
            continue;
        }
        taut_jet_open(jet, s);
        for (int i = 0; i < ROOTS; i++) {
            const int slot = taut_tape_slot(jet->tape, l->root[i]);
            const bool exists = jet->tape->instr[slot].offset >= 0;
            opened[(s - 1) * ROOTS + i] = exists ? *taut_jet_opened(jet, slot) : 0.0;
        }
        set_newest(l, jet, s);
        taut_jet_finish(jet, s);
    }
}

/* Compares two jets of equal formulas; returns how many numbers are equal to the last bit. */
static int compare(const lab *a, const taut_jet *x, const lab *b, const taut_jet *y, int *total) {
    int same = 0;
    for (int i = 0; i < ROOTS; i++) {
        const int m = taut_tape_slot(x->tape, a->root[i]), n = taut_tape_slot(y->tape, b->root[i]);
        const int offset = x->tape->instr[m].offset;
        double scale = 0.0;
        assert_int_equal(offset, y->tape->instr[n].offset);
        for (int k = 0; k <= LAST + offset; k++) scale = fmax(scale, fabs(*taut_jet_at(y, n, k)));
        for (int k = 0; k <= LAST + offset; k++) {
            assert_near(*taut_jet_at(x, m, k), *taut_jet_at(y, n, k), 1e-13 * scale, 1e-12);
            same += *taut_jet_at(x, m, k) == *taut_jet_at(y, n, k);
            ++*total;
        }
    }
    return same;
}

static const double FIRST[PARAMETERS] = {0.7, 1.3, -0.45, 2.1, 0.9};
static const double SECOND[PARAMETERS] = {1.1, 0.35, 0.8, -1.7, 1.6};

static void test_refreshed_jets_equal_fresh_ones(void **state) {
    (void)state;
    double opened[2][ROOTS * LAST];
    int same = 0, total = 0;
    for (unsigned seed = 1; seed <= 300; seed++) {
        lab old, new;
        grow(&old, FIRST, seed);
        grow(&new, SECOND, seed);
        taut_jet *x = jet_of(&old), *y = jet_of(&new);
        run(&old, x, opened[0]); /* the old numbers must leave nothing behind */
        assert_int_equal(taut_jet_set_numbers(x, SECOND), TAUT_OK);
        run(&old, x, opened[0]);
        run(&new, y, opened[1]);
        same += compare(&old, x, &new, y, &total);
        for (int i = 0; i < ROOTS * LAST; i++)
            assert_near(opened[0][i], opened[1][i], 1e-12, 1e-11);
        /* and back */
        taut_jet *z = jet_of(&old);
        assert_int_equal(taut_jet_set_numbers(x, FIRST), TAUT_OK);
        run(&old, x, opened[0]);
        run(&old, z, opened[1]);
        assert_memory_equal(opened[0], opened[1], sizeof opened[0]);
        release(&old);
        release(&new);
    }
    assert_true(same > total * 99 / 100);
}

static void test_a_copied_jet_is_a_jet_of_its_own(void **state) {
    (void)state;
    double opened[3][ROOTS * LAST];
    for (unsigned seed = 1; seed <= 30; seed++) {
        lab l;
        grow(&l, FIRST, seed);
        taut_jet *master = jet_of(&l), *a, *b;
        assert_int_equal(taut_jet_copy(master, &l.arena, &a), TAUT_OK);
        assert_int_equal(taut_jet_copy(master, &l.arena, &b), TAUT_OK);
        run(&l, a, opened[0]);
        assert_int_equal(taut_jet_set_numbers(a, SECOND), TAUT_OK);
        run(&l, a, opened[1]);
        run(&l, b, opened[1]);
        run(&l, master, opened[2]);
        assert_memory_equal(opened[0], opened[1], sizeof opened[0]);
        assert_memory_equal(opened[0], opened[2], sizeof opened[0]);
        release(&l);
    }
}

/* Plain values and rates. */
static void test_refreshed_values_equal_fresh_ones(void **state) {
    (void)state;
    static const int d[VARIABLES] = {3, 3, 3};
    for (unsigned seed = 1; seed <= 100; seed++) {
        double found[3][ROOTS], rate[2][ROOTS];
        lab l[2];
        taut_values v[3];
        for (int i = 0; i < 2; i++) {
            grow(&l[i], i == 0 ? FIRST : SECOND, seed);
            assert_int_equal(
                taut_values_create(l[i].g, d, VARIABLES,
                                   (taut_values_wanted){l[i].root, ROOTS, l[i].root, ROOTS},
                                   &l[i].arena, &v[i]),
                TAUT_OK);
        }
        assert_int_equal(taut_values_copy(&v[0], &l[0].arena, &v[2]), TAUT_OK);
        assert_int_equal(taut_values_set_numbers(&v[0], SECOND), TAUT_OK);
        assert_int_equal(taut_values_set_numbers(&v[2], SECOND), TAUT_OK);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < VARIABLES; j++)
                for (int k = 0; k <= 2; k++)
                    taut_values_set(&v[i], j, k, cos(j + 2.0 * k) + 0.1 * j);
            taut_values_find(&v[i], 0.3, found[i]);
            for (int r = 0; r < ROOTS && i < 2; r++) rate[i][r] = taut_values_rate(&v[i], r);
        }
        for (int r = 0; r < ROOTS; r++) {
            assert_near(found[0][r], found[1][r], 1e-13, 1e-12);
            assert_near(rate[0][r], rate[1][r], 1e-12, 1e-11);
        }
        assert_memory_equal(found[0], found[2], sizeof found[0]);
        for (int i = 0; i < 2; i++) release(&l[i]);
    }
}

/* ---- decisions ---- */

/* A graph for a few formulas, and a jet of one of them. */
typedef struct bench {
    taut_graph *g;
    taut_arena arena;
    taut_node x, y, p, q;
} bench;

static bench open_bench(double p, double q) {
    bench b = {0};
    assert_int_equal(taut_graph_create(&b.g), TAUT_OK);
    taut_graph_follow(b.g);
    b.x = taut_variable(b.g, 0);
    b.y = taut_variable(b.g, 1);
    b.p = taut_parameter(b.g, 0, p);
    b.q = taut_parameter(b.g, 1, q);
    return b;
}

static void close_bench(bench *b) {
    taut_graph_free(&b->g);
    taut_arena_release(&b->arena);
}

static taut_jet *jet_of_node(bench *b, const taut_node *v, size_t count) {
    taut_tape *tape;
    taut_jet *jet;
    taut_node root[8] = {b->x, b->y};
    memcpy(root + 2, v, count * sizeof *v);
    assert_int_equal(taut_tape_create(b->g, (int[]){0, 0}, root, count + 2, &b->arena, &tape),
                     TAUT_OK);
    assert_int_equal(taut_jet_create(tape, 2, &b->arena, &jet), TAUT_OK);
    return jet;
}

/* Order 0 for x = 3, y = 5. */
static double value_at(bench *b, taut_jet *jet, taut_node v) {
    taut_jet_start(jet, 0.0, 1.0);
    *taut_jet_at(jet, taut_tape_slot(jet->tape, b->x), 0) = 3.0;
    *taut_jet_at(jet, taut_tape_slot(jet->tape, b->y), 0) = 5.0;
    taut_jet_stage(jet, 0);
    return *taut_jet_at(jet, taut_tape_slot(jet->tape, v), 0);
}

static bool holds(const taut_graph *g, const double *parameter) {
    double work[256];
    assert_true(taut_graph_size(g) <= 256);
    return taut_graph_assumptions_hold(g, parameter, work);
}

/* The values of all roots of a sample, with made-up inputs that depend on what they stand for. */
static void look(taut_sample *s, double (*value)[TAUT_SAMPLES]) {
    for (int m = 0; m < TAUT_SAMPLES; m++) s->time[m] = 0.1 + 0.07 * m;
    for (int i = 0; i < s->inputs; i++)
        for (int m = 0; m < TAUT_SAMPLES; m++)
            s->given[i][m] = sin(1.0 + 2.7 * s->input[i].variable + 1.9 * s->input[i].order + m);
    taut_sample_find(s);
    memcpy(value, s->value, ROOTS * sizeof *value);
}

static void test_refreshed_samples_equal_fresh_ones(void **state) {
    (void)state;
    int same = 0;
    for (unsigned seed = 1; seed <= 100; seed++) {
        lab old, new;
        taut_sample x, y;
        double value[3][ROOTS][TAUT_SAMPLES];
        grow(&old, FIRST, seed);
        grow(&new, SECOND, seed);
        for (int i = 0; i < ROOTS; i++) { /* multiples as targets, too */
            old.root[i] = taut_mul(old.g, old.p[i % PARAMETERS], old.root[i]);
            new.root[i] = taut_mul(new.g, new.p[i % PARAMETERS], new.root[i]);
        }
        assert_int_equal(taut_sample_create(old.g, old.root, ROOTS, &old.arena, &x), TAUT_OK);
        assert_int_equal(taut_sample_create(new.g, new.root, ROOTS, &new.arena, &y), TAUT_OK);
        look(&x, value[0]);
        assert_int_equal(taut_sample_set_numbers(&x, SECOND), TAUT_OK);
        look(&x, value[1]);
        look(&y, value[2]);
        for (int i = 0; i < ROOTS; i++)
            for (int m = 0; m < TAUT_SAMPLES; m++) {
                assert_near(value[1][i][m], value[2][i][m], 1e-13, 1e-12);
                same += value[1][i][m] == value[2][i][m];
            }
        assert_memory_not_equal(value[0], value[1], sizeof value[0]);
        assert_int_equal(taut_sample_set_numbers(&x, FIRST), TAUT_OK);
        look(&x, value[1]);
        assert_memory_equal(value[0], value[1], sizeof value[0]);
        release(&old);
        release(&new);
    }
    assert_true(same > 100 * ROOTS * TAUT_SAMPLES * 99 / 100);
}

static void test_a_folded_zero_is_remembered(void **state) {
    (void)state;
    bench b = open_bench(0.0, 2.0);
    taut_node v = taut_add(b.g, taut_mul(b.g, b.p, b.x), taut_mul(b.g, b.q, b.y));
    taut_jet *jet = jet_of_node(&b, &v, 1);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){0.0, 3.0}), TAUT_OK);
    assert_near(value_at(&b, jet, v), 15.0, 0, 1e-15);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){1.0, 3.0}), TAUT_CONTRADICTED);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){0.0, 0.0}), TAUT_CONTRADICTED);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){0.0, 4.0}), TAUT_OK);
    assert_near(value_at(&b, jet, v), 20.0, 0, 1e-15);
    assert_true(holds(b.g, (double[]){0.0, 7.0}));
    assert_false(holds(b.g, (double[]){1e-9, 7.0}));
    assert_false(holds(b.g, (double[]){0.0, 0.0}));
    double value[2];
    assert_int_equal(taut_graph_parameters(b.g), 2);
    taut_parameter_values(b.g, value);
    assert_true(value[0] == 0.0 && value[1] == 2.0);
    close_bench(&b);
}

/* (p - q) x with p = q: the difference is a steady node that vanishes. */
static void test_a_difference_that_vanishes_is_remembered(void **state) {
    (void)state;
    bench b = open_bench(2.0, 2.0);
    taut_node v = taut_add(b.g, taut_mul(b.g, taut_sub(b.g, b.p, b.q), b.x), b.y);
    taut_jet *jet = jet_of_node(&b, &v, 1);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){7.0, 7.0}), TAUT_OK);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){7.0, 7.5}), TAUT_CONTRADICTED);
    assert_false(holds(b.g, (double[]){7.0, 7.5}));
    close_bench(&b);
}

/* p x - q x with p = q cancels on the tape only. */
static void test_terms_that_cancel_are_remembered(void **state) {
    (void)state;
    bench b = open_bench(2.0, 2.0);
    taut_node v = taut_sum(b.g, 0.0, 3, (double[]){1, -1, 1},
                           (taut_node[]){taut_mul(b.g, b.p, b.x), taut_mul(b.g, b.q, b.x), b.y});
    taut_jet *jet = jet_of_node(&b, &v, 1);
    assert_near(value_at(&b, jet, v), 5.0, 0, 0);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){7.0, 7.0}), TAUT_OK);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){7.0, 7.5}), TAUT_CONTRADICTED);
    assert_true(holds(b.g, (double[]){7.0, 7.5})); /* the graph has both terms */
    close_bench(&b);
    /* the other way round nothing was left out: it may cancel now */
    b = open_bench(2.0, 2.5);
    v = taut_sum(b.g, 0.0, 3, (double[]){1, -1, 1},
                 (taut_node[]){taut_mul(b.g, b.p, b.x), taut_mul(b.g, b.q, b.x), b.y});
    jet = jet_of_node(&b, &v, 1);
    assert_near(value_at(&b, jet, v), 3.5, 0, 0);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){7.0, 7.0}), TAUT_OK);
    assert_near(value_at(&b, jet, v), 5.0, 0, 0);
    close_bench(&b);
}

/* x + 2 y and p x + q y with q = 2 p are one sum as long as that is so. */
static void test_proportional_sums_are_remembered(void **state) {
    (void)state;
    bench b = open_bench(3.0, 6.0);
    taut_node sum[2] = {taut_sum(b.g, 0.0, 2, (double[]){1, 2}, (taut_node[]){b.x, b.y}),
                        taut_add(b.g, taut_mul(b.g, b.p, b.x), taut_mul(b.g, b.q, b.y))};
    taut_jet *jet = jet_of_node(&b, sum, 2);
    const int slot = taut_tape_slot(jet->tape, sum[1]);
    assert_int_equal(jet->tape->instr[slot].count, 1); /* it was found */
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){0.3, 0.6}), TAUT_OK);
    assert_near(value_at(&b, jet, sum[1]), 3.9, 0, 1e-15);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){0.3, 0.61}), TAUT_CONTRADICTED);
    close_bench(&b);
}

/* Two sums share what they have in common as long as the proportions are those. */
static void test_common_terms_are_remembered(void **state) {
    (void)state;
    bench b = open_bench(3.0, 3.0);
    const taut_node sx = taut_apply(b.g, TAUT_OP_EXP, b.x), sy = taut_apply(b.g, TAUT_OP_EXP, b.y);
    taut_node sum[2] = {
        taut_sum(b.g, 0.0, 3, (double[]){1, 1, 1}, (taut_node[]){sx, sy, b.x}),
        taut_sum(b.g, 0.0, 3, (double[]){1, 1, 1},
                 (taut_node[]){taut_mul(b.g, b.p, sx), taut_mul(b.g, b.q, sy), b.y})};
    taut_jet *jet = jet_of_node(&b, sum, 2);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){0.3, 0.3}), TAUT_OK);
    assert_near(value_at(&b, jet, sum[1]), 0.3 * (exp(3) + exp(5)) + 5, 0, 1e-15);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){0.3, 0.5}), TAUT_CONTRADICTED);
    close_bench(&b);
}

static void test_exponents_are_remembered(void **state) {
    (void)state;
    bench b = open_bench(2.0, 2.3);
    taut_node v[2] = {taut_power(b.g, b.x, b.p), taut_power(b.g, b.x, b.q)};
    taut_jet *jet = jet_of_node(&b, v, 2);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){2.0, 2.7}), TAUT_OK);
    assert_near(value_at(&b, jet, v[1]), pow(3.0, 2.7), 0, 1e-15);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){3.0, 2.7}), TAUT_CONTRADICTED);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){2.0, 3.0}), TAUT_CONTRADICTED);
    assert_false(holds(b.g, (double[]){2.0, 3.0}));
    close_bench(&b);
}

static void test_assumptions_of_others_are_checked(void **state) {
    (void)state;
    bench b = open_bench(2.0, -3.0);
    taut_graph_assume(b.g, b.p, TAUT_ASSUME_POSITIVE);
    taut_graph_assume(b.g, taut_mul(b.g, b.p, b.q), TAUT_ASSUME_NEGATIVE);
    taut_graph_assume(b.g, taut_number(b.g, 3.0), TAUT_ASSUME_EQUAL); /* nothing to be noted */
    taut_node v = taut_mul(b.g, b.p, b.x);
    taut_jet *jet = jet_of_node(&b, &v, 1);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){1.0, -1.0}), TAUT_OK);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){-1.0, 1.0}), TAUT_CONTRADICTED);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){1.0, 1.0}), TAUT_CONTRADICTED);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){(double)NAN, -1.0}), TAUT_CONTRADICTED);
    assert_true(holds(b.g, (double[]){1.0, -1.0}));
    assert_false(holds(b.g, (double[]){1.0, 1.0}));
    size_t count;
    taut_graph_assumptions(b.g, &count);
    assert_int_equal(count, 2);
    close_bench(&b);
}

/* Without a record there is nothing to refresh, and nobody is told otherwise. */
static void test_a_graph_that_does_not_follow_refuses(void **state) {
    (void)state;
    bench b = {0};
    assert_int_equal(taut_graph_create(&b.g), TAUT_OK);
    b.x = taut_variable(b.g, 0);
    b.y = taut_variable(b.g, 1);
    taut_node v = taut_mul(b.g, taut_parameter(b.g, 0, 2.0), b.x);
    taut_jet *jet = jet_of_node(&b, &v, 1);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){3.0}), TAUT_CONTRADICTED);
    assert_near(value_at(&b, jet, v), 6.0, 0, 0);
    close_bench(&b);
}

/* An input that is 0 at first: its terms stay, whatever it is multiplied with. */
static void test_kept_parameters_may_be_zero(void **state) {
    (void)state;
    bench b = {0};
    assert_int_equal(taut_graph_create(&b.g), TAUT_OK);
    taut_graph_follow(b.g);
    taut_graph_keep(b.g, 0);
    b.x = taut_variable(b.g, 0);
    b.y = taut_variable(b.g, 1);
    b.p = taut_parameter(b.g, 0, 0.0);
    b.q = taut_parameter(b.g, 1, 2.0);
    const taut_node pq = taut_mul(b.g, b.p, b.q);
    taut_node v[3] = {
        taut_sum(b.g, 0.0, 3, (double[]){1, 1, 1}, (taut_node[]){taut_mul(b.g, pq, b.x), b.y, pq}),
        taut_add(b.g, taut_mul(b.g, b.p, b.x), taut_mul(b.g, pq, b.y)),
        taut_sum(b.g, 0.0, 2, (double[]){1, 1}, (taut_node[]){taut_mul(b.g, pq, b.x), b.p})};
    taut_jet *jet = jet_of_node(&b, v, 3);
    assert_near(value_at(&b, jet, v[0]), 5.0, 0, 0);
    assert_near(value_at(&b, jet, v[1]), 0.0, 0, 0);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){4.0, 3.0}), TAUT_OK);
    assert_near(value_at(&b, jet, v[0]), 12 * 3 + 5 + 12, 0, 1e-15);
    assert_near(value_at(&b, jet, v[1]), 4 * 3 + 12 * 5, 0, 1e-15);
    assert_near(value_at(&b, jet, v[2]), 12 * 3 + 4, 0, 1e-15);
    assert_int_equal(taut_jet_set_numbers(jet, (double[]){0.0, 3.0}), TAUT_OK);
    assert_near(value_at(&b, jet, v[2]), 0, 0, 0);
    close_bench(&b);
}

/* ---- as text ---- */

static void test_a_tape_is_listed(void **state) {
    (void)state;
    bench b = open_bench(3.0, 4.0);
    const taut_node pq = taut_mul(b.g, b.p, taut_root(b.g, b.q));
    const taut_node e = taut_apply(b.g, TAUT_OP_EXP, b.x);
    const taut_node d = taut_div(b.g, b.y, taut_add(b.g, taut_number(b.g, 2.0), e));
    taut_node v[2] = {
        taut_sum(b.g, 0.5, 3, (double[]){-1, 2, -0.1},
                 (taut_node[]){taut_mul(b.g, pq, b.x), taut_dot(b.g, d, 2), taut_mul(b.g, b.x, d)}),
        taut_sub(b.g, taut_power(b.g, taut_root(b.g, b.y), b.q), taut_time(b.g))};
    taut_tape *tape;
    taut_string text = {0};
    static const char *const variable[] = {"angle", NULL}, *const parameter[] = {"mass", NULL};
    assert_int_equal(taut_tape_create(b.g, (int[]){2, 2}, v, 2, &b.arena, &tape), TAUT_OK);
    taut_tape_print(tape, &(taut_names){variable, parameter}, &text);
    assert_false(text.failed);
    assert_string_equal(text.text, "k2 = sqrt(p2)\n"
                                   "k4 = mass*k2\n"
                                   "k6 = -1*k4\n"
                                   "v0 = angle\n"
                                   "v1 = x2\n"
                                   "v2 = exp(v0), v2' = v2*v0'\n"
                                   "v3 = 2 + v2\n"
                                   "v4 = v1/v3\n"
                                   "v5 = 0.5 + k6*v0 + 2*v4'' - 0.1*v0*v4\n"
                                   "v6 = t\n"
                                   "v7 = -v6 + v1*v1\n"); /* the root of y to the 4th */
    taut_string_release(&text);
    close_bench(&b);
}

/* Functions of two arguments, roots, and a number that 15 digits do not give back. */
static void test_functions_are_listed(void **state) {
    (void)state;
    bench b = open_bench(2.7, 4.0);
    const taut_node v[3] = {
        taut_root(b.g, taut_atan2(b.g, b.x, b.y)), taut_power(b.g, b.x, b.p),
        taut_mul(b.g, taut_atan2(b.g, b.p, b.q), taut_add(b.g, b.x, taut_number(b.g, 0.1 + 0.2)))};
    taut_tape *tape;
    taut_string text = {0};
    assert_int_equal(taut_tape_create(b.g, (int[]){0, 0, 0}, v, 3, &b.arena, &tape), TAUT_OK);
    taut_tape_print(tape, NULL, &text);
    assert_string_equal(text.text, "k3 = atan2(p1, p2)\n"
                                   "k5 = k3*0.30000000000000004\n"
                                   "k7 = 0 + k5\n"
                                   "v0 = x1\n"
                                   "v1 = x2\n"
                                   "v2 = p1\n"
                                   "v3 = atan2(v0, v1), v3' = v10*v0' + v12*v1'\n"
                                   "v4 = sqrt(v3)\n"
                                   "v5 = pow(v0, v2), v5' = v8*v0'\n"
                                   "v6 = k7 + k3*v0\n"
                                   "v7 = v5/v0\n"
                                   "v8 = p1*v7\n"
                                   "v9 = v0*v0 + v1*v1\n"
                                   "v10 = v1/v9\n"
                                   "v11 = v0/v9\n"
                                   "v12 = -v11\n");
    taut_string_release(&text);
    close_bench(&b);
}

/* What is on the tape is an input, steady factors are numbers, and the target has one as well. */
static void test_a_plain_tape_is_listed(void **state) {
    (void)state;
    bench b = open_bench(3.0, 4.0);
    const taut_node e = taut_apply(b.g, TAUT_OP_EXP, b.x), xy = taut_mul(b.g, b.x, b.y);
    const taut_node sum =
        taut_sum(b.g, 0.5, 3, (double[]){2, -1, 1}, (taut_node[]){taut_mul(b.g, b.p, xy), e, b.q});
    const taut_node target = taut_mul(b.g, b.q, taut_apply(b.g, TAUT_OP_SIN, sum));
    taut_tape *on;
    taut_plain plain;
    taut_string text = {0};
    assert_int_equal(
        taut_tape_create(b.g, (int[]){0, 0}, (taut_node[]){b.x, b.y, e}, 3, &b.arena, &on),
        TAUT_OK);
    assert_int_equal(
        taut_plain_create(b.g, (taut_plain_wanted){&target, 1, on}, &b.arena, &b.arena, &plain),
        TAUT_OK);
    assert_int_equal(taut_numbers_finish(plain.tape.numbers), TAUT_OK);
    taut_tape_print(&plain.tape, NULL, &text);
    assert_string_equal(text.text, "k4 = p1*2\n"
                                   "v0 = u1\n"
                                   "v1 = u2\n"
                                   "v2 = p2\n"
                                   "v3 = u3\n"
                                   "v4 = v0*v1\n"
                                   "v5 = 0.5 + v2 - v3 + k4*v4\n"
                                   "v6 = sin(v5)\n");
    assert_int_equal(plain.inputs, 3);
    assert_int_equal(plain.target[0].slot, 6);
    assert_near(plain.target[0].coef, 4.0, 0, 0);
    taut_string_release(&text);
    close_bench(&b);
}

/* ---- derivatives by parameters ---- */

/* The values of nodes with d x's derivatives, by a graph made for these parameters. */
static double value_of_root(unsigned seed, const double *parameter, int root) {
    static const int d[VARIABLES] = {3, 3, 3};
    lab l;
    taut_values v;
    double found;
    grow(&l, parameter, seed);
    assert_int_equal(taut_values_create(l.g, d, VARIABLES,
                                        (taut_values_wanted){&l.root[root], 1, NULL, 0}, &l.arena,
                                        &v),
                     TAUT_OK);
    for (int j = 0; j < VARIABLES; j++)
        for (int k = 0; k <= 2; k++) taut_values_set(&v, j, k, cos(j + 2.0 * k) + 0.1 * j);
    taut_values_find(&v, 0.3, &found);
    release(&l);
    return found;
}

static double difference(unsigned seed, int root, int index, double step) {
    double p[PARAMETERS], side[4];
    for (int i = 0; i < 4; i++) {
        memcpy(p, FIRST, sizeof p);
        p[index] += step * (double[]){1, -1, 2, -2}[i];
        side[i] = value_of_root(seed, p, root);
    }
    return (8 * (side[0] - side[1]) - (side[2] - side[3])) / (12 * step);
}

static void test_derivatives_by_parameters_match_differences(void **state) {
    (void)state;
    static const int d[VARIABLES] = {4, 4, 4};
    int compared = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        lab l;
        grow(&l, FIRST, seed);
        taut_sweep *sweep;
        assert_int_equal(taut_sweep_create(l.g, &sweep), TAUT_OK);
        const taut_node one = taut_number(l.g, 1.0);
        taut_sweep_by_parameters(sweep, true);
        for (int root = 0; root < ROOTS; root += 2) { /* root 2 is a time derivative */
            taut_sweep_begin(sweep, TAUT_SWEEP_EVERY, NULL);
            taut_sweep_seed(sweep, l.root[root], 1.0, one);
            assert_int_equal(taut_sweep_run(sweep), TAUT_OK);
            for (int i = 0; i < PARAMETERS; i++) {
                taut_node slope = taut_sweep_find(sweep, l.p[i]);
                taut_values v;
                double found;
                assert_int_equal(taut_values_create(l.g, d, VARIABLES,
                                                    (taut_values_wanted){&slope, 1, NULL, 0},
                                                    &l.arena, &v),
                                 TAUT_OK);
                for (int j = 0; j < VARIABLES; j++)
                    for (int k = 0; k <= 2; k++)
                        taut_values_set(&v, j, k, cos(j + 2.0 * k) + 0.1 * j);
                taut_values_find(&v, 0.3, &found);
                const double expected = difference(seed, root, i, 1e-3);
                assert_near(found, expected, 1e-7, 1e-7);
                compared += expected != 0.0;
            }
        }
        taut_sweep_free(&sweep);
        release(&l);
    }
    assert_true(compared > 100);
}

static void test_a_kept_zero_has_a_derivative(void **state) {
    (void)state;
    bench b = {0};
    assert_int_equal(taut_graph_create(&b.g), TAUT_OK);
    taut_graph_keep(b.g, 0);
    b.x = taut_variable(b.g, 0);
    b.p = taut_parameter(b.g, 0, 0.0);
    /* d/dp (p sin(x) + exp(p x))' = (sin x + x exp(p x))' = x' (cos x + 1) at p = 0 */
    const taut_node e = taut_apply(b.g, TAUT_OP_EXP, taut_mul(b.g, b.p, b.x));
    const taut_node f = taut_add(b.g, taut_mul(b.g, b.p, taut_apply(b.g, TAUT_OP_SIN, b.x)), e);
    const taut_node rate = taut_dot(b.g, f, 1), one = taut_number(b.g, 1.0);
    taut_sweep *sweep;
    assert_int_equal(taut_sweep_create(b.g, &sweep), TAUT_OK);
    taut_sweep_by_parameters(sweep, true);
    taut_sweep_begin(sweep, TAUT_SWEEP_EVERY, NULL);
    taut_sweep_seed(sweep, rate, 1.0, one);
    assert_int_equal(taut_sweep_run(sweep), TAUT_OK);
    taut_node slope = taut_sweep_find(sweep, b.p);
    taut_values v;
    double found;
    assert_int_equal(taut_values_create(b.g, (int[]){2}, 1,
                                        (taut_values_wanted){&slope, 1, NULL, 0}, &b.arena, &v),
                     TAUT_OK);
    taut_values_set(&v, 0, 0, 0.7);
    taut_values_set(&v, 0, 1, 1.9);
    taut_values_find(&v, 0.0, &found);
    assert_near(found, 1.9 * (cos(0.7) + 1), 0, 1e-14);
    taut_sweep_begin(sweep, TAUT_SWEEP_PLAIN, NULL); /* would miss what is under a derivative */
    taut_sweep_seed(sweep, f, 1.0, one);
    assert_int_equal(taut_sweep_run(sweep), TAUT_ERR_CALL);
    taut_sweep_free(&sweep);
    close_bench(&b);
}

/* ---- series ---- */

/* A model and its equations, which follow their parameters. */
typedef struct equations {
    taut_model *model;
    taut_problem *problem;
    taut_arena arena;
    taut_structure structure;
    double parameter[16];
} equations;

static equations form(const char *text) {
    equations e = {0};
    e.model = read_text(text);
    assert_int_equal(taut_problem_create(e.model, &e.problem, NULL), TAUT_OK);
    const taut_system *system = &e.problem->system;
    taut_graph_follow(system->graph);
    assert_int_equal(taut_structure_create(system, &e.arena, &e.structure, NULL), TAUT_OK);
    assert_true(taut_graph_parameters(system->graph) <= 16);
    taut_parameter_values(system->graph, e.parameter);
    return e;
}

static void dismiss(equations *e) {
    taut_arena_release(&e->arena);
    taut_problem_free(&e->problem);
    taut_model_free(&e->model);
}

static const char PENDULUM[] = "PhysicalParams: {m: %s, l: %s, g: %s, c: 0.3, k: %s}\n"
                               "DAE:\n"
                               "  Variables: [x, y, lam]\n"
                               "  Equations:\n"
                               "    - \"m*x'' + 2*lam*x + c*x' + k*sin(x)*m\"\n"
                               "    - \"m*y'' + 2*lam*y - m*g + c*y'/(1 + k*x^2)\"\n"
                               "    - \"x^2 + y^2 - l^2\"\n";

static equations pendulum(const char *m, const char *l, const char *g, const char *k) {
    char text[600];
    snprintf(text, sizeof text, PENDULUM, m, l, g, k);
    return form(text);
}

/* A point of a pendulum of length l and its series; false: something failed. */
static bool expand(taut_series *s, double l) {
    const double q = 0.3, w = 1.7;
    const double x[2] = {l * sin(q), l * w * cos(q)}, y[2] = {l * cos(q), -l * w * sin(q)};
    taut_series_start(s, 0.0, 0.2);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k <= s->structure->offsets.d[j]; k++)
            taut_series_set(s, j, k, k < 2 && j < 2 ? (j == 0 ? x : y)[k] : 0.0);
    if (taut_series_settle(s, true, NULL, NULL) != TAUT_OK) return false;
    taut_series_extend(s, 1, s->plan->last_stage);
    return true;
}

enum { STAGES = 15 };

static void coefficients(const taut_series *s, double *to) {
    for (int j = 0; j < 3; j++)
        for (int k = 0; k <= STAGES; k++) *to++ = *taut_jet_at(s->jet, s->variable[j], k);
}

static taut_series_plan *plan_of(const equations *e) {
    taut_series_plan *plan;
    assert_int_equal(
        taut_series_plan_create(&e->problem->system, &e->structure, STAGES, NULL, 0, &plan),
        TAUT_OK);
    return plan;
}

static void test_a_refreshed_series_equals_a_fresh_one(void **state) {
    (void)state;
    double found[2][3 * (STAGES + 1)];
    equations old = pendulum("2", "1.5", "9.81", "0.7"), new = pendulum("0.4", "2.5", "1.6", "3");
    taut_series_plan *plan = plan_of(&old);
    taut_series *s, *fresh;
    assert_int_equal(taut_series_create_from(plan, &s), TAUT_OK);
    assert_int_equal(
        taut_series_create(&new.problem->system, &new.structure, STAGES, NULL, 0, &fresh), TAUT_OK);
    assert_true(expand(s, 1.5));
    assert_int_equal(taut_series_set_numbers(s, new.parameter), TAUT_OK);
    assert_true(expand(s, 2.5));
    assert_true(expand(fresh, 2.5));
    coefficients(s, found[0]);
    coefficients(fresh, found[1]);
    for (int i = 0; i < 3 * (STAGES + 1); i++) assert_near(found[0][i], found[1][i], 1e-14, 1e-12);
    taut_series_free(&fresh);
    taut_series_free(&s);
    taut_series_plan_free(&plan);
    dismiss(&old);
    dismiss(&new);
}

static void test_a_series_refuses_what_changes_the_structure(void **state) {
    (void)state;
    equations e = pendulum("2", "1.5", "9.81", "0"); /* k = 0 has been folded */
    taut_series *s;
    assert_int_equal(taut_series_create(&e.problem->system, &e.structure, STAGES, NULL, 0, &s),
                     TAUT_OK);
    double p[16];
    for (int i = 0; i < 5; i++) {
        memcpy(p, e.parameter, sizeof p);
        p[i] = p[i] == 0.0 ? 0.5 : 0.0;
        assert_int_equal(taut_series_set_numbers(s, p), TAUT_CONTRADICTED);
        memcpy(p, e.parameter, sizeof p);
        p[i] *= 1.5;
        assert_int_equal(taut_series_set_numbers(s, p), TAUT_OK);
    }
    taut_series_free(&s);
    dismiss(&e);
}

/* A plan, a series of it and other numbers; how many allocations there were. */
static taut_status plan_and_set(const equations *e, long failing, long *allocations) {
    taut_series_plan *plan = NULL;
    taut_series *s = NULL;
    failing_malloc_begin(failing);
    taut_status status =
        taut_series_plan_create(&e->problem->system, &e->structure, STAGES, NULL, 0, &plan);
    if (status == TAUT_OK) status = taut_series_create_from(plan, &s);
    *allocations = failing_malloc_end();
    if (status == TAUT_OK) {
        failing_malloc_begin(0);
        status = taut_series_set_numbers(s, e->parameter);
        assert_int_equal(failing_malloc_end(), 0); /* nothing is allocated for new numbers */
    }
    taut_series_free(&s);
    taut_series_plan_free(&plan);
    return status;
}

static void test_plans_without_memory_fail_cleanly(void **state) {
    (void)state;
    long total = 1;
    for (long failing = 0; failing <= total; failing++) {
        const long before = failing_malloc_live();
        long count;
        equations e = pendulum("2", "1.5", "9.81", "0.7");
        const taut_status status = plan_and_set(&e, failing, &count);
        if (failing == 0) total = count;
        assert_int_equal(status, failing == 0 || total == 0 ? TAUT_OK : TAUT_ERR_MEMORY);
        dismiss(&e);
        assert_int_equal(failing_malloc_live(), before);
    }
}

static void start_from(taut_stepper *s, const taut_series *from, double tend) {
    taut_state *state;
    assert_int_equal(taut_state_create(from->system, from->structure, &state), TAUT_OK);
    taut_state_read(state, from);
    assert_int_equal(taut_stepper_start(s, state, tend, NULL), TAUT_OK);
    taut_state_free(&state);
}

/* A stepper of other numbers than those it was made with goes the same way as one that was. */
static void check_stepper(const char *method, double tol) {
    equations old = pendulum("2", "1.5", "9.81", "0.7"), new = pendulum("0.4", "2.5", "1.6", "3");
    const taut_minimal_options minimal = {0};
    const taut_flow_maker maker = {taut_minimal_create, &minimal};
    const bool reduced = strcmp(method, "minimal") == 0;
    const taut_stepping options = {.rtol = 1e-10,
                                   .atol = 1e-10,
                                   .step = strcmp(method, "rk4") == 0 ? 0.01 : 0.0,
                                   .maker = reduced ? &maker : NULL};
    taut_stepper *s[2];
    taut_series *from[2];
    if (reduced) method = "erk";
    for (int i = 0; i < 2; i++) {
        const equations *e = i == 0 ? &old : &new;
        const taut_system *system = &e->problem->system;
        assert_int_equal(taut_series_create(system, &e->structure, 0, NULL, 0, &from[i]), TAUT_OK);
        assert_int_equal(
            taut_stepper_create(taut_method_find(method), system, &e->structure, &options, &s[i]),
            TAUT_OK);
    }
    assert_true(expand(from[0], 1.5)); /* first a run with the old ones */
    start_from(s[0], from[0], 10.0);
    for (int k = 0; k < 3; k++) assert_int_equal(taut_stepper_step(s[0], NULL), TAUT_OK);
    assert_int_equal(taut_series_set_numbers(from[0], new.parameter), TAUT_OK);
    assert_int_equal(taut_stepper_set_numbers(s[0], new.parameter), TAUT_OK);
    for (int i = 0; i < 2; i++) {
        assert_true(expand(from[i], 2.5));
        start_from(s[i], from[i], 1.0);
        while (s[i]->t < 1.0) assert_int_equal(taut_stepper_step(s[i], NULL), TAUT_OK);
    }
    assert_int_equal(taut_stepper_statistics(s[0]).steps > 3, true);
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 2; k++)
            assert_near(taut_stepper_state(s[0], j, k), taut_stepper_state(s[1], j, k), tol, tol);
    for (int i = 0; i < 2; i++) {
        taut_stepper_free(&s[i]);
        taut_series_free(&from[i]);
    }
    dismiss(&old);
    dismiss(&new);
}

static void test_steppers_follow_their_numbers(void **state) {
    (void)state;
    check_stepper("taylor", 1e-13);
    check_stepper("ho", 1e-12);
    check_stepper("erk", 1e-12);
    check_stepper("rk4", 1e-12);
    check_stepper("adams", 1e-12);
    check_stepper("bdf", 1e-11); /* Newton stops at its tolerance */
    check_stepper("ida", 1e-10);
    check_stepper("minimal", 1e-12);
}

static void test_watched_nodes_follow_their_numbers(void **state) {
    (void)state;
    equations e = pendulum("2", "1.5", "9.81", "0.7");
    const taut_system *system = &e.problem->system;
    taut_graph *g = system->graph;
    const taut_node mass = taut_parameter(g, 0, e.parameter[0]);
    const taut_node node = taut_mul(g, mass, taut_variable(g, 0));
    const taut_stepping options = {.rtol = 1e-10, .atol = 1e-10};
    taut_watched *w;
    taut_stepper *s;
    taut_series *from;
    double value;
    assert_int_equal(taut_watched_create(
                         system, &e.structure,
                         &(taut_watching){.node = &node, .count = 1, .order = 30, .tol = 1e-9}, &w),
                     TAUT_OK);
    assert_int_equal(taut_series_create(system, &e.structure, 0, NULL, 0, &from), TAUT_OK);
    assert_int_equal(
        taut_stepper_create(taut_method_find("taylor"), system, &e.structure, &options, &s),
        TAUT_OK);
    assert_true(expand(from, 1.5));
    start_from(s, from, 1.0);
    assert_int_equal(taut_stepper_step(s, NULL), TAUT_OK);
    const double x = taut_stepper_state(s, 0, 0);
    taut_watched_look(w, s, s->t, &value);
    assert_near(value, e.parameter[0] * x, 0, 1e-13);
    e.parameter[0] *= 3.0;
    assert_int_equal(taut_watched_set_numbers(w, e.parameter), TAUT_OK);
    taut_watched_look(w, s, s->t, &value);
    assert_near(value, e.parameter[0] * x, 0, 1e-13);
    taut_stepper_free(&s);
    taut_series_free(&from);
    taut_watched_free(&w);
    dismiss(&e);
}

/* ---- examples ---- */

typedef struct example {
    equations e;
    taut_series *series;
} example;

/* False: the file does not allow this value. */
static bool open_example(const char *name, const taut_override *set, example *x) {
    char path[256];
    *x = (example){0};
    snprintf(path, sizeof path, TAUT_SOURCE_DIR "/examples/%s.yaml", name);
    if (taut_model_read(path, set, set ? 1 : 0, &x->e.model, NULL) != TAUT_OK) return false;
    assert_int_equal(taut_problem_create(x->e.model, &x->e.problem, NULL), TAUT_OK);
    const taut_system *system = &x->e.problem->system;
    taut_graph_follow(system->graph);
    assert_int_equal(taut_structure_create(system, &x->e.arena, &x->e.structure, NULL), TAUT_OK);
    assert_int_equal(taut_series_create(system, &x->e.structure, 2, NULL, 0, &x->series), TAUT_OK);
    return true;
}

static void close_example(example *x) {
    taut_series_free(&x->series);
    dismiss(&x->e);
}

/* Stages up to 2 and J, at a point that is not consistent. */
static void look_at(taut_series *s) {
    taut_series_start(s, 0.1, 0.5);
    for (int j = 0; j < s->system->n; j++)
        for (int k = 0; k <= s->structure->offsets.d[j] + 2; k++)
            taut_series_set(s, j, k, 0.7 * sin(1 + 1.3 * j + 2.1 * k) + 0.1);
    taut_series_look(s, 2);
    taut_series_jacobian(s);
}

/* Residuals and J of both, relative to the largest one. */
static void compare_series(const taut_series *a, const taut_series *b) {
    double J = 0.0;
    assert_int_equal(a->entries, b->entries);
    for (int k = 0; k < b->entries; k++) J = fmax(J, fabs(b->J[k]));
    for (int k = 0; k < b->entries; k++) assert_near(a->J[k], b->J[k], 1e-14 * J, 0);
    for (int s = 0; s <= 2; s++) {
        double scale = 0.0;
        for (int i = 0; i < a->system->n; i++)
            scale = fmax(scale, fabs(taut_series_residual(b, i, s)));
        for (int i = 0; i < a->system->n; i++)
            assert_near(taut_series_residual(a, i, s), taut_series_residual(b, i, s), 1e-13 * scale,
                        0);
    }
}

/* Every parameter of a file changed, one after the other: as if the file had been read with it. */
static void test_examples_follow_their_parameters(void **state) {
    (void)state;
    static const char *const name[] = {"andrews",   "bricard", "slider-crank",   "mcpherson",
                                       "robot",     "cam",     "circuit-index2", "rscr",
                                       "heavy-top", "brake",   "epicyclic"};
    int followed = 0, refused = 0;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        example old, new;
        double first[64], second[64];
        assert_true(open_example(name[i], NULL, &old));
        const taut_system *system = &old.e.problem->system;
        const int count = taut_graph_parameters(system->graph);
        assert_true(count <= 64);
        taut_parameter_values(system->graph, first);
        for (int k = 0; k < count; k++) {
            char text[40];
            if (first[k] == 0.0 || !system->names.parameter[k]) continue;
            snprintf(text, sizeof text, "%.17g", 1.03 * first[k]);
            const taut_override set = {system->names.parameter[k], text};
            if (!open_example(name[i], &set, &new)) continue;
            taut_parameter_values(new.e.problem->system.graph, second);
            if (taut_series_set_numbers(old.series, second) == TAUT_OK) {
                look_at(old.series);
                look_at(new.series);
                compare_series(old.series, new.series);
                followed++;
            } else {
                refused++;
            }
            close_example(&new);
        }
        close_example(&old);
    }
    assert_true(followed > 60);
    assert_true(refused < followed / 20);
}

/* The derivative of the equations by parameters, along the motion: f = m x'' + ..., df/dm etc. */
static void test_partials_by_parameters_are_series(void **state) {
    (void)state;
    equations e = pendulum("2", "1.5", "9.81", "0.7");
    taut_parameter_partial *partial;
    taut_node *node;
    int count;
    assert_int_equal(
        taut_partials_by_parameters(&e.problem->system, &e.arena, &partial, &node, &count),
        TAUT_OK);
    taut_series *s;
    assert_int_equal(taut_series_create(&e.problem->system, &e.structure, STAGES, node, count, &s),
                     TAUT_OK);
    assert_true(expand(s, 1.5));
    const double m = 2, c = 0.3, k = 0.7, l = 1.5;
    const double x = taut_series_get(s, 0, 0), v = taut_series_get(s, 0, 1);
    const double w = taut_series_get(s, 1, 1), a = taut_series_get(s, 0, 2);
    const double b = taut_series_get(s, 1, 2), q = 1 + k * x * x;
    int found = 0;
    for (int i = 0; i < count; i++) {
        const double value = taut_series_output(s, i, 0), rate = taut_series_output(s, i, 1);
        const int which = 10 * partial[i].equation;
        const double p = e.parameter[partial[i].parameter];
        if (which == 0 && p == m) /* x'' + k sin x, and its derivative */
            assert_near(value, a + k * sin(x), 0, 1e-13), found++;
        if (which == 0 && p == c)
            assert_near(value, v, 0, 1e-13), assert_near(rate, a, 0, 1e-13), found++;
        if (which == 0 && p == k)
            assert_near(value, m * sin(x), 0, 1e-13), assert_near(rate, m * cos(x) * v, 0, 1e-13),
                found++;
        if (which == 10 && p == c)
            assert_near(value, w / q, 0, 1e-13),
                assert_near(rate, b / q - w * 2 * k * x * v / (q * q), 0, 1e-12), found++;
        if (which == 10 && p == k) assert_near(value, -c * w * x * x / (q * q), 0, 1e-13), found++;
        if (which == 20) assert_near(value, -2 * l, 0, 1e-15), assert_near(rate, 0, 0, 0), found++;
    }
    assert_int_equal(found, 6);
    taut_series_free(&s);
    dismiss(&e);
}

/* ---- threads ---- */

enum { THREADS = 8, ROUNDS = 40 };

typedef struct job {
    const taut_series_plan *plan;
    double parameter[16], length, found[3 * (STAGES + 1)];
    bool ok;
} job;

static void *work(void *user) {
    job *j = user;
    j->ok = true;
    for (int i = 0; i < ROUNDS && j->ok; i++) {
        taut_series *s;
        j->ok = taut_series_create_from(j->plan, &s) == TAUT_OK;
        if (!j->ok) break;
        j->ok = taut_series_set_numbers(s, j->parameter) == TAUT_OK && expand(s, j->length);
        coefficients(s, j->found);
        taut_series_free(&s);
    }
    return NULL;
}

static void test_threads_share_a_plan(void **state) {
    (void)state;
    equations e = pendulum("2", "1.5", "9.81", "0.7");
    taut_series_plan *plan = plan_of(&e);
    job alone[THREADS] = {0}, together[THREADS];
    pthread_t thread[THREADS];
    int length = -1;
    for (int i = 0; i < 5; i++)
        if (e.parameter[i] == 1.5) length = i;
    assert_true(length >= 0);
    for (int i = 0; i < THREADS; i++) {
        alone[i].plan = plan;
        for (int k = 0; k < 5; k++) alone[i].parameter[k] = e.parameter[k] * (1.0 + 0.1 * i);
        alone[i].length = alone[i].parameter[length];
    }
    memcpy(together, alone, sizeof together);
    for (int i = 0; i < THREADS; i++) work(&alone[i]);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_true(alone[i].ok && together[i].ok);
        assert_memory_equal(alone[i].found, together[i].found, sizeof alone[i].found);
        if (i > 0) assert_memory_not_equal(alone[i].found, alone[0].found, sizeof alone[i].found);
    }
    taut_series_plan_free(&plan);
    dismiss(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refreshed_jets_equal_fresh_ones),
        cmocka_unit_test(test_a_copied_jet_is_a_jet_of_its_own),
        cmocka_unit_test(test_refreshed_values_equal_fresh_ones),
        cmocka_unit_test(test_refreshed_samples_equal_fresh_ones),
        cmocka_unit_test(test_a_folded_zero_is_remembered),
        cmocka_unit_test(test_a_difference_that_vanishes_is_remembered),
        cmocka_unit_test(test_terms_that_cancel_are_remembered),
        cmocka_unit_test(test_proportional_sums_are_remembered),
        cmocka_unit_test(test_common_terms_are_remembered),
        cmocka_unit_test(test_exponents_are_remembered),
        cmocka_unit_test(test_assumptions_of_others_are_checked),
        cmocka_unit_test(test_a_graph_that_does_not_follow_refuses),
        cmocka_unit_test(test_kept_parameters_may_be_zero),
        cmocka_unit_test(test_a_tape_is_listed),
        cmocka_unit_test(test_functions_are_listed),
        cmocka_unit_test(test_a_plain_tape_is_listed),
        cmocka_unit_test(test_derivatives_by_parameters_match_differences),
        cmocka_unit_test(test_a_kept_zero_has_a_derivative),
        cmocka_unit_test(test_a_refreshed_series_equals_a_fresh_one),
        cmocka_unit_test(test_a_series_refuses_what_changes_the_structure),
        cmocka_unit_test(test_plans_without_memory_fail_cleanly),
        cmocka_unit_test(test_steppers_follow_their_numbers),
        cmocka_unit_test(test_watched_nodes_follow_their_numbers),
        cmocka_unit_test(test_examples_follow_their_parameters),
        cmocka_unit_test(test_partials_by_parameters_are_series),
        cmocka_unit_test(test_threads_share_a_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
