/* What parts of a mechanism look like, as JSON: shapes of bodies, curves of cams, what gears tie.
 */
#include <math.h>
#include <string.h>

#include "out/json.h"
#include "out/row_values.h"

enum { CURVE_SAMPLES = 240, UNKNOWN_BODY = -2, DIGITS = 9 };

void taut_scene_put_numbers(taut_string *out, const double *x, int count, int digits) {
    taut_string_add(out, "[");
    for (int i = 0; i < count; i++) {
        taut_string_add(out, i ? "," : "");
        taut_json_number(out, x[i], digits);
    }
    taut_string_add(out, "]");
}

static void put_vector(const taut_scene *s, taut_string *out, const char *key, taut_vec v) {
    taut_string_add(out, ",\"%s\":", key);
    if (v.n > 0)
        taut_scene_put_numbers(out, taut_scene_local(s, v).x, 3, DIGITS);
    else
        taut_string_add(out, "null");
}

static void put_number(const taut_scene *s, taut_string *out, const char *key, taut_node node) {
    taut_string_add(out, ",\"%s\":", key);
    taut_json_number(out, taut_scene_number(s, node), DIGITS);
}

/* ---- shapes ---- */

void taut_scene_put_shape(const taut_scene *s, taut_string *out, const taut_body *body) {
    const taut_look *look = &body->look;
    if (!look->kind) {
        taut_string_add(out, ",\"shape\":null");
        return;
    }
    taut_string_add(out, ",\"shape\":{\"type\":\"%s\"", look->kind);
    put_vector(s, out, "centre", look->centre);
    if (strcmp(look->kind, "box") == 0) {
        double size[3];
        for (int i = 0; i < 3; i++) size[i] = taut_scene_number(s, look->size[i]);
        taut_string_add(out, ",\"size\":");
        taut_scene_put_numbers(out, size, 3, DIGITS);
    }
    put_number(s, out, "radius", look->radius);
    put_number(s, out, "length", look->length);
    put_number(s, out, "area", look->area);
    put_vector(s, out, "axis", look->axis);
    taut_string_add(out, "}");
}

/* Moments of inertia about the centroid along local axes, where these are principal axes. */
void taut_scene_put_inertia(const taut_scene *s, taut_string *out, const taut_body *body) {
    double moment[3] = {0}, off = 0.0;
    const bool full = s->mechanism->dimension == 3 && !body->thin;
    taut_string_add(out, ",\"inertia\":");
    for (int i = 0; i < 3 && body->has_mass; i++) {
        moment[i] = taut_scene_number(s, body->inertia[full ? i : 0][full ? i : 0]);
        for (int k = 0; k < i && full; k++)
            off = fmax(off, fabs(taut_scene_number(s, body->inertia[i][k])));
    }
    if (body->has_mass && !body->thin && !(off > 1e-6 * fabs(moment[0] + moment[1] + moment[2])))
        taut_scene_put_numbers(out, moment, full ? 3 : 1, DIGITS);
    else
        taut_string_add(out, "null");
}

/* ---- curves ---- */

/* The range of the parameter over the run; false: it has no column, or no values. */
static bool find_range(const taut_scene *s, const char *name, double *low, double *high) {
    *low = (double)INFINITY;
    *high = -(double)INFINITY;
    for (int k = 0; k < s->columns->columns; k++) {
        if (strcmp(s->columns->column[k].name, name) != 0) continue;
        for (long r = 0; r < s->columns->rows; r++) {
            const double x = taut_columns_value(s->columns, k, r);
            if (isfinite(x)) *low = fmin(*low, x), *high = fmax(*high, x);
        }
        return *low <= *high;
    }
    return false;
}

/* Points of the curve at CURVE_SAMPLES + 1 parameters from low on; false: it is made of more. */
static bool find_points(taut_row_values *v, int leaf, double low, double step, double (*point)[3]) {
    for (int i = 0; i < v->sample.inputs; i++)
        if (v->sample.input[i].variable != leaf || v->sample.input[i].order > 0) return false;
    for (int first = 0; first <= CURVE_SAMPLES; first += TAUT_SAMPLES) {
        for (int m = 0; m < TAUT_SAMPLES; m++) {
            v->sample.time[m] = 0.0;
            for (int i = 0; i < v->sample.inputs; i++)
                v->sample.given[i][m] = low + step * (first + m);
        }
        taut_sample_find(&v->sample);
        for (int m = 0; m < TAUT_SAMPLES && first + m <= CURVE_SAMPLES; m++)
            for (int c = 0; c < (int)v->sample.plain.targets; c++)
                point[first + m][c] = v->sample.value[c][m];
    }
    return true;
}

