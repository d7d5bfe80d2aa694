/* Models built in code: the parts of a mechanism, and what acts on them. */
#include <stdio.h>
#include <string.h>

#include "model/build_parts.h"
#include "model/joint.h"

void taut_builder_dimension(taut_builder *b, int dimension) {
    taut_lines_add_sized(b, TAUT_LINES_DIMENSION, "Dimension", dimension);
}

void taut_builder_fixed(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_FIXED, name, formula);
}

void taut_builder_point(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_POINTS, name, formula);
}

static void add_shape(taut_string *s, const taut_shape_spec *shape) {
    taut_string_add(s, "%sShape: {", s->text[s->length - 1] == '{' ? "" : ", ");
    if (s->failed) return;
    taut_lines_entry(s, "Type", shape->type, false);
    taut_lines_entry(s, "Mass", shape->mass, false);
    taut_lines_entry(s, "Density", shape->density, false);
    taut_lines_entry(s, "Centre", shape->centre, false);
    taut_lines_entry(s, "Size", shape->size, false);
    taut_lines_entry(s, "Radius", shape->radius, false);
    taut_lines_entry(s, "Length", shape->length, false);
    taut_lines_entry(s, "Axis", shape->axis, false);
    taut_lines_entry(s, "Area", shape->area, false);
    taut_string_add(s, "}");
}

static void add_dynamics(taut_string *s, const taut_body_spec *body) {
    taut_string_add(s, "%sDyna: {", s->text[s->length - 1] == '{' ? "" : ", ");
    if (s->failed) return;
    taut_lines_entry(s, "Mass", body->mass, false);
    taut_lines_entry(s, "Centre", body->centroid, false);
    taut_lines_entry(s, "Inertia", body->inertia ? body->inertia : "0", false);
    taut_lines_entry(s, "About", body->about, false);
    taut_lines_entry(s, "Axes", body->axes, false);
    taut_string_add(s, "}");
}

void taut_builder_body(taut_builder *b, const char *name, const taut_body_spec *body) {
    if (!taut_lines_described(b, body, __func__)) return;
    taut_string *s = taut_lines_open(b, TAUT_LINES_RIGIDS, name);
    if (!s) return;
    taut_lines_entry(s, "Elements", body->elements, true);
    taut_lines_entry(s, "Geom", body->geometry, true);
    if (body->mass && (body->about || body->axes)) {
        add_dynamics(s, body);
    } else if (body->mass) {
        const char *const part[] = {body->centroid, body->mass, body->inertia};
        taut_string_add(s, "%sDyna: [", s->text[s->length - 1] == '{' ? "" : ", ");
        for (int i = 0; i < 3; i++) {
            const char *value = part[i] ? part[i] : i == 0 ? "[0]" : "0";
            taut_string_add(s, i ? ", " : "");
            taut_lines_formula(s, value, strlen(value));
        }
        taut_string_add(s, "]");
    }
    if (body->shape) add_shape(s, body->shape);
    taut_lines_entry(s, "Gravity", body->weightless ? "false" : NULL, false);
    taut_string_add(s, "}\n");
}

void taut_builder_link(taut_builder *b, const char *name, const taut_link_spec *link) {
    if (!taut_lines_described(b, link, __func__)) return;
    const taut_build_section where = !link->damping    ? TAUT_LINES_SPRINGS
                                     : link->stiffness ? TAUT_LINES_SPRING_DAMPERS
                                                       : TAUT_LINES_DAMPERS;
    taut_string *s = taut_lines_open(b, where, name);
    if (!s) return;
    taut_lines_entry(s, "Elements", link->points, true);
    taut_lines_entry(s, "k", link->stiffness, false);
    taut_lines_entry(s, "l", link->length, false);
    taut_lines_entry(s, "c", link->damping, false);
    taut_lines_entry(s, "mass", link->mass, false);
    taut_lines_entry(s, "Full", link->full ? "true" : NULL, false);
    taut_string_add(s, "}\n");
}

