/* Common-subexpression elimination among the terms of sums. The hash-consed graph shares whole
 * nodes, but its sums are flat, and equal parts of two sums (action and reaction, a sum and the
 * derivative of another) stand in both. Terms that the same sums read in the same proportions are
 * factored out into a sum of their own. Products among them then have one reader, which can absorb
 * them (fold.c). Sums that are proportional as a whole are merged first. */
#include "expr/common.h"

#include "expr/fold.h"

/* How many others something is compared with, at most. */
enum { COMPARED = 64 };
enum { NONE = -1 };

static int *no_slots(int count, taut_arena *arena) {
    int *list = TAUT_NEW_ARRAY(arena, count, int);
    for (int i = 0; list && i < count; i++) list[i] = NONE;
    return list;
}

/* ---- proportional sums ---- */

/* No products, and more than a multiple of a series. */
static bool is_comparable(const taut_tape *t, int slot) {
    const taut_instr *x = &t->instr[slot];
    if (x->kernel != TAUT_KERNEL_SUM || x->count == 0) return false;
    for (int k = x->first; k < x->first + x->count; k++)
        if (t->term[k].other >= 0) return false;
    return x->count > 1 || t->term[x->first].p > 0 || t->constant[slot] != 0.0;
}

/* Is x : y the same as u : v? Not asked of kept parameters, whose values say nothing. */
static bool is_proportional(const taut_tape *t, const taut_tape_term *x, const taut_tape_term *y,
                            const taut_tape_term *u, const taut_tape_term *v) {
    const taut_numbers *n = t->numbers;
    if (x->coef / y->coef != u->coef / v->coef) return false;
    if (!(x->origin | y->origin | u->origin | v->origin)) return true;
    return !taut_numbers_is_held(n, x->origin) && !taut_numbers_is_held(n, y->origin) &&
           !taut_numbers_is_held(n, u->origin) && !taut_numbers_is_held(n, v->origin);
}

/* That was decided by their values. */
static void expect_proportional(const taut_tape *t, const taut_tape_term *x,
                                const taut_tape_term *y, const taut_tape_term *u,
                                const taut_tape_term *v) {
    taut_numbers_expect_ratio(t->numbers, (double[]){x->coef, y->coef, u->coef, v->coef},
                              (int[]){x->origin, y->origin, u->origin, v->origin});
}

/* The constant of a sum, as if it were a term. */
static taut_tape_term constant_of(const taut_tape *t, int slot) {
    return (taut_tape_term){.coef = t->constant[slot], .origin = t->origin[slot]};
}

/* Is b a multiple of a, and known no longer? */
static bool is_multiple(const taut_tape *t, int a, int b) {
    const taut_instr *x = &t->instr[a], *y = &t->instr[b];
    const taut_tape_term *u = &t->term[x->first], *v = &t->term[y->first];
    const taut_tape_term *scale = u, *other = v, c = constant_of(t, a), e = constant_of(t, b);
    if (x->offset < y->offset) return false; /* terms that cancelled have had their say */
    if (x->count != y->count || !is_proportional(t, &c, scale, &e, other)) return false;
    for (int i = 0; i < x->count; i++, u++, v++)
        if (u->slot != v->slot || u->p != v->p || !is_proportional(t, u, scale, v, other))
            return false;
    return true;
}

static void expect_multiple(const taut_tape *t, int a, int b) {
    const taut_tape_term *u = &t->term[t->instr[a].first], *v = &t->term[t->instr[b].first];
    const taut_tape_term c = constant_of(t, a), e = constant_of(t, b);
    if (c.coef == 0.0) { /* 0 : x is 0 : y */
        taut_numbers_expect_zero(t->numbers, c.origin);
        taut_numbers_expect_zero(t->numbers, e.origin);
    } else {
        expect_proportional(t, &c, u, &e, v);
    }
    for (int i = 1; i < t->instr[a].count; i++) expect_proportional(t, u + i, u, v + i, v);
}

/* A term with the quotient of two factors. */
static taut_tape_term divided(const taut_tape *t, const taut_tape_term *x,
                              const taut_tape_term *y) {
    return (taut_tape_term){
        .other = -1,
        .origin = taut_numbers_quotient(t->numbers, x->coef, x->origin, y->coef, y->origin),
        .coef = x->coef / y->coef};
}

/* The first of several proportional sums stays, the others read it. */
static taut_status reduce_proportional(taut_tape *t, taut_arena *arena) {
    int *newest = no_slots(t->size, arena); /* sum that begins with a slot, ... */
    int *before = no_slots(t->size, arena); /* ... and the one before it */
    if (!newest || !before) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++) {
        if (!is_comparable(t, i)) continue;
        taut_instr *x = &t->instr[i];
        taut_tape_term *first = &t->term[x->first];
        int other = newest[first->slot];
        for (int n = 0; other != NONE && !is_multiple(t, other, i); n++)
            other = n < COMPARED ? before[other] : NONE;
        if (other == NONE) {
            before[i] = newest[first->slot];
            newest[first->slot] = i;
            continue;
        }
        expect_multiple(t, other, i);
        *first = divided(t, first, &t->term[t->instr[other].first]);
        first->slot = other;
        t->constant[i] = 0.0;
        t->origin[i] = 0;
        x->count = 1;
    }
    return TAUT_OK;
}

