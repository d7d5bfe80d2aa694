/* What the parts of the stepper by Taylor series share: its data, and what one part does for the
 * others. Private to solve/taylor*.c. */
#ifndef TAUT_SOLVE_TAYLOR_PARTS_H
#define TAUT_SOLVE_TAYLOR_PARTS_H

#include "solve/pole.h"
#include "solve/series.h"
#include "solve/stepper.h"
#include "solve/trouble.h"
#include "solve/vigil.h"
#include "solve/weights.h"

enum {
    TAUT_TAYLOR_FIRST = 8,   /* coefficients of a state that make scales */
    TAUT_TAYLOR_LAST = 4,    /* ... and that choose a step */
    TAUT_TAYLOR_CLOSING = 4, /* the degree of what takes poles out */
    TAUT_TAYLOR_MIDDLE = 8,  /* ... and those from the middle on that tell whether it is strained */
    TAUT_TAYLOR_AT_ONCE = 4  /* orders of long lists of coefficients that are looked at together */
};
#define TAUT_TAYLOR_SAFETY 0.8
#define TAUT_TAYLOR_GROWTH 4.0   /* of the step, at most */
#define TAUT_TAYLOR_SETTLED 0.02 /* of a step that is looked for: no more changes */
#define TAUT_TAYLOR_HORIZON 1e3  /* steps after which an error of a rate may show */
#define TAUT_TAYLOR_DEFECT 10.0  /* local error by the defect, in units of the tolerance */
#define TAUT_TAYLOR_FAR_POLE 6.0 /* steps: a singular position beyond is not looked for */
#define TAUT_TAYLOR_ONE_RATE 1.2 /* rates of high coefficients that agree like this are one */
#define TAUT_TAYLOR_BESIDE 0.15  /* a pole, relatively: there it is not taken out */
#define TAUT_TAYLOR_NEAREST 0.2  /* what may be left of sigma after a step */

/* What a landing begins with: whoever repeats it gets the same bits. */
typedef struct taut_footing {
    double h;        /* for the scale */
    double *hi;      /* [states] */
    double *leading; /* [n] */
    int settlings;   /* 0: as it was given; how often it was corrected */
} taut_footing;

typedef struct taut_taylor_stepper {
    taut_stepper base; /* its t: the time of the state; its begin: the centre of poly */
    const taut_system *system;
    const taut_structure *structure;
    taut_series *series;
    taut_arena arena;
    taut_stepping options;
    int last_stage;
    taut_weights weights; /* with these in it: */
    int states;
    const taut_component *state; /* [states] */
    double *hi, *lo;             /* [states] at time base.t */
    double *try_hi, *try_lo;
    int ends;                      /* what a step leads to: the states and behind them, ... */
    taut_component *end, *leading; /* ... [n], the highest derivatives; ... */
    double *tails, *guess;         /* ... what it adds to all of them, and to the latter; ... */
    int *sorted;                   /* ... by order and length of their polynomials */
    int *by_level;    /* [states] which of them have 0, 1, ... derivatives above them in the state,
                         ... */
    int *level_first; /* [levels + 2] ... from here on */
    int *first_state; /* [n+1] of each variable; those of one follow each other */
    double *weight;   /* [states] error allowed in a step */
    int levels;
    double **poly;   /* [n] scaled coefficients 0 .. last_stage + d_j of the last step, and so many
                        zeros as others may have coefficients more, ... */
    double poly_h;   /* ... about base.begin, with this scale */
    double *falling; /* [levels * orders] (k+q)!/q!: from coefficients to those of derivatives */
    int orders;
    double *low;                /* [states * (TAUT_TAYLOR_FIRST + 1)] sizes of the first ... */
    double *high;               /* [states * TAUT_TAYLOR_LAST] ... and of the last coefficients */
    double *middle;             /* [states * TAUT_TAYLOR_MIDDLE] ... and from the middle on */
    long kept;                  /* poly is what the series has been since it was started so often */
    double *rounding, *size;    /* [n], [tape size] of the equations, where that is in question */
    double *unit;               /* [states] work space: what coefficients are measured by */
    double *largest;            /* [orders + TAUT_TAYLOR_MIDDLE] coefficients in these, by order */
    double *ratio;              /* [orders] coefficient over weight, by order: ... */
    int first_ratio, end_ratio; /* ... those from here to here, the others are 0 */
    bool raised;                /* by which scales have been raised */
    double weighed;             /* the weights are for a step of so many scales */
    double tend, h;
    double try_h; /* of the step that is looked at */
    double rcond; /* of J at base.t */
    double best_rcond;
    double caution; /* part of the tolerance that is used */
    bool started;
    bool expanded; /* the series is there beyond stage 0 */
    taut_trouble trouble;
    int worst;        /* the state with the largest correction of the last attempt; -1: none */
    taut_vigil vigil; /* features that the polynomial may not know of */
    taut_pole pole;   /* singular positions on the way: */
    double r;         /* signed distance from base.t to the one that is near; 0: none */
    double r2;        /* likewise to a second one; 0: none */
    bool closing;     /* the last polynomial is evaluated with the poles taken out: ... */
    double closing_q[2], closing_d[TAUT_TAYLOR_CLOSING + 1]; /* ... see solve/taylor_poly.c */
    double usual_step;                                       /* the last step far from any */
    double last_sigma;          /* at the beginning of the step before; < 0: unknown */
    double *w, *n;              /* [n] the vectors of the pole at the beginning of the step */
    double landed;              /* sigma at the end of the step; < 0: unknown */
    double plain;               /* the step that the coefficients allow by themselves */
    double apart;               /* up to this time branches are near each other, but do not cross */
    double gap;                 /* of the branches, when it was looked at last */
    bool blind;                 /* the step ends where nothing can be solved for */
    bool surprised;             /* the last attempt has found one that was not foreseen */
    int strained;               /* so many steps in a row looked as if stability limits them */
    taut_footing put;           /* what the last landing began with */
    bool relaxed;               /* the last step was not strained: there is no need to look */
    bool aloof;                 /* the series at base.t is in a lane of others (solve/squad), ... */
    double distant_residual;    /* ... whose constraints were off by this much */
    const double *older_pivots; /* the matrix of the pivots that its landing began with there; NULL:
                                   those of the series */
    bool planned;               /* the coming step has been chosen while it was there: ... */
    double planned_h;           /* ... this one, with its sign */
    long starts;                /* so far: numbers, pivots and scales are others after each */
    taut_stepper_stats stats;
} taut_taylor_stepper;

