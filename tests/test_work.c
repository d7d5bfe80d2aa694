/* Work of everything that has no potential: moving ground, shaken pivots, bushings and torsion
 * springs on what moves, drivers against drag. By closed forms, as what is done becomes energy. */
#include "solve_text.h"

static const char *const FORMULATION[] = {"natural", "relative", "reference", "minimal"};

static const char RAIL[] = "Title: bead on a rail that turns\n"
                           "Dimension: 2\n"
                           "PartData:\n"
                           "  Fixed: {O: [0, 0], e: [cos(2*t), sin(2*t)]}\n"
                           "  Collinears: {OeB: r}\n"
                           "  Particles: {B: 1}\n"
                           "ProblemData: {tend: 1, positions: {r: 1}}\n";

static const char OIL[] = "Title: driven rod in oil\n"
                          "Dimension: 2\n"
                          "PartData:\n"
                          "  Fixed: {O: [0, 0]}\n"
                          "  Rigids:\n"
                          "    OA: {Elements: [P, A], Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                          "  Joints: {j: {Type: revolute, Points: [O, P], Angle: phi}}\n"
                          "AppliedForces: {Gravity: , Forces: {A: [\"-50*Ax'*exp(-20*Ay)\", 0]}}\n"
                          "Drivers: {phi: \"0.2 + 0.5*sin(10*t)\"}\n"
                          "ProblemData: {tend: 5, positions: {A: [0.97, 0.2]}}\n";

static const char SHAKEN[] = "Title: pendulum on a pivot that is shaken\n"
                             "Dimension: 2\n"
                             "PartData:\n"
                             "  Fixed: {O: [\"0.3*sin(5*t)\", 0]}\n"
                             "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}}\n"
                             "AppliedForces: {Gravity: }\n"
                             "ProblemData: {tend: 3, positions: {A: [0, -1]}}\n";

/* r = cosh 2t, so the kinetic energy is 2 cosh 4t. */
static void test_a_rail_that_turns_does_work(void **state) {
    (void)state;
    for (int f = 0; f < 4; f++) {
        taut_run_options o = at_tolerance(1e-9);
        o.formulation = FORMULATION[f];
        solution *s = must_succeed(try_text(RAIL, &o));
        assert_near(last_of(s, "work"), 2.0 * cosh(4.0) - 2.0, 1e-7, 0.0);
        solution_free(s);
    }
}

static double energy_of_the_rod(double t) {
    const double phi = 0.2 + 0.5 * sin(10.0 * t), rate = 5.0 * cos(10.0 * t);
    return rate * rate / 6.0 + 9.81 * 0.5 * sin(phi);
}

/* Work is passive, but not left to chance where the motion is simple and the forces are not. */
static void test_work_takes_part_in_the_steps(void **state) {
    (void)state;
    static const double tol[] = {1e-6, 1e-9};
    const double want = energy_of_the_rod(5.0) - energy_of_the_rod(0.0);
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 2; k++) {
            taut_run_options o = at_tolerance(tol[k]);
            o.formulation = FORMULATION[f];
            solution *s = must_succeed(try_text(OIL, &o));
            assert_near(last_of(s, "work"), want, 200.0 * tol[k], 0.0);
            solution_free(s);
        }
}

static void test_ordinary_integrators_find_it_as_well(void **state) {
    (void)state;
    static const char *const solver[] = {"adams", "bdf", "erk", "ida"};
    const double want = energy_of_the_rod(5.0) - energy_of_the_rod(0.0);
    for (int k = 0; k < 4 * 3; k++) {
        taut_run_options o = at_tolerance(1e-9);
        o.solver = solver[k % 4];
        o.formulation = FORMULATION[k / 4];
        solution *s = must_succeed(try_text(OIL, &o));
        assert_near(last_of(s, "work"), want, 3e-4, 0.0); /* of a work that is up to 6.6 J */
        solution_free(s);
    }
}

/* What a run of natural coordinates by series at 1e-13 says. */
static double trusted_work(const char *text) {
    taut_run_options o = at_tolerance(1e-13);
    solution *s = must_succeed(try_text(text, &o));
    const double work = last_of(s, "work");
    solution_free(s);
    return work;
}

/* The work at the end by every solver and formulation that takes them, within so many tolerances
 * of its scale. */
static void check_work_by_all(const char *text, double scale, double times) {
    static const char *const solver[] = {"taylor", "ho", "erk", "adams", "bdf", "ida"};
    static const double tol[] = {1e-6, 1e-9};
    const double want = trusted_work(text);
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 6 * 2; k++) {
            const bool fits = f < 3 || (k / 2 >= 2 && k / 2 < 5);
            taut_run_options o = at_tolerance(tol[k % 2]);
            o.formulation = FORMULATION[f];
            o.solver = solver[k / 2];
            if (!fits) continue;
            solution *s = must_succeed(try_text(text, &o));
            assert_near(last_of(s, "work"), want, times * tol[k % 2] * scale, 0.0);
            solution_free(s);
        }
}

