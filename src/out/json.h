/* Pieces of JSON that several writers share. */
#ifndef TAUT_OUT_JSON_H
#define TAUT_OUT_JSON_H

#include "core/text.h"
#include "taut/taut.h"

/* A string in quotes, escaped. */
void taut_json_text(taut_string *out, const char *text);
/* A number with `digits` digits, or null if JSON cannot hold it. */
void taut_json_number(taut_string *out, double value, int digits);
/* The statistics of a run as one object, without a newline. */
void taut_json_stats(taut_string *out, const taut_result *result);
/* Its certificate, which is there, as one object; with an error for every column. */
void taut_json_certificate(taut_string *out, const taut_result *result, bool by_column);

#endif
