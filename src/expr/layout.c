/* Instructions are sorted into groups of those that do not wait for each other, whose results lie
 * side by side: that gives every slot its places. Then the terms of every group are looked up, and
 * the operands of convolutions, which are grouped on their own: they wait for nothing. Instructions
 * are sorted by the places of what they read, so that most of it lies side by side as well. */
#include "expr/layout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* How far back an equal copy is looked for. */
enum { COPIES_BACK = 64 };

/* Where the newest order of a slot is found before its stage is solved, if not at a place. */
enum { ZERO = -1, UNKNOWN = -2 };

/* A term of a row. */
typedef struct row_term {
    int slot, p;
    double number, scale; /* see taut_lane_term */
    int partial;          /* a slot; -1: the number 1 */
} row_term;

typedef struct candidate {
    const taut_instr *instr;
    bool first; /* it comes before those that do not */
    int level;  /* of one offset, lower ones come before; offsets descend */
    int rank;   /* sorts that do not mix */
    int shape;  /* how many terms it has, derivatives first */
    int place;  /* of the first one that is no derivative */
} candidate;

/* Those that run side by side; their spots are TAUT_LANES times its number, and so on. */
typedef struct bunch {
    const taut_instr *member[TAUT_LANES];
    int count;
} bunch;

typedef struct builder {
    taut_jet *jet;
    const taut_tape *tape;
    taut_arena *arena;
    taut_arena scratch; /* for what is not needed later */
    taut_layout *layout;
    int zero, one;  /* places of a block of zeros, and of the number 1 */
    int *spot;      /* [size] place of a slot's newest order, less now; of its base, less base */
    int *level;     /* [size] how many instructions of its offset it waits for */
    int *opening;   /* [size] place of the newest order while those of the variables are 0 */
    int now, base;  /* where newest orders and bases begin */
    row_term *term; /* work space for the terms of TAUT_LANES rows */
    int longest;    /* how many a row may have */
    bunch *bunch;   /* [bunches] on the heap */
    size_t bunches, room;
} builder;

/* ---- places ---- */

static int length_of(const taut_jet *j, int offset) {
    const int length = j->last_stage + offset + 1;
    return length > 0 ? length : 0;
}

/* -1: too many numbers */
static int new_block(builder *b, int length) {
    const size_t place = b->layout->coefs;
    b->layout->coefs += (size_t)length * TAUT_LANES;
    return b->layout->coefs < INT_MAX ? (int)place : -1;
}

static int slot_of(const builder *b, const taut_instr *x) { return (int)(x - b->tape->instr); }
static int newest_of(const builder *b, int slot) { return b->now + b->spot[slot]; }

static bool is_leaf(const taut_instr *x) {
    return x->kernel == TAUT_KERNEL_STEADY || x->kernel == TAUT_KERNEL_TIME ||
           x->kernel == TAUT_KERNEL_VARIABLE;
}
static bool is_divided(const taut_instr *x) {
    return x->kernel == TAUT_KERNEL_DIVIDE || x->kernel == TAUT_KERNEL_ROOT;
}
static bool is_product(const taut_instr *x) {
    return x->kernel == TAUT_KERNEL_MULTIPLY || x->kernel == TAUT_KERNEL_SQUARE;
}

/* Do these places lie side by side, as far as lanes are in use? */
static bool is_whole(const int *place, int count) {
    if (place[0] % TAUT_LANES != 0) return false;
    for (int i = 1; i < count; i++)
        if (place[i] != place[0] + i) return false;
    return true;
}

/* ---- terms ---- */

/* Does x read the newest order of a slot? Otherwise that order was found at an earlier stage. */
static bool reads_newest(const builder *b, const taut_instr *x, int slot, int p) {
    return b->tape->instr[slot].offset - p == x->offset;
}

/* The terms of a row, except an operand of a product that is known before: the convolution has it.
 */
