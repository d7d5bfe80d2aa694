/* Geometry in space for tests: vectors, rotations, where circles and spheres meet. */
#ifndef TAUT_TESTS_SPACE_H
#define TAUT_TESTS_SPACE_H

#include "solve_text.h"

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 add_scaled(vec3 a, double k, vec3 b) {
    return (vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static inline vec3 subtract(vec3 a, vec3 b) { return add_scaled(a, -1.0, b); }
static inline double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double norm(vec3 a) { return sqrt(dot(a, a)); }

static inline vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vec3 unit(vec3 a) { return add_scaled((vec3){0, 0, 0}, 1.0 / norm(a), a); }

/* Turned about an axis, right-handed (Rodrigues). */
static inline vec3 rotated(vec3 axis, double angle, vec3 v) {
    const vec3 u = unit(axis), along = add_scaled((vec3){0, 0, 0}, dot(u, v), u);
    const vec3 across = subtract(v, along);
    return add_scaled(add_scaled(along, cos(angle), across), sin(angle), cross(u, across));
}

/* Where `start` gets to, turned about an axis through `hinge`, at this distance from `centre`: the
 * smaller turn. */
static inline vec3 on_circle_and_sphere(vec3 hinge, vec3 axis, vec3 start, vec3 centre,
                                        double distance) {
    const vec3 u = unit(axis), p = subtract(start, hinge);
    const vec3 across = subtract(p, add_scaled((vec3){0, 0, 0}, dot(u, p), u));
    const vec3 from = subtract(subtract(start, across), centre); /* a cos + b sin = c */
    const double a = dot(across, from), b = dot(cross(u, across), from);
    const double c = (distance * distance - dot(from, from) - dot(across, across)) / 2.0;
    const double middle = atan2(b, a), half = acos(c / hypot(a, b));
    const double one = remainder(middle + half, 2.0 * M_PI),
                 two = remainder(middle - half, 2.0 * M_PI);
    return add_scaled(hinge, 1.0, rotated(axis, fabs(one) < fabs(two) ? one : two, p));
}

/* Axes that three points make: from the first to the second, in their plane, across it. */
static inline void axes_of(const vec3 point[3], vec3 axis[3]) {
    const vec3 second = subtract(point[2], point[0]);
    axis[0] = unit(subtract(point[1], point[0]));
    axis[1] = unit(add_scaled(second, -dot(axis[0], second), axis[0]));
    axis[2] = cross(axis[0], axis[1]);
}

/* The point at given distances from three others, near `start`. */
static inline vec3 near_three(vec3 start, const vec3 centre[3], const double distance[3]) {
    vec3 axis[3];
    axes_of(centre, axis);
    const vec3 third = subtract(centre[2], centre[0]);
    const double d = norm(subtract(centre[1], centre[0])), i = dot(axis[0], third),
                 j = dot(axis[1], third);
    const double r = distance[0] * distance[0];
    const double x = (r - distance[1] * distance[1] + d * d) / (2.0 * d);
    const double y = (r - distance[2] * distance[2] + i * i + j * j) / (2.0 * j) - i / j * x;
    const double z = sqrt(r - x * x - y * y);
    const vec3 flat = add_scaled(add_scaled(centre[0], x, axis[0]), y, axis[1]);
    const vec3 one = add_scaled(flat, z, axis[2]), two = add_scaled(flat, -z, axis[2]);
    return norm(subtract(one, start)) < norm(subtract(two, start)) ? one : two;
}

/* Where a point of a body gets to whose points from[] get to to[]. */
static inline vec3 carried(vec3 point, const vec3 from[3], const vec3 to[3]) {
    vec3 old[3], new[3], result = to[0];
    axes_of(from, old);
    axes_of(to, new);
    for (int k = 0; k < 3; k++)
        result = add_scaled(result, dot(old[k], subtract(point, from[0])), new[k]);
    return result;
}

/* A point or vector of the results. */
static inline vec3 vector_of(const solution *s, long row, const char *name) {
    char own[3][32];
    for (int k = 0; k < 3; k++) snprintf(own[k], sizeof own[k], "%s%c", name, "xyz"[k]);
    return (vec3){value_of(s, row, own[0]), value_of(s, row, own[1]), value_of(s, row, own[2])};
}

static inline void assert_vector(const solution *s, long row, const char *name, vec3 want,
                                 double error) {
    const vec3 got = vector_of(s, row, name);
    assert_near(got.x, want.x, error, 0.0);
    assert_near(got.y, want.y, error, 0.0);
    assert_near(got.z, want.z, error, 0.0);
}

#endif
