/* Tests of tree/recursion: the articulated bodies against the mass matrix of composite bodies,
 * against Newton's and Euler's laws, and against formulas known in closed form; the plane against
 * space. */
#include "check.h"

#include <string.h>

#include "tree/recursion.h"

enum { MOST = 60 };

static double draw(uint64_t *seed) { /* in (-1, 1) */
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed / 9.3e18;
}

/* Some rotation: by Rodrigues about a random axis. */
static void draw_axes(uint64_t *seed, double axes[3][3]) {
    double u[3] = {draw(seed), draw(seed), draw(seed)}, angle = 3.0 * draw(seed);
    const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int i = 0; i < 3; i++) u[i] /= length;
    const double skew[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axes[i][k] =
                cos(angle) * (i == k) + sin(angle) * skew[i][k] + (1.0 - cos(angle)) * u[i] * u[k];
}

/* A tree with every kind of hinge, branches, and limbs without mass inside. */
static int draw_tree(uint64_t *seed, int dimension, taut_limb *limb) {
    static const taut_hinge_kind kind[] = {TAUT_HINGE_TURN, TAUT_HINGE_SLIDE, TAUT_HINGE_BALL,
                                           TAUT_HINGE_FIXED};
    const int limbs = 12;
    for (int i = 0; i < limbs; i++) {
        taut_limb *l = &limb[i];
        memset(l, 0, sizeof *l);
        l->parent = i < 3 ? i - 1 : (i * 7 + 3) % i;
        l->hinge = kind[(i + i / 4) % 4];
        if (dimension == 2 && l->hinge == TAUT_HINGE_BALL) l->hinge = TAUT_HINGE_TURN;
        for (int k = 0; k < dimension; k++) {
            l->place[k] = draw(seed);
            l->centroid[k] = draw(seed);
        }
        draw_axes(seed, l->axes);
        if (dimension == 2) {
            const double angle = 3.0 * draw(seed);
            const double turned[3][3] = {
                {cos(angle), -sin(angle), 0}, {sin(angle), cos(angle), 0}, {0, 0, 1}};
            memcpy(l->axes, turned, sizeof turned);
        }
        l->weightless = i == 5;
        l->mass = i == 4 ? 0.0 : 1.0 + 0.5 * draw(seed); /* 11 hangs on 4 */
        for (int k = 0; k < 3 && i != 4; k++)
            for (int m = 0; m <= k; m++)
                l->inertia[k][m] = l->inertia[m][k] =
                    k == m ? 1.0 + 0.5 * draw(seed) : 0.1 * draw(seed);
    }
    limb[11].parent = 4;
    return limbs;
}

/* A Cholesky factor and a solution with it; n x n. */
static void solve_dense(int n, double *a, double *b) {
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
        assert_true(a[j * n + j] > 0.0);
        const double root = sqrt(a[j * n + j]);
        for (int i = j; i < n; i++) a[i * n + j] /= root;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
}

