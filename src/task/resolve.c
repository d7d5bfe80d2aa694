/* Contacts at events: impacts first, then the modes of all of them together, by forces and
 * accelerations; where these vanish, the course that follows decides: a wrong mode is left at once,
 * and not tried again at that instant. */
#include "task/resolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "model/parameters.h"
#include "task/sensitivity.h"

enum { ROUNDS = 100 }; /* changes of modes at one instant */

static const double FAINT = 1e-9;  /* loads beside other forces: they are none */
static const double WEAK = 1e-9;   /* a guard this small, beside the forces, is zero */
static const double CALM = 0x1p-8; /* of the rounding of rates, where they have become zero */
static const double NEAR =
    1e-4; /* conditions that are so near to others, squared, depend on them */

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

static taut_event_course *guards_of(const taut_simulation *s, int i) {
    return &s->happen->course[taut_contacts_first_guard(model_of(s)) + TAUT_GUARDS * i];
}

static bool is_closed(int mode) { return mode != TAUT_TOUCH_OPEN && mode != TAUT_TOUCH_IDLE; }

/* Does it stick, in these modes of what is rough? */
static bool is_stuck(int mode) { return mode == TAUT_TOUCH_CLOSED || mode > TAUT_TOUCH_HELD; }

/* In space. */
static bool sets_off(int mode) { return mode == TAUT_TOUCH_START || mode == TAUT_TOUCH_LINE; }

static const unsigned CLOSED_MODES = 1u << TAUT_TOUCH_CLOSED | 1u << TAUT_TOUCH_UP |
                                     1u << TAUT_TOUCH_DOWN | 0xfeu << TAUT_TOUCH_HELD;

/* ---- which modes ---- */

/* Modes that are possible for a contact that touches. */
static unsigned possible(const taut_formed_contact *x, bool engaged, const double *rate,
                         double rest, taut_touch *y) {
    const unsigned open = x->normal || x->loads > 0 ? 1u << TAUT_TOUCH_OPEN : 0u;
    const double speed = taut_touch_length(TAUT_TOUCH_WAYS, rate);
    y->slides = false;
    if (!engaged) return 1u << TAUT_TOUCH_OPEN;
    if (x->firm) return 1u << TAUT_TOUCH_CLOSED;
    if (!x->rough) return open | 1u << TAUT_TOUCH_CLOSED;
    if (speed > rest) {
        y->slides = true;
        for (int k = 0; k < TAUT_TOUCH_WAYS; k++) y->direction[k] = rate[k] / speed;
        return open | 1u << (x->ways > 1 || rate[0] > 0.0 ? TAUT_TOUCH_UP : TAUT_TOUCH_DOWN);
    }
    const unsigned down = x->ways > 1 ? 0u : 1u << TAUT_TOUCH_DOWN;
    return open | 1u << TAUT_TOUCH_CLOSED | 1u << TAUT_TOUCH_UP | down;
}

/* A guard that has passed zero ends the mode that it guards. */
static void note_left(taut_simulation *s, bool disturbed) {
    taut_contacts *c = s->contacts;
    for (int i = 0; i < c->count; i++) {
        const taut_event_course *g = guards_of(s, i);
        taut_contact_course *x = &c->course[i];
        if (c->time != s->happen->time || disturbed) x->left = 0;
        if (disturbed) continue;
        if (is_closed(x->mode) && g[0].fires) x->left |= CLOSED_MODES;
        if (is_stuck(x->mode) && (g[1].fires || g[2].fires)) x->left |= 1u << x->mode;
        if (x->mode == TAUT_TOUCH_OPEN && g[0].fires && g[0].zero) x->left |= 1u << TAUT_TOUCH_OPEN;
        if ((x->mode == TAUT_TOUCH_UP || x->mode == TAUT_TOUCH_DOWN) && g[1].fires && g[1].zero)
            x->left |= 1u << x->mode;
        if (sets_off(x->mode) && g[2].fires && g[2].zero) x->left |= 1u << TAUT_TOUCH_UP;
    }
}

