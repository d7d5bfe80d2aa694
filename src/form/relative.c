/* Relative coordinates: which joints make the tree, and what holds by construction. branch.c makes
 * frames of it. */
#include "form/relative.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "form/branch.h"
#include "form/formulation.h"

/* A joint as part of the tree: how it moves, and what it then need not demand. */
typedef struct motion {
    bool possible;
    taut_turning turning;
    int slides;
    unsigned held;
    int left; /* degrees of freedom that it takes away beside that */
} motion;

#define BIT(NAME) (1u << TAUT_CONDITION_##NAME)

static motion motion_of(taut_joint_kind kind, int dimension) {
    const taut_turning any = dimension == 2 ? TAUT_TURNS_ONCE : TAUT_TURNS_FREELY;
    const unsigned line = BIT(ALIGN) | BIT(ON_LINE);
    switch (kind) {
    case TAUT_JOINT_REVOLUTE: return (motion){true, TAUT_TURNS_ONCE, 0, BIT(MEET) | BIT(ALIGN), 0};
    case TAUT_JOINT_PRISMATIC: return (motion){true, TAUT_TURNS_NOT, 1, line | BIT(UNTURNED), 0};
    case TAUT_JOINT_SPHERICAL: return (motion){true, any, 0, BIT(MEET), 0};
    case TAUT_JOINT_UNIVERSAL:
        return (motion){true, TAUT_TURNS_TWICE, 0, BIT(MEET) | BIT(SQUARE), 0};
    case TAUT_JOINT_CYLINDRICAL: return (motion){true, TAUT_TURNS_ONCE, 1, line, 0};
    case TAUT_JOINT_SCREW: return (motion){true, TAUT_TURNS_ONCE, 1, line, 1};
    case TAUT_JOINT_PLANAR:
        return (motion){true, TAUT_TURNS_ONCE, 2, BIT(ALIGN) | BIT(ON_PLANE), 0};
    case TAUT_JOINT_CONSTANT_VELOCITY: return (motion){true, any, 0, BIT(MEET), 1};
    case TAUT_JOINT_LINE: return (motion){true, any, 1, BIT(ON_LINE), 0};
    case TAUT_JOINT_PLANE: return (motion){true, any, 2, BIT(ON_PLANE), 0};
    case TAUT_JOINT_WELD:
        return (motion){true, TAUT_TURNS_NOT, 0, BIT(MEET) | BIT(ALIGN) | BIT(UNTURNED), 0};
    default: return (motion){false, TAUT_TURNS_NOT, 0, 0u, 0};
    }
}

/* ---- who has what ---- */

static bool has(const taut_mechanism *m, int body, int e) {
    return body < 0 ? m->element[e].fixed : taut_branch_element(m, body, e) >= 0;
}

/* A rod without mass can be a distance between two points, and no body. */
static bool is_massless_rod(const taut_mechanism *m, int body) {
    const taut_body *b = &m->body[body];
    return !b->has_mass && b->elements == 2 && !m->element[b->element[1]].is_vector;
}

/* Do others have, or place, both of its ends? */
static bool is_between(const taut_mechanism *m, int body) {
    for (int i = 0; i < 2; i++) {
        const int e = m->body[body].element[i];
        if (!m->element[e].fixed && !m->element[e].formula && m->element[e].collinear < 0 &&
            m->carrier_start[e + 1] - m->carrier_start[e] < 2)
            return false;
    }
    return true;
}

static bool is_rod(const taut_mechanism *m, int body) {
    return body >= 0 && m->dimension == 3 && m->body[body].elements == 2;
}

bool taut_relative_places(const taut_kin *k, int body, int i) {
    (void)i;
    return !k->relative->branch[body].absent;
}

/* Who has the point of a shared joint, distances aside; -2: nobody. */
static int real_body(const taut_kin *k, int body, int point) {
    const taut_mechanism *m = k->mechanism;
    if (body < 0 || !k->relative->branch[body].absent) return body;
    for (int i = m->carrier_start[point]; i < m->carrier_start[point + 1]; i++)
        if (!k->relative->branch[m->carrier[i]].absent) return m->carrier[i];
    return -2;
}

/* A vector of the ground must not turn if a joint is to have its axes there. */
static bool stands(taut_kin *k, int e) {
    if (!taut_kin_place(k, e)) return false;
    for (int i = 0; i < k->value[e].n; i++)
        if (!taut_node_get(k->graph, k->value[e].c[i])->steady) return false;
    return true;
}

