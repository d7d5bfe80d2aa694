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

/* Angular velocity of a body and its rate in world axes: those of its joint are along its own. */
static void turn_rates(const mujoco_pair *p, int j, const mjtNum *rate, double w[3]) {
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
static void axis_motion(const mujoco_pair *p, int j, int k, double v[3][3]) {
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
