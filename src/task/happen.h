/* Events of a run: where one is, what it does, and how the motion goes on behind it
 * (docs/math/events.md). A step that contains an event ends there for everybody who looks; the next
 * step, of length zero, takes the motion to its other side. */
#ifndef TAUT_TASK_HAPPEN_H
#define TAUT_TASK_HAPPEN_H

#include "solve/event.h"
#include "solve/watched.h"
#include "task/simulation.h"

/* What is known of the function of an event. */
typedef struct taut_event_course {
    int side;      /* its sign, as far as it is known; 0: it is not */
    bool zero;     /* it is zero where the next step begins, and known to be */
    bool fresh;    /* nothing is known: a run begins */
    bool truth;    /* of a comparison */
    bool spent;    /* it happens once, and it has happened */
    bool fires;    /* now */
    bool fired;    /* at this instant */
    double before; /* value where the event is, ... */
    double noise;  /* ... and what of it is rounding */
    int way;       /* of the root that counts */
    double theta;  /* first root in the step that counts; > 1: none */
    int roots;     /* all of them in the step, ... */
    int next_side; /* ... and the side on which it leaves */
} taut_event_course;

struct taut_happen {
    taut_arena arena;
    const taut_prepared *prepared; /* what the following is made for */
    taut_watched *watched;
    taut_series *series; /* outputs: functions of events and boundaries, then assigned values */
    taut_state *state;   /* behind the event, while it is pending */
    taut_root_finder finder;
    taut_event_course *course;       /* [functions] of events, then boundaries of kinks */
    double *value;                   /* [functions] work space */
    long *piece;                     /* [lookups * TAUT_TABLE_AXES] which piece of a table holds */
    int flips;                       /* changes of pieces at the same instant, ... */
    double flipped;                  /* ... this one */
    const taut_model_lookup *blamed; /* whose piece has changed last; NULL: none */
    int kink;                        /* whose mode has changed last */
    bool bends;                      /* what has changed is in a constraint */
    double *looked; /* [functions * (samples + 1)] the same, for methods without series */
    bool pending;   /* the last step ends at an event: ... */
    double time;    /* ... here */
    double energy;  /* ... and what it is there before; NaN: there is none */
    bool halted;    /* an event has ended the run */
};

/* At the start of a run: what is true there. Nothing happens if the model has no events. */
taut_status taut_happen_begin(taut_simulation *simulation, taut_errors *errors);
/* Branches and pieces that suit a state from elsewhere, before it is looked at and gone on from. */
taut_status taut_happen_suit(taut_simulation *simulation, const taut_state *state,
                             taut_errors *errors);
/* A search for a state of rest leaves the branches and pieces of the start without noticing. */
taut_status taut_happen_refuse_rest(const taut_model *model, taut_errors *errors);
void taut_happen_free(taut_simulation *simulation);
/* After a step: cuts it at its first event, if there is one. */
taut_status taut_happen_look(taut_simulation *simulation, taut_errors *errors);
/* Do the modes of kinks suit the state? Assigns those that do not; *changed: some did not. */
taut_status taut_happen_set_modes(taut_simulation *simulation, bool *changed, taut_errors *errors);
/* Does what the pending event says, and starts the stepper behind it. */
taut_status taut_happen_fire(taut_simulation *simulation, taut_errors *errors);

static inline bool taut_happen_is_pending(const taut_simulation *s) {
    return s->happen && s->happen->pending;
}

/* ---- what these share ---- */

/* Events, boundaries of kinks, boundaries of the pieces of tables. */
static inline int taut_happen_functions(const taut_model *m) {
    return m->events + m->kinks + m->boundaries;
}
/* Is function i a boundary of a piece? */
static inline bool taut_happen_is_edge(const taut_model *m, int i) {
    return i >= m->events + m->kinks;
}
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
