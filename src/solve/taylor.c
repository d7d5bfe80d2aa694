/* One step: choose h from the last coefficients, evaluate the polynomial, land (project and redo
 * stage 0), check the defect, extend the series at the new point.
 *
 * State: x_j^(k), k < d_j (and k = d_j where the leading derivatives enter nonlinearly), kept as
 * hi + lo so that the rounding of thousands of additions does not add up. */
#include "solve/taylor.h"

#include <float.h>
#include <math.h>

#include "core/bits.h"
#include "solve/straight_series.h"
#include "solve/taylor_parts.h"

enum { LEAST_ORDER = 4, MOST_ORDER = 60 };
/* Where a choice of constraints fades, multipliers grow and errors with them: a smaller tolerance
 * costs a few steps, another choice would cost dozens. */
static const double FADED = 0.1, CAUTION = 0.1;
static const double WIDE = 0.9;      /* two that are this part of the way apart are far apart */
static const double REFINED = 1e-12; /* solutions are refined if tol times the condition is less */

/* The order that is taken for a tolerance. Below 1e-10 rounding counts, and long steps by high
 * orders lose digits, most of them near singular positions. */
static int default_order(double tol) {
    const double digits = -log10(tol);
    const int order = (int)floor(fmin(16.0 + 0.9 * digits, 33.5 - 0.75 * digits));
    return order < 12 ? 12 : order > 30 ? 30 : order;
}

static int find_order(const taut_stepping *options) {
    const double tol = fmax(options->rtol, options->atol);
    const int order = options->order > 0 ? options->order : default_order(tol);
    return order < LEAST_ORDER ? LEAST_ORDER : order > MOST_ORDER ? MOST_ORDER : order;
}

static int last_stage(const taut_stepping *options) { return find_order(options) - 1; }

/* ---- creation ---- */

/* Sorts what a step leads to by order and by the length of the polynomials. */
static void sort_ends(taut_taylor_stepper *p) {
    const int *d = p->structure->offsets.d, orders = p->structure->largest_d + 1;
    int count = 0;
    for (int order = 0; order < orders; order++)
        for (int most = order; most < orders; most++)
            for (int i = 0; i < p->ends; i++)
                if (p->end[i].order == order && d[p->end[i].variable] == most)
                    p->sorted[count++] = i;
}

/* Sorts the states by the stage that corrects them. */
static taut_status sort_levels(taut_taylor_stepper *p) {
    const int *d = p->structure->offsets.d;
    int count = 0;
    p->by_level = TAUT_NEW_ARRAY(&p->arena, p->states, int);
    p->level_first = TAUT_NEW_ARRAY(&p->arena, p->levels + 2, int);
    if (!p->by_level || !p->level_first) return TAUT_ERR_MEMORY;
    for (int level = 0; level < p->levels; level++) {
        for (int i = 0; i < p->states; i++)
            if (d[p->state[i].variable] - p->state[i].order == level) p->by_level[count++] = i;
        p->level_first[level + 1] = count;
    }
    p->level_first[p->levels + 1] = count; /* nothing is above the highest one */
    return TAUT_OK;
}

/* The orders of the last coefficients that a state may have. */
static void bound_ratios(taut_taylor_stepper *p) {
    p->first_ratio = p->orders;
    for (int i = 0; i < p->states; i++) {
        const int top = taut_taylor_top(p, &p->state[i]);
        if (top >= p->end_ratio) p->end_ratio = top + 1;
        if (top - TAUT_TAYLOR_LAST < p->first_ratio) p->first_ratio = top - TAUT_TAYLOR_LAST + 1;
    }
    if (p->first_ratio < 1) p->first_ratio = 1;
}

/* The states and the highest derivatives. */
static taut_status list_ends(taut_taylor_stepper *p) {
    const int n = p->system->n;
    p->ends = p->states + n;
    p->end = TAUT_NEW_ARRAY(&p->arena, p->ends, taut_component);
    p->tails = TAUT_NEW_ARRAY(&p->arena, p->ends, double);
    p->sorted = TAUT_NEW_ARRAY(&p->arena, p->ends, int);
    if (!p->end || !p->tails || !p->sorted) return TAUT_ERR_MEMORY;
    p->leading = p->end + p->states;
    p->guess = p->tails + p->states;
    for (int i = 0; i < p->states; i++) p->end[i] = p->state[i];
    for (int j = 0; j < n; j++)
        p->leading[j] = (taut_component){.variable = j, .order = p->structure->offsets.d[j]};
    sort_ends(p);
    return TAUT_OK;
}

