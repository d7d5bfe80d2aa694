/* How the steps of a run went, one by one, thinned to what a screen can show; and what happened on
 * the way. */
#ifndef TAUT_TASK_TRACE_H
#define TAUT_TASK_TRACE_H

#include "core/arena.h"
#include "core/status.h"

enum { TAUT_TRACE_MOST = 2000 };

typedef struct taut_traced_step {
    double t, h; /* its end, and its length with a sign */
    int order;
    double residual; /* largest |C_i| at its end */
} taut_traced_step;

/* Something worth a mark at the axis of time. */
typedef enum taut_mark_kind {
    TAUT_MARK_SINGULAR,
    TAUT_MARK_SWITCH,
    TAUT_MARK_CONSTRAINTS
} taut_mark_kind;

typedef struct taut_mark {
    double t;
    taut_mark_kind kind;
    char text[120];
} taut_mark;

/* {0} is empty. */
typedef struct taut_trace {
    taut_traced_step *step; /* [steps] in order of time */
    int steps;
    size_t step_room;
    taut_mark *mark; /* [marks] in order of time */
    int marks;
    size_t mark_room;
} taut_trace;

/* Keeps a step. When there are too many, every four become two: the shortest one and the one with
 * the largest residual. */
taut_status taut_trace_step(taut_trace *trace, taut_traced_step step);
/* Keeps a mark, unless there are already so many that they would hide each other. */
__attribute__((format(printf, 4, 5))) taut_status
taut_trace_mark(taut_trace *trace, double t, taut_mark_kind kind, const char *format, ...);
void taut_trace_release(taut_trace *trace);

#endif
