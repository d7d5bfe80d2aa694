/* Series of unknowns, or equations, one behind the other, that lie side by side in a jet: loops
 * over them need no places. */
#ifndef TAUT_SOLVE_STRETCH_H
#define TAUT_SOLVE_STRETCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/status.h"

typedef struct taut_stretch {
    double *at; /* where the first of them is at stage 0 */
    int first, count;
    int offset; /* which all of them have */
} taut_stretch;

typedef struct taut_stretches {
    taut_stretch *item;
    int count;
} taut_stretches;

/* As few as there can be for at[n], with these offsets. */
taut_status taut_stretches_create(int n, double *const *at, const int *offset, taut_arena *arena,
                                  taut_stretches *stretches);
/* y[i] = -*at[i] * factor[offset] */
void taut_stretches_take(const taut_stretches *stretches, const double *factor, double *y);
/* at[i][shift] = y[i] / factor[offset]. False: one of y is not finite. */
bool taut_stretches_put(const taut_stretches *stretches, ptrdiff_t shift, const double *factor,
                        const double *y);
/* at[i][shift] += y[i] / factor[offset], or y[i] = 0 where the factor is 0. False: as above. */
bool taut_stretches_add(const taut_stretches *stretches, ptrdiff_t shift, const double *factor,
                        double *y);

#endif
