/* Every number of a file in words: its value in SI units, its unit and what it means, by
 * schema.def. The tree of the file is walked once more beside a copy of the model, whose names have
 * their meanings. */
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"
#include "model/schema.h"
#include "model/symbols_parts.h"
#include "taut/taut.h"

enum { WIDEST_NAME = 34, WIDEST_VALUE = 40, MOST_TEXT = 160 };

typedef struct row {
    int line;
    const char *name, *value, *meaning;
} row;

typedef struct explaining {
    taut_model *model; /* a copy, read to the end */
    row *item;
    size_t rows, room;
    bool failed;
} explaining;

/* What the entries of a shorthand list are, and a single number is the first of. */
typedef struct member {
    taut_quantity quantity;
    const char *meaning;
} member;

static const struct shorthand {
    taut_section section;
    const char *key;
    member member[3];
} SHORTHAND[] = {
    {TAUT_SECTION_PARTS,
     "Springs",
     {{TAUT_STIFFNESS, "stiffness of the spring"},
      {TAUT_REST_LENGTH, "its length at rest"},
      {TAUT_MASS, "its own mass, spread evenly"}}},
    {TAUT_SECTION_PARTS,
     "SpringDampers",
     {{TAUT_STIFFNESS, "stiffness of the spring"},
      {TAUT_REST_LENGTH, "its length at rest"},
      {TAUT_DAMPING, "damping constant"}}},
    {TAUT_SECTION_PARTS, "Dampers", {{TAUT_DAMPING, "damping constant"}}},
    {TAUT_SECTION_PARTS, "Particles", {{TAUT_MASS, "mass at the point"}}},
    {TAUT_SECTION_PARTS,
     "TorsionSprings",
     {{TAUT_TORSIONAL_STIFFNESS, "stiffness against turning"},
      {TAUT_REST_ANGLE, "angle at rest"},
      {TAUT_ROTATIONAL_DAMPING, "damping constant"}}},
    {TAUT_SECTION_PARTS, "RotationalDampers", {{TAUT_ROTATIONAL_DAMPING, "damping constant"}}},
    {TAUT_SECTION_FORCES,
     "Drag",
     {{TAUT_DRAG, "c of the resistance -c v"},
      {TAUT_QUADRATIC_DRAG, "c2 of the resistance -c2 v^2"},
      {TAUT_DRAG_SPEED, "below this speed the resistance is linear"}}},
    {TAUT_SECTION_FORCES,
     "Forces",
     {{TAUT_FORCE, "force at the point, in world axes, or along the distance"}}},
    {TAUT_SECTION_FORCES,
     "Torques",
     {{TAUT_TORQUE, "torque on the body or about the angle, counter-clockwise"}}},
};

/* ---- rows ---- */

static const char *keep(explaining *e, const char *text) {
    char *copy = taut_arena_copy(&e->model->arena, text, strlen(text));
    e->failed = e->failed || !copy;
    return copy ? copy : "";
}

/* A list as it is written. */
static void write_out(taut_string *out, const taut_yaml *node) {
    if (node->kind == TAUT_YAML_SCALAR) {
        taut_string_add(out, "%s", node->is_null ? "" : node->text);
        return;
    }
    taut_string_add(out, "[");
    for (int i = 0; i < node->count && node->kind == TAUT_YAML_SEQUENCE; i++) {
        taut_string_add(out, i ? ", " : "");
        write_out(out, node->items[i]);
    }
    taut_string_add(out, "]");
}

/* A matrix stays as it is written; so does what depends on time or position. */
static bool is_vector(const taut_yaml *node) {
    for (int i = 0; i < node->count && node->kind == TAUT_YAML_SEQUENCE; i++)
        if (node->items[i]->kind != TAUT_YAML_SCALAR) return false;
    return node->kind != TAUT_YAML_MAPPING;
}

static void write_number(taut_string *out, const taut_graph *g, taut_node node) {
    char text[32];
    taut_format(text, sizeof text, "%.6g", taut_node_get(g, node)->value);
    taut_string_add(out, "%s", text);
}

