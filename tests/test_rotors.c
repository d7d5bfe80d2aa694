/* Rotors on coordinates, chains of joints, inertias about other points and along other axes, bodies
 * without points of their own: in every formulation as a Lagrangian by hand says. */
#include "agree.h"

/* A body with all products of inertia on two hinges through one point, about z and then about x,
 * each with a rotor. J is given along axes turned by an angle with cosine 0.6, about the pivot. */
#define PARAMETERS                                                                                 \
    "PhysicalParams: {m: 2, cx: 0.3, cy: -0.2, cz: -0.4, Jx: 1.6, Jy: 1.5, Jz: 1.3, Jxy: 0.11, "   \
    "Jxz: -0.07, Jyz: 0.05, Ra: 0.3, Rb: 0.2, g: 9.81, h: 2}\n"
#define GIMBAL_START                                                                               \
    "ProblemData: {tend: 1, positions: {a: 0.4, b: 0.7}, velocities: {a: 1.5, b: -0.8}}\n"
static const char GIMBAL[] =
    PARAMETERS "Dimension: 3\n"
               "PartData:\n"
               "  Fixed: {P: [0, 0, 0], u: [1, 0, 0], m1: [0, 1, 0]}\n"
               "  Rigids:\n"
               "    top: {Elements: [], Dyna: {Mass: m, Centre: [cx, cy, cz], About: O_top,\n"
               "      Inertia: [[Jx, Jxy, Jxz], [Jxy, Jy, Jyz], [Jxz, Jyz, Jz]],\n"
               "      Axes: [[0.6, 0.8, 0], [-0.8, 0.6, 0]]}}\n"
               "  Chains:\n"
               "    hub: {Points: [P, O_top], Axes: [u, x_top], Normals: [m1, y_top],\n"
               "      Steps: {a: {Turn: [0, 0, 1]}, b: {Turn: [2, 0, 0]}}}\n"
               "  Armature: {a: Ra, b: Rb}\n"
               "AppliedForces: {Gravity: [h, 0, -g]}\n" GIMBAL_START;
/* w = (b', a' sin b, a' cos b) in the body; e = 0.6 x + 0.8 y, f = -0.8 x + 0.6 y */
static const char GIMBAL_BY_HAND[] = PARAMETERS
    "Lagrangian:\n"
    "  Coordinates: [a, b]\n"
    "  Define: {we: 0.6*b' + 0.8*a'*sin(b), wf: -0.8*b' + 0.6*a'*sin(b), wz: a'*cos(b),\n"
    "    X: cos(a)*cx - sin(a)*(cos(b)*cy - sin(b)*cz), Z: sin(b)*cy + cos(b)*cz}\n"
    "  L: (Jx*we^2 + Jy*wf^2 + Jz*wz^2)/2 + Jxy*we*wf + Jxz*we*wz + Jyz*wf*wz\n"
    "    + Ra*a'^2/2 + Rb*b'^2/2 + m*h*X - m*g*Z\n" GIMBAL_START;

/* Two slides and a turn about an axis beside the body's origin. */
#define SLED_START                                                                                 \
    "ProblemData: {tend: 1, positions: {x: 0.1, z: -0.2, p: 0.5},\n"                               \
    "  velocities: {x: 1, z: 0.5, p: -2}}\n"
static const char SLED[] =
    "Dimension: 3\n"
    "PartData:\n"
    "  Fixed: {P: [1, 2, 3], u: [0, 0, 1], m1: [1, 0, 0]}\n"
    "  Rigids:\n"
    "    sled: {Elements: [Q, e, f, A], Geom: [[0, 0, 1], [1, 0, 0], [0.5, 0.1, 0.2]],\n"
    "      Dyna: {Mass: 2, Centre: [0.3, 0.1, 0.2], Inertia: [0.4, 0.5, 0.3], About: [0.1, 0, "
    "0]}}\n"
    "  Chains:\n"
    "    root: {Points: [P, Q], Axes: [u, e], Normals: [m1, f], Steps: {x: {Slide: [1, 0, 0]},\n"
    "      z: {Slide: [0, 0, 1]}, p: {Turn: [0, 1, 0], At: [0.2, 5, -0.3]}}}\n"
    "  Armature: {x: 0.7, p: 0.05}\n"
    "AppliedForces: {Gravity: 9.81, Forces: {A: [3, 0, 1]}}\n" SLED_START;
