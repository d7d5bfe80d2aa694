/* Certificates of many runs against the truth: all examples, several formulations, solvers and
 * tolerances, rows at random times. Prints the distribution of docs/accuracy.md (scripts/accuracy),
 * and requires that few estimates are far off. */
#include "check.h"

#include <dirent.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "task/result.h"
#include "task/scale.h"
#include "task/simulation.h"

enum { MOST_EXAMPLES = 80, MOST_TIMES = 4, DENSE = 401 };
static const double LIMIT = 4.0; /* seconds a run: what takes longer is left out */

/* How far estimates are from the errors, by the larger over the smaller. */
typedef struct distribution {
    int runs, none; /* certified; without an estimate, or at rest */
    int far_below, below, about, above, far_above;
    double least, most;
} distribution;

/* ---- runs ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int on_progress(void *user, double fraction) {
    (void)fraction;
    return now() - *(const double *)user > LIMIT;
}

static unsigned random_state;
static double random_part(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (double)random_state / 4294967296.0;
}

/* One to four times of a span, ascending. */
static int random_times(double t0, double tend, double *time) {
    const int count = 1 + (int)(MOST_TIMES * random_part());
    for (int i = 0; i < count; i++) {
        const double t = t0 + (tend - t0) * (0.02 + 0.98 * random_part());
        int place = i;
        for (; place > 0 && time[place - 1] > t; place--) time[place] = time[place - 1];
        time[place] = t;
    }
    return count;
}

static taut_status run(const taut_model *model, taut_run_options o, double nudge,
                       taut_result **result) {
    double begun = now();
    o.progress = on_progress;
    o.user = &begun;
    const taut_status status = taut_simulate_nudged(model, &o, nudge, result, NULL);
    if (status != TAUT_OK) taut_result_free(result);
    return status;
}

/* ---- the truth ---- */

/* The same motion twice, as well as can be, and how large its values are. */
typedef struct truth {
    const taut_model *model;
    bool mechanism;
    double t0, tend;
    taut_result *dense; /* for the scales */
    double *scale;
    bool *tiny;
} truth;

static taut_run_options best(const truth *x, bool other) {
    taut_run_options o = taut_run_options_default();
    o.rtol = o.atol = other ? 3e-15 : 1e-14;
    if (other && x->mechanism) o.formulation = "relative";
    return o;
}

static bool truth_find(truth *x, const taut_model *model) {
    double time[DENSE];
    taut_simulation *s = NULL;
    *x =
        (truth){.model = model, .mechanism = strcmp(taut_model_kind_name(model), "mechanism") == 0};
    if (taut_simulation_create(model, NULL, &s, NULL) != TAUT_OK) return false;
    x->t0 = taut_simulation_stats(s)->t0;
    x->tend = taut_simulation_stats(s)->tend;
    taut_simulation_free(&s);
    for (int i = 0; i < DENSE; i++) time[i] = x->t0 + (x->tend - x->t0) * i / (DENSE - 1.0);
    taut_run_options o = best(x, false);
    o.at = time;
    o.ats = DENSE;
    if (run(model, o, 0.0, &x->dense) != TAUT_OK) return false;
    x->scale = calloc((size_t)x->dense->columns, sizeof *x->scale);
    x->tiny = calloc((size_t)x->dense->columns, sizeof *x->tiny);
    assert_true(x->scale && x->tiny);
    taut_scales_find(x->dense, NULL, x->scale, x->tiny);
    return true;
}

static void truth_free(truth *x) {
    taut_result_free(&x->dense);
    free(x->scale);
    free(x->tiny);
}

/* The largest difference of two tables in columns that the certificate estimates. */
static double difference(const truth *x, const taut_certificate *c, const taut_result *a,
                         const taut_result *b) {
    double worst = 0.0;
    for (long row = 0; row < a->rows; row++)
        for (int k = 1; k < a->columns; k++) {
            if (!(c->scale[k] > 0.0) || !(x->scale[k] > 0.0) || x->tiny[k]) continue;
            const double error =
                fabs(a->value[row * a->columns + k] - b->value[row * b->columns + k]);
            if (isfinite(error)) worst = fmax(worst, error / x->scale[k]);
        }
    return worst;
}

/* ---- one certificate ---- */

static void count(distribution *d, double ratio) {
    d->far_below += ratio < 0.1;
    d->below += ratio >= 0.1 && ratio < 1.0 / 3.0;
    d->about += ratio >= 1.0 / 3.0 && ratio <= 3.0;
    d->above += ratio > 3.0 && ratio <= 10.0;
    d->far_above += ratio > 10.0;
    d->least = fmin(d->least, ratio);
    d->most = fmax(d->most, ratio);
}

