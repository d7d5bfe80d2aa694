/* Values of elements, found when they are asked for: an element that belongs to a body beyond its
 * frame is assigned by it; if that turns out to need the element itself, it becomes basic after
 * all. */
#include "form/kin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/stack.h"
#include "core/text.h"
#include "form/formulation.h"

enum { UNKNOWN, VISITING, KNOWN, BROKEN };
enum { DEEPEST = 400 }; /* elements that wait for each other's values */
enum { SHALLOW = 12 };  /* more of them get a stack of their own: each takes a kB of it */

taut_vec taut_kin_add(taut_graph *g, taut_vec a, double coef, taut_vec b) {
    for (int i = 0; i < a.n; i++)
        a.c[i] = taut_sum(g, 0.0, 2, (double[]){1.0, coef}, (taut_node[]){a.c[i], b.c[i]});
    return a;
}

static taut_vec zero(const taut_kin *k) {
    taut_vec v = {.n = k->mechanism->dimension};
    for (int i = 0; i < v.n; i++) v.c[i] = taut_number(k->graph, 0.0);
    return v;
}

taut_vec taut_kin_turned(taut_graph *g, taut_vec v) {
    return (taut_vec){2, {taut_scale(g, -1.0, v.c[1]), v.c[0]}};
}

taut_vec taut_kin_divided(taut_graph *g, taut_vec v, taut_node by) {
    for (int i = 0; i < v.n; i++) v.c[i] = taut_div(g, v.c[i], by);
    return v;
}

taut_node taut_kin_steady_length(taut_graph *g, taut_vec v) {
    int filled = 0, last = 0;
    for (int i = 0; i < v.n; i++)
        if (!taut_node_is_number(g, v.c[i], 0.0)) filled++, last = i;
    if (filled == 1) taut_assume_sign(g, v.c[last]);
    if (filled == 1)
        return taut_node_get(g, v.c[last])->value > 0.0 ? v.c[last]
                                                        : taut_scale(g, -1.0, v.c[last]);
    return taut_vec_norm(g, v);
}

int taut_kin_frame_elements(const taut_kin *k, int body) {
    const int count = k->mechanism->body[body].elements;
    return count < k->mechanism->dimension ? count : k->mechanism->dimension;
}

/* ---- frames ---- */

taut_status taut_kin_frame(taut_kin *k, int body) {
    if (k->frame[body].ready) return TAUT_OK;
    TAUT_TRY(k->formulation->make_frame(k, body));
    int *moment = &k->moment[k->mechanism->elements + body];
    if (*moment == 0) k->made[k->mades++] = body; /* it may have been made on the way */
    if (*moment == 0) *moment = ++k->moments;
    return TAUT_OK;
}

taut_vec taut_kin_direction(taut_kin *k, int body, taut_vec local) {
    taut_graph *g = k->graph;
    const taut_frame *f = &k->frame[body];
    taut_vec v = zero(k);
    for (int i = 0; i < f->axes; i++)
        v = taut_kin_add(g, v, 1.0,
                         taut_vec_scale(g, taut_vec_inner(g, f->q[i], local), f->axis[i]));
    return v;
}

taut_vec taut_kin_point(taut_kin *k, int body, taut_vec local) {
    return taut_kin_add(k->graph, k->frame[body].origin, 1.0, taut_kin_direction(k, body, local));
}

taut_vec taut_kin_centre(taut_kin *k, int body) {
    const taut_frame *f = &k->frame[body];
    return f->centre.n > 0 ? f->centre : taut_kin_point(k, body, k->mechanism->body[body].centroid);
}

taut_vec taut_kin_omega(taut_kin *k, int body) {
    taut_graph *g = k->graph;
    const taut_frame *f = &k->frame[body];
    if (f->omega.n > 0) return f->omega;
    if (f->axes == 2)
        return taut_vec_scalar(taut_vec_inner(g, f->axis[1], taut_vec_dot_time(g, f->axis[0], 1)));
    taut_vec omega = {.n = 3};
    for (int i = 0; i < 3; i++) /* z.y', x.z', y.x' */
        omega.c[i] =
            taut_vec_inner(g, f->axis[(i + 2) % 3], taut_vec_dot_time(g, f->axis[(i + 1) % 3], 1));
    return omega;
}

/* ---- elements ---- */

