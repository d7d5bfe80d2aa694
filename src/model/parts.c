/* Names and numbers of parts: elements that a name spells or a list names, steady formulas. */
#include "model/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bounds.h"
#include "core/hash.h"
#include "core/text.h"

/* What is more than this is no mechanism that could be simulated in the memory of this machine: a
 * body of a chain in the plane takes 35 kB, in joint coordinates 75 kB. */
static const double BYTES_A_BODY = 65536.0;
enum { LEAST_BODIES = 20000, ELEMENTS_A_BODY = 5 };

int taut_part_most_bodies(void) { return taut_bounds_fitting(BYTES_A_BODY, LEAST_BODIES); }

/* ---- elements ---- */

bool taut_part_is_empty(const taut_yaml *node) {
    return !node || (node->kind == TAUT_YAML_SCALAR && node->is_null);
}

taut_status taut_part_element(taut_reader *r, const char *name, taut_place place, int *number) {
    taut_mechanism *m = r->model->mechanism;
    taut_place old;
    if (taut_symbols_element(r->symbols, name, number)) return TAUT_OK;
    if (m->elements >= ELEMENTS_A_BODY * LEAST_BODIES &&
        m->elements / ELEMENTS_A_BODY >= taut_part_most_bodies())
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "the mechanism has more than %d points and vectors, for which the "
                            "memory of this machine is too small",
                            m->elements);
    if (taut_symbols_place(r->symbols, name, &old))
        for (*number = 0; *number < m->elements; ++*number)
            if (strcmp(m->element[*number].name, name) == 0) return TAUT_ERR_INPUT;
    if (TAUT_PART_GROW(m->element, m->elements, m->element_room)) return TAUT_ERR_MEMORY;
    *number = m->elements++;
    m->element[*number] =
        (taut_element){.name = name,
                       .is_vector = taut_is_lower(taut_model_base_name(r->model, name)[0]),
                       .collinear = -1,
                       .place = place};
    for (int i = 0; i < m->dimension; i++)
        TAUT_TRY(taut_model_add_leaf(r->model,
                                     (taut_model_leaf){TAUT_LEAF_ELEMENT, *number, i, name},
                                     &m->element[*number].leaf[i]));
    return taut_symbols_add_element(r->symbols, name, *number, m->dimension, place);
}

/* The same for an element that the name of a part spells: the user may not have meant to. */
static taut_status need_spelled(taut_reader *r, const char *part, const char *name,
                                taut_place place, int *number) {
    taut_place old = {0};
    if (taut_symbols_element(r->symbols, name, number)) return TAUT_OK;
    const bool reserved = taut_infix_is_reserved(name);
    if (!reserved && !taut_symbols_place(r->symbols, name, &old))
        return taut_part_element(r, name, place, number);
    char where[40] = "has a meaning in formulas";
    if (!reserved) snprintf(where, sizeof where, "is taken already, on line %d", old.line);
    return taut_fail_at(
        r->errors, TAUT_ERR_INPUT, place,
        "'%s' spells the element '%s', but this name %s: rename one of them, or list "
        "the elements of '%s': Elements: [...]",
        part, name, where, part);
}

/* Splits "DC1wv" into D, C1, w, v, each with the prefix of the file that the name comes from. False
 * if it is not of that form. */
static bool split_name(taut_reader *r, const char *name, const char **part, int *count) {
    const char *base = taut_model_base_name(r->model, name);
    *count = 0;
    for (const char *p = base; *p;) {
        if (!taut_is_letter(*p)) return false;
        size_t n = 1;
        while (taut_is_digit(p[n])) n++;
        char text[2 * TAUT_NAME_MAX];
        if (base > name)
            snprintf(text, sizeof text, "%.*s%.*s", (int)(base - name), name, (int)n, p);
        part[*count] = base > name ? taut_arena_copy(&r->model->arena, text, strlen(text))
                                   : taut_arena_copy(&r->model->arena, p, n);
        if (!part[(*count)++]) return false;
        p += n;
    }
    return *count > 0;
}

/* The elements that the name of a part spells. */
static taut_status take_spelled(taut_reader *r, const taut_yaml *key, int **element, int *count) {
    const size_t most = strlen(key->text);
    const taut_place place = taut_reader_place(r, key);
    const char **part = TAUT_NEW_ARRAY(&r->model->arena, most, const char *);
    *element = TAUT_NEW_ARRAY(&r->model->arena, most, int);
    if (!part || !*element) return TAUT_ERR_MEMORY;
    if (!split_name(r, key->text, part, count))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'%s' does not spell its elements (one letter and digits each, such "
                            "as AB or DC1wv); list them: Elements: [...]",
                            key->text);
    for (int i = 0; i < *count; i++)
        TAUT_TRY(need_spelled(r, key->text, part[i], place, &(*element)[i]));
    return TAUT_OK;
}

