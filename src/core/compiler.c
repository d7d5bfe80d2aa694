/* cc, its results in the cache, and which of these are trusted: files in a folder that nobody else
 * may write to, of this user's own, and whole to the last byte: behind the library stands the text
 * that it was made of, and a sum of all bytes. What is damaged or of another text is compiled anew.
 */
#include "core/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/bounds.h"
#include "core/clock.h"
#include "core/text.h"

extern char **environ;

/* The vectors are there already. What gcc 12 puts together besides, of single numbers, was wrong:
 * it took the fifth number of a vector for another one (trebuchet, relative coordinates). */
#define OPTIONS "-O3", "-fno-tree-slp-vectorize", "-march=native", "-fPIC", "-shared", "-w"
/* What else decides on the result; the number: of this code. */
#define HOW "-O3 -fno-tree-slp-vectorize -march=native 3"
enum { MOST_BYTES = 1 << 26, SUM = sizeof(uint64_t) };
static const double PATIENCE = 0.3; /* seconds until a compiler that does not end is killed */
static const struct timespec A_MOMENT = {.tv_nsec = 2000000};

/* Where everything is. */
typedef struct compilation {
    char folder[PATH_MAX - 100]; /* leaves room for the names of files */
    char library[PATH_MAX];      /* in the cache */
    char made[PATH_MAX];         /* what the compiler makes, before it gets that name, ... */
    char text[PATH_MAX];         /* ... of this, ... */
    char said[PATH_MAX];         /* ... and what it says */
    atomic_int child;            /* the compiler; 0: it is not at work */
    taut_errors *errors;
} compilation;

/* ---- what is under way, for a handler of signals ---- */

enum { MOST_LISTED = 8 };
static _Atomic(compilation *) list[MOST_LISTED]; /* what does not fit is not listed */

static void enter(compilation *c) {
    for (int i = 0; i < MOST_LISTED; i++) {
        compilation *expected = NULL;
        if (atomic_compare_exchange_strong(&list[i], &expected, c)) return;
    }
}

static void leave(compilation *c) {
    for (int i = 0; i < MOST_LISTED; i++) {
        compilation *expected = c;
        if (atomic_compare_exchange_strong(&list[i], &expected, NULL)) return;
    }
}

static void remove_files(const compilation *c) {
    unlink(c->text);
    unlink(c->said);
    unlink(c->made);
}

void taut_compiler_abandon(void) {
    for (int i = 0; i < MOST_LISTED; i++) {
        const compilation *c = atomic_load(&list[i]);
        if (!c) continue;
        const int child = atomic_load(&c->child);
        if (child > 0) kill(-child, SIGTERM);
        remove_files(c);
    }
}

/* ---- sums ---- */

static const uint64_t BASIS = UINT64_C(14695981039346656037);

/* FNV-1a. */
static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) sum = (sum ^ at[i]) * UINT64_C(1099511628211);
    return sum;
}

static uint64_t add_text(uint64_t sum, const char *text) {
    return add_bytes(sum, text, strlen(text) + 1);
}

/* The processor: another one may not know the instructions of this one. Without a buffer of its
 * own, so that want of memory does not make it another one. */
static uint64_t add_processor(uint64_t sum) {
    static const char *const word[] = {"vendor_id", "cpu family", "model",   "stepping",
                                       "flags",     "Features",   "CPU part"};
    char text[16384];
    size_t size = 0;
    const int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return add_text(sum, "unknown");
    for (ssize_t more = 1; more > 0 && size < sizeof text - 1; size += (size_t)more) {
        more = read(fd, text + size, sizeof text - 1 - size);
        if (more < 0) more = 0;
    }
    close(fd);
    text[size] = '\0';
    for (char *line = text; *line && *line != '\n';) { /* the first one of them */
        char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');
        *end = '\0';
        for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
            if (strncmp(line, word[i], strlen(word[i])) == 0) sum = add_text(sum, line);
        line = next;
    }
    return sum;
}

/* ---- the cache ---- */

static taut_status refuse(const compilation *c, const char *path, const char *why) {
    return taut_fail(
        c->errors, TAUT_ERR_IO,
        "compiled equations are kept in %s: %s; set XDG_CACHE_HOME to a folder of your "
        "own, or leave out options.compile",
        path, why);
}

/* Creates a folder for this user only, unless there is one. */
static taut_status make_folder(const compilation *c, const char *path) {
    return mkdir(path, 0700) == 0 || errno == EEXIST ? TAUT_OK : refuse(c, path, strerror(errno));
}

