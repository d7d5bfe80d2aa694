/* Imported models against MuJoCo: accelerations at random states, motions over a second, trees and
 * closed loops. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mujoco_pair.h"

enum { STATES = 100, MOST = MUJOCO_SPEEDS };
static const char *const FORM[] = {"natural", "relative"};

static mujoco_pair load(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/tests/models/import/%s.xml", TAUT_SOURCE_DIR, name);
    return mujoco_load(path, path);
}

/* ---- trees ---- */

static void test_accelerations_of_trees(void **state) {
    static const char *const NAME[] = {"tree", "flying", "springs", "classes", "masses", "solid"};
    static const double LIMIT[] = {1e-10, 1e-10, 1e-10, 1e-10, 1e-6, 1e-6};
    const double start = 0.0;
    (void)state;
    srand(1);
    for (int f = 0; f < 6; f++) {
        mujoco_pair p = load(NAME[f]);
        for (int k = 0; k < STATES; k++) {
            mujoco_shake(&p);
            mujoco_write_state(&p);
            solution *s = mujoco_solve(p.state, FORM[k % 2], 1e-12, &start, 1);
            mujoco_expect(&p, s, 0, 1, 1e-10, 1.0);
            mujoco_expect(&p, s, 0, 2, LIMIT[f], 1.0);
            solution_free(s);
        }
        mujoco_unload(&p);
    }
}

/* ---- motions ---- */

/* Rates of positions: Euler parameters turn with the angular velocity along the body's axes. */
static void position_rates(const mujoco_pair *p, const double *q, const double *v, double *rate) {
    for (int j = 0; j < p->m->njnt; j++) {
        const int at = p->m->jnt_qposadr[j], dof = p->m->jnt_dofadr[j];
        const int shift = p->m->jnt_type[j] == mjJNT_FREE ? 3 : mujoco_is_scalar(p, j) ? 1 : 0;
        for (int i = 0; i < shift; i++) rate[at + i] = v[dof + i];
        if (mujoco_is_scalar(p, j)) continue;
        const double *e = q + at + shift, *w = v + dof + shift;
        const double half[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
        mju_mulQuat(rate + at + shift, e, half);
    }
}

/* Over a second from MuJoCo's state on, by the classical Runge-Kutta method. (Its own is of order 4
 * for hinges and slides only.) */
static void integrate(const mujoco_pair *p, int steps) {
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
            mujoco_accelerate(p, there, fast, k[r][1]);
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
    static const char *const NAME[] = {"tree", "flying", "springs"};
    const double end = 1.0;
    (void)state;
    srand(2);
    for (int f = 0; f < 3; f++) {
        mujoco_pair p = load(NAME[f]);
        mujoco_shake(&p);
        for (int i = 0; i < p.m->nv; i++) p.d->qvel[i] *= 0.5;
        mj_forward(p.m, p.d);
        mujoco_write_state(&p);
        integrate(&p, 4000);
        for (int k = 0; k < 2; k++) {
            solution *s = mujoco_solve(p.state, FORM[k], 1e-13, &end, 1);
            mujoco_expect(&p, s, 0, 0, 1e-9, 1.0);
            mujoco_expect(&p, s, 0, 1, 1e-9, 1.0);
            solution_free(s);
        }
        mujoco_unload(&p);
    }
}

/* ---- closed loops ---- */

static void test_loops(void **state) {
    (void)state;
    static char text[20000];
    double at[STATES];
    mujoco_pair p = load("loop");
    snprintf(text, sizeof text, "%s  velocities: {drive: 3}\n  fixedvelocities: [drive]\n", p.text);
    for (int i = 0; i < STATES; i++) at[i] = (i + 1.0) / STATES;
    solution *s[2];
    for (int k = 0; k < 2; k++) s[k] = mujoco_solve(text, FORM[k], 1e-13, at, STATES);
    double q[MOST], v[MOST], a[MOST];
    for (int k = 0; k < 2; k++)
        for (long i = 0; i < STATES; i++) { /* accelerations at the states of the motion */
            char name[MUJOCO_NAME], primed[MUJOCO_NAME + 2];
            for (int j = 0; j < p.m->njnt; j++) {
                mujoco_label(&p, j, name);
                snprintf(primed, sizeof primed, "%s'", name);
                q[j] = value_of(s[k], i, name);
                v[j] = value_of(s[k], i, primed);
            }
            mujoco_accelerate(&p, q, v, a);
            mju_copy(p.d->qacc, a, p.m->nv);
            mujoco_expect(&p, s[k], i, 2, 1e-10, 1.0);
        }
    for (long i = 0; i < STATES; i += 33) /* one formulation as the other */
        for (int j = 0; j < p.m->njnt; j++) {
            char name[MUJOCO_NAME];
            mujoco_label(&p, j, name);
            assert_near(value_of(s[0], i, name), value_of(s[1], i, name), 1e-11, 0.0);
        }
    for (int k = 0; k < 2; k++) solution_free(s[k]);
    mujoco_unload(&p);
}

static void test_motion_of_a_loop(void **state) {
    (void)state;
    static char text[20000];
    const double at[2] = {0.0, 1.0};
    mujoco_pair p = load("loop");
    snprintf(text, sizeof text, "%s  velocities: {drive: 3}\n  fixedvelocities: [drive]\n", p.text);
    solution *s = mujoco_solve(text, "relative", 1e-13, at, 2);
    for (int j = 0; j < p.m->nv; j++) {
        char name[MUJOCO_NAME], primed[MUJOCO_NAME + 2];
        snprintf(primed, sizeof primed, "%s'", mujoco_label(&p, j, name));
        p.d->qpos[j] = value_of(s, 0, name);
        p.d->qvel[j] = value_of(s, 0, primed);
    }
    integrate(&p, 2000);
    mujoco_expect(&p, s, 1, 0, 1e-9, 1.0);
    mujoco_expect(&p, s, 1, 1, 1e-9, 1.0);
    solution_free(s);
    mujoco_unload(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations_of_trees), cmocka_unit_test(test_motions_of_trees),
        cmocka_unit_test(test_loops), cmocka_unit_test(test_motion_of_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
