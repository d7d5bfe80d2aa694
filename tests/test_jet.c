/* Tests of expr/jet and expr/tape: stages and their end terms, scales, shifts and offsets. */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "expr/jet.h"

enum { VARIABLES = 4, LAST = 12 };

typedef struct lab {
    taut_graph *g;
    taut_arena arena;
    taut_node t, x[VARIABLES];
} lab;

static int setup(void **state) {
    static lab l;
    memset(&l, 0, sizeof l);
    if (taut_graph_create(&l.g) != TAUT_OK) return -1;
    for (int i = 0; i < VARIABLES; i++) l.x[i] = taut_variable(l.g, i);
    l.t = taut_time(l.g);
    *state = &l;
    return 0;
}

static int teardown(void **state) {
    lab *l = *state;
    taut_graph_free(&l->g);
    taut_arena_release(&l->arena);
    return 0;
}

/* Taylor coefficient k of variable j: made up, positive at order 0, with a radius of about 2. */
static double coefficient(int j, int k) {
    return k == 0 ? 1.2 + 0.3 * j : sin(1.0 + 3.7 * j + 1.9 * k) * pow(0.5, k);
}

static taut_jet *jet_of(lab *l, const int *d, const taut_node *root, size_t count, double t,
                        double h) {
    taut_tape *tape;
    taut_jet *jet;
    taut_node all[64];
    memcpy(all, l->x, sizeof l->x);
    memcpy(all + VARIABLES, root, count * sizeof *root);
    assert_int_equal(taut_tape_create(l->g, d, all, count + VARIABLES, &l->arena, &tape), TAUT_OK);
    assert_int_equal(taut_jet_create(tape, LAST, &l->arena, &jet), TAUT_OK);
    taut_jet_start(jet, t, h);
    return jet;
}

/* Order k of a node. */
static double *at(const taut_jet *jet, taut_node v, int k) {
    assert_true(taut_tape_slot(jet->tape, v) >= 0);
    return taut_jet_at(jet, taut_tape_slot(jet->tape, v), k);
}

/* Sets order s + d_j of the variables to their coefficients, or to zero. */
static void set_newest(const lab *l, taut_jet *jet, const int *d, int s, bool zero) {
    for (int j = 0; j < VARIABLES; j++) {
        const int k = s + d[j];
        if (k < 0) continue;
        *at(jet, l->x[j], k) = zero && k > 0 ? 0.0 : coefficient(j, k) * pow(jet->h, k);
    }
}

static void run_direct(const lab *l, taut_jet *jet, const int *d) {
    for (int s = jet->tape->first_stage; s <= LAST; s++) {
        set_newest(l, jet, d, s, false);
        taut_jet_stage(jet, s);
    }
}

static void run_by_end_terms(const lab *l, taut_jet *jet, const int *d) {
    for (int s = jet->tape->first_stage; s <= LAST; s++) {
        set_newest(l, jet, d, s, true);
        taut_jet_stage(jet, s);
        set_newest(l, jet, d, s, false);
        taut_jet_finish(jet, s);
    }
}