static void check_tree(int dimension, uint64_t seed) {
    static const double gravity[3] = {0.3, -9.81, 1.7};
    taut_limb limb[MOST];
    double q[MOST], v[MOST], f[MOST], a[MOST], back[MOST], bias[MOST], mass[MOST * MOST];
    const int limbs = draw_tree(&seed, dimension, limb);
    taut_recursion *r;
    assert_int_equal(taut_recursion_create(dimension, limb, limbs, gravity, &r), TAUT_OK);
    const int n = taut_recursion_rates(r);
    for (int i = 0; i < taut_recursion_coordinates(r); i++) q[i] = draw(&seed);
    for (int i = 0; i < limbs; i++) { /* unit quaternions */
        double *e = &q[taut_recursion_coordinate_of(r, i)];
        if (limb[i].hinge != TAUT_HINGE_BALL) continue;
        const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        for (int k = 0; k < 4; k++) e[k] /= length;
    }
    for (int i = 0; i < n; i++) {
        v[i] = draw(&seed);
        f[i] = draw(&seed);
    }
    assert_true(taut_recursion_accelerate(r, q, v, f, a));
    taut_recursion_inverse(r, q, v, a, back); /* there and back */
    for (int i = 0; i < n; i++) assert_near(back[i], f[i], 1e-12, 0);
    memset(back, 0, sizeof back);
    taut_recursion_inverse(r, q, v, back, bias); /* M a = f - bias */
    taut_recursion_mass(r, q, mass);
    for (int i = 0; i < n; i++) back[i] = f[i] - bias[i];
    solve_dense(n, mass, back);
    for (int i = 0; i < n; i++) assert_near(a[i], back[i], 1e-12, 1e-12);
    taut_recursion_accelerate(r, q, v, f, a); /* M x = f alone */
    taut_recursion_solve(r, 0, limbs - 1, f, a);
    taut_recursion_mass(r, q, mass);
    solve_dense(n, mass, f);
    for (int i = 0; i < n; i++) assert_near(a[i], f[i], 1e-12, 1e-12);
    /* guided hinges: the force that they take, and the others as if it acted */
    for (int i = 0; i < limbs; i++)
        if (limb[i].hinge == TAUT_HINGE_SLIDE || i == 0) taut_recursion_guide(r, i);
    for (int i = 0; i < n; i++) a[i] = f[i] = draw(&seed);
    taut_recursion_set_guiding(r, true);
    taut_recursion_accelerate(r, q, v, f, a);
    for (int i = 0; i < limbs; i++) {
        if (limb[i].hinge != TAUT_HINGE_SLIDE && i != 0) continue;
        const int at = taut_recursion_rate_of(r, i);
        assert_true(a[at] == f[at]); /* as given */
        back[at] = taut_recursion_guided_force(r, i);
    }
    for (int i = 0; i < limbs; i++) {
        const int at = taut_recursion_rate_of(r, i);
        if (limb[i].hinge == TAUT_HINGE_SLIDE || i == 0) f[at] = back[at];
    }
    taut_recursion_inverse(r, q, v, a, back);
    for (int i = 0; i < n; i++) assert_near(back[i], f[i], 1e-11, 1e-12);
    taut_recursion_free(&r);
}

static void trees(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        check_tree(2, seed);
        check_tree(3, seed);
    }
}

/* The same planar tree in space: hinges turn about z, and slide along what z is turned to. */
static void plane_in_space(void **state) {
    (void)state;
    static const double gravity[3] = {0.3, -9.81, 0.0};
    uint64_t seed = 7;
    taut_limb limb[MOST], other[MOST];
    double q[MOST], v[MOST], f[MOST], a[MOST], b[MOST], origin[2][3], axes[2][3][3];
    const int limbs = draw_tree(&seed, 2, limb);
    memset(other, 0, sizeof other);
    for (int i = 0; i < limbs; i++) { /* axes of a slide: its z is our x, its x our y */
        const bool slides = limb[i].hinge == TAUT_HINGE_SLIDE;
        const bool parent = limb[i].parent >= 0 && limb[limb[i].parent].hinge == TAUT_HINGE_SLIDE;
        static const int plain[3] = {0, 1, 2}, cycled[3] = {1, 2, 0};
        const int *own = slides ? cycled : plain, *of = parent ? cycled : plain;
        other[i] = limb[i];
        for (int k = 0; k < 3; k++) {
            other[i].place[k] = of[k] == 2 ? 0.0 : limb[i].place[of[k]];
            other[i].centroid[k] = own[k] == 2 ? 0.0 : limb[i].centroid[own[k]];
            for (int m = 0; m < 3; m++) {
                other[i].axes[k][m] = limb[i].axes[of[k]][own[m]];
                other[i].inertia[k][m] = limb[i].inertia[own[k]][own[m]];
            }
        }
    }
    taut_recursion *plane, *space;
    assert_int_equal(taut_recursion_create(2, limb, limbs, gravity, &plane), TAUT_OK);
    assert_int_equal(taut_recursion_create(3, other, limbs, gravity, &space), TAUT_OK);
    assert_int_equal(taut_recursion_rates(plane), taut_recursion_rates(space));
    for (int i = 0; i < taut_recursion_rates(plane); i++) {
        q[i] = draw(&seed);
        v[i] = draw(&seed);
        f[i] = draw(&seed);
    }
    assert_true(taut_recursion_accelerate(plane, q, v, f, a));
    assert_true(taut_recursion_accelerate(space, q, v, f, b));
    for (int i = 0; i < taut_recursion_rates(plane); i++) assert_near(a[i], b[i], 1e-12, 1e-12);
    for (int i = 0; i < limbs; i++) {
        taut_recursion_pose(plane, i, origin[0], axes[0]);
        taut_recursion_pose(space, i, origin[1], axes[1]);
        for (int k = 0; k < 3; k++) assert_near(origin[0][k], origin[1][k], 1e-13, 0);
        const int x = limb[i].hinge == TAUT_HINGE_SLIDE ? 2 : 0; /* where its x axis is */
        for (int k = 0; k < 3; k++) assert_near(axes[0][k][0], axes[1][k][x], 1e-13, 0);
    }
    taut_recursion_free(&plane);
    taut_recursion_free(&space);
}

