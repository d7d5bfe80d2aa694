/* Reading the mass, the centre of mass and the inertia of a body; the inertia may be given about
 * another point and along other axes. */
#include <math.h>
#include <string.h>

#include "model/parts.h"

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
        taut_choose_by_value(g, b->inertia[j][k]);
        taut_choose_by_value(g, b->inertia[k][j]);
        taut_assume_sign(
            g, taut_sum(g, 0.0, 3, (double[]){1.0, 1.0, -1.0},
                        (taut_node[]){b->inertia[j][j], b->inertia[k][k], b->inertia[i][i]}));
    }
}

/* Masses make principal moments that are not negative, and none above the sum of the others. Two
 * that are 0 are left out on purpose: the body turns about one axis only. */
static taut_status check_principal(taut_reader *r, const taut_yaml *node, const taut_body *b,
                                   bool about) {
    double J[3][3], moment[3];
    const char *hint = about ? "; moved to the centre of mass: is 'About' right?" : "";
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            J[i][k] = taut_node_get(r->model->graph, b->inertia[i][k])->value;
    find_principal(J, moment);
    const double slack = 1e-9 * fabs(moment[2]);
    if (moment[0] < -slack)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "the inertia matrix of '%s' has a negative principal moment, %.6g, "
                            "which no body has: check its products of inertia%s",
                            b->name, moment[0], hint);
    if (moment[1] == 0.0 || moment[2] <= moment[0] + moment[1] + slack) {
        assume_inertia(r->model->graph, b);
        return TAUT_OK;
    }
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                        "no body has the principal moments of inertia of '%s', %.6g, %.6g and "
                        "%.6g: the largest must not be above the sum of the other two, %.6g%s",
                        b->name, moment[0], moment[1], moment[2], moment[0] + moment[1], hint);
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
    return TAUT_OK;
}

/* ---- about another point, along other axes ---- */

/* What is given along the axes e: the sum of e_i I_ik e_k^T. */
static void turn_inertia(taut_graph *g, const taut_vec e[3], taut_body *b) {
    taut_node turned[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            double one[9];
            taut_node term[9];
            for (int p = 0; p < 9; p++) {
                one[p] = 1.0;
                term[p] = taut_mul(g, b->inertia[p / 3][p % 3],
                                   taut_mul(g, e[p / 3].c[i], e[p % 3].c[k]));
            }
            turned[i][k] = turned[k][i] = taut_sum(g, 0.0, 9, one, term);
        }
    memcpy(b->inertia, turned, sizeof turned);
}

/* Steiner: I about the centre of mass is I about P less m (d.d 1 - d d^T), d from P to it. */
static void move_inertia(taut_graph *g, taut_vec about, taut_body *b) {
    taut_vec d = b->centroid;
    for (int i = 0; i < d.n; i++) d.c[i] = taut_sub(g, d.c[i], about.c[i]);
    const taut_node square = taut_vec_inner(g, d, d);
    if (b->thin || d.n == 2) {
        b->inertia[0][0] = taut_sub(g, b->inertia[0][0], taut_mul(g, b->mass, square));
        return;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            taut_node part = taut_scale(g, -1.0, taut_mul(g, d.c[i], d.c[k]));
            if (i == k) part = taut_add(g, part, square);
            b->inertia[i][k] = taut_sub(g, b->inertia[i][k], taut_mul(g, b->mass, part));
        }
}

/* [x axis, y axis]: local coordinates of the axes along which the inertia is given. */
static taut_status read_axes(taut_reader *r, const taut_yaml *node, const taut_body *b,
                             taut_vec e[3]) {
    taut_graph *g = r->model->graph;
    const taut_place place = taut_reader_place(r, node);
    if (r->model->mechanism->dimension == 2 || b->thin)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "the inertia of '%s' is one number, which has no 'Axes'", b->name);
    if (node->kind != TAUT_YAML_SEQUENCE || node->count != 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'Axes' of '%s' are two directions in the body's axes: [x axis, y "
                            "axis], along which its inertia is given",
                            b->name);
    for (int i = 0; i < 2; i++) {
        TAUT_TRY(taut_part_coordinates(r, node->items[i], TAUT_ANY, &e[i]));
        if (taut_mechanism_direction(g, &e[i]) != TAUT_OK)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node->items[i]),
                                "an axis of the inertia of '%s' has length 0", b->name);
    }
    const double inner = taut_assume_value(g, taut_vec_inner(g, e[0], e[1]));
    if (fabs(inner) > 1e-9)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "the 'Axes' of '%s' are not at a right angle, but at %.6g degrees",
                            b->name, acos(fmax(-1.0, fmin(1.0, inner))) * 180.0 / M_PI);
    e[2] = taut_vec_cross(g, e[0], e[1]);
    return TAUT_OK;
}

