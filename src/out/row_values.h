/* Formulas of a mechanism in the rows of a page: their leaves are looked up among the columns. */
#ifndef TAUT_OUT_ROW_VALUES_H
#define TAUT_OUT_ROW_VALUES_H

#include "expr/sample.h"
#include "out/scene.h"

typedef struct taut_row_values {
    taut_sample sample;
    int *column; /* [inputs of sample] columns; -1: none; -2: a component that stays */
} taut_row_values;

/* Prepares node[count]; memory from the scene's arena. TAUT_ERR_INPUT: they cannot be evaluated. */
taut_status taut_row_values_create(const taut_scene *scene, const taut_node *node, int count,
                                   taut_row_values *values);
/* Is every input a column? */
bool taut_row_values_known(const taut_row_values *values);
/* value[i][row] = node[i] for all rows; they must be known. */
void taut_row_values_find(taut_row_values *values, const taut_scene *scene, double *const *value,
                          int count);

#endif
