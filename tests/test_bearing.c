/* What joints carry: in formulas, as friction, and until they let go. Against equations in minimal
 * coordinates that know nothing of taut, closed forms, and other formulations. */
#include "solve_text.h"

#include <math.h>

static const char *const FORMULATION[] = {"natural", "reference", "relative"};
enum { FORMULATIONS = 3 };

static solution *run(const char *text, int formulation, double tol, const double *at, int ats) {
    taut_run_options o = at_tolerance(tol);
    o.formulation = FORMULATION[formulation];
    o.at = at;
    o.ats = ats;
    return solve_text(text, &o);
}

static const taut_notes *notes_of(const solution *s) { return taut_result_notes(s->result); }

static double value(const solution *s, long row, const char *name) {
    const int column = taut_result_find(s->result, name);
    if (column < 0) fail_msg("no column %s", name);
    return taut_result_value(s->result, row, column);
}

static void check_event(const solution *s, int i, double t, const char *name, const char *kind,
                        double digits) {
    const taut_notes *n = notes_of(s);
    assert_true(i < n->events);
    assert_string_equal(n->event[i].name, name);
    assert_string_equal(n->event[i].kind, kind);
    assert_near(n->event[i].t, t, 0.0, digits);
}

/* ---- loads in formulas ---- */

/* Outputs with the loads of joints are the columns that the balances of bodies give. */
static void compare_loads(const char *text, const char *const *load, int loads, double tol) {
    static const double at[] = {0.0, 0.3, 0.7};
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = FORMULATION[f];
        o.reactions = true;
        o.at = at;
        o.ats = 3;
        solution *s = solve_text(text, &o);
        for (int row = 0; row < 3; row++) {
            double size = 0.0;
            for (int i = 0; i < loads; i++) size = fmax(size, fabs(value(s, row, load[i])));
            assert_true(size > 0.01);
            for (int i = 0; i < loads; i++) {
                char name[20];
                snprintf(name, sizeof name, "o%d", i);
                assert_near(value(s, row, name), value(s, row, load[i]), tol * size, 0.0);
            }
        }
        solution_free(s);
    }
}

static void test_loads_by_sharing(void **state) {
    (void)state;
    static const char *const load[] = {"ground-OA.Fx", "ground-OA.Fy", "OA-AB.Fx",
                                       "OA-AB.Fy",     "ground-BC.Fx", "ground-BC.Fy"};
    compare_loads("Dimension: 2\n"
                  "PartData:\n"
                  "  Fixed: {O: [0, 0], u: [0.8, 0.6]}\n"
                  "  Rigids:\n"
                  "    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0.1], 2, 0.2]}\n"
                  "    AB: {Geom: [[0.7, 0]], Dyna: [[0.3, 0.1], 1, 0.1]}\n"
                  "    BC: {Geom: [[0.7, 0]], Dyna: [[0.3, 0], 1, 0.1]}\n"
                  "  Collinears: {OuC: s}\n"
                  "AppliedForces: {Gravity: }\n"
                  "Outputs: {o0: ground-OA.Fx, o1: 2*ground-OA.Fy/2, o2: OA-AB.Fx,\n"
                  "  o3: OA-AB.Fy, o4: ground-BC.Fx, o5: 0-(-ground-BC.Fy)}\n"
                  "ProblemData: {tend: 1, positions: {A: [1, 0], B: [1.7, 0.0], C: [1.4, 1.05]}}\n",
                  load, 6, 1e-10);
}

/* Joints in space: forces and torques along the axes of the world. */
static void test_loads_in_space(void **state) {
    (void)state;
    static const char *const load[] = {"hinge.Fx", "hinge.Fy", "hinge.Fz", "hinge.Tx",
                                       "hinge.Ty", "hinge.Tz", "tube.Fx",  "tube.Fy",
                                       "tube.Fz",  "tube.Tx",  "tube.Ty",  "tube.Tz"};
    char text[2000] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], n: [0, 0.6, 0.8]}\n"
        "  Rigids:\n"
        "    arm: {Elements: [P, A, p, u, w], Geom: [[1, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]],\n"
        "      Dyna: [[0.5, 0.1, 0], 2, [0.1, 0.2, 0.3]]}\n"
        "    rod: {Elements: [B, C, v, m], Geom: [[0.5, 0.2, 0], [1, 0, 0], [0, 1, 0]],\n"
        "      Dyna: [[0.3, 0.1, 0.2], 1, [0.1, 0.2, 0.15]]}\n"
        "  Joints:\n"
        "    hinge: {Type: revolute, Points: [O, P], Axes: [n, p]}\n"
        "    tube: {Type: prismatic, Points: [A, B], Axes: [u, v], Normals: [w, m], Distance: s}\n"
        "AppliedForces: {Gravity: , Forces: {s: -40*(s - 0.1)}}\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0, 0], s: 0.1}, velocities: {s: 0.3}}\n"
        "Outputs: {";
    for (int i = 0; i < 12; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%so%d: %s", i ? ", " : "", i,
                 load[i]);
    strcat(text, "}\n");
    compare_loads(text, load, 12, 1e-9);
}

/* Asking for a load does not change where a file begins, also if its guesses do not fit. */
static void test_loads_leave_the_start(void **state) {
    (void)state;
    static const char parts[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 0.2]}\n"
        "    AB: {Geom: [[0.7, 0]], Dyna: [[0.3, 0.1], 1, 0.1]}\n"
        "AppliedForces: {Gravity: }\n"
        "ProblemData: {tend: 1, positions: {A: [1, 0], B: [1.5, 0.2]}, velocities: {A: [0, 1], B: "
        "[0, 2]}}\n";
    static const char *const name[] = {"Ax", "Ay", "Bx", "By", "Ax'", "By'"};
    const double at[] = {0.0, 1.0};
    char text[1000];
    snprintf(text, sizeof text, "%sOutputs: {f: OA-AB.Fx, g: ground-OA.Fx}\n", parts);
    solution *s = run(parts, 0, 1e-12, at, 2), *split = run(text, 0, 1e-12, at, 2);
    for (int i = 0; i < 6; i++) {
        assert_near(value(split, 0, name[i]), value(s, 0, name[i]), 1e-15, 0.0);
        assert_near(value(split, 1, name[i]), value(s, 1, name[i]), 1e-11, 0.0);
    }
    solution_free(s);
    solution_free(split);
}

