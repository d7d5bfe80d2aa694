/* A tape of its own for watched nodes, fed from a stepper's expansions. */
#include "solve/watched.h"

#include <math.h>
#include <string.h>

#include "expr/ops.h"
#include "solve/twopoint.h"
#include "solve/watched_parts.h"

/* ---- creation ---- */

/* The nodes, and behind them those whose derivatives they contain: of these a look takes the
 * derivative of the course, so that the course has to be looked at as well. */
static taut_status list_nodes(taut_watched *w, const taut_watching *wanted, taut_node **list) {
    const taut_graph *g = w->system->graph;
    const taut_node size = taut_graph_size(g);
    taut_arena work = {0};
    uint8_t *below = TAUT_NEW_ARRAY(&work, size, uint8_t);
    taut_node *found = below ? TAUT_NEW_ARRAY(&work, size, taut_node) : NULL;
    int extra = 0;
    for (int i = 0; i < w->count && found; i++) below[wanted->node[i]] = 1;
    for (taut_node v = size; v-- > 1 && found;) {
        const taut_node_data *d = taut_node_get(g, v);
        if (!below[v] || d->steady) continue;
        const taut_node *arg = taut_node_args(g, v);
        for (uint32_t i = 0; i < d->count; i++) below[arg[i]] = 1;
        if (d->op == TAUT_OP_DIFF && taut_node_get(g, arg[0])->op != TAUT_OP_VAR)
            found[extra++] = arg[0];
    }
    w->nodes = w->count + extra;
    *list = found ? TAUT_NEW_ARRAY(&w->arena, w->nodes, taut_node) : NULL;
    for (int i = 0; i < w->nodes && *list; i++)
        (*list)[i] = i < w->count ? wanted->node[i] : found[i - w->count];
    taut_arena_release(&work);
    return *list ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status build(taut_watched *w, const taut_watching *wanted) {
    const int n = w->system->n, orders = w->most + w->structure->largest_d + 1;
    taut_graph *graph = w->system->graph;
    taut_node *node;
    TAUT_TRY(list_nodes(w, wanted, &node));
    w->slot = TAUT_NEW_ARRAY(&w->arena, w->nodes, int);
    w->variable = TAUT_NEW_ARRAY(&w->arena, n, int);
    w->course = TAUT_NEW_ARRAY(&w->arena, w->nodes, taut_course);
    w->left = TAUT_NEW_ARRAY(&w->arena, 2 * orders, double);
    w->idle = TAUT_NEW_ARRAY(&w->arena, w->nodes, bool);
    w->derivative = TAUT_NEW_ARRAY(&w->arena, w->nodes, int);
    if (!w->slot || !w->variable || !w->course || !w->left || !w->idle || !w->derivative)
        return TAUT_ERR_MEMORY;
    w->right = w->left + orders;
    TAUT_TRY(taut_tape_create(graph, w->structure->offsets.d, node, (size_t)w->nodes, &w->arena,
                              &w->tape));
    TAUT_TRY(taut_jet_create(w->tape, w->most, &w->arena, &w->jet));
    for (int i = 0; i < w->nodes; i++) {
        w->slot[i] = taut_tape_slot(w->tape, node[i]);
        /* two-point polynomials have the orders of both ends */
        w->course[i].c = TAUT_NEW_ARRAY(&w->arena, 2 * orders, double);
        if (!w->course[i].c) return TAUT_ERR_MEMORY;
    }
    for (int j = 0; j < n; j++) w->variable[j] = -1;
    w->plain = true;
    for (int i = 0; i < w->tape->size; i++) {
        if (w->tape->instr[i].kernel == TAUT_KERNEL_VARIABLE)
            w->variable[w->tape->instr[i].index] = i;
        else
            w->plain = false;
    }
    return taut_watched_prepare_looks(w, node, wanted);
}

taut_status taut_watched_create(const taut_system *system, const taut_structure *structure,
                                const taut_watching *wanted, taut_watched **watched) {
    taut_watched *w = NULL;
    size_t room = 0;
    *watched = NULL;
    if (taut_grow((void **)&w, &room, 1, sizeof *w)) return TAUT_ERR_MEMORY;
    *w = (taut_watched){.system = system,
                        .structure = structure,
                        .count = wanted->count,
                        .most = wanted->order > 1 ? wanted->order : 1};
    const taut_status status = build(w, wanted);
    if (status == TAUT_OK)
        *watched = w;
    else
        taut_watched_free(&w);
    return status;
}

void taut_watched_free(taut_watched **watched) {
    if (!*watched) return;
    taut_arena_release(&(*watched)->arena);
    taut_release((void **)watched);
}

taut_status taut_watched_set_numbers(taut_watched *w, const double *parameter) {
    TAUT_TRY(taut_jet_set_numbers(w->jet, parameter));
    return taut_sample_set_numbers(&w->sample, parameter);
}

/* ---- the tape ---- */

/* Stages up to s, of which the caller has set the variables. */
static void evaluate(taut_watched *w, int stages) {
    for (int s = w->tape->first_stage; s <= stages && !w->plain; s++) {
        taut_jet_stage(w->jet, s);
        taut_jet_finish(w->jet, s);
    }
}

static void expand(taut_watched *w, const taut_expansion *e, int stages) {
    taut_jet_start(w->jet, e->t, e->h);
    for (int j = 0; j < w->system->n; j++)
        for (int k = 0; w->variable[j] >= 0 && k <= stages + w->structure->offsets.d[j]; k++)
            *taut_jet_at(w->jet, w->variable[j], k) = e->c[j][k];
    evaluate(w, stages);
}

/* Highest order that is known of a node. */
static int known(const taut_watched *w, int i, int stages) {
    const taut_instr *x = &w->tape->instr[w->slot[i]];
    const int most = w->structure->largest_d;
    if (x->kernel == TAUT_KERNEL_STEADY) return 0;
    return stages + (x->offset < most ? x->offset : most);
}

/* Coefficients of a node, scaled with h; returns their number. */
static int read_scaled(const taut_watched *w, int i, int stages, double h, double *c) {
    const int last = known(w, i, stages);
    double power = 1.0;
    for (int k = 0; k <= last; k++, power *= h / w->jet->h)
        c[k] = *taut_jet_at(w->jet, w->slot[i], k) * power;
    return last + 1;
}

/* ---- courses ---- */

/* From sum of left[i] theta^i + theta^lefts sum of rest[i] (theta - 1)^i to powers of theta. */
static void multiply_out(const taut_twopoint *p, taut_course *course) {
    double *c = course->c, *rest = c + p->lefts;
    course->order = p->lefts + p->rests - 1;
    memcpy(c, p->left, (size_t)p->lefts * sizeof *c);
    for (int i = 0; i < p->rests; i++) rest[i] = p->rest[i];
    for (int i = 0; i < p->rests - 1; i++) /* Horner's scheme, about 0 instead of 1 */
        for (int k = p->rests - 2; k >= i; k--) rest[k] -= rest[k + 1];
}

static int at_most(int a, int b) { return a < b ? a : b; }

bool taut_watched_follow(taut_watched *w, const taut_stepper *stepper) {
    const double h = stepper->t - stepper->begin;
    w->from = taut_stepper_expansion(stepper, false);
    w->to = taut_stepper_expansion(stepper, true);
    w->stepper = stepper;
    if (!w->from.c || w->from.t != stepper->begin || h == 0.0) return false;
    const int rights = at_most(w->to.stages, w->most);
    w->stages = at_most(w->from.stages, w->most);
    w->begin = stepper->begin;
    w->end = stepper->t;
    expand(w, &w->from, w->stages);
    for (int i = 0; i < w->nodes; i++)
        w->course[i].order = read_scaled(w, i, w->stages, h, w->course[i].c) - 1;
    if (w->to.c) expand(w, &w->to, rights);
    for (int i = 0; i < w->nodes && w->to.c; i++) {
        taut_twopoint p;
        const int count = read_scaled(w, i, rights, h, w->right);
        taut_twopoint_set(&p, w->course[i].c, w->course[i].order + 1, w->right, count);
        multiply_out(&p, &w->course[i]);
    }
    if (w->most_kind != TAUT_WATCHED_LINEAR) taut_watched_shorten(w);
    return true;
}

/* ---- about a point inside the step ---- */

/* The polynomial of variable j about a time, in powers of (t - time) / scale; its degree is that of
 * the step's own. */
static void move_variable(taut_watched *w, int j, double time, double scale) {
    const int d = w->structure->offsets.d[j], count = w->stages + d + 1;
    const double h = w->stepper->t - w->stepper->begin, unit = w->to.c ? h : w->from.h;
    const double theta = (time - w->from.t) / unit;
    double power = 1.0;
    taut_twopoint p;
    if (w->to.c) {
        double factor[2] = {1.0, 1.0};
        const int rights = at_most(w->to.stages, w->most) + d + 1;
        for (int k = 0; k < count; k++, factor[0] *= h / w->from.h)
            w->left[k] = w->from.c[j][k] * factor[0];
        for (int k = 0; k < rights; k++, factor[1] *= h / w->to.h)
            w->right[k] = w->to.c[j][k] * factor[1];
        taut_twopoint_set(&p, w->left, count, w->right, rights);
    }
    for (int k = 0; k < count; k++, power *= scale / unit)
        *taut_jet_at(w->jet, w->variable[j], k) =
            power * (w->to.c ? taut_twopoint_value(&p, k, theta)
                             : taut_twopoint_shifted(w->from.c[j], count, k, theta));
}

void taut_watched_expand_at(taut_watched *w, double time, double scale) {
    taut_jet_start(w->jet, time, scale);
    for (int j = 0; j < w->system->n; j++)
        if (w->variable[j] >= 0) move_variable(w, j, time, scale);
    evaluate(w, w->stages);
    for (int i = 0; i < w->nodes; i++)
        w->course[i].order = read_scaled(w, i, w->stages, scale, w->course[i].c) - 1;
}

void taut_watched_look(taut_watched *w, const taut_stepper *stepper, double time, double *value) {
    int stages = -w->structure->largest_d;
    for (int i = 0; i < w->count; i++) /* order 0 of all of them */
        if (-w->tape->instr[w->slot[i]].offset > stages)
            stages = -w->tape->instr[w->slot[i]].offset;
    if (stages > 0) stages = 0;
    taut_jet_start(w->jet, time, 1.0);
    for (int j = 0; j < w->system->n; j++) {
        double factor = 1.0; /* k! */
        for (int k = 0; w->variable[j] >= 0 && k <= stages + w->structure->offsets.d[j]; k++) {
            *taut_jet_at(w->jet, w->variable[j], k) =
                taut_stepper_value(stepper, j, k, time) / factor;
            factor *= k + 1;
        }
    }
    evaluate(w, stages);
    for (int i = 0; i < w->count; i++) {
        const taut_instr *x = &w->tape->instr[w->slot[i]];
        value[i] = -x->offset > stages ? (double)NAN : *taut_jet_at(w->jet, w->slot[i], 0);
    }
}

double taut_course_value(const taut_course *course, int k, double theta) {
    double sum = 0.0;
    for (int i = course->order; i >= k; i--) {
        double factor = 1.0;
        for (int m = 0; m < k; m++) factor *= i - m;
        sum = sum * theta + factor * course->c[i];
    }
    return sum;
}
