/* Reading friction by the load of a joint: what slides in it, and which of its multipliers press
 * (docs/math/loads.md, section 2). */
#include <math.h>
#include <string.h>

#include "model/parts.h"
#include "model/reader.h"
#include "model/sliding.h"

typedef struct bearing {
    taut_reader *reader;
    const taut_yaml *entry;
    const taut_joint *joint;
    taut_model_contact *contact;
    double end; /* of a guide: 1 or -1 */
} bearing;

static taut_status fail(const bearing *b, const taut_yaml *node, const char *message) {
    return taut_fail_at(b->reader->errors, TAUT_ERR_INPUT, taut_reader_place(b->reader, node), "%s",
                        message);
}

/* The radius of what turns: a length above 0. */
static taut_status read_radius(bearing *b, taut_node *radius) {
    const taut_yaml *node = taut_yaml_get(b->entry, "Radius");
    taut_graph *g = b->reader->model->graph;
    taut_vec v;
    if (!node) {
        taut_reader_missing(
            b->reader, b->entry, "Radius",
            ": where a pin or a thread rubs, from its axis, or a ball, from its centre");
        return TAUT_ERR_INPUT;
    }
    TAUT_TRY(taut_formula_read_as(b->reader->symbols, node, 1, TAUT_LENGTH, &v));
    const taut_node_data *d = taut_node_get(g, v.c[0]);
    if (!d->steady || !(d->value > 0.0))
        return fail(b, node, "'Radius' is a length above 0: a formula of parameters");
    taut_assume_sign(g, v.c[0]);
    *radius = v.c[0];
    return TAUT_OK;
}

/* Distance k of the joint, ... */
static taut_node distance(const bearing *b, int k) {
    return taut_leaf(b->reader->model->graph, b->joint->leaf[k]);
}

/* ... and the way at a radius by its angle k. */
static taut_node turned(const bearing *b, taut_node radius, int k) {
    const taut_model *m = b->reader->model;
    taut_vec named;
    if (!b->joint->angle[k] || !taut_symbols_find(m->symbols, b->joint->angle[k], &named))
        return TAUT_NO_NODE;
    return taut_mul(m->graph, radius, named.c[0]);
}

/* The multipliers of some of its equations press. */
static void press(bearing *b, int first, int count) {
    b->contact->loads = count;
    for (int k = 0; k < count; k++)
        b->contact->load[k] = taut_leaf(b->reader->model->graph, b->joint->multiplier + first + k);
}

/* A pin rubs at its radius, with the whole force that it transmits. */
static taut_status read_pin(bearing *b, int dimension) {
    taut_node radius = TAUT_NO_NODE;
    TAUT_TRY(read_radius(b, &radius));
    b->contact->along[0] = turned(b, radius, 0);
    press(b, 0, dimension);
    return TAUT_OK;
}

/* How fast the second body turns in the first one. */
static taut_status find_spin(bearing *b, taut_vec *spin) {
    taut_graph *g = b->reader->model->graph;
    taut_vec omega[2] = {{0}};
    for (int side = 0; side < 2; side++)
        if (!taut_sliding_spin(b->reader, b->joint->body[side], &omega[side]))
            return taut_fail_at(
                b->reader->errors, TAUT_ERR_INPUT,
                taut_reader_place(b->reader, taut_yaml_get(b->entry, "Joint")),
                "how '%s' turns is not known, because the body '%s' has too few points and "
                "vectors: give it two vectors, so that it can turn about any axis",
                b->joint->name, b->reader->model->mechanism->body[b->joint->body[side]].name);
    *spin = (taut_vec){.n = 3};
    for (int k = 0; k < 3; k++) spin->c[k] = taut_sub(g, omega[1].c[k], omega[0].c[k]);
    return TAUT_OK;
}

