/* Reading the files of meshes that bodies name, each of them once. */
#include <stdio.h>
#include <string.h>

#include "model/yaml.h"

typedef struct finder {
    taut_doc *doc;
    taut_mesh_allowed *allowed;
    void *user;
    taut_errors *errors;
    int found; /* names, while they are counted */
    bool reading, faulty;
} finder;

/* Relative to the folder of the document. */
static const char *path_from(taut_doc *doc, const char *file) {
    const char *slash = strrchr(doc->path, '/');
    const size_t folder = file[0] == '/' || !slash ? 0 : (size_t)(slash - doc->path) + 1;
    const size_t length = folder + strlen(file);
    char *path = taut_arena_alloc(&doc->arena, length + 1);
    if (path) snprintf(path, length + 1, "%.*s%s", (int)folder, doc->path, file);
    return path;
}

static taut_mesh *find(const taut_doc *doc, const char *file) {
    for (int i = 0; i < doc->meshes; i++)
        if (strcmp(doc->mesh[i].file, file) == 0) return doc->mesh[i].mesh;
    return NULL;
}

static taut_status read_file(finder *f, const taut_yaml *name) {
    taut_mesh *mesh;
    if (!f->doc->has_path && !f->doc->has_folder) {
        f->faulty = true;
        taut_fail_at(f->errors, TAUT_ERR_INPUT, taut_yaml_place(name),
                     "a model from memory cannot read meshes: it is in no folder that their paths "
                     "could start from; read it from a file");
        return TAUT_OK;
    }
    const char *path = path_from(f->doc, name->text);
    if (!path) return TAUT_ERR_MEMORY;
    if (!f->allowed(f->user, name, path)) {
        f->faulty = true;
        return TAUT_OK;
    }
    const taut_status status = taut_mesh_read(path, &mesh, f->errors);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status == TAUT_OK)
        f->doc->mesh[f->doc->meshes++] = (taut_doc_mesh){name->text, mesh};
    else
        f->faulty = true;
    return TAUT_OK;
}

/* solid: masses follow from it. Whatever bodies have the mesh, and however often the model is read
 * again, its integrals are computed once. */
static taut_status take(finder *f, const taut_yaml *name, bool solid) {
    if (!f->reading) {
        f->found++;
        return TAUT_OK;
    }
    if (!find(f->doc, name->text)) TAUT_TRY(read_file(f, name));
    taut_mesh *mesh = find(f->doc, name->text);
    return mesh && solid ? taut_mesh_measure(mesh) : TAUT_OK;
}

/* All `Mesh: {File: ...}` below a node. */
static taut_status visit(finder *f, const taut_yaml *node) {
    if (node->kind == TAUT_YAML_SCALAR) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        const taut_yaml *item = node->items[i];
        const bool mesh = node->keys && strcmp(node->keys[i]->text, "Mesh") == 0;
        const taut_yaml *file = mesh ? taut_yaml_get(item, "File") : NULL;
        if (file && file->kind == TAUT_YAML_SCALAR && !file->is_null)
            TAUT_TRY(take(f, file, taut_yaml_get(node, "Shape") != NULL));
        else
            TAUT_TRY(visit(f, item));
    }
    return TAUT_OK;
}

const taut_mesh *taut_doc_find_mesh(const taut_doc *doc, const char *file) {
    return find(doc, file);
}

taut_status taut_doc_load_meshes(taut_doc *doc, taut_mesh_allowed *allowed, void *user,
                                 taut_errors *errors) {
    const taut_yaml *parts = taut_yaml_get(doc->root, "PartData");
    finder f = {.doc = doc, .allowed = allowed, .user = user, .errors = errors};
    if (!parts) return TAUT_OK;
    TAUT_TRY(visit(&f, parts));
    if (f.found == 0) return TAUT_OK;
    doc->mesh = TAUT_NEW_ARRAY(&doc->arena, f.found, taut_doc_mesh);
    if (!doc->mesh) return TAUT_ERR_MEMORY;
    f.reading = true;
    TAUT_TRY(visit(&f, parts));
    return f.faulty ? TAUT_ERR_INPUT : TAUT_OK;
}
