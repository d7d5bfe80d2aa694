/* Checks of options, before anything is formed. Messages name fields, as in options.cut; the
 * program translates that into its own options (cli/words). */
#include "task/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "form/formulation.h"
#include "solve/taylor.h"
#include "task/plan.h"

enum { HIGHEST_OF_HO = 17 };
static const double LEAST_TOL = 1e-20; /* far beyond the digits of a double */
static const double LATEST = 1e20;     /* powers of it in a series stay finite */
static const double MOST_STEPS = 1e10; /* fixed ones: a day */

/* ---- whose they are ---- */

taut_status taut_options_check_cookie(const taut_run_options *o, taut_errors *errors) {
    if (o->cookie == TAUT_RUN_COOKIE) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "the options have not been filled: begin with taut_run_options_default()");
}

taut_status taut_options_copy(const taut_run_options *o, taut_arena *arena,
                              taut_run_options *copy) {
    *copy = *o;
    const char **const text[] = {&copy->solver,    &copy->formulation, &copy->base,
                                 &copy->cut,       &copy->subspace,    &copy->multipliers,
                                 &copy->stabilize, &copy->sensitivity};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        if (!*text[i]) continue;
        *text[i] = taut_arena_copy(arena, *text[i], strlen(*text[i]));
        if (!*text[i]) return TAUT_ERR_MEMORY;
    }
    copy->at = NULL;
    copy->ats = 0;
    return TAUT_OK;
}

/* ---- numbers and names ---- */

static taut_status unknown_solver(const char *solver, taut_errors *errors) {
    char list[200] = "";
    taut_nearest nearest = {.wanted = solver};
    if (strchr(solver, ','))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.solver = \"%s\": one solver at a time; to set several side by "
                         "side, use taut_compare",
                         solver);
    for (int k = 0; taut_solver_name(k); k++) {
        taut_nearest_offer(&nearest, taut_solver_name(k));
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k > 0 ? ", " : "",
                 taut_solver_name(k));
    }
    return taut_fail(errors, TAUT_ERR_CALL,
                     "unknown solver '%s': the solvers are %s and auto%s%s%s", solver, list,
                     nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
}

static taut_status check_numbers(const taut_run_options *o, taut_errors *errors) {
    if (!(o->rtol >= 0.0) || !(o->atol >= 0.0) || !(o->rtol + o->atol > 0.0) || o->rtol > 0.1 ||
        o->atol > 0.1)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "tolerances must be above 0 and at most 0.1; these are rtol = %g and "
                         "atol = %g",
                         o->rtol, o->atol);
    if (fmax(o->rtol, o->atol) < LEAST_TOL)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "numbers have 16 digits: no run can meet a tolerance of %g; the least is "
                         "%g",
                         fmax(o->rtol, o->atol), LEAST_TOL);
    if (o->derivatives < 0 || o->derivatives > TAUT_PRIMES_MAX)
        return taut_fail(errors, TAUT_ERR_CALL, "derivatives go from 0 to %d", TAUT_PRIMES_MAX);
    if (o->order < 0 || o->order > 60 || (o->order > 0 && o->order < 4))
        return taut_fail(errors, TAUT_ERR_CALL, "an order is between 4 and 60");
    if (o->order > HIGHEST_OF_HO && strcmp(o->solver, "ho") == 0)
        return taut_fail(errors, TAUT_ERR_CALL, "the order of ho is at most %d", HIGHEST_OF_HO);
    if (o->starts < 0 || o->starts > 10000)
        return taut_fail(errors, TAUT_ERR_CALL, "starts go from 0 to 10000");
    if (!(o->memory >= 0.0))
        return taut_fail(errors, TAUT_ERR_CALL, "options.memory is %g bytes", o->memory);
    if (!(o->step >= 0.0) || !isfinite(o->step))
        return taut_fail(errors, TAUT_ERR_CALL, "a step must be above 0");
    if (!(o->max_step >= 0.0) || !isfinite(o->max_step))
        return taut_fail(errors, TAUT_ERR_CALL, "the longest step must be above 0");
    if (o->max_step > 0.0 && o->step > o->max_step)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "a fixed step of %g is longer than the longest step, %g", o->step,
                         o->max_step);
    if (!(o->every >= 0.0) && o->every != TAUT_EVERY_STEP && o->every != TAUT_FOR_SCREEN)
        return taut_fail(errors, TAUT_ERR_CALL, "the distance of rows must be above 0");
    if (o->ats < 0 || (o->ats > 0 && !o->at))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.ats is %d, but options.at is not a list of so many", o->ats);
    return TAUT_OK;
}

