/* Warnings of what is allowed but hardly meant. Values are those of now: a sweep does not ask
 * again.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "model/reader.h"

/* A radius of gyration this many times the size of its body: mass far beyond all its points. */
static const double LARGE = 3.0;

static taut_status warnings_of(taut_model *m, taut_errors **list) {
    if (!m->warnings) m->warnings = TAUT_NEW(&m->arena, taut_errors);
    *list = m->warnings;
    return *list ? TAUT_OK : TAUT_ERR_MEMORY;
}

static double value_of(const taut_model *m, taut_node node) {
    return taut_node_get(m->graph, node)->value;
}

/* ---- angles ---- */

/* Is a formula a mere number, with no unit and no name in it? */
static bool is_plain(const taut_yaml *node) {
    char *end = NULL;
    if (node->kind != TAUT_YAML_SCALAR || node->length == 0) return false;
    taut_number_parse(node->text, &end);
    return end == node->text + node->length;
}

taut_status taut_doubt_angle(taut_model *m, const taut_yaml *node, const char *name, double value) {
    taut_errors *list;
    if (!(fabs(value) > 2.0 * M_PI) || !is_plain(node)) return TAUT_OK;
    TAUT_TRY(warnings_of(m, &list));
    taut_fail_at(
        list, TAUT_OK, taut_yaml_place(node),
        "%s is an angle of %.6g rad, more than a turn: if degrees are meant, write %s deg; "
        "if not, %s rad says so",
        name, value, node->text, node->text);
    return TAUT_OK;
}

/* The number that a driver's formula begins with, if it has no unit and no parameter: of 90 + 10*t
 * the 90. */
taut_status taut_doubt_driver(taut_model *m, const taut_yaml *node, const char *name,
                              taut_node wanted) {
    const taut_node_data *d = taut_node_get(m->graph, wanted);
    taut_errors *list;
    char *end = NULL;
    if (d->steady || d->op != TAUT_OP_SUM || node->kind != TAUT_YAML_SCALAR || node->length == 0)
        return d->steady ? taut_doubt_angle(m, node, name, d->value) : TAUT_OK;
    const double first = taut_number_parse(node->text, &end);
    while (end && *end == ' ') end++;
    const bool alone = end && end != node->text && (*end == '+' || *end == '-');
    if (!alone || first != d->constant || !(fabs(first) > 2.0 * M_PI)) return TAUT_OK;
    TAUT_TRY(warnings_of(m, &list));
    taut_fail_at(
        list, TAUT_OK, taut_yaml_place(node),
        "the driver of %s begins at %.6g rad, more than a turn: if degrees are meant, write "
        "%.6g deg; if not, %.6g rad says so",
        name, first, first, first);
    return TAUT_OK;
}

/* ---- gravity ---- */

static taut_status doubt_gravity(taut_model *m) {
    const taut_mechanism *x = m->mechanism;
    const int up = x->dimension - 1;
    taut_errors *list;
    if (!x->has_gravity || !(value_of(m, x->gravity.c[up]) > 0.0)) return TAUT_OK;
    TAUT_TRY(warnings_of(m, &list));
    const taut_yaml *forces = taut_yaml_get(m->root, "AppliedForces");
    const int at = forces ? taut_yaml_find(forces, "Gravity") : -1;
    const taut_place place = at < 0 ? m->problem_place : taut_yaml_place(forces->keys[at]);
    taut_fail_at(list, TAUT_OK, place,
                 "gravity acts upwards, along +%c: a number counts downwards, a vector is as it "
                 "stands",
                 "xyz"[up]);
    return TAUT_OK;
}

/* ---- bodies ---- */

/* The largest distance of a body's points and its centroid from each other. */
static double size_of(const taut_model *m, const taut_body *b) {
    const taut_mechanism *x = m->mechanism;
    double largest = 0.0;
    for (int i = 0; i <= b->elements; i++)
        for (int k = 0; k < i; k++) {
            double square = 0.0;
            if ((i < b->elements && x->element[b->element[i]].is_vector) ||
                x->element[b->element[k]].is_vector)
                continue;
            for (int c = 0; c < x->dimension; c++) {
                const taut_vec *p = i < b->elements ? &b->local[i] : &b->centroid;
                const double from = value_of(m, b->local[k].c[c]);
                const double to = p->n ? value_of(m, p->c[c]) : 0.0;
                square += (to - from) * (to - from);
            }
            largest = fmax(largest, sqrt(square));
        }
    return largest;
}

