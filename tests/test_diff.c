/* Tests of expr/diff: the five sweeps against differences and equations derived by hand. */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "expr/diff.h"
#include "expr/jet.h"

enum { VARIABLES = 4, TOP = 5 };

typedef struct lab {
    taut_graph *g;
    taut_sweep *sweep;
    taut_arena arena;
    taut_node t, x[VARIABLES], v[VARIABLES], a[VARIABLES]; /* variables, x', x'' */
    uint64_t seed;
} lab;

static int setup(void **state) {
    static lab l;
    memset(&l, 0, sizeof l);
    if (taut_graph_create(&l.g) != TAUT_OK) return -1;
    l.t = taut_time(l.g);
    for (int i = 0; i < VARIABLES; i++) {
        l.x[i] = taut_variable(l.g, i);
        l.v[i] = taut_dot(l.g, l.x[i], 1);
        l.a[i] = taut_dot(l.g, l.x[i], 2);
    }
    l.seed = 1;
    *state = &l;
    return taut_sweep_create(l.g, &l.sweep) == TAUT_OK ? 0 : -1;
}

static int teardown(void **state) {
    lab *l = *state;
    taut_sweep_free(&l->sweep);
    taut_sweep_free(&l->sweep); /* NULL is fine */
    taut_graph_free(&l->g);
    taut_arena_release(&l->arena);
    return 0;
}

static unsigned draw(lab *l, unsigned below) {
    l->seed = l->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(l->seed >> 33) % below;
}

/* Derivatives 0 .. TOP-1 of the variables at a time: what a motion is at one instant. */
typedef struct motion {
    double t, x[VARIABLES][TOP];
} motion;

static motion random_motion(lab *l) {
    motion m = {.t = 0.3};
    for (int j = 0; j < VARIABLES; j++)
        for (int k = 0; k < TOP; k++) m.x[j][k] = 0.2 + draw(l, 1000) * 1e-3;
    return m;
}

/* The value of a node, derivatives included, by Taylor arithmetic. */
static double value_at(lab *l, taut_node v, const motion *m) {
    taut_arena arena = {0};
    taut_tape *tape;
    taut_jet *jet;
    int d[VARIABLES];
    for (int j = 0; j < VARIABLES; j++) d[j] = TOP - 1;
    taut_node root[VARIABLES + 1] = {v};
    memcpy(root + 1, l->x, sizeof l->x);
    assert_int_equal(taut_tape_create(l->g, d, root, VARIABLES + 1, &arena, &tape), TAUT_OK);
    assert_int_equal(taut_jet_create(tape, 0, &arena, &jet), TAUT_OK);
    taut_jet_start(jet, m->t, 1);
    for (int j = 0; j < VARIABLES; j++) {
        double factorial = 1;
        for (int k = 0; k < TOP; factorial *= ++k)
            *taut_jet_at(jet, taut_tape_slot(tape, l->x[j]), k) = m->x[j][k] / factorial;
    }
    for (int s = tape->first_stage; s <= 0; s++) taut_jet_stage(jet, s);
    const int slot = taut_tape_slot(tape, v);
    assert_true(tape->instr[slot].offset >= 0);
    const double value = *taut_jet_at(jet, slot, 0);
    taut_arena_release(&arena);
    return value;
}

/* Moves along the motion by h. */
static motion moved(const motion *m, double h) {
    motion n = {.t = m->t + h};
    for (int j = 0; j < VARIABLES; j++)
        for (int k = 0; k < TOP; k++) {
            double factor = 1;
            for (int i = k; i < TOP; i++) {
                n.x[j][k] += m->x[j][i] * factor;
                factor *= h / (i - k + 1);
            }
        }
    return n;
}

static void sweep_of(lab *l, taut_sweep_mode mode, taut_node root) {
    taut_sweep_begin(l->sweep, mode, NULL);
    taut_sweep_seed(l->sweep, root, 1, taut_number(l->g, 1));
    assert_int_equal(taut_sweep_run(l->sweep), TAUT_OK);
}

