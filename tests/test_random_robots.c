/* Random robots as MJCF and URDF files: trees with joints of all kinds, several in a body, frames
 * given in every way, masses by number or by geom, nested classes, springs, dampers, rotors,
 * tendons, loops. taut's accelerations are MuJoCo's, in both formulations. Its arguments: how many,
 * and the first one. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "mujoco_pair.h"

enum { MOST_TEXT = 60000, MOST_BODIES = 7, CLASSES = 4 };

static int robots = 40, first = 0;

typedef struct file {
    char text[MOST_TEXT], angle_word[40];
    size_t n;
    bool radians;
    int bodies, joints, scalars, sites;
    char scalar[40][24];                                 /* names of hinges and slides */
    int parent[MOST_BODIES + 8], moves[MOST_BODIES + 8]; /* [bodies] hinges and slides of each */
    bool closed; /* it has loops: every body moves, by hinges and slides */
} file;

static double between(double a, double b) { return a + (b - a) * rand() / (double)RAND_MAX; }
static bool maybe(double chance) { return between(0.0, 1.0) < chance; }
static int pick(int count) { return rand() % count; }

__attribute__((format(printf, 2, 3))) static void add(file *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    f->n += (size_t)vsnprintf(f->text + f->n, sizeof f->text - f->n, format, args);
    va_end(args);
    assert_true(f->n < sizeof f->text);
}

static void add_numbers(file *f, const char *name, int count, double size) {
    add(f, " %s=\"", name);
    for (int i = 0; i < count; i++) add(f, "%s%.6g", i ? " " : "", between(-size, size));
    add(f, "\"");
}

/* An angle as the file counts it. */
static double angle(const file *f, double radians) {
    return f->radians ? radians : radians * 180.0 / M_PI;
}

/* A place and, in one of the ways there are, an orientation. */
static void add_frame(file *f) {
    if (maybe(0.9)) add_numbers(f, "pos", 3, 0.6);
    switch (pick(7)) {
    case 0: add_numbers(f, "quat", 4, 1.0); break;
    case 1: add_numbers(f, "xyaxes", 6, 1.0); break;
    case 2: add_numbers(f, "zaxis", 3, 1.0); break;
    case 3: add_numbers(f, "euler", 3, angle(f, 3.0)); break;
    case 4:
        add(f, " axisangle=\"%.6g %.6g %.6g %.6g\"", between(-1, 1), between(-1, 1), between(-1, 1),
            angle(f, between(-3, 3)));
        break;
    default: break;
    }
}

/* ---- masses ---- */

/* Principal moments of something that there can be. */
static void add_inertial(file *f) {
    const double a = between(0.01, 0.3), b = between(0.01, 0.3), c = between(0.01, 0.3);
    add(f, "<inertial mass=\"%.6g\" diaginertia=\"%.9g %.9g %.9g\"", between(0.1, 3.0), b + c,
        a + c, a + b);
    add_numbers(f, "pos", 3, 0.3);
    switch (pick(3)) {
    case 0: add_numbers(f, "quat", 4, 1.0); break;
    case 1: add_numbers(f, "euler", 3, angle(f, 2.0)); break;
    default: break;
    }
    add(f, "/>\n");
}

/* One geom, whose axes are those of the inertia: several MuJoCo knows to 8 digits only. */
static void add_geom(file *f) {
    static const char *const type[] = {"sphere", "capsule", "cylinder", "ellipsoid", "box"};
    const int k = pick(5);
    add(f, "<geom type=\"%s\"", type[k]);
    if (k > 0 && maybe(0.5)) {
        add(f, " size=\"%.6g\"", between(0.05, 0.3));
        add_numbers(f, "fromto", 6, 0.7);
    } else {
        add(f, " size=\"%.6g %.6g %.6g\"", between(0.1, 0.4), between(0.1, 0.4), between(0.1, 0.4));
        add_frame(f);
    }
    if (maybe(0.3)) add(f, " mass=\"%.6g\"", between(0.2, 2.0));
    if (maybe(0.3)) add(f, " density=\"%.6g\"", between(10.0, 3000.0));
    if (maybe(0.3)) add(f, " class=\"c%d\"", pick(CLASSES));
    add(f, "/>\n");
}

/* ---- joints ---- */

static void add_passive(file *f, bool turns) {
    if (maybe(0.4)) add(f, " armature=\"%.6g\"", between(0.0, 0.5));
    if (maybe(0.4)) add(f, " damping=\"%.6g\"", between(0.0, 2.0));
    if (maybe(0.4)) add(f, " stiffness=\"%.6g\"", between(0.0, 20.0));
    if (maybe(0.3))
        add(f, " springref=\"%.6g\"", turns ? angle(f, between(-1, 1)) : between(-1, 1));
    if (!f->closed && maybe(0.2))
        add(f, " ref=\"%.6g\"", turns ? angle(f, between(-1, 1)) : between(-1, 1));
    if (maybe(0.3)) add(f, " class=\"c%d\"", pick(CLASSES));
}

