/* Other numbers in the equations that are there, by every solver and formulation: the bytes of
 * fresh runs, and how often equations are formed. */
#include "check.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "taut/taut.h"

enum { COLUMNS = 400 };

static taut_errors errors;

#define assert_ok(call) assert_int_equal((call), TAUT_OK)

/* One way to solve a model. */
typedef struct way {
    const char *solver, *formulation;
    double step; /* 0: the solver's own */
} way;

typedef struct setting {
    const char *name;
    double value;
} setting;

static taut_run_options options_of(way w, double tend) {
    taut_run_options o = taut_run_options_default();
    o.solver = w.solver;
    o.formulation = w.formulation;
    o.step = w.step;
    o.rtol = o.atol = 1e-7;
    o.has_tend = true;
    o.tend = tend;
    return o;
}

static int run(taut_simulation *s, setting x, double tend, double *row) {
    assert_ok(taut_simulation_set_parameter(s, x.name, x.value, &errors));
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, tend, &errors));
    const int columns = taut_simulation_columns(s);
    assert_true(columns <= COLUMNS);
    assert_ok(taut_simulation_row(s, tend, row, &errors));
    return columns;
}

/* Sets one number after the other in one simulation; every run must end where a fresh one ends. */
static void compare(const char *name, way w, double tend, const setting *x, int count,
                    long expected) {
    char path[300];
    double row[COLUMNS], fresh[COLUMNS];
    const taut_run_options options = options_of(w, tend);
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_ok(taut_model_read(path, NULL, 0, &model, &errors));
    assert_ok(taut_simulation_create(model, &options, &s, &errors));
    for (int i = 0; i < count; i++) {
        taut_simulation *other = NULL;
        const int columns = run(s, x[i], tend, row);
        const long steps = taut_simulation_stats(s)->steps;
        assert_ok(taut_simulation_create(model, &options, &other, &errors));
        assert_int_equal(run(other, x[i], tend, fresh), columns);
        for (int c = 0; c < columns; c++)
            if (memcmp(&row[c], &fresh[c], sizeof *row) != 0)
                fail_msg("%s by %s, %s: with %s = %g %s is %.17g, fresh %.17g", name, w.solver,
                         w.formulation ? w.formulation : "natural", x[i].name, x[i].value,
                         taut_simulation_name(s, c), row[c], fresh[c]);
        assert_int_equal(steps, taut_simulation_stats(other)->steps);
        taut_simulation_free(&other);
    }
    const long compilations = taut_simulation_stats(s)->compilations;
    if (compilations != expected)
        print_message("%s by %s, %s: %ld compilations\n", name, w.solver,
                      w.formulation ? w.formulation : "natural", compilations);
    assert_int_equal(compilations, expected);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

static const way SOLVERS[] = {{.solver = "taylor"}, {.solver = "ho"},    {.solver = "bdf"},
                              {.solver = "adams"},  {.solver = "erk"},   {.solver = "ida"},
                              {"rk4", NULL, 1e-3},  {"erk", NULL, 1e-3}, {"taylor", NULL, 1e-2}};
enum { WAYS = sizeof SOLVERS / sizeof SOLVERS[0] };

static void test_every_solver_takes_other_numbers(void **state) {
    (void)state;
    const setting mass[] = {{"m2", 1.0}, {"m2", 1.5}, {"m2", 0.2}, {"m2", 1.0}};
    const setting length[] = {{"l2", 1.1}, {"l2", 0.9}, {"l2", 1.3}};
    const setting sigma[] = {{"sigma", 10.0}, {"sigma", 9.0}, {"sigma", 10.0}};
    const setting G[] = {{"G", 9.0}, {"G", 1.62}};
    const setting lift[] = {{"h", 0.012}, {"h", 0.011}, {"h", 0.012}};
    const setting bar[] = {{"m", 1.1}, {"m", 0.9}};
    for (int i = 0; i < WAYS; i++) {
        compare("slider-crank", SOLVERS[i], 1.0, mass, 4, 1);
        compare("slider-crank", SOLVERS[i], 1.0, length, 3, 1);
        compare("lorenz", SOLVERS[i], 1.0, sigma, 3, 1);
        compare("pendulum-hamiltonian", SOLVERS[i], 1.0, G, 2, 1);
        compare("cam", SOLVERS[i], 0.2, lift, 3, 1);
        compare("four-bar-1", SOLVERS[i], 0.5, bar, 2, 1);
    }
}

/* The start is found in natural coordinates and formed into the equations: what it does not depend
 * on changes without. The first set number comes before the first start. */
static void test_other_formulations_take_other_numbers(void **state) {
    (void)state;
    static const way ways[] = {{.solver = "taylor", .formulation = "relative"},
                               {.solver = "ho", .formulation = "relative"},
                               {.solver = "taylor", .formulation = "reference"},
                               {.solver = "bdf", .formulation = "reference"},
                               {.solver = "ida", .formulation = "relative"}};
    const setting mass[] = {{"m2", 1.0}, {"m2", 1.5}, {"m2", 0.2}, {"m2", 1.0}};
    const setting none[] = {{"m2", 1.0}, {"m2", 0.0}, {"m2", 1.0}};
    const setting length[] = {{"l2", 1.1}, {"l2", 0.9}, {"l2", 1.3}};
    const setting bar[] = {{"m", 1.5}, {"m", 0.2}, {"m", 3.0}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        compare("slider-crank", ways[i], 0.5, mass, 4, 2);
        compare("slider-crank", ways[i], 0.5, none, 3, 4);
        compare("slider-crank", ways[i], 0.5, length, 3, 4);
        if (i < 3) compare("bricard", ways[i], 0.2, bar, 3, 2);
    }
    const way recursion = {.solver = "bdf", .formulation = "relative"};
    const setting spring[] = {{"c0", 4530}, {"c0", 5000}, {"c0", 4000}};
    compare("slider-crank", recursion, 0.5, mass, 4, 5); /* masses are numbers there, ... */
    compare("andrews", recursion, 0.01, spring, 3, 2);   /* ... forces are not */
    const way minimal = {.solver = "bdf", .formulation = "minimal"};
    compare("slider-crank", minimal, 0.5, mass, 4, 1);
    compare("slider-crank", minimal, 0.5, length, 3, 1);
}

/* A parameter that is 0 leaves the equations in which the start is found; its next value is in
 * them. */
static void test_a_speed_that_was_nothing(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {v: 0, m: 2}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5, 0], m, 0.5]}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0]}, velocities: {A: [0, v]}}\n";
    static const char *const formulation[] = {"natural", "reference", "relative"};
    for (int f = 0; f < 3; f++) {
        const taut_run_options o =
            options_of((way){.solver = "taylor", .formulation = formulation[f]}, 1.0);
        taut_model *model = NULL;
        taut_simulation *s = NULL;
        double row[COLUMNS];
        assert_ok(taut_model_parse("model.yaml", text, -1, &model, &errors));
        assert_ok(taut_simulation_create(model, &o, &s, &errors));
        run(s, (setting){"m", 1.0}, 1.0, row);
        assert_near(row[1], 1.0, 1e-12, 0.0);
        run(s, (setting){"v", 0.5}, 1.0, row); /* it turns with 0.5 rad/s */
        assert_near(row[1], cos(0.5), 1e-7, 0.0);
        run(s, (setting){"v", 0.0}, 1.0, row);
        assert_near(row[1], 1.0, 1e-12, 0.0);
        taut_simulation_free(&s);
        taut_model_free(&model);
    }
}

