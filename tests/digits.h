/* How many digits of a column are right, and the mechanisms of reference/mechanisms.h. */
#ifndef TAUT_TESTS_DIGITS_H
#define TAUT_TESTS_DIGITS_H

#include "solve_text.h"

#include "reference/mechanisms.h"

/* Relative to the larger of |want| and a tenth of the column's scale; 17 if equal. */
static inline double digits_of(double got, double want, double scale) {
    const double error = fabs(got - want) / fmax(fmax(fabs(want), 0.1 * scale), 1e-300);
    if (isnan(error)) return -17.0;
    return error > 0.0 ? -log10(error) : 17.0;
}

static inline const mechanism *mechanism_of(const char *name) {
    for (int i = 0; i < MECHANISMS; i++)
        if (strcmp(mechanisms[i].name, name) == 0) return &mechanisms[i];
    print_error("there is no mechanism %s\n", name);
    fail();
    return NULL;
}

/* Largest |value| of a column in the given states; 1 if it is always 0. */
static inline double given_scale(const mechanism *m, int column) {
    double largest = 0.0;
    for (int s = 0; s < m->states; s++)
        largest = fmax(largest, fabs(m->value[s * m->columns + column]));
    return largest > 0.0 ? largest : 1.0;
}

static inline solution *solve_example(const char *name, const taut_run_options *options) {
    char path[128];
    snprintf(path, sizeof path, "examples/%s.yaml", name);
    return solve_file(path, options);
}

/* tests/models/<name>-minimal.yaml: the same mechanism as a Lagrangian in other coordinates. */
static inline solution *solve_second(const char *name, const taut_run_options *options) {
    char path[128];
    snprintf(path, sizeof path, "tests/models/%s-minimal.yaml", name);
    return solve_file(path, options);
}

/* The text of a file of the source tree, to be freed. */
/* A file of the source tree with other parameters. */
static inline solution *solve_with(const char *file, const taut_override *override, int overrides,
                                   const taut_run_options *options) {
    char path[512];
    taut_model *model = NULL;
    solution *s = calloc(1, sizeof *s);
    assert_non_null(s);
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, file);
    s->status = taut_model_read(path, override, overrides, &model, &s->errors);
    if (s->status == TAUT_OK) s->status = taut_simulate(model, options, &s->result, &s->errors);
    taut_model_free(&model);
    return must_succeed(s);
}

/* A flyball governor with stiffer spring-dampers. */
static inline solution *solve_stiffened(const char *file, double factor,
                                        const taut_run_options *options) {
    char k[32], c[32];
    const taut_override override[] = {{"k", k}, {"c", c}};
    snprintf(k, sizeof k, "%.17g", 8e5 * factor);
    snprintf(c, sizeof c, "%.17g", 4e4 * factor);
    return solve_with(file, override, 2, options);
}

static inline char *text_of_file(const char *name) {
    enum { MOST = 65536 };
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, MOST);
    assert_non_null(text);
    const size_t size = fread(text, 1, MOST - 1, file);
    assert_true(size > 0 && size < MOST - 1);
    fclose(file);
    return text;
}

static inline int primes_of(const char *name) {
    const char *prime = strchr(name, '\'');
    return prime ? (int)strlen(prime) : 0;
}

/* Largest value of all columns with as many primes. */
static inline double size_of_order(const solution *s, int primes) {
    double largest = 0.0;
    for (int c = 1; c < taut_result_columns(s->result); c++)
        if (primes_of(taut_result_name(s->result, c)) == primes)
            largest = fmax(largest, scale_of(s, taut_result_name(s->result, c)));
    return largest;
}

/* N four-bars on the parallelogram branch, in one angle, from this starting speed. */
static inline solution *solve_one_angle(int n, double speed, const taut_run_options *options) {
    char path[512], count[16], formula[32];
    const taut_override overrides[] = {{"N", count}, {"speed", formula}};
    taut_model *model = NULL;
    snprintf(path, sizeof path, "%s/tests/models/four-bar-minimal.yaml", TAUT_SOURCE_DIR);
    snprintf(count, sizeof count, "%d", n);
    snprintf(formula, sizeof formula, "%.17g", speed);
    solution *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->status = taut_model_read(path, overrides, 2, &model, &s->errors);
    if (s->status == TAUT_OK) s->status = taut_simulate(model, options, &s->result, &s->errors);
    taut_model_free(&model);
    return must_succeed(s);
}

/* The worst column and its digits. */
typedef struct agreement {
    double digits, t;
    const char *column;
} agreement;

static inline void agreement_add(agreement *worst, double digits, double t, const char *column) {
    if (digits < worst->digits) *worst = (agreement){digits, t, column};
}

/* Fails, with the figures, if there are fewer digits than `least`. */
static inline void require_digits(agreement found, double least, const char *what) {
    if (found.digits >= least) return;
    print_error("%s: %.2f digits in %s at t = %g, %.2f wanted\n", what, found.digits, found.column,
                found.t, least);
    fail();
}

#endif
