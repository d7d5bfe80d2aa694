/* Reading Contacts, Limits, Friction and Locks: what touches, rubs and holds. (rubbing.c: friction
 * by the load of a joint; breaks.c: Breaks.) */
#include <stdio.h>
#include <string.h>

#include "model/parts.h"
#include "model/rim.h"
#include "model/reader.h"
#include "model/surface.h"

static taut_status fail(taut_reader *r, const taut_yaml *node, const char *message) {
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node), "%s", message);
}

static const char *join(taut_reader *r, const char *name, const char *end) {
    char text[2 * TAUT_NAME_MAX + 10];
    snprintf(text, sizeof text, "%.*s%s", 2 * TAUT_NAME_MAX, name, end);
    return taut_arena_copy(&r->model->arena, text, strlen(text));
}

taut_status taut_contact_add(taut_reader *r, const taut_model_contact *c) {
    taut_model *m = r->model;
    if (taut_grow((void **)&m->contact, &m->contact_room, (size_t)m->contacts + 1,
                  sizeof *m->contact))
        return TAUT_ERR_MEMORY;
    m->contact[m->contacts++] = *c;
    return TAUT_OK;
}

taut_model_contact taut_contact_blank(taut_reader *r, const taut_yaml *key) {
    const taut_node zero = taut_number(r->model->graph, 0.0);
    return (taut_model_contact){.name = key->text,
                                .element = key->text,
                                .restitution = zero,
                                .slip = {zero, zero},
                                .stick = zero,
                                .turn = TAUT_NO_NODE,
                                .joint = -1,
                                .load_scale = taut_number(r->model->graph, 1.0),
                                .held = {-1, -1, -1},
                                .aimed = {-1, -1, -1},
                                .leant = -1,
                                .calmed = -1,
                                .hold = {zero, zero, zero},
                                .way = {zero, zero, zero},
                                .lean_node = taut_number(r->model->graph, 1.0),
                                .calm_node = zero,
                                .place = taut_reader_place(r, key)};
}

taut_status taut_contact_need_nothing(taut_reader *r) {
    int parameter;
    if (r->model->nothing != TAUT_NO_NODE) return TAUT_OK;
    return taut_symbols_add_number(r->symbols, 0.0, &parameter, &r->model->nothing);
}

/* ---- numbers ---- */

/* A number that is not negative, for `of`; it stays as it is if the key is not there. */
static taut_status read_number(taut_reader *r, const taut_yaml *map, const char *key, double most,
                               const char *of, taut_node *node) {
    const taut_yaml *value = taut_yaml_get(map, key);
    const taut_key *known = taut_key_find(TAUT_SECTION_CONTACT, key);
    taut_vec v;
    if (!value) return TAUT_OK;
    TAUT_TRY(taut_formula_read_as(r->symbols, value, 1, known ? known->quantity : TAUT_ANY, &v));
    const taut_node_data *d = taut_node_get(r->model->graph, v.c[0]);
    if (!d->steady || !(d->value >= 0.0 && d->value <= most))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, value),
                            "'%s' of '%s' must be a number%s: a formula of parameters", key, of,
                            most <= 1.0 ? " from 0 to 1" : ", not negative");
    taut_assume_sign(r->model->graph, v.c[0]);
    *node = v.c[0];
    return TAUT_OK;
}

static const double UNBOUNDED = 1e300;

/* ---- friction ---- */

/* Numbers that a run changes: where it sticks, and in which direction it slides. */
static taut_status add_numbers(taut_reader *r, taut_model_contact *c) {
    for (int k = 0; k < 3 && (k == 0 || c->along[k] != TAUT_NO_NODE); k++) {
        TAUT_TRY(taut_symbols_add_number(r->symbols, 0.0, &c->held[k], &c->hold[k]));
        TAUT_TRY(taut_symbols_add_number(r->symbols, 0.0, &c->aimed[k], &c->way[k]));
        r->model->holds += 2;
    }
    if (c->along[1] == TAUT_NO_NODE) return TAUT_OK;
    TAUT_TRY(taut_symbols_add_number(r->symbols, 0.0, &c->calmed, &c->calm_node));
    r->model->holds++;
    if (c->along[2] == TAUT_NO_NODE) return TAUT_OK;
    r->model->holds++;
    return taut_symbols_add_number(r->symbols, 1.0, &c->leant, &c->lean_node);
}