/* the centre is at (0.1, 0.5) from the axis, A at (0.3, 0.5): I = 0.5 - 2 (0.2^2 + 0.2^2) */
static const char SLED_BY_HAND[] =
    "Lagrangian:\n"
    "  Coordinates: [x, z, p]\n"
    "  Define: {X: x + cos(p)*0.1 + sin(p)*0.5, Z: z - sin(p)*0.1 + cos(p)*0.5,\n"
    "    AX: x + cos(p)*0.3 + sin(p)*0.5, AZ: z - sin(p)*0.3 + cos(p)*0.5}\n"
    "  L: X'^2 + Z'^2 + (0.5 - 2*0.08)*p'^2/2 + 0.7*x'^2/2 + 0.05*p'^2/2 - 2*9.81*Z + 3*AX + "
    "AZ\n" SLED_START;

/* A slide along an axis of the ground and a turn: the distance is a coordinate of the link between
 * them, which has no mass; its values are all that says where the body begins. */
#define LIFT_START                                                                                 \
    "ProblemData: {tend: 1, positions: {s: 0.1, a: 0.4}, velocities: {s: 0.5, a: 1},\n"            \
    "  fixedvelocities: [s, a]}\n"
static const char LIFT[] =
    "Dimension: 3\n"
    "PartData:\n"
    "  Fixed: {P: [0, 0, 0], u: [1, 0, 0], m1: [0, 1, 0]}\n"
    "  Rigids:\n"
    "    top: {Elements: [], Dyna: {Mass: 2, Centre: [0.3, 0, 0.1], Inertia: [0.1, 0.2, 0.2]}}\n"
    "  Chains:\n"
    "    hub: {Points: [P, O_top], Axes: [u, x_top], Normals: [m1, y_top],\n"
    "      Steps: {s: {Slide: [0, 0, 1]}, a: {Turn: [0, 1, 0]}}}\n"
    "AppliedForces: {Gravity: 9.81}\n" LIFT_START;
static const char LIFT_BY_HAND[] =
    "Lagrangian:\n"
    "  Coordinates: [s, a]\n"
    "  Define: {X: 0.3*cos(a) + 0.1*sin(a), Z: s - 0.3*sin(a) + 0.1*cos(a)}\n"
    "  L: X'^2 + Z'^2 + 0.1*a'^2 - 2*9.81*Z\n" LIFT_START;

/* Two turns without rotors about axes that cross: nothing but they say where the link begins. */
#define FORK_START "ProblemData: {tend: 1, positions: {p: 0.3, q: 0.2}, velocities: {p: 1, q: 2}}\n"
static const char FORK[] =
    "Dimension: 3\n"
    "PartData:\n"
    "  Fixed: {P: [0, 0, 0], u: [1, 0, 0], m1: [0, 1, 0]}\n"
    "  Rigids:\n"
    "    top: {Elements: [], Dyna: {Mass: 2, Centre: [0.1, 0.2, 0.1], Inertia: [0.1, 0.15, 0.2]}}\n"
    "  Chains:\n"
    "    hub: {Points: [P, O_top], Axes: [u, x_top], Normals: [m1, y_top],\n"
    "      Steps: {p: {Turn: [1, 0, 0]}, q: {Turn: [0, 1, 0]}}}\n"
    "AppliedForces: {Gravity: 9.81}\n" FORK_START;
/* w = (p' cos q, q', p' sin q) in the body; the link's y and z after the first turn */
static const char FORK_BY_HAND[] =
    "Lagrangian:\n"
    "  Coordinates: [p, q]\n"
    "  Define: {A: 0.1*cos(q) + 0.1*sin(q), B: 0.1*cos(q) - 0.1*sin(q),\n"
    "    Y: 0.2*cos(p) - B*sin(p), Z: 0.2*sin(p) + B*cos(p)}\n"
    "  L: A'^2 + Y'^2 + Z'^2 + (0.1*(p'*cos(q))^2 + 0.15*q'^2 + 0.2*(p'*sin(q))^2)/2\n"
    "    - 2*9.81*Z\n" FORK_START;

/* In the plane: a slider with a rotor, two rods, the second on a relative angle with a rotor. */
#define ARM_START                                                                                  \
    "ProblemData: {tend: 1, positions: {s: 0.2, p: -0.3, q: 0.8}, velocities: {s: 0.4, p: 1,\n"    \
    "  q: 2}, fixedvelocities: [s, p, q]}\n"
