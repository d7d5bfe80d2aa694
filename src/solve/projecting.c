/* The end of a projection. */
#include "solve/projecting.h"

#include <math.h>

#include "taut/run.h"

enum { MOST = 20 };                /* corrections that somebody has asked for */
static const double FALLING = 0.5; /* one that is no smaller than this part of the last is noise */

taut_projecting taut_projecting_begin(double wanted, double usual, int most) {
    return (taut_projecting){
        .wanted = wanted, .usual = usual, .most = most, .before = (double)INFINITY};
}

bool taut_projecting_goes_on(taut_projecting *p, double size) {
    const double before = p->before;
    p->before = size;
    p->rounds++;
    if (p->wanted == 0.0) return p->rounds < p->most && !(size < p->usual);
    if (p->rounds >= MOST || !(size > 0.0)) return false;
    return p->wanted == TAUT_PROJECT_FULL ? size < FALLING * before : size > p->wanted;
}
