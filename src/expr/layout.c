/* Vectorisation of a tape. Independent instructions of one level of the dependency graph are
 * grouped into the lanes of a vector, with adjacent results: that gives every slot its place in
 * memory. Then the terms of every group are resolved to places. Convolutions are grouped
 * separately, since they depend on earlier orders only. Instructions are sorted by the places of
 * their operands, so that most loads are contiguous. */
#include "expr/layout.h"

#include <limits.h>
#include <stdlib.h>

#include "expr/convolutions.h"

/* Where the newest order of a slot is found before its stage is solved, if not at a place. */
enum { ZERO = -1, UNKNOWN = -2 };

/* What is looked at: the newest order; what of it is known before; all that is known of it while
 * the newest orders of the variables are 0. */
typedef enum part { NEWEST, BASE, OPENING, PARTS } part;

/* A term of a row. */
typedef struct row_term {
    int slot; /* what it reads, in parts other than BASE */
    int source, pace, p;
    double scale; /* the factor is this, ... */
    int partial;  /* ... times order 0 of this slot; -1: nothing else */
    int origin;   /* of scale, or of half of it: ... */
    bool twice;   /* ... this says which */
} row_term;

typedef struct candidate {
    const taut_instr *instr;
    bool first; /* it comes before those that do not */
    int level;  /* of one offset, lower ones come before; offsets descend */
    int rank;   /* sorts that do not mix */
    int shape;  /* how many terms it has, derivatives first */
    int place;  /* of the first one that is no derivative */
} candidate;

/* A group: the instructions in the lanes of one vector. */
typedef struct bunch {
    const taut_instr *member[TAUT_LANES];
    int count;
    int place; /* of what is looked at */
} bunch;

/* On the heap, in the order in which they run. */
typedef struct bunches {
    bunch *item;
    size_t count, room;
} bunches;

typedef struct builder {
    taut_jet *jet;
    const taut_tape *tape;
    taut_arena *arena;
    taut_arena scratch; /* for what is not needed later */
    taut_layout *layout;
    taut_job *job;  /* all convolutions */
    int *first_job; /* [size + 1] */
    int *level;     /* [size] how many instructions of its offset it waits for */
    int *base;      /* [size] place of the base; ZERO: there is none */
    int *opening;   /* [size] place of the newest order while those of the variables are 0 */
    row_term *term; /* work space for the terms of TAUT_LANES rows */
    int longest;    /* how many a row may have */
    bunches group[PARTS];
} builder;

/* ---- places ---- */

int taut_layout_block(taut_layout *l, int orders) {
    const size_t place = l->coefs;
    l->coefs += (size_t)orders * TAUT_LANES;
    return l->coefs < INT_MAX ? (int)place : -1;
}

bool taut_layout_is_whole(const int *place, int count) {
    if (place[0] % TAUT_LANES != 0) return false;
    for (int i = 1; i < count; i++)
        if (place[i] != place[0] + i) return false;
    return true;
}

static size_t bytes_between(const void *from, const void *to) {
    return (size_t)((const char *)to - (const char *)from);
}

static int slot_of(const builder *b, const taut_instr *x) { return (int)(x - b->tape->instr); }

/* Order k + p of a slot where k is the newest order of x: its place at stage 0. */
static int moving_place(const builder *b, const taut_instr *x, int slot, int p) {
    return b->jet->place[slot] + (x->offset + p) * TAUT_LANES;
}

static bool is_leaf(const taut_instr *x) {
    return x->kernel == TAUT_KERNEL_STEADY || x->kernel == TAUT_KERNEL_TIME ||
           x->kernel == TAUT_KERNEL_VARIABLE;
}
static bool is_divided(const taut_instr *x) {
    return x->kernel == TAUT_KERNEL_DIVIDE || x->kernel == TAUT_KERNEL_ROOT;
}

/* ---- terms ---- */

/* Does x read the newest order of a slot? Otherwise that order was found at an earlier stage. */
static bool reads_newest(const builder *b, const taut_instr *x, int slot, int p) {
    return b->tape->instr[slot].offset - p == x->offset;
}

