/* What pulls at one end of a rod pulls at the other the opposite way, and the derivative of a sum
 * has the derivatives of its terms: the graph, whose sums are flat, lists such terms twice. Terms
 * that are read by the same sums in the same proportions are put together again. Then products
 * among them have one reader, which can take them in (fold.c). Sums that are proportional as a
 * whole come first. */
#include "expr/share.h"

#include <stdlib.h>
#include <string.h>

/* A term as its series sees it. */
typedef struct reading {
    int sum; /* slot that reads it */
    int p;
    double coef;
} reading;

/* A series that is read by several sums. */
typedef struct series {
    int slot;
    const reading *first; /* by ascending sums */
    int count;
} series;

typedef struct sharer {
    taut_tape *tape;
    reading *reading; /* of all slots */
    int *first;       /* [size + 1] */
    series *list;
    int count;
    int *group; /* [size] in which group of the list a slot is; -1: none */
    int groups;
    int *leader; /* [groups] slot of the first series of each */
    int *number; /* [size] new numbers of the slots ... */
    int *shared; /* [groups] ... and of the new sums */
} sharer;

static int compare_doubles(double x, double y) { return (x > y) - (x < y); }

/* ---- proportional sums ---- */

/* A sum as it is sorted. */
typedef struct candidate {
    const taut_tape *tape;
    int slot;
} candidate;

/* 0: one is a multiple of the other. */
static int compare_sums(const candidate *a, const candidate *b) {
    const taut_tape *t = a->tape;
    const taut_instr *x = &t->instr[a->slot], *y = &t->instr[b->slot];
    const taut_tape_term *u = &t->term[x->first], *v = &t->term[y->first];
    const double scale = u->coef, other = v->coef;
    if (x->count != y->count) return x->count - y->count;
    for (int i = 0; i < x->count; i++, u++, v++) {
        if (u->slot != v->slot) return u->slot - v->slot;
        if (u->p != v->p) return u->p - v->p;
        const int order = compare_doubles(u->coef / scale, v->coef / other);
        if (order != 0) return order;
    }
    return compare_doubles(t->constant[a->slot] / scale, t->constant[b->slot] / other);
}

static int by_terms(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    const int order = compare_sums(x, y);
    return order != 0 ? order : x->slot - y->slot;
}

/* No products, and more than a multiple of a series. */
static bool is_candidate_sum(const taut_tape *t, int slot) {
    const taut_instr *x = &t->instr[slot];
    if (x->kernel != TAUT_KERNEL_SUM || x->count == 0) return false;
    for (int k = x->first; k < x->first + x->count; k++)
        if (t->term[k].other >= 0) return false;
    return x->count > 1 || t->term[x->first].p > 0 || t->constant[slot] != 0.0;
}

/* The first of several proportional sums stays, the others read it. */
static taut_status reduce_proportional(taut_tape *t, taut_arena *arena) {
    candidate *list = TAUT_NEW_ARRAY(arena, t->size, candidate);
    int count = 0;
    if (!list) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++)
        if (is_candidate_sum(t, i)) list[count++] = (candidate){t, i};
    if (count > 0) qsort(list, (size_t)count, sizeof *list, by_terms);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare_sums(&list[i], &list[end]) == 0;) end++;
        const double scale = t->term[t->instr[list[i].slot].first].coef;
        for (int k = i + 1; k < end; k++) {
            taut_instr *x = &t->instr[list[k].slot];
            taut_tape_term *term = &t->term[x->first];
            *term = (taut_tape_term){0, list[i].slot, -1, term->coef / scale};
            t->constant[list[k].slot] = 0.0;
            x->count = 1;
        }
    }
    return TAUT_OK;
}

/* ---- terms in common ---- */

static bool is_plain(const taut_instr *x, const taut_tape_term *term) {
    return x->kernel == TAUT_KERNEL_SUM && term->other < 0;
}

/* Lists what reads every slot. */
static taut_status list_readings(sharer *s, taut_arena *arena) {
    const taut_tape *t = s->tape;
    s->first = TAUT_NEW_ARRAY(arena, t->size + 2, int);
    s->reading = TAUT_NEW_ARRAY(arena, t->terms, reading);
    if (!s->first || !s->reading) return TAUT_ERR_MEMORY;
    int *next = s->first + 1; /* counts end up one further, and are right after the second pass */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < t->size; i++)
            for (int k = t->instr[i].first; k < t->instr[i].first + t->instr[i].count; k++) {
                const taut_tape_term *term = &t->term[k];
                if (!is_plain(&t->instr[i], term)) continue;
                if (pass == 0)
                    next[term->slot + 1]++;
                else
                    s->reading[next[term->slot]++] = (reading){i, term->p, term->coef};
            }
        for (int i = 0; pass == 0 && i < t->size; i++) next[i + 1] += next[i];
    }
    return TAUT_OK;
}

/* Neither once only nor twice by one sum. */
static bool is_candidate(const reading *r, int count) {
    for (int i = 1; i < count; i++)
        if (r[i].sum == r[i - 1].sum) return false;
    return count > 1;
}

/* 0: the same sums read both in the same proportions. */
static int compare(const series *x, const series *y) {
    if (x->count != y->count) return x->count - y->count;
    for (int i = 0; i < x->count; i++) {
        const reading *a = &x->first[i], *b = &y->first[i];
        if (a->sum != b->sum) return a->sum - b->sum;
        const int shift = (a->p - x->first->p) - (b->p - y->first->p);
        if (shift != 0) return shift;
        const int order = compare_doubles(a->coef / x->first->coef, b->coef / y->first->coef);
        if (order != 0) return order;
    }
    return 0;
}

