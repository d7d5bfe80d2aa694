/* Featherstone's articulated-body algorithm in space. Spatial vectors have world axes and refer to
 * the origins of their limbs: passing them on is a translation, never a rotation. */
#include "tree/spatial.h"

#include <math.h>

#include "tree/limbs.h"

static taut_v3 vector(const double v[3]) { return (taut_v3){v[0], v[1], v[2]}; }

static taut_m3 matrix(const double m[3][3]) {
    taut_m3 to;
    for (int k = 0; k < 3; k++) to.c[k] = (taut_v3){m[0][k], m[1][k], m[2][k]};
    return to;
}

static void place_ground(taut_recursion *r) {
    r->body[0] =
        (taut_spatial_state){.axes = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
}

void taut_spatial_fill(taut_recursion *r, const taut_limb *limb) {
    for (int i = 1; i < r->slots; i++) {
        const taut_limb *from = &limb[i - 1];
        r->spatial[i] = (taut_spatial_limb){.parent = from->parent + 1,
                                            .hinge = from->hinge,
                                            .coordinate = r->coordinate_of[i],
                                            .rate = r->rate_of[i],
                                            .place = vector(from->place),
                                            .axes = matrix(from->axes),
                                            .mass = from->mass,
                                            .weightless = from->weightless,
                                            .centroid = vector(from->centroid),
                                            .inertia = matrix(from->inertia)};
    }
    place_ground(r);
}

/* ---- outwards ---- */

/* The axes that a unit quaternion (scalar first) makes; its length does not matter. */
static taut_m3 turned(const double e[4]) {
    const double s = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    const double w = e[0], x = e[1], y = e[2], z = e[3];
    return (taut_m3){{{1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                      {s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)},
                      {s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)}}};
}

static void place(const taut_spatial_limb *l, const taut_spatial_state *p, taut_spatial_state *s,
                  const double *q, const double *v) {
    static const taut_v3 none = {0.0, 0.0, 0.0};
    taut_v3 relative = none, slip = none;
    s->axes = taut_m3_product(&p->axes, &l->axes);
    s->r = taut_m3_apply(&p->axes, l->place);
    s->motions = 0;
    if (l->hinge == TAUT_HINGE_TURN) {
        const double cosine = cos(q[l->coordinate]), sine = sin(q[l->coordinate]);
        const taut_v3 x = s->axes.c[0], y = s->axes.c[1];
        s->axes.c[0] = taut_v3_more(taut_v3_scale(cosine, x), sine, y);
        s->axes.c[1] = taut_v3_more(taut_v3_scale(cosine, y), -sine, x);
        s->S[s->motions++] = (taut_twist){s->axes.c[2], none};
        relative = taut_v3_scale(v[l->rate], s->axes.c[2]);
    } else if (l->hinge == TAUT_HINGE_SLIDE) {
        s->r = taut_v3_more(s->r, q[l->coordinate], s->axes.c[2]);
        s->S[s->motions++] = (taut_twist){none, s->axes.c[2]};
        slip = taut_v3_scale(2.0 * v[l->rate], taut_v3_cross(p->spin, s->axes.c[2]));
    } else if (l->hinge == TAUT_HINGE_BALL) {
        s->axes = turned(&q[l->coordinate]);
        for (int k = 0; k < 3; k++) s->S[s->motions++] = (taut_twist){s->axes.c[k], none};
        relative = taut_v3_sub(taut_m3_apply(&s->axes, vector(&v[l->rate])), p->spin);
    }
    s->origin = taut_v3_add(p->origin, s->r);
    s->spin = taut_v3_add(p->spin, relative);
    s->bias.turn = taut_v3_cross(p->spin, relative);
    s->bias.shift = taut_v3_add(taut_v3_cross(p->spin, taut_v3_cross(p->spin, s->r)), slip);
}

