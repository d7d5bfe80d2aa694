/* From graph to tape: collect what the roots need, number it, translate nodes to kernels. */
#include "expr/tape.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "expr/common.h"
#include "expr/fold.h"
#include "expr/marks.h"
#include "expr/ops.h"

/* ---- offsets ---- */

taut_status taut_tape_offsets(const taut_graph *g, const int *d, taut_arena *arena, int **offset) {
    const uint32_t size = taut_graph_size(g);
    int *o = TAUT_NEW_ARRAY(arena, size, int);
    if (!o) return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v < size; v++) {
        const taut_node_data *n = taut_node_get(g, v);
        o[v] = TAUT_OFFSET_NEVER;
        if (n->op == TAUT_OP_VAR) o[v] = d[n->index];
        const taut_node *arg = taut_node_args(g, v);
        for (uint32_t i = 0; i < n->count; i++)
            if (o[arg[i]] < o[v]) o[v] = o[arg[i]];
        if (n->op == TAUT_OP_DIFF) o[v] -= n->index;
    }
    *offset = o;
    return TAUT_OK;
}

/* ---- collecting ---- */

typedef struct collector {
    taut_graph *graph;
    taut_marks wanted;
    size_t room; /* of words */
    taut_node *stack;
    size_t depth, stack_room;
} collector;

static int want(collector *c, taut_node v) {
    const size_t need = taut_marks_words(taut_graph_size(c->graph)), old = c->wanted.words;
    if (need > old) {
        if (taut_grow((void **)&c->wanted.word, &c->room, need, sizeof *c->wanted.word)) return -1;
        memset(c->wanted.word + old, 0, (need - old) * sizeof *c->wanted.word);
        c->wanted.words = need;
    }
    assert(c->wanted.word);
    if (taut_marks_have(&c->wanted, v)) return 0;
    taut_marks_put(&c->wanted, v);
    if (taut_grow((void **)&c->stack, &c->stack_room, c->depth + 1, sizeof *c->stack)) return -1;
    c->stack[c->depth++] = v;
    return 0;
}

/* K of a product K * E with K steady, E in *rest; TAUT_NO_NODE and v itself if it is none. */
static taut_node steady_factor(const taut_graph *g, taut_node v, taut_node *rest) {
    const taut_node_data *d = taut_node_get(g, v);
    *rest = v;
    if (d->op != TAUT_OP_MUL || d->steady) return TAUT_NO_NODE;
    const taut_node *arg = taut_node_args(g, v);
    if (!taut_node_get(g, arg[0])->steady) return TAUT_NO_NODE;
    *rest = arg[1];
    return arg[0];
}

/* The series and the derivative of it that a term of a sum means: derivatives are no instructions
 * of their own there. */
static taut_node undifferentiated(const taut_graph *g, taut_node v, int *p) {
    const taut_node_data *d = taut_node_get(g, v);
    *p = d->op == TAUT_OP_DIFF ? d->index : 0;
    return d->op == TAUT_OP_DIFF ? taut_node_args(g, v)[0] : v;
}

static bool is_chain(taut_op op) {
    return taut_op_is_function(op) || op == TAUT_OP_POW || op == TAUT_OP_ATAN2;
}

/* Wants what instruction v reads. Steady arguments of sums and chains become numbers instead. */
static int want_arguments(collector *c, taut_node v) {
    const taut_node_data d = *taut_node_get(c->graph, v);
    if (d.steady) return 0;
    int p;
    taut_node rest;
    if (steady_factor(c->graph, v, &rest) != TAUT_NO_NODE) /* K * E */
        return want(c, undifferentiated(c->graph, rest, &p));
    for (uint32_t i = 0; i < d.count; i++) {
        taut_node a = taut_node_args(c->graph, v)[i];
        const bool steady = taut_node_get(c->graph, a)->steady;
        if (d.op == TAUT_OP_SUM && !steady) {
            steady_factor(c->graph, a, &rest);
            a = undifferentiated(c->graph, rest, &p);
        }
        if (steady && d.op == TAUT_OP_SUM) continue;
        if (want(c, a)) return -1;
        if (is_chain((taut_op)d.op) && !steady) {
            taut_node w = taut_op_partial(c->graph, v, (int)i);
            if (w == TAUT_NO_NODE || want(c, w)) return -1;
        }
    }
    return 0;
}

