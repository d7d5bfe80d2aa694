/* The body tree of an MJCF file: bodies with their joints, sites, frames. What has no joint is part
 * of its parent. */
#include "import/mjcf.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "import/mjcf_parts.h"

enum { MOST_BODIES = 5000, MOST_JOINTS = 60 };

/* ---- settings ---- */

static taut_status read_compiler(taut_mjcf *m, const taut_xml *node) {
    static const char *const angle[] = {"degree", "radian"}, *const flag[] = {"false", "true"};
    static const char *const source[] = {"auto", "true", "false"};
    int word = -1;
    const char *sequence = taut_xml_get(node, "eulerseq"), *text;
    TAUT_TRY(taut_mjcf_word(m, node, "angle", angle, 2, &word));
    if (word >= 0) m->radians = word == 1;
    word = 0;
    TAUT_TRY(taut_mjcf_word(m, node, "inertiafromgeom", source, 3, &word));
    m->from_geoms = m->from_geoms || word == 1;
    m->never_geoms = m->never_geoms || word == 2;
    word = m->autolimits;
    TAUT_TRY(taut_mjcf_word(m, node, "autolimits", flag, 2, &word));
    m->autolimits = word == 1;
    TAUT_TRY(taut_xml_number(node, "settotalmass", &m->total_mass, m->errors));
    TAUT_TRY(taut_xml_number(node, "boundmass", &m->least_mass, m->errors));
    TAUT_TRY(taut_xml_numbers(node, "inertiagrouprange", m->groups, 2, m->errors));
    word = m->balance;
    TAUT_TRY(taut_mjcf_word(m, node, "balanceinertia", flag, 2, &word));
    m->balance = word == 1;
    if (sequence && (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3))
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "eulerseq is three of x, y, z, X, Y, Z, not '%s'", sequence);
    if (sequence) memcpy(m->sequence, sequence, 4);
    if ((text = taut_xml_get(node, "assetdir")) && !m->mesh_folder) m->mesh_folder = text;
    if ((text = taut_xml_get(node, "meshdir"))) m->mesh_folder = text;
    if ((text = taut_xml_get(node, "coordinate")) && strcmp(text, "local") != 0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "coordinate '%s' is not read: save the model with local coordinates",
                            text);
    taut_mjcf_leave_attributes(
        m, node,
        "angle inertiafromgeom autolimits eulerseq coordinate settotalmass meshdir "
        "boundmass balanceinertia exactmeshinertia inertiagrouprange "
        "texturedir assetdir strippath discardvisual convexhull fitaabb "
        "fusestatic usethread");
    return TAUT_OK;
}

/* Flags of <option> that switch off what is read here. */
static taut_status read_flag(taut_mjcf *m, const taut_xml *flag) {
    static const char *const word[] = {"disable", "enable"};
    bool gravity = false;
    const struct {
        const char *name;
        bool *off;
    } part[] = {{"gravity", &gravity},
                {"limit", &m->no_limits},
                {"frictionloss", &m->no_friction},
                {"equality", &m->no_ties},
                {"passive", &m->no_passive}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        int value = *part[i].off ? 0 : 1;
        TAUT_TRY(taut_mjcf_word(m, flag, part[i].name, word, 2, &value));
        *part[i].off = value == 0;
    }
    if (gravity) memset(m->robot->gravity, 0, sizeof m->robot->gravity);
    taut_mjcf_leave_attributes(m, flag, "gravity limit frictionloss equality passive");
    return TAUT_OK;
}

static taut_status read_flags(taut_mjcf *m, const taut_xml *option) {
    for (const taut_xml *x = option->first; x; x = x->next)
        if (strcmp(x->name, "flag") == 0)
            TAUT_TRY(read_flag(m, x));
        else
            taut_robot_leave_out(m->robot, "<%s> of <option>", x->name);
    return TAUT_OK;
}

