/* Who goes side by side, how a stepper gets into a lane, and what it has of a step there. */
#include "solve/squad.h"

#include <math.h>
#include <string.h>

#include "solve/squad_parts.h"
#include "solve/taylor.h"

enum { FEWEST = 3 }; /* steppers for which it pays to go side by side */
/* Whoever goes alone does a step twice, so it must not happen often: after a short time together a
 * stepper waits for so many steps, then twice as many, at most MOST_PATIENCE. */
enum { SHORT = 8, PATIENCE = 4, MOST_PATIENCE = 128 };

/* ---- set-up ---- */

static taut_abreast *vectors(taut_squad *q, int count, bool *there) {
    taut_abreast *new = TAUT_NEW_ARRAY(&q->arena, count, taut_abreast);
    *there = *there && new;
    return new;
}

static taut_status allocate(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    const int n = p->system->n, scales = p->system->groups * p->levels;
    bool there = true;
    taut_abreast **const of_states[] = {&q->hi,    &q->lo,     &q->try_hi, &q->try_lo,
                                        &q->tails, &q->weight, &q->put};
    taut_abreast **const of_variables[] = {&q->guess,   &q->leading, &q->w,    &q->n,
                                           &q->first_w, &q->first_n, &q->image};
    for (size_t i = 0; i < sizeof of_states / sizeof of_states[0]; i++)
        *of_states[i] = vectors(q, p->states, &there);
    for (size_t i = 0; i < sizeof of_variables / sizeof of_variables[0]; i++)
        *of_variables[i] = vectors(q, n, &there);
    q->low = vectors(q, p->states * (TAUT_TAYLOR_FIRST + 1), &there);
    q->high = vectors(q, p->states * TAUT_TAYLOR_LAST, &there);
    q->ratio = vectors(q, p->orders, &there);
    q->scale = vectors(q, scales, &there);
    q->coming = vectors(q, scales, &there);
    q->poly_at = TAUT_NEW_ARRAY(&q->arena, n, int);
    if (!there || !q->poly_at) return TAUT_ERR_MEMORY;
    int count = 0;
    for (int j = 0; j < n; j++) {
        q->poly_at[j] = count;
        count += p->last_stage + p->structure->offsets.d[j] + 1;
    }
    q->poly = vectors(q, count, &there);
    taut_alike_abreast(1.0, &q->poly_h);
    return there ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Are its steps such as lanes can take? */
static bool fits(const taut_stepper *stepper) {
    const taut_taylor_stepper *p = (const taut_taylor_stepper *)stepper;
    return stepper->method == &taut_taylor && taut_sheaf_fits(p->series->plan) &&
           p->vigil.nodes == 0 && p->options.step <= 0.0 && p->options.projection == 0.0 &&
           !p->series->watch;
}

taut_status taut_squad_create(const taut_stepper *like, taut_squad **squad) {
    *squad = NULL;
    if (!fits(like)) return TAUT_OK;
    taut_arena arena = {0};
    taut_squad *q = TAUT_NEW(&arena, taut_squad); /* aligned for its vectors */
    if (!q) return TAUT_ERR_MEMORY;
    q->arena = arena;
    q->like = (const taut_taylor_stepper *)like;
    taut_status status = taut_sheaf_create(q->like->series->plan, &q->sheaf);
    if (status == TAUT_OK) status = allocate(q);
    if (status == TAUT_OK) status = taut_squad_create_search(q);
    if (status == TAUT_OK) {
        q->sheaf->refined_below = q->like->series->refined_below;
        *squad = q;
    } else {
        taut_squad_free(&q);
    }
    return status;
}

void taut_squad_free(taut_squad **squad) {
    if (!*squad) return;
    taut_arena arena = (*squad)->arena; /* it is in there itself */
    taut_sheaf_free(&(*squad)->sheaf);
    taut_arena_release(&arena);
    *squad = NULL;
}

/* Its stepper does the next step alone. */
static void leave(taut_squad *q, int l) {
    if (!taut_in_crowd(q->here, l)) return;
    const int longer = q->patience[l] > 0 ? 2 * q->patience[l] : PATIENCE;
    q->patience[l] = q->stay[l] >= SHORT ? 0 : longer < MOST_PATIENCE ? longer : MOST_PATIENCE;
    q->wait[l] = q->patience[l];
    q->stay[l] = 0;
    taut_leave_crowd(&q->here, l);
    taut_sheaf_take_pivots(q->sheaf, l, NULL);
    if (q->search.matrices) taut_matrices_take(q->search.matrices, l, NULL);
}

void taut_squad_leave(taut_squad *q, int lane) {
    leave(q, lane); /* what it has learnt of steps alone is true for the next run as well */
    q->member[lane] = NULL;
}

void taut_squad_count(const taut_squad *q, long *together, long *alone) {
    *together = q->together;
    *alone = q->alone;
}

/* ---- into a lane ---- */

/* Could the coming step be taken in a lane? */
static bool is_ready(const taut_squad *q, const taut_taylor_stepper *p) {
    return fits(&p->base) && p->series->plan == q->sheaf->plan && p->started && p->expanded &&
           !p->pole.starved && p->base.t != p->tend;
}

/* The expansion at the point where the stepper is, and what it knows of the motion. */
static void take_point(taut_squad *q, int l, const taut_taylor_stepper *p) {
    for (int j = 0; j < p->system->n; j++) {
        const double *x = taut_jet_at(p->series->jet, p->series->variable[j], 0);
        taut_abreast *to = q->poly + q->poly_at[j];
        for (int k = 0; k <= p->last_stage + p->structure->offsets.d[j]; k++)
            to[k][l] = x[k * TAUT_LANES];
        q->w[j][l] = p->pole.w[j];
        q->n[j][l] = p->pole.n[j];
    }
    q->poly_h[l] = p->series->jet->h;
    for (int i = 0; i < p->states; i++) {
        q->hi[i][l] = p->hi[i];
        q->lo[i][l] = p->lo[i];
    }
    for (int i = 0; i < p->system->groups * p->levels; i++) q->scale[i][l] = p->weights.scale[i];
}

/* False: it has to go alone. */
static bool enter(taut_squad *q, int l, taut_taylor_stepper *p) {
    const bool known = q->member[l] == p && q->starts[l] == p->starts;
    if (known && p->aloof && taut_in_crowd(q->here, l)) return true;
    leave(q, l);
    if (taut_taylor_come_home(p) != TAUT_OK) return false;
    if (!known) {
        taut_sheaf_take_numbers(q->sheaf, l, p->series);
        if (q->search.points) taut_points_take_numbers(q->search.points, l, p->pole.program);
        q->view.known[l] = false;
    }
    q->member[l] = p;
    q->starts[l] = p->starts;
    if (!taut_sheaf_take_pivots(q->sheaf, l, p->series)) return false;
    take_point(q, l, p);
    taut_join_crowd(&q->here, l);
    return true;
}

/* ---- out of a lane ---- */

static void hand_over_pole(const taut_squad *q, int l, taut_taylor_stepper *p) {
    if (!p->planned) p->last_sigma = p->pole.sigma = p->landed;
    p->landed = q->sigma[l];
    p->pole.tilt = q->tilt[l];
    for (int j = 0; j < p->system->n; j++) {
        p->w[j] = q->first_w[j][l];
        p->n[j] = q->first_n[j][l];
        p->pole.w[j] = q->w[j][l];
        p->pole.n[j] = q->n[j][l];
    }
}

TAUT_ALL_WIDTHS void taut_squad_hand_over_numbers(const taut_abreast *from, int count,
                                                  double *const *to) {
    taut_abreast block[TAUT_ABREAST], nobody;
    for (int l = 0; l < TAUT_ABREAST && count < TAUT_ABREAST; l++)
        for (int i = 0; i < count && to[l]; i++) to[l][i] = from[i][l];
    for (int k = 0; k < count && count >= TAUT_ABREAST; k += TAUT_ABREAST) {
        const int first = k + TAUT_ABREAST <= count ? k : count - TAUT_ABREAST; /* once more */
        for (int i = 0; i < TAUT_ABREAST; i++) block[i] = from[first + i];
        taut_transpose_abreast(block);
        for (int l = 0; l < TAUT_ABREAST; l++)
            memcpy(to[l] ? to[l] + first : (double *)&nobody, &block[l], sizeof block[l]);
    }
}

/* What the landings began with, and their ends. */
static void hand_over_states(const taut_squad *q, taut_crowd who) {
    const taut_abreast *const from[] = {q->weight, q->put, q->try_hi, q->try_lo, q->leading};
    enum { LISTS = sizeof from / sizeof from[0] };
    double *to[LISTS][TAUT_ABREAST] = {0};
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        taut_taylor_stepper *p = q->member[l];
        double *const own[] = {p->weight, p->put.hi, p->try_hi, p->try_lo, p->put.leading};
        for (int i = 0; i < LISTS; i++) to[i][l] = own[i];
        p->put.h = q->h[l];
        p->put.settlings = 1;
    }
    for (int i = 0; i < LISTS; i++)
        taut_squad_hand_over_numbers(from[i], i < LISTS - 1 ? q->like->states : q->like->system->n,
                                     to[i]);
}

