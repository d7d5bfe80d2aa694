/* The forces on every body equal the rate of its momentum, their moments that of its angular
 * momentum: from the columns of the results alone, with frames, accelerations and spins worked out
 * anew from the second derivatives of the bodies' points. A test that includes this says what acts
 * besides joints, links and weights (push_loads), and what elements by formulas are made of
 * (push_formula). */
#ifndef TAUT_TESTS_BALANCE_H
#define TAUT_TESTS_BALANCE_H

#include "solve_text.h"

#include "form/assemble.h"

static const double DIGITS = 1e-10; /* of the largest force, times the size for moments */

enum { MOST_BODIES = 200 };
typedef double vector[3];

/* ---- small algebra ---- */

static void set_cross(const vector a, const vector b, vector c) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void add(vector a, double factor, const vector b) {
    for (int i = 0; i < 3; i++) a[i] += factor * b[i];
}

static double dot(const vector a, const vector b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Matrices by columns. */
static void multiply(vector a[3], const vector b, vector c) {
    const vector copy = {b[0], b[1], b[2]};
    for (int i = 0; i < 3; i++) c[i] = a[0][i] * copy[0] + a[1][i] * copy[1] + a[2][i] * copy[2];
}

static void invert(vector a[3], vector inverse[3]) {
    vector row[3];
    for (int i = 0; i < 3; i++) set_cross(a[(i + 1) % 3], a[(i + 2) % 3], row[i]);
    const double det = dot(a[0], row[0]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) inverse[k][i] = row[i][k] / det;
}

/* ---- what a row says ---- */

typedef struct situation {
    const solution *s;
    const taut_problem *problem;
    const taut_mechanism *m;
    const char *file;
    long row;
    double largest;                                 /* force */
    vector force[MOST_BODIES], moment[MOST_BODIES]; /* on every body; moments about the origin */
} situation;

static int find_column(const situation *x, const char *name) {
    for (int c = 0; c < taut_result_columns(x->s->result); c++)
        if (strcmp(taut_result_name(x->s->result, c), name) == 0) return c;
    return -1;
}

static double column(const situation *x, const char *name) {
    const int c = find_column(x, name);
    if (c < 0) fail_msg("there is no column %s", name);
    return taut_result_value(x->s->result, x->row, c);
}

static double number(const situation *x, taut_node node) {
    return node == TAUT_NO_NODE ? 0.0 : taut_node_get(x->problem->system.graph, node)->value;
}

/* An element or one of its derivatives; what is fixed has no column. */
static void look_up(const situation *x, int e, int order, vector v) {
    for (int i = 0; i < 3; i++) {
        char name[80];
        v[i] = 0.0;
        if (i >= x->m->dimension) continue;
        snprintf(name, sizeof name, "%s%c%.*s", x->m->element[e].name, "xyz"[i], order, "''");
        const int c = find_column(x, name);
        if (c >= 0)
            v[i] = taut_result_value(x->s->result, x->row, c);
        else if (order == 0)
            v[i] = number(x, x->problem->element[e].c[i]);
    }
}

static void local_vector(const situation *x, taut_vec local, vector v) {
    for (int i = 0; i < 3; i++) v[i] = i < local.n ? number(x, local.c[i]) : 0.0;
}

/* ---- forces ---- */

static void push_body(situation *x, int body, const vector at, const vector force, double sign) {
    vector moment;
    if (body < 0) return;
    set_cross(at, force, moment);
    add(x->force[body], sign, force);
    add(x->moment[body], sign, moment);
    x->largest = fmax(x->largest, sqrt(dot(force, force)));
}

static int element_named(const situation *x, const char *name) {
    for (int e = 0; e < x->m->elements; e++)
        if (strcmp(x->m->element[e].name, name) == 0) return e;
    return -1;
}

static void push_point(situation *x, int e, const vector force, double sign);
static void push_formula(situation *x, const char *file, int e, const vector force, double sign);
static void push_loads(situation *x, const char *file);

/* On the first body that has the point. */
static void push_point(situation *x, int e, const vector force, double sign) {
    vector at;
    if (x->m->element[e].fixed) return;
    look_up(x, e, 0, at);
    if (x->m->element[e].formula)
        push_formula(x, x->file, e, force, sign);
    else if (x->m->carrier_start[e] < x->m->carrier_start[e + 1])
        push_body(x, x->m->carrier[x->m->carrier_start[e]], at, force, sign);
}

/* Three components of a reaction; 0 where it has no columns. */
static void look_up_reaction(const situation *x, const char *name, const char *at, char letter,
                             vector v) {
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text, "%s.%c%c", name, letter, "xyz"[i]);
        int c = find_column(x, text);
        if (c < 0 && at) {
            snprintf(text, sizeof text, "%s@%s.%c%c", name, at, letter, "xyz"[i]);
            c = find_column(x, text);
        }
        v[i] = c < 0 ? 0.0 : taut_result_value(x->s->result, x->row, c);
    }
}

