/* Temporary file, then rename. */
#include "out/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/compiler.h"
#include "taut/taut.h"

enum {
    PATH_ROOM = sizeof((taut_file *)0)->target,
    LONGEST_PATH = 1000,
    MOST_LINKS = 40,
    MOST_ATTEMPTS = 100
};

static taut_status trouble(taut_errors *errors, const char *path, int number) {
    return taut_fail(errors, TAUT_ERR_IO, "%s cannot be written: %s",
                     strcmp(path, "-") == 0 ? "the standard output" : path, strerror(number));
}

/* ---- what is being written, for a handler of signals ---- */

/* A place in the list is taken while its file is there. What does not fit is not listed. */
typedef struct listed {
    atomic_int state; /* FREE, FILLING, LISTED */
    char path[sizeof((taut_file *)0)->temporary];
} listed;

enum { MOST_LISTED = 16, FREE = 0, FILLING, LISTED };
static listed list[MOST_LISTED];

static void enter(taut_file *file) {
    for (int i = 0; i < MOST_LISTED; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&list[i].state, &expected, FILLING)) continue;
        memcpy(list[i].path, file->temporary, sizeof list[i].path);
        file->place = i + 1;
        atomic_store(&list[i].state, LISTED);
        return;
    }
}

/* After the file has another name or is gone. */
static void leave(taut_file *file) {
    if (file->place > 0) atomic_store(&list[file->place - 1].state, FREE);
    file->place = 0;
}

void taut_output_abandon(void) {
    for (int i = 0; i < MOST_LISTED; i++)
        if (atomic_load(&list[i].state) == LISTED) unlink(list[i].path);
    taut_compiler_abandon();
}

/* ---- where the file really is ---- */

/* The file that a symbolic link leads to, which need not be there; false: links in a circle. */
static bool follow_links(const char *path, char *target, size_t size) {
    char link[PATH_ROOM];
    snprintf(target, size, "%s", path);
    for (int i = 0; i < MOST_LINKS; i++) {
        const ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0) return true; /* no link */
        link[length] = '\0';
        char *slash = strrchr(target, '/');
        char *name = link[0] == '/' || !slash ? target : slash + 1;
        const size_t room = size - (size_t)(name - target);
        if (snprintf(name, room, "%s", link) >= (int)room) return false;
    }
    return false;
}

/* What is there, and whether it can be replaced by renaming: a device or a pipe cannot. */
typedef struct target {
    bool exists, regular;
    mode_t mode;
} target;

static taut_status look(taut_file *file, const char *path, target *t, taut_errors *errors) {
    struct stat info;
    *file = (taut_file){.path = path};
    *t = (target){.regular = true};
    if (strlen(path) > LONGEST_PATH) return trouble(errors, path, ENAMETOOLONG);
    if (!follow_links(path, file->target, sizeof file->target)) return trouble(errors, path, ELOOP);
    if (stat(path, &info) != 0) return TAUT_OK;
    if (S_ISDIR(info.st_mode)) return trouble(errors, path, EISDIR);
    *t = (target){true, S_ISREG(info.st_mode), info.st_mode & 07777};
    return TAUT_OK;
}

/* How much of a path stands before the ending of the temporary name: as a rule all of it, but
 * a name may have 255 bytes. */
static int stem_of(const char *path) {
    enum { LONGEST_NAME = 255, ENDING = 40 };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > LONGEST_NAME - ENDING) length = LONGEST_NAME - ENDING;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) length--; /* whole letters */
    return (int)(name - path) + (int)length;
}

/* Creates a file beside the target that nobody else has: neither another thread nor whoever could
 * guess the name and put a link there. It gets the mode of the file that it will replace. */
static int try_names(taut_file *file, const target *t) {
    static atomic_uint number;
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        snprintf(file->temporary, sizeof file->temporary, "%.*s.%ld-%u.tmp", stem_of(file->target),
                 file->target, (long)getpid(), atomic_fetch_add(&number, 1u));
        const int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            if (t->exists) (void)!fchmod(fd, t->mode); /* a file system may have none */
            enter(file);
            return fd;
        }
        if (errno != EEXIST) break;
    }
    file->temporary[0] = '\0'; /* nothing to remove */
    return -1;
}

/* No signal comes between the file and its place in the list. */
static int open_temporary(taut_file *file, const target *t) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const int fd = try_names(file, t), number = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return fd;
}

/* ---- opening, closing ---- */

