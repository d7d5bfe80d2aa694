/* Names of output files. */
#include "cli/paths.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void default_output(const char *file, const char *extension, char *path, size_t size) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const int stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(path, size, "%.*s%s", stem, name, extension);
}

bool is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

/* True if both names are the same file, or would be. */
static bool same_file(const char *a, const char *b) {
    struct stat first, second;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino && S_ISREG(first.st_mode);
}

int refuse(const char *option, const char *path, const char *why) {
    fprintf(stderr, "taut: error: %s %s: %s\n", option, path, why);
    return EXIT_WRONG;
}

int check_clashes(const arguments *a, const char *output) {
    if (same_file(a->file, output))
        return refuse("-o", output, "this would overwrite the model; give another name by -o");
    if (a->stats && same_file(a->file, a->stats))
        return refuse("--stats", a->stats, "this would overwrite the model; give another name");
    if (a->stats && same_file(output, a->stats))
        return refuse("--stats", a->stats, "the results go there; give another name");
    if (a->save_state && (same_file(a->file, a->save_state) || same_file(output, a->save_state) ||
                          (a->stats && same_file(a->stats, a->save_state))))
        return refuse("--save-state", a->save_state,
                      "something else goes there; give another name");
    return EXIT_DONE;
}
