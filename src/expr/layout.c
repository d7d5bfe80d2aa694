/* Slots get places in three passes: the instructions are sorted into groups of equals, whose
 * results form blocks; then the operands of every group are looked up, and copied together where
 * they are not a block already; then everything is listed level by level. Instructions are sorted
 * by the places of their operands, so that most operands are blocks. */
#include "expr/layout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* How far back an equal copy is looked for. */
enum { COPIES_BACK = 32 };

typedef struct candidate {
    const taut_instr *instr;
    int shape; /* LINEAR: how many terms it has, derivatives first */
    int place; /* of the operand that it is sorted by */
} candidate;

/* Equals that run side by side, and the place of their block. */
typedef struct bunch {
    const taut_instr *member[TAUT_LANES];
    int count, block;
    bool late, active; /* one of them is active and kept; active */
} bunch;

typedef struct builder {
    taut_jet *jet;
    const taut_tape *tape;
    taut_arena *arena;
    taut_layout *layout;
    int zero;     /* place of a block of zeros */
    bunch *bunch; /* [bunches] on the heap */
    size_t bunches, room;
} builder;

/* ---- blocks ---- */

static int length_of(const taut_jet *j, int offset) {
    const int length = j->last_stage + offset + 1;
    return length > 0 ? length : 0;
}

/* -1: too many coefficients */
static int new_block(builder *b, int length) {
    const size_t place = b->layout->coefs;
    b->layout->coefs += (size_t)length * TAUT_LANES;
    return b->layout->coefs < INT_MAX ? (int)place : -1;
}

static int slot_of(const builder *b, const taut_instr *x) { return (int)(x - b->tape->instr); }

/* ---- equals ---- */

static bool is_leaf(const taut_instr *x) {
    return x->kernel == TAUT_KERNEL_STEADY || x->kernel == TAUT_KERNEL_TIME ||
           x->kernel == TAUT_KERNEL_VARIABLE;
}

/* Arguments have a larger offset, or the same and a lower level: they come first. */
static int compare_class(const taut_instr *x, const taut_instr *y) {
    if (x->offset != y->offset) return y->offset - x->offset;
    if (x->level != y->level) return x->level - y->level;
    if (x->kernel != y->kernel) return x->kernel - y->kernel;
    if (x->kernel == TAUT_KERNEL_CHAIN && x->count != y->count) return x->count - y->count;
    if (x->urgent != y->urgent) return x->urgent - y->urgent;
    return (x->active && x->kept) - (y->active && y->kept);
}

static int by_class(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    const int order = compare_class(x->instr, y->instr);
    if (order != 0) return order;
    return x->instr < y->instr ? -1 : x->instr > y->instr; /* the order of the tape */
}

static int by_operand(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->shape != y->shape) return x->shape - y->shape;
    if (x->place != y->place) return x->place - y->place;
    return x->instr < y->instr ? -1 : x->instr > y->instr;
}

/* What an instruction is sorted by among its equals; its arguments have places. */
static void set_keys(const builder *b, candidate *c) {
    const taut_instr *x = c->instr;
    const int *place = b->jet->place;
    c->shape = c->place = 0;
    if (is_leaf(x)) return;
    if (x->kernel != TAUT_KERNEL_LINEAR) { /* a product: by the operand that was computed last */
        const int slot = x->kernel == TAUT_KERNEL_CHAIN ? b->tape->term[x->first].slot : x->a;
        c->place = place[x->b > slot && x->kernel != TAUT_KERNEL_CHAIN ? x->b : slot];
        return;
    }
    const taut_tape_term *term = b->tape->term + x->first;
    int shifted = 0;
    for (int k = 0; k < x->count; k++) shifted += term[k].p > 0;
    c->shape = (shifted << 16) + x->count - shifted;
    if (x->count > 0) c->place = place[term[0].slot];
}

/* How many of the sorted equals c[0 .. count-1] form a group: up to TAUT_LANES, fewer if the
 * operands of the next ones are a whole block. */
static int cut(const candidate *c, int count) {
    int m = 1;
    for (; m < TAUT_LANES && m < count; m++) {
        const int last = m + TAUT_LANES - 1;
        if (c[m].place % TAUT_LANES == 0 && last < count && c[last].shape == c[m].shape &&
            c[last].place == c[m].place + TAUT_LANES - 1)
            break;
    }
    return m;
}

