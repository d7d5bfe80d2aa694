/* Positions that bring points to targets: Gauss-Newton in the directions that the conditions leave
 * free, and back to the conditions. */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "task/kinematics.h"

enum { ROUNDS = 200, HALVINGS = 12 };
static const double LONGEST = 0.5; /* a step, by sizes */

typedef struct hunt {
    taut_linkage *l;
    const double *wanted;
    double *basis, *matrix, *side, *next;
} hunt;

static double distance_of(const hunt *h) {
    double sum = 0.0;
    for (int i = 0; i < h->l->functions; i++)
        sum += pow(h->l->value[h->l->conditions + i] - h->wanted[i], 2.0);
    return sqrt(sum);
}

/* Steps in the free directions that would reach the target if all were linear; damped by `less`. */
static taut_status find_step(hunt *h, double less, int *free) {
    taut_linkage *l = h->l;
    int rank = 0;
    TAUT_TRY(taut_linkage_freedoms(l, h->basis, free));
    const int rows = l->functions + *free;
    memset(h->matrix, 0, (size_t)rows * (size_t)*free * sizeof *h->matrix);
    memset(h->side, 0, (size_t)(rows + *free) * sizeof *h->side);
    for (int i = 0; i < l->functions; i++) {
        h->side[i] = h->wanted[i] - l->value[l->conditions + i];
        for (int k = 0; k < *free; k++)
            for (int j = 0; j < l->n; j++)
                h->matrix[k * rows + i] +=
                    l->gradient[j * l->rows + l->conditions + i] * h->basis[k * l->n + j];
    }
    for (int k = 0; k < *free; k++) h->matrix[k * rows + l->functions + k] = less;
    return *free > 0 ? taut_least_norm(rows, *free, h->matrix, h->side, 1e-12, &rank) : TAUT_OK;
}

static taut_status approach(hunt *h, double *z, double *distance) {
    taut_linkage *l = h->l;
    double less = 0.0, size = 0.0;
    int free;
    for (int j = 0; j < l->n; j++) size = fmax(size, l->size[j]);
    if (taut_linkage_correct(l, (taut_linkage_goal){0}, z, NULL) != TAUT_OK) return TAUT_SINGULAR;
    *distance = distance_of(h);
    for (int round = 0; round<ROUNDS && * distance> 0.0; round++) {
        bool better = false;
        double step = 0.0, found = HUGE_VAL;
        for (int i = 0; i < HALVINGS && !better; i++) {
            taut_linkage_look(l, z);
            TAUT_TRY(find_step(h, less, &free));
            step = 0.0;
            for (int k = 0; k < free; k++) step += h->side[k] * h->side[k];
            step = sqrt(step);
            const double part = step > LONGEST ? LONGEST / step : 1.0;
            memcpy(h->next, z, (size_t)l->n * sizeof *z);
            for (int k = 0; k < free; k++)
                for (int j = 0; j < l->n; j++)
                    h->next[j] += part * h->side[k] * h->basis[k * l->n + j];
            if (taut_linkage_correct(l, (taut_linkage_goal){0}, h->next, NULL) == TAUT_OK)
                found = distance_of(h);
            better = found < *distance;
            less = better ? 0.1 * less : fmax(10.0 * less, 1e-3 * size);
            if (less < 1e-8 * size) less = 0.0;
        }
        if (!better) break;
        memcpy(z, h->next, (size_t)l->n * sizeof *z);
        *distance = found;
        if (step < 1e-15) break;
    }
    return TAUT_OK;
}

taut_status taut_reach_towards(taut_linkage *l, const double *wanted, double *z, double *distance) {
    taut_arena arena = {0};
    const size_t n = (size_t)l->n, rows = n + (size_t)l->functions;
    hunt h = {.l = l,
              .wanted = wanted,
              .basis = TAUT_NEW_ARRAY(&arena, n * n + 1, double),
              .matrix = TAUT_NEW_ARRAY(&arena, rows * n + 1, double),
              .side = TAUT_NEW_ARRAY(&arena, rows + n + 1, double),
              .next = TAUT_NEW_ARRAY(&arena, n, double)};
    const taut_status status =
        h.basis && h.matrix && h.side && h.next ? approach(&h, z, distance) : TAUT_ERR_MEMORY;
    taut_arena_release(&arena);
    return status;
}
