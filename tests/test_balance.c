/* The sums of forces and moments on every body, in every example: see balance.h. */
#include "balance.h"

#include <dirent.h>

/* Elements that are formulas of others, by hand: component i is the sum of weight * turn[i] times
 * that of the sources. */
static const struct {
    const char *file, *element;
    const char *source[3]; /* elements; or a body that has the point in fact */
    double weight[3], turn[3];
} FORMULA[] = {
    {"mcpherson", "Q", {"A"}, {1.0}, {1.0, 1.0, 1.0}},
    {"five-link", "P6", {"F5P5"}, {1.0}, {1.0, 1.0, 1.0}},
    {"robot", "D", {"C", "B", "A"}, {1.0, 1.0, -1.0}, {1.0, 1.0, 1.0}},
    {"flyball-governor", "C", {"A"}, {1.0}, {-1.0, -1.0, 1.0}},
    {"flyball-governor", "d", {"e"}, {1.0}, {-1.0, -1.0, 1.0}},
    {"flyball-governor", "p", {"n"}, {1.0}, {-1.0, -1.0, 1.0}},
    {"nested", "C", {"A", "B"}, {0.75, 0.25}, {1.0, 1.0, 1.0}},
    {"bent", "C", {"A"}, {1.0}, {1.0, 1.0, 1.0}},
};
enum { FORMULAS = sizeof FORMULA / sizeof *FORMULA };

/* What acts on a source: on a body at the place of element e; at a point; a vector u feels the
 * torque u x force. */
static void push_source(situation *x, int e, const char *source, const vector force, double sign) {
    const int element = element_named(x, source);
    vector at, torque;
    look_up(x, element >= 0 ? element : e, 0, at);
    for (int b = 0; b < x->m->bodies; b++)
        if (strcmp(x->m->body[b].name, source) == 0) push_body(x, b, at, force, sign);
    if (element < 0) return;
    set_cross(at, force, torque);
    if (!x->m->element[element].is_vector)
        push_point(x, element, force, sign);
    else if (x->m->carrier_start[element] < x->m->carrier_start[element + 1])
        add(x->moment[x->m->carrier[x->m->carrier_start[element]]], sign, torque);
}

/* The abscissa of A + [By^2/2, 0] is pushed: what B feels of it. */
static void push_bent(situation *x, double force) {
    const vector at_b = {0.0, column(x, "By") * force, 0.0};
    push_point(x, element_named(x, "B"), at_b, 1.0);
}

static void push_formula(situation *x, const char *file, int e, const vector force, double sign) {
    for (int i = 0; i < FORMULAS; i++) {
        if (strncmp(FORMULA[i].file, file, strlen(FORMULA[i].file)) != 0 ||
            strcmp(FORMULA[i].element, x->m->element[e].name) != 0)
            continue;
        vector turned;
        for (int k = 0; k < 3; k++) turned[k] = FORMULA[i].turn[k] * force[k];
        for (int k = 0; k < 3 && FORMULA[i].source[k]; k++)
            push_source(x, e, FORMULA[i].source[k], turned, sign * FORMULA[i].weight[k]);
        if (strcmp(file, "bent") == 0) push_bent(x, sign * force[0]);
        return;
    }
    fail_msg("%s: what is %s made of?", file, x->m->element[e].name);
}

/* Sun, arm and planet: teeth pull at the angles as the arm sees them. */
static void push_gears(situation *x) {
    const double inner = column(x, "inner.load"), outer = column(x, "outer.load");
    const double sun = 20.0 / 16.0 * inner, ring = -52.0 / 16.0 * outer;
    x->moment[0][2] += 0.3 + sun;
    x->moment[1][2] -= 0.8 * column(x, "phi'") + inner + outer + sun + ring;
    x->moment[2][2] += inner + outer;
}

/* ---- drivers of what follows a formula: tests/models/formulas ---- */

static void push_named(situation *x, const char *point, const vector force, double factor) {
    push_point(x, element_named(x, point), force, factor);
}

