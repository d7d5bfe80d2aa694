/* Past singular positions by every formulation and solver. A parallelogram without gravity turns
 * uniformly, so its angle is known at every time; kites and four-bars that come to rest where they
 * lie flat have been integrated as one-angle equations, and those whose links nearly fit by the
 * time that the energy gives (bench/singular.py does so for random ones). */
#include "solve_text.h"

typedef struct pair {
    const char *formulation, *solver;
} pair;

static const pair PAIR[] = {
    {"natural", "taylor"}, {"relative", "taylor"}, {"reference", "taylor"}, {"natural", "ho"},
    {"natural", "erk"},    {"natural", "adams"},   {"natural", "bdf"},      {"natural", "ida"},
    {"relative", "erk"},   {"relative", "adams"},  {"relative", "bdf"},     {"relative", "ho"},
    {"reference", "erk"},  {"reference", "ida"},   {"minimal", "erk"},      {"minimal", "auto"},
};
enum { PAIRS = sizeof PAIR / sizeof *PAIR };

static taut_run_options options_of(const pair *p, double tol) {
    taut_run_options options = at_tolerance(tol);
    options.formulation = p->formulation;
    options.solver = p->solver;
    return options;
}

/* The last row of a run has A and B there; x may be NAN: whatever. */
static void must_end_at(const char *text, const pair *p, double tol, const double want[4],
                        double within) {
    static const char *const NAME[] = {"Ax", "Ay", "Bx", "By"};
    const taut_run_options options = options_of(p, tol);
    solution *s = solve_text(text, &options);
    for (int i = 0; i < 4; i++) {
        const double off = fabs(value_of(s, rows_of(s) - 1, NAME[i]) - want[i]);
        if (isnan(want[i]) || off < within) continue;
        print_error("%s, %s, tol %g: %s off by %g\n", p->formulation, p->solver, tol, NAME[i], off);
        fail();
    }
    solution_free(s);
}

/* ---- turning uniformly ---- */

enum { SIZE = 1200 };

static void write_parallelogram(double angle, double speed, double tend, char text[SIZE]) {
    const double x = cos(angle), y = sin(angle);
    snprintf(text, SIZE,
             "Dimension: 2\n"
             "PartData:\n"
             "  Fixed: {O: [0, 0], C: [1.7, 0]}\n"
             "  Rigids:\n"
             "    OA: {Geom: [[1]], Dyna: [[0.5], 0.7, 0.7/12]}\n"
             "    AB: {Geom: [[1.7]], Dyna: [[0.85], 0.9, 0.2]}\n"
             "    CB: {Geom: [[1]], Dyna: [[0.5], 2.8, 2.8/12]}\n"
             "AppliedForces: {Gravity: 0.0}\n"
             "ProblemData:\n"
             "  tend: %.17g\n"
             "  positions: {A: [%.17g, %.17g], B: [1.7 + %.17g, %.17g]}\n"
             "  velocities: {A: [%.17g, %.17g], B: [%.17g, %.17g]}\n",
             tend, x, y, x, y, -speed * y, speed * x, -speed * y, speed * x);
}

static void turn(double angle, double speed, double tend, double tol, double within) {
    char text[SIZE];
    const double end = angle + speed * tend;
    const double want[4] = {cos(end), sin(end), 1.7 + cos(end), sin(end)};
    write_parallelogram(angle, speed, tend, text);
    for (int i = 0; i < PAIRS; i++) must_end_at(text, &PAIR[i], tol, want, within);
}

static void test_fast_and_slow_passages(void **state) {
    (void)state;
    turn(-0.6, 3.0, 2.0, 1e-9, 1e-5);
    turn(-0.6, 3.0, 2.0, 1e-6, 1e-2);
    turn(-0.02, 0.05, 2.0, 1e-9, 1e-5);
    turn(3.1, 1e-2, 20.0, 1e-8, 1e-4);
}

/* The run ends where all lies flat, shortly before, shortly after. */
static void test_ends_at_a_flat_position(void **state) {
    (void)state;
    turn(-0.5, 2.0, 0.25, 1e-9, 1e-6);
    turn(-0.5, 2.0, 0.25 - 1e-7, 1e-9, 1e-6);
    turn(-0.5, 2.0, 0.25 + 1e-7, 1e-9, 1e-6);
    turn(2.5, 2.0, (3.14159265358979323846 - 2.5) / 2.0, 1e-11, 1e-6);
}

/* ---- others ---- */

static const char KITE[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], C: [2, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[2]], Dyna: [[1], 2.324146248024887, 2.324146248024887/3]}\n"
    "    AB: {Geom: [[1]], Dyna: [[0.5], 1.3737456891479558, 1.3737456891479558/12]}\n"
    "    CB: {Geom: [[1]], Dyna: [[0.5], 1.8764910521794136, 1.8764910521794136/12]}\n"
    "AppliedForces: {Gravity: 0.0}\n"
    "ProblemData:\n"
    "  tend: 4\n"
    "  positions: {A: [1.7820489176254724, -0.9079105986769196], B: [1.0311193386925583, "
    "-0.24752830978385992]}\n"
    "  velocities: {A: [1.6752900694937192, 3.2882630287614454], B: [-0.27384209340936644, "
    "1.071878642034752]}\n";

static void test_kite(void **state) {
    (void)state;
    const double want[4] = {1.46358960750, 1.36305005807, 2.36537276791, 0.93086128960};
    for (int i = 0; i < PAIRS; i++) must_end_at(KITE, &PAIR[i], 1e-9, want, 1e-5);
}

/* It passes the flat position, turns 1e-4 rad later and passes it again: two singular positions a
 * third of a step apart. */
