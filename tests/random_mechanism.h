/* Random mechanisms as texts: chains of bodies in joints of all kinds, closed by a distance, a
 * spring or a constraint that is a formula, in any unit of length and mass (the parameters L and
 * m), at a start that satisfies everything. The same seed gives the same mechanism. */
#ifndef TAUT_TESTS_RANDOM_MECHANISM_H
#define TAUT_TESTS_RANDOM_MECHANISM_H

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RANDOM_BODIES = 3 };

/* How the end of the chain is held. */
typedef enum random_end {
    RANDOM_FREE,
    RANDOM_SPRING,   /* to the ground, with a damper */
    RANDOM_DISTANCE, /* to the ground */
    RANDOM_FORMULA,  /* d . (Q_last - C) - c = 0 with a direction d of the first body */
    RANDOM_ANGLES,   /* the sum of two angles stays: formula of the coordinates */
    RANDOM_ENDS
} random_end;

typedef struct random_mechanism {
    unsigned long long seed;
    int dimension, bodies;
    random_end end;
    char text[6000];
    size_t used;
    double place[RANDOM_BODIES + 1][3]; /* of Q; of the ground: the first */
    double axes[RANDOM_BODIES + 1][3][3];
    bool turns[RANDOM_BODIES]; /* its joint is revolute, with an angle */
    double angle[RANDOM_BODIES];
} random_mechanism;

static inline double random_between(random_mechanism *r, double low, double high) {
    r->seed = r->seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(r->seed >> 11) / 9007199254740992.0;
}

static inline int random_below(random_mechanism *r, int count) {
    return (int)random_between(r, 0.0, (double)count - 1e-9);
}

__attribute__((format(printf, 2, 3))) static inline void random_add(random_mechanism *r,
                                                                    const char *format, ...) {
    va_list list;
    va_start(list, format);
    r->used += (size_t)vsnprintf(r->text + r->used, sizeof r->text - r->used, format, list);
    va_end(list);
    assert_true(r->used < sizeof r->text);
}

/* A vector of the world, times a unit. */
static inline void random_vector(random_mechanism *r, const double *v, const char *unit) {
    random_add(r, "[");
    for (int i = 0; i < r->dimension; i++) random_add(r, "%s%.17g%s", i ? ", " : "", v[i], unit);
    random_add(r, "]");
}

/* Turns axes about one of them. */
static inline void random_turn(double axes[3][3], int about, double angle) {
    const int p = (about + 1) % 3, q = (about + 2) % 3;
    for (int i = 0; i < 3; i++) {
        const double a = axes[p][i], b = axes[q][i];
        axes[p][i] = cos(angle) * a + sin(angle) * b;
        axes[q][i] = cos(angle) * b - sin(angle) * a;
    }
}

/* The joint of body b with what comes before it; moves `at` along with it. */
static inline void random_joint(random_mechanism *r, int b, double at[3], double axes[3][3]) {
    static const char *const plane[] = {"revolute", "prismatic", "point-on-line"};
    static const char *const space[] = {"revolute",  "prismatic", "cylindrical",   "spherical",
                                        "universal", "planar",    "point-on-plane"};
    const bool flat = r->dimension == 2;
    /* a joint that holds little is the last one, and angles that are tied exist */
    const bool hinge = r->end == RANDOM_ANGLES && b < 2;
    const int kinds = flat ? (b + 1 < r->bodies ? 2 : 3) : (b + 1 < r->bodies ? 5 : 7);
    const char *kind = (flat ? plane : space)[hinge ? 0 : random_below(r, kinds)];
    char before[16], u[16], v[16], w[16];
    snprintf(before, sizeof before, b ? "Q%d" : "O", b - 1);
    snprintf(u, sizeof u, b ? "u%d" : "e", b - 1);
    snprintf(v, sizeof v, b ? "v%d" : "f", b - 1);
    snprintf(w, sizeof w, "%s", strcmp(kind, "universal") == 0 ? "v" : "u");
    random_add(r, "    j%d: {Type: %s, Points: [%s, P%d]", b, kind, before, b);
    const double slide = random_between(r, 0.2, 0.6), turn = random_between(r, -1.0, 1.0);
    const bool slides = strcmp(kind, "prismatic") == 0 || strcmp(kind, "cylindrical") == 0 ||
                        strcmp(kind, "point-on-line") == 0;
    const bool lies = strcmp(kind, "planar") == 0 || strcmp(kind, "point-on-plane") == 0;
    r->turns[b] = strcmp(kind, "revolute") == 0;
    r->angle[b] = turn;
    if (strncmp(kind, "point", 5) == 0)
        random_add(r, ", Axes: [%s]", u);
    else if (strcmp(kind, "spherical") != 0 && (!flat || slides))
        random_add(r, ", Axes: [%s, %s%d]", u, w, b);
    if (!flat && (strcmp(kind, "prismatic") == 0 || r->turns[b]))
        random_add(r, ", Normals: [%s, v%d]", v, b);
    if (r->turns[b]) random_add(r, ", Angle: a%d", b);
    if (slides) random_add(r, ", Distance: s%d", b);
    random_add(r, "}\n");
    for (int i = 0; i < 3; i++)
        at[i] += slides ? slide * axes[0][i] : lies ? slide * axes[1][i] : 0;
    if (strcmp(kind, "prismatic") == 0) return;
    random_turn(axes, flat ? 2 : 0, turn);
    if (strcmp(kind, "universal") == 0) random_turn(axes, 2, random_between(r, -0.6, 0.6));
    if (strcmp(kind, "spherical") == 0 || strcmp(kind, "point-on-plane") == 0)
        for (int k = 1; k < 3 && !flat; k++) random_turn(axes, k, random_between(r, -0.6, 0.6));
}

