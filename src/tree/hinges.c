/* Kinematic equations of hinges: between unknowns (Euler parameters) and angular velocities. */
#include "tree/hinges.h"

#include <math.h>

#include "tree/spatial.h"

static double *of(const taut_hinges *hinges, int variable) {
    return taut_hinges_of(hinges, variable);
}

static bool is_ball(const taut_hinges *hinges, const taut_law_hinge *h) {
    return hinges->law->limb[h->limb].hinge == TAUT_HINGE_BALL;
}

int taut_hinge_unknowns(const taut_law *law, int i) {
    const taut_law_hinge *h = &law->hinge[i];
    return law->limb[h->limb].hinge != TAUT_HINGE_BALL ? 1 : h->rod ? 3 : 4;
}

int taut_hinge_rates(const taut_law *law, int i) {
    return law->limb[law->hinge[i].limb].hinge == TAUT_HINGE_BALL ? 3 : 1;
}

int taut_hinge_rate(const taut_hinges *hinges, int i) {
    return taut_recursion_rate_of(hinges->tree, hinges->law->hinge[i].limb);
}

/* A quaternion that turns the x axis to a direction. */
static void turn_to(taut_v3 u, double e[4]) {
    const bool near = u.x >= 0.0;
    e[0] = near ? 1.0 + u.x : u.y;
    e[1] = near ? 0.0 : u.z;
    e[2] = near ? -u.z : 0.0;
    e[3] = near ? u.y : 1.0 - u.x;
}

static taut_m3 axes_of(const double e[4]) {
    const double s = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    const double w = e[0], x = e[1], y = e[2], z = e[3];
    return (taut_m3){{{1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                      {s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)},
                      {s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)}}};
}

/* Component `order` of three unknowns. */
static taut_v3 vector_of(const taut_hinges *hinges, int variable, int order) {
    return (taut_v3){of(hinges, variable)[order], of(hinges, variable + 1)[order],
                     of(hinges, variable + 2)[order]};
}

