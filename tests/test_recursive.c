/* Tests of tree/recursive: rates by the recursion against those of the graph, on every example that
 * has a law, at several points of its motion; and the multipliers of loops by themselves. */
#include <dirent.h>

#include "digits.h"

#include "failing_malloc.h"
#include "form/formulation.h"
#include "tree/multiplier.h"
#include "tree/recursive.h"
#include "model/model.h"
#include "solve/ode.h"
#include "task/simulation.h"

enum { POINTS = 4, MOST_STATES = 1000 };

/* Reasons why there is no law: masses or unknowns that belong to no limb. */
static const char *const WITHOUT[] = {
    "cam",              /* the parameter of a curve */
    "dc-motor",         /* a current */
    "flyball-governor", /* a point without mass on a line */
    "flyball-governor-stretched",
    "mechanism0", /* a spring with mass */
    "mechanism0-torque",
};

static bool is_without(const char *name) {
    for (size_t i = 0; i < sizeof WITHOUT / sizeof *WITHOUT; i++)
        if (strcmp(name, WITHOUT[i]) == 0) return true;
    return false;
}

/* The largest difference of rates beside the largest rate of the same order. */
static double compare(taut_simulation *s, const char *name) {
    static double y[MOST_STATES], a[MOST_STATES], b[MOST_STATES];
    const taut_system *system = &s->prepared->problem->system;
    const taut_structure *structure = &s->prepared->structure;
    const taut_stepping stepping = {.rtol = 1e-9, .atol = 1e-9};
    const taut_recursive_options options = {.law = s->prepared->problem->law};
    taut_arena arena = {0};
    taut_flow *graph, *tree;
    double worst = 0.0, largest = 0.0;
    assert_int_equal(taut_ode_maker.create(NULL, system, structure, &stepping, &arena, &graph),
                     TAUT_OK);
    assert_int_equal(taut_recursive_create(&options, system, structure, &stepping, &arena, &tree),
                     TAUT_OK);
    assert_true(taut_flow_is_recursive(tree));
    assert_true(graph->states < MOST_STATES);
    int at = 0;
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < structure->offsets.d[j]; k++)
            y[at++] = taut_stepper_state(s->stepper, j, k);
    assert_int_equal(graph->kind->rates(graph, s->stepper->t, y, a), TAUT_OK);
    assert_int_equal(tree->kind->rates(tree, s->stepper->t, y, b), TAUT_OK);
    for (int i = 0; i < graph->states; i++) largest = fmax(largest, fabs(a[i]));
    for (int i = 0; i < graph->states; i++) {
        if (!(fabs(a[i] - b[i]) <= 1e-11 * largest))
            print_message("%s, state %d: %.17g, %.17g\n", name, i, a[i], b[i]);
        worst = fmax(worst, fabs(a[i] - b[i]) / largest);
    }
    graph->kind->release(graph);
    tree->kind->release(tree);
    taut_arena_release(&arena);
    return worst;
}

static bool try_model(const char *path, const char *name) {
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    taut_errors errors = {0};
    taut_run_options options = taut_run_options_default();
    bool tried = false;
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    if (model->kind == TAUT_MODEL_MECHANISM && strcmp(name, "pendulum-paper") != 0) {
        options.formulation = "relative";
        options.solver = "erk";
        options.rtol = options.atol = 1e-10;
        assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
        tried = s->prepared->problem->law != NULL;
        assert_int_equal(tried, !is_without(name));
        double worst = 0.0;
        for (int i = 0; i < POINTS && tried; i++) {
            worst = fmax(worst, compare(s, name));
            for (int k = 0; k < 5; k++) taut_simulation_step(s, &errors);
        }
        if (tried) print_message("%s: %.1e\n", name, worst);
        assert_true(worst < 1e-11);
        taut_simulation_free(&s);
    }
    taut_model_free(&model);
    return tried;
}

static void test_special(void **state) {
    (void)state;
    assert_true(try_model(TAUT_SOURCE_DIR "/tests/models/relative/driven-loop.yaml", "loop"));
    assert_true(try_model(TAUT_SOURCE_DIR "/tests/models/relative/driven-arm.yaml", "arm"));
    assert_true(try_model(TAUT_SOURCE_DIR "/tests/models/relative/driven-coupler.yaml", "coupler"));
    assert_true(try_model(TAUT_SOURCE_DIR "/tests/models/relative/thin-rods.yaml", "thin rods"));
    assert_true(try_model(TAUT_SOURCE_DIR "/tests/models/relative/particles.yaml", "particles"));
    assert_true(
        try_model(TAUT_SOURCE_DIR "/tests/models/relative/massless-rods.yaml", "massless rods"));
}

static void test_rates(void **state) {
    (void)state;
    int count = 0;
    DIR *folder = opendir(TAUT_SOURCE_DIR "/examples");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[64], path[512];
        const char *end = strstr(entry->d_name, ".yaml");
        if (!end) continue;
        snprintf(name, sizeof name, "%.*s", (int)(end - entry->d_name), entry->d_name);
        snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
        count += try_model(path, name);
    }
    closedir(folder);
    assert_true(count >= 25);
}