/* The problem of accelerations: those that touch and do not part. */
static int describe(const taut_simulation *s, const taut_touching *t, int *at, taut_touch *touch,
                    double *W, double *by) {
    int count = 0;
    for (int k = 0; k < t->count; k++) {
        const taut_formed_contact *x = &s->prepared->problem->contact[t->which[k]];
        const int i = t->which[k], row = TAUT_TOUCH_ROWS * k;
        if (x->normal && t->rate[row] > t->noise[row]) continue; /* it parts */
        taut_touch *y = &touch[count];
        *y = t->touch[k];
        y->normal = x->normal;
        y->rough = x->rough;
        y->ways = x->ways;
        y->slip[0] = taut_contact_value(s, t->series, i, TAUT_CONTACT_SLIP_UP, 0);
        y->slip[1] = taut_contact_value(s, t->series, i, TAUT_CONTACT_SLIP_DOWN, 0);
        y->stick = taut_contact_value(s, t->series, i, TAUT_CONTACT_STICK, 0);
        if (x->firm) y->stick = (double)INFINITY;
        const bool engaged = taut_contact_value(s, t->series, i, TAUT_CONTACT_GATE, 0) > 0.5;
        y->may = possible(x, engaged, t->rate + row + 1, taut_contacts_speed_at_rest(s, t, k), y);
        if (y->ways > 1 && !y->slides) /* friction where it sets off */
            y->slip[0] = taut_contact_value(s, t->series, i, TAUT_CONTACT_SLIP_DOWN, 0);
        y->least = 0.75 * s->contacts->least;
        at[count++] = k;
    }
    taut_touching_pick(t, at, count, touch, W, by);
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
            touch[k].stick > touch[k].slip[x->mode[k] == TAUT_TOUCH_UP ? 0 : 1])
            number++;
    return number;
}

/* Loads of joints that are small beside the forces at work are none. */
static void note_least(const taut_simulation *s, const taut_touching *t) {
    taut_contacts *c = s->contacts;
    c->least = fmax(c->least, fmax(FAINT * t->force, DBL_MIN));
}

/* Forces of the answer, and which way loads press that have one direction. */
static void keep_answer(taut_touching *t, const int *at, const taut_touch *touch, int count,
                        const taut_touch_answer *x) {
    for (int k = 0; k < count; k++) {
        double load = touch[k].load[0];
        for (int j = 0; j < TAUT_TOUCH_ROWS * count && touch[k].loads == 1; j++)
            load += touch[k].by[0][j] * x->force[j];
        t->sense[at[k]] = load < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < TAUT_TOUCH_ROWS; i++)
            t->answer[TAUT_TOUCH_ROWS * at[k] + i] = x->force[TAUT_TOUCH_ROWS * k + i];
    }
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

/* What an answer says of contact i, its element k. */
static void adopt(taut_simulation *s, int i, const taut_touch *touch, const taut_touch_answer *x,
                  int k) {
    taut_contact_course *course = &s->contacts->course[i];
    const bool slips = x->mode[k] == TAUT_TOUCH_UP && touch->ways > 1;
    s->contacts->mode[i] = slips && !touch->slides ? TAUT_TOUCH_START : x->mode[k];
    course->weak = x->weak_at >> k & 1u;
    course->still = x->still >> k & 1u;
    memcpy(course->way, slips ? x->direction[k] : x->share[k], sizeof course->way);
    double gain = 0.0;
    for (int d = 0; d < touch->ways; d++)
        gain += x->direction[k][d] * x->rate[TAUT_TOUCH_ROWS * k + 1 + d];
    course->settles = slips && touch->slides && course->mode == TAUT_TOUCH_START && gain < 0.0;
}

/* What conditions a mode has, as rows of what touches: directions of rates that stay zero. */
static int add_rows(const taut_formed_contact *x, const taut_contact_course *course, int mode,
                    int at, double rows[][TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST], int count) {
    const int first = TAUT_TOUCH_ROWS * at;
    if (!is_closed(mode)) return count;
    if (x->normal) rows[count++][first] = 1.0;
    for (int k = 1; k < TAUT_TOUCH_ROWS; k++)
        if (taut_contact_has_row(x, k) && is_stuck(mode) && !taut_touch_holds(mode, k))
            rows[count++][first + k] = 1.0;
    if (mode != TAUT_TOUCH_LINE) return count;
    double across[TAUT_TOUCH_WAYS - 1][TAUT_TOUCH_WAYS] = {{0.0}};
    taut_touch_across(x->ways, course->way, across);
    for (int d = 1; d < x->ways; d++, count++)
        memcpy(rows[count] + first + 1, across[d - 1], sizeof across[0]);
    return count;
}