/* Every kernel, with arguments of equal and of different offsets, and derivatives among them. */
static size_t make_roots(lab *l, taut_node *root) {
    taut_graph *g = l->g;
    taut_node *x = l->x, t = l->t;
    taut_node p = taut_parameter(g, 0, 0.7), half = taut_number(g, 0.5);
    taut_node x1 = taut_dot(g, x[0], 1), y2 = taut_dot(g, x[1], 2);
    taut_node small = taut_scale(g, 0.2, x[0]);
    size_t n = 0;
    root[n++] = taut_mul(g, x[0], x[1]);
    root[n++] = taut_mul(g, x[0], y2);
    root[n++] = taut_mul(g, x1, x[3]);
    root[n++] = taut_square(g, x[2]);
    root[n++] = taut_square(g, taut_add(g, x1, taut_mul(g, x[2], x[3])));
    root[n++] = taut_div(g, x[0], x[3]);
    root[n++] = taut_div(g, x[3], x[0]);
    root[n++] = taut_div(g, y2, x[2]);
    root[n++] = taut_div(g, half, taut_add(g, x[0], taut_number(g, 2)));
    root[n++] = taut_root(g, x[1]);
    root[n++] = taut_root(g, taut_add(g, taut_square(g, x[0]), taut_square(g, x[3])));
    for (int op = TAUT_OP_EXP; op < TAUT_OP_COUNT; op++) {
        const bool narrow = op == TAUT_OP_ASIN || op == TAUT_OP_ACOS || op == TAUT_OP_TAN;
        root[n++] = taut_apply(g, (taut_op)op, narrow ? small : x[op % VARIABLES]);
    }
    root[n++] = taut_power(g, x[0], taut_number(g, 0.3));
    root[n++] = taut_power(g, taut_mul(g, x[0], x[3]), p);
    root[n++] = taut_power(g, x[3], taut_number(g, -3));
    root[n++] = taut_power(g, x[2], x[3]);
    root[n++] = taut_atan2(g, x[0], x[3]);
    root[n++] = taut_atan2(g, x[2], x[2 - 1]);
    root[n++] = taut_atan2(g, half, x[1]);
    root[n++] = taut_dot(g, taut_mul(g, x[0], x[1]), 2);
    root[n++] = taut_dot(g, taut_apply(g, TAUT_OP_SIN, taut_mul(g, x[0], x[3])), 1);
    root[n++] = taut_add(g, taut_mul(g, p, taut_square(g, x[0])), taut_mul(g, t, x[3]));
    root[n++] = taut_mul(g, taut_dot(g, taut_apply(g, TAUT_OP_SIN, t), 1), x[0]);
    root[n++] = taut_mul(g, taut_dot(g, taut_apply(g, TAUT_OP_EXP, taut_square(g, t)), 3), y2);
    root[n++] = taut_mul(g, p, x[2]);
    return n;
}

static const int OFFSETS[][VARIABLES] = {{0, 0, 0, 0}, {2, 2, 0, 0}, {1, 2, 3, 0},
                                         {4, 3, 1, 2}, {2, 0, 2, 1}, {0, 3, 0, 5}};
enum { CASES = sizeof OFFSETS / sizeof OFFSETS[0] };

static void compare_slots(const taut_jet *a, const taut_jet *b, double rel) {
    for (int i = 0; i < a->tape->size; i++) {
        const int top = LAST + a->tape->instr[i].offset;
        double size = 1e-3;
        for (int k = 0; k <= top; k++) size = fmax(size, fabs(*taut_jet_at(b, i, k)));
        for (int k = 0; k <= top; k++)
            assert_near(*taut_jet_at(a, i, k), *taut_jet_at(b, i, k), rel * size, rel);
    }
}

static void test_finish_gives_what_a_direct_evaluation_gives(void **state) {
    lab *l = *state;
    taut_node root[64];
    const size_t n = make_roots(l, root);
    for (int c = 0; c < CASES; c++)
        for (int i = 0; i < 3; i++) {
            const double h = (double[]){1.0, 0.01, -0.6}[i];
            taut_jet *direct = jet_of(l, OFFSETS[c], root, n, 0.3, h);
            taut_jet *staged = jet_of(l, OFFSETS[c], root, n, 0.3, h);
            run_direct(l, direct, OFFSETS[c]);
            run_by_end_terms(l, staged, OFFSETS[c]);
            assert_int_equal(taut_jet_bad_slot(direct, LAST), -1);
            compare_slots(staged, direct, 1e-14);
        }
}

/* Opened, a stage has the residuals that zeros would give, whatever the variables hold; finished,
 * it has everything. */
