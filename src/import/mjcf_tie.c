/* What holds bodies of an MJCF file together beside their joints: <equality>; names of bodies,
 * sites and joints. */
#include <string.h>

#include "core/text.h"
#include "import/mjcf_parts.h"

/* ---- by name ---- */

taut_status taut_mjcf_spot_named(const taut_mjcf *m, const taut_xml *node, const char *attribute,
                                 bool site, const taut_mjcf_spot **found) {
    const taut_mjcf_spot *list = site ? m->site : m->body;
    const int count = site ? m->sites : m->bodies;
    const char *name;
    taut_nearest nearest = {0};
    TAUT_TRY(taut_xml_need(node, attribute, &name, m->errors));
    const int number = taut_roster_get(site ? &m->site_name : &m->body_name, name);
    if (!site && strcmp(name, "world") == 0) {
        static const taut_mjcf_spot world = {
            "world", TAUT_GROUND, {.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}}};
        *found = &world;
        return TAUT_OK;
    }
    if (list && number >= 0) {
        *found = &list[number];
        return TAUT_OK;
    }
    nearest.wanted = name;
    for (int i = 0; list && i < count; i++)
        if (list[i].name) taut_nearest_offer(&nearest, list[i].name);
    taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node), "there is no %s '%s'%s%s%s",
                 site ? "site" : "body", name, nearest.best ? "; did you mean '" : "",
                 nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
    return TAUT_ERR_INPUT;
}

static taut_robot_joint *find_joint(const taut_mjcf *m, const char *name) {
    const int number = taut_roster_get(&m->joint_name, name);
    if (number < 0) return NULL;
    taut_robot_body *b = &m->robot->body[m->joint[number].body];
    return b->steps ? &b->step[m->joint[number].step] : &b->joint;
}

taut_status taut_mjcf_joint_named(const taut_mjcf *m, const taut_xml *node, const char *attribute,
                                  taut_robot_joint **joint) {
    const char *name;
    TAUT_TRY(taut_xml_need(node, attribute, &name, m->errors));
    *joint = find_joint(m, name);
    if (*joint && ((*joint)->kind == TAUT_ROBOT_REVOLUTE || (*joint)->kind == TAUT_ROBOT_PRISMATIC))
        return TAUT_OK;
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                        *joint ? "'%s' is neither hinge nor slide: it has no coordinate to tie"
                               : "there is no joint '%s'",
                        name);
}

/* ---- equality ---- */

const char *taut_mjcf_label(taut_mjcf *m, const taut_xml *node) {
    const char *name = taut_mjcf_text(m, node, "name");
    return taut_robot_label(m->robot, name ? name : node->name, TAUT_NAMES_TIE);
}

taut_robot_frame taut_mjcf_world(const taut_mjcf *m, const taut_mjcf_spot *spot) {
    const taut_robot_frame body = taut_robot_world(m->robot, spot->body);
    return taut_frame_compose(&body, &spot->frame);
}

static taut_status refuse_one(const taut_mjcf *m, const taut_xml *node) {
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                        "both ends of <%s> belong to one body: they move together anyhow",
                        node->name);
}

/* Both bodies of a connect or weld; the second is the world if it is missing. */
static taut_status read_bodies(const taut_mjcf *m, const taut_xml *node, taut_mjcf_spot spot[2]) {
    const taut_mjcf_spot *found = NULL;
    TAUT_TRY(taut_mjcf_spot_named(m, node, "body1", false, &found));
    spot[0] = *found;
    spot[1] = (taut_mjcf_spot){"world", TAUT_GROUND, taut_frame_none};
    if (taut_xml_get(node, "body2")) {
        TAUT_TRY(taut_mjcf_spot_named(m, node, "body2", false, &found));
        spot[1] = *found;
    }
    return spot[0].body != spot[1].body ? TAUT_OK : refuse_one(m, node);
}

/* Two sites that are one place. */
static taut_status join_sites(taut_mjcf *m, const taut_xml *node, taut_robot_kind kind) {
    const char *label = taut_mjcf_label(m, node);
    taut_robot_loop *loop = taut_robot_add_loop(m->robot);
    if (!label || !loop) return TAUT_ERR_MEMORY;
    loop->label = label;
    loop->kind = kind;
    for (int k = 0; k < 2; k++) {
        const taut_mjcf_spot *spot;
        TAUT_TRY(taut_mjcf_spot_named(m, node, k ? "site2" : "site1", true, &spot));
        loop->body[k] = spot->body;
        loop->place[k] = spot->frame;
    }
    return loop->body[0] != loop->body[1] ? TAUT_OK : refuse_one(m, node);
}

/* Both places where they are, in the frames of the robot's bodies. relative: where the second body
 * is to be in the first one; NULL: where it is now. */
