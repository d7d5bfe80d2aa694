/* Inside a simulation: what taut_simulate builds its table from. */
#ifndef TAUT_TASK_SIMULATION_H
#define TAUT_TASK_SIMULATION_H

#include "core/text.h"
#include "solve/consistent.h"
#include "tree/recursive.h"
#include "solve/stepper.h"
#include "task/notebook.h"
#include "task/observe.h"
#include "task/prepare.h"
#include "task/states.h"
#include "task/trace.h"

/* What keeps constraints. */
typedef enum taut_stabilizing {
    TAUT_BY_PROJECTION,
    TAUT_BY_BAUMGARTE,
    TAUT_BY_NOTHING
} taut_stabilizing;

/* The last time that the stiff method took over. */
typedef struct taut_stint {
    double t, h; /* when, and the step that Taylor series took there */
    long steps;  /* so far */
    long pause;  /* it did not pay: after so many steps of Taylor series another attempt may be made
                  */
} taut_stint;

/* A method that is ready to take over, with its equations. */
typedef struct taut_spare {
    taut_prepared *prepared;
    taut_observer *observer;
    const taut_method *method;
    taut_stepper *stepper; /* NULL: not yet */
    double good_rcond;     /* the best so far with its constraints */
} taut_spare;

struct taut_simulation {
    const taut_model *model; /* must outlive the simulation */
    taut_run_options options;
    taut_states states;
    taut_recursive_options recursive; /* relative coordinates: how rates are found */
    taut_flow_maker recursion;

    /* what the caller has set, and whether the equations lag behind */
    taut_arena names;
    taut_override *override; /* [overrides] */
    int overrides;
    size_t override_room;
    taut_initial *initial; /* [initials] */
    int initials;
    size_t initial_room;
    bool stale;

    /* the equations; NULL variant: those of the model itself */
    taut_model *variant;
    const taut_formulation *formulation; /* NULL: not a mechanism */
    taut_stabilizing stabilizing;
    double alpha, beta;     /* of Baumgarte's equations */
    taut_prepared assembly; /* other formulations than natural: what finds the start for them */
    taut_prepared plain, lifted; /* as they are, and with forces as unknowns */
    taut_prepared *prepared;     /* the one in use */
    bool used;                   /* a run has started from them */

    /* the run */
    taut_arena arena; /* moves, names, row */
    taut_observer *observer;
    const taut_method *method;
    taut_stepper *stepper;
    taut_spare spare; /* what `auto` may go on with */
    bool adapts;      /* it may */
    int changes;      /* how often it did */
    long waited;      /* steps since the last look at the other method, or since the last change */
    taut_stint stint;
    double t0, tend;
    double nudge;        /* the initial state is changed by this, relative to its size; 0 */
    double time;         /* the present time, as the caller sees it */
    double good_rcond;   /* the best so far with the constraints of now */
    taut_status stopped; /* why no step can follow; TAUT_OK: one can */
    const char **name;   /* [columns] */
    int columns;
    double *row; /* [columns] at row_time; NaN: not filled */
    double row_time;
    taut_assemblies assemblies;
    taut_string moves, assembled, redundant, switched;
    taut_notebook notebook; /* the same as data */
    char misuse[300];       /* what was wrong with a call that has no status; "": nothing */
    taut_doubts doubts;
    taut_string not_unique; /* the same in words */

    /* how it went */
    taut_run_stats stats;
    taut_watch watch_of_run; /* what watch points to if the options want a profile */
    taut_watch *watch;       /* ... otherwise NULL */
    taut_stepper_stats done; /* by steppers that are gone */
    double first_energy, largest_drift, largest_kinetic;
    taut_trace trace; /* marks; whoever steps may add the steps */
};

/* An observer of equations that a stepper will have as well: J is found once, for both. */
taut_status taut_simulation_observe(taut_simulation *simulation, taut_prepared *equations,
                                    taut_observer **observer);

/* taut_simulate from an initial state of which each number is changed by `nudge`, relative to the
 * largest one of its group, up or down: how much does it matter? -nudge changes it the other way.
 * If the change is larger than rounding, the state is brought back to the constraints. */
taut_status taut_simulate_nudged(const taut_model *model, const taut_run_options *options,
                                 double nudge, taut_result **result, taut_errors *errors);

#endif
