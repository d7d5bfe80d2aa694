/* Reading a mechanism: PartData, AppliedForces, Angles, Drivers. Formulas of positions are kept as
 * they stand; numbers (lengths, masses, stiffnesses) are read at once. */
#include "model/mechanism.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/reader.h"

#define GROW(list, count, room)                                                                    \
    taut_grow((void **)&(list), &(room), (size_t)(count) + 1, sizeof *(list))

/* ---- elements ---- */

static bool is_empty(const taut_yaml *node) {
    return !node || (node->kind == TAUT_YAML_SCALAR && node->is_null);
}

/* An element by its name; it is added if it is new. One whose name is taken is added all the same,
 * so that the fault is told once. */
static taut_status need_element(taut_reader *r, const char *name, taut_place place, int *number) {
    taut_mechanism *m = r->model->mechanism;
    taut_place old;
    if (taut_symbols_element(r->symbols, name, number)) return TAUT_OK;
    if (taut_symbols_place(r->symbols, name, &old))
        for (*number = 0; *number < m->elements; ++*number)
            if (strcmp(m->element[*number].name, name) == 0) return TAUT_ERR_INPUT;
    if (GROW(m->element, m->elements, m->element_room)) return TAUT_ERR_MEMORY;
    *number = m->elements++;
    m->element[*number] = (taut_element){.name = name,
                                         .is_vector = islower((unsigned char)name[0]) != 0,
                                         .collinear = -1,
                                         .place = place};
    return taut_symbols_add_element(r->symbols, name, *number, m->dimension, place);
}

/* The same for an element that the name of a part spells: the user may not have meant to. */
static taut_status need_spelled(taut_reader *r, const char *part, const char *name,
                                taut_place place, int *number) {
    taut_place old = {0};
    if (taut_symbols_element(r->symbols, name, number)) return TAUT_OK;
    const bool reserved = taut_infix_is_reserved(name);
    if (!reserved && !taut_symbols_place(r->symbols, name, &old))
        return need_element(r, name, place, number);
    char where[40] = "has a meaning in formulas";
    if (!reserved) snprintf(where, sizeof where, "is taken already, on line %d", old.line);
    return taut_fail_at(
        r->errors, TAUT_ERR_INPUT, place,
        "'%s' spells the element '%s', but this name %s: rename one of them, or list "
        "the elements of '%s': Elements: [...]",
        part, name, where, part);
}

/* Splits "DC1wv" into D, C1, w, v. False if it is not of that form. */
static bool split_name(taut_reader *r, const char *name, const char **part, int *count) {
    *count = 0;
    for (const char *p = name; *p;) {
        if (!isalpha((unsigned char)*p) || *count == TAUT_BODY_ELEMENTS_MAX) return false;
        size_t n = 1;
        while (isdigit((unsigned char)p[n])) n++;
        part[*count] = taut_arena_copy(&r->model->arena, p, n);
        if (!part[(*count)++]) return false;
        p += n;
    }
    return *count > 0;
}

/* The elements of a part: listed under Elements, or spelled by its name. */
static taut_status part_elements(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                                 int *element, int *count) {
    const taut_yaml *list = taut_yaml_get(value, "Elements");
    const char *part[TAUT_BODY_ELEMENTS_MAX];
    const taut_place place = taut_reader_place(r, key);
    *count = 0;
    if (list) {
        if (!taut_reader_expect(r, list, TAUT_YAML_SEQUENCE, "'Elements'")) return TAUT_ERR_INPUT;
        if (list->count > TAUT_BODY_ELEMENTS_MAX)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "a part has at most %d elements",
                                TAUT_BODY_ELEMENTS_MAX);
        for (int i = 0; i < list->count; i++) {
            if (!taut_reader_expect(r, list->items[i], TAUT_YAML_SCALAR, "the name of an element"))
                return TAUT_ERR_INPUT;
            TAUT_TRY(need_element(r, list->items[i]->text, taut_reader_place(r, list->items[i]),
                                  &element[i]));
        }
        *count = list->count;
    } else {
        if (!split_name(r, key->text, part, count))
            return taut_fail_at(
                r->errors, TAUT_ERR_INPUT, place,
                "'%s' does not spell its elements (one letter and digits each, such "
                "as AB or DC1wv); list them: Elements: [...]",
                key->text);
        for (int i = 0; i < *count; i++)
            TAUT_TRY(need_spelled(r, key->text, part[i], place, &element[i]));
    }
    for (int i = 0; i < *count; i++)
        for (int k = 0; k < i; k++)
            if (element[i] == element[k])
                return taut_fail_at(
                    r->errors, TAUT_ERR_INPUT, place,
                    "'%s' contains %s twice: every element of a part has its own name", key->text,
                    r->model->mechanism->element[element[i]].name);
    return TAUT_OK;
}

