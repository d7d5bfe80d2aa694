/* What taut makes of a model, before anything is solved. */
#ifndef TAUT_TASK_ANALYZE_H
#define TAUT_TASK_ANALYZE_H

#include "task/doctor.h"
#include "task/prepare.h"

typedef struct taut_analysis {
    taut_prepared prepared; /* problem, structure, redundancy */
    taut_prepared assembly; /* other formulations than natural: what finds the start for them */
    bool applicable;        /* J is regular at arbitrary points */
    int mobility;           /* -1: has no meaning */
    const char **mode;      /* [contacts] which hold at the start, in words; NULL: nobody knows */
    taut_arena arena;
    taut_problem *patient;    /* what the doctor looked at; NULL: not a mechanism, ... */
    taut_diagnosis diagnosis; /* ... and what it found */
} taut_analysis;

/* Fills *analysis (formulation NULL: natural, or the file's own equations; cut: as in
 * taut_forming), which is to be released even after an error: on TAUT_ERR_INPUT the signature
 * matrix and the diagnosis may be there. */
taut_status taut_analysis_create(const taut_model *model, const taut_formulation *formulation,
                                 const char *cut, taut_analysis *analysis, taut_errors *errors);
void taut_analysis_release(taut_analysis *analysis);
/* first_modes.c: which modes hold at the start; formulation: its name, NULL: natural. */
taut_status taut_analysis_modes(const taut_model *model, const char *formulation,
                                taut_analysis *analysis);

#endif
