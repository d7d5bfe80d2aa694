/* Random numbers by a counter: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (2011). The number for a key and a counter depends on nothing else,
 * so it is the same in any order and in any thread. */
#ifndef TAUT_CORE_PHILOX_H
#define TAUT_CORE_PHILOX_H

#include <stddef.h>
#include <stdint.h>

void taut_philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);

/* FNV-1a of bytes, continued from hash; begin with TAUT_HASH_BEGIN. */
#define TAUT_HASH_BEGIN 0xcbf29ce484222325u
uint64_t taut_hash(uint64_t hash, const void *bytes, size_t size);

/* 64 random bits for a seed, a number and a stream (the hash of a name). */
uint64_t taut_random_bits(uint64_t seed, uint64_t number, uint64_t stream);
/* The same as a number inside (0, 1): the middle of one of 2^53 intervals, never 0 or 1. */
double taut_random_unit(uint64_t bits);

#endif
