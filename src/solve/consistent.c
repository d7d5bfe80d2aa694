/* The consistent initial point, stage by stage: Gauss-Newton from the guesses, and where that does
 * not get there or goes far, a search for the nearest assembly. Fixed values stay as they are to
 * the last bit. */
#include <math.h>

#include "solve/closing.h"
#include "solve/consistent_parts.h"
#include "solve/least.h"
#include "solve/state.h"

static const double FAR = 0.1; /* a change of this much of the size asks for a search */

/* ---- solving a stage ---- */

/* The last resort, and the first step of the report: a point of least squares. */
static taut_status settle_for_least(taut_stage *g, taut_outcome *outcome) {
    TAUT_TRY(taut_stage_compromise(g));
    if (taut_stage_misfit(g) < TAUT_RESIDUAL_LIMIT && taut_stage_right_side(g)) *outcome = TAUT_MET;
    return TAUT_OK;
}

/* Are several assemblies wanted? They are looked for among the positions. */
static bool several(const taut_order *order, const taut_stage *g) {
    return order->search.starts > 0 && g->s == -g->series->structure->largest_d;
}

/* After Gauss-Newton: is its result near the guesses? If not, or if there is none, or if several
 * assemblies are wanted: searches. start: the unknowns before Gauss-Newton. */
static taut_status look_around(const taut_order *order, taut_stage *g, taut_stage *all,
                               const double *guess, const double *start, taut_outcome *outcome) {
    taut_assembler *assembler;
    taut_found_list found = {0};
    taut_search search = order->search;
    double distance, largest = HUGE_VAL, *z = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    if (!z) return TAUT_ERR_MEMORY;
    if (!several(order, g)) search.starts = 0;
    taut_stage_get(g, z);
    taut_stage_set(g, start);
    TAUT_TRY(taut_assembler_create(g, all, guess, start, &g->arena, &assembler));
    taut_stage_set(g, z);
    taut_stage_evaluate(g);
    taut_status status = TAUT_OK;
    if (*outcome == TAUT_MET) taut_assembler_distance(assembler, &distance, &largest);
    if (*outcome != TAUT_MET || largest > FAR || search.starts > 0 || !taut_stage_right_side(g)) {
        status = taut_assembler_search(assembler, &search, outcome, &found);
        if (status == TAUT_OK && g->s == -g->series->structure->largest_d)
            status = taut_consistent_list(all, taut_assembler_size(assembler), search.starts > 0,
                                          &found, order->arena, order->assemblies);
    }
    taut_assembler_free(&assembler);
    return status;
}

/* A given value, or the number that has taken its place. */
double taut_consistent_given(const taut_order *order, const taut_given *given) {
    return order->number && given->number >= 0 ? order->number[given->number] : given->value;
}

static taut_status satisfy(const taut_finder *f, const taut_order *order, taut_stage *g,
                           taut_stage *all) {
    const int *d = f->series->structure->offsets.d;
    double *guess = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    double *start = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    taut_outcome outcome = TAUT_UNMET;
    int bad = 0;
    if (!guess || !start) return TAUT_ERR_MEMORY;
    taut_stage_get(g, start);
    for (int q = 0; q < g->columns; q++) {
        const int k = g->s + d[g->column[q]];
        const bool needed = k < taut_needed(f->series->structure, g->column[q]);
        const taut_given *given = needed ? f->given[g->column[q]][k] : NULL;
        guess[q] = given                ? taut_consistent_given(order, given)
                   : g->weight[q] > 1.0 ? start[q]
                                        : 0.0;
    }
    if (order->search.methods & TAUT_BY_GAUSS_NEWTON)
        TAUT_TRY(taut_stage_solve(g, &outcome, &bad));
    else if (!taut_stage_evaluate(g))
        outcome = TAUT_NO_VALUE;
    if (outcome == TAUT_NO_VALUE || outcome == TAUT_KINK || g->columns == 0)
        return taut_consistent_report(g, outcome, bad);
    if (outcome == TAUT_MET && g->straight && !several(order, g))
        return taut_least_movement(g, all, guess);
    TAUT_TRY(look_around(order, g, all, guess, start, &outcome));
    if (outcome == TAUT_UNMET) {
        taut_outcome end = outcome;
        TAUT_TRY(settle_for_least(g, &end));
        if (order->search.methods & TAUT_BY_GAUSS_NEWTON) outcome = end;
    }
    if (outcome == TAUT_MET && !several(order, g)) return taut_least_movement(g, all, guess);
    return taut_consistent_report(g, outcome, bad);
}

/* Listed angles are kept, and listed points move, if there is an assembly with all of these angles:
 * who gives an angle means it, while points are often rough. h: the stage with them as
 * conditions; if they are kept, the series is at a solution of it. */