static taut_status open_cache(compilation *c) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat is;
    char *folder = c->folder;
    const bool own = cache && cache[0] == '/';
    if (!own && !(home && home[0] == '/'))
        return refuse(c, "~/.cache/taut", "neither HOME nor XDG_CACHE_HOME is set");
    if (strlen(own ? cache : home) > sizeof c->folder - 20)
        return refuse(c, "~/.cache/taut", "its name is too long");
    snprintf(folder, sizeof c->folder, own ? "%s" : "%s/.cache", own ? cache : home);
    TAUT_TRY(make_folder(c, folder));
    if (stat(folder, &is) != 0) return refuse(c, folder, strerror(errno));
    /* whoever owns it may put another folder into the place of ours */
    if (is.st_uid != geteuid() && is.st_uid != 0)
        return refuse(c, folder, "it belongs to another user");
    if ((is.st_mode & (S_IWGRP | S_IWOTH)) && !(is.st_mode & S_ISVTX))
        return refuse(c, folder, "others may write to it");
    const size_t used = strlen(folder);
    snprintf(folder + used, sizeof c->folder - used, "/taut");
    TAUT_TRY(make_folder(c, folder));
    if (lstat(folder, &is) != 0) return refuse(c, folder, strerror(errno));
    if (!S_ISDIR(is.st_mode)) return refuse(c, folder, "this is no folder");
    if (is.st_uid != geteuid()) return refuse(c, folder, "it belongs to another user");
    if (is.st_mode & (S_IWGRP | S_IWOTH)) return refuse(c, folder, "others may write to it");
    return TAUT_OK;
}

/* The bytes of a file of our own that only we may write to; NULL: it is none. To be released. */
static unsigned char *read_own(const char *path, size_t *size) {
    struct stat is;
    unsigned char *bytes = NULL;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return NULL;
    const bool good = fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && is.st_uid == geteuid() &&
                      !(is.st_mode & (S_IWGRP | S_IWOTH)) && is.st_size <= MOST_BYTES;
    if (good) bytes = taut_new((size_t)is.st_size + 1);
    size_t count = 0;
    for (ssize_t more = 1; bytes && more > 0 && count < (size_t)is.st_size; count += (size_t)more) {
        more = read(fd, bytes + count, (size_t)is.st_size - count);
        if (more < 0) more = 0;
    }
    close(fd);
    *size = count;
    return bytes;
}

/* Is there a library that can be trusted, made of this text? Its name tells nearly so. */
static bool is_whole(const char *path, const char *source) {
    size_t size = 0;
    const size_t length = strlen(source);
    unsigned char *bytes = read_own(path, &size);
    bool whole = bytes && size > SUM + length;
    if (whole) {
        const uint64_t sum = add_bytes(BASIS, bytes, size - SUM);
        whole = memcmp(bytes + size - SUM, &sum, SUM) == 0 &&
                memcmp(bytes + size - SUM - length, source, length) == 0;
    }
    taut_release((void **)&bytes);
    return whole;
}

/* ---- writing ---- */

static bool write_all(int fd, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        const ssize_t part = write(fd, at, size);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) return false;
        at += part;
        size -= (size_t)part;
    }
    return true;
}

/* A file of this name that was not there before, with these bytes behind what is in it. */
static bool put(const char *path, int how, const void *bytes, size_t size) {
    const int fd = open(path, how | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    const bool written = write_all(fd, bytes, size);
    return close(fd) == 0 && written;
}

/* Puts the text and the sum of all bytes behind what the compiler has made. */
static bool seal(const char *path, const char *source) {
    size_t size = 0;
    const size_t length = strlen(source);
    if (chmod(path, 0700) != 0) return false;
    unsigned char *bytes = read_own(path, &size);
    const uint64_t sum = bytes ? add_bytes(add_bytes(BASIS, bytes, size), source, length) : 0;
    const bool sealed =
        bytes && size > 0 && put(path, O_APPEND, source, length) && put(path, O_APPEND, &sum, SUM);
    taut_release((void **)&bytes);
    return sealed;
}

/* ---- the compiler ---- */

/* What the compiler says first, for the message. */
static taut_status explain(const compilation *c, int result) {
    char line[300] = "";
    FILE *file = fopen(c->said, "re");
    if (file) {
        if (!fgets(line, sizeof line, file)) line[0] = '\0';
        fclose(file);
    }
    line[strcspn(line, "\n")] = '\0';
    return taut_fail(c->errors, TAUT_ERR_CALL,
                     "the compiler cc fails (%d)%s%s; see that it works, or leave out "
                     "options.compile",
                     result, line[0] ? ": " : "", line);
}

/* Ends the compiler and what it has started, as gently as it lets us: it has files to remove. */
static void end_compiler(pid_t child) {
    const double late = taut_seconds() + PATIENCE;
    kill(-child, SIGTERM);
    while (waitpid(child, NULL, WNOHANG) == 0) {
        if (taut_seconds() > late) kill(-child, SIGKILL);
        nanosleep(&A_MOMENT, NULL);
    }
}

/* Until the compiler has ended, unless whoever called us wants no more of it. Where nobody may wait
 * for children (SIGCHLD is ignored), the result stays 0: what the compiler has made will tell. */
static taut_status wait_for(pid_t child, int *result) {
    for (;;) {
        const pid_t ended = waitpid(child, result, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) return TAUT_OK;
        const taut_status status = taut_bounds_ask();
        if (status != TAUT_OK) {
            end_compiler(child);
            return status;
        }
        nanosleep(&A_MOMENT, NULL);
    }
}

/* A process group of its own, which a Ctrl-C of the terminal does not reach: we end it; with
 * signals as programs expect them, whatever this thread holds back. */
static bool set_out(posix_spawnattr_t *how) {
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD};
    for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++) sigaddset(&usual, heard[i]);
    if (posix_spawnattr_init(how) != 0) return false;
    posix_spawnattr_setsigmask(how, &none);
    posix_spawnattr_setsigdefault(how, &usual);
    posix_spawnattr_setpgroup(how, 0);
    posix_spawnattr_setflags(how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                      POSIX_SPAWN_SETSIGDEF);
    return true;
}

