/* A run from start to end as a table: a simulation, its rows, and what is missing in them. */
#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "task/happen.h"
#include "task/resume.h"
#include "task/screen.h"
#include "task/selection.h"
#include "task/sensitivity.h"

enum { DEFAULT_ROWS = 1001 };
static const double UNBALANCED = 1e-6;
static const double LONGEST_TABLE = 5e7; /* rows */

typedef struct run {
    const taut_run_options *options;
    taut_errors *errors;
    taut_simulation *simulation;
    taut_result *result;
    double t0, tend;
    long next;       /* number of the next row that is due */
    long rows;       /* how many are due; --every step: 0 */
    bool for_screen; /* ... and ends of steps: */
    taut_screen screen;
    long not_finite; /* rows of the table with values that are no numbers ... */
    int bad_column;  /* ... the first one: where */
    double bad_time;
    taut_bounds bounds; /* of all that is done here */
} run;

/* ---- when rows are due ---- */

static taut_status check_times(run *r) {
    const taut_run_options *o = r->options;
    const taut_model *model = r->simulation->prepared->problem->model;
    r->t0 = r->simulation->t0;
    r->tend = r->simulation->tend;
    if (!o->has_tend && !model->has_tend)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, model->problem_place,
            "the key 'tend' is missing: give the end of the run there or by options.tend");
    if (!isfinite(r->t0) || !isfinite(r->tend))
        return taut_fail(r->errors, TAUT_ERR_CALL, "the time span is not finite");
    if (o->ats > 0 && o->every != 0.0)
        return taut_fail(
            r->errors, TAUT_ERR_CALL,
            "options.at and options.every both say when there are rows: leave out one of them");
    const double sign = r->tend < r->t0 ? -1.0 : 1.0;
    for (int i = 0; i < o->ats; i++) {
        if (!(sign * (o->at[i] - r->t0) >= 0.0) || !(sign * (r->tend - o->at[i]) >= 0.0))
            return taut_fail(r->errors, TAUT_ERR_CALL,
                             "options.at = %.17g is outside the time span from %.17g to %.17g",
                             o->at[i], r->t0, r->tend);
        if (i > 0 && !(sign * (o->at[i] - o->at[i - 1]) > 0.0))
            return taut_fail(
                r->errors, TAUT_ERR_CALL,
                "the times of options.at must be in ascending order%s: %.17g follows %.17g",
                sign < 0.0 ? " along the run, here from t0 down to tend" : "", o->at[i],
                o->at[i - 1]);
    }
    const double span = fabs(r->tend - r->t0);
    if (o->ats > 0) {
        r->rows = o->ats;
    } else if (o->every > 0.0) {
        if (span / o->every > LONGEST_TABLE)
            return taut_fail(r->errors, TAUT_ERR_CALL,
                             "options.every = %g would give more than %g rows", o->every,
                             LONGEST_TABLE);
        r->rows = (long)floor(span / o->every * (1.0 + 1e-12)) + 1;
    } else if (o->every == 0.0) {
        r->rows = r->tend == r->t0 ? 1 : DEFAULT_ROWS;
    } else if (o->every == TAUT_FOR_SCREEN) {
        r->for_screen = true; /* how many rows, goes by the columns */
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

/* ---- rows ---- */

static taut_status write_row(run *r, double time) {
    int missing;
    taut_simulation *s = r->simulation;
    double *row = taut_result_add_row(r->result);
    if (!row) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_simulation_fill(s, time, row, &missing));
    TAUT_TRY(taut_alarm_row(s, row));
    if (missing >= 0 && r->not_finite++ == 0) {
        r->bad_column = missing;
        r->bad_time = time;
    }
    return TAUT_OK;
}

/* Is the last row at this time? */
static bool has_row(const run *r, double time) {
    return r->result->rows > 0 &&
           r->result->value[(r->result->rows - 1) * r->result->columns] == time;
}

/* Rows that are due up to the time reached. */
static taut_status write_due(run *r) {
    const double now = taut_simulation_reached(r->simulation), sign = r->tend < r->t0 ? -1.0 : 1.0;
    if (r->options->ats == 0 && r->options->every == TAUT_EVERY_STEP) return write_row(r, now);
    for (; r->next < r->rows; r->next++) {
        const double time = row_time(r, r->next);
        /* at an event the value behind it counts */
        if (sign * (time - now) > 0.0 || (time == now && taut_happen_is_pending(r->simulation)))
            break;
        TAUT_TRY(write_row(r, time));
        if (r->for_screen) TAUT_TRY(taut_screen_added(&r->screen, r->result, false));
    }
    return TAUT_OK;
}

