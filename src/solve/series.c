/* One Jacobian, all stages: s < 0 corrects what is given, s >= 0 finds what follows. */
#include "solve/series.h"

#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "core/keys.h"
#include "expr/straight.h"
#include "solve/rounding.h"
#include "solve/straight_steps.h"

/* Corrections, small as they are, need fewer digits: refined when J is worse than this. */
static const double POOR = 1e-6;

/* ---- set-up ---- */

static taut_status allocate(taut_series *s) {
    const int n = s->system->n, most = s->structure->largest_d; /* no c is larger */
    s->residual_at = TAUT_NEW_ARRAY(&s->arena, n, double *);
    s->unknown_at = TAUT_NEW_ARRAY(&s->arena, n, double *);
    s->y = TAUT_NEW_ARRAY(&s->arena, s->size, double);
    s->residual = TAUT_NEW_ARRAY(&s->arena, s->size, double);
    s->factor = TAUT_NEW_ARRAY(&s->arena, (most + 1) * (most + s->plan->last_stage + 1), double);
    s->unscale = TAUT_NEW_ARRAY(&s->arena, most + 1, double);
    s->per_unscale = TAUT_NEW_ARRAY(&s->arena, most + 1, double);
    s->J = TAUT_NEW_ARRAY(&s->arena, s->entries, double);
    const bool iterates = !s->structure->quasilinear;
    if (iterates) s->rounding = TAUT_NEW_ARRAY(&s->arena, n + s->tape->size, double);
    return s->residual_at && s->unknown_at && s->y && s->residual && s->factor && s->unscale &&
                   s->per_unscale && s->J && (s->rounding || !iterates)
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

/* The jet and the programs at work: copies of the plan's, or, for the first series that owns the
 * plan, these themselves: a copy does not depend on what they were used for. */
static taut_status take_programs(taut_series *s) {
    const taut_series_plan *plan = s->plan;
    if (plan->view) TAUT_TRY(taut_series_view_copy(plan->view, &s->arena, &s->view));
    taut_series_plan *root = s->own && s->own->of ? s->own->of : s->own;
    if (root && !root->taken) {
        root->taken = true;
        s->jet = plan->jet;
        s->point = plan->point;
        s->lu = plan->lu;
        return TAUT_OK;
    }
    TAUT_TRY(taut_jet_copy(plan->jet, &s->arena, &s->jet));
    TAUT_TRY(taut_point_copy(plan->point, &s->arena, &s->point));
    return plan->lu ? taut_lu_create_like(plan->lu, &s->lu) : TAUT_OK;
}

/* Stretches of residuals in the order of their places: for whoever does not ask whose they are. */
static taut_status find_residuals(taut_series *s, taut_arena *scratch) {
    const int n = s->system->n;
    taut_keyed *list = TAUT_NEW_ARRAY(scratch, n, taut_keyed);
    taut_keyed *spare = TAUT_NEW_ARRAY(scratch, n, taut_keyed);
    double **at = TAUT_NEW_ARRAY(scratch, n, double *);
    int *offset = TAUT_NEW_ARRAY(scratch, n, int);
    if (!list || !spare || !at || !offset) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        list[i] = (taut_keyed){(uint64_t)(s->residual_at[i] - s->jet->coef), i};
    taut_keys_sort(list, spare, (size_t)n);
    for (int i = 0; i < n; i++) {
        at[i] = s->residual_at[list[i].item];
        offset[i] = s->structure->offsets.c[list[i].item];
    }
    return taut_stretches_create(n, at, offset, &s->arena, &s->residuals);
}

/* Which unknowns, and which residuals of opened stages, lie side by side. */
static taut_status find_stretches(taut_series *s) {
    const taut_offsets *offsets = &s->structure->offsets;
    taut_arena scratch = {0};
    const int n = s->system->n;
    double **opened = TAUT_NEW_ARRAY(&scratch, n, double *);
    taut_status status = opened ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < n && opened; i++) opened[i] = taut_jet_opened(s->jet, s->equation[i]);
    if (status == TAUT_OK)
        status = taut_stretches_create(n, opened, offsets->c, &s->arena, &s->openings);
    if (status == TAUT_OK) status = find_residuals(s, &scratch);
    if (status == TAUT_OK)
        status = taut_stretches_create(n, s->unknown_at, offsets->d, &s->arena, &s->unknowns);
    taut_arena_release(&scratch);
    return status;
}

