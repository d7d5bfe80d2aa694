/* Two tables, and what they differ by. */
#ifndef TAUT_OUT_DIFFERENCE_H
#define TAUT_OUT_DIFFERENCE_H

#include "core/arena.h"
#include "taut/diff.h"

struct taut_diff {
    const char *path[2]; /* what is compared, and the reference; of a result: its title */
    long rows[2];        /* all times of each */
    long common;         /* times that both have, ... */
    double *t, *error;   /* [common] ... and E there */
    taut_diff_column *column;
    int columns;
    const char **alone[2]; /* [alones[i]] columns that only one has; those of words */
    int alones[2];
    double largest_error, largest_at, scd;
    const char *scd_column;
    taut_arena arena;
};

#endif