/* Appends a term of x, if it belongs to the part: BASE has what was found at earlier stages. */
static void list_term(const builder *b, const taut_instr *x, part which, row_term t, row_term *to,
                      int *count) {
    if (reads_newest(b, x, t.slot, t.p) == (which == BASE)) return;
    t.source = moving_place(b, x, t.slot, t.p);
    t.pace = TAUT_LANES;
    if (which == OPENING) {
        if (b->opening[t.slot] == ZERO) return;
        t.source = b->opening[t.slot];
        t.pace = 0;
    }
    to[(*count)++] = t;
}

/* Appends the terms of a product in a sum: convolutions have what was found at earlier stages. */
static void list_product(const builder *b, const taut_instr *x, part which, const taut_tape_term *t,
                         row_term *to, int *count) {
    if (which == BASE) return;
    const bool square = t->slot == t->other;
    row_term term = {.slot = t->slot,
                     .p = t->p,
                     .scale = t->coef,
                     .partial = t->other,
                     .origin = t->origin,
                     .twice = square};
    if (square) term.scale *= 2.0;
    list_term(b, x, which, term, to, count);
    if (square) return;
    term.slot = t->other;
    term.partial = t->slot;
    list_term(b, x, which, term, to, count);
}

/* Appends the convolutions of a slot. */
static void list_results(const builder *b, int slot, row_term *to, int *count) {
    for (int i = b->first_job[slot]; i < b->first_job[slot + 1]; i++)
        to[(*count)++] = (row_term){
            .slot = -1, .source = b->job[i].result, .p = b->job[i].p, .scale = 1.0, .partial = -1};
}

/* The terms of one part of a row. */
static int list_part(const builder *b, const taut_instr *x, part which, row_term *to) {
    const int slot = slot_of(b, x);
    int n = 0;
    if (which == BASE) list_results(b, slot, to, &n);
    if (is_divided(x)) {
        list_term(b, x, which, (row_term){.slot = x->a, .scale = 1.0, .partial = -1}, to, &n);
        if (x->kernel == TAUT_KERNEL_DIVIDE)
            list_term(b, x, which, (row_term){.slot = x->b, .scale = -1.0, .partial = slot}, to,
                      &n);
        return n;
    }
    for (int i = 0; i < x->count; i++) {
        const taut_tape_term *t = &b->tape->term[x->first + i];
        if (x->kernel == TAUT_KERNEL_CHAIN)
            list_term(b, x, which, (row_term){.slot = t->slot, .scale = 1.0, .partial = t->other},
                      to, &n);
        else if (t->other >= 0)
            list_product(b, x, which, t, to, &n);
        else
            list_term(b, x, which,
                      (row_term){.slot = t->slot,
                                 .p = t->p,
                                 .scale = t->coef,
                                 .partial = -1,
                                 .origin = t->origin},
                      to, &n);
    }
    return n;
}

/* ---- convolutions ---- */

static taut_job job_of_product(const builder *b, const taut_instr *x, const taut_tape_term *t) {
    const bool new_a = reads_newest(b, x, t->slot, t->p),
               new_b = reads_newest(b, x, t->other, t->p);
    taut_job job = {.kind = TAUT_SUM_INNER,
                    .a = t->slot,
                    .b = t->other,
                    .p = t->p,
                    .coef = t->coef,
                    .origin = t->origin};
    if (!new_a && !new_b)
        job.kind = TAUT_SUM_ALL;
    else if (t->slot == t->other)
        job.kind = TAUT_SUM_SQUARE;
    else if (!new_a || !new_b)
        job.kind = TAUT_SUM_TO_END;
    if (job.kind == TAUT_SUM_TO_END && new_a) {
        job.a = t->other;
        job.b = t->slot;
    }
    return job;
}