static taut_status create(const taut_series_plan *plan, taut_series_plan *own,
                          taut_series **series) {
    taut_series *s = NULL;
    size_t room = 0;
    *series = NULL;
    if (taut_grow((void **)&s, &room, 1, sizeof *s)) return TAUT_ERR_MEMORY;
    *s = (taut_series){.plan = plan,
                       .own = own,
                       .system = plan->system,
                       .structure = plan->structure,
                       .tape = plan->tape,
                       .equation = plan->equation,
                       .variable = plan->variable,
                       .output = plan->output,
                       .outputs = plan->outputs,
                       .size = plan->size,
                       .last_refined = TAUT_LAST_REFINED,
                       .wide = plan->size > plan->system->n,
                       .entries = plan->entries,
                       .start = plan->start,
                       .row = plan->row,
                       .node = plan->node,
                       .jacobian_stage = plan->jacobian_stage,
                       .refined_below = (double)INFINITY};
    taut_status status = allocate(s);
    if (status == TAUT_OK) status = take_programs(s);
    for (int i = 0; i < s->system->n && status == TAUT_OK; i++) {
        s->residual_at[i] = taut_jet_at(s->jet, s->equation[i], s->structure->offsets.c[i]);
        s->unknown_at[i] = taut_jet_at(s->jet, s->variable[i], s->structure->offsets.d[i]);
    }
    if (status == TAUT_OK) status = find_stretches(s);
    if (status == TAUT_OK) {
        *series = s;
        return TAUT_OK;
    }
    s->own = NULL; /* the caller has it still */
    taut_series_free(&s);
    return status;
}

taut_status taut_series_create_from(const taut_series_plan *plan, taut_series **series) {
    return create(plan, NULL, series);
}

/* A series that takes over its plan, whether it comes about or not. */
static taut_status create_alone(taut_series_plan *plan, taut_series **series) {
    const taut_status status = create(plan, plan, series);
    if (status != TAUT_OK) taut_series_plan_free(&plan);
    return status;
}

taut_status taut_series_create(const taut_system *system, const taut_structure *structure,
                               int last_stage, const taut_node *output, int outputs,
                               taut_series **series) {
    taut_series_plan *plan;
    *series = NULL;
    TAUT_TRY(taut_series_plan_create(system, structure, last_stage, output, outputs, &plan));
    return create_alone(plan, series);
}

taut_status taut_series_create_wide(const taut_system *system, const taut_structure *structure,
                                    int last_stage, const taut_node *output, int outputs,
                                    taut_series **series) {
    taut_series_plan *plan;
    *series = NULL;
    TAUT_TRY(taut_series_plan_create_wide(system, structure, last_stage, output, outputs, &plan));
    return create_alone(plan, series);
}

taut_status taut_series_create_view(taut_series_plan *of, int last_stage, const taut_node *output,
                                    int outputs, taut_series **series) {
    taut_series_plan *plan;
    *series = NULL;
    TAUT_TRY(taut_series_plan_view(of, last_stage, output, outputs, &plan));
    return create_alone(plan, series);
}

taut_status taut_series_create_beside(const taut_series_plan *view, taut_series **series) {
    view->of->owners++;
    return create_alone(view->of, series);
}

void taut_series_free(taut_series **series) {
    taut_series *s = *series;
    if (!s) return;
    if (s->lu != s->plan->lu) taut_lu_free(&s->lu);
    if (s->own) taut_series_plan_free(&s->own);
    taut_arena_release(&s->arena);
    taut_release((void **)series);
}

