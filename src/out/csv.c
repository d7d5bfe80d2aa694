/* The table as CSV. */
#include <math.h>

#include "out/table.h"

taut_status taut_table_csv(FILE *f, const taut_result *r, int digits) {
    const int columns = taut_result_columns(r);
    for (int c = 0; c < columns; c++) fprintf(f, "%s%s", c ? "," : "", taut_result_name(r, c));
    fputc('\n', f);
    for (long i = 0; i < taut_result_rows(r); i++) {
        for (int c = 0; c < columns; c++) {
            const double value = taut_result_value(r, i, c);
            if (c) fputc(',', f);
            if (isfinite(value))
                fprintf(f, "%.*g", digits, value);
            else
                fputs(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf", f);
        }
        fputc('\n', f);
    }
    return TAUT_OK;
}