/* The value in SI units; as it is written where it has none before the run. */
static taut_dimension write_value(explaining *e, taut_string *out, const taut_yaml *node,
                                  taut_quantity quantity) {
    taut_measure m = {.dimension = {TAUT_DIMENSION_ANY, {0}}};
    const taut_graph *g = e->model->graph;
    const bool single = node->kind == TAUT_YAML_SEQUENCE && node->count == 1; /* the rest is 0 */
    bool steady =
        is_vector(node) && taut_formula_measure(e->model->symbols, single ? node->items[0] : node,
                                                0, quantity, &m) == TAUT_OK;
    for (int i = 0; i < m.value.n && steady; i++) {
        taut_symbols_ground(e->model->symbols, &m.value.c[i], 1);
        steady = taut_node_get(g, m.value.c[i])->steady;
    }
    if (!steady) {
        write_out(out, node);
        return m.dimension;
    }
    taut_string_add(out, m.value.n > 1 || single ? "[" : "");
    for (int i = 0; i < m.value.n; i++) {
        taut_string_add(out, i ? ", " : "");
        write_number(out, g, m.value.c[i]);
    }
    taut_string_add(out, m.value.n > 1 || single ? "]" : "");
    return m.dimension;
}

/* What is only a direction has no unit. */
static const char DIRECTION[] = "direction, made a unit vector";
static const char LOCAL_DIRECTION[] = "direction in the axes of the body, made a unit vector";
static const char GUESSED_DIRECTION[] = "initial direction, a guess";

static bool is_direction(const char *meaning) {
    return meaning == DIRECTION || meaning == LOCAL_DIRECTION || meaning == GUESSED_DIRECTION;
}

static void add_row(explaining *e, const char *name, const taut_yaml *node, taut_quantity quantity,
                    const char *meaning) {
    taut_string value = {0};
    char unit[80];
    if (taut_grow((void **)&e->item, &e->room, e->rows + 1, sizeof *e->item)) {
        e->failed = true;
        return;
    }
    taut_unit_name(quantity, write_value(e, &value, node, quantity), unit, sizeof unit);
    if (unit[0] && !is_direction(meaning)) taut_string_add(&value, " %s", unit);
    e->item[e->rows++] = (row){taut_yaml_place(node).line, keep(e, name),
                               keep(e, value.text ? value.text : ""), keep(e, meaning)};
    e->failed = e->failed || value.failed;
    taut_string_release(&value);
}

/* ---- the tree ---- */

static void walk(explaining *e, const taut_yaml *map, taut_section section, const char *above);

static void join(char *name, const char *a, const char *b) {
    snprintf(name, MOST_TEXT, "%.70s%s%.80s", a, a[0] && b[0] ? " " : "", b);
}

/* Local coordinates, then centroid, mass, inertia. */
static void explain_body(explaining *e, const char *name, const taut_yaml *value) {
    const taut_mechanism *m = e->model->mechanism;
    const taut_yaml *geom = taut_yaml_get(value, "Geom"), *dyna = taut_yaml_get(value, "Dyna");
    static const member part[] = {
        {TAUT_LENGTH,
         "centre of mass: local coordinates, from the first point in the axes of the body"},
        {TAUT_MASS, "mass of the body"},
        {TAUT_INERTIA, "moment of inertia about the centre of mass, in local axes"}};
    static const char *const word[] = {"centroid", "mass", "inertia"};
    char own[MOST_TEXT], whole[MOST_TEXT];
    int body = 0;
    while (body < m->bodies && strcmp(m->body[body].name, name) != 0) body++;
    for (int i = 0; geom && i < geom->count && geom->kind == TAUT_YAML_SEQUENCE && body < m->bodies;
         i++) {
        const taut_element *x = &m->element[m->body[body].element[i + 1]];
        snprintf(own, sizeof own, "Geom %s", x->name);
        join(whole, name, own);
        add_row(e, whole, geom->items[i], x->is_vector ? TAUT_ANY : TAUT_LENGTH,
                x->is_vector ? LOCAL_DIRECTION
                             : "local coordinates: from the first point, in the axes of the body");
    }
    for (int i = 0; dyna && i < dyna->count && i < 3 && dyna->kind == TAUT_YAML_SEQUENCE; i++) {
        join(whole, name, word[i]);
        add_row(e, whole, dyna->items[i], part[i].quantity, part[i].meaning);
    }
}

static const struct shorthand *find_shorthand(const taut_key *key) {
    for (size_t i = 0; i < sizeof SHORTHAND / sizeof *SHORTHAND; i++)
        if (SHORTHAND[i].section == key->section && strcmp(SHORTHAND[i].key, key->name) == 0)
            return &SHORTHAND[i];
    return NULL;
}

