/* Points of a body keep their distance, and so do fixed ones. Whatever the position, two points are
 * no farther apart than any way from one to the other along bodies is long: where a body or the
 * ground holds them farther apart than the shortest way through the others, the loop cannot close.
 */
#include "task/unclosed.h"

#include <math.h>

#include "core/bounds.h"

enum { MOST_POINTS = 500 };

/* Points of the mechanism that bodies have in common, as nodes of a graph. */
typedef struct graph {
    const taut_model *model;
    const taut_mechanism *m;
    taut_arena arena;
    int *node;    /* [elements] the same for points that joints put together; -1: a vector */
    double *way;  /* [elements] length of the shortest way from the first point */
    int *through; /* [elements] the body that it came by, ... */
    int *before;  /* ... and the node before */
    bool *done;   /* [elements] */
} graph;

static double value_of(const graph *g, taut_node node) {
    return taut_node_get(g->model->graph, node)->value;
}

/* Where a point is in a body; -1: the ground, where it must be fixed and stay. */
static const taut_vec *local_of(const graph *g, int body, int e) {
    if (body < 0) {
        const taut_element *x = &g->m->element[e];
        for (int i = 0; i < x->given.n && x->fixed; i++)
            if (!taut_node_get(g->model->graph, x->given.c[i])->steady) return NULL;
        return x->fixed && !x->is_vector && x->given.n > 0 ? &x->given : NULL;
    }
    const taut_body *b = &g->m->body[body];
    for (int i = 0; i < b->elements; i++)
        if (b->element[i] == e) return &b->local[i];
    return NULL;
}

static double distance(const graph *g, const taut_vec *a, const taut_vec *b) {
    double sum = 0.0;
    for (int i = 0; i < a->n; i++) sum += pow(value_of(g, a->c[i]) - value_of(g, b->c[i]), 2.0);
    return sqrt(sum);
}

/* ---- the graph ---- */

static int node_of(graph *g, int e) {
    while (g->node[e] != e) e = g->node[e];
    return e;
}

static taut_status set_up(graph *g) {
    const int n = g->m->elements;
    g->node = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->way = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->through = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->before = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->done = TAUT_NEW_ARRAY(&g->arena, n, bool);
    if (!g->node || !g->way || !g->through || !g->before || !g->done) return TAUT_ERR_MEMORY;
    for (int e = 0; e < n; e++) g->node[e] = e;
    for (int i = 0; i < g->m->joints; i++) {
        const taut_joint *j = &g->m->joint[i];
        if (!j->shared && taut_joint_demands(j->kind, g->m->dimension, TAUT_CONDITION_MEET))
            g->node[node_of(g, j->point[0])] = node_of(g, j->point[1]);
    }
    return TAUT_OK;
}

/* Tries the ways along one body from a point whose shortest way is known. */
static void go_along(graph *g, int body, int from) {
    const int count = body < 0 ? g->m->elements : g->m->body[body].elements;
    for (int i = 0; i < count; i++) {
        const int start = body < 0 ? i : g->m->body[body].element[i];
        const taut_vec *a = local_of(g, body, start);
        if (!a || g->m->element[start].is_vector || node_of(g, start) != from) continue;
        for (int k = 0; k < count; k++) {
            const int e = body < 0 ? k : g->m->body[body].element[k];
            const taut_vec *b = local_of(g, body, e);
            if (!b || g->m->element[e].is_vector) continue;
            const int to = node_of(g, e);
            const double way = g->way[from] + distance(g, a, b);
            if (g->done[to] || way >= g->way[to]) continue;
            g->way[to] = way;
            g->through[to] = body;
            g->before[to] = from;
        }
    }
}

/* Shortest ways from a point that avoid one body. */
static void find_ways(graph *g, int from, int avoided) {
    const int n = g->m->elements;
    for (int e = 0; e < n; e++) {
        g->way[e] = HUGE_VAL;
        g->done[e] = false;
        g->before[e] = -1;
    }
    g->way[from] = 0.0;
    for (;;) {
        int next = -1;
        for (int e = 0; e < n; e++)
            if (!g->done[e] && isfinite(g->way[e]) && (next < 0 || g->way[e] < g->way[next]))
                next = e;
        if (next < 0) return;
        g->done[next] = true;
        for (int body = -1; body < g->m->bodies; body++)
            if (body != avoided) go_along(g, body, next);
    }
}

/* ---- words ---- */

static const char *body_name(const graph *g, int body) {
    return body < 0 ? "the ground" : g->m->body[body].name;
}

/* The ways between two points. */
static void tell_ways(graph *g, int last, taut_string *out) {
    int at = last;
    for (int count = 0; g->before[at] >= 0; at = g->before[at], count++)
        taut_string_add(out, "%s%s (%.6g)", count ? " + " : "", body_name(g, g->through[at]),
                        g->way[at] - g->way[g->before[at]]);
    taut_string_add(out, " = %.6g", g->way[last]);
}