static const char ARM[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], u: [1, 0]}\n"
    "  Rigids:\n"
    "    cart: {Elements: [C, v], Geom: [[1, 0]], Dyna: {Mass: 3, Inertia: 1}}\n"
    "    one: {Elements: [A, B], Geom: [[1, 0]], Dyna: {Mass: 2, Centre: [0.4, 0.1], Inertia: 0.9, "
    "About: A}}\n"
    "    two: {Elements: [D], Dyna: {Mass: 1, Centre: [0.5, 0], Inertia: 0.1}}\n"
    "  Joints:\n"
    "    rail: {Type: prismatic, Points: [O, C], Axes: [u, v], Distance: s}\n"
    "    hip: {Type: revolute, Points: [C, A], Angle: p}\n"
    "    knee: {Type: revolute, Points: [B, D], Angle: q}\n"
    "  Armature: {s: 0.6, p: 0.2, q: 0.4}\n"
    "AppliedForces: {Gravity: 9.81}\n" ARM_START;
static const char ARM_BY_HAND[] =
    "Lagrangian:\n"
    "  Coordinates: [s, p, q]\n"
    "  Define: {X: s + 0.4*cos(p) - 0.1*sin(p), Y: 0.4*sin(p) + 0.1*cos(p),\n"
    "    U: s + cos(p) + 0.5*cos(p + q), V: sin(p) + 0.5*sin(p + q)}\n"
    "  L: (3 + 0.6)*s'^2/2 + X'^2 + Y'^2 + (0.9 - 2*0.17)*p'^2/2 + (U'^2 + V'^2)/2\n"
    "    + 0.1*(p' + q')^2/2 + 0.2*p'^2/2 + 0.4*q'^2/2 - 9.81*(2*Y + V)\n" ARM_START;

/* A closed loop: a four-bar linkage, its rotor on the angle between coupler and rocker. */
#define BARS_START                                                                                 \
    "ProblemData: {tend: 1, positions: {p: 1.2, q: 0.4, r: 1.5}, velocities: {p: 2},\n"            \
    "  fixedpositions: [p], fixedvelocities: [p]}\n"
static const char BARS[] =
    "Dimension: 2\n"
    "PartData:\n"
    "  Fixed: {O: [0, 0], Q: [2, 0]}\n"
    "  Rigids:\n"
    "    OA: {Geom: [[1]], Dyna: {Mass: 1, Centre: [0.5], Inertia: 1/3, About: O}}\n"
    "    AB: {Geom: [[2]], Dyna: [[1], 2, 0.7]}\n"
    "    QB: {Geom: [[1.5]], Dyna: [[0.7], 1, 0.2]}\n"
    "  Armature: {k: 0.5}\n"
    "Angles: {p: OA, q: AB, r: QB, k: [AB, QB]}\n"
    "AppliedForces: {Gravity: 9.81}\n" BARS_START;
static const char BARS_BY_HAND[] =
    "Lagrangian:\n"
    "  Coordinates: [p, q, r]\n"
    "  Define: {X: cos(p) + cos(q), Y: sin(p) + sin(q)}\n"
    "  L: p'^2/6 + X'^2 + Y'^2 + 0.7*q'^2/2 + (0.2 + 0.49)*r'^2/2 + 0.5*(r' - q')^2/2\n"
    "    - 9.81*(0.5*sin(p) + 2*Y + 0.7*sin(r))\n"
    "  Constraints: [cos(p) + 2*cos(q) - 2 - 1.5*cos(r), sin(p) + 2*sin(q) - "
    "1.5*sin(r)]\n" BARS_START;

typedef struct pair {
    const char *name, *model, *by_hand, *column[8];
} pair;

static const pair PAIR[] = {
    {"two hinges", GIMBAL, GIMBAL_BY_HAND, {"a", "a'", "b", "b'", "energy"}},
    {"two slides and a hinge", SLED, SLED_BY_HAND, {"x", "x'", "z", "z'", "p", "p'"}},
    {"a slide and a hinge", LIFT, LIFT_BY_HAND, {"s", "s'", "a", "a'", "energy"}},
    {"two hinges that cross", FORK, FORK_BY_HAND, {"p", "p'", "q", "q'", "energy"}},
    {"arm in the plane", ARM, ARM_BY_HAND, {"s", "s'", "p", "p'", "q", "q'", "energy"}},
    {"four bars", BARS, BARS_BY_HAND, {"p", "p'", "q", "q'", "r", "r'"}},
};