/* How fast it slides: in the plane up and down, in space anywhere and in the direction in which it
 * sets off; then at rest. */
static void find_speeds(taut_graph *g, const taut_model_contact *c, taut_node speed[3]) {
    const int order = c->rates ? 0 : 1;
    taut_vec v = {0}, way = {0};
    for (int k = 0; k < 3 && c->along[k] != TAUT_NO_NODE; k++) {
        v.c[v.n++] = taut_dot(g, c->along[k], order);
        way.c[way.n++] = c->way[k];
    }
    speed[0] = v.c[0];
    speed[1] = taut_scale(g, -1.0, v.c[0]);
    speed[2] = taut_number(g, 0.0);
    if (v.n < 2) return;
    speed[0] = taut_vec_norm(g, v);
    speed[1] = taut_vec_inner(g, v, way);
}

/* A coefficient or a level, which may depend on `speed`: read for both directions, and at rest. */
static taut_status read_level(taut_reader *r, const taut_yaml *node, taut_model_contact *c) {
    static const char *const NAME[] = {"speed"};
    static const int IN_THE_PLANE[3] = {1, -1, 0}, IN_SPACE[3] = {0, 2, 0};
    taut_graph *g = r->model->graph;
    taut_node speed[3];
    find_speeds(g, c, speed);
    const int *way = c->along[1] == TAUT_NO_NODE ? IN_THE_PLANE : IN_SPACE;
    taut_node *level[3] = {&c->slip[0], &c->slip[1], &c->stick};
    for (int i = 0; i < 3; i++) {
        taut_vec v;
        taut_symbols_set_local(r->symbols, NAME, &speed[i], 1);
        r->model->sliding = (taut_model_sliding){way[i], r->model->contacts, speed[i]};
        const taut_status status = taut_formula_read(r->symbols, node, 1, &v);
        r->model->sliding = (taut_model_sliding){0};
        taut_symbols_set_local(r->symbols, NULL, NULL, 0);
        TAUT_TRY(status);
        const taut_node_data *d = taut_node_get(g, v.c[0]);
        if (d->steady && !(d->value >= 0.0)) return fail(r, node, "friction is never negative");
        *level[i] = v.c[0];
    }
    return TAUT_OK;
}

static taut_status read_friction(taut_reader *r, const taut_yaml *entry, const char *key,
                                 taut_model_contact *c) {
    const taut_yaml *level = taut_yaml_get(entry, key);
    TAUT_TRY(add_numbers(r, c));
    if (level) TAUT_TRY(read_level(r, level, c));
    return read_number(r, entry, "Static", UNBOUNDED, c->element, &c->stick);
}

/* Along or Sliding: a formula; in space a list of two. */
static taut_status read_along(taut_reader *r, const taut_yaml *along, bool rates,
                              taut_model_contact *c) {
    const bool two = along->kind == TAUT_YAML_SEQUENCE;
    taut_vec v;
    if (two && along->count != 2)
        return fail(r, along,
                    rates ? "'Sliding' is a formula of velocities, in space a list of two"
                          : "'Along' is a formula, in space a list of two: [x, y]");
    c->rates = rates;
    TAUT_TRY(taut_formula_read(r->symbols, two ? along->items[0] : along, 1, &v));
    c->along[0] = v.c[0];
    c->along[1] = TAUT_NO_NODE;
    if (!two) return TAUT_OK;
    TAUT_TRY(taut_formula_read(r->symbols, along->items[1], 1, &v));
    c->along[1] = v.c[0];
    return TAUT_OK;
}

/* ---- compliant contacts ---- */

static bool is_compliant(const taut_yaml *entry) {
    return taut_yaml_get(entry, "Stiffness") || taut_yaml_get(entry, "Damping") ||
           taut_yaml_get(entry, "Law");
}

/* The force of depth and rate, as far as it presses: two kinks, where it touches and where the
 * force would pull. */
static taut_status add_law(taut_reader *r, taut_node law, taut_model_contact *c) {
    taut_graph *g = r->model->graph;
    taut_node touches, presses;
    TAUT_TRY(taut_symbols_mode(r->symbols, taut_scale(g, -1.0, c->gap), c->gap_place, &touches));
    TAUT_TRY(taut_symbols_mode(r->symbols, law, c->gap_place, &presses));
    c->pressed = taut_mul(g, touches, presses);
    c->law = taut_mul(g, c->pressed, law);
    return TAUT_OK;
}

