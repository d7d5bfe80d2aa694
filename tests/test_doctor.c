/* The doctor's verdicts, word for word: each was checked by hand. A plane four-bar is healthy; with
 * parallel hinges in space three conditions follow from the others (forces along the axes, torques
 * across them); Bricard's mechanism has one too many; dead points are singular at the start only;
 * two motors on one degree of freedom contradict each other. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "task/analyze.h"

/* The doctor's part of what `analyze` prints. */
static void must_say(const char *file, const char *expected) {
    char path[512], *text = NULL;
    taut_model *model = NULL;
    taut_errors errors = {0};
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, file);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    taut_analyze(model, false, &text, &errors);
    assert_non_null(text);
    char *doctor = strstr(text, "doctor: ");
    assert_non_null(doctor);
    char *end = strstr(doctor, "\n\n");
    if (end) end[1] = '\0';
    assert_string_equal(doctor, expected);
    taut_text_free(&text);
    taut_model_free(&model);
}

static void test_four_bar_is_healthy(void **state) {
    (void)state;
    must_say("tests/models/doctor/four-bar.yaml",
             "doctor: healthy: mobility 1, nothing is held twice\n"
             "  by counting: 1 (3 bodies with 9 degrees of freedom; joints take 8)\n"
             "  by rank: 1\n"
             "  at the start\n"
             "    A can move along (1, 0)\n"
             "    B can move along (0.943516, 0.331328)\n"
             "  loops: 1\n"
             "    1: ground-OA, OA-AB, AB-CB, ground-CB\n");
}

static void test_four_bar_in_space_is_overconstrained_by_three(void **state) {
    (void)state;
    must_say("tests/models/doctor/four-bar-in-space.yaml",
             "doctor: overconstrained: 3 of the 20 conditions follow from the others, so the "
             "mobility is 1 although counting gives -2\n"
             "  by counting: -2 (3 bodies with 18 degrees of freedom; joints take 20)\n"
             "  by rank: 1; 3 conditions follow from the others\n"
             "  held more than once: forces and torques that can balance by themselves\n"
             "    ground-OAn               line 7: Fz Tx Ty\n"
             "    OAn-ABn                  line 8: Fz Tx Ty\n"
             "    ABn-CBn                  line 9: Fz Tx Ty\n"
             "    ground-CBn               line 9: Fz Tx Ty\n"
             "  at the start\n"
             "    A can move along (1, 0, 0)\n"
             "    B can move along (0.943516, 0.331328, 0)\n"
             "  loops: 1\n"
             "    1: ground-OAn, OAn-ABn, ABn-CBn, ground-CBn\n");
}

static void test_driven_five_bar_at_a_dead_point_starts_singular(void **state) {
    (void)state;
    must_say("tests/models/doctor/five-bar-dead-point.yaml",
             "doctor: the mechanism starts in a singular position: 1 motion is possible here, 0 "
             "nearby; begin a little beside it. Held more than once just here: ground-OA (line 7), "
             "OA-AB (line 8), AB-BC (line 9), BC-DC (line 10), ground-DC (line 10), driver left "
             "(line 13), driver right (line 14)\n"
             "  by counting: 0 (4 bodies with 12 degrees of freedom; joints take 10, drivers 2)\n"
             "  by rank: 0, at the start 1\n"
             "  held more than once at the start only\n"
             "    ground-OA                line 7: Fx\n"
             "    OA-AB                    line 8: Fx\n"
             "    AB-BC                    line 9: Fx\n"
             "    BC-DC                    line 10: Fx\n"
             "    ground-DC                line 10: Fx\n"
             "    driver left              line 13\n"
             "    driver right             line 14\n"
             "  at the start\n"
             "    B can move along (0, 1)\n"
             "  loops: 1\n"
             "    1: ground-OA, OA-AB, AB-BC, BC-DC, ground-DC\n");
}

static void test_flat_five_bar_starts_singular_without_drivers(void **state) {
    (void)state;
    must_say("tests/models/doctor/flat-five-bar.yaml",
             "doctor: the mechanism starts in a singular position: 3 motions are possible here, 2 "
             "nearby; begin a little beside it. Held more than once just here: ground-OA (line 7), "
             "OA-AB (line 8), AB-BC (line 9), BC-CD (line 10), ground-CD (line 10)\n"
             "  by counting: 2 (4 bodies with 12 degrees of freedom; joints take 10)\n"
             "  by rank: 2, at the start 3\n"
             "  held more than once at the start only\n"
             "    ground-OA                line 7: Fx\n"
             "    OA-AB                    line 8: Fx\n"
             "    AB-BC                    line 9: Fx\n"
             "    BC-CD                    line 10: Fx\n"
             "    ground-CD                line 10: Fx\n"
             "  at the start\n"
             "    A can move along (0, 1)\n"
             "    B can move along (0, 1)\n"
             "    C can move along (0, 1)\n"
             "  loops: 1\n"
             "    1: ground-OA, OA-AB, AB-BC, BC-CD, ground-CD\n");
}

