/* URDF files: from links and joints to the tree; what is fixed becomes one body. */
#include "import/urdf.h"

#include <stdio.h>
#include <string.h>

#include "import/urdf_parts.h"

enum { MOST_LINKS = 5000 };

/* ---- links ---- */

static taut_status list_links(taut_urdf *r, const taut_xml *root) {
    int count = 0;
    for (const taut_xml *x = taut_xml_child(root, "link"); x; x = taut_xml_next(x, "link")) count++;
    if (count == 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(root),
                            "a robot has at least one <link>");
    if (count > MOST_LINKS)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(root),
                            "there are more than %d links", (int)MOST_LINKS);
    r->link = TAUT_NEW_ARRAY(&r->robot->arena, count, taut_urdf_link);
    if (!r->link) return TAUT_ERR_MEMORY;
    for (const taut_xml *x = taut_xml_child(root, "link"); x; x = taut_xml_next(x, "link")) {
        taut_urdf_link l = {.xml = x, .parent = -1, .frame = taut_frame_none, .body = TAUT_GROUND};
        TAUT_TRY(taut_xml_need(x, "name", &l.name, r->errors));
        const int same = taut_urdf_link_named(r, l.name);
        if (same >= 0)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(x),
                                "the link '%s' is there already, on line %d", l.name,
                                r->link[same].xml->line);
        TAUT_TRY(taut_roster_put(&r->link_name, &r->robot->arena, l.name, r->links));
        r->link[r->links++] = l;
    }
    return TAUT_OK;
}

/* ---- the tree ---- */

static taut_status read_joint_ends(taut_urdf *r, const taut_xml *joint) {
    const taut_xml *parent = taut_xml_child(joint, "parent");
    const taut_xml *child = taut_xml_child(joint, "child");
    int from, to;
    const char *name;
    TAUT_TRY(taut_xml_need(joint, "name", &name, r->errors));
    if (!parent || !child)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(joint),
                            "the joint '%s' needs <parent link=\"...\"/> and <child link=\"...\"/>",
                            name);
    TAUT_TRY(taut_urdf_read_link_name(r, parent, "link", &from));
    TAUT_TRY(taut_urdf_read_link_name(r, child, "link", &to));
    taut_urdf_link *l = &r->link[to];
    if (l->joint)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_xml_place(child),
            "the link '%s' has a parent already, by the joint on line %d: loops are "
            "closed by links closing_NAME_1 and closing_NAME_2, or by a file beside",
            l->name, l->joint->line);
    l->joint = joint;
    l->parent = from;
    const int same = taut_roster_get(&r->joint_line, name);
    if (same >= 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(joint),
                            "the joint '%s' is there already, on line %d", name, same);
    return taut_roster_put(&r->joint_line, &r->robot->arena, name, joint->line);
}

/* One root, and nothing that goes round in a circle. */
static taut_status check_tree(const taut_urdf *r, int *root) {
    *root = -1;
    for (int i = 0; i < r->links; i++) {
        if (r->link[i].joint) continue;
        if (*root >= 0)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(r->link[i].xml),
                                "neither '%s' nor '%s' is the child of a joint: a robot has one "
                                "root, so a joint is missing",
                                r->link[*root].name, r->link[i].name);
        *root = i;
    }
    for (int i = 0; i < r->links; i++) {
        int k = i, steps = 0;
        while (r->link[k].joint && steps++ <= r->links) k = r->link[k].parent;
        if (k != *root || *root < 0)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(r->link[i].xml),
                                "the link '%s' is above itself: joints go round in a circle",
                                r->link[i].name);
    }
    return TAUT_OK;
}

/* ---- elements ---- */

static taut_status read_origin(const taut_xml *of, taut_robot_frame *frame, taut_errors *errors) {
    const taut_xml *origin = taut_xml_child(of, "origin");
    double rpy[3] = {0};
    *frame = taut_frame_none;
    if (!origin) return TAUT_OK;
    TAUT_TRY(taut_xml_numbers(origin, "xyz", frame->p, 3, errors));
    TAUT_TRY(taut_xml_numbers(origin, "rpy", rpy, 3, errors));
    taut_frame_rpy(rpy, frame->R);
    return TAUT_OK;
}

