/* Reference-point coordinates (docs/math/reference.md): mass centre and angle in the plane, mass
 * centre and Euler parameters in space. Bodies know nothing of each other: what they share are
 * joints, with constraints in vector form. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "form/formulation.h"

/* A massless rod is no body but a distance between two points. */
static bool is_distance(const taut_kin *k, int body) {
    const taut_body *b = &k->mechanism->body[body];
    return !b->has_mass && b->elements == 2 && !k->mechanism->element[b->element[1]].is_vector;
}

bool taut_reference_places(const taut_kin *k, int body, int i) {
    (void)i;
    return !is_distance(k, body);
}

/* ---- frames ---- */

static taut_node twice(taut_graph *g, taut_node a, taut_node b, double sign, taut_node c,
                       taut_node d) {
    return taut_sum(g, 0.0, 2, (double[]){2.0, 2.0 * sign},
                    (taut_node[]){taut_mul(g, a, b), taut_mul(g, c, d)});
}

/* Axes and angular velocity from Euler parameters: R = (2 e0^2 - 1) I + 2 e e^T + 2 e0 [e]x, and
 * along the axes omega = 2 (e0 e' - e0' e - e x e'). */
void taut_reference_turn(taut_graph *g, const taut_node *p, taut_frame *f) {
    const taut_node e0 = p[0], *e = p + 1;
    taut_node rate[4];
    for (int i = 0; i < 4; i++) rate[i] = taut_dot(g, p[i], 1);
    f->axes = 3;
    f->omega.n = 3;
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        f->axis[i].n = 3;
        f->axis[i].c[i] = taut_sum(g, -1.0, 2, (double[]){2.0, 2.0},
                                   (taut_node[]){taut_square(g, e0), taut_square(g, e[i])});
        f->axis[i].c[a] = twice(g, e[i], e[a], 1.0, e0, e[b]);
        f->axis[i].c[b] = twice(g, e[i], e[b], -1.0, e0, e[a]);
        f->omega.c[i] =
            taut_sum(g, 0.0, 4, (double[]){2.0, -2.0, -2.0, 2.0},
                     (taut_node[]){taut_mul(g, e0, rate[i + 1]), taut_mul(g, rate[0], e[i]),
                                   taut_mul(g, e[a], rate[b + 1]), taut_mul(g, e[b], rate[a + 1])});
    }
}

/* What a body's coordinates are called, the mass centre aside, and their group. */
static const char *const *rotation_names(int dimension, int axes, int *count, int *group) {
    static const char *const angle[] = {"angle"}, *const direction[] = {"ux", "uy", "uz"},
                             *const euler[] = {"e0", "e1", "e2", "e3"};
    *group = dimension == 2 ? TAUT_GROUP_ANGLE : TAUT_GROUP_DIRECTION;
    *count = dimension == 2 ? 1 : axes == 1 ? 3 : 4;
    return dimension == 2 ? angle : axes == 1 ? direction : euler;
}

taut_status taut_reference_unknown(taut_kin *k, int body, const char *what, int group,
                                   taut_node *node) {
    const taut_body *b = &k->mechanism->body[body];
    char name[2 * TAUT_NAME_MAX];
    snprintf(name, sizeof name, "%s.%s", b->name, what);
    const char *own = taut_arena_copy(&k->problem->arena, name, strlen(name));
    if (!own || taut_problem_add_variable(k->problem, own, group, b->place, node) != TAUT_OK) {
        k->no_memory = true;
        return TAUT_ERR_MEMORY;
    }
    k->frame[body].unknowns++;
    return TAUT_OK;
}