static int list_jobs(const builder *b, const taut_instr *x, taut_job *job) {
    const int slot = slot_of(b, x);
    int n = 0;
    if (x->kernel == TAUT_KERNEL_DIVIDE)
        job[n++] = (taut_job){.kind = TAUT_SUM_INNER, .a = x->b, .b = slot, .coef = -1.0};
    if (x->kernel == TAUT_KERNEL_ROOT)
        job[n++] = (taut_job){.kind = TAUT_SUM_SQUARE, .a = slot, .b = slot, .coef = -1.0};
    for (int i = 0; i < x->count; i++) {
        const taut_tape_term *t = &b->tape->term[x->first + i];
        if (x->kernel == TAUT_KERNEL_CHAIN)
            job[n++] = (taut_job){.kind = TAUT_SUM_MEAN, .a = t->slot, .b = t->other, .coef = 1.0};
        else if (t->other >= 0)
            job[n++] = job_of_product(b, x, t);
    }
    for (int i = 0; i < n; i++) job[i].offset = x->offset + job[i].p;
    return n;
}

static taut_status make_convolutions(builder *b) {
    const taut_tape *t = b->tape;
    b->first_job = TAUT_NEW_ARRAY(&b->scratch, t->size + 1, int);
    b->job = TAUT_NEW_ARRAY(&b->scratch, t->size + t->terms, taut_job);
    if (!b->first_job || !b->job) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++)
        b->first_job[i + 1] =
            b->first_job[i] + list_jobs(b, &t->instr[i], b->job + b->first_job[i]);
    return taut_convolutions_create(b->jet, b->job, (size_t)b->first_job[t->size], b->arena);
}

/* ---- groups ---- */

/* Sums, functions, and what is divided do not mix: order 0 differs, or the end. */
static int sort_of(const taut_instr *x) {
    if (is_divided(x)) return 2;
    return x->kernel == TAUT_KERNEL_SUM ? 0 : 1;
}

static int compare_class(const candidate *x, const candidate *y) {
    if (x->first != y->first) return y->first - x->first;
    if (x->instr->offset != y->instr->offset) return y->instr->offset - x->instr->offset;
    if (x->level != y->level) return x->level - y->level;
    return x->rank - y->rank;
}

static int by_class(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    const int order = compare_class(x, y);
    if (order != 0) return order;
    return x->instr < y->instr ? -1 : x->instr > y->instr; /* the order of the tape */
}

static int by_shape(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->shape != y->shape) return x->shape - y->shape;
    if (x->place != y->place) return x->place - y->place;
    return x->instr < y->instr ? -1 : x->instr > y->instr;
}

/* What an instruction is sorted by among its equals: the place of something that it reads, which
 * has one already; bases by that of the rows that they belong to. */
static void set_keys(const builder *b, candidate *c, part which) {
    const taut_instr *x = c->instr;
    c->shape = c->place = 0;
    if (is_leaf(x)) return;
    const int count = list_part(b, x, which, b->term);
    int shifted = 0, first = -1;
    for (int i = 0; i < count; i++) {
        shifted += b->term[i].p > 0;
        if (first < 0 || (b->term[first].p > 0 && b->term[i].p == 0)) first = i;
    }
    c->shape = (shifted << 16) + count - shifted;
    if (which == BASE)
        c->place = b->jet->place[slot_of(b, x)];
    else if (first >= 0)
        c->place = b->term[first].source;
}

/* How many of the sorted c[0 .. count-1] form a group: up to TAUT_LANES, fewer if the next ones
 * fill one whose sources lie side by side, or one of another shape. */
static int cut(const candidate *c, int count) {
    int m = 1;
    for (; m < TAUT_LANES && m < count; m++) {
        const int last = m + TAUT_LANES - 1;
        if (last >= count || c[m].shape != c[last].shape) continue;
        if (c[m - 1].shape != c[m].shape) break;
        if (c[m].place % TAUT_LANES == 0 && c[last].place == c[m].place + TAUT_LANES - 1) break;
    }
    return m;
}

static int length_of(const builder *b, const taut_instr *x, part which) {
    if (which != NEWEST) return 1;
    const int length = b->jet->last_stage + x->offset + 1;
    return length > 0 ? length : 0;
}

