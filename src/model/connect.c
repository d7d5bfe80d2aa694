/* Reading what connects: springs and dampers, particles, fixed points, formulas, lines. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/parts.h"

/* ---- springs, dampers, particles ---- */

/* Two points of a spring and the like. */
static taut_status two_points(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                              int *point) {
    int *element, count;
    TAUT_TRY(taut_part_elements(r, key, value, &element, &count));
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

enum { MOST_LINKS = 100000 };
typedef enum link_kind { SPRING, DAMPER, SPRING_DAMPER } link_kind;

static taut_status read_link_list(taut_reader *r, const taut_yaml *value, link_kind kind,
                                  taut_link *link) {
    static const char *const expected[] = {
        "a spring is [stiffness, rest length] or [stiffness, rest length, mass], or {k, l, mass}",
        "a damper is its damping constant, or {c}",
        "a spring-damper is [stiffness, rest length, damping constant], or {k, l, c}"};
    if (kind == DAMPER && value->kind == TAUT_YAML_SCALAR)
        return taut_part_number(r, value, TAUT_DAMPING, link->name, 0.0, &link->damping);
    const int count = value->kind == TAUT_YAML_SEQUENCE ? value->count : 0;
    if (kind == DAMPER || count < 2 || count > 3 || (kind == SPRING_DAMPER && count != 3))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, value), "%s",
                            expected[kind]);
    TAUT_TRY(
        taut_part_number(r, value->items[0], TAUT_STIFFNESS, link->name, 0.0, &link->stiffness));
    TAUT_TRY(taut_part_number(r, value->items[1], TAUT_REST_LENGTH, link->name, 0.0,
                              &link->rest_length));
    if (count < 3) return TAUT_OK;
    if (kind == SPRING)
        return taut_part_number(r, value->items[2], TAUT_MASS, link->name, 0.0, &link->mass);
    return taut_part_number(r, value->items[2], TAUT_DAMPING, link->name, 0.0, &link->damping);
}

static taut_status read_link_map(taut_reader *r, const taut_yaml *value, link_kind kind,
                                 taut_link *link) {
    const taut_yaml *k = taut_yaml_get(value, "k"), *l = taut_yaml_get(value, "l");
    const taut_yaml *c = taut_yaml_get(value, "c"), *mass = taut_yaml_get(value, "mass");
    const bool good = taut_reader_check_keys(r, value, TAUT_SECTION_LINK);
    if (k) TAUT_TRY(taut_part_number(r, k, TAUT_STIFFNESS, link->name, 0.0, &link->stiffness));
    if (l) TAUT_TRY(taut_part_number(r, l, TAUT_REST_LENGTH, link->name, 0.0, &link->rest_length));
    if (c) TAUT_TRY(taut_part_number(r, c, TAUT_DAMPING, link->name, 0.0, &link->damping));
    if (mass) TAUT_TRY(taut_part_number(r, mass, TAUT_MASS, link->name, 0.0, &link->mass));
    TAUT_TRY(taut_part_flag(r, value, "Full", " (the damper acts on the whole relative velocity)",
                            &link->full));
    if (kind != DAMPER && !k && good) taut_reader_missing(r, value, "k", ": give the stiffness");
    if (kind != SPRING && !c && good)
        taut_reader_missing(r, value, "c", ": give the damping constant");
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
    if (m->links == MOST_LINKS)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, link.place,
                            "the mechanism has more than %d springs and dampers", MOST_LINKS);
    if (TAUT_PART_GROW(m->link, m->links, m->link_room)) return TAUT_ERR_MEMORY;
    m->link[m->links++] = link;
    return TAUT_OK;
}

taut_status taut_part_read_particle(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    taut_particle p = {.place = taut_reader_place(r, key)};
    if (taut_part_find_body(m, key->text) >= 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, p.place,
                            "'%s' is a body: a particle is at a point", key->text);
    TAUT_TRY(taut_part_element(r, key->text, p.place, &p.point));
    if (m->element[p.point].is_vector)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, p.place,
                            "'%s' is a vector (small letter): a particle is at a point", key->text);
    bool heavy = true;
    if (value && value->kind == TAUT_YAML_MAPPING) {
        taut_reader_check_keys(r, value, TAUT_SECTION_PARTICLE);
        TAUT_TRY(taut_part_flag(r, value, "Gravity", "", &heavy));
        if (!taut_yaml_get(value, "mass"))
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, p.place, "'%s' needs a mass", key->text);
        value = taut_yaml_get(value, "mass");
    }
    p.weightless = !heavy;
    TAUT_TRY(taut_part_number(r, value, TAUT_MASS, key->text, 0.0, &p.mass));
    if (TAUT_PART_GROW(m->particle, m->particles, m->particle_room)) return TAUT_ERR_MEMORY;
    m->particle[m->particles++] = p;
    return TAUT_OK;
}

taut_status taut_part_read_spring(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    return read_link(r, key, value, SPRING);
}
taut_status taut_part_read_damper(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    return read_link(r, key, value, DAMPER);
}
taut_status taut_part_read_spring_damper(taut_reader *r, const taut_yaml *key,
                                         const taut_yaml *value) {
    return read_link(r, key, value, SPRING_DAMPER);
}

/* ---- what places elements ---- */

taut_status taut_part_read_fixed(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    int number;
    TAUT_TRY(taut_part_element(r, key->text, taut_reader_place(r, key), &number));
    r->model->mechanism->element[number].fixed = true;
    return taut_part_wait(r, TAUT_WAITING_ELEMENT, number, value);
}

taut_status taut_part_read_point(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    int number;
    taut_mechanism *m = r->model->mechanism;
    TAUT_TRY(taut_part_element(r, key->text, taut_reader_place(r, key), &number));
    if (m->element[number].fixed)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                            "'%s' is fixed already, on line %d: it cannot have a formula",
                            key->text, m->element[number].place.line);
    m->element[number].formula = true;
    return taut_part_wait(r, TAUT_WAITING_ELEMENT, number, value);
}

taut_status taut_part_read_collinear(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    int *element, count;
    taut_collinear c = {.place = taut_reader_place(r, key)};
    TAUT_TRY(taut_part_elements(r, key, value, &element, &count));
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
    if (name && !taut_part_is_empty(name)) {
        if (!taut_reader_expect(r, name, TAUT_YAML_SCALAR, "the name of the distance"))
            return TAUT_ERR_INPUT;
        TAUT_TRY(taut_reader_check_column(r, name->text, taut_reader_place(r, name)));
        c.scalar = name->text;
        c.place = taut_reader_place(r, name);
    }
    c.origin = element[0];
    c.vector = element[1];
    c.point = element[2];
    if (TAUT_PART_GROW(m->collinear, m->collinears, m->collinear_room)) return TAUT_ERR_MEMORY;
    if (m->element[c.point].collinear < 0) m->element[c.point].collinear = m->collinears;
    m->collinear[m->collinears++] = c;
    return TAUT_OK;
}
