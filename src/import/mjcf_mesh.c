/* Geoms that are meshes: surfaces for pages. */
#include <stdio.h>
#include <string.h>

#include "import/mjcf_parts.h"

enum { HIDDEN = 3 }; /* the first group that MuJoCo's own window does not show */

/* The name of a mesh: its own, or its file's without folder and ending. */
static bool is_named(const taut_xml *asset, const char *name) {
    const char *own = taut_xml_get(asset, "name"), *file = taut_xml_get(asset, "file");
    if (own) return strcmp(own, name) == 0;
    const char *slash = file ? strrchr(file, '/') : NULL, *stem = slash ? slash + 1 : file;
    if (!stem) return false;
    const char *dot = strrchr(stem, '.');
    const size_t n = dot ? (size_t)(dot - stem) : strlen(stem);
    return strlen(name) == n && strncmp(stem, name, n) == 0;
}

static const taut_xml *find_asset(const taut_mjcf *m, const char *name) {
    for (const taut_xml *a = taut_xml_child(m->root, "asset"); a; a = taut_xml_next(a, "asset"))
        for (const taut_xml *x = taut_xml_child(a, "mesh"); x; x = taut_xml_next(x, "mesh"))
            if (is_named(x, name)) return x;
    return NULL;
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
