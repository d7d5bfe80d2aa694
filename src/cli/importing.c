/* `taut import`: the model file, and what it leaves out. */
#include "cli/importing.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

static void show_left_out(FILE *to, const char *lines) {
    if (lines[0]) fprintf(to, "  left out, because it has no counterpart:\n");
    for (const char *p = lines; *p;) {
        const int n = (int)strcspn(p, "\n");
        fprintf(to, "    %.*s\n", n, p);
        p += n + (p[n] == '\n');
    }
}

/* The folder of a path, with its slash: so many characters. */
static int folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* Files of meshes are named from the folder of the robot's file. Where the model file goes into
 * another one, that folder stands before their names. NULL: no memory. */
static char *move_meshes(const char *text, const char *from, const char *to) {
    static const char MESH[] = "      Mesh: {File: \"";
    const size_t n = sizeof MESH - 1;
    char folder[1100], absolute[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", folder_of(from), from);
    if (!is_stdout(to) && folder_of(to) == folder_of(from) &&
        strncmp(from, to, (size_t)folder_of(to)) == 0)
        folder[0] = '\0';
    else if (!is_stdout(to) && folder_of(to) > 0 &&
             realpath(folder[0] ? folder : ".", absolute)) /* from elsewhere: the whole path */
        snprintf(folder, sizeof folder, "%.1000s/", absolute);
    size_t count = 0;
    for (const char *p = text; (p = strstr(p, MESH)); p += n) count++;
    char *moved = malloc(strlen(text) + count * strlen(folder) + 1), *at = moved;
    for (const char *p = text, *next; moved && p; p = next) {
        next = strstr(p, MESH);
        if (next) next += n;
        const size_t length = next ? (size_t)(next - p) : strlen(p);
        memcpy(at, p, length);
        at += length;
        const char *more = next ? folder : "";
        memcpy(at, more, strlen(more) + 1);
        at += strlen(more);
    }
    return moved;
}

int import_model(const arguments *a, taut_errors *errors) {
    char *text = NULL, *left_out = NULL;
    const char *output = a->output ? a->output : "-";
    const taut_status status = taut_import(a->file, &text, &left_out, errors);
    int code = show_errors(status, errors);
    if (status == TAUT_OK) {
        FILE *words = is_stdout(output) ? stderr : stdout;
        char *moved = move_meshes(text, a->file, output);
        code = moved ? write_new_file(output, moved) : show_errors(TAUT_ERR_MEMORY, errors);
        free(moved);
        if (code == EXIT_DONE && !a->quiet && !is_stdout(output))
            printf("%s is there; next: taut view %s --open\n", shown(output), shown(output));
        if (code == EXIT_DONE && !a->quiet) show_left_out(words, left_out);
    }
    taut_text_free(&text);
    taut_text_free(&left_out);
    return code;
}
