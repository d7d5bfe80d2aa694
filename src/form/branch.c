/* Frames from joint coordinates: a body's axes are its parent's, turned by the joint; its origin is
 * where the joint is, less the arm to it. */
#include "form/branch.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "form/formulation.h"

/* ---- where the joint is ---- */

int taut_branch_element(const taut_mechanism *m, int body, int e) {
    for (int i = 0; i < m->body[body].elements; i++)
        if (m->body[body].element[i] == e) return i;
    return -1;
}

static bool has(const taut_mechanism *m, int body, int e) {
    return body < 0 ? m->element[e].fixed : taut_branch_element(m, body, e) >= 0;
}

int taut_branch_line_side(const taut_mechanism *m, const taut_joint *j, const int body[2]) {
    if (j->axis[0] < 0) return -1;
    for (int side = 0; side < (j->shared ? 2 : 1); side++)
        if (has(m, body[side], j->axis[0])) return side;
    return -1;
}

taut_vec taut_branch_local(taut_kin *k, int body, int e) {
    if (body >= 0)
        return k->mechanism->body[body].local[taut_branch_element(k->mechanism, body, e)];
    taut_kin_place(k, e);
    return k->value[e];
}

static void numbers(const taut_kin *k, taut_vec v, double x[3]) {
    taut_assume_values(k->graph, v, x);
}

static double inner(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        c[i] = a[p] * b[q] - a[q] * b[p];
    }
}

/* Makes b normal to the unit vector a, and of length 1; false: it is along a. */
static bool straighten(const double a[3], double b[3]) {
    const double part = inner(a, b);
    for (int i = 0; i < 3; i++) b[i] -= part * a[i];
    const double length = sqrt(inner(b, b));
    if (!(length > 1e-9)) return false;
    for (int i = 0; i < 3; i++) b[i] /= length;
    return true;
}

/* Right-handed axes from the third one and a guess of the first one, if there is one. */
static void complete(const double z[3], const double *guess, double axes[3][3]) {
    double x[3], y[3];
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(z[i]) < fabs(z[least]) - 1e-12) least = i;
    for (int i = 0; i < 3; i++) x[i] = guess ? guess[i] : i == least ? 1.0 : 0.0;
    if (!straighten(z, x)) {
        for (int i = 0; i < 3; i++) x[i] = i == least ? 1.0 : 0.0;
        straighten(z, x);
    }
    cross(z, x, y);
    for (int i = 0; i < 3; i++) {
        axes[i][0] = fabs(x[i]) < 1e-16 ? 0.0 : x[i];
        axes[i][1] = fabs(y[i]) < 1e-16 ? 0.0 : y[i];
        axes[i][2] = z[i];
    }
}

void taut_branch_axes(int dimension, const double along[3], const double *guess,
                      double axes[3][3]) {
    static const double up[3] = {0.0, 0.0, 1.0};
    if (dimension == 2)
        complete(up, along, axes);
    else
        complete(along, guess, axes);
}

/* The joint of a body, its parent's side first. */
typedef struct hinge {
    const taut_joint *joint;
    int body[2], side[2];
    double z[2][3], x[2][3]; /* axis and normal on both sides */
    bool has_x[2];
} hinge;

/* Two directions that bodies which are welded by what they share have in common. */
static void find_common(taut_kin *k, hinge *h) {
    const taut_mechanism *m = k->mechanism;
    const int one = h->body[1], other = h->body[0], point = h->joint->point[0];
    int found = 0;
    for (int i = 0; i < m->body[one].elements && found < 2; i++) {
        const int e = m->body[one].element[i];
        if (e == point || !has(m, other, e)) continue;
        double d[2][3], origin[3];
        for (int s = 0; s < 2; s++) {
            numbers(k, taut_branch_local(k, h->body[s], e), d[s]);
            if (m->element[e].is_vector) continue;
            numbers(k, taut_branch_local(k, h->body[s], point), origin);
            for (int c = 0; c < 3; c++) d[s][c] -= origin[c];
        }
        double unit[3] = {d[0][0], d[0][1], d[0][2]};
        static const double none[3] = {0.0, 0.0, 0.0};
        if (!straighten(found ? h->z[0] : none, unit)) continue;
        for (int s = 0; s < 2; s++) {
            double *to = found ? h->x[s] : h->z[s];
            memcpy(to, d[s], sizeof d[s]);
            straighten(none, to);
            if (found) h->has_x[s] = true;
        }
        found++;
    }
}

