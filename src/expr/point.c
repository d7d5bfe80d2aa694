/* A list of scalar operations for nodes that are needed at order 0 only. */
#include "expr/point.h"

#include <string.h>

#include "core/arena.h"
#include "expr/ops.h"

typedef struct operation {
    uint8_t op;
    int a, b;         /* places of the arguments in value[] */
    int first, count; /* SUM: its terms */
    double constant;
} operation;

struct taut_point {
    int inputs;      /* value[0 .. inputs-1] are read from the jet ... */
    int *input;      /* [inputs] ... at these slots */
    int steps;       /* value[inputs ...] are computed by step[] */
    operation *step; /* [steps] */
    int *term;       /* places of the terms of sums */
    double *coef;    /* their factors */
    double *value;   /* [inputs + steps] */
    size_t targets;
    int *target; /* [targets] their places */
};

/* Marks everything below the targets that `stop` does not already have; ids descend. */
static uint8_t *mark(const taut_graph *g, const taut_tape *tape, const taut_node *target,
                     size_t count) {
    const uint32_t size = taut_graph_size(g);
    uint8_t *wanted = NULL;
    size_t room = 0;
    if (taut_grow((void **)&wanted, &room, size, 1)) return NULL;
    memset(wanted, 0, size);
    for (size_t i = 0; i < count; i++) wanted[target[i]] = 1;
    for (taut_node v = size - 1; v > 0; v--) {
        if (!wanted[v]) continue;
        const taut_node_data *d = taut_node_get(g, v);
        if (d->steady || (tape && taut_tape_slot(tape, v) >= 0)) continue;
        for (uint32_t i = 0; i < d->count; i++) wanted[taut_node_args(g, v)[i]] = 1;
    }
    return wanted;
}

taut_status taut_point_derivatives(const taut_graph *g, const taut_node *target, size_t count,
                                   taut_node **found, size_t *founds) {
    size_t room = 0;
    *found = NULL;
    *founds = 0;
    uint8_t *wanted = mark(g, NULL, target, count);
    if (!wanted) return TAUT_ERR_MEMORY;
    taut_status status = TAUT_OK;
    for (taut_node v = 1; v < taut_graph_size(g) && status == TAUT_OK; v++) {
        const uint8_t op = taut_node_get(g, v)->op;
        if (!wanted[v] || (op != TAUT_OP_DIFF && op != TAUT_OP_VAR && op != TAUT_OP_TIME)) continue;
        if (taut_grow((void **)found, &room, *founds + 1, sizeof **found))
            status = TAUT_ERR_MEMORY;
        else
            (*found)[(*founds)++] = v;
    }
    taut_release((void **)&wanted);
    return status;
}

/* Fills the program; place[] (by node) says where a value will be. */
static taut_status compile(taut_point *p, const taut_tape *tape, const uint8_t *wanted, int *place,
                           taut_arena *arena) {
    const taut_graph *g = tape->graph;
    const uint32_t size = taut_graph_size(g);
    size_t terms = 0;
    for (taut_node v = 1; v < size; v++) {
        if (!wanted[v]) continue;
        const taut_node_data *d = taut_node_get(g, v);
        if (!d->steady && taut_tape_slot(tape, v) >= 0)
            p->inputs++;
        else
            p->steps++, terms += d->count;
    }
    p->input = TAUT_NEW_ARRAY(arena, p->inputs, int);
    p->step = TAUT_NEW_ARRAY(arena, p->steps, operation);
    p->term = TAUT_NEW_ARRAY(arena, terms, int);
    p->coef = TAUT_NEW_ARRAY(arena, terms, double);
    p->value = TAUT_NEW_ARRAY(arena, p->inputs + p->steps, double);
    if (!p->input || !p->step || !p->term || !p->coef || !p->value) return TAUT_ERR_MEMORY;

    int input = 0, step = 0, term = 0;
    for (taut_node v = 1; v < size; v++) {
        if (!wanted[v]) continue;
        const taut_node_data *d = taut_node_get(g, v);
        const taut_node *arg = taut_node_args(g, v);
        if (!d->steady && taut_tape_slot(tape, v) >= 0) {
            place[v] = input;
            p->input[input++] = taut_tape_slot(tape, v);
            continue;
        }
        operation *o = &p->step[step];
        place[v] = p->inputs + step++;
        if (d->steady) {
            *o = (operation){.op = TAUT_OP_CONST, .constant = d->value};
        } else if (d->op == TAUT_OP_SUM) {
            *o = (operation){
                .op = d->op, .first = term, .count = (int)d->count, .constant = d->constant};
            for (uint32_t i = 0; i < d->count; i++) {
                p->term[term] = place[arg[i]];
                p->coef[term++] = taut_node_coefs(g, v)[i];
            }
        } else {
            *o = (operation){
                .op = d->op, .a = place[arg[0]], .b = d->count > 1 ? place[arg[1]] : place[arg[0]]};
        }
    }
    return TAUT_OK;
}

taut_status taut_point_create(const taut_tape *tape, const taut_node *target, size_t count,
                              taut_arena *arena, taut_point **point) {
    taut_point *p = TAUT_NEW(arena, taut_point);
    if (!p) return TAUT_ERR_MEMORY;
    uint8_t *wanted = mark(tape->graph, tape, target, count);
    int *place = NULL;
    size_t room = 0;
    taut_status status = TAUT_ERR_MEMORY;
    if (wanted && !taut_grow((void **)&place, &room, taut_graph_size(tape->graph), sizeof *place))
        status = compile(p, tape, wanted, place, arena);
    p->targets = count;
    p->target = TAUT_NEW_ARRAY(arena, count, int);
    if (!p->target) status = TAUT_ERR_MEMORY;
    for (size_t i = 0; i < count && status == TAUT_OK; i++) p->target[i] = place[target[i]];
    taut_release((void **)&wanted);
    taut_release((void **)&place);
    *point = p;
    return status;
}

int taut_point_stage(const taut_point *p, const taut_tape *tape) {
    int last = tape->first_stage;
    for (int i = 0; i < p->inputs; i++)
        if (-tape->instr[p->input[i]].offset > last) last = -tape->instr[p->input[i]].offset;
    return last;
}

void taut_point_eval(taut_point *p, const taut_jet *jet, double *result) {
    double *value = p->value;
    for (int i = 0; i < p->inputs; i++) value[i] = *taut_jet_at(jet, p->input[i], 0);
    for (int i = 0; i < p->steps; i++) {
        const operation *o = &p->step[i];
        double v = o->constant;
        switch (o->op) {
        case TAUT_OP_CONST: break;
        case TAUT_OP_SUM:
            for (int k = 0; k < o->count; k++)
                v += p->coef[o->first + k] * value[p->term[o->first + k]];
            break;
        case TAUT_OP_MUL: v = value[o->a] * value[o->b]; break;
        case TAUT_OP_SQR: v = value[o->a] * value[o->a]; break;
        default: v = taut_op_value((taut_op)o->op, value[o->a], value[o->b]);
        }
        value[p->inputs + i] = v;
    }
    for (size_t i = 0; i < p->targets; i++) result[i] = value[p->target[i]];
}
