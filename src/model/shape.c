/* Mass, centroid and inertia of a body from its shape. Everything stays a formula of parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/parts.h"

typedef enum shape_kind {
#define TAUT_SHAPE(NAME, name, keys, doc) SHAPE_##NAME,
#include "model/shape.def"
#undef TAUT_SHAPE
    SHAPES
} shape_kind;

static const struct {
    const char *name, *keys;
} SHAPE[SHAPES] = {
#define TAUT_SHAPE(NAME, name, keys, doc) {#name, keys},
#include "model/shape.def"
#undef TAUT_SHAPE
};

const char *taut_shape_name(int i) { return i < SHAPES ? SHAPE[i].name : NULL; }

typedef struct shape {
    shape_kind kind;
    const taut_yaml *node;
    taut_node size[3]; /* box: edges; the last one TAUT_NO_NODE if it is not given in 2D */
    taut_node length, radius, area; /* TAUT_NO_NODE: not given */
    taut_vec axis;                  /* local, of length 1; n = 0: normal to the plane */
    taut_vec centre;                /* local */
} shape;

/* ---- reading ---- */

/* A number above 0 under `key`; TAUT_NO_NODE if it is not there. */
static taut_status read_size(taut_reader *r, const shape *s, const char *of, const char *key,
                             taut_node *result) {
    const taut_yaml *node = taut_yaml_get(s->node, key);
    const taut_key *row = taut_key_find(TAUT_SECTION_SHAPE, key);
    if (!node) return TAUT_OK;
    TAUT_TRY(taut_part_number(r, node, row->quantity, of, 0.0, result));
    if (taut_node_get(r->model->graph, *result)->value > 0.0) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                        "the %s of '%s' is 0", taut_quantity_word(row->quantity), of);
}

static taut_status read_edges(taut_reader *r, shape *s, const char *of) {
    const taut_yaml *list = taut_yaml_get(s->node, "Size");
    const int n = r->model->mechanism->dimension;
    if (!list || list->kind != TAUT_YAML_SEQUENCE || list->count < n || list->count > 3)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, list ? list : s->node),
                            "a box needs its edges, Size: %s",
                            n == 2 ? "[a, b], or [a, b, thickness]" : "[a, b, c]");
    for (int i = 0; i < list->count; i++) {
        TAUT_TRY(taut_part_number(r, list->items[i], TAUT_LENGTH, of, 0.0, &s->size[i]));
        if (!(taut_node_get(r->model->graph, s->size[i])->value > 0.0))
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, list->items[i]),
                                "an edge of the box '%s' is 0", of);
    }
    return TAUT_OK;
}

/* The axis of a cylinder: as given, otherwise local x in 3D and the normal in 2D. */
static taut_status read_axis(taut_reader *r, shape *s) {
    taut_graph *g = r->model->graph;
    const taut_yaml *node = taut_yaml_get(s->node, "Axis");
    const int n = r->model->mechanism->dimension;
    s->axis = (taut_vec){.n = n == 3 ? 3 : 0};
    for (int i = 0; i < 3; i++) s->axis.c[i] = taut_number(g, i == 0 ? 1.0 : 0.0);
    if (!node) return TAUT_OK;
    TAUT_TRY(taut_part_coordinates(r, node, TAUT_ANY, &s->axis));
    if (taut_mechanism_direction(g, &s->axis) == TAUT_OK) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                        "the axis of the cylinder has length 0");
}

/* The rod lies between the first two points. */
static taut_status read_rod(taut_reader *r, shape *s, const taut_body *b) {
    if (r->model->mechanism->element[b->element[1]].is_vector)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, s->node),
                            "the rod '%s' goes from its first point to its second: name a point "
                            "second",
                            b->name);
    s->axis = b->local[1];
    s->length = taut_vec_norm(r->model->graph, b->local[1]);
    return taut_mechanism_direction(r->model->graph, &s->axis);
}

/* Keys that the shape does not have would be ignored. */
static taut_status check_keys(taut_reader *r, const shape *s) {
    static const char *const common[] = {"Type", "Mass", "Density", "Centre"};
    for (int i = 0; i < s->node->count; i++) {
        const char *key = s->node->keys[i]->text;
        char bracketed[40];
        bool known = false;
        for (int k = 0; k < 4; k++) known = known || strcmp(common[k], key) == 0;
        snprintf(bracketed, sizeof bracketed, "[%.30s]", key);
        if (known || strstr(SHAPE[s->kind].keys, bracketed)) continue;
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, s->node->keys[i]),
                            "a %s takes no '%s'", SHAPE[s->kind].name, key);
    }
    return TAUT_OK;
}

