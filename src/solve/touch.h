/* Elements that touch or rub, at one instant: which of them transmit forces (or impulses), and
 * which ones (docs/math/contact.md). Each has a normal force N and tangential ones T (in space T1
 * and T2, of a ball joint T3 as well), and the rates that belong to them depend on the forces
 * linearly,
 *
 *   rate = free + W force,
 *
 * accelerations on forces, velocities behind an impact on impulses. Every combination of modes is a
 * linear system, in space with directions of slip that Newton's method finds from several starts;
 * all that obey the inequalities are found. */
#ifndef TAUT_SOLVE_TOUCH_H
#define TAUT_SOLVE_TOUCH_H

#include <math.h>
#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

/* Modes of an element, as numbers that results show. */
typedef enum taut_touch_mode {
    TAUT_TOUCH_OPEN,   /* no force; of friction without a gap: switched off */
    TAUT_TOUCH_CLOSED, /* the gap stays 0; with friction: it sticks */
    TAUT_TOUCH_UP,     /* closed, slides with a positive rate, in space in any direction ... */
    TAUT_TOUCH_DOWN,   /* ... and with a negative one */
    TAUT_TOUCH_IDLE,   /* the gap stays 0 because others hold it: no force of its own */
    TAUT_TOUCH_START,  /* in space: it sets off from rest, friction has a known direction ... */
    TAUT_TOUCH_LINE,   /* ... or, where accelerations vanish, it moves along a line */
    TAUT_TOUCH_HELD,   /* plus bits, k - 1 of direction k: closed; it sticks there because others
                          hold it: T is a part of N, or given */
    TAUT_TOUCH_MODES = TAUT_TOUCH_HELD + 8
} taut_touch_mode;

enum { TAUT_TOUCH_MOST = 32 };                  /* elements at once, ... */
enum { TAUT_TOUCH_ENUMERATED = 8 };             /* ... of which all 4^8 combinations are tried */
enum { TAUT_TOUCH_WAYS = 3 };                   /* directions of friction */
enum { TAUT_TOUCH_ROWS = 1 + TAUT_TOUCH_WAYS }; /* of an element: N, T1, T2, T3 */

/* Is direction k (1, 2, 3) of an element in this mode held by others? */
static inline bool taut_touch_holds(int mode, int k) {
    return mode > TAUT_TOUCH_HELD && ((mode - TAUT_TOUCH_HELD) >> (k - 1) & 1);
}

/* The mode in which others hold all directions. */
static inline int taut_touch_held_wholly(int ways) { return TAUT_TOUCH_HELD + (1 << ways) - 1; }

/* The length of what has a component for each direction. */
static inline double taut_touch_length(int ways, const double *v) {
    return ways < 3 ? hypot(v[0], v[1]) : hypot(hypot(v[0], v[1]), v[2]);
}

/* Unit vectors at right angles to a direction and to each other, ways - 1 of them. */
void taut_touch_across(int ways, const double *way, double across[][TAUT_TOUCH_WAYS]);

typedef struct taut_touch {
    bool normal;    /* it has a gap; otherwise `slip` and `stick` are forces */
    bool rough;     /* it has friction, ... */
    int ways;       /* ... in so many directions: 1 in the plane, 2 or 3 in space */
    double slip[2]; /* coefficient or force while it slides up, down */
    double stick;   /* ... while it sticks */
    double back;    /* N is not smaller */
    unsigned may;   /* bit m: mode m is possible; OPEN to DOWN, the others come by themselves */
    bool slides;    /* its tangential rate is not zero: no condition on what changes it, ... */
    double direction[TAUT_TOUCH_WAYS]; /* ... and in space this is its direction */
    double free[TAUT_TOUCH_ROWS];      /* normal and tangential rates without forces */
    double noise[TAUT_TOUCH_ROWS];     /* of these */
    /* friction by the load of a joint: its bounds are slip and stick times the length of a vector
     * that depends on the forces, load + by force */
    int loads;           /* components of that; 0: none */
    double load[3];      /* without forces */
    const double *by[3]; /* [loads][ROWS count] */
    double least;        /* a load below this is none: the element is open */
} taut_touch;

/* One solution. */
typedef struct taut_touch_answer {
    int mode[TAUT_TOUCH_MOST];
    double force[TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST]; /* N, T1, ... of each element */
    double rate[TAUT_TOUCH_ROWS * TAUT_TOUCH_MOST];
    double direction[TAUT_TOUCH_MOST][TAUT_TOUCH_WAYS]; /* in space: of slip */
    double share[TAUT_TOUCH_MOST]
                [TAUT_TOUCH_WAYS]; /* HELD: T over N, or T where there is a level */
    bool weak;        /* one of its inequalities is an equation: what follows decides */
    unsigned weak_at; /* bit i: of element i */
    unsigned still;   /* bit i: element i is said to slide, but the others hold it */
    bool adrift; /* how they share the forces is not determined, and the motion depends on it */
} taut_touch_answer;

typedef struct taut_touch_answers {
    taut_touch_answer *item; /* [count] strict ones first */
    int count;
    size_t room;
    bool sought; /* by pivoting: other solutions are not excluded */
} taut_touch_answers;

/* The load of an element under these forces, [ROWS count], and its gradient; NULL: not wanted. */
double taut_touch_load(const taut_touch *touch, int count, const double *force, double *gradient);
/* All solutions for count <= TAUT_TOUCH_ENUMERATED elements; W is [ROWS count][ROWS count] by rows.
 * Answers with the same rates are one: the motion is the same, and only the forces are not
 * determined. Of more elements, up to TAUT_TOUCH_MOST, one solution by pivoting, which without
 * friction has the rates of all. */
taut_status taut_touch_solve(const taut_touch *touch, int count, const double *W,
                             taut_touch_answers *list);
/* Can so many elements be solved? With friction in space, or by loads, only by enumeration. */
bool taut_touch_is_possible(const taut_touch *touch, int count);
/* Adds an answer that was found otherwise, unless there is one with its rates. */
taut_status taut_touch_add(const taut_touch *touch, int count, const double *W,
                           const taut_touch_answer *answer, taut_touch_answers *list);
void taut_touch_release(taut_touch_answers *list);
#endif