/* Takes the next group of sorted candidates, and gives its slots places. */
static taut_status add_bunch(builder *b, const candidate *c, int count, part which) {
    bunch new = {.count = count,
                 .place = taut_layout_block(b->layout, length_of(b, c[0].instr, which))};
    int *place = which == NEWEST ? b->jet->place : which == BASE ? b->base : b->opening;
    for (int i = 0; i < count; i++) {
        new.member[i] = c[i].instr;
        place[slot_of(b, c[i].instr)] = new.place + i;
    }
    bunches *to = &b->group[which];
    if (new.place < 0 || taut_grow((void **)&to->item, &to->room, to->count + 1, sizeof new))
        return TAUT_ERR_MEMORY;
    to->item[to->count++] = new;
    return TAUT_OK;
}

/* Sorts candidates, which are in the order of their classes, into groups. */
static taut_status form_bunches(builder *b, candidate *c, int size, part which) {
    for (int first = 0, end; first < size; first = end) {
        for (end = first; end < size && compare_class(&c[first], &c[end]) == 0; end++)
            set_keys(b, &c[end], which);
        qsort(c + first, (size_t)(end - first), sizeof *c, by_shape);
        for (int i = first, count; i < end; i += count) {
            count = cut(c + i, end - i);
            TAUT_TRY(add_bunch(b, c + i, count, which));
        }
    }
    return TAUT_OK;
}

/* Levels within an offset: arguments of a larger one come first anyway. */
static int level_of(const builder *b, const taut_instr *x, part which) {
    const int count = list_part(b, x, which, b->term);
    int level = 0;
    for (int i = 0; i < count; i++) {
        const int slot = b->term[i].slot;
        if (b->tape->instr[slot].offset != x->offset || is_leaf(&b->tape->instr[slot])) continue;
        if (b->level[slot] >= level) level = b->level[slot] + 1;
    }
    return level;
}

static taut_status form_rows(builder *b) {
    const int size = b->tape->size;
    candidate *c = TAUT_NEW_ARRAY(&b->scratch, size, candidate);
    if (!c) return TAUT_ERR_MEMORY;
    for (int i = 0; i < size; i++) {
        const taut_instr *x = &b->tape->instr[i];
        b->level[i] = is_leaf(x) ? -1 : level_of(b, x, NEWEST);
        c[i] = (candidate){.instr = x,
                           .first = x->kept,
                           .level = b->level[i],
                           .rank = is_leaf(x) ? x->kernel : sort_of(x)};
    }
    if (size > 0) qsort(c, (size_t)size, sizeof *c, by_class);
    return form_bunches(b, c, size, NEWEST);
}

/* ---- rows ---- */

/* Lists the terms of the members one behind the other, TAUT_LANES times `longest`. */
static void list_members(const builder *b, const bunch *from, part which, int *count) {
    for (int i = 0; i < from->count; i++)
        count[i] = list_part(b, from->member[i], which, b->term + i * b->longest);
}

/* How many terms of one pace and so many derivatives, one a lane, the listed members need. */
static int count_columns(const builder *b, const bunch *from, const int *count, int pace, int p) {
    int most = 0;
    for (int i = 0; i < from->count; i++) {
        int n = 0;
        for (int k = 0; k < count[i]; k++) {
            const row_term *t = &b->term[i * b->longest + k];
            n += t->pace == pace && t->p == p;
        }
        if (n > most) most = n;
    }
    return most;
}

static void start_column(const builder *b, int offset, int pace, int p, taut_lane_term *term,
                         taut_lane_factor *factor) {
    *term = (taut_lane_term){.pace = pace, .p = p, .steady = true};
    *factor = (taut_lane_factor){0};
    for (int i = 0; i < TAUT_LANES; i++) {
        term->source[i] = b->layout->zero + pace * offset;
        factor->partial[i] = b->layout->one;
    }
}

/* The factor of a term depends on parameters. Both places are kept up to date: which of them counts
 * may be decided by another lane. */
