/* Inside a simulation: what taut_simulate builds its table from. */
#ifndef TAUT_TASK_SIMULATION_H
#define TAUT_TASK_SIMULATION_H

#include "core/text.h"
#include "solve/consistent.h"
#include "tree/recursive.h"
#include "solve/stepper.h"
#include "task/alarm.h"
#include "task/notebook.h"
#include "task/observe.h"
#include "task/plan.h"
#include "task/prepare.h"
#include "task/trace.h"
#include "taut/program.h"
#include "taut/state.h"

/* A parameter that the caller has set, as a number and as text, which is written over when it is
 * set again. */
enum { TAUT_SETTING_TEXT = 40 };
typedef struct taut_setting {
    double value;
    char *text; /* [TAUT_SETTING_TEXT] */
} taut_setting;

/* What the caller has set, by name. */
typedef struct taut_settings {
    taut_arena names;
    taut_override *override; /* [overrides] parameters */
    taut_setting *number;    /* [overrides] the same as numbers */
    int overrides;
    size_t override_room, number_room;
    taut_initial *initial; /* [initials] initial values */
    int initials;
    size_t initial_room;
} taut_settings;

/* The last time that the stiff method took over. */
typedef struct taut_stint {
    double t, h; /* when, and the step that Taylor series took there */
    long steps;  /* so far */
    long pause;  /* it did not pay: after so many steps of Taylor series another attempt may be made
                  */
    bool told;   /* that the problem is stiff, where series stay */
} taut_stint;

/* A method that is ready to take over, with its equations. */
typedef struct taut_spare {
    taut_prepared *prepared;
    taut_observer *observer;
    const taut_method *method;
    taut_stepper *stepper; /* NULL: not yet */
    taut_state *state;     /* of its equations: where it is to start */
    double good_rcond;     /* the best so far with its constraints */
} taut_spare;

/* A change of the initial state, before the stepper starts from it; the observer's series is at
 * that point and may be used. */
typedef struct taut_alteration {
    taut_status (*alter)(const void *user, taut_state *state, taut_series *series);
    const void *user;
    double part; /* how large it is, beside the state */
} taut_alteration;

/* Numbers of parameters and initial values (model/parameters.h) in equations that can follow them.
 */
typedef struct taut_run_numbers {
    taut_arena arena;
    double *now;  /* those in use */
    bool changed; /* they are not those that the equations were formed with */
    bool within;  /* they change within a run only: the start, or what keeps
                     constraints, is in numbers */
    double *next; /* work space, as the next two */
    double *work;
    bool *set;
    bool *constrains;  /* is it in a constraint? Where leading derivatives enter nonlinearly: in
                          any equation? */
    bool *restricts;   /* is it in a constraint? */
    bool *starts;      /* does the start depend on it? */
    taut_state *first; /* the start with these numbers; NULL: the equations cannot follow */
    const taut_prepared *prepared;    /* its equations, ... */
    const int *drops;                 /* ... and what they leave out */
    taut_consistent_plan *conditions; /* for the search for a start; NULL: not yet */
    taut_arena search;                /* of the last one */
} taut_run_numbers;

typedef struct taut_happen taut_happen;           /* task/happen.h */
typedef struct taut_contacts taut_contacts;       /* task/resolve.h */
typedef struct taut_sensitivity taut_sensitivity; /* task/sensitivity.h */

struct taut_simulation {
    const taut_model *model; /* must outlive the simulation */
    taut_run_options options;
    taut_plan plan;                   /* what the options come to */
    taut_recursive_options recursive; /* relative coordinates: how rates are found */
    taut_flow_maker recursion;

    taut_settings settings;
    bool stale;        /* the equations lag behind the settings */
    bool follows;      /* equations are formed so that numbers can change in them, ... */
    bool keeps_inputs; /* ... those of inputs to and from 0 as well */
    taut_run_numbers numbers;

    /* the equations; NULL variant: those of the model itself */
    taut_model *variant;
    double alpha, beta;     /* of Baumgarte's equations */
    taut_prepared assembly; /* other formulations than natural: what finds the start for them */
    taut_prepared plain, lifted; /* as they are, and with forces as unknowns */
    taut_prepared *prepared;     /* the one in use */
    const taut_simulation
        *lent;  /* whose equations these are, of a program; NULL: they are its own */
    bool used;  /* a run has started from them */
    bool waits; /* made from a program, and never started */

