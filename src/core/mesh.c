/* Reading surfaces: triangles with three corners each, from STL or OBJ. */
#include "core/mesh.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/number.h"

enum { MOST_BYTES = 64 << 20, MOST_TRIANGLES = 2000000, STL_HEAD = 84, STL_FACET = 50 };

/* What is being read: arrays that grow. */
typedef struct builder {
    const char *path;
    taut_errors *errors;
    double (*corner)[3];
    long corners;
    size_t corner_room;
    int (*triangle)[3];
    long triangles;
    size_t triangle_room;
    const char *begin; /* of the line that is read; NULL: the file has no lines */
    int line, column;  /* where reading is, from 1 on; 0: nowhere in particular */
} builder;

#define REFUSE(b, ...)                                                                             \
    taut_fail_at((b)->errors, TAUT_ERR_INPUT,                                                      \
                 (taut_place){.path = (b)->path, .line = (b)->line, .column = (b)->column},        \
                 __VA_ARGS__)

static taut_status add_corner(builder *b, const double x[3]) {
    for (int i = 0; i < 3; i++)
        if (!(fabs(x[i]) < 1e30)) return REFUSE(b, "a coordinate of a corner is no number");
    if (b->corners >= 3L * MOST_TRIANGLES)
        return REFUSE(b, "a mesh has at most %d triangles", MOST_TRIANGLES);
    if (taut_grow((void **)&b->corner, &b->corner_room, (size_t)b->corners + 1, sizeof *b->corner))
        return TAUT_ERR_MEMORY;
    memcpy(b->corner[b->corners++], x, sizeof *b->corner);
    return TAUT_OK;
}

static taut_status add_triangle(builder *b, long i, long j, long k) {
    if (b->triangles >= MOST_TRIANGLES)
        return REFUSE(b, "a mesh has at most %d triangles", MOST_TRIANGLES);
    if (taut_grow((void **)&b->triangle, &b->triangle_room, (size_t)b->triangles + 1,
                  sizeof *b->triangle))
        return TAUT_ERR_MEMORY;
    int *t = b->triangle[b->triangles++];
    t[0] = (int)i;
    t[1] = (int)j;
    t[2] = (int)k;
    return TAUT_OK;
}

/* ---- STL ---- */

