/* Contacts at events: impacts first, then the modes of all of them together, by forces and
 * accelerations; where these vanish, the course that follows decides: a wrong mode is left at once,
 * and not tried again at that instant. */
#include "task/resolve.h"
#include "task/rims.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "model/parameters.h"
#include "task/instant.h"

enum { ROUNDS = 100 }; /* changes of modes at one instant */

static const double WEAK = 1e-9;   /* a guard this small, beside the forces, is zero */
static const double CALM = 0x1p-8; /* of the rounding of rates, where they have become zero */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

bool taut_contacts_are_there(const taut_model *m) {
    for (int i = 0; i < m->contacts; i++)
        if (m->contact[i].law == TAUT_NO_NODE) return true;
    return false;
}

const char *taut_contacts_words(const taut_simulation *s, taut_arena *arena) {
    static const char *const ROUGH[] = {"open",   "sticks", "slides", "slides",
                                        "closed", "slides", "slides", "sticks"};
    const taut_model *m = model_of(s);
    taut_string out = {0};
    for (int i = 0; s->contacts && i < s->contacts->count; i++) {
        if (m->contact[i].law != TAUT_NO_NODE) continue;
        const int mode = s->contacts->now->mode[i];
        const bool rough = m->contact[i].along[0] != TAUT_NO_NODE;
        const bool off = mode == TAUT_TOUCH_OPEN && m->contact[i].gap == TAUT_NO_NODE;
        const char *word = rough ? ROUGH[mode < TAUT_TOUCH_HELD ? mode : TAUT_TOUCH_HELD]
                                 : (mode == TAUT_TOUCH_OPEN ? "open" : "closed");
        taut_string_add(&out, "%s%s %s", out.length ? ", " : "", m->contact[i].name,
                        off ? "off" : word);
    }
    const char *words =
        out.failed ? NULL : taut_arena_copy(arena, out.text ? out.text : "", out.length);
    taut_string_release(&out);
    return words;
}

/* ---- taking them over ---- */

/* How the places vary at which contacts held[count] begin to stick. */
static taut_status vary_held(taut_simulation *s, const int *held, int count) {
    taut_instant *at;
    if (!s->sensitivity) return TAUT_OK;
    TAUT_TRY(taut_instant_look(s, s->contacts->base->prepared, &at));
    for (int k = 0; k < count; k++)
        for (int i = 0; i < at->directions; i++)
            s->sensitivity->direction[i].numbers[model_of(s)->contact[held[k]].held[0]] =
                taut_instant_contact(s, at, held[k], TAUT_CONTACT_ALONG, 0, i);
    return TAUT_OK;
}

/* What rate across its direction is rounding, where a slip sets off. */
static double rounding_at_rest(const taut_formed_contact *x, const taut_touching *t, int k) {
    const int row = TAUT_TOUCH_ROWS * k + 1;
    return fmax(CALM * taut_touch_length(x->ways, t->noise + row),
                2.0 * taut_touch_length(x->ways, t->rate + row));
}

/* The numbers that modes go with: places of what begins to stick, directions, shares. */
static taut_status hold(taut_simulation *s, taut_touching *t, bool struck, taut_errors *errors) {
    enum { MOST = (4 + 2 * TAUT_TOUCH_WAYS) * TAUT_TOUCH_MOST };
    const taut_model *m = model_of(s);
    taut_contacts *c = s->contacts;
    int which[MOST], held[MOST], places = 0, count = 0;
    double value[MOST];
    for (int k = 0; k < t->count; k++) {
        const int i = t->which[k], mode = c->mode[i];
        const taut_formed_contact *x = &s->prepared->problem->contact[i];
        if (x->loads > 0) {
            which[count] = m->contact[i].sense;
            value[count++] = t->sense[k];
            which[count] = m->contact[i].least;
            value[count++] = c->least;
        }
        if (!x->rough || !taut_mode_is_closed(mode)) continue;
        const bool place = taut_mode_is_stuck(mode) || mode == TAUT_TOUCH_LINE;
        const bool stays = mode == c->course[i].mode && !struck;
        for (int d = 0; d < x->ways; d++) {
            if (place && !(stays && taut_mode_is_stuck(mode))) {
                if (d == 0) held[places++] = i;
                which[count] = m->contact[i].held[d];
                value[count++] = taut_contact_value(s, t->series, i,
                                                    (taut_contact_part)(TAUT_CONTACT_ALONG + d), 0);
            }
            if (mode == TAUT_TOUCH_CLOSED || (x->ways == 1 && !taut_mode_is_stuck(mode))) continue;
            which[count] = m->contact[i].aimed[d];
            value[count++] = c->course[i].way[d];
        }
        if (mode == TAUT_TOUCH_START) {
            which[count] = m->contact[i].calmed;
            value[count++] = rounding_at_rest(x, t, k);
        }
        if (x->ways > 2) {
            which[count] = m->contact[i].leant;
            value[count++] = c->course[i].way[2] < 0.0 ? -1.0 : 1.0;
        }
    }
    if (count == 0) return TAUT_OK;
    if (places > 0) TAUT_TRY(taut_sensitivity_blame(s, vary_held(s, held, places), errors));
    return taut_contacts_assign(s, which, value, count);
}

