/* Algebra of frames and masses. */
#include "import/frame.h"

#include <math.h>
#include <string.h>

const taut_robot_frame taut_frame_none = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

/* cos and sin of multiples of a right angle are off by 1e-17 in files with pi/2 to 16 digits. */
static double clean(double x) {
    if (fabs(x) < 1e-15) return 0.0;
    return fabs(fabs(x) - 1.0) < 1e-15 ? copysign(1.0, x) : x;
}

void taut_matrix_multiply(const double a[9], const double b[9], double out[9]) {
    double c[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    memcpy(out, c, sizeof c);
}

void taut_frame_axis_angle(const double axis[3], double angle, double R[9]) {
    double u[3] = {axis[0], axis[1], axis[2]};
    memcpy(R, taut_frame_none.R, sizeof taut_frame_none.R);
    if (!taut_unit(u)) return;
    const double c = clean(cos(angle)), s = clean(sin(angle));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[3 * i + j] = (1.0 - c) * u[i] * u[j] + (i == j ? c : 0.0);
    R[1] -= s * u[2], R[2] += s * u[1], R[3] += s * u[2];
    R[5] -= s * u[0], R[6] -= s * u[1], R[7] += s * u[0];
}

void taut_frame_rpy(const double rpy[3], double R[9]) {
    double x[9], y[9], z[9];
    taut_frame_axis_angle((const double[]){1, 0, 0}, rpy[0], x);
    taut_frame_axis_angle((const double[]){0, 1, 0}, rpy[1], y);
    taut_frame_axis_angle((const double[]){0, 0, 1}, rpy[2], z);
    taut_matrix_multiply(z, y, R);
    taut_matrix_multiply(R, x, R);
}

bool taut_frame_quaternion(const double q[4], double R[9]) {
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(n > 1e-12)) return false;
    const double w = q[0] / n, x = q[1] / n, y = q[2] / n, z = q[3] / n;
    const double out[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 9; i++) R[i] = clean(out[i]);
    return true;
}

void taut_frame_from_z(const double z[3], double R[9]) {
    double u[3] = {z[0], z[1], z[2]};
    memcpy(R, taut_frame_none.R, sizeof taut_frame_none.R);
    if (!taut_unit(u)) return;
    const double across[3] = {-u[1], u[0], 0.0};
    const double angle = atan2(hypot(u[0], u[1]), u[2]);
    if (across[0] == 0.0 && across[1] == 0.0)
        taut_frame_axis_angle((const double[]){1, 0, 0}, angle, R);
    else
        taut_frame_axis_angle(across, angle, R);
}

void taut_rotate(const double R[9], const double v[3], double out[3]) {
    const double x = v[0], y = v[1], z = v[2];
    for (int i = 0; i < 3; i++) out[i] = R[3 * i] * x + R[3 * i + 1] * y + R[3 * i + 2] * z;
}

void taut_frame_point(const taut_robot_frame *f, const double v[3], double out[3]) {
    taut_rotate(f->R, v, out);
    for (int i = 0; i < 3; i++) out[i] += f->p[i];
}

taut_robot_frame taut_frame_compose(const taut_robot_frame *outer, const taut_robot_frame *inner) {
    taut_robot_frame f;
    taut_matrix_multiply(outer->R, inner->R, f.R);
    taut_frame_point(outer, inner->p, f.p);
    return f;
}

taut_robot_frame taut_frame_inverse(const taut_robot_frame *f) {
    taut_robot_frame out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.R[3 * i + j] = f->R[3 * j + i];
    taut_rotate(out.R, f->p, out.p);
    for (int i = 0; i < 3; i++) out.p[i] = -out.p[i];
    return out;
}

bool taut_unit(double v[3]) {
    const double n = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(n > 1e-12)) return false;
    for (int i = 0; i < 3; i++) v[i] /= n;
    return true;
}

void taut_across(const double u[3], double out[3]) {
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(u[i]) < fabs(u[least])) least = i;
    double e[3] = {0};
    e[least] = 1.0;
    const double along = u[least];
    for (int i = 0; i < 3; i++) out[i] = e[i] - along * u[i];
    taut_unit(out);
}

taut_mass taut_mass_move(const taut_robot_frame *f, const taut_mass *in) {
    taut_mass m = {.mass = in->mass};
    double turned[9], back[9];
    taut_frame_point(f, in->centre, m.centre);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) back[3 * i + j] = f->R[3 * j + i];
    taut_matrix_multiply(f->R, in->inertia, turned);
    taut_matrix_multiply(turned, back, m.inertia);
    for (int i = 0; i < 3; i++) /* symmetric to the last bit */
        for (int j = 0; j < i; j++)
            m.inertia[3 * i + j] = m.inertia[3 * j + i] =
                0.5 * (m.inertia[3 * i + j] + m.inertia[3 * j + i]);
    return m;
}

/* The inertia of a mass at a distance d: m (d.d 1 - d d'). */
static void add_steiner(double mass, const double d[3], double inertia[9]) {
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia[3 * i + j] += mass * ((i == j ? square : 0.0) - d[i] * d[j]);
}

taut_mass taut_mass_add(const taut_mass *a, const taut_mass *b) {
    taut_mass m = {.mass = a->mass + b->mass};
    double to_a[3], to_b[3];
    if (!(b->mass > 0.0) && !(a->mass > 0.0)) memcpy(m.centre, a->centre, sizeof m.centre);
    for (int i = 0; m.mass > 0.0 && i < 3; i++)
        m.centre[i] = (a->mass * a->centre[i] + b->mass * b->centre[i]) / m.mass;
    for (int i = 0; i < 9; i++) m.inertia[i] = a->inertia[i] + b->inertia[i];
    for (int i = 0; i < 3; i++) {
        to_a[i] = a->centre[i] - m.centre[i];
        to_b[i] = b->centre[i] - m.centre[i];
    }
    add_steiner(a->mass, to_a, m.inertia);
    add_steiner(b->mass, to_b, m.inertia);
    return m;
}

bool taut_mass_is_possible(const taut_mass *m) {
    const double *I = m->inertia;
    const double trace = I[0] + I[4] + I[8];
    if (!(trace >= 0.0)) return false;
    /* J = tr(I)/2 - I, the second moments, must have no negative principal minor */
    const double slack = 1e-9 * trace + 1e-300;
    const double a = 0.5 * trace - I[0] + slack, b = 0.5 * trace - I[4] + slack;
    const double c = 0.5 * trace - I[8] + slack, d = -I[1], e = -I[2], f = -I[5];
    const double cube = slack * trace * trace;
    return a >= 0.0 && b >= 0.0 && c >= 0.0 && a * b - d * d >= -slack * trace &&
           a * c - e * e >= -slack * trace && b * c - f * f >= -slack * trace &&
           a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e) >= -cube;
}
