/* Places inside an interval at which something is looked at: one in each of equal parts, shifted
 * from part to part by a golden-ratio sequence, so that no gap is longer than two parts and a
 * period of what is looked at is never that of the looks. */
#ifndef TAUT_SOLVE_STRATA_H
#define TAUT_SOLVE_STRATA_H

#include <math.h>

/* What a tolerance begins with: a second run, with another one, is to look elsewhere. */
static inline double taut_strata_phase(double tol) {
    const double y = fabs(log10(fmax(tol, 1e-300))) * 7.0 * 0.61803398874989485;
    return y - floor(y);
}

/* Place i of so many, as a number from 0 to points; first: where the sequence begins. */
static inline double taut_strata_place(unsigned first, int i) {
    const double shift = 0.61803398874989485 * (double)((first + (unsigned)i) % 100000u);
    return (double)i + 0.02 + 0.96 * (shift - floor(shift));
}

#endif