static void settle(taut_kin *k, int e, taut_vec value, taut_origin origin) {
    k->value[e] = value;
    k->origin[e] = origin;
    if (k->state[e] != KNOWN) k->moment[e] = ++k->moments;
    if (k->state[e] != KNOWN && k->mechanism->element[e].is_vector) k->unit[k->units++] = e;
    k->state[e] = KNOWN;
}

static bool broken(taut_kin *k, int e) {
    k->state[e] = BROKEN;
    k->faulty = true;
    return false;
}

/* The same for a status of what was to give it a value. */
static bool broken_by(taut_kin *k, int e, taut_status status) {
    if (status == TAUT_ERR_MEMORY) k->no_memory = true;
    return broken(k, e);
}

/* The coordinates of e become unknowns. */
static bool make_basic(taut_kin *k, int e) {
    const taut_element *x = &k->mechanism->element[e];
    taut_vec v = {.n = k->mechanism->dimension};
    for (int i = 0; i < v.n; i++) {
        const char *own =
            taut_arena_concat(&k->problem->arena, x->name, (char[]){"xyz"[i], '\0'}, "");
        const int group = x->is_vector ? TAUT_GROUP_DIRECTION : TAUT_GROUP_LENGTH;
        if (!own || taut_problem_add_variable(k->problem, own, group, x->place, &v.c[i]) != TAUT_OK)
            return broken_by(k, e, TAUT_ERR_MEMORY);
    }
    settle(k, e, v, TAUT_ORIGIN_BASIC);
    return true;
}

/* The place of a square in the table. */
static taut_node *square_slot(const taut_kin *k, taut_node square) {
    size_t i = taut_hash_pair(square, 0) & (k->squares - 1);
    while (k->square[i] && k->square[i] != square) i = (i + 1) & (k->squares - 1);
    return &k->square[i];
}

/* Is the length of v that of a vector which has length 1 already, such as [-ux, uy, -uz]? */
static bool is_unit_like(taut_kin *k, taut_vec v) {
    taut_graph *g = k->graph;
    const taut_node square = taut_vec_inner(g, v, v);
    for (; k->squared < k->units; k->squared++) {
        const taut_vec u = k->value[k->unit[k->squared]];
        const taut_node known = taut_vec_inner(g, u, u);
        *square_slot(k, known) = known;
    }
    return square != TAUT_NO_NODE && *square_slot(k, square) == square;
}

/* Fixed coordinates, or a formula of other elements. */
static bool take_formula(taut_kin *k, int e, taut_origin origin) {
    const taut_element *x = &k->mechanism->element[e];
    taut_vec v;
    const taut_status status = taut_kin_import_vec(k, x->given, x->where, &v);
    if (status != TAUT_OK) return broken_by(k, e, status);
    if (x->is_vector && !is_unit_like(k, v) && taut_mechanism_direction(k->graph, &v) != TAUT_OK) {
        taut_fail_at(k->errors, TAUT_ERR_INPUT, x->place, "the vector %s has length 0", x->name);
        return broken(k, e);
    }
    if (k->state[e] == KNOWN) return true;
    settle(k, e, v, origin);
    return true;
}

/* The distance along a line as a new unknown. */
static taut_status add_distance(taut_kin *k, int number, taut_node *s) {
    const taut_collinear *c = &k->mechanism->collinear[number];
    char name[2 * TAUT_NAME_MAX];
    snprintf(name, sizeof name, "s_%s", k->mechanism->element[c->point].name);
    const char *own =
        c->scalar ? c->scalar : taut_arena_copy(&k->problem->arena, name, strlen(name));
    if (!own) return TAUT_ERR_MEMORY;
    k->scalar[number] = k->problem->variables;
    TAUT_TRY(taut_problem_add_variable(k->problem, own, TAUT_GROUP_LENGTH, c->place, s));
    if (c->leaf >= 0) k->meaning[c->leaf] = *s;
    return TAUT_OK;
}

/* point = origin + s * vector, with s a new unknown. */
static bool place_on_line(taut_kin *k, int e) {
    const int number = k->mechanism->element[e].collinear;
    const taut_collinear *c = &k->mechanism->collinear[number];
    taut_node s;
    if (!taut_kin_place(k, c->origin) || !taut_kin_place(k, c->vector)) return broken(k, e);
    if (k->state[e] == KNOWN) return true;
    const taut_status status = add_distance(k, number, &s);
    if (status != TAUT_OK) return broken_by(k, e, status);
    const taut_vec along = taut_vec_scale(k->graph, s, k->value[c->vector]);
    settle(k, e, taut_kin_add(k->graph, k->value[c->origin], 1.0, along), TAUT_ORIGIN_COLLINEAR);
    return true;
}

