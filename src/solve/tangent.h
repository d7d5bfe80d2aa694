/* The tangent spaces of a system: at level k its equations restrict the values x_j^(d_j - k), and
 * what they leave free is described by few coordinates q = origin + T^T x, with orthonormal columns
 * of T (docs/math/minimal.md). For a mechanism level 2 are the positions, level 1 the velocities.
 */
#ifndef TAUT_SOLVE_TANGENT_H
#define TAUT_SOLVE_TANGENT_H

#include "core/dense.h"
#include "solve/series.h"

typedef struct taut_tangent {
    int level;
    int rows;          /* equations with c_i >= level ... */
    int *row;          /* [n] ... their numbers among themselves; -1: not one of them */
    int bound;         /* variables that they contain at this level: */
    int *column;       /* [bound] */
    int loose;         /* the others with d_j >= level: each is a coordinate as it is */
    int *loose_column; /* [loose] */
    int size;          /* coordinates of the bound ones: bound - rows */
    double *T;         /* [bound * size] by rows */
    double *N;         /* [bound * size] dx/dq where it was last found: T^T N = 1 */
    double *path;      /* [size] how far the coordinates had come when T was chosen */
    double *origin;    /* [size] */
    double *matrix, *gram, *image, *work; /* work space */
    int *pivot;
    bool shared; /* T and N are those of the level above, which has the same equations */
} taut_tangent;

/* above: the tangent space of the next higher level; NULL: there is none. */
taut_status taut_tangent_create(const taut_structure *structure, const taut_series *series,
                                int level, const taut_tangent *above, taut_arena *arena,
                                taut_tangent *plane);

/* An orthonormal basis at the series' point (J there), without regard to T. */
taut_status taut_tangent_basis(const taut_tangent *plane, const taut_series *series,
                               taut_null_method method, double *basis);
/* N at the series' point, with the factors of J. TAUT_SINGULAR: T is perpendicular to it. */
taut_status taut_tangent_find(taut_tangent *plane, const taut_series *series);
/* The orthonormal basis of the tangent space of N that is nearest to T: T carried along. */
void taut_tangent_carry(const taut_tangent *plane, double *basis);
/* The coordinates q [size] with respect to T as seen by another basis, `from` being T carried
 * there: basis^T from q. */
void taut_tangent_turn(const taut_tangent *plane, const double *from, const double *basis,
                       double *q);
/* T := basis. */
void taut_tangent_adopt(taut_tangent *plane, const double *basis);
/* The largest |column of N|: 1 where N = T, 1/cos of the angle between them otherwise. */
double taut_tangent_stretch(const taut_tangent *plane);

#endif
