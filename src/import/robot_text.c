/* The tree as a model file: one body a block, names kept. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "import/robot.h"

/* The shortest digits that give the same number. */
void taut_robot_number(taut_string *out, double x) {
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        taut_format(text, sizeof text, "%.*g", digits, x == 0.0 ? 0.0 : x);
        if (taut_number_parse(text, NULL) == x) break;
    }
    taut_string_add(out, "%s", text);
}

static void add_vector(taut_string *out, const double v[3]) {
    for (int i = 0; i < 3; i++) {
        taut_string_add(out, "%s", i ? ", " : "[");
        taut_robot_number(out, v[i]);
    }
    taut_string_add(out, "]");
}

static bool has_axis(const taut_robot_body *b) {
    return b->joint.kind == TAUT_ROBOT_REVOLUTE || b->joint.kind == TAUT_ROBOT_PRISMATIC ||
           b->joint.kind == TAUT_ROBOT_PLANAR;
}

static bool is_angle(const taut_robot_body *b) { return b->joint.kind == TAUT_ROBOT_REVOLUTE; }

static bool has_coordinate(const taut_robot_body *b) {
    return b->joint.kind == TAUT_ROBOT_REVOLUTE || b->joint.kind == TAUT_ROBOT_PRISMATIC;
}

/* A comment that ends its line, whatever the text is. */
static void add_comment(taut_string *out, const char *text) {
    char shown[600];
    taut_text_escape(text, shown, sizeof shown, false);
    taut_string_add(out, "%s", shown);
}

/* ---- elements of bodies, and of the ground ---- */

typedef struct elements {
    taut_string name, place;
    bool map; /* "name: place", of the ground */
} elements;

static void add_element(elements *e, const char *prefix, const char *label, const double v[3]) {
    if (e->map) {
        taut_string_add(&e->place, "    %s_%s: ", prefix, label);
        add_vector(&e->place, v);
        taut_string_add(&e->place, "\n");
        return;
    }
    const bool first = !e->name.text;
    taut_string_add(&e->name, "%s%s_%s", first ? "" : ", ", prefix, label);
    if (first) return; /* the origin */
    taut_string_add(&e->place, "%s", e->place.text ? ", " : "");
    add_vector(&e->place, v);
}

/* Where the local origin of a body is in its frame: the anchor of its joint. */
static void from_origin(const taut_robot *r, int body, const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = v[i] - (body == TAUT_GROUND ? 0.0 : r->body[body].joint.anchor[i]);
}

/* The body's own three: origin, axis and normal of its joint, or axes of its frame. */
static void add_own(const taut_robot_body *b, elements *e) {
    double normal[3];
    add_element(e, "O", b->label, (const double[]){0, 0, 0});
    if (has_axis(b)) {
        taut_across(b->joint.axis, normal);
        add_element(e, "a", b->label, b->joint.axis);
        add_element(e, "n", b->label, normal);
    } else {
        add_element(e, "x", b->label, (const double[]){1, 0, 0});
        add_element(e, "y", b->label, (const double[]){0, 1, 0});
    }
}

static bool is_zero(const double v[3]) { return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0; }

/* A place of a body, from its origin; true: it is the origin itself, which has a name already. */
static bool is_origin(const taut_robot *r, int body, const double place[3], double v[3]) {
    from_origin(r, body, place, v);
    return body != TAUT_GROUND && is_zero(v);
}

/* The name of that place: PREFIX_LABEL, or the body's origin. */
static void add_place(const taut_robot *r, int body, const double place[3], const char *prefix,
                      const char *label, taut_string *out) {
    double v[3];
    if (is_origin(r, body, place, v))
        taut_string_add(out, "O_%s", r->body[body].label);
    else
        taut_string_add(out, "%s_%s", prefix, label);
}

