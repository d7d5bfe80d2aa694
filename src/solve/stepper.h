/* What every integrator offers, and the table of them: whoever simulates sees a stepper and need
 * not know its method. */
#ifndef TAUT_SOLVE_STEPPER_H
#define TAUT_SOLVE_STEPPER_H

#include "solve/state.h"

typedef struct taut_flow taut_flow;             /* solve/flow.h */
typedef struct taut_flow_maker taut_flow_maker; /* likewise */

typedef struct taut_stepper taut_stepper;

typedef struct taut_stepping {
    double rtol, atol;    /* relative to a value, and to the scale of its group */
    int order;            /* of the method; 0: from the tolerance */
    double step;          /* fixed step; 0: from the tolerance */
    double max_step;      /* no step is longer; 0: see solve/vigil.h */
    double span;          /* of the whole run; 0: it has no end */
    const double *energy; /* how much there was in the motion so far, beside which what passive
                             states count is small; NULL, or still 0: that is not known */
    bool per_unit;        /* errors count per unit step: those of all steps together are allowed */
    double projection;    /* when corrections of a projection end, see solve/projecting.h */
    bool reduced;      /* redundant constraints were left out: the choice may become a poor one */
    taut_watch *watch; /* NULL: nobody wants to know */
    const taut_stepper *like;     /* of the same method and system, with the same options: it shares
                                     what is constant, and must outlive the new one; NULL: nobody */
    const taut_series_plan *view; /* of a plan for the same system, which the method may use as
                                     well, if it suits; NULL: there is none */
    bool alone;                   /* no other method helps it past singular positions */
    const taut_system *exact; /* the same with constraints that hold, where they only decay; NULL:
                                 they do hold */
    const taut_structure *exact_structure;
    const taut_flow_maker
        *maker; /* the states of ordinary integrators; NULL: every x_j^(k), k < d_j
                 */
} taut_stepping;

typedef struct taut_stepper_stats {
    long steps, rejected;
    long evaluations;    /* of the equations: expansions, rates or residuals, whatever it needs */
    long factorisations; /* of matrices */
    long corrections;    /* of Newton's method, where there is one */
    int order;
    int operations;          /* on the tape */
    const char *miscompiled; /* the compiler whose code was found wrong; NULL: none */
} taut_stepper_stats;

/* Taylor coefficients of all variables at a point, borrowed from a stepper until its next step. */
typedef struct taut_expansion {
    double *const *c; /* [n] x_j^(k) h^k/k! in c[j][k], k <= stages + d_j; NULL: there are none */
    int stages;       /* beyond stage 0 */
    double t, h;      /* the point, and the scale */
} taut_expansion;

/* A method. Each has a structure of its own that begins with a taut_stepper. */
typedef struct taut_method {
    const char *name;
    const char *words; /* for people: "Taylor series" */
    bool stiff; /* it wants forces as unknowns, and its own interpolation is the best there is for
                   all derivatives */
    bool ordinary; /* it integrates a flow, for which taut_stepping may have a maker */
    /* the last stage of the series that it works with; NULL: it has none that others could share */
    int (*last_stage)(const taut_stepping *);
    taut_status (*create)(const taut_system *, const taut_structure *, const taut_stepping *,
                          taut_stepper **);
    void (*free)(taut_stepper *);
    /* at base.t, from a point; goes on as it would have gone on there, if the state remembers it */
    taut_status (*start)(taut_stepper *, const taut_state *from, double tend, taut_errors *);
    taut_status (*step)(taut_stepper *, taut_errors *);
    double (*value)(const taut_stepper *, int j, int k, double time);
    double (*state)(const taut_stepper *, int j, int k);
    /* puts values x_j^(k), k <= d_j, at the end of the last step, as the step has predicted them,
     * into a series of the same structure; false, or NULL: it has none, or the series is another */
    bool (*prediction)(const taut_stepper *, taut_series *to);
    double (*residual)(const taut_stepper *);
    double (*rcond)(const taut_stepper *);
    taut_stepper_stats (*statistics)(const taut_stepper *);
    taut_status (*set_end)(taut_stepper *, double tend);
    /* puts into the memory what a later start needs to go on as if nothing had been; NULL, or
     * nothing put: it begins anew */
    void (*remember)(const taut_stepper *, taut_memory *);
    /* scaled Taylor coefficients x_j^(k) h^k/k!, k <= stages + d_j, of every variable at one end of
     * the last step into c[j]; NULL: it has none */
    taut_expansion (*expansion)(const taut_stepper *, bool end);
    bool (*strained)(taut_stepper *);   /* NULL: it cannot tell */
    double (*ahead)(taut_stepper *);    /* NULL: likewise */
    taut_flow *(*flow)(taut_stepper *); /* NULL: it needs none */
    /* NULL: it has to be made anew for other numbers */
    taut_status (*set_numbers)(taut_stepper *, const double *parameter);
    /* from now on by compiled code, see taut_stepper_compile; NULL: there is none */
    taut_status (*compile)(taut_stepper *, taut_series *, taut_errors *);
    /* before a start: leaves nothing of earlier runs that could be told from the next one, and
     * counts from 0 */
    void (*forget)(taut_stepper *);
} taut_method;

