/* Products of sparse matrices with vectors, TAUT_ABREAST of them side by side. The sums of a
 * product are taken up to four at a time, so that they stay in registers and a number of the vector
 * is read once for all of them: sums that have much the same terms go together, with zeros where
 * one of them lacks a term that others have. */
#ifndef TAUT_CORE_PANELS_H
#define TAUT_CORE_PANELS_H

#include "core/abreast.h"
#include "core/arena.h"

enum { TAUT_PANEL_SUMS = 4, TAUT_PANEL_CLASSES = 8, TAUT_PANELS_MOST = 64 };

typedef struct taut_panels {
    int count;
    int *sums;            /* [count] how many are in a panel, ... */
    int *sum;             /* [count * TAUT_PANEL_SUMS] ... and which ones */
    int *start;           /* [count * TAUT_PANEL_CLASSES + 1] terms of the classes of a panel */
    int *term;            /* which number of the vector a term has */
    int *first;           /* [count] where the factors of a panel begin */
    taut_abreast *factor; /* those of a term one behind the other */
    int *place;           /* [entries] where the entries of the matrix are among the factors */
} taut_panels;

/* For up to n sums of n terms, n <= TAUT_PANELS_MOST; false: no memory. */
bool taut_panels_create(int n, taut_arena *arena, taut_panels *p);
/* Entry e is a factor of term[e] in the sum number sum[e] < n. classes: for
 * taut_panels_multiply_by_classes. */
void taut_panels_plan(taut_panels *p, int n, int entries, const int *sum, const int *term,
                      bool classes);
void taut_panels_fill(taut_panels *p, int entries, const taut_abreast *value);
/* to[i] becomes sum i over x: its terms one after the other, from 0 on. */
void taut_panels_multiply(const taut_panels *p, const taut_abreast *x, taut_abreast *to);
/* The same with the sums of core/small_loops.h over lanes: of every eighth term, and then of these
 * by halves. */
void taut_panels_multiply_by_classes(const taut_panels *p, const taut_abreast *x, taut_abreast *to);

#endif
