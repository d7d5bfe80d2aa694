/* Tests of programs and of numbers in them: one compilation for many runs, the bytes of fresh runs,
 * and equations of their own where a number contradicts what they were made for. */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "taut/taut.h"

enum { COLUMNS = 400, THREADS = 8 };

static taut_errors errors;
static const char *formulation; /* NULL: natural */

#define assert_ok(call) assert_int_equal((call), TAUT_OK)

static taut_run_options options_to(double tend) {
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = 1e-8;
    options.formulation = formulation;
    options.has_tend = true;
    options.tend = tend;
    return options;
}

static const char *example(const char *name) {
    static char path[300];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    return path;
}

/* A number that is set, by name; '@' before it: an initial value. */
typedef struct setting {
    const char *name;
    double value;
} setting;

static void set(taut_simulation *s, setting x) {
    if (x.name[0] == '@')
        assert_ok(taut_simulation_set_initial(s, x.name + 1, x.value, &errors));
    else
        assert_ok(taut_simulation_set_parameter(s, x.name, x.value, &errors));
}

/* Runs from the start to the end; every column there. */
static int run(taut_simulation *s, double tend, double *row) {
    assert_ok(taut_simulation_start(s, &errors));
    assert_ok(taut_simulation_run_to(s, tend, &errors));
    const int columns = taut_simulation_columns(s);
    assert_true(columns <= COLUMNS);
    assert_ok(taut_simulation_row(s, tend, row, &errors));
    return columns;
}

/* The same by a simulation that knows nothing else. */
static void run_fresh(const taut_model *model, double tend, setting x, double *row) {
    taut_run_options options = options_to(tend);
    taut_simulation *s = NULL;
    assert_ok(taut_simulation_create(model, &options, &s, &errors));
    set(s, x);
    run(s, tend, row);
    taut_simulation_free(&s);
}

/* Sets one after the other in one simulation. Every run must end where a fresh one ends, to the
 * last bit; *compilations: how often equations were formed. */
static void compare_all(taut_model *model, double tend, const setting *x, int count,
                        long *compilations) {
    taut_run_options options = options_to(tend);
    taut_simulation *s = NULL;
    double row[COLUMNS], fresh[COLUMNS];
    assert_ok(taut_simulation_create(model, &options, &s, &errors));
    for (int i = 0; i < count; i++) {
        set(s, x[i]);
        const int columns = run(s, tend, row);
        run_fresh(model, tend, x[i], fresh);
        for (int c = 0; c < columns; c++)
            if (memcmp(&row[c], &fresh[c], sizeof *row) != 0)
                fail_msg("%s = %g: %s is %.17g, fresh %.17g", x[i].name, x[i].value,
                         taut_simulation_name(s, c), row[c], fresh[c]);
    }
    *compilations = taut_simulation_stats(s)->compilations;
    taut_simulation_free(&s);
}

static void compare_example(const char *name, double tend, const setting *x, int count,
                            long expected) {
    taut_model *model = NULL;
    long compilations;
    assert_ok(taut_model_read(example(name), NULL, 0, &model, &errors));
    compare_all(model, tend, x, count, &compilations);
    print_message("%s: %ld compilations\n", name, compilations);
    assert_int_equal(compilations, expected);
    taut_model_free(&model);
}

/* ---- numbers that fit ---- */

static void test_numbers_change_without_compiling(void **state) {
    (void)state;
    const setting spring[] = {{"c0", 4530}, {"c0", 5000}, {"c0", 4000}, {"c0", 4530}};
    compare_example("andrews", 0.03, spring, 4, 1);
    const setting mass[] = {{"m2", 1.5}, {"m2", 0.2}, {"m2", 3.0}};
    compare_example("slider-crank", 1.0, mass, 3, 1);
    const setting bar[] = {{"m", 1.5}, {"m", 0.2}, {"m", 3.0}};
    compare_example("bricard", 1.0, bar, 3, 1);
    /* the start follows a length and an initial value */
    const setting length[] = {{"l2", 1.1}, {"l2", 0.9}, {"l2", 1.3}};
    compare_example("slider-crank", 1.0, length, 3, 1);
    const setting speed[] = {{"@u'", 0.5}, {"@u'", -0.25}, {"@v'", 0.125}};
    compare_example("pendulum-paper", 1.0, speed, 2, 1);
    const setting G[] = {{"G", 9.0}, {"G", 1.62}};
    compare_example("pendulum-hamiltonian", 1.0, G, 2, 1);
}

