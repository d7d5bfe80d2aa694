/* The table of a study: CSV, JSON, NumPy's .npy, and MAT by way of a table of results; HDF5 is in
 * out/hdf5. */
#include "out/study_table.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "core/utf8.h"
#include "out/file.h"
#include "out/json.h"
#include "task/result.h"
#include "taut/taut.h"

typedef enum format {
    FORMAT_CSV,
    FORMAT_JSON,
    FORMAT_NPY,
    FORMAT_MAT,
    FORMAT_HDF5,
    FORMAT_HTML,
    FORMAT_UNKNOWN
} format;

static format format_of(const char *path) {
    static const char *const END[] = {".csv", ".json", ".npy", ".mat", ".h5", ".html"};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (!dot) return FORMAT_CSV;
    for (int k = 0; k < FORMAT_UNKNOWN; k++)
        if (strcmp(dot, END[k]) == 0) return (format)k;
    return FORMAT_UNKNOWN;
}

taut_status taut_study_write_check(const char *path, taut_errors *errors) {
    TAUT_NEED(path, "path", errors);
    TAUT_TRY(taut_output_check(path, errors));
    if (format_of(path) == FORMAT_UNKNOWN)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "output %s: studies are written as CSV, MAT, HDF5, JSON, NumPy or a page; give "
            "a name that ends in .csv, .mat, .h5, .json, .npy or .html",
            path);
    if (format_of(path) == FORMAT_HDF5) {
        TAUT_TRY(taut_hdf5_load(errors));
        return taut_file_check_name(path, errors);
    }
    return format_of(path) == FORMAT_MAT ? taut_result_write_check(path, errors) : TAUT_OK;
}

/* A part of the file that is complete goes out, so that the text stays short. */
static taut_status flush(taut_file *file, taut_string *text) {
    if (text->failed) return TAUT_ERR_MEMORY;
    const taut_status status = taut_file_put(file, text->text, text->length);
    text->length = 0;
    return status;
}

/* ---- CSV ---- */

/* In quotes where a comma, a quote or the end of a line would be misunderstood. */
static void add_field(taut_string *out, const char *text) {
    if (!strpbrk(text, ",\"\n\r")) {
        taut_string_add(out, "%s", text);
        return;
    }
    taut_string_add(out, "\"");
    for (; *text; text++) taut_string_add(out, *text == '"' ? "\"\"" : "%c", *text);
    taut_string_add(out, "\"");
}

static taut_status write_csv(taut_file *file, const taut_study *s, int digits, taut_string *text) {
    const int columns = taut_study_columns(s);
    for (int c = 0; c < columns; c++) {
        add_field(text, taut_study_name(s, c));
        taut_string_add(text, ",");
    }
    taut_string_add(text, "status\n");
    for (long i = 0; i < taut_study_runs(s); i++) {
        if (!taut_study_outcome(s, i)) continue;
        taut_string_add(text, "%ld,", i);
        for (int c = 1; c < columns; c++) {
            const double value = taut_study_value(s, i, c);
            if (isfinite(value)) taut_string_add(text, "%.*g", digits, value);
            taut_string_add(text, ",");
        }
        add_field(text, taut_study_outcome(s, i));
        taut_string_add(text, "\n");
        TAUT_TRY(flush(file, text));
    }
    return flush(file, text);
}

/* ---- JSON ---- */

static taut_status write_json(taut_file *file, const taut_study *s, int digits, taut_string *text) {
    const int columns = taut_study_columns(s);
    const char *between = "";
    taut_string_add(text, "{\"columns\":[");
    for (int c = 0; c < columns; c++) {
        taut_json_text(text, taut_study_name(s, c));
        taut_string_add(text, ",");
    }
    taut_string_add(text, "\"status\"],\n\"rows\":[");
    for (long i = 0; i < taut_study_runs(s); i++) {
        if (!taut_study_outcome(s, i)) continue;
        taut_string_add(text, "%s\n[%ld,", between, i);
        between = ",";
        for (int c = 1; c < columns; c++) {
            taut_json_number(text, taut_study_value(s, i, c), digits);
            taut_string_add(text, ",");
        }
        taut_json_text(text, taut_study_outcome(s, i));
        taut_string_add(text, "]");
        TAUT_TRY(flush(file, text));
    }
    taut_string_add(text, "]}\n");
    return flush(file, text);
}

/* ---- NumPy ---- */

/* 0: ok, 1: failed. */
static double status_number(const taut_study *s, long run) {
    return strcmp(taut_study_outcome(s, run), "ok") == 0 ? 0.0 : 1.0;
}

