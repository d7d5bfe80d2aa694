/* What an impact consists of. Private to task/impact.c, impact_vary.c and momenta.c. */
#ifndef TAUT_TASK_IMPACT_PARTS_H
#define TAUT_TASK_IMPACT_PARTS_H

#include "task/resolve.h"

/* Contacts that take part in an impact, and what it comes to. */
typedef struct taut_impact {
    int count;                  /* contacts that take part: */
    int at[TAUT_TOUCH_MOST];    /* where they are among those that touch, ... */
    bool ends[TAUT_TOUCH_MOST]; /* ... and whether their bounces are over */
    double restitution[TAUT_TOUCH_MOST];
    taut_touch touch[TAUT_TOUCH_MOST];
    double *W;  /* [ROWS count][ROWS count] responses, ... */
    double *by; /* [3 count][ROWS count] ... and those of loads */
    taut_touch_answers answers;
} taut_impact;

/* Impulse a of those that take part, among all rows of what touches. */
static inline size_t taut_impact_row(const taut_impact *x, int a) {
    return TAUT_TOUCH_ROWS * (size_t)x->at[a / TAUT_TOUCH_ROWS] + (size_t)(a % TAUT_TOUCH_ROWS);
}

/* Row i of the masses times y. */
double taut_impact_weigh(const taut_touching *t, const double *y, int i);
/* Adds what the impulses do to the velocities, and to the work; returns what the law of impact
 * brings. jump[n]: work space. */
double taut_impact_strike(taut_simulation *s, const taut_touching *t, const taut_impact *x,
                          double *jump);
/* One solution, or several with the same rates. */
static inline bool taut_impact_is_determined(const taut_touch_answers *a) {
    return a->count > 0 && (a->count == 1 || a->item[1].weak);
}
taut_status taut_impact_undecided(const taut_simulation *s, const taut_touching *t,
                                  const taut_impact *x, taut_errors *errors);

/* ---- impact_vary: derivatives ---- */

/* Before velocities change: how the solution varies, with its decisions held, in all directions of
 * the run's sensitivities, if there are any. */
taut_status taut_impact_vary(taut_simulation *simulation, const taut_touching *touching,
                             const taut_impact *impact, taut_errors *errors);

/* ---- momenta: masses that depend on velocities ---- */

/* Do they, as the equations are formed? */
bool taut_impact_has_curved_masses(const taut_simulation *simulation);
/* Velocities behind the impact instead of taut_impact_strike, from an answer found with the masses
 * before it; *work: what the energy grows by. */
taut_status taut_impact_leap(taut_simulation *simulation, taut_touching *touching,
                             taut_impact *impact, double *work, taut_errors *errors);

#endif
