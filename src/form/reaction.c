/* Free bodies: the balance of each, as nodes, and the columns that come out of them. */
#include "form/reaction.h"

#include <math.h>
#include <string.h>

#include "form/freebody.h"

int taut_span_size(taut_span span, int dimension, bool torque) {
    const int all = dimension == 3 ? 3 : torque ? 1 : 2;
    switch (span) {
    case TAUT_SPAN_ALL: return all;
    case TAUT_SPAN_ACROSS: return dimension == 2 && torque ? 1 : all - 1;
    case TAUT_SPAN_ALONG:
    case TAUT_SPAN_COMMON: return 1;
    default: return 0;
    }
}

void taut_reactions_release(taut_reactions *r) {
    taut_release((void **)&r->vector);
    taut_release((void **)&r->carrier);
    taut_release((void **)&r->transfer);
    taut_release((void **)&r->end);
    taut_release((void **)&r->rod);
    taut_release((void **)&r->column);
}

/* ---- vectors ---- */

taut_vec taut_freebody_spatial(const taut_freebody *f, taut_vec v) {
    const taut_node zero = taut_number(f->graph, 0.0);
    if (v.n == 1) return (taut_vec){3, {zero, zero, v.c[0]}};
    if (v.n == 2) return (taut_vec){3, {v.c[0], v.c[1], zero}};
    return v;
}

int taut_freebody_vector(taut_freebody *f, taut_vec v) {
    taut_reactions *r = f->reactions;
    if (taut_grow((void **)&r->vector, &r->vector_room, (size_t)r->vectors + 1,
                  sizeof *r->vector)) {
        f->failed = true;
        return TAUT_VECTOR_ZERO;
    }
    memcpy(r->vector[r->vectors], v.c, sizeof *r->vector);
    return r->vectors++;
}

taut_vec taut_freebody_value(const taut_freebody *f, int element) {
    return taut_freebody_spatial(f, f->mechanics->kin->value[element]);
}

int taut_freebody_place(taut_freebody *f, int element) {
    if (f->place[element] < 0)
        f->place[element] = taut_freebody_vector(f, taut_freebody_value(f, element));
    return f->place[element];
}

taut_vec taut_freebody_zero(const taut_freebody *f) {
    return taut_freebody_spatial(
        f, (taut_vec){2, {taut_number(f->graph, 0.0), taut_number(f->graph, 0.0)}});
}

/* ---- carriers ---- */

static void add_carrier(taut_freebody *f, const char *name, bool turns, taut_vec reference) {
    taut_reactions *r = f->reactions;
    if (f->failed || taut_grow((void **)&r->carrier, &r->carrier_room, (size_t)r->carriers + 1,
                               sizeof *r->carrier)) {
        f->failed = true;
        return;
    }
    r->carrier[r->carriers] = (taut_carrier){.name = name, .turns = turns, .line = -1};
    f->demand[r->carriers++] = (taut_demand){taut_freebody_spatial(f, reference),
                                             taut_freebody_zero(f), taut_freebody_zero(f)};
}

/* What acts on a shared point acts on the first body that has it. */
static int find_hub(taut_freebody *f, int e) {
    const taut_mechanism *m = f->mechanics->mechanism;
    const taut_element *x = &m->element[e];
    if (x->fixed) return TAUT_HUB_GROUND;
    if (x->formula) return TAUT_HUB_FORMULA;
    if (m->carrier_start[e] < m->carrier_start[e + 1]) return m->carrier[m->carrier_start[e]];
    if (x->is_vector) return TAUT_HUB_GROUND;
    add_carrier(f, x->name, false, f->mechanics->kin->value[e]);
    return f->reactions->carriers - 1;
}

static void make_carriers(taut_freebody *f) {
    const taut_mechanism *m = f->mechanics->mechanism;
    for (int b = 0; b < m->bodies; b++) {
        const taut_body *x = &m->body[b];
        add_carrier(f, x->name, true,
                    x->has_mass ? taut_kin_centre(f->mechanics->kin, b)
                                : f->mechanics->kin->frame[b].origin);
    }
    for (int e = 0; e < m->elements && !f->failed; e++) f->hub[e] = find_hub(f, e);
}

