/* Formulas of positions: what waits until all parts are known, and every point, vector and
 * coordinate has its leaf. Fixed and Points, curves, angles, drivers, loads; then the names of the
 * forces that keep constraints. */
#include <stdio.h>
#include <string.h>

#include "model/parts.h"
#include "model/trim.h"

/* ---- what waits ---- */

taut_status taut_part_wait(taut_reader *r, taut_waiting_kind kind, int index,
                           const taut_yaml *node) {
    if (taut_grow((void **)&r->waiting, &r->waiting_room, (size_t)r->waitings + 1,
                  sizeof *r->waiting))
        return TAUT_ERR_MEMORY;
    r->waiting[r->waitings++] = (taut_waiting){kind, index, node};
    return TAUT_OK;
}

typedef taut_status waiting_reader(taut_reader *reader, int index, const taut_yaml *node);

static taut_status read_waiting(taut_reader *r, taut_waiting_kind kind, waiting_reader *read) {
    for (int i = 0; i < r->waitings; i++)
        if (r->waiting[i].kind == kind)
            TAUT_NOTE(r, read(r, r->waiting[i].index, r->waiting[i].node));
    return TAUT_OK;
}

/* ---- names of coordinates ---- */

/* A leaf with a name that formulas can use. */
static taut_status name_leaf(taut_reader *r, taut_model_leaf leaf, taut_quantity quantity,
                             taut_place place, int *number) {
    taut_node node;
    TAUT_TRY(taut_model_add_leaf(r->model, leaf, &node));
    *number = r->model->leaves - 1;
    TAUT_NOTE(r, taut_symbols_add(r->symbols, leaf.name, taut_vec_scalar(node), place));
    taut_symbols_set_quantity(r->symbols, leaf.name, quantity);
    return TAUT_OK;
}

static taut_status name_joint(taut_reader *r, int number) {
    taut_joint *j = &r->model->mechanism->joint[number];
    j->leaf[0] = j->leaf[1] = j->leaf[2] = -1;
    if (j->shared) return TAUT_OK;
    if (j->parameter)
        TAUT_TRY(name_leaf(r, (taut_model_leaf){TAUT_LEAF_CURVE, number, 0, j->parameter}, TAUT_ANY,
                           j->place, &j->leaf[2]));
    for (int k = 0; k < 2; k++)
        if (j->distance[k])
            TAUT_TRY(name_leaf(r, (taut_model_leaf){TAUT_LEAF_DISTANCE, number, k, j->distance[k]},
                               TAUT_LENGTH, j->place, &j->leaf[k]));
    return TAUT_OK;
}

static taut_status name_lines(taut_reader *r) {
    taut_mechanism *m = r->model->mechanism;
    for (int i = 0; i < m->collinears; i++) {
        taut_collinear *c = &m->collinear[i];
        c->leaf = -1;
        if (c->scalar)
            TAUT_TRY(name_leaf(r, (taut_model_leaf){TAUT_LEAF_LINE, i, 0, c->scalar}, TAUT_LENGTH,
                               c->place, &c->leaf));
    }
    return TAUT_OK;
}

static taut_status name_coordinates(taut_reader *r) {
    taut_mechanism *m = r->model->mechanism;
    for (int i = 0; i < m->joints; i++) TAUT_TRY(name_joint(r, i));
    for (int i = 0; i < m->angles; i++)
        TAUT_TRY(name_leaf(r, (taut_model_leaf){TAUT_LEAF_ANGLE, i, 0, m->angle[i].name},
                           TAUT_ANGLE, m->angle[i].place, &m->angle[i].leaf));
    return TAUT_OK;
}

/* ---- elements ---- */

static taut_status read_element(taut_reader *r, int e, const taut_yaml *node) {
    taut_element *x = &r->model->mechanism->element[e];
    x->where = taut_reader_place(r, node);
    taut_symbols_set_scope(r->symbols, x->fixed ? TAUT_SCOPE_FIXED : TAUT_SCOPE_ALL);
    const taut_status status =
        taut_vector_read_as(r->symbols, node, r->model->mechanism->dimension,
                            x->is_vector ? TAUT_ANY : TAUT_LENGTH, &x->given);
    taut_symbols_set_scope(r->symbols, TAUT_SCOPE_ALL);
    return status;
}

/* ---- joints ---- */

static taut_status read_curve(taut_reader *r, int number, const taut_yaml *node) {
    taut_joint *j = &r->model->mechanism->joint[number];
    j->curve_at = taut_reader_place(r, node);
    return taut_vector_read_as(r->symbols, node, r->model->mechanism->dimension, TAUT_LENGTH,
                               &j->curve);
}

