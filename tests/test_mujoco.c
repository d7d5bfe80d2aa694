/* Imported models against MuJoCo (Debian's libmujoco), an engine of its own: accelerations at
 * random states, motions over a second, trees and closed loops. MuJoCo's equalities are soft; where
 * loops are closed its mass matrix, forces and Jacobian are put into the equations of rigid ones
 * here. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "solve_text.h"
#include "taut/taut.h"

enum { STATES = 100, MOST = 40 };
static const char *const FORM[] = {"natural", "relative"};

static double random_number(void) { return 2.0 * rand() / RAND_MAX - 1.0; }

/* ---- both models ---- */

typedef struct pair {
    mjModel *m;
    mjData *d;
    char *text;   /* of the model file */
    size_t parts; /* as much of it as is before ProblemData */
} pair;

static pair load(const char *name) {
    char path[512], error[1000] = "";
    pair p = {0};
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/tests/models/import/%s.xml", TAUT_SOURCE_DIR, name);
    p.m = mj_loadXML(path, NULL, error, sizeof error);
    if (!p.m) fail_msg("MuJoCo: %s", error);
    p.m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_WARMSTART;
    p.m->opt.jacobian = mjJAC_DENSE;
    p.d = mj_makeData(p.m);
    if (taut_import(path, &p.text, NULL, &errors) != TAUT_OK) show_errors(&errors);
    assert_non_null(p.text);
    char *end = strstr(p.text, "ProblemData:");
    assert_non_null(end);
    p.parts = (size_t)(end - p.text);
    return p;
}

static void unload(pair *p) {
    mj_deleteData(p->d);
    mj_deleteModel(p->m);
    taut_text_free(&p->text);
}

static const char *joint_name(const pair *p, int j) { return mj_id2name(p->m, mjOBJ_JOINT, j); }

/* The coordinate of a joint as the model calls it: a name that formulas use is changed. */
static const char *label(const pair *p, int j, char *text, size_t size) {
    const char *name = joint_name(p, j);
    snprintf(text, size, "%s%s", name, strcmp(name, "cross") == 0 ? "_2" : "");
    return text;
}

static bool is_scalar(const pair *p, int j) {
    return p->m->jnt_type[j] == mjJNT_HINGE || p->m->jnt_type[j] == mjJNT_SLIDE;
}

/* ---- bodies that are free, or on a ball ---- */

