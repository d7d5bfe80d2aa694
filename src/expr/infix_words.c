/* What reading a formula rests on: words at the reading position, refusing what is wrong. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "expr/infix_parts.h"

taut_measure taut_infix_refuse(taut_infix *r, long offset, const char *format, ...) {
    if (r->status == TAUT_OK) {
        va_list args;
        va_start(args, format);
        taut_format_list(r->error->message, sizeof r->error->message, format, args);
        va_end(args);
        r->error->offset = offset;
        r->status = TAUT_ERR_INPUT;
    }
    return TAUT_NO_MEASURE;
}

/* What stands at the reading position, for a message. */
const char *taut_infix_found(taut_infix *r, char *text, size_t size) {
    const char c = taut_infix_peek(r);
    if (r->at >= r->length)
        snprintf(text, size, "the end of the formula");
    else if ((unsigned char)c >= 0x7F || (unsigned char)c < 0x20)
        snprintf(text, size, "a character that formulas do not use");
    else
        snprintf(text, size, "'%c'", c);
    return text;
}

/* ---- words ---- */

bool taut_infix_has_word(const taut_infix *r, long at, const char *word) {
    const long end = at + (long)strlen(word);
    return end <= r->length && strncmp(r->text + at, word, strlen(word)) == 0 &&
           (end == r->length ||
            (!taut_infix_is_letter(r->text[end]) && !taut_is_digit(r->text[end])));
}

bool taut_infix_take_word(taut_infix *r, const char *word) {
    taut_infix_peek(r);
    if (!taut_infix_has_word(r, r->at, word)) return false;
    r->at += (long)strlen(word);
    return true;
}

bool taut_infix_is_name(const char *text) {
    if (!taut_infix_is_letter(text[0])) return false;
    size_t n = 1;
    while (taut_infix_is_letter(text[n]) || taut_is_digit(text[n])) n++;
    return text[n] == '\0' && n < TAUT_NAME_MAX;
}

/* ---- what fits where ---- */

/* Angles, sines and the like: what has no unit. */
bool taut_infix_want_pure(taut_infix *r, const taut_measure *m, long start, const char *what) {
    char text[80];
    if (taut_dimension_fits(m->dimension, TAUT_ANGLE)) return true;
    taut_infix_refuse(r, start, "%s needs a number without a unit or an angle, but this is %s",
                      what, taut_dimension_print(m->dimension, text, sizeof text));
    return false;
}

bool taut_infix_want_scalar(taut_infix *r, taut_vec a, long start, const char *what) {
    if (r->status != TAUT_OK) return false;
    if (a.n == 1) return true;
    taut_infix_refuse(r, start, "%s needs a number, but this is a vector with %d components", what,
                      a.n);
    return false;
}

/* Quantities that cannot be added or compared. */
taut_measure taut_infix_refuse_mixture(taut_infix *r, long at, const char *what, taut_dimension a,
                                       taut_dimension b) {
    char first[80], second[80];
    const bool both = a.knowledge == TAUT_DIMENSION_KNOWN && b.knowledge == TAUT_DIMENSION_KNOWN;
    return taut_infix_refuse(r, at, "%s %s and %s%s", what,
                             taut_dimension_print(a, first, sizeof first),
                             taut_dimension_print(b, second, sizeof second),
                             both ? "" : ": give the number its unit, too");
}
