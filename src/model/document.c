/* Documents: the text of a file or of the caller, and what its nodes are asked for. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/yaml.h"

enum { MAX_BYTES = 256 << 20, READ_AT_LEAST = 4096 };

taut_status taut_doc_no_memory(const char *path, taut_errors *errors) {
    return taut_fail_at(errors, TAUT_ERR_MEMORY, (taut_place){.path = path},
                        "out of memory while reading the file");
}

/* ---- loading ---- */

static taut_status too_large(const taut_doc *doc, taut_errors *errors) {
    return taut_fail_at(errors, TAUT_ERR_INPUT, (taut_place){.path = doc->path},
                        "the file is larger than %d MB", MAX_BYTES >> 20);
}

/* Makes room for `need` bytes and a terminator in doc->buffer. */
static taut_status reserve(taut_doc *doc, size_t *capacity, size_t need, taut_errors *errors) {
    if (taut_grow(&doc->buffer, capacity, need + 1, 1))
        return taut_doc_no_memory(doc->path, errors);
    return TAUT_OK;
}

static void set_text(taut_doc *doc, size_t length) {
    char *text = doc->buffer;
    text[length] = '\0';
    doc->text = text;
    doc->length = (long)length;
}

/* Reads an open file to its end; it may be a pipe. */
static taut_status load_stream(taut_doc *doc, FILE *file, taut_errors *errors) {
    const taut_place place = {.path = doc->path};
    size_t capacity = 0, count = 0, got = 1;
    errno = 0;
    while (got > 0) {
        TAUT_TRY(reserve(doc, &capacity, count + READ_AT_LEAST, errors));
        got = fread((char *)doc->buffer + count, 1, capacity - count - 1, file);
        count += got;
        if (count > MAX_BYTES) return too_large(doc, errors);
    }
    if (ferror(file) && errno == EISDIR)
        return taut_fail_at(errors, TAUT_ERR_IO, place, "this is a folder, not a file");
    if (ferror(file))
        return taut_fail_at(errors, TAUT_ERR_IO, place, "cannot read it: %s", strerror(errno));
    set_text(doc, count);
    return TAUT_OK;
}

/* A file that is not there, but is with another ending: a word about that. */
static void suggest(const char *path, char *hint, size_t size) {
    static const char *const ending[] = {".yaml", ".yml"};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    const bool other = dot && (strcmp(dot, ending[0]) == 0 || strcmp(dot, ending[1]) == 0);
    const int stem = other ? (int)(dot - path) : (int)strlen(path);
    char name[500];
    hint[0] = '\0';
    for (int i = 0; i < 2; i++)
        if (snprintf(name, sizeof name, "%.*s%s", stem, path, ending[i]) < (int)sizeof name &&
            access(name, R_OK) == 0)
            snprintf(hint, size, "; did you mean %s?", name);
}

static taut_status load_file(taut_doc *doc, taut_errors *errors) {
    FILE *file = fopen(doc->path, "rb");
    if (!file) {
        const int reason = errno;
        char hint[540] = "";
        if (reason == ENOENT) suggest(doc->path, hint, sizeof hint);
        return taut_fail_at(errors, TAUT_ERR_IO, (taut_place){.path = doc->path},
                            "cannot open it: %s%s", strerror(reason), hint);
    }
    const taut_status status = load_stream(doc, file, errors);
    fclose(file);
    return status;
}

static taut_status load_text(taut_doc *doc, const char *text, long length, taut_errors *errors) {
    size_t capacity = 0;
    if (length > MAX_BYTES) return too_large(doc, errors);
    TAUT_TRY(reserve(doc, &capacity, (size_t)length, errors));
    if (length > 0) memcpy(doc->buffer, text, (size_t)length);
    set_text(doc, (size_t)length);
    return TAUT_OK;
}

/* A document without text and nodes; it lives in its own arena. NULL: no memory. */
static taut_doc *doc_create(const char *path) {
    taut_arena arena = {0};
    taut_doc *doc = TAUT_NEW(&arena, taut_doc);
    char *copy = taut_arena_copy(&arena, path, strlen(path));
    if (!doc || !copy) {
        taut_arena_release(&arena);
        return NULL;
    }
    *doc =
        (taut_doc){.path = copy, .text = "", .arena = arena, .context = {.doc = doc, .prefix = ""}};
    return doc;
}

/* Hands a loaded document out with its nodes, or frees it. */
static taut_status finish(taut_doc *loaded, taut_status status, taut_doc **doc,
                          taut_errors *errors) {
    if (status == TAUT_OK) status = taut_doc_build(loaded, errors);
    if (status == TAUT_OK)
        *doc = loaded;
    else
        taut_doc_free(&loaded);
    return status;
}

taut_status taut_doc_read(const char *path, taut_doc **doc, taut_errors *errors) {
    *doc = NULL;
    taut_doc *d = doc_create(path);
    if (!d) return taut_doc_no_memory(path, errors);
    d->has_path = true;
    return finish(d, load_file(d, errors), doc, errors);
}

taut_status taut_doc_parse(const char *path_name, const char *text, long length, taut_doc **doc,
                           taut_errors *errors) {
    assert(length >= 0);
    *doc = NULL;
    taut_doc *d = doc_create(path_name);
    if (!d) return taut_doc_no_memory(path_name, errors);
    return finish(d, load_text(d, text, length, errors), doc, errors);
}

void taut_doc_free(taut_doc **doc) {
    if (!*doc) return;
    for (int i = 0; i < (*doc)->includes; i++) taut_doc_free(&(*doc)->include[i].doc);
    for (int i = 0; i < (*doc)->sheets; i++) taut_sheet_free(&(*doc)->sheet[i].sheet);
    for (int i = 0; i < (*doc)->meshes; i++) taut_mesh_free(&(*doc)->mesh[i].mesh);
    taut_arena arena = (*doc)->arena; /* the document itself is in it */
    taut_release(&(*doc)->buffer);
    taut_arena_release(&arena);
    *doc = NULL;
}

/* ---- looking at nodes ---- */

int taut_yaml_find(const taut_yaml *node, const char *key) {
    if (!node || node->kind != TAUT_YAML_MAPPING) return -1;
    for (int i = 0; i < node->count; i++) { /* a call for each of a million keys would be felt */
        const char *text = node->keys[i]->text;
        if (text[0] == key[0] && !strcmp(text, key)) return i;
    }
    return -1;
}

const taut_yaml *taut_yaml_get(const taut_yaml *node, const char *key) {
    const int i = taut_yaml_find(node, key);
    return i < 0 ? NULL : node->items[i];
}

bool taut_yaml_is(const taut_yaml *node, const char *text) {
    return node && node->kind == TAUT_YAML_SCALAR && !strcmp(node->text, text);
}
