/* Constant folding and fusion of sums. The graph keeps parameters as symbols, so sums with
 * different parameters as coefficients stay separate in it. On the tape parameters are numbers, and
 * nested sums are expanded into one linear combination: the inertia terms of a body, spread over
 * many sums, become one coefficient for each acceleration. A product with a single reader is fused
 * into that sum: less to store, and a shorter critical path of dependent operations. */
#include "expr/fold.h"

#include <stdlib.h>
#include <string.h>

/* What an instruction of its own costs, in terms of sums. */
enum { OVERHEAD = 2 };
/* A sum with more products than this leaves them apart: eight sums are computed side by side, and
 * one that is much longer than the others would leave lanes empty. */
enum { MOST_PRODUCTS = 24 };
enum { FEW = 32 }; /* terms */

typedef struct folder {
    taut_tape *tape;
    bool fuse;     /* products become terms, too */
    int *reader;   /* [size] how many terms of sums read a slot */
    bool *bound;   /* [size] something else needs it: the caller, a function, a quotient */
    bool *factor;  /* [size] a product needs it, or what it is a multiple of */
    bool *merged;  /* [size] its terms have become those of its readers */
    bool *open;    /* [size] final, and may be merged into all sums that read it */
    bool *single;  /* [size] final, and nothing but a multiple of another series */
    int *products; /* [size] how many terms of a sum are products */
    int *depth;    /* [size] how many derivatives there are in a sum ... */
    int *reach;    /* [size] ... and how many of it are needed, each at most */
    int *last; /* [size * (derivatives + 1)] term of the sum at work with this series; -1: none */
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
        bool *needed = x->kernel == TAUT_KERNEL_SUM ? f->factor : f->bound;
        for (int k = 0; k < x->count; k++) {
            const taut_tape_term *term = &t->term[x->first + k];
            f->reader[term->slot]++;
            if (term->p > f->reach[term->slot]) f->reach[term->slot] = term->p;
            if (term->other < 0) continue;
            needed[term->slot] = needed[term->other] = true;
        }
    }
}

/* Is a final sum nothing but a multiple of another series? */
static bool is_single(const folder *f, int slot) {
    const taut_instr *x = &f->tape->instr[slot];
    if (x->count != 1 || f->tape->constant[slot] != 0.0 || f->bound[slot] ||
        taut_numbers_is_held(f->tape->numbers, f->tape->origin[slot]))
        return false;
    const taut_tape_term *term = &f->term[x->first];
    return term->other < 0 && term->p == 0;
}

/* May a final sum be merged into all sums that read it? With products only if there is no other
 * reader: they are too much work to be done twice. */
static bool is_open(const folder *f, int slot) {
    const taut_instr *x = &f->tape->instr[slot];
    if (f->bound[slot] || f->factor[slot] || f->depth[slot] + f->reach[slot] > f->derivatives)
        return false;
    if (f->products[slot] > 0) return f->fuse && f->reader[slot] == 1;
    return x->count <= 1 || (x->count - 1) * f->reader[slot] <= x->count + OVERHEAD;
}

/* The number of products of a sum after it has absorbed those of all open sums that it reads. */
static int count_products(const folder *f, const taut_instr *x) {
    int products = 0;
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *term = &f->tape->term[k];
        if (term->other >= 0)
            products++;
        else if (f->open[term->slot])
            products += f->products[term->slot];
    }
    return products;
}

static int *last_of(const folder *f, const taut_tape_term *term) {
    return &f->last[term->slot * (f->derivatives + 1) + term->p];
}

/* Adds a term to the sum whose terms begin at `first`. */
static int add_term(folder *f, size_t first, taut_tape_term term) {
    int *last = term.other < 0 ? last_of(f, &term) : NULL;
    if (last && *last >= (int)first) {
        taut_tape_term *to = &f->term[*last];
        to->origin = taut_numbers_sum_or_zero(f->tape->numbers, to->coef, to->origin, term.coef,
                                              term.origin);
        to->coef = taut_sum_or_zero(to->coef, term.coef);
        return 0;
    }
    if (taut_grow((void **)&f->term, &f->room, f->terms + 1, sizeof *f->term)) return -1;
    if (last) *last = (int)f->terms;
    f->term[f->terms++] = term;
    return 0;
}

