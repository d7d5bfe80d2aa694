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
INLINE void FOR_WIDTH(load)(const taut_small *m, taut_factors *f, const double *value, int parts) {
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
INLINE void FOR_WIDTH(take_off)(const taut_small *m, taut_factors *f, int k, int parts,
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

INLINE bool FOR_WIDTH(eliminate_parts)(const taut_small *m, taut_factors *f, const double *value,
                                       double singular, int parts, taut_elimination *found) {
    taut_elimination e = {.smallest = INFINITY};
    FOR_WIDTH(load)(m, f, value, parts);
    for (int k = 0; k < m->n; k++) {
        FOR_WIDTH(take_off)(m, f, k, parts, &e.multiplier);
        const double size = fabs(f->pivot[k]) / m->largest[k]; /* as if rows had the size 1 */
        if (size < e.smallest) e.smallest = size;
        if (size > e.greatest) e.greatest = size;
        if (!(size > singular * e.greatest)) return false;
    }
    *found = e;
    return true;
}

/* *sum -= entries of column k of a triangle, times the rows of the inverse that belong to them. The
 * one that was found last comes last. */
INLINE void FOR_WIDTH(subtract)(const taut_small *m, const int *place, const taut_columns *c,
                                bool upwards, const double *value, int k, int parts, LANES *sum) {
    const int first = c->start[k], last = c->start[k + 1] - 1;
    for (int at = 0; at <= last - first; at++) {
        const int n = upwards ? last - at : first + at;
        const LANES *row = ROW(m->inverse, place[c->row[n]], parts);
        for (int v = 0; v < VECTORS(parts); v++) sum[v] -= value[c->number[n]] * row[v];
    }
}

/* Solves with the transposed matrix for all unit vectors: lanes are right-hand sides. */
INLINE void FOR_WIDTH(invert_parts)(const taut_small *m, const taut_factors *f, int parts) {
    const int *place = f->pivot_row; /* rows of the inverse need not move when they are done */
    LANES *all = ROW(m->inverse, 0, parts);
    for (int v = 0; v < m->n * VECTORS(parts); v++) all[v] = (LANES){0};
    for (int k = 0; k < m->n; k++)
        ((double *)ROW(m->inverse, place[k], parts))[f->pivot_column[k]] = 1.0;
    for (int k = 0; k < m->n; k++) {
        LANES *row = ROW(m->inverse, place[k], parts), sum[VECTORS(MOST_PARTS)];
        for (int v = 0; v < VECTORS(parts); v++) sum[v] = row[v];
        FOR_WIDTH(subtract)(m, place, &m->above, false, f->upper.value, k, parts, sum);
        for (int v = 0; v < VECTORS(parts); v++) row[v] = sum[v];
    }
    for (int k = m->n - 1; k >= 0; k--) {
        LANES *row = ROW(m->inverse, place[k], parts), sum[VECTORS(MOST_PARTS)];
        const double inverse = 1.0 / f->pivot[k];
        for (int v = 0; v < VECTORS(parts); v++) sum[v] = row[v] * inverse;
        FOR_WIDTH(subtract)(m, place, &m->below, true, f->lower.value, k, parts, sum);
        for (int v = 0; v < VECTORS(parts); v++) row[v] = sum[v];
    }
    for (int k = 0; k < m->n; k++) {
        LANES *row = ROW(m->inverse, place[k], parts);
        for (int v = 0; v < VECTORS(parts); v++) row[v] *= f->scale[k];
    }
}

/* All rows but the last are added up in registers; with it the sums go to their places. */
INLINE void FOR_WIDTH(multiply_parts)(const taut_small *m, double *b, int parts) {
    const double last = b[m->n - 1], *row_of_last = (double *)ROW(m->inverse, m->n - 1, parts);
    LANES sum[VECTORS(MOST_PARTS)];
    for (int v = 0; v < VECTORS(parts); v++) sum[v] = (LANES){0};
    for (int i = 0; i < m->n - 1; i++) {
        const LANES *row = ROW(m->inverse, i, parts);
        for (int v = 0; v < VECTORS(parts); v++) sum[v] += b[i] * row[v];
    }
    for (int v = 0; v < VECTORS(parts); v++) ((LANES *)m->x)[v] = sum[v];
    for (int i = 0; i < m->n; i++) b[i] = m->x[i] + last * row_of_last[i];
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

FOR_PROCESSORS static void FOR_WIDTH(multiply)(const taut_small *m, double *b) {
#define CALL(parts)                                                                                \
    FOR_WIDTH(multiply_parts)(m, b, parts);                                                        \
    break
    BY_PARTS(CALL)
#undef CALL
}

FOR_PROCESSORS static void FOR_WIDTH(multiply_transposed)(const taut_small *m, double *b) {
    const LANES *x = (const LANES *)m->x;
    for (int i = 0; i < m->n; i++) {
        const LANES *row = ROW(m->inverse, i, m->parts);
        double sum[TAUT_SMALL_LANES] __attribute__((aligned(64))) = {0};
        for (int v = 0; v < VECTORS(m->parts); v++) ((LANES *)sum)[v % VECTORS(1)] += row[v] * x[v];
        b[i] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

#undef BY_PARTS
#undef ROW
#undef VECTORS
#undef LANES
#undef FOR_PROCESSORS
#undef FOR_WIDTH
#undef WIDTH