static taut_status list_change(taut_simulation *s, int i) {
    const int from = s->contacts->course[i].mode, to = s->contacts->mode[i];
    const bool rough = s->prepared->problem->contact[i].rough;
    if (from == to) return TAUT_OK;
    const bool sticks = taut_mode_is_stuck(to), stuck = taut_mode_is_stuck(from);
    const bool goes_on =
        taut_mode_sets_off(from) && (to == TAUT_TOUCH_UP || taut_mode_sets_off(to));
    const bool lock = model_of(s)->contact[i].lock;
    if (model_of(s)->contact[i].breaks) return taut_loose_list(s, i, from, to);
    const char *kind = lock && sticks                     ? "lock"
                       : lock && stuck                    ? "unlock"
                       : lock && taut_mode_is_closed(to)  ? "slip"
                       : lock                             ? NULL
                       : to == TAUT_TOUCH_OPEN            ? "open"
                       : from == TAUT_TOUCH_OPEN          ? "close"
                       : rough && sticks                  ? "stick"
                       : rough && taut_mode_is_closed(to) ? "slip"
                                                          : NULL;
    if ((sticks && stuck) || goes_on) return TAUT_OK;
    return kind ? taut_contacts_list(s, i, kind, 0.0) : TAUT_OK;
}

/* What is known of a guard where the mode begins. zeros: of its derivatives, itself included. */
static void begin_guard(taut_event_course *g, bool zero, int zeros) {
    g->fresh = g->fires = g->fired = g->silent = g->faint = false;
    g->floor = g->drift = g->bend = 0.0;
    g->zero = zero;
    g->zeros = zero ? zeros : 0;
    g->side = zero ? 0 : 1;
}

/* What rounding of accelerations makes of a force. */
static double rounding_of_force(const taut_touching *t, int k, int row) {
    const double response = t->W[(TAUT_TOUCH_ROWS * k + row) * (TAUT_TOUCH_ROWS * t->count + 1)];
    return response > 0.0 ? t->touch[k].noise[row] / response : 0.0;
}