/* ---- solve/taylor_poly.c: the polynomial of a step ---- */

/* Highest order that is known of a state. */
static inline int taut_taylor_top(const taut_taylor_stepper *p, const taut_component *x) {
    return p->last_stage + p->structure->offsets.d[x->variable] - x->order;
}

/* Coefficient of order q of the k-th derivative of poly[j], in units of poly_h^-k. */
static inline double taut_taylor_coef(const taut_taylor_stepper *p, int j, int k, int q) {
    return p->falling[k * p->orders + q] * p->poly[j][k + q];
}

/* The first term of x_j^(k), ... */
double taut_taylor_head(const taut_taylor_stepper *p, int j, int k);
/* ... and those beyond it of all that a step leads to, theta scales from the centre, to p->tails;
 */
void taut_taylor_tails(taut_taylor_stepper *p, double theta);
/* or, while the series, whose variables lie side by side, is what the polynomial was taken from,
 * those of a stretch of it. */
bool taut_taylor_is_series(const taut_taylor_stepper *p);
void taut_taylor_tails_of_stretch(taut_taylor_stepper *p, int number, double theta);
/* Are the tails of all ends found by compiled code? */
bool taut_taylor_is_straight(const taut_taylor_stepper *p);
double taut_taylor_value(const taut_taylor_stepper *p, int j, int k, double time);
/* Keeps the series at the present point as the polynomial of the coming step, and measures it. */
void taut_taylor_keep(taut_taylor_stepper *p);

/* ---- solve/taylor_length.c: how long a step may be ---- */

/* Notes the sizes of the coefficients that the choice of a step looks at: of the polynomial, or of
 * its states from first to before end. */
void taut_taylor_measure(taut_taylor_stepper *p);
void taut_taylor_measure_states(taut_taylor_stepper *p, int first, int end);
/* The errors that states may have if the coming step is theta scales long. */
void taut_taylor_weigh(taut_taylor_stepper *p, double theta);
/* *largest = size over weight, if that is larger. Divided is only what may be: rounding keeps the
 * order of numbers, so no ratio above *largest has a size below this product. */
static inline void taut_taylor_raise_ratio(double *largest, double size, double weight) {
    if (size >= *largest * weight && size > 0.0) {
        const double ratio = size / weight;
        if (ratio > *largest) *largest = ratio;
    }
}

/* The longest theta for which no coefficient is above its weight, by p->ratio. */
double taut_taylor_theta(const taut_taylor_stepper *p);
/* The step that the tolerance allows, > 0, ... */
double taut_taylor_allowed_step(taut_taylor_stepper *p);
/* ... the same as a part of what is left, with its sign, ... */
double taut_taylor_fit_step(const taut_taylor_stepper *p, double h);
/* ... and the step to try, singular positions and the longest step considered; the second one where
 * it is known what is allowed, and the weights are those of that step. */
double taut_taylor_choose_step(taut_taylor_stepper *p);
double taut_taylor_choose_within(taut_taylor_stepper *p, double allowed);
/* How many of the last coefficients are looked at. */
int taut_taylor_looked_at(const taut_taylor_stepper *p);
/* Does stability limit the steps, rather than accuracy? */
bool taut_taylor_looks_strained(const taut_taylor_stepper *p);

/* ---- solve/taylor_passage.c: singular positions ---- */

static inline double taut_taylor_direction(const taut_taylor_stepper *p) {
    return p->tend < p->base.t ? -1.0 : 1.0;
}

