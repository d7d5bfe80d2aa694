/* Drivers and their forces, loads, springs and dampers, tracked angles, work and outputs, against
 * inverse dynamics by hand, closed forms and independent models. */
#include "agree.h"

static const double PI = 3.14159265358979323846, G = 9.81;

static solution *solve(const char *text) {
    const taut_run_options options = at_tolerance(1e-13);
    return solve_text(text, &options);
}

/* Energy minus work stays, relative to the largest energy. */
static void check_work_to(const solution *s, double limit) {
    const double start = value_of(s, 0, "energy");
    const double scale = fmax(1.0, fmax(scale_of(s, "energy"), scale_of(s, "kinetic")));
    assert_near(value_of(s, 0, "work"), 0.0, 0.0, 0.0);
    for (long i = 0; i < rows_of(s); i++)
        assert_near(value_of(s, i, "energy") - value_of(s, i, "work"), start, limit * scale, 0.0);
}

static void check_work(const solution *s) { check_work_to(s, 1e-12); }

/* ---- drivers ---- */

/* theta = 2 t^2 + sin t / 2, through several turns: torque = (J + m l^2/4) theta'' + m g l/2 cos.
 */
static void test_driven_angle_is_followed_and_its_torque_is_inverse_dynamics(void **state) {
    (void)state;
    solution *s = solve("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [1, 2]}\n"
                        "  Rigids: {OA: {Geom: [[1.2]], Dyna: [[0.6], 2, 0.25]}}\n"
                        "AppliedForces: {Gravity: }\n"
                        "Angles: {theta: OA}\n"
                        "Drivers: {theta: 2*t^2 + sin(t)/2}\n"
                        "ProblemData: {tend: 3, positions: {A: [2.2, 2]}}\n");
    assert_int_equal(stats_of(s)->mobility, 0);
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), q = 2.0 * t * t + sin(t) / 2.0;
        const double rate = 4.0 * t + cos(t) / 2.0, faster = 4.0 - sin(t) / 2.0;
        assert_near(value_of(s, i, "theta"), q, 1e-12, 1e-13);
        assert_near(value_of(s, i, "theta'"), rate, 1e-12, 1e-13);
        assert_near(value_of(s, i, "Ax"), 1.0 + 1.2 * cos(q), 1e-12, 0.0);
        assert_near(value_of(s, i, "Ay"), 2.0 + 1.2 * sin(q), 1e-12, 0.0);
        assert_near(value_of(s, i, "force_theta"), 0.97 * faster + 1.2 * G * cos(q), 1e-10, 0.0);
    }
    check_work(s);
    solution_free(s);
}

/* A mass on a spring whose place is prescribed: force = m s'' + k (s - l). */
static void test_driven_scalar_and_coordinate_have_the_force_by_hand(void **state) {
    (void)state;
    static const char *const name[] = {"s", "Ax", "A.x"};
    static const char *const column[] = {"force_s", "force_Ax", "force_Ax"};
    for (int k = 0; k < 3; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], x: [1, 0]}\n"
                 "  Collinears: {OxA: s}\n"
                 "  Particles: {A: 3}\n"
                 "  Springs: {OA: [20, 0.5]}\n"
                 "Drivers: {%s: 1 + sin(3*t)/2}\n"
                 "ProblemData: {tend: 4, positions: {s: 1}}\n",
                 name[k]);
        solution *s = solve(text);
        for (long i = 0; i < rows_of(s); i++) {
            const double t = value_of(s, i, "t"), x = 1.0 + sin(3.0 * t) / 2.0;
            assert_near(value_of(s, i, "s"), x, 1e-12, 0.0);
            assert_near(value_of(s, i, "Ax'"), 1.5 * cos(3.0 * t), 1e-12, 0.0);
            assert_near(value_of(s, i, column[k]), -13.5 * sin(3.0 * t) + 20.0 * (x - 0.5), 1e-10,
                        0.0);
        }
        check_work(s);
        solution_free(s);
    }
}

