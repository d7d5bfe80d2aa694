/* A run: structure, consistent point, steps, rows, and how well it went. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "solve/consistent.h"
#include "task/observe.h"
#include "task/prepare.h"

enum { DEFAULT_ROWS = 1001 };
static const double NEARLY_SINGULAR = 1e-11;
static const double FADED = 0.05; /* of the best condition with the same choice of constraints */
static const double LONGEST_TABLE = 5e7; /* rows */

typedef struct run {
    const taut_run_options *options;
    taut_errors *errors;
    taut_arena arena;
    taut_prepared prepared;
    taut_assemblies assemblies;
    taut_observer *observer;
    taut_taylor *stepper;
    taut_result *result;
    double t0, tend;
    long next;         /* number of the next row that is due */
    long rows;         /* how many are due; --every step: 0 */
    double good_rcond; /* the best so far with the constraints of now */
    double first_energy, largest_drift, largest_kinetic;
    long not_finite; /* rows of the table with values that are no numbers ... */
    int bad_column;  /* ... the first one: where */
    double bad_time;
} run;

taut_run_options taut_run_options_default(void) {
    return (taut_run_options){.rtol = 1e-9, .atol = 1e-9, .solver = "auto", .derivatives = 1};
}

/* ---- checking the call ---- */

static taut_status check_options(run *r, const taut_model *model) {
    const taut_run_options *o = r->options;
    if (!(o->rtol >= 0.0) || !(o->atol >= 0.0) || !(o->rtol + o->atol > 0.0) || o->rtol > 0.1 ||
        o->atol > 0.1)
        return taut_fail(r->errors, TAUT_ERR_CALL,
                         "tolerances must be above 0 and at most 0.1; these are rtol = %g and "
                         "atol = %g",
                         o->rtol, o->atol);
    if (strcmp(o->solver, "auto") != 0 && strcmp(o->solver, "taylor") != 0)
        return taut_fail(r->errors, TAUT_ERR_CALL,
                         "unknown solver '%s': the solvers are taylor and auto", o->solver);
    if (o->formulation)
        return taut_fail(r->errors, TAUT_ERR_CALL,
                         "a formulation can be chosen for mechanisms only; this file gives its "
                         "equations as a %s",
                         taut_model_kind_name(model));
    if (o->derivatives < 0 || o->derivatives > TAUT_PRIMES_MAX)
        return taut_fail(r->errors, TAUT_ERR_CALL, "derivatives go from 0 to %d", TAUT_PRIMES_MAX);
    if (o->order < 0 || o->order > 60 || (o->order > 0 && o->order < 4))
        return taut_fail(r->errors, TAUT_ERR_CALL, "an order is between 4 and 60");
    if (o->starts < 0 || o->starts > 10000)
        return taut_fail(r->errors, TAUT_ERR_CALL, "starts go from 0 to 10000");
    if (!(o->step >= 0.0) || !isfinite(o->step))
        return taut_fail(r->errors, TAUT_ERR_CALL, "a step must be above 0");
    return TAUT_OK;
}

static taut_status check_times(run *r, const taut_model *model) {
    const taut_run_options *o = r->options;
    r->t0 = model->t0;
    r->tend = o->has_tend ? o->tend : model->tend;
    if (!o->has_tend && !model->has_tend)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, model->problem_place,
            "the key 'tend' is missing: give the end of the run there or by --tend");
    if (!isfinite(r->t0) || !isfinite(r->tend))
        return taut_fail(r->errors, TAUT_ERR_CALL, "the time span is not finite");
    const double sign = r->tend < r->t0 ? -1.0 : 1.0;
    for (int i = 0; i < o->ats; i++) {
        if (!(sign * (o->at[i] - r->t0) >= 0.0) || !(sign * (r->tend - o->at[i]) >= 0.0))
            return taut_fail(r->errors, TAUT_ERR_CALL,
                             "--at %.17g is outside the time span from %.17g to %.17g", o->at[i],
                             r->t0, r->tend);
        if (i > 0 && !(sign * (o->at[i] - o->at[i - 1]) > 0.0))
            return taut_fail(r->errors, TAUT_ERR_CALL,
                             "the times of --at must be in ascending order%s: %.17g follows %.17g",
                             sign < 0.0 ? " along the run, here from t0 down to tend" : "",
                             o->at[i], o->at[i - 1]);
    }
    const double span = fabs(r->tend - r->t0);
    if (o->ats > 0) {
        r->rows = o->ats;
    } else if (o->every > 0.0) {
        if (span / o->every > LONGEST_TABLE)
            return taut_fail(r->errors, TAUT_ERR_CALL, "--every %g would give more than %g rows",
                             o->every, LONGEST_TABLE);
        r->rows = (long)floor(span / o->every * (1.0 + 1e-12)) + 1;
    } else if (o->every == 0.0) {
        r->rows = r->tend == r->t0 ? 1 : DEFAULT_ROWS;
    }
    return TAUT_OK;
}