static void push_joint(situation *x, const taut_joint *j) {
    vector force, torque;
    const int element = j->point[0] >= 0 ? j->point[0] : j->axis[0];
    const char *at_name = element >= 0 ? x->m->element[element].name : NULL;
    const bool rides = !j->shared &&
                       !taut_joint_demands(j->kind, x->m->dimension, TAUT_CONDITION_MEET) &&
                       !taut_joint_demands(j->kind, x->m->dimension, TAUT_CONDITION_ALIGN);
    look_up_reaction(x, j->name, at_name, 'F', force);
    look_up_reaction(x, j->name, at_name, 'T', torque);
    if (taut_joint_demands(j->kind, x->m->dimension, TAUT_CONDITION_APART)) {
        vector far;
        char name[100];
        snprintf(name, sizeof name, "%s.N", j->name);
        look_up(x, j->point[1], 0, force);
        look_up(x, j->point[0], 0, far);
        add(force, -1.0, far);
        for (int i = 0; i < 3; i++) force[i] *= column(x, name) / number(x, j->number);
    }
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1.0 : 1.0;
        vector at = {0};
        const int where = j->point[rides ? 1 : 0];
        if (where >= 0) look_up(x, where, 0, at);
        if (j->body[side] >= 0)
            push_body(x, j->body[side], at, force, sign);
        else if (j->point[side] >= 0)
            push_point(x, j->point[side], force, sign);
        if (j->body[side] >= 0) add(x->moment[j->body[side]], sign, torque);
    }
}

static void push_link(situation *x, const taut_link *link) {
    vector d, rate, force = {0};
    char name[100];
    look_up(x, link->point[1], 0, d);
    look_up(x, link->point[1], 1, rate);
    vector A, velocity;
    look_up(x, link->point[0], 0, A);
    look_up(x, link->point[0], 1, velocity);
    add(d, -1.0, A);
    add(rate, -1.0, velocity);
    if (link->full) {
        add(force, number(x, link->damping), rate);
    } else {
        snprintf(name, sizeof name, "%s.N", link->name);
        add(force, column(x, name) / sqrt(dot(d, d)), d);
    }
    push_point(x, link->point[0], force, 1.0);
    push_point(x, link->point[1], force, -1.0);
}

static void look_up_gravity(const situation *x, vector g) {
    memset(g, 0, sizeof(vector));
    if (x->m->has_gravity) local_vector(x, x->m->gravity, g);
}

/* mass (g - a) at a point; a spring's mass has (2 a + b)/3 in its place. */
static void push_mass(situation *x, int e, int other, double mass) {
    vector a, b, g, force = {0};
    look_up(x, e, 2, a);
    look_up(x, other, 2, b);
    look_up_gravity(x, g);
    add(force, mass, g);
    add(force, -mass * 2.0 / 3.0, a);
    add(force, -mass / 3.0, b);
    push_point(x, e, force, 1.0);
}

/* An element of a body that is a formula of others: the body feels what its columns say; a torque
 * on a unit vector u is the force torque x u at its end. */
