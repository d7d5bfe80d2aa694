/* The ends of the steps of a squad: solve/taylor_landing.c, and the look at singular positions of
 * solve/pole.c, in lanes. */
#include <math.h>
#include <string.h>

#include "solve/squad_parts.h"

/* hi + lo += x, as in a landing. */
TAUT_INLINE void add_to(taut_abreast *hi, taut_abreast *lo, const taut_abreast *x) {
    const taut_abreast y = *x + *lo, sum = *hi + y;
    const taut_abreast part = sum - *hi;
    *lo = (*hi - (sum - part)) + (y - part);
    *hi = sum;
}

/* ---- the polynomials there ---- */

/* Terms beyond the first of the k-th derivative of variable j, as in taut_taylor_tails. */
TAUT_INLINE void find_tail(const taut_squad *q, int j, int k, taut_abreast *result) {
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
    for (int i = 0; i < k; i++) sum /= q->poly_h;
    *result = sum;
}

TAUT_ALL_WIDTHS static void find_tails(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    for (int j = 0; j < p->system->n; j++)
        find_tail(q, j, p->structure->offsets.d[j], &q->guess[j]);
    for (int i = 0; i < p->states; i++)
        find_tail(q, p->state[i].variable, p->state[i].order, &q->tails[i]);
}

/* The same where poles are taken out of the polynomial. */
static void close_tails(taut_squad *q, int l) {
    taut_taylor_stepper *p = q->member[l];
    taut_taylor_tails(p, q->theta[l]);
    for (int i = 0; i < p->states; i++) q->tails[i][l] = p->tails[i];
    for (int j = 0; j < p->system->n; j++) q->guess[j][l] = p->guess[j];
}

/* Puts the polynomials' values into the series and the tried states. */
TAUT_ALL_WIDTHS static void place(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    const int *d = p->structure->offsets.d;
    for (int j = 0; j < p->system->n; j++) {
        taut_abreast head = q->poly[q->poly_at[j] + d[j]];
        for (int i = 1; i <= d[j]; i++) head *= (double)i / q->poly_h;
        q->leading[j] = head + q->guess[j];
    }
    for (int i = 0; i < p->states; i++) {
        q->try_hi[i] = q->hi[i];
        q->try_lo[i] = q->lo[i];
        add_to(&q->try_hi[i], &q->try_lo[i], &q->tails[i]);
        q->put[i] = q->try_hi[i];
    }
}

static void put(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    for (int j = 0; j < p->system->n; j++)
        taut_sheaf_set(q->sheaf, j, p->structure->offsets.d[j], (const double *)&q->leading[j]);
    for (int i = 0; i < p->states; i++)
        taut_sheaf_set(q->sheaf, p->state[i].variable, p->state[i].order,
                       (const double *)&q->put[i]);
}

/* ---- corrections ---- */

TAUT_ALL_WIDTHS static void take_correction(void *user, int stage) {
    taut_squad *q = user;
    const taut_taylor_stepper *p = q->like;
    const int *d = p->structure->offsets.d;
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const taut_abreast y = ((const taut_abreast *)q->sheaf->y)[x->variable];
        taut_abreast size;
        if (x->order == stage + d[x->variable]) {
            add_to(&q->try_hi[i], &q->try_lo[i], &y);
            taut_size_abreast(&y, &size);
            size /= q->weight[i];
            if (stage < 0) taut_raise_abreast(&q->projection, &size);
            if (x->order == 0) taut_raise_abreast(&q->shift, &size);
        }
        if (stage == 0 && !q->corrected && x->order == d[x->variable] - 1) {
            const taut_abreast moved = y * q->length;
            taut_size_abreast(&moved, &size);
            size = size / (double)(p->stats.order + 1) / q->weight[i];
            taut_raise_abreast(&q->defect, &size);
        }
    }
    if (stage == 0) q->corrected = true;
}

/* ---- singular positions ---- */

TAUT_INLINE void root(taut_abreast *x) {
    for (int l = 0; l < TAUT_ABREAST; l++) (*x)[l] = sqrt((*x)[l]);
}

