/* Edit distance for suggestions, and strings that grow. */
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"

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
