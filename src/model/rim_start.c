/* Where circles on curves are nearest to them at the start, as far as the file says where they
 * begin: all of them at once, since formulas of one file are compiled together in the time that one
 * of them takes. */
#include <math.h>
#include <string.h>

#include "expr/sample.h"
#include "expr/substitute.h"
#include "model/outset.h"
#include "model/rim.h"

enum { GUESSES = 24, STEPS = 40 }; /* directions that are looked at; then between two of them */
enum { MOST_NODES = 1000000 };     /* of longer files the search would cost more than it is worth */

typedef struct search {
    taut_reader *reader;
    int rims;
    taut_model_contact **rim; /* [rims] */
    int *of_leaf;             /* [leaves] the rim whose angle this is; -1: none's */
    taut_node *target;        /* [2 * rims] profiles, then what is zero where it is nearest */
    taut_sample sample;
    double (*angle)[TAUT_SAMPLES]; /* [rims] to be looked at */
    double *least, *best;          /* [rims] */
    double (*end)[2], (*value)[2]; /* [rims] a bracket and what faces there */
    bool *open;                    /* [rims] it is still searched */
    taut_arena arena;
} search;

/* Angles become variables, what the file gives numbers; the rest a variable that is not known. */
static taut_node put_start(void *user, int leaf) {
    const search *s = user;
    taut_graph *g = s->reader->model->graph;
    double value;
    if (s->of_leaf[leaf] >= 0) return taut_variable(g, s->of_leaf[leaf]);
    return taut_outset_leaf(s->reader->symbols, leaf, &value) ? taut_number(g, value)
                                                              : taut_variable(g, s->rims);
}