void taut_squad_hand_over_polys(const taut_squad *q, taut_crowd who) {
    const int n = q->like->system->n, *d = q->like->structure->offsets.d;
    double *to[TAUT_ABREAST];
    for (int j = 0; j < n; j++) {
        for (int l = 0; l < TAUT_ABREAST; l++)
            to[l] = taut_in_crowd(who, l) ? q->member[l]->poly[j] : NULL;
        taut_squad_hand_over_numbers(q->poly + q->poly_at[j], q->like->last_stage + d[j] + 1, to);
    }
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        q->member[l]->poly_h = q->poly_h[l];
        q->member[l]->base.begin = q->member[l]->base.t;
    }
}

/* A step that was taken in a lane: the stepper is as if it had taken it. */
static void hand_over(const taut_squad *q, int l) {
    taut_taylor_stepper *p = q->member[l];
    const double before = p->base.t, t = q->t[l];
    if (p->pole.rows > 0)
        hand_over_pole(q, l, p);
    else
        p->landed = -1.0;
    if (!p->planned) {
        p->plain = q->plain[l];
        p->usual_step = q->usual[l];
        p->closing = p->blind = false;
    }
    p->planned = p->surprised = false;
    p->trouble = TAUT_FINE;
    p->distant_residual = q->residual[l];
    p->relaxed = !taut_in_crowd(q->strained, l);
    p->aloof = true;
    p->older_pivots = taut_sheaf_older_pivots(q->sheaf, l);
    p->series->factorisations += p->series->plan->first_correction < 0 ? 2 : 1;
    taut_taylor_accept(p, t, q->sheaf->rcond[l]);
    p->expanded = t != p->tend;
    p->h = t - before;
    p->stats.steps++;
    taut_taylor_move_on(p, before);
}

