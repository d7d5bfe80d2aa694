/* Variations across events (docs/math/sensitivity.md, section 4). The time of an event varies, and
 * so does what it does: dt = -(dg)/g', then the state where the event is, then the map from there
 * to the other side, and back to a fixed time. Maps are those of the run itself with their
 * decisions held, differentiated along each direction by central differences of order 8, in a
 * series of their own, so that the run does not notice. */
#include <math.h>
#include <string.h>

#include "expr/graph.h"
#include "task/adjoint.h"
#include "task/happen.h"
#include "task/sensitivity.h"

enum { SIDE = 4, ATTEMPTS = 4 };
static const double DIFFERENCE[SIDE] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
static const double LOWER[SIDE] = {2.0 / 3.0, -1.0 / 12.0}; /* order 4: how good the other is */
static const double GOOD = 1e-6;     /* difference of the two, beside the derivative */
static const double NEARER = 0.25;   /* the next attempt */
static const double PART = 1e-2;     /* of the sizes of values: the distance of two points */
static const double GRAZES = 1e-6;   /* a slope beside the course of the function over the step */
static const double TOGETHER = 1e-6; /* events at one time whose times vary by what differs less */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

/* ---- differences along a direction ---- */

/* A line through the state of the event. */
typedef struct line {
    const double *x;      /* [values of the state] */
    const double *number; /* [numbers]; NULL: they stay */
    double t;
} line;

/* What comes of a map: as the line, and further values. */
typedef struct outcome {
    double *x, *number, *value;
    double *lower; /* x by differences of order 4 */
    int values;
} outcome;

/* How far the line may be followed: values change by a part of their size, which is that over the
 * last step. */
static double find_distance(const taut_simulation *s, const line *l) {
    const taut_state *y = s->happen->state;
    const double h = s->stepper->t - s->stepper->begin;
    double ratio = 0.0;
    for (int k = 0; k <= s->prepared->structure.largest_d; k++) {
        double size = 0.0, change = 0.0;
        for (int j = 0; j < y->n; j++) {
            if (k >= taut_state_order(y, j)) continue;
            double part = 1.0;
            for (int m = 0; k + m <= taut_state_order(y, j); m++, part *= h / m)
                size = fmax(size, fabs(part * taut_series_get(s->happen->series, j, k + m)));
            change = fmax(change, fabs(l->x[y->first[j] + k]));
        }
        ratio = fmax(ratio, size > 0.0 ? change / size : change);
    }
    for (int i = 0; l->number && i < s->sensitivity->numbers; i++) {
        const double size = fabs(s->numbers.now[i]), change = fabs(l->number[i]);
        if (change > 0.0) ratio = fmax(ratio, size > 0.0 ? change / size : change);
    }
    return ratio > 0.0 ? PART / ratio : 0.0;
}

/* What a run has that maps change. */
typedef struct original {
    taut_arena arena;
    double *x, *number, *value;
    double t;
    bool changed;
    taut_series *series;
} original;

static taut_status keep(taut_simulation *s, int values, original *o) {
    const taut_state *y = s->happen->state;
    const size_t count = (size_t)y->first[y->n], numbers = (size_t)s->sensitivity->numbers;
    o->x = TAUT_NEW_ARRAY(&o->arena, count, double);
    o->number = TAUT_NEW_ARRAY(&o->arena, numbers, double);
    o->value = TAUT_NEW_ARRAY(&o->arena, values, double);
    if (!o->x || !o->number || !o->value) return TAUT_ERR_MEMORY;
    memcpy(o->x, y->x, count * sizeof *o->x);
    memcpy(o->number, s->numbers.now, numbers * sizeof *o->number);
    o->t = y->t;
    o->changed = s->numbers.changed;
    o->series = s->happen->series;
    return TAUT_OK;
}

static void restore(taut_simulation *s, original *o) {
    taut_state *y = s->happen->state;
    if (o->series) {
        memcpy(y->x, o->x, (size_t)y->first[y->n] * sizeof *o->x);
        memcpy(s->numbers.now, o->number, (size_t)s->sensitivity->numbers * sizeof *o->number);
        y->t = o->t;
        s->numbers.changed = o->changed;
        s->happen->series = o->series;
    }
    taut_arena_release(&o->arena);
}

