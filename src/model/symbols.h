/* The one namespace of a model: what each name means, found out when it is first asked for. */
#ifndef TAUT_MODEL_SYMBOLS_H
#define TAUT_MODEL_SYMBOLS_H

#include "model/model.h"

/* Where a formula stands: a node of the file, or a text from the command line. */
typedef struct taut_source {
    const taut_yaml *node; /* NULL: text */
    const char *text;
    taut_place place; /* of text */
} taut_source;

typedef struct taut_symbols taut_symbols;

taut_status taut_symbols_create(taut_model *model, taut_errors *errors, taut_symbols **symbols);
void taut_symbols_free(taut_symbols **symbols);

/* Adds a name with its meaning, or with a formula (node or text) that is read when the name is
 * first used. A parameter must be constant in time. A clash or an unsuitable name is reported:
 * TAUT_ERR_INPUT. */
taut_status taut_symbols_add(taut_symbols *symbols, const char *name, taut_vec value,
                             taut_place place);
taut_status taut_symbols_add_formula(taut_symbols *symbols, const char *name, bool parameter,
                                     taut_source source, taut_place place);
/* The meaning of a name; false if there is none. Nothing is reported for an unknown name. */
bool taut_symbols_find(taut_symbols *symbols, const char *name, taut_vec *value);
/* A known name that resembles this one, or NULL. */
const char *taut_symbols_nearest(taut_symbols *symbols, const char *name);

/* Reads a formula: a scalar, or a list as a vector; faults are reported at their place. Size: 0
 * any, otherwise the number of components that is wanted. */
taut_status taut_formula_read(taut_symbols *symbols, const taut_yaml *node, int size,
                              taut_vec *value);
/* Reads a number: a formula of parameters. */
taut_status taut_number_read(taut_symbols *symbols, const taut_yaml *node, double *value);

#endif
