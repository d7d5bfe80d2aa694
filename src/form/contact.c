/* Contacts as unknown forces whose equations depend on modes. */
#include "form/contact.h"

#include "expr/pattern.h"
#include "form/vary.h"
#include "solve/touch.h"

static bool is_rigid(const taut_model_contact *c) { return c->law == TAUT_NO_NODE; }
static bool is_rough(const taut_model_contact *c) { return c->along != TAUT_NO_NODE; }
static bool has_gap(const taut_model_contact *c) { return c->gap != TAUT_NO_NODE; }

int taut_contacts_unknowns(const taut_model *m) {
    int count = 0;
    for (int i = 0; i < m->contacts; i++)
        if (is_rigid(&m->contact[i]))
            count += (has_gap(&m->contact[i]) ? 1 : 0) + (is_rough(&m->contact[i]) ? 1 : 0);
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
    for (int i = 0; i < m->contacts; i++) {
        const taut_model_contact *c = &m->contact[i];
        taut_formed_contact *x = &p->contact[i];
        *x = (taut_formed_contact){.normal = has_gap(c),
                                   .rough = is_rough(c),
                                   .rigid = is_rigid(c),
                                   .firm = c->firm,
                                   .N = taut_number(p->graph, 0.0),
                                   .T = taut_number(p->graph, 0.0),
                                   .row = {-1, -1}};
        if (x->rigid && x->normal) TAUT_TRY(add_force(p, i, "N", group, &x->N, &x->row[0]));
        if (x->rigid && x->rough) TAUT_TRY(add_force(p, i, "T", group, &x->T, &x->row[1]));
    }
    return TAUT_OK;
}

/* ---- formulas ---- */

/* A gap is a formula of positions; otherwise a message. */
static taut_status check_positions(taut_problem *p, taut_node node, taut_place place, int known,
                                   const char *what, taut_errors *errors) {
    taut_pattern *pattern;
    const taut_pattern_entry *entry;
    size_t count;
    TAUT_TRY(taut_pattern_create(p->graph, &pattern));
    taut_status status = taut_pattern_row(pattern, node, &entry, &count);
    if (status == TAUT_OK && count == 0)
        status =
            taut_fail_at(errors, TAUT_ERR_INPUT, place, "%s contains nothing that moves", what);
    for (size_t k = 0; k < count && status == TAUT_OK; k++) {
        if (entry[k].order > 0)
            status = taut_fail_at(errors, TAUT_ERR_INPUT, place,
                                  "%s is a formula of positions: without velocities", what);
        else if (entry[k].variable >= known)
            status = taut_fail_at(errors, TAUT_ERR_INPUT, place,
                                  "%s is a formula of positions: '%s' is none", what,
                                  p->variable[entry[k].variable].name);
    }
    taut_pattern_free(&pattern);
    return status;
}

static taut_status import_one(taut_problem *p, int i, taut_import_fn *import, void *user, int known,
                              taut_errors *errors) {
    const taut_model_contact *c = &p->model->contact[i];
    taut_formed_contact *x = &p->contact[i];
    const taut_node zero = taut_number(p->graph, 0.0);
    const taut_node given[TAUT_CONTACT_PARTS] = {
        [TAUT_CONTACT_GAP] = x->normal ? c->gap : zero,
        [TAUT_CONTACT_ALONG] = x->rough ? c->along : zero,
        [TAUT_CONTACT_RESTITUTION] = c->restitution,
        [TAUT_CONTACT_SLIP_UP] = c->slip[0],
        [TAUT_CONTACT_SLIP_DOWN] = c->slip[1],
        [TAUT_CONTACT_STICK] = c->stick,
        [TAUT_CONTACT_GATE] = c->gate != TAUT_NO_NODE ? c->gate : taut_number(p->graph, 1.0)};
    for (int k = 0; k < TAUT_CONTACT_PARTS; k++) {
        const taut_place place = k == TAUT_CONTACT_ALONG ? c->along_place : c->gap_place;
        TAUT_TRY(import(user, given[k], place, &x->part[k]));
    }
    if (x->normal)
        TAUT_TRY(
            check_positions(p, x->part[TAUT_CONTACT_GAP], c->gap_place, known, "a gap", errors));
    if (x->rough)
        TAUT_TRY(check_positions(p, x->part[TAUT_CONTACT_ALONG], c->along_place, known,
                                 "what a contact slides along", errors));
    x->hold = c->hold;
    x->mode = x->pressed = zero;
    if (x->rigid) return TAUT_OK;
    TAUT_TRY(import(user, c->law, c->gap_place, &x->N));
    return import(user, c->pressed, c->gap_place, &x->pressed);
}

taut_status taut_contacts_import(taut_problem *p, taut_import_fn *import, void *user, int known,
                                 taut_errors *errors) {
    taut_status result = TAUT_OK;
    for (int i = 0; i < p->model->contacts; i++) {
        const taut_status status = import_one(p, i, import, user, known, errors);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK) result = status;
    }
    return result;
}