/* d/d x_j^(k) of a node by a fourth-order central difference. */
static double difference(lab *l, taut_node v, const motion *m, int j, int k) {
    const double h = 1e-3;
    double f[4];
    for (int i = 0; i < 4; i++) {
        motion n = *m;
        n.x[j][k] += (double[]){-2, -1, 1, 2}[i] * h;
        f[i] = value_at(l, v, &n);
    }
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
}

/* A random smooth function of the given leaves; its values stay tame. */
static taut_node random_function(lab *l, const taut_node *leaf, unsigned leaves) {
    taut_graph *g = l->g;
    taut_node pool[20];
    unsigned n = 0;
    for (; n < leaves; n++) pool[n] = leaf[n];
    while (n < 20) {
        taut_node a = pool[draw(l, n)], b = pool[draw(l, n)], c;
        switch (draw(l, 10)) {
        case 0: c = taut_sum(g, 0.3, 2, (double[]){0.5, -1.5}, (taut_node[]){a, b}); break;
        case 1:
        case 2: c = taut_mul(g, a, b); break;
        case 3: c = taut_div(g, a, taut_add(g, taut_number(g, 2), taut_square(g, b))); break;
        case 4: c = taut_root(g, taut_add(g, taut_number(g, 1.5), taut_square(g, a))); break;
        case 5: c = taut_apply(g, TAUT_OP_SIN, a); break;
        case 6: c = taut_apply(g, TAUT_OP_TANH, taut_sub(g, a, b)); break;
        case 7: c = taut_apply(g, TAUT_OP_ATAN, a); break;
        case 8: c = taut_mul(g, taut_parameter(g, 0, 0.7), a); break;
        default:
            c = taut_power(g, taut_add(g, taut_number(g, 2), taut_square(g, a)),
                           taut_number(g, -0.7));
        }
        pool[n++] = taut_node_get(g, c)->steady ? a : c;
    }
    taut_node all = taut_number(g, 0);
    for (unsigned i = 14; i < 20; i++) all = taut_add(g, all, taut_apply(g, TAUT_OP_SIN, pool[i]));
    return all;
}

/* ---- PLAIN ---- */

static void test_plain_sweep_is_the_gradient(void **state) {
    lab *l = *state;
    for (int round = 0; round < 40; round++) {
        taut_node leaf[] = {l->x[0], l->x[1], l->x[2], l->x[3], l->v[0], l->t};
        taut_node f = random_function(l, leaf, 6);
        const motion m = random_motion(l);
        sweep_of(l, TAUT_SWEEP_PLAIN, f);
        for (int j = 0; j < VARIABLES; j++)
            assert_near(value_at(l, taut_sweep_find(l->sweep, l->x[j]), &m),
                        difference(l, f, &m, j, 0), 1e-8, 1e-8);
    }
}

static void test_seeds_add_up(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    /* 3 x0 d(x0 x1) + 2 d(x0^2 + x2): F.P for virtual work */
    taut_node xy = taut_mul(g, l->x[0], l->x[1]);
    taut_node other = taut_add(g, taut_square(g, l->x[0]), l->x[2]);
    taut_sweep_begin(l->sweep, TAUT_SWEEP_PLAIN, NULL);
    taut_sweep_seed(l->sweep, xy, 3, l->x[0]);
    taut_sweep_seed(l->sweep, other, 2, taut_number(g, 1));
    assert_int_equal(taut_sweep_run(l->sweep), TAUT_OK);
    const motion m = random_motion(l);
    const double x = m.x[0][0], y = m.x[1][0];
    assert_int_equal(taut_sweep_reached(l->sweep), 3);
    assert_near(value_at(l, taut_sweep_find(l->sweep, l->x[0]), &m), 3 * x * y + 4 * x, 0, 1e-14);
    assert_near(value_at(l, taut_sweep_find(l->sweep, l->x[1]), &m), 3 * x * x, 0, 1e-14);
    assert_true(taut_node_is_number(g, taut_sweep_find(l->sweep, l->x[2]), 2));
    assert_true(taut_node_is_number(g, taut_sweep_find(l->sweep, l->x[3]), 0));
}

