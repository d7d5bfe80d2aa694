/* The surfaces of a page: each mesh once, with fewer triangles if it is large. */
#include "out/base64.h"
#include "out/scene.h"

enum { MOST_TRIANGLES = 20000, MOST_IN_ALL = 60000 };

/* The number of a mesh among those of the bodies before body b and of b; -1: it has none. */
static int number_of(const taut_scene *s, int b, bool *is_new) {
    const taut_mechanism *m = s->mechanism;
    int count = 0;
    *is_new = false;
    for (int i = 0; i <= b; i++) {
        const taut_mesh *mesh = m->body[i].look.mesh;
        bool seen = !mesh;
        for (int k = 0; k < i && !seen; k++) seen = m->body[k].look.mesh == mesh;
        if (seen) continue;
        if (mesh == m->body[b].look.mesh) {
            *is_new = i == b;
            return count;
        }
        count++;
    }
    return -1;
}

void taut_scene_put_mesh(const taut_scene *s, taut_string *out, int b) {
    const taut_look *look = &s->mechanism->body[b].look;
    bool is_new;
    const int number = look->mesh ? number_of(s, b, &is_new) : -1;
    taut_string_add(out, ",\"mesh\":");
    if (number < 0) {
        taut_string_add(out, "null");
        return;
    }
    taut_string_add(out, "{\"number\":%d,\"scale\":%.17g,\"origin\":", number, look->mesh_scale);
    taut_scene_put_numbers(out, look->mesh_origin, 3, 17);
    taut_string_add(out, "}");
}

static void put_surface(taut_string *out, const taut_mesh *m, long original) {
    taut_base64 corners = {.out = out}, triangles = {.out = out};
    taut_string_add(out, "{\"triangles\":%ld,\"original\":%ld,\"corners\":\"", m->triangles,
                    original);
    for (long c = 0; c < m->corners; c++)
        for (int i = 0; i < 3; i++) taut_base64_float(&corners, m->corner[c][i]);
    taut_base64_finish(&corners);
    taut_string_add(out, "\",\n\"indices\":\"");
    for (long t = 0; t < m->triangles; t++)
        for (int i = 0; i < 3; i++) taut_base64_word(&triangles, (uint64_t)m->triangle[t][i], 4);
    taut_base64_finish(&triangles);
    taut_string_add(out, "\"}");
}

void taut_scene_put_meshes(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    int count = 0;
    bool is_new;
    for (int b = 0; b < m->bodies; b++)
        count += m->body[b].look.mesh && number_of(s, b, &is_new) >= 0 && is_new;
    const long share = MOST_IN_ALL / (count > 0 ? count : 1);
    const long most = share < MOST_TRIANGLES ? share : MOST_TRIANGLES;
    taut_string_add(out, ",\n\"meshes\":[");
    for (int b = 0, written = 0; b < m->bodies; b++) {
        taut_mesh *small = NULL;
        if (!m->body[b].look.mesh || number_of(s, b, &is_new) < 0 || !is_new) continue;
        if (taut_mesh_reduce(m->body[b].look.mesh, most, &small) != TAUT_OK) {
            out->failed = true;
            return;
        }
        taut_string_add(out, written++ ? "," : "");
        put_surface(out, small, m->body[b].look.mesh->triangles);
        taut_mesh_free(&small);
    }
    taut_string_add(out, "]");
}
