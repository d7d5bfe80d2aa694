/* What a page shows of a mechanism beside its points: centroids, and forces of links row by row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/scene.h"

double taut_scene_number(const taut_scene *s, taut_node node) {
    if (node == TAUT_NO_NODE) return (double)NAN;
    const taut_node_data *x = taut_node_get(s->model->graph, node);
    return x->steady ? x->value : (double)NAN;
}

taut_xyz taut_scene_local(const taut_scene *s, taut_vec v) {
    taut_xyz a = {{0}};
    for (int i = 0; i < v.n; i++) a.x[i] = taut_scene_number(s, v.c[i]);
    return a;
}

taut_xyz taut_scene_element(const taut_scene *s, int e, long row) {
    const taut_columns *c = s->columns;
    taut_xyz a = {{0}};
    for (int i = 0; i < s->mechanism->dimension; i++)
        a.x[i] = c->of[e][i] >= 0 ? taut_columns_value(c, c->of[e][i], row)
                                  : c->result->description.fixed[3 * e + i];
    return a;
}

/* ---- centroids ---- */

static bool is_thin(const taut_scene *s, const taut_body *body) {
    return s->mechanism->dimension == 3 && body->elements == 2;
}

static bool combine(const taut_scene *s, const taut_body *body, taut_xyz point,
                    taut_scene_centroid *k) {
    const bool planar = s->mechanism->dimension == 2;
    *k = (taut_scene_centroid){.d = {1, -1}};
    if (body->elements < 2) return false;
    taut_xyz d[2] = {taut_scene_local(s, body->local[1]), {{0}}};
    const double length2 = taut_xyz_inner(d[0], d[0]);
    if (!(length2 > 0.0)) return false;
    k->factor[0] = taut_xyz_inner(point, d[0]) / length2;
    if (is_thin(s, body)) return true;
    for (int i = 2; i < body->elements && !planar && k->d[1] < 0; i++) {
        d[1] = taut_scene_local(s, body->local[i]);
        const taut_xyz n = taut_xyz_cross(d[0], d[1]);
        if (taut_xyz_inner(n, n) > 1e-12 * length2 * taut_xyz_inner(d[1], d[1])) k->d[1] = i;
    }
    if (!planar && k->d[1] < 0) return false;
    const taut_xyz up = {{0.0, 0.0, 1.0}}, b = k->d[1] >= 0 ? d[1] : up;
    const taut_xyz n = taut_xyz_cross(d[0], b);
    const double n2 = taut_xyz_inner(n, n);
    k->factor[0] = taut_xyz_inner(taut_xyz_cross(point, b), n) / n2;
    k->factor[1] = taut_xyz_inner(taut_xyz_cross(d[0], point), n) / n2;
    k->factor[2] = taut_xyz_inner(point, n) / n2;
    return true;
}

void taut_scene_find_centroid(taut_scene *s, int b) {
    const taut_body *body = &s->mechanism->body[b];
    taut_scene_centroid *k = &s->centroid[b];
    k->known =
        body->has_mass && !s->open && combine(s, body, taut_scene_local(s, body->centroid), k);
    for (int i = 0; i < 3; i++) k->known = k->known && isfinite(k->factor[i]);
}

/* ---- forces of links ---- */

/* The rate at which an element moves; false if velocities are not among the columns. */
static bool rate_at(const taut_scene *s, int e, long row, taut_xyz *v) {
    const taut_columns *c = s->columns;
    *v = (taut_xyz){{0}};
    for (int i = 0; i < s->mechanism->dimension; i++) {
        const int k = c->of[e][i];
        if (k < 0 || strcmp(c->column[k].kind, "hidden") == 0) continue;
        if (k + 1 >= c->columns || strcmp(c->column[k + 1].kind, "velocity") != 0) return false;
        v->x[i] = taut_columns_value(c, k + 1, row);
    }
    return true;
}

/* Tension of a link; NaN if it is not known. */
static double tension(const taut_scene *s, const taut_link *l, long row) {
    const taut_xyz d = taut_xyz_minus(taut_scene_element(s, l->point[1], row),
                                      taut_scene_element(s, l->point[0], row));
    const double length = taut_xyz_length(d);
    double force = 0.0;
    taut_xyz v[2];
    if (l->stiffness != TAUT_NO_NODE) {
        const double rest =
            l->rest_length != TAUT_NO_NODE ? taut_scene_number(s, l->rest_length) : 0.0;
        force += taut_scene_number(s, l->stiffness) * (length - rest);
    }
    if (l->damping != TAUT_NO_NODE) {
        if (l->full || !rate_at(s, l->point[0], row, &v[0]) || !rate_at(s, l->point[1], row, &v[1]))
            return (double)NAN;
        force += taut_scene_number(s, l->damping) * taut_xyz_inner(taut_xyz_minus(v[1], v[0]), d) /
                 length;
    }
    return force;
}

taut_status taut_scene_add_force(taut_scene *s, int i) {
    const taut_link *l = &s->mechanism->link[i];
    char name[160];
    double *value;
    s->force[i] = -1;
    if (s->columns->rows == 0 || s->open || isnan(tension(s, l, 0))) return TAUT_OK;
    s->force[i] = s->columns->columns;
    snprintf(name, sizeof name, "force of %s", l->name);
    TAUT_TRY(taut_columns_add(s->columns, name, "force", "N", &value));
    for (long r = 0; r < s->columns->rows; r++) value[r] = tension(s, l, r);
    return TAUT_OK;
}
