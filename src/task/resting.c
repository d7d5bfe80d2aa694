/* Slips in space that come to rest: their rates turn ever faster while they vanish, so that no root
 * tells it (docs/math/contact.md, section 8). */
#include <float.h>
#include <math.h>

#include "core/dense.h"
#include "task/resolve.h"

static const double SLOWEST = 1e-2; /* a slip ends at this part of the tolerance, ... */
/* ... or, by methods that factor the derivatives of friction by rates, which grow like 1/|rate|, at
 * this part of the fastest: beyond it the matrix is singular */
static const double SINGULAR = 1e-7;
static const double BRIEF = 64.0 * DBL_EPSILON; /* ... or where it is rounding, of this part */

static const double MOST_TAKEN = 100.0; /* impulse, beside what the rates take by themselves */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

/* The speed at which a slip is over: beside the fastest, or because forces that cancel are rounded.
 */
static double slowest(const taut_simulation *s, const taut_contact_course *x, double t) {
    const double tol =
        fmax(SLOWEST * fmax(s->options.rtol, s->options.atol), s->method->stiff ? SINGULAR : 0.0);
    return fmax(tol * x->fastest, BRIEF * fabs(t) * x->pull);
}

double taut_contacts_speed_at_rest(const taut_simulation *s, const taut_touching *t, int k) {
    const int i = t->which[k], row = TAUT_TOUCH_ROWS * k + 1;
    const taut_contact_course *x = &s->contacts->course[i];
    const double noise = taut_touch_length(TAUT_TOUCH_WAYS, t->noise + row);
    if (s->prepared->problem->contact[i].ways < 2 || x->mode != TAUT_TOUCH_UP) return noise;
    return x->rests ? (double)INFINITY : fmax(noise, slowest(s, x, s->happen->time));
}

int taut_contacts_at_rest(taut_simulation *s, double theta) {
    taut_contacts *c = s->contacts;
    const int first = taut_contacts_first_guard(model_of(s));
    const taut_watched *w = s->happen->watched;
    for (int i = 0; c && i < c->count; i++) {
        taut_contact_course *x = &c->course[i];
        if (x->mode != TAUT_TOUCH_UP || s->prepared->problem->contact[i].ways < 2) continue;
        const int guard = first + TAUT_GUARDS * i + 2;
        const taut_course *square = &w->course[guard];
        const double speed = sqrt(fabs(taut_course_value(square, 0, theta)));
        x->fastest = fmax(x->fastest, fmax(speed, sqrt(fabs(taut_course_value(square, 0, 0.0)))));
        x->rests = speed <= slowest(s, x, w->begin + theta * (w->end - w->begin));
        if (x->rests) return guard - 1;
    }
    return -1;
}

bool taut_contacts_has_rested(const taut_simulation *s, int function) {
    const int guard = function - taut_contacts_first_guard(model_of(s));
    return s->contacts && guard >= 0 && s->contacts->course[guard / TAUT_GUARDS].rests;
}

/* Rows of what touches whose rates are to be zero: of gaps that are closed, of what sticks, and of
 * what has come to rest; rests: is there such a one? */
static int collect(const taut_simulation *s, const taut_touching *t, int *row, bool *rests) {
    int count = 0;
    for (int k = 0; k < t->count; k++) {
        const taut_formed_contact *x = &s->prepared->problem->contact[t->which[k]];
        const int mode = s->contacts->course[t->which[k]].mode, at = TAUT_TOUCH_ROWS * k;
        if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE) continue;
        const bool stops = mode == TAUT_TOUCH_UP && x->ways > 1 &&
                           taut_touch_length(TAUT_TOUCH_WAYS, t->rate + at + 1) <=
                               taut_contacts_speed_at_rest(s, t, k);
        const bool sticks = mode == TAUT_TOUCH_CLOSED || mode > TAUT_TOUCH_HELD;
        if (x->normal) row[count++] = at;
        for (int d = 1; d <= x->ways && (stops || sticks); d++)
            if (!taut_touch_holds(mode, d)) row[count++] = at + d;
        *rests = *rests || stops;
    }
    return count;
}

/* Near a dead point a rate that is rounding would take large impulses: it is left then. */
static bool is_gentle(const taut_touching *t, const int *row, int n, const double *impulse) {
    const int size = TAUT_TOUCH_ROWS * t->count;
    double taken = 0.0, least = 0.0;
    for (int i = 0; i < n; i++) {
        const double reach = sqrt(fabs(t->W[row[i] * (size + 1)]));
        taken = fmax(taken, fabs(impulse[i]) * reach);
        if (reach > 0.0) least = fmax(least, fabs(t->rate[row[i]]) / reach);
    }
    return taken <= MOST_TAKEN * least;
}

taut_status taut_contacts_halt(taut_simulation *s, taut_touching *t, taut_errors *errors) {
    enum { WIDTH = TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST };
    const taut_problem *p = s->prepared->problem;
    double a[WIDTH * WIDTH], impulse[WIDTH];
    int row[WIDTH], pivot[WIDTH];
    bool rests = false;
    const int n = collect(s, t, row, &rests), size = TAUT_TOUCH_ROWS * t->count;
    if (!rests) return TAUT_OK;
    for (int i = 0; i < n; i++) {
        impulse[i] = -t->rate[row[i]];
        for (int j = 0; j < n; j++) a[j * n + i] = t->W[row[i] * size + row[j]];
    }
    const taut_status status = taut_dense_solve(n, 1, a, impulse, pivot);
    if (status == TAUT_SINGULAR) return TAUT_OK; /* they hold each other: nothing is left */
    TAUT_TRY(status);
    if (!is_gentle(t, row, n, impulse)) return TAUT_OK;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p->coordinates + p->angles; j++)
            *taut_state_at(s->happen->state, j, 1) +=
                impulse[i] * t->response[(size_t)row[i] * (size_t)t->n + (size_t)j];
    return taut_touching_again(s, t, errors);
}
