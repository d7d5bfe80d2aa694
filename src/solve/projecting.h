/* When the corrections of a projection end (docs/math/step.md, section 4): as it suits the method,
 * below a tolerance, or when rounding is all that is left. */
#ifndef TAUT_SOLVE_PROJECTING_H
#define TAUT_SOLVE_PROJECTING_H

#include <stdbool.h>

typedef struct taut_projecting {
    double wanted; /* corrections beside the scales; 0: as it suits the method; TAUT_PROJECT_FULL */
    double usual;  /* what suits the method: below this a correction was the last one, ... */
    int most;      /* ... and after so many */
    int rounds;    /* so far */
    double before; /* the last one */
} taut_projecting;

taut_projecting taut_projecting_begin(double wanted, double usual, int most);
/* After a correction of this size, beside the scales: is there to be another one? */
bool taut_projecting_goes_on(taut_projecting *projecting, double size);

#endif
