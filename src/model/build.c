/* Models built in code. Every call adds a line to one of the sections of a model file; the file is
 * put together at the end and read like any other, so that all checks and messages apply. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "core/status.h"
#include "core/text.h"
#include "model/joint.h"
#include "taut/build.h"

/* What the lines of a section are, and in which order the sections stand in the file. */
typedef enum section {
    PARAMETERS,
    INPUTS,
    DEFINITIONS,
    COORDINATES,
    MOMENTA,
    LAGRANGIAN,
    HAMILTONIAN,
    DISSIPATION,
    FORCES,
    VARIABLES,
    EQUATIONS,
    CONSTRAINTS,
    VELOCITY_CONSTRAINTS,
    STIFF,
    DIMENSION,
    FIXED,
    RIGIDS,
    SPRINGS,
    DAMPERS,
    SPRING_DAMPERS,
    PARTICLES,
    COLLINEARS,
    POINTS,
    JOINTS,
    TORSION_SPRINGS,
    ROTATIONAL_DAMPERS,
    BUSHINGS,
    GRAVITY,
    TORQUES,
    DRAG,
    ANGLES,
    DRIVERS,
    OUTPUTS,
    DISCRETES,
    EVENTS,
    TABLES,
    SPAN,
    POSITIONS,
    VELOCITIES,
    INITIAL_MOMENTA,
    VALUES,
    FIXED_POSITIONS,
    FIXED_VELOCITIES,
    SECTIONS
} section;

/* The key of each; NULL: its lines are keys of the section around it. */
static const char *const KEY[SECTIONS] = {
    [PARAMETERS] = "PhysicalParams",
    [INPUTS] = "Inputs",
    [DEFINITIONS] = "Define",
    [COORDINATES] = "Coordinates",
    [MOMENTA] = "Momenta",
    [FORCES] = "Forces",
    [VARIABLES] = "Variables",
    [EQUATIONS] = "Equations",
    [CONSTRAINTS] = "Constraints",
    [VELOCITY_CONSTRAINTS] = "VelocityConstraints",
    [STIFF] = "Stiff",
    [FIXED] = "Fixed",
    [RIGIDS] = "Rigids",
    [SPRINGS] = "Springs",
    [DAMPERS] = "Dampers",
    [SPRING_DAMPERS] = "SpringDampers",
    [PARTICLES] = "Particles",
    [COLLINEARS] = "Collinears",
    [POINTS] = "Points",
    [JOINTS] = "Joints",
    [TORSION_SPRINGS] = "TorsionSprings",
    [ROTATIONAL_DAMPERS] = "RotationalDampers",
    [BUSHINGS] = "Bushings",
    [TORQUES] = "Torques",
    [DRAG] = "Drag",
    [ANGLES] = "Angles",
    [DRIVERS] = "Drivers",
    [OUTPUTS] = "Outputs",
    [DISCRETES] = "Discrete",
    [EVENTS] = "Events",
    [TABLES] = "Tables",
    [POSITIONS] = "positions",
    [VELOCITIES] = "velocities",
    [INITIAL_MOMENTA] = "momenta",
    [VALUES] = "values",
    [FIXED_POSITIONS] = "fixedpositions",
    [FIXED_VELOCITIES] = "fixedvelocities",
};

struct taut_builder {
    char title[160];
    taut_string lines[SECTIONS];
    int named[SECTIONS], unnamed[SECTIONS];
    int collinears;      /* so far */
    const char *null_in; /* the first call whose description was NULL; NULL: none */
    taut_string text;
};

/* ---- YAML ---- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Means the same without quotes, wherever it stands. */
static bool is_plain(const char *text, size_t n) {
    static const char *const NOTHING[] = {"null", "Null", "NULL"};
    if (n == 0 || text[n - 1] == ' ') return false;
    for (size_t i = 0; i < sizeof NOTHING / sizeof NOTHING[0]; i++)
        if (strlen(NOTHING[i]) == n && strncmp(text, NOTHING[i], n) == 0) return false;
    const char first = text[0] == '-' && n > 1 ? text[1] : text[0];
    if (!is_letter(first) && first != '(') return false;
    for (size_t i = 0; i < n; i++)
        if (!is_letter(text[i]) && !strchr(" .+-*/^()'", text[i])) return false;
    return true;
}

