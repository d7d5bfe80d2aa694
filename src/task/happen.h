/* Events of a run: where one is, what it does, and how the motion goes on behind it
 * (docs/math/events.md). A step that contains an event ends there for everybody who looks; the next
 * step, of length zero, takes the motion to its other side. */
#ifndef TAUT_TASK_HAPPEN_H
#define TAUT_TASK_HAPPEN_H

#include "form/contact.h"
#include "solve/event.h"
#include "solve/exclude.h"
#include "solve/watched.h"
#include "task/simulation.h"

/* What is known of the function of an event. */
typedef struct taut_event_course {
    int side;      /* its sign, as far as it is known; 0: it is not */
    bool zero;     /* it is zero where the next step begins, and known to be, ... */
    int zeros;     /* ... and so are at least so many of its derivatives, itself included */
    double floor;  /* a value that is no larger is rounding, where it is zero at first, ... */
    double drift;  /* ... by forces that cancel, a second derivative, too; ... */
    double bend;   /* ... the largest second derivative so far ... */
    bool faint;    /* ... and it has no larger value in the step: it is zero behind it as well */
    bool silent;   /* it is zero as long as others stay as they are: nobody looks at it */
    bool fresh;    /* nothing is known: a run begins */
    bool truth;    /* of a comparison */
    bool spent;    /* it happens once, and it has happened */
    bool fires;    /* now */
    bool fired;    /* at this instant */
    double rest;   /* what its value is at its own root; 0: it has none there */
    double before; /* value where the event is, ... */
    double noise;  /* ... and what of it is rounding */
    int leaves;   /* methods without series: the side to which it leaves its zero; 0: it has left */
    double size;  /* ... the largest value so far */
    int way;      /* of the root that counts */
    double theta; /* first root in the step that counts; > 1: none */
    int roots;    /* all of them in the step, ... */
    int next_side; /* ... and the side on which it leaves */
} taut_event_course;

struct taut_happen {
    taut_arena arena;
    const taut_prepared *prepared; /* what the following is made for */
    taut_excluder *excluder;
    taut_watched *watched;
    taut_series *series; /* outputs: functions of events and boundaries, then assigned values */
    taut_state *state;   /* behind the event, while it is pending */
    taut_root_finder finder;
    double good;               /* up to this part of the step polynomials of guards are good, ... */
    double *part;              /* ... and one of them over that part */
    bool *steady;              /* [functions] made of numbers alone: it changes at events only */
    taut_event_course *course; /* [functions] */
    double *value;             /* [functions] work space */
    long *piece;               /* [lookups * TAUT_TABLE_AXES] which piece of a table holds */
    int flips;                 /* changes of pieces at the same instant, ... */
    double flipped;            /* ... this one */
    const taut_model_lookup *blamed; /* whose piece has changed last; NULL: none */
    int kink;                        /* whose mode has changed last */
    bool bends;                      /* what has changed is in a constraint */
    double *looked;  /* [functions * (samples + 1)] the same, for methods without series */
    double *samples; /* [controllers] how many samples each has taken */
    bool *due;       /* [controllers] does it take one now? */
    int repeats;     /* events in a row at one and the same time, ... */
    double last;     /* ... which is this */
    bool pending;    /* the last step ends at an event or a sample: ... */
    double time;     /* ... here */
    double energy;   /* ... and what it is there before; NaN: there is none */
    bool halted;     /* an event has ended the run */
};

/* At the start of a run: what is true there. from: the state that goes on, with the samples that
 * controllers have taken; NULL: a run begins. Nothing happens if the model has no events. */
taut_status taut_happen_begin(taut_simulation *simulation, const taut_state *from,
                              taut_errors *errors);
/* Branches and pieces that suit a state from elsewhere, before it is looked at and gone on from. */
taut_status taut_happen_suit(taut_simulation *simulation, const taut_state *state,
                             taut_errors *errors);
void taut_happen_free(taut_simulation *simulation);
/* After a step: cuts it at its first event, if there is one. */
taut_status taut_happen_look(taut_simulation *simulation, taut_errors *errors);
/* Before a step: it goes no further than to the next sample. */
taut_status taut_happen_aim(taut_simulation *simulation);
/* Does what the pending event says, and starts the stepper behind it. */
taut_status taut_happen_fire(taut_simulation *simulation, taut_errors *errors);

static inline bool taut_happen_is_pending(const taut_simulation *s) {
    return s->happen && s->happen->pending;
}

/* ---- what these share ---- */