static taut_status read_settings(taut_mjcf *m) {
    const char *title = taut_xml_get(m->root, "model");
    m->robot->format = "MJCF";
    m->robot->title = title ? title : "MuJoCo model";
    m->robot->gravity[2] = -9.81;
    m->autolimits = true;
    m->groups[1] = 5.0;
    memcpy(m->sequence, "xyz", 4);
    for (taut_xml *x = m->root->first; x; x = x->next) {
        const bool option = strcmp(x->name, "option") == 0;
        if (strcmp(x->name, "compiler") == 0) TAUT_TRY(read_compiler(m, x));
        if (option) TAUT_TRY(taut_xml_numbers(x, "gravity", m->robot->gravity, 3, m->errors));
        if (option) taut_mjcf_leave_attributes(m, x, "gravity");
    }
    for (taut_xml *x = m->root->first; x; x = x->next) /* behind what <option> says of gravity */
        if (strcmp(x->name, "option") == 0) TAUT_TRY(read_flags(m, x));
    return taut_mjcf_list_meshes(m);
}

/* ---- joints ---- */

static taut_status read_range(const taut_mjcf *m, const taut_xml *node, taut_robot_joint *j) {
    static const char *const word[] = {"false", "true", "auto"};
    int limited = 2, found;
    double range[2] = {0.0, 0.0};
    TAUT_TRY(taut_mjcf_word(m, node, "limited", word, 3, &limited));
    TAUT_TRY(taut_mjcf_numbers(m, node, "range", range, 2, 2, &found));
    j->limited = !m->no_limits && (limited == 1 || (limited == 2 && m->autolimits && found));
    if (!j->limited) return TAUT_OK;
    if (j->kind != TAUT_ROBOT_REVOLUTE && j->kind != TAUT_ROBOT_PRISMATIC) {
        taut_robot_leave_out(m->robot, "range of joint %s, which is neither hinge nor slide",
                             j->name);
        j->limited = false;
        return TAUT_OK;
    }
    j->lower = range[0], j->upper = range[1];
    if (j->lower < j->upper) return TAUT_OK;
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                        found ? "the range of '%s' ends before it begins"
                              : "'%s' is limited, but has no range",
                        j->name);
}

/* Coordinates count from where the file has the body: less ref, in radians. */
static taut_status read_spring(taut_mjcf *m, const taut_xml *node, taut_robot_joint *j) {
    const bool turns = j->kind == TAUT_ROBOT_REVOLUTE;
    double ref = 0.0;
    TAUT_TRY(taut_mjcf_number(m, node, "stiffness", &j->stiffness));
    TAUT_TRY(taut_mjcf_number(m, node, "springref", &j->rest));
    TAUT_TRY(taut_mjcf_number(m, node, "ref", &ref));
    double *const value[] = {&j->rest, &j->lower, &j->upper};
    for (int i = 0; i < 3; i++) {
        *value[i] -= ref;
        if (turns) *value[i] = taut_mjcf_angle(m, *value[i]);
    }
    j->ref = turns ? taut_mjcf_angle(m, ref) : ref;
    if (ref != 0.0)
        taut_robot_leave_out(m->robot, "ref of joint %s: its coordinate is 0 where it was ref",
                             j->name);
    if (j->limited && (j->lower > 0.0 || j->upper < 0.0))
        taut_robot_leave_out(m->robot, "range of joint %s: it begins outside of it", j->name);
    j->limited = j->limited && j->lower <= 0.0 && j->upper >= 0.0;
    return TAUT_OK;
}

/* What only hinges and slides have here; damping of a ball aside. */
static void leave_passive(taut_mjcf *m, taut_robot_joint *j) {
    if (j->kind == TAUT_ROBOT_REVOLUTE || j->kind == TAUT_ROBOT_PRISMATIC) return;
    struct {
        const char *name;
        double *value;
    } part[] = {{"armature", &j->armature},
                {"stiffness", &j->stiffness},
                {"frictionloss", &j->friction},
                {"damping", &j->damping}};
    for (int i = 0; i < (j->kind == TAUT_ROBOT_SPHERICAL ? 3 : 4); i++) {
        if (*part[i].value != 0.0)
            taut_robot_leave_out(m->robot, "%s of joint %s, which is neither hinge nor slide",
                                 part[i].name, j->name);
        *part[i].value = 0.0;
    }
}