/* The point of another body is there already, unless it waits for this one. */
static bool place_at_joint(taut_kin *k, int e) {
    const int other = k->joined[e];
    if (k->state[other] == VISITING) return make_basic(k, e);
    if (!taut_kin_place(k, other)) return broken(k, e);
    if (k->state[e] != KNOWN) settle(k, e, k->value[other], TAUT_ORIGIN_JOINT);
    return true;
}

/* An element whose value has not been requested yet. */
static bool evaluate_first(taut_kin *k, int e) {
    const taut_element *x = &k->mechanism->element[e];
    k->state[e] = VISITING;
    if (x->fixed) return take_formula(k, e, TAUT_ORIGIN_FIXED);
    if (x->formula) return take_formula(k, e, TAUT_ORIGIN_FORMULA);
    const int body = k->assigned_by[e];
    if (body >= 0) {
        if (taut_kin_frame(k, body) != TAUT_OK) return broken(k, e);
        if (k->state[e] == KNOWN) { /* its own frame needed it */
            k->assigned_by[e] = -1;
            return true;
        }
        const taut_body *b = &k->mechanism->body[body];
        int at = 0;
        while (b->element[at] != e) at++;
        settle(k, e,
               x->is_vector ? taut_kin_direction(k, body, b->local[at])
                            : taut_kin_point(k, body, b->local[at]),
               TAUT_ORIGIN_BODY);
        return true;
    }
    if (x->collinear >= 0) return place_on_line(k, e);
    return k->joined[e] >= 0 ? place_at_joint(k, e) : make_basic(k, e);
}

typedef struct visit {
    taut_kin *kin;
    int element;
    bool known;
} visit;

static void evaluate_inside(void *user) {
    visit *v = user;
    v->known = evaluate_first(v->kin, v->element);
}

bool taut_kin_place(taut_kin *k, int e) {
    const taut_element *x = &k->mechanism->element[e];
    if (k->state[e] == KNOWN) return true;
    if (k->state[e] == BROKEN) return false;
    if (k->state[e] == VISITING) {
        if (!x->formula && !x->fixed) return make_basic(k, e);
        taut_fail_at(k->errors, TAUT_ERR_INPUT, x->place,
                     "'%s' is defined through itself: the formulas of points are circular",
                     x->name);
        return broken(k, e);
    }
    if (k->depth == DEEPEST) {
        taut_fail_at(k->errors, TAUT_ERR_INPUT, x->place,
                     "%s stands at the end of a chain of more than %d elements that depend on each "
                     "other: list bodies and points after those that they depend on",
                     x->name, DEEPEST);
        return broken(k, e);
    }
    visit v = {k, e, false};
    if (++k->depth != SHALLOW)
        evaluate_inside(&v);
    else if (taut_on_deep_stack(evaluate_inside, &v) != TAUT_OK)
        taut_graph_fail(k->graph);
    const bool known = v.known;
    k->depth--;
    return known;
}

/* ---- formulas of the model ---- */

/* The distance along a line: an unknown, or (P - O) . v where something else places the point. */
static taut_node line_meaning(taut_kin *k, int number) {
    const taut_collinear *c = &k->mechanism->collinear[number];
    if (!taut_kin_place(k, c->point) || !taut_kin_place(k, c->origin) ||
        !taut_kin_place(k, c->vector))
        return TAUT_NO_NODE;
    if (k->scalar[number] >= 0) return k->problem->variable[k->scalar[number]].node;
    const taut_vec d = taut_kin_add(k->graph, k->value[c->point], -1.0, k->value[c->origin]);
    return taut_vec_inner(k->graph, d, k->value[c->vector]);
}

/* Taut_leaf_meaning of a kin (`user`). What is not known when somebody asks is left out of the
 * problem: a constraint that others imply. */
