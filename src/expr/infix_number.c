/* Numbers in formulas, with units. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "expr/infix_parts.h"

/* The length of the digits at the reading position, with a point and an exponent; strtod would also
 * take hex, inf and nan. 0: there are none. */
static size_t count_digits(const taut_infix *r) {
    long p = r->at;
    bool point = false, mantissa = false;
    for (; p < r->length; p++) {
        const char c = r->text[p];
        if (taut_is_digit(c))
            mantissa = true;
        else if (c == '.' && !point)
            point = true;
        else
            break;
    }
    if (!mantissa) return 0;
    if (p < r->length && (r->text[p] == 'e' || r->text[p] == 'E')) {
        long q = p + 1;
        if (q < r->length && (r->text[q] == '+' || r->text[q] == '-')) q++;
        if (q < r->length && taut_is_digit(r->text[q])) {
            while (q < r->length && taut_is_digit(r->text[q])) q++;
            p = q;
        }
    }
    return (size_t)(p - r->at);
}

/* A unit of which every word is also a number of the file, as in 2 m or 2 m^2 but not in 2 m/s
 * where only m is: nobody can tell which one is meant. */
static bool refuse_clash(taut_infix *r, const char *digits, long start, size_t n) {
    char unit[TAUT_NAME_MAX], name[TAUT_NAME_MAX] = "";
    const char *what = NULL;
    int line = -1;
    if (n >= sizeof unit || !r->scope->number_line) return false;
    memcpy(unit, r->text + start, n);
    unit[n] = '\0';
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && taut_infix_is_letter(unit[end]);) end++;
        if (end == i) {
            end++;
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)(end - i), unit + i);
        line = r->scope->number_line(r->scope->user, name, &what);
        if (line < 0) return false;
    }
    if (line < 0) return false;
    taut_infix_refuse(
        r, start,
        "'%s %s' can be read in two ways, since %s is a unit and the %s on line %d: write "
        "%s*%s for the product with the %s, or give the %s another name for the "
        "unit",
        digits, unit, name, what, line, digits, unit, what, what);
    return true;
}

/* `and` and `or` join conditions: they are no units. */
static bool is_joint(const taut_infix *r, long at) {
    return taut_infix_has_word(r, at, "and") || taut_infix_has_word(r, at, "or");
}

/* What follows a number: a unit after one space makes it a quantity. */
static taut_measure read_unit(taut_infix *r, const char *digits) {
    const long blank = r->at, start = blank + 1;
    char name[TAUT_NAME_MAX];
    taut_unit unit;
    long end = start;
    const size_t n = taut_unit_read(r->text + start, (size_t)(r->length - start), &unit);
    if (n > 0) {
        if (refuse_clash(r, digits, start, n)) return TAUT_NO_MEASURE;
        const double value = taut_unit_convert(digits, &unit);
        r->at = start + (long)n;
        if (!isfinite(value))
            return taut_infix_refuse(r, blank, "the number %s is too large", digits);
        return taut_infix_scalar(taut_number(r->graph, value), unit.dimension);
    }
    while (end < r->length && (taut_infix_is_letter(r->text[end]) || taut_is_digit(r->text[end])))
        end++;
    snprintf(name, sizeof name, "%.*s", (int)(end - start), r->text + start);
    const char *near = taut_unit_nearest(name);
    return taut_infix_refuse(
        r, start, "'%s' is not a unit%s%s%s (or an operator is missing: %s*%s)", name,
        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", digits, name);
}

/* Letters right behind a number, or too far behind it. */
static taut_measure refuse_letters(taut_infix *r, const char *digits, long at) {
    taut_unit unit;
    const size_t n = taut_unit_read(r->text + at, (size_t)(r->length - at), &unit);
    if (n > 0)
        return taut_infix_refuse(r, at, "a unit follows its number after one space: %s %.*s",
                                 digits, (int)n, r->text + at);
    return taut_infix_refuse(r, at, "write * between a number and a name: %s*%c...", digits,
                             r->text[at]);
}

taut_measure taut_infix_read_number(taut_infix *r) {
    const long start = r->at;
    char digits[64];
    const size_t n = count_digits(r);
    if (n == 0) return taut_infix_refuse(r, start, "a number needs digits");
    if (n >= sizeof digits) return taut_infix_refuse(r, start, "this number has too many digits");
    memcpy(digits, r->text + start, n);
    digits[n] = '\0';
    const double value = taut_number_parse(digits, NULL);
    if (!isfinite(value)) return taut_infix_refuse(r, start, "the number %s is too large", digits);
    const long p = r->at = start + (long)n;
    const char c = p < r->length ? r->text[p] : '\0', next = p + 1 < r->length ? r->text[p + 1] : 0;
    if (c == '.') return taut_infix_refuse(r, p, "a number has two decimal points");
    if (taut_infix_is_letter(c)) return refuse_letters(r, digits, p);
    if (c == ' ' && taut_infix_is_letter(next) && !is_joint(r, p + 1)) return read_unit(r, digits);
    if (taut_infix_is_space(c) && taut_infix_is_letter(taut_infix_peek(r)) && !is_joint(r, r->at))
        return refuse_letters(r, digits, r->at);
    return taut_infix_scalar(
        taut_number(r->graph, value),
        taut_infix_plain(value == 0.0 ? TAUT_DIMENSION_ZERO : TAUT_DIMENSION_NUMBER));
}
