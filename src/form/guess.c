/* Known are fixed elements, listed values and functions of drivers; bodies that two directions (one
 * in the plane) and a point place hand on where their other elements are, joints hand on points,
 * axes and distances, gears angles. All of it as nodes, so that guesses follow parameters. */
#include "form/guess.h"

#include <math.h>

enum { MOST_ROUNDS = 1000 };
static const double PARALLEL = 1e-6;

/* A direction in the axes of a body, and in the world; of any length. */
typedef struct direction {
    taut_vec local, world;
} direction;

typedef struct guesser {
    taut_mechanics *n;
    const taut_mechanism *m;
    taut_graph *g;
    taut_vec *element;       /* [elements] n = 0: not known */
    taut_node *scalar;       /* [leaves] angles and distances; TAUT_NO_NODE: not known */
    bool *tied;              /* [angles] by a driver or a gear */
    direction (*heading)[2]; /* [bodies] that angles say */
    int *headings;           /* [bodies] */
    bool *used;              /* [angles] it has said one */
    bool *placed;            /* [bodies] nothing more to be found */
    bool progress;
    taut_substitution *substitution; /* by what is known */
} guesser;

/* ---- vectors ---- */

static taut_vec minus(taut_graph *g, taut_vec a, taut_vec b) { return taut_kin_add(g, a, -1.0, b); }

static taut_vec unit(taut_graph *g, taut_vec v) {
    return taut_kin_divided(g, v, taut_vec_norm(g, v));
}

/* What v has across a unit vector. */
static taut_vec across(taut_graph *g, taut_vec v, taut_vec axis) {
    return minus(g, v, taut_vec_scale(g, taut_vec_inner(g, v, axis), axis));
}

/* v, across the axis (3D), turned about it. */
static taut_vec turned(taut_graph *g, taut_vec v, taut_vec axis, taut_node angle) {
    const taut_node c = taut_apply(g, TAUT_OP_COS, angle), s = taut_apply(g, TAUT_OP_SIN, angle);
    const taut_vec side = v.n == 2 ? taut_kin_turned(g, v) : taut_vec_cross(g, axis, v);
    return taut_kin_add(g, taut_vec_scale(g, c, v), 1.0, taut_vec_scale(g, s, side));
}

/* Are two local vectors parallel? Only a guess depends on it: their values are not assumptions. */
static bool parallel(taut_graph *g, taut_vec a, taut_vec b) {
    double aa = 0.0, ab = 0.0, bb = 0.0;
    for (int i = 0; i < a.n; i++) {
        const double x = taut_node_get(g, a.c[i])->value, y = taut_node_get(g, b.c[i])->value;
        aa += x * x;
        ab += x * y;
        bb += y * y;
    }
    return !(aa * bb - ab * ab > PARALLEL * aa * bb);
}

/* Is a vector 0, as far as its value is known by now? */
static bool is_nothing(taut_graph *g, taut_vec v) {
    for (int i = 0; i < v.n; i++) {
        const taut_node_data *d = taut_node_get(g, v.c[i]);
        if (!d->steady || d->value != 0.0) return false;
    }
    return true;
}

/* ---- what is known ---- */

static void learn(guesser *x, int e, taut_vec at) {
    if (e < 0 || x->element[e].n > 0) return;
    x->element[e] = at;
    x->progress = true;
}

static void learn_scalar(guesser *x, int leaf, taut_node value) {
    if (leaf < 0 || x->scalar[leaf] != TAUT_NO_NODE) return;
    x->scalar[leaf] = value;
    x->progress = true;
}

/* The leaf that a node is; -1: it is something else. */
static int leaf_of(const guesser *x, taut_node node) {
    const taut_node_data *d = taut_node_get(x->g, node);
    return d->op == TAUT_OP_LEAF ? d->index : -1;
}

