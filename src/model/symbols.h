/* The one namespace of a model: what each name means, found out when it is first asked for. */
#ifndef TAUT_MODEL_SYMBOLS_H
#define TAUT_MODEL_SYMBOLS_H

#include "model/model.h"

/* Where a formula stands: a node of the file, or a text from the command line. */
typedef struct taut_source {
    const taut_yaml *node; /* NULL: text */
    const char *text;      /* of --set */
} taut_source;

taut_status taut_symbols_create(taut_model *model, taut_errors *errors, taut_symbols **symbols);
void taut_symbols_free(taut_symbols **symbols);

/* Adds a name with its meaning, or with a formula (node or text) that is read when the name is
 * first used. A parameter must be constant in time. A clash or an unsuitable name is reported:
 * TAUT_ERR_INPUT. */
taut_status taut_symbols_add(taut_symbols *symbols, const char *name, taut_vec value,
                             taut_place place);
taut_status taut_symbols_add_formula(taut_symbols *symbols, const char *name, bool parameter,
                                     taut_source source, taut_place place);
/* Adds the name of a point or vector and those of its components, which are its leaves. */
taut_status taut_symbols_add_element(taut_symbols *symbols, const char *name, int element,
                                     int dimension, taut_place place);
/* Adds the force or torque of a joint, whose name need not be one word: ground-OA.Fx. */
taut_status taut_symbols_add_load(taut_symbols *symbols, const char *name, taut_node node,
                                  taut_quantity quantity, taut_place place);
/* Takes a name for something that formulas cannot use; what: "a body". */
taut_status taut_symbols_add_name(taut_symbols *symbols, const char *name, const char *what,
                                  taut_place place);
/* Adds the name of a table: model->table[number]. */
taut_status taut_symbols_add_table(taut_symbols *symbols, const char *name, int number,
                                   taut_place place);
/* Adds a parameter without a name, which changes at events; *node is it. */
taut_status taut_symbols_add_hidden(taut_symbols *symbols, double value, taut_node *node);
taut_model *taut_symbols_model(const taut_symbols *symbols);
/* Is a parameter's formula being read? It cannot contain what changes at events. */
bool taut_symbols_in_parameter(const taut_symbols *symbols);
/* The place of the formula that is being read; where its faults go. */
taut_place taut_symbols_here(const taut_symbols *symbols);
taut_errors *taut_symbols_errors(const taut_symbols *symbols);
/* Marks a parameter as used; true if it is one and was not marked before. */
bool taut_symbols_use(taut_symbols *symbols, const char *name);
/* Where a name got its meaning; false if it has none. */
bool taut_symbols_place(const taut_symbols *symbols, const char *name, taut_place *place);
/* The number of the element with this name; false if there is none. */
bool taut_symbols_element(const taut_symbols *symbols, const char *name, int *element);
/* Which points and vectors the formulas that are read from now on may contain. */
typedef enum taut_symbols_scope {
    TAUT_SCOPE_NUMBERS, /* none: formulas of parameters are expected */
    TAUT_SCOPE_FIXED,   /* those that are fixed */
    TAUT_SCOPE_ALL
} taut_symbols_scope;
void taut_symbols_set_scope(taut_symbols *symbols, taut_symbols_scope scope);
/* Names that only the formulas have that are read from now on, before all others: [count] at most
 * 2; none after a call with count 0. */
void taut_symbols_set_local(taut_symbols *symbols, const char *const *name, const taut_node *node,
                            int count);
/* Counts what was made from the file as one of its formulas, in which steps look for features. */
taut_status taut_symbols_note(taut_symbols *symbols, taut_node node);
/* A parameter without a name that starts with this value and changes in a run; and the mode of a
 * boundary, 1 where it is above zero and 0 below. */
taut_status taut_symbols_add_number(taut_symbols *symbols, double value, int *index,
                                    taut_node *node);
taut_status taut_symbols_mode(taut_symbols *symbols, taut_node boundary, taut_place place,
                              taut_node *mode);
/* Replaces fixed points and vectors in formulas, node[count], by their coordinates; false without
 * memory. */
bool taut_symbols_ground(taut_symbols *symbols, taut_node *node, int count);
/* From now on an unknown name is reported only if doubt(user, name) is false. */
typedef bool taut_doubt(void *user, const char *name);
void taut_symbols_set_doubt(taut_symbols *symbols, taut_doubt *doubt, void *user);
/* Faults go here from now on. */
void taut_symbols_report_to(taut_symbols *symbols, taut_errors *errors);
/* The file is read, and the errors of whoever read it are no longer there. */
void taut_symbols_finish(taut_symbols *symbols);
/* The meaning of a name; false if there is none. Nothing is reported for an unknown name. */
bool taut_symbols_find(taut_symbols *symbols, const char *name, taut_vec *value);
/* A known name that resembles this one, or NULL. */
const char *taut_symbols_nearest(taut_symbols *symbols, const char *name);

/* What kind of quantity the values of a name are, so that initial values and drivers in units can
 * be checked; points know it by themselves. */
void taut_symbols_set_quantity(taut_symbols *symbols, const char *name, taut_quantity quantity);
taut_quantity taut_symbols_quantity(const taut_symbols *symbols, const char *name);

/* Reads a formula: a scalar, or a list as a vector; faults are reported at their place. Size: 0
 * any, otherwise the number of components that is wanted. With _as, units must be those of the
 * quantity that is wanted, if the formula has units. */
taut_status taut_formula_read(taut_symbols *symbols, const taut_yaml *node, int size,
                              taut_vec *value);
taut_status taut_formula_read_as(taut_symbols *symbols, const taut_yaml *node, int size,
                                 taut_quantity wanted, taut_vec *value);
/* The same where a number is to stand, so that units are no names of variables. */
taut_status taut_constant_read_as(taut_symbols *symbols, const taut_yaml *node, int size,
                                  taut_quantity wanted, taut_vec *value);
/* The same with the size of the model's vectors, from a list that may be shorter (padded with 0).
 */
taut_status taut_vector_read(taut_symbols *symbols, const taut_yaml *node, int dimension,
                             taut_vec *value);
taut_status taut_vector_read_as(taut_symbols *symbols, const taut_yaml *node, int dimension,
                                taut_quantity wanted, taut_vec *value);
/* Reads a number: a formula of parameters. */
taut_status taut_number_read(taut_symbols *symbols, const taut_yaml *node, taut_quantity wanted,
                             double *value);
/* The same as a steady node, of whose value nothing is assumed. */
taut_status taut_steady_read(taut_symbols *symbols, const taut_yaml *node, taut_quantity wanted,
                             taut_node *number);

#endif