/* Equals side by side: a block for the results. */
static taut_status add_bunch(builder *b, const candidate *c, int count) {
    bunch new = {.count = count, .block = new_block(b, length_of(b->jet, c[0].instr->offset))};
    for (int i = 0; i < count; i++) {
        const taut_instr *x = new.member[i] = c[i].instr;
        b->jet->place[slot_of(b, x)] = new.block + i;
        new.active = new.active || x->active;
        new.late = new.late || (x->active && x->kept);
    }
    if (new.block < 0 || taut_grow((void **)&b->bunch, &b->room, b->bunches + 1, sizeof new))
        return TAUT_ERR_MEMORY;
    if (!is_leaf(c[0].instr)) b->bunch[b->bunches++] = new;
    return TAUT_OK;
}

static taut_status form_bunches(builder *b) {
    const int size = b->tape->size;
    candidate *c = TAUT_NEW_ARRAY(b->arena, size, candidate);
    if (!c) return TAUT_ERR_MEMORY;
    for (int i = 0; i < size; i++) c[i].instr = &b->tape->instr[i];
    if (size > 0) qsort(c, (size_t)size, sizeof *c, by_class);
    for (int first = 0, end; first < size; first = end) {
        for (end = first; end < size && compare_class(c[first].instr, c[end].instr) == 0; end++)
            set_keys(b, &c[end]);
        qsort(c + first, (size_t)(end - first), sizeof *c, by_operand);
        for (int i = first, count; i < end; i += count) {
            count = cut(c + i, end - i);
            TAUT_TRY(add_bunch(b, c + i, count));
        }
    }
    return TAUT_OK;
}

/* ---- operands ---- */

/* Do these places form a block, as far as lanes are in use? */
static bool is_block(const int *place, int count) {
    if (place[0] % TAUT_LANES != 0) return false;
    for (int i = 1; i < count; i++)
        if (place[i] != place[0] + i) return false;
    return true;
}

/* The block that holds these slots, one a lane, for a group: theirs, or a copy. behind: order k - 1
 * is copied when order k of the group is due. -1: no memory. */
static int operand_block(builder *b, const taut_group *g, const int *slot, bool behind) {
    taut_layout *l = b->layout;
    taut_copy copy = {.offset = g->offset - behind, .level = g->level, .urgent = g->urgent};
    for (int i = 0; i < TAUT_LANES; i++) {
        copy.source[i] = i < g->count ? b->jet->place[slot[i]] : b->zero;
        if (i >= g->count || behind) continue;
        const taut_instr *x = &b->tape->instr[slot[i]];
        copy.active = copy.active || (x->active && x->offset == g->offset);
    }
    if (is_block(copy.source, g->count)) return copy.source[0];
    for (int i = l->copies - 1; i >= 0 && i >= l->copies - COPIES_BACK; i--) {
        taut_copy *old = &l->copy[i];
        if (old->offset != copy.offset || old->level > copy.level ||
            memcmp(old->source, copy.source, sizeof copy.source) != 0)
            continue;
        old->urgent = old->urgent || copy.urgent;
        return old->block;
    }
    copy.block = new_block(b, length_of(b->jet, g->offset));
    l->copy[l->copies++] = copy;
    return copy.block;
}