/* A parameter that is a formula of another one follows it, and can be set itself. */
static void test_formulas_of_parameters(void **state) {
    (void)state;
    static const char text[] = "PhysicalParams: {k: 4, m: 2, w2: k/m, x0: 3*m}\n"
                               "DAE: {Variables: [x], Equations: [x'' + w2*x]}\n"
                               "ProblemData: {tend: 1, positions: {x: x0}, velocities: {x: 0}}\n";
    taut_run_options options = options_to(1.0);
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    options.rtol = options.atol = 1e-13;
    double row[COLUMNS];
    assert_ok(taut_model_parse("model.yaml", text, -1, &model, &errors));
    assert_ok(taut_simulation_create(model, &options, &s, &errors));
    run(s, 1.0, row);
    assert_near(row[1], 6.0 * cos(sqrt(2.0)), 1e-12, 0.0);
    set(s, (setting){"m", 5.0});
    run(s, 1.0, row);
    assert_near(row[1], 15.0 * cos(sqrt(0.8)), 1e-12, 0.0);
    set(s, (setting){"w2", 9.0});
    run(s, 1.0, row);
    assert_near(row[1], 15.0 * cos(3.0), 1e-12, 0.0);
    assert_int_equal(taut_simulation_stats(s)->compilations, 1);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- numbers that contradict ---- */

static void test_contradictions_are_compiled_again(void **state) {
    (void)state;
    /* a mass of 0 and back, a spring of 0, an inertia that vanishes */
    const setting mass[] = {{"m2", 1.0}, {"m2", 0.0}, {"m2", 1.0}, {"m2", 1.5}};
    compare_example("slider-crank", 0.5, mass, 4, 3);
    const setting spring[] = {{"c0", 4530}, {"c0", 0.0}, {"c0", 4530}};
    compare_example("andrews", 0.01, spring, 3, 3);
    /* lengths of a mechanism with a redundant constraint */
    const setting L[] = {{"L", 1.0}, {"L", 1.25}};
    compare_example("bricard", 0.5, L, 2, 2);
}

/* A plate on two points of a line can slide; a third point on another line holds it, unless that
 * line is parallel to the first one: then a constraint is redundant. */
static void test_a_number_that_makes_it_overconstrained(void **state) {
    (void)state;
    static const char text[] =
        "PhysicalParams: {b: 0.1}\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], P: [0, 1], u: [1, 0], w: [\"cos(b)\", \"sin(b)\"]}\n"
        "  Rigids: {ABC: {Geom: [[1], [0.5, 1]], Dyna: [[0.5, 0.3], 2, 0.5]}}\n"
        "  Collinears: [OuA, OuB, PwC]\n"
        "AppliedForces: {Gravity: [5, -9.81]}\n"
        "ProblemData: {tend: 0.5, positions: {A: [0.1, 0], B: [1, 0], C: [0.5, 1]}}\n";
    const setting x[] = {{"b", 0.1}, {"b", 0.0}, {"b", 0.2}, {"b", 0.0}};
    taut_model *model = NULL;
    long compilations;
    double row[COLUMNS];
    assert_ok(taut_model_parse("model.yaml", text, -1, &model, &errors));
    compare_all(model, 0.5, x, 4, &compilations);
    assert_true(compilations > 1);
    run_fresh(model, 0.5, x[1], row); /* it slides: x'' = 5 */
    run_fresh(model, 0.5, x[0], row);
    assert_near(row[1], -0.5, 1e-12, 0.0);
    taut_model_free(&model);
}

/* What cannot be is told in the same words as for a fresh model, and the simulation lives on. */
static void test_faults_are_told(void **state) {
    (void)state;
    taut_run_options options = options_to(0.5);
    taut_model *model = NULL;
    taut_simulation *s = NULL;
    double row[COLUMNS], again[COLUMNS];
    assert_ok(taut_model_read(example("slider-crank"), NULL, 0, &model, &errors));
    assert_ok(taut_simulation_create(model, &options, &s, &errors));
    const int columns = run(s, 0.5, row);
    assert_ok(taut_simulation_set_parameter(s, "m2", -1.0, &errors));
    errors.count = 0;
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_ERR_INPUT);
    assert_non_null(strstr(errors.item[0].message, "negative"));
    assert_ok(taut_simulation_set_parameter(s, "m2", 1.0, &errors));
    run(s, 0.5, again);
    assert_memory_equal(row, again, (size_t)columns * sizeof *row);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- threads ---- */

typedef struct worker {
    const taut_program *program;
    double tend, value;
    const char *name;
    taut_status status;
    long compilations;
    int columns;
    double row[2][COLUMNS];
} worker;

static void *work(void *user) {
    worker *w = user;
    taut_simulation *s = NULL;
    w->status = taut_simulation_create_from(w->program, &s, NULL);
    for (int round = 0; round < 2 && w->status == TAUT_OK; round++) {
        if (round == 1) w->status = taut_simulation_set_parameter(s, w->name, w->value, NULL);
        if (w->status == TAUT_OK) w->status = taut_simulation_start(s, NULL);
        if (w->status == TAUT_OK) w->status = taut_simulation_run_to(s, w->tend, NULL);
        if (w->status == TAUT_OK) w->status = taut_simulation_row(s, w->tend, w->row[round], NULL);
    }
    if (w->status == TAUT_OK) w->compilations = taut_simulation_stats(s)->compilations;
    if (w->status == TAUT_OK) w->columns = taut_simulation_columns(s);
    taut_simulation_free(&s);
    return NULL;
}

/* Eight threads at once, and one after the other: the same bytes, and those of fresh simulations.
 */
static void share(const char *name, double tend, const char *parameter, double value,
                  long expected) {
    static worker together[THREADS], alone;
    taut_run_options options = options_to(tend);
    taut_model *model = NULL;
    taut_program *program = NULL;
    pthread_t thread[THREADS];
    double fresh[COLUMNS];
    assert_ok(taut_model_read(example(name), NULL, 0, &model, &errors));
    assert_ok(taut_program_create(model, &options, &program, &errors));
    for (int i = 0; i < THREADS; i++) {
        together[i] = (worker){
            .program = program, .tend = tend, .name = parameter, .value = value * (1.0 + 0.01 * i)};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &together[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        const worker *w = &together[i];
        assert_ok(w->status);
        alone = (worker){.program = program, .tend = tend, .name = parameter, .value = w->value};
        work(&alone);
        const size_t size = (size_t)w->columns * sizeof(double);
        for (int round = 0; round < 2; round++)
            assert_memory_equal(w->row[round], alone.row[round], size);
        assert_memory_equal(w->row[0], together[0].row[0], size);
        run_fresh(model, tend, (setting){parameter, w->value}, fresh);
        assert_memory_equal(w->row[1], fresh, size);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(together[i].compilations, expected);
    taut_program_free(&program);
    taut_model_free(&model);
}

static void test_threads_share_a_program(void **state) {
    (void)state;
    share("andrews", 0.01, "c0", 4600, 1);
    share("slider-crank", 0.5, "m2", 1.2, 1);
    share("bricard", 0.5, "m", 1.2, 1);
    share("slider-crank", 0.5, "l2", 1.1, 1); /* the start is found again */
    share("bricard", 0.2, "L", 1.1, 2);       /* and its redundant constraint */
    share("flyball-governor", 0.2, "k", 8.1e5, 1);
    share("lorenz", 1.0, "sigma", 9.0, 1);
    formulation = "relative";
    share("slider-crank", 0.5, "m2", 1.2, 1);
    share("slider-crank", 0.2, "l2", 1.1, 2);
    formulation = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_change_without_compiling),
        cmocka_unit_test(test_formulas_of_parameters),
        cmocka_unit_test(test_contradictions_are_compiled_again),
        cmocka_unit_test(test_a_number_that_makes_it_overconstrained),
        cmocka_unit_test(test_faults_are_told),
        cmocka_unit_test(test_threads_share_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