static void store(double *to, taut_v3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* omega = 2 (e0 e' - e0' e - e x e') along the limb's axes; of a rod u x u' along the world's. */
static taut_v3 spin_of(const taut_hinges *hinges, const taut_law_hinge *h) {
    if (h->rod)
        return taut_v3_cross(vector_of(hinges, h->variable, 0), vector_of(hinges, h->variable, 1));
    const double *e0 = of(hinges, h->variable);
    const taut_v3 e = vector_of(hinges, h->variable + 1, 0),
                  rate = vector_of(hinges, h->variable + 1, 1);
    const taut_v3 sum = taut_v3_more(taut_v3_scale(e0[0], rate), -e0[1], e);
    return taut_v3_scale(2.0, taut_v3_sub(sum, taut_v3_cross(e, rate)));
}

void taut_hinges_enter(taut_hinges *hinges) {
    for (int i = 0; i < hinges->law->hinges; i++) {
        const taut_law_hinge *h = &hinges->law->hinge[i];
        double *q = hinges->q + taut_recursion_coordinate_of(hinges->tree, h->limb),
               *v = hinges->v + taut_recursion_rate_of(hinges->tree, h->limb);
        if (!is_ball(hinges, h)) {
            *q = of(hinges, h->variable)[0];
            *v = of(hinges, h->variable)[1];
        } else if (h->rod) {
            turn_to(vector_of(hinges, h->variable, 0), q);
            const taut_m3 axes = axes_of(q);
            store(v, taut_m3_apply_t(&axes, spin_of(hinges, h)));
        } else {
            for (int k = 0; k < 4; k++) q[k] = of(hinges, h->variable + k)[0];
            store(v, spin_of(hinges, h));
        }
    }
}

void taut_hinges_leave(taut_hinges *hinges, const double *acceleration) {
    for (int i = 0; i < hinges->law->hinges; i++) {
        const taut_law_hinge *h = &hinges->law->hinge[i];
        const double *a = acceleration + taut_recursion_rate_of(hinges->tree, h->limb),
                     *q = hinges->q + taut_recursion_coordinate_of(hinges->tree, h->limb);
        const taut_v3 alpha = {a[0], is_ball(hinges, h) ? a[1] : 0.0,
                               is_ball(hinges, h) ? a[2] : 0.0};
        double second[3];
        if (!is_ball(hinges, h)) {
            of(hinges, h->variable)[2] = a[0];
        } else if (h->rod) {
            const taut_m3 axes = axes_of(q);
            const taut_v3 u = vector_of(hinges, h->variable, 0), omega = spin_of(hinges, h);
            store(second, taut_v3_add(taut_v3_cross(taut_m3_apply(&axes, alpha), u),
                                      taut_v3_cross(omega, taut_v3_cross(omega, u))));
            for (int k = 0; k < 3; k++) of(hinges, h->variable + k)[2] = second[k];
        } else { /* e'' = (e (0, omega') + e' (0, omega)) / 2 */
            const double *e0 = of(hinges, h->variable);
            const taut_v3 e = vector_of(hinges, h->variable + 1, 0),
                          rate = vector_of(hinges, h->variable + 1, 1), omega = spin_of(hinges, h);
            taut_v3 sum = taut_v3_add(taut_v3_cross(e, alpha), taut_v3_cross(rate, omega));
            sum = taut_v3_more(taut_v3_more(sum, e0[0], alpha), e0[1], omega);
            store(second, taut_v3_scale(0.5, sum));
            for (int k = 0; k < 3; k++) of(hinges, h->variable + 1 + k)[2] = second[k];
            of(hinges, h->variable)[2] = -0.5 * (taut_v3_dot(e, alpha) + taut_v3_dot(rate, omega));
        }
    }
}

void taut_hinges_pull(const taut_hinges *hinges, int i, double *force) {
    const taut_law_hinge *h = &hinges->law->hinge[i];
    double *f = force + taut_hinge_rate(hinges, i);
    if (!is_ball(hinges, h)) {
        f[0] = of(hinges, h->variable)[2];
    } else if (h->rod) {
        const double *q = hinges->q + taut_recursion_coordinate_of(hinges->tree, h->limb);
        const taut_m3 axes = axes_of(q);
        store(f, taut_m3_apply_t(&axes, taut_v3_cross(vector_of(hinges, h->variable, 0),
                                                      vector_of(hinges, h->variable, 2))));
    } else {
        const double *e0 = of(hinges, h->variable);
        const taut_v3 e = vector_of(hinges, h->variable + 1, 0),
                      Q = vector_of(hinges, h->variable + 1, 2);
        const taut_v3 sum = taut_v3_more(taut_v3_cross(Q, e), e0[0], Q);
        store(f, taut_v3_scale(0.5, taut_v3_more(sum, -e0[2], e)));
    }
}

void taut_hinges_clear(taut_hinges *hinges, int i) {
    for (int k = 0; k < taut_hinge_unknowns(hinges->law, i); k++)
        of(hinges, hinges->law->hinge[i].variable + k)[2] = 0.0;
}

void taut_hinges_move(taut_hinges *hinges, int order, const double *step) {
    for (int i = 0; i < hinges->law->hinges; i++) {
        const taut_law_hinge *h = &hinges->law->hinge[i];
        const double *s = step + taut_recursion_rate_of(hinges->tree, h->limb);
        if (!is_ball(hinges, h)) {
            of(hinges, h->variable)[order] += s[0];
            continue;
        }
        const taut_v3 turn = {s[0], s[1], s[2]};
        const int first = h->rod ? h->variable : h->variable + 1;
        const taut_v3 e = vector_of(hinges, first, 0);
        double change[3];
        if (h->rod) {
            const taut_m3 axes =
                axes_of(hinges->q + taut_recursion_coordinate_of(hinges->tree, h->limb));
            store(change, taut_v3_cross(taut_m3_apply(&axes, turn), e));
        } else {
            const double e0 = of(hinges, h->variable)[0];
            store(change, taut_v3_scale(0.5, taut_v3_more(taut_v3_cross(e, turn), e0, turn)));
            of(hinges, h->variable)[order] -= 0.5 * taut_v3_dot(e, turn);
        }
        for (int k = 0; k < 3; k++) of(hinges, first + k)[order] += change[k];
    }
}

void taut_hinges_normalise(taut_hinges *hinges) {
    for (int i = 0; i < hinges->law->hinges; i++) {
        const taut_law_hinge *h = &hinges->law->hinge[i];
        const int count = h->rod ? 3 : 4;
        double square = 0.0, along = 0.0;
        if (!is_ball(hinges, h)) continue;
        for (int k = 0; k < count; k++) square += pow(of(hinges, h->variable + k)[0], 2.0);
        for (int k = 0; k < count; k++) of(hinges, h->variable + k)[0] /= sqrt(square);
        for (int k = 0; k < count; k++)
            along += of(hinges, h->variable + k)[0] * of(hinges, h->variable + k)[1];
        for (int k = 0; k < count; k++)
            of(hinges, h->variable + k)[1] -= along * of(hinges, h->variable + k)[0];
    }
}
