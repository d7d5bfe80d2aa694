/* The state of a system as a value: the time and every x_j^(k), k <= d_j, with names, and what
 * steppers and runs remember. Steppers start from one and give one; whoever carries a motion from
 * one set of equations to another passes it on. */
#ifndef TAUT_SOLVE_STATE_H
#define TAUT_SOLVE_STATE_H

#include <stdint.h>

#include "solve/series.h"
#include "taut/run.h"

/* Numbers that only their writer understands, in the order in which it put them. {0} is empty. */
typedef struct taut_memory {
    double *number; /* [count] */
    size_t count, room;
    bool failed; /* out of memory */
} taut_memory;

void taut_memory_clear(taut_memory *memory);
void taut_memory_put(taut_memory *memory, double number);
void taut_memory_put_all(taut_memory *memory, const double *number, int count);

/* Reading them back. */
typedef struct taut_recall {
    const taut_memory *memory;
    size_t next;
    bool failed; /* there are not so many, or one is out of its range */
} taut_recall;

double taut_recall_get(taut_recall *recall);
/* A whole number from least to most; least, with failed set, if it is none. */
int taut_recall_whole(taut_recall *recall, int least, int most);
void taut_recall_all(taut_recall *recall, double *number, int count);
/* Everything was read, and all of it was good. */
bool taut_recall_is_done(const taut_recall *recall);

/* A named number beside the motion: a discrete variable, a controller's state, a mode. */
typedef struct taut_state_number {
    const char *name;
    double value;
} taut_state_number;

struct taut_state {
    taut_arena arena;
    double t;
    int n;                       /* variables */
    const char **name;           /* [n] */
    int *first;                  /* [n + 1] x_j^(k), k <= d_j, is x[first[j] + k] */
    double *x;                   /* [first[n]] */
    const char *formulation;     /* coordinates of a mechanism; "": equations were given */
    taut_state_number *discrete; /* [discretes] discrete variables and states of controllers */
    int discretes;
    taut_state_number *mode; /* [modes] whole numbers: which branch holds, what is left out */
    int modes;
    bool continued; /* the same run goes on from here behind an event: scales of the motion stay */
    /* opaque: */
    char method[16];     /* whose memory it is; "": nobody's */
    taut_memory stepper; /* step, scales, low parts, order, singular position */
    taut_memory run;     /* of whoever chooses the stepper */
};

/* A state of a system, all zero; memory is its own. */
taut_status taut_state_create(const taut_system *system, const taut_structure *structure,
                              taut_state **state);
/* An empty one with room for so many variables and values, for whoever reads it from elsewhere. */
taut_status taut_state_make(int n, int values, taut_state **state);
static inline double *taut_state_at(const taut_state *state, int j, int k) {
    return &state->x[state->first[j] + k];
}
/* Highest order of variable j. */
static inline int taut_state_order(const taut_state *state, int j) {
    return state->first[j + 1] - state->first[j] - 1;
}
/* Forgets what the stepper remembers: the next one begins anew. */
void taut_state_forget(taut_state *state);
/* The memory of this method's stepper; an empty one if it is another method's. */
taut_recall taut_state_recall(const taut_state *state, const char *method);

/* From the point of a series, and back: x_j^(k) that are needed to start, and where leading
 * derivatives enter nonlinearly all x_j^(d_j). Nothing is remembered. */
void taut_state_read(taut_state *state, const taut_series *series);
void taut_state_write(const taut_state *state, taut_series *series);
/* Takes over time and values of variables of the same names. -1, or the number of the first
 * variable of `state` that needs a value which `from` has not. */
int taut_state_take(taut_state *state, const taut_state *from);

/* x_j^(k), k <= d_j, of the point of another series of the same variables. */
void taut_series_take(taut_series *series, const taut_series *from);

#endif
