/* Fuzzes the reader of meshes: any bytes are a mesh with corners that exist, or get a message. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const taut_mesh *m) {
    taut_mesh *small = NULL;
    if (m->triangles < 1 || m->corners < 3) abort();
    for (long t = 0; t < m->triangles; t++)
        for (int i = 0; i < 3; i++)
            if (m->triangle[t][i] < 0 || m->triangle[t][i] >= m->corners) abort();
    if (taut_mesh_open_edges(m) == 0 && isnan(taut_mesh_integrate(m).volume)) abort();
    if (taut_mesh_reduce(m, 10, &small) != TAUT_OK) abort();
    taut_mesh_free(&small);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static taut_errors errors;
    for (int obj = 0; obj < 2; obj++) {
        taut_mesh *mesh = NULL;
        char *copy = malloc(size + 1);
        if (!copy) abort();
        memcpy(copy, data, size);
        copy[size] = '\0';
        errors.count = errors.dropped = 0;
        const taut_status status =
            taut_mesh_parse(obj ? "a.obj" : "a.stl", copy, (long)size, &mesh, &errors);
        if ((status == TAUT_OK) != (mesh != NULL) || (status == TAUT_OK) != (errors.count == 0))
            abort();
        if (mesh) check(mesh);
        taut_mesh_free(&mesh);
        free(copy);
    }
    return 0;
}