/* Multipliers and loads in torques, by solvers that find accelerations in other ways: all agree. */
static void test_forces_by_multipliers(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho", "erk", "adams", "bdf", "ida"};
    static const char *const load[] = {"ground", "sqrt(ground-OA.Fx^2 + ground-OA.Fy^2)"};
    for (int k = 0; k < 2; k++) {
        char text[700];
        double expected = 0.0;
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0]}\n"
                 "  Rigids:\n"
                 "    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 0.2]}\n"
                 "    AB: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 0.2]}\n"
                 "Constraints: {ground: By}\n"
                 "Angles: {phi: OA}\n"
                 "AppliedForces: {Gravity: [0, -9.81], Torques: {phi: 0.1*%s}}\n"
                 "ProblemData: {tend: 0.3, positions: {A: [0.8, 0.6], B: [1.6, 0]}}\n",
                 load[k]);
        for (int f = 0; f < FORMULATIONS; f++)
            for (int i = 0; i < 6; i++) {
                taut_run_options o = at_tolerance(1e-9);
                o.formulation = FORMULATION[f];
                o.solver = solver[i];
                solution *s = solve_text(text, &o);
                const double x = last_of(s, "Ax");
                if (f == 0 && i == 0) expected = x;
                assert_near(x, expected, 1e-6, 0.0);
                solution_free(s);
            }
        assert_true(fabs(expected - 0.93931661811) >
                    1e-3); /* that it would be without the torque */
    }
}

/* An event at a load: a rod that falls from the horizontal, with F' of the closed form. */
static void test_load_in_an_event(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}}\n"
                               "Angles: {phi: OA}\n"
                               "AppliedForces: {Gravity: [0, -9.81]}\n"
                               "Events: {heavy: {When: ground-OA.Fy > 30, Stop: true}}\n"
                               "ProblemData: {tend: 3, positions: {A: [1, 0]}}\n";
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = FORMULATION[f];
        o.every = TAUT_EVERY_STEP;
        solution *s = solve_text(text, &o);
        const long last = taut_result_rows(s->result) - 1;
        /* Fy = m g/4 + 9/4 m g sin^2 for a rod that has fallen by the angle */
        const double sine = sqrt((30.0 - 2.0 * 9.81 / 4.0) / (9.0 / 4.0 * 2.0 * 9.81));
        assert_int_equal(notes_of(s)->events, 1);
        assert_near(sin(-value(s, last, "phi")), sine, 1e-11, 0.0);
        solution_free(s);
    }
}

/* ---- equations of their own ---- */

/* Gauss with pivots, [n][n + 1]. */
static void eliminate(int n, double *a) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * (n + 1) + k]) > fabs(a[pivot * (n + 1) + k])) pivot = i;
        for (int j = 0; j <= n; j++) {
            const double x = a[k * (n + 1) + j];
            a[k * (n + 1) + j] = a[pivot * (n + 1) + j];
            a[pivot * (n + 1) + j] = x;
        }
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double f = a[i * (n + 1) + k] / a[k * (n + 1) + k];
            for (int j = k; j <= n; j++) a[i * (n + 1) + j] -= f * a[k * (n + 1) + j];
        }
    }
    for (int k = 0; k < n; k++) a[k * (n + 1) + n] /= a[k * (n + 1) + k];
}

/* Data of a crank, a coupler and what it moves; friction: of all pins, and of the slider. */
typedef struct linkage {
    bool rocker;                           /* otherwise a slider on the x axis */
    double length[3], mass[3], inertia[3]; /* crank, coupler, rocker; centroids in the middle */
    double ground;                         /* of the rocker's pin, on the x axis */
    double torque, mu, radius, slide;
} linkage;

/* Angles of coupler and rocker (or the place of the slider), and their rates. */
static void close_loop(const linkage *l, double phi, double w, double *x, double *v) {
    const double ax = l->length[0] * cos(phi), ay = l->length[0] * sin(phi);
    for (int round = 0; round < 40; round++) {
        const double b = x[0], c = x[1], lb = l->length[1], lc = l->length[2];
        const double gx = ax + lb * cos(b) - (l->rocker ? l->ground + lc * cos(c) : c);
        const double gy = ay + lb * sin(b) - (l->rocker ? lc * sin(c) : 0.0);
        const double m[2][2] = {{-lb * sin(b), l->rocker ? lc * sin(c) : -1.0},
                                {lb * cos(b), l->rocker ? -lc * cos(c) : 0.0}};
        const double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        x[0] -= (gx * m[1][1] - gy * m[0][1]) / det;
        x[1] -= (m[0][0] * gy - m[1][0] * gx) / det;
        const double hx = ay * w, hy = -ax * w;
        v[0] = (hx * m[1][1] - hy * m[0][1]) / det;
        v[1] = (m[0][0] * hy - m[1][0] * hx) / det;
    }
}

/* The crank's acceleration: nine balances, two conditions; friction by iteration.
 * unknowns: three accelerations, forces O on crank, A on coupler, B on what follows, D on rocker.
 */