/* The pose of a body; the ground's is the world's axes. */
static void to_world(const taut_kin *k, int body, const double v[3], double w[3]) {
    for (int c = 0; c < 3; c++) {
        w[c] = body < 0 ? v[c] : 0.0;
        for (int i = 0; i < 3 && body >= 0; i++) w[c] += k->start->body[body].axis[0][i][c] * v[i];
    }
}

/* Axes that are parallel may point either way: as they do at the start. */
static void orient(const taut_kin *k, const hinge *h, const double parent[3], double child[3]) {
    double a[3], b[3];
    if (!k->start) return;
    to_world(k, h->body[0], parent, a);
    to_world(k, h->body[1], child, b);
    if (inner(a, b) >= 0.0) return;
    for (int i = 0; i < 3; i++) child[i] = -child[i];
}

static void find_axes(taut_kin *k, hinge *h, taut_branch *b) {
    const taut_joint *j = h->joint;
    const bool plane = k->mechanism->dimension == 2, both = b->turning != TAUT_TURNS_FREELY;
    if (j->shared && j->kind == TAUT_JOINT_WELD) {
        find_common(k, h);
    } else if (b->slides > 0 &&
               !(k->relative->held[j - k->mechanism->joint] & 1u << TAUT_CONDITION_ALIGN)) {
        numbers(k, taut_branch_local(k, h->body[b->sliding], j->axis[0]), h->z[b->sliding]);
    } else {
        for (int s = 0; s < 2; s++) {
            const int axis = j->axis[h->side[s]], normal = j->normal[h->side[s]];
            if (axis >= 0 && both) numbers(k, taut_branch_local(k, h->body[s], axis), h->z[s]);
            h->has_x[s] = normal >= 0 && both;
            if (h->has_x[s]) numbers(k, taut_branch_local(k, h->body[s], normal), h->x[s]);
        }
    }
    const bool aligned = both && b->turning != TAUT_TURNS_TWICE;
    if (aligned && (!plane || b->turning == TAUT_TURNS_NOT)) orient(k, h, h->z[0], h->z[1]);
    for (int s = 0; s < 2; s++) {
        if (inner(h->z[s], h->z[s]) == 0.0) h->z[s][plane ? 0 : 2] = 1.0;
        taut_branch_axes(k->mechanism->dimension, h->z[s], h->has_x[s] ? h->x[s] : NULL,
                         b->axes[s]);
    }
    if (plane || b->turning != TAUT_TURNS_NOT) return;
    double x[2][3];
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 3; i++) x[s][i] = b->axes[s][i][0];
    orient(k, h, x[0], x[1]);
    complete(h->z[1], x[1], b->axes[1]);
}

static hinge find_hinge(taut_kin *k, int body, taut_branch *b) {
    const taut_tree *t = &k->relative->tree;
    const int side = t->side[body];
    hinge h = {.joint = &k->mechanism->joint[t->joint[body]],
               .body = {t->parent[body], body},
               .side = {1 - side, side}};
    for (int s = 0; s < 2; s++)
        b->point[s] = taut_branch_local(k, h.body[s], h.joint->point[h.side[s]]);
    if (h.body[0] < 0) b->ground = h.joint->point[h.side[0]];
    if (b->slides > 0 && b->turning != TAUT_TURNS_NOT) {
        const int ends[2] = {h.body[1 - side], h.body[side]}; /* as the joint counts them */
        const bool aligned = k->relative->held[t->joint[body]] & 1u << TAUT_CONDITION_ALIGN;
        const int owner = aligned ? 1 - side : taut_branch_line_side(k->mechanism, h.joint, ends);
        b->sliding = owner == side;
    }
    find_axes(k, &h, b);
    return h;
}

/* ---- turning ---- */

/* Axes that turn, and their angular velocity along themselves. */
typedef struct spin {
    taut_vec axis[3], omega;
} spin;

static taut_vec combine(taut_graph *g, const double c[3], const taut_vec v[3]) {
    taut_vec sum = {.n = v[0].n};
    for (int i = 0; i < sum.n; i++)
        sum.c[i] = taut_sum(g, 0.0, 3, c, (taut_node[]){v[0].c[i], v[1].c[i], v[2].c[i]});
    return sum;
}

/* Along other axes, which stand still against these: new axis k is the sum of m[i][k] axis i. */
static spin rebased(taut_graph *g, const spin *s, const double m[3][3], bool back) {
    spin to = {.omega = {.n = 3}};
    for (int k = 0; k < 3; k++) {
        double c[3];
        for (int i = 0; i < 3; i++) c[i] = back ? m[k][i] : m[i][k];
        to.axis[k] = combine(g, c, s->axis);
        to.omega.c[k] = taut_sum(g, 0.0, 3, c, s->omega.c);
    }
    return to;
}

