/* What joints transmit in an impact: reactions are linear in accelerations and forces, so those of
 * velocities that jump under impulses are the difference of two of them (docs/math/loads.md,
 * section 4). Listed with the impact if reactions are asked for. */
#include <math.h>
#include <string.h>

#include "task/resolve.h"

/* Is this a component of a force (F) or torque (T) of a joint? Its name ends before the dot. */
static bool is_component(const char *name, char kind, size_t *length) {
    const char *dot = strrchr(name, '.');
    if (!dot || dot[1] != kind || dot[2] == '\0') return false;
    *length = (size_t)(dot - name);
    return true;
}

/* The length of the vector whose components are the columns with this name; -1: there are none. */
static double length_of(const taut_reactions *r, const double *column, const char *name, size_t n,
                        char kind) {
    double sum = -1.0;
    size_t length;
    for (int i = 0; i < r->columns; i++)
        if (is_component(r->column[i].name, kind, &length) && length == n &&
            strncmp(r->column[i].name, name, n) == 0)
            sum = hypot(fmax(sum, 0.0), column[i]);
    return sum;
}

/* Every joint once: at the first column that is its own. */
static bool is_first(const taut_reactions *r, int i, size_t n) {
    size_t length;
    for (int k = 0; k < i; k++)
        for (int kind = 0; kind < 2; kind++)
            if (is_component(r->column[k].name, "FT"[kind], &length) && length == n &&
                strncmp(r->column[k].name, r->column[i].name, n) == 0)
                return false;
    return true;
}

/* One row an instant. */
static taut_status add(taut_simulation *s, const char *name, double impulse) {
    taut_notebook *b = &s->notebook;
    const double t = s->happen->time;
    for (int i = b->notes.events - 1; i >= 0 && b->event[i].t >= t; i--)
        if (b->event[i].t == t && strcmp(b->event[i].name, name) == 0) {
            b->event[i].impulse += impulse;
            return TAUT_OK;
        }
    TAUT_TRY(taut_notebook_event(b, t, name, "impact"));
    b->event[b->notes.events - 1].impulse = impulse;
    return TAUT_OK;
}

static taut_status list(taut_simulation *s, const taut_reactions *r, const double *column) {
    char name[2 * TAUT_NAME_MAX];
    size_t n;
    for (int i = 0; i < r->columns; i++) {
        const char *text = r->column[i].name;
        if (!is_component(text, 'F', &n) && !is_component(text, 'T', &n)) continue;
        if (r->column[i].transfer < 0 || n >= sizeof name || !is_first(r, i, n)) continue;
        if (r->transfer[r->column[i].transfer].by != TAUT_BY_JOINT) continue;
        memcpy(name, text, n);
        name[n] = '\0';
        const double force = length_of(r, column, text, n, 'F');
        const double impulse = force >= 0.0 ? force : length_of(r, column, text, n, 'T');
        TAUT_TRY(add(s, name, impulse));
    }
    return TAUT_OK;
}

taut_status taut_contacts_list_joints(taut_simulation *s, taut_touching *t, const double *jump,
                                      const double *impulse) {
    const taut_problem *p = s->prepared->problem;
    const taut_reactions *r = p->reactions;
    if (!s->options.reactions || !r || s->happen->time == s->t0) return TAUT_OK;
    taut_blow blow = {.state = s->happen->state, .jump = jump};
    double *column = TAUT_NEW_ARRAY(&t->arena, r->columns, double);
    double *force = TAUT_NEW_ARRAY(&t->arena, p->system.n, double);
    if (!column || !force) return TAUT_ERR_MEMORY;
    for (int a = 0; a < TAUT_TOUCH_ROWS * t->count; a++) {
        const int row = p->contact[t->which[a / TAUT_TOUCH_ROWS]].row[a % TAUT_TOUCH_ROWS];
        if (row >= 0) force[row] = impulse[a];
    }
    blow.force = force;
    TAUT_TRY(taut_observer_blow(s->observer, &blow, &t->arena, column));
    return list(s, r, column);
}
