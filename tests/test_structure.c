/* Structural analysis of whole models: offsets, index, blocks, what is needed, what is wrong. */
#include "solve_text.h"

#include <time.h>

#include "form/assemble.h"
#include "solve/structure.h"

typedef struct analysed {
    taut_model *model;
    taut_problem *problem;
    taut_arena arena;
    taut_structure structure;
    taut_errors errors;
    taut_status status;
} analysed;

static analysed *analyse(const char *text) {
    analysed *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->model = read_text(text);
    assert_int_equal(taut_problem_create(a->model, &a->problem, &a->errors), TAUT_OK);
    a->status = taut_structure_create(&a->problem->system, &a->arena, &a->structure, &a->errors);
    return a;
}

static void release(analysed *a) {
    taut_arena_release(&a->arena);
    taut_problem_free(&a->problem);
    taut_model_free(&a->model);
    free(a);
}

static void check_offsets(const char *text, const int *c, const int *d, int index) {
    analysed *a = analyse(text);
    assert_int_equal(a->status, TAUT_OK);
    for (int i = 0; i < a->structure.n; i++) {
        assert_int_equal(a->structure.offsets.c[i], c[i]);
        assert_int_equal(a->structure.offsets.d[i], d[i]);
    }
    assert_int_equal(a->structure.offsets.index, index);
    release(a);
}

static void test_offsets_of_known_systems(void **state) {
    (void)state;
    check_offsets("DAE: {Variables: [u, v, lam],\n"
                  "      Equations: [\"u'' + lam*u\", \"v'' + lam*v - 9.81\", u^2 + v^2 - 100]}\n",
                  (int[]){0, 0, 2}, (int[]){2, 2, 0}, 3);
    check_offsets("DAE: {Variables: [x], Equations: [x' + x]}\n", (int[]){0}, (int[]){1}, 0);
    check_offsets("DAE: {Variables: [x, y], Equations: [x' - y, y - x^2]}\n", (int[]){0, 0},
                  (int[]){1, 0}, 1);
    check_offsets("DAE: {Variables: [x, y], Equations: [x - sin(t), y - x']}\n", (int[]){1, 0},
                  (int[]){1, 0}, 2);
    check_offsets("DAE: {Variables: [x], Equations: [\"x''' - x*x''\"]}\n", (int[]){0}, (int[]){3},
                  0);
    /* an angle beside a motion: theta' = omega(q, q') */
    check_offsets("DAE: {Variables: [x, y, a],\n"
                  "      Equations: [\"x'' + x\", \"y'' + y\", a' - (x*y' - y*x')/(x^2 + y^2)]}\n",
                  (int[]){0, 0, 0}, (int[]){2, 2, 1}, 0);
    /* y has no inertia: the constraint gives it from x, undifferentiated */
    check_offsets(
        "Lagrangian: {Coordinates: [x, y], L: \"1/2*x'^2 - y*x\", Constraints: [y - x]}\n",
        (int[]){0, 0, 0}, (int[]){2, 0, 0}, 1);
}

/* A coordinate without mass that is marked as mechanical has d = 2 like the others, unless its
 * motion is of first order. */
static void check_mechanical(const char *text, const int *c, const int *d, int index, long dof) {
    analysed *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->model = read_text(text);
    assert_int_equal(taut_problem_create(a->model, &a->problem, &a->errors), TAUT_OK);
    for (int j = 0; j < a->model->coordinates; j++) a->problem->system.unknown[j].mechanical = true;
    assert_int_equal(
        taut_structure_create(&a->problem->system, &a->arena, &a->structure, &a->errors), TAUT_OK);
    for (int i = 0; i < a->structure.n; i++) {
        assert_int_equal(a->structure.offsets.c[i], c[i]);
        assert_int_equal(a->structure.offsets.d[i], d[i]);
    }
    assert_int_equal(a->structure.offsets.index, index);
    assert_true(a->structure.offsets.dof == dof);
    release(a);
}

static void test_mechanical_coordinates(void **state) {
    (void)state;
    check_mechanical(
        "Lagrangian: {Coordinates: [x, y], L: \"1/2*x'^2 - y*x\", Constraints: [y - x]}\n",
        (int[]){0, 0, 2}, (int[]){2, 2, 0}, 3, 2);
    check_mechanical("Lagrangian: {Coordinates: [x], L: -1/2*x^2, Dissipation: \"1/2*x'^2\"}\n",
                     (int[]){1}, (int[]){2}, 1, 1);
    check_mechanical("Lagrangian: {Coordinates: [x, y], L: \"-1/2*x^2 - y^2\",\n"
                     "  Dissipation: \"1/2*x'^2\", Constraints: [y - sin(x)]}\n",
                     (int[]){0, 0, 0}, (int[]){1, 0, 0}, 1, 1);
}