/* Does this side of a joint have what its motion needs? */
static bool is_complete(taut_kin *k, const taut_joint *j, const taut_tree_edge *e, int side,
                        const motion *move) {
    const taut_mechanism *m = k->mechanism;
    const int body = e->body[side], dimension = m->dimension;
    const bool line = move->slides > 0 && !(move->held & BIT(ALIGN));
    const bool directed =
        (dimension == 3 && move->turning != TAUT_TURNS_FREELY) || move->turning == TAUT_TURNS_NOT;
    if (j->point[side] < 0 || !has(m, body, j->point[side])) return false;
    if (is_rod(m, body) && move->turning != TAUT_TURNS_FREELY) return false;
    if (line) { /* one of both has the axis */
        const int owner = taut_branch_line_side(m, j, e->body);
        return owner >= 0 && (e->body[owner] >= 0 || stands(k, j->axis[0]));
    }
    if (!directed) return true;
    if (j->axis[side] < 0) return j->shared && j->kind == TAUT_JOINT_WELD;
    if (!has(m, body, j->axis[side]) || (body < 0 && !stands(k, j->axis[side]))) return false;
    if (j->normal[side] < 0) return true;
    return has(m, body, j->normal[side]) && (body >= 0 || stands(k, j->normal[side]));
}

/* ---- what is to be cut ---- */

/* Is this one of the names in the list, which has commas between them? */
static bool is_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *p = list; p; p = strchr(p, ','), p = p ? p + 1 : NULL)
        if (strncmp(p, name, length) == 0 && (p[length] == '\0' || p[length] == ',')) return true;
    return false;
}

/* Every name in the list must be one of a joint. */
static taut_status check_cut(const taut_kin *k) {
    const taut_mechanism *m = k->mechanism;
    for (const char *p = k->cut; p; p = strchr(p, ','), p = p ? p + 1 : NULL) {
        char name[256];
        bool found = false;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, ","), p);
        taut_nearest nearest = {.wanted = name};
        for (int i = 0; i < m->joints && !found; i++) {
            found = strcmp(m->joint[i].name, name) == 0;
            taut_nearest_offer(&nearest, m->joint[i].name);
        }
        if (found) continue;
        return taut_fail(k->errors, TAUT_ERR_CALL,
                         "there is no joint '%s' to cut%s%s%s; 'taut analyze' lists the joints",
                         name, nearest.best ? ": did you mean '" : "",
                         nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
    }
    return TAUT_OK;
}

static bool is_usable(taut_kin *k, const taut_joint *j, taut_tree_edge *e, motion *move) {
    const taut_mechanism *m = k->mechanism;
    *move = motion_of(j->kind, m->dimension);
    if (!move->possible || j->disassembled || j->split || e->body[0] == e->body[1]) return false;
    if (is_listed(k->cut, j->name)) return false;
    for (int side = 0; side < 2; side++)
        if (e->body[side] < -1 || !is_complete(k, j, e, side, move)) return false;
    return true;
}

/* ---- the tree ---- */

static int find_slot(const taut_mechanism *m, int e, int body) {
    for (int i = m->carrier_start[e]; i < m->carrier_start[e + 1]; i++)
        if (m->carrier[i] == body) return i;
    return m->carrier_start[m->elements] + e; /* the ground's */
}

static int root_of(const int *group, int slot) {
    while (group[slot] != slot) slot = group[slot];
    return slot;
}

/* Does a joint of the tree keep an element together that both of its bodies have? */
static bool keeps(const taut_joint *j, unsigned held, int e) {
    if (j->kind == TAUT_JOINT_WELD) return true;
    if (e == j->point[0]) return e == j->point[1] && (held & BIT(MEET));
    if (e == j->axis[0]) return e == j->axis[1] && (held & BIT(ALIGN));
    return e == j->normal[0] && e == j->normal[1] && (held & BIT(UNTURNED));
}

static void join_elements(const taut_kin *k, const taut_joint *j, const int body[2]) {
    const taut_mechanism *m = k->mechanism;
    const int one = body[0] < 0 ? body[1] : body[0], other = body[0] < 0 ? -1 : body[1];
    int *group = k->relative->group;
    for (int i = 0; i < m->body[one].elements; i++) {
        const int e = m->body[one].element[i];
        if (has(m, other, e) && keeps(j, k->relative->held[j - m->joint], e))
            group[root_of(group, find_slot(m, e, one))] = root_of(group, find_slot(m, e, other));
    }
}

/* The tree for the bodies that are left. */
static taut_status span(taut_kin *k, taut_tree_edge *edge, motion *move) {
    const taut_mechanism *m = k->mechanism;
    for (int i = 0; i < m->joints; i++) {
        const taut_joint *j = &m->joint[i];
        for (int side = 0; side < 2; side++)
            edge[i].body[side] = j->shared && j->point[side] >= 0
                                     ? real_body(k, j->body[side], j->point[side])
                                     : j->body[side];
        edge[i].usable = is_usable(k, j, &edge[i], &move[i]);
        for (int side = 0; side < 2; side++) { /* the tree must know every end */
            const int body = edge[i].body[side];
            if (body >= 0 && k->relative->branch[body].absent) edge[i].usable = false;
            if (body < -1) edge[i].body[side] = -1;
        }
        edge[i].holds = taut_joint_removes(j->kind, m->dimension) - move[i].left;
    }
    return taut_tree_create(&k->arena, m->bodies, edge, m->joints, &k->relative->tree);
}

