/* FMUs in source code: the generated integrator with the calls of the standard around it. */
#ifndef TAUT_EXPORT_FMU_SOURCE_H
#define TAUT_EXPORT_FMU_SOURCE_H

#include "export/code.h"
#include "export/fmu.h"

/* Its variables: parameters that can be changed, inputs, columns. To be released in any case. */
taut_status taut_fmu_source_list(const taut_code *code, taut_fmu_list *list);
/* sources/fmu.c, and sources/buildDescription.xml of version 3. */
void taut_fmu_source_write(const taut_code *code, const taut_fmu_description *description,
                           taut_string *text);
void taut_fmu_source_build(const taut_code *code, const taut_fmu_description *description,
                           taut_string *xml);

#endif