/* ---- a step ---- */

/* The largest residual of what restricts the state. */
TAUT_ALL_WIDTHS static void find_residual(taut_squad *q) {
    const taut_series *s = q->like->series;
    taut_abreast size;
    q->residual = (taut_abreast){0};
    for (int i = 0; i < s->system->n; i++) {
        if (!taut_series_restricts(s, i)) continue;
        taut_size_abreast((const taut_abreast *)taut_jets_at(q->sheaf->jets, s->equation[i], 0),
                          &size);
        taut_raise_abreast(&q->residual, &size);
    }
}

/* What coefficients are measured by. */
TAUT_INLINE void find_units(const taut_squad *q, taut_abreast *unit) {
    taut_abreast scale;
    taut_size_abreast(&q->poly_h, &scale);
    const taut_abreast per_h = 1.0 / scale;
    for (int i = 0; i < q->like->states; i++) {
        unit[i] = 1.0 / q->weight[i];
        for (int m = 0; m < q->like->state[i].order; m++) unit[i] *= per_h;
    }
}

/* The largest coefficients of orders k and k + 1 of the polynomials of the steps, as in
 * taut_taylor_looks_strained but for rounding; unit: [states]. */
TAUT_INLINE void find_largest(const taut_squad *q, int k, const taut_abreast *unit,
                              taut_abreast *largest) {
    const taut_taylor_stepper *p = q->like;
    taut_abreast most[2] = {{0}}, size;
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const taut_abreast *c = q->poly + q->poly_at[x->variable] + x->order + k;
        for (int m = 0; m < 2; m++) {
            const taut_abreast coef = p->falling[x->order * p->orders + k + m] * unit[i] * c[m];
            taut_size_abreast(&coef, &size);
            taut_raise_abreast(&most[m], &size);
        }
    }
    for (int m = 0; m < 2; m++) largest[m] = most[m];
}

/* Squares of rates that differ by more than these are not one, whatever the rounding. */
static const double ONE_SQUARE = TAUT_TAYLOR_ONE_RATE * TAUT_TAYLOR_ONE_RATE * (1.0 + 1e-9);

/* Lanes in which all rates of high coefficients may be one: in the others stability does not limit
 * the steps, and nobody needs to look any closer. */