static taut_status read_mass(const taut_urdf *r, const taut_urdf_link *l, taut_mass *out) {
    static const char *const name[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int place[][2] = {{0, 0}, {1, 3}, {2, 6}, {4, 4}, {5, 7}, {8, 8}};
    const taut_xml *inertial = taut_xml_child(l->xml, "inertial");
    taut_mass m = {0};
    taut_robot_frame frame;
    *out = m;
    if (!inertial) return TAUT_OK;
    const taut_xml *mass = taut_xml_child(inertial, "mass");
    const taut_xml *inertia = taut_xml_child(inertial, "inertia");
    const char *value;
    TAUT_TRY(read_origin(inertial, &frame, r->errors));
    if (!mass)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(inertial),
                            "<inertial> of '%s' needs <mass value=\"...\"/>", l->name);
    TAUT_TRY(taut_xml_need(mass, "value", &value, r->errors));
    TAUT_TRY(taut_xml_number(mass, "value", &m.mass, r->errors));
    for (int i = 0; inertia && i < 6; i++) {
        double x = 0.0;
        TAUT_TRY(taut_xml_number(inertia, name[i], &x, r->errors));
        m.inertia[place[i][0]] = m.inertia[place[i][1]] = x;
    }
    if (m.mass < 0.0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(mass),
                            "the mass of '%s' is negative", l->name);
    *out = taut_mass_move(&frame, &m);
    return TAUT_OK;
}

static bool has_limits(taut_robot_kind kind) {
    return kind == TAUT_ROBOT_REVOLUTE || kind == TAUT_ROBOT_PRISMATIC;
}

static taut_status read_axis(const taut_urdf *r, const taut_xml *joint, double axis[3]) {
    const taut_xml *x = taut_xml_child(joint, "axis");
    axis[0] = 1.0, axis[1] = axis[2] = 0.0;
    if (!x) return TAUT_OK;
    TAUT_TRY(taut_xml_numbers(x, "xyz", axis, 3, r->errors));
    if (taut_unit(axis)) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(x), "the axis has no direction");
}

/* Limits that are not: of what has no single coordinate, or goes round; with no room in them. */
static void leave_limits(const taut_urdf *r, const taut_xml *joint, const taut_xml *limit,
                         const taut_robot_joint *j) {
    /* all are asked for: what nobody asks for is listed as not read */
    const char *lower = taut_xml_get(limit, "lower"), *upper = taut_xml_get(limit, "upper");
    const char *effort = taut_xml_get(limit, "effort"), *rate = taut_xml_get(limit, "velocity");
    const char *type = taut_xml_get(joint, "type");
    if ((lower || upper) && (!has_limits(j->kind) || strcmp(type, "continuous") == 0))
        taut_robot_leave_out(r->robot, "limits of joint %s, which is %s", j->name, type);
    else if (lower && upper && j->lower == j->upper)
        taut_robot_leave_out(
            r->robot, "limits of joint %s: they are equal (a joint that is to stay is fixed)",
            j->name);
    if (effort || rate) taut_robot_leave_out(r->robot, "limits of effort and velocity of joints");
}

static taut_status read_limits(taut_urdf *r, const taut_xml *joint, taut_robot_joint *j) {
    const taut_xml *limit = taut_xml_child(joint, "limit");
    if (!limit) return TAUT_OK;
    TAUT_TRY(taut_xml_number(limit, "lower", &j->lower, r->errors));
    TAUT_TRY(taut_xml_number(limit, "upper", &j->upper, r->errors));
    if (j->lower > j->upper)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(limit),
                            "the lower limit of '%s' is above the upper one", j->name);
    j->limited = j->lower < j->upper && has_limits(j->kind) &&
                 strcmp(taut_xml_get(joint, "type"), "continuous") != 0;
    if (j->limited && (j->lower > 0.0 || j->upper < 0.0)) j->initial = 0.5 * (j->lower + j->upper);
    leave_limits(r, joint, limit, j);
    return TAUT_OK;
}

/* Friction and damping act on single coordinates, damping in balls as well. */
static void leave_passive(const taut_urdf *r, const taut_xml *joint, taut_robot_joint *j) {
    if (has_limits(j->kind)) return;
    if (j->friction > 0.0)
        taut_robot_leave_out(r->robot, "friction of joint %s, which is %s", j->name,
                             taut_xml_get(joint, "type"));
    j->friction = 0.0;
    if (j->kind == TAUT_ROBOT_SPHERICAL) return;
    if (j->damping > 0.0)
        taut_robot_leave_out(r->robot, "damping of joint %s, which is %s", j->name,
                             taut_xml_get(joint, "type"));
    j->damping = 0.0;
}

