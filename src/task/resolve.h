/* Contacts of a run: equations by sets of modes, and what becomes of the modes at events
 * (docs/math/contact.md). */
#ifndef TAUT_TASK_RESOLVE_H
#define TAUT_TASK_RESOLVE_H

#include "form/contact.h"
#include "solve/touch.h"
#include "task/happen.h"

/* Accelerations of gaps and of what slides need this stage: tracked angles are of first order. */
enum { TAUT_CONTACT_STAGE = 1 };

/* Equations for one set of modes, and, while another one is in use, all that works with them. */
typedef struct taut_mode_set {
    struct taut_mode_set *next;
    int *mode;               /* [contacts] */
    taut_prepared *prepared; /* those of the simulation where all are open, otherwise own */
    taut_prepared own;
    taut_spare parked; /* observer, stepper, state; NULL: in use, or not made */
    taut_watched *watched;
    taut_series *series;
    taut_state *place;
} taut_mode_set;

/* What a run remembers of a contact. */
typedef struct taut_contact_course {
    int mode;
    double impact, flight; /* when the last impact was, and how long the flight before it */
    double ratio;          /* of this flight and the one before; 0: not known */
    double end, doubt;     /* when flights end that get ever shorter, and how well it is known */
    double limit;          /* the same without restitution, where that end has come */
    int low;               /* impacts in a row that are too low to be seen */
    double peak;           /* the highest flight so far */
    double row_time;       /* when it was last listed, ... */
    int row, row_mode;     /* ... where, and the mode before that */
    bool still;            /* it is said to slide, but the others hold it */
    bool weak;             /* its mode was chosen by forces or accelerations that vanish */
    unsigned left;         /* modes that it has left at this instant */
    double way[TAUT_TOUCH_WAYS]; /* direction of slip, or the share of what others hold */
    bool told;                   /* that its forces are one choice of many */
    double fastest;              /* in space: the largest speed of this slip, ... */
    bool rests;                  /* ... which has just ended */
    bool idle;                   /* what is engaged at this instant, and others hold it already */
    bool settles;                /* ... and which gets slower before it has turned */
    double pull; /* how fast forces that cancel would change the rate of what slides */
} taut_contact_course;

typedef struct taut_rims taut_rims;

struct taut_contacts {
    taut_arena arena;
    taut_rims *rims; /* circles on curves; NULL: not made yet */
    int count;
    taut_mode_set *first, *now;
    taut_mode_set *base;         /* all contacts open, what breaks as it is now, ... */
    taut_mode_set *home;         /* ... and as it is first */
    taut_contact_course *course; /* [count] */
    int *mode;                   /* [count] work space */
    double *number; /* numbers of the model with what contacts hold, where the simulation does not
                       follow numbers (formulations other than natural); otherwise NULL */
    double least;   /* loads of joints that rub: below it there is none */
    double span;    /* the largest coordinate of points at the first impact; NaN: not yet */
    bool resumed;   /* a run goes on from a state, which knows what is loose */
    bool sought;    /* that solutions were sought by pivoting has been told */
    double time;    /* of the last change, ... */
    int rounds;     /* ... and how many there were at that instant */
};

/* Numbers of the contacts at an event, from the equations with all of them open. */
typedef struct taut_touching {
    taut_arena arena;
    taut_series *series; /* of these equations */
    int n, coordinates;
    int motions; /* where the rows of the motions begin; a Hamiltonian's are those of momenta */
    int count;   /* that touch: */
    int *which;  /* [count] */
    double *gradient;  /* [ROWS count][coordinates] of gap and along */
    double *response;  /* [ROWS count][n] of velocities to unit impulses */
    double *W;         /* [ROWS count][ROWS count] */
    double *rate;      /* [ROWS count] of gap and along */
    double *noise;     /* [ROWS count] of these */
    double *by;        /* [3 count][ROWS count] of loads of joints that rub, to unit forces */
    double *answer;    /* [ROWS count] forces that were found */
    double *sense;     /* [count] of loads: 1 or -1 */
    double force;      /* the size of forces with all of them open, ... */
    double *pull;      /* [count] ... and how fast these change the rate of what slides */
    taut_touch *touch; /* [count] */
} taut_touching;

/* ---- modes: sets of them ---- */