static taut_status note_term(const builder *b, const row_term *t, part which,
                             const taut_program *to, const double *coef, const double *scale) {
    static const taut_number_array array[PARTS] = {
        [NEWEST] = TAUT_IN_ALL, [BASE] = TAUT_IN_BASES, [OPENING] = TAUT_IN_OPENING};
    static const int factors = TAUT_IN_ALL_FACTOR - TAUT_IN_ALL;
    const taut_number_array at = array[which];
    TAUT_TRY(taut_layout_note(b->layout, t->origin, at, bytes_between(to->term, coef), t->twice,
                              b->arena));
    return taut_layout_note(b->layout, t->origin, (taut_number_array)((int)at + factors),
                            bytes_between(to->factor, scale), t->twice, b->arena);
}

/* Puts the terms of one pace and so many derivatives of member i into its lane. */
static taut_status fill_lane(const builder *b, int i, int count, part which, taut_program *to) {
    taut_lane_term *term = to->term + to->terms;
    taut_lane_factor *factor = to->factor + to->terms;
    const int pace = term->pace, p = term->p;
    for (int k = 0, n = 0; k < count; k++) {
        const row_term *t = &b->term[i * b->longest + k];
        if (t->pace != pace || t->p != p) continue;
        term[n].source[i] = t->source;
        term[n].coef[i] = factor[n].scale[i] = t->scale;
        if (t->partial >= 0) {
            factor[n].partial[i] = b->jet->place[t->partial];
            term[n].steady = false;
        }
        if (t->origin) TAUT_TRY(note_term(b, t, which, to, &term[n].coef[i], &factor[n].scale[i]));
        n++;
    }
    return TAUT_OK;
}

/* Appends the terms of a group to those of a program. */
static taut_status add_columns(builder *b, const bunch *from, part which, taut_program *to) {
    const int offset = from->member[0]->offset;
    int count[TAUT_LANES] = {0};
    list_members(b, from, which, count);
    for (int pace = 0; pace <= TAUT_LANES; pace += TAUT_LANES)
        for (int p = 0; p <= b->jet->most_derivatives; p++) {
            const int columns = count_columns(b, from, count, pace, p);
            taut_lane_term *term = to->term + to->terms;
            taut_lane_factor *factor = to->factor + to->terms;
            for (int n = 0; n < columns; n++)
                start_column(b, offset, pace, p, &term[n], &factor[n]);
            for (int i = 0; i < from->count && columns > 0; i++)
                TAUT_TRY(fill_lane(b, i, count[i], which, to));
            for (int n = 0; n < columns; n++)
                term[n].whole = taut_layout_is_whole(term[n].source, from->count);
            to->terms += columns;
        }
    return TAUT_OK;
}

static taut_status add_divisors(builder *b, const bunch *from, taut_rows *g) {
    taut_divisors *new = g->divisors = TAUT_NEW(b->arena, taut_divisors);
    if (!new) return TAUT_ERR_MEMORY;
    for (int i = 0; i < TAUT_LANES; i++) {
        new->place[i] = b->layout->one;
        new->scale[i] = 1.0;
        if (i >= from->count) continue;
        const taut_instr *x = from->member[i];
        const bool quotient = x->kernel == TAUT_KERNEL_DIVIDE;
        new->place[i] = b->jet->place[quotient ? x->b : slot_of(b, x)];
        new->scale[i] = quotient ? 1.0 : 2.0;
    }
    return TAUT_OK;
}

/* Where the rows of a group start from. */
static void set_bases(const builder *b, const bunch *from, taut_rows *g) {
    for (int i = 0; i < TAUT_LANES; i++) {
        const int base = i < from->count ? b->base[slot_of(b, from->member[i])] : ZERO;
        g->base[i] = base == ZERO ? b->layout->zero : base;
        g->based = g->based || base != ZERO;
    }
    g->whole = taut_layout_is_whole(g->base, from->count);
}

