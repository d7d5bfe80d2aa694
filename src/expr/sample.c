/* A straight-line program over lanes of times. It shares nothing with Taylor arithmetic but the
 * graph, so that the two can be set against each other. */
#include "expr/sample.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "expr/ops.h"

/* ---- the program ---- */

/* Is this a leaf of the program: something that the caller gives? */
static bool is_input(const taut_graph *g, taut_node v) {
    const taut_node_data *d = taut_node_get(g, v);
    return !d->steady && (d->op == TAUT_OP_VAR || d->op == TAUT_OP_DIFF);
}

/* Marks what the targets need; arguments have smaller ids than results. */
static void mark(const taut_graph *g, uint8_t *wanted, taut_node size) {
    for (taut_node v = size; v-- > 1;) {
        const taut_node_data *d = taut_node_get(g, v);
        if (!wanted[v] || d->steady || is_input(g, v)) continue;
        for (uint32_t i = 0; i < d->count; i++) wanted[taut_node_args(g, v)[i]] = 1;
    }
}

static taut_sample_input input_of(const taut_graph *g, taut_node v) {
    const taut_node_data *d = taut_node_get(g, v);
    taut_sample_input x = {.node = v, .variable = d->index};
    if (d->op == TAUT_OP_VAR) return x;
    x.node = taut_node_args(g, v)[0];
    x.order = d->index;
    const taut_node_data *of = taut_node_get(g, x.node);
    x.variable = of->op == TAUT_OP_VAR ? of->index : -1;
    return x;
}

static taut_status translate_sum(const taut_graph *g, taut_node v, const int *slot_of,
                                 taut_arena *arena, taut_sample_step *step) {
    const int count = (int)taut_node_get(g, v)->count;
    int *slot = TAUT_NEW_ARRAY(arena, count, int);
    double *by = TAUT_NEW_ARRAY(arena, count, double);
    if (!slot || !by) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        slot[i] = slot_of[taut_node_args(g, v)[i]];
        by[i] = taut_node_coefs(g, v)[i];
    }
    step->count = count;
    step->slot = slot;
    step->by = by;
    step->constant = taut_node_get(g, v)->constant;
    return TAUT_OK;
}

static taut_status translate(const taut_graph *g, taut_node v, const int *slot_of,
                             taut_arena *arena, taut_sample *s) {
    const taut_node_data *d = taut_node_get(g, v);
    taut_sample_step *step = &s->step[slot_of[v]];
    *step = (taut_sample_step){.op = d->op, .a = -1, .b = -1};
    if (d->steady) {
        step->op = TAUT_OP_CONST;
        step->constant = d->value;
        step->origin = taut_numbers_node(s->numbers, v);
    } else if (is_input(g, v)) {
        step->op = TAUT_OP_VAR;
        step->a = s->inputs;
        s->input[s->inputs++] = input_of(g, v);
    } else if (d->op == TAUT_OP_SUM) {
        return translate_sum(g, v, slot_of, arena, step);
    } else {
        if (d->count > 0) step->a = slot_of[taut_node_args(g, v)[0]];
        if (d->count > 1) step->b = slot_of[taut_node_args(g, v)[1]];
    }
    return TAUT_OK;
}

/* Which values depend on t alone. */
static void find_timed(taut_sample *s) {
    for (int i = 0; i < s->size; i++) {
        taut_sample_step *x = &s->step[i];
        x->timed = x->op != TAUT_OP_VAR;
        for (int k = 0; k < x->count; k++) x->timed = x->timed && s->step[x->slot[k]].timed;
        if (x->op == TAUT_OP_VAR || x->op == TAUT_OP_SUM) continue;
        if (x->a >= 0) x->timed = x->timed && s->step[x->a].timed;
        if (x->b >= 0) x->timed = x->timed && s->step[x->b].timed;
    }
}

