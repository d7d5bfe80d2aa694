/* Contacts as unknown forces whose equations depend on modes. */
#include "form/contact.h"

#include "expr/pattern.h"
#include "form/vary.h"
#include "model/sliding.h"
#include "solve/touch.h"

static bool is_rigid(const taut_model_contact *c) { return c->law == TAUT_NO_NODE; }
/* In how many directions it has friction. */
static int ways_of(const taut_model_contact *c) {
    int ways = 0;
    while (ways < TAUT_TOUCH_WAYS && c->along[ways] != TAUT_NO_NODE) ways++;
    return c->breaks ? 1 : ways;
}
static bool has_gap(const taut_model_contact *c) { return c->gap != TAUT_NO_NODE; }

int taut_contacts_unknowns(const taut_model *m) {
    int count = 0;
    for (int i = 0; i < m->contacts; i++)
        if (is_rigid(&m->contact[i]))
            count += (has_gap(&m->contact[i]) ? 1 : 0) + ways_of(&m->contact[i]);
    return count;
}

/* ---- unknowns ---- */

static taut_status add_force(taut_problem *p, int i, const char *end, int group, taut_node *node,
                             int *row) {
    const taut_model_contact *c = &p->model->contact[i];
    const char *name = taut_problem_name(p, "%s.%s", c->name, end);
    if (!name) return TAUT_ERR_MEMORY;
    *row = p->variables;
    return taut_problem_add_variable(p, name, group, c->place, node);
}

taut_status taut_contacts_add_unknowns(taut_problem *p) {
    const taut_model *m = p->model;
    p->contact = TAUT_NEW_ARRAY(&p->arena, m->contacts, taut_formed_contact);
    if (!p->contact) return TAUT_ERR_MEMORY;
    if (m->contacts == 0) return TAUT_OK;
    p->first_force = p->variables;
    p->forces = taut_contacts_unknowns(m);
    const int group = m->mechanism ? p->force_group : p->groups++;
    const taut_node zero = taut_number(p->graph, 0.0);
    for (int i = 0; i < m->contacts; i++) {
        const taut_model_contact *c = &m->contact[i];
        taut_formed_contact *x = &p->contact[i];
        *x = (taut_formed_contact){.normal = has_gap(c),
                                   .rough = ways_of(c) > 0,
                                   .ways = ways_of(c),
                                   .rates = c->rates,
                                   .rigid = is_rigid(c),
                                   .firm = c->firm,
                                   .force = {zero, zero, zero, zero},
                                   .row = {-1, -1, -1, -1},
                                   .turn = -1};
        for (int k = 0; k < TAUT_TOUCH_ROWS; k++)
            if (x->rigid && taut_contact_has_row(x, k))
                TAUT_TRY(
                    add_force(p, i, taut_contact_row_name(x, k), group, &x->force[k], &x->row[k]));
    }
    return TAUT_OK;
}

/* ---- formulas ---- */

/* What is checked, for messages, and by which work space. */
typedef struct checked {
    taut_place place;
    const char *what;
    taut_pattern *pattern;
    int turn; /* an unknown that it may contain as well; -1: none */
} checked;

/* A gap is a formula of positions, a sliding velocity one of velocities as well (order 1);
 * otherwise a message. */
static taut_status check_formula(taut_problem *p, taut_node node, int order, int known,
                                 const checked *c, taut_errors *errors) {
    const taut_place place = c->place;
    const char *what = c->what;
    const taut_pattern_entry *entry;
    size_t count;
    taut_status status = taut_pattern_row(c->pattern, node, &entry, &count);
    if (status == TAUT_OK && count == 0)
        status =
            taut_fail_at(errors, TAUT_ERR_INPUT, place, "%s contains nothing that moves", what);
    for (size_t k = 0; k < count && status == TAUT_OK; k++) {
        if (entry[k].order > order)
            status = taut_fail_at(errors, TAUT_ERR_INPUT, place,
                                  order == 0 ? "%s is a formula of positions: without velocities"
                                             : "%s is a formula of velocities: without "
                                               "accelerations",
                                  what);
        else if (entry[k].variable >= known && entry[k].variable != c->turn)
            status = taut_fail_at(errors, TAUT_ERR_INPUT, place,
                                  "%s is a formula of positions: '%s' is none", what,
                                  p->variable[entry[k].variable].name);
    }
    return status;
}