/* Time of row number i. */
static double row_time(const run *r, long i) {
    const taut_run_options *o = r->options;
    if (o->ats > 0) return o->at[i];
    if (o->every > 0.0) {
        const double time = r->t0 + copysign(o->every, r->tend - r->t0) * (double)i;
        return fabs(time - r->t0) > fabs(r->tend - r->t0) ? r->tend : time;
    }
    if (i == r->rows - 1) return r->tend;
    return r->t0 + (r->tend - r->t0) * ((double)i / (double)(r->rows - 1));
}

/* ---- preparing ---- */

static taut_status list_dropped(run *r) {
    const taut_problem *p = r->prepared.problem;
    for (int i = 0; i < p->drops; i++)
        taut_string_add(&r->result->redundant, "%s (line %d)\n", p->dropped[i].name,
                        p->dropped[i].place.line);
    return r->result->redundant.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status list_moves(run *r, const taut_moves *moves) {
    char name[100];
    for (int i = 0; i < moves->count; i++) {
        const taut_move *m = &moves->item[i];
        taut_derivative_name(&r->prepared.problem->system, m->variable, m->order, name,
                             sizeof name);
        taut_string_add(&r->result->moves, "%s: %.10g -> %.10g\n", name, m->from, m->to);
    }
    return r->result->moves.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status list_assemblies(run *r) {
    taut_string *out = &r->result->assemblies;
    char primes[TAUT_PRIMES_MAX + 2];
    for (int i = 0; i < r->assemblies.count; i++) {
        const taut_assembly *a = &r->assemblies.item[i];
        taut_string_add(out, "%d: distance %.4g%s", i + 1, a->distance > 1e-12 ? a->distance : 0.0,
                        i == 0 ? " (taken)" : "");
        for (int k = 0; k < a->telling; k++) {
            const taut_telling *x = &a->item[k];
            memset(primes, '\'', sizeof primes);
            taut_string_add(out, "%s%s%.*s = %s%.6g", k == 0 ? ": " : ", ", x->name, x->order,
                            primes, x->relative ? "guess + " : "", x->value);
        }
        taut_string_add(out, "\n");
    }
    if (r->assemblies.count > 1 && r->assemblies.item[1].telling > 0)
        taut_string_add(out, "to choose another one, change or fix %s\n",
                        r->assemblies.item[1].item[0].name);
    return out->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* What stops a run before its first step is a fault of the initial values. */
static taut_status start(run *r) {
    const int before = r->errors ? r->errors->count : 0;
    const taut_series *from = taut_observer_series(r->observer);
    taut_status status = taut_taylor_start(r->stepper, from, r->t0, r->tend, r->errors);
    if (status <= TAUT_OK && status != TAUT_ERR_NUMERICS) return status;
    for (int i = before; r->errors && i < r->errors->count; i++)
        r->errors->item[i].status = TAUT_ERR_INPUT;
    return TAUT_ERR_INPUT;
}

/* The observer and the initial point. */
static taut_status find_start(run *r, taut_moves *moves) {
    const taut_run_options *o = r->options;
    taut_observer_free(&r->observer);
    TAUT_TRY(taut_observer_create(r->prepared.problem, &r->prepared.structure, o->derivatives,
                                  &r->observer));
    const taut_order order = {.tol = fmax(o->rtol, o->atol),
                              .search = {TAUT_BY_ALL, o->starts},
                              .assemblies = &r->assemblies,
                              .arena = &r->arena};
    return taut_consistent_find(taut_observer_series(r->observer), r->t0, &order, moves, r->errors);
}

/* Is J at the initial point so close to singular that constraints may be redundant? */
static bool looks_redundant(run *r) {
    taut_series *s = taut_observer_series(r->observer);
    taut_series_look(s, 0);
    return taut_series_factor(s) != TAUT_OK || taut_lu_rcond(s->lu) < NEARLY_SINGULAR;
}

static taut_status prepare(run *r, taut_model *model) {
    const taut_run_options *o = r->options;
    const taut_taylor_options stepping = {o->rtol, o->atol, o->order, o->step};
    taut_moves moves;
    bool fewer = false;
    TAUT_TRY(check_options(r, model));
    TAUT_TRY(taut_prepare(model, &r->prepared, r->errors));
    TAUT_TRY(check_times(r, r->prepared.problem->model));
    TAUT_TRY(find_start(r, &moves));
    if (r->prepared.problem->coordinates > 0 && looks_redundant(r))
        TAUT_TRY(taut_prepare_reduce(&r->prepared, &fewer, r->errors));
    if (fewer) TAUT_TRY(find_start(r, &moves));
    TAUT_TRY(taut_taylor_create(&r->prepared.problem->system, &r->prepared.structure, &stepping,
                                &r->stepper));
    TAUT_TRY(start(r));
    TAUT_TRY(taut_result_create(taut_observer_columns(r->observer), &r->result));
    TAUT_TRY(taut_observer_name(r->observer, r->result));
    TAUT_TRY(list_dropped(r));
    TAUT_TRY(list_assemblies(r));
    return list_moves(r, &moves);
}

/* ---- running ---- */

static taut_status write_row(run *r, double time) {
    int missing;
    double *row = taut_result_add_row(r->result);
    if (!row) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_observer_row(r->observer, r->stepper, time, row, &missing));
    if (missing >= 0 && r->not_finite++ == 0) {
        r->bad_column = missing;
        r->bad_time = time;
    }
    return TAUT_OK;
}

/* Rows that are due up to the time reached. */
static taut_status write_rows(run *r) {
    const double now = taut_taylor_time(r->stepper), sign = r->tend < r->t0 ? -1.0 : 1.0;
    if (r->options->ats == 0 && r->options->every < 0.0) return write_row(r, now);
    for (; r->next < r->rows; r->next++) {
        const double time = row_time(r, r->next);
        if (sign * (time - now) > 0.0) break;
        TAUT_TRY(write_row(r, time));
    }
    return TAUT_OK;
}

static void watch(run *r) {
    double energy, kinetic;
    taut_run_stats *stats = &r->result->stats;
    stats->constraint_residual = fmax(stats->constraint_residual, taut_taylor_residual(r->stepper));
    if (!r->prepared.problem->conservative) return;
    taut_observer_energy(r->observer, r->stepper, taut_taylor_time(r->stepper), &energy, &kinetic);
    if (isnan(r->first_energy)) r->first_energy = energy;
    r->largest_drift = fmax(r->largest_drift, fabs(energy - r->first_energy));
    r->largest_kinetic = fmax(r->largest_kinetic, fabs(kinetic));
}

/* Says what has no value in the table, and where; at the line of the output if it is one. */
static taut_status report_gaps(run *r) {
    const taut_model *model = r->prepared.problem->model;
    const char *name = r->result->name[r->bad_column];
    taut_place place = r->prepared.problem->system.place;
    for (int i = 0; i < model->outputs.count; i++) {
        const size_t n = strlen(model->outputs.item[i].name);
        if (strncmp(model->outputs.item[i].name, name, n) == 0 &&
            strspn(name + n, "'") == strlen(name + n))
            place = model->outputs.item[i].place;
    }
    return taut_fail_at(r->errors, TAUT_ERR_NUMERICS, place,
                        "%s has no finite value at t = %.10g; %ld of %ld rows have such gaps, "
                        "written as nan or inf",
                        name, r->bad_time, r->not_finite, r->result->rows);
}

/* Adds what the stepper has done to the statistics of the run. */
static void add_work(run *r) {
    const taut_taylor_stats t = taut_taylor_statistics(r->stepper);
    taut_run_stats *s = &r->result->stats;
    s->steps += t.steps;
    s->rejected += t.rejected;
    s->order = t.order;
    s->operations = t.operations;
}

/* Redundant constraints: the set that was left out may become a poor choice as the mechanism moves.
 * Chooses again and goes on from the present state with the new set; *changed tells if it did. */
static taut_status choose_constraints(run *r, bool *changed) {
    const int count = r->prepared.problem->first_constraint;
    const double t = taut_taylor_time(r->stepper);
    taut_arena arena = {0};
    double *x = TAUT_NEW_ARRAY(&arena, count, double), *v = TAUT_NEW_ARRAY(&arena, count, double);
    taut_status status = x && v ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int j = 0; j < count && status == TAUT_OK; j++) {
        x[j] = taut_taylor_state(r->stepper, j, 0);
        v[j] = taut_taylor_state(r->stepper, j, 1);
    }
    if (status == TAUT_OK) status = taut_prepare_choose(&r->prepared, t, x, changed);
    if (status == TAUT_OK && *changed) {
        const taut_run_options *o = r->options;
        const taut_taylor_options stepping = {o->rtol, o->atol, o->order, o->step};
        add_work(r);
        taut_taylor_free(&r->stepper);
        taut_observer_free(&r->observer);
        status = taut_prepare_adopt(&r->prepared, r->errors);
        if (status == TAUT_OK)
            status = taut_observer_create(r->prepared.problem, &r->prepared.structure,
                                          o->derivatives, &r->observer);
        taut_series *from = status == TAUT_OK ? taut_observer_series(r->observer) : NULL;
        if (from) taut_series_start(from, t, 1.0);
        for (int j = 0; j < count && from; j++) {
            taut_series_set(from, j, 0, x[j]);
            if (r->prepared.structure.offsets.d[j] > 1) taut_series_set(from, j, 1, v[j]);
        }
        if (from)
            status = taut_taylor_create(&r->prepared.problem->system, &r->prepared.structure,
                                        &stepping, &r->stepper);
        if (from && status == TAUT_OK)
            status = taut_taylor_start(r->stepper, from, t, r->tend, r->errors);
        if (status == TAUT_OK) r->good_rcond = taut_taylor_rcond(r->stepper);
    }
    taut_arena_release(&arena);
    return status;
}

/* One step. If constraints were left out and the choice has faded, or a step fails, choose again.
 */
static taut_status step(run *r) {
    bool changed = false;
    if (!r->prepared.full) return taut_taylor_step(r->stepper, r->errors);
    if (taut_taylor_rcond(r->stepper) < FADED * r->good_rcond) {
        TAUT_TRY(choose_constraints(r, &changed));
        if (!changed) r->good_rcond = taut_taylor_rcond(r->stepper);
    }
    r->good_rcond = fmax(r->good_rcond, taut_taylor_rcond(r->stepper));
    return taut_taylor_step(r->stepper, r->errors);
}

static taut_status integrate(run *r) {
    double wall = 0.0;
    taut_status status = write_rows(r);
    watch(r);
    while (status == TAUT_OK && taut_taylor_time(r->stepper) != r->tend) {
        const double begin = taut_seconds();
        status = step(r);
        wall += taut_seconds() - begin;
        if (status != TAUT_OK) break;
        watch(r);
        status = write_rows(r);
        const double done = (taut_taylor_time(r->stepper) - r->t0) / (r->tend - r->t0);
        if (status == TAUT_OK && r->options->progress &&
            r->options->progress(r->options->user, done))
            status = taut_fail(r->errors, TAUT_INTERRUPTED, "interrupted at t = %.10g",
                               taut_taylor_time(r->stepper));
    }
    r->result->stats.wall_s = wall;
    if (status == TAUT_OK && r->not_finite > 0) status = report_gaps(r);
    return status;
}

static void fill_stats(run *r) {
    taut_run_stats *s = &r->result->stats;
    if (r->stepper) {
        add_work(r);
        s->reached = taut_taylor_time(r->stepper);
    }
    s->index = r->prepared.structure.offsets.index;
    s->dof = r->prepared.structure.offsets.dof;
    s->mobility = taut_prepared_mobility(&r->prepared);
    s->unknowns = r->prepared.structure.n;
    s->t0 = r->t0;
    s->tend = r->tend;
    s->solver = "taylor";
    s->energy_drift = (double)NAN;
    if (r->prepared.problem->conservative && r->largest_kinetic > 0.0)
        s->energy_drift = r->largest_drift / r->largest_kinetic;
}

taut_status taut_simulate(taut_model *model, const taut_run_options *options, taut_result **result,
                          taut_errors *errors) {
    run r = {.options = options, .errors = errors, .first_energy = (double)NAN};
    const double begin = taut_seconds();
    *result = NULL;
    taut_status status = prepare(&r, model);
    if (status == TAUT_OK) {
        r.result->stats.setup_s = model->read_s + taut_seconds() - begin;
        status = integrate(&r);
        fill_stats(&r);
    }
    if (r.result && status != TAUT_ERR_MEMORY)
        *result = r.result;
    else
        taut_result_free(&r.result);
    taut_taylor_free(&r.stepper);
    taut_observer_free(&r.observer);
    taut_prepared_release(&r.prepared);
    taut_arena_release(&r.arena);
    return status;
}
