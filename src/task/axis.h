/* What a name of a study is varied over: a list of values, or a distribution. */
#ifndef TAUT_TASK_AXIS_H
#define TAUT_TASK_AXIS_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

typedef enum taut_axis_kind {
    TAUT_AXIS_LIST,
    TAUT_AXIS_UNIFORM,    /* between p[0] and p[1] */
    TAUT_AXIS_NORMAL,     /* mean p[0], standard deviation p[1] */
    TAUT_AXIS_LOGNORMAL,  /* the same of the logarithm */
    TAUT_AXIS_TRIANGULAR, /* p[0], most likely p[1], p[2] */
} taut_axis_kind;

typedef struct taut_study_axis {
    const char *name;
    taut_axis_kind kind;
    double *value; /* [count] of a list */
    long count;
    double p[3];
    bool initial; /* an initial value; otherwise a parameter or an input */
} taut_study_axis;

/* Reads "1..2:11", "1,2,5", "uniform(0,1)", "10+-0.1" and the like; name is for messages. */
taut_status taut_axis_read(const char *name, const char *text, taut_arena *arena,
                           taut_study_axis *axis, taut_errors *errors);
/* The value below which a part u of the distribution lies, 0 < u < 1. */
double taut_axis_quantile(const taut_study_axis *axis, double u);
/* The same of the standard normal distribution. */
double taut_normal_quantile(double u);

#endif
