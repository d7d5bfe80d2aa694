/* Vectorisation of convolutions (Cauchy products of Taylor series). They depend on nothing of the
 * present stage, so any eight of one kind and of equal offsets may share the lanes of a vector. The
 * cost is in packing their operands into lanes as well, so a group is chosen whose operands are
 * packed already, if there is one. */
#include "expr/convolutions.h"

#include <stdlib.h>
#include <string.h>

/* How far back an equal copy is looked for; how many packs are tried, and how many jobs of a slot.
 */
enum { COPIES_BACK = 64, PACKS_TRIED = 16, JOBS_TRIED = 32 };
/* A pack that is there is taken if it serves so many lanes. */
enum { ENOUGH = TAUT_LANES - 1 };
enum { NONE = -1 };

/* A job as it is sorted. */
typedef struct sorted_job {
    taut_job *job;
    int offset[3]; /* of the result and the operands */
    int place[2];  /* of the operands */
    bool done;
} sorted_job;

/* Series that lie side by side: one a lane, NONE where there is none. */
typedef struct pack {
    int slot[TAUT_LANES];
} pack;

/* A slot as an operand: of a job, or in a pack. */
typedef struct mention {
    int number; /* of the job in the list, or of the pack */
    int lane;   /* or: which operand, 0 or 1 */
    int next;   /* mention of the same slot */
} mention;

typedef struct mentions {
    mention *item;
    int count;
    int *newest; /* [size] of each slot */
} mentions;

typedef struct sorter {
    taut_jet *jet;
    sorted_job *list;
    pack *pack;
    int packs;
    mentions in_jobs, in_packs;
} sorter;

static taut_status create_mentions(mentions *m, size_t room, int size, taut_arena *arena) {
    m->item = TAUT_NEW_ARRAY(arena, room, mention);
    m->newest = TAUT_NEW_ARRAY(arena, size, int);
    if (!m->item || !m->newest) return TAUT_ERR_MEMORY;
    for (int i = 0; i < size; i++) m->newest[i] = NONE;
    return TAUT_OK;
}

static void add_mention(mentions *m, int slot, int number, int lane) {
    m->item[m->count] = (mention){number, lane, m->newest[slot]};
    m->newest[slot] = m->count++;
}

/* ---- order ---- */

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

/* ---- operands ---- */

static int length_of(const taut_jet *jet, int offset) {
    const int length = jet->last_stage + offset + 1;
    return length > 0 ? length : 0;
}

/* The place where the series of a pack lie side by side: theirs, or that of a copy. -1: no memory.
 */
static int operand_place(taut_jet *jet, const pack *p, int offset, bool weighted) {
    taut_layout *l = jet->layout;
    taut_copy copy = {.offset = offset, .weighted = weighted};
    int place[TAUT_LANES];
    for (int i = 0; i < TAUT_LANES; i++) {
        if (p->slot[i] != NONE) copy.count = i + 1;
        place[i] = p->slot[i] != NONE ? jet->place[p->slot[i]] : l->zero;
        copy.source[i] = place[i] + offset * TAUT_LANES;
    }
    if (!weighted && taut_layout_is_whole(place, copy.count)) return place[0];
    for (int i = l->copies - 1; i >= 0 && i >= l->copies - COPIES_BACK; i--)
        if (l->copy[i].weighted == weighted &&
            memcmp(l->copy[i].source, copy.source, sizeof copy.source) == 0)
            return l->copy[i].block;
    copy.block = taut_layout_block(l, length_of(jet, offset));
    l->copy[l->copies++] = copy;
    return copy.block;
}

/* ---- groups ---- */

/* Up to TAUT_LANES jobs, one a lane; NONE: no job. */
typedef struct group {
    int job[TAUT_LANES];
    int count;
    int pack, side; /* NONE: this one is there already, on this side */
} group;

/* May the operands of a job change places? */
static bool is_symmetric(const sorted_job *x) {
    return x->job->kind == TAUT_SUM_INNER && x->offset[1] == x->offset[2];
}

static void swap_operands(sorted_job *x) {
    const int a = x->job->a, place = x->place[0];
    x->job->a = x->job->b;
    x->job->b = a;
    x->place[0] = x->place[1];
    x->place[1] = place;
}

static int operand(const sorted_job *x, int side) { return side ? x->job->b : x->job->a; }

/* A job like `like` whose operand on that side is a slot, and that is not in the group yet. With
 * the other operand wanted, if there is one like that. */
static int find_job(const sorter *s, const sorted_job *like, int side, int slot, int wanted,
                    const group *g) {
    int found = NONE, tried = 0;
    for (int i = s->in_jobs.newest[slot]; i != NONE && tried < JOBS_TRIED;
         i = s->in_jobs.item[i].next, tried++) {
        const mention *m = &s->in_jobs.item[i];
        const sorted_job *x = &s->list[m->number];
        if (x->done || compare_kinds(x, like) != 0) continue;
        if (m->lane != side && !is_symmetric(x)) continue;
        bool taken = false;
        for (int k = 0; k < TAUT_LANES; k++) taken = taken || g->job[k] == m->number;
        if (taken) continue;
        if (operand(x, !m->lane) == wanted) return m->number;
        found = m->number;
    }
    return found;
}