static const char TURNING[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], C: [2.909603682769717, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[1]], Dyna: [[0.5], 0.6777877733642764, 0.6777877733642764/12]}\n"
    "    AB: {Geom: [[2.909603682769717]], Dyna: [[2.909603682769717/2], 0.9051897711808433, "
    "0.9051897711808433*2.909603682769717^2/12]}\n"
    "    CB: {Geom: [[1]], Dyna: [[0.5], 2.84060325128064, 2.84060325128064/12]}\n"
    "AppliedForces: {Gravity: 9.81}\n"
    "ProblemData:\n"
    "  tend: 4\n"
    "  positions: {A: [0.8325468726241898, -0.5539546054359338], B: [3.7421505553939065, "
    "-0.5539546054359338]}\n"
    "  velocities: {A: [2.069984423821506, 3.111011338333735], B: [2.069984423821506, "
    "3.111011338333735]}\n";

static void test_turning_at_a_flat_position(void **state) {
    (void)state;
    const double want[4] = {0.1598457824, -0.9871419988, 2.909603682769717 + 0.1598457824,
                            -0.9871419988};
    for (int i = 0; i < PAIRS; i++) must_end_at(TURNING, &PAIR[i], 1e-9, want, 3e-6);
    must_end_at(TURNING, &(pair){"relative", "taylor"}, 1e-12, want, 1e-6);
    must_end_at(TURNING, &(pair){"natural", "taylor"}, 1e-12, want, 1e-6);
    must_end_at(TURNING, &(pair){"reference", "taylor"}, 1e-12, want, 1e-6);
}

/* A coupler that is 1e-6 too long: no two branches cross, and the motion turns from one into the
 * other around a sharp corner. */
static const char NEARLY[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], C: [2, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
    "    AB: {Geom: [[2.000001]], Dyna: [[2.000001/2], 1, 2.000001^2/12]}\n"
    "    CB: {Geom: [[1]], Dyna: [[0.5], 3, 3/12]}\n"
    "AppliedForces: {Gravity: 9.81}\n"
    "ProblemData:\n"
    "  tend: 0.5\n"
    "  positions: {A: [0.8775825618903725, -0.47942553860420295], B: [2.8775835618895345, "
    "-0.479423708113478]}\n"
    "  velocities: {A: [2.8765532316252176, 5.265495371342235], B: [2.876553231601326, "
    "5.265521475537922]}\n";

static void test_branches_that_do_not_cross(void **state) {
    (void)state;
    const double want[4] = {0.614388417, -0.789003722, 1.634975612, 0.930997957};
    for (int i = 0; i < PAIRS; i++) must_end_at(NEARLY, &PAIR[i], 1e-9, want, 1e-6);
    must_end_at(NEARLY, &(pair){"natural", "taylor"}, 1e-6, want, 1e-4);
    must_end_at(NEARLY, &(pair){"minimal", "auto"}, 1e-6, want, 1e-3);
}

/* At a loose tolerance the first step of the stiff method would lead right past the corner. */
static const char AT_ONCE[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], C: [3.745086782135982, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[1.4007509028174012]], Dyna: [[1.4007509028174012/2], 1.830976683666388, "
    "1.830976683666388*1.4007509028174012^2/12]}\n"
    "    AB: {Geom: [[3.745086498883594]], Dyna: [[3.745086498883594/2], 1.4453975644074961, "
    "1.4453975644074961*3.745086498883594^2/12]}\n"
    "    CB: {Geom: [[1.4007509028174012]], Dyna: [[1.4007509028174012/2], 2.385234858758606, "
    "2.385234858758606*1.4007509028174012^2/12]}\n"
    "AppliedForces: {Gravity: 0.0}\n"
    "ProblemData:\n"
    "  tend: 0.2633389184794404\n"
    "  positions: {A: [0.9248044393725993, -1.0520645610705157], B: [4.669890938256185, "
    "-1.05206481005999]}\n"
    "  velocities: {A: [6.001504848310393, 5.275549174459476], B: [6.001504848310204, "
    "5.275546310095043]}\n";

static void test_a_corner_within_the_first_step(void **state) {
    (void)state;
    const double want[4] = {1.2575422487768684, 0.6170012838600756, 4.568525007261058,
                            -1.1331604392788468};
    must_end_at(AT_ONCE, &(pair){"natural", "ho"}, 1e-6, want, 1e-4);
    must_end_at(AT_ONCE, &(pair){"natural", "taylor"}, 1e-6, want, 1e-4);
}

/* Where constraints decay rates of tracked angles are part of the state that Taylor series hand
 * back beyond: the angles are still those of the points. */
static void test_tracked_angles_are_handed_back(void **state) {
    (void)state;
    char text[SIZE];
    snprintf(text, sizeof text, "%sAngles: {phi: OA, psi: CB}\n", NEARLY);
    for (int i = 0; i < PAIRS; i++) {
        const taut_run_options options = options_of(&PAIR[i], 1e-9);
        solution *s = solve_text(text, &options);
        const double phi = atan2(last_of(s, "Ay"), last_of(s, "Ax"));
        const double psi = atan2(last_of(s, "By"), last_of(s, "Bx") - 2.0);
        assert_near(last_of(s, "phi"), phi, 1e-7, 0.0);
        assert_near(last_of(s, "psi"), psi, 1e-7, 0.0);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast_and_slow_passages),
        cmocka_unit_test(test_ends_at_a_flat_position),
        cmocka_unit_test(test_kite),
        cmocka_unit_test(test_turning_at_a_flat_position),
        cmocka_unit_test(test_branches_that_do_not_cross),
        cmocka_unit_test(test_a_corner_within_the_first_step),
        cmocka_unit_test(test_tracked_angles_are_handed_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