/* Angular velocity of a body and its rate in world axes: those of its joint are along its own. */
static void turn_rates(const pair *p, int j, const mjtNum *rate, double w[3]) {
    const int body = p->m->jnt_bodyid[j];
    const int at = p->m->jnt_dofadr[j] + (p->m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
    for (int i = 0; i < 3; i++) {
        w[i] = 0.0;
        for (int k = 0; k < 3; k++) w[i] += p->d->xmat[9 * body + 3 * i + k] * rate[at + k];
    }
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Axis k of a body, and its first and second derivative. */
static void axis_motion(const pair *p, int j, int k, double v[3][3]) {
    const int body = p->m->jnt_bodyid[j];
    double w[3], a[3], more[3];
    turn_rates(p, j, p->d->qvel, w);
    turn_rates(p, j, p->d->qacc, a);
    for (int i = 0; i < 3; i++) v[0][i] = p->d->xmat[9 * body + 3 * i + k];
    cross(w, v[0], v[1]);
    cross(a, v[0], v[2]);
    cross(w, v[1], more);
    for (int i = 0; i < 3; i++) v[2][i] += more[i];
}

/* ---- states ---- */

static void shake(const pair *p) {
    for (int i = 0; i < p->m->nv; i++) p->d->qvel[i] = 2.0 * random_number();
    mju_copy(p->d->qpos, p->m->qpos0, p->m->nq);
    for (int j = 0; j < p->m->njnt; j++) {
        const int at = p->m->jnt_qposadr[j];
        if (is_scalar(p, j)) {
            p->d->qpos[at] = (p->m->jnt_type[j] == mjJNT_HINGE ? 1.2 : 0.2) * random_number();
            continue;
        }
        const int turn = at + (p->m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
        for (int i = at; i < turn; i++) p->d->qpos[i] = random_number();
        for (int i = 0; i < 4; i++) p->d->qpos[turn + i] = random_number();
        mju_normalize4(p->d->qpos + turn);
    }
    mj_forward(p->m, p->d);
}

static int add_vector(char *text, size_t room, const char *letter, const char *body,
                      const double v[3]) {
    return snprintf(text, room, "    %s_%s: [%.17g, %.17g, %.17g]\n", letter, body, v[0], v[1],
                    v[2]);
}

static void fix(char *list, const char *letter, const char *name) {
    strcat(strcat(strcat(list, list[0] ? ", " : ""), letter), name);
}

/* The state as initial values: coordinates, or points and vectors. */
static void write_state(const pair *p, char *text, size_t room) {
    size_t n =
        (size_t)snprintf(text, room, "%.*sProblemData:\n  tend: 1\n", (int)p->parts, p->text);
    char fixed[2][2000] = {"", ""}, name[100];
    for (int order = 0; order < 2; order++) {
        n += (size_t)snprintf(text + n, room - n, "  %s:\n", order ? "velocities" : "positions");
        for (int j = 0; j < p->m->njnt; j++) {
            const char *body = mj_id2name(p->m, mjOBJ_BODY, p->m->jnt_bodyid[j]);
            double v[3][3];
            if (is_scalar(p, j)) {
                const double x =
                    order ? p->d->qvel[p->m->jnt_dofadr[j]] : p->d->qpos[p->m->jnt_qposadr[j]];
                n += (size_t)snprintf(text + n, room - n, "    %s: %.17g\n",
                                      label(p, j, name, sizeof name), x);
                fix(fixed[order], "", name);
                continue;
            }
            for (int k = 0; k < 2; k++) {
                axis_motion(p, j, k, v);
                n += (size_t)add_vector(text + n, room - n, k ? "y" : "x", body, v[order]);
                fix(fixed[order], k ? "y_" : "x_", body);
            }
            if (p->m->jnt_type[j] == mjJNT_FREE) fix(fixed[order], "O_", body);
            if (p->m->jnt_type[j] == mjJNT_FREE)
                n += (size_t)add_vector(text + n, room - n, "O", body,
                                        order ? p->d->qvel + p->m->jnt_dofadr[j]
                                              : p->d->qpos + p->m->jnt_qposadr[j]);
        }
    }
    n += (size_t)snprintf(text + n, room - n, "  fixedpositions: [%s]\n  fixedvelocities: [%s]\n",
                          fixed[0], fixed[1]);
    assert_true(n < room);
}

static void expect(const solution *s, long row, const char *name, double value, double limit) {
    const double x = value_of(s, row, name);
    if (!(fabs(x - value) <= limit * fmax(1.0, fabs(value))))
        fail_msg("%s is %.17g, MuJoCo has %.17g", name, x, value);
}

static void expect_vector(const solution *s, long row, const char *letter, const char *body,
                          const char *primes, const double v[3], double limit) {
    char name[100];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s_%s%c%s", letter, body, "xyz"[i], primes);
        expect(s, row, name, v[i], limit);
    }
}

/* Coordinates, rates (order 1) or accelerations (2) of a row are MuJoCo's. */
static void must_be_mujocos(const pair *p, const solution *s, long row, int order, double limit) {
    static const char *const PRIME[] = {"", "'", "''"};
    const mjtNum *const value[] = {p->d->qpos, p->d->qvel, p->d->qacc};
    for (int j = 0; j < p->m->njnt; j++) {
        const char *body = mj_id2name(p->m, mjOBJ_BODY, p->m->jnt_bodyid[j]);
        const int at = order ? p->m->jnt_dofadr[j] : p->m->jnt_qposadr[j];
        char name[120], plain[100];
        double v[3][3];
        if (is_scalar(p, j)) {
            snprintf(name, sizeof name, "%s%s", label(p, j, plain, sizeof plain), PRIME[order]);
            expect(s, row, name, value[order][at], limit);
            continue;
        }
        for (int k = 0; k < 2; k++) {
            axis_motion(p, j, k, v);
            expect_vector(s, row, k ? "y" : "x", body, PRIME[order], v[order], limit);
        }
        if (p->m->jnt_type[j] == mjJNT_FREE)
            expect_vector(s, row, "O", body, PRIME[order], value[order] + at, limit);
    }
}

/* ---- trees ---- */

static solution *solve(const char *text, const char *form, double tol, const double *at, int ats) {
    taut_run_options options = at_tolerance(tol);
    options.formulation = form;
    options.derivatives = 2;
    options.at = at;
    options.ats = ats;
    return solve_text(text, &options);
}

static void test_accelerations_of_trees(void **state) {
    static const char *const NAME[] = {"tree", "flying", "masses"};
    static const double LIMIT[] = {1e-10, 1e-10, 1e-6};
    static char text[20000];
    const double start = 0.0;
    (void)state;
    srand(1);
    for (int f = 0; f < 3; f++) {
        pair p = load(NAME[f]);
        for (int k = 0; k < STATES; k++) {
            shake(&p);
            write_state(&p, text, sizeof text);
            solution *s = solve(text, FORM[k % 2], 1e-12, &start, 1);
            must_be_mujocos(&p, s, 0, 1, 1e-10);
            must_be_mujocos(&p, s, 0, 2, LIMIT[f]);
            solution_free(s);
        }
        unload(&p);
    }
}

/* ---- accelerations with equalities ---- */

/* J v with the Jacobian J of the equalities at these positions. */
static void constraint_rates(const pair *p, const double *q, const double *v, double *out) {
    mju_copy(p->d->qpos, q, p->m->nq);
    mju_copy(p->d->qvel, v, p->m->nv);
    mj_fwdPosition(p->m, p->d);
    mju_mulMatVec(out, p->d->efc_J, v, p->d->nefc, p->m->nv);
}

/* J' v, by differences of order 6 along the motion. */
static void find_bias(const pair *p, const double *q, const double *v, double *bias) {
    static const double WEIGHT[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    const double h = 2e-3;
    double there[MOST], out[MOST];
    mju_zero(bias, MOST);
    for (int k = 1; k <= 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < p->m->nq; i++) there[i] = q[i] + side * k * h * v[i];
            constraint_rates(p, there, v, out);
            for (int i = 0; i < p->d->nefc; i++) bias[i] += side * WEIGHT[k - 1] * out[i] / h;
        }
}

/* a = a0 - M^-1 J^T (J M^-1 J^T)^-1 (J a0 + J' v), a0 without equalities. */
static void accelerate(const pair *p, const double *q, const double *v, double *a) {
    double bias[MOST], A[MOST * MOST], row[MOST];
    const int nv = p->m->nv;
    if (p->m->neq > 0) find_bias(p, q, v, bias);
    mju_copy(p->d->qpos, q, p->m->nq);
    mju_copy(p->d->qvel, v, nv);
    mj_forward(p->m, p->d);
    const int n = p->d->nefc;
    mju_copy(a, p->d->qacc, nv);
    if (p->m->neq == 0) return;
    const mjtNum *J = p->d->efc_J;
    double *W = calloc((size_t)(n * nv), sizeof *W); /* rows of J M^-1 */
    assert_true(W && n < MOST);
    for (int i = 0; i < n; i++) mj_solveM(p->m, p->d, W + i * nv, J + i * nv, 1);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) A[i * n + k] = mju_dot(J + i * nv, W + k * nv, nv);
        row[i] = mju_dot(J + i * nv, p->d->qacc_smooth, nv) + bias[i];
    }
    assert_int_equal(mju_cholFactor(A, n, 1e-14), n);
    mju_cholSolve(row, A, row, n);
    mju_copy(a, p->d->qacc_smooth, nv);
    for (int i = 0; i < n; i++) mju_addToScl(a, W + i * nv, -row[i], nv);
    free(W);
}