static taut_status find_pairs(builder *b, taut_group *g, const taut_instr *const *member) {
    int slot[TAUT_LANES];
    g->pair = TAUT_NEW_ARRAY(b->arena, 2 * g->pairs, int);
    g->scaled = TAUT_NEW_ARRAY(b->arena, g->pairs, int);
    if (!g->pair || !g->scaled) return TAUT_ERR_MEMORY;
    for (int p = 0; p < g->pairs; p++) {
        for (int i = 0; i < g->count; i++) slot[i] = b->tape->term[member[i]->first + p].slot;
        g->pair[2 * p] = operand_block(b, g, slot, false);
        for (int i = 0; i < g->count; i++) slot[i] = b->tape->term[member[i]->first + p].weight;
        g->pair[2 * p + 1] = operand_block(b, g, slot, true);
        g->scaled[p] = new_block(b, length_of(b->jet, g->offset));
        if (g->pair[2 * p] < 0 || g->pair[2 * p + 1] < 0 || g->scaled[p] < 0)
            return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

static taut_status fill_group(builder *b, taut_group *g, const bunch *from) {
    const bool two = from->member[0]->kernel == TAUT_KERNEL_MULTIPLY ||
                     from->member[0]->kernel == TAUT_KERNEL_DIVIDE;
    int slot[2][TAUT_LANES];
    *g = (taut_group){.kernel = (taut_kernel)from->member[0]->kernel,
                      .count = from->count,
                      .result = from->block,
                      .pairs = from->member[0]->count,
                      .offset = from->member[0]->offset,
                      .level = from->member[0]->level,
                      .late = from->late,
                      .active = from->active,
                      .urgent = from->member[0]->urgent};
    for (int i = 0; i < g->count; i++) {
        const taut_instr *x = from->member[i];
        g->op[i] = x->op;
        slot[0][i] = x->a;
        slot[1][i] = x->b >= 0 ? x->b : x->a;
        for (int k = 0; k < 2; k++) g->argument[k][i] = b->jet->place[slot[k][i]];
    }
    if (g->kernel == TAUT_KERNEL_CHAIN) return find_pairs(b, g, from->member);
    g->operand[0] = operand_block(b, g, slot[0], false);
    g->operand[1] = two ? operand_block(b, g, slot[1], false) : g->operand[0];
    return g->operand[0] < 0 || g->operand[1] < 0 ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* The most terms with p derivatives that a member has. */
static int columns_of(const builder *b, const bunch *from, int p) {
    int most = 0;
    for (int i = 0; i < from->count; i++) {
        const taut_instr *x = from->member[i];
        int count = 0;
        for (int k = 0; k < x->count; k++) count += b->tape->term[x->first + k].p == p;
        if (count > most) most = count;
    }
    return most;
}

/* The next term of each member, if it has one with p derivatives; terms are sorted by p. */
static void fill_column(const builder *b, const bunch *from, int p, int *next,
                        taut_lane_term *column) {
    *column = (taut_lane_term){.p = p};
    for (int i = 0; i < TAUT_LANES; i++) {
        column->source[i] = b->zero;
        if (i >= from->count || next[i] == from->member[i]->count) continue;
        const taut_tape_term *term = &b->tape->term[from->member[i]->first + next[i]];
        if (term->p != p) continue;
        column->source[i] = b->jet->place[term->slot];
        column->coef[i] = term->coef;
        next[i]++;
    }
    column->whole = is_block(column->source, from->count);
}

static taut_status fill_sum(builder *b, taut_sum_group *g, const bunch *from) {
    int next[TAUT_LANES] = {0}, columns = 0;
    *g = (taut_sum_group){.result = from->block,
                          .offset = from->member[0]->offset,
                          .level = from->member[0]->level,
                          .late = from->late,
                          .active = from->active,
                          .urgent = from->member[0]->urgent};
    for (int p = 0; p <= b->jet->most_derivatives; p++) columns += columns_of(b, from, p);
    taut_lane_term *term = TAUT_NEW_ARRAY(b->arena, columns, taut_lane_term);
    if (!term) return TAUT_ERR_MEMORY;
    for (int i = 0; i < from->count; i++)
        g->constant[i] = b->tape->constant[slot_of(b, from->member[i])];
    for (int p = 0; p <= b->jet->most_derivatives; p++)
        for (int k = columns_of(b, from, p); k > 0; k--)
            fill_column(b, from, p, next, &term[g->terms++]);
    g->term = term;
    return TAUT_OK;
}

static taut_status fill_layout(builder *b) {
    taut_layout *l = b->layout;
    size_t sums = 0, operands = 0;
    for (size_t i = 0; i < b->bunches; i++) {
        const taut_instr *x = b->bunch[i].member[0];
        sums += x->kernel == TAUT_KERNEL_LINEAR;
        operands += x->kernel == TAUT_KERNEL_CHAIN ? 2 * (size_t)x->count : 2;
    }
    l->sum = TAUT_NEW_ARRAY(b->arena, sums, taut_sum_group);
    l->group = TAUT_NEW_ARRAY(b->arena, b->bunches - sums, taut_group);
    l->copy = TAUT_NEW_ARRAY(b->arena, operands, taut_copy);
    if (!l->sum || !l->group || !l->copy) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < b->bunches; i++) {
        const bunch *from = &b->bunch[i];
        if (from->member[0]->kernel == TAUT_KERNEL_LINEAR)
            TAUT_TRY(fill_sum(b, &l->sum[l->sums++], from));
        else
            TAUT_TRY(fill_group(b, &l->group[l->groups++], from));
    }
    return TAUT_OK;
}

/* ---- schedules ---- */

static taut_status allocate_schedule(const builder *b, int levels, taut_schedule *s) {
    const taut_layout *l = b->layout;
    s->levels = levels;
    s->level = TAUT_NEW_ARRAY(b->arena, levels + 1, taut_level);
    s->copy = TAUT_NEW_ARRAY(b->arena, l->copies, const taut_copy *);
    s->sum = TAUT_NEW_ARRAY(b->arena, l->sums, const taut_sum_group *);
    s->group = TAUT_NEW_ARRAY(b->arena, l->groups, taut_group *);
    return s->level && s->copy && s->sum && s->group ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* When something has to run. ALL: stages up to 0. From stage 1 on, EARLY: before the stage is
 * solved, what leads to residuals; LATE: afterwards, what has changed by it and is read later, and
 * what could wait. */
typedef enum moment { ALL, EARLY, LATE } moment;

static bool runs(moment when, bool urgent, bool changes) {
    return when == ALL || (when == EARLY ? urgent : changes || !urgent);
}

static bool copy_runs(moment when, const taut_copy *c) { return runs(when, c->urgent, c->active); }
static bool sum_runs(moment when, const taut_sum_group *g) {
    return runs(when, g->urgent, g->late);
}
static bool group_runs(moment when, const taut_group *g) { return runs(when, g->urgent, g->late); }

/* Lists what runs, level by level. */
static taut_status build_schedule(const builder *b, int levels, moment when,
                                  taut_schedule **schedule) {
    const taut_layout *l = b->layout;
    taut_schedule *s = TAUT_NEW(b->arena, taut_schedule);
    if (!s) return TAUT_ERR_MEMORY;
    TAUT_TRY(allocate_schedule(b, levels, s));
    /* how many there are of each level, in the cell of the next one; then, where they begin */
    taut_level *end = s->level;
    for (int i = 0; i < l->copies; i++)
        end[l->copy[i].level + 1].copies_end += copy_runs(when, &l->copy[i]);
    for (int i = 0; i < l->sums; i++)
        end[l->sum[i].level + 1].sums_end += sum_runs(when, &l->sum[i]);
    for (int i = 0; i < l->groups; i++)
        end[l->group[i].level + 1].groups_end += group_runs(when, &l->group[i]);
    for (int i = 0; i < levels; i++) {
        end[i + 1].copies_end += end[i].copies_end;
        end[i + 1].sums_end += end[i].sums_end;
        end[i + 1].groups_end += end[i].groups_end;
    }
    /* each goes where its level begins, which moves that on to where it ends */
    for (int i = 0; i < l->copies; i++)
        if (copy_runs(when, &l->copy[i])) s->copy[end[l->copy[i].level].copies_end++] = &l->copy[i];
    for (int i = 0; i < l->sums; i++)
        if (sum_runs(when, &l->sum[i])) s->sum[end[l->sum[i].level].sums_end++] = &l->sum[i];
    for (int i = 0; i < l->groups; i++)
        if (group_runs(when, &l->group[i]))
            s->group[end[l->group[i].level].groups_end++] = &l->group[i];
    *schedule = s;
    return TAUT_OK;
}

static taut_status build(builder *b) {
    taut_jet *j = b->jet;
    int levels = 1;
    for (int i = 0; i < b->tape->size; i++)
        if (b->tape->instr[i].level >= levels) levels = b->tape->instr[i].level + 1;
    j->place = TAUT_NEW_ARRAY(b->arena, b->tape->size, int);
    j->layout = b->layout = TAUT_NEW(b->arena, taut_layout);
    if (!j->place || !b->layout) return TAUT_ERR_MEMORY;
    b->zero = new_block(b, j->shift_orders + j->most_derivatives + 1);
    if (b->zero < 0) return TAUT_ERR_MEMORY;
    TAUT_TRY(form_bunches(b));
    TAUT_TRY(fill_layout(b));
    j->coef = TAUT_NEW_ARRAY(b->arena, b->layout->coefs, double);
    if (!j->coef) return TAUT_ERR_MEMORY;
    TAUT_TRY(build_schedule(b, levels, ALL, &j->all));
    TAUT_TRY(build_schedule(b, levels, EARLY, &j->early));
    return build_schedule(b, levels, LATE, &j->late);
}

taut_status taut_layout_create(taut_jet *jet, taut_arena *arena) {
    builder b = {.jet = jet, .tape = jet->tape, .arena = arena};
    taut_status status = build(&b);
    taut_release((void **)&b.bunch);
    return status;
}
