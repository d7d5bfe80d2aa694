/* The loops of reverse.c for WIDTH lanes at a time; WIDTH, FOR_WIDTH and FOR_PROCESSORS are as in
 * forward_loops.h. */

#include "solve/convolve_loops.h"

/* The newest products: a_0 w_q of all terms, and a_1 w_(q-1) where the rest is there already. */
TAUT_INLINE void FOR_WIDTH(add_newest)(const term *e, const double *coef, const double *w, int u,
                                       bool two, VECTOR *sum) {
    const int q = u - e->lag;
    if (q < 0) return;
    const VECTOR *x = (const VECTOR *)(w + e->at) + (ptrdiff_t)q * VECTORS;
    const double *a = coef + e->coef;
    for (int l = 0; l < VECTORS; l++) sum[l] += a[0] * x[l];
    for (int l = 0; l < VECTORS && two && q > 0; l++) sum[l] += a[1] * x[l - VECTORS];
}

/* What the adjoints of equations give to the coefficient of one derivative, u stages from the end.
 * begun: most of it was found a stage before, and is in next[]. */
TAUT_INLINE void FOR_WIDTH(add_plane)(const plane *g, const double *coef, const double *w, int u,
                                      bool begun, double *next, VECTOR *sum) {
    VECTOR later[VECTORS];
    for (int l = 0; l < VECTORS; l++) {
        sum[l] = begun ? ((VECTOR *)next)[l] : (VECTOR){0};
        later[l] = (VECTOR){0};
    }
    for (const term *e = g->moving; e < g->steady && !begun; e += 2)
        if (u > e->lag) FOR_WIDTH(convolve)
    (coef + e[0].coef, w + e[0].at, coef + e[1].coef, w + e[1].at, u - e->lag, sum, later);
    for (const term *e = g->moving; e < g->steady; e++)
        FOR_WIDTH(add_newest)(e, coef, w, u, begun, sum);
    for (const term *e = g->steady; e < g->end; e++)
        FOR_WIDTH(add_newest)(e, coef, w, u, false, sum);
    for (int l = 0; l < VECTORS && !begun; l++) ((VECTOR *)next)[l] = later[l];
}

/* Adjoints of the unknowns of stage s, and the right-hand sides that they are. */
FOR_PROCESSORS static void FOR_WIDTH(gather_stage)(const taut_reverse *r, int s, bool begun) {
    const taut_forward *v = r->forward;
    const int u = v->stage - s, *d = v->structure->offsets.d;
    VECTOR sum[VECTORS];
    for (int j = 0; j < v->system->n; j++) {
        const int k = s + d[j];
        VECTOR *side = (VECTOR *)r->side + (ptrdiff_t)j * VECTORS;
        if (k < 0) {
            memset(side, 0, LANES * sizeof(double));
            continue;
        }
        VECTOR *x = (VECTOR *)r->x + (ptrdiff_t)(v->place[j] + k) * VECTORS;
        for (int p = r->first_plane[j]; p < r->first_plane[j + 1]; p++) {
            const plane *g = &r->plane[p];
            if (k < g->order) continue;
            FOR_WIDTH(add_plane)
            (g, v->coef, r->w, u, begun, r->next + (ptrdiff_t)p * LANES, sum);
            const double factor = derivative_factor(k, g->order, v->jet->h);
            for (int l = 0; l < VECTORS; l++) x[l] += factor * sum[l];
        }
        for (int l = 0; l < VECTORS; l++) side[l] = x[l] * (1.0 / r->factor[d[j]]);
    }
}

#undef VECTORS
#undef VECTOR
#undef FOR_PROCESSORS
#undef FOR_WIDTH
#undef WIDTH
