/* taut: motion of mechanisms and solutions of differential-algebraic equations.
 *
 * Read a model, then analyze or simulate it. No call prints or exits; a call that can fail returns
 * a status and, if the caller passes a list, says in words what is wrong. Objects are independent
 * of each other and may be used in different threads. */
#ifndef TAUT_H
#define TAUT_H

#include <stdbool.h>

#include "taut/status.h"

/* "0.1.0" */
TAUT_API const char *taut_version(void);

/* ---- models ---- */

typedef struct taut_model taut_model;

/* A parameter that the caller replaces: `--set NAME=FORMULA`. */
typedef struct taut_override {
    const char *name, *formula;
} taut_override;

/* Reads and checks a model file. overrides (count) may be NULL. errors may be NULL. */
TAUT_API taut_status taut_model_read(const char *path, const taut_override *overrides, int count,
                                     taut_model **model, taut_errors *errors);
TAUT_API void taut_model_free(taut_model **model);
TAUT_API const char *taut_model_title(const taut_model *model);
/* "DAE" or "Lagrangian". */
TAUT_API const char *taut_model_kind_name(const taut_model *model);

/* ---- analysis ---- */

/* What taut makes of the model, for people or as one JSON object. *text is to be given back to
 * taut_text_free. On TAUT_ERR_INPUT *text may still hold the part that could be found out. */
TAUT_API taut_status taut_analyze(taut_model *model, bool json, char **text, taut_errors *errors);
TAUT_API void taut_text_free(char **text);

/* ---- simulation ---- */

enum { TAUT_EVERY_STEP = -1 };

/* Fill with taut_run_options_default, then change what matters. */
typedef struct taut_run_options {
    double rtol, atol;       /* relative to a value, and to the largest value of its kind; 1e-9 */
    int order;               /* of the Taylor polynomials; 0: from the tolerance */
    double step;             /* fixed step; 0: from the tolerance */
    const char *solver;      /* "auto", "taylor" */
    const char *formulation; /* NULL: the model's own */
    bool has_tend;
    double tend;      /* replaces the model's, if has_tend */
    int starts;       /* look for assemblies from so many perturbed initial positions; 0 */
    int derivatives;  /* columns go up to this derivative; 1 */
    double every;     /* distance of rows; 0: 1001 rows; TAUT_EVERY_STEP: the solver's steps */
    const double *at; /* (ats) rows at these times only, ascending */
    int ats;          /* 0: see every */
    /* Called now and then with the fraction done; anything but 0 stops the run. May be NULL. */
    int (*progress)(void *user, double fraction);
    void *user;
} taut_run_options;
TAUT_API taut_run_options taut_run_options_default(void);

/* How a run went. NaN and -1 stand for "has no meaning for this model". */
typedef struct taut_run_stats {
    long steps, rejected;
    int order;
    double wall_s;              /* integration alone */
    double setup_s;             /* everything before it */
    double constraint_residual; /* largest |C_i| at accepted steps */
    double energy_drift;        /* max |E - E0| / max kinetic energy */
    int index;                  /* structural index */
    long dof;                   /* independent initial values */
    int mobility;               /* mechanical degrees of freedom */
    int unknowns;
    double t0, tend, reached; /* the span, and how far the run came */
    const char *solver;
    const char *formulation; /* NULL: equations were given */
    int operations;          /* on the tape: elementary operations a coefficient */
} taut_run_stats;

typedef struct taut_result taut_result;

/* Simulates. After a status > 0 or TAUT_ERR_NUMERICS *result holds what was computed; after another
 * error it is NULL. */
TAUT_API taut_status taut_simulate(taut_model *model, const taut_run_options *options,
                                   taut_result **result, taut_errors *errors);
TAUT_API void taut_result_free(taut_result **result);

TAUT_API int taut_result_columns(const taut_result *result); /* column 0 is t */
TAUT_API long taut_result_rows(const taut_result *result);
TAUT_API const char *taut_result_name(const taut_result *result, int column);
TAUT_API double taut_result_value(const taut_result *result, long row, int column);
TAUT_API const taut_run_stats *taut_result_stats(const taut_result *result);
/* Initial values that had to change, as lines "u: 9.9 -> 10", or "" */
TAUT_API const char *taut_result_moves(const taut_result *result);
/* Positions in which the parts fit together near the initial ones, nearest first, as lines; ""
 * unless options.starts asked for them or the initial positions do not clearly choose one. */
TAUT_API const char *taut_result_assemblies(const taut_result *result);
/* Redundant constraints that the run left out, as lines "name (line n)", or "" */
TAUT_API const char *taut_result_redundant(const taut_result *result);

/* Writes the table as CSV with `digits` digits, to a temporary file that then takes the name path;
 * "-" is the standard output. */
TAUT_API taut_status taut_result_write(const taut_result *result, const char *path, int digits,
                                       taut_errors *errors);
/* Writes the statistics as JSON, in the same way. */
TAUT_API taut_status taut_result_write_stats(const taut_result *result, const char *path,
                                             taut_errors *errors);
/* Checks that a file of this name could be written, without touching it. */
TAUT_API taut_status taut_output_check(const char *path, taut_errors *errors);

#endif
