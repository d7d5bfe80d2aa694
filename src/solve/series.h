/* The staged Taylor solution of a system at one point: tape, Jacobian and factors at work
 * (docs/math/taylor.md). Used by everything that needs values consistent with the equations. */
#ifndef TAUT_SOLVE_SERIES_H
#define TAUT_SOLVE_SERIES_H

#include "core/sparse.h"
#include "core/watch.h"
#include "expr/jet.h"
#include "expr/point.h"
#include "solve/series_view.h"
#include "solve/stretch.h"
#include "solve/structure.h"

/* All that depends on structure alone: constant once it is made, shared by any number of series in
 * any number of threads. The graph gets no further nodes from these. */
typedef struct taut_series_plan {
    const taut_system *system;       /* must outlive the plan */
    const taut_structure *structure; /* likewise */
    taut_arena arena;
    int owners;                  /* besides the one that made it */
    struct taut_series_plan *of; /* whose equations these are, see taut_series_plan_view; NULL: its
                                    own */
    int last_stage;
    taut_tape *tape;
    int *equation; /* [n] slots of the equations */
    int *variable; /* [n] slots of the variables */
    int *output;   /* [outputs] slots of the outputs, ... */
    int outputs;
    taut_series_view *view; /* ... unless they have a tape of their own; NULL: they have not */
    int size;               /* of the matrix: n, or more if J is a wide one (solve/jacobian.h) */
    int entries;            /* of J, in compressed columns; they may be the structure's: */
    const int *start, *row; /* [size+1], [entries] */
    const taut_node *node;  /* [entries] J_ij = df_i / dx_j^(d_j - c_i) */
    int jacobian_stage;     /* the last stage that J needs */
    int first_correction;   /* the first stage in which equations restrict the state; 0: none do */
    /* what a series begins with a copy of; not to be used themselves: */
    taut_jet *jet;
    taut_point *point; /* the program for J */
    taut_lu *lu;       /* its analysis; NULL: J is singular whatever its values */
    bool taken;        /* a series that owns the plan uses them */
} taut_series_plan;

/* x_j^(k), k < d_j: what the solution carries from step to step. */
typedef struct taut_component {
    int variable, order, group;
} taut_component;

/* The numbers of one series. What it has in common with its plan is borrowed. */
typedef struct taut_series {
    const taut_series_plan *plan; /* must outlive the series ... */
    taut_series_plan *own;        /* ... unless it is its own; otherwise NULL */
    const taut_system *system;
    const taut_structure *structure;
    taut_arena arena;
    const taut_tape *tape;
    taut_jet *jet;
    const int *equation;      /* [n] slots of the equations */
    const int *variable;      /* [n] slots of the variables */
    double **residual_at;     /* [n] where order c_i of the equations is, ... */
    double **unknown_at;      /* [n] ... and order d_j of the variables: those of stage 0 */
    taut_stretches residuals; /* the same by place, ... */
    taut_stretches unknowns;  /* ... the same variables, ... */
    taut_stretches openings;  /* ... and residuals of a stage that has been opened */
    const int *output;        /* [outputs] slots of the outputs, unless there is a view */
    int outputs;
    taut_series_view *view; /* NULL: none */
    int size;               /* of J, see the plan */
    int entries;            /* likewise */
    const int *start, *row; /* [size+1], [entries] */
    const taut_node *node;  /* [entries] J_ij, ... */
    double *J;              /* [entries] ... and its value */
    taut_point *point;      /* its program ... */
    int jacobian_stage;     /* ... and the last stage that it needs */
    taut_lu *lu;
    double *y;            /* [size] right-hand side, then solution */
    double *residual;     /* [size] work space */
    double *rounding;     /* [n + tape->size] of residuals, and work space; NULL: quasi-linear */
    double *factor;       /* by stage and order, from coefficients to derivatives ... */
    double factor_h;      /* ... for this scale; 0: for none yet */
    double *unscale;      /* [largest d + 1] k! / h^k, ... */
    double *per_unscale;  /* ... their inverses, ... */
    bool exact;           /* ... by which to multiply is to divide, to the last bit ... */
    double unscale_h;     /* ... for this h; 0: for none yet */
    int bad_slot;         /* where taut_series_settle met a value that is not finite; -1: nowhere */
    double refined_below; /* solutions are refined if the condition of J is worse, ... */
    int last_refined;     /* ... up to this stage; at first TAUT_LAST_REFINED */
    const double *forgiven; /* [n] so much of the residuals is left uncorrected; NULL: nothing */
    bool wide;              /* J is a wide one */
    long starts;            /* how often it has been moved to a point */
    bool finite;            /* false once a stage was solved whose numbers are not finite */
    long factorisations;    /* so far */
    struct taut_compiled *compiled; /* solve/straight_series.h; NULL: nothing */
    const char *miscompiled;        /* whose code was wrong and is used no longer; NULL: nobody's */
    taut_watch *watch;              /* of the owner; NULL: none */
} taut_series;

/* Stages up to this one may be solved with a step of refinement: they carry the leading digits of a
 * step, and an ill-conditioned J (a small inertia beside large ones) costs up to three of these
 * otherwise. */
enum { TAUT_LAST_REFINED = 8 };

/* With inverted factors of J many stages are solved faster. Not at tight tolerances: there the last
 * digits count, of which factors keep a few more. */
static inline bool taut_series_inverts(const taut_series_plan *plan, double refined_below) {
    enum { MANY = 6 };
    return plan->last_stage + 1 >= MANY && refined_below < 0.02;
}

