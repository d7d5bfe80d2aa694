/* Looks for features of the user's formulas inside a step: pulses, edges, barriers that lie between
 * the points where a solver evaluates anything (docs/math/features.md).
 *
 * A vigil watches the nodes that may hide something (solve/suspects). It evaluates them at points
 * inside the step, on the motion that the solver proposes, and compares the values with what the
 * solver takes them for. Where there is nothing to watch, nodes is 0, and nothing is done. */
#ifndef TAUT_SOLVE_VIGIL_H
#define TAUT_SOLVE_VIGIL_H

#include "solve/scan.h"
#include "solve/stepper.h"

/* A series of what is watched about one point: the caller's own polynomials, and those that the
 * vigil keeps. */
typedef struct taut_path {
    double *const *poly; /* [n] scaled coefficients of the unknowns, ... */
    const int *d;        /* [n] ... last + d_j + 1 of them */
    int last;
    double centre, scale;
} taut_path;

/* x_j^(k) (or a derivative of an expression, where input->variable is -1) at TAUT_SAMPLES times;
 * false: it cannot be told. */
typedef bool taut_glimpse(void *user, const taut_sample_input *input, const double *time,
                          double *value);

/* Is the motion right at a time inside the step, as far as the equations can tell there? */
typedef taut_status taut_probe(void *user, double time, bool *right);

typedef struct taut_vigil {
    int nodes;       /* watched */
    int outputs;     /* and expressions whose derivatives they contain: ... */
    taut_node *node; /* [outputs] ... the caller's series has them as outputs */
    taut_sample sample;
    double *scale;       /* [nodes] largest value so far */
    double *limit;       /* [nodes] deviations that are no news in this step */
    double *low, *high;  /* [nodes] range between the ends of a step */
    double least;        /* part of the scale below which deviations do not count */
    double cap;          /* no step is longer; infinite: it may be */
    double rate;         /* points a unit of time */
    unsigned first;      /* the points that a run begins with, ... */
    unsigned seen;       /* ... and those so far */
    double **poly;       /* [outputs] coefficients about the beginning of the step ... */
    int *length;         /* [outputs] ... and how many */
    double from, to;     /* the step that is looked at, ... */
    int points;          /* ... at so many places */
    taut_interval *work; /* [size of the program] */
    double slight;       /* of its scale: what is off by less, between steps' ends, is not */
    double (*off)[TAUT_SAMPLES]; /* [nodes] deviations at the present ones */
} taut_vigil;

/* What the system's formulas may hide, and how long steps may be. Memory from arena. */
taut_status taut_vigil_create(const taut_system *system, const taut_stepping *options,
                              taut_arena *arena, taut_vigil *vigil);
/* The same with the nodes of another one. Adds nothing to the graph. */
taut_status taut_vigil_create_like(const taut_vigil *like, const taut_system *system,
                                   const taut_stepping *options, taut_arena *arena,
                                   taut_vigil *vigil);

/* From now on with these values of the parameters, see taut_series_set_numbers. */
taut_status taut_vigil_set_numbers(taut_vigil *vigil, const double *parameter);
/* Forgets what it has seen of the motion: a run begins anew. */
void taut_vigil_restart(taut_vigil *vigil);

/* ---- solvers that know the series of the nodes ---- */

/* Room for the coefficients of a series of which node[0 .. outputs-1] are the first outputs. */
taut_status taut_vigil_prepare(taut_vigil *vigil, const taut_series *series, taut_arena *arena);
/* Keeps them, at the point where a step begins. */
void taut_vigil_keep(taut_vigil *vigil, const taut_series *series);
/* Compares the nodes with their polynomials inside a step, and has the motion probed where they
 * differ. *good: up to where nothing is wrong, `to` if that is everywhere. */
taut_status taut_vigil_search(taut_vigil *vigil, const taut_path *path, double to,
                              taut_probe *probe, void *user, double *good);

/* The same for a solver that takes the nodes for something else than these polynomials, and has no
 * probe: are they, inside a step, what it expects? Only what matters beside the scale is seen. */
typedef void taut_expect(void *user, int node, const double *time, double *value);
typedef struct taut_view {
    taut_glimpse *glimpse;
    taut_expect *expect;
    void *user;
} taut_view;
bool taut_vigil_agrees(taut_vigil *vigil, const taut_view *view, double from, double to,
                       double *good);

/* ---- solvers that do not ---- */

/* Does a node leave the straight line between its values at the two ends of a step? *time: where it
 * has first left the value that it begins with, in a pulse or on the far side of an edge. A step
 * that ends there sees it. */
bool taut_vigil_jumps(taut_vigil *vigil, taut_glimpse *glimpse, void *user, double from, double to,
                      double *time);

#endif