static taut_status add_loop(taut_mjcf *m, const taut_xml *node, const taut_mjcf_spot spot[2],
                            const double anchor[3], const taut_robot_frame *relative,
                            taut_robot_kind kind) {
    const char *label = taut_mjcf_label(m, node);
    taut_robot_loop *loop = taut_robot_add_loop(m->robot);
    if (!label || !loop) return TAUT_ERR_MEMORY;
    taut_robot_frame here = taut_frame_none;
    memcpy(here.p, anchor, sizeof here.p);
    loop->label = label;
    loop->kind = kind;
    loop->body[0] = spot[0].body;
    loop->body[1] = spot[1].body;
    loop->place[0] = taut_frame_compose(&spot[0].frame, &here);
    const taut_robot_frame first = taut_mjcf_world(m, &spot[0]),
                           second = taut_mjcf_world(m, &spot[1]);
    const taut_robot_frame back = taut_frame_inverse(relative ? relative : &second);
    const taut_robot_frame from = relative ? back : taut_frame_compose(&back, &first);
    const taut_robot_frame there = taut_frame_compose(&from, &here);
    loop->place[1] = taut_frame_compose(&spot[1].frame, &there);
    return TAUT_OK;
}

static taut_status read_connect(taut_mjcf *m, const taut_xml *node) {
    taut_mjcf_spot spot[2];
    double anchor[3];
    const char *text;
    if (taut_xml_get(node, "site1")) return join_sites(m, node, TAUT_ROBOT_SPHERICAL);
    TAUT_TRY(read_bodies(m, node, spot));
    TAUT_TRY(taut_xml_need(node, "anchor", &text, m->errors));
    TAUT_TRY(taut_xml_numbers(node, "anchor", anchor, 3, m->errors));
    return add_loop(m, node, spot, anchor, NULL, TAUT_ROBOT_SPHERICAL);
}

static taut_status read_weld(taut_mjcf *m, const taut_xml *node) {
    taut_mjcf_spot spot[2];
    double v[7] = {0};
    int found = 0;
    taut_robot_frame relative = taut_frame_none;
    if (taut_xml_get(node, "site1")) return join_sites(m, node, TAUT_ROBOT_FREE);
    TAUT_TRY(read_bodies(m, node, spot));
    if (taut_xml_get(node, "relpose"))
        TAUT_TRY(taut_xml_some_numbers(node, "relpose", v, 7, 7, &found, m->errors));
    /* a quaternion of zeros: as the file has the bodies */
    const bool given = found && taut_frame_quaternion(v + 3, relative.R);
    if (given) memcpy(relative.p, v, sizeof relative.p);
    return add_loop(m, node, spot, (const double[]){0, 0, 0}, given ? &relative : NULL,
                    TAUT_ROBOT_FREE);
}

/* joint1 = a0 + a1 joint2 + ...; coordinates count from where the file has the bodies. */
static taut_status read_joint_tie(taut_mjcf *m, const taut_xml *node) {
    taut_robot_joint *first, *second = NULL;
    double a[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    taut_string *out = &m->robot->constraints;
    TAUT_TRY(taut_mjcf_joint_named(m, node, "joint1", &first));
    if (taut_xml_get(node, "joint2")) TAUT_TRY(taut_mjcf_joint_named(m, node, "joint2", &second));
    if (taut_xml_get(node, "polycoef"))
        TAUT_TRY(taut_xml_some_numbers(node, "polycoef", a, 1, 5, NULL, m->errors));
    if (first == second)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "'%s' is tied to itself", first->name);
    const char *label = taut_mjcf_label(m, node);
    if (!label) return TAUT_ERR_MEMORY;
    taut_string_add(out, "  %s: %s - (", label, first->label);
    taut_robot_number(out, a[0]);
    taut_string_add(out, ")");
    for (int i = 1; i < 5 && second; i++) {
        if (a[i] == 0.0) continue;
        taut_string_add(out, " - (");
        taut_robot_number(out, a[i]);
        taut_string_add(out, i > 1 ? ")*%s^%d" : ")*%s", second->label, i);
    }
    taut_string_add(out, "\n");
    return out->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status read_equality(taut_mjcf *m, taut_xml *node) {
    for (taut_xml *x = node->first; x; x = x->next) {
        const char *active = taut_mjcf_text(m, x, "active");
        if (active && strcmp(active, "false") == 0) {
            taut_robot_leave_out(m->robot, "<%s> of <equality> that is not active", x->name);
            continue;
        }
        taut_mjcf_leave_others(m, x);
        if (m->robot->loops == TAUT_ROBOT_LOOPS_MAX)
            return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(x),
                                "there are more than %d loops", (int)TAUT_ROBOT_LOOPS_MAX);
        if (strcmp(x->name, "connect") == 0)
            TAUT_TRY(read_connect(m, x));
        else if (strcmp(x->name, "weld") == 0)
            TAUT_TRY(read_weld(m, x));
        else if (strcmp(x->name, "joint") == 0)
            TAUT_TRY(read_joint_tie(m, x));
        else
            taut_robot_leave_out(m->robot, "<%s> of <equality>", x->name);
    }
    return TAUT_OK;
}

taut_status taut_mjcf_ties(taut_mjcf *m) {
    for (taut_xml *x = m->root->first; x; x = x->next) {
        if (strcmp(x->name, "equality") == 0 && !m->no_ties) TAUT_TRY(read_equality(m, x));
        for (taut_xml *t = strcmp(x->name, "tendon") == 0 ? x->first : NULL; t; t = t->next)
            TAUT_TRY(taut_mjcf_tendon(m, t));
    }
    return TAUT_OK;
}
