/* Natural coordinates: as few of them and of constraints as the papers have, frames and inertias in
 * any local axes, nothing twice; and large files. */
#include "agree.h"

#include "program.h"

/* ---- counts ---- */

/* How many names the list of a key has in the JSON of an analysis. */
static int count_names(const char *json, const char *key) {
    char start[60];
    snprintf(start, sizeof start, "\"%s\": [", key);
    const char *p = strstr(json, start);
    assert_non_null(p);
    int quotes = 0;
    for (p += strlen(start); *p != ']'; p++) quotes += *p == '"';
    return quotes / 2;
}

static void check_counts(taut_model *model, const char *name, int coordinates, int constraints) {
    char *json = NULL;
    taut_errors errors = {0};
    if (taut_analyze(model, true, &json, &errors) != TAUT_OK) show_errors(&errors);
    assert_non_null(json);
    if (count_names(json, "coordinates") > coordinates ||
        count_names(json, "constraints") > constraints)
        fail_msg("%s: %d coordinates and %d constraints, not %d and %d", name,
                 count_names(json, "coordinates"), count_names(json, "constraints"), coordinates,
                 constraints);
    taut_text_free(&json);
    taut_model_free(&model);
}

/* The counts of the papers, or fewer. */
static void test_examples_have_few_coordinates_and_constraints(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int coordinates, constraints;
    } list[] = {{"four-bar-1", 4, 3},   {"four-bar-2", 6, 5},   {"four-bar-40", 82, 81},
                {"slider-crank", 3, 2}, {"copy-machine", 3, 1}, {"mcpherson", 6, 4},
                {"bricard", 12, 11},    {"five-link", 12, 10},  {"rscr", 7, 6},
                {"robot", 18, 12}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char path[512];
        taut_model *model = NULL;
        snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, list[i].name);
        assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
        check_counts(model, list[i].name, list[i].coordinates, list[i].constraints);
    }
}

/* A vector that three bodies have gets its length once: 4 lengths and 3 right angles. */
static void test_constraints_of_shared_elements_are_not_repeated(void **state) {
    (void)state;
    check_counts(
        read_text("Dimension: 3\n"
                  "PartData:\n"
                  "  Fixed: {O: [0, 0, 0]}\n"
                  "  Rigids:\n"
                  "    OAu: {Geom: [[1], [0, 1]], Dyna: [[0.5], 1, 1]}\n"
                  "    ABu: {Geom: [[1], [0, 1]], Dyna: [[0.5], 1, 1]}\n"
                  "    BCu: {Geom: [[1], [0, 1]], Dyna: [[0.5], 1, 1]}\n"
                  "ProblemData: {tend: 1, positions: {A: [1, 0, 0], B: [2, 0, 0], C: [3, 0, 0],"
                  " u: [0, 1, 0]}}\n"),
        "chain with one vector", 12, 7);
}

/* Fixed directions, points on fixed lines and points by formulas bring nothing or one scalar. */
static void test_what_can_be_assigned_is_no_coordinate(void **state) {
    (void)state;
    check_counts(
        read_text("Dimension: 3\n"
                  "PartData:\n"
                  "  Fixed: {O: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}\n"
                  "  Rigids:\n"
                  "    OAzB: {Geom: [[1], [0, 0, 1], [0, 1]], Dyna: [[0.5], 1, [0, 1, 1]]}\n"
                  "  Collinears: {OxC: s}\n"
                  "  Particles: {C: 1, D: 2}\n"
                  "  Points: {D: B + C}\n"
                  "ProblemData: {tend: 1, positions: {A: [1, 0, 0], s: 2}}\n"),
        "assigned points", 4, 2);
}

/* ---- frames in any local axes ---- */

typedef struct rotation {
    double r[3][3];
} rotation;

/* A rotation by Euler's angles. */
static rotation rotation_by(double p, double q, double s) {
    const double cp = cos(p), sp = sin(p), cq = cos(q), sq = sin(q), cs = cos(s), ss = sin(s);
    return (rotation){{{cp * cs - sp * cq * ss, -cp * ss - sp * cq * cs, sp * sq},
                       {sp * cs + cp * cq * ss, -sp * ss + cp * cq * cs, -cp * sq},
                       {sq * ss, sq * cs, cq}}};
}

/* Writes [x, y, z] of a turned vector. */
static const char *turned(const rotation *R, double x, double y, double z, char *text) {
    const double v[3] = {x, y, z};
    double w[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) w[i] += R->r[i][k] * v[k];
    snprintf(text, 100, "[%.17g, %.17g, %.17g]", w[0], w[1], w[2]);
    return text;
}

