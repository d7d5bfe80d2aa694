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

static void test_every_mechanism_agrees_or_is_refused(void **state) {
    (void)state;
    static char name[MOST_EXAMPLES][64];
    const int count = list_mechanisms("examples", name);
    assert_true(count > 20);
    for (int i = 0; i < count; i++) {
        char file[200], command[600];
        snprintf(file, sizeof file, "examples/%.60s.yaml", name[i]);
        if (!is_refused(name[i])) {
            check_export(file, "", 1e-9);
            continue;
        }
        program_result r;
        snprintf(command, sizeof command, "export %s/%s --c code", TAUT_SOURCE_DIR, file);
        program_call(&r, command);
        assert_int_equal(r.code, 2);
        assert_non_null(strstr(r.err, "singular position at t = "));
        program_release(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        test_every_mechanism_agrees_or_is_refused, program_enter, program_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