static void test_work_is_as_accurate_as_the_motion(void **state) {
    (void)state;
    check_work_by_all(SHAKEN, 4.6, 200.0);
    check_work_by_all(RAIL, 53.0, 30.0);
}

/* 1,000 kg on rods of a millimetre: the work has a unit of its own. */
static void test_work_of_any_size_is_no_obstacle(void **state) {
    (void)state;
    check_work_by_all("Title: heavy rods of a millimetre\n"
                      "Dimension: 2\n"
                      "PartData:\n"
                      "  Fixed: {O: [0, 0]}\n"
                      "  Rigids:\n"
                      "    OA: {Geom: [[1e-3]], Dyna: [[0.5e-3], 1000, 8e-5]}\n"
                      "    AB: {Geom: [[1e-3]], Dyna: [[0.5e-3], 1000, 8e-5]}\n"
                      "AppliedForces: {Gravity: }\n"
                      "Angles: {phi: OA}\n"
                      "Drivers: {phi: \"0.5*sin(198*t)\"}\n"
                      "ProblemData: {tend: 0.012, positions: {A: [1e-3, 0], B: [1e-3, -1e-3]}}\n",
                      4.0, 300.0);
}

/* Chains of tonnes fall, and work is done by rounding alone until their pivot moves: that is not
 * to be followed. */
