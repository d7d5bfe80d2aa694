/* The table as CSV. */
#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "out/table.h"

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

taut_status taut_table_csv(taut_file *f, const taut_result *r, int digits) {
    const int columns = taut_result_columns(r);
    taut_arena arena = {0};
    taut_powers *powers = TAUT_NEW(&arena, taut_powers);
    char *row = TAUT_NEW_ARRAY(&arena, (columns + 1) * (TAUT_NUMBER_ROOM + 1), char);
    taut_status status = powers && row ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) taut_powers_fill(powers);
    for (int c = 0; c < columns && status == TAUT_OK; c++) {
        const char *name = taut_result_name(r, c);
        if (c > 0) taut_file_put(f, ",", 1);
        status = taut_file_put(f, name, strlen(name));
    }
    if (status == TAUT_OK) status = taut_file_put(f, "\n", 1);
    for (long i = 0; i < taut_result_rows(r) && status == TAUT_OK; i++) {
        size_t length = 0;
        for (int c = 0; c < columns; c++)
            length += write_value(powers, taut_result_value(r, i, c), digits, c == 0, row + length);
        row[length++] = '\n';
        status = taut_file_put(f, row, length);
    }
    taut_arena_release(&arena);
    return status;
}