/* Torques compare with forces by the size of the bodies. */
static void find_size(taut_freebody *f) {
    const taut_mechanism *m = f->mechanics->mechanism;
    taut_vec size = taut_freebody_zero(f);
    double largest = 0.0;
    size.c[0] = taut_number(f->graph, 1.0);
    for (int b = 0; b < m->bodies; b++)
        for (int k = 1; k < m->body[b].elements; k++) {
            double square = 0.0, local[3];
            if (m->element[m->body[b].element[k]].is_vector) continue;
            taut_choose_by_values(f->graph, m->body[b].local[k], local);
            for (int i = 0; i < 3; i++) square += local[i] * local[i];
            if (!(sqrt(square) > largest)) continue;
            largest = sqrt(square);
            size.c[0] = taut_kin_steady_length(f->graph, m->body[b].local[k]);
        }
    f->reactions->length = largest > 0.0 ? largest : 1.0;
    f->reactions->size = taut_freebody_vector(f, size);
}

/* ---- ends ---- */

void taut_freebody_end(taut_freebody *f, taut_end end) {
    taut_reactions *r = f->reactions;
    if (end.carrier < 0 || f->failed) return;
    if (taut_grow((void **)&r->end, &r->end_room, (size_t)r->ends + 1, sizeof *r->end)) {
        f->failed = true;
        return;
    }
    r->end[r->ends++] = end;
    r->transfer[r->transfers - 1].ends++;
}

void taut_freebody_part_ends(taut_freebody *f, const taut_parts *parts, double sign) {
    for (int i = 0; i < parts->count; i++) {
        const taut_part *p = &parts->item[i];
        const int at = p->element < 0 ? TAUT_VECTOR_ZERO : taut_freebody_place(f, p->element);
        const int rows = taut_freebody_vector(f, p->row[0]);
        taut_freebody_vector(f, p->row[1]);
        taut_freebody_vector(f, p->row[2]);
        taut_freebody_end(f, (taut_end){p->kind, p->carrier, at, rows, sign});
    }
}

void taut_freebody_force_end(taut_freebody *f, int hub, int element, double sign) {
    if (hub == TAUT_HUB_FORMULA) {
        taut_parts parts = {0};
        if (taut_freebody_spread(f, element, &parts) != TAUT_OK) f->failed = true;
        taut_freebody_part_ends(f, &parts, sign);
        taut_release((void **)&parts.item);
    } else {
        taut_freebody_end(
            f, (taut_end){TAUT_END_FORCE, hub, taut_freebody_place(f, element), -1, sign});
    }
}

/* ---- columns ---- */

static taut_status add_column(taut_freebody *f, taut_reaction column) {
    taut_reactions *r = f->reactions;
    if (!column.name ||
        taut_grow((void **)&r->column, &r->column_room, (size_t)r->columns + 1, sizeof *r->column))
        return TAUT_ERR_MEMORY;
    r->column[r->columns++] = column;
    return TAUT_OK;
}

/* The number of an axis of the world, or of a body with a frame of its own. */
static int find_axis(taut_freebody *f, int carrier, int i) {
    taut_mechanics *n = f->mechanics;
    const int dimension = n->mechanism->dimension;
    if (!f->body_axes || carrier < 0 || carrier >= n->mechanism->bodies ||
        n->kin->frame[carrier].axes < dimension || i >= dimension)
        return i;
    taut_vec local = {.n = dimension};
    for (int k = 0; k < dimension; k++) local.c[k] = taut_number(f->graph, k == i ? 1.0 : 0.0);
    return taut_freebody_vector(
        f, taut_freebody_spatial(f, taut_kin_direction(n->kin, carrier, local)));
}

taut_status taut_freebody_columns(taut_freebody *f, const char *name, int carrier, int transfer) {
    const bool torque = f->reactions->transfer[transfer].torque;
    const int dimension = f->mechanics->mechanism->dimension;
    for (int i = torque && dimension == 2 ? 2 : 0; i < (torque ? 3 : dimension); i++)
        TAUT_TRY(
            add_column(f, (taut_reaction){taut_problem_name(f->mechanics->problem, "%s.%c%c", name,
                                                            torque ? 'T' : 'F', "xyz"[i]),
                                          transfer, find_axis(f, carrier, i), -1}));
    return TAUT_OK;
}