/* Turned about the third axis. */
static spin turned(taut_graph *g, const spin *s, taut_node angle) {
    const taut_node cosine = taut_apply(g, TAUT_OP_COS, angle),
                    sine = taut_apply(g, TAUT_OP_SIN, angle);
    spin to = *s;
    to.axis[0] = taut_kin_add(g, taut_vec_scale(g, cosine, s->axis[0]), 1.0,
                              taut_vec_scale(g, sine, s->axis[1]));
    to.axis[1] = taut_kin_add(g, taut_vec_scale(g, cosine, s->axis[1]), -1.0,
                              taut_vec_scale(g, sine, s->axis[0]));
    to.omega.c[0] =
        taut_add(g, taut_mul(g, cosine, s->omega.c[0]), taut_mul(g, sine, s->omega.c[1]));
    to.omega.c[1] =
        taut_sub(g, taut_mul(g, cosine, s->omega.c[1]), taut_mul(g, sine, s->omega.c[0]));
    to.omega.c[2] = taut_add(g, s->omega.c[2], taut_dot(g, angle, 1));
    return to;
}

static spin spin_of(taut_kin *k, int body) {
    taut_graph *g = k->graph;
    spin s = {.omega = {.n = 3}};
    for (int i = 0; i < 3; i++) {
        s.omega.c[i] = taut_number(g, 0.0);
        s.axis[i].n = 3;
        for (int c = 0; c < 3; c++) s.axis[i].c[c] = taut_number(g, i == c ? 1.0 : 0.0);
        if (body >= 0) s.axis[i] = k->frame[body].axis[i];
    }
    if (body >= 0) s.omega = k->frame[body].omega;
    return s;
}

static taut_status turn_in_space(taut_kin *k, int body, const taut_branch *b) {
    static const char *const euler[] = {"e0", "e1", "e2", "e3"}, *const rod[] = {"ux", "uy", "uz"},
                             *const turn[] = {"turn", "turn1", "turn2"};
    static const double onward[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}; /* x becomes z */
    taut_graph *g = k->graph;
    taut_frame *f = &k->frame[body];
    taut_node q[4];
    f->axes = b->rod ? 1 : 3;
    if (b->turning == TAUT_TURNS_FREELY) {
        const int count = b->rod ? 3 : 4;
        for (int i = 0; i < count; i++)
            TAUT_TRY(taut_reference_unknown(k, body, b->rod ? rod[i] : euler[i],
                                            TAUT_GROUP_DIRECTION, &q[i]));
        if (b->rod)
            f->axis[0] = (taut_vec){3, {q[0], q[1], q[2]}};
        else
            taut_reference_turn(g, q, f);
        return TAUT_OK;
    }
    const spin parent = spin_of(k, k->relative->tree.parent[body]);
    spin s = rebased(g, &parent, b->axes[0], false);
    if (b->turning != TAUT_TURNS_NOT) {
        const bool twice = b->turning == TAUT_TURNS_TWICE;
        TAUT_TRY(taut_reference_unknown(k, body, turn[twice], TAUT_GROUP_ANGLE, &q[0]));
        s = turned(g, &s, q[0]);
        if (twice) {
            TAUT_TRY(taut_reference_unknown(k, body, turn[2], TAUT_GROUP_ANGLE, &q[1]));
            s = rebased(g, &s, onward, false);
            s = turned(g, &s, q[1]);
        }
    }
    s = rebased(g, &s, b->axes[1], true);
    memcpy(f->axis, s.axis, sizeof s.axis);
    f->omega = s.omega;
    return TAUT_OK;
}

/* The angle of a body's axes in the plane. */
static taut_node angle_of(taut_kin *k, int body) {
    const taut_branch *b = &k->relative->branch[body];
    return b->free ? k->problem->variable[k->frame[body].first + 2].node : b->angle;
}

static taut_status turn_in_plane(taut_kin *k, int body, taut_branch *b) {
    taut_graph *g = k->graph;
    taut_frame *f = &k->frame[body];
    const int parent = k->relative->tree.parent[body];
    const double(*a)[3] = b->axes[0], (*c)[3] = b->axes[1];
    taut_node turn;
    b->angle = parent < 0 ? taut_number(g, 0.0) : angle_of(k, parent);
    if (b->turning == TAUT_TURNS_NOT) {
        const double apart =
            atan2(c[0][0] * a[1][0] - c[1][0] * a[0][0], c[0][0] * a[0][0] + c[1][0] * a[1][0]);
        b->angle = taut_sum(g, apart, 1, (double[]){1.0}, &b->angle);
    } else {
        TAUT_TRY(taut_reference_unknown(k, body, "turn", TAUT_GROUP_ANGLE, &turn));
        b->angle = taut_add(g, b->angle, turn);
    }
    f->axes = 2;
    f->axis[0] =
        (taut_vec){2, {taut_apply(g, TAUT_OP_COS, b->angle), taut_apply(g, TAUT_OP_SIN, b->angle)}};
    f->axis[1] = taut_kin_turned(g, f->axis[0]);
    f->omega = taut_vec_scalar(taut_dot(g, b->angle, 1));
    return TAUT_OK;
}