/* ---- common terms ---- */

/* A term as its series sees it. */
typedef struct reading {
    int sum;                    /* slot that reads it */
    const taut_tape_term *term; /* its derivative and factor */
} reading;

typedef struct sharer {
    taut_tape *tape;
    reading *reading; /* of all slots, by ascending sums */
    int *first;       /* [size + 1] */
    int *group;       /* [size] which group a slot belongs to */
    int *next;        /* [size] the next slot of its group, ... */
    int *leader;      /* [groups] ... whose first one this is */
    int groups, members;
    int *number; /* [size] new numbers of the slots ... */
    int *shared; /* [groups] ... and of the new sums */
} sharer;

static bool is_plain(const taut_instr *x, const taut_tape_term *term) {
    return x->kernel == TAUT_KERNEL_SUM && term->other < 0;
}

/* Lists what reads every slot. */
static taut_status list_readings(sharer *s, taut_arena *arena) {
    const taut_tape *t = s->tape;
    s->first = TAUT_NEW_ARRAY(arena, t->size + 2, int);
    s->reading = TAUT_NEW_ARRAY(arena, t->terms, reading);
    if (!s->first || !s->reading) return TAUT_ERR_MEMORY;
    int *next = s->first + 1; /* where they begin; after the second pass, where they end */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < t->size; i++)
            for (int k = t->instr[i].first; k < t->instr[i].first + t->instr[i].count; k++) {
                const taut_tape_term *term = &t->term[k];
                if (!is_plain(&t->instr[i], term)) continue;
                if (pass == 0)
                    next[term->slot + 1]++;
                else
                    s->reading[next[term->slot]++] = (reading){i, term};
            }
        for (int i = 0; pass == 0 && i < t->size; i++) next[i + 1] += next[i];
    }
    return TAUT_OK;
}

/* Neither once only nor twice by one sum. */
static bool is_shared(const sharer *s, int slot) {
    for (int i = s->first[slot] + 1; i < s->first[slot + 1]; i++)
        if (s->reading[i].sum == s->reading[i - 1].sum) return false;
    return s->first[slot + 1] - s->first[slot] > 1;
}

/* Do the same sums read both, in the same proportions? */
static bool is_alike(const sharer *s, int a, int b) {
    const int count = s->first[a + 1] - s->first[a];
    const reading *x = s->reading + s->first[a], *y = s->reading + s->first[b];
    if (s->first[b + 1] - s->first[b] != count) return false;
    for (int i = 0; i < count; i++)
        if (x[i].sum != y[i].sum || x[i].term->p - x[0].term->p != y[i].term->p - y[0].term->p ||
            !is_proportional(s->tape, x[i].term, x[0].term, y[i].term, y[0].term))
            return false;
    return true;
}

static void expect_alike(const sharer *s, int a, int b) {
    const reading *x = s->reading + s->first[a], *y = s->reading + s->first[b];
    for (int i = 1; i < s->first[a + 1] - s->first[a]; i++)
        expect_proportional(s->tape, x[i].term, x[0].term, y[i].term, y[0].term);
}

static void join(sharer *s, int slot, int other, int *last) {
    if (s->group[other] == NONE) {
        s->leader[s->groups] = last[other] = other;
        s->group[other] = s->groups++;
        s->members++;
    }
    const int leader = s->leader[s->group[other]];
    s->group[slot] = s->group[other];
    s->next[last[leader]] = slot;
    last[leader] = slot;
    s->members++;
}

static taut_status form_groups(sharer *s, taut_arena *arena) {
    const int size = s->tape->size;
    int *newest = no_slots(size, arena); /* series whose first reader is a slot, ... */
    int *before = no_slots(size, arena); /* ... and the one before it */
    int *last = no_slots(size, arena);   /* member of a leader's group */
    s->group = no_slots(size, arena);
    s->next = no_slots(size, arena);
    s->leader = no_slots(size, arena);
    if (!newest || !before || !last || !s->group || !s->next || !s->leader) return TAUT_ERR_MEMORY;
    for (int i = 0; i < size; i++) {
        if (!is_shared(s, i)) continue;
        const int reader = s->reading[s->first[i]].sum;
        int other = newest[reader];
        for (int n = 0; other != NONE && !is_alike(s, other, i); n++)
            other = n < COMPARED ? before[other] : NONE;
        if (other != NONE) {
            expect_alike(s, other, i);
            join(s, i, other, last);
            continue;
        }
        before[i] = newest[reader];
        newest[reader] = i;
    }
    return TAUT_OK;
}