/* A pendulum of prescribed length r: F = m (r'' - r q'^2 + g sin q), outwards. */
static void test_driven_distance_has_the_force_by_hand(void **state) {
    (void)state;
    solution *s =
        solve("Dimension: 2\n"
              "PartData: {Fixed: {O: [0, 0]}, Particles: {A: 1.5}}\n"
              "AppliedForces: {Gravity: }\n"
              "Drivers: {OA: 1 + 0.2*sin(4*t)}\n"
              "ProblemData: {tend: 3, positions: {A: [1, 0]}, velocities: {A: [0.8, 0.5]}}\n");
    solution *b = solve("Define: {r: 1 + 0.2*sin(4*t)}\n"
                        "Lagrangian:\n"
                        "  Coordinates: [q]\n"
                        "  L: \"1.5/2*(r'^2 + r^2*q'^2) - 1.5*9.81*r*sin(q)\"\n"
                        "Outputs:\n"
                        "  Ax: r*cos(q)\n"
                        "  Ay: r*sin(q)\n"
                        "  force_OA: \"1.5*(r'' - r*q'^2 + 9.81*sin(q))\"\n"
                        "ProblemData: {tend: 3, positions: {q: 0}, velocities: {q: 0.5}}\n");
    static const char *const column[] = {"Ax", "Ay", "Ax'", "Ay'", "force_OA", NULL};
    must_agree(s, b, column, 10.0);
    for (long i = 0; i < rows_of(s); i++)
        assert_near(hypot(value_of(s, i, "Ax"), value_of(s, i, "Ay")),
                    1.0 + 0.2 * sin(4.0 * value_of(s, i, "t")), 1e-12, 0.0);
    check_work(s);
    solution_free(s);
    solution_free(b);
}

/* An angle between two bodies: the motor's torque acts on both. */
static void test_driven_relative_angle_acts_on_both_bodies(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay", "Bx", "By", "Bx'", "force_elbow", NULL};
    solution *a = solve(
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[1]], Dyna: [[0.5], 2, 0.2]}\n"
        "    AB: {Geom: [[0.7]], Dyna: [[0.3], 1, 0.1]}\n"
        "AppliedForces: {Gravity: }\n"
        "Angles: {elbow: [OA, AB]}\n"
        "Drivers: {elbow: 5*t + sin(t)}\n"
        "ProblemData: {tend: 2, positions: {A: [1, 0], B: [1.7, 0]},\n"
        "              velocities: {A: [0, 1], B: [0, 1.7 + 0.7*6]}, fixedvelocities: {A}}\n");
    /* both angles free, their difference a constraint: its multiplier is minus the torque */
    solution *b = solve(
        "Lagrangian:\n"
        "  Coordinates: [q, r]\n"
        "  Define:\n"
        "    D: \"[cos(q)/2, sin(q)/2]\"\n"
        "    E: \"[cos(q) + 0.3*cos(r), sin(q) + 0.3*sin(r)]\"\n"
        "  L: \"dot(D', D') + 0.1*q'^2 + dot(E', E')/2 + 0.05*r'^2 - 9.81*(2*D.y + E.y)\"\n"
        "  Constraints: {force_elbow: 5*t + sin(t) - (r - q)}\n"
        "Outputs: {Ax: cos(q), Ay: sin(q), Bx: cos(q) + 0.7*cos(r), By: sin(q) + 0.7*sin(r)}\n"
        "ProblemData: {tend: 2, positions: {q: 0, r: 0}, velocities: {q: 1, r: 7}, "
        "fixedvelocities: {q}}\n");
    must_agree(a, b, column, 10.0);
    check_work(a);
    solution_free(a);
    solution_free(b);
}

/* In space, about an axis that is not vertical, with a body that is off the axis. */
static void test_driven_angle_in_3d_has_the_torque_by_hand(void **state) {
    (void)state;
    solution *s = solve(
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], x: [1, 0, 0], y: [0, 1, 0]}\n"
        "  Rigids: {OAx: {Geom: [[0, 1, 0], [1]], Dyna: [[0.2, 0.6, 0], 2, [0.3, 0.4, 0.5]]}}\n"
        "AppliedForces: {Gravity: }\n"
        "Angles: {phi: {From: y, To: A, Axis: x}}\n"
        "Drivers: {phi: 3*t - cos(2*t) + 1}\n"
        "ProblemData: {tend: 4, positions: {A: [0, 1, 0]}}\n");
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), q = 3.0 * t - cos(2.0 * t) + 1.0;
        assert_near(value_of(s, i, "phi"), q, 1e-12, 1e-13);
        assert_near(value_of(s, i, "Ay"), cos(q), 1e-12, 0.0);
        assert_near(value_of(s, i, "Az"), sin(q), 1e-12, 0.0);
        assert_near(value_of(s, i, "force_phi"),
                    (0.3 + 0.72) * 4.0 * cos(2.0 * t) + 1.2 * G * cos(q), 1e-10, 0.0);
    }
    check_work(s);
    solution_free(s);
}

