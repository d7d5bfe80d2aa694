/* What the doctor found, for people and as JSON. */
#ifndef TAUT_OUT_DIAGNOSIS_H
#define TAUT_OUT_DIAGNOSIS_H

#include "task/doctor.h"

void taut_diagnosis_text(taut_string *out, const taut_diagnosis *diagnosis);
void taut_diagnosis_json(taut_string *out, const taut_diagnosis *diagnosis);

#endif
