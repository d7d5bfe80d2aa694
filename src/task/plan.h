/* The plan of a run: options, which are words and numbers of the caller's, resolved once into
 * methods, formulations and choices. Whoever runs looks here and compares no strings. */
#ifndef TAUT_TASK_PLAN_H
#define TAUT_TASK_PLAN_H

#include "form/formulation.h"
#include "solve/minimal.h"
#include "taut/taut.h"

#define TAUT_MINIMAL "minimal" /* the formulation of this name is one of states */

/* What keeps constraints. */
typedef enum taut_stabilizing {
    TAUT_BY_PROJECTION,
    TAUT_BY_BAUMGARTE,
    TAUT_BY_NOTHING
} taut_stabilizing;

typedef struct taut_plan {
    const taut_method *method;           /* that the run begins with */
    bool adapts;                         /* another one may take over where that is better */
    const taut_formulation *formulation; /* of the equations; NULL: they were given */
    taut_stabilizing stabilizing;
    bool careful; /* relative coordinates: multipliers by pivoted QR in any case */
    bool minimal; /* the states are minimal coordinates on top of the equations ... */
    taut_minimal_options subspace; /* ... with tangent bases found like this ... */
    taut_flow_maker maker;         /* ... by this maker, whose user is `subspace`: do not copy */
    bool high_order;               /* ... of an order that suits a tight tolerance */
    bool free; /* ... but nothing restricts the variables: they are such coordinates themselves */
    bool exchanges; /* ... which somebody else integrates: `free` makes no difference */
} taut_plan;

/* Checks the options against each other and against the model, and fills *plan; what does not fit
 * is TAUT_ERR_CALL with the remedy in errors. */
taut_status taut_plan_make(const taut_model *model, const taut_run_options *options,
                           taut_plan *plan, taut_errors *errors);
/* Makes the states minimal coordinates, whatever the kind of model, before a simulation starts. */
void taut_plan_minimize(taut_plan *plan);
/* Minimal coordinates of equations given as such, once their structure is known: where none of them
 * restricts the variables (they are free), these are the states, for any method. */
taut_status taut_plan_settle(taut_plan *plan, const taut_run_options *options, bool free,
                             taut_errors *errors);
/* The maker for a stepper; NULL: the states are those of the equations. */
const taut_flow_maker *taut_plan_maker(const taut_plan *plan);
/* The order of the method; 0: up to the method. */
int taut_plan_order(const taut_plan *plan, const taut_run_options *options);

/* ---- single questions, for whoever checks options ---- */

/* The method that a run begins with; NULL: there is no such solver. */
const taut_method *taut_plan_method(const taut_run_options *options);
/* The formulation of the equations; NULL: the usual one. */
const char *taut_plan_base(const taut_run_options *options);
/* The same, found; *formulation is NULL if the model gives its equations itself. Reports what
 * cannot be. */
taut_status taut_plan_formulation(const taut_model *model, const taut_run_options *options,
                                  const taut_formulation **formulation, taut_errors *errors);
/* Are the states minimal coordinates? */
bool taut_plan_is_minimal(const taut_run_options *options);

#endif
