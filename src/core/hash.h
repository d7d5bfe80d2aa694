/* Hashes for tables with a power of two of slots, of the same width on every machine. */
#ifndef TAUT_CORE_HASH_H
#define TAUT_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a of a text, its upper bits folded into those that choose a slot. */
static inline size_t taut_hash_text(const char *text) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 17 ^ hash >> 32);
}

/* Two numbers: multiplicative hashing, of which the upper bits count. */
static inline size_t taut_hash_pair(uint64_t a, uint64_t b) {
    const uint64_t hash = a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (size_t)(hash >> 32);
}

#endif
