/* Chromium by the DevTools protocol over pipes: messages are JSON texts that end with a zero, on
 * its descriptors 3 and 4. */
#include "cli/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/converting.h"
#include "cli/helper.h"
#include "cli/show.h"

enum {
    PATIENCE_MS = 300000,
    ASK_MS = 50,
    LONGEST_TMPDIR = 60,
    MOST_BYTES = 1 << 30,
    MOST_TRIES = 100
};

const char *browser_find(void) {
    static const char *const NAME[] = {"chromium", "chromium-browser", "google-chrome", "chrome"};
    const char *own = getenv("CHROMIUM");
    if (own && *own) return own;
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++)
        if (is_installed(NAME[i])) return NAME[i];
    return NULL;
}

/* In the child: a process group of its own, which a Ctrl-C of the terminal does not reach; its ends
 * of the pipes become 3 and 4, and the parent's are closed, so that the browser ends when the
 * program does, however that ends. Descriptors only: the streams hold text of the parent, which
 * must not be written twice. */
static void become(const char *program, const char *profile, const int down[2], const int up[2]) {
    char folder[sizeof((browser *)0)->profile + 20];
    const int nowhere = open("/dev/null", O_WRONLY);
    const int in = fcntl(down[0], F_DUPFD, 10),
              out = fcntl(up[1], F_DUPFD, 10); /* out of the way */
    setpgid(0, 0);
    close(down[1]);
    close(up[0]);
    if (dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0 || dup2(in, 3) < 0 ||
        dup2(out, 4) < 0)
        _exit(127);
    /* its other files as well; sockets are among them, whose paths may have 107 bytes */
    if (strlen(profile) <= LONGEST_TMPDIR) setenv("TMPDIR", profile, 1);
    snprintf(folder, sizeof folder, "--user-data-dir=%s", profile);
    execlp(program, program, "--headless=new", "--remote-debugging-pipe", "--no-first-run",
           "--disable-extensions", "--use-gl=angle", "--use-angle=swiftshader",
           "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--window-size=1400,900",
           folder, geteuid() == 0 ? "--no-sandbox" : "--disable-sync", (char *)NULL);
    _exit(127);
}