/* Two points of a spring and the like. */
static taut_status two_points(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                              int *point) {
    int element[TAUT_BODY_ELEMENTS_MAX], count;
    TAUT_TRY(part_elements(r, key, value, element, &count));
    const taut_element *list = r->model->mechanism->element;
    if (count != 2 || list[element[0]].is_vector || list[element[1]].is_vector)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                            "'%s' must join two points, such as AB (points have capital letters, "
                            "vectors small ones)",
                            key->text);
    point[0] = element[0];
    point[1] = element[1];
    return TAUT_OK;
}

static int find_body(const taut_mechanism *m, const char *name) {
    for (int i = 0; i < m->bodies; i++)
        if (strcmp(m->body[i].name, name) == 0) return i;
    return -1;
}

/* ---- numbers ---- */

/* A steady formula for `what` of the part `of`; least: the smallest value that makes sense. */
static taut_status steady(taut_reader *r, const taut_yaml *node, const char *what, const char *of,
                          double least, taut_node *result) {
    taut_vec v;
    TAUT_TRY(taut_formula_read(r->symbols, node, 1, &v));
    const taut_node_data *d = taut_node_get(r->model->graph, v.c[0]);
    if (!d->steady)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "the %s of '%s' must be a number: a formula of parameters", what, of);
    if (d->value < least)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "the %s of '%s' is negative: %g", what, of, d->value);
    *result = v.c[0];
    return TAUT_OK;
}

/* Local coordinates: a list of at most `dimension` numbers, padded with zeros. */
static taut_status local_coordinates(taut_reader *r, const taut_yaml *node, taut_vec *result) {
    if (node->kind == TAUT_YAML_SCALAR) { /* a name that is defined as a vector */
        TAUT_TRY(taut_formula_read(r->symbols, node, 0, result));
        if (result->n == 1)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                                "coordinates are a list: write [%s]", node->text);
    }
    TAUT_TRY(taut_vector_read(r->symbols, node, r->model->mechanism->dimension, result));
    for (int i = 0; i < result->n; i++)
        if (!taut_node_get(r->model->graph, result->c[i])->steady)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                                "local coordinates are numbers: formulas of parameters");
    return TAUT_OK;
}

static double length_of(const taut_graph *g, taut_vec v) {
    double sum = 0.0;
    for (int i = 0; i < v.n; i++) sum += pow(taut_node_get(g, v.c[i])->value, 2.0);
    return sqrt(sum);
}

taut_status taut_mechanism_direction(taut_graph *g, taut_vec *v) {
    const taut_node length = taut_vec_norm(g, *v);
    if (taut_node_get(g, length)->steady && !(taut_node_get(g, length)->value > 0.0))
        return TAUT_ERR_INPUT;
    if (taut_node_get(g, length)->steady && fabs(taut_node_get(g, length)->value - 1.0) < 4e-16)
        return TAUT_OK; /* of length 1 already: leave its digits alone */
    for (int i = 0; i < v->n; i++) v->c[i] = taut_div(g, v->c[i], length);
    return TAUT_OK;
}

/* ---- bodies ---- */

