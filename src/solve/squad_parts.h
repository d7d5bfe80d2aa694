/* What the parts of a squad share. Private to solve/squad*.c. */
#ifndef TAUT_SOLVE_SQUAD_PARTS_H
#define TAUT_SOLVE_SQUAD_PARTS_H

#include "solve/sheaf.h"
#include "solve/squad.h"
#include "solve/taylor_parts.h"

/* Outputs of series of others, at the ends of steps. */
typedef struct taut_squad_view {
    const taut_series_plan *plan;
    const taut_tape *tape; /* with the outputs, ... */
    const int *input;      /* [n] ... and slots of the variables there; -1: no output contains it */
    taut_jets *jets;       /* NULL: nobody wants to know */
    int last;              /* the stage that the outputs need */
    int outputs, *slot;
    taut_abreast *value;                      /* [outputs] */
    const taut_series *watcher[TAUT_ABREAST]; /* whose numbers a lane is to have; NULL: none */
    bool known[TAUT_ABREAST];                 /* it has them */
    taut_crowd seen;                          /* lanes whose last step was looked at */
} taut_squad_view;

/* Lanes whose members take poles out of the polynomial, as in solve/taylor_poly.c: no power of
 * theta is lower than last_stage. */
enum { TAUT_SQUAD_POWERS = 3 };
typedef struct taut_squad_closing {
    taut_crowd who;
    taut_abreast_bits mask;
    taut_abreast d[TAUT_TAYLOR_CLOSING + 1], q[2];
    taut_abreast power[TAUT_SQUAD_POWERS]; /* theta^(last_stage + i) */
} taut_squad_closing;

/* What the search for singular positions works with, as in a pole. */
typedef struct taut_squad_search {
    taut_points *points;           /* J without its masses; NULL: all of it */
    taut_matrices *matrices;       /* NULL: there is nothing to look for */
    taut_abreast *J, *value;       /* [entries] */
    taut_abreast *from;            /* [n] positions */
    taut_abreast *kept_w, *kept_n; /* [n] of lanes that do not look */
} taut_squad_search;

struct taut_squad {
    taut_arena arena;
    const taut_taylor_stepper *like; /* what all have in common */
    taut_sheaf *sheaf;
    taut_taylor_stepper *member[TAUT_ABREAST]; /* whose numbers are in a lane; NULL: nobody's */
    long starts[TAUT_ABREAST];                 /* of the member, when they were taken */
    taut_crowd here;                           /* lanes that are where their members are */
    int stay[TAUT_ABREAST];     /* so many steps were taken in the lane without a break, */
    int wait[TAUT_ABREAST];     /* the next so many are not, */
    int patience[TAUT_ABREAST]; /* and so many were not the last time */
    long together, alone;
    /* as in a stepper, a vector for each number: */
    taut_abreast *hi, *lo, *try_hi, *try_lo, *tails; /* [states] */
    taut_abreast *guess, *leading;                   /* [n] leading: as in a footing */
    taut_abreast *put;                               /* [states] likewise: hi */
    taut_abreast *poly;                              /* all of them, ... */
    int *poly_at;                                    /* [n] ... the first of each variable */
    taut_abreast *low, *high, *ratio;
    taut_abreast *scale, *coming, *weight;           /* of the weights, ... */
    taut_abreast_bits raised, clear;                 /* ... likewise */
    taut_abreast *w, *n, *first_w, *first_n, *image; /* [n] of the pole; image: work space */
    taut_abreast sigma, tilt;                        /* of the pole, at the end of the step */
    taut_abreast projection, defect, shift;
    taut_abreast poly_h, theta, length; /* length: of the step, with its sign */
    taut_abreast residual;
    bool corrected;
    taut_crowd planned;  /* lanes whose members have chosen the step themselves */
    taut_crowd strained; /* it may be stability that limits the steps */
    double t[TAUT_ABREAST], h[TAUT_ABREAST]; /* the end of the step that is tried, its length */
    double usual[TAUT_ABREAST], plain[TAUT_ABREAST];
    taut_squad_closing closing;
    taut_squad_search search;
    taut_squad_view view;
};

static inline int taut_squad_members(taut_crowd who) {
    int sum = 0;
    for (int l = 0; l < TAUT_ABREAST; l++) sum += taut_in_crowd(who, l);
    return sum;
}

static inline taut_crowd taut_squad_lanes_of(const taut_abreast_bits *mask) {
    taut_crowd who;
    taut_find_crowd(mask, &who);
    return who;
}

/* The highest order that is known of state i, and order q of the state, in units of poly_h^-k. */
static inline int taut_squad_top(const taut_squad *q, int i) {
    return taut_taylor_top(q->like, &q->like->state[i]);
}

/* solve/squad.c: count numbers of each lane, to to[lane]; NULL: not wanted. */
void taut_squad_hand_over_numbers(const taut_abreast *from, int count, double *const *to);
/* The polynomials of the steps, which are then the members' as well. */
void taut_squad_hand_over_polys(const taut_squad *q, taut_crowd who);
/* solve/squad_length.c: how long the step of each lane is to be, in t and h. Lanes of *who that
 * have to look for singular positions, or have no step, leave it. */
void taut_squad_choose(taut_squad *q, taut_crowd *who);
/* solve/squad_poly.c: lanes of `who` take poles out if their members do, others do not; theta from
 * now on, in units of poly_h; the tails of all states there; and the series up to stage `last`. */
void taut_squad_close(taut_squad *q, taut_crowd who);
void taut_squad_move(taut_squad *q, const double *theta);
void taut_squad_find_tails(taut_squad *q);
void taut_squad_place(taut_squad *q, int last);
/* As taut_taylor_closed_step. */
void taut_squad_find_closed_steps(taut_squad *q, taut_crowd who, double *h);
/* solve/squad_pole.c: w and n of a member; as taut_pole_look, with the factors of J at hand: w, n,
 * sigma and tilt. */
taut_status taut_squad_create_search(taut_squad *q);
void taut_squad_take_vectors(taut_squad *q, int lane);
void taut_squad_look(taut_squad *q, taut_matrices *m, const double *J, taut_crowd who);
/* As taut_pole_go_on, whose results are in search[lane].from.s of the lanes that are returned; the
 * others have to go on alone. */
taut_crowd taut_squad_find_poles(taut_squad *q, taut_crowd who, taut_taylor_search *search);
/* As taut_taylor_find_gap, likewise. */
taut_crowd taut_squad_find_gaps(taut_squad *q, taut_crowd who, double *gap);
/* solve/squad_landing.c: the ends of these steps. Lanes that cannot be said to be good leave. */
void taut_squad_land(taut_squad *q, taut_crowd *who);
/* solve/squad_watch.c: what others want to know there; after taut_squad_land. */
void taut_squad_look_on(taut_squad *q, taut_crowd who);

#endif