struct taut_stepper {
    const taut_method *method;
    const taut_structure *structure;
    double t;        /* reached so far */
    double begin;    /* where the last step began */
    double singular; /* a singular position that the last step has passed; NaN: none */
};

/* The method of this name; NULL: there is none. */
const taut_method *taut_method_find(const char *name);

taut_status taut_stepper_create(const taut_method *method, const taut_system *system,
                                const taut_structure *structure, const taut_stepping *stepping,
                                taut_stepper **stepper);
void taut_stepper_free(taut_stepper **stepper);
/* Starts from a consistent point (same system), towards tend. If the state was given by a stepper
 * of the same method, and that remembers, then what follows is what would have followed there. */
taut_status taut_stepper_start(taut_stepper *stepper, const taut_state *from, double tend,
                               taut_errors *errors);
/* The values at the reached point into a state of the same system; nothing is allocated. */
void taut_stepper_point(const taut_stepper *stepper, taut_state *state);
/* The same with what the stepper remembers. */
taut_status taut_stepper_get(const taut_stepper *stepper, taut_state *state);
/* Moves the end, between steps and in the same direction: no step goes beyond it. */
taut_status taut_stepper_set_end(taut_stepper *stepper, double tend);
/* The expansion at the beginning or at the end of the last step; c NULL: there is none. */
taut_expansion taut_stepper_expansion(const taut_stepper *stepper, bool end);
/* From the next start on with these values of the parameters, see taut_series_set_numbers.
 * TAUT_CONTRADICTED: another stepper is needed for these, and this one is of no use until it gets
 * others. */
taut_status taut_stepper_set_numbers(taut_stepper *stepper, const double *parameter);
/* After a start: steps by C that is written for these equations and for the pivots that their
 * matrix has there, compiled and loaded. Nothing to do if that has been done, or for a method that
 * has none. seen: as in taut_series_compile. TAUT_ERR_CALL, TAUT_ERR_IO with the reason. */
taut_status taut_stepper_compile(taut_stepper *stepper, taut_series *seen, taut_errors *errors);
/* Before a start: the run that follows is that of a new stepper, to the last bit. */
void taut_stepper_forget(taut_stepper *stepper);
/* One step, at most to tend. TAUT_STEP_COLLAPSED or TAUT_SINGULAR with the reason in errors: the
 * solution up to the time reached is good. */
taut_status taut_stepper_step(taut_stepper *stepper, taut_errors *errors);
/* x_j^(k) at a time inside the last step, by the method's own interpolation: k <= d_j, or any k if
 * the method is a stiff one. */
double taut_stepper_value(const taut_stepper *stepper, int j, int k, double time);
/* x_j^(k) at the reached point itself, k < d_j. */
double taut_stepper_state(const taut_stepper *stepper, int j, int k);
/* The values at the end of the last step into a series, but for rounding; false: by
 * taut_stepper_value only. */
bool taut_stepper_prediction(const taut_stepper *stepper, taut_series *to);
/* Largest |f_i| at the reached point over the equations that restrict the state (constraints). */
double taut_stepper_residual(const taut_stepper *stepper);
/* An estimate of the reciprocal condition number of J at the reached point. */
double taut_stepper_rcond(const taut_stepper *stepper);
taut_stepper_stats taut_stepper_statistics(const taut_stepper *stepper);
/* Is it stability that limits the steps, and not the tolerance? To be asked once a step. */
bool taut_stepper_strained(taut_stepper *stepper);
/* How long a step it would try next; 0 if it does not say. */
double taut_stepper_ahead(taut_stepper *stepper);
/* What it integrates, if that is an ordinary differential equation; NULL. */
taut_flow *taut_stepper_flow(taut_stepper *stepper);

#endif
