/* Doubles by their bits, where that is quicker than to compute or to call the library. */
#ifndef TAUT_CORE_BITS_H
#define TAUT_CORE_BITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TAUT_SIGN_BIT (UINT64_C(1) << 63)
#define TAUT_EXPONENT_BITS (UINT64_C(0x7ff) << 52)

static inline uint64_t taut_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double taut_from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Reaches the bit of the sign for infinities and NaN alone: their exponents are all ones, to which
 * one is added. Sums and masks run side by side on every processor, comparisons do not. */
static inline uint64_t taut_infinity(double x) {
    return (taut_bits(x) & TAUT_EXPONENT_BITS) + (UINT64_C(1) << 52);
}

/* Is nothing among these an infinity or a NaN? */
static inline bool taut_all_finite(const double *x, int count) {
    uint64_t any = 0;
    for (int i = 0; i < count; i++) any |= taut_infinity(x[i]);
    return any < TAUT_SIGN_BIT;
}

/* The logarithm of a normal x > 0 to base 2; TAUT_ROUGH is the largest error. */
#define TAUT_ROUGH 4e-4
static inline double taut_rough_logarithm(double x) {
    const uint64_t part = taut_bits(x) & ~(TAUT_EXPONENT_BITS | TAUT_SIGN_BIT);
    const double f = taut_from_bits(part | UINT64_C(1023) << 52) - 1.0;
    const double exponent = (double)((int)(taut_bits(x) >> 52) - 1023);
    return exponent + f + f * (1.0 - f) * (0.4408 + f * (0.0816 * f - 0.2427));
}

/* 2^-e for a size in [2^(e-1), 2^e), and the size times that; 1 and 0 for 0. */
static inline double taut_power_below(double size, double *scaled) {
    const uint64_t exponent = taut_bits(size) >> 52; /* its bias is 1023 */
    if (exponent > 0 && exponent < 2045) {
        *scaled = taut_from_bits((taut_bits(size) & ~TAUT_EXPONENT_BITS) | UINT64_C(1022) << 52);
        return taut_from_bits((2045 - exponent) << 52);
    }
    int e;
    *scaled = frexp(size, &e);
    return ldexp(1.0, -e);
}

/* As frexp and ldexp make it: 2^e for a size in [2^(e-1), 2^e), whatever its sign; 1 for 0. */
static inline double taut_power_above(double x) {
    const uint64_t exponent = taut_bits(x) >> 52 & 0x7ff;
    if (exponent > 0 && exponent < 2046) return taut_from_bits((exponent + 1) << 52);
    int e;
    frexp(x, &e);
    return ldexp(1.0, e);
}

/* Is it a power of 2 whose inverse is one as well, so that to divide by it is to multiply by that?
 */
static inline bool taut_is_power(double x) {
    const uint64_t exponent = taut_bits(x) >> 52;
    return (taut_bits(x) << 12) == 0 && exponent > 1 && exponent < 2045;
}

/* fmax and fmin without a call: what is not a number does not count. */
static inline double taut_larger(double x, double y) { return x > y || isnan(y) ? x : y; }
static inline double taut_smaller(double x, double y) { return x < y || isnan(y) ? x : y; }

#endif
