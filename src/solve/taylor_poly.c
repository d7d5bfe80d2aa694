/* The polynomial of a Taylor step: its values and derivatives, with the poles of singular positions
 * taken out where the step passes them. */
#include <math.h>
#include <string.h>

#include "core/abreast.h"
#include "solve/straight_steps.h"
#include "solve/taylor_parts.h"

static const double SAME_TAIL = 1e-12; /* of the sizes of all terms: rounding */

/* What pole closure adds to the sum of the coefficients c_0 .. c_Q at theta:
 * -sum_m theta^(Q+m) sum_(j >= m) d_j c_(Q+m-j) / D, with D = q^2 = 1 + d_1 theta + ... and q, of
 * degree 1 or 2, 0 at singular positions. Close to these the plain polynomial is better. */
static double closure(const taut_taylor_stepper *p, int j, int k, double theta) {
    const double q = 1.0 + theta * (p->closing_q[0] + theta * p->closing_q[1]);
    const int Q = p->last_stage + p->structure->offsets.d[j] - k;
    if (Q < TAUT_TAYLOR_CLOSING || fabs(q) < TAUT_TAYLOR_BESIDE) return 0.0;
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

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Four pairs of neighbours as one vector. */
TAUT_INLINE void load_pairs(const double *const *from, int q, taut_abreast *to) {
#define TAUT_PAIR(m) (*(const pair *)(from[m] + q))
    const double four __attribute__((vector_size(32))) =
        __builtin_shufflevector(TAUT_PAIR(0), TAUT_PAIR(1), 0, 1, 2, 3);
    const double others __attribute__((vector_size(32))) =
        __builtin_shufflevector(TAUT_PAIR(2), TAUT_PAIR(3), 0, 1, 2, 3);
    *to = __builtin_shufflevector(four, others, 0, 1, 2, 3, 4, 5, 6, 7);
#undef TAUT_PAIR
}

/* The same for so many times four polynomials, by coefficients and factors: both halves of four in
 * one vector. top: the largest q of any of them. */
TAUT_INLINE void sum_fours(const double *const *c, const double *const *f, int top, double theta,
                           int fours, double *sum) {
    const double square = theta * theta;
    taut_abreast halves[TAUT_ABREAST / 4] = {{0}}, coef, factor;
    for (int q = top | 1; q > 1; q -= 2)
        for (int v = 0; v < fours; v++) {
            load_pairs(c + 4 * v, q - 1, &coef);
            load_pairs(f + 4 * v, q - 1, &factor);
            halves[v] = (halves[v] + factor * coef) * square;
        }
    for (int m = 0; m < 4 * fours; m++)
        sum[m] =
            (halves[m / 4][m % 4 * 2 + 1] + f[m][1] * c[m][1]) * theta + halves[m / 4][m % 4 * 2];
}

TAUT_ALL_WIDTHS static void sum_four(const double *const *c, const double *const *f, int top,
                                     double theta, double *sum) {
    sum_fours(c, f, top, theta, 1, sum);
}

TAUT_ALL_WIDTHS static void sum_two_fours(const double *const *c, const double *const *f, int top,
                                          double theta, double *sum) {
    sum_fours(c, f, top, theta, 2, sum);
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

/* Tails of so many ends; alike: all of these have one order and length. */
static void find_tails(const taut_taylor_stepper *p, const int *number, int count, bool alike,
                       double theta) {
    const double per_h = 1.0 / p->poly_h, *c[TAUT_ABREAST], *f[TAUT_ABREAST];
    double sum[TAUT_ABREAST];
    int top = 0;
    for (int m = 0; m < (count > 4 ? TAUT_ABREAST : 4); m++) {
        const taut_component *x = &p->end[number[m < count ? m : 0]];
        const int own = taut_taylor_top(p, x);
        c[m] = p->poly[x->variable] + x->order;
        f[m] = p->falling + x->order * p->orders;
        top = own > top ? own : top;
    }
    if (alike)
        sum_eight(c, f[0], top, theta, sum);
    else if (count > 4)
        sum_two_fours(c, f, top, theta, sum);
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

/* The tails of all ends, from the polynomial. */
static void find_all_tails(const taut_taylor_stepper *p, double theta) {
    for (int i = 0; i < p->ends; i += TAUT_ABREAST) {
        const int left = p->ends - i, size = left < TAUT_ABREAST ? left : TAUT_ABREAST;
        const bool alike = size == TAUT_ABREAST && are_eight_alike(p, p->sorted + i);
        find_tails(p, p->sorted + i, size, alike, theta);
    }
}

/* Is the series still what the polynomial was taken from? */
static bool is_series(const taut_taylor_stepper *p) {
    return !p->aloof && p->kept == p->series->starts;
}

bool taut_taylor_is_series(const taut_taylor_stepper *p) {
    return p->series->unknowns.together && is_series(p);
}

static const taut_abreast *block_of(const taut_stretch *s) {
    return (const taut_abreast *)(s->at - (ptrdiff_t)s->offset * TAUT_LANES);
}

TAUT_ALL_WIDTHS static void sum_block(const taut_abreast *c, int top, const double *falling,
                                      double theta, double *sum) {
    const double square = theta * theta;
    taut_abreast odd = {0}, even = {0};
    int q = top; /* beyond it there may be anything */
    if (q % 2 == 0) even = falling[q] * c[q] * square, q--;
    for (; q > 1; q -= 2) {
        odd = (odd + falling[q] * c[q]) * square;
        even = (even + falling[q - 1] * c[q - 1]) * square;
    }
    const taut_abreast total = (odd + falling[1] * c[1]) * theta + even;
    memcpy(sum, &total, sizeof total);
}

static void put_tail(taut_taylor_stepper *p, int j, int k, double value) {
    const int i = p->first_state[j] + k;
    if (i < p->first_state[j + 1]) p->tails[i] = value;
    if (k == p->structure->offsets.d[j]) p->guess[j] = value;
}

/* The sum of all terms of a tail without their signs, which is what its rounding is measured by. */
static double tail_size(const taut_taylor_stepper *p, int j, int k, double theta) {
    const int top = p->last_stage + p->structure->offsets.d[j] - k;
    double sum = 0.0;
    for (int q = top; q >= 1; q--) sum = (sum + fabs(taut_taylor_coef(p, j, k, q))) * fabs(theta);
    return fabs(unscaled(p, j, k, theta, sum, 1.0 / p->poly_h));
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

/* By compiled code, where there is any; now and then also without it, to see whether it is right.
 */
static bool find_straight_tails(taut_taylor_stepper *p, double theta) {
    const int *d = p->structure->offsets.d;
    const double *tails = taut_straight_tails(p->series, theta);
    if (!tails) return false;
    for (int j = 0; j < p->system->n; j++)
        for (int k = 0; k <= d[j]; k++) put_tail(p, j, k, tails[j * p->levels + k]);
    if (!p->series->compiled->check_tails) return true;
    p->series->compiled->check_tails = false;
    for (int j = 0; j < p->system->n; j++)
        for (int k = 0; k <= d[j]; k++)
            if (!(fabs(tails[j * p->levels + k] - tail(p, j, k, theta)) <=
                  SAME_TAIL * tail_size(p, j, k, theta))) {
                taut_series_distrust(p->series);
                return false;
            }
    return true;
}

bool taut_taylor_is_straight(const taut_taylor_stepper *p) {
    return p->series->compiled && is_series(p) && !p->closing;
}

void taut_taylor_tails(taut_taylor_stepper *p, double theta) {
    if (taut_taylor_is_straight(p) && find_straight_tails(p, theta)) return;
    find_all_tails(p, theta);
}

enum { MANY = 256 }; /* stretches whose coefficients no second cache holds */

/* Coefficients are read from the highest order down, which no processor foresees from one block to
 * the next: it is asked for them beforehand. */
static void fetch(const taut_taylor_stepper *p, const taut_stretch *s) {
    const double *from = s->at - (ptrdiff_t)s->offset * TAUT_LANES;
    for (int k = 0; k <= p->last_stage + s->offset; k++, from += TAUT_LANES)
        __builtin_prefetch(from);
}

void taut_taylor_tails_of_stretch(taut_taylor_stepper *p, int number, double theta) {
    const taut_stretches *all = &p->series->unknowns;
    const taut_stretch *s = &all->item[number];
    if (all->count >= MANY && number + 1 < all->count) fetch(p, s + 1);
    for (int k = 0; k <= s->offset; k++) find_tails_of_stretch(p, s, k, theta);
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
    for (int m = 0; m < s->count; m++) {
        const double *row = p->series->compiled ? taut_straight_row(p->series, s->first + m) : NULL;
        const int end = row ? s->offset + 1 : length; /* what is not there as a row already */
        double *to = p->poly[s->first + m];
        for (int k = 0; k < end; k++) to[k] = from[k * TAUT_LANES + m];
        if (row) memcpy(to + end, row, (size_t)(length - end) * sizeof *to);
    }
}

void taut_taylor_keep(taut_taylor_stepper *p) {
    p->base.begin = p->base.t;
    p->poly_h = p->series->jet->h;
    p->kept = p->series->starts;
    const taut_stretches *unknowns = &p->series->unknowns;
    for (int n = 0, measured = 0; n < unknowns->count; n++) {
        const taut_stretch *s = &unknowns->item[n];
        const int end = s->first + s->count;
        keep_stretch(p, s);
        if (end - measured < TAUT_ABREAST && n + 1 < unknowns->count) continue;
        /* while they are in the cache */
        taut_taylor_measure_states(p, p->first_state[measured], p->first_state[end]);
        measured = end;
    }
    taut_vigil_keep(&p->vigil, p->series);
}
