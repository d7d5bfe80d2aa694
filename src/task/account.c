/* What a simulation says of itself: lists as lines, and the statistics. */
#include "task/account.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "form/formulation.h"
#include "solve/straight_sight.h"
#include "task/stabilize.h"

/* ---- at the start ---- */

static const char PRIMES[] = "''''''''''''";

taut_status taut_account_dropped(taut_simulation *s) {
    const taut_problem *p = s->prepared->problem;
    for (int i = 0; i < p->drops; i++) {
        const char *name = p->dropped[i].name;
        taut_string_add(&s->redundant, "%s (line %d)\n", name, p->dropped[i].place.line);
        TAUT_TRY(taut_notebook_leave_out(&s->notebook, name, p->dropped[i].place.line));
    }
    return s->redundant.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_account_moves(taut_simulation *s, const taut_moves *moves) {
    char name[100];
    for (int i = 0; i < moves->count; i++) {
        const taut_move *m = &moves->item[i];
        if (m->variable >= 0)
            taut_derivative_name(&s->prepared->problem->system, m->variable, m->order, name,
                                 sizeof name);
        else
            snprintf(name, sizeof name, "%.*s%s%.*s", (int)strcspn(m->name, "'"), m->name, m->part,
                     m->order, PRIMES); /* a caller's name has its primes */
        taut_string_add(&s->moves, "%s: %.10g -> %.10g\n", name, m->from, m->to);
        TAUT_TRY(taut_notebook_move(&s->notebook, name, m->from, m->to));
    }
    return s->moves.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_account_assemblies(taut_simulation *s) {
    taut_string *out = &s->assembled;
    char primes[TAUT_PRIMES_MAX + 2];
    memset(primes, '\'', sizeof primes);
    for (int i = 0; i < s->assemblies.count; i++) {
        const taut_assembly *a = &s->assemblies.item[i];
        TAUT_TRY(taut_notebook_fit(&s->notebook, a));
        taut_string_add(out, "%d: distance %.4g%s", i + 1, a->distance > 1e-12 ? a->distance : 0.0,
                        i == 0 ? " (taken)" : "");
        for (int k = 0; k < a->telling; k++) {
            const taut_telling *x = &a->item[k];
            taut_string_add(out, "%s%s%.*s = %s%.6g", k == 0 ? ": " : ", ", x->name, x->order,
                            primes, x->relative ? "guess + " : "", x->value);
        }
        taut_string_add(out, "\n");
    }
    if (s->assemblies.count == 0 && s->options.starts > 0)
        taut_string_add(out, "none but the one that the run starts from\n");
    if (s->assemblies.count > 1 && s->assemblies.item[1].telling > 0)
        taut_string_add(out, "to choose another one, change or fix %s\n",
                        s->assemblies.item[1].item[0].name);
    return out->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- how it went ---- */

/* Reactions that rigid bodies do not determine, as lines. */
static const char *list_doubts(taut_simulation *s) {
    const taut_doubts *d = &s->doubts;
    taut_string_release(&s->not_unique);
    for (int i = 0; i < d->columns; i++) {
        if (d->rows[i] == 0) continue;
        taut_string_add(&s->not_unique, "%s", s->name[d->first + i]);
        if (d->rows[i] < d->looks)
            taut_string_add(&s->not_unique, " (in %ld of %ld rows)", d->rows[i], d->looks);
        taut_string_add(&s->not_unique, "\n");
    }
    return s->not_unique.text ? s->not_unique.text : "";
}

static void count_work(taut_run_stats *stats, taut_stepper_stats t) {
    stats->steps += t.steps;
    stats->rejected += t.rejected;
    stats->evaluations += t.evaluations;
    stats->factorisations += t.factorisations;
    if (t.miscompiled) stats->miscompiled = t.miscompiled;
}

const taut_run_stats *taut_simulation_stats(taut_simulation *s) {
    if (!s) return NULL;
    taut_run_stats *stats = &s->stats;
    stats->steps = stats->rejected = stats->evaluations = stats->factorisations = 0;
    count_work(stats, s->done);
    if (s->spare.stepper) count_work(stats, taut_stepper_statistics(s->spare.stepper));
    if (s->stepper) {
        const taut_stepper_stats t = taut_stepper_statistics(s->stepper);
        count_work(stats, t);
        stats->order = t.order;
        stats->operations = t.operations;
    }
    const taut_series_view *view = s->observer ? taut_observer_series(s->observer)->view : NULL;
    if (view && view->sight && view->sight->miscompiled)
        stats->miscompiled = view->sight->miscompiled;
    const taut_prepared *equations = s->plain.problem ? &s->plain : s->prepared;
    if (equations->problem) {
        stats->index = equations->structure.offsets.index;
        stats->dof = equations->structure.offsets.dof;
        stats->mobility = taut_prepared_mobility(equations);
        stats->unknowns = equations->structure.n;
    }
    if (s->watch) memcpy(stats->phase_s, s->watch->seconds, sizeof stats->phase_s);
    stats->rtol = s->options.rtol;
    stats->atol = s->options.atol;
    stats->t0 = s->t0;
    stats->tend = s->tend;
    stats->reached = taut_simulation_reached(s);
    stats->solver = s->changes > 0 ? "taylor+ho" : s->method->name;
    stats->method = s->method->words;
    const bool stabilizes = s->plan.formulation || s->plan.stabilizing != TAUT_BY_PROJECTION;
    stats->stabilize = stabilizes ? taut_stabilizing_name(s->plan.stabilizing) : NULL;
    stats->alpha = s->alpha;
    stats->beta = s->beta;
    stats->formulation = s->plan.minimal       ? TAUT_MINIMAL
                         : s->plan.formulation ? s->plan.formulation->name
                                               : NULL;
    stats->not_unique = s->doubts.rows && s->name ? list_doubts(s) : NULL;
    stats->reaction_residual = s->doubts.rows ? 0.0 : (double)NAN;
    if (s->doubts.rows && s->doubts.force > 0.0)
        stats->reaction_residual = s->doubts.residual / s->doubts.force;
    stats->alarm = s->alarm.told ? s->alarm.words : NULL;
    stats->energy_drift = (double)NAN;
    if (s->prepared->problem && s->prepared->problem->conservative && s->largest_kinetic > 0.0)
        stats->energy_drift = s->largest_drift / s->largest_kinetic;
    return stats;
}

const taut_notes *taut_simulation_notes(taut_simulation *s) {
    return s ? &s->notebook.notes : NULL;
}

const char *taut_simulation_moves(const taut_simulation *s) {
    return s && s->moves.text ? s->moves.text : "";
}
const char *taut_simulation_assemblies(const taut_simulation *s) {
    return s && s->assembled.text ? s->assembled.text : "";
}

const char *taut_simulation_switches(const taut_simulation *s) {
    return s && s->switched.text ? s->switched.text : "";
}

const char *taut_simulation_redundant(const taut_simulation *s) {
    return s && s->redundant.text ? s->redundant.text : "";
}