void taut_series_forget(taut_series *s) {
    if (s->lu) taut_lu_forget(s->lu);
    for (int j = 0; j < s->system->n; j++) *s->unknown_at[j] = 0.0;
    s->finite = true;
}

taut_status taut_series_set_numbers(taut_series *s, const double *parameter) {
    TAUT_TRY(taut_jet_set_numbers(s->jet, parameter));
    if (s->view) TAUT_TRY(taut_jet_set_numbers(s->view->jet, parameter));
    return taut_point_set_numbers(s->point, parameter);
}

/* ---- values ---- */

/* What outputs were is no longer so. */
static void look_anew(taut_series *s) {
    if (s->view) s->view->stage = TAUT_NO_STAGE;
}

/* A power of two near h: scaling then loses no bit, and values come out as they were put in. */
void taut_series_start(taut_series *s, double t, double h) {
    s->starts++;
    look_anew(s);
    taut_jet_start(s->jet, t, taut_power_above(h));
}

/* k! / h^k for the orders that a state has; up to the second one these are powers of 2. */
static void find_unscales(taut_series *s) {
    s->exact = true;
    for (int i = 0; i <= s->structure->largest_d; i++) {
        s->unscale[i] = taut_unscale(s->jet->h, i);
        s->per_unscale[i] = 1.0 / s->unscale[i];
        s->exact = s->exact && taut_is_power(s->unscale[i]);
    }
    s->unscale_h = s->jet->h;
}

void taut_series_unscale(taut_series *s) {
    if (s->unscale_h != s->jet->h) find_unscales(s);
}

/* The same without divisions for these. */
static double unscale_of(taut_series *s, int k) {
    if (k > s->structure->largest_d) return taut_unscale(s->jet->h, k);
    taut_series_unscale(s);
    return s->unscale[k];
}

/* Where order k of a variable or an equation is, from where its order of stage 0 is: without a look
 * at the tape, which is far away in large systems. */
static double *order_at(double *stage_zero, int k, int offset) {
    return stage_zero + (ptrdiff_t)(k - offset) * TAUT_LANES;
}

static double *variable_at(const taut_series *s, int j, int k) {
    return order_at(s->unknown_at[j], k, s->structure->offsets.d[j]);
}

static double *equation_at(const taut_series *s, int i, int k) {
    return order_at(s->residual_at[i], k, s->structure->offsets.c[i]);
}

void taut_series_set(taut_series *s, int j, int k, double value) {
    *variable_at(s, j, k) = value / unscale_of(s, k);
}

void taut_series_set_all(taut_series *s, const taut_component *list, int count,
                         const double *value) {
    taut_series_unscale(s);
    for (int i = 0; i < count; i++)
        *variable_at(s, list[i].variable, list[i].order) =
            taut_series_scaled(s, value[i], list[i].order);
}

double taut_series_get(const taut_series *s, int j, int k) {
    return *variable_at(s, j, k) * taut_unscale(s->jet->h, k);
}

double taut_series_output(const taut_series *s, int output, int k) {
    if (!s->view) return *taut_jet_at(s->jet, s->output[output], k) * taut_unscale(s->jet->h, k);
    const int stage = taut_series_output_stage(s, output, k);
    taut_series_view_reach(s->view, stage, s->jet, s->variable);
    return *taut_jet_at(s->view->jet, s->view->output[output], k) * taut_unscale(s->jet->h, k);
}

int taut_series_output_stage(const taut_series *s, int output, int k) {
    if (s->view) return k - s->view->tape->instr[s->view->output[output]].offset;
    return k - s->tape->instr[s->output[output]].offset;
}

double taut_series_residual(const taut_series *s, int i, int stage) {
    const int k = stage + s->structure->offsets.c[i];
    return *taut_jet_at(s->jet, s->equation[i], k) * taut_unscale(s->jet->h, k);
}