static void test_open_gives_what_zeros_give(void **state) {
    lab *l = *state;
    taut_node root[64];
    const size_t n = make_roots(l, root);
    for (int c = 0; c < CASES; c++) {
        taut_jet *zeros = jet_of(l, OFFSETS[c], root, n, 0.3, 0.6);
        taut_jet *opened = jet_of(l, OFFSETS[c], root, n, 0.3, 0.6);
        for (int s = zeros->tape->first_stage; s <= LAST; s++) {
            set_newest(l, zeros, OFFSETS[c], s, true);
            set_newest(l, opened, OFFSETS[c], s, s <= 0);
            taut_jet_stage(zeros, s);
            (s > 0 ? taut_jet_open : taut_jet_stage)(opened, s);
            for (size_t r = 0; r < n && s > 0; r++) {
                const int offset = zeros->tape->instr[taut_tape_slot(zeros->tape, root[r])].offset;
                if (offset >= 0)
                    assert_near(*taut_jet_opened(opened, taut_tape_slot(opened->tape, root[r])),
                                *at(zeros, root[r], s + offset), 1e-14, 1e-13);
            }
            set_newest(l, zeros, OFFSETS[c], s, false);
            set_newest(l, opened, OFFSETS[c], s, false);
            taut_jet_finish(zeros, s);
            taut_jet_finish(opened, s);
        }
        compare_slots(opened, zeros, 1e-14);
    }
}

/* The newest coefficients really are missing before finish: the residual changes. */
static void test_stage_reads_the_newest_coefficient(void **state) {
    lab *l = *state;
    taut_node root = taut_add(l->g, taut_dot(l->g, l->x[0], 2), taut_mul(l->g, l->x[0], l->x[3]));
    const int d[VARIABLES] = {2, 2, 2, 0};
    taut_jet *jet = jet_of(l, d, &root, 1, 0, 0.5);
    for (int s = jet->tape->first_stage; s <= 3; s++) {
        set_newest(l, jet, d, s, true);
        taut_jet_stage(jet, s);
        const double before = s >= 0 ? *at(jet, root, s) : 0;
        set_newest(l, jet, d, s, false);
        taut_jet_finish(jet, s);
        if (s < 1) continue;
        /* (s+2)(s+1) x_(s+2) + x_0 y_s, scaled by h^s */
        const double change =
            ((s + 2) * (s + 1) * coefficient(0, s + 2) + coefficient(0, 0) * coefficient(3, s)) *
            pow(0.5, s);
        assert_near(*at(jet, root, s) - before, change, 1e-15, 1e-13);
    }
}

/* Orders are stored times h^k: the same function has the same coefficients at every scale. */
static void test_scale_divides_out(void **state) {
    lab *l = *state;
    taut_node root[64];
    const size_t n = make_roots(l, root);
    for (int c = 0; c < CASES; c++) {
        taut_jet *one = jet_of(l, OFFSETS[c], root, n, 0.3, 1.0);
        run_direct(l, one, OFFSETS[c]);
        for (int i = 0; i < 4; i++) {
            const double h = (double[]){0.25, -0.25, 3.0, -1.0}[i];
            taut_jet *other = jet_of(l, OFFSETS[c], root, n, 0.3, h);
            run_direct(l, other, OFFSETS[c]);
            for (size_t r = 0; r < n; r++) {
                const int slot = taut_tape_slot(one->tape, root[r]);
                double size = 0;
                for (int k = 0; k <= LAST + one->tape->instr[slot].offset; k++) {
                    const double a = *taut_jet_at(one, slot, k), b = *taut_jet_at(other, slot, k);
                    size = fmax(size, fabs(a));
                    assert_near(b / pow(h, k), a, 1e-12 * size, 1e-12);
                }
            }
        }
    }
}

static void test_rescale_is_a_run_at_the_other_scale(void **state) {
    lab *l = *state;
    taut_node root[64];
    const size_t n = make_roots(l, root);
    for (int c = 0; c < CASES; c++) {
        taut_jet *a = jet_of(l, OFFSETS[c], root, n, 0.3, 0.8);
        taut_jet *b = jet_of(l, OFFSETS[c], root, n, 0.3, -0.4);
        run_direct(l, a, OFFSETS[c]);
        run_direct(l, b, OFFSETS[c]);
        taut_jet_rescale(a, -0.5, LAST);
        assert_near(a->h, -0.4, 1e-16, 0);
        compare_slots(a, b, 1e-12);
    }
}

