/* Numbers as text, faster than printf and with the same characters. */
#ifndef TAUT_OUT_NUMBER_H
#define TAUT_OUT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

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