/* The limb's own inertia, and the force that it takes when nothing accelerates. */
static void weigh(const taut_spatial_limb *l, taut_spatial_state *s, taut_v3 gravity) {
    const taut_v3 d = taut_m3_apply(&s->axes, l->centroid), h = taut_v3_scale(l->mass, d);
    const taut_m3 back = taut_m3_transposed(&s->axes), half = taut_m3_product(&l->inertia, &back);
    s->I.J = taut_m3_product(&s->axes, &half);
    taut_m3_more(&s->I.J, -1.0, h, d);
    const double square = taut_v3_dot(h, d);
    s->I.J.c[0].x += square;
    s->I.J.c[1].y += square;
    s->I.J.c[2].z += square;
    s->I.K = taut_m3_skew(h);
    s->I.M = (taut_m3){{{l->mass, 0.0, 0.0}, {0.0, l->mass, 0.0}, {0.0, 0.0, l->mass}}};
    s->p.torque = taut_v3_cross(s->spin, taut_m3_apply(&s->I.J, s->spin));
    s->p.force = taut_v3_cross(s->spin, taut_v3_cross(s->spin, h));
    if (l->weightless) return;
    s->p.torque = taut_v3_sub(s->p.torque, taut_v3_cross(h, gravity));
    s->p.force = taut_v3_more(s->p.force, -l->mass, gravity);
}

static void place_all(taut_recursion *r, const double *q, const double *v, taut_v3 gravity) {
    place_ground(r);
    for (int i = 1; i < r->slots; i++) {
        place(&r->spatial[i], &r->body[r->spatial[i].parent], &r->body[i], q, v);
        weigh(&r->spatial[i], &r->body[i], gravity);
    }
}

/* ---- inwards ---- */

/* Factors of the hinge's rows; takes them out of the inertia. */
static bool eliminate(taut_spatial_state *s, taut_inertia *I) {
    bool sound = true;
    *I = s->I;
    for (int k = 0; k < s->motions; k++) {
        s->W[k] = taut_inertia_apply(&s->I, s->S[k]);
        for (int j = 0; j < k; j++) {
            s->L[k][j] = taut_wrench_power(s->W[j], s->S[k]);
            s->W[k].torque = taut_v3_more(s->W[k].torque, -s->L[k][j], s->W[j].torque);
            s->W[k].force = taut_v3_more(s->W[k].force, -s->L[k][j], s->W[j].force);
        }
        const double square = taut_wrench_power(s->W[k], s->S[k]);
        sound = sound && square > 0.0;
        s->L[k][k] = sqrt(square);
        const double scale = 1.0 / s->L[k][k];
        s->W[k].torque = taut_v3_scale(scale, s->W[k].torque);
        s->W[k].force = taut_v3_scale(scale, s->W[k].force);
        taut_m3_more(&I->J, -1.0, s->W[k].torque, s->W[k].torque);
        taut_m3_more(&I->K, -1.0, s->W[k].torque, s->W[k].force);
        taut_m3_more(&I->M, -1.0, s->W[k].force, s->W[k].force);
    }
    return sound;
}

/* The right-hand sides of the hinge's rows; takes what they carry out of the force. A ball's rates
 * are the limb's own, so what acts on them acts on the limb and not on its parent. */
static taut_wrench relieve(const taut_spatial_limb *l, taut_spatial_state *s, const double *force) {
    const bool ball = l->hinge == TAUT_HINGE_BALL;
    if (ball) s->p.torque = taut_v3_sub(s->p.torque, taut_m3_apply(&s->axes, vector(force)));
    taut_wrench p = s->p;
    for (int k = 0; k < s->motions; k++) {
        double rest = (ball ? 0.0 : force[k]) - taut_wrench_power(s->p, s->S[k]);
        for (int j = 0; j < k; j++) rest -= s->L[k][j] * s->y[j];
        s->y[k] = rest / s->L[k][k];
        p.torque = taut_v3_more(p.torque, s->y[k], s->W[k].torque);
        p.force = taut_v3_more(p.force, s->y[k], s->W[k].force);
    }
    return p;
}

static void hand_force(taut_spatial_state *parent, taut_wrench p, taut_v3 r) {
    p = taut_wrench_moved(p, r);
    parent->p.torque = taut_v3_add(parent->p.torque, p.torque);
    parent->p.force = taut_v3_add(parent->p.force, p.force);
}