/* What a child's joint needs of its parent. */
static void add_seat(const taut_robot *r, int parent, const taut_robot_body *child, elements *e) {
    double point[3], v[3], normal[3];
    if (child->joint.kind == TAUT_ROBOT_FREE) return;
    taut_frame_point(&child->pose, child->joint.anchor, point);
    if (!is_origin(r, parent, point, v)) add_element(e, "P", child->label, v);
    if (child->joint.kind == TAUT_ROBOT_CHAIN) { /* its frame where all coordinates are 0 */
        taut_rotate(child->pose.R, (const double[]){1, 0, 0}, v);
        add_element(e, "u", child->label, v);
        taut_rotate(child->pose.R, (const double[]){0, 1, 0}, v);
        add_element(e, "v", child->label, v);
    }
    if (!has_axis(child)) return;
    taut_rotate(child->pose.R, child->joint.axis, v);
    add_element(e, "u", child->label, v);
    taut_across(child->joint.axis, normal);
    taut_rotate(child->pose.R, normal, v);
    add_element(e, "v", child->label, v);
}

static const char *const SIDE[2][3] = {{"A", "p", "r"}, {"B", "q", "s"}};

static void add_ends(const taut_robot *r, int body, elements *e) {
    for (int k = 0; k < r->loops; k++)
        for (int side = 0; side < 2; side++) {
            const taut_robot_loop *l = &r->loop[k];
            double v[3], z[3], x[3];
            if (l->body[side] != body) continue;
            if (!is_origin(r, body, l->place[side].p, v))
                add_element(e, SIDE[side][0], l->label, v);
            if (l->kind == TAUT_ROBOT_SPHERICAL) continue;
            taut_rotate(l->place[side].R, (const double[]){0, 0, 1}, z);
            taut_rotate(l->place[side].R, (const double[]){1, 0, 0}, x);
            add_element(e, SIDE[side][1], l->label, z);
            if (l->kind == TAUT_ROBOT_FREE) add_element(e, SIDE[side][2], l->label, x);
        }
}

static void add_anchors(const taut_robot *r, int body, elements *e) {
    for (int k = 0; k < r->springs; k++)
        for (int side = 0; side < 2; side++) {
            const taut_robot_spring *s = &r->spring[k];
            double v[3];
            if (s->body[side] == body && !is_origin(r, body, s->place[side], v))
                add_element(e, side ? "T" : "S", s->label, v);
        }
}

static void collect(const taut_robot *r, int body, elements *e) {
    if (body != TAUT_GROUND) add_own(&r->body[body], e);
    for (int i = 0; i < r->bodies; i++)
        if (r->body[i].parent == body) add_seat(r, body, &r->body[i], e);
    add_ends(r, body, e);
    add_anchors(r, body, e);
}

static bool release(elements *e) {
    const bool failed = e->name.failed || e->place.failed;
    taut_string_release(&e->name);
    taut_string_release(&e->place);
    return !failed;
}

/* ---- blocks ---- */

static void add_dyna(const taut_robot *r, int body, taut_string *out) {
    const taut_mass *m = &r->body[body].mass;
    const double *I = m->inertia;
    double centre[3];
    from_origin(r, body, m->centre, centre);
    taut_string_add(out, "      Dyna:\n        - ");
    add_vector(out, centre);
    taut_string_add(out, "\n        - ");
    taut_robot_number(out, m->mass);
    taut_string_add(out, "\n        - ");
    if (I[1] == 0.0 && I[2] == 0.0 && I[5] == 0.0)
        add_vector(out, (const double[]){I[0], I[4], I[8]});
    else
        for (int i = 0; i < 3; i++) {
            taut_string_add(out, "%s", i ? ", " : "[");
            add_vector(out, I + 3 * i);
        }
    taut_string_add(out, "%s\n", I[1] == 0.0 && I[2] == 0.0 && I[5] == 0.0 ? "" : "]");
}

static bool is_turned(const double R[9]) {
    bool turned = false;
    for (int i = 0; i < 9; i++) turned = turned || R[i] != taut_frame_none.R[i];
    return turned;
}

