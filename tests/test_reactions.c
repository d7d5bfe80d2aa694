/* Forces and torques in joints against closed forms, to ten digits. */
#include "solve_text.h"

static const double G = 9.81;

/* Reactions of a text, at a tolerance of 1e-13. */
static solution *react(const char *text, bool body_axes) {
    taut_run_options options = at_tolerance(1e-13);
    options.reactions = true;
    options.body_axes = body_axes;
    options.derivatives = 2;
    solution *s = solve_text(text, &options);
    assert_true(stats_of(s)->reaction_residual < 1e-11);
    return s;
}

/* ---- one body ---- */

/* From rest at the horizontal: tension 3 m g |y| / l, along the string. */
static void test_pendulum_on_a_massless_rod_has_tension_3mg_cos(void **state) {
    (void)state;
    solution *s = react("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0]}\n"
                        "  Rigids: {OA: {Geom: [[2]]}}\n"
                        "  Particles: {A: 0.7}\n"
                        "AppliedForces: {Gravity: }\n"
                        "ProblemData: {tend: 3, positions: {A: [2, 0]}}\n",
                        false);
    for (long i = 0; i < rows_of(s); i++) {
        const double x = value_of(s, i, "Ax"), y = value_of(s, i, "Ay");
        const double tension = -3.0 * 0.7 * G * y / 2.0;
        assert_near(value_of(s, i, "OA.N"), tension, 1e-10, 0.0);
        assert_near(value_of(s, i, "ground-OA.Fx"), -tension * x / 2.0, 1e-10, 0.0);
        assert_near(value_of(s, i, "ground-OA.Fy"), -tension * y / 2.0, 1e-10, 0.0);
    }
    assert_string_equal(stats_of(s)->not_unique, "");
    solution_free(s);
}

/* A uniform rod from rest at the horizontal: along it 5/2 m g sin, across it m g cos / 4, with the
 * angle below the horizontal; in the rod's own axes. */
static void test_rod_pendulum_has_its_force_along_and_across(void **state) {
    (void)state;
    solution *s = react("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0]}\n"
                        "  Rigids: {OA: {Geom: [[3]], Dyna: [[1.5], 2, 2*3^2/12]}}\n"
                        "AppliedForces: {Gravity: }\n"
                        "ProblemData: {tend: 2, positions: {A: [3, 0]}}\n",
                        true);
    for (long i = 0; i < rows_of(s); i++) {
        const double sine = -value_of(s, i, "Ay") / 3.0, cosine = value_of(s, i, "Ax") / 3.0;
        assert_near(value_of(s, i, "ground-OA.Fx"), -2.5 * 2.0 * G * sine, 1e-10, 0.0);
        assert_near(value_of(s, i, "ground-OA.Fy"), 0.25 * 2.0 * G * cosine, 1e-10, 0.0);
        assert_near(value_of(s, i, "OA.N"), 1.25 * 2.0 * G * sine, 1e-10, 0.0); /* mean of ends */
    }
    solution_free(s);
}

/* A disk with an eccentric mass turns at a steady rate: the bearing holds m r w^2. The same in
 * space, where the mass is off the plane of the bearing: there is also a torque. */
static void test_centrifugal_force_and_torque_of_an_unbalanced_shaft(void **state) {
    (void)state;
    solution *s = react("Dimension: 3\n"
                        "PhysicalParams: {r: 0.2, h: 0.5, m: 3, w: 7}\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0, 0], n: [0, 0, 1]}\n"
                        "  Rigids: {OnuP: {Geom: [[0, 0, 1], [1], [r, 0, h]]}}\n"
                        "  Particles: {P: m}\n"
                        "ProblemData: {tend: 2, positions: {u: [1, 0, 0]},\n"
                        "              velocities: {u: [0, w, 0]}}\n",
                        false);
    const double force = 3.0 * 0.2 * 49.0;
    for (long i = 0; i < rows_of(s); i++) {
        const double x = value_of(s, i, "ux"), y = value_of(s, i, "uy");
        assert_near(value_of(s, i, "ground-OnuP.Fx"), -force * x, 1e-9, 0.0);
        assert_near(value_of(s, i, "ground-OnuP.Fy"), -force * y, 1e-9, 0.0);
        assert_near(value_of(s, i, "ground-OnuP.Fz"), 0.0, 1e-9, 0.0);
        /* the moment of the bearing about O: P x (mass times acceleration) */
        assert_near(value_of(s, i, "ground-OnuP.Tx"), 0.5 * force * y, 1e-9, 0.0);
        assert_near(value_of(s, i, "ground-OnuP.Ty"), -0.5 * force * x, 1e-9, 0.0);
        assert_near(value_of(s, i, "ground-OnuP.Tz"), 0.0, 1e-9, 0.0);
    }
    solution_free(s);
}