/* The jobs that a pack serves on one side of a job that it contains in this lane. */
static group find_group(const sorter *s, int first, int side, const mention *in_pack) {
    const sorted_job *like = &s->list[first];
    const pack *p = &s->pack[in_pack->number], *other = NULL;
    group g = {.count = 1, .pack = in_pack->number, .side = side};
    int tried = 0;
    for (int i = s->in_packs.newest[operand(like, !side)]; i != NONE && !other;
         i = s->in_packs.item[i].next)
        if (++tried > PACKS_TRIED)
            break;
        else if (s->in_packs.item[i].lane == in_pack->lane)
            other = &s->pack[s->in_packs.item[i].number];
    for (int k = 0; k < TAUT_LANES; k++) g.job[k] = NONE;
    g.job[in_pack->lane] = first;
    for (int k = 0; k < TAUT_LANES; k++) {
        if (k == in_pack->lane || p->slot[k] == NONE) continue;
        g.job[k] = find_job(s, like, side, p->slot[k], other ? other->slot[k] : NONE, &g);
        g.count += g.job[k] != NONE;
    }
    return g;
}

/* Turns the jobs of a group so that those of the pack are on one side. */
static void turn(sorter *s, const group *g) {
    for (int k = 0; k < TAUT_LANES; k++)
        if (g->job[k] != NONE && operand(&s->list[g->job[k]], g->side) != s->pack[g->pack].slot[k])
            swap_operands(&s->list[g->job[k]]);
}

/* A group with an operand that is there already. False: there is none that is large enough. */
static bool reuse(sorter *s, int first, group *best) {
    int tried = 0;
    *best = (group){.count = ENOUGH - 1, .pack = NONE};
    if (s->list[first].job->kind == TAUT_SUM_MEAN) return false;
    for (int side = 0; side < 2; side++)
        for (int i = s->in_packs.newest[operand(&s->list[first], side)];
             i != NONE && tried < PACKS_TRIED; i = s->in_packs.item[i].next, tried++) {
            const group g = find_group(s, first, side, &s->in_packs.item[i]);
            if (g.count > best->count) *best = g;
        }
    if (best->pack == NONE) return false;
    turn(s, best);
    return true;
}

/* Do eight of one kind begin here whose first operands are a whole block? */
static bool is_block(const sorted_job *list, size_t count) {
    const sorted_job *last = list + TAUT_LANES - 1;
    return count >= TAUT_LANES && compare_kinds(list, last) == 0 &&
           list->place[0] % TAUT_LANES == 0 && last->place[0] == list->place[0] + TAUT_LANES - 1;
}

/* The next ones of one kind. */
static void take_next(const sorter *s, int first, int jobs, group *g) {
    for (int k = 0; k < TAUT_LANES; k++) g->job[k] = NONE;
    g->count = 0;
    g->pack = NONE;
    for (int i = first; i < jobs && g->count < TAUT_LANES; i++) {
        if (compare_kinds(&s->list[first], &s->list[i]) != 0) return;
        if (s->list[i].done) continue;
        if (g->count > 0 && is_block(s->list + i, (size_t)(jobs - i))) return;
        g->job[g->count++] = i;
    }
}

static void add_pack(sorter *s, const pack *new) {
    for (int k = 0; k < TAUT_LANES; k++)
        if (new->slot[k] != NONE) add_mention(&s->in_packs, new->slot[k], s->packs, k);
    s->pack[s->packs++] = *new;
}