static void add_scalar(taut_string *s, const char *text, size_t n) {
    if (is_plain(text, n)) {
        taut_string_add(s, "%.*s", (int)n, text);
        return;
    }
    taut_string_add(s, "\"");
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            taut_string_add(s, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            taut_string_add(s, "\\x%02X", c);
        else
            taut_string_add(s, "%c", c);
    }
    taut_string_add(s, "\"");
}

/* Where the item that begins at text[i] ends: at a comma outside of brackets, or at n. */
static size_t end_of_item(const char *text, size_t i, size_t n) {
    int depth = 0;
    for (; i < n; i++) {
        if (strchr("([", text[i])) depth++;
        if (strchr(")]", text[i])) depth--;
        if (text[i] == ',' && depth <= 0) break;
    }
    return i;
}

/* Is the whole text one pair of brackets with what is between them? */
static bool is_list(const char *text, size_t n) {
    int depth = 0;
    if (n < 2 || text[0] != '[' || text[n - 1] != ']') return false;
    for (size_t i = 0; i < n; i++) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (depth == 0 && i + 1 < n) return false;
    }
    return depth == 0;
}

static void add_items(taut_string *s, const char *text, size_t n);

/* A formula; [a, b] becomes a list, so that components have quotes of their own. */
static void add_formula(taut_string *s, const char *text, size_t n) {
    while (n > 0 && text[0] == ' ') text++, n--;
    while (n > 0 && text[n - 1] == ' ') n--;
    if (is_list(text, n))
        add_items(s, text + 1, n - 2);
    else
        add_scalar(s, text, n);
}

/* "a, b" as a list. */
static void add_items(taut_string *s, const char *text, size_t n) {
    taut_string_add(s, "[");
    for (size_t i = 0, end; i < n; i = end + 1) {
        end = end_of_item(text, i, n);
        taut_string_add(s, i ? ", " : "");
        add_formula(s, text + i, end - i);
    }
    taut_string_add(s, "]");
}

/* ---- adding lines ---- */

static void add_key(taut_string *s, const char *key) {
    add_scalar(s, key ? key : "", key ? strlen(key) : 0);
    taut_string_add(s, ":");
}

/* "key: formula"; without a formula the reader says what is missing. */
static void add(taut_builder *b, section where, const char *key, const char *formula) {
    if (!b) return;
    taut_string *s = &b->lines[where];
    add_key(s, key);
    if (formula) {
        taut_string_add(s, " ");
        add_formula(s, formula, strlen(formula));
    }
    taut_string_add(s, "\n");
}

/* "- formula", or "key: formula" if it has a name. */
static void add_to_list(taut_builder *b, section where, const char *name, const char *formula) {
    if (!b) return;
    ++*(name ? &b->named[where] : &b->unnamed[where]);
    if (name) {
        add(b, where, name, formula);
        return;
    }
    taut_string_add(&b->lines[where], "- ");
    add_formula(&b->lines[where], formula ? formula : "", formula ? strlen(formula) : 0);
    taut_string_add(&b->lines[where], "\n");
}

static void add_name(taut_builder *b, section where, const char *name) {
    if (!b) return;
    taut_string_add(&b->lines[where], "- ");
    add_scalar(&b->lines[where], name ? name : "", name ? strlen(name) : 0);
    taut_string_add(&b->lines[where], "\n");
}

static void add_sized(taut_builder *b, section where, const char *name, int size) {
    char text[16];
    snprintf(text, sizeof text, "%d", size);
    add(b, where, name, text);
}

/* One more key of a map on one line; nothing if there is no value. */
static void add_entry(taut_string *s, const char *key, const char *value, bool list) {
    if (!value) return;
    taut_string_add(s, "%s%s: ", s->text[s->length - 1] == '{' ? "" : ", ", key);
    if (list)
        add_items(s, value, strlen(value));
    else
        add_formula(s, value, strlen(value));
}

