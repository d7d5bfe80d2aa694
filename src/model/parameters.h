/* The numbers of a model: parameters and initial values, as the file gives them or as somebody has
 * set them. Parameter i is number i, the i-th initial value number parameters + i. */
#ifndef TAUT_MODEL_PARAMETERS_H
#define TAUT_MODEL_PARAMETERS_H

#include "model/model.h"

/* How many there are. */
int taut_model_numbers(const taut_model *model);
/* number[]: every one that is not set (bool set[]) by its formula, of those that are set and of
 * each other. Both have one entry a number; work has room for taut_model_number_work of them. */
void taut_model_fill_numbers(const taut_model *model, const bool *set, double *number,
                             double *work);
size_t taut_model_number_work(const taut_model *model);
/* All of them when none is set, in memory of the arena; NULL: there is no memory. */
const double *taut_model_own_numbers(const taut_model *model, taut_arena *arena);
/* A parameter by its name, when none is set; NaN: there is no such number, or no memory. */
double taut_model_number(const taut_model *model, const char *name);
/* The number of a parameter, or of the initial value with this name and these primes that the model
 * lists; -1: there is none. */
int taut_model_find_parameter(const taut_model *model, const char *name);
int taut_model_find_initial(const taut_model *model, const char *name);

/* Private to the room: which nodes the formulas of numbers consist of, once all are read. */
taut_status taut_model_list_numbers(taut_model *model);

#endif