static void hand_inertia(taut_spatial_state *parent, const taut_inertia *I, taut_v3 r) {
    const taut_inertia moved = taut_inertia_moved(I, r);
    taut_inertia_add(&parent->I, &moved);
}

/* A guided hinge with this acceleration passes everything on, as if it were fixed. */
static void guide(taut_spatial_state *s, double acceleration, taut_spatial_state *parent) {
    taut_twist a = s->bias;
    a.turn = taut_v3_more(a.turn, acceleration, s->S[0].turn);
    a.shift = taut_v3_more(a.shift, acceleration, s->S[0].shift);
    taut_wrench p = taut_inertia_apply(&s->I, a);
    p.torque = taut_v3_add(p.torque, s->p.torque);
    p.force = taut_v3_add(p.force, s->p.force);
    hand_inertia(parent, &s->I, s->r);
    hand_force(parent, p, s->r);
}

/* ---- outwards again ---- */

static void follow(const taut_spatial_limb *l, const taut_spatial_state *p, taut_spatial_state *s,
                   bool biased, bool guided, double *q) {
    s->a = taut_twist_moved(p->a, s->r);
    if (biased) {
        s->a.turn = taut_v3_add(s->a.turn, s->bias.turn);
        s->a.shift = taut_v3_add(s->a.shift, s->bias.shift);
    }
    if (guided) {
        s->a.turn = taut_v3_more(s->a.turn, q[0], s->S[0].turn);
        s->a.shift = taut_v3_more(s->a.shift, q[0], s->S[0].shift);
        return;
    }
    const taut_twist before = s->a;
    for (int k = s->motions - 1; k >= 0; k--) {
        double rest = s->y[k] - taut_wrench_power(s->W[k], before);
        for (int j = k + 1; j < s->motions; j++) rest -= s->L[j][k] * q[j];
        q[k] = rest / s->L[k][k];
        s->a.turn = taut_v3_more(s->a.turn, q[k], s->S[k].turn);
        s->a.shift = taut_v3_more(s->a.shift, q[k], s->S[k].shift);
    }
    if (l->hinge != TAUT_HINGE_BALL) return;
    for (int k = 0; k < 3; k++) q[k] = taut_v3_dot(s->axes.c[k], s->a.turn);
}

bool taut_spatial_accelerate(taut_recursion *r, const double *q, const double *v,
                             const double *force, double *acceleration) {
    bool sound = true;
    place_all(r, q, v, vector(r->gravity));
    for (int i = r->slots - 1; i > 0; i--) {
        taut_spatial_state *s = &r->body[i], *parent = &r->body[r->spatial[i].parent];
        taut_inertia I;
        if (r->guiding && r->spatial[i].guided) {
            guide(s, acceleration[r->spatial[i].rate], parent);
            continue;
        }
        sound &= eliminate(s, &I);
        taut_wrench p = relieve(&r->spatial[i], s, &force[r->spatial[i].rate]);
        const taut_wrench bias = taut_inertia_apply(&I, s->bias);
        p.torque = taut_v3_add(p.torque, bias.torque);
        p.force = taut_v3_add(p.force, bias.force);
        hand_inertia(parent, &I, s->r);
        hand_force(parent, p, s->r);
    }
    for (int i = 1; i < r->slots; i++)
        follow(&r->spatial[i], &r->body[r->spatial[i].parent], &r->body[i], true,
               r->guiding && r->spatial[i].guided, &acceleration[r->spatial[i].rate]);
    return sound;
}

void taut_spatial_solve(taut_recursion *r, int first, int last, const double *force,
                        double *acceleration) {
    for (int i = first; i <= last; i++) r->body[i].p = (taut_wrench){0};
    for (int i = last; i >= first; i--) {
        const taut_spatial_limb *l = &r->spatial[i];
        const bool guided = r->guiding && l->guided;
        if (guided) acceleration[l->rate] = 0.0;
        hand_force(&r->body[l->parent],
                   guided ? r->body[i].p : relieve(l, &r->body[i], &force[l->rate]), r->body[i].r);
    }
    for (int i = first; i <= last; i++)
        follow(&r->spatial[i], &r->body[r->spatial[i].parent], &r->body[i], false,
               r->guiding && r->spatial[i].guided, &acceleration[r->spatial[i].rate]);
}