/* ---- motions ---- */

/* Rates of positions: Euler parameters turn with the angular velocity along the body's axes. */
static void position_rates(const pair *p, const double *q, const double *v, double *rate) {
    for (int j = 0; j < p->m->njnt; j++) {
        const int at = p->m->jnt_qposadr[j], dof = p->m->jnt_dofadr[j];
        const int shift = p->m->jnt_type[j] == mjJNT_FREE ? 3 : is_scalar(p, j) ? 1 : 0;
        for (int i = 0; i < shift; i++) rate[at + i] = v[dof + i];
        if (is_scalar(p, j)) continue;
        const double *e = q + at + shift, *w = v + dof + shift;
        const double half[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
        mju_mulQuat(rate + at + shift, e, half);
    }
}

/* Over a second from MuJoCo's state on, by the classical Runge-Kutta method. (Its own is of order 4
 * for hinges and slides only.) */
static void integrate(const pair *p, int steps) {
    static const double PART[] = {0.0, 0.5, 0.5, 1.0}, WEIGHT[] = {1.0, 2.0, 2.0, 1.0};
    const int nq = p->m->nq, nv = p->m->nv;
    const double h = 1.0 / steps;
    double q[MOST], v[MOST], there[MOST], fast[MOST], k[4][2][MOST];
    mju_copy(q, p->d->qpos, nq);
    mju_copy(v, p->d->qvel, nv);
    for (int step = 0; step < steps; step++) {
        for (int r = 0; r < 4; r++) {
            for (int i = 0; i < nq; i++) there[i] = q[i] + (r ? h * PART[r] * k[r - 1][0][i] : 0.0);
            for (int i = 0; i < nv; i++) fast[i] = v[i] + (r ? h * PART[r] * k[r - 1][1][i] : 0.0);
            position_rates(p, there, fast, k[r][0]);
            accelerate(p, there, fast, k[r][1]);
        }
        for (int r = 0; r < 4; r++) {
            mju_addToScl(q, k[r][0], h / 6.0 * WEIGHT[r], nq);
            mju_addToScl(v, k[r][1], h / 6.0 * WEIGHT[r], nv);
        }
    }
    mju_copy(p->d->qpos, q, nq);
    mju_copy(p->d->qvel, v, nv);
    mj_forward(p->m, p->d);
}

static void test_motions_of_trees(void **state) {
    static const char *const NAME[] = {"tree", "flying"};
    static char text[20000];
    const double end = 1.0;
    (void)state;
    srand(2);
    for (int f = 0; f < 2; f++) {
        pair p = load(NAME[f]);
        shake(&p);
        for (int i = 0; i < p.m->nv; i++) p.d->qvel[i] *= 0.5;
        mj_forward(p.m, p.d);
        write_state(&p, text, sizeof text);
        integrate(&p, 4000);
        for (int k = 0; k < 2; k++) {
            solution *s = solve(text, FORM[k], 1e-13, &end, 1);
            must_be_mujocos(&p, s, 0, 0, 1e-9);
            must_be_mujocos(&p, s, 0, 1, 1e-9);
            solution_free(s);
        }
        unload(&p);
    }
}

/* ---- closed loops ---- */

static void test_loops(void **state) {
    (void)state;
    static char text[20000];
    double at[STATES];
    pair p = load("loop");
    snprintf(text, sizeof text, "%s  velocities: {drive: 3}\n  fixedvelocities: [drive]\n", p.text);
    for (int i = 0; i < STATES; i++) at[i] = (i + 1.0) / STATES;
    solution *s[2];
    for (int k = 0; k < 2; k++) s[k] = solve(text, FORM[k], 1e-13, at, STATES);
    double q[MOST], v[MOST], a[MOST];
    for (int k = 0; k < 2; k++)
        for (long i = 0; i < STATES; i++) { /* accelerations at the states of the motion */
            char name[100], primed[110];
            for (int j = 0; j < p.m->njnt; j++) {
                label(&p, j, name, sizeof name);
                snprintf(primed, sizeof primed, "%s'", name);
                q[j] = value_of(s[k], i, name);
                v[j] = value_of(s[k], i, primed);
            }
            accelerate(&p, q, v, a);
            mju_copy(p.d->qacc, a, p.m->nv);
            must_be_mujocos(&p, s[k], i, 2, 1e-10);
        }
    for (long i = 0; i < STATES; i += 33) /* one formulation as the other */
        for (int j = 0; j < p.m->njnt; j++) {
            char name[100];
            label(&p, j, name, sizeof name);
            assert_near(value_of(s[0], i, name), value_of(s[1], i, name), 1e-11, 0.0);
        }
    for (int k = 0; k < 2; k++) solution_free(s[k]);
    unload(&p);
}

static void test_motion_of_a_loop(void **state) {
    (void)state;
    static char text[20000];
    const double at[2] = {0.0, 1.0};
    pair p = load("loop");
    snprintf(text, sizeof text, "%s  velocities: {drive: 3}\n  fixedvelocities: [drive]\n", p.text);
    solution *s = solve(text, "relative", 1e-13, at, 2);
    for (int j = 0; j < p.m->nv; j++) {
        char name[100], primed[110];
        snprintf(primed, sizeof primed, "%s'", label(&p, j, name, sizeof name));
        p.d->qpos[j] = value_of(s, 0, name);
        p.d->qvel[j] = value_of(s, 0, primed);
    }
    integrate(&p, 2000);
    must_be_mujocos(&p, s, 1, 0, 1e-9);
    must_be_mujocos(&p, s, 1, 1, 1e-9);
    solution_free(s);
    unload(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations_of_trees), cmocka_unit_test(test_motions_of_trees),
        cmocka_unit_test(test_loops), cmocka_unit_test(test_motion_of_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
