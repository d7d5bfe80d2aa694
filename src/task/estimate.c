/* Fitting by Levenberg and Marquardt: the search, robust losses, and what the result is worth. */
#include "task/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bounds.h"
#include "core/rotations.h"
#include "solve/least_squares.h"
#include "task/options.h"
#include "task/result.h"

enum { COOKIE = 0xf17, USUAL = 20, MOST_PARTS = 10000, MOST_VALUES = 200 };
static const double TIES[] = {1e1, 1e3, 1e6}; /* how heavy jumps weigh, in turn */
enum { STAGES = sizeof TIES / sizeof TIES[0], ROUNDS = 12 };
static const double DEAD = 1e-9; /* singular values below this part of the largest: rounding */
static const double NEGLIGIBLE = 1e-3; /* parts of a direction that are not named: rounding */

taut_estimate_options taut_estimate_options_default(void) {
    return (taut_estimate_options){.cookie = COOKIE, .run = taut_run_options_default()};
}

/* ---- losses ---- */

/* The residual whose square is the loss of r (pseudo-Huber, Cauchy), and its derivative by r. */
static double soften(const taut_estimates *e, double r, double *slope) {
    const double s = e->loss_scale, q = r / s;
    *slope = 1.0;
    if (e->loss == TAUT_LOSS_SQUARES || fabs(q) < 1e-6) return r;
    double loss, by; /* rho(q), rho'(q), with rho ~ q^2 */
    if (e->loss == TAUT_LOSS_HUBER) {
        const double k = 1.345, root = sqrt(1.0 + q * q / (k * k));
        loss = 2.0 * k * k * (root - 1.0);
        by = 2.0 * q / root;
    } else {
        const double k = 2.385;
        loss = k * k * log1p(q * q / (k * k));
        by = 2.0 * q / (1.0 + q * q / (k * k));
    }
    const double soft = (r < 0.0 ? -1.0 : 1.0) * s * sqrt(loss);
    *slope = s * by / (2.0 * soft / s);
    return soft;
}

static bool is_jump(const taut_estimates *e, int residual) {
    for (int i = e->parts - 1; i >= 0; i--)
        if (residual >= e->part[i].first)
            return e->part[i].residual[residual - e->part[i].first].row < 0;
    return false;
}

