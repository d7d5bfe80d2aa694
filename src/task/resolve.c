/* Contacts at events: impacts first, then the modes of all of them together, by forces and
 * accelerations; where these vanish, the course that follows decides: a wrong mode is left at once,
 * and not tried again at that instant. */
#include "task/resolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "model/parameters.h"
#include "task/sensitivity.h"

enum { ROUNDS = 100 }; /* changes of modes at one instant */

static const double WEAK = 1e-9; /* a guard this small, beside the forces, is zero */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

bool taut_contacts_are_there(const taut_model *m) {
    for (int i = 0; i < m->contacts; i++)
        if (m->contact[i].law == TAUT_NO_NODE) return true;
    return false;
}

taut_status taut_contacts_refuse(const taut_model *m, const char *what, taut_errors *errors) {
    for (int i = 0; i < m->contacts; i++)
        if (m->contact[i].law == TAUT_NO_NODE)
            return taut_fail_at(errors, TAUT_ERR_INPUT, m->contact[i].place,
                                "%s of models with contacts, limits, dry friction or locks ('%s') "
                                "are not possible yet",
                                what, m->contact[i].element);
    return TAUT_OK;
}

static taut_event_course *guards_of(const taut_simulation *s, int i) {
    return &s->happen->course[taut_contacts_first_guard(model_of(s)) + TAUT_GUARDS * i];
}

static bool is_closed(int mode) { return mode != TAUT_TOUCH_OPEN && mode != TAUT_TOUCH_IDLE; }

/* ---- which modes ---- */

/* Modes that are possible for a contact that touches. */
static unsigned possible(const taut_formed_contact *x, bool engaged, double rate, double noise,
                         bool *slides) {
    const unsigned open = x->normal ? 1u << TAUT_TOUCH_OPEN : 0u;
    *slides = false;
    if (!engaged) return 1u << TAUT_TOUCH_OPEN;
    if (x->firm) return 1u << TAUT_TOUCH_CLOSED;
    if (!x->rough) return open | 1u << TAUT_TOUCH_CLOSED;
    if (fabs(rate) > noise) {
        *slides = true;
        return open | 1u << (rate > 0.0 ? TAUT_TOUCH_UP : TAUT_TOUCH_DOWN);
    }
    return open | 1u << TAUT_TOUCH_CLOSED | 1u << TAUT_TOUCH_UP | 1u << TAUT_TOUCH_DOWN;
}

/* A guard that has passed zero ends the mode that it guards. */
static void note_left(taut_simulation *s, bool disturbed) {
    taut_contacts *c = s->contacts;
    for (int i = 0; i < c->count; i++) {
        const taut_event_course *g = guards_of(s, i);
        taut_contact_course *x = &c->course[i];
        if (c->time != s->happen->time || disturbed) x->left = 0;
        if (disturbed) continue;
        if (is_closed(x->mode) && g[0].fires)
            x->left |= 1u << TAUT_TOUCH_CLOSED | 1u << TAUT_TOUCH_UP | 1u << TAUT_TOUCH_DOWN;
        if (x->mode == TAUT_TOUCH_CLOSED && (g[1].fires || g[2].fires))
            x->left |= 1u << TAUT_TOUCH_CLOSED;
        if (x->mode == TAUT_TOUCH_OPEN && g[0].fires && g[0].zero) x->left |= 1u << TAUT_TOUCH_OPEN;
        if ((x->mode == TAUT_TOUCH_UP || x->mode == TAUT_TOUCH_DOWN) && g[1].fires && g[1].zero)
            x->left |= 1u << x->mode;
    }
}

