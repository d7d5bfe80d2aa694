/* Ten rounds of multiplications, with a key that is bumped by Weyl's sequence. */
#include "core/philox.h"

void taut_philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]) {
    uint32_t k0 = key[0], k1 = key[1];
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < 10; round++) {
        const uint64_t p = (uint64_t)0xD2511F53u * c0, q = (uint64_t)0xCD9E8D57u * c2;
        const uint32_t high_p = (uint32_t)(p >> 32), high_q = (uint32_t)(q >> 32);
        c0 = high_q ^ c1 ^ k0;
        c2 = high_p ^ c3 ^ k1;
        c1 = (uint32_t)q;
        c3 = (uint32_t)p;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

uint64_t taut_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

uint64_t taut_random_bits(uint64_t seed, uint64_t number, uint64_t stream) {
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), (uint32_t)stream,
                                 (uint32_t)(stream >> 32)};
    uint32_t out[4];
    taut_philox(key, counter, out);
    return (uint64_t)out[0] << 32 | out[1];
}

/* 2^53 intervals: their middles have 54 bits, which a double near 1 does not have; the last one
 * would round to 1 and is moved to the number before. */
double taut_random_unit(uint64_t bits) {
    const double u = ((double)(bits >> 11) + 0.5) * 0x1p-53;
    return u < 1.0 ? u : 1.0 - 0x1p-53;
}