/* ---- frames ---- */

/* Which axis of the joint a slide is along. */
static int sliding_axis(const taut_kin *k, const taut_branch *b, int slide) {
    return b->slides == 1 && k->mechanism->dimension == 3 ? 2 : slide;
}

/* The direction of a slide in the world. */
static taut_vec sliding_direction(taut_kin *k, int body, const taut_branch *b, int slide) {
    const int owner = b->sliding ? body : k->relative->tree.parent[body];
    const int axis = sliding_axis(k, b, slide);
    taut_vec d = {.n = k->mechanism->dimension};
    for (int i = 0; i < d.n; i++) d.c[i] = taut_number(k->graph, b->axes[b->sliding][i][axis]);
    return owner < 0 ? d : taut_kin_direction(k, owner, d);
}

taut_status taut_branch_frame(taut_kin *k, int body) {
    static const char *const slide[] = {"slide", "slide1", "slide2"};
    taut_graph *g = k->graph;
    const taut_body *x = &k->mechanism->body[body];
    taut_branch *b = &k->relative->branch[body];
    taut_frame *f = &k->frame[body];
    const int n = k->mechanism->dimension, parent = k->relative->tree.parent[body];
    taut_node s[2] = {TAUT_NO_NODE, TAUT_NO_NODE};
    if (b->absent) return taut_natural_frame(k, body);
    if (b->free) return taut_reference_frame(k, body);
    find_hinge(k, body, b);
    f->first = k->problem->variables;
    const int slides = b->slides;
    assert(slides <= 2);
    for (int i = 0; i < slides; i++)
        TAUT_TRY(taut_reference_unknown(k, body, slide[slides == 2 ? i + 1 : 0], TAUT_GROUP_LENGTH,
                                        &s[i]));
    TAUT_TRY(n == 2 ? turn_in_plane(k, body, b) : turn_in_space(k, body, b));
    for (int i = 0; i < f->axes; i++) {
        f->q[i].n = n;
        for (int c = 0; c < n; c++) f->q[i].c[c] = taut_number(g, i == c ? 1.0 : 0.0);
    }
    if (b->rod) f->q[0] = taut_kin_divided(g, x->local[1], taut_kin_steady_length(g, x->local[1]));
    taut_vec at = parent < 0 ? b->point[0] : taut_kin_point(k, parent, b->point[0]);
    for (int i = 0; i < slides; i++) { /* the body's point is so far from the parent's */
        const taut_vec way = taut_vec_scale(g, s[i], sliding_direction(k, body, b, i));
        at = taut_kin_add(g, at, 1.0, way);
    }
    f->origin = taut_kin_add(g, at, -1.0, taut_kin_direction(k, body, b->point[1]));
    if (x->has_mass) {
        const taut_vec arm = taut_kin_add(g, x->centroid, -1.0, b->point[1]);
        f->centre = taut_kin_add(g, at, 1.0, taut_kin_direction(k, body, arm));
    }
    f->ready = true;
    return TAUT_OK;
}

/* ---- the start ---- */

/* A vector and its rate. */
typedef struct moving {
    double x[2][3];
} moving;

static moving move(const taut_kin *k, int body, const double v[3]) {
    moving m = {0};
    for (int c = 0; c < 3; c++) {
        if (body < 0) m.x[0][c] = v[c];
        for (int order = 0; order < 2 && body >= 0; order++)
            for (int i = 0; i < 3; i++)
                m.x[order][c] += k->start->body[body].axis[order][i][c] * v[i];
    }
    return m;
}

/* A rod's local vectors are along its direction. */
static moving move_along(const taut_kin *k, int body, const double v[3]) {
    if (body < 0 || !k->relative->branch[body].rod) return move(k, body, v);
    double q[3];
    taut_choose_by_values(k->graph, k->frame[body].q[0], q);
    return move(k, body, (double[3]){inner(q, v), 0.0, 0.0});
}

