/* A motion as integrators of ordinary differential equations see it: y' = f(t, y), and the way
 * between y and the values x_j^(k) of the system behind it. What y is, each kind of flow decides:
 * solve/ode takes the x_j^(k) themselves, solve/minimal coordinates of the tangent space. */
#ifndef TAUT_SOLVE_FLOW_H
#define TAUT_SOLVE_FLOW_H

#include "solve/stepper.h"

/* What a flow can do. Functions that may be NULL are last. */
typedef struct taut_flow_kind {
    void (*release)(taut_flow *);
    /* Begins at a consistent point: y and its rates, and scales from them. */
    taut_status (*start)(taut_flow *, const taut_state *from, double *y, double *rate);
    /* rate at (t, y); the flow's series then holds the point, its J factored. TAUT_SINGULAR or
     * TAUT_ERR_NUMERICS where there is none. */
    taut_status (*rates)(taut_flow *, double t, const double *y, double *rate);
    /* The error that each state may have at y. */
    void (*weights)(const taut_flow *, const double *y, double *allowed);
    /* An accepted step has led to (t, y). */
    taut_status (*reach)(taut_flow *, double t, const double *y);
    /* Every x_j^(k), k <= d_j, into x [values]: one of the two. From a state y and its rates, which
     * the integrator has interpolated; or at a time inside the last step, by the flow itself. */
    void (*values)(const taut_flow *, const double *y, const double *rate, double *x);
    void (*inside)(taut_flow *, double t, double *x);

    /* Before a step: other coordinates from here on, if that is better; y is then rewritten in
     * them. `remembers`: the method uses earlier steps, which become worthless. NULL: never. */
    taut_status (*renew)(taut_flow *, double t, double *y, bool remembers, bool *changed);
    /* The correction that brings y to the constraints of all levels. NULL: nothing restricts y. */
    taut_status (*project)(taut_flow *, double t, const double *y, double *correction);
    /* Prepares jacobian, which is d(rate)/dy by columns. NULL: the integrator finds it itself.
     * TAUT_ERR_CALL: a derivative is of an order beyond TAUT_SWEEP_ORDERS. */
    taut_status (*differentiate)(taut_flow *);
    taut_status (*jacobian)(taut_flow *, double t, const double *y, double *jacobian);
    /* What a later start needs to go on as if nothing had been, and taking it over, after start.
     * NULL: it begins anew. */
    void (*remember)(const taut_flow *, taut_memory *);
    void (*recall)(taut_flow *, taut_recall *);
    /* Columns of its own: the i-th name (false: there are no more), and their values at a time
     * inside the last step. NULL: none. */
    bool (*column)(const taut_flow *, int i, char *name, size_t size);
    taut_status (*row)(taut_flow *, double t, double *row);
    /* From the next start on with these values of the parameters, see taut_series_set_numbers.
     * NULL: it has to be made anew for them. */
    taut_status (*set_numbers)(taut_flow *, const double *parameter);
    /* What a start leaves of earlier runs, beside the series. NULL: nothing. */
    void (*forget)(taut_flow *);
} taut_flow_kind;

/* Each kind has a structure of its own that begins with a taut_flow. */
struct taut_flow {
    const taut_flow_kind *kind;
    const taut_system *system;
    const taut_structure *structure;
    taut_series *series; /* its own; see rates */
    int states;          /* length of y */
    int values;          /* how many x_j^(k), k <= d_j, there are ... */
    int *value;          /* [n] ... and where the first one of x_j stands */
    bool restricted;     /* there is something to project */
    bool worn;           /* other coordinates would be better from the last accepted point on */
    double singular;     /* a singular position that the flow has found, the last one or the next:
                            rates are poor close to it; NaN: none */
};

/* Makes a flow; memory from arena, except for what its release gives back. */
struct taut_flow_maker {
    taut_status (*create)(const void *user, const taut_system *system,
                          const taut_structure *structure, const taut_stepping *stepping,
                          taut_arena *arena, taut_flow **flow);
    const void *user;
};

#endif