taut_status taut_reference_frame(taut_kin *k, int body) {
    static const char *const place[] = {"x", "y", "z"};
    taut_graph *g = k->graph;
    const taut_body *b = &k->mechanism->body[body];
    taut_frame *f = &k->frame[body];
    const int n = k->mechanism->dimension, axes = n == 3 && b->elements == 2 ? 1 : n;
    taut_node turn[4];
    int count, group;
    if (is_distance(k, body)) return taut_natural_frame(k, body);
    const char *const *name = rotation_names(n, axes, &count, &group);
    f->first = k->problem->variables;
    f->origin.n = n;
    assert(n <= 3);
    for (int i = 0; i < n; i++)
        TAUT_TRY(taut_reference_unknown(k, body, place[i], TAUT_GROUP_LENGTH, &f->origin.c[i]));
    for (int i = 0; i < count; i++)
        TAUT_TRY(taut_reference_unknown(k, body, name[i], group, &turn[i]));
    f->axes = axes;
    for (int i = 0; i < axes; i++) {
        f->q[i].n = n;
        for (int c = 0; c < n; c++) f->q[i].c[c] = taut_number(g, i == c ? 1.0 : 0.0);
    }
    if (n == 2) {
        f->axis[0] = (taut_vec){
            2, {taut_apply(g, TAUT_OP_COS, turn[0]), taut_apply(g, TAUT_OP_SIN, turn[0])}};
        f->axis[1] = taut_kin_turned(g, f->axis[0]);
        f->omega = taut_vec_scalar(taut_dot(g, turn[0], 1));
    } else if (axes == 3) {
        taut_reference_turn(g, turn, f);
    } else {
        f->axis[0] = (taut_vec){3, {turn[0], turn[1], turn[2]}};
        f->q[0] = taut_kin_divided(g, b->local[1], taut_kin_steady_length(g, b->local[1]));
    }
    f->ready = true;
    if (!b->has_mass) return TAUT_OK;
    f->centre = f->origin;
    f->origin = taut_kin_add(g, f->centre, -1.0, taut_kin_direction(k, body, b->centroid));
    return TAUT_OK;
}

/* ---- constraints ---- */

static double value_of(const taut_graph *g, taut_node node) {
    return taut_node_get(g, node)->value;
}

/* What a body shares with one other carrier, as far as constraints hold it already. */
typedef struct tie {
    int owner;
    int point;      /* the first shared point, as the body counts its elements; -1: none yet */
    int directions; /* independent ones that agree: 0, 1, 2 */
    taut_vec local; /* the first of them */
} tie;

/* Who places an element: a body, the ground (-1), or nobody who has other elements, a number below
 * that. */
static int placer_of(const taut_mechanics *n, int e) {
    const taut_kin *k = n->kin;
    bool steady = true;
    for (int i = 0; i < k->value[e].n; i++)
        steady = steady && taut_node_get(n->graph, k->value[e].c[i])->steady;
    if (k->origin[e] == TAUT_ORIGIN_BODY) return k->assigned_by[e];
    return steady ? -1 : -2 - e;
}

/* The place of an element in the other body, as it counts its elements; -1: it has none. */
static int place_in(const taut_mechanics *n, int body, int e) {
    const taut_body *b = &n->mechanism->body[body];
    for (int i = 0; i < b->elements; i++)
        if (b->element[i] == e) return i;
    return -1;
}

/* How many elements of a body somebody else has, too. */
static int count_shared(const taut_mechanics *n, int body, int other) {
    const taut_body *b = &n->mechanism->body[body];
    int count = 0;
    for (int i = 0; i < b->elements; i++)
        count += placer_of(n, b->element[i]) == other ||
                 (other >= 0 && place_in(n, other, b->element[i]) >= 0);
    return count;
}

/* With whom a body is to agree about an element: with who places it, or with an earlier body that
 * has it and more of the body's elements, so that they can be compared together. */
static int owner_of(const taut_mechanics *n, int body, int e) {
    const taut_mechanism *m = n->mechanism;
    int best = placer_of(n, e), most = best == body ? 0 : count_shared(n, body, best);
    if (best == body) return body;
    for (int i = m->carrier_start[e]; i < m->carrier_start[e + 1] && m->carrier[i] < body; i++) {
        const int shared =
            n->kin->frame[m->carrier[i]].unknowns > 0 ? count_shared(n, body, m->carrier[i]) : 0;
        if (shared <= most) continue;
        most = shared;
        best = m->carrier[i];
    }
    return best;
}

