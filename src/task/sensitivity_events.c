/* Variations across events (docs/math/sensitivity.md, section 4). The time of an event varies, and
 * so does what it does: dt = -(dg)/g', then the state where the event is, then what comes of it on
 * the other side with the decisions of the run held (act.c, jump.c, impact_vary.c), and back to a
 * fixed time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/graph.h"
#include "task/adjoint.h"
#include "task/happen.h"
#include "task/instant.h"
#include "task/resolve.h"

static const double GRAZES = 1e-6; /* a slope beside the course of the function over the step */
static const double LEAST_PART = 1e-9;
static const double ROUNDING = 1e-3; /* of a function's course: it begins at its zero */
static const double TOGETHER = 1e-6; /* events at one time whose times vary by what differs less */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

taut_status taut_sensitivity_blame(const taut_simulation *s, taut_status status,
                                   taut_errors *errors) {
    if (status == TAUT_OK || status == TAUT_ERR_MEMORY) return status;
    return taut_fail(errors, TAUT_ERR_NUMERICS,
                     "what happens at t = %.10g cannot be differentiated: the equations are "
                     "singular there",
                     s->happen->time);
}

/* ---- when it happens ---- */

/* Which functions the event is a zero of. */
typedef struct firing {
    int *which; /* [count] */
    int count;
} firing;

enum { NAME_ROOM = 160 };

/* In quotes, where it is a name. text [NAME_ROOM] holds what has none. */
static const char *name_of(const taut_model *m, int function, char *text, taut_place *place) {
    const int first = taut_happen_first_guard(m);
    const taut_names names = {m->variable_name, m->parameter_name};
    const char *name = NULL;
    *place = m->problem_place;
    if (function < m->events) {
        *place = m->event[function].place;
        name = m->event[function].name;
    } else if (function < m->events + m->kinks) {
        const taut_model_kink *kink = &m->kink[function - m->events];
        char boundary[NAME_ROOM - 40];
        *place = kink->place;
        taut_infix_print(m->graph, kink->of, &names, boundary, sizeof boundary);
        snprintf(text, NAME_ROOM, "the kink of (%s)", boundary);
    } else if (function < first) {
        snprintf(text, NAME_ROOM, "a table");
    } else {
        *place = m->contact[(function - first) / TAUT_GUARDS].place;
        name = m->contact[(function - first) / TAUT_GUARDS].element;
    }
    if (name) snprintf(text, NAME_ROOM, "'%.120s'", name);
    return text;
}

/* The largest of |c_k| part^k, k = first .. last. */
static double largest_term(const taut_course *g, int first, int last, double part) {
    double largest = 0.0, power = pow(part, first);
    for (int k = first; k <= last; k++, power *= part)
        largest = fmax(largest, power * fabs(g->c[k]));
    return largest;
}

/* Is the slope nothing beside the course of the function? The step may be much longer than what the
 * function's series is good for, where all that moves is prescribed; then a part of it counts. Of
 * a step that begins at the zero itself, behind a bounce, the flight to the next one counts. */
static bool grazes(const taut_simulation *s, int function, double rate) {
    const taut_watched *w = s->happen->watched;
    const taut_course *g = &w->course[function];
    const int n = g->order;
    double part = 1.0;
    while (part > LEAST_PART &&
           largest_term(g, n / 2 + 1, n, part) > largest_term(g, 1, n / 2, part))
        part *= 0.5;
    const double flight = (s->happen->time - w->begin) / (w->end - w->begin);
    if (flight > 0.0 && flight < part && fabs(g->c[0]) <= ROUNDING * largest_term(g, 1, n, flight))
        part = flight;
    return !(fabs(rate * (w->end - w->begin)) * part > GRAZES * largest_term(g, 1, n, part));
}

static taut_status refuse_grazing(const taut_simulation *s, int function, double t,
                                  taut_errors *errors) {
    taut_place place;
    char text[NAME_ROOM];
    const char *name = name_of(model_of(s), function, text, &place);
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, place,
                        "sensitivities end at t = %.10g: %s grazes there, it reaches its zero "
                        "without passing it, and what follows is not differentiable",
                        t, name);
}

/* Would velocities or numbers be others if this function passed the zero that it only touches? */
static bool decides(const taut_simulation *s, int function) {
    const taut_model *m = model_of(s);
    const int guard = function - taut_contacts_first_guard(m), contact = guard / TAUT_GUARDS;
    if (s->happen->course[function].spent) return false;
    if (function < m->events) return m->event[function].actions > 0 || m->event[function].stop;
    return guard >= 0 && guard % TAUT_GUARDS == 0 &&
           s->prepared->problem->contact[contact].normal &&
           s->contacts->course[contact].mode == TAUT_TOUCH_OPEN;
}

taut_status taut_sensitivity_touch(const taut_simulation *s, int function, double t,
                                   taut_errors *errors) {
    return s->sensitivity && decides(s, function) ? refuse_grazing(s, function, t, errors)
                                                  : TAUT_OK;
}

static taut_status refuse(const taut_simulation *s, int function, int other, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_place place, unused;
    char text[NAME_ROOM], more[NAME_ROOM];
    const char *name = name_of(m, function, text, &place);
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, place,
                        "sensitivities end at t = %.10g: %s and %s happen at once, and would "
                        "not with other values; which comes first decides what follows, and that "
                        "is not differentiable",
                        s->happen->time, name, name_of(m, other, more, &unused));
}

