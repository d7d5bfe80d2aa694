/* The folder of the parts, and what is in it. */
#include "model/shelf.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/library.h"
#include "core/text.h"

#ifndef TAUT_PARTS_DIR
#define TAUT_PARTS_DIR "/usr/share/taut/examples/parts"
#endif

enum { PATH_ROOM = 4096, MOST_PARTS = 200 };

/* From the folder of the program or of the library: installed, in the folder of a build (build,
 * out/asan), in one of its tests, in the package for Python. */
static const char *const BESIDE[] = {"../share/taut/examples/parts",
                                     "../../share/taut/examples/parts",
                                     "../taut/parts",
                                     "../examples/parts",
                                     "../../examples/parts",
                                     "../../../examples/parts"};

bool taut_shelf_is_name(const char *name) {
    static const char LETTERS[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return name[0] && name[strspn(name, LETTERS)] == '\0';
}

static bool is_folder(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 && S_ISDIR(file.st_mode);
}

static bool find_beside(const char *home, char *folder, size_t size) {
    for (size_t i = 0; i < sizeof BESIDE / sizeof *BESIDE; i++)
        if ((size_t)snprintf(folder, size, "%s/%s", home, BESIDE[i]) < size && is_folder(folder)) {
            char *real = realpath(folder, NULL);
            if (real && strlen(real) < size) snprintf(folder, size, "%s", real);
            free(real);
            return true;
        }
    return false;
}

bool taut_shelf_find(char *folder, size_t size) {
    char home[PATH_ROOM];
    if (taut_library_folder(home, sizeof home) && find_beside(home, folder, size)) return true;
    const ssize_t n = readlink("/proc/self/exe", home, sizeof home - 1);
    home[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(home, '/');
    if (slash) *slash = '\0';
    if (slash && find_beside(home, folder, size)) return true;
    snprintf(folder, size, "%s", TAUT_PARTS_DIR);
    return is_folder(folder);
}

void taut_shelf_nearest(const char *folder, const char *name, char *nearest, size_t size) {
    char found[MOST_PARTS][64];
    taut_nearest near = {.wanted = name};
    int count = 0;
    DIR *parts = opendir(folder);
    nearest[0] = '\0';
    for (const struct dirent *file; parts && (file = readdir(parts)) && count < MOST_PARTS;) {
        const size_t length = strlen(file->d_name), ending = strlen(".yaml");
        if (length <= ending || length >= sizeof found[0] ||
            strcmp(file->d_name + length - ending, ".yaml") != 0)
            continue;
        snprintf(found[count], sizeof found[0], "%.*s", (int)(length - ending), file->d_name);
        taut_nearest_offer(&near, found[count++]);
    }
    if (parts) closedir(parts);
    if (near.best) snprintf(nearest, size, "%s", near.best);
}
