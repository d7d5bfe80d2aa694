/* Reading Breaks: joints and drivers that let go at a condition, and are engaged again. Each
 * equation of what breaks is an element with a mode of its own (docs/math/loads.md, section 3). */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/reader.h"

static taut_status fail(taut_reader *r, const taut_yaml *node, const char *message) {
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node), "%s", message);
}

/* ---- when ---- */

/* An event that assigns whether it is engaged. */
static taut_status add_event(taut_reader *r, const taut_yaml *key, const taut_yaml *entry,
                             const char *which, taut_model_action action) {
    taut_model *m = r->model;
    const taut_yaml *when = taut_yaml_get(entry, which);
    taut_model_event e = {.name = key->text,
                          .first = m->actions,
                          .actions = 1,
                          .place = taut_reader_place(r, when ? when : key)};
    TAUT_TRY(taut_read_when(r, entry, when, &e));
    if (taut_grow((void **)&m->action, &m->action_room, (size_t)m->actions + 1,
                  sizeof *m->action) ||
        taut_grow((void **)&m->event, &m->event_room, (size_t)m->events + 1, sizeof *m->event))
        return TAUT_ERR_MEMORY;
    m->action[m->actions++] = action;
    m->event[m->events++] = e;
    return TAUT_OK;
}

static taut_status read_conditions(taut_reader *r, const taut_yaml *key, const taut_yaml *entry,
                                   taut_model_contact *c) {
    taut_graph *g = r->model->graph;
    taut_model_action action = {.name = key->text, .target = TAUT_NO_NODE, .place = c->place};
    TAUT_TRY(taut_symbols_add_number(r->symbols, 1.0, &action.parameter, &c->gate));
    r->model->holds++;
    c->letting = r->model->events;
    action.value = taut_number(g, 0.0);
    TAUT_TRY(add_event(r, key, entry, "When", action));
    if (!taut_yaml_get(entry, "Until")) return TAUT_OK;
    action.value = taut_number(g, 1.0);
    return add_event(r, key, entry, "Until", action);
}

/* ---- what ---- */

/* Is the k-th equation of a joint one of a torque? */
static bool is_torque(const taut_joint *j, int dimension, int k) {
    static const taut_joint_condition TORQUE[] = {TAUT_CONDITION_ALIGN, TAUT_CONDITION_SQUARE,
                                                  TAUT_CONDITION_UNTWISTED};
    const bool meets = taut_joint_demands(j->kind, dimension, TAUT_CONDITION_MEET);
    int first = meets ? dimension : 0, turning = 0;
    for (int i = 0; i < 3; i++)
        if (taut_joint_demands(j->kind, dimension, TORQUE[i]))
            turning += i == 0 ? dimension - 1 : 1;
    if (k >= first && k < first + turning) return true;
    return taut_joint_demands(j->kind, dimension, TAUT_CONDITION_UNTURNED) &&
           k == taut_joint_equations(j->kind, dimension) - 1;
}