static int list_terms(const builder *b, const taut_instr *x, row_term *term) {
    int n = 0;
    const bool linear = x->kernel == TAUT_KERNEL_LINEAR;
    switch (x->kernel) {
    case TAUT_KERNEL_MULTIPLY:
        if (reads_newest(b, x, x->a, 0)) term[n++] = (row_term){x->a, 0, 0.0, 1.0, x->b};
        if (reads_newest(b, x, x->b, 0)) term[n++] = (row_term){x->b, 0, 0.0, 1.0, x->a};
        return n;
    case TAUT_KERNEL_SQUARE: term[n++] = (row_term){x->a, 0, 0.0, 2.0, x->a}; return n;
    case TAUT_KERNEL_DIVIDE:
        term[n++] = (row_term){x->a, 0, 0.0, 1.0, -1};
        term[n++] = (row_term){x->b, 0, 0.0, -1.0, slot_of(b, x)};
        return n;
    case TAUT_KERNEL_ROOT: term[n++] = (row_term){x->a, 0, 0.0, 1.0, -1}; return n;
    default:
        for (int i = 0; i < x->count; i++) {
            const taut_tape_term *t = &b->tape->term[x->first + i];
            term[n++] = linear ? (row_term){t->slot, t->p, t->coef, t->coef, -1}
                               : (row_term){t->slot, 0, 0.0, 1.0, t->weight};
        }
        return n;
    }
}

typedef enum part { NEWEST, OLD, OPENING } part;

/* The terms of one part: those that read newest orders, the others, or those of the first that are
 * not 0 before the stage is solved. */
static int list_part(const builder *b, const taut_instr *x, part which, row_term *term) {
    const int all = list_terms(b, x, term);
    int n = 0;
    for (int i = 0; i < all; i++) {
        const bool newest = reads_newest(b, x, term[i].slot, term[i].p);
        if (which == OPENING && b->opening[term[i].slot] == ZERO) continue;
        if (newest == (which != OLD)) term[n++] = term[i];
    }
    return n;
}

static int source_of(const builder *b, int slot, part which) {
    if (which == NEWEST) return newest_of(b, slot);
    return which == OLD ? b->jet->place[slot] : b->opening[slot];
}

/* ---- groups ---- */

/* Sums and products, functions, and what is divided do not mix: order 0 differs, or the end. */
static int sort_of(const taut_instr *x) {
    if (is_divided(x)) return 2;
    return x->kernel == TAUT_KERNEL_LINEAR || is_product(x) ? 0 : 1;
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
    if (x->instr->kernel != y->instr->kernel) return x->instr->kernel - y->instr->kernel;
    if (x->place != y->place) return x->place - y->place;
    return x->instr < y->instr ? -1 : x->instr > y->instr;
}

/* What an instruction is sorted by among its equals: the place of something that it reads, which
 * has one already. Of a product that is an operand known before, for its convolution; it has no
 * term. */
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
    if (which == NEWEST && x->kernel == TAUT_KERNEL_MULTIPLY && count == 1)
        c->place = b->spot[b->term[0].partial];
    else if (first >= 0)
        c->place =
            which == OPENING ? b->opening[b->term[first].slot] : b->spot[b->term[first].slot];
}

static bool is_equal(const candidate *x, const candidate *y) {
    return x->shape == y->shape && x->instr->kernel == y->instr->kernel;
}

/* How many of the sorted c[0 .. count-1] form a group: up to TAUT_LANES, fewer if the next ones
 * fill one whose sources lie side by side, or one of another kind. */
static int cut(const candidate *c, int count) {
    int m = 1;
    for (; m < TAUT_LANES && m < count; m++) {
        const int last = m + TAUT_LANES - 1;
        if (last >= count || !is_equal(&c[m], &c[last])) continue;
        if (!is_equal(&c[m - 1], &c[m])) break;
        if (c[m].place % TAUT_LANES == 0 && c[last].place == c[m].place + TAUT_LANES - 1) break;
    }
    return m;
}

/* Takes the next group of sorted candidates: sets the spots, or the places while a stage is open.
 */