/* ---- loads ---- */

#define PARTICLES(links, forces)                                                                   \
    "PhysicalParams: {k: 30, l: 0.8, c: 0.7}\n"                                                    \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0]}\n"                                                                       \
    "  Particles: {A: 1.5, B: 0.5}\n" links "AppliedForces: {Gravity: 5" forces "}\n"              \
    "Define:\n"                                                                                    \
    "  d: B - A\n"                                                                                 \
    "  e: d/norm(d)\n"                                                                             \
    "ProblemData: {tend: 2, positions: {A: [1, 0], B: [1.5, 1]}, velocities: {A: [0, 1], B: [2, "  \
    "0]}}\n"
static const char *const PARTICLE_COLUMNS[] = {"Ax", "Ay", "Bx", "By", "Ax'", "By'", NULL};

static void test_spring_written_as_forces_equals_springs(void **state) {
    (void)state;
    texts_must_agree(PARTICLES("  Springs: {AB: [k, l]}\n", ""),
                     PARTICLES("", ", Forces: {A: k*(norm(d) - l)*e, B: -k*(norm(d) - l)*e}"),
                     PARTICLE_COLUMNS, 11.0);
}

static void test_dampers_written_as_forces_equal_dampers(void **state) {
    (void)state;
    texts_must_agree(PARTICLES("  Dampers: {AB: c}\n", ""),
                     PARTICLES("", ", Forces: {A: \"c*dot(d', e)*e\", B: \"-c*dot(d', e)*e\"}"),
                     PARTICLE_COLUMNS, 11.0);
    texts_must_agree(PARTICLES("  Dampers: {AB: {c: c, Full: true}}\n", ""),
                     PARTICLES("", ", Forces: {A: c*d', B: -c*d'}"), PARTICLE_COLUMNS, 11.0);
}

static void test_spring_damper_equals_spring_and_damper(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "By", "Ax'", "By'", "energy", "work", NULL};
    const char *both = PARTICLES("  SpringDampers: {AB: [k, l, c]}\n", "");
    texts_must_agree(both, PARTICLES("  Springs: {BA: [k, l]}\n  Dampers: {AB: c}\n", ""), column,
                     12.0);
    texts_must_agree(both, PARTICLES("  SpringDampers: {BA: {k: k, l: l, c: c}}\n", ""), column,
                     12.0);
    solution *s = solve(both);
    check_work(s);
    solution_free(s);
}

/* Forces of time, place, velocity and angle; torques likewise. */
static void test_loads_of_time_position_velocity_and_angle(void **state) {
    (void)state;
    static const char *const column[] = {"q", "q'", NULL};
    solution *a =
        solve("Dimension: 2\n"
              "PartData:\n"
              "  Fixed: {O: [0, 0]}\n"
              "  Rigids: {OAB: {Geom: [[1], [0.5, 0.2]], Dyna: [[0.5], 2, 0.2]}}\n"
              "AppliedForces:\n"
              "  Forces:\n"
              "    A: [3*cos(5*t) - Bx', -2*Ay*q]\n"
              "    B: [t, 1]\n"
              "  Torques: {OAB: -4*q - 0.3*q' + sin(t)}\n"
              "Angles: {q: OAB}\n"
              "ProblemData: {tend: 3, positions: {A: [1, 0]}, velocities: {A: [0, 9]}}\n");
    solution *b = solve("Define:\n"
                        "  A: \"[cos(q), sin(q)]\"\n"
                        "  Bx: 0.5*cos(q) - 0.2*sin(q)\n"
                        "  By: 0.5*sin(q) + 0.2*cos(q)\n"
                        "DAE:\n"
                        "  Variables: [q]\n"
                        "  Equations:\n" /* J q'' = r x F + torque */
                        "    - \"0.7*q'' - (A.x*(-2*A.y*q) - A.y*(3*cos(5*t) - Bx') + Bx - By*t"
                        " - 4*q - 0.3*q' + sin(t))\"\n"
                        "Outputs: {Ax: A.x, Ay: A.y}\n"
                        "ProblemData: {tend: 3, positions: {q: 0}, velocities: {q: 9}}\n");
    must_agree(a, b, column, 10.0);
    check_work(a);
    solution_free(a);
    solution_free(b);
}

