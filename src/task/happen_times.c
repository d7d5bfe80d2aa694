/* Events in a step of a method without polynomials: functions are looked at where the step ends and
 * at a few times between. */
#include <math.h>

#include "task/happen_parts.h"

static const double CLOSE = 10.0; /* tolerances: how far interpolation may be off */
enum { BISECTIONS = 80 };

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

/* The state at a time inside the step, from its interpolation. */
void taut_happen_take_values(const taut_simulation *s, double t) {
    taut_state *state = s->happen->state;
    state->t = t;
    if (t == s->stepper->t) {
        taut_stepper_point(s->stepper, state);
        return;
    }
    for (int j = 0; j < state->n; j++)
        for (int k = 0; k <= taut_state_order(state, j); k++)
            *taut_state_at(state, j, k) = taut_stepper_value(s->stepper, j, k, t);
}

/* Does it contain forces or highest derivatives? These are not interpolated, but follow from the
 * equations at a time. */
static bool wants_equations(const taut_simulation *s, int i) {
    return taut_series_output_stage(s->happen->series, i, 0) >= 0 && !s->happen->steady[i];
}

/* In minimal coordinates what lies inside a step is not accurate enough for them. */
static taut_status refuse_function(const taut_simulation *s, int i, taut_errors *errors) {
    const taut_model *m = model_of(s);
    if (taut_happen_is_edge(m, i))
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "the argument of a table contains a force or a highest derivative: the "
                         "solver %s cannot follow that; taylor and ho can",
                         s->method->name);
    const int guard = i - taut_contacts_first_guard(m);
    return taut_fail_at(
        errors, TAUT_ERR_INPUT,
        i < m->events ? m->event[i].place
        : guard < 0   ? m->kink[i - m->events].place
                      : m->contact[guard / TAUT_GUARDS].place,
        "%s contains a force, a rate of an angle or a highest derivative: that cannot be located "
        "in minimal coordinates; other formulations can",
        i < m->events ? "the event" : "the boundary of a kink in this formula");
}

/* The values of all functions at a time inside the step. */
static taut_status look(taut_simulation *s, double t, double *value, taut_errors *errors) {
    taut_happen *h = s->happen;
    const int functions = taut_happen_functions(model_of(s));
    bool solved = false;
    taut_watched_look(h->watched, s->stepper, t, value);
    for (int i = 0; i < functions; i++) {
        if (!wants_equations(s, i)) continue;
        if (taut_plan_maker(&s->plan)) return refuse_function(s, i, errors);
        if (!solved) {
            taut_happen_take_values(s, t);
            TAUT_TRY(taut_happen_settle(s, t != s->stepper->begin && t != s->stepper->t, errors));
        }
        solved = true;
        value[i] = taut_series_output(h->series, i, 0);
    }
    return TAUT_OK;
}

/* Between two times at which event i has different signs: the later end of a short interval. */
static taut_status bisect(taut_simulation *s, int i, double a, double *b, int side) {
    double *value = s->happen->value;
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (a + *b);
        if (middle == a || middle == *b) break;
        TAUT_TRY(look(s, middle, value, NULL));
        if (taut_happen_sign(value[i]) == side)
            a = middle;
        else
            *b = middle;
    }
    return TAUT_OK;
}

/* The first change of sign of a function that counts. Close to a zero that it is leaving its sign
 * is known, and what interpolation says there is its error. */
static taut_status compare_signs(taut_simulation *s, int i) {
    taut_happen *h = s->happen;
    taut_event_course *x = &h->course[i];
    const int functions = taut_happen_functions(model_of(s));
    const double begin = h->watched->begin, step = (h->watched->end - begin) / TAUT_HAPPEN_SAMPLES;
    const bool unknown = x->zero || x->fresh;
    const int kink = i - model_of(s)->events; /* of these a branch is assumed, which may be wrong */
    const bool assumed = unknown && kink >= 0 && kink < model_of(s)->kinks;
    int side = x->leaves != 0 ? x->leaves : unknown ? 0 : x->side;
    if (assumed) side = taut_kinks_side(s, kink);
    if (taut_happen_is_edge(model_of(s), i)) side = 1; /* inside, or about to leave */
    x->theta = 2.0;
    x->roots = 0;
    x->noise = 0.0;
    for (int k = 0; k <= TAUT_HAPPEN_SAMPLES; k++) {
        const double g = h->looked[k * functions + i];
        x->noise = fmax(x->noise, TAUT_HAPPEN_NOISE * fabs(g));
        x->size = fmax(x->size, fabs(g));
        const bool close = fabs(g) <= CLOSE * fmax(s->options.rtol, s->options.atol) * x->size;
        if ((x->leaves != 0 || assumed) && close) continue;
        x->leaves = 0;
        const int now = k == 0 && unknown ? 0 : taut_happen_sign(g);
        if (side != 0 && now != 0 && now != side && taut_happen_counts(s, i, now) &&
            x->theta > 1.0) {
            double t = begin + k * step;
            if (k > 0) TAUT_TRY(bisect(s, i, begin + (k - 1) * step, &t, side));
            x->way = now;
            x->theta = (t - begin) / (h->watched->end - begin);
        }
        if (now != 0) side = now;
    }
    x->next_side = side;
    return TAUT_OK;
}

taut_status taut_happen_look_at_times(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    const int functions = taut_happen_functions(m);
    const double begin = h->watched->begin, end = h->watched->end;
    for (int k = 0; k <= TAUT_HAPPEN_SAMPLES; k++)
        TAUT_TRY(look(
            s, k == TAUT_HAPPEN_SAMPLES ? end : begin + (end - begin) * k / TAUT_HAPPEN_SAMPLES,
            &h->looked[k * functions], errors));
    for (int i = 0; i < functions; i++) TAUT_TRY(compare_signs(s, i));
    return TAUT_OK;
}