/* Prepares stages up to last_stage, for the equations and further output nodes. Adds nodes to the
 * system's graph. */
taut_status taut_series_plan_create(const taut_system *system, const taut_structure *structure,
                                    int last_stage, const taut_node *output, int outputs,
                                    taut_series_plan **plan);
/* The same by the structure's wide J, if it has one: for whoever does not look at entries of J. */
taut_status taut_series_plan_create_wide(const taut_system *system, const taut_structure *structure,
                                         int last_stage, const taut_node *output, int outputs,
                                         taut_series_plan **plan);
/* A plan with the tape, J and analysis of another, which it keeps alive, and with outputs on a tape
 * of their own. last_stage is at most that of the other. */
taut_status taut_series_plan_view(taut_series_plan *of, int last_stage, const taut_node *output,
                                  int outputs, taut_series_plan **plan);
void taut_series_plan_free(taut_series_plan **plan);
/* A series of a plan, which must outlive it: allocation and copying only. Threads may do so at the
 * same time. */
taut_status taut_series_create_from(const taut_series_plan *plan, taut_series **series);
/* A series with a plan of its own. */
taut_status taut_series_create(const taut_system *system, const taut_structure *structure,
                               int last_stage, const taut_node *output, int outputs,
                               taut_series **series);
taut_status taut_series_create_wide(const taut_system *system, const taut_structure *structure,
                                    int last_stage, const taut_node *output, int outputs,
                                    taut_series **series);
/* A series with outputs on a tape of their own, see taut_series_plan_view. */
taut_status taut_series_create_view(taut_series_plan *of, int last_stage, const taut_node *output,
                                    int outputs, taut_series **series);
/* A series without outputs, with the plan of which a view was made. */
taut_status taut_series_create_beside(const taut_series_plan *view, taut_series **series);
void taut_series_free(taut_series **series);
/* From now on with these values of the parameters, by their index (taut_graph_parameters of the
 * system's graph, which must have been told to follow them when the plan was made). The point is to
 * be set anew. TAUT_CONTRADICTED: these values ask for another plan; the series is of no use until
 * it gets others. */
taut_status taut_series_set_numbers(taut_series *series, const double *parameter);

/* Forgets what earlier points have left in its factors and as guesses of x_j^(d_j): what follows
 * does not depend on them, to the last bit. */
void taut_series_forget(taut_series *series);
/* Moves to time t with a scale near |h|. */
void taut_series_start(taut_series *series, double t, double h);
/* Sets or reads x_j^(k) at the point (not scaled). */
void taut_series_set(taut_series *series, int j, int k, double value);
double taut_series_get(const taut_series *series, int j, int k);
/* Makes what values of the orders that a state has are divided by before they are stored, k! / h^k,
 * fit the present scale; and so divided. */
void taut_series_unscale(taut_series *series);
static inline double taut_series_scaled(const taut_series *s, double value, int k) {
    return s->exact ? value * s->per_unscale[k] : value / s->unscale[k];
}
/* Sets all of a list. */
void taut_series_set_all(taut_series *series, const taut_component *list, int count,
                         const double *value);
/* The k-th derivative of an output at the point, since it was last looked at. Orders up to stage +
 * offset are known. */
double taut_series_output(const taut_series *series, int output, int k);
/* The stage that must be computed to know the k-th derivative of an output. */
int taut_series_output_stage(const taut_series *series, int output, int k);

/* Evaluates the first stage .. last without solving: for residuals and for J. */
void taut_series_look(taut_series *series, int last);
/* J at the point (orders 0 must be known) and its factors. TAUT_SINGULAR if it is singular. */
taut_status taut_series_factor(taut_series *series);
void taut_series_jacobian(taut_series *series);
/* Evaluates stage s and corrects x_j^(s + d_j), d_j >= -s, by one Newton step with the factors at
 * hand; exact where the stage is linear. The corrections, as derivatives, are in y[j] (0 where
 * d_j < -s). The caller has set the guesses (0 is one). */
void taut_series_solve(taut_series *series, int s);
/* Stages from .. last, starting from 0 as the guess: from >= 1, where all are linear. What
 * refinement has changed at the last one, if that was refined, is in residual[]. */
void taut_series_extend(taut_series *series, int from, int last);
/* Told after each stage of taut_series_settle: the corrections of x_j^(stage + d_j) are in y[]. */
typedef void taut_correction_fn(void *user, int stage);
/* From guesses of x_j^(k), k <= d_j, to values that satisfy the equations: corrects k < d_j once
 * (`project`; otherwise they are taken as they are), finds k = d_j, and leaves J factored there,
 * ready for taut_series_extend. told may be NULL. TAUT_SINGULAR; TAUT_ERR_NUMERICS if a value is
 * not finite (bad_slot says where) or Newton does not converge (bad_slot is -1). */
taut_status taut_series_settle(taut_series *series, bool project, taut_correction_fn *told,
                               void *user);
/* Are all coefficients up to a stage finite? If not, bad_slot says where it begins (-1: it cannot
 * be told). */
bool taut_series_is_finite(taut_series *series, int stage);
/* The residual f_i^(s + c_i) at stage s, as a derivative. */
double taut_series_residual(const taut_series *series, int i, int s);
/* Does equation i restrict the state, as a constraint does? And f_i at the point. */
bool taut_series_restricts(const taut_series *series, int i);
double taut_series_value(const taut_series *series, int i);
/* Largest |f_i| at the point over the equations that restrict the state (constraints). */
double taut_series_constraint_residual(const taut_series *series);

#endif