/* The surface: its file, scale and origin, and its axes where they are not those of the body. */
static void add_mesh(const taut_robot *r, int body, taut_string *out) {
    const taut_robot_mesh *m = &r->body[body].mesh;
    double origin[3];
    if (!m->file) return;
    from_origin(r, body, m->frame.p, origin);
    taut_string_add(out, "      Mesh: {File: \"%s\", Scale: ", m->file);
    taut_robot_number(out, m->scale);
    taut_string_add(out, ", Origin: ");
    add_vector(out, origin);
    if (is_turned(m->frame.R))
        for (int k = 0; k < 2; k++) {
            const double *R = m->frame.R, axis[3] = {R[k], R[3 + k], R[6 + k]};
            taut_string_add(out, "%s", k ? ", " : ", Axes: [");
            add_vector(out, axis);
            if (k) taut_string_add(out, "]");
        }
    taut_string_add(out, "}\n");
}

static bool has_mass(const taut_mass *m) {
    return m->mass > 0.0 || m->inertia[0] + m->inertia[4] + m->inertia[8] > 0.0;
}

static bool write_body(const taut_robot *r, int body, taut_string *out) {
    const taut_robot_body *b = &r->body[body];
    elements e = {0};
    collect(r, body, &e);
    taut_string_add(out, "    %s:", b->label);
    if (strcmp(b->label, b->name) != 0 || b->merged.text) {
        taut_string_add(out, "  # ");
        add_comment(out, b->name);
        if (b->merged.text) taut_string_add(out, ", with ");
        if (b->merged.text) add_comment(out, b->merged.text);
    }
    taut_string_add(out, "\n      Elements: [%s]\n      Geom: [%s]\n", e.name.text, e.place.text);
    if (has_mass(&b->mass)) add_dyna(r, body, out);
    add_mesh(r, body, out);
    return release(&e);
}

static void write_joint(const taut_robot *r, const taut_robot_body *b, taut_string *out) {
    static const char *const type[] = {"revolute", "prismatic", "spherical", "planar"};
    const char *name = b->label, *q = b->joint.label;
    if (b->joint.kind == TAUT_ROBOT_FREE || b->joint.kind == TAUT_ROBOT_CHAIN) return;
    double seat[3];
    taut_frame_point(&b->pose, b->joint.anchor, seat);
    taut_string_add(out, "    %s_joint: {Type: %s, Points: [", q, type[b->joint.kind]);
    add_place(r, b->parent, seat, "P", name, out);
    taut_string_add(out, ", O_%s]", name);
    if (has_axis(b))
        taut_string_add(out, ", Axes: [u_%s, a_%s], Normals: [v_%s, n_%s]", name, name, name, name);
    switch (b->joint.kind) {
    case TAUT_ROBOT_REVOLUTE: taut_string_add(out, ", Angle: %s}\n", q); break;
    case TAUT_ROBOT_PRISMATIC: taut_string_add(out, ", Distance: %s}\n", q); break;
    case TAUT_ROBOT_PLANAR:
        taut_string_add(out, ", Angle: %s, Distance: [%s, %s]}\n", q, b->joint.along[0],
                        b->joint.along[1]);
        break;
    default: taut_string_add(out, "}\n");
    }
}

static void write_chain(const taut_robot *r, const taut_robot_body *b, taut_string *out) {
    const char *name = b->label;
    taut_string_add(out, "    %s_joints:\n      Points: [", name);
    add_place(r, b->parent, b->pose.p, "P", name, out);
    taut_string_add(out, ", O_%s]\n      Axes: [u_%s, x_%s]\n      Normals: [v_%s, y_%s]\n", name,
                    name, name, name, name);
    taut_string_add(out, "      Steps:\n");
    for (int i = 0; i < b->steps; i++) {
        const taut_robot_joint *j = &b->step[i];
        taut_string_add(out, "        %s: {%s: ", j->label,
                        j->kind == TAUT_ROBOT_REVOLUTE ? "Turn" : "Slide");
        add_vector(out, j->axis);
        if (!is_zero(j->anchor) && j->kind == TAUT_ROBOT_REVOLUTE) {
            taut_string_add(out, ", At: ");
            add_vector(out, j->anchor);
        }
        taut_string_add(out, "}\n");
    }
}