static void begin_guards(taut_simulation *s, const taut_touching *t, bool started) {
    const taut_problem *p = s->prepared->problem;
    const taut_happen *h = s->happen;
    const int first = taut_contacts_first_guard(p->model);
    bool touches;
    for (int i = 0; i < s->contacts->count; i++) {
        taut_event_course *g = taut_contact_guards(s, i);
        const taut_formed_contact *x = &p->contact[i];
        const int mode = s->contacts->course[i].mode, at = first + TAUT_GUARDS * i;
        int k = 0;
        while (k < t->count && t->which[k] != i) k++;
        touches = k < t->count;
        if (!touches && !started) continue; /* far away: nothing has changed */
        const double *rate = touches ? t->rate + TAUT_TOUCH_ROWS * k : NULL;
        const double *noise = touches ? t->noise + TAUT_TOUCH_ROWS * k : NULL;
        for (int j = 0; j < TAUT_GUARDS; j++) begin_guard(&g[j], false, 0);
        if (!touches || !x->rigid) continue;
        if (mode == TAUT_TOUCH_OPEN && x->loads > 0) continue;
        if (mode == TAUT_TOUCH_OPEN) {
            begin_guard(&g[0], true, rate[0] > noise[0] ? 1 : s->contacts->course[i].weak ? 3 : 2);
            g[0].floor = taut_touching_place(t, k);
            g[0].drift = t->touch[k].noise[0];
            continue;
        }
        double size = 0.0;
        const double N = x->normal ? taut_series_output(h->series, at, 0) : 0.0;
        for (int j = 0; j < t->count; j++)
            for (int r = 0; r < TAUT_TOUCH_ROWS; r++) {
                const int row = p->contact[t->which[j]].row[r];
                if (row >= 0) size = fmax(size, fabs(taut_series_get(h->series, row, 0)));
            }
        if (x->normal && fabs(N) <= WEAK * size) begin_guard(&g[0], true, 1);
        g[0].floor = rounding_of_force(t, k, 0);
        const double force = x->ways > 1 ? size * size : size; /* guards are squares there */
        for (int j = 1; j < TAUT_GUARDS && x->rough && taut_mode_is_stuck(mode); j++)
            if (fabs(taut_series_output(h->series, at + j, 0)) <= WEAK * force) {
                begin_guard(&g[j], true, 1);
                if (x->ways == 1) g[j].floor = rounding_of_force(t, k, 1);
            }
        const int still = s->contacts->course[i].weak ? 2 : 1;
        if (taut_mode_sets_off(mode)) begin_guard(&g[2], true, still);
        if (x->ways == 1 && (mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN) &&
            fabs(rate[1]) <= noise[1])
            begin_guard(&g[1], true, still);
        g[1].silent = s->contacts->course[i].still;
        g[2].silent = x->ways > 1 && mode == TAUT_TOUCH_UP;
    }
}

/* Accelerations and forces of the answer: where friction depends on loads, equations are not linear
 * in them, and a search needs a beginning. */
static void predict(taut_simulation *s, const taut_touching *t) {
    const taut_problem *p = s->prepared->problem;
    const taut_structure *structure = &s->prepared->structure;
    if (structure->quasilinear || p->system.n != t->n) return;
    for (int j = 0; j < t->n; j++) {
        const int d = structure->offsets.d[j];
        if (d != t->series->structure->offsets.d[j]) continue;
        double value = taut_series_get(t->series, j, d);
        for (int a = 0; a < TAUT_TOUCH_ROWS * t->count; a++)
            value += t->answer[a] * t->response[(size_t)a * (size_t)t->n + (size_t)j];
        *taut_state_at(s->happen->state, j, d) = value;
    }
    for (int a = 0; a < TAUT_TOUCH_ROWS * t->count; a++) {
        const int row = p->contact[t->which[a / TAUT_TOUCH_ROWS]].row[a % TAUT_TOUCH_ROWS];
        if (row >= 0 && structure->offsets.d[row] == 0)
            *taut_state_at(s->happen->state, row, 0) = t->answer[a];
    }
}

/* Goes over to the equations of c->mode. */
static taut_status take_over(taut_simulation *s, taut_touching *t, bool struck, bool started,
                             taut_errors *errors) {
    taut_contacts *c = s->contacts;
    taut_happen *h = s->happen;
    taut_mode_set *before = c->now;
    for (int k = 0; k < t->count; k++) c->course[t->which[k]].pull = t->pull[k];
    TAUT_TRY(hold(s, t, struck, errors));
    for (int i = 0; i < c->count; i++) TAUT_TRY(list_change(s, i));
    TAUT_TRY(taut_contacts_use(s, c->mode, errors));
    if (c->now != before) taut_state_take(h->state, before->place);
    predict(s, t);
    TAUT_TRY(taut_happen_settle(s, true, errors));
    for (int i = 0; i < c->count; i++) {
        if (c->mode[i] != TAUT_TOUCH_UP) c->course[i].fastest = 0.0;
        c->course[i].mode = c->mode[i];
        c->course[i].rests = false;
    }
    begin_guards(s, t, started);
    return TAUT_OK;
}

/* Has contact i been left at this instant, or does something end its mode? */
static bool is_restless(const taut_simulation *s, int i) {
    bool fires = s->contacts->course[i].left != 0;
    for (int k = 0; k < TAUT_GUARDS; k++) fires = fires || taut_contact_guards(s, i)[k].fires;
    return fires;
}