static taut_status differ(taut_simulation *s, const line *l, taut_event_map *map, void *user,
                          const original *o, double distance, outcome *sum) {
    taut_state *y = s->happen->state;
    const int count = y->first[y->n], numbers = s->sensitivity->numbers;
    memset(sum->lower, 0, (size_t)count * sizeof *sum->lower);
    memset(sum->x, 0, (size_t)count * sizeof *sum->x);
    memset(sum->number, 0, (size_t)numbers * sizeof *sum->number);
    for (int i = 0; i < sum->values; i++) sum->value[i] = 0.0;
    for (int m = 0; m < 2 * SIDE && distance > 0.0; m++) {
        const int pair = m / 2;
        const double side = m % 2 == 0 ? 1.0 : -1.0, by = side * distance * (double)(pair + 1);
        const double factor = side * DIFFERENCE[pair] / distance;
        for (int i = 0; i < count; i++) y->x[i] = o->x[i] + by * l->x[i];
        for (int i = 0; i < numbers; i++)
            s->numbers.now[i] = o->number[i] + (l->number ? by * l->number[i] : 0.0);
        y->t = o->t + by * l->t;
        s->numbers.changed = true;
        TAUT_TRY(taut_series_set_numbers(s->happen->series, s->numbers.now));
        TAUT_TRY(map(s, user, o->value));
        for (int i = 0; i < count; i++) {
            sum->x[i] += factor * y->x[i];
            sum->lower[i] += factor / DIFFERENCE[pair] * LOWER[pair] * y->x[i];
        }
        for (int i = 0; i < numbers; i++) sum->number[i] += factor * s->numbers.now[i];
        for (int i = 0; i < sum->values; i++) sum->value[i] += factor * o->value[i];
    }
    return TAUT_OK;
}

static bool is_good(const taut_simulation *s, const outcome *sum) {
    const taut_state *y = s->happen->state;
    double size = 0.0, difference = 0.0;
    for (int i = 0; i < y->first[y->n]; i++) {
        size = fmax(size, fabs(sum->x[i]));
        difference = fmax(difference, fabs(sum->x[i] - sum->lower[i]));
    }
    return difference <= GOOD * size;
}

/* The derivative of a map along a line. */
static taut_status differentiate(taut_simulation *s, const line *l, taut_event_map *map, void *user,
                                 outcome *sum) {
    original o = {0};
    taut_series *probe = NULL;
    taut_status status = keep(s, sum->values, &o);
    if (status == TAUT_OK) status = taut_series_create_from(s->happen->series->plan, &probe);
    if (status == TAUT_OK) {
        /* sizes are told by the series of the run */
        taut_series_start(probe, o.t, 1.0);
        taut_series_take(probe, s->happen->series);
        s->happen->series = probe;
        taut_graph_tolerate(s->prepared->problem->graph, true);
        double distance = find_distance(s, l);
        for (int k = 0; k < ATTEMPTS && status == TAUT_OK; k++, distance *= NEARER) {
            status = differ(s, l, map, user, &o, distance, sum);
            if (status == TAUT_OK && is_good(s, sum)) break;
        }
        taut_graph_tolerate(s->prepared->problem->graph, false);
    }
    restore(s, &o);
    taut_series_free(&probe);
    return status;
}