static taut_status find_kind(taut_reader *r, shape *s) {
    const taut_yaml *type = taut_yaml_get(s->node, "Type");
    taut_nearest nearest = {0};
    char all[80] = "";
    if (!type || type->kind != TAUT_YAML_SCALAR) {
        taut_reader_missing(r, s->node, "Type", ": rod, box, cylinder, sphere or mesh");
        return TAUT_ERR_INPUT;
    }
    nearest.wanted = type->text;
    for (int i = 0; i < SHAPES; i++) {
        s->kind = (shape_kind)i;
        if (strcmp(type->text, SHAPE[i].name) == 0) return check_keys(r, s);
        taut_nearest_offer(&nearest, SHAPE[i].name);
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", SHAPE[i].name);
    }
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, type),
                        "there is no shape '%s'; %s%s%s", type->text,
                        nearest.best ? "did you mean '" : "there are ",
                        nearest.best ? nearest.best : all, nearest.best ? "'?" : "");
}

static taut_status need(taut_reader *r, const shape *s, taut_node value, const char *key,
                        const char *why) {
    if (value != TAUT_NO_NODE) return TAUT_OK;
    taut_reader_missing(r, s->node, key, why);
    return TAUT_ERR_INPUT;
}

static taut_status read_sizes(taut_reader *r, shape *s, const taut_body *b) {
    TAUT_TRY(read_size(r, s, b->name, "Radius", &s->radius));
    TAUT_TRY(read_size(r, s, b->name, "Length", &s->length));
    TAUT_TRY(read_size(r, s, b->name, "Area", &s->area));
    switch (s->kind) {
    case SHAPE_ROD: return read_rod(r, s, b);
    case SHAPE_BOX: return read_edges(r, s, b->name);
    case SHAPE_SPHERE: return need(r, s, s->radius, "Radius", ": how large is the sphere?");
    default: break;
    }
    TAUT_TRY(read_axis(r, s));
    TAUT_TRY(need(r, s, s->radius, "Radius", ": how thick is the cylinder?"));
    return s->axis.n == 0 ? TAUT_OK
                          : need(r, s, s->length, "Length", ": how long is the cylinder?");
}

/* ---- mass ---- */

static taut_status find_volume(taut_reader *r, const shape *s, taut_node *volume) {
    taut_graph *g = r->model->graph;
    const taut_node pi = taut_number(g, acos(-1.0));
    switch (s->kind) {
    case SHAPE_ROD:
        TAUT_TRY(need(r, s, s->area, "Area", ": with a density, a rod needs its cross-section"));
        *volume = taut_mul(g, s->area, s->length);
        return TAUT_OK;
    case SHAPE_BOX:
        if (s->size[2] == TAUT_NO_NODE)
            return taut_fail_at(
                r->errors, TAUT_ERR_INPUT, taut_reader_place(r, s->node),
                "with a density, a box needs its thickness: Size: [a, b, thickness]");
        *volume = taut_mul(g, taut_mul(g, s->size[0], s->size[1]), s->size[2]);
        return TAUT_OK;
    case SHAPE_CYLINDER:
        TAUT_TRY(need(r, s, s->length, "Length", ": with a density, a disc needs its thickness"));
        *volume = taut_mul(g, taut_mul(g, pi, taut_square(g, s->radius)), s->length);
        return TAUT_OK;
    default:
        *volume = taut_scale(g, 4.0 / 3.0,
                             taut_mul(g, pi, taut_power(g, s->radius, taut_number(g, 3.0))));
        return TAUT_OK;
    }
}

static taut_status find_mass(taut_reader *r, const shape *s, taut_body *b) {
    const taut_yaml *mass = taut_yaml_get(s->node, "Mass");
    const taut_yaml *density = taut_yaml_get(s->node, "Density");
    taut_node rho, volume = TAUT_NO_NODE;
    if (!mass == !density)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, s->node),
                            mass ? "the shape of '%s' has 'Mass' and 'Density': give one of them"
                                 : "the shape of '%s' needs 'Mass' or 'Density'",
                            b->name);
    if (mass) return taut_part_number(r, mass, TAUT_MASS, b->name, 0.0, &b->mass);
    TAUT_TRY(taut_part_number(r, density, TAUT_DENSITY, b->name, 0.0, &rho));
    TAUT_TRY(find_volume(r, s, &volume));
    b->mass = taut_mul(r->model->graph, rho, volume);
    return TAUT_OK;
}

/* As given; otherwise the middle between the first two points, or the first point. */
static taut_status find_centre(taut_reader *r, shape *s, const taut_body *b) {
    const taut_yaml *node = taut_yaml_get(s->node, "Centre");
    const bool two_points = !r->model->mechanism->element[b->element[1]].is_vector;
    if (node && s->kind != SHAPE_ROD)
        return taut_part_coordinates(r, node, TAUT_LENGTH, &s->centre);
    if (node)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "the centre of a rod is in the middle between its points");
    s->centre = b->local[two_points ? 1 : 0];
    for (int i = 0; i < s->centre.n; i++)
        s->centre.c[i] = taut_scale(r->model->graph, 0.5, s->centre.c[i]);
    return TAUT_OK;
}

