/* Splitting joints: where a formula, friction or a break asks for what a joint transmits, its
 * bodies get elements of their own, and the joint keeps them together by equations whose
 * multipliers are its load (docs/math/loads.md, section 1). */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/parts.h"
#include "model/reader.h"

/* ---- who asks ---- */

static bool is_word(char c) {
    return taut_is_letter(c) || taut_is_digit(c) || c == '_' || c == '@';
}

/* Joints whose load a formula names: pin.Fx, and ground-OA.Fx, whose name is not one word. */
static void mark_formula(taut_reader *r, const char *text) {
    taut_mechanism *m = r->model->mechanism;
    for (const char *p = strchr(text, '.'); p; p = strchr(p + 1, '.')) {
        if ((p[1] != 'F' && p[1] != 'T') || p[2] < 'x' || p[2] > 'z') continue;
        const char *from = p;
        while (from > text && (is_word(from[-1]) || (from[-1] == '-' && from < p))) {
            from--;
            const int joint = taut_joint_called(r, from, (size_t)(p - from));
            if (joint < 0) continue;
            m->joint[joint].split = true;
            m->joint[joint].asked |= 1u << ((p[1] == 'F' ? 0 : 3) + p[2] - 'x');
        }
    }
}

static void mark_formulas(taut_reader *r, const taut_yaml *node) {
    if (node->kind == TAUT_YAML_SCALAR && node->text) mark_formula(r, node->text);
    for (int i = 0; i < node->count && node->kind != TAUT_YAML_SCALAR; i++)
        mark_formulas(r, node->items[i]);
}

enum { FORCES = 7, TORQUES = 56 }; /* bits of Fx, Fy, Fz, of Tx, Ty, Tz */

/* Entries of Friction or Breaks that name a joint: `friction` says which. */
static taut_status mark_entries(taut_reader *r, const char *section, bool friction) {
    taut_mechanism *m = r->model->mechanism;
    const taut_yaml *node = taut_yaml_get(r->model->root, section);
    for (int i = 0; node && node->kind == TAUT_YAML_MAPPING && i < node->count; i++) {
        const taut_yaml *name = taut_yaml_get(node->items[i], "Joint");
        if (!name || name->kind != TAUT_YAML_SCALAR) continue; /* told when the entry is read */
        const int number = taut_joint_called(r, name->text, strlen(name->text));
        if (number < 0) continue;
        taut_joint *j = &m->joint[number];
        j->split = true;
        if (friction) {
            j->rubs = true;
            j->asked |= FORCES | (taut_yaml_get(node->items[i], "Length") ? TORQUES : 0);
        } else {
            j->breaks = true; /* its load matters only if a formula has it */
        }
    }
    return TAUT_OK;
}

/* ---- elements of their own ---- */

/* Body `b` gets its own element in place of e. */
static taut_status copy_element(taut_reader *r, int b, int e, bool breaks, int *copy) {
    taut_mechanism *m = r->model->mechanism;
    char text[2 * TAUT_NAME_MAX + 2];
    if (TAUT_PART_GROW(m->element, m->elements, m->element_room)) return TAUT_ERR_MEMORY;
    snprintf(text, sizeof text, "%.*s@%.*s", TAUT_NAME_MAX, m->element[e].name, TAUT_NAME_MAX,
             m->body[b].name);
    const char *name = taut_arena_copy(&r->model->arena, text, strlen(text));
    if (!name) return TAUT_ERR_MEMORY;
    *copy = m->elements++;
    m->copies++;
    m->element[*copy] = (taut_element){.name = name,
                                       .is_vector = m->element[e].is_vector,
                                       .collinear = -1,
                                       .copy = !breaks,
                                       .original = e,
                                       .place = m->element[e].place};
    for (int i = 0; i < m->dimension; i++)
        TAUT_TRY(taut_model_add_leaf(r->model, (taut_model_leaf){TAUT_LEAF_ELEMENT, *copy, i, name},
                                     &m->element[*copy].leaf[i]));
    for (int k = 0; k < m->body[b].elements; k++)
        if (m->body[b].element[k] == e) m->body[b].element[k] = *copy;
    return TAUT_OK;
}

static bool has(const taut_mechanism *m, int b, int e) {
    for (int k = 0; b >= 0 && k < m->body[b].elements; k++)
        if (m->body[b].element[k] == e) return true;
    return false;
}

/* Side 0 gets elements of its own, as far as its body has them. */
static taut_status copy_elements(taut_reader *r, taut_joint *j) {
    const taut_mechanism *m = r->model->mechanism;
    int *const element[] = {&j->point[0], &j->axis[0], &j->normal[0]};
    for (int i = 0; i < 3; i++)
        if (*element[i] >= 0 && has(m, j->body[0], *element[i]))
            TAUT_TRY(copy_element(r, j->body[0], *element[i], j->breaks, element[i]));
    return TAUT_OK;
}

/* ---- lines ---- */

static void exchange(int x[2]) {
    const int first = x[0];
    x[0] = x[1];
    x[1] = first;
}