static taut_status read_passive(taut_urdf *r, const taut_xml *joint, taut_robot_joint *j) {
    const taut_xml *dynamics = taut_xml_child(joint, "dynamics");
    TAUT_TRY(read_limits(r, joint, j));
    if (!dynamics) return TAUT_OK;
    TAUT_TRY(taut_xml_number(dynamics, "damping", &j->damping, r->errors));
    TAUT_TRY(taut_xml_number(dynamics, "friction", &j->friction, r->errors));
    if (j->damping < 0.0 || j->friction < 0.0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(dynamics),
                            "damping and friction of '%s' are not negative", j->name);
    leave_passive(r, joint, j);
    return TAUT_OK;
}

/* ---- joints ---- */

static taut_status find_kind(const taut_urdf *r, const taut_xml *joint, const char *type,
                             taut_robot_kind *kind) {
    static const struct {
        const char *name;
        taut_robot_kind kind;
    } kinds[] = {{"revolute", TAUT_ROBOT_REVOLUTE},   {"continuous", TAUT_ROBOT_REVOLUTE},
                 {"prismatic", TAUT_ROBOT_PRISMATIC}, {"floating", TAUT_ROBOT_FREE},
                 {"planar", TAUT_ROBOT_PLANAR},       {"spherical", TAUT_ROBOT_SPHERICAL}};
    taut_nearest nearest = {.wanted = type};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, type) == 0) {
            *kind = kinds[i].kind;
            return TAUT_OK;
        }
        taut_nearest_offer(&nearest, kinds[i].name);
    }
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(joint),
                        "there is no joint type '%s'%s%s%s", type,
                        nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                        nearest.best ? "'?" : "");
}