/* The two points, as the body has them. */
static void tell(graph *g, int body, const int point[2], double length, taut_string *out) {
    taut_string_add(out,
                    "no position closes this loop: %s holds %s and %s %.6g apart, but between them "
                    "there are only ",
                    body_name(g, body), g->m->element[point[0]].name, g->m->element[point[1]].name,
                    length);
    tell_ways(g, node_of(g, point[1]), out);
}

/* ---- lines on the ground ---- */

/* A point that stays on a line. */
typedef struct rail {
    int origin, vector, point;
    taut_place place;
} rail;

/* How far a fixed point is from the line; negative: one of them may move. */
static double off_line(const graph *g, const rail *x, int fixed) {
    const taut_vec *a = local_of(g, -1, x->origin), *b = local_of(g, -1, fixed);
    const taut_element *u = &g->m->element[x->vector];
    double square = 0.0, along = 0.0, length = 0.0;
    if (!a || !b || !u->fixed || u->given.n != a->n) return -1.0;
    for (int i = 0; i < a->n; i++) {
        const double d = value_of(g, b->c[i]) - value_of(g, a->c[i]),
                     n = value_of(g, u->given.c[i]);
        if (!taut_node_get(g->model->graph, u->given.c[i])->steady) return -1.0;
        square += d * d;
        along += d * n;
        length += n * n;
    }
    return length > 0.0 ? sqrt(fmax(0.0, square - along * along / length)) : -1.0;
}

static taut_status look_at_rail(graph *g, const rail *x, bool *found, taut_string *words) {
    for (int e = 0; e < g->m->elements && !*found; e++) {
        const double off = off_line(g, x, e);
        if (!(off > 0.0)) continue;
        TAUT_TRY(taut_bounds_ask());
        find_ways(g, node_of(g, e), -1);
        const int last = node_of(g, x->point);
        if (!(g->way[last] < off * (1.0 - 1e-9))) continue;
        *found = true;
        taut_string_add(words,
                        "no position closes this loop: %s is %.6g away from the line on which %s "
                        "stays, but between them there are only ",
                        g->m->element[e].name, off, g->m->element[x->point].name);
        tell_ways(g, last, words);
    }
    return TAUT_OK;
}

static taut_status look_at_rails(graph *g, bool *found, taut_string *words, taut_place *place) {
    const int lines = g->m->collinears;
    for (int i = 0; i < lines + g->m->joints && !*found; i++) {
        const taut_collinear *c = i < lines ? &g->m->collinear[i] : NULL;
        rail x;
        if (c) {
            x = (rail){c->origin, c->vector, c->point, c->place};
        } else {
            const taut_joint *j = &g->m->joint[i - lines];
            if (j->shared || !taut_joint_demands(j->kind, g->m->dimension, TAUT_CONDITION_ON_LINE))
                continue;
            x = (rail){j->point[0], j->axis[0], j->point[1], j->place};
        }
        if (x.origin < 0 || x.vector < 0 || x.point < 0) continue;
        TAUT_TRY(look_at_rail(g, &x, found, words));
        if (*found) *place = x.place;
    }
    return TAUT_OK;
}

/* ---- all pairs ---- */

static taut_status look_at_body(graph *g, int body, bool *found, taut_string *words) {
    const int count = body < 0 ? g->m->elements : g->m->body[body].elements;
    for (int i = 0; i < count && !*found; i++) {
        const int first = body < 0 ? i : g->m->body[body].element[i];
        const taut_vec *a = local_of(g, body, first);
        if (!a || g->m->element[first].is_vector) continue;
        TAUT_TRY(taut_bounds_ask());
        find_ways(g, node_of(g, first), body);
        for (int k = i + 1; k < count && !*found; k++) {
            const int second = body < 0 ? k : g->m->body[body].element[k];
            const taut_vec *b = local_of(g, body, second);
            if (!b || g->m->element[second].is_vector) continue;
            const double length = distance(g, a, b);
            *found = g->way[node_of(g, second)] < length * (1.0 - 1e-9);
            if (*found) tell(g, body, (const int[]){first, second}, length, words);
        }
    }
    return words->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_unclosed_find(const taut_model *model, bool *found, taut_string *words,
                               taut_place *place) {
    graph g = {.model = model, .m = model->mechanism};
    *found = false;
    if (!g.m || g.m->elements > MOST_POINTS) return TAUT_OK;
    taut_status status = set_up(&g);
    for (int body = -1; body < g.m->bodies && status == TAUT_OK && !*found; body++) {
        status = look_at_body(&g, body, found, words);
        if (*found) *place = body < 0 ? model->problem_place : g.m->body[body].place;
    }
    if (status == TAUT_OK && !*found) status = look_at_rails(&g, found, words, place);
    if (words->failed) status = TAUT_ERR_MEMORY;
    taut_arena_release(&g.arena);
    return status;
}