/* A kink on which nothing depends may graze, as long as nothing follows from it at this instant. */
static taut_status pass_idle(taut_simulation *s, firing *f, const taut_instant *at,
                             taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    int left = 0;
    for (int i = 0; i < f->count; i++) {
        const int function = f->which[i];
        bool idle = false;
        if (grazes(s, function, taut_series_output(at->series, function, 1))) {
            TAUT_TRY(taut_sensitivity_is_idle(s, function, &idle));
            if (!idle) return refuse_grazing(s, function, s->happen->time, errors);
            x->touched = function;
            x->touched_at = s->happen->time;
            continue;
        }
        f->which[left++] = function;
    }
    f->count = left;
    return TAUT_OK;
}

/* Has something happened at the instant at which an idle kink grazes? Then it may hang on that. */
static bool hangs_on_touch(const taut_simulation *s) {
    const taut_sensitivity *x = s->sensitivity;
    if (x->touched < 0 || x->touched_at != s->happen->time) return false;
    for (int i = 0; i < taut_happen_functions(model_of(s)); i++)
        if ((s->happen->course[i].fires || s->happen->course[i].fired) && i != x->touched)
            return true;
    return false;
}

/* dt = -dg/g', of all functions of which this is a zero. */
static taut_status find_shifts(taut_simulation *s, firing *f, const taut_instant *at,
                               taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    TAUT_TRY(pass_idle(s, f, at, errors));
    for (int i = 0; i < x->directions; i++) {
        taut_direction *d = &x->direction[i];
        for (int k = 0; k < f->count; k++) {
            const double shift = -taut_instant_of(at, f->which[k], 0, i) /
                                 taut_series_output(at->series, f->which[k], 1);
            if (k == 0) d->shift = shift;
            if (fabs(shift - d->shift) > TOGETHER * fmax(fabs(shift), fabs(d->shift)))
                return refuse(s, f->which[0], f->which[k], errors);
        }
    }
    return TAUT_OK;
}

/* The state where the event is varies with its time as well. */
static void follow_time(taut_direction *d, const taut_series *series) {
    for (int j = 0; j < d->state->n; j++)
        for (int k = 0; k < taut_state_order(d->state, j); k++)
            *taut_state_at(d->state, j, k) += d->shift * taut_series_get(series, j, k + 1);
}

static taut_status find_time(taut_simulation *s, taut_arena *arena, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    const taut_happen *h = s->happen;
    const int functions = taut_happen_functions(model_of(s));
    firing f = {.which = TAUT_NEW_ARRAY(arena, functions, int)};
    taut_instant *at;
    if (!f.which) return TAUT_ERR_MEMORY;
    for (int i = 0; i < x->directions; i++) x->direction[i].shift = 0.0;
    for (int i = 0; i < functions; i++)
        if (h->course[i].fires && !h->steady[i]) f.which[f.count++] = i;
    if (f.count == 0) return TAUT_OK; /* a sample: its time is fixed */
    TAUT_TRY(taut_sensitivity_blame(s, taut_instant_look(s, s->prepared, &at), errors));
    TAUT_TRY(find_shifts(s, &f, at, errors));
    for (int i = 0; i < x->directions; i++) follow_time(&x->direction[i], at->series);
    return TAUT_OK;
}

taut_status taut_sensitivity_reach(taut_simulation *s, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    taut_arena arena = {0};
    if (!x) return TAUT_OK;
    if (s->recorded) TAUT_TRY(taut_adjoint_reach(s, errors));
    taut_sensitivity_bring(s, s->happen->time);
    x->noted = s->notebook.notes.events;
    const taut_status status = find_time(s, &arena, errors);
    taut_arena_release(&arena);
    return status;
}

/* ---- on the other side ---- */

void taut_sensitivity_find_moved(const taut_sensitivity *x, bool *moves) {
    for (int k = 0; k < x->numbers; k++) moves[k] = x->assigned[k];
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < x->links; k++) {
            const taut_number_link *l = &x->link[k];
            if (!moves[l->by] || moves[l->of] || x->set[l->of]) continue;
            moves[l->of] = more = true;
        }
    }
}

/* Parameters that are formulas of those that have been assigned. */
static taut_status follow_links(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    taut_arena work = {0};
    const taut_graph *graph = x->link_graph;
    double *value = TAUT_NEW_ARRAY(&work, taut_graph_size(graph), double);
    double *sum = TAUT_NEW_ARRAY(&work, x->numbers, double);
    bool *moves = TAUT_NEW_ARRAY(&work, x->numbers + 1, bool);
    if (!value || !sum || !moves) {
        taut_arena_release(&work);
        return TAUT_ERR_MEMORY;
    }
    taut_sensitivity_find_moved(x, moves);
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
                if (!moves[of] || of == d->number || x->assigned[of] || d->numbers[of] == sum[of])
                    continue;
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

taut_status taut_sensitivity_leave(taut_simulation *s, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    if (!x) return TAUT_OK;
    if (hangs_on_touch(s)) return refuse_grazing(s, x->touched, s->happen->time, errors);
    TAUT_TRY(follow_links(s));
    if (!s->recorded) TAUT_TRY(note_shifts(s));
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
    return s->recorded ? taut_adjoint_leave(s, errors) : TAUT_OK;
}

void taut_sensitivity_shifts(const taut_simulation *s, double *shift) {
    const taut_sensitivity *x = s->sensitivity;
    for (int i = 0; i < x->directions; i++) shift[i] = x->direction[i].passed;
}
