/* Tendons of an MJCF file that are plain springs: between two sites, or of a sum of coordinates. */
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "import/mjcf_parts.h"

enum {
    MOST_PULLS = 8 << 20 /* length of all formulas: each joint of a tendon has the whole one */
};

typedef struct tendon {
    const char *name;
    double stiffness, damping;
    double rest[2]; /* no force between them; below 0: as long as where springs are at rest */
} tendon;

static taut_status read(taut_mjcf *m, const taut_xml *node, tendon *t) {
    int found;
    *t = (tendon){.name = taut_mjcf_text(m, node, "name"), .rest = {-1.0, -1.0}};
    if (!t->name) t->name = "";
    TAUT_TRY(taut_mjcf_number(m, node, "stiffness", &t->stiffness));
    TAUT_TRY(taut_mjcf_number(m, node, "damping", &t->damping));
    TAUT_TRY(taut_mjcf_numbers(m, node, "springlength", t->rest, 1, 2, &found));
    if (found < 2) t->rest[1] = t->rest[0];
    if (m->no_passive) t->stiffness = t->damping = 0.0;
    if (t->stiffness >= 0.0 && t->damping >= 0.0) return TAUT_OK;
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                        "stiffness and damping of a tendon are not negative");
}

/* What a tendon has beside its spring and damper. */
static void leave_rest(const taut_mjcf *m, const taut_xml *node, const tendon *t) {
    static const char *const part[] = {"range", "frictionloss", "armature"};
    for (int i = 0; i < 3; i++)
        if (taut_mjcf_source(m, node, part[i]))
            taut_robot_leave_out(m->robot, "%s of tendon %s", part[i], t->name);
    taut_mjcf_leave_others(m, node);
}

/* ---- between two sites ---- */

static bool has_two_sites(const taut_xml *node) {
    int count = 0;
    for (const taut_xml *x = node->first; x; x = x->next) {
        if (strcmp(x->name, "site") != 0) return false;
        count++;
    }
    return count == 2;
}

/* How a joint moves its body away from where the file has it, at the rest of its spring. */
static taut_robot_frame at_rest(const taut_robot_joint *j) {
    taut_robot_frame f = taut_frame_none;
    double turned[3];
    if (j->kind == TAUT_ROBOT_PRISMATIC)
        for (int i = 0; i < 3; i++) f.p[i] = j->axis[i] * j->rest;
    if (j->kind != TAUT_ROBOT_REVOLUTE) return f;
    taut_frame_axis_angle(j->axis, j->rest, f.R);
    taut_rotate(f.R, j->anchor, turned);
    for (int i = 0; i < 3; i++) f.p[i] = j->anchor[i] - turned[i];
    return f;
}

/* Where a site is in the world while all springs of joints are at rest: MuJoCo measures there. */
static void find_resting(const taut_robot *r, const taut_mjcf_spot *spot, double world[3]) {
    taut_robot_frame f = spot->frame;
    for (int k = spot->body; k != TAUT_GROUND; k = r->body[k].parent) {
        const taut_robot_body *b = &r->body[k];
        for (int i = b->steps - 1; i >= 0; i--) {
            const taut_robot_frame moved = at_rest(&b->step[i]);
            f = taut_frame_compose(&moved, &f);
        }
        const taut_robot_frame moved = b->steps ? taut_frame_none : at_rest(&b->joint);
        f = taut_frame_compose(&moved, &f);
        f = taut_frame_compose(&b->pose, &f);
    }
    memcpy(world, f.p, sizeof f.p);
}

static taut_status read_spatial(taut_mjcf *m, const taut_xml *node, const tendon *t) {
    taut_robot_spring s = {.stiffness = t->stiffness, .damping = t->damping, .rest = t->rest[0]};
    double world[2][3], length = 0.0;
    const taut_xml *end = taut_xml_child(node, "site");
    for (int side = 0; side < 2; side++, end = taut_xml_next(end, "site")) {
        const taut_mjcf_spot *spot;
        TAUT_TRY(taut_mjcf_spot_named(m, end, "site", true, &spot));
        s.body[side] = spot->body;
        memcpy(s.place[side], spot->frame.p, sizeof s.place[side]);
        find_resting(m->robot, spot, world[side]);
    }
    for (int i = 0; i < 3; i++) length += (world[0][i] - world[1][i]) * (world[0][i] - world[1][i]);
    if (s.rest < 0.0) s.rest = sqrt(length);
    taut_robot_spring *new = taut_robot_add_spring(m->robot);
    if (!(s.label = taut_mjcf_label(m, node)) || !new) return TAUT_ERR_MEMORY;
    *new = s;
    return TAUT_OK;
}

/* ---- of a sum of coordinates ---- */

static bool has_joints(const taut_xml *node) {
    for (const taut_xml *x = node->first; x; x = x->next)
        if (strcmp(x->name, "joint") != 0) return false;
    return node->first != NULL;
}

