/* Tables of numbers as CSV text with a header row: the one reader for everything that takes CSV.
 *
 * A row is a line; cells are separated by commas (or by semicolons or tabs, if the header has these
 * and no comma) and may stand in double quotes, where "" is a quote. Ends of lines are LF or CRLF.
 * Empty lines and lines that begin with # are skipped, and so is a byte order mark. The first row
 * names the columns. A cell is turned into a number when its column is asked for, so columns of
 * words do no harm. */
#ifndef TAUT_CORE_SHEET_H
#define TAUT_CORE_SHEET_H

#include "core/arena.h"
#include "core/status.h"

typedef struct taut_sheet_cell {
    unsigned start, length; /* bytes of the text, without quotes and blanks around */
    int line, column;       /* 1-based; column counts characters */
} taut_sheet_cell;

typedef struct taut_sheet {
    const char *path; /* as messages call it */
    const char *text; /* [length] and a NUL */
    long length;
    int columns, rows;
    const char **name;     /* [columns] */
    taut_sheet_cell *head; /* [columns] where these are */
    taut_sheet_cell *cell; /* [rows * columns] */
    char separator;
    bool hidden;      /* messages show nothing of what stands in it */
    taut_arena arena; /* holds all of it */
} taut_sheet;

/* Reads the file `path`. What is wrong with it goes to errors (may be NULL), with line and column;
 * *sheet is then NULL. hidden: it may be anybody's, so that messages show nothing of it. Refused:
 * no header, no rows, rows of another length, two columns of one name, what is not text, more than
 * 64 MB, 4 million cells or 1000 columns. */
taut_status taut_sheet_read(const char *path, bool hidden, taut_sheet **sheet, taut_errors *errors);
/* The same for `length` bytes of text, which are copied. */
taut_status taut_sheet_parse(const char *path, const char *text, long length, taut_sheet **sheet,
                             taut_errors *errors);
void taut_sheet_free(taut_sheet **sheet);

/* Which column has this name; -1: none. */
int taut_sheet_find(const taut_sheet *sheet, const char *name);
/* The numbers of a column, value[rows]. A cell that is no finite number is reported. */
taut_status taut_sheet_numbers(const taut_sheet *sheet, int column, double *value,
                               taut_errors *errors);
/* The same; an empty cell is NaN: nothing was measured there. */
taut_status taut_sheet_measured(const taut_sheet *sheet, int column, double *value,
                                taut_errors *errors);
/* Where a cell is, for taut_fail_at; row -1: the header. */
taut_place taut_sheet_place(const taut_sheet *sheet, int row, int column);

#endif
