/* Decoding UTF-8; invalid bytes are reported as such and never read past. */
#include "core/utf8.h"

#include <stdbool.h>

unsigned taut_utf8_next(const char **text) {
    static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*text;
    const int more = p[0] < 0x80                    ? 0
                     : p[0] >= 0xc2 && p[0] < 0xe0  ? 1
                     : p[0] >= 0xe0 && p[0] < 0xf0  ? 2
                     : p[0] >= 0xf0 && p[0] <= 0xf4 ? 3
                                                    : -1;
    unsigned c = more <= 0 ? p[0] : p[0] & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *text += i;
            return TAUT_UTF8_NONE;
        }
        c = c << 6 | (p[i] & 0x3fu);
    }
    *text += more < 0 ? 1 : more + 1;
    const bool good = more >= 0 && c >= least[more] && c <= 0x10ffff && (c < 0xd800 || c >= 0xe000);
    return good ? c : TAUT_UTF8_NONE;
}

int taut_utf8_count(const char *text) {
    int count = 0;
    while (*text) {
        taut_utf8_next(&text);
        count++;
    }
    return count;
}