/* Is there nothing to look for, because branches have been found not to cross? */
static inline bool taut_taylor_is_apart(const taut_taylor_stepper *p) {
    return (p->apart - p->base.t) * taut_taylor_direction(p) > 0.0;
}

/* Looks for a singular position near the step that begins now; sets p->r and p->r2. */
void taut_taylor_watch_pole(taut_taylor_stepper *p, double h);
/* The same in parts, for whoever finds the positions of several steppers side by side: */
typedef struct taut_taylor_search {
    bool due; /* there is something to look for: */
    taut_pole_search from;
    double reach;  /* of the step, without sign */
    double behind; /* < 0: where the last one was */
    double tilt;   /* at the beginning of the step */
} taut_taylor_search;
void taut_taylor_begin_search(taut_taylor_stepper *p, double h, taut_taylor_search *search);
/* What taut_pole_go_on finds, ... */
double taut_taylor_search_alone(taut_taylor_stepper *p, const taut_taylor_search *search);
/* ... which is the end of it, whether it was due or not. */
void taut_taylor_end_search(taut_taylor_stepper *p, const taut_taylor_search *search, double r);
/* The step past the one at p->r, or towards it, > 0. */
double taut_taylor_plan_passage(taut_taylor_stepper *p);
/* The same in parts: whether the position limits the step, which otherwise is h; ... */
bool taut_taylor_begin_passage(taut_taylor_stepper *p, double *h);
/* ... the step that the coefficients of D(s) X(s) allow, at a fifth of the tolerance; ... */
#define TAUT_TAYLOR_CLOSED 0.2
double taut_taylor_closed_step(taut_taylor_stepper *p);
/* ... the last orders that are looked at for it, from the highest one on; ... */
static inline int taut_taylor_closed_orders(int top) {
    const int there = top - TAUT_TAYLOR_CLOSING + 1;
    return there < TAUT_TAYLOR_LAST ? there : TAUT_TAYLOR_LAST;
}
/* ... the step h then; true: whether branches cross has to be looked at, ... */
bool taut_taylor_choose_passage(taut_taylor_stepper *p, double closed, double *h);
/* ... which is what taut_pole_gap finds, ... */
double taut_taylor_find_gap(taut_taylor_stepper *p);
/* ... and the step h then. */
double taut_taylor_end_passage(taut_taylor_stepper *p, double h, double gap);
/* Has a step h that knew of none landed close to one, or beyond? Then p->r says where it is. */
bool taut_taylor_is_surprised(taut_taylor_stepper *p, double landed, double h);
/* Does a step h lead past two singular positions at once? */
bool taut_taylor_passes_two(const taut_taylor_stepper *p, double h);
/* How far the end of a step h is from the singular position, in units of the allowed errors. */
double taut_taylor_way_from_pole(const taut_taylor_stepper *p, double h);

/* ---- solve/taylor_landing.c: the end of a step ---- */

/* Projects the tried state, redoes stage 0 and checks both: p->trouble says what came of it. first:
 * the state as it was given. */
taut_status taut_taylor_land(taut_taylor_stepper *p, double t, double h, bool first);
/* Near a singular position (p->r is not 0): is a step h good, by its projection, the shift of
 * positions, and sigma where it has landed? */
bool taut_taylor_is_good_near(const taut_taylor_stepper *p, double projection, double shift,
                              double landed, double h);
/* Puts what a landing begins with into the series. */
void taut_taylor_put(const taut_taylor_stepper *p, double t, taut_series *to);

/* ---- solve/taylor_extend.c: the series at a point ---- */

/* The series at the point where we landed; shrinks the scale if high orders overflow. False: they
 * do whatever the scale. */
bool taut_taylor_extend(taut_taylor_stepper *p);
/* The same at the start, where nothing is known of the scale; keeps it as the polynomial. */
bool taut_taylor_extend_start(taut_taylor_stepper *p);

/* ---- solve/taylor_memory.c: what a state remembers of the stepper ---- */

void taut_taylor_remember(const taut_stepper *stepper, taut_memory *memory);
/* Is all of it there? */
bool taut_taylor_remembers(const taut_taylor_stepper *p, const taut_state *from);
/* Lands at the remembered point in the same way as it was done there, with the scales of that time;
 * then the rest. */
taut_status taut_taylor_land_again(taut_taylor_stepper *p, const taut_state *from);
void taut_taylor_recall(taut_taylor_stepper *p, const taut_state *from);

/* ---- solve/taylor.c ---- */

/* Takes over the tried state at time t, where J has this condition. */
void taut_taylor_accept(taut_taylor_stepper *p, double t, double rcond);
/* After a step p->h from time `before`: where singular positions are now, and whether it has passed
 * one. */
void taut_taylor_move_on(taut_taylor_stepper *p, double before);
/* The series at base.t is in the stepper's own hands again. */
taut_status taut_taylor_come_home(taut_taylor_stepper *p);

/* ---- solve/taylor_trouble.c ---- */

/* Says why there is no step; h: the last one that was tried. */
taut_status taut_taylor_explain(taut_taylor_stepper *p, double h, taut_errors *errors);

#endif
