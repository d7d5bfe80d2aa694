/* Fuzzes the reader of CSV: any bytes are a table or get a message with a place in the file. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_columns(const taut_sheet *s, taut_errors *errors) {
    double *value = calloc((size_t)s->rows, sizeof *value);
    if (!value) abort();
    for (int i = 0; i < s->columns; i++) {
        errors->count = 0;
        const taut_status status = taut_sheet_numbers(s, i, value, errors);
        if ((status == TAUT_OK) != (errors->count == 0)) abort();
        for (int k = 0; k < s->rows && status == TAUT_OK; k++)
            if (!isfinite(value[k])) abort();
        if (s->name[i][0] && taut_sheet_find(s, s->name[i]) != i) abort();
    }
    free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static taut_errors errors;
    taut_sheet *sheet = NULL;
    char text[4096];
    errors.count = errors.dropped = 0;
    const taut_status status =
        taut_sheet_parse("a.csv", (const char *)data, (long)size, &sheet, &errors);
    if ((status == TAUT_OK) != (sheet != NULL)) abort();
    if ((status == TAUT_OK) != (errors.count == 0)) abort();
    for (int i = 0; i < errors.count; i++)
        if (errors.item[i].line < 1 || taut_error_format(&errors.item[i], text, sizeof text) <= 0)
            abort();
    if (sheet) read_columns(sheet, &errors);
    taut_sheet_free(&sheet);
    return 0;
}
