/* Reading the files that a file includes, and those of its tables. What they say is put together by
 * expand.c. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/text.h"
#include "expr/infix.h"
#include "model/schema.h"
#include "model/shelf.h"
#include "model/yaml.h"

enum { DEEPEST = 16, MOST_FILES = 200, MOST_DATA = 256 << 20, FOLDER_ROOM = 4200 };

typedef struct loader {
    taut_errors *errors;
    bool faulty;
    int files;
    long long data; /* bytes of tables and meshes, which are to be read in a second or two */
    struct stat open[DEEPEST + 1]; /* [depth] the files that are being read, the first one first */
    int depth;
    const taut_doc *first; /* the document with which it all began */
} loader;

#define FAULT(l, node, ...)                                                                        \
    ((l)->faulty = true,                                                                           \
     taut_fail_at((l)->errors, TAUT_ERR_INPUT, taut_yaml_place(node), __VA_ARGS__))

/* The path of a file that is named in `doc`: relative to its folder. */
static const char *path_from(taut_doc *doc, const char *file) {
    const char *slash = strrchr(doc->path, '/');
    const size_t folder = file[0] == '/' || !slash ? 0 : (size_t)(slash - doc->path) + 1;
    const size_t length = folder + strlen(file);
    char *path = taut_arena_alloc(&doc->arena, length + 1);
    if (path) snprintf(path, length + 1, "%.*s%s", (int)folder, doc->path, file);
    return path;
}

/* Other files may be anything, a list of passwords as well: their lines are nobody's business. */
static bool is_named_as_model(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* *path of a name that is no file here: the part of that name. false: reported. */
static bool find_part(loader *l, taut_doc *doc, const taut_yaml *name, const char **path) {
    char folder[FOLDER_ROOM], nearest[64];
    struct stat file;
    if (!taut_shelf_find(folder, sizeof folder)) {
        FAULT(l, name,
              "'%s' is the name of a part, but there is no folder of parts, %s; a file "
              "of yours needs its ending, as in %s.yaml",
              name->text, folder, name->text);
        return false;
    }
    const size_t length = strlen(folder) + strlen(name->text) + sizeof "/.yaml";
    char *found = taut_arena_alloc(&doc->arena, length);
    if (!found) return true; /* *path stays as it is, and is reported */
    snprintf(found, length, "%s/%s.yaml", folder, name->text);
    *path = found;
    if (stat(found, &file) == 0) return true;
    taut_shelf_nearest(folder, name->text, nearest, sizeof nearest);
    FAULT(l, name, "there is no part '%s' in %s%s%s%s (a file of yours needs its ending: %s.yaml)",
          name->text, folder, nearest[0] ? "; did you mean '" : "", nearest, nearest[0] ? "'?" : "",
          name->text);
    return false;
}

/* Can this file be read, and is it not one of those that lead here? part: it is one of taut's own.
 */
static bool check_file(loader *l, const taut_yaml *name, const char *path, bool part) {
    struct stat *file = &l->open[l->depth];
    if (stat(path, file) != 0) {
        FAULT(l, name, "cannot include '%s': %s", path, strerror(errno));
        return false;
    }
    if (l->first->confined && !part && !taut_doc_owns(l->first, path)) {
        FAULT(l, name, "cannot include '%s': options.confine allows the model's own folder only",
              path);
        return false;
    }
    if (!S_ISREG(file->st_mode)) {
        FAULT(l, name, "cannot include '%s': it is not a file", path);
        return false;
    }
    for (int i = 0; i < l->depth; i++)
        if (l->open[i].st_dev == file->st_dev && l->open[i].st_ino == file->st_ino) {
            FAULT(l, name, "'%s' includes itself%s", path,
                  i + 1 < l->depth ? ", through other files" : "");
            return false;
        }
    if (l->depth == DEEPEST || l->files == MOST_FILES) {
        FAULT(l, name,
              l->depth == DEEPEST ? "files include files more than %d deep"
                                  : "more than %d files are included",
              l->depth == DEEPEST ? DEEPEST : MOST_FILES);
        return false;
    }
    return true;
}

static taut_status load(loader *l, taut_doc *doc);

/* Has a map a key that model files have? Messages about other files would quote what is in them. */
static bool is_of_models(const taut_yaml *root) {
    for (int i = 0; i < root->count; i++)
        if (taut_key_find(TAUT_SECTION_TOP, root->keys[i]->text) ||
            strcmp(root->keys[i]->text, "Repeat") == 0)
            return true;
    return root->count == 0;
}

/* Reads the file `name` (a node) and adds it to those that doc includes. */
static taut_status include_file(loader *l, taut_doc *doc, const taut_yaml *name,
                                const taut_yaml *prefix) {
    const char *path = path_from(doc, name->text);
    taut_doc *file;
    if (!path) return TAUT_ERR_MEMORY;
    struct stat here;
    const bool part = taut_shelf_is_name(name->text) && stat(path, &here) != 0;
    if (part && !find_part(l, doc, name, &path)) return TAUT_OK;
    if (!check_file(l, name, path, part)) return TAUT_OK;
    l->files++;
    const bool hidden = !is_named_as_model(path);
    const int before = l->errors ? l->errors->count : 0;
    const taut_status status = taut_doc_read(path, &file, l->errors);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK) {
        for (int i = before; hidden && l->errors && i < l->errors->count; i++)
            l->errors->item[i].source[0] = '\0';
        l->faulty = true;
        return TAUT_OK;
    }
    doc->include[doc->includes++] =
        (taut_include){.place = name, .prefix = prefix ? prefix->text : "", .doc = file};
    file->hidden = hidden;
    if (file->root->kind != TAUT_YAML_MAPPING) {
        FAULT(l, file->root, "an included file must be a map, {name: value, ...}");
        return TAUT_OK;
    }
    if (!is_of_models(file->root)) {
        FAULT(l, file->root, "this is no part of a model: none of its keys is one of model files");
        return TAUT_OK;
    }
    l->depth++;
    const taut_status inner = load(l, file);
    l->depth--;
    return inner;
}

