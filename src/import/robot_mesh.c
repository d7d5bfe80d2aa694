/* Surfaces of bodies: where their files are. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "import/robot.h"

enum { LONGEST = 900, HIGHEST = 4 };

/* Is there a file at this path from the robot's? */
static bool is_there(const taut_robot *r, const char *path) {
    char whole[PATH_MAX];
    struct stat about;
    const char *slash = strrchr(r->path, '/');
    const int folder = slash ? (int)(slash - r->path) + 1 : 0;
    return snprintf(whole, sizeof whole, "%.*s%s", folder, r->path, path) < (int)sizeof whole &&
           stat(whole, &about) == 0 && S_ISREG(about.st_mode);
}

/* Is the folder so many levels above the robot's file called that? */
static bool is_called(const taut_robot *r, int levels, const char *name, size_t length) {
    char path[PATH_MAX], real[PATH_MAX];
    const char *slash = strrchr(r->path, '/');
    int n = snprintf(path, sizeof path, "%.*s.", slash ? (int)(slash - r->path) + 1 : 0, r->path);
    for (int i = 0; i < levels && n < (int)sizeof path; i++)
        n += snprintf(path + n, sizeof path - (size_t)n, "/..");
    if (n >= (int)sizeof path || !realpath(path, real)) return false;
    const char *last = strrchr(real, '/') + 1;
    return strlen(last) == length && strncmp(last, name, length) == 0;
}

/* package://NAME/path: below the folder NAME in which the robot's file is, or beside that file. */
static bool find_in_package(const taut_robot *r, const char *name, char found[LONGEST]) {
    const size_t length = strcspn(name, "/");
    const char *rest = name + length + (name[length] == '/');
    snprintf(found, LONGEST, "%s", rest);
    if (is_there(r, found)) return true;
    snprintf(found, LONGEST, "%s", name);
    if (is_there(r, found)) return true;
    for (int levels = 1; levels <= HIGHEST; levels++) {
        int n = 0;
        for (int i = 0; i < levels; i++) n += snprintf(found + n, LONGEST - (size_t)n, "../");
        snprintf(found + n, LONGEST - (size_t)n, "%s", rest);
        if (is_called(r, levels, name, length) && is_there(r, found)) return true;
    }
    return false;
}

/* Can it stand between quotes? */
static bool is_plain(const char *name) {
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        if (*p < ' ' || *p == 127 || *p == '"' || *p == '\\') return false;
    return strlen(name) < LONGEST - 4 * HIGHEST;
}

static bool is_read(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (strcasecmp(dot, ".stl") == 0 || strcasecmp(dot, ".obj") == 0);
}

bool taut_robot_finds(const taut_robot *r, const char *folder, const char *file, char *path) {
    char below[LONGEST];
    const char *slash = strrchr(r->path, '/');
    const int own = slash ? (int)(slash - r->path) + 1 : 0;
    const char *between = folder && folder[0] && folder[strlen(folder) - 1] != '/' ? "/" : "";
    if (snprintf(below, sizeof below, "%s%s%s", folder ? folder : "", between, file) >= LONGEST ||
        below[0] == '/' || !is_plain(below) || !is_read(below) || !is_there(r, below))
        return false;
    return snprintf(path, 4200, "%.*s%s", own, r->path, below) < 4200;
}

taut_status taut_robot_add_mesh(taut_robot *r, int body, const char *file, const double scale[3],
                                const taut_robot_frame *frame) {
    static const char PACKAGE[] = "package://";
    const size_t n = sizeof PACKAGE - 1;
    const bool packed = strncmp(file, PACKAGE, n) == 0;
    char path[LONGEST];
    const char *why = NULL;
    taut_robot_body *b = body == TAUT_GROUND ? NULL : &r->body[body];
    snprintf(path, sizeof path, "%s", file);
    if (!is_read(file))
        why = "only .stl and .obj are read";
    else if (r->from_memory || !is_plain(file) || file[0] == '/' || strstr(file, "file:"))
        why = "its path has to be one from this file";
    else if (!(packed ? find_in_package(r, file + n, path) : is_there(r, path)))
        why = "the file is not there";
    else if (!b)
        why = "the ground has no surface here";
    else if (!(scale[0] > 0.0) || scale[1] != scale[0] || scale[2] != scale[0])
        why = "it is scaled differently along its axes, or mirrored";
    else if (b->mesh.file)
        why = "a body has one surface here";
    if (why) {
        taut_robot_leave_out(r, "mesh %.200s: %s", file, why);
        return TAUT_OK;
    }
    b->mesh = (taut_robot_mesh){taut_arena_copy(&r->arena, path, strlen(path)), scale[0], *frame};
    return b->mesh.file ? TAUT_OK : TAUT_ERR_MEMORY;
}
