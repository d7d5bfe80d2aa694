/* Geoms that are meshes: surfaces for pages. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mesh.h"
#include "import/mjcf_parts.h"

enum { HIDDEN = 3 }; /* the first group that MuJoCo's own window does not show */

/* The name of a mesh: its own, or its file's without folder and ending; NULL: it has none. */
static const char *name_of(taut_mjcf *m, const taut_xml *asset, bool *failed) {
    const char *own = taut_xml_get(asset, "name"), *file = taut_xml_get(asset, "file");
    if (own || !file) return own;
    const char *slash = strrchr(file, '/'), *stem = slash ? slash + 1 : file;
    const char *dot = strrchr(stem, '.');
    const char *name =
        taut_arena_copy(&m->robot->arena, stem, dot ? (size_t)(dot - stem) : strlen(stem));
    *failed = *failed || !name;
    return name;
}

taut_status taut_mjcf_list_meshes(taut_mjcf *m) {
    bool failed = false;
    for (const taut_xml *a = taut_xml_child(m->root, "asset"); a; a = taut_xml_next(a, "asset"))
        for (const taut_xml *x = taut_xml_child(a, "mesh"); x; x = taut_xml_next(x, "mesh")) {
            const char *name = name_of(m, x, &failed);
            if (failed) return TAUT_ERR_MEMORY;
            if (!name || taut_roster_get(&m->mesh_name, name) >= 0) continue;
            if (taut_grow((void **)&m->mesh, &m->mesh_room, (size_t)m->meshes + 1, sizeof *m->mesh))
                return TAUT_ERR_MEMORY;
            TAUT_TRY(taut_roster_put(&m->mesh_name, &m->robot->arena, name, m->meshes));
            m->mesh[m->meshes++].node = x;
        }
    return TAUT_OK;
}

static const taut_xml *find_asset(const taut_mjcf *m, const char *name) {
    const int number = taut_roster_get(&m->mesh_name, name);
    return number < 0 ? NULL : m->mesh[number].node;
}

taut_status taut_mjcf_mesh(taut_mjcf *m, const taut_xml *geom, int body,
                           const taut_robot_frame *at) {
    const char *name = taut_mjcf_text(m, geom, "mesh");
    const taut_xml *asset = name ? find_asset(m, name) : NULL;
    const char *file = asset ? taut_mjcf_text(m, asset, "file") : NULL;
    double scale[3] = {1.0, 1.0, 1.0}, group = 0.0;
    taut_robot_frame frame;
    char path[1000];
    if (!name) return TAUT_OK;
    TAUT_TRY(taut_mjcf_number(m, geom, "group", &group));
    if (group >= HIDDEN) {
        taut_robot_leave_out(m->robot, "mesh %s: its group, %d, is not shown", name, (int)group);
        return TAUT_OK;
    }
    if (!file || taut_mjcf_source(m, asset, "refpos") || taut_mjcf_source(m, asset, "refquat")) {
        taut_robot_leave_out(m->robot, "mesh %s: %s", name,
                             file ? "it is moved by refpos or refquat" : "it has no file");
        return TAUT_OK;
    }
    TAUT_TRY(taut_mjcf_numbers(m, asset, "scale", scale, 3, 3, NULL));
    TAUT_TRY(taut_mjcf_frame(m, geom, &frame));
    frame = taut_frame_compose(at, &frame);
    const char *folder = m->mesh_folder ? m->mesh_folder : "";
    const size_t n = strlen(folder);
    snprintf(path, sizeof path, "%s%s%s", folder, n && folder[n - 1] != '/' ? "/" : "", file);
    return taut_robot_add_mesh(m->robot, body, path, scale, &frame);
}

/* ---- masses ---- */

/* Second moments scale with both axes and the volume; inertias follow from them. */
static void stretch(const taut_mesh_moments *in, const double scale[3], taut_mass *out) {
    const double volume = fabs(scale[0] * scale[1] * scale[2]);
    const double half = 0.5 * (in->inertia[0][0] + in->inertia[1][1] + in->inertia[2][2]);
    double second[9], trace = 0.0;
    for (int i = 0; i < 9; i++) {
        const int a = i / 3, b = i % 3;
        second[i] = ((a == b ? half : 0.0) - in->inertia[a][b]) * scale[a] * scale[b] * volume;
        if (a == b) trace += second[i];
    }
    *out = (taut_mass){.mass = in->volume * volume};
    for (int i = 0; i < 9; i++) out->inertia[i] = (i % 4 == 0 ? trace : 0.0) - second[i];
    for (int i = 0; i < 3; i++) out->centre[i] = in->centroid[i] * scale[i];
}

static taut_status refuse(const taut_mjcf *m, const taut_xml *geom, const char *why) {
    return taut_fail_at(m->errors, TAUT_ERR_INPUT, taut_xml_place(geom),
                        "the mass of this body comes from a mesh%s: give <inertial mass=\"...\" "
                        "diaginertia=\"...\" pos=\"...\"/>",
                        why);
}

taut_status taut_mjcf_mesh_mass(const taut_mjcf *m, const taut_xml *geom, taut_mass *mass) {
    const char *name = taut_mjcf_text(m, geom, "mesh");
    const taut_xml *asset = name ? find_asset(m, name) : NULL;
    const char *file = asset ? taut_mjcf_text(m, asset, "file") : NULL;
    double scale[3] = {1.0, 1.0, 1.0};
    char path[4200];
    taut_mesh *mesh = NULL;
    if (!file) return refuse(m, geom, ", which has no file");
    if (m->robot->from_memory || !taut_robot_finds(m->robot, m->mesh_folder, file, path))
        return refuse(m, geom, ", whose file is not there");
    if (taut_mjcf_source(m, asset, "refpos") || taut_mjcf_source(m, asset, "refquat"))
        return refuse(m, geom, ", which is moved by refpos or refquat");
    const char *inertia = taut_mjcf_text(m, asset, "inertia");
    if (inertia && strcmp(inertia, "exact") != 0)
        taut_robot_leave_out(m->robot, "inertia of mesh %s: it counts as exact", name);
    TAUT_TRY(taut_mjcf_numbers(m, asset, "scale", scale, 3, 3, NULL));
    TAUT_TRY(taut_mesh_read(path, &mesh, m->errors));
    const long open = taut_mesh_open_edges(mesh);
    const taut_mesh_moments moments =
        open == 0 ? taut_mesh_integrate(mesh) : (taut_mesh_moments){0};
    taut_mesh_free(&mesh);
    if (open < 0) return TAUT_ERR_MEMORY;
    if (open > 0) return refuse(m, geom, " that is not closed");
    stretch(&moments, scale, mass);
    return mass->mass > 0.0 ? TAUT_OK : refuse(m, geom, " that encloses nothing");
}
