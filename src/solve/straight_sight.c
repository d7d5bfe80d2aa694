/* The stages of a view up to 0 as straight lines, and whether these are right. */
#include "solve/straight_sight.h"

#include <math.h>

#include "expr/layout.h"

enum { LAST = 0 }; /* above, the interpreter refreshes all of its factors before it goes on */
enum { MOST_OPERATIONS = 1000 }; /* more of them are no small part of a step any longer */
/* Beside the largest number on the tape: less is rounding. */
static const double SAME = 1e-10;

bool taut_sight_fits(const taut_series_view *v) {
    return !v->sight && v->tape->first_stage <= LAST && v->jet->layout->last_start <= 0 &&
           taut_tape_operations(v->tape) <= MOST_OPERATIONS;
}

taut_status taut_sight_write(taut_string *text, const taut_series_view *v) {
    return taut_straight_sights(text, v->jet, LAST);
}

taut_status taut_sight_create(taut_arena *arena, const taut_series_view *v, taut_sight **sight) {
    *sight = TAUT_NEW(arena, taut_sight);
    if (!*sight) return TAUT_ERR_MEMORY;
    (*sight)->kept = TAUT_NEW_ARRAY(arena, v->tape->size, double);
    return (*sight)->kept ? TAUT_OK : TAUT_ERR_MEMORY;
}

void taut_sight_use(taut_series_view *v, taut_sight *sight, const char *made_by) {
    sight->straight.first = v->tape->first_stage;
    sight->straight.last = LAST;
    sight->straight.complete = true;
    sight->made_by = made_by;
    taut_straight_use(v->jet, &sight->straight);
    v->sight = sight;
    v->stage = TAUT_NO_STAGE;
}

/* The newest order of a slot; 0: there is none yet. */
static double newest(const taut_series_view *v, int slot) {
    const int k = v->stage + v->tape->instr[slot].offset;
    return k < 0 ? 0.0 : *taut_jet_at(v->jet, slot, k);
}

/* Are the numbers that are there now those that were kept? Where there are none, nobody can tell.
 */
static bool is_the_same(const taut_series_view *v, const double *kept) {
    double size = 0.0;
    for (int i = 0; i < v->tape->size; i++) {
        if (!isfinite(newest(v, i))) return true;
        size = fmax(size, fabs(newest(v, i)));
    }
    for (int i = 0; i < v->tape->size; i++)
        if (!(fabs(newest(v, i) - kept[i]) <= SAME * size)) return false;
    return true;
}

void taut_sight_verify(taut_series_view *v, const taut_jet *from, const int *variable) {
    taut_sight *sight = v->sight;
    const int stage = v->stage;
    const bool derived = stage == LAST;
    if (sight->miscompiled || stage > LAST || sight->looks[derived]++ < sight->next[derived])
        return;
    sight->next[derived] = 4 * sight->looks[derived] - 1;
    for (int i = 0; i < v->tape->size; i++) sight->kept[i] = newest(v, i);
    v->jet->straight = NULL;
    v->sight = NULL;
    v->stage = TAUT_NO_STAGE;
    taut_series_view_reach(v, stage, from, variable);
    v->sight = sight;
    if (is_the_same(v, sight->kept))
        v->jet->straight = &sight->straight;
    else
        sight->miscompiled = sight->made_by;
}
