/* Featherstone's articulated-body algorithm in the plane: motions and forces of three components,
 * everything in scalars.
 * Origins and their velocities do not enter: accelerations depend on angles and their rates alone.
 */
#define _GNU_SOURCE /* sincos */
#include <math.h>

#include "tree/limbs.h"

void taut_planar_fill(taut_recursion *r, const taut_limb *limb) {
    for (int i = 1; i < r->slots; i++) {
        const taut_limb *from = &limb[i - 1];
        const double x = from->centroid[0], y = from->centroid[1];
        r->planar[i] = (taut_planar_limb){.parent = from->parent + 1,
                                          .hinge = (int)from->hinge,
                                          .at = r->rate_of[i],
                                          .place_x = from->place[0],
                                          .place_y = from->place[1],
                                          .angle = atan2(from->axes[1][0], from->axes[0][0]),
                                          .mass = from->mass,
                                          .weight = from->weightless ? 0.0 : from->mass,
                                          .centre_x = from->mass * x,
                                          .centre_y = from->mass * y,
                                          .J = from->inertia[2][2] + from->mass * (x * x + y * y)};
    }
    r->state[0] = (taut_planar_state){.c = 1.0};
}

/* ---- outwards ---- */

/* Angles, spins, and the accelerations that they cause. */
static inline void place(const taut_planar_limb *l, const taut_planar_state *p,
                         taut_planar_state *s, const double *q, const double *v) {
    s->angle = p->angle + l->angle;
    s->spin = p->spin;
    s->rx = p->c * l->place_x - p->s * l->place_y;
    s->ry = p->s * l->place_x + p->c * l->place_y;
    if (l->hinge == TAUT_HINGE_TURN) {
        s->angle += q[l->at];
        s->spin += v[l->at];
    }
    sincos(s->angle, &s->s, &s->c);
    double slip = 0.0;
    if (l->hinge == TAUT_HINGE_SLIDE) {
        s->rx += q[l->at] * s->c;
        s->ry += q[l->at] * s->s;
        slip = 2.0 * v[l->at] * p->spin;
    }
    const double square = p->spin * p->spin;
    s->bias_x = -square * s->rx - slip * s->s;
    s->bias_y = -square * s->ry + slip * s->c;
}

/* The limb's own inertia, and the force that it takes when nothing accelerates. */
static inline void weigh(const taut_planar_limb *l, taut_planar_state *s, const double *gravity) {
    const double hx = s->c * l->centre_x - s->s * l->centre_y,
                 hy = s->s * l->centre_x + s->c * l->centre_y, square = s->spin * s->spin;
    s->I = (taut_planar_inertia){l->J, -hy, hx, l->mass, 0.0, l->mass};
    s->fx = -square * hx - l->weight * gravity[0];
    s->fy = -square * hy - l->weight * gravity[1];
    s->torque = l->weight == 0.0 ? 0.0 : hy * gravity[0] - hx * gravity[1];
}

/* ---- inwards ---- */

