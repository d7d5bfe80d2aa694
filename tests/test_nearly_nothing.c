/* Numbers that are nearly nothing: geometry that is redundant but for 1e-12, rates of 1e-17 at the
 * start, small and large units with guesses that do not fit, late times. */
#include "solve_text.h"

static solution *solve_by(const char *text, const char *formulation, const char *solver,
                          double tol) {
    taut_run_options options = at_tolerance(tol);
    options.formulation = formulation;
    options.solver = solver;
    return solve_text(text, &options);
}

/* ---- redundant geometry ---- */

/* A four-bar linkage in space with parallel hinges: one of them tilted, or off the plane. */
static solution *four_bar(double tilt, double off) {
    char text[1200];
    snprintf(text, sizeof text,
             "Dimension: 3\n"
             "PartData:\n"
             "  Fixed: {O: [0, 0, 0], C: [3, 0, %.17g], n: [0, 0, 1],\n"
             "          m: [sin(%.17g), 0, cos(%.17g)]}\n"
             "  Rigids:\n"
             "    OAn: {Geom: [[1], [0, 0, 1]], Dyna: [[0.5], 1, 0.1]}\n"
             "    ABn: {Geom: [[2.5], [0, 0, 1]], Dyna: [[1.25], 2, 1]}\n"
             "    CBm: {Elements: [C, D, m, k], Geom: [[2], [0, 0, 1], [0, 1, 0]],\n"
             "          Dyna: [[1], 2, [0.7, 0.7, 0.7]]}\n"
             "  Joints: {j: {Type: revolute, Points: [B, D], Axes: [n, m], Bodies: [ABn, CBm]}}\n"
             "AppliedForces: {Gravity: [0, -9.81, 0]}\n"
             "ProblemData:\n"
             "  tend: 1\n"
             "  positions: {A: [0.6, 0.8, 0], B: [2.6, 2, 0], D: [2.6, 2, 0], k: [-0.9, 0.2, 0]}\n"
             "  fixedpositions: {A}\n",
             off, tilt, tilt);
    return solve_by(text, "natural", "taylor", 1e-11);
}

static void test_geometry_that_is_redundant_but_for_1e_12_runs(void **state) {
    (void)state;
    static const double fault[][2] = {{1e-12, 0.0}, {0.0, 1e-12}, {9e-18, 0.0}, {0.0, 9e-18}};
    solution *exact = four_bar(0.0, 0.0);
    for (size_t i = 0; i < sizeof fault / sizeof *fault; i++) {
        solution *s = four_bar(fault[i][0], fault[i][1]);
        assert_true(taut_result_notes(s->result)->left_out > 0);
        assert_near(last_of(s, "Ax"), last_of(exact, "Ax"), 1e-9, 1e-9);
        assert_near(last_of(s, "Bx"), last_of(exact, "Bx"), 1e-9, 1e-9);
        solution_free(s);
    }
    solution_free(exact);
}

/* ---- units ---- */

/* A crank with a slot that carries the pin of another one; the guesses do not fit. */
static void test_guesses_that_do_not_fit_are_mended_alike_in_every_unit(void **state) {
    (void)state;
    static const double unit[][2] = {
        {1.0, 1.0}, {1e-3, 1e-6}, {1e3, 1e6}, {1e-3, 1e-3}, {1e3, 1.0}};
    double phi = 0.0;
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "PhysicalParams: {L: %g, m: %g}\n"
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], C: [1.5*L, 0]}\n"
                 "  Rigids:\n"
                 "    K0: {Elements: [P, v, A], Geom: [[1], [L]], Dyna: [[L/2], m, m*L^2/12]}\n"
                 "    K1: {Elements: [C, B], Geom: [[L]], Dyna: [[L/2], m, m*L^2/12]}\n"
                 "  Joints:\n"
                 "    j0: {Type: revolute, Points: [O, P], Angle: phi}\n"
                 "    c0: {Type: point-on-line, Points: [P, B], Axes: [v]}\n"
                 "  TorsionSprings: {phi: [m*L^2, 0.3, 0.1*m*L^2]}\n"
                 "AppliedForces: {Gravity: 9.81*L}\n"
                 "ProblemData: {tend: 1, positions: {P: [0, 0], B: [0.7*L, 0.6*L],\n"
                 "              v: [0.759, 0.65], A: [0.76*L, 0.65*L]}}\n",
                 unit[i][0], unit[i][1]);
        solution *s = solve_by(text, "natural", "taylor", 1e-12);
        if (i == 0) phi = last_of(s, "phi");
        assert_near(last_of(s, "phi"), phi, 1e-9, 1e-9);
        solution_free(s);
    }
}

/* ---- rest, and late times ---- */

/* A crank that is driven from rest, velocity and acceleration 0: the rates are rounding. */
static void test_every_solver_starts_from_rest_at_any_time(void **state) {
    (void)state;
    static const char *const pair[][2] = {
        {"natural", "adams"},   {"natural", "bdf"},     {"natural", "ida"},   {"natural", "erk"},
        {"natural", "taylor"},  {"natural", "ho"},      {"reference", "bdf"}, {"relative", "adams"},
        {"reference", "adams"}, {"relative", "taylor"}, {"minimal", "erk"},   {"minimal", "bdf"}};
    static const double time[] = {0.0, 1e6};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        for (int k = 0; k < 2; k++) {
            char text[1000];
            snprintf(
                text, sizeof text,
                "PhysicalParams: {T: %.17g}\n"
                "Dimension: 2\n"
                "PartData:\n"
                "  Fixed: {O: [0, 0], u: [1, 0]}\n"
                "  Rigids:\n"
                "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                "    AB: {Geom: [[2]], Dyna: [[1], 1, 1/3]}\n"
                "  Collinears: {OuB: s}\n"
                "AppliedForces: {Gravity: }\n"
                "Angles: {phi: OA}\n"
                "Drivers: {phi: 1 - 0.3*(t - T) + 0.1*sin(3*(t - T))}\n"
                "ProblemData: {t0: T, tend: T + 1, positions: {A: [0.54, 0.84], B: [2.3, 0]}}\n",
                time[k]);
            solution *s = solve_by(text, pair[i][0], pair[i][1], 1e-9);
            assert_near(last_of(s, "Ax"), cos(0.7 + 0.1 * sin(3.0)), 1e-7, 0.0);
            assert_true(stats_of(s)->steps < 3000);
            solution_free(s);
        }
}

/* An angle that nothing depends on is a plain integral, which estimates of pairs may not see. */
static void test_tracked_angles_in_minimal_coordinates_have_an_estimate(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}\n"
        "  Rigids: {OAu: {Geom: [[1], [0, 1]], Dyna: [[0.2], 2, [0.02, 0.03, 0.04]]}}\n"
        "AppliedForces: {Gravity: }\n"
        "Angles: {phi: {From: x, To: A - O, Axis: z}, psi: {From: x, To: u, Axis: z}}\n"
        "ProblemData: {tend: 3, positions: {A: [1, 0, 0], u: [0, 1, 0]},\n"
        "              velocities: {A: [0, 1, 3], u: [-1, 0, 20]}}\n";
    solution *s = solve_by(text, "minimal", "auto", 1e-9);
    assert_near(last_of(s, "psi"), -22.81911994, 1e-6, 0.0);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geometry_that_is_redundant_but_for_1e_12_runs),
        cmocka_unit_test(test_guesses_that_do_not_fit_are_mended_alike_in_every_unit),
        cmocka_unit_test(test_every_solver_starts_from_rest_at_any_time),
        cmocka_unit_test(test_tracked_angles_in_minimal_coordinates_have_an_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
