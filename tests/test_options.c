/* Options that do not fit the model, or each other, are refused with a word on what to do. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "taut/taut.h"

#define PENDULUM_DATA "ProblemData: {tend: 1, positions: {u: 1, v: 0}, velocities: {u: 0, v: 0}}\n"

static const char DAE[] =
    "DAE:\n"
    "  Variables: [u, v, lam]\n"
    "  Equations: [u'' + lam*u, v'' + lam*v - 9.81, u^2 + v^2 - 1]\n" PENDULUM_DATA;
static const char LAGRANGIAN[] = "Lagrangian:\n"
                                 "  Coordinates: [u, v]\n"
                                 "  L: 1/2*(u'^2 + v'^2) + 9.81*v\n"
                                 "  Constraints: [u^2 + v^2 - 1]\n" PENDULUM_DATA;
static const char HAMILTONIAN[] = "Hamiltonian:\n"
                                  "  Coordinates: [u, v]\n"
                                  "  Momenta: [p, q]\n"
                                  "  H: 1/2*(p^2 + q^2) - 9.81*v\n"
                                  "  Constraints: [u^2 + v^2 - 1]\n"
                                  "ProblemData: {tend: 1, positions: {u: 1, v: 0}}\n";
static const char DECAY[] = "DAE: {Variables: [x], Equations: [x' + x]}\n"
                            "ProblemData: {tend: 1, positions: {x: 1}}\n";
static const char FOUR_BAR[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0], C: [2, 0]}\n"
                               "  Rigids:\n"
                               "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "    AB: {Geom: [[2]], Dyna: [[1], 1, 0.1]}\n"
                               "    BC: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n"
                               "AppliedForces: {Gravity: }\n"
                               "ProblemData: {tend: 1, positions: {A: [0, 1], B: [2, 1]}}\n";

static void write_all(void) {
    program_write("dae.yaml", DAE, -1);
    program_write("lagrangian.yaml", LAGRANGIAN, -1);
    program_write("hamiltonian.yaml", HAMILTONIAN, -1);
    program_write("decay.yaml", DECAY, -1);
    program_write("bar.yaml", FOUR_BAR, -1);
}

/* taut says `part` on stderr, ends with 2 and writes nothing. */
static void must_refuse(const char *command, const char *part) {
    char before[300], after[300];
    program_result r;
    program_list(before, sizeof before);
    program_call(&r, command);
    program_list(after, sizeof after);
    if (r.code != 2) fail_msg("taut %s ends with %d\n%s%s", command, r.code, r.out, r.err);
    if (!strstr(r.err, part)) fail_msg("taut %s: no '%s' in\n%s", command, part, r.err);
    assert_string_equal(before, after);
    assert_string_equal(r.out, "");
    program_release(&r);
}

/* What it prints, to be freed. */
static char *must_do(const char *command) {
    program_result r;
    program_call(&r, command);
    if (r.code != 0) fail_msg("taut %s ends with %d\n%s%s", command, r.code, r.out, r.err);
    char *out = r.out;
    r.out = NULL;
    program_release(&r);
    return out;
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part)) count++;
    return count;
}

/* ---- options for mechanisms ---- */

static void test_options_for_mechanisms_are_refused_elsewhere(void **state) {
    (void)state;
    static const char *const file[][2] = {
        {"dae", "a DAE"}, {"lagrangian", "a Lagrangian"}, {"hamiltonian", "a Hamiltonian"}};
    static const char *const option[][2] = {
        {"--base", " relative"},
        {"--cut", " J"},
        {"--multipliers", " qr"},
        {"--axes", " body"},
    };
    char command[100], part[100];
    write_all();
    for (size_t f = 0; f < sizeof file / sizeof *file; f++)
        for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
            snprintf(command, sizeof command, "run %s.yaml %s%s", file[f][0], option[i][0],
                     option[i][1]);
            snprintf(part, sizeof part,
                     "%s is for mechanisms only; this file gives its equations as %s", option[i][0],
                     file[f][1]);
            must_refuse(command, part);
        }
    must_refuse("plot dae.yaml u --cut J --ascii", "--cut is for mechanisms only");
    must_refuse("compare lagrangian.yaml --cut J", "--cut is for mechanisms only");
    must_refuse("analyze hamiltonian.yaml --cut J", "--cut is for mechanisms only");
}

static void test_reactions_are_refused_where_there_are_none(void **state) {
    (void)state;
    write_all();
    must_refuse("run dae.yaml --reactions", "--reactions is for mechanisms");
    must_refuse("run dae.yaml --axes world", "--reactions is for mechanisms");
    /* multipliers are what a Lagrangian and a Hamiltonian have of this kind */
    free(must_do("run lagrangian.yaml --reactions -o l.csv --quiet"));
    free(must_do("run hamiltonian.yaml --reactions -o h.csv --quiet"));
    char *lagrangian = program_read("l.csv"), *hamiltonian = program_read("h.csv");
    assert_non_null(strstr(lagrangian, "lambda1"));
    assert_non_null(strstr(hamiltonian, "lambda1"));
    free(lagrangian);
    free(hamiltonian);
}

