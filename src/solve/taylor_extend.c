/* The series at the point where a Taylor step has landed, and how many of its solutions are
 * refined. */
#include <math.h>

#include "solve/taylor_parts.h"

enum { ATTEMPTS = 40 };
#define SMALLER 0x1p-7
/* Below so many unknowns a refinement costs little, and steppers side by side do it by the estimate
 * of the condition alone (solve/sheaf). */
enum { LARGE = 300 };
/* Of the error that a step may have: what changes a state by less is not worth a refinement. */
static const double IDLE = 1e-2;
/* A condition this much worse than the best one of the run tells of a singular position. */
static const double NEAR = 0.1;
static const double SCALE_LEAST = 1e-5; /* a first step that is shorter beside its scale is none */

/* The state as the interpreter finds it, where compiled code has been found wrong. */
static void take_over(taut_taylor_stepper *p) {
    for (int i = 0; i < p->states; i++) {
        p->hi[i] = taut_series_get(p->series, p->state[i].variable, p->state[i].order);
        p->lo[i] = 0.0;
    }
}

/* By how much the last refinement changes states over a step as long as the last one, in units of
 * what tolerance and scales so far allow. A landing that is repeated finds the same. */
static double gain(const taut_taylor_stepper *p) {
    const int *d = p->structure->offsets.d;
    const double h = fabs(p->put.h);
    double largest = 0.0;
    for (int j = 0; j < p->system->n; j++) {
        const int i = p->first_state[j] + d[j] - 1; /* the highest derivative that is a state */
        if (d[j] == 0 || i >= p->first_state[j + 1]) continue;
        const double moved = fabs(p->series->residual[j]) * h;
        const double allowed = p->options.atol * p->weights.scale[p->weights.cell[i]];
        if (!(moved <= largest * allowed)) largest = moved / allowed;
    }
    return largest;
}

/* Where singular positions are near, high coefficients grow, and so does what is wrong in them. */
static bool is_near_pole(const taut_taylor_stepper *p, double rcond) {
    return p->r != 0.0 || !(rcond > NEAR * p->best_rcond);
}

/* The smallest pivot of a large system, by which the condition is estimated, grows smaller with the
 * number of bodies, be the solutions as good as they may. Stages are refined as long as that
 * changes something. Returns the first stage that is still to be done. */
static int refine_first(taut_taylor_stepper *p) {
    taut_series *s = p->series;
    const double rcond = taut_lu_rcond(s->lu);
    const int most = p->last_stage < TAUT_LAST_REFINED ? p->last_stage : TAUT_LAST_REFINED;
    int done = 0;
    s->last_refined = TAUT_LAST_REFINED;
    if (!(rcond < s->refined_below) || p->system->n < LARGE || p->put.settlings == 0 ||
        p->options.per_unit || s->jet->straight || is_near_pole(p, rcond))
        return 1;
    while (done < most && (done == 0 || !(gain(p) <= IDLE))) {
        done++;
        taut_series_extend(s, done, done);
    }
    s->last_refined = done;
    return done + 1;
}

bool taut_taylor_extend(taut_taylor_stepper *p) {
    const bool doubtful = p->series->miscompiled == NULL;
    p->expanded = true;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        p->series->finite = true;
        taut_series_extend(p->series, refine_first(p), p->last_stage);
        p->series->last_refined = TAUT_LAST_REFINED;
        if (doubtful && p->series->miscompiled) take_over(p);
        if (p->series->finite) return true;
        taut_series_is_finite(p->series, p->last_stage); /* where, in case that nothing helps */
        taut_jet_rescale(p->series->jet, SMALLER, 0);
    }
    return false;
}

/* The first scale is a guess by the span. Where it is so large that coefficients say nothing, since
 * a weight beside them vanishes or overflows, the series is computed anew with smaller ones. */
bool taut_taylor_extend_start(taut_taylor_stepper *p) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!taut_taylor_extend(p)) return false;
        taut_taylor_keep(p);
        if (taut_taylor_allowed_step(p) > SCALE_LEAST * fabs(p->poly_h)) return true;
        taut_jet_rescale(p->series->jet, SMALLER, 0);
    }
    return true;
}