static bool go(void *user, const double *z, double *r, double *J) {
    taut_estimates *e = user;
    const size_t m = (size_t)e->residuals;
    double *plain = J ? e->r : r;
    if (!plain) return false;
    e->progress.evaluations++;
    const taut_status status = taut_parts_find(e, z, plain, J);
    if (status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED) e->trouble = status;
    if (e->trouble != TAUT_OK) return false;
    if (status != TAUT_OK) { /* a place without a run: far away from everything */
        if (J) return false;
        for (size_t i = 0; i < m; i++) plain[i] = 1e8;
        return true;
    }
    for (size_t i = 0; i < m && e->loss != TAUT_LOSS_SQUARES; i++) {
        double slope;
        if (is_jump(e, (int)i)) continue;
        const double soft = soften(e, plain[i], &slope);
        if (!J) plain[i] = soft;
        for (int k = 0; J && k < e->unknowns; k++) J[(size_t)k * m + i] *= slope;
    }
    return true;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The spread of residuals that outliers do not move: the median of their sizes. */
static taut_status find_spread(taut_estimates *e, const double *z) {
    int count = 0;
    double *size = taut_new((size_t)e->residuals * sizeof *size);
    if (!size) return TAUT_ERR_MEMORY;
    taut_status status = taut_parts_find(e, z, e->r, NULL);
    for (int i = 0; i < e->residuals && status == TAUT_OK; i++)
        if (!is_jump(e, i)) size[count++] = fabs(e->r[i]);
    if (count > 0) {
        qsort(size, (size_t)count, sizeof *size, by_size);
        e->loss_scale = fmax(1e-12, 1.4826 * size[count / 2]);
    }
    taut_release((void **)&size);
    return status == TAUT_ERR_NUMERICS ? TAUT_OK : status;
}

/* ---- the search ---- */

static taut_status approach(taut_estimates *e, double *z, int most, bool *converged,
                            taut_errors *errors) {
    taut_least_squares problem = {
        .m = e->residuals, .n = e->unknowns, .go = go, .user = e, .tolerance = 1e-10, .most = most};
    const taut_status status = taut_least_squares_run(&problem, z, converged, errors);
    if (e->trouble != TAUT_OK) return e->trouble;
    return status == TAUT_INTERRUPTED ? TAUT_ERR_NUMERICS : status; /* no derivatives there */
}

/* From one start: jumps weigh more from stage to stage; robust losses follow the plain one. */
static taut_status search_from(taut_estimates *e, double *z, int most, bool *converged,
                               taut_errors *errors) {
    const taut_loss loss = e->loss;
    e->loss = TAUT_LOSS_SQUARES;
    taut_status status = TAUT_OK;
    for (int k = e->shooting > 1 ? 0 : STAGES - 1; k < STAGES && status == TAUT_OK; k++) {
        e->tie = TIES[k];
        status = approach(e, z, most, converged, errors);
    }
    for (int k = 0; k < ROUNDS && loss != TAUT_LOSS_SQUARES && status == TAUT_OK; k++) {
        const double before = e->loss_scale;
        status = find_spread(e, z);
        if (k > 0 && e->loss_scale > 0.95 * before) break; /* it does not become narrower */
        e->loss = loss;
        if (status == TAUT_OK) status = approach(e, z, most, converged, errors);
    }
    e->loss = loss;
    return status;
}

/* The sum of what is minimised. */
static double find_sum(taut_estimates *e, const double *z) {
    double sum = 0.0;
    if (!go(e, z, e->r, NULL)) return (double)INFINITY;
    for (int i = 0; i < e->residuals; i++) sum += e->r[i] * e->r[i];
    return sum;
}

static taut_status perform(taut_estimates *e, const taut_estimate_options *o, taut_errors *errors) {
    const int starts = taut_search_starts(e->model, o->starts);
    double best = (double)INFINITY;
    double *z = TAUT_NEW_ARRAY(&e->arena, e->unknowns, double);
    if (!z) return TAUT_ERR_MEMORY;
    e->loss_scale = 1.0;
    for (int i = 0; i < starts; i++) {
        bool converged = false;
        taut_search_progress_start(&e->progress, i, starts);
        taut_status status = taut_parts_start(e, o->seed, i, z, errors);
        if (status == TAUT_OK)
            status = search_from(e, z, o->most > 0 ? o->most : MOST_VALUES, &converged, errors);
        if (status == TAUT_ERR_NUMERICS) continue;
        TAUT_TRY(status);
        const double sum = find_sum(e, z);
        if (e->trouble != TAUT_OK) return e->trouble;
        if (!(sum < best) || sum >= 1e15) continue;
        best = sum;
        memcpy(e->z, z, (size_t)e->unknowns * sizeof *z);
        e->stats.start = i;
        e->stats.converged = converged;
    }
    if (isfinite(best)) {
        errors ? (void)(errors->count = errors->dropped = 0) : (void)0;
        return TAUT_OK;
    }
    return taut_fail(errors, TAUT_ERR_NUMERICS, "no start has led to runs beside the data: %s",
                     e->errors->count > 0 ? e->errors->item[0].message : "none could be finished");
}

/* ---- what it is worth ---- */

/* Student's t that is exceeded by 2.5 % (Cornish and Fisher). */
static double student(int freedom) {
    const double z = 1.959963984540054, n = fmax(1.0, (double)freedom), z3 = z * z * z,
                 z5 = z3 * z * z, z7 = z5 * z * z;
    if (freedom == 1) return 12.706204736174698;
    if (freedom == 2) return 4.302652729696142;
    return z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n) +
           (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n);
}

