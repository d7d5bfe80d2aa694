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

static void push_formula(situation *x, const char *file, int e, const vector force, double sign) {
    for (int i = 0; i < FORMULAS; i++) {
        if (strncmp(FORMULA[i].file, file, strlen(FORMULA[i].file)) != 0 ||
            strcmp(FORMULA[i].element, x->m->element[e].name) != 0)
            continue;
        vector turned;
        for (int k = 0; k < 3; k++) turned[k] = FORMULA[i].turn[k] * force[k];
        for (int k = 0; k < 3 && FORMULA[i].source[k]; k++)
            push_source(x, e, FORMULA[i].source[k], turned, sign * FORMULA[i].weight[k]);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_of_forces_and_moments_in_every_example),
        cmocka_unit_test(test_sums_of_forces_and_moments_with_every_kind_of_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