static const char *name_or(taut_mjcf *m, const char *name, const char *form, const char *of,
                           int number) {
    char text[200];
    if (name) return name;
    snprintf(text, sizeof text, form, of, number);
    return taut_arena_copy(&m->robot->arena, text, strlen(text));
}

static taut_status read_joint(taut_mjcf *m, const taut_xml *node, const taut_robot_frame *at,
                              const char *body, int number, taut_robot_joint *j) {
    static const char *const type[] = {"hinge", "slide", "ball", "free"};
    static const taut_robot_kind kind[] = {TAUT_ROBOT_REVOLUTE, TAUT_ROBOT_PRISMATIC,
                                           TAUT_ROBOT_SPHERICAL, TAUT_ROBOT_FREE};
    int which = 0;
    double pos[3] = {0.0, 0.0, 0.0}, axis[3] = {0.0, 0.0, 1.0};
    *j = (taut_robot_joint){.name = name_or(m, taut_xml_get(node, "name"),
                                            number ? "%s_joint%d" : "%s_joint", body, number + 1)};
    if (!j->name || !(j->label = taut_robot_label(m->robot, j->name, TAUT_NAMES_JOINT)))
        return TAUT_ERR_MEMORY;
    if (strcmp(node->name, "freejoint") == 0) {
        j->kind = TAUT_ROBOT_FREE;
        taut_mjcf_leave_attributes(m, node, "align");
        return TAUT_OK;
    }
    TAUT_TRY(taut_mjcf_word(m, node, "type", type, 4, &which));
    j->kind = kind[which];
    TAUT_TRY(taut_mjcf_numbers(m, node, "pos", pos, 3, 3, NULL));
    TAUT_TRY(taut_mjcf_numbers(m, node, "axis", axis, 3, 3, NULL));
    if (!taut_unit(axis))
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "the axis of '%s' has no direction", j->name);
    if (j->kind != TAUT_ROBOT_FREE) taut_frame_point(at, pos, j->anchor);
    taut_rotate(at->R, axis, j->axis);
    TAUT_TRY(taut_mjcf_number(m, node, "damping", &j->damping));
    TAUT_TRY(taut_mjcf_number(m, node, "frictionloss", &j->friction));
    TAUT_TRY(taut_mjcf_number(m, node, "armature", &j->armature));
    TAUT_TRY(read_range(m, node, j));
    TAUT_TRY(read_spring(m, node, j));
    if (j->damping < 0.0 || j->friction < 0.0 || j->armature < 0.0 || j->stiffness < 0.0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "damping, frictionloss, armature and stiffness of '%s' are not "
                            "negative",
                            j->name);
    if (m->no_passive) j->damping = j->stiffness = 0.0;
    if (m->no_friction) j->friction = 0.0;
    leave_passive(m, j);
    taut_mjcf_leave_others(m, node);
    return TAUT_OK;
}

/* The joints of a body, those in frames below it among them: how many, and what they are. */
static int count_joints(const taut_xml *body) {
    int count = 0;
    for (const taut_xml *x = body->first; x; x = x->next)
        if (strcmp(x->name, "frame") == 0)
            count += count_joints(x);
        else
            count += strcmp(x->name, "joint") == 0 || strcmp(x->name, "freejoint") == 0;
    return count;
}

/* Joints are looked up by name: this one is number `step` of the body that comes next. */
static taut_status note_joint(taut_mjcf *m, const taut_xml *node, int step) {
    const char *name = taut_xml_get(node, "name");
    if (!name) return TAUT_OK;
    if (taut_roster_get(&m->joint_name, name) >= 0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "the joint '%s' is there already", name);
    if (taut_grow((void **)&m->joint, &m->joint_room, (size_t)m->joints + 1, sizeof *m->joint))
        return TAUT_ERR_MEMORY;
    m->joint[m->joints] = (taut_mjcf_hinge){TAUT_GROUND, step};
    return taut_roster_put(&m->joint_name, &m->robot->arena, name, m->joints++);
}

