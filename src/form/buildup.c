/* Who brings in which unknown, places which element and adds which equation. Everybody who may be a
 * part has a number: bodies, then elements, joints, constraints, coordinates of their own. */
#include "form/buildup.h"

#include <stdio.h>
#include <string.h>

typedef enum what { BRINGS, ASSIGNS, EQUATES, LEFT_OUT, WHATS } what;

/* One entry of a list of one part. */
typedef struct entry {
    int owner;
    what list;
    const char *name;
    int unknowns, equation;
} entry;

typedef struct making {
    const taut_mechanics *n;
    taut_arena *arena;
    entry *item;
    size_t items, room;
    int *owner;   /* [elements] the first body, in the order of the table, that has it; -1: none */
    bool *known;  /* [variables] it is among the unknowns that somebody brings in */
    int first[5]; /* numbers of bodies, elements, joints, constraints, variables begin here */
} making;

static const char *element_name(const making *m, int e) { return m->n->mechanism->element[e].name; }

static taut_status add(making *m, entry x) {
    if (!x.name) return TAUT_ERR_MEMORY;
    if (taut_grow((void **)&m->item, &m->room, m->items + 1, sizeof *m->item))
        return TAUT_ERR_MEMORY;
    m->item[m->items++] = x;
    return TAUT_OK;
}

/* ---- unknowns and places ---- */

static int variable_of(const making *m, taut_node node) {
    return taut_node_get(m->n->graph, node)->index;
}

static taut_status bring_frame(making *m, int body) {
    const taut_frame *f = &m->n->kin->frame[body];
    for (int i = 0; i < f->unknowns; i++) {
        m->known[f->first + i] = true;
        TAUT_TRY(add(m, (entry){body, BRINGS, m->n->problem->variable[f->first + i].name, 1, 0}));
    }
    return TAUT_OK;
}

/* C = C1 + mu v: the scalar comes in, the point is assigned. */
static taut_status place_on_line(making *m, int e, int owner) {
    const int number = m->n->mechanism->element[e].collinear;
    const taut_collinear *c = &m->n->mechanism->collinear[number];
    const int scalar = m->n->kin->scalar[number];
    const char *name = m->n->problem->variable[scalar].name;
    if (!m->known[scalar]) TAUT_TRY(add(m, (entry){owner, BRINGS, name, 1, 0}));
    m->known[scalar] = true;
    return add(
        m, (entry){owner, ASSIGNS,
                   taut_problem_name(m->n->problem, "%s = %s + %s %s", element_name(m, e),
                                     element_name(m, c->origin), name, element_name(m, c->vector)),
                   0, 0});
}

static taut_status place_element(making *m, int e) {
    const taut_kin *k = m->n->kin;
    const int owner = m->owner[e] >= 0 ? m->owner[e] : m->first[1] + e;
    switch (k->origin[e]) {
    case TAUT_ORIGIN_FIXED: return TAUT_OK;
    case TAUT_ORIGIN_BASIC:
        for (int i = 0; i < k->value[e].n; i++) m->known[variable_of(m, k->value[e].c[i])] = true;
        return add(m, (entry){owner, BRINGS, element_name(m, e), k->value[e].n, 0});
    case TAUT_ORIGIN_COLLINEAR: return place_on_line(m, e, owner);
    case TAUT_ORIGIN_BODY:
        return add(m, (entry){k->assigned_by[e], ASSIGNS, element_name(m, e), 0, 0});
    case TAUT_ORIGIN_JOINT:
        return add(m, (entry){owner, ASSIGNS,
                              taut_problem_name(m->n->problem, "%s = %s", element_name(m, e),
                                                element_name(m, k->joined[e])),
                              0, 0});
    default:
        return add(m, (entry){m->first[1] + e, ASSIGNS,
                              taut_problem_name(m->n->problem, "%s (formula)", element_name(m, e)),
                              0, 0});
    }
}