double taut_spatial_guided_force(const taut_recursion *r, int slot) {
    const taut_spatial_state *s = &r->body[slot];
    taut_wrench w = taut_inertia_apply(&s->I, s->a);
    w.torque = taut_v3_add(w.torque, s->p.torque);
    w.force = taut_v3_add(w.force, s->p.force);
    return taut_wrench_power(w, s->S[0]);
}

/* ---- checks ---- */

void taut_spatial_mass(taut_recursion *r, const double *q, double *mass) {
    const taut_spatial_limb *limb = r->spatial;
    place_all(r, q, r->none, (taut_v3){0.0, 0.0, 0.0});
    for (int i = r->slots - 1; i > 0; i--) {
        const taut_inertia I = r->body[i].I; /* of all that hangs on it, as one body */
        taut_inertia felt = I;               /* what its parent feels of it */
        if (limb[i].hinge == TAUT_HINGE_BALL) felt.J = felt.K = (taut_m3){0};
        hand_inertia(&r->body[limb[i].parent], &felt, r->body[i].r);
        for (int k = 0; k < r->body[i].motions; k++) {
            taut_wrench f = taut_inertia_apply(&I, r->body[i].S[k]);
            for (int j = i; j > 0; j = limb[j].parent) {
                for (int m = 0; m < r->body[j].motions; m++)
                    mass[(limb[i].rate + k) * r->rates + limb[j].rate + m] =
                        mass[(limb[j].rate + m) * r->rates + limb[i].rate + k] =
                            taut_wrench_power(f, r->body[j].S[m]);
                if (limb[j].hinge == TAUT_HINGE_BALL) f.torque = (taut_v3){0};
                f = taut_wrench_moved(f, r->body[j].r);
            }
        }
    }
}

void taut_spatial_inverse(taut_recursion *r, const double *q, const double *v,
                          const double *acceleration, double *force) {
    const taut_spatial_limb *limb = r->spatial;
    place_all(r, q, v, vector(r->gravity));
    for (int i = 1; i < r->slots; i++) {
        taut_spatial_state *s = &r->body[i];
        s->a = taut_twist_moved(r->body[limb[i].parent].a, s->r);
        s->a.turn = taut_v3_add(s->a.turn, s->bias.turn);
        s->a.shift = taut_v3_add(s->a.shift, s->bias.shift);
        if (limb[i].hinge == TAUT_HINGE_BALL) s->a.turn = (taut_v3){0};
        for (int k = 0; k < s->motions; k++) {
            s->a.turn = taut_v3_more(s->a.turn, acceleration[limb[i].rate + k], s->S[k].turn);
            s->a.shift = taut_v3_more(s->a.shift, acceleration[limb[i].rate + k], s->S[k].shift);
        }
        const taut_wrench f = taut_inertia_apply(&s->I, s->a);
        s->p.torque = taut_v3_add(s->p.torque, f.torque);
        s->p.force = taut_v3_add(s->p.force, f.force);
    }
    for (int i = r->slots - 1; i > 0; i--) {
        for (int k = 0; k < r->body[i].motions; k++)
            force[limb[i].rate + k] = taut_wrench_power(r->body[i].p, r->body[i].S[k]);
        if (limb[i].hinge == TAUT_HINGE_BALL) r->body[i].p.torque = (taut_v3){0};
        hand_force(&r->body[limb[i].parent], r->body[i].p, r->body[i].r);
    }
}

void taut_spatial_pose(const taut_recursion *r, int slot, double origin[3], double axes[3][3]) {
    const taut_spatial_state *s = &r->body[slot];
    origin[0] = s->origin.x;
    origin[1] = s->origin.y;
    origin[2] = s->origin.z;
    for (int k = 0; k < 3; k++) {
        axes[0][k] = s->axes.c[k].x;
        axes[1][k] = s->axes.c[k].y;
        axes[2][k] = s->axes.c[k].z;
    }
}