/* ---- equations ---- */

static void equate(taut_problem *p, int i, taut_node node, const char *name, int *n) {
    p->system.equation[(*n)++] =
        (taut_equation){.node = node, .name = name, .place = p->model->contact[i].place};
}

/* T in a mode: its equation. */
static taut_node tangential(taut_problem *p, const taut_formed_contact *x, int mode) {
    taut_graph *g = p->graph;
    if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE || mode == TAUT_TOUCH_HELD) return x->T;
    if (mode == TAUT_TOUCH_CLOSED) return taut_sub(g, x->part[TAUT_CONTACT_ALONG], x->hold);
    const bool up = mode == TAUT_TOUCH_UP;
    taut_node level = x->part[up ? TAUT_CONTACT_SLIP_UP : TAUT_CONTACT_SLIP_DOWN];
    if (x->normal) level = taut_mul(g, level, x->N);
    return up ? taut_add(g, x->T, level) : taut_sub(g, x->T, level);
}

/* Functions that are positive as long as the mode lasts. */
static void set_guards(taut_problem *p, const taut_formed_contact *x, int mode, taut_node *guard) {
    taut_graph *g = p->graph;
    const bool closed = mode != TAUT_TOUCH_OPEN;
    for (int k = 0; k < TAUT_GUARDS; k++) guard[k] = taut_number(g, 1.0);
    if (!x->rigid || mode == TAUT_TOUCH_IDLE) return;
    if (x->normal) guard[0] = closed ? x->N : x->part[TAUT_CONTACT_GAP];
    if (!x->rough || !closed || mode == TAUT_TOUCH_HELD || x->firm) return;
    if (mode == TAUT_TOUCH_CLOSED) {
        taut_node bound = x->part[TAUT_CONTACT_STICK];
        if (x->normal) bound = taut_mul(g, bound, x->N);
        guard[1] = taut_sub(g, bound, x->T);
        guard[2] = taut_add(g, bound, x->T);
    } else {
        const taut_node rate = taut_dot(g, x->part[TAUT_CONTACT_ALONG], 1);
        guard[1] = taut_scale(g, mode == TAUT_TOUCH_UP ? 1.0 : -1.0, rate);
    }
}

taut_status taut_contacts_add_equations(taut_problem *p, const int *mode, int *n) {
    const taut_model *m = p->model;
    for (int i = 0; i < m->contacts; i++) {
        taut_formed_contact *x = &p->contact[i];
        const int now = mode ? mode[i] : TAUT_TOUCH_OPEN;
        const bool closed = now != TAUT_TOUCH_OPEN && now != TAUT_TOUCH_IDLE;
        const char *name = taut_problem_name(p, "contact %s", m->contact[i].name);
        if (!name) return TAUT_ERR_MEMORY;
        if (x->row[0] >= 0) equate(p, i, closed ? x->part[TAUT_CONTACT_GAP] : x->N, name, n);
        if (x->row[1] >= 0) equate(p, i, tangential(p, x, now), name, n);
        set_guards(p, x, now, &p->when[m->events + m->kinks + m->boundaries + TAUT_GUARDS * i]);
        const bool shown = now <= TAUT_TOUCH_DOWN; /* the others are closed for whoever looks */
        x->mode = x->rigid ? taut_number(p->graph, shown ? now : 1.0) : x->pressed;
    }
    return taut_graph_failed(p->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- energy ---- */

taut_status taut_contacts_power(taut_problem *p, taut_sweep *sweep, int known, taut_node *power) {
    taut_graph *g = p->graph;
    for (int i = 0; i < p->model->contacts; i++) {
        const taut_formed_contact *x = &p->contact[i];
        const taut_node force[2] = {x->N, x->T};
        const bool there[2] = {x->normal, x->rough};
        for (int k = 0; k < 2; k++) {
            taut_node product;
            if (!there[k]) continue;
            const taut_node rate = taut_dot(g, x->part[TAUT_CONTACT_GAP + k], 1);
            TAUT_TRY(taut_vary_velocity_product(g, sweep, known, rate, &product));
            *power = taut_add(g, *power, taut_mul(g, force[k], product));
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

void taut_contacts_add_columns(taut_problem *p) {
    const taut_model *m = p->model;
    for (int i = 0; i < m->contacts; i++) {
        const taut_formed_contact *x = &p->contact[i];
        const char *name = m->contact[i].name;
        if (x->normal) add_column(p, taut_problem_name(p, "%s.gap", name), x->part[0]);
        if (x->normal) add_column(p, taut_problem_name(p, "%s.N", name), x->N);
        if (x->rough) add_column(p, taut_problem_name(p, "%s.T", name), x->T);
        add_column(p, taut_problem_name(p, "%s.mode", name), x->mode);
    }
}