/* For a screen: keeps how the last step went, and perhaps its end as a row. */
static taut_status keep_step(run *r) {
    taut_simulation *s = r->simulation;
    const double now = taut_simulation_reached(s);
    if (now == s->stepper->begin) return TAUT_OK; /* across an event */
    TAUT_TRY(taut_trace_step(&s->trace,
                             (taut_traced_step){.t = now,
                                                .h = now - s->stepper->begin,
                                                .order = taut_stepper_statistics(s->stepper).order,
                                                .residual = taut_stepper_residual(s->stepper)}));
    TAUT_TRY(taut_knots_step(&r->result->knots, s));
    if (!taut_screen_wants_step(&r->screen) || has_row(r, now)) return TAUT_OK;
    TAUT_TRY(write_row(r, now));
    return taut_screen_added(&r->screen, r->result, true);
}

/* All that the table gets after a step, and at the start. */
static taut_status write_rows(run *r, bool stepped) {
    taut_watch *watch = r->simulation->watch;
    const taut_phase before = taut_count_for(watch, TAUT_PHASE_ROWS);
    taut_status status = write_due(r);
    if (status == TAUT_OK && stepped && r->for_screen) status = keep_step(r);
    taut_count_for(watch, before);
    return status;
}

/* Says what has no value in the table, and where; at the line of the output if it is one. */
static taut_status report_gaps(run *r) {
    const taut_problem *problem = r->simulation->prepared->problem;
    const taut_model *model = problem->model;
    const char *name = r->result->name[r->bad_column];
    taut_place place = problem->system.place;
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

/* Reactions that do not balance would be wrong: a force is missing in them. */
static taut_status check_balance(run *r) {
    const taut_run_stats *stats = taut_simulation_stats(r->simulation);
    if (!(stats->reaction_residual > UNBALANCED)) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_NUMERICS,
                        r->simulation->prepared->problem->system.place,
                        "the reactions do not balance, by %.2g of the largest force: joints cannot "
                        "transmit what the motion needs; do not trust them",
                        stats->reaction_residual);
}

/* ---- running ---- */

/* What a page has beside rows. */
static taut_status prepare_page(run *r) {
    taut_simulation *s = r->simulation;
    r->screen = taut_screen_begin(s->columns);
    r->rows = r->tend == r->t0 ? 1 : r->screen.grid;
    r->result->body_axes = r->options->body_axes;
    TAUT_TRY(taut_describe(s->prepared->problem, &r->result->arena, &r->result->description));
    return taut_knots_begin(&r->result->knots, s, r->result,
                            taut_screen_left(&r->screen, s->columns));
}

static taut_status prepare(run *r, const taut_model *model, const taut_alteration *alteration) {
    TAUT_TRY(taut_simulation_make(model, r->options, false, &r->simulation, r->errors));
    taut_simulation *s = r->simulation;
    s->alteration = alteration;
    s->alarm.held = true;
    if (r->options->from) TAUT_TRY(taut_simulation_set_state(s, r->options->from, r->errors));
    TAUT_TRY(check_times(r));
    if (!r->options->from) TAUT_TRY(taut_simulation_start(s, r->errors));
    if (r->rows > 0)
        TAUT_TRY(taut_bounds_check("the table", (double)r->rows, s->columns, r->errors));
    TAUT_TRY(taut_result_create(s->columns, &r->result));
    TAUT_TRY(taut_result_label(r->result, s->observer));
    TAUT_TRY(taut_sensitivity_names(s, &r->result->arena, r->result->name,
                                    taut_observer_columns(s->observer)));
    for (int c = taut_observer_columns(s->observer); c < s->columns; c++)
        r->result->role[c] = (taut_column_role){TAUT_COLUMN_OUTPUT, 0};
    if (r->options->columns) {
        const taut_status status = taut_selection_make(r->result, r->options->columns, r->errors);
        if (status != TAUT_OK) taut_result_free(&r->result); /* nothing was computed */
        TAUT_TRY(status);
    }
    return r->for_screen ? prepare_page(r) : TAUT_OK;
}

/* How much of the run is done; 0 before it has begun. */
static double fraction_done(const run *r) {
    const taut_simulation *s = r->simulation;
    if (!s || !s->stepper || r->tend == r->t0) return 0.0;
    return (taut_simulation_reached(s) - r->t0) / (r->tend - r->t0);
}

static int ask_caller(void *user) {
    const run *r = user;
    return r->options->progress(r->options->user, fraction_done(r));
}