/* A direction along which the residuals do not change: the names that have a part in it. Components
 * belong to columns of length 1, so they say how much each name changes the residuals: units and
 * the sizes of values have no say. */
static void name_direction(taut_estimates *e, const double *v) {
    double largest = 0.0;
    bool first = true;
    for (int k = 0; k < e->named; k++) largest = fmax(largest, fabs(v[k]));
    for (int k = 0; k < e->named; k++) {
        if (!(fabs(v[k]) > NEGLIGIBLE * largest)) continue;
        taut_string_add(&e->unidentified, "%s%s", first ? "" : ", ", e->unknown[k].name);
        e->estimated[k].identified = false;
        first = false;
    }
    if (!first) taut_string_add(&e->unidentified, "\n");
}

/* covariance = s^2 (J^T J)^-1 by singular values of J, its columns brought to length 1; what
 * vanishes beside the largest one cannot be identified. */
static taut_status find_covariance(taut_estimates *e, double variance) {
    const int m = e->residuals, n = e->unknowns;
    double *a = TAUT_NEW_ARRAY(&e->arena, (size_t)m * (size_t)n, double);
    double *v = TAUT_NEW_ARRAY(&e->arena, (size_t)n * (size_t)n, double);
    double *sigma = TAUT_NEW_ARRAY(&e->arena, n, double),
           *norm = TAUT_NEW_ARRAY(&e->arena, n, double);
    if (!a || !v || !sigma || !norm) return TAUT_ERR_MEMORY;
    double longest = 0.0;
    for (int k = 0; k < n; k++) {
        double sum = 0.0;
        for (int i = 0; i < m; i++)
            sum +=
                e->J[(size_t)k * (size_t)m + (size_t)i] * e->J[(size_t)k * (size_t)m + (size_t)i];
        norm[k] = sqrt(sum);
        longest = fmax(longest, norm[k]);
    }
    for (int k = 0; k < n; k++) {
        const bool dead = !(norm[k] > DEAD * longest);
        if (dead) norm[k] = fmax(DEAD * longest, 1e-300);
        for (int i = 0; i < m; i++)
            a[(size_t)k * (size_t)m + (size_t)i] =
                dead ? 0.0 : e->J[(size_t)k * (size_t)m + (size_t)i] / norm[k];
    }
    taut_rotate_columns(m, n, a, sigma, v);
    const double least = sigma[0] * (taut_gradients_are_exact(e->part[0].gradients) ? 1e-8 : 1e-6);
    for (int q = 0; q < n; q++) {
        const double *direction = v + (size_t)q * (size_t)n;
        if (!(sigma[q] > least)) {
            name_direction(e, direction);
            continue;
        }
        for (int i = 0; i < e->named; i++)
            for (int k = 0; k < e->named; k++)
                e->covariance[i * e->named + k] += variance * direction[i] * direction[k] /
                                                   (sigma[q] * sigma[q] * norm[i] * norm[k]);
    }
    return e->unidentified.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static void fill_estimates(taut_estimates *e, double t) {
    for (int k = 0; k < e->named; k++) {
        taut_estimated *x = &e->estimated[k];
        const taut_sought *u = &e->unknown[k];
        double rate;
        x->value = taut_sought_value(e, k, e->z[k], &rate);
        x->sd =
            x->identified ? fabs(rate) * sqrt(e->covariance[k * e->named + k]) : (double)INFINITY;
        x->low = x->value - t * x->sd;
        x->high = x->value + t * x->sd;
        if (u->box < 0) continue;
        const double size = e->box.high[u->box] - e->box.low[u->box];
        x->at_bound = x->value - e->box.low[u->box] < 1e-6 * size ||
                      e->box.high[u->box] - x->value < 1e-6 * size;
    }
}

static taut_status judge(taut_estimates *e, taut_errors *errors) {
    double sum = 0.0, gap = 0.0;
    e->stats.runs = 0;
    const taut_loss loss = e->loss;
    if (!go(e, e->z, NULL, e->J)) {
        if (e->trouble != TAUT_OK) return e->trouble;
        return taut_fail(errors, TAUT_ERR_NUMERICS,
                         "there are no derivatives at the best values: %s",
                         e->errors->count > 0 ? e->errors->item[0].message : "none are finite");
    }
    double soft = 0.0;
    for (int i = 0; i < e->residuals; i++) {
        double slope;
        if (is_jump(e, i)) {
            gap = fmax(gap, fabs(e->r[i]) / e->tie);
            continue;
        }
        const double s = soften(e, e->r[i], &slope);
        soft += s * s;
        sum += e->r[i] * e->r[i];
    }
    e->loss = loss;
    const int unknown = e->unknowns - (e->residuals - e->measured); /* jumps settle the others */
    const int freedom = e->measured - unknown;
    e->stats.residuals = e->measured;
    e->stats.unknowns = e->named;
    e->stats.rms = sqrt(sum / (double)e->measured);
    e->stats.gap = gap;
    e->stats.exact = true;
    for (int i = 0; i < e->parts; i++) {
        e->stats.runs += taut_gradients_runs(e->part[i].gradients);
        e->stats.exact = e->stats.exact && taut_gradients_are_exact(e->part[i].gradients);
    }
    for (int k = 0; k < e->named; k++)
        e->estimated[k] = (taut_estimated){.name = e->unknown[k].name, .identified = true};
    TAUT_TRY(find_covariance(e, freedom > 0 ? soft / (double)freedom : (double)NAN));
    fill_estimates(e, student(freedom));
    return TAUT_OK;
}

/* ---- creation ---- */

static taut_status check_options(const taut_estimate_options *o, taut_errors *errors) {
    if (o->cookie != COOKIE)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "the options have not been filled: begin with taut_estimate_options_default()");
    if (o->variables < 0 || o->measurements < 0 || o->datas < 0 || o->weights < 0 ||
        o->biases < 0 || o->states < 0 || (o->variable && o->variables < 1))
        return taut_fail(errors, TAUT_ERR_CALL, "options: a list and its length do not fit");
    if (o->shooting < 0 || o->shooting > MOST_PARTS)
        return taut_fail(errors, TAUT_ERR_CALL, "options.shooting is between 1 and %d",
                         (int)MOST_PARTS);
    return taut_search_check(&o->run, o->starts, o->most, errors);
}

