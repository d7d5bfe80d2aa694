/* Singular positions near the steps of a squad: solve/pole.c in lanes. */
#include <math.h>
#include <string.h>

#include "solve/squad_parts.h"

enum { FEWEST = 4 }; /* lanes that look for a singular position sooner than one by one */

taut_status taut_squad_create_search(taut_squad *q) {
    taut_squad_search *s = &q->search;
    const taut_pole *pole = &q->like->pole;
    const int n = q->like->system->n, entries = q->sheaf->plan->entries;
    if (pole->rows == 0 || !pole->lu) return TAUT_OK;
    s->kept_w = TAUT_NEW_ARRAY(&q->arena, n, taut_abreast);
    s->kept_n = TAUT_NEW_ARRAY(&q->arena, n, taut_abreast);
    s->from = TAUT_NEW_ARRAY(&q->arena, n, taut_abreast);
    s->J = TAUT_NEW_ARRAY(&q->arena, entries, taut_abreast);
    s->value = TAUT_NEW_ARRAY(&q->arena, entries, taut_abreast);
    if (!s->kept_w || !s->kept_n || !s->from || !s->J || !s->value) return TAUT_ERR_MEMORY;
    if (pole->program) TAUT_TRY(taut_points_create(pole->program, &q->arena, &s->points));
    return taut_matrices_create(n, entries, &q->arena, &s->matrices);
}

void taut_squad_take_vectors(taut_squad *q, int lane) {
    const taut_taylor_stepper *p = q->member[lane];
    for (int j = 0; j < p->system->n; j++) {
        q->w[j][lane] = p->pole.w[j];
        q->n[j][lane] = p->pole.n[j];
    }
}

/* ---- the look ---- */

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

/* |G^T w| */
TAUT_ALL_WIDTHS static void find_sigma(const taut_squad *q, const taut_abreast *J,
                                       taut_abreast *sigma) {
    const taut_series_plan *s = q->sheaf->plan;
    const taut_pole *pole = &q->like->pole;
    taut_abreast square = {0};
    for (int j = 0; j < s->system->n; j++) {
        taut_abreast sum = {0};
        for (int k = s->start[j]; pole->is_column[j] && k < s->start[j + 1]; k++)
            if (pole->is_row[s->row[k]]) sum += J[k] * q->w[s->row[k]];
        square += sum * sum;
    }
    root(&square);
    *sigma = square;
}

/* w^T G n */
TAUT_ALL_WIDTHS static void find_tilt(const taut_squad *q, const taut_abreast *J,
                                      taut_abreast *tilt) {
    const taut_series_plan *s = q->sheaf->plan;
    const taut_pole *pole = &q->like->pole;
    taut_abreast sum = {0};
    for (int j = 0; j < s->system->n; j++)
        for (int k = s->start[j]; pole->is_column[j] && k < s->start[j + 1]; k++)
            if (pole->is_row[s->row[k]]) sum += q->w[s->row[k]] * J[k] * q->n[j];
    *tilt = sum;
}

/* n from the solution */
TAUT_ALL_WIDTHS static void end_look(taut_squad *q) {
    const taut_pole *pole = &q->like->pole;
    taut_abreast length;
    for (int j = 0; j < q->like->system->n; j++)
        if (!pole->is_column[j]) q->n[j] = (taut_abreast){0};
    normalise(q->like->system->n, NULL, q->n, &length);
}

void taut_squad_look(taut_squad *q, taut_matrices *m, const double *J, taut_crowd who) {
    const taut_pole *pole = &q->like->pole;
    const int n = q->like->system->n, *d = q->like->structure->offsets.d;
    taut_abreast_bits open = ~(taut_abreast_bits){0};
    taut_crowd left = who;
    begin_look(q);
    /* one row alone is 1 or -1 already, and so is its image */
    for (int i = 0; i < TAUT_POLE_INVERSE && left && pole->rows > 1; i++) {
        for (int k = 0; k < n; k++) q->image[k] = pole->is_row[k] ? q->w[k] : (taut_abreast){0};
        taut_matrices_solve(m, (double *)q->image, left);
        for (int j = 0; j < n; j++)
            if (d[j] != 0) q->image[j] = (taut_abreast){0};
        taut_matrices_solve_transposed(m, (double *)q->image, left);
        take_iterate(q, &open);
        left = who & taut_squad_lanes_of(&open);
    }
    find_sigma(q, (const taut_abreast *)J, &q->sigma);
    for (int k = 0; k < n; k++) q->n[k] = pole->is_row[k] ? q->w[k] : (taut_abreast){0};
    taut_matrices_solve(m, (double *)q->n, who);
    end_look(q);
    find_tilt(q, (const taut_abreast *)J, &q->tilt);
}

/* ---- J at a distance ---- */

