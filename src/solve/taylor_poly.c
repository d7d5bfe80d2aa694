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

/* Terms beyond the first of the k-th derivative of poly[j] at `theta` scales from its centre. */
static double tail(const taut_taylor_stepper *p, int j, int k, double theta) {
    const int top = p->last_stage + p->structure->offsets.d[j] - k;
    double sum = 0.0;
    const double *c = p->poly[j] + k, *falling = p->falling + k * p->orders;
    for (int q = top; q > 0; q--) sum = (sum + falling[q] * c[q]) * theta;
    return unscaled(p, j, k, theta, sum, 1.0 / p->poly_h);
}

/* The same for up to four states of equal order and length: none waits for another. */
static void sum_four(const double *const *c, int top, const double *falling, double theta,
                     double *sum) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (int q = top; q > 0; q--) {
        s0 = (s0 + falling[q] * c[0][q]) * theta;
        s1 = (s1 + falling[q] * c[1][q]) * theta;
        s2 = (s2 + falling[q] * c[2][q]) * theta;
        s3 = (s3 + falling[q] * c[3][q]) * theta;
    }
    sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3;
}

/* The same for eight, in lanes: of polynomials that are as long as that. */
TAUT_ALL_WIDTHS static void sum_eight(const double *const *c, int top, const double *falling,
                                      double theta, double *sum) {
    taut_abreast block[TAUT_ABREAST], total = {0};
    for (int q = top; q > 0;) {
        const int first = q >= TAUT_ABREAST ? q - TAUT_ABREAST + 1 : 0;
        for (int m = 0; m < TAUT_ABREAST; m++) memcpy(&block[m], c[m] + first, sizeof block[m]);
        taut_transpose_abreast(block);
        for (; q > 0 && q >= first; q--) total = (total + falling[q] * block[q - first]) * theta;
    }
    memcpy(sum, &total, sizeof total);
}

/* Tails of so many states of equal order and length. */
static void find_tails(const taut_taylor_stepper *p, const taut_component *list, const int *number,
                       int count, double theta, double *result) {
    const int beside = count == TAUT_ABREAST ? TAUT_ABREAST : 4;
    const double per_h = 1.0 / p->poly_h, *c[TAUT_ABREAST];
    const taut_component *x = &list[number[0]];
    const double *falling = p->falling + x->order * p->orders;
    const int top = taut_taylor_top(p, x);
    double sum[TAUT_ABREAST];
    for (int m = 0; m < beside; m++) {
        const taut_component *y = &list[number[m < count ? m : 0]];
        c[m] = p->poly[y->variable] + y->order;
    }
    if (count == TAUT_ABREAST)
        sum_eight(c, top, falling, theta, sum);
    else
        sum_four(c, top, falling, theta, sum);
    for (int m = 0; m < count; m++)
        result[number[m]] = unscaled(p, list[number[m]].variable, x->order, theta, sum[m], per_h);
}

/* So many of a sorted list are of equal order and length, up to `most`. */
static int count_alike(const taut_taylor_stepper *p, const taut_component *list, const int *sorted,
                       int most) {
    const taut_component *x = &list[sorted[0]];
    int count = 1;
    while (count < most && list[sorted[count]].order == x->order &&
           taut_taylor_top(p, &list[sorted[count]]) == taut_taylor_top(p, x))
        count++;
    return count;
}

/* The tails of a sorted list of states. */
void taut_taylor_tails(const taut_taylor_stepper *p, const taut_component *list, const int *sorted,
                       int count, double theta, double *result) {
    for (int i = 0, size; i < count; i += size) {
        size =
            count_alike(p, list, sorted + i, count - i < TAUT_ABREAST ? count - i : TAUT_ABREAST);
        const bool long_enough = taut_taylor_top(p, &list[sorted[i]]) >= TAUT_ABREAST - 1;
        if (size > 4 && (size < TAUT_ABREAST || !long_enough)) size = 4;
        find_tails(p, list, sorted + i, size, theta, result);
    }
}