static int by_derivative(const void *a, const void *b) {
    const taut_tape_term *x = a, *y = b;
    if ((x->other < 0) != (y->other < 0)) return (y->other < 0) - (x->other < 0);
    if (x->p != y->p) return x->p - y->p;
    return x->slot != y->slot ? x->slot - y->slot : x->other - y->other;
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

/* Derivatives, then products last; without those that cancelled. Returns how many are left. */
static int sort_terms(taut_numbers *numbers, taut_tape_term *term, int count) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (term[k].coef != 0.0 || taut_numbers_is_held(numbers, term[k].origin))
            term[kept++] = term[k];
        else
            taut_numbers_expect_zero(numbers, term[k].origin);
    }
    sort(term, kept);
    return kept;
}

/* *coef *= x, with its origin. */
static void multiply(folder *f, taut_tape_term *term, double x, int origin) {
    term->origin = taut_numbers_product(f->tape->numbers, term->coef, term->origin, x, origin);
    term->coef *= x;
}

/* Replaces a multiple, which a term reads as its *slot, by what it is a multiple of. */
static void see_through(folder *f, taut_tape_term *outer, int *slot) {
    while (f->single[*slot]) {
        const taut_tape_term *term = &f->term[f->tape->instr[*slot].first];
        f->merged[*slot] = true;
        taut_numbers_expect_zero(f->tape->numbers, f->tape->origin[*slot]);
        multiply(f, outer, term->coef, term->origin);
        *slot = term->slot;
    }
}

/* The constant of a merged sum. */
static void add_constant(folder *f, int slot, const taut_tape_term *outer) {
    taut_tape *t = f->tape;
    const double x = t->constant[outer->slot];
    const int product =
        taut_numbers_product(t->numbers, outer->coef, outer->origin, x, t->origin[outer->slot]);
    /* a number times 0 is 0, whatever the parameters */
    const bool none = x == 0.0 && !t->origin[outer->slot];
    if (!none)
        t->origin[slot] = taut_numbers_sum(t->numbers, t->constant[slot], t->origin[slot],
                                           outer->coef * x, product);
    t->constant[slot] += outer->coef * x;
}

/* The terms of a sum, with merged sums replaced by theirs, which are final. */
static taut_status fold_sum(folder *f, int slot) {
    taut_tape *t = f->tape;
    taut_instr *x = &t->instr[slot];
    const size_t first = f->terms;
    const bool long_sum = count_products(f, x) > MOST_PRODUCTS;
    for (int k = 0; k < x->count; k++) {
        taut_tape_term outer = t->term[x->first + k];
        if (f->single[outer.slot]) see_through(f, &outer, &outer.slot);
        if (outer.other >= 0 && f->single[outer.other]) see_through(f, &outer, &outer.other);
        const bool apart =
            outer.other >= 0 || !f->open[outer.slot] || (long_sum && f->products[outer.slot] > 0);
        if (apart) {
            if (add_term(f, first, outer)) return TAUT_ERR_MEMORY;
            f->products[slot] += outer.other >= 0;
            continue;
        }
        const taut_instr *inner = &t->instr[outer.slot];
        f->merged[outer.slot] = true;
        f->products[slot] += f->products[outer.slot];
        if (outer.p == 0) add_constant(f, slot, &outer);
        for (int m = 0; m < inner->count; m++) {
            taut_tape_term term = f->term[inner->first + m];
            multiply(f, &term, outer.coef, outer.origin);
            term.p += outer.p;
            if (add_term(f, first, term)) return TAUT_ERR_MEMORY;
        }
    }
    for (size_t k = first; k < f->terms; k++)
        if (f->term[k].other < 0) *last_of(f, &f->term[k]) = -1;
    x->first = (int)first;
    x->count = sort_terms(t->numbers, f->term + first, (int)(f->terms - first));
    for (size_t k = first; k < first + (size_t)x->count; k++)
        if (f->term[k].p > f->depth[slot]) f->depth[slot] = f->term[k].p;
    f->terms = first + (size_t)x->count;
    f->open[slot] = is_open(f, slot);
    f->single[slot] = is_single(f, slot);
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
        TAUT_TRY(x->kernel == TAUT_KERNEL_SUM ? fold_sum(f, i) : copy_terms(f, x));
    }
    return TAUT_OK;
}