/* The masses stay what they are at the beginning of the step. */
static void take_masses(taut_squad *q, taut_crowd who) {
    const int entries = q->sheaf->plan->entries;
    if (!q->search.points) return;
    memcpy(q->search.J, q->sheaf->J, (size_t)entries * sizeof *q->search.J);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l) || q->member[l]->aloof) continue;
        for (int k = 0; k < entries; k++) q->search.J[k][l] = q->member[l]->series->J[k];
    }
}

/* The series as far as J needs them, so far from the beginnings of the steps. */
static void place_at(taut_squad *q, const double *way, taut_crowd who) {
    double t[TAUT_ABREAST], h[TAUT_ABREAST], theta[TAUT_ABREAST] = {0.0};
    const int last = q->like->series->jacobian_stage;
    taut_jets *jets = q->sheaf->jets;
    for (int l = 0; l < TAUT_ABREAST; l++) {
        int exponent;
        t[l] = jets->t[l];
        h[l] = jets->h[l];
        if (!taut_in_crowd(who, l)) continue;
        const taut_taylor_stepper *p = q->member[l];
        frexp(q->poly_h[l], &exponent);
        t[l] = p->base.t + way[l];
        h[l] = ldexp(1.0, exponent);
        theta[l] = (t[l] - p->base.begin) / q->poly_h[l];
    }
    taut_jets_start(jets, t, h);
    taut_squad_move(q, theta);
    taut_squad_place(q, last);
    for (int stage = q->sheaf->plan->tape->first_stage; stage <= last; stage++)
        taut_jets_stage(jets, stage);
}

/* J there. */
static void look_at(taut_squad *q, const double *way, taut_crowd who) {
    const taut_pole *pole = &q->like->pole;
    taut_squad_search *s = &q->search;
    place_at(q, way, who);
    taut_points_eval(s->points ? s->points : q->sheaf->points, q->sheaf->jets,
                     (double *)(s->points ? s->value : s->J));
    for (int k = 0; k < pole->entries && s->points; k++) s->J[pole->entry[k]] = s->value[k];
}

/* ---- where they are ---- */

/* Lanes of `who` that can search side by side: the others have no pivots for it yet, or would be
 * quicker one by one. */
static taut_crowd find_able(taut_squad *q, taut_crowd who) {
    taut_choice choice;
    taut_matrices *m = q->search.matrices;
    for (int l = 0; l < TAUT_ABREAST && m; l++)
        if (taut_in_crowd(who, l) && !taut_lu_choice(q->member[l]->pole.lu, &choice))
            taut_leave_crowd(&who, l);
    if (!m || taut_squad_members(who) < FEWEST) return 0;
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        taut_matrices_take(m, l, q->member[l]->pole.lu);
        taut_squad_take_vectors(q, l);
    }
    take_masses(q, who);
    return who;
}

static void keep_vectors(taut_squad *q) {
    const size_t size = (size_t)q->like->system->n * sizeof *q->w;
    memcpy(q->search.kept_w, q->w, size);
    memcpy(q->search.kept_n, q->n, size);
}

/* Those who have not looked have what they had. */
TAUT_ALL_WIDTHS static void restore_vectors(taut_squad *q, const taut_abreast_bits *others) {
    for (int j = 0; j < q->like->system->n; j++) {
        taut_choose_abreast(others, &q->search.kept_w[j], &q->w[j]);
        taut_choose_abreast(others, &q->search.kept_n[j], &q->n[j]);
    }
}

/* Factors and looks at distances s; lanes without factors leave *who. */
static void factor_and_look(taut_squad *q, const double *s, taut_crowd *who) {
    double rcond[TAUT_ABREAST];
    taut_matrices *m = q->search.matrices;
    look_at(q, s, *who);
    const taut_crowd tried = *who;
    *who = taut_matrices_factor(m, (const double *)q->search.J, tried, rcond);
    const taut_crowd starved = tried & taut_matrices_starved(m);
    for (int l = 0; l < TAUT_ABREAST && starved; l++)
        if (taut_in_crowd(starved, l)) q->member[l]->pole.starved = true;
    if (!*who) return;
    taut_abreast_bits others = {0};
    keep_vectors(q);
    taut_squad_look(q, m, (const double *)q->search.J, *who);
    for (int l = 0; l < TAUT_ABREAST; l++) others[l] = taut_in_crowd(*who, l) ? 0 : -1;
    restore_vectors(q, &others);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(*who, l)) continue;
        q->member[l]->pole.sigma = q->sigma[l];
        q->member[l]->pole.tilt = q->tilt[l];
    }
}

