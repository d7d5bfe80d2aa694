/* What holds links together beside their joints: mimic, links that close loops, the file beside. */
#include <stdio.h>
#include <string.h>

#include "import/urdf_parts.h"

/* ---- by name ---- */

int taut_urdf_link_named(const taut_urdf *r, const char *name) {
    return taut_roster_get(&r->link_name, name);
}

/* The link that an element names by an attribute. */
taut_status taut_urdf_read_link_name(const taut_urdf *r, const taut_xml *at, const char *attribute,
                                     int *found) {
    const char *name;
    TAUT_TRY(taut_xml_need(at, attribute, &name, r->errors));
    *found = taut_urdf_link_named(r, name);
    if (*found >= 0) return TAUT_OK;
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; i < r->links; i++) taut_nearest_offer(&nearest, r->link[i].name);
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(at),
                        "there is no link '%s'%s%s%s", name, nearest.best ? "; did you mean '" : "",
                        nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

/* ---- ties and loops ---- */

static int body_of_joint(const taut_urdf *r, const char *name) {
    for (int i = 0; i < r->robot->bodies; i++)
        if (strcmp(r->robot->body[i].joint.name, name) == 0) return i;
    return -1;
}

static bool has_coordinate(const taut_robot_joint *j) {
    return j->kind == TAUT_ROBOT_REVOLUTE || j->kind == TAUT_ROBOT_PRISMATIC;
}

static taut_status read_mimic(taut_urdf *r, const taut_xml *joint) {
    const taut_xml *mimic = taut_xml_child(joint, "mimic");
    const char *of;
    double ratio = 1.0, offset = 0.0;
    if (!mimic) return TAUT_OK;
    TAUT_TRY(taut_xml_need(mimic, "joint", &of, r->errors));
    TAUT_TRY(taut_xml_number(mimic, "multiplier", &ratio, r->errors));
    TAUT_TRY(taut_xml_number(mimic, "offset", &offset, r->errors));
    const int second = body_of_joint(r, taut_xml_get(joint, "name")), first = body_of_joint(r, of);
    if (first < 0 || second < 0 || first == second ||
        !has_coordinate(&r->robot->body[first].joint) ||
        !has_coordinate(&r->robot->body[second].joint))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(mimic),
                            "'%s' cannot mimic '%s': both have to be joints that turn or slide",
                            taut_xml_get(joint, "name"), of);
    if (ratio == 0.0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(mimic),
                            "the multiplier is 0: make the joint fixed");
    taut_robot_tie *t = taut_robot_add_tie(r->robot);
    if (!t) return TAUT_ERR_MEMORY;
    taut_robot_joint *slave = &r->robot->body[second].joint;
    *t = (taut_robot_tie){.first = first, .second = second, .ratio = ratio, .offset = offset};
    if (slave->limited)
        taut_robot_leave_out(r->robot, "limits of joint %s, which mimics another", slave->name);
    slave->limited = false;
    char name[80];
    snprintf(name, sizeof name, "%.60s_mimic", slave->label);
    return (t->label = taut_robot_label(r->robot, name, TAUT_NAMES_TIE)) ? TAUT_OK
                                                                         : TAUT_ERR_MEMORY;
}

static taut_status check_room(const taut_urdf *r, const taut_xml *node) {
    if (r->robot->loops < TAUT_ROBOT_LOOPS_MAX) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                        "there are more than %d loops", (int)TAUT_ROBOT_LOOPS_MAX);
}

static taut_status add_loop(taut_urdf *r, const char *name, const taut_urdf_link *a,
                            const taut_urdf_link *b, taut_robot_loop **loop) {
    TAUT_TRY(check_room(r, a->xml));
    taut_robot_loop *l = *loop = taut_robot_add_loop(r->robot);
    if (!l || !(l->label = taut_robot_label(r->robot, name, TAUT_NAMES_TIE)))
        return TAUT_ERR_MEMORY;
    l->kind = TAUT_ROBOT_SPHERICAL;
    l->body[0] = a->body, l->body[1] = b->body;
    l->place[0] = a->frame, l->place[1] = b->frame;
    if (a->body != b->body) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(a->xml),
                        "'%s' and '%s' belong to the same body: they close no loop", a->name,
                        b->name);
}