static taut_status read_geometry(taut_reader *r, const taut_yaml *node, const taut_yaml *value,
                                 taut_body *b) {
    const taut_yaml *geom = taut_yaml_get(value, "Geom");
    const bool listed = taut_yaml_get(value, "Elements") != NULL;
    taut_graph *g = r->model->graph;
    const taut_mechanism *m = r->model->mechanism;
    const int given = geom && geom->kind == TAUT_YAML_SEQUENCE ? geom->count : 0;
    if (geom && !taut_reader_expect(r, geom, TAUT_YAML_SEQUENCE, "'Geom' (a list of coordinates)"))
        return TAUT_ERR_INPUT;
    if (given != b->elements - 1)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, geom ? geom : node),
            "'%s' has %d elements, so 'Geom' must have %d entr%s (for all but the first), not %d%s",
            b->name, b->elements, b->elements - 1, b->elements == 2 ? "y" : "ies", given,
            listed ? "" : "; if its name does not spell its elements, list them: Elements: [...]");
    b->local[0] = (taut_vec){.n = m->dimension};
    for (int i = 0; i < m->dimension; i++) b->local[0].c[i] = taut_number(g, 0.0);
    for (int k = 1; k < b->elements; k++) {
        const taut_element *e = &m->element[b->element[k]];
        TAUT_TRY(local_coordinates(r, geom->items[k - 1], &b->local[k]));
        if (!(length_of(g, b->local[k]) > 0.0))
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

/* A number, a list of three, or a 3 x 3 matrix. */
static taut_status read_inertia(taut_reader *r, const taut_yaml *node, taut_body *b) {
    taut_graph *g = r->model->graph;
    const int n = r->model->mechanism->dimension;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) b->inertia[i][k] = taut_number(g, 0.0);
    if (node->kind == TAUT_YAML_SCALAR) {
        b->thin = n == 3;
        return steady(r, node, "moment of inertia", b->name, 0.0, &b->inertia[0][0]);
    }
    if (n == 2 || node->kind != TAUT_YAML_SEQUENCE || node->count != 3)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            n == 2 ? "in 2D the inertia is one number: about the centroid, "
                                     "around an axis normal to the plane"
                                   : "the inertia is a number (thin rod along local x), a list of "
                                     "three moments or a 3 x 3 matrix");
    const bool diagonal = node->items[0]->kind == TAUT_YAML_SCALAR;
    for (int i = 0; i < 3; i++) {
        const taut_yaml *row = node->items[i];
        if (diagonal && row->kind == TAUT_YAML_SCALAR) {
            TAUT_TRY(steady(r, row, "moment of inertia", b->name, 0.0, &b->inertia[i][i]));
            continue;
        }
        if (diagonal || row->kind != TAUT_YAML_SEQUENCE || row->count != 3)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, row),
                                "the inertia of '%s' must be three numbers, or three rows of three",
                                b->name);
        for (int k = 0; k < 3; k++)
            TAUT_TRY(steady(r, row->items[k], i == k ? "moment of inertia" : "product of inertia",
                            b->name, i == k ? 0.0 : -HUGE_VAL, &b->inertia[i][k]));
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++) {
            const double x = taut_node_get(g, b->inertia[i][k])->value;
            const double y = taut_node_get(g, b->inertia[k][i])->value;
            if (fabs(x - y) > 1e-12 * fmax(fabs(x), fabs(y)))
                return taut_fail_at(
                    r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                    "the inertia matrix of '%s' is not symmetric: row %d has %g, row "
                    "%d has %g",
                    b->name, k + 1, y, i + 1, x);
        }
    return TAUT_OK;
}

static taut_status read_dynamics(taut_reader *r, const taut_yaml *node, taut_body *b) {
    if (!taut_reader_expect(r, node, TAUT_YAML_SEQUENCE, "'Dyna' (centroid, mass, inertia)"))
        return TAUT_ERR_INPUT;
    if (node->count != 3)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "'Dyna' of '%s' has three entries, not %d: [centroid], mass, inertia",
                            b->name, node->count);
    TAUT_TRY(local_coordinates(r, node->items[0], &b->centroid));
    TAUT_TRY(steady(r, node->items[1], "mass", b->name, 0.0, &b->mass));
    TAUT_TRY(read_inertia(r, node->items[2], b));
    b->has_mass = true;
    return TAUT_OK;
}

/* The first elements make the frame: they must not be collinear. */
static taut_status check_frame(taut_reader *r, const taut_body *b) {
    const taut_graph *g = r->model->graph;
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
    if (sqrt(cross) > 1e-10 * length_of(g, b->local[1]) * length_of(g, b->local[2])) return TAUT_OK;
    const taut_element *third = &m->element[b->element[2]];
    return taut_fail_at(
        r->errors, TAUT_ERR_INPUT, b->place,
        "%s, %s and %s of '%s' lie on one line and cannot make its frame: put elements "
        "first that span a plane%s%s%s",
        m->element[b->element[0]].name, m->element[b->element[1]].name, third->name, b->name,
        third->is_vector ? "" : ", or, for a thin rod, make ", third->is_vector ? "" : third->name,
        third->is_vector ? "" : " one of the 'Points'");
}

