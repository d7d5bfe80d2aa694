/* Contacts by shape: the gap of a point, circle or sphere on a line, plane, circle or sphere as a
 * formula, and what it slides along, as far as that follows. */
#include "model/surface.h"

#include <string.h>

#include "model/parts.h"

static taut_status fail(taut_reader *r, const taut_yaml *node, const char *message) {
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node), "%s", message);
}

/* A point with a radius, or a point with a direction. */
typedef struct shape {
    const taut_yaml *node;
    taut_vec centre, direction;
    taut_node radius; /* 0: a point */
    bool round;       /* it has a radius */
} shape;

/* ---- parts ---- */

static taut_status read_radius(taut_reader *r, const taut_yaml *node, taut_node *radius) {
    taut_vec v;
    TAUT_TRY(taut_formula_read_as(r->symbols, node, 1, TAUT_RADIUS, &v));
    const taut_node_data *d = taut_node_get(r->model->graph, v.c[0]);
    if (!d->steady || !(d->value > 0.0))
        return fail(r, node, "a radius is a positive number: a formula of parameters");
    taut_assume_sign(r->model->graph, v.c[0]);
    *radius = v.c[0];
    return TAUT_OK;
}

/* [C, r] */
static taut_status read_round(taut_reader *r, const taut_yaml *node, shape *s) {
    s->node = node;
    s->round = true;
    if (node->kind != TAUT_YAML_SEQUENCE || node->count != 2)
        return fail(r, node, "a circle or sphere is [centre, radius]");
    TAUT_TRY(
        taut_vector_read(r->symbols, node->items[0], r->model->mechanism->dimension, &s->centre));
    return read_radius(r, node->items[1], &s->radius);
}

/* [O, u], with u of length 1: vectors with a name are. */
static taut_status read_flat(taut_reader *r, const taut_yaml *node, shape *s) {
    taut_graph *g = r->model->graph;
    int element;
    s->node = node;
    if (node->kind != TAUT_YAML_SEQUENCE || node->count != 2)
        return fail(r, node, "a line or plane is [point, vector]");
    const int dimension = r->model->mechanism->dimension;
    const taut_yaml *u = node->items[1];
    TAUT_TRY(taut_vector_read(r->symbols, node->items[0], dimension, &s->centre));
    TAUT_TRY(taut_vector_read(r->symbols, u, dimension, &s->direction));
    if (u->kind == TAUT_YAML_SCALAR && taut_symbols_element(r->symbols, u->text, &element) &&
        r->model->mechanism->element[element].is_vector)
        return TAUT_OK;
    const taut_node length = taut_vec_norm(g, s->direction);
    for (int i = 0; i < s->direction.n; i++)
        s->direction.c[i] = taut_div(g, s->direction.c[i], length);
    return TAUT_OK;
}

static taut_vec between(taut_graph *g, taut_vec a, taut_vec b) {
    taut_vec d = {.n = a.n};
    for (int i = 0; i < a.n; i++) d.c[i] = taut_sub(g, b.c[i], a.c[i]);
    return d;
}

/* ---- what slides ---- */

/* The angle of the one body that has a point in its centre, against the world; TAUT_NO_NODE: none
 * is tracked. */
static taut_node angle_of(const taut_model *m, const taut_yaml *centre) {
    const taut_mechanism *x = m->mechanism;
    int point;
    if (centre->kind != TAUT_YAML_SCALAR || !taut_symbols_element(m->symbols, centre->text, &point))
        return TAUT_NO_NODE;
    taut_node found = TAUT_NO_NODE;
    for (int i = 0; i < x->angles; i++) {
        const taut_angle *a = &x->angle[i];
        if (!a->directed || a->from.body >= 0 || a->from.kind != (taut_heading){0}.kind ||
            a->to.body < 0)
            continue;
        const taut_body *b = &x->body[a->to.body];
        for (int k = 0; k < b->elements; k++) {
            if (b->element[k] != point) continue;
            if (found != TAUT_NO_NODE) return TAUT_NO_NODE; /* it is shared */
            found = taut_leaf(m->graph, a->leaf);
        }
    }
    return found;
}

/* On a line: the way along it, and for a circle what it turns. */
static taut_status slide(taut_reader *r, const shape *what, const shape *line, taut_node *along) {
    taut_graph *g = r->model->graph;
    const taut_vec d = between(g, line->centre, what->centre);
    *along = taut_vec_inner(g, line->direction, d);
    if (!what->round) return TAUT_OK;
    const taut_node angle = angle_of(r->model, what->node->items[0]);
    const taut_yaml *u = line->node->items[1];
    int element;
    const bool fixed =
        u->kind == TAUT_YAML_SEQUENCE || (taut_symbols_element(r->symbols, u->text, &element) &&
                                          r->model->mechanism->element[element].fixed);
    if (angle == TAUT_NO_NODE || !fixed)
        return fail(
            r, what->node,
            "how this circle turns is not known: track the angle of its body under 'Angles' "
            "(the line must be fixed), or give 'Along'");
    *along = taut_add(g, *along, taut_mul(g, what->radius, angle));
    return TAUT_OK;
}

/* Two directions in a plane, of length 1, from its fixed normal (Duff et al. 2017). */
static void find_tangents(taut_graph *g, taut_vec n, double sign, taut_vec e[2]) {
    const taut_node one = taut_number(g, 1.0), x = n.c[0], y = n.c[1];
    const taut_node a =
        taut_div(g, taut_number(g, -1.0), taut_add(g, taut_number(g, sign), n.c[2]));
    const taut_node b = taut_mul(g, a, taut_mul(g, x, y));
    e[0] =
        (taut_vec){.n = 3,
                   .c = {taut_add(g, one, taut_scale(g, sign, taut_mul(g, a, taut_mul(g, x, x)))),
                         taut_scale(g, sign, b), taut_scale(g, -sign, x)}};
    e[1] = (taut_vec){.n = 3,
                      .c = {b, taut_add(g, taut_number(g, sign), taut_mul(g, a, taut_mul(g, y, y))),
                            taut_scale(g, -1.0, y)}};
}

