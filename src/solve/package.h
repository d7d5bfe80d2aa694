/* A stepper that leaves the steps to a package of integrators: what it keeps, and what it wants of
 * the package. Private to solve/package.c and solve/sundials.c, which alone knows the package. */
#ifndef TAUT_SOLVE_PACKAGE_H
#define TAUT_SOLVE_PACKAGE_H

#include "solve/index2.h"
#include "solve/ode.h"
#include "solve/stepper.h"
#include "solve/vigil.h"

typedef struct taut_package taut_package;
typedef struct taut_vendor taut_vendor;

/* How a package is called. Ints are its return values: 0 is success, below 0 a failure. */
typedef struct taut_engine {
    taut_status (*open)(taut_package *s); /* at base.t with y */
    int (*set_end)(void *memory, double tend);
    int (*set_longest)(void *memory, double h); /* no step is longer */
    int (*ahead)(void *memory, double *h);      /* the step that it will try next */
    int (*advance)(taut_package *s, double *t); /* one step of its own, at most to tend */
    int (*derivative)(taut_package *s, double t, int k, double *out); /* of y, k-th, to [n] */
    int (*restart)(taut_package *s); /* y has been rewritten in other coordinates; NULL: never */
    void (*count)(const taut_package *s, taut_stepper_stats *stats);
    void (*close)(taut_package *s); /* also if it is not open, or half */
    bool (*has_order)(int order);   /* NULL: all up to most_order */
    int most_order;
} taut_engine;

/* In solve/sundials.c. */
extern const taut_engine taut_engine_bdf, taut_engine_adams, taut_engine_erk, taut_engine_rk4,
    taut_engine_ida;
/* What it needs beside the stepper; it is freed with the stepper's arena. */
taut_status taut_vendor_create(taut_arena *arena, taut_vendor **vendor);

struct taut_package {
    taut_stepper base;
    const taut_engine *engine;
    taut_arena arena;
    taut_flow *flow;
    taut_ode *ode;     /* IDA: the same, as what it is; otherwise NULL */
    taut_index2 *form; /* IDA */
    taut_stepping options;
    taut_vigil vigil; /* features ahead */
    double tend;
    double end;         /* of the coming step, at the latest */
    double usual;       /* the step that the package would take if it were free to; 0: not known */
    double missed;      /* ARKODE: the error of the last step; see taut_package_length */
    double latest;      /* ... of the last attempt */
    bool resumed;       /* it is of a step before the start */
    int n;              /* entries of y: the states; IDA: and what else it solves for */
    double *y, *before; /* [n] at base.t and at base.begin */
    double *rate, *inside;   /* [n] work space; values at inside_t */
    double inside_t;         /* NaN: nowhere */
    double *inside_rate;     /* [n] their derivatives */
    double *inside_x;        /* [flow->values] what they mean */
    double *allowed;         /* [n] errors of the states */
    double *slope;           /* [n] IDA: the derivatives of y */
    double *lately;          /* [n] others: those that were found last */
    void *memory;            /* the package's; NULL: it is not open */
    taut_vendor *vendor;     /* what is known in solve/sundials.c alone */
    taut_stepper_stats past; /* what the package has forgotten in restarts */
    double *pull, *nearest;  /* [n] see taut_package_drawn_rates */
    double absurd;           /* see sturdy_rates */
    taut_status failed;      /* inside a call from the package */
    char said[200];          /* the package's last message */
};

/* For the package's calls, with y and results of size n: */

/* The reciprocals of the errors that are allowed. */
void taut_package_weights(taut_package *s, const double *y, double *w);
/* Rates at the nearest point of the constraints, towards which the state is drawn as well; h: the
 * last step. For formulas that remember and cannot be corrected. */
taut_status taut_package_drawn_rates(taut_package *s, double t, const double *y, double h,
                                     double *rate);
/* Puts y on the constraints. */
taut_status taut_package_project(taut_package *s, double t, double *y);
/* The step after one of length h by formulas of order p, with the errors of this one and of the one
 * before. */
double taut_package_length(taut_package *s, double h, double error, double before, int p);
/* IDA: Y and Y' from the state and its rates, consistent as they are. */
void taut_package_complete(taut_package *s);

#endif