/* ---- statics ---- */

/* The Warren truss with seven bars and equal triangles: by the method of joints. Pins have three
 * and four bars. */
static void test_bars_of_a_truss_have_the_forces_of_the_method_of_joints(void **state) {
    (void)state;
    solution *s = react("Dimension: 2\n"
                        "PhysicalParams: {h: sqrt(3)/2}\n"
                        "PartData:\n"
                        "  Fixed: {A: [0, 0], v: [1, 0]}\n"
                        "  Rigids:\n"
                        "    AB: {Geom: [[1]]}\n"
                        "    AC: {Geom: [[1]]}\n"
                        "    BC: {Geom: [[1]]}\n"
                        "    BD: {Geom: [[1]]}\n"
                        "    CD: {Geom: [[1]]}\n"
                        "    CE: {Geom: [[1]]}\n"
                        "    DE: {Geom: [[1]]}\n"
                        "  Collinears: {AvE}\n"
                        "AppliedForces:\n"
                        "  Forces: {B: [0, -1000], D: [0, -1000], C: [50, 0]}\n"
                        "ProblemData:\n"
                        "  tend: 1\n"
                        "  positions: {B: [1/2, h], C: [1, 0], D: [3/2, h], E: [2, 0]}\n",
                        false);
    const double diagonal = 1000.0 / sin(acos(-1.0) / 3.0);
    const struct {
        const char *name;
        double force;
    } bar[] = {{"AB.N", -diagonal}, {"AC.N", 0.5 * diagonal + 50.0},
               {"BC.N", 0.0},       {"BD.N", -0.5 * diagonal},
               {"CD.N", 0.0},       {"CE.N", 0.5 * diagonal},
               {"DE.N", -diagonal}};
    for (int i = 0; i < 7; i++) assert_near(last_of(s, bar[i].name), bar[i].force, 1e-7, 0.0);
    assert_near(last_of(s, "ground-CE.Fy"), 1000.0, 1e-7, 0.0);
    assert_near(last_of(s, "ground-CE.Fx"), 0.0, 1e-7, 0.0);
    assert_near(last_of(s, "ground-AB.Fx") + last_of(s, "ground-AC.Fx"), -50.0, 1e-7, 0.0);
    assert_near(last_of(s, "ground-AB.Fy") + last_of(s, "ground-AC.Fy"), 1000.0, 1e-7, 0.0);
    assert_string_equal(stats_of(s)->not_unique, "");
    solution_free(s);
}

/* ---- a driven mechanism ---- */

static const char *const SLIDER_CRANK =
    "Dimension: 2\n"
    "PhysicalParams: {r: 0.3, l: 0.8, m: 1.5, I: 0.09, M: 2.5, c: 0.9, J: 0.02, w: 12}\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], v: [1, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[r]], Dyna: [[r/3], c, J]}\n"
    "    AB: {Geom: [[l]], Dyna: [[l/2], m, I]}\n"
    "  Collinears: {OvB: s}\n"
    "  Particles: {B: M}\n"
    "AppliedForces: {Gravity: }\n"
    "Angles: {phi: OA}\n"
    "Drivers: {phi: 0.4 + w*t}\n"
    "ProblemData: {tend: 1, positions: {A: [r*cos(0.4), r*sin(0.4)], B: [1, 0]}}\n";

/* Everything of the slider-crank from the crank's angle, by hand. */
typedef struct crank_forces {
    double Ox, Oy, Ax, Ay, guide, torque;
} crank_forces;