/* Goes on with the equations of these modes; state and numbers stay. */
taut_status taut_contacts_use(taut_simulation *simulation, const int *mode, taut_errors *errors);
/* Numbers in use that are not those of the file; NULL: they are. */
const double *taut_contacts_numbers(const taut_simulation *simulation);
/* The same, of any simulation: events, tables and contacts change some. */
static inline const double *taut_numbers_in_use(const taut_simulation *s) {
    return s->contacts ? taut_contacts_numbers(s) : taut_refresh_numbers(s);
}
/* Assigns numbers that contacts hold (parameters which[count]). */
taut_status taut_contacts_assign(taut_simulation *simulation, const int *which, const double *value,
                                 int count);
/* Back to those with all of them open; before equations are used from outside of a run. */
taut_status taut_contacts_use_base(taut_simulation *simulation);
/* A run is over: what worked for it goes; and the equations, too. */
void taut_contacts_forget_run(taut_simulation *simulation);
void taut_contacts_free(taut_simulation *simulation);

/* ---- contact: what happens ---- */

static inline int taut_contacts_first_guard(const taut_model *m) {
    return taut_happen_first_guard(m);
}
/* Are there any whose modes have equations of their own? */
bool taut_contacts_are_there(const taut_model *model);
/* Modes in words, "foot sticks, ball open"; memory from the arena, NULL: there is none. */
const char *taut_contacts_words(const taut_simulation *simulation, taut_arena *arena);
/* At the start of a run: what touches there. */
taut_status taut_contacts_begin(taut_simulation *simulation, taut_errors *errors);
/* At an event: impacts and modes. disturbed: something else has changed there; *changed: velocities
 * or modes have. */
taut_status taut_contacts_resolve(taut_simulation *simulation, bool disturbed, bool *changed,
                                  taut_errors *errors);

/* ---- resting: slips in space that end ---- */

/* Below this speed element k of what touches is at rest: rounding; in space, where a slip that ends
 * turns ever faster, the tolerance. */
double taut_contacts_speed_at_rest(const taut_simulation *simulation, const taut_touching *touching,
                                   int k);
/* Takes the rest of the rate from slips in space that have ended, by impulses that small. */
taut_status taut_contacts_halt(taut_simulation *simulation, taut_touching *touching,
                               taut_errors *errors);
/* After a step: the guard of a slip in space that has come to rest at this part of it, up to the
 * tolerance; -1: there is none. Has this function been told to be one? */
int taut_contacts_at_rest(taut_simulation *simulation, double theta);
bool taut_contacts_has_rested(const taut_simulation *simulation, int function);

/* After a step: has something moved what sticks because others hold it? Then friction is missing
 * there, which is an error. */
taut_status taut_contacts_check_held(taut_simulation *simulation, taut_errors *errors);
/* Behind a step: has the friction of something that slides become negative? An error. */
taut_status taut_contacts_check_pushing(taut_simulation *simulation, taut_errors *errors);

/* ---- choose_modes: which modes ---- */

/* The guards of contact i. */
static inline taut_event_course *taut_contact_guards(const taut_simulation *s, int i) {
    return &s->happen
                ->course[taut_contacts_first_guard(s->prepared->problem->model) + TAUT_GUARDS * i];
}

static inline bool taut_mode_is_closed(int mode) {
    return mode != TAUT_TOUCH_OPEN && mode != TAUT_TOUCH_IDLE;
}

/* Does it stick, in these modes of what is rough? */
static inline bool taut_mode_is_stuck(int mode) {
    return mode == TAUT_TOUCH_CLOSED || mode > TAUT_TOUCH_HELD;
}

/* In space. */
static inline bool taut_mode_sets_off(int mode) {
    return mode == TAUT_TOUCH_START || mode == TAUT_TOUCH_LINE;
}
/* A guard that has passed zero ends the mode that it guards. */
void taut_modes_note_left(taut_simulation *simulation, bool disturbed);
/* The modes of all contacts into contacts->mode. */
taut_status taut_modes_choose(taut_simulation *simulation, taut_touching *touching,
                              taut_errors *errors);

/* ---- touching: numbers ---- */

/* A number of contact i in the series, its order-th derivative. */
double taut_contact_value(const taut_simulation *simulation, const taut_series *series, int i,
                          taut_contact_part part, int order);
