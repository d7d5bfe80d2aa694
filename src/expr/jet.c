/* Taylor arithmetic: groups of equal operations, and the loop over them. */
#include "expr/jet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/kernels.h"

/* ---- creation ---- */

static int length_of(const taut_jet *j, int slot) {
    const int length = j->last_stage + j->tape->instr[slot].offset + 1;
    return length > 0 ? length : 0;
}

static taut_status allocate_series(taut_jet *j, taut_arena *arena) {
    size_t total = 0;
    for (int i = 0; i < j->tape->size; i++) total += (size_t)length_of(j, i);
    double *coef = TAUT_NEW_ARRAY(arena, total, double);
    j->series = TAUT_NEW_ARRAY(arena, j->tape->size, double *);
    if (!coef || !j->series) return TAUT_ERR_MEMORY;
    for (int i = 0; i < j->tape->size; i++) {
        j->series[i] = coef;
        coef += length_of(j, i);
    }
    return TAUT_OK;
}

/* Factors of time derivatives in terms of sums. */
static taut_status allocate_shifts(taut_jet *j, taut_arena *arena) {
    int most = 0, longest = 0;
    for (int i = 0; i < j->tape->terms; i++)
        if (j->tape->term[i].p > most) most = j->tape->term[i].p;
    for (int i = 0; i < j->tape->size; i++) {
        const taut_instr *instr = &j->tape->instr[i];
        if (instr->kernel == TAUT_KERNEL_SHIFT && instr->p > most) most = instr->p;
        if (length_of(j, i) > longest) longest = length_of(j, i);
    }
    j->shift_orders = longest;
    j->most_derivatives = most;
    j->shift = TAUT_NEW_ARRAY(arena, (most + 1) * longest, double);
    if (!j->shift) return TAUT_ERR_MEMORY;
    for (int k = 0; k < longest; k++) j->shift[k] = 1.0;
    return TAUT_OK;
}

/* How instructions are sorted into groups: what waits comes later, equals come together. */
static int compare(const void *a, const void *b) {
    const taut_instr *x = *(const taut_instr *const *)a, *y = *(const taut_instr *const *)b;
    if (x->level != y->level) return x->level - y->level;
    if (x->kernel != y->kernel) return x->kernel - y->kernel;
    if (x->offset != y->offset) return x->offset - y->offset;
    if (x->kernel == TAUT_KERNEL_CHAIN && x->count != y->count) return x->count - y->count;
    if (x->kernel == TAUT_KERNEL_SHIFT && x->p != y->p) return x->p - y->p;
    return x < y ? -1 : x > y; /* the order of the tape */
}

static bool is_leaf(const taut_instr *instr) {
    return instr->kernel == TAUT_KERNEL_STEADY || instr->kernel == TAUT_KERNEL_TIME ||
           instr->kernel == TAUT_KERNEL_VARIABLE;
}

static bool same_group(const taut_instr *x, const taut_instr *y) {
    if (x->kernel == TAUT_KERNEL_LINEAR || (x->kernel == TAUT_KERNEL_SHIFT && x->p != y->p))
        return false;
    return x->level == y->level && x->kernel == y->kernel && x->offset == y->offset &&
           x->count == y->count;
}

static int operands_of(const taut_instr *instr) {
    switch (instr->kernel) {
    case TAUT_KERNEL_MULTIPLY: return 2;             /* a, b */
    case TAUT_KERNEL_SQUARE: return 1;               /* a */
    case TAUT_KERNEL_DIVIDE: return 2;               /* b, v */
    case TAUT_KERNEL_ROOT: return 1;                 /* v */
    case TAUT_KERNEL_CHAIN: return 2 * instr->count; /* a_i, w_i */
    default: return 0;
    }
}

/* The series that operand number i of an instruction is. */
static const double *operand(const taut_jet *j, const taut_instr *x, int i) {
    const int slot = (int)(x - j->tape->instr);
    switch (x->kernel) {
    case TAUT_KERNEL_MULTIPLY: return j->series[i == 0 ? x->a : x->b];
    case TAUT_KERNEL_SQUARE: return j->series[x->a];
    case TAUT_KERNEL_DIVIDE: return j->series[i == 0 ? x->b : slot];
    case TAUT_KERNEL_CHAIN: {
        const taut_tape_term *pair = &j->tape->term[x->first + i / 2];
        return j->series[i % 2 == 0 ? pair->slot : pair->weight];
    }
    default: return j->series[slot]; /* ROOT */
    }
}