/* A number or a list where a map with names of keys could stand. */
static void explain_shorthand(explaining *e, const struct shorthand *s, const char *name,
                              const taut_yaml *node) {
    const bool load = s->section == TAUT_SECTION_FORCES && strcmp(s->key, "Drag") != 0;
    if (node->kind == TAUT_YAML_SCALAR || load) {
        add_row(e, name, node, s->member[0].quantity, s->member[0].meaning);
        return;
    }
    for (int i = 0; i < node->count && i < 3 && s->member[i].meaning; i++)
        add_row(e, name, node->items[i], s->member[i].quantity, s->member[i].meaning);
}

static bool is_vector_name(const explaining *e, const char *name) {
    int element;
    return e->model->mechanism && taut_symbols_element(e->model->symbols, name, &element) &&
           e->model->mechanism->element[element].is_vector;
}

/* What an entry of a map from names to numbers is, by the key and the name. */
static member find_member(const explaining *e, const taut_key *key, const char *name) {
    const taut_quantity own = taut_symbols_quantity(e->model->symbols, name);
    const bool vector =
        e->model->mechanism && taut_is_lower(taut_model_base_name(e->model, name)[0]);
    if (strcmp(key->name, "Armature") == 0)
        return (member){
            own == TAUT_ANGLE ? TAUT_INERTIA : TAUT_MASS,
            "rotor inertia on the coordinate: J/2 times its rate squared is its energy"};
    if (key->section == TAUT_SECTION_PARTS)
        return vector ? (member){TAUT_ANY, DIRECTION}
                      : (member){TAUT_LENGTH, strcmp(key->name, "Fixed") == 0
                                                  ? "point of the ground"
                                                  : "point that follows others"};
    if (strcmp(key->name, "positions") == 0 && is_vector_name(e, name))
        return (member){TAUT_ANY, GUESSED_DIRECTION};
    if (strcmp(key->name, "positions") == 0) return (member){own, "initial value, a guess"};
    if (strcmp(key->name, "velocities") == 0)
        return (member){taut_quantity_rate(own, 1), "initial rate, a guess"};
    if (strcmp(key->name, "Drivers") == 0) return (member){own, "prescribed as a function of time"};
    if (strcmp(key->name, "PhysicalParams") == 0) return (member){TAUT_ANY, "parameter"};
    if (strcmp(key->name, "Inputs") == 0)
        return (member){TAUT_ANY, "input from outside, its default"};
    if (strcmp(key->name, "Discrete") == 0)
        return (member){TAUT_ANY, "changes at events only, its first value"};
    if (strcmp(key->name, "Define") == 0) return (member){TAUT_ANY, "named formula"};
    if (strcmp(key->name, "Outputs") == 0)
        return (member){TAUT_ANY, "further column of the results"};
    return (member){key->quantity, key->doc};
}

static void explain_entry(explaining *e, const taut_key *key, const taut_yaml *name,
                          const taut_yaml *value, const char *above) {
    const struct shorthand *s = find_shorthand(key);
    char whole[MOST_TEXT];
    join(whole, above, name ? name->text : "");
    if (value->kind == TAUT_YAML_MAPPING && key->below != TAUT_SECTION_NONE) {
        if (key->below == TAUT_SECTION_BODY) explain_body(e, name ? name->text : "", value);
        walk(e, value, key->below, whole);
    } else if (s && !(value->kind == TAUT_YAML_SCALAR && value->is_null)) {
        explain_shorthand(e, s, whole, value);
    } else if (key->type == TAUT_TYPE_MAP || key->type == TAUT_TYPE_DEFINITIONS ||
               key->type == TAUT_TYPE_VALUES || key->type == TAUT_TYPE_FORMULAS) {
        const member m = find_member(e, key, name ? name->text : "");
        if (value->kind != TAUT_YAML_MAPPING &&
            !(value->kind == TAUT_YAML_SCALAR && value->is_null))
            add_row(e, name ? whole : key->name, value, m.quantity, m.meaning);
    }
}