/* A name as a literal of Python. */
static void add_literal(taut_string *out, const char *name) {
    taut_string_add(out, "('");
    while (*name) {
        const unsigned c = taut_utf8_next(&name);
        if (c == '\'' || c == '\\')
            taut_string_add(out, "\\%c", (int)c);
        else if (c < 0x20 || c == 0x7f)
            taut_string_add(out, "\\x%02x", c);
        else if (c < 0x7f)
            taut_string_add(out, "%c", (int)c);
        else
            taut_string_add(out, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
    }
    taut_string_add(out, "','<f8'),");
}

/* Format 1.0: a magic number, the length of the header, a dictionary, blanks up to a multiple of 64
 * bytes, and the rows. The columns are named fields, so that a['max(Ax)'] is a column. */
static taut_status write_npy(taut_file *file, const taut_study *s, taut_string *text,
                             taut_errors *errors) {
    enum { MAGIC = 10, ALIGNED = 64, LONGEST = 65535 };
    const int columns = taut_study_columns(s);
    taut_string_add(text, "{'descr':[");
    for (int c = 0; c < columns; c++) add_literal(text, taut_study_name(s, c));
    add_literal(text, "status");
    taut_string_add(text, "],'fortran_order':False,'shape':(%ld,)}", taut_study_done(s));
    while ((text->length + MAGIC + 1) % ALIGNED != 0 && !text->failed) taut_string_add(text, " ");
    taut_string_add(text, "\n");
    if (text->length > LONGEST)
        return taut_fail(errors, TAUT_ERR_CALL, "these are too many columns for .npy");
    const char magic[MAGIC] = {'\x93',
                               'N',
                               'U',
                               'M',
                               'P',
                               'Y',
                               1,
                               0,
                               (char)(text->length & 0xff),
                               (char)(text->length >> 8)};
    TAUT_TRY(taut_file_put(file, magic, MAGIC));
    TAUT_TRY(flush(file, text));
    for (long i = 0; i < taut_study_runs(s); i++) {
        if (!taut_study_outcome(s, i)) continue;
        for (int c = 0; c <= columns; c++) {
            const double value = c < columns ? taut_study_value(s, i, c) : status_number(s, i);
            TAUT_TRY(taut_file_put(file, (const char *)&value, sizeof value));
        }
    }
    return TAUT_OK;
}

/* ---- MAT ---- */

static taut_status fill_result(const taut_study *s, taut_result *r) {
    const int columns = taut_study_columns(s);
    for (int c = 0; c <= columns; c++) {
        const char *name = c < columns ? taut_study_name(s, c) : "status";
        if (!(r->name[c] = taut_arena_copy(&r->arena, name, strlen(name)))) return TAUT_ERR_MEMORY;
    }
    for (long i = 0; i < taut_study_runs(s); i++) {
        if (!taut_study_outcome(s, i)) continue;
        double *row = taut_result_add_row(r);
        if (!row) return TAUT_ERR_MEMORY;
        for (int c = 0; c < columns; c++) row[c] = taut_study_value(s, i, c);
        row[columns] = status_number(s, i);
    }
    return TAUT_OK;
}

static taut_status write_mat(const taut_study *s, const char *path, taut_errors *errors) {
    taut_result *r;
    TAUT_TRY(taut_result_create(taut_study_columns(s) + 1, &r));
    taut_status status = fill_result(s, r);
    if (status == TAUT_OK) status = taut_result_write(r, path, 17, errors);
    taut_result_free(&r);
    return status;
}

/* ---- trajectories ---- */

/* A row for each run and time. */
taut_status taut_study_write_traces(const taut_study *s, const char *path, int digits,
                                    taut_errors *errors) {
    taut_file file;
    taut_string text = {0};
    TAUT_NEED(s, "study", errors);
    TAUT_NEED(path, "path", errors);
    if (digits < 1 || digits > 17)
        return taut_fail(errors, TAUT_ERR_CALL, "the number of digits is between 1 and 17");
    TAUT_TRY(taut_file_open(&file, path, errors));
    taut_string_add(&text, "run,t");
    const int columns = taut_study_trace_columns(s);
    for (int c = 0; c < columns; c++) {
        taut_string_add(&text, ",");
        add_field(&text, taut_study_trace_name(s, c));
    }
    taut_string_add(&text, "\n");
    taut_status status = TAUT_OK;
    for (long i = 0; i < taut_study_runs(s) && status == TAUT_OK; i++) {
        if (!taut_study_outcome(s, i)) continue;
        for (int r = 0; r < taut_study_trace_rows(s); r++) {
            if (!isfinite(taut_study_trace_value(s, i, r, 0))) continue; /* it has ended before */
            taut_string_add(&text, "%ld,%.*g", i, digits, taut_study_trace_time(s, r));
            for (int c = 0; c < columns; c++)
                taut_string_add(&text, ",%.*g", digits, taut_study_trace_value(s, i, r, c));
            taut_string_add(&text, "\n");
        }
        status = flush(&file, &text);
    }
    taut_string_release(&text);
    if (status == TAUT_OK || status == TAUT_ERR_IO) return taut_file_close(&file, errors);
    taut_file_drop(&file);
    return status;
}

/* ---- the whole ---- */

taut_status taut_study_write(const taut_study *s, const char *path, int digits,
                             taut_errors *errors) {
    taut_file file;
    taut_string text = {0};
    TAUT_NEED(s, "study", errors);
    TAUT_NEED(path, "path", errors);
    if (digits < 1 || digits > 17)
        return taut_fail(errors, TAUT_ERR_CALL, "the number of digits is between 1 and 17");
    TAUT_TRY(taut_study_write_check(path, errors));
    if (format_of(path) == FORMAT_MAT) return write_mat(s, path, errors);
    if (format_of(path) == FORMAT_HDF5) return taut_study_hdf5(s, path, errors);
    if (format_of(path) == FORMAT_HTML) return taut_study_page(s, path, errors);
    TAUT_TRY(taut_file_open(&file, path, errors));
    const taut_status status = format_of(path) == FORMAT_JSON  ? write_json(&file, s, digits, &text)
                               : format_of(path) == FORMAT_NPY ? write_npy(&file, s, &text, errors)
                                                               : write_csv(&file, s, digits, &text);
    taut_string_release(&text);
    if (status == TAUT_OK || status == TAUT_ERR_IO) return taut_file_close(&file, errors);
    taut_file_drop(&file);
    return status;
}