/* In 3D two elements are a thin rod: one moment of inertia, and the centroid on its line. */
static taut_status check_rod(taut_reader *r, const taut_body *b, const taut_yaml *dyna) {
    const taut_graph *g = r->model->graph;
    double along = 0.0;
    if (!b->has_mass || r->model->mechanism->dimension == 2 || b->elements > 2) return TAUT_OK;
    if (!b->thin)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, dyna->items[2]),
                            "'%s' has two elements: in 3D that is a thin rod, whose inertia is one "
                            "number; add a third element for a body with a full inertia",
                            b->name);
    for (int i = 0; i < 3; i++)
        along +=
            taut_node_get(g, b->local[1].c[i])->value * taut_node_get(g, b->centroid.c[i])->value;
    const double length = length_of(g, b->local[1]), distance = length_of(g, b->centroid);
    const double across = sqrt(fmax(0.0, distance * distance - pow(along / length, 2.0)));
    if (across <= 1e-7 * distance) return TAUT_OK;
    return taut_fail_at(
        r->errors, TAUT_ERR_INPUT, taut_reader_place(r, dyna->items[0]),
        "'%s' has two elements: in 3D that is a thin rod, but its centroid is off the "
        "rod's line by %g; add a third element",
        b->name, across);
}

static taut_status read_body(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    int element[TAUT_BODY_ELEMENTS_MAX], count;
    if (!taut_reader_expect(r, value, TAUT_YAML_MAPPING, "a rigid body {Geom, Dyna}"))
        return TAUT_OK;
    taut_reader_check_keys(r, value, TAUT_SECTION_BODY);
    TAUT_TRY(part_elements(r, key, value, element, &count));
    taut_body b = {.name = key->text, .elements = count, .place = taut_reader_place(r, key)};
    if (count < 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, b.place,
                            "'%s' has %s element: a body needs two at least (a mass at a point is "
                            "one of the 'Particles')",
                            b.name, count ? "one" : "no");
    b.element = TAUT_NEW_ARRAY(&r->model->arena, count, int);
    b.local = TAUT_NEW_ARRAY(&r->model->arena, count, taut_vec);
    if (!b.element || !b.local) return TAUT_ERR_MEMORY;
    memcpy(b.element, element, (size_t)count * sizeof *element);
    TAUT_TRY(read_geometry(r, key, value, &b));
    TAUT_TRY(check_frame(r, &b));
    const taut_yaml *dyna = taut_yaml_get(value, "Dyna");
    if (!is_empty(dyna)) TAUT_TRY(read_dynamics(r, dyna, &b));
    TAUT_TRY(check_rod(r, &b, dyna));
    if (taut_yaml_get(value, "Elements"))
        TAUT_TRY(taut_symbols_add_name(r->symbols, b.name, "a body", b.place));
    if (GROW(m->body, m->bodies, m->body_room)) return TAUT_ERR_MEMORY;
    m->body[m->bodies++] = b;
    return TAUT_OK;
}

/* ---- springs, dampers, particles ---- */

typedef enum link_kind { SPRING, DAMPER, SPRING_DAMPER } link_kind;

static taut_status read_link_list(taut_reader *r, const taut_yaml *value, link_kind kind,
                                  taut_link *link) {
    static const char *const expected[] = {
        "a spring is [stiffness, rest length] or [stiffness, rest length, mass], or {k, l, mass}",
        "a damper is its damping constant, or {c}",
        "a spring-damper is [stiffness, rest length, damping constant], or {k, l, c}"};
    if (kind == DAMPER && value->kind == TAUT_YAML_SCALAR)
        return steady(r, value, "damping constant", link->name, 0.0, &link->damping);
    const int count = value->kind == TAUT_YAML_SEQUENCE ? value->count : 0;
    if (kind == DAMPER || count < 2 || count > 3 || (kind == SPRING_DAMPER && count != 3))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, value), "%s",
                            expected[kind]);
    TAUT_TRY(steady(r, value->items[0], "stiffness", link->name, 0.0, &link->stiffness));
    TAUT_TRY(steady(r, value->items[1], "rest length", link->name, 0.0, &link->rest_length));
    if (count < 3) return TAUT_OK;
    if (kind == SPRING) return steady(r, value->items[2], "mass", link->name, 0.0, &link->mass);
    return steady(r, value->items[2], "damping constant", link->name, 0.0, &link->damping);
}

static taut_status read_link_map(taut_reader *r, const taut_yaml *value, link_kind kind,
                                 taut_link *link) {
    const taut_yaml *k = taut_yaml_get(value, "k"), *l = taut_yaml_get(value, "l");
    const taut_yaml *c = taut_yaml_get(value, "c"), *mass = taut_yaml_get(value, "mass");
    const taut_yaml *full = taut_yaml_get(value, "Full");
    taut_reader_check_keys(r, value, TAUT_SECTION_LINK);
    if (k) TAUT_TRY(steady(r, k, "stiffness", link->name, 0.0, &link->stiffness));
    if (l) TAUT_TRY(steady(r, l, "rest length", link->name, 0.0, &link->rest_length));
    if (c) TAUT_TRY(steady(r, c, "damping constant", link->name, 0.0, &link->damping));
    if (mass) TAUT_TRY(steady(r, mass, "mass", link->name, 0.0, &link->mass));
    link->full = taut_yaml_is(full, "true");
    if (full && !link->full && !taut_yaml_is(full, "false"))
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, full),
            "'Full' is true (the damper acts on the whole relative velocity) or false");
    if (kind != DAMPER && !k) taut_reader_missing(r, value, "k", ": give the stiffness");
    if (kind != SPRING && !c) taut_reader_missing(r, value, "c", ": give the damping constant");
    return TAUT_OK;
}