static void add_scalar(file *f, bool turns) {
    snprintf(f->scalar[f->scalars], sizeof f->scalar[0], "q%d", f->joints);
    add(f, "<joint name=\"q%d\" type=\"%s\"", f->joints++, turns ? "hinge" : "slide");
    if (!turns || maybe(0.8)) add_numbers(f, "axis", 3, 1.0); /* two slides differ */
    if (maybe(0.7)) add_numbers(f, "pos", 3, 0.4);
    add_passive(f, turns);
    add(f, "/>\n");
    f->scalars++;
}

static void add_ball(file *f) {
    add(f, "<joint name=\"q%d\" type=\"ball\" stiffness=\"0\" armature=\"0\"", f->joints++);
    if (maybe(0.5)) add_numbers(f, "pos", 3, 0.4);
    if (maybe(0.6)) add(f, " damping=\"%.6g\"", between(0.0, 1.0));
    add(f, "/>\n");
}

static void add_joints(file *f, int depth) {
    const bool any = !f->closed;
    if (any && depth == 0 && maybe(0.25))
        add(f, "<freejoint name=\"q%d\"/>\n", f->joints++);
    else if (any && maybe(0.12))
        return;
    else if (any && maybe(0.15)) {
        for (int i = maybe(0.3) ? 1 + pick(2) : 0; i > 0; i--) add_scalar(f, false);
        add_ball(f);
    } else
        for (int i = 1 + (maybe(0.4) ? 1 + pick(2) : 0); i > 0; i--) add_scalar(f, maybe(0.65));
}

/* ---- bodies ---- */

static void add_body(file *f, int parent, int depth) {
    const int number = f->bodies, scalars = f->scalars;
    f->parent[number] = parent;
    add(f, "<body name=\"b%d\"", f->bodies++);
    if (maybe(0.4)) add(f, " childclass=\"c%d\"", pick(CLASSES));
    add_frame(f);
    add(f, ">\n");
    add_joints(f, depth);
    f->moves[number] = f->scalars - scalars;
    if (maybe(0.5))
        add_inertial(f);
    else
        add_geom(f);
    for (int i = pick(3); i > 0; i--) {
        add(f, "<site name=\"s%d\"", f->sites++);
        add_frame(f);
        add(f, "/>\n");
    }
    for (int i = 1 + pick(2); i > 0 && depth < 5 && f->bodies < MOST_BODIES; i--)
        add_body(f, number, depth + 1);
    add(f, "</body>\n");
}

/* What a class says of joints and geoms; never of balls, which have no counterpart for it. */
static void add_class_words(file *f) {
    if (maybe(0.7)) {
        add(f, "<joint");
        if (maybe(0.3)) add_numbers(f, "axis", 3, 1.0);
        if (maybe(0.3)) add(f, " damping=\"%.6g\"", between(0.0, 1.0));
        if (maybe(0.3)) add_numbers(f, "pos", 3, 0.2);
        add(f, "/>\n");
    }
    if (maybe(0.6)) add(f, "<geom density=\"%.6g\"/>\n", between(100.0, 2000.0));
}

static void add_classes(file *f) {
    add(f, "<default>\n");
    add_class_words(f);
    for (int i = 0; i < CLASSES; i++) {
        add(f, "<default class=\"c%d\">\n", i);
        add_class_words(f);
        if (i % 2) add(f, "</default>\n</default>\n"); /* two and two, one in the other */
    }
    add(f, "</default>\n");
}

static void add_tendons(file *f) {
    add(f, "<tendon>\n");
    for (int i = 0; i + 1 < f->sites && i < 3; i++) {
        add(f, "<spatial stiffness=\"%.6g\" damping=\"%.6g\"", between(1, 30), between(0, 2));
        if (maybe(0.5)) add(f, " springlength=\"%.6g\"", between(0.1, 1));
        add(f, "><site site=\"s%d\"/><site site=\"s%d\"/></spatial>\n", i, f->sites - 1);
        if (f->sites - 1 - i < 2) break;
    }
    if (f->scalars > 1) {
        add(f, "<fixed stiffness=\"%.6g\" damping=\"%.6g\"", between(0, 9), between(0.1, 2));
        if (maybe(0.5)) add(f, " springlength=\"%.6g\"", between(0.1, 1));
        add(f, "><joint joint=\"%s\" coef=\"%.6g\"/><joint joint=\"%s\" coef=\"%.6g\"/></fixed>\n",
            f->scalar[0], between(-2, 2), f->scalar[f->scalars - 1], between(-2, 2));
    }
    add(f, "</tendon>\n");
}

