/* What the solution of touching elements consists of. Private to solve/touch*.c. */
#ifndef TAUT_SOLVE_TOUCH_PARTS_H
#define TAUT_SOLVE_TOUCH_PARTS_H

#include "solve/touch.h"

enum { ROWS = TAUT_TOUCH_ROWS, MOST = TAUT_TOUCH_ENUMERATED, WIDTH = ROWS * MOST };

/* The linear system of one combination of modes: forces = fixed + map unknowns. */
typedef struct taut_combination {
    const taut_touch *touch;
    int count;
    const double *W;
    int mode[MOST];
    double direction[MOST][TAUT_TOUCH_WAYS]; /* of slip in space */
    double given[MOST][TAUT_TOUCH_WAYS];     /* tangential forces in held directions */
    double share[MOST][TAUT_TOUCH_WAYS];     /* the same as parts of N */
    int unknowns;
    int row[WIDTH];           /* [unknowns] the rate that is to vanish, ... */
    bool loaded[WIDTH];       /* ... or the law of friction by a load, of this force */
    bool any;                 /* there are such laws: */
    double guess[WIDTH];      /* [ROWS count] forces at which they are linear */
    double map[WIDTH][WIDTH]; /* [ROWS count][unknowns] */
    double fixed[WIDTH];
    double a[WIDTH][WIDTH], x[WIDTH];
} taut_combination;

static inline double taut_touch_w(const taut_combination *c, int i, int j) {
    return c->W[i * ROWS * c->count + j];
}

/* ---- pivoting (touch_pivot.c) ---- */

/* One solution of any number of elements in the plane, by Lemke's method; into the list. */
taut_status taut_touch_pivot(const taut_touch *touch, int count, const double *W,
                             taut_touch_answers *list);

/* Has the motion of an answer in the plane another solution if an element without a force, because
 * others hold it, had one (touch_adrift.c)? */
bool taut_touch_is_adrift(const taut_touch *touch, int count, const double *W,
                          const taut_touch_answer *answer, int idle);

/* ---- linear systems (touch_linear.c) ---- */

void taut_touch_set_up(taut_combination *c);
/* Solves it; false: it is singular. */
bool taut_touch_eliminate(taut_combination *c);
/* Sets it up and solves it: friction by loads by Newton's method, which finds the solution nearest
 * to the guess, since a load is a convex function of the forces. False: it is singular, or there is
 * no solution. */
bool taut_touch_balance(taut_combination *c);
/* A guess for them with forces that are far larger than the loads that there are. */
void taut_touch_begin_far(taut_combination *c);
/* Forces and rates of a system that is solved. */
void taut_touch_find(const taut_combination *c, taut_touch_answer *x);
/* The size of what rate i consists of. */
double taut_touch_rate_size(const taut_combination *c, const taut_touch_answer *x, int i);
/* Forces in held directions so that friction is used alike wherever it sticks; what else they do is
 * nothing, because the others hold these directions. */
void taut_touch_find_shares(taut_combination *c, taut_touch_answer *x);

/* ---- directions of slip in space (touch_slip.c) ---- */

/* Some direction for each that is not known, so that the system can be set up. */
void taut_touch_aim(taut_combination *c);

typedef struct taut_touch_search {
    int who[MOST], count; /* elements whose directions are not known, ... */
    bool bound[MOST];     /* ... but that can move along one line alone */
    double line[MOST][TAUT_TOUCH_WAYS];
    int start;
} taut_touch_search;

void taut_touch_search_begin(taut_touch_search *s, const taut_combination *c);
/* The next solution of the combination, its directions and forces; false: there are no more. */
bool taut_touch_search_next(taut_touch_search *s, taut_combination *c, taut_touch_answer *x);

#endif
