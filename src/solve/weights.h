/* How large an error each state may have: tolerances relative to scales that follow the motion
 * (docs/math/step.md, section 1). */
#ifndef TAUT_SOLVE_WEIGHTS_H
#define TAUT_SOLVE_WEIGHTS_H

#include "solve/stepper.h"

/* A scale this far below the largest one is rounding noise. */
#define TAUT_WEIGHTS_NOISE 1e-12
/* A scale below this is none in any unit: where a motion begins with the far tail of a pulse, its
 * first 300 decades are of no interest, and some of them have no digits. */
#define TAUT_WEIGHTS_NOTHING 1e-40
/* What nothing depends on may be off by so many times more: it takes part where it would be wrong
 * altogether, and leaves the steps of others alone. */
#define TAUT_WEIGHTS_PASSIVE 100.0

/* A weight is clear if the least one is this part of it: orders up to six grow by less than one
 * over that where the horizon is nearer. */
#define TAUT_WEIGHT_CLEAR 1e-6

typedef struct taut_weights {
    const taut_system *system;
    double rtol, atol;
    int states, levels;
    taut_component *state; /* [states] variable by variable, ascending orders */
    int *cell;             /* [states] which scale is theirs, ... */
    bool *passive;         /* [states] ... and who are passive */
    double *scale;         /* [groups * levels] largest value so far */
    double *coming;        /* [groups * levels] the same, with the coming step */
    int *used;             /* [used_end[levels - 1]] scales that have states, level by level, ... */
    int *used_end;         /* [levels] ... which end here */
    double noise;          /* see taut_weights_noise */
    double *weight;        /* [states] error allowed in a step */
    double span;           /* of the whole run; 0: it has no end */
    double horizon;        /* for how long an error of a rate matters, at most; 0: for ever */
    const double *energy;  /* as in taut_stepping */
    bool flat;             /* there are formulas that may be all but flat (solve/suspects) */
    bool clear;            /* no weight is near the least one of a rate: see taut_weights_set */
} taut_weights;

/* States k < count(j) of every variable, where count is d_j, or what is needed to start. */
taut_status taut_weights_create(const taut_system *system, const taut_structure *structure,
                                const taut_stepping *stepping, bool needed, taut_arena *arena,
                                taut_weights *weights);
/* Forgets the motion so far. */
void taut_weights_forget(taut_weights *weights);
/* The scales of the coming step: those so far, raised by the sizes that states will have. */
void taut_weights_begin(taut_weights *weights);
static inline void taut_weights_raise(taut_weights *weights, int state, double size) {
    double *cell = &weights->coming[weights->cell[state]];
    if (size > *cell) *cell = size;
}
/* The part of the weights that an error in a step of this length (0: not known yet) may have: 1, or
 * per unit step the part of the run (of a unit of time, if that has no end) that the step is, but
 * not less than rounding. */
double taut_weights_part(const taut_stepping *stepping, double h);
/* The part of the largest scale of a level that no other is below: noise, more if the allowed error
 * would otherwise be below the last digit of the largest values. */
static inline double taut_weights_noise(double atol) {
    const double rounding = 1e-17 / atol, most = 1e-3;
    const double noise = rounding > TAUT_WEIGHTS_NOISE ? rounding : TAUT_WEIGHTS_NOISE;
    return noise < most ? noise : most;
}
/* The weights at these values of the states, from the scales of the coming step. Whether they are
 * `clear`: a horizon that is TAUT_WEIGHTS_NEARER times as long or longer makes the same weights. */
#define TAUT_WEIGHTS_NEARER 0.125
void taut_weights_set(taut_weights *weights, const double *value);
/* The motion has reached these values. */
void taut_weights_reach(taut_weights *weights, const double *value);

/* ---- for ordinary integrators: no look ahead, scales from what has been reached ---- */

/* Scales from a first state and its rates; taut_weights_reach follows the motion from there. */
void taut_weights_start(taut_weights *weights, const double *value, const double *rate);
/* From rest forces do no work at first. Writes a state in which rates have what they become in the
 * time that is returned: what passive states do there says how large they become. 0: there is none
 * such. */
double taut_weights_foresee(const taut_weights *weights, const double *value, const double *rate,
                            double *ahead);
/* Scales of passive states from their rates at such a state. */
void taut_weights_raise_passive(taut_weights *weights, double time, const double *rate);
/* The scale of state i. */
double taut_weights_scale(const taut_weights *weights, int i);
/* The least scale of what is passive: of the energy in the motion. */
double taut_weights_passive(const taut_weights *weights);
/* The error that state i may have at this value. */
double taut_weights_allowed(const taut_weights *weights, int i, double value);
/* A first step for a method of low order: a small part of the time in which the state changes. */
double taut_weights_first_step(const taut_weights *weights, const double *value, const double *rate,
                               double tol);

#endif