/* An element as its owner has it. */
static taut_vec owned_value(const taut_mechanics *n, int owner, int e) {
    const int i = owner < 0 || placer_of(n, e) == owner ? -1 : place_in(n, owner, e);
    if (i < 0) return n->kin->value[e];
    const taut_vec local = n->mechanism->body[owner].local[i];
    return n->mechanism->element[e].is_vector ? taut_kin_direction(n->kin, owner, local)
                                              : taut_kin_point(n->kin, owner, local);
}

static bool parallel(taut_graph *g, taut_vec a, taut_vec b) {
    const taut_vec c = taut_vec_cross(g, a, b);
    double size = 0.0, scale = 0.0;
    for (int i = 0; i < c.n; i++) size = fmax(size, fabs(value_of(g, c.c[i])));
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < b.n; j++)
            scale = fmax(scale, fabs(value_of(g, a.c[i]) * value_of(g, b.c[j])));
    return !(size > 1e-9 * scale);
}

static taut_status constrain(taut_mechanics *n, taut_node node, const char *what, int body, int i,
                             char part) {
    const taut_body *b = &n->mechanism->body[body];
    const char *name = taut_problem_name(n->problem, "%s %s of %s (%c)", what,
                                         n->mechanism->element[b->element[i]].name, b->name, part);
    TAUT_MECHANICS_NOTE(n, taut_mechanics_constrain(n, node, name, b->place));
    return TAUT_OK;
}

static taut_status tie_components(taut_mechanics *n, const char *what, int body, int i,
                                  taut_vec gap) {
    const size_t before = n->constraints;
    for (int c = 0; c < gap.n; c++) TAUT_TRY(constrain(n, gap.c[c], what, body, i, "xyz"[c]));
    for (size_t k = before; k < n->constraints; k++) n->constraint[k].vector = (int)before + 1;
    return TAUT_OK;
}

/* The direction `local` of the body is to be the one of `world`: across it, or, where another one
 * agrees already, across both. A thin rod has no normals: component by component. */
static taut_status tie_direction(taut_mechanics *n, int body, int i, taut_vec local, taut_vec world,
                                 tie *t) {
    taut_graph *g = n->graph;
    const int dimension = n->mechanism->dimension;
    const taut_node length = taut_kin_steady_length(g, local);
    taut_vec across[2];
    int count = 1;
    if (t->directions == dimension - 1 || value_of(g, length) == 0.0) return TAUT_OK;
    if (n->kin->frame[body].axes == 1) {
        t->directions = dimension - 1;
        return tie_components(
            n, "direction", body, i,
            taut_kin_add(g, taut_kin_direction(n->kin, body, local), -1.0, world));
    }
    if (t->directions == 0) {
        taut_kin_local_normals(n->kin, taut_kin_divided(g, local, length), across);
        count = dimension - 1;
        t->local = local;
    } else {
        if (parallel(g, t->local, local)) return TAUT_OK;
        across[0] = taut_vec_cross(g, t->local, local);
        across[0] = taut_kin_divided(g, across[0], taut_kin_steady_length(g, across[0]));
    }
    for (int c = 0; c < count; c++)
        TAUT_TRY(constrain(n, taut_vec_inner(g, taut_kin_direction(n->kin, body, across[c]), world),
                           "direction", body, i, "123"[t->directions + c]));
    t->directions++;
    return TAUT_OK;
}

/* The body's i-th element, which somebody else places: the first shared point by its components,
 * others by their direction from it, so that nothing is demanded twice. */
static taut_status tie_element(taut_mechanics *n, int body, int i, tie *t) {
    taut_graph *g = n->graph;
    const taut_body *b = &n->mechanism->body[body];
    const int e = b->element[i];
    const taut_vec there = owned_value(n, t->owner, e);
    if (n->mechanism->element[e].is_vector) return tie_direction(n, body, i, b->local[i], there, t);
    if (t->point >= 0) {
        const taut_vec first = owned_value(n, t->owner, b->element[t->point]);
        return tie_direction(n, body, i, taut_kin_add(g, b->local[i], -1.0, b->local[t->point]),
                             taut_kin_add(g, there, -1.0, first), t);
    }
    t->point = i;
    return tie_components(n, "point", body, i,
                          taut_kin_add(g, taut_kin_point(n->kin, body, b->local[i]), -1.0, there));
}

