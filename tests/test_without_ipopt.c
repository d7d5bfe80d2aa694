/* Assemblies from poor guesses where there is no IPOPT: this program is linked with
 * src/live/without_ipopt.c in place of solve/nlp.c. The search must go on with the homotopy and
 * keep what that finds. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "solve/nlp.h"
#include "taut/taut.h"

static taut_errors errors;

static double draw(uint64_t *seed, double amplitude) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return amplitude * (2.0 * (double)(*seed >> 11) / 9007199254740992.0 - 1.0);
}

/* Does the mechanism assemble from guesses that are so far off? It may end in any assembly. */
static bool assembles(const taut_model *model, const char *const *point, double off,
                      uint64_t *seed) {
    taut_simulation *s;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_simulation_create(model, NULL, &s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    double value[16];
    char name[16][8];
    int count = 0;
    for (int k = 0; point[k]; k++)
        for (int i = 0; i < 3; i++, count++) {
            snprintf(name[count], sizeof name[count], "%s%c", point[k], "xyz"[i]);
            value[count] = taut_simulation_now(s, name[count]) + draw(seed, off);
        }
    for (int i = 0; i < count; i++)
        assert_int_equal(taut_simulation_set_initial(s, name[i], value[i], &errors), TAUT_OK);
    const taut_status status = taut_simulation_start(s, &errors);
    if (status == TAUT_OK) assert_true(taut_simulation_stats(s)->constraint_residual < 1e-13);
    taut_simulation_free(&s);
    return status == TAUT_OK;
}

static void test_there_is_no_optimiser(void **state) {
    (void)state;
    taut_nlp nothing = {0};
    memset(&errors, 0, sizeof errors);
    assert_int_equal(taut_nlp_solve(&nothing, NULL, &errors), TAUT_ERR_LIBRARY);
}

static void test_assembly_goes_on_with_the_homotopy(void **state) {
    (void)state;
    static const char *const point[] = {"BT", "B", "P1", "W", NULL};
    enum { TRIALS = 20 };
    taut_model *model;
    uint64_t seed = 3;
    int good = 0;
    memset(&errors, 0, sizeof errors);
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/five-link.yaml", NULL, 0, &model, &errors),
        TAUT_OK);
    for (int trial = 0; trial < TRIALS; trial++) good += assembles(model, point, 1.0, &seed);
    print_message("%d of %d assembled\n", good, TRIALS);
    assert_int_equal(good, TRIALS);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_is_no_optimiser),
        cmocka_unit_test(test_assembly_goes_on_with_the_homotopy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