static void write_springs(const taut_robot *r, taut_string *out) {
    if (r->springs > 0) taut_string_add(out, "  SpringDampers:\n");
    for (int k = 0; k < r->springs; k++) {
        const taut_robot_spring *s = &r->spring[k];
        taut_string_add(out, "    %s: {Elements: [", s->label);
        add_place(r, s->body[0], s->place[0], "S", s->label, out);
        taut_string_add(out, ", ");
        add_place(r, s->body[1], s->place[1], "T", s->label, out);
        taut_string_add(out, "], k: ");
        taut_robot_number(out, s->stiffness);
        taut_string_add(out, ", l: ");
        taut_robot_number(out, s->rest);
        taut_string_add(out, ", c: ");
        taut_robot_number(out, s->damping);
        taut_string_add(out, "}\n");
    }
}

static void write_loop(const taut_robot *r, const taut_robot_loop *l, taut_string *out) {
    const char *n = l->label;
    taut_string_add(out, "    %s_loop: {Type: %s, Points: [", n,
                    l->kind == TAUT_ROBOT_SPHERICAL  ? "spherical"
                    : l->kind == TAUT_ROBOT_REVOLUTE ? "revolute"
                                                     : "weld");
    for (int side = 0; side < 2; side++) {
        add_place(r, l->body[side], l->place[side].p, SIDE[side][0], n, out);
        taut_string_add(out, "%s", side == 0 ? ", " : "]");
    }
    if (l->kind != TAUT_ROBOT_SPHERICAL) taut_string_add(out, ", Axes: [p_%s, q_%s]", n, n);
    if (l->kind == TAUT_ROBOT_FREE) taut_string_add(out, ", Normals: [r_%s, s_%s]", n, n);
    taut_string_add(out, "}\n");
}

static void write_ties(const taut_robot *r, taut_string *out, taut_string *rest) {
    for (int k = 0; k < r->ties; k++) {
        const taut_robot_tie *t = &r->tie[k];
        const taut_robot_body *a = &r->body[t->first], *b = &r->body[t->second];
        if (is_angle(a) == is_angle(b) && !is_angle(a)) { /* two distances */
            taut_string_add(rest, "  %s: %s - (", t->label, b->joint.label);
            taut_robot_number(rest, t->ratio);
            taut_string_add(rest, ")*%s - (", a->joint.label);
            taut_robot_number(rest, t->offset);
            taut_string_add(rest, ")\n");
            continue;
        }
        /* a rack is s = radius angle + phase: the angle comes first */
        const bool turned = !is_angle(a);
        const double ratio = turned ? 1.0 / t->ratio : t->ratio;
        const double phase = turned ? -t->offset / t->ratio : t->offset;
        taut_string_add(out, "    %s: {Type: %s, Coordinates: [%s, %s], %s: ", t->label,
                        is_angle(a) && is_angle(b) ? "gear" : "rack", (turned ? b : a)->joint.label,
                        (turned ? a : b)->joint.label,
                        is_angle(a) && is_angle(b) ? "Ratio" : "Radius");
        taut_robot_number(out, ratio);
        taut_string_add(out, ", Phase: ");
        taut_robot_number(out, phase);
        taut_string_add(out, "}\n");
    }
}

/* ---- what acts in joints ---- */

typedef struct sections {
    taut_string chains, springs, dampers, armature, forces, torques, limits, friction, constraints;
} sections;

static void add_pulls(const taut_robot_joint *j, taut_string *out) {
    for (const taut_robot_pull *p = j->pull; p; p = p->next)
        taut_string_add(out, "%s(%s)", p->factor, p->tension);
    taut_string_add(out, "\"\n");
}

/* On a distance: spring, damper, and what pulls. */
static void add_force(const taut_robot_joint *j, taut_string *out) {
    if (!j->pull && j->stiffness == 0.0 && j->damping == 0.0) return;
    taut_string_add(out, "    %s: \"", j->label);
    if (j->stiffness != 0.0) {
        taut_string_add(out, "-");
        taut_robot_number(out, j->stiffness);
        taut_string_add(out, "*(%s - (", j->label);
        taut_robot_number(out, j->rest);
        taut_string_add(out, "))");
    }
    if (j->damping != 0.0) {
        taut_string_add(out, "%s-", j->stiffness != 0.0 ? " " : "");
        taut_robot_number(out, j->damping);
        taut_string_add(out, "*%s'", j->label);
    }
    add_pulls(j, out);
}

