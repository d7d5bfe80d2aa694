/* The journal of a study: one line a finished run, appended by one call of write, so that whatever
 * kills the process leaves whole lines and at most one that is torn.
 *
 *   taut sweep journal 1 FINGERPRINT
 *   CHECKSUM RUN BITS BITS ... [! REASON]
 *
 * Checksums are of the rest of the line and the fingerprint; numbers are the bits of doubles, so
 * that a table from a journal has the same bytes. Lines that are torn, or that belong to another
 * study, count as not there: their runs are done again. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/philox.h"
#include "core/text.h"
#include "out/file.h"
#include "task/study.h"

static const char HEAD[] = "taut sweep journal 1";
enum { PATH_ROOM = 1100 };

typedef struct journal {
    taut_keeper base;
    int file;
    char path[PATH_ROOM];
    taut_string line;
} journal;

static taut_status trouble(taut_errors *errors, const char *path) {
    return taut_fail(errors, TAUT_ERR_IO, "the journal %s cannot be used: %s", path,
                     strerror(errno));
}

/* ---- writing ---- */

static taut_status put(journal *j, const char *text, size_t length) {
    while (length > 0) {
        const ssize_t written = write(j->file, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            snprintf(j->base.why, sizeof j->base.why, "%.300s cannot be written: %s", j->path,
                     strerror(errno));
            return TAUT_ERR_IO;
        }
        text += written;
        length -= (size_t)written;
    }
    return TAUT_OK;
}

static uint64_t checksum(const taut_study *s, const char *text, size_t length) {
    return taut_hash(taut_hash(TAUT_HASH_BEGIN, &s->print, sizeof s->print), text, length);
}

static taut_status keep(taut_keeper *keeper, const taut_study *s, long run) {
    enum { SUM = 17 }; /* digits of the checksum, and a blank */
    journal *j = (journal *)keeper;
    char sum[SUM + 1];
    j->line.length = 0;
    taut_string_add(&j->line, "%*s%ld", (int)SUM, "", run);
    for (int k = 0; k < s->figures && !s->reason[run]; k++) {
        uint64_t bits;
        memcpy(&bits, &s->result[(size_t)run * (size_t)s->figures + (size_t)k], sizeof bits);
        taut_string_add(&j->line, " %016" PRIx64, bits);
    }
    if (s->reason[run]) taut_string_add(&j->line, " ! %s", s->reason[run]);
    if (j->line.failed) return TAUT_ERR_MEMORY;
    snprintf(sum, sizeof sum, "%016" PRIx64 " ",
             checksum(s, j->line.text + SUM, j->line.length - SUM));
    memcpy(j->line.text, sum, SUM);
    taut_string_add(&j->line, "\n");
    return j->line.failed ? TAUT_ERR_MEMORY : put(j, j->line.text, j->line.length);
}

static void journal_free(taut_keeper *keeper) {
    journal *j = (journal *)keeper;
    if (j->file >= 0) close(j->file);
    taut_string_release(&j->line);
    taut_release((void **)&j);
}

/* ---- reading ---- */

/* Enters the run of one line (terminated), if it is whole. */
static taut_status take_line(taut_study *s, const char *line, double *value) {
    char *end;
    const uint64_t sum = strtoull(line, &end, 16);
    if (end != line + 16 || *end != ' ') return TAUT_OK;
    line = end + 1;
    if (sum != checksum(s, line, strlen(line))) return TAUT_OK;
    const long run = strtol(line, &end, 10);
    if (end == line || run < 0 || run >= s->runs) return TAUT_OK;
    if (strncmp(end, " ! ", 3) == 0) return taut_study_enter(s, run, NULL, end + 3);
    for (int k = 0; k < s->figures; k++) {
        const uint64_t bits = strtoull(end, &end, 16);
        memcpy(&value[k], &bits, sizeof bits);
    }
    return *end == '\0' ? taut_study_enter(s, run, value, NULL) : TAUT_OK;
}

/* A file, and no link to one that somebody else has put there; otherwise errno says why not. */
static bool is_plain(const char *path) {
    struct stat about;
    if (lstat(path, &about) != 0) return false;
    errno = S_ISLNK(about.st_mode) ? ELOOP : EINVAL;
    return S_ISREG(about.st_mode);
}

