/* Branches of formulas with kinks and jumps: modes that are 1 above a boundary and 0 below, and
 * integers between two boundaries (docs/math/events.md, section 5). */
#include <math.h>

#include "solve/rounding.h"
#include "task/happen.h"

/* Beside its size: what of floor's argument, behind a jump to an integer, is rounding. */
static const double NEARLY_WHOLE = 1e-9;

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

static double branch_of(const taut_simulation *s, int kink) {
    return s->numbers.now[model_of(s)->kink[kink].parameter];
}

static taut_status assign(taut_simulation *s, int kink, double value, taut_errors *errors) {
    const taut_model_kink *k = &model_of(s)->kink[kink];
    if (s->numbers.restricts[k->parameter]) s->happen->kink = kink;
    const taut_happen_change change = {&k->parameter, &value, 1, k->place};
    return taut_happen_change_numbers(s, &change, errors);
}

/* What rounding leaves of boundaries at the point of the event. */
static taut_status find_floors(taut_simulation *s) {
    const taut_model *m = model_of(s);
    const taut_series *series = s->happen->series;
    taut_arena arena = {0};
    double *error = TAUT_NEW_ARRAY(&arena, series->tape->size, double);
    double *floor = TAUT_NEW_ARRAY(&arena, m->kinks, double);
    if (error && floor) taut_rounding_of_outputs(series, m->events, m->kinks, error, floor);
    for (int i = 0; error && floor && i < m->kinks; i++)
        s->happen->course[m->events + i].floor = isfinite(floor[i]) ? floor[i] : 0.0;
    const taut_status status = error && floor ? TAUT_OK : TAUT_ERR_MEMORY;
    taut_arena_release(&arena);
    return status;
}

taut_status taut_kinks_weigh(taut_simulation *s) {
    const taut_model *m = model_of(s);
    const taut_happen *h = s->happen;
    if (m->kinks == 0) return TAUT_OK;
    TAUT_TRY(find_floors(s));
    for (int i = m->events; i < m->events + m->kinks; i++)
        if (fabs(taut_series_output(h->series, i, 0)) <= h->course[i].floor)
            h->course[i].zero = true;
    return TAUT_OK;
}

/* The side of a boundary on which the motion is or will be: the first derivative that is not zero
 * decides, as far as they are known; 0: they do not tell. */
static int side_of(const taut_happen *h, int i) {
    enum { MOST = 8 };
    for (int k = 0; k < MOST && taut_series_output_stage(h->series, i, k) <= 0; k++) {
        const double g = taut_series_output(h->series, i, k);
        if (fabs(g) > (k == 0 ? h->course[i].floor : 0.0)) return g > 0.0 ? 1 : -1;
    }
    return 0;
}

/* The branch that suits the state; the boundary of an integer's other side has nothing to add. */
static double suitable(const taut_simulation *s, int kink) {
    const taut_model *m = model_of(s);
    const taut_happen *h = s->happen;
    const int i = m->events + kink, side = side_of(h, i);
    const double now = branch_of(s, kink);
    if (m->kink[kink].branch == TAUT_KINK_SIDE) return side > 0 ? 1.0 : 0.0;
    if (m->kink[kink].branch == TAUT_KINK_CEILING) return now;
    const double g = taut_series_output(h->series, i, 0), whole = floor(g);
    if (g != whole || taut_series_output_stage(h->series, i, 1) > 0) return now + whole;
    return now + whole - (taut_series_output(h->series, i, 1) < 0.0 ? 1.0 : 0.0);
}

taut_status taut_kinks_suit(taut_simulation *s, bool *changed, taut_errors *errors) {
    const taut_model *m = model_of(s);
    *changed = false;
    if (m->kinks > 0) TAUT_TRY(find_floors(s));
    for (int i = 0; i < m->kinks; i++) {
        const double value = suitable(s, i);
        if (value == branch_of(s, i) || !isfinite(value)) continue;
        *changed = true;
        TAUT_TRY(assign(s, i, value, errors));
    }
    return TAUT_OK;
}

