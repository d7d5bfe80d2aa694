/* solve/series.c in lanes: what can differ from lane to lane is a set of them. */
#include "solve/sheaf.h"

#include <math.h>
#include <string.h>

#include "core/bits.h"

typedef taut_abreast lanes;

/* As in solve/series.c. */
static const double POOR = 1e-6;

/* ---- set-up ---- */

bool taut_sheaf_fits(const taut_series_plan *plan) {
    return plan->structure->quasilinear && plan->lu && plan->system->n > 0 &&
           taut_small_fits(plan->system->n);
}

static taut_status build(taut_sheaf *s) {
    const taut_series_plan *p = s->plan;
    const int n = p->system->n, most = p->structure->largest_d;
    s->J = TAUT_NEW_ARRAY(&s->arena, p->entries * TAUT_ABREAST, double);
    s->y = TAUT_NEW_ARRAY(&s->arena, n * TAUT_ABREAST, double);
    s->residual = TAUT_NEW_ARRAY(&s->arena, n * TAUT_ABREAST, double);
    s->factor =
        TAUT_NEW_ARRAY(&s->arena, (most + 1) * (most + p->last_stage + 1) * TAUT_ABREAST, double);
    s->pivoted = TAUT_NEW_ARRAY(&s->arena, p->entries * TAUT_ABREAST, double);
    if (!s->J || !s->y || !s->residual || !s->factor || !s->pivoted) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_jets_create(p->jet, &s->arena, &s->jets));
    TAUT_TRY(taut_points_create(p->point, &s->arena, &s->points));
    return taut_matrices_create(n, p->entries, &s->arena, &s->matrices);
}

taut_status taut_sheaf_create(const taut_series_plan *plan, taut_sheaf **sheaf) {
    taut_sheaf *s = *sheaf = taut_new(sizeof *s);
    if (!s) return TAUT_ERR_MEMORY;
    s->plan = plan;
    const taut_status status = build(s);
    if (status != TAUT_OK) taut_sheaf_free(sheaf);
    return status;
}

void taut_sheaf_free(taut_sheaf **sheaf) {
    if (!*sheaf) return;
    taut_arena_release(&(*sheaf)->arena);
    taut_release((void **)sheaf);
}

void taut_sheaf_take_numbers(taut_sheaf *s, int lane, const taut_series *from) {
    taut_jets_take_numbers(s->jets, lane, from->jet);
    taut_points_take_numbers(s->points, lane, from->point);
}

/* Has it chosen new pivots since they were taken? */
static bool has_chosen(const taut_sheaf *s, int lane) {
    taut_choice choice;
    return s->series[lane] &&
           (!taut_lu_choice(s->series[lane]->lu, &choice) || choice.number != s->choices[lane]);
}

bool taut_sheaf_take_pivots(taut_sheaf *s, int lane, const taut_series *from) {
    taut_choice choice;
    const bool there = from && taut_lu_choice(from->lu, &choice);
    s->series[lane] = there ? from : NULL;
    taut_matrices_take(s->matrices, lane, there ? from->lu : NULL);
    if (there)
        memcpy(s->pivoted + (ptrdiff_t)lane * s->plan->entries, taut_lu_pivoted(from->lu),
               (size_t)s->plan->entries * sizeof *s->pivoted);
    s->choices[lane] = there ? choice.number : 0;
    return there;
}

const double *taut_sheaf_older_pivots(const taut_sheaf *s, int lane) {
    return has_chosen(s, lane) ? s->pivoted + (ptrdiff_t)lane * s->plan->entries : NULL;
}

void taut_sheaf_take_back_pivots(taut_sheaf *s, int lane) {
    if (has_chosen(s, lane))
        taut_lu_repivot(s->series[lane]->lu, s->pivoted + (ptrdiff_t)lane * s->plan->entries);
}

/* ---- values ---- */

TAUT_ALL_WIDTHS static void find_factors(taut_sheaf *s) {
    const lanes per_h = 1.0 / *(const lanes *)s->jets->h;
    const int most = s->plan->structure->largest_d;
    lanes *factor = (lanes *)s->factor;
    for (int stage = -most; stage <= s->plan->last_stage; stage++)
        for (int o = 0; o <= most; o++, factor++) {
            *factor = (lanes){0} + (stage + o >= 0 ? 1.0 : 0.0);
            for (int i = (stage > 0 ? stage : 0) + 1; i <= stage + o; i++)
                *factor *= (double)i * per_h;
        }
    memcpy(s->factor_h, s->jets->h, sizeof s->factor_h);
}