/* The problem of accelerations: those that touch and do not part. */
static int describe(const taut_simulation *s, const taut_touching *t, int *at, taut_touch *touch,
                    double *W) {
    int count = 0;
    for (int k = 0; k < t->count; k++) {
        const taut_formed_contact *x = &s->prepared->problem->contact[t->which[k]];
        const int i = t->which[k];
        if (x->normal && t->rate[2 * k] > t->noise[2 * k]) continue; /* it parts */
        taut_touch *y = &touch[count];
        *y = t->touch[k];
        y->normal = x->normal;
        y->rough = x->rough;
        y->slip[0] = taut_contact_value(s, t->series, i, TAUT_CONTACT_SLIP_UP, 0);
        y->slip[1] = taut_contact_value(s, t->series, i, TAUT_CONTACT_SLIP_DOWN, 0);
        y->stick = taut_contact_value(s, t->series, i, TAUT_CONTACT_STICK, 0);
        if (x->firm) y->stick = (double)INFINITY;
        const bool engaged = taut_contact_value(s, t->series, i, TAUT_CONTACT_GATE, 0) > 0.5;
        y->may = possible(x, engaged, t->rate[2 * k + 1], t->noise[2 * k + 1], &y->slides);
        at[count++] = k;
    }
    for (int a = 0; a < 2 * count; a++)
        for (int b = 0; b < 2 * count; b++)
            W[a * 2 * count + b] =
                t->W[(2 * at[a / 2] + a % 2) * 2 * t->count + 2 * at[b / 2] + b % 2];
    return count;
}

/* Does a weak answer contain a mode that has just been left? */
static bool was_left(const taut_simulation *s, const taut_touching *t, const int *at, int count,
                     const taut_touch_answer *x) {
    for (int k = 0; k < count; k++)
        if (s->contacts->course[t->which[at[k]]].left >> x->mode[k] & 1u) return true;
    return false;
}

/* Elements that would set off from rest although static friction could hold more than kinetic: what
 * rests stays at rest as long as it can. */
static int setting_off(const taut_touch *touch, int count, const taut_touch_answer *x) {
    int number = 0;
    for (int k = 0; k < count; k++)
        if ((x->mode[k] == TAUT_TOUCH_UP || x->mode[k] == TAUT_TOUCH_DOWN) && !touch[k].slides &&
            touch[k].stick > touch[k].slip[x->mode[k] - TAUT_TOUCH_UP])
            number++;
    return number;
}

static taut_status jammed(const taut_simulation *s, const taut_touching *t, const int *at,
                          bool several, taut_errors *errors) {
    const taut_model_contact *c = &model_of(s)->contact[t->which[at[0]]];
    return taut_fail_at(
        errors, TAUT_ERR_NUMERICS, c->place,
        several ? "at t = %.10g several motions are possible (contact '%s'): friction is so large "
                  "that forces and accelerations do not determine what follows (Painleve's paradox)"
                : "at t = %.10g no motion is possible (contact '%s'): friction jams it, forces and "
                  "accelerations have no solution (Painleve's paradox)",
        s->happen->time, c->element);
}

/* The modes of all contacts into c->mode. */
static taut_status choose(taut_simulation *s, const taut_touching *t, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    int at[TAUT_TOUCH_MOST], first = -1;
    bool several = false;
    taut_touch touch[TAUT_TOUCH_MOST];
    double W[4 * TAUT_TOUCH_MOST * TAUT_TOUCH_MOST];
    taut_touch_answers list = {0};
    for (int i = 0; i < c->count; i++) c->mode[i] = TAUT_TOUCH_OPEN;
    const int count = describe(s, t, at, touch, W);
    if (count == 0) return TAUT_OK;
    taut_status status = taut_touch_solve(touch, count, W, &list);
    for (int k = 0; k < list.count; k++) {
        const taut_touch_answer *x = &list.item[k];
        if (x->weak && (first >= 0 || was_left(s, t, at, count, x))) continue;
        const int now = setting_off(touch, count, x),
                  best = first < 0 ? 0 : setting_off(touch, count, &list.item[first]);
        several = first >= 0 && !x->weak && (now == best || (several && now > best));
        if (first < 0 || now < best) first = k;
    }
    if (first < 0 && list.count > 0) first = 0;
    if (status == TAUT_OK && (first < 0 || several)) status = jammed(s, t, at, several, errors);
    if (status == TAUT_OK) {
        for (int k = 0; k < count; k++) {
            c->mode[t->which[at[k]]] = list.item[first].mode[k];
            c->course[t->which[at[k]]].weak = list.item[first].weak_at >> k & 1u;
            c->course[t->which[at[k]]].still = list.item[first].still >> k & 1u;
        }
    }
    taut_touch_release(&list);
    return status;
}

