/* Units by the tables units.def and quantities.def: reading, exact conversion, dimensions. */
#include "expr/measure.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"

/* ---- quantities ---- */

static const struct {
    const char *word, *article, *unit;
    double exponent[TAUT_BASE_UNITS];
} QUANTITY[TAUT_QUANTITIES] = {
    {"quantity", "any", "any unit", {0}},
#define TAUT_QUANTITY(NAME, word, article, unit, m, kg, s, A) {word, article, unit, {m, kg, s, A}},
#include "expr/quantities.def"
#undef TAUT_QUANTITY
};

const char *taut_quantity_word(taut_quantity quantity) { return QUANTITY[quantity].word; }

const char *taut_quantity_print(taut_quantity q, char *text, size_t size) {
    snprintf(text, size, "%s %s (%s)", QUANTITY[q].article, QUANTITY[q].word, QUANTITY[q].unit);
    return text;
}

taut_quantity taut_quantity_rate(taut_quantity q, int order) {
    if (order == 0) return q;
    if (q == TAUT_LENGTH && order < 3) return order == 1 ? TAUT_VELOCITY : TAUT_ACCELERATION;
    if (q == TAUT_ANGLE && order < 3)
        return order == 1 ? TAUT_FREQUENCY : TAUT_ANGULAR_ACCELERATION;
    return TAUT_ANY;
}

taut_dimension taut_quantity_dimension(taut_quantity q) {
    taut_dimension d = {.knowledge = q == TAUT_ANY ? TAUT_DIMENSION_ANY : TAUT_DIMENSION_KNOWN};
    memcpy(d.exponent, QUANTITY[q].exponent, sizeof d.exponent);
    return d;
}

/* ---- dimensions ---- */

/* Roots make fractions: sqrt(m)^2 is m, whatever the last bit says. */
static bool same_exponents(const double *a, const double *b) {
    for (int i = 0; i < TAUT_BASE_UNITS; i++)
        if (fabs(a[i] - b[i]) > 1e-9) return false;
    return true;
}

bool taut_dimension_fits(taut_dimension d, taut_quantity wanted) {
    return wanted == TAUT_ANY || d.knowledge != TAUT_DIMENSION_KNOWN ||
           same_exponents(d.exponent, QUANTITY[wanted].exponent);
}

const char *taut_dimension_print(taut_dimension d, char *text, size_t size) {
    static const char *const base[TAUT_BASE_UNITS] = {"m", "kg", "s", "A"};
    if (d.knowledge != TAUT_DIMENSION_KNOWN) {
        snprintf(text, size, "a number without a unit");
        return text;
    }
    for (int q = TAUT_ANY + 1; q < TAUT_QUANTITIES; q++)
        if (same_exponents(d.exponent, QUANTITY[q].exponent))
            return taut_quantity_print((taut_quantity)q, text, size);
    size_t used = (size_t)snprintf(text, size, "something in ");
    const char *star = "";
    for (int i = 0; i < TAUT_BASE_UNITS; i++) {
        const double e = d.exponent[i];
        if (e == 0.0 || used >= size) continue;
        used += (size_t)taut_format(text + used, size - used, e == 1.0 ? "%s%s" : "%s%s^%g", star,
                                    base[i], e);
        star = "*";
    }
    return text;
}

taut_dimension taut_dimension_product(taut_dimension a, taut_dimension b, double power) {
    taut_dimension d = {.knowledge = TAUT_DIMENSION_KNOWN};
    if (a.knowledge == TAUT_DIMENSION_ANY || b.knowledge == TAUT_DIMENSION_ANY)
        return (taut_dimension){TAUT_DIMENSION_ANY, {0}};
    if (a.knowledge == TAUT_DIMENSION_ZERO) return a;
    if (b.knowledge == TAUT_DIMENSION_ZERO) return power > 0.0 ? b : a;
    bool cancels = true;
    for (int i = 0; i < TAUT_BASE_UNITS; i++) {
        d.exponent[i] = a.exponent[i] + power * b.exponent[i];
        cancels = cancels && fabs(d.exponent[i]) < 1e-9;
    }
    const bool both = a.knowledge == TAUT_DIMENSION_KNOWN && b.knowledge == TAUT_DIMENSION_KNOWN;
    const bool none = a.knowledge != TAUT_DIMENSION_KNOWN && b.knowledge != TAUT_DIMENSION_KNOWN;
    if (none || (both && cancels)) return (taut_dimension){TAUT_DIMENSION_NUMBER, {0}};
    return d;
}