static taut_status add_convolution(sorter *s, const group *g) {
    taut_layout *l = s->jet->layout;
    taut_convolution *c = &l->convolution[l->convolutions++];
    pack side[2];
    *c = (taut_convolution){.result = taut_layout_block(l, 1)};
    const sorted_job *any = NULL;
    for (int k = 0; k < TAUT_LANES; k++) {
        side[0].slot[k] = side[1].slot[k] = NONE;
        if (g->job[k] == NONE) continue;
        sorted_job *x = &s->list[g->job[k]];
        side[0].slot[k] = x->job->a;
        side[1].slot[k] = x->job->b;
        c->coef[k] = x->job->coef;
        c->count = k + 1;
        x->job->result = c->result + k;
        x->done = true;
        any = x;
    }
    if (g->pack != NONE) side[g->side] = s->pack[g->pack];
    c->kind = any->job->kind;
    c->offset = any->offset[0];
    for (int i = 0; i < 2; i++) {
        const bool weighted = i == 0 && c->kind == TAUT_SUM_MEAN;
        *(i ? &c->b : &c->a) = operand_place(s->jet, &side[i], any->offset[1 + i], weighted);
        if (!weighted && (g->pack == NONE || g->side != i)) add_pack(s, &side[i]);
    }
    return c->a < 0 || c->b < 0 || c->result < 0 ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status form_groups(sorter *s, int jobs) {
    for (int i = 0; i < jobs; i++) {
        group g;
        if (s->list[i].done) continue;
        if (!reuse(s, i, &g)) take_next(s, i, jobs, &g);
        TAUT_TRY(add_convolution(s, &g));
    }
    return TAUT_OK;
}

static taut_status create(sorter *s, taut_job *job, int jobs, taut_arena *scratch) {
    const taut_instr *instr = s->jet->tape->instr;
    const int size = s->jet->tape->size;
    s->list = TAUT_NEW_ARRAY(scratch, jobs, sorted_job);
    s->pack = TAUT_NEW_ARRAY(scratch, 2 * jobs, pack);
    if (!s->list || !s->pack) return TAUT_ERR_MEMORY;
    TAUT_TRY(create_mentions(&s->in_jobs, 2 * (size_t)jobs, size, scratch));
    TAUT_TRY(create_mentions(&s->in_packs, 2 * TAUT_LANES * (size_t)jobs, size, scratch));
    for (int i = 0; i < jobs; i++)
        s->list[i] = (sorted_job){&job[i],
                                  {job[i].offset, instr[job[i].a].offset, instr[job[i].b].offset},
                                  {s->jet->place[job[i].a], s->jet->place[job[i].b]},
                                  false};
    if (jobs > 0) qsort(s->list, (size_t)jobs, sizeof *s->list, by_place);
    for (int i = jobs - 1; i >= 0; i--) { /* the first ones are found first */
        add_mention(&s->in_jobs, s->list[i].job->a, i, 0);
        if (s->list[i].job->a != s->list[i].job->b)
            add_mention(&s->in_jobs, s->list[i].job->b, i, 1);
    }
    return TAUT_OK;
}

/* Notes which factors depend on parameters, now that every convolution has its place. */
static taut_status note_numbers(taut_layout *l, const taut_job *job, size_t jobs, taut_arena *arena,
                                taut_arena *scratch) {
    int *number = NULL; /* of the convolution whose results are a block */
    for (size_t i = 0; i < jobs; i++) {
        if (!job[i].origin) continue;
        if (!number) {
            number = TAUT_NEW_ARRAY(scratch, l->coefs / TAUT_LANES, int);
            if (!number) return TAUT_ERR_MEMORY;
            for (int k = 0; k < l->convolutions; k++)
                number[l->convolution[k].result / TAUT_LANES] = k;
        }
        const taut_convolution *c = &l->convolution[number[job[i].result / TAUT_LANES]];
        const char *place = (const char *)&c->coef[job[i].result % TAUT_LANES];
        TAUT_TRY(taut_layout_note(l, job[i].origin, TAUT_IN_CONVOLUTION,
                                  (size_t)(place - (const char *)l->convolution), false, arena));
    }
    return TAUT_OK;
}

/* What has become of them, in memory that lasts. */
static taut_status keep_lists(taut_layout *l, taut_arena *arena) {
    taut_convolution *convolution = TAUT_NEW_ARRAY(arena, l->convolutions, taut_convolution);
    taut_copy *copy = TAUT_NEW_ARRAY(arena, l->copies, taut_copy);
    if (!convolution || !copy) return TAUT_ERR_MEMORY;
    if (l->convolutions > 0)
        memcpy(convolution, l->convolution, (size_t)l->convolutions * sizeof *convolution);
    if (l->copies > 0) memcpy(copy, l->copy, (size_t)l->copies * sizeof *copy);
    l->convolution = convolution;
    l->copy = copy;
    return TAUT_OK;
}

taut_status taut_convolutions_create(taut_jet *jet, taut_job *job, size_t jobs, taut_arena *arena) {
    taut_layout *l = jet->layout;
    taut_arena scratch = {0};
    sorter s = {.jet = jet};
    l->convolution = TAUT_NEW_ARRAY(&scratch, jobs, taut_convolution); /* at most so many */
    l->copy = TAUT_NEW_ARRAY(&scratch, 2 * jobs, taut_copy);
    taut_status status = l->convolution && l->copy ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = create(&s, job, (int)jobs, &scratch);
    if (status == TAUT_OK) status = form_groups(&s, (int)jobs);
    if (status == TAUT_OK && l->convolutions > 0)
        qsort(l->convolution, (size_t)l->convolutions, sizeof *l->convolution, by_operand);
    if (status == TAUT_OK) status = keep_lists(l, arena);
    if (status == TAUT_OK) status = note_numbers(l, job, jobs, arena, &scratch);
    taut_arena_release(&scratch);
    return status;
}