static taut_status new_outcome(const taut_simulation *s, int values, taut_arena *arena,
                               outcome *x) {
    const taut_state *y = s->happen->state;
    x->values = values;
    x->x = TAUT_NEW_ARRAY(arena, y->first[y->n], double);
    x->lower = TAUT_NEW_ARRAY(arena, y->first[y->n], double);
    x->number = TAUT_NEW_ARRAY(arena, s->sensitivity->numbers, double);
    x->value = TAUT_NEW_ARRAY(arena, values, double);
    return x->x && x->lower && x->number && x->value ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status blame(const taut_simulation *s, taut_status status, taut_errors *errors) {
    if (status == TAUT_OK || status == TAUT_ERR_MEMORY) return status;
    return taut_fail(errors, TAUT_ERR_NUMERICS,
                     "what happens at t = %.10g cannot be differentiated: it does not for states "
                     "near this one",
                     s->happen->time);
}

taut_status taut_sensitivity_map(taut_simulation *s, taut_event_map *map, void *user,
                                 taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    taut_arena arena = {0};
    outcome sum;
    taut_status status = new_outcome(s, 0, &arena, &sum);
    for (int i = 0; i < x->directions && status == TAUT_OK; i++) {
        taut_direction *d = &x->direction[i];
        const line l = {d->state->x, d->numbers, d->shift};
        status = differentiate(s, &l, map, user, &sum);
        if (status != TAUT_OK) break;
        memcpy(d->state->x, sum.x, (size_t)d->state->first[d->state->n] * sizeof *sum.x);
        memcpy(d->numbers, sum.number, (size_t)x->numbers * sizeof *sum.number);
    }
    taut_arena_release(&arena);
    return blame(s, status, errors);
}

/* ---- when it happens ---- */

/* Which functions the event is a zero of. */
typedef struct firing {
    int *which; /* [count] */
    int count;
} firing;

static taut_status look_at_functions(taut_simulation *s, void *user, double *value) {
    const firing *f = user;
    TAUT_TRY(taut_happen_settle(s, false, NULL));
    for (int i = 0; i < f->count; i++)
        value[i] = taut_series_output(s->happen->series, f->which[i], 0);
    return TAUT_OK;
}

static const char *name_of(const taut_model *m, int function, taut_place *place) {
    const int first = taut_happen_first_guard(m);
    *place = m->problem_place;
    if (function < m->events) {
        *place = m->event[function].place;
        return m->event[function].name;
    }
    if (function < first) return "a kink or a table";
    *place = m->contact[(function - first) / TAUT_GUARDS].place;
    return m->contact[(function - first) / TAUT_GUARDS].element;
}

static bool grazes(const taut_simulation *s, int function, double rate) {
    const taut_watched *w = s->happen->watched;
    const taut_course *g = &w->course[function];
    double size = 0.0;
    for (int k = 1; k <= g->order; k++) size = fmax(size, fabs(g->c[k]));
    return !(fabs(rate * (w->end - w->begin)) > GRAZES * size);
}

static taut_status refuse(const taut_simulation *s, int function, int other, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_place place;
    const char *name = name_of(m, function, &place);
    if (other < 0)
        return taut_fail_at(
            errors, TAUT_ERR_NUMERICS, place,
            "sensitivities end at t = %.10g: '%s' grazes there, it reaches its zero "
            "without passing it, and what follows is not differentiable",
            s->happen->time, name);
    taut_place unused;
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, place,
                        "sensitivities end at t = %.10g: '%s' and '%s' happen at once, and would "
                        "not with other values; which comes first decides what follows, and that "
                        "is not differentiable",
                        s->happen->time, name, name_of(m, other, &unused));
}

/* dt = -dg/g', of all functions of which this is a zero. */
static taut_status find_shifts(taut_simulation *s, const firing *f, const double *rate,
                               outcome *sum, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    for (int i = 0; i < f->count; i++)
        if (grazes(s, f->which[i], rate[i])) return refuse(s, f->which[i], -1, errors);
    for (int i = 0; i < x->directions; i++) {
        taut_direction *d = &x->direction[i];
        const line l = {d->state->x, d->numbers, 0.0};
        taut_status status = differentiate(s, &l, look_at_functions, (void *)(uintptr_t)f, sum);
        if (status != TAUT_OK) return blame(s, status, errors);
        for (int k = 0; k < f->count; k++) {
            const double shift = -sum->value[k] / rate[k];
            if (k == 0) d->shift = shift;
            if (fabs(shift - d->shift) > TOGETHER * fmax(fabs(shift), fabs(d->shift)))
                return refuse(s, f->which[0], f->which[k], errors);
        }
    }
    return TAUT_OK;
}

/* The rates of the state on this side. */
static void read_rates(const taut_state *y, const taut_series *series, double *rate) {
    for (int j = 0; j < y->n; j++)
        for (int k = 0; k < taut_state_order(y, j); k++)
            rate[y->first[j] + k] = taut_series_get(series, j, k + 1);
}

static taut_status find_time(taut_simulation *s, taut_arena *arena, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    const taut_happen *h = s->happen;
    const int functions = taut_happen_functions(model_of(s));
    firing f = {.which = TAUT_NEW_ARRAY(arena, functions, int)};
    double *rate = TAUT_NEW_ARRAY(arena, h->state->first[h->state->n], double);
    outcome sum;
    if (!f.which || !rate) return TAUT_ERR_MEMORY;
    for (int i = 0; i < x->directions; i++) x->direction[i].shift = 0.0;
    for (int i = 0; i < functions; i++)
        if (h->course[i].fires && !h->steady[i]) f.which[f.count++] = i;
    if (f.count == 0) return TAUT_OK; /* a sample: its time is fixed */
    TAUT_TRY(new_outcome(s, f.count, arena, &sum));
    double *slope = TAUT_NEW_ARRAY(arena, f.count, double);
    if (!slope) return TAUT_ERR_MEMORY;
    read_rates(h->state, h->series, rate);
    const line along = {rate, NULL, 1.0};
    TAUT_TRY(blame(s, differentiate(s, &along, look_at_functions, &f, &sum), errors));
    memcpy(slope, sum.value, (size_t)f.count * sizeof *slope);
    TAUT_TRY(find_shifts(s, &f, slope, &sum, errors));
    for (int i = 0; i < x->directions; i++)
        for (int k = 0; k < h->state->first[h->state->n]; k++)
            x->direction[i].state->x[k] += rate[k] * x->direction[i].shift;
    return TAUT_OK;
}