static taut_node leaf_meaning(void *user, int leaf) {
    taut_kin *k = user;
    const taut_model_leaf *x = &k->model->leaf[leaf];
    if (x->kind == TAUT_LEAF_ELEMENT)
        return taut_kin_place(k, x->index) ? k->value[x->index].c[x->part] : TAUT_NO_NODE;
    if (x->kind == TAUT_LEAF_LINE && k->meaning[leaf] == TAUT_NO_NODE)
        k->meaning[leaf] = line_meaning(k, x->index);
    if (k->meaning[leaf] == TAUT_NO_NODE)
        taut_fail(k->errors, TAUT_ERR_INPUT,
                  "'%s' is used in a formula, but it has no value: its constraint is left out, "
                  "because others imply it",
                  x->name);
    return k->meaning[leaf];
}

taut_status taut_kin_import(taut_kin *k, taut_node formula, taut_place place, taut_node *node) {
    bool finite;
    const taut_status status = taut_substitute(k->substitution, formula, node, &finite);
    if (finite) return status;
    return taut_fail_at(k->errors, TAUT_ERR_INPUT, place,
                        "a constant part of this formula is not a finite number: a root or "
                        "logarithm of a negative number, a division by zero, or a number that is "
                        "too large");
}

taut_status taut_kin_import_vec(taut_kin *k, taut_vec formula, taut_place place, taut_vec *vec) {
    *vec = (taut_vec){.n = formula.n};
    for (int i = 0; i < formula.n; i++)
        TAUT_TRY(taut_kin_import(k, formula.c[i], place, &vec->c[i]));
    return TAUT_OK;
}

/* Which body, if any, can assign an element: the first one whose frame does. */
static void find_assigners(taut_kin *k) {
    for (int e = 0; e < k->mechanism->elements; e++) k->assigned_by[e] = -1;
    for (int b = 0; b < k->mechanism->bodies; b++)
        for (int i = 0; i < k->mechanism->body[b].elements; i++) {
            int *by = &k->assigned_by[k->mechanism->body[b].element[i]];
            if (*by < 0 && k->formulation->places(k, b, i)) *by = b;
        }
    for (int e = 0; e < k->mechanism->elements; e++)
        if (k->mechanism->element[e].fixed || k->mechanism->element[e].formula)
            k->assigned_by[e] = -1;
}

/* Does a body that has element e stand still at one of its points already? A second one would leave
 * nothing to solve for, and nobody who asks what its bearings carry an answer. */
static bool stands(const taut_kin *k, int e) {
    const taut_mechanism *m = k->mechanism;
    for (int i = m->carrier_start[e]; i < m->carrier_start[e + 1]; i++) {
        const taut_body *b = &m->body[m->carrier[i]];
        for (int n = 0; n < b->elements; n++) {
            const int other = b->element[n], at = k->joined[other];
            if (m->element[other].is_vector) continue;
            if (m->element[other].fixed || (at >= 0 && m->element[at].fixed)) return true;
        }
    }
    return false;
}

/* Named joints whose two points are one. */
static void find_joined(taut_kin *k) {
    const taut_mechanism *m = k->mechanism;
    for (int e = 0; e < m->elements; e++) k->joined[e] = -1;
    for (int i = 0; i < m->joints && k->formulation->joins; i++) {
        const taut_joint *j = &m->joint[i];
        if (j->shared || j->disassembled || (j->split && !k->whole) || j->point[0] == j->point[1] ||
            !taut_joint_demands(j->kind, m->dimension, TAUT_CONDITION_MEET))
            continue;
        for (int side = 0; side < 2; side++) {
            const int here = j->point[side], there = j->point[1 - side];
            if (k->joined[here] < 0 && !(m->element[there].fixed && stands(k, here)))
                k->joined[here] = there;
        }
    }
    for (int e = m->elements - m->copies; e < m->elements && k->whole; e++)
        k->joined[e] = m->element[e].original;
}

/* Does a vector stand still? One of a body does not count: the body may turn about it. */
static bool is_steady(const taut_kin *k, int e) {
    bool steady = k->origin[e] != TAUT_ORIGIN_BODY;
    for (int i = 0; i < k->mechanism->dimension; i++)
        steady = steady && taut_node_get(k->graph, k->value[e].c[i])->steady;
    return steady;
}