/* After a rescale half-way the remaining stages go on at the new scale. */
static void test_rescale_between_stages(void **state) {
    lab *l = *state;
    taut_node root[64];
    const size_t n = make_roots(l, root);
    const int *d = OFFSETS[3];
    taut_jet *a = jet_of(l, d, root, n, 0.3, 2.0), *b = jet_of(l, d, root, n, 0.3, 0.5);
    run_direct(l, b, d);
    for (int s = a->tape->first_stage; s <= LAST; s++) {
        if (s == 3) taut_jet_rescale(a, 0.25, 2);
        set_newest(l, a, d, s, false);
        taut_jet_stage(a, s);
    }
    compare_slots(a, b, 1e-12);
}

/* ---- shifts and offsets ---- */

static void test_shift_multiplies_by_factorials(void **state) {
    lab *l = *state;
    taut_node root[3];
    for (int p = 1; p <= 3; p++) root[p - 1] = taut_dot(l->g, l->x[0], p);
    const int d[VARIABLES] = {3, 3, 3, 3};
    taut_jet *jet = jet_of(l, d, root, 3, 0, 0.5);
    run_direct(l, jet, d);
    for (int p = 1; p <= 3; p++)
        for (int k = 0; k <= LAST + 3 - p; k++) {
            double factor = 1;
            for (int i = 1; i <= p; i++) factor *= k + i;
            assert_near(*at(jet, root[p - 1], k), factor * coefficient(0, k + p) * pow(0.5, k), 0,
                        1e-14);
        }
}

/* (u v)'' = u'' v + 2 u' v' + u v'', also under a function. */
static void test_derivative_of_a_product_obeys_leibniz(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node u = l->x[0], v = l->x[1];
    taut_node left = taut_dot(g, taut_mul(g, u, v), 2);
    taut_node term[] = {taut_mul(g, taut_dot(g, u, 2), v),
                        taut_mul(g, taut_dot(g, u, 1), taut_dot(g, v, 1)),
                        taut_mul(g, u, taut_dot(g, v, 2))};
    taut_node right = taut_sum(g, 0, 3, (double[]){1, 2, 1}, term);
    taut_node both[] = {left, right};
    for (int c = 1; c < CASES; c++) {
        taut_jet *jet = jet_of(l, OFFSETS[c], both, 2, 0, 0.7);
        run_by_end_terms(l, jet, OFFSETS[c]);
        const int slot = taut_tape_slot(jet->tape, left);
        const int top = LAST + jet->tape->instr[slot].offset;
        assert_int_equal(jet->tape->instr[slot].offset,
                         (OFFSETS[c][0] < OFFSETS[c][1] ? OFFSETS[c][0] : OFFSETS[c][1]) - 2);
        for (int k = 0; k <= top; k++)
            assert_near(*at(jet, left, k), *at(jet, right, k), 1e-12, 1e-12);
    }
}

/* (sin t)' x = x cos t, with x of any offset; and (t^3)''' = 6. */
static void test_derivatives_of_functions_of_time(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node s = taut_apply(g, TAUT_OP_SIN, l->t), c = taut_apply(g, TAUT_OP_COS, l->t);
    taut_node root[] = {
        taut_mul(g, taut_dot(g, s, 1), l->x[0]),
        taut_mul(g, c, l->x[0]),
        taut_mul(g, taut_dot(g, s, 4), taut_dot(g, l->x[1], 1)),
        taut_mul(g, s, taut_dot(g, l->x[1], 1)),
        taut_add(g, taut_dot(g, taut_power(g, l->t, taut_number(g, 3)), 3), l->x[2]),
        taut_add(g, taut_number(g, 6), l->x[2]),
        taut_dot(g, taut_mul(g, s, taut_dot(g, s, 2)), 1),
        taut_scale(g, -2, taut_mul(g, s, c)),
    };
    for (int o = 0; o < CASES; o++) {
        taut_jet *jet = jet_of(l, OFFSETS[o], root, 8, 1.1, -0.5);
        run_by_end_terms(l, jet, OFFSETS[o]);
        for (int r = 0; r < 8; r += 2) {
            const int slot = taut_tape_slot(jet->tape, root[r]);
            const int top = LAST + jet->tape->instr[slot].offset;
            assert_true(top >= LAST - 1);
            for (int k = 0; k <= top && k <= LAST; k++)
                assert_near(*at(jet, root[r], k), *at(jet, root[r + 1], k), 1e-13, 1e-13);
        }
    }
}

