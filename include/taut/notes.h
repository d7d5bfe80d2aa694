/* What a run has decided by itself, as lists. The same in words: taut_result_moves and others. */
#ifndef TAUT_NOTES_H
#define TAUT_NOTES_H

#include <stdbool.h>

#include "taut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An initial value that had to change. */
typedef struct taut_moved {
    const char *name; /* "u'" */
    double from, to;
} taut_moved;

/* A value by which a position differs from others. */
typedef struct taut_mark_value {
    const char *name; /* "Ax", "phi" */
    bool relative;    /* value is the distance from the guess */
    double value;
} taut_mark_value;

/* Positions in which the parts fit together near the initial ones. */
typedef struct taut_fit {
    double distance; /* from the initial positions, relative to the size of the model */
    bool taken;      /* the run starts from it */
    int values;
    const taut_mark_value *value; /* [values] */
} taut_fit;

/* A redundant constraint that the run leaves out. */
typedef struct taut_left_out {
    const char *name;
    int line; /* of the model file; 0: none */
} taut_left_out;

/* A change of method by the solver "auto". */
typedef struct taut_switched {
    double t;
    const char *why;    /* "stiff", ... */
    const char *solver; /* the one that went on */
} taut_switched;

/* What happened on the way: one of the model's Events, or a function of one that only touched zero.
 */
typedef struct taut_happened {
    double t;
    const char *name; /* of the event */
    const char *kind; /* "event", "touch"; of contacts "impact", "close", "open", "stick", ... */
    double impulse;   /* of an impact; otherwise 0 */
    const double *derivative; /* [sensitivities] of t; NULL: there are none, or it was not found */
} taut_happened;

/* All of them; a list without entries is NULL. */
typedef struct taut_notes {
    int moves, fits, left_out, switches, events;
    const taut_moved *move;          /* [moves] */
    const taut_fit *fit;             /* [fits] nearest first; as taut_result_assemblies */
    const taut_left_out *constraint; /* [left_out] */
    const taut_switched *change;     /* [switches] in the order of time */
    const taut_happened *event;      /* [events] likewise, along the run */
    int remarks;
    const char *const *remark; /* [remarks] what one should know of contacts: sentences */
    const char *impact; /* the law of impacts, "newton" or "poisson"; NULL: nothing touches */
    int sensitivities;  /* the names of options.sensitivity; 0: none, or no event */
    const char *const *sensitivity; /* [sensitivities] */
} taut_notes;

#ifdef __cplusplus
}
#endif

#endif