static taut_node meaning(void *user, int leaf) {
    const guesser *x = user;
    const taut_model_leaf *l = &x->n->model->leaf[leaf];
    if (l->kind != TAUT_LEAF_ELEMENT) return x->scalar[leaf];
    return x->element[l->index].n > 0 ? x->element[l->index].c[l->part] : TAUT_NO_NODE;
}

/* A formula of known elements and coordinates; n = 0: it has others. */
static taut_status evaluate(guesser *x, taut_vec formula, taut_vec *value) {
    bool finite;
    *value = formula;
    taut_status status = TAUT_OK;
    taut_substitution_forget(x->substitution); /* more may be known by now */
    for (int i = 0; i < formula.n && status == TAUT_OK; i++)
        status = taut_substitute(x->substitution, formula.c[i], &value->c[i], &finite);
    if (status != TAUT_OK) *value = (taut_vec){0};
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* Listed values: scalars at once, elements if all their components are. */
static taut_status take_listed(guesser *x) {
    const taut_model *m = x->n->model;
    taut_arena arena = {0};
    taut_vec *part = TAUT_NEW_ARRAY(&arena, x->m->elements, taut_vec);
    for (int i = 0; i < m->values && part; i++) {
        const taut_model_value *v = &m->value[i];
        const int leaf = v->order == 0 && v->number != TAUT_NO_NODE ? leaf_of(x, v->node) : -1;
        if (leaf < 0) continue;
        const taut_node number = taut_problem_initial(x->n->problem, i);
        const taut_model_leaf *l = &m->leaf[leaf];
        if (l->kind != TAUT_LEAF_ELEMENT) {
            learn_scalar(x, leaf, number);
            continue;
        }
        part[l->index].c[l->part] = number;
        if (++part[l->index].n == x->m->dimension) learn(x, l->index, part[l->index]);
    }
    taut_arena_release(&arena);
    return part ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Drivers, which win over listed values: angles and distances at once, points if they drive all
 * components. */
static taut_status take_drivers(guesser *x) {
    const taut_model *m = x->n->model;
    taut_arena arena = {0};
    taut_vec *part = TAUT_NEW_ARRAY(&arena, x->m->elements, taut_vec);
    taut_status status = part ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < x->m->drivers && status == TAUT_OK; i++) {
        const taut_driver *d = &x->m->driver[i];
        const int leaf = d->driven.n > 0 ? leaf_of(x, d->driven.c[0]) : -1;
        taut_vec wanted;
        if (leaf < 0) continue;
        status = evaluate(x, taut_vec_scalar(d->wanted), &wanted);
        if (status != TAUT_OK || wanted.n == 0) continue;
        const taut_model_leaf *l = &m->leaf[leaf];
        if (l->kind == TAUT_LEAF_ELEMENT) {
            part[l->index].c[l->part] = wanted.c[0];
            if (++part[l->index].n == x->m->dimension) x->element[l->index] = part[l->index];
        } else {
            x->scalar[leaf] = wanted.c[0];
            if (l->kind == TAUT_LEAF_ANGLE) x->tied[l->index] = true;
        }
    }
    taut_arena_release(&arena);
    return status;
}

static void take_fixed(guesser *x) {
    for (int e = 0; e < x->m->elements; e++)
        if (x->m->element[e].fixed) x->element[e] = x->n->kin->value[e];
}

/* ---- angles ---- */

/* The local coordinates of an element of a body; n = 0: it is not one of them. */
static taut_vec local_of(const guesser *x, int body, int e) {
    const taut_body *b = &x->m->body[body];
    for (int i = 0; i < b->elements; i++)
        if (b->element[i] == e) return b->local[i];
    return (taut_vec){0};
}

/* A body that has an element, and another one (-1: any); -1: there is none. */
static int carrier_of(const guesser *x, int e, int other) {
    for (int i = x->m->carrier_start[e]; i < x->m->carrier_start[e + 1]; i++)
        if (other < 0 || local_of(x, x->m->carrier[i], other).n > 0) return x->m->carrier[i];
    return -1;
}

/* One side of an angle: a direction of a body, an element, or what is known of neither. */
typedef struct end {
    int body;    /* -1: the ground, or none */
    int element; /* a vector; -1: it is none */
    taut_vec local, world;
} end;

static taut_vec world_x(const guesser *x) { return taut_kin_local_x(x->n->kin); }

/* The world direction of a local one; n = 0: the body's are not known. */
static taut_vec find_axes(const guesser *x, int body, taut_vec axis[3]);

static taut_vec to_world(const guesser *x, int body, taut_vec local) {
    taut_vec axis[3] = {{0}};
    if (find_axes(x, body, axis).n == 0) return (taut_vec){0};
    taut_vec sum = taut_vec_scale(x->g, local.c[0], axis[0]);
    for (int k = 1; k < local.n; k++)
        sum = taut_kin_add(x->g, sum, 1.0, taut_vec_scale(x->g, local.c[k], axis[k]));
    return sum;
}

static end end_of_body(const guesser *x, int body) {
    end e = {.body = body, .element = -1, .local = world_x(x)};
    e.world = body < 0 ? world_x(x) : to_world(x, body, e.local);
    return e;
}

static end end_of_vector(const guesser *x, int element) {
    end e = {.body = carrier_of(x, element, -1), .element = element, .world = x->element[element]};
    if (e.body >= 0) e.local = local_of(x, e.body, element);
    return e;
}

static end end_of_line(const guesser *x, int a, int b) {
    end e = {.body = carrier_of(x, a, b), .element = -1};
    if (x->element[a].n > 0 && x->element[b].n > 0)
        e.world = minus(x->g, x->element[b], x->element[a]);
    if (e.body >= 0) e.local = minus(x->g, local_of(x, e.body, b), local_of(x, e.body, a));
    return e;
}

/* The element whose component a node is; -1: it is something else. */
static int element_of(const guesser *x, taut_node node, int part) {
    const int leaf = leaf_of(x, node);
    const taut_model_leaf *l = leaf < 0 ? NULL : &x->n->model->leaf[leaf];
    return l && l->kind == TAUT_LEAF_ELEMENT && l->part == part ? l->index : -1;
}

/* A formula that is an element, v (*a = -1), or the difference of two, B - A. */
static bool is_difference(const guesser *x, taut_vec formula, int *a, int *b) {
    *a = *b = -1;
    for (int i = 0; i < formula.n; i++) {
        const taut_node_data *d = taut_node_get(x->g, formula.c[i]);
        int from = -1, to = element_of(x, formula.c[i], i);
        if (d->op == TAUT_OP_SUM && d->count == 2 && d->constant == 0.0) {
            const double *coef = taut_node_coefs(x->g, formula.c[i]);
            const int plus = coef[0] > 0.0 ? 0 : 1;
            if (coef[plus] != 1.0 || coef[1 - plus] != -1.0) return false;
            to = element_of(x, taut_node_args(x->g, formula.c[i])[plus], i);
            from = element_of(x, taut_node_args(x->g, formula.c[i])[1 - plus], i);
            if (from < 0) return false;
        }
        if (to < 0 || (i > 0 && (to != *b || from != *a))) return false;
        *a = from;
        *b = to;
    }
    return *b >= 0;
}

static taut_status find_end(guesser *x, const taut_heading *h, end *e) {
    int a, b;
    if (h->kind == TAUT_HEADING_BODY) {
        *e = end_of_body(x, h->body);
    } else if (h->kind == TAUT_HEADING_VECTOR) {
        *e = end_of_vector(x, h->element[0]);
    } else if (h->kind == TAUT_HEADING_LINE) {
        *e = end_of_line(x, h->element[0], h->element[1]);
    } else if (is_difference(x, h->formula, &a, &b)) {
        *e = a < 0 ? end_of_vector(x, b) : end_of_line(x, a, b);
    } else {
        *e = (end){.body = -1, .element = -1};
        return evaluate(x, h->formula, &e->world);
    }
    return TAUT_OK;
}

/* Both ends and the axis (3D) of an angle. */
static taut_status find_ends(guesser *x, const taut_angle *a, end e[2], taut_vec *axis) {
    *axis = (taut_vec){0};
    if (a->directed) {
        TAUT_TRY(find_end(x, &a->from, &e[0]));
        TAUT_TRY(find_end(x, &a->to, &e[1]));
        return x->m->dimension == 3 ? evaluate(x, a->axis.formula, axis) : TAUT_OK;
    }
    const taut_joint *j = a->joint < 0 ? NULL : &x->m->joint[a->joint];
    const int *body = j ? j->body : a->body;
    if (!j || x->m->dimension == 2) {
        for (int i = 0; i < 2; i++) e[i] = end_of_body(x, body[i]);
        return TAUT_OK;
    }
    const bool universal = j->kind == TAUT_JOINT_UNIVERSAL;
    const int from = universal && a->number == 1 ? j->axis[0] : j->normal[0];
    const int to = universal && a->number == 0 ? j->axis[1] : j->normal[1];
    const int about = j->axis[universal ? a->number : 0];
    for (int i = 0; i < 2; i++) e[i] = (end){.body = -1, .element = -1};
    if (from < 0 || to < 0 || about < 0) return TAUT_OK;
    e[0] = end_of_vector(x, from);
    e[1] = end_of_vector(x, to);
    *axis = x->element[about];
    return TAUT_OK;
}

/* The local direction of a known axis in a body; n = 0: it is none of its vectors. */
static taut_vec local_axis(const guesser *x, int body, taut_vec axis) {
    const taut_body *b = &x->m->body[body];
    for (int i = 0; i < b->elements; i++) {
        const taut_vec *v = &x->element[b->element[i]];
        bool same = x->m->element[b->element[i]].is_vector && v->n == axis.n;
        for (int k = 0; k < axis.n && same; k++) same = v->c[k] == axis.c[k];
        if (same) return local_of(x, body, b->element[i]);
    }
    return (taut_vec){0};
}

static void note_heading(guesser *x, int body, taut_vec local, taut_vec world) {
    if (body < 0 || x->headings[body] == 2 || local.n == 0) return;
    x->heading[body][x->headings[body]++] = (direction){local, world};
    x->progress = true;
}

/* From one end of an angle to the other. */
static void pass_angle(guesser *x, const end *known, const end *other, taut_vec axis,
                       taut_node angle, bool *used) {
    const bool space = x->m->dimension == 3;
    const taut_vec u = space ? unit(x->g, axis) : axis;
    const taut_vec from = space ? across(x->g, known->world, u) : known->world;
    const taut_vec to = turned(x->g, from, u, angle);
    taut_vec local = other->local;
    if (space && other->body >= 0 && local.n > 0) {
        const taut_vec own = local_axis(x, other->body, axis);
        if (own.n == 0) return;
        local = across(x->g, local, own);
    }
    if (other->body >= 0)
        note_heading(x, other->body, local, to);
    else if (other->element >= 0 && !space)
        learn(x, other->element, unit(x->g, to));
    else
        return;
    *used = true;
}

static taut_status use_angle(guesser *x, int k) {
    const taut_angle *a = &x->m->angle[k];
    const taut_node value = x->scalar[a->leaf];
    end e[2];
    taut_vec axis;
    if (x->used[k] || value == TAUT_NO_NODE) return TAUT_OK;
    TAUT_TRY(find_ends(x, a, e, &axis));
    if (x->m->dimension == 3 && axis.n == 0) return TAUT_OK;
    if (e[0].world.n > 0 && e[1].world.n > 0)
        x->used[k] = true;
    else if (e[0].world.n > 0)
        pass_angle(x, &e[0], &e[1], axis, value, &x->used[k]);
    else if (e[1].world.n > 0)
        pass_angle(x, &e[1], &e[0], axis, taut_scale(x->g, -1.0, value), &x->used[k]);
    return TAUT_OK;
}

/* An angle of known directions that has no value: its geometry says one, up to whole turns. */
static taut_status measure_angle(guesser *x, int k) {
    const taut_angle *a = &x->m->angle[k];
    end e[2];
    taut_vec axis;
    if (x->scalar[a->leaf] != TAUT_NO_NODE) return TAUT_OK;
    TAUT_TRY(find_ends(x, a, e, &axis));
    if (e[0].world.n == 0 || e[1].world.n == 0) return TAUT_OK;
    if (x->m->dimension == 3 && axis.n == 0) return TAUT_OK;
    const taut_vec cross = taut_vec_cross(x->g, e[0].world, e[1].world);
    taut_node sine = cross.c[0], cosine = taut_vec_inner(x->g, e[0].world, e[1].world);
    if (cross.n == 3) {
        const taut_vec u = unit(x->g, axis);
        sine = taut_vec_inner(x->g, cross, u);
        cosine = taut_vec_inner(x->g, across(x->g, e[0].world, u), across(x->g, e[1].world, u));
    }
    learn_scalar(x, a->leaf, taut_atan2(x->g, sine, cosine));
    return TAUT_OK;
}

/* ---- bodies ---- */

/* Known directions of a body, those that angles say first; up to `most` that are not parallel. */
static int list_directions(const guesser *x, int body, direction *list, int most) {
    const taut_body *b = &x->m->body[body];
    int count = 0, first = -1;
    direction d;
    for (int i = 0; i < x->headings[body] + b->elements && count < most; i++) {
        const int k = i - x->headings[body], e = k < 0 ? -1 : b->element[k];
        if (k < 0) {
            d = x->heading[body][i];
        } else if (x->element[e].n == 0) {
            continue;
        } else if (x->m->element[e].is_vector) {
            d = (direction){local_of(x, body, e), x->element[e]};
        } else if (first < 0) {
            first = e;
            continue;
        } else {
            d.local = minus(x->g, local_of(x, body, e), local_of(x, body, first));
            d.world = minus(x->g, x->element[e], x->element[first]);
        }
        if (!is_nothing(x->g, d.local) && !is_nothing(x->g, d.world) &&
            (count == 0 || !parallel(x->g, d.local, list[0].local)))
            list[count++] = d;
    }
    return count;
}

/* The axes of a body in the world, from one direction in the plane, from two in space; n = 0: not
 * known. */
static taut_vec find_axes(const guesser *x, int body, taut_vec axis[3]) {
    taut_graph *g = x->g;
    direction d[2] = {{{0}, {0}}};
    taut_vec p[3], q[3];
    const int n = x->m->dimension;
    if (list_directions(x, body, d, n - 1) < n - 1) return (taut_vec){0};
    p[0] = unit(g, d[0].local);
    q[0] = unit(g, d[0].world);
    if (n == 2) {
        p[1] = taut_kin_turned(g, p[0]);
        q[1] = taut_kin_turned(g, q[0]);
    } else {
        p[1] = unit(g, across(g, d[1].local, p[0]));
        q[1] = unit(g, across(g, d[1].world, q[0]));
        p[2] = taut_vec_cross(g, p[0], p[1]);
        q[2] = taut_vec_cross(g, q[0], q[1]);
    }
    for (int k = 0; k < n; k++) {
        axis[k] = taut_vec_scale(g, p[0].c[k], q[0]);
        for (int j = 1; j < n; j++)
            axis[k] = taut_kin_add(g, axis[k], 1.0, taut_vec_scale(g, p[j].c[k], q[j]));
    }
    return axis[0];
}

/* A known point of a body, a fixed one if there is one; -1: there is none. */
static int known_point(const guesser *x, const taut_body *b) {
    int found = -1;
    for (int i = 0; i < b->elements; i++) {
        const int e = b->element[i];
        if (x->m->element[e].is_vector || x->element[e].n == 0) continue;
        if (x->m->element[e].fixed) return e;
        if (found < 0) found = e;
    }
    return found;
}

/* Points of a bar on the line of two that are known. */
static void place_on_line(guesser *x, int body, int origin) {
    const taut_body *b = &x->m->body[body];
    direction d;
    if (origin < 0 || list_directions(x, body, &d, 1) < 1) return;
    const taut_vec start = local_of(x, body, origin);
    const taut_vec p = unit(x->g, d.local), q = unit(x->g, d.world);
    for (int i = 0; i < b->elements; i++) {
        const int e = b->element[i];
        if (x->element[e].n > 0) continue;
        taut_vec way = local_of(x, body, e);
        if (!x->m->element[e].is_vector) way = minus(x->g, way, start);
        if (!parallel(x->g, way, d.local)) continue;
        const taut_vec there = taut_vec_scale(x->g, taut_vec_inner(x->g, way, p), q);
        learn(x, e,
              x->m->element[e].is_vector ? there
                                         : taut_kin_add(x->g, x->element[origin], 1.0, there));
    }
}

static void place_body(guesser *x, int body) {
    const taut_body *b = &x->m->body[body];
    const int origin = known_point(x, b);
    taut_vec axis[3] = {{0}};
    int open = 0;
    if (x->placed[body]) return;
    for (int i = 0; i < b->elements; i++) open += x->element[b->element[i]].n == 0;
    if (open == 0) {
        x->placed[body] = true;
        return;
    }
    if (find_axes(x, body, axis).n == 0) {
        if (x->m->dimension == 3) place_on_line(x, body, origin);
        return;
    }
    for (int i = 0; i < b->elements; i++) {
        const int e = b->element[i];
        const bool point = !x->m->element[e].is_vector;
        if (x->element[e].n > 0 || (point && origin < 0)) continue;
        taut_vec way = local_of(x, body, e);
        if (point) way = minus(x->g, way, local_of(x, body, origin));
        taut_vec at = taut_vec_scale(x->g, way.c[0], axis[0]);
        for (int k = 1; k < way.n; k++)
            at = taut_kin_add(x->g, at, 1.0, taut_vec_scale(x->g, way.c[k], axis[k]));
        learn(x, e, point ? taut_kin_add(x->g, x->element[origin], 1.0, at) : at);
    }
}

/* ---- joints ---- */

static bool demands(const guesser *x, const taut_joint *j, taut_joint_condition condition) {
    return taut_joint_demands(j->kind, x->m->dimension, condition);
}

static void share(guesser *x, const int pair[2]) {
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0 && pair[1 - i] >= 0 && x->element[pair[i]].n > 0)
            learn(x, pair[1 - i], x->element[pair[i]]);
}

