/* A page as a film: a Chromium without a window draws and encodes it (web/src/save/command.js);
 * here it becomes files. */
#include "cli/filming.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/browser.h"
#include "cli/paths.h"
#include "cli/show.h"
#include "cli/words.h"

typedef enum format { NO_FILM, WEBM, GIF, FRAMES } format;

static format format_of(const char *output) {
    const size_t n = strlen(output);
    if (n > 1 && output[n - 1] == '/') return FRAMES;
    if (n > 5 && strcmp(output + n - 5, ".webm") == 0) return WEBM;
    if (n > 4 && strcmp(output + n - 4, ".gif") == 0) return GIF;
    return NO_FILM;
}

int check_film(const char *output) {
    if (format_of(output) == NO_FILM)
        return refuse(
            "--video", output,
            "give a name that ends in .webm or .gif, or a folder for single pictures, as frames/");
    if (!browser_find())
        return refuse("--video", output,
                      "films are made by Chromium, and none is installed (Debian: chromium; or set "
                      "CHROMIUM to the program)");
    return EXIT_DONE;
}

static int fail_film(const char *output, const char *why) {
    if (was_interrupted())
        fprintf(stderr, "taut: stopped: interrupted while the film was made\n");
    else
        fprintf(stderr, "taut: error: --video %s: %s\n", shown(output), why);
    return EXIT_STOPPED;
}

/* The bytes of a text in base64, which has room for them; how many there are. */
static long decode(const char *text, char *bytes) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    long n = 0;
    unsigned bits = 0;
    int count = 0;
    for (; *text && *text != '='; text++) {
        const char *digit = strchr(DIGITS, *text);
        if (!digit) continue;
        bits = bits << 6 | (unsigned)(digit - DIGITS);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes[n++] = (char)(bits >> count & 255u);
    }
    return n;
}

static int write_bytes(const char *path, const char *text) {
    taut_errors errors = {0};
    char *bytes = malloc(strlen(text) + 1);
    if (!bytes) return fail_film(path, strerror(ENOMEM));
    const taut_status status = taut_output_write(path, bytes, decode(text, bytes), &errors);
    free(bytes);
    if (status == TAUT_OK) return EXIT_DONE;
    show_errors(status, &errors);
    return EXIT_STOPPED;
}

/* Waits for the first picture; "1": there is one to film. */
static const char READY[] =
    "(async () => { while (!window.taut || (taut.stage && taut.stage.frames === 0)) "
    "await new Promise((go) => setTimeout(go, 50)); "
    "window.film = taut.film(); return window.film ? 'ready' : 'nothing'; })()";

static int film_one(browser *b, const char *output, const char *expression) {
    const char *bytes = browser_ask(b, expression);
    if (!bytes) return fail_film(output, "the browser could not record it");
    return write_bytes(output, bytes);
}

static int film_frames(browser *b, const char *folder) {
    char path[4096], expression[80];
    const char *count = browser_ask(b, "String(film.count())");
    const int frames = count ? atoi(count) : 0;
    if (frames == 0) return fail_film(folder, "the browser could not draw it");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return fail_film(folder, strerror(errno));
    for (int k = 0; k < frames; k++) {
        snprintf(path, sizeof path, "%s%05d.png", folder, k);
        snprintf(expression, sizeof expression, "film.frame(%d)", k);
        const int code = film_one(b, path, expression);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

int film_page(const char *page, const char *output) {
    browser b;
    int code;
    helping_begin();
    const char *ready = browser_open(&b, page) ? browser_ask(&b, READY) : NULL;
    if (!ready)
        code = fail_film(output, "Chromium could not be started, or did not show the page");
    else if (strcmp(ready, "ready") != 0)
        code = fail_film(output, "there is no scene that moves: only mechanisms can be filmed");
    else if (format_of(output) == FRAMES)
        code = film_frames(&b, output);
    else
        code = film_one(&b, output, format_of(output) == GIF ? "film.gif()" : "film.webm()");
    browser_close(&b);
    helping_end();
    return code;
}