/* Finds them for the state of the event. */
taut_status taut_touching_find(taut_simulation *simulation, taut_touching *touching,
                               taut_errors *errors);
/* Responses anew, where velocities have changed, and by what part they have: of masses that do not
 * depend on velocities by rounding alone. */
taut_status taut_touching_respond(const taut_simulation *simulation, taut_touching *touching,
                                  double *change);
/* So many elements at once cannot be solved; or one solution was sought: that is told, once. */
taut_status taut_touching_too_many(const taut_simulation *simulation, const taut_touching *touching,
                                   int count, taut_errors *errors);
taut_status taut_touching_tell_sought(taut_simulation *simulation, int count,
                                      const taut_touch_answers *answers);
/* Can no force of this row move anything? Beside what it would do to the masses alone. */
bool taut_touching_is_held(const taut_touching *touching, int row);
/* The gap of `at` closes although no force can stop that. */
taut_status taut_touching_driven(const taut_simulation *simulation, const taut_touching *touching,
                                 int at, taut_errors *errors);
/* What rounding of places makes of the gap of contact `at` among those that touch. */
double taut_touching_place(const taut_touching *touching, int at);
/* Evaluates rates and accelerations again after the state has changed. */
taut_status taut_touching_again(taut_simulation *simulation, taut_touching *touching,
                                taut_errors *errors);

/* What concerns those of them that take part, at[count]: W, and how loads depend on forces, into
 * by[3 count][3 count]. */
void taut_touching_pick(const taut_touching *touching, const int *at, int count, taut_touch *touch,
                        double *W, double *by);

/* ---- loosen: joints and drivers that let go ---- */

/* Those that have let go before the run begins. */
taut_status taut_loose_begin(taut_simulation *simulation);
/* The same from a state with which a run goes on, whose numbers are in use already: the equations
 * of what is loose there. And for such a state: where element i holds, with its name, of the arena.
 */
taut_status taut_loose_resume(taut_simulation *simulation, const taut_state *state,
                              taut_errors *errors);
taut_status taut_loose_note(const taut_simulation *simulation, int i, taut_arena *arena,
                            taut_state_number *place);
/* Goes over to the equations in which all contacts are open and what has let go is loose. */
taut_status taut_loose_follow(taut_simulation *simulation, taut_errors *errors);
/* Is element i, which had let go, engaged again at this instant? */
bool taut_loose_engages(const taut_simulation *simulation, int i);
/* Marks those of them that others hold already (idle), before impulses are found; and holds them,
 * after modes are chosen. */
taut_status taut_loose_engage(taut_simulation *simulation, taut_errors *errors);
taut_status taut_loose_rest(taut_simulation *simulation, const taut_touching *touching);
/* Lists that element i has let go, or has been engaged again, if its modes say so. */
taut_status taut_loose_list(taut_simulation *simulation, int i, int from, int to);
/* Before a step, where the condition has become poor: are other equations of what may let go idle
 * from here on, because others imply them? Then the stepper goes on with these (*changed). */
bool taut_loose_shares(const taut_simulation *simulation);
taut_status taut_loose_renew(taut_simulation *simulation, bool *changed, taut_errors *errors);
/* The impulse of what is engaged again, of which i is the first element, from impulses T of all
 * elements. */
double taut_loose_impulse(const taut_simulation *simulation, int i, const double *T);

/* ---- impact ---- */

/* Velocities behind an impact, if there is one; rows of the list of events. */
taut_status taut_contacts_strike(taut_simulation *simulation, taut_touching *touching, bool *struck,
                                 taut_errors *errors);
/* Behind an impact, with modes chosen: where all contacts stay closed, lists the end of what rocked
 * ever faster. */
taut_status taut_contacts_list_rest(taut_simulation *simulation, const taut_touching *touching);
/* Lists what joints transmit in an impact, if reactions are asked for: velocities jump by
 * jump[coordinates] under impulses N, T of what touches. */
taut_status taut_contacts_list_joints(taut_simulation *simulation, taut_touching *touching,
                                      const double *jump, const double *impulse);
/* Lists what happened to contact i, once an instant. */
taut_status taut_contacts_list(taut_simulation *simulation, int i, const char *kind,
                               double impulse);

#endif