taut_status taut_options_check_span(const taut_run_options *o, double t0, double tend,
                                    taut_errors *errors) {
    const double latest = fmax(fabs(t0), fabs(tend));
    if (!isfinite(t0) || !isfinite(tend))
        return taut_fail(errors, TAUT_ERR_CALL, "the time span is not finite");
    if (latest > LATEST)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the time span goes from %g to %g; times are between -%g and %g", t0, tend,
                         LATEST, LATEST);
    if (o->step > 0.0 && latest + o->step == latest && tend != t0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "a step of %g does not advance the time at t = %.10g, where numbers are "
                         "%.2g apart",
                         o->step, latest, nextafter(latest, (double)INFINITY) - latest);
    if (o->max_step > 0.0 && fabs(tend - t0) / o->max_step > MOST_STEPS)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "steps that are no longer than %g, from t = %.10g to %.10g, are more than "
                         "%g steps",
                         o->max_step, t0, tend, MOST_STEPS);
    if (o->step > 0.0 && fabs(tend - t0) / o->step > MOST_STEPS)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "steps of %g from t = %.10g to %.10g are more than %g steps", o->step, t0,
                         tend, MOST_STEPS);
    return TAUT_OK;
}

/* ---- what belongs to a formulation ---- */

static taut_status check_relative(const taut_run_options *o, taut_errors *errors) {
    const char *base = taut_plan_base(o);
    const bool relative = base && strcmp(base, "relative") == 0;
    if (o->cut && !relative)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.cut is for relative coordinates: use it with options.formulation "
                         "= \"relative\", or with options.formulation = \"minimal\" and "
                         "options.base = \"relative\"");
    if (o->multipliers && (!relative || taut_plan_is_minimal(o)))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.multipliers is for relative coordinates: use it with "
                         "options.formulation = \"relative\"");
    if (o->multipliers && strcmp(o->multipliers, "cholesky") != 0 &&
        strcmp(o->multipliers, "qr") != 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "multipliers are found by 'cholesky' or by 'qr', not by '%s'",
                         o->multipliers);
    if (o->multipliers && !taut_plan_method(o)->ordinary)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "multipliers by %s are for bdf, adams, erk and rk4: choose one of these "
                         "by options.solver",
                         o->multipliers);
    return TAUT_OK;
}

static taut_status check_minimal(const taut_run_options *o, taut_errors *errors) {
    const char *option = o->base               ? "options.base"
                         : o->subspace         ? "options.subspace"
                         : o->no_continuation  ? "options.no_continuation"
                         : o->subspace_columns ? "options.subspace_columns"
                                               : NULL;
    if (option && !taut_plan_is_minimal(o))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%s is for minimal coordinates: use it with options.formulation = "
                         "\"minimal\"",
                         option);
    if (!taut_plan_is_minimal(o) || taut_formulation_find(taut_plan_base(o))) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "minimal coordinates cannot be based on '%s'; there are natural, reference "
                     "and relative",
                     o->base);
}

/* ---- errors and projections ---- */

static bool projects(const taut_run_options *o) {
    return !taut_plan_is_minimal(o) && strcmp(o->solver, "ida") != 0 &&
           (!o->stabilize || strcmp(o->stabilize, "projection") == 0);
}