static bool has_new_steps(const taut_sheaf *s) {
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (s->factor_h[l] != s->jets->h[l]) return true;
    return false;
}

void taut_sheaf_start(taut_sheaf *s, const double *t, const double *h, taut_crowd who) {
    double scale[TAUT_ABREAST];
    for (int l = 0; l < TAUT_ABREAST; l++)
        scale[l] = taut_in_crowd(who, l) ? taut_power_above(h[l]) : s->jets->h[l];
    taut_jets_start(s->jets, t, scale);
    if (has_new_steps(s)) find_factors(s);
    s->good = who;
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (has_chosen(s, l)) taut_sheaf_take_pivots(s, l, s->series[l]);
}

TAUT_ALL_WIDTHS void taut_sheaf_put(taut_jets *jets, int slot, int k, const double *value) {
    const lanes h = *(const lanes *)jets->h; /* powers of 2 */
    lanes *to = (lanes *)taut_jets_at(jets, slot, k), factor = 1.0 / h;
    if (k <= 1) {
        *to = k == 0 ? *(const lanes *)value : *(const lanes *)value * h;
        return;
    }
    for (int i = 2; i <= k; i++) factor *= (double)i / h;
    *to = *(const lanes *)value / factor;
}

void taut_sheaf_set(taut_sheaf *s, int j, int k, const double *value) {
    taut_sheaf_put(s->jets, s->plan->variable[j], k, value);
}

/* Lanes in which something is not finite are given up. */
TAUT_INLINE void give_up(taut_sheaf *s, const lanes *nothing) {
    const taut_abreast_bits finite = (taut_abreast_bits)(*nothing == (lanes){0});
    taut_crowd who;
    taut_find_crowd(&finite, &who);
    s->good &= who;
}

/* Everything up to stage 0. */
TAUT_ALL_WIDTHS static void check_finite(taut_sheaf *s) {
    const int *c = s->plan->structure->offsets.c, *d = s->plan->structure->offsets.d;
    lanes sum = {0};
    for (int i = 0; i < s->plan->system->n; i++) {
        const lanes *f = (const lanes *)taut_jets_at(s->jets, s->plan->equation[i], 0);
        const lanes *x = (const lanes *)taut_jets_at(s->jets, s->plan->variable[i], 0);
        for (int k = 0; k <= c[i]; k++) sum += 0.0 * f[k];
        for (int k = 0; k <= d[i]; k++) sum += 0.0 * x[k];
    }
    give_up(s, &sum);
}

/* ---- stages ---- */

static const lanes *factors_of(const taut_sheaf *s, int stage) {
    const int most = s->plan->structure->largest_d;
    return (const lanes *)s->factor + (ptrdiff_t)(stage + most) * (most + 1);
}

/* J and its factors. */
static void factor(taut_sheaf *s) {
    taut_points_eval(s->points, s->jets, s->J);
    s->good = taut_matrices_factor(s->matrices, s->J, s->good, s->rcond);
}

/* Lanes whose solutions are refined. */
static taut_crowd find_refined(const taut_sheaf *s, int stage) {
    const double limit = stage < 0 ? POOR : s->refined_below;
    taut_crowd who = 0;
    for (int l = 0; l < TAUT_ABREAST && stage <= TAUT_LAST_REFINED; l++)
        if (taut_in_crowd(s->good, l) && s->rcond[l] < limit) taut_join_crowd(&who, l);
    return who;
}

TAUT_ALL_WIDTHS static void find_residual(taut_sheaf *s) {
    const taut_series_plan *p = s->plan;
    const lanes *J = (const lanes *)s->J, *y = (const lanes *)s->y;
    lanes *residual = (lanes *)s->residual;
    for (int j = 0; j < p->system->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) residual[p->row[k]] -= J[k] * y[j];
}