/* ---- translating ---- */

/* Two series multiplied, or one by itself. */
static bool is_product(const taut_graph *g, taut_node v) {
    taut_node rest;
    const uint8_t op = taut_node_get(g, v)->op;
    return op == TAUT_OP_SQR || (op == TAUT_OP_MUL && steady_factor(g, v, &rest) == TAUT_NO_NODE);
}

static taut_status translate_terms(taut_tape *t, taut_instr *instr, taut_graph *g) {
    const taut_node v = instr->node;
    const taut_node_data *d = taut_node_get(g, v);
    instr->first = t->terms;
    if (instr->kernel == TAUT_KERNEL_CHAIN) {
        const uint32_t count = d->count;
        for (uint32_t i = 0; i < count; i++) {
            const taut_node a = taut_node_args(g, v)[i];
            if (taut_node_get(g, a)->steady) continue;
            const taut_node w = taut_op_partial(g, v, (int)i); /* exists: want_arguments made it */
            if (w == TAUT_NO_NODE) return TAUT_ERR_MEMORY;
            t->term[t->terms++] = (taut_tape_term){.slot = t->slot[a], .other = t->slot[w]};
        }
    } else if (is_product(g, v)) {
        const taut_node *arg = taut_node_args(g, v);
        t->term[t->terms++] = (taut_tape_term){.slot = t->slot[arg[0]],
                                               .other = t->slot[arg[d->op == TAUT_OP_MUL ? 1 : 0]],
                                               .coef = 1.0};
    } else { /* a sum, K * E, or a derivative */
        double *constant = &t->constant[t->slot[v]];
        int *origin = &t->origin[t->slot[v]];
        const bool single = d->op != TAUT_OP_SUM;
        *constant = single ? 0.0 : d->constant;
        for (uint32_t i = 0; i < (single ? 1 : d->count); i++) {
            taut_node a = single ? v : taut_node_args(g, v)[i], rest;
            double coef = single ? 1.0 : taut_node_coefs(g, v)[i];
            if (taut_node_get(g, a)->steady) {
                const double value = taut_node_get(g, a)->value;
                const int added = taut_numbers_product(t->numbers, coef, 0, value,
                                                       taut_numbers_node(t->numbers, a));
                *origin = taut_numbers_sum(t->numbers, *constant, *origin, coef * value, added);
                *constant += coef * value;
                continue;
            }
            taut_node steady = steady_factor(g, a, &rest);
            int p, from = 0;
            if (steady != TAUT_NO_NODE) {
                const double value = taut_node_get(g, steady)->value;
                from = taut_numbers_product(t->numbers, coef, 0, value,
                                            taut_numbers_node(t->numbers, steady));
                coef *= value;
            }
            const taut_node series = undifferentiated(g, rest, &p);
            t->term[t->terms++] = (taut_tape_term){
                .p = p, .slot = t->slot[series], .other = -1, .origin = from, .coef = coef};
        }
    }
    instr->count = t->terms - instr->first;
    return TAUT_OK;
}

taut_kernel taut_tape_kernel(const taut_graph *g, taut_node node) {
    const taut_node_data *d = taut_node_get(g, node);
    if (d->steady) return TAUT_KERNEL_STEADY;
    switch (d->op) {
    case TAUT_OP_TIME: return TAUT_KERNEL_TIME;
    case TAUT_OP_VAR: return TAUT_KERNEL_VARIABLE;
    case TAUT_OP_SUM:
    case TAUT_OP_MUL:
    case TAUT_OP_SQR:
    case TAUT_OP_DIFF: return TAUT_KERNEL_SUM;
    case TAUT_OP_DIV: return TAUT_KERNEL_DIVIDE;
    case TAUT_OP_SQRT: return TAUT_KERNEL_ROOT;
    default: return TAUT_KERNEL_CHAIN;
    }
}