/* Names of variables and columns, by the first part. */
static taut_status check_names(taut_estimates *e, taut_errors *errors) {
    taut_shot *p = &e->part[0];
    taut_tryout *tryout = taut_gradients_tryout(p->gradients);
    TAUT_TRY(taut_parts_start(e, 0, 0, e->z, errors));
    for (int k = 0; k < p->names; k++)
        p->x[k] = p->unknown[k] >= 0
                      ? taut_sought_value(e, p->unknown[k], e->z[p->unknown[k]], NULL)
                      : p->constant[k];
    const taut_status status = taut_tryout_start(tryout, p->x, NULL);
    if (status == TAUT_ERR_CALL) return taut_tryout_start(tryout, p->x, errors);
    return status == TAUT_OK ? taut_tryout_check(tryout, p->x, errors) : TAUT_OK;
}

static taut_status build(taut_estimates *e, const taut_estimate_options *o, taut_errors *errors) {
    TAUT_TRY(taut_options_copy(&o->run, &e->arena, &e->run));
    taut_search_progress_attach(&e->progress, &e->run, USUAL);
    TAUT_TRY(taut_box_read(e->model, o->variable, o->variables, "fit", &e->arena, &e->box, errors));
    TAUT_TRY(taut_estimate_read(e, o, errors));
    TAUT_TRY(taut_parts_create(e, errors));
    if (e->measured < e->named)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%d numbers were measured, and %d are to be found: that is too little",
                         e->measured, e->named);
    const size_t m = (size_t)e->residuals, n = (size_t)e->unknowns, k = (size_t)e->named;
    e->z = TAUT_NEW_ARRAY(&e->arena, n, double);
    e->r = TAUT_NEW_ARRAY(&e->arena, m, double);
    e->J = TAUT_NEW_ARRAY(&e->arena, m * n, double);
    e->estimated = TAUT_NEW_ARRAY(&e->arena, k, taut_estimated);
    e->covariance = TAUT_NEW_ARRAY(&e->arena, k * k, double);
    if (!e->z || !e->r || !e->J || !e->estimated || !e->covariance) return TAUT_ERR_MEMORY;
    return taut_search_explain(e->model, o->variable != NULL, check_names(e, errors), errors);
}

