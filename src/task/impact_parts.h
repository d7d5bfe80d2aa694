/* An impact while it is solved, and how it varies. */
#ifndef TAUT_TASK_IMPACT_PARTS_H
#define TAUT_TASK_IMPACT_PARTS_H

#include "task/resolve.h"

typedef struct taut_impact {
    int count;                  /* contacts that take part: */
    int at[TAUT_TOUCH_MOST];    /* where they are among those that touch, ... */
    bool ends[TAUT_TOUCH_MOST]; /* ... and whether their bounces are over */
    double restitution[TAUT_TOUCH_MOST];
    taut_touch touch[TAUT_TOUCH_MOST];
    double W[TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST * TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST];
    double by[3 * TAUT_TOUCH_MOST * TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST];
    taut_touch_answers answers;
} taut_impact;

/* Impulse a of those that take part, among all rows of what touches. */
static inline size_t taut_impact_row(const taut_impact *x, int a) {
    return TAUT_TOUCH_ROWS * (size_t)x->at[a / TAUT_TOUCH_ROWS] + (size_t)(a % TAUT_TOUCH_ROWS);
}

/* Before velocities change: how the solution varies, with its decisions held, in all directions of
 * the run's sensitivities. */
taut_status taut_impact_vary(taut_simulation *simulation, const taut_touching *touching,
                             const taut_impact *impact);

#endif
