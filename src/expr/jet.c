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

/* Places of the sorted operations: the series they read and write. Empty lanes work on a dummy. */
static taut_status fill_group(taut_jet *j, taut_arena *arena, taut_group *g,
                              const taut_instr *const *instr, double *dummy) {
    const taut_tape *t = j->tape;
    const taut_instr *first = instr[0];
    g->kernel = (taut_kernel)first->kernel;
    g->offset = first->offset;
    if (g->kernel == TAUT_KERNEL_LINEAR) {
        g->slot[0] = (int)(first - t->instr);
        g->result[0] = j->series[g->slot[0]];
        g->constant = t->constant[g->slot[0]];
        g->terms = first->count;
        g->term = TAUT_NEW_ARRAY(arena, first->count, taut_group_term);
        if (!g->term) return TAUT_ERR_MEMORY;
        for (int i = 0; i < first->count; i++) {
            const taut_tape_term *term = &t->term[first->first + i];
            g->term[i] = (taut_group_term){j->series[term->slot] + term->p,
                                           j->shift + (size_t)term->p * (size_t)j->shift_orders,
                                           term->coef, term->p};
        }
        return TAUT_OK;
    }
    g->pairs = g->kernel == TAUT_KERNEL_CHAIN ? first->count : 1;
    const int operands = g->kernel == TAUT_KERNEL_CHAIN      ? 2 * g->pairs
                         : g->kernel == TAUT_KERNEL_MULTIPLY ? 2
                         : g->kernel == TAUT_KERNEL_DIVIDE   ? 3
                         : g->kernel == TAUT_KERNEL_ROOT     ? 2
                         : g->kernel == TAUT_KERNEL_SQUARE   ? 1
                                                             : 1;
    g->operands = operands;
    g->source = TAUT_NEW_ARRAY(arena, operands * TAUT_LANES, const double *);
    const size_t length =
        (size_t)(j->last_stage + g->offset + 1 > 0 ? j->last_stage + g->offset + 1 : 0);
    g->packed = taut_arena_array(arena, (size_t)operands * length * TAUT_LANES, sizeof(double));
    g->length = (int)length;
    if (!g->source || !g->packed) return TAUT_ERR_MEMORY;
    for (int lane = 0; lane < TAUT_LANES; lane++) {
        const taut_instr *x = lane < g->count ? instr[lane] : NULL;
        const int slot = x ? (int)(x - t->instr) : -1;
        const double **source = g->source + lane;
        g->slot[lane] = slot;
        g->op[lane] = x ? x->op : 0;
        g->result[lane] = x ? j->series[slot] : dummy;
        for (int i = 0; i < operands; i++) source[i * TAUT_LANES] = dummy;
        if (!x) continue;
        if (g->kernel == TAUT_KERNEL_CHAIN) {
            for (int i = 0; i < g->pairs; i++) {
                source[2 * i * TAUT_LANES] = j->series[t->term[x->first + i].slot];
                source[(2 * i + 1) * TAUT_LANES] = j->series[t->term[x->first + i].weight];
            }
        } else {
            source[0] = j->series[x->a];
            if (operands > 1) source[TAUT_LANES] = x->b >= 0 ? j->series[x->b] : j->series[slot];
            if (operands > 2) source[2 * TAUT_LANES] = j->series[slot];
        }
        g->argument[0][lane] = j->series[x->a];
        g->argument[1][lane] = x->b >= 0 ? j->series[x->b] : j->series[x->a];
        g->p = x->p;
        if (x->active) g->active = true;
        if (x->kept) g->kept = true;
    }
    for (int lane = g->count; lane < TAUT_LANES; lane++)
        g->argument[0][lane] = g->argument[1][lane] = dummy;
    return TAUT_OK;
}

static taut_status build_groups(taut_jet *j, taut_arena *arena) {
    const taut_tape *t = j->tape;
    const taut_instr **sorted = TAUT_NEW_ARRAY(arena, t->size, const taut_instr *);
    double *dummy = TAUT_NEW_ARRAY(arena, j->shift_orders + 1, double);
    j->leaf = TAUT_NEW_ARRAY(arena, t->size, int);
    j->group = TAUT_NEW_ARRAY(arena, t->size, taut_group);
    if (!sorted || !dummy || !j->leaf || !j->group) return TAUT_ERR_MEMORY;
    dummy[0] = 1.0;
    int count = 0;
    for (int i = 0; i < t->size; i++) {
        const taut_instr *instr = &t->instr[i];
        if (!is_leaf(instr))
            sorted[count++] = instr;
        else if (instr->kernel != TAUT_KERNEL_VARIABLE)
            j->leaf[j->leaves++] = i;
    }
    if (count > 0) qsort(sorted, (size_t)count, sizeof *sorted, compare);
    for (int i = 0; i < count;) {
        taut_group *g = &j->group[j->groups++];
        int lanes = 1;
        while (lanes < TAUT_LANES && i + lanes < count && same_group(sorted[i], sorted[i + lanes]))
            lanes++;
        g->count = lanes;
        g->active = sorted[i]->active;
        g->kept = sorted[i]->kept;
        TAUT_TRY(fill_group(j, arena, g, sorted + i, dummy));
        i += lanes;
    }
    return TAUT_OK;
}

taut_status taut_jet_create(const taut_tape *tape, int last_stage, taut_arena *arena,
                            taut_jet **jet) {
    taut_jet *j = TAUT_NEW(arena, taut_jet);
    if (!j) return TAUT_ERR_MEMORY;
    *j = (taut_jet){.tape = tape, .last_stage = last_stage};
    TAUT_TRY(allocate_series(j, arena));
    TAUT_TRY(allocate_shifts(j, arena));
    TAUT_TRY(build_groups(j, arena));
    taut_jet_start(j, 0.0, 1.0);
    *jet = j;
    return TAUT_OK;
}

/* ---- use ---- */

void taut_jet_start(taut_jet *jet, double t, double h) {
    jet->t = t;
    if (h == jet->h) return;
    jet->h = h;
    const int rows = jet->shift_orders > 0 ? taut_kernels_most_derivatives(jet) : 0;
    for (int p = 1; p <= rows; p++) {
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
