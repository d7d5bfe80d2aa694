/* The surfaces of a page: each mesh once, with fewer triangles if it is large. */
#include "out/base64.h"
#include "out/scene.h"

enum { MOST_TRIANGLES = 20000, MOST_IN_ALL = 60000 };

static bool is_same(const taut_look *a, const taut_look *b) {
    bool same = a->mesh == b->mesh;
    for (int i = 0; i < 3 && same; i++)
        for (int k = 0; k < 3; k++) same = same && a->mesh_axis[i][k] == b->mesh_axis[i][k];
    return same;
}

taut_status taut_scene_find_surfaces(taut_scene *s) {
    const taut_mechanism *m = s->mechanism;
    s->surface = TAUT_NEW_ARRAY(s->arena, m->bodies, int);
    s->surface_of = TAUT_NEW_ARRAY(s->arena, m->bodies, int);
    if (!s->surface || !s->surface_of) return TAUT_ERR_MEMORY;
    for (int b = 0; b < m->bodies; b++) {
        int *number = &s->surface[b];
        *number = -1;
        if (!m->body[b].look.mesh) continue;
        for (*number = 0; *number < s->surfaces; ++*number)
            if (is_same(&m->body[s->surface_of[*number]].look, &m->body[b].look)) break;
        if (*number == s->surfaces) s->surface_of[s->surfaces++] = b;
    }
    return TAUT_OK;
}

void taut_scene_put_mesh(const taut_scene *s, taut_string *out, int b) {
    const taut_look *look = &s->mechanism->body[b].look;
    const int number = s->surface[b];
    taut_string_add(out, ",\"mesh\":");
    if (number < 0) {
        taut_string_add(out, "null");
        return;
    }
    taut_string_add(out, "{\"number\":%d,\"scale\":%.17g,\"origin\":", number, look->mesh_scale);
    taut_scene_put_numbers(out, look->mesh_origin, 3, 17);
    taut_string_add(out, "}");
}

static void put_surface(taut_string *out, const taut_mesh *m, const taut_look *look) {
    taut_base64 corners = {.out = out}, triangles = {.out = out};
    taut_string_add(out, "{\"triangles\":%ld,\"original\":%ld,\"corners\":\"", m->triangles,
                    look->mesh->triangles);
    for (long c = 0; c < m->corners; c++)
        for (int i = 0; i < 3; i++) {
            double x = 0.0;
            for (int k = 0; k < 3; k++) x += look->mesh_axis[k][i] * m->corner[c][k];
            taut_base64_float(&corners, x);
        }
    taut_base64_finish(&corners);
    taut_string_add(out, "\",\n\"indices\":\"");
    for (long t = 0; t < m->triangles; t++)
        for (int i = 0; i < 3; i++) taut_base64_word(&triangles, (uint64_t)m->triangle[t][i], 4);
    taut_base64_finish(&triangles);
    taut_string_add(out, "\"}");
}

void taut_scene_put_meshes(const taut_scene *s, taut_string *out) {
    const long share = MOST_IN_ALL / (s->surfaces > 0 ? s->surfaces : 1);
    const long most = share < MOST_TRIANGLES ? share : MOST_TRIANGLES;
    taut_string_add(out, ",\n\"meshes\":[");
    for (int i = 0; i < s->surfaces; i++) {
        const taut_look *look = &s->mechanism->body[s->surface_of[i]].look;
        taut_mesh *small = NULL;
        if (taut_mesh_reduce(look->mesh, most, &small) != TAUT_OK) {
            out->failed = true;
            return;
        }
        taut_string_add(out, i > 0 ? "," : "");
        put_surface(out, small, look);
        taut_mesh_free(&small);
    }
    taut_string_add(out, "]");
}