void taut_builder_joint(taut_builder *b, const char *name, const taut_joint_spec *joint) {
    if (!taut_lines_described(b, joint, __func__)) return;
    const int kind = joint->type ? taut_joint_find(joint->type) : -1;
    const char *number =
        kind < 0 ? NULL : taut_joint_takes((taut_joint_kind)kind, 3).number; /* as in 2D */
    taut_string *s = taut_lines_open(b, TAUT_LINES_JOINTS, name);
    if (!s) return;
    taut_lines_entry(s, "Type", joint->type, false);
    taut_lines_entry(s, "Bodies", joint->bodies, true);
    taut_lines_entry(s, "Points", joint->points, true);
    taut_lines_entry(s, "Axes", joint->axes, true);
    taut_lines_entry(s, "Normals", joint->normals, true);
    taut_lines_entry(s, "Angle", joint->angle, true);
    taut_lines_entry(s, "Distance", joint->distance, true);
    taut_lines_entry(s, "Coordinates", joint->coordinates, true);
    taut_lines_entry(s, number ? number : "Length", joint->number, false);
    taut_lines_entry(s, "Phase", joint->phase, false);
    taut_lines_entry(s, "Curve", joint->curve, false);
    taut_lines_entry(s, "Parameter", joint->parameter, false);
    taut_lines_entry(s, "Disassembled", joint->disassembled ? "true" : NULL, false);
    taut_string_add(s, "}\n");
}

void taut_builder_chain(taut_builder *b, const char *name, const taut_chain_spec *chain) {
    if (!taut_lines_described(b, chain, __func__)) return;
    taut_string *s = taut_lines_open(b, TAUT_LINES_CHAINS, name);
    if (!s) return;
    taut_lines_entry(s, "Points", chain->points, true);
    taut_lines_entry(s, "Axes", chain->axes, true);
    taut_lines_entry(s, "Normals", chain->normals, true);
    taut_string_add(s, "%sSteps: {", s->failed || s->text[s->length - 1] == '{' ? "" : ", ");
    for (int i = 0; chain->step && i < chain->steps; i++) {
        const taut_step_spec *x = &chain->step[i];
        taut_string_add(s, i ? ", " : "");
        taut_lines_key(s, x->coordinate);
        taut_string_add(s, " {");
        if (s->failed) return;
        taut_lines_entry(s, "Turn", x->turn, false);
        taut_lines_entry(s, "Slide", x->slide, false);
        taut_lines_entry(s, "At", x->at, false);
        taut_string_add(s, "}");
    }
    taut_string_add(s, "}}\n");
}

void taut_builder_torsion(taut_builder *b, const char *name, const taut_torsion_spec *torsion) {
    if (!taut_lines_described(b, torsion, __func__)) return;
    taut_string *s = taut_lines_open(
        b, torsion->stiffness ? TAUT_LINES_TORSION_SPRINGS : TAUT_LINES_ROTATIONAL_DAMPERS, name);
    if (!s) return;
    taut_lines_entry(s, "Angle", torsion->angle, false);
    taut_lines_entry(s, "Bodies", torsion->bodies, true);
    taut_lines_entry(s, "k", torsion->stiffness, false);
    taut_lines_entry(s, "rest", torsion->rest, false);
    taut_lines_entry(s, "c", torsion->damping, false);
    taut_string_add(s, "}\n");
}

void taut_builder_bushing(taut_builder *b, const char *name, const taut_bushing_spec *bushing) {
    if (!taut_lines_described(b, bushing, __func__)) return;
    taut_string *s = taut_lines_open(b, TAUT_LINES_BUSHINGS, name);
    if (!s) return;
    taut_lines_entry(s, "Points", bushing->points, true);
    taut_lines_entry(s, "Bodies", bushing->bodies, true);
    taut_lines_entry(s, "k", bushing->stiffness, false);
    taut_lines_entry(s, "c", bushing->damping, false);
    taut_lines_entry(s, "kt", bushing->torsion, false);
    taut_lines_entry(s, "ct", bushing->twist_damping, false);
    taut_string_add(s, "}\n");
}