/* x'' = -x solved stage by stage: the coefficients of cos. */
static void test_stages_solve_an_oscillator(void **state) {
    lab *l = *state;
    taut_node f = taut_add(l->g, taut_dot(l->g, l->x[0], 2), l->x[0]);
    const int d[VARIABLES] = {2, 2, 2, 2};
    const double h = -0.8;
    taut_jet *jet = jet_of(l, d, &f, 1, 0, h);
    for (int s = jet->tape->first_stage; s <= LAST; s++) {
        if (s + 2 >= 0) *at(jet, l->x[0], s + 2) = s == -2 ? 1.0 : 0.0;
        taut_jet_stage(jet, s);
        if (s < 0) continue;
        *at(jet, l->x[0], s + 2) -= *at(jet, f, s) * h * h / ((s + 1) * (s + 2)); /* J = 1 */
        taut_jet_finish(jet, s);
        assert_near(*at(jet, f, s), 0, 1e-15, 0);
    }
    double expected = 1;
    for (int k = 0; k <= LAST + 2; k += 2) {
        assert_near(*at(jet, l->x[0], k), expected, 0, 1e-14);
        assert_near(*at(jet, l->x[0], k + (k < LAST + 2)), k < LAST + 2 ? 0 : expected, 0, 1e-14);
        expected *= -h * h / ((k + 1) * (k + 2));
    }
}

static void test_bad_slot_names_the_first_nan(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node bad = taut_apply(g, TAUT_OP_LOG, taut_scale(g, -1, l->x[0]));
    taut_node root[] = {taut_mul(g, l->x[0], l->x[1]), bad, taut_add(g, bad, l->x[2])};
    const int d[VARIABLES] = {0, 0, 0, 0};
    taut_jet *jet = jet_of(l, d, root, 3, 0, 1);
    run_direct(l, jet, d);
    const int slot = taut_jet_bad_slot(jet, LAST);
    assert_true(slot >= 0);
    assert_int_equal(jet->tape->instr[slot].node, bad);
}

/* A root at zero is fine at order 0 and infinite at order 1. */
static void test_bad_slot_looks_as_far_as_asked(void **state) {
    lab *l = *state;
    taut_node root = taut_root(l->g, l->x[0]);
    const int d[VARIABLES] = {0, 0, 0, 0};
    taut_jet *jet = jet_of(l, d, &root, 1, 0, 1);
    *at(jet, l->x[0], 1) = 1;
    taut_jet_stage(jet, 0);
    taut_jet_stage(jet, 1);
    assert_int_equal(taut_jet_bad_slot(jet, 0), -1);
    assert_int_equal(taut_jet_bad_slot(jet, 1), taut_tape_slot(jet->tape, root));
}

static void test_tape_holds_what_the_roots_need(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node unused = taut_apply(g, TAUT_OP_SIN, l->x[3]);
    taut_node root = taut_add(g, taut_mul(g, l->x[0], l->x[1]), taut_number(g, 1));
    taut_tape *tape;
    const int d[VARIABLES] = {1, 1, 1, 1};
    assert_int_equal(taut_tape_create(g, d, &root, 1, &l->arena, &tape), TAUT_OK);
    assert_int_equal(tape->size, 3); /* two variables, and a sum with a product in it */
    assert_int_equal(taut_tape_slot(tape, unused), -1);
    assert_int_equal(taut_tape_slot(tape, l->x[3]), -1);
    assert_int_equal(taut_tape_slot(tape, 1000000), -1);
    assert_int_equal(tape->first_stage, -1);
    taut_node sine = taut_apply(g, TAUT_OP_SIN, l->x[0]);
    assert_int_equal(taut_tape_create(g, d, &sine, 1, &l->arena, &tape), TAUT_OK);
    assert_int_equal(tape->size, 4); /* x, sin, cos, -sin: both series, and the factor of cos */
}