/* Do these conditions depend on each other? By elimination in the matrix of their responses. */
static bool depend(const taut_touching *t, double rows[][TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST],
                   int count) {
    enum { WIDTH = TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST };
    const int n = TAUT_TOUCH_ROWS * t->count;
    double A[WIDTH][WIDTH], size[WIDTH];
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            A[a][b] = 0.0;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) A[a][b] += rows[a][i] * t->W[i * n + j] * rows[b][j];
        }
    for (int k = 0; k < count; k++) size[k] = A[k][k];
    for (int k = 0; k < count; k++) { /* it is positive: no pivots */
        if (!(A[k][k] > NEAR * size[k])) return true;
        for (int i = k + 1; i < count; i++)
            for (int j = count - 1; j >= k; j--) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
    }
    return false;
}

/* Where accelerations vanish contacts in space set off along lines, as far as these do not depend
 * on each other and on what holds otherwise; and what has set off and stops before it has turned
 * goes on along a line, because friction that follows its direction makes steps ever shorter. */
static void choose_lines(taut_simulation *s, const taut_touching *t) {
    enum { WIDTH = TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST };
    taut_contacts *c = s->contacts;
    for (int line = 0; line < t->count; line++) {
        double rows[WIDTH][WIDTH] = {{0}};
        int count = 0;
        const int i = t->which[line];
        const int mode = c->mode[i];
        if (!(mode == TAUT_TOUCH_START && c->course[i].weak) && !c->course[i].settles) continue;
        c->mode[i] = TAUT_TOUCH_LINE;
        for (int k = 0; k < t->count; k++)
            count = add_rows(&s->prepared->problem->contact[t->which[k]], &c->course[t->which[k]],
                             c->mode[t->which[k]], k, rows, count);
        if (depend(t, rows, count)) c->mode[i] = mode;
    }
}

/* Forces that are one choice of many are named, once. */
static taut_status tell_shared(taut_simulation *s, const taut_touching *t, const int *at,
                               int count) {
    for (int k = 0; k < count; k++) {
        const int i = t->which[at[k]], mode = s->contacts->mode[i];
        taut_contact_course *course = &s->contacts->course[i];
        const bool closed =
            mode == TAUT_TOUCH_IDLE || (is_stuck(mode) && mode != TAUT_TOUCH_CLOSED);
        if (!closed || course->told) continue;
        course->told = true;
        TAUT_TRY(taut_notebook_remark(
            &s->notebook,
            "at t = %.6g the other contacts hold '%s' as well: the motion is determined, but not "
            "how they share the forces",
            s->happen->time, model_of(s)->contact[i].element));
    }
    return TAUT_OK;
}