taut_status taut_sensitivity_reach(taut_simulation *s, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    taut_arena arena = {0};
    if (!x) return TAUT_OK;
    if (s->recorded) return taut_adjoint_refuse_event(s, errors);
    taut_sensitivity_bring(s, s->happen->time);
    x->noted = s->notebook.notes.events;
    const taut_status status = find_time(s, &arena, errors);
    taut_arena_release(&arena);
    return status;
}

/* ---- on the other side ---- */

/* Parameters that are formulas of those that have been assigned. */
static taut_status follow_links(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    taut_arena work = {0};
    const taut_graph *graph = s->prepared->problem->graph;
    double *value = TAUT_NEW_ARRAY(&work, taut_graph_size(graph), double);
    double *sum = TAUT_NEW_ARRAY(&work, x->numbers, double);
    if (!value || !sum) {
        taut_arena_release(&work);
        return TAUT_ERR_MEMORY;
    }
    taut_steady_values(graph, s->numbers.now, value);
    for (int i = 0; i < x->directions; i++) {
        taut_direction *d = &x->direction[i];
        for (bool more = true; more;) {
            more = false;
            memset(sum, 0, (size_t)x->numbers * sizeof *sum);
            for (int k = 0; k < x->links; k++)
                sum[x->link[k].of] += value[x->link[k].derivative] * d->numbers[x->link[k].by];
            for (int k = 0; k < x->links; k++) {
                const int of = x->link[k].of;
                if (of == d->number || x->assigned[of] || d->numbers[of] == sum[of]) continue;
                d->numbers[of] = sum[of];
                more = true;
            }
        }
    }
    taut_arena_release(&work);
    return TAUT_OK;
}

static taut_status note_names(const taut_sensitivity *x, taut_notebook *b) {
    if (b->notes.sensitivity) return TAUT_OK;
    const char **name = TAUT_NEW_ARRAY(&b->arena, x->directions, const char *);
    for (int i = 0; name && i < x->directions; i++) {
        const char *own = x->direction[i].name;
        if (!(name[i] = taut_arena_copy(&b->arena, own, strlen(own)))) return TAUT_ERR_MEMORY;
    }
    b->notes.sensitivity = name;
    b->notes.sensitivities = x->directions;
    return name ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Times of what has been listed at this event. */
static taut_status note_shifts(taut_simulation *s) {
    const taut_sensitivity *x = s->sensitivity;
    taut_notebook *b = &s->notebook;
    if (x->noted >= b->notes.events) return TAUT_OK;
    TAUT_TRY(note_names(x, b));
    double *shift = TAUT_NEW_ARRAY(&b->arena, x->directions, double);
    if (!shift) return TAUT_ERR_MEMORY;
    for (int i = 0; i < x->directions; i++) shift[i] = x->direction[i].shift;
    for (int i = x->noted; i < b->notes.events; i++)
        if (b->event[i].t == s->happen->time) b->event[i].derivative = shift;
    return TAUT_OK;
}

taut_status taut_sensitivity_leave(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    if (!x) return TAUT_OK;
    TAUT_TRY(follow_links(s));
    TAUT_TRY(note_shifts(s));
    TAUT_TRY(taut_sensitivity_equip(s));
    for (int i = 0; i < x->directions; i++) {
        taut_direction *d = &x->direction[i];
        for (int j = 0; j < d->state->n; j++)
            for (int k = 0; k < taut_state_order(d->state, j); k++)
                *taut_state_at(d->state, j, k) -=
                    d->shift * taut_stepper_value(s->stepper, j, k + 1, s->stepper->t);
        d->passed = d->shift;
        d->shift = 0.0;
    }
    x->t = s->stepper->t;
    x->paths = 0;
    return TAUT_OK;
}

void taut_sensitivity_shifts(const taut_simulation *s, double *shift) {
    const taut_sensitivity *x = s->sensitivity;
    for (int i = 0; i < x->directions; i++) shift[i] = x->direction[i].passed;
}
