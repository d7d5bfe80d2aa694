/* From branches to limbs: a joint is a row of hinges, each turned so that its axis is where the
 * recursion wants it. */
#include "form/limb.h"

#include <string.h>

#include "form/branch.h"

/* Where the axes of a body are, on its limb: a local x is at shift + turn x. */
typedef struct seat {
    int limb;
    double turn[3][3], shift[3];
} seat;

typedef struct builder {
    taut_mechanics *n;
    taut_law *law;
    seat *seat;        /* [bodies] */
    int at;            /* the limb that we are on; -1: the ground */
    double axes[3][3]; /* where we are on it, and which way we look */
    double place[3];
} builder;

static const double NONE[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void product(const double a[3][3], const double b[3][3], bool back, double c[3][3]) {
    double r[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            r[i][k] = 0.0;
            for (int j = 0; j < 3; j++) r[i][k] += a[i][j] * (back ? b[k][j] : b[j][k]);
        }
    memcpy(c, r, sizeof r);
}

static void turn(builder *b, const double m[3][3], bool back) {
    product(b->axes, m, back, b->axes);
}

static void apply(const double m[3][3], const double v[3], double w[3]) {
    const double x = v[0], y = v[1], z = v[2]; /* w may be v */
    for (int i = 0; i < 3; i++) w[i] = m[i][0] * x + m[i][1] * y + m[i][2] * z;
}

static void numbers(const builder *b, taut_vec v, double x[3]) {
    taut_assume_values(b->n->graph, v, x);
}

/* ---- hinges ---- */

/* A hinge here, with a limb that we go on to. */
static void push(builder *b, taut_hinge_kind kind, int variable, bool rod) {
    taut_law *law = b->law;
    taut_limb *l = &law->limb[law->limbs];
    *l = (taut_limb){.parent = b->at, .hinge = kind};
    memcpy(l->axes, b->axes, sizeof l->axes);
    memcpy(l->place, b->place, sizeof l->place);
    if (kind != TAUT_HINGE_FIXED)
        law->hinge[law->hinges++] = (taut_law_hinge){law->limbs, variable, rod};
    b->at = law->limbs++;
    memcpy(b->axes, NONE, sizeof NONE);
    memset(b->place, 0, sizeof b->place);
}

/* Slides along the axis a of where we look. */
static void slide(builder *b, int a, int variable) {
    const int along = b->law->dimension == 2 ? 0 : 2; /* of a hinge */
    double cycle[3][3] = {{0}};
    for (int k = 0; k < 3; k++) cycle[(k + a - along + 3) % 3][k] = 1.0;
    if (b->law->dimension == 2 && a == 1) {
        const double left[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
        memcpy(cycle, left, sizeof left);
    }
    turn(b, cycle, false);
    push(b, TAUT_HINGE_SLIDE, variable, false);
    turn(b, cycle, true);
}

static void slide_all(builder *b, const taut_branch *branch, int first) {
    const double(*axes)[3] = branch->axes[branch->sliding];
    for (int i = 0; i < branch->slides; i++) {
        turn(b, axes, false);
        slide(b, branch->slides == 1 && b->law->dimension == 3 ? 2 : i, first + i);
        turn(b, axes, true);
    }
}

/* From the parent's axes to the body's own. */
static void turn_all(builder *b, const taut_branch *branch, int first) {
    static const double onward[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    if (branch->turning == TAUT_TURNS_FREELY) {
        push(b, TAUT_HINGE_BALL, first, branch->rod);
        return;
    }
    if (b->law->dimension == 2 && branch->turning == TAUT_TURNS_ONCE) {
        push(b, TAUT_HINGE_TURN, first, false);
        return;
    }
    turn(b, branch->axes[0], false);
    if (branch->turning != TAUT_TURNS_NOT) push(b, TAUT_HINGE_TURN, first, false);
    if (branch->turning == TAUT_TURNS_TWICE) {
        turn(b, onward, false);
        push(b, TAUT_HINGE_TURN, first + 1, false);
    }
    turn(b, branch->axes[1], true);
}

/* ---- masses ---- */

/* A further mass on the limb that we are on, unless gravity acts on one and not on the other. */
static void add_mass(builder *b, int limb, double mass, const double centroid[3],
                     const double inertia[3][3], bool weightless) {
    taut_limb *l = &b->law->limb[limb];
    if (l->mass != 0.0 && l->weightless != weightless) { /* a limb of its own */
        b->at = limb;
        memcpy(b->axes, NONE, sizeof NONE);
        memset(b->place, 0, sizeof b->place);
        push(b, TAUT_HINGE_FIXED, -1, false);
        l = &b->law->limb[b->at];
    }
    const double total = l->mass + mass;
    double apart[3], square = 0.0;
    for (int i = 0; i < 3; i++) {
        apart[i] = l->mass == 0.0 ? 0.0 : centroid[i] - l->centroid[i];
        square += apart[i] * apart[i];
    }
    const double reduced = total > 0.0 ? l->mass * mass / total : 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            l->inertia[i][k] +=
                inertia[i][k] + reduced * ((i == k ? square : 0.0) - apart[i] * apart[k]);
    if (mass == 0.0) return; /* an inertia alone */
    for (int i = 0; i < 3; i++)
        l->centroid[i] = (l->mass * l->centroid[i] + mass * centroid[i]) / total;
    l->mass = total;
    l->weightless = weightless;
}

/* Along the body's axes; of a rod along its limb's, whose x axis it is. */
static void find_inertia(const builder *b, int body, double inertia[3][3]) {
    const taut_body *x = &b->n->mechanism->body[body];
    const bool one = x->thin || b->law->dimension == 2;
    memset(inertia, 0, 9 * sizeof **inertia);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            if (one && (i != k || (x->thin && i == 0))) continue;
            const taut_node node = x->inertia[one ? 0 : i][one ? 0 : k];
            inertia[i][k] = taut_assume_value(b->n->graph, node);
        }
}

/* A rod has no inertia about its own axis, and nothing that could turn it about that: any will do,
 * the spin is 0 and stays so. */
static void give_spin(builder *b, int body) {
    taut_limb *l = &b->law->limb[b->seat[body].limb];
    const double across = l->inertia[1][1] + l->mass * l->centroid[0] * l->centroid[0];
    l->inertia[0][0] = across > 0.0 ? across : 1.0;
}

static void weigh_body(builder *b, int body) {
    const taut_body *x = &b->n->mechanism->body[body];
    const seat *s = &b->seat[body];
    double centroid[3], inertia[3][3];
    if (!x->has_mass) return;
    numbers(b, x->centroid, centroid);
    apply(s->turn, centroid, centroid);
    for (int i = 0; i < 3; i++) centroid[i] += s->shift[i];
    find_inertia(b, body, inertia);
    if (!b->n->kin->relative->branch[body].rod) {
        product(s->turn, inertia, false, inertia);
        product(inertia, s->turn, true, inertia);
    }
    add_mass(b, s->limb, taut_assume_value(b->n->graph, x->mass), centroid, inertia, x->weightless);
}

/* ---- bodies ---- */

/* We are at the body's point `local`, along its axes. */
static void sit(builder *b, int body, const double local[3]) {
    seat *s = &b->seat[body];
    const taut_branch *branch = &b->n->kin->relative->branch[body];
    double arm[3];
    s->limb = b->at;
    memcpy(s->turn, b->axes, sizeof s->turn);
    if (branch->rod) { /* the limb's x axis is the rod; other directions do not matter */
        double q[3];
        numbers(b, b->n->kin->frame[body].q[0], q);
        memset(s->turn, 0, sizeof s->turn);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) s->turn[i][k] = b->axes[i][0] * q[k];
    }
    apply(s->turn, local, arm);
    for (int i = 0; i < 3; i++) s->shift[i] = b->place[i] - arm[i];
}

static void go_to_ground(builder *b) {
    b->at = -1;
    memcpy(b->axes, NONE, sizeof NONE);
    memset(b->place, 0, sizeof b->place);
}

static void hang_free(builder *b, int body) {
    const taut_body *x = &b->n->mechanism->body[body];
    const taut_frame *f = &b->n->kin->frame[body];
    const int dimension = b->law->dimension;
    double local[3] = {0.0, 0.0, 0.0};
    go_to_ground(b);
    for (int i = 0; i < dimension; i++) slide(b, i, f->first + i);
    push(b, dimension == 2 ? TAUT_HINGE_TURN : TAUT_HINGE_BALL, f->first + dimension, f->axes == 1);
    if (x->has_mass) numbers(b, x->centroid, local);
    sit(b, body, local);
}

/* To a point of a body or of the ground, looking along its axes. */
static void go_to(builder *b, int body, taut_vec local) {
    double point[3];
    numbers(b, local, point);
    go_to_ground(b);
    memcpy(b->place, point, sizeof point);
    if (body < 0) return;
    const seat *s = &b->seat[body];
    b->at = s->limb;
    if (!b->n->kin->relative->branch[body].rod) memcpy(b->axes, s->turn, sizeof s->turn);
    apply(s->turn, point, b->place);
    for (int i = 0; i < 3; i++) b->place[i] += s->shift[i];
}

static bool is_on_rod(const builder *b, int parent) {
    return parent >= 0 && b->n->kin->relative->branch[parent].rod;
}

/* Places that move with time are no limbs, and rods have no axes to slide along. */
static bool hang_body(builder *b, int body) {
    taut_kin *k = b->n->kin;
    const taut_branch *branch = &k->relative->branch[body];
    const int parent = k->relative->tree.parent[body], limbs = b->law->limbs;
    double point[3];
    if (branch->absent) return true;
    if (branch->free) {
        hang_free(b, body);
        return true;
    }
    if (branch->slides > 0 && (branch->sliding ? branch->rod : is_on_rod(b, parent))) return false;
    for (int i = 0; i < branch->point[0].n; i++)
        if (!taut_node_get(b->n->graph, branch->point[0].c[i])->steady) return false;
    go_to(b, parent, branch->point[0]);
    const int first = k->frame[body].first;
    if (!branch->sliding) slide_all(b, branch, first);
    turn_all(b, branch, first + branch->slides);
    if (branch->sliding) slide_all(b, branch, first);
    if (b->law->limbs == limbs) push(b, TAUT_HINGE_FIXED, -1, false);
    numbers(b, branch->point[1], point);
    sit(b, body, point);
    return true;
}

/* The body, or the ground (-1), that has both elements; -2: none. */
static int common_carrier(const builder *b, int one, int other) {
    const taut_mechanism *m = b->n->mechanism;
    const taut_kin *k = b->n->kin;
    if (m->element[one].fixed && m->element[other].fixed) {
        for (int i = 0; i < m->dimension; i++)
            if (!taut_node_get(b->n->graph, k->value[one].c[i])->steady ||
                !taut_node_get(b->n->graph, k->value[other].c[i])->steady)
                return -2;
        return -1;
    }
    for (int i = m->carrier_start[one]; i < m->carrier_start[one + 1]; i++) {
        const taut_branch *branch = &k->relative->branch[m->carrier[i]];
        if (!branch->absent && !branch->rod && taut_branch_element(m, m->carrier[i], other) >= 0)
            return m->carrier[i];
    }
    return -2;
}

/* A point on a line that a body or the ground has: it slides. */
static bool go_on_line(builder *b, int number) {
    const taut_collinear *c = &b->n->mechanism->collinear[number];
    const int carrier = common_carrier(b, c->origin, c->vector);
    double along[3], axes[3][3];
    if (carrier < -1) return false;
    go_to(b, carrier, taut_branch_local(b->n->kin, carrier, c->origin));
    numbers(b, taut_branch_local(b->n->kin, carrier, c->vector), along);
    taut_branch_axes(b->law->dimension, along, NULL, axes);
    turn(b, axes, false);
    slide(b, b->law->dimension == 2 ? 0 : 2, b->n->kin->scalar[number]);
    turn(b, axes, true);
    return true;
}

/* A particle at a point of a body, on a line, at a fixed point, or at one that is nobody's. */
static bool hang_particle(builder *b, const taut_particle *p) {
    const taut_kin *k = b->n->kin;
    const double mass = taut_assume_value(b->n->graph, p->mass), none[3][3] = {{0}};
    const int body = k->assigned_by[p->point];
    double at[3] = {0.0, 0.0, 0.0};
    switch (k->origin[p->point]) {
    case TAUT_ORIGIN_FIXED: return true;
    case TAUT_ORIGIN_BODY:
        go_to(b, body, taut_branch_local(b->n->kin, body, p->point));
        memcpy(at, b->place, sizeof at);
        break;
    case TAUT_ORIGIN_COLLINEAR:
        if (!go_on_line(b, k->mechanism->element[p->point].collinear)) return false;
        break;
    case TAUT_ORIGIN_BASIC:
        go_to_ground(b);
        for (int i = 0; i < b->law->dimension; i++)
            slide(b, i, taut_node_get(b->n->graph, k->value[p->point].c[i])->index);
        break;
    default: return false;
    }
    add_mass(b, b->at, mass, at, none, p->weightless);
    return true;
}

/* Does every coordinate belong to a hinge? */
static bool is_whole(const builder *b, int coordinates) {
    int count = 0;
    for (int i = 0; i < b->law->hinges; i++) {
        const taut_law_hinge *h = &b->law->hinge[i];
        const bool ball = b->law->limb[h->limb].hinge == TAUT_HINGE_BALL;
        count += !ball ? 1 : h->rod ? 3 : 4;
    }
    return count == coordinates;
}

/* Bodies in the order of the tree, but with all that hangs on one body of the ground together. */
static taut_status list_bodies(const builder *b, int *list) {
    const taut_tree *t = &b->n->kin->relative->tree;
    int *root = TAUT_NEW_ARRAY(b->n->arena, t->bodies, int),
        *start = TAUT_NEW_ARRAY(b->n->arena, t->bodies + 1, int);
    if (!root || !start) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->bodies; i++) {
        const int body = t->order[i], parent = t->parent[body];
        root[body] = parent < 0 ? body : root[parent];
        start[root[body] + 1]++;
    }
    for (int i = 0; i < t->bodies; i++) start[i + 1] += start[i];
    for (int i = 0; i < t->bodies; i++) list[start[root[t->order[i]]]++] = t->order[i];
    return TAUT_OK;
}