/* What a limb and all that hangs on it is for its parent, by the rows of its hinge. */
static inline bool eliminate(const taut_planar_limb *l, taut_planar_state *s, double force,
                             taut_planar_inertia *I, double p[3]) {
    *I = s->I;
    p[0] = s->torque;
    p[1] = s->fx;
    p[2] = s->fy;
    double D = 1.0;
    if (l->hinge == TAUT_HINGE_TURN) {
        D = I->J;
        s->divisor = 1.0 / D;
        s->I.J = 1.0;
        s->I.kx = I->kx * s->divisor;
        s->I.ky = I->ky * s->divisor;
        s->u = (force - p[0]) * s->divisor;
        I->mxx -= I->kx * s->I.kx;
        I->mxy -= I->kx * s->I.ky;
        I->myy -= I->ky * s->I.ky;
        p[0] = force;
        p[1] += I->kx * s->u;
        p[2] += I->ky * s->u;
        I->J = I->kx = I->ky = 0.0;
    } else if (l->hinge == TAUT_HINGE_SLIDE) {
        const double U = I->kx * s->c + I->ky * s->s, Ux = I->mxx * s->c + I->mxy * s->s,
                     Uy = I->mxy * s->c + I->myy * s->s;
        D = Ux * s->c + Uy * s->s;
        s->divisor = 1.0 / D;
        s->u = (force - p[1] * s->c - p[2] * s->s) * s->divisor;
        s->I.J = U * s->divisor;
        s->I.kx = Ux * s->divisor;
        s->I.ky = Uy * s->divisor;
        I->J -= U * s->I.J;
        I->kx -= U * s->I.kx;
        I->ky -= U * s->I.ky;
        I->mxx -= Ux * s->I.kx;
        I->mxy -= Ux * s->I.ky;
        I->myy -= Uy * s->I.ky;
        p[0] += U * s->u;
        p[1] += Ux * s->u;
        p[2] += Uy * s->u;
    }
    p[0] += I->kx * s->bias_x + I->ky * s->bias_y;
    p[1] += I->mxx * s->bias_x + I->mxy * s->bias_y;
    p[2] += I->mxy * s->bias_x + I->myy * s->bias_y;
    return D > 0.0;
}

/* A guided hinge with this acceleration passes everything on, as if it were fixed. */
static inline void guide(const taut_planar_limb *l, taut_planar_state *s, double acceleration,
                         taut_planar_inertia *I, double p[3]) {
    const bool turns = l->hinge == TAUT_HINGE_TURN;
    const double turn = turns ? acceleration : 0.0, x = turns ? 0.0 : acceleration * s->c,
                 y = turns ? 0.0 : acceleration * s->s;
    *I = s->I;
    s->u = acceleration;
    p[0] = s->torque + I->J * turn + I->kx * (x + s->bias_x) + I->ky * (y + s->bias_y);
    p[1] = s->fx + I->kx * turn + I->mxx * (x + s->bias_x) + I->mxy * (y + s->bias_y);
    p[2] = s->fy + I->ky * turn + I->mxy * (x + s->bias_x) + I->myy * (y + s->bias_y);
}

/* The parent carries it at its own origin: (x, y) is r turned by a right angle. */
static inline void hand_inertia(taut_planar_state *p, const taut_planar_inertia *I, double x,
                                double y) {
    const double mx = I->mxx * x + I->mxy * y, my = I->mxy * x + I->myy * y;
    p->I.J += I->J + 2.0 * (I->kx * x + I->ky * y) + x * mx + y * my;
    p->I.kx += I->kx + mx;
    p->I.ky += I->ky + my;
    p->I.mxx += I->mxx;
    p->I.mxy += I->mxy;
    p->I.myy += I->myy;
}

static inline void hand_force(taut_planar_state *p, const double f[3], double x, double y) {
    p->torque += f[0] + x * f[1] + y * f[2];
    p->fx += f[1];
    p->fy += f[2];
}

/* ---- outwards again ---- */

static inline double follow(const taut_planar_limb *l, const taut_planar_state *p,
                            taut_planar_state *s, bool guided, double bias_x, double bias_y) {
    s->turn = p->turn;
    s->ax = p->ax - p->turn * s->ry + bias_x;
    s->ay = p->ay + p->turn * s->rx + bias_y;
    if (l->hinge == TAUT_HINGE_FIXED) return 0.0;
    const double a = guided ? s->u : s->u - s->I.J * s->turn - s->I.kx * s->ax - s->I.ky * s->ay;
    if (l->hinge == TAUT_HINGE_TURN) {
        s->turn += a;
    } else {
        s->ax += a * s->c;
        s->ay += a * s->s;
    }
    return a;
}