/* Does it come back to where it began? */
static bool is_closed(double (*point)[3]) {
    double gap = 0.0, reach = 0.0;
    for (int c = 0; c < 3; c++) {
        gap = fmax(gap, fabs(point[CURVE_SAMPLES][c] - point[0][c]));
        reach = fmax(reach, fabs(point[CURVE_SAMPLES / 2][c] - point[0][c]));
        reach = fmax(reach, fabs(point[CURVE_SAMPLES / 3][c] - point[0][c]));
    }
    return gap <= 1e-9 * reach;
}

static void write_points(taut_string *out, double (*point)[3], int dimension, bool closed) {
    const int count = CURVE_SAMPLES + (closed ? 0 : 1);
    taut_string_add(out, "{\"closed\":%s,\"points\":[", closed ? "true" : "false");
    for (int i = 0; i < count; i++) {
        taut_string_add(out, i ? "," : "");
        taut_scene_put_numbers(out, point[i], dimension, 7);
    }
    taut_string_add(out, "]}");
}

/* The curve of a joint in the first body's axes, from its point: once around if it closes after a
 * turn, otherwise as far as the run goes. */
static bool put_points(const taut_scene *s, taut_string *out, const taut_joint *j,
                       taut_row_values *v) {
    double point[CURVE_SAMPLES + 1][3] = {{0}}, low, high;
    const double turn = 2.0 * acos(-1.0);
    if (!find_range(s, j->parameter, &low, &high)) return false;
    if (!find_points(v, j->leaf[2], low, turn / CURVE_SAMPLES, point)) return false;
    const bool closed = is_closed(point);
    const double margin = 0.1 * (high - low) + 1e-9;
    if (!closed && !find_points(v, j->leaf[2], low - margin,
                                (high - low + 2.0 * margin) / CURVE_SAMPLES, point))
        return false;
    write_points(out, point, s->mechanism->dimension, closed);
    return true;
}

static void put_curve(const taut_scene *s, taut_string *out, const taut_joint *j) {
    taut_row_values v = {0};
    taut_status status = TAUT_ERR_INPUT;
    bool done = false;
    taut_string_add(out, ",\"curve\":");
    if (j->kind == TAUT_JOINT_CURVE && j->parameter && j->leaf[2] >= 0 && !s->open) {
        status = taut_row_values_create(s, j->curve.c, j->curve.n, &v);
        done = status == TAUT_OK && put_points(s, out, j, &v);
        if (status == TAUT_ERR_MEMORY) out->failed = true;
    }
    if (!done) taut_string_add(out, "null");
}

/* ---- gears ---- */

/* The element that a direction is, by itself or as a formula of nothing else; -1: it is none. */
static int element_of(const taut_mechanism *m, const taut_heading *h) {
    if (h->kind == TAUT_HEADING_VECTOR) return h->element[0];
    if (h->kind != TAUT_HEADING_FORMULA || h->formula.n != m->dimension) return -1;
    for (int e = 0; e < m->elements; e++) {
        bool same = m->element[e].is_vector && !m->element[e].copy;
        for (int i = 0; i < h->formula.n && same; i++)
            same = h->formula.c[i] == m->element[e].leaf[i];
        if (same) return e;
    }
    return -1;
}

/* The one body that has all of some elements; -1: they are fixed; UNKNOWN_BODY: none or several. */
static int carrier_of(const taut_mechanism *m, const int *element, int count) {
    int found = UNKNOWN_BODY, fixed = 0;
    for (int k = 0; k < count; k++) fixed += m->element[element[k]].fixed;
    if (fixed == count) return -1;
    for (int b = 0; b < m->bodies; b++) {
        int has = 0;
        for (int i = 0; i < m->body[b].elements; i++)
            for (int k = 0; k < count; k++) has += m->body[b].element[i] == element[k];
        if (has < count) continue;
        if (found != UNKNOWN_BODY) return UNKNOWN_BODY;
        found = b;
    }
    return found;
}

