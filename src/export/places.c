/* Which part of the generated program needs which slot of the tape, and where its series lives.
 *
 * A slot is evaluated by one function at one order of its series. What only the same function
 * reads, at the same order, is a local variable there; what convolutions, J, the columns or other
 * functions read is stored. */
#include "export/code.h"

/* ---- roots ---- */

int taut_code_observed(const taut_code *c) {
    return c->formulas + c->actions + (c->reactions ? 3 * c->reactions->of->vectors : 0);
}

taut_code_column *taut_code_observed_at(const taut_code *c, int i) {
    if (i < c->formulas) return &c->column[i];
    if (i < c->formulas + c->actions) return &c->action[i - c->formulas].value;
    return &c->reactions->part[i - c->formulas - c->actions];
}

/* Formulas, then reactions. */
static taut_status list_columns(taut_code *c) {
    const taut_observer *o = c->simulation->observer;
    c->columns = taut_observer_columns(o) - 1;
    c->formulas = c->columns - (c->reactions ? c->reactions->of->columns : 0);
    c->column = TAUT_NEW_ARRAY(&c->arena, c->columns, taut_code_column);
    const char **name = TAUT_NEW_ARRAY(&c->arena, c->columns + 1, const char *);
    if (!c->column || !name) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_observer_names(o, &c->arena, name));
    for (int k = 0; k < c->columns; k++) {
        taut_column_source source = {0};
        taut_observer_source(o, k + 1, &source);
        c->column[k] = (taut_code_column){name[k + 1], source.node, -1, source.order};
    }
    return TAUT_OK;
}

static taut_status list_actions(taut_code *c) {
    const taut_model *m = c->model;
    c->controllers = m->controllers;
    c->action = TAUT_NEW_ARRAY(&c->arena, m->actions + 1, taut_code_action);
    c->controller = TAUT_NEW_ARRAY(&c->arena, m->controllers + 1, taut_code_controller);
    if (!c->action || !c->controller) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->controllers; i++)
        for (int k = 0; k < m->controller[i].actions; k++) {
            const int a = m->controller[i].first + k;
            c->action[c->actions++] = (taut_code_action){
                .value = {.name = m->action[a].name, .node = c->problem->assign[a]},
                .controller = i,
                .parameter = m->action[a].parameter};
        }
    return TAUT_OK;
}

/* Equations, variables, entries of J, what these are computed from, and what is observed. */
static taut_status make_tape(taut_code *c, const taut_series *s) {
    const int n = c->system->n, observed = taut_code_observed(c);
    taut_node *root = TAUT_NEW_ARRAY(&c->arena, 2 * n + s->entries + observed, taut_node);
    size_t count = 0;
    c->equation = TAUT_NEW_ARRAY(&c->arena, n, int);
    c->variable = TAUT_NEW_ARRAY(&c->arena, n, int);
    c->entry = TAUT_NEW_ARRAY(&c->arena, s->entries + 1, int);
    if (!root || !c->equation || !c->variable || !c->entry) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) root[count++] = c->system->equation[i].node;
    for (int i = 0; i < n; i++) root[count++] = taut_variable(c->system->graph, i);
    for (int k = 0; k < s->entries; k++) root[count++] = s->node[k];
    for (int k = 0; k < observed; k++) root[count++] = taut_code_observed_at(c, k)->node;
    c->entries = s->entries;
    c->start = s->start;
    c->row = s->row;
    TAUT_TRY(taut_tape_create(c->system->graph, c->structure->offsets.d, root, count, &c->arena,
                              &c->tape));
    for (int i = 0; i < n; i++) c->equation[i] = taut_tape_slot(c->tape, root[i]);
    for (int i = 0; i < n; i++) c->variable[i] = taut_tape_slot(c->tape, root[n + i]);
    for (int k = 0; k < s->entries; k++) c->entry[k] = taut_tape_slot(c->tape, root[2 * n + k]);
    for (int k = 0; k < observed; k++) {
        taut_code_column *x = taut_code_observed_at(c, k);
        x->slot = taut_tape_slot(c->tape, x->node);
    }
    return TAUT_OK;
}

/* ---- uses ---- */

static void pass_on(taut_code *c, int use, int slot) {
    if (slot < 0 || (c->use[slot] | use) == c->use[slot]) return;
    c->use[slot] = (uint8_t)(c->use[slot] | use);
    c->passed = true;
}

/* What a slot is needed for, its arguments are; but J has values of functions, and does not need
 * their recurrences. */
