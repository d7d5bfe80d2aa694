/* Results into files: the format by the name's extension, always a temporary file first. */
#include <string.h>

#include "out/file.h"
#include "out/json.h"
#include "out/table.h"

typedef enum format { FORMAT_CSV, FORMAT_MAT, FORMAT_JSON, FORMAT_UNKNOWN } format;

/* A name without an extension (a device, the standard output) is CSV. */
static format format_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".csv") == 0) return FORMAT_CSV;
    if (strcmp(dot, ".mat") == 0) return FORMAT_MAT;
    if (strcmp(dot, ".json") == 0) return FORMAT_JSON;
    return FORMAT_UNKNOWN;
}

static taut_status write_mat(const taut_result *result, const char *path, taut_errors *errors) {
    taut_file file;
    TAUT_TRY(taut_file_name(&file, path, errors));
    const taut_status status = taut_table_mat(file.temporary, result);
    if (status == TAUT_OK) return taut_file_close(&file, errors);
    taut_file_drop(&file);
    if (status != TAUT_ERR_IO) return status;
    return taut_fail(errors, status,
                     "%s cannot be written: the file is not whole; is there room on the disk?",
                     path);
}

taut_status taut_result_write_check(const char *path, taut_errors *errors) {
    TAUT_NEED(path, "path", errors);
    TAUT_TRY(taut_output_check(path, errors));
    if (format_of(path) == FORMAT_UNKNOWN)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "output %s: results are written as CSV, MAT or JSON; give a name that ends in "
            ".csv, .mat or .json",
            path);
    if (format_of(path) != FORMAT_MAT) return TAUT_OK;
    TAUT_TRY(taut_mat_load(errors));
    return taut_file_check_name(path, errors);
}

enum { COOKIE = 0x57524954 };

taut_write_options taut_write_options_default(void) {
    return (taut_write_options){.cookie = COOKIE, .digits = 17};
}

taut_status taut_result_write_with(const taut_result *result, const char *path,
                                   const taut_write_options *o, taut_errors *errors) {
    taut_file file;
    TAUT_NEED(result, "result", errors);
    TAUT_NEED(path, "path", errors);
    TAUT_NEED(o, "options", errors);
    if (o->cookie != COOKIE)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options: fill them with taut_write_options_default first");
    if (o->digits < 1 || o->digits > 17)
        return taut_fail(errors, TAUT_ERR_CALL, "the number of digits is between 1 and 17");
    TAUT_TRY(taut_result_write_check(path, errors));
    if (format_of(path) == FORMAT_MAT) return write_mat(result, path, errors);
    TAUT_TRY(taut_file_open(&file, path, errors));
    const taut_status status = format_of(path) == FORMAT_JSON ? taut_table_json(&file, result, o)
                                                              : taut_table_csv(&file, result, o);
    if (status == TAUT_OK || status == TAUT_ERR_IO) return taut_file_close(&file, errors);
    taut_file_drop(&file);
    return status;
}

taut_status taut_result_write(const taut_result *result, const char *path, int digits,
                              taut_errors *errors) {
    taut_write_options options = taut_write_options_default();
    options.digits = digits;
    return taut_result_write_with(result, path, &options, errors);
}

/* Derivatives of an event's time; nothing where there are none. */
static void list_derivatives(taut_string *text, const taut_notes *notes, const taut_happened *e,
                             int digits, bool json) {
    for (int k = 0; k < notes->sensitivities; k++) {
        if (json && e->derivative)
            taut_string_add(text, ", \"d(t)/d(%s)\": %.*g", notes->sensitivity[k], digits,
                            e->derivative[k]);
        else if (!json && e->derivative)
            taut_string_add(text, ",%.*g", digits, e->derivative[k]);
        else if (!json)
            taut_string_add(text, ",");
    }
}

/* One row an event; names are letters and digits, so nothing is to be escaped. */
static void list_events(taut_string *text, const taut_notes *notes, int digits, bool json) {
    taut_string_add(text, json ? "[" : "t,event,kind,impulse");
    for (int k = 0; k < notes->sensitivities && !json; k++)
        taut_string_add(text, ",d(t)/d(%s)", notes->sensitivity[k]);
    if (!json) taut_string_add(text, "\n");
    for (int i = 0; i < notes->events; i++) {
        const taut_happened *e = &notes->event[i];
        if (json)
            taut_string_add(text,
                            "%s\n  {\"t\": %.*g, \"event\": \"%s\", \"kind\": \"%s\", "
                            "\"impulse\": %.*g",
                            i > 0 ? "," : "", digits, e->t, e->name, e->kind, digits, e->impulse);
        else
            taut_string_add(text, "%.*g,%s,%s,%.*g", digits, e->t, e->name, e->kind, digits,
                            e->impulse);
        list_derivatives(text, notes, e, digits, json);
        taut_string_add(text, json ? "}" : "\n");
    }
    if (json) taut_string_add(text, "\n]\n");
}

taut_status taut_result_write_events(const taut_result *result, const char *path, int digits,
                                     taut_errors *errors) {
    taut_string text = {0};
    TAUT_NEED(result, "result", errors);
    TAUT_NEED(path, "path", errors);
    if (digits < 1 || digits > 17)
        return taut_fail(errors, TAUT_ERR_CALL, "the number of digits is between 1 and 17");
    const format kind = format_of(path);
    if (kind != FORMAT_CSV && kind != FORMAT_JSON)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "events %s: events are written as CSV or JSON; give a name that ends in "
                         ".csv or .json",
                         path);
    list_events(&text, taut_result_notes(result), digits, kind == FORMAT_JSON);
    const taut_status status =
        text.failed ? TAUT_ERR_MEMORY : taut_file_write(path, text.text, errors);
    taut_string_release(&text);
    return status;
}

taut_status taut_result_write_stats(const taut_result *result, const char *path,
                                    taut_errors *errors) {
    taut_string text = {0};
    TAUT_NEED(result, "result", errors);
    TAUT_NEED(path, "path", errors);
    taut_json_stats(&text, result);
    taut_string_add(&text, "\n");
    const taut_status status =
        text.failed ? TAUT_ERR_MEMORY : taut_file_write(path, text.text, errors);
    taut_string_release(&text);
    return status;
}