bool taut_planar_accelerate(taut_recursion *r, const double *q, const double *v,
                            const double *force, double *acceleration) {
    taut_planar_state *state = r->state;
    const taut_planar_limb *limb = r->planar;
    bool sound = true;
    state[0] = (taut_planar_state){.c = 1.0};
    for (int i = 1; i < r->slots; i++) {
        place(&limb[i], &state[limb[i].parent], &state[i], q, v);
        weigh(&limb[i], &state[i], r->gravity);
    }
    for (int i = r->slots - 1; i > 0; i--) {
        taut_planar_inertia I;
        double p[3];
        if (r->guiding && limb[i].guided)
            guide(&limb[i], &state[i], acceleration[limb[i].at], &I, p);
        else
            sound &= eliminate(&limb[i], &state[i],
                               limb[i].hinge == TAUT_HINGE_FIXED ? 0.0 : force[limb[i].at], &I, p);
        hand_inertia(&state[limb[i].parent], &I, -state[i].ry, state[i].rx);
        hand_force(&state[limb[i].parent], p, -state[i].ry, state[i].rx);
    }
    state[0].turn = state[0].ax = state[0].ay = 0.0;
    for (int i = 1; i < r->slots; i++) {
        const double a = follow(&limb[i], &state[limb[i].parent], &state[i],
                                r->guiding && limb[i].guided, state[i].bias_x, state[i].bias_y);
        if (limb[i].hinge != TAUT_HINGE_FIXED) acceleration[limb[i].at] = a;
    }
    return sound;
}

/* The same with what is left of the inertias, without velocities and weights. */
void taut_planar_solve(taut_recursion *r, int first, int last, const double *force,
                       double *acceleration) {
    taut_planar_state *state = r->state;
    const taut_planar_limb *limb = r->planar;
    for (int i = first; i <= last; i++) state[i].torque = state[i].fx = state[i].fy = 0.0;
    for (int i = last; i >= first; i--) {
        taut_planar_state *s = &state[i];
        double p[3] = {s->torque, s->fx, s->fy}, rest = 0.0;
        if (r->guiding && limb[i].guided) {
            s->u = 0.0;
            hand_force(&state[limb[i].parent], p, -s->ry, s->rx);
            continue;
        }
        if (limb[i].hinge == TAUT_HINGE_TURN) rest = force[limb[i].at] - p[0];
        if (limb[i].hinge == TAUT_HINGE_SLIDE) rest = force[limb[i].at] - p[1] * s->c - p[2] * s->s;
        s->u = rest * s->divisor;
        if (limb[i].hinge != TAUT_HINGE_FIXED) {
            p[0] += s->I.J * rest;
            p[1] += s->I.kx * rest;
            p[2] += s->I.ky * rest;
        }
        hand_force(&state[limb[i].parent], p, -s->ry, s->rx);
    }
    state[0].turn = state[0].ax = state[0].ay = 0.0;
    for (int i = first; i <= last; i++) {
        const double a = follow(&limb[i], &state[limb[i].parent], &state[i],
                                r->guiding && limb[i].guided, 0.0, 0.0);
        if (limb[i].hinge != TAUT_HINGE_FIXED) acceleration[limb[i].at] = a;
    }
}

double taut_planar_guided_force(const taut_recursion *r, int slot) {
    const taut_planar_state *s = &r->state[slot];
    const taut_planar_inertia *I = &s->I;
    if (r->planar[slot].hinge == TAUT_HINGE_TURN)
        return I->J * s->turn + I->kx * s->ax + I->ky * s->ay + s->torque;
    return s->c * (I->kx * s->turn + I->mxx * s->ax + I->mxy * s->ay + s->fx) +
           s->s * (I->ky * s->turn + I->mxy * s->ax + I->myy * s->ay + s->fy);
}

/* ---- checks ---- */

/* What a hinge feels of a force about the limb's origin. */
static double felt(const taut_planar_limb *l, const taut_planar_state *s, const double f[3]) {
    return l->hinge == TAUT_HINGE_TURN ? f[0] : f[1] * s->c + f[2] * s->s;
}

