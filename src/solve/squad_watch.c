/* What others want to know at the ends of steps: outputs of series of their own, side by side. */
#include <string.h>

#include "solve/squad_parts.h"

taut_status taut_squad_watch(taut_squad *q, const taut_series *like, const int *output,
                             int outputs) {
    taut_squad_view *v = &q->view;
    if (like->plan->structure != q->like->structure) return TAUT_OK;
    v->slot = TAUT_NEW_ARRAY(&q->arena, outputs, int);
    v->value = TAUT_NEW_ARRAY(&q->arena, outputs, taut_abreast);
    if (!v->slot || !v->value) return TAUT_ERR_MEMORY;
    v->last = -1; /* the state is enough */
    v->plan = like->plan;
    v->tape = like->view ? like->view->tape : like->tape;
    v->input = like->view ? like->view->input : like->variable;
    for (int i = 0; i < outputs; i++) {
        v->slot[i] = (like->view ? like->view->output : like->output)[output[i]];
        if (taut_series_output_stage(like, output[i], 0) >= 0) v->last = 0;
    }
    v->outputs = outputs;
    return taut_jets_create(like->view ? v->plan->view->jet : v->plan->jet, &q->arena, &v->jets);
}

void taut_squad_set_watcher(taut_squad *q, int lane, const taut_series *series) {
    if (q->view.watcher[lane] == series) return;
    q->view.watcher[lane] = series;
    q->view.known[lane] = false;
}

bool taut_squad_outputs(const taut_squad *q, int lane, double *value) {
    if (!taut_in_crowd(q->view.seen, lane)) return false;
    for (int i = 0; i < q->view.outputs; i++) value[i] = q->view.value[i][lane];
    return true;
}

/* The points with which the landings began, as taut_taylor_put. */
static void put(const taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    const taut_squad_view *v = &q->view;
    taut_jets_start(v->jets, q->t, q->sheaf->jets->h);
    for (int j = 0; j < p->system->n; j++)
        if (v->input[j] >= 0)
            taut_sheaf_put(v->jets, v->input[j], p->structure->offsets.d[j],
                           (const double *)&q->leading[j]);
    for (int i = 0; i < p->states; i++)
        if (v->input[p->state[i].variable] >= 0)
            taut_sheaf_put(v->jets, v->input[p->state[i].variable], p->state[i].order,
                           (const double *)&q->put[i]);
}

void taut_squad_look_on(taut_squad *q, taut_crowd who) {
    taut_squad_view *v = &q->view;
    v->seen = 0;
    for (int l = 0; l < TAUT_ABREAST && v->jets; l++) {
        if (!taut_in_crowd(who, l) || !v->watcher[l] || v->watcher[l]->plan != v->plan) continue;
        const taut_series *own = v->watcher[l];
        if (!v->known[l]) taut_jets_take_numbers(v->jets, l, own->view ? own->view->jet : own->jet);
        v->known[l] = true;
        taut_join_crowd(&v->seen, l);
    }
    if (!v->seen) return;
    put(q);
    for (int stage = v->tape->first_stage; stage <= v->last; stage++)
        taut_jets_stage(v->jets, stage);
    for (int i = 0; i < v->outputs; i++)
        memcpy(&v->value[i], taut_jets_at(v->jets, v->slot[i], 0), sizeof v->value[i]);
}