/* The coordinates that a gear or a rack ties, by their names. */
static taut_status read_tied(taut_reader *r, taut_joint *j) {
    for (int k = 0; k < 2 && j->geared[k]; k++) {
        taut_vec s;
        if (!taut_symbols_find(r->symbols, j->geared[k], &s) || s.n != 1) {
            const char *near = taut_symbols_nearest(r->symbols, j->geared[k]);
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, j->place,
                                "'%s' is no coordinate that the %s joint '%s' could tie: name an "
                                "angle or a distance%s%s%s",
                                j->geared[k], taut_joint_kind_name(j->kind), j->name,
                                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
        j->tied[k] = s.c[0];
    }
    return TAUT_OK;
}

/* ---- angles ---- */

bool taut_model_two_points(const taut_model *m, const char *name, int point[2]) {
    const char *base = taut_model_base_name(m, name), *p = base;
    for (int i = 0; i < 2; i++) {
        char part[2 * TAUT_NAME_MAX];
        const char *start = p;
        if (!(*p >= 'A' && *p <= 'Z')) return false;
        do {
            p++;
        } while (*p >= '0' && *p <= '9');
        snprintf(part, sizeof part, "%.*s%.*s", (int)(base - name), name, (int)(p - start), start);
        if (!taut_symbols_element(m->symbols, part, &point[i])) return false;
    }
    return *p == '\0';
}

/* The direction that a word means: a body's local x axis, a vector, or a line through two points.
 */
static taut_status read_word(taut_reader *r, const taut_yaml *node, taut_heading *h) {
    const taut_mechanism *m = r->model->mechanism;
    *h = (taut_heading){.body = -1, .place = taut_reader_place(r, node)};
    if (node->kind != TAUT_YAML_SCALAR)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, h->place,
                            "an angle is of one direction, or [from, to]: the names of bodies, "
                            "vectors or pairs of points");
    h->body = taut_part_find_body(m, node->text);
    if (h->body >= 0) return TAUT_OK;
    h->kind = TAUT_HEADING_VECTOR;
    if (taut_symbols_element(r->symbols, node->text, &h->element[0]) &&
        m->element[h->element[0]].is_vector)
        return TAUT_OK;
    h->kind = TAUT_HEADING_LINE;
    if (taut_model_two_points(r->model, node->text, h->element)) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, h->place,
                        "'%s' has no direction: name a body, a vector, or two points such as AB",
                        node->text);
}

static taut_status read_direction(taut_reader *r, const taut_angle *a, const taut_yaml *map,
                                  const char *key, taut_heading *h) {
    const taut_yaml *node = taut_yaml_get(map, key);
    if (!node)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, a->place,
                            "the key '%s' of the angle '%s' is missing: give a direction", key,
                            a->name);
    *h = (taut_heading){
        .kind = TAUT_HEADING_FORMULA, .body = -1, .place = taut_reader_place(r, node)};
    return taut_vector_read(r->symbols, node, r->model->mechanism->dimension, &h->formula);
}

static taut_status read_angle(taut_reader *r, int number, const taut_yaml *value) {
    taut_angle *a = &r->model->mechanism->angle[number];
    const bool spatial = r->model->mechanism->dimension == 3;
    a->from = (taut_heading){.body = -1};
    if (value->kind == TAUT_YAML_MAPPING) {
        TAUT_TRY(read_direction(r, a, value, "From", &a->from));
        TAUT_TRY(read_direction(r, a, value, "To", &a->to));
        if (spatial) return read_direction(r, a, value, "Axis", &a->axis);
        if (!taut_yaml_get(value, "Axis")) return TAUT_OK;
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, a->place,
                            "the angle '%s' has no Axis in 2D: it counts counter-clockwise",
                            a->name);
    }
    if (spatial)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, a->place,
                            "in 3D the angle '%s' must be {From: ..., To: ..., Axis: ...}, three "
                            "directions",
                            a->name);
    if (value->kind != TAUT_YAML_SEQUENCE || value->count != 2) return read_word(r, value, &a->to);
    TAUT_TRY(read_word(r, value->items[0], &a->from));
    return read_word(r, value->items[1], &a->to);
}

/* ---- drivers ---- */