static double accelerate(const linkage *l, double phi, double w, double *x) {
    const double g = 9.81;
    double v[2], load[4] = {0.0}, normal = 0.0, a[11 * 12];
    close_loop(l, phi, w, x, v);
    const double angle[3] = {phi, x[0], l->rocker ? x[1] : 0.0}, rate[3] = {w, v[0], v[1]};
    const int n = l->rocker ? 11 : 10;
    double c[3], s[3];
    for (int i = 0; i < 3; i++) {
        c[i] = l->length[i] * cos(angle[i]);
        s[i] = l->length[i] * sin(angle[i]);
    }
    double old = -1.0;
    for (int round = 0; round < 200; round++) {
        memset(a, 0, sizeof a);
        const double turn[4] = {rate[0], rate[1] - rate[0],
                                l->rocker ? rate[2] - rate[1] : -rate[1], rate[2]};
        double rub[4];
        for (int i = 0; i < 4; i++) {
            const double mu = i > 1 && !l->rocker ? 0.0 : l->mu;
            rub[i] = -(turn[i] > 0.0 ? 1.0 : -1.0) * mu * l->radius * load[i];
        }
        double *row = a;
        /* crank: O on it, minus A */
        row[0] = -l->mass[0] * s[0] / 2, row[3] = -1, row[5] = 1;
        row[n] = l->mass[0] * c[0] / 2 * w * w, row += n + 1;
        row[0] = l->mass[0] * c[0] / 2, row[4] = -1, row[6] = 1;
        row[n] = l->mass[0] * (s[0] / 2 * w * w - g), row += n + 1;
        row[0] = l->inertia[0];
        row[3] = -s[0] / 2, row[4] = c[0] / 2, row[5] = -s[0] / 2, row[6] = c[0] / 2;
        row[n] = l->torque + rub[0] - rub[1], row += n + 1;
        /* coupler: A on it, minus B */
        const double ax2 = -c[0] * w * w - c[1] / 2 * v[0] * v[0];
        const double ay2 = -s[0] * w * w - s[1] / 2 * v[0] * v[0];
        row[0] = -l->mass[1] * s[0], row[1] = -l->mass[1] * s[1] / 2, row[5] = -1, row[7] = 1;
        row[n] = -l->mass[1] * ax2, row += n + 1;
        row[0] = l->mass[1] * c[0], row[1] = l->mass[1] * c[1] / 2, row[6] = -1, row[8] = 1;
        row[n] = -l->mass[1] * (ay2 + g), row += n + 1;
        row[1] = l->inertia[1];
        row[5] = -s[1] / 2, row[6] = c[1] / 2, row[7] = -s[1] / 2, row[8] = c[1] / 2;
        row[n] = rub[1] - rub[2], row += n + 1;
        if (l->rocker) { /* D on it, and B at its end */
            row[2] = -l->mass[2] * s[2] / 2, row[7] = -1, row[9] = -1;
            row[n] = l->mass[2] * c[2] / 2 * v[1] * v[1], row += n + 1;
            row[2] = l->mass[2] * c[2] / 2, row[8] = -1, row[10] = -1;
            row[n] = l->mass[2] * (s[2] / 2 * v[1] * v[1] - g), row += n + 1;
            row[2] = l->inertia[2];
            row[7] = s[2] / 2, row[8] = -c[2] / 2, row[9] = -s[2] / 2, row[10] = c[2] / 2;
            row[n] = rub[2] + rub[3], row += n + 1;
            row[0] = -s[0], row[1] = -s[1], row[2] = s[2];
            row[n] = c[0] * w * w + c[1] * v[0] * v[0] - c[2] * v[1] * v[1], row += n + 1;
            row[0] = c[0], row[1] = c[1], row[2] = -c[2];
            row[n] = s[0] * w * w + s[1] * v[0] * v[0] - s[2] * v[1] * v[1];
        } else { /* B on the slider, and the line's normal force */
            row[2] = l->mass[2], row[7] = -1;
            row[n] = -(v[1] > 0.0 ? 1.0 : -1.0) * l->slide * fabs(normal), row += n + 1;
            row[8] = -1, row[9] = -1, row[n] = -l->mass[2] * g, row += n + 1;
            row[0] = -s[0], row[1] = -s[1], row[2] = -1;
            row[n] = c[0] * w * w + c[1] * v[0] * v[0], row += n + 1;
            row[0] = c[0], row[1] = c[1];
            row[n] = s[0] * w * w + s[1] * v[0] * v[0];
        }
        eliminate(n, a);
        for (int i = 0; i < 4 && (l->rocker || i < 3); i++)
            load[i] = hypot(a[(3 + 2 * i) * (n + 1) + n], a[(4 + 2 * i) * (n + 1) + n]);
        normal = l->rocker ? 0.0 : a[9 * (n + 1) + n];
        if (fabs(a[n] - old) <= 1e-15 * fabs(old)) break;
        old = a[n];
    }
    return a[n];
}

/* The crank's angle and rate after a time, by Runge and Kutta's method of order 4 with steps of
 * half the length and Richardson's rule. */
static void integrate(const linkage *l, double t, int steps, double *y, double *x) {
    const double h = t / steps;
    for (int i = 0; i < steps; i++) {
        double k[4][2], z[2] = {y[0], y[1]};
        for (int j = 0; j < 4; j++) {
            k[j][0] = z[1];
            k[j][1] = accelerate(l, z[0], z[1], x);
            const double f = j < 2 ? h / 2 : h;
            for (int m = 0; m < 2; m++) z[m] = y[m] + f * k[j][m];
        }
        for (int m = 0; m < 2; m++) y[m] += h / 6 * (k[0][m] + 2 * k[1][m] + 2 * k[2][m] + k[3][m]);
    }
}

static void reference(const linkage *l, double t, double phi, double w, const double *start,
                      double *y) {
    double x[2] = {start[0], start[1]}, z[2] = {phi, w};
    y[0] = phi;
    y[1] = w;
    integrate(l, t, 3000, y, x);
    memcpy(x, start, sizeof x);
    integrate(l, t, 6000, z, x);
    for (int m = 0; m < 2; m++) {
        assert_near(y[m], z[m], 1e-8, 1e-8);
        y[m] = z[m] + (z[m] - y[m]) / 15.0;
    }
}

/* ---- friction by load ---- */

#define CRANK                                                                                      \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0], u: [1, 0], D: [0.35, 0]}\n"                                              \
    "  Rigids:\n"                                                                                  \
    "    OA: {Geom: [[0.1, 0]], Dyna: [[0.05, 0], 1, 0.001]}\n"                                    \
    "    AB: {Geom: [[0.3, 0]], Dyna: [[0.15, 0], 2, 0.015]}\n"
#define SLIDER                                                                                     \
    CRANK "  Particles: {B: 3}\n"                                                                  \
          "  Collinears: {OuB: s}\n"                                                               \
          "Angles: {phi: OA}\n"                                                                    \
          "ProblemData: {tend: 0.2, positions: {A: [0.1, 0.0], B: [0.4, 0]}, "                     \
          "fixedvelocities: {phi}, velocities: {phi: 3}}\n"
