/* Taylor arithmetic: coefficients, constants and time; operations are in kernels.c. */
#include "expr/jet.h"

#include <math.h>
#include <string.h>

#include "expr/kernels.h"
#include "expr/layout.h"
#include "expr/straight.h"

/* ---- creation ---- */

/* Factors of time derivatives in terms of sums. */
static taut_status allocate_shifts(taut_jet *j, taut_arena *arena) {
    const taut_tape *t = j->tape;
    int most = 0, longest = 0;
    for (int i = 0; i < t->terms; i++)
        if (t->term[i].p > most) most = t->term[i].p;
    for (int i = 0; i < t->size; i++) {
        const int length = j->last_stage + t->instr[i].offset + 1;
        if (length > longest) longest = length;
    }
    j->shift_orders = longest;
    j->most_derivatives = most;
    j->shift = TAUT_NEW_ARRAY(arena, (most + 1) * longest, double);
    if (!j->shift) return TAUT_ERR_MEMORY;
    for (int k = 0; k < longest; k++) j->shift[k] = 1.0;
    return TAUT_OK;
}

static taut_status list_leaves(taut_jet *j, taut_arena *arena) {
    const taut_tape *t = j->tape;
    j->leaf = TAUT_NEW_ARRAY(arena, t->size, int);
    if (!j->leaf) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++)
        if (t->instr[i].kernel == TAUT_KERNEL_STEADY || t->instr[i].kernel == TAUT_KERNEL_TIME)
            j->leaf[j->leaves++] = i;
    j->steady = TAUT_NEW_ARRAY(arena, j->leaves, double);
    if (!j->steady) return TAUT_ERR_MEMORY;
    for (int i = 0; i < j->leaves; i++) j->steady[i] = t->constant[j->leaf[i]];
    return TAUT_OK;
}

/* Which leaves depend on parameters; the values of the time of making. */
static taut_status list_numbers(taut_jet *j, taut_arena *arena) {
    for (int i = 0; i < j->leaves; i++)
        TAUT_TRY(taut_layout_note(j->layout, j->tape->origin[j->leaf[i]], TAUT_IN_LEAF,
                                  (size_t)i * sizeof *j->steady, false, arena));
    j->number = taut_numbers_instance(j->tape->numbers, arena);
    return j->number ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_jet_create(const taut_tape *tape, int last_stage, taut_arena *arena,
                            taut_jet **jet) {
    taut_jet *j = TAUT_NEW(arena, taut_jet);
    if (!j) return TAUT_ERR_MEMORY;
    *j = (taut_jet){
        .tape = tape, .last_stage = last_stage, .ahead = TAUT_NO_STAGE, .uncopied = TAUT_NO_STAGE};
    TAUT_TRY(allocate_shifts(j, arena));
    TAUT_TRY(list_leaves(j, arena));
    TAUT_TRY(taut_layout_create(j, arena));
    TAUT_TRY(list_numbers(j, arena));
    taut_jet_start(j, 0.0, 1.0);
    *jet = j;
    return TAUT_OK;
}

static double *copied(const double *from, size_t count, taut_arena *arena) {
    double *copy = TAUT_NEW_ARRAY(arena, count, double);
    if (copy && count > 0) memcpy(copy, from, count * sizeof *copy);
    return copy;
}

taut_status taut_jet_copy(const taut_jet *like, taut_arena *arena, taut_jet **jet) {
    taut_jet *j = TAUT_NEW(arena, taut_jet);
    taut_layout *l = TAUT_NEW(arena, taut_layout);
    if (!j || !l) return TAUT_ERR_MEMORY;
    *j = *like;
    j->straight = NULL;
    j->fresh = false;
    j->ahead = j->uncopied = TAUT_NO_STAGE;
    *l = *like->layout;
    TAUT_TRY(taut_layout_copy(l, arena));
    j->layout = l;
    j->coef = taut_layout_coefs(l, arena);
    j->shift =
        copied(like->shift, (size_t)(j->most_derivatives + 1) * (size_t)j->shift_orders, arena);
    j->steady = copied(like->steady, (size_t)j->leaves, arena);
    j->number = taut_numbers_instance(j->tape->numbers, arena);
    if (!j->coef || !j->shift || !j->steady || !j->number) return TAUT_ERR_MEMORY;
    *jet = j;
    return TAUT_OK;
}

taut_status taut_jet_set_numbers(taut_jet *jet, const double *parameter) {
    const bool fits = taut_numbers_run(jet->tape->numbers, parameter, jet->number);
    if (!fits) return TAUT_CONTRADICTED;
    taut_layout_set_numbers(jet->layout, jet->steady, jet->number);
    jet->fresh = false;
    jet->ahead = jet->uncopied = TAUT_NO_STAGE;
    return TAUT_OK;
}

/* ---- use ---- */

void taut_jet_start(taut_jet *jet, double t, double h) {
    jet->t = t;
    if (h == jet->h) return;
    jet->h = h;
    for (int p = 1; p <= jet->most_derivatives; p++) {
        const double *before = jet->shift + (size_t)(p - 1) * (size_t)jet->shift_orders;
        double *row = jet->shift + (size_t)p * (size_t)jet->shift_orders;
        for (int k = 0; k < jet->shift_orders; k++) row[k] = before[k] * ((double)(k + p) / h);
    }
}

/* Constants and time. */
static void stage_leaves(taut_jet *jet, int s) {
    for (int i = 0; i < jet->leaves; i++) {
        const int slot = jet->leaf[i], k = s + jet->tape->instr[slot].offset;
        if (k < 0) continue;
        double value = 0.0;
        if (jet->tape->instr[slot].kernel == TAUT_KERNEL_TIME)
            value = k == 0 ? jet->t : k == 1 ? jet->h : 0.0;
        else if (k == 0)
            value = jet->steady[i];
        *taut_jet_at(jet, slot, k) = value;
    }
}

static bool is_straight(const taut_jet *jet, int s) {
    return jet->straight && s >= jet->straight->first && s <= jet->straight->last;
}

void taut_jet_stage(taut_jet *jet, int s) {
    stage_leaves(jet, s);
    if (!is_straight(jet, s)) {
        taut_kernels_stage(jet, s);
        return;
    }
    taut_straight_join(jet);
    jet->straight->stage(taut_straight_at(jet), jet->coef, s);
    jet->uncopied = jet->straight->complete ? TAUT_NO_STAGE : s;
}

void taut_jet_open(taut_jet *jet, int s) {
    stage_leaves(jet, s);
    taut_kernels_open(jet, s);
}

void taut_jet_finish(taut_jet *jet, int s) {
    if (!is_straight(jet, s)) {
        taut_kernels_finish(jet, s);
        return;
    }
    jet->straight->finish(taut_straight_at(jet), jet->coef, s);
    taut_straight_finished(jet);
}

void taut_jet_rescale(taut_jet *jet, double ratio, int s) {
    for (int i = 0; i < jet->tape->size; i++) {
        const int top = s + jet->tape->instr[i].offset;
        double power = 1.0;
        for (int k = 0; k <= top; k++, power *= ratio) *taut_jet_at(jet, i, k) *= power;
    }
    taut_jet_start(jet, jet->t, jet->h * ratio);
    taut_kernels_repack(jet, s);
}

int taut_jet_bad_slot(const taut_jet *jet, int s) {
    for (int i = 0; i < jet->tape->size; i++) {
        const int top = s + jet->tape->instr[i].offset;
        for (int k = 0; k <= top; k++)
            if (!isfinite(*taut_jet_at(jet, i, k))) return i;
    }
    return -1;
}