static taut_status read_law(taut_reader *r, const taut_yaml *entry, taut_model_contact *c) {
    static const char *const NAME[] = {"depth", "rate"};
    taut_graph *g = r->model->graph;
    const taut_yaml *law = taut_yaml_get(entry, "Law");
    const taut_node depth = taut_scale(g, -1.0, c->gap);
    const taut_node local[2] = {depth, taut_dot(g, depth, 1)};
    taut_node stiffness = taut_number(g, 0.0), damping = taut_number(g, 0.0);
    taut_vec v;
    if (law && (taut_yaml_get(entry, "Stiffness") || taut_yaml_get(entry, "Damping")))
        return fail(r, law, "'Law' says all: without 'Stiffness' and 'Damping'");
    if (taut_yaml_get(entry, "Restitution"))
        return fail(r, taut_yaml_get(entry, "Restitution"),
                    "a compliant contact has no 'Restitution': its law tells what comes back");
    if (!law) {
        TAUT_TRY(read_number(r, entry, "Stiffness", UNBOUNDED, c->element, &stiffness));
        TAUT_TRY(read_number(r, entry, "Damping", UNBOUNDED, c->element, &damping));
        const taut_node force =
            taut_add(g, taut_mul(g, stiffness, local[0]), taut_mul(g, damping, local[1]));
        return add_law(r, force, c);
    }
    taut_symbols_set_local(r->symbols, NAME, local, 2);
    const taut_status status = taut_formula_read(r->symbols, law, 1, &v);
    taut_symbols_set_local(r->symbols, NULL, NULL, 0);
    return status == TAUT_OK ? add_law(r, v.c[0], c) : status;
}

/* ---- Contacts ---- */

static taut_status read_rigid(taut_reader *r, const taut_yaml *entry, taut_model_contact *c) {
    const taut_yaml *along = taut_yaml_get(entry, "Along"),
                    *sliding = taut_yaml_get(entry, "Sliding"),
                    *friction = taut_yaml_get(entry, "Friction");
    TAUT_TRY(read_number(r, entry, "Restitution", 1.0, c->element, &c->restitution));
    if (!friction && taut_yaml_get(entry, "Static"))
        return fail(r, taut_yaml_get(entry, "Static"), "'Static' goes with 'Friction'");
    if (!friction) return TAUT_OK;
    if (along && sliding)
        return fail(r, sliding, "'Sliding' is the rate of 'Along': give one of them");
    if (!along && !sliding && c->along[0] == TAUT_NO_NODE)
        return fail(r, friction,
                    "'Friction' needs 'Along': a formula whose rate is the sliding speed (or "
                    "'Sliding', that rate itself)");
    if (along || sliding) TAUT_TRY(read_along(r, along ? along : sliding, !along, c));
    c->along_place = taut_reader_place(r, along ? along : sliding ? sliding : friction);
    return read_friction(r, entry, "Friction", c);
}

/* Friction of a compliant contact: an element of its own, whose level follows from the law. */
static taut_status add_compliant(taut_reader *r, const taut_yaml *entry, taut_model_contact *c) {
    taut_graph *g = r->model->graph;
    taut_model_contact own = *c;
    c->shares = taut_yaml_get(entry, "Friction") != NULL;
    c->along[0] = c->along[1] = TAUT_NO_NODE;
    TAUT_TRY(taut_contact_add(r, c));
    if (!c->shares) return TAUT_OK;
    own.gap = own.law = TAUT_NO_NODE;
    own.gate = c->pressed;
    TAUT_TRY(read_rigid(r, entry, &own));
    for (int k = 0; k < 2; k++) own.slip[k] = taut_mul(g, own.slip[k], c->law);
    own.stick = taut_mul(g, own.stick, c->law);
    return taut_contact_add(r, &own);
}