/* A torque in space, in world axes; about a principal axis the angle is a parabola. */
static void test_torque_in_3d_turns_about_its_axis(void **state) {
    (void)state;
    solution *s =
        solve("Dimension: 3\n"
              "PartData:\n"
              "  Rigids: {CAu: {Geom: [[1], [0, 1]], Dyna: [[0], 2, [0.2, 0.3, 0.4]]}}\n"
              "AppliedForces: {Torques: {CAu: [0, 0, 0.6]}}\n"
              "ProblemData: {tend: 5, positions: {C: [0, 0, 0], A: [1, 0, 0], u: [0, 1, 0]}}\n");
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), q = 0.75 * t * t;
        assert_near(value_of(s, i, "Ax"), cos(q), 1e-11, 0.0);
        assert_near(value_of(s, i, "uy"), cos(q), 1e-11, 0.0);
        assert_near(value_of(s, i, "ux"), -sin(q), 1e-11, 0.0);
        assert_near(value_of(s, i, "Cx"), 0.0, 1e-12, 0.0);
    }
    check_work(s);
    solution_free(s);
}

/* ---- springs and dampers in closed form ---- */

/* Without rest length a spring pulls in proportion, through the point where its ends meet. */
static void test_spring_of_rest_length_0_is_harmonic(void **state) {
    (void)state;
    solution *s =
        solve("Dimension: 2\n"
              "PartData: {Fixed: {O: [0, 0]}, Particles: {A: 2}, Springs: {OA: [18, 0]}}\n"
              "ProblemData: {tend: 5, positions: {A: [1, 2]}}\n");
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        assert_near(value_of(s, i, "Ax"), cos(3.0 * t), 1e-11, 0.0);
        assert_near(value_of(s, i, "Ay'"), -6.0 * sin(3.0 * t), 1e-11, 0.0);
    }
    assert_true(stats_of(s)->energy_drift < 1e-12);
    solution_free(s);
}

/* A third of the spring's mass swings with the end; half of its weight hangs on it. */
static void test_spring_with_mass_swings_slower(void **state) {
    (void)state;
    solution *s = solve("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0], y: [0, 1]}\n"
                        "  Collinears: {OyA: s}\n"
                        "  Particles: {A: 0.7}\n"
                        "  Springs: {OA: [40, 1, 0.9]}\n"
                        "AppliedForces: {Gravity: }\n"
                        "ProblemData: {tend: 5, positions: {s: -1}}\n");
    const double omega = sqrt(40.0 / (0.7 + 0.9 / 3.0)), rest = (0.7 + 0.9 / 2.0) * G / 40.0;
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t");
        assert_near(value_of(s, i, "s"), -1.0 - rest * (1.0 - cos(omega * t)), 1e-11, 0.0);
    }
    assert_true(stats_of(s)->energy_drift < 1e-12);
    solution_free(s);
}

static void test_full_damper_slows_exponentially(void **state) {
    (void)state;
    solution *s =
        solve("Dimension: 2\n"
              "PartData:\n"
              "  Fixed: {O: [0, 0]}\n"
              "  Particles: {A: 2}\n"
              "  Dampers: {OA: {c: 3, Full: true}}\n"
              "ProblemData: {tend: 3, positions: {A: [0, 0]}, velocities: {A: [4, -2]}}\n");
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), way = (1.0 - exp(-1.5 * t)) / 1.5;
        assert_near(value_of(s, i, "Ax"), 4.0 * way, 1e-11, 0.0);
        assert_near(value_of(s, i, "Ay"), -2.0 * way, 1e-11, 0.0);
        assert_near(value_of(s, i, "work"), 20.0 * (exp(-3.0 * t) - 1.0), 1e-10, 0.0);
    }
    check_work_to(s, 3e-12); /* work has twice the rate, and does not choose the steps */
    solution_free(s);
}

/* Ground that moves under a spring does work. */
static void test_moving_ground_does_work(void **state) {
    (void)state;
    solution *s = solve("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0.3*sin(4*t), 0], y: [0, 1]}\n"
                        "  Particles: {A: 2}\n"
                        "  SpringDampers: {OA: [50, 1, 0.4]}\n"
                        "AppliedForces: {Gravity: }\n"
                        "ProblemData: {tend: 3, positions: {A: [0, -1]}}\n");
    assert_true(scale_of(s, "work") > 0.1);
    check_work(s);
    solution_free(s);
}

/* ---- tracked angles ---- */