/* ---- taking them over ---- */

/* The places of contacts for a state near this one: see taut_sensitivity_map. */
typedef struct near_places {
    taut_touching copy;
    const int *held; /* [count] */
    int count;
} near_places;

static taut_status hold_again(taut_simulation *s, void *user, double *value) {
    near_places *r = user;
    (void)value;
    TAUT_TRY(taut_touching_vary(s, &r->copy));
    for (int k = 0; k < r->count; k++)
        s->numbers.now[model_of(s)->contact[r->held[k]].held] =
            taut_contact_value(s, r->copy.series, r->held[k], TAUT_CONTACT_ALONG, 0);
    return TAUT_OK;
}

static taut_status vary_held(taut_simulation *s, const taut_touching *t, const int *held, int count,
                             taut_errors *errors) {
    near_places r = {.held = held, .count = count};
    if (!s->sensitivity) return TAUT_OK;
    taut_status status = taut_touching_copy(s, t, &r.copy);
    if (status == TAUT_OK) status = taut_sensitivity_map(s, hold_again, &r, errors);
    taut_touching_release(&r.copy);
    return status;
}

/* What contacts hold that begin to stick: their places of now. */
static taut_status hold(taut_simulation *s, taut_touching *t, bool struck, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_contacts *c = s->contacts;
    int which[TAUT_TOUCH_MOST], held[TAUT_TOUCH_MOST], count = 0;
    double value[TAUT_TOUCH_MOST];
    for (int k = 0; k < t->count; k++) {
        const int i = t->which[k];
        const taut_formed_contact *x = &s->prepared->problem->contact[i];
        if (!x->rough || c->mode[i] != TAUT_TOUCH_CLOSED) continue;
        if (c->course[i].mode == TAUT_TOUCH_CLOSED && !struck) continue;
        held[count] = i;
        which[count] = m->contact[i].held;
        value[count++] = taut_contact_value(s, t->series, i, TAUT_CONTACT_ALONG, 0);
    }
    if (count == 0) return TAUT_OK;
    TAUT_TRY(vary_held(s, t, held, count, errors));
    return taut_contacts_assign(s, which, value, count);
}

static taut_status list_change(taut_simulation *s, int i) {
    const int from = s->contacts->course[i].mode, to = s->contacts->mode[i];
    const bool rough = s->prepared->problem->contact[i].rough;
    if (from == to) return TAUT_OK;
    const bool sticks = to == TAUT_TOUCH_CLOSED || to == TAUT_TOUCH_HELD;
    const bool stuck = from == TAUT_TOUCH_CLOSED || from == TAUT_TOUCH_HELD;
    const bool lock = model_of(s)->contact[i].gate != TAUT_NO_NODE;
    const char *kind = lock && sticks            ? "lock"
                       : lock && stuck           ? "unlock"
                       : lock && is_closed(to)   ? "slip"
                       : lock                    ? NULL
                       : to == TAUT_TOUCH_OPEN   ? "open"
                       : from == TAUT_TOUCH_OPEN ? "close"
                       : rough && sticks         ? "stick"
                       : rough && is_closed(to)  ? "slip"
                                                 : NULL;
    if (sticks && stuck) return TAUT_OK;
    return kind ? taut_contacts_list(s, i, kind, 0.0) : TAUT_OK;
}

/* What is known of a guard where the mode begins. zeros: of its derivatives, itself included. */
static void begin_guard(taut_event_course *g, bool zero, int zeros) {
    g->fresh = g->fires = g->fired = g->silent = false;
    g->zero = zero;
    g->zeros = zero ? zeros : 0;
    g->side = zero ? 0 : 1;
}

