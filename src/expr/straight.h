/* A jet's program as straight lines of C: the same operations as the kernels', but nothing is
 * looked up, and places are numbers in the code. Numbers that depend on parameters are read where
 * the layout keeps them, so the text depends on structure alone.
 *
 * Results are not those of the kernels in their last bits: sums run in another order, and the
 * compiler may fuse products into them. */
#ifndef TAUT_EXPR_STRAIGHT_H
#define TAUT_EXPR_STRAIGHT_H

#include "core/text.h"
#include "expr/jet.h"
#include "expr/point.h"

/* What the functions read and write; the last line is for the solutions (solve/straight.h). In C
 * that stands in the text as well, word by word. */
#define TAUT_STRAIGHT_NUMBERS                                                                      \
    double *y, *steady, t, h;                                                                      \
    const double *shift, *factor;                                                                  \
    const char *bases, *all, *opening, *bases_factor, *all_factor, *opening_factor, *value,        \
        *start, *convolution;                                                                      \
    const double *point, *point_factor;                                                            \
    const char *point_column;                                                                      \
    double (*operation)(int, double, double);                                                      \
    const double *lower, *upper, *pivot, *scale;                                                   \
    const int *row;                                                                                \
    const void *factors;                                                                           \
    double *rows;                                                                                  \
    void (*correct)(void *, int);                                                                  \
    void *user;                                                                                    \
    int bad;
typedef struct taut_straight_numbers {
    TAUT_STRAIGHT_NUMBERS
} taut_straight_numbers;

/* Stages first .. last as functions, and their numbers. */
typedef struct taut_straight {
    int first, last;
    bool complete; /* a stage is finished as it is, and what is not here is NULL: */
    taut_straight_numbers numbers;
    void (*stage)(taut_straight_numbers *, double *coef, int s);
    void (*finish)(taut_straight_numbers *, double *coef, int s);
    void (*jacobian)(taut_straight_numbers *, double *coef, double *J);
    void (*extend)(taut_straight_numbers *, double *coef, int from, int last); /* by solve */
} taut_straight;

/* Can it be written? Not where orders 0 appear at stages above 0. */
bool taut_straight_fits(const taut_jet *jet);
/* Vectors and numbers: the beginning of the text. */
void taut_straight_begin(taut_string *text);
void taut_straight_number(taut_string *text, double x);
/* The first lines of a function of the numbers n, of coef, which is C, and what else it is given.
 */
void taut_straight_enter(taut_string *text, const char *name, const char *parameters);
/* Functions `stage` and `finish`. TAUT_ERR_MEMORY. */
taut_status taut_straight_stages(taut_string *text, const taut_jet *jet);
/* Function `see`: stages up to `last`, none above 0, of a jet whose variables are known and never
 * corrected. */
taut_status taut_straight_sights(taut_string *text, const taut_jet *jet, int last);
/* Function `jacobian`, of the program for J and the jet that it reads; and what it needs. */
taut_status taut_straight_point(taut_string *text, const taut_point *point, const taut_jet *jet);
void taut_straight_use_point(taut_straight *straight, const taut_point *point);
/* Two parts of a function for any stage s >= 1, with the numbers in n, between which the stage is
 * solved: `open` finds residuals and asks for each of them, by the names that taut_straight_opened
 * writes; `close` begins with newest orders of variables, which are taut_straight_newest. */
typedef struct taut_straight_pen taut_straight_pen;
taut_status taut_straight_pen_create(taut_string *text, const taut_jet *jet,
                                     taut_straight_pen **created);
void taut_straight_pen_free(taut_straight_pen **pen);
void taut_straight_open(taut_straight_pen *pen);
/* Before a loop over such stages, from stage `from` on: local variables that they hand on. */
void taut_straight_carry(taut_straight_pen *pen);
void taut_straight_opened(taut_straight_pen *pen, int slot);
void taut_straight_newest(taut_straight_pen *pen, int slot);
void taut_straight_close(taut_straight_pen *pen);
/* So many lanes of the block of coefficients that begins here are read at once. */
int taut_straight_width(const taut_straight_pen *pen, int block);
/* From now on by these functions, which stay; fills in their numbers but for those of solutions. */
void taut_straight_use(taut_jet *jet, taut_straight *straight);
/* Compiled code has finished a stage: all of its orders are where they are read. */
static inline void taut_straight_finished(taut_jet *jet) {
    jet->fresh = false;
    jet->ahead = jet->uncopied = TAUT_NO_STAGE;
}
/* Their numbers, at the present point. */
taut_straight_numbers *taut_straight_at(const taut_jet *jet);
/* Orders that the kernels have found go where convolutions read them. */
void taut_straight_join(taut_jet *jet);

#endif
