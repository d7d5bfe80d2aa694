/* Reading rigid bodies: geometry, mass and inertia, and whether they make a frame. */
#include <math.h>
#include <string.h>

#include "model/parts.h"

static taut_status read_geometry(taut_reader *r, const taut_yaml *node, const taut_yaml *value,
                                 taut_body *b) {
    const taut_yaml *geom = taut_yaml_get(value, "Geom");
    const bool listed = taut_yaml_get(value, "Elements") != NULL;
    taut_graph *g = r->model->graph;
    const taut_mechanism *m = r->model->mechanism;
    const int given = geom && geom->kind == TAUT_YAML_SEQUENCE ? geom->count : 0;
    if (geom && !taut_reader_expect(r, geom, TAUT_YAML_SEQUENCE, "'Geom' (a list of coordinates)"))
        return TAUT_ERR_INPUT;
    if (given > 0 && given != b->elements - 1 && geom->items[0]->kind == TAUT_YAML_SCALAR)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, geom),
                            "'Geom' has a list of coordinates for every element but the first: "
                            "write [[%s%s]%s]",
                            geom->items[0]->text, given > 1 ? ", ..." : "",
                            b->elements > 2 ? ", ..." : "");
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

/* Eigenvalues of a symmetric 3 x 3 matrix, rising. */
static void find_principal(double J[3][3], double *moment) {
    for (int sweep = 0; sweep < 12; sweep++) /* Jacobi's rotations */
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (J[p][q] == 0.0) continue;
                const double angle = 0.5 * atan2(2.0 * J[p][q], J[q][q] - J[p][p]);
                const double c = cos(angle), s = sin(angle);
                for (int k = 0; k < 3; k++) {
                    const double x = J[k][p], y = J[k][q];
                    J[k][p] = c * x - s * y;
                    J[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    const double x = J[p][k], y = J[q][k];
                    J[p][k] = c * x - s * y;
                    J[q][k] = s * x + c * y;
                }
            }
    for (int i = 0; i < 3; i++) moment[i] = J[i][i];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (moment[k] > moment[k + 1]) {
                const double swap = moment[k];
                moment[k] = moment[k + 1];
                moment[k + 1] = swap;
            }
}

/* What was checked holds for other numbers as long as products of inertia stay, and no moment gets
 * above the sum of the others. */
static void assume_inertia(taut_graph *g, const taut_body *b) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        taut_assume_value(g, b->inertia[j][k]);
        taut_assume_value(g, b->inertia[k][j]);
        taut_assume_sign(
            g, taut_sum(g, 0.0, 3, (double[]){1.0, 1.0, -1.0},
                        (taut_node[]){b->inertia[j][j], b->inertia[k][k], b->inertia[i][i]}));
    }
}

/* Masses make principal moments that are not negative, and none above the sum of the others. Two
 * that are 0 are left out on purpose: the body turns about one axis only. */
static taut_status check_principal(taut_reader *r, const taut_yaml *node, const taut_body *b) {
    double J[3][3], moment[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            J[i][k] = taut_node_get(r->model->graph, b->inertia[i][k])->value;
    find_principal(J, moment);
    const double slack = 1e-9 * fabs(moment[2]);
    if (moment[0] < -slack)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "the inertia matrix of '%s' has a negative principal moment, %.6g, "
                            "which no body has: check its products of inertia",
                            b->name, moment[0]);
    if (moment[1] == 0.0 || moment[2] <= moment[0] + moment[1] + slack) {
        assume_inertia(r->model->graph, b);
        return TAUT_OK;
    }
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                        "no body has the principal moments of inertia of '%s', %.6g, %.6g and "
                        "%.6g: the largest must not be above the sum of the other two, %.6g",
                        b->name, moment[0], moment[1], moment[2], moment[0] + moment[1]);
}

/* A number, a list of three, or a 3 x 3 matrix. */
static taut_status read_inertia(taut_reader *r, const taut_yaml *node, taut_body *b) {
    taut_graph *g = r->model->graph;
    const int n = r->model->mechanism->dimension;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) b->inertia[i][k] = taut_number(g, 0.0);
    if (node->kind == TAUT_YAML_SCALAR) {
        b->thin = n == 3;
        return taut_part_number(r, node, TAUT_INERTIA, b->name, 0.0, &b->inertia[0][0]);
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
            TAUT_TRY(taut_part_number(r, row, TAUT_INERTIA, b->name, 0.0, &b->inertia[i][i]));
            continue;
        }
        if (diagonal || row->kind != TAUT_YAML_SEQUENCE || row->count != 3)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, row),
                                "the inertia of '%s' must be three numbers, or three rows of three",
                                b->name);
        for (int k = 0; k < 3; k++)
            TAUT_TRY(taut_part_number(r, row->items[k],
                                      i == k ? TAUT_INERTIA : TAUT_PRODUCT_OF_INERTIA, b->name,
                                      i == k ? 0.0 : -HUGE_VAL, &b->inertia[i][k]));
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
    return check_principal(r, node, b);
}

static taut_status read_dynamics(taut_reader *r, const taut_yaml *node, taut_body *b) {
    if (!taut_reader_expect(r, node, TAUT_YAML_SEQUENCE, "'Dyna' (centroid, mass, inertia)"))
        return TAUT_ERR_INPUT;
    if (node->count != 3)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "'Dyna' of '%s' has three entries, not %d: [centroid], mass, inertia",
                            b->name, node->count);
    const taut_status status[] = {
        taut_part_coordinates(r, node->items[0], TAUT_LENGTH, &b->centroid),
        taut_part_number(r, node->items[1], TAUT_MASS, b->name, 0.0, &b->mass),
        read_inertia(r, node->items[2], b)};
    for (int i = 0; i < 3; i++) TAUT_TRY(status[i]);
    b->has_mass = true;
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
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, dyna->items[2]),
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
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, dyna->items[2]),
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
        r->errors, TAUT_ERR_INPUT, taut_reader_place(r, dyna->items[0]),
        "'%s' has two elements: in 3D that is a thin rod, but its centroid is off the "
        "rod's line by %g; add a third element",
        b->name, across);
}

taut_status taut_part_read_body(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    int element[TAUT_BODY_ELEMENTS_MAX], count;
    if (!taut_reader_expect(r, value, TAUT_YAML_MAPPING, "a rigid body {Geom, Dyna}"))
        return TAUT_OK;
    if (!taut_reader_check_keys(r, value, TAUT_SECTION_BODY)) return TAUT_ERR_INPUT;
    TAUT_TRY(taut_part_elements(r, key, value, element, &count));
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
    /* one fault of a body does not hide another */
    taut_status geometry = read_geometry(r, key, value, &b);
    if (geometry == TAUT_OK) geometry = check_frame(r, &b);
    if (geometry == TAUT_ERR_MEMORY) return geometry;
    const taut_yaml *dyna = taut_yaml_get(value, "Dyna"), *shape = taut_yaml_get(value, "Shape");
    if (!taut_part_is_empty(dyna)) TAUT_TRY(read_dynamics(r, dyna, &b));
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
