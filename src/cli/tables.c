/* Tables of results into files: digits, units, and a comment that tells where they come from. */
#include "cli/tables.h"

#include <stdio.h>
#include <string.h>

#include "cli/paths.h"

enum { ALL_DIGITS = 17, COMMENT = 8192 };

static bool ends_in(const char *path, const char *extension) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, extension) == 0;
}

int check_table(const arguments *a, const char *output) {
    const bool mat = ends_in(output, ".mat"), json = ends_in(output, ".json");
    if (mat && a->digits > 0)
        return refuse("--digits", output,
                      "a MAT file holds numbers, not digits; leave out one of the two");
    if (mat && (a->units || a->units_row))
        return refuse(
            a->units ? "--units" : "--units-row", output,
            "names of a MAT file have no room for units; leave it out, or write .csv or .json");
    if (json && a->units_row)
        return refuse("--units-row", output,
                      "rows of JSON are numbers; --units adds a list of units");
    if ((mat || json) && a->header)
        return refuse("--header", output,
                      "only CSV files have comments; --stats FILE.json tells how the run went");
    if (a->units && a->units_row)
        return refuse("--units", "--units-row", "leave out one of the two");
    return EXIT_DONE;
}

/* Version, title, and the words of the command line. */
static void write_comment(const arguments *a, const taut_model *model, char *text, size_t size) {
    int at = snprintf(text, size, "taut %s", taut_version());
    const char *title = taut_model_title(model);
    if (title[0]) at += snprintf(text + at, size - (size_t)at, ": %.1000s", title);
    for (int i = 0; i < a->argc && at < (int)size; i++)
        at +=
            snprintf(text + at, size - (size_t)at, "%s%s", i ? " " : "\n", i ? a->argv[i] : "taut");
}

taut_status write_table(const arguments *a, const taut_model *model, const taut_result *result,
                        const char *output, taut_errors *errors) {
    char comment[COMMENT];
    taut_write_options options = taut_write_options_default();
    options.digits = a->digits > 0 ? a->digits : ALL_DIGITS;
    options.model = model;
    options.units = a->units;
    options.units_row = a->units_row;
    if (a->header) write_comment(a, model, comment, sizeof comment);
    if (a->header) options.comment = comment;
    return taut_result_write_with(result, output, &options, errors);
}
