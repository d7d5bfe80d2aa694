/* Actuators as unknowns of a prescribed motion. */
#ifndef TAUT_MODEL_ACTUATORS_H
#define TAUT_MODEL_ACTUATORS_H

#include "model/reader.h"

/* Lists the names that are asked for below; before any other part of the file is read. */
taut_status taut_list_actuators(taut_model *model);
/* Is this one of the Inputs that are unknowns in this reading of the file? */
bool taut_is_actuator(const taut_model *model, const char *name);
/* The actuators, behind the other unknowns that are not coordinates. */
taut_status taut_read_actuators(taut_reader *reader);
/* What a key means that something is wanted of: a name, with primes for a rate. */
taut_status taut_find_moved(taut_reader *reader, const taut_yaml *key, taut_vec *value);
/* The rest of the section, when every name is known. */
taut_status taut_read_inverse(taut_reader *reader);

#endif