static taut_status translate(taut_tape *t, taut_graph *g, taut_node v) {
    taut_instr *instr = &t->instr[t->slot[v]];
    const taut_node_data d = *taut_node_get(g, v);
    instr->node = v;
    instr->op = d.op;
    instr->kernel = (uint8_t)taut_tape_kernel(g, v);
    instr->index = d.index;
    instr->a = instr->b = -1;
    switch (instr->kernel) {
    case TAUT_KERNEL_STEADY:
        t->constant[t->slot[v]] = d.value;
        t->origin[t->slot[v]] = taut_numbers_node(t->numbers, v);
        break;
    case TAUT_KERNEL_SUM: return translate_terms(t, instr, g);
    case TAUT_KERNEL_CHAIN: TAUT_TRY(translate_terms(t, instr, g)); __attribute__((fallthrough));
    default:
        if (d.count > 0) instr->a = t->slot[taut_node_args(g, v)[0]];
        if (d.count > 1) instr->b = t->slot[taut_node_args(g, v)[1]];
    }
    return TAUT_OK;
}

/* An argument counts at the same stage if its newest order, less derivatives, is the newest one of
 * the result; otherwise it was finished at an earlier stage. */
static void count_argument(const taut_tape *t, taut_instr *instr, int slot, int p) {
    const taut_instr *x = &t->instr[slot];
    if (x->offset - p != instr->offset) return;
    instr->active = instr->active || x->active;
}

/* The second factor of a term of a sum, -1: none. The weights of a CHAIN are one order behind: they
 * do not count at the stage. */
static int second_factor(const taut_instr *instr, const taut_tape_term *term) {
    return instr->kernel == TAUT_KERNEL_SUM ? term->other : -1;
}

/* Whether the newest order depends on what is solved for at the stage. */
static void set_dependence(const taut_tape *t, taut_instr *instr) {
    instr->active = instr->kernel == TAUT_KERNEL_VARIABLE;
    for (int k = 0; k < instr->count; k++) {
        const taut_tape_term *term = &t->term[instr->first + k];
        const int other = second_factor(instr, term);
        count_argument(t, instr, term->slot, term->p);
        if (other >= 0) count_argument(t, instr, other, term->p);
    }
    if (instr->a >= 0) count_argument(t, instr, instr->a, 0);
    if (instr->b >= 0) count_argument(t, instr, instr->b, 0);
}

static bool keep(taut_tape *t, int slot) {
    if (slot < 0 || t->instr[slot].kept) return false;
    t->instr[slot].kept = true;
    return true;
}

/* Marks what is read after its stage: roots, what convolutions sum over, arguments that sums read
 * at a later stage, and what leads there. The weights of a CHAIN may come after it on the tape, so
 * this is repeated until nothing changes. */
static void set_kept(taut_tape *t) {
    for (int i = 0; i < t->size; i++) {
        const uint8_t kernel = t->instr[i].kernel;
        const bool recursive = kernel == TAUT_KERNEL_DIVIDE || kernel == TAUT_KERNEL_ROOT;
        t->instr[i].kept = t->instr[i].root || recursive;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = t->size - 1; i >= 0; i--) {
            const taut_instr *instr = &t->instr[i];
            for (int k = 0; k < instr->count; k++) {
                const taut_tape_term *term = &t->term[instr->first + k];
                const bool later = t->instr[term->slot].offset - term->p != instr->offset;
                if (term->other >= 0 || instr->kept || later) changed |= keep(t, term->slot);
                changed |= keep(t, term->other);
            }
            changed |= keep(t, instr->a);
            changed |= keep(t, instr->b);
        }
    }
}

static void hurry(taut_tape *t, const taut_instr *reader, int slot, int p) {
    if (slot >= 0 && t->instr[slot].offset - p == reader->offset) t->instr[slot].urgent = true;
}

