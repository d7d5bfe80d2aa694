/* The section `Trim`: what an equilibrium may change, and what it is to satisfy. */
#ifndef TAUT_MODEL_TRIM_H
#define TAUT_MODEL_TRIM_H

#include "model/reader.h"

/* Is this listed under Free? */
bool taut_is_free(const taut_model *model, const char *name);
/* The names under Free, i = 0, 1, ...; NULL after the last. */
const char *taut_free_name(const taut_model *model, int i);
/* The parameter that a driver of this name follows where its value is free. */
const char *taut_driver_parameter(taut_model *model, const char *name);
/* Parameters for drivers whose values are free (taut_variation), after all others; and what a
 * driver is to follow instead of its formula: *given, if there is something. */
taut_status taut_read_driver_values(taut_reader *reader);
/* The parameters of a driver that is an input, and what they add to what it follows. */
const char *taut_driver_input(taut_model *model, const char *name, int order);
taut_status taut_add_driver_input(taut_reader *reader, const char *name, taut_vec *wanted);
taut_status taut_find_driver_value(taut_reader *reader, const char *name, bool *given,
                                   taut_vec *value);
/* Checks the section; where it is to be met, what is wanted becomes outputs that are to be 0. */
taut_status taut_read_trim(taut_reader *reader);

#endif