static taut_status endless(taut_simulation *s, taut_touching *t, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_string names = {0};
    taut_place place = m->problem_place;
    TAUT_TRY(taut_touching_find(s, t, errors));
    for (int k = 0; k < t->count; k++)
        if (s->prepared->problem->contact[t->which[k]].normal && is_restless(s, t->which[k]) &&
            taut_touching_is_held(t, TAUT_TOUCH_ROWS * k))
            return taut_touching_driven(s, t, k, errors);
    for (int i = 0; i < m->contacts; i++) {
        if (!is_restless(s, i)) continue;
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
    taut_modes_note_left(s, disturbed);
    c->rounds = c->time == s->happen->time ? c->rounds + 1 : 0;
    c->time = s->happen->time;
    if (c->rounds > ROUNDS) return endless(s, t, errors);
    TAUT_TRY(taut_loose_follow(s, errors));
    TAUT_TRY(taut_loose_engage(s, errors));
    TAUT_TRY(taut_touching_find(s, t, errors));
    TAUT_TRY(taut_contacts_strike(s, t, &struck, errors));
    for (int i = 0; i < c->count && struck; i++) {
        c->course[i].left = 0;
        c->course[i].rests = false;
    }
    if (!struck) TAUT_TRY(taut_contacts_halt(s, t, errors));
    TAUT_TRY(taut_modes_choose(s, t, errors));
    if (struck) TAUT_TRY(taut_contacts_list_rest(s, t));
    TAUT_TRY(taut_loose_rest(s, t));
    *changed = struck;
    for (int i = 0; i < c->count; i++) *changed = *changed || c->mode[i] != c->course[i].mode;
    return take_over(s, t, struck, started, errors);
}

/* ---- at an event ---- */

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
    const int *mode = s->prepared->forming.mode; /* some of what may let go is idle */
    for (int i = 0; i < count; i++)
        base->mode[i] = mode ? mode[i] : taut_contact_first_mode(&model_of(s)->contact[i]);
    base->prepared = s->prepared;
    c->first = c->base = c->home = c->now = base;
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
        return taut_fail_at(
            errors, TAUT_ERR_INPUT, place,
            "backward in time contacts, friction and locks are not possible: what was "
            "before an impact does not follow from what is behind it");
    if (s->method->ordinary || strcmp(s->method->name, "ida") == 0)
        return taut_fail_at(
            errors, TAUT_ERR_INPUT, place,
            "contacts, friction and locks are found by the solvers taylor and ho, not by "
            "%s, whose steps do not know the forces by which they open, stick and "
            "slip; compliant ones without friction (Stiffness) by all solvers",
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
        taut_contact_guards(s, i)->fires = fabs(gap) <= tol * size;
        if (gap < -tol * size)
            return taut_fail_at(errors, TAUT_ERR_INPUT, m->contact[i].gap_place,
                                "the gap of '%s' is negative at the start: %.10g",
                                m->contact[i].element, gap);
    }
    return TAUT_OK;
}

taut_status taut_contacts_begin(taut_simulation *s, taut_errors *errors) {
    bool changed = false, turned = false;
    TAUT_TRY(check(s, errors));
    if (!s->contacts) TAUT_TRY(create(s));
    TAUT_TRY(make_numbers(s));
    s->notebook.notes.impact = model_of(s)->poisson ? "poisson" : "newton";
    taut_contacts *c = s->contacts;
    s->adapts = false;
    c->sought = false;
    c->span = (double)NAN;
    c->time = (double)NAN;
    s->happen->time = s->t0;
    for (int i = 0; i < c->count; i++)
        c->course[i] = (taut_contact_course){.mode = c->base->mode[i],
                                             .impact = (double)NAN,
                                             .end = (double)NAN,
                                             .limit = (double)NAN,
                                             .row_time = (double)NAN};
    TAUT_TRY(taut_loose_begin(s));
    TAUT_TRY(taut_rims_turn(s, &turned, errors));
    TAUT_TRY(check_gaps(s, errors));
    TAUT_TRY(taut_contacts_resolve(s, true, &changed, errors));
    if (!changed && !turned) return TAUT_OK;
    taut_state_forget(s->state);
    taut_state_take(s->state, s->happen->state);
    return taut_equip_begin(s, s->state, errors);
}
