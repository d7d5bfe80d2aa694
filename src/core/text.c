/* Edit distance for suggestions, and strings that grow. */
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "core/utf8.h"
#include "taut/status.h"

enum { LONGEST = 48 };

static char small(char c) { return taut_is_upper(c) ? (char)(c - 'A' + 'a') : c; }

static bool same_letter(char a, char b) { return small(a) == small(b); }

static int least(int a, int b) { return a < b ? a : b; }

int taut_text_distance(const char *a, const char *b, int limit) {
    const int m = (int)strlen(a), n = (int)strlen(b);
    if (m > LONGEST || n > LONGEST || m - n > limit || n - m > limit) return limit + 1;
    if (strcmp(a, b) == 0) return 0;
    int row[3][LONGEST + 1]; /* rows i-2, i-1, i of the table */
    for (int j = 0; j <= n; j++) row[1][j] = j;
    for (int i = 1; i <= m; i++) {
        int *now = row[2];
        now[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = row[1][j - 1] + !same_letter(a[i - 1], b[j - 1]);
            best = least(best, least(row[1][j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, row[0][j - 2] + 1);
            now[j] = best;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], now, sizeof row[0]);
    }
    const int distance = row[1][n] == 0 ? 1 : row[1][n]; /* differ in case only */
    return distance <= limit ? distance : limit + 1;
}

void taut_nearest_offer(taut_nearest *nearest, const char *name) {
    const int length = (int)strlen(nearest->wanted);
    const int limit = length <= 2 ? 1 : length <= 5 ? 2 : 3;
    const int distance = taut_text_distance(nearest->wanted, name, limit);
    if (distance > limit || distance >= length) return;
    if (nearest->best && distance >= nearest->distance) return;
    nearest->best = name;
    nearest->distance = distance;
}

/* ---- showing ---- */

/* Marks that change the direction of what follows, by which a text can look like another one. */
static bool turns(unsigned c) {
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* The escape of the character c at `from`, n bytes, into text; 0: it needs none. */
static int escape(unsigned c, const char *from, long n, bool keep_lines, char *text, size_t size) {
    static const char letter[] = "abtnvfr"; /* from 7 on */
    if (c == TAUT_UTF8_NONE && n == 3 && memcmp(from, "\xef\xbf\xbd", 3) == 0) return 0;
    if (c == TAUT_UTF8_NONE) { /* byte by byte */
        int length = 0;
        for (long i = 0; i < n; i++)
            length += snprintf(text + length, size - (size_t)length, "\\x%02x",
                               (unsigned)(unsigned char)from[i]);
        return length;
    }
    if (c == '\n' && keep_lines) return 0;
    if (c == 0x1b) return snprintf(text, size, "\\e");
    if (c >= 7 && c <= 13) return snprintf(text, size, "\\%c", letter[c - 7]);
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return snprintf(text, size, "\\x%02x", c);
    return turns(c) ? snprintf(text, size, "\\u%04x", c) : 0;
}

size_t taut_text_escape(const char *text, char *to, size_t size, bool keep_lines) {
    size_t need = 0, used = 0;
    bool full = false;
    while (*text) {
        char piece[32];
        const char *from = text;
        const unsigned c = taut_utf8_next(&text);
        const int escaped = escape(c, from, text - from, keep_lines, piece, sizeof piece);
        const size_t n = escaped ? (size_t)escaped : (size_t)(text - from);
        need += n;
        full = full || !to || used + n + 1 > size;
        if (full) continue;
        memcpy(to + used, escaped ? piece : from, n);
        used += n;
    }
    if (size > 0) to[used] = '\0';
    return need;
}

int taut_text_show(const char *text, char *to, int size) {
    return (int)taut_text_escape(text ? text : "", to, to && size > 0 ? (size_t)size : 0, false);
}

/* ---- strings that grow ---- */

void taut_string_add(taut_string *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int need = taut_format_list(NULL, 0, format, args);
    va_end(args);
    if (need < 0 ||
        taut_grow((void **)&s->text, &s->room, s->length + (size_t)need + 1, sizeof(char))) {
        s->failed = true;
        return;
    }
    va_start(args, format);
    taut_format_list(s->text + s->length, (size_t)need + 1, format, args);
    va_end(args);
    s->length += (size_t)need;
}

void taut_string_release(taut_string *s) {
    taut_release((void **)&s->text);
    *s = (taut_string){0};
}
