/* The ends of the steps of a squad: solve/taylor_landing.c in lanes. */
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

/* Puts the polynomials' values into the series and the tried states. */
TAUT_ALL_WIDTHS static void place(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    const int *d = p->structure->offsets.d;
    const taut_abreast per_h = 1.0 / q->poly_h; /* powers of 2 */
    for (int j = 0; j < p->system->n; j++) {
        taut_abreast head = q->poly[q->poly_at[j] + d[j]];
        for (int i = 1; i <= d[j]; i++) head *= (double)i * per_h;
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

/* Adds the corrections of a stage to the states that it corrects. */
TAUT_INLINE void take_correction_of(taut_squad *q, int stage) {
    const taut_taylor_stepper *p = q->like;
    taut_abreast size;
    for (int m = p->level_first[-stage]; m < p->level_first[1 - stage]; m++) {
        const int i = p->by_level[m];
        const taut_component *x = &p->state[i];
        const taut_abreast y = ((const taut_abreast *)q->sheaf->y)[x->variable];
        add_to(&q->try_hi[i], &q->try_lo[i], &y);
        if (stage == 0 && x->order > 0) continue;
        taut_size_abreast(&y, &size);
        size /= q->weight[i];
        if (stage < 0) taut_raise_abreast(&q->projection, &size);
        if (x->order == 0) taut_raise_abreast(&q->shift, &size);
    }
}

TAUT_ALL_WIDTHS static void take_correction(void *user, int stage) {
    taut_squad *q = user;
    const taut_taylor_stepper *p = q->like;
    if (stage > -p->levels) take_correction_of(q, stage);
    if (stage != 0) return;
    for (int m = p->level_first[1]; m < p->level_first[2] && !q->corrected; m++) {
        const int i = p->by_level[m];
        taut_abreast size = ((const taut_abreast *)q->sheaf->y)[p->state[i].variable] * q->length;
        taut_size_abreast(&size, &size);
        size = size / (double)(p->stats.order + 1) / q->weight[i];
        taut_raise_abreast(&q->defect, &size);
    }
    q->corrected = true;
}

/* ---- singular positions ---- */

/* Which lanes have crossed a singular position, as solve/taylor_passage.c has it. */
TAUT_ALL_WIDTHS static taut_crowd find_crossed(const taut_squad *q) {
    taut_abreast w = {0}, n = {0};
    for (int j = 0; j < q->like->system->n; j++) {
        w += q->first_w[j] * q->w[j];
        n += q->first_n[j] * q->n[j];
    }
    const taut_abreast_bits crossed = (taut_abreast_bits)(w > (taut_abreast){0} + 0.8) &
                                      (taut_abreast_bits)(n < (taut_abreast){0} - 0.5);
    return taut_squad_lanes_of(&crossed);
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
    double theta[TAUT_ABREAST];
    for (int l = 0; l < TAUT_ABREAST; l++) {
        const bool in = taut_in_crowd(*who, l);
        theta[l] = in ? (q->t[l] - q->member[l]->base.t) / q->poly_h[l] : 0.0;
        q->length[l] = in ? q->h[l] : 0.0;
    }
    q->projection = q->defect = q->shift = (taut_abreast){0};
    q->corrected = false;
    taut_squad_close(q, *who & q->planned);
    taut_squad_move(q, theta);
    taut_squad_find_tails(q);
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
    taut_squad_look(q, q->sheaf->matrices, q->sheaf->J, *who);
    const taut_crowd crossed = find_crossed(q);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(*who, l) && !is_good(q, l, taut_in_crowd(crossed, l)))
            taut_leave_crowd(who, l);
}
