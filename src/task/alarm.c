/* What is allowed follows from the tolerance: a step may change each state by the tolerance,
 * relative to the largest of its group, and the energy by what becomes of that. How much that is,
 * is found by changing one state after the other; as this costs as many evaluations as there are
 * states, it is done only where a bound that costs nothing is exceeded. */
#include "task/alarm.h"

#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "core/bounds.h"
#include "core/number.h"
#include "form/kin.h"
#include "task/simulation.h"

/* So many times what a step may change is too much at once, and so many times on average. Regular
 * runs of all examples by all methods stay below 20 and 2 (docs/accuracy.md). */
static const double AT_ONCE = 1e3, ON_AVERAGE = 1e2;
/* Between the ends of steps methods interpolate, some by a lower order. */
static const double INSIDE = 1e5;
enum { PATIENCE = 20, SPARED = 4 }; /* steps */
static const double KEPT = 300.0;   /* the same for constraints, which stay below 6 */
static const double TURN = 6.283185307179586;
static const double AT_REST = 1e-12; /* of a value over the span: rates below this are rounding */
/* Below these tolerances it is rounding that counts: for series, and for methods of low order. */
static const double LEAST = 1e-13, LEAST_OF_LOW_ORDER = 1e-12;
/* Past a singular position rounding grows by what J has lost of its condition there. */
static const double PASSAGE = 100.0;
static const double FIXED = 1e-4;  /* a fixed step promises nothing: only nonsense is an alarm */
static const double CHANGE = 1e-9; /* the least relative change of a state that shows in digits */

/* ---- what a relative change of the states does ---- */

static taut_status make_room(taut_simulation *s) {
    taut_alarm *a = &s->alarm;
    const taut_system *system = &s->prepared->problem->system;
    if (a->unknowns == system->n) return TAUT_OK;
    const int levels = s->prepared->structure.largest_d + 1;
    a->gauge = TAUT_NEW_ARRAY(&s->arena, system->n, double);
    a->found = TAUT_NEW_ARRAY(&s->arena, system->n, double);
    a->rest = TAUT_NEW_ARRAY(&s->arena, system->n, double);
    a->scale = TAUT_NEW_ARRAY(&s->arena, (system->groups + 1) * levels, double);
    if (!a->gauge || !a->found || !a->rest || !a->scale) return TAUT_ERR_MEMORY;
    a->unknowns = system->n;
    return TAUT_OK;
}

/* The largest value of each group of states, by order, since they are looked at. */
static void raise_scales(taut_simulation *s) {
    const taut_system *system = &s->prepared->problem->system;
    const int levels = s->prepared->structure.largest_d + 1;
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < s->prepared->structure.offsets.d[j]; k++) {
            double *scale = &s->alarm.scale[system->unknown[j].group * levels + k];
            *scale = fmax(*scale, fabs(taut_stepper_value(s->stepper, j, k, s->stepper->t)));
        }
}

static double scale_at(const taut_simulation *s, int j, int k) {
    const int levels = s->prepared->structure.largest_d + 1;
    return s->alarm.scale[s->prepared->problem->system.unknown[j].group * levels + k];
}

/* By how much a state is to be changed: by the tolerance. An angle that has turned often is not
 * worse for that, and one that is 0 is no better than places at the end of an arm; at rest (*rests)
 * rates are the rounding of what they are rates of. */
static double change_of(const taut_simulation *s, int j, int k, bool *rests) {
    const int group = s->prepared->problem->system.unknown[j].group;
    const double scale = scale_at(s, j, k), span = fabs(s->tend - s->t0);
    const double change = fmax(s->alarm.tol, CHANGE);
    const bool turns = s->plan.formulation && group == TAUT_GROUP_ANGLE && k == 0;
    const double least = k > 0 && span > 0.0 ? AT_REST * scale_at(s, j, 0) / pow(span, k)
                         : turns             ? AT_REST
                                             : 0.0;
    *rests = k > 0 && change * scale < least;
    return fmax(change * (turns ? fmin(scale, TURN) : scale), least);
}

/* So many derivatives of variable j are changed: its states; and the velocity of what cannot move,
 * as forces do work on the rounding of it. */
static int orders_of(const taut_simulation *s, int j) {
    const int d = s->prepared->structure.offsets.d[j];
    return d == 1 && s->alarm.work >= 0 ? 2 : d;
}