/* A ball rubs at its radius, against the direction in which it turns, with the whole force. */
static taut_status read_ball(bearing *b) {
    taut_node radius = TAUT_NO_NODE;
    taut_vec spin = {0};
    TAUT_TRY(read_radius(b, &radius));
    TAUT_TRY(find_spin(b, &spin));
    for (int k = 0; k < 3; k++)
        b->contact->along[k] = taut_mul(b->reader->model->graph, radius, spin.c[k]);
    b->contact->rates = true;
    press(b, 0, 3);
    return TAUT_OK;
}

/* Of one end of a guide: half of the force across it, and the moment over its length, with a sign;
 * both multipliers are along the same vectors (docs/math/loads.md, section 2). */
static taut_status press_end(bearing *b, int moments) {
    const taut_yaml *node = taut_yaml_get(b->entry, "Length");
    taut_graph *g = b->reader->model->graph;
    taut_vec v;
    if (!node) return TAUT_OK;
    TAUT_TRY(taut_formula_read_as(b->reader->symbols, node, 1, TAUT_LENGTH, &v));
    const taut_node_data *d = taut_node_get(g, v.c[0]);
    if (!d->steady || !(d->value > 0.0))
        return fail(b, node, "'Length' is a length above 0: a formula of parameters");
    taut_assume_sign(g, v.c[0]);
    b->contact->load_scale = taut_number(g, 0.5);
    b->contact->lever = taut_div(g, taut_number(g, b->end), taut_scale(g, 0.5, v.c[0]));
    for (int k = 0; k < b->contact->loads; k++)
        b->contact->moment[k] = taut_leaf(g, b->joint->multiplier + moments + k);
    return TAUT_OK;
}

/* What slides by some distances of the joint and turns about its first axis: one friction against
 * all of it. Rates, since an angle that is counted has its rate as an unknown. */
static taut_status read_sliding_pin(bearing *b, int distances) {
    const taut_model *m = b->reader->model;
    const taut_element *axis = &m->mechanism->element[b->joint->axis[0]];
    taut_node radius = TAUT_NO_NODE;
    taut_vec spin = {0}, direction = {.n = 3};
    TAUT_TRY(read_radius(b, &radius));
    TAUT_TRY(find_spin(b, &spin));
    for (int k = 0; k < 3; k++) direction.c[k] = axis->leaf[k];
    for (int k = 0; k < distances; k++)
        b->contact->along[k] = taut_dot(m->graph, distance(b, k), 1);
    b->contact->along[distances] =
        taut_mul(m->graph, radius, taut_vec_inner(m->graph, direction, spin));
    b->contact->rates = true;
    return TAUT_OK;
}

/* A sleeve on a shaft, with the force across that. */
static taut_status read_sleeve(bearing *b) {
    press(b, 2, 2);
    TAUT_TRY(press_end(b, 0));
    return read_sliding_pin(b, 1);
}

/* A plate slides on a plane; with a radius it rubs where it turns, too. */
static taut_status read_plate(bearing *b) {
    press(b, 2, 1);
    if (taut_yaml_get(b->entry, "Radius")) return read_sliding_pin(b, 2);
    for (int k = 0; k < 2; k++) b->contact->along[k] = distance(b, k);
    return TAUT_OK;
}

/* A slider rubs along its line, with the force across it. */
static taut_status read_slider(bearing *b, int dimension) {
    const bool aligned = taut_joint_demands(b->joint->kind, dimension, TAUT_CONDITION_ALIGN);
    if (taut_yaml_get(b->entry, "Radius"))
        return fail(b, taut_yaml_get(b->entry, "Radius"),
                    "what slides along a line has no 'Radius'");
    b->contact->along[0] = distance(b, 0);
    press(b, aligned ? dimension - 1 : 0, dimension - 1);
    if (!aligned && taut_yaml_get(b->entry, "Length"))
        return fail(b, taut_yaml_get(b->entry, "Length"),
                    "a point on a line carries no moment: it has no 'Length'");
    return press_end(b, 0);
}

/* A thread rubs along its helix: with the lead angle a, tan a = pitch/(2 pi r), it slides by
 * r phi cos a + s sin a, and a thrust Q presses with Q/cos a. */