static taut_status keep_angles(const taut_order *order, taut_stage *all, taut_stage *h,
                               bool *kept) {
    taut_outcome outcome;
    int bad;
    double *start = TAUT_NEW_ARRAY(&h->arena, h->columns, double);
    if (!start) return TAUT_ERR_MEMORY;
    if (several(order, h)) return TAUT_OK;
    taut_stage_get(h, start);
    TAUT_TRY(all->rows > h->rows ? taut_stage_follow(all) : taut_stage_fill(h, kept));
    if (*kept) return TAUT_OK;
    if (taut_stage_evaluate(h) && !taut_stage_right_side(h)) TAUT_TRY(taut_stage_turn(h));
    TAUT_TRY(taut_stage_solve(h, &outcome, &bad));
    *kept = outcome == TAUT_MET && taut_stage_right_side(h);
    if (*kept) return TAUT_OK;
    taut_stage_set(h, start);
    taut_stage_evaluate(h);
    return TAUT_OK;
}

/* From the guesses to values that satisfy g, with the listed angles if that is possible. */
static taut_status approach(const taut_finder *f, const taut_order *order, taut_stage *g,
                            taut_stage *all) {
    taut_stage h = {0};
    bool kept = false, enough;
    taut_status status = taut_stage_create(f, g->s, TAUT_GUESSED_ANGLES, &h);
    if (status == TAUT_OK && h.rows > g->rows) status = keep_angles(order, all, &h, &kept);
    if (status == TAUT_OK && !kept) {
        status = all->rows > g->rows ? taut_stage_follow(all) : taut_stage_fill(g, &enough);
        if (status == TAUT_OK && taut_stage_evaluate(g) && !taut_stage_right_side(g))
            status = taut_stage_turn(g);
        if (status == TAUT_OK) status = taut_closing_follow(g);
    }
    if (status == TAUT_OK) status = satisfy(f, order, kept ? &h : g, all);
    taut_arena_release(&h.arena);
    return status;
}

static taut_status run_stage(const taut_finder *f, const taut_order *order, int s) {
    taut_stage all, g = {0};
    int bad;
    taut_status status = taut_stage_create(f, s, TAUT_ALL_GUESSES, &all);
    if (status == TAUT_OK) {
        taut_stage_evaluate(&all);
        taut_stage_linearize(&all, &bad);
        status = taut_consistent_check_determined(f, &all, true);
    }
    if (status == TAUT_OK) status = taut_stage_create(f, s, TAUT_NO_GUESSES, &g);
    if (status == TAUT_OK) status = approach(f, order, &g, &all);
    if (status == TAUT_OK && taut_stage_evaluate(&all) && taut_stage_linearize(&all, &bad))
        status = taut_consistent_check_determined(f, &all, false);
    taut_arena_release(&all.arena);
    taut_arena_release(&g.arena);
    return status;
}

/* A quasi-linear system is not evaluated at stage 0 to find the point; it must have a value there.
 */
static taut_status check_values(const taut_finder *f) {
    taut_stage g;
    taut_status status = taut_stage_create(f, 0, TAUT_NO_GUESSES, &g);
    if (status == TAUT_OK && !taut_stage_evaluate(&g)) status = taut_consistent_no_value(&g);
    taut_arena_release(&g.arena);
    return status;
}

/* ---- all stages ---- */

/* Unlisted positions begin where what is known places them. */
static void take_hints(taut_finder *f) {
    const taut_system *system = f->series->system;
    if (system->hints == 0) return;
    taut_series_look(f->series, 0);
    for (int i = 0; i < system->hints; i++) {
        const int j = system->hint[i].variable;
        const double value =
            taut_series_output(f->series, f->first_hint + i, 0) + taut_series_get(f->series, j, 0);
        if (taut_needed(f->series->structure, j) > 0 && f->listed[j][0] == TAUT_UNLISTED &&
            isfinite(value))
            taut_series_set(f->series, j, 0, value);
    }
}

taut_status taut_consistent_set_guesses(taut_finder *f, const taut_order *order) {
    taut_arena *arena = order->arena;
    const taut_system *system = f->series->system;
    const taut_structure *structure = f->series->structure;
    f->listed = TAUT_NEW_ARRAY(arena, system->n, taut_listing *);
    f->given = TAUT_NEW_ARRAY(arena, system->n, const taut_given **);
    if (!f->listed || !f->given) return TAUT_ERR_MEMORY;
    for (int j = 0; j < system->n; j++) {
        const int needed = taut_needed(structure, j);
        f->listed[j] = TAUT_NEW_ARRAY(arena, needed, taut_listing);
        f->given[j] = TAUT_NEW_ARRAY(arena, needed, const taut_given *);
        if (!f->listed[j] || !f->given[j]) return TAUT_ERR_MEMORY;
        for (int k = 0; k <= structure->offsets.d[j]; k++) taut_series_set(f->series, j, k, 0.0);
        if (needed > 1 && system->unknown[j].rest_default) f->listed[j][1] = TAUT_LISTED;
        if (needed > 0 && system->unknown[j].zero_default) f->listed[j][0] = TAUT_LISTED;
    }
    for (int i = 0; i < system->givens; i++) {
        const taut_given *given = &system->given[i];
        const int j = given->variable, k = given->order;
        if (k <= structure->offsets.d[j])
            taut_series_set(f->series, j, k, taut_consistent_given(order, given));
        if (given->rough || k >= taut_needed(structure, j)) continue; /* nobody needs or means it */
        f->listed[j][k] = given->fixed ? TAUT_FIXED : TAUT_LISTED;
        f->given[j][k] = given;
    }
    take_hints(f);
    return TAUT_OK;
}