static crank_forces slider_crank_by_hand(double phi) {
    const double r = 0.3, l = 0.8, m = 1.5, I = 0.09, M = 2.5, c = 0.9, w = 12.0;
    const double sb = -r * sin(phi) / l, cb = sqrt(1.0 - sb * sb); /* the rod's direction */
    const double rate = -r * w * cos(phi) / (l * cb);
    const double turn = (r * w * w * sin(phi) / l + rate * rate * sb) / cb;
    const double aAx = -r * w * w * cos(phi), aAy = -r * w * w * sin(phi);
    const double aGx = aAx + 0.5 * l * (-turn * sb - rate * rate * cb);
    const double aGy = aAy + 0.5 * l * (turn * cb - rate * rate * sb);
    const double aBx = aAx + l * (-turn * sb - rate * rate * cb);
    crank_forces f;
    /* the rod with the slider at its end: force at A along x, then moments about B */
    f.Ax = m * aGx + M * aBx;
    const double inertia = I * turn; /* (G - B) x m (a - g) + (A - B) x -F_A = -I turn */
    const double moment = -0.5 * l * (cb * m * (aGy + G) - sb * m * aGx);
    f.Ay = (inertia + moment - sb * l * f.Ax) / (-cb * l);
    f.guide = m * (aGy + G) + M * G - f.Ay;
    /* the crank */
    const double aCx = aAx / 3.0, aCy = aAy / 3.0;
    f.Ox = c * aCx + f.Ax;
    f.Oy = c * (aCy + G) + f.Ay;
    f.torque = r * (cos(phi) * f.Ay - sin(phi) * f.Ax) + c * G * r / 3.0 * cos(phi);
    return f;
}

static void test_driven_slider_crank_has_the_forces_of_inverse_dynamics(void **state) {
    (void)state;
    solution *s = react(SLIDER_CRANK, false);
    for (long i = 0; i < rows_of(s); i++) {
        const crank_forces f = slider_crank_by_hand(0.4 + 12.0 * value_of(s, i, "t"));
        assert_near(value_of(s, i, "ground-OA.Fx"), f.Ox, 2e-9, 1e-10);
        assert_near(value_of(s, i, "ground-OA.Fy"), f.Oy, 2e-9, 1e-10);
        assert_near(value_of(s, i, "OA-AB.Fx"), f.Ax, 2e-9, 1e-10);
        assert_near(value_of(s, i, "OA-AB.Fy"), f.Ay, 2e-9, 1e-10);
        assert_near(value_of(s, i, "ground-AB.Fx"), 0.0, 2e-9, 0.0);
        assert_near(value_of(s, i, "ground-AB.Fy"), f.guide, 2e-9, 1e-10);
        assert_near(value_of(s, i, "force_phi"), f.torque, 2e-9, 1e-10);
        assert_near(value_of(s, i, "power_phi"), 12.0 * f.torque, 2e-8, 1e-10);
    }
    assert_string_equal(stats_of(s)->not_unique, "");
    solution_free(s);
}

/* The same seen from the rod: along it and across it. */
static void test_body_axes_turn_the_components(void **state) {
    (void)state;
    solution *world = react(SLIDER_CRANK, false), *body = react(SLIDER_CRANK, true);
    for (long i = 0; i < rows_of(world); i += 10) {
        const double x = value_of(world, i, "Bx") - value_of(world, i, "Ax");
        const double y = value_of(world, i, "By") - value_of(world, i, "Ay");
        const double Fx = value_of(world, i, "OA-AB.Fx"), Fy = value_of(world, i, "OA-AB.Fy");
        assert_near(value_of(body, i, "OA-AB.Fx"), (x * Fx + y * Fy) / 0.8, 1e-9, 0.0);
        assert_near(value_of(body, i, "OA-AB.Fy"), (x * Fy - y * Fx) / 0.8, 1e-9, 0.0);
    }
    solution_free(world);
    solution_free(body);
}

/* A simulation gives values of reactions by name, at any time inside a step. */
static void test_simulation_finds_reactions_by_name(void **state) {
    (void)state;
    taut_model *model = read_text(SLIDER_CRANK);
    taut_simulation *s = NULL;
    taut_run_options options = at_tolerance(1e-13);
    options.reactions = true;
    assert_int_equal(taut_simulation_create(model, &options, &s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, NULL), TAUT_OK);
    assert_int_equal(taut_simulation_run_to(s, 0.123, NULL), TAUT_OK);
    const crank_forces f = slider_crank_by_hand(0.4 + 12.0 * 0.123);
    assert_near(taut_simulation_now(s, "ground-OA.Fx"), f.Ox, 2e-9, 1e-10);
    assert_near(taut_simulation_now(s, "A.x"), 0.3 * cos(0.4 + 12.0 * 0.123), 1e-12, 0.0);
    taut_simulation_free(&s);
    taut_model_free(&model);
}

