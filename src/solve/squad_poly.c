/* The polynomials of the steps of a squad: solve/taylor_poly.c in lanes. */
#include <math.h>
#include <string.h>

#include "solve/squad_parts.h"

static void take_poles_out(taut_squad *q, taut_crowd who) {
    taut_squad_closing *c = &q->closing;
    if (!who && !c->who) return;
    *c = (taut_squad_closing){.who = who};
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        c->mask[l] = -1;
        for (int i = 0; i <= TAUT_TAYLOR_CLOSING; i++) c->d[i][l] = q->member[l]->closing_d[i];
        for (int i = 0; i < 2; i++) c->q[i][l] = q->member[l]->closing_q[i];
    }
}

void taut_squad_close(taut_squad *q, taut_crowd who) {
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(who, l) && !q->member[l]->closing) taut_leave_crowd(&who, l);
    take_poles_out(q, who);
}

void taut_squad_move(taut_squad *q, const double *theta) {
    memcpy(&q->theta, theta, sizeof q->theta);
    for (int l = 0; l < TAUT_ABREAST && q->closing.who; l++)
        for (int i = 0; i < TAUT_SQUAD_POWERS && taut_in_crowd(q->closing.who, l); i++)
            q->closing.power[i][l] = pow(theta[l], q->like->last_stage + i);
}

/* What pole closure adds to the sum of the coefficients c_0 .. c_Q, as in solve/taylor_poly.c. */
TAUT_INLINE void add_closure(const taut_squad *q, const double *falling, const taut_abreast *c,
                             int Q, taut_abreast *sum) {
    const taut_squad_closing *x = &q->closing;
    const taut_abreast zero = {0}, divisor = 1.0 + q->theta * (x->q[0] + q->theta * x->q[1]);
    taut_abreast beyond = {0}, size;
    for (int m = TAUT_TAYLOR_CLOSING; m >= 1; m--) {
        taut_abreast missing = {0};
        for (int i = m; i <= TAUT_TAYLOR_CLOSING; i++)
            missing += x->d[i] * (falling[Q + m - i] * c[Q + m - i]);
        beyond = (beyond + missing) * q->theta;
    }
    taut_abreast extra = -beyond * x->power[Q - q->like->last_stage] / (divisor * divisor);
    taut_size_abreast(&divisor, &size);
    const taut_abreast_bits close = (taut_abreast_bits)(size < zero + TAUT_TAYLOR_BESIDE);
    taut_choose_abreast(&close, &zero, &extra);
    extra += *sum;
    taut_choose_abreast(&x->mask, &extra, sum);
}

/* Terms beyond the first of the k-th derivative of variable j; per_h: 1 / poly_h, powers of 2. */
TAUT_INLINE void find_tail(const taut_squad *q, int j, int k, bool closing,
                           const taut_abreast *per_h, taut_abreast *result) {
    const taut_taylor_stepper *p = q->like;
    const int top = p->last_stage + p->structure->offsets.d[j] - k;
    const taut_abreast *c = q->poly + q->poly_at[j] + k;
    const double *falling = p->falling + k * p->orders;
    const taut_abreast theta = q->theta, square = theta * theta;
    taut_abreast odd = {0}, even = {0};
    if (top % 2 == 0) even = falling[top] * c[top] * square;
    for (int m = (top - 1) | 1; m > 1; m -= 2) {
        odd = (odd + falling[m] * c[m]) * square;
        even = (even + falling[m - 1] * c[m - 1]) * square;
    }
    taut_abreast sum = (odd + falling[1] * c[1]) * theta + even;
    if (closing && top >= TAUT_TAYLOR_CLOSING) add_closure(q, falling, c, top, &sum);
    for (int i = 0; i < k; i++) sum *= *per_h;
    *result = sum;
}

TAUT_INLINE void find_tails(taut_squad *q, bool closing) {
    const taut_taylor_stepper *p = q->like;
    const taut_abreast per_h = 1.0 / q->poly_h;
    for (int j = 0; j < p->system->n; j++)
        find_tail(q, j, p->structure->offsets.d[j], closing, &per_h, &q->guess[j]);
    for (int i = 0; i < p->states; i++)
        find_tail(q, p->state[i].variable, p->state[i].order, closing, &per_h, &q->tails[i]);
}

TAUT_ALL_WIDTHS void taut_squad_find_tails(taut_squad *q) {
    if (q->closing.who)
        find_tails(q, true);
    else
        find_tails(q, false); /* nearly always */
}

TAUT_ALL_WIDTHS void taut_squad_place(taut_squad *q, int last) {
    const taut_taylor_stepper *p = q->like;
    const taut_abreast per_h = 1.0 / q->poly_h;
    for (int j = 0; j < p->system->n; j++)
        for (int k = 0; k <= last + p->structure->offsets.d[j]; k++) {
            taut_abreast head = q->poly[q->poly_at[j] + k], tail;
            for (int i = 1; i <= k; i++) head *= (double)i * per_h;
            find_tail(q, j, k, q->closing.who != 0, &per_h, &tail);
            head += tail;
            taut_sheaf_set(q->sheaf, j, k, (const double *)&head);
        }
}

/* ---- how long steps may be with the poles taken out ---- */

/* The largest ratios of a coefficient of D(s) X(s) and its weight, by order. */
TAUT_ALL_WIDTHS static void find_closed_ratios(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    taut_abreast per_h, size;
    taut_size_abreast(&q->poly_h, &per_h);
    per_h = 1.0 / per_h;
    for (int k = p->first_ratio; k < p->end_ratio; k++) q->ratio[k] = (taut_abreast){0};
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const int top = taut_squad_top(q, i), count = taut_taylor_closed_orders(top);
        const double *falling = p->falling + x->order * p->orders;
        const taut_abreast *c = q->poly + q->poly_at[x->variable] + x->order;
        taut_abreast unit = (taut_abreast){0} + 1.0;
        for (int k = 0; k < x->order; k++) unit *= per_h;
        for (int order = top; order > top - count; order--) {
            taut_abreast y = {0};
            for (int m = 0; m <= TAUT_TAYLOR_CLOSING; m++)
                y += q->closing.d[m] * (falling[order - m] * c[order - m]);
            taut_size_abreast(&y, &size);
            const taut_abreast ratio = size * unit / (TAUT_TAYLOR_CLOSED * q->weight[i]);
            taut_raise_abreast(&q->ratio[order], &ratio);
        }
    }
}

void taut_squad_find_closed_steps(taut_squad *q, taut_crowd who, double *h) {
    take_poles_out(q, who);
    find_closed_ratios(q);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        taut_taylor_stepper *p = q->member[l];
        for (int k = p->first_ratio; k < p->end_ratio; k++) p->ratio[k] = q->ratio[k][l];
        h[l] = TAUT_TAYLOR_SAFETY * taut_taylor_theta(p) * fabs(p->poly_h);
    }
}
