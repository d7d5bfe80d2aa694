/* How freely a model moves, in words. */
#ifndef TAUT_OUT_FREEDOM_H
#define TAUT_OUT_FREEDOM_H

#include "core/text.h"
#include "model/model.h"

/* Adds "mechanism with 1 degree of freedom, driven by phi". mobility: -1 if that has no meaning;
 * dof: independent initial values. */
void taut_freedom_add(taut_string *out, const taut_model *model, int mobility, long dof);
/* ": 5 bodies, 7 joints" of a mechanism; nothing of others. */
void taut_freedom_add_parts(taut_string *out, const taut_model *model);

#endif
