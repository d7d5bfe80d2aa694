/* Modes as data for a page: docs/scene.md. */
#ifndef TAUT_OUT_MODES_DATA_H
#define TAUT_OUT_MODES_DATA_H

#include "out/columns.h"
#include "taut/linear.h"

/* The member "modes": null without a point. The last row of the columns is the shape at rest. */
void taut_modes_data_write(const taut_linear_point *point, const taut_columns *columns,
                           taut_string *out);

#endif
