/* Function multiversioning: the instruction sets (SSE2, AVX2, AVX-512) that vectorised loops are
 * compiled for. Such loops are included once for each vector width, since vectors wider than the
 * registers of a processor are spilled to memory; the order of operations, and so every bit of the
 * results, is the same in all versions. */
#ifndef TAUT_CORE_LANES_H
#define TAUT_CORE_LANES_H

#if defined(__x86_64__) && defined(__GNUC__)
#define TAUT_WIDER 1 /* vectors of AVX2 and AVX-512, if the processor has them */
#else
#define TAUT_WIDER 0
#endif

#define TAUT_FOR_FOUR __attribute__((target("avx2")))
/* scheduled for one of them: 3 % faster than for none, on others as well */
#define TAUT_FOR_EIGHT __attribute__((target("avx512f,tune=skylake-avx512")))
/* The version of the function for this processor, by run-time dispatch. */
#if TAUT_WIDER
#define TAUT_BY_WIDTH(name)                                                                        \
    (__builtin_cpu_supports("avx512f") ? name##_by_eight                                           \
     : __builtin_cpu_supports("avx2")  ? name##_by_four                                            \
                                       : name##_by_two)
#else
#define TAUT_BY_WIDTH(name) name##_by_two
#endif

/* For loops of one width. Not under the thread sanitizer: resolvers run before it is ready. */
#if TAUT_WIDER && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define TAUT_ALL_PROCESSORS __attribute__((target_clones("avx2", "default")))
/* The same for vectors of eight lanes. */
#define TAUT_ALL_WIDTHS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TAUT_ALL_PROCESSORS
#define TAUT_ALL_WIDTHS
#endif
#define TAUT_INLINE static inline __attribute__((always_inline))

/* So many runs of one program are computed side by side, a lane each: number i of all of them are
 * the numbers from i * TAUT_ABREAST on. */
enum { TAUT_ABREAST = 8 };

#endif
