/* Points of designs. */
#include "task/design.h"

#include <string.h>

#include "core/philox.h"

/* Streams of one name that must not meet: coordinates, permutation, shift. */
enum { FOR_POINT = 0, FOR_ORDER = 1, FOR_SHIFT = 2 };

static uint64_t stream_for(uint64_t stream, unsigned char purpose) {
    return purpose == FOR_POINT ? stream : taut_hash(stream, &purpose, 1);
}

bool taut_design_find(const char *name, taut_design_kind *kind) {
    static const char *const NAME[] = {"random", "latin", "sobol"};
    for (int k = 0; k < 3; k++)
        if (strcmp(name, NAME[k]) == 0) {
            *kind = (taut_design_kind)k;
            return true;
        }
    return false;
}

/* Fisher and Yates: all orders are equally likely. */
static void shuffle(uint32_t *order, long count, uint64_t seed, uint64_t stream) {
    for (long i = 0; i < count; i++) order[i] = (uint32_t)i;
    for (long i = count - 1; i > 0; i--) {
        const uint64_t bits = taut_random_bits(seed, (uint64_t)i, stream);
        const long j = (long)((bits >> 32) * (uint64_t)(i + 1) >> 32);
        const uint32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

taut_status taut_design_prepare(taut_design *d, const char *const *name, taut_arena *arena) {
    d->stream = TAUT_NEW_ARRAY(arena, d->names, uint64_t);
    d->stratum = TAUT_NEW_ARRAY(arena, d->names, uint32_t *);
    d->direction = taut_arena_array(arena, (size_t)d->names, sizeof *d->direction);
    if (!d->stream || !d->stratum || !d->direction) return TAUT_ERR_MEMORY;
    for (int k = 0; k < d->names; k++) {
        d->stream[k] = taut_hash(TAUT_HASH_BEGIN, name[k], strlen(name[k]));
        if (d->kind != TAUT_DESIGN_LATIN) continue;
        d->stratum[k] = TAUT_NEW_ARRAY(arena, d->samples, uint32_t);
        if (!d->stratum[k]) return TAUT_ERR_MEMORY;
        shuffle(d->stratum[k], d->samples, d->seed, stream_for(d->stream[k], FOR_ORDER));
    }
    if (d->kind == TAUT_DESIGN_SOBOL) taut_sobol_directions(d->direction, d->names);
    return TAUT_OK;
}

/* A Sobol' point with a digital shift: adding the same random bits to all points keeps how evenly
 * they lie, and takes them off the faces of the cube. */
static double sobol_at(const taut_design *d, long sample, int k) {
    const uint64_t shift = taut_random_bits(d->seed, 0, stream_for(d->stream[k], FOR_SHIFT));
    uint32_t x = 0;
    for (int bit = 0; bit < TAUT_SOBOL_BITS; bit++)
        if (sample >> bit & 1) x ^= d->direction[k][bit];
    return taut_random_unit(shift ^ (uint64_t)x << 32);
}

double taut_design_at(const taut_design *d, long sample, int k) {
    if (d->kind == TAUT_DESIGN_SOBOL) return sobol_at(d, sample, k);
    const double u = taut_random_unit(
        taut_random_bits(d->seed, (uint64_t)sample, stream_for(d->stream[k], FOR_POINT)));
    if (d->kind == TAUT_DESIGN_RANDOM) return u;
    const double at = ((double)d->stratum[k][sample] + u) / (double)d->samples;
    return at < 1.0 ? at : 1.0 - 0x1p-53;
}
