/* Libraries that are loaded when they are needed: what is there, what is missing, threads. */
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "core/library.h"
#include "taut/taut.h"

static struct {
    __typeof__(cos) *cos;
    __typeof__(cos) *other;
} table;

static void assert_refused(taut_library *library, const char *word) {
    static taut_errors errors;
    errors.count = 0;
    assert_int_equal(taut_library_load(library, &errors), TAUT_ERR_LIBRARY);
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(errors.item[0].message, library->file));
    assert_non_null(strstr(errors.item[0].message, library->package));
    assert_non_null(strstr(errors.item[0].message, word));
    assert_int_equal(taut_library_load(library, NULL), TAUT_ERR_LIBRARY);
    assert_false(library->loaded);
}

static void test_functions_can_be_called(void **state) {
    (void)state;
    static const taut_wanted wanted[] = {
        {.name = "cos", .pointer = &table.cos},
        {.name = "taut_of_no_library", .pointer = &table.other, .optional = true}};
    taut_library library = {"libm.so.6", wanted, TAUT_LIBRARY_COUNT(wanted), "libc6", false};
    table.cos = table.other = NULL;
    assert_int_equal(taut_library_load(&library, NULL), TAUT_OK);
    assert_near(table.cos(0.5), cos(0.5), 0.0, 0.0);
    assert_true(table.other == NULL);
    table.cos = NULL; /* a second call has nothing to do */
    assert_int_equal(taut_library_load(&library, NULL), TAUT_OK);
    assert_true(table.cos == NULL);
}

static void test_what_is_missing_is_named(void **state) {
    (void)state;
    static const taut_wanted wanted[] = {{.name = "taut_of_no_library", .pointer = &table.other}};
    taut_library without = {"libm.so.6", wanted, TAUT_LIBRARY_COUNT(wanted), "libc6", false};
    taut_library nowhere = {"libtaut-of-no-machine.so.1", wanted, TAUT_LIBRARY_COUNT(wanted),
                            "of-no-machine", false};
    assert_refused(&without, "taut_of_no_library");
    assert_refused(&nowhere, "cannot open");
}

static void *load(void *library) {
    return taut_library_load(library, NULL) == TAUT_OK && table.cos(0.0) == 1.0 ? library : NULL;
}

static void test_threads_load_once(void **state) {
    (void)state;
    enum { THREADS = 4 };
    static const taut_wanted wanted[] = {{.name = "cos", .pointer = &table.cos}};
    taut_library library = {"libm.so.6", wanted, TAUT_LIBRARY_COUNT(wanted), "libc6", false};
    pthread_t thread[THREADS];
    table.cos = NULL;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, load, &library), 0);
    for (int i = 0; i < THREADS; i++) {
        void *good;
        pthread_join(thread[i], &good);
        assert_non_null(good);
    }
}

/* A damped joint at rest: all terms of its power are 0, and nothing has to be searched for. */
static void test_damped_arm_starts_without_optimiser(void **state) {
    (void)state;
    static const char *const TEXT =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {P: [0, 0, 0], u: [0, 1, 0], v: [1, 0, 0]}\n"
        "  Rigids:\n"
        "    upper: {Elements: [O, a, n, Q, w, z], Geom: [[0, 1, 0], [1, 0, 0], [0, 0, 0.4],\n"
        "            [1, 0, 0], [0, 0.955336489125606, 0.29552020666133955]],\n"
        "            Dyna: [[0, 0, 0.2], 2, [0.02, 0.02, 0.001]]}\n"
        "    fore: {Elements: [R, b, m], Geom: [[1, 0, 0], [0, 1, 0]],\n"
        "           Dyna: [[0, 0, 0.15], 1, [0.01, 0.01, 0.0005]]}\n"
        "  Joints:\n"
        "    s: {Type: revolute, Points: [P, O], Axes: [u, a], Normals: [v, n], Angle: sh}\n"
        "    e: {Type: revolute, Points: [Q, R], Axes: [w, b], Normals: [z, m], Angle: el}\n"
        "  RotationalDampers: {sh: 0.1}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "ProblemData: {tend: 0.1, positions: {sh: 0, el: 0}}\n";
    taut_model *model;
    taut_simulation *s;
    assert_int_equal(taut_model_parse("arm.yaml", TEXT, (long)strlen(TEXT), &model, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, NULL, &s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    void *ipopt = dlopen("libipopt.so.1", RTLD_LAZY | RTLD_NOLOAD);
    assert_null(ipopt);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_can_be_called),
        cmocka_unit_test(test_what_is_missing_is_named),
        cmocka_unit_test(test_threads_load_once),
        cmocka_unit_test(test_damped_arm_starts_without_optimiser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