static void begin_guards(taut_simulation *s, const taut_touching *t, bool started) {
    const taut_problem *p = s->prepared->problem;
    const taut_happen *h = s->happen;
    const int first = taut_contacts_first_guard(p->model);
    bool touches;
    for (int i = 0; i < s->contacts->count; i++) {
        taut_event_course *g = guards_of(s, i);
        const taut_formed_contact *x = &p->contact[i];
        const int mode = s->contacts->course[i].mode, at = first + TAUT_GUARDS * i;
        int k = 0;
        while (k < t->count && t->which[k] != i) k++;
        touches = k < t->count;
        if (!touches && !started) continue; /* far away: nothing has changed */
        const double *rate = touches ? t->rate + 2 * k : NULL;
        const double *noise = touches ? t->noise + 2 * k : NULL;
        for (int j = 0; j < TAUT_GUARDS; j++) begin_guard(&g[j], false, 0);
        if (!touches || !x->rigid) continue;
        if (mode == TAUT_TOUCH_OPEN) {
            begin_guard(&g[0], true, rate[0] > noise[0] ? 1 : s->contacts->course[i].weak ? 3 : 2);
            continue;
        }
        double size = 0.0;
        const double N = x->normal ? taut_series_output(h->series, at, 0) : 0.0;
        for (int j = 0; j < t->count; j++)
            for (int r = 0; r < 2; r++) {
                const int row = p->contact[t->which[j]].row[r];
                if (row >= 0) size = fmax(size, fabs(taut_series_get(h->series, row, 0)));
            }
        if (x->normal && fabs(N) <= WEAK * size) begin_guard(&g[0], true, 1);
        for (int j = 1; j < TAUT_GUARDS && x->rough && mode == TAUT_TOUCH_CLOSED; j++)
            if (fabs(taut_series_output(h->series, at + j, 0)) <= WEAK * size)
                begin_guard(&g[j], true, 1);
        if ((mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN) && fabs(rate[1]) <= noise[1])
            begin_guard(&g[1], true, s->contacts->course[i].weak ? 2 : 1);
        g[1].silent = s->contacts->course[i].still;
    }
}

/* Goes over to the equations of c->mode. */
static taut_status take_over(taut_simulation *s, taut_touching *t, bool struck, bool started,
                             taut_errors *errors) {
    taut_contacts *c = s->contacts;
    taut_happen *h = s->happen;
    taut_mode_set *before = c->now;
    TAUT_TRY(hold(s, t, struck, errors));
    for (int i = 0; i < c->count; i++) TAUT_TRY(list_change(s, i));
    TAUT_TRY(taut_contacts_use(s, c->mode, errors));
    if (c->now != before) taut_state_take(h->state, before->place);
    TAUT_TRY(taut_happen_settle(s, true, errors));
    for (int i = 0; i < c->count; i++) c->course[i].mode = c->mode[i];
    begin_guards(s, t, started);
    return TAUT_OK;
}

static taut_status endless(const taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_string names = {0};
    taut_place place = m->problem_place;
    for (int i = 0; i < m->contacts; i++) {
        if (s->contacts->course[i].left == 0) continue;
        taut_string_add(&names, "%s'%s'", names.text ? ", " : "", m->contact[i].element);
        place = m->contact[i].place;
    }
    taut_fail_at(errors, TAUT_ERR_NUMERICS, place,
                 "at t = %.10g no set of modes lasts: %s change theirs again and again",
                 s->happen->time, names.text ? names.text : "contacts");
    taut_string_release(&names);
    return TAUT_ERR_NUMERICS;
}

static taut_status resolve(taut_simulation *s, taut_touching *t, bool disturbed, bool *changed,
                           taut_errors *errors) {
    taut_contacts *c = s->contacts;
    bool struck;
    const bool started = s->happen->time == s->t0;
    note_left(s, disturbed);
    c->rounds = c->time == s->happen->time ? c->rounds + 1 : 0;
    c->time = s->happen->time;
    if (c->rounds > ROUNDS) return endless(s, errors);
    TAUT_TRY(taut_touching_find(s, t, errors));
    TAUT_TRY(taut_contacts_strike(s, t, &struck, errors));
    for (int i = 0; i < c->count && struck; i++) c->course[i].left = 0;
    TAUT_TRY(choose(s, t, errors));
    *changed = struck;
    for (int i = 0; i < c->count; i++) *changed = *changed || c->mode[i] != c->course[i].mode;
    return take_over(s, t, struck, started, errors);
}