#define ROCKER                                                                                     \
    CRANK "    DB: {Geom: [[0.25, 0]], Dyna: [[0.125, 0], 1.5, 0.008]}\n"                          \
          "Angles: {phi: OA}\n"                                                                    \
          "ProblemData: {tend: 0.06, positions: {phi: 1, A: [0.05, 0.08], B: [0.3, 0.25]}, "       \
          "fixedpositions: {phi}, fixedvelocities: {phi}, velocities: {phi: 3}}\n"

/* A slider-crank whose pins and slider rub, driven by a torque. */
static void test_slider_crank(void **state) {
    (void)state;
    static const linkage l = {.length = {0.1, 0.3},
                              .mass = {1, 2, 3},
                              .inertia = {0.001, 0.015},
                              .torque = 4.0,
                              .mu = 0.1,
                              .radius = 0.01,
                              .slide = 0.15};
    static const char text[] =
        SLIDER "AppliedForces: {Gravity: [0, -9.81], Torques: {phi: 4}}\n"
               "Friction:\n"
               "  main: {Joint: ground-OA, Coefficient: 0.1, Radius: 10 mm}\n"
               "  big: {Joint: OA-AB, Coefficient: 0.1, Radius: 10 mm}\n"
               "  slide: {Joint: ground-AB, Coefficient: 0.15}\n";
    double y[2];
    reference(&l, 0.2, 0.0, 3.0, (double[]){0.0, 0.4}, y);
    /* the slider is a particle at the end of the rod: its pin has nothing to turn against */
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, 1e-12, (const double[]){0.2}, 1);
        assert_near(value(s, 0, "phi"), y[0], 1e-10, 0.0);
        assert_near(value(s, 0, "phi'"), y[1], 2e-9, 0.0);
        assert_near(value(s, 0, "slide.T"), 0.15 * value(s, 0, "slide.N"), 1e-12, 1e-12);
        assert_near(value(s, 0, "energy") - value(s, 0, "work"),
                    0.5 * 9.0 * (0.001 + 0.0025) + 0.03, 1e-12, 1e-12);
        solution_free(s);
    }
}

/* A four-bar, once by Friction and once by formulas of the loads. */
static void test_four_bar(void **state) {
    (void)state;
    static const linkage l = {.rocker = true,
                              .length = {0.1, 0.3, 0.25},
                              .mass = {1, 2, 1.5},
                              .inertia = {0.001, 0.015, 0.008},
                              .ground = 0.35,
                              .torque = 5.0,
                              .mu = 0.2,
                              .radius = 0.012};
    static const char *const text[] = {
        ROCKER "AppliedForces: {Gravity: [0, -9.81], Torques: {phi: 5}}\n"
               "Friction:\n"
               "  a: {Joint: ground-OA, Coefficient: 0.2, Radius: 12 mm}\n"
               "  b: {Joint: OA-AB, Coefficient: 0.2, Radius: 12 mm}\n"
               "  c: {Joint: AB-DB, Coefficient: 0.2, Radius: 12 mm}\n"
               "  d: {Joint: ground-DB, Coefficient: 0.2, Radius: 12 mm}\n",
        ROCKER "Define: {a: 0.0024*sqrt(ground-OA.Fx^2 + ground-OA.Fy^2),\n"
               "  b: 0.0024*sqrt(OA-AB.Fx^2 + OA-AB.Fy^2),\n"
               "  c: 0.0024*sqrt(AB-DB.Fx^2 + AB-DB.Fy^2),\n"
               "  d: 0.0024*sqrt(ground-DB.Fx^2 + ground-DB.Fy^2)}\n"
               "AppliedForces: {Gravity: [0, -9.81],\n"
               "  Torques: {OA: 5 - a - b, AB: b + c, DB: -c - d}}\n"};
    double x[2] = {0.9, 1.7}, v[2], y[2];
    for (int end = 0; end < 2; end++) { /* the pins turn as the formulas have it */
        if (end == 1) reference(&l, 0.06, 1.0, 3.0, x, y);
        close_loop(&l, end ? y[0] : 1.0, end ? y[1] : 3.0, x, v);
        assert_true(v[0] < (end ? y[1] : 3.0) && v[1] > v[0] && v[1] > 0.0);
    }
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < FORMULATIONS; f++) {
            solution *s = run(text[k], f, 1e-12, (const double[]){0.06}, 1);
            assert_int_equal(notes_of(s)->events, 0);
            assert_near(value(s, 0, "phi"), y[0], 1e-11, 0.0);
            assert_near(value(s, 0, "phi'"), y[1], 1e-10, 1e-10);
            solution_free(s);
        }
}

/* All formulations have the same reversals and the same instants at which the load of the slider
 * vanishes, and energy - work stays. */
static void test_loads_that_vanish(void **state) {
    (void)state;
    static const char text[] =
        SLIDER "AppliedForces: {Gravity: [0, -9.81], Torques: {phi: 4}}\n"
               "Friction:\n"
               "  main: {Joint: ground-OA, Coefficient: 0.1, Radius: 10 mm}\n"
               "  slide: {Joint: ground-AB, Coefficient: 0.1}\n";
    solution *first = NULL;
    for (int f = 0; f < FORMULATIONS; f++) {
        taut_run_options o = at_tolerance(1e-12);
        o.formulation = FORMULATION[f];
        o.has_tend = true;
        o.tend = 0.6;
        o.every = TAUT_EVERY_STEP;
        solution *s = solve_text(text, &o);
        const double start = value(s, 0, "energy");
        int open = 0, slip = 0;
        for (long i = 0; i < taut_result_rows(s->result); i++)
            assert_near(value(s, i, "energy") - value(s, i, "work"), start, 0.0, 1e-11);
        for (int i = 0; i < notes_of(s)->events; i++) {
            const taut_happened *e = &notes_of(s)->event[i];
            open += strcmp(e->kind, "open") == 0;
            slip += strcmp(e->kind, "slip") == 0;
            if (!first) continue;
            assert_string_equal(e->kind, notes_of(first)->event[i].kind);
            assert_near(e->t, notes_of(first)->event[i].t, 1e-11, 0.0);
        }
        assert_true(open >= 3 && slip >= 3);
        if (first) assert_int_equal(notes_of(s)->events, notes_of(first)->events);
        if (first)
            solution_free(s);
        else
            first = s;
    }
    solution_free(first);
}