/* The modes of all contacts into c->mode. */
static taut_status choose(taut_simulation *s, taut_touching *t, taut_errors *errors) {
    taut_contacts *c = s->contacts;
    int at[TAUT_TOUCH_MOST], first = -1;
    bool several = false;
    taut_touch touch[TAUT_TOUCH_MOST];
    double W[TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST * TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST];
    double by[3 * TAUT_TOUCH_MOST * TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST];
    taut_touch_answers list = {0};
    memcpy(c->mode, c->base->mode, (size_t)c->count * sizeof *c->mode);
    note_least(s, t);
    const int count = describe(s, t, at, touch, W, by);
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
        for (int k = 0; k < count; k++) adopt(s, t->which[at[k]], &touch[k], &list.item[first], k);
        keep_answer(t, at, touch, count, &list.item[first]);
        choose_lines(s, t);
        status = tell_shared(s, t, at, count);
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
        s->numbers.now[model_of(s)->contact[r->held[k]].held[0]] =
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
        if (!x->rough || !is_closed(mode)) continue;
        const bool place = is_stuck(mode) || mode == TAUT_TOUCH_LINE;
        const bool stays = mode == c->course[i].mode && !struck;
        for (int d = 0; d < x->ways; d++) {
            if (place && !(stays && is_stuck(mode))) {
                if (d == 0) held[places++] = i;
                which[count] = m->contact[i].held[d];
                value[count++] = taut_contact_value(s, t->series, i,
                                                    (taut_contact_part)(TAUT_CONTACT_ALONG + d), 0);
            }
            if (mode == TAUT_TOUCH_CLOSED || (x->ways == 1 && !is_stuck(mode))) continue;
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
    if (places > 0) TAUT_TRY(vary_held(s, t, held, places, errors));
    return taut_contacts_assign(s, which, value, count);
}

static taut_status list_change(taut_simulation *s, int i) {
    const int from = s->contacts->course[i].mode, to = s->contacts->mode[i];
    const bool rough = s->prepared->problem->contact[i].rough;
    if (from == to) return TAUT_OK;
    const bool sticks = is_stuck(to), stuck = is_stuck(from);
    const bool goes_on = sets_off(from) && (to == TAUT_TOUCH_UP || sets_off(to));
    const bool lock = model_of(s)->contact[i].lock;
    if (model_of(s)->contact[i].breaks) return taut_loose_list(s, i, to == TAUT_TOUCH_CLOSED);
    const char *kind = lock && sticks            ? "lock"
                       : lock && stuck           ? "unlock"
                       : lock && is_closed(to)   ? "slip"
                       : lock                    ? NULL
                       : to == TAUT_TOUCH_OPEN   ? "open"
                       : from == TAUT_TOUCH_OPEN ? "close"
                       : rough && sticks         ? "stick"
                       : rough && is_closed(to)  ? "slip"
                                                 : NULL;
    if ((sticks && stuck) || goes_on) return TAUT_OK;
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
        const double *rate = touches ? t->rate + TAUT_TOUCH_ROWS * k : NULL;
        const double *noise = touches ? t->noise + TAUT_TOUCH_ROWS * k : NULL;
        for (int j = 0; j < TAUT_GUARDS; j++) begin_guard(&g[j], false, 0);
        if (!touches || !x->rigid) continue;
        if (mode == TAUT_TOUCH_OPEN && x->loads > 0) continue;
        if (mode == TAUT_TOUCH_OPEN) {
            begin_guard(&g[0], true, rate[0] > noise[0] ? 1 : s->contacts->course[i].weak ? 3 : 2);
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
        const double force = x->ways > 1 ? size * size : size; /* guards are squares there */
        for (int j = 1; j < TAUT_GUARDS && x->rough && is_stuck(mode); j++)
            if (fabs(taut_series_output(h->series, at + j, 0)) <= WEAK * force)
                begin_guard(&g[j], true, 1);
        const int still = s->contacts->course[i].weak ? 2 : 1;
        if (sets_off(mode)) begin_guard(&g[2], true, still);
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
    TAUT_TRY(taut_loose_follow(s, errors));
    TAUT_TRY(taut_touching_find(s, t, errors));
    TAUT_TRY(taut_contacts_strike(s, t, &struck, errors));
    for (int i = 0; i < c->count && struck; i++) {
        c->course[i].left = 0;
        c->course[i].rests = false;
    }
    if (!struck) TAUT_TRY(taut_contacts_halt(s, t, errors));
    TAUT_TRY(choose(s, t, errors));
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
    for (int i = 0; i < count; i++)
        base->mode[i] = taut_contact_first_mode(&model_of(s)->contact[i]);
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
    s->notebook.notes.impact = model_of(s)->poisson ? "poisson" : "newton";
    taut_contacts *c = s->contacts;
    s->adapts = false;
    c->time = (double)NAN;
    s->happen->time = s->t0;
    for (int i = 0; i < c->count; i++)
        c->course[i] =
            (taut_contact_course){.mode = taut_contact_first_mode(&model_of(s)->contact[i]),
                                  .impact = (double)NAN,
                                  .row_time = (double)NAN};
    TAUT_TRY(taut_loose_begin(s));
    TAUT_TRY(check_gaps(s, errors));
    TAUT_TRY(taut_contacts_resolve(s, true, &changed, errors));
    if (!changed) return TAUT_OK;
    taut_state_forget(s->state);
    taut_state_take(s->state, s->happen->state);
    return taut_equip_begin(s, s->state, errors);
}