void taut_planar_mass(taut_recursion *r, const double *q, double *mass) {
    static const double still[3];
    taut_planar_state *state = r->state;
    const taut_planar_limb *limb = r->planar;
    state[0] = (taut_planar_state){.c = 1.0};
    for (int i = 1; i < r->slots; i++) {
        place(&limb[i], &state[limb[i].parent], &state[i], q, r->none);
        weigh(&limb[i], &state[i], still);
    }
    for (int i = r->slots - 1; i > 0; i--) {
        const taut_planar_inertia I = state[i].I; /* of all that hangs on it, as one body */
        hand_inertia(&state[limb[i].parent], &I, -state[i].ry, state[i].rx);
        if (limb[i].hinge == TAUT_HINGE_FIXED) continue;
        const double c = state[i].c, s = state[i].s;
        double f[3] = {I.J, I.kx, I.ky};
        if (limb[i].hinge == TAUT_HINGE_SLIDE) {
            f[0] = I.kx * c + I.ky * s;
            f[1] = I.mxx * c + I.mxy * s;
            f[2] = I.mxy * c + I.myy * s;
        }
        for (int j = i; j > 0; j = limb[j].parent) {
            if (limb[j].hinge != TAUT_HINGE_FIXED)
                mass[limb[i].at * r->rates + limb[j].at] =
                    mass[limb[j].at * r->rates + limb[i].at] = felt(&limb[j], &state[j], f);
            f[0] += -state[j].ry * f[1] + state[j].rx * f[2];
        }
    }
}

void taut_planar_inverse(taut_recursion *r, const double *q, const double *v,
                         const double *acceleration, double *force) {
    taut_planar_state *state = r->state;
    const taut_planar_limb *limb = r->planar;
    state[0] = (taut_planar_state){.c = 1.0};
    for (int i = 1; i < r->slots; i++) {
        taut_planar_state *s = &state[i];
        const taut_planar_state *p = &state[limb[i].parent];
        place(&limb[i], p, s, q, v);
        weigh(&limb[i], s, r->gravity);
        const double a = limb[i].hinge == TAUT_HINGE_FIXED ? 0.0 : acceleration[limb[i].at];
        const bool slides = limb[i].hinge == TAUT_HINGE_SLIDE;
        s->turn = p->turn + (slides ? 0.0 : a);
        s->ax = p->ax - p->turn * s->ry + s->bias_x + (slides ? a * s->c : 0.0);
        s->ay = p->ay + p->turn * s->rx + s->bias_y + (slides ? a * s->s : 0.0);
        s->torque += s->I.J * s->turn + s->I.kx * s->ax + s->I.ky * s->ay;
        s->fx += s->I.kx * s->turn + s->I.mxx * s->ax;
        s->fy += s->I.ky * s->turn + s->I.myy * s->ay;
    }
    for (int i = r->slots - 1; i > 0; i--) {
        const double f[3] = {state[i].torque, state[i].fx, state[i].fy};
        if (limb[i].hinge != TAUT_HINGE_FIXED) force[limb[i].at] = felt(&limb[i], &state[i], f);
        hand_force(&state[limb[i].parent], f, -state[i].ry, state[i].rx);
    }
}

void taut_planar_pose(const taut_recursion *r, int slot, double origin[3], double axes[3][3]) {
    const taut_planar_state *s = &r->state[slot];
    const double turned[3][3] = {{s->c, -s->s, 0.0}, {s->s, s->c, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++) {
        origin[i] = 0.0;
        for (int k = 0; k < 3; k++) axes[i][k] = turned[i][k];
    }
    for (int i = slot; i > 0; i = r->planar[i].parent) {
        origin[0] += r->state[i].rx;
        origin[1] += r->state[i].ry;
    }
}