static void test_reached_variables_are_in_order(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node f = taut_add(g, taut_mul(g, l->x[3], l->x[1]), taut_mul(g, l->v[0], l->x[2]));
    sweep_of(l, TAUT_SWEEP_PLAIN, f);
    assert_int_equal(taut_sweep_reached(l->sweep), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(taut_sweep_variable(l->sweep, i), l->x[i + 1]);
        assert_int_equal(taut_sweep_adjoint(l->sweep, i), taut_sweep_find(l->sweep, l->x[i + 1]));
    }
    assert_int_equal(taut_sweep_find(l->sweep, l->x[2]), l->v[0]);
}

static void test_cancelled_adjoints_are_not_reached(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    /* d/dx of sin(x y) - with a second seed that takes it away again */
    taut_node s = taut_apply(g, TAUT_OP_SIN, taut_mul(g, l->x[0], l->x[1]));
    taut_sweep_begin(l->sweep, TAUT_SWEEP_PLAIN, NULL);
    taut_sweep_seed(l->sweep, s, 1, l->x[2]);
    taut_sweep_seed(l->sweep, s, -1, l->x[2]);
    assert_int_equal(taut_sweep_run(l->sweep), TAUT_OK);
    assert_int_equal(taut_sweep_reached(l->sweep), 0);
}

/* ---- EULER ---- */

static double euler_of(lab *l, int j, const motion *m) {
    return value_at(l, taut_sweep_find(l->sweep, l->x[j]), m);
}

/* L = m/2 (r'^2 + r^2 phi'^2) + m g r cos phi */
static void test_euler_sweep_of_the_polar_pendulum(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    const double mass = 1.7, gravity = 9.81;
    taut_node M = taut_parameter(g, 0, mass), G = taut_parameter(g, 1, gravity);
    taut_node r = l->x[0], phi = l->x[1];
    taut_node kinetic = taut_mul(
        g, M,
        taut_scale(g, 0.5,
                   taut_add(g, taut_square(g, l->v[0]), taut_square(g, taut_mul(g, r, l->v[1])))));
    taut_node height = taut_mul(g, r, taut_apply(g, TAUT_OP_COS, phi));
    taut_node L = taut_add(g, kinetic, taut_mul(g, taut_mul(g, M, G), height));
    sweep_of(l, TAUT_SWEEP_EULER, L);
    assert_int_equal(taut_sweep_reached(l->sweep), 2);
    for (int round = 0; round < 10; round++) {
        const motion m = random_motion(l);
        const double R = m.x[0][0], Rd = m.x[0][1], Rdd = m.x[0][2];
        const double P = m.x[1][0], Pd = m.x[1][1], Pdd = m.x[1][2];
        assert_near(euler_of(l, 0, &m), mass * (R * Pd * Pd + gravity * cos(P) - Rdd), 1e-13,
                    1e-13);
        assert_near(euler_of(l, 1, &m),
                    -mass * (gravity * R * sin(P) + R * R * Pdd + 2 * R * Rd * Pd), 1e-13, 1e-13);
    }
}

/* L = w'^2/2 - w u, w = u v: w'' of the product appears. */
static void test_euler_sweep_through_a_primed_product(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node w = taut_mul(g, l->x[0], l->x[1]);
    taut_node L =
        taut_sub(g, taut_scale(g, 0.5, taut_square(g, taut_dot(g, w, 1))), taut_mul(g, w, l->x[0]));
    sweep_of(l, TAUT_SWEEP_EULER, L);
    for (int round = 0; round < 10; round++) {
        const motion m = random_motion(l);
        const double *u = m.x[0], *v = m.x[1];
        const double wdd = u[2] * v[0] + 2 * u[1] * v[1] + u[0] * v[2];
        assert_near(euler_of(l, 0, &m), -wdd * v[0] - 2 * u[0] * v[0], 1e-13, 1e-13);
        assert_near(euler_of(l, 1, &m), -wdd * u[0] - u[0] * u[0], 1e-13, 1e-13);
    }
}