/* By how many hinges and slides two bodies differ in their places; -1 is the world. */
static int joints_between(const file *f, int a, int b) {
    int count = 0;
    while (a != b) {
        int *later = a > b ? &a : &b;
        count += f->moves[*later];
        *later = f->parent[*later];
    }
    return count;
}

/* What is true where all coordinates are 0, and leaves something to move. */
static void add_loops(file *f) {
    const int last = f->bodies - 1, other = pick(f->bodies) - 1;
    const int between_them = joints_between(f, last, other);
    add(f, "<equality>\n");
    if (between_them > 3) {
        const bool weld = between_them > 6;
        add(f, "<%s body1=\"b%d\"", weld ? "weld" : "connect", last);
        if (other >= 0) add(f, " body2=\"b%d\"", other);
        if (!weld) add_numbers(f, "anchor", 3, 0.5);
        add(f, "/>\n");
    }
    if (f->scalars > 5 || f->scalars == 3)
        add(f, "<joint joint1=\"%s\" joint2=\"%s\" polycoef=\"0 %.6g %.6g %.6g 0\"/>\n",
            f->scalar[0], f->scalar[1], between(0.3, 2), between(-1, 1), between(-1, 1));
    add(f, "</equality>\n");
}

static void write_robot(file *f, bool closed) {
    static const char letters[] = "xyzXYZ";
    char sequence[4] = "";
    f->closed = closed;
    f->radians = maybe(0.5);
    for (int i = 0; i < 3; i++) sequence[i] = letters[pick(6)];
    add(f, "<mujoco model=\"random\">\n<compiler angle=\"%s\" eulerseq=\"%s\"",
        f->radians ? "radian" : "degree", sequence);
    if (maybe(0.2)) add(f, " settotalmass=\"%.6g\"", between(1, 20));
    if (maybe(0.2)) add(f, " boundmass=\"%.6g\"", between(0.1, 1));
    add(f, "/>\n<option");
    add_numbers(f, "gravity", 3, 9.81);
    add(f, "/>\n");
    add_classes(f);
    add(f, "<worldbody>\n<site name=\"s%d\"", f->sites++);
    add_numbers(f, "pos", 3, 1.0); /* not where a site of a body may be */
    add(f, "/>\n");
    for (int i = 1 + pick(2); i > 0; i--) add_body(f, -1, 0);
    add(f, "</worldbody>\n");
    if (maybe(0.5)) add_tendons(f);
    if (closed) add_loops(f);
    add(f, "</mujoco>\n");
}

/* ---- URDF ---- */

static void add_origin(file *f) {
    add(f, "<origin");
    if (maybe(0.9)) add_numbers(f, "xyz", 3, 0.5);
    if (maybe(0.7)) add_numbers(f, "rpy", 3, 3.0);
    add(f, "/>");
}

static void add_link(file *f, int number) {
    const double a = between(0.01, 0.3), b = between(0.01, 0.3), c = between(0.01, 0.3);
    add(f, "<link name=\"l%d\">", number);
    if (number > 0) {
        add(f, "<inertial>");
        add_origin(f);
        add(f,
            "<mass value=\"%.6g\"/><inertia ixx=\"%.9g\" iyy=\"%.9g\" izz=\"%.9g\" ixy=\"0\" "
            "ixz=\"0\" iyz=\"0\"/></inertial>",
            between(0.1, 3.0), b + c, a + c, a + b);
    }
    add(f, "</link>\n");
}

/* Links one below another. */
static void write_urdf(file *f, bool fixed) {
    static const char *const type[] = {"revolute", "continuous", "prismatic", "fixed"};
    const int links = 2 + pick(6);
    add(f, "<robot name=\"random\">\n");
    for (int i = 0; i < links; i++) {
        const int kind = i > 1 && fixed && maybe(0.4) ? 3 : pick(3);
        add_link(f, i);
        if (i == 0) continue;
        add(f, "<joint name=\"q%d\" type=\"%s\"><parent link=\"l%d\"/><child link=\"l%d\"/>", i,
            type[kind], pick(i), i);
        add_origin(f);
        if (maybe(0.8)) {
            add(f, "<axis");
            add_numbers(f, "xyz", 3, 1.0);
            add(f, "/>");
        }
        if (kind != 1) add(f, "<limit lower=\"-3\" upper=\"3\" effort=\"1\" velocity=\"1\"/>");
        if (maybe(0.5)) add(f, "<dynamics damping=\"%.6g\"/>", between(0, 2));
        add(f, "</joint>\n");
    }
    add(f, "</robot>\n");
    f->joints = links - 1;
}