/* The line from A to B is turned: forces across it. */
static void push_line(situation *x) {
    vector a, b, force = {0};
    look_up(x, element_named(x, "A"), 0, a);
    look_up(x, element_named(x, "B"), 0, b);
    add(b, -1.0, a);
    force[0] = -b[1] * column(x, "force_phi") / dot(b, b);
    force[1] = b[0] * column(x, "force_phi") / dot(b, b);
    push_named(x, "B", force, 1.0);
    push_named(x, "A", force, -1.0);
}

/* The direction of 2 e + h is turned, where e is on body 0 and h on body 1; and body 2 is pushed
 * along x. */
static void push_vectors(situation *x) {
    vector e, h;
    const vector along = {column(x, "force_r"), 0.0, 0.0};
    look_up(x, element_named(x, "e"), 0, e);
    look_up(x, element_named(x, "h"), 0, h);
    const double torque = column(x, "force_phi"), both = dot(e, h), square = 5.0 + 4.0 * both;
    x->moment[0][2] += torque * (4.0 + 2.0 * both) / square;
    x->moment[1][2] += torque * (1.0 + 2.0 * both) / square;
    push_named(x, "R", along, 1.0);
}

/* The angle from C - P to A - P about B - A, of points [A, B, C, P]. */
static double angle_about(const vector point[4]) {
    vector from, to, axis, cross;
    memcpy(from, point[2], sizeof from);
    memcpy(to, point[0], sizeof to);
    memcpy(axis, point[1], sizeof axis);
    add(from, -1.0, point[3]);
    add(to, -1.0, point[3]);
    add(axis, -1.0, point[0]);
    const double length = sqrt(dot(axis, axis));
    for (int i = 0; i < 3; i++) axis[i] /= length;
    set_cross(from, to, cross);
    return atan2(dot(cross, axis), dot(from, to) - dot(from, axis) * dot(to, axis));
}

/* By differences of order 6: who feels the torque is how the angle changes with the points. */
static void push_axis(situation *x) {
    static const char *const name[] = {"A", "B", "C", "P"};
    static const double weight[] = {45.0, -9.0, 1.0}, step = 2e-3;
    vector point[4], force[4];
    for (int k = 0; k < 4; k++) look_up(x, element_named(x, name[k]), 0, point[k]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            const double here = point[k][i];
            force[k][i] = 0.0;
            for (int j = 1; j <= 3; j++)
                for (int sign = -1; sign <= 1; sign += 2) {
                    point[k][i] = here + sign * j * step;
                    force[k][i] += sign * weight[j - 1] * angle_about(point) / (60.0 * step);
                }
            force[k][i] *= column(x, "force_phi");
            point[k][i] = here;
        }
    push_named(x, "A", force[0], 1.0);
    push_named(x, "B", force[1], 1.0);
    push_body(x, 2, point[2], force[2], 1.0); /* C - P turns with its body: a torque */
    push_body(x, 2, point[3], force[2], -1.0);
}

static void push_drivers(situation *x, const char *file) {
    if (strcmp(file, "nested") == 0) {
        const vector force = {column(x, "force_Nx"), 0.0, 0.0};
        push_named(x, "A", force, 0.25);
        push_named(x, "B", force, 0.75);
    }
    if (strcmp(file, "bent") == 0) {
        const vector force = {column(x, "force_Nx"), 0.0, 0.0};
        push_named(x, "A", force, 1.0);
        push_bent(x, 0.5 * force[0]);
    }
    if (strcmp(file, "lines") == 0) push_line(x);
    if (strcmp(file, "vectors") == 0) push_vectors(x);
    if (strcmp(file, "axis") == 0) push_axis(x);
}

