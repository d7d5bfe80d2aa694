/* How to run a model, and how a run went: shared by taut_simulate (a table) and by
 * taut/simulation.h (step by step). */
#ifndef TAUT_RUN_H
#define TAUT_RUN_H

#include <stdbool.h>

#include "taut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instead of a distance of rows: the solver's steps; as many as a screen can show. */
enum { TAUT_EVERY_STEP = -1, TAUT_FOR_SCREEN = -2 };

/* The phases of a run, by what its time is spent on. */
typedef enum taut_phase {
#define TAUT_PHASE(name, words) TAUT_PHASE_##name,
#include "taut/phase.def"
#undef TAUT_PHASE
    TAUT_PHASES
} taut_phase;
/* A phase in words; NULL if there is none. */
TAUT_API const char *taut_phase_name(taut_phase phase);

/* The k-th formulation of mechanisms, the k-th solver ("auto" aside); NULL behind the last one. */
TAUT_API const char *taut_formulation_name(int k);
TAUT_API const char *taut_solver_name(int k);

typedef struct taut_state taut_state; /* taut/state.h */

#define TAUT_PROJECT_FULL (-1.0)

/* Fill with taut_run_options_default, then change what matters. What has no meaning for the model
 * at hand, such as joints to cut for a Lagrangian, is refused: TAUT_ERR_CALL. */
typedef struct taut_run_options {
    int cookie;         /* by taut_run_options_default; without it the options are refused */
    double rtol, atol;  /* relative to a value, and to the largest value of its kind; 1e-9 */
    int order;          /* of the Taylor polynomials; 0: from the tolerance */
    double step;        /* fixed step; 0: from the tolerance */
    double max_step;    /* no step is longer; 0: as the file says, or a part of the span where
                           formulas might hide something */
    bool per_unit;      /* rtol and atol are for all steps of the run together, each has the part
                           that it is of the run; otherwise for each step */
    double projection;  /* corrections of a state by constraints go on until one is below this
                           part of the largest value of its kind, or, TAUT_PROJECT_FULL, until
                           rounding is all that is left; 0: as it suits the method */
    const char *solver; /* "auto", "taylor", "ho", "bdf", "adams", "erk", "rk4", "ida" */
    const char *formulation; /* NULL: the model's own */
    const char *base;        /* "minimal": coordinates of which formulation; NULL: natural */
    const char *subspace;    /* "minimal": the tangent basis by "qr", "svd", "eig"; NULL: qr */
    bool no_continuation;    /* "minimal": each basis anew, instead of continuing the last one */
    bool subspace_columns;   /* "minimal": columns with the coordinates and the tangent basis */
    const char *cut; /* "relative", and "minimal" based on it: joints that close loops, "J1,J2";
                        NULL: chosen by itself */
    const char *multipliers; /* "relative": "cholesky" (by QR only where that is not safe), "qr" */
    /* How constraints are kept: "projection", "baumgarte" (f'' + 2 alpha f' + beta^2
     * f = 0), "none" (the same with alpha = beta = 0); NULL: projection, but baumgarte where the
     * formulation "reference" is solved by "ida". */
    const char *stabilize;
    double alpha, beta; /* of baumgarte, per time; 0: like the other one, or chosen for both */
    bool has_tend;
    double tend;     /* replaces the model's, if has_tend */
    int starts;      /* look for assemblies from so many perturbed initial positions; 0. Where
                        constraints tie initial values */
    int derivatives; /* columns go up to this derivative; 1 */
    bool reactions;  /* columns with multipliers, forces and torques of a mechanism's joints, */
    bool body_axes;  /* ... along the axes of the bodies on which they act, not of the world */
    const char *sensitivity; /* "L,m,Ax'": further columns d(C)/d(P), of every column C by these
                                parameters, inputs and listed initial values P; NULL: none */
    bool compile; /* "taylor" and "auto": steps by C that is written for the equations, compiled by
                     `cc` and kept in ~/.cache/taut (or $XDG_CACHE_HOME/taut). For long runs; as
                     accurate, but not the same in the last digits */
    bool profile; /* measure the phases; steps of small models then take longer */

    /* The rest is for taut_simulate; step by step it plays no part. */
    const taut_state *from; /* where the run begins, instead of the model's start; NULL */
    taut_state **last;      /* where it ended or stopped: to be freed by the caller; NULL */
    double every;           /* distance of rows; 0: 1001 rows; TAUT_EVERY_STEP, TAUT_FOR_SCREEN */
    const double *at;       /* (ats) rows at these times only, ascending */
    int ats;                /* 0: see every */
    const char *columns; /* of files with the table: names and patterns (`*`, `?`) with commas, in
                            this order; one that fits none is refused at the start; NULL: all */
    /* Bytes that the table may take, and a matrix that is needed to find the start: what is larger
     * is refused before it is begun. 0: 4e9. */
    double memory;
    /* Called now and then with the fraction done, 0 while the start is looked for, and in analyses
     * and gradients, which keep nothing; anything but 0 stops it. May be NULL. */
    int (*progress)(void *user, double fraction);
    void *user;
} taut_run_options;
TAUT_API taut_run_options taut_run_options_default(void);

/* How a run went. NaN and -1 stand for "has no meaning for this model". */
typedef struct taut_run_stats {
    long steps, rejected;
    long evaluations;    /* of the equations: by Taylor series expansions, otherwise rates or
                            residuals; 0: the solver does not count them */
    long factorisations; /* of matrices, those of projections, too */
    int order;
    double wall_s;              /* integration alone; very many very short steps: by sample */
    double setup_s;             /* everything before it */
    double constraint_residual; /* largest |C_i| at accepted steps */
    double energy_drift;        /* max |E - E0| / max kinetic energy */
    int index;                  /* structural index */
    long dof;                   /* independent initial values */
    int mobility;               /* mechanical degrees of freedom */
    int unknowns;
    double t0, tend, reached;    /* the span, and how far the run came */
    const char *solver, *method; /* its name, and the same in words */
    const char *formulation;     /* NULL: equations were given */
    const char *stabilize; /* how constraints are kept; NULL: by projection, in equations given
                              as such */
    double alpha, beta;    /* of baumgarte; otherwise 0 */
    int operations;        /* on the tape: elementary operations a coefficient */
    double rtol, atol;     /* as asked for */
    double phase_s[TAUT_PHASES]; /* with profile: where the time went; otherwise 0 */
    /* With reactions: those that rigid bodies do not determine, as lines (NULL: none were asked
     * for), and what the worst balance of forces lacks, relative to the largest force. */
    const char *not_unique;
    double reaction_residual;
    long compilations; /* how often equations were formed: 1, and once more whenever a number that
                          was set contradicts what they were made for */
    /* Energy or constraints are off by far more than the tolerance explains: what, by how much and
     * when, in words; NULL: they are not. taut_simulate then returns TAUT_ERR_NUMERICS, and so does
     * one call of taut_simulation_step. */
    const char *alarm;
    /* With compile: the compiler whose code has been found to compute something else than the
     * equations say, and was used no longer from there on; NULL: it has not. */
    const char *miscompiled;
} taut_run_stats;

#ifdef __cplusplus
}
#endif

#endif
