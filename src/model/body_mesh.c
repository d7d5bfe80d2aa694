/* The surface of a body from a file: where it is, and mass, centroid and inertia of what it
 * encloses. */
#include <math.h>
#include <string.h>

#include "model/parts.h"

/* Axes: [x axis, y axis], directions in local axes. */
static taut_status read_axes(taut_reader *r, const taut_yaml *node, taut_body *b) {
    taut_graph *g = r->model->graph;
    const taut_place place = taut_reader_place(r, node);
    taut_vec e[3];
    if (r->model->mechanism->dimension == 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "the mesh of '%s' has no 'Axes' in the plane: its axes are the local "
                            "ones; turn it in its file",
                            b->name);
    if (node->kind != TAUT_YAML_SEQUENCE || node->count != 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'Axes' of the mesh of '%s' are two directions in the body's axes: [x "
                            "axis, y axis] of its file",
                            b->name);
    for (int i = 0; i < 2; i++) {
        TAUT_TRY(taut_part_coordinates(r, node->items[i], TAUT_ANY, &e[i]));
        if (taut_mechanism_direction(g, &e[i]) != TAUT_OK)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node->items[i]),
                                "an axis of the mesh of '%s' has length 0", b->name);
    }
    const double inner = taut_assume_value(g, taut_vec_inner(g, e[0], e[1]));
    if (fabs(inner) > 1e-9)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "the 'Axes' of the mesh of '%s' are not at a right angle", b->name);
    e[2] = taut_vec_cross(g, e[0], e[1]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) b->look.mesh_axis[k][i] = taut_assume_value(g, e[k].c[i]);
    return TAUT_OK;
}

taut_status taut_part_read_mesh(taut_reader *r, const taut_yaml *node, taut_body *b) {
    const taut_graph *g = r->model->graph;
    taut_vec origin = {.n = 0};
    taut_node scale = TAUT_NO_NODE;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Mesh' {File, Scale}"))
        return TAUT_ERR_INPUT;
    if (!taut_reader_check_keys(r, node, TAUT_SECTION_MESH)) return TAUT_ERR_INPUT;
    const taut_yaml *file = taut_yaml_get(node, "File"), *size = taut_yaml_get(node, "Scale"),
                    *at = taut_yaml_get(node, "Origin");
    if (!file || file->kind != TAUT_YAML_SCALAR || file->is_null) {
        taut_reader_missing(r, node, "File", ": the name of an .stl or .obj file");
        return TAUT_ERR_INPUT;
    }
    b->look.mesh = taut_doc_find_mesh(file->context->doc, file->text);
    if (!b->look.mesh)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, file),
                            "the mesh '%s' has not been read: its name must stand here as it is",
                            file->text);
    const taut_yaml *axes = taut_yaml_get(node, "Axes");
    for (int i = 0; i < 3; i++) b->look.mesh_axis[i][i] = 1.0;
    if (axes) TAUT_TRY(read_axes(r, axes, b));
    b->look.mesh_scale = 1.0;
    if (size) {
        TAUT_TRY(taut_part_number(r, size, TAUT_ANY, b->name, 0.0, &scale));
        b->look.mesh_scale = taut_node_get(g, scale)->value;
        if (!(b->look.mesh_scale > 0.0))
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, size),
                                "the scale of the mesh of '%s' is 0", b->name);
    }
    if (at) TAUT_TRY(taut_part_coordinates(r, at, TAUT_LENGTH, &origin));
    for (int i = 0; i < origin.n; i++)
        b->look.mesh_origin[i] = taut_node_get(g, origin.c[i])->value;
    return TAUT_OK;
}

/* A closed mesh, and a density or a mass. */
static taut_status check(taut_reader *r, const taut_yaml *shape, const taut_body *b) {
    const taut_place place = taut_reader_place(r, shape);
    if (!b->look.mesh)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'%s' has no mesh to take its mass from: give Mesh: {File: %s.stl}",
                            b->name, b->name);
    const taut_mesh *mesh = b->look.mesh;
    if (mesh->open > 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "the mesh of '%s' is not closed, so it has no inside: %ld of its edges "
                            "have a triangle on one side only; give its mass by Dyna",
                            b->name, mesh->open);
    if (mesh->moments.volume > 0.0) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "the mesh of '%s' encloses no volume",
                        b->name);
}

/* Centroid and inertia of the mesh along the axes of the body. */
static taut_mesh_moments turn(const taut_mesh_moments *m, const double axis[3][3]) {
    taut_mesh_moments t = {.volume = m->volume};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            t.centroid[i] += axis[k][i] * m->centroid[k];
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    t.inertia[i][k] += axis[p][i] * m->inertia[p][q] * axis[q][k];
        }
    return t;
}

/* m = rho V s^3, J = m s^2 (J of density 1)/V; everything else is a number. */
taut_status taut_part_fill_mesh(taut_reader *r, const taut_yaml *shape, taut_body *b) {
    taut_graph *g = r->model->graph;
    const taut_yaml *mass = taut_yaml_get(shape, "Mass"),
                    *density = taut_yaml_get(shape, "Density");
    const double s = b->look.mesh_scale;
    const int n = r->model->mechanism->dimension;
    taut_node rho;
    b->look.kind = "mesh";
    if (b->has_mass) return TAUT_OK;
    if (taut_yaml_get(shape, "Centre"))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT,
                            taut_reader_place(r, taut_yaml_get(shape, "Centre")),
                            "the centre of a mesh follows from it; Mesh: {Origin: ...} moves it");
    if (!mass == !density)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, shape),
                            mass ? "the shape of '%s' has 'Mass' and 'Density': give one of them"
                                 : "the shape of '%s' needs 'Mass' or 'Density'",
                            b->name);
    TAUT_TRY(check(r, shape, b));
    const taut_mesh_moments moments = turn(&b->look.mesh->moments, b->look.mesh_axis);
    if (mass) {
        TAUT_TRY(taut_part_number(r, mass, TAUT_MASS, b->name, 0.0, &b->mass));
    } else {
        TAUT_TRY(taut_part_number(r, density, TAUT_DENSITY, b->name, 0.0, &rho));
        b->mass = taut_scale(g, moments.volume * s * s * s, rho);
    }
    b->centroid = (taut_vec){.n = n};
    for (int i = 0; i < n; i++)
        b->centroid.c[i] = taut_number(g, b->look.mesh_origin[i] + s * moments.centroid[i]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double J = n == 2 ? moments.inertia[2][2] : moments.inertia[i][k];
            b->inertia[i][k] = taut_scale(g, s * s * J / moments.volume, b->mass);
        }
    b->look.centre = b->centroid;
    b->has_mass = true;
    return TAUT_OK;
}