static int body_of(const taut_scene *s, const taut_heading *h) {
    const taut_mechanism *m = s->mechanism;
    const int element = element_of(m, h);
    if (h->kind == TAUT_HEADING_BODY) return h->body;
    if (h->kind == TAUT_HEADING_LINE) return carrier_of(m, h->element, 2);
    if (element >= 0) return carrier_of(m, &element, 1);
    for (int i = 0; i < h->formula.n; i++)
        if (isnan(taut_scene_number(s, h->formula.c[i]))) return UNKNOWN_BODY;
    return -1;
}

/* The angle of this name as its two bodies, or the joint whose distance it is. */
static void put_tied(const taut_scene *s, taut_string *out, const char *name) {
    const taut_mechanism *m = s->mechanism;
    for (int i = 0; name && i < m->angles; i++) {
        const taut_angle *a = &m->angle[i];
        if (strcmp(a->name, name) != 0) continue;
        const taut_joint *j = !a->directed && a->joint >= 0 ? &m->joint[a->joint] : NULL;
        const int from = j ? j->body[0] : a->directed ? body_of(s, &a->from) : a->body[0];
        const int to = j ? j->body[1] : a->directed ? body_of(s, &a->to) : a->body[1];
        taut_string_add(out, "{\"bodies\":[%d,%d],\"joint\":%d}", from, to, j ? a->joint : -1);
        return;
    }
    for (int i = 0; name && i < m->joints; i++)
        for (int k = 0; k < 2; k++)
            if (m->joint[i].distance[k] && strcmp(m->joint[i].distance[k], name) == 0) {
                taut_string_add(out, "{\"bodies\":[%d,%d],\"joint\":%d}", m->joint[i].body[0],
                                m->joint[i].body[1], i);
                return;
            }
    taut_string_add(out, "null");
}

void taut_scene_put_joint_look(const taut_scene *s, taut_string *out, const taut_joint *j) {
    put_number(s, out, "number", j->number);
    put_curve(s, out, j);
    if (!j->geared[0] || !j->geared[1]) return;
    taut_string_add(out, ",\"geared\":[");
    put_tied(s, out, j->geared[0]);
    taut_string_add(out, ",");
    put_tied(s, out, j->geared[1]);
    taut_string_add(out, "]");
}

/* The number of a direction that is an element; -1: it is none. */
static int vector_of(const taut_scene *s, const taut_heading *h) {
    const int element = element_of(s->mechanism, h);
    return element >= 0 ? s->point_of[element] : -1;
}

/* "at" and "axis" of a point on a line; "axis", "from" and "to" of an angle between directions. */
static void put_driven(const taut_scene *s, taut_string *out, const char *name) {
    const taut_mechanism *m = s->mechanism;
    int at = -1, axis = -1, from = -1, to = -1;
    for (int i = 0; i < m->collinears; i++)
        if (m->collinear[i].scalar && strcmp(m->collinear[i].scalar, name) == 0) {
            at = s->point_of[m->collinear[i].point];
            axis = s->point_of[m->collinear[i].vector];
        }
    for (int i = 0; i < m->angles; i++)
        if (m->angle[i].directed && strcmp(m->angle[i].name, name) == 0) {
            if (m->dimension == 3) axis = vector_of(s, &m->angle[i].axis);
            from = vector_of(s, &m->angle[i].from);
            to = vector_of(s, &m->angle[i].to);
        }
    taut_string_add(out, ",\"at\":%d,\"axis\":%d,\"from\":%d,\"to\":%d", at, axis, from, to);
}

void taut_scene_put_driver(const taut_scene *s, taut_string *out, const taut_driver *d) {
    taut_string_add(out, ",\"kind\":\"driver\"");
    if (d->driven.n == 0) { /* a leg */
        taut_string_add(out, ",\"at\":-1,\"a\":%d,\"b\":%d}", s->point_of[d->point[0]],
                        s->point_of[d->point[1]]);
        return;
    }
    put_driven(s, out, d->plain);
    taut_string_add(out, ",\"a\":-1,\"b\":-1,\"columns\":[");
    for (int k = 0, found = 0; k < s->columns->columns && !found; k++) {
        found = strcmp(s->columns->column[k].name, d->plain) == 0;
        if (found) taut_string_add(out, "%d", k);
    }
    taut_string_add(out, "],\"tied\":");
    put_tied(s, out, d->plain);
    taut_string_add(out, "}");
}
