/* The loops of small.c for WIDTH lanes at a time; it defines
 *   WIDTH            2, 4 or 8
 *   FOR_WIDTH(name)  the name of a function for this width
 *   FOR_PROCESSORS   the processors that it is compiled for
 * Where the number of parts is fixed, a row stays in registers. The order of operations, and so
 * every digit, is the same for all widths and processors. */

typedef double FOR_WIDTH(lanes) __attribute__((vector_size(8 * WIDTH), aligned(8 * WIDTH)));
#define LANES FOR_WIDTH(lanes)
#define VECTORS(parts) ((parts)*TAUT_SMALL_LANES / WIDTH)
#define ROW(rows, i, parts) ((LANES *)((rows) + (ptrdiff_t)(i) * (parts)*TAUT_SMALL_LANES))

/* Puts the rows of the matrix, scaled, into rows[]. Vectors are read only when the numbers in them
 * have long been written: a processor would wait for these otherwise. */
TAUT_INLINE void FOR_WIDTH(load)(const taut_small *m, taut_factors *f, const double *value,
                                 int parts) {
    const taut_rows_by_pivots *e = &m->entries;
    LANES *all = ROW(m->rows, 0, parts);
    for (int v = 0; v < m->n * VECTORS(parts); v++) all[v] = (LANES){0};
    for (int i = 0; i < m->n; i++) {
        double *row = (double *)ROW(m->rows, i, parts);
        uint64_t largest = 0;
        for (int k = e->start[i]; k < e->start[i + 1]; k++) {
            const double entry = value[e->number[k]];
            const uint64_t size =
                taut_bits(entry) & ~TAUT_SIGN_BIT; /* in the order of absolute values */
            largest = size > largest ? size : largest;
            row[e->column[k]] = entry;
        }
        f->scale[i] = taut_power_below(taut_from_bits(largest), &m->largest[i]);
    }
    for (int i = 0; i < m->n; i++) {
        LANES *row = ROW(m->rows, i, parts);
        for (int v = 0; v < VECTORS(parts); v++) row[v] *= f->scale[i];
    }
}

/* Takes pivot row k, divided by the pivot, off the rows below it. */
TAUT_INLINE void FOR_WIDTH(take_off)(const taut_small *m, taut_factors *f, int k, int parts,
                                     double *multiplier) {
    LANES *row = ROW(m->rows, k, parts);
    const double pivot = ((double *)row)[k], inverse = 1.0 / pivot;
    LANES u[VECTORS(MOST_PARTS)];
    for (int v = 0; v < VECTORS(parts); v++) row[v] = u[v] = row[v] * inverse;
    for (int n = m->below.start[k]; n < m->below.start[k + 1]; n++) {
        LANES *to = ROW(m->rows, m->below.row[n], parts);
        const double left = ((double *)to)[k], l = left / pivot;
        for (int v = 0; v < VECTORS(parts); v++) to[v] -= left * u[v];
        f->lower.value[m->below.number[n]] = l;
        if (fabs(l) > *multiplier) *multiplier = fabs(l);
    }
    f->pivot[k] = pivot;
    const double *from = (const double *)row;
    for (int n = f->upper.start[k]; n < f->upper.start[k + 1]; n++)
        f->upper.value[n] = from[f->upper.column[n]];
}

TAUT_INLINE bool FOR_WIDTH(eliminate_parts)(const taut_small *m, taut_factors *f,
                                            const double *value, double singular, int parts,
                                            taut_elimination *found) {
    taut_elimination e = {.smallest = (double)INFINITY};
    FOR_WIDTH(load)(m, f, value, parts);
    for (int k = 0; k < m->n; k++) {
        FOR_WIDTH(take_off)(m, f, k, parts, &e.multiplier);
        const double size = fabs(f->pivot[k]) / m->largest[k]; /* as if rows had the size 1 */
        if (size < e.smallest) e.smallest = size;
        if (size > e.greatest) e.greatest = size;
        e.deficient = !(size > singular * e.greatest);
        if (e.deficient && k + 1 < m->n) return false;
    }
    *found = e;
    return !e.deficient;
}

/* Solves with a transposed triangle for all unit vectors: lanes are right-hand sides, lane[k] the
 * one that is 1 in row k. So row k of the result is column k of the triangle's inverse. upwards:
 * from the last row to the first. In a sum the row that was found last comes last. */
TAUT_INLINE void FOR_WIDTH(invert_triangle)(const taut_sparsity *c, const double *value,
                                            const int *lane, bool upwards, int n, int parts,
                                            double *inverse) {
    LANES *all = ROW(inverse, 0, parts);
    for (int v = 0; v < n * VECTORS(parts); v++) all[v] = (LANES){0};
    for (int k = 0; k < n; k++) ((double *)ROW(inverse, k, parts))[lane ? lane[k] : k] = 1.0;
    for (int step = 0; step < n; step++) {
        const int k = upwards ? n - 1 - step : step;
        const int first = c->start[k], last = c->start[k + 1] - 1;
        LANES *row = ROW(inverse, k, parts), sum[VECTORS(MOST_PARTS)];
        for (int v = 0; v < VECTORS(parts); v++) sum[v] = row[v];
        for (int at = 0; at <= last - first; at++) {
            const int entry = upwards ? last - at : first + at;
            const LANES *other = ROW(inverse, c->row[entry], parts);
            for (int v = 0; v < VECTORS(parts); v++) sum[v] -= value[c->number[entry]] * other[v];
        }
        for (int v = 0; v < VECTORS(parts); v++) row[v] = sum[v];
    }
}

