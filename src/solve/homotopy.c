/* Newton homotopy (docs/math/consistent.md, section 5): the residuals of the guess are taken back
 * little by little, with Gauss-Newton of least change as the corrector and no jumps. */
#include "solve/homotopy.h"

#include <math.h>

enum { MOST_STEPS = 400, MOST_CORRECTIONS = 8 };
static const double FIRST_STEP = 0.125, SMALLEST_STEP = 1e-4;
static const double LONGEST_JUMP =
    0.25;                               /* of an unknown, relative to its size, in one correction */
static const double ON_THE_PATH = 1e-6; /* misfit of an accepted point before the end */

/* The largest entry of the step, relative to sizes. */
static double jump(const taut_stage *g, const double *size) {
    double largest = 0.0;
    for (int q = 0; q < g->columns; q++) largest = fmax(largest, fabs(g->step[q]) / size[q]);
    return largest;
}

/* Undamped Gauss-Newton at the present shift; false if it does not converge without a jump. */
static taut_status correct(taut_stage *g, const double *size, bool *good) {
    int bad;
    double before = HUGE_VAL;
    *good = false;
    for (int i = 0; i < MOST_CORRECTIONS; i++) {
        if (!taut_stage_evaluate(g) || !taut_stage_linearize(g, &bad)) return TAUT_OK;
        const double misfit = taut_stage_misfit(g);
        *good = misfit < ON_THE_PATH;
        if (*good || misfit > 2.0 * before) return TAUT_OK;
        before = misfit;
        TAUT_TRY(taut_stage_step(g));
        if (!(jump(g, size) < LONGEST_JUMP)) return TAUT_OK;
        taut_stage_get(g, g->saved);
        for (int q = 0; q < g->columns; q++) g->saved[q] += g->step[q];
        taut_stage_set(g, g->saved);
    }
    return TAUT_OK;
}

taut_status taut_homotopy_follow(taut_stage *g, const double *size, bool *reached) {
    taut_arena arena = {0};
    double *first = TAUT_NEW_ARRAY(&arena, g->rows, double);
    double *z = TAUT_NEW_ARRAY(&arena, g->columns, double);
    double s = 0.0, step = FIRST_STEP;
    taut_status status = first && z ? TAUT_OK : TAUT_ERR_MEMORY;
    bool good = status == TAUT_OK && taut_stage_evaluate(g);
    *reached = false;
    for (int a = 0; a < g->rows && good; a++) first[a] = g->residual[a];
    for (int k = 0; k < MOST_STEPS && good && s < 1.0 && step > SMALLEST_STEP; k++) {
        const double next = fmin(s + step, 1.0);
        bool accepted = false;
        for (int a = 0; a < g->rows; a++) g->shift[a] = (1.0 - next) * first[a];
        taut_stage_get(g, z);
        status = correct(g, size, &accepted);
        if (status != TAUT_OK) break;
        if (accepted) s = next;
        if (!accepted) taut_stage_set(g, z);
        step *= accepted ? 2.0 : 0.5;
    }
    for (int a = 0; a < g->rows; a++) g->shift[a] = 0.0;
    taut_arena_release(&arena);
    if (status == TAUT_OK && s == 1.0) {
        taut_outcome outcome;
        int bad;
        status = taut_stage_solve(g, &outcome, &bad);
        *reached = outcome == TAUT_MET;
    }
    return status;
}