/* Appends a group. */
static taut_status add_rows(builder *b, const bunch *from, part which, taut_program *to) {
    const taut_instr *first = from->member[0];
    taut_rows *g = &to->rows[to->groups++];
    *g = (taut_rows){.column = to->terms,
                     .result = from->place,
                     .offset = first->offset,
                     .count = (uint8_t)from->count};
    for (int i = 0; i < from->count; i++) g->active = g->active || from->member[i]->active;
    TAUT_TRY(add_columns(b, from, which, to));
    g->columns = to->terms - g->column;
    if (which == BASE) return TAUT_OK;
    set_bases(b, from, g);
    if (which == NEWEST) {
        g->pace = TAUT_LANES;
        g->result += first->offset * TAUT_LANES;
    }
    return is_divided(first) ? add_divisors(b, from, g) : TAUT_OK;
}

/* The program of the groups that have been formed. */
static taut_status make_program(builder *b, part which, taut_program *p) {
    const bunches *from = &b->group[which];
    int terms = 0;
    for (size_t i = 0; i < from->count; i++) {
        int count[TAUT_LANES] = {0};
        list_members(b, &from->item[i], which, count);
        for (int k = 0; k <= b->jet->most_derivatives; k++)
            terms += count_columns(b, &from->item[i], count, 0, k) +
                     count_columns(b, &from->item[i], count, TAUT_LANES, k);
    }
    p->rows = TAUT_NEW_ARRAY(b->arena, from->count, taut_rows);
    p->term = TAUT_NEW_ARRAY(b->arena, terms, taut_lane_term);
    p->factor = TAUT_NEW_ARRAY(b->arena, terms, taut_lane_factor);
    if (!p->rows || !p->term || !p->factor) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < from->count; i++)
        if (!is_leaf(from->item[i].member[0])) TAUT_TRY(add_rows(b, &from->item[i], which, p));
    return TAUT_OK;
}

/* Where a row starts from: nothing, one convolution, or a sum, which has no place yet. */
static int find_base(const builder *b, const taut_instr *x) {
    const int count = is_leaf(x) ? 0 : list_part(b, x, BASE, b->term);
    if (count == 0) return ZERO;
    const row_term *first = &b->term[0];
    return count == 1 && first->slot < 0 && first->p == 0 ? first->source : UNKNOWN;
}

static taut_status make_bases(builder *b) {
    int size = 0;
    candidate *c = TAUT_NEW_ARRAY(&b->scratch, b->tape->size, candidate);
    if (!c) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < b->group[NEWEST].count; i++) { /* in the order of classes */
        const bunch *rows = &b->group[NEWEST].item[i];
        for (int k = 0; k < rows->count; k++) {
            const taut_instr *x = rows->member[k];
            int *base = &b->base[slot_of(b, x)];
            *base = find_base(b, x);
            if (*base == UNKNOWN) c[size++] = (candidate){.instr = x, .first = x->kept};
        }
    }
    TAUT_TRY(form_bunches(b, c, size, BASE));
    return make_program(b, BASE, &b->layout->bases);
}

/* ---- order 0 ---- */

/* A term at order 0. */
typedef struct value_term {
    double coef;
    int a, b; /* places */
    int origin;
} value_term;

/* The terms of a sum at order 0 with p derivatives, products or not. Leibniz's rule, in Taylor
 * coefficients: all pairs of orders whose sum is p. */
static int list_values(const builder *b, const taut_instr *x, bool product, int p, value_term *to) {
    int n = 0;
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *t = &b->tape->term[k];
        if ((t->other >= 0) != product || t->p != p) continue;
        for (int l = product ? 0 : p; l <= p; l++) {
            const int other = product ? b->jet->place[t->other] + (p - l) * TAUT_LANES : 0;
            if (to)
                to[n] = (value_term){t->coef, b->jet->place[t->slot] + l * TAUT_LANES, other,
                                     t->origin};
            n++;
        }
    }
    return n;
}

/* Appends columns of terms with p derivatives, products or not, to those at `to`. Returns how many
 * there are; -1: no memory. */