/* {File, Prefix} */
static bool check_entry(loader *l, const taut_yaml *entry) {
    const taut_yaml *file = taut_yaml_get(entry, "File"), *prefix = taut_yaml_get(entry, "Prefix");
    for (int i = 0; i < entry->count; i++)
        if (!taut_key_find(TAUT_SECTION_INCLUDE, entry->keys[i]->text)) {
            FAULT(l, entry->keys[i],
                  "unknown key '%s'; an included file is {File: ..., Prefix: ...}",
                  entry->keys[i]->text);
            return false;
        }
    if (!file || file->kind != TAUT_YAML_SCALAR || file->is_null) {
        FAULT(l, entry, "the key 'File' is missing: which file is to be included?");
        return false;
    }
    if (!prefix) return true;
    const bool good = prefix->kind == TAUT_YAML_SCALAR && taut_infix_is_name(prefix->text) &&
                      prefix->text[prefix->length - 1] == '_' && prefix->length < TAUT_NAME_MAX / 2;
    if (!good)
        FAULT(l, prefix,
              "a prefix is a short name that ends with _, such as left_: it goes before "
              "every name of the included file");
    return good;
}

static taut_status include_entry(loader *l, taut_doc *doc, const taut_yaml *entry) {
    if (entry->kind == TAUT_YAML_SCALAR && !entry->is_null)
        return include_file(l, doc, entry, NULL);
    if (entry->kind != TAUT_YAML_MAPPING) {
        FAULT(l, entry, "'Include' names files: leg.yaml, or {File: leg.yaml, Prefix: left_}");
        return TAUT_OK;
    }
    if (!check_entry(l, entry)) return TAUT_OK;
    return include_file(l, doc, taut_yaml_get(entry, "File"), taut_yaml_get(entry, "Prefix"));
}

/* ---- tables ---- */

/* Tables and meshes, each of a size that is allowed, may be too many. */
static bool check_data(loader *l, const taut_yaml *name, long long size) {
    if (l->files == MOST_FILES)
        FAULT(l, name, "more than %d files are read", MOST_FILES);
    else if (l->data + size > MOST_DATA)
        FAULT(l, name, "tables and meshes have more than %d MB in all", MOST_DATA >> 20);
    else {
        l->files++;
        l->data += size;
        return true;
    }
    return false;
}

/* Can a table be read from this file? */
static bool check_sheet(loader *l, const taut_yaml *name, const char *path) {
    const char *dot = strrchr(path, '.');
    struct stat file;
    if (!dot || strcmp(dot, ".csv") != 0)
        FAULT(l, name, "a table is read from a file whose name ends with .csv, not '%s'", path);
    else if (stat(path, &file) != 0)
        FAULT(l, name, "cannot read the table '%s': %s", path, strerror(errno));
    else if (l->first->confined && !taut_doc_owns(l->first, path))
        FAULT(l, name,
              "cannot read the table '%s': options.confine allows the model's own folder only",
              path);
    else if (!S_ISREG(file.st_mode))
        FAULT(l, name, "cannot read the table '%s': it is not a file", path);
    else
        return check_data(l, name, (long long)file.st_size);
    return false;
}

static taut_status read_sheet(loader *l, taut_doc *doc, const taut_yaml *name) {
    const char *path = path_from(doc, name->text);
    if (!path) return TAUT_ERR_MEMORY;
    if (taut_doc_find_sheet(doc, name->text) || !check_sheet(l, name, path)) return TAUT_OK;
    taut_sheet *sheet;
    const taut_status status =
        taut_sheet_read(path, !taut_doc_owns(l->first, path), &sheet, l->errors);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK) {
        l->faulty = true;
        return TAUT_OK;
    }
    doc->sheet[doc->sheets++] = (taut_doc_sheet){name->text, sheet};
    return TAUT_OK;
}

