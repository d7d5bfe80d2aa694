/* Programs of others that work for this one: a folder for what they leave, and their end. */
#include "cli/helper.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/show.h"

enum { MOST_TRIES = 50, FOLDERS_AT_ONCE = 16 };
static const double PATIENCE = 2.0; /* seconds to end in by itself */
static const struct timespec A_MOMENT = {.tv_nsec = 10000000};

bool helper_folder(const char *name, char *path, size_t size) {
    const char *temporary = getenv("TMPDIR");
    const int n =
        snprintf(path, size, "%s/%s-XXXXXX", temporary && *temporary ? temporary : "/tmp", name);
    if (n > 0 && (size_t)n < size && mkdtemp(path)) return true;
    path[0] = '\0';
    return false;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

void helper_clear(const char *path) {
    /* what the program has started may still write into it for a moment */
    for (int i = 0; i < MOST_TRIES && path[0]; i++) {
        nftw(path, remove_one, FOLDERS_AT_ONCE, FTW_DEPTH | FTW_PHYS);
        if (access(path, F_OK) != 0) return;
        nanosleep(&A_MOMENT, NULL);
    }
}

/* Where nobody may wait for children (SIGCHLD is ignored), the status stays 0. */
static bool has_ended(pid_t process, int *status) {
    const pid_t ended = waitpid(process, status, WNOHANG);
    return ended == process || (ended < 0 && errno != EINTR);
}

bool helper_wait(pid_t process) {
    int status = 0;
    while (!has_ended(process, &status)) {
        if (was_interrupted()) {
            helper_end(process);
            return false;
        }
        nanosleep(&A_MOMENT, NULL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void helper_end(pid_t process) {
    const double late = seconds() + PATIENCE;
    int status = 0;
    kill(process, SIGTERM);
    while (!has_ended(process, &status)) {
        if (seconds() > late) kill(-process, SIGKILL);
        nanosleep(&A_MOMENT, NULL);
    }
    kill(-process, SIGKILL); /* what it has left behind */
}
