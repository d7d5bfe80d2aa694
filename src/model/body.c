/* Reading rigid bodies: their geometry, and whether it makes a frame. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/parts.h"

/* own: so many elements, the last ones, have their places already. */
static taut_status read_geometry(taut_reader *r, const taut_yaml *node, const taut_yaml *value,
                                 taut_body *b, int own) {
    const taut_yaml *geom = taut_yaml_get(value, "Geom");
    const bool listed = taut_yaml_get(value, "Elements") != NULL;
    taut_graph *g = r->model->graph;
    const taut_mechanism *m = r->model->mechanism;
    const int wanted = b->elements - 1 - own;
    const int given = geom && geom->kind == TAUT_YAML_SEQUENCE ? geom->count : 0;
    if (geom && !taut_reader_expect(r, geom, TAUT_YAML_SEQUENCE, "'Geom' (a list of coordinates)"))
        return TAUT_ERR_INPUT;
    if (given > 0 && given != wanted && geom->items[0]->kind == TAUT_YAML_SCALAR)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, geom),
                            "'Geom' has a list of coordinates for every element but the first: "
                            "write [[%s%s]%s]",
                            geom->items[0]->text, given > 1 ? ", ..." : "",
                            b->elements > 2 ? ", ..." : "");
    if (given != wanted)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, geom ? geom : node),
            "'%s' has %d elements, so 'Geom' must have %d entr%s (for all but the first), not %d%s",
            b->name, b->elements, wanted, wanted == 1 ? "y" : "ies", given,
            listed ? "" : "; if its name does not spell its elements, list them: Elements: [...]");
    b->local[0] = (taut_vec){.n = m->dimension};
    for (int i = 0; i < m->dimension; i++) b->local[0].c[i] = taut_number(g, 0.0);
    for (int k = 1; k <= wanted; k++) {
        const taut_element *e = &m->element[b->element[k]];
        TAUT_TRY(taut_part_coordinates(r, geom->items[k - 1], e->is_vector ? TAUT_ANY : TAUT_LENGTH,
                                       &b->local[k]));
        if (!(taut_part_length(g, b->local[k]) > 0.0))
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, geom->items[k - 1]),
                                e->is_vector
                                    ? "the vector %s of '%s' has length 0"
                                    : "the point %s of '%s' coincides with its first point: "
                                      "its coordinates are all 0",
                                e->name, b->name);
        if (e->is_vector) TAUT_TRY(taut_mechanism_direction(g, &b->local[k]));
    }
    return TAUT_OK;
}

/* The first elements make the frame: they must not be collinear. */
static taut_status check_frame(taut_reader *r, const taut_body *b) {
    taut_graph *g = r->model->graph;
    const taut_mechanism *m = r->model->mechanism;
    if (m->element[b->element[0]].is_vector)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, b->place,
                            "'%s' must begin with a point: it is the origin of the body", b->name);
    if (m->dimension == 2 || b->elements < 3) return TAUT_OK;
    double x[3], y[3], cross = 0.0;
    for (int i = 0; i < 3; i++) {
        x[i] = taut_node_get(g, b->local[1].c[i])->value;
        y[i] = taut_node_get(g, b->local[2].c[i])->value;
    }
    for (int i = 0; i < 3; i++)
        cross += pow(x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3], 2.0);
    if (sqrt(cross) > 1e-10 * taut_part_length(g, b->local[1]) * taut_part_length(g, b->local[2])) {
        const taut_vec normal = taut_vec_cross(g, b->local[1], b->local[2]);
        taut_assume_sign(g, taut_vec_inner(g, normal, normal));
        return TAUT_OK;
    }
    const taut_element *third = &m->element[b->element[2]];
    return taut_fail_at(
        r->errors, TAUT_ERR_INPUT, b->place,
        "%s, %s and %s of '%s' lie on one line and cannot make its frame: put elements "
        "first that span a plane%s%s%s",
        m->element[b->element[0]].name, m->element[b->element[1]].name, third->name, b->name,
        third->is_vector ? "" : ", or, for a thin rod, make ", third->is_vector ? "" : third->name,
        third->is_vector ? "" : " one of the 'Points'");
}

/* How far a local vector is off the local x axis. */
static double off_axis(const taut_graph *g, taut_vec v) {
    return v.n == 3 ? hypot(taut_node_get(g, v.c[1])->value, taut_node_get(g, v.c[2])->value) : 0.0;
}

/* One number is the inertia of a rod along local x, which may have directions, but no point and no
 * mass beside its line. */
static taut_status check_line(taut_reader *r, const taut_body *b, const taut_yaml *dyna) {
    taut_graph *g = r->model->graph;
    const char *off = NULL;
    for (int i = 1; i < b->elements && !off; i++) {
        const taut_element *e = &r->model->mechanism->element[b->element[i]];
        if (!e->is_vector && off_axis(g, b->local[i]) > 1e-7 * taut_part_length(g, b->local[i]))
            off = e->name;
    }
    if (!off && off_axis(g, b->centroid) > 1e-7 * taut_part_length(g, b->centroid))
        off = "its centroid";
    if (!off) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT,
                        taut_reader_place(r, taut_part_inertia_node(dyna)),
                        "one number is the inertia of a thin rod along local x, but '%s' is no "
                        "rod: %s is off that line; give three moments or a 3 x 3 matrix",
                        b->name, off);
}