/* A body with three axes that has a vector, and where; -1: there is none. */
static int find_frame_of(const taut_kin *k, int e, int *at) {
    const taut_mechanism *m = k->mechanism;
    for (int c = m->carrier_start[e]; c < m->carrier_start[e + 1]; c++) {
        const int b = m->carrier[c];
        if (k->frame[b].axes < 3) continue;
        for (*at = 1; *at < m->body[b].elements; ++*at)
            if (m->body[b].element[*at] == e) return b;
    }
    return -1;
}

/* A point that its body places must stay on a line; if no directions across it are known, its
 * distance along it is an unknown, and all components are equated. */
static taut_status add_free_distances(taut_kin *k) {
    const taut_mechanism *m = k->mechanism;
    for (int i = 0; i < m->collinears && m->dimension == 3; i++) {
        const int e = m->collinear[i].vector;
        taut_node s;
        int at;
        if (k->scalar[i] >= 0 || is_steady(k, e) || find_frame_of(k, e, &at) >= 0) continue;
        TAUT_TRY(add_distance(k, i, &s));
    }
    return TAUT_OK;
}

/* Lists of a kin; false without memory. */
static bool make_lists(taut_kin *k) {
    const taut_mechanism *m = k->mechanism;
    k->meaning = TAUT_NEW_ARRAY(&k->arena, k->model->leaves, taut_node);
    k->value = TAUT_NEW_ARRAY(&k->arena, m->elements, taut_vec);
    k->state = TAUT_NEW_ARRAY(&k->arena, m->elements, uint8_t);
    k->origin = TAUT_NEW_ARRAY(&k->arena, m->elements, taut_origin);
    k->assigned_by = TAUT_NEW_ARRAY(&k->arena, m->elements, int);
    k->scalar = TAUT_NEW_ARRAY(&k->arena, m->collinears, int);
    k->joined = TAUT_NEW_ARRAY(&k->arena, m->elements, int);
    k->frame = TAUT_NEW_ARRAY(&k->arena, m->bodies, taut_frame);
    k->made = TAUT_NEW_ARRAY(&k->arena, m->bodies, int);
    k->moment = TAUT_NEW_ARRAY(&k->arena, m->elements + m->bodies, int);
    k->unit = TAUT_NEW_ARRAY(&k->arena, m->elements, int);
    for (k->squares = 64; k->squares < 2 * (size_t)m->elements + 2;) k->squares *= 2;
    k->square = TAUT_NEW_ARRAY(&k->arena, k->squares, taut_node);
    return k->meaning && k->value && k->state && k->origin && k->assigned_by && k->scalar &&
           k->joined && k->frame && k->made && k->moment && k->unit && k->square;
}

/* Poses of bodies at the start are found in numbers, from their shapes (form/pose); the equations
 * do not contain these. */
static void choose_shapes(taut_kin *k) {
    const taut_mechanism *m = k->mechanism;
    double value[3];
    for (int b = 0; b < m->bodies; b++) {
        for (int i = 1; i < m->body[b].elements; i++)
            taut_choose_by_values(k->graph, m->body[b].local[i], value);
        if (m->body[b].has_mass) taut_choose_by_values(k->graph, m->body[b].centroid, value);
    }
}

/* Places every body and every element. */
static taut_status place_all(taut_kin *k) {
    const taut_mechanism *m = k->mechanism;
    for (int i = 0; i < m->collinears; i++) k->scalar[i] = -1;
    if (k->formulation->prepare) TAUT_TRY(k->formulation->prepare(k));
    find_assigners(k);
    find_joined(k);
    for (int b = 0; b < m->bodies; b++)
        if (taut_kin_frame(k, b) != TAUT_OK) k->faulty = true;
    for (int e = 0; e < m->elements; e++) taut_kin_place(k, e);
    if (!taut_formulation_is_natural(k->formulation)) choose_shapes(k);
    if (!k->faulty && !taut_formulation_is_natural(k->formulation)) {
        const taut_status added = add_free_distances(k);
        k->no_memory = k->no_memory || added == TAUT_ERR_MEMORY;
        k->faulty = added != TAUT_OK;
    }
    const bool no_memory = k->no_memory || taut_graph_failed(k->graph);
    return no_memory ? TAUT_ERR_MEMORY : k->faulty ? TAUT_ERR_INPUT : TAUT_OK;
}

