/* Distances from the guesses; perturbed starts, and the choice between what they find. */
#include "solve/assembly_parts.h"

#include <math.h>
#include <string.h>

#include "solve/homotopy.h"
#include "solve/state.h"

enum { AUTOMATIC_STARTS = 16 };
static const double PERTURBATION = 0.3; /* of the size, either way */
static const double SAME = 1e-4;        /* assemblies this close, relative to sizes, are one */
static const double NEARER = 0.95;      /* what must be gained by leaving Gauss-Newton's point */

/* ---- sizes and distances ---- */

/* The extent of the guesses in a group, with 0. Variables that are alone in their groups share one:
 * nothing is known about their units. Where a group has only zeros, the largest of all groups. */
static taut_status find_sizes(taut_assembler *a) {
    const taut_stage *g = a->rows;
    const taut_system *system = g->series->system;
    const int *d = g->series->structure->offsets.d, common = system->groups;
    taut_arena arena = {0};
    double *low = TAUT_NEW_ARRAY(&arena, system->groups + 1, double);
    double *high = TAUT_NEW_ARRAY(&arena, system->groups + 1, double), largest = 0.0;
    int *group = TAUT_NEW_ARRAY(&arena, system->n, int);
    int *members = TAUT_NEW_ARRAY(&arena, system->groups + 1, int);
    if (!low || !high || !group || !members) {
        taut_arena_release(&arena);
        return TAUT_ERR_MEMORY;
    }
    for (int j = 0; j < system->n; j++) members[system->unknown[j].group]++;
    for (int j = 0; j < system->n; j++) { /* fixed ones count as well */
        const int k = g->s + d[j], own = system->unknown[j].group;
        group[j] = members[own] > 1 ? own : common;
        if (k < 0) continue;
        const double x = g->place[j] < 0 ? taut_series_get(g->series, j, k) : a->guess[g->place[j]];
        if (!isfinite(x)) continue;
        low[group[j]] = fmin(low[group[j]], x);
        high[group[j]] = fmax(high[group[j]], x);
        largest = fmax(largest, high[group[j]] - low[group[j]]);
    }
    if (largest == 0.0) largest = 1.0;
    for (int q = 0; q < g->columns; q++) {
        const int i = group[g->column[q]];
        a->size[q] = high[i] > low[i] ? high[i] - low[i] : largest;
    }
    taut_arena_release(&arena);
    return TAUT_OK;
}

/* How far a condition that is a guess is off: an angle in radians, anything else relative to its
 * terms. all has been evaluated. */
static double turn(const taut_stage *all, int row) {
    const taut_condition_row *c = &all->finder->condition[all->row[row] - all->series->system->n];
    if (c->side < 0) return all->residual[row] / all->scale[row];
    return atan2(all->residual[row], taut_series_output(all->series, c->side, 0));
}

bool taut_assembler_is_guess(const taut_stage *all, int row) {
    const taut_system *system = all->series->system;
    return all->row[row] >= system->n && !system->condition[all->row[row] - system->n].fixed;
}

void taut_assembler_distance(taut_assembler *a, double *distance, double *largest) {
    taut_stage *g = a->rows, *all = a->all;
    double sum = 0.0;
    *largest = 0.0;
    taut_stage_get(g, a->z);
    for (int q = 0; q < g->columns; q++) {
        if (g->weight[q] > 1.0) continue;
        const double change = fabs(a->z[q] - a->guess[q]) / a->size[q];
        sum += change * change;
        *largest = fmax(*largest, change);
    }
    if (all->rows > g->rows) taut_stage_evaluate(all);
    for (int row = 0; row < all->rows; row++) {
        if (!taut_assembler_is_guess(all, row)) continue;
        const double change = fabs(turn(all, row));
        sum += change * change;
        *largest = fmax(*largest, change);
    }
    *distance = sqrt(sum);
}

