/* A tape for outputs alone, fed from the variables of a series. */
#include "solve/straight_sight.h"

static taut_status find_slots(taut_series_view *v, const taut_node *output, int outputs,
                              taut_arena *arena) {
    int *input = TAUT_NEW_ARRAY(arena, v->n, int), *slot = TAUT_NEW_ARRAY(arena, outputs, int);
    if (!input || !slot) return TAUT_ERR_MEMORY;
    for (int j = 0; j < v->n; j++) input[j] = -1;
    for (int i = 0; i < v->tape->size; i++)
        if (v->tape->instr[i].kernel == TAUT_KERNEL_VARIABLE) input[v->tape->instr[i].index] = i;
    for (int i = 0; i < outputs; i++) slot[i] = taut_tape_slot(v->tape, output[i]);
    v->input = input;
    v->output = slot;
    return TAUT_OK;
}

taut_status taut_series_view_create(taut_graph *graph, const int *d, int n, int last_stage,
                                    const taut_node *output, int outputs, taut_arena *arena,
                                    taut_series_view **view) {
    taut_tape *tape;
    taut_series_view *v = TAUT_NEW(arena, taut_series_view);
    if (!v) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_tape_create(graph, d, output, (size_t)outputs, arena, &tape));
    *v = (taut_series_view){.tape = tape, .d = d, .n = n, .stage = TAUT_NO_STAGE};
    TAUT_TRY(find_slots(v, output, outputs, arena));
    for (int i = 0; i < outputs; i++)
        if (-tape->instr[v->output[i]].offset > last_stage)
            last_stage = -tape->instr[v->output[i]].offset;
    TAUT_TRY(taut_jet_create(tape, last_stage, arena, &v->jet));
    *view = v;
    return TAUT_OK;
}

taut_status taut_series_view_copy(const taut_series_view *like, taut_arena *arena,
                                  taut_series_view **view) {
    taut_series_view *v = TAUT_NEW(arena, taut_series_view);
    if (!v) return TAUT_ERR_MEMORY;
    *v = *like;
    v->stage = TAUT_NO_STAGE;
    v->sight = NULL;
    TAUT_TRY(taut_jet_copy(like->jet, arena, &v->jet));
    *view = v;
    return TAUT_OK;
}

/* Order s + d_j of the variables; at the first stage all below as well, which is none but 0. */
static void feed(taut_series_view *v, int s, const taut_jet *from, const int *variable) {
    for (int j = 0; j < v->n; j++) {
        const int k = s + v->d[j];
        if (v->input[j] >= 0 && k >= 0)
            *taut_jet_at(v->jet, v->input[j], k) = *taut_jet_at(from, variable[j], k);
    }
}

void taut_series_view_reach(taut_series_view *v, int stage, const taut_jet *from,
                            const int *variable) {
    if (v->stage >= stage) return;
    if (v->stage == TAUT_NO_STAGE) {
        taut_jet_start(v->jet, from->t, from->h);
        v->stage = v->tape->first_stage - 1;
    }
    while (v->stage < stage) {
        feed(v, ++v->stage, from, variable);
        taut_jet_stage(v->jet, v->stage);
    }
    if (v->sight) taut_sight_verify(v, from, variable);
}