static void push_own_formula(situation *x, int e) {
    const int body = x->m->carrier[x->m->carrier_start[e]];
    char name[100];
    vector force, torque, at, end;
    snprintf(name, sizeof name, "%s-%s", x->m->element[e].name, x->m->body[body].name);
    look_up_reaction(x, name, NULL, 'F', force);
    look_up_reaction(x, name, NULL, 'T', torque);
    look_up(x, e, 0, at);
    if (x->m->element[e].is_vector) {
        add(x->moment[body], 1.0, torque);
        set_cross(torque, at, end);
        push_formula(x, x->file, e, end, -1.0);
    } else {
        push_body(x, body, at, force, 1.0);
        push_formula(x, x->file, e, force, -1.0);
    }
}

static void collect_forces(situation *x, const char *file) {
    const taut_mechanism *m = x->m;
    memset(x->force, 0, sizeof x->force);
    memset(x->moment, 0, sizeof x->moment);
    for (int i = 0; i < m->joints; i++) push_joint(x, &m->joint[i]);
    for (int e = 0; e < m->elements; e++)
        if (m->element[e].formula && m->carrier_start[e] < m->carrier_start[e + 1])
            push_own_formula(x, e);
    for (int i = 0; i < m->links; i++) {
        push_link(x, &m->link[i]);
        const double half = 0.5 * number(x, m->link[i].mass);
        for (int k = 0; k < 2 && half > 0.0; k++)
            push_mass(x, m->link[i].point[k], m->link[i].point[1 - k], half);
    }
    for (int i = 0; i < m->particles; i++)
        push_mass(x, m->particle[i].point, m->particle[i].point, number(x, m->particle[i].mass));
    push_loads(x, file);
}

/* ---- momentum ---- */

/* The columns of a body's frame, D2, D3 (in 2D turned by a right angle), D2 x D3, differentiated.
 */
static void find_frame(const situation *x, const taut_body *b, int order, vector T[3]) {
    vector D[2][3], origin; /* [element][derivative] */
    for (int k = 0; k < 2; k++)
        for (int o = 0; o < 3; o++) {
            memset(D[k][o], 0, sizeof(vector));
            if (x->m->dimension == 2 && k == 1) {
                D[1][o][0] = -D[0][o][1];
                D[1][o][1] = D[0][o][0];
                continue;
            }
            if (k + 1 >= b->elements) continue;
            look_up(x, b->element[k + 1], o, D[k][o]);
            look_up(x, b->element[0], o, origin);
            if (!x->m->element[b->element[k + 1]].is_vector) add(D[k][o], -1.0, origin);
        }
    memcpy(T[0], D[0][order], sizeof(vector));
    memcpy(T[1], D[1][order], sizeof(vector));
    memset(T[2], 0, sizeof(vector));
    for (int k = 0; k <= order; k++) { /* Leibniz */
        vector c;
        set_cross(D[0][order - k], D[1][k], c);
        add(T[2], order == 2 && k == 1 ? 2.0 : 1.0, c);
    }
}

static void local_frame(const situation *x, const taut_body *b, vector X[3]) {
    local_vector(x, b->local[1], X[0]);
    if (x->m->dimension == 2) {
        X[1][0] = -X[0][1];
        X[1][1] = X[0][0];
        X[1][2] = 0.0;
    } else {
        local_vector(x, b->local[2], X[1]);
    }
    set_cross(X[0], X[1], X[2]);
}

/* The axial vector of the skew part of T^(order) T^-1: order 1 the spin, order 2 its rate. */
static void find_spin(vector T[3], vector higher[3], vector w) {
    vector inverse[3], product[3];
    invert(T, inverse);
    for (int k = 0; k < 3; k++) multiply(higher, inverse[k], product[k]);
    for (int i = 0; i < 3; i++)
        w[i] = 0.5 * (product[(i + 1) % 3][(i + 2) % 3] - product[(i + 2) % 3][(i + 1) % 3]);
}

/* Mass times acceleration of the centroid, where it is, and the rate of angular momentum about it.
 */