TAUT_ALL_WIDTHS static void find_strained(taut_squad *q) {
    const int K = q->like->last_stage;
    taut_abreast least, most = {0}, size[4], *unit = q->tails; /* free until the next step */
    taut_abreast_bits strained = ~(taut_abreast_bits){0};
    find_units(q, unit);
    taut_alike_abreast((double)INFINITY, &least);
    q->strained = TAUT_EVERYBODY;
    find_largest(q, K / 2, unit, size);
    for (int k = K / 2; k <= K - 2 && q->strained; k += 2) {
        find_largest(q, k + 2, unit, size + 2); /* states have an order above K */
        for (int m = 0; m < 2 && k + m <= K - 2; m++) {
            const taut_abreast square =
                (double)((k + m + 1) * (k + m + 2)) * (size[m + 2] / size[m]);
            taut_raise_abreast(&most, &square);
            taut_lower_abreast(&least, &square);
            strained &= (taut_abreast_bits)(most < ONE_SQUARE * least);
        }
        size[0] = size[2];
        size[1] = size[3];
        q->strained = taut_squad_lanes_of(&strained);
    }
}

/* The expansions at the ends of the steps are those of the next ones. */
TAUT_ALL_WIDTHS static void go_on(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    taut_abreast size;
    for (int j = 0; j < p->system->n; j++) {
        const taut_abreast *from =
            (const taut_abreast *)taut_jets_at(q->sheaf->jets, q->sheaf->plan->variable[j], 0);
        taut_abreast *to = q->poly + q->poly_at[j];
        const int length = p->last_stage + p->structure->offsets.d[j] + 1;
        for (int k = 0; k < length; k++) to[k] = from[k];
    }
    q->poly_h = *(const taut_abreast *)q->sheaf->jets->h;
    for (int i = 0; i < p->states; i++) {
        q->hi[i] = q->try_hi[i];
        q->lo[i] = q->try_lo[i];
        taut_size_abreast(&q->hi[i], &size);
        taut_raise_abreast(&q->scale[p->state[i].group * p->levels + p->state[i].order], &size);
    }
}

/* The step of all lanes of *who; those who cannot take it there leave. */
static void step_together(taut_squad *q, taut_crowd *who) {
    bool ends = true;
    taut_squad_choose(q, who);
    if (*who) taut_squad_land(q, who);
    q->sheaf->good = *who;
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(*who, l)) ends = ends && q->t[l] == q->member[l]->tend;
    if (!ends) taut_sheaf_extend(q->sheaf);
    *who &= q->sheaf->good;
    taut_squad_look_on(q, *who);
    find_residual(q);
    find_strained(q);
    hand_over_states(q, *who);
    taut_squad_hand_over_polys(q, *who & (taut_crowd)~q->planned); /* who has planned has its own */
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(*who, l)) hand_over(q, l);
    go_on(q);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(*who, l)) {
            q->stay[l]++;
        } else {
            taut_sheaf_take_back_pivots(q->sheaf, l);
            leave(q, l);
        }
}

void taut_squad_step(taut_squad *q, taut_stepper *const *stepper, taut_errors *const *errors,
                     taut_status *status) {
    taut_crowd who = 0;
    q->view.seen = 0;
    for (int l = 0; l < TAUT_ABREAST; l++) {
        taut_taylor_stepper *p = (taut_taylor_stepper *)stepper[l];
        const bool ready = p && p->base.method == &taut_taylor && is_ready(q, p);
        if (!ready || q->member[l] != p) leave(q, l);
        if (ready && q->wait[l] > 0)
            q->wait[l]--;
        else if (ready)
            taut_join_crowd(&who, l);
    }
    for (int l = 0; l < TAUT_ABREAST && taut_squad_members(who) >= FEWEST; l++)
        if (taut_in_crowd(who, l) && !enter(q, l, (taut_taylor_stepper *)stepper[l]))
            taut_leave_crowd(&who, l);
    if (taut_squad_members(who) >= FEWEST) {
        step_together(q, &who);
    } else {
        for (int l = 0; l < TAUT_ABREAST; l++) leave(q, l);
        who = 0;
    }
    q->together += taut_squad_members(who);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!stepper[l]) continue;
        status[l] = TAUT_OK;
        if (taut_in_crowd(who, l)) continue;
        q->alone++;
        status[l] = taut_stepper_step(stepper[l], errors[l]);
    }
}