static taut_status allocate(taut_taylor_stepper *p) {
    const taut_structure *s = p->structure;
    const int n = p->system->n;
    TAUT_TRY(taut_weights_create(p->system, s, &p->options, true, &p->arena, &p->weights));
    p->levels = p->weights.levels;
    p->states = p->weights.states;
    p->state = p->weights.state;
    p->weight = p->weights.weight;
    double **vectors[] = {&p->hi, &p->lo, &p->try_hi, &p->try_lo, &p->put.hi};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        *vectors[i] = TAUT_NEW_ARRAY(&p->arena, p->states, double);
        if (!*vectors[i]) return TAUT_ERR_MEMORY;
    }
    p->put.leading = TAUT_NEW_ARRAY(&p->arena, n, double);
    p->w = TAUT_NEW_ARRAY(&p->arena, n, double);
    p->n = TAUT_NEW_ARRAY(&p->arena, n, double);
    p->first_state = TAUT_NEW_ARRAY(&p->arena, n + 1, int);
    if (!p->w || !p->n || !p->put.leading || !p->first_state) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->states; i++) p->first_state[p->state[i].variable + 1] = i + 1;
    for (int j = 0; j < n; j++) /* some have none */
        if (p->first_state[j + 1] < p->first_state[j]) p->first_state[j + 1] = p->first_state[j];
    TAUT_TRY(list_ends(p));
    TAUT_TRY(sort_levels(p));
    p->orders = p->last_stage + p->levels + 1;
    if (p->orders <= TAUT_TAYLOR_FIRST) p->orders = TAUT_TAYLOR_FIRST + 1;
    bound_ratios(p);
    p->ratio = TAUT_NEW_ARRAY(&p->arena, p->orders, double);
    p->largest = TAUT_NEW_ARRAY(&p->arena, p->orders + TAUT_TAYLOR_MIDDLE, double);
    p->falling = TAUT_NEW_ARRAY(&p->arena, p->levels * p->orders, double);
    p->low = TAUT_NEW_ARRAY(&p->arena, p->states * (TAUT_TAYLOR_FIRST + 1), double);
    p->high = TAUT_NEW_ARRAY(&p->arena, p->states * TAUT_TAYLOR_LAST, double);
    p->middle = TAUT_NEW_ARRAY(&p->arena, p->states * TAUT_TAYLOR_MIDDLE, double);
    p->rounding = TAUT_NEW_ARRAY(&p->arena, n, double);
    p->size = TAUT_NEW_ARRAY(&p->arena, p->series->tape->size, double);
    p->unit = TAUT_NEW_ARRAY(&p->arena, p->states, double);
    if (!p->unit || !p->middle || !p->falling || !p->low || !p->high || !p->rounding || !p->size)
        return TAUT_ERR_MEMORY;
    for (int k = 0; k < p->levels; k++)
        for (int q = 0; q < p->orders; q++) {
            double *f = &p->falling[k * p->orders + q];
            *f = 1.0;
            for (int m = 1; m <= k; m++) *f *= (double)(q + m);
        }
    p->poly = TAUT_NEW_ARRAY(&p->arena, n, double *);
    if (!p->ratio || !p->largest || !p->poly) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) {
        p->poly[j] = TAUT_NEW_ARRAY(&p->arena, p->orders + s->offsets.d[j], double);
        if (!p->poly[j]) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

static void release(taut_stepper *stepper) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    taut_pole_release(&p->pole);
    taut_series_free(&p->series);
    taut_arena_release(&p->arena);
    taut_release((void **)&p);
}

/* Is the plan that others work with the one that we would make? */
static bool can_use(const taut_taylor_stepper *p, const taut_series_plan *view) {
    return view && view->of && view->system == p->system && view->structure == p->structure &&
           view->of->last_stage == p->last_stage && p->vigil.outputs == 0;
}

static taut_status create_series(taut_taylor_stepper *p, const taut_taylor_stepper *like,
                                 const taut_series_plan *view) {
    if (like) return taut_series_create_from(like->series->plan, &p->series);
    if (can_use(p, view)) return taut_series_create_beside(view, &p->series);
    return taut_series_create_wide(p->system, p->structure, p->last_stage, p->vigil.node,
                                   p->vigil.outputs, &p->series);
}

