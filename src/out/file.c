/* Temporary file, then rename. */
#include "out/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "taut/taut.h"

static taut_status trouble(taut_errors *errors, const char *path, int number) {
    return taut_fail(errors, TAUT_ERR_IO, "%s cannot be written: %s",
                     strcmp(path, "-") == 0 ? "the standard output" : path, strerror(number));
}

static void choose_temporary(taut_file *file) {
    snprintf(file->temporary, sizeof file->temporary, "%s.%ld.tmp", file->path, (long)getpid());
}

taut_status taut_file_open(taut_file *file, const char *path, taut_errors *errors) {
    *file = (taut_file){.path = path};
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return TAUT_OK;
    }
    if (strlen(path) > 1000) return trouble(errors, path, ENAMETOOLONG);
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) { /* a device or a pipe: no renaming */
        if (S_ISDIR(info.st_mode)) return trouble(errors, path, EISDIR);
        file->stream = fopen(path, "w");
    } else {
        choose_temporary(file);
        file->stream = fopen(file->temporary, "w");
    }
    return file->stream ? TAUT_OK : trouble(errors, path, errno);
}

taut_status taut_file_name(taut_file *file, const char *path, taut_errors *errors) {
    struct stat info;
    *file = (taut_file){.path = path};
    if (strlen(path) > 1000) return trouble(errors, path, ENAMETOOLONG);
    if (strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return taut_fail(errors, TAUT_ERR_IO,
                         "%s cannot be written: this format needs a file, not a device or a pipe",
                         strcmp(path, "-") == 0 ? "the standard output" : path);
    choose_temporary(file);
    return TAUT_OK;
}

taut_status taut_file_close(taut_file *file, taut_errors *errors) {
    int number = 0;
    errno = 0;
    if (file->stream) {
        if (ferror(file->stream) || fflush(file->stream) != 0) number = errno ? errno : EIO;
        if (file->stream != stdout && fclose(file->stream) != 0 && number == 0) number = errno;
    }
    if (number == 0 && file->temporary[0] && rename(file->temporary, file->path) != 0)
        number = errno;
    if (number == 0) return TAUT_OK;
    if (file->temporary[0]) remove(file->temporary);
    return trouble(errors, file->path, number);
}

void taut_file_drop(taut_file *file) {
    if (file->stream && file->stream != stdout) fclose(file->stream);
    if (file->temporary[0]) remove(file->temporary);
}

taut_status taut_file_write(const char *path, const char *text, taut_errors *errors) {
    taut_file file;
    TAUT_TRY(taut_file_open(&file, path, errors));
    fputs(text, file.stream);
    return taut_file_close(&file, errors);
}

taut_status taut_output_check(const char *path, taut_errors *errors) {
    struct stat info;
    char folder[1040];
    TAUT_NEED(path, "path", errors);
    if (strcmp(path, "-") == 0) return TAUT_OK;
    if (path[0] == '\0') return taut_fail(errors, TAUT_ERR_CALL, "the name of the output is empty");
    if (strlen(path) > 1000) return trouble(errors, path, ENAMETOOLONG);
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) return trouble(errors, path, EISDIR);
        if (access(path, W_OK) != 0) return trouble(errors, path, errno);
        if (!S_ISREG(info.st_mode)) return TAUT_OK;
    }
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    if (stat(folder, &info) != 0 && errno == ENOENT)
        return taut_fail(errors, TAUT_ERR_IO, "%s cannot be written: there is no folder %s", path,
                         folder);
    if (stat(folder, &info) != 0) return trouble(errors, path, errno);
    if (!S_ISDIR(info.st_mode)) return trouble(errors, path, ENOTDIR);
    return access(folder, W_OK | X_OK) == 0 ? TAUT_OK : trouble(errors, path, errno);
}