/* Events, boundaries of kinks, boundaries of the pieces of tables, guards of contacts. */
static inline int taut_happen_first_guard(const taut_model *m) {
    return m->events + m->kinks + m->boundaries;
}
static inline int taut_happen_functions(const taut_model *m) {
    return taut_happen_first_guard(m) + TAUT_GUARDS * m->contacts;
}
/* Is function i a boundary of a piece? */
static inline bool taut_happen_is_edge(const taut_model *m, int i) {
    return i >= m->events + m->kinks && i < taut_happen_first_guard(m);
}
/* A function is on this side now: comparisons are true above zero. */
static inline void taut_happen_note_side(const taut_model *m, taut_event_course *x, int i,
                                         int side) {
    if (i < m->events && m->event[i].condition != TAUT_WHEN_ZERO && side != 0) x->truth = side > 0;
}
/* What looks for events in the equations in use. */
taut_status taut_happen_equip(taut_simulation *simulation);
/* Which of the functions are made of numbers alone in the equations in use. */
void taut_happen_find_steady(taut_simulation *simulation);

/* ---- sampling ---- */

/* How many samples each controller has taken, at the start. */
taut_status taut_sampling_begin(taut_simulation *simulation, const taut_state *from,
                                taut_errors *errors);
/* Marks the controllers that take a sample at this time; false: none. */
bool taut_sampling_mark(taut_simulation *simulation, double time);
/* The time of the next sample, the end of the run if it cannot be told from that; infinite: there
 * is none. */
double taut_sampling_next(const taut_simulation *simulation);

/* ---- kinks: which branches of formulas with kinks hold ---- */

/* Do they suit the state? Assigns those that do not; *changed: some did not. */
taut_status taut_kinks_suit(taut_simulation *simulation, bool *changed, taut_errors *errors);
/* Behind an event: which boundaries the motion is at, as far as rounding can tell. */
taut_status taut_kinks_weigh(taut_simulation *simulation);
/* Changes that of a kink whose boundary is crossed. */
taut_status taut_kinks_cross(taut_simulation *simulation, int kink, taut_errors *errors);
/* Is the boundary's value, after a jump, one of another branch? */
bool taut_kinks_is_wrong(const taut_simulation *simulation, int kink, double boundary,
                         bool is_steady);
/* The side of its boundary that goes with the branch that holds: 1 or -1. */
int taut_kinks_side(const taut_simulation *simulation, int kink);
/* Behind an event: boundaries that were reached and are left on the side from which they came, by
 * what the event did, go back to their branch (*changed); one that both branches lead back to is an
 * error. */
taut_status taut_kinks_turn_back(taut_simulation *simulation, bool *changed, taut_errors *errors);

/* Lists an event of the model, and marks it at the axis of time. */
taut_status taut_happen_note(taut_simulation *simulation, int event, double t, const char *kind);
/* Parameters get new values, everywhere. */
taut_status taut_happen_set_numbers(taut_simulation *simulation, const int *which,
                                    const double *value, int count);
/* Changes numbers that the file does not name; name: for a message, with its place. */
typedef struct taut_happen_change {
    const int *which; /* [count] */
    const double *value;
    int count;
    taut_place place;
} taut_happen_change;
taut_status taut_happen_change_numbers(taut_simulation *simulation,
                                       const taut_happen_change *change, taut_errors *errors);

/* ---- pieces of tables (relocate.c) ---- */

/* Chooses the pieces that suit the state; *changed: some did not. */
taut_status taut_happen_set_pieces(taut_simulation *simulation, bool *changed, taut_errors *errors);
/* Those whose boundaries fire go on to the next one; *changed: some did. */
taut_status taut_happen_cross(taut_simulation *simulation, bool *changed, taut_errors *errors);
/* After a round: where arguments are in their pieces now; true: one has jumped out of its own. */
bool taut_happen_judge_edges(taut_simulation *simulation);
/* Who blames whom for a jump of the state: the lookup that has changed last; NULL: none. */
const taut_model_lookup *taut_happen_blamed(const taut_simulation *simulation);
/* Puts h->state at the constraints and finds everything there. */
taut_status taut_happen_settle(taut_simulation *simulation, bool project, taut_errors *errors);
/* Values of the state that actions assign (which [count] of the model's, value): velocities with
 * the least change of the others in the kinetic metric (jump.c). */
taut_status taut_happen_jump(taut_simulation *simulation, const int *which, const double *value,
                             int count, taut_errors *errors);

#endif