/* ---- what rigid bodies do not determine ---- */

/* A beam on two pins: weights by the lever, and nobody knows how hard the pins pull at it. */
static void test_beam_on_two_pins_has_loads_by_the_lever_and_no_certain_pull(void **state) {
    (void)state;
    solution *s = react("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {P: [0, 0], Q: [3, 0]}\n"
                        "  Rigids: {AB: {Geom: [[3]], Dyna: [[1], 6, 2]}}\n"
                        "  Joints:\n"
                        "    left: {Type: revolute, Points: [A, P]}\n"
                        "    right: {Type: revolute, Points: [B, Q]}\n"
                        "  Particles: {C: 1}\n" /* something must move */
                        "AppliedForces: {Gravity: 10}\n"
                        "ProblemData: {tend: 1, positions: {A: [0, 0], B: [3, 0], C: [0, 0]}}\n",
                        false);
    assert_near(last_of(s, "left.Fy"), 40.0, 1e-9, 0.0);
    assert_near(last_of(s, "right.Fy"), 20.0, 1e-9, 0.0);
    assert_near(last_of(s, "left.Fx"), 0.0, 1e-9, 0.0);
    assert_near(last_of(s, "right.Fx"), 0.0, 1e-9, 0.0);
    assert_string_equal(stats_of(s)->not_unique, "left.Fx\nright.Fx\nAB.N\n");
    solution_free(s);
}

/* Hinges of a plane four-bar in space: in the plane everything is as in 2D, across it nothing is
 * certain. */
static void test_parallel_hinges_are_uncertain_across_the_plane_only(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-13);
    options.reactions = true;
    solution *flat = solve_file("tests/models/doctor/four-bar.yaml", &options);
    solution *space = solve_file("tests/models/doctor/four-bar-in-space.yaml", &options);
    static const char *const pair[][2] = {{"ground-OA.Fx", "ground-OAn.Fx"},
                                          {"ground-OA.Fy", "ground-OAn.Fy"},
                                          {"AB-CB.Fx", "ABn-CBn.Fx"},
                                          {"ground-CB.Fy", "ground-CBn.Fy"}};
    for (long i = 0; i < rows_of(flat); i += 20)
        for (int k = 0; k < 4; k++)
            assert_near(value_of(space, i, pair[k][1]), value_of(flat, i, pair[k][0]), 1e-9, 1e-10);
    assert_string_equal(stats_of(flat)->not_unique, "");
    assert_string_equal(stats_of(space)->not_unique,
                        "ground-OAn.Fz\nground-OAn.Tx\nground-OAn.Ty\n"
                        "OAn-ABn.Fz\nOAn-ABn.Tx\nOAn-ABn.Ty\n"
                        "ABn-CBn.Fz\nABn-CBn.Tx\nABn-CBn.Ty\n"
                        "ground-CBn.Fz\nground-CBn.Tx\nground-CBn.Ty\n");
    solution_free(flat);
    solution_free(space);
}

/* ---- coordinates that are tied, force elements ---- */

/* The teeth push the rack up the slope, and hold the pinion back. */
static void test_teeth_of_a_rack_carry_what_both_sides_need(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-13);
    options.reactions = true;
    options.derivatives = 2;
    solution *s = solve_file("tests/models/joints/rack.yaml", &options);
    for (long i = 0; i < rows_of(s); i += 20) {
        const double load = value_of(s, i, "mesh.load");
        assert_near(load, 3.0 * (value_of(s, i, "s''") + G * sin(0.3)), 1e-9, 0.0);
        const double weight = -2.0 * G * 0.2 * value_of(s, i, "Ax");
        assert_near(-0.4 * load, (0.3 + 2.0 * 0.04) * value_of(s, i, "phi''") - weight, 1e-9, 0.0);
    }
    solution_free(s);
}