/* What the equation of the work is off by at the point: a change of it is one of the power. */
static double power_at(const taut_simulation *s) {
    const taut_system *system = &s->prepared->problem->system;
    for (int i = 0; s->alarm.work >= 0 && i < system->n; i++)
        if (strcmp(system->equation[i].name, "work") == 0)
            return taut_series_value(taut_observer_series(s->observer), i);
    return 0.0;
}

/* Adds what the changed state has done to the constraints. */
static void add_changes(taut_simulation *s, double change, double *gauge) {
    const char *name;
    for (int i = 0; i < s->alarm.unknowns; i++) {
        const double f = taut_observer_constraint(s->observer, i, &name);
        if (isfinite(f)) gauge[i] += fabs(f - s->alarm.rest[i]) / change;
    }
}

/* Looks into the point that the stepper has reached: sway and gauge. */
static taut_status look_closely(taut_simulation *s) {
    taut_alarm *a = &s->alarm;
    TAUT_TRY(make_room(s));
    taut_observer_reach(s->observer, s->stepper);
    taut_series *x = taut_observer_series(s->observer);
    const double change = fmax(a->tol, CHANGE);
    double rest, energy, kinetic, sway = 0.0;
    const char *name;
    raise_scales(s);
    const double power = power_at(s);
    taut_observer_balance(s->observer, &rest, &kinetic);
    memset(a->found, 0, (size_t)a->unknowns * sizeof *a->found);
    for (int i = 0; i < a->unknowns; i++)
        a->rest[i] = taut_observer_constraint(s->observer, i, &name);
    for (int j = 0; j < a->unknowns; j++) {
        TAUT_TRY(taut_bounds_ask()); /* all is evaluated for each */
        for (int k = 0; k < orders_of(s, j); k++) {
            const double own = taut_series_get(x, j, k);
            bool rests;
            const double by = change_of(s, j, k, &rests);
            if (!(by > 0.0)) continue;
            taut_series_set(x, j, k, own + by);
            taut_observer_again(s->observer);
            taut_observer_balance(s->observer, &energy, &kinetic);
            if (isfinite(energy - rest)) sway += fabs(energy - rest) / change;
            if (rests) sway += fabs(power_at(s) - power) * fabs(s->tend - s->t0) / change;
            add_changes(s, change, a->found);
            taut_series_set(x, j, k, own);
        }
    }
    taut_observer_again(s->observer);
    a->sway = fmax(a->sway, sway);
    for (int i = 0; i < a->unknowns; i++) a->gauge[i] = fmax(a->gauge[i], a->found[i]);
    return TAUT_OK;
}

/* Looks again after twice as many steps, however much there is to see: it has its price. */
static taut_status look_again(taut_simulation *s) {
    taut_alarm *a = &s->alarm;
    if (a->steps < a->next_look) return TAUT_OK;
    a->next_look = 2 * a->steps + 1;
    return look_closely(s);
}

/* ---- energy ---- */

/* What velocities do is known without looking: they make the kinetic energy. */
static double sway_of(const taut_alarm *a) {
    return (a->passed ? PASSAGE : 1.0) * taut_larger(2.0 * a->kinetic, a->sway);
}

static double allowed_at_once(const taut_alarm *a) { return AT_ONCE * a->tol * sway_of(a); }

static double allowed_inside(const taut_alarm *a) { return INSIDE * a->tol * sway_of(a); }

static double allowed_so_far(const taut_alarm *a) {
    return allowed_at_once(a) + ON_AVERAGE * a->tol * sway_of(a) * (double)a->steps;
}

/* Keeps the largest amount; whether it is too much is decided when more of the motion is known. */
static taut_status keep(taut_simulation *s, taut_excess *x, double amount, double t) {
    if (!(amount > x->allowed)) return TAUT_OK;
    if (amount > x->amount) *x = (taut_excess){.amount = amount, .allowed = x->allowed, .t = t};
    return look_again(s);
}

static void find_allowed(taut_alarm *a) {
    a->sudden.allowed = allowed_at_once(a);
    a->gradual.allowed = allowed_so_far(a);
    a->inside.allowed = allowed_inside(a);
}