static taut_status read_link(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                             link_kind kind) {
    taut_mechanism *m = r->model->mechanism;
    taut_link link = {.name = key->text, .place = taut_reader_place(r, key)};
    TAUT_TRY(two_points(r, key, value, link.point));
    TAUT_TRY(value->kind == TAUT_YAML_MAPPING ? read_link_map(r, value, kind, &link)
                                              : read_link_list(r, value, kind, &link));
    if (link.stiffness != TAUT_NO_NODE && link.rest_length == TAUT_NO_NODE)
        link.rest_length = taut_number(r->model->graph, 0.0);
    if (GROW(m->link, m->links, m->link_room)) return TAUT_ERR_MEMORY;
    m->link[m->links++] = link;
    return TAUT_OK;
}

static taut_status read_particle(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    taut_particle p = {.place = taut_reader_place(r, key)};
    if (find_body(m, key->text) >= 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, p.place,
                            "'%s' is a body: a particle is at a point", key->text);
    TAUT_TRY(need_element(r, key->text, p.place, &p.point));
    if (m->element[p.point].is_vector)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, p.place,
                            "'%s' is a vector (small letter): a particle is at a point", key->text);
    TAUT_TRY(steady(r, value, "mass", key->text, 0.0, &p.mass));
    if (GROW(m->particle, m->particles, m->particle_room)) return TAUT_ERR_MEMORY;
    m->particle[m->particles++] = p;
    return TAUT_OK;
}

/* ---- what places elements ---- */

static taut_status read_fixed(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    int number;
    TAUT_TRY(need_element(r, key->text, taut_reader_place(r, key), &number));
    r->model->mechanism->element[number].fixed = value;
    return TAUT_OK;
}

static taut_status read_point(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    int number;
    taut_mechanism *m = r->model->mechanism;
    TAUT_TRY(need_element(r, key->text, taut_reader_place(r, key), &number));
    if (m->element[number].fixed)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                            "'%s' is fixed already, on line %d: it cannot have a formula",
                            key->text, m->element[number].place.line);
    m->element[number].formula = value;
    return TAUT_OK;
}

static taut_status read_collinear(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    int element[TAUT_BODY_ELEMENTS_MAX], count;
    taut_collinear c = {.place = taut_reader_place(r, key)};
    TAUT_TRY(part_elements(r, key, value, element, &count));
    if (count != 3 || m->element[element[0]].is_vector || !m->element[element[1]].is_vector ||
        m->element[element[2]].is_vector)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, c.place,
            "'%s' must be a point, a vector and a point, such as AvB: the point B is "
            "on the line through A along v",
            key->text);
    const taut_yaml *name = value;
    if (value && value->kind == TAUT_YAML_MAPPING) {
        taut_reader_check_keys(r, value, TAUT_SECTION_LINE);
        name = taut_yaml_get(value, "Name");
    }
    if (!is_empty(name)) {
        if (!taut_reader_expect(r, name, TAUT_YAML_SCALAR, "the name of the distance"))
            return TAUT_ERR_INPUT;
        TAUT_TRY(taut_reader_check_column(r, name->text, taut_reader_place(r, name)));
        c.scalar = name->text;
        c.place = taut_reader_place(r, name);
    }
    c.origin = element[0];
    c.vector = element[1];
    c.point = element[2];
    if (GROW(m->collinear, m->collinears, m->collinear_room)) return TAUT_ERR_MEMORY;
    if (m->element[c.point].collinear < 0) m->element[c.point].collinear = m->collinears;
    m->collinear[m->collinears++] = c;
    return TAUT_OK;
}

/* ---- joints ---- */