/* A pendulum comes to rest where friction can hold it, and stays. */
static void test_pin_sticks(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 0.2]}}\n"
                               "Angles: {phi: OA}\n"
                               "AppliedForces: {Gravity: [0, -9.81]}\n"
                               "Friction: {pin: {Joint: ground-OA, Coefficient: 0.5, Static: 0.6, "
                               "Radius: 100 mm}}\n"
                               "ProblemData: {tend: 40, positions: {A: [1, 0]}}\n";
    solution *s = run(text, 0, 1e-10, (const double[]){30.0, 40.0}, 2);
    const taut_notes *n = notes_of(s);
    assert_string_equal(n->event[n->events - 1].kind, "stick");
    assert_near(value(s, 1, "pin.mode"), 1.0, 0.0, 0.0);
    assert_near(value(s, 1, "phi"), value(s, 0, "phi"), 0.0, 0.0);
    /* it carries the weight, and holds the moment that this has */
    assert_near(value(s, 1, "pin.N"), 2.0 * 9.81, 0.0, 1e-12);
    assert_near(fabs(0.1 * value(s, 1, "pin.T")), fabs(9.81 * cos(value(s, 1, "phi"))), 1e-11, 0.0);
    assert_true(fabs(value(s, 1, "pin.T")) < 0.6 * 2.0 * 9.81);
    solution_free(s);
}

/* A Stribeck law: a disc on a pin slows down, I w' = -r N mu(r w), closed for mu = m0/(1 + v/v0).
 */
static void test_stribeck(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0, 0], 2, 0.5]}}\n"
        "Angles: {phi: OA}\n"
        "AppliedForces: {Gravity: [0, -10]}\n"
        "Friction: {pin: {Joint: ground-OA, Coefficient: 0.3/(1 + speed/0.5), "
        "Radius: 0.1}}\n"
        "ProblemData: {tend: 60, positions: {A: [1, 0]}, velocities: {phi: "
        "20}}\n";
    solution *s = run(text, 0, 1e-12, NULL, 0);
    /* w (1 + w/10)... : w + w^2/10 = 20 + 40 - 2 r N m0/(2 I) t with r N m0/I = 1.2 */
    check_event(s, 0, (20.0 + 400.0 * 0.1 / 0.5 / 2.0) / 1.2, "pin", "stick", 1e-11);
    solution_free(s);
}

/* ---- self-locking ---- */

/* A nut on a screw, under its weight: with the lead angle a it stands if mu >= tan a, and otherwise
 * comes down with a closed form. */
static void test_screw(void **state) {
    (void)state;
    static const char form[] =
        "Dimension: 3\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0, 0], n: [0, 0, 1]}\n"
        "  Rigids: {nut: {Elements: [P, p, q], Geom: [[0, 0, 1], [1, 0, 0]],\n"
        "    Dyna: [[0, 0, 0], 3, [0.01, 0.01, 0.02]]}}\n"
        "  Joints: {thread: {Type: screw, Points: [O, P], Axes: [n, p], Pitch: 0.06, Distance: "
        "z}}\n"
        "AppliedForces: {Gravity: [0, 0, -9.81]}\n"
        "Friction: {rub: {Joint: thread, Coefficient: %.17g, Radius: 50 mm}}\n"
        "ProblemData: {tend: 1, positions: {P: [0, 0, 0], q: [1, 0, 0]}}\n";
    const double r = 0.05, slope = 0.06 / (2.0 * M_PI * r), a = atan(slope), m = 3.0, I = 0.02;
    for (int f = 0; f < FORMULATIONS; f++)
        for (int k = 0; k < 3; k++) {
            const double mu = k == 0 ? 0.05 : slope * (k == 1 ? 1.0 - 1e-6 : 1.0 + 1e-6);
            char text[1000];
            snprintf(text, sizeof text, form, mu);
            solution *s = run(text, f, 1e-12, (const double[]){1.0}, 1);
            /* m z'' = -m g + N (cos a + mu sin a), I z''/(r tan a) = r N (mu cos a - sin a) */
            const double up = cos(a) + mu * sin(a), round = r * (mu * cos(a) - sin(a));
            const double z2 = -m * 9.81 / (m - I / (r * slope) * up / round);
            assert_near(value(s, 0, "z"), k == 2 ? 0.0 : z2 / 2.0, 1e-11, 0.0);
            assert_near(value(s, 0, "rub.mode"), k == 2 ? 1.0 : 3.0, 0.0, 0.0);
            assert_near(value(s, 0, "rub.N"), k == 2 ? m * 9.81 * cos(a) : m * (z2 + 9.81) / up,
                        1e-9, 0.0);
            solution_free(s);
        }
}

/* A ladder against a wall, both of whose ends rub: it stands if tan >= (1 - mu^2)/(2 mu), although
 * nothing tells how its ends share the load. */
static void test_ladder(void **state) {
    (void)state;
    static const char form[] =
        "Dimension: 2\n"
        "PhysicalParams: {th: %.17g}\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], u: [1, 0], v: [0, 1]}\n"
        "  Rigids: {AB: {Geom: [[2, 0]], Dyna: [[1, 0], 10, 3.3]}}\n"
        "  Collinears: {OvA: y, OuB: x}\n"
        "AppliedForces: {Gravity: [0, -9.81]}\n"
        "Friction:\n"
        "  wall: {Joint: ground-AB@A, Coefficient: 0.3}\n"
        "  floor: {Joint: ground-AB@B, Coefficient: 0.3}\n"
        "ProblemData: {tend: 1, positions: {A: [0, 2*sin(th)], B: [2*cos(th), 0]}}\n";
    const double border = atan((1.0 - 0.09) / 0.6);
    for (int f = 0; f < FORMULATIONS; f++)
        for (int k = 0; k < 3; k++) {
            const double angle = k == 0 ? border - 1e-6 : k == 1 ? border + 1e-6 : 1.3;
            char text[700];
            snprintf(text, sizeof text, form, angle);
            solution *s = run(text, f, 1e-12, (const double[]){1.0}, 1);
            if (k == 0)
                assert_true(value(s, 0, "x") > 2.0 * cos(angle) + 1e-6);
            else
                assert_near(value(s, 0, "x"), 2.0 * cos(angle), 1e-15, 0.0);
            assert_true(fabs(value(s, 0, "floor.T")) <= 0.3 * value(s, 0, "floor.N") * (1 + 1e-12));
            assert_true(fabs(value(s, 0, "wall.T")) <= 0.3 * value(s, 0, "wall.N") * (1 + 1e-12));
            /* forces balance, whichever share is shown */
            if (k > 0)
                assert_near(value(s, 0, "floor.N") + value(s, 0, "wall.T"), 98.1, 1e-11, 0.0);
            solution_free(s);
        }
}