/* Normals of bodies that do not turn against each other point the same way. */
static void pass_normal(guesser *x, const taut_joint *j) {
    const int to = j->body[1];
    if (j->normal[0] < 0 || j->normal[1] < 0 || to < 0 || x->headings[to] > 0) return;
    const taut_vec axis = x->element[j->axis[0]], normal = x->element[j->normal[0]];
    if (axis.n == 0 || normal.n == 0 || x->element[j->normal[1]].n > 0) return;
    const taut_vec own = local_of(x, to, j->axis[1]), local = local_of(x, to, j->normal[1]);
    if (own.n == 0 || local.n == 0) return;
    note_heading(x, to, across(x->g, local, own), across(x->g, normal, axis));
}

static void use_distance(guesser *x, const taut_joint *j) {
    const taut_node s = j->distance[0] ? x->scalar[j->leaf[0]] : TAUT_NO_NODE;
    if (s == TAUT_NO_NODE || j->axis[0] < 0 || x->element[j->axis[0]].n == 0) return;
    const taut_vec way = taut_vec_scale(x->g, s, x->element[j->axis[0]]);
    if (x->element[j->point[0]].n > 0)
        learn(x, j->point[1], taut_kin_add(x->g, x->element[j->point[0]], 1.0, way));
    else if (x->element[j->point[1]].n > 0)
        learn(x, j->point[0], minus(x->g, x->element[j->point[1]], way));
}

