/* Assemblies: points that satisfy a stage, the nearest ones to the guesses, and several of them
 * (docs/math/consistent.md, sections 4 to 6). For guesses from which Gauss-Newton does not get
 * there, or not nearby. */
#ifndef TAUT_SOLVE_ASSEMBLY_H
#define TAUT_SOLVE_ASSEMBLY_H

#include "solve/stage.h"

/* How the unknowns of a stage may be looked for; bits. */
typedef enum taut_methods {
    TAUT_BY_GAUSS_NEWTON = 1,
    TAUT_BY_IPOPT = 2,
    TAUT_BY_HOMOTOPY = 4,
    TAUT_BY_STARTS = 8, /* perturbed ones, if nothing else helps or if the nearest is not clear */
    TAUT_BY_ALL = 15
} taut_methods;

typedef struct taut_search {
    int methods; /* taut_methods */
    int starts;  /* so many perturbed starts in any case; 0: only if they are needed */
} taut_search;

/* Both stages must outlive it: `rows` without, `all` with the conditions that are guesses. */
typedef struct taut_assembler taut_assembler;

/* One that was found. */
typedef struct taut_found {
    double distance; /* from the guesses, relative to the size of the model */
    double *z;       /* [columns] */
    double *turn;    /* [guess conditions of the stage, in their order] how far off they are */
} taut_found;

typedef struct taut_found_list {
    taut_found *item; /* nearest first */
    int count;
} taut_found_list;

/* guess (columns): the values to stay near; start (columns): where the search begins, which is
 * where the series is. Both must outlive it. Memory for what is found comes from arena. */
taut_status taut_assembler_create(taut_stage *rows, taut_stage *all, const double *guess,
                                  const double *start, taut_arena *arena,
                                  taut_assembler **assembler);
void taut_assembler_free(taut_assembler **assembler);
/* Sizes of the unknowns (columns): the largest value in the group of each. */
const double *taut_assembler_size(const taut_assembler *assembler);
/* How far the series' point is from the guesses: the distance, and the largest single change. */
void taut_assembler_distance(taut_assembler *assembler, double *distance, double *largest);
/* From the series' point to the nearest one to the guesses that satisfies the stage, to rounding.
 * *found: there; otherwise the series' point is somewhere. */
taut_status taut_assembler_nearest(taut_assembler *assembler, bool *found);
/* The Lagrangian function distance^2/2 + sum of lambda (rows) * rows at z (columns) and its first
 * and second derivatives (columns; columns x columns), all in units of size: for tests. */
taut_status taut_assembler_lagrangian(taut_assembler *assembler, const double *z,
                                      const double *lambda, double *value, double *gradient,
                                      double *hessian);

/* Looks for assemblies after Gauss-Newton has ended at the series' point with `outcome`, and leaves
 * the nearest one in the series (*outcome becomes TAUT_MET). list: those that were found. */
taut_status taut_assembler_search(taut_assembler *assembler, const taut_search *search,
                                  taut_outcome *outcome, taut_found_list *list);

#endif
