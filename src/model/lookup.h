/* Calls of tables in formulas. */
#ifndef TAUT_MODEL_LOOKUP_H
#define TAUT_MODEL_LOOKUP_H

#include "model/symbols.h"

/* Where the value of a call goes, or why there is none (`size` bytes; " ": it has been reported).
 */
typedef struct taut_lookup_answer {
    taut_node *value;
    char *why;
    size_t size;
} taut_lookup_answer;

/* How many arguments table `number` takes; it is read if that has not been done. -1: it has a
 * fault. */
int taut_lookup_arity(taut_symbols *symbols, int number, char *why, size_t size);
/* Its value there: of arguments that are constant in time a number, otherwise a lookup. */
bool taut_lookup_call(taut_symbols *symbols, taut_model *model, int number,
                      const taut_node *argument, const taut_lookup_answer *answer);
/* Reads a table from the file (sampled_read.c). */
taut_status taut_sampled_read(taut_symbols *symbols, taut_model *model, int number);

#endif