/* Rods without mass that close loops or hang on nothing are distances; *any: there are new ones. */
static void find_distances(taut_kin *k, bool *parent, bool *any) {
    const taut_mechanism *m = k->mechanism;
    const taut_tree *t = &k->relative->tree;
    *any = false;
    for (int b = 0; b < m->bodies; b++) parent[b] = false;
    for (int b = 0; b < m->bodies; b++)
        if (t->parent[b] >= 0) parent[t->parent[b]] = true;
    for (int b = 0; b < m->bodies; b++) {
        taut_branch *branch = &k->relative->branch[b];
        if (branch->absent || !is_massless_rod(m, b)) continue;
        branch->absent = t->joint[b] < 0 || (!parent[b] && is_between(m, b));
        *any = *any || branch->absent;
    }
}

taut_status taut_relative_prepare(taut_kin *k) {
    const taut_mechanism *m = k->mechanism;
    const int slots = m->carrier_start[m->elements] + m->elements;
    taut_relative *r = k->relative = TAUT_NEW(&k->arena, taut_relative);
    taut_tree_edge *edge = TAUT_NEW_ARRAY(&k->arena, m->joints, taut_tree_edge);
    motion *move = TAUT_NEW_ARRAY(&k->arena, m->joints, motion);
    bool *parent = TAUT_NEW_ARRAY(&k->arena, m->bodies, bool), any = true;
    if (!r || !edge || !move || !parent) return TAUT_ERR_MEMORY;
    r->branch = TAUT_NEW_ARRAY(&k->arena, m->bodies, taut_branch);
    r->held = TAUT_NEW_ARRAY(&k->arena, m->joints, unsigned);
    r->group = TAUT_NEW_ARRAY(&k->arena, slots, int);
    if (!r->branch || !r->held || !r->group) return TAUT_ERR_MEMORY;
    TAUT_TRY(check_cut(k));
    while (any) {
        TAUT_TRY(span(k, edge, move));
        find_distances(k, parent, &any);
    }
    for (int i = 0; i < slots; i++) r->group[i] = i;
    for (int i = 0; i < m->joints; i++) {
        if (!r->tree.inside[i]) continue;
        r->held[i] = move[i].held;
        join_elements(k, &m->joint[i], edge[i].body);
    }
    for (int b = 0; b < m->bodies; b++) {
        taut_branch *branch = &r->branch[b];
        const int joint = r->tree.joint[b];
        branch->free = joint < 0;
        branch->rod = is_rod(m, b);
        branch->ground = -1;
        if (joint < 0) continue;
        branch->turning = move[joint].turning;
        branch->slides = move[joint].slides;
    }
    return TAUT_OK;
}

/* Bodies in the order of the tree. Distances wait for the places of their ends. */
taut_status taut_relative_frame(taut_kin *k, int body) {
    taut_relative *r = k->relative;
    if (r->branch[body].absent) return taut_branch_frame(k, body);
    while (r->framed < k->mechanism->bodies && !k->frame[body].ready) {
        const int next = r->tree.order[r->framed++];
        if (!r->branch[next].absent && !k->frame[next].ready) TAUT_TRY(taut_branch_frame(k, next));
    }
    return TAUT_OK;
}

/* ---- what holds by construction ---- */

unsigned taut_relative_held(const taut_kin *k, int joint) {
    return k->relative ? k->relative->held[joint] : 0u;
}

bool taut_relative_holds_line(const taut_kin *k, int number) {
    const taut_mechanism *m = k->mechanism;
    const taut_collinear *c = &m->collinear[number];
    for (int i = 0; i < m->joints && k->relative; i++) {
        const taut_joint *j = &m->joint[i];
        if (j->shared && (k->relative->held[i] & BIT(ON_LINE)) && j->point[0] == c->point &&
            j->point[1] == c->origin && j->axis[0] == c->vector)
            return true;
    }
    return false;
}

/* Is the element where its owner has it, or where an earlier body has it, who sees to the rest? */
static bool is_held(const taut_kin *k, int body, int i, int owner) {
    const taut_mechanism *m = k->mechanism;
    const int e = m->body[body].element[i], *group = k->relative->group;
    const int own = root_of(group, find_slot(m, e, body));
    if (owner >= -1 && own == root_of(group, find_slot(m, e, owner))) return true;
    for (int c = m->carrier_start[e]; c < m->carrier_start[e + 1] && m->carrier[c] < body; c++)
        if (own == root_of(group, c)) return true;
    return false;
}

taut_status taut_relative_constrain(taut_mechanics *n, int body) {
    const taut_branch *b = &n->kin->relative->branch[body];
    bool directed;
    if (b->absent) return taut_natural_constrain(n, body);
    TAUT_TRY(taut_reference_tie(n, body, is_held, &directed));
    if (n->mechanism->dimension == 2 || !(b->free || b->turning == TAUT_TURNS_FREELY))
        return TAUT_OK;
    /* components of a rod's direction leave nothing to say about its length */
    return b->rod && directed ? TAUT_OK : taut_reference_norm(n, body);
}