/* L = x''^2/2 gives x''''; L = t x' gives -1; a total derivative gives nothing. */
static void test_euler_sweep_of_higher_and_total_derivatives(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    sweep_of(l, TAUT_SWEEP_EULER, taut_scale(g, 0.5, taut_square(g, l->a[0])));
    assert_int_equal(taut_sweep_find(l->sweep, l->x[0]), taut_dot(g, l->x[0], 4));
    sweep_of(l, TAUT_SWEEP_EULER, taut_mul(g, l->t, l->v[0]));
    assert_true(taut_node_is_number(g, taut_sweep_find(l->sweep, l->x[0]), -1));
    taut_node total = taut_dot(g, taut_apply(g, TAUT_OP_SIN, taut_mul(g, l->x[0], l->x[1])), 1);
    sweep_of(l, TAUT_SWEEP_EULER, total);
    assert_int_equal(taut_sweep_reached(l->sweep), 0);
    sweep_of(l, TAUT_SWEEP_EULER, taut_mul(g, l->x[0], l->v[0])); /* (x^2/2)' */
    assert_int_equal(taut_sweep_reached(l->sweep), 0);
}

/* Random L(q, q', t): dL/dq - d/dt dL/dq' with d/dq' by differences and d/dt along the motion. */
static void test_euler_sweep_of_random_lagrangians(void **state) {
    lab *l = *state;
    for (int round = 0; round < 20; round++) {
        taut_node leaf[] = {l->x[0], l->x[1], l->v[0], l->v[1], l->t};
        taut_node L = random_function(l, leaf, 5);
        const motion m = random_motion(l);
        sweep_of(l, TAUT_SWEEP_EULER, L);
        for (int j = 0; j < 2; j++) {
            const double h = 2e-3;
            double p[4];
            for (int i = 0; i < 4; i++) {
                const motion n = moved(&m, (double[]){-2, -1, 1, 2}[i] * h);
                p[i] = difference(l, L, &n, j, 1);
            }
            const double rate = (p[0] - 8 * p[1] + 8 * p[2] - p[3]) / (12 * h);
            assert_near(euler_of(l, j, &m), difference(l, L, &m, j, 0) - rate, 2e-7, 2e-7);
        }
    }
}

/* ---- VELOCITY ---- */

static void test_velocity_sweep_of_a_rayleigh_function(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node rate = taut_dot(g, taut_mul(g, l->x[0], l->x[1]), 1); /* of a defined name */
    taut_node R =
        taut_sum(g, 0, 3, (double[]){0.5, 1.5, 1},
                 (taut_node[]){taut_square(g, l->v[2]), taut_square(g, rate),
                               taut_mul(g, l->x[3], taut_power(g, l->v[0], taut_number(g, 3)))});
    sweep_of(l, TAUT_SWEEP_VELOCITY, R);
    assert_int_equal(taut_sweep_reached(l->sweep), 3); /* x3 only as itself */
    assert_int_equal(taut_sweep_find(l->sweep, l->x[2]), l->v[2]);
    for (int round = 0; round < 10; round++) {
        const motion m = random_motion(l);
        const double *u = m.x[0], *v = m.x[1];
        const double uv = u[1] * v[0] + u[0] * v[1];
        assert_near(euler_of(l, 0, &m), 3 * uv * v[0] + 3 * m.x[3][0] * u[1] * u[1], 1e-14, 1e-13);
        assert_near(euler_of(l, 1, &m), 3 * uv * u[0], 1e-14, 1e-13);
    }
}