/* Marks the arguments of the same stage of what is marked, results first. */
static void set_urgent(taut_tape *t) {
    for (int i = t->size - 1; i >= 0; i--) {
        const taut_instr *x = &t->instr[i];
        if (!x->urgent) continue;
        for (int k = 0; k < x->count; k++) {
            const taut_tape_term *term = &t->term[x->first + k];
            hurry(t, x, term->slot, term->p);
            hurry(t, x, second_factor(x, term), term->p);
        }
        hurry(t, x, x->a, 0);
        hurry(t, x, x->b, 0);
    }
}

void taut_tape_mark_residuals(taut_tape *t, const taut_node *root, size_t count, bool only) {
    for (int i = 0; i < t->size; i++) t->instr[i].urgent = t->instr[i].residual = false;
    for (size_t i = 0; i < count; i++) {
        taut_instr *x = &t->instr[taut_tape_slot(t, root[i])];
        x->urgent = x->residual = true;
        if (only) x->root = false;
    }
    set_urgent(t);
    set_kept(t);
}

static void lower_to(int *offset, int other) {
    if (other < *offset) *offset = other;
}

/* The offsets of the nodes, before sums are folded: terms that cancel then have their say. */
static void set_offsets(taut_tape *t, const int *d) {
    for (int i = 0; i < t->size; i++) {
        taut_instr *x = &t->instr[i];
        x->offset = x->kernel == TAUT_KERNEL_VARIABLE ? d[x->index] : TAUT_OFFSET_NEVER;
        for (int k = 0; k < x->count; k++) {
            const taut_tape_term *term = &t->term[x->first + k];
            const int other = second_factor(x, term);
            lower_to(&x->offset, t->instr[term->slot].offset - term->p);
            if (other >= 0) lower_to(&x->offset, t->instr[other].offset - term->p);
        }
        if (x->a >= 0) lower_to(&x->offset, t->instr[x->a].offset);
        if (x->b >= 0) lower_to(&x->offset, t->instr[x->b].offset);
    }
}

/* What depends on t alone gets an offset that is high enough for any product with a variable,
 * whatever number of its derivatives was taken. Then everything else that depends on offsets. */
static void settle_offsets(taut_tape *t) {
    int largest = 0, deepest = 0;
    for (int i = 0; i < t->size; i++) {
        const taut_instr *x = &t->instr[i];
        if (x->kernel == TAUT_KERNEL_VARIABLE && x->offset > largest) largest = x->offset;
        if (x->offset > TAUT_OFFSET_NEVER / 2 && TAUT_OFFSET_NEVER - x->offset > deepest)
            deepest = TAUT_OFFSET_NEVER - x->offset;
    }
    t->first_stage = 0;
    for (int i = 0; i < t->size; i++) {
        taut_instr *x = &t->instr[i];
        if (x->offset > TAUT_OFFSET_NEVER / 2) x->offset += largest + deepest - TAUT_OFFSET_NEVER;
        set_dependence(t, x);
        if (-x->offset < t->first_stage) t->first_stage = -x->offset;
    }
}

/* Lists and terms go to the scratch: folding makes them shorter. */
static taut_status build(collector *c, taut_arena *arena, taut_arena *scratch, taut_tape *t) {
    taut_graph *g = c->graph;
    const taut_marks *w = &c->wanted;
    t->graph = g;
    t->nodes = taut_graph_size(g);
    t->slot = TAUT_NEW_ARRAY(scratch, t->nodes, int);
    if (!t->slot) return TAUT_ERR_MEMORY;
    memset(t->slot, -1, t->nodes * sizeof *t->slot);
    size_t terms = 0;
    for (taut_node v = taut_marks_from(w, 1); v; v = taut_marks_from(w, v + 1)) {
        t->slot[v] = t->size++;
        terms += taut_node_get(g, v)->count + 2;
    }
    t->instr = TAUT_NEW_ARRAY(scratch, t->size, taut_instr);
    t->constant = TAUT_NEW_ARRAY(scratch, t->size, double);
    t->origin = TAUT_NEW_ARRAY(scratch, t->size, int);
    t->term = TAUT_NEW_ARRAY(scratch, terms, taut_tape_term);
    if (!t->instr || !t->constant || !t->origin || !t->term) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_numbers_create(g, arena, &t->numbers));
    for (taut_node v = taut_marks_from(w, 1); v; v = taut_marks_from(w, v + 1))
        TAUT_TRY(translate(t, g, v));
    return TAUT_OK;
}

