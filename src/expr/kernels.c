/* The loops that suit the processor at hand. */
#include "expr/kernels.h"

#include "expr/lanes.h"
#include "expr/layout.h"

#if TAUT_WIDER
#define DISPATCH(name, jet, s)                                                                     \
    (__builtin_cpu_supports("avx512f") ? taut_##name##_by_eight                                    \
     : __builtin_cpu_supports("avx2")  ? taut_##name##_by_four                                     \
                                       : taut_##name##_by_two)(jet, s)
#else
#define DISPATCH(name, jet, s) taut_##name##_by_two(jet, s)
#endif

void taut_kernels_stage(taut_jet *jet, int s) { DISPATCH(stage, jet, s); }
void taut_kernels_open(taut_jet *jet, int s) { DISPATCH(open, jet, s); }
void taut_kernels_finish(taut_jet *jet, int s) { DISPATCH(finish, jet, s); }

void taut_kernels_repack(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    jet->ahead = TAUT_NO_STAGE;
    for (int i = 0; i < l->copies; i++) {
        const taut_copy *c = &l->copy[i];
        for (int k = 0; k <= s + c->offset; k++)
            for (int lane = 0; lane < TAUT_LANES; lane++) {
                const double x = jet->coef[c->source[lane] + (k - c->offset) * TAUT_LANES];
                jet->coef[c->block + k * TAUT_LANES + lane] = c->weighted ? x * (double)k : x;
            }
    }
}