static taut_status check_control(const taut_run_options *o, taut_errors *errors) {
    if (o->per_unit && o->step > 0.0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.per_unit and options.step: a fixed step does not follow from "
                         "errors, so there is nothing to count: leave out one of the two");
    if (o->projection == 0.0) return TAUT_OK;
    if (o->projection != TAUT_PROJECT_FULL && !(o->projection > 0.0 && o->projection <= 0.1))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.projection is above 0 and at most 0.1, or full; this is %g",
                         o->projection);
    if (projects(o)) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "options.projection: nothing is projected %s, so there is nothing to repeat: "
                     "leave it out",
                     taut_plan_is_minimal(o) ? "in minimal coordinates"
                     : o->stabilize          ? "where constraints decay"
                                             : "by ida, which solves constraints with the rest");
}

/* ---- sensitivities ---- */

static taut_status check_sensitivity(const taut_run_options *o, taut_errors *errors) {
    if (!o->sensitivity) return TAUT_OK;
    if (taut_plan_is_minimal(o))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.sensitivity: minimal coordinates are chosen anew on the way, and "
                         "have no equations that could be differentiated: leave out "
                         "options.formulation, the columns are the same");
    if (taut_plan_method(o) != &taut_taylor)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.sensitivity: sensitivities are carried along by the solver "
                         "taylor, by the Taylor coefficients of its steps, which %s has not: use "
                         "options.solver = \"taylor\"",
                         taut_plan_method(o)->name);
    if (o->stabilize && strcmp(o->stabilize, "projection") != 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.sensitivity: constraints that decay (options.stabilize = "
                         "\"%s\") have no sensitivities: leave it out",
                         o->stabilize);
    if (o->from)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.sensitivity: a run that goes on from a state does not know how "
                         "that depends on anything: begin at the start");
    if (o->starts > 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.sensitivity and options.starts do not go together: choose the "
                         "assembly by its initial values");
    return TAUT_OK;
}

/* ---- compiled code ---- */

static taut_status check_compile(const taut_run_options *o, taut_errors *errors) {
    if (!o->compile || taut_plan_method(o) == &taut_taylor) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "options.compile: only steps of the solver taylor can be compiled, and not "
                     "those of %s: use options.solver = \"taylor\", or leave it out",
                     taut_plan_method(o)->name);
}

/* ---- what belongs to a kind of model ---- */

taut_status taut_options_check_kind(const taut_model *model, const taut_run_options *o,
                                    taut_errors *errors) {
    const struct {
        const char *name;
        bool given;
    } mechanical[] = {
        {"options.base", o->base},
        {"options.cut", o->cut},
        {"options.multipliers", o->multipliers},
        {"options.body_axes", o->body_axes},
    };
    if (model->kind == TAUT_MODEL_MECHANISM) return TAUT_OK;
    for (size_t i = 0; i < sizeof mechanical / sizeof mechanical[0]; i++)
        if (mechanical[i].given)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "%s is for mechanisms only; this file gives its equations as a %s: "
                             "leave it out",
                             mechanical[i].name, taut_model_kind_name(model));
    /* a Lagrangian and a Hamiltonian have multipliers, and always show them */
    if (o->reactions && model->kind == TAUT_MODEL_DAE)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "options.reactions is for mechanisms, which have joints; this file gives its "
            "equations as a DAE, of which all unknowns are columns anyway: leave it "
            "out");
    return TAUT_OK;
}

taut_status taut_options_check(const taut_model *model, const taut_run_options *o,
                               taut_errors *errors) {
    TAUT_TRY(taut_options_check_cookie(o, errors));
    if (!o->solver)
        return taut_fail(errors, TAUT_ERR_CALL, "options.solver is NULL: give a name, or \"auto\"");
    TAUT_TRY(check_numbers(o, errors));
    if (!taut_plan_method(o)) return unknown_solver(o->solver, errors);
    TAUT_TRY(taut_options_check_kind(model, o, errors));
    TAUT_TRY(check_minimal(o, errors));
    TAUT_TRY(check_relative(o, errors));
    TAUT_TRY(check_control(o, errors));
    TAUT_TRY(check_compile(o, errors));
    return check_sensitivity(o, errors);
}