static taut_status take_listed(taut_reader *r, const taut_yaml *list, int **element, int *count) {
    if (!taut_reader_expect(r, list, TAUT_YAML_SEQUENCE, "'Elements'")) return TAUT_ERR_INPUT;
    if (list->count > TAUT_BODY_ELEMENTS_MAX)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, list),
                            "a part has at most %d elements, not %d", TAUT_BODY_ELEMENTS_MAX,
                            list->count);
    *element = TAUT_NEW_ARRAY(&r->model->arena, list->count, int);
    if (!*element) return TAUT_ERR_MEMORY;
    for (int i = 0; i < list->count; i++) {
        if (!taut_reader_expect(r, list->items[i], TAUT_YAML_SCALAR, "the name of an element"))
            return TAUT_ERR_INPUT;
        TAUT_TRY(taut_part_element(r, list->items[i]->text, taut_reader_place(r, list->items[i]),
                                   &(*element)[i]));
    }
    *count = list->count;
    return TAUT_OK;
}

taut_status taut_part_elements(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                               int **element, int *count) {
    const taut_yaml *list = taut_yaml_get(value, "Elements");
    *count = 0;
    TAUT_TRY(list ? take_listed(r, list, element, count) : take_spelled(r, key, element, count));
    for (int i = 0; i < *count; i++)
        for (int k = 0; k < i; k++)
            if ((*element)[i] == (*element)[k])
                return taut_fail_at(
                    r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                    "'%s' contains %s twice: every element of a part has its own name", key->text,
                    r->model->mechanism->element[(*element)[i]].name);
    return TAUT_OK;
}

/* ---- bodies by name ---- */

/* Where in the table the number of a body is, or would be. */
static int *body_slot(const taut_mechanism *m, const char *name) {
    size_t i = taut_hash_text(name) & (m->body_slots - 1);
    while (m->body_table[i] && strcmp(m->body[m->body_table[i] - 1].name, name) != 0)
        i = (i + 1) & (m->body_slots - 1);
    return &m->body_table[i];
}

int taut_part_find_body(const taut_mechanism *m, const char *name) {
    return m->body_slots ? *body_slot(m, name) - 1 : -1;
}

taut_status taut_part_body(taut_reader *r, const taut_yaml *node, const char *for_what, int *body) {
    const taut_mechanism *m = r->model->mechanism;
    *body = -1;
    if (!taut_reader_expect(r, node, TAUT_YAML_SCALAR, "the name of a body")) return TAUT_ERR_INPUT;
    if (strcmp(node->text, "ground") == 0) return TAUT_OK;
    *body = taut_part_find_body(m, node->text);
    if (*body >= 0) return TAUT_OK;
    const taut_yaml *parts = taut_yaml_get(r->model->root, "PartData");
    if (taut_yaml_get(taut_yaml_get(parts, "Rigids"), node->text))
        return TAUT_ERR_INPUT; /* the body was wrong, which is reported */
    taut_nearest nearest = {.wanted = node->text};
    const taut_place place = taut_reader_place(r, node);
    const int offered = taut_errors_would_show(r->errors, place) ? m->bodies : 0;
    for (int i = 0; i < offered; i++) taut_nearest_offer(&nearest, m->body[i].name);
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "there is no body '%s' %s%s%s%s",
                        node->text, for_what, nearest.best ? "; did you mean '" : "",
                        nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

taut_status taut_part_bodies(taut_reader *r, const taut_yaml *map, int body[2], bool said[2]) {
    const taut_yaml *list = taut_yaml_get(map, "Bodies");
    body[0] = body[1] = -1;
    if (!list) return TAUT_OK;
    if (!taut_reader_expect(r, list, TAUT_YAML_SEQUENCE, "'Bodies'")) return TAUT_ERR_INPUT;
    if (list->count > 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, list),
                            "'Bodies' lists two bodies, or one, not %d", list->count);
    for (int i = 0; i < list->count; i++) {
        TAUT_TRY(taut_part_body(r, list->items[i], "to connect", &body[i]));
        said[i] = true;
    }
    return TAUT_OK;
}