/* What the examples apply besides, by hand. */
static void push_loads(situation *x, const char *file) {
    vector torque = {0}, force = {0}, at;
    if (strcmp(file, "andrews") == 0) torque[2] = 0.033;
    if (strcmp(file, "mechanism0-torque") == 0) torque[2] = 1.0;
    if (strcmp(file, "dc-motor") == 0) torque[2] = 0.6 * column(x, "i") - 0.02 * column(x, "phi'");
    if (strcmp(file, "constant-velocity-loop") == 0) torque[2] = 0.7 - 0.2 * column(x, "one'");
    if (strcmp(file, "wheel") == 0) { /* the ground pushes and rubs at the rim */
        force[0] = -column(x, "no_slip");
        force[1] = -column(x, "ground");
        look_up(x, element_named(x, "C"), 0, at);
        at[1] -= 0.3;
        push_body(x, 0, at, force, 1.0);
    }
    if (strcmp(file, "chaplygin-sleigh-mechanism") == 0) {
        force[0] = -column(x, "skate") * column(x, "uy");
        force[1] = column(x, "skate") * column(x, "ux");
        look_up(x, element_named(x, "K"), 0, at);
        push_body(x, 0, at, force, 1.0);
    }
    if (strcmp(file, "rolling-disk-mechanism") == 0) { /* at the lowest point of the rim */
        vector u, w, n, up = {0.0, 0.0, 1.0};
        look_up(x, element_named(x, "u"), 0, u);
        look_up(x, element_named(x, "w"), 0, w);
        set_cross(w, u, n);
        add(up, -n[2], n);
        force[0] = -column(x, "slip_x");
        force[1] = -column(x, "slip_y");
        force[2] = -column(x, "touch");
        look_up(x, element_named(x, "C"), 0, at);
        add(at, -0.1 / sqrt(dot(up, up)), up);
        push_body(x, 0, at, force, 1.0);
    }
    if (strcmp(file, "cam") == 0) torque[2] = column(x, "force_phi");
    if (strcmp(file, "cardan-shaft") == 0) {
        torque[2] = 0.5;
        x->moment[2][2] -= 0.1 * column(x, "out'");
    }
    if (strcmp(file, "epicyclic") == 0) push_gears(x);
    if (strcmp(file, "screw-press") == 0) { /* the thread */
        force[2] = column(x, "nut.load");
        torque[2] = -0.12 / (2.0 * acos(-1.0)) * force[2];
        look_up(x, element_named(x, "S"), 0, at);
        push_body(x, 0, at, force, 1.0);
    }
    add(x->moment[0], 1.0, torque);
    push_drivers(x, file);
}

/* ---- files ---- */

static void check_file(const char *folder, const char *file) {
    char name[200], path[512];
    taut_model *model = NULL;
    taut_run_options options = at_tolerance(1e-11);
    if (strcmp(file, "bicycle") == 0) {
        /* R and F belong to two bodies each: which of them the ground pushes is not said */
        print_message("bicycle: left out, contact forces act on points that bodies share\n");
        return;
    }
    options.reactions = true;
    options.derivatives = 2;
    snprintf(name, sizeof name, "%s/%s.yaml", folder, file);
    solution *s = solve_file(name, &options);
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
    check_balances(s, model, file, 50);
    taut_model_free(&model);
    solution_free(s);
}

static bool is_mechanism(const char *name) {
    char path[512];
    taut_model *model = NULL;
    snprintf(path, sizeof path, "%s/examples/%s", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
    const bool result = strcmp(taut_model_kind_name(model), "mechanism") == 0;
    taut_model_free(&model);
    return result;
}

static void test_sums_of_forces_and_moments_in_every_example(void **state) {
    (void)state;
    DIR *folder = opendir(TAUT_SOURCE_DIR "/examples");
    int mechanisms = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char stem[100];
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0 || !is_mechanism(entry->d_name)) continue;
        snprintf(stem, sizeof stem, "%.*s", (int)(dot - entry->d_name), entry->d_name);
        check_file("examples", stem);
        mechanisms++;
    }
    closedir(folder);
    assert_true(mechanisms >= 28);
}

static void test_sums_of_forces_and_moments_with_every_kind_of_joint(void **state) {
    (void)state;
    static const char *const file[] = {"constant-velocity-loop", "planar-loop",
                                       "point-on-curve-loop",    "point-on-line-loop",
                                       "point-on-plane-loop",    "universal-loop"};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        check_file("tests/models/joints", file[i]);
}

static void test_sums_of_forces_and_moments_by_formulas(void **state) {
    (void)state;
    static const char *const file[] = {"nested", "bent", "lines", "vectors", "axis"};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        check_file("tests/models/formulas", file[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_of_forces_and_moments_in_every_example),
        cmocka_unit_test(test_sums_of_forces_and_moments_with_every_kind_of_joint),
        cmocka_unit_test(test_sums_of_forces_and_moments_by_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
