/* What a program for plain values at a point consists of. Private to expr/point*.c. */
#ifndef TAUT_EXPR_POINT_PARTS_H
#define TAUT_EXPR_POINT_PARTS_H

#include "expr/point.h"

/* What a bundle computes. */
typedef enum taut_bundle_kind {
    TAUT_BUNDLE_SUM,
    TAUT_BUNDLE_PRODUCT,
    TAUT_BUNDLE_OTHER
} taut_bundle_kind;

/* One term of each lane of a sum. */
typedef struct taut_bundle_column {
    double coef[TAUT_LANES] __attribute__((aligned(64)));
    int place[TAUT_LANES];
} taut_bundle_column;

/* Up to TAUT_LANES equal operations; their results lie side by side. */
typedef struct taut_bundle {
    double constant[TAUT_LANES] __attribute__((aligned(64))); /* SUM */
    taut_bundle_kind kind;
    int count;
    int result;                       /* place of the results in value[] */
    int first, columns;               /* TAUT_BUNDLE_SUM: its columns */
    int a[TAUT_LANES], b[TAUT_LANES]; /* the others: places of their arguments */
    uint8_t op[TAUT_LANES];
} taut_bundle;

/* Where a number stands that depends on parameters. */
typedef struct taut_bundle_number {
    enum { TAUT_IN_COLUMN, TAUT_IN_PLACE, TAUT_IN_TARGET } array;
    int origin;
    int index, lane; /* of the column; otherwise the place in the array */
} taut_bundle_number;

struct taut_point {
    int inputs;          /* value[0 .. inputs-1] are read from the jet ... */
    int *input;          /* [inputs] ... at these slots */
    taut_bundle *bundle; /* [bundles] in the order in which they run */
    int bundles;
    taut_bundle_column *column;
    double *value;
    size_t targets;
    int *target;               /* [targets] their places ... */
    double *coef;              /* ... and factors */
    size_t columns, values;    /* how long column[] and value[] are */
    taut_numbers *numbers;     /* how factors follow from parameters; constant once it is made */
    double *number;            /* [taut_numbers_count] by origin */
    taut_bundle_number *place; /* [places] where those are that depend on parameters */
    int places, place_room;
};

#endif
