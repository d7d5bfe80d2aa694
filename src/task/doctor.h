/* The model doctor: what can move, what is held twice, what is driven twice, and where the loops
 * are (docs/math/redundancy.md, section 4). */
#ifndef TAUT_TASK_DOCTOR_H
#define TAUT_TASK_DOCTOR_H

#include "core/text.h"
#include "form/assemble.h"

typedef enum taut_verdict {
    TAUT_VERDICT_HEALTHY,
    TAUT_VERDICT_RIGID,           /* nothing can move, and nothing drives it */
    TAUT_VERDICT_OVERCONSTRAINED, /* joints hold directions more than once */
    TAUT_VERDICT_SINGULAR,        /* constraints depend on each other at the start only */
    TAUT_VERDICT_OVERDRIVEN,      /* a driver prescribes what is prescribed or held already */
    TAUT_VERDICT_UNPLACED,        /* no initial position was found */
    TAUT_VERDICT_UNEXAMINED       /* too large, or with values that are not finite */
} taut_verdict;

/* A joint that shares in forces which balance by themselves: components of force and torque. */
typedef struct taut_held {
    const char *name;
    int line;
    bool part[6]; /* Fx Fy Fz Tx Ty Tz */
} taut_held;
typedef struct taut_helds {
    taut_held *item;
    int count;
} taut_helds;

/* A point that can move: along a direction (freedom 1), normal to it (2 in space), or anyhow. */
typedef struct taut_mobile {
    const char *name;
    int freedom;
    double direction[3];
} taut_mobile;

/* A driver that prescribes what another one does, or what joints hold (other: NULL). */
typedef struct taut_conflict {
    const char *name, *other;
    taut_place place;
    int other_line;
} taut_conflict;

/* Joints around a loop. */
typedef struct taut_loop {
    const char **joint; /* [joints] */
    int joints;
} taut_loop;

typedef struct taut_diagnosis {
    taut_verdict verdict;
    int dimension;
    int bodies, points;           /* that have freedom */
    int freedom;                  /* of all of them, if nothing held them */
    int joints, drivers, others;  /* conditions: of joints, of drivers, of formulas */
    int mobility, start_mobility; /* by rank, in general position and at the start */
    int redundant;                /* conditions that follow from others, in general position */
    taut_helds held;              /* by whom */
    taut_helds strained;          /* a singular start: who takes part */
    taut_mobile *mobile;          /* [mobiles] at the start */
    int mobiles;
    taut_conflict *conflict; /* [conflicts] */
    int conflicts;
    taut_loop *loop; /* [loops] independent ones */
    int loops;
} taut_diagnosis;

/* Examines a mechanism; everything is in arena, but names belong to the model and to *problem,
 * which is to be freed after the diagnosis. TAUT_ERR_INPUT if the model cannot be formed. */
taut_status taut_doctor_examine(const taut_model *model, taut_arena *arena, taut_problem **problem,
                                taut_diagnosis *diagnosis);
/* Degrees of freedom by counting. */
int taut_diagnosis_count(const taut_diagnosis *diagnosis);
/* One sentence, for a message; false: there is nothing to say. */
bool taut_diagnosis_explain(const taut_diagnosis *diagnosis, taut_string *out);

/* Adds to errors what the doctor has to say about a mechanism that cannot start. TAUT_ERR_MEMORY.
 */
taut_status taut_doctor_advise(const taut_model *model, taut_errors *errors);

/* loops.c */
taut_status taut_find_loops(const taut_reactions *reactions, taut_arena *arena,
                            taut_diagnosis *diagnosis);

#endif
