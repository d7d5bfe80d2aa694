/* A model by taut and by MuJoCo, and states that go from one to the other. */
#include "mujoco_pair.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double random_number(void) { return 2.0 * rand() / RAND_MAX - 1.0; }

/* ---- both models ---- */

/* Takes a section "KEY:" and what belongs to it out of a model file. */
static void drop_section(char *text, const char *key) {
    char start[40];
    snprintf(start, sizeof start, "\n%s:\n", key);
    char *from = strstr(text, start), *to;
    if (!from) return;
    for (to = from + strlen(start); *to == ' ';) to += strcspn(to, "\n") + 1;
    memmove(from + 1, to, strlen(to) + 1);
}

/* Surfaces are beside their file, and the texts made here are not. */
static void drop_surfaces(char *text) {
    for (char *p; (p = strstr(text, "      Mesh: {File: "));)
        memmove(p, p + strcspn(p, "\n") + 1, strlen(p + strcspn(p, "\n")));
}

mujoco_pair mujoco_load(const char *path, const char *mujocos) {
    char error[1000] = "";
    mujoco_pair p = {0};
    taut_errors errors = {0};
    p.m = mj_loadXML(mujocos, NULL, error, sizeof error);
    if (!p.m) fail_msg("MuJoCo: %s: %s", mujocos, error);
    p.m->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_WARMSTART | mjDSBL_ACTUATION;
    p.m->opt.jacobian = mjJAC_DENSE;
    p.m->opt.density = p.m->opt.viscosity = 0.0;
    p.d = mj_makeData(p.m);
    if (taut_import(path, &p.text, NULL, &errors) != TAUT_OK) show_errors(&errors);
    assert_non_null(p.text);
    drop_surfaces(p.text);
    drop_section(p.text, "Limits");
    drop_section(p.text, "Friction");
    char *end = strstr(p.text, "ProblemData:");
    assert_non_null(end);
    p.parts = (size_t)(end - p.text);
    p.room = strlen(p.text) + 400 * (size_t)p.m->nq + 2000;
    p.state = malloc(p.room);
    assert_non_null(p.state);
    return p;
}

void mujoco_unload(mujoco_pair *p) {
    mj_deleteData(p->d);
    mj_deleteModel(p->m);
    taut_text_free(&p->text);
    free(p->state);
}

/* A name as model files have it; a second one of the name, or a name that formulas use, ends in _2:
 * what the start of the file has is right. */