static uint32_t word_at(const char *bytes) {
    const unsigned char *p = (const unsigned char *)bytes;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double float_at(const char *bytes) {
    const uint32_t word = word_at(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

/* Binary files say how many triangles they have, and are as long as that. Text begins with "solid",
 * but so do some binary ones. */
static bool is_binary(const char *bytes, long length) {
    return length >= STL_HEAD &&
           (long long)length == STL_HEAD + (long long)STL_FACET * word_at(bytes + 80);
}

static taut_status read_binary(builder *b, const char *bytes) {
    const long count = (long)word_at(bytes + 80);
    if (count > MOST_TRIANGLES) return REFUSE(b, "a mesh has at most %d triangles", MOST_TRIANGLES);
    for (long t = 0; t < count; t++) {
        const char *facet = bytes + STL_HEAD + t * STL_FACET + 12; /* behind its normal */
        for (int c = 0; c < 3; c++) {
            double x[3];
            for (int i = 0; i < 3; i++) x[i] = float_at(facet + 12 * c + 4 * i);
            TAUT_TRY(add_corner(b, x));
        }
        TAUT_TRY(add_triangle(b, 3 * t, 3 * t + 1, 3 * t + 2));
    }
    return TAUT_OK;
}

/* Three numbers from p on, in one line. */
static bool read_three(const char *p, double x[3]) {
    for (int i = 0; i < 3; i++) {
        char *end;
        while (*p == ' ' || *p == '\t') p++;
        if (*p == '\n' || *p == '\r' || !*p) return false;
        x[i] = taut_number_parse(p, &end);
        if (end == p) return false;
        p = end;
    }
    return true;
}

static const char *skip_blanks(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    return p;
}

static bool is_word(const char *p, const char *word) {
    const size_t n = strlen(word);
    return strncmp(p, word, n) == 0 && (p[n] == ' ' || p[n] == '\t');
}

static taut_status read_stl_line(builder *b, const char *p) {
    double x[3];
    if (!is_word(p, "vertex")) return TAUT_OK;
    if (!read_three(p + 6, x)) return REFUSE(b, "a vertex has three coordinates: vertex x y z");
    TAUT_TRY(add_corner(b, x));
    if (b->corners % 3 != 0) return TAUT_OK;
    return add_triangle(b, b->corners - 3, b->corners - 2, b->corners - 1);
}

/* ---- OBJ ---- */

/* The corner of an entry of f, "7", "7/1/2" or "-1"; *p goes behind it. */
static taut_status read_index(builder *b, const char **p, long *index) {
    char *end;
    b->column = (int)(*p - b->begin) + 1;
    const long long n = strtoll(*p, &end, 10);
    if (end == *p) return REFUSE(b, "a face lists numbers of corners: f 1 2 3");
    const long long found = n < 0 ? b->corners + n : n - 1;
    if (found < 0 || found >= b->corners)
        return REFUSE(b, "a face names the corner %lld, but %ld are there so far", n, b->corners);
    while (*end && *end != ' ' && *end != '\t' && *end != '\n' && *end != '\r') end++;
    *index = (long)found;
    *p = end;
    return TAUT_OK;
}

static taut_status read_face(builder *b, const char *p) {
    long first = -1, last = -1, now = -1;
    int count = 0;
    for (p = skip_blanks(p); *p && *p != '\n'; p = skip_blanks(p), count++) {
        TAUT_TRY(read_index(b, &p, &now));
        if (count == 0) first = now;
        if (count > 1) TAUT_TRY(add_triangle(b, first, last, now));
        last = now;
    }
    return count > 2 ? TAUT_OK : REFUSE(b, "a face has at least three corners: f 1 2 3");
}

static taut_status read_obj_line(builder *b, const char *p) {
    double x[3];
    if (is_word(p, "f")) return read_face(b, p + 1);
    if (!is_word(p, "v")) return TAUT_OK;
    if (!read_three(p + 1, x)) return REFUSE(b, "a corner has three coordinates: v x y z");
    return add_corner(b, x);
}

static taut_status read_lines(builder *b, const char *text, bool obj) {
    for (const char *p = text; p;) {
        const char *word = skip_blanks(p);
        b->begin = p;
        b->line++;
        b->column = (int)(word - p) + 1;
        TAUT_TRY((obj ? read_obj_line : read_stl_line)(b, word));
        p = strchr(p, '\n');
        if (p) p++;
    }
    b->line = b->column = 0;
    return TAUT_OK;
}

/* ---- equal corners ---- */

/* Corners nearer to each other than this part of the largest coordinate are one: files have numbers
 * of 32 bits or a few digits, and programs write the same corner as 0 here and as -7e-14 there. */
static const double NEAR = 2.5e-7;

/* Corners that are kept, to be found by cells of a grid: a corner that is near lies in one of the
 * eight cells around the nearest corner of the grid. */
typedef struct welder {
    int *table; /* [slots] of kept corners; -1: free */
    size_t slots, room;
    double near, edge; /* of a cell: twice that */
} welder;

static size_t hash_cell(const double cell[3]) {
    uint64_t bits[3];
    for (int i = 0; i < 3; i++) {
        const double value = cell[i] + 0.0; /* -0 is 0 */
        memcpy(&bits[i], &value, sizeof value);
    }
    return taut_hash_pair(bits[0] ^ bits[1] >> 7, bits[1] ^ bits[2] << 11 ^ bits[2] >> 5);
}

static bool are_near(const double *x, const double *y, double near) {
    for (int i = 0; i < 3; i++)
        if (!(fabs(x[i] - y[i]) <= near)) return false;
    return true;
}

/* The kept corner that this one is; -1: none. slot: where it would be kept. */
static int find_near(const welder *w, const builder *b, const double *x, size_t *slot) {
    for (int way = 0; way < 8; way++) {
        double cell[3];
        for (int i = 0; i < 3; i++) {
            const double place = x[i] / w->edge, own = floor(place);
            cell[i] = !(way >> i & 1) ? own : place - own < 0.5 ? own - 1.0 : own + 1.0;
        }
        size_t s = hash_cell(cell) & (w->slots - 1);
        for (; w->table[s] >= 0; s = (s + 1) & (w->slots - 1))
            if (are_near(x, b->corner[w->table[s]], w->near)) return w->table[s];
        if (way == 0) *slot = s;
    }
    return -1;
}

static taut_status begin_welding(const builder *b, welder *w) {
    double largest = 0.0;
    for (long i = 0; i < b->corners; i++)
        for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(b->corner[i][k]));
    w->near = NEAR * largest;
    w->edge = w->near > 0.0 ? 2.0 * w->near : 1.0;
    w->slots = 64;
    while (w->slots < 2 * (size_t)b->corners) w->slots *= 2;
    if (taut_grow((void **)&w->table, &w->room, w->slots, sizeof *w->table)) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < w->slots; i++) w->table[i] = -1;
    return TAUT_OK;
}

/* Corners at the same place become one; triangles without area by that go. */
static taut_status merge_corners(builder *b) {
    welder w = {0};
    int *image = NULL;
    size_t image_room = 0, slot = 0;
    taut_status status = begin_welding(b, &w);
    if (status == TAUT_OK &&
        taut_grow((void **)&image, &image_room, (size_t)b->corners, sizeof *image))
        status = TAUT_ERR_MEMORY;
    long kept = 0, used = 0;
    for (long i = 0; status == TAUT_OK && i < b->corners; i++) {
        image[i] = find_near(&w, b, b->corner[i], &slot);
        if (image[i] >= 0) continue;
        w.table[slot] = image[i] = (int)kept;
        memmove(b->corner[kept++], b->corner[i], sizeof *b->corner);
    }
    for (long t = 0; status == TAUT_OK && t < b->triangles; t++) {
        const int x[3] = {image[b->triangle[t][0]], image[b->triangle[t][1]],
                          image[b->triangle[t][2]]};
        if (x[0] == x[1] || x[1] == x[2] || x[2] == x[0]) continue;
        memcpy(b->triangle[used++], x, sizeof x);
    }
    if (status == TAUT_OK) b->corners = kept, b->triangles = used;
    taut_release((void **)&w.table);
    taut_release((void **)&image);
    return status;
}

/* ---- the whole ---- */

static taut_status make(const char *path, long corners, long triangles, taut_mesh **mesh) {
    taut_arena arena = {0};
    taut_mesh *m = taut_arena_alloc(&arena, sizeof *m);
    *mesh = NULL;
    if (m) {
        *m = (taut_mesh){.corners = corners, .triangles = triangles};
        m->path = taut_arena_copy(&arena, path, strlen(path));
        m->corner = taut_arena_array(&arena, (size_t)corners, sizeof *m->corner);
        m->triangle = taut_arena_array(&arena, (size_t)triangles, sizeof *m->triangle);
    }
    if (!m || !m->path || !m->corner || !m->triangle) {
        taut_arena_release(&arena);
        return TAUT_ERR_MEMORY;
    }
    m->arena = arena;
    *mesh = m;
    return TAUT_OK;
}

static taut_status finish(builder *b, taut_mesh **mesh) {
    TAUT_TRY(merge_corners(b));
    if (b->triangles == 0) return REFUSE(b, "there are no triangles in it");
    TAUT_TRY(make(b->path, b->corners, b->triangles, mesh));
    memcpy((*mesh)->corner, b->corner, (size_t)b->corners * sizeof *b->corner);
    memcpy((*mesh)->triangle, b->triangle, (size_t)b->triangles * sizeof *b->triangle);
    return TAUT_OK;
}

static bool ends_in(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    if (!dot || strlen(dot) != strlen(ending)) return false;
    for (int i = 0; ending[i]; i++)
        if ((dot[i] | 0x20) != (ending[i] | 0x20)) return false;
    return true;
}

taut_status taut_mesh_parse(const char *path, const char *bytes, long length, taut_mesh **mesh,
                            taut_errors *errors) {
    builder b = {.path = path, .errors = errors};
    const bool obj = ends_in(path, ".obj");
    *mesh = NULL;
    if (!obj && !ends_in(path, ".stl"))
        return REFUSE(&b, "a mesh is read from a file whose name ends with .stl or .obj");
    if (length > MOST_BYTES) return REFUSE(&b, "a mesh has at most %d MB", MOST_BYTES >> 20);
    taut_status status = !obj && is_binary(bytes, length) ? read_binary(&b, bytes)
                         : memchr(bytes, '\0', (size_t)length)
                             ? REFUSE(&b, obj ? "this is no text, as OBJ files are"
                                              : "this is neither a text nor a binary STL file: its "
                                                "length does not fit its number of triangles")
                             : read_lines(&b, bytes, obj);
    if (status == TAUT_OK) status = finish(&b, mesh);
    taut_release((void **)&b.corner);
    taut_release((void **)&b.triangle);
    return status;
}

taut_status taut_mesh_read(const char *path, taut_mesh **mesh, taut_errors *errors) {
    char *bytes = NULL;
    size_t room = 0, length = 0, n = 1;
    const taut_place place = {.path = path};
    *mesh = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return taut_fail_at(errors, TAUT_ERR_IO, place, "cannot open it: %s", strerror(errno));
    taut_status status = TAUT_OK;
    while (status == TAUT_OK && n > 0 && length <= MOST_BYTES) {
        if (taut_grow((void **)&bytes, &room, length + 65537, 1)) status = TAUT_ERR_MEMORY;
        n = status == TAUT_OK ? fread(bytes + length, 1, 65536, file) : 0;
        length += n;
    }
    if (status == TAUT_OK && ferror(file))
        status = taut_fail_at(errors, TAUT_ERR_IO, place, "cannot read it: %s", strerror(errno));
    fclose(file);
    if (status == TAUT_OK) {
        bytes[length] = '\0';
        status = taut_mesh_parse(path, bytes, (long)length, mesh, errors);
    }
    taut_release((void **)&bytes);
    return status;
}

void taut_mesh_free(taut_mesh **mesh) {
    if (!*mesh) return;
    taut_arena arena = (*mesh)->arena; /* the mesh itself is in it */
    taut_arena_release(&arena);
    *mesh = NULL;
}

/* ---- fewer triangles ---- */

/* The cell of a corner in a grid of so many cells along the longest side. */
static void cell_of(const double x[3], const double low[3], double size, long cells, double *cell) {
    for (int i = 0; i < 3; i++)
        cell[i] =
            low[i] + size * (floor((x[i] - low[i]) / size * (double)cells) + 0.5) / (double)cells;
}

static taut_status reduce_to_grid(const taut_mesh *m, long cells, taut_mesh **result) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double size = 0.0;
    builder b = {.path = m->path};
    for (long c = 0; c < m->corners; c++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], m->corner[c][i]);
            high[i] = fmax(high[i], m->corner[c][i]);
        }
    for (int i = 0; i < 3; i++) size = fmax(size, high[i] - low[i]);
    taut_status status = TAUT_OK;
    for (long c = 0; c < m->corners && status == TAUT_OK; c++) {
        double x[3];
        cell_of(m->corner[c], low, size, cells, x);
        status = add_corner(&b, x);
    }
    for (long t = 0; t < m->triangles && status == TAUT_OK; t++)
        status = add_triangle(&b, m->triangle[t][0], m->triangle[t][1], m->triangle[t][2]);
    if (status == TAUT_OK) status = merge_corners(&b);
    if (status == TAUT_OK) status = make(m->path, b.corners, b.triangles, result);
    if (status == TAUT_OK) {
        /* a corner of the mesh for each cell: the first one, in the same order */
        for (long c = 0, next = 0; c < m->corners && next < b.corners; c++) {
            double x[3];
            cell_of(m->corner[c], low, size, cells, x);
            if (x[0] == b.corner[next][0] && x[1] == b.corner[next][1] && x[2] == b.corner[next][2])
                memcpy((*result)->corner[next++], m->corner[c], sizeof x);
        }
        if (b.triangles > 0)
            memcpy((*result)->triangle, b.triangle, (size_t)b.triangles * sizeof *b.triangle);
    }
    taut_release((void **)&b.corner);
    taut_release((void **)&b.triangle);
    return status;
}

taut_status taut_mesh_reduce(const taut_mesh *m, long most, taut_mesh **result) {
    *result = NULL;
    for (long cells = m->triangles > most ? 256 : 0;; cells = cells * 3 / 4) {
        if (cells == 0) { /* it is small enough as it is */
            TAUT_TRY(make(m->path, m->corners, m->triangles, result));
            memcpy((*result)->corner, m->corner, (size_t)m->corners * sizeof *m->corner);
            memcpy((*result)->triangle, m->triangle, (size_t)m->triangles * sizeof *m->triangle);
            return TAUT_OK;
        }
        TAUT_TRY(reduce_to_grid(m, cells, result));
        if ((*result)->triangles <= most || cells <= 4) return TAUT_OK;
        taut_mesh_free(result);
    }
}