/* p (x'' - y'') + q (x'' + y'') + 3 is one sum of x'' and y'', although the graph keeps p and q. */
static void test_sums_with_parameters_become_one(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node p = taut_parameter(g, 0, 0.5), q = taut_parameter(g, 1, 2);
    taut_node x2 = taut_dot(g, l->x[0], 2), y2 = taut_dot(g, l->x[1], 2);
    taut_node root = taut_add(g, taut_mul(g, p, taut_sub(g, x2, y2)),
                              taut_add(g, taut_mul(g, q, taut_add(g, x2, y2)), taut_number(g, 3)));
    const int d[VARIABLES] = {2, 2, 2, 2};
    taut_jet *jet = jet_of(l, d, &root, 1, 0, 0.5);
    const taut_tape *tape = jet->tape;
    const taut_instr *sum = &tape->instr[taut_tape_slot(tape, root)];
    assert_int_equal(tape->size, VARIABLES + 1);
    assert_int_equal(sum->count, 2);
    assert_near(tape->term[sum->first].coef, 2.5, 0, 0);
    assert_near(tape->term[sum->first + 1].coef, 1.5, 0, 0);
    run_direct(l, jet, d);
    for (int k = 0; k <= LAST; k++) {
        const double x = coefficient(0, k + 2), y = coefficient(1, k + 2);
        const double expected = (k + 1) * (k + 2) * (2.5 * x + 1.5 * y) * pow(0.5, k);
        assert_near(*at(jet, root, k), expected + (k == 0 ? 3 : 0), 1e-15, 1e-13);
    }
}

/* A sum that many others read is added up once. */
static void test_shared_sums_stay(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node shared = taut_number(g, 0), root[8];
    for (int i = 0; i < VARIABLES; i++)
        shared = taut_add(g, shared, taut_mul(g, taut_parameter(g, i, 2 + i), l->x[i]));
    for (int i = 0; i < 8; i++)
        root[i] = taut_add(g, taut_mul(g, taut_parameter(g, 9 + i, 0.1 + i), shared),
                           taut_square(g, l->x[i % VARIABLES]));
    const int d[VARIABLES] = {0};
    taut_jet *jet = jet_of(l, d, root, 8, 0, 1);
    const taut_tape *tape = jet->tape;
    assert_true(taut_tape_slot(tape, shared) >= 0);
    for (int i = 0; i < 8; i++)
        assert_int_equal(tape->instr[taut_tape_slot(tape, root[i])].count, 2);
}

/* Order k of x_i x_j, and of its first derivative. */
static double product(int i, int j, int k) {
    double sum = 0.0;
    for (int l = 0; l <= k; l++) sum += coefficient(i, l) * coefficient(j, k - l);
    return sum;
}

static double product_rate(int i, int j, int k) { return (k + 1) * product(i, j, k + 1); }

/* Products that one sum reads are terms of it, also below a derivative; a long sum leaves them
 * apart. */
static void test_products_become_terms_of_sums(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node a = taut_mul(g, l->x[0], l->x[1]), b = taut_mul(g, l->x[1], l->x[2]);
    taut_node c = taut_square(g, l->x[3]);
    taut_node root = taut_add(g, taut_scale(g, 3, a), taut_sub(g, taut_dot(g, b, 1), c));
    for (int i = 1; i < CASES; i++) {
        taut_jet *jet = jet_of(l, OFFSETS[i], &root, 1, 0, 0.5);
        const taut_instr *sum = &jet->tape->instr[taut_tape_slot(jet->tape, root)];
        assert_int_equal(jet->tape->size, VARIABLES + 1);
        assert_int_equal(sum->count, 3);
        assert_int_equal(taut_tape_operations(jet->tape), 2 + 3 + 1 + 1); /* + *, factor, rate */
        run_by_end_terms(l, jet, OFFSETS[i]);
        for (int k = 0; k <= LAST + sum->offset; k++)
            assert_near(*at(jet, root, k),
                        (3 * product(0, 1, k) + product_rate(1, 2, k) - product(3, 3, k)) *
                            pow(0.5, k),
                        1e-14, 1e-13);
    }
    taut_node sum = taut_number(g, 0);
    for (int i = 0; i < 30; i++)
        sum = taut_add(g, sum,
                       taut_mul(g, taut_add(g, l->x[0], taut_number(g, i)),
                                taut_add(g, l->x[1], taut_number(g, 2 * i))));
    const int d[VARIABLES] = {0};
    taut_jet *jet = jet_of(l, d, &sum, 1, 0, 1);
    assert_int_equal(jet->tape->size, VARIABLES + 29 + 29 + 30 + 1); /* x + 0 is x */
}