/* Writes R J R', made symmetric to the last digit. */
static const char *turned_inertia(const rotation *R, const double J[3][3], char *text) {
    double w[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) w[i][k] += R->r[i][a] * J[a][b] * R->r[k][b];
            w[k][i] = w[i][k];
        }
    snprintf(text, 400, "[[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]",
             w[0][0], w[0][1], w[0][2], w[1][0], w[1][1], w[1][2], w[2][0], w[2][1], w[2][2]);
    return text;
}

/* A body that hangs on O with a second one on its dependent point D and vector w, its data in local
 * axes turned by R. order: which of its elements make the frame. */
static void write_body(const rotation *R, const char *order, char *text, size_t size) {
    static const double J[3][3] = {{0.5, 0.05, -0.02}, {0.05, 0.4, 0.03}, {-0.02, 0.03, 0.6}};
    static const struct {
        char name;
        double x, y, z;
    } element[] = {{'A', 1.0, 0.2, 0.1},
                   {'B', 0.3, 0.9, 0.0},
                   {'u', 0.6, 0.0, 0.8},
                   {'D', 0.5, 0.4, -1},
                   {'w', 0.0, 0.6, 0.8}};
    char geom[600] = "", one[100], centroid[100], inertia[400];
    for (const char *p = order; *p; p++)
        for (int k = 0; k < 5; k++)
            if (element[k].name == *p) {
                const size_t used = strlen(geom);
                snprintf(geom + used, sizeof geom - used, "%s%s", used ? ", " : "",
                         turned(R, element[k].x, element[k].y, element[k].z, one));
            }
    snprintf(
        text, size,
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0]}\n"
        "  Rigids:\n"
        "    O%s: {Geom: [%s], Dyna: [%s, 2, %s]}\n"
        "    DEw: {Geom: [[0.8, 0, 0], [0, 1]], Dyna: [[0.4, 0.1, 0], 1, [0.1, 0.2, 0.15]]}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData:\n"
        "  tend: 1\n"
        "  positions: {A: [1, 0.2, 0.1], B: [0.3, 0.9, 0], u: [0.6, 0, 0.8], w: [0, 0.6, 0.8],\n"
        "              D: [0.5, 0.4, -1], E: [1.3, 0.4, -1]}\n"
        "  fixedpositions: {A, B}\n" /* omega = (0, 0, 1) */
        "  velocities: {A: [-0.2, 1, 0], B: [-0.9, 0.3, 0], u: [0, 0.6, 0], w: [-0.6, 0, 0],\n"
        "               D: [-0.4, 0.5, 0], E: [-0.4, 1.3, 0]}\n",
        order, geom, turned(R, 0.4, 0.3, -0.2, centroid), turned_inertia(R, J, inertia));
}

static const char *const BODY_COLUMNS[] = {"Ax", "Ay", "Bz",  "ux",  "Dx",  "Dz",     "wy",
                                           "Ex", "Ez", "Bx'", "wz'", "Ey'", "energy", NULL};

/* Any local axes give the same motion, to 12 digits. */
static void test_local_axes_do_not_matter(void **state) {
    (void)state;
    static const double angle[][3] = {{0.3, 0.7, -1.1}, {2.0, 1.5, 0.4}, {-1.0, 2.9, 3.0}};
    const taut_run_options options = at_tolerance(1e-13);
    const rotation none = rotation_by(0.0, 0.0, 0.0);
    char text[3000];
    write_body(&none, "ABuDw", text, sizeof text);
    solution *plain = solve_text(text, &options);
    for (int k = 0; k < 3; k++) {
        const rotation R = rotation_by(angle[k][0], angle[k][1], angle[k][2]);
        write_body(&R, "ABuDw", text, sizeof text);
        solution *other = solve_text(text, &options);
        must_agree(other, plain, BODY_COLUMNS, 12.0);
        solution_free(other);
    }
    solution_free(plain);
}

/* Nor does it matter which elements make the frame: points, vectors or both. */
static void test_choice_of_the_frame_does_not_matter(void **state) {
    (void)state;
    static const char *const order[] = {"BAuDw", "AuBDw", "uwABD", "wuDBA", "DwABu"};
    const taut_run_options options = at_tolerance(1e-13);
    const rotation R = rotation_by(0.3, 0.7, -1.1);
    char text[3000];
    write_body(&R, "ABuDw", text, sizeof text);
    solution *plain = solve_text(text, &options);
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        write_body(&R, order[k], text, sizeof text);
        solution *other = solve_text(text, &options);
        must_agree(other, plain, BODY_COLUMNS, 11.5);
        solution_free(other);
    }
    solution_free(plain);
}