static int add_values(const builder *b, const bunch *from, bool product, int p, value_term *work,
                      taut_value_term *to) {
    int columns = 0;
    for (int i = 0; i < from->count; i++) {
        const int count = list_values(b, from->member[i], product, p, NULL);
        if (count > columns) columns = count;
    }
    if (!to) return columns;
    for (int n = 0; n < columns; n++) {
        to[n] = (taut_value_term){.p = p, .product = product};
        for (int i = 0; i < TAUT_LANES; i++) to[n].a[i] = to[n].b[i] = b->layout->zero;
    }
    for (int i = 0; i < from->count; i++) {
        const int count = list_values(b, from->member[i], product, p, work);
        for (int n = 0; n < count; n++) {
            to[n].coef[i] = work[n].coef;
            to[n].a[i] = work[n].a;
            to[n].b[i] = work[n].b;
            if (taut_layout_note(b->layout, work[n].origin, TAUT_IN_VALUE,
                                 bytes_between(b->layout->value, &to[n].coef[i]), false, b->arena))
                return -1;
        }
    }
    for (int n = 0; n < columns; n++) to[n].whole = taut_layout_is_whole(to[n].a, from->count);
    return columns;
}

/* The value terms of a group of sums. Returns how many there are; to may be NULL. -1: no memory. */
static int add_all_values(const builder *b, const bunch *from, value_term *work,
                          taut_value_term *to) {
    int count = 0;
    for (int p = 0; p <= b->jet->most_derivatives; p++)
        for (int product = 0; product < 2; product++) {
            const int added = add_values(b, from, product, p, work, to ? to + count : NULL);
            if (added < 0) return -1;
            count += added;
        }
    return count;
}

static taut_status fill_start(const builder *b, const bunch *from, taut_layout_start *start) {
    for (int i = 0; i < TAUT_LANES; i++) {
        start->argument[0][i] = start->argument[1][i] = b->layout->zero;
        if (i >= from->count) continue;
        const taut_instr *x = from->member[i];
        start->op[i] = x->op;
        if (x->a >= 0) start->argument[0][i] = b->jet->place[x->a];
        if (x->a >= 0) start->argument[1][i] = b->jet->place[x->b >= 0 ? x->b : x->a];
        if (!start->sum) continue;
        start->constant[i] = b->tape->constant[slot_of(b, x)];
        TAUT_TRY(taut_layout_note(b->layout, b->tape->origin[slot_of(b, x)], TAUT_IN_START,
                                  bytes_between(b->layout->start, &start->constant[i]), false,
                                  b->arena));
    }
    return TAUT_OK;
}

static taut_status make_starts(builder *b) {
    taut_layout *l = b->layout;
    const bunches *from = &b->group[NEWEST];
    int values = 0, groups = 0;
    for (size_t i = 0; i < from->count; i++)
        if (from->item[i].member[0]->kernel == TAUT_KERNEL_SUM)
            values += add_all_values(b, &from->item[i], NULL, NULL);
    value_term *work =
        TAUT_NEW_ARRAY(&b->scratch, b->longest * (b->jet->most_derivatives + 1), value_term);
    l->start = TAUT_NEW_ARRAY(b->arena, from->count, taut_layout_start);
    l->value = TAUT_NEW_ARRAY(b->arena, values, taut_value_term);
    if (!work || !l->start || !l->value) return TAUT_ERR_MEMORY;
    values = 0;
    for (size_t i = 0; i < from->count; i++) {
        const taut_instr *x = from->item[i].member[0];
        if (is_leaf(x)) continue;
        taut_layout_start *start = &l->start[groups++];
        start->sum = x->kernel == TAUT_KERNEL_SUM;
        start->column = values;
        if (start->sum) start->columns = add_all_values(b, &from->item[i], work, l->value + values);
        if (start->columns < 0) return TAUT_ERR_MEMORY;
        values += start->columns;
        TAUT_TRY(fill_start(b, &from->item[i], start));
        l->kept += x->kept;
        if (-x->offset > l->last_start) l->last_start = -x->offset;
    }
    l->values = values;
    return TAUT_OK;
}

