/* Surfaces of triangles from files: STL (binary and text) and OBJ. Equal corners are one, so that
 * it can be told whether a surface is closed, and its volume integrals are exact. */
#ifndef TAUT_CORE_MESH_H
#define TAUT_CORE_MESH_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

/* Volume, first and second moments of what a closed surface encloses: exact for triangles. */
typedef struct taut_mesh_moments {
    double volume;
    double centroid[3];
    double inertia[3][3]; /* about the centroid, for density 1 */
} taut_mesh_moments;

typedef struct taut_mesh {
    const char *path; /* as messages call it */
    long corners, triangles;
    double (*corner)[3];       /* [corners] */
    int (*triangle)[3];        /* [triangles] corners, counter-clockwise from outside */
    bool measured;             /* by taut_mesh_measure: ... */
    long open;                 /* ... how many edges are open, 0: it is closed; ... */
    taut_mesh_moments moments; /* ... and what it encloses, if it is */
    taut_arena arena;          /* holds all of it */
} taut_mesh;

/* Reads the file `path`. What is wrong with it goes to errors (may be NULL); *mesh is then NULL.
 * Refused: what is neither .stl nor .obj, no triangles, numbers that are none, corners that do not
 * exist, more than 64 MB or 2 million triangles. */
taut_status taut_mesh_read(const char *path, taut_mesh **mesh, taut_errors *errors);
/* The same for `length` bytes, which are followed by a NUL; path says by its ending what they are.
 */
taut_status taut_mesh_parse(const char *path, const char *bytes, long length, taut_mesh **mesh,
                            taut_errors *errors);
void taut_mesh_free(taut_mesh **mesh);

/* How many edges have not as many triangles on one side as on the other; 0: it is closed. -1: no
 * memory. */
long taut_mesh_open_edges(const taut_mesh *mesh);
/* For a closed mesh. Inside out counts as outside in. */
taut_mesh_moments taut_mesh_integrate(const taut_mesh *mesh);
/* Both of these, kept in the mesh, once. */
taut_status taut_mesh_measure(taut_mesh *mesh);
/* A copy with at most `most` triangles: corners in one cell of a grid become one. */
taut_status taut_mesh_reduce(const taut_mesh *mesh, long most, taut_mesh **result);

#endif
