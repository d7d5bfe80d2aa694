/* Masses of bodies: <inertial>, or geoms with their densities. */
#include <math.h>
#include <string.h>

#include "import/mjcf_parts.h"

typedef enum geom_type {
    SPHERE,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    BOX,
    PLANE,
    HFIELD,
    MESH,
    SDF
} geom_type;
static const char *const TYPE[] = {"sphere", "capsule", "cylinder", "ellipsoid", "box",
                                   "plane",  "hfield",  "mesh",     "sdf"};

typedef struct geom {
    geom_type type;
    double size[3]; /* radii and half lengths */
    taut_robot_frame frame;
    double mass, density;
    bool has_mass;
} geom;

/* ---- one geom ---- */

/* From one point to another: the z axis, and half the length. */
static taut_status read_fromto(const taut_mjcf *m, const taut_xml *node, geom *g) {
    double v[6], way[3], length = 0.0;
    int found;
    TAUT_TRY(taut_mjcf_numbers(m, node, "fromto", v, 6, 6, &found));
    if (found == 0) return TAUT_OK;
    for (int i = 0; i < 3; i++) {
        way[i] = v[i] - v[3 + i];
        length += way[i] * way[i];
        g->frame.p[i] = 0.5 * (v[i] + v[3 + i]);
    }
    length = sqrt(length);
    if (!taut_unit(way))
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "the ends of fromto coincide");
    taut_frame_from_z(way, g->frame.R);
    if (g->type == CAPSULE || g->type == CYLINDER) {
        g->size[1] = 0.5 * length;
    } else if (g->type == BOX || g->type == ELLIPSOID) {
        g->size[1] = g->size[0];
        g->size[2] = 0.5 * length;
    } else {
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "a geom of type %s takes no fromto", TYPE[g->type]);
    }
    return TAUT_OK;
}

static taut_status read_geom(const taut_mjcf *m, const taut_xml *node, geom *g) {
    int type = SPHERE, found;
    *g = (geom){.density = 1000.0};
    TAUT_TRY(taut_mjcf_word(m, node, "type", TYPE, (int)(sizeof TYPE / sizeof *TYPE), &type));
    g->type = (geom_type)type;
    if (!taut_mjcf_source(m, node, "type") && taut_mjcf_source(m, node, "mesh")) g->type = MESH;
    TAUT_TRY(taut_mjcf_numbers(m, node, "size", g->size, 1, 3, NULL));
    TAUT_TRY(taut_mjcf_frame(m, node, &g->frame));
    TAUT_TRY(read_fromto(m, node, g));
    TAUT_TRY(taut_mjcf_number(m, node, "density", &g->density));
    TAUT_TRY(taut_mjcf_numbers(m, node, "mass", &g->mass, 1, 1, &found));
    g->has_mass = found > 0;
    if (g->mass < 0.0 || g->density < 0.0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "mass and density of a geom are not negative");
    static const int sizes[] = {1, 2, 2, 3, 3, 0, 0, 0, 0};
    for (int i = 0; i < sizes[g->type]; i++)
        if (!(g->size[i] > 0.0))
            return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                                "size of a %s: %d positive numbers%s", TYPE[g->type],
                                sizes[g->type], sizes[g->type] == 2 ? ", or one with fromto" : "");
    return TAUT_OK;
}

/* Mass for a density of 1, and moments for a mass of 1, along its axes. */
static double find_moments(const geom *g, double I[3]) {
    const double a = g->size[0], b = g->size[1], c = g->size[2];
    switch (g->type) {
    case SPHERE: I[0] = I[1] = I[2] = 0.4 * a * a; return 4.0 / 3.0 * M_PI * a * a * a;
    case ELLIPSOID:
        I[0] = 0.2 * (b * b + c * c);
        I[1] = 0.2 * (a * a + c * c);
        I[2] = 0.2 * (a * a + b * b);
        return 4.0 / 3.0 * M_PI * a * b * c;
    case BOX:
        I[0] = (b * b + c * c) / 3.0;
        I[1] = (a * a + c * c) / 3.0;
        I[2] = (a * a + b * b) / 3.0;
        return 8.0 * a * b * c;
    case CYLINDER:
        I[0] = I[1] = 0.25 * a * a + b * b / 3.0;
        I[2] = 0.5 * a * a;
        return 2.0 * M_PI * a * a * b;
    default: break; /* a capsule: a cylinder and two half spheres, whose centres are 3/8 a out */
    }
    const double cylinder = 2.0 * M_PI * a * a * b, ball = 4.0 / 3.0 * M_PI * a * a * a;
    const double whole = cylinder + ball;
    I[2] = (cylinder * 0.5 * a * a + ball * 0.4 * a * a) / whole;
    I[0] = I[1] =
        (cylinder * (0.25 * a * a + b * b / 3.0) + ball * (0.4 * a * a + b * b + 0.75 * a * b)) /
        whole;
    return whole;
}

