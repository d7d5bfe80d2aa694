/* Newton's matrix of a lifted step: sums of given numbers, factored as a dense staircase or by KLU.
 */
#ifndef TAUT_SOLVE_NEWTON_H
#define TAUT_SOLVE_NEWTON_H

#include "core/sparse.h"
#include "core/stairs.h"

/* What one number contributes: factor h^-power *source, added to an entry. */
typedef struct taut_newton_term {
    const double *source; /* read at every factorisation */
    double factor;
    int power, row, column;
    int target; /* for newton.c: where it goes */
} taut_newton_term;

typedef struct taut_newton {
    int size;
    taut_newton_term *term; /* [terms] */
    int terms;
    int highest; /* power */
    bool dense;
    taut_stairs stairs; /* dense */
    int *start, *row;   /* sparse: compressed columns */
    double *value;
    taut_lu *lu;
} taut_newton;

/* term (terms) and reach (size, see core/stairs.h) must outlive it; dense: whether to use reach.
 * Memory is from arena; free it nevertheless. larger: a larger one that is used in turns with it
 * and shares what memory it can, or NULL. */
taut_status taut_newton_create(int size, taut_newton_term *term, int terms, const int *reach,
                               bool dense, const taut_newton *larger, taut_arena *arena,
                               taut_newton *w);
void taut_newton_free(taut_newton *w);
/* Adds up the matrix and factors it. TAUT_SINGULAR. */
taut_status taut_newton_factor(taut_newton *w, double h);
/* Replaces b (size), given by rows, by the solution, by columns. */
void taut_newton_solve(const taut_newton *w, double *b);

#endif