static void pass_to_arguments(taut_code *c, int slot) {
    const taut_instr *x = &c->tape->instr[slot];
    const int use = c->use[slot];
    pass_on(c, use, x->a);
    pass_on(c, use, x->b);
    if (x->kernel != TAUT_KERNEL_SUM && x->kernel != TAUT_KERNEL_CHAIN) return;
    for (int k = x->first; k < x->first + x->count; k++) {
        const int rest = x->kernel == TAUT_KERNEL_SUM ? use : use & ~TAUT_USE_JACOBIAN;
        pass_on(c, rest, c->tape->term[k].slot);
        pass_on(c, rest, c->tape->term[k].other);
    }
}

/* J needs order 0 alone, unless it contains a derivative of something: that needs more orders. */
static void ask_for_series(taut_code *c, int reader) {
    const taut_instr *x = &c->tape->instr[reader];
    if (!(c->use[reader] & TAUT_USE_JACOBIAN) || x->kernel != TAUT_KERNEL_SUM) return;
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *t = &c->tape->term[k];
        if (t->p == 0) continue;
        pass_on(c, TAUT_USE_SERIES, t->slot);
        pass_on(c, TAUT_USE_SERIES, t->other);
    }
}

static void find_uses(taut_code *c) {
    const int n = c->system->n;
    for (int i = 0; i < n; i++) c->use[c->equation[i]] |= TAUT_USE_SERIES;
    for (int i = 0; i < n; i++) c->use[c->variable[i]] |= TAUT_USE_SERIES;
    for (int k = 0; k < c->entries; k++) c->use[c->entry[k]] |= TAUT_USE_JACOBIAN;
    for (int k = 0; k < taut_code_observed(c); k++)
        c->use[taut_code_observed_at(c, k)->slot] |= TAUT_USE_OUTPUT;
    /* the factor of a function's recurrence may come behind the function: once more */
    for (c->passed = true; c->passed;) {
        c->passed = false;
        for (int slot = c->tape->size - 1; slot >= 0; slot--) {
            ask_for_series(c, slot);
            pass_to_arguments(c, slot);
        }
    }
}

/* ---- places ---- */

/* Which function evaluates it: by its offset. */
static int level_of(const taut_instr *x) {
    return x->offset > TAUT_OFFSET_NEVER / 2 ? TAUT_LEVEL_TIME : x->offset;
}

static bool is_series(const taut_code *c, int slot) { return c->use[slot] & TAUT_USE_SERIES; }

/* A slot that has to be stored: in the work space of the series if these evaluate it. */
static void keep(taut_code *c, int slot) {
    const bool always = c->tape->instr[slot].kernel <= TAUT_KERNEL_VARIABLE;
    c->store[slot] = is_series(c, slot) || always ? TAUT_STORE_SERIES : TAUT_STORE_OUTPUT;
}

/* Is the argument read where and when it is evaluated? p: so many orders ahead of its reader. */
static void keep_if_far(taut_code *c, int reader, int slot, int p) {
    const bool together = c->level[slot] != TAUT_LEVEL_TIME &&
                          c->level[slot] == c->level[reader] + p && p == 0 &&
                          is_series(c, slot) == is_series(c, reader);
    if (!together) keep(c, slot);
}

static void keep_arguments(taut_code *c, int slot) {
    const taut_instr *x = &c->tape->instr[slot];
    const taut_tape_term *term = c->tape->term;
    switch (x->kernel) {
    case TAUT_KERNEL_DIVIDE:
        keep_if_far(c, slot, x->a, 0);
        keep(c, x->b);
        keep(c, slot);
        break;
    case TAUT_KERNEL_ROOT:
        keep_if_far(c, slot, x->a, 0);
        keep(c, slot);
        break;
    case TAUT_KERNEL_CHAIN:
        if (x->b >= 0) keep(c, x->b);
        for (int k = x->first; k < x->first + x->count; k++) {
            keep(c, term[k].slot);
            keep(c, term[k].other);
        }
        keep(c, x->a);
        break;
    case TAUT_KERNEL_SUM:
        for (int k = x->first; k < x->first + x->count; k++) {
            if (term[k].other >= 0) {
                keep(c, term[k].slot);
                keep(c, term[k].other);
            } else {
                keep_if_far(c, slot, term[k].slot, term[k].p);
            }
        }
        break;
    default: break;
    }
}

