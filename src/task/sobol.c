/* Direction numbers of Sobol's sequence (Sobol' 1967; Bratley and Fox 1988). Dimension j has the
 * j-th primitive polynomial over GF(2), x^s + a_1 x^(s-1) + ... + 1, and its numbers m_k follow
 * from the first s ones by
 *
 *   m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^s m_(k-s) ^ m_(k-s).
 *
 * The first s ones are free, odd, m_k < 2^k. They are chosen here such that Sobol's property A
 * holds: of the first 2^d points exactly one lies in each of the 2^d halves of halves of the
 * d-dimensional cube, whatever the number d of dimensions. That is so if the d x d matrix of the
 * leading bits of the direction numbers is regular. Small degrees leave few choices, so in high
 * dimensions none may do; the last one is taken then. */
#include <stdbool.h>
#include <string.h>

#include "core/philox.h"
#include "task/design.h"

enum { ATTEMPTS = 300 };

/* ---- polynomials, as bits ---- */

/* x^power modulo a polynomial of this degree. */
static uint32_t power_of_x(uint32_t power, uint32_t polynomial, int degree) {
    uint32_t result = 1, base = 2;
    if (degree == 1) base ^= polynomial; /* x itself is to be reduced */
    for (; power; power >>= 1) {
        uint32_t product = 0;
        for (int i = 0; power & 1 && i < degree; i++)
            if (base >> i & 1) product ^= result << i;
        for (int i = 2 * degree; power & 1 && i >= degree; i--)
            if (product >> i & 1) product ^= polynomial << (i - degree);
        if (power & 1) result = product;
        product = 0;
        for (int i = 0; i < degree; i++)
            if (base >> i & 1) product ^= base << i;
        for (int i = 2 * degree; i >= degree; i--)
            if (product >> i & 1) product ^= polynomial << (i - degree);
        base = product;
    }
    return result;
}

/* Is the order of x 2^degree - 1, and no divisor of that? */
static bool is_primitive(uint32_t polynomial, int degree) {
    const uint32_t order = (1u << degree) - 1;
    if (power_of_x(order, polynomial, degree) != 1) return false;
    for (uint32_t p = 2, rest = order; rest > 1; p++) {
        if (rest % p) continue;
        while (rest % p == 0) rest /= p;
        if (order > p && power_of_x(order / p, polynomial, degree) == 1) return false;
    }
    return true;
}

static uint32_t next_primitive(uint32_t polynomial, int *degree) {
    for (uint32_t p = polynomial + 2;; p += 2) { /* the last coefficient is 1 */
        while (p >> (*degree + 1)) ++*degree;
        if (is_primitive(p, *degree)) return p;
    }
}

/* ---- direction numbers ---- */

/* From the first s numbers to all, as binary fractions with the point before the highest bit. */
static void extend(uint32_t *v, uint32_t polynomial, int s) {
    for (int k = s; k < TAUT_SOBOL_BITS; k++) {
        v[k] = v[k - s] ^ v[k - s] >> s;
        for (int i = 1; i < s; i++)
            if (polynomial >> (s - i) & 1) v[k] ^= v[k - i];
    }
}

/* Is the matrix of the leading bits, one row a dimension, regular? */
static bool has_property_a(uint32_t (*direction)[TAUT_SOBOL_BITS], int count) {
    uint32_t row[TAUT_SOBOL_BITS];
    if (count > TAUT_SOBOL_BITS) return true; /* more points than anybody can draw */
    for (int j = 0; j < count; j++) {
        row[j] = 0;
        for (int k = 0; k < count; k++) row[j] |= (direction[j][k] >> 31) << k;
    }
    for (int k = 0; k < count; k++) {
        int pivot = k;
        while (pivot < count && !(row[pivot] >> k & 1)) pivot++;
        if (pivot == count) return false;
        const uint32_t kept = row[pivot];
        row[pivot] = row[k];
        row[k] = kept;
        for (int j = k + 1; j < count; j++)
            if (row[j] >> k & 1) row[j] ^= row[k];
    }
    return true;
}

void taut_sobol_directions(uint32_t (*direction)[TAUT_SOBOL_BITS], int count) {
    uint32_t polynomial = 1;
    int degree = 1;
    for (int k = 0; k < TAUT_SOBOL_BITS && count > 0; k++)
        direction[0][k] = 1u << (31 - k); /* van der Corput's sequence */
    for (int j = 1; j < count; j++) {
        polynomial = next_primitive(polynomial, &degree);
        for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
            for (int k = 0; k < degree; k++) {
                const uint64_t bits = taut_random_bits((uint64_t)j, attempt, (uint64_t)k);
                const uint32_t m = ((uint32_t)bits & ((1u << (k + 1)) - 1)) | 1u;
                direction[j][k] = m << (31 - k);
            }
            extend(direction[j], polynomial, degree);
            if (has_property_a(direction, j + 1)) break;
        }
    }
}