static void test_work_that_is_rounding_limits_no_step(void **state) {
    (void)state;
    static const char text[] =
        "Title: chain whose pivot moves late\n"
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [\"20*tanh(t - 20.7)\", \"0\"]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[1000]], Dyna: [[500], 1000, 8e+07]}\n"
        "    AB: {Geom: [[1000]], Dyna: [[500], 1000, 8e+07]}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 25, positions: {A: [-999, -30], B: [-300, -750]}}\n";
    for (int f = 0; f < 3; f++) {
        taut_run_options o = at_tolerance(1e-4);
        o.solver = "ho";
        o.formulation = FORMULATION[f];
        solution *s = must_succeed(try_text(text, &o));
        assert_true(taut_result_stats(s->result)->steps < 200);
        solution_free(s);
    }
}

/* 1e6 kg at rest: the first work that shows is the rounding of forces of 1e9 N. */
static void test_work_from_rest_has_no_size_yet(void **state) {
    (void)state;
    check_work_by_all("Title: a kilometre of steel, pushed from rest\n"
                      "Dimension: 3\n"
                      "PartData:\n"
                      "  Fixed: {O: [0, 0, 0]}\n"
                      "  Rigids:\n"
                      "    OAu: {Geom: [[1000], [0, 1]], Dyna: [[500], 1e6, [1e9, 1e11, 1e11]]}\n"
                      "AppliedForces:\n"
                      "  Gravity:\n"
                      "  Forces: {A: [\"-8*Ax^3\", \"7e6*exp(-(Ay/100)^2)\", 0]}\n"
                      "ProblemData: {tend: 10, positions: {A: [600, 0, -800], u: [0, 1, 0]}}\n",
                      1e12, 1000.0);
}

/* The forces of the driver and of the oil are thousands of times what is left of their work. */
static void test_the_stiff_solver_finds_it_as_well(void **state) {
    (void)state;
    const double want = energy_of_the_rod(5.0) - energy_of_the_rod(0.0);
    for (int f = 0; f < 3; f++) {
        taut_run_options o = at_tolerance(1e-9);
        o.solver = "ho";
        o.formulation = FORMULATION[f];
        solution *s = must_succeed(try_text(OIL, &o));
        assert_near(last_of(s, "work"), want, 1e-7, 0.0);
        solution_free(s);
    }
}

/* Nothing moves before t = 0.8, and the coordinates of the body are 0. */
static void test_a_spring_follows_a_vector_that_begins_to_turn(void **state) {
    (void)state;
    check_work_by_all("Title: torsion spring on a vector that turns by a radian within 10 ms\n"
                      "Dimension: 2\n"
                      "PartData:\n"
                      "  Fixed: {O: [0, 0],\n"
                      "          e: [\"cos(0.5*(1 + tanh((t-1)/0.01)))\",\n"
                      "              \"sin(0.5*(1 + tanh((t-1)/0.01)))\"]}\n"
                      "  Rigids: {OA: {Geom: [[1]], Dyna: [[0], 1, 0.5]}}\n"
                      "  TorsionSprings: {s: {Angle: th, k: 3, rest: 0}}\n"
                      "Angles: {th: {From: e, To: A - O}}\n"
                      "ProblemData: {tend: 3, positions: {A: [1, 0]}}\n",
                      1.5, 600.0);
}

/* A body at the origin of the axes, with coordinates that are 0: its size is not 1 m. */
static void test_a_bushing_of_millimetres_does_work(void **state) {
    (void)state;
    check_work_by_all("Title: bushing of millimetres on a support that is shaken\n"
                      "Dimension: 2\n"
                      "PartData:\n"
                      "  Fixed: {O: [\"1e-4*sin(300*t)\", \"5e-5*sin(1500*t)\"]}\n"
                      "  Rigids: {BC: {Geom: [[1e-3]], Dyna: [[0], 1e-3, 2e-10]}}\n"
                      "  Bushings: {mount: {Points: [O, B], k: [4905, 4905], kt: 5e-4}}\n"
                      "AppliedForces: {Gravity: }\n"
                      "ProblemData: {tend: 0.02, positions: {B: [0, 0], C: [1e-3, 0]}}\n",
                      5e-5, 600.0);
}

static void test_a_shaken_pivot_does_work(void **state) {
    (void)state;
    for (int f = 0; f < 4; f++) {
        taut_run_options o = at_tolerance(1e-9);
        o.formulation = FORMULATION[f];
        solution *s = must_succeed(try_text(SHAKEN, &o));
        const double first = taut_result_value(s->result, 0, column_of(s, "energy"));
        assert_true(fabs(last_of(s, "work")) > 0.1);
        assert_near(last_of(s, "work"), last_of(s, "energy") - first, 1e-6, 0.0);
        solution_free(s);
    }
}

static const char COIL[] = "Title: torsion spring between a vector that turns and a rod\n"
                           "Dimension: 2\n"
                           "PartData:\n"
                           "  Fixed: {O: [0, 0], e: [cos(2*t), sin(2*t)]}\n"
                           "  Rigids: {OA: {Geom: [[1]], Dyna: [[0], 1, 0.5]}}\n"
                           "  TorsionSprings: {s: {Angle: th, k: 3, rest: 0}}\n"
                           "Angles: {th: {From: e, To: A - O}}\n"
                           "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n";

static const char MOUNT[] = "Title: bushing on a support that is shaken\n"
                            "Dimension: 2\n"
                            "PartData:\n"
                            "  Fixed: {O: [0.1*sin(3*t), 0]}\n"
                            "  Rigids: {BC: {Geom: [[1]], Dyna: [[0], 2, 0.3]}}\n"
                            "  Bushings: {mount: {Points: [O, B], k: [50, 50], kt: 5}}\n"
                            "ProblemData: {tend: 2, positions: {B: [0, 0], C: [1, 0]}}\n";

static void check_work(const char *text, double want) {
    for (int f = 0; f < 4; f++)
        for (int ida = 0; ida < (f < 3 ? 2 : 1); ida++) {
            taut_run_options o = at_tolerance(1e-9);
            o.formulation = FORMULATION[f];
            if (ida) o.solver = "ida";
            solution *s = must_succeed(try_text(text, &o));
            assert_near(last_of(s, "work"), want, ida ? 1e-5 : 1e-7, 0.0);
            solution_free(s);
        }
}

/* I phi'' = -k (phi - 2t), so phi - 2t = -2 sin(w t)/w with w^2 = k/I; nothing is stored at first.
 */
static void test_a_torsion_spring_on_a_moving_vector_does_work(void **state) {
    (void)state;
    const double w = sqrt(6.0), th = -2.0 * sin(2.0 * w) / w, rate = 2.0 - 2.0 * cos(2.0 * w);
    check_work(COIL, 0.25 * rate * rate + 1.5 * th * th);
}

/* 2 x'' = -50 (x - a sin 3t): x = A sin 3t + B sin 5t, A = 25 a/16, 3 A + 5 B = 0. */
static void test_a_bushing_on_a_moving_point_does_work(void **state) {
    (void)state;
    const double A = 2.5 / 16.0, B = -0.6 * A;
    const double x = A * sin(6.0) + B * sin(10.0);
    const double rate = 3.0 * A * cos(6.0) + 5.0 * B * cos(10.0), gap = x - 0.1 * sin(6.0);
    check_work(MOUNT, rate * rate + 25.0 * gap * gap);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_torsion_spring_on_a_moving_vector_does_work),
        cmocka_unit_test(test_a_bushing_on_a_moving_point_does_work),
        cmocka_unit_test(test_a_rail_that_turns_does_work),
        cmocka_unit_test(test_work_takes_part_in_the_steps),
        cmocka_unit_test(test_ordinary_integrators_find_it_as_well),
        cmocka_unit_test(test_the_stiff_solver_finds_it_as_well),
        cmocka_unit_test(test_work_that_is_rounding_limits_no_step),
        cmocka_unit_test(test_work_from_rest_has_no_size_yet),
        cmocka_unit_test(test_work_is_as_accurate_as_the_motion),
        cmocka_unit_test(test_work_of_any_size_is_no_obstacle),
        cmocka_unit_test(test_a_spring_follows_a_vector_that_begins_to_turn),
        cmocka_unit_test(test_a_bushing_of_millimetres_does_work),
        cmocka_unit_test(test_a_shaken_pivot_does_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