/* The gap by a formula, or by shapes; these may tell what it slides along. */
static taut_status find_gap(taut_reader *r, const taut_yaml *key, const taut_yaml *entry,
                            taut_model_contact *c) {
    static const char *const SHAPE[] = {"Point", "Corner", "Circle", "Sphere", "On"};
    const taut_yaml *gap = taut_yaml_get(entry, "Gap");
    const taut_yaml *shape = NULL;
    taut_vec v;
    for (int i = 0; i < 5 && !shape; i++) shape = taut_yaml_get(entry, SHAPE[i]);
    if (gap && shape) return fail(r, shape, "a contact is a 'Gap' or a shape, not both");
    if (!gap && !shape) {
        taut_reader_missing(r, entry, "Gap", ": a formula that is never negative");
        return TAUT_ERR_INPUT;
    }
    if (gap) {
        c->gap_place = taut_reader_place(r, gap);
        TAUT_TRY(taut_formula_read(r->symbols, gap, 1, &v));
        c->gap = v.c[0];
        return TAUT_OK;
    }
    taut_surface x = {.slides = taut_yaml_get(entry, "Friction") &&
                                !taut_yaml_get(entry, "Along") && !taut_yaml_get(entry, "Sliding"),
                      .name = key->text,
                      .soft = is_compliant(entry),
                      .rim = {.turn = TAUT_NO_NODE}};
    c->gap_place = taut_reader_place(r, key);
    TAUT_TRY(taut_surface_read(r, entry, &x));
    c->turn = x.rim.turn;
    c->profile = x.rim.profile;
    c->facing = x.rim.facing;
    c->outset = x.rim.outset;
    c->gap = x.gap;
    c->along[0] = x.along;
    c->along[1] = x.along2;
    c->rates = x.rates;
    c->picture = x.picture;
    return taut_symbols_note(r->symbols, c->gap);
}