/* A line of Collinears becomes a joint with its distance. */
static taut_status take_line(taut_reader *r, taut_joint *j) {
    taut_mechanism *m = r->model->mechanism;
    int number = 0;
    while (number < m->collinears && (m->collinear[number].point != j->point[0] ||
                                      m->collinear[number].origin != j->point[1] ||
                                      m->collinear[number].vector != j->axis[0]))
        number++;
    if (number == m->collinears) return TAUT_OK; /* a named one */
    j->distance[0] = m->collinear[number].scalar;
    for (int e = 0; e < m->elements; e++) {
        taut_element *x = &m->element[e];
        if (x->collinear == number) x->collinear = -1;
        if (x->collinear > number) x->collinear--;
    }
    m->collinears--;
    for (int i = number; i < m->collinears; i++) m->collinear[i] = m->collinear[i + 1];
    int *const element[] = {&j->axis[0], &j->normal[0]};
    for (int k = 0; k < 2 && j->kind != TAUT_JOINT_LINE; k++)
        if (*element[k] >= 0 && has(m, j->body[0], *element[k]))
            TAUT_TRY(copy_element(r, j->body[0], *element[k], j->breaks, element[k]));
    if (j->kind == TAUT_JOINT_LINE) j->axis[0] = -1;
    return TAUT_OK;
}

/* ---- joints ---- */

/* Joints by sharing have the later body first, named ones the one from which coordinates count. */
static void turn(taut_joint *j) {
    exchange(j->body);
    exchange(j->point);
    exchange(j->axis);
    exchange(j->normal);
    j->turned = true;
}

static taut_status refuse(taut_reader *r, const taut_joint *j) {
    r->faulty = true;
    return taut_fail_at(
               r->errors, TAUT_ERR_INPUT, j->place,
               "the load of '%s', a %s joint by sharing, cannot be asked for: name it under "
               "'Joints', with points of both bodies",
               j->name, taut_joint_kind_name(j->kind)) == TAUT_ERR_MEMORY
               ? TAUT_ERR_MEMORY
               : TAUT_OK;
}

/* A name for coordinate k of a joint: ground_OA_angle, table_distance2. */
static taut_status name_coordinate(taut_reader *r, int number, const char *what, int k,
                                   const char **name) {
    char text[TAUT_NAME_MAX + 20];
    const char *label = taut_joint_label(r, number);
    if (!label) return TAUT_ERR_MEMORY;
    snprintf(text, sizeof text, "%.*s_%s%s", TAUT_NAME_MAX, label, what, k == 0 ? "" : "2");
    for (char *p = text; *p; p++)
        if (!is_word(*p) || *p == '@') *p = '_';
    *name = taut_arena_copy(&r->model->arena, text, strlen(text));
    return *name ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* The coordinates that rub. */
static taut_status name_coordinates(taut_reader *r, int number) {
    taut_mechanism *m = r->model->mechanism;
    taut_joint *j = &m->joint[number];
    const taut_joint_needs needs = taut_joint_takes(j->kind, m->dimension);
    for (int k = 0; k < needs.distances; k++)
        if (!j->distance[k]) TAUT_TRY(name_coordinate(r, number, "distance", k, &j->distance[k]));
    const bool turns = needs.distances == 0 || j->kind == TAUT_JOINT_SCREW;
    if (j->angle[0] || needs.angles != 1 || !turns) return TAUT_OK;
    TAUT_TRY(name_coordinate(r, number, "angle", 0, &j->angle[0]));
    return taut_part_add_angle(
        r, (taut_angle){.name = j->angle[0], .joint = number, .number = 0, .place = j->place});
}

static taut_status split(taut_reader *r, int number) {
    taut_mechanism *m = r->model->mechanism;
    taut_joint *j = &m->joint[number];
    const bool line = taut_joint_demands(j->kind, m->dimension, TAUT_CONDITION_ON_LINE);
    if (j->shared && (j->kind == TAUT_JOINT_WELD || j->kind == TAUT_JOINT_PARALLEL))
        return refuse(r, j);
    if (j->shared) {
        TAUT_TRY(line ? take_line(r, j) : copy_elements(r, j));
        turn(j);
        j->number = j->phase = TAUT_NO_NODE;
        j->said[0] = j->said[1] = true;
        j->shared = false;
    }
    return j->rubs ? name_coordinates(r, number) : TAUT_OK;
}

taut_status taut_split_joints(taut_reader *r) {
    taut_mechanism *m = r->model->mechanism;
    TAUT_TRY(taut_list_joints(r));
    mark_formulas(r, r->model->root);
    TAUT_TRY(mark_entries(r, "Friction", true));
    TAUT_TRY(mark_entries(r, "Breaks", false));
    for (int i = 0; i < m->joints; i++) {
        if (!m->joint[i].split) continue;
        m->splits++;
        TAUT_TRY(split(r, i));
    }
    return m->splits > 0 ? taut_find_carriers(r) : TAUT_OK;
}
