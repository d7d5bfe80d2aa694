/* Convolutions wait for nothing that belongs to the stage, so any eight of one kind and of equal
 * offsets may run side by side. */
#include "expr/convolutions.h"

#include <stdlib.h>
#include <string.h>

/* How far back an equal copy is looked for. */
enum { COPIES_BACK = 64 };

/* A job as it is sorted. */
typedef struct sorted_job {
    taut_job *job;
    int offset[3]; /* of the result and the operands */
    int place[2];  /* of the operands */
} sorted_job;

static int compare_kinds(const sorted_job *x, const sorted_job *y) {
    for (int i = 0; i < 3; i++)
        if (x->offset[i] != y->offset[i]) return y->offset[i] - x->offset[i];
    return (int)x->job->kind - (int)y->job->kind;
}

/* Operands that lie side by side stay together, so that they need not be copied. */
static int by_place(const void *a, const void *b) {
    const sorted_job *x = a, *y = b;
    const int order = compare_kinds(x, y);
    if (order != 0) return order;
    for (int i = 0; i < 2; i++)
        if (x->place[i] != y->place[i]) return x->place[i] - y->place[i];
    return x->job < y->job ? -1 : x->job > y->job;
}

/* Those that read the same follow each other, while it is in the cache. */
static int by_operand(const void *a, const void *b) {
    const taut_convolution *x = a, *y = b;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b != y->b ? (x->b < y->b ? -1 : 1) : x->result - y->result;
}

static int length_of(const taut_jet *jet, int offset) {
    const int length = jet->last_stage + offset + 1;
    return length > 0 ? length : 0;
}

/* The place where these slots, one a lane, lie side by side: theirs, or that of a copy. -1: no
 * memory. */
static int operand_place(taut_jet *jet, const int *slot, int count, bool weighted) {
    taut_layout *l = jet->layout;
    taut_copy copy = {
        .offset = jet->tape->instr[slot[0]].offset, .count = count, .weighted = weighted};
    int place[TAUT_LANES];
    for (int i = 0; i < TAUT_LANES; i++) {
        place[i] = i < count ? jet->place[slot[i]] : l->zero;
        copy.source[i] = place[i] + copy.offset * TAUT_LANES;
    }
    if (!weighted && taut_layout_is_whole(place, count)) return place[0];
    for (int i = l->copies - 1; i >= 0 && i >= l->copies - COPIES_BACK; i--)
        if (l->copy[i].weighted == weighted &&
            memcmp(l->copy[i].source, copy.source, sizeof copy.source) == 0)
            return l->copy[i].block;
    copy.block = taut_layout_block(l, length_of(jet, copy.offset));
    l->copy[l->copies++] = copy;
    return copy.block;
}

static taut_status fill_convolution(taut_jet *jet, taut_convolution *c, const sorted_job *list,
                                    int count) {
    int a[TAUT_LANES] = {0}, other[TAUT_LANES] = {0};
    *c = (taut_convolution){.kind = list[0].job->kind,
                            .count = count,
                            .offset = list[0].offset[0],
                            .result = taut_layout_block(jet->layout, 1)};
    for (int i = 0; i < count; i++) {
        taut_job *job = list[i].job;
        a[i] = job->a;
        other[i] = job->b;
        c->coef[i] = job->coef;
        job->result = c->result + i;
    }
    c->a = operand_place(jet, a, count, c->kind == TAUT_SUM_MEAN);
    c->b = operand_place(jet, other, count, false);
    return c->a < 0 || c->b < 0 || c->result < 0 ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Do eight of one kind begin here whose first operands are a whole block? */
static bool is_block(const sorted_job *list, size_t count) {
    const sorted_job *last = list + TAUT_LANES - 1;
    return count >= TAUT_LANES && compare_kinds(list, last) == 0 &&
           list->place[0] % TAUT_LANES == 0 && last->place[0] == list->place[0] + TAUT_LANES - 1;
}

/* How many of the sorted jobs form a group. */
static int cut(const sorted_job *list, size_t count) {
    int n = 1;
    while (n < TAUT_LANES && (size_t)n < count && compare_kinds(list, list + n) == 0 &&
           !is_block(list + n, count - (size_t)n))
        n++;
    return n;
}

taut_status taut_convolutions_create(taut_jet *jet, taut_job *job, size_t jobs, taut_arena *arena) {
    taut_layout *l = jet->layout;
    taut_arena scratch = {0};
    sorted_job *list = TAUT_NEW_ARRAY(&scratch, jobs, sorted_job);
    l->convolution = TAUT_NEW_ARRAY(arena, jobs, taut_convolution);
    l->copy = TAUT_NEW_ARRAY(arena, 2 * jobs, taut_copy);
    taut_status status = list && l->convolution && l->copy ? TAUT_OK : TAUT_ERR_MEMORY;
    const taut_instr *instr = jet->tape->instr;
    for (size_t i = 0; i < jobs && status == TAUT_OK; i++)
        list[i] = (sorted_job){&job[i],
                               {job[i].offset, instr[job[i].a].offset, instr[job[i].b].offset},
                               {jet->place[job[i].a], jet->place[job[i].b]}};
    if (jobs > 0 && status == TAUT_OK) qsort(list, jobs, sizeof *list, by_place);
    for (size_t i = 0; i < jobs && status == TAUT_OK;) {
        const int n = cut(list + i, jobs - i);
        status = fill_convolution(jet, &l->convolution[l->convolutions++], list + i, n);
        i += (size_t)n;
    }
    if (l->convolutions > 0)
        qsort(l->convolution, (size_t)l->convolutions, sizeof *l->convolution, by_operand);
    taut_arena_release(&scratch);
    return status;
}