/* y = r x + phase; a whole turn of a screw is its pitch. */
static void use_gear(guesser *x, const taut_joint *j) {
    taut_graph *g = x->g;
    if (j->phase == TAUT_NO_NODE || j->kind == TAUT_JOINT_SCREW) return;
    const int leaf[2] = {leaf_of(x, j->tied[0]), leaf_of(x, j->tied[1])};
    if (leaf[0] < 0 || leaf[1] < 0) return;
    const taut_node a = x->scalar[leaf[0]], b = x->scalar[leaf[1]];
    if ((a == TAUT_NO_NODE) == (b == TAUT_NO_NODE)) return;
    const int to = a == TAUT_NO_NODE ? leaf[0] : leaf[1];
    const taut_model_leaf *l = &x->n->model->leaf[to];
    learn_scalar(x, to,
                 a == TAUT_NO_NODE ? taut_div(g, taut_sub(g, b, j->phase), j->number)
                                   : taut_add(g, taut_mul(g, j->number, a), j->phase));
    if (l->kind == TAUT_LEAF_ANGLE) x->tied[l->index] = true;
}

static void use_joint(guesser *x, const taut_joint *j) {
    if (j->shared) return;
    if (demands(x, j, TAUT_CONDITION_GEARED)) use_gear(x, j);
    if (j->disassembled) return;
    if (demands(x, j, TAUT_CONDITION_MEET)) share(x, j->point);
    if (demands(x, j, TAUT_CONDITION_ALIGN)) share(x, j->axis);
    if (demands(x, j, TAUT_CONDITION_UNTURNED)) pass_normal(x, j);
    if (demands(x, j, TAUT_CONDITION_ON_LINE)) use_distance(x, j);
}

