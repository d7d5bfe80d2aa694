/* Known are fixed elements, listed values and functions of drivers; bodies that two directions (one
 * in the plane) and a point place hand on where their other elements are, joints hand on points,
 * axes and distances, gears angles. All of it as nodes, so that guesses follow parameters. */
#include "form/guess_parts.h"

#include <math.h>

enum { MOST_ROUNDS = 1000 };
static const double PARALLEL = 1e-6;

/* ---- vectors ---- */

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

void taut_guess_learn(taut_guesser *x, int e, taut_vec at) {
    if (e < 0 || x->element[e].n > 0) return;
    x->element[e] = at;
    x->progress = true;
}

void taut_guess_learn_scalar(taut_guesser *x, int leaf, taut_node value) {
    if (leaf < 0 || x->scalar[leaf] != TAUT_NO_NODE) return;
    x->scalar[leaf] = value;
    x->progress = true;
}

/* The leaf that a node is; -1: it is something else. */
int taut_guess_leaf(const taut_guesser *x, taut_node node) {
    const taut_node_data *d = taut_node_get(x->g, node);
    return d->op == TAUT_OP_LEAF ? d->index : -1;
}

static taut_node meaning(void *user, int leaf) {
    const taut_guesser *x = user;
    const taut_model_leaf *l = &x->n->model->leaf[leaf];
    if (l->kind != TAUT_LEAF_ELEMENT) return x->scalar[leaf];
    return x->element[l->index].n > 0 ? x->element[l->index].c[l->part] : TAUT_NO_NODE;
}