/* ---- memory ---- */

static size_t heap_in_use(void) {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

/* A million numbers that are set, and a thousand starts with them (found again for a length), leave
 * no trace on the heap. */
static void test_loops_need_no_memory(void **state) {
    (void)state;
    enum { CALLS = 1000000, STARTS = 1000 };
    const taut_run_options o = options_of((way){.solver = "taylor"}, 1.0);
    char path[300];
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    size_t before = 0;
    snprintf(path, sizeof path, "%s/examples/slider-crank.yaml", TAUT_SOURCE_DIR);
    assert_ok(taut_model_read(path, NULL, 0, &model, &errors));
    assert_ok(taut_simulation_create(model, &o, &s, &errors));
    for (int i = 0; i < STARTS + 3; i++) {
        if (i == 3) before = heap_in_use();
        assert_ok(taut_simulation_set_parameter(s, "m2", 1.0 + 1e-3 * i, &errors));
        assert_ok(taut_simulation_set_parameter(s, "l2", 1.0 + 1e-5 * i, &errors));
        assert_ok(taut_simulation_set_initial(s, "A.y", 0.2, &errors));
        assert_ok(taut_simulation_start(s, &errors));
        assert_ok(taut_simulation_step(s, &errors));
    }
    for (int i = 0; i < CALLS; i++)
        assert_ok(taut_simulation_set_parameter(s, "m2", 1.0 / (3.0 + i), &errors));
    const size_t after = heap_in_use();
    if (after > before + 1024) fail_msg("%zu bytes have become %zu", before, after);
    assert_int_equal(taut_simulation_stats(s)->compilations, 1);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_solver_takes_other_numbers),
        cmocka_unit_test(test_other_formulations_take_other_numbers),
        cmocka_unit_test(test_a_speed_that_was_nothing),
        cmocka_unit_test(test_loops_need_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