static taut_status read_joints(taut_mjcf *m, const taut_xml *body, const taut_robot_frame *at,
                               const char *name, taut_robot_joint *joint, int *count) {
    for (taut_xml *x = body->first; x; x = x->next) {
        const bool free = strcmp(x->name, "freejoint") == 0;
        if (strcmp(x->name, "frame") == 0) {
            taut_robot_frame frame;
            TAUT_TRY(taut_mjcf_frame(m, x, &frame));
            frame = taut_frame_compose(at, &frame);
            TAUT_TRY(read_joints(m, x, &frame, name, joint, count));
        }
        if (!free && strcmp(x->name, "joint") != 0) continue;
        TAUT_TRY(read_joint(m, x, at, name, *count, &joint[*count]));
        TAUT_TRY(note_joint(m, x, *count));
        ++*count;
    }
    return TAUT_OK;
}

/* ---- bodies ---- */

/* Where something in the file is, on a body of the robot. */
typedef struct where {
    int body;
    taut_robot_frame frame;
} where;

static where step_into(const where *w, const taut_robot_frame *inner) {
    return (where){w->body, taut_frame_compose(&w->frame, inner)};
}

static taut_status add_spot(taut_mjcf_spot **list, int *count, size_t *room, const char *name,
                            const where *w) {
    if (taut_grow((void **)list, room, (size_t)*count + 1, sizeof **list)) return TAUT_ERR_MEMORY;
    (*list)[(*count)++] = (taut_mjcf_spot){name, w->body, w->frame};
    return TAUT_OK;
}

/* One joint is the body's own; several are its steps. */
static void take_joints(taut_robot_body *b, taut_robot_joint *joint, int joints) {
    b->joint = joint[0];
    if (joints == 1) return;
    b->step = joint;
    b->steps = joints;
    b->joint = (taut_robot_joint){.kind = TAUT_ROBOT_CHAIN, .name = b->name, .label = b->label};
}

static taut_status add_body(taut_mjcf *m, const taut_xml *node, const char *name, const where *w,
                            taut_robot_joint *joint, int joints) {
    const char *label = taut_robot_label(m->robot, name, TAUT_NAMES_BODY);
    if (m->robot->bodies == MOST_BODIES)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "there are more than %d bodies that move", (int)MOST_BODIES);
    taut_robot_body *b = taut_robot_add_body(m->robot);
    if (!label || !b) return TAUT_ERR_MEMORY;
    b->name = name;
    b->label = label;
    b->line = node->line;
    b->parent = w->body;
    b->pose = w->frame;
    take_joints(b, joint, joints);
    return TAUT_OK;
}

/* How many joints, from the first one on, can be the steps of one body. */
static int count_steps(const taut_robot_joint *joint, int joints) {
    int n = 0;
    while (n < joints &&
           (joint[n].kind == TAUT_ROBOT_REVOLUTE || joint[n].kind == TAUT_ROBOT_PRISMATIC))
        n++;
    return n > 0 ? n : 1;
}

/* The body with its joints; balls beside others stand between bodies without mass, in its place.
 * noted: the first of the body's joints that have a name. */
static taut_status add_bodies(taut_mjcf *m, const taut_xml *node, const char *name, where *w,
                              taut_robot_joint *joint, int joints, int noted) {
    int part = 0;
    for (int i = 0, n; i < joints; i += n) {
        n = count_steps(joint + i, joints - i);
        if (joints > 1 && joint[i].kind == TAUT_ROBOT_FREE)
            return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                                "the body '%s' is free, and has other joints: these belong to "
                                "bodies inside it",
                                name);
        const char *own = i + n == joints ? name : name_or(m, NULL, "%s_part%d", name, ++part);
        if (!own) return TAUT_ERR_MEMORY;
        for (int k = noted; k < m->joints; k++) /* they know their places among all joints so far */
            if (m->joint[k].step >= i && m->joint[k].body == TAUT_GROUND &&
                m->joint[k].step < i + n)
                m->joint[k] = (taut_mjcf_hinge){m->robot->bodies, m->joint[k].step - i};
        TAUT_TRY(add_body(m, node, own, w, joint + i, n));
        *w = (where){m->robot->bodies - 1, taut_frame_none};
    }
    return TAUT_OK;
}

