/* Every mechanism among the examples as C code: it agrees with taut, or is refused by name. */
#include "exported.h"
#include "examples.h"

/* These cannot have fixed steps: singular positions on the way. */
static const char *const REFUSED[] = {"four-bar-1", "four-bar-2", "four-bar-40", NULL};

static bool is_refused(const char *name) {
    for (int i = 0; REFUSED[i]; i++)
        if (strcmp(REFUSED[i], name) == 0) return true;
    return false;
}

static void refuses(const char *file) {
    char command[600];
    program_result r;
    snprintf(command, sizeof command, "export %s/%s --c code", TAUT_SOURCE_DIR, file);
    program_call(&r, command);
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "singular position at t = "));
    program_release(&r);
}

static int check_folder(const char *folder) {
    static char name[MOST_EXAMPLES][64];
    const int count = list_mechanisms(folder, name);
    for (int i = 0; i < count; i++) {
        char file[200];
        snprintf(file, sizeof file, "%s/%.60s.yaml", folder, name[i]);
        if (is_refused(name[i]))
            refuses(file);
        else
            check_export(file, "", 1e-9);
    }
    return count;
}

static void test_every_mechanism_agrees_or_is_refused(void **state) {
    (void)state;
    assert_true(check_folder("examples") > 20);
    assert_true(check_folder("examples/machines") > 10);
    assert_true(check_folder("examples/assemblies") > 4);
    assert_true(check_folder("examples/papers") >= 2);
}

/* Instructions inside so many steps of Andrews' mechanism, by callgrind. */
static long instructions(int steps) {
    char command[300];
    long count = -1;
    snprintf(command, sizeof command,
             "valgrind --tool=callgrind --callgrind-out-file=counts --toggle-collect=andrews_step "
             "code/run --measure %d > out 2> err && sed -n 's/.*Collected : //p' err > count",
             steps);
    assert_int_equal(system(command), 0);
    char *text = program_read("count");
    if (text) count = strtol(text, NULL, 10);
    free(text);
    return count;
}

static void test_andrews_takes_the_same_instructions_every_step(void **state) {
    (void)state;
    program_result r;
    program_call(&r, "export " TAUT_SOURCE_DIR "/examples/andrews.yaml --c code");
    assert_int_equal(r.code, 0);
    program_release(&r);
    export_shell("andrews",
                 "cc -std=c99 -O2 -o code/run code/@.c code/main.c -lm -Wl,-Map=code/map");
    export_shell("andrews", "! grep -qwE 'malloc|calloc|realloc' code/map");
    export_shell("andrews", "code/run --measure 100000 | sed -n 's/.*residual //p' > residual");
    char *text = program_read("residual");
    assert_true(strtod(text, NULL) < 1e-12);
    free(text);
    if (system("command -v valgrind > /dev/null") != 0) return;
    const long few = instructions(20), many = instructions(60);
    assert_true(few > 0 && few % 20 == 0);
    assert_int_equal(many, 3 * few);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_andrews_takes_the_same_instructions_every_step,
                                        program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_every_mechanism_agrees_or_is_refused, program_enter,
                                        program_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
