/* Checks of options, before anything is formed. Messages name options as the program does. */
#include "task/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "form/formulation.h"
#include "task/plan.h"

enum { HIGHEST_OF_HO = 17 };

/* ---- numbers and names ---- */

static taut_status unknown_solver(const char *solver, taut_errors *errors) {
    char list[200] = "";
    taut_nearest nearest = {.wanted = solver};
    if (strchr(solver, ','))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "--solver %s: one solver at a time; to set several side by side, use "
                         "taut compare",
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
    if (o->derivatives < 0 || o->derivatives > TAUT_PRIMES_MAX)
        return taut_fail(errors, TAUT_ERR_CALL, "derivatives go from 0 to %d", TAUT_PRIMES_MAX);
    if (o->order < 0 || o->order > 60 || (o->order > 0 && o->order < 4))
        return taut_fail(errors, TAUT_ERR_CALL, "an order is between 4 and 60");
    if (o->order > HIGHEST_OF_HO && strcmp(o->solver, "ho") == 0)
        return taut_fail(errors, TAUT_ERR_CALL, "the order of ho is at most %d", HIGHEST_OF_HO);
    if (o->starts < 0 || o->starts > 10000)
        return taut_fail(errors, TAUT_ERR_CALL, "starts go from 0 to 10000");
    if (!(o->step >= 0.0) || !isfinite(o->step))
        return taut_fail(errors, TAUT_ERR_CALL, "a step must be above 0");
    return TAUT_OK;
}

/* ---- what belongs to a formulation ---- */

static taut_status check_relative(const taut_run_options *o, taut_errors *errors) {
    const char *base = taut_plan_base(o);
    const bool relative = base && strcmp(base, "relative") == 0;
    if (o->cut && !relative)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "--cut is for relative coordinates: use it with --formulation relative, "
                         "or with --formulation minimal --base relative");
    if (o->multipliers && (!relative || taut_plan_is_minimal(o)))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "--multipliers is for relative coordinates: use it with --formulation "
                         "relative");
    if (o->multipliers && strcmp(o->multipliers, "cholesky") != 0 &&
        strcmp(o->multipliers, "qr") != 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "multipliers are found by 'cholesky' or by 'qr', not by '%s'",
                         o->multipliers);
    if (o->multipliers && !taut_plan_method(o)->ordinary)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "multipliers by %s are for bdf, adams, erk and rk4: choose one of these "
                         "by --solver",
                         o->multipliers);
    return TAUT_OK;
}

static taut_status check_minimal(const taut_run_options *o, taut_errors *errors) {
    const char *option = o->base               ? "--base"
                         : o->subspace         ? "--subspace"
                         : o->no_continuation  ? "--continuation"
                         : o->subspace_columns ? "--subspace-columns"
                                               : NULL;
    if (option && !taut_plan_is_minimal(o))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%s is for minimal coordinates: use it with --formulation minimal",
                         option);
    if (!taut_plan_is_minimal(o) || taut_formulation_find(taut_plan_base(o))) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "minimal coordinates cannot be based on '%s'; there are natural, reference "
                     "and relative",
                     o->base);
}

/* ---- what belongs to a kind of model ---- */

taut_status taut_options_check_kind(const taut_model *model, const taut_run_options *o,
                                    taut_errors *errors) {
    const struct {
        const char *name;
        bool given;
    } mechanical[] = {
        {"--base", o->base},
        {"--subspace", o->subspace},
        {"--continuation", o->no_continuation},
        {"--subspace-columns", o->subspace_columns},
        {"--cut", o->cut},
        {"--multipliers", o->multipliers},
        {"--stabilize", o->stabilize},
        {"--alpha", o->alpha != 0.0},
        {"--beta", o->beta != 0.0},
        {"--axes", o->body_axes},
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
        return taut_fail(errors, TAUT_ERR_CALL,
                         "--reactions is for mechanisms, which have joints; this file gives its "
                         "equations as a DAE, of which all unknowns are columns anyway: leave it "
                         "out");
    return TAUT_OK;
}

taut_status taut_options_check(const taut_model *model, const taut_run_options *o,
                               taut_errors *errors) {
    TAUT_TRY(check_numbers(o, errors));
    if (!taut_plan_method(o)) return unknown_solver(o->solver, errors);
    TAUT_TRY(taut_options_check_kind(model, o, errors));
    TAUT_TRY(check_minimal(o, errors));
    return check_relative(o, errors);
}