taut_status taut_contacts_resolve(taut_simulation *s, bool disturbed, bool *changed,
                                  taut_errors *errors) {
    taut_touching t = {0};
    const taut_status status = resolve(s, &t, disturbed, changed, errors);
    taut_arena_release(&t.arena);
    return status;
}

/* ---- the start ---- */

static taut_status create(taut_simulation *s) {
    const int count = model_of(s)->contacts;
    taut_contacts *c = s->contacts = taut_new(sizeof *c);
    if (!c) return TAUT_ERR_MEMORY;
    *c = (taut_contacts){.count = count};
    taut_mode_set *base = TAUT_NEW(&c->arena, taut_mode_set);
    c->course = TAUT_NEW_ARRAY(&c->arena, count, taut_contact_course);
    c->mode = TAUT_NEW_ARRAY(&c->arena, count, int);
    if (!base || !c->course || !c->mode) return TAUT_ERR_MEMORY;
    base->mode = TAUT_NEW_ARRAY(&c->arena, count, int);
    if (!base->mode) return TAUT_ERR_MEMORY;
    base->prepared = s->prepared;
    c->first = c->base = c->now = base;
    return TAUT_OK;
}

/* Numbers of its own, if the simulation has none. */
static taut_status make_numbers(taut_simulation *s) {
    taut_contacts *c = s->contacts;
    const taut_model *m = model_of(s);
    taut_arena arena = {0};
    if (s->numbers.now || m->holds == 0) return TAUT_OK;
    const int count = taut_model_numbers(m);
    if (!c->number) c->number = TAUT_NEW_ARRAY(&c->arena, count, double);
    bool *set = TAUT_NEW_ARRAY(&arena, count, bool);
    double *work = TAUT_NEW_ARRAY(&arena, taut_model_number_work(m), double);
    const bool good = c->number && set && work;
    if (good) taut_model_fill_numbers(m, set, c->number, work);
    taut_arena_release(&arena);
    return good ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status check(const taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    const taut_place place = m->contact[0].place;
    if (s->tend < s->t0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, place,
                            "backward in time contacts are not possible: what was before an impact "
                            "does not follow from what is behind it");
    if (s->method->ordinary || strcmp(s->method->name, "ida") == 0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, place,
                            "contacts are found by the solvers taylor and ho, not by %s",
                            s->method->name);
    return TAUT_OK;
}

/* A gap that is negative where the run begins. */
static taut_status check_gaps(const taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    const double tol = 10.0 * fmax(s->options.rtol, s->options.atol);
    for (int i = 0; i < m->contacts; i++) {
        const taut_formed_contact *x = &s->prepared->problem->contact[i];
        const taut_series *series = s->happen->series;
        if (!x->rigid || !x->normal) continue;
        const double gap = taut_contact_value(s, series, i, TAUT_CONTACT_GAP, 0);
        double size = 1.0;
        for (int j = 0; j < s->prepared->problem->coordinates; j++)
            size = fmax(size, fabs(*taut_state_at(s->happen->state, j, 0)));
        guards_of(s, i)->fires = fabs(gap) <= tol * size;
        if (gap < -tol * size)
            return taut_fail_at(errors, TAUT_ERR_INPUT, m->contact[i].gap_place,
                                "the gap of '%s' is negative at the start: %.10g",
                                m->contact[i].element, gap);
    }
    return TAUT_OK;
}

taut_status taut_contacts_begin(taut_simulation *s, taut_errors *errors) {
    bool changed = false;
    TAUT_TRY(check(s, errors));
    if (!s->contacts) TAUT_TRY(create(s));
    TAUT_TRY(make_numbers(s));
    taut_contacts *c = s->contacts;
    s->adapts = false;
    c->time = (double)NAN;
    s->happen->time = s->t0;
    for (int i = 0; i < c->count; i++)
        c->course[i] = (taut_contact_course){.impact = (double)NAN, .row_time = (double)NAN};
    TAUT_TRY(check_gaps(s, errors));
    TAUT_TRY(taut_contacts_resolve(s, true, &changed, errors));
    if (!changed) return TAUT_OK;
    taut_state_forget(s->state);
    taut_state_take(s->state, s->happen->state);
    return taut_equip_begin(s, s->state, errors);
}