static taut_status add_bunch(builder *b, const candidate *c, int count, part which) {
    bunch new = {.count = count};
    for (int i = 0; i < count; i++) {
        const int slot = slot_of(b, c[i].instr), spot = (int)b->bunches * TAUT_LANES + i;
        new.member[i] = c[i].instr;
        if (which == OPENING)
            b->opening[slot] = b->now + spot;
        else
            b->spot[slot] = spot;
    }
    if (b->bunches > INT_MAX / (2 * TAUT_LANES) ||
        taut_grow((void **)&b->bunch, &b->room, b->bunches + 1, sizeof new))
        return TAUT_ERR_MEMORY;
    b->bunch[b->bunches++] = new;
    return TAUT_OK;
}

/* Sorts candidates into groups, in the order in which they run. */
static taut_status form_bunches(builder *b, candidate *c, int size, part which) {
    if (size > 0) qsort(c, (size_t)size, sizeof *c, by_class);
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
    return form_bunches(b, c, size, NEWEST);
}

/* ---- rows ---- */

/* Lists the terms of the members one behind the other, TAUT_LANES times `longest`. */
static void list_members(const builder *b, const bunch *from, part which, int *count) {
    for (int i = 0; i < from->count; i++)
        count[i] = list_part(b, from->member[i], which, b->term + i * b->longest);
}

/* How many terms with p derivatives, one a lane, the listed members need. */
static int count_columns(const builder *b, const bunch *from, const int *count, int p) {
    int most = 0;
    for (int i = 0; i < from->count; i++) {
        int n = 0;
        for (int k = 0; k < count[i]; k++) n += b->term[i * b->longest + k].p == p;
        if (n > most) most = n;
    }
    return most;
}

static void start_column(const builder *b, int p, taut_lane_term *term, taut_lane_factor *factor) {
    *term = (taut_lane_term){.p = p, .steady = true};
    *factor = (taut_lane_factor){0};
    for (int i = 0; i < TAUT_LANES; i++) {
        term->source[i] = b->zero;
        factor->partial[i] = b->one;
    }
}

/* Puts the terms with p derivatives of member i into its lane. */
static void fill_lane(const builder *b, const taut_instr *x, part which, int p, int i, int count,
                      taut_lane_term *term, taut_lane_factor *factor) {
    for (int k = 0, n = 0; k < count; k++) {
        const row_term *t = &b->term[i * b->longest + k];
        if (t->p != p) continue;
        term[n].source[i] = source_of(b, t->slot, which);
        term[n].coef[i] = factor[n].number[i] = t->number;
        factor[n].scale[i] = t->scale;
        if (t->partial >= 0) factor[n].partial[i] = b->jet->place[t->partial];
        if (x->kernel != TAUT_KERNEL_LINEAR) term[n].steady = false;
        n++;
    }
}

/* Appends the terms of a group to those of a program. Returns how many there are. */
static int add_columns(builder *b, const bunch *from, part which, taut_program *to) {
    const int before = to->terms;
    int count[TAUT_LANES] = {0};
    list_members(b, from, which, count);
    for (int p = 0; p <= b->jet->most_derivatives; p++) {
        const int columns = count_columns(b, from, count, p);
        taut_lane_term *term = to->term + to->terms;
        taut_lane_factor *factor = to->factor + to->terms;
        for (int n = 0; n < columns; n++) start_column(b, p, &term[n], &factor[n]);
        for (int i = 0; i < from->count; i++)
            fill_lane(b, from->member[i], which, p, i, count[i], term, factor);
        for (int n = 0; n < columns; n++) term[n].whole = is_whole(term[n].source, from->count);
        to->terms += columns;
    }
    return to->terms - before;
}

static taut_status add_divisors(builder *b, const bunch *from, taut_row_details *d) {
    taut_divisors *new = d->divisors = TAUT_NEW(b->arena, taut_divisors);
    if (!new) return TAUT_ERR_MEMORY;
    for (int i = 0; i < TAUT_LANES; i++) {
        new->place[i] = b->one;
        new->scale[i] = 1.0;
        if (i >= from->count) continue;
        const taut_instr *x = from->member[i];
        const bool quotient = x->kernel == TAUT_KERNEL_DIVIDE;
        new->place[i] = b->jet->place[quotient ? x->b : slot_of(b, x)];
        new->scale[i] = quotient ? 1.0 : 2.0;
    }
    return TAUT_OK;
}