bool taut_series_restricts(const taut_series *s, int i) {
    const taut_sigma *sigma = &s->structure->sigma;
    /* an equation that is differentiated restricts the state as well: a velocity constraint */
    if (s->structure->offsets.c[i] > 0) return true;
    if (s->structure->wide) return false; /* every equation has a derivative in it */
    for (int k = sigma->start[i]; k < sigma->start[i + 1]; k++)
        if (sigma->order[k] > 0 || s->system->unknown[sigma->column[k]].auxiliary) return false;
    return true;
}

double taut_series_value(const taut_series *s, int i) { return *equation_at(s, i, 0); }

double taut_series_constraint_residual(const taut_series *s) {
    double largest = 0.0;
    for (int i = 0; i < s->system->n; i++)
        if (taut_series_restricts(s, i))
            largest = taut_larger(largest, fabs(taut_series_value(s, i)));
    return largest;
}

/* ---- stages ---- */

/* What the work on a stage counts as: below 0 all of it is projection. Returns what counted before.
 */
static taut_phase count_for(taut_series *s, int stage, taut_phase phase) {
    return taut_count_for(s->watch, stage < 0 ? TAUT_PHASE_PROJECTION : phase);
}

static void evaluate(taut_series *s, int stage) {
    const taut_phase before = count_for(s, stage, TAUT_PHASE_KERNELS);
    look_anew(s);
    taut_jet_stage(s->jet, stage);
    taut_count_for(s->watch, before);
}

/* Residuals of a stage above 0 whose unknowns are 0. */
static void open_stage(taut_series *s, int stage) {
    const taut_phase before = count_for(s, stage, TAUT_PHASE_KERNELS);
    taut_jet_open(s->jet, stage);
    taut_count_for(s->watch, before);
}

static void finish(taut_series *s, int stage) {
    const taut_phase before = count_for(s, stage, TAUT_PHASE_KERNELS);
    look_anew(s);
    taut_jet_finish(s->jet, stage);
    taut_count_for(s->watch, before);
}

void taut_series_look(taut_series *s, int last) {
    for (int stage = s->tape->first_stage; stage <= last; stage++) evaluate(s, stage);
}

void taut_series_jacobian(taut_series *s) {
    if (s->jet->straight)
        s->jet->straight->jacobian(taut_straight_at(s->jet), s->jet->coef, s->J);
    else
        taut_point_eval(s->point, s->jet, s->J);
}

taut_status taut_series_factor(taut_series *s) {
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_FACTORS);
    taut_series_jacobian(s);
    s->factorisations++;
    const taut_status status = s->lu ? taut_lu_factor(s->lu, s->J) : TAUT_SINGULAR;
    taut_count_for(s->watch, before);
    return status;
}

/* factor[(s - first) * (largest d + 1) + o] = (s+o)! h^-(s+o) / (s! h^-s), with s! h^-s taken as 1
 * for s < 0: both sides of the linear system of stage s are divided by it, so that high stages keep
 * tame numbers. 0 where s + o < 0. */
static void find_factors(taut_series *s) {
    const double per_h = 1.0 / s->jet->h; /* a power of 2 */
    const int most = s->structure->largest_d;
    double *factor = s->factor;
    for (int stage = -most; stage <= s->plan->last_stage; stage++)
        for (int o = 0; o <= most; o++, factor++) {
            *factor = stage + o >= 0 ? 1.0 : 0.0;
            for (int i = (stage > 0 ? stage : 0) + 1; i <= stage + o; i++)
                *factor *= (double)i * per_h;
        }
    s->factor_h = s->jet->h;
}

/* Replaces y by J^-1 y; with one step of refinement if asked. Rows of intermediates are met
 * exactly. */
