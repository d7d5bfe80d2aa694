/* Contacts by shape: the gap of a point, circle or sphere on a line, plane, circle or sphere as a
 * formula, and what it slides along, as far as that follows. */
#include "model/surface.h"

#include <string.h>

#include "expr/diff.h"
#include "model/parts.h"
#include "model/rim.h"
#include "model/sliding.h"

static taut_status fail(taut_reader *r, const taut_yaml *node, const char *message) {
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node), "%s", message);
}

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
static taut_status read_round(taut_reader *r, const taut_yaml *node, taut_shape *s) {
    s->node = node;
    s->round = true;
    if (node->kind != TAUT_YAML_SEQUENCE || node->count < 2 || node->count > 3)
        return fail(r, node, "a circle or sphere is [centre, radius], or [centre, radius, body]");
    s->name = node->items[0];
    if (node->count == 3) s->body = node->items[2];
    TAUT_TRY(
        taut_vector_read(r->symbols, node->items[0], r->model->mechanism->dimension, &s->centre));
    return read_radius(r, node->items[1], &s->radius);
}

/* [O, u], with u of length 1: vectors with a name are. */
static taut_status read_flat(taut_reader *r, const taut_yaml *node, taut_shape *s) {
    taut_graph *g = r->model->graph;
    int element;
    s->node = node;
    if (node->kind != TAUT_YAML_SEQUENCE || node->count != 2)
        return fail(r, node, "a line or plane is [point, vector]");
    const int dimension = r->model->mechanism->dimension;
    const taut_yaml *u = node->items[1];
    s->name = node->items[0];
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

enum { NO_ANGLE = -1, SEVERAL = -2 };

/* By body: its one angle against the world, or NO_ANGLE, SEVERAL. */
static taut_status find_facing(taut_reader *r) {
    const taut_mechanism *m = r->model->mechanism;
    r->facing = TAUT_NEW_ARRAY(&r->model->arena, m->bodies, int);
    if (!r->facing) return TAUT_ERR_MEMORY;
    for (int b = 0; b < m->bodies; b++) r->facing[b] = NO_ANGLE;
    for (int i = 0; i < m->angles; i++) {
        const taut_angle *a = &m->angle[i];
        const int b = a->to.body;
        if (!a->directed || a->from.body >= 0 || a->from.kind != TAUT_HEADING_BODY || b < 0)
            continue;
        r->facing[b] = r->facing[b] == NO_ANGLE ? i : SEVERAL;
    }
    return TAUT_OK;
}

/* The angle against the world of the body of a circle: the one that is named, or the only one that
 * has its centre. TAUT_NO_NODE: it is not tracked, or twice, or the body is not known. */
static taut_status find_angle(taut_reader *r, const taut_shape *circle, taut_node *angle) {
    const taut_mechanism *m = r->model->mechanism;
    int point, body = -1;
    *angle = TAUT_NO_NODE;
    if (circle->body) {
        TAUT_TRY(taut_part_body(r, circle->body, "for a circle or sphere", &body));
    } else if (circle->name->kind == TAUT_YAML_SCALAR &&
               taut_symbols_element(r->symbols, circle->name->text, &point) &&
               m->carrier_start[point + 1] - m->carrier_start[point] == 1) {
        body = m->carrier[m->carrier_start[point]];
    }
    if (body < 0) return TAUT_OK;
    if (!r->facing) TAUT_TRY(find_facing(r));
    if (r->facing[body] >= 0) *angle = taut_leaf(r->model->graph, m->angle[r->facing[body]].leaf);
    return TAUT_OK;
}

/* On a line: the way along it, and for a circle what it turns, if that angle is tracked.
 * TAUT_NO_NODE: only the rate is known. */
static taut_status slide_on_line(taut_reader *r, const taut_shape *what, const taut_shape *line,
                                 taut_node *along) {
    taut_graph *g = r->model->graph;
    const taut_vec d = between(g, line->centre, what->centre);
    const taut_yaml *u = line->node->items[1];
    int element;
    const bool fixed =
        u->kind == TAUT_YAML_SEQUENCE || (taut_symbols_element(r->symbols, u->text, &element) &&
                                          r->model->mechanism->element[element].fixed);
    taut_node angle = TAUT_NO_NODE;
    *along = TAUT_NO_NODE;
    if (what->round) TAUT_TRY(find_angle(r, what, &angle));
    if (!fixed || (what->round && angle == TAUT_NO_NODE)) return TAUT_OK;
    *along = taut_vec_inner(g, line->direction, d);
    if (what->round) *along = taut_add(g, *along, taut_mul(g, what->radius, angle));
    return TAUT_OK;
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

/* On a plane: the way in two directions, of a point on a fixed one. */
static bool slide_on_plane(taut_reader *r, const taut_shape *what, const taut_shape *plane,
                           taut_surface *x) {
    taut_graph *g = r->model->graph;
    taut_vec n = plane->direction, e[2];
    if (what->round || !is_fixed(r, plane->node->items[1], &n)) return false;
    const taut_node length = taut_vec_norm(g, n);
    for (int i = 0; i < 3; i++) n.c[i] = taut_div(g, n.c[i], length);
    taut_assume_sign(g, n.c[2]);
    taut_sliding_tangents(g, n, taut_number(g, taut_node_get(g, n.c[2])->value < 0.0 ? -1.0 : 1.0),
                          e);
    const taut_vec d = between(g, plane->centre, what->centre);
    x->along = taut_vec_inner(g, e[0], d);
    x->along2 = taut_vec_inner(g, e[1], d);
    return true;
}

/* ---- the gap ---- */

static int element_of(const taut_reader *r, const taut_yaml *name) {
    int element;
    const bool named = name && name->kind == TAUT_YAML_SCALAR &&
                       taut_symbols_element(r->symbols, name->text, &element);
    return named ? element : -1;
}

static taut_contact_picture picture_of(const taut_reader *r, const taut_shape *what,
                                       const taut_shape *other) {
    const taut_node zero = taut_number(r->model->graph, 0.0);
    const bool flat = other->node && !other->round && other->node->kind == TAUT_YAML_SEQUENCE;
    return (taut_contact_picture){.known = true,
                                  .at = element_of(r, what->name),
                                  .on = element_of(r, other->name),
                                  .direction = flat ? element_of(r, other->node->items[1]) : -1,
                                  .radius = what->radius,
                                  .on_radius = other->round ? other->radius : zero};
}

/* On a circle or sphere. */
static taut_status find_round_gap(taut_reader *r, const taut_shape *what, const taut_shape *other,
                                  taut_surface *x) {
    taut_graph *g = r->model->graph;
    taut_vec normal = between(g, other->centre, what->centre);
    const taut_node distance = taut_vec_norm(g, normal);
    const taut_node gap =
        other->inside ? taut_sub(g, other->radius, distance) : taut_sub(g, distance, other->radius);
    x->gap = taut_sub(g, gap, what->radius);
    if (!x->slides) return TAUT_OK;
    for (int i = 0; i < normal.n; i++)
        normal.c[i] = taut_scale(g, other->inside ? -1.0 : 1.0, taut_div(g, normal.c[i], distance));
    return taut_sliding_find(r, what, other, normal, x);
}

/* On a line or plane. */
static taut_status find_flat_gap(taut_reader *r, const taut_shape *what, const taut_shape *other,
                                 taut_surface *x) {
    taut_graph *g = r->model->graph;
    const taut_vec d = between(g, other->centre, what->centre), u = other->direction;
    const taut_vec normal =
        u.n == 3 ? u : (taut_vec){2, {taut_scale(g, -1.0, u.c[1]), u.c[0]}}; /* left of the line */
    x->gap = taut_sub(g, taut_vec_inner(g, normal, d), what->radius);
    if (!x->slides) return TAUT_OK;
    if (u.n == 3 && slide_on_plane(r, what, other, x)) return TAUT_OK;
    if (u.n == 2) TAUT_TRY(slide_on_line(r, what, other, &x->along));
    if (u.n == 2 && x->along != TAUT_NO_NODE) return TAUT_OK;
    return taut_sliding_find(r, what, other, normal, x);
}

/* The gradient of a formula by two leaves. */
static taut_status differentiate(taut_reader *r, taut_node f, const taut_node *leaf, taut_vec *by) {
    taut_graph *g = r->model->graph;
    if (!r->sweep) TAUT_TRY(taut_sweep_create(g, &r->sweep)); /* for the curves to come as well */
    TAUT_TRY(taut_sweep_of(r->sweep, TAUT_SWEEP_PLAIN, f));
    *by = (taut_vec){.n = 2};
    for (int i = 0; i < 2; i++) by->c[i] = taut_sweep_find(r->sweep, leaf[i]);
    return TAUT_OK;
}

/* Where a formula of x and y is positive: its value over the length of its gradient, which is the
 * distance, as far as that is small; of a circle at the place of its rim that is nearest. */
static taut_status find_curve_gap(taut_reader *r, const taut_yaml *curve, const taut_shape *what,
                                  taut_surface *x) {
    static const char *const NAME[] = {"x", "y"};
    taut_graph *g = r->model->graph;
    taut_vec f, normal, place = {.n = 2}, way = {.n = 2};
    int point;
    if (r->model->mechanism->dimension != 2) return fail(r, curve, "a 'Curve' is in the plane");
    if (what->name->kind != TAUT_YAML_SCALAR ||
        !taut_symbols_element(r->symbols, what->name->text, &point) ||
        r->model->mechanism->element[point].fixed)
        return fail(r, what->node, "on a 'Curve' there are points that move, by their names");
    const taut_node *at = r->model->mechanism->element[point].leaf;
    if (what->round)
        TAUT_TRY(taut_rim_begin(r, x->name, taut_reader_place(r, curve), &x->rim, &way));
    for (int i = 0; i < 2; i++)
        place.c[i] = what->round ? taut_add(g, at[i], taut_mul(g, what->radius, way.c[i])) : at[i];
    taut_symbols_set_local(r->symbols, NAME, place.c, 2);
    const taut_status status = taut_formula_read(r->symbols, curve, 1, &f);
    taut_symbols_set_local(r->symbols, NULL, NULL, 0);
    TAUT_TRY(status);
    TAUT_TRY(differentiate(r, f.c[0], at, &normal));
    if (taut_node_is_number(g, normal.c[0], 0.0) && taut_node_is_number(g, normal.c[1], 0.0))
        return fail(r, curve, "a 'Curve' is a formula of x and y, positive on the free side");
    const taut_node length = taut_vec_norm(g, normal);
    x->gap = taut_div(g, f.c[0], length);
    for (int i = 0; i < 2; i++) normal.c[i] = taut_div(g, normal.c[i], length);
    if (what->round) {
        TAUT_TRY(taut_rim_close(r, taut_reader_place(r, curve), f.c[0], normal, &x->rim));
        normal = taut_vec_scale(g, taut_number(g, -1.0), way); /* the same where it touches */
    }
    if (!x->slides) return TAUT_OK;
    const taut_node zero = taut_number(g, 0.0);
    const taut_shape ground = {.node = curve, .name = curve, .centre = {2, {zero, zero}}};
    return taut_sliding_find(r, what, &ground, normal, x);
}

static taut_status find_gap(taut_reader *r, const taut_yaml *on, const taut_shape *what,
                            taut_surface *x) {
    const bool spatial = r->model->mechanism->dimension == 3;
    const taut_yaml *line = taut_yaml_get(on, "Line"), *plane = taut_yaml_get(on, "Plane");
    const taut_yaml *circle = taut_yaml_get(on, "Circle"), *sphere = taut_yaml_get(on, "Sphere");
    const taut_yaml *curve = taut_yaml_get(on, "Curve");
    taut_shape other = {0};
    TAUT_TRY(taut_part_flag(r, on, "Inside", " (the inside is free)", &other.inside));
    x->picture = picture_of(r, what, &other);
    if (curve && !line && !plane && !circle && !sphere) return find_curve_gap(r, curve, what, x);
    if (curve) return fail(r, on, "'On' is one of Line, Plane, Circle, Sphere and Curve");
    if ((line != NULL) + (plane != NULL) + (circle != NULL) + (sphere != NULL) != 1)
        return fail(r, on, "'On' is one of Line, Plane, Circle, Sphere and Curve");
    if ((line || circle) && spatial)
        return fail(r, line ? line : circle, "in space contacts are on a Plane or a Sphere");
    if ((plane || sphere) && !spatial)
        return fail(r, plane ? plane : sphere, "in the plane contacts are on a Line or a Circle");
    if (circle || sphere) {
        TAUT_TRY(read_round(r, circle ? circle : sphere, &other));
        x->picture = picture_of(r, what, &other);
        return find_round_gap(r, what, &other, x);
    }
    TAUT_TRY(read_flat(r, line ? line : plane, &other));
    x->picture = picture_of(r, what, &other);
    return find_flat_gap(r, what, &other, x);
}

taut_status taut_surface_read(taut_reader *r, const taut_yaml *entry, taut_surface *x) {
    static const char *const KEY[] = {"Point", "Corner", "Circle", "Sphere"};
    enum { ROUND = 2, KEYS = 4 };
    const taut_yaml *on = taut_yaml_get(entry, "On"), *node = NULL;
    taut_shape what = {.radius = taut_number(r->model->graph, 0.0)};
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
    if (!taut_reader_check_keys(r, on, TAUT_SECTION_SURFACE)) return TAUT_ERR_INPUT;
    if (key >= ROUND) {
        TAUT_TRY(read_round(r, node, &what));
    } else {
        what.node = what.name = node;
        TAUT_TRY(taut_vector_read(r->symbols, node, r->model->mechanism->dimension, &what.centre));
    }
    return find_gap(r, on, &what, x);
}
