/* The polynomial of a Taylor step: its values and derivatives, with the poles of singular positions
 * taken out where the step passes them. */
#include <math.h>

#include "solve/taylor_parts.h"

/* What pole closure adds to the sum of the coefficients c_0 .. c_Q at theta:
 * -sum_m theta^(Q+m) sum_(j >= m) d_j c_(Q+m-j) / D, with D = q^2 = 1 + d_1 theta + ... and q, of
 * degree 1 or 2, 0 at singular positions. Close to these the plain polynomial is better. */
static double closure(const taut_taylor_stepper *p, int j, int k, double theta) {
    const double q = 1.0 + theta * (p->closing_q[0] + theta * p->closing_q[1]);
    const int Q = p->last_stage + p->structure->offsets.d[j] - k;
    if (Q < TAUT_TAYLOR_CLOSING || fabs(q) < 0.15) return 0.0;
    double sum = 0.0;
    for (int m = TAUT_TAYLOR_CLOSING; m >= 1; m--) {
        double missing = 0.0;
        for (int i = m; i <= TAUT_TAYLOR_CLOSING; i++)
            missing += p->closing_d[i] * taut_taylor_coef(p, j, k, Q + m - i);
        sum = (sum + missing) * theta;
    }
    return -sum * pow(theta, Q) / (q * q);
}

/* From the sum of scaled terms to what they mean. per_h: one over the scale, which is a power of 2,
 * so that nothing is rounded. */
static double unscaled(const taut_taylor_stepper *p, int j, int k, double theta, double sum,
                       double per_h) {
    if (p->closing) sum += closure(p, j, k, theta);
    for (int i = 0; i < k; i++) sum *= per_h;
    return sum;
}

/* Terms beyond the first of the k-th derivative of poly[j] at `theta` scales from its centre. */
static double tail(const taut_taylor_stepper *p, int j, int k, double theta) {
    const int top = p->last_stage + p->structure->offsets.d[j] - k;
    double sum = 0.0;
    const double *c = p->poly[j] + k, *falling = p->falling + k * p->orders;
    for (int q = top; q > 0; q--) sum = (sum + falling[q] * c[q]) * theta;
    return unscaled(p, j, k, theta, sum, 1.0 / p->poly_h);
}

/* The same for up to four states of equal order and length: none waits for another. */
static void tails_of_four(const taut_taylor_stepper *p, const taut_component *list,
                          const int *number, int count, double theta, double *result) {
    const double per_h = 1.0 / p->poly_h;
    const taut_component *x[4];
    const double *c[4];
    for (int m = 0; m < 4; m++) {
        x[m] = &list[number[m < count ? m : 0]];
        c[m] = p->poly[x[m]->variable] + x[m]->order;
    }
    const double *falling = p->falling + x[0]->order * p->orders;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (int q = taut_taylor_top(p, x[0]); q > 0; q--) {
        s0 = (s0 + falling[q] * c[0][q]) * theta;
        s1 = (s1 + falling[q] * c[1][q]) * theta;
        s2 = (s2 + falling[q] * c[2][q]) * theta;
        s3 = (s3 + falling[q] * c[3][q]) * theta;
    }
    const double sum[] = {s0, s1, s2, s3};
    for (int m = 0; m < count; m++)
        result[number[m]] = unscaled(p, x[m]->variable, x[m]->order, theta, sum[m], per_h);
}

/* The tails of a sorted list of states. */
void taut_taylor_tails(const taut_taylor_stepper *p, const taut_component *list, const int *sorted,
                       int count, double theta, double *result) {
    for (int i = 0, size; i < count; i += size) {
        const taut_component *x = &list[sorted[i]];
        for (size = 1; size < 4 && i + size < count; size++) {
            const taut_component *next = &list[sorted[i + size]];
            if (next->order != x->order || taut_taylor_top(p, next) != taut_taylor_top(p, x)) break;
        }
        tails_of_four(p, list, sorted + i, size, theta, result);
    }
}

double taut_taylor_head(const taut_taylor_stepper *p, int j, int k) {
    double value = p->poly[j][k];
    const double per_h = 1.0 / p->poly_h;
    for (int i = 1; i <= k; i++) value *= (double)i * per_h;
    return value;
}

double taut_taylor_value(const taut_taylor_stepper *p, int j, int k, double time) {
    return taut_taylor_head(p, j, k) + tail(p, j, k, (time - p->base.begin) / p->poly_h);
}

/* Keeps the series at the present point as the polynomial of the coming step. */
void taut_taylor_keep(taut_taylor_stepper *p) {
    for (int j = 0; j < p->system->n; j++) {
        const int length = p->last_stage + p->structure->offsets.d[j] + 1;
        const double *x = taut_jet_at(p->series->jet, p->series->variable[j], 0);
        for (int k = 0; k < length; k++) p->poly[j][k] = x[k * TAUT_LANES];
    }
    p->base.begin = p->base.t;
    p->poly_h = p->series->jet->h;
    taut_vigil_keep(&p->vigil, p->series);
}