/* ---- rows before a stage is solved ---- */

/* Where the newest order of a slot is then: nowhere, because it is 0; in the base; in a row. */
static int find_opening(builder *b, const taut_instr *x) {
    taut_layout *l = b->layout;
    const int slot = slot_of(b, x);
    if (x->kernel == TAUT_KERNEL_TIME) { /* there is only one */
        l->timed = true;
        l->time = taut_layout_block(l, 1);
        l->time_now = moving_place(b, x, slot, 0);
        l->time_offset = x->offset;
        return l->time;
    }
    if (is_leaf(x)) return ZERO;
    if (is_divided(x) || list_part(b, x, OPENING, b->term) > 0) return UNKNOWN;
    return b->base[slot];
}

static taut_status make_openings(builder *b) {
    int size = 0;
    candidate *c = TAUT_NEW_ARRAY(&b->scratch, b->tape->size, candidate);
    if (!c) return TAUT_ERR_MEMORY;
    for (int i = 0; i < b->tape->size; i++) {
        const taut_instr *x = &b->tape->instr[i];
        b->opening[i] = find_opening(b, x);
        b->level[i] = -1;
        if (b->opening[i] != UNKNOWN || !x->urgent || x->offset < 0) continue;
        b->level[i] = level_of(b, x, OPENING);
        c[size++] = (candidate){.instr = x, .level = b->level[i], .rank = sort_of(x)};
    }
    if (size > 0) qsort(c, (size_t)size, sizeof *c, by_class);
    TAUT_TRY(form_bunches(b, c, size, OPENING));
    for (int i = 0; i < b->tape->size; i++)
        b->jet->opened[i] = b->opening[i] < 0 ? b->layout->zero : b->opening[i];
    return make_program(b, OPENING, &b->layout->opening);
}

/* ---- all of it ---- */

static taut_status allocate(builder *b) {
    const taut_tape *t = b->tape;
    for (int i = 0; i < t->size; i++)
        if (t->instr[i].count > b->longest) b->longest = t->instr[i].count;
    b->longest = 2 * b->longest + 3; /* a product has two terms */
    b->jet->place = TAUT_NEW_ARRAY(b->arena, t->size, int);
    b->jet->opened = TAUT_NEW_ARRAY(b->arena, t->size, int);
    b->jet->layout = b->layout = TAUT_NEW(b->arena, taut_layout);
    b->level = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->base = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->opening = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->term = TAUT_NEW_ARRAY(&b->scratch, TAUT_LANES * b->longest, row_term);
    if (!b->jet->place || !b->jet->opened || !b->layout || !b->level || !b->base || !b->opening ||
        !b->term)
        return TAUT_ERR_MEMORY;
    b->layout->zero =
        taut_layout_block(b->layout, b->jet->shift_orders + b->jet->most_derivatives + 1);
    b->layout->one = taut_layout_block(b->layout, 1);
    return b->layout->zero < 0 || b->layout->one < 0 ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status build(builder *b) {
    TAUT_TRY(allocate(b));
    TAUT_TRY(form_rows(b));
    TAUT_TRY(make_convolutions(b));
    TAUT_TRY(make_bases(b));
    TAUT_TRY(make_program(b, NEWEST, &b->layout->all));
    TAUT_TRY(make_starts(b));
    TAUT_TRY(make_openings(b));
    if (b->layout->coefs >= INT_MAX) return TAUT_ERR_MEMORY;
    b->jet->coef = TAUT_NEW_ARRAY(b->arena, b->layout->coefs, double);
    if (!b->jet->coef) return TAUT_ERR_MEMORY;
    b->jet->coef[b->layout->one] = 1.0;
    return TAUT_OK;
}

taut_status taut_layout_create(taut_jet *jet, taut_arena *arena) {
    builder b = {.jet = jet, .tape = jet->tape, .arena = arena};
    taut_status status = build(&b);
    for (part which = 0; which < PARTS; which++) taut_release((void **)&b.group[which].item);
    taut_arena_release(&b.scratch);
    return status;
}
