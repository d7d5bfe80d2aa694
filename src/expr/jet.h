/* Taylor arithmetic on a tape: the coefficients of every slot, one stage after the other.
 *
 * Coefficients are stored scaled, v_k h^k with a step h, so that high orders neither overflow nor
 * vanish on fast or slow problems.
 *
 * Equal operations without mutual dependencies are vectorised, TAUT_LANES at a time (SIMD): a sum
 * over the order alone would be bound by the latency of its additions. So TAUT_LANES slots share a
 * *block*, in which the orders of a slot lie TAUT_LANES apart (docs/math/taylor.md, section 6). */
#ifndef TAUT_EXPR_JET_H
#define TAUT_EXPR_JET_H

#include "expr/tape.h"

enum { TAUT_LANES = 8, TAUT_NO_STAGE = -(1 << 30) };

typedef struct taut_layout taut_layout; /* which operations run side by side, and when */

typedef struct taut_straight taut_straight; /* expr/straight.h */

typedef struct taut_jet {
    const taut_tape *tape; /* must outlive the jet */
    int last_stage;        /* stages first_stage .. last_stage may be computed */
    double t, h;           /* expansion point, scale */
    double *coef;          /* all blocks */
    int *place;            /* [size] where order 0 of a slot is in coef[], ... */
    int *opened;           /* [size] ... and its newest order while a stage is open */
    taut_layout *layout;
    bool fresh;              /* the factors of newest orders are those of the present point */
    int ahead;               /* the stage whose convolutions have been begun; TAUT_NO_STAGE: none */
    taut_straight *straight; /* compiled code for stages up to 0; NULL: there is none */
    int uncopied;            /* the stage whose orders are not yet where convolutions read them */
    int *leaf;               /* [leaves] slots without operation, variables aside, ... */
    double *steady;          /* [leaves] ... and their numbers, if they are constant */
    int leaves;
    double *number;       /* [taut_numbers_count] what depends on parameters, by origin */
    int most_derivatives; /* in a term of a sum */
    double *shift;        /* [(most derivatives + 1) * shift_orders] (k+p)!/k! h^-p */
    int shift_orders;
} taut_jet;

taut_status taut_jet_create(const taut_tape *tape, int last_stage, taut_arena *arena,
                            taut_jet **jet);
/* A second jet with the program of another, which must outlive it, and with the numbers that the
 * other was made with: allocation and copying only. `like` must not have been used, nor be in use:
 * then any number of threads may copy it. */
taut_status taut_jet_copy(const taut_jet *like, taut_arena *arena, taut_jet **jet);
/* From now on with these values of the parameters; all series are then to be computed anew. Nothing
 * is allocated. TAUT_CONTRADICTED: the tape was made for values that differ in structure, and the
 * jet is of no use until it gets other ones. */
taut_status taut_jet_set_numbers(taut_jet *jet, const double *parameter);
/* Order k of a slot, 0 <= k <= last_stage + its offset. */
static inline double *taut_jet_at(const taut_jet *jet, int slot, int k) {
    return jet->coef + jet->place[slot] + (ptrdiff_t)k * TAUT_LANES;
}
/* k! / h^k: from a coefficient that is scaled with h to a derivative. */
static inline double taut_unscale(double h, int k) {
    double factor = 1.0;
    for (int i = 1; i <= k; i++) factor *= (double)i / h;
    return factor;
}
/* Moves the expansion point and the scale; all series are then to be computed anew. */
void taut_jet_start(taut_jet *jet, double t, double h);
/* Computes order s + offset of every slot. Variables are read, never written: the caller sets order
 * s + d_j (its guess, or 0) before. Stages are computed in ascending order. */
void taut_jet_stage(taut_jet *jet, int s);
/* The same from stage 1 on with order s + d_j of all variables taken as 0, whatever they are, for
 * nothing but the residuals (see taut_tape_mark_residuals), which are found by taut_jet_opened
 * until the next stage is computed. taut_jet_finish must follow. */
void taut_jet_open(taut_jet *jet, int s);
static inline double *taut_jet_opened(const taut_jet *jet, int slot) {
    return jet->coef + jet->opened[slot];
}
/* After the caller has set or changed order s + d_j of the variables: brings what depends on them
 * up to date, by end terms only (docs/math/taylor.md, section 3). From stage 1 on the slots that
 * are kept, and no others. */
void taut_jet_finish(taut_jet *jet, int s);
/* Multiplies order k of the series by ratio^k: changes the scale from h to ratio * h, orders
 * 0 .. s + offset. */
void taut_jet_rescale(taut_jet *jet, double ratio, int s);
/* Number of the first slot whose order 0 .. s + offset holds a NaN or infinity, -1 if there is
 * none.
 */
int taut_jet_bad_slot(const taut_jet *jet, int s);

#endif