/* Names of two elements (or one) under a key of a joint. */
static taut_status joint_elements(taut_reader *r, const taut_yaml *map, const char *key,
                                  bool vectors, int *element, int *count) {
    const taut_yaml *list = taut_yaml_get(map, key);
    element[0] = element[1] = -1;
    *count = 0;
    if (!list) return TAUT_OK;
    if (!taut_reader_expect(r, list, TAUT_YAML_SEQUENCE, "the elements of a joint"))
        return TAUT_ERR_INPUT;
    if (list->count > 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, list),
                            "'%s' lists one element of each of the two bodies", key);
    for (int i = 0; i < list->count; i++) {
        const taut_yaml *item = list->items[i];
        const taut_place place = taut_reader_place(r, item);
        if (!taut_reader_expect(r, item, TAUT_YAML_SCALAR, "the name of an element"))
            return TAUT_ERR_INPUT;
        if (!taut_symbols_element(r->symbols, item->text, &element[i])) {
            const char *near = taut_symbols_nearest(r->symbols, item->text);
            return taut_fail_at(
                r->errors, TAUT_ERR_INPUT, place,
                "'%s' belongs to no body and is not fixed: the joint would connect to "
                "nothing%s%s%s",
                item->text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
        if (r->model->mechanism->element[element[i]].is_vector != vectors)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "'%s' is a %s, but '%s' lists %s",
                                item->text, vectors ? "point" : "vector", key,
                                vectors ? "vectors (small letters)" : "points (capital letters)");
    }
    *count = list->count;
    return TAUT_OK;
}

static taut_status read_joint(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    taut_joint j = {.name = key->text, .body = {-1, -1}, .place = taut_reader_place(r, key)};
    int points, axes, normals;
    const bool before = r->faulty;
    if (!taut_reader_expect(r, value, TAUT_YAML_MAPPING, "a joint {Type, Points, Axes}"))
        return TAUT_OK;
    r->faulty = false;
    taut_reader_check_keys(r, value, TAUT_SECTION_JOINT);
    if (r->faulty) return TAUT_OK; /* what is missing now has a wrong name */
    r->faulty = before;
    const taut_yaml *type = taut_yaml_get(value, "Type");
    if (!type) {
        taut_reader_missing(r, key, "Type", ": which kind of joint is it?");
        return TAUT_OK;
    }
    if (!taut_reader_expect(r, type, TAUT_YAML_SCALAR, "'Type'")) return TAUT_OK;
    const int kind = taut_joint_find(type->text);
    if (kind < 0) {
        taut_nearest nearest = {.wanted = type->text};
        char all[200] = "";
        for (int i = 0; i < TAUT_JOINT_KINDS; i++) {
            const char *known = taut_joint_kind_name((taut_joint_kind)i);
            taut_nearest_offer(&nearest, known);
            const size_t used = strlen(all);
            snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", known);
        }
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, type),
                            "there is no joint of the type '%s'; %s%s%s", type->text,
                            nearest.best ? "did you mean '" : "there are ",
                            nearest.best ? nearest.best : all, nearest.best ? "'?" : "");
    }
    j.kind = (taut_joint_kind)kind;
    if (taut_joint_removes(j.kind, m->dimension) < 0)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, type),
            "a %s joint has no meaning in 2D; use revolute, prismatic or point-on-line",
            type->text);
    TAUT_TRY(joint_elements(r, value, "Points", false, j.point, &points));
    TAUT_TRY(joint_elements(r, value, "Axes", true, j.axis, &axes));
    TAUT_TRY(joint_elements(r, value, "Normals", true, j.normal, &normals));
    static const struct {
        int points, axes;
    } WANTED[] = {
#define TAUT_JOINT(NAME, name, p, a, planar, spatial, doc) {p, a},
#include "model/joint.def"
#undef TAUT_JOINT
    };
    int want_axes = WANTED[kind].axes, want_points = WANTED[kind].points;
    if (m->dimension == 2 && (j.kind == TAUT_JOINT_REVOLUTE || j.kind == TAUT_JOINT_SPHERICAL))
        want_axes = 0;
    if (points != want_points && !(j.kind == TAUT_JOINT_UNIVERSAL && points == 0))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, j.place,
                            "the %s joint '%s' needs Points: [P, Q], one of each body", type->text,
                            j.name);
    if (axes != want_axes)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, j.place, "the %s joint '%s' needs %s",
                            type->text, j.name,
                            want_axes == 2   ? "Axes: [u, v], one of each body"
                            : want_axes == 1 ? "Axes: [u], the direction of the line"
                                             : "no axes");
    const bool turns_fixed = j.kind == TAUT_JOINT_PRISMATIC || j.kind == TAUT_JOINT_WELD;
    if (m->dimension == 3 && turns_fixed && normals != 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, j.place,
                            "the %s joint '%s' needs Normals: [a, b] in 3D, a vector of each body "
                            "across the axis, which stay parallel",
                            type->text, j.name);
    if ((m->dimension == 2 || !turns_fixed) && normals > 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, j.place,
                            "the %s joint '%s' takes no Normals", type->text, j.name);
    TAUT_TRY(taut_symbols_add_name(r->symbols, j.name, "a joint", j.place));
    if (GROW(m->joint, m->joints, m->joint_room)) return TAUT_ERR_MEMORY;
    m->joint[m->joints++] = j;
    return TAUT_OK;
}

