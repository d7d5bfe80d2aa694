/* What optimisation and fitting may change: names with bounds, as coordinates u between 0 and 1. */
#ifndef TAUT_TASK_BOUNDED_H
#define TAUT_TASK_BOUNDED_H

#include <stdint.h>

#include "core/arena.h"
#include "model/model.h"
#include "taut/study.h"

typedef struct taut_box {
    int n;
    const char **name;        /* [n] */
    bool *initial;            /* [n] an initial value; otherwise a parameter or an input */
    double *low, *high, *own; /* [n] bounds, and the model's value (NaN: it gives none) */
    bool *log;                /* [n] */
} taut_box;

/* From a list, or, where that is NULL, from the model's Study. what: "optimize", "fit". */
taut_status taut_box_read(const taut_model *model, const taut_bounded *variable, int count,
                          const char *what, taut_arena *arena, taut_box *box, taut_errors *errors);
/* The value of coordinate k at u, and how fast it changes. */
double taut_box_value(const taut_box *box, int k, double u);
double taut_box_rate(const taut_box *box, int k, double u);
/* The coordinate of a value, moved between 0 and 1. */
double taut_box_coordinate(const taut_box *box, int k, double value);
/* Where search number `start` begins, u (n): the model's own values, then random ones. */
void taut_box_start(const taut_box *box, uint64_t seed, int start, double *u);

/* The text of the model's file with other values of names; *text for taut_text_free. */
taut_status taut_model_rewrite(const taut_model *model, const char *const *name,
                               const double *value, int count, char **text, taut_errors *errors);

#endif
