/* The columns of a page: those of a result, and some that only a page has. */
#ifndef TAUT_OUT_COLUMNS_H
#define TAUT_OUT_COLUMNS_H

#include "core/arena.h"
#include "core/text.h"
#include "model/model.h"
#include "task/result.h"

typedef struct taut_page_column {
    const char *name, *kind;
    char unit[16];
    const double *value; /* [rows] one every `stride` numbers */
    long stride;
} taut_page_column;

typedef struct taut_columns {
    taut_arena *arena;       /* of names and computed values */
    const taut_model *model; /* NULL: it could not be read */
    const taut_result *result;
    taut_page_column *column; /* [columns] */
    int columns;
    size_t room;
    long rows;
    int reactions; /* columns of this kind */
    int (
        *of)[3]; /* [elements] columns of a mechanism's points and vectors; -1: none, it is fixed */
    int kinetic, potential, work, energy; /* numbers of columns; -1: none */
    int total, drift;                     /* of the ledger, likewise */
} taut_columns;

/* Takes the columns of the result (which may be NULL: there are none) and adds the ledger's. */
taut_status taut_columns_create(taut_columns *columns, const taut_model *model,
                                const taut_result *result, taut_arena *arena);
void taut_columns_release(taut_columns *columns);
/* One more column; *value [rows] is to be filled in. NULL unit: none. */
taut_status taut_columns_add(taut_columns *columns, const char *name, const char *kind,
                             const char *unit, double **value);
double taut_columns_value(const taut_columns *columns, int column, long row);

/* Numbers as the page has them: 32-bit floats in base64. */
void taut_columns_floats(taut_string *out, const double *value, size_t count);
/* The members "columns", "rows" and "data" of a page. */
void taut_columns_write(const taut_columns *columns, taut_string *out);
/* page_motion.c: the member "motion", if there is any. */
taut_status taut_motion_write(const taut_knots *knots, taut_arena *arena, taut_string *out);

#endif
