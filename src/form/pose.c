/* Poses from elements: Gram-Schmidt on world directions and on local ones, with rates. */
#include "form/pose.h"

#include <math.h>

/* A vector and its rate. */
typedef struct moving {
    double x[2][3];
} moving;

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static moving scaled(moving v, double s, double rate) {
    for (int i = 0; i < 3; i++) {
        v.x[1][i] = s * v.x[1][i] + rate * v.x[0][i];
        v.x[0][i] *= s;
    }
    return v;
}

/* v / |v| */
static moving unit(moving v) {
    const double length = sqrt(dot(v.x[0], v.x[0])), change = dot(v.x[0], v.x[1]) / length;
    return scaled(v, 1.0 / length, -change / (length * length));
}

/* v without its part along the unit vector u */
static moving rest(moving v, moving u) {
    const double part = dot(v.x[0], u.x[0]);
    const moving along = scaled(u, part, dot(v.x[1], u.x[0]) + dot(v.x[0], u.x[1]));
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) v.x[k][i] -= along.x[k][i];
    return v;
}

static moving cross(moving a, moving b) {
    moving c;
    for (int i = 0; i < 3; i++) {
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        c.x[0][i] = a.x[0][p] * b.x[0][q] - a.x[0][q] * b.x[0][p];
        c.x[1][i] = a.x[1][p] * b.x[0][q] - a.x[1][q] * b.x[0][p] + a.x[0][p] * b.x[1][q] -
                    a.x[0][q] * b.x[1][p];
    }
    return c;
}

/* A right-handed frame from one or two directions; in the plane z is the third axis. */
static void make_frame(int dimension, int directions, const moving *d, moving *axis) {
    axis[0] = unit(d[0]);
    if (dimension == 2) {
        axis[2] = (moving){{{0.0, 0.0, 1.0}}};
        axis[1] = cross(axis[2], axis[0]);
    } else if (directions == 2) {
        axis[1] = unit(rest(d[1], axis[0]));
        axis[2] = cross(axis[0], axis[1]);
    }
}

static moving local_vector(const taut_graph *graph, taut_vec v) {
    moving m = {0};
    for (int i = 0; i < v.n; i++) m.x[0][i] = taut_node_get(graph, v.c[i])->value;
    return m;
}

taut_pose taut_pose_of(const taut_graph *graph, const taut_mechanism *m, int body,
                       const double (*element)[2][3]) {
    const taut_body *b = &m->body[body];
    const double(*first)[3] = element[b->element[0]];
    const int directions = (b->elements < m->dimension ? b->elements : m->dimension) - 1;
    moving here[2] = {0}, there[2] = {0}, q[3] = {0}, axis[3] = {0};
    taut_pose pose = {0};
    for (int i = 1; i <= directions; i++) {
        const int e = b->element[i];
        here[i - 1] = local_vector(graph, b->local[i]);
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 3; c++)
                there[i - 1].x[k][c] =
                    element[e][k][c] - (m->element[e].is_vector ? 0.0 : first[k][c]);
    }
    make_frame(m->dimension, directions, here, q);
    make_frame(m->dimension, directions, there, axis);
    const bool rod = m->dimension == 3 && directions == 1;
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++) {
            pose.origin[k][c] = first[k][c];
            if (rod) pose.axis[k][0][c] = axis[0].x[k][c];
            for (int j = 0; j < 3 && !rod; j++) /* R e_j = sum of axis_i (q_i . e_j) */
                for (int i = 0; i < 3; i++) pose.axis[k][j][c] += axis[i].x[k][c] * q[i].x[0][j];
        }
    return pose;
}

void taut_pose_omega(const taut_pose *p, double omega[3]) {
    for (int i = 0; i < 3; i++) { /* half the sum of axis x axis' */
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        omega[i] = 0.0;
        for (int k = 0; k < 3; k++)
            omega[i] +=
                0.5 * (p->axis[0][k][a] * p->axis[1][k][b] - p->axis[0][k][b] * p->axis[1][k][a]);
    }
}

/* The largest of the four comes from a square root, the others from quotients by it. */
void taut_pose_euler(const taut_pose *p, double e[4]) {
    const double(*column)[3] = p->axis[0];
    const double trace = column[0][0] + column[1][1] + column[2][2];
    double square[4] = {1.0 + trace};
    int largest = 0;
    for (int i = 0; i < 3; i++) square[i + 1] = 1.0 + 2.0 * column[i][i] - trace;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[largest]) largest = i;
    const double e_largest = 0.5 * sqrt(square[largest]), f = 0.25 / e_largest;
    e[largest] = e_largest;
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        const double turn = column[a][b] - column[b][a]; /* 4 e0 e_i */
        if (largest == 0) e[i + 1] = f * turn;
        if (largest == i + 1) {
            e[0] = f * turn;
            e[a + 1] = f * (column[i][a] + column[a][i]);
            e[b + 1] = f * (column[i][b] + column[b][i]);
        }
    }
    double norm = 0.0;
    for (int i = 0; i < 4; i++) norm += e[i] * e[i];
    norm = (e[0] < 0.0 ? -1.0 : 1.0) * sqrt(norm);
    for (int i = 0; i < 4; i++) e[i] /= norm;
}