static taut_status step_energy(taut_simulation *s) {
    taut_alarm *a = &s->alarm;
    const double t = s->stepper->t;
    double energy, kinetic;
    taut_observer_energy(s->observer, s->stepper, t, &energy, &kinetic);
    if (!isfinite(energy) || !isfinite(kinetic)) return TAUT_OK;
    a->kinetic = taut_larger(a->kinetic, fabs(kinetic));
    if (isfinite(s->stepper->singular)) a->passed = true;
    if (isnan(a->first)) a->first = a->now = energy;
    a->before = a->now;
    a->now = energy;
    find_allowed(a);
    TAUT_TRY(keep(s, &a->sudden, fabs(a->now - a->before), t));
    TAUT_TRY(keep(s, &a->gradual, fabs(a->now - a->first), t));
    find_allowed(a);
    return TAUT_OK;
}

/* ---- constraints ---- */

static void note(taut_excess *x, taut_excess found) {
    if (!(found.allowed > 0.0) || !isfinite(found.amount)) return;
    if (x->amount == 0.0 || found.amount * x->allowed > x->amount * found.allowed) *x = found;
}

/* The worst constraint at the point that the stepper has reached, by what states do to it. */
static taut_status judge_constraints(taut_simulation *s, double t) {
    taut_alarm *a = &s->alarm;
    TAUT_TRY(look_closely(s));
    /* where nothing keeps them, errors add up */
    const double steps = s->plan.stabilizing == TAUT_BY_NOTHING ? (double)a->steps : 1.0;
    double strictness = (double)INFINITY;
    for (int i = 0; i < a->unknowns; i++) {
        taut_excess x = {.t = t, .which = i, .rate = KEPT * a->tol * steps};
        x.allowed = x.rate * a->gauge[i];
        x.amount = fabs(taut_observer_constraint(s->observer, i, &x.name));
        if (isnan(x.amount)) continue;
        note(&a->constraint, x);
        if (x.allowed > 0.0) strictness = fmin(strictness, fmax(x.allowed, 2.0 * x.amount));
    }
    if (isfinite(strictness)) a->strictness = strictness; /* the next look is for more than that */
    return TAUT_OK;
}

/* The same for the row at hand, whose point is in the observer's series. */
static taut_status row_constraints(taut_simulation *s, double t) {
    taut_alarm *a = &s->alarm;
    const taut_series *x = taut_observer_series(s->observer);
    taut_excess worst = {.t = t};
    if (s->prepared->problem->constraint) return TAUT_OK; /* rows have them as steps do */
    if (!(taut_series_constraint_residual(x) > a->strictness)) return TAUT_OK;
    for (int i = 0; i < x->system->n; i++) {
        const char *name;
        const double amount = fabs(taut_observer_constraint(s->observer, i, &name));
        if (!(amount > worst.amount)) continue;
        worst.which = i;
        worst.amount = amount;
        worst.name = name;
    }
    if (!(worst.amount > fmax(a->strictness, 2.0 * a->constraint.amount))) return TAUT_OK;
    TAUT_TRY(look_closely(s));
    worst.rate = INSIDE * a->tol;
    worst.allowed = worst.rate * a->gauge[worst.which];
    note(&a->constraint, worst);
    return TAUT_OK;
}

/* Before the first look: a constraint is made of squares of lengths, or of numbers near 1. */
static double first_strictness(const taut_simulation *s) {
    const taut_series *x = taut_observer_series(s->observer);
    double length = 0.0;
    for (int j = 0; j < x->system->n; j++)
        if (s->prepared->structure.offsets.d[j] > 0)
            length = fmax(length, fabs(taut_series_get(x, j, 0)));
    return s->alarm.tol * fmin(1.0, length * length);
}

/* ---- all of it ---- */

static double least_of(const taut_simulation *s) {
    const bool high = s->method->stiff || strcmp(s->method->name, "taylor") == 0;
    return high ? LEAST : LEAST_OF_LOW_ORDER;
}

void taut_alarm_start(taut_simulation *s) {
    taut_alarm *a = &s->alarm;
    const bool held = a->held;
    *a = (taut_alarm){.held = held,
                      .tol = fmax(fmax(s->options.rtol, s->options.atol), least_of(s)),
                      .first = (double)NAN};
    if (s->options.step > 0.0) a->tol = fmax(a->tol, FIXED);
    a->keeps = taut_observer_keeps_energy(s->observer, &a->energy, &a->work);
    a->strictness = first_strictness(s);
    if (s->prepared->problem->constraint && s->alteration && s->alteration->part > LEAST) {
        a->keeps = false; /* it starts beside constraints that only decay */
        a->strictness = (double)INFINITY;
    }
}

void taut_alarm_remember(const taut_alarm *a, double *number) {
    number[0] = a->kinetic;
    number[1] = (double)(a->steps % SPARED);
}