static taut_status create(const taut_system *system, const taut_structure *structure,
                          const taut_stepping *options, taut_stepper **stepper) {
    taut_taylor_stepper *p = NULL;
    size_t room = 0;
    *stepper = NULL;
    if (taut_grow((void **)&p, &room, 1, sizeof *p)) return TAUT_ERR_MEMORY;
    *p = (taut_taylor_stepper){.system = system, .structure = structure, .options = *options};
    p->stats.order = find_order(options);
    p->last_stage = last_stage(options);
    const taut_taylor_stepper *like = (const taut_taylor_stepper *)options->like;
    p->options.like = NULL;
    p->options.view = NULL;
    taut_status status =
        like ? taut_vigil_create_like(&like->vigil, system, options, &p->arena, &p->vigil)
             : taut_vigil_create(system, options, &p->arena, &p->vigil);
    if (status == TAUT_OK) status = create_series(p, like, options->view);
    if (status == TAUT_OK) status = taut_vigil_prepare(&p->vigil, p->series, &p->arena);
    if (status == TAUT_OK) status = allocate(p);
    p->weights.flat = p->vigil.nodes > 0;
    if (status == TAUT_OK) status = taut_pole_create(p->series, &p->arena, &p->pole);
    if (status == TAUT_OK) {
        p->series->refined_below = REFINED / fmax(options->rtol, options->atol);
        p->series->watch = options->watch;
        p->stats.operations = taut_tape_operations(p->series->tape);
        *stepper = &p->base;
    } else {
        release(&p->base);
    }
    return status;
}

static taut_status set_numbers(taut_stepper *stepper, const double *parameter) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    TAUT_TRY(taut_series_set_numbers(p->series, parameter));
    TAUT_TRY(taut_vigil_set_numbers(&p->vigil, parameter));
    return taut_pole_set_numbers(&p->pole, parameter);
}

/* ---- a point ---- */

void taut_taylor_accept(taut_taylor_stepper *p, double t, double rcond) {
    p->base.t = t;
    p->rcond = rcond;
    p->best_rcond = taut_larger(p->best_rcond, p->rcond);
    p->caution = p->options.reduced && p->rcond < FADED * p->best_rcond ? CAUTION : 1.0;
    for (int i = 0; i < p->states; i++) {
        p->hi[i] = p->try_hi[i];
        p->lo[i] = p->try_lo[i];
    }
    taut_weights_reach(&p->weights, p->hi);
}

void taut_taylor_move_on(taut_taylor_stepper *p, double before) {
    const bool passed = p->r > 0.0 && p->r <= fabs(p->h);
    p->base.singular = passed ? before + copysign(p->r, p->h) : (double)NAN;
    if (p->r != 0.0) p->r -= fabs(p->h);
    if (p->r2 != 0.0) p->r2 -= fabs(p->h);
}

/* Lands there once more, with the same numbers and the same pivots: the same bits. */
taut_status taut_taylor_come_home(taut_taylor_stepper *p) {
    const long counted = p->series->factorisations;
    if (!p->aloof) return TAUT_OK;
    p->aloof = false;
    if (p->older_pivots) TAUT_TRY(taut_lu_repivot(p->series->lu, p->older_pivots));
    p->older_pivots = NULL;
    taut_taylor_put(p, p->base.t, p->series);
    TAUT_TRY(taut_series_settle(p->series, true, NULL, NULL));
    p->series->factorisations = counted;
    return !p->expanded || taut_taylor_extend(p) ? TAUT_OK : TAUT_STEP_COLLAPSED;
}

/* ---- the calls ---- */

