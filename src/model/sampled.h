/* A table of the file as polynomials from knot to knot, of one argument or of two. */
#ifndef TAUT_MODEL_SAMPLED_H
#define TAUT_MODEL_SAMPLED_H

#include "core/pieces.h"

typedef enum taut_outside {
    TAUT_OUTSIDE_ERROR,
    TAUT_OUTSIDE_HOLD,
    TAUT_OUTSIDE_EXTEND, /* straight on, with the slope of the end */
    TAUT_OUTSIDE_PERIODIC
} taut_outside;

enum { TAUT_TABLE_AXES = 2, TAUT_PIECE_HEAD = 3 };

typedef struct taut_sampled {
    const char *name;
    taut_place place;
    int axes;   /* 1, or 2: a map */
    int degree; /* of the pieces, by each argument */
    taut_outside outside;
    taut_between between;
    int count[TAUT_TABLE_AXES];     /* pieces along each argument; 1 along one that is not there */
    double *knot[TAUT_TABLE_AXES];  /* [count + 1] */
    double *about[TAUT_TABLE_AXES]; /* [count] */
    double *coef; /* [count[0] * count[1] * (degree + 1)^axes] of powers of the first argument less
                     its `about`, and for each of those of the second one */
} taut_sampled;

/* A piece in numbers: for each argument where it begins, where it ends and about what it is
 * expanded; then its coefficients. */
int taut_sampled_coefs(const taut_sampled *table);
static inline int taut_sampled_numbers(const taut_sampled *t) {
    return TAUT_PIECE_HEAD * t->axes + taut_sampled_coefs(t);
}

/* Which piece along an argument has x; on a knot the one above, with way < 0 the one below. Numbers
 * outside 0 .. count - 1 are outside, or in other periods. */
long taut_sampled_locate(const taut_sampled *table, int axis, double x, int way);
/* Is that outside of a table that ends? */
bool taut_sampled_is_outside(const taut_sampled *table, int axis, long index);
/* Where piece `index` along an argument begins and ends. */
void taut_sampled_ends(const taut_sampled *table, int axis, long index, double end[2]);
/* number[taut_sampled_numbers] of the piece index[axes]. */
void taut_sampled_piece(const taut_sampled *table, const long *index, double *number);
/* A single flat or straight piece over the whole of it, for a search that knows no better. */
void taut_sampled_rough(const taut_sampled *table, double *number);
/* The value of such a piece. */
double taut_sampled_value(const taut_sampled *table, const double *number, const double *x);

#endif