static taut_status find_driver(taut_reader *r, const taut_yaml *node, int *driver) {
    taut_mechanism *m = r->model->mechanism;
    taut_nearest nearest = {.wanted = node->text};
    *driver = taut_roster_get(&r->driver, node->text);
    for (int k = 0; k < 2 && *driver < 0; k++) *driver = taut_roster_get(&r->driven[k], node->text);
    const taut_place place = taut_reader_place(r, node);
    const int offered = *driver < 0 && taut_errors_would_show(r->errors, place) ? m->drivers : 0;
    for (int i = 0; i < offered; i++) taut_nearest_offer(&nearest, m->driver[i].name);
    if (*driver < 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "there is no driver '%s'%s%s%s",
                            node->text, nearest.best ? ": did you mean '" : "",
                            nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
    if (m->driver[*driver].velocity)
        return fail(r, node, "a driver of a velocity cannot break: let it drive the position");
    return TAUT_OK;
}

/* The elements: one for each equation. */
static taut_status add_elements(taut_reader *r, taut_model_contact *c) {
    const taut_mechanism *m = r->model->mechanism;
    const taut_joint *j = c->broken_joint >= 0 ? &m->joint[c->broken_joint] : NULL;
    const int count = j ? taut_joint_equations(j->kind, m->dimension) : 1;
    for (c->part = 0; c->part < count; c->part++) {
        c->parts = count;
        c->torque = j && is_torque(j, m->dimension, c->part);
        TAUT_TRY(taut_symbols_add_number(r->symbols, 0.0, &c->held[0], &c->hold[0]));
        r->model->holds++;
        TAUT_TRY(taut_contact_add(r, c));
    }
    return TAUT_OK;
}

/* Only once, and no joint that rubs. */
static taut_status check_once(taut_reader *r, const taut_model_contact *c, const taut_yaml *node) {
    taut_mechanism *m = r->model->mechanism;
    bool *named = c->broken_joint >= 0 ? &m->joint[c->broken_joint].broken
                                       : &m->driver[c->broken_driver].breaks;
    if (*named)
        return fail(r, node, "this breaks already by another entry: join the conditions by 'or'");
    *named = true;
    if (c->broken_joint >= 0 && m->joint[c->broken_joint].rubs)
        return fail(r, node, "this joint has friction by its load: it cannot break as well");
    return TAUT_OK;
}

static taut_status read_break(taut_reader *r, const taut_yaml *key, const taut_yaml *entry) {
    const taut_yaml *joint = taut_yaml_get(entry, "Joint"),
                    *driver = taut_yaml_get(entry, "Driver");
    const taut_yaml *what = joint ? joint : driver;
    taut_model_contact c = taut_contact_blank(r, key);
    char text[TAUT_NAME_MAX + 60];
    snprintf(text, sizeof text, "the break '%.*s' ({Joint: ..., When: ...})", TAUT_NAME_MAX,
             key->text);
    TAUT_NOTE(r, taut_symbols_add_name(r->symbols, key->text, "a break", c.place));
    if (!taut_reader_expect(r, entry, TAUT_YAML_MAPPING, text)) return TAUT_OK;
    if (!taut_reader_check_keys(r, entry, TAUT_SECTION_BREAK)) return TAUT_OK;
    if (!what) {
        taut_reader_missing(r, entry, "Joint", ": what lets go; or 'Driver'");
        return TAUT_OK;
    }
    if (joint && driver) return fail(r, driver, "a joint or a driver breaks: an entry for each");
    if (!taut_reader_expect(r, what, TAUT_YAML_SCALAR, "'Joint' or 'Driver' (a name)"))
        return TAUT_OK;
    c.breaks = c.firm = true;
    c.broken_joint = c.broken_driver = -1;
    TAUT_TRY(joint ? taut_find_joint(r, joint, &c.broken_joint)
                   : find_driver(r, driver, &c.broken_driver));
    TAUT_TRY(check_once(r, &c, what));
    c.along_place = c.gap_place = taut_reader_place(r, what);
    TAUT_TRY(read_conditions(r, key, entry, &c));
    return add_elements(r, &c);
}

taut_status taut_read_breaks(taut_reader *r) {
    const taut_yaml *node = taut_yaml_get(r->model->root, "Breaks");
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Breaks' (name: {...})")) return TAUT_OK;
    if (!r->model->mechanism) {
        r->faulty = true;
        return fail(r, r->model->root->keys[taut_yaml_find(r->model->root, "Breaks")],
                    "'Breaks' is for mechanisms: joints and drivers let go") == TAUT_ERR_MEMORY
                   ? TAUT_ERR_MEMORY
                   : TAUT_OK;
    }
    for (int i = 0; i < node->count; i++)
        TAUT_NOTE(r, read_break(r, node->keys[i], node->items[i]));
    return TAUT_OK;
}