/* In 3D two elements are a thin rod: one moment of inertia, and the centroid on its line. */
static taut_status check_rod(taut_reader *r, const taut_body *b, const taut_yaml *dyna) {
    taut_graph *g = r->model->graph;
    double along = 0.0, off[3];
    if (!b->has_mass || r->model->mechanism->dimension == 2) return TAUT_OK;
    if (b->elements > 2) return b->thin ? check_line(r, b, dyna) : TAUT_OK;
    if (!b->thin)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT,
                            taut_reader_place(r, taut_part_inertia_node(dyna)),
                            "'%s' has two elements: in 3D that is a thin rod, whose inertia is one "
                            "number; add a third element for a body with a full inertia",
                            b->name);
    for (int i = 0; i < 3; i++)
        along +=
            taut_node_get(g, b->local[1].c[i])->value * taut_node_get(g, b->centroid.c[i])->value;
    const double length = taut_part_length(g, b->local[1]),
                 distance = taut_part_length(g, b->centroid);
    const double across = sqrt(fmax(0.0, distance * distance - pow(along / length, 2.0)));
    if (across <= 1e-7 * distance) {
        taut_assume_values(g, taut_vec_cross(g, b->local[1], b->centroid), off);
        return TAUT_OK;
    }
    return taut_fail_at(
        r->errors, TAUT_ERR_INPUT, taut_reader_place(r, taut_part_centre_node(dyna)),
        "'%s' has two elements: in 3D that is a thin rod, but its centroid is off the "
        "rod's line by %g; add a third element",
        b->name, across);
}

/* ---- bodies without points of their own ---- */

/* An element that the file does not list: O_arm, x_arm, y_arm of the body arm. */
static taut_status add_own(taut_reader *r, const taut_body *b, const char *letter, int *number) {
    char text[2 * TAUT_NAME_MAX + 3];
    const char *base = taut_model_base_name(r->model, b->name);
    snprintf(text, sizeof text, "%.*s%s_%.*s", (int)(base - b->name), b->name, letter,
             TAUT_NAME_MAX, base);
    const char *name = taut_arena_copy(&r->model->arena, text, strlen(text));
    if (!name) return TAUT_ERR_MEMORY;
    if (taut_symbols_element(r->symbols, name, number))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, b->place,
                            "'%s' needs an element of its own, but the name %s is taken: list one "
                            "of its points, Elements: [...]",
                            b->name, name);
    return taut_part_element(r, name, b->place, number);
}

/* Elements of a body as listed (count of them), with an origin in front if no point is the first,
 * and behind them local axes if there is no other element. *own: how many are behind. */
static taut_status take_elements(taut_reader *r, taut_body *b, const int *listed, int count,
                                 bool spelled, int *own) {
    const taut_mechanism *m = r->model->mechanism;
    const bool hidden = !spelled && (count == 0 || m->element[listed[0]].is_vector);
    const bool bare = count + hidden == 1;
    static const char *const LETTER[] = {"x", "y"};
    *own = !bare ? 0 : m->dimension == 3 ? 2 : 1;
    b->elements = count + hidden + *own;
    b->element = TAUT_NEW_ARRAY(&r->model->arena, b->elements, int);
    b->local = TAUT_NEW_ARRAY(&r->model->arena, b->elements, taut_vec);
    if (!b->element || !b->local) return TAUT_ERR_MEMORY;
    if (hidden) TAUT_TRY(add_own(r, b, "O", &b->element[0]));
    for (int i = 0; i < count; i++) b->element[i + hidden] = listed[i];
    for (int i = 0; i < *own; i++) {
        taut_vec *v = &b->local[1 + i];
        TAUT_TRY(add_own(r, b, LETTER[i], &b->element[1 + i]));
        v->n = m->dimension;
        for (int k = 0; k < v->n; k++) v->c[k] = taut_number(r->model->graph, k == i ? 1.0 : 0.0);
    }
    return TAUT_OK;
}

/* ---- the whole ---- */

taut_status taut_part_read_body(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    int *element, count, own;
    if (!taut_reader_expect(r, value, TAUT_YAML_MAPPING, "a rigid body {Geom, Dyna}"))
        return TAUT_OK;
    if (!taut_reader_check_keys(r, value, TAUT_SECTION_BODY)) return TAUT_ERR_INPUT;
    TAUT_TRY(taut_part_elements(r, key, value, &element, &count));
    const bool listed = taut_yaml_get(value, "Elements") != NULL;
    taut_body b = {.name = key->text, .place = taut_reader_place(r, key)};
    if (count < 2 && !listed)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, b.place,
                            "'%s' has one element: a body needs two, unless those that matter are "
                            "listed, Elements: [%s] (a mass at a point is one of the 'Particles')",
                            b.name, b.name);
    TAUT_TRY(take_elements(r, &b, element, count, !listed, &own));
    /* one fault of a body does not hide another */
    taut_status geometry = read_geometry(r, key, value, &b, own);
    if (geometry == TAUT_OK) geometry = check_frame(r, &b);
    if (geometry == TAUT_ERR_MEMORY) return geometry;
    const taut_yaml *dyna = taut_yaml_get(value, "Dyna"), *shape = taut_yaml_get(value, "Shape");
    if (!taut_part_is_empty(dyna)) TAUT_TRY(taut_part_read_dynamics(r, dyna, &b));
    if (geometry != TAUT_OK) return geometry;
    const taut_yaml *mesh = taut_yaml_get(value, "Mesh");
    if (mesh) TAUT_TRY(taut_part_read_mesh(r, mesh, &b));
    if (shape) TAUT_TRY(taut_part_read_shape(r, shape, &b));
    bool heavy = true;
    TAUT_TRY(taut_part_flag(r, value, "Gravity", "", &heavy));
    b.weightless = !heavy;
    if (dyna) TAUT_TRY(check_rod(r, &b, dyna));
    if (taut_yaml_get(value, "Elements"))
        TAUT_TRY(taut_symbols_add_name(r->symbols, b.name, "a body", b.place));
    return taut_part_add_body(r, b);
}