/* ---- breaks ---- */

#define ROD                                                                                        \
    "Dimension: 2\n"                                                                               \
    "PartData:\n"                                                                                  \
    "  Fixed: {O: [0, 0]}\n"                                                                       \
    "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}}\n"                                 \
    "Angles: {phi: OA}\n"                                                                          \
    "AppliedForces: {Gravity: [0, -9.81]}\n"

/* A rod that falls from the horizontal comes loose at an angle: it then flies with the velocities
 * that it has, and is caught by the impulse that stops its end. */
static void test_loose_and_caught(void **state) {
    (void)state;
    static const char text[] =
        ROD "Breaks: {hook: {Joint: ground-OA, When: phi < -1, Until: phi < -2}}\n"
            "ProblemData: {tend: 0.8, positions: {A: [1, 0]}}\n";
    const double g = 9.81, w = sqrt(3.0 * g * sin(1.0)), T = 1.0 / w; /* from -1 to -2 */
    const double px = 0.5 * cos(1.0), py = -0.5 * sin(1.0);
    const double vx = -0.5 * w * sin(1.0), vy = -0.5 * w * cos(1.0);
    /* behind it: its end at rest, angular momentum about it kept */
    const double ux = vx, uy = vy - g * T, c = 0.5 * cos(2.0), s2 = -0.5 * sin(2.0);
    const double after = (-w / 6.0 + 2.0 * (c * uy - s2 * ux)) / (2.0 / 3.0);
    const double jx = 2.0 * (-after * s2 - ux), jy = 2.0 * (after * c - uy);
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, 1e-12, NULL, 0);
        const taut_notes *n = notes_of(s);
        const double t = n->event[0].t;
        assert_int_equal(n->events, 2);
        check_event(s, 0, t, "hook", "break", 0.0);
        check_event(s, 1, t + T, "hook", "lock", 1e-12);
        assert_near(n->event[1].impulse, hypot(jx, jy), 1e-10, 0.0);
        const long last = taut_result_rows(s->result) - 1;
        /* it holds where it was caught */
        const double ox = px + vx * T - c, oy = py + vy * T - g * T * T / 2.0 - s2;
        assert_near(value(s, last, "O@OAx"), ox, 1e-10, 0.0);
        assert_near(value(s, last, "O@OAy"), oy, 1e-10, 0.0);
        assert_near(value(s, last, "hook.mode"), 1.0, 0.0, 0.0);
        assert_near(value(s, last, "energy") - value(s, last, "work"), 0.0, 1e-11, 0.0);
        solution_free(s);
    }
}

/* By its own load: F^2 = (m g)^2 (cos^2/16 + 25/4 sin^2) of a rod that has fallen by an angle. */
static void test_torn_by_load(void **state) {
    (void)state;
    static const char text[] =
        ROD "Breaks: {hook: {Joint: ground-OA, When: ground-OA.Fx^2 + ground-OA.Fy^2 > 900}}\n"
            "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n";
    const double mg = 2.0 * 9.81, square = 900.0 / (mg * mg);
    const double sine = sqrt((square - 1.0 / 16.0) / (25.0 / 4.0 - 1.0 / 16.0));
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, 1e-12, NULL, 0);
        const taut_notes *n = notes_of(s);
        assert_int_equal(n->events, 1);
        const double t = n->event[0].t, w = sqrt(3.0 * 9.81 * sine), rest = 2.0 - t;
        const long last = taut_result_rows(s->result) - 1;
        assert_near(value(s, last, "phi"), -asin(sine) - w * rest, 1e-10, 0.0);
        assert_near(value(s, last, "phi'"), -w, 1e-10, 0.0);
        assert_near(value(s, last, "hook.N"), 0.0, 0.0, 0.0);
        solution_free(s);
    }
}

/* A motor lets go of a wheel with a spring, and takes hold of it again by a torque's impulse. */
static void test_driver_lets_go(void **state) {
    (void)state;
    static const char text[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids: {OA: {Geom: [[1, 0]], Dyna: [[0, 0], 2, 0.5]}}\n"
                               "Angles: {phi: OA}\n"
                               "Drivers: {phi: 2*t}\n"
                               "AppliedForces: {Torques: {phi: -2*phi}}\n"
                               "Breaks: {motor: {Driver: phi, When: t > 1, Until: t > 1.5}}\n"
                               "ProblemData: {tend: 2, positions: {A: [1, 0]}}\n";
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, 1e-12, (const double[]){0.5, 1.25, 2.0}, 3);
        check_event(s, 0, 1.0, "motor", "break", 1e-14);
        check_event(s, 1, 1.5, "motor", "lock", 1e-14);
        /* phi = 2 cos 2 tau + sin 2 tau */
        assert_near(value(s, 0, "force_phi"), 2.0, 1e-12, 0.0);
        assert_near(value(s, 1, "force_phi"), 0.0, 0.0, 0.0);
        assert_near(value(s, 1, "phi"), 2.0 * cos(0.5) + sin(0.5), 1e-12, 0.0);
        const double rate = -4.0 * sin(1.0) + 2.0 * cos(1.0), off = 2.0 * cos(1.0) + sin(1.0);
        assert_near(notes_of(s)->event[1].impulse, fabs(0.5 * (2.0 - rate)), 1e-12, 0.0);
        assert_near(value(s, 2, "phi"), off + 1.0, 1e-12, 0.0);
        assert_near(value(s, 2, "energy") - value(s, 2, "work"), 1.0, 1e-12, 0.0);
        solution_free(s);
    }
}