static taut_status build(const taut_graph *g, const taut_node *target, const uint8_t *wanted,
                         taut_arena *arena, taut_sample *s) {
    const taut_node size = taut_graph_size(g);
    int *slot_of = TAUT_NEW_ARRAY(arena, size, int), inputs = 0;
    if (!slot_of) return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v < size; v++)
        if (wanted[v]) {
            slot_of[v] = s->size++;
            inputs += is_input(g, v);
        }
    s->step = TAUT_NEW_ARRAY(arena, s->size, taut_sample_step);
    s->input = TAUT_NEW_ARRAY(arena, inputs, taut_sample_input);
    s->given = taut_arena_array(arena, (size_t)inputs, sizeof *s->given);
    s->slot = taut_arena_array(arena, (size_t)s->size, sizeof *s->slot);
    s->value = taut_arena_array(arena, (size_t)s->targets, sizeof *s->value);
    s->target = TAUT_NEW_ARRAY(arena, s->targets, int);
    if (!s->step || !s->input || !s->given || !s->slot || !s->value || !s->target)
        return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v < size; v++)
        if (wanted[v]) TAUT_TRY(translate(g, v, slot_of, arena, s));
    for (int i = 0; i < s->targets; i++) {
        s->target[i] = slot_of[target[i]];
        s->value[i] = s->slot[s->target[i]];
    }
    find_timed(s);
    if (!s->numbers) return TAUT_OK;
    TAUT_TRY(taut_numbers_finish(s->numbers));
    const size_t count = (size_t)taut_numbers_count(s->numbers);
    s->number = TAUT_NEW_ARRAY(arena, count, double);
    if (!s->number) return TAUT_ERR_MEMORY;
    memcpy(s->number, taut_numbers_values(s->numbers), count * sizeof *s->number);
    return TAUT_OK;
}

taut_status taut_sample_create(const taut_graph *g, const taut_node *target, int targets,
                               taut_arena *arena, taut_sample *sample) {
    uint8_t *wanted = TAUT_NEW_ARRAY(arena, taut_graph_size(g), uint8_t);
    *sample = (taut_sample){.targets = targets};
    if (!wanted) return TAUT_ERR_MEMORY;
    for (int i = 0; i < targets; i++) wanted[target[i]] = 1;
    mark(g, wanted, taut_graph_size(g));
    TAUT_TRY(taut_numbers_create(g, arena, &sample->numbers));
    const taut_status status = build(g, target, wanted, arena, sample);
    if (status != TAUT_OK) taut_numbers_abandon(sample->numbers);
    return status;
}

taut_status taut_sample_set_numbers(taut_sample *s, const double *parameter) {
    if (s->size == 0) return TAUT_OK;
    if (!taut_numbers_run(s->numbers, parameter, s->number)) return TAUT_CONTRADICTED;
    for (int i = 0; i < s->size; i++)
        if (s->step[i].origin) s->step[i].constant = s->number[s->step[i].origin];
    return TAUT_OK;
}

/* ---- values ---- */

static void find_sum(const taut_sample *s, const taut_sample_step *x, double *v) {
    for (int m = 0; m < TAUT_SAMPLES; m++) v[m] = x->constant;
    for (int k = 0; k < x->count; k++) {
        const double *a = s->slot[x->slot[k]];
        for (int m = 0; m < TAUT_SAMPLES; m++) v[m] += x->by[k] * a[m];
    }
}

static void find_step(const taut_sample *s, const taut_sample_step *x, double *v) {
    const double *a = x->a >= 0 && x->op != TAUT_OP_VAR ? s->slot[x->a] : NULL;
    const double *b = x->b >= 0 ? s->slot[x->b] : a;
    assert(a || x->op == TAUT_OP_CONST || x->op == TAUT_OP_TIME || x->op == TAUT_OP_VAR ||
           x->op == TAUT_OP_SUM);
    switch (x->op) {
    case TAUT_OP_CONST:
        for (int m = 0; m < TAUT_SAMPLES; m++) v[m] = x->constant;
        break;
    case TAUT_OP_TIME: memcpy(v, s->time, sizeof s->time); break;
    case TAUT_OP_VAR: memcpy(v, s->given[x->a], sizeof s->given[0]); break;
    case TAUT_OP_SUM: find_sum(s, x, v); break;
    case TAUT_OP_MUL:
        for (int m = 0; m < TAUT_SAMPLES; m++) v[m] = a[m] * b[m];
        break;
    case TAUT_OP_SQR:
        for (int m = 0; m < TAUT_SAMPLES; m++) v[m] = a[m] * a[m];
        break;
    default:
        for (int m = 0; m < TAUT_SAMPLES; m++) v[m] = taut_op_value((taut_op)x->op, a[m], b[m]);
    }
}

void taut_sample_find(taut_sample *s) {
    for (int i = 0; i < s->size; i++) find_step(s, &s->step[i], s->slot[i]);
}