static void refine(taut_sheaf *s, taut_crowd who) {
    const int n = s->plan->system->n;
    find_residual(s);
    taut_matrices_solve(s->matrices, s->residual, who);
    for (int l = 0; l < TAUT_ABREAST; l++)
        for (int j = 0; j < n && taut_in_crowd(who, l); j++)
            s->y[j * TAUT_ABREAST + l] += s->residual[j * TAUT_ABREAST + l];
}

/* Replaces y, the residuals of a stage, by corrections. */
static void find_corrections(taut_sheaf *s, int stage) {
    const size_t size = (size_t)s->plan->system->n * sizeof(lanes);
    const taut_crowd refined = find_refined(s, stage);
    if (refined) memcpy(s->residual, s->y, size);
    taut_matrices_solve(s->matrices, s->y, s->good);
    if (refined) refine(s, refined);
}

TAUT_ALL_WIDTHS static void read_residuals(taut_sheaf *s, int stage, bool opened,
                                           const lanes *factor) {
    const taut_series_plan *p = s->plan;
    const int *c = p->structure->offsets.c;
    lanes *y = (lanes *)s->y;
    for (int i = 0; i < p->system->n; i++) {
        if (stage + c[i] < 0) {
            y[i] = (lanes){0};
            continue;
        }
        const double *from = opened ? taut_jets_opened(s->jets, p->equation[i])
                                    : taut_jets_at(s->jets, p->equation[i], stage + c[i]);
        y[i] = -*(const lanes *)from * factor[c[i]];
    }
}

/* nothing: stays 0 in lanes whose corrections are finite */
TAUT_ALL_WIDTHS static void apply(taut_sheaf *s, int stage, bool opened, const lanes *factor,
                                  lanes *nothing) {
    const taut_series_plan *p = s->plan;
    const int *d = p->structure->offsets.d;
    lanes *y = (lanes *)s->y, sum = *nothing;
    for (int j = 0; j < p->system->n; j++) {
        sum += 0.0 * y[j];
        if (stage + d[j] < 0) {
            y[j] = (lanes){0};
            continue;
        }
        lanes *x = (lanes *)taut_jets_at(s->jets, p->variable[j], stage + d[j]);
        const lanes step = d[j] > 0 ? y[j] / factor[d[j]] : y[j];
        *x = opened ? step : *x + step;
    }
    *nothing = sum;
}

/* Solves for the corrections of a stage that has been evaluated or opened, and applies them. */
static void solve(taut_sheaf *s, int stage, bool opened, lanes *nothing) {
    const lanes *by = factors_of(s, stage);
    read_residuals(s, stage, opened, by);
    find_corrections(s, stage);
    apply(s, stage, opened, by, nothing);
    taut_jets_finish(s->jets, stage);
}

static void solve_evaluated(taut_sheaf *s, int stage) {
    lanes nothing = {0};
    solve(s, stage, false, &nothing);
    give_up(s, &nothing);
}

void taut_sheaf_extend(taut_sheaf *s) {
    lanes nothing = {0};
    for (int stage = 1; stage <= s->plan->last_stage && s->good; stage++) {
        taut_jets_open(s->jets, stage);
        solve(s, stage, true, &nothing);
    }
    give_up(s, &nothing); /* all at once: hardly any lane ever is */
}

void taut_sheaf_settle(taut_sheaf *s, taut_sheaf_told *told, void *user) {
    const int first = s->plan->first_correction, needed = s->plan->jacobian_stage;
    const int begin = first < 0 && needed > first ? needed : first; /* 0: nothing is corrected */
    for (int stage = s->plan->tape->first_stage; stage <= begin; stage++)
        taut_jets_stage(s->jets, stage);
    if (first < 0) factor(s);
    for (int stage = first; stage < 0 && s->good; stage++) {
        if (stage != first) taut_jets_stage(s->jets, stage);
        solve_evaluated(s, stage);
        told(user, stage);
    }
    if (!s->good) return;
    if (first < 0) taut_jets_stage(s->jets, 0);
    check_finite(s);
    factor(s);
    if (!s->good) return;
    if (taut_series_inverts(s->plan, s->refined_below))
        s->good &= taut_matrices_invert(s->matrices);
    solve_evaluated(s, 0);
    told(user, 0);
    check_finite(s);
}
