/* Words of the library into words of the program. */
#include "cli/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *shown(const char *text) {
    static char buffer[4][2048];
    static int next;
    char *to = buffer[next++ % 4];
    taut_text_show(text, to, (int)sizeof buffer[0]);
    return to;
}

/* Fields whose option has another name. */
static const struct {
    const char *field, *option;
} OTHER[] = {
    {"no_continuation", "continuation"}, {"body_axes", "axes"}, {"per_unit", "error unit"}};

/* What stands at the beginning of a message, or for a call. */
static const struct {
    const char *library, *program;
    bool first; /* at the beginning only */
} WORD[] = {{"override ", "--set ", true},  {"input ", "--input ", true},
            {"output ", "-o ", true},       {"vary ", "--vary ", true},
            {"report ", "--report ", true}, {"taut_compare", "taut compare", false}};

typedef struct writer {
    char text[sizeof((taut_error *)0)->message];
    size_t used;
} writer;

static void put(writer *w, const char *text, size_t n) {
    const size_t room = sizeof w->text - 1 - w->used;
    if (n > room) n = room;
    memcpy(w->text + w->used, text, n);
    w->used += n;
    w->text[w->used] = '\0';
}

/* options.field, perhaps with ` = "value"`, as an option; returns how many bytes it has read. */
static size_t put_option(writer *w, const char *text) {
    const size_t begin = strlen("options.");
    const size_t n = strspn(text + begin, "abcdefghijklmnopqrstuvwxyz_");
    const char *name = text + begin;
    size_t length = n;
    for (size_t i = 0; i < sizeof OTHER / sizeof OTHER[0]; i++)
        if (strlen(OTHER[i].field) == n && strncmp(OTHER[i].field, name, n) == 0) {
            name = OTHER[i].option;
            length = strlen(name);
        }
    put(w, "--", 2);
    for (size_t i = 0; i < length; i++) put(w, name[i] == '_' ? "-" : &name[i], 1);
    const char *rest = text + begin + n;
    if (strncmp(rest, " = ", 3) != 0) return begin + n;
    put(w, " ", 1);
    rest += 3;
    const char *end = *rest == '"' ? strchr(rest + 1, '"') : NULL;
    if (!end) return (size_t)(rest - text);
    put(w, rest + 1, (size_t)(end - rest - 1));
    return (size_t)(end + 1 - text);
}

static size_t put_word(writer *w, const char *text, bool first) {
    for (size_t i = 0; i < sizeof WORD / sizeof WORD[0]; i++) {
        const size_t n = strlen(WORD[i].library);
        if ((WORD[i].first && !first) || strncmp(text, WORD[i].library, n) != 0) continue;
        put(w, WORD[i].program, strlen(WORD[i].program));
        return n;
    }
    if (strncmp(text, "options.", 8) == 0) return put_option(w, text);
    put(w, text, 1);
    return 1;
}

void words_translate(taut_error *error) {
    writer w = {.used = 0};
    for (const char *p = error->message; *p;) p += put_word(&w, p, p == error->message);
    w.text[w.used] = '\0';
    memcpy(error->message, w.text, w.used + 1);
}
