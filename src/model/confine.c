/* Which files a model may have read, and of which of them messages may show lines: those of its own
 * folder and below. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/yaml.h"

/* The folder of a file, absolute and without symbolic links; NULL: there is none. To be freed. */
static char *folder_of(const char *path) {
    char *real = realpath(path, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash) slash[slash == real] = '\0';
    return real;
}

/* The same for a text that was made from a file of this folder. */
static char *folder_beside(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

taut_status taut_doc_settle(taut_doc *doc, bool confine, taut_errors *errors) {
    doc->confined = confine;
    if (!doc->has_path && !doc->has_folder) return TAUT_OK;
    errno = 0;
    char *folder = doc->has_path ? folder_of(doc->path) : folder_beside(doc->path);
    const int reason = errno;
    if (folder) doc->home = taut_arena_copy(&doc->arena, folder, strlen(folder));
    const bool failed = folder && !doc->home;
    free(folder);
    if (failed) return TAUT_ERR_MEMORY;
    if (doc->home || !confine) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_IO, "the folder of %s cannot be found: %s", doc->path,
                     strerror(reason));
}

bool taut_doc_owns(const taut_doc *doc, const char *path) {
    char *real = doc->home ? realpath(path, NULL) : NULL;
    const size_t n = doc->home ? strlen(doc->home) : 0;
    const bool inside = real && strncmp(real, doc->home, n) == 0 &&
                        (real[n] == '/' || (n > 0 && doc->home[n - 1] == '/'));
    free(real);
    return inside;
}

taut_status taut_doc_check_data(const taut_doc *doc, const char *path, taut_place place,
                                taut_errors *errors) {
    struct stat file;
    if (doc->is_built) return TAUT_OK;
    if (!doc->has_path)
        return taut_fail_at(errors, TAUT_ERR_INPUT, place,
                            "a model from memory cannot read data: it is in no folder that their "
                            "paths could start from; name them in the call (options.data)");
    if (stat(path, &file) != 0)
        return taut_fail_at(errors, TAUT_ERR_IO, place, "cannot read the data '%s': %s", path,
                            strerror(errno));
    if (doc->confined && !taut_doc_owns(doc, path))
        return taut_fail_at(
            errors, TAUT_ERR_INPUT, place,
            "cannot read the data '%s': options.confine allows the model's own folder only", path);
    if (!S_ISREG(file.st_mode))
        return taut_fail_at(errors, TAUT_ERR_INPUT, place,
                            "cannot read the data '%s': it is not a file", path);
    return TAUT_OK;
}
