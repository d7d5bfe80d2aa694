/* The graph keeps parameters as symbols, so sums with different parameters in front stay apart in
 * it. On the tape parameters are numbers, and such sums can be added up once and for all: the
 * inertia terms of a body, spread over many sums, become one factor for each acceleration. */
#include "expr/fold.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an instruction of its own costs, in terms of sums. */
enum { OVERHEAD = 2 };
enum { FEW = 32 }; /* terms */
/* What is left of terms that cancel, relative to them. */
static const double ROUNDING = 8 * DBL_EPSILON;

typedef struct folder {
    taut_tape *tape;
    int *reader; /* [size] how many terms of sums read a slot */
    bool *bound; /* [size] something else needs it: the caller, an operand, a derivative */
    int *last;   /* [size * (derivatives + 1)] term of the sum at work with this series; -1: none */
    int derivatives;
    taut_tape_term *term; /* the new terms */
    size_t terms, room;
} folder;

static void count_readers(folder *f) {
    const taut_tape *t = f->tape;
    for (int i = 0; i < t->size; i++) {
        const taut_instr *x = &t->instr[i];
        if (x->root) f->bound[i] = true;
        if (x->a >= 0) f->bound[x->a] = true;
        if (x->b >= 0) f->bound[x->b] = true;
        for (int k = 0; k < x->count; k++) {
            const taut_tape_term *term = &t->term[x->first + k];
            f->reader[term->slot]++;
            if (x->kernel != TAUT_KERNEL_LINEAR || term->p > 0) f->bound[term->slot] = true;
            if (term->weight >= 0) f->bound[term->weight] = true;
        }
    }
}

/* Is it less work to add the terms of this sum in all of its readers? */
static bool is_merged(const folder *f, int slot) {
    const taut_instr *x = &f->tape->instr[slot];
    if (x->kernel != TAUT_KERNEL_LINEAR || f->bound[slot]) return false;
    return x->count <= 1 || (x->count - 1) * f->reader[slot] <= x->count + OVERHEAD;
}

static int *last_of(const folder *f, const taut_tape_term *term) {
    return &f->last[term->slot * (f->derivatives + 1) + term->p];
}

/* Adds a term to the sum whose terms begin at `first`. */
static int add_term(folder *f, size_t first, taut_tape_term term) {
    int *last = last_of(f, &term);
    if (*last >= (int)first) {
        const double before = f->term[*last].coef, sum = before + term.coef;
        f->term[*last].coef = fabs(sum) > ROUNDING * fabs(before) ? sum : 0.0;
        return 0;
    }
    if (taut_grow((void **)&f->term, &f->room, f->terms + 1, sizeof *f->term)) return -1;
    *last = (int)f->terms;
    f->term[f->terms++] = term;
    return 0;
}

static int by_derivative(const void *a, const void *b) {
    const taut_tape_term *x = a, *y = b;
    return x->p != y->p ? x->p - y->p : x->slot - y->slot;
}

/* Most sums are short, and sorted but for a few terms. */
static void sort(taut_tape_term *term, int count) {
    if (count > FEW) {
        qsort(term, (size_t)count, sizeof *term, by_derivative);
        return;
    }
    for (int k = 1; k < count; k++) {
        const taut_tape_term t = term[k];
        int at = k;
        for (; at > 0 && by_derivative(&term[at - 1], &t) > 0; at--) term[at] = term[at - 1];
        term[at] = t;
    }
}

/* Derivatives last; without those that cancelled. Returns how many are left. */
static int sort_terms(taut_tape_term *term, int count) {
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (term[k].coef != 0.0) term[kept++] = term[k];
    sort(term, kept);
    return kept;
}

