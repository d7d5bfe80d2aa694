/* From the text of a model to numbers: writes it to a temporary file, reads and simulates it, and
 * looks up columns by name. What should not fail fails the test, with the message shown. */
#ifndef TAUT_TESTS_SOLVE_TEXT_H
#define TAUT_TESTS_SOLVE_TEXT_H

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "taut/taut.h"

typedef struct solution {
    taut_status status;
    taut_result *result; /* NULL after an error in the input */
    taut_errors errors;
} solution;

static inline void show_errors(const taut_errors *errors) {
    char text[2048];
    for (int i = 0; i < errors->count; i++) {
        taut_error_format(&errors->item[i], text, sizeof text);
        print_error("%s\n", text);
    }
}

/* Options with a tolerance. */
static inline taut_run_options at_tolerance(double tol) {
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = tol;
    return options;
}

/* A temporary file with this text; path has the form of mkstemp. */
static inline void write_temporary(const char *text, char *path) {
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const size_t size = strlen(text);
    assert_true(write(file, text, size) == (ssize_t)size);
    close(file);
}

/* Reads a model, and requires success. */
static inline taut_model *read_text(const char *text) {
    char path[] = "/tmp/taut-test-XXXXXX";
    taut_model *model = NULL;
    taut_errors errors = {0};
    write_temporary(text, path);
    const taut_status status = taut_model_read(path, NULL, 0, &model, &errors);
    unlink(path);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    return model;
}

/* Simulates a file; the status is for the caller to judge. */
static inline solution *try_file(const char *path, const taut_run_options *options) {
    taut_model *model = NULL;
    solution *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->status = taut_model_read(path, NULL, 0, &model, &s->errors);
    if (s->status == TAUT_OK) s->status = taut_simulate(model, options, &s->result, &s->errors);
    taut_model_free(&model);
    return s;
}

static inline solution *try_text(const char *text, const taut_run_options *options) {
    char path[] = "/tmp/taut-test-XXXXXX";
    write_temporary(text, path);
    solution *s = try_file(path, options);
    unlink(path);
    return s;
}

static inline solution *must_succeed(solution *s) {
    if (s->status != TAUT_OK) show_errors(&s->errors);
    assert_int_equal(s->status, TAUT_OK);
    return s;
}

/* Simulates and requires success. */
static inline solution *solve_text(const char *text, const taut_run_options *options) {
    return must_succeed(try_text(text, options));
}

/* The same for a file of the source tree. */
static inline solution *solve_file(const char *name, const taut_run_options *options) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, name);
    return must_succeed(try_file(path, options));
}

static inline void solution_free(solution *s) {
    if (s) taut_result_free(&s->result);
    free(s);
}

static inline const taut_run_stats *stats_of(const solution *s) {
    return taut_result_stats(s->result);
}

static inline long rows_of(const solution *s) { return taut_result_rows(s->result); }

static inline int column_of(const solution *s, const char *name) {
    for (int c = 0; c < taut_result_columns(s->result); c++)
        if (strcmp(taut_result_name(s->result, c), name) == 0) return c;
    print_error("there is no column %s\n", name);
    fail();
    return -1;
}

static inline double value_of(const solution *s, long row, const char *name) {
    return taut_result_value(s->result, row, column_of(s, name));
}

/* In the last row. */
static inline double last_of(const solution *s, const char *name) {
    return value_of(s, rows_of(s) - 1, name);
}

/* Largest |value| of a column: its scale. */
static inline double scale_of(const solution *s, const char *name) {
    const int column = column_of(s, name);
    double largest = 0.0;
    for (long i = 0; i < rows_of(s); i++)
        largest = fmax(largest, fabs(taut_result_value(s->result, i, column)));
    return largest;
}

#endif