taut_status taut_assembler_create(taut_stage *rows, taut_stage *all, const double *guess,
                                  const double *start, taut_arena *arena,
                                  taut_assembler **assembler) {
    taut_assembler *a = NULL;
    size_t room = 0;
    int bad;
    *assembler = NULL;
    if (taut_grow((void **)&a, &room, 1, sizeof *a)) return TAUT_ERR_MEMORY;
    *a = (taut_assembler){.rows = rows, .all = all, .guess = guess, .start = start, .out = arena};
    a->size = TAUT_NEW_ARRAY(&a->arena, rows->columns, double);
    a->z = TAUT_NEW_ARRAY(&a->arena, rows->columns, double);
    a->kept = TAUT_NEW_ARRAY(&a->arena, rows->rows, int);
    a->tau = TAUT_NEW_ARRAY(&a->arena, rows->rows, double);
    taut_status status = a->size && a->z && a->kept && a->tau ? find_sizes(a) : TAUT_ERR_MEMORY;
    if (status == TAUT_OK && taut_stage_evaluate(all)) taut_stage_linearize(all, &bad);
    *assembler = a;
    if (status != TAUT_OK) taut_assembler_free(assembler);
    return status;
}

void taut_assembler_free(taut_assembler **assembler) {
    if (!*assembler) return;
    taut_series_free(&(*assembler)->series);
    taut_arena_release(&(*assembler)->arena);
    taut_release((void **)assembler);
}

const double *taut_assembler_size(const taut_assembler *a) { return a->size; }

/* ---- several assemblies ---- */

/* Adds the series' point to the list, which stays sorted, unless it is there already. */
static taut_status note_found(taut_assembler *a, taut_found_list *list) {
    const taut_stage *g = a->rows;
    double largest;
    taut_found new = {.z = TAUT_NEW_ARRAY(a->out, g->columns, double),
                      .turn = TAUT_NEW_ARRAY(a->out, a->all->rows - g->rows, double)};
    taut_found *item = TAUT_NEW_ARRAY(a->out, list->count + 1, taut_found);
    if (!new.z || !new.turn || !item) return TAUT_ERR_MEMORY;
    taut_assembler_distance(a, &new.distance, &largest);
    taut_stage_get(g, new.z);
    for (int row = 0, k = 0; row < a->all->rows; row++)
        if (taut_assembler_is_guess(a->all, row)) new.turn[k++] = turn(a->all, row);
    int at = 0;
    for (int i = 0; i < list->count; i++) {
        double apart = 0.0;
        for (int q = 0; q < g->columns; q++)
            apart = fmax(apart, fabs(list->item[i].z[q] - new.z[q]) / a->size[q]);
        if (apart < SAME) return TAUT_OK;
        if (list->item[i].distance <= new.distance) at = i + 1;
    }
    for (int i = 0; i < list->count; i++) item[i < at ? i : i + 1] = list->item[i];
    item[at] = new;
    list->item = item;
    list->count++;
    return TAUT_OK;
}

/* From a point that satisfies the stage along the assembly to the point nearest to the guesses; as
 * many independent rows as unknowns leave no way to go. Where there is no IPOPT, the point itself
 * has to do. */
static taut_status slide(taut_assembler *a, bool *found) {
    TAUT_TRY(taut_assembler_set_up(a));
    *found = true;
    if (a->nlp.m == a->rows->columns) return TAUT_OK;
    TAUT_TRY(taut_assembler_nearest(a, found));
    if (a->no_optimiser) *found = true;
    return TAUT_OK;
}

