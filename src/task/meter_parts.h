/* What the files of meters share. Private to task/meter*.c. */
#ifndef TAUT_TASK_METER_PARTS_H
#define TAUT_TASK_METER_PARTS_H

#include "solve/watched.h"
#include "task/meter.h"
#include "task/simulation.h"

/* Rows of a part without polynomials: of ordinary integrators, and of others. */
enum { TAUT_METER_FEW = 17, TAUT_METER_MANY = 33 };
#define TAUT_METER_CLOSE 1e-6 /* a lead below this is settled by rows */

typedef struct taut_gauge {
    int column;      /* of a row */
    bool exact;      /* a polynomial of the step has all digits of a row */
    bool sampled;    /* only rows know it */
    int node, order; /* otherwise: number among the watched nodes, and derivative */
    double high, low;
    double high_at, low_at; /* when */
    double sum, rest;       /* integral of the value or of its square, compensated */
    double value;           /* at the beginning, at T, at the end */
    double size;            /* largest value seen */
} taut_gauge;

struct taut_meter {
    taut_arena arena;
    const taut_figure *figure; /* [count] */
    int count;
    taut_gauge *gauge; /* [count] */
    double t0, sign;

    /* the equations that are watched, and whose they are */
    taut_watched *watched; /* NULL: none */
    const taut_problem *problem;
    long compilation;
    taut_node *node; /* [count] */
    int nodes;
    bool blind; /* these nodes cannot be had with the numbers of this run */

    double
        *edge; /* [parts + 1] of the last step: where columns are resolved by one polynomial each */
    int parts;
    size_t edge_room;

    double *course;  /* [2 * ...] coefficients of one column */
    double *row;     /* [room] */
    double found_at; /* its time, where several results want the same one */
    double *sample;  /* [TAUT_METER_MANY][room] */
    size_t row_room, sample_room;
    double point[2][TAUT_METER_MANY], weight[2][TAUT_METER_MANY]; /* Chebyshev's points on [0, 1],
                                               few and many, and weights of the integral */
};

/* A result that follows from the course of a column; an extremum of it. */
bool taut_meter_is_watched(const taut_figure *figure);
bool taut_meter_is_extremum(const taut_figure *figure);
/* A value that was met: extrema are at least so much. */
void taut_meter_meet(taut_gauge *g, double value, double t);
/* The value at a time inside the step counts, as a row has it. */
taut_status taut_meter_meet_at(taut_meter *meter, taut_gauge *g, taut_simulation *simulation,
                               double t, taut_errors *errors);
/* The last step has one part more, which ends here. */
taut_status taut_meter_add_part(taut_meter *meter, double end);
/* Where the present part of a step ends for us: a step that contains an event ends there. */
double taut_meter_end_of_part(const taut_meter *meter, const taut_simulation *simulation);

/* ---- samples (meter_samples.c) ---- */

/* Adds to an integral (Neumaier). */
void taut_meter_add(taut_gauge *g, double term);
/* Is result i found from samples, if other columns have polynomials or not? */
bool taut_meter_is_sampled(const taut_meter *meter, int i, bool polynomials);
/* All these over the last step: in as many parts as features may hide in. */
taut_status taut_meter_by_samples(taut_meter *meter, taut_simulation *simulation, bool polynomials,
                                  taut_errors *errors);

#endif
