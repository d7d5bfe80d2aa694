/* Where both runs took the same steps they would be wrong together; so everything that may differ
 * without making the second run worse does differ. */
#include "task/second.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1001, EVEN = 64, EARLY = 24, FEW = 16, MOST_ORDER = 58 };
static const double TIGHTER[] = {1e-2, 0.1}; /* tolerance of a further run, by attempt */
static const double TIGHTEST = 1e-15;        /* ... but not below */
static const double ASIDE = 1.0 / 211.0;     /* of the span: how far lookouts are beside rows */

/* ---- times ---- */

typedef struct lookout {
    double way; /* from t0, in the direction of the run */
    double time;
    long row;
    bool beside;
} lookout;

/* In the order of the run; of equal times the one with a row comes first. */
static int compare_lookouts(const void *a, const void *b) {
    const lookout *x = a, *y = b;
    if (x->way != y->way) return x->way < y->way ? -1 : 1;
    if (x->row >= 0 && y->row >= 0) return x->row < y->row ? -1 : x->row > y->row;
    return (x->row < 0) - (y->row < 0);
}

/* Rows to compare: all, or so many that a long table does not cost another one. */
static int add_rows(const taut_result *r, lookout *to) {
    const long stride = (r->rows + MOST_ROWS - 1) / MOST_ROWS;
    int count = 0;
    for (long i = r->rows - 1; i >= 0; i -= stride) /* with the last one */
        to[count++] = (lookout){.time = r->value[i * r->columns], .row = i};
    return count;
}

/* Times all over the run, dense where it begins: there nothing has grown yet. */
static int add_grid(double t0, double span, lookout *to) {
    int count = 0;
    for (int i = 0; i <= EVEN; i++)
        to[count++] = (lookout){.time = t0 + span * (double)i / EVEN, .row = -1};
    for (int i = 1; i <= EARLY; i++)
        to[count++] = (lookout){.time = t0 + ldexp(span, -6 - i), .row = -1};
    return count;
}

static int add_neighbours(const lookout *rows, int count, double span, lookout *to) {
    int added = 0;
    for (int i = 0; i < count && count <= FEW; i++)
        for (int side = -1; side <= 1; side += 2)
            to[added++] =
                (lookout){.time = rows[i].time + side * ASIDE * span, .row = -1, .beside = true};
    return added;
}

taut_status taut_lookouts_choose(const taut_result *r, taut_arena *arena, taut_lookouts *x) {
    const double t0 = r->stats.t0, span = r->stats.reached - t0;
    lookout *all = TAUT_NEW_ARRAY(arena, MOST_ROWS + EVEN + EARLY + 2 * FEW + 2, lookout);
    int count = all ? add_rows(r, all) : 0;
    const int rows = count;
    if (all && span != 0.0) {
        count += add_neighbours(all, rows, span, all + count);
        count += add_grid(t0, span, all + count);
    }
    *x = (taut_lookouts){.time = TAUT_NEW_ARRAY(arena, count + 1, double),
                         .row = TAUT_NEW_ARRAY(arena, count + 1, long),
                         .beside = TAUT_NEW_ARRAY(arena, count + 1, bool)};
    if (!all || !x->time || !x->row || !x->beside) return TAUT_ERR_MEMORY;
    const double sign = span < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < count; i++) all[i].way = sign * (all[i].time - t0);
    qsort(all, (size_t)count, sizeof *all, compare_lookouts);
    for (int i = 0; i < count; i++) {
        const bool outside = all[i].way < 0.0 || all[i].way > fabs(span);
        if (all[i].row < 0 && (outside || (x->count > 0 && all[i].time == x->time[x->count - 1])))
            continue;
        /* of the rows before and behind an event the last one counts, as it does for further runs
         */
        if (x->count > 0 && all[i].time == x->time[x->count - 1]) x->count--;
        x->time[x->count] = all[i].time;
        x->row[x->count] = all[i].row;
        x->beside[x->count++] = all[i].beside;
    }
    return TAUT_OK;
}

/* ---- options ---- */

/* The longest step of a further run, which keeps it from passing what the first one has passed: a
 * part of the span that no first run has as its own, or of the cap that was asked for. */
static void set_cap(taut_run_options *o, double span) {
    const double part = fabs(span) / 97.0;
    if (o->step > 0.0 || part == 0.0) return;
    o->max_step = o->max_step > 0.0 ? fmin(0.61 * o->max_step, part) : part;
}

/* A tolerance can be tightened no further than rounding allows. There another order makes the runs
 * differ, where the method has a choice. */
taut_run_options taut_second_options(const taut_result *r, const taut_run_options *first,
                                     const taut_lookouts *lookouts, int attempt) {
    taut_run_options o = *first;
    const double tighter = TIGHTER[attempt > 0];
    o.rtol = fmax(tighter * first->rtol, fmin(TIGHTEST, first->rtol));
    o.atol = fmax(tighter * first->atol, fmin(TIGHTEST, first->atol));
    const bool alike = o.rtol + o.atol > 0.1 * (first->rtol + first->atol);
    if (alike && strcmp(r->stats.solver, "taylor") == 0 && r->stats.order < MOST_ORDER)
        o.order = r->stats.order + 2;
    o.step = 0.5 * first->step;
    set_cap(&o, r->stats.reached - r->stats.t0);
    o.has_tend = true;
    o.tend = r->stats.reached;
    o.at = lookouts->time;
    o.ats = lookouts->count;
    o.every = 0.0;
    o.last = NULL; /* that of the first run counts */
    return o;
}