void taut_builder_armature(taut_builder *b, const char *coordinate, const char *inertia) {
    taut_lines_add(b, TAUT_LINES_ARMATURE, coordinate, inertia);
}

/* {On, Against, Value} */
static void add_between(taut_builder *b, taut_build_section where, const char *name, const char *on,
                        const char *against, const char *formula) {
    taut_string *s = taut_lines_open(b, where, name);
    if (!s) return;
    taut_lines_entry(s, "On", on, false);
    taut_lines_entry(s, "Against", against, false);
    taut_lines_entry(s, "Value", formula, false);
    taut_string_add(s, "}\n");
}

void taut_builder_force_between(taut_builder *b, const char *name, const char *on,
                                const char *against, const char *formula) {
    add_between(b, TAUT_LINES_FORCES, name, on, against, formula);
}

void taut_builder_torque_between(taut_builder *b, const char *name, const char *on,
                                 const char *against, const char *formula) {
    add_between(b, TAUT_LINES_TORQUES, name, on, against, formula);
}

void taut_builder_drag(taut_builder *b, const char *point, const char *formula) {
    taut_lines_add(b, TAUT_LINES_DRAG, point, formula);
}

void taut_builder_particle(taut_builder *b, const char *point, const char *mass) {
    taut_lines_add(b, TAUT_LINES_PARTICLES, point, mass);
}

void taut_builder_weightless_particle(taut_builder *b, const char *point, const char *mass) {
    taut_string *s = taut_lines_open(b, TAUT_LINES_PARTICLES, point);
    if (!s) return;
    taut_lines_entry(s, "mass", mass, false);
    taut_lines_entry(s, "Gravity", "false", false);
    taut_string_add(s, "}\n");
}

void taut_builder_collinear(taut_builder *b, const char *elements, const char *distance) {
    char key[24];
    if (!b) return;
    if (!elements || !strchr(elements, ',')) {
        taut_lines_add(b, TAUT_LINES_COLLINEARS, elements, distance);
        return;
    }
    snprintf(key, sizeof key, "line%d", ++b->collinears);
    taut_string *s = taut_lines_open(b, TAUT_LINES_COLLINEARS, key);
    if (!s) return;
    taut_lines_entry(s, "Elements", elements, true);
    taut_lines_entry(s, "Name", distance, false);
    taut_string_add(s, "}\n");
}

void taut_builder_gravity(taut_builder *b, const char *formula) {
    taut_lines_add(b, TAUT_LINES_GRAVITY, "Gravity", formula);
}

void taut_builder_torque(taut_builder *b, const char *body, const char *formula) {
    taut_lines_add(b, TAUT_LINES_TORQUES, body, formula);
}

void taut_builder_angle(taut_builder *b, const char *name, const char *of, const char *axis) {
    const size_t n = of ? strlen(of) : 0;
    if (!axis || !of || !taut_lines_is_list(of, n)) {
        taut_lines_add(b, TAUT_LINES_ANGLES, name, of);
        return;
    }
    const size_t comma = taut_lines_end_of_item(of, 1, n - 1);
    taut_string *s = taut_lines_open(b, TAUT_LINES_ANGLES, name);
    if (!s) return;
    taut_string_add(s, "From: ");
    taut_lines_formula(s, of + 1, comma - 1);
    if (comma < n - 1) {
        taut_string_add(s, ", To: ");
        taut_lines_formula(s, of + comma + 1, n - 2 - comma);
    }
    taut_lines_entry(s, "Axis", axis, false);
    taut_string_add(s, "}\n");
}

void taut_builder_driver(taut_builder *b, const char *what, const char *formula) {
    taut_lines_add(b, TAUT_LINES_DRIVERS, what, formula);
}