taut_dimension taut_dimension_power(taut_dimension a, double exponent) {
    for (int i = 0; i < TAUT_BASE_UNITS; i++) a.exponent[i] *= exponent;
    return a;
}

bool taut_dimension_sum(taut_dimension a, taut_dimension b, taut_dimension *sum) {
    const bool a_known = a.knowledge == TAUT_DIMENSION_KNOWN;
    *sum = a_known || b.knowledge == TAUT_DIMENSION_ZERO ? a : b;
    if (a.knowledge == TAUT_DIMENSION_ANY && b.knowledge != TAUT_DIMENSION_KNOWN) *sum = a;
    if (!a_known && b.knowledge != TAUT_DIMENSION_KNOWN) return true;
    const taut_dimension known = a_known ? a : b, other = a_known ? b : a;
    if (other.knowledge == TAUT_DIMENSION_ANY || other.knowledge == TAUT_DIMENSION_ZERO)
        return true;
    return same_exponents(known.exponent, other.exponent); /* of a plain number they are 0 */
}

/* ---- units ---- */

typedef struct row {
    const char *symbol, *prefixes;
    int64_t number, divisor;
    int ten, pi;
    double exponent[TAUT_BASE_UNITS];
} row;

static const row UNIT[] = {
#define TAUT_UNIT(symbol, prefixes, number, divisor, ten, pi, m, kg, s, A)                         \
    {symbol, prefixes, number, divisor, ten, pi, {m, kg, s, A}},
#include "expr/units.def"
#undef TAUT_UNIT
};
enum { UNITS = sizeof UNIT / sizeof UNIT[0] };

static const struct {
    char letter;
    int ten;
} PREFIX[] = {{'p', -12}, {'n', -9}, {'u', -6}, {'m', -3}, {'c', -2},
              {'d', -1},  {'k', 3},  {'M', 6},  {'G', 9}};
enum { PREFIXES = sizeof PREFIX / sizeof PREFIX[0], LONGEST_SYMBOL = 8, LARGEST_POWER = 9 };