/* The body that has an element and comes first. */
static void find_owners(making *m) {
    const taut_mechanism *x = m->n->mechanism;
    for (int e = 0; e < x->elements; e++) m->owner[e] = -1;
    for (int k = 0; k < m->n->kin->mades; k++) {
        const int body = m->n->kin->made[k];
        for (int i = 0; i < x->body[body].elements; i++)
            if (m->owner[x->body[body].element[i]] < 0) m->owner[x->body[body].element[i]] = body;
    }
    for (int body = 0; body < x->bodies; body++)
        for (int i = 0; i < x->body[body].elements; i++)
            if (m->owner[x->body[body].element[i]] < 0) m->owner[x->body[body].element[i]] = body;
}

/* ---- equations ---- */

/* Without " of OA", which the table says already. */
static const char *short_name(const making *m, const taut_constraint *c) {
    char text[200], of[TAUT_NAME_MAX + 8];
    if (c->body == 0) return c->name;
    snprintf(text, sizeof text, "%s", c->name);
    snprintf(of, sizeof of, " of %s", m->n->mechanism->body[c->body - 1].name);
    char *at = strstr(text, of);
    if (!at || at == text) return c->name;
    memmove(at, at + strlen(of), strlen(at + strlen(of)) + 1);
    return taut_problem_name(m->n->problem, "%s", text);
}

static taut_status add_equation(making *m, const taut_constraint *c, int number, bool kept) {
    const int owner = c->body > 0    ? c->body - 1
                      : c->joint > 0 ? m->first[2] + c->joint - 1
                                     : m->first[3] + number;
    const int equation = m->n->problem->first_constraint + number;
    return add(m, (entry){owner, kept ? EQUATES : LEFT_OUT, short_name(m, c), 0, equation});
}

/* ---- the table ---- */

static const char *part_name(const making *m, int owner, const entry *x) {
    const taut_mechanism *k = m->n->mechanism;
    if (owner < m->first[1]) return k->body[owner].name;
    if (owner < m->first[2]) return k->element[owner - m->first[1]].name;
    if (owner < m->first[3]) return k->joint[owner - m->first[2]].name;
    if (x->list == BRINGS || owner - m->first[3] >= (int)m->n->constraints) return x->name;
    const taut_constraint *c = &m->n->constraint[owner - m->first[3]];
    return c->driver ? "driver" : c->formula || c->velocity ? "constraint" : "collinear";
}

static void put(taut_buildup_part *p, const entry *x) {
    taut_buildup_list *const list[WHATS] = {&p->brings, &p->assigns, &p->equates, &p->left_out};
    taut_buildup_list *own = list[x->list];
    if (x->list == EQUATES) p->equation[own->count] = x->equation;
    own->name[own->count++] = x->name;
    p->unknowns += x->unknowns;
}

