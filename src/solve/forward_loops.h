/* The loops of forward.c for WIDTH lanes at a time; it defines
 *   WIDTH            2, 4 or 8
 *   FOR_WIDTH(name)  the name of a function for this width
 *   FOR_PROCESSORS   the processors that it is compiled for
 * The order of operations, and so every digit, is the same for all widths and processors. */

typedef double FOR_WIDTH(lanes)
    __attribute__((vector_size(8 * WIDTH), aligned(8 * WIDTH), may_alias));
#define VECTOR FOR_WIDTH(lanes)
enum { FOR_WIDTH(VECTORS) = LANES / WIDTH };
#define VECTORS FOR_WIDTH(VECTORS)

/* sum += a_0 x_q + ... + a_q x_0 of two products, even and odd terms apart: none of these four
 * waits for another. */
TAUT_INLINE void FOR_WIDTH(convolve)(const double *a, const double *x, const double *b,
                                     const double *y, int q, VECTOR *sum) {
    VECTOR part[4][VECTORS];
    const VECTOR *p = (const VECTOR *)x, *r = (const VECTOR *)y;
    for (int v = 0; v < VECTORS; v++)
        part[0][v] = part[1][v] = part[2][v] = part[3][v] = (VECTOR){0};
    int m = q;
    for (; m > 0; m -= 2, p += 2 * VECTORS, r += 2 * VECTORS)
        for (int v = 0; v < VECTORS; v++) {
            part[0][v] += a[m] * p[v];
            part[1][v] += a[m - 1] * p[VECTORS + v];
            part[2][v] += b[m] * r[v];
            part[3][v] += b[m - 1] * r[VECTORS + v];
        }
    for (int v = 0; v < VECTORS && m == 0; v++) part[0][v] += a[0] * p[v];
    for (int v = 0; v < VECTORS && m == 0; v++) part[2][v] += b[0] * r[v];
    for (int v = 0; v < VECTORS; v++)
        sum[v] += (part[0][v] + part[1][v]) + (part[2][v] + part[3][v]);
}

/* Coefficient q of the variation of a row, times a factor, in all lanes of a block. */
TAUT_INLINE void FOR_WIDTH(add_row)(const row *g, const bench *b, int q, double factor,
                                    double *to) {
    VECTOR sum[VECTORS];
    for (int v = 0; v < VECTORS; v++) sum[v] = (VECTOR){0};
    for (const term *e = g->moving; e < g->steady; e += 2) FOR_WIDTH(convolve)
    (b->coef + e[0].coef, b->x + e[0].at, b->coef + e[1].coef, b->x + e[1].at, q, sum);
    for (const term *e = g->steady; e < g->end; e++) {
        const VECTOR *x = (const VECTOR *)(b->x + e->at) + (ptrdiff_t)q * VECTORS;
        for (int v = 0; v < VECTORS; v++) sum[v] += b->coef[e->coef] * x[v];
    }
    for (const term *e = g->number; e < g->number_end; e++) {
        const VECTOR *p = (const VECTOR *)(b->number + e->at);
        for (int v = 0; v < VECTORS && q < e->orders; v++) sum[v] += b->coef[e->coef + q] * p[v];
    }
    for (int v = 0; v < VECTORS; v++) ((VECTOR *)to)[v] = factor * sum[v];
}

FOR_PROCESSORS static void FOR_WIDTH(row_of)(const row *g, const bench *b, int q, double factor,
                                             double *to) {
    FOR_WIDTH(add_row)(g, b, q, factor, to);
}

/* The right-hand sides of stage s. */
FOR_PROCESSORS static void FOR_WIDTH(sides_of)(const taut_forward *v, const bench *b, int s) {
    const int *c = v->structure->offsets.c;
    for (int i = 0; i < v->system->n; i++) {
        double *side = v->side + (ptrdiff_t)i * LANES;
        if (s + c[i] < 0)
            memset(side, 0, LANES * sizeof *side);
        else
            FOR_WIDTH(add_row)(&v->row[i], b, s + c[i], -v->factor[c[i]], side);
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