/* What does not move against its parent belongs to that; what never moves is only weighed. */
static taut_status add_mass(taut_mjcf *m, const where *w, const taut_mass *mass, const char *name,
                            bool merged) {
    if (w->body == TAUT_GROUND) {
        m->still_mass += mass->mass;
        return TAUT_OK;
    }
    taut_robot_body *b = &m->robot->body[w->body];
    const taut_mass moved = taut_mass_move(&w->frame, mass);
    if (mass->mass > 0.0 || mass->inertia[0] > 0.0) b->mass = taut_mass_add(&b->mass, &moved);
    if (merged) taut_string_add(&b->merged, "%s%s", b->merged.text ? ", " : "", name);
    return b->merged.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status read_content(taut_mjcf *m, taut_xml *node, const where *w);

static taut_status read_body(taut_mjcf *m, taut_xml *node, const where *outer) {
    taut_robot_frame frame;
    taut_mass mass;
    int joints = 0;
    const int most = count_joints(node), noted = m->joints;
    taut_robot_joint *joint = TAUT_NEW_ARRAY(&m->robot->arena, most, taut_robot_joint);
    const char *name = name_or(m, taut_xml_get(node, "name"), "%s%d", "body", m->bodies + 1);
    if (!name || !joint) return TAUT_ERR_MEMORY;
    if (most > MOST_JOINTS)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "a body has at most %d joints", (int)MOST_JOINTS);
    if (taut_roster_get(&m->body_name, name) >= 0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "the body '%s' is there already", name);
    TAUT_TRY(taut_mjcf_frame(m, node, &frame));
    where w = step_into(outer, &frame);
    TAUT_TRY(read_joints(m, node, &taut_frame_none, name, joint, &joints));
    TAUT_TRY(add_bodies(m, node, name, &w, joint, joints, noted));
    TAUT_TRY(taut_mjcf_mass(m, node, &mass));
    TAUT_TRY(add_mass(m, &w, &mass, name, joints == 0));
    TAUT_TRY(taut_roster_put(&m->body_name, &m->robot->arena, name, m->bodies));
    TAUT_TRY(add_spot(&m->body, &m->bodies, &m->body_room, name, &w));
    const char *mocap = taut_xml_get(node, "mocap");
    taut_mjcf_leave_attributes(m, node,
                               mocap && strcmp(mocap, "true") == 0
                                   ? "pos quat axisangle xyaxes zaxis euler"
                                   : "pos quat axisangle xyaxes zaxis euler mocap");
    return read_content(m, node, &w);
}

static taut_status read_site(taut_mjcf *m, const taut_xml *node, const where *w) {
    taut_robot_frame frame;
    double ends[6];
    int found;
    TAUT_TRY(taut_mjcf_frame(m, node, &frame));
    TAUT_TRY(taut_mjcf_numbers(m, node, "fromto", ends, 6, 6, &found));
    for (int i = 0; i < 3 && found; i++) frame.p[i] = 0.5 * (ends[i] + ends[3 + i]);
    const where at = step_into(w, &frame);
    const char *name = taut_xml_get(node, "name");
    if (name && taut_roster_get(&m->site_name, name) >= 0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "the site '%s' is there already", name);
    if (name) TAUT_TRY(taut_roster_put(&m->site_name, &m->robot->arena, name, m->sites));
    return add_spot(&m->site, &m->sites, &m->site_room, name, &at);
}

static taut_status note_geom(taut_mjcf *m, const taut_xml *node, const where *w) {
    const char *touches = taut_mjcf_text(m, node, "contype");
    const char *touched = taut_mjcf_text(m, node, "conaffinity");
    if (!touches || strcmp(touches, "0") != 0 || !touched || strcmp(touched, "0") != 0)
        taut_robot_leave_out(m->robot, "contacts between geoms");
    taut_mjcf_leave_others(m, node);
    return taut_mjcf_mesh(m, node, w->body, &w->frame);
}

