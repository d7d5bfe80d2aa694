/* Is a surface closed, and what does it enclose: sums over the tetrahedra from one point to all
 * triangles, whose integrals of 1, x and x y are exact. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/mesh.h"

/* An edge with the surplus of triangles that run through it from the lower corner to the higher. */
typedef struct edge {
    int low, high, surplus;
} edge;

static void count_edge(edge *table, size_t slots, int from, int to) {
    const int low = from < to ? from : to, high = from < to ? to : from;
    size_t s = taut_hash_pair((uint64_t)low, (uint64_t)high) & (slots - 1);
    while (table[s].high != 0 && (table[s].low != low || table[s].high != high))
        s = (s + 1) & (slots - 1);
    table[s].low = low;
    table[s].high = high;
    table[s].surplus += from < to ? 1 : -1;
}

long taut_mesh_open_edges(const taut_mesh *m) {
    size_t slots = 64, room = 0;
    edge *table = NULL;
    long open = 0;
    while (slots < 6 * (size_t)m->triangles) slots *= 2;
    if (taut_grow((void **)&table, &room, slots, sizeof *table)) return -1;
    memset(table, 0, slots * sizeof *table);
    for (long t = 0; t < m->triangles; t++)
        for (int i = 0; i < 3; i++)
            count_edge(table, slots, m->triangle[t][i], m->triangle[t][(i + 1) % 3]);
    for (size_t s = 0; s < slots; s++) open += table[s].surplus != 0;
    taut_release((void **)&table);
    return open;
}

/* With a, b, c seen from the common point: V = a . (b x c)/6, integral of x_i x_j =
 * V/20 (a_i a_j + b_i b_j + c_i c_j + s_i s_j), s = a + b + c. */
static void add_tetrahedron(double (*v)[3], double *volume, double first[3], double second[3][3]) {
    const double *a = v[0], *b = v[1], *c = v[2];
    const double V = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0])) /
                     6.0;
    double s[3];
    for (int i = 0; i < 3; i++) s[i] = a[i] + b[i] + c[i];
    *volume += V;
    for (int i = 0; i < 3; i++) {
        first[i] += V * s[i] / 4.0;
        for (int j = 0; j < 3; j++)
            second[i][j] += V / 20.0 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
    }
}

taut_mesh_moments taut_mesh_integrate(const taut_mesh *m) {
    taut_mesh_moments r = {0};
    double first[3] = {0}, second[3][3] = {{0}}, volume = 0.0, middle[3] = {0}, trace = 0.0;
    for (long c = 0; c < m->corners; c++)
        for (int i = 0; i < 3; i++) middle[i] += m->corner[c][i] / (double)m->corners;
    for (long t = 0; t < m->triangles; t++) {
        double v[3][3];
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) v[k][i] = m->corner[m->triangle[t][k]][i] - middle[i];
        add_tetrahedron(v, &volume, first, second);
    }
    r.volume = fabs(volume);
    if (!(r.volume > 0.0)) return r;
    for (int i = 0; i < 3; i++) first[i] /= volume;
    for (int i = 0; i < 3; i++) {
        r.centroid[i] = middle[i] + first[i];
        for (int j = 0; j < 3; j++)
            second[i][j] = r.volume * (second[i][j] / volume - first[i] * first[j]);
        trace += second[i][i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.inertia[i][j] = (i == j ? trace : 0.0) - second[i][j];
    return r;
}

taut_status taut_mesh_measure(taut_mesh *m) {
    if (m->measured) return TAUT_OK;
    m->open = taut_mesh_open_edges(m);
    if (m->open < 0) return TAUT_ERR_MEMORY;
    if (m->open == 0) m->moments = taut_mesh_integrate(m);
    m->measured = true;
    return TAUT_OK;
}
