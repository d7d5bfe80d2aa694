/* Models of other programs: URDF (robots as ROS describes them) and MJCF (those of MuJoCo), as
 * model files (docs/import.md).
 *
 *     char *text, *left_out;
 *     taut_import("arm.urdf", &text, &left_out, &errors);
 *     ... taut_model_parse("arm.urdf", text, -1, &model, &errors);
 *     taut_text_free(&text);
 *
 * taut_model_read does that by itself for files whose names end with .urdf, .xml or .mjcf. */
#ifndef TAUT_IMPORT_H
#define TAUT_IMPORT_H

#include "taut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads such a file and gives it as the text of a model file. *left_out (left_out may be NULL) says
 * what has no counterpart, a line each, or is ""; the text begins with the same as comments. Both
 * are for taut_text_free. TAUT_ERR_INPUT, with line and column: it is no such file, or wrong.
 * Document types and entities are refused; nothing but this file, files that it includes from its
 * folder or below, and NAME.loops.xml beside it are read. */
TAUT_API taut_status taut_import(const char *path, char **text, char **left_out,
                                 taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