/* From a start to an assembly. turned (columns): work space. */
static taut_status try_start(taut_assembler *a, const double *start, double *turned,
                             taut_found_list *list) {
    taut_outcome outcome;
    bool found;
    int bad;
    taut_stage_set(a->rows, start);
    if (taut_stage_evaluate(a->all) && !taut_stage_right_side(a->all))
        TAUT_TRY(taut_stage_turn(a->all));
    taut_stage_get(a->rows, turned);
    TAUT_TRY(taut_stage_solve(a->rows, &outcome, &bad));
    if (outcome == TAUT_MET) {
        TAUT_TRY(slide(a, &found));
    } else {
        taut_stage_set(a->rows, turned);
        TAUT_TRY(taut_assembler_nearest(a, &found));
    }
    return found && taut_stage_right_side(a->rows) ? note_found(a, list) : TAUT_OK;
}

static taut_status try_perturbed(taut_assembler *a, int starts, taut_found_list *list) {
    taut_arena arena = {0};
    const int n = a->rows->columns;
    unsigned long long seed = 20240229u;
    double *z = TAUT_NEW_ARRAY(&arena, 2 * n, double);
    taut_status status = z ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < starts && status == TAUT_OK; i++) {
        /* in turn around the guesses and around the nearest that was found */
        const double *from = i % 2 && list->count > 0 ? list->item[0].z : a->start;
        for (int q = 0; q < n; q++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const double u = 2.0 * (double)(seed >> 11) / 9007199254740992.0 - 1.0;
            z[q] = from[q] + PERTURBATION * a->size[q] * u;
        }
        status = try_start(a, z, z + n, list);
    }
    taut_arena_release(&arena);
    return status;
}

/* Homotopy from the start, then along the assembly to its nearest point. */
static taut_status try_homotopy(taut_assembler *a, bool nearest, taut_found_list *list) {
    bool reached, found = true;
    taut_stage_set(a->rows, a->start);
    TAUT_TRY(taut_homotopy_follow(a->rows, a->size, &reached));
    if (reached && nearest) TAUT_TRY(slide(a, &found));
    return reached && found && taut_stage_right_side(a->rows) ? note_found(a, list) : TAUT_OK;
}

taut_status taut_assembler_search(taut_assembler *a, const taut_search *search,
                                  taut_outcome *outcome, taut_found_list *list) {
    taut_stage *g = a->rows;
    taut_arena arena = {0};
    const int methods = search->methods;
    double distance = HUGE_VAL, largest = 0.0;
    double *before = TAUT_NEW_ARRAY(&arena, g->columns, double); /* Gauss-Newton's point */
    taut_found_list found = {0};
    bool nearest = false;
    taut_status status = before ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        taut_stage_get(g, before);
        if (*outcome == TAUT_MET && !taut_stage_right_side(a->rows)) *outcome = TAUT_UNMET;
        if (*outcome == TAUT_MET) taut_assembler_distance(a, &distance, &largest);
    }
    if (status == TAUT_OK && methods & TAUT_BY_IPOPT) {
        if (*outcome == TAUT_MET) { /* along the assembly that is there already */
            status = slide(a, &nearest);
            if (status == TAUT_OK && nearest) status = note_found(a, &found);
        }
        taut_stage_set(g, a->start);
        if (status == TAUT_OK) status = taut_assembler_nearest(a, &nearest);
        if (status == TAUT_OK && nearest && taut_stage_right_side(a->rows))
            status = note_found(a, &found);
    }
    if (status == TAUT_OK && methods & TAUT_BY_HOMOTOPY && *outcome != TAUT_MET && found.count == 0)
        status = try_homotopy(a, methods & TAUT_BY_IPOPT, &found);
    if (status == TAUT_OK && methods & TAUT_BY_STARTS)
        status = try_perturbed(a, search->starts > 0 ? search->starts : AUTOMATIC_STARTS, &found);
    if (status == TAUT_OK) {
        const bool other = found.count > 0 && found.item[0].distance < NEARER * distance;
        taut_stage_set(g, other ? found.item[0].z : before);
        if (other) *outcome = TAUT_MET;
        taut_stage_evaluate(g);
    }
    *list = found;
    taut_arena_release(&arena);
    return status;
}