static const char *plain(const mujoco_pair *p, const char *prefix, const char *name, char *text) {
    char line[140];
    snprintf(text, 100, "%s%s%s", prefix, isalpha((unsigned char)name[0]) ? "" : "n_", name);
    for (char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    snprintf(line, sizeof line, "\n    %s: ", text);
    if (!strstr(p->text + p->parts, line)) strcat(text, "_2");
    return text;
}

/* What has no name is called by its number, as bodies of the file are counted. */
static const char *body_name(const mujoco_pair *p, int j, char *text) {
    const int body = p->m->jnt_bodyid[j];
    const char *name = mj_id2name(p->m, mjOBJ_BODY, body);
    if (name && *name)
        snprintf(text, MUJOCO_NAME, "%s", name);
    else
        snprintf(text, MUJOCO_NAME, "body%d", body);
    return text;
}

const char *mujoco_label(const mujoco_pair *p, int j, char *text) {
    const char *name = mj_id2name(p->m, mjOBJ_JOINT, j);
    const int number = j - p->m->body_jntadr[p->m->jnt_bodyid[j]] + 1;
    char body[MUJOCO_NAME], made[2 * MUJOCO_NAME];
    body_name(p, j, body);
    if (number > 1)
        snprintf(made, sizeof made, "%s_joint%d", body, number);
    else
        snprintf(made, sizeof made, "%s_joint", body);
    return plain(p, "", name && *name ? name : made, text);
}

bool mujoco_is_scalar(const mujoco_pair *p, int j) {
    return p->m->jnt_type[j] == mjJNT_HINGE || p->m->jnt_type[j] == mjJNT_SLIDE;
}

/* ---- bodies that are free, or on a ball ---- */

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Axis k of a body, and its first and second derivative. */
static void axis_motion(const mujoco_pair *p, int j, int k, double v[3][3]) {
    const int body = p->m->jnt_bodyid[j];
    double w[6], a[6], more[3]; /* rotation first */
    mj_rnePostConstraint(p->m, p->d);
    mj_objectVelocity(p->m, p->d, mjOBJ_XBODY, body, w, 0);
    mj_objectAcceleration(p->m, p->d, mjOBJ_XBODY, body, a, 0);
    for (int i = 0; i < 3; i++) v[0][i] = p->d->xmat[9 * body + 3 * i + k];
    cross(w, v[0], v[1]);
    cross(a, v[0], v[2]);
    cross(w, v[1], more);
    for (int i = 0; i < 3; i++) v[2][i] += more[i];
}

/* ---- states ---- */

void mujoco_shake(const mujoco_pair *p) {
    for (int i = 0; i < p->m->nv; i++) p->d->qvel[i] = 2.0 * random_number();
    mju_copy(p->d->qpos, p->m->qpos0, p->m->nq);
    for (int j = 0; j < p->m->njnt; j++) {
        const int at = p->m->jnt_qposadr[j];
        if (mujoco_is_scalar(p, j)) {
            p->d->qpos[at] += (p->m->jnt_type[j] == mjJNT_HINGE ? 1.2 : 0.2) * random_number();
            continue;
        }
        const int turn = at + (p->m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
        for (int i = at; i < turn; i++) p->d->qpos[i] = random_number();
        for (int i = 0; i < 4; i++) p->d->qpos[turn + i] = random_number();
        mju_normalize4(p->d->qpos + turn);
    }
    mj_forward(p->m, p->d);
}

typedef struct lines {
    char *text, *fixed;
    size_t n, f, room;
} lines;

static void add_value(lines *out, const char *name, const double *v, int count) {
    const char *first = out->f ? ", " : "";
    out->n += (size_t)snprintf(out->text + out->n, out->room - out->n, "    %s: ", name);
    for (int i = 0; i < count; i++)
        out->n += (size_t)snprintf(out->text + out->n, out->room - out->n, "%s%.17g",
                                   i           ? ", "
                                   : count > 1 ? "["
                                               : "",
                                   v[i]);
    out->n += (size_t)snprintf(out->text + out->n, out->room - out->n, count > 1 ? "]\n" : "\n");
    out->f += (size_t)snprintf(out->fixed + out->f, out->room - out->f, "%s%s", first, name);
    assert_true(out->n < out->room && out->f < out->room);
}

/* A coordinate counts from where the file has the bodies. */
static double coordinate(const mujoco_pair *p, int j, int order) {
    const int at = p->m->jnt_qposadr[j];
    return order ? p->d->qvel[p->m->jnt_dofadr[j]] : p->d->qpos[at] - p->m->qpos0[at];
}

static void add_state(const mujoco_pair *p, int j, int order, lines *out) {
    char name[MUJOCO_NAME], body[MUJOCO_NAME];
    double v[3][3];
    if (mujoco_is_scalar(p, j)) {
        v[0][0] = coordinate(p, j, order);
        add_value(out, mujoco_label(p, j, name), v[0], 1);
        return;
    }
    for (int k = 0; k < 2; k++) {
        axis_motion(p, j, k, v);
        add_value(out, plain(p, k ? "y_" : "x_", body_name(p, j, body), name), v[order], 3);
    }
    if (p->m->jnt_type[j] == mjJNT_FREE)
        add_value(out, plain(p, "O_", body_name(p, j, body), name),
                  order ? p->d->qvel + p->m->jnt_dofadr[j] : p->d->qpos + p->m->jnt_qposadr[j], 3);
}

void mujoco_write_state(const mujoco_pair *p) {
    static const char *const KIND[] = {"positions", "velocities"};
    lines out = {.text = p->state, .room = p->room, .fixed = malloc(p->room)};
    assert_non_null(out.fixed);
    out.n = (size_t)snprintf(out.text, out.room, "%.*sProblemData:\n  tend: 1\n", (int)p->parts,
                             p->text);
    for (int order = 0; order < 2; order++) {
        out.f = 0;
        out.n += (size_t)snprintf(out.text + out.n, out.room - out.n, "  %s:\n", KIND[order]);
        for (int j = 0; j < p->m->njnt; j++) add_state(p, j, order, &out);
        out.n += (size_t)snprintf(out.text + out.n, out.room - out.n, "  fixed%s: [%s]\n",
                                  KIND[order], out.fixed);
        assert_true(out.n < out.room);
    }
    free(out.fixed);
}

solution *mujoco_solve(const char *text, const char *formulation, double tol, const double *at,
                       int ats) {
    taut_run_options options = at_tolerance(tol);
    options.formulation = formulation;
    options.derivatives = 2;
    options.at = at;
    options.ats = ats;
    return solve_text(text, &options);
}

/* ---- accelerations with equalities ---- */

/* J v with the Jacobian J of the equalities at these positions. */
static void constraint_rates(const mujoco_pair *p, const double *q, const double *v, double *out) {
    mju_copy(p->d->qpos, q, p->m->nq);
    mju_copy(p->d->qvel, v, p->m->nv);
    mj_fwdPosition(p->m, p->d);
    mju_mulMatVec(out, p->d->efc_J, v, p->d->nefc, p->m->nv);
}

/* J' v, by differences of order 6 along the motion. */
static void find_bias(const mujoco_pair *p, const double *q, const double *v, double *bias) {
    static const double WEIGHT[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    const double h = 2e-3;
    double there[MUJOCO_SPEEDS], out[MUJOCO_SPEEDS];
    mju_zero(bias, MUJOCO_SPEEDS);
    for (int k = 1; k <= 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < p->m->nq; i++) there[i] = q[i] + side * k * h * v[i];
            constraint_rates(p, there, v, out);
            for (int i = 0; i < p->d->nefc; i++) bias[i] += side * WEIGHT[k - 1] * out[i] / h;
        }
}

/* a = a0 - M^-1 J^T (J M^-1 J^T)^-1 (J a0 + J' v), a0 without equalities. */
bool mujoco_accelerate(const mujoco_pair *p, const double *q, const double *v, double *a) {
    double bias[MUJOCO_SPEEDS], A[MUJOCO_SPEEDS * MUJOCO_SPEEDS], row[MUJOCO_SPEEDS];
    const int nv = p->m->nv;
    if (p->m->neq > 0) find_bias(p, q, v, bias);
    mju_copy(p->d->qpos, q, p->m->nq);
    mju_copy(p->d->qvel, v, nv);
    mj_forward(p->m, p->d);
    const int n = p->d->nefc;
    mju_copy(a, p->d->qacc, nv);
    if (p->m->neq == 0) return true;
    const mjtNum *J = p->d->efc_J;
    double *W = calloc((size_t)(n * nv), sizeof *W); /* rows of J M^-1 */
    assert_true(W && n < MUJOCO_SPEEDS);
    for (int i = 0; i < n; i++) mj_solveM(p->m, p->d, W + i * nv, J + i * nv, 1);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) A[i * n + k] = mju_dot(J + i * nv, W + k * nv, nv);
        row[i] = mju_dot(J + i * nv, p->d->qacc_smooth, nv) + bias[i];
    }
    const bool independent = mju_cholFactor(A, n, 1e-14) == n;
    if (independent) mju_cholSolve(row, A, row, n);
    mju_copy(a, p->d->qacc_smooth, nv);
    for (int i = 0; i < n; i++) mju_addToScl(a, W + i * nv, -row[i], nv);
    free(W);
    return independent;
}