/* The two distances of a planar joint: NAME_1 and NAME_2. */
static taut_status name_distances(taut_robot *robot, taut_robot_joint *j) {
    for (int i = 0; i < 2; i++) {
        char name[80];
        snprintf(name, sizeof name, "%.60s_%d", j->label, i + 1);
        if (!(j->along[i] = taut_robot_label(robot, name, TAUT_NAMES_JOINT)))
            return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

/* A link that moves against its parent: a body of its own. */
static taut_status add_body(taut_urdf *r, taut_urdf_link *l, const taut_robot_frame *pose,
                            const char *type) {
    taut_robot *robot = r->robot;
    taut_robot_joint j = {0};
    TAUT_TRY(find_kind(r, l->joint, type, &j.kind));
    j.name = taut_xml_get(l->joint, "name");
    TAUT_TRY(read_axis(r, l->joint, j.axis));
    TAUT_TRY(read_passive(r, l->joint, &j));
    if (!(j.label = taut_robot_label(robot, j.name, TAUT_NAMES_JOINT))) return TAUT_ERR_MEMORY;
    if (j.kind == TAUT_ROBOT_PLANAR) TAUT_TRY(name_distances(robot, &j));
    const char *label = taut_robot_label(robot, l->name, TAUT_NAMES_BODY);
    taut_robot_body *b = taut_robot_add_body(robot);
    if (!label || !b) return TAUT_ERR_MEMORY;
    b->name = l->name;
    b->label = label;
    b->line = l->xml->line;
    b->parent = r->link[l->parent].body;
    b->pose = *pose;
    b->joint = j;
    l->body = robot->bodies - 1;
    l->frame = taut_frame_none;
    return read_mass(r, l, &b->mass);
}

/* A link that is fixed to its parent adds its mass to the body. */
static taut_status merge(taut_urdf *r, taut_urdf_link *l, const taut_robot_frame *pose) {
    taut_mass mass;
    l->body = r->link[l->parent].body;
    l->frame = *pose;
    TAUT_TRY(read_mass(r, l, &mass));
    if (l->body == TAUT_GROUND) return TAUT_OK;
    taut_robot_body *b = &r->robot->body[l->body];
    const taut_mass moved = taut_mass_move(pose, &mass);
    if (mass.mass > 0.0 || mass.inertia[0] > 0.0) b->mass = taut_mass_add(&b->mass, &moved);
    taut_string_add(&b->merged, "%s%s", b->merged.text ? ", " : "", l->name);
    return b->merged.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status place(taut_urdf *r, taut_urdf_link *l) {
    const char *type;
    taut_robot_frame origin;
    l->placed = true;
    TAUT_TRY(taut_xml_need(l->joint, "type", &type, r->errors));
    TAUT_TRY(read_origin(l->joint, &origin, r->errors));
    const taut_robot_frame pose = taut_frame_compose(&r->link[l->parent].frame, &origin);
    return strcmp(type, "fixed") == 0 ? merge(r, l, &pose) : add_body(r, l, &pose, type);
}

/* What counts is the body: a link that is fixed to a larger one may say what it likes. */
static taut_status check_inertias(const taut_urdf *r) {
    for (int i = 0; i < r->links; i++) {
        const taut_urdf_link *l = &r->link[i];
        taut_mass own;
        if (l->body == TAUT_GROUND || taut_mass_is_possible(&r->robot->body[l->body].mass))
            continue;
        TAUT_TRY(read_mass(r, l, &own));
        if (taut_mass_is_possible(&own)) continue;
        const taut_xml *inertia = taut_xml_child(taut_xml_child(l->xml, "inertial"), "inertia");
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_xml_place(inertia ? inertia : l->xml),
            "nothing can have this inertia: a principal moment of '%s' is negative, "
            "or larger than the sum of the two others",
            l->name);
    }
    return TAUT_OK;
}

/* Parents before children, in the order of the file otherwise. */
static taut_status place_all(taut_urdf *r, int root) {
    taut_mass still;
    r->link[root].placed = true;
    TAUT_TRY(read_mass(r, &r->link[root], &still));
    if (still.mass > 0.0)
        taut_robot_leave_out(r->robot,
                             "mass of link %s: the root is the ground; a floating joint that joins "
                             "it to a link above it lets it move",
                             r->link[root].name);
    for (int i = 0; i < r->links; i++)
        while (!r->link[i].placed) {
            int k = i;
            while (!r->link[r->link[k].parent].placed) k = r->link[k].parent;
            TAUT_TRY(place(r, &r->link[k]));
        }
    return TAUT_OK;
}

/* ---- surfaces, and what is left out ---- */

static taut_status read_visual(taut_urdf *r, const taut_urdf_link *l, const taut_xml *visual) {
    const taut_xml *mesh = taut_xml_child(taut_xml_child(visual, "geometry"), "mesh");
    const char *file;
    double scale[3] = {1.0, 1.0, 1.0};
    taut_robot_frame origin;
    if (!mesh) {
        taut_robot_leave_out(r->robot, "<visual> of link %s", l->name);
        return TAUT_OK;
    }
    TAUT_TRY(taut_xml_need(mesh, "filename", &file, r->errors));
    TAUT_TRY(taut_xml_numbers(mesh, "scale", scale, 3, r->errors));
    TAUT_TRY(read_origin(visual, &origin, r->errors));
    const taut_robot_frame frame = taut_frame_compose(&l->frame, &origin);
    return taut_robot_add_mesh(r->robot, l->body, file, scale, &frame);
}

static taut_status read_visuals(taut_urdf *r) {
    for (int i = 0; i < r->links; i++) {
        const taut_xml *x = taut_xml_child(r->link[i].xml, "visual");
        for (; x; x = taut_xml_next(x, "visual")) TAUT_TRY(read_visual(r, &r->link[i], x));
    }
    return TAUT_OK;
}

/* What says nothing where nothing moves. */
static bool is_idle(const taut_xml *joint, const char *name) {
    static const char *const idle[] = {"axis", "limit", "dynamics", "safety_controller",
                                       "calibration"};
    const char *type = taut_xml_get(joint, "type");
    bool found = false;
    for (int i = 0; i < 5 && type && strcmp(type, "fixed") == 0; i++)
        found = found || strcmp(idle[i], name) == 0;
    return found;
}

/* Attributes that nobody has asked for, of an element of the link or joint `of` and of all that is
 * in it; elements that nobody has looked at. */
static void leave_unseen(const taut_urdf *r, const taut_xml *x, const taut_xml *of) {
    const char *name = taut_xml_get(of, "name");
    for (int i = 0; i < x->attributes; i++)
        if (!x->attribute[i].seen && strcmp(x->attribute[i].name, "name") != 0)
            taut_robot_leave_out(r->robot, "attribute %s of <%s> of %s %s", x->attribute[i].name,
                                 x->name, of->name, name);
    for (const taut_xml *y = x->first; y; y = y->next)
        if (y->seen)
            leave_unseen(r, y, of);
        else if (!is_idle(of, y->name))
            taut_robot_leave_out(r->robot, "<%s> of %s %s", y->name, of->name, name);
}

static void leave_out(taut_urdf *r, const taut_xml *root) {
    for (const taut_xml *x = root->first; x; x = x->next)
        if (strcmp(x->name, "link") != 0 && strcmp(x->name, "joint") != 0)
            taut_robot_leave_out(r->robot, "<%s>, as on line %d", x->name, x->line);
    for (int i = 0; i < r->links; i++)
        for (const taut_xml *x = r->link[i].xml->first; x; x = x->next)
            if (strcmp(x->name, "inertial") == 0)
                leave_unseen(r, x, r->link[i].xml);
            else if (strcmp(x->name, "visual") != 0)
                taut_robot_leave_out(r->robot, "<%s> of link %s", x->name, r->link[i].name);
    for (int i = 0; i < r->links; i++) {
        const taut_xml *joint = r->link[i].joint;
        if (joint) leave_unseen(r, joint, joint);
    }
}

/* Bodies at the ends that have no mass move by nothing that has one. */
static bool is_needed(const taut_robot *robot, int body) {
    for (int i = 0; i < robot->bodies; i++)
        if (robot->body[i].parent == body) return true;
    for (int i = 0; i < robot->loops; i++)
        if (robot->loop[i].body[0] == body || robot->loop[i].body[1] == body) return true;
    for (int i = 0; i < robot->ties; i++)
        if (robot->tie[i].first == body || robot->tie[i].second == body) return true;
    const double *I = robot->body[body].mass.inertia;
    return robot->body[body].mass.mass > 0.0 || I[0] + I[4] + I[8] > 0.0;
}

static void prune(taut_robot *robot) {
    for (int i = robot->bodies - 1; i >= 0; i--) {
        if (is_needed(robot, i)) continue;
        taut_robot_leave_out(robot, "link %s with joint %s: it has no mass, and carries nothing",
                             robot->body[i].name, robot->body[i].joint.name);
        taut_string_release(&robot->body[i].merged);
        for (int k = i; k < robot->bodies - 1; k++) robot->body[k] = robot->body[k + 1];
        robot->bodies--;
        for (int k = i; k < robot->bodies; k++)
            if (robot->body[k].parent > i) robot->body[k].parent--;
        for (int k = 0; k < robot->loops; k++)
            for (int s = 0; s < 2; s++)
                if (robot->loop[k].body[s] > i) robot->loop[k].body[s]--;
        for (int k = 0; k < robot->ties; k++) {
            robot->tie[k].first -= robot->tie[k].first > i;
            robot->tie[k].second -= robot->tie[k].second > i;
        }
    }
}

/* What is still to be expanded is no robot yet. */
static taut_status refuse_xacro(const taut_xml *x, taut_errors *errors) {
    if (strncmp(x->name, "xacro:", 6) == 0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, taut_xml_place(x),
                            "<%s> is a macro of xacro: write the robot with `xacro FILE > "
                            "robot.urdf`, and import that",
                            x->name);
    for (const taut_xml *y = x->first; y; y = y->next) TAUT_TRY(refuse_xacro(y, errors));
    return TAUT_OK;
}

taut_status taut_urdf_read(const taut_xml *root, const taut_xml *loops, taut_robot *robot,
                           taut_errors *errors) {
    taut_urdf r = {.robot = robot, .errors = errors};
    const char *name = taut_xml_get(root, "name");
    int first;
    robot->format = "URDF";
    robot->title = name ? name : "robot";
    robot->gravity[2] = -9.81;
    TAUT_TRY(refuse_xacro(root, errors));
    TAUT_TRY(list_links(&r, root));
    if (!r.link) return TAUT_ERR_MEMORY; /* there is at least one */
    for (const taut_xml *x = taut_xml_child(root, "joint"); x; x = taut_xml_next(x, "joint"))
        TAUT_TRY(read_joint_ends(&r, x));
    TAUT_TRY(check_tree(&r, &first));
    TAUT_TRY(place_all(&r, first));
    TAUT_TRY(check_inertias(&r));
    TAUT_TRY(taut_urdf_ties(&r, root, loops));
    TAUT_TRY(read_visuals(&r));
    leave_out(&r, root);
    prune(robot);
    if (robot->bodies > 0) return TAUT_OK;
    return taut_fail_at(
        errors, TAUT_ERR_INPUT, taut_xml_place(root),
        "nothing with mass moves: every joint is fixed, or links have no <inertial>");
}