/* The reader of a series that differentiates it least: the new sum is what it reads. */
static const reading *least(const sharer *s, int slot) {
    const reading *best = s->reading + s->first[slot];
    for (const reading *r = best; r < s->reading + s->first[slot + 1]; r++)
        if (r->term->p < best->term->p) best = r;
    return best;
}

/* Every new sum comes just before the first one that reads it. */
static taut_status number_slots(sharer *s, taut_arena *arena) {
    const int size = s->tape->size;
    int number = 0;
    s->number = TAUT_NEW_ARRAY(arena, size, int);
    s->shared = TAUT_NEW_ARRAY(arena, s->groups, int);
    int *first = no_slots(size, arena);     /* group that a sum reads first, ... */
    int *link = no_slots(s->groups, arena); /* ... and the one after it */
    if (!s->number || !s->shared || !first || !link) return TAUT_ERR_MEMORY;
    for (int g = s->groups - 1; g >= 0; g--) {
        const int reader = s->reading[s->first[s->leader[g]]].sum;
        link[g] = first[reader];
        first[reader] = g;
    }
    for (int i = 0; i < size; i++) {
        for (int g = first[i]; g != NONE; g = link[g]) s->shared[g] = number++;
        s->number[i] = number++;
    }
    return TAUT_OK;
}

/* The terms of an instruction, with new numbers; the leader of a group stands for all of it. */
static void move_terms(const sharer *s, int slot, taut_tape *to) {
    taut_instr *x = &to->instr[s->number[slot]];
    const int first = x->first;
    x->first = to->terms;
    for (int k = first; k < first + x->count; k++) {
        taut_tape_term term = s->tape->term[k];
        const int group = is_plain(x, &term) ? s->group[term.slot] : NONE;
        if (group != NONE && s->leader[group] != term.slot) continue;
        if (group != NONE) {
            const reading *r = least(s, term.slot);
            const int p = term.p - r->term->p;
            term = divided(s->tape, &term, r->term);
            term.p = p;
            term.slot = s->shared[group];
        } else {
            term.slot = s->number[term.slot];
            if (term.other >= 0) term.other = s->number[term.other];
        }
        to->term[to->terms++] = term;
    }
    x->count = to->terms - x->first;
}

/* The sum of a group. */
static void add_sum(const sharer *s, int group, taut_tape *to) {
    taut_instr *x = &to->instr[s->shared[group]];
    *x = (taut_instr){.kernel = TAUT_KERNEL_SUM,
                      .a = -1,
                      .b = -1,
                      .first = to->terms,
                      .offset = TAUT_OFFSET_NEVER,
                      .node = s->tape->instr[least(s, s->leader[group])->sum].node};
    for (int slot = s->leader[group]; slot != NONE; slot = s->next[slot]) {
        const reading *r = least(s, slot);
        const int offset = s->tape->instr[slot].offset - r->term->p;
        if (offset < x->offset) x->offset = offset;
        to->term[to->terms] = *r->term;
        to->term[to->terms++].slot = s->number[slot];
    }
    x->count = to->terms - x->first;
}

static taut_status rewrite(sharer *s, taut_arena *arena) {
    taut_tape *t = s->tape, to = *t;
    to.size = t->size + s->groups;
    to.terms = 0;
    to.instr = TAUT_NEW_ARRAY(arena, to.size, taut_instr);
    to.constant = TAUT_NEW_ARRAY(arena, to.size, double);
    to.origin = TAUT_NEW_ARRAY(arena, to.size, int);
    to.term = TAUT_NEW_ARRAY(arena, t->terms + s->members, taut_tape_term);
    if (!to.instr || !to.constant || !to.origin || !to.term) return TAUT_ERR_MEMORY;
    taut_tape_renumber(t, s->number);
    for (int i = 0; i < t->size; i++) {
        taut_instr *x = &to.instr[s->number[i]];
        *x = t->instr[i];
        to.constant[s->number[i]] = t->constant[i];
        to.origin[s->number[i]] = t->origin[i];
        if (x->a >= 0) x->a = s->number[x->a];
        if (x->b >= 0) x->b = s->number[x->b];
        move_terms(s, i, &to);
    }
    for (int g = 0; g < s->groups; g++) add_sum(s, g, &to);
    *t = to;
    return TAUT_OK;
}

taut_status taut_tape_share(taut_tape *tape, taut_arena *arena) {
    taut_arena scratch = {0};
    sharer s = {.tape = tape};
    taut_status status = reduce_proportional(tape, &scratch);
    if (status == TAUT_OK) status = list_readings(&s, &scratch);
    if (status == TAUT_OK) status = form_groups(&s, &scratch);
    if (status == TAUT_OK && s.groups > 0) status = number_slots(&s, &scratch);
    if (status == TAUT_OK && s.groups > 0) status = rewrite(&s, arena);
    taut_arena_release(&scratch);
    return status;
}