/* ---- comparing ---- */

static void expect(const solution *s, long row, const char *name, double value, double limit,
                   double scale) {
    const double x = value_of(s, row, name);
    if (!(fabs(x - value) <= limit * fmax(scale, fabs(value))))
        fail_msg("%s is %.17g, MuJoCo has %.17g", name, x, value);
}

void mujoco_expect(const mujoco_pair *p, const solution *s, long row, int order, double limit,
                   double scale) {
    static const char *const PRIME[] = {"", "'", "''"};
    for (int j = 0; j < p->m->njnt; j++) {
        char name[MUJOCO_NAME], body[MUJOCO_NAME], whole[MUJOCO_NAME + 20];
        double v[4][3];
        if (mujoco_is_scalar(p, j)) {
            snprintf(whole, sizeof whole, "%s%s", mujoco_label(p, j, name), PRIME[order]);
            expect(s, row, whole,
                   order == 2 ? p->d->qacc[p->m->jnt_dofadr[j]] : coordinate(p, j, order), limit,
                   scale);
            continue;
        }
        for (int k = 0; k < 2; k++) {
            axis_motion(p, j, k, v);
            plain(p, k ? "y_" : "x_", body_name(p, j, body), name);
            for (int i = 0; i < 3; i++) {
                snprintf(whole, sizeof whole, "%s%c%s", name, "xyz"[i], PRIME[order]);
                expect(s, row, whole, v[order][i], limit, scale);
            }
        }
        if (p->m->jnt_type[j] != mjJNT_FREE) continue;
        const mjtNum *const value[] = {p->d->qpos, p->d->qvel, p->d->qacc};
        plain(p, "O_", body_name(p, j, body), name);
        for (int i = 0; i < 3; i++) {
            snprintf(whole, sizeof whole, "%s%c%s", name, "xyz"[i], PRIME[order]);
            expect(s, row, whole,
                   value[order][i + (order ? p->m->jnt_dofadr[j] : p->m->jnt_qposadr[j])], limit,
                   scale);
        }
    }
}