/* rows: which numbers of v are to be there, the others being 0; NULL: all of them */
TAUT_INLINE void normalise(int count, const int *rows, taut_abreast *v, taut_abreast *length) {
    taut_abreast square = {0};
    for (int k = 0; k < count; k++) {
        const taut_abreast *x = &v[rows ? rows[k] : k];
        square += *x * *x;
    }
    root(&square);
    const taut_abreast_bits there = (taut_abreast_bits)(square > (taut_abreast){0});
    for (int k = 0; k < count; k++) {
        taut_abreast *x = &v[rows ? rows[k] : k];
        const taut_abreast part = *x / square;
        taut_choose_abreast(&there, &part, x);
    }
    *length = square;
}

TAUT_ALL_WIDTHS static void begin_look(taut_squad *q) {
    const taut_pole *pole = &q->like->pole;
    const double size = TAUT_POLE_STIRRED / sqrt((double)(pole->rows > 0 ? pole->rows : 1));
    taut_abreast length;
    for (int k = 0; k < pole->rows; k++) q->w[pole->row[k]] += size * pole->odd[pole->row[k]];
    normalise(pole->rows, pole->row, q->w, &length);
}

/* One inverse iteration; lanes that have settled stay as they are. */
TAUT_ALL_WIDTHS static void take_iterate(taut_squad *q, taut_abreast_bits *open) {
    const int rows = q->like->pole.rows, *row = q->like->pole.row;
    taut_abreast *y = q->image, *w = q->w, length, dot = {0}, change = {0};
    normalise(rows, row, y, &length);
    const taut_abreast nothing = q->like->pole.is_row[0] ? 0.0 * y[0] : (taut_abreast){0};
    *open &= (taut_abreast_bits)(length > (taut_abreast){0}) &
             (taut_abreast_bits)(nothing == (taut_abreast){0});
    for (int k = 0; k < rows; k++) dot += y[row[k]] * w[row[k]];
    const taut_abreast_bits turned = (taut_abreast_bits)(dot < (taut_abreast){0});
    for (int k = 0; k < rows; k++) {
        const int i = row[k];
        const taut_abreast other = -y[i];
        taut_abreast now = y[i];
        taut_choose_abreast(&turned, &other, &now);
        change += (now - w[i]) * (now - w[i]);
        taut_choose_abreast(open, &now, &w[i]);
    }
    *open &=
        ~(taut_abreast_bits)(change < (taut_abreast){0} + TAUT_POLE_SETTLED * TAUT_POLE_SETTLED);
}

/* sigma = |G^T w| */
TAUT_ALL_WIDTHS static void find_sigma(taut_squad *q) {
    const taut_series_plan *s = q->sheaf->plan;
    const taut_pole *pole = &q->like->pole;
    const taut_abreast *J = (const taut_abreast *)q->sheaf->J;
    taut_abreast square = {0};
    for (int j = 0; j < s->system->n; j++) {
        taut_abreast sum = {0};
        for (int k = s->start[j]; pole->is_column[j] && k < s->start[j + 1]; k++)
            if (pole->is_row[s->row[k]]) sum += J[k] * q->w[s->row[k]];
        square += sum * sum;
    }
    root(&square);
    q->sigma = square;
}

/* n from the solution, and w^T G n. */
TAUT_ALL_WIDTHS static void find_tilt(taut_squad *q) {
    const taut_series_plan *s = q->sheaf->plan;
    const taut_pole *pole = &q->like->pole;
    const taut_abreast *J = (const taut_abreast *)q->sheaf->J;
    taut_abreast sum = {0}, length;
    for (int j = 0; j < s->system->n; j++)
        if (!pole->is_column[j]) q->n[j] = (taut_abreast){0};
    normalise(s->system->n, NULL, q->n, &length);
    for (int j = 0; j < s->system->n; j++)
        for (int k = s->start[j]; pole->is_column[j] && k < s->start[j + 1]; k++)
            if (pole->is_row[s->row[k]]) sum += q->w[s->row[k]] * J[k] * q->n[j];
    q->tilt = sum;
}

static taut_crowd lanes_of(const taut_abreast_bits *mask) {
    taut_crowd who = 0;
    for (int l = 0; l < TAUT_ABREAST; l++)
        if ((*mask)[l]) taut_join_crowd(&who, l);
    return who;
}