taut_status taut_file_open(taut_file *file, const char *path, taut_errors *errors) {
    target t;
    if (strcmp(path, "-") == 0) {
        *file = (taut_file){.path = path, .stream = stdout};
        return TAUT_OK;
    }
    TAUT_TRY(look(file, path, &t, errors));
    if (!t.regular) {
        file->stream = fopen(path, "w");
        return file->stream ? TAUT_OK : trouble(errors, path, errno);
    }
    const int fd = open_temporary(file, &t);
    if (fd < 0) return trouble(errors, path, errno);
    file->stream = fdopen(fd, "w");
    if (file->stream) return TAUT_OK;
    const int number = errno;
    close(fd);
    remove(file->temporary);
    leave(file);
    return trouble(errors, path, number);
}

static taut_status refuse_device(const char *path, taut_errors *errors) {
    return taut_fail(errors, TAUT_ERR_IO,
                     "%s cannot be written: this format needs a file, not a device or a pipe",
                     strcmp(path, "-") == 0 ? "the standard output" : path);
}

taut_status taut_file_check_name(const char *path, taut_errors *errors) {
    target t;
    taut_file file;
    if (strcmp(path, "-") == 0) return refuse_device(path, errors);
    TAUT_TRY(look(&file, path, &t, errors));
    return t.regular ? TAUT_OK : refuse_device(path, errors);
}

taut_status taut_file_name(taut_file *file, const char *path, taut_errors *errors) {
    target t;
    TAUT_TRY(taut_file_check_name(path, errors));
    TAUT_TRY(look(file, path, &t, errors));
    const int fd = open_temporary(file, &t);
    if (fd < 0) return trouble(errors, path, errno);
    close(fd);
    return TAUT_OK;
}

taut_status taut_file_put(taut_file *file, const char *text, size_t length) {
    if (file->number == 0 && length > 0 && fwrite(text, 1, length, file->stream) != length)
        file->number = errno ? errno : EIO;
    return file->number == 0 ? TAUT_OK : TAUT_ERR_IO;
}

taut_status taut_file_close(taut_file *file, taut_errors *errors) {
    int number = file->number;
    if (file->stream) {
        errno = 0;
        if (fflush(file->stream) != 0 && number == 0) number = errno ? errno : EIO;
        if (ferror(file->stream) && number == 0) number = EIO;
        if (file->stream != stdout && fclose(file->stream) != 0 && number == 0) number = errno;
        file->stream = NULL;
    }
    if (number == 0 && file->temporary[0] && rename(file->temporary, file->target) != 0)
        number = errno;
    if (number != 0 && file->temporary[0]) remove(file->temporary);
    leave(file);
    if (number == 0) return TAUT_OK;
    return trouble(errors, file->path, number);
}

void taut_file_drop(taut_file *file) {
    if (file->stream && file->stream != stdout) fclose(file->stream);
    if (file->temporary[0]) remove(file->temporary);
    leave(file);
}

taut_status taut_output_write(const char *path, const void *bytes, long length,
                              taut_errors *errors) {
    taut_file file;
    TAUT_NEED(path, "path", errors);
    TAUT_NEED(bytes, "bytes", errors);
    TAUT_TRY(taut_file_open(&file, path, errors));
    taut_file_put(&file, bytes, (size_t)length); /* errors are reported by closing */
    return taut_file_close(&file, errors);
}

taut_status taut_file_write(const char *path, const char *text, taut_errors *errors) {
    return taut_output_write(path, text, (long)strlen(text), errors);
}

/* ---- before anything is done ---- */

taut_status taut_output_check(const char *path, taut_errors *errors) {
    struct stat info;
    char place[PATH_ROOM], folder[PATH_ROOM];
    TAUT_NEED(path, "path", errors);
    if (strcmp(path, "-") == 0) return TAUT_OK;
    if (path[0] == '\0') return taut_fail(errors, TAUT_ERR_CALL, "the name of the output is empty");
    if (strlen(path) > LONGEST_PATH) return trouble(errors, path, ENAMETOOLONG);
    if (!follow_links(path, place, sizeof place)) return trouble(errors, path, ELOOP);
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) return trouble(errors, path, EISDIR);
        if (access(path, W_OK) != 0) return trouble(errors, path, errno);
        if (!S_ISREG(info.st_mode)) return TAUT_OK;
    }
    const char *slash = strrchr(place, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - place) + 1 : 1,
             slash ? place : ".");
    if (stat(folder, &info) != 0 && errno == ENOENT)
        return taut_fail(errors, TAUT_ERR_IO, "%s cannot be written: there is no folder %s", path,
                         folder);
    if (stat(folder, &info) != 0) return trouble(errors, path, errno);
    if (!S_ISDIR(info.st_mode)) return trouble(errors, path, ENOTDIR);
    return access(folder, W_OK | X_OK) == 0 ? TAUT_OK : trouble(errors, path, errno);
}
