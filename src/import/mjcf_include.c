/* <include file="..."/>: what the root of another file has takes its place. Only files below the
 * folder of the first one are read, each once. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/mjcf_parts.h"

enum { DEEPEST = 16, MOST_LEVELS = 200 /* as of one file: import/xml */ };

void taut_xml_files_free(taut_xml_files *files) {
    for (int i = 0; i < files->count; i++) taut_xml_free(&files->file[i]);
    files->count = 0;
}

/* Does a path stay below its folder? No root, no step upwards; links are followed by the check of
 * the real path. */
static bool stays_below(const char *folder, const char *path) {
    char real[2][PATH_MAX];
    if (!realpath(folder, real[0]) || !realpath(path, real[1])) return true; /* it is not there */
    const size_t n = strlen(real[0]);
    return strncmp(real[0], real[1], n) == 0 && (real[1][n] == '/' || n == 1);
}

/* first: the path of the file with which it all began. */
static taut_status open_file(const taut_xml *at, const char *name, const char *first,
                             taut_xml_files *files, taut_xml_file **file, taut_errors *errors) {
    const taut_place place = taut_xml_place(at);
    char folder[3000], path[6200];
    const char *slash = strrchr(first, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - first) + 1 : 2,
             slash ? first : "./");
    if (snprintf(path, sizeof path, "%s%s", folder, name) >= (int)sizeof path || name[0] == '/' ||
        strstr(name, "..") || !stays_below(folder, path))
        return taut_fail_at(errors, TAUT_ERR_INPUT, place,
                            "'%s' is outside the folder of the first file: included files are in "
                            "it or below it",
                            name);
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->file[i]->path, path) == 0)
            return taut_fail_at(errors, TAUT_ERR_INPUT, place, "'%s' is included already", name);
    if (files->count == TAUT_XML_FILES_MAX)
        return taut_fail_at(errors, TAUT_ERR_INPUT, place, "more than %d files are included",
                            (int)TAUT_XML_FILES_MAX);
    TAUT_TRY(taut_xml_read(path, file, errors));
    files->file[files->count++] = *file;
    return TAUT_OK;
}

/* The children of `from` take the place of `node` below its parent. */
static void splice(taut_xml *node, taut_xml *from) {
    taut_xml *parent = node->parent;
    taut_xml **link = &parent->first;
    while (*link != node) link = &(*link)->next;
    for (taut_xml *x = from->first; x; x = x->next) x->parent = parent;
    *link = from->first ? from->first : node->next;
    if (from->last) from->last->next = node->next;
    parent->last = NULL;
    for (taut_xml *x = parent->first; x; x = x->next) parent->last = x;
}

/* Where the walk is: files, and elements, one in another. */
typedef struct position {
    int files, levels;
} position;

static taut_status walk(taut_xml *node, const char *first, taut_xml_files *files, position at,
                        taut_errors *errors) {
    const position below = {at.files, at.levels + 1}, inside = {at.files + 1, at.levels};
    if (at.levels > MOST_LEVELS)
        return taut_fail_at(
            errors, TAUT_ERR_INPUT, taut_xml_place(node),
            "with the files that are included, elements are nested more than %d deep",
            (int)MOST_LEVELS);
    for (taut_xml *x = node->first, *next; x; x = next) {
        next = x->next;
        if (strcmp(x->name, "include") != 0) {
            TAUT_TRY(walk(x, first, files, below, errors));
            continue;
        }
        const char *name;
        taut_xml_file *file = NULL;
        TAUT_TRY(taut_xml_need(x, "file", &name, errors));
        if (!first || at.files == DEEPEST)
            return taut_fail_at(errors, TAUT_ERR_INPUT, taut_xml_place(x),
                                !first ? "a text that comes from no file includes none"
                                       : "files are included more than 16 deep");
        TAUT_TRY(open_file(x, name, first, files, &file, errors));
        if (!file) return TAUT_ERR_IO;
        TAUT_TRY(walk(file->root, first, files, inside, errors));
        splice(x, file->root);
    }
    return TAUT_OK;
}

taut_status taut_mjcf_include(taut_xml *root, taut_xml_files *files, bool from_memory,
                              taut_errors *errors) {
    return walk(root, from_memory ? NULL : root->file->path, files, (position){0}, errors);
}