/* The terms of a sum, with merged sums replaced by theirs, which are final. */
static taut_status fold_sum(folder *f, int slot) {
    taut_tape *t = f->tape;
    taut_instr *x = &t->instr[slot];
    const size_t first = f->terms;
    for (int k = 0; k < x->count; k++) {
        const taut_tape_term outer = t->term[x->first + k];
        if (!is_merged(f, outer.slot)) {
            if (add_term(f, first, outer)) return TAUT_ERR_MEMORY;
            continue;
        }
        const taut_instr *inner = &t->instr[outer.slot];
        t->constant[slot] += outer.coef * t->constant[outer.slot];
        for (int m = 0; m < inner->count; m++) {
            taut_tape_term term = f->term[inner->first + m];
            term.coef *= outer.coef;
            if (add_term(f, first, term)) return TAUT_ERR_MEMORY;
        }
    }
    for (size_t k = first; k < f->terms; k++) *last_of(f, &f->term[k]) = -1;
    x->first = (int)first;
    x->count = sort_terms(f->term + first, (int)(f->terms - first));
    f->terms = first + (size_t)x->count;
    return TAUT_OK;
}

/* Terms of functions move as they are. */
static taut_status copy_terms(folder *f, taut_instr *x) {
    const int first = x->first;
    x->first = (int)f->terms;
    for (int k = 0; k < x->count; k++) {
        if (taut_grow((void **)&f->term, &f->room, f->terms + 1, sizeof *f->term))
            return TAUT_ERR_MEMORY;
        f->term[f->terms++] = f->tape->term[first + k];
    }
    return TAUT_OK;
}

static taut_status fold_all(folder *f) {
    for (int i = 0; i < f->tape->size; i++) {
        taut_instr *x = &f->tape->instr[i];
        TAUT_TRY(x->kernel == TAUT_KERNEL_LINEAR ? fold_sum(f, i) : copy_terms(f, x));
    }
    return TAUT_OK;
}

/* Leaves out the merged sums, and gives the others new numbers. */
static void renumber(folder *f, int *number) {
    taut_tape *t = f->tape;
    int size = 0;
    for (int i = 0; i < t->size; i++) number[i] = is_merged(f, i) ? -1 : size++;
    t->terms = 0;
    for (int i = 0; i < t->size; i++) {
        if (number[i] < 0) continue;
        taut_instr *x = &t->instr[number[i]];
        *x = t->instr[i];
        t->constant[number[i]] = t->constant[i];
        if (x->a >= 0) x->a = number[x->a];
        if (x->b >= 0) x->b = number[x->b];
        const int first = x->first;
        x->first = t->terms;
        for (int k = 0; k < x->count; k++) {
            taut_tape_term term = f->term[first + k];
            term.slot = number[term.slot];
            if (term.weight >= 0) term.weight = number[term.weight];
            t->term[t->terms++] = term;
        }
    }
    for (uint32_t v = 0; v < t->nodes; v++)
        if (t->slot[v] >= 0) t->slot[v] = number[t->slot[v]];
    t->size = size;
}

static taut_status fold(folder *f, taut_arena *arena) {
    taut_tape *t = f->tape;
    for (int k = 0; k < t->terms; k++)
        if (t->term[k].p > f->derivatives) f->derivatives = t->term[k].p;
    const size_t size = (size_t)t->size, series = size * (size_t)(f->derivatives + 1);
    int *number = TAUT_NEW_ARRAY(arena, size, int);
    f->reader = TAUT_NEW_ARRAY(arena, size, int);
    f->bound = TAUT_NEW_ARRAY(arena, size, bool);
    f->last = TAUT_NEW_ARRAY(arena, series, int);
    if (!number || !f->reader || !f->bound || !f->last) return TAUT_ERR_MEMORY;
    memset(f->last, -1, series * sizeof *f->last);
    count_readers(f);
    TAUT_TRY(fold_all(f));
    t->term = TAUT_NEW_ARRAY(arena, f->terms, taut_tape_term);
    if (!t->term) return TAUT_ERR_MEMORY;
    renumber(f, number);
    return TAUT_OK;
}

taut_status taut_tape_fold(taut_tape *tape, taut_arena *arena) {
    folder f = {.tape = tape};
    taut_status status = fold(&f, arena);
    taut_release((void **)&f.term);
    return status;
}
