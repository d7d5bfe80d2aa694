/* Numbers as text and back, always with a decimal point: a program that uses the library may have
 * set a locale with a decimal comma, for itself or for one of its threads. Whatever reads or writes
 * a floating-point number in the library does it by these functions (scripts/check-includes). */
#ifndef TAUT_CORE_NUMBER_H
#define TAUT_CORE_NUMBER_H

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* strtod and strtold of the C locale: correctly rounded; end may be NULL. */
double taut_number_parse(const char *text, char **end);
long double taut_number_parse_long(const char *text, char **end);

/* snprintf and vsnprintf of the C locale. */
__attribute__((format(printf, 3, 4))) int taut_format(char *text, size_t size, const char *format,
                                                      ...);
__attribute__((format(printf, 3, 0))) int taut_format_list(char *text, size_t size,
                                                           const char *format, va_list args);

/* For calls of other libraries that write numbers: the C locale for this thread, until
 * taut_locale_restore gets what taut_locale_plain has returned. Nothing of the caller's may be
 * called in between. */
locale_t taut_locale_plain(void);
void taut_locale_restore(locale_t before);

/* The fast writer: the same characters as "%.*g". */
enum {
    TAUT_NUMBER_ROOM = 32,   /* characters that a number needs at most */
    TAUT_NUMBER_DIGITS = 17, /* digits at most */
    TAUT_POWERS = 340        /* 10^-340 .. 10^340 */
};

/* Powers of ten as 128 bits (high and low half) times a power of two. */
typedef struct taut_powers {
    uint64_t high[2 * TAUT_POWERS + 1], low[2 * TAUT_POWERS + 1];
    int exponent[2 * TAUT_POWERS + 1];
} taut_powers;

void taut_powers_fill(taut_powers *powers);
/* Writes a finite number with 1 to 17 digits as "%.*g" does in the C locale. Returns how many
 * characters it has. */
size_t taut_number_write(const taut_powers *powers, double value, int digits, char *to);

#endif