static void solve_linear(taut_series *s, bool refine) {
    const int n = s->size;
    if (s->wide) memset(s->y + s->system->n, 0, (size_t)(n - s->system->n) * sizeof *s->y);
    if (refine) memcpy(s->residual, s->y, (size_t)n * sizeof *s->y);
    taut_lu_solve(s->lu, s->y);
    if (!refine) return;
    taut_lu_take_product(s->lu, s->J, s->y, s->residual);
    taut_lu_solve(s->lu, s->residual);
    for (int j = 0; j < n; j++) s->y[j] += s->residual[j];
}

static bool is_refined(const taut_series *s, int stage) {
    return stage <= s->last_refined && taut_lu_rcond(s->lu) < (stage < 0 ? POOR : s->refined_below);
}

static taut_status prepare_stages(taut_series *s) {
    return taut_series_inverts(s->plan, s->refined_below) ? taut_lu_invert(s->lu) : TAUT_OK;
}

/* (stage + o)! h^-(stage + o) / (stage! h^-stage), by offsets o. */
static const double *factors_of(taut_series *s, int stage) {
    const int most = s->structure->largest_d;
    if (s->factor_h != s->jet->h) find_factors(s);
    return s->factor + (stage + most) * (most + 1);
}

/* Takes off the residuals what is forgiven. */
static void forgive(taut_series *s, const double *factor) {
    for (int i = 0; i < s->system->n; i++) {
        const double part = s->forgiven[i] * factor[s->structure->offsets.c[i]];
        s->y[i] = copysign(fmax(fabs(s->y[i]) - fabs(part), 0.0), s->y[i]);
    }
}

/* Solves for the corrections of a stage that has been evaluated, and applies them. */
static void solve_evaluated(taut_series *s, int stage) {
    const int n = s->system->n, *c = s->structure->offsets.c;
    const ptrdiff_t at = (ptrdiff_t)stage * TAUT_LANES;
    const taut_phase before = count_for(s, stage, TAUT_PHASE_SOLVES);
    const double *factor = factors_of(s, stage);
    if (s->compiled && !is_refined(s, stage) && taut_straight_correct(s, stage, factor)) {
        taut_count_for(s->watch, before);
        return;
    }
    for (int i = 0; i < n; i++)
        s->y[i] = stage + c[i] < 0 ? 0.0 : -s->residual_at[i][at] * factor[c[i]];
    if (s->forgiven) forgive(s, factor);
    solve_linear(s, is_refined(s, stage));
    const bool finite = taut_stretches_add(&s->unknowns, at, factor, s->y);
    s->finite = s->finite && finite;
    taut_count_for(s->watch, before);
    finish(s, stage);
}

/* The same for a stage that has been opened, whose unknowns were taken as 0; factor: of this stage.
 */
static void solve_opened(taut_series *s, int stage, const double *factor, bool refine) {
    const taut_phase before = count_for(s, stage, TAUT_PHASE_SOLVES);
    taut_stretches_take(&s->openings, factor, s->y);
    solve_linear(s, refine);
    const ptrdiff_t at = (ptrdiff_t)stage * TAUT_LANES;
    const bool finite = taut_stretches_put(&s->unknowns, at, factor, s->y);
    s->finite = s->finite && finite;
    taut_count_for(s->watch, before);
    finish(s, stage);
}

/* The same for stage after stage of one equation, whose solution is a division. */
static void extend_one(taut_series *s, int from, int last, const taut_inverses *inverses) {
    const int c = *s->structure->offsets.c, d = *s->structure->offsets.d;
    const double *opened = s->openings.item->at, *factor = factors_of(s, from);
    for (int stage = from; stage <= last; stage++, factor += s->structure->largest_d + 1) {
        open_stage(s, stage);
        const taut_phase before = count_for(s, stage, TAUT_PHASE_SOLVES);
        const double right = -*opened * factor[c];
        *s->y = taut_lu_divide(inverses, right);
        (*s->unknown_at)[(ptrdiff_t)stage * TAUT_LANES] = *s->y / factor[d];
        s->finite = s->finite && taut_infinity(*s->y) < TAUT_SIGN_BIT;
        taut_count_for(s->watch, before);
        finish(s, stage);
    }
}

