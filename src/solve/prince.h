/* Explicit formulas of order 8 with an estimate of order 7, by Prince and Dormand. */
#ifndef TAUT_SOLVE_PRINCE_H
#define TAUT_SOLVE_PRINCE_H

enum { TAUT_PRINCE_STAGES = 13 };

/* c, A by rows, b of order 8, d of order 7. */
typedef struct taut_prince {
    double c[TAUT_PRINCE_STAGES], A[TAUT_PRINCE_STAGES * TAUT_PRINCE_STAGES];
    double b[TAUT_PRINCE_STAGES], d[TAUT_PRINCE_STAGES];
} taut_prince;

void taut_prince_fill(taut_prince *p);

#endif
