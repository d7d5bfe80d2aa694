/* Hostile files: mechanisms of very many parts, repetitions, little memory, runs without end. See
 * hostile.h. */
#include "hostile.h"

#include <math.h>

static const char CRANK[] = "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n";

/* ---- mechanisms ---- */

static void test_million_bodies_are_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 0; i < 1000000; i++)
        ADD("    P%dP%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i, i + 1);
    ADD("ProblemData: {t0: 0, tend: 1}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "the file has more than");
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 0; i < MANY; i++)
        ADD("    P%dP%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i, i + 1);
    expect(&file, CHECK, TAUT_ERR_INPUT, "bodies");
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Particles:\n");
    for (int i = 1; i < 2 * MANY; i++) ADD("    P%d: 1\n", i);
    expect(&file, CHECK, TAUT_ERR_INPUT, "points and vectors");
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Springs:\n");
    for (int i = 1; i < 2 * MANY; i++) ADD("    P%dP%d: [1, 1]\n", i % 1000, 1000 + i / 1000);
    expect(&file, CHECK, TAUT_ERR_INPUT, "springs and dampers");
}

static void test_thousands_of_bodies_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    const int bodies = 10000;
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 0; i < bodies; i++)
        ADD("    P%dP%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i, i + 1);
    ADD("ProblemData:\n  t0: 0\n  tend: 1\n  positions:\n");
    for (int i = 1; i <= bodies; i++) ADD("    P%d: [%d, 0]\n", i, i);
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_bodies_at_one_point_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    const int bodies = 10000;
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s", CRANK);
    for (int i = 0; i < bodies; i++) ADD("    AP%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i);
    ADD("ProblemData:\n  t0: 0\n  tend: 1\n  positions:\n    A: [1, 0]\n");
    for (int i = 0; i < bodies; i++) ADD("    P%d: [2, 0]\n", i);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Every point follows the next one; and every body hangs on the next one. */
static void test_chain_of_elements_backwards_ends(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s  Points:\n", CRANK);
    for (int i = 0; i < MANY / 2; i++) ADD("    P%d: P%d + [1, 0]\n", i, i + 1);
    ADD("    P%d: A\nProblemData: {t0: 0, tend: 0.001, positions: {A: [1, 0]}}\n", MANY / 2);
    expect(&file, CHECK, TAUT_ERR_INPUT, "depend on each other");
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 19000; i >= 0; i--)
        ADD("    P%dQ%dP%d: {Geom: [[1], [1, 1]], Dyna: [[0.5], 1, 0.1]}\n", i, i, i + 1);
    ADD("ProblemData: {t0: 0, tend: 1}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "depend on each other");
}

static void test_chain_of_points_forwards_is_read(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s  Points:\n    P0: A\n",
        CRANK);
    for (int i = 1; i < MANY / 2; i++) ADD("    P%d: P%d + [1, 0]\n", i, i - 1);
    ADD("ProblemData: {t0: 0, tend: 0.001, positions: {A: [1, 0]}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_very_many_vectors_are_read(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Rigids:\n%s  Fixed:\n    O: [0, 0]\n", CRANK);
    for (int i = 0; i < 50000; i++) ADD("    v%d: [1, %d]\n", i, i);
    ADD("  Points:\n");
    for (int i = 50000; i < 60000; i++) ADD("    v%d: [Ax + %d, Ay]\n", i, i);
    ADD("ProblemData: {t0: 0, tend: 0.001, positions: {A: [1, 0]}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_very_many_faulty_parts_are_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Springs:\n");
    for (int i = 0; i < MANY; i++) ADD("    OP%d: {}\n", i);
    expect(&file, CHECK, TAUT_ERR_INPUT, "is missing");
}

/* Files of a hundred bytes that say very much. */
static void test_repetitions_are_checked_in_time(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Repeat: {i: 1..100000, \"q{i}\": 1}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "unknown key 'q1'");
    ADD("DAE: {Variables: [x], Equations: [x']}\n"
        "ProblemData: {Repeat: {i: 1..100000, \"q{i}\": 1}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "unknown key 'q1'");
    static const char *const kind[] = {"VelocityConstraints: {Repeat: {i: 1..90000, \"c{i}\": "
                                       "\"u{i}'\"}}",
                                       "Constraints: {Repeat: {i: 1..90000, \"c{i}\": "
                                       "\"u{i} - 1\"}}"};
    for (int i = 0; i < 2; i++) {
        ADD("Lagrangian:\n  Coordinates: {Repeat: {i: 1..90000, \"u{i}\": 1}}\n  L: u1'^2\n  %s\n"
            "ProblemData: {tend: 1}\n",
            kind[i]);
        expect(&file, CHECK, TAUT_OK, NULL);
    }
}

/* Every section that can be long, each entry of which was compared with all others once. */
static void test_long_sections_are_checked_in_time(void **state) {
    (void)state;
    taut_string file = {0};
    static const char dae[] = "DAE: {Variables: [x], Equations: [\"x' - 1\"], Outputs: {%s}}\n%s"
                              "ProblemData: {tend: 1, positions: {x: 0}}\n";
    ADD(dae, "Repeat: {i: 1..100000, \"o{i}\": sin(i*x)}", "");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD(dae, "y: x", "Discrete: {Repeat: {i: 1..100000, \"d{i}\": i}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD(dae, "y: x", "Events: {Repeat: {i: 1..100000, \"e{i}\": {When: x - i, Stop: true}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s"
        "  Points: {Repeat: {i: 1..90000, \"Q{i}\": A + i*A}}\nAngles: {Repeat: {i: 1..40000, "
        "\"a{i}\": OA}}\nProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Chains of bodies whose joints and angles have names. */
static void test_named_joints_are_checked_in_time(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n"
        "    Repeat: {i: 1..20000, \"P{i-1}P{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n"
        "Angles: {Repeat: {i: 1..20000, \"a{i}\": \"P{i-1}P{i}\"}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..20000, \"P{i}\": [i, 0]}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {B0: [0, 0]}\n  Rigids:\n"
        "    Repeat: {i: 1..16000, \"A{i}B{i}\": {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}\n  Joints:\n"
        "    Repeat: {i: 1..16000, \"j{i}\": {Type: revolute, Points: [\"B{i-1}\", \"A{i}\"], "
        "Angle: \"phi{i}\"}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..16000, \"B{i}\": [i, 0]}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* Repetitions of nothing, and of what repeats itself. */
static void test_repetitions_in_repetitions_end(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Repeat: {i: 1..100000, Repeat: {k: 1..100000, Repeat: {l: 1..0, \"q{i}_{k}\": 1}}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "repetition");
    ADD("Repeat: {i: 1..100000, Repeat: {k: 1..100000, Repeat: {l: 1..100000}}}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "repetition");
    ADD("Repeat: {i: 1..100000, \"q{i}\": \"");
    repeat(&file, "a", 50000);
    ADD("{i}\"}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "repetition");
}

/* Where LAPACK is needed: OpenBLAS would ask for its buffer without end. */
static void test_little_memory_is_told(void **state) {
    (void)state;
    static const int megabytes[] = {60, 100, 160, 200};
    if (UNLIMITED) return;
    for (int i = 0; i < 4; i++) {
        taut_string file = {0};
        ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s    OB: {Geom: [[1]], "
            "Dyna: "
            "[[0.5], 1, 0.1]}\n  Joints: {Repeat: {i: 1..80, \"j{i}\": {Type: gear, Coordinates: "
            "[a, b], Ratio: i}}}\nAngles: {a: OA, b: OB}\nProblemData: {tend: 1, positions: "
            "{A: [1, 0], B: [2, 0]}}\n",
            CRANK);
        most_memory = (rlim_t)megabytes[i] << 20;
        expect(&file, RUN, TAUT_ERR_MEMORY, NULL);
    }
    most_memory = 1ul << 30;
}

/* Steps that would never come to the end. */
static void test_endless_runs_are_refused(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("DAE: {Variables: [x], Equations: [\"x' - 1\"]}\n"
        "ProblemData: {tend: 1, maxstep: 1e-300, positions: {x: 0}}\n");
    expect(&file, RUN, TAUT_ERR_CALL, "more than 1e+10 steps");
    ADD("DAE: {Variables: [x], Equations: [\"x' - 1\"]}\n"
        "ProblemData: {tend: 1e300, positions: {x: 0}}\n");
    expect(&file, RUN, TAUT_ERR_CALL, "times are between");
}

/* Bodies that share a point: each gets one of its own, with its initial values. */
static void test_shared_joints_that_break_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids: {Repeat: {i: 1..16000, \"b{i}\": "
        "{Elements: [O, \"E{i}\"], Geom: [[1]], Dyna: [[0.5], 1, 0.1]}}}\n"
        "Breaks: {Repeat: {i: 1..16000, \"k{i}\": {Joint: \"ground-b{i}\", When: t > i}}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..16000, \"E{i}\": [1, 0]}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
}

static void test_many_springs_are_checked(void **state) {
    (void)state;
    taut_string file = {0};
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Particles: {Repeat: {i: 1..20000, "
        "\"P{i}\": 1}}\n  Springs: {Repeat: {i: 2..20000, \"s{i}\": {Elements: [\"P{i-1}\", "
        "\"P{i}\"], k: 1, l: 1}}}\n"
        "ProblemData: {tend: 1, positions: {Repeat: {i: 1..20000, \"P{i}\": [i, 0]}}}\n");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n%s  TorsionSprings: {Repeat: "
        "{i: 1..40000, \"s{i}\": {Angle: \"a{i}\", k: 1}}}\nAngles: {Repeat: {i: 1..40000, "
        "\"a{i}\": OA}}\nProblemData: {tend: 1, positions: {A: [1, 0]}}\n",
        CRANK);
    expect(&file, CHECK, TAUT_OK, NULL);
}

/* A closed surface of many triangles. */
static void write_surface(const char *path, int n, bool filled) {
    taut_string file = {0};
    ADD("v 0 0 1\nv 0 0 -1\n");
    for (int i = 0; i < n; i++)
        ADD("v %.9g %.9g 0\n", cos(6.283185307 * i / n), sin(6.283185307 * i / n));
    for (int i = 0; i < n; i++) {
        const int a = 3 + i, b = 3 + (i + 1) % n;
        ADD("f 1 %d %d\nf 2 %d %d\n", a, b, b, a);
    }
    ADD("#");
    for (int i = 0; filled && i < 600; i++) ADD("%100000s", "");
    assert_false(file.failed);
    program_write(path, file.text, (long)file.length);
    taut_string_release(&file);
}

/* One surface that very many bodies have, turned and with masses; and many large files. */
static void test_many_surfaces_are_checked(void **state) {
    (void)state;
    static const char model[] =
        "Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0]}\n  Rigids: {Repeat: {i: 1..%d, \"b{i}\": "
        "{Elements: [\"P{i}\", \"u{i}\", \"v{i}\"], Geom: [[0, 0, 1], [1, 0, 0]], %s}}}\n"
        "ProblemData: {tend: 1}\n";
    taut_string file = {0};
    write_surface("s.obj", 40000, false);
    ADD(model, 2000,
        "Dyna: [[0, 0, 0], 1, [1, 1, 1]], Mesh: {File: s.obj, Axes: [[1, i, 0], [-i, 1, 0]]}");
    expect(&file, CHECK, TAUT_OK, NULL);
    ADD(model, 2000, "Shape: {Type: mesh, Density: i}, Mesh: {File: s.obj}");
    expect(&file, CHECK, TAUT_OK, NULL);
    write_surface("f.obj", 3, true);
    ADD("Dimension: 3\nPartData:\n  Fixed: {O: [0, 0, 0]}\n  Rigids:\n");
    for (int i = 1; i <= 6; i++)
        ADD("    b%d: {Elements: [P%d, u%d, v%d], Geom: [[0, 0, 1], [1, 0, 0]], Dyna: [[0, 0, 0], "
            "1, [1, 1, 1]], Mesh: {File: \"%.*sf.obj\"}}\n",
            i, i, i, i, 2 * i, "././././././");
    ADD("ProblemData: {tend: 1}\n");
    expect(&file, CHECK, TAUT_ERR_INPUT, "tables and meshes have more than 256 MB in all");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        HOSTILE(test_repetitions_are_checked_in_time),
        HOSTILE(test_long_sections_are_checked_in_time),
        HOSTILE(test_named_joints_are_checked_in_time),
        HOSTILE(test_repetitions_in_repetitions_end),
        HOSTILE(test_little_memory_is_told),
        HOSTILE(test_endless_runs_are_refused),
        HOSTILE(test_million_bodies_are_refused),
        HOSTILE(test_thousands_of_bodies_are_checked),
        HOSTILE(test_bodies_at_one_point_are_checked),
        HOSTILE(test_chain_of_elements_backwards_ends),
        HOSTILE(test_chain_of_points_forwards_is_read),
        HOSTILE(test_very_many_vectors_are_read),
        HOSTILE(test_very_many_faulty_parts_are_refused),
        HOSTILE(test_shared_joints_that_break_are_checked),
        HOSTILE(test_many_springs_are_checked),
        HOSTILE(test_many_surfaces_are_checked),
    };
    return cmocka_run_group_tests(tests, program_enter, program_leave);
}