/* Takes over what a journal has; no journal has nothing. *same: it is of this study. */
static taut_status take_over(taut_study *s, const char *path, bool *same, taut_errors *errors) {
    taut_arena arena = {0};
    char *line = NULL, head[80];
    size_t room = 0;
    *same = true;
    if (!is_plain(path)) return errno == ENOENT ? TAUT_OK : trouble(errors, path);
    FILE *file = fopen(path, "r");
    if (!file) return errno == ENOENT ? TAUT_OK : trouble(errors, path);
    double *value = TAUT_NEW_ARRAY(&arena, s->figures, double);
    taut_status status = value ? TAUT_OK : TAUT_ERR_MEMORY;
    snprintf(head, sizeof head, "%s %016" PRIx64, HEAD, s->print);
    for (bool first = true; *same && status == TAUT_OK && getline(&line, &room, file) >= 0;
         first = false) {
        const size_t length = strcspn(line, "\n");
        const bool torn = line[length] == '\0'; /* the process was killed while it wrote it */
        line[length] = '\0';
        if (first)
            *same = strncmp(line, head, torn ? length : sizeof head) == 0;
        else
            status = take_line(s, line, value);
    }
    free(line); /* getline's */
    fclose(file);
    taut_arena_release(&arena);
    return status;
}

/* Is this the name of a shard's journal: the stem (length), a point, 2-16? */
static bool is_of_shard(const char *name, const char *stem, size_t length) {
    if (strncmp(name, stem, length) != 0 || name[length] != '.') return false;
    const char *first = name + length + 1, *dash = first + strspn(first, "0123456789");
    return dash > first && *dash == '-' && dash[1] != '\0' &&
           dash[1 + strspn(dash + 1, "0123456789")] == '\0';
}

/* The journals of all shards that are there; those of other studies do not matter. */
taut_status taut_study_collect(taut_study *s, const char *path, taut_errors *errors) {
    char folder[PATH_ROOM], name[2 * PATH_ROOM];
    taut_status status = TAUT_OK;
    bool same;
    TAUT_NEED(s, "study", errors);
    TAUT_NEED(path, "path", errors);
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 2,
             slash ? path : "./");
    DIR *list = opendir(folder);
    if (!list) return trouble(errors, path);
    for (struct dirent *entry; status == TAUT_OK && (entry = readdir(list));) {
        if (!is_of_shard(entry->d_name, stem, strlen(stem))) continue;
        snprintf(name, sizeof name, "%s%s", folder, entry->d_name);
        status = take_over(s, name, &same, errors);
    }
    closedir(list);
    return status;
}

/* ---- opening ---- */

static taut_status open_journal(journal *j, const taut_study *s, const char *path, bool resume,
                                taut_errors *errors) {
    char head[80];
    snprintf(j->path, sizeof j->path, "%s", path);
    j->file =
        open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (resume ? 0 : O_TRUNC),
             0666);
    if (j->file < 0) return trouble(errors, path);
    snprintf(head, sizeof head, "%s %016" PRIx64 "\n", HEAD, s->print);
    /* behind what is there, which may end in a torn line; the first one has to be whole */
    const bool empty = lseek(j->file, 0, SEEK_END) < (off_t)strlen(head);
    if (empty && ftruncate(j->file, 0) != 0) return trouble(errors, path);
    const taut_status status = empty ? put(j, head, strlen(head)) : put(j, "\n", 1);
    return status == TAUT_OK ? TAUT_OK : trouble(errors, path);
}

taut_status taut_study_keep(taut_study *s, const char *path, bool resume, taut_errors *errors) {
    char name[PATH_ROOM];
    TAUT_NEED(s, "study", errors);
    TAUT_NEED(path, "path", errors);
    if (strlen(path) > PATH_ROOM - 100)
        return taut_fail(errors, TAUT_ERR_IO, "the name of the journal is too long");
    const int part = s->shards > 0 ? s->shard : s->worker;
    const int parts = s->shards > 0 ? s->shards : s->workers;
    if (parts > 0)
        snprintf(name, sizeof name, "%s.%d-%d", path, part, parts);
    else
        snprintf(name, sizeof name, "%s", path);
    if (resume) {
        bool same;
        TAUT_TRY(take_over(s, name, &same, errors));
        if (same && parts > 0) TAUT_TRY(take_over(s, path, &same, errors));
        if (!same)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "the journal %s is of another study (another model, other values, "
                             "results or options, or another version of taut); begin anew, or "
                             "give another name",
                             path);
        TAUT_TRY(taut_study_collect(s, path, errors));
    }
    if (s->keeper) s->keeper->free(s->keeper);
    s->keeper = NULL;
    journal *j = taut_new(sizeof *j);
    if (!j) return TAUT_ERR_MEMORY;
    *j = (journal){.base = {.keep = keep, .free = journal_free}, .file = -1};
    const taut_status status = open_journal(j, s, name, resume, errors);
    if (status == TAUT_OK)
        s->keeper = &j->base;
    else
        journal_free(&j->base);
    return status;
}