/* What stands in a body, in the world or in a frame of these. */
static taut_status read_content(taut_mjcf *m, taut_xml *node, const where *w) {
    static const char *const known[] = {"inertial", "joint", "freejoint"};
    for (taut_xml *x = node->first; x; x = x->next) {
        bool read = false;
        for (int i = 0; i < 3; i++) read = read || strcmp(x->name, known[i]) == 0;
        if (read) continue;
        if (strcmp(x->name, "body") == 0) {
            TAUT_TRY(read_body(m, x, w));
        } else if (strcmp(x->name, "frame") == 0) {
            taut_robot_frame frame;
            TAUT_TRY(taut_mjcf_frame(m, x, &frame));
            const where inner = step_into(w, &frame);
            TAUT_TRY(read_content(m, x, &inner));
        } else if (strcmp(x->name, "site") == 0) {
            TAUT_TRY(read_site(m, x, w));
        } else if (strcmp(x->name, "geom") == 0) {
            TAUT_TRY(note_geom(m, x, w));
        } else {
            taut_robot_leave_out(m->robot, "<%s> in the tree of bodies", x->name);
        }
    }
    return TAUT_OK;
}

/* ---- the whole ---- */

/* Bodies at the ends of the tree have a mass. */
static taut_status check_masses(const taut_mjcf *m) {
    for (int i = 0; i < m->robot->bodies; i++) {
        const taut_robot_body *b = &m->robot->body[i];
        bool carries = b->mass.mass > 0.0;
        for (int k = i + 1; k < m->robot->bodies; k++)
            carries = carries || m->robot->body[k].parent == i;
        if (!carries)
            return taut_fail_at(m->errors, TAUT_ERR_INPUT,
                                (taut_place){.path = m->robot->path, .line = b->line, .column = 1},
                                "the body '%s' moves, but has no mass: give it geoms or <inertial>",
                                b->name);
    }
    if (m->robot->bodies > 0) return TAUT_OK;
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(m->root),
                        "nothing moves: no body has a joint");
}

/* <compiler settotalmass>: all masses and inertias in proportion, those of bodies that stand still
 * counted. */
static void scale_masses(const taut_mjcf *m) {
    double sum = m->still_mass;
    if (!(m->total_mass > 0.0)) return;
    for (int i = 0; i < m->robot->bodies; i++) sum += m->robot->body[i].mass.mass;
    for (int i = 0; i < m->robot->bodies && sum > 0.0; i++) {
        taut_mass *mass = &m->robot->body[i].mass;
        for (int k = 0; k < 9; k++) mass->inertia[k] *= m->total_mass / sum;
        mass->mass *= m->total_mass / sum;
    }
}

static taut_status read_all(taut_mjcf *m) {
    static const char *const known[] = {"compiler", "option", "default", "worldbody", "equality",
                                        "tendon",   "asset",  "visual",  "size",      "statistic"};
    const where ground = {TAUT_GROUND, taut_frame_none};
    TAUT_TRY(read_settings(m));
    for (taut_xml *x = taut_xml_child(m->root, "worldbody"); x; x = taut_xml_next(x, "worldbody"))
        TAUT_TRY(read_content(m, x, &ground));
    TAUT_TRY(taut_mjcf_ties(m));
    for (const taut_xml *x = m->root->first; x; x = x->next) {
        bool read = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            read = read || strcmp(x->name, known[i]) == 0;
        if (!read) taut_robot_leave_out(m->robot, "<%s>", x->name);
    }
    scale_masses(m);
    return check_masses(m);
}

taut_status taut_mjcf_read(taut_xml *root, taut_xml_files *files, bool from_memory,
                           taut_robot *robot, taut_errors *errors) {
    taut_mjcf m = {.robot = robot, .errors = errors, .root = root};
    taut_status status = taut_mjcf_include(root, files, from_memory, errors);
    if (status == TAUT_OK) status = taut_mjcf_read_classes(&m);
    if (status == TAUT_OK) status = read_all(&m);
    taut_release((void **)&m.class);
    taut_release((void **)&m.body);
    taut_release((void **)&m.site);
    taut_release((void **)&m.joint);
    taut_release((void **)&m.mesh);
    return status;
}