/* As taut_pole_look, with the factors of J at the ends of the steps. */
static void look(taut_squad *q, taut_crowd who) {
    const taut_pole *pole = &q->like->pole;
    const int n = q->like->system->n, *d = q->like->structure->offsets.d;
    taut_matrices *m = q->sheaf->matrices;
    taut_abreast_bits open = ~(taut_abreast_bits){0};
    taut_crowd left = who;
    begin_look(q);
    for (int i = 0; i < TAUT_POLE_INVERSE && left; i++) {
        for (int k = 0; k < n; k++) q->image[k] = pole->is_row[k] ? q->w[k] : (taut_abreast){0};
        taut_matrices_solve(m, (double *)q->image, left);
        for (int j = 0; j < n; j++)
            if (d[j] != 0) q->image[j] = (taut_abreast){0};
        taut_matrices_solve_transposed(m, (double *)q->image, left);
        take_iterate(q, &open);
        left = who & lanes_of(&open);
    }
    find_sigma(q);
    for (int k = 0; k < n; k++) q->n[k] = pole->is_row[k] ? q->w[k] : (taut_abreast){0};
    taut_matrices_solve(m, (double *)q->n, who);
    find_tilt(q);
}

/* Which lanes have crossed a singular position, as solve/taylor_passage.c has it. */
TAUT_ALL_WIDTHS static taut_crowd find_crossed(const taut_squad *q) {
    taut_abreast w = {0}, n = {0};
    for (int j = 0; j < q->like->system->n; j++) {
        w += q->first_w[j] * q->w[j];
        n += q->first_n[j] * q->n[j];
    }
    const taut_abreast_bits crossed = (taut_abreast_bits)(w > (taut_abreast){0} + 0.8) &
                                      (taut_abreast_bits)(n < (taut_abreast){0} - 0.5);
    return lanes_of(&crossed);
}

/* As taut_taylor_is_surprised: then the stepper has to look for the singular position. */
static bool is_surprised(const taut_squad *q, int l, bool crossed) {
    const taut_taylor_stepper *p = q->member[l];
    const double sigma = taut_in_crowd(q->planned, l) ? p->pole.sigma : p->landed;
    return !taut_taylor_is_apart(p) && !(q->sigma[l] >= TAUT_TAYLOR_NEAREST * sigma && !crossed);
}

/* Is a singular position near, so that other things tell whether a step is good? */
static bool is_near(const taut_squad *q, int l) {
    return taut_in_crowd(q->planned, l) && q->member[l]->r != 0.0;
}

static bool is_good(const taut_squad *q, int l, bool crossed) {
    taut_taylor_stepper *p = q->member[l];
    if (!is_near(q, l)) return !is_surprised(q, l, crossed);
    for (int i = 0; i < p->states; i++) p->try_hi[i] = q->try_hi[i][l];
    return taut_taylor_is_good_near(p, q->projection[l], q->shift[l], q->sigma[l], q->h[l]);
}

/* ---- all of it ---- */

void taut_squad_land(taut_squad *q, taut_crowd *who) {
    const size_t size = (size_t)q->like->system->n * sizeof *q->w;
    for (int l = 0; l < TAUT_ABREAST; l++) {
        const bool in = taut_in_crowd(*who, l);
        q->theta[l] = in ? (q->t[l] - q->member[l]->base.t) / q->poly_h[l] : 0.0;
        q->length[l] = in ? q->h[l] : 0.0;
    }
    q->projection = q->defect = q->shift = (taut_abreast){0};
    q->corrected = false;
    find_tails(q);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(*who & q->planned, l) && q->member[l]->closing) close_tails(q, l);
    place(q);
    taut_sheaf_start(q->sheaf, q->t, q->h, *who);
    put(q);
    taut_sheaf_settle(q->sheaf, take_correction, q);
    *who &= q->sheaf->good;
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (!(q->projection[l] <= TAUT_TAYLOR_DEFECT && q->defect[l] <= TAUT_TAYLOR_DEFECT) &&
            !is_near(q, l))
            taut_leave_crowd(who, l);
    if (q->like->pole.rows == 0 || !*who) return;
    memcpy(q->first_w, q->w, size);
    memcpy(q->first_n, q->n, size);
    for (int l = 0; l < TAUT_ABREAST; l++)
        for (int j = 0; j < q->like->system->n && taut_in_crowd(q->planned, l); j++) {
            q->first_w[j][l] = q->member[l]->w[j]; /* a search changes the others */
            q->first_n[j][l] = q->member[l]->n[j];
        }
    look(q, *who);
    const taut_crowd crossed = find_crossed(q);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(*who, l) && !is_good(q, l, taut_in_crowd(crossed, l)))
            taut_leave_crowd(who, l);
}