static int by_readers(const void *a, const void *b) {
    const series *x = a, *y = b;
    const int order = compare(x, y);
    return order != 0 ? order : x->slot - y->slot;
}

static taut_status form_groups(sharer *s, taut_arena *arena) {
    const int size = s->tape->size;
    s->list = TAUT_NEW_ARRAY(arena, size, series);
    s->group = TAUT_NEW_ARRAY(arena, size, int);
    s->leader = TAUT_NEW_ARRAY(arena, size, int);
    if (!s->list || !s->group || !s->leader) return TAUT_ERR_MEMORY;
    for (int i = 0; i < size; i++) {
        const reading *r = s->reading + s->first[i];
        const int count = s->first[i + 1] - s->first[i];
        s->group[i] = -1;
        if (is_candidate(r, count)) s->list[s->count++] = (series){i, r, count};
    }
    if (s->count > 0) qsort(s->list, (size_t)s->count, sizeof *s->list, by_readers);
    for (int i = 0, end; i < s->count; i = end) {
        for (end = i + 1; end < s->count && compare(&s->list[i], &s->list[end]) == 0;) end++;
        if (end - i < 2) continue;
        for (int k = i; k < end; k++) s->group[s->list[k].slot] = s->groups;
        s->leader[s->groups++] = s->list[i].slot;
    }
    return TAUT_OK;
}

/* The reader of a series that differentiates it least: the new sum is what it reads. */
static const reading *least(const sharer *s, int slot) {
    const reading *best = s->reading + s->first[slot];
    for (const reading *r = best; r < s->reading + s->first[slot + 1]; r++)
        if (r->p < best->p) best = r;
    return best;
}

/* Every new sum comes just before the first one that reads it. */
static taut_status number_slots(sharer *s, taut_arena *arena) {
    const int size = s->tape->size;
    int next = 0;
    s->number = TAUT_NEW_ARRAY(arena, size, int);
    s->shared = TAUT_NEW_ARRAY(arena, s->groups, int);
    int *before = TAUT_NEW_ARRAY(arena, size, int), *link = TAUT_NEW_ARRAY(arena, s->groups, int);
    if (!s->number || !s->shared || !before || !link) return TAUT_ERR_MEMORY;
    for (int g = s->groups - 1; g >= 0; g--) { /* lists of groups, with numbers from 1 */
        const int reader = s->reading[s->first[s->leader[g]]].sum;
        link[g] = before[reader];
        before[reader] = g + 1;
    }
    for (int i = 0; i < size; i++) {
        for (int g = before[i]; g > 0; g = link[g - 1]) s->shared[g - 1] = next++;
        s->number[i] = next++;
    }
    return TAUT_OK;
}

/* The terms of an instruction, new numbers in them; the first of a group stands for all. */
static void move_terms(const sharer *s, int slot, taut_tape *to) {
    const taut_tape *t = s->tape;
    taut_instr *x = &to->instr[s->number[slot]];
    const int first = x->first;
    x->first = to->terms;
    for (int k = first; k < first + x->count; k++) {
        taut_tape_term term = t->term[k];
        const int group = is_plain(x, &term) ? s->group[term.slot] : -1;
        if (group >= 0 && s->leader[group] != term.slot) continue;
        if (group >= 0) {
            const reading *r = least(s, term.slot);
            term = (taut_tape_term){term.p - r->p, s->shared[group], -1, term.coef / r->coef};
        } else {
            term.slot = s->number[term.slot];
            if (term.other >= 0) term.other = s->number[term.other];
        }
        to->term[to->terms++] = term;
    }
    x->count = to->terms - x->first;
}

/* The sum of a group, which ends at list[*next]. */
static void add_sum(const sharer *s, int group, int *next, taut_tape *to) {
    const reading *r = least(s, s->leader[group]);
    taut_instr *x = &to->instr[s->shared[group]];
    *x = (taut_instr){.kernel = TAUT_KERNEL_SUM,
                      .op = TAUT_OP_SUM,
                      .a = -1,
                      .b = -1,
                      .first = to->terms,
                      .node = s->tape->instr[r->sum].node};
    for (; s->group[s->list[*next].slot] != group; (*next)++) {
    }
    for (; *next < s->count && s->group[s->list[*next].slot] == group; (*next)++) {
        const int slot = s->list[*next].slot;
        const reading *own = least(s, slot);
        to->term[to->terms++] = (taut_tape_term){own->p, s->number[slot], -1, own->coef};
    }
    x->count = to->terms - x->first;
}

static taut_status rewrite(sharer *s, taut_arena *arena) {
    taut_tape *t = s->tape, to = *t;
    to.size = t->size + s->groups;
    to.terms = 0;
    to.instr = TAUT_NEW_ARRAY(arena, to.size, taut_instr);
    to.constant = TAUT_NEW_ARRAY(arena, to.size, double);
    to.term = TAUT_NEW_ARRAY(arena, t->terms + s->count, taut_tape_term);
    if (!to.instr || !to.constant || !to.term) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++) {
        taut_instr *x = &to.instr[s->number[i]];
        *x = t->instr[i];
        to.constant[s->number[i]] = t->constant[i];
        if (x->a >= 0) x->a = s->number[x->a];
        if (x->b >= 0) x->b = s->number[x->b];
        move_terms(s, i, &to);
    }
    for (int g = 0, next = 0; g < s->groups; g++) add_sum(s, g, &next, &to);
    for (uint32_t v = 0; v < t->nodes; v++)
        if (t->slot[v] >= 0) t->slot[v] = s->number[t->slot[v]];
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
