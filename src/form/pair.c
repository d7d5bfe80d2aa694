/* What joints demand, one function a condition of joint.def; each equation is a length, an angle,
 * or a product of unit vectors. */
#include "form/pair.h"

#include <assert.h>
#include <math.h>

typedef struct writer {
    taut_graph *graph;
    const taut_pair *pair;
    taut_pair_equation *equation;
    int count;
} writer;

static void write(writer *w, taut_node node, const char *part) {
    w->equation[w->count++] = (taut_pair_equation){.node = node, .part = part};
}

static taut_vec minus(taut_graph *g, taut_vec a, taut_vec b) {
    for (int i = 0; i < a.n; i++) a.c[i] = taut_sub(g, a.c[i], b.c[i]);
    return a;
}

/* Q - P */
static taut_vec gap(taut_graph *g, const taut_pair *p) {
    return minus(g, p->point[1], p->point[0]);
}

static void write_components(writer *w, taut_vec v) {
    static const char *const part[] = {"x", "y", "z"};
    assert(v.n <= 3);
    for (int i = 0; i < v.n; i++) {
        write(w, v.c[i], part[i]);
        w->equation[w->count - 1].component = true;
    }
}

static void write_along(writer *w, taut_vec v, const char *const part[2]) {
    const int parts = w->pair->dimension - 1;
    assert(parts <= 2);
    for (int i = 0; i < parts; i++)
        write(w, taut_vec_inner(w->graph, v, w->pair->across[i]), part[i]);
}

/* ---- conditions ---- */

static void write_meet(writer *w) {
    write_components(w, minus(w->graph, w->pair->point[0], w->pair->point[1]));
}

static void write_align(writer *w) {
    static const char *const part[] = {"axis 1", "axis 2"};
    write_along(w, w->pair->axis[1], part);
}

static void write_square(writer *w) {
    write(w, taut_vec_inner(w->graph, w->pair->axis[0], w->pair->axis[1]), "right angle");
}

static void write_untwisted(writer *w) {
    taut_graph *g = w->graph;
    const taut_pair *p = w->pair;
    write(w,
          taut_sub(g, taut_vec_inner(g, p->normal[0], taut_vec_cross(g, p->axis[1], p->normal[1])),
                   taut_vec_inner(g, taut_vec_cross(g, p->axis[0], p->normal[0]), p->normal[1])),
          "equal turning");
}

static void write_on_line(writer *w) {
    static const char *const part[] = {"line 1", "line 2"};
    write_along(w, gap(w->graph, w->pair), part);
}

static void write_on_plane(writer *w) {
    write(w, taut_vec_inner(w->graph, gap(w->graph, w->pair), w->pair->axis[0]), "plane");
}

static void write_on_curve(writer *w) {
    write_components(w, minus(w->graph, gap(w->graph, w->pair), w->pair->curve));
}

static void write_apart(writer *w) {
    taut_graph *g = w->graph;
    const taut_vec d = gap(g, w->pair);
    const taut_node l = w->pair->joint->number;
    write(
        w,
        taut_div(g, taut_sub(g, taut_vec_inner(g, d, d), taut_square(g, l)), taut_scale(g, 2.0, l)),
        "distance");
}

static void write_unturned(writer *w) {
    const taut_vec *normal = w->pair->normal;
    write(
        w,
        taut_vec_inner(w->graph, w->pair->axis[0], taut_vec_cross(w->graph, normal[0], normal[1])),
        "no turning");
}

/* A pitch is the advance of a whole turn. */
static void write_geared(writer *w) {
    taut_graph *g = w->graph;
    const taut_pair *p = w->pair;
    const double turn = p->joint->kind == TAUT_JOINT_SCREW ? 2.0 * M_PI : 1.0;
    const taut_node way = taut_mul(g, p->joint->number, p->geared[0]);
    write(w,
          taut_sum(g, 0.0, 3, (double[]){1.0, -1.0 / turn, -1.0},
                   (taut_node[]){p->geared[1], way, p->phase}),
          "ratio");
}

/* ---- all of them ---- */

int taut_pair_equations(taut_graph *g, const taut_pair *pair, unsigned held,
                        taut_pair_equation *equation) {
    static void (*const write_condition[])(writer *) = {
#define TAUT_CONDITION(NAME, name, ...) write_##name,
#define TAUT_JOINT(...)
#include "model/joint.def"
#undef TAUT_CONDITION
#undef TAUT_JOINT
    };
    writer w = {.graph = g, .pair = pair, .equation = equation};
    for (int i = 0; i < TAUT_JOINT_CONDITIONS; i++)
        if (taut_joint_demands(pair->joint->kind, pair->dimension, (taut_joint_condition)i) &&
            !(held >> i & 1))
            write_condition[i](&w);
    return w.count;
}

/* ---- coordinates ---- */

int taut_pair_angle(const taut_pair *p, int number, taut_vec *from, taut_vec *to, taut_vec *axis) {
    *axis = (taut_vec){0};
    if (p->dimension == 2) {
        *from = p->x[0];
        *to = p->x[1];
        return 0;
    }
    /* a universal joint turns about its first axis with its second, and about that */
    const bool universal = p->joint->kind == TAUT_JOINT_UNIVERSAL;
    *from = universal && number == 1 ? p->axis[0] : p->normal[0];
    *to = universal && number == 0 ? p->axis[1] : p->normal[1];
    *axis = p->axis[universal ? number : 0];
    return universal ? number : 0;
}

taut_vec taut_pair_direction(taut_graph *g, const taut_pair *p, int number) {
    if (p->joint->kind != TAUT_JOINT_PLANAR) return p->axis[0];
    return number == 0 ? p->normal[0] : taut_vec_cross(g, p->axis[0], p->normal[0]);
}

taut_node taut_pair_distance(taut_graph *g, const taut_pair *p, int number) {
    return taut_vec_inner(g, gap(g, p), taut_pair_direction(g, p, number));
}