static taut_status make_room(search *s) {
    const taut_model *m = s->reader->model;
    for (int i = 0; i < m->contacts; i++) s->rims += m->contact[i].turn != TAUT_NO_NODE;
    const size_t n = (size_t)s->rims;
    s->rim = TAUT_NEW_ARRAY(&s->arena, n, taut_model_contact *);
    s->of_leaf = TAUT_NEW_ARRAY(&s->arena, m->leaves, int);
    s->target = TAUT_NEW_ARRAY(&s->arena, 2 * n, taut_node);
    s->angle = taut_arena_array(&s->arena, n, sizeof *s->angle);
    s->least = TAUT_NEW_ARRAY(&s->arena, n, double);
    s->best = TAUT_NEW_ARRAY(&s->arena, n, double);
    s->end = taut_arena_array(&s->arena, n, sizeof *s->end);
    s->value = taut_arena_array(&s->arena, n, sizeof *s->value);
    s->open = TAUT_NEW_ARRAY(&s->arena, n, bool);
    return s->rim && s->of_leaf && s->target && s->angle && s->least && s->best && s->end &&
                   s->value && s->open
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

/* The formulas of all rims, at the start. */
static taut_status place(search *s) {
    taut_model *m = s->reader->model;
    taut_substitution *substitution;
    taut_status status = TAUT_OK;
    for (int i = 0; i < m->leaves; i++) s->of_leaf[i] = -1;
    for (int i = 0, k = 0; i < m->contacts; i++) {
        taut_model_contact *c = &m->contact[i];
        if (c->turn == TAUT_NO_NODE) continue;
        s->of_leaf[taut_node_get(m->graph, c->turn)->index] = k;
        s->rim[k] = c;
        s->target[k] = c->profile;
        s->target[s->rims + k++] = c->facing;
    }
    if (!taut_symbols_ground(s->reader->symbols, s->target, 2 * s->rims)) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_substitution_create(m->graph, put_start, s, &substitution));
    for (int k = 0; k < 2 * s->rims && status != TAUT_ERR_MEMORY; k++) {
        taut_node node = TAUT_NO_NODE;
        bool finite;
        status = taut_substitute(substitution, s->target[k], &node, &finite);
        s->target[k] = node != TAUT_NO_NODE ? node : taut_variable(m->graph, s->rims);
    }
    taut_substitution_free(&substitution);
    return status == TAUT_ERR_MEMORY || taut_graph_failed(m->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

static void look(search *s) {
    for (int i = 0; i < s->sample.inputs; i++) {
        const taut_sample_input *x = &s->sample.input[i];
        const bool known = x->order == 0 && x->variable >= 0 && x->variable < s->rims;
        for (int lane = 0; lane < TAUT_SAMPLES; lane++)
            s->sample.given[i][lane] = known ? s->angle[x->variable][lane] : (double)NAN;
    }
    taut_sample_find(&s->sample);
}

/* The best of directions all around; nothing is searched where the start is not known. */
static void look_around(search *s) {
    const double step = 2.0 * M_PI / GUESSES;
    for (int k = 0; k < s->rims; k++) {
        s->open[k] = true;
        s->least[k] = (double)INFINITY;
        s->best[k] = -0.5 * M_PI;
    }
    for (int first = 0; first < GUESSES; first += TAUT_SAMPLES) {
        for (int k = 0; k < s->rims; k++)
            for (int lane = 0; lane < TAUT_SAMPLES; lane++)
                s->angle[k][lane] = step * (first + lane) - M_PI;
        look(s);
        for (int k = 0; k < s->rims; k++)
            for (int lane = 0; lane < TAUT_SAMPLES && s->open[k]; lane++) {
                const double value = s->sample.value[k][lane];
                s->open[k] = !isnan(value);
                if (!(value < s->least[k])) continue;
                s->least[k] = value;
                s->best[k] = s->angle[k][lane];
            }
    }
}

/* The ends between which what faces changes its sign. */
static void bracket(search *s) {
    const double step = 2.0 * M_PI / GUESSES;
    for (int k = 0; k < s->rims; k++) {
        s->rim[k]->outset = s->best[k];
        for (int end = 0; end < 2; end++)
            s->angle[k][end] = s->end[k][end] = s->best[k] + (end ? step : -step);
        for (int lane = 2; lane < TAUT_SAMPLES; lane++) s->angle[k][lane] = s->best[k];
    }
    look(s);
    for (int k = 0; k < s->rims; k++) {
        memcpy(s->value[k], s->sample.value[s->rims + k], sizeof s->value[k]);
        s->open[k] = s->open[k] && s->value[k][0] < 0.0 && s->value[k][1] > 0.0;
    }
}

/* One step of regula falsi, by Illinois; false: nothing is searched any more. */
static bool refine(search *s) {
    bool any = false;
    for (int k = 0; k < s->rims; k++) {
        const double *f = s->value[k], *at = s->end[k];
        if (s->open[k]) s->angle[k][0] = (f[0] * at[1] - f[1] * at[0]) / (f[0] - f[1]);
        any = any || s->open[k];
    }
    if (!any) return false;
    look(s);
    for (int k = 0; k < s->rims; k++) {
        const double f = s->sample.value[s->rims + k][0];
        const int side = f < 0.0 ? 0 : 1;
        if (!s->open[k]) continue;
        s->rim[k]->outset = isfinite(f) ? s->angle[k][0] : s->best[k];
        s->open[k] = isfinite(f) && fabs(f) > 1e-15;
        s->end[k][side] = s->angle[k][0];
        s->value[k][side] = f;
        s->value[k][1 - side] *= 0.5;
    }
    return true;
}

taut_status taut_rims_find_start(taut_reader *r) {
    search s = {.reader = r};
    double t;
    taut_status status = make_room(&s);
    if (taut_graph_size(r->model->graph) > MOST_NODES) s.rims = 0;
    if (s.rims > 0 && status == TAUT_OK) status = place(&s);
    if (s.rims > 0 && status == TAUT_OK && taut_outset_time(r->symbols, &t)) {
        status = taut_sample_create(r->model->graph, s.target, 2 * s.rims, &s.arena, &s.sample);
        if (status == TAUT_OK) {
            for (int lane = 0; lane < TAUT_SAMPLES; lane++) s.sample.time[lane] = t;
            look_around(&s);
            bracket(&s);
            for (int k = 0; k < STEPS; k++)
                if (!refine(&s)) break;
        }
    }
    taut_arena_release(&s.arena);
    return status;
}
