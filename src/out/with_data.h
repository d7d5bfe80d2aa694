/* The member "with" of a page, see docs/scene.md. */
#ifndef TAUT_OUT_WITH_DATA_H
#define TAUT_OUT_WITH_DATA_H

#include "out/columns.h"

/* other may be NULL: there is none. */
void taut_with_data_write(const taut_result *other, const char *name, const taut_columns *columns,
                          taut_string *out);

#endif