static void test_second_motor_is_the_culprit(void **state) {
    (void)state;
    must_say("tests/models/doctor/driven-twice.yaml",
             "doctor: the driver rocker (line 13) prescribes what the driver crank (line 12) "
             "prescribes already; without drivers the mobility is 1, and there are 2 drivers\n"
             "  by counting: -1 (3 bodies with 9 degrees of freedom; joints take 8, drivers 2)\n"
             "  by rank: 0; 1 condition follows from the others\n"
             "  loops: 1\n"
             "    1: ground-OA, OA-AB, AB-CB, ground-CB\n");
}

static void test_motor_on_a_truss_is_the_culprit(void **state) {
    (void)state;
    must_say("tests/models/doctor/driven-locked.yaml",
             "doctor: the driver Cx (line 9) prescribes what joints hold already; without drivers "
             "the mobility is 0, and there is 1 driver\n"
             "  by counting: -1 (2 bodies with 6 degrees of freedom; joints take 6, drivers 1)\n"
             "  by rank: 0; 1 condition follows from the others\n"
             "  held more than once: forces and torques that can balance by themselves\n"
             "    ground-AC                line 7: Fx Fy\n"
             "    AC-BC                    line 8: Fy\n"
             "    ground-BC                line 8: Fy\n"
             "    driver Cx                line 9\n"
             "  loops: 1\n"
             "    1: ground-AC, AC-BC, ground-BC\n");
}

static void test_truss_has_a_bar_more_than_needed(void **state) {
    (void)state;
    must_say("tests/models/doctor/truss.yaml",
             "doctor: overconstrained: 1 of the 16 conditions follows from the others, and nothing "
             "can move\n"
             "  by counting: -1 (5 bodies with 15 degrees of freedom; joints take 16)\n"
             "  by rank: 0; 1 condition follows from the others\n"
             "  held more than once: forces and torques that can balance by themselves\n"
             "    ground-AC                line 7: Fy\n"
             "    ground-BD                line 8: Fy\n"
             "    AC-CD                    line 9: Fx\n"
             "    BD-CD                    line 9: Fx\n"
             "    BD-AD                    line 10: Fx Fy\n"
             "    ground-AD                line 10: Fx Fy\n"
             "    AC-BC                    line 11: Fx Fy\n"
             "    ground-BC                line 11: Fx Fy\n"
             "  loops: 3\n"
             "    1: ground-BD, BD-CD, AC-CD, ground-AC\n"
             "    2: ground-BD, BD-AD, ground-AD\n"
             "    3: ground-AC, AC-BC, ground-BC\n");
}

static void test_bricard_moves_against_the_count(void **state) {
    (void)state;
    must_say("examples/bricard.yaml",
             "doctor: overconstrained: 1 of the 30 conditions follows from the others, so the "
             "mobility is 1 although counting gives 0\n"
             "  by counting: 0 (5 bodies with 30 degrees of freedom; joints take 30)\n"
             "  by rank: 1; 1 condition follows from the others\n"
             "  held more than once: forces and torques that can balance by themselves\n"
             "    ground-P0P1w0w1          line 15: Fx Fy Fz Tx Tz\n"
             "    P0P1w0w1-P1P2w1w2        line 16: Fx Fy Fz Tx Ty\n"
             "    P1P2w1w2-P2P3w2w3        line 17: Fx Fy Fz Ty Tz\n"
             "    P2P3w2w3-P3P4w3w4        line 18: Fx Fy Fz Tx Tz\n"
             "    P3P4w3w4-P4P5w4w5        line 19: Fx Fy Fz Tx Ty\n"
             "    ground-P4P5w4w5          line 19: Fx Fy Fz Ty Tz\n"
             "  at the start\n"
             "    P1 can move along (0, 0, 1)\n"
             "    P2 can move along (0.707107, 0, 0.707107)\n"
             "    P3 can move along (0, 0.707107, 0.707107)\n"
             "    P4 can move along (0, 0, 1)\n"
             "  loops: 1\n"
             "    1: ground-P0P1w0w1, P0P1w0w1-P1P2w1w2, P1P2w1w2-P2P3w2w3, P2P3w2w3-P3P4w3w4, "
             "P3P4w3w4-P4P5w4w5, ground-P4P5w4w5\n");
}