void taut_series_solve(taut_series *s, int stage) {
    evaluate(s, stage);
    solve_evaluated(s, stage);
}

/* The corrections of a stage whose residuals are in y, for compiled code. */
static void correct_here(void *user, int stage) {
    taut_series *s = user;
    solve_linear(s, is_refined(s, stage));
    s->finite = s->finite && taut_all_finite(s->y, s->system->n);
}

/* Compiled code for stages above 0: by factors that are compiled as well, by products with inverses
 * where these are there, or, if stages are to be refined, as the interpreter does it. */
static void extend_straight(taut_series *s, int from, int last, bool refined) {
    taut_straight_numbers *n = taut_straight_at(s->jet);
    taut_inverses inverses = {0};
    n->factors = refined ? NULL : taut_lu_unrolled(s->lu);
    if (!refined) taut_lu_inverses(s->lu, &inverses);
    n->factor = s->factor;
    n->lower = inverses.lower;
    n->upper = inverses.upper;
    n->pivot = inverses.pivot;
    n->scale = inverses.scale;
    n->row = inverses.row;
    n->y = s->y;
    n->correct = correct_here;
    n->user = s;
    s->jet->straight->extend(n, s->jet->coef, from, last);
    s->finite = s->finite && !n->bad;
}

/* The first stages may be refined, the others are not. */
static void extend_all_straight(taut_series *s, int from, int last) {
    const taut_phase before = count_for(s, from, TAUT_PHASE_KERNELS);
    const int refined =
        is_refined(s, from) ? (last < s->last_refined ? last : s->last_refined) : from - 1;
    taut_straight_join(s->jet);
    factors_of(s, from);
    look_anew(s);
    if (refined >= from) extend_straight(s, from, refined, true);
    if (refined < last) extend_straight(s, refined + 1, last, false);
    if (from == 1 && last == s->plan->last_stage) s->compiled->rows_at = s->starts;
    taut_count_for(s->watch, before);
}

void taut_series_extend(taut_series *s, int from, int last) {
    if (s->jet->straight) {
        extend_all_straight(s, from, last);
        if (from == 1) taut_series_verify(s, last);
        return;
    }
    const double *factor = factors_of(s, from);
    const bool refines = taut_lu_rcond(s->lu) < s->refined_below;
    taut_inverses inverses = {0};
    if (s->size == 1) taut_lu_inverses(s->lu, &inverses);
    if (inverses.pivot) {
        extend_one(s, from, last, &inverses);
        return;
    }
    for (int stage = from; stage <= last; stage++) {
        open_stage(s, stage);
        solve_opened(s, stage, factor, refines && stage <= s->last_refined);
        factor += s->structure->largest_d + 1;
    }
}

/* ---- a consistent point from a good guess ---- */

bool taut_series_is_finite(taut_series *s, int stage) {
    s->bad_slot = -1;
    if (taut_stretches_are_finite(&s->unknowns, stage) &&
        taut_stretches_are_finite(&s->residuals, stage))
        return true;
    s->bad_slot = taut_jet_bad_slot(s->jet, stage);
    return false;
}

static taut_status check_finite(taut_series *s) {
    return taut_series_is_finite(s, 0) ? TAUT_OK : TAUT_ERR_NUMERICS;
}

/* The largest correction of stage 0, relative to the values. A value that is 0 but for rounding,
 * such as the force in a rod on which nothing pulls, is measured by the others: by itself it would
 * never come to rest. */
static double relative_correction(const taut_series *s) {
    double largest = 0.0, least = 1e-10;
    for (int j = 0; j < s->system->n; j++)
        least = fmax(least, 1e-7 * fabs(taut_series_get(s, j, s->structure->offsets.d[j])));
    for (int j = 0; j < s->system->n; j++) {
        const double x = taut_series_get(s, j, s->structure->offsets.d[j]);
        largest = fmax(largest, fabs(s->y[j]) / fmax(fabs(x), least));
        if (!isfinite(s->y[j])) return s->y[j] * s->y[j];
    }
    return largest;
}

