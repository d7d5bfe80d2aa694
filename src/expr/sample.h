/* Values of nodes at several times at once: for looking at formulas between the points where a
 * solver evaluates them. */
#ifndef TAUT_EXPR_SAMPLE_H
#define TAUT_EXPR_SAMPLE_H

#include "expr/plain.h"

enum { TAUT_SAMPLES = 8 }; /* times at once */

/* What the caller gives: the order-th derivative of a variable, or of a node that contains more
 * than that (variable -1). */
typedef struct taut_sample_input {
    taut_node node;
    int variable, order;
} taut_sample_input;

typedef struct taut_sample {
    double time[TAUT_SAMPLES];
    int inputs;
    taut_sample_input *input;      /* [inputs] */
    double (*given)[TAUT_SAMPLES]; /* [inputs] set by the caller */
    double (*value)[TAUT_SAMPLES]; /* [targets] of plain */
    taut_plain plain;              /* the program, with the numbers of this sample */
    double (*slot)[TAUT_SAMPLES];  /* [size of the program] */
    double *number;                /* [taut_numbers_count] by origin */
} taut_sample;

/* A program for the values of target[]. Memory from arena. */
taut_status taut_sample_create(const taut_graph *graph, const taut_node *target, int targets,
                               taut_arena *arena, taut_sample *sample);
/* From now on with these values of the parameters, see taut_series_set_numbers. */
taut_status taut_sample_set_numbers(taut_sample *sample, const double *parameter);
/* Does target number i depend on t alone? */
bool taut_sample_is_timed(const taut_sample *sample, int i);
/* The values at time[], with what is given there. */
void taut_sample_find(taut_sample *sample);

#endif