/* A formula of known elements and coordinates; n = 0: it has others. */
taut_status taut_guess_evaluate(taut_guesser *x, taut_vec formula, taut_vec *value) {
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
static taut_status take_listed(taut_guesser *x) {
    const taut_model *m = x->n->model;
    taut_arena arena = {0};
    taut_vec *part = TAUT_NEW_ARRAY(&arena, x->m->elements, taut_vec);
    for (int i = 0; i < m->values && part; i++) {
        const taut_model_value *v = &m->value[i];
        const int leaf =
            v->order == 0 && v->number != TAUT_NO_NODE ? taut_guess_leaf(x, v->node) : -1;
        if (leaf < 0) continue;
        const taut_node number = taut_problem_initial(x->n->problem, i);
        const taut_model_leaf *l = &m->leaf[leaf];
        if (l->kind != TAUT_LEAF_ELEMENT) {
            taut_guess_learn_scalar(x, leaf, number);
            continue;
        }
        part[l->index].c[l->part] = number;
        if (++part[l->index].n == x->m->dimension) taut_guess_learn(x, l->index, part[l->index]);
    }
    taut_arena_release(&arena);
    return part ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Drivers, which win over listed values: angles and distances at once, points if they drive all
 * components. */
static taut_status take_drivers(taut_guesser *x) {
    const taut_model *m = x->n->model;
    taut_arena arena = {0};
    taut_vec *part = TAUT_NEW_ARRAY(&arena, x->m->elements, taut_vec);
    taut_status status = part ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < x->m->drivers && status == TAUT_OK; i++) {
        const taut_driver *d = &x->m->driver[i];
        const int leaf = d->driven.n > 0 ? taut_guess_leaf(x, d->driven.c[0]) : -1;
        taut_vec wanted;
        if (leaf < 0 || d->velocity) continue;
        status = taut_guess_evaluate(x, taut_vec_scalar(d->wanted), &wanted);
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

static void take_fixed(taut_guesser *x) {
    for (int e = 0; e < x->m->elements; e++)
        if (x->m->element[e].fixed) x->element[e] = x->n->kin->value[e];
}

/* ---- bodies ---- */

taut_vec taut_guess_local(const taut_guesser *x, int body, int e) {
    const taut_body *b = &x->m->body[body];
    for (int i = 0; i < b->elements; i++)
        if (b->element[i] == e) return b->local[i];
    return (taut_vec){0};
}

/* Known directions of a body, those that angles say first; up to `most` that are not parallel. */
static int list_directions(const taut_guesser *x, int body, taut_guess_direction *list, int most) {
    const taut_body *b = &x->m->body[body];
    int count = 0, first = -1;
    taut_guess_direction d;
    for (int i = 0; i < x->headings[body] + b->elements && count < most; i++) {
        const int k = i - x->headings[body], e = k < 0 ? -1 : b->element[k];
        if (k < 0) {
            d = x->heading[body][i];
        } else if (x->element[e].n == 0) {
            continue;
        } else if (x->m->element[e].is_vector) {
            d = (taut_guess_direction){taut_guess_local(x, body, e), x->element[e]};
        } else if (first < 0) {
            first = e;
            continue;
        } else {
            d.local = taut_guess_minus(x->g, taut_guess_local(x, body, e),
                                       taut_guess_local(x, body, first));
            d.world = taut_guess_minus(x->g, x->element[e], x->element[first]);
        }
        if (!is_nothing(x->g, d.local) && !is_nothing(x->g, d.world) &&
            (count == 0 || !parallel(x->g, d.local, list[0].local)))
            list[count++] = d;
    }
    return count;
}

/* The axes of a body in the world, from one direction in the plane, from two in space; n = 0: not
 * known. */
taut_vec taut_guess_axes(const taut_guesser *x, int body, taut_vec axis[3]) {
    taut_graph *g = x->g;
    taut_guess_direction d[2] = {{{0}, {0}}};
    taut_vec p[3], q[3];
    const int n = x->m->dimension;
    if (list_directions(x, body, d, n - 1) < n - 1) return (taut_vec){0};
    p[0] = taut_guess_unit(g, d[0].local);
    q[0] = taut_guess_unit(g, d[0].world);
    if (n == 2) {
        p[1] = taut_kin_turned(g, p[0]);
        q[1] = taut_kin_turned(g, q[0]);
    } else {
        p[1] = taut_guess_unit(g, taut_guess_across(g, d[1].local, p[0]));
        q[1] = taut_guess_unit(g, taut_guess_across(g, d[1].world, q[0]));
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
static int known_point(const taut_guesser *x, const taut_body *b) {
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
static void place_on_line(taut_guesser *x, int body, int origin) {
    const taut_body *b = &x->m->body[body];
    taut_guess_direction d;
    if (origin < 0 || list_directions(x, body, &d, 1) < 1) return;
    const taut_vec start = taut_guess_local(x, body, origin);
    const taut_vec p = taut_guess_unit(x->g, d.local), q = taut_guess_unit(x->g, d.world);
    for (int i = 0; i < b->elements; i++) {
        const int e = b->element[i];
        if (x->element[e].n > 0) continue;
        taut_vec way = taut_guess_local(x, body, e);
        if (!x->m->element[e].is_vector) way = taut_guess_minus(x->g, way, start);
        if (!parallel(x->g, way, d.local)) continue;
        const taut_vec there = taut_vec_scale(x->g, taut_vec_inner(x->g, way, p), q);
        taut_guess_learn(x, e,
                         x->m->element[e].is_vector
                             ? there
                             : taut_kin_add(x->g, x->element[origin], 1.0, there));
    }
}

static void place_body(taut_guesser *x, int body) {
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
    if (taut_guess_axes(x, body, axis).n == 0) {
        if (x->m->dimension == 3) place_on_line(x, body, origin);
        return;
    }
    for (int i = 0; i < b->elements; i++) {
        const int e = b->element[i];
        const bool point = !x->m->element[e].is_vector;
        if (x->element[e].n > 0 || (point && origin < 0)) continue;
        taut_vec way = taut_guess_local(x, body, e);
        if (point) way = taut_guess_minus(x->g, way, taut_guess_local(x, body, origin));
        taut_vec at = taut_vec_scale(x->g, way.c[0], axis[0]);
        for (int k = 1; k < way.n; k++)
            at = taut_kin_add(x->g, at, 1.0, taut_vec_scale(x->g, way.c[k], axis[k]));
        taut_guess_learn(x, e, point ? taut_kin_add(x->g, x->element[origin], 1.0, at) : at);
    }
}

/* ---- joints ---- */

static bool demands(const taut_guesser *x, const taut_joint *j, taut_joint_condition condition) {
    return taut_joint_demands(j->kind, x->m->dimension, condition);
}

static void share(taut_guesser *x, const int pair[2]) {
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0 && pair[1 - i] >= 0 && x->element[pair[i]].n > 0)
            taut_guess_learn(x, pair[1 - i], x->element[pair[i]]);
}

/* Normals of bodies that do not turn against each other point the same way. */
static void pass_normal(taut_guesser *x, const taut_joint *j) {
    const int to = j->body[1];
    if (j->normal[0] < 0 || j->normal[1] < 0 || to < 0 || x->headings[to] > 0) return;
    const taut_vec axis = x->element[j->axis[0]], normal = x->element[j->normal[0]];
    if (axis.n == 0 || normal.n == 0 || x->element[j->normal[1]].n > 0) return;
    const taut_vec own = taut_guess_local(x, to, j->axis[1]),
                   local = taut_guess_local(x, to, j->normal[1]);
    if (own.n == 0 || local.n == 0) return;
    taut_guess_note_heading(x, to, taut_guess_across(x->g, local, own),
                            taut_guess_across(x->g, normal, axis));
}

static void use_distance(taut_guesser *x, const taut_joint *j) {
    const taut_node s = j->distance[0] ? x->scalar[j->leaf[0]] : TAUT_NO_NODE;
    if (s == TAUT_NO_NODE || j->axis[0] < 0 || x->element[j->axis[0]].n == 0) return;
    const taut_vec way = taut_vec_scale(x->g, s, x->element[j->axis[0]]);
    if (x->element[j->point[0]].n > 0)
        taut_guess_learn(x, j->point[1], taut_kin_add(x->g, x->element[j->point[0]], 1.0, way));
    else if (x->element[j->point[1]].n > 0)
        taut_guess_learn(x, j->point[0], taut_guess_minus(x->g, x->element[j->point[1]], way));
}

/* y = r x + phase; a whole turn of a screw is its pitch. */
static void use_gear(taut_guesser *x, const taut_joint *j) {
    taut_graph *g = x->g;
    if (j->phase == TAUT_NO_NODE || j->kind == TAUT_JOINT_SCREW) return;
    const int leaf[2] = {taut_guess_leaf(x, j->tied[0]), taut_guess_leaf(x, j->tied[1])};
    if (leaf[0] < 0 || leaf[1] < 0) return;
    const taut_node a = x->scalar[leaf[0]], b = x->scalar[leaf[1]];
    if ((a == TAUT_NO_NODE) == (b == TAUT_NO_NODE)) return;
    const int to = a == TAUT_NO_NODE ? leaf[0] : leaf[1];
    const taut_model_leaf *l = &x->n->model->leaf[to];
    taut_guess_learn_scalar(x, to,
                            a == TAUT_NO_NODE ? taut_div(g, taut_sub(g, b, j->phase), j->number)
                                              : taut_add(g, taut_mul(g, j->number, a), j->phase));
    if (l->kind == TAUT_LEAF_ANGLE) x->tied[l->index] = true;
}

static void use_joint(taut_guesser *x, const taut_joint *j) {
    if (j->shared) return;
    if (demands(x, j, TAUT_CONDITION_GEARED)) use_gear(x, j);
    if (j->disassembled) return;
    if (demands(x, j, TAUT_CONDITION_MEET)) share(x, j->point);
    if (demands(x, j, TAUT_CONDITION_ALIGN)) share(x, j->axis);
    if (demands(x, j, TAUT_CONDITION_UNTURNED)) pass_normal(x, j);
    if (demands(x, j, TAUT_CONDITION_ON_LINE)) use_distance(x, j);
}

/* Points on lines, and points by formulas. */
static taut_status use_lines(taut_guesser *x) {
    for (int i = 0; i < x->m->collinears; i++) {
        const taut_collinear *c = &x->m->collinear[i];
        if (c->leaf < 0 || x->scalar[c->leaf] == TAUT_NO_NODE) continue;
        const taut_vec O = x->element[c->origin], v = x->element[c->vector];
        if (O.n > 0 && v.n > 0)
            taut_guess_learn(
                x, c->point,
                taut_kin_add(x->g, O, 1.0, taut_vec_scale(x->g, x->scalar[c->leaf], v)));
    }
    for (int e = 0; e < x->m->elements; e++) {
        taut_vec value;
        if (!x->m->element[e].formula || x->element[e].n > 0) continue;
        TAUT_TRY(taut_guess_evaluate(x, x->m->element[e].given, &value));
        if (value.n > 0)
            taut_guess_learn(x, e,
                             x->m->element[e].is_vector ? taut_guess_unit(x->g, value) : value);
    }
    return TAUT_OK;
}

/* One of two geared angles of which nothing but the geometry is known: it says how many turns the
 * other one has. */
static taut_status measure_geared(taut_guesser *x, const taut_joint *j) {
    if (j->shared || !demands(x, j, TAUT_CONDITION_GEARED) || j->phase == TAUT_NO_NODE ||
        j->kind == TAUT_JOINT_SCREW)
        return TAUT_OK;
    for (int k = 0; k < 2 && !x->progress; k++) {
        const int leaf = taut_guess_leaf(x, j->tied[k]);
        const taut_model_leaf *l = leaf < 0 ? NULL : &x->n->model->leaf[leaf];
        if (l && l->kind == TAUT_LEAF_ANGLE) TAUT_TRY(taut_guess_measure_angle(x, l->index));
    }
    return TAUT_OK;
}

/* ---- all of it ---- */

static taut_status spread(taut_guesser *x) {
    x->progress = true;
    for (int round = 0; x->progress && round < MOST_ROUNDS; round++) {
        x->progress = false;
        for (int k = 0; k < x->m->angles; k++) TAUT_TRY(taut_guess_use_angle(x, k));
        for (int b = 0; b < x->m->bodies; b++) place_body(x, b);
        for (int i = 0; i < x->m->joints; i++) use_joint(x, &x->m->joint[i]);
        TAUT_TRY(use_lines(x));
        if (x->progress) continue;
        for (int i = 0; i < x->m->joints && !x->progress; i++)
            TAUT_TRY(measure_geared(x, &x->m->joint[i]));
    }
    return taut_graph_failed(x->g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

static void hint(taut_guesser *x, taut_node unknown, taut_node value) {
    taut_system *s = &x->n->problem->system;
    const taut_node_data *d = taut_node_get(x->g, unknown);
    if (d->op != TAUT_OP_VAR || value == TAUT_NO_NODE) return;
    s->hint[s->hints++] = (taut_hint){d->index, taut_sub(x->g, value, unknown)};
}

/* What is listed keeps its value: see taut_consistent_find. */
static taut_status fill_hints(taut_guesser *x) {
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
             taut_vec_inner(x->g, taut_guess_minus(x->g, x->element[c->point], O), v));
    }
    for (int k = 0; k < x->m->angles; k++)
        hint(x, x->n->angle[k].variable, x->scalar[x->m->angle[k].leaf]);
    return TAUT_OK;
}

/* Is there anything to guess? Elements that are unknowns and listed in full need nothing. */
static bool is_needed(const taut_guesser *x) {
    if (x->m->angles > 0) return true;
    for (int e = 0; e < x->m->elements; e++)
        if (x->n->kin->origin[e] == TAUT_ORIGIN_BASIC && x->element[e].n == 0) return true;
    return false;
}

taut_status taut_mechanics_guess(taut_mechanics *n, bool *tied) {
    const taut_mechanism *m = n->mechanism;
    taut_arena *arena = &n->kin->arena;
    taut_guesser x = {.n = n, .m = m, .g = n->graph, .tied = tied};
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