void taut_alarm_recall(taut_alarm *a, const double *number) {
    if (isfinite(number[0])) a->kinetic = fabs(number[0]);
    if (number[1] >= 0.0 && number[1] < SPARED) a->steps = (long)number[1];
}

/* Is the energy to be looked at after this step? Where work is done it is not reported as a drift,
 * and a jump is still there some steps later. */
static bool is_due(const taut_simulation *s) {
    return s->prepared->problem->conservative || s->alarm.steps % SPARED == 0 ||
           s->stepper->t == s->tend;
}

taut_status taut_alarm_step(taut_simulation *s, double residual) {
    taut_alarm *a = &s->alarm;
    if (s->stepper->t != s->t0) a->steps++;
    if (a->unknowns == s->prepared->problem->system.n) raise_scales(s);
    if (a->keeps && is_due(s)) TAUT_TRY(step_energy(s));
    if (taut_alarm_is_raised(a)) a->waited++;
    if (s->tend == s->t0) return TAUT_OK; /* nothing moves yet: the start was judged when found */
    return residual > a->strictness ? judge_constraints(s, s->stepper->t) : TAUT_OK;
}

taut_status taut_alarm_row(taut_simulation *s, const double *row) {
    taut_alarm *a = &s->alarm;
    if (s->tend != s->t0) TAUT_TRY(row_constraints(s, row[0]));
    if (!a->keeps || a->energy < 0 || isnan(a->first)) return TAUT_OK;
    const double energy = row[a->energy] - (a->work >= 0 ? row[a->work] : 0.0);
    if (!isfinite(energy)) return TAUT_OK;
    return keep(s, &a->inside, fmin(fabs(energy - a->before), fabs(energy - a->now)), row[0]);
}

static bool is_too_much(const taut_excess *x) { return x->amount > x->allowed; }

/* What is to be told of the energy: the worst, if it is too much. */
static const taut_excess *worst_of_energy(const taut_alarm *a) {
    const taut_excess *all[] = {&a->sudden, &a->gradual, &a->inside}, *worst = NULL;
    for (int i = 0; i < 3; i++)
        if (is_too_much(all[i]) && (!worst || all[i]->amount > worst->amount)) worst = all[i];
    return worst;
}

bool taut_alarm_is_raised(const taut_alarm *a) {
    return worst_of_energy(a) || is_too_much(&a->constraint);
}

void taut_alarm_words(const taut_alarm *a, char *text, size_t size) {
    const taut_excess *e = worst_of_energy(a), *c = &a->constraint;
    int used = 0;
    text[0] = '\0';
    if (e)
        used =
            taut_format(text, size,
                        "energy is not kept: kinetic plus potential energy%s is off by %.3g at t = "
                        "%.6g, where tolerance %.2g explains %.1g at most",
                        a->work >= 0 ? " less work" : "", e->amount, e->t, a->tol, e->allowed);
    if (is_too_much(c) && used >= 0 && (size_t)used < size)
        taut_format(
            text + used, size - (size_t)used,
            "%sconstraints are not kept: %s is off by %.3g at t = %.6g, where tolerance %.2g "
            "explains %.1g at most",
            used > 0 ? "; " : "", c->name, c->amount, c->t, a->tol, c->allowed);
}

/* More of the motion is known now than when the worst constraint was looked at. */
static taut_status look_back(taut_simulation *s) {
    taut_alarm *a = &s->alarm;
    if (a->unknowns == 0 || !s->stepper) return TAUT_OK;
    const bool same = a->unknowns == s->prepared->problem->system.n;
    TAUT_TRY(look_closely(s));
    if (same && a->constraint.name)
        a->constraint.allowed =
            fmax(a->constraint.allowed, a->constraint.rate * a->gauge[a->constraint.which]);
    find_allowed(a);
    return TAUT_OK;
}

taut_status taut_alarm_tell(taut_simulation *s, bool ended, taut_errors *errors) {
    taut_alarm *a = &s->alarm;
    if (a->told || !taut_alarm_is_raised(a) || (!ended && a->waited < PATIENCE)) return TAUT_OK;
    TAUT_TRY(look_back(s));
    if (!taut_alarm_is_raised(a)) return TAUT_OK;
    a->told = true;
    taut_alarm_words(a, a->words, sizeof a->words);
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, s->prepared->problem->system.place,
                        "%s: do not trust this run; try a smaller --tol, or another --solver or "
                        "--formulation, and look at what happens at that time",
                        a->words);
}
