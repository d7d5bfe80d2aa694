/* Taylor arithmetic of TAUT_ABREAST runs side by side: the program of one jet, with the numbers of
 * another run in every lane. A lane computes what its jet would compute, to the last bit: the terms
 * of a sum are the same, in the same order.
 *
 * Nothing is collected from different places, since equal numbers of all runs lie together; the
 * orders of a slot follow each other. */
#ifndef TAUT_EXPR_JETS_H
#define TAUT_EXPR_JETS_H

#include "core/lanes.h"
#include "expr/jet.h"

typedef struct taut_jets {
    const taut_jet *like; /* must outlive them */
    double t[TAUT_ABREAST] __attribute__((aligned(64)));
    double h[TAUT_ABREAST];
    double *coef; /* all numbers */
    int *place;   /* [size] where order 0 of a slot is, ... */
    int *opened;  /* [size] ... and its newest order while a stage is open */
    double *shift, *steady;
    struct taut_jets_program *program;
    bool fresh;   /* as in a jet: */
    int ahead;    /* the stage whose convolutions have been begun */
    int uncopied; /* the stage whose orders are not yet where convolutions read them */
} taut_jets;

/* For jets that are copies of this one. Memory from arena. */
taut_status taut_jets_create(const taut_jet *like, taut_arena *arena, taut_jets **jets);
/* A lane gets what depends on parameters from a copy of that jet. */
void taut_jets_take_numbers(taut_jets *jets, int lane, const taut_jet *from);
/* Order k of a slot, in all lanes. */
static inline double *taut_jets_at(const taut_jets *jets, int slot, int k) {
    return jets->coef + ((ptrdiff_t)jets->place[slot] + k) * TAUT_ABREAST;
}
static inline const double *taut_jets_opened(const taut_jets *jets, int slot) {
    return jets->coef + (ptrdiff_t)jets->opened[slot] * TAUT_ABREAST;
}
/* See taut_jet_start, taut_jet_stage, taut_jet_open, taut_jet_finish. t, h: [TAUT_ABREAST] */
void taut_jets_start(taut_jets *jets, const double *t, const double *h);
void taut_jets_stage(taut_jets *jets, int s);
void taut_jets_open(taut_jets *jets, int s);
void taut_jets_finish(taut_jets *jets, int s);

#endif