static void *kept_copy(const void *from, int count, size_t size, taut_arena *arena) {
    void *copy = taut_arena_array(arena, (size_t)count, size);
    if (copy && count > 0) memcpy(copy, from, (size_t)count * size);
    return copy;
}

/* What is left of the lists, in memory that lasts. */
static taut_status keep_lists(taut_tape *t, taut_arena *arena, taut_arena *scratch) {
    taut_node *node = TAUT_NEW_ARRAY(scratch, t->size, taut_node);
    if (!node) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++)
        node[i] = t->slot[t->instr[i].node] == i ? t->instr[i].node : TAUT_NO_NODE;
    TAUT_TRY(taut_slots_create(node, t->size, t->nodes, arena, &t->slots));
    t->slot = NULL;
    t->instr = kept_copy(t->instr, t->size, sizeof *t->instr, arena);
    t->constant = kept_copy(t->constant, t->size, sizeof *t->constant, arena);
    t->origin = kept_copy(t->origin, t->size, sizeof *t->origin, arena);
    t->term = kept_copy(t->term, t->terms, sizeof *t->term, arena);
    return t->instr && t->constant && t->origin && t->term ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_tape_create(taut_graph *graph, const int *d, const taut_node *roots, size_t count,
                             taut_arena *arena, taut_tape **tape) {
    collector c = {.graph = graph};
    taut_arena scratch = {0};
    taut_tape *t = TAUT_NEW(arena, taut_tape);
    bool failed = !t;
    for (size_t i = 0; i < count && !failed; i++)
        failed = roots[i] == TAUT_NO_NODE || want(&c, roots[i]);
    while (c.depth > 0 && !failed) failed = want_arguments(&c, c.stack[--c.depth]);
    taut_status status = failed ? TAUT_ERR_MEMORY : build(&c, arena, &scratch, t);
    for (size_t i = 0; i < count && status == TAUT_OK; i++) t->instr[t->slot[roots[i]]].root = true;
    if (status == TAUT_OK) set_offsets(t, d);
    if (status == TAUT_OK) status = taut_tape_fold(t, false, &scratch);
    if (status == TAUT_OK) status = taut_tape_share(t, &scratch);
    if (status == TAUT_OK) status = taut_tape_fold(t, true, &scratch);
    if (status == TAUT_OK) status = keep_lists(t, arena, &scratch);
    if (status == TAUT_OK) status = taut_numbers_finish(t->numbers);
    if (status == TAUT_OK) settle_offsets(t);
    if (status == TAUT_OK) set_kept(t);
    for (int i = 0; status == TAUT_OK && i < t->size; i++) {
        t->instr[i].urgent = true; /* the caller may look at any time, unless it says more */
        t->instr[i].residual = t->instr[i].root;
    }
    if (t && status != TAUT_OK) taut_numbers_abandon(t->numbers);
    taut_release((void **)&c.wanted.word);
    taut_release((void **)&c.stack);
    taut_arena_release(&scratch);
    *tape = status == TAUT_OK ? t : NULL;
    return status;
}

int taut_tape_slot(const taut_tape *t, taut_node node) { return taut_slots_find(&t->slots, node); }

int taut_tape_operations(const taut_tape *t) {
    int operations = 0;
    for (int i = 0; i < t->size; i++) {
        const taut_instr *x = &t->instr[i];
        switch (x->kernel) {
        case TAUT_KERNEL_STEADY:
        case TAUT_KERNEL_TIME:
        case TAUT_KERNEL_VARIABLE:
        case TAUT_KERNEL_INPUT: break;
        case TAUT_KERNEL_SUM:
            operations += x->count - 1;
            for (int k = x->first; k < x->first + x->count; k++)
                operations +=
                    (fabs(t->term[k].coef) != 1.0) + (t->term[k].p > 0) + (t->term[k].other >= 0);
            break;
        default: operations++;
        }
    }
    return operations;
}