void taut_tape_renumber(taut_tape *t, const int *number) {
    for (int i = 0; i < t->size; i++) {
        int *slot = &t->slot[t->instr[i].node];
        if (*slot == i) *slot = number[i];
    }
}

/* Leaves out the merged sums, and gives the others new numbers. */
static void renumber(folder *f, int *number) {
    taut_tape *t = f->tape;
    int size = 0;
    for (int i = 0; i < t->size; i++) number[i] = f->merged[i] ? -1 : size++;
    taut_tape_renumber(t, number);
    t->terms = 0;
    for (int i = 0; i < t->size; i++) {
        if (number[i] < 0) continue;
        taut_instr *x = &t->instr[number[i]];
        *x = t->instr[i];
        t->constant[number[i]] = t->constant[i];
        t->origin[number[i]] = t->origin[i];
        if (x->a >= 0) x->a = number[x->a];
        if (x->b >= 0) x->b = number[x->b];
        const int first = x->first;
        x->first = t->terms;
        for (int k = 0; k < x->count; k++) {
            taut_tape_term term = f->term[first + k];
            term.slot = number[term.slot];
            if (term.other >= 0) term.other = number[term.other];
            t->term[t->terms++] = term;
        }
    }
    t->size = size;
}

static taut_status fold(folder *f, taut_arena *arena, taut_arena *scratch) {
    taut_tape *t = f->tape;
    for (int k = 0; k < t->terms; k++)
        if (t->term[k].p > f->derivatives) f->derivatives = t->term[k].p;
    const size_t size = (size_t)t->size, series = size * (size_t)(f->derivatives + 1);
    int *number = TAUT_NEW_ARRAY(scratch, size, int);
    f->reader = TAUT_NEW_ARRAY(scratch, size, int);
    f->bound = TAUT_NEW_ARRAY(scratch, size, bool);
    f->factor = TAUT_NEW_ARRAY(scratch, size, bool);
    f->merged = TAUT_NEW_ARRAY(scratch, size, bool);
    f->open = TAUT_NEW_ARRAY(scratch, size, bool);
    f->single = TAUT_NEW_ARRAY(scratch, size, bool);
    f->products = TAUT_NEW_ARRAY(scratch, size, int);
    f->depth = TAUT_NEW_ARRAY(scratch, size, int);
    f->reach = TAUT_NEW_ARRAY(scratch, size, int);
    f->last = TAUT_NEW_ARRAY(scratch, series, int);
    if (!number || !f->reader || !f->bound || !f->factor || !f->merged || !f->open || !f->single ||
        !f->products || !f->depth || !f->reach || !f->last)
        return TAUT_ERR_MEMORY;
    memset(f->last, -1, series * sizeof *f->last);
    count_readers(f);
    TAUT_TRY(fold_all(f));
    t->term = TAUT_NEW_ARRAY(arena, f->terms, taut_tape_term);
    if (!t->term) return TAUT_ERR_MEMORY;
    renumber(f, number);
    return TAUT_OK;
}

taut_status taut_tape_fold(taut_tape *tape, bool fuse, taut_arena *arena) {
    taut_arena scratch = {0};
    folder f = {.tape = tape, .fuse = fuse};
    taut_status status = fold(&f, arena, &scratch);
    taut_release((void **)&f.term);
    taut_arena_release(&scratch);
    return status;
}