/* ---- as JSON ---- */

static void test_json_has_the_verdict_and_its_reasons(void **state) {
    (void)state;
    char path[512], *text = NULL;
    taut_model *model = NULL;
    snprintf(path, sizeof path, "%s/tests/models/doctor/driven-twice.yaml", TAUT_SOURCE_DIR);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
    assert_int_equal(taut_analyze(model, true, &text, NULL), TAUT_ERR_INPUT);
    assert_string_equal(
        text, "{\"doctor\": {\"verdict\": \"overdriven\", \"counted\": -1, \"mobility\": 0, "
              "\"start_mobility\": 0, \"redundant\": 1, \"held\": [], \"held_at_start\": [], "
              "\"moves\": [], \"conflicts\": [{\"driver\": \"driver rocker\", \"line\": 13, "
              "\"with\": \"driver crank\"}], \"loops\": [[\"ground-OA\", \"OA-AB\", "
              "\"AB-CB\", \"ground-CB\"]]}}\n");
    taut_text_free(&text);
    taut_model_free(&model);
}

/* ---- two ways to the mobility ---- */

/* From the balances of free bodies, and from the constraints of natural coordinates. */
static void test_mobility_is_that_of_the_coordinates_in_every_example(void **state) {
    (void)state;
    static const char *const name[] = {"andrews",
                                       "bricard",
                                       "chaplygin-sleigh-mechanism",
                                       "copy-machine",
                                       "dc-motor",
                                       "five-link",
                                       "flyball-governor",
                                       "flyball-governor-stretched",
                                       "four-bar-1",
                                       "four-bar-2",
                                       "four-bar-40",
                                       "free-top",
                                       "heavy-top",
                                       "mcpherson",
                                       "mechanism0",
                                       "mechanism0-torque",
                                       "pendulum",
                                       "pendulum-chain-10",
                                       "robot",
                                       "rolling-disk-mechanism",
                                       "rscr",
                                       "slider-crank",
                                       "spatial-slider-crank",
                                       "spherical-pendulum",
                                       "spin-top",
                                       "wheel"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char path[512];
        taut_model *model = NULL;
        taut_analysis a;
        snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name[i]);
        assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
        assert_int_equal(taut_analysis_create(model, NULL, NULL, &a, NULL), TAUT_OK);
        if (!a.patient || a.mobility != a.diagnosis.mobility)
            fail_msg("%s: mobility %d, the doctor says %d", name[i], a.mobility,
                     a.diagnosis.mobility);
        taut_analysis_release(&a);
        taut_model_free(&model);
    }
}

/* ---- a run that cannot start ---- */

static void test_refused_run_is_told_the_culprit(void **state) {
    (void)state;
    static const struct {
        const char *file, *words;
    } refused[] = {{"driven-twice", "the driver rocker (line 13) prescribes what the driver crank "
                                    "(line 12) prescribes already"},
                   {"driven-locked", "the driver Cx (line 9) prescribes what joints hold already"},
                   {"five-bar-dead-point", "the mechanism starts in a singular position"},
                   {"flat-five-bar", "the mechanism starts in a singular position"}};
    for (int i = 0; i < 4; i++) {
        char path[512];
        taut_model *model = NULL;
        taut_result *result = NULL;
        taut_errors errors = {0};
        const taut_run_options options = taut_run_options_default();
        snprintf(path, sizeof path, "%s/tests/models/doctor/%s.yaml", TAUT_SOURCE_DIR,
                 refused[i].file);
        assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
        assert_int_equal(taut_simulate(model, &options, &result, &errors), TAUT_ERR_INPUT);
        assert_non_null(strstr(errors.item[errors.count - 1].message, refused[i].words));
        taut_model_free(&model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bar_is_healthy),
        cmocka_unit_test(test_four_bar_in_space_is_overconstrained_by_three),
        cmocka_unit_test(test_driven_five_bar_at_a_dead_point_starts_singular),
        cmocka_unit_test(test_flat_five_bar_starts_singular_without_drivers),
        cmocka_unit_test(test_second_motor_is_the_culprit),
        cmocka_unit_test(test_motor_on_a_truss_is_the_culprit),
        cmocka_unit_test(test_truss_has_a_bar_more_than_needed),
        cmocka_unit_test(test_bricard_moves_against_the_count),
        cmocka_unit_test(test_json_has_the_verdict_and_its_reasons),
        cmocka_unit_test(test_mobility_is_that_of_the_coordinates_in_every_example),
        cmocka_unit_test(test_refused_run_is_told_the_culprit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