/* A nut on a tilted spindle: the thread alone holds it along the axis. */
static void test_thread_of_a_screw_carries_the_axial_force(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-13);
    options.reactions = true;
    options.derivatives = 2;
    solution *s = solve_file("tests/models/joints/screw.yaml", &options);
    for (long i = 0; i < rows_of(s); i += 20) {
        assert_near(value_of(s, i, "nut.load"), 2.0 * (value_of(s, i, "s''") + G * sin(0.4)), 1e-9,
                    0.0);
        const double along =
            value_of(s, i, "nut.Fy") * cos(0.4) + value_of(s, i, "nut.Fz") * sin(0.4);
        assert_near(along, 0.0, 1e-9, 0.0);
    }
    solution_free(s);
}

/* A load on a bushing, and a pendulum on a torsion spring: by their laws and by Newton's. */
static void test_bushing_and_torsion_spring_exert_what_their_laws_say(void **state) {
    (void)state;
    solution *s = react("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0], P: [5, 0]}\n"
                        "  Rigids:\n"
                        "    BC: {Geom: [[1]], Dyna: [[0], 2, 0.3]}\n"
                        "    PA: {Geom: [[0.5]], Dyna: [[0.5], 1.5, 0.1]}\n"
                        "  Bushings:\n"
                        "    mount: {Points: [O, B], k: [300, 400], c: [1, 2], kt: 5, ct: 0.1}\n"
                        "  TorsionSprings:\n"
                        "    coil: {Angle: phi, k: 7, rest: 0.2, c: 0.3}\n"
                        "Angles: {phi: PA}\n"
                        "AppliedForces: {Gravity: }\n"
                        "ProblemData: {tend: 1, positions: {B: [0.01, 0], C: [1.01, 0],\n"
                        "                                   A: [5.5, 0]}}\n",
                        false);
    for (long i = 0; i < rows_of(s); i += 20) {
        const double x = value_of(s, i, "Bx"), y = value_of(s, i, "By");
        assert_near(value_of(s, i, "mount.Fx"), -300.0 * x - value_of(s, i, "Bx'"), 1e-10, 0.0);
        assert_near(value_of(s, i, "mount.Fy"), -400.0 * y - 2.0 * value_of(s, i, "By'"), 1e-10,
                    0.0);
        assert_near(value_of(s, i, "mount.Fy"), 2.0 * (value_of(s, i, "By''") + G), 1e-9, 0.0);
        assert_near(value_of(s, i, "coil.T"),
                    -7.0 * (value_of(s, i, "phi") - 0.2) - 0.3 * value_of(s, i, "phi'"), 1e-10,
                    0.0);
        assert_near(value_of(s, i, "ground-PA.Fx"), 1.5 * value_of(s, i, "Ax''"), 1e-9, 0.0);
        assert_near(value_of(s, i, "ground-PA.Fy"), 1.5 * (value_of(s, i, "Ay''") + G), 1e-9, 0.0);
    }
    solution_free(s);
}

/* ---- drivers ---- */

/* Columns that stay as they are. */
static void expect_constant(const char *text, const char *const name[4], const double force[4]) {
    solution *s = react(text, false);
    for (long i = 0; i < rows_of(s); i += 100)
        for (int k = 0; k < 4 && name[k]; k++)
            assert_near(value_of(s, i, name[k]), force[k], 1e-10, 0.0);
    solution_free(s);
}

/* What is driven is not always an angle of bodies: the distance of two points, a place on a line,
 * one on a wire, the direction from a point of one body to one of another. Statics says what joints
 * carry. */