/* ---- loads, angles, drivers ---- */

static taut_status read_gravity(taut_reader *r, const taut_yaml *forces) {
    taut_mechanism *m = r->model->mechanism;
    taut_graph *g = r->model->graph;
    const int at = taut_yaml_find(forces, "Gravity");
    if (at < 0) return TAUT_OK;
    const taut_yaml *node = forces->items[at];
    taut_vec v = {0};
    m->has_gravity = true;
    m->gravity = (taut_vec){.n = m->dimension};
    for (int i = 0; i < m->dimension; i++) m->gravity.c[i] = taut_number(g, 0.0);
    const int down = m->dimension - 1;
    if (is_empty(node)) {
        m->gravity.c[down] = taut_number(g, -9.81);
        return TAUT_OK;
    }
    if (node->kind == TAUT_YAML_SEQUENCE) return local_coordinates(r, node, &m->gravity);
    TAUT_TRY(taut_formula_read(r->symbols, node, 0, &v));
    bool good = v.n == 1 || v.n == m->dimension;
    for (int i = 0; i < v.n; i++) good = good && taut_node_get(g, v.c[i])->steady;
    if (!good)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
            "gravity is a number (downwards) or a vector of %d numbers, constant in "
            "time",
            m->dimension);
    if (v.n == 1)
        m->gravity.c[down] = taut_scale(g, -1.0, v.c[0]);
    else
        m->gravity = v;
    return TAUT_OK;
}

static taut_status read_load(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                             bool torque) {
    taut_mechanism *m = r->model->mechanism;
    taut_load load = {
        .torque = torque, .against = -1, .value = value, .place = taut_reader_place(r, key)};
    if (torque) {
        const taut_yaml *parts = taut_yaml_get(r->model->doc->root, "PartData");
        load.target = find_body(m, key->text);
        if (load.target < 0 && taut_yaml_get(taut_yaml_get(parts, "Rigids"), key->text))
            return TAUT_ERR_INPUT; /* the body was wrong, and that is told */
        if (load.target < 0) {
            taut_nearest nearest = {.wanted = key->text};
            for (int i = 0; i < m->bodies; i++) taut_nearest_offer(&nearest, m->body[i].name);
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, load.place,
                                "there is no body '%s' for a torque to act on%s%s%s", key->text,
                                nearest.best ? "; did you mean '" : "",
                                nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
        }
    } else if (!taut_symbols_element(r->symbols, key->text, &load.target) ||
               m->element[load.target].is_vector) {
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, load.place,
                            "'%s' is not a point of the mechanism: a force acts at a point",
                            key->text);
    } else if (m->element[load.target].fixed) {
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, load.place,
                            "'%s' is fixed: a force there moves nothing", key->text);
    }
    if (GROW(m->load, m->loads, m->load_room)) return TAUT_ERR_MEMORY;
    m->load[m->loads++] = load;
    return TAUT_OK;
}