static int ask(void *user) {
    const taut_estimates *e = user;
    return e->trouble != TAUT_OK || (e->run.progress && e->run.progress(e->run.user, 0.5) != 0);
}

taut_status taut_estimate(const taut_model *model, const taut_estimate_options *options,
                          taut_estimates **estimates, taut_errors *errors) {
    const taut_estimate_options usual = taut_estimate_options_default();
    TAUT_NEED(estimates, "estimates", errors);
    *estimates = NULL;
    TAUT_NEED(model, "model", errors);
    if (!options) options = &usual;
    TAUT_TRY(check_options(options, errors));
    taut_estimates *e = *estimates = taut_new(sizeof *e);
    if (!e) return TAUT_ERR_MEMORY;
    e->model = model;
    e->errors = taut_new(sizeof *e->errors);
    taut_bounds bounds = {.stop = ask, .user = e, .memory = options->run.memory};
    taut_bounds_begin(&bounds);
    taut_status status = e->errors ? build(e, options, errors) : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = perform(e, options, errors);
    if (status == TAUT_OK) status = judge(e, errors);
    taut_bounds_end(&bounds);
    if (status == TAUT_INTERRUPTED) taut_fail(errors, status, "interrupted before the end");
    if (status != TAUT_OK) taut_estimates_free(estimates);
    return status;
}

void taut_estimates_free(taut_estimates **estimates) {
    if (!estimates || !*estimates) return;
    taut_estimates *e = *estimates;
    taut_parts_free(e);
    for (int i = 0; i < e->experiments; i++) taut_sheet_free(&e->experiment[i].sheet);
    taut_string_release(&e->unidentified);
    taut_release((void **)&e->errors);
    taut_arena_release(&e->arena);
    taut_release((void **)estimates);
}

/* ---- what was found ---- */

int taut_estimates_count(const taut_estimates *e) { return e ? e->named : 0; }

const taut_estimated *taut_estimates_get(const taut_estimates *e, int k) {
    return e && k >= 0 && k < e->named ? &e->estimated[k] : NULL;
}

double taut_estimates_correlation(const taut_estimates *e, int a, int b) {
    if (!e || a < 0 || b < 0 || a >= e->named || b >= e->named || !e->estimated[a].identified ||
        !e->estimated[b].identified)
        return (double)NAN;
    const double *c = e->covariance;
    double by_a, by_b; /* mirrors turn signs */
    taut_sought_value(e, a, e->z[a], &by_a);
    taut_sought_value(e, b, e->z[b], &by_b);
    return (by_a * by_b < 0.0 ? -1.0 : 1.0) * c[a * e->named + b] /
           sqrt(c[a * e->named + a] * c[b * e->named + b]);
}

const char *taut_estimates_unidentified(const taut_estimates *e) {
    return e && e->unidentified.text ? e->unidentified.text : "";
}

const taut_estimates_stats *taut_estimates_get_stats(const taut_estimates *e) {
    return e ? &e->stats : NULL;
}