/* Is there something to describe? If not, taut_builder_finish will say so. */
static bool is_described(taut_builder *b, const void *spec, const char *function) {
    if (b && !spec && !b->null_in) b->null_in = function;
    return b && spec;
}

static taut_string *open_map(taut_builder *b, section where, const char *name) {
    if (!b) return NULL;
    taut_string *s = &b->lines[where];
    add_key(s, name);
    taut_string_add(s, " {");
    return s->failed ? NULL : s;
}

/* The shortest text that reads back as the same number. */
static void print_number(char *text, size_t size, double value) {
    for (int digits = 15; digits <= 17; digits++) {
        taut_format(text, size, "%.*g", digits, value);
        if (taut_number_parse(text, NULL) == value) return;
    }
}

/* ---- the file ---- */

static bool has(const taut_builder *b, section s) { return b->lines[s].length > 0; }

static bool has_any(const taut_builder *b, section first, section last) {
    for (int s = (int)first; s <= (int)last; s++)
        if (has(b, (section)s)) return true;
    return false;
}

static bool is_mechanism(const taut_builder *b) { return has_any(b, DIMENSION, DRIVERS); }

/* The lines of a section, each behind `depth` blanks; one level deeper under a key. */
static void write_section(taut_builder *b, section s, int depth) {
    if (!has(b, s)) return;
    if (KEY[s]) taut_string_add(&b->text, "%*s%s:\n", depth, "", KEY[s]);
    if (KEY[s]) depth += 2;
    for (const char *line = b->lines[s].text; *line;) {
        const size_t n = strcspn(line, "\n");
        taut_string_add(&b->text, "%*s%.*s\n", depth, "", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static void write_sections(taut_builder *b, section first, section last, int depth) {
    for (int s = (int)first; s <= (int)last; s++) write_section(b, (section)s, depth);
}

static void write_equations(taut_builder *b) {
    const bool mechanism = is_mechanism(b);
    const bool varied = has_any(b, COORDINATES, DISSIPATION);
    if (varied || !mechanism) {
        const char *kind = !varied                                      ? "DAE"
                           : has(b, HAMILTONIAN) && !has(b, LAGRANGIAN) ? "Hamiltonian"
                                                                        : "Lagrangian";
        taut_string_add(&b->text, "%s:\n", kind);
        write_sections(b, COORDINATES, DISSIPATION, 2);
    }
    if (!mechanism) write_section(b, FORCES, 2);
    write_sections(b, VARIABLES, STIFF, mechanism ? 0 : 2);
}

static void write_mechanism(taut_builder *b) {
    write_section(b, DIMENSION, 0);
    taut_string_add(&b->text, "PartData:\n");
    write_sections(b, FIXED, BUSHINGS, 2);
    if (has_any(b, GRAVITY, DRAG) || has(b, FORCES)) taut_string_add(&b->text, "AppliedForces:\n");
    write_section(b, GRAVITY, 2);
    write_section(b, FORCES, 2);
    write_sections(b, TORQUES, DRAG, 2);
    write_sections(b, ANGLES, DRIVERS, 0);
}

static void write_file(taut_builder *b) {
    taut_string_release(&b->text);
    b->text = (taut_string){0};
    taut_string_add(&b->text, "Title: ");
    add_scalar(&b->text, b->title, strlen(b->title));
    taut_string_add(&b->text, "\n");
    write_sections(b, PARAMETERS, DEFINITIONS, 0);
    write_equations(b);
    if (is_mechanism(b)) write_mechanism(b);
    write_section(b, OUTPUTS, 0);
    write_section(b, DISCRETES, 0);
    write_section(b, EVENTS, 0);
    write_section(b, TABLES, 0);
    if (has_any(b, SPAN, FIXED_VELOCITIES)) taut_string_add(&b->text, "ProblemData:\n");
    write_sections(b, SPAN, FIXED_VELOCITIES, 2);
}

/* ---- the calls ---- */

taut_status taut_builder_create(const char *title, taut_builder **builder) {
    TAUT_NEED(builder, "builder", NULL);
    *builder = taut_new(sizeof **builder);
    if (!*builder) return TAUT_ERR_MEMORY;
    snprintf((*builder)->title, sizeof(*builder)->title, "%s", title ? title : "");
    return TAUT_OK;
}

void taut_builder_free(taut_builder **builder) {
    if (!builder || !*builder) return;
    for (int s = 0; s < SECTIONS; s++) taut_string_release(&(*builder)->lines[s]);
    taut_string_release(&(*builder)->text);
    taut_release((void **)builder);
}

static bool has_failed(const taut_builder *b) {
    bool failed = b->text.failed;
    for (int s = 0; s < SECTIONS; s++) failed = failed || b->lines[s].failed;
    return failed;
}

const char *taut_builder_text(taut_builder *b) {
    if (!b) return NULL;
    write_file(b);
    return has_failed(b) ? NULL : b->text.text;
}

taut_status taut_builder_finish(taut_builder *b, taut_model **model, taut_errors *errors) {
    TAUT_NEED(model, "model", errors);
    *model = NULL;
    TAUT_NEED(b, "builder", errors);
    if (b->null_in)
        return taut_fail(errors, TAUT_ERR_CALL, "%s was called without a description: it is NULL",
                         b->null_in);
    for (int s = 0; s < SECTIONS; s++)
        if (b->named[s] > 0 && b->unnamed[s] > 0)
            return taut_fail(
                errors, TAUT_ERR_CALL,
                "%d of the '%s' have names and %d have none: name all of them, or none",
                b->named[s], KEY[s], b->unnamed[s]);
    const char *text = taut_builder_text(b);
    if (!text) return taut_fail(errors, TAUT_ERR_MEMORY, "out of memory while building a model");
    return taut_model_parse(b->title[0] ? b->title : "model built in code", text,
                            (long)b->text.length, model, errors);
}

void taut_builder_number(taut_builder *b, const char *name, double value) {
    char text[40];
    print_number(text, sizeof text, value);
    add(b, PARAMETERS, name, text);
}

void taut_builder_parameter(taut_builder *b, const char *name, const char *formula) {
    add(b, PARAMETERS, name, formula);
}

void taut_builder_input(taut_builder *b, const char *name, const char *formula) {
    add(b, INPUTS, name, formula);
}

void taut_builder_discrete(taut_builder *b, const char *name, const char *formula) {
    add(b, DISCRETES, name, formula);
}

void taut_builder_event(taut_builder *b, const char *name, const taut_event_spec *event) {
    if (!is_described(b, event, __func__)) return;
    taut_string *s = open_map(b, EVENTS, name);
    if (!s) return;
    add_entry(s, "When", event->when, false);
    add_entry(s, "Direction", event->direction, false);
    for (int i = 0; event->assign && i < event->assigns; i++) {
        const char *value = event->assign[i].formula ? event->assign[i].formula : "";
        if (i == 0) taut_string_add(s, "%sDo: {", s->text[s->length - 1] == '{' ? "" : ", ");
        if (i > 0) taut_string_add(s, ", ");
        add_key(s, event->assign[i].name);
        taut_string_add(s, " ");
        add_formula(s, value, strlen(value));
        if (i == event->assigns - 1) taut_string_add(s, "}");
    }
    add_entry(s, "Stop", event->stop ? "true" : NULL, false);
    add_entry(s, "Once", event->once ? "true" : NULL, false);
    add_entry(s, "Record", event->unrecorded ? "false" : NULL, false);
    taut_string_add(s, "}\n");
}

/* [[x, y], ...] */
static void add_samples(taut_string *s, const taut_table_spec *table) {
    char number[40];
    taut_string_add(s, "Points: [");
    for (int i = 0; table->sample && i < table->samples; i++) {
        taut_string_add(s, i > 0 ? ", [" : "[");
        for (int k = 0; k < table->width; k++) {
            print_number(number, sizeof number,
                         table->sample[(size_t)i * (size_t)table->width + (size_t)k]);
            taut_string_add(s, "%s%s", k > 0 ? ", " : "", number);
        }
        taut_string_add(s, "]");
    }
    taut_string_add(s, "]");
}

void taut_builder_table(taut_builder *b, const char *name, const taut_table_spec *table) {
    char number[40];
    if (!is_described(b, table, __func__)) return;
    taut_string *s = open_map(b, TABLES, name);
    if (!s) return;
    add_samples(s, table);
    print_number(number, sizeof number, table->fit);
    if (table->fit > 0.0)
        taut_string_add(s, ", Between: {fit: %s}", number);
    else
        add_entry(s, "Between", table->between, false);
    add_entry(s, "Outside", table->outside, false);
    taut_string_add(s, "}\n");
}

void taut_builder_define(taut_builder *b, const char *name, const char *formula) {
    add(b, DEFINITIONS, name, formula);
}

void taut_builder_output(taut_builder *b, const char *name, const char *formula) {
    add(b, OUTPUTS, name, formula);
}

void taut_builder_span(taut_builder *b, double t0, double tend) {
    char text[40];
    print_number(text, sizeof text, t0);
    add(b, SPAN, "t0", text);
    print_number(text, sizeof text, tend);
    add(b, SPAN, "tend", text);
}

void taut_builder_max_step(taut_builder *b, double step) {
    char text[40];
    print_number(text, sizeof text, step);
    add(b, SPAN, "maxstep", text);
}

void taut_builder_position(taut_builder *b, const char *name, const char *formula) {
    add(b, POSITIONS, name, formula);
}

void taut_builder_velocity(taut_builder *b, const char *name, const char *formula) {
    add(b, VELOCITIES, name, formula);
}

void taut_builder_value(taut_builder *b, const char *name, const char *formula) {
    add(b, VALUES, name, formula);
}

void taut_builder_fix_position(taut_builder *b, const char *name) {
    add_name(b, FIXED_POSITIONS, name);
}

void taut_builder_fix_velocity(taut_builder *b, const char *name) {
    add_name(b, FIXED_VELOCITIES, name);
}

void taut_builder_variable(taut_builder *b, const char *name, int size) {
    add_sized(b, VARIABLES, name, size);
}

void taut_builder_equation(taut_builder *b, const char *name, const char *formula) {
    add_to_list(b, EQUATIONS, name, formula);
}

void taut_builder_stiff(taut_builder *b, const char *name, const char *formula) {
    add(b, STIFF, name, formula);
}

void taut_builder_coordinate(taut_builder *b, const char *name, int size) {
    add_sized(b, COORDINATES, name, size);
}

void taut_builder_lagrangian(taut_builder *b, const char *formula) {
    add(b, LAGRANGIAN, "L", formula);
}

void taut_builder_dissipation(taut_builder *b, const char *formula) {
    add(b, DISSIPATION, "Dissipation", formula);
}

void taut_builder_constraint(taut_builder *b, const char *name, const char *formula) {
    add_to_list(b, CONSTRAINTS, name, formula);
}

void taut_builder_velocity_constraint(taut_builder *b, const char *name, const char *formula) {
    add_to_list(b, VELOCITY_CONSTRAINTS, name, formula);
}

void taut_builder_force(taut_builder *b, const char *on, const char *formula) {
    add(b, FORCES, on, formula);
}

void taut_builder_momentum(taut_builder *b, const char *name, int size) {
    add_sized(b, MOMENTA, name, size);
}

void taut_builder_initial_momentum(taut_builder *b, const char *name, const char *formula) {
    add(b, INITIAL_MOMENTA, name, formula);
}

void taut_builder_hamiltonian(taut_builder *b, const char *formula) {
    add(b, HAMILTONIAN, "H", formula);
}

void taut_builder_dimension(taut_builder *b, int dimension) {
    add_sized(b, DIMENSION, "Dimension", dimension);
}

void taut_builder_fixed(taut_builder *b, const char *name, const char *formula) {
    add(b, FIXED, name, formula);
}

void taut_builder_point(taut_builder *b, const char *name, const char *formula) {
    add(b, POINTS, name, formula);
}

static void add_shape(taut_string *s, const taut_shape_spec *shape) {
    taut_string_add(s, "%sShape: {", s->text[s->length - 1] == '{' ? "" : ", ");
    if (s->failed) return;
    add_entry(s, "Type", shape->type, false);
    add_entry(s, "Mass", shape->mass, false);
    add_entry(s, "Density", shape->density, false);
    add_entry(s, "Centre", shape->centre, false);
    add_entry(s, "Size", shape->size, false);
    add_entry(s, "Radius", shape->radius, false);
    add_entry(s, "Length", shape->length, false);
    add_entry(s, "Axis", shape->axis, false);
    add_entry(s, "Area", shape->area, false);
    taut_string_add(s, "}");
}

void taut_builder_body(taut_builder *b, const char *name, const taut_body_spec *body) {
    if (!is_described(b, body, __func__)) return;
    taut_string *s = open_map(b, RIGIDS, name);
    if (!s) return;
    add_entry(s, "Elements", body->elements, true);
    add_entry(s, "Geom", body->geometry, true);
    if (body->mass) {
        const char *const part[] = {body->centroid, body->mass, body->inertia};
        taut_string_add(s, "%sDyna: [", s->text[s->length - 1] == '{' ? "" : ", ");
        for (int i = 0; i < 3; i++) {
            const char *value = part[i] ? part[i] : i == 0 ? "[0]" : "0";
            taut_string_add(s, i ? ", " : "");
            add_formula(s, value, strlen(value));
        }
        taut_string_add(s, "]");
    }
    if (body->shape) add_shape(s, body->shape);
    add_entry(s, "Gravity", body->weightless ? "false" : NULL, false);
    taut_string_add(s, "}\n");
}

void taut_builder_link(taut_builder *b, const char *name, const taut_link_spec *link) {
    if (!is_described(b, link, __func__)) return;
    const section where = !link->damping ? SPRINGS : link->stiffness ? SPRING_DAMPERS : DAMPERS;
    taut_string *s = open_map(b, where, name);
    if (!s) return;
    add_entry(s, "Elements", link->points, true);
    add_entry(s, "k", link->stiffness, false);
    add_entry(s, "l", link->length, false);
    add_entry(s, "c", link->damping, false);
    add_entry(s, "mass", link->mass, false);
    add_entry(s, "Full", link->full ? "true" : NULL, false);
    taut_string_add(s, "}\n");
}

void taut_builder_joint(taut_builder *b, const char *name, const taut_joint_spec *joint) {
    if (!is_described(b, joint, __func__)) return;
    const int kind = joint->type ? taut_joint_find(joint->type) : -1;
    const char *number =
        kind < 0 ? NULL : taut_joint_takes((taut_joint_kind)kind, 3).number; /* as in 2D */
    taut_string *s = open_map(b, JOINTS, name);
    if (!s) return;
    add_entry(s, "Type", joint->type, false);
    add_entry(s, "Bodies", joint->bodies, true);
    add_entry(s, "Points", joint->points, true);
    add_entry(s, "Axes", joint->axes, true);
    add_entry(s, "Normals", joint->normals, true);
    add_entry(s, "Angle", joint->angle, true);
    add_entry(s, "Distance", joint->distance, true);
    add_entry(s, "Coordinates", joint->coordinates, true);
    add_entry(s, number ? number : "Length", joint->number, false);
    add_entry(s, "Phase", joint->phase, false);
    add_entry(s, "Curve", joint->curve, false);
    add_entry(s, "Parameter", joint->parameter, false);
    add_entry(s, "Disassembled", joint->disassembled ? "true" : NULL, false);
    taut_string_add(s, "}\n");
}

void taut_builder_torsion(taut_builder *b, const char *name, const taut_torsion_spec *torsion) {
    if (!is_described(b, torsion, __func__)) return;
    taut_string *s = open_map(b, torsion->stiffness ? TORSION_SPRINGS : ROTATIONAL_DAMPERS, name);
    if (!s) return;
    add_entry(s, "Angle", torsion->angle, false);
    add_entry(s, "Bodies", torsion->bodies, true);
    add_entry(s, "k", torsion->stiffness, false);
    add_entry(s, "rest", torsion->rest, false);
    add_entry(s, "c", torsion->damping, false);
    taut_string_add(s, "}\n");
}

void taut_builder_bushing(taut_builder *b, const char *name, const taut_bushing_spec *bushing) {
    if (!is_described(b, bushing, __func__)) return;
    taut_string *s = open_map(b, BUSHINGS, name);
    if (!s) return;
    add_entry(s, "Points", bushing->points, true);
    add_entry(s, "Bodies", bushing->bodies, true);
    add_entry(s, "k", bushing->stiffness, false);
    add_entry(s, "c", bushing->damping, false);
    add_entry(s, "kt", bushing->torsion, false);
    add_entry(s, "ct", bushing->twist_damping, false);
    taut_string_add(s, "}\n");
}

/* {On, Against, Value} */
static void add_between(taut_builder *b, section where, const char *name, const char *on,
                        const char *against, const char *formula) {
    taut_string *s = open_map(b, where, name);
    if (!s) return;
    add_entry(s, "On", on, false);
    add_entry(s, "Against", against, false);
    add_entry(s, "Value", formula, false);
    taut_string_add(s, "}\n");
}

void taut_builder_force_between(taut_builder *b, const char *name, const char *on,
                                const char *against, const char *formula) {
    add_between(b, FORCES, name, on, against, formula);
}

void taut_builder_torque_between(taut_builder *b, const char *name, const char *on,
                                 const char *against, const char *formula) {
    add_between(b, TORQUES, name, on, against, formula);
}

void taut_builder_drag(taut_builder *b, const char *point, const char *formula) {
    add(b, DRAG, point, formula);
}

void taut_builder_particle(taut_builder *b, const char *point, const char *mass) {
    add(b, PARTICLES, point, mass);
}

void taut_builder_weightless_particle(taut_builder *b, const char *point, const char *mass) {
    taut_string *s = open_map(b, PARTICLES, point);
    if (!s) return;
    add_entry(s, "mass", mass, false);
    add_entry(s, "Gravity", "false", false);
    taut_string_add(s, "}\n");
}

void taut_builder_collinear(taut_builder *b, const char *elements, const char *distance) {
    char key[24];
    if (!b) return;
    if (!elements || !strchr(elements, ',')) {
        add(b, COLLINEARS, elements, distance);
        return;
    }
    snprintf(key, sizeof key, "line%d", ++b->collinears);
    taut_string *s = open_map(b, COLLINEARS, key);
    if (!s) return;
    add_entry(s, "Elements", elements, true);
    add_entry(s, "Name", distance, false);
    taut_string_add(s, "}\n");
}

void taut_builder_gravity(taut_builder *b, const char *formula) {
    add(b, GRAVITY, "Gravity", formula);
}

void taut_builder_torque(taut_builder *b, const char *body, const char *formula) {
    add(b, TORQUES, body, formula);
}

void taut_builder_angle(taut_builder *b, const char *name, const char *of, const char *axis) {
    const size_t n = of ? strlen(of) : 0;
    if (!axis || !of || !is_list(of, n)) {
        add(b, ANGLES, name, of);
        return;
    }
    const size_t comma = end_of_item(of, 1, n - 1);
    taut_string *s = open_map(b, ANGLES, name);
    if (!s) return;
    taut_string_add(s, "From: ");
    add_formula(s, of + 1, comma - 1);
    if (comma < n - 1) {
        taut_string_add(s, ", To: ");
        add_formula(s, of + comma + 1, n - 2 - comma);
    }
    add_entry(s, "Axis", axis, false);
    taut_string_add(s, "}\n");
}

void taut_builder_driver(taut_builder *b, const char *what, const char *formula) {
    add(b, DRIVERS, what, formula);
}