/* k or -k of a product: " - k*", at the start without blanks. */
static void add_factor(taut_string *out, double k, bool first) {
    taut_string_add(out, "%s", first ? (k < 0.0 ? "-" : "") : k < 0.0 ? " - " : " + ");
    taut_robot_number(out, fabs(k));
    taut_string_add(out, "*");
}

/* "a*p - b*q", each with a prime or none. *rest: what it is at rest. */
static taut_status add_length(const taut_mjcf *m, const taut_xml *node, const tendon *t,
                              const char *prime, double *rest, taut_string *out) {
    *rest = t->rest[0] < 0.0 ? 0.0 : t->rest[0];
    for (const taut_xml *x = node->first; x; x = x->next) {
        taut_robot_joint *j;
        double coef = 0.0;
        TAUT_TRY(taut_mjcf_joint_named(m, x, "joint", &j));
        TAUT_TRY(taut_xml_number(x, "coef", &coef, m->errors));
        *rest += coef * (t->rest[0] < 0.0 ? j->rest : -j->ref);
        add_factor(out, coef, x == node->first);
        taut_string_add(out, "%s%s", j->label, prime);
    }
    return TAUT_OK;
}

/* "k*(length - rest) + d*(rate)". */
static taut_status write_tension(const taut_mjcf *m, const taut_xml *node, const tendon *t,
                                 taut_string *out) {
    double rest;
    if (t->stiffness > 0.0) {
        add_factor(out, t->stiffness, true);
        taut_string_add(out, "(");
        TAUT_TRY(add_length(m, node, t, "", &rest, out));
        taut_string_add(out, " - (");
        taut_robot_number(out, rest);
        taut_string_add(out, "))");
    }
    if (t->damping > 0.0) {
        add_factor(out, t->damping, t->stiffness == 0.0);
        taut_string_add(out, "(");
        TAUT_TRY(add_length(m, node, t, "'", &rest, out));
        taut_string_add(out, ")");
    }
    return out->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* -coef times the tension joins what pulls at a joint already. */
static taut_status add_pull(taut_mjcf *m, taut_robot_joint *j, double coef, const char *tension) {
    taut_string s = {0};
    add_factor(&s, -coef, !j->pull && j->kind == TAUT_ROBOT_REVOLUTE);
    taut_robot_pull *new = TAUT_NEW(&m->robot->arena, taut_robot_pull);
    if (new && !s.failed) new->factor = taut_arena_copy(&m->robot->arena, s.text, strlen(s.text));
    taut_string_release(&s);
    if (!new || !new->factor) return TAUT_ERR_MEMORY;
    new->tension = tension;
    *(j->pull ? &j->last_pull->next : &j->pull) = new;
    j->last_pull = new;
    return TAUT_OK;
}

static taut_status write_fixed(taut_mjcf *m, const taut_xml *node, const tendon *t,
                               taut_string *out) {
    TAUT_TRY(write_tension(m, node, t, out));
    const char *made = out->text ? out->text : "";
    const char *tension = taut_arena_copy(&m->robot->arena, made, strlen(made));
    if (!tension) return TAUT_ERR_MEMORY;
    for (const taut_xml *x = node->first; x; x = x->next) {
        taut_robot_joint *j;
        double coef = 0.0;
        TAUT_TRY(taut_mjcf_joint_named(m, x, "joint", &j));
        TAUT_TRY(taut_xml_number(x, "coef", &coef, m->errors));
        if ((m->pulls += strlen(tension)) > MOST_PULLS)
            return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(x),
                                "the forces of tendons are formulas of more than %d MB in all",
                                MOST_PULLS >> 20);
        TAUT_TRY(add_pull(m, j, coef, tension));
    }
    return TAUT_OK;
}

taut_status taut_mjcf_tendon(taut_mjcf *m, const taut_xml *node) {
    const bool spatial = strcmp(node->name, "spatial") == 0;
    taut_string force = {0};
    tendon t;
    TAUT_TRY(read(m, node, &t));
    const bool passive = t.stiffness == 0.0 && t.damping == 0.0;
    if (passive || t.rest[0] != t.rest[1] || !(spatial ? has_two_sites(node) : has_joints(node))) {
        taut_robot_leave_out(m->robot, "tendon %s%s", t.name,
                             passive ? ": it has neither stiffness nor damping"
                                     : ": it is no plain spring between two sites or of joints");
        return TAUT_OK;
    }
    leave_rest(m, node, &t);
    if (m->robot->springs == TAUT_ROBOT_SPRINGS_MAX)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "there are more than %d tendons that are springs",
                            (int)TAUT_ROBOT_SPRINGS_MAX);
    if (spatial) return read_spatial(m, node, &t);
    const taut_status status = write_fixed(m, node, &t, &force);
    taut_string_release(&force);
    return status;
}
