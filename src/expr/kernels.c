/* Run-time dispatch of the Taylor kernels to the vector width of this processor. */
#include "expr/kernels.h"

#include "core/lanes.h"
#include "expr/layout.h"

void taut_kernels_stage(taut_jet *jet, int s) { TAUT_BY_WIDTH(taut_stage)(jet, s); }
void taut_kernels_open(taut_jet *jet, int s) { TAUT_BY_WIDTH(taut_open)(jet, s); }
void taut_kernels_finish(taut_jet *jet, int s) { TAUT_BY_WIDTH(taut_finish)(jet, s); }

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