/* Callers of the library get the same. */
static void test_the_library_refuses_them_as_well(void **state) {
    (void)state;
    taut_run_options options = taut_run_options_default();
    taut_model *model = NULL;
    taut_simulation *simulation = NULL;
    taut_result *result = NULL;
    taut_errors errors = {0};
    char *text = NULL;
    assert_int_equal(taut_model_parse("dae", DAE, -1, &model, &errors), TAUT_OK);
    options.reactions = true;
    assert_int_equal(taut_simulation_create(model, &options, &simulation, &errors), TAUT_ERR_CALL);
    assert_null(simulation);
    assert_int_equal(taut_simulate(model, &options, &result, &errors), TAUT_ERR_CALL);
    assert_null(result);
    options.reactions = false;
    options.cut = "J";
    assert_int_equal(taut_analyze_for(model, &options, false, &text, &errors), TAUT_ERR_CALL);
    assert_null(text);
    assert_int_equal(errors.count, 3);
    assert_non_null(strstr(errors.item[0].message, "options.reactions"));
    assert_non_null(strstr(errors.item[2].message, "options.cut"));
    taut_model_free(&model);
}

static void test_starts_need_something_to_assemble(void **state) {
    (void)state;
    write_all();
    must_refuse("run decay.yaml --starts 5", "there is nothing to assemble");
    must_refuse("compare decay.yaml --starts 5", "there is nothing to assemble");
    char *out = must_do("run dae.yaml --starts 5 -o d.csv");
    assert_non_null(strstr(out, "1: distance 0 (taken)"));
    free(out);
    program_write(
        "fixed.yaml",
        "Lagrangian: {Coordinates: [u, v], L: u'^2 + v'^2, Constraints: [u^2 + v^2 - 1]}\n"
        "ProblemData: {tend: 1, fixedpositions: {u: 1, v: 0}, velocities: {v: 1}}\n",
        -1);
    out = must_do("run fixed.yaml --starts 5 -o f.csv");
    assert_non_null(strstr(out, "none but the one that the run starts from"));
    free(out);
}

/* ---- options for a formulation ---- */

static void test_options_for_a_formulation_need_it(void **state) {
    (void)state;
    write_all();
    must_refuse("run bar.yaml --base relative", "--base is for minimal coordinates");
    must_refuse("run bar.yaml --cut OA-AB", "--cut is for relative coordinates");
    must_refuse("run bar.yaml --formulation minimal --cut OA-AB", "minimal and --base relative");
    must_refuse("run bar.yaml --formulation minimal --base relative --multipliers qr",
                "--multipliers is for relative coordinates");
    must_refuse("compare bar.yaml --formulation natural --cut OA-AB",
                "--cut is for relative coordinates: add relative to --formulation");
    must_refuse("compare bar.yaml --formulation natural,relative --subspace qr",
                "--subspace is for minimal coordinates: add minimal to --formulation");
    must_refuse("compare bar.yaml --cut OA-AX", "there is no joint 'OA-AX' to cut");
    must_refuse("compare bar.yaml --base relativ", "cannot be based on 'relativ'");
    must_refuse("compare bar.yaml --multipliers lu", "not by 'lu'");
    free(must_do("run bar.yaml --formulation minimal --base relative --cut OA-AB -o c.csv"));
}

static void test_several_at_once_are_for_compare(void **state) {
    (void)state;
    write_all();
    must_refuse("run bar.yaml --formulation natural,relative", "taut compare");
    must_refuse("analyze bar.yaml --formulation natural,relative", "taut compare");
    must_refuse("run bar.yaml --solver taylor,erk", "taut compare");
}

/* ---- analysis ---- */

static void test_analysis_follows_base_and_cut(void **state) {
    (void)state;
    write_all();
    /* three angles, and two constraints where the loop is cut */
    char *out = must_do("analyze bar.yaml --formulation relative --cut OA-AB");
    assert_non_null(strstr(out, "in relative coordinates\n"));
    assert_non_null(strstr(out, "coordinates 3: "));
    assert_int_equal(count_of(out, "  point A of "), 4); /* in both lists */
    free(out);
    out = must_do("analyze bar.yaml --formulation relative --cut AB-BC");
    assert_int_equal(count_of(out, "  point A of "), 0);
    assert_int_equal(count_of(out, "  point B of "), 4);
    free(out);
    out = must_do("analyze bar.yaml --formulation minimal --base relative");
    assert_non_null(strstr(out, "minimal coordinates: 1, "));
    assert_non_null(strstr(out, "coordinates 3: "));
    free(out);
    out = must_do("analyze bar.yaml --formulation minimal");
    assert_non_null(strstr(out, "in natural coordinates"));
    assert_non_null(strstr(out, "coordinates 4: Ax Ay Bx By\n"));
    free(out);
    must_refuse("analyze bar.yaml --base relative", "--base is for minimal coordinates");
    must_refuse("analyze bar.yaml --formulation relative --cut X", "there is no joint 'X'");
}