/* A pendulum that spins over, with a second one: angles as unknowns of a Lagrangian never jump. */
static void test_angles_do_not_jump_over_several_turns(void **state) {
    (void)state;
    static const char *const column[] = {"q", "r", "elbow", "q'", "r'", "elbow'", NULL};
    solution *a =
        solve("Dimension: 2\n"
              "PartData:\n"
              "  Fixed: {O: [0, 0]}\n"
              "  Rigids:\n"
              "    OA: {Geom: [[0, 1]], Dyna: [[0, 0.5], 2, 0.2]}\n" /* local x is across */
              "    AB: {Geom: [[0.7]], Dyna: [[0.3], 1, 0.1]}\n"
              "AppliedForces: {Gravity: }\n"
              "Angles: {q: OA, r: AB, elbow: [OA, AB]}\n"
              "ProblemData:\n"
              "  tend: 3\n"
              "  positions: {q: 1, r: -2, A: [-sin(1), cos(1)],\n"
              "              B: [-sin(1) + 0.7*cos(2), cos(1) - 0.7*sin(2)]}\n"
              "  velocities: {q: 14, r: -21}\n"
              "  fixedpositions: {A, B}\n"
              "  fixedvelocities: {q, r}\n");
    solution *b =
        solve("Lagrangian:\n"
              "  Coordinates: [q, r]\n"
              "  Define:\n"
              "    D: \"[-sin(q)/2, cos(q)/2]\"\n"
              "    E: \"[-sin(q) + 0.3*cos(r), cos(q) + 0.3*sin(r)]\"\n"
              "  L: \"dot(D', D') + 0.1*q'^2 + dot(E', E')/2 + 0.05*r'^2 - 9.81*(2*D.y + E.y)\"\n"
              "Outputs: {elbow: r - q + 0}\n"
              "ProblemData: {tend: 3, positions: {q: 1, r: -2}, velocities: {q: 14, r: -21}}\n");
    assert_true(fabs(last_of(a, "q")) > 4.0 * PI);
    assert_true(fabs(last_of(a, "elbow")) > 2.0 * PI);
    must_agree(a, b, column, 10.0);
    solution_free(a);
    solution_free(b);
}

/* An angle starts in (-pi, pi], whatever turn the user thinks of. */
static void test_angles_start_in_the_first_turn(void **state) {
    (void)state;
    static const struct {
        double x, y, angle;
    } start[] = {
        {1, 0, 0}, {0, 1, 0.5}, {-1, 0, 1}, {0, -1, -0.5}, {-0.6, -0.8, -0.70483276469913347}};
    for (size_t k = 0; k < sizeof start / sizeof start[0]; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData: {Fixed: {O: [0, 0]}, Rigids: {OA: {Geom: [[1]], Dyna: [[0], 1, 1]}}}\n"
                 "Angles: {q: OA, p: {From: A, To: [1, 0]}}\n"
                 "ProblemData: {tend: 1, positions: {A: [%g, %g]}, velocities: {q: 20}}\n",
                 start[k].x, start[k].y);
        solution *s = solve(text);
        const double q = start[k].angle * PI;
        assert_near(value_of(s, 0, "q"), q, 1e-14, 0.0);
        if (start[k].angle < 1.0) assert_near(value_of(s, 0, "p"), -q, 1e-14, 0.0);
        assert_near(last_of(s, "q"), q + 20.0, 1e-11, 0.0);
        assert_near(last_of(s, "p") - value_of(s, 0, "p"), -20.0, 1e-11, 0.0);
        solution_free(s);
    }
}

/* Only what is across the axis counts, and the axis need not have length 1. */
static void test_angle_in_3d_is_that_of_the_projection(void **state) {
    (void)state;
    solution *s = solve(
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], k: [0, 0, 1]}\n"
        "  Rigids: {OAk: {Geom: [[0.6, 0, 0.8], [0, 0, 1]], Dyna: [[0], 1, [1, 1, 1]]}}\n"
        "Angles:\n"
        "  q: {From: [1, 0, 0.3], To: A, Axis: k}\n"
        "  p: {From: [1, 0, 0.3], To: A, Axis: [0, 0, 5]}\n"
        "ProblemData: {tend: 4, positions: {A: [0.6, 0, 0.8]}, velocities: {A: [0, 1.8, 0]}}\n");
    for (long i = 0; i < rows_of(s); i++) {
        assert_near(value_of(s, i, "q"), 3.0 * value_of(s, i, "t"), 1e-11, 0.0);
        assert_near(value_of(s, i, "p"), 3.0 * value_of(s, i, "t"), 1e-11, 0.0);
    }
    solution_free(s);
}

