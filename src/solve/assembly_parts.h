/* What the search for assemblies and its optimisation problem share. Private to the room. */
#ifndef TAUT_SOLVE_ASSEMBLY_PARTS_H
#define TAUT_SOLVE_ASSEMBLY_PARTS_H

#include "solve/assembly.h"
#include "solve/nlp.h"

/* A second derivative: of a row, or (row -1) of what the guesses beyond the unknowns add. */
typedef struct taut_bend {
    int row, p, q; /* columns p >= q */
    int output;
} taut_bend;

struct taut_assembler {
    taut_stage *rows, *all;
    taut_stage own; /* rows, at work in `series` */
    taut_arena arena, *out;
    const double *guess;  /* [columns] */
    const double *start;  /* [columns] */
    double *size;         /* [columns] */
    taut_series *series;  /* evaluates the second derivatives as well; NULL: not yet needed */
    int pull;             /* output: 1/2 sum of squares of the guesses' conditions; -1: none */
    taut_gradient *slope; /* [slopes] its derivatives; variable: column */
    int slopes;
    taut_bend *bend; /* [bends] */
    int bends;
    int *kept;   /* [rows] place of a row among the independent ones, -1: not one of them */
    double *tau; /* [rows] what residuals are divided by */
    double *z;   /* [columns] */
    taut_nlp nlp;
    bool no_optimiser; /* there is no IPOPT */
};

/* A condition that is a guess, at a row of `all`? */
bool taut_assembler_is_guess(const taut_stage *all, int row);
/* The problem with its series, which has second derivatives; made when it is first needed. */
taut_status taut_assembler_set_up(taut_assembler *assembler);

#endif