/* The same in the plane, with the frame from a point or from a vector. */
static void test_local_axes_do_not_matter_in_2d(void **state) {
    (void)state;
    static const char *const column[] = {"Ax", "Ay",  "Bx",  "By",     "ux",
                                         "Cx", "By'", "Cy'", "energy", NULL};
#define TURNED(x, y) "[" x "*c - " y "*s, " x "*s + " y "*c]"
#define FLAT(body)                                                                                 \
    "PhysicalParams: {a: 0.9, c: cos(a), s: sin(a)}\n"                                             \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0]}\n"                                                                       \
    "  Rigids:\n"                                                                                  \
    "    " body "\n"                                                                               \
    "    BC: {Geom: [[0, -0.5]], Dyna: [[0, -0.3], 1, 0.05]}\n"                                    \
    "AppliedForces: {Gravity: }\n"                                                                 \
    "ProblemData: {tend: 1.5, positions: {A: [1, 0], B: [0.4, 0.3], u: [0.8, 0.6], C: [0.9, "      \
    "0.3]}}\n"
    const char *plain =
        FLAT("OABu: {Geom: [[1, 0], [0.4, 0.3], [0.8, 0.6]], Dyna: [[0.5, 0.1], 2, 0.3]}");
    texts_must_agree(FLAT("OABu: {Geom: [" TURNED("1", "0") ", " TURNED("0.4", "0.3") ", " TURNED(
                         "0.8", "0.6") "], Dyna: [" TURNED("0.5", "0.1") ", 2, 0.3]}"),
                     plain, column, 12.0);
    texts_must_agree(FLAT("OuAB: {Geom: [" TURNED("0.8", "0.6") ", " TURNED("1", "0") ", " TURNED(
                         "0.4", "0.3") "], Dyna: [" TURNED("0.5", "0.1") ", 2, 0.3]}"),
                     plain, column, 12.0);
}

/* A direction by a formula has length 1, like every vector. */
static void test_vector_by_a_formula_has_length_1(void **state) {
    (void)state;
    const taut_run_options options = at_tolerance(1e-13);
    solution *s = solve_text("Dimension: 2\n"
                             "PartData:\n"
                             "  Fixed: {O: [0, 0]}\n"
                             "  Rigids: {OA: {Geom: [[2]], Dyna: [[1], 1, 0.3]}}\n"
                             "  Points:\n"
                             "    v: A - O\n"
                             "    w: [-vy, vx]\n"
                             "  Collinears: {AwB: s}\n"
                             "  Particles: {B: 1}\n"
                             "AppliedForces: {Gravity: }\n"
                             "ProblemData: {tend: 1, positions: {A: [2, 0], s: 0.5}}\n",
                             &options);
    for (long i = 0; i < rows_of(s); i++) {
        const double x = value_of(s, i, "Ax"), y = value_of(s, i, "Ay");
        assert_near(value_of(s, i, "vx"), x / 2.0, 1e-13, 0.0);
        assert_near(value_of(s, i, "wx"), -y / 2.0, 1e-13, 0.0);
        assert_near(value_of(s, i, "Bx"), x - value_of(s, i, "s") * y / 2.0, 1e-12, 0.0);
    }
    assert_true(stats_of(s)->energy_drift < 1e-12);
    solution_free(s);
}

/* ---- large files ---- */

static void test_check_of_2000_bodies(void **state) {
    (void)state;
    enum { BODIES = 2000, SIZE = 400 * BODIES };
    char *text = malloc(SIZE);
    size_t used;
    program_result r;
    assert_non_null(text);
    used = (size_t)snprintf(text, SIZE,
                            "Dimension: 3\nPartData:\n  Fixed: {P0: [0, 0, 0]}\n  Rigids:\n");
    for (int i = 1; i <= BODIES; i++)
        used += (size_t)snprintf(
            text + used, SIZE - used,
            "    P%dP%du%d: {Geom: [[1], [0, 1]], Dyna: [[0.5], 1, [0.1, 0.2, 0.2]]}\n", i - 1, i,
            i);
    used += (size_t)snprintf(text + used, SIZE - used, "ProblemData:\n  tend: 1\n  positions:\n");
    for (int i = 1; i <= BODIES; i++)
        used += (size_t)snprintf(text + used, SIZE - used,
                                 "    P%d: [%d, 0, 0]\n    u%d: [0, 1, 0]\n", i, i, i);
    assert_true(used < SIZE);
    program_write("big.yaml", text, -1);
    free(text);
    program_call(&r, "check big.yaml");
    if (r.code != 0) fail_msg("%s", r.err);
    program_release(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_have_few_coordinates_and_constraints),
        cmocka_unit_test(test_constraints_of_shared_elements_are_not_repeated),
        cmocka_unit_test(test_what_can_be_assigned_is_no_coordinate),
        cmocka_unit_test(test_local_axes_do_not_matter),
        cmocka_unit_test(test_choice_of_the_frame_does_not_matter),
        cmocka_unit_test(test_local_axes_do_not_matter_in_2d),
        cmocka_unit_test(test_vector_by_a_formula_has_length_1),
        cmocka_unit_test_setup_teardown(test_check_of_2000_bodies, program_enter, program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