static void add_passive(const taut_robot_joint *j, sections *s) {
    const bool turns = j->kind == TAUT_ROBOT_REVOLUTE;
    if (j->armature > 0.0) {
        taut_string_add(&s->armature, "    %s: ", j->label);
        taut_robot_number(&s->armature, j->armature);
        taut_string_add(&s->armature, "\n");
    }
    if (turns && j->stiffness != 0.0) {
        taut_string_add(&s->springs, "    %s: [", j->label);
        taut_robot_number(&s->springs, j->stiffness);
        taut_string_add(&s->springs, ", ");
        taut_robot_number(&s->springs, j->rest);
        taut_string_add(&s->springs, "]\n");
    }
    if (turns && j->damping != 0.0) {
        taut_string_add(&s->dampers, "    %s: ", j->label);
        taut_robot_number(&s->dampers, j->damping);
        taut_string_add(&s->dampers, "\n");
    }
    if (!turns) add_force(j, &s->forces);
    if (turns && j->pull) {
        taut_string_add(&s->torques, "    %s: \"", j->label);
        add_pulls(j, &s->torques);
    }
    if (j->friction > 0.0) {
        taut_string_add(&s->friction, "  %s_friction: {On: %s, Force: ", j->label, j->label);
        taut_robot_number(&s->friction, j->friction);
        taut_string_add(&s->friction, "}\n");
    }
    if (!j->limited) return;
    taut_string_add(&s->limits, "  %s: {Lower: ", j->label);
    taut_robot_number(&s->limits, j->lower);
    taut_string_add(&s->limits, ", Upper: ");
    taut_robot_number(&s->limits, j->upper);
    taut_string_add(&s->limits, "}\n");
}

/* A ball's damper acts on the whole angular velocity against the parent. */
static void add_ball_damper(const taut_robot *r, const taut_robot_body *b, sections *s) {
    if (b->joint.damping == 0.0) return;
    taut_string_add(&s->dampers, "    %s_damper: {Bodies: [%s, %s], c: ", b->joint.label,
                    b->parent == TAUT_GROUND ? "ground" : r->body[b->parent].label, b->label);
    taut_robot_number(&s->dampers, b->joint.damping);
    taut_string_add(&s->dampers, "}\n");
}

static void add_joint_parts(const taut_robot *r, const taut_robot_body *b, sections *s) {
    if (has_coordinate(b)) add_passive(&b->joint, s);
    if (b->joint.kind == TAUT_ROBOT_SPHERICAL) add_ball_damper(r, b, s);
    if (b->joint.kind != TAUT_ROBOT_CHAIN) return;
    write_chain(r, b, &s->chains);
    for (int i = 0; i < b->steps; i++) add_passive(&b->step[i], s);
}

static void add_section(taut_string *out, const char *title, const taut_string *lines) {
    if (lines->text && lines->text[0]) taut_string_add(out, "%s:\n%s", title, lines->text);
}

/* ---- initial values ---- */

static void add_start(const taut_robot *r, int body, taut_string *out) {
    const taut_robot_body *b = &r->body[body];
    double v[3];
    if (has_coordinate(b)) {
        taut_string_add(out, "    %s: ", b->joint.label);
        taut_robot_number(out, b->joint.initial);
        taut_string_add(out, "\n");
        return;
    }
    for (int i = 0; i < b->steps; i++) taut_string_add(out, "    %s: 0\n", b->step[i].label);
    if (b->joint.kind == TAUT_ROBOT_CHAIN) return;
    if (b->joint.kind == TAUT_ROBOT_PLANAR) {
        taut_string_add(out, "    %s: 0\n    %s: 0\n    %s: 0\n", b->joint.label, b->joint.along[0],
                        b->joint.along[1]);
        return;
    }
    const taut_robot_frame f = taut_robot_world(r, body);
    if (b->joint.kind == TAUT_ROBOT_FREE) {
        taut_frame_point(&f, b->joint.anchor, v);
        taut_string_add(out, "    O_%s: ", b->label);
        add_vector(out, v);
        taut_string_add(out, "\n");
    }
    for (int k = 0; k < 2; k++) {
        const double e[3] = {k == 0, k == 1, 0};
        taut_rotate(f.R, e, v);
        taut_string_add(out, "    %s_%s: ", k ? "y" : "x", b->label);
        add_vector(out, v);
        taut_string_add(out, "\n");
    }
}