/* Fills a group with up to TAUT_LANES instructions. Empty lanes work on a dummy. */
static taut_status fill_group(taut_jet *j, taut_arena *arena, taut_group *g,
                              const taut_instr *const *instr, double *dummy) {
    const int length = j->last_stage + instr[0]->offset + 1;
    g->kernel = (taut_kernel)instr[0]->kernel;
    g->offset = instr[0]->offset;
    g->p = instr[0]->p;
    g->pairs = instr[0]->count;
    g->operands = operands_of(instr[0]);
    g->length = length > 0 ? length : 0;
    g->source = TAUT_NEW_ARRAY(arena, g->operands * TAUT_LANES, const double *);
    g->packed = TAUT_NEW_ARRAY(arena, (size_t)g->operands * (size_t)g->length * TAUT_LANES, double);
    if (!g->source || !g->packed) return TAUT_ERR_MEMORY;
    for (int lane = 0; lane < TAUT_LANES; lane++) {
        const taut_instr *x = lane < g->count ? instr[lane] : NULL;
        g->result[lane] = x ? j->series[x - j->tape->instr] : dummy;
        g->argument[0][lane] = x ? j->series[x->a] : dummy;
        g->argument[1][lane] = x && x->b >= 0 ? j->series[x->b] : g->argument[0][lane];
        for (int i = 0; i < g->operands; i++)
            g->source[i * TAUT_LANES + lane] = x ? operand(j, x, i) : dummy;
        if (!x) continue;
        g->op[lane] = x->op;
        g->active = g->active || x->active;
        g->kept = g->kept || x->kept;
    }
    return TAUT_OK;
}

/* A sum; its terms are taken from the lists that *plain and *shifted point into. */
static void fill_sum(const taut_jet *j, taut_sum_group *g, const taut_instr *x,
                     taut_plain_term **plain, taut_shifted_term **shifted) {
    const int slot = (int)(x - j->tape->instr);
    *g = (taut_sum_group){.result = j->series[slot],
                          .plain = *plain,
                          .shifted = *shifted,
                          .constant = j->tape->constant[slot],
                          .offset = x->offset,
                          .active = x->active};
    for (int i = 0; i < x->count; i++) {
        const taut_tape_term *term = &j->tape->term[x->first + i];
        const double *series = j->series[term->slot] + term->p;
        const double *factor = j->shift + (size_t)term->p * (size_t)j->shift_orders;
        if (term->p == 0)
            (*plain)[g->plains++] = (taut_plain_term){series, term->coef};
        else
            (*shifted)[g->shifteds++] = (taut_shifted_term){series, factor, term->coef};
    }
    *plain += g->plains;
    *shifted += g->shifteds;
}

/* The instructions that are no leaves, what waits later, equals together. */
static taut_status sort_instructions(taut_jet *j, taut_arena *arena, const taut_instr ***sorted,
                                     int *count) {
    const taut_tape *t = j->tape;
    *count = 0;
    *sorted = TAUT_NEW_ARRAY(arena, t->size, const taut_instr *);
    j->leaf = TAUT_NEW_ARRAY(arena, t->size, int);
    if (!*sorted || !j->leaf) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++) {
        const taut_instr *instr = &t->instr[i];
        if (!is_leaf(instr))
            (*sorted)[(*count)++] = instr;
        else if (instr->kernel != TAUT_KERNEL_VARIABLE)
            j->leaf[j->leaves++] = i;
    }
    if (*count > 0) qsort(*sorted, (size_t)*count, sizeof **sorted, compare);
    return TAUT_OK;
}

/* Turns the sorted instructions into groups; group_of[i] is the group of instruction sorted[i]. */
static taut_status build_groups(taut_jet *j, taut_arena *arena, const taut_instr **sorted,
                                int count, taut_group ***group_of) {
    double *dummy = TAUT_NEW_ARRAY(arena, j->shift_orders + 1, double);
    j->group = TAUT_NEW_ARRAY(arena, count, taut_group);
    *group_of = TAUT_NEW_ARRAY(arena, count, taut_group *);
    if (!dummy || !j->group || !*group_of) return TAUT_ERR_MEMORY;
    dummy[0] = 1.0;
    for (int i = 0; i < count;) {
        int lanes = 1;
        if (sorted[i]->kernel == TAUT_KERNEL_LINEAR) {
            i++;
            continue;
        }
        while (lanes < TAUT_LANES && i + lanes < count && same_group(sorted[i], sorted[i + lanes]))
            lanes++;
        taut_group *g = &j->group[j->groups++];
        g->count = lanes;
        TAUT_TRY(fill_group(j, arena, g, sorted + i, dummy));
        for (int lane = 0; lane < lanes; lane++) (*group_of)[i + lane] = g;
        i += lanes;
    }
    return TAUT_OK;
}

