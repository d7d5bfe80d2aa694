/* How the equations of a mechanism come about, as a table: text or JSON. */
#ifndef TAUT_OUT_BUILD_TABLE_H
#define TAUT_OUT_BUILD_TABLE_H

#include "core/text.h"
#include "form/buildup.h"

void taut_build_table_text(taut_string *out, const taut_problem *problem);
void taut_build_table_json(taut_string *out, const taut_problem *problem);

#endif
