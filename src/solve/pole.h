/* Where constraints lose rank on the way: the distance to a singular position of J along a solution
 * (docs/math/singular-positions.md). Mechanical systems only: constraints have c = 2, coordinates
 * d = 2, multipliers d = 0. */
#ifndef TAUT_SOLVE_POLE_H
#define TAUT_SOLVE_POLE_H

#include "solve/series.h"

/* Puts the series at distance s from where it is now: order 0 of everything J needs. */
typedef void taut_place_fn(void *user, double s);

typedef struct taut_pole {
    taut_series *series;      /* borrowed */
    int rows;                 /* constraints; 0: there can be no such position */
    bool *is_row, *is_column; /* [n] belongs to G */
    double *w;                /* [n] nearly-null vector of G^T: on the rows */
    double *n;    /* [n] nearly-null vector of G, M^-1 G^T w up to its length: on the columns */
    double sigma; /* |G^T w| */
    taut_lu *lu;  /* of J elsewhere: pivots for a singular position are poor ones for steps */
    taut_point *program; /* entries of J without its masses; NULL: that would save nothing */
    int entries;
    int *entry;    /* [entries] which ones */
    double *value; /* [entries] work space */
} taut_pole;

taut_status taut_pole_create(taut_series *series, taut_arena *arena, taut_pole *pole);
void taut_pole_release(taut_pole *pole);
/* After taut_series_set_numbers of the series. */
taut_status taut_pole_set_numbers(taut_pole *pole, const double *parameter);
/* sigma at the series' point, with its factors of J; w and n are updated. */
void taut_pole_look(taut_pole *pole);
/* The distance r (same sign as h) at which sigma vanishes, up to 4 h; 0 if there is none. `guess`
 * is where to begin. Changes the series, but not its factors. */
double taut_pole_find(taut_pole *pole, double guess, double h, taut_place_fn *place, void *user);

/* How to get past a singular position at distance r (behind: r < 0), all lengths without sign
 * except r. plain: the step that the coefficients allow; closed: the one that they allow after pole
 * closure; usual: the last plain step far from such a position. */
typedef struct taut_passage {
    double h;
    bool closure; /* evaluate with the pole taken out */
} taut_passage;
taut_passage taut_pole_plan(double r, double plain, double closed, double usual);

#endif