static void put(taut_limb *limb, int parent, taut_hinge_kind hinge, double x) {
    *limb = (taut_limb){.parent = parent, .hinge = hinge, .place = {x}};
    for (int i = 0; i < 3; i++) limb->axes[i][i] = 1.0;
}

/* Two masses on massless rods of lengths 2 and 3: the angles' accelerations are in every textbook.
 */
static void double_pendulum(void **state) {
    (void)state;
    static const double gravity[3] = {0.0, -9.81, 0.0}, g = 9.81;
    const double l1 = 2.0, l2 = 3.0, m1 = 1.5, m2 = 0.7;
    taut_limb limb[2];
    put(&limb[0], -1, TAUT_HINGE_TURN, 0.0);
    put(&limb[1], 0, TAUT_HINGE_TURN, l1);
    limb[0].mass = m1;
    limb[0].centroid[0] = l1;
    limb[1].mass = m2;
    limb[1].centroid[0] = l2;
    taut_recursion *r;
    assert_int_equal(taut_recursion_create(2, limb, 2, gravity, &r), TAUT_OK);
    /* t1, t2 from the vertical, w1, w2 their rates; ours are from the x axis, the second relative
     */
    const double t1 = 0.4, t2 = -0.9, w1 = 1.1, w2 = 2.3;
    const double q[2] = {t1 - M_PI / 2, t2 - t1}, v[2] = {w1, w2 - w1};
    double a[2];
    assert_true(taut_recursion_accelerate(r, q, v, NULL, a));
    const double d = t1 - t2, below = 2.0 * m1 + m2 - m2 * cos(2.0 * d);
    const double a1 = (-g * (2.0 * m1 + m2) * sin(t1) - m2 * g * sin(t1 - 2.0 * t2) -
                       2.0 * sin(d) * m2 * (w2 * w2 * l2 + w1 * w1 * l1 * cos(d))) /
                      (l1 * below);
    const double a2 =
        2.0 * sin(d) *
        (w1 * w1 * l1 * (m1 + m2) + g * (m1 + m2) * cos(t1) + w2 * w2 * l2 * m2 * cos(d)) /
        (l2 * below);
    assert_near(a[0], a1, 1e-13, 1e-14);
    assert_near(a[0] + a[1], a2, 1e-13, 1e-14);
    taut_recursion_free(&r);
}

/* A free body without forces: Euler's equations along its axes. */
static void free_body(void **state) {
    (void)state;
    static const double gravity[3] = {0.0, 0.0, 0.0}, I[3] = {1.0, 2.0, 3.5};
    taut_limb limb;
    put(&limb, -1, TAUT_HINGE_BALL, 0.0);
    limb.mass = 1.0;
    for (int i = 0; i < 3; i++) limb.inertia[i][i] = I[i];
    taut_recursion *r;
    assert_int_equal(taut_recursion_create(3, &limb, 1, gravity, &r), TAUT_OK);
    const double q[4] = {0.5, -0.5, 0.1, 0.7}, w[3] = {0.3, -1.2, 0.8};
    double a[3];
    assert_true(taut_recursion_accelerate(r, q, w, NULL, a));
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        assert_near(a[i], (I[j] - I[k]) * w[j] * w[k] / I[i], 1e-14, 0);
    }
    taut_recursion_free(&r);
}

/* A limb at the end without mass can be moved by nothing. */
static void without_mass(void **state) {
    (void)state;
    static const double gravity[3] = {0.0, 0.0, 0.0};
    taut_limb limb;
    put(&limb, -1, TAUT_HINGE_TURN, 0.0);
    for (int dimension = 2; dimension <= 3; dimension++) {
        taut_recursion *r;
        const double q = 0.0, v = 0.0;
        double a;
        assert_int_equal(taut_recursion_create(dimension, &limb, 1, gravity, &r), TAUT_OK);
        assert_false(taut_recursion_accelerate(r, &q, &v, NULL, &a));
        taut_recursion_free(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),           cmocka_unit_test(plane_in_space),
        cmocka_unit_test(double_pendulum), cmocka_unit_test(free_body),
        cmocka_unit_test(without_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
