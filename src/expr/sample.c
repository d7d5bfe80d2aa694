/* A plain tape over lanes of times. It shares nothing with Taylor arithmetic but the operators, so
 * that the two can be set against each other. */
#include "expr/sample.h"

#include <string.h>

#include "expr/ops.h"

/* ---- creation ---- */

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

static taut_status make_room(const taut_graph *g, taut_arena *arena, taut_sample *s) {
    const taut_plain *p = &s->plain;
    s->inputs = p->inputs;
    s->input = TAUT_NEW_ARRAY(arena, p->inputs, taut_sample_input);
    s->given = taut_arena_array(arena, (size_t)p->inputs, sizeof *s->given);
    s->slot = taut_arena_array(arena, (size_t)p->tape.size, sizeof *s->slot);
    s->value = taut_arena_array(arena, p->targets, sizeof *s->value);
    if (!s->input || !s->given || !s->slot || !s->value) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->inputs; i++) s->input[i] = input_of(g, p->input[i]);
    TAUT_TRY(taut_numbers_finish(p->tape.numbers));
    s->number = taut_numbers_instance(p->tape.numbers, arena);
    return s->number ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_sample_create(const taut_graph *g, const taut_node *target, int targets,
                               taut_arena *arena, taut_sample *sample) {
    *sample = (taut_sample){.inputs = 0};
    TAUT_TRY(taut_plain_create(g, (taut_plain_wanted){.target = target, .targets = (size_t)targets},
                               arena, arena, &sample->plain));
    const taut_status status = make_room(g, arena, sample);
    taut_numbers_abandon(sample->plain.tape.numbers);
    return status;
}

taut_status taut_sample_set_numbers(taut_sample *s, const double *parameter) {
    const taut_plain *p = &s->plain;
    const taut_tape *t = &p->tape;
    if (t->size == 0) return TAUT_OK;
    if (!taut_numbers_run(t->numbers, parameter, s->number)) return TAUT_CONTRADICTED;
    for (int i = 0; i < t->size; i++)
        if (t->origin[i]) t->constant[i] = s->number[t->origin[i]];
    for (int k = 0; k < t->terms; k++)
        if (t->term[k].origin) t->term[k].coef = s->number[t->term[k].origin];
    for (size_t i = 0; i < p->targets; i++)
        if (p->target[i].origin) p->target[i].coef = s->number[p->target[i].origin];
    return TAUT_OK;
}

bool taut_sample_is_timed(const taut_sample *s, int i) {
    return !s->plain.tape.instr[s->plain.target[i].slot].active;
}

/* ---- values ---- */

static void fill(double *v, double value) {
    for (int m = 0; m < TAUT_SAMPLES; m++) v[m] = value;
}

static void find_sum(const taut_sample *s, int slot, double *v) {
    const taut_tape *t = &s->plain.tape;
    const taut_instr *x = &t->instr[slot];
    fill(v, t->constant[slot]);
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *term = &t->term[k];
        const double *a = s->slot[term->slot];
        const double *b = term->other >= 0 ? s->slot[term->other] : NULL;
        for (int m = 0; m < TAUT_SAMPLES; m++) v[m] += term->coef * (b ? a[m] * b[m] : a[m]);
    }
}

static void find_slot(taut_sample *s, int slot) {
    const taut_instr *x = &s->plain.tape.instr[slot];
    double *v = s->slot[slot];
    switch (x->kernel) {
    case TAUT_KERNEL_STEADY: fill(v, s->plain.tape.constant[slot]); break;
    case TAUT_KERNEL_TIME: memcpy(v, s->time, sizeof s->time); break;
    case TAUT_KERNEL_INPUT: memcpy(v, s->given[x->index], sizeof s->given[0]); break;
    case TAUT_KERNEL_SUM: find_sum(s, slot, v); break;
    default: {
        const double *a = s->slot[x->a], *b = s->slot[x->b >= 0 ? x->b : x->a];
        for (int m = 0; m < TAUT_SAMPLES; m++) v[m] = taut_op_value((taut_op)x->op, a[m], b[m]);
    }
    }
}

void taut_sample_find(taut_sample *s) {
    const taut_plain *p = &s->plain;
    for (int i = 0; i < p->tape.size; i++) find_slot(s, i);
    for (size_t i = 0; i < p->targets; i++)
        for (int m = 0; m < TAUT_SAMPLES; m++)
            s->value[i][m] = p->target[i].coef * s->slot[p->target[i].slot][m];
}
