/* From graph to plain tape: mark what the targets need, number it, translate it. */
#include "expr/plain.h"

typedef struct planner {
    const taut_graph *graph;
    const taut_tape *on; /* NULL: nothing is on it */
    taut_tape *tape;     /* slot[] is set once everything is marked */
    uint8_t *wanted;     /* [nodes] */
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

/* Marks everything below the targets down to inputs; ids descend. Returns how many terms there will
 * be at most. */
static size_t mark(const planner *p, const taut_plain_wanted *w) {
    size_t terms = 0;
    for (size_t i = 0; i < w->targets; i++) p->wanted[without_factor(p, w->target[i], NULL)] = 1;
    for (taut_node v = taut_graph_size(p->graph) - 1; v > 0; v--) {
        if (!p->wanted[v]) continue;
        const taut_node_data *d = taut_node_get(p->graph, v);
        if (d->steady || is_input(p, v)) continue;
        const taut_node *arg = taut_node_args(p->graph, v);
        for (uint32_t i = 0; i < d->count; i++)
            p->wanted[d->op == TAUT_OP_SUM ? without_factor(p, arg[i], NULL) : arg[i]] = 1;
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
    p->wanted = TAUT_NEW_ARRAY(arena, t->nodes, uint8_t);
    t->slot = TAUT_NEW_ARRAY(arena, t->nodes, int);
    if (!p->wanted || !t->slot) return TAUT_ERR_MEMORY;
    const size_t terms = mark(p, w);
    for (taut_node v = 0; v < t->nodes; v++) t->slot[v] = p->wanted[v] ? t->size++ : -1;
    t->instr = TAUT_NEW_ARRAY(arena, t->size, taut_instr);
    t->constant = TAUT_NEW_ARRAY(arena, t->size, double);
    t->origin = TAUT_NEW_ARRAY(arena, t->size, int);
    t->term = TAUT_NEW_ARRAY(arena, terms, taut_tape_term);
    plain->input = TAUT_NEW_ARRAY(arena, t->size, taut_node);
    plain->target = TAUT_NEW_ARRAY(arena, w->targets, taut_tape_term);
    if (!t->instr || !t->constant || !t->origin || !t->term || !plain->input || !plain->target)
        return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v < t->nodes; v++)
        if (p->wanted[v]) translate(p, v, plain);
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
    size_t room = 0;
    uint8_t *wanted = TAUT_NEW_ARRAY(&scratch, taut_graph_size(graph), uint8_t);
    taut_status status = wanted ? TAUT_OK : TAUT_ERR_MEMORY;
    *found = NULL;
    *founds = 0;
    for (size_t i = 0; i < count && status == TAUT_OK; i++) wanted[target[i]] = 1;
    for (taut_node v = taut_graph_size(graph); v-- > 1 && status == TAUT_OK;)
        for (uint32_t i = 0; wanted[v] && i < taut_node_get(graph, v)->count; i++)
            wanted[taut_node_args(graph, v)[i]] = 1;
    for (taut_node v = 1; v < taut_graph_size(graph) && status == TAUT_OK; v++) {
        const taut_op op = (taut_op)taut_node_get(graph, v)->op;
        if (!wanted[v] || (!is_leaf(op) && op != TAUT_OP_TIME)) continue;
        if (taut_grow((void **)found, &room, *founds + 1, sizeof **found))
            status = TAUT_ERR_MEMORY;
        else
            (*found)[(*founds)++] = v;
    }
    taut_arena_release(&scratch);
    return status;
}