/* Runs, certifies, and compares with the truth at the same times. */
static void judge(const truth *x, const char *name, taut_run_options o, distribution *d) {
    double time[MOST_TIMES], begun = now();
    taut_result *r = NULL, *right = NULL, *again = NULL;
    taut_run_options first = best(x, false), second = best(x, true);
    o.at = first.at = second.at = time;
    o.ats = first.ats = second.ats = random_times(x->t0, x->tend, time);
    o.progress = on_progress;
    o.user = &begun;
    if (run(x->model, o, 0.0, &r) == TAUT_OK && run(x->model, first, 0.0, &right) == TAUT_OK &&
        run(x->model, second, DBL_EPSILON, &again) == TAUT_OK && r->columns == right->columns) {
        begun = now();
        const taut_status status = taut_certify(x->model, &o, r, NULL);
        const taut_certificate *c = taut_result_certificate(r);
        if (status == TAUT_OK && c->column >= 0) {
            const double error = difference(x, c, r, right),
                         noise = fmax(difference(x, c, right, again), 0.5 * DBL_EPSILON);
            double ratio = c->error / error;
            if (ratio < 1.0) ratio = fmin(1.0, c->error / fmax(error - noise, 1e-300));
            if (ratio > 1.0) ratio = fmax(1.0, c->error / (error + noise));
            d->runs++;
            count(d, ratio);
            if (ratio < 0.1 || ratio > 10.0)
                print_message("%s %s %s %.0e: estimate %.2g (%s), error %.2g, noise %.2g\n", name,
                              o.formulation ? o.formulation : "-", o.solver, o.rtol, c->error,
                              r->name[c->column], error, noise);
        } else {
            d->none++;
        }
    }
    taut_result_free(&r);
    taut_result_free(&right);
    taut_result_free(&again);
}

/* All ways to run one example. */
static void judge_all(const truth *x, const char *name, distribution *d) {
    static const char *const formulation[] = {NULL, "relative", "reference"};
    static const char *const solver[] = {"erk", "adams", "bdf", "ida"};
    static const double tol[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
    taut_run_options o = taut_run_options_default();
    for (int k = 0; k < 5; k++)
        for (int f = 0; f < (x->mechanism ? 3 : 1); f++)
            for (int i = 0; i < 2; i++) {
                o.formulation = formulation[f];
                o.rtol = o.atol = tol[k];
                judge(x, name, o, &d[k]);
            }
    o.formulation = NULL;
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 2; k++) {
            o.solver = solver[s];
            o.rtol = o.atol = k == 0 ? 1e-5 : 1e-7;
            judge(x, name, o, &d[5]);
        }
}

/* ---- all of them ---- */

static int by_name(const void *a, const void *b) {
    return strcmp((const char *)a, (const char *)b);
}

static int list_examples(char (*name)[64]) {
    DIR *folder = opendir(TAUT_SOURCE_DIR "/examples");
    int names = 0;
    assert_non_null(folder);
    for (struct dirent *e = readdir(folder); e && names < MOST_EXAMPLES; e = readdir(folder)) {
        const size_t n = strlen(e->d_name);
        if (n > 5 && n < 64 && strcmp(e->d_name + n - 5, ".yaml") == 0)
            memcpy(name[names++], e->d_name, n + 1);
    }
    closedir(folder);
    qsort(name, (size_t)names, sizeof *name, by_name);
    return names;
}

static void print_line(const char *what, const distribution *d) {
    const double all = d->runs > 0 ? 0.01 * d->runs : 1.0;
    printf("| %s | %d | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.2g to %.2g |\n", what,
           d->runs, d->far_below / all, d->below / all, d->about / all, d->above / all,
           d->far_above / all, d->least, d->most);
}

static distribution sum_of(const distribution *d, int n) {
    distribution all = d[0];
    for (int i = 1; i < n; i++) {
        all.runs += d[i].runs;
        all.none += d[i].none;
        all.far_below += d[i].far_below;
        all.below += d[i].below;
        all.about += d[i].about;
        all.above += d[i].above;
        all.far_above += d[i].far_above;
        all.least = fmin(all.least, d[i].least);
        all.most = fmax(all.most, d[i].most);
    }
    return all;
}

static void test_estimates_are_near_the_errors(void **state) {
    (void)state;
    static char name[MOST_EXAMPLES][64];
    static const char *const line[] = {"`auto`, tol 1e-4",
                                       "1e-6",
                                       "1e-8",
                                       "1e-10",
                                       "1e-12",
                                       "`erk`, `adams`, `bdf`, `ida`, 1e-5 and 1e-7"};
    distribution d[6] = {{0}};
    for (int k = 0; k < 6; k++) d[k] = (distribution){.least = 1.0, .most = 1.0};
    const int names = list_examples(name);
    random_state = 2463534242u;
    for (int i = 0; i < names; i++) {
        char path[6000];
        taut_model *model = NULL;
        truth x = {0};
        snprintf(path, sizeof path, "%s/examples/%s", TAUT_SOURCE_DIR, name[i]);
        if (taut_model_read(path, NULL, 0, &model, NULL) == TAUT_OK && truth_find(&x, model))
            judge_all(&x, name[i], d);
        truth_free(&x);
        taut_model_free(&model);
    }
    for (int k = 0; k < 6; k++) print_line(line[k], &d[k]);
    const distribution all = sum_of(d, 6);
    print_line("all", &all);
    print_message("%d without an estimate\n", all.none);
    assert_true(all.runs > 1000);
    assert_true(all.far_below <= all.runs / 1000);
    assert_true(all.far_below + all.below <= all.runs / 50);
    assert_true(all.far_above <= all.runs / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_estimates_are_near_the_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