/* Room for the entries of every part, counted first. */
static taut_status open_parts(making *m, const int *number, const int (*count)[WHATS],
                              taut_buildup *b) {
    for (int owner = 0; owner < m->first[4] + m->n->problem->variables; owner++) {
        if (number[owner] < 0) continue;
        taut_buildup_part *p = &b->part[number[owner]];
        p->brings.name = TAUT_NEW_ARRAY(m->arena, count[owner][BRINGS], const char *);
        p->assigns.name = TAUT_NEW_ARRAY(m->arena, count[owner][ASSIGNS], const char *);
        p->equates.name = TAUT_NEW_ARRAY(m->arena, count[owner][EQUATES], const char *);
        p->left_out.name = TAUT_NEW_ARRAY(m->arena, count[owner][LEFT_OUT], const char *);
        p->equation = TAUT_NEW_ARRAY(m->arena, count[owner][EQUATES], int);
        if (!p->brings.name || !p->assigns.name || !p->equates.name || !p->left_out.name ||
            !p->equation)
            return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

static bool is_part(const int (*count)[WHATS], int owner) {
    int entries = 0;
    for (int k = 0; k < WHATS; k++) entries += count[owner][k];
    return entries > 0;
}

/* Bodies and elements without one in the order in which their places were found. */
static taut_status number_places(making *m, const int (*count)[WHATS], int *number,
                                 taut_buildup *b) {
    const taut_kin *k = m->n->kin;
    const int elements = m->n->mechanism->elements;
    int *at = TAUT_NEW_ARRAY(m->arena, k->moments + 1, int);
    if (!at) return TAUT_ERR_MEMORY;
    for (int i = 0; i <= k->moments; i++) at[i] = -1;
    for (int owner = 0; owner < m->first[2]; owner++) {
        const bool body = owner < m->first[1];
        if (body || is_part(count, owner))
            at[k->moment[body ? elements + owner : owner - m->first[1]]] = owner;
    }
    for (int i = 1; i <= k->moments; i++)
        if (at[i] >= 0) number[at[i]] = b->parts++;
    for (int body = 0; body < m->first[1]; body++) /* made on the way of another */
        if (number[body] < 0) number[body] = b->parts++;
    return TAUT_OK;
}

static taut_status make_table(making *m, taut_buildup *b) {
    const int owners = m->first[4] + m->n->problem->variables;
    int *number = TAUT_NEW_ARRAY(m->arena, owners, int);
    int(*count)[WHATS] = taut_arena_array(m->arena, (size_t)owners + 1, sizeof *count);
    b->part = TAUT_NEW_ARRAY(m->arena, owners, taut_buildup_part);
    if (!number || !count || !b->part) return TAUT_ERR_MEMORY;
    memset(count, 0, (size_t)owners * sizeof *count);
    for (int i = 0; i < owners; i++) number[i] = -1;
    for (size_t i = 0; i < m->items; i++) count[m->item[i].owner][m->item[i].list]++;
    TAUT_TRY(number_places(m, (const int(*)[WHATS])count, number, b));
    for (int owner = m->first[2]; owner < owners; owner++)
        if (is_part((const int(*)[WHATS])count, owner)) number[owner] = b->parts++;
    TAUT_TRY(open_parts(m, number, (const int(*)[WHATS])count, b));
    for (int body = 0; body < m->first[1]; body++)
        if (number[body] >= 0) b->part[number[body]].name = part_name(m, body, NULL);
    for (size_t i = 0; i < m->items; i++) {
        taut_buildup_part *p = &b->part[number[m->item[i].owner]];
        if (!p->name) p->name = part_name(m, m->item[i].owner, &m->item[i]);
        put(p, &m->item[i]);
    }
    return TAUT_OK;
}

static taut_status collect(making *m) {
    const taut_mechanics *n = m->n;
    find_owners(m);
    for (int b = 0; b < n->mechanism->bodies; b++) TAUT_TRY(bring_frame(m, b));
    for (int e = 0; e < n->mechanism->elements; e++) TAUT_TRY(place_element(m, e));
    for (int j = 0; j < n->problem->coordinates; j++)
        if (!m->known[j])
            TAUT_TRY(add(m, (entry){m->first[4] + j, BRINGS, n->problem->variable[j].name, 1, 0}));
    for (size_t i = 0; i < n->constraints; i++)
        TAUT_TRY(add_equation(m, &n->constraint[i], (int)i, true));
    for (int i = 0; i < n->left_out_count; i++)
        TAUT_TRY(add_equation(m, &n->left_out[i], (int)n->constraints + i, false));
    return TAUT_OK;
}

taut_status taut_buildup_make(const taut_mechanics *n) {
    const taut_mechanism *x = n->mechanism;
    making m = {.n = n, .arena = n->arena};
    taut_buildup *b = TAUT_NEW(n->arena, taut_buildup);
    m.owner = TAUT_NEW_ARRAY(n->arena, x->elements, int);
    m.known = TAUT_NEW_ARRAY(n->arena, n->problem->variables, bool);
    if (!b || !m.owner || !m.known) return TAUT_ERR_MEMORY;
    *b = (taut_buildup){0};
    memset(m.known, 0, (size_t)n->problem->variables * sizeof *m.known);
    m.first[1] = x->bodies;
    m.first[2] = m.first[1] + x->elements;
    m.first[3] = m.first[2] + x->joints;
    m.first[4] = m.first[3] + (int)n->constraints + n->left_out_count;
    taut_status status = collect(&m);
    if (status == TAUT_OK) status = make_table(&m, b);
    taut_release((void **)&m.item);
    n->problem->buildup = b;
    return status;
}
