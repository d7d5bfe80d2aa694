/* Models built in code: what happens in a run (events, controllers, contacts), and tables. */
#include <string.h>

#include "model/build_parts.h"

void taut_builder_discrete(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_DISCRETES, name, formula);
}

/* key: {name: formula, ...} */
static void add_assignments(taut_string *s, const char *key, const taut_override *item, int count) {
    for (int i = 0; item && i < count; i++) {
        const char *value = item[i].formula ? item[i].formula : "";
        if (i == 0) taut_string_add(s, "%s%s: {", s->text[s->length - 1] == '{' ? "" : ", ", key);
        if (i > 0) taut_string_add(s, ", ");
        taut_lines_key(s, item[i].name);
        taut_string_add(s, " ");
        taut_lines_formula(s, value, strlen(value));
        if (i == count - 1) taut_string_add(s, "}");
    }
}

void taut_builder_event(taut_builder *b, const char *name, const taut_event_spec *event) {
    if (!taut_lines_described(b, event, __func__)) return;
    taut_string *s = taut_lines_open(b, TAUT_LINES_EVENTS, name);
    if (!s) return;
    taut_lines_entry(s, "When", event->when, false);
    taut_lines_entry(s, "Direction", event->direction, false);
    add_assignments(s, "Do", event->assign, event->assigns);
    taut_lines_entry(s, "Stop", event->stop ? "true" : NULL, false);
    taut_lines_entry(s, "Once", event->once ? "true" : NULL, false);
    taut_lines_entry(s, "Record", event->unrecorded ? "false" : NULL, false);
    taut_string_add(s, "}\n");
}

void taut_builder_controller(taut_builder *b, const char *name,
                             const taut_controller_spec *controller) {
    if (!taut_lines_described(b, controller, __func__)) return;
    taut_string *s = taut_lines_open(b, TAUT_LINES_CONTROLLERS, name);
    if (!s) return;
    taut_lines_entry(s, "Every", controller->every, false);
    taut_lines_entry(s, "Offset", controller->offset, false);
    add_assignments(s, "States", controller->state, controller->states);
    add_assignments(s, "Next", controller->next, controller->nexts);
    add_assignments(s, "Out", controller->out, controller->outs);
    taut_string_add(s, "}\n");
}

/* [[x, y], ...] */
static void add_samples(taut_string *s, const taut_table_spec *table) {
    char number[40];
    taut_string_add(s, "Points: [");
    for (int i = 0; table->sample && i < table->samples; i++) {
        taut_string_add(s, i > 0 ? ", [" : "[");
        for (int k = 0; k < table->width; k++) {
            taut_lines_number(number, sizeof number,
                              table->sample[(size_t)i * (size_t)table->width + (size_t)k]);
            taut_string_add(s, "%s%s", k > 0 ? ", " : "", number);
        }
        taut_string_add(s, "]");
    }
    taut_string_add(s, "]");
}

void taut_builder_table(taut_builder *b, const char *name, const taut_table_spec *table) {
    char number[40];
    if (!taut_lines_described(b, table, __func__)) return;
    taut_string *s = taut_lines_open(b, TAUT_LINES_TABLES, name);
    if (!s) return;
    add_samples(s, table);
    taut_lines_number(number, sizeof number, table->fit);
    if (table->fit > 0.0)
        taut_string_add(s, ", Between: {fit: %s}", number);
    else
        taut_lines_entry(s, "Between", table->between, false);
    taut_lines_entry(s, "Outside", table->outside, false);
    taut_string_add(s, "}\n");
}

/* A map of formulas; those that are NULL are left out. */
static void add_formulas(taut_builder *b, taut_build_section where, const char *name,
                         const taut_override *entry, int count) {
    taut_string *s = taut_lines_open(b, where, name);
    if (!s) return;
    for (int i = 0; i < count; i++) taut_lines_entry(s, entry[i].name, entry[i].formula, false);
    taut_string_add(s, "}\n");
}

/* On: {Line: [O, u]} */
static void add_surface(taut_string *s, const taut_contact_spec *c) {
    const taut_override place[] = {{"Line", c->line},        {"Plane", c->plane},
                                   {"Circle", c->on_circle}, {"Sphere", c->on_sphere},
                                   {"Curve", c->curve},      {"Inside", c->inside ? "true" : NULL}};
    bool any = false;
    for (int i = 0; i < 6; i++) any = any || place[i].formula;
    if (!any) return;
    taut_string_add(s, "%sOn: {", s->text[s->length - 1] == '{' ? "" : ", ");
    for (int i = 0; i < 6; i++) taut_lines_entry(s, place[i].name, place[i].formula, false);
    taut_string_add(s, "}");
}

void taut_builder_contact(taut_builder *b, const char *name, const taut_contact_spec *c) {
    if (!taut_lines_described(b, c, __func__)) return;
    const taut_override entry[] = {{"Gap", c->gap},
                                   {"Point", c->point},
                                   {"Corner", c->corner},
                                   {"Circle", c->circle},
                                   {"Sphere", c->sphere},
                                   {"Along", c->along},
                                   {"Sliding", c->sliding},
                                   {"Restitution", c->restitution},
                                   {"Friction", c->friction},
                                   {"Static", c->sticking},
                                   {"Stiffness", c->stiffness},
                                   {"Damping", c->damping},
                                   {"Law", c->law}};
    taut_string *s = taut_lines_open(b, TAUT_LINES_CONTACTS, name);
    if (!s) return;
    for (size_t i = 0; i < sizeof entry / sizeof entry[0]; i++)
        taut_lines_entry(s, entry[i].name, entry[i].formula, false);
    add_surface(s, c);
    taut_string_add(s, "}\n");
}

void taut_builder_limit(taut_builder *b, const char *of, const taut_limit_spec *l) {
    if (!taut_lines_described(b, l, __func__)) return;
    const taut_override entry[] = {
        {"Lower", l->lower},         {"Upper", l->upper},     {"Restitution", l->restitution},
        {"Stiffness", l->stiffness}, {"Damping", l->damping}, {"Law", l->law}};
    add_formulas(b, TAUT_LINES_LIMITS, of, entry, sizeof entry / sizeof entry[0]);
}

void taut_builder_friction(taut_builder *b, const char *name, const taut_friction_spec *f) {
    if (!taut_lines_described(b, f, __func__)) return;
    const taut_override entry[] = {{"On", f->on},          {"Force", f->force},
                                   {"Joint", f->joint},    {"Coefficient", f->coefficient},
                                   {"Radius", f->radius},  {"Length", f->length},
                                   {"Static", f->sticking}};
    add_formulas(b, TAUT_LINES_FRICTION, name, entry, sizeof entry / sizeof entry[0]);
}

void taut_builder_impact(taut_builder *b, const char *law) {
    taut_lines_add(b, TAUT_LINES_IMPACT, "Impact", law);
}

void taut_builder_lock(taut_builder *b, const char *name, const taut_lock_spec *l) {
    if (!taut_lines_described(b, l, __func__)) return;
    const taut_override entry[] = {{"On", l->on}, {"When", l->when}, {"Capacity", l->capacity}};
    add_formulas(b, TAUT_LINES_LOCKS, name, entry, sizeof entry / sizeof entry[0]);
}

void taut_builder_break(taut_builder *b, const char *name, const taut_break_spec *x) {
    if (!taut_lines_described(b, x, __func__)) return;
    const taut_override entry[] = {
        {"Joint", x->joint}, {"Driver", x->driver}, {"When", x->when}, {"Until", x->until}};
    add_formulas(b, TAUT_LINES_BREAKS, name, entry, sizeof entry / sizeof entry[0]);
}
