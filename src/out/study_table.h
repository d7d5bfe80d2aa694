/* Tables of studies, inside: those that a library writes, and the page. */
#ifndef TAUT_OUT_STUDY_TABLE_H
#define TAUT_OUT_STUDY_TABLE_H

#include "taut/study.h"

/* Makes libhdf5 callable. */
taut_status taut_hdf5_load(taut_errors *errors);
taut_status taut_study_hdf5(const taut_study *study, const char *path, taut_errors *errors);

/* A page for the browser. */
taut_status taut_study_page(const taut_study *study, const char *path, taut_errors *errors);

#endif