taut_status taut_freebody_tension(taut_freebody *f, const char *name, int transfer) {
    return add_column(f, (taut_reaction){taut_problem_name(f->mechanics->problem, "%s.N", name),
                                         transfer, f->reactions->transfer[transfer].u, -1});
}

taut_status taut_freebody_load(taut_freebody *f, const char *name, int transfer) {
    return add_column(f, (taut_reaction){taut_problem_name(f->mechanics->problem, "%s.load", name),
                                         transfer, 0, -1});
}

/* ---- rods ---- */

static bool is_rod(const taut_mechanism *m, const taut_body *b) {
    return b->elements == 2 && !m->element[b->element[0]].is_vector &&
           !m->element[b->element[1]].is_vector;
}

static taut_status make_rods(taut_freebody *f) {
    const taut_mechanism *m = f->mechanics->mechanism;
    taut_reactions *r = f->reactions;
    for (int b = 0; b < m->bodies; b++) {
        f->rod[b] = -1;
        if (!is_rod(m, &m->body[b])) continue;
        if (taut_grow((void **)&r->rod, &r->rod_room, (size_t)r->rods + 1, sizeof *r->rod))
            return TAUT_ERR_MEMORY;
        f->load[r->rods][0] = f->load[r->rods][1] = taut_freebody_zero(f);
        r->rod[r->rods] = (taut_rod){.carrier = b};
        f->rod[b] = r->rods++;
    }
    return TAUT_OK;
}

/* From the first end of a rod to the second one, of length 1. */
static taut_vec rod_direction(const taut_freebody *f, const taut_body *b) {
    const taut_vec *value = f->mechanics->kin->value;
    const taut_vec d = taut_kin_add(f->graph, value[b->element[1]], -1.0, value[b->element[0]]);
    return taut_freebody_spatial(
        f, taut_kin_divided(f->graph, d, taut_kin_steady_length(f->graph, b->local[1])));
}

static taut_status finish_rods(taut_freebody *f) {
    const taut_mechanism *m = f->mechanics->mechanism;
    for (int i = 0; i < f->reactions->rods; i++) {
        taut_rod *rod = &f->reactions->rod[i];
        const taut_body *b = &m->body[rod->carrier];
        rod->line = taut_freebody_vector(f, rod_direction(f, b));
        for (int k = 0; k < 2; k++) {
            rod->end[k] = taut_freebody_place(f, b->element[k]);
            rod->load[k] = taut_freebody_vector(f, f->load[i][k]);
        }
        TAUT_TRY(
            add_column(f, (taut_reaction){taut_problem_name(f->mechanics->problem, "%s.N", b->name),
                                          -1, -1, i}));
    }
    return TAUT_OK;
}

/* ---- springs, dampers, drivers ---- */

/* A column that needs no balance. */
static taut_status add_value(taut_freebody *f, const char *name, taut_node value) {
    taut_vec v = taut_freebody_zero(f);
    v.c[0] = value;
    return add_column(f, (taut_reaction){name, -1, taut_freebody_vector(f, v), -1});
}

/* How a spring or damper pulls at its ends, along its line. */
static taut_status add_tension(taut_freebody *f, int number) {
    const taut_mechanics *n = f->mechanics;
    const taut_link *link = &n->mechanism->link[number];
    taut_graph *g = f->graph;
    const taut_vec d =
        taut_kin_add(g, n->kin->value[link->point[1]], -1.0, n->kin->value[link->point[0]]);
    taut_node sum = taut_number(g, 0.0);
    int before = 0;
    for (int i = 0; i < number; i++) before += strcmp(n->mechanism->link[i].name, link->name) == 0;
    for (size_t i = 0; i < n->actions; i++) {
        const taut_action *a = &n->action[i];
        if (a->link != number || a->element != link->point[0]) continue;
        sum = taut_add(g, sum, taut_scale(g, a->sign, taut_vec_inner(g, a->value, d)));
    }
    const char *name = before ? taut_problem_name(n->problem, "%s#%d.N", link->name, before + 1)
                              : taut_problem_name(n->problem, "%s.N", link->name);
    return add_value(f, name, taut_div(g, sum, taut_vec_norm(g, d)));
}