/* What has let go before the start is loose from the beginning. */
static void test_loose_at_the_start(void **state) {
    (void)state;
    static const char text[] = ROD "Breaks: {hook: {Joint: ground-OA, When: t < 1}}\n"
                                   "ProblemData: {tend: 1, positions: {A: [1, 0]}}\n";
    solution *s = run(text, 0, 1e-12, (const double[]){0.5}, 1);
    assert_near(value(s, 0, "Ay"), -9.81 / 8.0, 1e-13, 0.0);
    assert_near(value(s, 0, "hook.mode"), 0.0, 0.0, 0.0);
    assert_int_equal(notes_of(s)->events, 0);
    solution_free(s);
}

/* ---- several at once ---- */

/* A rod that hits a stop: what its pin feels, and that it is nothing at the centre of percussion.
 */
static void test_joints_feel_blows(void **state) {
    (void)state;
    static const char form[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Elements: [O, A, P], Geom: [[1, 0], [%.17g, 0]], Dyna: [[0.5, 0], 2, "
        "1/6]}}\n"
        "Contacts: {stop: {Gap: Px, Restitution: 0.5}}\n"
        "ProblemData: {tend: 1, positions: {A: [0.8, -0.6]}, velocities: {A: [-1.2, -1.6]}}\n";
    for (int f = 0; f < FORMULATIONS; f++)
        for (int k = 0; k < 2; k++) {
            const double d = k == 0 ? 2.0 / 3.0 : 1.0;
            taut_run_options o = at_tolerance(1e-12);
            char text[600];
            o.formulation = FORMULATION[f];
            o.reactions = true;
            snprintf(text, sizeof text, form, d);
            solution *s = solve_text(text, &o);
            assert_int_equal(notes_of(s)->events, 2);
            assert_near(notes_of(s)->event[0].impulse, 2.0 / d, 1e-12, 0.0);
            assert_string_equal(notes_of(s)->event[1].name, "ground-OA");
            assert_near(notes_of(s)->event[1].impulse, fabs(3.0 - 2.0 / d), 1e-12, 0.0);
            solution_free(s);
        }
}

/* A stop is hit while the pin of another rod sticks: by the impulse of its own load, mu |impulse|,
 * it slips or it holds. A rod OA with a hinge in A: its end P hits the ground. */
static void test_blow_while_a_joint_sticks(void **state) {
    (void)state;
    static const char form[] = "Dimension: 2\n"
                               "PartData:\n"
                               "  Fixed: {O: [0, 0]}\n"
                               "  Rigids:\n"
                               "    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}\n"
                               "    AB: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}\n"
                               "Contacts: {stop: {Gap: By + 0.5, Restitution: 0.3}}\n"
                               "AppliedForces: {Gravity: [0, -9.81]}\n"
                               "Friction: {knee: {Joint: OA-AB, Coefficient: %g, Radius: 200 mm}}\n"
                               "ProblemData: {tend: 0.45, positions: {A: [1, 0], B: [2, 0]}}\n";
    static const char *const name[] = {"Ax", "Ay", "Bx", "By"};
    for (int k = 0; k < 2; k++) {
        solution *first = NULL;
        char text[700];
        snprintf(text, sizeof text, form, k == 0 ? 40.0 : 0.5);
        for (int f = 0; f < FORMULATIONS; f++) {
            solution *s = run(text, f, 1e-12, (const double[]){0.1, 0.3, 0.45}, 3);
            for (int row = 0; row < 3; row++)
                assert_near(value(s, row, "energy") - value(s, row, "work"), 0.0, 1e-11, 0.0);
            assert_true(notes_of(s)->events > 0);
            for (int row = 0; first && row < 3; row++)
                for (int i = 0; i < 4; i++)
                    assert_near(value(s, row, name[i]), value(first, row, name[i]), 1e-9, 0.0);
            if (k == 0) /* it holds: both rods are one */
                assert_near(hypot(value(s, 2, "Bx"), value(s, 2, "By")), 2.0, 1e-10, 0.0);
            else
                assert_true(hypot(value(s, 2, "Bx"), value(s, 2, "By")) < 1.99);
            if (first)
                solution_free(s);
            else
                first = s;
        }
        solution_free(first);
    }
}

/* One lock that closes opens another: a wheel is locked, and the brake of its neighbour, which may
 * hold only while it turns, lets go at the same instant. */
static void test_a_lock_unlocks_another(void **state) {
    (void)state;
    static const char text[] =
        "Dimension: 2\n"
        "PartData:\n"
        "  Fixed: {O: [0, 0], D: [3, 0]}\n"
        "  Rigids:\n"
        "    OA: {Geom: [[1, 0]], Dyna: [[0, 0], 1, 0.5]}\n"
        "    DB: {Geom: [[1, 0]], Dyna: [[0, 0], 1, 0.25]}\n"
        "Angles: {a: OA, b: DB}\n"
        "AppliedForces: {Torques: {b: 1}}\n"
        "Locks:\n"
        "  first: {On: a, When: t > 1}\n"
        "  second: {On: b, When: a' > 0.1}\n"
        "ProblemData: {tend: 2, positions: {A: [1, 0], B: [4, 0]}, velocities: {a: 2}}\n";
    for (int f = 0; f < FORMULATIONS; f++) {
        solution *s = run(text, f, 1e-12, (const double[]){0.5, 2.0}, 2);
        check_event(s, 0, 1.0, "first", "lock", 1e-13);
        check_event(s, 1, 1.0, "second", "unlock", 1e-13);
        assert_near(fabs(notes_of(s)->event[0].impulse), 1.0, 1e-13, 0.0);
        assert_near(value(s, 0, "second.T"), -1.0, 1e-13, 0.0);
        assert_near(value(s, 1, "a"), 2.0, 1e-13, 0.0);
        assert_near(value(s, 1, "b"), 2.0, 1e-12, 0.0); /* 4/2 t^2 */
        assert_near(value(s, 1, "energy") - value(s, 1, "work"), 1.0, 1e-12, 0.0);
        solution_free(s);
    }
}

/* ---- wrong files ---- */

typedef struct bad {
    const char *text, *message;
} bad;

/* What is wrong, word by word; of files that are refused nothing runs. */
static void test_wrong_files(void **state) {
    (void)state;
    static const bad list[] = {
        {"Friction: {f: {Joint: ground-OB, Coefficient: 1, Radius: 1}}",
         "9:23: error: there is no joint 'ground-OB': did you mean 'ground-OA'?"},
        {"Friction: {f: {Joint: ground-OA, Coefficient: 1}}",
         "9:12: error: the key 'Radius' is missing: where a pin or a thread rubs"},
        {"Friction: {f: {Joint: ground-OA, Radius: 1}}",
         "9:12: error: the key 'Coefficient' is missing: of friction, a number"},
        {"Friction: {f: {Joint: ground-OA, Coefficient: -1, Radius: 1}}",
         "9:47: error: friction is never negative"},
        {"Friction: {f: {Joint: ground-OA, Coefficient: 1, Radius: 0}}",
         "9:58: error: 'Radius' is a length above 0"},
        {"Friction: {f: {Joint: ground-OA, Coefficient: 1, Radius: 1, Force: 2}}",
         "9:68: error: friction has a level, {On: ..., Force: ...}, or it comes from a load"},
        {"Friction: {f: {Joint: rail, Coefficient: 1, Radius: 1}}",
         "9:53: error: what slides along a line has no 'Radius'"},
        {"Friction: {f: {Joint: bar, Coefficient: 1}}",
         "9:23: error: friction by load is known for pins, sliders, ball, cylindrical, planar and "
         "screw joints and points on lines, not for 'bar', a distance joint"},
        {"Friction: {f: {On: phi, Force: 0.1*sqrt(ground-OA.Fx^2)}}",
         "9:12: error: the friction of 'f' depends on 'lambda"},
        {"Breaks: {k: {When: t > 1}}", "9:10: error: the key 'Joint' is missing: what lets go"},
        {"Breaks: {k: {Joint: ground-OA}}", "9:10: error: the key 'When' is missing"},
        {"Breaks: {k: {Joint: x, When: t > 1}}", "9:21: error: there is no joint 'x'"},
        {"Breaks: {k: {Driver: x, When: t > 1}}", "9:22: error: there is no driver 'x'"},
        {"Breaks: {k: {Driver: phi, Joint: ground-OA, When: t > 1}}",
         "9:22: error: a joint or a driver breaks: an entry for each"},
        {"Breaks: {k: {Joint: ground-OA, When: t > 1}, l: {Joint: ground-OA, When: t > 2}}",
         "9:57: error: this breaks already by another entry"},
        {"Breaks: {k: {Joint: ground-OA, When: 3}}",
         "9:38: error: this formula does not change in time"},
        {"Outputs: {o: ground-OA.Fz}", "9:14: error: unknown name 'ground'"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char text[1500], line[400], message[2048] = "";
        snprintf(
            text, sizeof text,
            "Dimension: 2\n"
            "PartData:\n"
            "  Fixed: {O: [0, 0], u: [1, 0], E: [3, 0]}\n"
            "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 1]}, AB: {Geom: [[1]], Dyna: [[0.5], "
            "1, 1]}}\n"
            "  Joints: {rail: {Type: point-on-line, Points: [O, B], Axes: [u]},\n"
            "    bar: {Type: distance, Points: [A, E], Length: 2}}\n"
            "Angles: {phi: OA}\n"
            "ProblemData: {tend: 1, positions: {A: [0.8, 0.6], B: [1.6, 0]}}\n%s\n",
            list[i].text);
        taut_run_options o = taut_run_options_default();
        solution *s = try_text(text, &o);
        bool found = false;
        for (int k = 0; k < s->errors.count; k++) {
            taut_error_format(&s->errors.item[k], message, sizeof message);
            const char *at = strchr(message, ':');
            snprintf(line, sizeof line, ":%s", list[i].message);
            found = found || (at && strstr(message, line));
        }
        if (s->status == TAUT_OK || !found)
            fail_msg("%s: expected\n%s\ninstead of\n%s", list[i].text, list[i].message, message);
        solution_free(s);
    }
}

/* Three cranks of a parallelogram share the load in any way: what asks for it is refused by name.
 */
static void test_shared_loads_are_refused(void **state) {
    (void)state;
    static const char *const asks[] = {
        "Outputs: {o: ground-OA.Fx}", "Breaks: {b: {Joint: ground-OA, When: ground-OA.Fx > 1}}",
        "Friction: {f: {Joint: ground-OA, Coefficient: 0.1, Radius: 0.1}}"};
    for (int k = 0; k < 3; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 "Dimension: 2\n"
                 "PartData:\n"
                 "  Fixed: {O: [0, 0], D: [1, 0], E: [2, 0]}\n"
                 "  Rigids:\n"
                 "    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                 "    AB: {Elements: [A, B, C], Geom: [[1, 0], [2, 0]], Dyna: [[1, 0], 2, 0.5]}\n"
                 "    DB: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                 "    EC: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}\n"
                 "AppliedForces: {Gravity: }\n"
                 "ProblemData: {tend: 1, positions: {A: [0.6, 0.8], B: [1.6, 0.8], C: [2.6, "
                 "0.8]}}\n%s\n",
                 asks[k]);
        taut_run_options o = taut_run_options_default();
        solution *s = try_text(text, &o);
        assert_int_equal(s->status, TAUT_ERR_INPUT);
        assert_non_null(strstr(s->errors.item[0].message,
                               "rigid bodies do not determine the load of 'ground-OA'"));
        assert_int_equal(s->errors.item[0].line, 5);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads_by_sharing),
        cmocka_unit_test(test_loads_in_space),
        cmocka_unit_test(test_loads_leave_the_start),
        cmocka_unit_test(test_forces_by_multipliers),
        cmocka_unit_test(test_load_in_an_event),
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_loads_that_vanish),
        cmocka_unit_test(test_pin_sticks),
        cmocka_unit_test(test_stribeck),
        cmocka_unit_test(test_screw),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_loose_and_caught),
        cmocka_unit_test(test_torn_by_load),
        cmocka_unit_test(test_driver_lets_go),
        cmocka_unit_test(test_loose_at_the_start),
        cmocka_unit_test(test_joints_feel_blows),
        cmocka_unit_test(test_blow_while_a_joint_sticks),
        cmocka_unit_test(test_a_lock_unlocks_another),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_shared_loads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