static void test_json_is_no_chatter(void **state) {
    (void)state;
    write_all();
    char *out = must_do("analyze dae.yaml --json --quiet");
    assert_int_equal(strncmp(out, "{\"index\": 3,", 12), 0);
    free(out);
    out = must_do("analyze dae.yaml --quiet");
    assert_string_equal(out, "");
    free(out);
}

/* ---- comparisons, rows, digits ---- */

static void test_a_comparison_gives_each_reason_once(void **state) {
    (void)state;
    write_all();
    char *out = must_do("compare bar.yaml --tols 1e-6 --tend 0.2");
    assert_int_equal(count_of(out, "needs a fixed step"), 1);
    assert_int_equal(count_of(out, "taylor and ho expand the equations"), 1);
    assert_non_null(
        strstr(out, "\n  natural:rk4, reference:rk4, relative:rk4, minimal:rk4\n                  "
                    " rk4 needs a fixed step: give one\n"));
    assert_non_null(strstr(out, "\n  minimal:ida      ida solves "));
    free(out);
    out = program_read("bar-compare.html");
    assert_int_equal(count_of(out, "needs a fixed step"), 1);
    assert_non_null(strstr(out, "<b>minimal:taylor, minimal:ho</b>: "));
    free(out);
}

static void test_what_contradicts_itself_is_refused(void **state) {
    (void)state;
    write_all();
    must_refuse("run decay.yaml --at 0,1 --every 0.5", "--at and --every");
    must_refuse("run decay.yaml --solver ho --order 18", "the order of ho is at most 17");
    char *out = must_do("run decay.yaml --solver ho --order 17 -o o.csv");
    assert_non_null(strstr(out, "of order 17: "));
    free(out);
    must_refuse("run decay.yaml --json", "-o FILE.json");
    must_refuse("run decay.yaml --digits 5 -o x.mat", "leave out one of the two");
    must_refuse("view decay.yaml --certify --no-certify", "leave out one of the two");
    must_refuse("compare decay.yaml --tol 1e-6 --tols 1e-8", "leave out one of the two");
}

/* What could not end is refused before it begins, or ends with the true reason. */
static void test_no_endless_work(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho", "adams", "rk4"};
    char call[200];
    program_write("slow.yaml",
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                  "ProblemData: {t0: 0, tend: 1, positions: {x: 1, v: 0}}\n",
                  -1);
    program_write("far.yaml",
                  "DAE: {Variables: [x, v], Equations: [x' - v, v' + x]}\n"
                  "ProblemData: {t0: 1e17, tend: 2e17, positions: {x: 1, v: 0}}\n",
                  -1);
    for (size_t i = 0; i < sizeof solver / sizeof solver[0]; i++) {
        snprintf(call, sizeof call, "run slow.yaml --solver %s --step 1e-300", solver[i]);
        must_refuse(call, "a step of 1e-300 does not advance the time at t = 1");
        snprintf(call, sizeof call, "run slow.yaml --solver %s --step 1e-12", solver[i]);
        must_refuse(call, "are more than 1e+10 steps");
        snprintf(call, sizeof call, "run far.yaml --solver %s --step 1", solver[i]);
        must_refuse(call, "where numbers are 32 apart");
        snprintf(call, sizeof call, "run slow.yaml --solver %s --step 0.1 --tend 1e308", solver[i]);
        must_refuse(call, "times are between -1e+20 and 1e+20");
        snprintf(call, sizeof call, "run slow.yaml --solver %s --step 0.1 --tol 1e-300", solver[i]);
        must_refuse(call, "no run can meet a tolerance of 1e-300");
    }
    must_refuse("run slow.yaml --tend -1e308", "times are between -1e+20 and 1e+20");
    must_refuse("compare slow.yaml --tend 1e300", "times are between");
    must_refuse("plot slow.yaml x --tol 1e-21", "no run can meet a tolerance");
    static const char *const far[] = {"run far.yaml", "run far.yaml --solver ho"};
    for (int i = 0; i < 2; i++) { /* nothing is singular there */
        program_result r;
        program_call(&r, far[i]);
        assert_int_equal(r.code, 1);
        assert_non_null(strstr(r.err, "times as large as this have too few digits"));
        program_release(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_options_for_mechanisms_are_refused_elsewhere,
                                        program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_reactions_are_refused_where_there_are_none,
                                        program_enter, program_leave),
        cmocka_unit_test(test_the_library_refuses_them_as_well),
        cmocka_unit_test_setup_teardown(test_no_endless_work, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_starts_need_something_to_assemble, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_options_for_a_formulation_need_it, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_several_at_once_are_for_compare, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_analysis_follows_base_and_cut, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_json_is_no_chatter, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_a_comparison_gives_each_reason_once, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_what_contradicts_itself_is_refused, program_enter,
                                        program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