taut_status taut_kin_create(taut_problem *problem, const taut_forming *forming, taut_kin **kin,
                            taut_errors *errors) {
    taut_kin *k = NULL;
    size_t room = 0;
    *kin = NULL;
    if (taut_grow((void **)&k, &room, 1, sizeof *k)) return TAUT_ERR_MEMORY;
    *k = (taut_kin){.problem = problem,
                    .graph = problem->graph,
                    .model = problem->model,
                    .mechanism = problem->model->mechanism,
                    .formulation =
                        forming->formulation ? forming->formulation : taut_formulation_natural(),
                    .start = forming->start,
                    .whole = forming->whole,
                    .cut = forming->cut,
                    .errors = errors};
    taut_status status = make_lists(k) ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK)
        status = taut_substitution_create(k->graph, leaf_meaning, k, &k->substitution);
    if (status == TAUT_OK) status = place_all(k);
    if (status == TAUT_OK)
        *kin = k;
    else
        taut_kin_free(&k);
    return status;
}

void taut_kin_free(taut_kin **kin) {
    if (!*kin) return;
    taut_substitution_free(&(*kin)->substitution);
    taut_arena_release(&(*kin)->arena);
    taut_release((void **)kin);
}

/* Any two unit vectors normal to a steady one. */
static void steady_normals(taut_graph *g, taut_vec v, taut_vec normal[2]) {
    if (v.n == 2) {
        normal[0] = taut_kin_turned(g, v);
        return;
    }
    int least = 0;
    double value[3];
    taut_choose_by_values(g, v, value);
    for (int i = 1; i < 3; i++)
        if (fabs(value[i]) < fabs(value[least]) - 1e-12) least = i;
    taut_vec axis = {.n = 3};
    for (int i = 0; i < 3; i++) axis.c[i] = taut_number(g, i == least ? 1.0 : 0.0);
    normal[0] = taut_vec_cross(g, axis, v);
    normal[0] = taut_kin_divided(g, normal[0], taut_kin_steady_length(g, normal[0]));
    normal[1] = taut_vec_cross(g, v, normal[0]);
}

void taut_kin_local_normals(taut_kin *k, taut_vec local, taut_vec normal[2]) {
    steady_normals(k->graph, local, normal);
}

taut_vec taut_kin_local_x(taut_kin *k) {
    taut_vec x = zero(k);
    x.c[0] = taut_number(k->graph, 1.0);
    return x;
}

taut_vec taut_kin_body_x(taut_kin *k, int body) {
    const taut_vec x = taut_kin_local_x(k);
    return body < 0 ? x : taut_kin_direction(k, body, x);
}

taut_status taut_kin_normals(taut_kin *k, int e, taut_vec normal[2]) {
    taut_graph *g = k->graph;
    const taut_mechanism *m = k->mechanism;
    int at = 0;
    if (m->dimension == 2 || is_steady(k, e)) {
        steady_normals(g, k->value[e], normal);
        return TAUT_OK;
    }
    const int body = find_frame_of(k, e, &at);
    if (body >= 0) {
        taut_vec local[2];
        steady_normals(g, m->body[body].local[at], local);
        normal[0] = taut_kin_direction(k, body, local[0]);
        normal[1] = taut_kin_direction(k, body, local[1]);
        return TAUT_OK;
    }
    return taut_fail_at(
        k->errors, TAUT_ERR_INPUT, m->element[e].place,
        "the vector %s belongs to no body with a frame, so directions across it are "
        "not known",
        m->element[e].name);
}

static double largest_of(const taut_graph *g, taut_vec v, double largest) {
    for (int i = 0; i < v.n; i++) {
        const taut_node_data *d = taut_node_get(g, v.c[i]);
        if (d->steady && isfinite(d->value)) largest = fmax(largest, fabs(d->value));
    }
    return largest;
}

double taut_kin_size(taut_kin *k) {
    const taut_mechanism *m = k->mechanism;
    double largest = 0.0;
    if (k->size > 0.0) return k->size;
    for (int b = 0; b < m->bodies; b++)
        for (int i = 1; i < m->body[b].elements; i++)
            if (!m->element[m->body[b].element[i]].is_vector)
                largest = largest_of(k->graph, m->body[b].local[i], largest);
    for (int e = 0; e < m->elements; e++)
        if (m->element[e].fixed && !m->element[e].is_vector)
            largest = largest_of(k->graph, k->value[e], largest);
    return k->size = largest > 0.0 ? largest : 1.0;
}