static taut_status run_compiler(compilation *c) {
    char text[PATH_MAX], made[PATH_MAX];
    memcpy(text, c->text, sizeof text);
    memcpy(made, c->made, sizeof made);
    char name[] = "cc", x[] = "-x", kind[] = "c", output[] = "-o";
    char options[][32] = {OPTIONS};
    enum { MANY = sizeof options / sizeof options[0] };
    char *word[MANY + 8] = {name};
    int words = 1, result = 0;
    for (int i = 0; i < MANY; i++) word[words++] = options[i];
    char *const rest[] = {x, kind, output, made, text, NULL};
    memcpy(word + words, rest, sizeof rest);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    pid_t child;
    if (posix_spawn_file_actions_init(&files) != 0) return TAUT_ERR_MEMORY;
    if (!set_out(&how)) {
        posix_spawn_file_actions_destroy(&files);
        return TAUT_ERR_MEMORY;
    }
    int failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (!failed)
        failed =
            posix_spawn_file_actions_addopen(&files, 1, c->said, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&files, 1, 2);
    const bool ready = !failed;
    /* no signal comes before it is known what would have to be ended */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (ready) failed = posix_spawnp(&child, name, &files, &how, word, environ);
    if (failed == 0) atomic_store(&c->child, child);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (failed == ENOMEM) return TAUT_ERR_MEMORY;
    if (failed)
        return taut_fail(c->errors, TAUT_ERR_CALL,
                         "there is no compiler cc (%s): install one (Debian: gcc, libc6-dev), or "
                         "leave out options.compile",
                         strerror(failed));
    const taut_status status = wait_for(child, &result);
    atomic_store(&c->child, 0);
    if (status != TAUT_OK) return status;
    return WIFEXITED(result) && WEXITSTATUS(result) == 0
               ? TAUT_OK
               : explain(c, WIFEXITED(result) ? WEXITSTATUS(result) : -1);
}

/* Compiles into the cache. Whatever happens, nothing half done gets the library's name. */
static taut_status compile(compilation *c, const char *source) {
    taut_status status = TAUT_OK;
    enter(c);
    if (!put(c->text, O_CREAT | O_EXCL, source, strlen(source)))
        status = refuse(c, c->text, strerror(errno));
    if (status == TAUT_OK) status = run_compiler(c);
    if (status == TAUT_OK && (!seal(c->made, source) || rename(c->made, c->library) != 0))
        status = refuse(c, c->made, strerror(errno));
    remove_files(c);
    leave(c);
    return status;
}

/* Names of what is under way are of this process, call and instant: other machines may have the
 * same folder. All are of one length: the compiler writes them into the library. */
static void name_files(compilation *c, const char *source) {
    static atomic_int number;
    struct timespec now;
    const uint64_t low = add_text(add_processor(add_text(BASIS, HOW)), source);
    const uint64_t high = add_text(add_bytes(BASIS, &low, sizeof low), source);
    char mine[80];
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(mine, sizeof mine, "%010ld-%06d-%09ld", (long)getpid(), atomic_fetch_add(&number, 1),
             now.tv_nsec);
    const size_t room = sizeof c->library;
    snprintf(c->library, room, "%s/%016llx%016llx.so", c->folder, (unsigned long long)high,
             (unsigned long long)low);
    snprintf(c->made, room, "%s/%s.so", c->folder, mine);
    snprintf(c->text, room, "%s/%s.c", c->folder, mine);
    snprintf(c->said, room, "%s/%s.txt", c->folder, mine);
}

taut_status taut_compiler_load(const char *source, const taut_wanted *wanted, int count,
                               taut_errors *errors) {
    compilation c = {.errors = errors};
    TAUT_TRY(open_cache(&c));
    name_files(&c, source);
    if (!is_whole(c.library, source)) TAUT_TRY(compile(&c, source));
    taut_library library = {.file = c.library, .wanted = wanted, .count = count};
    return taut_library_load(&library, errors);
}
