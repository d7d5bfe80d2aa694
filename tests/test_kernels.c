/* The kernels may leave out work that nobody reads, and may run on any processor: neither changes a
 * digit. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/consistent.h"
#include "solve/series.h"
#include "task/prepare.h"

enum { LAST = 18 };

/* A series of all stages at the start of the problem. */
static void settle(taut_series *s, const taut_prepared *p, taut_arena *arena) {
    static taut_errors errors;
    taut_moves moves;
    const taut_order order = {.tol = 1e-9, .search = {.methods = TAUT_BY_ALL}, .arena = arena};
    assert_int_equal(taut_consistent_find(s, p->problem->model->t0, &order, &moves, &errors),
                     TAUT_OK);
    double x[400][8];
    for (int j = 0; j < s->system->n; j++)
        for (int k = 0; k <= s->structure->offsets.d[j]; k++) x[j][k] = taut_series_get(s, j, k);
    taut_series_start(s, p->problem->model->t0, 0.01);
    for (int j = 0; j < s->system->n; j++)
        for (int k = 0; k <= s->structure->offsets.d[j]; k++) taut_series_set(s, j, k, x[j][k]);
    assert_int_equal(taut_series_settle(s, true, NULL, NULL), TAUT_OK);
    taut_series_extend(s, 1, LAST);
}

/* A series without outputs does not bring residuals up to date; one whose outputs are the residuals
 * does. Their solutions must be the same to the last bit. */
static void check_example(const char *name) {
    static taut_errors errors;
    taut_model *model;
    taut_prepared p;
    taut_arena arena = {0};
    taut_series *lean, *full;
    char path[400];
    bool fewer;
    memset(&errors, 0, sizeof errors);
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_prepare(model, &p, &errors), TAUT_OK);
    assert_int_equal(taut_prepare_reduce(&p, &fewer, &errors), TAUT_OK);
    const taut_system *system = &p.problem->system;
    assert_true(system->n <= 400);
    taut_node *residual = TAUT_NEW_ARRAY(&arena, system->n, taut_node);
    assert_non_null(residual);
    for (int i = 0; i < system->n; i++) residual[i] = system->equation[i].node;
    assert_int_equal(taut_series_create(system, &p.structure, LAST, NULL, 0, &lean), TAUT_OK);
    assert_int_equal(taut_series_create(system, &p.structure, LAST, residual, system->n, &full),
                     TAUT_OK);
    settle(lean, &p, &arena);
    settle(full, &p, &arena);
    int skipped = 0;
    for (int i = 0; i < lean->tape->size; i++) skipped += !lean->tape->instr[i].kept;
    assert_true(skipped > 0); /* otherwise there is nothing to compare */
    for (int j = 0; j < system->n; j++) {
        for (int k = 0; k <= LAST + p.structure.offsets.d[j]; k++) {
            const double *a = taut_jet_at(lean->jet, lean->variable[j], k);
            const double *b = taut_jet_at(full->jet, full->variable[j], k);
            assert_true(isfinite(*a));
            assert_memory_equal(a, b, sizeof *a);
        }
    }
    taut_series_free(&lean);
    taut_series_free(&full);
    taut_prepared_release(&p);
    taut_model_free(&model);
    taut_arena_release(&arena);
}

static void test_skipped_residuals_change_nothing(void **state) {
    (void)state;
    static const char *const NAME[] = {"pendulum", "bricard",     "robot",       "andrews",
                                       "rscr",     "five-link",   "mcpherson",   "flyball-governor",
                                       "spin-top", "four-bar-40", "rolling-disk"};
    for (size_t i = 0; i < sizeof NAME / sizeof NAME[0]; i++) check_example(NAME[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_skipped_residuals_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
