/* From graph to plain tape: mark what the targets need, number it, translate it. */
#include "expr/plain.h"

#include <string.h>

#include "expr/marks.h"

typedef struct planner {
    const taut_graph *graph;
    const taut_tape *on; /* NULL: nothing is on it */
    taut_tape *tape;     /* slot[] is set once everything is marked */
    taut_marks wanted;
} planner;

static bool is_leaf(taut_op op) { return op == TAUT_OP_VAR || op == TAUT_OP_DIFF; }

static bool is_input(const planner *p, taut_node v) {
    const taut_node_data *d = taut_node_get(p->graph, v);
    if (d->steady) return false;
    return is_leaf((taut_op)d->op) || (p->on && taut_tape_slot(p->on, v) >= 0);
}

/* ---- multiples ---- */

/* A factor of a term times a plain number, or times that of a steady node. */
static void multiply(const planner *p, taut_tape_term *term, double x, taut_node steady) {
    taut_numbers *numbers = p->tape->numbers;
    if (numbers && (term->origin || steady != TAUT_NO_NODE)) {
        const int origin = steady != TAUT_NO_NODE ? taut_numbers_node(numbers, steady) : 0;
        term->origin = taut_numbers_product(numbers, term->coef, term->origin, x, origin);
    }
    term->coef *= x;
}

/* What v is a multiple of, itself if of nothing else: numbers are taken out as far as v is computed
 * here. *number is the factor of one such step, of a steady node or plain. */
static taut_node multiple(const planner *p, taut_node v, double *number, taut_node *steady) {
    const taut_node_data *d = taut_node_get(p->graph, v);
    const taut_node *arg = taut_node_args(p->graph, v);
    *steady = TAUT_NO_NODE;
    if (d->steady || is_input(p, v)) return v;
    if (d->op == TAUT_OP_SUM && d->count == 1 && d->constant == 0.0) {
        *number = taut_node_coefs(p->graph, v)[0];
        return arg[0];
    }
    if (d->op == TAUT_OP_MUL && taut_node_get(p->graph, arg[0])->steady) {
        *steady = arg[0];
        *number = taut_node_get(p->graph, arg[0])->value;
        return arg[1];
    }
    return v;
}

/* v = factor * what is returned, which is no multiple itself; factor: what it was times that, or
 * NULL. */
static taut_node without_factor(const planner *p, taut_node v, taut_tape_term *factor) {
    for (;;) {
        double number;
        taut_node steady;
        const taut_node of = multiple(p, v, &number, &steady);
        if (of == v) return v;
        if (factor) multiply(p, factor, number, steady);
        v = of;
    }
}

static taut_tape_term term_of(const planner *p, taut_node v) {
    taut_tape_term term = {.other = -1, .coef = 1.0};
    term.slot = p->tape->slot[without_factor(p, v, &term)];
    return term;
}

/* ---- what is needed ---- */