/* The distance of two points, unless it is that of one body. */
static taut_status find_distance(taut_reader *r, taut_driver *d) {
    const taut_mechanism *m = r->model->mechanism;
    if (!taut_model_two_points(r->model, d->plain, d->point)) {
        const char *near = taut_symbols_nearest(r->symbols, d->plain);
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, d->place,
            "'%s' cannot be driven: it is no angle, coordinate or pair of points%s%s%s", d->name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    for (int i = m->carrier_start[d->point[0]]; i < m->carrier_start[d->point[0] + 1]; i++) {
        const taut_body *x = &m->body[m->carrier[i]];
        for (int k = 0; k < x->elements; k++)
            if (x->element[k] == d->point[1])
                return taut_fail_at(
                    r->errors, TAUT_ERR_INPUT, d->place,
                    "'%s' cannot be driven: both points belong to the rigid body '%s'", d->name,
                    x->name);
    }
    return TAUT_OK;
}

/* Position and velocity of one thing cannot both be driven. (The same twice is found later.) */
static taut_status check_once(taut_reader *r, int number) {
    const taut_driver *d = &r->model->mechanism->driver[number];
    const int other = taut_roster_get(&r->driven[!d->velocity], d->plain);
    TAUT_TRY(taut_roster_put(&r->driven[d->velocity], &r->model->arena, d->plain, number));
    if (other < 0) return TAUT_OK;
    const taut_driver *x = &r->model->mechanism->driver[other];
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, d->place,
                        "'%s' is driven already: by '%s', on line %d", d->name, x->name,
                        x->place.line);
}

/* What the rate of a quantity is. */
static taut_quantity rate_of(taut_quantity quantity) {
    return quantity == TAUT_LENGTH  ? TAUT_VELOCITY
           : quantity == TAUT_ANGLE ? TAUT_FREQUENCY
                                    : TAUT_ANY;
}

/* What a driver drives: Ax or A.x, an angle, a named scalar; or AB, the distance of two points. A
 * prime: its velocity. */
static taut_status read_driver(taut_reader *r, int number, const taut_yaml *node) {
    taut_driver *d = &r->model->mechanism->driver[number];
    size_t length = strlen(d->name);
    taut_quantity quantity = TAUT_LENGTH;
    taut_vec wanted = {0};
    bool given;
    char *plain = taut_arena_copy(&r->model->arena, d->name, length);
    if (!plain) return TAUT_ERR_MEMORY;
    d->plain = plain; /* also of a driver that is refused */
    TAUT_TRY(taut_roster_put(&r->driver, &r->model->arena, d->name, number));
    if (length > 1 && plain[length - 1] == '\'') {
        d->velocity = true;
        plain[--length] = '\0';
    }
    const bool twice = length > 0 && plain[length - 1] == '\'';
    while (length > 0 && plain[length - 1] == '\'') plain[--length] = '\0';
    if (twice)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' cannot be driven: a driver prescribes a position, or with one "
                            "prime a velocity",
                            d->name);
    if (length > 2 && plain[length - 2] == '.') {
        plain[length - 2] = plain[length - 1];
        plain[length - 1] = '\0';
    }
    TAUT_TRY(check_once(r, number));
    d->wanted_place = taut_reader_place(r, node);
    if (taut_symbols_find(r->symbols, plain, &d->driven)) {
        quantity = taut_symbols_quantity(r->symbols, plain);
    } else {
        d->driven.n = 0;
        TAUT_TRY(find_distance(r, d));
    }
    if (d->velocity) quantity = rate_of(quantity);
    TAUT_TRY(taut_find_driver_value(r, d->name, &given, &wanted));
    if (!given) TAUT_TRY(taut_formula_read_as(r->symbols, node, 1, quantity, &wanted));
    TAUT_TRY(taut_add_driver_input(r, d->name, &wanted));
    d->wanted = wanted.c[0];
    if (!given && !r->model->is_copy && quantity == TAUT_ANGLE)
        TAUT_TRY(taut_doubt_driver(r->model, node, plain, d->wanted));
    if (d->driven.n > 1)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, d->place,
                            "drive the components of %s one by one: %sx%s: ..., %sy%s: ...", plain,
                            plain, d->velocity ? "'" : "", plain, d->velocity ? "'" : "");
    return TAUT_OK;
}

/* ---- loads ---- */

/* A single number between two points acts along their line. */
static taut_status read_force(taut_reader *r, taut_load *load, const taut_yaml *node) {
    const int dimension = r->model->mechanism->dimension;
    if (load->against >= 0 && node->kind == TAUT_YAML_SCALAR) {
        TAUT_TRY(taut_formula_read_as(r->symbols, node, 0, TAUT_FORCE, &load->value));
        if (load->value.n == 1 || load->value.n == dimension) return TAUT_OK;
    }
    return taut_vector_read_as(r->symbols, node, dimension, TAUT_FORCE, &load->value);
}

static taut_status read_load(taut_reader *r, int number, const taut_yaml *node) {
    taut_load *load = &r->model->mechanism->load[number];
    taut_vec on;
    load->value_place = taut_reader_place(r, node);
    if (load->coordinate) {
        if (!taut_symbols_find(r->symbols, load->coordinate, &on)) return TAUT_ERR_INPUT; /* told */
        load->on = on.c[0];
        return taut_formula_read_as(r->symbols, node, 1, load->torque ? TAUT_TORQUE : TAUT_FORCE,
                                    &load->value);
    }
    if (!load->torque) return read_force(r, load, node);
    return r->model->mechanism->dimension == 2
               ? taut_formula_read_as(r->symbols, node, 1, TAUT_TORQUE, &load->value)
               : taut_vector_read_as(r->symbols, node, 3, TAUT_TORQUE, &load->value);
}