bool taut_kinks_is_wrong(const taut_simulation *s, int kink, double g, bool steady) {
    const taut_model *m = model_of(s);
    const taut_event_course *x = &s->happen->course[m->events + kink];
    const double near = steady ? 0.0 : NEARLY_WHOLE * (1.0 + fabs(branch_of(s, kink)));
    switch (m->kink[kink].branch) {
    case TAUT_KINK_FLOOR: return g < -near;
    case TAUT_KINK_CEILING: return steady ? g >= 0.0 : g > near;
    default: return (!x->zero || steady) && (g > 0.0) != (branch_of(s, kink) > 0.5);
    }
}

int taut_kinks_side(const taut_simulation *s, int kink) {
    switch (model_of(s)->kink[kink].branch) {
    case TAUT_KINK_FLOOR: return 1;
    case TAUT_KINK_CEILING: return -1;
    default: return branch_of(s, kink) > 0.5 ? 1 : -1;
    }
}

taut_status taut_kinks_cross(taut_simulation *s, int kink, taut_errors *errors) {
    const taut_model *m = model_of(s);
    const taut_event_course *x = &s->happen->course[m->events + kink];
    const double now = branch_of(s, kink), g = x->before;
    double next = x->way > 0 ? 1.0 : 0.0;
    /* at a crossing by one; behind a jump by as much as it was */
    if (m->kink[kink].branch == TAUT_KINK_FLOOR) next = now + fmin(floor(g), -1.0);
    if (m->kink[kink].branch == TAUT_KINK_CEILING) next = now + fmax(floor(g) + 1.0, 1.0);
    return assign(s, kink, next, errors);
}

/* ---- boundaries behind an event ---- */

/* Does the motion leave a boundary, at which it is, in a direction for which the branch is wrong?
 */
static bool leads_back(const taut_simulation *s, int kink) {
    const taut_model *m = model_of(s);
    const taut_happen *h = s->happen;
    const int i = m->events + kink;
    if (!h->course[i].zero || taut_series_output_stage(h->series, i, 1) > 0) return false;
    const double rate = taut_series_output(h->series, i, 1);
    const double span = h->watched ? fabs(h->watched->end - h->watched->begin) : 0.0;
    if (fabs(rate) * span <= h->course[i].floor) return false; /* what follows will tell */
    switch (m->kink[kink].branch) {
    case TAUT_KINK_FLOOR: return rate < 0.0;
    case TAUT_KINK_CEILING: return rate > 0.0;
    default: return branch_of(s, kink) > 0.5 ? rate < 0.0 : rate > 0.0;
    }
}

static double other_branch(const taut_simulation *s, int kink) {
    const double now = branch_of(s, kink);
    switch (model_of(s)->kink[kink].branch) {
    case TAUT_KINK_FLOOR: return now - 1.0;
    case TAUT_KINK_CEILING: return now + 1.0;
    default: return 1.0 - now;
    }
}

/* A boundary that neither branch leaves would be crossed again and again. */
static taut_status refuse_sliding(const taut_simulation *s, int kink, taut_errors *errors) {
    const taut_model *m = model_of(s);
    char text[200];
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, m->kink[kink].place,
                        "at t = %.10g the motion slides along a kink (abs, sign, if, ...): both "
                        "branches lead back to where %s is 0; end the run there by an event "
                        "with Stop, or write what holds then",
                        s->happen->time,
                        taut_infix_print(m->graph, m->kink[kink].boundary,
                                         &(taut_names){m->variable_name, m->parameter_name}, text,
                                         sizeof text));
}

taut_status taut_kinks_turn_back(taut_simulation *s, bool *changed, taut_errors *errors) {
    const taut_model *m = model_of(s);
    *changed = false;
    for (int i = 0; i < m->kinks; i++) {
        if (!leads_back(s, i)) continue;
        const double rate = taut_series_output(s->happen->series, m->events + i, 1);
        TAUT_TRY(assign(s, i, other_branch(s, i), errors));
        TAUT_TRY(taut_happen_settle(s, true, errors));
        *changed = true;
        if (!(rate * taut_series_output(s->happen->series, m->events + i, 1) > 0.0))
            return refuse_sliding(s, i, errors);
    }
    return TAUT_OK;
}