/* A matrix A A^T with A of a given rank; b in its range. */
static void check_multiplier(int rank, bool careful, bool truncated) {
    enum { N = 5 };
    static const double A[N][N] = {
        {2, 1, 0, 0, 1}, {0, 1, 3, 0, 0}, {1, 0, 0, 2, 0}, {0, 0, 1, 1, 4}, {1, 1, 0, 0, 2}};
    taut_arena arena = {0};
    taut_multiplier m;
    double b[N], back[N], x[N] = {1.0, -2.0, 0.5, 3.0, 0.25}, matrix[N][N];
    int first[N];
    for (int i = 0; i < N; i++) {
        b[i] = 0.0;
        first[i] = N;
        for (int j = 0; j < N; j++) {
            matrix[i][j] = 0.0;
            for (int k = 0; k < rank; k++) matrix[i][j] += A[i][k] * A[j][k];
            if (matrix[i][j] != 0.0 && first[i] == N) first[i] = j;
            b[i] += matrix[i][j] * x[j];
        }
        back[i] = b[i];
    }
    assert_int_equal(taut_multiplier_create(N, first, careful, &arena, &m), TAUT_OK);
    for (int i = 0; i < N; i++)
        for (int j = first[i]; j <= i; j++) *taut_multiplier_entry(&m, i, j) = matrix[i][j];
    taut_multiplier_factor(&m);
    assert_int_equal(m.truncated, truncated);
    assert_int_equal(taut_multiplier_solve(&m, b), TAUT_OK);
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++) sum += matrix[i][j] * b[j];
        assert_near(sum, back[i], 1e-11, 1e-12);
        if (rank == N) assert_near(b[i], x[i], 1e-10, 1e-10);
    }
    taut_arena_release(&arena);
}

static void test_multipliers(void **state) {
    (void)state;
    check_multiplier(5, false, false);
    check_multiplier(5, true, true);
    check_multiplier(3, false, true);
}

/* Loops in a row, each of which has to do with its neighbours, and the last one with loop 30: what
 * is kept grows with their number, not with its square. */
static void test_multipliers_of_a_row_of_loops(void **state) {
    (void)state;
    enum { N = 60, FAR = 30 };
    taut_arena arena = {0};
    taut_multiplier m;
    double b[N], x[N];
    int first[N];
    for (int i = 0; i < N; i++) first[i] = i == N - 1 ? FAR : i > 0 ? i - 1 : 0;
    assert_int_equal(taut_multiplier_create(N, first, false, &arena, &m), TAUT_OK);
    assert_int_equal(m.start[N], 2 * N - 1 + (N - 2 - FAR));
    for (int i = 0; i < N; i++) {
        x[i] = sin(i + 1.0);
        b[i] = 0.0;
    }
    for (int i = 0; i < N; i++)
        for (int j = first[i]; j <= i; j++) {
            const bool far = i == N - 1 && j == FAR;
            const double value = j == i ? 4.0 + 0.1 * i : j == i - 1 ? -1.5 : far ? 0.75 : 0.0;
            *taut_multiplier_entry(&m, i, j) = value;
            b[i] += value * x[j];
            if (j < i) b[j] += value * x[i];
        }
    taut_multiplier_factor(&m);
    assert_false(m.truncated);
    assert_int_equal(taut_multiplier_solve(&m, b), TAUT_OK);
    for (int i = 0; i < N; i++) assert_near(b[i], x[i], 1e-13, 1e-13);
    assert_null(m.work); /* nobody asked for a dense matrix */
    taut_arena_release(&arena);
}

/* ---- without memory ---- */

/* Equations with their law; the start plays no part in it. */
static taut_status form(const taut_model *model, taut_problem **problem) {
    const taut_forming forming = {.formulation = taut_formulation_find("relative"),
                                  .recursion = true};
    return taut_problem_create_by(model, &forming, problem, NULL);
}

static taut_status make_flow(const taut_simulation *s) {
    const taut_stepping stepping = {.rtol = 1e-9, .atol = 1e-9};
    const taut_recursive_options options = {.law = s->prepared->problem->law};
    taut_arena arena = {0};
    taut_flow *flow = NULL;
    const taut_status status = taut_recursive_create(
        &options, &s->prepared->problem->system, &s->prepared->structure, &stepping, &arena, &flow);
    if (flow && flow->kind) flow->kind->release(flow);
    taut_arena_release(&arena);
    return status;
}

/* Every allocation fails once, alone: an error, and nothing is lost. */
static void test_without_memory(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    taut_problem *problem = NULL;
    taut_errors errors = {0};
    taut_run_options options = taut_run_options_default();
    options.formulation = "relative";
    options.solver = "erk";
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/robot.yaml", NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    for (int part = 0; part < 2; part++) {
        failing_malloc_begin(0);
        assert_int_equal(part ? make_flow(s) : form(model, &problem), TAUT_OK);
        const long total = failing_malloc_end();
        if (part == 0) assert_non_null(problem->law);
        taut_problem_free(&problem);
        assert_true(total > 10);
        long survived = 0;
        for (long which = 1; which <= total; which++) {
            const long before = failing_malloc_live();
            failing_malloc_begin(which);
            const taut_status status = part ? make_flow(s) : form(model, &problem);
            failing_malloc_end();
            /* KLU may do without, for the time being */
            assert_true(status == TAUT_ERR_MEMORY || (part == 1 && status == TAUT_OK));
            assert_null(problem);
            survived += status == TAUT_OK;
            assert_int_equal(failing_malloc_live(), before);
        }
        print_message("%s: %ld allocations failed, %ld of them without harm\n",
                      part ? "flow" : "equations", total, survived);
        assert_true(survived < 5);
    }
    taut_simulation_free(&s);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates), cmocka_unit_test(test_special),
                                       cmocka_unit_test(test_multipliers),
                                       cmocka_unit_test(test_multipliers_of_a_row_of_loops),
                                       cmocka_unit_test(test_without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