/* The worst difference of two columns, over the scale of the second. */
static double difference(const solution *a, const solution *b, const char *column) {
    double worst = 0.0;
    for (long i = 0; i < rows_of(a); i++)
        worst = fmax(worst, fabs(value_of(a, i, column) - value_of(b, i, column)));
    return worst / fmax(1.0, scale_of(b, column));
}

static void test_moves_as_a_lagrangian_by_hand(void **state) {
    (void)state;
    const taut_run_options plain = at_tolerance(1e-14);
    for (size_t k = 0; k < sizeof PAIR / sizeof *PAIR; k++) {
        solution *exact = solve_text(PAIR[k].by_hand, &plain);
        for (int f = 0; taut_formulation_name(f); f++) {
            taut_run_options options = at_tolerance(1e-14);
            options.formulation = taut_formulation_name(f);
            solution *s = solve_text(PAIR[k].model, &options);
            assert_int_equal(rows_of(s), rows_of(exact));
            for (int i = 0; PAIR[k].column[i]; i++) {
                const double off = difference(s, exact, PAIR[k].column[i]);
                if (!(off < 1e-11))
                    fail_msg("%s, %s, %s: off by %.3g", PAIR[k].name, options.formulation,
                             PAIR[k].column[i], off);
            }
            solution_free(s);
        }
        solution_free(exact);
    }
}

/* Reactions of a chain and of a rotor: the balance of one body by hand. A rod on a pin with a rotor
 * at rest: what the pin carries is m (g - a), and no torque about its own axis. */
static void test_a_rotor_loads_its_pin(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-13);
    const double at = 0.0;
    options.reactions = true;
    options.at = &at;
    options.ats = 1;
    for (int f = 0; taut_formulation_name(f); f++) {
        options.formulation = taut_formulation_name(f);
        solution *s = solve_text("Dimension: 2\n"
                                 "PartData:\n"
                                 "  Fixed: {O: [0, 0]}\n"
                                 "  Rigids: {one: {Elements: [A, B], Geom: [[1]],\n"
                                 "    Dyna: {Mass: 2, Centre: [0.5], Inertia: 0.7, About: A}}}\n"
                                 "  Joints: {pin: {Type: revolute, Points: [O, A], Angle: p}}\n"
                                 "  Armature: {p: 0.3}\n"
                                 "AppliedForces: {Gravity: 10}\n"
                                 "ProblemData: {tend: 1, positions: {p: 0}}\n",
                                 &options);
        /* p'' = -10/(0.7 + 0.3): the centre falls with 5, the pin carries 2 (10 - 5) */
        assert_near(fabs(value_of(s, 0, "pin.Fy")), 10.0, 1e-11, 0.0);
        assert_near(value_of(s, 0, "pin.Fx"), 0.0, 1e-11, 0.0);
        assert_near(value_of(s, 0, "energy"), 0.0, 1e-14, 0.0);
        solution_free(s);
    }
}

/* A body with 300 points is as one with two; points are where they should be. */
static void test_a_body_has_many_points(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    static char text[40000];
    int n = snprintf(
        text, sizeof text,
        "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n    rod: {Elements: [O");
    for (int i = 1; i < 300; i++) n += snprintf(text + n, sizeof text - (size_t)n, ", P%d", i);
    n += snprintf(text + n, sizeof text - (size_t)n, "],\n      Geom: [[1]");
    for (int i = 2; i < 300; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, ", [%d/100, 0.5]", i);
    snprintf(text + n, sizeof text - (size_t)n,
             "],\n      Dyna: [[0.5], 2, 0.3]}\nAppliedForces: {Gravity: 9.81}\n"
             "ProblemData: {tend: 1, positions: {P1: [1, 0]}}\n");
    solution *s = solve_text(text, &options);
    const long last = rows_of(s) - 1;
    const double x = value_of(s, last, "P1x"), y = value_of(s, last, "P1y");
    assert_near(value_of(s, last, "P299x"), 2.99 * x - 0.5 * y, 1e-12, 0.0);
    assert_near(value_of(s, last, "P299y"), 2.99 * y + 0.5 * x, 1e-12, 0.0);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves_as_a_lagrangian_by_hand),
                                       cmocka_unit_test(test_a_rotor_loads_its_pin),
                                       cmocka_unit_test(test_a_body_has_many_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