static void test_velocity_sweep_of_random_functions(void **state) {
    lab *l = *state;
    for (int round = 0; round < 20; round++) {
        taut_node leaf[] = {l->x[0], l->x[1],
                            l->v[0], l->v[1],
                            l->t,    taut_dot(l->g, taut_apply(l->g, TAUT_OP_SIN, l->x[0]), 1)};
        taut_node f = random_function(l, leaf, 6);
        const motion m = random_motion(l);
        sweep_of(l, TAUT_SWEEP_VELOCITY, f);
        for (int j = 0; j < 2; j++)
            assert_near(euler_of(l, j, &m), difference(l, f, &m, j, 1), 1e-8, 1e-8);
    }
}

static void test_velocity_sweep_refuses_second_derivatives(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node bad[] = {l->a[0], taut_mul(g, l->a[0], l->v[1]),
                       taut_dot(g, taut_mul(g, l->v[0], l->x[1]), 1),
                       taut_square(g, taut_dot(g, taut_apply(g, TAUT_OP_SIN, l->x[2]), 3))};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        taut_sweep_begin(l->sweep, TAUT_SWEEP_VELOCITY, NULL);
        taut_sweep_seed(l->sweep, bad[i], 1, taut_number(g, 1));
        assert_int_equal(taut_sweep_run(l->sweep), TAUT_ERR_CALL);
    }
    /* and the sweep is clean again */
    sweep_of(l, TAUT_SWEEP_VELOCITY, taut_mul(g, l->x[0], l->v[0]));
    assert_int_equal(taut_sweep_reached(l->sweep), 1);
    assert_int_equal(taut_sweep_find(l->sweep, l->x[0]), l->x[0]);
}

/* ---- LEADING ---- */

/* J_ij = df_i / dx_j^(d_j - c_i) of x'' + lam x, y'' + lam y - g, x^2 + y^2 - 1. */
static void test_leading_sweep_is_the_jacobian_of_the_pendulum(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node x = l->x[0], y = l->x[1], lam = l->x[2];
    taut_node f[] = {
        taut_add(g, l->a[0], taut_mul(g, lam, x)),
        taut_sum(g, -9.81, 2, (double[]){1, 1}, (taut_node[]){l->a[1], taut_mul(g, lam, y)}),
        taut_sum(g, -1, 2, (double[]){1, 1}, (taut_node[]){taut_square(g, x), taut_square(g, y)})};
    int *offset;
    assert_int_equal(taut_tape_offsets(g, (int[]){2, 2, 0, 0}, &l->arena, &offset), TAUT_OK);
    assert_int_equal(offset[f[0]], 0);
    assert_int_equal(offset[f[1]], 0);
    assert_int_equal(offset[f[2]], 2);
    const taut_node one = taut_number(g, 1), none = taut_number(g, 0);
    const taut_node J[3][3] = {
        {one, none, x}, {none, one, y}, {taut_scale(g, 2, x), taut_scale(g, 2, y), none}};
    for (int i = 0; i < 3; i++) {
        taut_sweep_begin(l->sweep, TAUT_SWEEP_LEADING, offset);
        taut_sweep_seed(l->sweep, f[i], 1, one);
        assert_int_equal(taut_sweep_run(l->sweep), TAUT_OK);
        for (int j = 0; j < 3; j++) assert_int_equal(taut_sweep_find(l->sweep, l->x[j]), J[i][j]);
    }
}

/* x' y'' under a sine, and (x y)'': only the highest derivatives count. */
static void test_leading_sweep_takes_highest_derivatives_only(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node xy = taut_dot(g, taut_mul(g, l->x[0], l->x[1]), 2);
    taut_node f = taut_add(g, xy, taut_apply(g, TAUT_OP_SIN, taut_mul(g, l->v[0], l->a[1])));
    int *offset;
    assert_int_equal(taut_tape_offsets(g, (int[]){2, 2, 0, 0}, &l->arena, &offset), TAUT_OK);
    taut_sweep_begin(l->sweep, TAUT_SWEEP_LEADING, offset);
    taut_sweep_seed(l->sweep, f, 1, taut_number(g, 1));
    assert_int_equal(taut_sweep_run(l->sweep), TAUT_OK);
    const motion m = random_motion(l);
    assert_near(euler_of(l, 0, &m), difference(l, f, &m, 0, 2), 1e-9, 1e-9);
    assert_near(euler_of(l, 1, &m), difference(l, f, &m, 1, 2), 1e-9, 1e-9);
}

