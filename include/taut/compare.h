/* The same problem by every formulation and solver that fits it: whether they agree, and what each
 * of them costs (docs/compare.md). */
#ifndef TAUT_COMPARE_H
#define TAUT_COMPARE_H

#include "taut/model.h"
#include "taut/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill with taut_compare_options_default, then change what matters. */
typedef struct taut_compare_options {
    int cookie;           /* by taut_compare_options_default */
    taut_run_options run; /* tend, starts, progress; for the pairs also order, step, and whatever
                             belongs to their formulation, which must be among them; the rest
                             plays no part */
    const double *tol;    /* (tols) tolerances */
    int tols;             /* 0: 1e-6, 1e-8, 1e-10; with a fixed step 1e-9 */
    const char *const *formulation; /* (formulations) */
    int formulations;               /* 0: all; must be 0 unless the model is a mechanism */
    const char *const *solver;      /* (solvers) */
    int solvers;                    /* 0: all */
    double limit;                   /* seconds after which a run is given up; 30 */
} taut_compare_options;
TAUT_API taut_compare_options taut_compare_options_default(void);

/* One run of a pair, at one tolerance. Errors are differences of values, relative to the largest
 * value of their kind in the reference; NaN: not known. */
typedef struct taut_compared_run {
    double tol;
    taut_status status;
    const char *reason;       /* why it has not reached the end; "" if it has */
    taut_run_stats stats;     /* with the shortest times of so many repetitions: */
    int repetitions;          /* 0: it was not tried */
    double error;             /* largest difference from the reference, ... */
    const char *column;       /* ... in this column, NULL: none, ... */
    double t;                 /* ... at this time */
    double scd;               /* significant correct digits of coordinates at the end */
    double estimate;          /* of its error, by its own next run: no reference needed */
    double allowed;           /* a difference beyond this is a disagreement; >= 1: whatever it is,
                                 it tells nothing */
    bool disagrees;           /* error > allowed */
    const double *difference; /* [times] from the reference */
    const double *own;        /* [times] from its own next run */
} taut_compared_run;

/* A formulation and a solver. */
typedef struct taut_compared_pair {
    const char *formulation; /* NULL: equations were given */
    const char *solver;
    const char *skipped;          /* why it does not take this problem; NULL: it does */
    const taut_compared_run *run; /* [tols]; NULL if it is skipped */
} taut_compared_pair;

typedef struct taut_comparison {
    const char *title; /* of the model, possibly "" */
    const char *kind;  /* of the model, in a word */
    double t0, tend;
    int times;          /* at which solutions are compared: */
    const double *time; /* [times] */
    int tols;
    const double *tol;         /* [tols] from the largest to the smallest */
    const double *sensitivity; /* [tols] what a change of the initial state by so much, relative to
                                  its size, becomes */
    int pairs, skipped;        /* all of them; those among them that do not take this problem */
    const taut_compared_pair *pair; /* [pairs] */
    double limit;                   /* seconds a run */

    /* what they are measured by, its estimated error, and the problem */
    taut_compared_pair reference;
    double reference_tol, reference_error;
    taut_run_stats problem;
    /* another pair, by another solver, that has found the same, to this difference; NULL solver:
     * none could try */
    taut_compared_pair witness;
    double witness_tol, witness_difference;
    bool confirmed; /* the witness agrees */

    /* Kinds of methods and formulations all of whose runs find something else than the reference,
     * in words: who is right is then not known; NULL: there are none. */
    const char *against;

    int finished, failed; /* runs */
    int disagreements;    /* runs that disagree, and the witness if it does */
} taut_comparison;

/* Runs all pairs, one after the other. A pair that fails, or that does not take the problem, says
 * why and stops nobody. TAUT_OK: there is a comparison, whatever it says. TAUT_INTERRUPTED: by
 * the caller; what there is holds. Otherwise *comparison is NULL: the model or the call is wrong,
 * or no pair could solve it. */
TAUT_API taut_status taut_compare(const taut_model *model, const taut_compare_options *options,
                                  taut_comparison **comparison, taut_errors *errors);
TAUT_API void taut_comparison_free(taut_comparison **comparison);

/* How many digits an error leaves: -log10, at most 16; NaN stays. */
TAUT_API double taut_digits(double error);

/* As a table for people, at most 100 wide, or as one JSON object. *text is to be given back to
 * taut_text_free. */
TAUT_API taut_status taut_comparison_text(const taut_comparison *comparison, bool json,
                                          char **text);
/* Writes a page (.html) or JSON (.json) to a temporary file that then takes the name path; "-" is
 * the standard output, as a page. file is what the user calls the model. */
TAUT_API taut_status taut_comparison_write(const taut_comparison *comparison, const char *file,
                                           const char *path, taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