/* Local coordinates, or the name of a point of the body. */
static taut_status read_about(taut_reader *r, const taut_yaml *node, const taut_body *b,
                              taut_vec *about) {
    int element;
    if (node->kind != TAUT_YAML_SCALAR || !taut_symbols_element(r->symbols, node->text, &element))
        return taut_part_coordinates(r, node, TAUT_LENGTH, about);
    for (int i = 0; i < b->elements; i++)
        if (b->element[i] == element && !r->model->mechanism->element[element].is_vector) {
            *about = b->local[i];
            return about->n > 0 ? TAUT_OK : TAUT_ERR_INPUT; /* its geometry was wrong, as told */
        }
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                        "'%s' is no point of '%s': its inertia is given about one of its points, "
                        "or about local coordinates",
                        node->text, b->name);
}

/* ---- the whole ---- */

const taut_yaml *taut_part_centre_node(const taut_yaml *dyna) {
    if (dyna->kind != TAUT_YAML_MAPPING) return dyna->items[0];
    const taut_yaml *node = taut_yaml_get(dyna, "Centre");
    return node ? node : dyna;
}

const taut_yaml *taut_part_inertia_node(const taut_yaml *dyna) {
    if (dyna->kind != TAUT_YAML_MAPPING) return dyna->items[2];
    const taut_yaml *node = taut_yaml_get(dyna, "Inertia");
    return node ? node : dyna;
}

/* {Mass, Centre, Inertia, About, Axes} */
static taut_status read_map(taut_reader *r, const taut_yaml *map, taut_body *b) {
    const taut_yaml *mass = taut_yaml_get(map, "Mass"), *centre = taut_yaml_get(map, "Centre");
    const taut_yaml *inertia = taut_yaml_get(map, "Inertia"), *about = taut_yaml_get(map, "About");
    const taut_yaml *axes = taut_yaml_get(map, "Axes");
    taut_graph *g = r->model->graph;
    taut_vec point = {0}, e[3] = {{0}};
    if (!taut_reader_check_keys(r, map, TAUT_SECTION_DYNAMICS)) return TAUT_ERR_INPUT;
    if (!mass) taut_reader_missing(r, map, "Mass", ": how heavy is the body?");
    if (!inertia)
        taut_reader_missing(r, map, "Inertia", ": a number, three moments or a 3 x 3 matrix");
    if (!mass || !inertia) return TAUT_ERR_INPUT;
    b->centroid = (taut_vec){.n = r->model->mechanism->dimension};
    for (int i = 0; i < b->centroid.n; i++) b->centroid.c[i] = taut_number(g, 0.0);
    if (centre) TAUT_TRY(taut_part_coordinates(r, centre, TAUT_LENGTH, &b->centroid));
    TAUT_TRY(taut_part_number(r, mass, TAUT_MASS, b->name, 0.0, &b->mass));
    TAUT_TRY(read_inertia(r, inertia, b));
    if (axes) {
        TAUT_TRY(read_axes(r, axes, b, e));
        turn_inertia(g, e, b);
    }
    if (about) {
        TAUT_TRY(read_about(r, about, b, &point));
        move_inertia(g, point, b);
    }
    const bool one = b->thin || b->centroid.n == 2;
    const double left = one ? taut_node_get(g, b->inertia[0][0])->value : 0.0;
    if (left < 0.0)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, inertia),
            "moved from 'About' to the centre of mass, the inertia of '%s' would be "
            "negative, %.6g: less the mass times the distance squared it is too "
            "small",
            b->name, left);
    if (one) taut_assume_sign(g, b->inertia[0][0]);
    return one ? TAUT_OK : check_principal(r, inertia, b, about != NULL);
}

/* [centroid, mass, inertia] */
static taut_status read_list(taut_reader *r, const taut_yaml *node, taut_body *b) {
    if (node->count != 3)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "'Dyna' of '%s' has three entries, not %d: [centroid], mass, inertia",
                            b->name, node->count);
    const taut_status status[] = {
        taut_part_coordinates(r, node->items[0], TAUT_LENGTH, &b->centroid),
        taut_part_number(r, node->items[1], TAUT_MASS, b->name, 0.0, &b->mass),
        read_inertia(r, node->items[2], b)};
    for (int i = 0; i < 3; i++) TAUT_TRY(status[i]);
    const bool matrix = node->items[2]->kind == TAUT_YAML_SEQUENCE;
    return matrix ? check_principal(r, node->items[2], b, false) : TAUT_OK;
}

taut_status taut_part_read_dynamics(taut_reader *r, const taut_yaml *node, taut_body *b) {
    if (node->kind == TAUT_YAML_MAPPING)
        TAUT_TRY(read_map(r, node, b));
    else if (!taut_reader_expect(r, node, TAUT_YAML_SEQUENCE, "'Dyna' (centroid, mass, inertia)"))
        return TAUT_ERR_INPUT;
    else
        TAUT_TRY(read_list(r, node, b));
    b->has_mass = true;
    return TAUT_OK;
}
