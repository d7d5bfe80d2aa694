/* From terms to a matrix, and its factors. */
#include "solve/newton.h"

#include <string.h>

enum { POWERS = 32 };

/* The numbers of terms in from[], by row or by column, otherwise in the order they had. */
static void distribute(const taut_newton *w, bool by_column, const int *from, int *next, int *to) {
    memset(next, 0, (size_t)(w->size + 1) * sizeof *next);
    for (int k = 0; k < w->terms; k++) next[(by_column ? w->term[k].column : w->term[k].row) + 1]++;
    for (int i = 0; i < w->size; i++) next[i + 1] += next[i];
    for (int k = 0; k < w->terms; k++) {
        const taut_newton_term *x = &w->term[from ? from[k] : k];
        to[next[by_column ? x->column : x->row]++] = from ? from[k] : k;
    }
}

/* Columns, rows and targets; terms of the same entry share one. */
static taut_status compress(taut_newton *w, taut_arena *scratch) {
    int *next = TAUT_NEW_ARRAY(scratch, w->size + 1, int);
    int *by_row = TAUT_NEW_ARRAY(scratch, w->terms, int);
    int *sorted = TAUT_NEW_ARRAY(scratch, w->terms, int);
    if (!next || !by_row || !sorted) return TAUT_ERR_MEMORY;
    distribute(w, false, NULL, next, by_row);
    distribute(w, true, by_row, next, sorted);
    int entries = 0;
    const taut_newton_term *last = NULL;
    for (int k = 0; k < w->terms; k++) {
        taut_newton_term *x = &w->term[sorted[k]];
        if (!last || x->column != last->column || x->row != last->row) {
            w->row[entries++] = x->row;
            w->start[x->column + 1] = entries;
        }
        x->target = entries - 1;
        last = x;
    }
    for (int c = 0; c < w->size; c++)
        if (w->start[c + 1] < w->start[c]) w->start[c + 1] = w->start[c];
    return TAUT_OK;
}

static taut_status create_sparse(taut_newton *w, const taut_newton *larger, taut_arena *arena) {
    taut_arena scratch = {0};
    w->start = TAUT_NEW_ARRAY(arena, w->size + 1, int);
    w->row = TAUT_NEW_ARRAY(arena, w->terms, int);
    w->value = larger ? larger->value : TAUT_NEW_ARRAY(arena, w->terms, double);
    if (!w->start || !w->row || !w->value) return TAUT_ERR_MEMORY;
    taut_status status = compress(w, &scratch);
    taut_arena_release(&scratch);
    TAUT_TRY(status);
    status = taut_lu_create_lopsided(w->size, w->start, w->row, &w->lu);
    return status == TAUT_SINGULAR ? TAUT_OK : status; /* factoring will say so */
}

/* A staircase; rows have their entries from the first to the last term. */
static taut_status create_stairs(taut_newton *w, const int *reach, const taut_newton *larger,
                                 taut_arena *arena) {
    int *first = TAUT_NEW_ARRAY(arena, w->size, int), *end = TAUT_NEW_ARRAY(arena, w->size, int);
    if (!first || !end) return TAUT_ERR_MEMORY;
    for (int i = 0; i < w->size; i++) first[i] = w->size;
    for (int k = 0; k < w->terms; k++) {
        const taut_newton_term *x = &w->term[k];
        if (x->column < first[x->row]) first[x->row] = x->column;
        if (x->column >= end[x->row]) end[x->row] = x->column + 1;
    }
    for (int i = 0; i < w->size; i++)
        if (end[i] == 0) first[i] = 0; /* an empty row */
    const taut_stairs_shape shape = {reach, first, end};
    if (larger)
        taut_stairs_share(&larger->stairs, w->size, shape, &w->stairs);
    else
        TAUT_TRY(taut_stairs_create(w->size, shape, arena, &w->stairs));
    for (int k = 0; k < w->terms; k++)
        w->term[k].target = w->term[k].row * w->stairs.stride + w->term[k].column;
    return TAUT_OK;
}

taut_status taut_newton_create(int size, taut_newton_term *term, int terms, const int *reach,
                               bool dense, const taut_newton *larger, taut_arena *arena,
                               taut_newton *w) {
    *w = (taut_newton){.size = size, .term = term, .terms = terms, .dense = dense};
    for (int k = 0; k < terms; k++)
        if (term[k].power > w->highest) w->highest = term[k].power;
    if (w->highest >= POWERS) return TAUT_ERR_CALL;
    return dense ? create_stairs(w, reach, larger, arena) : create_sparse(w, larger, arena);
}

void taut_newton_free(taut_newton *w) { taut_lu_free(&w->lu); }

taut_status taut_newton_factor(taut_newton *w, double h) {
    double power[POWERS] = {1.0}, *value = w->dense ? w->stairs.entry : w->value;
    for (int r = 1; r <= w->highest; r++) power[r] = power[r - 1] / h;
    if (w->dense)
        taut_stairs_clear(&w->stairs);
    else
        memset(value, 0, (size_t)w->start[w->size] * sizeof *value);
    for (int k = 0; k < w->terms; k++) {
        const taut_newton_term *x = &w->term[k];
        value[x->target] += x->factor * power[x->power] * *x->source;
    }
    if (w->dense) return taut_stairs_factor(&w->stairs);
    return w->lu ? taut_lu_factor(w->lu, value) : TAUT_SINGULAR;
}

void taut_newton_solve(const taut_newton *w, double *b) {
    if (w->dense)
        taut_stairs_solve(&w->stairs, b);
    else
        taut_lu_solve(w->lu, b);
}
