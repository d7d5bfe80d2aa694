/* Which modes contacts have at an event: forces and accelerations of all of them together decide;
 * where these vanish, a mode that has just been left is not tried again. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "task/resolve.h"

static const double FAINT = 1e-9; /* loads beside other forces: they are none */
static const double NEAR =
    1e-4; /* conditions that are so near to others, squared, depend on them */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

static const unsigned CLOSED_MODES = 1u << TAUT_TOUCH_CLOSED | 1u << TAUT_TOUCH_UP |
                                     1u << TAUT_TOUCH_DOWN | 0xfeu << TAUT_TOUCH_HELD;

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
void taut_modes_note_left(taut_simulation *s, bool disturbed) {
    taut_contacts *c = s->contacts;
    for (int i = 0; i < c->count; i++) {
        const taut_event_course *g = taut_contact_guards(s, i);
        taut_contact_course *x = &c->course[i];
        if (c->time != s->happen->time || disturbed) x->left = 0;
        if (disturbed) continue;
        if (taut_mode_is_closed(x->mode) && g[0].fires) x->left |= CLOSED_MODES;
        if (taut_mode_is_stuck(x->mode) && (g[1].fires || g[2].fires)) x->left |= 1u << x->mode;
        if (x->mode == TAUT_TOUCH_OPEN && g[0].fires && g[0].zero) x->left |= 1u << TAUT_TOUCH_OPEN;
        if ((x->mode == TAUT_TOUCH_UP || x->mode == TAUT_TOUCH_DOWN) && g[1].fires && g[1].zero)
            x->left |= 1u << x->mode;
        if (taut_mode_sets_off(x->mode) && g[2].fires && g[2].zero) x->left |= 1u << TAUT_TOUCH_UP;
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
        if (x->normal && taut_touching_is_held(t, row)) /* it is watched, and has no force */
            y->may &= 1u << TAUT_TOUCH_OPEN;
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
                          int count, const taut_touch *touch, bool several, taut_errors *errors) {
    const taut_model_contact *c = &model_of(s)->contact[t->which[at[0]]];
    for (int k = 0; k < count && !several; k++)
        if (touch[k].normal && touch[k].free[0] < -touch[k].noise[0] &&
            taut_touching_is_held(t, TAUT_TOUCH_ROWS * at[k]))
            return taut_touching_driven(s, t, at[k], errors);
    return taut_fail_at(
        errors, TAUT_ERR_NUMERICS, c->place,
        several ? "at t = %.10g several motions are possible (contact '%s'): friction is so large "
                  "that forces and accelerations do not determine what follows (Painleve's paradox)"
                : "at t = %.10g no motion is possible (contact '%s'): friction jams it, forces and "
                  "accelerations have no solution (Painleve's paradox)",
        s->happen->time, c->element);
}

/* Rigid bodies do not tell how contacts share what they hold together, and friction differs. */
static taut_status refuse_adrift(const taut_simulation *s, const taut_touching *t, const int *at,
                                 int count, const taut_touch_answer *x, taut_errors *errors) {
    int k = 0;
    while (k < count - 1 && x->mode[k] != TAUT_TOUCH_IDLE) k++;
    const taut_model_contact *c = &model_of(s)->contact[t->which[at[k]]];
    return taut_fail_at(
        errors, TAUT_ERR_NUMERICS, c->place,
        "at t = %.10g the other contacts hold '%s' as well, and rigid bodies do not tell how they "
        "share the load, on which friction and the motion depend: give them the same friction, "
        "leave one out, or make them compliant (Stiffness)",
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
    if (!taut_mode_is_closed(mode)) return count;
    if (x->normal) rows[count++][first] = 1.0;
    for (int k = 1; k < TAUT_TOUCH_ROWS; k++)
        if (taut_contact_has_row(x, k) && taut_mode_is_stuck(mode) && !taut_touch_holds(mode, k))
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
                               const taut_touch *touch, int count) {
    for (int k = 0; k < count; k++) {
        const int i = t->which[at[k]], mode = s->contacts->mode[i];
        taut_contact_course *course = &s->contacts->course[i];
        const bool held = touch[k].normal && !(touch[k].free[0] > touch[k].noise[0]) &&
                          taut_touching_is_held(t, TAUT_TOUCH_ROWS * at[k]);
        const bool closed = held || mode == TAUT_TOUCH_IDLE ||
                            (taut_mode_is_stuck(mode) && mode != TAUT_TOUCH_CLOSED);
        if (!closed || course->told) continue;
        course->told = true;
        TAUT_TRY(taut_notebook_remark(
            &s->notebook,
            held ? "at t = %.6g joints and drivers hold '%s' as well, which has no force of its own"
                 : "at t = %.6g the other contacts hold '%s' as well: the motion is determined, "
                   "but not how they share the forces",
            s->happen->time, model_of(s)->contact[i].element));
    }
    return TAUT_OK;
}

/* Friction and locks on what joints and drivers hold still: what rounding leaves of their responses
 * is none. A lock without a capacity would be a condition too many. */
static taut_status clear_held(const taut_simulation *s, const taut_touching *t, const int *at,
                              int count, taut_touch *touch, double *W, taut_errors *errors) {
    for (int k = 0; k < count; k++) {
        const int row = TAUT_TOUCH_ROWS * at[k] + 1, own = TAUT_TOUCH_ROWS * k + 1;
        const taut_model_contact *c = &model_of(s)->contact[t->which[at[k]]];
        if (touch[k].normal || !touch[k].rough || touch[k].ways > 1 || c->breaks) continue;
        if (touch[k].may == 1u << TAUT_TOUCH_OPEN || fabs(t->rate[row]) > t->noise[row]) continue;
        if (fabs(touch[k].free[1]) > touch[k].noise[1] || !taut_touching_is_held(t, row)) continue;
        if (isinf(touch[k].stick))
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, c->place,
                                "at t = %.10g joints and drivers hold still what '%s' holds: leave "
                                "it out, or let them go",
                                s->happen->time, c->element);
        touch[k].free[1] = 0.0;
        for (int a = 0; a < TAUT_TOUCH_ROWS * count; a++)
            W[own * TAUT_TOUCH_ROWS * count + a] = W[a * TAUT_TOUCH_ROWS * count + own] = 0.0;
    }
    return TAUT_OK;
}

/* The modes of all contacts into c->mode. */
taut_status taut_modes_choose(taut_simulation *s, taut_touching *t, taut_errors *errors) {
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
    TAUT_TRY(clear_held(s, t, at, count, touch, W, errors));
    if (!taut_touch_is_possible(touch, count)) return taut_touching_too_many(s, t, count, errors);
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
    for (int k = 0; k < list.count && status == TAUT_OK; k++)
        if ((several || k == first) && list.item[k].adrift)
            status = refuse_adrift(s, t, at, count, &list.item[k], errors);
    if (status == TAUT_OK && (first < 0 || several))
        status = jammed(s, t, at, count, touch, several, errors);
    if (status == TAUT_OK) {
        for (int k = 0; k < count; k++) adopt(s, t->which[at[k]], &touch[k], &list.item[first], k);
        keep_answer(t, at, touch, count, &list.item[first]);
        choose_lines(s, t);
        status = tell_shared(s, t, at, touch, count);
        if (status == TAUT_OK) status = taut_touching_tell_sought(s, count, &list);
    }
    taut_touch_release(&list);
    return status;
}