static void find_rates(const situation *x, const taut_body *b, vector centroid, vector momentum,
                       vector spin) {
    const bool rod = x->m->dimension == 3 && b->elements == 2;
    vector c, T[3], T1[3], T2[3], X[3], inverse[3], part, origin;
    local_vector(x, b->centroid, c);
    find_frame(x, b, 0, T);
    find_frame(x, b, 1, T1);
    find_frame(x, b, 2, T2);
    look_up(x, b->element[0], 0, centroid);
    look_up(x, b->element[0], 2, origin);
    memset(spin, 0, sizeof(vector));
    if (rod) {
        vector local, turn;
        local_vector(x, b->local[1], local);
        const double along = dot(c, local) / dot(local, local);
        add(centroid, along, T[0]);
        add(origin, along, T2[0]);
        set_cross(T[0], T2[0], turn);
        add(spin, number(x, b->inertia[0][0]) / dot(local, local), turn);
    } else {
        local_frame(x, b, X);
        invert(X, inverse);
        multiply(inverse, c, part);
        vector offset;
        multiply(T, part, offset);
        add(centroid, 1.0, offset);
        multiply(T2, part, offset);
        add(origin, 1.0, offset);
    }
    for (int i = 0; i < 3; i++) momentum[i] = number(x, b->mass) * origin[i];
    if (rod) return;
    vector R[3], w, rate, Iw, Ia;
    for (int k = 0; k < 3; k++) multiply(T, inverse[k], R[k]);
    find_spin(T, T1, w);
    find_spin(T, T2, rate);
    if (b->thin) { /* along local x */
        vector x2, turn;
        multiply(T2, inverse[0], x2);
        set_cross(R[0], x2, turn);
        add(spin, number(x, b->inertia[0][0]), turn);
        return;
    }
    vector lw = {dot(R[0], w), dot(R[1], w), dot(R[2], w)};
    vector la = {dot(R[0], rate), dot(R[1], rate), dot(R[2], rate)};
    for (int i = 0; i < 3; i++) {
        Iw[i] = Ia[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            const double I = x->m->dimension == 2
                                 ? (i == 2 && k == 2 ? number(x, b->inertia[0][0]) : 0.0)
                                 : number(x, b->inertia[i][k]);
            Iw[i] += I * lw[k];
            Ia[i] += I * la[k];
        }
    }
    vector gyro, local;
    set_cross(lw, Iw, gyro);
    for (int i = 0; i < 3; i++) local[i] = Ia[i] + gyro[i];
    multiply(R, local, spin);
}

static void check_body(situation *x, const char *file, int body) {
    const taut_body *b = &x->m->body[body];
    vector centroid, momentum = {0}, spin = {0}, g, moment;
    if (b->has_mass) {
        find_rates(x, b, centroid, momentum, spin);
        look_up_gravity(x, g);
        for (int i = 0; i < 3; i++) g[i] *= b->weightless ? 0.0 : number(x, b->mass);
        push_body(x, body, centroid, g, 1.0);
    } else {
        look_up(x, b->element[0], 0, centroid);
    }
    set_cross(centroid, x->force[body], moment);
    const double scale = DIGITS * (1.0 + x->largest);
    for (int i = 0; i < 3; i++) {
        if (i < x->m->dimension && !(fabs(x->force[body][i] - momentum[i]) <= scale))
            fail_msg("%s, %s, row %ld: force %c is %.15g, the momentum's rate %.15g", file, b->name,
                     x->row, "xyz"[i], x -> force[body][i], momentum[i]);
        if (x->m->dimension == 2 && i < 2) continue;
        if (!(fabs(x->moment[body][i] - moment[i] - spin[i]) <= 2.0 * scale))
            fail_msg("%s, %s, row %ld: moment %c is %.15g, the spin's rate %.15g", file, b->name,
                     x->row, "xyz"[i], x -> moment[body][i] - moment[i], spin[i]);
    }
}

/* Balances of all bodies in every `stride`-th row. model: what was solved, with second derivatives
 * and reactions. */
static void check_balances(const solution *s, const taut_model *model, const char *name,
                           long stride) {
    static situation x;
    taut_problem *problem = NULL;
    assert_int_equal(taut_problem_create(model, &problem, NULL), TAUT_OK);
    x = (situation){.s = s, .problem = problem, .m = problem->model->mechanism, .file = name};
    assert_true(x.m->bodies <= MOST_BODIES);
    for (x.row = 0; x.row < rows_of(s); x.row += stride) {
        x.largest = 0.0;
        collect_forces(&x, name);
        for (int b = 0; b < x.m->bodies; b++) check_body(&x, name, b);
    }
    taut_problem_free(&problem);
}

#endif