static taut_status doubt_inertia(taut_model *m, const taut_body *b) {
    taut_errors *list;
    double most = 0.0;
    if (!b->has_mass) return TAUT_OK;
    const double mass = value_of(m, b->mass), size = size_of(m, b);
    for (int i = 0; i < 3; i++)
        if (b->inertia[i][i] != TAUT_NO_NODE) most = fmax(most, value_of(m, b->inertia[i][i]));
    if (!(mass > 0.0) || !(size > 0.0) || !(sqrt(most / mass) > LARGE * size)) return TAUT_OK;
    TAUT_TRY(warnings_of(m, &list));
    taut_fail_at(list, TAUT_OK, b->place,
                 "the inertia of '%s', %.6g, is that of its mass at a distance of %.4g, but it is "
                 "only %.4g large: check the units, or whether the inertia is about the centroid",
                 b->name, most, sqrt(most / mass), size);
    return TAUT_OK;
}

/* Marks bodies that something beyond them has to do with an element of theirs. */
static void attach(const taut_mechanism *x, int element, bool *attached) {
    if (element < 0) return;
    for (int i = x->carrier_start[element]; i < x->carrier_start[element + 1]; i++)
        attached[x->carrier[i]] = true;
}

static void attach_parts(const taut_mechanism *x, bool *attached) {
    for (int e = 0; e < x->elements; e++)
        if (x->element[e].fixed || x->carrier_start[e + 1] - x->carrier_start[e] > 1)
            attach(x, e, attached);
    for (int i = 0; i < x->joints; i++)
        for (int k = 0; k < 2; k++)
            if (x->joint[i].body[k] >= 0) attached[x->joint[i].body[k]] = true;
    for (int i = 0; i < x->links; i++)
        for (int k = 0; k < 2; k++) attach(x, x->link[i].point[k], attached);
    for (int i = 0; i < x->bushings; i++)
        for (int k = 0; k < 2; k++) attach(x, x->bushing[i].point[k], attached);
    for (int i = 0; i < x->collinears; i++) {
        attach(x, x->collinear[i].origin, attached);
        attach(x, x->collinear[i].vector, attached);
        attach(x, x->collinear[i].point, attached);
    }
    for (int i = 0; i < x->torsions; i++)
        for (int k = 0; k < 2 && x->torsion[i].angle < 0; k++)
            if (x->torsion[i].body[k] >= 0) attached[x->torsion[i].body[k]] = true;
}

/* A body that floats among others that do not. Formulas, drivers, contacts and limits may hold it
 * in their own way. */
static taut_status doubt_loose(taut_model *m) {
    const taut_mechanism *x = m->mechanism;
    taut_errors *list;
    bool *attached = TAUT_NEW_ARRAY(&m->arena, x->bodies, bool), any = false;
    if (!attached) return TAUT_ERR_MEMORY;
    if (m->constraints.count + m->velocity_constraints.count + x->drivers + x->loads > 0)
        return TAUT_OK;
    for (int i = 0; i < m->contacts; i++)
        if (m->contact[i].gap != TAUT_NO_NODE) return TAUT_OK;
    attach_parts(x, attached);
    for (int b = 0; b < x->bodies; b++) any = any || attached[b];
    for (int b = 0; b < x->bodies && any; b++) {
        if (attached[b]) continue;
        TAUT_TRY(warnings_of(m, &list));
        taut_fail_at(list, TAUT_OK, x->body[b].place,
                     "'%s' is attached to nothing: no joint, spring or common element connects it "
                     "with the rest",
                     x->body[b].name);
    }
    return TAUT_OK;
}

taut_status taut_doubt_mechanism(taut_model *m) {
    if (!m->mechanism || !m->mechanism->carrier_start) return TAUT_OK;
    TAUT_TRY(doubt_gravity(m));
    for (int b = 0; b < m->mechanism->bodies; b++)
        TAUT_TRY(doubt_inertia(m, &m->mechanism->body[b]));
    return doubt_loose(m);
}

/* ---- what was imported ---- */

taut_status taut_doubt_left_out(taut_model *m, const char *path, const char *lines) {
    taut_errors *list;
    if (!lines[0]) return TAUT_OK;
    TAUT_TRY(warnings_of(m, &list));
    for (const char *p = lines; *p;) {
        const size_t n = strcspn(p, "\n");
        taut_fail_at(list, TAUT_OK, (taut_place){.path = path}, "left out: %.*s", (int)n, p);
        p += n + (p[n] == '\n');
    }
    return TAUT_OK;
}