/* What was given up because the caller wanted it so has no other reason. */
static taut_status tell_stop(run *r, taut_status status) {
    if (!r->bounds.stopped || status == TAUT_ERR_MEMORY) return status;
    if (r->errors) r->errors->count = r->errors->dropped = 0;
    if (fraction_done(r) == 0.0)
        return taut_fail(r->errors, TAUT_INTERRUPTED, "interrupted before the first step");
    return taut_fail(r->errors, TAUT_INTERRUPTED, "interrupted at t = %.10g",
                     taut_simulation_reached(r->simulation));
}

/* Has it come to its end, or to an event that ends it? */
static bool is_over(const run *r) {
    const taut_simulation *s = r->simulation;
    if (taut_happen_is_pending(s)) return false;
    return taut_simulation_reached(s) == r->tend || (s->happen && s->happen->halted);
}

static taut_status integrate(run *r) {
    taut_status status = write_rows(r, false);
    while (status == TAUT_OK && !is_over(r) && !r->bounds.stopped) {
        status = taut_simulation_step(r->simulation, r->errors);
        if (status == TAUT_OK) status = write_rows(r, true);
        const double now = taut_simulation_reached(r->simulation);
        if (status == TAUT_OK && r->options->progress &&
            r->options->progress(r->options->user, (now - r->t0) / (r->tend - r->t0)))
            status = taut_fail(r->errors, TAUT_INTERRUPTED, "interrupted at t = %.10g", now);
    }
    if (status == TAUT_OK && r->not_finite > 0) status = report_gaps(r);
    if (status == TAUT_OK) status = check_balance(r);
    const taut_status alarm = taut_alarm_tell(r->simulation, true, r->errors);
    return status == TAUT_OK ? alarm : status;
}

/* The result takes over what the simulation has to say. */
static taut_status take_notes(run *r) {
    taut_simulation *s = r->simulation;
    r->result->stats = *taut_simulation_stats(s);
    r->result->not_unique = s->not_unique;
    if (r->result->stats.not_unique && s->not_unique.text)
        r->result->stats.not_unique = s->not_unique.text;
    bool failed = s->not_unique.failed;
    if (s->alarm.told) {
        const char *words = s->alarm.words;
        r->result->stats.alarm = taut_arena_copy(&r->result->arena, words, strlen(words));
        failed = failed || !r->result->stats.alarm;
    }
    s->not_unique = (taut_string){0};
    r->result->largest_kinetic = s->largest_kinetic;
    r->result->moves = s->moves;
    r->result->assemblies = s->assembled;
    r->result->redundant = s->redundant;
    r->result->switched = s->switched;
    r->result->trace = s->trace;
    r->result->notebook = s->notebook;
    s->moves = s->assembled = s->redundant = s->switched = (taut_string){0};
    s->trace = (taut_trace){0};
    s->notebook = (taut_notebook){0};
    if (failed) return TAUT_ERR_MEMORY;
    return taut_knots_finish(&r->result->knots);
}

taut_status taut_simulate_altered(const taut_model *model, const taut_run_options *options,
                                  const taut_alteration *alteration, taut_result **result,
                                  taut_errors *errors) {
    const taut_run_options standard = taut_run_options_default();
    run r = {.options = options ? options : &standard, .errors = errors};
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    if (r.options->last) *r.options->last = NULL;
    r.bounds = (taut_bounds){
        .stop = r.options->progress ? ask_caller : NULL, .user = &r, .memory = r.options->memory};
    taut_bounds_begin(&r.bounds);
    taut_status status = prepare(&r, model, alteration);
    if (status == TAUT_OK) {
        status = integrate(&r);
        if (status != TAUT_ERR_MEMORY && r.options->last && r.simulation->stepper &&
            taut_resume_get(r.simulation, r.options->last) != TAUT_OK)
            status = TAUT_ERR_MEMORY;
        if (take_notes(&r) != TAUT_OK) status = TAUT_ERR_MEMORY;
    }
    taut_bounds_end(&r.bounds);
    status = tell_stop(&r, status);
    if (r.result && status != TAUT_ERR_MEMORY)
        *result = r.result;
    else
        taut_result_free(&r.result);
    taut_screen_release(&r.screen);
    taut_simulation_free(&r.simulation);
    return status;
}

taut_status taut_simulate(const taut_model *model, const taut_run_options *options,
                          taut_result **result, taut_errors *errors) {
    return taut_simulate_altered(model, options, NULL, result, errors);
}