/* Names of files below a node: count them, or (count NULL) read them. */
static taut_status find_sheets(loader *l, taut_doc *doc, const taut_yaml *node, int *count) {
    if (node->kind == TAUT_YAML_SCALAR) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        const bool file = node->keys && strcmp(node->keys[i]->text, "File") == 0 &&
                          node->items[i]->kind == TAUT_YAML_SCALAR && !node->items[i]->is_null;
        if (file && count)
            ++*count;
        else if (file)
            TAUT_TRY(read_sheet(l, doc, node->items[i]));
        else if (node->keys) /* entries, and what is repeated */
            TAUT_TRY(find_sheets(l, doc, node->items[i], count));
    }
    return TAUT_OK;
}

static taut_status load_tables(loader *l, taut_doc *doc) {
    const taut_yaml *tables = taut_yaml_get(doc->root, "Tables");
    int count = 0;
    if (!tables) return TAUT_OK;
    TAUT_TRY(find_sheets(l, doc, tables, &count));
    if (count == 0) return TAUT_OK;
    if (!doc->has_path) {
        FAULT(l, tables,
              "a model from memory cannot read tables from files: it is in no folder that their "
              "paths could start from; give their Points, or read it from a file");
        return TAUT_OK;
    }
    doc->sheet = TAUT_NEW_ARRAY(&doc->arena, count, taut_doc_sheet);
    if (!doc->sheet) return TAUT_ERR_MEMORY;
    return find_sheets(l, doc, tables, NULL);
}

const taut_sheet *taut_doc_find_sheet(const taut_doc *doc, const char *file) {
    for (int i = 0; i < doc->sheets; i++)
        if (strcmp(doc->sheet[i].file, file) == 0) return doc->sheet[i].sheet;
    return NULL;
}

/* May a mesh be read from this file? */
static bool check_mesh(void *user, const taut_yaml *name, const char *path) {
    loader *l = user;
    struct stat file;
    if (stat(path, &file) != 0)
        FAULT(l, name, "cannot read the mesh '%s': %s", path, strerror(errno));
    else if (l->first->confined && !taut_doc_owns(l->first, path))
        FAULT(l, name,
              "cannot read the mesh '%s': options.confine allows the model's own folder only",
              path);
    else if (!S_ISREG(file.st_mode))
        FAULT(l, name, "cannot read the mesh '%s': it is not a file", path);
    else
        return check_data(l, name, (long long)file.st_size);
    return false;
}

static taut_status load_meshes(loader *l, taut_doc *doc) {
    const taut_status status = taut_doc_load_meshes(doc, check_mesh, l, l->errors);
    if (status != TAUT_ERR_INPUT) return status;
    l->faulty = true;
    return TAUT_OK;
}

static taut_status load(loader *l, taut_doc *doc) {
    TAUT_TRY(load_tables(l, doc));
    TAUT_TRY(load_meshes(l, doc));
    const taut_yaml *list = taut_yaml_get(doc->root, "Include");
    if (!list || (list->kind == TAUT_YAML_SCALAR && list->is_null)) return TAUT_OK;
    if (!doc->has_path) {
        FAULT(l, list,
              "a model from memory cannot include files: it is in no folder that their "
              "paths could start from; read it from a file");
        return TAUT_OK;
    }
    const int count = list->kind == TAUT_YAML_SEQUENCE ? list->count : 1;
    doc->include = TAUT_NEW_ARRAY(&doc->arena, count, taut_include);
    if (!doc->include) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++)
        TAUT_TRY(include_entry(l, doc, list->kind == TAUT_YAML_SEQUENCE ? list->items[i] : list));
    return TAUT_OK;
}

taut_status taut_doc_load_includes(taut_doc *doc, bool confine, taut_errors *errors) {
    loader l = {.errors = errors, .first = doc, .depth = 1};
    TAUT_TRY(taut_doc_settle(doc, confine, errors));
    if (doc->has_path && stat(doc->path, &l.open[0]) != 0) /* gone since: nothing can include it */
        memset(&l.open[0], 0, sizeof l.open[0]);
    const taut_status status = load(&l, doc);
    return status == TAUT_OK && l.faulty ? TAUT_ERR_INPUT : status;
}

/* Counts *k down; NULL: it goes on behind this file and those that it includes. */
static const char *find_file(const taut_doc *doc, int *k) {
    const char *path = NULL;
    if ((*k)-- == 0) return doc->path;
    for (int i = 0; i < doc->sheets; i++)
        if ((*k)-- == 0) return doc->sheet[i].sheet->path;
    for (int i = 0; i < doc->meshes; i++)
        if ((*k)-- == 0) return doc->mesh[i].mesh->path;
    for (int i = 0; i < doc->includes && !path; i++) path = find_file(doc->include[i].doc, k);
    return path;
}

const char *taut_doc_file(const taut_doc *doc, int k) {
    return k >= 0 && doc->has_path ? find_file(doc, &k) : NULL;
}