TAUT_INLINE void FOR_WIDTH(invert_parts)(const taut_small *m, const taut_factors *f, int parts) {
    FOR_WIDTH(invert_triangle)
    (&m->above, f->upper.value, f->pivot_column, false, m->n, parts, m->upper);
    FOR_WIDTH(invert_triangle)(&m->below, f->lower.value, NULL, true, m->n, parts, m->lower);
    for (int k = 0; k < m->n; k++) {
        LANES *row = ROW(m->lower, k, parts);
        for (int v = 0; v < VECTORS(parts); v++) row[v] *= f->scale[k];
        m->pivot[k] = f->pivot[k];
    }
}

/* *sum += the rows of the lower triangle's inverse that begin in this part: before is nothing. */
TAUT_INLINE void FOR_WIDTH(add_lower)(const taut_small *m, const taut_factors *f, const double *b,
                                      int part, int parts, LANES *sum) {
    const int end = (part + 1) * TAUT_SMALL_LANES;
    for (int k = part * TAUT_SMALL_LANES; k < (end < m->n ? end : m->n); k++) {
        const LANES *row = ROW(m->lower, k, parts);
        const double from = b[f->pivot_row[k]];
        for (int v = VECTORS(part); v < VECTORS(parts); v++) sum[v] += from * row[v];
    }
}

/* The last row of the upper triangle's inverse is added while the sums go to their places. */
TAUT_INLINE void FOR_WIDTH(multiply_parts)(const taut_small *m, const taut_factors *f, double *b,
                                           int parts) {
    const double *last = (double *)ROW(m->upper, m->n - 1, parts);
    LANES sum[VECTORS(MOST_PARTS)], *x = (LANES *)m->x;
    for (int v = 0; v < VECTORS(parts); v++) sum[v] = (LANES){0};
    /* written out: in a loop over parts the sums would not stay in registers */
    if (parts > 0) FOR_WIDTH(add_lower)(m, f, b, 0, parts, sum);
    if (parts > 1) FOR_WIDTH(add_lower)(m, f, b, 1, parts, sum);
    if (parts > 2) FOR_WIDTH(add_lower)(m, f, b, 2, parts, sum);
    if (parts > 3) FOR_WIDTH(add_lower)(m, f, b, 3, parts, sum);
    if (parts > 4) FOR_WIDTH(add_lower)(m, f, b, 4, parts, sum);
    if (parts > 5) FOR_WIDTH(add_lower)(m, f, b, 5, parts, sum);
    for (int v = 0; v < VECTORS(parts); v++) x[v] = sum[v] / ((const LANES *)m->pivot)[v];
    for (int v = 0; v < VECTORS(parts); v++) sum[v] = (LANES){0};
    for (int k = 0; k < m->n - 1; k++) {
        const LANES *row = ROW(m->upper, k, parts);
        for (int v = 0; v < VECTORS(parts); v++) sum[v] += m->x[k] * row[v];
    }
    const double of_last = m->x[m->n - 1];
    for (int v = 0; v < VECTORS(parts); v++) x[v] = sum[v];
    for (int i = 0; i < m->n; i++) b[i] = m->x[i] + of_last * last[i];
}

/* x[k] = row k of an inverse times y, k < n. */
TAUT_INLINE void FOR_WIDTH(products)(const taut_small *m, const double *inverse, const double *y,
                                     double *x) {
    for (int k = 0; k < m->n; k++) {
        const LANES *row = ROW(inverse, k, m->parts), *other = (const LANES *)y;
        double sum[TAUT_SMALL_LANES] __attribute__((aligned(64))) = {0};
        for (int v = 0; v < VECTORS(m->parts); v++)
            ((LANES *)sum)[v % VECTORS(1)] += row[v] * other[v];
        x[k] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

/* With a row in every case its loops over vectors have no end to look for. */
#define BY_PARTS(call)                                                                             \
    switch (m->parts) {                                                                            \
    case 1: call(1);                                                                               \
    case 2: call(2);                                                                               \
    case 3: call(3);                                                                               \
    case 4: call(4);                                                                               \
    default: call(m->parts);                                                                       \
    }

FOR_PROCESSORS static bool FOR_WIDTH(eliminate)(const taut_small *m, taut_factors *f,
                                                const double *value, double singular,
                                                taut_elimination *found){
#define CALL(parts) return FOR_WIDTH(eliminate_parts)(m, f, value, singular, parts, found)
    BY_PARTS(CALL)
#undef CALL
}

FOR_PROCESSORS static void FOR_WIDTH(invert)(const taut_small *m, const taut_factors *f) {
#define CALL(parts)                                                                                \
    FOR_WIDTH(invert_parts)(m, f, parts);                                                          \
    break
    BY_PARTS(CALL)
#undef CALL
}

FOR_PROCESSORS static void FOR_WIDTH(multiply)(const taut_small *m, const taut_factors *f,
                                               double *b) {
#define CALL(parts)                                                                                \
    FOR_WIDTH(multiply_parts)(m, f, b, parts);                                                     \
    break
    BY_PARTS(CALL)
#undef CALL
}

FOR_PROCESSORS static void FOR_WIDTH(multiply_transposed)(const taut_small *m,
                                                          const taut_factors *f, double *b) {
    FOR_WIDTH(products)(m, m->upper, m->x, m->y);
    for (int k = 0; k < m->n; k++) m->y[k] /= m->pivot[k];
    FOR_WIDTH(products)(m, m->lower, m->y, m->x);
    for (int k = 0; k < m->n; k++) b[f->pivot_row[k]] = m->x[k];
}

#undef BY_PARTS
#undef ROW
#undef VECTORS
#undef LANES
#undef FOR_PROCESSORS
#undef FOR_WIDTH
#undef WIDTH
