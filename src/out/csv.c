/* The table as CSV. */
#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "out/plot.h"
#include "out/table.h"
#include "task/selection.h"

/* A value and the comma before it. Returns how many characters that is. */
static size_t write_value(const taut_powers *powers, double value, int digits, bool first,
                          char *to) {
    char *at = to;
    if (!first) *at++ = ',';
    if (isfinite(value)) return (size_t)(at - to) + taut_number_write(powers, value, digits, at);
    const char *word = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    memcpy(at, word, strlen(word) + 1);
    return (size_t)(at - to) + strlen(word);
}

/* "# " before each line of the comment. */
static taut_status put_comment(taut_file *f, const char *text) {
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        taut_file_put(f, "# ", 2);
        taut_file_put(f, text, n);
        TAUT_TRY(taut_file_put(f, "\n", 1));
    }
    return TAUT_OK;
}

/* A name as it is, or with each of its quotes twice. */
static void put_name(taut_file *f, const char *name, bool quoted) {
    for (size_t n; *name; name += n) {
        n = quoted ? strcspn(name, "\"") : strlen(name);
        taut_file_put(f, name, n);
        if (name[n] == '\0') continue;
        taut_file_put(f, "\"\"", 2);
        n++;
    }
}

/* One row of names, or of units; with both a name is followed by its unit in brackets. */
static taut_status put_names(taut_file *f, const taut_result *r, const taut_model *model,
                             bool names, bool units) {
    char unit[32] = "";
    for (int k = 0; k < taut_selection_count(r); k++) {
        const char *name = taut_result_name(r, taut_selection_column(r, k));
        if (units) taut_plot_unit(model, name, unit, sizeof unit);
        const bool quoted = names && strpbrk(name, ",\"\n\r"); /* tables of others have any names */
        if (k > 0) taut_file_put(f, ",", 1);
        if (quoted) taut_file_put(f, "\"", 1);
        if (names) put_name(f, name, quoted);
        if (names && unit[0]) taut_file_put(f, " [", 2);
        taut_file_put(f, unit, strlen(unit));
        if (names && unit[0]) taut_file_put(f, "]", 1);
        if (quoted) taut_file_put(f, "\"", 1);
    }
    return taut_file_put(f, "\n", 1);
}

taut_status taut_table_csv(taut_file *f, const taut_result *r, const taut_write_options *o) {
    const int columns = taut_selection_count(r);
    taut_arena arena = {0};
    taut_powers *powers = TAUT_NEW(&arena, taut_powers);
    char *row = TAUT_NEW_ARRAY(&arena, (columns + 1) * (TAUT_NUMBER_ROOM + 1), char);
    taut_status status = powers && row ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) taut_powers_fill(powers);
    if (status == TAUT_OK && o->comment) status = put_comment(f, o->comment);
    if (status == TAUT_OK) status = put_names(f, r, o->model, true, o->units);
    if (status == TAUT_OK && o->units_row) status = put_names(f, r, o->model, false, true);
    for (long i = 0; i < taut_result_rows(r) && status == TAUT_OK; i++) {
        size_t length = 0;
        for (int k = 0; k < columns; k++)
            length += write_value(powers, taut_result_value(r, i, taut_selection_column(r, k)),
                                  o->digits, k == 0, row + length);
        row[length++] = '\n';
        status = taut_file_put(f, row, length);
    }
    taut_arena_release(&arena);
    return status;
}
