/* Reading and formatting switch the thread to the C locale, which in glibc is one pointer.
 *
 * The fast writer: value * 10^q, with q such that the wanted digits stand before the point, in 128
 * bits: its error is below 2^-100 of it, so it is rounded as the exact product would be, unless
 * what is behind the point is so close to a half that one cannot know. Then, and for numbers that
 * are not normalised, printf decides. */
#include "core/number.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the C locale ---- */

static locale_t plain; /* made once and never freed; 0: there is none, the thread's own is kept */
static pthread_once_t plain_made = PTHREAD_ONCE_INIT;

static void make_plain(void) { plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

locale_t taut_locale_plain(void) {
    pthread_once(&plain_made, make_plain);
    return uselocale(plain);
}

void taut_locale_restore(locale_t before) { uselocale(before); }

/* A plain decimal of at most 15 digits, with or without a point, and nothing behind it: its digits
 * and the power of ten are exact doubles, so that their quotient is rounded once. */
static bool parse_plain(const char *text, char **end, double *value) {
    static const double ten[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int64_t whole = 0;
    int digits = 0, behind = 0;
    bool point = false;
    const char *p = text;
    for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        whole = 10 * whole + (*p - '0');
        behind += point;
        if (++digits > 15) return false;
    }
    if (*p != '\0' || digits == 0) return false;
    *value = (double)whole / ten[behind];
    if (end) *end = (char *)p;
    return true;
}

double taut_number_parse(const char *text, char **end) {
    double plainly;
    if (FLT_EVAL_METHOD == 0 && parse_plain(text, end, &plainly)) return plainly;
    const locale_t before = taut_locale_plain();
    const double value = strtod(text, end);
    taut_locale_restore(before);
    return value;
}

long double taut_number_parse_long(const char *text, char **end) {
    const locale_t before = taut_locale_plain();
    const long double value = strtold(text, end);
    taut_locale_restore(before);
    return value;
}

int taut_format_list(char *text, size_t size, const char *format, va_list args) {
    const locale_t before = taut_locale_plain();
    const int length = vsnprintf(text, size, format, args);
    taut_locale_restore(before);
    return length;
}

int taut_format(char *text, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int length = taut_format_list(text, size, format, args);
    va_end(args);
    return length;
}

/* ---- the fast writer ---- */

static size_t write_slowly(double value, int digits, char *to) {
    return (size_t)taut_format(to, TAUT_NUMBER_ROOM, "%.*g", digits, value);
}

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

enum {
    DOUBT = 40,     /* a half within 2^-DOUBT may be one */
    DIGIT_ROOM = 24 /* TAUT_NUMBER_DIGITS and what is copied with them */
};

static void put(taut_powers *p, int q, wide mantissa, int exponent) {
    p->high[q + TAUT_POWERS] = (uint64_t)(mantissa >> 64);
    p->low[q + TAUT_POWERS] = (uint64_t)mantissa;
    p->exponent[q + TAUT_POWERS] = exponent;
}

/* Each step loses less than 16 units of the last of 127 bits, all 340 of them less than 2^13. */
void taut_powers_fill(taut_powers *p) {
    const wide one = (wide)1 << 127;
    wide up = one, down = one;
    int up_exponent = -127, down_exponent = -127;
    put(p, 0, one, -127);
    for (int q = 1; q <= TAUT_POWERS; q++) {
        up = (up >> 4) * 10;
        up_exponent += 4;
        down /= 10;
        while (up < one) up <<= 1, up_exponent--;
        while (down < one) down <<= 1, down_exponent--;
        put(p, q, up, up_exponent);
        put(p, -q, down, down_exponent);
    }
}

/* 10^0 .. 10^17 */
static const uint64_t TEN_TO[] = {1u,
                                  10u,
                                  100u,
                                  1000u,
                                  10000u,
                                  100000u,
                                  1000000u,
                                  10000000u,
                                  100000000u,
                                  1000000000u,
                                  10000000000u,
                                  100000000000u,
                                  1000000000000u,
                                  10000000000000u,
                                  100000000000000u,
                                  1000000000000000u,
                                  10000000000000000u,
                                  100000000000000000u};

/* The digits of mantissa * 2^exponent, if the first of them has the value 10^first; false: nobody
 * knows. */
static bool scale(const taut_powers *p, uint64_t mantissa, int exponent, int digits, int first,
                  uint64_t *number) {
    const int q = digits - 1 - first;
    if (q < -TAUT_POWERS || q > TAUT_POWERS) return false;
    const wide product = (wide)mantissa * p->high[q + TAUT_POWERS] +
                         (uint64_t)(((wide)mantissa * p->low[q + TAUT_POWERS]) >> 64);
    const int behind = -(exponent + p->exponent[q + TAUT_POWERS] + 64); /* bits behind the point */
    if (behind <= DOUBT || behind >= 127) return false;
    const wide half = (wide)1 << (behind - 1), rest = product & (2 * half - 1);
    const wide distance = rest > half ? rest - half : half - rest;
    if (distance >> (behind - DOUBT) == 0) return false;
    *number = (uint64_t)(product >> behind) + (rest > half);
    return product >> behind <= UINT64_MAX / 2;
}

/* "00" to "99" */
static const char PAIR[] = "00010203040506070809101112131415161718192021222324"
                           "25262728293031323334353637383940414243444546474849"
                           "50515253545556575859606162636465666768697071727374"
                           "75767778798081828384858687888990919293949596979899";

/* Splits a number into `digits` characters, two at a time of eight: short divisions are quicker. */
static void split(uint64_t number, int digits, char *to) {
    for (int left = digits; left > 0; left -= 8) {
        uint32_t part = (uint32_t)(number % TEN_TO[8]);
        int at = left;
        number /= TEN_TO[8];
        for (; at > 1 && at > left - 8; at -= 2, part /= 100)
            memcpy(to + at - 2, PAIR + 2 * (part % 100), 2);
        if (at == 1 && left < 8) to[0] = (char)('0' + part % 10);
    }
}

/* digit[] with the first one worth 10^first, zeros at the end left out, as "%g" shows it. All of
 * digit[] is copied, however few are wanted: a copy of a known length is a few instructions. */
static size_t arrange(const char *digit, int digits, int first, bool minus, char *to) {
    char *at = to;
    int used = digits;
    while (used > 1 && digit[used - 1] == '0') used--;
    if (minus) *at++ = '-';
    const bool scientific = first < -4 || first >= digits;
    const int before = scientific ? 1 : first + 1; /* digits before the point */
    if (before <= 0) {
        memcpy(at, "0.000", 5);
        at += 2 - before;
        memcpy(at, digit, DIGIT_ROOM);
        at += used;
    } else {
        memcpy(at + 1, digit, DIGIT_ROOM);
        for (int i = 0; i < before; i++) at[i] = at[i + 1];
        if (used > before) at[before] = '.';
        at += used > before ? used + 1 : before;
    }
    if (scientific) {
        const int size = first < 0 ? -first : first;
        *at++ = 'e';
        *at++ = first < 0 ? '-' : '+';
        if (size >= 100) *at++ = (char)('0' + size / 100);
        *at++ = (char)('0' + size / 10 % 10);
        *at++ = (char)('0' + size % 10);
    }
    *at = '\0';
    return (size_t)(at - to);
}

size_t taut_number_write(const taut_powers *p, double value, int digits, char *to) {
    char digit[DIGIT_ROOM];
    uint64_t bits, number = 0;
    memcpy(&bits, &value, sizeof bits);
    const int field = (int)(bits >> 52 & 0x7ff);
    if (field == 0 || field == 0x7ff || digits < 1 || digits > TAUT_NUMBER_DIGITS)
        return write_slowly(value, digits, to);
    const uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const int exponent = field - 1075;
    int first = (int)floor((double)(exponent + 52) * 0.30102999566398120); /* or one more */
    const uint64_t limit = TEN_TO[digits];
    if (!scale(p, mantissa, exponent, digits, first, &number))
        return write_slowly(value, digits, to);
    if (number >= limit) { /* one more, or rounded up to it */
        first++;
        if (!scale(p, mantissa, exponent, digits, first, &number))
            return write_slowly(value, digits, to);
    }
    if (number < limit / 10 || number >= limit) return write_slowly(value, digits, to);
    split(number, digits, digit);
    return arrange(digit, digits, first, value < 0.0, to);
}

#else

void taut_powers_fill(taut_powers *p) { memset(p, 0, sizeof *p); }

size_t taut_number_write(const taut_powers *p, double value, int digits, char *to) {
    (void)p;
    return write_slowly(value, digits, to);
}

#endif