/* Mass and inertia for a density of 1, in the frame of the geom. */
static taut_status find_mass(const taut_mjcf *m, const taut_xml *node, const geom *g,
                             taut_mass *mass) {
    double I[3];
    *mass = (taut_mass){0};
    if (g->type == MESH) return taut_mjcf_mesh_mass(m, node, mass);
    if (g->type == SDF)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "the mass of this body comes from a geom of type sdf, which is not "
                            "read: give <inertial mass=\"...\" diaginertia=\"...\" pos=\"...\"/>");
    mass->mass = find_moments(g, I);
    for (int i = 0; i < 3; i++) mass->inertia[4 * i] = mass->mass * I[i];
    return TAUT_OK;
}

static taut_status add_geom(const taut_mjcf *m, const taut_xml *node, const taut_robot_frame *at,
                            taut_mass *sum) {
    geom g;
    taut_mass one;
    double group = 0.0;
    TAUT_TRY(taut_mjcf_number(m, node, "group", &group));
    TAUT_TRY(read_geom(m, node, &g));
    const bool massless = g.has_mass ? g.mass == 0.0 : g.density == 0.0;
    if (g.type == PLANE || g.type == HFIELD || massless || group < m->groups[0] ||
        group > m->groups[1])
        return TAUT_OK;
    TAUT_TRY(find_mass(m, node, &g, &one));
    const double density = g.has_mass ? g.mass / one.mass : g.density;
    one.mass *= density;
    for (int i = 0; i < 9; i++) one.inertia[i] *= density;
    const taut_robot_frame f = taut_frame_compose(at, &g.frame);
    const taut_mass moved = taut_mass_move(&f, &one);
    if (one.mass > 0.0) *sum = taut_mass_add(sum, &moved);
    return TAUT_OK;
}

static taut_status add_geoms(const taut_mjcf *m, const taut_xml *body, const taut_robot_frame *at,
                             taut_mass *sum) {
    for (const taut_xml *x = body->first; x; x = x->next) {
        if (strcmp(x->name, "geom") == 0) TAUT_TRY(add_geom(m, x, at, sum));
        if (strcmp(x->name, "frame") == 0) {
            taut_robot_frame frame;
            TAUT_TRY(taut_mjcf_frame(m, x, &frame));
            frame = taut_frame_compose(at, &frame);
            TAUT_TRY(add_geoms(m, x, &frame, sum));
        }
    }
    return TAUT_OK;
}

/* ---- bodies ---- */

static taut_status read_inertial(const taut_mjcf *m, const taut_xml *node, taut_mass *mass) {
    taut_mass one = {0};
    taut_robot_frame frame;
    double v[6];
    const char *text;
    int diagonal, full;
    TAUT_TRY(taut_mjcf_frame(m, node, &frame));
    TAUT_TRY(taut_xml_need(node, "mass", &text, m->errors));
    TAUT_TRY(taut_mjcf_number(m, node, "mass", &one.mass));
    TAUT_TRY(taut_mjcf_numbers(m, node, "diaginertia", v, 3, 3, &diagonal));
    if (diagonal)
        for (int i = 0; i < 3; i++) one.inertia[4 * i] = v[i];
    TAUT_TRY(taut_mjcf_numbers(m, node, "fullinertia", v, 6, 6, &full));
    if (diagonal > 0 && full > 0)
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            "<inertial> has diaginertia and fullinertia: one of them is enough");
    if (full) { /* xx yy zz xy xz yz, with the signs of the tensor */
        static const int place[6][2] = {{0, 0}, {4, 4}, {8, 8}, {1, 3}, {2, 6}, {5, 7}};
        for (int i = 0; i < 6; i++) one.inertia[place[i][0]] = one.inertia[place[i][1]] = v[i];
    }
    if (one.mass < 0.0 || (!m->balance && !taut_mass_is_possible(&one)))
        return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(node),
                            one.mass < 0.0
                                ? "the mass is negative"
                                : "nothing can have this inertia: a principal moment is negative, "
                                  "or larger than the sum of the two others; <compiler "
                                  "balanceinertia=\"true\"/> makes it that of a ball");
    *mass = taut_mass_move(&frame, &one);
    taut_mjcf_leave_attributes(
        m, node, "pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia");
    return TAUT_OK;
}

/* As <compiler balanceinertia> and boundmass have it. */
static void bound(const taut_mjcf *m, taut_mass *mass) {
    if (m->balance && !taut_mass_is_possible(mass)) {
        const double mean = (mass->inertia[0] + mass->inertia[4] + mass->inertia[8]) / 3.0;
        for (int i = 0; i < 9; i++) mass->inertia[i] = i % 4 == 0 ? mean : 0.0;
    }
    mass->mass = fmax(mass->mass, m->least_mass);
}

static bool has_geoms(const taut_xml *body) {
    if (taut_xml_child(body, "geom")) return true;
    for (const taut_xml *x = taut_xml_child(body, "frame"); x; x = taut_xml_next(x, "frame"))
        if (has_geoms(x)) return true;
    return false;
}

taut_status taut_mjcf_mass(taut_mjcf *m, const taut_xml *body, taut_mass *mass) {
    const taut_xml *inertial = taut_xml_child(body, "inertial");
    taut_status status = TAUT_OK;
    *mass = (taut_mass){0};
    if (inertial && !(m->from_geoms && has_geoms(body)))
        status = read_inertial(m, inertial, mass);
    else if (!m->never_geoms)
        status = add_geoms(m, body, &taut_frame_none, mass);
    if (status == TAUT_OK) bound(m, mass);
    return status;
}
