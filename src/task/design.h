/* Where in the unit cube samples lie: independent random points, a Latin hypercube, or Sobol'
 * points. A coordinate is found from the seed, the sample's number and the name alone. */
#ifndef TAUT_TASK_DESIGN_H
#define TAUT_TASK_DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/status.h"

enum { TAUT_SOBOL_MOST = 64, TAUT_SOBOL_BITS = 32 };

typedef enum taut_design_kind {
    TAUT_DESIGN_RANDOM,
    TAUT_DESIGN_LATIN,
    TAUT_DESIGN_SOBOL
} taut_design_kind;

typedef struct taut_design {
    taut_design_kind kind;
    long samples;
    uint64_t seed;
    int names;
    uint64_t *stream;                       /* [names] hash of a name */
    uint32_t **stratum;                     /* [names][samples] Latin: a permutation */
    uint32_t (*direction)[TAUT_SOBOL_BITS]; /* [names] Sobol': direction numbers */
} taut_design;

/* The kind of this name; false: there is none. */
bool taut_design_find(const char *name, taut_design_kind *kind);
/* Prepares design->names coordinates for these names; the rest of it is filled in already. */
taut_status taut_design_prepare(taut_design *design, const char *const *name, taut_arena *arena);
/* Coordinate k of a sample, inside (0, 1). */
double taut_design_at(const taut_design *design, long sample, int k);

/* Direction numbers of the first `count` dimensions, count <= TAUT_SOBOL_MOST. */
void taut_sobol_directions(uint32_t (*direction)[TAUT_SOBOL_BITS], int count);

#endif