static moving place(const taut_kin *k, int body, int ground, taut_vec point) {
    double v[3];
    moving m;
    if (body < 0) {
        memcpy(m.x, k->start->element[ground], sizeof m.x);
        return m;
    }
    taut_choose_by_values(k->graph, point, v);
    m = move_along(k, body, v);
    for (int order = 0; order < 2; order++)
        for (int c = 0; c < 3; c++) m.x[order][c] += k->start->body[body].origin[order][c];
    return m;
}

static void column(const double axes[3][3], int k, double v[3]) {
    for (int i = 0; i < 3; i++) v[i] = axes[i][k];
}

/* The angle from x to y of a turning vector w, whose part across is looked at: y is z x x. */
static double angle_between(const moving *x, const moving *y, const moving *w) {
    return atan2(inner(y->x[0], w->x[0]), inner(x->x[0], w->x[0]));
}

static void omega_of(const taut_kin *k, int body, double omega[3]) {
    memset(omega, 0, 3 * sizeof *omega);
    if (body >= 0) taut_pose_omega(&k->start->body[body], omega);
}

static void start_turning(const taut_kin *k, int body, const taut_branch *b, double *q[2]) {
    const int parent = k->relative->tree.parent[body];
    double e[2][3][3], omega[2][3]; /* the joint's axes on both sides */
    moving axis[2][3];
    for (int s = 0; s < 2; s++) {
        const int of = s ? body : parent;
        for (int i = 0; i < 3; i++) {
            column(b->axes[s], i, e[s][i]);
            axis[s][i] = move(k, of, e[s][i]);
        }
        omega_of(k, of, omega[s]);
    }
    double relative[3];
    for (int i = 0; i < 3; i++) relative[i] = omega[1][i] - omega[0][i];
    if (b->turning == TAUT_TURNS_ONCE) {
        q[0][0] = angle_between(&axis[0][0], &axis[0][1], &axis[1][0]);
        q[1][0] = inner(relative, axis[0][2].x[0]);
        return;
    }
    q[0][0] = angle_between(&axis[0][0], &axis[0][1], &axis[1][2]);
    q[1][0] = inner(relative, axis[0][2].x[0]);
    moving side; /* x is the body's axis, so y is parent's axis x body's axis */
    cross(axis[0][2].x[0], axis[1][2].x[0], side.x[0]);
    q[0][1] = angle_between(&side, &axis[0][2], &axis[1][0]);
    q[1][1] = inner(relative, axis[1][2].x[0]);
}

void taut_relative_start(const taut_kin *k, int body, const taut_pose *pose,
                         double x[2][TAUT_BODY_UNKNOWNS_MAX]) {
    const taut_branch *b = &k->relative->branch[body];
    const int parent = k->relative->tree.parent[body];
    if (b->free) {
        taut_reference_start(k, body, pose, x);
        return;
    }
    const moving from = place(k, parent, b->ground, b->point[0]),
                 to = place(k, body, -1, b->point[1]);
    for (int i = 0; i < b->slides; i++) {
        double v[3];
        column(b->axes[b->sliding], sliding_axis(k, b, i), v);
        const moving along = move_along(k, b->sliding ? body : parent, v);
        x[0][i] = x[1][i] = 0.0;
        for (int c = 0; c < 3; c++) {
            x[0][i] += (to.x[0][c] - from.x[0][c]) * along.x[0][c];
            x[1][i] += (to.x[1][c] - from.x[1][c]) * along.x[0][c] +
                       (to.x[0][c] - from.x[0][c]) * along.x[1][c];
        }
    }
    double *q[2] = {&x[0][b->slides], &x[1][b->slides]};
    if (b->turning == TAUT_TURNS_FREELY) {
        double whole[2][TAUT_BODY_UNKNOWNS_MAX]; /* its last ones are the same */
        taut_reference_start(k, body, pose, whole);
        for (int order = 0; order < 2; order++)
            memcpy(q[order], &whole[order][3], (b->rod ? 3 : 4) * sizeof **q);
    } else if (b->turning != TAUT_TURNS_NOT && k->mechanism->dimension == 2) {
        const moving own = move(k, body, (double[3]){1.0, 0.0, 0.0}),
                     x0 = move(k, parent, (double[3]){1.0, 0.0, 0.0}),
                     y0 = move(k, parent, (double[3]){0.0, 1.0, 0.0});
        double omega[2][3];
        omega_of(k, parent, omega[0]);
        omega_of(k, body, omega[1]);
        q[0][0] = angle_between(&x0, &y0, &own);
        q[1][0] = omega[1][2] - omega[0][2];
    } else if (b->turning != TAUT_TURNS_NOT) {
        start_turning(k, body, b, q);
    }
}