/* The length of Euler parameters or of a direction: (p.p - 1)/2. */
taut_status taut_reference_norm(taut_mechanics *n, int body) {
    const taut_frame *f = &n->kin->frame[body];
    const int turning = f->axes == 1 ? 3 : 4;
    taut_node square[4];
    for (int i = 0; i < turning; i++)
        square[i] =
            taut_square(n->graph, n->problem->variable[f->first + f->unknowns - turning + i].node);
    const taut_node norm =
        taut_sum(n->graph, -0.5, (size_t)turning, (double[]){0.5, 0.5, 0.5, 0.5}, square);
    const taut_body *b = &n->mechanism->body[body];
    const size_t before = n->constraints;
    TAUT_MECHANICS_NOTE(
        n, taut_mechanics_constrain(
               n, norm,
               taut_problem_name(n->problem, f->axes == 1 ? "direction of %s" : "turning of %s",
                                 b->name),
               b->place));
    if (n->constraints > before) n->constraint[before].own = true;
    return TAUT_OK;
}

taut_status taut_reference_tie(taut_mechanics *n, int body, taut_is_held *held, bool *directed) {
    const taut_body *b = &n->mechanism->body[body];
    tie *known = TAUT_NEW_ARRAY(n->arena, b->elements, tie);
    int ties = 0;
    *directed = false;
    if (!known) return TAUT_ERR_MEMORY;
    for (int i = 0; i < b->elements; i++) {
        const int owner = owner_of(n, body, b->element[i]);
        int t = 0;
        if (owner == body || (held && held(n->kin, body, i, owner))) continue;
        while (t < ties && known[t].owner != owner) t++;
        if (t == ties) known[ties++] = (tie){.owner = owner, .point = -1};
        TAUT_TRY(tie_element(n, body, i, &known[t]));
        *directed = *directed || known[t].directions > 0;
    }
    return TAUT_OK;
}

taut_status taut_reference_constrain(taut_mechanics *n, int body) {
    bool directed;
    if (is_distance(n->kin, body)) return taut_natural_constrain(n, body);
    TAUT_TRY(taut_reference_tie(n, body, NULL, &directed));
    if (n->mechanism->dimension == 2) return TAUT_OK;
    /* components of a rod's direction leave nothing to say about its length */
    return n->kin->frame[body].axes == 1 && directed ? TAUT_OK : taut_reference_norm(n, body);
}

/* ---- the start ---- */

void taut_reference_start(const taut_kin *k, int body, const taut_pose *pose,
                          double x[2][TAUT_BODY_UNKNOWNS_MAX]) {
    const taut_body *b = &k->mechanism->body[body];
    const taut_frame *f = &k->frame[body];
    const int n = k->mechanism->dimension;
    const double(*axis)[3][3] = pose->axis;
    for (int order = 0; order < 2; order++)
        for (int c = 0; c < n; c++) {
            x[order][c] = pose->origin[order][c];
            for (int i = 0; i < f->axes && b->has_mass; i++)
                for (int j = 0; j < n; j++)
                    x[order][c] += axis[order][i][c] * value_of(k->graph, f->q[i].c[j]) *
                                   value_of(k->graph, b->centroid.c[j]);
            if (f->axes == 1) x[order][n + c] = axis[order][0][c];
        }
    if (n == 2) {
        x[0][2] = atan2(axis[0][0][1], axis[0][0][0]);
        x[1][2] = axis[0][0][0] * axis[1][0][1] - axis[0][0][1] * axis[1][0][0];
    } else if (f->axes == 3) {
        double omega[3], *p = &x[0][3], *rate = &x[1][3];
        taut_pose_euler(pose, p);
        taut_pose_omega(pose, omega);
        rate[0] = 0.0;
        for (int i = 0; i < 3; i++) {
            const int a = (i + 1) % 3, c = (i + 2) % 3;
            rate[0] -= 0.5 * p[i + 1] * omega[i];
            rate[i + 1] = 0.5 * (p[0] * omega[i] + omega[a] * p[c + 1] - omega[c] * p[a + 1]);
        }
    }
}