/* Where an argument is at order 0. */
static int argument_place(const builder *b, const taut_instr *x, int slot) {
    return reads_newest(b, x, slot, 0) ? newest_of(b, slot) : b->jet->place[slot];
}

static void fill_details(const builder *b, const bunch *from, taut_row_details *d) {
    *d = (taut_row_details){0};
    for (int i = 0; i < TAUT_LANES; i++) {
        d->argument[0][i] = d->argument[1][i] = b->zero;
        if (i >= from->count) continue;
        const taut_instr *x = from->member[i];
        d->op[i] = x->op;
        if (x->kernel == TAUT_KERNEL_LINEAR) d->constant[i] = b->tape->constant[slot_of(b, x)];
        if (x->a >= 0) d->argument[0][i] = argument_place(b, x, x->a);
        if (x->a >= 0) d->argument[1][i] = argument_place(b, x, x->b >= 0 ? x->b : x->a);
    }
    for (int k = 0; k < 2; k++) d->whole[k] = is_whole(d->argument[k], from->count);
}

/* Appends a group, whose newest orders go to `result`. */
static taut_status add_rows(builder *b, const bunch *from, int result, part which,
                            taut_program *to) {
    const taut_instr *first = from->member[0];
    taut_row_details *d = &to->details[to->groups];
    taut_rows *g = &to->rows[to->groups];
    *g = (taut_rows){.column = to->terms,
                     .result = result,
                     .series = b->jet->place[slot_of(b, first)],
                     .offset = first->offset,
                     .count = (uint8_t)from->count,
                     .plain = sort_of(first) == 0,
                     .divided = is_divided(first)};
    for (int i = 0; i < TAUT_LANES; i++) {
        g->base[i] = b->zero;
        if (i >= from->count) continue;
        const taut_instr *x = from->member[i];
        g->base[i] = b->base + b->spot[slot_of(b, x)];
        g->active = g->active || x->active;
        g->products = g->products || is_product(x);
    }
    g->whole = is_whole(g->base, from->count);
    fill_details(b, from, d);
    g->columns = add_columns(b, from, which, to);
    d->old = to->terms;
    if (which == NEWEST) d->olds = add_columns(b, from, OLD, to);
    g->olds = d->olds > 0;
    if (g->olds) to->with_old[to->with_olds++] = to->groups;
    to->groups++;
    return g->divided ? add_divisors(b, from, d) : TAUT_OK;
}