static int unknown_of(const taut_graph *g, taut_node node) {
    const taut_node_data *d = taut_node_get(g, node);
    return d->op == TAUT_OP_VAR ? d->index : -1;
}

/* The load of a joint that rubs: |sense load| of one component, otherwise the length of a vector.
 */
static taut_status import_load(taut_problem *p, int i, taut_import_fn *import, void *user) {
    const taut_model_contact *c = &p->model->contact[i];
    taut_formed_contact *x = &p->contact[i];
    taut_graph *g = p->graph;
    taut_node scale;
    if (c->loads == 0) return TAUT_OK;
    taut_vec load = {.n = c->loads};
    TAUT_TRY(import(user, c->load_scale, c->gap_place, &scale));
    x->load_scale = taut_assume_value(g, scale);
    x->loads = c->loads;
    x->least = c->least_node;
    if (c->lever != TAUT_NO_NODE) {
        taut_node lever;
        TAUT_TRY(import(user, c->lever, c->gap_place, &lever));
        x->lever = taut_assume_value(g, lever);
    }
    for (int k = 0; k < c->loads; k++) {
        TAUT_TRY(import(user, c->load[k], c->gap_place, &load.c[k]));
        x->load[k] = unknown_of(g, load.c[k]);
        if (c->lever == TAUT_NO_NODE) continue;
        taut_node moment;
        TAUT_TRY(import(user, c->moment[k], c->gap_place, &moment));
        x->moment[k] = unknown_of(g, moment);
        load.c[k] = taut_add(g, load.c[k], taut_scale(g, x->lever, moment));
    }
    x->force[0] = taut_mul(
        g, scale, load.n == 1 ? taut_mul(g, c->sense_node, load.c[0]) : taut_vec_norm(g, load));
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* A circle on a curve: the angle of the place that is nearest, and what tells it. */
static taut_status import_rim(taut_problem *p, int i, taut_import_fn *import, void *user) {
    const taut_model_contact *c = &p->model->contact[i];
    taut_formed_contact *x = &p->contact[i];
    taut_node turn;
    if (c->turn == TAUT_NO_NODE) return TAUT_OK;
    TAUT_TRY(import(user, c->turn, c->gap_place, &turn));
    x->turn = taut_node_get(p->graph, turn)->index;
    TAUT_TRY(import(user, c->profile, c->gap_place, &x->profile));
    return import(user, c->facing, c->gap_place, &x->facing);
}

/* A level that depends on loads makes modes and loads depend on each other: joints that rub are
 * known to do so. */
static taut_status check_level(taut_problem *p, int i, int known, taut_pattern *pattern,
                               taut_errors *errors) {
    const taut_formed_contact *x = &p->contact[i];
    const taut_pattern_entry *entry;
    size_t count;
    taut_status status = TAUT_OK;
    for (int k = TAUT_CONTACT_SLIP_UP; k <= TAUT_CONTACT_STICK && status == TAUT_OK; k++) {
        status = taut_pattern_row(pattern, x->part[k], &entry, &count);
        for (size_t e = 0; status == TAUT_OK && e < count; e++)
            if (entry[e].variable >= known || entry[e].order > 1)
                status =
                    taut_fail_at(errors, TAUT_ERR_INPUT, p->model->contact[i].place,
                                 "the friction of '%s' depends on '%s', which friction itself "
                                 "changes: {Joint: ..., Coefficient: ...} is friction by the "
                                 "load of a joint",
                                 p->model->contact[i].element, p->variable[entry[e].variable].name);
    }
    return status;
}

static taut_status import_one(taut_problem *p, int i, taut_import_fn *import, void *user, int known,
                              taut_pattern *pattern, taut_errors *errors) {
    const taut_model_contact *c = &p->model->contact[i];
    taut_formed_contact *x = &p->contact[i];
    const taut_node zero = taut_number(p->graph, 0.0);
    const taut_node given[TAUT_CONTACT_PARTS] = {
        [TAUT_CONTACT_GAP] = x->normal ? c->gap : zero,
        [TAUT_CONTACT_ALONG] = x->ways > 0 ? c->along[0] : zero,
        [TAUT_CONTACT_ALONG_2] = x->ways > 1 ? c->along[1] : zero,
        [TAUT_CONTACT_ALONG_3] = x->ways > 2 ? c->along[2] : zero,
        [TAUT_CONTACT_RESTITUTION] = c->restitution,
        [TAUT_CONTACT_SLIP_UP] = c->slip[0],
        [TAUT_CONTACT_SLIP_DOWN] = c->slip[1],
        [TAUT_CONTACT_STICK] = c->stick,
        [TAUT_CONTACT_GATE] = c->gate != TAUT_NO_NODE ? c->gate : taut_number(p->graph, 1.0)};
    for (int k = 0; k < TAUT_CONTACT_PARTS; k++) {
        const bool along = k >= TAUT_CONTACT_ALONG && k <= TAUT_CONTACT_ALONG_3;
        const taut_place place = along ? c->along_place : c->gap_place;
        if (k == TAUT_CONTACT_ALONG && c->breaks) continue; /* an equation of its own */
        TAUT_TRY(import(user, given[k], place, &x->part[k]));
    }
    TAUT_TRY(import_rim(p, i, import, user));
    const checked gap = {c->gap_place, "a gap", pattern, x->turn};
    const checked along = {c->along_place,
                           x->rates ? "the sliding velocity of a contact"
                                    : "what a contact slides along",
                           pattern, x->turn};
    if (x->normal) TAUT_TRY(check_formula(p, x->part[TAUT_CONTACT_GAP], 0, known, &gap, errors));
    for (int k = 1; k < TAUT_TOUCH_ROWS; k++)
        if (taut_contact_has_row(x, k) && !c->breaks)
            TAUT_TRY(check_formula(p, x->part[k], x->rates ? 1 : 0, known, &along, errors));
    if (x->rough && x->rigid && !c->breaks) TAUT_TRY(check_level(p, i, known, pattern, errors));
    for (int k = 0; k < TAUT_TOUCH_WAYS; k++) {
        x->hold[k] = c->hold[k];
        x->way[k] = c->way[k];
    }
    x->lean = c->lean_node;
    x->calm = c->calm_node;
    TAUT_TRY(import_load(p, i, import, user));
    x->mode = x->pressed = zero;
    if (x->rigid) return TAUT_OK;
    TAUT_TRY(import(user, c->law, c->gap_place, &x->force[0]));
    return import(user, c->pressed, c->gap_place, &x->pressed);
}

taut_status taut_contacts_import(taut_problem *p, taut_import_fn *import, void *user, int known,
                                 taut_errors *errors) {
    taut_status result = TAUT_OK;
    taut_pattern *pattern; /* one for all: it is as large as the graph */
    TAUT_TRY(taut_pattern_create(p->graph, &pattern));
    for (int i = 0; i < p->model->contacts && result != TAUT_ERR_MEMORY; i++) {
        const taut_status status = import_one(p, i, import, user, known, pattern, errors);
        if (status != TAUT_OK) result = status;
    }
    taut_pattern_free(&pattern);
    return result;
}

/* ---- equations ---- */

int taut_contact_first_mode(const taut_model_contact *c) {
    return c->breaks ? TAUT_TOUCH_CLOSED : TAUT_TOUCH_OPEN;
}

static void equate(taut_problem *p, int i, taut_node node, const char *name, int *n) {
    p->system.equation[(*n)++] =
        (taut_equation){.node = node, .name = name, .place = p->model->contact[i].place};
}

/* What a coefficient is of the normal force; without a gap it is the force itself. */
static taut_node of_load(taut_problem *p, const taut_formed_contact *x, taut_node level) {
    return x->normal || x->loads > 0 ? taut_mul(p->graph, level, x->force[0]) : level;
}

static taut_node rate_of(taut_problem *p, const taut_formed_contact *x, int k) {
    return taut_dot(p->graph, x->part[k], x->rates && k > 0 ? 0 : 1);
}

/* Of the tangential components. */
static taut_vec vector_of(const taut_formed_contact *x, const taut_node *c) {
    taut_vec v = {.n = x->ways};
    for (int k = 0; k < x->ways; k++) v.c[k] = c[k];
    return v;
}

static taut_vec sliding_rate(taut_problem *p, const taut_formed_contact *x) {
    taut_vec v = {.n = x->ways};
    for (int k = 0; k < x->ways; k++) v.c[k] = rate_of(p, x, k + 1);
    return v;
}

static taut_node squared(taut_problem *p, taut_vec v) { return taut_vec_inner(p->graph, v, v); }

/* Components of v along the direction of slip (way), ... */
static taut_node ahead(taut_problem *p, const taut_formed_contact *x, taut_vec v) {
    return taut_vec_inner(p->graph, vector_of(x, x->way), v);
}

/* ... and across it, ways - 1 of them. */
static taut_vec aside(taut_problem *p, const taut_formed_contact *x, taut_vec v) {
    taut_graph *g = p->graph;
    const taut_vec way = vector_of(x, x->way);
    taut_vec across[2];
    if (v.n == 2) return taut_vec_cross(g, way, v);
    taut_sliding_tangents(g, way, x->lean, across);
    return (taut_vec){2, {taut_vec_inner(g, across[0], v), taut_vec_inner(g, across[1], v)}};
}

/* What stays zero where it sticks: the way since then, or the rate if there is no way. */
static taut_node off(taut_problem *p, const taut_formed_contact *x, int k) {
    return x->rates ? x->part[k] : taut_sub(p->graph, x->part[k], x->hold[k - 1]);
}

/* Slip in the plane. */
static taut_node slip_on_line(taut_problem *p, const taut_formed_contact *x, bool up) {
    const taut_node level = x->part[up ? TAUT_CONTACT_SLIP_UP : TAUT_CONTACT_SLIP_DOWN];
    const taut_node load = of_load(p, x, level);
    return up ? taut_add(p->graph, x->force[1], load) : taut_sub(p->graph, x->force[1], load);
}

/* Slip in space: against the rate. */
static taut_node slip_in_space(taut_problem *p, const taut_formed_contact *x, int k) {
    taut_graph *g = p->graph;
    const taut_vec rate = sliding_rate(p, x);
    const taut_node speed = taut_root(g, squared(p, rate));
    const taut_node load = of_load(p, x, x->part[TAUT_CONTACT_SLIP_UP]);
    return taut_add(g, x->force[k], taut_div(g, taut_mul(g, load, rate.c[k - 1]), speed));
}

/* Setting off in space, where the rate has no direction yet: friction in a direction (way) that is
 * known, as long as the rate has that direction. */
static taut_node set_off(taut_problem *p, const taut_formed_contact *x, int k) {
    const taut_node load = of_load(p, x, x->part[TAUT_CONTACT_SLIP_DOWN]);
    return taut_add(p->graph, x->force[k], taut_mul(p->graph, load, x->way[k - 1]));
}

/* The same where the acceleration has no direction either: along a line, with a force that keeps it
 * there, as long as that is small. */
static taut_node set_off_on_line(taut_problem *p, const taut_formed_contact *x, int k) {
    taut_vec way = {.n = x->ways};
    for (int d = 0; d < x->ways; d++) way.c[d] = off(p, x, d + 1);
    if (k > 1) return aside(p, x, way).c[k - 2];
    return taut_add(p->graph, ahead(p, x, vector_of(x, x->force + 1)),
                    of_load(p, x, x->part[TAUT_CONTACT_SLIP_DOWN]));
}

/* A force that is zero. In a Hamiltonian its equation mentions the acceleration that goes with it,
 * so that the matrix of the open contacts has the velocities' response to impulses; of a circle on
 * a curve, so that its angle is found with its derivatives, as coordinates are. */
static taut_node absent(taut_problem *p, const taut_formed_contact *x, int k) {
    taut_graph *g = p->graph;
    if (p->model->kind != TAUT_MODEL_HAMILTONIAN && x->turn < 0) return x->force[k];
    return taut_add(g, x->force[k],
                    taut_mul(g, p->model->nothing, taut_dot(g, rate_of(p, x, k), 1)));
}

/* T in a mode: the equation of its k-th component. */
static taut_node tangential(taut_problem *p, const taut_formed_contact *x, int mode, int k) {
    taut_graph *g = p->graph;
    if (taut_touch_holds(mode, k)) return taut_sub(g, x->force[k], of_load(p, x, x->way[k - 1]));
    if (mode > TAUT_TOUCH_HELD) return off(p, x, k);
    switch (mode) {
    case TAUT_TOUCH_OPEN:
    case TAUT_TOUCH_IDLE: return absent(p, x, k);
    case TAUT_TOUCH_CLOSED:
        if (taut_node_get(g, x->part[k])->steady) return x->force[k]; /* it holds by itself */
        return off(p, x, k);
    case TAUT_TOUCH_START: return set_off(p, x, k);
    case TAUT_TOUCH_LINE: return set_off_on_line(p, x, k);
    default:
        return x->ways > 1 ? slip_in_space(p, x, k) : slip_on_line(p, x, mode == TAUT_TOUCH_UP);
    }
}

/* Square of friction's bound less that of the force. */
static taut_node cone(taut_problem *p, const taut_formed_contact *x, taut_node level, double part,
                      taut_node square) {
    const taut_node bound = of_load(p, x, level);
    return taut_sub(p->graph, taut_scale(p->graph, part * part, taut_mul(p->graph, bound, bound)),
                    square);
}

static void guard_in_space(taut_problem *p, const taut_formed_contact *x, int mode,
                           taut_node *guard) {
    const taut_vec rate = sliding_rate(p, x), force = vector_of(x, x->force + 1);
    if (mode == TAUT_TOUCH_UP) {
        guard[1] = ahead(p, x, rate);
        guard[2] = squared(p, rate); /* nobody looks for its roots: it has double ones */
    } else if (mode == TAUT_TOUCH_START) {
        taut_graph *g = p->graph;
        const taut_node turn =
            taut_scale(g, TAUT_CONTACT_TURN * TAUT_CONTACT_TURN, squared(p, rate));
        guard[1] =
            taut_sub(g, taut_add(g, turn, taut_square(g, x->calm)), squared(p, aside(p, x, rate)));
        guard[2] = ahead(p, x, rate);
    } else if (mode == TAUT_TOUCH_LINE) {
        guard[1] = cone(p, x, x->part[TAUT_CONTACT_SLIP_DOWN], TAUT_CONTACT_ASIDE,
                        squared(p, aside(p, x, force)));
        guard[2] = ahead(p, x, rate);
    } else {
        guard[1] = cone(p, x, x->part[TAUT_CONTACT_STICK], 1.0, squared(p, force));
    }
}

static void guard_on_line(taut_problem *p, const taut_formed_contact *x, int mode,
                          taut_node *guard) {
    taut_graph *g = p->graph;
    if (mode == TAUT_TOUCH_CLOSED) {
        const taut_node bound = of_load(p, x, x->part[TAUT_CONTACT_STICK]);
        guard[1] = taut_sub(g, bound, x->force[1]);
        guard[2] = taut_add(g, bound, x->force[1]);
    } else if (mode < TAUT_TOUCH_HELD) {
        guard[1] = taut_scale(g, mode == TAUT_TOUCH_UP ? 1.0 : -1.0, rate_of(p, x, 1));
    }
}

/* A load that vanishes ends sliding and sticking, one that comes back ends what is open; between
 * both is some room, so that neither begins where it ends. */
static taut_node load_guard(taut_problem *p, const taut_formed_contact *x, bool closed) {
    taut_graph *g = p->graph;
    if (closed) return taut_sub(g, x->force[0], taut_scale(g, 0.5, x->least));
    taut_node rest = taut_square(g, x->least);
    for (int k = 0; k < x->loads; k++) {
        taut_node load = taut_number(g, 0.0);
        if (x->load[k] >= 0) load = taut_variable(g, x->load[k]);
        if (x->lever != 0.0 && x->moment[k] >= 0)
            load = taut_add(g, load, taut_scale(g, x->lever, taut_variable(g, x->moment[k])));
        rest = taut_sub(g, rest, taut_square(g, taut_scale(g, x->load_scale, load)));
    }
    return rest;
}

/* Functions that are positive as long as the mode lasts. */
static void set_guards(taut_problem *p, const taut_formed_contact *x, int mode, taut_node *guard) {
    const bool closed = mode != TAUT_TOUCH_OPEN;
    for (int k = 0; k < TAUT_GUARDS; k++) guard[k] = taut_number(p->graph, 1.0);
    if (!x->rigid || mode == TAUT_TOUCH_IDLE) return;
    if (x->normal) guard[0] = closed ? x->force[0] : x->part[TAUT_CONTACT_GAP];
    if (x->loads > 0) guard[0] = load_guard(p, x, closed);
    if (!x->rough || !closed || x->firm) return;
    if (x->ways > 1)
        guard_in_space(p, x, mode, guard);
    else
        guard_on_line(p, x, mode, guard);
}

/* The number of a mode for whoever looks: 0 open, 1 closed, 2 and 3 sliding. */
static int shown(int mode) {
    if (mode == TAUT_TOUCH_START || mode == TAUT_TOUCH_LINE) return TAUT_TOUCH_UP;
    return mode <= TAUT_TOUCH_DOWN ? mode : TAUT_TOUCH_CLOSED;
}

void taut_contacts_guess(taut_problem *p) {
    taut_system *s = &p->system;
    for (int i = 0; i < p->model->contacts; i++) {
        const int turn = p->contact[i].turn;
        if (turn < 0) continue;
        s->given[s->givens++] = (taut_given){.variable = turn,
                                             .value = p->model->contact[i].outset,
                                             .rough = true,
                                             .place = s->unknown[turn].place,
                                             .number = -1};
    }
}

taut_status taut_contacts_add_equations(taut_problem *p, const int *mode, int *n) {
    const taut_model *m = p->model;
    for (int i = 0; i < m->contacts; i++) {
        taut_formed_contact *x = &p->contact[i];
        const int now = mode ? mode[i] : taut_contact_first_mode(&m->contact[i]);
        const bool closed = now != TAUT_TOUCH_OPEN && now != TAUT_TOUCH_IDLE;
        const char *name = taut_problem_name(p, "contact %s", m->contact[i].name);
        if (!name) return TAUT_ERR_MEMORY;
        if (x->turn >= 0) p->system.unknown[x->turn].auxiliary = true;
        if (x->row[0] >= 0)
            equate(p, i, closed ? x->part[TAUT_CONTACT_GAP] : absent(p, x, 0), name, n);
        for (int k = 1; k < TAUT_TOUCH_ROWS; k++)
            if (x->row[k] >= 0) equate(p, i, tangential(p, x, now, k), name, n);
        set_guards(p, x, now, &p->when[m->events + m->kinks + m->boundaries + TAUT_GUARDS * i]);
        x->mode = x->rigid ? taut_number(p->graph, shown(now)) : x->pressed;
    }
    return taut_graph_failed(p->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- energy ---- */

/* A joint that holds does no work, and one that has let go has no force. */
static bool holds_joint(const taut_model_contact *c) { return c->breaks && c->broken_joint >= 0; }

taut_status taut_contacts_power(taut_problem *p, taut_sweep *sweep, int known, bool rubs,
                                taut_node *power) {
    taut_graph *g = p->graph;
    for (int i = 0; i < p->model->contacts; i++) {
        const taut_formed_contact *x = &p->contact[i];
        for (int k = rubs; k < (rubs ? TAUT_TOUCH_ROWS : 1); k++) {
            taut_node product;
            if (!taut_contact_has_row(x, k) || holds_joint(&p->model->contact[i])) continue;
            TAUT_TRY(taut_vary_velocity_product(g, sweep, known, rate_of(p, x, k), &product));
            *power = taut_add(g, *power, taut_mul(g, x->force[k], product));
        }
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_contacts_are_open(const taut_problem *p, int known, bool *open) {
    for (int i = 0; i < p->model->contacts && !*open; i++) {
        const taut_formed_contact *x = &p->contact[i];
        *open = x->rough || !x->rigid;
        TAUT_TRY(taut_vary_is_open(p->graph, x->part[TAUT_CONTACT_GAP], known, open));
    }
    return TAUT_OK;
}

/* ---- columns ---- */

static void add_column(taut_problem *p, const char *name, taut_node node) {
    p->column[p->columns++] = (taut_column){name, node, false, TAUT_COLUMN_OUTPUT};
}

/* The size of what something transmits that may let go: of its force, or, if it has none, of its
 * torque. */
static taut_node load_of(taut_problem *p, int first) {
    const taut_model_contact *c = &p->model->contact[first];
    taut_graph *g = p->graph;
    taut_node sum = taut_number(g, 0.0), alone = TAUT_NO_NODE;
    bool force = false;
    int count = 0;
    for (int k = 0; k < c->parts; k++) force = force || !c[k].torque;
    for (int k = 0; k < c->parts; k++) {
        if (force && c[k].torque) continue;
        alone = p->contact[first + k].force[1];
        sum = taut_add(g, sum, taut_square(g, alone));
        count++;
    }
    return count == 1 ? taut_scale(g, -1.0, alone) : taut_apply(g, TAUT_OP_SQRT, sum);
}

void taut_contacts_add_columns(taut_problem *p) {
    const taut_model *m = p->model;
    for (int i = 0; i < m->contacts; i++) {
        const taut_formed_contact *x = &p->contact[i];
        const char *name = m->contact[i].name;
        if (m->contact[i].part > 0) continue;
        if (m->contact[i].breaks) { /* what has let go has no load, and no length of one */
            const bool gone = taut_node_is_number(p->graph, x->mode, 0.0);
            add_column(p, taut_problem_name(p, "%s.N", name),
                       gone ? taut_number(p->graph, 0.0) : load_of(p, i));
            add_column(p, taut_problem_name(p, "%s.mode", name), x->mode);
            continue;
        }
        if (x->normal) add_column(p, taut_problem_name(p, "%s.gap", name), x->part[0]);
        for (int k = 0; k < TAUT_TOUCH_ROWS; k++)
            if (taut_contact_has_row(x, k) || (k == 0 && x->loads > 0))
                add_column(p, taut_problem_name(p, "%s.%s", name, taut_contact_row_name(x, k)),
                           x->force[k]);
        if (!m->contact[i].shares) add_column(p, taut_problem_name(p, "%s.mode", name), x->mode);
    }
}
