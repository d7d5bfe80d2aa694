/* The loops of forward.c for WIDTH lanes at a time; it defines
 *   WIDTH            2, 4 or 8
 *   FOR_WIDTH(name)  the name of a function for this width
 *   FOR_PROCESSORS   the processors that it is compiled for
 * The order of operations, and so every digit, is the same for all widths and processors. */

#include "solve/convolve_loops.h"

/* sum += a_0 x_q, and a_1 x_(q-1) if both stages are to be finished. */
TAUT_INLINE void FOR_WIDTH(add_ends)(const taut_forward_row *g, const taut_forward_bench *b, int q,
                                     bool two, VECTOR *sum) {
    for (const taut_forward_term *e = g->moving; e < g->steady; e++) {
        const VECTOR *x = (const VECTOR *)(b->x + e->at) + (ptrdiff_t)q * VECTORS;
        const double *a = b->coef + e->coef;
        for (int v = 0; v < VECTORS; v++) sum[v] += a[0] * x[v];
        for (int v = 0; v < VECTORS && two; v++) sum[v] += a[1] * x[v - VECTORS];
    }
}

/* Coefficient q of the variation of a row, times a factor, in all lanes of a block. begun: most of
 * it was found with the stage before, and is in next[]; otherwise next[] is what can be told of q
 * + 1.
 */
TAUT_INLINE void FOR_WIDTH(add_row)(const taut_forward_row *g, const taut_forward_bench *b, int q,
                                    bool begun, double factor, double *next, double *to) {
    VECTOR sum[VECTORS], later[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        sum[v] = begun ? ((VECTOR *)next)[v] : (VECTOR){0};
        later[v] = (VECTOR){0};
    }
    for (const taut_forward_term *e = g->moving; e < g->steady && !begun; e += 2)
        FOR_WIDTH(convolve)
    (b->coef + e[0].coef, b->x + e[0].at, b->coef + e[1].coef, b->x + e[1].at, q, sum, later);
    FOR_WIDTH(add_ends)(g, b, q, begun, sum);
    for (const taut_forward_term *e = g->steady; e < g->end; e++) {
        const VECTOR *x = (const VECTOR *)(b->x + e->at) + (ptrdiff_t)q * VECTORS;
        for (int v = 0; v < VECTORS; v++) sum[v] += b->coef[e->coef] * x[v];
    }
    for (const taut_forward_term *e = g->number; e < g->number_end; e++) {
        const VECTOR *p = (const VECTOR *)(b->number + e->at);
        for (int v = 0; v < VECTORS && q < e->orders; v++) sum[v] += b->coef[e->coef + q] * p[v];
    }
    for (int v = 0; v < VECTORS; v++) ((VECTOR *)to)[v] = factor * sum[v];
    for (int v = 0; v < VECTORS && !begun; v++) ((VECTOR *)next)[v] = later[v];
}

FOR_PROCESSORS static void FOR_WIDTH(row_of)(const taut_forward_row *g, const taut_forward_bench *b,
                                             int q, double factor, double *to) {
    double next[LANES] __attribute__((aligned(64)));
    FOR_WIDTH(add_row)(g, b, q, false, factor, next, to);
}

/* The right-hand sides of stage s. */
FOR_PROCESSORS static void FOR_WIDTH(sides_of)(const taut_forward *v, const taut_forward_bench *b,
                                               int s, bool begun) {
    const int *c = v->structure->offsets.c;
    for (int i = 0; i < v->system->n; i++) {
        double *side = v->side + (ptrdiff_t)i * LANES;
        if (s + c[i] < 0)
            memset(side, 0, LANES * sizeof *side);
        else
            FOR_WIDTH(add_row)
        (&v->row[i], b, s + c[i], begun, -v->factor[c[i]], v->next + (ptrdiff_t)i * LANES, side);
    }
}

/* Adds the corrections of stage s, and what they are for derivatives. */
FOR_PROCESSORS static void FOR_WIDTH(correct)(const taut_forward *v, int s) {
    const int *d = v->structure->offsets.d, n = v->system->n;
    const ptrdiff_t places = (ptrdiff_t)v->place[n] * VECTORS;
    for (int j = 0; j < n; j++) {
        const int k = s + d[j];
        if (k < 0) continue;
        VECTOR *x = (VECTOR *)v->x + (ptrdiff_t)(v->place[j] + k) * VECTORS;
        const VECTOR *y = (const VECTOR *)v->side + (ptrdiff_t)j * VECTORS;
        for (int l = 0; l < VECTORS; l++) x[l] += y[l] * (1.0 / v->factor[d[j]]);
        double factor = 1.0;
        for (int r = 1; r <= v->highest[j] && r <= k; r++) {
            VECTOR *to = x + r * (places - VECTORS);
            factor *= (double)(k - r + 1) / v->jet->h;
            for (int l = 0; l < VECTORS; l++) to[l] = factor * x[l];
        }
    }
}

#undef VECTORS
#undef VECTOR
#undef FOR_PROCESSORS
#undef FOR_WIDTH
#undef WIDTH