/* Points on lines, and points by formulas. */
static taut_status use_lines(guesser *x) {
    for (int i = 0; i < x->m->collinears; i++) {
        const taut_collinear *c = &x->m->collinear[i];
        if (c->leaf < 0 || x->scalar[c->leaf] == TAUT_NO_NODE) continue;
        const taut_vec O = x->element[c->origin], v = x->element[c->vector];
        if (O.n > 0 && v.n > 0)
            learn(x, c->point,
                  taut_kin_add(x->g, O, 1.0, taut_vec_scale(x->g, x->scalar[c->leaf], v)));
    }
    for (int e = 0; e < x->m->elements; e++) {
        taut_vec value;
        if (!x->m->element[e].formula || x->element[e].n > 0) continue;
        TAUT_TRY(evaluate(x, x->m->element[e].given, &value));
        if (value.n > 0) learn(x, e, x->m->element[e].is_vector ? unit(x->g, value) : value);
    }
    return TAUT_OK;
}

/* One of two geared angles of which nothing but the geometry is known: it says how many turns the
 * other one has. */
static taut_status measure_geared(guesser *x, const taut_joint *j) {
    if (j->shared || !demands(x, j, TAUT_CONDITION_GEARED) || j->phase == TAUT_NO_NODE ||
        j->kind == TAUT_JOINT_SCREW)
        return TAUT_OK;
    for (int k = 0; k < 2 && !x->progress; k++) {
        const int leaf = leaf_of(x, j->tied[k]);
        const taut_model_leaf *l = leaf < 0 ? NULL : &x->n->model->leaf[leaf];
        if (l && l->kind == TAUT_LEAF_ANGLE) TAUT_TRY(measure_angle(x, l->index));
    }
    return TAUT_OK;
}

