/* Libraries that are loaded when they are needed: what is there, what is missing, threads. */
#include "check.h"

#include <pthread.h>
#include <string.h>

#include "core/library.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_can_be_called),
        cmocka_unit_test(test_what_is_missing_is_named),
        cmocka_unit_test(test_threads_load_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
