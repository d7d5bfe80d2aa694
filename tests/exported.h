/* Exports a model with the program, compiles it, runs it and compares all columns with taut. */
#ifndef TAUT_TESTS_EXPORTED_H
#define TAUT_TESTS_EXPORTED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "program.h"

#include "task/differ.h"
#include "task/scale.h"

#define STRICT "-pedantic -Wall -Wextra -Wconversion -Werror"

/* "examples/slider-crank.yaml" -> "slider-crank" */
static inline void export_stem(const char *file, char *stem, size_t size) {
    const char *base = strrchr(file, '/');
    snprintf(stem, size, "%s", base ? base + 1 : file);
    stem[strlen(stem) - strlen(".yaml")] = '\0';
}

/* Calls the shell with %s for the stem. */
static inline void export_shell(const char *stem, const char *format) {
    char command[2000];
    size_t n = 0;
    for (const char *p = format; *p && n + 100 < sizeof command; p++) {
        if (*p == '@')
            n += (size_t)snprintf(command + n, sizeof command - n, "%s", stem);
        else
            command[n++] = *p;
    }
    command[n] = '\0';
    if (system(command) != 0) fail_msg("%s: %s", stem, command);
}

/* The largest difference of two tables with the same columns, relative to the largest value of each
 * kind as taut measures it. */
static inline double export_gap(const char *path, const char *options, const program_table *t) {
    static taut_errors errors;
    taut_run_options o = taut_run_options_default();
    taut_model *model;
    taut_result *truth;
    taut_arena arena = {0};
    taut_yardstick yardstick;
    double *at = calloc((size_t)t->rows, sizeof *at), worst = 0.0;
    for (long i = 0; i < t->rows; i++) at[i] = t->value[i * t->columns];
    const double first = at[0], last = at[t->rows - 1];
    /* controllers: just behind their samples, where the last digit of t decides */
    for (long i = 0; i + 1 < t->rows && path[0] == '.'; i++) at[i] += 1e-12;
    o.rtol = o.atol = 1e-13;
    o.at = at;
    o.ats = (int)t->rows;
    o.formulation = strstr(options, "relative") ? "relative" : NULL;
    o.reactions = strstr(options, "--reactions") != NULL;
    o.body_axes = strstr(options, "--axes body") != NULL;
    o.derivatives = 0;
    for (int c = 0; c < t->columns; c++) {
        int primes = 0;
        for (const char *p = t->name[c]; *p; p++) primes += *p == '\'';
        if (primes > o.derivatives) o.derivatives = primes;
    }
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &o, &truth, &errors), TAUT_OK);
    assert_int_equal(taut_result_columns(truth), t->columns);
    assert_int_equal(taut_result_rows(truth), t->rows);
    assert_int_equal(taut_yardstick_make(truth, &arena, &yardstick), TAUT_OK);
    taut_scales_find_safe(truth, yardstick.scale);
    for (int c = 0; c < t->columns; c++) {
        assert_string_equal(taut_result_name(truth, c), t->name[c]);
        for (long i = 0; c > 0 && i < t->rows && yardstick.scale[c] > 0.0; i++) {
            const double gap = fabs(t->value[i * t->columns + c] - taut_result_value(truth, i, c));
            if (!(gap / yardstick.scale[c] <= worst)) worst = gap / yardstick.scale[c];
        }
    }
    /* from t0, the last row exactly at tend */
    const taut_run_stats *stats = taut_result_stats(truth);
    assert_true(first == stats->t0 && last == stats->tend);
    taut_arena_release(&arena);
    taut_result_free(&truth);
    taut_model_free(&model);
    free(at);
    return worst;
}

/* Exports an example, or ./FILE, with these options, and checks that it is as accurate as asked
 * for. */
static inline void check_export(const char *file, const char *options, double tol) {
    char stem[200], path[600], command[1000];
    program_result r;
    export_stem(file, stem, sizeof stem);
    if (file[0] == '.') /* a file of the test's own */
        snprintf(path, sizeof path, "%s", file);
    else
        snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, file);
    snprintf(command, sizeof command, "export %s --c code%s%s", path, *options ? " " : "", options);
    program_call(&r, command);
    if (r.code != 0) fail_msg("%s: %s", file, r.err);
    program_release(&r);
    export_shell(stem, "test $(wc -c < code/@.c) -lt 100000"); /* readable: not too long */
    export_shell(stem, "cc -std=c99 " STRICT " -O2 -o code/run code/@.c code/main.c -lm");
    export_shell(stem, "c++ -x c++ " STRICT " -fsyntax-only code/@.c code/main.c");
    export_shell(stem, "if command -v clang >/dev/null; then clang -std=c99 " STRICT
                       " -fsyntax-only code/@.c code/main.c; fi");
    export_shell(stem, "code/run > code/run.csv");
    export_shell(stem,
                 "head -n 1 code/run.csv > few.csv && tail -n +2 code/run.csv | "
                 "awk -v n=$(wc -l < code/run.csv) 'NR == 1 || NR % (int(n / 200) + 1) == 0 || "
                 "NR == n - 1' >> few.csv");
    char *text = program_read("few.csv");
    program_table table;
    program_table_read(&table, text);
    const double gap = export_gap(path, options, &table);
    if (!(gap <= tol)) fail_msg("%s %s: off by %.3g", file, options, gap);
    program_table_free(&table);
    free(text);
    export_shell(stem, "rm -r code");
}

#endif