static void test_drivers_push_where_they_act(void **state) {
    (void)state;
    const double weight = 2.0 * G;
    /* a rod held up at its end by a rope of constant length */
    expect_constant("Dimension: 2\n"
                    "PartData:\n"
                    "  Fixed: {O: [0, 0], Q: [2, 3]}\n"
                    "  Rigids: {OA: {Geom: [[2]], Dyna: [[1], 2, 2/3]}}\n"
                    "AppliedForces: {Gravity: }\n"
                    "Drivers: {AQ: 3}\n"
                    "ProblemData: {tend: 1, positions: {A: [2, 0]}}\n",
                    (const char *const[4]){"ground-OA.Fx", "ground-OA.Fy", "force_AQ"},
                    (const double[4]){0.0, weight / 2.0, -weight / 2.0});
    /* pulled up a slope with the acceleration 2: the slope carries what is across it */
    expect_constant("Dimension: 2\n"
                    "PartData:\n"
                    "  Fixed: {O: [0, 0], u: [0.6, 0.8]}\n"
                    "  Particles: {E: 2}\n"
                    "  Collinears: {OuE: s}\n"
                    "AppliedForces: {Gravity: }\n"
                    "Drivers: {s: 1 + t^2}\n"
                    "ProblemData: {tend: 1, positions: {E: [0.6, 0.8], s: 1}}\n",
                    (const char *const[4]){"ground-E.Fx", "ground-E.Fy", "force_s"},
                    (const double[4]){-0.8 * 0.6 * weight, 0.6 * 0.6 * weight, 4.0 + 0.8 * weight});
    /* a bead on y = x^2, where the slope is 1: as much as without a driver */
    expect_constant("Dimension: 2\n"
                    "PartData:\n"
                    "  Fixed: {O: [0, 0]}\n"
                    "  Particles: {F: 2}\n"
                    "  Joints: {wire: {Type: point-on-curve, Points: [O, F], Curve: [s, s^2], "
                    "Parameter: s}}\n"
                    "AppliedForces: {Gravity: }\n"
                    "Drivers: {s: 0.5}\n"
                    "ProblemData: {tend: 1, positions: {F: [0.5, 0.25], s: 0.5}}\n",
                    (const char *const[4]){"wire.Fx", "wire.Fy", "force_s"},
                    (const double[4]){weight / 2.0, -weight / 2.0, weight});
}

/* Rods on pins whose ends keep the direction of the line between them: that torque is a pair of
 * forces across the line, one on each. */
static void test_direction_between_bodies_pushes_both(void **state) {
    (void)state;
    const double weight = 2.0 * G;
    solution *s = react("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0], Q: [3, 0]}\n"
                        "  Rigids:\n"
                        "    OA: {Geom: [[2]], Dyna: [[1], 2, 2/3]}\n"
                        "    QB: {Geom: [[2]], Dyna: [[1], 2, 2/3]}\n"
                        "AppliedForces: {Gravity: }\n"
                        "Angles: {a: {From: [1, 0], To: B - A}, b: OA}\n"
                        "Drivers: {a: 0.3, b: 0}\n"
                        "ProblemData: {tend: 1, positions: {A: [2, 0], B: [4.5, 1]}}\n",
                        false);
    const double x = value_of(s, 0, "Bx"), y = value_of(s, 0, "By");
    const double square = (x - 2.0) * (x - 2.0) + y * y;
    /* moments about Q: the force on B holds the rod */
    const double torque = weight * (x - 3.0) / 2.0 * square / ((x - 3.0) * (x - 2.0) + y * y);
    const double fx = -torque * y / square, fy = torque * (x - 2.0) / square;
    assert_near(atan2(y, x - 2.0), 0.3, 1e-10, 0.0);
    assert_near(value_of(s, 0, "force_a"), torque, 1e-9, 0.0);
    assert_near(value_of(s, 0, "ground-QB.Fx"), -fx, 1e-9, 0.0);
    assert_near(value_of(s, 0, "ground-QB.Fy"), weight - fy, 1e-9, 0.0);
    assert_near(value_of(s, 0, "ground-OA.Fx"), fx, 1e-9, 0.0);
    assert_near(value_of(s, 0, "ground-OA.Fy"), weight + fy, 1e-9, 0.0);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_on_a_massless_rod_has_tension_3mg_cos),
        cmocka_unit_test(test_rod_pendulum_has_its_force_along_and_across),
        cmocka_unit_test(test_centrifugal_force_and_torque_of_an_unbalanced_shaft),
        cmocka_unit_test(test_bars_of_a_truss_have_the_forces_of_the_method_of_joints),
        cmocka_unit_test(test_driven_slider_crank_has_the_forces_of_inverse_dynamics),
        cmocka_unit_test(test_body_axes_turn_the_components),
        cmocka_unit_test(test_simulation_finds_reactions_by_name),
        cmocka_unit_test(test_beam_on_two_pins_has_loads_by_the_lever_and_no_certain_pull),
        cmocka_unit_test(test_parallel_hinges_are_uncertain_across_the_plane_only),
        cmocka_unit_test(test_teeth_of_a_rack_carry_what_both_sides_need),
        cmocka_unit_test(test_thread_of_a_screw_carries_the_axial_force),
        cmocka_unit_test(test_bushing_and_torsion_spring_exert_what_their_laws_say),
        cmocka_unit_test(test_drivers_push_where_they_act),
        cmocka_unit_test(test_direction_between_bodies_pushes_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