/* Is the series still what the polynomial was taken from? */
static bool is_series(const taut_taylor_stepper *p) {
    return !p->aloof && p->kept == p->series->starts;
}

static const taut_abreast *block_of(const taut_stretch *s) {
    return (const taut_abreast *)(s->at - (ptrdiff_t)s->offset * TAUT_LANES);
}

TAUT_ALL_WIDTHS static void sum_block(const taut_abreast *c, int top, const double *falling,
                                      double theta, double *sum) {
    taut_abreast total = {0};
    for (int q = top; q > 0; q--) total = (total + falling[q] * c[q]) * theta;
    memcpy(sum, &total, sizeof total);
}

static void put_tail(taut_taylor_stepper *p, int j, int k, double value) {
    const int i = p->first_state[j] + k;
    if (i < p->first_state[j + 1]) p->tails[i] = value;
    if (k == p->structure->offsets.d[j]) p->guess[j] = value;
}

/* Tails of the k-th derivatives of the unknowns of a stretch. */
static void find_tails_of_stretch(taut_taylor_stepper *p, const taut_stretch *s, int k,
                                  double theta) {
    const int top = p->last_stage + s->offset - k;
    const double per_h = 1.0 / p->poly_h;
    double sum[TAUT_ABREAST];
    if (s->count == TAUT_ABREAST)
        sum_block(block_of(s) + k, top, p->falling + k * p->orders, theta, sum);
    for (int m = 0; m < s->count; m++) {
        const int j = s->first + m;
        put_tail(p, j, k,
                 s->count == TAUT_ABREAST ? unscaled(p, j, k, theta, sum[m], per_h)
                                          : tail(p, j, k, theta));
    }
}

void taut_taylor_find_tails(taut_taylor_stepper *p, double theta) {
    if (!p->series->unknowns.together || !is_series(p)) {
        taut_taylor_tails(p, p->state, p->sorted, p->states, theta, p->tails);
        taut_taylor_tails(p, p->leading, p->sorted_leading, p->system->n, theta, p->guess);
        return;
    }
    for (int n = 0; n < p->series->unknowns.count; n++) {
        const taut_stretch *s = &p->series->unknowns.item[n];
        for (int k = 0; k <= s->offset; k++) find_tails_of_stretch(p, s, k, theta);
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

/* Rows of coefficients, at least eight of them, from those of a block. The last ones may be written
 * twice. */
TAUT_ALL_WIDTHS static void keep_block(const taut_abreast *from, int length, double *const *to) {
    for (int first = 0; first < length; first += TAUT_ABREAST) {
        const int k = first + TAUT_ABREAST < length ? first : length - TAUT_ABREAST;
        taut_abreast block[TAUT_ABREAST];
        for (int m = 0; m < TAUT_ABREAST; m++) block[m] = from[k + m];
        taut_transpose_abreast(block);
        for (int m = 0; m < TAUT_ABREAST; m++) memcpy(to[m] + k, &block[m], sizeof block[m]);
    }
}

static void keep_stretch(taut_taylor_stepper *p, const taut_stretch *s) {
    const int length = p->last_stage + s->offset + 1;
    if (s->count == TAUT_ABREAST && length >= TAUT_ABREAST) {
        keep_block(block_of(s), length, p->poly + s->first);
        return;
    }
    const double *from = s->at - (ptrdiff_t)s->offset * TAUT_LANES;
    for (int m = 0; m < s->count; m++)
        for (int k = 0; k < length; k++) p->poly[s->first + m][k] = from[k * TAUT_LANES + m];
}

void taut_taylor_keep(taut_taylor_stepper *p) {
    p->base.begin = p->base.t;
    p->poly_h = p->series->jet->h;
    p->kept = p->series->starts;
    for (int n = 0; n < p->series->unknowns.count; n++) {
        const taut_stretch *s = &p->series->unknowns.item[n];
        keep_stretch(p, s); /* and while it is in the cache: */
        taut_taylor_measure_states(p, p->first_state[s->first],
                                   p->first_state[s->first + s->count]);
    }
    taut_vigil_keep(&p->vigil, p->series);
}
