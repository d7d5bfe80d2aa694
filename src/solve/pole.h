/* Where constraints lose rank on the way: the distance to a singular position of J along a solution
 * (docs/math/singular-positions.md). Mechanical systems only: constraints have c = 2, coordinates
 * d = 2, multipliers d = 0. */
#ifndef TAUT_SOLVE_POLE_H
#define TAUT_SOLVE_POLE_H

#include <float.h>

#include "solve/series.h"

enum { TAUT_POLE_INVERSE = 12 }; /* inverse iterations, at most */
/* A vector has settled if it changes by less: what is left is smaller by (sigma/sigma_2)^2, and is
 * felt by its square. Less than that is stirred. */
#define TAUT_POLE_SETTLED 5e-3
#define TAUT_POLE_STIRRED 4e-4
enum { TAUT_POLE_NEWTON = 8 }; /* Newton's iterations, at most */
#define TAUT_POLE_ASIDE 1e-6   /* of a step: where derivatives along it are taken */
/* So little before it, beside the way to it, there are factors: their pivots are as sigma^2. */
#define TAUT_POLE_BESIDE 1e-5
/* Of the largest terms of a sum: what rounding may leave of it. */
#define TAUT_POLE_ROUNDING (64.0 * DBL_EPSILON)

/* Puts the series at distance s from where it is now: order 0 of everything J needs. */
typedef void taut_place_fn(void *user, double s);

typedef struct taut_pole {
    taut_series *series;      /* borrowed */
    int rows;                 /* constraints; 0: there can be no such position */
    int *row;                 /* [rows] which equations they are */
    bool *is_row, *is_column; /* [n] belongs to G */
    double *w;                /* [n] nearly-null vector of G^T: on the rows */
    double *n;    /* [n] nearly-null vector of G, M^-1 G^T w up to its length: on the columns */
    double sigma; /* |G^T w| */
    double tilt;  /* w^T G n */
    double rate;  /* of that, where taut_pole_find has found a zero */
    double *from; /* [n] positions at the beginning of a step */
    double *odd;  /* [n] a vector on the rows that has no symmetry */
    bool starved; /* memory was short: whatever was found is nothing */
    taut_lu *lu;  /* of J elsewhere: pivots for a singular position are poor ones for steps */
    taut_point *program; /* entries of J without its masses; NULL: that would save nothing */
    int entries;
    int *entry;    /* [entries] which ones */
    double *value; /* [entries] work space */
} taut_pole;

taut_status taut_pole_create(taut_series *series, taut_arena *arena, taut_pole *pole);
void taut_pole_release(taut_pole *pole);
/* Forgets what it has seen: a run begins anew. */
void taut_pole_restart(taut_pole *pole);
/* After taut_series_set_numbers of the series. */
taut_status taut_pole_set_numbers(taut_pole *pole, const double *parameter);
/* sigma at the series' point, with its factors of J; w and n are updated. */
void taut_pole_look(taut_pole *pole);
/* The distance r (same sign as h) at which sigma vanishes, up to 4 h; 0 if there is none. `guess`
 * is where to begin. Changes the series, but not its factors. */
double taut_pole_find(taut_pole *pole, double guess, double h, taut_place_fn *place, void *user);

/* The same from the middle of a search on, for whoever has begun it in lanes. */
typedef struct taut_pole_search {
    double s, h;    /* where it is, for a step h */
    double first;   /* sigma at the beginning of the step */
    int iterations; /* of Newton's method, so far */
} taut_pole_search;
double taut_pole_go_on(taut_pole *pole, taut_pole_search search, taut_place_fn *place, void *user);
/* Is that too far to go on? */
bool taut_pole_is_beyond(const taut_pole_search *search);
/* Newton's iterate from there, with the tilt and its rate there. True: search->s is what
 * taut_pole_find finds. */
bool taut_pole_step(const taut_pole *pole, taut_pole_search *search);

/* The next one beyond r, which taut_pole_find has just found, up to r + reach (or before it, if
 * that has the other sign): a motion that turns soon after a singular position passes it twice. 0
 * if there is none. Changes the series. */
double taut_pole_second(taut_pole *pole, double r, double reach, taut_place_fn *place, void *user);
/* sigma with a sign, to first order, at distance s: w^T G(s) n with w and n of here. Beyond a
 * singular position it is below 0. Changes the series, but not its factors. */
double taut_pole_tilt(taut_pole *pole, double s, taut_place_fn *place, void *user);
/* How far the constraints are from having a point in which they are dependent at distance r, which
 * taut_pole_find has found: what they miss there, beside sigma times the way. Rounding means that
 * branches cross there; more, that they pass each other and the motion turns from one into the
 * other, around a corner of about the root of this part of the way. Changes the series. */
double taut_pole_gap(taut_pole *pole, double r, taut_place_fn *place, void *user);

/* How to get past a singular position at distance r (behind: r < 0), all lengths without sign
 * except r. plain: the step that the coefficients allow; closed: the one that they allow after pole
 * closure; usual: the last plain step far from such a position. */
typedef struct taut_passage {
    double h;
    bool closure; /* evaluate with the pole taken out */
} taut_passage;
taut_passage taut_pole_plan(double r, double plain, double closed, double usual);
/* The same for two of them ahead, 0 < r < second. */
taut_passage taut_pole_plan_two(double r, double second, double plain, double closed, double usual);

#endif