/* Stops have the units of what they bound; gaps of contacts are lengths. */
static taut_quantity quantity_at(const explaining *e, const taut_key *key, const char *above) {
    const bool limit = key->section == TAUT_SECTION_LIMIT;
    if (!limit && key->section != TAUT_SECTION_CONTACT) return key->quantity;
    const taut_quantity own = limit ? taut_symbols_quantity(e->model->symbols, above) : TAUT_LENGTH;
    const bool turns = own == TAUT_ANGLE;
    if (limit && (strcmp(key->name, "Lower") == 0 || strcmp(key->name, "Upper") == 0)) return own;
    if (strcmp(key->name, "Gap") == 0) return TAUT_LENGTH;
    if (strcmp(key->name, "Stiffness") == 0)
        return turns ? TAUT_TORSIONAL_STIFFNESS : TAUT_STIFFNESS;
    if (strcmp(key->name, "Damping") == 0) return turns ? TAUT_ROTATIONAL_DAMPING : TAUT_DAMPING;
    return key->quantity;
}

/* Empty is the usual one. */
static void explain_gravity(explaining *e, const taut_yaml *value) {
    add_row(e, "Gravity", value, value->is_null ? TAUT_ANY : TAUT_ACCELERATION,
            "acceleration of all masses; a number is downwards: -y in the plane, -z in space");
    if (value->is_null && !e->failed) e->item[e->rows - 1].value = "9.81 m/s^2";
}

static void walk(explaining *e, const taut_yaml *map, taut_section section, const char *above) {
    for (int i = 0; map->kind == TAUT_YAML_MAPPING && i < map->count && !e->failed; i++) {
        const taut_key *key = taut_key_find(section, map->keys[i]->text);
        const taut_yaml *value = map->items[i];
        char whole[MOST_TEXT];
        if (!key || key->section == TAUT_SECTION_STUDY) continue;
        const bool body = section == TAUT_SECTION_BODY && strcmp(key->name, "Shape") != 0;
        join(whole, above, key->name);
        if (strcmp(key->name, "Gravity") == 0 && section == TAUT_SECTION_FORCES)
            explain_gravity(e, value);
        else if (key->type == TAUT_TYPE_NUMBER || key->type == TAUT_TYPE_FORMULA ||
                 key->type == TAUT_TYPE_NESTED)
            add_row(e, whole, value, quantity_at(e, key, above), key->doc);
        else if (key->type == TAUT_TYPE_SECTION || key->type == TAUT_TYPE_SECTION_OR_FORMULAS)
            walk(e, value, key->below, section == TAUT_SECTION_TOP ? "" : above);
        else if (taut_key_holds_names(key->type) && value->kind == TAUT_YAML_MAPPING)
            for (int k = 0; k < value->count; k++)
                explain_entry(e, key, value->keys[k], value->items[k], above);
        else if (taut_key_holds_names(key->type) && value->kind == TAUT_YAML_SEQUENCE && !body &&
                 key->type == TAUT_TYPE_FORMULAS)
            for (int k = 0; k < value->count; k++)
                explain_entry(e, key, NULL, value->items[k], above);
    }
}

/* ---- the table ---- */

static int width_of(const explaining *e, bool value, int most) {
    int width = 0;
    for (size_t i = 0; i < e->rows; i++) {
        const int n = (int)strlen(value ? e->item[i].value : e->item[i].name);
        if (n > width) width = n;
    }
    return width < most ? width : most;
}

static void print_rows(const explaining *e, taut_string *out) {
    const int name = width_of(e, false, WIDEST_NAME), value = width_of(e, true, WIDEST_VALUE);
    for (size_t i = 0; i < e->rows; i++)
        taut_string_add(out, "%6d  %-*s  %-*s  %s\n", e->item[i].line, name, e->item[i].name, value,
                        e->item[i].value, e->item[i].meaning);
}

taut_status taut_explain(const taut_model *model, char **text, taut_errors *errors) {
    explaining e = {0};
    taut_string out = {0};
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_NEED(model, "model", errors);
    TAUT_TRY(taut_model_vary(model, &(taut_variation){0}, &e.model, errors));
    taut_symbols_report_to(e.model->symbols, NULL);
    taut_symbols_set_scope(e.model->symbols, TAUT_SCOPE_ALL);
    walk(&e, e.model->root, TAUT_SECTION_TOP, "");
    taut_string_add(&out, "  line  numbers without a unit are in SI units: m, kg, s, rad, N\n");
    print_rows(&e, &out);
    const bool failed = e.failed || out.failed || taut_graph_failed(e.model->graph);
    taut_release((void **)&e.item);
    taut_model_free(&e.model);
    if (failed) taut_string_release(&out);
    *text = out.text;
    return failed ? TAUT_ERR_MEMORY : TAUT_OK;
}