static taut_status start(taut_stepper *stepper, const taut_state *from, double tend,
                         taut_errors *errors) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    const double t = p->base.t;
    p->tend = tend;
    p->h = p->r = p->r2 = p->usual_step = 0.0;
    p->last_sigma = p->landed = -1.0;
    p->apart = p->base.t;
    p->blind = false;
    p->best_rcond = 0.0;
    p->caution = 1.0;
    p->started = p->closing = p->aloof = p->planned = false;
    p->starts++;
    p->strained = 0;
    taut_weights_forget(&p->weights);
    taut_vigil_restart(&p->vigil);
    taut_series_forget(p->series);
    taut_pole_restart(&p->pole);
    for (int i = 0; i < p->states; i++) {
        p->try_hi[i] = *taut_state_at(from, p->state[i].variable, p->state[i].order);
        p->try_lo[i] = 0.0;
        p->weight[i] = p->options.atol * fmax(1.0, fabs(p->try_hi[i]));
    }
    /* what enters linearly here may be under a root in another block */
    for (int j = 0; j < p->system->n; j++)
        p->guess[j] =
            p->structure->quasilinear ? 0.0 : *taut_state_at(from, j, p->structure->offsets.d[j]);
    const double span = tend != t ? tend - t : 1.0;
    bool again = taut_taylor_remembers(p, from);
    if (again) {
        const taut_status status = taut_taylor_land_again(p, from);
        if (status == TAUT_ERR_MEMORY) return status;
        again = status == TAUT_OK; /* a memory that is of something else is none */
    }
    if (!again) TAUT_TRY(taut_taylor_land(p, t, 1e-3 * span, true));
    if (!again && p->trouble != TAUT_FINE) return taut_taylor_explain(p, 0.0, errors);
    taut_taylor_accept(p, t, taut_lu_rcond(p->series->lu));
    const bool expanded = again ? taut_taylor_extend(p) : taut_taylor_extend_start(p);
    if (again && expanded) taut_taylor_keep(p);
    if (!expanded) {
        p->trouble = TAUT_NOT_FINITE;
        return taut_taylor_explain(p, 0.0, errors);
    }
    p->started = true;
    if (again) taut_taylor_recall(p, from);
    return TAUT_OK;
}

static taut_status set_end(taut_stepper *stepper, double tend) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    if (tend != p->base.t && !p->expanded) TAUT_TRY(taut_taylor_come_home(p));
    if (tend != p->base.t && !p->expanded && !taut_taylor_extend(p)) return TAUT_STEP_COLLAPSED;
    p->tend = tend;
    return TAUT_OK;
}

static taut_expansion expansion(const taut_stepper *stepper, bool end) {
    const taut_taylor_stepper *p = (const taut_taylor_stepper *)stepper;
    if (end || p->closing) return (taut_expansion){0}; /* closed, it is no polynomial */
    return (taut_expansion){p->poly, p->last_stage, p->base.begin, p->poly_h};
}

static taut_status probe(void *user, double t, bool *right) {
    taut_taylor_stepper *p = user;
    TAUT_TRY(taut_taylor_land(p, t, p->try_h, false));
    *right = p->trouble == TAUT_FINE;
    return TAUT_OK;
}

/* Looks for features between here and t; *good: how far the polynomial can be trusted. */
static taut_status look_inside(taut_taylor_stepper *p, double t, double *good) {
    const taut_path path = {p->poly, p->structure->offsets.d, p->last_stage, p->base.begin,
                            p->poly_h};
    *good = t;
    p->try_h = t - p->base.t;
    return p->closing ? TAUT_OK : taut_vigil_search(&p->vigil, &path, t, probe, p, good);
}

static taut_status step(taut_stepper *stepper, taut_errors *errors) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    if (p->aloof) TAUT_TRY(taut_taylor_come_home(p));
    if (p->planned)
        taut_taylor_measure(p); /* that was not needed yet; the polynomial has been handed over */
    else if (p->h != 0.0)
        taut_taylor_keep(p);
    double h = p->planned ? p->planned_h : taut_taylor_choose_step(p), good;
    p->planned = false;
    for (;;) {
        if (p->pole.starved) return TAUT_ERR_MEMORY;
        const bool last = fabs(h) >= fabs(p->tend - p->base.t);
        const double t = last ? p->tend : p->base.t + h;
        if (!(fabs(h) > 16.0 * DBL_EPSILON * fabs(p->base.t)) || t == p->base.t || !isfinite(t))
            return taut_taylor_explain(p, h, errors);
        TAUT_TRY(look_inside(p, t, &good));
        if (good == t) TAUT_TRY(taut_taylor_land(p, t, h, false));
        if (good == t && p->trouble == TAUT_FINE) {
            const double before = p->base.t;
            taut_taylor_accept(p, t, taut_lu_rcond(p->series->lu));
            p->expanded = false;
            p->h = t - before;
            p->stats.steps++;
            taut_taylor_move_on(p, before);
            if (t != p->tend && !taut_taylor_extend(p)) {
                p->trouble = TAUT_NOT_FINITE;
                return taut_taylor_explain(p, h, errors);
            }
            return TAUT_OK;
        }
        p->stats.rejected++;
        if (good != t) {
            h = good - p->base.t;
        } else if (p->closing && taut_taylor_passes_two(p, h)) {
            /* between two that are far apart; otherwise any shorter step would end too close to
               them, and rounding would decide */
            const double middle = 0.5 * (p->r + p->r2);
            if (p->r2 - p->r < WIDE * middle) return taut_taylor_explain(p, h, errors);
            h = copysign(middle, h);
        } else if (p->surprised) {
            if (p->r != 0.0) h = taut_taylor_fit_step(p, taut_taylor_plan_passage(p));
        } else {
            h *= p->trouble == TAUT_TOO_FAR ? 0.7 : 0.4;
        }
        taut_taylor_weigh(p, fabs(h / p->poly_h));
    }
}

