/* From a model to a problem with its structure; redundant constraints of a mechanism are left out.
 */
#ifndef TAUT_TASK_PREPARE_H
#define TAUT_TASK_PREPARE_H

#include "form/assemble.h"
#include "solve/redundant.h"
#include "solve/structure.h"

typedef struct taut_prepared {
    taut_arena arena;
    const taut_model *model;
    taut_forming forming;
    taut_problem *problem;
    taut_problem *full; /* with all constraints; NULL: problem is it */
    taut_structure structure;
    taut_problem *exact; /* with constraints that do not decay, if they do in problem; or NULL */
    taut_structure exact_structure;
    bool regular; /* the structure is */
    bool reduced; /* redundancy was looked for: */
    taut_redundancy redundancy;
    int idles; /* equations of what may let go that others imply at the start */
} taut_prepared;

/* Forms the problem and analyses it; a mechanism whose structure is singular, or that could not
 * move by counting, is reduced. On an error *prepared holds what could be found out; it is to be
 * released in any case. */
taut_status taut_prepare(const taut_model *model, taut_prepared *prepared, taut_errors *errors);
/* The same, formed so (nothing is dropped yet). */
taut_status taut_prepare_by(const taut_model *model, taut_forming forming, taut_prepared *prepared,
                            taut_errors *errors);
/* A second set of equations for the same model, lift: with forces as unknowns; what `like` leaves
 * out of its constraints is left out here, too. */
taut_status taut_prepare_again(const taut_prepared *like, bool lift, taut_prepared *prepared);
/* Looks for redundant constraints of a mechanism from its initial position, and forms the problem
 * anew without them. *fewer: some were found. */
taut_status taut_prepare_reduce(taut_prepared *prepared, bool *fewer, taut_errors *errors);
/* Chooses again which constraints to leave out, at this motion. *other: the choice has changed;
 * then taut_prepare_adopt forms the new problem, after everything that uses the old one is gone. */
taut_status taut_prepare_choose(taut_prepared *prepared, const taut_motion *motion, bool *other);
taut_status taut_prepare_adopt(taut_prepared *prepared, taut_errors *errors);
/* Forms the problem anew with constraints that decay: of index 1, and without any that restrict the
 * state. The whole problem stays as it is, for taut_prepare_choose. */
taut_status taut_prepare_decay(taut_prepared *prepared, double alpha, double beta,
                               taut_errors *errors);
/* Of what may let go: modes (all engaged or open, [model->contacts]) in which equations that others
 * imply at this motion, or (NULL) at the start, are idle. *idles: how many. The problem need not be
 * the one of these modes. */
typedef struct taut_sharing {
    const taut_motion *motion;
    const double *number; /* values of parameters; NULL: those of the problem */
    const bool *late;     /* [contacts] what is engaged only now, after the others; NULL: none */
    int *mode;
} taut_sharing;
taut_status taut_prepare_share(taut_problem *problem, const taut_sharing *sharing,
                               taut_arena *arena, int *idles, taut_errors *errors);
void taut_prepared_release(taut_prepared *prepared);

/* Does nothing restrict the variables? */
bool taut_prepared_is_free(const taut_prepared *prepared);
/* Mechanical degrees of freedom; -1 where that has no meaning. */
int taut_prepared_mobility(const taut_prepared *prepared);

#endif
