/* Sliding velocities of contacts by shape: a rate is the velocity of a body's reference point and
 * what its turning adds, found from directions that the body has. */
#include "model/sliding.h"

#include <math.h>

#include "model/parts.h"

enum { GROUND = -1, UNKNOWN = -2 };
enum { MOST_SLIDING = 5000 }; /* no run could keep apart more: they are hundreds of formulas each */

static taut_status fail(taut_reader *r, const taut_yaml *node, const char *message) {
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node), "%s", message);
}

static taut_vec add(taut_graph *g, double factor, taut_vec a, taut_vec b) {
    for (int i = 0; i < a.n; i++) b.c[i] = taut_add(g, b.c[i], taut_scale(g, factor, a.c[i]));
    return b;
}

/* ---- bodies and their directions ---- */

/* The one body that has a point; GROUND: it is fixed, and no body has it; UNKNOWN: there are
 * several, or none. */
static int body_of(const taut_reader *r, const taut_shape *s) {
    const taut_yaml *name = s->name;
    const taut_vec centre = s->centre;
    const taut_mechanism *m = r->model->mechanism;
    int element;
    if (name->kind != TAUT_YAML_SCALAR || !taut_symbols_element(r->symbols, name->text, &element)) {
        for (int i = 0; i < centre.n; i++)
            if (!taut_node_get(r->model->graph, centre.c[i])->steady) return UNKNOWN;
        return GROUND;
    }
    const bool fixed = m->element[element].fixed;
    if (fixed && !s->round) return GROUND; /* a line or plane through it */
    const int first = m->carrier_start[element], bodies = m->carrier_start[element + 1] - first;
    if (fixed) return bodies == 0 ? GROUND : UNKNOWN;
    return bodies == 1 ? m->carrier[first] : UNKNOWN;
}

/* Direction k of a body, not 0: of a vector, or to a point from the first one; with its local
 * coordinates, both of length 1. */
static void find_direction(taut_reader *r, const taut_body *b, int k, taut_vec *d,
                           taut_vec *local) {
    taut_graph *g = r->model->graph;
    const taut_element *e = &r->model->mechanism->element[b->element[k]];
    const taut_element *first = &r->model->mechanism->element[b->element[0]];
    const int n = r->model->mechanism->dimension;
    *local = b->local[k];
    *d = (taut_vec){.n = n};
    for (int i = 0; i < n; i++)
        d->c[i] = e->is_vector ? e->leaf[i] : taut_sub(g, e->leaf[i], first->leaf[i]);
    if (e->is_vector) return;
    const taut_node length = taut_vec_norm(g, *local);
    for (int i = 0; i < n; i++) {
        d->c[i] = taut_div(g, d->c[i], length);
        local->c[i] = taut_div(g, local->c[i], length);
    }
}

static double value_of(const taut_graph *g, taut_node node) {
    return taut_node_get(g, node)->value;
}

/* Three directions at right angles that turn with a body; false: it has too few. */
static bool find_triad(taut_reader *r, const taut_body *b, taut_vec e[3]) {
    taut_graph *g = r->model->graph;
    taut_vec d[2], local[2];
    if (b->elements < 3) return false;
    find_direction(r, b, 1, &d[0], &local[0]);
    for (int k = 2; k < b->elements; k++) {
        find_direction(r, b, k, &d[1], &local[1]);
        const taut_node c = taut_vec_inner(g, local[0], local[1]);
        if (!(fabs(value_of(g, c)) < 0.999)) continue;
        taut_assume_value(g, c);
        const double cosine = value_of(g, c), sine = sqrt(1.0 - cosine * cosine);
        e[0] = d[0];
        e[1] = add(g, -cosine, d[0], d[1]);
        for (int i = 0; i < 3; i++) e[1].c[i] = taut_scale(g, 1.0 / sine, e[1].c[i]);
        e[2] = taut_vec_cross(g, e[0], e[1]);
        return true;
    }
    return false;
}

/* How fast a vector that turns with a body changes, for its value of now. */
static bool find_spin(taut_reader *r, int body, taut_vec arm, taut_vec *rate) {
    taut_graph *g = r->model->graph;
    const taut_body *b = &r->model->mechanism->body[body];
    taut_vec e[3], local;
    if (arm.n == 2) {
        if (b->elements < 2) return false;
        find_direction(r, b, 1, &e[0], &local);
        const taut_vec turned = taut_vec_dot_time(g, e[0], 1);
        const taut_node omega = taut_vec_cross(g, e[0], turned).c[0];
        *rate = (taut_vec){
            2, {taut_scale(g, -1.0, taut_mul(g, omega, arm.c[1])), taut_mul(g, omega, arm.c[0])}};
        return true;
    }
    if (!find_triad(r, b, e)) return false;
    *rate = (taut_vec){3, {taut_number(g, 0.0), taut_number(g, 0.0), taut_number(g, 0.0)}};
    for (int k = 0; k < 3; k++)
        *rate = add(g, 1.0,
                    taut_vec_scale(g, taut_vec_inner(g, arm, e[k]), taut_vec_dot_time(g, e[k], 1)),
                    *rate);
    return true;
}

