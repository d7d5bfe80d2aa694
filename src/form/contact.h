/* Contacts, limits and friction in the unknowns of a problem. Each has a normal force N and a
 * tangential one T as unknowns; what modes exchange are their equations alone:
 *
 *   open      N = 0,    T = 0
 *   sticks    gap = 0,  along = what it was when sticking began
 *   slides    gap = 0,  T = -mu N (up), mu N (down)
 *
 * in space T and along have two components (of a ball joint three), and T = -mu N (rate of
 * along)/|rate of along|;
 * so unknowns and columns are the same for all modes (docs/math/contact.md). */
#ifndef TAUT_FORM_CONTACT_H
#define TAUT_FORM_CONTACT_H

#include "expr/diff.h"
#include "form/assemble.h"
#include "solve/touch.h"

enum { TAUT_GUARDS = 3 }; /* functions of a contact whose passing zero ends its mode */

/* Numbers of a contact that runs want to know: nodes of the problem. */
typedef enum taut_contact_part {
    TAUT_CONTACT_GAP,
    TAUT_CONTACT_ALONG,
    TAUT_CONTACT_ALONG_2, /* in space: the other direction, ... */
    TAUT_CONTACT_ALONG_3, /* ... and of a ball joint the third one */
    TAUT_CONTACT_RESTITUTION,
    TAUT_CONTACT_SLIP_UP,
    TAUT_CONTACT_SLIP_DOWN,
    TAUT_CONTACT_STICK,
    TAUT_CONTACT_GATE, /* 0: a lock that is not engaged; of all others 1 */
    TAUT_CONTACT_PARTS
} taut_contact_part;

typedef struct taut_formed_contact {
    taut_node part[TAUT_CONTACT_PARTS]; /* a number where it has no such part */
    bool normal, rough, rigid;
    int ways;                         /* directions in which it is rough: 2 or 3 in space */
    bool rates;                       /* `along` are the sliding velocities themselves */
    bool firm;                        /* a lock that holds whatever comes */
    taut_node force[TAUT_TOUCH_ROWS]; /* N, T1, ...: unknowns, formulas of compliant ones, or 0 */
    int row[TAUT_TOUCH_ROWS];         /* these as unknowns; -1: none */
    taut_node hold[TAUT_TOUCH_WAYS];  /* what along is while it sticks */
    taut_node way[TAUT_TOUCH_WAYS];   /* a direction of slip, or what part of N friction is while
                                         others hold it */
    taut_node lean;                   /* 1 or -1, the sign of way[2] */
    taut_node calm;                   /* a rate across its direction that is rounding */
    taut_node pressed;
    taut_node mode;
    int turn;                  /* a circle on a curve: its angle as an unknown; -1: it is none, */
    taut_node profile, facing; /* ... and what that makes least, or zero */
    /* friction by the load of a joint: N is the length of this vector */
    int loads;
    int load[3];       /* [loads] unknowns; -1: it is 0 whatever comes */
    int moment[3];     /* [loads] unknowns, of which a part is added to these: ... */
    double lever;      /* ... this; 0: nothing is */
    double load_scale; /* times this number */
    taut_node least;   /* a load so small is none */
} taut_formed_contact;

/* Setting off in space: how far the rate may turn away from friction, and what part of friction may
 * be aside from its line. The error of the motion is of second order in the former, and of third
 * order in the latter: it lasts as long as it is large. */
#define TAUT_CONTACT_TURN 3e-7
#define TAUT_CONTACT_ASIDE 5e-5

/* Does it have row k: N, T1, ...? And what is that called? */
static inline bool taut_contact_has_row(const taut_formed_contact *x, int k) {
    return k == 0 ? x->normal : k <= x->ways;
}
static inline const char *taut_contact_row_name(const taut_formed_contact *x, int k) {
    static const char *const NAME[TAUT_TOUCH_ROWS] = {"N", "T1", "T2", "T3"};
    return k > 0 && x->ways == 1 ? "T" : NAME[k];
}

/* Adds the unknown forces; when all other variables are known. */
taut_status taut_contacts_add_unknowns(taut_problem *problem);
/* The mode with which it is formed unless others are asked for: what breaks is engaged. */
int taut_contact_first_mode(const taut_model_contact *contact);
/* How many unknowns that are. */
int taut_contacts_unknowns(const taut_model *model);
/* What the formulas of the model are in the problem. */
typedef taut_status taut_import_fn(void *user, taut_node formula, taut_place place,
                                   taut_node *node);
/* Finds gaps and the other parts, after the unknowns are there; they may depend on positions of the
 * variables 0 .. known-1 and on t alone. */
taut_status taut_contacts_import(taut_problem *problem, taut_import_fn *import, void *user,
                                 int known, taut_errors *errors);
/* The equations of the unknown forces as number *n, *n + 1, ... in these modes (taut_touch_mode),
 * NULL: the first ones; and what guards the modes. */
taut_status taut_contacts_add_equations(taut_problem *problem, const int *mode, int *n);
/* Guesses for the angles of circles on curves among the initial values, which have room for one a
 * contact. */
void taut_contacts_guess(taut_problem *problem);
void taut_contacts_add_columns(taut_problem *problem);
/* loose.c: what may let go and is closed in these modes: its equations at the numbers of their
 * forces, and which of them are drivers, or engaged only now (late [contacts]; NULL: none). */
typedef struct taut_engaged {
    taut_node *node;     /* [first_constraint] TAUT_NO_NODE: not one of these; NULL: none is */
    bool *driver, *late; /* [first_constraint] */
} taut_engaged;
taut_status taut_problem_engaged(taut_problem *problem, const int *mode, const bool *late,
                                 taut_arena *arena, taut_engaged *engaged);
/* curved.c: are momenta, momentum [coordinates], linear in the derivatives of this order of the
 * variables first .. first + coordinates - 1? What is not is noted in the problem. */
taut_status taut_contacts_note_masses(taut_problem *problem, taut_sweep *sweep,
                                      const taut_node *momentum, int first, int order);
/* The power of what presses, or of what rubs, with what gaps that move by themselves do, added to
 * *power. */
taut_status taut_contacts_power(taut_problem *problem, taut_sweep *sweep, int known, bool rubs,
                                taut_node *power);
/* Does one of them take or bring energy? */
taut_status taut_contacts_are_open(const taut_problem *problem, int known, bool *open);

#endif
