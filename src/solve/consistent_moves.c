/* What was found, beside the point itself: the given values that had to move, and how assemblies
 * can be told apart. */
#include <math.h>

#include "solve/consistent_parts.h"

static const double ROUNDING = 1e-12; /* changes below this much of the group's size are no moves */
static const double NOTHING = 1e-40;  /* in any unit */
static const double AMBIGUOUS = 3.0;  /* other assemblies up to this much farther away are told */

/* Has a value of this size moved? */
static bool has_moved(double from, double to, double tol, double size) {
    const double change = fabs(to - from);
    return change > tol * fmax(fabs(from), fabs(to)) && change > fmax(ROUNDING * size, NOTHING);
}

/* ---- assemblies ---- */

/* Up to three guesses in which an assembly differs most from the one taken. */
static void tell_apart(const taut_stage *all, const double *size, const taut_found *taken,
                       const taut_found *found, taut_assembly *assembly) {
    const taut_system *system = all->series->system;
    double least = 0.0;
    for (assembly->telling = 0; assembly->telling < TAUT_TELLING; assembly->telling++) {
        taut_telling best = {0};
        double largest = 0.05;
        for (int q = 0; q < all->columns; q++) {
            const double apart = fabs(found->z[q] - taken->z[q]) / size[q];
            if (all->weight[q] > 1.0 || apart <= largest || (least > 0.0 && apart >= least))
                continue;
            largest = apart;
            best = (taut_telling){system->unknown[all->column[q]].name, taut_stage_order(all, q),
                                  false, found->z[q]};
        }
        for (int row = 0, k = 0; row < all->rows; row++) {
            if (all->row[row] < system->n) continue;
            const taut_condition *c = &system->condition[all->row[row] - system->n];
            if (c->fixed) continue;
            const double apart = fabs(found->turn[k] - taken->turn[k]);
            if (apart > largest && (least == 0.0 || apart < least)) {
                largest = apart;
                best = (taut_telling){c->name, 0, true, found->turn[k]};
            }
            k++;
        }
        if (!best.name) break;
        assembly->item[assembly->telling] = best;
        least = largest;
    }
}

/* Lists what the search has found: all of it if it was asked for, otherwise only if another
 * assembly is nearly as near as the one that is taken. */
taut_status taut_consistent_list(const taut_stage *all, const double *size, bool asked,
                                 const taut_found_list *found, taut_arena *arena,
                                 taut_assemblies *list) {
    if (!list || found->count == 0) return TAUT_OK;
    list->item = TAUT_NEW_ARRAY(arena, found->count, taut_assembly);
    if (!list->item) return TAUT_ERR_MEMORY;
    list->count = 0;
    for (int i = 0; i < found->count; i++) {
        const taut_found *x = &found->item[i];
        if (!asked && x->distance > AMBIGUOUS * found->item[0].distance) break;
        taut_assembly *a = &list->item[list->count++];
        a->distance = x->distance;
        tell_apart(all, size, &found->item[i == 0 && found->count > 1 ? 1 : 0], x, a);
    }
    if (!asked && list->count < 2) list->count = 0;
    return TAUT_OK;
}

/* ---- moves ---- */

/* The largest value of each group and order, as values have become: [groups][orders]. */
static double *group_sizes(const taut_finder *f, int orders, taut_arena *arena) {
    const taut_system *system = f->series->system;
    double *size = TAUT_NEW_ARRAY(arena, (size_t)(system->groups + 1) * (size_t)orders, double);
    for (int j = 0; j < system->n && size; j++)
        for (int k = 0; k < taut_needed(f->series->structure, j) && k < orders; k++) {
            double *cell = &size[system->unknown[j].group * orders + k];
            *cell = fmax(*cell, fabs(taut_series_get(f->series, j, k)));
        }
    return size;
}

/* Listed values of what is no unknown: angles, distances, points that others place. */
static void find_moved_conditions(const taut_finder *f, const taut_order *order, const double *size,
                                  int orders, taut_moves *moves) {
    const taut_system *system = f->series->system;
    taut_series_look(f->series, f->series->structure->quasilinear ? -1 : 0);
    for (int i = 0; i < system->conditions; i++) {
        const taut_condition *c = &system->condition[i];
        const taut_condition_row *row = &f->condition[i];
        double off = taut_series_output(f->series, row->residual, 0), largest = 0.0;
        if (!c->listed || c->fixed || row->stage > 0) continue;
        if (row->side >= 0) off = atan2(off, taut_series_output(f->series, row->side, 0));
        for (int k = 0; k < system->groups && c->order < orders; k++)
            largest = fmax(largest, size[k * orders + c->order]);
        const double from = order->number && c->number >= 0 ? order->number[c->number] : c->value;
        const double to = from + off;
        if (has_moved(from, to, order->tol, largest))
            moves->item[moves->count++] = (taut_move){.variable = -1,
                                                      .name = c->name,
                                                      .part = c->part,
                                                      .order = c->order,
                                                      .from = from,
                                                      .to = to};
    }
}

taut_status taut_consistent_moves(const taut_finder *f, const taut_order *order,
                                  taut_moves *moves) {
    const double tol = order->tol;
    taut_arena *arena = order->arena;
    const taut_system *system = f->series->system;
    const int orders = f->series->structure->largest_d + 1;
    const double *size = group_sizes(f, orders, arena);
    moves->item = TAUT_NEW_ARRAY(arena, system->givens + system->conditions, taut_move);
    moves->count = 0;
    if (!moves->item || !size) return TAUT_ERR_MEMORY;
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < taut_needed(f->series->structure, j); k++) {
            if (!f->given[j][k]) continue;
            const double from = taut_consistent_given(order, f->given[j][k]),
                         to = taut_series_get(f->series, j, k);
            if (has_moved(from, to, tol, size[system->unknown[j].group * orders + k]))
                moves->item[moves->count++] = (taut_move){.variable = f->given[j][k]->name ? -1 : j,
                                                          .name = f->given[j][k]->name,
                                                          .part = f->given[j][k]->part,
                                                          .order = k,
                                                          .from = from,
                                                          .to = to};
        }
    find_moved_conditions(f, order, size, orders, moves);
    return TAUT_OK;
}
