/* The inner loops (kernels) of Taylor arithmetic, dispatched at run time. Private to the room. */
#ifndef TAUT_EXPR_KERNELS_H
#define TAUT_EXPR_KERNELS_H

#include "expr/jet.h"

/* How a convolution is computed: by itself; with the next one; from what was found with the last.
 */
typedef enum taut_turn { TAUT_TURN_ALONE, TAUT_TURN_FIRST, TAUT_TURN_SECOND } taut_turn;

/* See taut_jet_stage, taut_jet_open, taut_jet_finish. */
void taut_kernels_stage(taut_jet *jet, int s);
void taut_kernels_open(taut_jet *jet, int s);
void taut_kernels_finish(taut_jet *jet, int s);
/* The same with two, four and eight lanes at a time. */
void taut_stage_by_two(taut_jet *jet, int s);
void taut_open_by_two(taut_jet *jet, int s);
void taut_finish_by_two(taut_jet *jet, int s);
void taut_stage_by_four(taut_jet *jet, int s);
void taut_open_by_four(taut_jet *jet, int s);
void taut_finish_by_four(taut_jet *jet, int s);
void taut_stage_by_eight(taut_jet *jet, int s);
void taut_open_by_eight(taut_jet *jet, int s);
void taut_finish_by_eight(taut_jet *jet, int s);
/* Fresh copies of all operands, up to stage s. */
void taut_kernels_repack(taut_jet *jet, int s);

#endif