static taut_status make_marks(size_t nodes, taut_arena *arena, taut_marks *m) {
    m->words = taut_marks_words(nodes);
    m->word = TAUT_NEW_ARRAY(arena, m->words, uint64_t);
    return m->word ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Marks everything below the targets down to inputs; ids descend. Returns how many terms there will
 * be at most. */
static size_t mark(const planner *p, const taut_plain_wanted *w) {
    const taut_marks *m = &p->wanted;
    size_t terms = 0;
    for (size_t i = 0; i < w->targets; i++)
        taut_marks_put(m, without_factor(p, w->target[i], NULL));
    for (taut_node v = taut_graph_size(p->graph); (v = taut_marks_below(m, v)) != TAUT_NO_NODE;) {
        const taut_node_data *d = taut_node_get(p->graph, v);
        if (d->steady || is_input(p, v)) continue;
        const taut_node *arg = taut_node_args(p->graph, v);
        for (uint32_t i = 0; i < d->count; i++)
            taut_marks_put(m, d->op == TAUT_OP_SUM ? without_factor(p, arg[i], NULL) : arg[i]);
        terms += d->count;
    }
    return terms;
}

/* ---- translating ---- */

static void translate_sum(const planner *p, taut_instr *x) {
    taut_tape *t = p->tape;
    const taut_node_data *d = taut_node_get(p->graph, x->node);
    const taut_node *arg = taut_node_args(p->graph, x->node);
    x->first = t->terms;
    if (d->op == TAUT_OP_SUM) {
        t->constant[t->slot[x->node]] = d->constant;
        for (uint32_t i = 0; i < d->count; i++) {
            taut_tape_term term = term_of(p, arg[i]);
            multiply(p, &term, taut_node_coefs(p->graph, x->node)[i], TAUT_NO_NODE);
            t->term[t->terms++] = term;
        }
    } else { /* two values multiplied, or one by itself */
        t->term[t->terms++] = (taut_tape_term){
            .slot = t->slot[arg[0]], .other = t->slot[arg[d->count > 1 ? 1 : 0]], .coef = 1.0};
    }
    x->count = t->terms - x->first;
}

/* Does it depend on an input? */
static bool is_active(const taut_tape *t, const taut_instr *x) {
    bool active = x->kernel == TAUT_KERNEL_INPUT;
    for (int k = x->first; k < x->first + x->count; k++) {
        active = active || t->instr[t->term[k].slot].active;
        if (t->term[k].other >= 0) active = active || t->instr[t->term[k].other].active;
    }
    if (x->a >= 0) active = active || t->instr[x->a].active;
    if (x->b >= 0) active = active || t->instr[x->b].active;
    return active;
}

static void translate(const planner *p, taut_node v, taut_plain *plain) {
    taut_tape *t = p->tape;
    const taut_node_data *d = taut_node_get(p->graph, v);
    taut_instr *x = &t->instr[t->slot[v]];
    *x = (taut_instr){.op = d->op, .a = -1, .b = -1, .node = v, .index = d->index};
    x->kernel = (uint8_t)(is_input(p, v) ? TAUT_KERNEL_INPUT : taut_tape_kernel(p->graph, v));
    if (x->kernel == TAUT_KERNEL_INPUT) {
        x->index = plain->inputs;
        plain->input[plain->inputs++] = v;
    } else if (x->kernel == TAUT_KERNEL_STEADY) {
        t->constant[t->slot[v]] = d->value;
        t->origin[t->slot[v]] = taut_numbers_node(t->numbers, v);
    } else if (x->kernel == TAUT_KERNEL_SUM) {
        translate_sum(p, x);
    } else {
        if (d->count > 0) x->a = t->slot[taut_node_args(p->graph, v)[0]];
        if (d->count > 1) x->b = t->slot[taut_node_args(p->graph, v)[1]];
    }
    x->active = is_active(t, x);
}

static taut_status build(planner *p, const taut_plain_wanted *w, taut_arena *arena,
                         taut_plain *plain) {
    taut_tape *t = p->tape;
    t->graph = p->graph;
    t->nodes = taut_graph_size(p->graph);
    const taut_marks *m = &p->wanted;
    TAUT_TRY(make_marks(t->nodes, arena, &p->wanted));
    t->slot = TAUT_NEW_ARRAY(arena, t->nodes, int);
    if (!t->slot) return TAUT_ERR_MEMORY;
    const size_t terms = mark(p, w);
    memset(t->slot, -1, t->nodes * sizeof *t->slot);
    for (taut_node v = taut_marks_from(m, 1); v; v = taut_marks_from(m, v + 1))
        t->slot[v] = t->size++;
    t->instr = TAUT_NEW_ARRAY(arena, t->size, taut_instr);
    t->constant = TAUT_NEW_ARRAY(arena, t->size, double);
    t->origin = TAUT_NEW_ARRAY(arena, t->size, int);
    t->term = TAUT_NEW_ARRAY(arena, terms, taut_tape_term);
    plain->input = TAUT_NEW_ARRAY(arena, t->size, taut_node);
    plain->target = TAUT_NEW_ARRAY(arena, w->targets, taut_tape_term);
    if (!t->instr || !t->constant || !t->origin || !t->term || !plain->input || !plain->target)
        return TAUT_ERR_MEMORY;
    for (taut_node v = taut_marks_from(m, 1); v; v = taut_marks_from(m, v + 1))
        translate(p, v, plain);
    for (size_t i = 0; i < w->targets; i++) plain->target[i] = term_of(p, w->target[i]);
    return TAUT_OK;
}

taut_status taut_plain_create(const taut_graph *graph, taut_plain_wanted wanted, taut_arena *arena,
                              taut_arena *lasting, taut_plain *plain) {
    *plain = (taut_plain){.targets = wanted.targets};
    TAUT_TRY(taut_numbers_create(graph, lasting, &plain->tape.numbers));
    planner p = {.graph = graph, .on = wanted.on, .tape = &plain->tape};
    const taut_status status = build(&p, &wanted, arena, plain);
    if (status != TAUT_OK) taut_numbers_abandon(plain->tape.numbers);
    return status;
}

taut_status taut_plain_leaves(const taut_graph *graph, const taut_node *target, size_t count,
                              taut_node **found, size_t *founds) {
    taut_arena scratch = {0};
    taut_marks m;
    size_t room = 0;
    *found = NULL;
    *founds = 0;
    taut_status status = make_marks(taut_graph_size(graph), &scratch, &m);
    for (size_t i = 0; i < count && status == TAUT_OK; i++) taut_marks_put(&m, target[i]);
    taut_node v = status == TAUT_OK ? taut_graph_size(graph) : TAUT_NO_NODE;
    while (v && (v = taut_marks_below(&m, v)) != TAUT_NO_NODE)
        for (uint32_t i = 0; i < taut_node_get(graph, v)->count; i++)
            taut_marks_put(&m, taut_node_args(graph, v)[i]);
    if (status == TAUT_OK) v = taut_marks_from(&m, 1);
    for (; v && status == TAUT_OK; v = taut_marks_from(&m, v + 1)) {
        const taut_op op = (taut_op)taut_node_get(graph, v)->op;
        if (!is_leaf(op) && op != TAUT_OP_TIME) continue;
        if (taut_grow((void **)found, &room, *founds + 1, sizeof **found))
            status = TAUT_ERR_MEMORY;
        else
            (*found)[(*founds)++] = v;
    }
    taut_arena_release(&scratch);
    return status;
}