static inline void random_body(random_mechanism *r, int b, double local[3]) {
    const double mass = random_between(r, 0.5, 3.0);
    for (int i = 0; i < 3; i++) local[i] = random_between(r, -0.4, 0.4) + (i == 0 ? 0.8 : 0.0);
    if (r->dimension == 2) local[2] = 0.0;
    random_add(r, "    B%d: {Elements: [P%d, u%d, %s%.0d%sQ%d], Geom: [[1], %s", b, b, b,
               r->dimension == 3 ? "v" : "", r->dimension == 3 && b ? b : 0,
               r->dimension == 3 ? (b ? ", " : "0, ") : "", b, r->dimension == 3 ? "[0, 1], " : "");
    random_vector(r, local, "*L");
    const double centre[3] = {random_between(r, 0.1, 0.6), random_between(r, -0.2, 0.2),
                              random_between(r, -0.2, 0.2)};
    random_add(r, "], Dyna: [");
    random_vector(r, centre, "*L");
    random_add(r, ", %.17g*m, ", mass);
    if (r->dimension == 2)
        random_add(r, "%.17g*m*L^2]}\n", 0.1 * mass);
    else
        random_add(r, "[%.17g*m*L^2, %.17g*m*L^2, %.17g*m*L^2]]}\n", 0.10 * mass, 0.12 * mass,
                   0.13 * mass);
}

static inline void random_hold(random_mechanism *r) {
    const int last = r->bodies - 1;
    double far[3] = {1.3, -1.7, 0.4}, gap = 0.0, along = 0.0;
    for (int i = 0; i < r->dimension; i++) {
        gap += (far[i] - r->place[r->bodies][i]) * (far[i] - r->place[r->bodies][i]);
        along += r->axes[1][r->dimension - 2][i] * (r->place[r->bodies][i] - far[i]);
    }
    if (r->end == RANDOM_DISTANCE)
        random_add(r, "    tie: {Type: distance, Points: [C, Q%d], Length: %.17g*L}\n", last,
                   sqrt(gap));
    if (r->end == RANDOM_SPRING) random_add(r, "  Springs: {CQ%d: [30*m, 1.1*L]}\n", last);
    if (r->end == RANDOM_SPRING) random_add(r, "  Dampers: {OQ%d: 0.3*m}\n", last);
    if (r->end == RANDOM_FORMULA)
        random_add(r, "Constraints: {hold: 'dot(%s, Q%d - C) - %.17g*L'}\n",
                   r->dimension == 2 ? "u0" : "v0", last, along);
    if (r->end == RANDOM_ANGLES)
        random_add(r, "Constraints: {hold: 'a0 + 2*a1 - %.17g'}\n",
                   r->angle[0] + 2.0 * r->angle[1]);
}

/* Makes the text. L and m: the size of a metre and of a kilogram in the model's units. */
static inline void random_make(random_mechanism *r, int number, double L, double m) {
    double at[3] = {0}, axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double local[RANDOM_BODIES][3], points[RANDOM_BODIES][3];
    *r = (random_mechanism){.seed = 977u * (unsigned long long)number + 5u};
    for (int i = 0; i < 9; i++) random_between(r, 0.0, 1.0);
    r->dimension = 2 + number % 2;
    r->end = (random_end)((number / 2) % RANDOM_ENDS);
    r->bodies = r->end == RANDOM_ANGLES ? 2 + number % 2 : 2 + random_below(r, RANDOM_BODIES - 1);
    random_add(r, "PhysicalParams: {L: %.17g, m: %.17g}\nDimension: %d\nPartData:\n  Fixed: {", L,
               m, r->dimension);
    random_add(r, r->dimension == 2
                      ? "O: [0, 0], e: [1, 0], C: [1.3*L, -1.7*L]}\n"
                      : "O: [0, 0, 0], e: [1, 0, 0], f: [0, 1, 0], C: [1.3*L, -1.7*L, 0.4*L]}\n");
    random_add(r, "  Rigids:\n");
    for (int b = 0; b < r->bodies; b++) random_body(r, b, local[b]);
    random_add(r, "  Joints:\n");
    for (int b = 0; b < r->bodies; b++) {
        random_joint(r, b, at, axes);
        memcpy(points[b], at, sizeof at);
        memcpy(r->axes[b + 1], axes, sizeof axes);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) at[i] += local[b][k] * axes[k][i];
        memcpy(r->place[b + 1], at, sizeof at);
    }
    random_hold(r);
    random_add(r, "AppliedForces: {Gravity: [0, -9.81*L%s]}\nProblemData:\n  tend: 0.5\n",
               r->dimension == 3 ? ", 2*L" : "");
    random_add(r, "  positions:\n");
    for (int b = 0; b < r->bodies; b++) {
        random_add(r, "    P%d: ", b);
        random_vector(r, points[b], "*L");
        random_add(r, "\n    Q%d: ", b);
        random_vector(r, r->place[b + 1], "*L");
        for (int k = 0; k < r->dimension - 1; k++) {
            random_add(r, "\n    %c%d: ", "uv"[k], b);
            random_vector(r, r->axes[b + 1][k], "");
        }
        random_add(r, "\n");
    }
}

#endif
