/* Direction numbers of Sobol's sequence (Sobol' 1967; Bratley and Fox 1988). Dimension j has the
 * j-th primitive polynomial over GF(2), x^s + a_1 x^(s-1) + ... + 1, and its numbers m_k follow
 * from the first s ones by
 *
 *   m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^s m_(k-s) ^ m_(k-s).
 *
 * The first s ones are free, odd, m_k < 2^k. They are chosen here such that Sobol's property A
 * holds: of the first 2^d points exactly one lies in each of the 2^d halves of halves of the
 * d-dimensional cube, whatever the number d of dimensions. That is so if the d x d matrix of the
 * leading bits of the direction numbers is regular. Of those that have it the one is taken whose
 * points are spread best together with those of each dimension before it (Joe and Kuo 2008): two
 * names whose samples lie on a few lines look as if one depended on the other. Small degrees leave
 * few choices, so in high dimensions none may have property A; then the best of all is taken. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/philox.h"
#include "task/design.h"

enum { ATTEMPTS = 300, ENOUGH = 10 };         /* of candidates; of those that have property A */
enum { FEWEST_PAIRED = 5, MOST_PAIRED = 10 }; /* pairs are looked at for 2^5 .. 2^10 points */

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

/* ---- pairs of dimensions ---- */

/* Which of the first m direction numbers have bit r, counted from the highest: row r of the matrix
 * that makes 2^m points. */
static void fill_rows(const uint32_t *v, int m, uint32_t *row) {
    for (int r = 0; r < m; r++) {
        row[r] = 0;
        for (int k = 0; k < m; k++) row[r] |= (v[k] >> (31 - r) & 1) << k;
    }
}

/* Adds a row to a basis by leading bits; false: it depends on those that are there. */
static bool add_row(uint32_t *basis, int m, uint32_t row) {
    for (int k = m - 1; k >= 0 && row; k--) {
        if (!(row >> k & 1)) continue;
        if (!basis[k]) {
            basis[k] = row;
            return true;
        }
        row ^= basis[k];
    }
    return false;
}

/* Are all boxes 2^-i x 2^-(k-i) equally full? */
static bool is_even(const uint32_t *one, const uint32_t *two, int m, int k) {
    for (int i = 0; i <= k; i++) {
        uint32_t basis[MOST_PAIRED] = {0};
        for (int r = 0; r < k; r++)
            if (!add_row(basis, m, r < i ? one[r] : two[r - i])) return false;
    }
    return true;
}

/* How uneven a dimension is together with those before it: the area of the largest boxes of which
 * some are too full, to the power of four, over all numbers of points. Gives up above the limit. */
static double find_unevenness(uint32_t (*direction)[TAUT_SOBOL_BITS], int dimension, double limit) {
    double sum = 0.0;
    for (int j = 0; j < dimension && sum < limit; j++)
        for (int m = FEWEST_PAIRED; m <= MOST_PAIRED; m++) {
            uint32_t one[MOST_PAIRED], two[MOST_PAIRED];
            int k = 1;
            fill_rows(direction[j], m, one);
            fill_rows(direction[dimension], m, two);
            while (k < m && is_even(one, two, m, k + 1)) k++;
            sum += 1.0 / (double)(1ull << (4 * k));
        }
    return sum;
}

/* ---- choice ---- */

static void draw(uint32_t *v, int dimension, uint64_t attempt, uint32_t polynomial, int degree) {
    for (int k = 0; k < degree; k++) {
        const uint64_t bits = taut_random_bits((uint64_t)dimension, attempt, (uint64_t)k);
        const uint32_t m = ((uint32_t)bits & ((1u << (k + 1)) - 1)) | 1u;
        v[k] = m << (31 - k);
    }
    extend(v, polynomial, degree);
}

static void choose(uint32_t (*direction)[TAUT_SOBOL_BITS], int j, uint32_t polynomial, int degree) {
    uint32_t best[TAUT_SOBOL_BITS];
    double least = HUGE_VAL;
    int good = 0;
    for (uint64_t attempt = 0; attempt < ATTEMPTS && good < ENOUGH; attempt++) {
        draw(direction[j], j, attempt, polynomial, degree);
        const bool has = has_property_a(direction, j + 1);
        if (good > 0 && !has) continue;
        const double limit = has && good == 0 ? HUGE_VAL : least;
        const double uneven = find_unevenness(direction, j, limit);
        good += has;
        if (!(uneven < limit)) continue;
        least = uneven;
        memcpy(best, direction[j], sizeof best);
    }
    memcpy(direction[j], best, sizeof best);
}

void taut_sobol_directions(uint32_t (*direction)[TAUT_SOBOL_BITS], int count) {
    uint32_t polynomial = 1;
    int degree = 1;
    for (int k = 0; k < TAUT_SOBOL_BITS && count > 0; k++)
        direction[0][k] = 1u << (31 - k); /* van der Corput's sequence */
    for (int j = 1; j < count; j++) {
        polynomial = next_primitive(polynomial, &degree);
        choose(direction, j, polynomial, degree);
    }
}