/* What torsion springs and bushings exert. */
static taut_status add_sources(taut_freebody *f) {
    const taut_mechanics *n = f->mechanics;
    for (size_t i = 0; i < n->actions; i++) {
        const taut_action *a = &n->action[i];
        if (!a->source) continue;
        if (a->kind == TAUT_ACTS_ON_COORDINATE)
            TAUT_TRY(add_value(f, taut_problem_name(n->problem, "%s.T", a->source), a->value.c[0]));
        for (int k = 0; k < a->value.n && a->kind == TAUT_ACTS_AT_POINT; k++) {
            taut_vec axis = {3, {0}};
            memcpy(axis.c, f->reactions->vector[find_axis(f, a->body, k)], sizeof axis.c);
            TAUT_TRY(add_value(f, taut_problem_name(n->problem, "%s.F%c", a->source, "xyz"[k]),
                               taut_vec_inner(f->graph, taut_freebody_spatial(f, a->value), axis)));
        }
    }
    return TAUT_OK;
}

static taut_status add_powers(taut_freebody *f) {
    const taut_mechanics *n = f->mechanics;
    for (size_t i = 0; i < n->constraints; i++) {
        const taut_constraint *c = &n->constraint[i];
        if (!c->driver) continue;
        TAUT_TRY(add_value(f,
                           taut_problem_name(n->problem, "power_%s", c->name + strlen("driver ")),
                           taut_mul(f->graph, c->lambda, taut_mechanics_driven_rate(f->graph, c))));
    }
    return TAUT_OK;
}

/* ---- all ---- */

static void begin(taut_freebody *f) {
    for (int i = 0; i <= TAUT_VECTOR_ZERO; i++) {
        taut_vec axis = taut_freebody_zero(f);
        if (i < 3) axis.c[i] = taut_number(f->graph, 1.0);
        taut_freebody_vector(f, axis);
    }
}

static void finish(taut_freebody *f) {
    for (int c = 0; c < f->reactions->carriers && !f->failed; c++) {
        taut_carrier *x = &f->reactions->carrier[c];
        x->reference = taut_freebody_vector(f, f->demand[c].reference);
        x->force = taut_freebody_vector(f, f->demand[c].force);
        x->moment = taut_freebody_vector(f, f->demand[c].moment);
        if (f->mechanics->mechanism->dimension == 3 && x->turns &&
            f->mechanics->kin->frame[c].axes < 3)
            x->line = taut_freebody_vector(f, f->mechanics->kin->frame[c].axis[0]);
    }
}

static taut_status make(taut_freebody *f) {
    begin(f);
    make_carriers(f);
    if (f->failed) return TAUT_ERR_MEMORY;
    find_size(f);
    TAUT_TRY(make_rods(f));
    taut_freebody_demand(f);
    TAUT_TRY(taut_freebody_transmit(f));
    TAUT_TRY(finish_rods(f));
    for (int i = 0; i < f->mechanics->mechanism->links; i++) TAUT_TRY(add_tension(f, i));
    TAUT_TRY(add_sources(f));
    TAUT_TRY(add_powers(f));
    for (int e = 0; e < f->mechanics->mechanism->elements; e++)
        if (f->hub[e] >= 0) taut_freebody_place(f, e);
    finish(f);
    return f->failed || taut_graph_failed(f->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_mechanics_reactions(taut_mechanics *n, taut_sweep *sweep, bool body_axes) {
    const taut_mechanism *m = n->mechanism;
    taut_freebody f = {.mechanics = n, .graph = n->graph, .sweep = sweep, .body_axes = body_axes};
    f.reactions = n->problem->reactions = TAUT_NEW(n->arena, taut_reactions);
    f.demand = TAUT_NEW_ARRAY(n->arena, m->bodies + m->elements, taut_demand);
    f.hub = TAUT_NEW_ARRAY(n->arena, m->elements, int);
    f.place = TAUT_NEW_ARRAY(n->arena, m->elements, int);
    f.rod = TAUT_NEW_ARRAY(n->arena, m->bodies, int);
    f.load = taut_arena_array(n->arena, (size_t)m->bodies, sizeof *f.load);
    if (!f.reactions || !f.demand || !f.hub || !f.place || !f.rod || !f.load)
        return TAUT_ERR_MEMORY;
    f.reactions->dimension = m->dimension;
    f.reactions->hub = f.hub;
    f.reactions->place = f.place;
    for (int e = 0; e < m->elements; e++) f.place[e] = -1;
    return make(&f);
}
