/* Physical dimensions of formulas, and numbers with units. */
#ifndef TAUT_EXPR_MEASURE_H
#define TAUT_EXPR_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

/* Quantities with a name, one row of quantities.def each. */
typedef enum taut_quantity {
    TAUT_ANY, /* nothing is known, or anything will do */
#define TAUT_QUANTITY(NAME, word, article, unit, m, kg, s, A) TAUT_##NAME,
#include "expr/quantities.def"
#undef TAUT_QUANTITY
    TAUT_QUANTITIES
} taut_quantity;

/* What is known of a formula's dimension. */
typedef enum taut_knowledge {
    TAUT_DIMENSION_ANY,    /* contains what has no unit in the file: a coordinate, a parameter */
    TAUT_DIMENSION_NUMBER, /* plain numbers only: in SI if it stands alone, a factor in a product */
    TAUT_DIMENSION_ZERO,   /* the plain number 0, which has every dimension */
    TAUT_DIMENSION_KNOWN   /* units say it */
} taut_knowledge;

enum { TAUT_BASE_UNITS = 4 };

typedef struct taut_dimension {
    taut_knowledge knowledge;
    double exponent[TAUT_BASE_UNITS]; /* KNOWN: of m, kg, s, A; otherwise 0 */
} taut_dimension;

/* The word for a quantity, without and with its article and unit: "mass", "a mass (kg)". */
const char *taut_quantity_word(taut_quantity quantity);
const char *taut_quantity_print(taut_quantity quantity, char *text, size_t size);
/* The quantity that its derivative of this order is, as far as there is a name; otherwise ANY. */
taut_quantity taut_quantity_rate(taut_quantity quantity, int order);
/* The dimension of a quantity; ANY: unknown. */
taut_dimension taut_quantity_dimension(taut_quantity quantity);
/* True if a formula of this dimension may stand for the quantity. */
bool taut_dimension_fits(taut_dimension dimension, taut_quantity wanted);
/* Its name, or its base units: "a mass (kg)", "something in kg*m/s". */
const char *taut_dimension_print(taut_dimension dimension, char *text, size_t size);

/* Dimensions of results. sum: false if the two cannot be added (nor be components of one vector).
 */
taut_dimension taut_dimension_product(taut_dimension a, taut_dimension b, double power);
taut_dimension taut_dimension_power(taut_dimension a, double exponent);
bool taut_dimension_sum(taut_dimension a, taut_dimension b, taut_dimension *sum);

/* A unit as it is written: N, N/m, kg*m^2. */
typedef struct taut_unit {
    long double number, divisor; /* whole numbers: the unit is number / divisor ... */
    int ten, pi;                 /* ... * 10^ten * pi^pi in SI */
    taut_dimension dimension;
} taut_unit;

/* Reads the longest unit at the start of text; returns its bytes, 0: there is none. */
size_t taut_unit_read(const char *text, size_t length, taut_unit *unit);
/* The number (digits, point, exponent) of this unit in SI. Decimal units are exactly rounded: 20 mm
 * is the same double as 0.02. Angles go by x*pi/180, as a formula would. */
double taut_unit_convert(const char *digits, const taut_unit *unit);
/* The SI unit of a quantity, or (TAUT_ANY) of a dimension: "kg"; "" if it has none or it is not
 * known. */
void taut_unit_name(taut_quantity quantity, taut_dimension dimension, char *unit, size_t size);
/* A unit whose name resembles this one, or NULL. */
const char *taut_unit_nearest(const char *name);

#endif