/* Room for the groups that have been formed. */
static taut_status allocate_program(builder *b, part which, taut_program *p) {
    int terms = 0;
    for (size_t i = 0; i < b->bunches; i++)
        for (part now = which;; now = OLD) {
            int count[TAUT_LANES] = {0};
            list_members(b, &b->bunch[i], now, count);
            for (int k = 0; k <= b->jet->most_derivatives; k++)
                terms += count_columns(b, &b->bunch[i], count, k);
            if (now != NEWEST) break;
        }
    p->rows = TAUT_NEW_ARRAY(b->arena, b->bunches, taut_rows);
    p->details = TAUT_NEW_ARRAY(b->arena, b->bunches, taut_row_details);
    p->with_old = TAUT_NEW_ARRAY(b->arena, b->bunches, int);
    p->term = TAUT_NEW_ARRAY(b->arena, terms, taut_lane_term);
    p->factor = TAUT_NEW_ARRAY(b->arena, terms, taut_lane_factor);
    return p->rows && p->details && p->with_old && p->term && p->factor ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Places for the newest orders, the bases and the series of all slots. */
static taut_status place_slots(builder *b) {
    b->now = new_block(b, (int)b->bunches);
    b->base = new_block(b, (int)b->bunches);
    for (size_t i = 0; i < b->bunches; i++) {
        const int series = new_block(b, length_of(b->jet, b->bunch[i].member[0]->offset));
        if (b->now < 0 || b->base < 0 || series < 0) return TAUT_ERR_MEMORY;
        for (int lane = 0; lane < b->bunch[i].count; lane++)
            b->jet->place[slot_of(b, b->bunch[i].member[lane])] = series + lane;
    }
    return TAUT_OK;
}

static taut_status make_rows(builder *b) {
    taut_layout *l = b->layout;
    l->leaves = TAUT_NEW_ARRAY(b->arena, b->bunches, taut_leaves);
    if (!l->leaves) return TAUT_ERR_MEMORY;
    TAUT_TRY(allocate_program(b, NEWEST, &l->all));
    for (size_t i = 0; i < b->bunches; i++) {
        const taut_instr *x = b->bunch[i].member[0];
        const int result = b->now + (int)i * TAUT_LANES;
        if (is_leaf(x)) {
            l->leaves[l->leaf_groups++] = (taut_leaves){
                result, b->jet->place[slot_of(b, x)], x->offset, x->kernel == TAUT_KERNEL_VARIABLE};
        } else {
            l->kept += x->kept;
            if (-x->offset > l->last_start) l->last_start = -x->offset;
            TAUT_TRY(add_rows(b, &b->bunch[i], result, NEWEST, &l->all));
        }
    }
    return TAUT_OK;
}

/* ---- rows before a stage is solved ---- */

/* Where the newest order of a slot is then: nowhere, because it is 0; in the base; in a row. */
static int find_opening(const builder *b, const taut_instr *x) {
    const int slot = slot_of(b, x);
    if (is_leaf(x)) return x->kernel == TAUT_KERNEL_TIME ? newest_of(b, slot) : ZERO;
    if (is_divided(x) || list_part(b, x, OPENING, b->term) > 0) return UNKNOWN;
    const bool based = x->kernel != TAUT_KERNEL_LINEAR || list_part(b, x, OLD, b->term) > 0;
    return based ? b->base + b->spot[slot] : ZERO;
}

static taut_status make_residuals(builder *b) {
    taut_layout *l = b->layout;
    l->residual = TAUT_NEW_ARRAY(b->arena, b->tape->size, taut_residual);
    if (!l->residual) return TAUT_ERR_MEMORY;
    for (int i = 0; i < b->tape->size; i++) {
        const taut_instr *x = &b->tape->instr[i];
        if (!x->residual || x->offset < 0 || is_leaf(x)) continue;
        const int source = b->opening[i] == ZERO ? b->zero : b->opening[i];
        l->residual[l->residuals++] = (taut_residual){source, b->jet->place[i], x->offset};
    }
    return TAUT_OK;
}

static taut_status make_openings(builder *b) {
    taut_layout *l = b->layout;
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
    b->bunches = 0;
    b->now = (int)l->coefs;
    TAUT_TRY(form_bunches(b, c, size, OPENING));
    if (new_block(b, (int)b->bunches) < 0) return TAUT_ERR_MEMORY;
    TAUT_TRY(allocate_program(b, OPENING, &l->opening));
    for (size_t i = 0; i < b->bunches; i++)
        TAUT_TRY(add_rows(b, &b->bunch[i], b->now + (int)i * TAUT_LANES, OPENING, &l->opening));
    return make_residuals(b);
}

/* ---- convolutions ---- */

/* A convolution of an instruction: slots of its operands. */
typedef struct sum_job {
    taut_sum_kind kind;
    int slot, a, b;
    bool minus, add;
} sum_job;

static int list_jobs(const builder *b, const taut_instr *x, sum_job *job) {
    const int slot = slot_of(b, x);
    const bool old_a = x->a >= 0 && !reads_newest(b, x, x->a, 0);
    const bool add = list_part(b, x, OLD, b->term) > 0;
    switch (x->kernel) {
    case TAUT_KERNEL_MULTIPLY:
        job[0] = old_a ? (sum_job){TAUT_SUM_TO_END, slot, x->a, x->b, false, false}
                       : (sum_job){TAUT_SUM_INNER, slot, x->a, x->b, false, false};
        if (!old_a && !reads_newest(b, x, x->b, 0))
            job[0] = (sum_job){TAUT_SUM_TO_END, slot, x->b, x->a, false, false};
        return 1;
    case TAUT_KERNEL_SQUARE:
        job[0] = (sum_job){TAUT_SUM_SQUARE, slot, x->a, x->a, false, false};
        return 1;
    case TAUT_KERNEL_DIVIDE:
        job[0] = (sum_job){TAUT_SUM_INNER, slot, x->b, slot, true, add};
        return 1;
    case TAUT_KERNEL_ROOT:
        job[0] = (sum_job){TAUT_SUM_SQUARE, slot, slot, slot, true, add};
        return 1;
    case TAUT_KERNEL_CHAIN:
        for (int i = 0; i < x->count; i++) {
            const taut_tape_term *t = &b->tape->term[x->first + i];
            job[i] = (sum_job){TAUT_SUM_MEAN, slot, t->slot, t->weight, false, add || i > 0};
        }
        return x->count;
    default: return 0;
    }
}

typedef struct sorted_job {
    sum_job job;
    int offset[3]; /* of the result and the operands */
    int spot;
} sorted_job;

static int compare_jobs(const sorted_job *x, const sorted_job *y) {
    if (x->job.add != y->job.add) return x->job.add - y->job.add; /* what adds comes last */
    for (int i = 0; i < 3; i++)
        if (x->offset[i] != y->offset[i]) return y->offset[i] - x->offset[i];
    if (x->job.kind != y->job.kind) return (int)x->job.kind - (int)y->job.kind;
    return x->job.minus - y->job.minus;
}

static int by_spot(const void *a, const void *b) {
    const sorted_job *x = a, *y = b;
    const int order = compare_jobs(x, y);
    if (order != 0) return order;
    return x->spot != y->spot ? x->spot - y->spot : x->job.a - y->job.a;
}

/* The place where these slots, one a lane, lie side by side: theirs, or that of a copy. -1: no
 * memory. */
static int operand_place(builder *b, const int *slot, int count, bool weighted) {
    taut_layout *l = b->layout;
    taut_copy copy = {
        .offset = b->tape->instr[slot[0]].offset, .count = count, .weighted = weighted};
    for (int i = 0; i < TAUT_LANES; i++) {
        copy.source[i] = i < count ? newest_of(b, slot[i]) : b->zero;
        copy.series[i] = i < count ? b->jet->place[slot[i]] : b->zero;
    }
    if (!weighted && is_whole(copy.series, count)) return copy.series[0];
    for (int i = l->copies - 1; i >= 0 && i >= l->copies - COPIES_BACK; i--)
        if (l->copy[i].weighted == weighted &&
            memcmp(l->copy[i].series, copy.series, sizeof copy.series) == 0)
            return l->copy[i].block;
    copy.block = new_block(b, length_of(b->jet, copy.offset));
    l->copy[l->copies++] = copy;
    return copy.block;
}

static taut_status fill_convolution(builder *b, taut_convolution *c, const sorted_job *list,
                                    int count) {
    int a[TAUT_LANES] = {0}, other[TAUT_LANES] = {0};
    *c = (taut_convolution){.kind = list[0].job.kind,
                            .count = count,
                            .offset = list[0].offset[0],
                            .minus = list[0].job.minus,
                            .add = list[0].job.add};
    for (int i = 0; i < count; i++) {
        a[i] = list[i].job.a;
        other[i] = list[i].job.b;
        c->target[i] = b->base + list[i].spot;
    }
    c->whole = count == TAUT_LANES && is_whole(c->target, count);
    c->a = operand_place(b, a, count, c->kind == TAUT_SUM_MEAN);
    c->b = operand_place(b, other, count, false);
    return c->a < 0 || c->b < 0 ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* How many of the sorted jobs form a group: up to TAUT_LANES, fewer if the next ones lie side by
 * side. */
static int cut_jobs(const sorted_job *list, int count) {
    int n = 1;
    for (; n < TAUT_LANES && n < count && compare_jobs(list, list + n) == 0; n++) {
        const int last = n + TAUT_LANES - 1;
        if (list[n].spot % TAUT_LANES == 0 && last < count &&
            compare_jobs(list, list + last) == 0 &&
            list[last].spot == list[n].spot + TAUT_LANES - 1)
            break;
    }
    return n;
}

/* Those that read the same follow each other, while it is in the cache; what adds comes last. */
static int by_operand(const void *a, const void *b) {
    const taut_convolution *x = a, *y = b;
    if (x->add != y->add) return x->add - y->add;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->target[0] - y->target[0];
}

static taut_status make_convolutions(builder *b) {
    const taut_tape *t = b->tape;
    taut_layout *l = b->layout;
    int count = 0, most = t->size;
    for (int i = 0; i < t->size; i++) most += t->instr[i].count;
    sum_job *job = TAUT_NEW_ARRAY(&b->scratch, b->longest, sum_job);
    sorted_job *list = TAUT_NEW_ARRAY(&b->scratch, most, sorted_job);
    if (!job || !list) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++)
        for (int k = list_jobs(b, &t->instr[i], job) - 1; k >= 0; k--)
            list[count++] = (sorted_job){
                job[k],
                {t->instr[i].offset, t->instr[job[k].a].offset, t->instr[job[k].b].offset},
                b->spot[i]};
    if (count > 0) qsort(list, (size_t)count, sizeof *list, by_spot);
    l->convolution = TAUT_NEW_ARRAY(b->arena, count, taut_convolution);
    l->copy = TAUT_NEW_ARRAY(b->arena, 2 * count, taut_copy);
    if (!l->convolution || !l->copy) return TAUT_ERR_MEMORY;
    for (int i = 0, n; i < count; i += n) {
        n = cut_jobs(list + i, count - i);
        TAUT_TRY(fill_convolution(b, &l->convolution[l->convolutions++], list + i, n));
    }
    if (count > 0)
        qsort(l->convolution, (size_t)l->convolutions, sizeof *l->convolution, by_operand);
    return TAUT_OK;
}

/* ---- all of it ---- */

static taut_status build(builder *b) {
    taut_jet *j = b->jet;
    const taut_tape *t = b->tape;
    for (int i = 0; i < t->size; i++)
        if (t->instr[i].count > b->longest) b->longest = t->instr[i].count;
    b->longest += 2;
    j->place = TAUT_NEW_ARRAY(b->arena, t->size, int);
    j->layout = b->layout = TAUT_NEW(b->arena, taut_layout);
    b->spot = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->level = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->opening = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->term = TAUT_NEW_ARRAY(&b->scratch, TAUT_LANES * b->longest, row_term);
    if (!j->place || !b->layout || !b->spot || !b->level || !b->opening || !b->term)
        return TAUT_ERR_MEMORY;
    b->zero = new_block(b, j->shift_orders + j->most_derivatives + 1);
    b->one = new_block(b, 1);
    if (b->zero < 0 || b->one < 0) return TAUT_ERR_MEMORY;
    TAUT_TRY(form_rows(b));
    TAUT_TRY(place_slots(b));
    TAUT_TRY(make_rows(b));
    TAUT_TRY(make_convolutions(b));
    TAUT_TRY(make_openings(b));
    j->coef = TAUT_NEW_ARRAY(b->arena, b->layout->coefs, double);
    if (!j->coef) return TAUT_ERR_MEMORY;
    j->coef[b->one] = 1.0;
    return TAUT_OK;
}

taut_status taut_layout_create(taut_jet *jet, taut_arena *arena) {
    builder b = {.jet = jet, .tape = jet->tape, .arena = arena};
    taut_status status = build(&b);
    taut_release((void **)&b.bunch);
    taut_arena_release(&b.scratch);
    return status;
}