int taut_part_find_angle(const taut_reader *r, const char *name) {
    return taut_roster_get(&r->angle, name);
}

taut_status taut_part_add_angle(taut_reader *r, taut_angle angle) {
    taut_mechanism *m = r->model->mechanism;
    if (TAUT_PART_GROW(m->angle, m->angles, m->angle_room)) return TAUT_ERR_MEMORY;
    if (taut_roster_get(&r->angle, angle.name) < 0) /* a name that is taken is told later */
        TAUT_TRY(taut_roster_put(&r->angle, &r->model->arena, angle.name, m->angles));
    m->angle[m->angles++] = angle;
    return TAUT_OK;
}

taut_status taut_part_add_body(taut_reader *r, taut_body body) {
    taut_mechanism *m = r->model->mechanism;
    if (m->bodies >= LEAST_BODIES && m->bodies >= taut_part_most_bodies())
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, body.place,
                            "the mechanism has more than %d bodies, for which the memory of this "
                            "machine is too small",
                            m->bodies);
    if (TAUT_PART_GROW(m->body, m->bodies, m->body_room)) return TAUT_ERR_MEMORY;
    if (2 * ((size_t)m->bodies + 1) > m->body_slots) {
        const size_t slots = m->body_slots ? 2 * m->body_slots : 64;
        int *table = TAUT_NEW_ARRAY(&r->model->arena, slots, int);
        if (!table) return TAUT_ERR_MEMORY;
        m->body_table = table;
        m->body_slots = slots;
        for (int b = 0; b < m->bodies; b++) *body_slot(m, m->body[b].name) = b + 1;
    }
    m->body[m->bodies++] = body;
    *body_slot(m, body.name) = m->bodies;
    return TAUT_OK;
}

/* ---- numbers ---- */

taut_status taut_part_number(taut_reader *r, const taut_yaml *node, taut_quantity what,
                             const char *of, double least, taut_node *result) {
    taut_vec v;
    TAUT_TRY(taut_formula_read_as(r->symbols, node, 1, what, &v));
    const taut_node_data *d = taut_node_get(r->model->graph, v.c[0]);
    if (!d->steady)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "the %s of '%s' must be a number: a formula of parameters",
                            taut_quantity_word(what), of);
    if (d->value < least)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "the %s of '%s' is negative: %g", taut_quantity_word(what), of,
                            d->value);
    if (least == 0.0) taut_assume_sign(r->model->graph, v.c[0]);
    *result = v.c[0];
    return TAUT_OK;
}

taut_status taut_part_flag(taut_reader *r, const taut_yaml *map, const char *key,
                           const char *meaning, bool *value) {
    const taut_yaml *node = taut_yaml_get(map, key);
    if (!node) return TAUT_OK;
    *value = taut_yaml_is(node, "true");
    if (*value || taut_yaml_is(node, "false")) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                        "'%s' is true%s or false", key, meaning);
}

taut_status taut_part_coordinates(taut_reader *r, const taut_yaml *node, taut_quantity what,
                                  taut_vec *result) {
    if (node->kind == TAUT_YAML_SCALAR) { /* a name that is defined as a vector */
        TAUT_TRY(taut_formula_read(r->symbols, node, 0, result));
        if (result->n == 1)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                                "coordinates are a list: write [%s]", node->text);
    }
    TAUT_TRY(taut_vector_read_as(r->symbols, node, r->model->mechanism->dimension, what, result));
    for (int i = 0; i < result->n; i++)
        if (!taut_node_get(r->model->graph, result->c[i])->steady)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                                "local coordinates are numbers: formulas of parameters");
    return TAUT_OK;
}

double taut_part_length(const taut_graph *g, taut_vec v) {
    double sum = 0.0;
    for (int i = 0; i < v.n; i++) sum += pow(taut_node_get(g, v.c[i])->value, 2.0);
    return sqrt(sum);
}

taut_status taut_mechanism_direction(taut_graph *g, taut_vec *v) {
    const taut_node length = taut_vec_norm(g, *v);
    if (taut_node_get(g, length)->steady && !(taut_node_get(g, length)->value > 0.0))
        return TAUT_ERR_INPUT;
    const taut_node_data *d = taut_node_get(g, length);
    if (d->steady && !d->held && fabs(d->value - 1.0) < 4e-16) {
        taut_assume_value(g, length);
        return TAUT_OK; /* of length 1 already: leave its digits alone */
    }
    for (int i = 0; i < v->n; i++) v->c[i] = taut_div(g, v->c[i], length);
    return TAUT_OK;
}
