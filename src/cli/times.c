/* Numbers, one after the other. */
#include "cli/times.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 100000, MOST_IN_FILE = 10000000, MOST_SIZE = 400000000 };

typedef struct list {
    double *item;
    int count, room, most;
} list;

static bool add(list *l, double time) {
    if (l->count == l->room) {
        const int room = l->room ? 2 * l->room : 64;
        double *more = realloc(l->item, (size_t)room * sizeof *more);
        if (!more) return false;
        l->item = more;
        l->room = room;
    }
    l->item[l->count++] = time;
    return true;
}

/* ---- a file ---- */

/* All of a file; NULL: *why says why not. */
static char *load(const char *path, char *why, size_t size) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, room = 0;
    bool whole = false;
    if (!file) {
        snprintf(why, size, "the file cannot be read: %s", strerror(errno));
        return NULL;
    }
    for (;;) {
        if (used + 1 >= room) {
            room = room ? 2 * room : 1 << 16;
            char *more = room <= MOST_SIZE ? realloc(text, room) : NULL;
            if (!more) break;
            text = more;
        }
        const size_t got = fread(text + used, 1, room - used - 1, file);
        used += got;
        whole = got == 0 && !ferror(file);
        if (got == 0) break;
    }
    fclose(file);
    if (whole) {
        text[used] = '\0';
        whole = strlen(text) == used; /* no zero inside */
    }
    if (whole) return text;
    snprintf(why, size, "the file cannot be read as a list of times");
    free(text);
    return NULL;
}

static const char *skip(const char *p, int *line) {
    for (;; p++) {
        if (*p == '#') p += strcspn(p, "\n");
        if (*p == '\n') ++*line;
        if (*p == '\0' || !strchr(" \t\r\n,;", *p)) return p;
    }
}

/* A word that is no time, without what a terminal might obey. */
static void tell_word(const char *p, int line, char *why, size_t size) {
    char word[21] = "";
    for (size_t i = 0; i + 1 < sizeof word && p[i] && !strchr(" \t\r\n,;#", p[i]); i++)
        word[i] = p[i] > ' ' && p[i] < 127 ? p[i] : '?';
    snprintf(why, size, "line %d: '%s' is no time", line, word);
}

static bool read_file(const char *path, list *l, char *why, size_t size) {
    char *text = load(path, why, size);
    int line = 1;
    bool good = text != NULL;
    for (const char *p = text ? skip(text, &line) : ""; *p && good; p = skip(p, &line)) {
        char *end;
        const double time = strtod(p, &end);
        good = end != p && isfinite(time) && (*end == '\0' || strchr(" \t\r\n,;#", *end));
        if (!good) tell_word(p, line, why, size);
        if (good && l->count == l->most) {
            snprintf(why, size, "line %d: more than %d times", line, l->most);
            good = false;
        }
        if (good && !add(l, time)) {
            snprintf(why, size, "out of memory");
            good = false;
        }
        p = end;
    }
    if (good && l->count == 0) {
        snprintf(why, size, "there are no times in it");
        good = false;
    }
    free(text);
    return good;
}

/* ---- a list ---- */

static bool read_list(const char *text, list *l, char *why, size_t size) {
    const char *p = text;
    for (;;) {
        char *end;
        const double time = strtod(p, &end);
        if (end == p || (*end != ',' && *end != '\0') || !isfinite(time)) {
            snprintf(why, size, "times separated by commas are expected, or @FILE with such times");
            return false;
        }
        if (l->count == l->most) {
            snprintf(why, size, "too many times; use --every, or a file of them: @FILE");
            return false;
        }
        if (!add(l, time)) {
            snprintf(why, size, "out of memory");
            return false;
        }
        if (*end == '\0') return true;
        p = end + 1;
    }
}

bool times_read(const char *text, double **times, int *count, char *why, size_t size) {
    const bool file = text[0] == '@';
    list l = {.most = file ? MOST_IN_FILE : MOST_LISTED};
    const bool good = file ? read_file(text + 1, &l, why, size) : read_list(text, &l, why, size);
    if (!good) {
        free(l.item);
        return false;
    }
    *times = l.item;
    *count = l.count;
    return true;
}