    /* the run */
    taut_arena arena; /* moves, names, row */
    taut_observer *observer;
    const taut_method *method;
    taut_stepper *stepper;
    taut_state *state; /* of the equations in use: where the stepper started, and work space */
    taut_spare spare;  /* what `auto` may go on with */
    bool adapts;       /* it may */
    int changes;       /* how often it did */
    long waited;       /* steps since the last look at the other method, or since the last change */
    taut_stint stint;
    taut_happen *happen;           /* events; NULL: the model has none */
    taut_contacts *contacts;       /* with modes, and equations for these; NULL: there are none */
    taut_sensitivity *sensitivity; /* NULL: none is asked for */
    bool recorded; /* steps are kept for adjoints, instead of variations (task/adjoint.h) */
    double t0, tend;
    const taut_alteration *alteration; /* of the initial state; NULL: none */
    double time;                       /* the present time, as the caller sees it */
    double good_rcond;                 /* the best so far with the constraints of now */
    taut_status stopped;               /* why no step can follow; TAUT_OK: one can */
    const char **name;                 /* [columns] */
    int columns;
    double step_began;  /* by the clock, if it is timed: ... */
    int counts;         /* ... it counts as so many steps, 0: it is not */
    long begun;         /* steps since the statistics began */
    bool untimed;       /* nobody wants to know how long steps take */
    taut_phase counted; /* what counted before it */
    double *row;        /* [columns] at row_time; NaN: not filled */
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
    double largest_drift, largest_kinetic;
    taut_alarm alarm;
    taut_trace trace; /* marks; whoever steps may add the steps */
};

/* taut_simulation_create; follows: numbers are to be changed later without forming equations anew,
 * which costs a few per cent. */
taut_status taut_simulation_make(const taut_model *model, const taut_run_options *options,
                                 bool follows, taut_simulation **simulation, taut_errors *errors);

/* All columns at a time inside the last step; *missing as in taut_observer_row. */
taut_status taut_simulation_fill(taut_simulation *simulation, double t, double *row, int *missing);

/* ---- setting: what the caller wants ---- */

void taut_settings_release(taut_settings *settings);
/* Are these the same but for one point, as in A.x and Ax? */
bool taut_is_column(const char *column, const char *name);

/* ---- equip: equations, observers, steppers ---- */

/* Forms the equations with what the caller has set, and their structure. */
taut_status taut_equip_form(taut_simulation *simulation, taut_errors *errors);
/* The doctor's advice for a mechanism that is refused for its equations or its start. */
taut_status taut_equip_advise(const taut_model *model, taut_status status, taut_errors *errors);
/* From natural coordinates, in which the start was found, to those that were asked for. */
taut_status taut_equip_change(taut_simulation *simulation, taut_errors *errors);
/* undetermined.c: are loads of joints that somebody asks for determined? Refused by name if not. */
taut_status taut_check_determined(const taut_model *model, taut_errors *errors);
bool taut_equip_is_natural(const taut_simulation *simulation);
/* An observer of equations that a stepper will have as well: J is found once, for both. */
taut_status taut_simulation_observe(taut_simulation *simulation, taut_prepared *prepared,
                                    taut_observer **observer);
/* The longest step that the caller or the file allows (0: neither says), and how long the whole run
 * is (0: it has no end). */
double taut_simulation_max_step(const taut_simulation *simulation);
double taut_simulation_span(const taut_simulation *simulation);
/* A stepper for the equations, and a state for it to start from. */
taut_status taut_equip_stepper(taut_simulation *simulation);
/* Starts the stepper from a state of its equations. */
taut_status taut_equip_begin(taut_simulation *simulation, const taut_state *state,
                             taut_errors *errors);
/* Forms the equations again, with another choice of what is left out, and makes observer and
 * stepper for them; the stepper is still to be started. */
taut_status taut_equip_adopt(taut_simulation *simulation, taut_errors *errors);
/* The accounts of a run begin anew. */
void taut_equip_reset(taut_simulation *simulation);
/* Frees what belongs to a run, and to the equations. */
void taut_equip_forget_run(taut_simulation *simulation);
void taut_equip_forget(taut_simulation *simulation);

/* ---- start ---- */