/* ---- the file ---- */

static void write_head(const taut_robot *r, taut_string *out) {
    taut_string_add(out, "# From ");
    add_comment(out, r->path);
    taut_string_add(out, " (%s), by taut import.\n", r->format);
    if (r->left_out.text) {
        taut_string_add(out, "#\n# Left out, because it has no counterpart here:\n");
        for (const char *p = r->left_out.text; *p;) {
            const size_t n = strcspn(p, "\n");
            taut_string_add(out, "#   %.*s\n", (int)n, p);
            p += n + (p[n] == '\n');
        }
    }
    taut_string_add(out, "Title: \"");
    for (const char *p = r->title; *p; p++)
        if ((unsigned char)*p >= ' ' && *p != '"' && *p != '\\' && *p != 127)
            taut_string_add(out, "%c", *p);
    taut_string_add(out, "\"\nDimension: 3\n");
}

static bool write_parts(const taut_robot *r, taut_string *out, sections *s) {
    elements ground = {.map = true};
    bool good = true;
    collect(r, TAUT_GROUND, &ground);
    taut_string_add(out, "PartData:\n");
    if (ground.place.text) taut_string_add(out, "  Fixed:\n%s", ground.place.text);
    good = release(&ground);
    taut_string_add(out, "  Rigids:\n");
    for (int i = 0; i < r->bodies; i++) good = write_body(r, i, out) && good;
    bool joints = r->ties > 0 || r->loops > 0;
    for (int i = 0; i < r->bodies; i++)
        joints = joints || (r->body[i].joint.kind != TAUT_ROBOT_FREE &&
                            r->body[i].joint.kind != TAUT_ROBOT_CHAIN);
    if (joints) taut_string_add(out, "  Joints:\n");
    for (int i = 0; i < r->bodies; i++) write_joint(r, &r->body[i], out);
    for (int i = 0; i < r->loops; i++) write_loop(r, &r->loop[i], out);
    write_ties(r, out, &s->constraints);
    for (int i = 0; i < r->bodies; i++) add_joint_parts(r, &r->body[i], s);
    taut_string_add(&s->constraints, "%s", r->constraints.text ? r->constraints.text : "");
    good = good && !r->constraints.failed;
    add_section(out, "  Chains", &s->chains);
    write_springs(r, out);
    add_section(out, "  TorsionSprings", &s->springs);
    add_section(out, "  RotationalDampers", &s->dampers);
    add_section(out, "  Armature", &s->armature);
    return good;
}

static void write_rest(const taut_robot *r, const sections *s, taut_string *out) {
    taut_string_add(out, "AppliedForces:\n  Gravity: ");
    add_vector(out, r->gravity);
    taut_string_add(out, "\n");
    add_section(out, "  Forces", &s->forces);
    add_section(out, "  Torques", &s->torques);
    add_section(out, "Constraints", &s->constraints);
    add_section(out, "Limits", &s->limits);
    add_section(out, "Friction", &s->friction);
    taut_string_add(out, "ProblemData:\n  tend: 1\n  positions:\n");
    for (int i = 0; i < r->bodies; i++) add_start(r, i, out);
}

taut_status taut_robot_write(const taut_robot *r, taut_string *out) {
    sections s = {0};
    write_head(r, out);
    bool good = write_parts(r, out, &s);
    write_rest(r, &s, out);
    enum { PARTS = 9 };
    taut_string *const part[PARTS] = {&s.chains,  &s.springs, &s.dampers,  &s.armature,   &s.forces,
                                      &s.torques, &s.limits,  &s.friction, &s.constraints};
    for (int i = 0; i < PARTS; i++) {
        good = good && !part[i]->failed;
        taut_string_release(part[i]);
    }
    return good && !out->failed && !r->left_out.failed ? TAUT_OK : TAUT_ERR_MEMORY;
}