/* Calls visit(code, reader, slot) for every argument of a slot. */
typedef void visitor(taut_code *, int reader, int slot);

static void visit_arguments(taut_code *c, int slot, visitor *visit) {
    const taut_instr *x = &c->tape->instr[slot];
    if (x->a >= 0) visit(c, slot, x->a);
    if (x->b >= 0) visit(c, slot, x->b);
    if (x->kernel != TAUT_KERNEL_SUM && x->kernel != TAUT_KERNEL_CHAIN) return;
    for (int k = x->first; k < x->first + x->count; k++) {
        visit(c, slot, c->tape->term[k].slot);
        if (c->tape->term[k].other >= 0) visit(c, slot, c->tape->term[k].other);
    }
}

/* What J alone needs is local to it, and reads others at order 0. */
static bool is_for_jacobian_alone(const taut_code *c, int slot) {
    return c->use[slot] == TAUT_USE_JACOBIAN;
}

static void keep_for_jacobian(taut_code *c, int reader, int slot) {
    (void)reader;
    if (!is_for_jacobian_alone(c, slot) && is_series(c, slot)) keep(c, slot);
}

static void find_stores(taut_code *c) {
    const taut_tape *t = c->tape;
    for (int slot = 0; slot < t->size; slot++)
        if (c->use[slot]) c->store[slot] = TAUT_STORE_LOCAL;
    for (int slot = 0; slot < t->size; slot++) {
        if (!c->use[slot]) continue;
        if (t->instr[slot].kernel <= TAUT_KERNEL_VARIABLE ||
            (c->level[slot] == TAUT_LEVEL_TIME && !is_for_jacobian_alone(c, slot)))
            keep(c, slot);
        if (c->use[slot] & (TAUT_USE_SERIES | TAUT_USE_OUTPUT)) keep_arguments(c, slot);
        if (c->use[slot] & TAUT_USE_JACOBIAN) visit_arguments(c, slot, keep_for_jacobian);
    }
    for (int k = 0; k < c->entries; k++) keep_for_jacobian(c, 0, c->entry[k]);
    for (int k = 0; k < taut_code_observed(c); k++) keep(c, taut_code_observed_at(c, k)->slot);
    for (int i = 0; i < c->system->n; i++) /* an equation whose order is not the newest one */
        if (c->level[c->equation[i]] != c->structure->offsets.c[i]) keep(c, c->equation[i]);
}

/* Numbers of the places, and how long the series are. */
static void number_places(taut_code *c) {
    for (int slot = 0; slot < c->tape->size; slot++) {
        if (c->store[slot] == TAUT_STORE_SERIES) c->home[slot] = c->series++;
        if (c->store[slot] == TAUT_STORE_OUTPUT) c->home[slot] = c->outputs++;
        if (c->use[slot] && c->level[slot] != TAUT_LEVEL_TIME && c->level[slot] >= c->levels)
            c->levels = c->level[slot] + 1;
    }
    c->last_stage = -1;
    for (int k = 0; k < taut_code_observed(c); k++) {
        const taut_code_column *x = taut_code_observed_at(c, k);
        const int stage = x->order - c->level[x->slot];
        if (stage > c->last_stage) c->last_stage = stage;
    }
    c->output_orders = c->last_stage + c->levels;
}

taut_status taut_code_lay_out(taut_code *c, taut_errors *errors) {
    taut_series *series = taut_observer_series(c->simulation->observer);
    TAUT_TRY(list_columns(c));
    TAUT_TRY(list_actions(c));
    TAUT_TRY(make_tape(c, series));
    const int size = c->tape->size;
    c->use = TAUT_NEW_ARRAY(&c->arena, size, uint8_t);
    c->store = TAUT_NEW_ARRAY(&c->arena, size, taut_store);
    c->home = TAUT_NEW_ARRAY(&c->arena, size, int);
    c->level = TAUT_NEW_ARRAY(&c->arena, size, int);
    if (!c->use || !c->store || !c->home || !c->level) return TAUT_ERR_MEMORY;
    for (int slot = 0; slot < size; slot++) {
        c->home[slot] = -1;
        c->level[slot] = level_of(&c->tape->instr[slot]);
        if (c->level[slot] < 0)
            return taut_fail(errors, TAUT_ERR_INPUT,
                             "a column contains derivatives beyond the accelerations that the "
                             "generated program knows: ask for fewer derivatives");
    }
    find_uses(c);
    find_stores(c);
    number_places(c);
    return TAUT_OK;
}