/* 2 x0 x1 + 3 x2 x3 with a sign, and below a derivative: it is computed once. */
static void test_terms_in_common_become_a_sum(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node p = taut_parameter(g, 0, 2), q = taut_parameter(g, 1, 3);
    taut_node a = taut_mul(g, p, taut_mul(g, l->x[0], l->x[1]));
    taut_node b = taut_mul(g, q, taut_mul(g, l->x[2], l->x[3]));
    taut_node rate = taut_add(g, taut_dot(g, a, 1), taut_dot(g, b, 1));
    taut_node root[] = {taut_add(g, l->x[0], taut_add(g, a, b)),
                        taut_sub(g, l->x[1], taut_add(g, a, b)), taut_mul(g, rate, l->x[2])};
    const int d[VARIABLES] = {2, 2, 2, 2};
    taut_jet *jet = jet_of(l, d, root, 3, 0, 0.5);
    /* the variables, the common sum, its rate, and the roots */
    assert_int_equal(jet->tape->size, VARIABLES + 2 + 3);
    run_by_end_terms(l, jet, d);
    for (int k = 0; k <= LAST; k++) {
        const double scale = pow(0.5, k), common = 2 * product(0, 1, k) + 3 * product(2, 3, k);
        double last = 0.0;
        for (int m = 0; m <= k; m++)
            last += (2 * product_rate(0, 1, m) + 3 * product_rate(2, 3, m)) * coefficient(2, k - m);
        assert_near(*at(jet, root[0], k), (coefficient(0, k) + common) * scale, 1e-14, 1e-13);
        assert_near(*at(jet, root[1], k), (coefficient(1, k) - common) * scale, 1e-14, 1e-13);
        assert_near(*at(jet, root[2], k), last * scale, 1e-14, 1e-13);
    }
}

/* x - 3 and 6 - 2 x are one series. */
static void test_proportional_sums_are_one(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node p = taut_parameter(g, 0, -2);
    taut_node one = taut_sub(g, l->x[0], taut_number(g, 3));
    taut_node other = taut_add(g, taut_number(g, 6), taut_mul(g, p, l->x[0]));
    taut_node root[] = {taut_mul(g, one, l->x[1]), taut_mul(g, other, l->x[2])};
    const int d[VARIABLES] = {0};
    taut_jet *jet = jet_of(l, d, root, 2, 0, 0.5);
    assert_int_equal(jet->tape->size, VARIABLES + 3);
    run_by_end_terms(l, jet, d);
    for (int k = 0; k <= LAST; k++) {
        const double scale = pow(0.5, k);
        assert_near(*at(jet, root[0], k), (product(0, 1, k) - 3 * coefficient(1, k)) * scale, 1e-14,
                    1e-13);
        assert_near(*at(jet, root[1], k), (6 * coefficient(2, k) - 2 * product(0, 2, k)) * scale,
                    1e-14, 1e-13);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_finish_gives_what_a_direct_evaluation_gives),
        TEST(test_open_gives_what_zeros_give),
        TEST(test_stage_reads_the_newest_coefficient),
        TEST(test_scale_divides_out),
        TEST(test_rescale_is_a_run_at_the_other_scale),
        TEST(test_rescale_between_stages),
        TEST(test_shift_multiplies_by_factorials),
        TEST(test_derivative_of_a_product_obeys_leibniz),
        TEST(test_derivatives_of_functions_of_time),
        TEST(test_stages_solve_an_oscillator),
        TEST(test_bad_slot_names_the_first_nan),
        TEST(test_bad_slot_looks_as_far_as_asked),
        TEST(test_tape_holds_what_the_roots_need),
        TEST(test_sums_with_parameters_become_one),
        TEST(test_shared_sums_stay),
        TEST(test_products_become_terms_of_sums),
        TEST(test_terms_in_common_become_a_sum),
        TEST(test_proportional_sums_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
