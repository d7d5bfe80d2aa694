/* What a state remembers of the Taylor stepper that has led to it, so that another one goes on with
 * the same bits. */
#include <math.h>
#include <string.h>

#include "solve/taylor_parts.h"

enum { REMEMBERED = 16 };
static const double MOST_SETTLINGS = 30.0; /* more than any landing has */

/* The matrix whose pivots are in use, or as many zeros. */
static bool put_pivots(taut_memory *memory, const taut_lu *lu, int entries) {
    const double *value = lu ? taut_lu_pivoted(lu) : NULL;
    for (int k = 0; k < entries && !value; k++) taut_memory_put(memory, 0.0);
    if (value) taut_memory_put_all(memory, value, entries);
    return value != NULL;
}

/* Everything that the next step depends on, so that a stepper which goes on elsewhere gives the
 * same bits: the state's low parts, scales, what is known of singular positions; and how the series
 * at the point came about, pivots included. */
void taut_taylor_remember(const taut_stepper *stepper, taut_memory *memory) {
    const taut_taylor_stepper *p = (const taut_taylor_stepper *)stepper;
    const taut_lu *lu = p->series->lu, *rough = p->pole.lu;
    const double number[REMEMBERED] = {p->put.h,
                                       p->put.settlings,
                                       lu && taut_lu_pivoted(lu),
                                       rough && taut_lu_pivoted(rough),
                                       p->h,
                                       p->r,
                                       p->usual_step,
                                       p->last_sigma,
                                       p->pole.sigma,
                                       p->best_rcond,
                                       p->caution,
                                       p->strained,
                                       p->vigil.seen,
                                       p->r2,
                                       p->apart,
                                       p->landed};
    taut_memory_put_all(memory, number, REMEMBERED);
    taut_memory_put_all(memory, p->put.hi, p->states);
    taut_memory_put_all(memory, p->put.leading, p->system->n);
    put_pivots(memory, lu, p->series->entries);
    put_pivots(memory, rough, p->series->entries);
    taut_memory_put_all(memory, p->lo, p->states);
    taut_memory_put_all(memory, p->weights.scale, p->system->groups * p->levels);
    taut_memory_put_all(memory, p->pole.w, p->system->n);
    taut_memory_put_all(memory, p->pole.n, p->system->n);
    taut_memory_put_all(memory, p->vigil.scale, p->vigil.nodes);
}

/* All of it, or nothing: what another choice of constraints has left does not fit. */
bool taut_taylor_remembers(const taut_taylor_stepper *p, const taut_state *from) {
    const int scales = p->system->groups * p->levels;
    const int count = REMEMBERED + 2 * p->states + 3 * p->system->n + 2 * p->series->entries +
                      scales + p->vigil.nodes;
    return taut_state_recall(from, p->base.method->name).memory->count == (size_t)count;
}

/* Factors that are singular are found again when they are needed. */
static taut_status take_pivots(taut_lu *lu, const double *value, bool given) {
    const taut_status status = lu && given ? taut_lu_repivot(lu, value) : TAUT_OK;
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* Lands at the remembered point in the same way as it was done there; the series beyond depends on
 * scales, too, and on singular positions. */
taut_status taut_taylor_land_again(taut_taylor_stepper *p, const taut_state *from) {
    const double *number = from->stepper.number, *hi = number + REMEMBERED,
                 *leading = hi + p->states;
    const double *J = leading + p->system->n, *rough = J + p->series->entries;
    const double *scale = rough + p->series->entries + p->states;
    p->put.h = number[0];
    p->put.settlings = number[1] >= 1.0 ? (int)fmin(number[1], MOST_SETTLINGS) : 0;
    memcpy(p->put.hi, hi, (size_t)p->states * sizeof *hi);
    memcpy(p->put.leading, leading, (size_t)p->system->n * sizeof *leading);
    TAUT_TRY(take_pivots(p->series->lu, J, number[2] != 0.0));
    TAUT_TRY(take_pivots(p->pole.lu, rough, number[3] != 0.0));
    taut_taylor_put(p, p->base.t, p->series);
    for (int i = 0; i == 0 || i < p->put.settlings; i++)
        TAUT_TRY(taut_series_settle(p->series, p->put.settlings > 0, NULL, NULL));
    p->r = number[5];
    p->best_rcond = number[9];
    memcpy(p->weights.scale, scale,
           (size_t)(p->system->groups * p->levels) * sizeof *p->weights.scale);
    return TAUT_OK;
}

void taut_taylor_recall(taut_taylor_stepper *p, const taut_state *from) {
    taut_recall r = taut_state_recall(from, p->base.method->name);
    r.next = 4;
    p->h = taut_recall_get(&r);
    p->r = taut_recall_get(&r);
    p->usual_step = taut_recall_get(&r);
    p->last_sigma = taut_recall_get(&r);
    p->pole.sigma = taut_recall_get(&r);
    p->best_rcond = taut_recall_get(&r);
    p->caution = taut_recall_get(&r);
    p->strained = taut_recall_whole(&r, 0, 1000000);
    p->vigil.seen = (unsigned)taut_recall_whole(&r, 0, 2000000000);
    p->r2 = taut_recall_get(&r);
    p->apart = taut_recall_get(&r);
    p->landed = taut_recall_get(&r);
    r.next += (size_t)(p->states + p->system->n + 2 * p->series->entries);
    taut_recall_all(&r, p->lo, p->states);
    r.next += (size_t)(p->system->groups * p->levels); /* the landing has them */
    taut_recall_all(&r, p->pole.w, p->system->n);
    taut_recall_all(&r, p->pole.n, p->system->n);
    taut_recall_all(&r, p->vigil.scale, p->vigil.nodes);
}