/* Parameters that are 0 are folded: no x'' is left where the mass is 0. */
static void test_massless_coordinate_has_a_lower_order(void **state) {
    (void)state;
    const char *const text = "PhysicalParams: {m: %s}\n"
                             "Lagrangian:\n"
                             "  Coordinates: [x]\n"
                             "  L: m/2*x'^2 - 1/2*x^2\n"
                             "  Dissipation: 1/2*x'^2\n";
    char model[300];
    snprintf(model, sizeof model, text, "0");
    check_offsets(model, (int[]){0}, (int[]){1}, 0);
    snprintf(model, sizeof model, text, "1");
    check_offsets(model, (int[]){0}, (int[]){2}, 0);
}

static void test_quasilinearity_decides_what_is_needed(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool quasilinear;
        int needed; /* of the first variable */
    } known[] = {
        {"DAE: {Variables: [x], Equations: [\"x'*exp(x) + x^3\"]}\n", true, 1},
        {"DAE: {Variables: [x], Equations: [\"x'^2 + x^2 - 1\"]}\n", false, 2},
        {"DAE: {Variables: [x], Equations: [sin(x) - t]}\n", false, 1},
        {"DAE: {Variables: [x], Equations: [3*x - t]}\n", true, 0},
        {"DAE: {Variables: [x, y], Equations: [x' - y, y - x^2]}\n", true, 1},
        {"DAE: {Variables: [x, y], Equations: [x' - y, \"y*x' - 1\"]}\n", false, 2},
        {"DAE: {Variables: [x], Equations: [1/x' - x]}\n", false, 2},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        analysed *a = analyse(known[i].text);
        assert_int_equal(a->status, TAUT_OK);
        assert_int_equal(a->structure.quasilinear, known[i].quasilinear);
        assert_int_equal(taut_needed(&a->structure, 0), known[i].needed);
        release(a);
    }
}

static void test_singular_structure_names_both_parts(void **state) {
    (void)state;
    analysed *a = analyse("DAE:\n"
                          "  Variables: [x, y, z]\n"
                          "  Equations: {one: x' + x, two: x - 1, three: y + z + x}\n");
    assert_int_equal(a->status, TAUT_ERR_INPUT);
    assert_int_equal(a->errors.count, 2);
    assert_non_null(strstr(a->errors.item[0].message, "over-determined"));
    assert_non_null(strstr(a->errors.item[0].message, "one"));
    assert_non_null(strstr(a->errors.item[0].message, "two"));
    assert_null(strstr(a->errors.item[0].message, "three"));
    assert_non_null(strstr(a->errors.item[1].message, "under-determined"));
    assert_non_null(strstr(a->errors.item[1].message, "y, z"));
    release(a);
}

/* The raw transistor amplifier's flaw: C(y1' - y2') in two rows. */
static void test_hidden_dependency_is_reported_as_such(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-9);
    solution *s = try_text("DAE:\n"
                           "  Variables: [y1, y2]\n"
                           "  Equations: [y1' - y2' + y1 - sin(t), y1' - y2' + y2]\n"
                           "ProblemData: {tend: 1, positions: {y1: 0, y2: 0}}\n",
                           &options);
    assert_int_equal(s->status, TAUT_ERR_INPUT);
    assert_true(s->errors.count > 0);
    assert_non_null(strstr(s->errors.item[0].message, "structural analysis fails"));
    assert_non_null(strstr(s->errors.item[0].message, "equation"));
    solution_free(s);
}

/* 5,000 equations, sparse: a chain of oscillators, each held by the next. */
static void test_large_structure_is_fast(void **state) {
    (void)state;
    enum { N = 5000, ROOM = 100 * N };
    char *text = malloc(ROOM);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, ROOM, "DAE:\n  Variables: [");
    for (int i = 0; i < N; i++)
        n += (size_t)snprintf(text + n, ROOM - n, "%sx%d", i ? ", " : "", i);
    n += (size_t)snprintf(text + n, ROOM - n, "]\n  Equations:\n");
    for (int i = 0; i < N; i++)
        n += (size_t)snprintf(text + n, ROOM - n, "    - x%d'' + 2*x%d - x%d*x%d\n", i, i,
                              i > 0 ? i - 1 : i, i < N - 1 ? i + 1 : i);
    assert_true(n < ROOM);
    taut_model *model = read_text(text);
    taut_problem *problem = NULL;
    taut_arena arena = {0};
    taut_structure structure;
    const clock_t begin = clock();
    assert_int_equal(taut_problem_create(model, &problem, NULL), TAUT_OK);
    assert_int_equal(taut_structure_create(&problem->system, &arena, &structure, NULL), TAUT_OK);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_int_equal(structure.offsets.dof, 2 * N);
    assert_int_equal(structure.blocks.nblocks, N);
    print_message("    5000 equations: %.3f s\n", seconds);
#ifdef NDEBUG
    assert_true(seconds < 0.5);
#endif
    taut_arena_release(&arena);
    taut_problem_free(&problem);
    taut_model_free(&model);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets_of_known_systems),
        cmocka_unit_test(test_mechanical_coordinates),
        cmocka_unit_test(test_massless_coordinate_has_a_lower_order),
        cmocka_unit_test(test_quasilinearity_decides_what_is_needed),
        cmocka_unit_test(test_singular_structure_names_both_parts),
        cmocka_unit_test(test_hidden_dependency_is_reported_as_such),
        cmocka_unit_test(test_large_structure_is_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
