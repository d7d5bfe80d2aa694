/* Equilibria, inside: the search for one state, from the start of a simulation or from elsewhere.
 */
#ifndef TAUT_TASK_EQUILIBRIUM_H
#define TAUT_TASK_EQUILIBRIUM_H

#include "task/linear.h"

/* Something that is to vanish at an equilibrium: a derivative of a function. */
typedef struct taut_rest_row {
    int function, level;
} taut_rest_row;

typedef struct taut_rest {
    taut_arena arena;
    const taut_model *model; /* with what `Trim` has free as symbols */
    taut_simulation *simulation;
    taut_state *state; /* the time, and what was found */
    taut_variational *v;
    taut_series *series;
    int n;       /* unknowns */
    bool steady; /* something has a constant rate: velocities are not 0 */
    taut_rest_row *row;
    int rows;
    int *free; /* [frees] numbers of the parameters that may change */
    int frees;
    bool *set;        /* [numbers] those are not by their formulas */
    double *number;   /* [numbers] the values in use */
    double *x, *rate; /* [n] positions and velocities to begin with ... */
    double *p;        /* [frees] ... and free values */
    double *first;    /* [frees] what they were at the start */
    double *r, *matrix, *side, *work;
    double largest;       /* length of r so far */
    bool bends;           /* tables, kinks and contacts: equations hold up to a boundary */
    unsigned long formed; /* serial number of the problem that v is made for */
} taut_rest;

/* Starts a simulation of the model, which has been read for a trim, and prepares the search. To be
 * released in any case. */
taut_status taut_rest_open(const taut_model *model, const taut_run_options *options,
                           taut_rest *search, taut_errors *errors);
void taut_rest_release(taut_rest *search);
/* Looks for an equilibrium from x, rate and p on; it is then in state and p. TAUT_ERR_NUMERICS:
 * there is none. bursts: how often the motion itself may show the way. */
taut_status taut_rest_find(taut_rest *search, int bursts, taut_errors *errors);
/* ---- inside ---- */

/* Forms what the search works with, for the equations in use. */
taut_status taut_rest_prepare(taut_rest *search);
/* The same if the simulation has gone over to other equations since. */
taut_status taut_rest_refit(taut_rest *search);
/* Takes over the pieces of tables, the branches and the modes of contacts that hold at the state.
 * *changed: they are other ones. TAUT_ERR_NUMERICS: there is no motion from there. */
taut_status taut_rest_follow(taut_rest *search, bool *changed);

/* Moves x and p to where the equations at rest hold, by IPOPT, near where they are; *moved: there
 * is such a place. */
taut_status taut_rest_optimise(taut_rest *search, bool *moved);

/* Moves x to a random place along the constraints, the number-th of a series. */
taut_status taut_rest_wander(taut_rest *search, int number);

#endif