taut_status taut_limbs_create(taut_mechanics *n, int coordinates, taut_law *law, bool *fits) {
    const taut_mechanism *m = n->mechanism;
    builder b = {.n = n, .law = law};
    const int most = 6 * m->bodies + 4 * m->particles + 1;
    law->dimension = m->dimension;
    law->limb = TAUT_NEW_ARRAY(n->arena, most, taut_limb);
    law->hinge = TAUT_NEW_ARRAY(n->arena, most, taut_law_hinge);
    b.seat = TAUT_NEW_ARRAY(n->arena, m->bodies, seat);
    int *body = TAUT_NEW_ARRAY(n->arena, m->bodies, int);
    if (!law->limb || !law->hinge || !b.seat || !body) return TAUT_ERR_MEMORY;
    TAUT_TRY(list_bodies(&b, body));
    if (m->has_gravity) numbers(&b, m->gravity, law->gravity);
    *fits = true;
    for (int i = 0; i < m->bodies && *fits; i++) *fits = hang_body(&b, body[i]);
    for (int i = 0; i < m->bodies && *fits; i++) weigh_body(&b, i);
    for (int i = 0; i < m->particles && *fits; i++) *fits = hang_particle(&b, &m->particle[i]);
    for (int i = 0; i < m->bodies && *fits; i++)
        if (n->kin->relative->branch[i].rod && !n->kin->relative->branch[i].absent)
            give_spin(&b, i);
    for (int i = 0; i < m->links; i++)
        if (m->link[i].mass != TAUT_NO_NODE &&
            taut_node_get(n->graph, m->link[i].mass)->value != 0.0)
            *fits = false;
    *fits = *fits && is_whole(&b, coordinates);
    return TAUT_OK;
}