bool taut_sliding_spin(taut_reader *r, int body, taut_vec *omega) {
    taut_graph *g = r->model->graph;
    const taut_node zero = taut_number(g, 0.0);
    taut_vec e[3];
    *omega = (taut_vec){3, {zero, zero, zero}};
    if (body < 0) return true;
    if (!find_triad(r, &r->model->mechanism->body[body], e)) return false;
    for (int k = 0; k < 3; k++) /* e x (omega x e) = omega - (e . omega) e: twice omega in all */
        *omega = add(g, 0.5, taut_vec_cross(g, e[k], taut_vec_dot_time(g, e[k], 1)), *omega);
    return true;
}

/* ---- velocities ---- */

/* The velocity of the material point of a shape at `arm` from its point. */
static taut_status find_velocity(taut_reader *r, const taut_shape *s, taut_vec arm, bool turns,
                                 taut_vec *velocity) {
    taut_graph *g = r->model->graph;
    int body = turns ? body_of(r, s) : GROUND;
    taut_vec spin;
    if (turns && s->body) TAUT_TRY(taut_part_body(r, s->body, "for a circle or sphere", &body));
    *velocity = taut_vec_dot_time(g, s->centre, 1);
    if (body == GROUND) return TAUT_OK;
    if (body == UNKNOWN)
        return fail(r, s->node,
                    "how this turns is not known, because its point does not belong to one body "
                    "alone: name the body, [centre, radius, body], or give 'Sliding'");
    if (!find_spin(r, body, arm, &spin))
        return fail(r, s->node,
                    "how this turns is not known, because its body has too few points and vectors: "
                    "give it two vectors, or give 'Along' or 'Sliding'");
    *velocity = add(g, 1.0, spin, *velocity);
    return TAUT_OK;
}

void taut_sliding_tangents(taut_graph *g, taut_vec n, taut_node sign, taut_vec e[2]) {
    const taut_node one = taut_number(g, 1.0), x = n.c[0], y = n.c[1]; /* Duff et al. 2017 */
    const taut_node a = taut_div(g, taut_number(g, -1.0), taut_add(g, sign, n.c[2]));
    const taut_node b = taut_mul(g, a, taut_mul(g, x, y));
    const taut_node xx = taut_mul(g, sign, taut_mul(g, a, taut_mul(g, x, x)));
    const taut_node yy = taut_mul(g, a, taut_mul(g, y, y));
    const taut_node less = taut_scale(g, -1.0, sign);
    e[0] = (taut_vec){3, {taut_add(g, one, xx), taut_mul(g, sign, b), taut_mul(g, less, x)}};
    e[1] = (taut_vec){3, {b, taut_add(g, sign, yy), taut_scale(g, -1.0, y)}};
}

taut_status taut_sliding_find(taut_reader *r, const taut_shape *what, const taut_shape *other,
                              taut_vec normal, taut_surface *x) {
    taut_graph *g = r->model->graph;
    taut_vec here, there, tangent[2];
    if (++r->sliding > MOST_SLIDING) {
        if (r->sliding > MOST_SLIDING + 1) return TAUT_ERR_INPUT; /* told */
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, what->node),
                            "more than %d contacts slide on circles, spheres, curves or what moves",
                            MOST_SLIDING);
    }
    /* What is soft overlaps: both bodies are touched at one place, the point or the middle of the
     * overlap, or friction would turn the two of them together. */
    const bool overlaps = x->soft && other->round;
    const taut_node reach = overlaps && what->round
                                ? taut_add(g, what->radius, taut_scale(g, 0.5, x->gap))
                                : what->radius;
    const taut_vec to_contact =
        taut_vec_scale(g, taut_scale(g, -1.0, reach), normal); /* from what */
    taut_vec arm = add(g, -1.0, other->centre, add(g, 1.0, to_contact, what->centre));
    if (other->round && !overlaps)
        arm = taut_vec_scale(g, taut_scale(g, other->inside ? -1.0 : 1.0, other->radius), normal);
    TAUT_TRY(find_velocity(r, what, to_contact, what->round, &here));
    TAUT_TRY(find_velocity(r, other, arm, true, &there));
    const taut_vec slip = add(g, -1.0, there, here);
    x->rates = true;
    if (normal.n == 2) {
        const taut_vec along = {2, {normal.c[1], taut_scale(g, -1.0, normal.c[0])}};
        x->along = taut_vec_inner(g, along, slip);
        return TAUT_OK;
    }
    taut_sliding_tangents(g, normal, taut_number(g, 1.0), tangent);
    x->along = taut_vec_inner(g, tangent[0], slip);
    x->along2 = taut_vec_inner(g, tangent[1], slip);
    return TAUT_OK;
}
