/* Angles among the guesses: one with a value turns a known direction into another one, known
 * directions give the value of an angle that has none. */
#include "form/guess_parts.h"

/* v, across the axis (3D), turned about it. */
static taut_vec turned(taut_graph *g, taut_vec v, taut_vec axis, taut_node angle) {
    const taut_node c = taut_apply(g, TAUT_OP_COS, angle), s = taut_apply(g, TAUT_OP_SIN, angle);
    const taut_vec side = v.n == 2 ? taut_kin_turned(g, v) : taut_vec_cross(g, axis, v);
    return taut_kin_add(g, taut_vec_scale(g, c, v), 1.0, taut_vec_scale(g, s, side));
}

/* A body that has an element, and another one (-1: any); -1: there is none. */
static int carrier_of(const taut_guesser *x, int e, int other) {
    for (int i = x->m->carrier_start[e]; i < x->m->carrier_start[e + 1]; i++)
        if (other < 0 || taut_guess_local(x, x->m->carrier[i], other).n > 0)
            return x->m->carrier[i];
    return -1;
}

/* One side of an angle: a direction of a body, an element, or what is known of neither. */
typedef struct end {
    int body;    /* -1: the ground, or none */
    int element; /* a vector; -1: it is none */
    taut_vec local, world;
} end;

static taut_vec world_x(const taut_guesser *x) { return taut_kin_local_x(x->n->kin); }

static taut_vec to_world(const taut_guesser *x, int body, taut_vec local) {
    taut_vec axis[3] = {{0}};
    if (taut_guess_axes(x, body, axis).n == 0) return (taut_vec){0};
    taut_vec sum = taut_vec_scale(x->g, local.c[0], axis[0]);
    for (int k = 1; k < local.n; k++)
        sum = taut_kin_add(x->g, sum, 1.0, taut_vec_scale(x->g, local.c[k], axis[k]));
    return sum;
}

static end end_of_body(const taut_guesser *x, int body) {
    end e = {.body = body, .element = -1, .local = world_x(x)};
    e.world = body < 0 ? world_x(x) : to_world(x, body, e.local);
    return e;
}

static end end_of_vector(const taut_guesser *x, int element) {
    end e = {.body = carrier_of(x, element, -1), .element = element, .world = x->element[element]};
    if (e.body >= 0) e.local = taut_guess_local(x, e.body, element);
    return e;
}

static end end_of_line(const taut_guesser *x, int a, int b) {
    end e = {.body = carrier_of(x, a, b), .element = -1};
    if (x->element[a].n > 0 && x->element[b].n > 0)
        e.world = taut_guess_minus(x->g, x->element[b], x->element[a]);
    if (e.body >= 0)
        e.local =
            taut_guess_minus(x->g, taut_guess_local(x, e.body, b), taut_guess_local(x, e.body, a));
    return e;
}

/* The element whose component a node is; -1: it is something else. */
static int element_of(const taut_guesser *x, taut_node node, int part) {
    const int leaf = taut_guess_leaf(x, node);
    const taut_model_leaf *l = leaf < 0 ? NULL : &x->n->model->leaf[leaf];
    return l && l->kind == TAUT_LEAF_ELEMENT && l->part == part ? l->index : -1;
}

/* A formula that is an element, v (*a = -1), or the difference of two, B - A. */
static bool is_difference(const taut_guesser *x, taut_vec formula, int *a, int *b) {
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

static taut_status find_end(taut_guesser *x, const taut_heading *h, end *e) {
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
        return taut_guess_evaluate(x, h->formula, &e->world);
    }
    return TAUT_OK;
}

/* Both ends and the axis (3D) of an angle. */
static taut_status find_ends(taut_guesser *x, const taut_angle *a, end e[2], taut_vec *axis) {
    *axis = (taut_vec){0};
    if (a->directed) {
        TAUT_TRY(find_end(x, &a->from, &e[0]));
        TAUT_TRY(find_end(x, &a->to, &e[1]));
        return x->m->dimension == 3 ? taut_guess_evaluate(x, a->axis.formula, axis) : TAUT_OK;
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
static taut_vec local_axis(const taut_guesser *x, int body, taut_vec axis) {
    const taut_body *b = &x->m->body[body];
    for (int i = 0; i < b->elements; i++) {
        const taut_vec *v = &x->element[b->element[i]];
        bool same = x->m->element[b->element[i]].is_vector && v->n == axis.n;
        for (int k = 0; k < axis.n && same; k++) same = v->c[k] == axis.c[k];
        if (same) return taut_guess_local(x, body, b->element[i]);
    }
    return (taut_vec){0};
}

void taut_guess_note_heading(taut_guesser *x, int body, taut_vec local, taut_vec world) {
    if (body < 0 || x->headings[body] == 2 || local.n == 0) return;
    x->heading[body][x->headings[body]++] = (taut_guess_direction){local, world};
    x->progress = true;
}

/* From one end of an angle to the other. */
static void pass_angle(taut_guesser *x, const end *known, const end *other, taut_vec axis,
                       taut_node angle, bool *used) {
    const bool space = x->m->dimension == 3;
    const taut_vec u = space ? taut_guess_unit(x->g, axis) : axis;
    const taut_vec from = space ? taut_guess_across(x->g, known->world, u) : known->world;
    const taut_vec to = turned(x->g, from, u, angle);
    taut_vec local = other->local;
    if (space && other->body >= 0 && local.n > 0) {
        const taut_vec own = local_axis(x, other->body, axis);
        if (own.n == 0) return;
        local = taut_guess_across(x->g, local, own);
    }
    if (other->body >= 0)
        taut_guess_note_heading(x, other->body, local, to);
    else if (other->element >= 0 && !space)
        taut_guess_learn(x, other->element, taut_guess_unit(x->g, to));
    else
        return;
    *used = true;
}

taut_status taut_guess_use_angle(taut_guesser *x, int k) {
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
taut_status taut_guess_measure_angle(taut_guesser *x, int k) {
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
        const taut_vec u = taut_guess_unit(x->g, axis);
        sine = taut_vec_inner(x->g, cross, u);
        cosine = taut_vec_inner(x->g, taut_guess_across(x->g, e[0].world, u),
                                taut_guess_across(x->g, e[1].world, u));
    }
    taut_guess_learn_scalar(x, a->leaf, taut_atan2(x->g, sine, cosine));
    return TAUT_OK;
}