/* A series of our own if there are conditions to evaluate, otherwise the caller's. */
taut_status taut_consistent_choose_series(taut_finder *f, const taut_consistent_plan *plan,
                                          const taut_order *order, taut_series *series,
                                          taut_series **own) {
    f->series = series;
    f->condition = plan->condition;
    f->gradient = plan->gradient;
    f->gradients = plan->gradients;
    f->output = plan->output;
    f->outputs = plan->outputs;
    f->first_hint = plan->first_hint;
    f->number = order->number;
    f->frozen = order->frozen;
    if (!plan->series) return TAUT_OK;
    TAUT_TRY(taut_series_create_from(plan->series, own));
    f->series = *own;
    return order->number ? taut_series_set_numbers(*own, order->number) : TAUT_OK;
}

static taut_status run_stages(taut_finder *f, const taut_order *order, double t, int last) {
    taut_series_start(f->series, t, 1.0);
    TAUT_TRY(taut_consistent_set_guesses(f, order));
    for (int s = -f->series->structure->largest_d; s <= last; s++) TAUT_TRY(run_stage(f, order, s));
    return TAUT_OK;
}

/* Stages up to `last`; moves may be NULL. */
static taut_status find(taut_series *series, double t, int last, const taut_order *order,
                        taut_moves *moves, taut_errors *errors) {
    taut_finder f = {.errors = errors};
    taut_series *own = NULL;
    taut_consistent_plan *made = NULL;
    taut_status status = TAUT_OK;
    if (!order->plan) status = taut_consistent_plan_create(series, &made);
    if (status == TAUT_OK)
        status = taut_consistent_choose_series(&f, order->plan ? order->plan : made, order, series,
                                               &own);
    if (status == TAUT_OK) status = run_stages(&f, order, t, last);
    if (status == TAUT_OK && moves && last < 0) status = check_values(&f);
    if (status == TAUT_OK && moves) status = taut_consistent_moves(&f, order, moves);
    if ((status == TAUT_OK || status == TAUT_ERR_INPUT) && own) { /* also the end of a failure */
        taut_series_start(series, t, 1.0);
        taut_series_take(series, own);
    }
    taut_series_free(&own);
    taut_consistent_plan_free(&made);
    return status;
}

taut_status taut_consistent_find(taut_series *series, double t, const taut_order *order,
                                 taut_moves *moves, taut_errors *errors) {
    const int last = series->structure->quasilinear ? -1 : 0;
    if (order->assemblies) *order->assemblies = (taut_assemblies){0};
    return find(series, t, last, order, moves, errors);
}

taut_status taut_consistent_positions(taut_series *series, double t, taut_arena *arena,
                                      taut_errors *errors) {
    const taut_order order = {.search = {.methods = TAUT_BY_ALL}, .arena = arena};
    return find(series, t, -series->structure->largest_d, &order, NULL, errors);
}

taut_status taut_consistent_velocities(taut_series *series, double t, taut_arena *arena,
                                       taut_errors *errors) {
    const taut_order order = {.search = {.methods = TAUT_BY_ALL}, .arena = arena};
    return find(series, t, -series->structure->largest_d + 1, &order, NULL, errors);
}

taut_status taut_consistent_nearest(taut_series *series) {
    const int n = series->system->n;
    taut_finder f = {.series = series};
    taut_stage g = {0};
    int bad;
    taut_arena arena = {0};
    taut_listing all[TAUT_PRIMES_MAX + 2];
    for (int k = 0; k < TAUT_PRIMES_MAX + 2; k++) all[k] = TAUT_LISTED;
    f.listed = TAUT_NEW_ARRAY(&arena, n, taut_listing *);
    taut_condition_row *condition =
        TAUT_NEW_ARRAY(&arena, series->system->conditions, taut_condition_row);
    f.condition = condition;
    taut_status status = f.listed && condition ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int j = 0; j < n && status == TAUT_OK; j++) f.listed[j] = all;
    for (int i = 0; i < series->system->conditions && status == TAUT_OK; i++)
        condition[i].stage = 1; /* at no stage */
    if (status == TAUT_OK)
        status = taut_stage_create(&f, -series->structure->largest_d, TAUT_NO_GUESSES, &g);
    taut_outcome outcome = TAUT_UNMET;
    if (status == TAUT_OK) status = taut_stage_solve(&g, &outcome, &bad);
    if (status == TAUT_OK && outcome != TAUT_MET) status = TAUT_ERR_INPUT;
    taut_arena_release(&g.arena);
    taut_arena_release(&arena);
    return status;
}
