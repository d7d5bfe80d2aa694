/* Bytes as base64. */
#include "out/base64.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Four letters for three bytes. There is always room for them. */
static void put_group(taut_base64 *e) {
    for (int i = 3; i >= 0; i--) e->text[e->used++] = LETTERS[e->bits >> (6 * i) & 63];
    e->bits = 0;
    e->bytes = 0;
}

static void flush(taut_base64 *e) {
    e->text[e->used] = '\0';
    taut_string_add(e->out, "%s", e->text);
    e->used = 0;
}

static void put_byte(taut_base64 *e, unsigned byte) {
    e->bits = e->bits << 8 | byte;
    if (++e->bytes < 3) return;
    put_group(e);
    if (e->used + 5 > (int)sizeof e->text) flush(e);
}

void taut_base64_word(taut_base64 *e, uint64_t word, int bytes) {
    for (int i = 0; i < bytes; i++) put_byte(e, (unsigned)(word >> (8 * i) & 255u));
}

void taut_base64_double(taut_base64 *e, double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    taut_base64_word(e, word, 8);
}

void taut_base64_float(taut_base64 *e, double value) {
    const float number = fabs(value) <= (double)FLT_MAX ? (float)value : NAN;
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    if (isnan(number)) word = 0x7fc00000u; /* whatever kind of NaN it was */
    taut_base64_word(e, word, 4);
}

void taut_base64_finish(taut_base64 *e) {
    const int missing = (3 - e->bytes) % 3;
    if (missing > 0) {
        e->bits <<= 8 * missing;
        put_group(e);
        memset(e->text + e->used - missing, '=', (size_t)missing);
    }
    flush(e);
}