/* ---- size ---- */

static void test_sweeps_of_large_graphs_work(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    enum { MANY = 100000 };
    static taut_node term[MANY];
    static double one[MANY];
    taut_node product = taut_variable(g, 0);
    for (int i = 0; i < MANY; i++) {
        taut_node v = taut_variable(g, i);
        term[i] = taut_square(g, taut_dot(g, v, 1));
        one[i] = 0.5;
        if (i) product = taut_mul(g, product, v);
    }
    sweep_of(l, TAUT_SWEEP_EULER, taut_sum(g, 0, MANY, one, term));
    assert_int_equal(taut_sweep_reached(l->sweep), MANY);
    assert_int_equal(taut_sweep_find(l->sweep, taut_variable(g, 777)),
                     taut_scale(g, -1, taut_dot(g, taut_variable(g, 777), 2)));
    sweep_of(l, TAUT_SWEEP_PLAIN, product);
    assert_int_equal(taut_sweep_reached(l->sweep), MANY);
    assert_false(taut_graph_failed(g));
}

/* ---- EVERY ---- */

/* A root whose DIFF nodes stand before products and functions: Leibniz' rule at several orders. */
static void test_every_sweep_yields_all_orders(void **state) {
    lab *l = *state;
    for (int round = 0; round < 30; round++) {
        const taut_node leaf[] = {l->x[0], l->x[1], l->v[0], l->v[2]};
        const taut_node f = random_function(l, leaf, 4), g = random_function(l, leaf, 4);
        const taut_node root =
            taut_add(l->g, taut_mul(l->g, taut_dot(l->g, f, 2), g), taut_dot(l->g, g, 1));
        const motion m = random_motion(l);
        double found[VARIABLES][TOP] = {{0}};
        sweep_of(l, TAUT_SWEEP_EVERY, root);
        for (size_t i = 0; i < taut_sweep_reached(l->sweep); i++) {
            const int j = taut_node_get(l->g, taut_sweep_variable(l->sweep, i))->index;
            const int r = taut_sweep_order(l->sweep, i);
            assert_in_range(r, 0, 3);
            found[j][r] = value_at(l, taut_sweep_adjoint(l->sweep, i), &m);
        }
        for (int j = 0; j < VARIABLES; j++)
            for (int k = 0; k < TOP; k++)
                assert_near(found[j][k], difference(l, root, &m, j, k), 1e-7, 1e-7);
    }
}

static void test_every_sweep_says_where_it_ends(void **state) {
    lab *l = *state;
    const taut_node high = taut_dot(l->g, l->x[0], TAUT_SWEEP_ORDERS);
    taut_sweep_begin(l->sweep, TAUT_SWEEP_EVERY, NULL);
    taut_sweep_seed(l->sweep, high, 1, taut_number(l->g, 1));
    assert_int_equal(taut_sweep_run(l->sweep), TAUT_ERR_CALL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_plain_sweep_is_the_gradient),
        TEST(test_seeds_add_up),
        TEST(test_reached_variables_are_in_order),
        TEST(test_cancelled_adjoints_are_not_reached),
        TEST(test_euler_sweep_of_the_polar_pendulum),
        TEST(test_euler_sweep_through_a_primed_product),
        TEST(test_euler_sweep_of_higher_and_total_derivatives),
        TEST(test_euler_sweep_of_random_lagrangians),
        TEST(test_velocity_sweep_of_a_rayleigh_function),
        TEST(test_velocity_sweep_of_random_functions),
        TEST(test_velocity_sweep_refuses_second_derivatives),
        TEST(test_leading_sweep_is_the_jacobian_of_the_pendulum),
        TEST(test_leading_sweep_takes_highest_derivatives_only),
        TEST(test_every_sweep_yields_all_orders),
        TEST(test_every_sweep_says_where_it_ends),
        TEST(test_sweeps_of_large_graphs_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