static taut_status read_contact(taut_reader *r, const taut_yaml *key, const taut_yaml *entry) {
    taut_model_contact c = taut_contact_blank(r, key);
    char what[TAUT_NAME_MAX + 60];
    snprintf(what, sizeof what, "the contact '%.*s' ({Gap: ...})", TAUT_NAME_MAX, key->text);
    TAUT_NOTE(r, taut_symbols_add_name(r->symbols, key->text, "a contact", c.place));
    if (!taut_reader_expect(r, entry, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    if (!taut_reader_check_keys(r, entry, TAUT_SECTION_CONTACT)) return TAUT_OK;
    TAUT_TRY(find_gap(r, key, entry, &c));
    if (!is_compliant(entry)) {
        TAUT_TRY(read_rigid(r, entry, &c));
        return taut_contact_add(r, &c);
    }
    TAUT_TRY(read_law(r, entry, &c));
    return add_compliant(r, entry, &c);
}

/* ---- Limits ---- */

/* What a limit is of: a coordinate, an angle, a named scalar, or the distance of two points. */
static taut_status find_limited(taut_reader *r, const taut_yaml *key, taut_node *node,
                                taut_quantity *quantity) {
    taut_model *m = r->model;
    char name[2 * TAUT_NAME_MAX];
    taut_vec value;
    int point[2];
    snprintf(name, sizeof name, "%s", key->text);
    const size_t n = strlen(name);
    if (n > 2 && name[n - 2] == '.') {
        name[n - 2] = name[n - 1];
        name[n - 1] = '\0';
    }
    *quantity = TAUT_LENGTH;
    if (taut_symbols_find(r->symbols, name, &value)) {
        *quantity = taut_symbols_quantity(r->symbols, name);
        if (value.n == 1 && !taut_node_get(m->graph, value.c[0])->steady) {
            *node = value.c[0];
            return TAUT_OK;
        }
        return fail(r, key, "limits are of one coordinate that moves: a component, an angle");
    }
    if (m->mechanism && taut_model_two_points(m, key->text, point)) {
        taut_vec d = {.n = m->mechanism->dimension};
        for (int i = 0; i < d.n; i++)
            d.c[i] = taut_sub(m->graph, m->mechanism->element[point[1]].leaf[i],
                              m->mechanism->element[point[0]].leaf[i]);
        *node = taut_vec_norm(m->graph, d);
        return taut_symbols_note(r->symbols, *node);
    }
    const char *near = taut_symbols_nearest(r->symbols, name);
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                        "'%s' cannot be limited: it is no coordinate, angle or pair of "
                        "points%s%s%s",
                        key->text, near ? "; did you mean '" : "", near ? near : "",
                        near ? "'?" : "");
}

static taut_status read_limit(taut_reader *r, const taut_yaml *key, const taut_yaml *entry) {
    static const char *const END[2] = {"Lower", "Upper"};
    taut_graph *g = r->model->graph;
    taut_node limited = TAUT_NO_NODE;
    taut_quantity quantity;
    char what[TAUT_NAME_MAX + 60];
    snprintf(what, sizeof what, "the limit '%.*s' ({Lower: ..., Upper: ...})", TAUT_NAME_MAX,
             key->text);
    if (!taut_reader_expect(r, entry, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    if (!taut_reader_check_keys(r, entry, TAUT_SECTION_LIMIT)) return TAUT_OK;
    TAUT_TRY(find_limited(r, key, &limited, &quantity));
    if (!taut_yaml_get(entry, END[0]) && !taut_yaml_get(entry, END[1]))
        return fail(r, key, "a limit needs 'Lower' or 'Upper': the least or the largest value");
    for (int i = 0; i < 2; i++) {
        const taut_yaml *end = taut_yaml_get(entry, END[i]);
        taut_model_contact c = taut_contact_blank(r, key);
        taut_vec v;
        if (!end) continue;
        TAUT_TRY(taut_formula_read_as(r->symbols, end, 1, quantity, &v));
        c.name = join(r, key->text, i == 0 ? ".lower" : ".upper");
        if (!c.name) return TAUT_ERR_MEMORY;
        c.gap = i == 0 ? taut_sub(g, limited, v.c[0]) : taut_sub(g, v.c[0], limited);
        c.gap_place = taut_reader_place(r, end);
        TAUT_TRY(is_compliant(entry)
                     ? read_law(r, entry, &c)
                     : read_number(r, entry, "Restitution", 1.0, c.element, &c.restitution));
        TAUT_TRY(taut_contact_add(r, &c));
    }
    return TAUT_OK;
}

/* ---- Friction ---- */

/* By the load of a joint: one element, or one for each end of a guide. */
static taut_status read_bearing(taut_reader *r, const taut_yaml *key, const taut_yaml *entry) {
    static const char *const END[2] = {".front", ".back"};
    const int ends = taut_yaml_get(entry, "Length") ? 2 : 1;
    for (int i = 0; i < ends; i++) {
        taut_model_contact c = taut_contact_blank(r, key);
        if (ends > 1) c.name = join(r, key->text, END[i]);
        if (!c.name) return TAUT_ERR_MEMORY;
        TAUT_TRY(taut_read_bearing(r, entry, i == 0 ? 1.0 : -1.0, &c));
        TAUT_TRY(read_friction(r, entry, "Coefficient", &c));
        TAUT_TRY(taut_contact_add(r, &c));
    }
    return TAUT_OK;
}

static taut_status read_rubbing(taut_reader *r, const taut_yaml *key, const taut_yaml *entry) {
    taut_model_contact c = taut_contact_blank(r, key);
    const taut_yaml *on = taut_yaml_get(entry, "On");
    char what[TAUT_NAME_MAX + 60];
    taut_vec v;
    snprintf(what, sizeof what, "the friction '%.*s' ({On: ..., Force: ...})", TAUT_NAME_MAX,
             key->text);
    TAUT_NOTE(r, taut_symbols_add_name(r->symbols, key->text, "friction", c.place));
    if (!taut_reader_expect(r, entry, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    if (!taut_reader_check_keys(r, entry, TAUT_SECTION_FRICTION)) return TAUT_OK;
    if (taut_yaml_get(entry, "Joint")) {
        return read_bearing(r, key, entry);
    }
    if (!on) taut_reader_missing(r, entry, "On", ": a formula whose rate is the sliding speed");
    if (!taut_yaml_get(entry, "Force"))
        taut_reader_missing(r, entry, "Force", ": the level of friction");
    if (!on || !taut_yaml_get(entry, "Force")) return TAUT_OK;
    TAUT_TRY(taut_formula_read(r->symbols, on, 1, &v));
    c.along[0] = v.c[0];
    c.along_place = taut_reader_place(r, on);
    TAUT_TRY(read_friction(r, entry, "Force", &c));
    return taut_contact_add(r, &c);
}

/* ---- Locks ---- */

/* A condition as a number that is 1 where it holds. */
static taut_status read_condition(taut_reader *r, const taut_yaml *when, taut_node *node) {
    const size_t size = (size_t)when->length + sizeof "if(, 1, 0)";
    char *text = taut_arena_alloc(&r->model->arena, size);
    taut_yaml *made = TAUT_NEW(&r->model->arena, taut_yaml);
    taut_vec v;
    if (!text || !made) return TAUT_ERR_MEMORY;
    snprintf(text, size, "if(%s, 1, 0)", when->text);
    *made = *when;
    made->text = text;
    made->length = (int)strlen(text);
    made->made = true; /* faults are told of the whole */
    TAUT_TRY(taut_formula_read(r->symbols, made, 1, &v));
    *node = v.c[0];
    return TAUT_OK;
}

static taut_status read_lock(taut_reader *r, const taut_yaml *key, const taut_yaml *entry) {
    taut_model_contact c = taut_contact_blank(r, key);
    const taut_yaml *on = taut_yaml_get(entry, "On"), *when = taut_yaml_get(entry, "When");
    const taut_yaml *capacity = taut_yaml_get(entry, "Capacity");
    char what[TAUT_NAME_MAX + 60];
    taut_vec v;
    snprintf(what, sizeof what, "the lock '%.*s' ({On: ..., When: ...})", TAUT_NAME_MAX, key->text);
    TAUT_NOTE(r, taut_symbols_add_name(r->symbols, key->text, "a lock", c.place));
    if (!taut_reader_expect(r, entry, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    if (!taut_reader_check_keys(r, entry, TAUT_SECTION_LOCK)) return TAUT_OK;
    if (!on) {
        taut_reader_missing(r, entry, "On", ": what is held");
        return TAUT_OK;
    }
    TAUT_TRY(taut_formula_read(r->symbols, on, 1, &v));
    c.along[0] = v.c[0];
    c.along_place = c.gap_place = taut_reader_place(r, on);
    c.lock = true;
    c.gate = taut_number(r->model->graph, 1.0);
    c.firm = !capacity;
    if (when && !taut_reader_expect(r, when, TAUT_YAML_SCALAR, "'When' (a comparison)"))
        return TAUT_OK;
    if (when) TAUT_TRY(read_condition(r, when, &c.gate));
    TAUT_TRY(read_friction(r, entry, "Capacity", &c));
    return taut_contact_add(r, &c);
}

/* ---- the sections ---- */

typedef taut_status entry_reader(taut_reader *reader, const taut_yaml *key, const taut_yaml *entry);

static taut_status read_section(taut_reader *r, const char *name, entry_reader *read) {
    const taut_yaml *node = taut_yaml_get(r->model->root, name);
    char what[60];
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    snprintf(what, sizeof what, "'%s' (name: {...})", name);
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    if (r->model->kind == TAUT_MODEL_HAMILTONIAN) TAUT_TRY(taut_contact_need_nothing(r));
    if (r->model->kind == TAUT_MODEL_DAE) {
        char message[120];
        snprintf(message, sizeof message,
                 "'%s' is for mechanisms, Lagrangians and Hamiltonians: a %s has no "
                 "masses that forces could be told by",
                 name, taut_model_kind_name(r->model));
        r->faulty = true;
        return fail(r, r->model->root->keys[taut_yaml_find(r->model->root, name)], message) ==
                       TAUT_ERR_MEMORY
                   ? TAUT_ERR_MEMORY
                   : TAUT_OK;
    }
    for (int i = 0; i < node->count; i++) TAUT_NOTE(r, read(r, node->keys[i], node->items[i]));
    return TAUT_OK;
}

static taut_status read_impact(taut_reader *r) {
    const taut_yaml *node = taut_yaml_get(r->model->root, "Impact");
    if (!node) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_SCALAR, "'Impact' (newton or poisson)"))
        return TAUT_OK;
    r->model->poisson = strcmp(node->text, "poisson") == 0;
    if (r->model->poisson || strcmp(node->text, "newton") == 0) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                        "'Impact' is newton or poisson, not '%s'", node->text);
}

taut_status taut_read_contacts(taut_reader *r) {
    TAUT_NOTE(r, read_impact(r));
    TAUT_TRY(read_section(r, "Contacts", read_contact));
    TAUT_TRY(read_section(r, "Limits", read_limit));
    TAUT_TRY(read_section(r, "Friction", read_rubbing));
    TAUT_TRY(read_section(r, "Locks", read_lock));
    TAUT_TRY(taut_read_breaks(r));
    return taut_rims_find_start(r);
}