static taut_status read_forces(taut_reader *r, const taut_yaml *node) {
    if (is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'AppliedForces'")) return TAUT_OK;
    taut_reader_check_keys(r, node, TAUT_SECTION_FORCES);
    TAUT_NOTE(r, read_gravity(r, node));
    static const char *const section[2] = {"Forces", "Torques"};
    for (int k = 0; k < 2; k++) {
        const taut_yaml *list = taut_yaml_get(node, section[k]);
        if (is_empty(list) ||
            !taut_reader_expect(r, list, TAUT_YAML_MAPPING, "forces (where: what)"))
            continue;
        for (int i = 0; i < list->count; i++)
            TAUT_NOTE(r, read_load(r, list->keys[i], list->items[i], k == 1));
    }
    return TAUT_OK;
}

static taut_status read_angles(taut_reader *r, const taut_yaml *node) {
    taut_mechanism *m = r->model->mechanism;
    if (is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Angles' (name: of what)")) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        if (node->items[i]->kind == TAUT_YAML_MAPPING)
            taut_reader_check_keys(r, node->items[i], TAUT_SECTION_ANGLE);
        TAUT_NOTE(r, taut_reader_check_column(r, node->keys[i]->text,
                                              taut_reader_place(r, node->keys[i])));
        if (GROW(m->angle, m->angles, m->angle_room)) return TAUT_ERR_MEMORY;
        m->angle[m->angles++] =
            (taut_angle){node->keys[i]->text, node->items[i], taut_reader_place(r, node->keys[i])};
    }
    return TAUT_OK;
}

static taut_status read_drivers(taut_reader *r, const taut_yaml *node) {
    taut_mechanism *m = r->model->mechanism;
    if (is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Drivers' (what: function of t)"))
        return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        if (GROW(m->driver, m->drivers, m->driver_room)) return TAUT_ERR_MEMORY;
        m->driver[m->drivers++] =
            (taut_driver){node->keys[i]->text, node->items[i], taut_reader_place(r, node->keys[i])};
    }
    return TAUT_OK;
}

/* ---- the whole ---- */

typedef taut_status entry_reader(taut_reader *r, const taut_yaml *key, const taut_yaml *value);

static taut_status spring(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    return read_link(r, key, value, SPRING);
}
static taut_status damper(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    return read_link(r, key, value, DAMPER);
}
static taut_status spring_damper(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    return read_link(r, key, value, SPRING_DAMPER);
}

static taut_status read_entries(taut_reader *r, const taut_yaml *parts, const char *key,
                                entry_reader *read) {
    const taut_yaml *node = taut_yaml_get(parts, key);
    char what[64];
    if (is_empty(node)) return TAUT_OK;
    snprintf(what, sizeof what, "'%s' (name: data)", key);
    if (read == read_collinear && node->kind == TAUT_YAML_SEQUENCE) { /* names alone */
        for (int i = 0; i < node->count; i++)
            if (taut_reader_expect(r, node->items[i], TAUT_YAML_SCALAR, "a line such as AvB"))
                TAUT_NOTE(r, read(r, node->items[i], NULL));
        return TAUT_OK;
    }
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    for (int i = 0; i < node->count; i++) TAUT_NOTE(r, read(r, node->keys[i], node->items[i]));
    return TAUT_OK;
}

static taut_status read_dimension(taut_reader *r, const taut_yaml *root) {
    const taut_yaml *node = taut_yaml_get(root, "Dimension");
    double dimension;
    if (!node) {
        taut_reader_missing(r, root, "Dimension",
                            ": 2 for a planar mechanism, 3 for a spatial one");
        return TAUT_ERR_INPUT;
    }
    TAUT_TRY(taut_number_read(r->symbols, node, &dimension));
    if (dimension != 2.0 && dimension != 3.0)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
            "'Dimension' is 2 for a planar mechanism or 3 for a spatial one, not %g", dimension);
    r->model->mechanism->dimension = (int)dimension;
    return TAUT_OK;
}

taut_status taut_read_mechanism(taut_reader *r, const taut_yaml *root) {
    const taut_yaml *parts = taut_yaml_get(root, "PartData");
    r->model->mechanism = TAUT_NEW(&r->model->arena, taut_mechanism);
    if (!r->model->mechanism) return TAUT_ERR_MEMORY;
    TAUT_NOTE(r, read_dimension(r, root));
    if (r->model->mechanism->dimension == 0) return TAUT_OK;
    if (!taut_reader_expect(r, parts, TAUT_YAML_MAPPING, "'PartData'")) return TAUT_OK;
    taut_reader_check_keys(r, parts, TAUT_SECTION_PARTS);
    TAUT_TRY(read_entries(r, parts, "Fixed", read_fixed));
    TAUT_TRY(read_entries(r, parts, "Rigids", read_body));
    TAUT_TRY(read_entries(r, parts, "Springs", spring));
    TAUT_TRY(read_entries(r, parts, "Dampers", damper));
    TAUT_TRY(read_entries(r, parts, "SpringDampers", spring_damper));
    TAUT_TRY(read_entries(r, parts, "Particles", read_particle));
    TAUT_TRY(read_entries(r, parts, "Collinears", read_collinear));
    TAUT_TRY(read_entries(r, parts, "Points", read_point));
    TAUT_TRY(read_entries(r, parts, "Joints", read_joint));
    TAUT_TRY(read_forces(r, taut_yaml_get(root, "AppliedForces")));
    TAUT_TRY(read_angles(r, taut_yaml_get(root, "Angles")));
    TAUT_TRY(read_drivers(r, taut_yaml_get(root, "Drivers")));
    TAUT_TRY(taut_check_mechanism(r));
    return r->faulty ? TAUT_OK : taut_read_shared_joints(r);
}