/* Links closing_NAME_1 and closing_NAME_2 are the same place. */
static taut_status find_closings(taut_urdf *r) {
    static const char PREFIX[] = "closing_";
    for (int i = 0; i < r->links; i++) {
        const char *name = r->link[i].name;
        const size_t n = strlen(name), p = sizeof PREFIX - 1;
        char other[200];
        if (strncmp(name, PREFIX, p) != 0 || n < p + 3 || n >= sizeof other) continue;
        if (strcmp(name + n - 2, "_1") != 0) continue;
        memcpy(other, name, n + 1);
        other[n - 1] = '2';
        const int k = taut_urdf_link_named(r, other);
        if (k < 0)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(r->link[i].xml),
                                "'%s' closes a loop with '%s', which is not there", name, other);
        taut_robot_loop *loop;
        other[n - 2] = '\0';
        TAUT_TRY(add_loop(r, other + p, &r->link[i], &r->link[k], &loop));
    }
    return TAUT_OK;
}

/* The file beside is our own: what is not known there is a mistake. */
static taut_status check_loop(const taut_urdf *r, const taut_xml *x) {
    static const char *const known[] = {"name", "type",  "link1", "xyz1",
                                        "rpy1", "link2", "xyz2",  "rpy2"};
    enum { KNOWN = sizeof known / sizeof *known };
    if (strcmp(x->name, "loop") != 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(x),
                            "<loops> has <loop .../> only, not <%s>", x->name);
    for (int i = 0; i < x->attributes; i++) {
        taut_nearest nearest = {.wanted = x->attribute[i].name};
        int k = 0;
        for (; k < KNOWN && strcmp(known[k], nearest.wanted) != 0; k++)
            taut_nearest_offer(&nearest, known[k]);
        if (k == KNOWN)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(x),
                                "<loop> has no attribute '%s'%s%s%s", nearest.wanted,
                                nearest.best ? "; did you mean '" : "",
                                nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
    }
    return TAUT_OK;
}

/* <loop name= type= link1= xyz1= rpy1= link2= xyz2= rpy2=/> of the file beside. */
static taut_status read_loop(taut_urdf *r, const taut_xml *x) {
    const char *name, *type = taut_xml_get(x, "type");
    int end[2];
    taut_robot_loop *loop;
    TAUT_TRY(check_loop(r, x));
    TAUT_TRY(taut_xml_need(x, "name", &name, r->errors));
    TAUT_TRY(taut_urdf_read_link_name(r, x, "link1", &end[0]));
    TAUT_TRY(taut_urdf_read_link_name(r, x, "link2", &end[1]));
    TAUT_TRY(add_loop(r, name, &r->link[end[0]], &r->link[end[1]], &loop));
    for (int k = 0; k < 2; k++) {
        taut_robot_frame f = taut_frame_none;
        double rpy[3] = {0};
        TAUT_TRY(taut_xml_numbers(x, k ? "xyz2" : "xyz1", f.p, 3, r->errors));
        TAUT_TRY(taut_xml_numbers(x, k ? "rpy2" : "rpy1", rpy, 3, r->errors));
        taut_frame_rpy(rpy, f.R);
        loop->place[k] = taut_frame_compose(&r->link[end[k]].frame, &f);
    }
    if (!type || strcmp(type, "spherical") == 0) return TAUT_OK;
    loop->kind = strcmp(type, "revolute") == 0 ? TAUT_ROBOT_REVOLUTE : TAUT_ROBOT_FREE;
    if (loop->kind == TAUT_ROBOT_REVOLUTE || strcmp(type, "weld") == 0) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(x),
                        "a loop is spherical, revolute (about the z axes) or weld, not '%s'", type);
}

/* Where joints start that mimic others, these first: joints may mimic what mimics itself. */
static taut_status begin_mimics(const taut_urdf *r, const taut_xml *root) {
    const taut_robot *robot = r->robot;
    bool changed = true;
    for (int pass = 0; changed && pass <= robot->ties; pass++) {
        changed = false;
        for (int i = 0; i < robot->ties; i++) {
            const taut_robot_tie *t = &robot->tie[i];
            const double q = t->ratio * robot->body[t->first].joint.initial + t->offset;
            changed = changed || robot->body[t->second].joint.initial != q;
            robot->body[t->second].joint.initial = q;
        }
    }
    if (!changed) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_xml_place(root),
                        "joints mimic each other in a circle, as '%s' does",
                        robot->body[robot->tie[0].second].joint.name);
}

taut_status taut_urdf_ties(taut_urdf *r, const taut_xml *root, const taut_xml *loops) {
    for (const taut_xml *x = taut_xml_child(root, "joint"); x; x = taut_xml_next(x, "joint"))
        TAUT_TRY(read_mimic(r, x));
    TAUT_TRY(begin_mimics(r, root));
    TAUT_TRY(find_closings(r));
    for (const taut_xml *x = loops ? loops->first : NULL; x; x = x->next) TAUT_TRY(read_loop(r, x));
    return TAUT_OK;
}