/* ---- multipliers ---- */

/* What a split joint transmits: pin.Fx, pin.Tz, and the multipliers of its equations. */
static taut_status name_loads(taut_reader *r, int number) {
    taut_joint *j = &r->model->mechanism->joint[number];
    const int dimension = r->model->mechanism->dimension;
    const char *label = taut_joint_label(r, number);
    taut_node node;
    if (!label) return TAUT_ERR_MEMORY;
    j->load = r->model->leaves;
    for (int part = 0; part < 6; part++) {
        char text[2 * TAUT_NAME_MAX];
        snprintf(text, sizeof text, "%.*s.%c%c", TAUT_NAME_MAX, label, part < 3 ? 'F' : 'T',
                 "xyz"[part % 3]);
        const char *name = taut_arena_copy(&r->model->arena, text, strlen(text));
        if (!name) return TAUT_ERR_MEMORY;
        TAUT_TRY(taut_model_add_leaf(r->model,
                                     (taut_model_leaf){TAUT_LEAF_LOAD, number, part, name}, &node));
        if (dimension == 2 && part >= 2 && part <= 4) continue;
        TAUT_TRY(taut_symbols_add_load(r->symbols, name, node, part < 3 ? TAUT_FORCE : TAUT_TORQUE,
                                       j->place));
    }
    j->multiplier = r->model->leaves;
    for (int k = 0; k < taut_joint_equations(j->kind, dimension); k++)
        TAUT_TRY(taut_model_add_leaf(
            r->model, (taut_model_leaf){TAUT_LEAF_MULTIPLIER, number, k, j->name}, &node));
    return TAUT_OK;
}

static taut_status name_multipliers(taut_reader *r) {
    taut_model *m = r->model;
    const taut_model_formulas *list[2] = {&m->constraints, &m->velocity_constraints};
    int leaf;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < list[part]->count; i++) {
            const taut_model_formula *f = &list[part]->item[i];
            if (f->name)
                TAUT_TRY(name_leaf(r, (taut_model_leaf){TAUT_LEAF_CONSTRAINT, i, part, f->name},
                                   TAUT_ANY, f->place, &leaf));
        }
    for (int i = 0; i < m->mechanism->joints; i++)
        if (m->mechanism->joint[i].split) TAUT_TRY(name_loads(r, i));
    for (int i = 0; i < m->mechanism->drivers && !r->faulty; i++) {
        taut_driver *d = &m->mechanism->driver[i];
        char text[TAUT_NAME_MAX + 10];
        snprintf(text, sizeof text, "force_%.*s", TAUT_NAME_MAX, d->plain ? d->plain : d->name);
        const char *name = taut_arena_copy(&m->arena, text, strlen(text));
        if (!name) return TAUT_ERR_MEMORY;
        TAUT_TRY(name_leaf(r, (taut_model_leaf){TAUT_LEAF_DRIVER, i, 0, name}, TAUT_ANY, d->place,
                           &d->leaf));
    }
    return TAUT_OK;
}

taut_status taut_read_positions(taut_reader *r, const taut_yaml *root) {
    taut_mechanism *m = r->model->mechanism;
    taut_symbols_set_scope(r->symbols, TAUT_SCOPE_ALL);
    TAUT_TRY(name_lines(r));
    TAUT_TRY(read_waiting(r, TAUT_WAITING_ELEMENT, read_element));
    TAUT_TRY(name_coordinates(r)); /* what is measured between elements does not place them */
    r->model->coordinates = r->model->leaves;
    TAUT_TRY(read_waiting(r, TAUT_WAITING_CURVE, read_curve));
    TAUT_TRY(read_waiting(r, TAUT_WAITING_ANGLE, read_angle));
    for (int i = 0; i < m->joints; i++) TAUT_NOTE(r, read_tied(r, &m->joint[i]));
    TAUT_TRY(taut_read_armatures(r, taut_yaml_get(root, "PartData")));
    TAUT_TRY(taut_read_constraints(r, root));
    TAUT_TRY(read_waiting(r, TAUT_WAITING_DRIVER, read_driver));
    TAUT_TRY(name_multipliers(r));
    TAUT_TRY(read_waiting(r, TAUT_WAITING_LOAD, read_load));
    TAUT_NOTE(r, taut_read_dissipation(r, taut_yaml_get(root, "AppliedForces")));
    return TAUT_OK;
}
