/* The table as CSV, and the statistics as JSON. */
#include <math.h>
#include <string.h>

#include "out/file.h"
#include "taut/taut.h"

static void write_csv(FILE *f, const taut_result *r, int digits) {
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
}

taut_status taut_result_write(const taut_result *result, const char *path, int digits,
                              taut_errors *errors) {
    taut_file file;
    if (digits < 1 || digits > 17)
        return taut_fail(errors, TAUT_ERR_CALL, "the number of digits is between 1 and 17");
    TAUT_TRY(taut_file_open(&file, path, errors));
    write_csv(file.stream, result, digits);
    return taut_file_close(&file, errors);
}

/* A number that JSON can hold, or null. */
static void put_number(FILE *f, const char *key, double value) {
    if (isfinite(value))
        fprintf(f, "\"%s\":%.17g,", key, value);
    else
        fprintf(f, "\"%s\":null,", key);
}

taut_status taut_result_write_stats(const taut_result *result, const char *path,
                                    taut_errors *errors) {
    const taut_run_stats *s = taut_result_stats(result);
    taut_file file;
    TAUT_TRY(taut_file_open(&file, path, errors));
    FILE *f = file.stream;
    fprintf(f, "{\"steps\":%ld,\"rejected\":%ld,\"order\":%d,", s->steps, s->rejected, s->order);
    put_number(f, "wall_s", s->wall_s);
    put_number(f, "setup_s", s->setup_s);
    put_number(f, "constraint_residual", s->constraint_residual);
    put_number(f, "energy_drift", s->energy_drift);
    fprintf(f, "\"index\":%d,\"dof\":%ld,", s->index, s->dof);
    put_number(f, "mobility", s->mobility >= 0 ? s->mobility : (double)NAN);
    fprintf(f, "\"unknowns\":%d,\"solver\":\"%s\",", s->unknowns, s->solver);
    if (s->formulation)
        fprintf(f, "\"formulation\":\"%s\"}\n", s->formulation);
    else
        fprintf(f, "\"formulation\":null}\n");
    return taut_file_close(&file, errors);
}
