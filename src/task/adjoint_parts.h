/* What adjoints keep of a run. Private to task/adjoint.c, adjoint_record.c and adjoint_event.c. */
#ifndef TAUT_TASK_ADJOINT_PARTS_H
#define TAUT_TASK_ADJOINT_PARTS_H

#include "task/adjoint.h"

enum {
    TAUT_ADJOINT_BESIDE = TAUT_REVERSE_LANES / 2
}; /* numbers at a time; other lanes have the
       tails of these */

/* One set of equations: what steps and states look like, and the engines while others are in use.
 * Contacts that open and close come back to the same ones. */
typedef struct taut_adjoint_form {
    struct taut_adjoint_form *next;
    unsigned long serial; /* of the equations */
    const taut_prepared *prepared;
    taut_state *layout; /* x_j^(k), k < d_j, are in these places of adjoints */
    int *place;         /* [n + 1] coefficient k of x_j is number place[j] + k of a step */
    int n, values, stages;
    taut_forward *motion;
    taut_reverse *back;
    taut_series *series;
} taut_adjoint_form;

/* Steps with the same equations and the same numbers, between events. */
typedef struct taut_adjoint_leg {
    taut_adjoint_form *form;
    double *number; /* [numbers] */
    long first;     /* step */
} taut_adjoint_leg;

/* A step: from the point of its expansion to its end. */
typedef struct taut_adjoint_record_step {
    double t, h, end;
    size_t c; /* where its coefficients begin */
} taut_adjoint_record_step;

/* An event: a linear map from the state and the numbers before it to those behind it. */
typedef struct taut_adjoint_event {
    long step;             /* that follows */
    int first_note, notes; /* in the list of events */
    int probes, size;      /* columns: what varies before; numbers in each: all that is behind */
    int *place;            /* [probes] of the adjoints before */
    double *column;        /* [probes * size] */
    double *shift;         /* [probes] by which its time varies */
} taut_adjoint_event;

struct taut_adjoint {
    taut_arena arena; /* forms */
    taut_arena run;   /* legs and events of the run at hand */
    taut_adjoint_form *form;
    taut_adjoint_leg *leg; /* [legs] heap, as the next ones */
    int legs;
    taut_adjoint_event *event; /* [events] */
    int events;
    taut_adjoint_record_step *step; /* [steps] */
    long steps;
    double *c; /* [filled] */
    size_t filled;
    size_t leg_room, event_room, step_room, c_room, bytes;
    /* while an event is under way: */
    taut_direction *own; /* what the run is differentiated by; NULL: none is */
    int owns;
    taut_arena probes;
    /* on the way back: */
    long now;       /* the step at hand */
    int at_leg;     /* ... and its leg */
    int room;       /* for values */
    double **at;    /* [most n] its coefficients */
    double *state;  /* [BESIDE * room] adjoints of the state where the sweep has arrived, ... */
    double *next;   /* ... and at the beginning of the piece at hand */
    double *number; /* [BESIDE * numbers] likewise of numbers */
};

static inline const taut_adjoint_leg *taut_adjoint_now(const taut_adjoint *a) {
    return &a->leg[a->legs - 1];
}

taut_status taut_adjoint_refuse(const taut_simulation *simulation, const char *why,
                                taut_errors *errors);
/* Counts what the record needs, against what it may. */
taut_status taut_adjoint_count(taut_simulation *simulation, size_t bytes, taut_errors *errors);
/* The next steps are a leg of their own, with the equations and numbers of now. */
taut_status taut_adjoint_begin_leg(taut_simulation *simulation);

#endif
