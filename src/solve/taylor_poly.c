/* The polynomial of a Taylor step: its values and derivatives, with the poles of singular positions
 * taken out where the step passes them. */
#include <math.h>
#include <string.h>

#include "core/abreast.h"
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

/* Terms beyond the first are summed up in two halves that do not wait for each other, odd orders q
 * and even ones, by Horner's rule in theta^2. */

/* Those of the k-th derivative of poly[j] at `theta` scales from its centre. */
static double tail(const taut_taylor_stepper *p, int j, int k, double theta) {
    const int top = p->last_stage + p->structure->offsets.d[j] - k;
    const double *c = p->poly[j] + k, *falling = p->falling + k * p->orders;
    const double square = theta * theta;
    double odd = 0.0, even = 0.0;
    for (int q = top | 1; q > 1; q -= 2) {
        odd = (odd + falling[q] * c[q]) * square;
        even = (even + falling[q - 1] * c[q - 1]) * square;
    }
    const double sum = (odd + falling[1] * c[1]) * theta + even;
    return unscaled(p, j, k, theta, sum, 1.0 / p->poly_h);
}

/* The same for four polynomials, by coefficients and factors; top: the largest q of any of them. */
static void sum_four(const double *const *c, const double *const *f, int top, double theta,
                     double *sum) {
    const double square = theta * theta;
    double odd[4] = {0.0}, even[4] = {0.0};
    for (int q = top | 1; q > 1; q -= 2)
        for (int m = 0; m < 4; m++) {
            odd[m] = (odd[m] + f[m][q] * c[m][q]) * square;
            even[m] = (even[m] + f[m][q - 1] * c[m][q - 1]) * square;
        }
    for (int m = 0; m < 4; m++) sum[m] = (odd[m] + f[m][1] * c[m][1]) * theta + even[m];
}

/* The same for eight of one order and length, in lanes: of polynomials that are as long as that. */
TAUT_ALL_WIDTHS static void sum_eight(const double *const *c, const double *f, int top,
                                      double theta, double *sum) {
    const double square = theta * theta;
    taut_abreast block[TAUT_ABREAST], odd = {0}, even = {0}, last = {0};
    for (int q = top | 1; q > 1;) {
        const int first = q >= TAUT_ABREAST ? q - TAUT_ABREAST + 1 : 0;
        for (int m = 0; m < TAUT_ABREAST; m++) memcpy(&block[m], c[m] + first, sizeof block[m]);
        taut_transpose_abreast(block);
        for (; q > 1 && q > first; q -= 2) {
            odd = (odd + f[q] * block[q - first]) * square;
            even = (even + f[q - 1] * block[q - 1 - first]) * square;
        }
    }
    for (int m = 0; m < TAUT_ABREAST; m++) last[m] = c[m][1];
    const taut_abreast total = (odd + f[1] * last) * theta + even;
    memcpy(sum, &total, sizeof total);
}

/* Tails of so many ends: of equal order and length, if there are more than four. */
static void find_tails(const taut_taylor_stepper *p, const int *number, int count, double theta) {
    const double per_h = 1.0 / p->poly_h, *c[TAUT_ABREAST], *f[TAUT_ABREAST];
    double sum[TAUT_ABREAST];
    int top = 0;
    for (int m = 0; m < (count > 4 ? TAUT_ABREAST : 4); m++) {
        const taut_component *x = &p->end[number[m < count ? m : 0]];
        c[m] = p->poly[x->variable] + x->order;
        f[m] = p->falling + x->order * p->orders;
        if (taut_taylor_top(p, x) > top) top = taut_taylor_top(p, x);
    }
    if (count > 4)
        sum_eight(c, f[0], top, theta, sum);
    else
        sum_four(c, f, top, theta, sum);
    for (int m = 0; m < count; m++) {
        const taut_component *x = &p->end[number[m]];
        p->tails[number[m]] = unscaled(p, x->variable, x->order, theta, sum[m], per_h);
    }
}

/* Do eight ends of equal order and of one length begin here, which is enough for a block? */
static bool are_eight_alike(const taut_taylor_stepper *p, const int *sorted) {
    const taut_component *x = &p->end[sorted[0]], *last = &p->end[sorted[TAUT_ABREAST - 1]];
    const int top = taut_taylor_top(p, x);
    return last->order == x->order && taut_taylor_top(p, last) == top && top >= TAUT_ABREAST - 1;
}

void taut_taylor_tails(const taut_taylor_stepper *p, double theta) {
    for (int i = 0, size; i < p->ends; i += size) {
        const int left = p->ends - i;
        size = left < 4 ? left : 4;
        if (left >= TAUT_ABREAST && are_eight_alike(p, p->sorted + i)) size = TAUT_ABREAST;
        find_tails(p, p->sorted + i, size, theta);
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
