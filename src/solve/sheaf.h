/* The staged Taylor solutions of TAUT_ABREAST runs of one plan side by side (solve/series.h): what
 * a lane finds is what its series would find, to the last bit. Where that goes another way (new
 * pivots, a value that is not finite, Newton's method) the lane is given up, and whoever owns the
 * series has to ask it.
 *
 * Vectors have TAUT_ABREAST numbers for each of theirs, and are aligned like these. */
#ifndef TAUT_SOLVE_SHEAF_H
#define TAUT_SOLVE_SHEAF_H

#include "core/matrices.h"
#include "expr/points.h"
#include "solve/series.h"

typedef struct taut_sheaf {
    const taut_series_plan *plan; /* must outlive it */
    taut_arena arena;
    taut_jets *jets;
    taut_points *points;
    taut_matrices *matrices;
    double *J, *y, *residual;                           /* [entries], [n], [n] */
    double *factor;                                     /* as in a series */
    double factor_h[TAUT_ABREAST], rcond[TAUT_ABREAST]; /* factor_h: 0 for none yet */
    double refined_below;                               /* as in a series */
    const taut_series *series[TAUT_ABREAST]; /* whose pivots a lane has; NULL: it has none */
    long choices[TAUT_ABREAST];              /* how often that has chosen */
    double *pivoted;                         /* [TAUT_ABREAST * entries] the matrices of these */
    taut_crowd good; /* lanes that have not been given up since taut_sheaf_start */
} taut_sheaf;

/* Can series of this plan be computed side by side? */
bool taut_sheaf_fits(const taut_series_plan *plan);
taut_status taut_sheaf_create(const taut_series_plan *plan, taut_sheaf **sheaf);
void taut_sheaf_free(taut_sheaf **sheaf);
/* A lane gets the numbers of a series of this plan, which depend on parameters. */
void taut_sheaf_take_numbers(taut_sheaf *sheaf, int lane, const taut_series *from);
/* A lane has the pivots of a series, whose matrix factors it where it needs others; NULL: it is not
 * in use. False: there are none. */
bool taut_sheaf_take_pivots(taut_sheaf *sheaf, int lane, const taut_series *from);
/* The matrix of the pivots with which the last settling began, if there are others now; NULL. It
 * lives until the next one. And: these pivots again. */
const double *taut_sheaf_older_pivots(const taut_sheaf *sheaf, int lane);
void taut_sheaf_take_back_pivots(taut_sheaf *sheaf, int lane);

/* Moves to times t with scales near |h|: as taut_series_start. */
void taut_sheaf_start(taut_sheaf *sheaf, const double *t, const double *h, taut_crowd who);
/* The k-th derivative of a slot, in all lanes; as taut_series_set, in all lanes. */
void taut_sheaf_put(taut_jets *jets, int slot, int k, const double *value);
void taut_sheaf_set(taut_sheaf *sheaf, int j, int k, const double *value);
/* As taut_series_settle with `project`, of quasi-linear equations. */
typedef void taut_sheaf_told(void *user, int stage);
void taut_sheaf_settle(taut_sheaf *sheaf, taut_sheaf_told *told, void *user);
/* All stages from 1 on. */
void taut_sheaf_extend(taut_sheaf *sheaf);

#endif
