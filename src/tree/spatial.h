/* Vectors and matrices of three, and spatial (6D) vector algebra after Featherstone: motions
 * (angular and linear), forces (torque and force, wrenches), inertias. All in world axes, about the
 * origin of the limb that they belong to. */
#ifndef TAUT_TREE_SPATIAL_H
#define TAUT_TREE_SPATIAL_H

typedef struct taut_v3 {
    double x, y, z;
} taut_v3;

/* By columns. */
typedef struct taut_m3 {
    taut_v3 c[3];
} taut_m3;

static inline taut_v3 taut_v3_add(taut_v3 a, taut_v3 b) {
    return (taut_v3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline taut_v3 taut_v3_sub(taut_v3 a, taut_v3 b) {
    return (taut_v3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline taut_v3 taut_v3_scale(double s, taut_v3 a) {
    return (taut_v3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline taut_v3 taut_v3_more(taut_v3 a, double s, taut_v3 b) {
    return (taut_v3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double taut_v3_dot(taut_v3 a, taut_v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline taut_v3 taut_v3_cross(taut_v3 a, taut_v3 b) {
    return (taut_v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A v, and A^T v */
static inline taut_v3 taut_m3_apply(const taut_m3 *a, taut_v3 v) {
    return taut_v3_more(taut_v3_more(taut_v3_scale(v.x, a->c[0]), v.y, a->c[1]), v.z, a->c[2]);
}

static inline taut_v3 taut_m3_apply_t(const taut_m3 *a, taut_v3 v) {
    return (taut_v3){taut_v3_dot(a->c[0], v), taut_v3_dot(a->c[1], v), taut_v3_dot(a->c[2], v)};
}

static inline taut_m3 taut_m3_product(const taut_m3 *a, const taut_m3 *b) {
    return (taut_m3){
        {taut_m3_apply(a, b->c[0]), taut_m3_apply(a, b->c[1]), taut_m3_apply(a, b->c[2])}};
}

static inline taut_m3 taut_m3_transposed(const taut_m3 *a) {
    return (taut_m3){{{a->c[0].x, a->c[1].x, a->c[2].x},
                      {a->c[0].y, a->c[1].y, a->c[2].y},
                      {a->c[0].z, a->c[1].z, a->c[2].z}}};
}

static inline taut_m3 taut_m3_add(const taut_m3 *a, const taut_m3 *b) {
    return (taut_m3){{taut_v3_add(a->c[0], b->c[0]), taut_v3_add(a->c[1], b->c[1]),
                      taut_v3_add(a->c[2], b->c[2])}};
}

/* A + s a b^T */
static inline void taut_m3_more(taut_m3 *m, double s, taut_v3 a, taut_v3 b) {
    m->c[0] = taut_v3_more(m->c[0], s * b.x, a);
    m->c[1] = taut_v3_more(m->c[1], s * b.y, a);
    m->c[2] = taut_v3_more(m->c[2], s * b.z, a);
}

/* A with v x in front of every column: [v]x A */
static inline taut_m3 taut_m3_crossed(taut_v3 v, const taut_m3 *a) {
    return (taut_m3){
        {taut_v3_cross(v, a->c[0]), taut_v3_cross(v, a->c[1]), taut_v3_cross(v, a->c[2])}};
}

/* [v]x */
static inline taut_m3 taut_m3_skew(taut_v3 v) {
    return (taut_m3){{{0.0, v.z, -v.y}, {-v.z, 0.0, v.x}, {v.y, -v.x, 0.0}}};
}

/* Torque and force. */
typedef struct taut_wrench {
    taut_v3 torque, force;
} taut_wrench;

/* Angular and linear acceleration, or velocity. */
typedef struct taut_twist {
    taut_v3 turn, shift;
} taut_twist;

/* torque = J turn + K shift, force = K^T turn + M shift */
typedef struct taut_inertia {
    taut_m3 J, K, M;
} taut_inertia;

static inline taut_wrench taut_inertia_apply(const taut_inertia *i, taut_twist a) {
    return (taut_wrench){
        taut_v3_add(taut_m3_apply(&i->J, a.turn), taut_m3_apply(&i->K, a.shift)),
        taut_v3_add(taut_m3_apply_t(&i->K, a.turn), taut_m3_apply(&i->M, a.shift))};
}

/* A wrench about a point r away from the one that it was about, seen from the latter: r + ... */
static inline taut_wrench taut_wrench_moved(taut_wrench w, taut_v3 r) {
    w.torque = taut_v3_add(w.torque, taut_v3_cross(r, w.force));
    return w;
}

/* The acceleration that a point r away has, without what the angular velocity does. */
static inline taut_twist taut_twist_moved(taut_twist a, taut_v3 r) {
    a.shift = taut_v3_add(a.shift, taut_v3_cross(a.turn, r));
    return a;
}

static inline double taut_wrench_power(taut_wrench w, taut_twist v) {
    return taut_v3_dot(w.torque, v.turn) + taut_v3_dot(w.force, v.shift);
}

/* An inertia about a point r away from its own: the same forces for the acceleration there.
 * K' = K + [r] M, J' = J + K [r]^T + [r] K'^T, where [r]^T turns into what r does to columns. */
static inline taut_inertia taut_inertia_moved(const taut_inertia *i, taut_v3 r) {
    taut_inertia to;
    const taut_m3 lifted = taut_m3_crossed(r, &i->M);
    to.M = i->M;
    to.K = taut_m3_add(&i->K, &lifted);
    const taut_m3 transposed = taut_m3_transposed(&i->K), other = taut_m3_transposed(&to.K);
    const taut_m3 first = taut_m3_crossed(r, &transposed), second = taut_m3_crossed(r, &other);
    const taut_m3 back = taut_m3_transposed(&first), sum = taut_m3_add(&i->J, &back);
    to.J = taut_m3_add(&sum, &second);
    return to;
}

static inline void taut_inertia_add(taut_inertia *to, const taut_inertia *i) {
    to->J = taut_m3_add(&to->J, &i->J);
    to->K = taut_m3_add(&to->K, &i->K);
    to->M = taut_m3_add(&to->M, &i->M);
}

#endif