/* The unit of this symbol without a prefix, then with one; *ten: of the prefix. */
static const row *find_unit(const char *name, size_t n, int *ten) {
    *ten = 0;
    for (int i = 0; i < UNITS; i++)
        if (strlen(UNIT[i].symbol) == n && memcmp(UNIT[i].symbol, name, n) == 0) return &UNIT[i];
    for (int p = 0; p < PREFIXES && n > 1; p++) {
        if (PREFIX[p].letter != name[0]) continue;
        *ten = PREFIX[p].ten;
        for (int i = 0; i < UNITS; i++)
            if (strchr(UNIT[i].prefixes, name[0]) && strlen(UNIT[i].symbol) == n - 1 &&
                memcmp(UNIT[i].symbol, name + 1, n - 1) == 0)
                return &UNIT[i];
    }
    return NULL;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* "^2", "^-1", "**2": returns its bytes, 0: there is none. */
static size_t read_power(const char *text, size_t length, int *power) {
    size_t n = length > 0 && text[0] == '^' ? 1 : 0;
    if (length > 1 && text[0] == '*' && text[1] == '*') n = 2;
    *power = 1;
    if (n == 0) return 0;
    const bool negative = n < length && text[n] == '-';
    n += negative;
    if (n >= length || !is_digit(text[n]) || text[n] - '0' > LARGEST_POWER) return 0;
    if (n + 1 < length && (is_digit(text[n + 1]) || text[n + 1] == '.')) return 0;
    *power = (negative ? -1 : 1) * (text[n] - '0');
    return n + 1;
}

/* One symbol with its power; returns its bytes, 0: it is none. */
static size_t read_factor(const char *text, size_t length, int sign, taut_unit *unit) {
    size_t n = 0;
    int ten, power;
    while (n < length && is_letter(text[n])) n++;
    if (n == 0 || n > LONGEST_SYMBOL || (n < length && (is_digit(text[n]) || text[n] == '_')))
        return 0;
    const row *u = find_unit(text, n, &ten);
    if (!u || (n < length && strchr("('.", text[n]))) return 0;
    n += read_power(text + n, length - n, &power);
    power *= sign;
    for (int i = 0; i < abs(power); i++) {
        unit->number *= (long double)(power > 0 ? u->number : u->divisor);
        unit->divisor *= (long double)(power > 0 ? u->divisor : u->number);
    }
    unit->ten += power * (u->ten + ten);
    unit->pi += power * u->pi;
    for (int i = 0; i < TAUT_BASE_UNITS; i++) unit->dimension.exponent[i] += power * u->exponent[i];
    return n;
}

size_t taut_unit_read(const char *text, size_t length, taut_unit *unit) {
    *unit = (taut_unit){.number = 1, .divisor = 1, .dimension = {TAUT_DIMENSION_KNOWN, {0}}};
    size_t n = read_factor(text, length, 1, unit);
    while (n > 0 && n + 1 < length && (text[n] == '*' || text[n] == '/')) {
        const size_t more =
            read_factor(text + n + 1, length - n - 1, text[n] == '*' ? 1 : -1, unit);
        if (more == 0) break;
        n += 1 + more;
    }
    return n;
}

/* Digits without the point; *ten: the power of ten that makes up for it and for the exponent. */
static void split_number(const char *digits, char *whole, size_t size, int *ten) {
    const size_t mantissa = strcspn(digits, "eE");
    const long exponent = digits[mantissa] ? strtol(digits + mantissa + 1, NULL, 10) : 0;
    bool after_point = false;
    size_t n = 0;
    *ten = (int)fmax(-100000.0, fmin(100000.0, (double)exponent)); /* 0 or too large anyway */
    for (size_t i = 0; i < mantissa && n + 1 < size; i++) {
        after_point = after_point || digits[i] == '.';
        if (digits[i] == '.') continue;
        whole[n++] = digits[i];
        *ten -= after_point;
    }
    whole[n] = '\0';
}

double taut_unit_convert(const char *digits, const taut_unit *unit) {
    char whole[80], text[120];
    int ten;
    split_number(digits, whole, sizeof whole, &ten);
    const long double product = taut_number_parse_long(whole, NULL) * unit->number;
    /* whole numbers are exact as long as they fit: then strtod rounds once */
    if (unit->number == 1.0L)
        taut_format(text, sizeof text, "%se%d", whole, ten + unit->ten);
    else if (product < 1e19L)
        taut_format(text, sizeof text, "%.0Lfe%d", product, ten + unit->ten);
    else
        taut_format(text, sizeof text, "%.21Le",
                    product * powl(10.0L, (long double)ten + unit->ten));
    if (unit->pi == 0 && unit->divisor == 1.0L) return taut_number_parse(text, NULL);
    if (unit->pi == 0) return (double)(taut_number_parse_long(text, NULL) / unit->divisor);
    double x = taut_number_parse(text, NULL);
    for (int i = 0; i < abs(unit->pi); i++) x = unit->pi > 0 ? x * acos(-1.0) : x / acos(-1.0);
    return x / (double)unit->divisor;
}

const char *taut_unit_nearest(const char *name) {
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; i < UNITS; i++) taut_nearest_offer(&nearest, UNIT[i].symbol);
    return nearest.best;
}

/* "a mass (kg)" -> "kg" */
void taut_unit_name(taut_quantity quantity, taut_dimension dimension, char *unit, size_t size) {
    char text[80];
    if (quantity != TAUT_ANY)
        taut_quantity_print(quantity, text, sizeof text);
    else if (dimension.knowledge == TAUT_DIMENSION_KNOWN)
        taut_dimension_print(dimension, text, sizeof text);
    else
        text[0] = '\0';
    const char *open = strrchr(text, '('), *in = strstr(text, " in ");
    snprintf(unit, size, "%s", open ? open + 1 : in ? in + 4 : "");
    unit[strcspn(unit, ")")] = '\0';
    if (strcmp(unit, "no unit") == 0) unit[0] = '\0';
}
