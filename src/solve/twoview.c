/* Coefficients of the nodes by Taylor arithmetic on a tape of their own: the motion is given, so
 * nothing is solved. */
#include "solve/twoview.h"

#include <math.h>

static taut_status build_jet(taut_twoview *v, taut_graph *graph, int stages, taut_arena *arena) {
    taut_tape *tape;
    TAUT_TRY(taut_tape_create(graph, v->d, v->vigil.node, (size_t)v->vigil.outputs, arena, &tape));
    TAUT_TRY(taut_jet_create(tape, stages - 1, arena, &v->jet));
    for (int j = 0; j < v->n; j++) v->variable[j] = taut_tape_slot(tape, taut_variable(graph, j));
    for (int i = 0; i < v->vigil.outputs; i++) v->slot[i] = taut_tape_slot(tape, v->vigil.node[i]);
    return TAUT_OK;
}

taut_status taut_twoview_create(const taut_system *system, const taut_structure *structure,
                                const taut_stepping *stepping, int stages, taut_arena *arena,
                                taut_twoview *v) {
    *v = (taut_twoview){.d = structure->offsets.d, .n = system->n};
    TAUT_TRY(taut_vigil_create(system, stepping, arena, &v->vigil));
    if (v->vigil.nodes == 0) return TAUT_OK;
    v->variable = TAUT_NEW_ARRAY(arena, v->n, int);
    v->slot = TAUT_NEW_ARRAY(arena, v->vigil.outputs, int);
    v->poly = TAUT_NEW_ARRAY(arena, v->vigil.outputs, taut_twopoint);
    if (!v->variable || !v->slot || !v->poly) return TAUT_ERR_MEMORY;
    return build_jet(v, system->graph, stages, arena);
}

taut_status taut_twoview_set_numbers(taut_twoview *v, const double *parameter) {
    if (v->vigil.nodes == 0) return TAUT_OK;
    TAUT_TRY(taut_vigil_set_numbers(&v->vigil, parameter));
    return taut_jet_set_numbers(v->jet, parameter);
}

/* The series of the nodes at one end. */
static void expand(taut_twoview *v, const taut_twoview_end *end, double h) {
    taut_jet_start(v->jet, end->t, h);
    for (int j = 0; j < v->n; j++)
        for (int k = 0; v->variable[j] >= 0 && k < end->stages + v->d[j]; k++)
            *taut_jet_at(v->jet, v->variable[j], k) = end->x[j][k];
    for (int s = v->jet->tape->first_stage; s < end->stages; s++) taut_jet_stage(v->jet, s);
}

/* How many coefficients of a node are known there; what is a function of t alone has more than
 * anybody needs. */
static int known(const taut_twoview *v, int i, const taut_twoview_end *end) {
    const int count = end->stages + v->jet->tape->instr[v->slot[i]].offset;
    return count < 0 ? 0 : count < TAUT_TWOPOINT_MOST / 2 ? count : TAUT_TWOPOINT_MOST / 2;
}

static void read(const taut_twoview *v, int i, int count, double *c) {
    for (int k = 0; k < count; k++) c[k] = *taut_jet_at(v->jet, v->slot[i], k);
}

/* x_j^(k), or that of an expression, from its polynomial. */
static void look(const taut_twoview *v, const taut_twopoint *poly, int k, const double *time,
                 double *value) {
    const double unit = taut_unscale(v->h, k);
    for (int m = 0; m < TAUT_SAMPLES; m++)
        value[m] = unit * taut_twopoint_value(poly, k, (time[m] - v->begin) / v->h);
}

static bool glimpse(void *user, const taut_sample_input *x, const double *time, double *value) {
    const taut_twoview *v = user;
    const taut_twopoint *poly = x->variable >= 0 ? &v->motion[x->variable] : NULL;
    for (int i = v->vigil.nodes; i < v->vigil.outputs && !poly; i++)
        if (v->vigil.node[i] == x->node) poly = &v->poly[i];
    if (poly) look(v, poly, x->order, time, value);
    return poly != NULL;
}

static void expect(void *user, int node, const double *time, double *value) {
    const taut_twoview *v = user;
    look(v, &v->poly[node], 0, time, value);
}

bool taut_twoview_agrees(taut_twoview *v, const taut_twoview_end *left,
                         const taut_twoview_end *right, double h, const taut_twopoint *motion,
                         double *good) {
    double c[TAUT_TWOPOINT_MOST];
    *good = right->t;
    if (v->vigil.nodes == 0) return true;
    v->motion = motion;
    v->begin = left->t;
    v->h = h;
    expand(v, left, h);
    for (int i = 0; i < v->vigil.outputs; i++) {
        v->poly[i].lefts = known(v, i, left);
        read(v, i, v->poly[i].lefts, v->poly[i].left);
    }
    expand(v, right, h);
    for (int i = 0; i < v->vigil.outputs; i++) {
        double first[TAUT_TWOPOINT_MOST];
        const int lefts = v->poly[i].lefts, rights = known(v, i, right);
        for (int k = 0; k < lefts; k++) first[k] = v->poly[i].left[k];
        read(v, i, rights, c);
        taut_twopoint_set(&v->poly[i], first, lefts, c, rights);
    }
    const taut_view view = {glimpse, expect, v};
    return taut_vigil_agrees(&v->vigil, &view, left->t, right->t, good);
}