/* ---- all of it ---- */

static taut_status spread(guesser *x) {
    x->progress = true;
    for (int round = 0; x->progress && round < MOST_ROUNDS; round++) {
        x->progress = false;
        for (int k = 0; k < x->m->angles; k++) TAUT_TRY(use_angle(x, k));
        for (int b = 0; b < x->m->bodies; b++) place_body(x, b);
        for (int i = 0; i < x->m->joints; i++) use_joint(x, &x->m->joint[i]);
        TAUT_TRY(use_lines(x));
        if (x->progress) continue;
        for (int i = 0; i < x->m->joints && !x->progress; i++)
            TAUT_TRY(measure_geared(x, &x->m->joint[i]));
    }
    return taut_graph_failed(x->g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

static void hint(guesser *x, taut_node unknown, taut_node value) {
    taut_system *s = &x->n->problem->system;
    const taut_node_data *d = taut_node_get(x->g, unknown);
    if (d->op != TAUT_OP_VAR || value == TAUT_NO_NODE) return;
    s->hint[s->hints++] = (taut_hint){d->index, taut_sub(x->g, value, unknown)};
}

/* What is listed keeps its value: see taut_consistent_find. */
static taut_status fill_hints(guesser *x) {
    taut_system *s = &x->n->problem->system;
    const taut_kin *kin = x->n->kin;
    s->hint = TAUT_NEW_ARRAY(x->n->arena, s->n, taut_hint);
    if (!s->hint) return TAUT_ERR_MEMORY;
    for (int e = 0; e < x->m->elements; e++)
        for (int i = 0; i < x->element[e].n && kin->origin[e] == TAUT_ORIGIN_BASIC; i++)
            hint(x, kin->value[e].c[i], x->element[e].c[i]);
    for (int i = 0; i < x->m->collinears; i++) {
        const taut_collinear *c = &x->m->collinear[i];
        const taut_vec O = x->element[c->origin], v = x->element[c->vector];
        if (kin->scalar[i] < 0 || O.n == 0 || v.n == 0 || x->element[c->point].n == 0) continue;
        hint(x, taut_variable(x->g, kin->scalar[i]),
             taut_vec_inner(x->g, minus(x->g, x->element[c->point], O), v));
    }
    for (int k = 0; k < x->m->angles; k++)
        hint(x, x->n->angle[k].variable, x->scalar[x->m->angle[k].leaf]);
    return TAUT_OK;
}

/* Is there anything to guess? Elements that are unknowns and listed in full need nothing. */
static bool is_needed(const guesser *x) {
    if (x->m->angles > 0) return true;
    for (int e = 0; e < x->m->elements; e++)
        if (x->n->kin->origin[e] == TAUT_ORIGIN_BASIC && x->element[e].n == 0) return true;
    return false;
}

taut_status taut_mechanics_guess(taut_mechanics *n, bool *tied) {
    const taut_mechanism *m = n->mechanism;
    taut_arena *arena = &n->kin->arena;
    guesser x = {.n = n, .m = m, .g = n->graph, .tied = tied};
    x.element = TAUT_NEW_ARRAY(arena, m->elements, taut_vec);
    x.scalar = TAUT_NEW_ARRAY(arena, n->model->leaves, taut_node);
    x.heading = taut_arena_array(arena, (size_t)m->bodies, sizeof *x.heading);
    x.headings = TAUT_NEW_ARRAY(arena, m->bodies, int);
    x.used = TAUT_NEW_ARRAY(arena, m->angles, bool);
    x.placed = TAUT_NEW_ARRAY(arena, m->bodies, bool);
    if (!x.element || !x.scalar || !x.heading || !x.headings || !x.used || !x.placed)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < n->model->leaves; i++) x.scalar[i] = TAUT_NO_NODE;
    TAUT_TRY(taut_substitution_create(x.g, meaning, &x, &x.substitution));
    take_fixed(&x);
    taut_status status = take_listed(&x);
    if (status == TAUT_OK) status = take_drivers(&x);
    if (status == TAUT_OK && is_needed(&x)) {
        status = spread(&x);
        if (status == TAUT_OK) status = fill_hints(&x);
    }
    taut_substitution_free(&x.substitution);
    return status;
}