/* The coordinates of the normal, if it stays as it is. */
static bool is_fixed(taut_reader *r, const taut_yaml *u, taut_vec *direction) {
    taut_graph *g = r->model->graph;
    int element;
    if (u->kind == TAUT_YAML_SCALAR && taut_symbols_element(r->symbols, u->text, &element)) {
        if (!r->model->mechanism->element[element].fixed) return false;
        *direction = r->model->mechanism->element[element].given;
    }
    for (int i = 0; i < direction->n; i++)
        if (!taut_node_get(g, direction->c[i])->steady) return false;
    return true;
}

/* On a plane: the way in two directions. */
static taut_status slide_on_plane(taut_reader *r, const shape *what, const shape *plane,
                                  taut_surface *x) {
    taut_graph *g = r->model->graph;
    taut_vec n = plane->direction, e[2];
    if (what->round)
        return fail(r, what->node,
                    "how a sphere slides in space is no formula of positions: give 'Along', or "
                    "contact without 'Friction'");
    if (!is_fixed(r, plane->node->items[1], &n))
        return fail(r, plane->node, "friction on a plane that turns: give 'Along', two formulas");
    const taut_node length = taut_vec_norm(g, n);
    for (int i = 0; i < 3; i++) n.c[i] = taut_div(g, n.c[i], length);
    taut_assume_sign(g, n.c[2]);
    find_tangents(g, n, taut_node_get(g, n.c[2])->value < 0.0 ? -1.0 : 1.0, e);
    const taut_vec d = between(g, plane->centre, what->centre);
    x->along = taut_vec_inner(g, e[0], d);
    x->along2 = taut_vec_inner(g, e[1], d);
    return TAUT_OK;
}

/* ---- the gap ---- */

static taut_status find_gap(taut_reader *r, const taut_yaml *on, const shape *what,
                            taut_surface *x) {
    taut_graph *g = r->model->graph;
    const bool spatial = r->model->mechanism->dimension == 3;
    const taut_yaml *line = taut_yaml_get(on, "Line"), *plane = taut_yaml_get(on, "Plane");
    const taut_yaml *circle = taut_yaml_get(on, "Circle"), *sphere = taut_yaml_get(on, "Sphere");
    bool inside = false;
    shape other = {0};
    TAUT_TRY(taut_part_flag(r, on, "Inside", " (the inside is free)", &inside));
    if ((line != NULL) + (plane != NULL) + (circle != NULL) + (sphere != NULL) != 1)
        return fail(r, on, "'On' is one of Line, Plane, Circle and Sphere");
    if ((line || circle) && spatial)
        return fail(r, line ? line : circle, "in space contacts are on a Plane or a Sphere");
    if ((plane || sphere) && !spatial)
        return fail(r, plane ? plane : sphere, "in the plane contacts are on a Line or a Circle");
    if (circle || sphere) {
        TAUT_TRY(read_round(r, circle ? circle : sphere, &other));
        const taut_node distance = taut_vec_norm(g, between(g, other.centre, what->centre));
        const taut_node gap =
            inside ? taut_sub(g, other.radius, distance) : taut_sub(g, distance, other.radius);
        x->gap = taut_sub(g, gap, what->radius);
        return TAUT_OK;
    }
    TAUT_TRY(read_flat(r, line ? line : plane, &other));
    const taut_vec d = between(g, other.centre, what->centre), u = other.direction;
    const taut_node height =
        plane ? taut_vec_inner(g, u, d)
              : taut_sub(g, taut_mul(g, u.c[0], d.c[1]), taut_mul(g, u.c[1], d.c[0]));
    x->gap = taut_sub(g, height, what->radius);
    if (!x->slides) return TAUT_OK;
    return line ? slide(r, what, &other, &x->along) : slide_on_plane(r, what, &other, x);
}

taut_status taut_surface_read(taut_reader *r, const taut_yaml *entry, taut_surface *x) {
    static const char *const KEY[] = {"Point", "Corner", "Circle", "Sphere"};
    enum { ROUND = 2, KEYS = 4 };
    const taut_yaml *on = taut_yaml_get(entry, "On"), *node = NULL;
    shape what = {.radius = taut_number(r->model->graph, 0.0)};
    int count = 0, key = 0;
    for (int i = 0; i < KEYS; i++) {
        if (!taut_yaml_get(entry, KEY[i])) continue;
        node = taut_yaml_get(entry, KEY[i]);
        key = i;
        count++;
    }
    if (!r->model->mechanism)
        return fail(r, node ? node : on, "shapes are for mechanisms: give 'Gap', a formula");
    if (count != 1 || !on)
        return fail(r, entry,
                    "a contact is a 'Gap', or one of Point, Corner, Circle and Sphere "
                    "with 'On'");
    if (on->kind != TAUT_YAML_MAPPING) return fail(r, on, "'On' is {Line: [O, u]} or the like");
    if (taut_yaml_get(on, "Curve"))
        return fail(r, taut_yaml_get(on, "Curve"), "contact on a curve is not possible yet");
    if (!taut_reader_check_keys(r, on, TAUT_SECTION_SURFACE)) return TAUT_ERR_INPUT;
    if (key >= ROUND) {
        TAUT_TRY(read_round(r, node, &what));
    } else {
        what.node = node;
        TAUT_TRY(taut_vector_read(r->symbols, node, r->model->mechanism->dimension, &what.centre));
    }
    return find_gap(r, on, &what, x);
}