/* Are the residuals, which have just been corrected, what rounding leaves of terms that cancel? At
 * rest all highest derivatives may be 0, and then their values tell nothing. */
static bool is_rounding(const taut_series *s) {
    taut_rounding_find(s, s->rounding + s->system->n, s->rounding);
    for (int i = 0; i < s->system->n; i++)
        if (!(fabs(*s->residual_at[i]) <= s->rounding[i])) return false;
    return true;
}

enum { IDLE = 5 }; /* iterations without a gain: what is left is rounding */

/* Newton where the highest derivatives enter nonlinearly: until it gains nothing more. Of what is 0
 * but for the rounding of large terms that cancel, that takes several iterations to see. */
static taut_status iterate_stage_zero(taut_series *s, taut_correction_fn *told, void *user) {
    double before = relative_correction(s);
    int idle = 0;
    for (int i = 0; i < 30; i++) {
        TAUT_TRY(check_finite(s));
        TAUT_TRY(taut_series_factor(s));
        taut_series_solve(s, 0);
        if (told) told(user, 0);
        const double now = relative_correction(s);
        if (!isfinite(now)) break;
        if (now > 0.1 * before) idle++;
        if (now < 1e-15 || (now < (idle < IDLE ? 1e-9 : 1e-6) && now > 0.1 * before) ||
            (idle >= IDLE && is_rounding(s))) {
            TAUT_TRY(check_finite(s));
            return taut_series_factor(s);
        }
        before = now;
    }
    s->bad_slot = -1;
    return TAUT_ERR_NUMERICS;
}

/* J at the point, with what it needs from the tape up to date. A point where something has no value
 * is told from one where J is singular. */
static taut_status factor_here(taut_series *s) {
    const taut_status status = taut_series_factor(s);
    if (status != TAUT_SINGULAR) return status;
    taut_series_look(s, 0);
    TAUT_TRY(check_finite(s));
    return status;
}

/* One correction of a stage. Its evaluation may be there already. */
static taut_status correct(taut_series *s, int stage, bool evaluated, taut_correction_fn *told,
                           void *user) {
    s->finite = true;
    if (!evaluated) evaluate(s, stage);
    solve_evaluated(s, stage);
    if (!s->finite) {
        taut_series_is_finite(s, stage);
        return TAUT_ERR_NUMERICS;
    }
    if (told) told(user, stage);
    return TAUT_OK;
}

/* Corrects x_j^(k), k < d_j: the stages below 0, one after the other. */
static taut_status project_point(taut_series *s, taut_correction_fn *told, void *user) {
    const int first = s->plan->first_correction;
    taut_series_look(s, s->jacobian_stage > first ? s->jacobian_stage : first);
    TAUT_TRY(factor_here(s));
    for (int stage = first; stage < 0; stage++)
        TAUT_TRY(correct(s, stage, stage == first, told, user));
    return TAUT_OK;
}

taut_status taut_series_settle(taut_series *s, bool project, taut_correction_fn *told, void *user) {
    if (project && s->plan->first_correction < 0) {
        TAUT_TRY(project_point(s, told, user));
        evaluate(s, 0);
        /* with the old J every coefficient would have an error of the size of the correction */
    } else {
        taut_series_look(s, 0);
    }
    TAUT_TRY(check_finite(s));
    TAUT_TRY(taut_series_factor(s));
    if (s->structure->quasilinear) TAUT_TRY(prepare_stages(s));
    TAUT_TRY(correct(s, 0, true, told, user));
    if (!s->structure->quasilinear) {
        TAUT_TRY(iterate_stage_zero(s, told, user));
        TAUT_TRY(prepare_stages(s));
    }
    return check_finite(s);
}