static double residual(const taut_stepper *stepper) {
    const taut_taylor_stepper *p = (const taut_taylor_stepper *)stepper;
    return p->aloof ? p->distant_residual : taut_series_constraint_residual(p->series);
}

static double state_now(const taut_stepper *stepper, int j, int k) {
    const taut_taylor_stepper *p = (const taut_taylor_stepper *)stepper;
    for (int i = 0; i < p->states; i++)
        if (p->state[i].variable == j && p->state[i].order == k) return p->hi[i];
    return 0.0;
}

static bool prediction(const taut_stepper *stepper, taut_series *to) {
    const taut_taylor_stepper *p = (const taut_taylor_stepper *)stepper;
    /* constraints that decay are stepped with other equations than rows are made of */
    if (to->structure != p->structure) return false;
    taut_taylor_put(p, stepper->t, to);
    return true;
}

static double rcond(const taut_stepper *stepper) {
    return ((const taut_taylor_stepper *)stepper)->rcond;
}

static taut_stepper_stats statistics(const taut_stepper *stepper) {
    const taut_taylor_stepper *p = (const taut_taylor_stepper *)stepper;
    taut_stepper_stats stats = p->stats;
    stats.evaluations = stats.steps + stats.rejected + 1; /* one expansion a point, and the start */
    stats.factorisations = p->series->factorisations;
    stats.miscompiled = p->series->miscompiled;
    return stats;
}

/* Every start forgets the motion. */
static void forget(taut_stepper *stepper) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    p->stats.steps = p->stats.rejected = 0;
    p->series->factorisations = 0;
}

static double value(const taut_stepper *stepper, int j, int k, double time) {
    return taut_taylor_value((const taut_taylor_stepper *)stepper, j, k, time);
}

static bool strained(taut_stepper *stepper) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    /* a step that is as long as it may be is strained by nothing */
    const bool capped = fabs(p->h) > 0.5 * p->vigil.cap;
    const bool relaxed = p->aloof && p->relaxed;
    p->strained = !capped && !relaxed && taut_taylor_looks_strained(p) ? p->strained + 1 : 0;
    return p->strained >= 3;
}

static double ahead(taut_stepper *stepper) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    taut_taylor_measure(p);
    return taut_taylor_allowed_step(p);
}

static taut_status compile(taut_stepper *stepper, taut_series *seen, taut_errors *errors) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    if (p->series->compiled) return TAUT_OK;
    TAUT_TRY(taut_series_compile(p->series, seen, errors));
    /* beside the interpreter, before a step depends on it */
    const taut_status status = taut_series_settle(p->series, true, NULL, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status == TAUT_OK) taut_series_extend(p->series, 1, p->last_stage);
    if (status != TAUT_OK || p->series->miscompiled) { /* from the point that there was */
        taut_series_distrust(p->series);
        taut_taylor_put(p, p->base.t, p->series);
        TAUT_TRY(taut_series_settle(p->series, true, NULL, NULL));
    }
    return taut_taylor_extend(p) ? TAUT_OK : TAUT_STEP_COLLAPSED;
}

const taut_method taut_taylor = {.name = "taylor",
                                 .words = "Taylor series",
                                 .last_stage = last_stage,
                                 .create = create,
                                 .free = release,
                                 .start = start,
                                 .step = step,
                                 .set_end = set_end,
                                 .remember = taut_taylor_remember,
                                 .expansion = expansion,
                                 .value = value,
                                 .state = state_now,
                                 .prediction = prediction,
                                 .residual = residual,
                                 .rcond = rcond,
                                 .statistics = statistics,
                                 .strained = strained,
                                 .ahead = ahead,
                                 .set_numbers = set_numbers,
                                 .compile = compile,
                                 .forget = forget};