static taut_status read_screw(bearing *b) {
    taut_graph *g = b->reader->model->graph;
    taut_node radius = TAUT_NO_NODE;
    TAUT_TRY(read_radius(b, &radius));
    const taut_node slope = taut_div(g, b->joint->number, taut_scale(g, 2.0 * M_PI, radius));
    const taut_node stretch = taut_apply(
        g, TAUT_OP_SQRT, taut_add(g, taut_number(g, 1.0), taut_square(g, slope))); /* 1/cos a */
    const taut_node risen = taut_mul(g, slope, distance(b, 0));
    b->contact->along[0] = taut_div(g, taut_add(g, turned(b, radius, 0), risen), stretch);
    b->contact->load_scale = stretch;
    press(b, 4, 1);
    return TAUT_OK;
}

static taut_status read_kind(bearing *b, int dimension) {
    const taut_joint_kind kind = b->joint->kind;
    if (taut_yaml_get(b->entry, "Length") && kind != TAUT_JOINT_PRISMATIC &&
        kind != TAUT_JOINT_CYLINDRICAL && kind != TAUT_JOINT_LINE)
        return fail(b, taut_yaml_get(b->entry, "Length"),
                    "'Length' is for prismatic and cylindrical joints: the guide on which a moment "
                    "presses");
    switch (b->joint->kind) {
    case TAUT_JOINT_REVOLUTE: return read_pin(b, dimension);
    case TAUT_JOINT_SPHERICAL: return dimension == 2 ? read_pin(b, dimension) : read_ball(b);
    case TAUT_JOINT_CYLINDRICAL: return read_sleeve(b);
    case TAUT_JOINT_PLANAR: return read_plate(b);
    case TAUT_JOINT_PRISMATIC:
    case TAUT_JOINT_LINE: return read_slider(b, dimension);
    case TAUT_JOINT_SCREW: return read_screw(b);
    default: break;
    }
    return taut_fail_at(
        b->reader->errors, TAUT_ERR_INPUT,
        taut_reader_place(b->reader, taut_yaml_get(b->entry, "Joint")),
        "friction by load is known for pins, sliders, ball, cylindrical, planar and screw joints "
        "and points on lines, not for '%s', a %s joint: give it as {On: ..., Force: ...}",
        b->joint->name, taut_joint_kind_name(b->joint->kind));
}

taut_status taut_read_bearing(taut_reader *r, const taut_yaml *entry, double end,
                              taut_model_contact *c) {
    static const char *const LEVEL[] = {"On", "Force"};
    const taut_yaml *joint = taut_yaml_get(entry, "Joint");
    const taut_mechanism *m = r->model->mechanism;
    bearing b = {.reader = r, .entry = entry, .contact = c, .end = end};
    if (!taut_reader_expect(r, joint, TAUT_YAML_SCALAR, "'Joint' (its name)"))
        return TAUT_ERR_INPUT;
    if (!m)
        return fail(&b, joint,
                    "joints are parts of mechanisms: give a level, {On: ..., Force: ...}");
    for (int i = 0; i < 2; i++)
        if (taut_yaml_get(entry, LEVEL[i]))
            return fail(&b, taut_yaml_get(entry, LEVEL[i]),
                        "friction has a level, {On: ..., Force: ...}, or it comes from a load, "
                        "{Joint: ..., Coefficient: ...}: not both");
    TAUT_TRY(taut_find_joint(r, joint, &c->joint));
    if (!taut_yaml_get(entry, "Coefficient")) {
        taut_reader_missing(r, entry, "Coefficient", ": of friction, a number");
        return TAUT_ERR_INPUT;
    }
    b.joint = &m->joint[c->joint];
    c->along_place = c->gap_place = taut_reader_place(r, joint);
    TAUT_TRY(read_kind(&b, m->dimension));
    r->model->holds += 2;
    TAUT_TRY(taut_symbols_add_number(r->symbols, 1.0, &c->sense, &c->sense_node));
    return taut_symbols_add_number(r->symbols, 0.0, &c->least, &c->least_node);
}
