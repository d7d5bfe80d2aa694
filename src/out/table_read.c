/* A CSV file as a table of results: whatever has a header row and numbers below it. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/sheet.h"
#include "task/result.h"

/* "Ax [m]" is the column Ax. */
static char *plain_name(taut_arena *arena, const char *name) {
    const size_t n = strlen(name);
    const char *open = n > 3 && name[n - 1] == ']' ? strrchr(name, '[') : NULL;
    size_t length = open && open > name && open[-1] == ' ' ? (size_t)(open - name) : n;
    while (length > 1 && name[length - 1] == ' ') length--;
    return taut_arena_copy(arena, name, length);
}

static bool is_number(const taut_sheet *s, int row, int column) {
    const taut_sheet_cell *cell = &s->cell[row * s->columns + column];
    char text[64], *end;
    if (cell->length == 0 || cell->length >= sizeof text) return false;
    memcpy(text, s->text + cell->start, cell->length);
    text[cell->length] = '\0';
    taut_number_parse(text, &end);
    return *end == '\0';
}

/* A first row without a number has the units. */
static int first_row(const taut_sheet *s) {
    for (int c = 0; c < s->columns; c++)
        if (is_number(s, 0, c)) return 0;
    return 1;
}

/* Cells that are no numbers (nan, words) become NaN: they are not drawn. */
static double value_at(const taut_sheet *s, int row, int column) {
    const taut_sheet_cell *cell = &s->cell[row * s->columns + column];
    char text[64];
    if (!is_number(s, row, column)) return (double)NAN;
    memcpy(text, s->text + cell->start, cell->length);
    text[cell->length] = '\0';
    return taut_number_parse(text, NULL);
}

static taut_status fill(const taut_sheet *s, taut_result *r) {
    for (int c = 0; c < s->columns; c++) {
        r->name[c] = plain_name(&r->arena, s->name[c]);
        if (!r->name[c]) return TAUT_ERR_MEMORY;
    }
    for (int i = first_row(s); i < s->rows; i++) {
        double *row = taut_result_add_row(r);
        if (!row) return TAUT_ERR_MEMORY;
        for (int c = 0; c < s->columns; c++) row[c] = value_at(s, i, c);
    }
    if (r->rows == 0) return TAUT_OK;
    r->stats.t0 = r->value[0];
    r->stats.tend = r->stats.reached = r->value[(r->rows - 1) * r->columns];
    return TAUT_OK;
}

taut_status taut_result_read(const char *path, taut_result **result, taut_errors *errors) {
    taut_sheet *sheet;
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    TAUT_NEED(path, "path", errors);
    TAUT_TRY(taut_sheet_read(path, false, &sheet, errors));
    taut_status status = taut_result_create(sheet->columns, result);
    if (status == TAUT_OK) status = fill(sheet, *result);
    if (status != TAUT_OK) taut_result_free(result);
    taut_sheet_free(&sheet);
    return status;
}