static bool send_text(browser *b, const char *text) {
    for (size_t left = strlen(text) + 1; left > 0;) {
        const ssize_t n = write(b->to, text, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text += n;
        left -= (size_t)n;
    }
    return true;
}

/* Until there is something to read; false: nothing comes, or nobody wants it any more. */
static bool wait_for_text(const browser *b) {
    struct pollfd wait = {.fd = b->from, .events = POLLIN};
    for (int left = PATIENCE_MS; left > 0 && !was_interrupted(); left -= ASK_MS)
        if (poll(&wait, 1, ASK_MS) > 0) return true;
    return false;
}

/* Reads on; false: it says nothing any more. */
static bool receive(browser *b) {
    if (b->length + 65536 > b->room) {
        const size_t room = 2 * b->room + 131072;
        char *more = room < MOST_BYTES ? realloc(b->text, room) : NULL;
        if (!more) return false;
        b->text = more;
        b->room = room;
    }
    if (!wait_for_text(b)) return false;
    const ssize_t n = read(b->from, b->text + b->length, 65536);
    if (n > 0) b->length += (size_t)n;
    return n > 0;
}

/* The answer to the last message; events before it are skipped. */
static const char *answer(browser *b) {
    char mark[32];
    size_t seen = 0, begin = 0;
    snprintf(mark, sizeof mark, "{\"id\":%d,", b->number);
    b->length = 0;
    for (;;) {
        const char *end = memchr(b->text + seen, 0, b->length - seen);
        if (!end) {
            seen = b->length;
            if (!receive(b)) return NULL;
            continue;
        }
        if (strncmp(b->text + begin, mark, strlen(mark)) == 0) return b->text + begin;
        begin = seen = (size_t)(end + 1 - b->text);
    }
}

/* Sends a message of the protocol, to the page if it has a session. */
static const char *call(browser *b, const char *method, const char *parameters) {
    const size_t size = strlen(method) + strlen(parameters) + 200;
    char *text = malloc(size);
    if (!text) return NULL;
    snprintf(text, size, "{\"id\":%d%s%s%s,\"method\":\"%s\",\"params\":%s}", ++b->number,
             b->session[0] ? ",\"sessionId\":\"" : "", b->session, b->session[0] ? "\"" : "",
             method, parameters);
    const bool sent = send_text(b, text);
    free(text);
    return sent ? answer(b) : NULL;
}

/* The value of a key, up to its quote; false: there is none, or it is too long. */
static bool get(const char *text, const char *key, char *value, size_t size) {
    char mark[40];
    snprintf(mark, sizeof mark, "\"%s\":\"", key);
    const char *at = text ? strstr(text, mark) : NULL;
    if (!at) return false;
    at += strlen(mark);
    const size_t n = strcspn(at, "\"");
    if (n >= size) return false;
    memcpy(value, at, n);
    value[n] = '\0';
    return true;
}

/* Text inside a JSON string. */
static char *quoted(const char *text) {
    char *to = malloc(2 * strlen(text) + 1), *at = to;
    for (; to && *text; text++) {
        if (*text == '"' || *text == '\\') *at++ = '\\';
        *at++ = *text == '\n' ? ' ' : *text;
    }
    if (to) *at = '\0';
    return to;
}

/* The address of a file: what has a meaning in addresses is written by its code. */
static void write_address(const char *path, char *to, size_t size) {
    static const char PLAIN[] =
        "/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t n = (size_t)snprintf(to, size, "file://");
    for (; *path && n + 4 < size; path++)
        n += (size_t)snprintf(to + n, size - n, strchr(PLAIN, *path) ? "%c" : "%%%02X",
                              (unsigned char)*path);
}

static bool start(browser *b) {
    int down[2], up[2];
    if (!helper_folder("taut-browser", b->profile, sizeof b->profile)) return false;
    if (pipe(down) != 0 || pipe(up) != 0) return false;
    signal(SIGPIPE, SIG_IGN);
    b->process = fork();
    if (b->process == 0) become(browser_find(), b->profile, down, up);
    if (b->process > 0) setpgid(b->process, b->process); /* whoever of the two is first */
    close(down[0]);
    close(up[1]);
    b->to = down[1];
    b->from = up[0];
    return b->process > 0;
}

bool browser_open(browser *b, const char *path) {
    char target[80], address[3 * PATH_MAX + 8], text[sizeof address + 20], full[PATH_MAX];
    *b = (browser){.to = -1, .from = -1, .room = 131072};
    b->text = malloc(b->room);
    if (!b->text || !realpath(path, full) || !start(b)) return false;
    write_address(full, address, sizeof address);
    snprintf(text, sizeof text, "{\"url\":\"%s\"}", address);
    if (!get(call(b, "Target.createTarget", text), "targetId", target, sizeof target)) return false;
    snprintf(text, sizeof text, "{\"targetId\":\"%s\",\"flatten\":true}", target);
    return get(call(b, "Target.attachToTarget", text), "sessionId", b->session, sizeof b->session);
}

const char *browser_ask(browser *b, const char *expression) {
    static const char mark[] = "\"value\":\"";
    char *safe = quoted(expression);
    const size_t size = safe ? strlen(safe) + 100 : 0;
    char *text = safe ? malloc(size) : NULL;
    char *found = NULL;
    if (text)
        snprintf(text, size, "{\"expression\":\"%s\",\"awaitPromise\":true,\"returnByValue\":true}",
                 safe);
    for (int i = 0; text && !found && i < MOST_TRIES; i++) {
        const char *said = call(b, "Runtime.evaluate", text);
        if (!said || strstr(said, "exceptionDetails")) break;
        found = strstr(said, mark);
        if (!found)
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); /* on its way: once more */
    }
    free(safe);
    free(text);
    if (!found) return NULL;
    found += strlen(mark);
    found[strcspn(found, "\"")] = '\0';
    return found;
}

void browser_close(browser *b) {
    if (b->process > 0) {
        b->session[0] = '\0';
        const bool closing = call(b, "Browser.close", "{}") != NULL;
        close(b->to);
        close(b->from);
        if (closing)
            helper_wait(b->process);
        else
            helper_end(b->process);
    }
    helper_clear(b->profile);
    free(b->text);
    *b = (browser){0};
}
