/* Vectors of WIDTH lanes and the convolution that variations and adjoints are made of: included by
 * forward_loops.h and reverse_loops.h, once for each width. */

typedef double FOR_WIDTH(lanes)
    __attribute__((vector_size(8 * WIDTH), aligned(8 * WIDTH), may_alias));
#define VECTOR FOR_WIDTH(lanes)
enum { FOR_WIDTH(VECTORS) = LANES / WIDTH };
#define VECTORS FOR_WIDTH(VECTORS)

/* What the products of two terms have in stages s and s + 1 from coefficients below q:
 * now += a_q x_0 + ... + a_1 x_(q-1), next += a_(q+1) x_0 + ... + a_2 x_(q-1). Every coefficient
 * is read once for both stages. */
TAUT_INLINE void FOR_WIDTH(convolve)(const double *a, const double *x, const double *b,
                                     const double *y, int q, VECTOR *now, VECTOR *next) {
    const VECTOR *p = (const VECTOR *)x, *r = (const VECTOR *)y;
    VECTOR part[4][VECTORS];
    for (int v = 0; v < VECTORS; v++)
        part[0][v] = part[1][v] = part[2][v] = part[3][v] = (VECTOR){0};
    for (int m = q; m > 0; m--, p += VECTORS, r += VECTORS)
        for (int v = 0; v < VECTORS; v++) {
            part[0][v] += a[m] * p[v];
            part[1][v] += a[m + 1] * p[v];
            part[2][v] += b[m] * r[v];
            part[3][v] += b[m + 1] * r[v];
        }
    for (int v = 0; v < VECTORS; v++) {
        now[v] += part[0][v] + part[2][v];
        next[v] += part[1][v] + part[3][v];
    }
}