/* Is J at the initial point so close to singular that constraints may be redundant? */
taut_status taut_start_looks_redundant(taut_simulation *simulation, bool *redundant);

/* Names of the columns, and room for a row. */
taut_status taut_start_name_columns(taut_simulation *simulation);

/* ---- program: equations that are shared ---- */

/* Equations of its own, of the same kind, before they are changed. */
taut_status taut_program_leave(taut_simulation *simulation);
/* The stepper whose plans the simulations of a program share; NULL: they share nothing. */
const taut_stepper *taut_program_stepper(const taut_program *program);
/* ... and its observer. */
taut_observer *taut_program_observer(const taut_program *program);

/* ---- refresh: other numbers in the same equations ---- */

/* After equations are formed: what they depend on. */
taut_status taut_refresh_prepare(taut_simulation *simulation);
/* The same for equations that were made for this start: another formulation than natural,
 * constraints that decay. */
taut_status taut_refresh_change(taut_simulation *simulation);
/* Takes the numbers of now for a first start. TAUT_CONTRADICTED: the equations must be formed anew.
 */
taut_status taut_refresh_first(taut_simulation *simulation);
/* After a start: notes what the next one may build on. */
taut_status taut_refresh_note(taut_simulation *simulation);
/* What the search for another start needs, before equations are shared. */
taut_status taut_refresh_plan(taut_simulation *simulation);
/* The same as taut_refresh_note for a simulation with the equations and the start of another one.
 */
taut_status taut_refresh_borrow(taut_simulation *simulation, const taut_simulation *like);
void taut_refresh_forget(taut_simulation *simulation);
/* Finds the start with the numbers of now, and notes it as taut_refresh_note does. */
taut_status taut_refresh_find(taut_simulation *simulation);
/* Starts again with the numbers of now. TAUT_CONTRADICTED: the equations must be formed anew. */
taut_status taut_refresh(taut_simulation *simulation);
/* During a run: assigns parameters (which[count]) by number; what depends on them follows, but for
 * those that events assign. TAUT_CONTRADICTED: the equations cannot follow. */
taut_status taut_refresh_assign(taut_simulation *simulation, const int *which, const double *value,
                                int count);
/* Numbers that differ from those that equations are formed with, for observers and steppers that
 * are made during a run; NULL: they do not. */
const double *taut_refresh_numbers(const taut_simulation *simulation);

/* ---- steps ---- */

/* Residual and energy where the stepper is, for the accounts. */
taut_status taut_simulation_supervise(taut_simulation *simulation);
/* The two parts of taut_simulation_step, for whoever has several simulations step side by side
 * (task/convoy): everything before the step of the stepper; *stepper is NULL if there is none to
 * take, because the step has been taken, or status says why. And all that follows, with the status
 * of that step. */
taut_status taut_simulation_begin_step(taut_simulation *simulation, taut_stepper **stepper,
                                       taut_errors *errors);
taut_status taut_simulation_end_step(taut_simulation *simulation, taut_status stepped,
                                     taut_errors *errors);
/* Moves the end of a run that is under way: the last step ends there exactly. */
taut_status taut_simulation_set_end(taut_simulation *simulation, double tend);
taut_status taut_simulation_check_started(const taut_simulation *simulation, taut_errors *errors);

/* taut_simulation_set_input for any parameters that are in no constraint, [count]. */
typedef struct taut_parameter_change {
    const char *name;
    double value;
} taut_parameter_change;
taut_status taut_simulation_alter(taut_simulation *simulation, const taut_parameter_change *change,
                                  int count, taut_errors *errors);

/* ---- runs ---- */

/* taut_simulate from an initial state that is altered. */
taut_status taut_simulate_altered(const taut_model *model, const taut_run_options *options,
                                  const taut_alteration *alteration, taut_result **result,
                                  taut_errors *errors);
/* The alteration that changes every number of a state by this part of its size; see below. */
taut_alteration taut_nudging(const double *part);
/* The same with each number of the state changed by `part`, relative to the largest one of its
 * group, up or down: how much does it matter? -part changes it the other way. If the change is
 * larger than rounding, the state is brought back to the constraints. */
taut_status taut_simulate_nudged(const taut_model *model, const taut_run_options *options,
                                 double part, taut_result **result, taut_errors *errors);

#endif