/* ---- the comparison ---- */

static const char *const FORM[] = {"natural", "relative"}, *const PATH = "random-robot.xml",
                         *const MODEL = "random-robot.yaml";

static void write_text(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0 && fclose(out) == 0);
}

/* The accelerations at the start. */
static solution *find_start(const char *text, const char *formulation) {
    taut_run_options options = at_tolerance(1e-12);
    options.formulation = formulation;
    options.derivatives = 2;
    options.has_tend = true;
    options.tend = 0.0;
    write_text(MODEL, text);
    return solve_text(text, &options);
}

typedef enum kind { TREE, CLOSED, URDF, URDF_WITH_FIXED } kind;

/* Robot number `number` in both programs; false: nothing of it moves. */
static bool make_robot(int number, kind k, mujoco_pair *p) {
    static file f;
    f = (file){.n = 0};
    srand((unsigned)number);
    for (int i = 0; i < 10; i++) rand(); /* the first ones hardly depend on the seed */
    if (k >= URDF)
        write_urdf(&f, k == URDF_WITH_FIXED);
    else
        write_robot(&f, k == CLOSED);
    if (f.joints == 0) return false;
    write_text(PATH, f.text);
    print_message("robot %d: %d bodies, %d joints\n", number, f.bodies, f.joints);
    *p = mujoco_load(PATH, PATH);
    return true;
}

static double largest(const mujoco_pair *p) {
    double most = 1.0;
    for (int i = 0; i < p->m->nv; i++) most = fmax(most, fabs(p->d->qacc[i]));
    return most;
}

/* Accelerations at two random states of each, within a part of the largest. */
static void compare_trees(kind k, double limit) {
    for (int i = first; i < first + robots; i++) {
        mujoco_pair p;
        if (!make_robot(i, k, &p)) continue;
        for (int form = 0; form < 2; form++) {
            mujoco_shake(&p);
            mujoco_write_state(&p);
            solution *s = find_start(p.state, FORM[form]);
            mujoco_expect(&p, s, 0, 1, 1e-10, 1.0);
            mujoco_expect(&p, s, 0, 2, limit, largest(&p));
            solution_free(s);
        }
        mujoco_unload(&p);
    }
}

static void test_trees(void **state) {
    (void)state;
    compare_trees(TREE, 1e-10);
}

/* MuJoCo knows the principal axes of several links in one body to 8 digits only. */
static void test_urdf(void **state) {
    (void)state;
    compare_trees(URDF, 1e-10);
    compare_trees(URDF_WITH_FIXED, 1e-6);
}

/* The state that taut has found near random velocities, and MuJoCo's accelerations there; false:
 * the conditions are not independent. */
static bool follow(mujoco_pair *p, const solution *s) {
    double q[MUJOCO_SPEEDS], v[MUJOCO_SPEEDS], a[MUJOCO_SPEEDS];
    for (int j = 0; j < p->m->njnt; j++) {
        char name[MUJOCO_NAME], primed[MUJOCO_NAME + 2];
        snprintf(primed, sizeof primed, "%s'", mujoco_label(p, j, name));
        q[j] = p->m->qpos0[j] + value_of(s, 0, name);
        v[j] = value_of(s, 0, primed);
    }
    const bool independent = mujoco_accelerate(p, q, v, a);
    mju_copy(p->d->qacc, a, p->m->nv);
    return independent;
}

static void test_loops(void **state) {
    int compared = 0;
    (void)state;
    for (int i = first; i < first + robots; i++) {
        mujoco_pair p;
        if (!make_robot(i, CLOSED, &p)) continue;
        for (int k = 0; k < 2; k++) {
            char *text = calloc(p.room, 1), name[MUJOCO_NAME];
            assert_non_null(text);
            size_t n = (size_t)snprintf(text, p.room, "%s  velocities:\n", p.text);
            srand((unsigned)i);
            for (int j = 0; j < p.m->njnt; j++)
                n += (size_t)snprintf(text + n, p.room - n, "    %s: %.6g\n",
                                      mujoco_label(&p, j, name), between(-2, 2));
            solution *s = find_start(text, FORM[k]);
            if (follow(&p, s)) {
                mujoco_expect(&p, s, 0, 2, 1e-9, largest(&p));
                compared++;
            }
            solution_free(s);
            free(text);
        }
        mujoco_unload(&p);
    }
    assert_true(robots < 10 || compared > robots);
    remove(PATH);
    remove(MODEL);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trees), cmocka_unit_test(test_urdf),
                                       cmocka_unit_test(test_loops)};
    if (argc > 1) robots = atoi(argv[1]);
    if (argc > 2) first = atoi(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