/* One iteration of Newton's method. Lanes that are done leave *open. */
static void iterate(taut_squad *q, taut_taylor_search *search, taut_crowd *open) {
    double s[TAUT_ABREAST] = {0.0}, aside[TAUT_ABREAST] = {0.0}, delta[TAUT_ABREAST] = {0.0};
    taut_abreast value;
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(*open, l)) continue;
        s[l] = search[l].from.s;
        delta[l] = TAUT_POLE_ASIDE * fabs(search[l].from.h);
        aside[l] = s[l] + delta[l];
    }
    factor_and_look(q, s, open); /* the others are right on it */
    if (!*open) return;
    look_at(q, aside, *open);
    find_tilt(q, q->search.J, &value);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(*open, l)) continue;
        taut_pole *pole = &q->member[l]->pole;
        pole->rate = (value[l] - pole->tilt) / delta[l];
        search[l].from.iterations++;
        if (taut_pole_step(pole, &search[l].from)) taut_leave_crowd(open, l);
    }
}

/* The vectors of lanes, for their steppers. */
static void hand_over_vectors(const taut_squad *q, taut_crowd who) {
    double *w[TAUT_ABREAST] = {0}, *n[TAUT_ABREAST] = {0};
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        w[l] = q->member[l]->pole.w;
        n[l] = q->member[l]->pole.n;
    }
    taut_squad_hand_over_numbers(q->w, q->like->system->n, w);
    taut_squad_hand_over_numbers(q->n, q->like->system->n, n);
}

taut_crowd taut_squad_find_poles(taut_squad *q, taut_crowd who, taut_taylor_search *search) {
    const taut_crowd able = find_able(q, who);
    taut_crowd open = able;
    if (able) taut_squad_close(q, 0);
    for (int i = 0; i < TAUT_POLE_NEWTON && taut_squad_members(open) >= FEWEST; i++) {
        for (int l = 0; l < TAUT_ABREAST; l++) {
            if (!taut_in_crowd(open, l) || !taut_pole_is_beyond(&search[l].from)) continue;
            taut_leave_crowd(&open, l);
            search[l].from.s = 0.0;
        }
        if (open) iterate(q, search, &open);
    }
    if (able) hand_over_vectors(q, able);
    return able & (taut_crowd)~open;
}

/* ---- do branches cross? ---- */

TAUT_INLINE const taut_abreast *position(const taut_squad *q, int j) {
    return (const taut_abreast *)taut_jets_at(q->sheaf->jets, q->sheaf->plan->variable[j], 0);
}

/* The squares of the ways of positions since q->search.from. */
TAUT_ALL_WIDTHS static void find_ways(const taut_squad *q, taut_abreast *way) {
    *way = (taut_abreast){0};
    for (int j = 0; j < q->like->system->n; j++) {
        const taut_abreast moved = *position(q, j) - q->search.from[j];
        if (q->like->pole.is_column[j]) *way += moved * moved;
    }
}

/* w^T g there, and what rounding alone may leave of it. */
TAUT_ALL_WIDTHS static void find_misses(const taut_squad *q, taut_abreast *along,
                                        taut_abreast *rounding) {
    const taut_series_plan *s = q->sheaf->plan;
    const taut_pole *pole = &q->like->pole;
    taut_abreast sum = {0}, size;
    *along = (taut_abreast){0};
    for (int i = 0; i < s->system->n; i++)
        if (pole->is_row[i])
            *along +=
                q->w[i] * *(const taut_abreast *)taut_jets_at(q->sheaf->jets, s->equation[i], 0);
    for (int j = 0; j < s->system->n; j++)
        for (int k = s->start[j]; pole->is_column[j] && k < s->start[j + 1]; k++) {
            if (!pole->is_row[s->row[k]]) continue;
            const taut_abreast term = q->w[s->row[k]] * q->search.J[k] * *position(q, j);
            taut_size_abreast(&term, &size);
            sum += size;
        }
    *rounding = TAUT_POLE_ROUNDING * sum;
}

taut_crowd taut_squad_find_gaps(taut_squad *q, taut_crowd who, double *gap) {
    double way[TAUT_ABREAST] = {0.0}, sigma[TAUT_ABREAST];
    taut_abreast square, along, rounding;
    const taut_crowd able = find_able(q, who);
    taut_crowd there = able;
    if (!able) return 0;
    taut_squad_close(q, able);
    place_at(q, way, able);
    for (int j = 0; j < q->like->system->n; j++) q->search.from[j] = *position(q, j);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        gap[l] = 0.0;
        if (!taut_in_crowd(able, l)) continue;
        const taut_taylor_stepper *p = q->member[l];
        way[l] = (1.0 - TAUT_POLE_BESIDE) * (taut_taylor_direction(p) * p->r);
        sigma[l] = p->pole.sigma;
    }
    factor_and_look(q, way, &there);
    find_ways(q, &square);
    find_misses(q, &along, &rounding);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (taut_in_crowd(able, l)) q->member[l]->pole.sigma = sigma[l];
        if (taut_in_crowd(there, l))
            gap[l] = fmax(0.0, fabs(along[l]) - rounding[l]) / (sigma[l] * sqrt(square[l]));
    }
    hand_over_vectors(q, able);
    return able;
}