/* Lists what runs, level by level. late: only what is active and kept. */
static taut_status build_schedule(taut_jet *j, taut_arena *arena, const taut_instr **sorted,
                                  taut_group **group_of, int count, bool late,
                                  taut_schedule **schedule) {
    const int levels = count > 0 ? sorted[count - 1]->level + 1 : 0;
    taut_schedule *s = TAUT_NEW(arena, taut_schedule);
    taut_plain_term *plain = TAUT_NEW_ARRAY(arena, j->tape->terms, taut_plain_term);
    taut_shifted_term *shifted = TAUT_NEW_ARRAY(arena, j->tape->terms, taut_shifted_term);
    if (!s || !plain || !shifted) return TAUT_ERR_MEMORY;
    s->sum = TAUT_NEW_ARRAY(arena, count, taut_sum_group);
    s->group = TAUT_NEW_ARRAY(arena, count, taut_group *);
    s->level = TAUT_NEW_ARRAY(arena, levels, taut_level);
    if (!s->sum || !s->group || !s->level) return TAUT_ERR_MEMORY;
    int sums = 0, groups = 0, i = 0;
    for (s->levels = 0; s->levels < levels; s->levels++) {
        for (; i < count && sorted[i]->level == s->levels; i++) {
            const taut_instr *x = sorted[i];
            if (x->kernel == TAUT_KERNEL_LINEAR) {
                if (!late || (x->active && x->kept))
                    fill_sum(j, &s->sum[sums++], x, &plain, &shifted);
            } else if (i == 0 || group_of[i] != group_of[i - 1]) {
                taut_group *g = group_of[i];
                if (!late || (g->active && g->kept)) s->group[groups++] = g;
            }
        }
        s->level[s->levels] = (taut_level){sums, groups};
    }
    *schedule = s;
    return TAUT_OK;
}

static taut_status build(taut_jet *j, taut_arena *arena) {
    const taut_instr **sorted;
    taut_group **group_of;
    int count;
    TAUT_TRY(sort_instructions(j, arena, &sorted, &count));
    TAUT_TRY(build_groups(j, arena, sorted, count, &group_of));
    TAUT_TRY(build_schedule(j, arena, sorted, group_of, count, false, &j->all));
    return build_schedule(j, arena, sorted, group_of, count, true, &j->late);
}

taut_status taut_jet_create(const taut_tape *tape, int last_stage, taut_arena *arena,
                            taut_jet **jet) {
    taut_jet *j = TAUT_NEW(arena, taut_jet);
    if (!j) return TAUT_ERR_MEMORY;
    *j = (taut_jet){.tape = tape, .last_stage = last_stage};
    TAUT_TRY(allocate_series(j, arena));
    TAUT_TRY(allocate_shifts(j, arena));
    TAUT_TRY(build(j, arena));
    taut_jet_start(j, 0.0, 1.0);
    *jet = j;
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
            value = jet->tape->constant[slot];
        jet->series[slot][k] = value;
    }
}

void taut_jet_stage(taut_jet *jet, int s) {
    stage_leaves(jet, s);
    taut_kernels_stage(jet, s);
}

void taut_jet_finish(taut_jet *jet, int s) { taut_kernels_finish(jet, s); }

void taut_jet_rescale(taut_jet *jet, double ratio, int s) {
    for (int i = 0; i < jet->tape->size; i++) {
        const int top = s + jet->tape->instr[i].offset;
        double power = 1.0;
        for (int k = 0; k <= top; k++, power *= ratio) jet->series[i][k] *= power;
    }
    taut_jet_start(jet, jet->t, jet->h * ratio);
    taut_kernels_repack(jet, s);
}

int taut_jet_bad_slot(const taut_jet *jet, int s) {
    for (int i = 0; i < jet->tape->size; i++) {
        const int top = s + jet->tape->instr[i].offset;
        for (int k = 0; k <= top; k++)
            if (!isfinite(jet->series[i][k])) return i;
    }
    return -1;
}
