/* Elements that touch or rub, at one instant: which of them transmit forces (or impulses), and
 * which ones (docs/math/contact.md). Each has a normal force N >= 0 and a tangential one T, and the
 * rates that belong to them depend on the forces linearly,
 *
 *   rate = free + W force,
 *
 * accelerations on forces, velocities behind an impact on impulses. Every combination of modes is a
 * linear system; all that obey the inequalities are found. */
#ifndef TAUT_SOLVE_TOUCH_H
#define TAUT_SOLVE_TOUCH_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

/* Modes of an element, as numbers that results show. */
typedef enum taut_touch_mode {
    TAUT_TOUCH_OPEN,   /* no force; of friction without a gap: switched off */
    TAUT_TOUCH_CLOSED, /* the gap stays 0; with friction: it sticks */
    TAUT_TOUCH_UP,     /* closed, slides with a positive rate ... */
    TAUT_TOUCH_DOWN,   /* ... and with a negative one */
    TAUT_TOUCH_IDLE,   /* the gap stays 0 because others hold it: no force of its own */
    TAUT_TOUCH_HELD, /* closed; it sticks because others hold it: no tangential force of its own */
    TAUT_TOUCH_MODES
} taut_touch_mode;

enum { TAUT_TOUCH_MOST = 8 }; /* elements at once: 4^8 combinations */

typedef struct taut_touch {
    bool normal;     /* it has a gap; otherwise `slip` and `stick` are forces */
    bool rough;      /* it has friction */
    double slip[2];  /* coefficient or force while it slides up, down */
    double stick;    /* ... while it sticks */
    unsigned may;    /* bit m: mode m is possible; not IDLE and HELD, which come by themselves */
    bool slides;     /* its tangential rate is not zero: no condition on what changes it */
    double free[2];  /* normal and tangential rate without forces */
    double noise[2]; /* of these */
    /* friction by the load of a joint: its bounds are slip and stick times the length of a vector
     * that depends on the forces, load + by force */
    int loads;          /* components of that; 0: none */
    double load[3];     /* without forces */
    const double *by[3]; /* [loads][2 count] */
    double least;       /* a load below this is none: the element is open */
} taut_touch;

/* One solution. */
typedef struct taut_touch_answer {
    int mode[TAUT_TOUCH_MOST];
    double force[2 * TAUT_TOUCH_MOST]; /* N, T of each element */
    double rate[2 * TAUT_TOUCH_MOST];
    bool weak;        /* one of its inequalities is an equation: what follows decides */
    unsigned weak_at; /* bit i: of element i */
    unsigned still;   /* bit i: element i is said to slide, but the others hold it */
} taut_touch_answer;

typedef struct taut_touch_answers {
    taut_touch_answer *item; /* [count] strict ones first */
    int count;
    size_t room;
} taut_touch_answers;

/* All solutions for count <= TAUT_TOUCH_MOST elements; W is [2 count][2 count] by rows. Answers
 * with the same rates are one: the motion is the same, and only the forces are not determined. */
/* The load of an element under these forces. */
double taut_touch_load(const taut_touch *touch, int count, const double *force, double *gradient);
taut_status taut_touch_solve(const taut_touch *touch, int count, const double *W,
                             taut_touch_answers *list);
void taut_touch_release(taut_touch_answers *list);
#endif