/* ---- outputs ---- */

static void test_outputs_of_points_angles_and_forces(void **state) {
    (void)state;
    solution *s = solve("Dimension: 2\n"
                        "PartData:\n"
                        "  Fixed: {O: [0, 0], P: [3, 1]}\n"
                        "  Rigids: {OAM: {Geom: [[1], [0.5, 0.25]], Dyna: [[0.5], 2, 0.2]}}\n"
                        "Angles: {q: OAM}\n"
                        "Drivers: {q: t + t^2}\n"
                        "Outputs:\n"
                        "  reach: norm(P - A)\n"
                        "  turns: q/(2*pi)\n"
                        "  power: force_q*q'\n"
                        "  middle: (A + P)/2\n"
                        "  M_speed: norm(M')\n"
                        "ProblemData: {tend: 3, positions: {A: [1, 0]}}\n");
    for (long i = 0; i < rows_of(s); i++) {
        const double t = value_of(s, i, "t"), q = t + t * t, x = cos(q), y = sin(q);
        const double reach = hypot(3.0 - x, 1.0 - y);
        assert_near(value_of(s, i, "reach"), reach, 1e-11, 0.0);
        assert_near(value_of(s, i, "reach'"),
                    (1.0 + 2.0 * t) * ((3.0 - x) * y - (1.0 - y) * x) / reach, 1e-10, 0.0);
        assert_near(value_of(s, i, "turns"), q / (2.0 * PI), 1e-12, 0.0);
        assert_near(value_of(s, i, "power"), 1.4 * (1.0 + 2.0 * t), 1e-10, 0.0);
        assert_near(value_of(s, i, "middlex"), (x + 3.0) / 2.0, 1e-12, 0.0);
        assert_near(value_of(s, i, "middley"), (y + 1.0) / 2.0, 1e-12, 0.0);
        assert_near(value_of(s, i, "M_speed"), (1.0 + 2.0 * t) * sqrt(0.3125), 1e-11, 0.0);
    }
    solution_free(s);
}

/* The multiplier of a length constraint is the tension: m v^2/l + m g cos, here 3 m g |y| / l from
 * rest at the horizontal. */
static void test_multiplier_of_a_rod_is_its_tension(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-12);
    options.reactions = true;
    solution *s = solve_file("examples/pendulum.yaml", &options);
    for (long i = 0; i < rows_of(s); i++)
        assert_near(value_of(s, i, "lambda1"), -3.0 * 9.81 * value_of(s, i, "Ay"), 1e-9, 0.0);
    solution_free(s);
    options.reactions = false;
    s = solve_file("examples/pendulum.yaml", &options);
    for (int c = 0; c < taut_result_columns(s->result); c++)
        assert_string_not_equal(taut_result_name(s->result, c), "lambda1");
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multiplier_of_a_rod_is_its_tension),
        cmocka_unit_test(test_driven_angle_is_followed_and_its_torque_is_inverse_dynamics),
        cmocka_unit_test(test_driven_scalar_and_coordinate_have_the_force_by_hand),
        cmocka_unit_test(test_driven_distance_has_the_force_by_hand),
        cmocka_unit_test(test_driven_relative_angle_acts_on_both_bodies),
        cmocka_unit_test(test_driven_angle_in_3d_has_the_torque_by_hand),
        cmocka_unit_test(test_spring_written_as_forces_equals_springs),
        cmocka_unit_test(test_dampers_written_as_forces_equal_dampers),
        cmocka_unit_test(test_spring_damper_equals_spring_and_damper),
        cmocka_unit_test(test_loads_of_time_position_velocity_and_angle),
        cmocka_unit_test(test_torque_in_3d_turns_about_its_axis),
        cmocka_unit_test(test_spring_of_rest_length_0_is_harmonic),
        cmocka_unit_test(test_spring_with_mass_swings_slower),
        cmocka_unit_test(test_full_damper_slows_exponentially),
        cmocka_unit_test(test_moving_ground_does_work),
        cmocka_unit_test(test_angles_do_not_jump_over_several_turns),
        cmocka_unit_test(test_angles_start_in_the_first_turn),
        cmocka_unit_test(test_angle_in_3d_is_that_of_the_projection),
        cmocka_unit_test(test_outputs_of_points_angles_and_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
