/* Evaluates a jet (truncated Taylor series) up to the order that is needed, at scale 1. */
#include "expr/values.h"

#include "expr/plain.h"

taut_status taut_values_create(taut_graph *graph, const int *d, int variables,
                               taut_values_wanted wanted, taut_arena *arena, taut_values *v) {
    const taut_node *target = wanted.target, *moving = wanted.moving;
    const size_t targets = wanted.targets, movings = wanted.movings;
    taut_node *extra = NULL, *root = NULL;
    size_t extras = 0, room = 0, count = 0;
    *v = (taut_values){.variables = variables};
    v->variable = TAUT_NEW_ARRAY(arena, variables, int);
    v->moving = TAUT_NEW_ARRAY(arena, movings, int);
    if (!v->variable || !v->moving) return TAUT_ERR_MEMORY;
    taut_status status = taut_plain_leaves(graph, target, targets, &extra, &extras);
    if (status == TAUT_OK &&
        taut_grow((void **)&root, &room, (size_t)variables + movings + extras + 1, sizeof *root))
        status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        for (int j = 0; j < variables; j++) root[count++] = taut_variable(graph, j);
        for (size_t i = 0; i < movings; i++) root[count++] = moving[i];
        for (size_t i = 0; i < extras; i++) root[count++] = extra[i];
        status = taut_tape_create(graph, d, root, count, arena, &v->tape);
    }
    if (status == TAUT_OK) status = taut_jet_create(v->tape, 0, arena, &v->jet);
    if (status == TAUT_OK) status = taut_point_create(v->tape, target, targets, arena, &v->point);
    for (int j = 0; j < variables && status == TAUT_OK; j++)
        v->variable[j] = taut_tape_slot(v->tape, root[j]);
    for (size_t i = 0; i < movings && status == TAUT_OK; i++)
        v->moving[i] = taut_tape_slot(v->tape, moving[i]);
    if (status == TAUT_OK) v->last_stage = movings > 0 ? 0 : taut_point_stage(v->point, v->tape);
    taut_release((void **)&extra);
    taut_release((void **)&root);
    return status;
}

taut_status taut_values_copy(const taut_values *like, taut_arena *arena, taut_values *v) {
    *v = *like;
    TAUT_TRY(taut_jet_copy(like->jet, arena, &v->jet));
    return taut_point_copy(like->point, arena, &v->point);
}

taut_status taut_values_set_numbers(taut_values *v, const double *parameter) {
    TAUT_TRY(taut_jet_set_numbers(v->jet, parameter));
    return taut_point_set_numbers(v->point, parameter);
}

void taut_values_set(taut_values *v, int j, int k, double value) {
    *taut_jet_at(v->jet, v->variable[j], k) = k == 2 ? 0.5 * value : value;
}

void taut_values_find(taut_values *v, double t, double *target) {
    taut_jet_start(v->jet, t, 1.0);
    for (int s = v->tape->first_stage; s <= v->last_stage; s++) taut_jet_stage(v->jet, s);
    if (target) taut_point_eval(v->point, v->jet, target);
}

double taut_values_value(const taut_values *v, int i) {
    return *taut_jet_at(v->jet, v->moving[i], 0);
}

double taut_values_rate(const taut_values *v, int i) {
    return *taut_jet_at(v->jet, v->moving[i], 1);
}