/* ---- inertia ---- */

/* m (a^2 + b^2)/12 */
static taut_node of_edges(taut_graph *g, taut_node m, taut_node a, taut_node b) {
    return taut_scale(g, 1.0 / 12.0,
                      taut_mul(g, m, taut_add(g, taut_square(g, a), taut_square(g, b))));
}

/* Moments about the axis of a shape with one, and across it. */
static void of_axis(taut_graph *g, const shape *s, taut_node m, taut_node *along,
                    taut_node *across) {
    const taut_node zero = taut_number(g, 0.0);
    const taut_node square = s->radius == TAUT_NO_NODE ? zero : taut_square(g, s->radius);
    const taut_node mr = taut_mul(g, m, square);
    *along = s->kind == SHAPE_SPHERE ? taut_scale(g, 0.4, mr) : taut_scale(g, 0.5, mr);
    *across = *along;
    if (s->kind == SHAPE_SPHERE || s->length == TAUT_NO_NODE) return;
    /* m (3 r^2 + l^2)/12 */
    const taut_node ml = taut_mul(g, m, taut_square(g, s->length));
    *across = taut_add(g, taut_scale(g, 0.25, mr), taut_scale(g, 1.0 / 12.0, ml));
    if (s->kind == SHAPE_ROD) *along = zero;
}

static void find_inertia(taut_reader *r, const shape *s, taut_body *b) {
    taut_graph *g = r->model->graph;
    const bool planar = r->model->mechanism->dimension == 2;
    const taut_node *a = s->size;
    taut_node along, across;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) b->inertia[i][k] = taut_number(g, 0.0);
    if (s->kind == SHAPE_BOX) {
        for (int i = 0; i < 3; i++)
            b->inertia[i][i] = planar ? of_edges(g, b->mass, a[0], a[1])
                                      : of_edges(g, b->mass, a[(i + 1) % 3], a[(i + 2) % 3]);
        return;
    }
    of_axis(g, s, b->mass, &along, &across);
    b->thin = !planar && b->elements == 2;
    if (planar || b->thin) {
        b->inertia[0][0] = planar && s->axis.n == 0 ? along : across;
        return;
    }
    /* across (1 - d d^T) + along d d^T */
    const taut_node difference = taut_sub(g, along, across);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            taut_node x = i == k ? across : taut_number(g, 0.0);
            if (s->kind != SHAPE_SPHERE)
                x = taut_add(g, x,
                             taut_mul(g, difference, taut_mul(g, s->axis.c[i], s->axis.c[k])));
            b->inertia[i][k] = x;
        }
}

/* Beside Dyna a shape only says what the body looks like. */
static taut_status check_mass(taut_reader *r, const shape *s, const taut_body *b) {
    const bool heavy = taut_yaml_get(s->node, "Mass") || taut_yaml_get(s->node, "Density");
    if (!heavy || !b->has_mass) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, s->node),
                        "'%s' has 'Dyna' and 'Shape': its mass is given twice (a shape without "
                        "Mass and Density only says what it looks like)",
                        b->name);
}

taut_status taut_part_read_shape(taut_reader *r, const taut_yaml *node, taut_body *b) {
    shape s = {.node = node};
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Shape' {Type, Mass, ...}"))
        return TAUT_ERR_INPUT;
    if (!taut_reader_check_keys(r, node, TAUT_SECTION_SHAPE)) return TAUT_ERR_INPUT;
    TAUT_TRY(find_kind(r, &s));
    TAUT_TRY(check_mass(r, &s, b));
    if (r->model->mechanism->dimension == 3 && b->elements == 2 && s.kind != SHAPE_ROD &&
        !b->has_mass)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
            "'%s' has two elements: in 3D that is a thin rod, not a %s; add a third "
            "element",
            b->name, SHAPE[s.kind].name);
    if (s.kind == SHAPE_MESH) return taut_part_fill_mesh(r, node, b);
    TAUT_TRY(read_sizes(r, &s, b));
    TAUT_TRY(find_centre(r, &s, b));
    b->look.kind = SHAPE[s.kind].name;
    for (int i = 0; i < 3; i++) b->look.size[i] = s.size[i];
    b->look.length = s.length;
    b->look.radius = s.radius;
    b->look.area = s.area;
    b->look.axis = s.axis;
    b->look.centre = s.centre;
    if (b->has_mass) return TAUT_OK;
    TAUT_TRY(find_mass(r, &s, b));
    b->centroid = s.centre;
    find_inertia(r, &s, b);
    b->has_mass = true;
    return TAUT_OK;
}
